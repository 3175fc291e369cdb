"""Games played by ear: the text for screen readers is enough to follow a game, and to play it to its end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from course.dominoes import Chain
from course.sedma import PIQUET_DECK
from course.show.pictures import picture_name
from course.tables import basra_table, domino_table, sedma_table, uno_table, watch_set
from course.tables.scene import CHOOSABLE
from course.tables.table import GameTable
from solutions import basra, bots, dominoes, sedma, uno

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
    return next(each["do"] for each in controls if each["l"].partition(CHOOSABLE)[0] == offered[-1])


def ends_are_spoken(table: GameTable[Any], spoken: list[str]) -> None:
    chain = table.state.chain
    if isinstance(chain, Chain):
        assert re.findall(r"Ends: (\d) and (\d)\.", spoken[-1]) == [(str(chain.left), str(chain.right))]


@pytest.mark.parametrize("seed", range(3))
def test_dominoes_can_be_followed_by_ear(seed: int) -> None:
    table = domino_table("HBB", names=vars(dominoes), seed=seed)
    begun = {player.number: len(hand) for player, hand in zip(table.state.players, table.state.hands, strict=True)}
    lines = " ".join(play_by_ear(table, ends_are_spoken))
    laid = Counter(re.findall(r"Player (\d) \(\w+\) lays", lines))
    drawn = re.findall(r"Player (\d) \(\w+\) draws (\d)", lines)
    for player, hand in zip(table.state.players, table.state.hands, strict=True):
        gained = sum(int(count) for who, count in drawn if who == str(player.number))
        assert begun[player.number] - laid[str(player.number)] + gained == len(hand)
    assert table.state.over in lines


def top_is_spoken(table: GameTable[Any], spoken: list[str]) -> None:
    assert picture_name(table.state.desk.pile[0]) in " ".join(spoken[-len(table.history) :]).lower()


@pytest.mark.parametrize("seed", range(3))
def test_uno_can_be_followed_by_ear(seed: int) -> None:
    table = uno_table(bots=3, names=vars(uno), seed=seed)
    begun = {player.name: len(player.cards) for player in table.state.desk.players}
    lines = play_by_ear(table, top_is_spoken)
    counts: Counter[str] = Counter(begun)
    for line in table_lines(lines, begun):
        mover = line.split()[0]
        counts[mover] -= bool(re.match(rf"{mover}( draws? \d+ and)? plays?", line))
        counts.update({who: int(count) for who, count in re.findall(r"(\w+) draws? (\d+)", line) if who in begun})
        counts[mover] += 4 * ("and draws 4" in line or "and draw 4" in line)
    assert {player.name: len(player.cards) for player in table.state.desk.players} == {n: counts[n] for n in begun}


def table_lines(spoken: list[str], names: dict[str, int]) -> list[str]:
    """Return the sentences about past moves. They begin with a name and a verb."""
    text = re.sub(r"fits\. You \w+[^.]*\.", "fits.", " ".join(spoken))
    return re.findall(rf"(?:(?<=\. )|^)(?:{'|'.join(names)}) (?:draws?|plays?|pass(?:es)?)\b[^.]*\.", text)


def test_every_card_of_sedma_is_spoken() -> None:
    table = sedma_table(names=vars(sedma), seed=5)
    played = re.findall(r"(?:You play|[BCD] plays) the ([\w ]+)\.", " ".join(play_by_ear(table)))
    assert sorted(played) == sorted(map(picture_name, PIQUET_DECK))


def test_basra_and_a_set_of_bots_are_spoken_to_the_end() -> None:
    lines = play_by_ear(basra_table(names=vars(basra), seed=7))
    assert all(re.search(r"On the floor: |The floor is empty\.", line) for line in lines[:5:2])
    assert "Your score: " in lines[-1]
    table = set_of_bots()
    table.receive(["run"], table.revision)
    moves = " ".join(play_by_ear(table))
    assert "asked" not in moves and re.search(r"\w+ plays the card it drew\.|\w+ plays \w+ \w+\.", moves)


def set_of_bots() -> GameTable[Any]:
    return watch_set(bots.smart_player, bots.stupid_player, names=vars(bots))


def moves_in(lines: list[str]) -> list[str]:
    """Return the moves of the bots that are spoken in these lines."""
    return re.findall(r"\w+Player (?:plays|calls|keeps|wins the set)[^.]*\.", " ".join(lines))


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


def test_looking_back_at_a_move_of_a_bot_speaks_it_once() -> None:
    table = set_of_bots()
    for action in (["next"], ["next"], ["next"], ["go", 2]):
        table.receive(action, table.revision)
    line = table.view()["spoken"]
    assert line.startswith("Looking back at move 2. ") and moves_in([line]) == statuses(table)[2:3]
