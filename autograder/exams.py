"""The exam of a unit: for each exercise the inputs, facet by facet, and what the reference was observed to do.

Built once per unit and seed by running the references (trusted) through the very code that runs answers, then
kept in the user's cache folder. Hypothesis and the checks module are loaded only to build one, or to judge by
an acceptance relation.
"""

from __future__ import annotations

import hashlib
import json
import marshal
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import version
from itertools import starmap
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import platformdirs

from autograder.cases import Case, Observation, Whole
from autograder.mistakes import mistakes_folder, mistakes_of
from autograder.reports import PUBLISHED
from autograder.sandbox.inside import runner, wire
from autograder.submission import names_in
from autograder.text import WHERE, from_inside, strict_json
from autograder.unit import COURSE, SOLUTIONS, Exercise, Unit, UnitError, read_unit, unit_names

EXAMPLES = "the examples of the statement"
DRAWN = "other inputs"
EVERY = "every input"
STEPWISE = "one argument at a time"
DEFAULT_COUNT = 100
AGAIN = 20  # one call of so many is made twice: an answer may remember what it should do again
STACK_FULL = "RecursionError"
LARGEST_DOMAIN = 4000
KEPT_SECONDS = 30 * 24 * 3600
Call = tuple[str, Any, tuple[str, ...], Any]


@dataclass(frozen=True)
class Facet:
    """One rule that an exercise is checked for: its calls, and what each was observed to give."""

    name: str
    calls: tuple[Call, ...]
    expected: tuple[str, ...]
    whole: bool = False

    @cached_property
    def frame(self) -> bytes:
        """The very bytes that an answer sends whose every call is observed as the reference's."""
        return f"[{','.join(self.expected)}]".encode()


def digest(frame: bytes, notes: bytes) -> str:
    """Give a short text that stands for the observations of a facet, and for what its exceptions say.

    At which call the stack was full is chance, and so is what was done till then.
    """
    told = strict_json(notes)
    found = [note for note in told.values() if isinstance(note, dict)] if isinstance(told, dict) else []
    said = [_said(note["story"]) for note in found if "story" in note]
    return hashlib.sha256(_shallow(frame) + "|".join(said).encode()).hexdigest()[:16]


def _shallow(frame: bytes) -> bytes:
    """Give observations without what was printed before a stack was full."""
    trees = strict_json(frame) if STACK_FULL.encode() in frame else None
    return json.dumps([STACK_FULL if _overflowed(tree) else tree for tree in trees]).encode() if trees else frame


def _overflowed(tree: object) -> bool:
    return isinstance(tree, list) and tree[:2] == ["raised", STACK_FULL]


def _said(story: object) -> str:
    """Give what an exception says, wherever it came from."""
    text = from_inside(WHERE.sub("", str(story)))
    return "" if text.startswith(STACK_FULL) else text


@dataclass(frozen=True)
class Known:
    """A common mistake: what its author believes, how it is instead, and the `digest` of what it gives per facet."""

    belief: str
    truth: str
    digests: tuple[str, ...]

    def explains(self, digests: tuple[str, ...], failed: Iterable[int]) -> bool:
        """Tell whether an answer gives, in the facets that it failed, just what this mistake gives."""
        return all(place < len(digests) and digests[place] == self.digests[place] for place in failed)


@dataclass(frozen=True)
class Paper:
    """One exercise's part of the exam: its facets of calls, the mistakes that are known, the names of its contests.

    `mentions` are the exercises, and `modules` the withheld modules, that its calls and its reference need.
    """

    exercise: Exercise
    facets: tuple[Facet, ...]
    prints: bool
    mentions: tuple[str, ...] = ()
    mistakes: tuple[Known, ...] = ()
    contests: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()

    @property
    def facet_names(self) -> tuple[str, ...]:
        """The facets of the report on it: those of calls, then the contests."""
        return (*(facet.name for facet in self.facets), *self.contests)

    @cached_property
    def examples(self) -> list[list[CodeType]]:
        """The visible examples, compiled: setup statements, then the call."""
        return [compile_example(self.exercise, number) for number in range(len(self.exercise.examples))]

    def wire_calls(self, facet: Facet) -> list[Call]:
        """Give the calls of a facet as the sandbox takes them, the visible examples as code."""
        return [
            (kind, self.examples[what] if kind == "example" else what, typed, chance)
            for kind, what, typed, chance in facet.calls
        ]

    @cached_property
    def orders(self) -> list[dict[str, Any]]:
        """Its facets as the sandbox takes them."""
        return [self.order(facet) for facet in self.facets]

    def order(self, facet: Facet) -> dict[str, Any]:
        """Give a facet as the sandbox takes it: without what is expected."""
        calls = self.wire_calls(facet)
        return {
            "name": self.exercise.name,
            "prints": self.prints,
            "shows_args": self.exercise.shows_args,
            "calls": calls,
        }


@dataclass(frozen=True)
class Exam:
    """The exam of a unit under a seed."""

    unit: Unit
    seed: str
    papers: dict[str, Paper]

    @cached_property
    def wire(self) -> wire.Wire:
        return wire.Wire(self.unit.module)

    @cached_property
    def codes(self) -> dict[str, CodeType]:
        """The references, compiled; they travel to the sandbox as code, never as text."""
        return {
            exercise.name: compile(exercise.source, "<the reference>", "exec", dont_inherit=True)
            for exercise in self.unit.exercises
        }

    @cached_property
    def modules(self) -> dict[str, CodeType]:
        """The withheld modules, compiled."""
        return {name: code_of(import_module(name)) for name in self.unit.withheld}

    @property
    def checks(self) -> ModuleType:
        return checks_of(self.unit)

    def case(self, call: Call) -> Case:
        """Give a call as a `Case`, its arguments decoded."""
        kind, what, typed, chance = call
        args = [arg for group in what for arg in group] if kind == "args" else []
        return Case(tuple(self.wire.decode(arg) for arg in args), typed, chance)

    def observation(self, tree: Any) -> Observation:
        """Give a decoded observation; WireError if it is not one."""
        match tree:
            case ["fault", str(text)] if text in runner.FAULTS.values():
                return Observation(fault=text)
            case ["ok", value, *effects]:
                return Observation(self.wire.decode(value), **self._effects(effects))
            case ["raised", str(name), None, *effects] if is_name(name):
                return Observation(raised=name, **self._effects(effects))
            case ["raised", str(name), ["t", *args], *effects] if is_name(name):
                decoded = tuple(map(self.wire.decode, args))
                return Observation(raised=name, raised_args=decoded, **self._effects(effects))
        raise wire.WireError("not an observation")

    def _effects(self, effects: list[Any]) -> dict[str, Any]:
        match effects:
            case []:
                return {}
            case [str(printed), list(probes)]:
                return {"printed": printed, "probes": tuple(map(self._probe, probes))}
        raise wire.WireError("not an observation")

    def _probe(self, tree: Any) -> tuple[Any, ...]:
        match tree:
            case [str(name), *args] if is_name(name):
                return name, *map(self.wire.decode, args)
        raise wire.WireError("not a call of a probe")


def is_name(text: str) -> bool:
    """Tell whether a text can be the name of a class or a function, or words that stand for one."""
    return text.isprintable() and len(text) < 100


@cache
def _key(seed: str) -> bytes:
    """Give the key of a seed. It takes long to compute on purpose: whoever guesses at a secret seed has to try many."""
    return hashlib.pbkdf2_hmac("sha256", seed.encode(), b"foldem", 200_000)


def derived_seed(seed: str, *words: str) -> int:
    """Give a number that depends on the exam's seed and on what it is for; from it neither can be worked out."""
    return int.from_bytes(hashlib.sha256(_key(seed) + "/".join(words).encode()).digest())


def code_of(module: ModuleType) -> CodeType:
    """Give the code of a module that is written in Python."""
    assert module.__file__
    return compile(Path(module.__file__).read_text(encoding="utf-8"), f"<{module.__name__}>", "exec", dont_inherit=True)


def checks_of(unit: Unit) -> ModuleType:
    """Give the checks module of a unit (an empty one where everything is derived)."""
    name = f"autograder.checks.{unit.name}"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return ModuleType(name)


def compile_example(exercise: Exercise, number: int) -> list[CodeType]:
    """Give a visible example as code: its setup, then its call; UnitError if the call is no expression."""
    example = exercise.examples[number]
    try:
        call = compile(example.call, "<example>", "eval")
    except SyntaxError:
        raise UnitError(f"{exercise.unit}: an example of {exercise.name} is no expression: {example.call}") from None
    return [*(compile(line, "<example>", "exec") for line in example.setup), call]


@cache
def exam_for(unit_name: str, seed: str = PUBLISHED) -> Exam:
    """Give the exam of a unit under a seed: from the cache where it is there, else built and cached."""
    unit = read_unit(unit_name)
    path = cache_folder() / f"{unit_name}-{fingerprint(unit_name, seed)}.json"
    try:
        stored = json.loads(path.read_bytes())
    except (OSError, ValueError):
        exam = build_exam(unit, seed)
        _store(path, exam)
        return exam
    return Exam(unit, seed, {name: _paper(unit[name], paper) for name, paper in stored.items()})


def cache_folder() -> Path:
    """Give the folder that exams are kept in: FOLDEM_CACHE, or the user's cache folder."""
    return Path(os.environ.get("FOLDEM_CACHE") or platformdirs.user_cache_path("foldem")) / "exams"


def fingerprint(unit_name: str, seed: str) -> str:
    """Give a text that changes with anything the exam depends on."""
    here = Path(__file__).parent
    files = [
        *sorted(COURSE.glob("*.py")),
        COURSE / f"{unit_name}.toml",
        SOLUTIONS / f"{unit_name}.py",
        here / "checks" / f"{unit_name}.py",
        mistakes_folder() / f"{unit_name}.py",
        *(here / name for name in ("exams.py", "cases.py", "unit.py", "draw.py", "mistakes.py")),
        *sorted((here / "sandbox" / "inside").glob("*.py")),
    ]
    digest = hashlib.sha256(f"{seed}|{sys.version_info[:2]}|{version('hypothesis')}".encode())
    for file in files:
        digest.update(file.read_bytes() if file.exists() else b"")
    return digest.hexdigest()[:24]


def _store(path: Path, exam: Exam) -> None:
    """Write by a rename, so that a reader at the same time sees the whole file or none; a full disk is no error."""
    stored = {name: _stored(paper) for name, paper in exam.papers.items()}
    draft = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _drop_old(path.parent)
        draft.write_text(json.dumps(stored, separators=(",", ":")))
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)


def _drop_old(folder: Path) -> None:
    """Delete exams that were built long ago: each change of a unit, each seed and each version leaves some behind."""
    for path in folder.iterdir():
        if time.time() - path.stat().st_mtime > KEPT_SECONDS:
            path.unlink(missing_ok=True)


def _stored(paper: Paper) -> dict[str, Any]:
    return {
        "prints": paper.prints,
        "mentions": paper.mentions,
        "contests": paper.contests,
        "modules": paper.modules,
        "facets": [[f.name, f.calls, f.expected, f.whole] for f in paper.facets],
        "mistakes": [[known.belief, known.truth, known.digests] for known in paper.mistakes],
    }


def _paper(exercise: Exercise, stored: dict[str, Any]) -> Paper:
    facets = [
        Facet(name, tuple(_call(call) for call in calls), tuple(expected), whole)
        for name, calls, expected, whole in stored["facets"]
    ]
    mistakes = tuple(Known(belief, truth, tuple(digests)) for belief, truth, digests in stored["mistakes"])
    rest = (tuple(stored[name]) for name in ("contests", "modules"))
    return Paper(exercise, tuple(facets), stored["prints"], tuple(stored["mentions"]), mistakes, *rest)


def _call(stored: list[Any]) -> Call:
    kind, what, typed, chance = stored
    return kind, what, tuple(typed), tuple(chance) if isinstance(chance, list) else chance


def build_exam(unit: Unit, seed: str) -> Exam:
    """Give the exam, built afresh; UnitError if a facet lets a constant or an identity pass.

    A thread of its own, because its stack is empty: a reference finds as much of it wherever this is called.
    """
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_built, unit, seed).result()


def _built(unit: Unit, seed: str) -> Exam:
    blank = Exam(unit, seed, {})
    return Exam(unit, seed, {exercise.name: _Builder(blank, exercise).paper() for exercise in unit.exercises})


class _Builder:
    """Builds one exercise's paper."""

    def __init__(self, exam: Exam, exercise: Exercise) -> None:
        self.exam, self.exercise, self.checks = exam, exercise, exam.checks
        self.contests = getattr(self.checks, "CONTESTS", {}).get(exercise.name, {})
        self.seed = derived_seed(exam.seed, exercise.unit, exercise.name)

    def paper(self) -> Paper:
        asked = [(name, calls, whole) for name, calls, whole in self._facets() if calls]
        frames = self._observe([calls for _, calls, _ in asked])
        observed = [
            Facet(name, tuple(calls), tuple(wire.text_of(tree) for tree in trees), whole)
            for (name, calls, whole), trees in zip(asked, frames, strict=True)
        ]
        pool = contrast_pool(observed)
        facets = tuple(with_contrast(facet, pool) for facet in observed)
        mentions = mentioned(self.exercise, facets, self.exam.unit.by_name)
        modules = modules_needed(self.exam.unit, self.exercise)
        names = {"mentions": mentions, "contests": tuple(self.contests), "modules": modules}
        paper = Paper(self.exercise, facets, self.prints, **names)
        return replace(paper, mistakes=tuple(self._mistakes(paper)))

    def _facets(self) -> Iterator[tuple[str, list[Call], bool]]:
        yield EXAMPLES, [("example", number, (), None) for number in range(len(self.exercise.examples))], False
        if not self.exercise.is_called:
            yield "the value", [("value", None, (), None)], False
            return
        for name, special in getattr(self.checks, "FACETS", {}).get(self.exercise.name, {}).items():
            whole = isinstance(special, Whole)
            yield name, [self._call(case) for case in (special.cases if whole else special)], whole
        if self.contests:
            return
        name, cases = self._drawn()
        calls = self._smallest_first(self._call(case) for case in cases)
        yield name, [*calls, *calls[::AGAIN]], False
        if self.exercise.curried:
            yield STEPWISE, [(kind, [[arg] for arg in what[0]], *rest) for kind, what, *rest in calls[:60]], False

    def _drawn(self) -> tuple[str, Iterable[Case]]:
        from autograder import draw

        return draw.cases(self.exercise, self.exam.unit.module, self.checks, self.seed)

    def _call(self, case: Case | tuple[Any, ...]) -> Call:
        case = case if isinstance(case, Case) else Case(case)
        return "args", [[self.exam.wire.encode(arg, _function_name) for arg in case.args]], case.typed, case.chance

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
        own = {self.exercise.name: ("answer", self.exercise.name, answer)} if answer else {}
        words = {*paper.mentions, *names_in(answer)} - {*own} if answer else self.exam.codes
        needed = self.exam.unit.with_needs(words)
        references = {name: ("reference", name, code) for name, code in self.exam.codes.items() if name in needed}
        plan = list((references | own).values())
        bench = runner.Bench(
            self.exam.unit.module, request(self.exam, self.exercise.name, plan, paper.orders, seconds=None)
        )
        report = bench.load(plan)
        if report["error"] or report["helpers"]:
            raise UnitError(f"{self.exercise.unit}: {self.exercise.name} does not load: {report}")
        return [tuple(bench.facet(facet, False)) for facet in paper.orders]

    def _mistakes(self, paper: Paper) -> Iterator[Known]:
        for mistake in mistakes_of(self.exercise.unit):
            if mistake.exercise == self.exercise.name and mistake.truth:
                digests = tuple(starmap(digest, self._frames(paper, mistake.source)))
                yield Known(mistake.belief, mistake.truth, digests)

    def _checked(self, trees: list[Any]) -> list[Any]:
        if faults := [tree[1] for tree in trees if tree[0] == "fault" or _overflowed(tree)]:
            raise UnitError(f"{self.exercise.unit}: the reference of {self.exercise.name} ended in: {faults[0]}")
        return trees


def _function_name(value: object) -> str | None:
    return value.text if isinstance(value, wire.NamedFunction) else None


def request(
    exam: Exam,
    answer: str | None,
    plan: list[tuple[Any, ...]],
    facets: list[dict[str, Any]],
    *,
    seconds: float | None,
    one_by_one: bool = False,
    modules: Iterable[str] = (),
) -> dict[str, Any]:
    """Give what the sandbox is told: how everything is defined and what to call, never what should come out.

    If `answer` is named, nothing is run should its cell fail to load.
    """
    return {
        "given": exam.unit.module.__name__,
        "answer": answer,
        "exercises": [exercise.name for exercise in exam.unit.exercises],
        "modules": [(name, exam.modules[name]) for name in modules],
        "plan": plan,
        "facets": facets,
        "seconds": seconds,
        "one_by_one": one_by_one,
    }


def packed(order: dict[str, Any]) -> bytes:
    """Give a request as the bytes that the sandbox takes; only the grader's own data is ever unpacked from such."""
    return marshal.dumps(order)


def mentioned(exercise: Exercise, facets: Iterable[Facet], names: Iterable[str]) -> tuple[str, ...]:
    """Give the exercises that the calls of a paper name: in a visible example, or as a function among the inputs."""
    values = wire.text_of([call[1] for facet in facets for call in facet.calls if call[0] == "args"])
    words = {*example_words(exercise), *re.findall(r'\["f","(\w+)"\]', values)}
    return tuple(name for name in names if name in words)


def example_words(exercise: Exercise) -> list[str]:
    """Give the words of an exercise's visible examples."""
    lines = (line for example in exercise.examples for line in (*example.setup, example.call))
    return re.findall(r"\w+", " ".join(lines))


def modules_needed(unit: Unit, exercise: Exercise) -> tuple[str, ...]:
    """Give those of the withheld modules that an exercise's examples and reference need, with what these need."""
    needed = [exercise, *(unit[name] for name in unit.reached[exercise.name])]
    words = set(example_words(exercise)).union(*(names_in(each.source) for each in needed))
    places = [place for place, name in enumerate(unit.withheld) if words & set(import_module(name).__all__)]
    return unit.withheld[: max(places, default=-1) + 1]


def contrast_pool(facets: Iterable[Facet]) -> list[tuple[Call, str]]:
    """Give the calls to choose contrasts from: examples last, which may say more than the call (`f(x) is None`)."""
    pairs = [pair for f in facets if not f.whole for pair in zip(f.calls, f.expected, strict=True)]
    return sorted(pairs, key=lambda pair: pair[0][0] == "example")


def with_contrast(facet: Facet, pool: list[tuple[Call, str]]) -> Facet:
    """Give the facet with calls added, so that no constant and no function that gives an argument back passes it."""
    if facet.whole or facet.calls[0][0] == "value":
        return facet
    extra: list[tuple[Call, str]] = []
    for lazy in (_constant(facet), *(_projection(index) for index in range(4))):
        pairs = [*zip(facet.calls, facet.expected, strict=True), *extra]
        if all(lazy(call, text) for call, text in pairs):
            extra += [pair for pair in pool if not lazy(*pair)][:1]
    calls, expected = zip(*extra, strict=True) if extra else ((), ())
    return Facet(facet.name, facet.calls + calls, facet.expected + expected)


def _constant(facet: Facet) -> Any:
    return lambda _call, text: text == facet.expected[0]


def _projection(index: int) -> Any:
    def gives_back(call: Call, text: str) -> bool:
        args = [arg for group in call[1] for arg in group] if call[0] == "args" else []
        return index < len(args) and text == wire.text_of(["ok", args[index]])

    return gives_back


def warm_up() -> None:
    """Have the exams of all units in the cache, so that nobody's first check has to wait."""
    for name in unit_names():
        exam_for(name)


if __name__ == "__main__":
    warm_up()
