"""Slips that are not only in an answer: what a cell defines now, what another cell has done, and time limits.

These messages come before any exam. So they are the same with the student kit and with everything installed.
"""

from __future__ import annotations

import cProfile
import json
import signal
import subprocess
import sys
from pathlib import Path
from time import process_time

import pytest

import course.check
import course.kernel.limits
import course.kernel.notebook
import course.learner.practice
from autograder.exam.sealing import sealed_practice
from autograder.sandbox.cage import CodeLine, RaisedException, child_error
from course.data import from_data
from course.diagnoses.failure import InnerCall
from course.exam.observing import TimeUp
from course.exam.sealed import SealedExam
from course.kernel.limits import Countdown, Monitor, Timer, limited
from course.show.pictured import card_image_html
from course.show.results import BAD, GOOD, OPEN, Result
from tests.classroom import reference_answers
from tests.kernel import Kernel, save
from tests.kernel import folder as folder
from tests.lesson import Lesson
from tests.units import read_unit

RIGHT = "def flip(domino):\n    return Domino(domino.right, domino.left)"
SAYS = read_unit("dominoes")["flip"].docstring.splitlines()[0]
MISNAMED = f'def flipp(domino):\n    """{SAYS}"""\n    return Domino(domino.right, domino.left)'
LOOP = """
def suppress(domino, hand):
    kept = []
    for own in hand:
        if own not in (domino, flip(domino)):
            kept.append(own)
    return tuple(kept)
"""


@pytest.fixture(params=["kit", "everything"])
def kernel(folder: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    if request.param == "kit":
        monkeypatch.setattr(course.kernel.catalogue, "examiner", lambda: None)
    return Kernel()


# ------------------------------------------------------------------------------------------ what a cell defines now


def test_a_misspelt_def_takes_back_an_earlier_pass(kernel: Kernel, folder: Path) -> None:
    save(folder, {"flip": RIGHT}, -9)
    kernel.run(RIGHT)
    kernel.run(MISNAMED)
    assert "the cell defines flipp" in kernel.run('check("flip")')
    assert "✓ flip" not in kernel.run('progress("dominoes")')


# Statements that take the name of an exercise, each with the line that a message shows.
TAKERS = {
    "flip = Domino(1, 2)": "flip = Domino(1, 2)",
    "for flip in (1, 2):\n    pass": "for flip in (1, 2):",
    "with open('/dev/null') as flip:\n    pass": "with open('/dev/null') as flip:",
    "(flip := Domino)": "(flip := Domino)",
    "any(flip := each for each in (1, 2))": "any(flip := each for each in (1, 2))",
    "ﬂip = 1": "flip = 1",
}
SAID = RIGHT.replace("    return", f"    {SAYS!r}\n    return")
# Cells, and what `check` shows after they have run.
RUN: list[tuple[tuple[str, ...], tuple[str, ...]]] = [
    (
        (MISNAMED,),
        (
            "✗ flip: the cell defines flipp, but the exercise is flip",
            "Write `flip` where the cell has `flipp`",
        ),
    ),
    *(
        (
            (SAID, taker),
            (f"cell [3] redefines flip: {line}", "Use another name in that cell"),
        )
        for taker, line in TAKERS.items()
    ),
    ((SAID, SAID.replace("flip", "ﬂip")), ("✓ flip",)),
    ((RIGHT, "later = lambda: (flip := 1)"), ("✓ flip",)),
    ((RIGHT, "def later(flip=1):\n    (flip := 2)"), ("✓ flip",)),
    (('parted = "a\u2028b\x0cc"\nnothing\ndef flip(domino):\n    return 3',), ("line 2 of flip: `nothing`",)),
    (
        (f'turned = nothing\nflip = lambda domino: domino\n"{SAYS}"',),
        (
            "the cell stopped with NameError in line 1",
            "raised    NameError: name 'nothing' is not defined\n  line 1 of flip: `turned = nothing`",
            "`nothing` is not defined",
        ),
    ),
    *(
        (
            (f"{own}\nnothing\n{RIGHT}",),
            ("the cell stopped with NameError in line 2, before flip was defined", "line 2 of flip: `nothing`"),
        )
        for own in ("!true", "%%time", "seen = %who_ls")
    ),
]


@pytest.mark.parametrize(("cells", "texts"), RUN)
def test_check_says_what_the_cells_did_to_the_answer(
    kernel: Kernel, cells: tuple[str, ...], texts: tuple[str, ...]
) -> None:
    for cell in cells:
        kernel.run(cell)
    shown = kernel.run('check("flip")')
    assert [text for text in texts if text not in shown] == [], shown


def test_a_helper_in_a_cell_that_was_not_run_is_reported(kernel: Kernel, folder: Path) -> None:
    calls = "def flip(domino):\n    return turned(domino)"
    kernel.run(calls)
    save(folder, {"flip": calls}, -9, cells={"own": "def turned(domino): ..."})
    shown = kernel.run('check("flip")')
    assert "line 2 of flip: `return turned(domino)`" in shown
    assert "defines `turned`. Run that cell to its end" in shown or "Did you run the cell that defines it?" in shown


# ------------------------------------------------------------------------------------------ in the kit


def checked(unit: str, name: str, *cells: str, **answers: str) -> Result:
    """Return the result of `check` with the course alone, where all other answers are right."""
    return Lesson(unit, *cells, *(reference_answers(read_unit(unit)) | answers).values()).check(name)


DRAW = reference_answers(read_unit("uno"))["draw"].replace("raise IllegalGame(", "raise IllegalMove(")
TAKEN = {
    "trick_points": "def trick_points(trick):\n    return 10 * sum(card.rank in (RA, R10) for card in trick)",
    "sum": "sum = 0",
}
CIRCLE = {
    "is_valid_record": "def is_valid_record(cards):\n    return replay(cards) is not None",
    "replay": "def replay(cards):\n    return (AC, ONE) if is_valid_record(cards) else None",
}
# An exercise and wrong answers, with the state of `check`, and what it shows.
CHECKED: list[tuple[str, str, dict[str, str], str, tuple[str, ...]]] = [
    (
        "dominoes",
        "move",
        {"move": "def move(stock, chain, hand, player):\n    return ()[0]"},
        BAD,
        ("\n  first ", "\n  call ", "\n  raised "),
    ),
    (
        "dominoes",
        "get_hand_size",
        {"get_hand_size": "def get_hand_size(count):\n    return {2: 7, 3: 6, 4: 6}.get(count)"},
        BAD,
        ("`raise ValueError(…)`",),
    ),
    (
        "dominoes",
        "legal_adds",
        {"flip": "def flip(domino):\n    return domino"},
        OPEN,
        ("your function uses flip, which is not right yet", 'check("flip")'),
    ),
    ("dominoes", "suppress", {"suppress": LOOP}, GOOD, ("Style, a rule: line 4: `for own in hand:`", "Instead")),
    ("dominoes", "flip", {}, GOOD, ("✓ flip",)),
    (
        "dominoes",
        "flip",
        {"flip": "def flip(domino):\n    return domino\n\ndef flip(domino):\n    raise NotImplementedError"},
        OPEN,
        ("Line 4 defines the empty `flip` again, below your answer",),
    ),
    (
        "uno",
        "card_value",
        {
            "sum_cards": "def sum_cards(cards):\n    return 1",
            "card_value": "def card_value(card):\n    return sum_cards((card,))",
        },
        OPEN,
        ("your function calls sum_cards, a later exercise",),
    ),
    ("uno", "draw", {"draw": DRAW}, BAD, ("the exception must be an `IllegalGame`",)),
    ("sedma", "trick_points", TAKEN, BAD, ("`sum` is no longer Python's own, because cell [", "\n      del sum")),
    ("sedma", "is_valid_record", CIRCLE, OPEN, ("Solve `replay` first, or write your answer without `replay`.",)),
    ("sedma", "replay", CIRCLE, OPEN, ("Fix `is_valid_record` first:",)),
    ("dominoes", "flip", {"flip": RIGHT.replace("flip", "FLIP")}, BAD, ("defines FLIP", "capital and small")),
    ("dominoes", "flip", {"flip": RIGHT.replace("flip", "flip_")}, BAD, ("defines flip_", "the cell has `flip_`")),
]


@pytest.mark.parametrize(("unit", "name", "answers", "state", "texts"), CHECKED)
def test_kit_says_what_is_wrong_in_a_few_lines(
    unit: str, name: str, answers: dict[str, str], state: str, texts: tuple[str, ...]
) -> None:
    result = checked(unit, name, **answers)
    assert (result.state, [text for text in texts if text not in result.text()]) == (state, []), result.text()
    assert len(result.text().splitlines()) <= 8


def test_a_bot_is_right_in_its_examples_only_where_no_deals_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    sealed = from_data(SealedExam, json.loads(sealed_practice(read_unit("bots"), "seed")))
    monkeypatch.setattr(course.kernel.catalogue, "sealed_exam_of", lambda unit: sealed)
    result = checked("bots", "champion", champion="def champion():\n    return smart_player")
    assert (result.state, result.headline) == (GOOD, "right in all 2 examples")
    assert [note for note in result.notes if "not tried here: beats SmartPlayer" in note]


MALFORMED = ["f", ["a b"]], ["f", ["x" * 200]], ["f", ["int"] * 9], ["f" * 10_000_000, []], [3, []], "f", None


@pytest.mark.parametrize("inside", MALFORMED, ids=range(len(MALFORMED)))
def test_a_malformed_inner_call_is_left_out_of_a_report(inside: object) -> None:
    report = {"raised": "TypeError", "text": "", "place": ["flip", 2]}
    assert child_error(report | {"inside": inside}) == RaisedException("TypeError", "", CodeLine("flip", 2))
    inner = child_error(report | {"inside": ["take", ["tuple[Domino]", "int"]]})
    assert isinstance(inner, RaisedException) and inner.inside == InnerCall("take", ("tuple[Domino]", "int"))


# ------------------------------------------------------------------------------------------ time limits

ENDLESS = {
    "a loop on the spot": "while True: pass",
    "a loop that works": "n = 0\nwhile True:\n    n += 1",
    "calls without end": "def f(n): return n if n < 0 else g(n)\ndef g(n): return n\nwhile True: f(1)",
    "a loop that catches everything": "while True:\n    try:\n        n = [1]\n    except Exception: pass",
    "a loop in an expression": "from itertools import count\nall(n >= 0 for n in count())",
}


class Ticking:
    """A clock that advances each time it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.mark.parametrize("observer", [Timer, *[Monitor] * hasattr(sys, "monitoring")])
@pytest.mark.parametrize("name", ENDLESS)
def test_endless_code_is_stopped(name: str, observer: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course.kernel.limits, "OBSERVERS", (observer,))
    with pytest.raises(TimeUp), limited(2 if observer is Timer else 20, Ticking()):
        exec(ENDLESS[name], {})


@pytest.mark.parametrize("body", ["xs = [0] * 10**10", "xs = [0]\nwhile True: xs = xs * 2", "x = 'a' * (1 << 31)"])
def test_a_memory_hog_is_stopped_and_the_next_answer_has_memory(body: str) -> None:
    with pytest.raises(MemoryError), limited():
        exec(body, {})
    assert len(bytes(1 << 28)) == 1 << 28


def test_nothing_of_others_is_searched_for_garbage_in_a_learners_time() -> None:
    lines = (
        "import gc",
        "from course.kernel.limits import limited",
        "def is_searched(): return any(each is there for each in gc.get_objects())",
        "there = [[]]",
        "with limited(): assert not is_searched()",
        "assert is_searched()",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)


def test_a_timer_of_somebody_else_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGPROF, lambda *_: None)
    try:
        assert not Timer().begin(Countdown(1, Ticking()))
    finally:
        signal.signal(signal.SIGPROF, before)


def test_code_that_ends_in_time_and_a_profiler_are_left_alone() -> None:
    with cProfile.Profile(), limited(1e9, Ticking()):
        found = sum(range(3))
    assert found == 3


WITHOUT_END = {
    "while domino.left < 9:\n        turned = domino": (
        "0 of 2 examples right, 1 not tried",
        "took too long",
        "The loop on line 2 never changes `domino`",
    ),
    "tiles = [domino]\n    while True: tiles = tiles + tiles": ("used too much memory",),
}


@pytest.mark.parametrize("body", WITHOUT_END)
def test_an_answer_without_end_is_reported_with_its_limit(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course.learner.practice, "SECONDS_PER_EXAMPLE", 0.05 if "turned" in body else 5)
    result = checked("dominoes", "flip", flip=f"def flip(domino):\n    {body}")
    assert result.state == BAD and [text for text in WITHOUT_END[body] if text not in result.text()] == []


# ------------------------------------------------------------------------------------------ pictures

DRAWN = {
    "flip(Domino(2, 3))": "tile two three",
    "Chain(6, '6-6 6-1', 1)": "tile six six, tile six one",
    "(Face(KING, HEARTS), Number(7, CLUBS), Joker())": "king of hearts, seven of clubs, joker",
    "(Card(CLUB, RA), Card(SPADE, 12), Card(BLUE, SKIP))": "ace of clubs, queen of spades, blue skip",
    "Desk((Player('Igor', (Wild(),), naive, False),), (Crd(Num(5), RED),), (), Proceed(), CLOCKWISE, ())": (
        "wild, red five"
    ),
}


@pytest.mark.parametrize("code", DRAWN)
def test_cards_and_tiles_are_drawn_beside_code_with_descriptions(code: str) -> None:
    assert f'alt="{DRAWN[code]}"' in card_image_html(code)


@pytest.mark.parametrize("code", ["20", "Domino('a', ())", "Card(1, 2, 3)", "open('x')", "Domino(", "exit()", "f" * 9])
def test_other_code_than_cards_and_tiles_is_neither_drawn_nor_run(code: str) -> None:
    assert card_image_html(code) == ""


def test_of_many_cards_the_first_are_drawn_and_the_others_counted() -> None:
    assert "and 24 more" in card_image_html(f"({', '.join(['Joker()'] * 40)})")


@pytest.mark.skipif(not hasattr(sys, "monitoring"), reason="Python before 3.12, which no browser has")
def test_a_cell_that_computes_too_long_is_stopped_but_not_one_that_waits(folder: Path) -> None:
    kernel, clock = Kernel(), Ticking()
    course.kernel.limits.limit_cell_time(kernel.shell, 20, clock)
    assert "This cell was stopped" in kernel.run("while True:\n    pass")
    kernel.shell.user_ns["clock"] = clock
    assert kernel.run("for _ in range(500):\n    clock.now += 1000") == ""


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("raise SystemExit('done')", "raised    SystemExit: done"),
        ("return (0,) * 10_000_000", "result    made a value that is too large"),
        ("return reduce(lambda inside, _: (inside,), range(50_000), ())", "made a value that is too large"),
        ("raise Untold", "raised    Untold"),
    ],
)
def test_unprintable_or_exiting_answers_are_wrong(body: str, told: str) -> None:
    classes = "from functools import reduce\nclass Untold(Exception):\n    def __str__(self): return 1 / 0"
    begun = process_time()
    assert told in Lesson("dominoes", classes, f"def flip(domino):\n    {body}").check("flip").text()
    assert process_time() - begun < 5
