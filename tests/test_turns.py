"""Turns: no answer's process contains a reference that a later answer could reveal."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading import exercise, trial
from autograder.grading.run import grade
from autograder.grading.session import Setting
from autograder.grading.turns import Turn, turns
from autograder.hosts.kernel import Examiner
from autograder.prove.delegates import closed_pairs, earns_by_unwritten
from autograder.prove.judging import graded
from autograder.report.model import PASSED, UNGRADED, WRONG, Clashes, ExerciseReport
from autograder.report.words import problem_text, verdict_text
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
    peek = PEEK.format(f"str({look}), flip")
    report = grade(submission_with("dominoes", {"append": peek}), Policy(exercises=("append",)))["append"]
    shown = {verdict_text(facet).partition(" line")[0] for facet in report.facets}
    assert (report.state, shown) == (WRONG, {"Details are hidden because"})


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
        assert b"canary" not in msgspec.json.encode(report) and not (report.mistake or report.digest or report.own)
        shown = {*map(verdict_text, report.facets), problem_text(report)} - {""}
        why = "line 1 of the cell of append uses `import os`, which could reveal the solution of flip"
        assert shown == {f"Details are hidden because {why}. Write that line in another way, or solve flip first."}


@pytest.mark.sandbox
def test_hidden_answer_is_not_run_for_others_among_own_functions() -> None:
    right = {name: reference_answers(read_unit("dominoes"))[name] for name in ("flip", "legal_adds")}
    for head, own in (("import os\n", None), ("", Clashes(("append",)))):
        answers = {name: head + source for name, source in right.items()} | {"append": PEEK.format("EMPTY")}
        report = grade(submission_with("dominoes", answers))["legal_adds"]
        assert (report.state, report.own) == (PASSED, own)


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
        assert report.state == UNGRADED and ("canary" in problem_text(report)) is is_shown


@pytest.mark.promise("references")
@pytest.mark.sandbox
def test_plain_or_solved_answers_see_their_results() -> None:
    flip = reference_answers(read_unit("dominoes"))["flip"]
    for answers, shown in (
        ({"append": PEEK.format("flip")}, "returned flip"),
        ({"flip": flip, "append": PEEK.format("flip.__name__.__class__")}, "returned <"),
    ):
        report = grade(submission_with("dominoes", answers), Policy(exercises=(*answers,)))
        assert shown in verdict_text(report["append"].facets[0])


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
    assert ("Details are hidden because" in verdict_text(report["take"].facets[0])) is not shown


def examined(unit: str, name: str, answers: dict[str, str]) -> ExerciseReport:
    return graded(submission_with(unit, answers), name)[name]


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
@pytest.mark.parametrize("unit", one_in(8, unit_names()))
def test_no_unwritten_exercise_does_anothers_work(unit: str) -> None:
    assert [line for pair in closed_pairs(read_unit(unit)) for line in earns_by_unwritten(read_unit(unit), pair)] == []


def test_later_exercise_runs_as_its_author_wrote_it() -> None:
    assert "returned 1" in verdict_text(delegating("def replay_at_once(cards):\n    return 1").facets[1])


def delegating(later: str = STUB) -> ExerciseReport:
    """Return the report on a `replay` that only calls `replay_at_once`, with an answer to that."""
    answers = {"replay": DELEGATE.format("replay", "replay_at_once"), "replay_at_once": later}
    return examined("sedma", "replay", answers)


def test_own_answers_in_between_run_with_the_examined_ones_references() -> None:
    between = reference_answers(read_unit("sedma"))["replay"].replace("replay", "replay_at_once")
    assert delegating(between).state == PASSED  # `tally` and the others are references
    assert "RecursionError" in verdict_text(delegating(DELEGATE.format("replay_at_once", "replay")).facets[1])


def test_report_names_the_unwritten_exercise_that_is_called() -> None:
    report = delegating()
    assert report.advice and report.advice.says.startswith("`replay` calls `replay_at_once`, which is not written.")


def test_learners_check_follows_the_same_rule_with_and_without_references() -> None:
    lesson = Lesson("sedma", DELEGATE.format("replay", "replay_at_once"), STUB)
    assert lesson.check("replay").headline == "calls your `replay_at_once`, a later exercise that is not right yet"
    installed = Examiner().examine(answer_among(lesson.names, "replay", "sedma"))
    assert installed and installed.result.state == BAD
    assert "`replay_at_once`, which is not written" in installed.result.says


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
    verdict = verdict_text(report.facets[0])
    assert "<function draw_four" in verdict and "Player('a', (), draw_two, False)" in verdict
    assert not [word for word in ("Compose", "draw_of_draw", "precedes", "Details are hidden") if word in verdict]
