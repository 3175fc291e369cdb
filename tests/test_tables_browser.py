"""The tables end to end: a real JupyterLab, a real browser, games played by clicks and by keys."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

import solutions.dominoes
from autograder.commands.lab import write_lab_settings
from course.tables import domino_table
from course.tables.scene import static_html
from tests.classroom import solved_notebook
from tests.command import PATIENCE
from tests.sample import one_in
from tests.stage import QUIET, SIZES, serious
from tests.test_screens import BOXES, faults

ROOT = Path(__file__).parent.parent
PATIENCE_AT_END = 20  # seconds: JupyterLab sometimes waits for a thread of its own for ever
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.browser


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def serving(command: Sequence[object], url: str, log: Path, **options: Any) -> Iterator[None]:
    """Run a server with its output in a file; go on as soon as it replies at the address."""
    with log.open("w") as output, subprocess.Popen(command, stdout=output, stderr=output, **options) as server:  # type: ignore[call-overload]
        for _ in range(5 * PATIENCE):
            with suppress(OSError):
                urlopen(url, timeout=2)
                break
            time.sleep(0.2)
        try:
            yield
        finally:
            server.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.wait(PATIENCE_AT_END)
            server.kill()


@contextmanager
def jupyter_lab(folder: Path) -> Iterator[str]:
    """Run JupyterLab on a folder; return its address, with %s for a notebook's name."""
    port, settings = free_port(), write_lab_settings(folder)
    base = f"http://127.0.0.1:{port}"
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.port={port}"),
        *(f"--ServerApp.root_dir={folder}", "--IdentityProvider.token=tables", "--expose-app-in-browser"),
        *(f"--LabServerApp.app_settings_dir={settings}", f"--LabServerApp.workspaces_dir={settings / 'workspaces'}"),
    ]
    home = {"JUPYTER_CONFIG_DIR": "config", "IPYTHONDIR": "ipython", "JUPYTER_RUNTIME_DIR": "runtime"}
    env = os.environ | {name: str(folder / place) for name, place in home.items()}
    env |= {"PYTHONPATH": str(ROOT), "JUPYTER_PREFER_ENV_PATH": "1"}
    with serving(command, f"{base}/api?token=tables", folder / "lab.log", env=env):
        yield f"{base}/lab/tree/%s?token=tables&reset"


@contextmanager
def chromium(profile: Path, **settings: Any) -> Iterator[Any]:
    """Run Chromium with a new profile, and return its browser context."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            str(profile),
            executable_path=CHROMIUM,
            args=list(QUIET),
            viewport={"width": 1280, "height": 1000},
            **settings,
        )
        browser.set_default_timeout(1000 * PATIENCE)
        yield browser
        browser.close()


def write_notebook(path: Path, *cells: str) -> None:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells], metadata={"kernelspec": kernel})
    nbformat.write(notebook, path)


READY = """() => window.jupyterapp.shell.currentWidget?.context?.sessionContext?.session?.kernel?.status === "idle" """
RUN_ALL = """async () => {
  const panel = window.jupyterapp.shell.currentWidget;
  await panel.context.ready; await panel.sessionContext.ready; await panel.revealed;
  await window.jupyterapp.commands.execute("notebook:run-all-cells");
}"""
SHUT_DOWN = "() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()"
THEME = "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})"
BEGIN_ALL = RUN_ALL.replace("await window.jupyterapp.commands", "window.jupyterapp.commands")


def opened(browser: Any, address: str, notebook: str, theme: str = "JupyterLab Light", run: str = RUN_ALL) -> Any:
    """Open a notebook in JupyterLab, in a theme, and run it completely, or only start it."""
    page = browser.new_page()
    page.goto(address % notebook)
    page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.context", timeout=1000 * PATIENCE)
    page.evaluate(THEME, theme)
    page.wait_for_function(READY, timeout=1000 * PATIENCE)
    page.evaluate(run)
    return page


# ---------------------------------------------------------------------------------------------------- fixtures


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="module")
def lab(folder: Path) -> Iterator[str]:
    with jupyter_lab(folder) as address:
        yield address


@pytest.fixture(scope="module")
def browser(folder: Path) -> Iterator[Any]:
    with chromium(folder / "profile") as context:
        yield context


@pytest.fixture
def outside(browser: Any) -> Iterator[list[str]]:
    """Provide the requests that leave the machine; after the test there must be none."""
    requests: list[str] = []

    def note(request: Any) -> None:
        requests.append(request.url)

    browser.on("request", note)
    yield requests
    browser.remove_listener("request", note)
    ours = ("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:", "about:")
    assert [url for url in requests if not url.startswith(ours)] == []


@pytest.fixture
def table(lab: str, browser: Any, folder: Path, outside: list[str]) -> Iterator[Any]:
    """Provide a function that opens a table: it takes a unit and the cells of a notebook."""
    with ExitStack() as stack:

        def open_table(unit: str, *cells: str, run: str = RUN_ALL) -> Any:
            name = f"{unit}-{len(list(folder.glob('*.ipynb')))}.ipynb"
            write_notebook(folder / name, f"from solutions.{unit} import *\nfrom course.tables import *", *cells)
            page = stack.enter_context(opened(browser, lab, name, run=run))
            stack.callback(page.evaluate, SHUT_DOWN)
            page.wait_for_selector(".foldem[data-revision]", timeout=1000 * PATIENCE)
            return page

        yield open_table


# ---------------------------------------------------------------------------------------------------- playing

WAITING = "is thinking.", "is still running.", "has ended."
RUNNING = "() => document.querySelector('.foldem-status').textContent === 'Your function is still running.'"
STATE = """() => {
  const root = document.querySelector(".foldem");
  const log = root.querySelectorAll(".foldem-log li");
  return {
    revision: Number(root.dataset.revision), status: root.querySelector(".foldem-status").textContent,
    cards: root.querySelectorAll(".foldem-scene .can").length,
    strong: root.querySelectorAll(".foldem-bar .strong").length,
    asked: Number(root.dataset.asked),
    last: Number(root.querySelector(".foldem-time input").max),
    note: root.querySelector(".foldem-note").hidden ? "" : root.querySelector(".foldem-note").textContent,
    busy: window.jupyterapp?.shell?.currentWidget?.context?.sessionContext?.session?.kernel?.status === "busy",
  };
}"""


def settled(page: Any) -> dict[str, Any]:
    """Return the state when an action is possible, or when kernel and bot have been idle."""
    last, since, end = page.evaluate(STATE), time.monotonic(), time.monotonic() + PATIENCE
    while time.monotonic() < end:
        now = page.evaluate(STATE)
        is_at_work = now["asked"] == now["revision"] or now["busy"] or now["status"].endswith(WAITING)
        if now["revision"] != last["revision"] or is_at_work:
            last, since = now, time.monotonic()
        quiet = time.monotonic() - since
        if (quiet > 0.06 and (now["cards"] or now["strong"])) or quiet > 0.8:
            return now
        page.wait_for_timeout(15)
    raise AssertionError(f"the table did not come to rest: {last}")


def do(page: Any, act: Any) -> None:
    """Do an action at the table, and wait until it is redrawn."""
    before = page.evaluate(STATE)["revision"]
    act()
    page.wait_for_function(
        f"() => Number(document.querySelector('.foldem').dataset.revision) > {before}", timeout=1000 * PATIENCE
    )


def click(page: Any) -> None:
    """Click the first thing that can be clicked in the scene, else the strong button."""
    where = ".foldem-scene .hit" if page.evaluate(STATE)["cards"] else ".foldem-bar .strong"
    do(page, lambda: page.locator(where).first.click())


AT_A_MOVE = "() => document.activeElement.matches('.foldem-scene .hit, .foldem-bar .strong')"


def press(page: Any) -> None:
    """Make the next move by keys alone: the focus must be there already."""
    assert page.evaluate(AT_A_MOVE), page.evaluate("() => document.activeElement.outerHTML.slice(0, 300)")
    page.keyboard.press("ArrowRight")
    do(page, lambda: page.keyboard.press("Enter"))
    if not page.evaluate("() => document.activeElement.textContent === 'New game'"):
        page.keyboard.press("Enter")  # impatience harms no value: it plays on, or does nothing


def play_out(page: Any, is_over: str, move: Any = click, most: int = 400) -> int:
    """Play until the status says that the game is over; return the number of moves."""
    for number in range(most):
        state = settled(page)
        assert "wrong" not in state["note"], state["note"]
        if is_over in state["status"]:
            return number
        assert state["cards"] or state["strong"], state
        move(page)
    raise AssertionError("the game does not end")


# ---------------------------------------------------------------------------------------------------- the tests


def test_a_table_in_a_box_is_played_by_clicks_and_sliders_draw(table: Any) -> None:
    lesson = (ROOT / "notebooks" / "1_dominoes.ipynb").read_text(encoding="utf-8")
    (sliders,) = (each.source for each in nbformat.reads(lesson, 4).cells if "import interact" in each.source)
    box = "from ipywidgets import HTML, VBox\nVBox([HTML('<b>Mine</b>'), domino_table('HB', pace=0, seed=3)])"
    page = table("dominoes", box, sliders)
    assert play_out(page, "!") >= 4 and page.get_by_text("Mine", exact=True).is_visible()
    drawn = page.locator(".widget-interact img")
    before = drawn.get_attribute("alt")
    page.locator(".noUi-handle").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"() => document.querySelector('.widget-interact img')?.alt !== {before!r}")
    assert before.endswith("tile three five") and drawn.get_attribute("alt").endswith("tile four five")


BY_KEYS = {
    "dominoes": ("domino_table('HBB', pace=0, seed=4)", "!"),
    "sedma": ("sedma_table(pace=0.1, seed=5)", "have won"),
    "uno": ("uno_table(bots=2, pace=0.1, seed=5)", "!"),
    "basra": ("basra_table(seed=5)", "The game is over"),
}


@pytest.mark.parametrize("unit", one_in(4, ["sedma", *sorted(BY_KEYS.keys() - {"sedma"})]))
def test_a_game_is_playable_by_keys_and_none_reaches_the_notebook(table: Any, unit: str) -> None:
    cell, is_over = BY_KEYS[unit]
    page, last = table(unit, cell), 0
    cells = page.locator(".jp-Notebook .jp-Cell").count()
    settled(page)
    page.locator(".foldem-bar button").last.focus()
    page.keyboard.type("bbaaddxx")
    page.keyboard.press("Shift+Tab")
    while not page.evaluate(AT_A_MOVE):
        page.keyboard.press("Shift+Tab")

    def onwards(page: Any) -> None:
        nonlocal last
        press(page)
        assert page.evaluate(STATE)["last"] >= last, "the game was lost"
        last = page.evaluate(STATE)["last"]

    assert play_out(page, is_over, onwards) > 3
    assert page.locator(".jp-Notebook .jp-Cell").count() == cells
    page.keyboard.press("Enter")
    assert is_over not in settled(page)["status"], "the focus was on New game"


@pytest.mark.proof
def test_an_endless_call_is_named_and_the_game_goes_on_after_a_fix(table: Any) -> None:
    endless = "right = list_shuffle\ndef list_shuffle(items):\n    while True: pass"
    page = table("dominoes", endless, "domino_table('HB', pace=0, seed=3)", "", run=BEGIN_ALL)
    page.wait_for_function(RUNNING)
    assert "list_shuffle((Domino(" in page.evaluate(STATE)["note"]
    do(page, page.get_by_role("button", name="Stop it").click)
    state = page.evaluate(STATE)
    assert state["status"] == "The game has stopped." and "(in list_shuffle, line 3)" in state["note"]
    page.wait_for_function(READY)
    for source, note in (("list_shuffle = len", "make_state_list('HB', 28)"), ("list_shuffle = right", "")):
        run_last(page, source)
        do(page, page.get_by_role("button", name="Try again").click)
        assert note in settled(page)["note"]
    assert page.evaluate(STATE)["note"] == "" and page.evaluate(STATE)["cards"]


def run_last(page: Any, source: str) -> None:
    """Write a cell below the table, and run it."""
    write = "notebook => { notebook.activeCellIndex = 3; notebook.activeCell.model.sharedModel.setSource('%s'); }"
    page.evaluate(f"({write % source})(window.jupyterapp.shell.currentWidget.content)")
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-cell')")


LOOK = {
    "uno": ("uno", "uno_table(bots=9, pace=0, seed=2)", 5),
    "dominoes": ("dominoes", "domino_table('HBB', pace=0, seed=5)", 6),
    "basra": ("basra", "basra_table(seed=7)", 7),
    "sedma": ("sedma", "sedma_table(pace=0, seed=5)", 3),
    "fold": ("warmup", "from course.functional import fold_left\n"
             "fold_steps(lambda total, card: total + penalty(card), 0, (Number(3, HEARTS), Joker()))", 1),
    "bots": ("bots", "watch_set(smart_player, stupid_player)", 0),
}  # fmt: skip


THEMES = ("Light", "Dark", "Dark High Contrast")


@pytest.mark.proof
@pytest.mark.npm
@pytest.mark.parametrize("name", LOOK)
def test_a_table_is_accessible_and_fits_a_laptop_in_jupyterlab(table: Any, name: str) -> None:
    unit, cell, moves = LOOK[name]
    page = table(unit, cell)
    for _ in range(moves):
        settled(page)
        click(page)
    settled(page)
    for theme in THEMES:
        page.evaluate(THEME, f"JupyterLab {theme}")
        page.wait_for_timeout(400)  # JupyterLab covers its page while the theme changes
        assert serious(page, ".foldem") == []
    page.set_viewport_size(dict(zip(("width", "height"), SIZES["laptop"], strict=True)))
    page.wait_for_timeout(500)  # the table measures its room
    assert faults(page.evaluate(BOXES)) == []
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate("getComputedStyle(document.querySelector('.foldem-scene .item')).transitionDuration") == "0s"


# ---------------------------------------------------------------------------------------------------- whole notebooks

RAN = """() => {
  const cells = window.jupyterapp.shell.currentWidget.content.model.cells;
  const all = [...Array(cells.length).keys()].map((n) => cells.get(n)).filter((cell) => cell.type === "code");
  return all.every((cell) => cell.executionCount !== null && cell.executionState !== "running");
}"""
ERRORS = """() => {
  const cells = window.jupyterapp.shell.currentWidget.content.model.cells;
  const all = [...Array(cells.length).keys()].map((n) => cells.get(n)).filter((cell) => cell.type === "code");
  return all.flatMap((cell) => cell.outputs.toJSON()).filter((it) => it.output_type === "error").map((it) => it.evalue);
}"""


@pytest.mark.proof
@pytest.mark.parametrize("unit", ["warmup", "dominoes", "sedma", "basra", "uno", "bots"])
def test_the_solved_notebook_runs_from_top_to_bottom_and_its_tables_open(
    lab: str, browser: Any, folder: Path, outside: list[str], unit: str
) -> None:
    notebook = solved_notebook(unit)
    nbformat.write(notebook, folder / f"solved-{unit}.ipynb")
    tables = sum("from course.tables import" in cell.source for cell in notebook.cells)
    page = opened(browser, lab, f"solved-{unit}.ipynb")
    page.wait_for_function(RAN, timeout=1000 * PATIENCE)
    assert page.evaluate(ERRORS) == []
    assert page.evaluate(VIEWS) >= tables > 0
    page.close()


VIEWS = """() => {
  const cells = window.jupyterapp.shell.currentWidget.content.model.cells;
  const all = [...Array(cells.length).keys()].map((n) => cells.get(n)).filter((cell) => cell.type === "code");
  const outputs = all.flatMap((cell) => cell.outputs.toJSON());
  return outputs.filter((it) => it.data && "application/vnd.jupyter.widget-view+json" in it.data).length;
}"""


@pytest.mark.proof
def test_an_untrusted_output_shows_the_still_picture(lab: str, browser: Any, folder: Path, outside: list[str]) -> None:
    html = static_html(domino_table("HB", names=vars(solutions.dominoes), seed=1).view())
    output = new_output("display_data", {"text/html": html, "text/plain": "Dominoes"})
    notebook = new_notebook(cells=[new_code_cell("domino_table('HB')", outputs=[output], execution_count=1)])
    nbformat.write(notebook, folder / "untrusted.ipynb")
    page = browser.new_page()
    page.goto(lab % "untrusted.ipynb")
    picture = page.locator(".jp-OutputArea img")
    assert picture.get_attribute("alt", timeout=1000 * PATIENCE).startswith("Dominoes. ")
    assert picture.evaluate("each => each.decode().then(() => each.naturalWidth)") == 920
    page.close()


@pytest.mark.proof
def test_a_reopened_notebook_shows_still_pictures_until_it_is_run(
    lab: str, browser: Any, folder: Path, outside: list[str]
) -> None:
    code = "from solutions.dominoes import *\nfrom course.tables import domino_table\ndomino_table('HB')"
    write_notebook(folder / "again.ipynb", code)
    page = opened(browser, lab, "again.ipynb")
    page.wait_for_selector(".foldem-scene", timeout=1000 * PATIENCE)
    settled(page)
    click(page)
    settled(page)
    page.evaluate("""async () => {
      await window.jupyterapp.commands.execute("docmanager:save");
      await window.jupyterapp.shell.currentWidget.context.sessionContext.shutdown();
    }""")
    page.close()
    page = browser.new_page()
    page.goto(lab % "again.ipynb")
    page.wait_for_selector(".foldem-still img", timeout=1000 * PATIENCE)
    page.wait_for_function("() => document.body.innerText.includes('Run this cell to play.')")
    assert "in the chain" in page.locator(".foldem-still img").get_attribute("alt"), "the position is kept"
    page.wait_for_function(READY, timeout=1000 * PATIENCE)
    page.evaluate(RUN_ALL)
    page.wait_for_selector(".foldem-scene", timeout=1000 * PATIENCE)
    assert not page.locator(".foldem-still").is_visible()
    page.close()
