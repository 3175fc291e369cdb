"""Turns: no answer's process contains a reference that a later answer could reveal."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading import exercise, trial
from autograder.grading.run import grade
from autograder.grading.session import Setting
from autograder.grading.turns import Turn, turns
from autograder.hosts.kernel import Examiner
from autograder.prove.delegates import closed_pairs, earns_by_unwritten
from autograder.prove.judging import graded
from autograder.report.model import PASSED, UNGRADED, WRONG, ExerciseReport
from autograder.sandbox.cage import OFF
from autograder.sandbox.host import Sandbox
from autograder.submission.model import Submission
from course.learner.answer import answer_among
from course.show.results import BAD
from tests.classroom import reference_answers, right_answers, submission_of_right, submission_with
from tests.lesson import Lesson
from tests.sample import one_in
from tests.units import read_unit, unit_names

# The one circle that papers make: a visible example of the first plays a move, and who moves asks a human.
CIRCLE = {("input_human_move", "move")}
DELEGATE = "def {0}(*args):\n    return {1}(*args)"
STUB = "def replay_at_once(cards):\n    raise NotImplementedError"
PEEK = "def append(domino, chain, end):\n    return {}"


def early_references(submission: Submission) -> list[tuple[str, str]]:
    """Return the pairs of an exercise and a later one whose reference is loaded in the first one's process."""
    exam = exam_for(submission.unit)
    setting = Setting(Sandbox(level=OFF, secrets=()), submission, Policy(), exam)
    order = list(turns(exam, submission, submission.assigned))
    found = []
    for place, turn in enumerate(order):
        plan = setting.plan({turn.name, *turn.own}, exam.by_name[turn.name], turn.references)
        held = {step.name for step in plan if step.is_reference}
        found += [(turn.name, later.name) for later in order[place + 1 :] if later.name in held]
    return found


@pytest.mark.promise("answers")
@pytest.mark.parametrize("unit", unit_names())
def test_no_reference_is_in_a_process_before_its_exercise_was_examined(unit: str) -> None:
    submissions = [submission_of_right(right) for right in right_answers(unit)]
    for submission in (*submissions, submission_with(unit, reference_answers(read_unit(unit)))):
        assert {*early_references(submission)} <= CIRCLE


def test_answers_that_name_everything_get_no_unexamined_reference() -> None:
    names = ", ".join(read_unit("dominoes").by_name)
    answers = {name: f"def {name}(*args):\n    return {names}" for name in read_unit("dominoes").by_name}
    assert {*early_references(submission_with("dominoes", answers))} <= CIRCLE


@pytest.mark.promise("references")
@pytest.mark.parametrize(
    "look",
    [
        "flip.__code__.co_code",
        "'{0.__code__.co_consts}'.format(flip)",
        "getattr(flip, '__co' + 'de__').co_names",
        "__import__('inspect').getsource(flip)",
        "__import__('sys')._getframe(1).f_globals['flip'].__code__.co_varnames",
    ],
)
@pytest.mark.sandbox
def test_looking_into_an_unsolved_reference_reveals_nothing(look: str) -> None:
    report = grade(
        submission_with("dominoes", {"append": PEEK.format(f"str({look}), flip")}), Policy(exercises=("append",))
    )
    assert report["append"].state == WRONG
    shown = {str(facet.failure) for facet in report["append"].facets}
    assert {text.partition(" line")[0] for text in shown} == {"Details are hidden because"}


@pytest.mark.promise("references")
@pytest.mark.sandbox
def test_hidden_details_are_in_no_field_of_a_report() -> None:
    source = "import os\nprint('canary')\ndef append(domino, chain, end):\n    print('canary')\n    {}\n"
    endings = (
        "return flip, 'canary'",
        "raise ValueError('canary', flip)",
        "flip, os._exit(3)",
        "flip('canary' * 9**9)",
    )
    for answer in [*map(source.format, endings), source.format("return flip") + "raise KeyError('canary')"]:
        report = grade(submission_with("dominoes", {"append": answer}), Policy(exercises=("append",)))["append"]
        assert "canary" not in json.dumps(report.as_dict()) and not (report.belief or report.digest or report.own)
        shown = {str(facet.failure) for facet in report.facets} | {report.problem} - {""}
        why = (
            "Details are hidden because line 1 of the cell of append uses `import os`, which could reveal the solution"
        )
        assert shown == {f"{why} of flip. Write that line in another way, or solve flip first."}


@pytest.mark.sandbox
def test_hidden_answer_is_not_run_for_others_among_own_functions() -> None:
    answers = {"flip": "import os\ndef flip(domino):\n    return Domino(domino.right, domino.left)"}
    answers["legal_adds"] = f"import os\n{reference_answers(read_unit('dominoes'))['legal_adds']}"
    report = grade(submission_with("dominoes", answers | {"append": "def append(domino, chain, end): return EMPTY"}))
    assert report["legal_adds"].state == PASSED and report["legal_adds"].own == ""
    plain = {name: answer.removeprefix("import os\n") for name, answer in answers.items()}
    report = grade(submission_with("dominoes", plain | {"append": "def append(domino, chain, end): return EMPTY"}))
    assert report["legal_adds"].own == "does not work with your own append"


def test_a_grader_fault_reveals_nothing_about_a_hidden_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("canary")

    monkeypatch.setattr(trial, "_tried", fail)
    monkeypatch.setattr(trial, "OFF", "")
    for look, is_shown in (("flip", True), ("flip.__code__", False)):
        submission = submission_with("dominoes", {"append": PEEK.format(look)})
        setting = Setting(Sandbox(level=OFF, secrets=()), submission, Policy(), exam_for(read_unit("dominoes")))
        report = exercise.examine_exercise(
            setting, read_unit("dominoes")["append"], Turn("append", frozenset({"flip"})), frozenset()
        )
        assert report.state == UNGRADED and ("canary" in report.problem) is is_shown


@pytest.mark.promise("references")
@pytest.mark.sandbox
def test_plain_or_solved_answers_see_their_results() -> None:
    plain = grade(submission_with("dominoes", {"append": PEEK.format("flip")}), Policy(exercises=("append",)))
    assert "returned flip" in plain["append"].facets[0].verdict
    both = {"flip": reference_answers(read_unit("dominoes"))["flip"], "append": PEEK.format("flip.__name__.__class__")}
    solved = grade(submission_with("dominoes", both), Policy(exercises=("flip", "append")))
    assert "returned <" in solved["append"].facets[0].verdict


TABLE = "TABLE = {1: 'Player 1', 2: 'Player 2', 3: 'Player 3', 4: 'Player 4'}\ndef string_of_player(player):\n"
TABLE += "    return TABLE[player.number] + {Bot: ' (bot)  ', Human: ' (human)'}[player.__class__]"


@pytest.mark.promise("references")
@pytest.mark.sandbox
@pytest.mark.parametrize(("look", "shown"), [("string_of_player.__code__.co_consts", True), ("flip.__code__", False)])
def test_table_that_passes_opens_its_own_reference_and_earns_no_more(look: str, shown: bool) -> None:
    take = f"def take(*args):\n    return string_of_player, {look}"
    policy = Policy(seed="of a course, and secret", exercises=("flip", "string_of_player", "take"))
    report = grade(submission_with("dominoes", {"string_of_player": TABLE, "take": take}), policy)
    assert report["string_of_player"].state == PASSED and report.points == report["string_of_player"].points
    hidden = "Details are hidden because" in str(report["take"].facets[0].failure)
    assert hidden is not shown


def examined(unit: str, name: str, answers: dict[str, str]) -> ExerciseReport:
    return graded(submission_with(unit, answers), name)[name]


@pytest.mark.parametrize(
    ("unit", "pair"), [("sedma", ("replay", "replay_at_once")), ("basra", ("capture", "produce_all_captures"))]
)
def test_unwritten_exercise_does_no_other_exercises_work(unit: str, pair: tuple[str, str]) -> None:
    could = examined(
        unit, pair[0], {pair[0]: DELEGATE.format(*pair), pair[1]: reference_answers(read_unit(unit))[pair[1]]}
    )
    assert could.points > 0
    assert earns_by_unwritten(read_unit(unit), (*pair, "a call")) == []


@pytest.mark.promise("marks")
def test_captures_without_a_choice_earn_nothing_of_the_bonus() -> None:
    name = "produce_all_captures"
    assert examined("basra", name, {name: DELEGATE.format(name, "capture")}).points == 0


@pytest.mark.promise("marks")
@pytest.mark.parametrize("unit", one_in(4, unit_names()))
def test_no_unwritten_exercise_does_anothers_work(unit: str) -> None:
    assert [line for pair in closed_pairs(read_unit(unit)) for line in earns_by_unwritten(read_unit(unit), pair)] == []


def test_later_exercise_runs_as_its_author_wrote_it() -> None:
    wrong = {
        "replay": DELEGATE.format("replay", "replay_at_once"),
        "replay_at_once": "def replay_at_once(cards):\n    return 1",
    }
    assert "returned 1" in examined("sedma", "replay", wrong).facets[1].verdict


def test_own_answers_in_between_run_with_the_examined_ones_references() -> None:
    unit = reference_answers(read_unit("sedma"))
    between = {
        "replay": DELEGATE.format("replay", "replay_at_once"),
        "replay_at_once": unit["replay"].replace("replay", "replay_at_once"),
    }
    assert examined("sedma", "replay", between).state == PASSED  # `tally` and the others are references
    endless = {
        "replay": DELEGATE.format("replay", "replay_at_once"),
        "replay_at_once": DELEGATE.format("replay_at_once", "replay"),
    }
    assert "RecursionError" in examined("sedma", "replay", endless).facets[1].verdict


def test_report_names_the_unwritten_exercise_that_is_called() -> None:
    report = examined("sedma", "replay", {"replay": DELEGATE.format("replay", "replay_at_once")})
    assert report.says.startswith("`replay` calls `replay_at_once`, which is not written.")


def test_learners_check_follows_the_same_rule_with_and_without_references() -> None:
    cells = [DELEGATE.format("replay", "replay_at_once"), STUB]
    headline = Lesson("sedma", *cells).check("replay").headline
    assert headline == "calls your `replay_at_once`, a later exercise that is not right yet"
    installed = Examiner().examine(answer_among(Lesson("sedma", *cells).names, "replay", "sedma"))
    assert installed and installed.state == BAD and "`replay_at_once`, which is not written" in installed.says


def test_unwritten_exercise_that_is_named_but_not_called_costs_nothing() -> None:
    source = reference_answers(read_unit("sedma"))["replay"]
    assert examined("sedma", "replay", {"replay": f"{source}\n\nspare = [replay_at_once]"}).state == PASSED


def test_mark_of_an_exercise_does_not_depend_on_which_are_chosen() -> None:
    answers = {"flip": DELEGATE.format("flip", "append"), "append": DELEGATE.format("append", "flip")}
    submission = submission_with("dominoes", reference_answers(read_unit("dominoes")) | answers)
    one, everything = graded(submission, "append"), graded(submission)
    assert one["append"] == replace(everything["append"], own=one["append"].own)


@pytest.mark.sandbox
def test_text_of_a_composed_reference_shows_its_name_only() -> None:
    shown = "str(draw_four), draw_four.__name__, str(Player('a', (), draw_two, False)), str(color_is_lt(RED))"
    answer = f"def move_action(move, desk, had_color):\n    raise ValueError({shown})"
    report = grade(submission_with("uno", {"move_action": answer}), Policy(exercises=("move_action",)))["move_action"]
    verdict = report.facets[0].verdict
    assert "<function draw_four" in verdict and "Player('a', (), draw_two, False)" in verdict
    assert not [word for word in ("Compose", "draw_of_draw", "precedes", "Details are hidden") if word in verdict]
