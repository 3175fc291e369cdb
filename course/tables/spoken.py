"""Pictures in words, as they are read out: by a screen reader, in a status, in the text beside a picture."""

from __future__ import annotations

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
COURT = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUITS = {"H": "hearts", "D": "diamonds", "S": "spades", "C": "clubs"}
COLORS = {"R": "red", "B": "blue", "G": "green", "Y": "yellow"}
ACTIONS = {"R": "reverse", "S": "skip", "D": "draw two"}
WHOLE = {"card:joker": "joker", "uno:W": "wild", "uno:F": "wild draw four"}


def spoken(picture: str) -> str:
    """Give the name of a picture in words, "" for one that has none.

    >>> spoken("card:10H"), spoken("card:QS"), spoken("tile:2-4"), spoken("uno:R7"), spoken("uno:BD")
    ('ten of hearts', 'queen of spades', 'tile two four', 'red seven', 'blue draw two')
    """
    kind, _, what = picture.partition(":")
    if picture in WHOLE or what in ("", "back", "ghost"):
        return WHOLE.get(picture, "")
    match kind:
        case "card":
            return f"{COURT.get(what[:-1]) or number(what[:-1])} of {SUITS[what[-1]]}"
        case "tile":
            return f"tile {' '.join(map(number, what.split('-')))}"
        case "uno":
            return f"{COLORS[what[0]]} {ACTIONS.get(what[1:]) or number(what[1:])}"
    return ""


def number(digits: str) -> str:
    """Give a number in words, as far as cards and tiles go.

    >>> number("7"), number("12")
    ('seven', '12')
    """
    return NUMBERS[int(digits)] if int(digits) < len(NUMBERS) else digits


def listed(names: list[str]) -> str:
    """Give names as a sentence lists them.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
