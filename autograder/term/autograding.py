"""Problems of nbgrader that Foldem solves: submissions with other names, and interrupted grading."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from autograder.config import with_course_packs
from autograder.grading.batch import unit_in
from autograder.term.files import Hold, regrade_marker_of
from autograder.units.pack import Catalogue, catalogue_here

FEEDBACK_FOLDER = "feedback"
_in_hand: dict[tuple[str, str], Hold] = {}


def begin(assignment: str, student: str, notebooks: list[str]) -> None:
    """Mark a student's submission as being graded, and rename its notebooks for nbgrader.

    nbgrader calls this in the course folder, with the list that it iterates over.
    """
    catalogue = with_course_packs(catalogue_here(), Path.cwd())
    folder = Path(notebooks[0]).parent
    slot = folder.parent.name, folder.name
    mark = regrade_marker_of(Path(), *slot)
    _in_hand[slot] = Hold(mark)
    _in_hand[slot].taken(patient=True)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    shutil.rmtree(Path(FEEDBACK_FOLDER, *slot), ignore_errors=True)  # its pages are about an earlier file or mark
    wanted = [path.stem for path in Path("source", folder.name).glob("*.ipynb")]
    notebooks[:] = sorted(str(path) for path in rename_notebooks([Path(name) for name in notebooks], wanted, catalogue))


def end(assignment: str, student: str, notebooks: list[str]) -> None:
    """Remove the mark that a student's submission is being graded."""
    folder = Path(notebooks[0]).parent
    slot = folder.parent.name, folder.name
    regrade_marker_of(Path(), *slot).unlink(missing_ok=True)
    with suppress(KeyError):
        _in_hand.pop(slot).release()


def drop_unfinished(root: Path) -> list[Path]:
    """Remove the output of an interrupted `nbgrader autograde`. Otherwise nbgrader would skip it forever."""
    return [
        folder
        for folder in root.glob("autograded/*/*")
        if _was_dropped(folder, regrade_marker_of(root, *folder.parts[-2:]))
    ]


def _was_dropped(folder: Path, mark: Path) -> bool:
    """Remove a marked folder unless another process is grading it; return whether it was removed."""
    hold = Hold(mark)
    try:
        is_left = mark.exists() and hold.taken() and mark.exists()
        if is_left:
            shutil.rmtree(folder)
            mark.unlink()
        return is_left
    finally:
        hold.release()


def drop_unfinished_feedback(root: Path) -> None:
    """Remove feedback that lacks a page, as after an interruption. Otherwise nbgrader would skip it forever."""
    for folder in root.glob(f"{FEEDBACK_FOLDER}/*/*"):
        notebooks = (root / "autograded" / folder.relative_to(root / FEEDBACK_FOLDER)).glob("*.ipynb")
        if not all((folder / f"{each.stem}.html").is_file() for each in notebooks):
            shutil.rmtree(folder)


def rename_notebooks(notebooks: list[Path], wanted: list[str], catalogue: Catalogue) -> list[Path]:
    """Return all notebooks. If none has the expected name, rename them according to their content.

    A single unreadable file gets the name of the missing notebook, so that its problem is reported.
    """
    there = {path.stem for path in notebooks}
    strange = [path for path in notebooks if path.stem not in wanted and not path.is_symlink()]
    for stem in (stem for stem in wanted if stem not in there):
        fitting = [path for path in strange if (unit := unit_in(path, catalogue)) and unit.stem == stem]
        if not fitting and len(wanted) == len(notebooks) == 1 and strange and unit_in(strange[0], catalogue) is None:
            fitting = strange
        if len(fitting) == 1:
            now = fitting[0].with_name(f"{stem}.ipynb")
            fitting[0].rename(now)
            notebooks = [now if path == fitting[0] else path for path in notebooks]
    return notebooks
