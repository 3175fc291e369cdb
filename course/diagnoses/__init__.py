"""What a learner has probably done, and what to do next: read from the syntax tree and the exception, never guessed.

Each diagnosis is a small function of the evidence; the first that has something to say is the one that is shown. Only
an answer that is not right is looked at, and those that go by its text alone are silent about every right one.
"""

from __future__ import annotations

import ast

from course.diagnoses.correcting import AT_LAST, CORRECTING, CORRECTING_TEXT
from course.diagnoses.evidence import Diagnosis, Evidence, Trouble
from course.diagnoses.giving import GIVING, LAST, WRITTEN
from course.diagnoses.parsing import PARSING
from course.diagnoses.plain import WHERE_TO_LOOK
from course.diagnoses.raising import RAISING

__all__ = ["Diagnosis", "Evidence", "Trouble", "diagnose", "slips_in", "trouble_of", "written"]

LONGEST_LINE = 1_000  # of what does not parse: patterns are looked for in it, at every place anew


def diagnose(evidence: Evidence, surely: bool = False) -> Diagnosis | None:
    """Return what is to be said of an answer that is not right, None if nothing is known.

    `surely` leaves out what goes by the exception or by the value alone, of which a known mistake says more.
    """
    if evidence.trouble:
        found = (rule(evidence, evidence.trouble) for rule in PARSING)
    else:
        wrong = (*GIVING, *CORRECTING_TEXT, *WRITTEN)
        rules = wrong if surely else (*CORRECTING, *CORRECTING_TEXT, *RAISING, *wrong, *LAST, *AT_LAST, *WHERE_TO_LOOK)
        found = (rule(evidence) for rule in rules)
    try:
        return next((diagnosis for diagnosis in found if diagnosis), None)
    except RecursionError:  # an expression nested hundreds deep: no person wrote it
        return None


def written(evidence: Evidence) -> list[Diagnosis]:
    """Return all that is to be said of an answer's text alone, whatever comes of running it."""
    return [diagnosis for rule in (*CORRECTING_TEXT, *WRITTEN) if (diagnosis := rule(evidence))]


def slips_in(evidence: Evidence) -> list[str]:
    """Return the names of the slips that an answer's text alone tells of."""
    return [rule.__name__ for rule in (*CORRECTING_TEXT, *WRITTEN) if rule(evidence)]


def trouble_of(source: str) -> Trouble | None:
    """Return what keeps a source from parsing, None if it parses."""
    try:
        ast.parse(source)
    except SyntaxError as error:
        return Trouble(str(error.msg), error.lineno or 0, (error.text or "").rstrip()[:LONGEST_LINE])
    except (ValueError, RecursionError, MemoryError):
        return Trouble("it cannot be read")
    return None
