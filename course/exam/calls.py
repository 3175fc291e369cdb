"""The calls of an exercise, and facets of calls, without expected results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

Chance: TypeAlias = int | tuple[int, ...] | None


class Call(NamedTuple):
    """One call: a value, a visible example (by number, or as code) or arguments; typed lines; chance.

    Arguments, and `keywords` (passed by name), are trees of plain data or, in the process that makes the call,
    values.
    """

    kind: Literal["value", "example", "args", "values"]
    what: Any
    typed: tuple[str, ...] = ()
    chance: Chance = None
    keywords: tuple[tuple[str, Any], ...] = ()

    @property
    def given(self) -> list[Any]:
        """All arguments, the keywords last."""
        args = [arg for group in self.what for arg in group] if self.kind in ("args", "values") else []
        return [*args, *(value for _, value in self.keywords)]


class FacetOrder(NamedTuple):
    """The calls of a facet, and what of them is observed:

    printing, an exception's arguments, items of iterators, and mutable arguments after the call.
    """

    name: str
    prints: bool
    shows_args: bool
    calls: Sequence[Call]
    iterates: bool = False
    changes: bool = False
