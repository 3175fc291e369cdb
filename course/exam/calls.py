"""What an exercise is called with: a call, and a facet of calls, without what should come out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

Chance: TypeAlias = int | tuple[int, ...] | None


class Call(NamedTuple):
    """One call: a value looked at, a visible example (by number, or as code) or arguments; what is typed; chance.

    Arguments, and the `keywords` that are given by name, are trees of plain data, or, in the process in which they are
    called with, values.
    """

    kind: Literal["value", "example", "args", "values"]
    what: Any
    typed: tuple[str, ...] = ()
    chance: Chance = None
    keywords: tuple[tuple[str, Any], ...] = ()

    @property
    def given(self) -> list[Any]:
        """All that it is called with, the keywords last."""
        args = [arg for group in self.what for arg in group] if self.kind in ("args", "values") else []
        return [*args, *(value for _, value in self.keywords)]


class FacetOrder(NamedTuple):
    """A facet's calls of an exercise, and what of them is observed.

    That is printing, an exception's arguments, what iterators give, and what becomes of arguments that can be changed.
    """

    name: str
    prints: bool
    shows_args: bool
    calls: Sequence[Call]
    iterates: bool = False
    changes: bool = False
