"""Impostors: learners' own examples are judged correctly without the reference; and what is shown of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from autograder.exam.impostors import impostors_of
from autograder.exam.store import exam_for
from autograder.units.build import CATCHES, source_notebook
from course.check import catch, example
from course.dominoes import EMPTY, Chain, Domino
from course.exam.impostors import ExampleVerdict, Referee, chosen_inputs, known_world_in
from course.exam.sealed import SealedExam
from course.exam.world import worlds_of
from course.kernel import catalogue, notebook
from course.learner import impostors
from course.learner.impostors import ALL, INPUTS_SHOWN, NO_CARDS, TO_WRITE
from course.sedma import CLUB, HEART, R7, RA, RK, SPADE, Card
from course.show.cards import NUMBER_NAMES
from course.show.results import GOOD, OPEN
from tests.lesson import value_of_cell
from tests.sample import as_proof
from tests.units import read_unit, unit_names

UNITS = [unit if unit == "sedma" else as_proof(unit) for unit in unit_names()]
WORLDS = [(unit, name) for unit in unit_names() for name in worlds_of(read_unit(unit).module.__name__)]
SAMPLED = [each if each[0] == "sedma" else as_proof(each) for each in WORLDS]
WORDS = [
    *NUMBER_NAMES,
    *["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"],
]
SAMPLE = 60


def judge(unit: str, name: str) -> Referee:
    """Return the judge that a kit contains."""
    return Referee(read_unit(unit).module, name, known_world_in(impostors_of(read_unit(unit))[name]))


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
    states = [kit.judged(*each).state for each in pairs]
    assert ExampleVerdict.WRONG not in states
    assert states.count(ExampleVerdict.RIGHT) > 5 or name == "play"  # whose exam has larger tables
    others = *{repr(each): each for _, each in pairs}.values(), None, 7, "x", ValueError
    for args, gives in pairs if name != "capture" else ():  # which has several right results
        for other in (*others, (gives, gives)):
            assert repr(other) == repr(gives) or kit.judged(args, other).state is not ExampleVerdict.RIGHT, args


@pytest.mark.parametrize("unit", UNITS)
def test_offered_inputs_catch_all_and_right_results_are_accepted(unit: str) -> None:
    module, solutions = read_unit(unit).module, read_unit(unit).pack.module("solutions", unit)
    for name, data in impostors_of(read_unit(unit)).items():
        known = known_world_in(data)
        shown = chosen_inputs(known.caught, INPUTS_SHOWN)
        assert frozenset[int]().union(*(known.caught[index] or () for index in shown)) == {*range(len(known.beliefs))}
        inputs = [eval(code, {**vars(module)}) for code in known.codes(module, name) if known.inputs]
        examples = [(args, result_of(getattr(solutions, name), args)) for args in inputs]
        referee = judge(unit, name)
        assert {referee.judged(*each).state for each in examples} <= {ExampleVerdict.RIGHT}, name


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
    assert impostors._all_known.__wrapped__("warmup") == impostors._all_known.__wrapped__("warmup") == {}
    assert capsys.readouterr().out.count("Preparing the wrong answers of warmup") == 1


# ------------------------------------------------------------------------------------------------ in a notebook


@pytest.fixture
def with_the_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    exams = {unit: SealedExam(impostors=impostors_of(read_unit(unit))) for unit in ("sedma", "dominoes")}
    monkeypatch.setattr(catalogue, "examiner", lambda: None)
    monkeypatch.setattr(catalogue, "sealed", lambda unit: exams.get(unit, SealedExam()))
    impostors._all_known.cache_clear()
    impostors._judge.cache_clear()


def cells_that_catch(unit: str) -> list[tuple[str, str]]:
    """Return the cells of a unit that catch impostors, each with the lesson above it."""
    cells = source_notebook(read_unit(unit)).cells
    return [(before.source, cell.source) for before, cell in pairwise(cells) if cell.source.startswith(CATCHES)]


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
    assert 0 < html.count("✓ caught") == len(shown.caught) < len(shown.beliefs) == html.count("<li ")
    assert "<s " not in html and "line-through" not in html
    assert repr(shown).count("[✓]") == len(shown.caught) and "face down" in repr(shown) and "face down" in html


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
    assert shown.caught and shown.catches[0].state is ExampleVerdict.RIGHT and TO_WRITE in repr(shown)


def test_a_wrong_example_is_refused_without_the_right_result(with_the_kit: None) -> None:
    shown = catch(example("legal_adds", (Domino(4, 5), EMPTY), (Chain(5, "5-4", 4),)))
    assert shown is not None and not shown.caught
    assert "wrong" in repr(shown) and "4-5" not in repr(shown) + shown._repr_mimebundle_()["text/plain"]


def test_examples_outside_the_world_get_a_hint_what_to_choose(with_the_kit: None) -> None:
    for arguments in ((Domino(4, 5), Chain(1, "a text", 2)), (1, 2), (Domino("x", None), Chain(1, "1-2", 2))):
        shown = catch(example("legal_adds", arguments, ()))
        assert shown is not None and shown.state == OPEN and "Choose other arguments: tiles" in repr(shown)


def test_catching_all_impostors_leads_to_writing_the_answer(with_the_kit: None) -> None:
    module = read_unit("sedma").module
    known, inputs = judge("sedma", "winning_place").known, worlds_of(module.__name__)["winning_place"].distinct()
    right = read_unit("sedma").pack.module("solutions", "sedma").winning_place
    shown = catch(*(example("winning_place", args, right(*args)) for args in inputs[:: len(inputs) // 90]))
    assert shown is not None and shown.state == GOOD and len(shown.caught) == len(known.beliefs) and ALL in repr(shown)


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
    assert NO_CARDS in repr(catch("list_shuffle"))
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert example("flip", "anything") is None and catch(None) is None  # type: ignore[arg-type]
