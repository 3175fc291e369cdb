"""The rules of form: how an answer is written, judged by its syntax tree. Nothing is run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from course.form.actions import CONSTRUCTS, bans, helpers_outside, imports, loops, mutation, requires
from course.form.equality import equality, identity
from course.form.policy import (
    RULE_NAMES,
    ExerciseFacts,
    FormPolicy,
    FormSettings,
    Requirements,
    policy_of,
    requirements_from,
)
from course.form.reading import Reading, Rule, Source, Violation, own_rules
from course.form.recursion import tail_recursion
from course.form.style import if_chains, length, repeated_calls, shadowed_names, unused_names, wrapped_lambda

__all__ = [
    "CONSTRUCTS",
    "RULE_NAMES",
    "ExerciseFacts",
    "FormFinding",
    "FormPolicy",
    "FormSettings",
    "Reading",
    "Requirements",
    "Rule",
    "Source",
    "Violation",
    "deciding_finding",
    "earned_form_share",
    "own_rules",
    "policy_of",
    "requirements_from",
    "review",
]


@dataclass(frozen=True)
class FormFinding:
    """A violation of a rule of form: the rule, whether it costs points, the line, the reason, and a better solution.

    `code` quotes the line of the violation, and `also` lists other lines that break the same rule. If the line is not
    in the answer's own cell, `where` names the cell of the helper.
    """

    rule: str
    """The rule."""
    breaks: bool
    """Whether the finding costs points."""
    line: int
    """The line of the answer."""
    why: str
    """The reason."""
    instead: str
    """A better way to write it."""
    example: str = ""
    """Code that shows it."""
    code: str = ""
    """The line, quoted."""
    also: tuple[int, ...] = ()
    """Further lines."""
    where: str = ""
    """The cell of the helper, if the line is not in the answer's cell."""


RULES_BY_NAME = {
    "bans": Rule(
        bans,
        "write this step yourself, as a function inside your answer",
        "def in_front(items):\n    …   # the same step, written by you",
    ),
    "requires": Rule(requires, "", ""),
    "loops": Rule(
        loops,
        "write a comprehension, a fold, or a function that calls itself",
        "tuple(size(item) for item in items if item in wanted)\n"
        "fold_left(lambda total, item: total + size(item), 0, items)",
    ),
    "mutation": Rule(
        mutation,
        "make a new value",
        "(*items[:index], item, *items[index + 1 :])\nreplace(value, part=value.part + 10)",
    ),
    "tail-recursion": Rule(
        tail_recursion,
        "pass the result so far as an argument, so that the call is the last step",
        "return n + total(n - 1)           # not a tail call\nreturn recur(n - 1, so_far + n)   # a tail call",
    ),
    "imports": Rule(
        imports,
        "use the modules that the unit allows",
        "from functools import partial\nfrom itertools import accumulate",
    ),
    "local-helpers": Rule(
        helpers_outside,
        "move the helper into the function that needs it",
        "def sort(items):\n    def merge(left, right): …",
    ),
    "repeated-calls": Rule(repeated_calls, "", ""),
    "equality": Rule(equality, "", ""),
    "identity": Rule(identity, "", ""),
    "shadowed-names": Rule(shadowed_names, "", ""),
    "if-chains": Rule(if_chains, "", ""),
    "length": Rule(length, "", ""),
    "wrapped-lambda": Rule(wrapped_lambda, "", ""),
    "unused-names": Rule(
        unused_names,
        "remove the name, or write `_` in its position",
        "first, *_ = items\ncase Kind(name, _): …",
    ),
}
assert tuple(RULES_BY_NAME) == RULE_NAMES


def review(requirements: Requirements, source: str, helpers: Iterable[Source] = ()) -> tuple[FormFinding, ...]:
    """Return the violations of form in an answer, at most one for each rule.

    Violations that cost points come before other violations; within each of these two groups, the worst violation comes
    first.

    `source` is the text of the answer's cell; only the part that the answer needs is judged. `helpers` are definitions
    in other cells that the answer may need. If the source does not parse, an empty tuple is returned.
    """
    try:
        reading = Reading(requirements, source, helpers)
    except RecursionError:
        return tuple(_unreadable_finding(rule) for rule in RULE_NAMES if rule in requirements.policy.errors)
    rules = requirements.policy.rules if reading.tops else ()
    findings = [
        finding for rule in rules if (finding := _finding_of_rule(rule, reading, rule in requirements.policy.errors))
    ]
    return tuple(sorted(findings, key=lambda finding: not finding.breaks))


def deciding_finding(requirements: ExerciseFacts, findings: Iterable[FormFinding]) -> FormFinding | None:
    """Return the violation that makes an answer wrong even if its results are right; None if there is none."""
    return next((finding for finding in findings if finding.rule in requirements.decides), None)


def earned_form_share(findings: Iterable[FormFinding]) -> float:
    """Return the earned share of the points for form: 1 minus one half for each broken rule, but at least 0."""
    return max(0.0, 1.0 - 0.5 * len({finding.rule for finding in findings if finding.breaks}))


def _finding_of_rule(name: str, reading: Reading, breaks: bool) -> FormFinding | None:
    """Return a rule's finding: the first violation, with the lines of the other violations."""
    rule = RULES_BY_NAME.get(name) or own_rules(reading.requirements.module).get(name)
    if not rule:
        return None
    try:
        spots = [
            (reading.labeled_lines_of(spot.node), getattr(spot.node, "lineno", 1), spot) for spot in rule.find(reading)
        ]
    except RecursionError:  # an expression with hundreds of levels, which no person writes
        return _unreadable_finding(name) if breaks else None
    if not spots:
        return None
    part, line, spot = min(spots, key=lambda located: (bool(located[0].label), located[0].label, located[1]))
    others = {row for where, row, _ in spots if where is part} - {line}
    return FormFinding(
        rule=name,
        breaks=breaks,
        line=line,
        why=spot.why,
        instead=spot.instead or rule.instead,
        example=spot.example or reading.with_unit_names(rule.example),
        code=part.lines[line - 1].strip()[:100] if line <= len(part.lines) else "",
        also=tuple(sorted(others)),
        where=part.label,
    )


def _unreadable_finding(rule: str) -> FormFinding:
    """Return the finding on an answer that cannot be read. Without a finding, unreadable code would break no rule."""
    return FormFinding(rule, True, 1, "an expression is nested too deeply to be readable", "give its parts names")
