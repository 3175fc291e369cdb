"""A practice exam: a sealed paper's calls, made of the learner's own functions by the code that grades."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import starmap
from math import inf
from types import ModuleType, TracebackType
from typing import Any

from course.diagnoses.failure import CHANGED, GAVE, RAISED, SLOW, Failure, UnnamedCell
from course.exam.calls import Call, FacetOrder
from course.exam.depth import allow_calls
from course.exam.known import Known, explaining, is_placeholder
from course.exam.observing import EXAMPLE, Names, Observer
from course.exam.readable import one_line
from course.exam.sealed import Seal, SealedFacet, SealedPaper, judge_of
from course.exam.seen import Observation, observation
from course.exam.told import BY_LIMIT, arguments_code, call_code, outcome
from course.exam.wire import BUILTIN_ERRORS, Tree, WireError
from course.kernel.limits import limited

NOT_RIGHT = "that is not right"
NEVER_MEANT = BUILTIN_ERRORS.keys() - {EOFError.__name__}  # what is typed may not suit the game that comes of it
NO_JUDGING = "returned something that cannot be judged"
STOPPED_BEFORE = "not tried, because earlier calls took too long"
OwnLine = Callable[[TracebackType | None], dict[str, Any]]
Orders = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class Practised:
    """What came of one facet: whether all its calls are right, and of those that are not, the first."""

    name: str
    passed: bool
    calls: int
    failure: Failure | None = None


@dataclass(frozen=True)
class Practice:
    """What came of a paper: facet by facet, what was asked for contrast at the end; what is left to a teacher.

    It `is_exact` if all was observed as of the reference, and not only something that is as good.
    """

    paper: SealedPaper
    facets: tuple[Practised, ...]
    seen: tuple[tuple[bytes, bytes], ...]
    left: tuple[str, ...] = ()
    is_exact: bool = True

    @property
    def passed(self) -> bool:
        return all(facet.passed for facet in self.facets)

    @property
    def calls(self) -> int:
        return sum(facet.calls for facet in self.facets)

    @property
    def prints(self) -> bool:
        """Return whether something was printed where nothing was to be."""
        return any(b'"printed"' in notes for _, notes in self.seen)

    def mistake(self, is_told: Callable[[int], bool], source: str) -> Known | None:
        """Return the known mistake that gives the same wherever this is wrong and may be told: the one most like it."""
        if self.passed or is_placeholder(source):
            return None
        failed = [place for place, facet in enumerate(self.facets[: len(self.paper.facets)]) if not facet.passed]
        mistakes = [known for known, _ in self.paper.mistakes]
        return next((mistakes[place] for place in explaining(mistakes, self.seen, failed) if is_told(place)), None)


class _Observer(Observer):
    """Observes the learner's own functions where they live."""

    own_line: OwnLine

    def _note(self, error: BaseException) -> dict[str, Any]:
        own = self.own_line(error.__traceback__)
        number = {"label": own["label"].number} if isinstance(own.get("label"), UnnamedCell) else {}
        return super()._note(error) | {"own": own | number}


def practise(
    paper: SealedPaper,
    module: ModuleType,
    names: Names,
    exercises: Iterable[str],
    own_line: OwnLine,
    seconds: float,
    orders: Orders,
) -> Practice:
    """Return what comes of a paper among the learner's own answers; given names mean what is given.

    `own_line` gives, of an error, the line of the learner's own that it came from. `orders` tells of others' values in
    any order the one that the exam goes by. Chance is as it is in grading. All is afterwards what it was. Where one
    function answers two exercises, either name of it may be the right one.
    """
    own = tuple(name for name in exercises if name in names)
    with _ordered(names, {name: order for name, order in orders.items() if name != paper.name}):
        first = _practised_once(paper, module, names, own, own_line, seconds)
        if first.passed or len({id(names[name]) for name in own}) == len(own):
            return first
        return _practised_once(paper, module, names, own[::-1], own_line, seconds)


@contextmanager
def _ordered(names: Names, orders: Orders) -> Iterator[None]:
    """Have the learner's own values stand in the order that the exam goes by."""
    before = {name: names[name] for name, order in orders.items() if _fits(names.get(name), order)}
    try:
        names |= {name: _in_order(items, orders[name]) for name, items in before.items()}
        yield
    finally:
        names |= before


def _fits(items: object, order: tuple[int, ...]) -> bool:
    return type(items) is tuple and len(items) == len(order)


def _in_order(items: tuple[Any, ...], order: tuple[int, ...]) -> tuple[Any, ...]:
    found = sorted(items, key=repr)
    return tuple(found[place] for place in order)


def _practised_once(
    paper: SealedPaper, module: ModuleType, names: Names, exercises: Iterable[str], own_line: OwnLine, seconds: float
) -> Practice:
    before, depth = random.getstate(), sys.getrecursionlimit()
    try:
        random.seed(0)
        with limited(inf) as watched:
            observer = _Observer(module, lambda each: watched.renewed(each or inf), seconds)
            observer.own_line = own_line
            later = {name: _not_written(name) for name in paper.mentions if name not in names}
            observer.references = {**later, **names, **{name: getattr(module, name) for name in module.__all__}}
            observer.names |= {id(observer.references[name]): name for name in (*later, *exercises)}
            seen = tuple(_frames(observer, paper))
    finally:
        random.setstate(before)
        sys.setrecursionlimit(depth)
    return _judged(paper, module, seen)


def _not_written(name: str) -> Callable[..., Any]:
    """Return what stands among the inputs for an exercise that comes later: it can be handed on, and not called."""

    def later(*args: Any, **named: Any) -> Any:
        raise NotImplementedError(f"{name} is not written yet")

    return later


def _frames(observer: Observer, paper: SealedPaper) -> Iterator[tuple[bytes, bytes]]:
    allow_calls()
    for facet in paper.facets:
        if observer.faults:  # whoever waits for an answer has waited long enough
            yield b"[]", b"{}"
            continue
        what = paper.prints, paper.shows_args, facet.calls, paper.iterates, facet.changes
        frame, notes = observer.facet(FacetOrder(paper.name, *what), False)
        yield frame, notes


def with_examples(paper: SealedPaper, examples: list[dict[str, Any]]) -> SealedPaper:
    """Return a paper whose visible examples are code; what is stated of them is in `examples`."""
    coded = [
        [*(compile(line, EXAMPLE, "exec") for line in each["setup"]), compile(each["call"], EXAMPLE, "eval")]
        for each in examples
    ]
    facets = tuple(
        replace(
            facet,
            calls=tuple(
                call._replace(what=coded[call.what]) if call.kind == "example" else call for call in facet.calls
            ),
        )
        for facet in paper.facets
    )
    return replace(paper, facets=facets)


# ------------------------------------------------------------------------------------------------ what came of it


def _judged(paper: SealedPaper, module: ModuleType, seen: tuple[tuple[bytes, bytes], ...]) -> Practice:
    judge = _Judge(paper, Seal(module, paper.name))
    found = [judge.first_wrong(facet, *frames) for facet, frames in zip(paper.facets, seen, strict=True)]
    facets = tuple(starmap(_practised, zip(paper.facets, found, strict=True)))
    pairs = zip(paper.facets, seen, strict=True)
    is_exact = all(judge.seal.whole(facet.name, json.loads(frame)) == facet.whole for facet, (frame, _) in pairs)
    return Practice(paper, (*facets, *_contrast(paper, found)), seen, paper.left, is_exact)


def among_others(practice: Practice) -> Practice:
    """Return what came of a paper where own answers that it hangs on are right, but not the reference's.

    What is not as with the reference may be right all the same, if it comes to an end that a game may have.
    """
    left = tuple(each.name for each in practice.facets if not each.passed and not _is_wrong_anyway(each))
    kept = tuple(each for each in practice.facets if each.name not in left)
    return replace(practice, facets=kept, left=(*practice.left, *left))


def _is_wrong_anyway(facet: Practised) -> bool:
    """Return whether a facet failed in a way that is wrong for any order of play: no end, or an unexpected error."""
    failure = facet.failure
    return failure is not None and (not failure.is_done or (failure.did == RAISED and failure.error in NEVER_MEANT))


def _practised(facet: SealedFacet, wrong: tuple[int, Failure] | None) -> Practised:
    is_own = wrong is not None and wrong[0] < facet.own
    return Practised(facet.name, wrong is None, facet.own, wrong[1] if wrong and is_own else None)


CONTRAST = "different results for different inputs"


def _contrast(paper: SealedPaper, found: list[tuple[int, Failure] | None]) -> Iterator[Practised]:
    pairs = zip(paper.facets, found, strict=True)
    failures = [wrong[1] for facet, wrong in pairs if wrong and wrong[0] >= facet.own]
    if calls := sum(facet.contrasts for facet in paper.facets):
        failure = min(failures, key=lambda failure: len(failure.call), default=None)
        yield Practised(CONTRAST, failure is None, calls, failure)


class _Judge:
    """Decides by digests which calls of an exercise are right."""

    def __init__(self, paper: SealedPaper, seal: Seal) -> None:
        self.paper, self.seal = paper, seal

    def first_wrong(self, facet: SealedFacet, frame: bytes, notes: bytes) -> tuple[int, Failure] | None:
        """Return the first call of a facet that is not right, by its place, and what it did."""
        trees, told = json.loads(frame), json.loads(notes)
        if facet.judge:
            return self._together(facet, trees, told)
        grids = facet.grids or [()] * len(facet.calls)
        for place, (call, wanted, grid) in enumerate(zip(facet.calls, facet.digests, grids, strict=True)):
            if place >= len(trees):
                return place, Failure(self._code(call), words=STOPPED_BEFORE)
            if self.seal.digest(facet.name, place, call, trees[place], grid) != wanted:
                return place, self._failure(call, trees[place], told.get(str(place), {}))
        return None

    def _together(self, facet: SealedFacet, trees: list[Tree], told: Mapping[str, Any]) -> tuple[int, Failure] | None:
        """Return the first call of a facet that came to no value, or what is wrong with all values together."""
        ended = next((place for place, tree in enumerate(trees) if tree[0] != "ok"), None)
        if ended is not None:
            return ended, self._failure(facet.calls[ended], trees[ended], told.get(str(ended), {}))
        if len(trees) < len(facet.calls):
            return len(trees), Failure(self._code(facet.calls[len(trees)]), words=STOPPED_BEFORE)
        reason = self._verdict(facet.judge, trees)
        return (0, Failure(words=reason)) if reason else None

    def _verdict(self, judge: str, trees: list[Tree]) -> str | None:
        try:
            found = judge_of(self.seal.module.__name__, judge)
            return found(tuple(observation(self.seal.wire, tree) for tree in trees)) if found else NO_JUDGING
        except Exception:  # of values that nobody has thought of
            return NO_JUDGING

    def _code(self, call: Call) -> str:
        return "" if call.kind == "example" else call_code(self.seal.wire, self.paper.name, call, self.paper.prints)

    def _failure(self, call: Call, tree: Tree, note: Mapping[str, Any]) -> Failure:
        failure = Failure(self._code(call), remark=NOT_RIGHT)
        try:
            seen = observation(self.seal.wire, tree)
        except WireError:
            return replace(failure, words="returned a value of a type that the course does not use")
        if seen.fault:
            told = {"did": SLOW} if seen.fault == "time" else {"words": BY_LIMIT[seen.fault]}
            return replace(failure, remark="", **told)
        if seen.raised or "story" in note:  # an iterator that was given may have raised something, too
            story = note.get("story", {})
            told = {"error": story.get("raised", seen.raised), "seen": one_line(story.get("text", ""))}
            return replace(failure, did=RAISED, **told, **_own(note))
        gave = replace(failure, did=GAVE, seen=outcome(seen, self.paper.prints))
        return self._with_arguments(gave, call, seen) if seen.after else gave

    def _with_arguments(self, failure: Failure, call: Call, seen: Observation) -> Failure:
        """Return the failure of a call of which it is observed what becomes of its arguments."""
        wire, after = self.seal.wire, arguments_code(seen.after)
        if self.paper.works_in_place:
            remark = NOT_RIGHT if failure.seen == "None" else f"together with the result {failure.seen}, {NOT_RIGHT}"
            return replace(failure, did=CHANGED, seen=after, remark=remark)
        before = arguments_code([wire.decode(tree) for tree in call.given if wire.is_mutable(tree)])
        return failure if after == before else replace(failure, did=CHANGED, seen=after, wanted=before, remark="")


def _own(note: Mapping[str, Any]) -> dict[str, Any]:
    """Return the line of the learner's own that an error came from; a cell that is no exercise's has but a number."""
    own = dict(note.get("own", {}))
    return own | {"label": UnnamedCell(own["label"])} if isinstance(own.get("label"), int) else own
