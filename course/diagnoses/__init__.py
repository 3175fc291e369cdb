"""Find out from the syntax tree and the exception what a learner probably did wrong, and what to do next.

Each diagnosis is a small function of the evidence, and the first one that matches is shown. Only wrong answers are
diagnosed. Diagnoses that look only at an answer's text must not match any right answer.
"""

from __future__ import annotations

import ast

from course.diagnoses.choosing import CHOOSING
from course.diagnoses.completing import COMPLETING
from course.diagnoses.conditions import CONDITIONS
from course.diagnoses.correcting import AT_LAST, CORRECTING, CORRECTING_TEXT
from course.diagnoses.counted import COUNTED, fold_from_none
from course.diagnoses.evidence import Diagnosis, Evidence, Trouble
from course.diagnoses.giving import GIVING, LAST, SURELY, WRITTEN
from course.diagnoses.handing import HANDING, HANDING_TEXT
from course.diagnoses.operands import OPERANDS
from course.diagnoses.parsing import PARSING
from course.diagnoses.parts import PARTS
from course.diagnoses.passing import PASSING, PASSING_TEXT
from course.diagnoses.patterns import PATTERNS
from course.diagnoses.plain import WHERE_TO_LOOK
from course.diagnoses.purpose import raised_needlessly, raised_on_purpose
from course.diagnoses.raising import RAISING, parameters_swapped
from course.diagnoses.returning import RETURNING
from course.diagnoses.shaping import no_star_before_arguments, star_before_recursion
from course.diagnoses.truth import TRUTHS
from course.diagnoses.tupling import TUPLING, cannot_be_used

__all__ = ["Diagnosis", "Evidence", "Trouble", "diagnose", "slips_in", "trouble_of", "written"]

# Diagnoses that look only at the source must not match any right answer. The first group is certain, whatever the
# result was.
EXACT = (*PATTERNS, *SURELY, no_star_before_arguments, parameters_swapped)
TEXT_ALONE = (*EXACT, *TRUTHS, *HANDING_TEXT, *PASSING_TEXT, *CORRECTING_TEXT, *WRITTEN)
BY_RESULT = (
    *EXACT,
    *TRUTHS,
    *CHOOSING,
    fold_from_none,
    star_before_recursion,
    *RETURNING,
    raised_on_purpose,
    *HANDING,
    *HANDING_TEXT,
    *PASSING,
    *PASSING_TEXT,
    *COUNTED,
    *OPERANDS,
    *TUPLING,
    *COMPLETING,
    *CORRECTING,
    *CORRECTING_TEXT,
    *PARTS,
    raised_needlessly,
    *RAISING,
    *GIVING,
    *WRITTEN,
    *LAST,
    *AT_LAST,
    *CONDITIONS,
    cannot_be_used,
    *WHERE_TO_LOOK,
)
WITH_A_BELIEF = (*EXACT, *TRUTHS, *HANDING_TEXT, *PASSING_TEXT, *GIVING, *CORRECTING_TEXT, *WRITTEN)
# Characters of an answer and its helpers, three times as many as in the longest answer that we know. Some diagnoses
# compare each part with all others, so a long text would take many seconds.
LONGEST_TEXT = 10_000
LONGEST_LINE = 1_000  # characters; patterns are searched at every position of a line that does not parse


def diagnose(evidence: Evidence, surely: bool = False) -> Diagnosis | None:
    """Return a diagnosis of a wrong answer, or None if none matches or the answer is very long.

    With `surely`, diagnoses of the exception or the value alone are left out, because then a known mistake explains
    more.
    """
    if sum(map(len, evidence.texts)) > LONGEST_TEXT:
        return None
    if evidence.trouble:
        diagnoses = (rule(evidence, evidence.trouble) for rule in PARSING)
    else:
        diagnoses = (rule(evidence) for rule in (WITH_A_BELIEF if surely else BY_RESULT))
    try:
        return next((diagnosis for diagnosis in diagnoses if diagnosis), None)
    except RecursionError:  # an expression with hundreds of levels, which no person wrote
        return None


def written(evidence: Evidence) -> list[Diagnosis]:
    """Return all diagnoses that follow from an answer's text, without its result."""
    return [diagnosis for rule in TEXT_ALONE if (diagnosis := rule(evidence))]


def slips_in(evidence: Evidence) -> list[str]:
    """Return the names of the slips that are visible in an answer's text."""
    return [rule.__name__ for rule in TEXT_ALONE if rule(evidence)]


def trouble_of(source: str) -> Trouble | None:
    """Return the syntax error of a source, or None if it parses."""
    try:
        ast.parse(source)
    except SyntaxError as error:
        return Trouble(str(error.msg), error.lineno or 0, (error.text or "").rstrip()[:LONGEST_LINE])
    except (ValueError, RecursionError, MemoryError):
        return Trouble("it cannot be read")
    return None
