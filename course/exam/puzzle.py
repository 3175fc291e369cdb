"""A Parsons puzzle: the lines of an answer in another order, mixed with wrong lines."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase


@dataclass(frozen=True)
class Puzzle:
    """The lines of an exercise's body, with their indentation, to put in order below its signature and docstring.

    Some lines are wrong and belong to no right answer. A value has no signature and no docstring.
    """

    signature: str
    docstring: str
    lines: tuple[str, ...]

    @property
    def header(self) -> tuple[str, ...]:
        """Return the lines above those to put in order."""
        return tuple(line for part in (self.signature, self.docstring) for line in part.splitlines())

    @property
    def lettered(self) -> dict[str, str]:
        """Return the lines by their letters."""
        return dict(zip(ascii_uppercase, self.lines, strict=False))

    def assembled(self, letters: str) -> str:
        """Return the code of the lines with these letters, in this order.

        >>> print(Puzzle("def f(x):", "", ("    return x", "    x += 1")).assembled("BA"))
        def f(x):
            x += 1
            return x
        """
        return "\n".join((*self.header, *(self.lettered[letter] for letter in letters)))
