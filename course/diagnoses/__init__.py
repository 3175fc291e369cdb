"""Find out from the syntax tree and the exception what a learner probably did wrong, and what to do next.

Each detector is a generator: it yields what the evidence suggests. The first diagnosis of all is shown. Only wrong
answers are diagnosed. Detectors that look only at an answer's text must not yield anything for a right answer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain

from course.diagnoses.advice import UnitAdvice, advice_of, detected
from course.diagnoses.choosing import CHOOSING
from course.diagnoses.conditions import CONDITIONS
from course.diagnoses.correcting import AT_LAST, CORRECTING, CORRECTING_TEXT
from course.diagnoses.counted import COUNTED, fold_from_none
from course.diagnoses.evidence import Diagnosis, Evidence, Trouble
from course.diagnoses.giving import GIVING, LAST, SURELY, WRITTEN
from course.diagnoses.handing import HANDING
from course.diagnoses.operands import OPERANDS
from course.diagnoses.parsing import PARSING
from course.diagnoses.parts import PARTS
from course.diagnoses.passing import PASSING, PASSING_TEXT
from course.diagnoses.patterns import PATTERNS
from course.diagnoses.plain import WHERE_TO_LOOK
from course.diagnoses.purpose import raised_needlessly, raised_on_purpose
from course.diagnoses.raised import BY_MESSAGE
from course.diagnoses.raising import RAISING, parameters_swapped
from course.diagnoses.returning import RETURNING
from course.diagnoses.shaping import star_before_recursion
from course.diagnoses.truth import TRUTHS
from course.diagnoses.tupling import TUPLING, cannot_be_used

__all__ = ["Diagnosis", "Evidence", "Trouble", "UnitAdvice", "diagnose", "trouble_of", "written"]

# Detectors that look only at the source must not match any right answer. The first group is certain, whatever the
# result was.
EXACT = (*PATTERNS, *SURELY, parameters_swapped)
TEXT_ALONE = (*EXACT, *TRUTHS, *PASSING_TEXT, *CORRECTING_TEXT, *WRITTEN)
BY_RESULT = (
    *EXACT,
    *TRUTHS,
    *CHOOSING,
    fold_from_none,
    star_before_recursion,
    *RETURNING,
    raised_on_purpose,
    *HANDING,
    *PASSING,
    *PASSING_TEXT,
    *COUNTED,
    *OPERANDS,
    *TUPLING,
    *CORRECTING,
    *CORRECTING_TEXT,
    *PARTS,
    raised_needlessly,
    *BY_MESSAGE,
    *RAISING,
    *GIVING,
    *WRITTEN,
    *LAST,
    *AT_LAST,
    *CONDITIONS,
    cannot_be_used,
)
WITH_A_BELIEF = (*EXACT, *TRUTHS, *PASSING_TEXT, *GIVING, *CORRECTING_TEXT, *WRITTEN)
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
    try:
        return next(_diagnoses(evidence, surely), None)
    except RecursionError:  # an expression with hundreds of levels, which no person wrote
        return None


def _diagnoses(evidence: Evidence, surely: bool) -> Iterator[Diagnosis]:
    """Yield what the detectors yield, in their order: the unit's first ones, ours, and the unit's last ones."""
    if evidence.trouble:
        for reader in PARSING:
            yield from reader(evidence, evidence.trouble)
        return
    own = advice_of(evidence.requirements.module)
    yield from detected(own.first, evidence)
    yield from chain.from_iterable(detector(evidence) for detector in (WITH_A_BELIEF if surely else BY_RESULT))
    if not surely:
        yield from detected(own.last, evidence)
        yield from chain.from_iterable(detector(evidence) for detector in WHERE_TO_LOOK)


def written(evidence: Evidence) -> dict[str, Diagnosis]:
    """Return what follows from an answer's text without its result: the first diagnosis of each detector, by its name.

    These names are the slips in beliefs about mistakes.
    """
    firsts = {detector.__name__: next(detector(evidence), None) for detector in TEXT_ALONE}
    return {name: diagnosis for name, diagnosis in firsts.items() if diagnosis}


def trouble_of(source: str) -> Trouble | None:
    """Return the syntax error of a source, or None if it parses."""
    try:
        ast.parse(source)
    except SyntaxError as error:
        return Trouble(str(error.msg), error.lineno or 0, (error.text or "").rstrip()[:LONGEST_LINE])
    except (ValueError, RecursionError, MemoryError):
        return Trouble("it cannot be read")
    return None
