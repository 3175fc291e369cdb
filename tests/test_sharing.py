"""Links to games: what they contain, when a course allows them, and the page that plays them; hostile engines."""

from __future__ import annotations

import hashlib
import html
import json
import re
import sys
import zlib
from base64 import b64decode, urlsafe_b64encode
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from toolz import compose

from autograder.config import ConfigError, Settings
from autograder.site import pages
from autograder.site.parts import EXTRA_PACKAGES, SiteDownloads
from course import check
from course.exam.calls import Names
from course.kernel.borrowed import borrow_into
from course.kernel.notebook import NotRight
from course.kernel.workspace import workspace_of
from course.tables.game import next_action
from course.tables.shared import play_link, table_of_shared_game
from course.tables.sharing import (
    DAMAGED_LINK_MESSAGE,
    NEWER_LINK_MESSAGE,
    SharedGame,
    encode_game,
    ensure_sharing_allowed,
    read_link,
    shared_statements,
)
from tests.classroom import write_file, write_files
from tests.stage import SIZES
from tests.test_site_browser import LONG, QUIETLY, address, begun, browser, opened, page, run, site
from tests.test_site_browser import pytestmark as site_marks
from tests.test_tables_browser import STATE, chromium, do, play_out
from tests.units import read_unit

__all__ = ("address", "browser", "page", "site")  # fixtures
SITE = "https://uni.example/cs101"
LINKS = json.loads((Path(__file__).parent / "links.json").read_text("utf-8"))  # of format 1; never make them again
NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,30}", fullmatch=True)
GAMES = st.builds(SharedGame, NAMES, st.lists(st.text(max_size=80), max_size=9).map(tuple), st.text(max_size=60))


def notebook_of(unit: str, *cells: str) -> Names:
    """Return a notebook in which our answers to a unit, and then other cells, were run."""
    first = f"from {read_unit(unit).pack.given_module_name(unit)} import *"
    every = [first, *(exercise.source for exercise in read_unit(unit).exercises), *cells]
    names: Names = {"__name__": "__main__", "In": ["", *every]}
    for cell in every:
        exec(cell, names)
    return names


# ---------------------------------------------------------------------------------------------------- the format


@given(GAMES)
def test_a_link_holds_the_game_that_it_was_made_of(game: SharedGame) -> None:
    assert read_link(encode_game(game)) == read_link(f"#{encode_game(game)}") == game


def packed(data: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return "1.uno." + urlsafe_b64encode(packer.compress(data) + packer.flush()).decode().rstrip("=")


@pytest.mark.promise("games")
@given(st.text() | st.builds(lambda game, at, end: encode_game(game)[:-at] + end, GAMES, st.integers(3, 9), st.text()))
@example(packed(b'{"by": "", "cells": ["' + b"a" * 10**7 + b'"]}'))  # a bomb of 13 KB
@example(packed(b"[" * 10**5))
@example(packed(b'{"by": 1, "cells": []}'))
@example(packed(b'{"by": "", "cells": [1]}'))
@example(packed(json.dumps({"by": "a" * 61, "cells": []}).encode()))
@example("1.uno." + "A" * 30_000)
@example("0.uno.AA")
@example("2.uno.AA")  # of a later format
def test_any_other_text_is_no_link(text: str) -> None:
    """The last two letters may differ: deflate leaves bits of its last byte unused."""
    with pytest.raises(NotRight) as refused:
        read_link(text)
    assert str(refused.value) in (DAMAGED_LINK_MESSAGE, NEWER_LINK_MESSAGE)


@pytest.mark.parametrize("unit", LINKS)
def test_an_old_link_is_still_played_to_the_end(unit: str) -> None:
    game = read_link(LINKS[unit])
    assert game.author == "Ada" and len(LINKS[unit]) < 10_000
    table = table_of_shared_game(game)
    for _ in range(600):
        table.receive(next_action(table), table.revision)
        if table.view().get("over"):
            break
    assert table.fault is None and table.view()["over"]


# ---------------------------------------------------------------------------------------------------- making one


def test_a_link_has_the_last_definitions_and_no_other_cell() -> None:
    helper, later, scratch = "def twice(x):\n    return 2 * x", "def twice(x):\n    return x + x", "print(flip)"
    answer = (
        "from itertools import chain\n\ndef flip(domino):\n    twice(1)\n    return Domino(domino.right, domino.left)"
    )
    names = notebook_of("dominoes", helper, answer, scratch, later, "twice = twice\nhand = flip")
    cells = shared_statements(workspace_of(names), "dominoes")
    assert cells[-2:] == (answer.partition("\n\n")[2], "twice = twice") and not {helper, later, scratch} & {*cells}
    assert not any("hand = flip" in cell or "import chain" in cell for cell in cells)


SETTINGS = {
    "an address in the settings": (f'sharing = true\nsite = "{SITE}/"', f"{SITE}/play.html#1.dominoes."),
    "no address": ("sharing = true", "needs the address"),
    "no links": ("hints = true", "Links to games are switched off in this course."),
}


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Names:
    """Return a notebook in an empty folder, in which the game of the old link was written."""
    monkeypatch.chdir(tmp_path)
    names = notebook_of("dominoes")
    names["In"] = ["", *read_link(LINKS["dominoes"]).cells]
    monkeypatch.setattr("course.kernel.notebook.namespace", lambda _: names)
    return names


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_of_a_course_allow_links_and_name_the_site(names: Names, tmp_path: Path, name: str) -> None:
    settings, shown = SETTINGS[name]
    (tmp_path / "foldem.toml").write_text(settings)
    assert shown in repr(check.share("dominoes"))


def test_share_shows_a_link_or_says_why_there_is_none(names: Names) -> None:
    assert repr(check.share("dominoes", "Ada", SITE)).endswith(f"{SITE}/play.html#{LINKS['dominoes']}")
    assert "no game `warmup`" in repr(check.share("warmup", site=SITE)) and "no game `x`" in repr(check.share("x"))
    del names["In"][5:]
    assert "You can play here after exercise" in repr(check.share("dominoes", site=SITE))
    borrow_into(names, "dominoes", "take")
    assert "uses the reference solution of `take`" in repr(check.share("dominoes", site=SITE))


AT = "2026-03-01T23:59:00+01:00"
BEFORE, AFTER = datetime(2026, 3, 1, 22, 58, tzinfo=UTC), datetime(2026, 3, 1, 22, 59, tzinfo=UTC)


DEADLINES = {"one": datetime(2026, 1, 1, tzinfo=UTC), "two": datetime.fromisoformat(AT)}
ALLOWED = [
    (Settings(deadlines=DEADLINES), BEFORE, "off in this course until 2026-03-01 23:59"),
    (Settings(deadlines=DEADLINES), AFTER, ""),
    (Settings(sharing=datetime.fromisoformat(AT)), BEFORE, "off in this course until 2026-03-01 23:59"),
    (Settings(sharing=False, deadlines=DEADLINES), AFTER, "off in this course$"),
    (Settings(), AFTER, "off in this course$"),
    (Settings(sharing=True), BEFORE, ""),
]


@pytest.mark.parametrize(("settings", "now", "trouble"), ALLOWED)
def test_in_a_course_links_begin_at_the_last_deadline(settings: Settings, now: datetime, trouble: str) -> None:
    with pytest.raises(NotRight, match=trouble) if trouble else nullcontext():
        ensure_sharing_allowed(settings.help, now)


# ---------------------------------------------------------------------------------------------------- the page


def test_the_page_plays_a_link_and_shows_why_a_bot_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygments.lexers", None)  # the page has only Python's library and toolz
    sent: list[dict[str, Any]] = []
    click = play_link(LINKS["basra"], ["course"], lambda message: sent.append(json.loads(message)))
    assert sent[0] == {"title": "Basra", "author": "Ada"} and click and not sent[-1]["scene"]["share"]
    click(json.dumps({"do": ["why"], "rev": sent[-1]["scene"]["rev"]}))
    assert sent[-1]["scene"]["run"]["title"] == "the move"
    assert play_link("1.basra.x", [], lambda message: sent.append(json.loads(message))) is None
    assert sent[-1] == {"failed": DAMAGED_LINK_MESSAGE}


def test_the_page_fetches_the_course_and_a_python_with_a_limit(tmp_path: Path) -> None:
    site, npm = tmp_path / "site", tmp_path / "npm"
    write_files(site / pages.PYODIDE, dict.fromkeys((*pages.SHARED_PYODIDE_FILES, EXTRA_PACKAGES), "{}"))
    for file, name in {"course": "course/statements/uno.json", "answers": "foldem_answers/answers.json"}.items():
        with ZipFile(site / pages.PYODIDE / f"foldem_{file}-1.whl", "w") as archive:
            archive.writestr(name, "")
    write_file(npm / pages.WASM_FILE, b"\0asm")
    with pytest.raises(ConfigError, match="this version of Pyodide is not supported"):
        pages.add_play_page(site, "<Uno>", SiteDownloads(npm, ()))
    write_file(npm / pages.WASM_FILE, b"\0asm\x05\x07\x01\x01\xe0\x03\x80\x80\x04rest")
    pages.add_play_page(site, "<Uno>", SiteDownloads(npm, ()))
    page = (site / "play.html").read_text("utf-8")
    files, limit = (json.loads(html.unescape(text)) for text in re.findall('data-(?:files|limit)="(.*?)"', page))
    archives = {Path(path).name for path in files if path.endswith((".whl", ".zip"))}
    assert archives == {"foldem_course-1.whl", pages.STANDARD} and "&lt;Uno&gt;" in page
    assert all((site / path).stat().st_size == size for path, size in files.items())
    assert limit == {"at": 10, "replaces": [0x80, 0x80, 4], "bytes": [0x80, 0xC0, 0]}
    frame = (site / pages.PLAY_FOLDER / "frame.js").read_bytes()
    hashes = re.findall("'sha256-(.*?)'", page)
    assert len(hashes) == 2 and {b64decode(each) for each in hashes} == {hashlib.sha256(frame).digest()}


on_a_site = compose(*site_marks)
OVER = {"dominoes": "!", "sedma": "have won", "basra": "The game is over", "uno": "!"}


def table_of(page: Any, address: str, link: str) -> Any:
    """Open a link, and return its frame once the table is drawn."""
    page.goto("about:blank")
    page.goto(f"{address}play.html#{link}")
    page.locator("iframe").wait_for(timeout=LONG)
    frame = page.frames[-1]
    frame.wait_for_selector(".foldem[data-revision]", timeout=LONG)
    return frame


def tap(frame: Any) -> None:
    """Touch the first thing that can be chosen at a table, else the strong button."""
    where = ".foldem-scene .hit" if frame.evaluate(STATE)["cards"] else ".foldem-bar .strong"
    do(frame, partial(frame.locator(where).first.tap, force=True))


@on_a_site
@pytest.mark.promise("games")
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("unit", OVER)
def test_a_link_is_played_to_its_end_by_touch_and_stopped(address: str, tmp_path: Path, unit: str, size: str) -> None:
    width, height = SIZES[size]
    with chromium(tmp_path / "profile", has_touch=True) as context:
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        sizes: list[int] = []
        page.on("response", lambda reply: sizes.append(int(reply.headers.get("content-length", 0))))
        frame = table_of(page, address, LINKS[unit])
        assert "Ada wrote this engine" in page.locator("h1").inner_text()
        assert 5e6 < sum(sizes) < 15e6
        wide = frame.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1] == SIZES[size][0]
        assert play_out(frame, OVER[unit], tap) > 3
        frame.locator(".foldem-why").tap()
        frame.wait_for_selector(".foldem-run, .foldem-note:not([hidden])")
        page.get_by_role("button", name="Stop it").tap()
        page.get_by_role("button", name="Start again").wait_for()
        assert page.workers == [] and page.locator("iframe").count() == 0


# ---------------------------------------------------------------------------------------------------- hostile engines

JS = "import sys; js = next(f.jsproxies['js'] for f in sys.meta_path if hasattr(f, 'jsproxies'))"
TITLE = '{"title": "Sign in at evil.example", "author": "Eve"}'
FAILED = '{"failed": "Sign in at evil.example"}'
SEND = """import sys
    frame = sys._getframe()
    while "send" not in frame.f_locals:
        frame = frame.f_back
    send = frame.f_locals["send"]"""
HOSTILE = {
    "a loop": ("while True: pass", "did not answer for 10 seconds, so it was stopped"),
    "2 GB at once": ("bytearray(2**31 - 1)", "MemoryError"),
    "2 GB by and by": ("tiles = []\n    while True: tiles.append(bytearray(10**7))", "MemoryError"),
    "fetch": ("from js import fetch", "ModuleNotFoundError"),
    "the network": ("import urllib.request; urllib.request.urlopen('http://127.0.0.1')", "URLError"),
    "storage": ("import js; js.localStorage", "ModuleNotFoundError"),
    "the page": (f"{JS}; js.parent.document", "KeyError"),
    "a worker": ("from pyodide.code import run_js; run_js('new Worker(location)')", "ModuleNotFoundError"),
    "a process": ("import os; os.fork()", "Error"),
    "a false message": (f"{SEND}\n    send({FAILED!r})", "Its code said: “Sign in at evil.example”"),
    "a flood": (f"{SEND}\n    send({TITLE!r})\n    while True: send(5)", "RangeError: too much is drawn"),
}


@on_a_site
@pytest.mark.promise("games")
@pytest.mark.parametrize("evil", HOSTILE)
def test_a_hostile_engine_achieves_nothing_and_is_reported(page: Any, address: str, evil: str) -> None:
    body, report = HOSTILE[evil]
    cells = (*read_link(LINKS["dominoes"]).cells, f"def list_shuffle(tiles):\n    {body}")
    page.goto(f"{address}play.html#{encode_game(SharedGame('dominoes', cells))}")
    page.locator("iframe").wait_for(timeout=LONG)
    if evil in ("a loop", "a flood", "a false message"):
        page.locator("#news[role=alert]").wait_for(timeout=LONG)
        assert report in page.locator("#news").inner_text()
        assert (page.locator("iframe").count(), page.workers) == (0, [])
    else:
        note = page.frame_locator("iframe").locator(".foldem-note.bad")
        note.wait_for(timeout=LONG)
        assert report in note.inner_text()
    header = page.locator("header").inner_text()
    assert "Somebody else wrote this code" in header and "Sign in" not in header


# What the frame and its worker refuse even to their own scripts, so that no way out of Python leads further.
IN_WORKER = ["import('{0}x')", "fetch('{0}x')", "importScripts('{0}x')", "new Worker('{0}x')", "indexedDB.open('x')"]
IN_FRAME = [
    "fetch('{0}x')",
    "localStorage.x",
    "indexedDB.open('x')",
    "parent.document",
    "document.cookie",
    "top.location = '{0}x'",
]
SILENT = ["open('{0}x')", "new Image().src = '{0}x'", "new WebSocket('ws' + '{0}x'.slice(4))", "location.href = '{0}x'"]
MARKUP = [
    *("<img src=x onerror=alert()>", "<b onclick=alert()>", "<iframe srcdoc=x></iframe>", "<a href=x>"),
    "<link rel=preconnect href=//127.0.0.1>",
]
DRAWING = """(text) => {
  const [one, two] = [document.createElement("p"), document.createElement("p")];
  one.innerHTML = text;
  two.insertAdjacentHTML("beforeend", text);
  return [one.innerHTML, two.innerHTML];
}"""


@on_a_site
@pytest.mark.promise("games")
def test_the_frame_reaches_nothing_even_with_its_own_scripts(page: Any, address: str, site: Path) -> None:
    frame, requests = table_of(page, address, LINKS["dominoes"]), list[str]()
    for script in IN_WORKER:
        with pytest.raises(Exception, match="Error"):
            page.workers[0].evaluate(script.format(address))
    for script in IN_FRAME:
        with pytest.raises(Exception, match="Error"):
            frame.evaluate(script.format(address))
    for markup in MARKUP:
        assert frame.evaluate(DRAWING, f"<b>{markup}</b>") == ["", ""]
    assert frame.evaluate(DRAWING, "<b>7</b>") == ["<b>7</b>", "<b>7</b>"]
    page.on("response", lambda reply: requests.append(reply.url))
    for script in SILENT:
        frame.evaluate(script.format(address))
    page.wait_for_timeout(500)
    assert requests == [] and page.url.startswith(address)


@on_a_site
@pytest.mark.parametrize("link", ["", "1.uno.AAAA", "9.uno.AA"])
def test_a_damaged_link_says_so(page: Any, address: str, link: str) -> None:
    page.goto(f"{address}play.html#{link}")
    page.locator("#news[role=alert]").wait_for(timeout=LONG)
    assert "link" in page.locator("#news").inner_text()


@on_a_site
def test_share_on_a_site_makes_a_link_to_it(page: Any, address: str) -> None:
    opened(page, address, "sedma")
    begun(page, "sedma")
    page.evaluate(QUIETLY, ["from course.check import share"])
    link = run(page, "built-lesson-1", 'share("sedma", "Ada")').split()[-1]
    assert link.startswith(f"{address}play.html#1.sedma.")
    assert table_of(page, address, link.partition("#")[2])
