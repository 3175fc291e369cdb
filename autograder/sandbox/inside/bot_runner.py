"""Run one bot in a child process. The bot receives questions, each with the view of its player, and answers them.

A reply is a list: ["is", the answer], ["odd", the repr of a value that is no answer], ["raised", the exception], or
["late"]. Questions are sent in lists, because many sets may be played at the same time. The rules of the game run in
another process.
"""

from __future__ import annotations

import json
import random
from importlib import import_module
from typing import Any

from course.arena.arena import Arena, Codec, function_for, short_text
from course.exam.calls import Names
from course.exam.observing import ErrorData, TimeUp, error_message, wire_of_module
from course.exam.wire import Tree, Wire, WireError, is_within_limits

from . import runner
from .frames import Connection
from .orders import BotRequest, unpacked_request
from .tickers import cpu_limit, enable_cpu_limits

REPLY_TEXT_LENGTH = 800


def is_plain_data(tree: Tree) -> bool:
    """Return whether a JSON tree encodes plain data, without functions, iterators or parts that cannot be sent.

    >>> is_plain_data(["t", 1, ["d", ["f", 2]]]), is_plain_data(["t", 1, ["f", "flip"]])
    (True, False)
    """
    match tree:
        case ["?" | "f" | "iter", *_]:
            return False
        case ["d", *pairs]:
            return all(is_plain_data(part) for pair in pairs if isinstance(pair, list) for part in pair)
    return not isinstance(tree, list) or all(map(is_plain_data, tree))


def codec_of(arena: Arena, wire: Wire) -> Codec:
    """Return the arena's codec for questions and answers, or else a codec for all values that exams can compare."""

    def encode_answer(answer: object) -> object:
        tree = wire.encode(answer)
        if not is_plain_data(tree):
            raise WireError("not a value")
        return tree

    def decode_answer(tree: Tree) -> object:
        if not is_within_limits(tree) or not is_plain_data(tree):
            raise WireError("not a value")
        return wire.decode(tree)

    def decode_question(data: Any) -> tuple[str, object]:
        return arena.questions[data[0]], wire.decode(data[1])

    return arena.codec or Codec(
        lambda question, view: (arena.questions.index(question), wire.encode(view)),
        decode_question,
        encode_answer,
        decode_answer,
    )


def reply_of(bot: object, codec: Codec, data: object, seconds: float) -> object:
    """Return the bot's reply to a question, as JSON data. The bot may use `seconds` of CPU time for its reply."""
    question, view = codec.decode_question(data)
    try:
        with cpu_limit(seconds):
            answer = function_for(bot, question)(view)
            try:
                return "is", codec.encode_answer(answer)
            except Exception:
                return "odd", short_text(repr, answer, REPLY_TEXT_LENGTH)
    except TimeUp:
        return ("late",)
    except BaseException as error:
        return "raised", _error_data(error)


def _error_data(error: BaseException) -> ErrorData:
    text = short_text(repr, error_message(error), REPLY_TEXT_LENGTH)[1:-1]
    return {"raised": type(error).__name__, "text": text, "place": None}


def main(connection: Connection) -> None:
    """Load the requested bot, and answer questions until the connection closes.

    Before the first question, send None if the bot was loaded. If the bot was not loaded, send the label of the
    definition that failed, and the exception. The label is "" if no bot was found.
    """
    request = unpacked_request(BotRequest, connection.receive())
    random.seed(request.chance)
    enable_cpu_limits()
    given, arena = import_module(request.given), import_module(request.arena).ARENA
    bench, bot, error = runner.AnswerObserver(given, request.setup), None, None
    troubles: list[tuple[str, ErrorData]] = bench.load(request.setup)["helpers"]
    try:
        with cpu_limit(request.setup.seconds):
            bot = find_bot(arena, bench.learner, request.bot)
    except BaseException as problem:
        error = (*troubles, ("", _error_data(problem)))[0]
    connection.send(json.dumps(error).encode())
    codec = codec_of(arena, wire_of_module(given))
    while error is None:
        questions = json.loads(connection.receive())
        replies = [reply_of(bot, codec, data, request.answer_seconds) for data in questions]
        connection.send(json.dumps(replies).encode())


def find_bot(arena: Arena, names: Names, wanted: str) -> object:
    """Return the bot of the exercise `wanted`, or the only bot of a file if `wanted` is "".

    Raises LookupError if there is no such bot.
    """
    if wanted and callable(names.get(wanted)):
        return arena.bot_of(names[wanted])
    named = names.get(wanted or "bot")
    if isinstance(named, arena.bot) if arena.bot else callable(named):
        return named
    functions = [names.get(f"{wanted}_{question}".lstrip("_")) for question in arena.questions]
    if all(map(callable, functions)):
        return arena.bot(wanted or "bot", *functions) if arena.bot else functions[0]
    makers = [] if wanted else [name for name, needed in arena.bots.items() if needed == (name,)]
    if maker := next((name for name in makers if callable(names.get(name))), None):
        return arena.bot_of(names[maker])
    *others, last = dict.fromkeys(f"`{name}`" for name in ("bot", arena.questions[0], *makers))
    raise LookupError(f"it has no {', '.join(others)} or {last}")
