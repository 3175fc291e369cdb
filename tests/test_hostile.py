"""Answers that attack: each gets its line and no point, costs no other exercise, and ends within its limits."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading.judgement import assessor_for
from autograder.grading.run import grade, open_sandbox
from autograder.grading.runs import GradingContext, job_for
from autograder.hosts.single import gradescope_results
from autograder.report import render, words
from autograder.report.model import PASSED, WRONG, ExtraPrinting, Graded
from autograder.report.stops import HiddenCalls, NotAllowed, WithheldValue
from autograder.report.words import exported_report, first_problem_text, note_lines, problem_text
from tests.attack import HERE, ROOT, Attack, attacks
from tests.classroom import reference_answers, submission_with
from tests.sample import one_in
from tests.units import read_unit, unit_names

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
    "writes_rubbish_on_the_channel": "sent more than 16 MB of data",
    "gives_a_deeply_nested_value": "made a value that is too large",
    "gives_a_value_of_shared_parts": "made a value that is too large",
    "gives_a_list_that_holds_itself": "made a value that is too large",
    "gives_a_huge_text": "made a value that is too large",
    "gives_a_huge_number": "returned <an enormous int>",
    "breaks_the_course_s_class": "flip(Domino(2, 3)) returned Domino(2, 3), expected Domino(3, 2)",
    "breaks_the_effects": "flip(Domino(2, 3)) returned Domino(2, 3), expected Domino(3, 2)",
    "breaks_json": "the process that ran the answer sent data that the grader cannot read",
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
    assert report.is_graded and len(json.dumps(exported_report(report))) < 100_000


@pytest.mark.promise("batch")
def test_exception_argument_that_refuses_comparison_is_wrong() -> None:
    exam = exam_for(read_unit("uno"))
    for facet in exam.by_name["play"].facets:
        forged = re.sub(rb'\["v","Num",\d\]', b'["v","Num",["Decimal","sNaN"]]', facet.expected_bytes)
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
        run = GradingContext(sandbox, submission, POLICY, exam)
        for exercise in exam.unit.exercises:
            paper = exam.by_name[exercise.name]
            plan = job_for(run, paper, run.plan({exercise.name}, paper)).requested_run(run).setup.plan
            assert [step.name for step in plan if step.kind == "answer"] == [exercise.name]
            assert exam.reference_codes[exercise.name] not in [step.source for step in plan]


FORGED = [attack.name for attack in attacks() if attack.name.startswith("forges_")]


@pytest.mark.promise("marks")
@pytest.mark.parametrize("forged", one_in(3, FORGED))
def test_forged_frames_earn_nothing_and_are_no_fault_of_the_grader(forged: str) -> None:
    report = graded(answer_of(forged))
    assert report.is_graded, problem_text(report["flip"])
    assert not [facet for facet in report["flip"].facets if facet.passed and facet.name == "every input"]
    assert report["flip"].points <= report["flip"].of / 2 and report["take"].state == PASSED
    assert first_problem_text(report["flip"]).isprintable() and len(json.dumps(exported_report(report))) < 50_000


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
        one, other = (json.dumps(exported_report(graded(answer))) for _ in range(2))
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


# -------------------------------------------------------------------------------------------------------------- Secrets


SECRET = Policy(seed="a seed that only the teacher has", seconds_per_call=0.3, seconds_per_exercise=3)
UNIT = read_unit("dominoes")
ANSWERS = reference_answers(UNIT)
ASKED = "is_sound"
VARIANTS = sorted((Path(__file__).parent / "attacks" / "secrets").glob("*.py"))


@cache
def hidden_texts() -> frozenset[str]:
    """Return parts of the inputs that only secret calls of an exercise have."""
    paper = exam_for(UNIT, SECRET.seed).by_name[ASKED]
    published = json.dumps([call.given for call in paper.published.calls])
    secret = [call for facet in paper.facets for call in facet.calls[len(facet.calls) - facet.secret :]]
    texts = {text for call in secret for text in re.findall(r'"(\d[-\d ]{11,})"', json.dumps(call.given))}
    return frozenset(text for text in texts if text not in published)


def shown(report: Graded) -> str:
    """Return everything that is stored or shown of a report."""
    texts = [words.exported_report(report), gradescope_results(report, "")]
    texts += [[render.exercise_text(each), render.result_of(each).html()] for each in report.exercises]
    return f"{json.dumps(texts, default=str)}{render.report_page(report, 'eve')}{report}"


def with_secret(answers: dict[str, str], policy: Policy = SECRET, **options: Any) -> Graded:
    return grade(submission_with("dominoes", answers, **options), policy)


def test_secret_calls_have_texts_that_no_published_call_has() -> None:
    assert len(hidden_texts()) > 8


@pytest.mark.promise("marks")
@pytest.mark.parametrize("variant", one_in(3, VARIANTS), ids=lambda path: path.stem)
def test_hidden_inputs_get_into_nothing_that_is_shown(variant: Path) -> None:
    """Each variant sees the hidden inputs, in its arguments or in its frames, and tries another way out."""
    report = with_secret({ASKED: variant.read_text(encoding="utf-8")}, replace(SECRET, exercises=(ASKED,)))
    text = shown(report)
    assert report[ASKED].points == 0 and not [hidden for hidden in hidden_texts() if hidden in text]


@pytest.mark.promise("marks")
@pytest.mark.parametrize("is_plain", [True, False])
def test_results_of_unearned_references_get_into_nothing_that_is_shown(is_plain: bool) -> None:
    ask = "" if is_plain else "import sys\n"
    body = "return repr(flip(Domino(37, 41))) + repr(append(Domino(2, 43), Chain(2, 'x', 2), 2))"
    body = body if is_plain else f"sys._getframe()\n    {body}"
    answers = {name: f"{ask}def {name}(*args):\n    {body}" for name in ("legal_adds", "move", "play")}
    text = shown(report := with_secret(answers))
    assert report.points == 0 and "41, 37" not in text and "43-2" not in text and "43, '" not in text


def test_answer_that_is_not_plain_waits_for_the_exercises_that_it_needs() -> None:
    """It never shares a process with a reference that its author has not earned."""
    odd = f"import sys\n{ANSWERS['legal_adds']}\ndef own(function):\n    return function if sys.maxsize else None\n"
    odd += "legal_adds = own(legal_adds)"
    alone = with_secret({"legal_adds": odd}, replace(SECRET, exercises=("legal_adds",)))["legal_adds"]
    assert (alone.state, alone.points) == (WRONG, 0) and isinstance(alone.stop, NotAllowed)
    assert "uses `import sys`, but this is allowed only after your" in words.problem_text(alone)
    solved = {name: ANSWERS[name] for name in ("flip", "append")} | {"legal_adds": odd}
    assert with_secret(solved, replace(SECRET, exercises=("legal_adds",)))["legal_adds"].state == PASSED
    lent = replace(SECRET, exercises=("legal_adds",), lending=True)
    assert with_secret({"legal_adds": odd}, lent)["legal_adds"].state == PASSED


def test_wrong_answer_is_shown_without_what_unearned_references_return() -> None:
    wrong = ANSWERS["possible_dominoes"].replace("if legal_adds", "if not legal_adds")
    assert wrong != ANSWERS["possible_dominoes"]
    chosen = replace(SECRET, exercises=("possible_dominoes",))
    report = with_secret({"possible_dominoes": wrong}, chosen)["possible_dominoes"]
    failures = [facet for facet in report.facets if facet.counts and not facet.passed]
    assert failures and all(isinstance(facet.stop, WithheldValue) for facet in failures)
    assert not any(facet.failure.seen for facet in failures if facet.failure)
    earned = {name: ANSWERS[name] for name in ("flip", "append", "legal_adds")} | {"possible_dominoes": wrong}
    assert any(
        facet.failure and facet.failure.seen for facet in with_secret(earned, chosen)["possible_dominoes"].facets
    )


def test_answer_that_is_wrong_in_hidden_calls_only_says_so() -> None:
    """It knows all published results, since the published exam is public."""
    paper, exam = exam_for(UNIT).by_name[ASKED], exam_for(UNIT)
    pairs = [(call, text) for f in paper.facets for call, text in zip(f.calls, f.expected, strict=True)]
    rows = {
        exam.case(call).args: exam.observation(json.loads(text)).value for call, text in pairs if call.kind == "args"
    }
    table = f"TABLE = {{repr(each): value for each, value in {list(rows.items())!r}}}\n"
    source = f"{table}def {ASKED}(chain):\n    return TABLE.get(repr((chain,)), False)"
    report = with_secret({ASKED: source}, replace(SECRET, exercises=(ASKED,)))[ASKED]
    hidden = [facet for facet in report.facets if isinstance(facet.stop, HiddenCalls)]
    assert hidden and "right in all published calls, but wrong in some hidden calls" in words.facet_failure_text(
        hidden[0]
    )


@pytest.mark.parametrize("unit", unit_names())
def test_bits_that_a_submission_can_carry_out_are_few(unit: str) -> None:
    """One bit for each facet: this is what is left to a patient attacker."""
    papers = exam_for(read_unit(unit)).by_name.values()
    assert sum(len(paper.facets) + len(paper.contests) for paper in papers) <= 400
