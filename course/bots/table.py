"""The table that shows a set between two bots: each question, the bot's view, and the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random, SystemRandom
from types import FunctionType
from typing import Any, TypeAlias

from course.arena.arena import Fault, SetResult
from course.arena.set import Question, answers_of, drive, set_steps
from course.arena.values import DECK, RED, ROLLS, Bot, Card, Color, View
from course.bots.pictures import bots_card_code
from course.show.blocks import cut
from course.tables.making import (
    NARROW,
    WIDE,
    Action,
    GameRules,
    GameTable,
    Item,
    Learner,
    Names,
    Room,
    SceneView,
    UnitGame,
    button,
    item,
    picture_name,
    row,
    value,
    words,
)
from course.tables.picking import PickingState, short_repr, value_item

__all__ = ["try_view", "watch_set"]
HEIGHT, HANDS, LABELS, MIDDLE = 500, (436, 64), (366, 134), 246
ANSWER_WIDTHS = {WIDE: 90, NARROW: 36}
COLUMN_POSITIONS = {WIDE: (160, 400, 500, 620, 740), NARROW: (110, 262, 345, 440, 468)}
AnsweredQuestion: TypeAlias = tuple[int, Question, View, object]


@value
class ShownSet:
    """A finished set, and the number of questions that the table has shown so far."""

    bots: tuple[Bot, ...]
    questions: tuple[AnsweredQuestion, ...]
    result: SetResult
    number: int = 0
    runs: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the bots."""
        return tuple(bot.name for bot in self.bots)

    @property
    def is_over(self) -> bool:
        """Return whether all questions have been shown."""
        return self.number == len(self.questions)


def watch_set(
    first: Bot | str = "smart_player",
    second: Bot | str = "stupid_player",
    *,
    seed: int = 1,
    pace: float = 0.9,
    names: Names | None = None,
) -> GameTable[ShownSet]:
    """Return a table that shows a set between two bots card by card, with each bot's view.

    `first` and `second` are bots, or names of exercises that are bots or return a bot.
    """

    def start(learner: Learner, seed: int) -> ShownSet:
        return play_shown_set((_bot_at_seat(learner, first), _bot_at_seat(learner, second)), seed - 1)

    needs = tuple(seat for seat in (first, second) if isinstance(seat, str))
    rules = GameRules("A set between two bots", "bots", needs, start, act, view, pace, ["answer"])
    return GameTable(rules, names, seed)


def _bot_at_seat(learner: Learner, seat: Any) -> Bot:
    name = getattr(seat, "__name__", seat)  # of a function that returns a bot
    bot = learner.names[name] if isinstance(name, str) else seat
    return learner.call(name) if isinstance(bot, FunctionType) else bot


def play_shown_set(bots: tuple[Bot, Bot], seed: int) -> ShownSet:
    """Play a set between two bots, and return the set with each question, view and answer."""
    questions: list[AnsweredQuestion] = []
    ask = answers_of(bots)

    def ask_and_record(player: int, question: Question, sight: View) -> object:
        answer = ask(player, question, sight)
        questions.append((player, question, sight, answer))
        return answer

    result = drive(set_steps(2, seed), ask_and_record)
    return ShownSet(bots, tuple(questions), result)


def act(_: Learner, show: ShownSet, action: Action) -> ShownSet:
    """Return the show after a click or a tick of the clock.

    A click or a tick can show the next question, or start or stop the show. The action `answer` does not change the
    show. This action asks the bot the shown question again, so that the call of the bot's function can be recorded.
    """
    match action:
        case ["tick"] | ["next"] if not show.is_over:
            further = replace(show, number=show.number + 1)
            return replace(further, runs=further.runs and not further.is_over)
        case ["run"]:
            return replace(show, runs=True)
        case ["stop"]:
            return replace(show, runs=False)
        case ["answer"]:
            player, question, sight = _current_question(show)[:3]
            getattr(show.bots[player], question)(sight)
    return show


def _current_question(show: ShownSet) -> AnsweredQuestion:
    """Return the question that is shown; after the set, the last one."""
    return show.questions[min(show.number, len(show.questions) - 1)]


def view(show: ShownSet, room: Room) -> SceneView:
    """Return the view of the current question and its answer. The newest entry of the log describes this answer."""
    foul = show.result.foul if show.is_over else None
    another = button("Another set", ["new"], strong=show.is_over)
    run = button("Stop", ["stop"]) if show.runs else button("Watch", ["run"], strong=True)
    return {
        "h": HEIGHT,
        "items": [*_hand_items(show, room), *_middle_items(show, room)],
        "status": _status_line(show, show.number),
        "bar": [another] if show.is_over else [run, button("Next", ["next"]), another],
        "log": [_status_line(show, number) for number in range(show.number, max(show.number - 10, -1), -1)],
        "over": show.is_over,
        "wait": show.runs,
    } | ({"note": {"bad": True, "text": "The bot broke a rule or failed.", "code": foul.reason}} if foul else {})


def _status_line(show: ShownSet, number: int) -> str:
    """Return what the table says at a moment: the move that is shown, or the result of the set."""
    result = show.result
    if number == len(show.questions) and result.foul:
        return f"{show.names[result.foul.player]} commits a foul, and loses the set."
    if number == len(show.questions):
        won = "Nobody" if result.winner is None else show.names[result.winner]
        return f"{won} wins the set and {result.points} points, in {result.turns} turns."
    player, question, sight, answer = show.questions[number]
    match question, answer:
        case "play_drawn", bool():
            move = f"{'plays' if answer else 'keeps'} the card it drew"
            move += f", {picture_name(sight.drawn)}" if sight.drawn else ""
        case "choose_color", Color():
            move = f"chooses {answer.name.lower()}"
        case _, Card():
            move = f"plays {picture_name(answer)}"
        case _, Fault(reason):
            move = reason
        case _:
            move = f"plays {repr(answer)[:60]}"
    return f"{show.names[player]} {move}."


def _hand_items(show: ShownSet, room: Room) -> Iterator[Item]:
    """Yield the bots' names, the hand of the bot that is asked, and the backs of the other bot's cards."""
    player, _, sight, answer = _current_question(show)
    for seat, (name, y) in enumerate(zip(show.names, LABELS, strict=True)):
        label = f"▸ {name} sees" if seat == player and not show.is_over else name
        yield words(f"n{seat}", label, room.middle, y, "bold gold" if seat == player else "bold")
    hand = sorted(sight.hand, key=lambda card: (card.color is None, card.color.value if card.color else 0, card.value))
    visited: dict[str, int] = {}
    width = room.width - 100
    for card, x in zip(hand, row(len(hand), room.middle, width, 74), strict=True):
        code = bots_card_code(card)
        visited[code] = visited.get(code, 0) + 1
        look = {"c": "glow"} if card == answer and visited[code] == 1 else {}
        yield item(f"{player}{code}.{visited[code]}", f"uno:{code}", x, HANDS[player], picture_name(card), **look)
    other, count = 1 - player, sight.counts[1]
    for n, x in enumerate(row(count, room.middle, width, 40)):
        yield item(f"{other}back{n}", "uno:back", x, HANDS[other], f"{count} cards" if n == 0 else "", z=0.8)


def _middle_items(show: ShownSet, room: Room) -> Iterator[Item]:
    """Yield the top card, the color to follow, a drawn card, a called color, and what else the bot knows.

    The roll is left out: it is a random number up to 27719, and only the steps of the bot's function show its use.
    """
    _, question, sight, answer = _current_question(show)
    facts_x, top_x, color_x, drawn_x, called_x = COLUMN_POSITIONS[room]
    yield item("top", f"uno:{bots_card_code(sight.top)}", top_x, MIDDLE, f"on the pile: {picture_name(sight.top)}")
    color = sight.color.name.lower()
    yield item("color", f"color:{sight.color.name[0]}", color_x, MIDDLE, f"color to follow: {color}", z=0.8)
    yield words("follow", color, color_x, MIDDLE + 44, "small")
    own, other = sight.counts
    way = "clockwise" if sight.direction == 1 else "counterclockwise"
    for n, fact in enumerate((f"{own} card{'s' * (own != 1)} against {other}", "direction:", way)):
        yield words(f"fact{n}", fact, facts_x, MIDDLE - 28 + 28 * n)
    if sight.drawn is not None:
        look = {"c": "glow"} if answer is True else {}
        label = f"drawn: {picture_name(sight.drawn)}"
        yield item("drawn", f"uno:{bots_card_code(sight.drawn)}", drawn_x, MIDDLE, label, None, **look)
        yield words("drawn?", "drawn: played" if answer is True else "drawn: kept", drawn_x, MIDDLE + 68, "small")
    if question == "choose_color" and isinstance(answer, Color):
        yield item("called", f"color:{answer.name[0]}", called_x, MIDDLE, f"chosen: {answer.name.lower()}")
        yield words("called?", f"chooses {answer.name.lower()}", called_x, MIDDLE + 48, "bold")


# ---------------------------------------------------------------------------------------------------- trying a function


def try_view(
    *functions: Callable[[View], object] | str, seed: int = 1, names: Names | None = None
) -> GameTable[PickingState[Card]]:
    """Return a table that shows a bot's view, and the result of each function for this view.

    Instead of a function, you can also pass its name.
    """

    def start(learner: Learner, seed: int) -> PickingState[Card]:
        random = Random(seed)
        *hand, top = random.sample(DECK, 8)
        while top.color is None:
            top = random.choice(DECK)
        mine = tuple(card for card in hand if card.color is top.color) or (Card(top.color, 5),)
        cards = (*mine, *(card for card in hand if card not in mine))[:7]
        counts = len(cards), random.randint(1, 9)
        sight = View(cards, top, top.color or RED, counts, 1, random.randrange(ROLLS))
        return PickingState(seed, cards, answer=(sight, tuple(learner.call(name, sight) for name in needs)))

    def view(picking: PickingState[Card], room: Room) -> SceneView:
        sight, answers = picking.answer
        color, (own, other), y = sight.color.name, sight.counts, 240 + 30 * len(answers)
        first = next((answer for answer in answers if answer), ())  # a card, or a tuple of cards
        glowing = (first,) if isinstance(first, Card) else first if isinstance(first, tuple) else ()
        items = [value_item("top", sight.top, 120, 76)]
        items.append(item("color", f"color:{color[0]}", 215, 76, f"color to follow: {color.lower()}", z=0.8))
        items.append(words("counts", f"my cards: {own}, the next player's cards: {other}", 20, 152, "start"))
        for n, (card, x) in enumerate(zip(sight.hand, row(own, room.middle, room.width - 90, 80), strict=True)):
            items.append(value_item(f"h{n}", card, x, y, c="glow" if card in glowing else ""))
        for n, (name, answer) in enumerate(zip(needs, answers, strict=True)):
            line = cut(f"{name}: {short_repr(answer)}", ANSWER_WIDTHS[room])
            items.append(words(f"a{n}", line, 20, 190 + 30 * n, "start"))
        status = "One of the bot's functions returned the glowing card." if glowing else "This is what the bot sees."
        return {"h": y + 62, "items": items, "status": status, "bar": [button("Another view", ["new"], strong=True)]}

    needs = tuple(each if isinstance(each, str) else each.__name__ for each in functions)
    game = GameRules("What a bot sees", "bots", needs, start, lambda _, picking, __: picking, view)
    return GameTable(game, names, seed)


GAME = UnitGame(
    "A set between two bots",
    record=lambda names, seed: watch_set(names=names, seed=seed),
    drive=lambda table: ["next"],
    play=lambda names: watch_set(seed=SystemRandom().getrandbits(32), names=names),
)
