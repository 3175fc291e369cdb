"""The inputs of `legal_adds` for *Find the wrong answers*.

Only the ends of a chain and of its text matter, and which numbers are equal or zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from course.dominoes import EMPTY, Chain, Domino, Empty
from course.exam.calls import Args
from course.exam.world import Renaming, World, canonical_names, longer_tuples, renamed

CHAIN_TEXT_PATTERN = re.compile(r"\d-\d( \d-\d)*")


def _inputs() -> Iterator[Args]:
    for _, left, right in longer_tuples(2, (0,)):
        yield Domino(left, right), EMPTY
    for _, a, b, left, right, first, last in longer_tuples(6, (0,)):
        yield from ((Domino(a, b), Chain(left, text, right)) for text in (f"{first}-{last}", f"{first}-9 9-{last}"))


def _canonical_inputs(args: Args) -> tuple[Args, Renaming]:
    """Return the inputs with shorter names: all numbers but 0 are renamed in order of occurrence.

    The chain's text is shortened to one or two tiles with the same ends.
    """
    tile, chain = args
    if isinstance(chain, Empty):
        named = _number_names((tile.left, tile.right))
        return (Domino(named[tile.left], named[tile.right]), chain), _renaming(named, "", "")
    if not CHAIN_TEXT_PATTERN.fullmatch(chain.text) or re.fullmatch(r"(\d)-\1( \1-\1)+", chain.text):
        raise ValueError("no text of a chain, or one tile again and again")
    ends = int(chain.text[0]), int(chain.text[-1])
    named = _number_names((tile.left, tile.right, chain.left, chain.right, *ends))
    short = f"{named[ends[0]]}-{'9 9-' * (' ' in chain.text)}{named[ends[1]]}"
    args = Domino(named[tile.left], named[tile.right]), Chain(named[chain.left], short, named[chain.right])
    return args, _renaming(named, chain.text, short)


def _number_names(numbers: tuple[int, ...]) -> dict[int, int]:
    return {0: 0} | canonical_names((n for n in numbers if n), range(1, 10))


def _renaming(named: dict[int, int], text: str, short: str) -> Renaming:
    """Return a function that renames the numbers in a result.

    A text in the result begins or ends with the chain's text, which is replaced by `short`.
    """

    def rename_digits(some: str) -> str:
        return re.sub(r"\d+", lambda match: str(named.get(int(match[0]), "?")), some)

    def rename_part(part: object) -> object:
        if type(part) is int:
            return named.get(part, -1)
        if type(part) is not str:
            return part
        if text and part.startswith(text):
            return short + rename_digits(part.removeprefix(text))
        return rename_digits(part.removesuffix(text)) + short if text and part.endswith(text) else rename_digits(part)

    return lambda value: renamed(value, rename_part)


INPUTS_TEXT = "tiles with numbers from 0 to 9, and a chain that is EMPTY or has a text such as '6-1 1-4'"
WORLDS = {"legal_adds": World(INPUTS_TEXT, _inputs, _canonical_inputs)}
