"""The exam of a unit: the author's checks, and for each exercise the inputs and the reference's observations.

An exam is built once per unit and seed, and then cached. References run in the same code as answers. Hypothesis and the
checks module are loaded only to build an exam, or for an acceptance relation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any

from autograder.exam.cases import Case, Check
from autograder.sandbox.inside.orders import packed_orders
from autograder.units.mistakes import did_you_mean, no_exercise
from autograder.units.pack import UnitError
from autograder.units.unit import Exercise, Unit
from autograder.units.written import location_of_words
from course.diagnoses.failure import CONTRAST_FACET, EXAMPLES_FACET
from course.exam import wire
from course.exam.alike import normalizers_of
from course.exam.calls import Call, FacetRequest
from course.exam.observation import Observation, decoded_observation
from course.exam.observing import EXAMPLE_FILE_NAME
from course.exam.sealed import MistakeResults
from course.kernel.catalogue import ComparisonRules


@dataclass(frozen=True)
class Facet:
    """One rule of an exercise: its calls, and the expected observation of each.

    The published calls come first. The last of them are the contrast calls; `contrasts` is their number. They are not
    part of the rule, and only detect lazy answers, such as constants. The last `secret` calls of the facet are never
    shown, and only decide whether the facet passes. If `changes` is true, the arguments are also observed after the
    call, to detect changes to them.
    """

    name: str
    calls: tuple[Call, ...]
    expected: tuple[str, ...]
    joint: bool = False
    contrasts: int = 0
    changes: bool = False
    secret: int = 0

    @property
    def rule_calls(self) -> int:
        """Return the number of published calls that belong to the rule."""
        return len(self.calls) - self.contrasts - self.secret

    @property
    def published(self) -> Facet:
        """Return the facet without its secret calls."""
        number = self.rule_calls + self.contrasts
        return replace(self, calls=self.calls[:number], expected=self.expected[:number], secret=0)

    @cached_property
    def expected_bytes(self) -> bytes:
        """Return the bytes that an answer's process sends if all results are right."""
        return f"[{','.join(self.expected)}]".encode()


@dataclass(frozen=True)
class StoredPaper:
    """A paper as it is stored in the cache, without its exercise. The exercise is read from the unit.

    `mentions` and `modules` name the exercises, and the modules with answers, that the calls and the reference need. If
    `iterates` is true, the reference returns iterators, and their items are observed.
    """

    facets: tuple[Facet, ...]
    prints: bool
    mentions: tuple[str, ...] = ()
    mistakes: tuple[MistakeResults, ...] = ()
    contests: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    iterates: bool = False


@dataclass(frozen=True, kw_only=True)
class Paper(StoredPaper):
    """The part of an exam for one exercise: its facets of calls, the known mistakes, and the names of its contests."""

    exercise: Exercise

    @cached_property
    def published(self) -> Paper:
        """Return the paper without its secret calls. Each facet keeps its position, even if it has no call left."""
        has_secrets = any(facet.secret for facet in self.facets)
        return replace(self, facets=tuple(facet.published for facet in self.facets)) if has_secrets else self

    @property
    def facet_names(self) -> tuple[str, ...]:
        """Return the names of a report's facets: rules with calls, one facet for all contrast calls, and contests."""
        contrast = [CONTRAST_FACET] * any(facet.contrasts for facet in self.facets)
        return (*(facet.name for facet in self.facets), *contrast, *self.contests)

    @property
    def calls(self) -> Iterator[Call]:
        """Return the calls of all facets, in order."""
        return (call for facet in self.facets for call in facet.calls)

    @cached_property
    def compiled_examples(self) -> list[list[CodeType]]:
        """Return the visible examples, compiled: for each, its setup statements and then its call."""
        return [compile_example(self.exercise, number) for number in range(len(self.exercise.examples))]

    @cached_property
    def facet_orders(self) -> list[FacetRequest]:
        """Return the facets as the sandbox receives them: with visible examples as code, without expected results."""
        orders = []
        for facet in self.facets:
            calls = (c._replace(what=self.compiled_examples[c.what]) if c.kind == "example" else c for c in facet.calls)
            observed = self.prints, self.exercise.shows_args, tuple(calls), self.iterates, facet.changes
            orders.append(FacetRequest(self.exercise.name, *observed))
        return orders

    @cached_property
    def packed_orders(self) -> bytes:
        """Return the facets in the form that the sandbox receives, as bytes."""
        return packed_orders(self.facet_orders)


@dataclass(frozen=True)
class Checks:
    """An author's part of an exam: strategies for named types, and checks for exercises."""

    strategies: Mapping[str, Any] = field(default_factory=dict)
    by_name: Mapping[str, Check] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Check:
        """Return the check of an exercise. The check is empty if everything can be derived."""
        return self.by_name.get(name, Check())


def checks_of(unit: Unit) -> Checks:
    """Return the checks of a unit. Raises UnitError, with file and line, if the checks contain an unknown name."""
    module = unit.pack.import_role_module("checks", unit.name)
    checks = Checks(getattr(module, "STRATEGIES", {}), getattr(module, "CHECKS", {}))
    if unit.pack.pin_folder(unit.name):  # a pinned unit may lack exercises that the current checks have
        return checks
    for word, reason in _errors_in_checks(unit, checks):
        raise checks_error(unit, word, reason)
    return checks


def is_left_to_teachers(unit: Unit, checks: Checks, name: str) -> bool:
    """Return whether only a teacher's exam can judge an exercise.

    A teacher's exam is needed if several answers are right, and the unit's `ALIKE` has no function that compares them.
    """
    return checks[name].accepts is not None and name not in normalizers_of(unit.module.__name__)


def judging_of(unit: Unit) -> dict[str, ComparisonRules]:
    """Return how the results of visible examples are compared, for each exercise that does not need exact equality."""
    checks = checks_of(unit)
    judging = {
        name: ComparisonRules(checks[name].tolerance, is_left_to_teachers(unit, checks, name)) for name in unit.by_name
    }
    return {name: each for name, each in judging.items() if each != ComparisonRules()}


def _errors_in_checks(unit: Unit, checks: Checks) -> Iterator[tuple[str, str]]:
    """Yield the unknown names of exercises and facets in an author's checks, each with the reason why it is wrong."""
    for name, check in checks.by_name.items():
        if name not in unit.by_name:
            yield name, no_exercise(unit, name)
        if not isinstance(check, Check):
            yield name, f"the check of {name} is not a Check"
            return
        for key in {*check.texts, *check.weights} - {EXAMPLES_FACET, *check.facets, *check.contests}:
            yield key, f"{name} has no facet or contest {key!r}{did_you_mean(key, check.facets)}"


def checks_error(unit: Unit, word: str, reason: str) -> UnitError:
    """Return an error that names the first line with the given word in a unit's checks."""
    file = unit.pack.file("checks", unit.name)
    location = location_of_words(file, f'"{word}"', word) if file.exists() else f"{file}:1"
    return UnitError(f"{location}: {reason}")


@dataclass(frozen=True, eq=False)
class Exam:
    """The exam of a unit, with a paper for each exercise. The exam's secret calls depend on the seed."""

    unit: Unit
    seed: str
    by_name: dict[str, Paper]

    @cached_property
    def wire(self) -> wire.Wire:
        return wire.Wire(self.unit.module)

    @cached_property
    def reference_codes(self) -> dict[str, CodeType]:
        """Map the name of each exercise to its compiled reference.

        The sandbox receives each reference as a code object, never as text.
        """
        return {
            exercise.name: compile(exercise.source, "<the reference>", "exec", dont_inherit=True)
            for exercise in self.unit.exercises
        }

    @cached_property
    def withheld_code(self) -> dict[str, CodeType]:
        """Map the name of each withheld module to its compiled code."""
        sources = {name: Path(import_module(name).__file__ or "") for name in self.unit.withheld_modules}
        return {
            name: compile(path.read_text(encoding="utf-8"), f"<{name}>", "exec", dont_inherit=True)
            for name, path in sources.items()
        }

    @cached_property
    def checks(self) -> Checks:
        return checks_of(self.unit)

    @cached_property
    def published(self) -> Exam:
        """Return the exam without secret calls."""
        return replace(self, by_name={name: paper.published for name, paper in self.by_name.items()})

    def case(self, call: Call) -> Case:
        """Return a call as a `Case`, with its arguments decoded."""
        groups = call.what if call.kind == "args" else ()
        args = tuple(self.wire.decode(arg) for group in groups for arg in group)
        keywords = tuple((name, self.wire.decode(arg)) for name, arg in call.keywords)
        return Case(args, call.typed, call.chance, keywords)

    def observation(self, tree: object) -> Observation:
        """Return the observation that a tree of JSON values encodes.

        Raises WireError if the tree does not encode an observation.
        """
        return decoded_observation(self.wire, tree)


@cache
def _key(seed: str) -> bytes:
    """Return the key of a seed. This is slow on purpose, so that guessing a secret seed takes too long."""
    return hashlib.pbkdf2_hmac("sha256", seed.encode(), b"foldem", 200_000)


def derived_seed(seed: str, *words: str) -> int:
    """Return a number that depends on a seed and on words that describe its purpose.

    Nobody can compute the seed or the words from the number.
    """
    return int.from_bytes(hashlib.sha256(_key(seed) + "/".join(words).encode()).digest())


def compile_example(exercise: Exercise, number: int) -> list[CodeType]:
    """Return a visible example as code objects: its setup, then its call."""
    example = exercise.examples[number]
    return [
        *(compile(line, EXAMPLE_FILE_NAME, "exec") for line in example.setup),
        compile(example.call, EXAMPLE_FILE_NAME, "eval"),
    ]
