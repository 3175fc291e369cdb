"""Build an exam: choose the inputs of each facet, and run the references to record what they do."""

from __future__ import annotations

import ast
import ctypes
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import starmap
from math import inf
from pathlib import Path

from autograder.config import PUBLISHED_SEED
from autograder.exam.cases import Case, Joint
from autograder.exam.contrast import (
    CheaterTable,
    ContrastChooser,
    KitWorld,
    input_text,
    inputs_in_examples,
    with_contrast_calls,
    without_reserved_calls,
)
from autograder.exam.draw import NEAR_INPUTS
from autograder.exam.model import Exam, Facet, Paper, checks_error, derived_seed
from autograder.exam.plan import plan_definitions, setup_for
from autograder.sandbox.inside import runner
from autograder.units.mistakes import mistakes_of
from autograder.units.unit import Exercise, Unit, UnitError
from course.diagnoses.failure import EVERY_INPUT_FACET, EXAMPLES_FACET
from course.exam import wire
from course.exam.alike import has_floats_in_sets_or_keys
from course.exam.calls import Call
from course.exam.observation import arguments_after_call, effects_in, without_arguments_after
from course.exam.observing import TimeUp
from course.exam.readable import call_code, one_line
from course.exam.sealed import MistakeResults, facet_digest, is_stack_overflow
from course.limits import MOST_SLOW_INPUTS, SECONDS_PER_EXERCISE_EXAM, SECONDS_PER_SHORT_CALL
from course.syntax import bound_names_in, global_names_in

STEPWISE_FACET = "one argument at a time"
UNCHANGED_ARGUMENTS_FACET = "leaves its arguments as they are"
UNCHANGED_ARGUMENTS_CALL_COUNT = 24  # calls, in the facet of mutable arguments
STORABLE_TYPES = "numbers, text, bytes, dates, times, tuples, lists, sets, dicts and dataclasses"
TIMEOUT_INTERVAL = 0.05  # seconds
INPUT_DEADLINES: dict[int, float] = {}  # the processor time when the input that a thread tries must be done, by thread
INPUT_DEADLINES_LOCK = threading.Lock()  # so that no exception comes after the input
RAISING_CALL_LENGTH = 100  # characters of a call on which the reference raises an exception
RAISING_REMEDY = (
    'If that is right, name the exception in the docstring. If not, draw with `inputs="near"` or `cases=` in its Check'
)
TOO_SLOW_REASON = "too slow"
SECRET_SHARE = 1 / 3  # the number of secret draws, in relation to the published ones
REPEATED_CALL_INTERVAL = 20  # one of so many calls is repeated, because an answer may cache results


def build_exam(unit: Unit, seed: str, published: Exam | None = None) -> Exam:
    """Build the exam of a unit, with inputs that depend on a seed.

    If there is a `published` exam, add secret calls to it, which depend on the seed. Because of the secret calls, an
    answer that only looks up the calls of a student kit passes no facet.

    Raises UnitError if building takes too long, or if a reference fails or returns a value that an exam cannot compare.
    """
    blank = Exam(unit, seed, {})
    makers = {each.name: _PaperBuilder(blank, each, published).build_paper for each in unit.exercises}
    return Exam(unit, seed, dict(_each_paper_in_time(blank, makers)))


def build_practice(exam: Exam, seed: str) -> Exam:
    """Return the practice exam for a course's students: `exam` without secret calls and without reserved inputs.

    The course's seed chooses which inputs are reserved for grading.
    """
    practised = without_reserved_calls(exam.published, seed).by_name.items()
    makers = {name: partial(_PaperBuilder(exam, each.exercise).with_mistakes, each) for name, each in practised}
    return replace(exam, by_name=dict(_each_paper_in_time(exam, makers)))


def _each_paper_in_time(exam: Exam, makers: Mapping[str, Callable[[], Paper]]) -> Iterator[tuple[str, Paper]]:
    """Yield each exercise's part of the exam. Raises UnitError if a part takes too long, after stopping its thread.

    The work runs in a new thread, because references then always start with an empty stack. All exercises share this
    thread, because Hypothesis collects all garbage whenever it draws in a new thread.
    """
    from concurrent.futures import ThreadPoolExecutor, wait

    with ThreadPoolExecutor(1) as pool:
        number = pool.submit(threading.get_ident).result()
        for name, make in makers.items():
            end = time.process_time() + SECONDS_PER_EXERCISE_EXAM
            paper = pool.submit(make)
            while not wait([paper], TIMEOUT_INTERVAL).done:
                with INPUT_DEADLINES_LOCK:
                    if time.process_time() > min(end, INPUT_DEADLINES.get(number, end)):
                        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(number), ctypes.py_object(TimeUp))
            # raised again and again, because the reference may have caught the exception
            if time.process_time() > end:
                location = exam.unit.location(exam.unit[name])
                raise UnitError(f"{location}: the exam of {name} takes more than {SECONDS_PER_EXERCISE_EXAM} seconds")
            yield name, paper.result()


@contextmanager
def _limit_input_time(seconds: float | None) -> Iterator[None]:
    """Set the time until which the block must end.

    If the block takes longer, `_each_paper_in_time` raises TimeUp in this thread.
    """
    number = threading.get_ident()
    INPUT_DEADLINES[number] = time.process_time() + (seconds or inf)
    try:
        yield
    finally:
        with INPUT_DEADLINES_LOCK:
            del INPUT_DEADLINES[number]


class _PaperBuilder:
    """A builder of one exercise's part of an exam."""

    def __init__(self, exam: Exam, exercise: Exercise, published: Exam | None = None) -> None:
        self.exam, self.exercise, self.check = exam, exercise, exam.checks[exercise.name]
        self.published, self.location = published, exam.unit.location(exercise)
        self.seed = derived_seed(exam.seed, exercise.unit, exercise.name)
        self.prints = self.iterates = True
        self.left_out = Counter[str]()
        self.encode = partial(exam.wire.encode, names=_function_name)

    def build_paper(self) -> Paper:
        if self.published is not None:
            return self._with_drawn_calls(self.published)
        hidden = dict[str, list[Call]]()
        for name, special in self.check.facets.items():
            for case in special if not isinstance(special, Joint) else ():
                if isinstance(case, Case) and case.hidden:
                    hidden.setdefault(name, []).append(self._call_of_case(case, name))
        facets = [facet for facet in self._facets() if facet.calls or facet.name in hidden]
        frames = self._observe(facets)
        self._ensure_expected_exceptions(facets, frames)
        for index, trees in enumerate(frames):  # only arguments that the reference changed stay
            pairs = zip(facets[index].calls, trees, strict=True)
            plain = [
                tree if self._has_changed_arguments(call, tree) else without_arguments_after(tree)
                for call, tree in pairs
            ]
            facets[index] = replace(facets[index], expected=tuple(map(wire.text_of, plain)))
        contrasted = tuple(self._with_contrast_facets(facets))
        words = _names_in_examples(self.exercise)
        paper = Paper(
            contrasted,
            self.prints,
            mentions=mentioned_exercises(words, contrasted, self.exam.unit.by_name),
            contests=tuple(self.check.contests),
            modules=modules_needed(words, self.exam.unit, self.exercise),
            iterates=self.iterates,
            exercise=self.exercise,
        )
        secret = [Facet(name, tuple(calls), ()) for name, calls in hidden.items()]
        self._ensure_expected_exceptions(
            secret, [[*map(without_arguments_after, trees)] for trees in self._run([f.calls for f in secret])]
        )
        return self._with_secret_calls(self.with_mistakes(paper), hidden)

    def _with_drawn_calls(self, published: Exam) -> Paper:
        """Return a published paper with secret calls.

        Secret calls are newly drawn calls, and calls for which an answer fails that only looks up the calls of a kit.
        """
        name, seed = self.exercise.name, self.exam.seed
        paper = published.by_name[name]
        if self.check.contests or not self.exercise.is_called:
            return paper
        self.prints, self.iterates = paper.prints, paper.iterates
        drawn_in, cases = self._draw_cases(SECRET_SHARE)
        known = {input_text(call) for call in paper.calls}
        drawn = (
            []
            if drawn_in == EVERY_INPUT_FACET
            else self._smallest_first(self._call_of_case(case, drawn_in) for case in cases)
        )
        new = [call for call in drawn if input_text(call) not in known]
        (trees,) = self._run([new])
        facet = Facet(drawn_in, tuple(new), tuple(wire.text_of(without_arguments_after(tree)) for tree in trees))
        table = CheaterTable(
            without_reserved_calls(published.published, seed), name, KitWorld(published, name, seed).shows_result
        )
        beyond = ContrastChooser(table, [facet, *paper.published.facets], self.check.facets)
        return self._with_secret_calls(
            paper,
            {
                each.name: new if each.name == drawn_in else beyond.calls_for(each)
                for each in paper.facets
                if self.check.weights.get(each.name, 1)
            },
        )

    def _with_secret_calls(self, paper: Paper, calls: Mapping[str, list[Call]]) -> Paper:
        """Return a paper with secret calls added to its facets."""
        facets = []
        for facet in paper.facets:
            secret = tuple(calls.get(facet.name, ()))
            (trees,) = self._run([secret])
            texts = (wire.text_of(tree if facet.changes else without_arguments_after(tree)) for tree in trees)
            calls_made, expected = facet.calls + secret, (*facet.expected, *texts)
            facets.append(replace(facet, calls=calls_made, expected=expected, secret=facet.secret + len(secret)))
        return replace(paper, facets=tuple(facets))

    def with_mistakes(self, paper: Paper) -> Paper:
        """Return a paper that also contains the known mistakes, each as digests of its results."""
        own = [each for each in mistakes_of(self.exam.unit) if each.exercise == self.exercise.name and each.truth]
        digests = [tuple(starmap(facet_digest, self._run_paper(paper, each.source))) for each in own]
        known = (MistakeResults(each.belief, each.truth, results) for each, results in zip(own, digests, strict=True))
        return replace(paper, mistakes=tuple(known))

    def _with_contrast_facets(self, plain: list[Facet]) -> Iterator[Facet]:
        """Yield the facets with their contrast calls. Some facets also observe the arguments after the call.

        If the reference changes its arguments, every facet observes them. If the reference changes no arguments, only
        an additional facet observes them.
        """
        given = vars(self.exam.unit.module) | {name: wire.NamedFunction(name) for name in self.exam.unit.by_name}
        shown = inputs_in_examples(self.exercise, given, lambda args: wire.text_of([*map(self.encode, args)]))
        pairs = [pair for f in plain if not f.joint for pair in zip(f.calls, f.expected, strict=True)]
        pool = sorted(pairs, key=lambda pair: pair[0].kind == "example")  # last, because they may test more
        contrasted = partial(with_contrast_calls, pool=pool, shown=shown, tolerance=self.check.tolerance)
        facets = [contrasted(facet) if self.check.weights.get(facet.name, 1) else facet for facet in plain]
        yield from map(self._with_observed_arguments, facets) if self.changes else facets
        if self.changes or "arguments" in self.check.ignores:
            return
        pairs = [pair for f in facets if not f.joint for pair in zip(f.calls, f.expected, strict=True)]
        is_mutable = self.exam.wire.is_mutable
        mutable = {wire.text_of(call): (call, text) for call, text in pairs if any(map(is_mutable, call.given))}
        if mutable:
            calls, expected = zip(
                *[*mutable.values()][:: -(-len(mutable) // UNCHANGED_ARGUMENTS_CALL_COUNT)], strict=True
            )
            yield self._with_observed_arguments(contrasted(Facet(UNCHANGED_ARGUMENTS_FACET, calls, expected)))

    def _with_observed_arguments(self, facet: Facet) -> Facet:
        (trees,) = self._run([facet.calls])
        return replace(facet, expected=tuple(map(wire.text_of, trees)), changes=True)

    def _has_changed_arguments(self, call: Call, tree: list[wire.Tree]) -> bool:
        before = [*filter(self.exam.wire.is_mutable, call.given)]
        return wire.text_of(before) != wire.text_of(arguments_after_call(tree) or before)

    def _facets(self) -> Iterator[Facet]:
        """Yield the facets with their published calls."""
        yield Facet(EXAMPLES_FACET, tuple(Call("example", number) for number in range(len(self.exercise.examples))), ())
        if not self.exercise.is_called:
            yield Facet("the value", (Call("value", None),), ())
            return
        for name, special in self.check.facets.items():
            cases = special.cases if isinstance(special, Joint) else special
            shown = (case for case in cases if not (isinstance(case, Case) and case.hidden))
            yield Facet(name, tuple(self._call_of_case(case, name) for case in shown), (), isinstance(special, Joint))
        if self.check.contests:
            return
        name, drawn_cases = self._draw_cases()
        drawn = self._smallest_first(self._call_of_case(case, name) for case in drawn_cases)
        yield Facet(name, (*drawn, *drawn[::REPEATED_CALL_INTERVAL]), ())
        if self.exercise.curried:
            yield Facet(
                STEPWISE_FACET, tuple(call._replace(what=[[arg] for arg in call.what[0]]) for call in drawn[:60]), ()
            )

    def _draw_cases(self, share: float = 1) -> tuple[str, list[Case]]:
        from autograder.exam import draw

        try:
            name, cases = draw.derived_cases(self.exam.unit, self.exercise, self.exam.checks, self.seed, share)
            if self.check.inputs != NEAR_INPUTS:
                return name, list(cases)
            return name, self._judgeable_cases(list(cases))[: -int(-self.check.count * share // 1)]
        except UnitError:
            raise
        except Exception as error:
            error_text = one_line(f"{type(error).__name__}: {error}", 200)
            raise checks_error(
                self.exam.unit, self.exercise.name, f"no inputs of {self.exercise.name} could be drawn: {error_text}"
            ) from error

    def _judgeable_cases(self, cases: list[Case]) -> list[Case]:
        """Return the inputs that can be in the exam.

        The reference returns a result for these inputs, or raises an exception that it also raises for an input that
        the author chose.
        """
        facets = ((name, each) for name, each in self.check.facets.items() if not isinstance(each, Joint))
        chosen = [self._call_of_case(case, name) for name, special in facets for case in special]
        (trees,) = self._run([chosen]) if chosen else ([],)
        expected = {tree[1] for tree in trees if tree[0] == "raised"}
        judgeable = list[Case]()
        for case in cases:
            if self.left_out[TOO_SLOW_REASON] == MOST_SLOW_INPUTS:
                break
            facet = Facet("", (self._call_of_case(case, ""),), ())
            paper = Paper((facet,), prints=False, exercise=self.exercise)
            ((frame, _),) = self._run_paper(paper, seconds=SECONDS_PER_SHORT_CALL)
            (tree,) = json.loads(frame)
            if tree[0] == "ok" or (tree[0] == "raised" and tree[1] in expected):
                judgeable.append(case)
            else:
                self.left_out[TOO_SLOW_REASON if tree[0] == "fault" else tree[1]] += 1
        return judgeable

    def _call_of_case(self, case: Case | tuple[object, ...], facet: str) -> Call:
        case = case if isinstance(case, Case) else Case(case)
        args, keywords = [*map(self.encode, case.args)], [(name, self.encode(arg)) for name, arg in case.keywords]
        if what := next(wire.unobserved_parts([*args, *(arg for _, arg in keywords)]), None):
            reason = f"an input of {self.exercise.name} contains a value that an exam cannot store ({what})"
            raise self._error_at_facet(facet, f"{reason}. Choose from {STORABLE_TYPES}")
        return Call("args", [args], case.typed, case.chance, tuple(keywords))

    def _smallest_first(self, calls: Iterable[Call]) -> list[Call]:
        texts = {wire.text_of(call): call for call in calls}
        return [texts[text] for text in sorted(texts, key=lambda text: (len(text), text))]

    def _observe(self, facets: list[Facet]) -> list[list[wire.Tree]]:
        """Run the reference as an answer is run, and return what it did in each call.

        The run also decides whether the exam observes printed text, iterators and changed arguments.
        """
        frames = self._run([facet.calls for facet in facets])
        calls, trees = [call for facet in facets for call in facet.calls], [tree for trees in frames for tree in trees]
        is_silent = all(effects_in(tree)[0:1] in ([], [""]) for tree in trees)
        self.prints = "printing" not in self.check.ignores and not is_silent
        self.iterates = any('["iter",' in wire.text_of(tree) for tree in trees)
        self.changes = "arguments" not in self.check.ignores and any(map(self._has_changed_arguments, calls, trees))
        return frames if self.changes else [[*map(without_arguments_after, trees)] for trees in frames]

    def _run(self, facets: Iterable[Sequence[Call]]) -> list[list[wire.Tree]]:
        facets_run = tuple(Facet("", tuple(calls), (), changes=True) for calls in facets)
        paper = Paper(facets_run, self.prints, iterates=self.iterates, exercise=self.exercise)
        frames = [json.loads(frame) for frame, _ in self._run_paper(paper)]
        if faults := [tree[1] for trees in frames for tree in trees if tree[0] == "fault" or is_stack_overflow(tree)]:
            raise UnitError(
                f"{self.location}: the reference of {self.exercise.name} did not run to its end: {faults[0]}"
            )
        return frames

    def _run_paper(self, paper: Paper, answer: str = "", seconds: float | None = None) -> list[tuple[bytes, ...]]:
        """Return the observations of the reference or of an answer: for each facet, the observations and the notes.

        `seconds` is the limit for a call.

        As in grading, an answer replaces the reference, and only the references that it needs are loaded.
        """
        own = {self.exercise.name: answer} if answer else {}
        subject = self.exercise.name if answer else ""
        plan = plan_definitions(self.exam, own, (), paper.mentions if answer else self.exam.reference_codes, subject)
        setup = setup_for(self.exam, plan, self.exercise.name, seconds)
        bench = runner.AnswerObserver(self.exam.unit.module, setup, _limit_input_time)
        report = bench.load(setup)
        if report["error"] or report["helpers"]:
            error = report["error"] or report["helpers"][0][1]
            why = error.get("limit") or f"{error['raised']}: {error['text']}"
            raise UnitError(f"{self.location}: the reference of {self.exercise.name} does not load: {why}")
        return [bench.observe_facet(facet) for facet in paper.facet_orders]

    def _ensure_expected_exceptions(self, facets: list[Facet], frames: list[list[wire.Tree]]) -> None:
        """Raise UnitError if the reference raises an exception that its author probably did not intend.

        An exception is intended if an example shows it, or if a docstring or code of the needed exercises names it.
        """
        unit, name, documented = self.exam.unit, self.exercise.name, ""
        if self.exam.seed == PUBLISHED_SEED:  # a course's secret exam must not fail because of a rare draw
            texts = (unit[each].docstring + unit[each].source for each in (name, *unit.reached_exercises[name]))
            documented = "".join([Path(unit.module.__file__ or "").read_text(encoding="utf-8"), *texts])
            documented = documented.replace("assert ", f"{AssertionError.__name__} ")
        for facet, trees in zip(facets, frames, strict=True):
            raised = dict[str, dict[str, None]]()
            for call, tree in zip(facet.calls, trees, strict=True):
                reason = self._reason_not_comparable(tree)
                if not reason and tree[0] != "raised":
                    continue
                example = self.exercise.examples[call.what] if call.kind == "example" else None
                code = example.call if example else call_code(self.exam.wire, name, call, prints=False)
                if reason:
                    raise self._error_at_facet(facet.name, f"{reason}, in {one_line(code, 200)}")
                if example:
                    may_raise = example.raises is not None
                else:
                    may_raise = not documented or tree[1] in f"{documented} {wire.text_of(call)}"
                if not may_raise:
                    raised.setdefault(tree[1], {})[one_line(code, RAISING_CALL_LENGTH)] = None
            if raised:
                each = "; ".join(f"raises {error}: {', '.join(codes)}" for error, codes in raised.items())
                remedy = f". {RAISING_REMEDY}" if facet.name not in (EXAMPLES_FACET, *self.check.facets) else ""
                raise self._error_at_facet(facet.name, f"the reference of {name} {each}{remedy}")

    def _reason_not_comparable(self, tree: list[wire.Tree]) -> str:
        """Return why an observation cannot be compared, or ""."""
        reference = f"the reference of {self.exercise.name}"
        if tree[0] == "raised" and tree[1] == wire.OWN_CLASS:
            given = self.exam.unit.pack.given_module_name(self.exam.unit.name)
            return f"{reference} raises an exception whose class answers cannot use: import the class in {given}"
        if what := next(wire.unobserved_parts(tree), None):
            reason = f"returns a value that an exam cannot compare ({what})"
            return f"{reference} {reason}: return {STORABLE_TYPES}, or an iterator"
        if self.check.tolerance and tree[0] == "ok" and has_floats_in_sets_or_keys(tree[1]):
            return f"{reference} returns floats in a set or as keys, where a tolerance is impossible: return a sequence"
        return ""

    def _error_at_facet(self, facet: str, reason: str) -> UnitError:
        """Return an error with file and line: of the facet if the author wrote its cases, else of the reference."""
        is_chosen = facet in self.check.facets
        return checks_error(self.exam.unit, facet, reason) if is_chosen else UnitError(f"{self.location}: {reason}")


def _function_name(value: object) -> str | None:
    return value.text if isinstance(value, wire.NamedFunction) else None


def _names_in_examples(exercise: Exercise) -> set[str]:
    """Return the names that the examples of an exercise use, without those that the examples define themselves."""
    words = set[str]()
    for example in exercise.examples:
        bound = set[str]()
        for line in (*example.setup, example.call):
            names = (node for node in ast.walk(ast.parse(line)) if isinstance(node, ast.Name))
            loaded = {node.id for node in names if isinstance(node.ctx, ast.Load)}
            words |= (global_names_in(line) & loaded) - bound
            bound |= bound_names_in(line)
    return words


def mentioned_exercises(words: set[str], facets: Iterable[Facet], names: Iterable[str]) -> tuple[str, ...]:
    """Return the exercises in `names` that an exam's calls need.

    An exercise is needed if it is in `words`, or if a call passes it as a function.
    """
    values = wire.text_of([call.given for facet in facets for call in facet.calls])
    mentions = {*words, *re.findall(r'\["f","(\w+)"\]', values)}
    return tuple(name for name in names if name in mentions)


def modules_needed(words: set[str], unit: Unit, exercise: Exercise) -> tuple[str, ...]:
    """Return the withheld modules that the reference and the visible examples of an exercise need.

    `words` are the names in the examples. Modules that only another withheld module imports are included.
    """
    needed = [exercise, *(unit[name] for name in unit.reached_exercises[exercise.name])]
    used = words.union(*(global_names_in(each.source) for each in needed))
    indexes = [index for index, name in enumerate(unit.withheld_modules) if used & {*import_module(name).__all__}]
    return unit.withheld_modules[: max(indexes, default=-1) + 1]


def count_left_out_inputs(unit: Unit, name: str) -> Counter[str]:
    """Count the inputs that an exam leaves out, by reason: the exception that the reference raises, or "too slow"."""
    builder = _PaperBuilder(Exam(unit, PUBLISHED_SEED, {}), unit[name])
    _ = dict(_each_paper_in_time(builder.exam, {name: builder.build_paper}))
    return builder.left_out
