"""The calls of an exercise, grouped in facets, without expected results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

Names: TypeAlias = dict[str, Any]  # a namespace: all names that a program or a notebook has defined
CallKind: TypeAlias = Literal["value", "example", "args", "values"]
Args: TypeAlias = tuple[Any, ...]  # the arguments of a learner's function
Chance: TypeAlias = int | tuple[int, ...] | None


class Call(NamedTuple):
    """One call: its kind (a value, a visible example, or arguments), the lines to type, and the random numbers.

    The arguments, also those passed by name (`keywords`), are trees of plain data. The process that makes the call
    decodes these trees to values.
    """

    kind: CallKind
    what: Any
    typed: tuple[str, ...] = ()
    chance: Chance = None
    keywords: tuple[tuple[str, object], ...] = ()

    @property
    def given(self) -> list[object]:
        """Return all arguments of the call, with the keyword arguments at the end."""
        args = [arg for group in self.what for arg in group] if self.kind in ("args", "values") else []
        return [*args, *(value for _, value in self.keywords)]


class FacetRequest(NamedTuple):
    """The calls of a facet, and what to observe besides the result.

    Besides the result, an exam can observe the printed text, the arguments of exceptions, the items of iterators, and
    mutable arguments after the call.
    """

    name: str
    prints: bool
    shows_args: bool
    calls: Sequence[Call]
    iterates: bool = False
    changes: bool = False
