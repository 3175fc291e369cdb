"""Run one bot in its own child process. The bot receives questions, each with its own view, and answers them.

A question is a short JSON list in which each card is a letter. An answer is a letter, or a list that describes a
problem: ["odd", its repr], ["raised", the exception], or "late". Questions are sent in lists, because many sets may be
played at the same time. The rules of the game run in another process.
"""

from __future__ import annotations

import json
import random
from typing import Any, get_args

from course import bots
from course.arena.set import Question
from course.arena.values import COLORS, DECK, Bot, Card, Color, View
from course.exam.calls import Names
from course.exam.observing import ErrorData, TimeUp, error_message

from . import runner
from .orders import BotRequest, bot_request_of
from .tickers import cpu_limit, heed_alarms

QUESTION_KINDS: tuple[Question, ...] = get_args(Question)
LONGEST_ANSWER = 800
LATE = "late"
ANSWERS: tuple[Any, ...] = (*dict.fromkeys(DECK), True, False, *COLORS)
LETTERS = {answer: chr(ord("A") + index) for index, answer in enumerate(ANSWERS)}
BY_LETTER = {letter: answer for answer, letter in LETTERS.items()}
# Cards are looked up by identity, because hashing a card would take most of the time. All cards of a view are objects
# of DECK.
LETTER_OF = {id(answer): LETTERS[answer] for answer in ANSWERS} | {id(None): ""}
CARD_OF: dict[str, Any] = {letter: answer for letter, answer in BY_LETTER.items() if type(answer) is Card} | {"": None}


def question_in(data: list[Any]) -> tuple[Question, View]:
    """Return a question decoded from JSON data."""
    kind, cards, (top, color, drawn), counts, direction, roll = data
    hand = tuple([CARD_OF[letter] for letter in cards])
    view = View(hand, CARD_OF[top], BY_LETTER[color], tuple(counts), direction, roll, CARD_OF[drawn])
    return QUESTION_KINDS[kind], view


def answer_out(bot: Bot, question: Question, view: View, seconds: float) -> object:
    """Return the bot's answer to a question, encoded for JSON. The bot has `seconds` of CPU time."""
    try:
        with cpu_limit(seconds):
            return _letter_or_odd(getattr(bot, question)(view))
    except TimeUp:
        return LATE
    except BaseException as error:
        return "raised", _error_data(error)


def _letter_or_odd(answer: object) -> object:
    try:
        return LETTERS[answer] if type(answer) in (Card, Color, bool) else ("odd", _repr(answer))
    except (TypeError, KeyError):
        return "odd", _repr(answer)


def _repr(answer: object) -> str:
    """Return the start of a value's `repr`, even if the `repr` raises."""
    try:
        return repr(answer)[:LONGEST_ANSWER]
    except Exception:
        return f"a {type(answer).__name__}"


def _error_data(error: BaseException) -> ErrorData:
    return {"raised": type(error).__name__, "text": _repr(error_message(error))[1:-1], "place": None}


def main(connection: runner.Channel) -> None:
    """Load the requested bot and answer questions until the end.

    First send None, or an error if loading failed.
    """
    request = bot_request_of(connection.receive())
    random.seed(request.chance)
    heed_alarms()
    names = load_bot(request)
    connection.send(json.dumps(None if isinstance(names, Bot) else names).encode())
    while isinstance(names, Bot):
        questions = map(question_in, json.loads(connection.receive()))
        answers = [answer_out(names, *question, request.answer_seconds) for question in questions]
        connection.send(json.dumps(answers).encode())


def load_bot(request: BotRequest) -> Bot | tuple[str, ErrorData]:
    """Return the requested bot, or the error: the label of its definition ("" for the search), and the exception."""
    bench = runner.Bench(bots, request.setup)
    troubles: list[tuple[str, ErrorData]] = bench.load(request.setup)["helpers"]
    try:
        with cpu_limit(request.setup.seconds):
            return find_bot(bench.learner, request.bot)
    except BaseException as error:
        return (*troubles, ("", _error_data(error)))[0]


def find_bot(names: Names, wanted: str) -> Bot:
    """Return the bot named `wanted`, or the only bot of the file if that is "". Raises LookupError if there is none."""
    if wanted and callable(names.get(wanted)):
        return _made_by(names[wanted])
    for name in (wanted, f"{wanted}_player") if wanted else ("bot",):
        if isinstance(names.get(name), Bot):
            return names[name]
    functions = [names.get(f"{wanted}_{question}".lstrip("_")) for question in QUESTION_KINDS]
    if all(map(callable, functions)):
        return Bot(wanted or "bot", *functions)  # type: ignore[arg-type]
    if not wanted and callable(names.get("champion")):
        return _made_by(names["champion"])
    raise LookupError(f"there is no bot {wanted} in it" if wanted else "it has no `bot`, `play_card` or `champion`")


def _made_by(champion: Any) -> Bot:
    """Return the bot that a function such as `champion` returns."""
    bot = champion()
    if type(bot) is not Bot:
        raise TypeError(f"returned {_repr(bot)}, which is not a Bot")
    return bot
