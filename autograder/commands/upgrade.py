"""`foldem course upgrade`: list or make the changes that bring released units to the installed Foldem's version."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from autograder.commands.grade import ALL_GRADED, SOME_NOT, GradeOptions, Grading
from autograder.commands.regrade import tell
from autograder.grading.run import installed_version
from autograder.submission.find import find_notebooks
from autograder.term.assignments import source_points
from autograder.term.places import SUBMITTED, course_at
from autograder.units.pack import use_pins
from autograder.units.pins import pin, versions_in
from autograder.units.unit import Exercise, Unit, read_unit, unit_names


def run(course: Path, write: bool) -> int:
    """Print what would change in statements, points and marks of a course; change it only if `write`."""
    root = course_at(course)
    console = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
    pinned = versions_in(root)
    for name in released(root):
        for line in _changes(root, name, pinned):
            console.print(line)
    use_pins(None)
    status = _marks(root, console, write)
    console.print("The course is upgraded." if write else "Nothing was changed. Add --write to upgrade.")
    return status


def released(root: Path) -> tuple[str, ...]:
    """Return the units that have source notebooks or pins in a course."""
    stems, pinned = {path.stem for path in (root / "source").glob("*/*.ipynb")}, versions_in(root)
    return tuple(name for name in unit_names() if name in pinned or read_unit(name).stem in stems)


def _changes(root: Path, name: str, pinned: dict[str, str]) -> Iterator[str]:
    if name not in pinned:
        yield f"{name}: not pinned, so it always uses the installed Foldem ({installed_version()})"
        return
    use_pins(root)
    before = read_unit(name)
    use_pins(None)
    lines = list(_between(before, read_unit(name)))
    yield f"{name}: released by Foldem {pinned[name]}, now {installed_version()}" + ": no change" * (not lines)
    yield from (f"    {line}" for line in (*lines, *(_left(root, name) if lines else ())))


def _left(root: Path, name: str) -> Iterator[str]:
    """Yield what an upgrade does not change: the course's source notebooks and the points set in them."""
    unit = read_unit(name)
    for path in sorted((root / "source").glob(f"*/{unit.stem}.ipynb")):
        held = source_points(root, path.parent.name, name)
        other = [f"{key}: {held[key]:g}" for key in unit.by_name if held.get(key, unit[key].points) != unit[key].points]
        points = f", with its own points ({', '.join(other)})" if other else ""
        yield f"{path.relative_to(root)} is kept{points}; to overwrite it, use foldem course --force"


def _between(before: Unit, now: Unit) -> Iterator[str]:
    """Yield the differences between two versions of a unit."""
    for name in {**before.by_name, **now.by_name}:
        match before.by_name.get(name), now.by_name.get(name):
            case None, Exercise(points=points):
                yield f"{name}: added, {_worth(points)}"
            case Exercise(points=points), None:
                yield f"{name}: removed, {_worth(points)}"
            case Exercise() as old, Exercise() as new:
                yield from _of_one(old, new)
    if before.form_share != now.form_share:
        yield f"form_share: {before.form_share:g} → {now.form_share:g}"


def _worth(points: float) -> str:
    return f"{points:g} point{'s' * (points != 1)}"


def _of_one(old: Exercise, new: Exercise) -> Iterator[str]:
    if old.points != new.points:
        yield f"{new.name}: {_worth(old.points)} → {new.points:g}"
    if (old.docstring, old.signature) != (new.docstring, new.signature):
        yield f"{new.name}: statement changed"
    elif old.source != new.source:
        yield f"{new.name}: reference answer changed"
    if _form(old) != _form(new):
        yield f"{new.name}: rules of form changed"


def _form(exercise: Exercise) -> tuple[int | tuple[str, ...], ...]:
    return exercise.fair_lines, exercise.requires, exercise.bans, exercise.binds


def _marks(root: Path, console: Console, write: bool) -> int:
    """Print whose marks would change; if `write`, pin the new versions and grade again."""
    found = list(find_notebooks([root / SUBMITTED])) if (root / SUBMITTED).is_dir() else []
    if found:
        begun = Grading.begun(GradeOptions(quiet=True), found, root, pins=False)
        tell(begun, console, Console(stderr=True, quiet=True))
    if not write:
        return ALL_GRADED
    for name in released(root):
        pin(root, read_unit(name), installed_version())
    if not found:
        return ALL_GRADED
    begun = Grading.begun(GradeOptions(quiet=True), found, root)
    begun.settle(Console(stderr=True, quiet=True))
    begun.remember()
    return ALL_GRADED if begun.is_graded else SOME_NOT
