"""`foldem collect`: a download of a learning platform, put where nbgrader and `foldem grade` look."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from autograder.config import ConfigError
from autograder.term.archive import files_of
from autograder.term.intake import name_of, newest, put, sorted_out
from autograder.term.places import root_of
from autograder.term.roster import roster_of
from autograder.text import counted

ALL_TAKEN, SOME_ODD = 0, 1


def run(download: Path, course: Path, assignment: str | None) -> int:
    """Take what can be taken, list what is odd, and give the exit status."""
    root = root_of(course)
    if root is None:
        raise ConfigError(f"{course} is no course folder: it has no foldem.toml")
    if not download.exists():
        raise ConfigError(f"{download}: No such file or directory")
    notebooks = assignments_of(root)
    if assignment is not None and assignment not in notebooks:
        raise ConfigError(
            f"there is no assignment {assignment!r} in {root / 'source'}: there are {', '.join(notebooks)}"
        )
    roster = roster_of(root)
    found = list(sorted_out(files_of(download), roster, notebooks, assignment))
    kept, older = newest(each for each in found if each.assignment)
    lines = [f"{name_of(each)}: {each.odd}" for each in found if each.odd]
    lines += [f"{name_of(each)}: older than another file of {each.student}: left out" for each in older]
    done = [put(root, each) for each in kept]
    without = sorted(set(roster) - {each.student for each in kept})
    lines += [f"nothing from {', '.join(without)}"] * bool(without)
    console = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
    for line in lines:
        console.print(line)
    console.print(
        f"{counted(done.count('taken'), 'notebook')} taken, {len(done) - done.count('taken'):,} there already."
    )
    return SOME_ODD if lines else ALL_TAKEN


def assignments_of(root: Path) -> dict[str, tuple[str, ...]]:
    """Give the assignments of a course, with the stems of their notebooks."""
    paths = sorted((root / "source").glob("*/*.ipynb"))
    names = sorted({path.parent.name for path in paths})
    return {name: tuple(path.stem for path in paths if path.parent.name == name) for name in names}
