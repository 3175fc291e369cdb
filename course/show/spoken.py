"""Words for sentences and for screen readers."""

from __future__ import annotations

NUMBER_NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


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
