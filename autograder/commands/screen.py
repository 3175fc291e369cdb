"""A table in the terminal: its scene as colored text, and the choices that can be typed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from rich.console import Console, Group
from rich.text import Text
from toolz import pluck, second

from course.show.drawing import GROUNDS, INK, PAPER, RED_INK
from course.show.spoken import COLOR_NAMES
from course.tables.scene import NARROW, WIDE, Action, Item, Room, SceneView

ACROSS, DOWN = 10, 20  # scene units per character
SMALL = 0.75  # smaller pictures get a shorter text
SUIT_SIGNS = {"H": "♥", "D": "♦", "S": "♠", "C": "♣"}
ACTION_SIGNS = {"R": "⇄", "S": "⊘", "D": "+2"}
CARD_COLORS, RED_CARD, BACK = f"{INK} on {PAPER}", f"{RED_INK} on {PAPER}", "#9db7dc on #28456b"
UNO = {hue: f"{'#2a2000' if hue == 'Y' else '#ffffff'} on {ground}" for hue, ground in GROUNDS.items()}
PLATE = "on grey11"
OWN_KEYS = {"b": "back", "h": "help", "q": "leave"}
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
    taken, buttons = set(OWN_KEYS), []
    for button in view["bar"]:
        if button["do"] not in [choice.do for choice in numbered]:
            key = next(letter for letter in button["l"].lower() if letter.isalpha() and letter not in taken)
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
    names = "You can also type a card (7h, r7 or 5-6), or the first letters of a choice above."
    return "\n".join(
        ["What you can type:", *lines, *ours, names, "Enter alone picks the only choice, if there is only one."]
    )


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
            cells[position] = char, f"{style} {PLATE}" if under.endswith(PLATE) and " on " not in style else style
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
    kind, _, what = each["a"].partition(":")
    lines, style = PICTURES[kind](what, each)
    return lines, f"{style} dim" if each.get("c") == "dim" else style


def _boxed(first: str, middle: str, last: str) -> list[str]:
    return ["┌─────┐", f"│{first:<5}│", f"│{middle:^5}│", f"│{last:>5}│", "└─────┘"]


def _card(what: str, each: Item) -> tuple[list[str], str]:
    if what == "back":
        return (["▒▒"] * 2 if each.get("z", 1) < SMALL else ["▒▒▒▒▒▒▒"] * 5), BACK
    if what == "ghost":
        return _boxed("", "", ""), "yellow"
    if what == "joker":
        return _boxed("", "JOKER", ""), RED_CARD
    rank, suit = what[:-1], SUIT_SIGNS[what[-1]]
    return _boxed(rank, suit, rank), RED_CARD if suit in "♥♦" else CARD_COLORS


def _uno(what: str, each: Item) -> tuple[list[str], str]:
    if what in ("back", "W", "F"):
        return _boxed("", {"back": "UNO", "W": "WILD", "F": "+4"}[what], ""), "#ffffff on #20242f"
    letter, sign = what[0], ACTION_SIGNS.get(what[1:], what[1:])
    return _boxed(letter, sign, letter), UNO[letter]


def _tile(what: str, each: Item) -> tuple[list[str], str]:
    if what == "back":
        return (["▒"] if each.get("z", 1) < SMALL else ["▒▒▒"] * 3), BACK
    if what == "ghost":
        return ["  ?  "], "bold black on yellow"
    left, right = what.split("-")
    if each.get("r"):
        return [f" {left}|{right} " if each["r"] < 0 else f" {right}|{left} "], CARD_COLORS
    small = each.get("z", 1) < SMALL
    return [f" {left} ", "───", f" {right} "] if small else [
        "┌───┐",
        f"│ {left} │",
        "├───┤",
        f"│ {right} │",
        "└───┘",
    ], CARD_COLORS


def _fan(what: str, each: Item) -> tuple[list[str], str]:
    return [f"{'▒' * min(int(what), 9)} {what}"], "cyan"


def _color(what: str, each: Item) -> tuple[list[str], str]:
    return [" " * 8, f"{COLOR_NAMES[what]:^8}"], UNO[what]


def _sign(what: str, each: Item) -> tuple[list[str], str]:
    return [{"clockwise": "↻ clockwise", "counterclockwise": "↺ counterclockwise"}.get(what, "▸")], "yellow"


def _plate(what: str, each: Item) -> tuple[list[str], str]:
    width, height = map(int, what.split("x"))
    return [" " * (width // ACROSS)] * round(height / DOWN), PLATE


PICTURES = {"card": _card, "uno": _uno, "tile": _tile, "fan": _fan, "color": _color, "sign": _sign, "plate": _plate}
