"""Questions with lettered choices, as `predict`, `viva` and `today` show them, and the replies to answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING

from course.show.blocks import CodeExample, Element, Prose, as_html
from course.show.interactive import Interactive

if TYPE_CHECKING:
    from course.learner.asking import AskingWidget, PosedTurn


def lettered(choices: Sequence[str]) -> list[tuple[str, str]]:
    """Return choices with their letters; line breaks in a choice become `⏎`."""
    return [(letter, choice.replace("\n", " ⏎ ")) for letter, choice in zip(ascii_uppercase, choices, strict=False)]


def choice_of(letter: str, choices: Sequence[str]) -> int | None:
    """Return the index of the choice with this letter, or None.

    >>> choice_of(" b ", ("one", "two")), choice_of("c", ("one", "two"))
    (1, None)
    """
    letters = [each for each, _ in lettered(choices)]
    return letters.index(letter.strip().upper()) if letter.strip().upper() in letters else None


def question_elements(text: str, code: str, choices: Sequence[str], lead: str = "?") -> Iterator[Element]:
    """Yield a question, its code if any, and its choices with letters."""
    yield Prose(text, lead)
    if code:
        yield CodeExample(code)
    if choices:
        yield CodeExample("\n".join(f"{letter}  {choice}" for letter, choice in lettered(choices)))


def reply_elements(is_right: bool, comment: str, right: str, why: str) -> tuple[Element, ...]:
    """Return the reply to an answer: a comment, the right choice after a wrong one, and the reason if it is known."""
    solution = () if is_right else (Prose("The right choice is:"), CodeExample(right))
    return (Prose(comment), *solution, *([Prose(why, "Why?")] if why else ()))


@dataclass(frozen=True, repr=False)
class PosedQuestion(Interactive):
    """A question that can be shown as a widget or as text. `reply` returns the reply to a letter."""

    text: str
    code: str
    choices: tuple[str, ...]
    reply: Callable[[str], tuple[Element, ...]]
    number: int | None = None

    def elements(self) -> Iterator[Element]:
        """Yield the question with its choices."""
        yield from question_elements(self.text, self.code, self.choices, f"{self.number}." if self.number else "?")

    def answered(self, letter: str) -> tuple[Element, ...]:
        """Return the question with the reply to an answer."""
        return (*self.elements(), *self.reply(letter))

    @property
    def turn(self) -> PosedTurn:
        """Return the text, code, choices and reply of the question, for its form."""
        text = f"{self.number}. {self.text}" if self.number else self.text
        return text, self.code, lettered(self.choices), lambda letter: as_html(self.reply(letter))

    def widget(self) -> AskingWidget:
        """Return the question as a form."""
        from course.learner.asking import widget_that_asks  # imported here, because it needs anywidget

        text, code, choices, reply = self.turn
        return widget_that_asks(code, choices, reply, text)
