"""`make screenshots`: the pages for teachers in docs, and what cells show, in light and dark, on a laptop and a phone.

The pictures of cells, and a page with those of each size and theme, are written to `build/screenshots`, for a person.
`tests/test_screens.py` compares the boxes of the same screens.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from IPython.utils.capture import capture_output
from PIL import Image

import solutions.warmup
from autograder.commands.demo import _without_docstring
from course.warmup import HEARTS, Joker, Number, Player
from course.watch.record import record_run
from course.watch.viewer import ON_PAPER, Viewer
from tests.classroom import notebook_with, reference_answers, right_answers, write_file
from tests.command import foldem
from tests.kernel import Kernel, save, working_in
from tests.stage import SIZES, open_stage, redraw, show_run, show_table
from tests.test_arena import hand_in
from tests.test_screens import GAMES, advance
from tests.test_tables_browser import ROOT, chromium
from tests.units import mistakes_of, read_unit

OUT = ROOT / "build" / "screenshots"
THEMES = ("light", "dark")
WIDTHS = {"laptop": 640, "phone": 240}  # of the small versions of pictures
WRONG = {
    "flip": "def flip(domino):\n    return domino",
    "append": "def append(domino, chain, side):\n    return EMPTY",
    "legal_adds": "def legal_adds(domino, chain)\n    return ()",
    "is_sound": "def is_sound(chain):\n    while True:\n        pass",
}
CELLS = {
    "a wrong answer": 'check("flip")',
    "another wrong answer": 'check("append")',
    "not Python": 'check("legal_adds")',
    "endless": 'check("is_sound")',
    "not written": 'check("suppress")',
    "a hint": 'hint("append")',
    "progress": "progress()",
    "a call map": 'call_map("dominoes")',
    "a certificate": 'certificate("dominoes", "Ann Lee")',
    "impostors": 'catch(example("legal_adds", (Domino(4, 5), EMPTY), (Chain(5, "5-4", 4),)))',
}
Shot = tuple[str, Any]


# ------------------------------------------------------------------------------------------- in a notebook


def outputs(folder: Path) -> dict[str, str]:
    """Return what cells of the dominoes notebook show, as HTML."""
    save(folder, WRONG, -9)
    with working_in(folder):
        kernel, shown = Kernel(), dict[str, str]()
        for source in WRONG.values():
            kernel.run(source)
        for name, cell in CELLS.items():
            with capture_output() as captured:
                result = kernel.shell.run_cell(cell, store_history=True).result
            html = [each.data.get("text/html", "") for each in captured.outputs]
            html += [result._repr_mimebundle_()["text/html"]] if result is not None else []
            shown[name] = "".join(html)
    return shown


def in_a_notebook(browser: Any, shown: dict[str, str], size: str, theme: str) -> Iterator[Shot]:
    """Yield results, watched runs and tables, as JupyterLab shows them."""
    for name, html in shown.items():
        yield name, open_stage(browser, size, theme, html)
    hand = Player("Ann", (), 0), (Joker(), Number(3, HEARTS))
    for name, way in (("a run", "calls"), ("a run on paper", ON_PAPER)):
        page = open_stage(browser, size, theme)
        viewer = Viewer(record_run(solutions.warmup.charge, hand, vars(solutions.warmup)), way)
        for _ in range(4):
            viewer.receive(["by", 1])
        show_run(page, viewer)
        yield name, page
    for name, make in GAMES.items():
        page, table = open_stage(browser, size, theme), make()
        show_table(page, table)
        for moves, when in ((6, "begun"), (999, "over")):
            advance(table, moves)
            redraw(page, table)
            yield f"{name}, {when}", page


# ------------------------------------------------------------------------------------------- in docs

FIRST = (
    *("Ana", "João", "Zoë", "Łukasz", "Beatriz", "Seo-yeon", "민준", "서연"),
    *("Ngọc", "Çağla", "Åsa", "Lucas", "Gabriel", "Emma", "María"),
)
LAST = (
    *("Silva", "Gonçalves", "Müller", "Wałęsa", "Kim", "이", "Nguyễn"),
    *("Öztürk", "Bergström", "Souza", "O'Neill", "Papadopoulos", "Costa"),
)
LONGEST_NAME = "Maximiliane-Charlotte Schönfeld-Weißenburger zu Hohenstein-Brandenburg und Lübeck"
HARDEST = "is_sound"
WEAKEST = (7, 13, 19)  # positions of three students who know little; the last one stops after six exercises
BOTS = {
    "Fox": "best = view.roll",
    "Lucky 7": "first = 1",
    "Capivara": "if view.roll % 4 == 0: return playable_cards(view)[-1]",
    "호랑이": "if view.roll % 2: return playable_cards(view)[-1]",
    "Crash": "if view.roll % 9 == 0: raise ValueError",
}


def write_drawn_class(course: Path, size: int) -> list[str]:
    """Write a roster, and files of dominoes. The last one is broken, and the student before hands in nothing.

    Return the ids of the students who need help most.
    """
    chance, ids = Random(size), [f"s{101 + number}" for number in range(size)]
    names = [f"{chance.choice(FIRST)} {chance.choice(LAST)}" for _ in ids]
    rows = (f"{student},{name}\n" for student, name in zip(ids, [*names[:3], LONGEST_NAME, *names[4:]], strict=True))
    write_file(course / "roster.csv", "id,name\n" + "".join(rows))
    for number, student in enumerate(ids[:-2]):
        ability = -2.6 if number in WEAKEST else chance.gauss(0.5, 0.9)
        notebook = notebook_with("dominoes", _drawn_answers(chance, ability, 6 if number == WEAKEST[-1] else 22))
        write_file(course / "submitted" / student / "dominoes" / "1_dominoes.ipynb", notebook)
    write_file(course / "submitted" / ids[-1] / "dominoes" / "1_dominoes.ipynb", "{broken")
    return [ids[number] for number in WEAKEST]


def _drawn_answers(chance: Random, ability: float, reach: int) -> dict[str, str]:
    """Return the first answers of a student: those that are too difficult are known mistakes."""
    references, style = reference_answers(read_unit("dominoes")), chance.choice(right_answers("dominoes")).answers
    answers = {}
    for at, (name, reference) in enumerate([*references.items()][:reach]):
        difficulty = 0.75 if name == HARDEST else 0.2 + 0.015 * at
        mistakes = [_without_docstring(each.source) for each in mistakes_of("dominoes") if each.exercise == name]
        is_wrong = mistakes and chance.random() < difficulty - 0.2 * ability
        wrong = mistakes[min(int(chance.expovariate(0.9)), len(mistakes) - 1)] if is_wrong else ""
        answers[name] = wrong or style.get(name, reference)
    return answers


def make_pages(folder: Path) -> dict[str, Path]:
    """Make pages for teachers: the class report, a student's page, and the table of a league."""
    for name in ("cs101", "bots101"):
        write_file(folder / name / "foldem.toml", "")
    first, *_ = write_drawn_class(folder / "cs101", 30)
    for number, (name, statement) in enumerate(BOTS.items()):
        hand_in(folder / "bots101", f"s{number}", name, statement)
    foldem("grade", folder / "cs101", "--out", folder / "reports")
    foldem("report", folder / "cs101", "--out", folder / "reports" / "class.html")
    foldem("tournament", folder / "bots101")
    return {
        "class-report": folder / "reports" / "class.html",
        "report": folder / "reports" / "pages" / first / "dominoes_1_dominoes.html",
        "league": folder / "bots101" / "league" / "index.html",
    }


def take_pages(browser: Any, folder: Path) -> None:
    """Take the pictures of docs."""
    page = browser.new_page()
    page.set_viewport_size({"width": 1180, "height": 860})
    for name, path in make_pages(folder).items():
        page.goto(path.as_uri())
        page.screenshot(path=(file := ROOT / "docs" / f"{name}.png"))
        Image.open(file).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)


# ----------------------------------------------------------------------------------------------- the sheet


def take(shots: Iterable[Shot], kind: str) -> None:
    """Save shots of one kind, and a page that shows them in small."""
    paths, last = list[Path](), None
    for name, page in shots:
        if last not in (None, page):
            last.close()
        last = page
        page.wait_for_timeout(250)
        paths.append(OUT / kind / f"{name.replace(', ', '-').replace(' ', '-')}.png")
        paths[-1].parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(paths[-1]), full_page=True)
    if last:
        last.close()
    write_sheet(paths, kind)


def write_sheet(paths: list[Path], kind: str) -> None:
    """Write a page that shows small versions of several pictures, with their names."""
    width = WIDTHS[kind.split("-")[0]]
    figure = '<figure>{0}<br><a href="{1}/{0}.png"><img src="{1}/{0}.png" width="{2}"></a></figure>'
    figures = "".join(figure.format(path.stem, kind, width) for path in paths)
    page = f'<!doctype html><body style="display: flex; flex-wrap: wrap; background: #888">{figures}'
    (OUT / f"{kind}.html").write_text(page, encoding="utf-8")


def main() -> None:
    """Take all screens."""
    shutil.rmtree(OUT, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name, chromium(Path(name) / "profile") as browser:
        take_pages(browser, Path(name))
        shown = outputs(Path(name))
        for size, theme in product(SIZES, THEMES):
            take(in_a_notebook(browser, shown, size, theme), f"{size}-{theme}")


if __name__ == "__main__":
    main()
