"""`foldem play`: play the games of the notebooks in the terminal, with the learner's own functions, unconfined.

A scene is shown as colored text, with the choices that can be typed.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from time import sleep

from rich.console import Console, Group
from rich.text import Text
from toolz import pluck, second

from autograder.arena.entries import plan
from autograder.commands.chosen import chosen_catalogue
from autograder.commands.options import PlayOptions
from autograder.errors import UserError
from autograder.sandbox.inside.orders import Step
from autograder.submission.sort import NotebookError, read_submission
from autograder.text import shown_name
from autograder.units.unit import Unit, read_unit
from course.exam.calls import Names
from course.show.cards import PLATE_STYLE
from course.show.kinds import ACROSS, DOWN, PictureLook
from course.show.pictures import picture_kind
from course.tables.game import game_of
from course.tables.learner import exception_line
from course.tables.scene import NARROW, WIDE, Action, Item, SceneView
from course.tables.table import AnyTable

OVER, BROKEN = 0, 1
UNDO = ("b", "back", "undo")
MEANWHILE = "waiting for the other players … · Ctrl-C quit"
OWN_KEYS, UNDO_KEY = {"b": "back", "h": "help", "q": "leave"}, "u"  # no other button gets one of these letters
Box = tuple[str, str]


def run(options: PlayOptions) -> int:
    """Play a game until the player quits, and return the exit status."""
    catalogue, unit, notebook = chosen_catalogue(options.pack), options.game, options.notebook
    game = game_of(catalogue.pack_of(unit).given(unit)) if unit in catalogue.units else None
    if game is None or game.play is None:
        games = {each: game_of(catalogue.pack_of(each).given(each)) for each in catalogue.units}
        known = [each for each, other in games.items() if other and other.play]
        raise UserError(f"there is no game {unit!r}: choose one of {', '.join(known)}")
    bots = game.bots[0] if options.bots is None else options.bots
    if bots not in game.bots:
        raise UserError(f"{unit} takes {game.bots[0]} to {game.bots[-1]} bots, not {bots}")
    if notebook and notebook.is_file() and not options.trust:
        warning = f"{notebook} runs without a sandbox, like any program that you start"
        if not sys.stdin.isatty():
            raise UserError(f"{warning}. If you trust it, add --trust")
        if input(f"{shown_name(warning)}. Do you trust it? [y/N] ").strip().lower() not in ("y", "yes"):
            raise UserError("not started")
    names = functions(read_unit(catalogue, unit), notebook)
    console = Console(highlight=False)
    try:
        return sit_down(game.play(names, bots, options.pace), console)
    except (KeyboardInterrupt, EOFError):
        console.print("\nYou have left the table.")
    return OVER


def sit_down(table: AnyTable, console: Console) -> int:
    """Play until the player quits or the game fails, and return the exit status."""
    room = WIDE if console.width * ACROSS >= WIDE.width else NARROW
    table.receive(["room", room.name], table.revision)
    while table.fault is None:
        view = table.view()
        if console.is_terminal or "wait" not in view:
            _show(view, console)
        if "wait" in view:
            sleep(view["wait"] / 1000 if console.is_terminal else 0)
            table.receive(["tick"], table.revision)
        elif not _is_answered(table, view, console):
            raise EOFError
    _show(table.view(), console)
    cause = table.fault.__cause__
    reason = failure_line(cause) if cause and not isinstance(cause, KeyboardInterrupt) else table.fault.trouble
    print(f"foldem: the game stopped: {reason}", file=sys.stderr)
    return BROKEN


def _show(view: SceneView, console: Console) -> None:
    if console.is_terminal:
        console.clear()
    console.print(frame(view))
    if console.is_terminal and "wait" in view:
        console.print(Text(MEANWHILE, style="cyan"))


def _is_answered(table: AnyTable, view: SceneView, console: Console) -> bool:
    """Ask until the player makes a move (return True) or quits (return False)."""
    choices = choices_of(view)
    numbers = [choice.key for choice in choices if choice.key.isdigit()]
    span = [f"{numbers[0]}–{numbers[-1]} choose" if len(numbers) > 1 else "1 choose"] if numbers else []
    letters = [f"{choice.key} {choice.label.partition(':')[0].lower()}" for choice in choices if choice.key.isalpha()]
    line = " · ".join([*span, *letters, *(f"{key} {what}" for key, what in OWN_KEYS.items())])
    while True:
        console.print(Text(line, style="cyan"))
        typed = console.input("> ").strip().lower()
        choice = typed_choice(view, typed)
        if typed in ("q", "quit", "exit", "leave"):
            return False
        if choice is not None:
            return table.receive(choice.do, table.revision)
        if typed in UNDO and table.last_choice is not None:
            return table.receive(["undo"], table.revision)
        if typed in ("h", "help", "?"):
            console.print(Text(help_text(view)))
        elif typed in UNDO:
            console.print("There is no move to undo yet.")
        elif typed:
            console.print(Text(f"I don't know {typed!r}. Type h for help."))


# ---------------------------------------------------------------------------------------------------- the functions


def functions(unit: Unit, notebook: Path | None) -> Names:
    """Return the names of a unit. Exercises come from a notebook if there is one, or else from the references."""
    names = {name: getattr(unit.module, name) for name in unit.module.__all__} | {"__name__": "__main__"}
    steps = [Step("helper", exercise.name, exercise.source) for exercise in unit.exercises]
    if notebook:
        try:
            submission = read_submission(notebook, unit.catalogue, unit)
        except NotebookError as error:
            raise NotebookError(f"{notebook}: {error}") from None
        if missing := [name for name in submission.assigned if name not in submission.answers]:
            print(f"Borrowed from the reference solutions: {', '.join(missing)}")
        steps = plan(submission, lambda _, name: unit[name].source)
    for step in steps:
        try:
            exec(compile(str(step.source), f"<{step.name}>", "exec", dont_inherit=True), names)
        except (Exception, SystemExit) as error:
            if step.kind == "helper":
                continue  # as in the exam of an answer that does not need it
            raise NotebookError(f"the cell of {step.name} fails when run: {failure_line(error)}") from None
    return names


def failure_line(error: BaseException) -> str:
    """Return one line about an exception, with the learner's line that raised it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename[1:-1].isidentifier()]
    where = f" (line {frames[-1].lineno} of the cell of {frames[-1].filename[1:-1]})" if frames else ""
    return exception_line(error) + where


# ---------------------------------------------------------------------------------------------------- input


@dataclass(frozen=True)
class Choice:
    """Something that the player can type: its key, label, action, and the short name of its picture."""

    key: str
    label: str
    do: Action
    short: str = ""


def choices_of(view: SceneView) -> tuple[Choice, ...]:
    """Return the possible choices: items of the scene have numbers, and buttons have letters."""
    clickable = [each for each in view["items"] if "do" in each]
    numbered = [
        Choice(str(number), each["l"], each["do"], each["a"].partition(":")[2].lower())
        for number, each in enumerate(clickable, 1)
    ]
    taken, buttons = {*OWN_KEYS, UNDO_KEY}, []
    for button in view["bar"]:
        if button["do"] not in [choice.do for choice in numbered]:
            letters = (letter for letter in button["l"].lower() if letter.isalpha() and letter not in taken)
            key = UNDO_KEY if button["do"] == ["undo"] else next(letters)
            taken.add(key)
            buttons.append(Choice(key, button["l"], button["do"]))
    return (*numbered, *buttons)


def typed_choice(view: SceneView, typed: str) -> Choice | None:
    """Return the choice with this key, short name or beginning of a label.

    An empty line means the table's first suggestion, or the only card that can be played.
    """
    choices, typed = choices_of(view), typed.strip().lower()
    if not typed:
        strong = [button["do"] for button in view["bar"] if button.get("c") == "strong"]
        numbered = [choice for choice in choices if choice.key.isdigit()]
        first = [choice for choice in choices if choice.do in strong]
        return next(iter(first or (numbered if len(numbered) == 1 else [])), None)
    exact = [choice for choice in choices if typed in (choice.key, choice.short)]
    begun = [choice for choice in choices if len(typed) > 1 and choice.label.lower().startswith(typed)]
    return next(iter(exact or (begun if len(begun) == 1 else [])), None)


def help_text(view: SceneView) -> str:
    """Return the help on keys, with a line for each choice."""
    lines = [f"  {choice.key:>2}  {choice.label}" for choice in choices_of(view)]
    ours = ["   b  undo your last move", "   h  this help", "   q  quit (so does Ctrl-C)"]
    short = next((f"its short name, such as {choice.short}, or " for choice in choices_of(view) if choice.short), "")
    names = f"You can also type {short}the first letters of a choice above."
    rules = [f"Rules: {view['rules']}"] if "rules" in view else []
    only = "Enter alone picks the only choice, if there is only one."
    return "\n".join(["What you can type:", *lines, *ours, names, only, *rules])


# ---------------------------------------------------------------------------------------------------- output


def frame(view: SceneView) -> Group:
    """Return a table for display: the scene, the last moves, the status, and error messages."""
    log = [Text(f"  {line}", style="dim") for line in reversed(view.get("log", ())[:4])]
    note = view.get("note")
    notes = [Text(note["text"], style="red" if note.get("bad") else "yellow")] if note else []
    notes += [Text(note["code"], style="dim")] if note and "code" in note else []
    return Group(scene(view), *log, Text(view["status"], style="bold"), *notes)


def scene(view: SceneView) -> Text:
    """Return the scene as text, without empty rows."""
    numbers = {each["k"]: str(n) for n, each in enumerate((it for it in view["items"] if "do" in it), 1)}
    cells: dict[tuple[int, int], Box] = {}
    for each in view["items"]:
        for position, (char, style) in _cells(each, numbers.get(each["k"], "")):
            is_on_plate = cells.get(position, ("", ""))[1].endswith(PLATE_STYLE) and " on " not in style
            cells[position] = char, f"{style} {PLATE_STYLE}" if is_on_plate else style
    rows = []
    for row in sorted({row for row, _ in cells}):
        last = max(column for at, column in cells if at == row)
        boxes = [cells.get((row, column), (" ", "")) for column in range(last + 1)]
        rows.append(Text.assemble(*(("".join(pluck(0, run)), style) for style, run in groupby(boxes, second))))
    return Text("\n").join(rows)


def _cells(each: Item, number: str) -> Iterator[tuple[tuple[int, int], Box]]:
    """Yield the characters of an item with their positions. The item's number is in the middle of the first line."""
    if "t" in each:
        lines, style = [each["t"]], "bold yellow" if "gold" in each.get("c", "") else ""
    else:
        look = PictureLook(each.get("z", 1), each.get("r", 0))
        lines, style = picture_kind(each["a"]).text(each["a"].partition(":")[2], look)
        style += " dim" if each.get("c") == "dim" else ""
    top, left = round(each["y"] / DOWN - len(lines) / 2), round(each["x"] / ACROSS - len(lines[0]) / 2)
    for row, line in enumerate(lines):
        for column, char in enumerate(line):
            yield (max(top, 0) + row, max(left, 0) + column), (char, style)
    for position, digit in enumerate(number):
        column = left + (len(lines[0]) - len(number) + 1) // 2 + position
        yield (max(top, 0), max(column, 0)), (digit, "bold black on bright_yellow")
