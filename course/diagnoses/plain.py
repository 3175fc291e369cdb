"""Advice when no diagnosis matches: how the value is wrong, and the facts of the failing call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from course.diagnoses.differing import difference_sentence
from course.diagnoses.evidence import Diagnosis, Evidence
from course.diagnoses.failure import CALLED, CHANGED, GAVE, OTHER, PRINTED, RAISED, ExpectedException
from course.syntax import expression_of


def wrong_value(e: Evidence) -> Iterator[Diagnosis]:
    """Describe how a returned value is wrong, and what decided this result."""
    if e.failure.did != GAVE or e.failure.seen is None:
        return
    if isinstance(e.failure.wanted, ExpectedException):
        kind = e.failure.wanted.kind
        yield Diagnosis(f"This call has no right answer. Test for this case first, and `raise {kind}(…)`.")
    observed, right, before = _without_text(e.failure.seen, e.failure.wanted_code)
    what = difference_sentence(e.failure.call, observed, right, e.given)
    if isinstance(expression_of(e.failure.call), ast.Compare) and {observed, right} == {"True", "False"}:
        what = f"The comparison in this call is {observed}, but it should be {right}."
    if words := " ".join(filter(None, [before, what, e.facts()])):
        yield Diagnosis(words)


def _without_text(observed: str, wanted: str) -> tuple[str, str, str]:
    """Compare two pairs of a value and its printed text.

    Return the part that is wrong, the right version of it, and a sentence that the other part is right. For values that
    are not such pairs, return both values and "".
    """
    match expression_of(observed), expression_of(wanted):
        case (
            ast.Tuple(elts=[one, ast.Constant(value=str(text))]),
            ast.Tuple(elts=[other, ast.Constant(value=str(right))]),
        ):
            if text == right:
                return ast.unparse(one), ast.unparse(other), "The printed text is right."
            if ast.dump(one) == ast.dump(other):
                return repr(text), repr(right), "The returned value is right."
    return observed, wanted, ""


def other_calls(e: Evidence) -> Iterator[Diagnosis]:
    """Detect that the functions passed as arguments were called wrongly."""
    if e.failure.did == CALLED:
        yield Diagnosis(f"The result is right, but the calls of its function arguments are wrong. {e.facts()}".strip())


def other_arguments(e: Evidence) -> Iterator[Diagnosis]:
    """Detect arguments that are wrong after the call."""
    if e.failure.did != CHANGED:
        return
    if e.failure.wanted_code and e.failure.wanted_code in e.failure.call:
        yield Diagnosis("The function changes its argument, which must stay as it is. Make a new value, or copy it.")
    elif not e.failure.seen or e.failure.seen in e.failure.call:
        yield Diagnosis(
            "The function has to change its argument in place. Assigning a new value to its name is not enough."
        )
    elif facts := e.facts():
        yield Diagnosis(facts)


def other_text(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a wrong line of output."""
    if e.failure.did != PRINTED:
        return
    if e.failure.wanted is None:
        what = "The function prints too much."
    elif e.failure.seen is None:
        what = "The function stops printing too early."
    elif e.failure.seen and "".join(e.failure.seen.split()) == "".join(e.failure.wanted_code.split()):
        what = "Only spaces, tabs and line breaks differ (`·` is a space, `→` is a tab, `\\t`)."
    elif not e.failure.seen and e.failure.row == 1:
        what = "The function prints nothing, but this line is expected."
    else:
        what = "All lines before this one are right." if e.failure.row > 1 else "The first line is wrong."
    yield Diagnosis(f"{what} {e.facts()}".strip())


def lost_value(e: Evidence) -> Iterator[Diagnosis]:
    """Find the line because of which a call returned no value, or raised an exception."""
    if e.failure.did in (OTHER, RAISED) and (facts := e.facts()):
        yield Diagnosis(facts)
