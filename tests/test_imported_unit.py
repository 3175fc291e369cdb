"""A unit that `foldem import` makes gets what any unit has: checks, a kit, watched runs and questions."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from course.check import watch_cell
from tests.classroom import notebook_with, write_files
from tests.command import foldem, foldem_here, install_kit, printed_by, run_in_kit
from tests.kernel import Kernel, working_in
from tests.test_importing import SHAPES
from tests.units import read_unit

pytestmark = [pytest.mark.nbgrader, pytest.mark.sandbox, pytest.mark.bubblewrap]
TOGETHER = "02_hidden_and_split_points", "07_nested_values"
WORDS_OF_GAMES = re.compile(r"\b(cards?|games?|deck|deals?|dealt|domino(es)?|players?|Uno|Sedma|Basra)\b")
RIGHT = """def shout(text):
    if text.endswith("!"):
        return text.upper()
    return text.upper() + "!"
"""


FIRST_ODD = """def first_odd(rows):
    for row in rows:
        for number in row:
            if number % 2:
                return number
    return None
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a pack, `lab`, of a teacher's notebook."""
    folder = tmp_path_factory.mktemp("imported")
    parts = [nbformat.read(SHAPES / f"{shape}.ipynb", as_version=4) for shape in TOGETHER]
    parts[0].cells += parts[1].cells
    nbformat.write(parts[0], folder / "shouting.ipynb")
    printed_by(foldem_here("import", folder / "shouting.ipynb", "--into", folder / "lab"))
    return folder


@pytest.fixture(scope="module")
def kit(lab: Path) -> Path:
    """Return the folder of a kit; what its wheels contain is next to it."""
    return install_kit(lab, "--pack", lab / "lab", "--unit", "shouting")


def test_check_in_a_kit_shows_the_smallest_failing_call_and_no_game(kit: Path) -> None:
    wrong = "def shout(text):\n    return text + '!'"
    caught = "print(check('shout'))\nprint(catch(example('shout', ('ah',), 'AH!')))"
    text = run_in_kit(kit, "lab_course.shouting", wrong, "print(check('shout'))")
    text += run_in_kit(kit, "lab_course.shouting", RIGHT, caught)
    assert re.search(r"shout\('ah?'\)", text) and "right in all" in text and not WORDS_OF_GAMES.search(text)
    assert re.search(r"caught [1-9] of [2-9] wrong answers to `shout`", text), text
    files = [path for path in kit.parent.joinpath("installed").rglob("*") if path.is_file()]
    assert [path.name for path in files if b"stop!" in path.read_bytes()] == [], "a hidden call of the teacher"


def test_calls_of_an_imported_unit_can_be_watched_and_asked_about(
    lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDEM_PACKS", str(lab / "lab"))
    read_unit("shouting")
    with working_in(tmp_path):
        kernel = Kernel(has_imports=False)
        kernel.run("from lab_course.shouting import *\nfrom course.check import *")
        kernel.shell.register_magic_function(watch_cell, "cell", "watch")  # which the first import in a process does
        kernel.run(FIRST_ODD)
        lines = ("check('first_odd')", "%%watch\nfirst_odd([[2], [3]])", "viva('first_odd')")
        shown = {code: kernel.run(code) for code in lines}
    checked, watched, asked = shown.values()
    assert "right in all" in checked and "first_odd([[2], [3]]) → 3" in watched and "?" in asked
    assert WORDS_OF_GAMES.findall(checked + watched + asked) == []


@pytest.mark.proof
def test_reports_and_oral_questions_name_no_game(lab: Path) -> None:
    notebook = notebook_with(read_unit("shouting", lab / "lab"), {"shout": RIGHT, "first_odd": FIRST_ODD})
    write_files(lab / "submitted", {"ada/shouting/0_shouting.ipynb": notebook})
    reports, printed = lab / "reports", ""
    for words in (
        ("grade", lab / "submitted", "--out", reports),
        ("report", reports),
        ("viva", reports, "--student", "ada"),
    ):
        printed += printed_by(foldem(*words, "--pack", lab / "lab"))
    pages = (
        re.sub("<(style|script).*?</|<[^>]*>", "", path.read_text(), flags=re.DOTALL) for path in lab.rglob("*.html")
    )
    shown = printed + "".join(pages)
    assert shown.count("shout") > 3 and WORDS_OF_GAMES.findall(shown) == []
