"""Bots of students: each runs in a sandbox, and answers the questions of a game from there."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TypeAlias

from autograder.report.stops import InvalidAnswer, TooLate
from autograder.sandbox.host import Child, ChildTooLoud, ChildTooSlow
from autograder.sandbox.inside.orders import BotRequest, packed
from autograder.sandbox.outcomes import ChildExit, Unloaded, child_error
from course.arena.arena import Codec, Fault, Illegal, SetResult, Steps, illegal_answer, next_step
from course.exam.readable import from_inside, strict_json

SetRules: TypeAlias = Callable[[int, int, int], Steps[str, object]]


class UntrustedPlayer:
    """An untrusted bot, which a request loads in another process. `chance` seeds its random numbers.

    A bad answer is replaced by a `BotFault`. `lost` is why the process ended, and None while it runs. `is_late` is true
    if an answer took too long.
    """

    is_late = False

    def __init__(self, child: Child, codec: Codec, request: BotRequest, chance: int) -> None:
        self.lost: ChildExit | Unloaded | None = None
        self.child, self.codec, self.seconds = child, codec, request.answer_seconds
        child.send(packed(request._replace(chance=chance)))
        match strict_json(self._received() or b"null"):
            case None:
                pass
            case [str(label), error]:
                self.lost = Unloaded(from_inside(label, 60), child_error(error))
            case _:
                self.lost = Unloaded("", None)

    def answers(self, questions: Sequence[tuple[str, object]]) -> list[object]:
        """Send several questions in one message, and return an answer or a `BotFault` for each."""
        frame = self._received(json.dumps([self.codec.question_out(*one) for one in questions]).encode())
        if frame is None:
            assert self.lost is not None
            return [self.lost] * len(questions)
        replies = strict_json(frame)
        if not isinstance(replies, list) or len(replies) != len(questions):
            return [InvalidAnswer()] * len(questions)
        return list(map(self._answer, replies))

    def _answer(self, reply: object) -> object:
        """Return the decoded answer of the bot: a value, `InvalidAnswerValue` or a `BotFault`."""
        match reply:
            case ["is", data]:
                try:
                    return self.codec.answer_in(data)
                except Exception:  # a bot may send anything
                    return InvalidAnswer()
            case ["odd", str(text)]:
                return InvalidAnswerValue(from_inside(text))
            case ["raised", data] if error := child_error(data):
                return error
            case ["late"]:
                self.is_late = True
                return TooLate(self.seconds)
        return InvalidAnswer()

    def _received(self, message: bytes = b"") -> bytes | None:
        """Send a message, if there is one. Return the reply, or None if the process is lost."""
        try:
            if message and not self.lost:
                self.child.send(message)
            frame = None if self.lost else self.child.receive()
        except (ChildTooSlow, ChildTooLoud):
            frame = None
        if frame is None:
            self.lost = self.lost or self.child.end()
        return frame


class SeatedBot(UntrustedPlayer):
    """A bot at a seat of a game. Its time limit restarts for every message, because it waits while others play."""

    @property
    def is_out(self) -> bool:
        """Return whether the bot's process ended, or was too slow."""
        return self.is_late or self.lost is not None

    def answers(self, questions: Sequence[tuple[str, object]]) -> list[object]:
        self.child.restart_clock()
        return super().answers(questions)


class InvalidAnswerValue:
    """A value that is not a valid answer. Its `repr` is the text by which the bot's process described it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def with_patient_rules(rules: SetRules) -> SetRules:
    """Return the same rules, except that an answer for which they raise an exception counts as a foul.

    Without this, an answer that the author of the rules did not expect would end the tournament for all bots. In a
    contest, the bot would be ungraded.
    """

    def steps(players: int, seed: int, first: int) -> Steps[str, object]:
        inner = rules(players, seed, first)
        now = next_step(inner)
        while not isinstance(now, SetResult):
            try:
                answer = yield now
            except Illegal as error:
                answer = Fault(str(error))
            try:
                now = next_step(inner, now[0], answer)
            except Exception as error:
                raise illegal_answer(answer, f"for which the rules raise {type(error).__name__}") from None
        return now

    return steps
