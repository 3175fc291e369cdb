"""The cache of verdicts: equal content has an equal verdict, and is not run again."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from weakref import ref

import pytest

from autograder.config import Policy
from autograder.exam.store import exam_for, fingerprint
from autograder.grading import run
from autograder.grading.memory import MOST_VERDICTS, meaning_of, recall_from, remembering
from autograder.grading.own import assessor_among
from autograder.grading.run import grade_and_learn, judged_by
from autograder.report.model import Graded
from autograder.report.words import problem_text, verdict_text
from autograder.sandbox.host import Sandbox
from course.exam import wire
from course.syntax import LONGEST_CACHED, branch, tree_of
from tests.classroom import reference_answers, submission_with, write_file
from tests.tiny import CHECKS, tiny_unit
from tests.units import ROOT, read_unit

POLICY = Policy(exercises=("swap_ends", "penalty"), sandbox="off", seconds_per_call=0.2)
REFERENCES = reference_answers(read_unit("warmup"))
CRASH = "def penalty(cards):\n    return [][1]"


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Sandbox]:
    """Return the sandboxes that were started."""
    started, enter = list[Sandbox](), Sandbox.__enter__
    monkeypatch.setattr(Sandbox, "__enter__", lambda self: started.append(self) or enter(self))
    return started


def learn(
    answers: dict[str, str], known: Mapping[str, str] | None = None, policy: Policy = POLICY
) -> tuple[Graded, dict[str, str]]:
    report, verdicts = grade_and_learn(submission_with("warmup", answers), policy, recall_from(known or {}))
    return report, {**(known or {}), **verdicts}


def test_cached_verdicts_are_reported_without_a_run(begun: list[Sandbox]) -> None:
    answers = REFERENCES | {"penalty": CRASH}
    first, known = learn(answers)
    assert (learn(answers, known), len(begun)) == ((first, known), 1)


def test_layout_and_comments_are_no_content(begun: list[Sandbox]) -> None:
    _, known = learn(REFERENCES)
    source = "# mine\n\n" + REFERENCES["swap_ends"].replace("):", ") :", 1)
    report, _ = learn(REFERENCES | {"swap_ends": source}, known)
    assert (report["swap_ends"].state, len(begun)) == ("passed", 1)


ATOMS = r"1 1.0 True 1j 0.0 1e999 inf 'inf' 'a' b'a' u'a' '\ud800' '.' ... None a f'{a}' f'{a!r}'"
AROUND = """[{0}, {1}]; ({0}, {1}); {{{0}: {1}}}; {{**{0}, {1}: {1}}}; {{{1}: {1}, **{0}}}; {0} < {1}; {0} + {1}; -{0};
f({0}, {1}); f({0}, *{1}); f({0}, k={1}); f({0}, **{1}); f({0})({1}); lambda x={0}, *y: {1}; lambda *, x={0}, y: {1};
lambda *, x, y={0}: {1}; a[{0}:{1}]; a[{0}::{1}]; a[{0}, {1}]; [x for x in {0} if {1}]; [x for x in {0} for y in {1}];
{0} if {1} else a; {0} and {1}; {0}; x = {0}; x: {0}; x: a = {0}; x += {0}; global a, b; global a; import a as b;
from . import a; from .a import b; from .. import a; import a.b; from a import b; del a; return {0}"""
PATTERNS = "[a, *b]; [a, *_]; {'k': a, **b}; {'k': a}; A(a); A(b=a); A(k=a); a | b; a as b; None; 1"


def test_sources_with_equal_trees_have_equal_meaning() -> None:
    pairs = [*product(ATOMS.split(), ATOMS.split())]
    statements = [around.strip().format(*pair) for around in AROUND.split(";") for pair in pairs]
    cases = [f"match a:\n        case {pattern.strip()}: b" for pattern in PATTERNS.split(";")]
    sources = {f"def f():\n    {one}" for one in (*statements, *cases)}
    meanings = {(ast.dump(ast.parse(source)), meaning_of(source)) for source in sources}
    assert len({dump for dump, _ in meanings}) == len({meaning for _, meaning in meanings}) == len(meanings) > 5_000


def test_a_number_that_python_writes_no_digits_of_has_a_meaning() -> None:
    assert meaning_of(f"x = 0x{'f' * 5_000}") != meaning_of(f"x = 0x{'f' * 5_001}")


def test_a_huge_tree_is_freed_as_soon_as_it_is_unused() -> None:
    statement = tree_of(f"x = [{'a, ' * LONGEST_CACHED}]").body[0]
    branch(statement)
    alive = ref(statement)
    del statement
    assert alive() is None


def test_a_verdict_with_a_line_is_cached_for_the_same_lines_only(begun: list[Sandbox]) -> None:
    first, known = learn({"penalty": CRASH})
    assert "line 2" in verdict_text(first["penalty"].facets[0])
    moved, _ = learn({"penalty": f"# mine\n{CRASH}"}, known)
    assert "line 3" in verdict_text(moved["penalty"].facets[0]) and len(begun) == 2


def test_an_answer_that_is_no_python_is_told_its_own_line() -> None:
    outside = "def penalty(card):\n    cost = 10\nreturn cost"
    _, known = learn({"penalty": outside})
    moved, _ = learn({"penalty": f"# mine\n{outside}"}, known)
    assert moved == learn({"penalty": f"# mine\n{outside}"})[0]


def test_an_answer_that_could_look_up_its_lines_is_cached_for_these_only(begun: list[Sandbox]) -> None:
    at_line_4 = (
        "import sys\n\ndef swap_ends(pair):\n    return swapped(pair) if sys._getframe().f_lineno == 4 else pair\n"
    )
    helper = REFERENCES["swap_ends"].replace("swap_ends", "swapped")
    first, known = learn({"swap_ends": at_line_4 + helper})
    moved, _ = learn({"swap_ends": f"# mine\n{at_line_4}{helper}"}, known)
    assert (first["swap_ends"].state, moved["swap_ends"].state, len(begun)) == ("passed", "wrong", 2)


@pytest.mark.parametrize(
    "change",
    [
        {"seconds_per_call": 2.0},
        {"seed": "another"},
        {"memory_mb": 300},
        {"seconds_per_exercise": 9},
        {"seconds_per_submission": 9},
    ],
    ids=str,
)
def test_another_exam_or_policy_is_another_verdict(change: dict[str, object]) -> None:
    other = replace(POLICY, **change)  # type: ignore[arg-type]
    assert judged_by(read_unit("warmup"), POLICY, "off") != judged_by(read_unit("warmup"), other, "off")
    assert judged_by(read_unit("warmup"), POLICY, "off") != judged_by(read_unit("warmup"), POLICY, "landlock")


def test_verdicts_change_with_every_file_that_judges_or_runs_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    read, files = Path.read_bytes, set[Path]()
    monkeypatch.setattr(Path, "read_bytes", lambda path: (files.add(path), read(path))[1])
    run.code_digest.__wrapped__()
    fingerprint(read_unit("dominoes"), "0")
    rooms = "autograder/grading", "autograder/sandbox/inside", "course/form", "course/diagnoses"
    judging = {path for room in rooms for path in (ROOT / room).glob("*.py")} | {ROOT / "course/arena/bots.py"}
    judging -= {ROOT / "autograder/grading" / name for name in ("oral.py", "puzzles.py")}  # these make no verdict
    building = {ROOT / "autograder" / "exam" / f"{name}.py" for name in ("build", "draw", "kinds", "contrast", "plan")}
    ours = {path for path in files if path.is_relative_to(ROOT)}
    assert (judging | building | {ROOT / "course" / "dominoes.py"}) <= ours


@pytest.mark.promise("marks")
@pytest.mark.parametrize("role", ["arena", "form", "diagnoses"])
def test_verdicts_change_with_a_pack_s_own_rules(tmp_path: Path, role: str) -> None:
    """Otherwise a bot that won by a hole in the rules of a game would keep its points after they are mended."""
    statement = '"""Double it.\n\n    >>> double(2)\n    4\n    """'
    unit = tiny_unit(tmp_path, f"def double(number: Small) -> int:\n    {statement}\n    return 2 * number\n", CHECKS)
    before = run.judged_by.__wrapped__(unit, POLICY, "off")
    write_file(unit.pack.course_folder / role / f"{unit.name}.py", "RULES = {}\n")
    run.pack_digest.cache_clear()
    assert run.judged_by.__wrapped__(unit, POLICY, "off") != before


@pytest.mark.sandbox
@pytest.mark.promise("submissions")
def test_a_neighbour_s_many_imports_leave_no_verdict_for_others() -> None:
    policy = replace(POLICY, sandbox="auto")
    honest = {"penalty": f"import wave\n{REFERENCES['penalty']}\npenalty = penalty if wave else None"}
    crowd = f"from ast import {', '.join(f'a{n}' for n in range(60))}\ndef swap_ends(pair): return pair"
    crowded, known = learn(honest | {"swap_ends": crowd}, policy=policy)
    assert "No module named 'wave'" in problem_text(crowded["penalty"])
    assert learn(honest, known, policy)[0]["penalty"].state == "passed"


def test_runs_that_ended_abnormally_are_not_cached(begun: list[Sandbox]) -> None:
    killed, endless = "import os\ndef penalty(cards):\n    os._exit(3)", "def swap_ends(pair):\n    while True: pass"
    assert learn({"penalty": killed, "swap_ends": endless})[1] == {}


def test_another_helper_is_another_verdict(begun: list[Sandbox]) -> None:
    answers = {"swap_ends": "def swap_ends(pair):\n    return helper(pair) if len(pair) > 1 else pair"}
    right, wrong = "def helper(pair): return pair[-1:] + pair[1:-1] + pair[:1]", "def helper(pair): return pair"
    known: dict[str, str] = {}
    for helper, state in ((right, "passed"), (wrong, "wrong"), (right, "passed")):
        report, fresh = grade_and_learn(submission_with("warmup", answers, (helper,)), POLICY, recall_from(known))
        known |= fresh
        assert report["swap_ends"].state == state
    assert len(begun) == 2


def test_cached_judgements_among_own_functions_equal_fresh_ones() -> None:
    assessor = assessor_among(exam_for(read_unit("dominoes")), "play")
    for number, facet in enumerate(assessor.paper.facets):
        cut = wire.text_of(wire.json.loads(facet.frame)[:-1]).encode()
        raised = facet.frame.replace(b"[", b'[["raised", "E", null, [], [], []], ', 1)
        notes = b"{}", b'{"0": {"story": ["E", "because", null]}}'
        for frame, note in product((facet.frame, cut, raised, b"[]"), notes):
            assert assessor.judged(number, frame, note) == assessor.judge(facet, frame, note)


def test_a_known_verdict_is_looked_up_once_and_an_unknown_one_each_time() -> None:
    asked, verdicts = list[Sequence[str]](), dict[str, str]()
    recall = remembering(lambda keys: asked.append(keys) or dict(verdicts))  # type: ignore[func-returns-value]
    assert recall(["k", "m"]) == {}
    verdicts["k"] = "[true, 0.1]"
    assert recall(["k", "m"]) == recall(["k"]) == verdicts
    assert recall(["k", "m"]) == verdicts and asked == [["k", "m"], ["k", "m"], ["m"]]


def test_the_verdicts_of_a_submission_are_looked_up_at_once() -> None:
    asked = list[Sequence[str]]()
    recall = remembering(lambda keys: asked.append(keys) or {})  # type: ignore[func-returns-value]
    grade_and_learn(submission_with("warmup", REFERENCES), POLICY, recall)
    assert len(asked) == 1


def test_verdicts_of_many_keys_do_not_fill_the_memory() -> None:
    asked = list[str]()
    recall = remembering(lambda keys: asked.extend(keys) or {key: key for key in keys})  # type: ignore[func-returns-value]
    for key in [*map(str, range(MOST_VERDICTS + 1)), "0"]:
        assert recall([key]) == {key: key}
    assert asked[-1] == "0"
