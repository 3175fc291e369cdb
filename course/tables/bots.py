"""The window on a set between two bots: who was asked what, what they saw, and what they answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FunctionType
from typing import Any, TypeAlias

from course.arena.set import Question, answers_of, drive, set_steps
from course.arena.values import Bot, Card, Color, Fault, Hand, SetResult, View
from course.show.pictures import bots_code
from course.show.spoken import spoken
from course.tables.learner import Learner, LearnerFault, guarded
from course.tables.scene import Action, Item, Room, SceneView, button, item, row, words
from course.tables.table import GameRules, GameTable
from course.values import TODO, value

HEIGHT, HANDS = 560, (485, 75)
Seat: TypeAlias = Bot | Callable[[], Bot]
AskedBot: TypeAlias = tuple[int, Question, View, Any]
QUESTIONS = {"play_card": "which card to play", "play_drawn": "whether to play the card drawn"} | {
    "choose_color": "which colour to call"
}


@value
class Show:
    """A whole set, and how far it has been watched."""

    names: tuple[str, ...]
    asked: tuple[AskedBot, ...]
    result: SetResult
    number: int = 0
    runs: bool = False

    @property
    def is_over(self) -> bool:
        """Return whether all has been watched."""
        return self.number == len(self.asked)


def watch_set(
    first: Seat, second: Seat, *, seed: int = 1, pace: float = 0.9, names: dict[str, Any] | None = None
) -> GameTable[Show]:
    """Return a table on which a set between two bots is watched card by card, with what each of them saw.

    A seat may be taken by the function that gives the bot: the table is closed as long as that isn't written.
    """

    def start(learner: Learner, seed: int) -> Show:
        return played((_seated(learner, first), _seated(learner, second)), seed - 1)

    return GameTable(GameRules("A set between two bots", "bots", (), start, act, view, ART, pace), names, seed)


def _seated(learner: Learner, seat: Any) -> Bot:
    if seat is TODO:
        raise LearnerFault("watch_set(…)", "a bot was not written yet when you ran this cell: run the cell again")
    return guarded(learner.now(seat), seat.__name__, ()) if isinstance(seat, FunctionType) else seat


def played(bots: tuple[Bot, Bot], seed: int) -> Show:
    """Return the set that two bots play, with every question, what was seen, and the answer."""
    asked: list[AskedBot] = []
    ask = answers_of(bots)

    def answers(player: int, question: Question, sight: View) -> Any:
        answer = ask(player, question, sight)
        asked.append((player, question, sight, answer))
        return answer

    result = drive(set_steps(2, seed), answers)
    return Show(tuple(bot.name for bot in bots), tuple(asked), result)


def act(_: Learner, show: Show, action: Action) -> Show:
    """Return the set one question further, or running, or stopped."""
    match action:
        case ["tick"] | ["next"] if not show.is_over:
            further = replace(show, number=show.number + 1)
            return replace(further, runs=further.runs and not further.is_over)
        case ["run"]:
            return replace(show, runs=True)
        case ["stop"]:
            return replace(show, runs=False)
    return show


def name_of(card: Card) -> str:
    """Return a card in words."""
    return spoken(f"uno:{bots_code(card)}")


def view(show: Show, room: Room) -> SceneView:
    """Return what was seen at the moment that is watched, and what was answered."""
    shown: SceneView = {"h": HEIGHT, "items": [], "status": _status(show), "bar": _bar(show), "log": _log(show)}
    if not show.is_over:
        player, question, sight, answer = show.asked[show.number]
        hands, middle = _hands(player, sight, answer, room), _middle(sight, question, answer, room)
        shown["items"] = [*_labels(show, player, room), *hands, *middle]
    else:
        shown["items"] = [words("over", _status(show), room.middle, 280, "bold gold")]
    if show.is_over and show.result.foul:
        shown["note"] = {"bad": True, "text": "A foul ends the set.", "code": show.result.foul.reason}
    return shown | ({"wait": True} if show.runs else {})


def _bar(show: Show) -> list[dict[str, Any]]:
    if show.is_over:
        return [button("Another set", ["new"])]
    run = button("Stop", ["stop"]) if show.runs else button("Watch", ["run"], strong=True)
    return [run, button("Next", ["next"]), button("Another set", ["new"])]


def _status(show: Show) -> str:
    result = show.result
    if show.is_over:
        won = "Nobody" if result.winner is None else show.names[result.winner]
        return f"{won} wins the set and {result.points} points, in {result.turns} turns."
    return f"{_said(show, show.number)}."


def _said(show: Show, number: int) -> str:
    player, question, _, answer = show.asked[number]
    return f"{show.names[player]} is asked {QUESTIONS[question]}: {answer_text(answer)}"


def answer_text(answer: Any) -> str:
    """Return an answer in words."""
    match answer:
        case Card():
            return name_of(answer)
        case Color():
            return answer.name.lower()
        case bool():
            return "yes" if answer else "no"
        case Fault(reason):
            return reason
    return repr(answer)[:60]


def _log(show: Show) -> list[str]:
    return [f"{_said(show, number)}." for number in range(show.number - 1, max(show.number - 11, -1), -1)]


def _labels(show: Show, player: int, room: Room) -> Iterator[Item]:
    for seat, (name, y) in enumerate(zip(show.names, (412, 148), strict=True)):
        label = f"▸ {name} sees" if seat == player else name
        yield words(f"n{seat}", label, room.middle, y, "bold gold" if seat == player else "bold")


def _hands(player: int, sight: View, answer: Any, room: Room) -> Iterator[Item]:
    seen: dict[str, int] = {}
    width = room.width - 100
    for card, x in zip(_sorted(sight.hand), row(len(sight.hand), room.middle, width, 74), strict=True):
        code = bots_code(card)
        seen[code] = seen.get(code, 0) + 1
        look = {"c": "glow"} if card == answer and seen[code] == 1 else {}
        yield item(f"{player}{code}.{seen[code]}", f"uno:{code}", x, HANDS[player], name_of(card), **look)
    other = 1 - player
    for n, x in enumerate(row(sight.counts[1], room.middle, width, 40)):
        yield item(f"{other}back{n}", "uno:back", x, HANDS[other], f"{sight.counts[1]} cards" if n == 0 else "", z=0.8)


def _sorted(hand: Hand) -> list[Card]:
    return sorted(hand, key=lambda card: (card.color is None, card.color.value if card.color else 0, card.value))


def _middle(sight: View, question: Question, answer: Any, room: Room) -> Iterator[Item]:
    at = room.x
    yield item("top", f"uno:{bots_code(sight.top)}", at(400), 280, f"on the pile: {name_of(sight.top)}")
    yield item("color", f"color:{sight.color.name[0]}", at(500), 280, f"to follow: {sight.color.name.lower()}", z=0.8)
    yield words("follow", sight.color.name.lower(), at(500), 322, "small")
    facts = f"cards: {', '.join(map(str, sight.counts))}", f"direction: {sight.direction}", f"roll: {sight.roll}"
    for n, fact in enumerate(facts):
        yield words(f"fact{n}", fact, at(160), 256 + 24 * n)
    if sight.drawn is not None:
        look = {"c": "glow"} if answer is True else {}
        label = f"drawn: {name_of(sight.drawn)}"
        yield item("drawn", f"uno:{bots_code(sight.drawn)}", at(620), 280, label, None, **look)
        yield words("drawn?", "drawn: played" if answer is True else "drawn: kept", at(620), 346, "small")
    if question == "choose_color" and isinstance(answer, Color):
        yield item("called", f"color:{answer.name[0]}", at(740), 280, f"called: {answer.name.lower()}")
        yield words("called?", f"calls {answer.name.lower()}", at(740), 326, "bold")


CODES = ("W", "F", "back", *(f"{hue}{sign}" for hue in "RBGY" for sign in "0123456789RSD"))
ART = (*(f"uno:{code}" for code in CODES), *(f"color:{hue}" for hue in "RBGY"))
