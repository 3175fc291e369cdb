"""Runs one bot for one game, in a child process of its own: question by question, each with the bot's own view.

A question is a short JSON list in which each card is a letter; an answer is a letter, or a pair that says what came
instead: ["odd", its repr] or ["fault", the reason]. The engine is elsewhere, so there is no other hand to be found.
"""

from __future__ import annotations

import json
import marshal
import random
import signal
from collections.abc import Callable
from typing import Any

from course import arena_tournament, bots
from course.arena import Bot, Card, Color, Fault, Question, View
from course.arena_tournament import ANSWERS, BY_LETTER, LETTERS, Duel
from course.functional import curry

from . import runner

QUESTIONS: tuple[Question, ...] = ("play_card", "play_drawn", "choose_color")
SECONDS = 1.0
LONGEST = 200
Names = dict[str, Any]
# By identity, because hashing a card takes longer than the rest: all cards of a view are the very ones of DECK.
LETTER_OF = {id(answer): LETTERS[answer] for answer in ANSWERS} | {id(None): ""}
CARD_OF: dict[str, Any] = {letter: answer for letter, answer in BY_LETTER.items() if type(answer) is Card} | {"": None}


class Odd:
    """What came instead of an answer that there is, by its `repr`: the arena says what is wrong with it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def question_frame(question: Question, view: View) -> bytes:
    """Give a question as it travels."""
    hand, top, color, counts, direction, roll, drawn = view
    cards = "".join([LETTER_OF[id(card)] for card in hand])
    place, letters = QUESTIONS.index(question), (LETTER_OF[id(top)], LETTER_OF[id(color)], LETTER_OF[id(drawn)])
    return json.dumps((place, cards, letters, counts, direction, roll)).encode()


def question_in(frame: bytes) -> tuple[Question, View]:
    """Give the question that has travelled."""
    place, cards, (top, color, drawn), counts, direction, roll = json.loads(frame)
    hand = tuple([CARD_OF[letter] for letter in cards])
    view = View(hand, CARD_OF[top], BY_LETTER[color], tuple(counts), direction, roll, CARD_OF[drawn])
    return QUESTIONS[place], view


def answer_frame(bot: Bot, question: Question, view: View) -> bytes:
    """Ask the bot, and give its answer as it travels."""
    try:
        with runner.cpu_limit(SECONDS):
            seen: Any = _letter_or_odd(getattr(bot, question)(view))
    except runner.TimeUp:
        seen = "fault", f"took longer than {SECONDS:g} s"
    except BaseException as error:
        seen = "fault", f"raised {_story(error)}"
    return json.dumps(seen).encode()


def answer_in(frame: bytes) -> Any:
    """Give the answer that has travelled: a card, a truth value, a colour, or `Odd` or `Fault`. It is not trusted."""
    try:
        told = json.loads(frame) if len(frame) <= 10 * LONGEST else None
    except (ValueError, RecursionError):
        told = None
    match told:
        case str(letter) if letter in BY_LETTER:
            return BY_LETTER[letter]
        case ["odd", str(text)]:
            return Odd(one_line(text))
        case ["fault", str(text)]:
            return Fault(one_line(text))
    return Fault("sent something that is no answer")


def one_line(text: str) -> str:
    """Give a text from a bot as one printable line."""
    return "".join(char if char.isprintable() else " " for char in text[:LONGEST])


def _letter_or_odd(answer: object) -> Any:
    try:
        return LETTERS[answer] if type(answer) in (Card, Color, bool) else ("odd", _repr(answer))
    except (TypeError, KeyError):
        return "odd", _repr(answer)


def _repr(answer: object) -> str:
    """Give the start of a `repr`, which may be broken too."""
    try:
        return repr(answer)[:80]
    except Exception:
        return f"a {type(answer).__name__}"


def _story(error: BaseException) -> str:
    text = _repr(str(error))[1:-1]
    return f"{type(error).__name__}{': ' if text else ''}{text}"


def main(connection: runner.Connection) -> None:
    """Load the bot that the order describes, send what is wrong with it (or None), and answer until the end."""
    order = marshal.loads(connection.receive())
    random.seed(order["chance"])
    for alarm in ("SIGPROF", "SIGALRM"):
        if hasattr(signal, alarm):
            signal.signal(getattr(signal, alarm), runner._time_is_up)
    found = loaded(order)
    connection.send(json.dumps(None if isinstance(found, Bot) else found).encode())
    while isinstance(found, Bot):
        connection.send(answer_frame(found, *question_in(connection.receive())))


def loaded(order: dict[str, Any]) -> Bot | str:
    """Give the bot that an order describes, or in one line why there is none."""
    met = _watch_duels()
    bench = runner.Bench(bots, order)
    troubles = [f"{name}: {story}".removeprefix("file: ") for name, story in bench.load(order["plan"])["helpers"]]
    try:
        with runner.cpu_limit(order["seconds"]):
            return find_bot(bench.learner, order["bot"], met)
    except BaseException as error:
        return one_line((troubles or [_story(error)])[0].replace("of the cell of file", "of the file"))


def find_bot(names: Names, wanted: str, met: list[Bot]) -> Bot:
    """Give the bot that is called `wanted`, or the file's only one if that is empty; LookupError if there is none."""
    for name in (wanted, f"{wanted}_player") if wanted else ("bot",):
        if isinstance(names.get(name), Bot):
            return names[name]
    functions = [names.get(f"{wanted}_{question}".lstrip("_")) for question in QUESTIONS]
    if all(map(callable, functions)):
        return Bot(wanted or "bot", *functions)  # type: ignore[arg-type]
    if callable(names.get(wanted or "champion")):
        return _dueller(names[wanted or "champion"], met)
    raise LookupError(f"there is no bot {wanted} in it" if wanted else "there is neither `bot` nor `play_card` in it")


def _dueller(champion: Callable[..., object], met: list[Bot]) -> Bot:
    """Give the bot with which a function like `champion` goes into a duel."""
    champion(bots.QUITTER, ())
    if not met or type(met[-1]) is not Bot:
        raise LookupError("it sends no bot into a duel")
    return met[-1]


def _watch_duels() -> list[Bot]:
    """Let `duel` only note, in this process, which bots come to it; give the list of them."""
    met: list[Bot] = []

    @curry
    def duel(bot: Bot, rival: Bot, seeds: arena_tournament.Seeds) -> Duel:
        met.append(bot)
        return Duel((), (), ())

    bots.duel = arena_tournament.duel = duel
    return met
