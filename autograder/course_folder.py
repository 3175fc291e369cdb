"""`foldem course`: a folder in which the stock nbgrader commands work, with our parts put in by its configuration."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nbformat

from autograder.build import source_notebook
from autograder.config import NAME, TEMPLATE
from autograder.unit import read_unit, unit_names

NBGRADER_CONFIG = '''"""nbgrader's configuration of this course, written by `foldem course`. Change it as you like."""

from autograder.nbgrader_parts import course_config

c = get_config()  # noqa: F821

# True: submissions are graded in Foldem's sandbox, and no kernel is started.
# False: nbgrader runs the notebooks itself (trusted mode: student code shares the kernel with `check`).
c.merge(course_config(sandboxed=True))

c.CourseDirectory.course_id = {course!r}
'''


def make_course(folder: Path, units: tuple[str, ...] = ()) -> Iterator[str]:
    """Write the course folder and say what was written; files of the teacher's own are left as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    config = NBGRADER_CONFIG.format(course=folder.resolve().name)
    for path, text in ((folder / "nbgrader_config.py", config), (folder / NAME, TEMPLATE)):
        if path.exists():
            yield f"kept   {path}"
        else:
            path.write_text(text, encoding="utf-8")
            yield f"wrote  {path}"
    for unit in map(read_unit, units or unit_names()):
        path = folder / "source" / unit.name / f"{unit.stem}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(source_notebook(unit), path)
        yield f"wrote  {path}"
    yield f"Next: cd {folder} && nbgrader generate_assignment {(units or unit_names())[0]}"
