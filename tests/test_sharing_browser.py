"""Shared games in a browser with a new profile: played to the end by touch; hostile engines achieve nothing."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from course.tables.sharing import SharedGame, link_text, read_link
from tests.stage import SIZES
from tests.test_sharing import LINKS
from tests.test_site_browser import LONG, QUIETLY, begun, opened, run
from tests.test_site_browser import address as address
from tests.test_site_browser import browser as browser
from tests.test_site_browser import page as page
from tests.test_site_browser import site as site
from tests.test_tables_browser import STATE, chromium, do, play_out

pytestmark = [pytest.mark.browser, pytest.mark.npm, pytest.mark.proof, pytest.mark.xdist_group("browser")]
OVER = {"dominoes": "!", "sedma": "have won", "basra": "The game is over", "uno": "!"}
MEGABYTES = 15


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
        assert 5e6 < sum(sizes) < MEGABYTES * 1e6
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


@pytest.mark.promise("games")
@pytest.mark.parametrize("evil", HOSTILE)
def test_a_hostile_engine_achieves_nothing_and_is_reported(page: Any, address: str, evil: str) -> None:
    body, report = HOSTILE[evil]
    cells = (*read_link(LINKS["dominoes"]).cells, f"def list_shuffle(tiles):\n    {body}")
    page.goto(f"{address}play.html#{link_text(SharedGame('dominoes', cells))}")
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


@pytest.mark.parametrize("link", ["", "1.uno.AAAA", "9.uno.AA"])
def test_a_damaged_link_says_so(page: Any, address: str, link: str) -> None:
    page.goto(f"{address}play.html#{link}")
    page.locator("#news[role=alert]").wait_for(timeout=LONG)
    assert "link" in page.locator("#news").inner_text()


def test_share_on_a_site_makes_a_link_to_it(page: Any, address: str) -> None:
    opened(page, address, "sedma")
    begun(page, "sedma")
    page.evaluate(QUIETLY, ["from course.check import share"])
    text = run(page, "built-lesson-1", 'share("sedma", "Ada")')
    link = text.split()[-1]
    assert link.startswith(f"{address}play.html#1.sedma.")
    assert table_of(page, address, link.partition("#")[2])
