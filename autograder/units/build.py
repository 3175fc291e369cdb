"""Build nbgrader source notebooks from `solutions/` and `course/`. The same sources always give the same bytes.

Called by `foldem build`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.units.pages import effort_line, recap_table, reference_section, rules_of_notebook, unit_effort_line
from autograder.units.unit import Exercise, Unit, UnitError, read_unit
from autograder.units.written import helper_name, location_of, location_of_words
from course.exam.readable import one_line
from course.show.pictured import card_image_html
from course.syntax import lines_of
from course.tables.game import game_of

DRAW_BLOCK_PATTERN = re.compile(r"^```draw\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
PICTURE_SEPARATOR = " | "


def with_pictures(text: str, file: Path) -> str:
    """Return a lesson in which each `draw` block is replaced by pictures. Raises UnitError if a block has no picture.

    In a `draw` block, ` | ` separates values and words. Values are drawn, and words stay text. Error messages name
    `file` and the line.
    """

    def block_pictures(match: re.Match[str]) -> str:
        lines = []
        for line in match[1].splitlines():
            parts = []
            for part in line.split(PICTURE_SEPARATOR):  # a picture, or words in which text between backquotes is code
                drawn = card_image_html(part).replace('style="', 'style="vertical-align:middle;', 1)
                parts.append(drawn or re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(part, quote=False)))
            lines.append(" ".join(parts))
        if not any("<img " in line for line in lines):
            where, shown = location_of_words(file, match[1].splitlines()[0]), one_line(match[1], 200)
            raise UnitError(f"{where}: a lesson cannot draw {shown}. Write values in full, such as Domino(2, 4)")
        return "<p>" + "<br>\n".join(lines) + "</p>"

    return DRAW_BLOCK_PATTERN.sub(block_pictures, text)


KERNEL_SPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
MAY_RAISE_METADATA = {"tags": ["raises-exception"]}
HIDDEN_SOURCE_METADATA = {"jupyter": {"source_hidden": True}}
QUESTION_COMMENT = (
    "# A question: run this cell (Shift-Enter).\n"  # the line that JupyterLab shows of a cell that is folded away
)
STUB_LINE = "raise NotImplementedError"
CATCH_IMPORT = "from course.check import catch"
SHARING_TEXT = """\
## Let others play it

A link to your game, for anybody with a browser: they play with your functions. With your name: `share("{}", "Ada")`. \
In a course, links begin after the deadline."""
NAMED_BY_HAND, QUESTION, STAYS = "by_hand", "nbgrader", "stays"
OUR_COURSE, INSTALLING = "course", "start-install"
# Another distribution has a package `course`, too. Installing ours beside it would mix both.
INSTALL_CELL_CODE = """# This cell checks that Foldem's course is installed.
try:
    import course.check
except ModuleNotFoundError as error:
    if error.name == "course":
        MISSING
    elif error.name == "course.check":
        print("Another package `course` is in the way here. Use a new environment, or rename your file course.py.")
    else:
        raise"""
ASK_FOR_WHEEL_CODE = (
    'print("Foldem\'s course is missing here. Ask your course for its wheel, and install it with pip.")'
)
PIP_INSTALL_CODE = 'get_ipython().run_line_magic("pip", "install --quiet {}")'
PRIVATE_DEFINITION_PATTERN = re.compile(r"^(?:def |class |)_\w", re.MULTILINE)


def notebook_file(unit: Unit) -> Path:
    """Return the path of a unit's built notebook."""
    return unit.pack.folder("notebooks") / f"{unit.stem}.ipynb"


def built_notebook(unit: Unit) -> str:
    """Return a unit's built notebook. Raises UnitError if the notebook has not been built."""
    try:
        return notebook_file(unit).read_text(encoding="utf-8")
    except OSError:
        raise UnitError(f"{notebook_file(unit)} is not built yet: run `foldem build --pack {unit.pack.root}`") from None


def source_notebook(unit: Unit, exercises: Iterable[str] = ()) -> NotebookNode:
    """Return a unit as a source notebook for nbgrader.

    Solutions are between nbgrader's `BEGIN SOLUTION` and `END SOLUTION` lines; checks are locked cells. If
    `exercises` is not empty, the notebook ends after the last of these exercises. For each earlier exercise that is not
    in `exercises`, the notebook contains the reference.
    """
    chosen = tuple(exercises) or tuple(unit.by_name)
    cells = list(_with_stable_ids(_notebook_cells(unit, chosen)))
    names = [cell.id for cell in cells]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise UnitError(f"{_location_of_mark(unit, twice)}: two cells are named {twice!r}. Rename one")
    for cell in cells:
        cell.source = cell.source.replace(unit_effort_line(unit), unit_effort_line(unit, chosen))
    part: dict[str, object] = {"exercises": list(chosen)} if len(chosen) < len(unit.exercises) else {}
    home = {"course": unit.pack.course} if unit.pack.course != OUR_COURSE else {}
    metadata = {
        "kernelspec": KERNEL_SPEC,
        "language_info": {"name": "python"},
        "foldem": {"unit": unit.name, "version": unit.version, **home, **part},
    }
    notebook = new_notebook(cells=cells, metadata=metadata)
    nbformat.validate(notebook)
    return notebook


def _notebook_cells(unit: Unit, chosen: tuple[str, ...]) -> Iterator[NotebookNode]:
    """Yield the notebook's cells. Each exercise has its heading above its lesson, and its check below its answer."""
    held: list[NotebookNode] = []
    last = max(unit[name].number for name in chosen)
    for cell in _solution_cells(unit):
        exercise = _exercise_in_cell(unit, cell)
        if exercise is None and (STAYS in cell.metadata or QUESTION in cell.metadata):
            yield from held
            yield (
                _unchanged_cell(unit, cell.metadata[STAYS])
                if STAYS in cell.metadata
                else _nbgrader_question(unit, cell)
            )
            held = []
        elif exercise is None and held and cell.source.startswith(CATCH_IMPORT):
            held.append(_lesson_cell(unit, cell))
        elif exercise is None:  # a lesson may belong to the next exercise
            yield from held
            held = [*_with_tool_cells(unit, cell)]
        elif exercise.number > last:
            yield from held if held and held[0].cell_type == "code" else ()
            yield new_markdown_cell(reference_section(unit), id="names-lesson")
            return
        else:
            is_given = exercise.name not in chosen
            yield from _lesson_with_heading(unit, exercise, held, is_given)
            if is_given:
                yield new_code_cell(exercise.source, id=given_cell_id(exercise))
            else:
                yield from _exercise_cells(exercise)
            held = []
    yield from held
    yield new_markdown_cell(reference_section(unit), id="names-lesson")
    yield from _last_cells(unit) if len(chosen) == len(unit.exercises) else ()


def _solution_cells(unit: Unit) -> list[NotebookNode]:
    """Return the cells of the solutions, without those that define helpers."""
    import jupytext  # here, since only authors and new courses need it

    cells = jupytext.reads(unit.pack.file("solutions", unit.name).read_text("utf-8"), fmt="py:percent").cells
    return [cell for cell in cells if _exercise_in_cell(unit, cell) or not _has_helpers(unit, cell)]


def _location_of_mark(unit: Unit, name: object) -> str:
    """Return the file and line of the first cell that is marked with this name."""
    return location_of_words(unit.pack.file("solutions", unit.name), f'="{name}"', f'"{name}"')


def _unchanged_cell(unit: Unit, name: object) -> NotebookNode:
    """Return a cell of the notebook next to the solutions, unchanged. Raises UnitError if it is missing."""
    file = unit.pack.folder("solutions") / f"{unit.name}.ipynb"
    cells = nbformat.read(file, as_version=4).cells if file.is_file() else []
    if cell := next((cell for cell in cells if cell.id == name), None):
        return cell
    raise UnitError(f"{_location_of_mark(unit, name)}: no cell in {file} has the id {name!r}")


def _nbgrader_question(unit: Unit, cell: NotebookNode) -> NotebookNode:
    """Return a cell that nbgrader grades, such as a test or a written answer. Raises UnitError if it has no name."""
    data = cell.metadata[QUESTION]
    if "grade_id" not in data:
        raise UnitError(f"{unit.pack.file('solutions', unit.name)}:1: a cell for nbgrader has no grade_id: {data}")
    name = data["grade_id"]
    metadata = {QUESTION: _nbgrader_metadata(name) | data}
    new_cell = new_markdown_cell if cell.cell_type == "markdown" else new_code_cell
    return new_cell(cell.source, id=name, metadata=metadata)


def _last_cells(unit: Unit) -> Iterator[NotebookNode]:
    """Yield the last cells of a unit's notebook: its ideas, what learners have built, the next unit, and sharing."""
    if unit.policy.idea:
        yield new_markdown_cell(recap_table(unit), id="recap-lesson")
    text = "## What you have built\n\nThe functions that you have written, and what comes next."
    more = f'With your name on it: `certificate("{unit.name}", "Ada")`.'
    after = unit.pack.units[unit.pack.units.index(unit.name) + 1 :][:1]
    units = [read_unit(unit.catalogue, name) for name in after]
    nexts = [f"\n\n**Next: [{each.title}]({each.stem}.ipynb).** {each.summary}" for each in units]
    yield new_markdown_cell("".join((text, " ", more, *nexts)), id="built-lesson")
    source = f'from course.check import certificate\n\ncertificate("{unit.name}")'
    yield new_code_cell(source, id="built", metadata=MAY_RAISE_METADATA)
    game = game_of(unit.pack.given_module_name(unit.name))
    if game and game.play:
        yield new_markdown_cell(SHARING_TEXT.format(unit.name), id="share-lesson")
        yield new_code_cell(
            f'from course.check import share\n\nshare("{unit.name}")', id="share", metadata=MAY_RAISE_METADATA
        )


def _with_tool_cells(unit: Unit, cell: NotebookNode) -> Iterator[NotebookNode]:
    """Yield a cell. Around the import of the unit, yield more cells.

    Before it comes a cell for machines without the course, as on Google Colab; after it come the learner's tools and
    the rules.
    """
    is_import = cell.source.startswith(f"from {unit.pack.given_module_name(unit.name)} import")
    if is_import and unit.pack.course == OUR_COURSE:
        yield new_code_cell(install_cell(), id=INSTALLING, metadata=MAY_RAISE_METADATA | HIDDEN_SOURCE_METADATA)
    yield _lesson_cell(unit, cell)
    if is_import:
        tools = f'from course.check import borrow, check, hint, predict, progress, solution\n\nprogress("{unit.name}")'
        yield new_code_cell(tools, id="start-tools", metadata=MAY_RAISE_METADATA)
        yield new_markdown_cell(rules_of_notebook(unit), id="house-lesson")


def install_cell(address: str | None = None) -> str:
    """Return the code of a cell for notebooks in which the course package may be missing.

    The cell installs the package from `address`; without an address, it says what to do. The package is never installed
    by its name from an index, because somebody else may own that name.
    """
    return INSTALL_CELL_CODE.replace("MISSING", PIP_INSTALL_CODE.format(address) if address else ASK_FOR_WHEEL_CODE)


def _exercise_in_cell(unit: Unit, cell: NotebookNode) -> Exercise | None:
    if cell.cell_type != "code" or "active" in cell.metadata or STAYS in cell.metadata:
        return None
    matches = [exercise for exercise in unit.exercises if exercise.shown_source in cell.source]
    if len(matches) > 1:
        one, other = matches[:2]
        raise UnitError(f"{unit.location(other)}: {other.name} is in the cell of {one.name}. Write `# %%` above it")
    return matches[0] if matches else None


def _has_helpers(unit: Unit, cell: NotebookNode) -> bool:
    """Return whether a cell has helpers only. Raises UnitError if it has other code, too."""
    if cell.cell_type != "code" or "active" in cell.metadata or not PRIVATE_DEFINITION_PATTERN.search(cell.source):
        return False
    names = [helper_name(node) for node in ast.parse(cell.source).body]
    if any(names) and not all(names):
        file, name = unit.pack.file("solutions", unit.name), next(filter(None, names))
        raise UnitError(
            f"{location_of(file, name)}: the cell of the helper {name} has other code, too: "
            "give the helper its own cell"
        )
    return any(names)


def _lesson_cell(unit: Unit, cell: NotebookNode) -> NotebookNode:
    """Return a cell that belongs to no exercise. If it has the unit's title, add how long the unit takes."""
    if name := cell.metadata.get(NAMED_BY_HAND):
        graded = _nbgrader_metadata(name, grade=True, solution=True) | {"points": 0}
        return new_markdown_cell(cell.source, id=name, metadata={"foldem": {"stub": cell.source}, "nbgrader": graded})
    if cell.cell_type == "markdown":
        text = with_pictures(cell.source, unit.pack.file("solutions", unit.name))
        if text.startswith("# "):
            title, _, rest = text.partition("\n")
            text = f"{title}\n\n{unit_effort_line(unit)}\n{rest}"
        return new_markdown_cell(text)
    if "active" not in cell.metadata:
        return new_code_cell(cell.source)
    if cell.source.startswith("predict("):
        return new_code_cell(QUESTION_COMMENT + cell.source, metadata=MAY_RAISE_METADATA | HIDDEN_SOURCE_METADATA)
    return new_code_cell(cell.source, metadata=MAY_RAISE_METADATA)


def _lesson_with_heading(
    unit: Unit, exercise: Exercise, held: list[NotebookNode], is_given: bool
) -> Iterator[NotebookNode]:
    """Yield the lesson of an exercise with its heading.

    The heading of a group, if the lesson begins with one, stays above. The cells of `catch` come after the lesson.
    """
    if not held or held[0].cell_type != "markdown":
        yield from [*held, new_markdown_cell(exercise_heading(unit, exercise, is_given), id=f"{exercise.name}-lesson")]
        return
    first, _, rest = held[0].source.partition("\n")
    if first.startswith("## "):
        yield new_markdown_cell(first)
    lesson = rest.strip() if first.startswith("## ") else held[0].source
    yield new_markdown_cell(f"{exercise_heading(unit, exercise, is_given)}\n\n{lesson}", id=f"{exercise.name}-lesson")
    yield from () if is_given else held[1:]


def exercise_heading(unit: Unit, exercise: Exercise, is_given: bool = False) -> str:
    """Return an exercise's heading: its number and its name, and below it the line about points and size."""
    head = f"### {exercise.number}. `{exercise.name}`"
    return f"{head} <small>(given)</small>" if is_given else f"{head}\n\n{effort_line(unit, exercise)}"


def _exercise_cells(exercise: Exercise) -> Iterator[NotebookNode]:
    """Yield an answer cell, with nbgrader's marks around the part that students write, and the check below it."""
    graded = _nbgrader_metadata(exercise.name, solution=True)
    metadata = {**MAY_RAISE_METADATA, "foldem": {"stub": stub(exercise)}, "nbgrader": graded}
    indent = "" if exercise.is_value else "    "
    shown = f'"""{exercise.docstring}"""' if exercise.is_value else exercise.shown_source
    body = lines_of(exercise.source)[exercise.docstring_end :]
    marked = "\n".join([shown, f"{indent}### BEGIN SOLUTION", *body, f"{indent}### END SOLUTION"])
    yield new_code_cell(marked, id=exercise.name, metadata=metadata)
    check = f'from course.check import check\n\ncheck("{exercise.name}")'
    graded = _nbgrader_metadata(f"{exercise.name}-check", grade=True, locked=True) | {"points": exercise.points}
    yield new_code_cell(check, id=f"{exercise.name}-check", metadata={**MAY_RAISE_METADATA, "nbgrader": graded})


def given_cell_id(exercise: Exercise) -> str:
    """Return the id of the cell in which students get an exercise's reference."""
    return f"{exercise.name}-given"


def _nbgrader_metadata(
    grade_id: str, *, grade: bool = False, locked: bool = False, solution: bool = False
) -> dict[str, object]:
    return {
        "grade": grade,
        "grade_id": grade_id,
        "locked": locked,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }


def stub(exercise: Exercise) -> str:
    """Return the line that students replace with their own answer."""
    return f"{exercise.signature} = TODO" if exercise.is_value else STUB_LINE


def student_stub(exercise: Exercise) -> str:
    """Return the text of an exercise's cell as students get it."""
    if exercise.is_value:
        return f'"""{exercise.docstring}"""\n{stub(exercise)}'
    return f"{exercise.shown_source}\n    {STUB_LINE}"


def _with_stable_ids(cells: Iterable[NotebookNode]) -> Iterator[NotebookNode]:
    """Yield the cells with stable ids. Cells without a name are numbered by position."""
    last, count = "start", 0
    for cell in cells:
        if cell.get("id") == INSTALLING:  # the others keep the numbers that they had without it
            yield cell
            continue
        is_named = "nbgrader" in cell.metadata or cell.id.endswith(("-lesson", "-given", "-tools"))
        named = cell.get("id", "") if is_named else ""
        last, count = (named, 0) if named else (last, count + 1)
        cell["id"] = named or f"{last}-{count}"
        yield cell
