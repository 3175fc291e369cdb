"""Everything that comes from outside the program or goes there: random numbers, typed input, printed text.

All random numbers come from `random_below`, and all typed lines from `input`. A *script* can replace both: a tuple of
numbers or lines, in order. `transcript` makes one call with scripts, and returns the result and the printed text.
"""

from __future__ import annotations

import builtins
import io
import sys
from collections.abc import Callable, Iterable, Iterator
from random import Random, SystemRandom
from typing import Protocol, TypeVar

T = TypeVar("T")
Chance = int | tuple[int, ...] | None

__all__ = ["OutOfChance", "choose", "random_below", "shuffle_list", "transcript"]


class OutOfChance(Exception):
    """Raised when a random number is needed, but the script has no more numbers."""


class RandomSource:
    """The source of random numbers: the system's, one with a seed (an int), or given numbers (a tuple)."""

    def __init__(self, chance: Chance = None) -> None:
        self.scripted = chance is not None
        self._source: Random | Iterator[int] | int | None = iter(chance) if isinstance(chance, tuple) else chance

    def next_below(self, n: int) -> int:
        if n < 1:
            raise ValueError("random_below needs a number of at least 1")
        if self._source is None or isinstance(self._source, int):  # a generator is slow to create, so not before
            self._source = SystemRandom() if self._source is None else Random(self._source)
        if isinstance(self._source, Random):
            return self._source.randrange(n)
        for roll in self._source:
            return roll % n
        raise OutOfChance("this call makes too many random choices")


_random_source = RandomSource()


def random_below(n: int) -> int:
    """Return a random integer from 0 to `n - 1`, each equally likely. Raises ValueError if `n` is below 1."""
    return _random_source.next_below(n)


def choose(items: tuple[T, ...]) -> T:
    """Return one of `items`, each equally likely. The choice uses one random number, `random_below(len(items))`."""
    return items[random_below(len(items))]


def shuffle_list(items: Iterable[T]) -> tuple[T, ...]:
    """Return `items` in a random order. Every order is equally likely.

    With scripted random numbers, the result does not depend on the order of `items`.
    """
    left = sorted(items, key=repr) if _random_source.scripted else list(items)
    return tuple(left.pop(random_below(len(left))) for _ in range(len(left)))


class TypedInput(io.TextIOBase):
    """A replacement for standard input that returns the lines of a script."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(tuple(lines))

    def readable(self) -> bool:
        return True

    def readline(self, _size: int | None = -1) -> str:  # type: ignore[override]
        for line in self._lines:
            return f"{line}\n"
        return ""

    def read_line(self, prompt: object = "", /) -> str:
        """Return the next line of the script. The method replaces `input`, which in Jupyter reads from the browser."""
        sys.stdout.write(str(prompt))
        line = self.readline()
        if not line:
            raise EOFError("no typed line is left: `input` was called too often")
        return line[:-1]


class PrintListener(Protocol):
    """An object that receives all printed text."""

    def recorded_output(self, taken: io.TextIOBase) -> io.TextIOBase:
        """Return a stream that receives printed text and passes all of this text to `taken`."""
        ...


# Set while a run is watched. It receives everything that is printed, also by a script inside the run.
print_listener: PrintListener | None = None


class scripted:
    """Run the block with `typed` as its input, `chance` as its random numbers, and `printed` as its output.

    Without `chance`, a block inside another block uses the outer block's random numbers. `scripted` is a class and
    not a generator, because a class is faster, and the autograder runs thousands of blocks a second.
    """

    def __init__(self, typed: Iterable[str], chance: Chance, printed: io.TextIOBase) -> None:
        rolls = _random_source if chance is None else RandomSource(chance)
        self.typed, self.rolls, self.printed = TypedInput(typed), rolls, printed

    def __enter__(self) -> TypedInput:
        global _random_source
        self.before = _random_source, sys.stdin, sys.stdout, builtins.input
        _random_source, sys.stdin, sys.stdout = self.rolls, self.typed, self.printed  # type: ignore[assignment]
        builtins.input = self.typed.read_line
        if print_listener is not None:
            sys.stdout = print_listener.recorded_output(self.printed)
        return self.typed

    def __exit__(self, *_: object) -> None:
        global _random_source
        _random_source, sys.stdin, sys.stdout, builtins.input = self.before


def transcript(
    function: Callable[..., T], *args: object, typed: tuple[str, ...] = (), chance: Chance = None
) -> tuple[T, str]:
    """Return the result of `function(*args)` and the text that the call prints, as a pair.

    `typed` are the lines that a person would type, in order. Raises EOFError if the call reads more lines than `typed`
    has. `chance` is a seed (an int), the random numbers themselves (a tuple), or None for the usual random numbers. If
    `chance` is a tuple, `random_below(n)` returns the next number of the tuple, modulo n. Raises OutOfChance if the
    call needs more numbers than the tuple has.

    >>> transcript(print, "a\\tb")
    (None, 'a\\tb\\n')
    >>> transcript(choose, ("x", "y", "z"), chance=(2,))
    ('z', '')
    """
    printed = io.StringIO()
    with scripted(typed, chance, printed):
        result = function(*args)
    return result, printed.getvalue()
