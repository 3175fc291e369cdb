"""A practice exam: make the calls of a sealed exam with the learner's own functions, and observe them as in grading."""

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

from course.diagnoses.failure import CHANGED, GAVE, RAISED, SLOW, Failure, InnerCall, UnnamedCell
from course.exam.calls import Call, FacetOrder, Names
from course.exam.known import Known, explaining, is_placeholder
from course.exam.observation import Observation, observation
from course.exam.observing import EXAMPLE, Observer, allow_calls
from course.exam.readable import one_line
from course.exam.sealed import Seal, SealedFacet, SealedPaper, judge_of
from course.exam.snippets import BY_LIMIT, arguments_code, call_code, imports_for, outcome
from course.exam.wire import BUILTIN_ERRORS, Tree, WireError
from course.kernel.catalogue import StatedExample
from course.kernel.limits import limited

NOT_RIGHT = "that is not right"
NEVER_MEANT = BUILTIN_ERRORS.keys() - {EOFError.__name__}  # a wrong game may read more lines than the exam has typed
NO_JUDGING = "returned something that cannot be judged"
STOPPED_BEFORE = "not tried, because earlier calls took too long"
OwnLine = Callable[[TracebackType | None], dict[str, Any]]
Orders = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class PractisedFacet:
    """The outcome of one facet: whether all its calls are right, and the first failure."""

    name: str
    passed: bool
    calls: int
    failure: Failure | None = None


@dataclass(frozen=True)
class Practice:
    """The outcome of a sealed exam: one outcome for each rule, and what only a teacher can judge.

    `is_exact` is true if all observations are equal to the reference's. Other right observations are not enough.
    """

    paper: SealedPaper
    facets: tuple[PractisedFacet, ...]
    observations: tuple[tuple[bytes, bytes], ...]
    left: tuple[str, ...] = ()
    is_exact: bool = True

    @property
    def passed(self) -> bool:
        return all(facet.passed for facet in self.facets)

    @property
    def calls(self) -> int:
        return sum(facet.calls for facet in self.facets)

    @property
    def tries_examples_only(self) -> bool:
        """Return whether only the examples can be checked here, for example because the rest is a contest of bots."""
        return bool(self.left) and {call.kind for facet in self.paper.facets for call in facet.calls} == {"example"}

    @property
    def prints(self) -> bool:
        """Return whether the answer printed something that it should not print."""
        return any(b'"printed"' in notes for _, notes in self.observations)

    def mistake(self, is_shown: Callable[[int], bool], source: str) -> Known | None:
        """Return the most similar known mistake with the same wrong results, or None.

        None also means that a mistake may not be shown.
        """
        if self.passed or is_placeholder(source):
            return None
        failed = [index for index, facet in enumerate(self.facets[: len(self.paper.facets)]) if not facet.passed]
        mistakes = [each.known for each in self.paper.mistakes]
        return next(
            (mistakes[index] for index in explaining(mistakes, self.observations, failed) if is_shown(index)), None
        )


class _Observer(Observer):
    """An observer of the learner's own functions in their kernel."""

    own_line: OwnLine

    def _note(self, error: BaseException) -> dict[str, object]:
        own = self.own_line(error.__traceback__)
        number = {"label": own["label"].number} if isinstance(own.get("label"), UnnamedCell) else {}
        inside = {"inside": [own["inside"].name, own["inside"].kinds]} if "inside" in own else {}
        return super()._note(error) | {"own": own | number | inside}


def practise(
    paper: SealedPaper,
    module: ModuleType,
    names: Names,
    exercises: Iterable[str],
    own_line: OwnLine,
    seconds: float,
    orders: Orders,
) -> Practice:
    """Run a paper with the learner's own answers, and return the outcome. Given names have the unit's own values.

    `own_line` returns the learner's line that caused an error. `orders` holds the exam's order for the other values
    that may be in any order. Random numbers are the same as in grading, and the kernel's state is restored afterwards.
    If one function answers two exercises, the exam is run under both names.
    """
    own = tuple(name for name in exercises if name in names)
    with _ordered(names, {name: order for name, order in orders.items() if name != paper.name}):
        first = _practised_once(paper, module, names, own, own_line, seconds)
        if first.passed or len({id(names[name]) for name in own}) == len(own):
            return first
        return _practised_once(paper, module, names, own[::-1], own_line, seconds)


@contextmanager
def _ordered(names: Names, orders: Orders) -> Iterator[None]:
    """Sort the learner's own values into the exam's order while the block runs."""
    before = {name: names[name] for name, order in orders.items() if _fits(names.get(name), order)}
    try:
        names |= {name: _in_order(items, orders[name]) for name, items in before.items()}
        yield
    finally:
        names |= before


def _fits(items: object, order: tuple[int, ...]) -> bool:
    return type(items) is tuple and len(items) == len(order)


def _in_order(items: tuple[object, ...], order: tuple[int, ...]) -> tuple[object, ...]:
    ordered = sorted(items, key=repr)
    return tuple(ordered[position] for position in order)


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
            observed = tuple(_frames(observer, paper))
    finally:
        random.setstate(before)
        sys.setrecursionlimit(depth)
    return _judged(paper, module, observed)


def _not_written(name: str) -> Callable[..., object]:
    """Return a placeholder for a later exercise: it can be passed on, but not called."""

    def later(*args: object, **named: object) -> object:
        raise NotImplementedError(f"{name} is not written yet")

    return later


def _frames(observer: Observer, paper: SealedPaper) -> Iterator[tuple[bytes, bytes]]:
    allow_calls()
    for facet in paper.facets:
        if observer.faults:  # after a time limit the remaining calls are skipped, because the learner is waiting
            yield b"[]", b"{}"
            continue
        what = paper.prints, paper.shows_args, facet.calls, paper.iterates, facet.changes
        frame, notes = observer.facet(FacetOrder(paper.name, *what), False)
        yield frame, notes


def with_examples(paper: SealedPaper, examples: Iterable[StatedExample]) -> SealedPaper:
    """Return a paper whose visible examples are compiled code, from the statements in `examples`."""
    coded = [
        [*(compile(line, EXAMPLE, "exec") for line in each.setup), compile(each.call, EXAMPLE, "eval")]
        for each in examples
    ]
    facets = tuple(
        facet._replace(
            calls=tuple(
                call._replace(what=coded[call.what]) if call.kind == "example" else call for call in facet.calls
            )
        )
        for facet in paper.facets
    )
    return replace(paper, facets=facets)


# ------------------------------------------------------------------------------------------------ outcomes


def _judged(paper: SealedPaper, module: ModuleType, observed: tuple[tuple[bytes, bytes], ...]) -> Practice:
    judge = _Judge(paper, Seal(module, paper.name))
    results = [judge.first_wrong(facet, *frames) for facet, frames in zip(paper.facets, observed, strict=True)]
    facets = tuple(starmap(_practised, zip(paper.facets, results, strict=True)))
    pairs = zip(paper.facets, observed, strict=True)
    is_exact = all(judge.seal.joint(facet.name, json.loads(frame)) == facet.joint for facet, (frame, _) in pairs)
    return Practice(paper, (*facets, *_contrast(paper, results)), observed, paper.left, is_exact)


def among_others(practice: Practice) -> Practice:
    """Return the outcome of an exam if it depends on other answers that are right, but differ from the references.

    Then a result that differs from the reference's may be right, unless the call exceeded its time or raised an
    unexpected error.
    """
    left = tuple(each.name for each in practice.facets if not each.passed and not _is_wrong_anyway(each))
    remaining = tuple(each for each in practice.facets if each.name not in left)
    return replace(practice, facets=remaining, left=(*practice.left, *left))


def _is_wrong_anyway(facet: PractisedFacet) -> bool:
    """Return whether a facet failed in a way that is always wrong: an endless call, or an unexpected error."""
    failure = facet.failure
    return failure is not None and (not failure.is_done or (failure.did == RAISED and failure.error in NEVER_MEANT))


def _practised(facet: SealedFacet, wrong: tuple[int, Failure] | None) -> PractisedFacet:
    is_own = wrong is not None and wrong[0] < facet.rule_calls
    return PractisedFacet(facet.name, wrong is None, facet.rule_calls, wrong[1] if wrong and is_own else None)


CONTRAST = "different results for different inputs"


def _contrast(paper: SealedPaper, results: list[tuple[int, Failure] | None]) -> Iterator[PractisedFacet]:
    pairs = zip(paper.facets, results, strict=True)
    failures = [wrong[1] for facet, wrong in pairs if wrong and wrong[0] >= facet.rule_calls]
    if calls := sum(facet.contrasts for facet in paper.facets):
        failure = min(failures, key=lambda failure: len(failure.call), default=None)
        yield PractisedFacet(CONTRAST, failure is None, calls, failure)


class _Judge:
    """A judge that decides by digests which calls of an exercise are right."""

    def __init__(self, paper: SealedPaper, seal: Seal) -> None:
        self.paper, self.seal = paper, seal

    def first_wrong(self, facet: SealedFacet, frame: bytes, notes: bytes) -> tuple[int, Failure] | None:
        """Return the index of a facet's first wrong call, and its failure."""
        trees, data = json.loads(frame), json.loads(notes)
        if facet.judge:
            return self._together(facet, trees, data)
        grids = facet.grids or [()] * len(facet.calls)
        for index, (call, wanted, grid) in enumerate(zip(facet.calls, facet.digests, grids, strict=True)):
            if index >= len(trees):
                return index, Failure(self._code(call), words=STOPPED_BEFORE)
            if self.seal.digest(facet.name, index, call, trees[index], grid) != wanted:
                return index, self._failure(call, trees[index], data.get(str(index), {}))
        return None

    def _together(self, facet: SealedFacet, trees: list[Tree], note: Mapping[str, Any]) -> tuple[int, Failure] | None:
        """Return the first call of a facet that has no value, or what is wrong with all values together."""
        ended = next((index for index, tree in enumerate(trees) if tree[0] != "ok"), None)
        if ended is not None:
            return ended, self._failure(facet.calls[ended], trees[ended], note.get(str(ended), {}))
        if len(trees) < len(facet.calls):
            return len(trees), Failure(self._code(facet.calls[len(trees)]), words=STOPPED_BEFORE)
        reason = self._verdict(facet.judge, trees)
        return (0, Failure(words=reason)) if reason else None

    def _verdict(self, judge: str, trees: list[Tree]) -> str | None:
        try:
            result = judge_of(self.seal.module.__name__, judge)
            return result(tuple(observation(self.seal.wire, tree) for tree in trees)) if result else NO_JUDGING
        except Exception:  # a value of an unexpected type may raise anything
            return NO_JUDGING

    def _code(self, call: Call) -> str:
        return "" if call.kind == "example" else call_code(self.seal.wire, self.paper.name, call, self.paper.prints)

    def _failure(self, call: Call, tree: Tree, note: Mapping[str, Any]) -> Failure:
        code = self._code(call)
        failure = Failure(code, setup=imports_for(self.seal.wire, code), remark=NOT_RIGHT)
        try:
            observed = observation(self.seal.wire, tree)
        except WireError:
            return replace(failure, words="returned a value of a type that the course does not use")
        if observed.fault:
            data = {"did": SLOW} if observed.fault == "time" else {"words": BY_LIMIT[observed.fault]}
            return replace(failure, remark="", **data)
        if observed.raised or "story" in note:  # an iterator among the values may have raised, too
            error_text = note.get("story", {})
            data = {"error": error_text.get("raised", observed.raised), "seen": one_line(error_text.get("text", ""))}
            return replace(failure, did=RAISED, **data, **_own(note))
        gave = replace(failure, did=GAVE, seen=outcome(observed, self.paper.prints))
        return self._with_arguments(gave, call, observed) if observed.after else gave

    def _with_arguments(self, failure: Failure, call: Call, observed: Observation) -> Failure:
        """Return the failure of a call that changes its arguments, with the arguments after the call."""
        wire, after = self.seal.wire, arguments_code(observed.after)
        if self.paper.changes_arguments:
            remark = NOT_RIGHT if failure.seen == "None" else f"together with the result {failure.seen}, {NOT_RIGHT}"
            return replace(failure, did=CHANGED, seen=after, remark=remark)
        before = arguments_code([wire.decode(tree) for tree in call.given if wire.is_mutable(tree)])
        return failure if after == before else replace(failure, did=CHANGED, seen=after, wanted=before, remark="")


def _own(note: Mapping[str, Any]) -> dict[str, Any]:
    """Return the line of the learner's code that caused an error. Cells without an exercise are shown by number."""
    own = dict(note.get("own", {}))
    if isinstance(own.get("label"), int):
        own["label"] = UnnamedCell(own["label"])
    if "inside" in own:
        own["inside"] = InnerCall(own["inside"][0], tuple(own["inside"][1]))
    return own
