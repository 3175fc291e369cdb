"""A table in the terminal: its scene as colored text, and the choices that can be typed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from rich.console import Console, Group
from rich.text import Text
from toolz import pluck, second

from course.show.colors import PLATE_STYLE
from course.show.kinds import ACROSS, DOWN, PictureLook
from course.show.pictures import picture_kind
from course.tables.scene import NARROW, WIDE, Action, Item, Room, SceneView

OWN_KEYS, UNDO_KEY = {"b": "back", "h": "help", "q": "leave"}, "u"  # no other button gets one of these letters
Box = tuple[str, str]


@dataclass(frozen=True)
class Choice:
    """Something that the player can type: its key, label, action, and the short name of its picture."""

    key: str
    label: str
    do: Action
    short: str = ""


# ---------------------------------------------------------------------------------------------------- input


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


def help_line(view: SceneView) -> str:
    """Return the line that says what can be typed."""
    choices = choices_of(view)
    numbers = [choice.key for choice in choices if choice.key.isdigit()]
    span = [f"{numbers[0]}–{numbers[-1]} choose" if len(numbers) > 1 else "1 choose"] if numbers else []
    letters = [f"{choice.key} {choice.label.partition(':')[0].lower()}" for choice in choices if choice.key.isalpha()]
    return " · ".join([*span, *letters, *(f"{key} {what}" for key, what in OWN_KEYS.items())])


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


def room_for(console: Console) -> Room:
    """Return the room (wide or narrow) that fits a terminal."""
    return WIDE if console.width * ACROSS >= WIDE.width else NARROW


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
            under = cells.get(position, ("", ""))[1]
            cells[position] = (
                char,
                f"{style} {PLATE_STYLE}" if under.endswith(PLATE_STYLE) and " on " not in style else style,
            )
    rows = sorted({row for row, _ in cells})
    return Text("\n").join(_row({column: cell for (at, column), cell in cells.items() if at == row}) for row in rows)


def _row(cells: dict[int, Box]) -> Text:
    row = [cells.get(column, (" ", "")) for column in range(max(cells) + 1)]
    return Text.assemble(*(("".join(pluck(0, run)), style) for style, run in groupby(row, second)))


def _cells(each: Item, number: str) -> Iterator[tuple[tuple[int, int], Box]]:
    """Yield the characters of an item with their positions. The item's number is in the middle of the first line."""
    lines, style = item_picture(each)
    top, left = round(each["y"] / DOWN - len(lines) / 2), round(each["x"] / ACROSS - len(lines[0]) / 2)
    for row, line in enumerate(lines):
        for column, char in enumerate(line):
            yield (max(top, 0) + row, max(left, 0) + column), (char, style)
    for position, digit in enumerate(number):
        column = left + (len(lines[0]) - len(number) + 1) // 2 + position
        yield (max(top, 0), max(column, 0)), (digit, "bold black on bright_yellow")


def item_picture(each: Item) -> tuple[list[str], str]:
    """Return an item as lines of the same length, and their style."""
    if "t" in each:
        return [each["t"]], "bold yellow" if "gold" in each.get("c", "") else ""
    lines, style = picture_kind(each["a"]).text(
        each["a"].partition(":")[2], PictureLook(each.get("z", 1), each.get("r", 0))
    )
    return lines, f"{style} dim" if each.get("c") == "dim" else style
