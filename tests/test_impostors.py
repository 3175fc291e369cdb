"""Impostors, puzzles, and kits of a course: judged without the reference, and no kit reveals what is reserved."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from autograder.commands.student_kit import build_wheel, kit_data_files, make_kit
from autograder.config import PUBLISHED_SEED
from autograder.exam.contrast import (
    CheaterTable,
    GuessFunction,
    KitWorld,
    KnownCall,
    guessing_functions,
    input_text,
    known_calls,
    reserved_inputs,
    without_reserved_calls,
)
from autograder.exam.impostors import impostors_of
from autograder.exam.model import Exam, Facet, Paper
from autograder.exam.sealing import sealed_practice
from autograder.exam.store import exam_for
from autograder.grading import puzzles, runs
from autograder.grading.judgement import assessor_for
from autograder.grading.puzzles import PuzzleMaker, puzzle_of
from autograder.grading.run import SHARE_FOR_EXAMPLES_ONLY
from autograder.hosts.kernel import Examiner
from autograder.prove.answers import (
    COURSE_SEED,
    messages_if_kit_accepts,
    messages_if_kit_refuses,
    namespace_with,
    practice_outcome,
    reference_answers,
    sandbox_of,
    sealed_paper_of,
)
from autograder.sandbox import sources
from autograder.sandbox.host import SandboxDied
from autograder.units.build import CATCH_IMPORT, built_notebook, source_notebook
from autograder.units.unit import Exercise, Unit
from course.check import catch, example
from course.data import from_data
from course.diagnoses.failure import EXAMPLES_FACET
from course.dominoes import EMPTY, Chain, Domino
from course.exam.calls import Call
from course.exam.impostors import UNTRIED_EXAMPLE, ExampleJudge, ExampleVerdict, choose_inputs, solved_world_in
from course.exam.sealed import Puzzle, SealedExam
from course.exam.wire import Tree
from course.exam.world import worlds_of
from course.kernel import catalogue, notebook
from course.learner import impostors
from course.learner.answer import answer_in_namespace
from course.learner.hints import PUZZLE_TASK, ShownPuzzle, hints_of, result_of_order
from course.learner.impostors import ALL_CAUGHT, INPUTS_SHOWN, NO_WRONG_ANSWERS, RESULT_MISSING
from course.learner.progress import load_states, progress_path
from course.sedma import CLUB, HEART, R7, RA, RK, SPADE, Card
from course.show.cards import NUMBER_NAMES
from course.show.results import BAD, GOOD, OPEN
from course.syntax import expression_of
from tests.classroom import submission_with, write_file
from tests.grader import Grader
from tests.kernel import Kernel, folder, kernel
from tests.lesson import value_of_cell
from tests.sample import as_proof, one_in
from tests.sealed import read_sealed
from tests.units import known, mistakes_of, read_unit, right_answers, unit_names

__all__ = ("folder", "kernel")  # fixtures
UNITS = [unit if unit == "sedma" else as_proof(unit) for unit in unit_names()]
WORLDS = [(unit, name) for unit in unit_names() for name in worlds_of(read_unit(unit).module.__name__)]
SAMPLED = [each if each[0] == "sedma" else as_proof(each) for each in WORLDS]
WORDS = [
    *NUMBER_NAMES,
    *["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"],
]
SAMPLE = 60


def judge(unit: str, name: str) -> ExampleJudge:
    """Return the judge that a kit contains."""
    return ExampleJudge(read_unit(unit).module, name, solved_world_in(impostors_of(read_unit(unit))[name]))


def right_examples(unit: str, name: str) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield inputs of the exam that learners can write, each with the reference's result."""
    exam = exam_for(read_unit(unit))
    for facet in exam.by_name[name].facets:
        pairs = [pair for pair in zip(facet.calls, facet.expected, strict=True) if pair[0].kind == "args"]
        for call, expected in pairs[:: len(pairs) // SAMPLE + 1]:
            seen = exam.observation(json.loads(expected))
            args = tuple(exam.wire.decode(arg, exam.wire.functions.get) for arg in call.what[0])
            if len(call.what) == 1:
                yield args, exam.wire.errors[seen.raised] if seen.raised else seen.value


@pytest.mark.parametrize(("unit", "name"), SAMPLED)
def test_right_examples_are_never_refused_and_other_results_are(unit: str, name: str) -> None:
    kit, pairs = judge(unit, name), [*right_examples(unit, name)]
    states = [kit.judge(*each).state for each in pairs]
    assert ExampleVerdict.WRONG not in states
    assert states.count(ExampleVerdict.RIGHT) > 5 or name == "play"  # whose exam has larger tables
    others = *{repr(each): each for _, each in pairs}.values(), None, 7, "x", ValueError
    for args, gives in pairs if name != "capture" else ():  # which has several right results
        for other in (*others, (gives, gives)):
            assert repr(other) == repr(gives) or kit.judge(args, other).state is not ExampleVerdict.RIGHT, args


@pytest.mark.parametrize("unit", UNITS)
def test_offered_inputs_catch_all_and_right_results_are_accepted(unit: str) -> None:
    module, solutions = read_unit(unit).module, read_unit(unit).pack.import_role_module("solutions", unit)
    for name, data in impostors_of(read_unit(unit)).items():
        known = solved_world_in(data)
        shown = choose_inputs(known.caught, INPUTS_SHOWN)
        assert frozenset[int]().union(*(known.caught[index] or () for index in shown)) == {*range(len(known.beliefs))}
        inputs = [eval(code, {**vars(module)}) for code in known.input_codes(module, name) if known.inputs]
        examples = [(args, result_of(getattr(solutions, name), args)) for args in inputs]
        referee = judge(unit, name)
        assert {referee.judge(*each).state for each in examples} <= {ExampleVerdict.RIGHT}, name


def result_of(function: Callable[..., object], args: tuple[Any, ...]) -> object:
    """Return the result of a call, or the class of the exception that it raises."""
    try:
        with redirect_stdout(StringIO()):
            return function(*args)
    except Exception as error:
        return type(error)


def test_preparing_wrong_answers_is_announced_once_even_if_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path))
    monkeypatch.setattr("autograder.exam.impostors.known_world", lambda unit, name: None)
    monkeypatch.setattr("autograder.exam.impostors.impostors_of", impostors_of.__wrapped__)
    assert impostors._worlds_of_unit.__wrapped__("warmup") == impostors._worlds_of_unit.__wrapped__("warmup") == {}
    assert capsys.readouterr().out.count("Preparing the wrong answers of warmup") == 1


# ------------------------------------------------------------------------------------------------ in a notebook


@pytest.fixture
def with_the_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    exams = {unit: SealedExam(impostors=impostors_of(read_unit(unit))) for unit in ("sedma", "dominoes")}
    monkeypatch.setattr(catalogue, "examiner", lambda: None)
    monkeypatch.setattr(catalogue, "sealed_exam_of", lambda unit: exams.get(unit, SealedExam()))
    impostors._worlds_of_unit.cache_clear()
    impostors._referee_of.cache_clear()


def cells_that_catch(unit: str) -> list[tuple[str, str]]:
    """Return the cells of a unit that catch impostors, each with the lesson above it."""
    cells = source_notebook(read_unit(unit)).cells
    return [(before.source, cell.source) for before, cell in pairwise(cells) if cell.source.startswith(CATCH_IMPORT)]


@pytest.mark.parametrize("unit", ["sedma", "warmup", "dominoes", *map(as_proof, ("basra", "uno", "bots"))])
def test_the_cells_run_while_nothing_is_written_and_say_how_many_there_are(unit: str) -> None:
    module, matches = read_unit(unit).module, cells_that_catch(unit)
    assert len(matches) >= len(worlds_of(module.__name__))
    for lesson, cell in matches:
        if "example(" not in cell:
            continue
        names = {name: getattr(module, name) for name in module.__all__}
        shown = value_of_cell(cell, names | {"__name__": "__main__"})
        assert shown.state == OPEN and WORDS[len(shown.beliefs)] in re.findall(r"\w+", lesson.lower())
        assert "with the result" in repr(shown)


def test_caught_impostors_can_be_read_and_others_are_face_down(with_the_kit: None) -> None:
    trick = Card(HEART, R7), Card(CLUB, RK), Card(SPADE, R7), Card(HEART, RA)
    shown = catch(example("winning_place", (trick,), 2))
    assert shown is not None
    html = shown._repr_mimebundle_()["text/html"]
    assert 0 < html.count("✓ caught") == len(shown.caught_indexes) < len(shown.beliefs) == html.count("<li ")
    assert "<s " not in html and "line-through" not in html
    assert repr(shown).count("[✓]") == len(shown.caught_indexes) and "face down" in repr(shown) and "face down" in html


def test_filled_in_lines_of_the_form_catch_and_a_broken_one_is_named(with_the_kit: None) -> None:
    widget = catch("flip").widget()  # type: ignore[attr-defined]
    others = [""] * (len(widget.question["lines"]) - 1)
    widget._handle_custom_msg({"answers": ["Domino(1, 0)", *others]}, [])
    assert "✓ caught" in widget.reply_html
    widget._handle_custom_msg({"answers": ["Domino(", *others]}, [])
    assert "is not a value" in widget.reply_html


def test_code_to_fill_in_is_a_cell_that_catches(with_the_kit: None) -> None:
    code = catch("flip").code.replace("(Domino(0, 1),), ...", "(Domino(0, 1),), Domino(1, 0)")  # type: ignore[attr-defined]
    shown = value_of_cell(code, {**vars(read_unit("dominoes").module), "__name__": "__main__"})
    assert shown.caught_indexes and shown.verdicts[0].state is ExampleVerdict.RIGHT and RESULT_MISSING in repr(shown)


def test_a_wrong_example_is_refused_without_the_right_result(with_the_kit: None) -> None:
    shown = catch(example("legal_adds", (Domino(4, 5), EMPTY), (Chain(5, "5-4", 4),)))
    assert shown is not None and not shown.caught_indexes
    assert "wrong" in repr(shown) and "4-5" not in repr(shown) + shown._repr_mimebundle_()["text/plain"]


def test_examples_outside_the_world_get_a_hint_what_to_choose(with_the_kit: None) -> None:
    for arguments in ((Domino(4, 5), Chain(1, "a text", 2)), (1, 2), (Domino("x", None), Chain(1, "1-2", 2))):
        shown = catch(example("legal_adds", arguments, ()))
        assert shown is not None and shown.state == OPEN and "Choose other arguments: tiles" in repr(shown)


def test_catching_all_impostors_leads_to_writing_the_answer(with_the_kit: None) -> None:
    module = read_unit("sedma").module
    known, inputs = judge("sedma", "winning_place").known, worlds_of(module.__name__)["winning_place"].distinct()
    right = read_unit("sedma").pack.import_role_module("solutions", "sedma").winning_place
    shown = catch(*(example("winning_place", args, right(*args)) for args in inputs[:: len(inputs) // 90]))
    assert (
        shown is not None
        and shown.state == GOOD
        and len(shown.caught_indexes) == len(known.beliefs)
        and ALL_CAUGHT in repr(shown)
    )


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ('example("legal_adds", (Domino(1, 2),), ())', r"\(domino, chain\)"),
        ('catch(example(legal_adds, (Domino(1, 2), EMPTY)), example("flip", (Domino(1, 2),)))', "several exercises"),
        ("catch(3)", "examples"),
    ],
)
def test_unexpected_arguments_are_reported_beside_function_names(cell: str, message: str) -> None:
    names = vars(read_unit("dominoes").module) | {"catch": catch, "example": example, "__name__": "__main__"}
    exec("def legal_adds(domino, chain): ...", names)
    assert repr(value_of_cell("example(legal_adds, (Domino(1, 2), EMPTY))", names)) == "legal_adds(Domino(1, 2), EMPTY)"
    with pytest.raises(notebook.NotRight, match=message):
        value_of_cell(cell, names)


def test_without_a_known_world_no_impostors_are_computed(with_the_kit: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert NO_WRONG_ANSWERS in repr(catch("list_shuffle"))
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert example("flip", "anything") is None and catch(None) is None  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------ kits of a course

sealed_for = cache(sealed_practice)


@cache
def exam_in_kit(unit: str) -> SealedExam:
    """Return the exam of a course's kit, as its owner can read it."""
    return from_data(SealedExam, json.loads(sealed_for(read_unit(unit), COURSE_SEED)))


def inputs(facet: Any) -> set[str]:
    """Return the inputs that belong to a facet's rule."""
    return {input_text(call) for call in facet.calls[: facet.rule_calls] if call.kind == "args"}


@pytest.mark.promise("kits")
def test_two_kits_of_a_course_are_equal_and_those_of_two_courses_are_not() -> None:
    first, again = (sealed_practice(read_unit("warmup"), COURSE_SEED) for _ in range(2))
    assert first == again != sealed_practice(read_unit("warmup"), "of another course")


@pytest.mark.parametrize("unit", ["warmup", "sedma"])
def test_a_kit_keeps_back_about_a_third_of_each_facet(unit: str) -> None:
    for name, paper in exam_for(read_unit(unit)).by_name.items():
        shown = {facet.name: inputs(facet) for facet in exam_in_kit(unit).papers[name].facets}
        for facet in (facet for facet in paper.facets if not facet.joint and len(inputs(facet)) > 1):
            asked, left = len(inputs(facet)), len(inputs(facet) - shown.get(facet.name, set()))
            assert round(asked / 3) <= left, (name, facet.name)
        asked, left = (
            sum(map(len, map(inputs, each))) for each in (paper.facets, exam_in_kit(unit).papers[name].facets)
        )
        assert asked < 12 or 0.5 < left / asked < 0.75, name


@pytest.mark.promise("kits")
@pytest.mark.parametrize("unit", ["warmup", "sedma", as_proof("basra")])
def test_inputs_that_any_exercise_reserves_are_in_no_facet_of_a_kit(unit: str) -> None:
    reserved = reserved_inputs(exam_for(read_unit(unit)), COURSE_SEED)
    for paper in exam_in_kit(unit).papers.values():
        with_digests = (facet for facet in paper.facets if not facet.judge)
        assert not {input_text(call) for facet in with_digests for call in facet.calls} & reserved


@pytest.mark.promise("kits")
@pytest.mark.parametrize("unit", ["sedma", "basra"])
def test_no_world_of_a_kit_tells_an_input_that_any_exercise_reserves(unit: str) -> None:
    exam, reserved = exam_for(read_unit(unit)), reserved_inputs(exam_for(read_unit(unit)), COURSE_SEED)
    hidden = [each for paper in exam.by_name.values() for each in known_calls(paper.facets) if each.input in reserved]
    for name in worlds_of(exam.unit.module.__name__):
        world = KitWorld(exam, name, COURSE_SEED)
        assert hidden and not any(map(world.shows_result, hidden))


def test_small_worlds_reveal_no_reserved_call() -> None:
    unit, name = read_unit("sedma"), "winning_place"
    exam, of_kit = exam_for(unit), solved_world_in(exam_in_kit("sedma").impostors[name])
    complete, reserved = solved_world_in(impostors_of(unit)[name]), reserved_inputs(exam, COURSE_SEED)
    assert 0.3 < len(KitWorld(exam, name, COURSE_SEED).reserved) / len(complete.digests) < 0.5
    hidden = [each for each in known_calls(exam.by_name[name].facets) if each.input in reserved]
    for each in hidden:
        value = exam.observation(json.loads(each.gives)).value
        assert ExampleJudge(unit.module, name, of_kit).judge(exam.case(each.call).args, value) == UNTRIED_EXAMPLE
    assert hidden and of_kit.beliefs == complete.beliefs, "each can still be caught"


def test_offered_inputs_reveal_no_reserved_call() -> None:
    unit = read_unit("warmup")
    reserved = reserved_inputs(exam_for(unit), COURSE_SEED)
    hidden, wire = 0, exam_for(unit).wire
    for name, data in impostors_of(unit, COURSE_SEED).items():
        known = solved_world_in(data)
        for args, right, caught in zip(
            known.world(unit.module, name).distinct(), known.digests, known.caught, strict=True
        ):
            if input_text(Call("args", [[*map(wire.encode, args)]])) in reserved:
                hidden += 1
                assert caught is None and not any(right), name
    assert hidden > 10


# ------------------------------------------------------------------------------------------------ the attack itself

FEW = 100  # inputs; a table with the results of all of them is a right answer
MORE_NEIGHBORS = 1, 2, 3, 5, 9


def table_yield(unit: Unit, seed: str) -> float:
    """Return the share of a unit's points that tables of everything in a course's kit earn, with guesses for the rest.

    We assume that the attacker has found the result behind every digest, and knows the best way to guess for each
    exercise. They also know which calls and catch worlds of other exercises have the same result. Here the similarity
    of inputs is defined in another way than for building an exam, and there are more neighbors.
    """
    exam_for(unit, seed)
    impostors_of(unit, seed)
    earned, points = map(sum, zip(*(yield_of(unit, seed, name) for name in unit.by_name), strict=True))
    return earned / points


def yield_of(unit: Unit, seed: str, name: str) -> tuple[float, float]:
    """Return the points that an exercise's table earns in the exam of a secret seed, and all of its points."""
    published, exam = exam_for(unit), exam_for(unit, seed)
    paper = exam.by_name[name]
    if _has_few_inputs(paper, published.by_name[name]):
        return 0.0, 0.0  # a table of all inputs is a right answer
    table = CheaterTable(without_reserved_calls(published, seed), name, _tells(published, seed, name))
    guesses = guessing_functions([*table.known.values()], _leaves_of, MORE_NEIGHBORS)
    tried = [[each.name for each in paper.facets if _passes(exam, paper, each, table, guess)] for guess in guesses]
    passed = max(
        len(names) * (SHARE_FOR_EXAMPLES_ONLY if names == [EXAMPLES_FACET] else 1) for names in tried
    )  # as `with_computed_points` counts
    points = paper.exercise.points
    return points * passed / len((*paper.facets, *paper.contests)), points


def _tells(published: Exam, seed: str, name: str) -> Callable[[KnownCall], bool]:
    """Return whether the catch world of an exercise tells the result of a call, or that of another has the same one."""
    unit = published.unit
    worlds = impostors_of(unit, seed).items()
    own = KitWorld(published, name, seed)
    others = [ExampleJudge(unit.module, other, solved_world_in(data)) for other, data in worlds if other != name]

    def tells(known: KnownCall) -> bool:
        args, result = published.case(known.call).args, published.observation(json.loads(known.gives))
        outcome = type(result.raised, (Exception,), {}) if result.raised else result.value
        return own.shows_result(known) or any(
            each.judge(args, outcome).state is ExampleVerdict.RIGHT for each in others
        )

    return tells


def _has_few_inputs(paper: Paper, published: Paper) -> bool:
    """Return whether every seed draws the same few inputs, for example for a value or a pair of colors."""
    inputs, known = ({each.input for each in known_calls(each.facets)} for each in (paper, published))
    return inputs <= known and len(inputs) <= FEW and not paper.contests


def _passes(exam: Exam, paper: Paper, facet: Facet, table: CheaterTable, guess: GuessFunction) -> bool:
    """Return whether a table passes a facet. No digest reveals the results of calls that are judged together."""
    if not facet.joint:
        return not any(table.misses(guess, each) for each in known_calls([facet]))
    guessed = (guess(KnownCall(call, input_text(call), "")) for call in facet.calls)
    frame = f"[{','.join(guessed)}]".encode()
    return assessor_for(exam, paper.exercise.name).judge(facet, frame, b"{}").report.passed


def _leaves_of(call: Call) -> frozenset[object]:
    return frozenset((*_leaves(call.given, ()), *call.typed, call.chance))


def _leaves(tree: Tree, path: tuple[int, ...]) -> Iterator[object]:
    """Yield each leaf of a tree twice: with its complete path, and with only the first index of the path."""
    if isinstance(tree, list):
        for index, branch in enumerate(tree):
            yield from _leaves(branch, (*path, index))
    else:
        yield from ((path, str(tree)), (path[:1], str(tree)))


@pytest.mark.promise("kits")
@pytest.mark.proof
@pytest.mark.parametrize("seed", [COURSE_SEED, "s4"])
@pytest.mark.parametrize("unit", unit_names())
def test_tables_of_kits_earn_a_twentieth_at_most(unit: str, seed: str) -> None:
    assert table_yield(read_unit(unit), seed) <= 0.05


def test_every_facet_of_a_secret_exam_has_calls_that_no_kit_has() -> None:
    shown = without_reserved_calls(exam_for(read_unit("warmup")), COURSE_SEED).by_name
    for name, paper in exam_for(read_unit("warmup"), COURSE_SEED).by_name.items():
        known = {each.input for each in known_calls(shown[name].facets)}
        for facet in paper.facets:
            assert any(each.input not in known for each in known_calls([facet])), (name, facet.name)


# ------------------------------------------------------------------------------------------------ what it is good for


def test_a_courses_kit_refuses_wrong_answers_and_accepts_right_ones() -> None:
    assert [line for wrong in mistakes_of("sedma")[::15] for line in messages_if_kit_accepts(wrong, COURSE_SEED)] == []
    assert [line for right in right_answers("warmup") for line in messages_if_kit_refuses(right, COURSE_SEED)] == []


def test_a_function_with_two_names_is_right_under_each_of_them() -> None:
    unit = read_unit("bots")
    answers = reference_answers(unit) | {"smart_play_drawn": "smart_play_drawn = stupid_play_drawn"}
    assert all(practice_outcome(unit, name, answers).passed for name in ("stupid_player", "smart_player"))


@pytest.mark.proof
def test_kits_of_courses_refuse_49_of_50_known_mistakes() -> None:
    wrong = [each for unit in unit_names() for each in mistakes_of(unit)[::5]]
    assert sum(bool(messages_if_kit_accepts(each, COURSE_SEED)) for each in wrong) <= len(wrong) / 50


def released(folder: Path, seed: str) -> Path:
    (folder / "release" / "cards").mkdir(parents=True)
    notebook = {"nbformat": 4, "metadata": {"foldem": {"unit": "warmup", "course": "course"}}, "cells": []}
    (folder / "release" / "cards" / "0_warmup.ipynb").write_text(json.dumps(notebook))
    (folder / "foldem.toml").write_text(f"seed = {seed!r}\n")
    return folder


def test_a_courses_kit_depends_on_its_seed_and_a_short_seed_is_warned_of(tmp_path: Path) -> None:
    papers_of, warnings = {}, {}
    for seed in (COURSE_SEED, PUBLISHED_SEED, "1234"):
        kit = tmp_path / f"kit {seed}"
        lines = [*make_kit(kit, known(), (), released(tmp_path / seed, seed))]
        warnings[seed] = sum("is so short that students can guess it" in line for line in lines)
        (wheel,) = kit.glob("foldem_course-*.whl")
        papers_of[seed] = json.loads(ZipFile(wheel).read("course/sealed/warmup.json"))["papers"]
    assert list(warnings.values()) == [0, 0, 1]
    assert papers_of[PUBLISHED_SEED] != papers_of[COURSE_SEED]
    assert papers_of[COURSE_SEED] == json.loads(sealed_for(read_unit("warmup"), COURSE_SEED))["papers"]


TABLE = """
def {name}(*args):
    def given(*args): return args
    for call, answer in ({rows}):
        try:
            if repr(call()) == repr(args): return answer()
        except Exception: pass
"""


def rows_of(exercise: Exercise) -> list[tuple[str, str]]:
    """Return the arguments and the answer of each example that is a call with a value."""
    found = []
    for each in exercise.examples:
        call, answer = expression_of(each.call), each.want.strip()
        match call:
            case ast.Call(func=ast.Name(id=exercise.name), args=args, keywords=[]) if expression_of(answer):
                found.append((ast.unparse(ast.Tuple(args))[1:-1], answer))
    return found


def by_table(exercise: Exercise) -> str:
    """Return an answer that contains a table of the examples in the statement, as far as possible."""
    rows = "".join(f"(lambda: given({args}), lambda: {answer})," for args, answer in rows_of(exercise))
    return TABLE.format(name=exercise.name, rows=rows)


@pytest.mark.promise("marks")
@pytest.mark.parametrize("unit", [unit if unit == "dominoes" else as_proof(unit) for unit in unit_names()])
def test_a_table_of_the_visible_examples_earns_at_most_a_tenth(unit: str, grader: Grader) -> None:
    exercises = [exercise for exercise in read_unit(unit).exercises if rows_of(exercise)]
    report = grader.grade(submission_with(unit, {each.name: by_table(each) for each in exercises}))
    too_many = {each.name: each.points / each.of for each in report.exercises if each.points > each.of / 10 + 0.05}
    assert exercises and too_many == {} and any(each.facets[0].passed for each in report.exercises if each.facets)


# ------------------------------------------------------------------------------------------------ puzzles

MAKERS = [PuzzleMaker(read_unit(unit), exercise) for unit in unit_names() for exercise in read_unit(unit).exercises]
PUZZLED = [maker for maker in MAKERS if maker.has_puzzle]
APPEND = next(maker for maker in PUZZLED if maker.exercise.name == "append")
MOST_ORDERS = 20
cached_seal = cache(read_sealed)


def letters_of(puzzle: Puzzle, lines: tuple[str, ...]) -> str:
    """Return the letters of lines in their order."""
    left, letters = dict(puzzle.lettered_lines), ""
    for line in lines:
        letters += next(letter for letter, text in left.items() if text == line)
        del left[letters[-1]]
    return letters


def orders_near(maker: PuzzleMaker, puzzle: Puzzle) -> Iterator[str]:
    """Yield orders that compile: the reference's, with two neighbors swapped, a line left out, or a wrong line."""
    right, wrong = letters_of(puzzle, maker.right_lines), {*puzzle.lettered_lines}
    wrong -= {*right}
    cuts = range(len(right))
    orders = {right[:cut] + right[cut + 1 : cut + 2] + right[cut] + right[cut + 2 :] for cut in cuts}
    orders |= {right[:cut] + more + right[cut + 1 :] for cut in cuts for more in ("", *wrong)}
    for order in sorted(orders - {right}, key=lambda order: order != right):
        try:
            compile(puzzle.assembled_code(order), "<puzzle>", "exec")
        except SyntaxError:
            continue
        yield order


@pytest.mark.parametrize("maker", one_in(60, PUZZLED), ids=lambda maker: f"{maker.unit.name}-{maker.exercise.name}")
def test_orders_are_accepted_as_the_exam_accepts_them(maker: PuzzleMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "examiner", lambda: None)
    monkeypatch.setattr(catalogue, "_installed_provider", lambda: None)
    monkeypatch.setattr(catalogue, "sealed_exam_of", cached_seal)
    unit, name, puzzle = maker.unit, maker.exercise.name, maker.make_puzzle()
    answer = answer_in_namespace(namespace_with(unit, reference_answers(unit)), name, unit.name)

    def judged(order: str) -> tuple[bool, str]:
        is_right = maker.passes(puzzle.assembled_code(order), sandbox_of(unit))
        return is_right, result_of_order(answer, puzzle, order).state

    right = letters_of(puzzle, maker.right_lines)
    assert puzzle.lines != maker.right_lines and judged(right)[0] and judged(right)[1] != BAD
    near = [*orders_near(maker, puzzle)]
    for order in near[:: len(near) // MOST_ORDERS + 1]:
        is_right, state = judged(order)
        assert state != BAD if is_right else state != GOOD or not sealed_paper_of(unit, name), puzzle.assembled_code(
            order
        )


def test_wrong_lines_come_from_known_mistakes_and_are_refused() -> None:
    wrong = {*APPEND.make_puzzle().lines} - {*APPEND.right_lines}
    (line,) = (line for line in wrong if "Chain(_, text, right)" in line)
    code = "\n".join((*APPEND.header_lines, *APPEND.right_lines)).replace(
        "        case Chain(left, text, right):", line
    )
    assert len(wrong) == 3 and not APPEND.passes(code, sandbox_of(APPEND.unit))


def test_without_fork_a_puzzle_has_no_wrong_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacks_fork(*_: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(puzzles, "open_sandbox", lacks_fork)
    assert sorted(APPEND.make_puzzle().lines) == sorted(APPEND.right_lines)


def test_a_puzzle_is_made_once_for_kernels_and_kits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path))
    made = Examiner().puzzle("dominoes", "append")
    monkeypatch.setattr(PuzzleMaker, "wrong_lines", lambda _: pytest.fail("the puzzle is made again"))
    assert made and made == puzzle_of(APPEND.unit, "append")


# --- hints


def test_hint_begins_with_the_puzzle_then_shows_words(kernel: Kernel, folder: Path) -> None:
    first, *others = hints_of("dominoes")["append"]
    shown = [kernel.run('hint("append")') for _ in range(2)]
    assert PUZZLE_TASK in shown[0] and first not in shown[0] and "at_left = " in shown[0]
    assert first in shown[1] and others[0] not in shown[1] and load_states(folder, "dominoes")["append"].hints == 2


def test_a_solved_puzzle_is_shown_and_earns_nothing(kernel: Kernel, folder: Path) -> None:
    order = letters_of(APPEND.make_puzzle(), APPEND.right_lines)
    answer = answer_in_namespace(kernel.shell.user_ns, "append", "dominoes")
    shown = [result_of_order(answer, APPEND.make_puzzle(), each).text() for each in (order, order[:-1], order[::-1])]
    assert "these lines are right" in shown[0] and "yourself" in shown[0]
    assert "not right yet" in shown[1] and "cannot be in that position" in shown[2]
    assert "append" not in load_states(folder, "dominoes") and "append" not in kernel.shell.user_ns


@pytest.mark.parametrize("text", ["", "puzzles = false", "puzzles = true\nhints = false"])
def test_a_course_has_no_puzzles_unless_it_allows_them(kernel: Kernel, folder: Path, text: str) -> None:
    (folder / "foldem.toml").write_text(text)
    assert "at_left" not in kernel.run('hint("append")')
    progress_path(folder, "dominoes").unlink(missing_ok=True)
    (folder / "foldem.toml").write_text("puzzles = true")
    assert "at_left = " in kernel.run('hint("append")')


# --- kits


KITS = {None: True, "puzzles = true": True, "": False, "puzzles = false": False, "puzzles = true\nhints = false": False}


@pytest.mark.parametrize("settings", KITS)
def test_only_kits_with_puzzles_contain_lines_of_references(tmp_path: Path, settings: str | None) -> None:
    course, unit = tmp_path / "cs101", read_unit("dominoes")
    write_file(course / "foldem.toml", settings or "")
    files = kit_data_files([built_notebook(unit)], known(), course if settings is not None else None)
    with ZipFile(build_wheel(tmp_path, known().packs[0], True, files)) as wheel:
        named = {name for name in wheel.namelist() if "puzzle" in name and "at_right = " in wheel.read(name).decode()}
    assert named == ({"course/puzzles/dominoes.json"} if KITS[settings] else set())


# --- the widget


def test_check_without_lines_asks_to_move_some() -> None:
    widget = ShownPuzzle(answer_in_namespace({}, "append", "dominoes"), APPEND.make_puzzle()).widget()
    widget._handle_custom_msg({"order": ""}, [])
    assert "Move lines to your answer first." in widget.reply_html


def test_a_puzzle_has_no_line_that_could_not_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_known_results", {})
    monkeypatch.setattr(sources, "zygote_command", lambda *_: ["/no/such/program"])
    with pytest.raises(SandboxDied, match="does not start"):
        APPEND.make_puzzle()
