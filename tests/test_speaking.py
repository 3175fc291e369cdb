"""Games played by ear: the text for screen readers is enough to follow a game, and to play it to its end."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from course.basra import table as basra_rules
from course.dominoes import Chain
from course.sedma import AC, BD
from course.show.pictures import picture_name, spoken
from course.tables import basra_table, domino_table, sedma_table, uno_table, watch_set
from course.tables.scene import CHOICE_MARKER
from course.tables.table import GameTable
from course.uno import Give
from solutions import basra, bots, dominoes, sedma, uno

OFFER, HOLD = r"Choose from: ([^.]+)\.", r"You (?:also )?hold ([^.]+)\."
Check = Callable[[GameTable[Any], list[str]], None]


def play_by_ear(table: GameTable[Any], check: Check | None = None) -> list[str]:
    """Play the first possible action until the game is over, and return everything that was spoken."""
    spoken: list[str] = []
    for _ in range(400):
        view = table.view()
        if view["spoken"] and spoken[-1:] != [view["spoken"]]:
            spoken.append(view["spoken"])
        if view["over"]:
            return spoken
        if check and "wait" not in view:
            check(table, spoken)
        table.receive(["tick"] if "wait" in view else answer(table, spoken[-1]), table.revision)
    raise AssertionError("the game does not end")


def answer(table: GameTable[Any], line: str) -> Any:
    """Return the first action that a line offers by name."""
    view = table.view()
    offered = re.findall(r"Choose from: ([^,.]*)", line)
    controls = [each for each in (*view["items"], *view["bar"]) if "do" in each]
    return next(each["do"] for each in controls if each["l"].partition(CHOICE_MARKER)[0] == offered[-1])


def listed_in(pattern: str, line: str) -> list[str]:
    """Return the names that a sentence of a line lists."""
    sentence = re.search(pattern, line)
    return sentence[1].split(", ") if sentence else []


def set_of_bots() -> GameTable[Any]:
    return watch_set(bots.smart_player, bots.stupid_player, names=vars(bots), pace=0)


# ------------------------------------------------------------------------------- what is spoken, and what is true


def last(pattern: str, lines: list[str]) -> Any:
    """Return what a pattern matches last in all that was spoken."""
    return re.findall(pattern, " ".join(lines))[-1]


def held_cards(table: GameTable[Any], line: str) -> list[str]:
    """Return the cards that one holds, as a line names them, sorted."""
    buttons = [each["l"] for each in table.view()["bar"]]
    return sorted(name for name in listed_in(OFFER, line) + listed_in(HOLD, line) if name not in buttons)


def dominoes_game(table: GameTable[Any], lines: list[str]) -> None:
    game = table.state
    if isinstance(game.chain, Chain) and not game.over:
        assert last(r"Ends: (\d) and (\d)\.", lines) == (str(game.chain.left), str(game.chain.right))
    assert len(re.findall(r"Player \d \(\w+\) (?:lays|draws|passes)", " ".join(lines))) == game.number
    hands = {str(player.number): hand for player, hand in zip(game.players, game.hands, strict=True)}
    for number, count in re.findall(r"Player (\d) \(bot\): (\d+) tiles?", " ".join(lines))[-2:]:
        assert len(hands[number]) == int(count)
    if game.over:
        pips = {number: sum(tile.left + tile.right for tile in hand) for number, hand in hands.items()}
        counts = re.findall(r"Player (\d) \(\w+\): \d+ tiles?, (\d+) pips", lines[-1])
        assert {number: int(count) for number, count in counts} == pips
    elif game.question.kind != "end":
        assert held_cards(table, lines[-1]) == sorted(spoken(f"tile:{tile}") for tile in game.hand)


def uno_game(table: GameTable[Any], lines: list[str]) -> None:
    game, desk = table.state, table.state.desk
    assert last(r"(?:plays?|On the pile:) ([a-z ]+?)(?:,|\.| and chooses? )", lines) == picture_name(desk.pile[0])
    if isinstance(desk.state, Give) and not game.result and not game.picked:
        assert f"{desk.state.color.name.capitalize()} was chosen." in lines[-1]
    cards = {player.name: player.cards for player in desk.players}
    if game.result:
        assert dict(re.findall(r"(\w+): (\d+) points?", lines[-1])) == {k: str(v) for k, v in game.result[1]}
    elif not game.picked:
        counts = [(player.name, str(len(player.cards))) for player in desk.players[1:]]
        assert re.findall(r"(\w+): (\d+) cards?", lines[-1]) == counts[:: desk.direction.value]
        held = game.args.hand if game.args else cards["You"]
        assert held_cards(table, lines[-1]) == sorted(map(picture_name, held))


def basra_game(table: GameTable[Any], lines: list[str]) -> None:
    game = table.state
    floor = last(r"(?:On the floor: |The floor is (?!full))([^.]+)\.", lines)
    assert re.split(", | and ", floor) == ([*map(picture_name, game.floor)] or ["empty"])
    if game.over:
        assert f"Your score: {basra_rules._score(game)}." in lines[-1]
    else:
        assert held_cards(table, lines[-1]) == sorted(map(picture_name, game.hand))


def sedma_game(table: GameTable[Any], lines: list[str]) -> None:
    game = table.state
    if game.over:
        scores = {f"{team.name[0]} and {team.name[1]}": game.scores[n].points for n, team in enumerate((AC, BD))}
        assert dict(re.findall(r"(\w and \w): (\d+) points", lines[-1])) == {k: str(v) for k, v in scores.items()}
        return
    trick = re.split(r"Trick \d: ", " ".join(lines))[-1]
    assert re.findall(r"plays? the ([\w ]+)\.", trick) == [*map(picture_name, game.trick)]
    assert held_cards(table, lines[-1]) == sorted(map(picture_name, game.hands[0]))


def set_of_bots_game(table: GameTable[Any], lines: list[str]) -> None:
    if table.state.is_over:
        assert all(line in " ".join(lines) for line in table.view()["log"]) and "wins the set and" in lines[-1]


GAMES: dict[str, tuple[Callable[[], GameTable[Any]], Callable[[GameTable[Any], list[str]], None]]] = {
    "dominoes": (lambda: domino_table("HBB", names=vars(dominoes), seed=3, pace=0), dominoes_game),
    "dominoes, drawing": (lambda: domino_table("BHB", names=vars(dominoes), seed=9, pace=0), dominoes_game),
    "uno": (lambda: uno_table(bots=3, names=vars(uno), seed=2, pace=0), uno_game),
    "basra": (lambda: basra_table(names=vars(basra), seed=7), basra_game),
    "sedma": (lambda: sedma_table(names=vars(sedma), seed=5, pace=0), sedma_game),
    "bots": (set_of_bots, set_of_bots_game),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_can_be_followed_by_ear(name: str) -> None:
    make, assert_spoken = GAMES[name]
    table = make()
    if name == "bots":
        table.receive(["run"], table.revision)
    assert_spoken(table, play_by_ear(table, assert_spoken))


def moves_in(lines: list[str]) -> list[str]:
    """Return the moves of the bots that are spoken in these lines."""
    return re.findall(r"\w+Player (?:plays|chooses|keeps|wins the set)[^.]*\.", " ".join(lines))


def statuses(table: GameTable[Any]) -> list[str]:
    return [table.game.view(state, table.room)["status"] for state in table.history]


@pytest.mark.parametrize("changes", [(), ("run", "stop"), ("run", "run", "stop", "stop")])
def test_next_speaks_each_move_of_a_bot_once(changes: tuple[str, ...]) -> None:
    table, spoken = set_of_bots(), [""]
    while not table.view()["over"]:
        for action in (*changes, "next"):
            spoken.append(table.view()["spoken"])
            table.receive([action], table.revision)
    lines = [line for n, line in enumerate([*spoken, table.view()["spoken"]][1:]) if line != spoken[n]]
    assert moves_in(lines) == statuses(table)
