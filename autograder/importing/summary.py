"""The result for each question: the table on the screen, and `import.md` in the pack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from autograder.importing.deciding import Decision
from autograder.importing.reading import Homework
from autograder.importing.recording import Rehearsal
from autograder.prove.answers import VariantCounts
from autograder.text import counted, points_text

FULL, PARTLY, WARNED, STAYING = "✓", "~", "!", "·"


def screen(
    homework: Homework,
    rehearsal: Rehearsal,
    decisions: Sequence[Decision],
    left_out: Mapping[str, str],
    variants: Mapping[str, VariantCounts],
) -> Iterator[str]:
    """Yield the lines of the table on the screen."""
    tests = [cell for question in homework.questions for cell in question.tests]
    passing = sum(not rehearsal.error(cell.index) for cell in tests)
    yield f"ran the notebook in the sandbox: {passing} of {len(tests)} test cells pass with your solutions"
    names = [_name(decision) for decision in decisions]
    wide = max(map(len, names))
    for name, decision in zip(names, decisions, strict=True):
        begin = f"{decision_sign(decision)} {name:<{wide}}  {points_text(decision.question.points):<9}"
        yield f"{begin}  {_what(decision, left_out)}".rstrip()
    yield from _totals(decisions, variants)


def decision_sign(decision: Decision) -> str:
    """Return the sign of a decision in the table."""
    if decision.stays:
        return STAYING
    return PARTLY if decision.checks else WARNED if decision.catches else FULL


def _name(decision: Decision) -> str:
    return ", ".join(each.name for each in decision.exercises) or decision.question.name


def _what(decision: Decision, left_out: Mapping[str, str]) -> str:
    """Return what the table says of a question."""
    if decision.stays:
        return f"stays: {decision.reason}"
    if decision.checks:
        return decision.checks[0]
    for text in _tests_that_cannot_fail(decision):
        return text
    made = decision.exercises
    calls = sum(len(cases) for each in made for cases in each.facets.values())
    kinds = ", and ".join(
        f"{each.kind} ({points_text(each.points)})" if made[1:] and each.points else each.kind for each in made
    )
    omitted = filter(None, (left_out.get(each.name) for each in made))
    return "; ".join([kinds, f"{counted(calls, 'call')} of yours" if calls else counted(len(made), "value"), *omitted])


def _tests_that_cannot_fail(decision: Decision) -> Iterator[str]:
    for cell, line in decision.catches:
        yield f"your tests cannot fail: line {line} of {cell} catches the error of a failed test"


def _totals(decisions: Sequence[Decision], variants: Mapping[str, VariantCounts]) -> Iterator[str]:
    """Yield the summary lines, which scripts can use."""
    full = [each for each in decisions if decision_sign(each) in (FULL, WARNED)]
    partly, staying = (sum(decision_sign(each) == mark for each in decisions) for mark in (PARTLY, STAYING))
    earned, total = (sum(each.question.points for each in group) for group in (full, decisions))
    yield (
        f"imported {len(full)} of {len(decisions)} questions ({earned:g} of {total:g} points), "
        f"{partly} partly, {staying} stay{'s' if staying == 1 else ''}; total points unchanged"
    )
    if variants:
        yield str(sum(variants.values(), VariantCounts()))


def import_page(
    homework: Homework,
    decisions: Sequence[Decision],
    left_out: Mapping[str, str],
    variants: Mapping[str, VariantCounts],
) -> str:
    """Return `import.md`: a reason for each question, and what to know about the tests."""
    lines = [f"# {homework.path.name}", ""]
    for text in _totals(decisions, variants):
        lines += [text, ""]
    for decision in decisions:
        lines += [f"## {_name(decision)}", ""]
        lines += [f"- {text}" for text in _facts(decision, left_out, variants)]
        lines.append("")
    return "\n".join(lines)


def _facts(decision: Decision, left_out: Mapping[str, str], variants: Mapping[str, VariantCounts]) -> Iterator[str]:
    cells = ", ".join(cell.name for cell in decision.question.cells)
    yield f"{points_text(decision.question.points)}, from the cells {cells}"
    if decision.stays:
        yield f"stays as it is: {decision.reason}"
    for each in decision.exercises:
        yield f"`{each.name}`: {each.kind}, {points_text(each.points)}"
        yield from (f"{counted(len(cases), 'call')} of `{name}`" for name, cases in each.facets.items())
        yield from [f"compares with `==` and a tolerance of {each.tolerance:g}"] if each.tolerance else []
        yield from (str(each_fact[each.name]) for each_fact in (left_out, variants) if each.name in each_fact)
    yield from (f"check this: {text}" for text in decision.checks)
    yield from (f"note: {text}" for text in (*_tests_that_cannot_fail(decision), *decision.warnings))
