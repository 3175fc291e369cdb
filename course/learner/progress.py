"""A learner's progress, stored in `.foldem/progress/` next to the notebooks, and shown by `progress()`.

A check mark belongs to one version of an answer, and is lost when the answer changes. Each unit has its own file, so
that two notebooks that run at the same time do not overwrite each other's progress.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass, replace
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, TypeAlias

from course.diagnoses.compared import TextPiece
from course.exam.readable import printable_text
from course.kernel import catalogue, notebook
from course.kernel.history import defining_run
from course.kernel.notebook import is_interactive, make_progress_folder, read_safely, write_safely
from course.kernel.workspace import FOLDER_VARIABLE, Workspace, workspace_of
from course.learner.answer import Answer
from course.roles import role_module
from course.show.blocks import FAINT_STYLE, SUMMARY_STYLE, Row, as_line, progress_bar_html, progress_bar_text
from course.show.cards import joined_with_and
from course.show.pictures import unit_picture
from course.show.results import (
    BAD,
    BORROWED,
    GOOD,
    OPEN,
    STALE,
    STATE_COLORS,
    STATE_SIGNS,
    STATE_WORDS,
    DisplayedText,
    Result,
    duration_text,
    framed_prose,
    score_text,
    state_sign,
)

# Notebook 7 opens a link in a new window, at the top. This script scrolls to the exercise's heading as soon as it
# exists, and again while the content above it grows. On a site, the notebook's name is in the query of the address.
NOTEBOOK_7_LINK_SCRIPT = """if (document.body.dataset.notebook) {
event.preventDefault(); event.stopPropagation(); let before, calm = 0;
const at = new URLSearchParams(location.search).get('path'), [page, cell] = this.dataset.there.split('#');
if (at) { const path = at.replace(/[^/]*$/, page);
const there = '?path=' + encodeURIComponent(path) + (cell ? '#' + cell : '');
return void (path === at && cell ? location.hash = cell : window.open(there)); }
const [file, name] = this.dataset.there.split(/#cell-id=|-lesson$/), there = window.open(file);
const bringing = setInterval(() => {
if (!name || there.closed || calm > 5) return clearInterval(bringing);
const named = [...there.document.querySelectorAll('h3 code')].find((code) => code.textContent === name);
if (!named) return;
named.scrollIntoView(); const now = named.getBoundingClientRect().top;
calm = now === before ? calm + 1 : 0; before = now; }, 300); }"""
USERS_SHOWN, EXAMPLES_ROOM = 3, 120
ALL_SOLVED_HTML = '<p style="font-size:1.2em"><b>You solved everything.</b>{}</p>'
PLAY_THE_GAMES = " Now play the games at the end of the notebooks."
CARDS_STYLE = "display:flex;flex-wrap:wrap;gap:1em;margin:1em 0"
CARD_STYLE = "display:flex;gap:1em;flex:1 1 22em;max-width:44em;border:1px solid #8888;border-radius:.6em;padding:.8em"
NO_FUNCTIONS_YET = "Your functions will appear here. A function appears as soon as it passes its check."
CALL_MAP_CAPTION = "Each function is followed by the functions that it calls."
STATE_LEGEND = STATE_WORDS | {BAD: "not right yet"}  # in the order in which the states are explained


@dataclass(frozen=True)
class ExerciseState:
    """The stored state of an exercise: its last check's result and time, a hash of the answer, and the help used."""

    state: str = OPEN
    points: float = 0.0
    form: float = 0.0
    form_of: float = 0.0
    source: str = ""
    checked: float = 0.0
    fails: int = 0
    hints: int = 0
    borrowed: bool = False


ExerciseStates: TypeAlias = dict[str, ExerciseState]
# States that could not be saved, because their folder is not writable. They last as long as the kernel runs.
_unsaved_states: dict[Path, ExerciseStates] = {}


@cache
def _print_progress_folder(folder: Path) -> None:
    """Print where progress is saved, once in each kernel."""
    print(f"Your notebook's folder is unknown here, so your progress is saved in {folder}.")
    where = "/content/drive/MyDrive/notebooks"
    print(f'To save your progress elsewhere, such as on Google Drive, run: {FOLDER_VARIABLE} = "{where}"')


def progress_path(folder: Path, unit: str) -> Path:
    """Return the path of the file that stores the progress in a unit for the notebooks in a folder."""
    return folder / ".foldem" / "progress" / f"{unit}.json"


def load_states(folder: Path, unit: str) -> ExerciseStates:
    """Return the stored states of a unit's exercises. If the file is damaged, return no states."""
    file, entries = progress_path(folder, unit), ExerciseStates()
    with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
        data = json.loads(read_safely(file))
        entries = {str(name): _state_from_data(value) for name, value in data.items()}
    return entries | _unsaved_states.get(file, {})


def stored_state(answer: Answer) -> ExerciseState:
    """Return the stored state of an exercise."""
    return load_states(answer.space.folder, answer.unit).get(answer.name, ExerciseState())


def _state_from_data(value: dict[str, Any]) -> ExerciseState:
    """Return a stored state. Raises TypeError or ValueError if `check` has not written it.

    JavaScript writes 1.0 as 1, so a float may be read as a whole number.
    """
    entry = ExerciseState(**value)
    kinds, wanted = (
        [float if type(part) is int else type(part) for part in astuple(each)] for each in (entry, ExerciseState())
    )
    if kinds != wanted or entry.state not in (GOOD, BAD, OPEN):
        raise ValueError
    return entry


def update_state(answer: Answer, change: Callable[[ExerciseState], ExerciseState]) -> ExerciseStates:
    """Change the stored state of an exercise, and return the states of all exercises of its unit.

    The new file is written under another name and then renamed, so that the file is never incomplete. If the folder is
    a symbolic link or not writable, the states stay in the memory of the kernel.
    """
    file, entries = progress_path(answer.space.folder, answer.unit), load_states(answer.space.folder, answer.unit)
    changed = entries | {answer.name: change(entries.get(answer.name, ExerciseState()))}
    _unsaved_states[file] = changed
    with suppress(OSError):
        make_progress_folder(file.parent)
        draft = file.with_suffix(f".{os.getpid()}")
        write_safely(draft, json.dumps({name: asdict(entry) for name, entry in changed.items()}, indent=1))
        draft.replace(file)
        del _unsaved_states[file]
    return changed


def store_result(answer: Answer, result: Result) -> ExerciseStates:
    """Store the result of a check, and return the states of all exercises of the unit."""
    state, is_wrong = result.state, result.state == BAD
    if answer.obstacle:
        if not result.stale:
            return load_states(answer.space.folder, answer.unit)
        right = GOOD, source_hash(answer.source)  # if it was right, something else is wrong now
        return update_state(answer, lambda old: old if (old.state, old.source) == right else replace(old, state=state))
    new = ExerciseState(
        state,
        points=float(result.points or 0),
        form=float(result.form_points),
        form_of=float(result.form_of),
        source=source_hash(answer.source),
        checked=time.time(),
    )
    return update_state(answer, lambda entry: replace(new, fails=entry.fails + is_wrong, hints=entry.hints))


def source_hash(source: str) -> str:
    """Return a short hash of an answer's source."""
    return hashlib.sha256(source.strip().encode("utf-8", "replace")).hexdigest()[:16]


def current_state(space: Workspace, unit: str, name: str, entry: ExerciseState) -> str:
    """Return the current state of an exercise. The state is STALE if a right answer was changed after its check.

    The cells that were run and the saved notebooks show whether the answer was changed.
    """
    if entry.state != GOOD:
        return BORROWED if entry.borrowed else entry.state
    run, _ = defining_run(space.runs if unit in space.units[:1] else (), name)
    if run is not None and source_hash(run.typed) != entry.source:
        return STALE
    saved = space.books_of(unit)
    is_newer = any(book.when > entry.checked for book in saved)
    has_changed = is_newer and all(source_hash(cell) != entry.source for book in saved for _, cell in book.cells)
    return STALE if has_changed else GOOD


@dataclass(frozen=True)
class UnitProgress:
    """The progress in a unit: the states of its exercises, the points, the points for form, and the maximum of both."""

    unit: str
    title: str
    notebook: str
    states: dict[str, str]
    points: float
    of: float
    form: float
    form_of: float

    @property
    def solved_count(self) -> int:
        return list(self.states.values()).count(GOOD)

    @property
    def next_exercise(self) -> str:
        """Return the first exercise that is not solved, or "" if all are solved."""
        return next((name for name, state in self.states.items() if state != GOOD), "")

    @property
    def score(self) -> str:
        """Return the points as text, including the points for style.

        If the complete exams are not installed, return a text that says how answers are checked.
        """
        if not catalogue.has_full_exams():
            is_sealed = catalogue.has_sealed_exam(self.unit)
            return "checked with the practice exam" if is_sealed else "checked with the visible examples"
        return score_text(self.points, self.of, self.form, self.form_of)


def unit_progress(space: Workspace, unit: str, entries: ExerciseStates | None = None) -> UnitProgress:
    """Return the progress in a unit. Answers that are borrowed, or changed after their check, earn no points.

    Only the exercises that the unit's notebooks list are counted. If the notebooks list no exercises, all exercises of
    the unit are counted.
    """
    entries = load_states(space.folder, unit) if entries is None else entries
    stated = catalogue.statements(unit)
    lists = [each for book in space.books_of(unit) if isinstance(each := book.metadata.get("exercises"), list)]
    names = [name for name in stated.by_name if not lists or any(name in each for each in lists)]
    states = {name: current_state(space, unit, name, entries.get(name, ExerciseState())) for name in names}
    most = sum(exercise.points for exercise in stated.exercises if exercise.name in states)
    earned = [entries[name] for name, state in states.items() if state in (GOOD, BAD)]
    points, form, form_of = (round(sum(getattr(e, what) for e in earned), 1) for what in ("points", "form", "form_of"))
    return UnitProgress(unit, stated.title, stated.notebook, states, points, most, form, form_of)


def units_here(space: Workspace) -> tuple[str, ...]:
    """Return the units whose notebooks are in a folder, or all units if the folder has no notebook of a unit."""
    catalogue.mentioned_packages.update(book.package for book in space.saved_notebooks)
    there = {book.unit for book in space.saved_notebooks}
    return tuple(unit for unit in catalogue.units() if unit in there) or catalogue.units()


def workspace_for(unit: str | None, is_needed: bool = True) -> Workspace | None:
    """Return the workspace of the notebook, or None if nbgrader runs the notebook.

    Raises NotRight for an unknown unit.
    """
    if notebook.nbgrader_step():
        return None
    if unit not in catalogue.units() and (is_needed or unit is not None):
        raise notebook.NotRight(f"there is no unit {unit!r}: the units are {', '.join(catalogue.units())}")
    space = workspace_of(notebook.namespace(2))
    if is_interactive() and space.has_unknown_folder:
        _print_progress_folder(space.folder)
    return space


def progress(unit: str | None = None) -> DisplayedText | None:
    """Show the progress in the course or in one unit. In a notebook, later checks update the displayed progress."""
    space = workspace_for(unit, is_needed=False)
    if space is None:
        return None
    return _show_in_kernel(shown_progress(space, unit), f"foldem-{unit or 'course'}")


def certificate(unit: str, name: str = "") -> DisplayedText | None:
    """Show the functions that you have written in a unit, and the next exercise.

    If you give your `name`, it is shown, too.
    """
    space = workspace_for(unit)
    if space is None:
        return None
    part = unit_progress(space, unit)
    if not part.solved_count:
        return framed_prose((NO_FUNCTIONS_YET,))
    whose = f" by {printable_text(str(name))}" if name else ""
    built = f"{part.solved_count} of {len(part.states)} functions written{whose}"
    ahead = link_to_next_exercise("Next", part)
    head = f'<b style="font-size:1.6em">{escape(part.title)}</b><p style="font-size:1.3em">{escape(built)}</p>'
    picture = unit_picture(catalogue.statements(unit).picture)
    inside = f'{picture}<div style="flex:1;min-width:0">{head}{_exercise_links(part, opened=True)}</div>'
    plain = "\n".join(filter(None, (f"{part.title}: {built}", ahead.plain)))
    return DisplayedText(plain, f'<section style="{CARD_STYLE}">{inside}</section>{ahead.markup}')


def _show_in_kernel(shown: DisplayedText, display: str) -> DisplayedText | None:
    """Return something to show; in a kernel, show it so that it can be updated."""
    if not notebook.running_kernel():
        return shown
    notebook.show(shown, display_id=display)
    return None


def redraw_progress(part: UnitProgress) -> None:
    """Update the displayed progress in a unit, so that the saved notebook contains the current state."""
    calls = call_map_of(part)
    notebook.show(shown_unit_progress(part, calls), display_id=f"foldem-{part.unit}", update=True)
    notebook.show(calls, display_id=f"foldem-map-{part.unit}", update=True)


def call_map(unit: str) -> DisplayedText | None:
    """Show the exercises of a unit with their states, and which exercise calls which.

    Later checks update the shown states.
    """
    space = workspace_for(unit)
    if space is None:
        return None
    return _show_in_kernel(call_map_of(unit_progress(space, unit)), f"foldem-map-{unit}")


def call_map_of(part: UnitProgress) -> DisplayedText:
    """Return a unit's call map: each exercise with its state, and the exercises that it calls."""
    called, text, rows = (
        catalogue.statements(part.unit).calls,
        [CALL_MAP_CAPTION],
        [f'<div style="{FAINT_STYLE}">{CALL_MAP_CAPTION}</div>'],
    )
    for name, state in part.states.items():
        calls = ", ".join(other for other in called.get(name, ()) if other in part.states)
        calling = f" calls {calls}" if calls else ""
        text.append(f"{STATE_SIGNS[state]} {name}{calling}")
        rows.append(
            f'<div style="margin:4px 0">{_exercise_link(part, name, state)}<code>{escape(calling)}</code></div>'
        )
    return DisplayedText("\n".join(text), "".join(rows))


def shown_progress(space: Workspace, unit: str | None = None) -> DisplayedText:
    """Return the progress in all units, or in one unit, as text and HTML."""
    if unit is not None:
        part = unit_progress(space, unit)
        return shown_unit_progress(part, call_map_of(part))
    parts = [unit_progress(space, name) for name in units_here(space)]
    unfinished = [part for part in parts if part.solved_count < len(part.states)]
    lines = []
    if unfinished:  # the next exercise is in the unit last worked on
        checked = {
            part.unit: [entry.checked for entry in load_states(space.folder, part.unit).values()] for part in unfinished
        }
        part = max(unfinished, key=lambda part: max(checked[part.unit], default=0.0))
        has_begun = any(state != OPEN for state in part.states.values())
        word = "Continue" if has_begun else "Begin"
        # A notebook that was not used before is opened at its start, where the imports are.
        where = exercise_address(part, part.next_exercise) if has_begun or part.unit in space.units else part.notebook
        lines, way = [f"{word}: {part.next_exercise} in {part.title}", ""], _next_exercise_link(word, where, part)
    else:
        way = ALL_SOLVED_HTML.format(PLAY_THE_GAMES if any(has_game(part.unit) for part in parts) else "")
    return _progress_with_legend(
        parts, lines, f'{way}<div style="{CARDS_STYLE}">{"".join(map(_unit_card, parts))}</div>'
    )


def has_game(unit: str) -> bool:
    """Return whether a unit has a game that a person can play."""
    game = getattr(role_module(catalogue.statements(unit).module, "table"), "GAME", None)
    return getattr(game, "play", None) is not None


def shown_unit_progress(part: UnitProgress, calls: DisplayedText) -> DisplayedText:
    """Return the progress in one unit as text and HTML. The call map is shown after a click."""
    summary = f'<summary style="{SUMMARY_STYLE};cursor:pointer">Which function calls which</summary>'
    folded = f"<details>{summary}{calls.markup}</details>"
    way = link_to_next_exercise("Continue", part).markup if part.solved_count else ""
    head = f'<b>{escape(part.title)}</b> <span style="{FAINT_STYLE}">{escape(part.score)}</span>'
    way += f"<div>{head}{progress_bar_html(part.solved_count, len(part.states))}</div>"
    return _progress_with_legend([part], [], way + _exercise_links(part, opened=True) + folded)


def _progress_with_legend(units: list[UnitProgress], lines: list[str], inside: str) -> DisplayedText:
    """Return progress with a legend of its signs."""
    kinds = [state for state in STATE_LEGEND if any(state in part.states.values() for part in units)]
    rows = [*lines]
    for part in units:
        rows += [part.title, f"  {progress_bar_text(part.solved_count, len(part.states))} · {part.score}"]
        row = " ".join(f"{STATE_SIGNS[state]} {name}" for name, state in part.states.items() if state != OPEN)
        rows += [f"  {row}"] if row else []
    text = "\n".join([*rows, "", "  ".join(f"{STATE_SIGNS[kind]} {STATE_LEGEND[kind]}" for kind in kinds)])
    legend = " &ensp; ".join(
        f'{state_sign(kind)} <span style="{FAINT_STYLE}">{STATE_LEGEND[kind]}</span>' for kind in kinds
    )
    return DisplayedText(text, f'<div class="foldem-progress">{inside}<div>{legend}</div></div>')


def with_next_steps(answer: Answer, result: Result, part: UnitProgress) -> Result:
    """Return a right answer's result with three additions: an example, the answer's callers, and the next exercise."""
    link_there = link_attributes(exercise_address(part, part.next_exercise)) if part.next_exercise else ""
    users = [f"`{name}`" for name, used in answer.unit_stated.calls.items() if answer.name in used]
    notes = (f"{joined_with_and(users[:USERS_SHOWN])} will call this function.",) if users else ()
    example = next((each for each in answer.stated.examples if not each.raises and not each.setup), None)
    codes = {"call": as_line(example.call), "returns": as_line(example.want)} if example else {}
    rows = tuple(Row(label, (TextPiece(code),), drawn=code, is_code=True) for label, code in codes.items())
    fits = all(len(code) <= EXAMPLES_ROOM for code in codes.values())
    notes = (*result.notes, *notes)
    return replace(result, example_rows=rows if fits else (), ahead=part.next_exercise, link=link_there, notes=notes)


def exercise_address(part: UnitProgress, name: str) -> str:
    """Return the address of an exercise: its notebook and the cell of its lesson."""
    return f"{part.notebook}#cell-id={name}-lesson"


def link_attributes(where: str) -> str:
    """Return the HTML attributes of a link to an exercise, for JupyterLab and Notebook 7."""
    return f'href="{escape(where)}" data-there="{escape(where)}" onclick="{NOTEBOOK_7_LINK_SCRIPT}"'


def link_to_next_exercise(word: str, part: UnitProgress) -> DisplayedText:
    """Return the link to the next exercise of a unit. The link is empty if all exercises of the unit are solved."""
    if not part.next_exercise:
        return DisplayedText("", "")
    line = _next_exercise_link(word, exercise_address(part, part.next_exercise), part)
    return DisplayedText(f"{word}: {part.next_exercise} in {part.title}", line)


def _next_exercise_link(word: str, where: str, part: UnitProgress) -> str:
    label = f"{word}: <code>{escape(part.next_exercise)}</code> in {escape(part.title)}"
    return f'<p style="font-size:1.2em"><a {link_attributes(where)}><b>{label}</b></a></p>'


def _unit_card(part: UnitProgress) -> str:
    """Return a unit as a card: a picture, what the learner will build, the time it takes, and the progress."""
    stated = catalogue.statements(part.unit)
    points = [each.points for each in stated.exercises if each.name in part.states]
    size = f"{len(points)} exercises, about {duration_text(points)}"
    return (
        f'<section style="{CARD_STYLE}">{unit_picture(stated.picture)}<div style="flex:1;min-width:0">'
        f'<b><a href="{escape(part.notebook)}">{escape(part.title)}</a></b>'
        f'<div>{escape(stated.summary)}</div><div style="{FAINT_STYLE}">{size} · {escape(part.score)}</div>'
        f"{progress_bar_html(part.solved_count, len(part.states))}{_exercise_links(part, opened=False)}</div></section>"
    )


def _exercise_links(part: UnitProgress, opened: bool) -> str:
    """Return links to the exercises, in a fold."""
    chips = " ".join(_exercise_link(part, name, state) for name, state in part.states.items())
    summary = f'<summary style="{SUMMARY_STYLE};cursor:pointer">Exercises</summary>'
    row = "display:flex;flex-wrap:wrap;gap:.35em"
    return f'<details{" open" * opened}>{summary}<div style="{row}">{chips}</div></details>'


def _exercise_link(part: UnitProgress, name: str, state: str) -> str:
    frame = (
        f"display:inline-flex;align-items:center;gap:.35em;border:1px solid {STATE_COLORS[state]};border-radius:.6em"
    )
    frame += ";padding:.1em .5em;white-space:nowrap;line-height:1.5;max-width:100%;overflow-wrap:anywhere"
    code = f'<code style="background:none">{escape(name)}</code>'
    attributes = link_attributes(exercise_address(part, name))
    return f'<a {attributes} style="{frame}" title="{STATE_LEGEND[state]}">{state_sign(state)} {code}</a>'
