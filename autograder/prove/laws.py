"""The laws for units. Each is tried on everything that it applies to, and violations are reported as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import nbformat

from autograder.config import PUBLISHED, Policy
from autograder.exam.model import compile_example
from autograder.exam.store import exam_for
from autograder.grading.run import grade_in, open_sandbox
from autograder.hosts.products import products
from autograder.prove.answers import (
    Right,
    reference_answers,
    right_answers,
    submission_of_right,
    submission_of_wrong,
    submission_with,
)
from autograder.prove.by_heart import COURSE_SEED
from autograder.prove.delegates import closed_pairs, earns_by_unwritten, earns_by_used
from autograder.prove.equivalent import is_right
from autograder.prove.in_order import waits
from autograder.prove.judging import KILLED, fate, graded
from autograder.prove.kit import accepted_by_kit, left_to_a_teacher, refused_by_kit
from autograder.prove.mutate import Mutant, all_mutants
from autograder.prove.taught import untaught
from autograder.prove.visible import accepted_by_examples
from autograder.report.model import PASSED, UNWRITTEN, WRONG, ExerciseReport, Graded
from autograder.sandbox.host import NoSandbox
from autograder.submission.model import Submission
from autograder.submission.plain import find_construct
from autograder.submission.sort import submission_of
from autograder.units.build import notebook_file
from autograder.units.mistakes import Mistake, mistakes_of
from autograder.units.pack import COURSE
from autograder.units.unit import Example, Exercise, Passing, Unit
from course.exam import wire
from course.syntax import lines_of

LAZY = ("True", "False", "None", "()")
KITS = {"the kit": PUBLISHED, "the kit of a course": COURSE_SEED}
LEAST = 13  # shorter lines occur by chance


@dataclass(frozen=True)
class Proof:
    """The outcome of a law: on how many things it was tried, and the violations."""

    law: str
    tried: int
    against: tuple[str, ...] = ()
    is_law: bool = True  # otherwise it is a figure, which has no consequences

    @property
    def held(self) -> int:
        return self.tried - len(self.against)


def law_proof(law: str, violations: Iterable[Iterable[str]]) -> Proof:
    """Return the outcome of a law, from the violations in each thing on which it was tried."""
    each = [tuple(lines) for lines in violations]
    return Proof(law, len(each), tuple("; ".join(lines) for lines in each if lines))


def figure(law: str, violations: Iterable[Iterable[str]]) -> Proof:
    """Return the outcome of a figure: a count that is reported, but not required of a unit."""
    return replace(law_proof(law, violations), is_law=False)


# -------------------------------------------------------------------------- statements and notebooks


def examples_hold(unit: Unit) -> Proof:
    """Check that the references return what the statements show."""
    shown = [(exercise, number) for exercise in unit.exercises for number in range(len(exercise.examples))]
    return law_proof("examples are right", (_not_shown(unit, *each) for each in shown))


def _not_shown(unit: Unit, exercise: Exercise, number: int) -> Iterator[str]:
    example, text = exercise.examples[number], wire.Wire(unit.module)
    try:
        wanted = example.raises or wire.text_of(text.encode(eval(example.want, _names(unit))))
        outcome = _shown_outcome(unit, exercise, number, example, text)
    except Exception as error:
        outcome, wanted = f"{type(error).__name__}: {error}", example.want
    if outcome != wanted and not (example.raises and outcome.split(":")[0] == wanted):
        yield f"{exercise.name}: {example.call} returned {outcome}, not {wanted}"


def _shown_outcome(unit: Unit, exercise: Exercise, number: int, example: Example, text: wire.Wire) -> str:
    *setup, call = compile_example(exercise, number)
    names = _names(unit)
    for line in setup:
        exec(line, names)
    try:
        return wire.text_of(text.encode(eval(call, names)))
    except Exception as error:
        if not example.raises:
            raise
        return f"{type(error).__name__}: {error}".removesuffix(": ")


def _names(unit: Unit) -> dict[str, object]:
    module = unit.pack.module("solutions", unit.name)
    return {name: thing for name, thing in vars(module).items() if not name.startswith("__")}


def notebook_is_fresh(unit: Unit) -> Proof:
    """Check that the built notebook is current, unsolved, and contains no line of a reference."""
    built = products([unit])
    stale = [
        f"{path} is out of date: run `foldem build --pack {unit.pack.root}`"
        for path, text in built.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    notebook = nbformat.reads(built[notebook_file(unit)], as_version=4)
    report = graded(submission_of(notebook, unit.catalogue))
    solved = [exercise.name for exercise in report.exercises if exercise.state != UNWRITTEN]
    lines = {line.strip() for cell in notebook.cells for line in lines_of(cell.source)}
    leaked = [line for exercise in unit.exercises for line in leaks(exercise, lines)]
    shown = [f"solved in the notebook: {name}" for name in solved]
    return law_proof("notebooks up to date and without answers", [stale, shown, leaked])


def leaks(exercise: Exercise, shown: set[str]) -> Iterator[str]:
    """Yield the lines of a reference that are visible in a notebook, except those of its statement."""
    lines = [line.strip() for line in lines_of(exercise.source)]
    last = exercise.docstring_end
    for line in lines[last:]:
        if len(line) >= LEAST and line in shown - {*lines[:last]} and not line.startswith(("@", "case ")):
            yield f"the notebook shows a line of {exercise.name}: {line}"


# -------------------------------------------------------------------------------- answers and exams


def unsolved_earns_nothing(unit: Unit) -> Proof:
    """Check that each exercise is unwritten and earns nothing in a new notebook."""
    report = graded(submission_with(unit, {}))
    return law_proof(
        "unsolved exercises fail",
        ([e.name] if e.state != UNWRITTEN or e.points else [] for e in report.exercises),
    )


def references_pass(unit: Unit) -> Proof:
    """Check that the references get all points, including form, in the sandbox that grades other answers."""
    submission = submission_with(unit, reference_answers(unit))
    try:
        report = _in_sandbox(unit, submission, Policy())
    except NoSandbox:
        report = _in_sandbox(unit, submission, Policy(sandbox="off"))
    return law_proof("reference answers pass", (_short_of_all(exercise) for exercise in report.exercises))


def _in_sandbox(unit: Unit, submission: Submission, policy: Policy) -> Graded:
    with open_sandbox(unit, policy) as sandbox:
        return grade_in(sandbox, submission, policy)


def _short_of_all(exercise: ExerciseReport) -> list[str]:
    if exercise.state == PASSED and exercise.points == exercise.of:
        return []
    why = exercise.first_failure.verdict if exercise.first_failure else exercise.problem or "its form"
    return [f"{exercise.name}: the reference gets {exercise.points:g} of {exercise.of:g} points: {why}"]


def mistake_complaint(wrong: Mistake) -> list[str]:
    """Return a complaint if a mistake is accepted, or is recognized as another mistake."""
    report = graded(submission_of_wrong(wrong), wrong.exercise)[wrong.exercise]
    if report.state != WRONG:
        return [f"the mistake {wrong.exercise}__{wrong.name} passes"]
    if wrong.truth and (report.belief, report.truth) != (wrong.belief, wrong.truth):
        return [f"the mistake {wrong.exercise}__{wrong.name} is recognised as another mistake"]
    return []


def accepted(right: Right) -> list[str]:
    """Return a complaint if a full solution is refused."""
    missing = set(right.unit.by_name) - set(right.answers)
    if missing:
        return [f"{right.unit.name}_{right.style}.py leaves out {', '.join(sorted(missing))}"]
    report = graded(submission_of_right(right))
    return [f"{right.style}: {line}" for e in report.exercises if e.state != PASSED for line in _short_of_all(e)]


def lazy_answers(exercise: Exercise) -> tuple[str, ...]:
    """Return answers that do nothing: constants, and functions that return an argument."""
    named = any(parameter.passing in (Passing.NAME, Passing.NAME_OR_NONE) for parameter in exercise.parameters)
    head = f"def {exercise.name}(*args{', **named' if named else ''}):\n    return"
    all_given = "(*args, *named.values())" if named else "args"
    given = (f"{head} {all_given}[{index}]" for index in range(len(exercise.parameters)))
    return (*(f"{head} {value}" for value in LAZY), *given, *(f"{exercise.name} = {value}" for value in LAZY))


def earns_nothing(unit: Unit, name: str) -> list[str]:
    """Report lazy answers that earn points."""
    answers = lazy_answers(unit[name])
    earned = [a for a in answers if graded(submission_with(unit, {name: a}), name)[name].points]
    return [f"earns points: {' '.join(answer.split())}" for answer in earned]


def not_plain(unit: Unit, label: str, sources: Iterable[str]) -> list[str]:
    """Report the first construct of an answer that is not plain. For such an answer, reports hide details."""
    match = find_construct(sources, unit.module)
    return [f"{label} uses `{match[1].code}`, which is not plain"] if match else []


def all_right_are_plain(unit: Unit) -> Proof:
    """Check that reports show details to authors of right answers, whatever they have not solved yet.

    This law holds only for our units. Other units may use values whose methods are not plain, such as
    `Decimal.quantize`.
    """
    rights = right_answers(unit)
    each = (not_plain(unit, right.style, (*right.helpers, *right.answers.values())) for right in rights)
    return replace(law_proof("right answers show details in reports", each), is_law=unit.pack.course == COURSE.name)


def taught_before_needed(unit: Unit) -> Proof:
    """Check that everything a reference needs is shown earlier in the notebook.

    This law holds only for our units. Other authors know what their students have learned, and list it in `assumes`.
    """
    each = (_untaught(exercise, new) for exercise, new in untaught(unit))
    return replace(law_proof("lessons teach what exercises need", each), is_law=unit.pack.course == COURSE.name)


def _untaught(exercise: Exercise, new: tuple[str, ...]) -> Iterator[str]:
    if new:
        yield f"{exercise.name} needs {', '.join(new)}: show it in a lesson above, or list it in `assumes` of the TOML"


def plain_mistakes(unit: Unit) -> Proof:
    """Return how many of the known mistakes are plain."""
    mistakes = mistakes_of(unit)
    each = (not_plain(unit, f"{wrong.exercise}__{wrong.name}", [wrong.source]) for wrong in mistakes)
    return figure("mistakes show details in reports", each)


def killed(mutant: Mutant, seed: str = "0") -> list[str]:
    """Report a mutant that the exam accepts or cannot judge, with its diff."""
    result = fate(mutant, seed)
    return [] if result == KILLED else [f"a mutant {result}: {mutant}"]


# --------------------------------------------------------------------------------------------------------- all laws


LAWS_OF_A_UNIT: tuple[Callable[[Unit], Proof], ...] = (
    examples_hold,
    notebook_is_fresh,
    unsolved_earns_nothing,
    references_pass,
    all_right_are_plain,
    taught_before_needed,
    plain_mistakes,
)

LAWS_OF_AN_EXERCISE: dict[str, Callable[[Unit, str], list[str]]] = {
    "constants earn nothing": earns_nothing,
    "no exercise waits for a later one": waits,
    "no exercise is solved by calling a later one": earns_by_used,
}


def proofs(unit: Unit, pool: Executor, seed: str = "0", exercise: str | None = None) -> Iterator[Proof]:
    """Yield the outcome of each law in a unit.

    Mutants come last; if an exercise is named, only its mutants are tried.
    """
    exam_for(unit)
    exam_for(unit, seed)
    yield from (law(unit) for law in LAWS_OF_A_UNIT)
    for law, of_exercise in LAWS_OF_AN_EXERCISE.items():
        yield law_proof(law, pool.map(partial(of_exercise, unit), unit.by_name))
    by_unwritten = pool.map(partial(earns_by_unwritten, unit), closed_pairs(unit), chunksize=4)
    yield law_proof("no exercise is solved by calling an unwritten one", by_unwritten)
    yield law_proof("mistakes refused", pool.map(mistake_complaint, mistakes_of(unit)))
    yield law_proof("right answers accepted", pool.map(accepted, right_answers(unit)))
    yield figure("mistakes refused by the examples", pool.map(accepted_by_examples, mistakes_of(unit)))
    yield from chain.from_iterable(kit_proofs(unit, pool, *kit) for kit in KITS.items())
    yield figure("exercises judged by the kit", (left_to_a_teacher(unit, name) for name in unit.by_name))
    yield mutants_refused(unit, pool, seed, exercise)


def kit_proofs(unit: Unit, pool: Executor, kit: str, seed: str) -> Iterator[Proof]:
    """Yield the outcomes of the laws that a kit refuses wrong answers and accepts right ones."""
    wrong = pool.map(partial(accepted_by_kit, seed=seed), mistakes_of(unit))
    yield figure(f"mistakes refused by {kit}", wrong)
    right = pool.map(partial(refused_by_kit, seed=seed), right_answers(unit))
    yield law_proof(f"right answers accepted by {kit}", right)


def mutants_refused(unit: Unit, pool: Executor, seed: str = "0", exercise: str | None = None) -> Proof:
    """Check that the exam refuses references with one change, except changes that are right."""
    chosen = [m for m in all_mutants(unit) if exercise in (None, m.exercise) and not is_right(m)]
    return law_proof("mutants refused", pool.map(partial(killed, seed=seed), chosen, chunksize=4))


def calls_of(unit: Unit) -> tuple[int, int]:
    """Return the number of visible examples and of hidden calls in a unit's exam."""
    from course.diagnoses.failure import EXAMPLES

    facets = list(chain.from_iterable(paper.facets for paper in exam_for(unit).by_name.values()))
    visible = sum(len(exercise.examples) for exercise in unit.exercises)
    return visible, sum(len(facet.calls) for facet in facets if facet.name != EXAMPLES)


def right_after_all(unit: Unit) -> int:
    """Return the number of mutants that are right answers."""
    return sum(map(is_right, all_mutants(unit)))
