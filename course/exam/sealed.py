"""A sealed exam: inputs, and digests of the right observations. It contains no references.

The digests make it harder to look up answers, but they do not keep them secret. If a call has few possible results,
trying all of them finds the right one.
"""

from __future__ import annotations

import hashlib
from base64 import b85decode, b85encode
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from course.diagnoses.beliefs import About
from course.exam.calls import Args, Call, CallKind
from course.exam.closeness import Grid, text_on_grid
from course.exam.known import Known
from course.exam.modules import module_on
from course.exam.observation import Observation, observation
from course.exam.observing import wire_of
from course.exam.wire import NamedFunction, Tree, Wire, WireError, text_of

SIZE = 8
InOneForm = Callable[[Args, Observation], Observation]
Judge = Callable[[tuple[Observation, ...]], str | None]


@dataclass(frozen=True)
class SealedFacet:
    """One rule: its calls, and the digests of the right results. The last `contrasts` calls are not part of the rule.

    `joint` is the digest of all exact observations together. If `judge` names a function of `course/exam/wholes/`, that
    function judges all calls together, and there are no other digests. `grids` has a grid for each call whose floats
    may differ. If `changes` is true, arguments are observed, too.
    """

    name: str
    calls: tuple[Call, ...]
    digests: tuple[bytes, ...]
    joint: bytes = b""
    contrasts: int = 0
    judge: str = ""
    changes: bool = False
    grids: tuple[Grid, ...] = ()

    @property
    def own(self) -> int:
        """Return the number of calls that belong to the rule."""
        return len(self.calls) - self.contrasts


@dataclass(frozen=True)
class SealedPaper:
    """The sealed exam of one exercise: facets, known mistakes, mentioned exercises, and what a teacher must judge.

    If `iterates` is true, items of iterators are observed.

    `hung_on` lists the exercises that have several right answers and affect these results. `order` sorts the items of a
    value that may be in any order.
    """

    name: str
    prints: bool
    shows_args: bool
    facets: tuple[SealedFacet, ...]
    left: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    mistakes: tuple[tuple[Known, About], ...] = ()
    hung_on: tuple[str, ...] = ()
    order: tuple[int, ...] = ()
    iterates: bool = False

    @property
    def changes_arguments(self) -> bool:
        """Return whether a right answer changes its arguments."""
        return all(facet.changes for facet in self.facets)


class Seal:
    """A maker of digests of an exercise's observations. Equally good observations have equal digests."""

    def __init__(self, module: ModuleType, name: str) -> None:
        self.module, self.name, self.wire = module, name, wire_of(module)
        self.alike = alike_of(module.__name__).get(name)

    def digest(self, facet: str, index: int, call: Call, tree: Tree, grid: Grid = ()) -> bytes:
        """Return the digest of a call's observation. The position of the call is part of the digest.

        With a `grid`, floats in the same cell have the same digest.
        """
        salt = "|".join((self.module.__name__, self.name, facet, str(index)))
        form = text_on_grid(tree, grid) if grid else self._form(call, tree)
        return hashlib.sha256(f"{salt}|{form}".encode()).digest()[:SIZE]

    def joint(self, facet: str, trees: Iterable[Tree]) -> bytes:
        """Return the digest of all exact observations of a facet."""
        salt = "|".join((self.module.__name__, self.name, facet))
        return hashlib.sha256(f"{salt}|{text_of([*trees])}".encode()).digest()[:SIZE]

    def _form(self, call: Call, tree: Tree) -> str:
        """Return a text that is the same for all equally good observations."""
        if self.alike is None or tree[0] == "fault":
            return text_of(tree)
        try:
            observed = self.alike(self._args(call), observation(self.wire, tree, self._function))
        except Exception:
            return text_of(tree)
        return _text(self.wire, observed)

    def _args(self, call: Call) -> tuple[object, ...]:
        return tuple(self.wire.decode(arg, self._function) for arg in call.given)

    def _function(self, name: str) -> object:
        return self.wire.functions.get(name) or NamedFunction(name)


def _text(wire: Wire, observed: Observation) -> str:
    value = wire.encode(observed.value, lambda each: each.text if isinstance(each, NamedFunction) else None)
    effects = [[name, *map(repr, args)] for name, *args in observed.probes]
    after = [[repr(each) for each in observed.after]] if observed.after else []
    return text_of([value, observed.raised, repr(observed.raised_args), observed.printed, effects, *after])


def is_hanging(module: str, name: str) -> bool:
    """Return whether an exercise's results depend on other exercises that have several right answers."""
    return name in getattr(module_on(module, "alike"), "HANGING", ())


def alike_of(module: str) -> dict[str, InOneForm]:
    """Return a unit's functions that bring observations into a normal form, by exercise."""
    module_alike = module_on(module, "alike")
    return dict(module_alike.ALIKE) if module_alike else {}


def judge_of(module: str, name: str) -> Judge | None:
    """Return the unit's function `name`, which judges all calls of a facet together; None if there is none."""
    judge: Judge | None = getattr(module_on(module, "wholes"), name, None)
    return judge


# ------------------------------------------------------------------------------------------------ as data


def paper_data(paper: SealedPaper) -> dict[str, object]:
    """Return a paper as plain data."""
    more = {"iterates": True} if paper.iterates else {}
    return more | {
        "prints": paper.prints,
        "shows_args": paper.shows_args,
        "left": paper.left,
        "hung_on": paper.hung_on,
        "order": paper.order,
        "mentions": paper.mentions,
        "facets": [_facet_data(facet) for facet in paper.facets],
        "mistakes": [[each.belief, each.truth, each.digests, of.quoted, of.slips] for each, of in paper.mistakes],
    }


def _facet_data(facet: SealedFacet) -> list[object]:
    digests = b85encode(b"".join((facet.joint, *facet.digests))).decode()
    rare = [facet.judge, facet.changes, facet.grids] if facet.changes or facet.grids else [facet.judge]
    return [facet.name, facet.contrasts, [_plain(call) for call in facet.calls], digests, *(rare if any(rare) else [])]


def _plain(call: Call) -> list[object]:
    data = [call.kind, call.what, list(call.typed), call.chance]
    if call.keywords:
        return [*data, call.keywords]
    return data[: 2 if not call.typed and call.chance is None else 4]


def paper_in(name: str, data: dict[str, Any]) -> SealedPaper:
    """Return the paper from the plain data of `paper_data`."""
    return SealedPaper(
        name,
        data["prints"],
        data["shows_args"],
        tuple(_facet(*facet) for facet in data["facets"]),
        tuple(data["left"]),
        tuple(data["mentions"]),
        tuple(_mistakes(data["mistakes"])),
        tuple(data["hung_on"]),
        tuple(data["order"]),
        data.get("iterates", False),
    )


def _facet(
    name: str,
    contrasts: int,
    calls: list[list[Tree]],
    digests: str,
    judge: str = "",
    changes: bool = False,
    grids: Iterable[Iterable[Tree]] = (),
) -> SealedFacet:
    cells = tuple(tuple(cell and tuple(cell) for cell in grid) for grid in grids)
    joined = b85decode(digests)
    each = tuple(joined[start : start + SIZE] for start in range(0, len(joined), SIZE))
    made = tuple(_call(*call) for call in calls)
    return SealedFacet(name, made, each[1:], each[0], contrasts, judge, changes, cells)


def _call(
    kind: CallKind, what: Tree, typed: Iterable[str] = (), chance: Tree = None, keywords: Iterable[list[Tree]] = ()
) -> Call:
    named = tuple((name, tree) for name, tree in keywords)
    return Call(kind, what, tuple(typed), tuple(chance) if isinstance(chance, list) else chance, named)


def _mistakes(rows: list[list[Tree]]) -> Iterator[tuple[Known, About]]:
    for belief, truth, digests, quoted, slips in rows:
        yield Known(belief, truth, tuple(digests)), About(tuple(quoted), tuple(slips))


__all__ = (
    "Seal",
    "SealedFacet",
    "SealedPaper",
    "WireError",
    "alike_of",
    "is_hanging",
    "judge_of",
    "paper_data",
    "paper_in",
)
