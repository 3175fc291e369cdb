"""`make screenshots`: the moving picture and the stills of README and docs, from a real JupyterLab in Chromium.

Somebody writes `flip` with a mistake, checks it, mends it, checks it again, and plays. Then pages for teachers follow.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from autograder.commands.lab import make_working_copy
from autograder.units.unit import units_in
from course.learner.opening import with_startup
from tests.classroom import write_file
from tests.command import foldem
from tests.drawn_class import write_drawn_class
from tests.test_league import hand_in
from tests.test_tables_browser import READY, chromium, click, do, jupyter_lab
from tests.units import known

DOCS = Path(__file__).parents[1] / "docs"
MOST_BYTES = 1_500_000
SIZE = {"width": 900, "height": 640}
NOTEBOOK = "1_dominoes.ipynb"
WRONG, RIGHT = "return Domino(domino.left, domino.right)", "return Domino(domino.right, domino.left)"
SHOW = """([index, offset]) => {
  const panel = window.jupyterapp.shell.currentWidget, book = panel.content;
  book.activeCellIndex = index; book.deselectAll();
  const scroller = panel.node.querySelector('.jp-WindowedPanel-outer');
  const cell = book.widgets[index].node;
  scroller.scrollTop += cell.getBoundingClientRect().top - scroller.getBoundingClientRect().top - offset;
}"""
FIND = """text => window.jupyterapp.shell.currentWidget.content.widgets.findIndex(
  cell => cell.model.type === 'code' && cell.model.sharedModel.source.includes(text))"""
RUN = "() => window.jupyterapp.commands.execute('notebook:run-cell')"
BOTS = {
    "Fox": "best = view.roll",
    "Lucky 7": "first = 1",
    "Capivara": "if view.roll % 4 == 0: return playable_cards(view)[-1]",
    "호랑이": "if view.roll % 2: return playable_cards(view)[-1]",
    "Crash": "if view.roll % 9 == 0: raise ValueError",
}
Frame = tuple[bytes, int]


class Film:
    """A notebook in a browser, and the frames taken of it, each with its milliseconds."""

    def __init__(self, page: Any) -> None:
        self.page, self.frames = page, list[Frame]()

    def take(self, milliseconds: int) -> bytes:
        """Take a frame."""
        self.frames.append((self.page.screenshot(), milliseconds))
        return self.frames[-1][0]

    def show(self, text: str, offset: int) -> None:
        """Scroll to the first code cell that contains a text, and make it the active one."""
        for _ in range(3):  # cells are drawn as they come into view, which moves the others
            self.page.evaluate(SHOW, [self.page.evaluate(FIND, text), offset])
            self.page.wait_for_timeout(400)

    def run(self, text: str) -> None:
        """Run the cell that contains a text, and wait for its end."""
        self.page.evaluate(
            "index => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = index; }",
            self.page.evaluate(FIND, text),
        )
        self.page.evaluate(RUN)
        self.page.wait_for_timeout(300)
        self.page.wait_for_function(READY)
        self.page.wait_for_timeout(900)

    def write_line(self, code: str) -> None:
        """Replace the last line of the active cell by typing, a frame for every few letters."""
        self.page.keyboard.press("Control+End")
        self.page.keyboard.press("Shift+Home")
        for start in range(0, len(code), 5):
            self.page.keyboard.type(code[start : start + 5])
            self.take(120)


def answer(film: Film, code: str, milliseconds: int) -> bytes:
    """Type the last line of `flip`, check it, and take a frame of the result."""
    film.page.locator(".jp-Notebook .jp-mod-active .cm-content").click()
    film.write_line(code)
    film.run("def flip(")
    film.run('check("flip")')
    film.show("def flip(", 60)
    return film.take(milliseconds)


def play(film: Film) -> Iterator[bytes]:
    """Act the scenes; yield the two stills."""
    film.show("def flip(", 150)
    film.take(1600)
    yield answer(film, WRONG, 3200)
    answer(film, RIGHT, 2600)
    film.run("domino_table")
    film.show("domino_table", 20)
    film.page.wait_for_selector(".foldem-bar button")
    film.take(1800)
    do(film.page, film.page.get_by_role("button", name="Play with the reference solutions for now").click)
    film.show("domino_table", -70)
    film.take(2000)
    for _ in range(3):
        click(film.page)
        film.page.wait_for_timeout(1500)
        film.show("domino_table", -70)
        still = film.take(1600)
    yield still


def write_moving_picture(frames: list[Frame], path: Path) -> None:
    """Write frames as an animated picture that is small enough for a README."""
    pictures = [Image.open(BytesIO(data)).convert("RGB") for data, _ in frames]
    sheet = Image.new("RGB", (SIZE["width"], SIZE["height"] * len(pictures)))
    for row, each in enumerate(pictures):
        sheet.paste(each, (0, SIZE["height"] * row))
    palette = sheet.quantize(200)
    first, *others = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in pictures]
    times = [time for _, time in frames]
    first.save(path, save_all=True, append_images=others, duration=times, loop=0, optimize=True)
    if path.stat().st_size > MOST_BYTES:
        sys.exit(f"{path} has {path.stat().st_size:,} bytes: take fewer frames")


def take_pages(folder: Path) -> None:
    """Take the pictures of pages for teachers: the class report, a student's page, and the table of a league."""
    for name in ("cs101", "bots101"):
        write_file(folder / name / "foldem.toml", "")
    first, *_ = write_drawn_class(folder / "cs101", 30)
    for number, (name, statement) in enumerate(BOTS.items()):
        hand_in(folder / "bots101", f"s{number}", name, statement)
    foldem("grade", folder / "cs101", "--out", folder / "reports")
    foldem("report", folder / "cs101", "--out", folder / "reports" / "class.html")
    foldem("tournament", folder / "bots101")
    pages = {
        "class-report": folder / "reports" / "class.html",
        "report": folder / "reports" / "pages" / first / "dominoes_1_dominoes.html",
        "league": folder / "bots101" / "league" / "index.html",
    }
    with chromium(folder / "profile") as browser:
        page = browser.new_page()
        page.set_viewport_size({"width": 1180, "height": 860})
        for name, path in pages.items():
            page.goto(path.as_uri())
            picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
            picture.quantize(256, dither=Image.Dither.NONE).save(DOCS / f"{name}.png", optimize=True)


def main() -> None:
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as name:
        take_pages(Path(name))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        list(make_working_copy(folder, units_in(known())))
        os.environ |= with_startup({})
        with jupyter_lab(folder) as address, chromium(folder / "profile") as browser:
            page = browser.new_page()
            page.set_viewport_size(SIZE)
            page.goto(address % NOTEBOOK)
            page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.context")
            page.wait_for_function(READY)
            for command in ("application:toggle-left-area", "statusbar:toggle"):
                page.evaluate("name => window.jupyterapp.commands.execute(name)", command)
            page.wait_for_timeout(1500)
            film = Film(page)
            stills = [*play(film)]
        for still, path in zip(stills, ("check.png", "play.png"), strict=True):
            (DOCS / path).write_bytes(still)
        write_moving_picture(film.frames, DOCS / "tour.gif")


if __name__ == "__main__":
    main()
