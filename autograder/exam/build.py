"""Building an exam: the inputs of each facet, and what the reference is observed to give, contrasts included."""

from __future__ import annotations

import ast
import ctypes
import json
import re
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from itertools import starmap
from pathlib import Path
from typing import Any

from autograder.config import PUBLISHED
from autograder.exam.cases import Case, Whole
from autograder.exam.checks import refused
from autograder.exam.contrast import contrast_pool, shown_inputs, with_contrast
from autograder.exam.model import EXAMPLES, Exam, Facet, Paper, derived_seed
from autograder.exam.plan import planned, request
from autograder.sandbox.inside import runner
from autograder.units.mistakes import mistakes_of
from autograder.units.unit import Example, Exercise, Unit, UnitError
from course.exam import wire
from course.exam.calls import Call
from course.exam.known import Known, digest, overflowed
from course.exam.observing import TimeUp
from course.exam.readable import one_line
from course.syntax import binds_in, names_in

STEPWISE = "one argument at a time"
LONGEST_PAPER = 120  # of the processor's time, for one exercise: what grades an answer gives it ten
TOLD_EVERY = 1.0  # seconds
ONE_AGAIN_IN = 20  # one call of so many is made twice: an answer may remember what it should do again


def build_exam(unit: Unit, seed: str) -> Exam:
    """Give the exam, built afresh; UnitError if a facet lets a constant or an identity pass, or it takes too long.

    Threads of their own, because their stack is empty: a reference finds as much of it wherever this is called.
    """
    blank = Exam(unit, seed, {})
    return Exam(unit, seed, {exercise.name: _paper(blank, exercise) for exercise in unit.exercises})


def _paper(exam: Exam, exercise: Exercise) -> Paper:
    """Give one exercise's paper; UnitError if that takes too long: its thread is told so until it gives up."""
    from concurrent.futures import ThreadPoolExecutor, wait

    builder, begun = _Builder(exam, exercise), time.process_time()
    with ThreadPoolExecutor(1) as pool:
        number = pool.submit(threading.get_ident).result()
        paper = pool.submit(builder.paper)
        while not wait([paper], TOLD_EVERY).done:
            if time.process_time() - begun > LONGEST_PAPER:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(number), ctypes.py_object(TimeUp))
    if time.process_time() - begun > LONGEST_PAPER:  # also where what was told has been taken for a call's own end
        place = exam.unit.place(exercise)
        raise UnitError(f"{place}: the exam of {exercise.name} takes more than {LONGEST_PAPER} seconds")
    return paper.result()


class _Builder:
    """Builds one exercise's paper."""

    def __init__(self, exam: Exam, exercise: Exercise) -> None:
        self.exam, self.exercise, self.check = exam, exercise, exam.checks[exercise.name]
        self.seed = derived_seed(exam.seed, exercise.unit, exercise.name)

    def paper(self) -> Paper:
        asked = [(name, calls, whole) for name, calls, whole in self._facets() if calls]
        frames = self._observe([calls for _, calls, _ in asked])
        self._demand_as_shown(frames)
        if self.exam.seed == PUBLISHED:  # when it is proven; a course's secret exam is not to fail over a rare draw
            self._demand_as_told(asked, frames)
        observed = [
            Facet(name, tuple(calls), tuple(wire.text_of(tree) for tree in trees), whole)
            for (name, calls, whole), trees in zip(asked, frames, strict=True)
        ]
        pool, shown = contrast_pool(observed), self._shown()
        facets = tuple(with_contrast(facet, pool, shown) for facet in observed)
        mentions = mentioned(self.exercise, facets, self.exam.unit.by_name)
        modules = modules_needed(self.exam.unit, self.exercise)
        paper = Paper(
            self.exercise, facets, self.prints, mentions, contests=tuple(self.check.contests), modules=modules
        )
        return replace(paper, mistakes=tuple(self._mistakes(paper)))

    def _facets(self) -> Iterator[tuple[str, list[Call], bool]]:
        yield EXAMPLES, [Call("example", number) for number in range(len(self.exercise.examples))], False
        if not self.exercise.is_called:
            yield "the value", [Call("value", None)], False
            return
        for name, special in self.check.facets.items():
            calls = special.cases if isinstance(special, Whole) else special
            yield name, [self._call(case) for case in calls], isinstance(special, Whole)
        if self.check.contests:
            return
        name, cases = self._drawn()
        drawn = self._smallest_first(self._call(case) for case in cases)
        yield name, [*drawn, *drawn[::ONE_AGAIN_IN]], False
        if self.exercise.curried:
            yield STEPWISE, [call._replace(what=[[arg] for arg in call.what[0]]) for call in drawn[:60]], False

    def _drawn(self) -> tuple[str, Iterable[Case]]:
        from autograder.exam import draw

        try:
            name, cases = draw.cases(self.exercise, self.exam.unit.module, self.exam.checks, self.seed)
            return name, list(cases)
        except UnitError:
            raise
        except Exception as error:
            told = one_line(f"{type(error).__name__}: {error}", 200)
            raise refused(
                self.exam.unit, self.exercise.name, f"no inputs of {self.exercise.name} are drawn: {told}"
            ) from error

    def _call(self, case: Case | tuple[Any, ...]) -> Call:
        case = case if isinstance(case, Case) else Case(case)
        return Call("args", [self._encoded(case.args)], case.typed, case.chance)

    def _encoded(self, args: Iterable[Any]) -> list[Any]:
        return [self.exam.wire.encode(arg, _function_name) for arg in args]

    def _shown(self) -> frozenset[str]:
        given = vars(self.exam.unit.module) | {name: wire.NamedFunction(name) for name in self.exam.unit.by_name}
        return shown_inputs(self.exercise, given, lambda args: wire.text_of(self._encoded(args)))

    def _smallest_first(self, calls: Iterable[Call]) -> list[Call]:
        texts = {wire.text_of(call): call for call in calls}
        return [texts[text] for text in sorted(texts, key=lambda text: (len(text), text))]

    def _observe(self, facets: list[list[Call]]) -> list[list[Any]]:
        """Run the reference as an answer is run; whether it ever prints decides if printing is part of the exam."""
        self.prints = True
        frames = self._run(facets)
        self.prints = any(len(tree) > 2 + (tree[0] == "raised") and tree[-2] for trees in frames for tree in trees)
        return frames if self.prints else self._run(facets)

    def _run(self, facets: list[list[Call]]) -> list[list[Any]]:
        paper = Paper(self.exercise, tuple(Facet("", tuple(calls), ()) for calls in facets), self.prints)
        return [self._checked(json.loads(frame)) for frame, _ in self._frames(paper)]

    def _frames(self, paper: Paper, answer: str = "") -> list[tuple[bytes, ...]]:
        """Give what the reference, or an answer, is observed to give: for each facet the observations and the notes.

        As in grading, an answer is in the place of the reference, and so only the references that it needs are there.
        """
        own = {self.exercise.name: answer} if answer else {}
        plan = planned(self.exam, own, (), paper.mentions if answer else self.exam.codes)
        told = request(self.exam, plan, paper.orders, answer=self.exercise.name, seconds=None)
        bench = runner.Bench(self.exam.unit.module, told.setup)
        report = bench.load(told.setup)
        if report["error"] or report["helpers"]:
            told = report["error"] or report["helpers"][0][1]
            why = told.get("limit") or f"{told['raised']}: {told['text']}"
            raise UnitError(f"{self._place}: the reference of {self.exercise.name} does not load: {why}")
        return [tuple(bench.facet(facet, False)) for facet in paper.orders]

    def _mistakes(self, paper: Paper) -> Iterator[Known]:
        for mistake in mistakes_of(self.exercise.unit):
            if mistake.exercise == self.exercise.name and mistake.truth:
                digests = tuple(starmap(digest, self._frames(paper, mistake.source)))
                yield Known(mistake.belief, mistake.truth, digests)

    def _checked(self, trees: list[Any]) -> list[Any]:
        if faults := [tree[1] for tree in trees if tree[0] == "fault" or overflowed(tree)]:
            raise UnitError(f"{self._place}: the reference of {self.exercise.name} ended in: {faults[0]}")
        return trees

    @property
    def _place(self) -> str:
        return self.exam.unit.place(self.exercise)

    def _demand_as_shown(self, frames: list[list[Any]]) -> None:
        """Raise UnitError if the reference raises where its statement shows a value."""
        for example, tree in zip(self.exercise.examples, frames[0], strict=True):
            if tree[0] == "raised" and example.raises is None:
                raise UnitError(
                    f"{self._place}: the reference of {self.exercise.name} raises {tree[1]}: {example.call}"
                )

    def _demand_as_told(self, asked: list[tuple[str, list[Call], bool]], frames: list[list[Any]]) -> None:
        """Raise UnitError if the reference raises what nobody speaks of, for an input that was drawn or chosen."""
        known, seen = self._texts(), zip(asked, frames, strict=True)
        for name, call, tree in (
            (name, *pair) for (name, calls, _), trees in seen for pair in zip(calls, trees, strict=True)
        ):
            if name != EXAMPLES and tree[0] == "raised" and tree[1] not in f"{known} {wire.text_of(call)}":
                args = ", ".join(repr(self.exam.wire.decode(arg)) for args in call.what or () for arg in args)
                told = f"raises {tree[1]}: {one_line(f'{self.exercise.name}({args})', 200)}"
                raise self._told_of(name, f"the reference of {self.exercise.name} {told}")

    def _told_of(self, facet: str, reason: str) -> UnitError:
        """Give the error that names a facet's line, where the author has chosen its cases, else the reference's."""
        is_chosen = facet in self.check.facets
        return refused(self.exam.unit, facet, reason) if is_chosen else UnitError(f"{self._place}: {reason}")

    def _texts(self) -> str:
        """Give what is written of an exercise, and what it is built on: exceptions that are meant stand there."""
        unit, given = self.exam.unit, Path(self.exam.unit.module.__file__ or "")
        names = (self.exercise.name, *unit.reached[self.exercise.name])
        texts = [given.read_text(encoding="utf-8"), *(unit[name].docstring + unit[name].source for name in names)]
        return "".join(texts).replace("assert ", f"{AssertionError.__name__} ")


def _function_name(value: object) -> str | None:
    return value.text if isinstance(value, wire.NamedFunction) else None


def mentioned(exercise: Exercise, facets: Iterable[Facet], names: Iterable[str]) -> tuple[str, ...]:
    """Give the exercises that the calls of a paper name: in a visible example, or as a function among the inputs."""
    values = wire.text_of([call.what for facet in facets for call in facet.calls if call.kind == "args"])
    words = {*example_words(exercise), *re.findall(r'\["f","(\w+)"\]', values)}
    return tuple(name for name in names if name in words)


def example_words(exercise: Exercise) -> frozenset[str]:
    """Give the names that an exercise's visible examples use; what stands in a text is none."""
    return frozenset().union(*map(_taken, exercise.examples))


def _taken(example: Example) -> frozenset[str]:
    """Give the names that an example takes from where it is run, and does not bind before."""
    taken, bound = set[str](), set[str]()
    for line in (*example.setup, example.call):
        names = (node for node in ast.walk(ast.parse(line)) if isinstance(node, ast.Name))
        loaded = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        taken |= (names_in(line) & loaded) - bound
        bound |= binds_in(line)
    return frozenset(taken)


def modules_needed(unit: Unit, exercise: Exercise) -> tuple[str, ...]:
    """Give those of the withheld modules that an exercise's examples and reference need, with what these need."""
    needed = [exercise, *(unit[name] for name in unit.reached[exercise.name])]
    words = set(example_words(exercise)).union(*(names_in(each.source) for each in needed))
    places = [place for place, name in enumerate(unit.withheld) if words & set(import_module(name).__all__)]
    return unit.withheld[: max(places, default=-1) + 1]
