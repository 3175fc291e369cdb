"""The type `Arena`, which describes a game for bots, and the functions that play sets and games in any arena.

A set is a *stepper*: a generator that yields a player, a question and a view, receives the answer, and returns a
`SetResult`. So the same rules work for bots in this process, for bots in other processes, and for many sets at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count, islice
from operator import attrgetter
from random import Random
from typing import TypeAlias, TypeVar

from course.values import TODO, value

__all__ = [
    "Answers",
    "Arena",
    "Codec",
    "Fault",
    "Foul",
    "Game",
    "Illegal",
    "Seeds",
    "SetResult",
    "Steps",
    "answers_of",
    "drive",
    "game_seeds",
    "illegal_answer",
    "next_step",
    "run_game",
    "seeds_from",
]  # fmt: skip

Q = TypeVar("Q", bound=str)
V = TypeVar("V")
Seeds: TypeAlias = tuple[int, ...]
"""seeds of random numbers: the same seed gives the same game"""
ANSWER_TEXT_LENGTH = 80


@value
class Fault:
    """The reason why a bot gave no answer. The rules get the `Fault` instead of an answer."""

    reason: str


@value
class Foul:
    """A disqualification: the player, and the reason."""

    player: int
    reason: str


@value
class SetResult:
    """The result of a set: its winner (None after a foul or at the turn limit), its points, and the number of turns."""

    winner: int | None
    points: int = 1
    turns: int = 0
    foul: Foul | None = None


@value
class Game:
    """A game's winner (None if undecided), the winner of each set, all players' points after each set, and fouls."""

    winner: int | None
    set_winners: tuple[int | None, ...]
    scores: tuple[tuple[int, ...], ...]
    fouls: tuple[Foul, ...] = ()


Steps: TypeAlias = Generator[tuple[int, Q, V], object, SetResult]
Answers: TypeAlias = Callable[[int, Q, V], object]


class Illegal(Exception):
    """Raised by the rules of a set, for an answer that breaks a rule. The exception's text says what the bot did."""


@dataclass(frozen=True)
class Codec:
    """Functions that write questions and answers as JSON, and read this JSON.

    The process that runs the rules and the process of a bot send each other questions and answers as JSON.
    """

    encode_question: Callable[[str, object], object]
    """Returns the JSON data of a question and its view."""
    decode_question: Callable[[object], tuple[str, object]]
    """Returns the question and the view in JSON data."""
    encode_answer: Callable[[object], object]
    """Returns the JSON data of a bot's answer. Raises an exception if the bot returned no valid answer."""
    decode_answer: Callable[[object], object]
    """Returns the answer in JSON data. Raises an exception if the data contain none, since a bot may send anything."""


@dataclass(frozen=True)
class Arena:
    """A game for the bots of a unit: all facts that contests and tournaments need."""

    title: str
    """The name of the game."""
    questions: tuple[str, ...]
    """The names of the questions that a bot is asked. They are names of functions, each from a view to an answer."""
    steps: Callable[[int, int, int], Steps[str, object]]
    """The rules: a function that returns the stepper of a set. Its arguments are the number of players, a seed, and the
    index of the player who begins.
    """
    bot: type | None = None
    """The class of bots, made from a name and a function for each question. Without a class, there is only one
    question, and a bot is the function that answers it.
    """
    references: Mapping[str, str] = field(default_factory=dict)
    """The bots that the command line can name. The value for a name is the exercise whose reference is this bot."""
    bots: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The bots of a notebook, the best one first, each with the exercises that must be written for it."""
    target: int = 1
    """The number of points that ends a game."""
    sets: int = 1
    """The largest number of sets in a game. Sets with a foul do not count."""
    codec: Codec | None = None
    """The format of questions and answers. The default, for all values that exams can compare, is slower."""

    def bot_of(self, thing: object) -> object:
        """Return `thing` if it is a bot. If `thing` is a function, return the result of calling it.

        Raises TypeError if neither `thing` nor its result is a bot.
        """
        if self.bot is None:
            return thing
        made = thing() if callable(thing) and not isinstance(thing, self.bot) else thing
        if type(made) is not self.bot:
            raise TypeError(f"returned {short_text(repr, made)}, which is not a {self.bot.__name__}")
        return made


def short_text(text_of: Callable[[object], str], thing: object, longest: int = ANSWER_TEXT_LENGTH) -> str:
    """Return a short text for a bot's value; `text_of` is `repr` or `str`.

    If `text_of` raises an exception, the text is the name of the value's type.
    """
    try:
        text = text_of(thing)[:longest]
        return text if text.isprintable() else repr(text)[1:-1]
    except Exception:
        return f"a {type(thing).__name__}"


def illegal_answer(answer: object, trouble: str) -> Illegal:
    """Return the exception for an answer that breaks a rule.

    >>> raise illegal_answer("red", "but the answer must be a color")
    Traceback (most recent call last):
    course.arena.arena.Illegal: answered 'red', but the answer must be a color
    """
    return Illegal(f"answered {short_text(repr, answer)}, {trouble}")


# ------------------------------------------------------------------------------------------------ sets and games


def next_step(steps: Steps[Q, V], player: int = 0, answer: object = None) -> tuple[int, Q, V] | SetResult:
    """Send the answer of `player` to a set's generator. Return the next question of the set, or the set's result.

    If the answer breaks a rule, or is a `Fault`, the player commits a foul, which ends the set.
    """
    try:
        return steps.throw(Illegal(answer.reason)) if type(answer) is Fault else steps.send(answer)
    except StopIteration as end:
        result: SetResult = end.value
        return result
    except Illegal as error:
        return SetResult(None, 0, 0, Foul(player, str(error)))


def drive(steps: Steps[Q, V], answers: Answers[Q, V]) -> SetResult:
    """Play a set and return its result. `answers(player, question, view)` returns a player's answer."""
    now = next_step(steps)
    while not isinstance(now, SetResult):
        now = next_step(steps, now[0], answers(*now))
    return now


def answers_of(bots: Sequence[object]) -> Answers[str, object]:
    """Return a function that asks bots in this process for their answers.

    If a bot raises an exception, the function returns a `Fault`.
    """

    def ask(player: int, question: str, view: object) -> object:
        try:
            return function_for(bots[player], question)(view)
        except (Exception, SystemExit) as error:
            return Fault(f"raised {type(error).__name__}: {short_text(str, error)}")

    return ask


def function_for(bot: object, question: str) -> Callable[[object], object]:
    """Return a bot's function for a question: its attribute with the question's name, or else the bot itself."""
    function = getattr(bot, question, bot)
    assert callable(function)
    return function


def name_of_bot(bot: object) -> str:
    """Return a bot's name: its attribute `name`, or the name of the function.

    Raises AttributeError for a bot that is not written yet, so that no tournament starts with such a bot.
    """
    if bot is TODO:
        return str(attrgetter("name")(bot))  # raises the error for which cells show one line
    return str(getattr(bot, "name", getattr(bot, "__name__", "bot")))


def run_game(arena: Arena, players: int, seed: int, answers: Answers[str, object]) -> Game:
    """Play sets until a player has enough points, and return the game. The players take turns to begin a set.

    A set with a foul does not count, and the player who committed the foul leaves the game. If only one player is left,
    this player wins.
    """
    seats, total, winners, scores, fouls = list(range(players)), [0] * players, [], [], list[Foul]()
    for number, set_seed in zip(count(), seeds_from(seed)):
        if number >= arena.sets + len(fouls):
            break
        steps = arena.steps(len(seats), set_seed, number % len(seats))
        result = drive(steps, lambda seat, question, view: answers(seats[seat], question, view))
        winners.append(None if result.winner is None else seats[result.winner])
        if winners[-1] is not None:
            total[winners[-1]] += result.points
        scores.append(tuple(total))
        if result.foul:
            fouls.append(Foul(seats.pop(result.foul.player), result.foul.reason))
        if len(seats) == 1 or max(total) >= arena.target:
            return Game(seats[0] if len(seats) == 1 else winners[-1], tuple(winners), tuple(scores), tuple(fouls))
    return Game(None, tuple(winners), tuple(scores), tuple(fouls))


def random_stream(seed: int, purpose: str) -> Random:
    """Return a random number generator for a purpose, which depends only on `seed` and `purpose`.

    The random numbers for one purpose do not reveal the random numbers for another purpose.

    >>> random_stream(1, "cards").random() == random_stream(1, "cards").random() != random_stream(1, "rolls").random()
    True
    """
    return Random(sha256(f"{purpose} {seed}".encode()).digest())


def seeds_from(seed: int) -> Iterator[int]:
    """Yield an endless series of seeds, which depends only on `seed`."""
    bits = random_stream(seed, "seeds").getrandbits
    while True:
        yield bits(62)


def game_seeds(seed: int, games: int) -> Seeds:
    """Return the seeds of a tournament's games. A longer tournament begins with the seeds of a shorter one.

    >>> game_seeds(1, 3) == game_seeds(1, 5)[:3]
    True
    """
    return tuple(islice(seeds_from(seed), games))
