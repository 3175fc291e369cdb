"""Form: how an answer is written, read from its syntax tree."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.reports import FormFinding
from autograder.unit import Exercise, Unit


def review(unit: Unit, exercise: Exercise, source: str) -> tuple[FormFinding, ...]:
    """Give the findings on an answer, those that break a rule first."""
    return ()


def mark(findings: Iterable[FormFinding]) -> float:
    """Give the share of the points for form that is earned: all, less a half for each rule broken."""
    return max(0.0, 1.0 - 0.5 * len({finding.rule for finding in findings if finding.breaks}))
