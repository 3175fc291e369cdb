"""Who knows a kit by heart and has guessed every digest, or has a table of the examples, passes almost no check."""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from autograder.commands.student_kit import make_kit
from autograder.config import PUBLISHED
from autograder.exam.contrast import KitWorld, input_of, known_calls, reserved_inputs, without_reserved
from autograder.exam.impostors import impostors_of
from autograder.exam.sealing import sealed_practice
from autograder.exam.store import exam_for
from autograder.prove.answers import (
    COURSE_SEED,
    accepted_by_kit,
    refused_by_kit,
)
from autograder.units.unit import Exercise
from course.data import from_data
from course.exam.calls import Call
from course.exam.impostors import UNTRIED, Referee, known_world_in
from course.exam.sealed import SealedExam, SealedPaper
from course.exam.world import worlds_of
from course.syntax import expression_of
from tests.classroom import submission_with
from tests.grader import Grader
from tests.kit_table import table_yield
from tests.sample import as_proof
from tests.units import known, mistakes_of, read_unit, right_answers, unit_names

sealed_for = cache(sealed_practice)


def papers(unit: str) -> dict[str, SealedPaper]:
    """Return the papers of a course's kit, as its owner can read them."""
    return exam_in_kit(unit).papers


def exam_in_kit(unit: str) -> SealedExam:
    return from_data(SealedExam, json.loads(sealed_for(read_unit(unit), COURSE_SEED)))


def inputs(facet: Any) -> set[str]:
    """Return the inputs that belong to a facet's rule."""
    return {input_of(call) for call in facet.calls[: facet.rule_calls] if call.kind == "args"}


@pytest.mark.promise("kits")
def test_two_kits_of_a_course_are_equal_and_those_of_two_courses_are_not() -> None:
    first, again = (sealed_practice(read_unit("warmup"), COURSE_SEED) for _ in range(2))
    assert first == again != sealed_practice(read_unit("warmup"), "of another course")


@pytest.mark.parametrize("unit", ["warmup", "sedma"])
def test_a_kit_keeps_back_about_a_third_of_each_facet(unit: str) -> None:
    for name, paper in exam_for(read_unit(unit)).by_name.items():
        shown = {facet.name: inputs(facet) for facet in papers(unit)[name].facets}
        for facet in (facet for facet in paper.facets if not facet.joint and len(inputs(facet)) > 1):
            asked, left = len(inputs(facet)), len(inputs(facet) - shown.get(facet.name, set()))
            assert round(asked / 3) <= left, (name, facet.name)
        asked, left = (sum(map(len, map(inputs, each))) for each in (paper.facets, papers(unit)[name].facets))
        assert asked < 12 or 0.5 < left / asked < 0.75, name


@pytest.mark.promise("kits")
@pytest.mark.parametrize("unit", ["warmup", "sedma", as_proof("basra")])
def test_inputs_that_any_exercise_reserves_are_in_no_facet_of_a_kit(unit: str) -> None:
    reserved = reserved_inputs(exam_for(read_unit(unit)), COURSE_SEED)
    for paper in papers(unit).values():
        with_digests = (facet for facet in paper.facets if not facet.judge)
        assert not {input_of(call) for facet in with_digests for call in facet.calls} & reserved


@pytest.mark.promise("kits")
@pytest.mark.parametrize("unit", ["sedma", "basra"])
def test_no_world_of_a_kit_tells_an_input_that_any_exercise_reserves(unit: str) -> None:
    exam, reserved = exam_for(read_unit(unit)), reserved_inputs(exam_for(read_unit(unit)), COURSE_SEED)
    hidden = [each for paper in exam.by_name.values() for each in known_calls(paper.facets) if each.input in reserved]
    for name in worlds_of(exam.unit.module.__name__):
        world = KitWorld(exam, name, COURSE_SEED)
        assert hidden and not any(map(world.tells, hidden))


def test_small_worlds_reveal_no_reserved_call() -> None:
    unit, name = read_unit("sedma"), "winning_place"
    exam, of_kit = exam_for(unit), known_world_in(exam_in_kit("sedma").impostors[name])
    complete, reserved = known_world_in(impostors_of(unit)[name]), reserved_inputs(exam, COURSE_SEED)
    assert 0.3 < len(KitWorld(exam, name, COURSE_SEED).reserved) / len(complete.digests) < 0.5
    hidden = [each for each in known_calls(exam.by_name[name].facets) if each.input in reserved]
    for each in hidden:
        value = exam.observation(json.loads(each.gives)).value
        assert Referee(unit.module, name, of_kit).judged(exam.case(each.call).args, value) == UNTRIED
    assert hidden and of_kit.beliefs == complete.beliefs, "each can still be caught"


def test_offered_inputs_reveal_no_reserved_call() -> None:
    unit = read_unit("warmup")
    reserved = reserved_inputs(exam_for(unit), COURSE_SEED)
    hidden, wire = 0, exam_for(unit).wire
    for name, data in impostors_of(unit, COURSE_SEED).items():
        known = known_world_in(data)
        for args, right, caught in zip(
            known.world(unit.module, name).distinct(), known.digests, known.caught, strict=True
        ):
            if input_of(Call("args", [[*map(wire.encode, args)]])) in reserved:
                hidden += 1
                assert caught is None and not any(right), name
    assert hidden > 10


# ------------------------------------------------------------------------------------------------ the attack itself


@pytest.mark.promise("kits")
@pytest.mark.proof
@pytest.mark.parametrize("seed", [COURSE_SEED, "s4"])
@pytest.mark.parametrize("unit", unit_names())
def test_tables_of_kits_earn_a_twentieth_at_most(unit: str, seed: str) -> None:
    assert table_yield(read_unit(unit), seed) <= 0.05


def test_every_facet_of_a_secret_exam_has_calls_that_no_kit_has() -> None:
    shown = without_reserved(exam_for(read_unit("warmup")), COURSE_SEED).by_name
    for name, paper in exam_for(read_unit("warmup"), COURSE_SEED).by_name.items():
        known = {each.input for each in known_calls(shown[name].facets)}
        for facet in paper.facets:
            assert any(each.input not in known for each in known_calls([facet])), (name, facet.name)


# ------------------------------------------------------------------------------------------------ what it is good for


def test_a_courses_kit_refuses_wrong_answers_and_accepts_right_ones() -> None:
    assert [line for wrong in mistakes_of("sedma")[::15] for line in accepted_by_kit(wrong, COURSE_SEED)] == []
    assert [line for right in right_answers("warmup") for line in refused_by_kit(right, COURSE_SEED)] == []


@pytest.mark.proof
def test_kits_of_courses_refuse_49_of_50_known_mistakes() -> None:
    wrong = [each for unit in unit_names() for each in mistakes_of(unit)[::5]]
    assert sum(bool(accepted_by_kit(each, COURSE_SEED)) for each in wrong) <= len(wrong) / 50


def released(folder: Path, seed: str) -> Path:
    (folder / "release" / "cards").mkdir(parents=True)
    notebook = {"nbformat": 4, "metadata": {"foldem": {"unit": "warmup", "course": "course"}}, "cells": []}
    (folder / "release" / "cards" / "0_warmup.ipynb").write_text(json.dumps(notebook))
    (folder / "foldem.toml").write_text(f"seed = {seed!r}\n")
    return folder


def test_a_courses_kit_depends_on_its_seed_and_a_short_seed_is_warned_of(tmp_path: Path) -> None:
    papers_of, warnings = {}, {}
    for seed in (COURSE_SEED, PUBLISHED, "1234"):
        kit = tmp_path / f"kit {seed}"
        lines = [*make_kit(kit, known(), (), released(tmp_path / seed, seed))]
        warnings[seed] = sum("is so short that students can guess it" in line for line in lines)
        (wheel,) = kit.glob("foldem_course-*.whl")
        papers_of[seed] = json.loads(ZipFile(wheel).read("course/sealed/warmup.json"))["papers"]
    assert list(warnings.values()) == [0, 0, 1]
    assert papers_of[PUBLISHED] != papers_of[COURSE_SEED]
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
    for example in exercise.examples:
        call, answer = expression_of(example.call), example.want.strip()
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
