"""`foldem site`: what it refuses before it downloads anything, what it requires of the built site, and its scripts."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.commands import site as command
from autograder.commands.site import with_stamps
from autograder.commands.student_kit import build_wheel
from autograder.config import ConfigError
from autograder.site import pages, parts
from autograder.site.parts import write_answers_wheel
from autograder.units.build import built_notebook, source_notebook
from course.show.results import GOOD
from tests.classroom import write_files
from tests.command import PATIENCE
from tests.lesson import Lesson
from tests.npm import installed
from tests.sealed import alone as alone
from tests.test_tables_browser import ROOT
from tests.units import known, read_unit, unit_names

TARGETS = {"ipython": parts.EXTRA_PACKAGES, "toolz": parts.STANDARD, "toolzed": parts.EXTRA_PACKAGES}


@pytest.mark.parametrize("package", ["foldem_course", "foldem_answers", "war_course", "jedi", "parso", *TARGETS])
def test_packages_that_read_data_files_stay_wheels_outside_the_zip(package: str) -> None:
    wheel = Path(f"{package}-1.0-py3-none-any.whl")
    assert parts.target_file_name(wheel) == TARGETS.get(package, wheel.name)


def test_the_notebook_of_today_starts_the_same_kernel_as_the_others() -> None:
    other = json.loads(built_notebook(read_unit("warmup")))["metadata"]
    assert json.loads(pages.today_notebook())["metadata"].items() <= other.items()


@pytest.mark.parametrize("name", ["a file", "a folder"])
def test_a_folder_that_is_no_site_is_not_overwritten(tmp_path: Path, name: str) -> None:
    write_files(tmp_path, {"a folder/thesis.txt": "", "a file": ""})
    with pytest.raises(ConfigError, match="was not made by `foldem site`"):
        list(command.make_site(tmp_path / name, known()))


def test_without_npm_or_the_extra_a_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ConfigError, match="apt-get install npm"):
        list(command.make_site(tmp_path / "site", known(), (read_unit("warmup"),)))
    assert not (tmp_path / "site").exists()


def test_course_site_may_hold_released_notebooks_and_their_kit(tmp_path: Path) -> None:
    notebooks = [built_notebook(read_unit(unit)) for unit in unit_names()]
    secret = [*command.secret_exercises(notebooks, known())]
    assert {*secret} == {each for unit in unit_names() for each in read_unit(unit).exercises}
    sources = ["".join(cell["source"]) for text in notebooks for cell in json.loads(text)["cells"]]
    command.ensure_no_answers(sources, [build_wheel(tmp_path, known().packs[0], True)], secret, known())


def test_course_site_with_a_reference_is_refused(tmp_path: Path) -> None:
    unit = read_unit("uno")
    with pytest.raises(ConfigError, match="reference solution to deck"):
        command.ensure_no_answers([unit["deck"].source], [], [unit["deck"]], known())
    with pytest.raises(ConfigError, match="foldem_answers"):
        command.ensure_no_answers([], [write_answers_wheel(tmp_path, [unit])], unit.exercises, known())


def test_a_course_site_may_have_references_given_by_an_assignment() -> None:
    notebook = nbformat.writes(source_notebook(read_unit("uno"), ["deck", "deal"]))
    secret = {exercise.name for exercise in command.secret_exercises([notebook], known())}
    assert {"deck", "deal", "draw"} <= secret and "precedes" not in secret


def test_the_wheel_of_references_hands_them_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(write_answers_wheel(tmp_path, [read_unit("dominoes")])) as wheel:
        wheel.extractall(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    from foldem_answers import References  # type: ignore[import-not-found]

    assert References().reference("dominoes", "flip").startswith("def flip(")
    assert References().has_one_answer("dominoes", "flip")


@pytest.mark.usefixtures("alone")
def test_self_study_tries_each_exercise_among_references() -> None:
    lesson = Lesson("dominoes", "def flip(domino):\n    return domino", read_unit("dominoes")["legal_adds"].source)
    right = lesson.check("legal_adds")
    assert right.state == GOOD and "right in all" in str(right) and "your function uses `flip`" in " ".join(right.notes)
    lesson.run("def flip(domino):\n    return Domino(3, domino.right) if domino.left == 3 else Domino(3, 2)")
    assert "expected  Domino(" in str(lesson.check("flip"))


def test_two_assignments_with_parts_of_a_unit_have_their_own_exercises(tmp_path: Path) -> None:
    write_files(tmp_path, {"lab/index.html": "", "notebooks/index.html": ""})
    parts = {"one/1_dominoes.ipynb": ["flip"], "two/1_dominoes.ipynb": ["append"]}
    metadata = {path: {"metadata": {"foldem": {"unit": "dominoes", "exercises": part}}} for path, part in parts.items()}
    stated = {"exercises": [{"name": name, "points": 1} for name in ("flip", "append")]}
    pages.add_start_page(
        tmp_path, "x", [pages.notebook_card(path, data, stated) for path, data in metadata.items()], "1"
    )
    assert f"const exercises = {json.dumps(parts)};" in (tmp_path / "index.html").read_text()


def carried(older: dict[str, Any], newer: dict[str, Any]) -> dict[str, Any]:
    """Return the newer notebook of a site, into which the start page has put what is written in the older one."""
    script = (ROOT / "autograder/site/work.js").read_text(encoding="utf-8")
    order = 'const [older, newer] = JSON.parse(require("fs").readFileSync(0)); carryInto(older, newer);'
    command = ["node", "-e", f"const window = {{}};\n{script}\n{order}\nconsole.log(JSON.stringify(newer))"]
    given = json.dumps([older, newer])
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=PATIENCE, check=True)
    return dict(json.loads(done.stdout))


@pytest.mark.npm
def test_an_update_carries_over_helpers_and_changed_cells() -> None:
    older, newer = (json.loads(with_stamps(built_notebook(read_unit("dominoes")))) for _ in range(2))
    (flip,) = (cell for cell in newer["cells"] if cell["id"] == "flip")
    flip["source"] = flip["metadata"]["foldem"]["given"] = "".join(flip["source"]).replace("Return", "Give")
    at = {cell["id"]: number for number, cell in enumerate(older["cells"])}
    older["cells"][at["start-2"]]["source"] = "from course.dominoes import *\nfrom operator import attrgetter"
    first, half = older["cells"][at["append"]], {"cell_type": "code", "source": "def append(*_): return turned"}
    first["source"] = "def turned(): pass"
    older["cells"].insert(at["append"] + 1, half | {"id": "append", "metadata": first["metadata"]})
    own = {"cell_type": "code", "metadata": {}, "source": "def own(): pass"}
    older["cells"][at["flip-check"] : at["flip-check"]] = own | {"id": "own"}, own | {"id": "more"}
    done = carried(older, newer)
    after = {cell["id"]: (number, "".join(cell["source"])) for number, cell in enumerate(done["cells"])}
    assert after["start-2"][1].endswith("import attrgetter") and "Give" in after["flip"][1]
    assert len(after) == len(done["cells"]) == len(newer["cells"]) + 3
    assert after["own"] == (after["flip"][0] + 1, own["source"]) and after["more"][0] == after["own"][0] + 1
    place = after["append"][0] + 1
    assert after["append"][1] == "def turned(): pass" and after[f"append-{place}"] == (place, half["source"])


# ------------------------------------------------------------------------------------------------ scripts


RULES = Path(__file__).parent / "javascript"
SCRIPTS = sorted(
    str(file.relative_to(ROOT)) for room in ("course", "autograder") for file in (ROOT / room).rglob("*.*js")
)


def found_by(tool: str, *options: str) -> str:
    programs = installed("javascript", "eslint@10", "typescript@7") / ".bin"
    done = subprocess.run([programs / tool, *options], cwd=ROOT, capture_output=True, text=True, timeout=120)
    return done.stdout + done.stderr


@pytest.mark.npm
def test_eslint_finds_nothing() -> None:
    assert len(SCRIPTS) >= 7 and not found_by("eslint", "--config", str(RULES / "eslint.config.mjs"), *SCRIPTS)


@pytest.mark.npm
def test_types_of_jsdoc_agree() -> None:
    assert not found_by("tsc", "--project", str(RULES))


STANDINS = """
const home = (path) => new URL(path, "https://uni.example/course/foldem.js");
const location = { search: process.argv[1] }, drawn = () => true;
const fetch = async (page) => console.log(page.pathname);
"""


@pytest.mark.npm
@pytest.mark.parametrize(
    ("search", "shown"),
    [
        ("?path=1_dominoes.ipynb", "/course/texts/1_dominoes.ipynb.html\n"),
        ("?path=../../~eve/page", ""),
        ("?path=a/%2e%2e/%2e%2e/files/page", ""),
        ("", ""),
    ],
)
def test_address_can_name_only_a_text_of_the_site(search: str, shown: str) -> None:
    """A page from elsewhere on the server could run scripts in the site's page."""
    script = (ROOT / "autograder/site/foldem.js").read_text(encoding="utf-8")
    (show,) = re.findall(r"^async function showText.*?^}$", script, re.DOTALL | re.MULTILINE)
    command = ["node", "-e", f"{STANDINS}{show}\nshowText();", search]
    assert subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout == shown
