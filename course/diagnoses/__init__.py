"""Find out from the syntax tree and the exception what a learner probably did wrong, and what to do next.

Each detector is a generator: it yields the diagnoses that match the evidence. Only the first of all diagnoses is shown.
Only wrong answers are diagnosed. Detectors that look only at an answer's text must not yield anything for a right
answer.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from course.diagnoses.evidence import Diagnosis, Evidence, SyntaxProblem
from course.form.reading import NEUTRAL_NAMES
from course.limits import LONGEST_DIAGNOSED_ANSWER, LONGEST_SEARCHED_LINE

__all__ = [
    "ADVICE",
    "Diagnosis",
    "Evidence",
    "SyntaxProblem",
    "UnitAdvice",
    "diagnose",
    "diagnoses_from_text",
    "syntax_problem_of",
]


@dataclass(frozen=True)
class UnitAdvice:
    """The words and the detectors of a unit, which the unit's module `advice.py` defines as `ADVICE`.

    A detector gets the evidence on a wrong answer. A detector returns a diagnosis, or None if it does not recognize the
    mistake.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    """The unit's words in examples, by the neutral names of `course.form.reading.NEUTRAL_NAMES`: `{"item": "card"}`."""
    first: tuple[Callable[[Evidence], Diagnosis | None], ...] = ()
    """Detectors that come before ours, and before the explanation of a known mistake."""

    def __post_init__(self) -> None:
        if unknown := [name for name in self.words if name not in NEUTRAL_NAMES]:
            raise ValueError(
                f"`words` has the unknown name {unknown[0]!r}. Known names: {', '.join(sorted(NEUTRAL_NAMES))}"
            )


ADVICE = UnitAdvice(  # of our units about cards
    words={
        "item": "card",
        "items": "cards",
        "wanted": "trumps",
        "size": "cost",
        "value": "player",
        "values": "players",
        "part": "score",
        "Kind": "Card",
        "name": "suit",
    }
)


def diagnose(evidence: Evidence, surely: bool = False) -> Diagnosis | None:
    """Return a diagnosis of a wrong answer, or None if none matches or the answer is very long.

    Pass `surely=True` if a known mistake already explains the answer. With `surely=True`, diagnoses that use only the
    exception or the value are left out.
    """
    from course.diagnoses.detectors import all_diagnoses  # here, because a right answer needs none of them

    if _is_long(evidence):
        return None
    try:
        return next(all_diagnoses(evidence, surely), None)
    except RecursionError:  # an expression with hundreds of levels, which no person wrote
        return None


def diagnoses_from_text(evidence: Evidence) -> dict[str, Diagnosis]:
    """Run the detectors that need only the answer's text.

    Return the first diagnosis of each detector that matches, in a dict with the detectors' names as keys.

    The slips of a known mistake are names of detectors that need only the answer's text. A text that is very long, or
    nested hundreds of levels deep, gets no diagnosis.
    """
    from course.diagnoses.detectors import TEXT, detectors_needing

    if _is_long(evidence):
        return {}
    try:
        firsts = {detector.__name__: next(detector(evidence), None) for detector in detectors_needing(TEXT)}
    except RecursionError:
        return {}
    return {name: diagnosis for name, diagnosis in firsts.items() if diagnosis}


def _is_long(evidence: Evidence) -> bool:
    return len(evidence.source) + sum(len(helper.source) for helper in evidence.helpers) > LONGEST_DIAGNOSED_ANSWER


def syntax_problem_of(source: str) -> SyntaxProblem | None:
    """Return the syntax error of a source, or None if the source can be parsed."""
    try:
        ast.parse(source)
    except SyntaxError as error:
        return SyntaxProblem(str(error.msg), error.lineno or 0, (error.text or "").rstrip()[:LONGEST_SEARCHED_LINE])
    except (ValueError, RecursionError, MemoryError):
        return SyntaxProblem("the code cannot be read")
    return None
