"""Answers that attack: each gets its line and no point, costs no other exercise, and ends within its limits."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import dedent

import pytest

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading.judgement import assessor_for
from autograder.grading.run import grade, open_sandbox
from autograder.grading.session import Session, Setting
from autograder.report.model import PASSED, WRONG, ExerciseReport, Graded
from course.exam import wire
from tests.attack import HERE, ROOT, Attack, attacks
from tests.classroom import reference_answers, submission_with
from tests.sample import as_proof
from tests.units import read_unit

pytestmark = pytest.mark.sandbox
CPU = 1
POLICY = Policy(seconds_per_call=0.3, seconds_per_exercise=CPU)
REFERENCES = reference_answers(read_unit("dominoes"))
RIGHT = "return Domino(domino.right, domino.left)"


def flip(body: str) -> str:
    """Return an answer to `flip`."""
    return "def flip(domino):\n" + "\n".join(f"    {line}" for line in dedent(body).strip().splitlines())


def answer_of(attack: str) -> str:
    """Return the answer to `flip` in an attack of `tests/attacks`, without the line that describes the attack."""
    return Attack(HERE / "answers" / f"{attack}.py").answers(ROOT)["flip"].partition("\n")[2]


def graded(answer: str) -> Graded:
    """Return the report on a submission with this answer to `flip`, and a right one to `take`."""
    return grade(submission_with("dominoes", {"flip": answer, "take": REFERENCES["take"]}), POLICY)


def line_of(report: ExerciseReport) -> str:
    return report.problem or (report.first_failure.verdict if report.first_failure else "")


# An attack of `tests/attacks`, and what its line in the report says.
ATTACKS: dict[str, str] = {
    "loops_for_ever": "took too long",
    "loops_for_ever_whatever_is_raised": "took too long",
    "loops_for_ever_in_c": f"used up its {CPU} s of CPU time",
    "loops_for_ever_without_an_alarm": f"used up its {CPU} s of CPU time",
    "sleeps_and_has_slept_at_once": "returned None, expected Domino(3, 2)",
    "listens_to_what_never_comes": "returned b'', expected",
    "recurses_without_end": "raised RecursionError: maximum recursion depth",
    "recurses_without_end_or_limit": "flip(Domino(2, 3)) ",
    "allocates_without_end": "used too much memory",
    "prints_100_mb_at_once": "printed more than 100,000 characters",
    "prints_100_mb_in_lines": "printed more than 100,000 characters",
    "calls_exit": "raised SystemExit: 0",
    "calls_the_notebook_s_exit": "raised NameError: name 'exit' is not defined",
    "ends_the_process": "ended the process (exit status 0)",
    "crashes_the_interpreter": "was killed (segmentation",
    "raises_baseexception": "raised BaseException: no (line 2 of the cell of flip)",
    "raises_what_cannot_be_told": "raised a class of their own",
    "raises_what_is_told_for_ever": "took too long",
    "is_equal_to_everything": "returned <Equal object>, expected Domino(3, 2)",
    "is_a_subclass": "returned <Tile object>",
    "holds_subclasses_of_int": "returned Domino(<Number object>, <Number object>)",
    "is_a_tuple": "returned (3, 2), expected Domino(3, 2)",
    "imports_solutions": "No module named 'solutions'",
    "imports_solutions_late": "No module named",
    "opens_solutions": "raised PermissionError: [Errno 1] Operation not permitted: 'dominoes.py'",
    "opens_a_socket": "raised PermissionError",
    "forks": "raised PermissionError",
    "runs_a_program": "Error: [Errno ",
    "closes_the_channel": "ended its process",
    "closes_every_file": "ended its process",
    "writes_rubbish_on_the_channel": "sent more than 16 MB",
    "gives_a_deeply_nested_value": "made a value that is too large",
    "gives_a_value_of_shared_parts": "made a value that is too large",
    "gives_a_list_that_holds_itself": "made a value that is too large",
    "gives_a_huge_text": "made a value that is too large",
    "gives_a_huge_number": "returned <an enormous int>",
    "breaks_the_course_s_class": "flip(Domino(2, 3)) returned Domino(2, 3), expected Domino(3, 2)",
    "breaks_the_effects": "flip(Domino(2, 3)) returned Domino(2, 3), expected Domino(3, 2)",
    "breaks_json": "its process sent something that the grader cannot read",
    "breaks_the_encoder": "flip(Domino(2, 3)) returned Domino(2, 3), expected Domino(3, 2)",
    "never_loads": "took too long",
}


# Both wait for the end of a loop as another one does, and their files are among the attacks.
SLOW = ("loops_for_ever_without_an_alarm", "loops_for_ever_whatever_is_raised")


@pytest.mark.promise("marks")
@pytest.mark.parametrize("attack", [as_proof(name) if name in SLOW else name for name in ATTACKS])
def test_an_attack_earns_nothing_and_costs_no_other_exercise(attack: str) -> None:
    report = graded(answer_of(attack))
    assert ATTACKS[attack] in line_of(report["flip"])
    assert (report["flip"].state, report["flip"].points) == (WRONG, 0)
    assert (report["take"].state, report["take"].points) == (PASSED, report["take"].of)
    assert report.is_graded
    assert len(json.dumps(report.as_dict())) < 100_000


@pytest.mark.promise("batch")
def test_exception_argument_that_refuses_comparison_is_wrong() -> None:
    exam = exam_for(read_unit("uno"))
    for facet in exam.by_name["play"].facets:
        forged = re.sub(rb'\["v","Num",\d\]', b'["v","Num",["Decimal","sNaN"]]', facet.frame)
        assert not assessor_for(exam, "play").judge(facet, forged, b"{}").report.passed


def test_truth_values_are_no_numbers() -> None:
    halves = "(bool(n) if n < 2 else n for n in (domino.right, domino.left))"
    report = graded(flip(f"return Domino(*{halves})"))
    assert "returned Domino(False, False), expected Domino(0, 0)" in line_of(report["flip"])
    assert report["flip"].state == WRONG


def test_an_answer_that_only_warns_gets_its_full_mark() -> None:
    report = graded(flip(rf"'\d'; assert (True, 'always')\n{RIGHT}".replace(r"\n", "\n")))
    assert (report["flip"].state, report["flip"].points) == (PASSED, report["flip"].of)


def test_an_answer_that_writes_to_stderr_is_right() -> None:
    report = graded("import sys\n" + flip(f"print('hm', file=sys.stderr)\nprint('oh', file=sys.__stdout__)\n{RIGHT}"))
    assert report["flip"].state == PASSED


def test_printing_on_the_way_is_remarked_on_and_costs_nothing() -> None:
    report = graded(flip(f"print(domino)\n{RIGHT}"))
    assert report["flip"].state == PASSED
    assert "it prints something" in str(report["flip"].remarks[0])


SEARCH = answer_of("searches_memory_for_what_is_expected").partition("\n")[2]  # but for what it searches for


@pytest.mark.promise("marks")
@pytest.mark.proof
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('["ok",["v","Domino",3,2]]', "nothing"),  # what is expected
        ("Return `domino` in its other presentation", "nothing"),  # the reference's docstring
        ("Give the distinct chains", "nothing"),
        ("It's a draw!", "nothing"),  # from the reference of an exercise that this one does not need
        ("Try again!", "found"),  # from a given function: the search does find what is there
    ],
)
def test_expected_results_are_out_of_reach(text: str, found: str) -> None:
    halves = f"SECRET = {text[: len(text) // 2]!r} + {text[len(text) // 2 :]!r}"
    report = grade(submission_with("dominoes", {"flip": f"{halves}\n{SEARCH}"}), Policy(exercises=("flip",)))
    assert f"returned {found!r}" in line_of(report["flip"])


@pytest.mark.promise("marks")
def test_no_child_holds_the_code_of_its_own_reference() -> None:
    exam = exam_for(read_unit("dominoes"))
    submission = submission_with("dominoes", REFERENCES)
    with open_sandbox(read_unit("dominoes"), POLICY) as sandbox:
        run = Setting(sandbox, submission, POLICY, exam)
        for exercise in exam.unit.exercises:
            paper = exam.by_name[exercise.name]
            session = Session(run, paper, run.plan({exercise.name}, paper), exercise.name)
            plan = session._request(paper.orders).setup.plan
            assert [step.name for step in plan if step.kind == "answer"] == [exercise.name]
            assert exam.codes[exercise.name] not in [step.source for step in plan]


FORGED = [attack.name for attack in attacks() if attack.name.startswith("forges_")]


@pytest.mark.promise("marks")
@pytest.mark.parametrize("forged", FORGED)
def test_forged_frames_earn_nothing_and_are_no_fault_of_the_grader(forged: str) -> None:
    report = graded(answer_of(forged))
    assert report.is_graded, report["flip"].problem
    assert not [facet for facet in report["flip"].facets if facet.passed and facet.name == "every input"]
    assert report["flip"].points <= report["flip"].of / 2
    assert report["take"].state == PASSED
    assert len(json.dumps(report.as_dict())) < 50_000
    assert line_of(report["flip"]).isprintable()


@pytest.mark.promise("terminal")
def test_a_story_cannot_disturb_a_terminal_a_table_or_a_page() -> None:
    nasty = r"[/red][bold]<b>&\ud800\x1b[2J\u202e" + "x" * 5000
    line = line_of(graded(flip(f'raise ValueError("{nasty}")'))["flip"])
    assert line.isprintable()
    assert len(line) < 1000
    line.encode()


@pytest.mark.promise("marks")
def test_a_report_names_no_address_and_no_folder() -> None:
    addresses = flip("return f'{object()} {flip} {lambda: 0}'")
    folders = "from course.dominoes import no_such_name\n" + flip(RIGHT)
    for answer in (addresses, folders, flip("raise ValueError(str(object()))")):
        reports = [json.dumps(graded(answer).as_dict()) for _ in range(2)]
        assert reports[0] == reports[1]
        assert "0x7" not in reports[0]
        assert str(Path(__file__).parent.parent) not in reports[0]
        assert "/foldem/" not in reports[0]


def test_a_helper_that_never_loads_costs_only_its_users() -> None:
    helper = (
        "def prepare():\n    while True:\n        try: pass\n        except BaseException: pass\ntable = prepare()\n"
    )
    answers = {"flip": flip(f"table\n{RIGHT}"), "take": REFERENCES["take"]}
    report = grade(submission_with("dominoes", answers, (helper,)), POLICY)
    assert "took too long" in f"{line_of(report['flip'])} {report['flip'].remarks}"
    assert report["take"].points == report["take"].of


@pytest.mark.promise("marks")
@pytest.mark.proof
@pytest.mark.parametrize(
    "first", ["", "import signal\nsignal.setitimer(signal.ITIMER_PROF, 0)\n"], ids=["plain", "timer off"]
)
def test_following_through_stops_at_functions_that_do_not_end(first: str) -> None:
    *imported, switched_off = first.splitlines() or ["pass"]
    endless = "\n".join([*imported, "def legal_adds(domino, chain):", f"    {switched_off}", "    while True: pass"])
    report = grade(submission_with("dominoes", REFERENCES | {"legal_adds": endless}), POLICY)
    own = {True: "", False: "does not work with your own legal_adds"}[bool(first)]  # hidden: that text is not plain
    assert report["possible_dominoes"].own == own
    assert "not tried with your own functions" in report["play"].own or bool(first)
    assert [e.name for e in report.exercises if e.state != PASSED] == ["legal_adds"]


@pytest.mark.promise("marks")
def test_a_tree_is_measured_before_it_is_looked_at() -> None:
    assert wire.is_within_limits(["ok", ["t", 1, "a"], "text", [["first", 1]]])
    assert not wire.is_within_limits(json.loads("[" * 900 + "]" * 900))
    assert not wire.is_within_limits([{"a": 1}])
