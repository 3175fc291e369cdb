"""Every answer gets an equal sandbox, without traces of other answers, and without an arena that contains answers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading.run import grade_in, open_sandbox
from autograder.prove.answers import practice_outcome
from autograder.report.model import PASSED, WRONG, ExerciseReport
from autograder.report.words import facet_failure_text, problem_text
from autograder.sandbox import cage, host
from autograder.sandbox.cage import OFF, Cage
from autograder.sandbox.host import ReusedSandbox, Sandbox
from autograder.sandbox.sources import course_modules, loadable_imports
from autograder.submission.model import Submission
from tests.classroom import reference_answers, submission_with
from tests.grader import POLICY
from tests.sample import LEVELS, one_in
from tests.units import read_unit, unit_names

pytestmark = pytest.mark.sandbox
PLAIN = submission_with("warmup", {"swap_ends": "def swap_ends(items):\n    return items"})
IMPORTING = submission_with("warmup", {"swap_ends": "import heapq\ndef swap_ends(items):\n    return items"})


@pytest.fixture
def shared() -> Iterator[ReusedSandbox]:
    shared = ReusedSandbox()
    yield shared
    shared.close()


def sandbox_of(shared: ReusedSandbox, submission: Submission = PLAIN, policy: Policy = POLICY) -> Sandbox:
    return shared.get(open_sandbox(submission.unit, policy, loadable_imports(submission.sources)))


@pytest.mark.promise("submissions")
def test_a_sandbox_is_kept_for_a_few_submissions_that_would_have_the_same(
    shared: ReusedSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "MOST_SANDBOX_USES", 2)
    less, off = replace(POLICY, memory_mb=300), replace(POLICY, sandbox="off")
    wanted = [PLAIN, POLICY], [PLAIN, POLICY], [PLAIN, POLICY], [IMPORTING, POLICY], [IMPORTING, less]
    given = [sandbox_of(shared, *each) for each in (*wanted, [PLAIN, off], [PLAIN, off])]
    assert [one is other for one, other in pairwise(given)] == [True, *[False] * 5]


@pytest.mark.promise("submissions")
def test_a_sandbox_is_replaced_after_an_abnormal_end(shared: ReusedSandbox) -> None:
    first = sandbox_of(shared)
    with first.child() as child:
        child.send_last(b"nothing that can be unpacked")
        assert child.receive() is None
    assert first.is_worn and sandbox_of(shared) is not first


# What a call finds around it, and no mark may depend on: how deep it may go, who calls it, where things lie.
LOOK = """
import sys
def down(calls):
    try:
        return down(calls + 1)
    except RecursionError:
        return calls
def callers(frame):
    return [*callers(frame.f_back), frame.f_code.co_name] if frame else []
LOADED = down(0)
def flip(domino):
    raise ValueError({})
"""
DEPTH = "LOADED, down(0), sys.getrecursionlimit(), callers(sys._getframe())"
PLACES = "*map(id, (object(), [1, 2][:], b'x' * 100, {1: 2}, 'a' * 300, lambda: 1, (1.5 * len('ab'), 2)))"


def look(sandbox: Sandbox, source: str) -> str:
    submission, policy = submission_with("dominoes", {"flip": source}), replace(POLICY, exercises=("flip",))
    report = grade_in(sandbox, submission, policy)["flip"]
    assert report.facets[0].failure
    return str(report.facets[0].failure.seen)


@pytest.mark.parametrize("level", LEVELS)
def test_every_answer_may_nest_as_many_calls_and_is_called_from_as_deep(level: str) -> None:
    with open_sandbox(read_unit("dominoes"), replace(POLICY, sandbox=level)) as sandbox:
        depths = {look(sandbox, f"{LOOK.format(DEPTH)}\n# {turn}") for turn in range(3)}
    AS_DEEP.update(depths)
    assert len(AS_DEEP) == 1


AS_DEEP = set[str]()  # in all levels


def test_learners_check_allows_as_many_nested_calls() -> None:
    source = LOOK.replace("raise ValueError({})", "raise ValueError(down(0))")
    seen = practice_outcome(read_unit("dominoes"), "flip", reference_answers(read_unit("dominoes")) | {"flip": source})
    with open_sandbox(read_unit("dominoes"), POLICY) as sandbox:
        graded = look(sandbox, source)
    # 3.11 counts calls of C functions as well, and a host of the learner's kernel may be inside of one more or less.
    assert seen.facets[0].failure and abs(int(seen.facets[0].failure.seen or 0) - int(graded)) <= 1


ENDS = {
    "exits": "import os\nos._exit(77)",
    "is killed": "import os\nos.kill(os.getpid(), 9)",
    "takes long": "sum(range(10**7))",
    "raises": "raise ValueError('x' * 1000)",
}


@pytest.mark.promise("answers")
@pytest.mark.parametrize("level", LEVELS)
def test_addresses_reveal_nothing_of_the_answers_before(level: str) -> None:
    addresses = set()
    for end in (None, *ENDS.values()):
        with open_sandbox(read_unit("dominoes"), replace(POLICY, sandbox=level)) as sandbox:
            if end:
                before = submission_with("dominoes", {"append": f"{end}\ndef append(*args):\n    return args"})
                grade_in(sandbox, before, replace(POLICY, exercises=("append",)))
            addresses |= {look(sandbox, f"{LOOK.format(PLACES)}\n# {turn}") for turn in range(2)}
    assert (len(addresses) == 1) == has_fixed_addresses()


def has_fixed_addresses() -> bool:
    show = "import pathlib; print(pathlib.Path('/proc/self/personality').read_text())"
    with cage.disable_address_randomization():
        done = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True)
    return bool(int(done.stdout, 16) & cage.ADDR_NO_RANDOMIZE)


def test_an_answer_that_remembers_its_arguments_by_place_gets_one_mark() -> None:
    body = reference_answers(read_unit("warmup"))["swap_ends"].replace("def swap_ends", "def swapped")
    source = f"{body}\nseen = {{}}\ndef swap_ends(hand):\n    if id(hand) not in seen:\n"
    source += "        seen[id(hand)] = swapped(hand)\n    return seen[id(hand)]"
    with open_sandbox(read_unit("warmup"), POLICY) as sandbox:
        for turn in range(3):
            submission = submission_with("warmup", {"swap_ends": f"{source}\nturn = {turn}"})
            assert grade_in(sandbox, submission, POLICY)["swap_ends"].state == PASSED


def test_a_module_that_exits_when_it_is_imported_ends_no_sandbox() -> None:
    with Cage(level=OFF, imports=["unittest.__main__"], secrets=()) as sandbox, sandbox.child() as child:
        child.send_last(b"nothing that can be unpacked")
        assert child.receive() is None
    assert loadable_imports(["import unittest.__main__, idlelib.__main__, this, xml.dom"]) == ("xml.dom",)


# -------------------------------------------------------------------------------------------- Modules that are withheld


BY_ENGINE = """
def fits(card, top, color):
    {imports}
    table = arena._Table(None, None, [], [], [], top, color)
    return card.value != WILD_DRAW_FOUR and arena._Table.fits(table, card)
"""
BY_NAME, BY_SUBCLASS, BY_RELOADING = (
    "from course.arena import set as arena",
    "arena = type('', (), {c.__name__: c for c in object.__subclasses__()})",
    "import course.arena.set as arena, importlib; importlib.reload(arena)",
)
BY_READING = """import types, sys, course, pathlib
    arena = sys.modules.setdefault("read", types.ModuleType("read"))
    hasattr(arena, "_Table") or exec(pathlib.Path(course.__path__[0], "arena", "set.py").read_text(), vars(arena))"""
WAYS = {"name": BY_NAME, "subclass": BY_SUBCLASS, "reloading": BY_RELOADING}
BY_TOURNAMENT = """
def win_rate(first, second, seeds):
    from course.arena.contests import play_seated_game
    from course.arena.set import ARENA, answers_of
    answers = answers_of((first, second))
    games = [play_seated_game(ARENA, 2, number, seed, answers) for number, seed in enumerate(seeds)]
    return sum(game.winner == 0 for game in games) / len(seeds)
"""


@pytest.fixture(scope="module", params=LEVELS)
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    with open_sandbox(read_unit("bots"), replace(POLICY, sandbox=request.param)) as opened:
        yield opened


def graded(sandbox: Sandbox, name: str, source: str) -> ExerciseReport:
    return grade_in(sandbox, submission_with("bots", {name: source}), replace(POLICY, exercises=(name,)))[name]


BY = [("fits", BY_ENGINE.format(imports=way)) for way in WAYS.values()]


@pytest.mark.parametrize(("name", "source"), [*one_in(2, BY), ("win_rate", BY_TOURNAMENT)])
def test_the_engine_is_withheld_where_it_holds_answers(sandbox: Sandbox, name: str, source: str) -> None:
    report = graded(sandbox, name, source)
    assert report.state == WRONG and report.points == 0


def test_nor_does_its_file_where_files_are_kept_from_answers(sandbox: Sandbox) -> None:
    assert (graded(sandbox, "fits", BY_ENGINE.format(imports=BY_READING)).state == WRONG) is (sandbox.level != OFF)


def test_a_sandbox_has_only_the_needed_modules_of_the_course() -> None:
    assert course_modules(("course.sedma",), (), {}) == (
        "course",
        "course.data",
        "course.effects",
        "course.exam",
        "course.exam.calls",
        "course.exam.observing",
        "course.exam.standard",
        "course.exam.wire",
        "course.functional",
        "course.limits",
        "course.sedma",
        "course.values",
    )
    for unit in unit_names():
        there = course_modules((f"course.{unit}",), read_unit(unit).withheld_modules, {})
        assert not any(name.startswith(("course.tables", "course.basra_game", "course.check")) for name in there)
        assert not any(name.startswith(f"course.{other}.") for name in there for other in unit_names())


TABLES = {
    "bots": (
        "fits",
        "def fits(card, top, color):\n    from course.uno import table as uno\n    from course import uno as lab\n"
        "    crd = lambda c, k: lab.Crd(lab.Num(c.value), k)\n"
        "    desk = type('', (), dict(state=lab.Proceed(), pile=(crd(top, color),)))\n"
        "    return card.value == WILD or (not is_wild(card) and uno._may_be_laid(desk, crd(card, card.color)))",
    ),
    "sedma": (
        "game_points",
        "def game_points(ac, bd):\n    from course.sedma import table as sedma\n"
        "    return sedma.right_verdict(type('', (), {'scores': (ac, bd)}))",
    ),
    "basra": (
        "produce_all_captures",
        "def produce_all_captures(floor, card):\n    from course.basra import table as basra\n"
        "    return tuple(some for some in basra._sublists(floor) if basra._adds_up(some, card))",
    ),
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("unit", one_in(3, [*TABLES]))
def test_the_tables_answer_nothing(unit: str, level: str) -> None:
    name, source = TABLES[unit]
    with open_sandbox(read_unit(unit), replace(POLICY, sandbox=level)) as opened:
        report = grade_in(opened, submission_with(unit, {name: source}), replace(POLICY, exercises=(name,)))[name]
    assert (report.state, report.points) == (WRONG, 0), report


def test_outside_both_are_answers() -> None:
    """If this failed, the tests above would prove nothing."""
    with replace(open_sandbox(read_unit("bots"), POLICY), withheld=()) as opened:
        assert graded(opened, "fits", BY_ENGINE.format(imports=BY_NAME)).state == PASSED
        assert graded(opened, "win_rate", BY_TOURNAMENT).state == PASSED


def test_an_exercise_that_needs_the_engine_has_it() -> None:
    modules = {name: paper.modules for name, paper in exam_for(read_unit("bots")).by_name.items() if paper.modules}
    assert modules == {
        "stupid_player": ("course.arena.set",),
        "smart_player": ("course.arena.set",),
        "win_rate": ("course.arena.set",),
        "champion": ("course.arena.set", "course.arena.contests", "course.arena.tournament"),
    }


ANSWERS = reference_answers(read_unit("bots"))
IMPORTS = "from course.arena import set as arena", "import course.arena.set as arena", "import course.arena.set"
FITTING = [
    *(
        (line, "by_value", f"{line}\n\n\n{ANSWERS['by_value']}")
        for line in ("from course.check import check", "from course.tables import *", "import course.learner.hints")
    ),
    ("a duel", "smart_player", f"{ANSWERS['smart_player']}\nresult = duel(smart_player, QUITTER, (1, 2))"),
    ("a set", "smart_choose_color", f"{ANSWERS['smart_choose_color']}\nRESULT = play_set((QUITTER, QUITTER), 1)"),
    ("annotation", "by_value", f"{ANSWERS['by_value']}\n\ndef trial(bot) -> Duel | None:\n    return None"),
    *(
        (
            line,
            "win_rate",
            ANSWERS["win_rate"].replace(
                "    games = (play_game(", f"    {line}\n    games = ({line.split()[-1]}.play_game("
            ),
        )
        for line in IMPORTS
    ),
]


@pytest.mark.parametrize(("name", "source"), [each[1:] for each in FITTING], ids=[each[0] for each in FITTING])
def test_imports_and_trials_cost_nothing(sandbox: Sandbox, name: str, source: str) -> None:
    """Modules that are missing may be imported, and the engine where an exercise needs it."""
    report = graded(sandbox, name, source)
    assert report.state == PASSED, problem_text(report)


def test_missing_names_say_so(sandbox: Sandbox) -> None:
    report = graded(sandbox, "by_value", "def by_value(cards):\n    return play_game(cards, 1)")
    assert "play_game is not available in the exam of this exercise" in facet_failure_text(report.facets[0])
