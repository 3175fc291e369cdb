"""The course in a browser, with only a static file server: what learners do there, and which servers are contacted."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from autograder.commands.site import make_site
from autograder.units.build import built_notebook
from tests.classroom import write_files
from tests.command import PATIENCE, foldem
from tests.test_progress import HEADING
from tests.test_tables_browser import ROOT, chromium, play_out
from tests.units import known, read_unit, unit_names

pytestmark = [pytest.mark.browser, pytest.mark.npm, pytest.mark.proof]
LONG = 1000 * PATIENCE
READY = "() => document.body?.dataset.foldemReady"


def promptly(script: str) -> str:
    """Return a script that fails if its promise isn't settled in time: Playwright's `evaluate` has no timeout."""
    late = f"new Promise((_, fail) => setTimeout(fail, {LONG}, Error('not done in time')))"
    return f"async (given) => Promise.race([({script})(given), {late}])"


# Fill a cell, if there is something to fill it with, run it, and give what it shows.
RUN = promptly("""async ([id, source]) => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  notebook.activeCellIndex = notebook.widgets.findIndex((each) => each.model.id === id);
  const cell = notebook.activeCell;
  if (source !== null) cell.model.sharedModel.source = source;
  await window.jupyterapp.commands.execute("notebook:run-cell");
  const texts = cell.model.outputs.toJSON().map((each) => each.text ?? each.data?.["text/plain"] ?? each.evalue);
  return texts.flat().join("\\n");
}""")
BEGIN = RUN.replace("await window.jupyterapp.commands", "window.jupyterapp.commands")
QUIETLY = promptly("""async (sources) => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  for (const code of sources) await kernel.requestExecute({ code }).done;
}""")
COMPLETE = promptly("""async (code) => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  return (await kernel.requestComplete({ code, cursor_pos: code.length })).content.matches;
}""")
RESTART = promptly("() => window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
SOURCE = """(id) => window.jupyterapp.shell.currentWidget.content.widgets.find((each) => each.model.id === id)
  .model.sharedModel.source"""
HOARDING = "def flip(domino):\n    kept = []\n    while True:\n        kept += [[0] * 10**6]"
SAVE = promptly("() => window.jupyterapp.commands.execute('docmanager:save')")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a self-study site in a subfolder, as on GitHub Pages."""
    folder = tmp_path_factory.mktemp("web") / "far" / "down"
    list(make_site(folder, known()))
    return folder


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder at an address of its own: what a browser stores for another address isn't there."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(site.parent.parent) as server:
        yield f"{server}far/down/"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")  # the older a file, the later a browser asks for its update
        super().end_headers()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("profile") / "profile", accept_downloads=True) as context:
        yield context


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """Provide a page; after the test, no request may have gone to another server."""
    requests: list[str] = []
    browser.on("request", lambda request: requests.append(request.url))
    with browser.new_page() as page:
        yield page
    server = address.removesuffix("far/down/")
    ours = server, "data:", "blob:", server.replace("http", "ws")
    assert [url for url in requests if not url.startswith(ours)] == []


def wait_until_ready(page: Any) -> None:
    """Wait until a notebook's kernel is ready. JupyterLite's start hung once in a hundred times; then load it again."""
    try:
        page.wait_for_function(READY, timeout=LONG / 5)
    except Exception as error:  # Playwright's own class, which a machine without a browser lacks
        if type(error).__name__ != "TimeoutError":
            raise
        page.reload()
        page.wait_for_function(READY, timeout=LONG / 2)


def opened(page: Any, address: str, unit: str) -> None:
    """Go from the start page to a unit's notebook, and wait until Python is ready."""
    page.goto(address)
    page.get_by_role("link", name=read_unit(unit).title, exact=True).click()
    wait_until_ready(page)


def run(page: Any, cell: str, source: str | None = None) -> str:
    return str(page.evaluate(RUN, [cell, source]))


def checked(page: Any, name: str, source: str) -> str:
    """Return what the check of an exercise says about an answer."""
    for _ in range(3):  # the page saves by itself: what it saved between typing and running is older than what was run
        run(page, name, source)
        said = run(page, f"{name}-check")
        if "you changed the cell, but did not run it" not in said:
            break
    return said


def begun(page: Any, unit: str) -> list[str]:
    """Run the first cells of a notebook, and our answers; return the names of the exercises."""
    exercises = read_unit(unit).exercises
    begin = f"from {read_unit(unit).pack.given_module_name(unit)} import *", "from course.check import *"
    page.evaluate(QUIETLY, [*begin, *(each.source for each in exercises)])
    return [each.name for each in exercises]


@pytest.mark.parametrize("unit", unit_names())
def test_the_first_and_the_last_exercise_of_a_notebook_are_judged(page: Any, address: str, unit: str) -> None:
    opened(page, address, unit)
    names = begun(page, unit)
    for name in (names[0], names[-1]):
        assert f"✗ {name}" in checked(page, name, f"{name} = lambda *given: None")
        assert f"✓ {name}" in checked(page, name, read_unit(unit)[name].source)


def test_a_notebooks_text_needs_neither_jupyterlite_nor_python(page: Any, address: str) -> None:
    page.route(re.compile("/(build|extensions|static)/"), lambda route: route.abort())
    page.goto(address)
    page.get_by_role("link", name=read_unit("dominoes").title, exact=True).click()
    page.get_by_role("main").get_by_text("A set has one tile").wait_for()
    page.get_by_role("status").get_by_text("Python is loading; you can start reading.").wait_for()


def test_a_day_at_work(page: Any, address: str, tmp_path: Path) -> None:
    """From the start page to a table played with one's own functions, and to a mark."""
    flip = read_unit("dominoes")["flip"].source
    opened(page, address, "dominoes")
    begun(page, "dominoes")
    assert page.evaluate(COMPLETE, '"a".upp') == ["upper"] and page.evaluate(COMPLETE, "fli") == ["flip"]
    assert "returned  Domino(2, 3)" in checked(page, "flip", "def flip(domino):\n    return domino")
    assert "✓ flip" in checked(page, "flip", flip)
    assert "took too long" in checked(page, "flip", "def flip(domino):\n    while True:\n        pass")
    page.evaluate(QUIETLY, ["from course.learner import practice", "practice.SECONDS_PER_EXAMPLE *= 100"])
    assert "too much memory" in checked(page, "flip", HOARDING)
    page.evaluate(QUIETLY, ["practice.SECONDS_PER_EXAMPLE /= 100"])
    assert "✓ flip" in checked(page, "flip", flip)
    assert "Domino(2, 1)" in run(page, "flip-check", 'borrow("flip")\nflip(Domino(1, 2))')
    run(page, "flip-check", 'from course.check import check\n\ncheck("flip")')

    page.evaluate(BEGIN, ["append", 'name = input("Who? ")'])
    page.locator(".jp-Stdin-input").fill("Ada")
    page.locator(".jp-Stdin-input").press("Enter")
    page.evaluate(QUIETLY, ["pass"])
    assert run(page, "append-check", "name") == "'Ada'"

    run(page, "legal_adds", 'from course.tables import domino_table\ndomino_table("HB", pace=0, seed=3)')
    page.wait_for_selector(".foldem[data-revision]", timeout=LONG)
    assert play_out(page, "!") > 3

    run(page, "legal_adds", "def legal_adds(domino, chain):\n    while True:\n        pass")
    page.evaluate(SAVE)
    page.evaluate(BEGIN, ["legal_adds-check", None])
    page.reload()  # in the middle of a check
    wait_until_ready(page)
    assert page.evaluate(SOURCE, "flip") == flip and "while True" in page.evaluate(SOURCE, "legal_adds")
    assert "✓ flip" in checked(page, "flip", flip)
    page.evaluate(RESTART)
    assert "✓ flip" in checked(page, "flip", flip), "the imports have run again"
    page.evaluate(SAVE)
    run(page, "start-tools")
    page.locator(".foldem-progress a", has_text="Continue").click()
    page.wait_for_function(HEADING, arg="append", timeout=LONG)

    page.goto(address)
    assert page.get_by_text(re.compile(r"\d+ of 22 right")).inner_text()
    assert page.get_by_text("Continue: append in Dominoes").get_attribute("href").endswith("#cell-id=append-lesson")
    with page.expect_download() as loaded:
        page.locator('[data-path="1_dominoes.ipynb"] button').click()
    loaded.value.save_as(tmp_path / "1_dominoes.ipynb")
    done = foldem("grade", tmp_path / "1_dominoes.ipynb", "--json", "--sandbox", "off", "--seed", "0")
    (report,) = json.loads(done.stdout)
    points = {each["name"]: each["points"] for each in report["exercises"]}
    assert points["flip"] == read_unit("dominoes")["flip"].points and points["append"] == 0
    page.get_by_role("link", name="Five minutes for today").click()
    wait_until_ready(page)
    assert "for today" in run(page, "today"), "it finds the progress of the other notebooks"


LOADED = promptly("""async (given) => {
  const database = await foldemWork.openFiles("files"), names = ["0.ipynb", "a.py", ".foldem/a.json"];
  const files = names.map((path) => ({ path, name: path, type: "file", last_modified: "", content: "mine" }));
  const pack = (files) => JSON.stringify({ foldem: 1, files });
  await foldemWork.loadInto(database, pack(files));
  await foldemWork.loadInto(database, pack(files.map((file) => ({ ...file, content: "a stranger's" }))));
  const strange = { cells: [{ metadata: { trusted: true } }, {}, null] };
  const text = JSON.stringify(strange), coded = btoa(text);
  for (const [path, content, format] of [
    ["strange.ipynb", strange, "json"],
    ["text.ipynb", text, "text"],
    ["list.ipynb", [text], "text"],
    ["coded.ipynb", coded, "base64"],
  ])
    await foldemWork.loadInto(database, pack([{ path, name: path, content, format }]));
  await foldemWork.loadInto(database, pack([{ path: "old.ipynb", name: "old.ipynb", content: given }]));
  await foldemWork.carryOver(database, "old.ipynb", "newer");
  await foldemWork.loadInto(database, await foldemWork.packed(database)); // which changes nothing
  const all = await foldemWork.done(database.transaction("files").objectStore("files").getAll());
  return Object.fromEntries(all.map((file) => [file.path, file.content]));
}""")


def stamped(stamp: str, source: str) -> dict[str, Any]:
    """Return a notebook of a version of the site, with an answer."""
    cell = {"source": source, "metadata": {"nbgrader": {"grade_id": "flip", "solution": True}}}
    return {"metadata": {"foldem": {"site": stamp}}, "cells": [cell]}


def test_loaded_work_and_an_update_replace_no_file_of_ones_own(browser: Any, tmp_path: Path) -> None:
    script = (ROOT / "autograder" / "site" / "work.js").read_text()
    updated = json.dumps(stamped("newer", ""))
    write_files(tmp_path, {"index.html": f"<script>{script}</script>", "files/old.ipynb": updated})
    with served(tmp_path) as address, browser.new_page() as page:
        page.goto(address)
        files = page.evaluate(LOADED, stamped("older", "mine"))
    assert files.pop("old.ipynb") == stamped("newer", "mine")
    assert files.pop("old (before the update).ipynb") == stamped("older", "mine")
    content = {"cells": [{"metadata": {}}, {}, None]}
    loaded = [files.pop(f"{name}.ipynb") for name in ("strange", "text", "list", "coded")]
    assert loaded == [content] * 4, "no script of a stranger runs when the notebook is opened"
    copies = {"0 (before loading).ipynb": "mine", "a (before loading).py": "mine"}
    assert files == dict.fromkeys(("0.ipynb", "a.py", ".foldem/a.json"), "a stranger's") | copies


MODULES = promptly("""async () => {
  const database = await foldemWork.openFiles(kept), file = { type: "file", format: "text", writable: true, size: 9 };
  const stop = "raise SystemExit", texts = { "unittest.py": stop, "jedi.py": stop, "own.py": "print('imported')" };
  const files = Object.entries(texts).map(([path, content]) => ({ ...file, path, name: path, content }));
  await foldemWork.loadInto(database, JSON.stringify({ foldem: 1, files }));
  database.close();
}""")


def test_opening_a_notebook_runs_no_loaded_module_but_a_cell_can(browser: Any, site: Path) -> None:
    with served(site) as address, browser.new_page() as page:  # other tests don't have these modules
        page.goto(address)
        page.evaluate(MODULES)
        opened(page, address, "warmup")
        assert "imported" in run(page, "swap_ends", "import own") and page.evaluate(COMPLETE, '"a".upp') == ["upper"]


@pytest.mark.parametrize(
    ("lacking", "sentence"),
    [
        ("delete window.WebAssembly", "no WebAssembly"),
        ("IDBFactory.prototype.open = () => { throw new Error('private') }", "saves no data for this page"),
    ],
)
def test_an_unsupported_browser_gets_a_message(page: Any, address: str, lacking: str, sentence: str) -> None:
    page.add_init_script(lacking)
    page.goto(address)
    page.get_by_role("alert").get_by_text(sentence).wait_for(timeout=LONG)


def test_a_courses_site_has_released_units_and_no_answers(tmp_path: Path) -> None:
    released = {f"release/cards/{unit.stem}.ipynb": built_notebook(unit) for unit in map(read_unit, unit_names())}
    course = write_files(tmp_path / "cs101", released | {"foldem.toml": "hints = false\nseed = 'secret'"})
    for _ in range(2):  # the second time over the first site
        list(make_site(tmp_path / "site", known(), (), course))
    assert (tmp_path / "site" / "files" / "cards" / "2_sedma.ipynb").exists()
    assert (tmp_path / "site" / "files" / "today.ipynb").exists(), "above the folders of all assignments"
    assert "hints = false" in (tmp_path / "site" / "files" / "foldem.toml").read_text()
    assert not [path for path in tmp_path.glob("site/**/*") if re.search("answers|solutions|autograder", path.name)]
    assert b"secret" not in b"".join(path.read_bytes() for path in tmp_path.glob("site/static/pyodide/foldem*"))


def test_button_of_the_documentation_leads_to_the_course(page: Any, site: Path, address: str) -> None:
    """The documentation and the course lie in one folder, below any path."""
    documentation = site.parent / "docs"
    command = [sys.executable, "-m", "sphinx", "--quiet", "-t", "try", ROOT / "docs", documentation]
    subprocess.run([*map(str, command)], check=True, capture_output=True, timeout=PATIENCE)
    shutil.copytree(site, documentation / "try")
    page.goto(address.replace("/down/", "/docs/"))
    page.get_by_text("Try it in this browser").click()
    page.locator(f'a[href*="{read_unit("dominoes").stem}"]').first.wait_for()
    assert page.url.endswith("/far/docs/try/index.html")
