"""`foldem takeout`: copy everything that is stored about a student."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from itertools import chain, count
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from autograder.commands.chosen import chosen_catalogue
from autograder.commands.forget import demand_holdings
from autograder.commands.options import TakeoutOptions
from autograder.config import ConfigError
from autograder.term.archive import ZIP
from autograder.term.course import read_course
from autograder.term.files import atomic_bytes


def run(options: TakeoutOptions) -> Iterator[str]:
    """Write a zip with everything that is stored about a student. Raises ConfigError if it exists."""
    course = read_course(options.course, chosen_catalogue(None, options.course))
    target = options.out or Path(f"{options.student}-takeout{ZIP}")
    if target.exists():
        raise ConfigError(f"{target} exists already: name a new file")
    contents = dict[str, bytes]()
    for holding in demand_holdings(course, options):
        for name, content in holding.copies():
            contents[_name_in_zip(name, contents)] = content
    write_zip(target, contents)
    yield f"wrote  {target}"


def write_zip(path: Path, contents: Mapping[str, str | bytes]) -> None:
    """Write a reproducible zip; the keys are paths in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_bytes(path) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)


def _name_in_zip(name: str, taken: Container[str]) -> str:
    """Return a free name that leads to no other folder on any system."""
    safe = name.replace("\\", "_")
    names = chain([safe], (f"{number}/{safe}" for number in count(2)))
    return next(each for each in names if each not in taken)
