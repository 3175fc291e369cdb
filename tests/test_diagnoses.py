"""Diagnoses of learners' slips: with the course alone, and with everything installed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from html import escape
from pathlib import Path
from typing import Any

import nbformat
import pytest
from msgspec import json

import course.diagnoses
import course.learner.practice
from autograder.config import Policy
from autograder.grading.run import grade_in, open_sandbox
from autograder.prove.answers import grade_trusted
from autograder.report.model import WRONG, ExerciseReport
from autograder.report.render import result_of
from autograder.report.words import problem_text
from autograder.units import pack as packs
from autograder.units.mistakes import Mistake
from autograder.units.unit import requirements_of
from course.diagnoses import Diagnosis, Evidence, UnitAdvice, diagnose, diagnoses_from_text, syntax_problem_of
from course.diagnoses.compared import compare_texts, joined_pieces
from course.diagnoses.differing import describe_wrong_line, difference_sentence
from course.diagnoses.failure import (
    CALLED,
    CHANGED,
    GAVE,
    PRINTED,
    RAISED,
    SLOW,
    ExpectedException,
    Failure,
    OtherKind,
    SimilarKind,
    UnnamedCell,
)
from course.form.reading import unit_names_of
from course.roles import role_module
from course.show.blocks import Rows, as_html, as_text
from course.show.failed import failure_elements
from course.show.results import BAD, GOOD, Result
from tests.classroom import all_right, notebook_with, reference_answers
from tests.command import foldem_here, printed_by
from tests.lesson import Lesson
from tests.sample import one_in
from tests.slips import SECONDS, SLIPS, checked_in_turn, leads_on, message
from tests.units import WAR, mistakes_of, read_unit, submission_with

UNITS = {slip.get("unit", "warmup") for slip in SLIPS}
POLICY = Policy(sandbox="off", seconds_per_call=0.5, seconds_per_exercise=2)


@pytest.fixture(scope="module")
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture(scope="module")
def sandboxes(stack: ExitStack) -> dict[str, Any]:
    """Return one sandbox for each unit. That is enough, because no answer here is hostile."""
    return {unit: stack.enter_context(open_sandbox(read_unit(unit), POLICY)) for unit in UNITS}


def evidence_on(unit: str, exercise: str, source: str, *failures: Failure) -> Evidence:
    """Return the evidence on an answer, with its syntax error if there is one."""
    requirements = requirements_of(read_unit(unit), read_unit(unit)[exercise])
    return Evidence(requirements, source, failures, syntax_problem=syntax_problem_of(source))


def with_everything(slip: dict[str, Any], sandboxes: dict[str, Any]) -> Result:
    unit, name = slip.get("unit", "warmup"), slip["exercise"]
    policy = Policy(**{**vars(POLICY), "exercises": (name,)})
    return result_of(grade_in(sandboxes[unit], submission_with(unit, {name: slip["answer"].strip()}), policy)[name])


def lacking(result: Result, slip: dict[str, Any]) -> list[str]:
    """Return the texts that the message on a slip should have, and has not."""
    return [text for text in (*slip["message"], *slip.get("facts", ())) if text not in message(result)]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip["name"])
def test_doing_what_the_message_on_a_slip_says_leads_on(slip: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course.learner.practice, "SECONDS_PER_EXAMPLE", SECONDS)
    results = [*checked_in_turn(slip)]
    assert (results[0].state, lacking(results[0], slip)) == (BAD, []), message(results[0])
    assert len(results[0].text().splitlines()) <= 8 and leads_on(results)


@pytest.mark.forks
@pytest.mark.parametrize("slip", one_in(6, SLIPS), ids=lambda slip: slip["name"])
def test_a_slip_is_diagnosed_with_everything_installed(slip: dict[str, Any], sandboxes: dict[str, Any]) -> None:
    result, in_kit = with_everything(slip, sandboxes), next(checked_in_turn(slip))
    calls = {
        part.first_failed_rule.failure.call
        for part in (result, in_kit)
        if part.first_failed_rule and part.first_failed_rule.failure
    }
    if len(calls) == 1 and not result.belief:  # the same call; a known mistake says more than an exception does
        assert lacking(result, slip) == [], message(result)
        assert result.says or "facts" in slip or not slip["message"]
    assert result.state == BAD and len(result.text().splitlines()) <= 8


@pytest.mark.forks
def test_fold_does_not_repeat_the_failing_call(sandboxes: dict[str, Any]) -> None:
    answer = "def swap_ends(hand):\n    first, *middle, last = hand\n    return (last, *middle, first)"
    result = with_everything({"exercise": "swap_ends", "answer": answer}, sandboxes)
    shown, folded = re.sub("<[^>]+>", "", result.html()).split("4 other checks fail for the same reason")
    assert "swap_ends(())" in shown and "(expected at least 2, got 0)" in shown
    first = folded.partition("✗ ")[2]
    assert "swap_ends(())" not in folded and first.startswith("the examples of the statement (3 calls)")


# ------------------------------------------------------------------------------------------ wrong, and no more is known

WORDS = {
    ("12", "10"): "The number is too large by 2.",
    ("2.0", "2"): "The function returned a float, but the right result is an integer.",
    ("True", "False"): "The function returned True, but the right result is False.",
    ("None", "0"): "The function returned `None`, but this call must return a value.",
    ("0", "None"): "For this call, the function must return `None`.",
    ("1", "Joker()"): "The function returned an integer, but the right result is a `Joker`.",
    ("(1, (2, 3))", "(1, 2, 3)"): "Unpack the inner tuple or list with a `*`.",
    ("(1, 3)", "(1, 2, 3)"): "`2` is missing from the result.",
    ("(1, 2, 2)", "(1, 2)"): "`2` is in the result too often.",
    ("(3, 2, 1)", "(1, 2, 3)"): "The result has the right items, but in reverse order.",
    ("(1, 9, 3)", "(1, 2, 3)"): "Only the second item is wrong: the number is too large by 7.",
    ("(1, 'a')", "(1, 2)"): "Only the last item is wrong: it is a string, but must be an integer.",
    ("(8, 9, 3)", "(1, 2, 3)"): "2 of the 3 items are wrong. Look at the first item first.",
    ("Player('Bob', (), 5)", "Player('Bob', (), 9)"): "Only the part `score` is wrong: the number is too small by 4.",
    ("Player('Bo', (), 5)", "Player('Bob', (), 9)"): "",
    ("On(Table(), Joker())", "On(Joker(), Table())"): "the right parts, but in the wrong positions",
    ("'a  b'", "'a b'"): "Only spaces, tabs or line breaks are wrong.",
    ("<student function>", "3"): "",
    (str(10**400), "3"): "",  # no float can hold it
}


@pytest.mark.parametrize("values", WORDS, ids=str)
def test_differences_are_described_in_words(values: tuple[str, str]) -> None:
    sentence = difference_sentence(*values, unit_names_of("course.warmup"))
    assert WORDS[values] in sentence and (sentence or not WORDS[values])


OUTPUT = {
    ("", "a", 1): "The function prints nothing",
    ("b", "a", 1): "The first printed line is wrong.",
    ("b", "a", 2): "All printed lines before this line are right.",
    ("a  ", "a", 1): "Only spaces",
    (None, "a", 2): "stops printing too early",
    ("b", None, 2): "prints too much",
}


@pytest.mark.parametrize(("line", "text"), OUTPUT.items(), ids=str)
def test_a_wrong_line_of_output_is_described_in_words(line: tuple[str | None, str | None, int], text: str) -> None:
    seen, wanted, row = line
    failure = Failure("flip(Domino(1, 2))", PRINTED, seen, wanted, row=row)
    [diagnosis] = describe_wrong_line(evidence_on("dominoes", "flip", "def flip(domino):\n    print(domino)", failure))
    assert text in diagnosis.says


@pytest.mark.promise("batch")
def test_a_fault_in_a_diagnosis_leaves_the_answer_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OverflowError

    monkeypatch.setattr("autograder.grading.diagnosed.diagnose", fail)
    with open_sandbox(read_unit("warmup"), POLICY) as sandbox:
        report = grade_in(sandbox, submission_with("warmup", {"penalty": "def penalty(card):\n    return 3"}), POLICY)
    assert (report["penalty"].state, report["penalty"].advice) == ("wrong", None)


# ------------------------------------------------------------------------------------------ what does not parse

UNPARSED = {
    "Line 1 is not Python: a chat program writes lines with ```": "```python\ndef f(x):\n    return x\n```",
    "Line 1 is a conflict marker of git": "<<<<<<< local\ndef f(x):\n    return x\n=======\nf = 1\n>>>>>>> remote",
    "Line 3 is a conflict marker of git": "def f(x):\n    return x\n=======\nf = 1\n>>>>>>> remote",
    "Line 1 begins with a line number": "1 def f(x):\n2     return x",
    "Line 2 has a character that you cannot see": "def f(x):\n\u00a0\u00a0\u00a0\u00a0return x",
    "cannot see. Type the spaces": "def f(x):\n    \u200breturn x",
    "Line 1 has the full-width character （. Python needs `(`": "def f（x）：\n    return x",
    "Python needs a plain one": "def f(x):\n    return “a”",
    "write `>=`": "def f(x):\n    return x => 3",
    "write `and`": "def f(x):\n    return x && 3",
    "write `or`": "def f(x):\n    return x || 3",
    "write `not`": "def f(x):\n    if !x:\n        return 3",
    "On line 4, write `elif`": "def f(x):\n    if x:\n        return 1\n    else if x > 2:\n        return 2",
    "write `n + 1`": "def f(n):\n    return n++",
    "To compare two values, write `==`": "def f(x):\n    if x = 3:\n        return 1",
    "On line 2, a single `=` assigns a value": "def f(x):\n    return len(x) == 3 and set(x) = set(y)",
    "Line 1 needs a colon": "def f(x)\n    return 1",
    "The `(` on line 2 is never closed": "def f(x):\n    return (1, 2",
    "has no opening bracket": "def f(x):\n    return 1)",
    "`)` closes a `[`": "def f(x):\n    return [1)",
    "no closing quotation mark": "def f(x):\n    return 'abc",
    "by four spaces": "def f(x):\nreturn 1",
    "indented too far": "def f(x):\n    y = 1\n      return y",
    "is not aligned with any line above it": "def f(x):\n    if x:\n            y = 1\n        return y",
    "`print` needs parentheses": "def f(x):\n    print 'x'",
    "usually a comma": "def f(x):\n    return g(x 2)",
    "write `case Wild() | Skip():`": "def f(x):\n    match x:\n        case Wild() or Skip():\n            return 1",
    "write `case Wild() | Jack():`": "def f(x):\n    match x:\n        case Wild() and Jack():\n            return 1",
    "delete the comma before `for card in`": "def f(x):\n    return sum(card.n, for card in x)",
    "`:=` needs parentheses": "def f(x):\n    return next((y for y in x if z := g(y)), None)",
    "parentheses around it:": "def f(x):\n    return min(y for y in x, default=None)",
    "`in` is missing": "def f(x):\n    return [y for y x]",
    "Write it before `for`": "def f(x):\n    return tuple(1 for y in x if y else 2)",
    "Write it at the end": "def f(x):\n    return tuple(y if y > 1 for y in x)",
    "a pattern cannot contain a comparison": "match x:\n    case Face(_, suit == Suit.HEARTS):\n        penalty = 1",
    "the result after `lambda`": "def f(x):\n    return filter(lambda n > 0, x)",
    "begin the comprehension with the value of each item": "def f(x):\n    return tuple(for card in x: card.n)",
    "write two `for`s": "def f(x):\n    return tuple((a, b) for a, b in ROWS, SEATS)",
    "a string needs quotation marks": "def f(x):\n    if x == <:\n        return 1",
    "A `match` has no `else`": "match x:\n    case 1:\n        y = 1\n    else:\n        y = 2",
    "Did you mean `return`": "def f(x):\n    retrun x",
    "Did you mean `def`": "Def f(x):\n    return x",
}


@pytest.mark.parametrize("says", UNPARSED)
def test_syntax_errors_are_explained(says: str) -> None:
    found = diagnose(evidence_on("warmup", "penalty", UNPARSED[says]))
    assert found and says in found.says


# ------------------------------------------------------------------------------------------ a cell that stopped

# What a cell's only line raises, by the code that the advice shows.
STOPPED_CELLS = {
    "Bot('Stupid', stupid_play_card, stupid_play_drawn, stupid_choose_color)": (
        "bots",
        "stupid_player = Bot('Stupid', stupid_play_card(View), stupid_play_drawn(View), stupid_choose_color(View))",
        "TypeError: '_collections._tuplegetter' object is not iterable",
    ),
    "case Number(_, other_led) | Face(_, other_led) if other_led == led:\ncase Joker():": (
        "warmup",
        "def goes_with(led, card):\n    match card:\n        case Number(_, led) | Face(_, led) | Joker(): ...",
        "SyntaxError: alternative patterns bind different names",
    ),
}


@pytest.mark.parametrize("example", STOPPED_CELLS)
def test_stopped_cell_is_shown_as_it_should_be(example: str) -> None:
    unit, source, raised = STOPPED_CELLS[example]
    error, _, text = raised.partition(": ")
    exercise = source.removeprefix("def ").replace("(", " ").split()[0]
    failure = Failure(did=RAISED, error=error, seen=text, label=exercise, line=1)
    found = diagnose(evidence_on(unit, exercise, source, failure))
    assert found and found.example == example


# ------------------------------------------------------------------------------------------ right answers


@pytest.mark.parametrize("right", all_right(), ids=str)
def test_diagnoses_are_silent_about_the_text_of_right_answers(right: Any) -> None:
    """The result does not matter: this test invents a wrong result that only the text could explain."""
    for name, source in right.answers.items():
        failure = Failure(f"{name}()", GAVE, "1", "2")
        assert diagnoses_from_text(Evidence(requirements_of(right.unit, right.unit[name]), source, (failure,))) == {}, (
            name
        )


@pytest.mark.parametrize("right", one_in(9, all_right()), ids=str)
def test_kits_accept_all_right_answers_without_a_diagnosis(right: Any) -> None:
    lesson = Lesson(right.unit.name, *right.helpers, *right.answers.values())
    found = {name: lesson.check(name) for name in right.answers}
    assert {name: (result.state, result.says) for name, result in found.items()} == dict.fromkeys(found, (GOOD, ""))


def test_a_very_long_answer_is_not_diagnosed() -> None:
    failure = Failure("flip(Domino(2, 3))", GAVE, "None", "Domino(3, 2)")
    source = "def flip(domino):\n    flip(domino)\n"
    assert diagnose(evidence_on("dominoes", "flip", source, failure))
    assert diagnose(evidence_on("dominoes", "flip", source + "    flip(domino)\n" * 1_400, failure)) is None


# ------------------------------------------------------------------------------------------ failed calls

LISTED = OtherKind(SimilarKind.TUPLE, SimilarKind.LIST)
LINES = {
    "f(1) returned 2, expected 3": Failure("f(1)", GAVE, "2", "3"),
    "f(1) returned [2], expected (2,) (a tuple, not a list)": Failure("f(1)", GAVE, "[2]", "(2,)", LISTED),
    "f(1) returned 2: it is no card": Failure("f(1)", GAVE, "2", remark="it is no card"),
    "x = 1; f(x) returned 2, expected 3": Failure("f(x)", GAVE, "2", "3", setup=("x = 1",)),
    "f(1) took too long": Failure("f(1)", SLOW, wanted="3"),
    "f: it never ends": Failure(words="f: it never ends"),
    "f(1) called g(1), expected g(2)": Failure("f(1)", CALLED, "g(1)", "g(2)"),
    "f([1]) had the argument [] after the call, expected [1]": Failure("f([1])", CHANGED, "[]", "[1]"),
    "f([1]) had the argument [1] after the call: that is not right": Failure(
        "f([1])", CHANGED, "[1]", remark="that is not right"
    ),
    "f(1) raised E: no (line 2 of the cell of f), expected 3": Failure(
        "f(1)", RAISED, "no", "3", error="E", label="f", line=2
    ),
    "f(1) printed 'a\\t' in line 2, expected nothing more": Failure("f(1)", PRINTED, "a\t", row=2),
    "f(1) raised E, as expected, but printed nothing in line 1, expected ''": Failure(
        "f(1)", PRINTED, None, "", error="E", row=1
    ),
    "f(1) returned 2, expected E to be raised": Failure("f(1)", GAVE, "2", ExpectedException("E")),
    "f(1) raised E (line 2 of cell [4]), expected F('no') to be raised": Failure(
        "f(1)", RAISED, "", ExpectedException("F('no')"), error="E", label=UnnamedCell(4), line=2
    ),
    "f(1) returned ((),), expected (2,) (at [0] an integer, not a tuple)": Failure(
        "f(1)", GAVE, "((),)", "(2,)", OtherKind(SimilarKind.INTEGER, SimilarKind.TUPLE, "[0]")
    ),
}


def test_a_long_call_is_one_row_and_unfolds_to_all_of_it() -> None:
    setup = ("def same(card):\n    return card", f"hand = {tuple(range(60))}", "names = 'Ada', 'Alan'")
    call = f"play(hand, {', '.join(f'names[{k}]' for k in range(40))})"
    failure = Failure(setup=setup, call=call, did=GAVE, seen="1", wanted="2")
    shown = [each for each in failure_elements(failure) if isinstance(each, Rows)]
    rows = {row.label: joined_pieces(row.pieces) for each in shown for row in each.rows}
    assert max(map(len, rows.values())) <= 68 and rows["first"].startswith("def same(card): return card; hand = ")
    markup, text = as_html(failure_elements(failure)), as_text(failure_elements(failure))
    assert "<details>" in markup and escape("\n".join(setup)) in markup and call in markup
    assert max(map(len, text.splitlines())) <= 80 and "play(hand, names[0]" in text and "def same(card)" in text


@pytest.mark.parametrize("line", LINES)
def test_a_failure_is_one_line_and_loads_as_an_equal_value(line: str) -> None:
    assert (str(LINES[line]), json.decode(json.encode(LINES[line]), type=Failure)) == (line, LINES[line])


def test_a_call_is_never_cut_and_what_was_expected_is_never_lost() -> None:
    cards = ", ".join(f"Card({number})" for number in range(200))
    line = str(Failure(f"f(({cards}))", GAVE, f"({cards}, 1)", f"({cards}, 2)"))
    assert line.startswith(f"f(({cards})) returned …") and ", 1), expected …" in line and line.endswith(", 2)")


CAUSES = [
    (
        Failure("f(1)", RAISED, "no 1", "3", error="E", label="f", line=2),
        Failure("f(2)", RAISED, "no 2", "4", error="E", label="f", line=2),
    ),
    (Failure("f(1)", GAVE, "None", "3"), Failure("f(2)", GAVE, "None", "4")),
    (
        Failure("f(1)", GAVE, "[]", "()", LISTED),
        Failure("f(2)", GAVE, "([],)", "((),)", OtherKind(SimilarKind.TUPLE, SimilarKind.LIST, "[0]")),
    ),
    (Failure("f(1)", "took too long"), Failure("f(2)", "took too long")),
]


@pytest.mark.parametrize(("one", "other"), CAUSES)
def test_failures_of_one_cause_are_known_as_such(one: Failure, other: Failure) -> None:
    assert one.cause_key and one.cause_key == other.cause_key


def test_wrong_values_have_no_known_cause_and_other_lines_are_other_causes() -> None:
    assert (Failure("f(1)", GAVE, "2", "3").cause_key, len({one.cause_key for one, _ in CAUSES})) == ((), len(CAUSES))


def test_long_texts_are_cut_around_the_difference() -> None:
    one, other = compare_texts("x, " * 100 + "1" + ", y" * 100, "x, " * 100 + "2" + ", y" * 100, 60)
    assert [piece.text for piece in one if piece.differs] == ["1"]
    assert len(joined_pieces(one)) <= 60 >= len(joined_pieces(other))


def test_where_nothing_is_shared_nothing_is_marked() -> None:
    assert not any(piece.differs for pieces in compare_texts("None", "(Chain(5, '5-6', 6),)", 80) for piece in pieces)


# ------------------------------------------------------------------------------------------ causes by name

DOMINO = """from dataclasses import dataclass
@dataclass(frozen=True)
class Domino:
    left: int
    right: int
"""
CHAIN = """class Chain:
    def __init__(self, left, tiles, right):
        self.left, self.tiles, self.right = left, tiles, right
"""
SWAPPED = "def flip(domino):\n    return Domino(domino.right, domino.left)"
BANNED = ("sort__by_sorted", "sort__by_the_method", "sort__in_order", "list_shuffle__by_random_shuffle")
DECIDED = [
    each for unit in ("basra", "dominoes") for each in mistakes_of(unit) if f"{each.exercise}__{each.name}" in BANNED
]


def report_on(name: str, answer: str, *helpers: str) -> ExerciseReport:
    return grade_trusted(submission_with("dominoes", {name: answer}, helpers), name)[name]


def advice(name: str, answer: str, *helpers: str) -> str:
    report = report_on(name, answer, *helpers)
    return report.advice.says if report.advice else ""


def checked(unit: str, name: str, source: str) -> Result:
    return Lesson(unit, source).check(name)


REDEFINED = [
    (("append", "def append(domino, chain, end):\n    return Chain(1, '1-1', 1)", CHAIN), "redefines `Chain`"),
    (("legal_adds", "def legal_adds(domino, chain):\n    return (EMPTY,)", "EMPTY = None"), "redefines `EMPTY`"),
    (("flip", f"{DOMINO}\n{SWAPPED}"), "This cell redefines `Domino`"),
    (("flip", f"from course.dominoes import *\n{SWAPPED.replace('right', 'left')}"), ""),
]


@pytest.mark.parametrize(("answer", "says"), REDEFINED)
def test_report_names_the_cell_that_redefines_a_given_name(answer: tuple[str, ...], says: str) -> None:
    advised = advice(*answer)
    assert says in advised and ("redefines" in advised) == bool(says)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("import pandas as swap", "There is no module `pandas` here."),
        ("from my_helpers import swap", "There is no module `my_helpers` here."),
        ("from itertools import no_such_name as swap", ""),
    ],
)
@pytest.mark.parametrize("where", ["{0}\ndef flip(domino):\n    return swap(domino)", "def flip(domino):\n    {0}"])
def test_advice_names_the_module_that_is_missing(where: str, line: str, says: str) -> None:
    answer = where.format(line)
    assert says in advice("flip", answer)
    if answer.startswith("def"):
        assert says in checked("dominoes", "flip", answer).says


@pytest.mark.parametrize("wrong", DECIDED, ids=str)
def test_ban_that_is_the_exercise_decides(wrong: Mistake) -> None:
    report = grade_trusted(submission_with(wrong.unit, {wrong.exercise: wrong.source}), wrong.exercise)[wrong.exercise]
    assert (report.state, report.points, report.facets) == (WRONG, 0, ())
    result = checked(wrong.unit.name, wrong.exercise, wrong.source)
    assert result.state == BAD and problem_text(report) in result.headline and "· 0 / " in result.headline
    assert result.says and report.advice and result.says == report.advice.says


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("riffles_to_restore(10038)", "riffles_to_restore(10038)   # more riffles than nested …"),
        ("append(Domino(2, 6), Chain(1, '1-2', 2), '<')", "append(Domino(2, 6), Chain(1, '1-2', 2), '<')\n"),
    ],
)
def test_a_comment_is_cut_before_its_call_is(call: str, shown: str) -> None:
    failure = Failure(call, did=GAVE, seen="1", wanted="2")
    assert shown in as_text(failure_elements(failure, "more riffles than nested calls"))


# ---------------------------------------------------------------------------------------------- Advice of a pack's unit


HALVES = "def deal(pack):\n    half = len(pack) // 2\n    return pack[:half], pack[half:]"
BY_SUIT = "def outranks(one, other):\n    return one.suit != 7 and (one.rank - 2) % 13 > (other.rank - 2) % 13"
ADVICE = "The dealer gives one card to each player in turn."


@pytest.fixture
def war(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(packs.VARIABLE, str(WAR))


@pytest.mark.usefixtures("war")
def test_own_detector_advises_in_a_kit() -> None:
    assert Lesson("war", HALVES).check("deal").says.startswith(ADVICE)


@pytest.mark.usefixtures("war")
def test_own_rule_of_form_is_broken_in_a_kit() -> None:
    (finding,) = Lesson("war", BY_SUIT).check("outranks").form
    assert (finding.rule, finding.breaks, finding.line, finding.example) == ("no-suits", True, 2, "one.rank")


@pytest.mark.usefixtures("war")
@pytest.mark.sandbox
def test_own_detector_and_rule_are_in_the_report(tmp_path: Path) -> None:
    answers = reference_answers(read_unit("war")) | {"deal": HALVES, "outranks": BY_SUIT}
    nbformat.write(notebook_with("war", answers), tmp_path / "0_war.ipynb")
    printed_by(foldem_here("grade", tmp_path / "0_war.ipynb", "--pack", WAR, "--out", tmp_path / "out"))
    (report,) = json.decode((tmp_path / "out" / "report.json").read_text())
    outranks, deal, _ = report["exercises"]
    assert deal["advice"]["says"].startswith(ADVICE) and outranks["points"] == 0.9
    assert [finding["rule"] for finding in outranks["form"]] == ["no-suits"]


@pytest.mark.usefixtures("war")
def test_unit_words_replace_only_names_that_examples_use() -> None:
    with pytest.raises(ValueError, match=r"unknown name 'card'\. Known names: Kind, item, items"):
        UnitAdvice(words={"card": "tile"})


@pytest.mark.usefixtures("war")
def test_fault_of_a_detector_is_not_the_learners(monkeypatch: pytest.MonkeyPatch) -> None:
    requirements = requirements_of(read_unit("war"), read_unit("war")["deal"])
    own = UnitAdvice(first=(lambda _: Diagnosis(str(1 / 0)), lambda _: Diagnosis("Next.")))
    monkeypatch.setattr(role_module("war_course.war", "advice"), "ADVICE", own)
    assert diagnose(Evidence(requirements, "def deal(pack):\n    return pack")) == Diagnosis("Next.")
