"""The other answers and references that run with an answer, and the facts of a failing call."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest
from msgspec import structs

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading.diagnosed import facts_from_child
from autograder.grading.run import Examination, grade
from autograder.grading.runs import GradingContext, Job, job_for, run_alone
from autograder.hosts.kernel import Examiner
from autograder.prove.answers import grade_trusted
from autograder.report.model import PASSED, WRONG, ExerciseReport
from autograder.report.render import exercise_text, result_of
from autograder.report.words import facet_failure_text
from autograder.sandbox.cage import OFF
from autograder.sandbox.host import Child, Sandbox
from course.diagnoses.failure import GAVE, RAISED, Failure
from course.learner.answer import answer_in_namespace
from course.learner.offering import facts_about, viewer_of_failed_run
from course.show.results import BAD
from course.watch.hooked import SPOTS
from tests.classroom import reference_answers, submission_with
from tests.grader import POLICY, Grader
from tests.kernel import Kernel
from tests.kernel import folder as folder
from tests.kernel import kernel as kernel
from tests.lesson import Lesson
from tests.routes import closed_pairs, earns_by_unwritten
from tests.units import read_unit, unit_names

DELEGATE = "def {0}(*args):\n    return {1}(*args)"
STUB = "def replay_at_once(cards):\n    raise NotImplementedError"


@pytest.mark.promise("answers")
def test_answer_that_names_everything_gets_few_references() -> None:
    unit = read_unit("dominoes")
    answers = {name: f"def {name}(*args):\n    return {', '.join(unit.by_name)}" for name in unit.by_name}
    exam, submission = exam_for(unit), submission_with("dominoes", answers)
    examination = Examination(GradingContext(Sandbox(level=OFF, secrets=()), submission, Policy(), exam), [])
    for name in unit.by_name:
        plan = examination._job(name).plan
        assert {step.name for step in plan if step.kind == "reference"} <= unit.callable_by[name]
        assert name not in {step.name for step in plan if step.is_reference}


def examined(unit: str, name: str, answers: dict[str, str]) -> ExerciseReport:
    return grade_trusted(submission_with(unit, answers), name)[name]


@pytest.mark.parametrize(
    ("unit", "pair"), [("sedma", ("replay", "replay_at_once")), ("basra", ("capture", "produce_all_captures"))]
)
def test_unwritten_exercise_does_no_other_exercises_work(unit: str, pair: tuple[str, str]) -> None:
    could = examined(
        unit, pair[0], {pair[0]: DELEGATE.format(*pair), pair[1]: reference_answers(read_unit(unit))[pair[1]]}
    )
    assert could.points > 0 and earns_by_unwritten(read_unit(unit), (*pair, "a call")) == []


@pytest.mark.promise("marks")
def test_captures_without_a_choice_earn_nothing_of_the_bonus() -> None:
    name = "produce_all_captures"
    assert examined("basra", name, {name: DELEGATE.format(name, "capture")}).points == 0


@pytest.mark.promise("marks")
@pytest.mark.proof
@pytest.mark.parametrize("unit", unit_names())
def test_no_unwritten_exercise_does_anothers_work(unit: str) -> None:
    assert [line for pair in closed_pairs(read_unit(unit)) for line in earns_by_unwritten(read_unit(unit), pair)] == []


def delegating(later: str = STUB) -> ExerciseReport:
    """Return the report on a `replay` that only calls `replay_at_once`, with an answer to that."""
    answers = {"replay": DELEGATE.format("replay", "replay_at_once"), "replay_at_once": later}
    return examined("sedma", "replay", answers)


LATER = {
    "def replay_at_once(cards):\n    return 1": "returned 1",
    DELEGATE.format("replay_at_once", "replay"): "RecursionError",
}


def test_later_exercise_runs_as_its_author_wrote_it() -> None:
    assert [text for later, text in LATER.items() if text not in facet_failure_text(delegating(later).facets[1])] == []
    between = reference_answers(read_unit("sedma"))["replay"].replace("replay", "replay_at_once")
    assert delegating(between).state == PASSED  # `tally` and the others are references


def test_report_names_the_unwritten_exercise_that_is_called() -> None:
    report = delegating()
    assert report.advice and report.advice.says.startswith("`replay` calls `replay_at_once`, which is not written yet.")


def test_learners_check_follows_the_same_rule_with_and_without_references() -> None:
    lesson = Lesson("sedma", DELEGATE.format("replay", "replay_at_once"), STUB)
    assert (
        lesson.check("replay").headline
        == "your function calls `replay_at_once`, a later exercise that is not right yet"
    )
    installed = Examiner().examine(answer_in_namespace(lesson.names, "replay", "sedma"))
    assert installed and installed.state == BAD
    assert "raised    NotWritten: replay_at_once" in installed.text()


def test_unwritten_exercise_that_is_named_but_not_called_costs_nothing() -> None:
    source = reference_answers(read_unit("sedma"))["replay"]
    assert examined("sedma", "replay", {"replay": f"{source}\n\nspare = [replay_at_once]"}).state == PASSED


def test_mark_of_an_exercise_does_not_depend_on_which_are_chosen() -> None:
    answers = {"flip": DELEGATE.format("flip", "append"), "append": DELEGATE.format("append", "flip")}
    submission = submission_with("dominoes", reference_answers(read_unit("dominoes")) | answers)
    one, everything = grade_trusted(submission, "append"), grade_trusted(submission)
    assert one["append"] == structs.replace(everything["append"], own=one["append"].own)


@pytest.mark.sandbox
def test_text_of_a_composed_reference_shows_its_name_only() -> None:
    shown = "str(draw_four), draw_four.__name__, str(Player('a', (), draw_two, False)), str(color_is_lt(RED))"
    answer = f"def move_action(move, desk, had_color):\n    raise ValueError({shown})"
    report = grade(submission_with("uno", {"move_action": answer}), Policy(exercises=("move_action",)))["move_action"]
    verdict = facet_failure_text(report.facets[0])
    assert "<function draw_four" in verdict and "Player('a', (), draw_two, False)" in verdict
    assert not [word for word in ("Compose", "draw_of_draw", "precedes", "Details are hidden") if word in verdict]


# ---------------------------------------------------------------------------------------------- Facts of a failing call


LISTED = """
def legal_adds(domino, chain):
    match chain:
        case Empty():
            return (append(domino, chain, "<"),)
        case Chain(left, _, right):
            at_left = tuple(append(tile, chain, "<") for tile in (domino, flip(domino)) if tile.left == left)
            return at_left
"""
CALLS = {
    "an item that was left out": (
        "dominoes",
        "suppress",
        "def suppress(domino, hand):\n    return tuple(tile for tile in hand if tile != domino and tile.left)",
        Failure("suppress(Domino(1, 2), (Domino(0, 3),))", GAVE, "()", "(Domino(0, 3),)"),
        "On line 2, `tile != domino and tile.left` was False for `tile` = `Domino(0, 3)`, "
        "`domino` = `Domino(1, 2)`, so this item was left out.",
    ),
    "an item that was kept": (
        "dominoes",
        "suppress",
        "def suppress(domino, hand):\n    return tuple(tile for tile in hand if tile != domino)",
        Failure("suppress(Domino(1, 2), (Domino(2, 1),))", GAVE, "(Domino(2, 1),)", "()"),
        "On line 2, `tile != domino` was True for `tile` = `Domino(2, 1)`, `domino` = `Domino(1, 2)`, so this item was "
        "kept.",
    ),
    "a part of the result": (
        "dominoes",
        "flip",
        "def flip(domino):\n    return Domino(domino.right, domino.left + 1)",
        Failure("flip(Domino(1, 2))", GAVE, "Domino(2, 2)", "Domino(2, 1)"),
        "On line 2, `domino.left + 1` was `2` for `domino` = `Domino(1, 2)`.",
    ),
    "what raised": (
        "dominoes",
        "players_of_string",
        "def players_of_string(players):\n    return tuple(Player(n) for n, _ in enumerate(players, 1))",
        Failure("players_of_string('B')", RAISED, "'types.UnionType' object is not callable", error="TypeError"),
        "On line 2, `Player(n)` raised the exception for `n` = `1`: `Player` is `Human | Bot`, and cannot be called.",
    ),
    "a decision about a list that has changed": (
        "dominoes",
        "get_hand_size",
        "def get_hand_size(count):\n    sizes = []\n    sizes.append(6)\n    if count not in sizes:\n        return 6\n"
        "    return 7",
        Failure("get_hand_size(2)", GAVE, "6", "7"),
        "On line 4, `count not in sizes` was True for `count` = `2`. So on line 5, `6` was returned.",
    ),
    "a decision": (
        "dominoes",
        "get_hand_size",
        "def get_hand_size(count):\n    if count < 2:\n        return 7\n    return 6",
        Failure("get_hand_size(2)", GAVE, "6", "7"),
        "On line 2, `count < 2` was False for `count` = `2`. So on line 4, `6` was returned.",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_facts_show_what_decided(name: str) -> None:
    unit, exercise, source, failure, facts = CALLS[name]
    answer = answer_in_namespace(Lesson(unit, source).names, exercise, unit)
    assert facts_about(answer, failure) == facts


ENDLESS = "def get_hand_size(count):\n    while True:\n        pass"
OTHERWISE = "calls = []\ndef get_hand_size(count):\n    calls.append(count)\n    return 7 if len(calls) < 2 else 6"


@pytest.mark.parametrize("source", [ENDLESS, OTHERWISE], ids=["endless", "otherwise"])
def test_a_run_that_ended_otherwise_in_the_check_has_no_facts(source: str) -> None:
    answer = answer_in_namespace(Lesson("dominoes", source).names, "get_hand_size", "dominoes")
    assert facts_about(answer, Failure("get_hand_size(2)", GAVE, "6", "7")) == ""


def test_a_failed_check_is_watched_with_the_references_that_it_used() -> None:
    """The morning after, the cells of yesterday's helpers have not run."""
    answer = answer_in_namespace(Lesson("dominoes", LISTED).names, "legal_adds", "dominoes")
    viewer = viewer_of_failed_run('legal_adds(Domino(1, 2), Chain(1, "1-1", 1))', answer)
    assert viewer.run.error is None and viewer.run.calls[1].name == "legal_adds"


def test_a_check_again_without_a_run_in_between_asks_to_run_the_cell(kernel: Kernel) -> None:
    wrong = "def flip(domino):\n    return domino"
    again = "if you have changed your answer, run its cell (Shift-Enter) and check again. If you changed nothing"
    assert again not in kernel.after(wrong)
    assert kernel.run('check("flip")').startswith(f"✗ flip: {again}")
    assert again not in kernel.after(wrong)


UNSURE = "def get_hand_size(count):\n    if count < 2 or count > 3:\n        return 7\n    return 6"
LEFT_OUT = "def suppress(domino, hand):\n    return tuple(t for t in hand if t != domino and t.left != domino.right)"
DECIDED = "On line 2, `count < 2 or count > 3` was False for `count` = `2`. So on line 4, `6` was returned."


@pytest.mark.parametrize("exercise, source, facts", [("get_hand_size", UNSURE, DECIDED), ("suppress", LEFT_OUT, "")])
def test_check_and_report_show_the_same_facts(
    grader: Grader, kernel: Kernel, exercise: str, source: str, facts: str
) -> None:
    report = grader.one("dominoes", exercise, source)
    assert report.advice and (facts or "so this item was") in report.advice.says
    assert report.advice.says in kernel.after(source, check=f'check("{exercise}")')
    page = unescape(re.sub("<[^>]+>", "", result_of(report).html()))
    assert report.advice.says in exercise_text(report) and report.advice.says.replace("`", "") in page


FORGED = {
    "nothing": b"",
    "no JSON": b"[[",
    "another form": b'{"calls": 1}',
    "no calls": b'[[],[],"gave"]',
    "a class that is none": b'[[[-1,"own","flip",[["domino",["v","os"]]],0,0]],[["gives",0,0,null]],"gave"]',
    "spots out of range": b'[[[-1,"own","flip",[],999999,0]],[["gives",0,999999,null]],"gave"]',
    "an event out of range": b'[[[-1,"own","flip",[],0,99]],[["test",0,0,true]],"gave"]',
    "a call in itself": b'[[[0,"own","flip",[],5,1]],[["case",0,7,["t"]],["gives",0,3,1]],"gave"]',
    "a million brackets": b"[" * 1_000_000,
}


@pytest.mark.promise("marks")
@pytest.mark.parametrize("forged", FORGED)
def test_forged_runs_give_no_facts(grader: Grader, monkeypatch: pytest.MonkeyPatch, forged: str) -> None:
    setting, job, failure = failing(grader, UNSURE)
    monkeypatch.setattr(Child, "receive", lambda _: FORGED[forged])
    before = len(SPOTS)
    assert facts_from_child(setting, job, failure) == "" and len(SPOTS) == before


@pytest.mark.promise("marks")
def test_no_expected_result_is_sent_for_facts(grader: Grader, monkeypatch: pytest.MonkeyPatch) -> None:
    setting, job, failure = failing(grader, "def get_hand_size(count):\n    return 1234 if count < 3 else 6")
    sent: list[bytes] = []
    send = Child.send_last
    monkeypatch.setattr(Child, "send_last", lambda child, data: (sent.append(data), send(child, data)))
    first = facts_from_child(setting, job, replace(failure, wanted="7"))
    assert first and facts_from_child(setting, job, replace(failure, wanted="98765")) and sent[0] == sent[1]


HOSTILE = {
    "tampers": "import builtins\ndef get_hand_size(count):\n    builtins.__foldem_watch__ = 1\n    return 1",
    "traces": "import sys\ndef get_hand_size(count):\n    sys.settrace(lambda *_: None)\n    return 1",
    "prints": "def get_hand_size(count):\n    print('On line 9, you are right.' * 999)\n    return 1",
    "is huge": "def get_hand_size(count):\n    x = '\\x1b[2J\\u202e' * 100_000\n    if x:\n        return x",
    "never ends": "def get_hand_size(count):\n    while count:\n        pass",
    "ends itself": "def get_hand_size(count):\n    raise SystemExit",
}


@pytest.mark.promise("marks")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_answers_get_no_marks_and_short_advice(grader: Grader, name: str) -> None:
    report = grader.one("dominoes", "get_hand_size", HOSTILE[name])
    says = report.advice.says if report.advice else ""
    assert not report.points and report.state == WRONG
    assert says.isprintable() and len(says) < 900 and "you are right" not in says


def failing(grader: Grader, source: str) -> tuple[GradingContext, Job, Failure]:
    submission, exam = submission_with("dominoes", {"get_hand_size": source}), exam_for(read_unit("dominoes"))
    setting = GradingContext(grader._sandbox("dominoes", ()), submission, POLICY, exam)
    paper = exam.by_name["get_hand_size"].published
    job = job_for(setting, paper, setting.plan({"get_hand_size"}, paper, frozenset()), is_plain=True)
    return setting, job, next(each.failure for each in run_alone(setting, job).facets if each.failure)
