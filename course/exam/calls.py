"""The calls of an exercise, and facets of calls, without expected results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

Names: TypeAlias = dict[str, Any]  # a namespace: all that a program or a notebook has defined, by name
CallKind: TypeAlias = Literal["value", "example", "args", "values"]
Args: TypeAlias = tuple[Any, ...]  # of a learner's function
Chance: TypeAlias = int | tuple[int, ...] | None


class Call(NamedTuple):
    """One call: its kind (a value, a visible example, or arguments), typed lines, and chance.

    Arguments, and `keywords` (passed by name), are trees of plain data or, in the process that makes the call,
    values.
    """

    kind: CallKind
    what: Any
    typed: tuple[str, ...] = ()
    chance: Chance = None
    keywords: tuple[tuple[str, object], ...] = ()

    @property
    def given(self) -> list[object]:
        """Return all arguments, with the keyword arguments last."""
        args = [arg for group in self.what for arg in group] if self.kind in ("args", "values") else []
        return [*args, *(value for _, value in self.keywords)]


class FacetOrder(NamedTuple):
    """The calls of a facet, and what to observe:

    printing, an exception's arguments, items of iterators, and mutable arguments after the call.
    """

    name: str
    prints: bool
    shows_args: bool
    calls: Sequence[Call]
    iterates: bool = False
    changes: bool = False
