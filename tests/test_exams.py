"""Laws of exams, of the mutants that they refuse, and of the modules in which authors write checks."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import TypeVar

import pytest

from autograder.commands.prove import MUTANT_ADVICE
from autograder.config import Policy
from autograder.exam.build import _PaperBuilder, build_exam
from autograder.exam.model import Exam, checks_of
from autograder.exam.sealing import sealed_paper
from autograder.exam.store import delete_unused_files, exam_for
from autograder.grading.run import grade
from autograder.prove.answers import messages_if_examples_accept
from autograder.prove.laws import messages_if_mutant_passes, prove_examples
from autograder.prove.mutate import (
    EquivalentMutants,
    MutantKey,
    all_mutants,
    is_right,
    listed_right_mutants,
    mutant_texts,
    mutants_of,
)
from autograder.report.model import PASSED
from autograder.report.render import result_of
from autograder.units import pack
from autograder.units.unit import Exercise, Unit
from course.exam.sealed import MistakeResults
from tests.classroom import all_wrong, submission_with, write_file
from tests.grader import Grader
from tests.sample import as_proof, one_in
from tests.tiny import CHECKS, tiny_unit
from tests.units import read_unit, unit_names

T = TypeVar("T")


@pytest.mark.parametrize("unit", unit_names())
def test_references_return_the_results_in_their_statements(unit: str) -> None:
    assert prove_examples(read_unit(unit)).against == ()


@pytest.mark.proof
def test_visible_examples_alone_accept_at_most_a_fifth_of_mistakes() -> None:
    accepted = [line for each in all_wrong() for line in messages_if_examples_accept(each)]
    # It was a seventh before attackers wrote wrong answers that fit the examples.
    assert len(accepted) <= 0.2 * len(all_wrong()), accepted


@pytest.mark.proof
@pytest.mark.parametrize("unit", unit_names())
def test_an_exam_is_the_same_each_time_it_is_built_and_wherever(unit: str) -> None:
    assert contents(far_up_the_stack(lambda: build_exam(read_unit(unit), "0"))) == contents(exam_for(read_unit(unit)))


def far_up_the_stack(function: Callable[[], T], calls: int = 500) -> T:
    return far_up_the_stack(function, calls - 1) if calls else function()


def contents(exam: Exam) -> dict[str, tuple[list[tuple[str, tuple[str, ...]]], tuple[MistakeResults, ...]]]:
    """Return for each exercise the facets with what is expected, and the digests of known mistakes."""
    return {
        name: ([(facet.name, facet.expected) for facet in paper.facets], paper.mistakes)
        for name, paper in exam.by_name.items()
    }


@pytest.mark.parametrize("unit", one_in(3, unit_names()))
def test_a_secret_seed_draws_other_inputs(unit: str) -> None:
    assert any(inputs(exercise, "another") != inputs(exercise, "0") for exercise in read_unit(unit).exercises)


def inputs(exercise: Exercise, seed: str) -> str:
    """Return the calls of an exercise's paper, as text. Nothing is run."""
    return repr(list(_PaperBuilder(Exam(read_unit(exercise.unit), seed, {}), exercise)._facets()))


@pytest.mark.parametrize("unit", [unit if unit == "dominoes" else as_proof(unit) for unit in unit_names()])
def test_every_facet_distinguishes_functions_from_constants(unit: str) -> None:
    lazy = [
        (name, facet.name)
        for name, paper in exam_for(read_unit(unit)).by_name.items()
        for facet in paper.facets
        if not facet.joint and facet.calls[0][0] == "args" and len(set(facet.expected)) < 2
    ]
    assert lazy == []


@pytest.mark.parametrize("unit", unit_names())
def test_contrast_calls_follow_the_calls_of_the_rule(unit: str) -> None:
    for paper in exam_for(read_unit(unit)).by_name.values():
        drawn = {repr(call) for facet in paper.facets for call in facet.calls[: facet.rule_calls]}
        for facet in paper.facets:
            own, contrasts = facet.calls[: facet.rule_calls], facet.calls[facet.rule_calls :]
            assert {*map(repr, contrasts)} <= drawn - {*map(repr, own)}


def test_exams_of_long_ago_are_deleted(tmp_path: Path) -> None:
    old, young = (write_file(tmp_path / name) for name in ("old.json", "young.json"))
    os.utime(old, (0, 0))
    delete_unused_files(tmp_path)
    assert not old.exists() and young.exists()


WITH_IS = {
    "append": """def append(domino, chain, end):
    left, right = (domino if chain is EMPTY else chain).left, (domino if chain is EMPTY else chain).right
    words = (str(domino), *(() if chain is EMPTY else (chain.text,)))
    if chain is EMPTY or end == "<":
        return Chain(domino.left, " ".join(words), right)
    return Chain(left, " ".join(words[::-1]), domino.right)
""",
    "possible_dominoes": """def possible_dominoes(hand, chain):
    return tuple(domino for domino in hand if chain is EMPTY or legal_adds(domino, chain))
""",
    "legal_adds": """def legal_adds(domino, chain):
    if chain is EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    return at_left + tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
""",
    "string_of_chain": """def string_of_chain(chain):
    return chain.text if chain is not EMPTY else ""
""",
}


@pytest.mark.parametrize("name", WITH_IS)
def test_is_tells_the_empty_chain_of_dominoes(grader: Grader, name: str) -> None:
    assert grader.one("dominoes", name, WITH_IS[name]).state == PASSED


# -------------------------------------------------------------------------------------------------------------- Mutants


PER_UNIT = 3  # `foldem prove` takes all
CHANGES = (
    ("x < 3", {"x <= 3", "x >= 3", "x < 2", "x < 4"}),
    ("x == y", {"x != y", "x >= y", "x <= y"}),
    ("x < y < z", {"x < y", "y < z", "x >= y < z", "x < y >= z"}),
    ("x in y", {"x not in y"}),
    ("True", {"False"}),
    ("x('ab ')", {"x('ab X')", "x('b ')", "x('ab')"}),
    ("f'{x}-'", {"f'{x}-X'", "f'{x}'"}),
    ("x + y", {"x - y", "y + x", "x", "y"}),
    ("x // 2", {"x * 2", "x // 3", "x // 1", "x"}),
    ("-x", {"x"}),
    ("x if y else z", {"x if not y else z", "x if True else z", "x if False else z"}),
    ("x and y", {"x or y", "x", "y"}),
    ("not x", {"x"}),
    ("[x for x in y if x]", {"[x for x in y]", "[x for x in y if not x]"}),
    ("print(x, y)", {"print(y, x)", "x", "y"}),
    ("sorted(x, key=y)", {"sorted(x)", "x"}),
    ("next(x)", {"x"}),
    ("next(flip(x))", {"next(x)", "next(flip(flip(x)))", "flip(x)"}),
    ("x.strip()", {"x"}),
    ("min(x)", {"max(x)", "x"}),
    ("x[:2]", {"x[:]", "x[:3]", "x[:1]", "x"}),
    ("x[y:]", {"x[:]", "x[y + 1:]", "x[y - 1:]", "x"}),
    ("x[-1]", {"x[1]", "x[-2]", "x[-0]", "x"}),
    ("range(x)", {"range(x + 1)", "range(x - 1)", "x"}),
    ("(x, y)", {"(y, x)", "(x,)", "(y,)"}),
    ("(x, *y)", {"(*y, x)", "(x,)", "(*y,)"}),
    ("{1: x, 2: y}", {"{1: y, 2: x}"}),
    ("x.left", {"x.right"}),
    ("Human(x)", {"Bot(x)", "x"}),
    ("print(x)", {"pass"}),
    ("raise x", {"pass"}),
    ("@curry\ndef f():\n    pass", {"def f():\n    pass"}),
    ("def f(x, y):\n    return x", {"def f(x, y):\n    return y"}),
    ("x, *y = z", {"*y, x = z"}),
)
ARMS = "match x:\n    case {}:\n        1\n    case {}:\n        2\n    case _:\n        3"


def texts(code: str) -> set[str]:
    """Return the mutants of a piece of code, as if it were in a reference of the dominoes unit."""
    return set(mutant_texts(ast.parse(code), read_unit("dominoes"))) - {code}


@pytest.mark.parametrize(("code", "wrong"), CHANGES, ids=[code for code, _ in CHANGES])
def test_code_is_changed_in_one_place_at_a_time(code: str, wrong: set[str]) -> None:
    assert wrong <= {text.strip() for text in texts(code)}


def test_an_arm_is_dropped_or_comes_later() -> None:
    later = ARMS.format("[y, *_]", "[_]").replace("1", "0").replace("2", "1").replace("0", "2")
    assert {later, "match x:\n    case [_]:\n        1\n    case _:\n        3"} <= texts(ARMS.format("[_]", "[y, *_]"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Human(_)", "Bot(_)"),
        ("Human(1)", "Human(2)"),
        ("[_]", "[_, _]"),
        ("1 | 2", "3"),
        ("[Bot(), _]", "[Human(), _]"),
    ],
)
def test_arms_that_nothing_fits_both_of_keep_their_order(one: str, other: str) -> None:
    swapped = rf"case {re.escape(other)}:(?s:.*)case {re.escape(one)}:"
    assert not [text for text in texts(ARMS.format(one, other)) if re.search(swapped, text)]


@pytest.mark.parametrize(
    ("pattern", "wrong"),
    [
        ("Human(1)", {"_", "Human(_)", "Bot(1)", "Human(2)"}),
        ("1 | 2", {"_", "1", "2"}),
        ("[x, *y]", {"[*y, x]"}),
        ("Chain(x, y)", {"Chain(y, x)"}),
    ],
)
def test_a_pattern_fits_more_or_less_or_its_parts_are_swapped(pattern: str, wrong: set[str]) -> None:
    shape = "match z:\n    case {}:\n        pass"
    assert {shape.format(new) for new in wrong} <= texts(shape.format(pattern))


def test_annotations_and_docstrings_are_left_alone() -> None:
    mutants = mutants_of(read_unit("dominoes"), read_unit("dominoes")["flip"])
    assert {mutant.source.splitlines()[0] for mutant in mutants} == {"def flip(domino: Domino) -> Domino:"}


def test_arguments_of_an_exception_change_only_if_the_statement_shows_them(tmp_path: Path) -> None:
    says = "\n\n    >>> double(-1)\n    Traceback (most recent call last):\n    ValueError: too small"
    code = (
        'def double(n: int) -> int:\n    """Double.{}\n    """\n    if n < 0:\n        raise ValueError("too small")\n'
    )
    for shown in ("", says):
        unit = tiny_unit(tmp_path / str(len(shown)), f"{code.format(shown)}\n    return n + n", CHECKS)
        sources = [mutant.source for mutant in mutants_of(unit, unit["double"])]
        assert any("too smallX" in source for source in sources) is bool(shown)


def test_the_printed_block_for_a_right_mutant_can_be_pasted() -> None:
    *_, block = MUTANT_ADVICE.format("checks.py", "right.toml", unit="war").partition("[[equivalent]]")
    (entry,) = tomllib.loads(f"[[equivalent]]{block.partition('    Write')[0]}")["equivalent"]
    assert {*entry} == {field.name for field in fields(EquivalentMutants)}


@pytest.mark.parametrize("unit", unit_names())
def test_the_exam_refuses_a_sample_of_the_mutants(unit: str) -> None:
    wrong = [mutant for mutant in all_mutants(read_unit(unit)) if not is_right(mutant)]
    sample = wrong[:: len(wrong) // PER_UNIT]  # spread evenly over the exercises
    assert [line for mutant in sample for line in messages_if_mutant_passes(mutant)] == []


def reasons_by_key(unit: str) -> dict[MutantKey, str]:
    """Return the reason for each listed mutant of a unit, by the mutant's key."""
    return {
        (unit, entry.exercise, entry.line, becomes): entry.because
        for entry in listed_right_mutants(read_unit(unit)).equivalent
        for becomes in entry.becomes
        if entry.unit == unit
    }


@pytest.mark.parametrize("unit", unit_names())
def test_a_mutant_listed_as_equivalent_is_there_once_with_a_reason(unit: str) -> None:
    listed = reasons_by_key(unit)
    found = Counter(mutant.key for mutant in all_mutants(read_unit(unit)) if mutant.key in listed)
    assert found == Counter(listed.keys()) and all(len(reason.split()) >= 3 for reason in listed.values())


# -------------------------------------------------------------------------------------------- Checks modules of authors


SOLUTION = '''
def double(number: Small) -> int:
    """Return twice the number.

    >>> double(2)
    4
    """
    return 2 * number
'''
SOUND = """
from autograder.exam.cases import Check, case

STRATEGIES = {"Small": (0, 1, 2, 3)}
CHECKS = {
    "double": Check(facets={"nothing": (case(0),)}),
}
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Unit:
    """Return a unit with one exercise, in its own pack, without checks."""
    unit = tiny_unit(tmp_path, SOLUTION, SOUND)
    monkeypatch.setenv(pack.VARIABLE, str(tmp_path))
    return read_unit(unit.name)


def test_a_text_replaces_the_name_of_a_facet_wherever_it_is_shown(made: Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name stays in the exam and in reports, where stored results and adjust.toml refer to it."""
    exam = exam_for(made)
    wrong = submission_with(made.name, {"double": "def double(number):\n    return 2 * number or 1"})
    checks, before = exam.checks, grade(wrong, Policy(sandbox="off"))["double"]
    worded = {"double": replace(checks["double"], texts={"nothing": "no number"})}
    monkeypatch.setattr(Exam, "checks", property(lambda _: worded))
    after = grade(wrong, Policy(sandbox="off"))["double"]
    assert [each.name for each in after.facets] == [each.name for each in before.facets]
    assert (before.facets[1].shown_name, after.facets[1].shown_name, after.points) == (
        "nothing",
        "no number",
        before.points,
    )
    assert "no number" in result_of(after).text() and "no number" not in result_of(before).text()
    sealed = sealed_paper(exam, exam.by_name["double"])
    assert [each.name for each in sealed.facets] == ["the examples of the statement", "no number", "every input"]


DRAWN_BY = (
    "st.tuples(st.integers())",
    "lambda: st.tuples(st.integers())",
    "by_seed(lambda random: case(random.random()))",
)


@pytest.mark.parametrize("cases", DRAWN_BY)
def test_inputs_come_from_a_strategy_or_a_function_returning_one(made: Unit, cases: str) -> None:
    imports = "from hypothesis import strategies as st\nfrom autograder.exam.cases import by_seed"
    text = imports + SOUND.replace("Check(", f"Check(cases={cases}, ")
    made.pack.file("checks", made.name).write_text(text)
    paper = exam_for(read_unit(made.name)).by_name["double"]
    assert paper.facets[-1].name == "other inputs" and len(paper.facets[-1].calls) > 30


@pytest.mark.parametrize("unit", unit_names())
def test_the_checks_of_every_unit_are_sound(unit: str) -> None:
    assert set(checks_of(read_unit(unit)).by_name) <= set(read_unit(unit).by_name)


def test_grading_by_a_kept_exam_imports_no_hypothesis() -> None:
    code = "import sys, autograder.grading.run, autograder.exams.dominoes.checks; print('hypothesis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
