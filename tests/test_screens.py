"""Every game on a laptop and on a phone: all of it is visible, nothing is cut off, and nothing covers anything else."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autograder.report.render import result_of
from course.dominoes import Chain
from course.kernel import catalogue
from course.kernel.workspace import Workspace
from course.learner.progress import call_map_of, unit_progress
from course.show.results import LINES_OPEN
from course.tables import (
    basra_table,
    domino_table,
    fold_steps,
    sedma_table,
    try_capture,
    try_order,
    try_tile,
    try_trick,
    try_view,
    uno_table,
    watch_deal,
    watch_set,
)
from course.tables.game import next_action
from course.tables.table import GameTable
from course.warmup import HEARTS, Joker, Number
from solutions import basra, bots, dominoes, sedma, uno
from solutions.warmup import penalty
from tests.classroom import all_wrong, submission_of_wrong
from tests.grader import Grader
from tests.sample import as_proof, one_in
from tests.stage import QUIET, SIZES, open_questions, open_stage, redraw, show_table
from tests.test_speaking import GAMES as SPOKEN
from tests.test_speaking import OFFER, listed_in
from tests.units import mistakes_of, unit_names

pytestmark = pytest.mark.browser

BOTS = bots.smart_player, bots.stupid_player
GAMES: dict[str, Callable[[], GameTable[Any]]] = {
    "dominoes": lambda: domino_table("HBB", names=vars(dominoes), seed=5, pace=60),
    "four at dominoes": lambda: domino_table("HBBB", names=vars(dominoes), seed=2, pace=60),
    "uno": lambda: uno_table(bots=3, names=vars(uno), seed=2, pace=60),
    "ten at uno": lambda: uno_table(bots=9, names=vars(uno), seed=1, pace=60),
    "basra": lambda: basra_table(names=vars(basra), seed=7),
    "sedma": lambda: sedma_table(names=vars(sedma), seed=5, pace=60),
    "bots": lambda: watch_set(*BOTS, names=vars(bots), pace=60),
    "a fold": lambda: fold_steps(lambda total, card: total + penalty(card), 0, (Number(3, HEARTS), Joker()), names={}),
    "a tile": lambda: try_tile(Chain(6, "6-1 1-5", 5), names=vars(dominoes)),
    "a trick": lambda: seeded(try_trick(names=vars(sedma))),
    "a capture": lambda: seeded(try_capture(names=vars(basra))),
    "an order": lambda: seeded(try_order(names=vars(uno))),
    "a deal": lambda: seeded(watch_deal(names=vars(uno))),
    "a view": lambda: seeded(try_view("playable_cards", "follow_color", names=vars(bots))),
}
BOXES = """() => {
  const root = document.querySelector(".foldem"), svg = root.querySelector(".foldem-scene");
  const pane = document.querySelector(".jp-WindowedPanel-outer");
  const box = (node) => { const it = node.getBoundingClientRect(); return [it.left, it.top, it.right, it.bottom]; };
  const all = (what, from = root) => [...from.querySelectorAll(what)];
  const said = all(".said text", svg).filter((node) => node.textContent);
  const hits = all(".hit", svg).map(box).map((it) => Math.min(it[2] - it[0], it[3] - it[1]));
  const parts = all(".foldem-scene, .foldem-status, .foldem-bar, .foldem-time");
  return {
    felt: box(svg), pane: box(pane), height: pane.clientHeight,
    used: Math.max(...parts.map((node) => box(node)[3])) - box(svg)[1],
    items: all(".item > g:first-child", svg).map((node) => [node.parentNode.dataset.k, box(node)]),
    texts: said.map((node) => [node.textContent, box(node)]),
    art: all(".art", svg).filter((node) => !node.dataset.k.startsWith("plate"))
      .map((node) => [node.dataset.k, box(node.firstChild)]),
    font: svg.getScreenCTM().a * Math.min(99, ...said.map((node) => parseFloat(getComputedStyle(node).fontSize))),
    hit: Math.min(99, ...hits),
    buttons: all("button").filter((node) => node.checkVisibility()).map((node) => [node.textContent, box(node)]),
  };
}"""
EDGES = """() => {
  const { top, bottom } = document.querySelector(".foldem-run").getBoundingClientRect();
  return [top, bottom];
}"""
Box = list[float]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(QUIET))
        yield chromium
        chromium.close()


@pytest.fixture(autouse=True)
def no_page_left_open(browser: Any) -> Iterator[None]:
    """Close all pages after each test."""
    yield
    for context in browser.contexts:
        context.close()


def seeded(table: GameTable[Any]) -> GameTable[Any]:
    """Return a table dealt again with a known seed."""
    table.seed = 0
    table.receive(["new"], table.revision)
    return table


def advance(table: GameTable[Any], moves: int) -> GameTable[Any]:
    """Play some moves, or as many as there are."""
    table.begin()
    for _ in range(moves):
        if not table.view().get("over"):
            table.receive(["next"] if table.game.unit == "bots" else next_action(table), table.revision)
    return table


def is_inside(inner: Box, outer: Box) -> bool:
    return all(a >= b - 1 for a, b in zip(inner[:2], outer[:2], strict=True)) and all(
        a <= b + 1 for a, b in zip(inner[2:], outer[2:], strict=True)
    )


def overlap(one: Box, other: Box) -> bool:
    return min(one[2], other[2]) - max(one[0], other[0]) > 2 and min(one[3], other[3]) - max(one[1], other[1]) > 2


def faults(boxes: dict[str, Any]) -> list[str]:
    """Return the parts of a table that are cut off, too small, or cover something else."""
    texts, (left, _, right, _) = boxes["texts"], boxes["pane"]
    found = [f"{key} leaves the table" for key, box in boxes["items"] if not is_inside(box, boxes["felt"])]
    found += [f"{name} is cut" for name, box in boxes["buttons"] if not left <= box[0] <= box[2] <= right]
    found += [f"{a} over {b}" for n, (a, one) in enumerate(texts) for b, other in texts[:n] if overlap(one, other)]
    found += [f"{a} over {b}" for a, one in texts for b, other in boxes["art"] if overlap(one, other)]
    found += [f"{boxes['used']:.0f} px, with room for {boxes['height']}"] * (boxes["used"] > boxes["height"])
    least = {"font": 11, "hit": 24}
    return found + [f"{name} of {boxes[name]:.1f} px" for name in least if boxes[name] < least[name]]


@pytest.mark.parametrize("size", ["phone", as_proof("laptop")])
@pytest.mark.parametrize("name", GAMES)
def test_a_table_fits_its_screen_from_beginning_to_end(browser: Any, name: str, size: str) -> None:
    page, table = open_stage(browser, size), GAMES[name]()
    show_table(page, table)
    for moves in (0, 6, 9, 99):  # the longest of these games takes 60
        redraw(page, advance(table, moves))
        assert faults(page.evaluate(BOXES)) == [], (name, size, moves)


@pytest.mark.npm
@pytest.mark.parametrize("theme", ["light", as_proof("dark")])
@pytest.mark.parametrize("name", one_in(7, GAMES))
def test_axe_leaves_only_explained_questions_about_a_table(browser: Any, name: str, theme: str) -> None:
    page, table = open_stage(browser, theme=theme), GAMES[name]()
    show_table(page, table)
    redraw(page, advance(table, 6))
    assert open_questions(page, ".foldem") == set()


def test_steps_of_a_move_are_in_sight_when_they_open(browser: Any) -> None:
    page, table = open_stage(browser), GAMES["dominoes"]()
    show_table(page, table)
    redraw(page, advance(table, 3))
    page.locator(".foldem-why").click()
    page.wait_for_selector(".foldem-why[aria-expanded=true]")
    top, bottom = page.evaluate(EDGES)
    assert 0 <= top < bottom <= SIZES["laptop"][1] + 1


# ------------------------------------------------------------------------------ what is spoken

RAISED = """() => [...document.querySelectorAll(".can > g")]
  .filter((node) => getComputedStyle(node).transform !== "none").length"""


def test_only_the_keyboard_raises_a_tile_that_has_the_focus(browser: Any) -> None:
    page = open_stage(browser)
    show_table(page, domino_table("HB", names=vars(dominoes), seed=3, pace=0))
    page.emulate_media(reduced_motion="no-preference")
    page.locator(".can > .hit").first.click()
    page.mouse.move(0, 0)
    page.wait_for_timeout(1_000)  # the bot has moved, and nothing moves any more
    assert page.evaluate("() => document.activeElement.matches('.can > .hit')") and page.evaluate(RAISED) == 0
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(500)
    assert page.evaluate(RAISED) == 1


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
        page.wait_for_function("n => window.spoken.length > n", arg=len(lines), timeout=60_000)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("name", one_in(6, [*SPOKEN]))
def test_a_game_is_played_to_its_end_from_what_is_spoken(browser: Any, name: str) -> None:
    make, assert_spoken = SPOKEN[name]
    page, table = open_stage(browser), make()
    show_table(page, table)
    page.evaluate(LISTEN)
    for lines in play_by_words(page, table):
        assert_spoken(table, lines)


# ------------------------------------------------------------------------------ results

MAP = """() => {
  const group = document.querySelector('#out');
  const parts = [...group.querySelectorAll('a, span')].filter(each => each.checkVisibility());
  const right = Math.max(...parts.map(each => each.getBoundingClientRect().right));
  return {
    scrolls: group.scrollWidth > group.clientWidth, cut: right > group.getBoundingClientRect().right + 1,
    font: Math.min(...parts.map(each => parseFloat(getComputedStyle(each).fontSize))),
    hit: Math.min(...parts.filter(each => each.tagName === 'A').map(each => each.getBoundingClientRect().height)),
    text: group.innerText,
  };
}"""


@pytest.mark.parametrize("unit", one_in(6, unit_names()[::-1]))
def test_a_call_map_fits_a_phone(browser: Any, unit: str, tmp_path: Path) -> None:
    page = open_stage(browser, "phone", html=call_map_of(unit_progress(Workspace({}, tmp_path), unit)).markup)
    shown = page.evaluate(MAP)
    assert not (shown["scrolls"] or shown["cut"]) and shown["font"] >= 12 and shown["hit"] >= 24
    called = catalogue.statements(unit).calls
    assert all(
        f"{name} calls {', '.join(calls)}" in " ".join(shown["text"].split()) for name, calls in called.items() if calls
    )


ROWS = """() => [...document.querySelectorAll('.foldem-result')].map(result => {
  const boxes = [...result.querySelectorAll('img')].filter(each => each.checkVisibility())
    .map(each => each.getBoundingClientRect());
  const walk = document.createTreeWalker(result, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (walk.nextNode()) if (walk.currentNode.parentElement.checkVisibility()) {
    range.selectNodeContents(walk.currentNode);
    boxes.push(...[...range.getClientRects()].filter(box => box.width));
  }
  const middles = boxes.map(box => (box.top + box.bottom) / 2).sort((a, b) => a - b);
  return middles.filter((y, n) => !n || y - middles[n - 1] > 8).length;
})"""
COLUMNS = (
    '<div style="font:14px var(--jp-code-font-family);width:80ch">'
    '<div style="font-family:var(--jp-content-font-family)">{}</div></div>'
)


# Grading takes most of the time, so the proofs take a quarter; `tests/test_grading.py` counts the lines of all as text.
ANSWERS = {"some": mistakes_of("dominoes")[::40]} | {unit: mistakes_of(unit)[::4] for unit in unit_names()}


@pytest.mark.parametrize("name", one_in(len(ANSWERS), [*ANSWERS]))
def test_a_result_has_eight_rows_in_eighty_columns(browser: Any, grader: Grader, name: str) -> None:
    shown = {}
    for wrong in ANSWERS[name]:
        result = result_of(grader.grade(submission_of_wrong(wrong), wrong.exercise)[wrong.exercise])
        offer = f'Stuck? `hint("{result.name}")` or `borrow("{result.name}")`'
        shown |= {str(wrong): result.html(), f"{wrong} with an offer": replace(result, offer=offer).html()}
    page = open_stage(browser, html="".join(map(COLUMNS.format, shown.values())))
    rows = zip(shown, page.evaluate(ROWS), strict=True)
    assert [(name, number) for name, number in rows if number > LINES_OPEN] == []


CALL = """() => [...document.querySelectorAll('.foldem-result [role=group] code')].map(code => {
  const letters = getComputedStyle(code);
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = letters.font;
  return [code.textContent, code.getBoundingClientRect().width / pen.measureText('x').width];
})"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_call_has_room_on_a_phone_and_its_copy_button_is_seen(browser: Any, grader: Grader, theme: str) -> None:
    wrong = next(each for each in all_wrong() if each.exercise == "append")
    result = result_of(grader.grade(submission_of_wrong(wrong), wrong.exercise)[wrong.exercise])
    page = open_stage(browser, "phone", theme, result.html())
    for code, room in page.evaluate(CALL):
        assert room >= min(len(code), 20), code
    colors = "each => [getComputedStyle(each).color, getComputedStyle(each.parentElement).color]"
    assert len(set(page.locator("button").first.evaluate(colors))) == 1
