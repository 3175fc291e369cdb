"""`foldem new`: make a new pack with a working unit, or add a unit to a pack."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from keyword import iskeyword
from pathlib import Path
from string import Template

import tomlkit

from autograder.commands.options import NewOptions
from autograder.config import ConfigError
from autograder.hosts.nbgrader import build_files
from autograder.term.course import chosen_catalogue
from autograder.term.files import write_texts
from autograder.units.pack import PACK_FILE, Catalogue, UnitError, pack_folder_with_unit, read_pack
from autograder.units.unit import read_unit

TEMPLATES_FOLDER = Path(__file__).parents[1] / "units" / "template"
PACK_TEMPLATES = {"pack.toml": PACK_FILE, "pyproject.toml": "pyproject.toml", "init.py": "$course/__init__.py"}
UNIT_TEMPLATES = {
    "given.py": "$course/$unit/__init__.py",
    "policy.toml": "$course/$unit/unit.toml",
    "solutions.py": "solutions/$unit.py",
    "checks.py": "exams/$unit/checks.py",
    "mistakes.py": "exams/$unit/mistakes.py",
    "right.py": "right/${unit}_plain.py",
}


def run(options: NewOptions) -> Iterator[str]:
    """Add a unit to a new or existing pack and build it. Yield a line of output about each file written."""
    folder, unit, catalogue = options.folder, options.unit, chosen_catalogue()
    begun = (folder / PACK_FILE).exists()
    words = template_words(folder, unit, begun, catalogue)
    texts = pack_texts(folder, words, begun) | filled_templates(folder, UNIT_TEMPLATES, words)
    if there := [path for path in texts if path.exists() and path != folder / PACK_FILE]:
        raise ConfigError(f"{there[0]} exists already: choose another name")
    with cleanup_after_failure(folder):
        yield from write_texts(texts)
        made = read_unit(catalogue.with_packs([folder]), unit)
        yield from (f"built  {path}" for path in build_files([made]))
    name = shlex.quote(str(folder))
    yield f"Next: run `foldem prove --pack {name}`. Then edit the exercises, and run `foldem build --pack {name}`"


@contextmanager
def cleanup_after_failure(folder: Path) -> Iterator[None]:
    """If the `with` block fails or is interrupted, remove the files that it has made, and restore `pack.toml`."""
    before, settings = {folder} if folder.exists() else set[Path](), folder / PACK_FILE
    before.update(folder.rglob("*"))
    text = settings.read_bytes() if settings.exists() else b""
    try:
        yield
    except BaseException:
        for path in sorted({folder, *folder.rglob("*")} - before, reverse=True) if folder.exists() else ():
            path.rmdir() if path.is_dir() else path.unlink()
        if text:
            settings.write_bytes(text)
        raise


def template_words(folder: Path, unit: str, begun: bool, catalogue: Catalogue) -> dict[str, str]:
    """Return the names of a new unit, its pack and the pack's course package, to fill them into templates.

    If `begun` is true, the pack exists already. Raises UnitError or ConfigError if the name of the unit or of the pack
    is not allowed.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", unit) or iskeyword(unit):
        raise UnitError(
            f"a unit cannot be named {unit!r}: use lower-case letters, digits and _, and no keyword of Python"
        )
    if not begun and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder} exists and is not a pack: choose a new folder")
    if taken := pack_folder_with_unit(catalogue, unit, folder):
        raise UnitError(f"the unit {unit} exists already, in {taken}")
    name = read_pack(folder).name if begun else re.sub(r"\W", "_", folder.resolve().name.lower())
    if not name.isidentifier():
        raise UnitError(f"a pack cannot be named {name!r}: use a folder name that begins with a letter")
    return {"unit": unit, "name": name, "course": read_pack(folder).course if begun else f"{name}_course"}


def pack_texts(folder: Path, words: dict[str, str], begun: bool) -> dict[Path, str]:
    """Return the path and the new text of `pack.toml`, which lists the new unit.

    For a new pack, also return the paths and texts of its other files.
    """
    if not begun:
        return filled_templates(folder, PACK_TEMPLATES, words)
    document = tomlkit.parse((folder / PACK_FILE).read_text(encoding="utf-8"))
    document["units"].append(words["unit"])
    return {folder / PACK_FILE: tomlkit.dumps(document)}


def filled_templates(folder: Path, paths: dict[str, str], words: dict[str, str]) -> dict[Path, str]:
    """Fill `words` into templates. Return the texts of the files to write, by path.

    `paths` maps the name of each template to the path of its file.
    """
    texts = {name: (TEMPLATES_FOLDER / f"{name}.txt").read_text(encoding="utf-8") for name in paths}
    return {
        folder / Template(paths[name]).substitute(words): Template(text).substitute(words)
        for name, text in texts.items()
    }
