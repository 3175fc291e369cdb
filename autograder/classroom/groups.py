"""Groups of wrong answers with the same results. Their code may differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import wrap

from toolz import groupby

from autograder.classroom.model import HandIn, failures
from autograder.report.render import result_of
from autograder.report.words import first_problem_text
from course.diagnoses.failure import Failure
from course.exam.readable import printable


@dataclass(frozen=True)
class Group:
    """Students whose wrong answers return the same: their belief if it is known, and their code with counts.

    `failure` is the one that their pages show, and `rule` the rule that it breaks. `key` names the group in
    `comments.toml`; it stays the same while the exam does.
    """

    exercise: str
    key: str
    students: tuple[str, ...]
    verdict: str
    rule: str
    failure: Failure | None
    belief: str
    sources: tuple[tuple[str, int], ...]

    @property
    def exam_failure(self) -> Failure | None:
        """Return the failed call with its expected result. All else could be a student's own words."""
        each = self.failure
        return Failure(each.call, setup=each.setup, wanted=each.wanted) if each and each.call else None


def groups(entries: Sequence[HandIn]) -> list[Group]:
    """Return the groups of wrong answers, largest first; of equally large ones, the known mistakes first."""
    results = [(exercise, entry) for entry in entries for exercise in failures(entry) if exercise.facets]
    by_key = groupby(lambda pair: (pair[0].name, pair[0].digest), results)
    made = []
    for (name, key), pairs in by_key.items():
        exercise, first = pairs[0][0], result_of(pairs[0][0]).first
        sources = Counter(entry.code.sources[name] for _, entry in pairs if name in entry.code.sources)
        group = Group(
            name,
            key,
            tuple(sorted(entry.student for _, entry in pairs)),
            first_problem_text(exercise),
            first.about if first else "not examined",
            first.failure if first else None,
            next((each.belief for each, _ in pairs if each.belief), ""),
            tuple(sorted(sources.items(), key=lambda item: (-item[1], len(item[0]), item[0]))),
        )
        made.append(group)
    return sorted(made, key=lambda group: (-len(group.students), not group.belief, group.exercise, group.key))


def unknown_mistakes(all_groups: Sequence[Group], least: int) -> list[Group]:
    """Return the groups of at least `least` students whose mistake is not known yet."""
    return [group for group in all_groups if not group.belief and len(group.students) >= least]


def draft(group: Group, is_plain: Callable[[str], bool]) -> str:
    """Return Python code for a group: its most frequent source, as a new known mistake.

    Known mistakes are run without a sandbox. So a source that is not plain becomes a comment.
    """
    source, _ = group.sources[0]
    named = source.replace(f"def {group.exercise}(", f"def {group.exercise}__TODO_{group.key[:6]}(", 1)
    written = [printable(line.expandtabs()) for line in named.split("\n")]
    is_unchanged = written == named.expandtabs().split("\n")  # where a line is cut, a text may become code
    sign = "" if is_unchanged and is_plain(source) else "# "
    code = [sign + line for line in written]
    lines = wrap(f"{len(group.students)} students. {group.verdict}", 117, break_long_words=False)
    lines += ["This code of a student uses more than the course teaches. Read it before you uncomment it:"] * bool(sign)
    return "\n".join([*(f"# {line}" for line in lines), *code, ""])
