"""`foldem site`: make the course as a static website, for learners who only have a browser."""

from __future__ import annotations

import json
import shlex
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

from autograder.commands.options import SiteOptions
from autograder.commands.student_kit import (
    allowed_help,
    build_wheel,
    chosen_notebooks,
    kit_data_files,
    kit_settings,
    packs_in,
    seed_remarks,
    without_dead_links,
)
from autograder.config import SETTINGS_FILE, ConfigError
from autograder.grading.run import installed_version
from autograder.site.pages import (
    TODAY_FILE,
    NotebookCard,
    add_notebook_texts,
    add_play_page,
    add_start_page,
    notebook_card,
    today_notebook,
    write_jupyterlite,
)
from autograder.site.parts import ANSWERS_PACKAGE, SiteDownloads, fetch_downloads, write_answers_wheel
from autograder.term.course import chosen_catalogue, chosen_units
from autograder.units.build import given_cell_id
from autograder.units.pack import PACK_ROLES, Catalogue
from autograder.units.unit import Exercise, Unit, UnitError, read_unit
from course.syntax import lines_of
from course.tables.game import game_of
from course.tables.sharing import SharedGame, encode_game

SHORTEST_COMPARED_BODY = 60  # characters of a function's body; shorter bodies may be equal by chance
SITE_MARKER = "foldem-site.json"  # marks a folder as a site made by foldem, which may be overwritten


def run(options: SiteOptions) -> Iterator[str]:
    """Write the site that the options describe, and yield lines that say what was written."""
    catalogue = chosen_catalogue(options.pack, options.course or Path.cwd())
    return make_site(options.folder, catalogue, chosen_units(catalogue, options.pack, options.unit), options.course)


def make_site(
    folder: Path, catalogue: Catalogue, units: tuple[Unit, ...] = (), course: Path | None = None
) -> Iterator[str]:
    """Write a site into a folder, completely or not at all. Yield lines that say what was written."""
    ensure_free_folder(folder)
    linked = without_dead_links(chosen_notebooks(units, catalogue, course), catalogue)
    notebooks = {path: with_stamps(text) for path, text in linked.items()}
    parts = fetch_downloads()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as draft:
        new = Path(draft) / "site"
        _write_site(new, Path(draft), parts, notebooks, catalogue, course)
        if folder.exists():
            folder.replace(Path(draft) / "old")
        new.replace(folder)
    yield from seed_remarks(course)
    files = [path for path in folder.rglob("*") if path.is_file()]
    megabytes = sum(path.stat().st_size for path in files) / 1e6
    yield f"wrote  {folder}: {len(files):,} files, {megabytes:.0f} MB"
    serve = f"python3 -m http.server --bind 127.0.0.1 --directory {shlex.quote(str(folder))}"
    yield f"Next: run `{serve}`, and open http://localhost:8000"


def _write_site(
    new: Path,
    folder: Path,
    parts: SiteDownloads,
    notebooks: Mapping[str, str],
    catalogue: Catalogue,
    course: Path | None,
) -> None:
    """Write a site into a new folder. Raises ConfigError if a course's site would contain an answer."""
    allowed, files = allowed_help(course), kit_data_files(notebooks.values(), catalogue, course)
    own = [build_wheel(folder, pack, bool(allowed["hints"]), files) for pack in packs_in(notebooks.values(), catalogue)]
    if course is None:
        own.append(write_answers_wheel(folder, [read_unit(catalogue, unit) for unit in files["sealed"]]))
    else:
        cells = [cell for text in notebooks.values() for cell in json.loads(text).get("cells", ())]
        sources = ["".join(cell.get("source", "")) for cell in cells]
        ensure_no_answers(sources, own, secret_exercises(notebooks.values(), catalogue), catalogue)
    title = f"Foldem: {course.resolve().name}" if course else "Foldem"
    settings = {SETTINGS_FILE: kit_settings(allowed)} if course else {}  # without, everything is allowed
    write_jupyterlite(parts, tuple(own), {**notebooks, **settings, TODAY_FILE: today_notebook()}, title, new)
    cards = _cards(notebooks, catalogue)
    add_start_page(
        new, title, cards if course else map(partial(_with_game_link, catalogue), cards), installed_version()
    )
    add_notebook_texts(new, notebooks)
    add_play_page(new, title, parts)
    (new / SITE_MARKER).touch()


def with_stamps(text: str) -> str:
    """Return a notebook with data that the start page of a site needs.

    A hash of the notebook shows whether a learner's copy is from an older site. Each code cell also stores its original
    code, to show whether a learner has changed the cell.
    """
    notebook = json.loads(text)
    for cell in notebook.get("cells", ()):
        if cell["cell_type"] == "code" or cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["metadata"].setdefault("foldem", {})["given"] = "".join(cell["source"])
    notebook.setdefault("metadata", {}).setdefault("foldem", {})["site"] = sha256(text.encode()).hexdigest()[:12]
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def ensure_free_folder(folder: Path) -> None:
    """Raise ConfigError unless a folder is new, empty, or a site made by `foldem site`."""
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / SITE_MARKER).is_file())):
        raise ConfigError(f"{folder} exists and was not made by `foldem site`: choose a new folder")


def _cards(notebooks: Mapping[str, str], catalogue: Catalogue) -> Iterator[NotebookCard]:
    for path, text in sorted(notebooks.items()):
        notebook = json.loads(text)
        unit = notebook.get("metadata", {}).get("foldem", {}).get("unit", "")
        stated = dict[str, object]()
        with suppress(UnitError):
            file = catalogue.pack_of(unit).statements / f"{unit}.json"
            stated = json.loads(file.read_text(encoding="utf-8"))
        yield notebook_card(path, notebook, stated)


def _with_game_link(catalogue: Catalogue, card: NotebookCard) -> NotebookCard:
    """Return a card with a link to its unit's game, which the reference solutions play."""
    game = game_of(catalogue.pack_of(card.unit).given_module_name(card.unit)) if card.unit in catalogue.units else None
    if game is None or game.play is None:
        return card
    cells = tuple(each.source for each in read_unit(catalogue, card.unit).exercises)
    return replace(card, game=encode_game(SharedGame(card.unit, cells, "Foldem")))


def secret_exercises(notebooks: Iterable[str], catalogue: Catalogue) -> Iterator[Exercise]:
    """From the units of these notebooks, yield the exercises whose reference solution is in none of the notebooks."""
    parsed = [json.loads(text) for text in notebooks]
    given = {cell.get("id") for notebook in parsed for cell in notebook.get("cells", ())}
    for unit in {notebook.get("metadata", {}).get("foldem", {}).get("unit") for notebook in parsed} - {None}:
        yield from (each for each in read_unit(catalogue, unit).exercises if given_cell_id(each) not in given)


def ensure_no_answers(
    files: Iterable[str], wheels: Iterable[Path], secret: Iterable[Exercise], catalogue: Catalogue
) -> None:
    """Raise ConfigError if a course's site would contain the grader, or the reference solution of a secret exercise."""
    names, texts = set[str](), [*files]
    for wheel in wheels:
        with ZipFile(wheel) as archive:
            names |= {name.split("/")[0] for name in archive.namelist()}
            texts += [archive.read(name).decode("utf-8", "replace") for name in archive.namelist()]
    ours = "autograder", ANSWERS_PACKAGE, *(pack.package(role) for pack in catalogue.packs for role in PACK_ROLES)
    if secret_packages := names & {*ours}:
        raise ConfigError(
            f"no site written: it would contain the package {min(secret_packages)}, which learners could read. "
            "Remove this package from the pack's course folder"
        )
    for exercise in secret:
        body = "\n".join(lines_of(exercise.source)[exercise.docstring_end :])
        if len(body) > SHORTEST_COMPARED_BODY and any(body in text for text in texts):
            raise ConfigError(
                f"no site written: it would contain the reference solution to {exercise.name}, which learners could "
                "read. Remove it from the released notebooks and the pack's course folder"
            )
