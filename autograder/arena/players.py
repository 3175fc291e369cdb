"""Players that answer the questions of a game: a trusted bot in this process, or an untrusted one in a sandbox."""

from __future__ import annotations

import json
from collections.abc import Sequence

from autograder.report.words import error_text, loss_text
from autograder.sandbox.host import Child, ChildTooLoud, ChildTooSlow
from autograder.sandbox.inside.bot_runner import BY_LETTER, LATE, LETTER_OF, QUESTION_KINDS
from autograder.sandbox.outcomes import ChildExit, Unloaded, child_error
from course.arena.set import ANSWER_SECONDS, Question, answers_of
from course.arena.values import Bot, Fault, View
from course.exam.readable import from_inside, strict_json

NO_ANSWER = Fault("sent an invalid answer")


class Answerer:
    """A trusted bot in this process."""

    lost: ChildExit | Unloaded | None = None
    is_late = False

    def __init__(self, bot: Bot) -> None:
        self._answers = answers_of((bot,))

    def begin_set(self) -> None:
        """Do nothing: a trusted bot has no time limit."""

    def answer(self, question: Question, view: View) -> object:
        """Return the bot's answer, or a `Fault`."""
        return self._answers(0, question, view)


class Stranger(Answerer):
    """An untrusted bot in another process, with a time limit of some seconds for each answer.

    `lost` is the reason why its process was lost. `is_late` says whether an answer took too long.
    """

    def __init__(self, child: Child, seconds: float = ANSWER_SECONDS) -> None:
        self.child, self.seconds = child, seconds
        match strict_json(self._received() or b"null"):
            case None:
                pass
            case [str(label), error]:
                self.lost = Unloaded(label, child_error(error))
            case _:
                self.lost = Unloaded("", None)

    def answer(self, question: Question, view: View) -> object:
        """Send a question, and return the answer, or a `Fault`."""
        return self.answers([(question, view)])[0]

    def answers(self, questions: Sequence[tuple[Question, View]]) -> list[object]:
        """Send many questions at once, and return for each an answer or a `Fault`."""
        frame = self._received(json.dumps([question_out(*one) for one in questions]).encode())
        if frame is None:
            assert self.lost is not None
            return [Fault(loss_text(self.lost))] * len(questions)
        replies = strict_json(frame)
        if not isinstance(replies, list) or len(replies) != len(questions):
            return [NO_ANSWER] * len(questions)
        return list(map(self._answer, replies))

    def _answer(self, reply: object) -> object:
        if reply != LATE:
            return answer_in(reply)
        self.is_late = True
        return Fault(f"took longer than {self.seconds:g} s")

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


def question_out(question: Question, view: View) -> tuple[object, ...]:
    """Return a question encoded for the other process."""
    hand, top, color, counts, direction, roll, drawn = view
    cards = "".join([LETTER_OF[id(card)] for card in hand])
    kind, letters = QUESTION_KINDS.index(question), (LETTER_OF[id(top)], LETTER_OF[id(color)], LETTER_OF[id(drawn)])
    return kind, cards, letters, counts, direction, roll


class Odd:
    """A value that is not a valid answer. Its `repr` is the text that the bot sent for it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def answer_in(reply: object) -> object:
    """Return the decoded answer of an untrusted bot: a card, a boolean, a color, `Odd` or `Fault`."""
    match reply:
        case str(letter) if letter in BY_LETTER:
            return BY_LETTER[letter]
        case ["odd", str(text)]:
            return Odd(from_inside(text))
        case ["raised", reply] if error := child_error(reply):
            return Fault(f"raised {error_text(error)}")
    return NO_ANSWER
