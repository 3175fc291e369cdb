"""Games played in a browser from what is spoken: the live region and the names of controls, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import solutions.basra
import solutions.bots
import solutions.dominoes
import solutions.sedma
import solutions.uno
from course.basra import table as basra
from course.dominoes import Chain
from course.sedma import AC, BD
from course.show.pictures import picture_name, spoken
from course.tables import basra_table, domino_table, sedma_table, uno_table, watch_set
from course.tables.table import GameTable
from course.uno import Give
from tests.command import PATIENCE
from tests.stage import open_stage, show_table
from tests.test_screens import browser as browser  # the fixture

pytestmark = [pytest.mark.browser, pytest.mark.proof, pytest.mark.xdist_group("browser")]

LISTEN = """() => {
  const log = document.querySelector("[role=log]");
  window.spoken = [...log.children].map((line) => line.textContent);
  new MutationObserver((changes) => changes.forEach((change) => window.spoken.push(
    ...[...change.addedNodes].map((line) => line.textContent)))).observe(log, { childList: true });
}"""
OFFER, HOLD = r"Choose from: ([^.]+)\.", r"You (?:also )?hold ([^.]+)\."
BOT = solutions.bots.smart_player


def listed_in(pattern: str, line: str) -> list[str]:
    """Return the names that a sentence of a line lists."""
    sentence = re.search(pattern, line)
    return sentence[1].split(", ") if sentence else []


def press(page: Any, name: str) -> None:
    """Press the control whose name begins as it was spoken."""
    page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}\b")).first.focus()
    page.keyboard.press("Enter")


def play_by_words(page: Any, table: GameTable[Any]) -> Iterator[list[str]]:
    """Play the first choice until the game is over; yield all that was spoken whenever something is offered."""
    for _ in range(400):
        lines = page.evaluate("() => window.spoken")
        if offered := listed_in(OFFER, lines[-1]):
            yield lines
            if table.view()["over"]:
                return
            press(page, offered[0])
        page.wait_for_function("n => window.spoken.length > n", arg=len(lines), timeout=1000 * PATIENCE)
    raise AssertionError("the game does not end")


# ------------------------------------------------------------------------------- what is spoken, and what is true


def last(pattern: str, lines: list[str]) -> Any:
    """Return what a pattern matches last in all that was spoken."""
    return re.findall(pattern, " ".join(lines))[-1]


def held_cards(table: GameTable[Any], line: str) -> list[str]:
    """Return the cards that one holds, as a line names them, sorted."""
    buttons = [each["l"] for each in table.view()["bar"]]
    return sorted(name for name in listed_in(OFFER, line) + listed_in(HOLD, line) if name not in buttons)


def dominoes(table: GameTable[Any], lines: list[str]) -> None:
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
        assert f"Your score: {basra._score(game)}." in lines[-1]
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


def bots(table: GameTable[Any], lines: list[str]) -> None:
    if table.state.is_over:
        assert all(line in " ".join(lines) for line in table.view()["log"]) and "wins the set and" in lines[-1]


GAMES: dict[str, tuple[Callable[[], GameTable[Any]], Callable[[GameTable[Any], list[str]], None]]] = {
    "dominoes": (lambda: domino_table("HBB", names=vars(solutions.dominoes), seed=3, pace=0), dominoes),
    "dominoes, drawing": (lambda: domino_table("BHB", names=vars(solutions.dominoes), seed=9, pace=0), dominoes),
    "uno": (lambda: uno_table(bots=3, names=vars(solutions.uno), seed=2, pace=0), uno_game),
    "basra": (lambda: basra_table(names=vars(solutions.basra), seed=7), basra_game),
    "sedma": (lambda: sedma_table(names=vars(solutions.sedma), seed=5, pace=0), sedma_game),
    "bots": (lambda: watch_set(BOT, solutions.bots.stupid_player, names=vars(solutions.bots), pace=0), bots),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_to_its_end_from_what_is_spoken(browser: Any, name: str) -> None:
    make, assert_spoken = GAMES[name]
    page, table = open_stage(browser), make()
    show_table(page, table)
    page.evaluate(LISTEN)
    for lines in play_by_words(page, table):
        assert_spoken(table, lines)
    page.close()
