"""In Chromium, lines of a puzzle are put in order by touch and by keys."""

from __future__ import annotations

from typing import Any

import pytest

from course.learner.answer import answer_among
from course.learner.hints import ShownPuzzle
from tests.axe import serious
from tests.stage import open_stage, show_widget
from tests.test_puzzles import APPEND, letters_of
from tests.test_screens import browser, no_page_left_open
from tests.test_walk import walk

__all__ = ("browser", "no_page_left_open")  # fixtures
pytestmark = [pytest.mark.browser, pytest.mark.proof, pytest.mark.xdist_group("browser")]
PUZZLE = APPEND.puzzle()
ORDER = letters_of(PUZZLE, APPEND.right)
ANSWER = "ol[aria-label='Your answer']"
RIGHT = "these lines are right"


def open_puzzle(browser: Any, size: str, theme: str = "light") -> Any:
    """Return a page with the puzzle, whose checks run here."""
    names = dict(vars(APPEND.unit.module))
    widget = ShownPuzzle(answer_among(names, "append", "dominoes"), PUZZLE).widget()
    page = open_stage(browser, size, theme)

    def receive(message: dict[str, str]) -> dict[str, str]:
        widget._handle_custom_msg(message, [])
        return {"reply_html": widget.reply_html}

    state = {"puzzle": widget.puzzle, "order": "", "reply_html": ""}
    show_widget(page, widget._esm, widget._css, state, receive)
    return page


def order_on(page: Any) -> str:
    letters = page.locator(f"{ANSWER} li").evaluate_all("lines => lines.map(line => line.dataset.letter).join('')")
    assert letters == page.evaluate("() => model.get('order')")
    return str(letters)


def point(page: Any, letter: str, part: str = "button") -> tuple[float, float]:
    box = page.locator(f"li[data-letter={letter}] {part}").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def check(page: Any) -> str:
    page.wait_for_function("() => document.querySelector('.ordering-reply .foldem-result')")
    return str(page.locator(".ordering-reply").inner_text())


def test_a_puzzle_is_solved_by_touch_on_a_phone(browser: Any) -> None:
    page = open_puzzle(browser.new_context(has_touch=True), "phone")
    for letter in ORDER[1:]:
        page.locator(f"li[data-letter={letter}] button").tap()
    page.locator(f"li[data-letter={ORDER[1]}]").scroll_into_view_if_needed()
    page.locator(f"li[data-letter={ORDER[0]}]").tap()  # at the end; a finger drags it to the top
    page.locator(ANSWER).scroll_into_view_if_needed()
    (x, y), (_, top) = point(page, ORDER[0], ".ordering-grip"), point(page, ORDER[1])
    touch = page.context.new_cdp_session(page)
    for kind, height in (
        ("Start", y),
        *(("Move", y + (top - 20 - y) * min(step, 8) / 8) for step in range(1, 14)),
        ("End", 0),
    ):
        points = [] if kind == "End" else [{"x": x, "y": height}]
        page.wait_for_timeout(60)  # a finger that is still fast when it leaves begins a swipe, and the next tap ends it
        touch.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
    assert order_on(page) == ORDER and "Line 1 of 7 of your answer" in page.locator(".ordering-news").inner_text()
    page.wait_for_timeout(600)
    page.get_by_text("Check these lines").tap()
    assert RIGHT in check(page)
    assert page.evaluate("() => document.querySelector('.foldem-ordering').scrollWidth <= innerWidth")


@pytest.mark.npm
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_puzzle_is_solved_by_keys_and_axe_finds_nothing(browser: Any, theme: str) -> None:
    page = open_puzzle(browser, "phone", theme)
    walk(page)
    for letter in (ORDER[1], ORDER[0], *ORDER[2:]):
        page.locator(f"li[data-letter={letter}] button").focus()
        page.keyboard.press("Enter")
    page.locator(f"li[data-letter={ORDER[0]}] button").focus()
    for key in ("ArrowUp", "ArrowDown", "Shift+ArrowUp"):
        page.keyboard.press(key)
    assert (
        order_on(page) == ORDER and page.evaluate("() => document.activeElement.parentNode.dataset.letter") == ORDER[0]
    )
    page.keyboard.press("Space")
    assert order_on(page) == ORDER[1:] and "Not in your answer" in page.locator(".ordering-news").inner_text()
    page.get_by_text("Check these lines").press("Enter")
    assert "cannot be in that position" in check(page)
    assert serious(page, ".foldem-ordering") == []
