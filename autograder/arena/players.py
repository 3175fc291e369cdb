"""Who answers the questions of a game: a bot in this process, or one in a sandbox, which is not to be trusted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from autograder.sandbox.host import Child, ChildTooLoud, ChildTooSlow, Exit
from autograder.sandbox.inside.bot_runner import BY_LETTER, LETTER_OF, QUESTIONS
from autograder.sandbox.inside.runner import IGNORED_THE_LIMIT
from autograder.text import from_inside, strict_json
from course.arena.set import Question, answers_of
from course.arena.values import Bot, Fault, View

NO_ANSWER = Fault("sent something that is no answer")


class Player:
    """A bot that is trusted, in this process."""

    lost = ""

    def __init__(self, bot: Bot) -> None:
        self._answers = answers_of((bot,))

    def answer(self, question: Question, view: View) -> Any:
        """Give the bot's answer, or a `Fault`."""
        return self._answers(0, question, view)


class Stranger(Player):
    """A bot in another process. When that is lost, `lost` says why."""

    def __init__(self, child: Child) -> None:
        self.child = child
        trouble = strict_json(self._received() or b"null")
        self.lost = self.lost or (f"does not load: {from_inside(trouble)}" if trouble is not None else "")

    def answer(self, question: Question, view: View) -> Any:
        """Ask, and give what comes back, or a `Fault`."""
        return self.answers([(question, view)])[0]

    def answers(self, asked: Sequence[tuple[Question, View]]) -> list[Any]:
        """Ask many questions at once, and give what comes back for each, or a `Fault`."""
        frame = self._received(json.dumps([question_out(*one) for one in asked]).encode())
        if frame is None:
            return [Fault(self.lost)] * len(asked)
        told = strict_json(frame)
        if not isinstance(told, list) or len(told) != len(asked):
            return [NO_ANSWER] * len(asked)
        return list(map(answer_in, told))

    def _received(self, message: bytes = b"") -> bytes | None:
        """Send a message, if there is one, and give what comes back, None if the process is lost."""
        try:
            if message and not self.lost:
                self.child.send(message)
            frame = None if self.lost else self.child.receive()
        except (ChildTooSlow, ChildTooLoud):
            frame = None
        if frame is None:
            self.lost = self.lost or _story(self.child.end())
        return frame


def _story(end: Exit) -> str:
    return "took longer than it may, and did not stop" if end.status == IGNORED_THE_LIMIT else end.said


def question_out(question: Question, view: View) -> tuple[Any, ...]:
    """Give a question as it travels."""
    hand, top, color, counts, direction, roll, drawn = view
    cards = "".join([LETTER_OF[id(card)] for card in hand])
    place, letters = QUESTIONS.index(question), (LETTER_OF[id(top)], LETTER_OF[id(color)], LETTER_OF[id(drawn)])
    return place, cards, letters, counts, direction, roll


class Odd:
    """What came instead of an answer that there is, by its `repr`: the arena says what is wrong with it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def answer_in(told: Any) -> Any:
    """Give the answer that has travelled: a card, a truth value, a colour, or `Odd` or `Fault`. It is not trusted."""
    match told:
        case str(letter) if letter in BY_LETTER:
            return BY_LETTER[letter]
        case ["odd", str(text)]:
            return Odd(from_inside(text))
        case ["fault", str(text)]:
            return Fault(from_inside(text))
    return NO_ANSWER
