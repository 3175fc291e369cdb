"""Games played in a browser from what is spoken: the live region and the names of controls, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from course.tables.table import GameTable
from tests.command import PATIENCE
from tests.stage import open_stage, show_table
from tests.test_screens import browser as browser  # the fixture
from tests.test_speaking import GAMES, OFFER, listed_in

pytestmark = [pytest.mark.browser, pytest.mark.proof, pytest.mark.xdist_group("browser")]

LISTEN = """() => {
  const log = document.querySelector("[role=log]");
  window.spoken = [...log.children].map((line) => line.textContent);
  new MutationObserver((changes) => changes.forEach((change) => window.spoken.push(
    ...[...change.addedNodes].map((line) => line.textContent)))).observe(log, { childList: true });
}"""


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


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_to_its_end_from_what_is_spoken(browser: Any, name: str) -> None:
    make, assert_spoken = GAMES[name]
    page, table = open_stage(browser), make()
    show_table(page, table)
    page.evaluate(LISTEN)
    for lines in play_by_words(page, table):
        assert_spoken(table, lines)
    page.close()
