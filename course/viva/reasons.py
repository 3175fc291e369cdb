"""Why a call, or an answer, cannot be asked about: as values, and as text for learners and examiners."""

from __future__ import annotations

from enum import StrEnum


class NoQuestion(StrEnum):
    """The reason why there is no question about a call or an answer."""

    SAME_WAY, TOO_DEEP, FEW, ALIKE = "same", "deep", "few", "alike"  # of an answer
    UNSOUND, FORGEABLE = "unsound", "forgeable"  # of an answer, in an oral check
    CHANCE, HELPER, LIMIT, LONG = "chance", "helper", "limit", "long"  # of a call, or of too many calls


REASONS = {
    NoQuestion.SAME_WAY: "it has no branch, recursion or loop, so every input takes the same path through the code",
    NoQuestion.TOO_DEEP: "its code is nested too deeply",
    NoQuestion.FEW: "too few short inputs are known",
    NoQuestion.ALIKE: "the known inputs take paths that are too similar",
    NoQuestion.UNSOUND: "its code ends or disturbs the process that makes the questions",
    NoQuestion.FORGEABLE: "its code is not plain, so it could forge questions",
    NoQuestion.CHANCE: "its result depends on chance",
    NoQuestion.HELPER: "a function that it calls is missing or not written yet",
    NoQuestion.LIMIT: "it takes too many steps with the known inputs",
    NoQuestion.LONG: "its results are too long to show",
}
