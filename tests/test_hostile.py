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
from autograder.grading.runs import Setting, job_for
from autograder.report.model import PASSED, WRONG, ExtraPrinting, Graded
from autograder.report.words import exported, first_problem_text, note_lines, problem_text
from tests.attack import HERE, ROOT, Attack, attacks
from tests.classroom import reference_answers, submission_with
from tests.sample import one_in
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


# An attack of `tests/attacks`, and what its line in the report says.
ATTACKS: dict[str, str] = {
    "loops_for_ever": "took too long",
    "loops_for_ever_whatever_is_raised": "took too long",
    "loops_for_ever_in_c": f"took longer than {CPU} s",
    "loops_for_ever_without_an_alarm": f"took longer than {CPU} s",
    "sleeps_and_has_slept_at_once": "returned None, expected Domino(3, 2)",
    "listens_to_what_never_comes": "returned b'', expected",
    "recurses_without_end": "raised RecursionError: maximum recursion depth",
    "recurses_without_end_or_limit": "flip",
    "allocates_without_end": "used too much memory",
    "never_loads": "took too long",
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
    "breaks_json": "its process sent data that the grader cannot read",
    "breaks_the_encoder": "flip(Domino(2, 3)) returned Domino(2, 3), expected Domino(3, 2)",
}


@pytest.mark.promise("marks")
@pytest.mark.parametrize("attack", one_in(3, [*ATTACKS]))
def test_an_attack_earns_nothing_and_costs_no_other_exercise(attack: str) -> None:
    report = graded(answer_of(attack))
    assert ATTACKS[attack] in first_problem_text(report["flip"])
    assert [(report[name].state, report[name].points) for name in ("flip", "take")] == [
        (WRONG, 0),
        (PASSED, report["take"].of),
    ]
    assert report.is_graded and len(json.dumps(exported(report))) < 100_000


@pytest.mark.promise("batch")
def test_exception_argument_that_refuses_comparison_is_wrong() -> None:
    exam = exam_for(read_unit("uno"))
    for facet in exam.by_name["play"].facets:
        forged = re.sub(rb'\["v","Num",\d\]', b'["v","Num",["Decimal","sNaN"]]', facet.frame)
        assert not assessor_for(exam, "play").judge(facet, forged, b"{}").report.passed


HARMLESS = {
    "warns": ("'\\d'; assert (True, 'always')", 1, ()),
    "writes to stderr": (
        "import sys; print('hm', file=sys.stderr); print('oh', file=sys.__stdout__)",
        0.9,
        (),
    ),  # an import is bad form
    "prints on the way": ("print(domino)", 1, (ExtraPrinting(),)),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_a_right_answer_with_harmless_effects_is_right(name: str) -> None:
    line, points, remarks = HARMLESS[name]
    report = graded(flip(f"{line}\n{RIGHT}"))["flip"]
    assert (report.state, report.points, report.remarks[:1]) == (PASSED, points, remarks)


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
    assert f"returned {found!r}" in first_problem_text(report["flip"])


@pytest.mark.promise("marks")
def test_no_child_holds_the_code_of_its_own_reference() -> None:
    exam = exam_for(read_unit("dominoes"))
    submission = submission_with("dominoes", REFERENCES)
    with open_sandbox(read_unit("dominoes"), POLICY) as sandbox:
        run = Setting(sandbox, submission, POLICY, exam)
        for exercise in exam.unit.exercises:
            paper = exam.by_name[exercise.name]
            plan = job_for(run, paper, run.plan({exercise.name}, paper)).run(run).setup.plan
            assert [step.name for step in plan if step.kind == "answer"] == [exercise.name]
            assert exam.codes[exercise.name] not in [step.source for step in plan]


FORGED = [attack.name for attack in attacks() if attack.name.startswith("forges_")]


@pytest.mark.promise("marks")
@pytest.mark.parametrize("forged", one_in(3, FORGED))
def test_forged_frames_earn_nothing_and_are_no_fault_of_the_grader(forged: str) -> None:
    report = graded(answer_of(forged))
    assert report.is_graded, problem_text(report["flip"])
    assert not [facet for facet in report["flip"].facets if facet.passed and facet.name == "every input"]
    assert report["flip"].points <= report["flip"].of / 2 and report["take"].state == PASSED
    assert first_problem_text(report["flip"]).isprintable() and len(json.dumps(exported(report))) < 50_000


@pytest.mark.promise("terminal")
def test_a_story_cannot_disturb_a_terminal_a_table_or_a_page() -> None:
    nasty = r"[/red][bold]<b>&\ud800\x1b[2J\u202e" + "x" * 5000
    line = first_problem_text(graded(flip(f'raise ValueError("{nasty}")'))["flip"])
    assert line.isprintable() and len(line.encode()) < 1000


@pytest.mark.promise("marks")
def test_a_report_names_no_address_and_no_folder() -> None:
    addresses = flip("return f'{object()} {flip} {lambda: 0}'")
    folders = "from course.dominoes import no_such_name\n" + flip(RIGHT)
    for answer in (addresses, folders, flip("raise ValueError(str(object()))")):
        one, other = (json.dumps(exported(graded(answer))) for _ in range(2))
        assert one == other
        assert not re.search(f"0x7|{re.escape(str(Path(__file__).parents[1]))}|/foldem/", one)


def test_a_helper_that_never_loads_costs_only_its_users() -> None:
    helper = (
        "def prepare():\n    while True:\n        try: pass\n        except BaseException: pass\ntable = prepare()\n"
    )
    answers = {"flip": flip(f"table\n{RIGHT}"), "take": REFERENCES["take"]}
    report = grade(submission_with("dominoes", answers, (helper,)), POLICY)
    assert "took too long" in f"{first_problem_text(report['flip'])} {note_lines(report['flip'])}"
    assert report["take"].points == report["take"].of
