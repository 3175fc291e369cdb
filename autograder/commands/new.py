"""`foldem new`: make a working pack, or add a unit to a pack."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from keyword import iskeyword
from pathlib import Path
from string import Template

import tomlkit

from autograder.commands.chosen import chosen_catalogue
from autograder.commands.options import NewOptions
from autograder.config import ConfigError
from autograder.hosts.products import build
from autograder.units.pack import PACK_FILE, Catalogue, UnitError, read_pack, unit_taken
from autograder.units.unit import read_unit

TEMPLATES = Path(__file__).parents[1] / "units" / "template"
ONCE = {"pack.toml": PACK_FILE, "pyproject.toml": "pyproject.toml", "init.py": "$course/__init__.py"}
OF_A_UNIT = {
    "given.py": "$course/$unit.py",
    "policy.toml": "$course/$unit.toml",
    "solutions.py": "solutions/$unit.py",
    "checks.py": "checks/$unit.py",
    "mistakes.py": "mistakes/$unit.py",
    "right.py": "right/${unit}_plain.py",
}


def run(options: NewOptions) -> Iterator[str]:
    """Add a unit to a new or existing pack and build it. Yield a line for each file written."""
    folder, unit, catalogue = options.folder, options.unit, chosen_catalogue()
    begun = (folder / PACK_FILE).exists()
    words = _words(folder, unit, begun, catalogue)
    wanted = OF_A_UNIT if begun else ONCE | OF_A_UNIT
    texts = {folder / Template(path).substitute(words): _filled(name, words) for name, path in wanted.items()}
    if there := [path for path in texts if path.exists()]:
        raise ConfigError(f"{there[0]} exists already: choose another name")
    if begun:
        texts[folder / PACK_FILE] = _with_unit((folder / PACK_FILE).read_text(encoding="utf-8"), unit)
    with _removed_after_failure(folder):
        yield from _written(texts)
        made = read_unit(catalogue.with_packs([folder]), unit)
        yield from (f"built  {path}" for path in build([made]))
    name = shlex.quote(str(folder))
    yield f"Next: run `foldem prove --pack {name}`. Then edit the exercises, and run `foldem build --pack {name}`"


@contextmanager
def _removed_after_failure(folder: Path) -> Iterator[None]:
    """Leave a folder as it was if the block fails or is interrupted."""
    new = next((path for path in (*reversed(folder.parents), folder) if not path.exists()), None)
    before, settings = {*folder.rglob("*")}, folder / PACK_FILE
    text = settings.read_bytes() if settings.exists() else b""
    try:
        yield
    except (Exception, KeyboardInterrupt):
        for path in sorted({*folder.rglob("*")} - before, reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        if text:
            settings.write_bytes(text)
        if new:
            shutil.rmtree(new)
        raise


def _words(folder: Path, unit: str, begun: bool, catalogue: Catalogue) -> dict[str, str]:
    """Return the values for the templates of a new unit.

    Raises UnitError or ConfigError for an impossible unit or pack.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", unit) or iskeyword(unit):
        raise UnitError(f"a unit cannot be named {unit!r}: use lower-case letters, digits and _, and no word of Python")
    if not begun and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder} exists and is not a pack: name a new folder")
    if taken := unit_taken(catalogue, unit, folder):
        raise UnitError(f"the unit {unit} exists already, in {taken}")
    name = read_pack(folder).name if begun else re.sub(r"\W", "_", folder.resolve().name.lower())
    if not name.isidentifier():
        raise UnitError(f"a pack cannot be named {name!r}: use a folder name that begins with a letter")
    return {"unit": unit, "name": name, "course": read_pack(folder).course if begun else f"{name}_course"}


def _filled(name: str, words: dict[str, str]) -> str:
    return Template((TEMPLATES / f"{name}.txt").read_text(encoding="utf-8")).substitute(words)


def _with_unit(text: str, unit: str) -> str:
    """Return a pack's settings with the unit added."""
    document = tomlkit.parse(text)
    document["units"].append(unit)
    return tomlkit.dumps(document)


def _written(texts: dict[Path, str]) -> Iterator[str]:
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        yield f"wrote  {path}"
