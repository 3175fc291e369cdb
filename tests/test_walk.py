"""Screens by keys alone, and a puzzle by touch: all is reached, in order, and the focus is in sight and never lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import solutions.warmup
from autograder.commands.site import make_site
from course.learner.answer import answer_in_namespace
from course.learner.hints import ShownPuzzle
from course.learner.predicting import prediction_question
from course.show.blocks import as_html
from course.warmup import HEARTS, Joker, Number, Player
from course.watch.record import record_run
from course.watch.viewer import ON_PAPER, Viewer
from tests import test_classroom
from tests.command import PATIENCE
from tests.sample import one_in
from tests.sheet import outputs
from tests.stage import SIZES, open_questions, open_stage, serious, show_run, show_table, show_widget
from tests.test_impostors import APPEND, letters_of
from tests.test_screens import GAMES, browser, no_page_left_open
from tests.test_tables_browser import chromium, jupyter_lab, opened, write_notebook
from tests.units import known

__all__ = ("browser", "no_page_left_open")  # fixtures
pytestmark = [pytest.mark.browser, pytest.mark.proof]
THEMES = ("light", "dark")
SCREENS = tuple((size, theme) for size in SIZES for theme in THEMES)
# A button before everything and one behind it; and what there is between them that has an effect.
SET_OUT = """() => {
  for (const [id, where] of [["begin", "prepend"], ["end", "append"]])
    document.body[where](Object.assign(document.createElement("button"), { id, textContent: id }));
  const what = "a[href], button, input, select, textarea, summary, [tabindex='0'], .hit";
  const isThere = (node) => node.checkVisibility() && !node.disabled && !["begin", "end"].includes(node.id);
  window.stops = () => [...document.querySelectorAll(what)].filter(isThere);
  document.getElementById("begin").focus();
}"""
HERE = """() => {
  const node = document.activeElement, box = node.getBoundingClientRect(), look = getComputedStyle(node);
  const fits = (from, to, most) => to - from > most ? from < most && to > 0 : from >= -1 && to <= most + 1;
  return {
    id: node.id, stop: window.stops().indexOf(node), name: node.outerHTML.slice(0, 120), isLost: node === document.body,
    inSight: fits(box.left, box.right, innerWidth) && fits(box.top, box.bottom, innerHeight),
    ring: node.matches(":focus-visible") && look.outlineStyle !== "none" && parseFloat(look.outlineWidth) > 0,
  };
}"""
MISSED = """(visited) => window.stops().filter((node, n) => !visited.includes(n) && node.type !== "radio")
  .map((node) => node.outerHTML.slice(0, 120))"""
OPEN_FOLDS = "() => document.querySelectorAll('details').forEach((each) => { each.open = true })"


def step(page: Any, key: str = "Tab") -> dict[str, Any]:
    """Press a key, and return where the focus is; it must be in sight."""
    page.keyboard.press(key)
    page.wait_for_timeout(20)  # a pane may have to scroll
    here = page.evaluate(HERE)
    assert not here["isLost"] and (here["id"] or (here["inSight"] and here["ring"])), here
    return dict(here)


def walk(page: Any) -> None:
    """Walk from the beginning of a page to its end by the Tab key, and with arrows where these lead on."""
    page.evaluate(SET_OUT)
    order, visited = list[int](), set[int]()
    for _ in range(400):
        here = step(page)
        if here["id"] == "end":
            break
        order.append(here["stop"])
        visited.add(here["stop"])
        for _ in range(60):  # cards of a table, calls of a run
            if "hit" not in here["name"] and "run-go" not in here["name"]:
                break
            there = step(page, "ArrowDown")["stop"]
            if there in visited:
                break
            visited.add(there)
    else:
        raise AssertionError("the focus is caught")
    assert order == sorted(order), "the order is that of the page"
    assert page.evaluate(MISSED, sorted(visited)) == []
    step(page, "Shift+Tab")


def try_all(page: Any, presses: int) -> None:
    """Press what the focus comes to, one after the other; it must never be lost."""
    page.evaluate("() => document.getElementById('begin').focus()")
    for _ in range(presses):
        if step(page)["id"] == "end":
            page.evaluate("() => document.getElementById('begin').focus()")
            continue
        page.keyboard.press("Enter")
        page.wait_for_timeout(60)
        assert not page.evaluate(HERE)["isLost"]


# ------------------------------------------------------------------------------------------------------ widgets


@pytest.mark.parametrize(("size", "theme"), SCREENS[::3])
@pytest.mark.parametrize("name", one_in(4, GAMES))
def test_a_table_is_walked_by_keys_alone(browser: Any, name: str, size: str, theme: str) -> None:
    page = open_stage(browser, size, theme)
    show_table(page, GAMES[name]())
    walk(page)
    try_all(page, 40)


@pytest.mark.npm
@pytest.mark.parametrize(("size", "theme"), SCREENS[::3])
@pytest.mark.parametrize("way", ["calls", ON_PAPER])
def test_a_run_is_walked_by_keys_alone(browser: Any, way: str, size: str, theme: str) -> None:
    page = open_stage(browser, size, theme)
    hand = Player("Ann", (), 0), (Joker(), Number(3, HEARTS))
    show_run(page, Viewer(record_run(solutions.warmup.charge, hand, vars(solutions.warmup)), way))
    assert open_questions(page, ".foldem-run") == set()
    walk(page)
    try_all(page, 40)


def test_a_prediction_is_answered_by_keys_and_the_reply_gets_the_focus(browser: Any) -> None:
    question = prediction_question("6 * 7", ("41", "42"), "Because.")
    widget = question.widget()
    page = open_stage(browser, "phone")
    state = {"question": widget.question, "reply_html": ""}

    def reply(message: dict[str, list[str]]) -> dict[str, str]:
        return {"reply_html": as_html(question.reply(message["answers"][0]))}

    show_widget(page, widget._esm, widget._css, state, reply)
    walk(page)
    page.evaluate("() => document.getElementById('begin').focus()")
    step(page)
    page.keyboard.type(" ")
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    assert page.evaluate("() => document.activeElement.textContent").count("Because.") == 1


# --------------------------------------------------------------------------------------------- results and pages


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return outputs(tmp_path_factory.mktemp("outputs"))


@pytest.mark.npm
@pytest.mark.parametrize(("size", "theme"), SCREENS[::3])
def test_results_hints_and_progress_are_walked(browser: Any, shown: dict[str, str], size: str, theme: str) -> None:
    for html in shown.values():
        page = open_stage(browser, size, theme, html)
        walk(page)
        page.evaluate(OPEN_FOLDS)
        walk(page)
        assert open_questions(page, "#out") == set()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "submission.html").write_text(test_classroom.PAGE)
    (folder / "class.html").write_text(test_classroom.class_page(test_classroom.shown(test_classroom.CLASS)))
    list(make_site(folder / "site", known()))
    return {
        "submission": folder / "submission.html",
        "class": folder / "class.html",
        "site": folder / "site/index.html",
    }


@pytest.mark.npm
@pytest.mark.parametrize(("size", "theme"), SCREENS)
@pytest.mark.parametrize("name", ["submission", "class", "site"])
def test_a_page_is_walked_by_keys_alone(browser: Any, pages: dict[str, Path], name: str, size: str, theme: str) -> None:
    page = browser.new_page()
    page.set_viewport_size(dict(zip(("width", "height"), SIZES[size], strict=True)))
    page.emulate_media(color_scheme=theme)
    page.goto(pages[name].as_uri())
    page.wait_for_function("() => !document.querySelector('#continue[hidden]')")
    walk(page)
    page.evaluate(OPEN_FOLDS)
    walk(page)
    assert open_questions(page, "html") == set()


# ------------------------------------------------------------------------------------------------ a puzzle

PUZZLE = APPEND.make_puzzle()
ORDER = letters_of(PUZZLE, APPEND.right_lines)
ANSWER = "ol[aria-label='Your answer']"
RIGHT = "these lines are right"


def open_puzzle(browser: Any, size: str, theme: str = "light") -> Any:
    """Return a page with the puzzle, whose checks run here."""
    widget = ShownPuzzle(answer_in_namespace(dict(vars(APPEND.unit.module)), "append", "dominoes"), PUZZLE).widget()
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


# ------------------------------------------------------------------------------------------------ a run in JupyterLab

TOTAL = """
def total(items):
    match items:
        case ():
            return 0
        case (first, *rest):
            return first + total(rest)
"""
CELLS = "from course.watch import watch", TOTAL, "watch(total, (1, 2, 3))"
KEYS = (
    ("ArrowRight", 1, "case (first, *rest) matches, with first = 1, rest = [2, 3]"),
    ("ArrowLeft", 0, ""),
    ("End", 11, "returns 6"),
    ("Home", 0, ""),
    ("PageDown", 1, "case (first, *rest) matches"),
    ("PageDown", 2, "line 6 calls total([2, 3])"),
    ("PageUp", 1, ""),
)


def test_a_run_is_walked_through_by_keys_in_little_room(tmp_path: Path) -> None:
    write_notebook(tmp_path / "run.ipynb", *CELLS)
    with jupyter_lab(tmp_path) as address, chromium(tmp_path / "profile") as browser:
        run = opened(browser, address, "run.ipynb")
        run.wait_for_selector(".foldem-run[data-at]", timeout=1000 * PATIENCE)
        assert run.locator(".foldem-run .run-tree ul ul ul ul").count() == 1
        run.locator(".foldem-run .run-tree .here > .run-line .run-go").focus()
        for key, step, text in KEYS:
            run.keyboard.press(key)
            run.wait_for_selector(f'.foldem-run[data-at="{step}"]', timeout=1000 * PATIENCE)
            assert text in run.locator(".foldem-run .run-said").inner_text()
        assert run.locator(".foldem-run .run-side li.changed").all_inner_texts() == ["first = 1", "rest = [2, 3]"]
        assert run.evaluate("() => window.jupyterapp.shell.currentWidget.content.widgets.length") == len(CELLS)
        run.evaluate("() => window.jupyterapp.shell.collapseLeft()")
        run.set_viewport_size({"width": 600, "height": 1000})
        assert run.evaluate("() => document.querySelector('.foldem-run').scrollWidth <= innerWidth")
