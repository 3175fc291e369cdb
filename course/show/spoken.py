"""The names of pictures, for screen readers, status lines, and alternative texts."""

from __future__ import annotations

NUMBER_NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
COURT = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUIT_NAMES = {"H": "hearts", "D": "diamonds", "S": "spades", "C": "clubs"}
COLOR_NAMES = {"R": "red", "B": "blue", "G": "green", "Y": "yellow"}
ACTION_NAMES = {"R": "reverse", "S": "skip", "D": "draw two"}
FULL_NAMES = {"card:joker": "joker", "uno:W": "wild", "uno:F": "wild draw four"}


def spoken(picture: str) -> str:
    """Return the name of a picture, or "" if it has none.

    >>> spoken("card:10H"), spoken("card:QS"), spoken("tile:2-4"), spoken("uno:R7"), spoken("uno:BD")
    ('ten of hearts', 'queen of spades', 'tile two four', 'red seven', 'blue draw two')
    """
    kind, _, what = picture.partition(":")
    if picture in FULL_NAMES or what in ("", "back", "ghost"):
        return FULL_NAMES.get(picture, "")
    match kind:
        case "card":
            return f"{COURT.get(what[:-1]) or number_word(what[:-1])} of {SUIT_NAMES[what[-1]]}"
        case "tile":
            return f"tile {' '.join(map(number_word, what.split('-')))}"
        case "uno":
            return f"{COLOR_NAMES[what[0]]} {ACTION_NAMES.get(what[1:]) or number_word(what[1:])}"
    return ""


def number_word(digits: str) -> str:
    """Return a small number as a word.

    >>> number_word("7"), number_word("12")
    ('seven', '12')
    """
    return NUMBER_NAMES[int(digits)] if int(digits) < len(NUMBER_NAMES) else digits


def listed(names: list[str]) -> str:
    """Return names joined by commas and "and".

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
