"""All detectors, in their order. Only wrong answers need them, so `course.diagnoses` imports them late."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from course.diagnoses.advice import advice_of, detected
from course.diagnoses.choosing import CHOOSING
from course.diagnoses.conditions import CONDITIONS
from course.diagnoses.correcting import AT_LAST, CORRECTING, CORRECTING_TEXT
from course.diagnoses.counted import COUNTED, fold_from_none
from course.diagnoses.evidence import Diagnosis, Evidence
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
from course.form import review

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


def banned(e: Evidence) -> Iterator[Diagnosis]:
    """Yield first what a wrong answer uses although the exercise does not allow it: such code must go in any case."""
    findings = review(e.requirements, e.source, e.helpers) if e.requirements.bans else ()
    for finding in findings:
        if finding.rule == "bans":
            yield Diagnosis(f"Line {finding.line} decides: {finding.why}. Instead, {finding.instead}.")


def all_diagnoses(evidence: Evidence, surely: bool) -> Iterator[Diagnosis]:
    """Yield what the detectors yield, in their order: the unit's first ones, ours, and the unit's last ones."""
    if evidence.trouble:
        for reader in PARSING:
            yield from reader(evidence, evidence.trouble)
        return
    yield from banned(evidence)
    own = advice_of(evidence.requirements.module)
    yield from detected(own.first, evidence)
    yield from chain.from_iterable(detector(evidence) for detector in (WITH_A_BELIEF if surely else BY_RESULT))
    if not surely:
        yield from detected(own.last, evidence)
        yield from chain.from_iterable(detector(evidence) for detector in WHERE_TO_LOOK)
