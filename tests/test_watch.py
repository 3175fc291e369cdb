"""A watched run equals the plain run, and its view: steps, the expression on paper, odd values, and *Next line*."""

from __future__ import annotations

import inspect
import json
import math
import random
import re
import sys
from dataclasses import dataclass
from functools import cache, partial
from html import unescape
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.exam.cases import Case
from autograder.exam.store import exam_for
from autograder.prove.answers import grade_trusted
from course.dominoes import Domino
from course.effects import transcript
from course.functional import fold_left
from course.kernel.notebook import NotRight
from course.learner.answer import answer_in_namespace
from course.learner.offering import failed_call_code, viewer_of_failed_run
from course.show.bits import code_of
from course.show.pictures import picture_keys_in
from course.show.snapshots import SnapshotTaker
from course.tables import try_tile, uno_table, watch_set
from course.values import strictly_equal
from course.watch import on_paper, watch
from course.watch.hooked import SPOTS
from course.watch.record import RunLimits, record_run
from course.watch.rewriting import PaperLines
from course.watch.run import CallOwner, EventKind, RunState
from course.watch.viewer import AS_CALLS, ON_PAPER, Viewer, indented_calls
from course.watch.watching import WHAT_TO_WATCH, recorded_run_of_code, viewer_of_code, viewer_of_run, why_unwatchable
from solutions import bots, dominoes, warmup
from solutions import uno as references
from tests.classroom import reference_answers, right_answers
from tests.command import one_line_with
from tests.lesson import Lesson, file_of_cell
from tests.units import read_unit, submission_with, unit_names

WARMUP, DOMINOES, BOTS = vars(warmup), vars(dominoes), vars(bots)
CODE = """
def total(items):
    match items:
        case ():
            return 0
        case (first, *rest):
            return first + total(tuple(rest))
    raise ValueError(items)


def counted(n):
    @tail_recursive
    def add(n, so_far):
        return so_far if n == 0 else recur(n - 1, so_far + n)

    return add(n, 0)


def summed(n, so_far): return so_far if n == 0 else summed(n - 1, so_far + n)
def minus(a, b): return a - b
def double(n): return 2 * n
def matched(n):
    match n:
        case 1:
            return n
        case (2 | _) as other:
            return other
def large(numbers): return tuple(n for n in numbers if n > 2)
def endless(n): return endless(n + 1)
def joined(texts): return texts[0] + joined(texts[1:]) if texts else ""
def seen(desk): return desk
def nested(depth): return {depth: nested(depth - 1)} if depth else {}


def both(n):
    doubled = compose(double, double)(n)
    return 1 + doubled


def half(n):
    \"\"\"Return half.

    Of n.\"\"\"
    return n // 2


def greeted():
    name = input("Who? ")
    print("Hello,", name)
    return name


def refused(number, error):
    if number < 0:
        raise error
    return number


def helped(numbers):
    def step(so_far, number):
        return so_far + number

    return fold_left(step, 0, numbers)


def put(places, found):
    places[max(place + 1 for place in found)] = 5
    return places


def around_itself():
    thing = {}
    thing[1] = thing
    return thing


def fails(self, *_): raise ValueError("no")
Sulking = type("Sulking", (tuple,), dict.fromkeys(("__iter__", "__len__", "__getitem__", "__repr__"), fails))
Loud = type("Loud", (str,), dict.fromkeys(("__len__", "__repr__"), fails))
Nameless = type("Nameless", (Exception,), {"args": None})


def raised():
    raise Nameless(1)
"""


def learners(source: str, unit: str = "warmup") -> dict[str, Any]:
    """Return a namespace of a unit with a learner's code in it."""
    names: dict[str, Any] = {"__name__": "learner"}
    source = f"from course.{unit} import *\nfrom course.functional import *\n{source}"
    exec(compile(source, file_of_cell(source), "exec", dont_inherit=True), names)
    return names


NAMES = learners(CODE)


def run_of(call: str, way: str = AS_CALLS) -> Viewer:
    viewer = viewer_of_code(call, NAMES)
    viewer.receive(["way", way])
    return viewer


def called(name: str, *args: object) -> Viewer:
    """Return the run of one of these functions with arguments that need no code."""
    return viewer_of_run(record_run(NAMES[name], args, NAMES, title=f"{name}(…)"), NAMES)


def words(bits: Any) -> str:
    return "".join(bit if isinstance(bit, str) else bit[0] for bit in bits)


def said(viewer: Viewer) -> str:
    return words(viewer.view()["said"])


def walked(viewer: Viewer) -> list[dict[str, Any]]:
    """Return all views of a run, step by step, as they are sent to the browser."""
    views = [viewer.view()]
    while len(views) < 2 or views[-1]["at"] > views[-2]["at"]:
        viewer.receive(["by", 1])
        views.append(viewer.view())
    return [json.loads(json.dumps(view)) for view in views[:-1]]


def rows_of(viewer: Viewer) -> list[str]:
    return [f"{words(row['b'])} → {words(row.get('r', ()))}" for row in viewer.view()["rows"]]


# ---------------------------------------------------------------------------------------------------- on paper

ON_PAPER_LINES = {
    "total((1, 2, 3))": [
        "▌ 1 + total((2, 3))",
        "▌▌ 1 + (2 + total((3,)))",
        "▌▌▌ 1 + (2 + (3 + total(())))",
        "▌▌▌ 1 + (2 + (3 + 0))",
        "▌▌ 1 + (2 + 3)",
        "▌ 1 + 5",
        "6",
    ],
    "counted(3)": ["add(3, 0)", "add(2, 3)", "add(1, 5)", "add(0, 6)", "6"],
    "summed(2, 0)": ["summed(1, 2)", "summed(0, 3)", "3"],
    "fold_left(minus, 0, (1, 2, 3))": [
        "▌▌ minus(minus(minus(0, 1), 2), 3)",
        "▌ minus(minus(-1, 2), 3)",
        "minus(-3, 3)",
        "-6",
    ],
    "fold_right(minus, 0, (1, 2, 3))": [
        "▌▌ minus(1, minus(2, minus(3, 0)))",
        "▌ minus(1, minus(2, 3))",
        "minus(1, -1)",
        "2",
    ],
}


@pytest.mark.parametrize("call", ON_PAPER_LINES)
def test_on_paper_a_call_is_rewritten_and_its_pending_work_piles_up(call: str) -> None:
    assert run_of(call, ON_PAPER).static_view["text/plain"].splitlines() == [call, *ON_PAPER_LINES[call]]


def test_on_paper_a_step_leads_to_the_next_line() -> None:
    viewer = run_of("total((1, 2))", ON_PAPER)
    for step in (1, 1, 1, -1):
        viewer.receive(["by", step])
    lines = [words(line["b"]) for line in viewer.view()["paper"]]
    assert lines == ["total((1, 2))", "1 + total((2,))", "1 + (2 + total(()))"]


def test_deep_paper_leaves_out_levels_and_keeps_its_inside() -> None:
    sheets = PaperLines(called("total", tuple(range(1_000, 1_100))).run)
    text = max(map(sheets.line, sheets.steps), key=lambda line: line.waiting).text
    assert "1000 + (1001 + (" in text and "…" in text and text.rstrip(")").endswith("total((")


def test_paper_repeats_no_long_values() -> None:
    texts = tuple(f"{letter * 55}" for letter in "abcdefghijklmn")
    sheets = PaperLines(called("joined", texts).run)
    shown = [sheets.line(step).text for step in sheets.steps]
    assert max(map(len, shown)) > 700 and all(text.count(f"'{each}'") <= 1 for text in shown for each in texts)


# ---------------------------------------------------------------------------------------------------- the walk


@pytest.mark.parametrize(
    "call", ["total((1, 2, 3))", "counted(30)", "both(2)", "large((1, 2, 3))", "total((1, 'a'))", "matched(3)"]
)
def test_each_step_of_a_run_can_be_shown_in_both_ways(call: str) -> None:
    last = walked(run_of(call))[-1]
    assert last["at"] == last["last"] and walked(run_of(call, ON_PAPER))[-1]["paper"]


def test_items_matched_cases_and_lines_without_docstring_are_shown() -> None:
    items = walked(run_of("large((1, 3))"))[-2]["rounds"]
    assert [*map(words, items)] == ["n = 1; left out", "n = 3; kept → 3"]
    viewer = run_of("total((7,))")
    viewer.receive(["by", 1])
    assert said(viewer) == "case (first, *rest) matches, with first = 7, rest = []"
    assert [line for line in viewer.view()["code"] if "off" in line], "the case that did not fit is passed over"
    first, last = (line["n"] for line in run_of("half(4)").view()["code"])
    assert last - first == 4


def test_cards_and_tiles_are_seen_as_pictures() -> None:
    charged = "charge(Player('Ann', (), 0), (Joker(), Number(3, HEARTS)))"
    viewer = viewer_of_code(charged, WARMUP)
    assert {"card:joker", "card:3H"} <= picture_keys_in(viewer.view())
    assert indented_calls(viewer.run) == [
        f"{charged} → Player('Ann', (), 23)",
        "  penalties((Joker(), Number(3, HEARTS))) → (20, 3)",
        "    penalty(Joker()) → 20",
        "    penalty(Number(3, HEARTS)) → 3",
    ]


@pytest.mark.parametrize(("call", "at"), [("counted(500)", 0), ("total(tuple(range(200)))", 150)])
def test_long_parts_are_left_out_and_can_be_shown(call: str, at: int) -> None:
    viewer = run_of(call)
    viewer.receive(["call", at])
    for most, is_all in ((40, False), (220, call.startswith("total")), (600, True)):
        assert len(rows_of(viewer)) < most and ("more calls" not in " ".join(rows_of(viewer))) is is_all
        assert max(row["d"] for row in viewer.view()["rows"]) < most
        viewer.receive(["whole"])


def test_the_value_of_a_call_is_hidden_until_it_is_over() -> None:
    viewer = run_of("total((1, 2))")
    for action, results in ((["call", 3], "???"), (["call", 3], "??0"), (["go", 10**6], "320")):
        viewer.receive(action)
        calls = zip(("total((1, 2))", "total((2,))", "total(())"), results, strict=True)
        assert rows_of(viewer) == [f"{call} → {result}" for call, result in calls], action


def changed_names(view: dict[str, Any]) -> list[str]:
    return [f"{name} = {words(bits)}" for name, bits, is_changed in view["names"] if is_changed]


def test_what_a_step_changes_is_marked_with_what_it_was() -> None:
    views = walked(run_of("counted(2)"))
    begun = [changed_names(view) for view in views if re.search(" is called| calls |the next round: ", view["spoken"])]
    assert begun == [[], [], ["n = 1 (was 2)", "so_far = 2 (was 0)"], ["n = 0 (was 1)", "so_far = 3 (was 2)"]]
    assert changed_names(walked(run_of("both(2)"))[-2]) == ["doubled = 8"]


def test_a_tail_call_is_told_by_the_name_of_its_function() -> None:
    viewer = run_of("counted(2)")
    views = walked(viewer)
    assert "add(2, 0) continues with add(1, 2), and does not wait for its result" in [view["spoken"] for view in views]
    shown = [[view["spoken"], view["values"], view["names"]] for view in views]
    assert "recur" not in json.dumps([shown, rows_of(viewer), indented_calls(viewer.run)])


def test_the_next_line_goes_into_each_call_of_a_local_helper_and_back() -> None:
    viewer = run_of("helped((3, 4))")
    inside = ["step(0, 3) is called", "step(0, 3) returns 3", "step(3, 4) is called", "step(3, 4) returns 7"]
    texts = ["helped((3, 4)) is called", *inside, "helped((3, 4)) returns 7"]
    steps = [(0, texts[0]), *((1, text) for text in [*texts[1:], texts[-1]]), *((-1, text) for text in texts[-2::-1])]
    for step, text in steps:
        viewer.receive(["line", step])
        assert said(viewer) == text


# ---------------------------------------------------------------------------------------------------- values


def test_a_long_value_is_cut_within_its_parts() -> None:
    hand = tuple(Domino(n, n) for n in range(9))
    cut = "(Domino(0, 0), Domino(1, 1), … 7 more)"
    assert code_of((hand, hand, "end"), 80) == f"({cut}, {cut}, 'end')"
    viewer = called("double", "x" * 10_000_000)
    assert len(json.dumps(viewer.view())) < 20_000 and len(repr(viewer)) < 5_000


@pytest.mark.parametrize("way", [AS_CALLS, ON_PAPER])
@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("seen(Sulking((1,)))", "<Sulking>"),
        ("seen(Loud('a'))", "<Loud>"),
        ("raised()", "Nameless: 1"),
        ("nested(6)", "{6: {5: {4: {3: {2: {1: {}}}}}}}"),
        ("around_itself()", "{1: {1: {1: {1: {1: {1:"),
        ("put([1, 2, 3], (0, 1))", "[1, 2, 5]"),
    ],
)
def test_uninspectable_values_and_deep_dicts_are_shown(way: str, call: str, text: str) -> None:
    assert text in repr(run_of(call, way))


def test_a_self_containing_list_is_not_copied_endlessly() -> None:
    keeper, shared = SnapshotTaker(), list[Any]()
    for _ in range(60):
        shared = [shared, shared]
    keeper.snapshot(shared)
    assert keeper.looked_at < 10_000


def test_an_exception_is_code_as_an_argument_and_a_message_when_raised() -> None:
    viewer = run_of("refused(-1, ValueError('below 0'))")
    assert rows_of(viewer) == ["refused(-1, ValueError('below 0')) → ?"]
    viewer.receive(["go", 10**6])
    assert rows_of(viewer) == ["refused(-1, ValueError('below 0')) → raises ValueError: below 0"]


def test_code_with_a_number_that_python_does_not_write_is_watched() -> None:
    huge = f"0x{'f' * 5_000}"
    assert run_of(f"double({huge})").run.title == "double(…)"
    names = learners(f"def half(n):\n    return n\n\n\ndef much(n):\n    return half(n) + {huge}")
    assert "▌ half(3) + …" in repr(Viewer(record_run(names["much"], (3,), names), ON_PAPER))


# ---------------------------------------------------------------------------------------------------- endings


def test_a_long_run_is_cut_and_says_so() -> None:
    run = record_run(WARMUP["riffles_to_restore"], (10_038,), WARMUP)
    assert (run.value, len(run.calls) < 5_000) == (10_036, True)
    assert "more steps were not recorded" in indented_calls(run)[-1]


def test_a_run_that_never_ends_is_stopped() -> None:
    ticks, names = iter(range(10**9)), learners("def endless():\n    while True:\n        pass")
    run = record_run(names["endless"], (), names, limits=RunLimits(clock=lambda: float(next(ticks))))
    assert run.state is RunState.STOPPED and "The run was stopped" in indented_calls(run)[-1]


def test_a_recursion_that_never_ends_is_shown() -> None:
    viewer = run_of("endless(0)")
    assert viewer.run.state is RunState.RAISED and isinstance(viewer.run.error, RecursionError)
    viewer.receive(["go", 10**6])
    assert "raises RecursionError" in said(viewer) and len(viewer.view()["rows"]) < 50


def test_an_exception_outside_of_functions_is_shown() -> None:
    lines = repr(run_of("double(1)\ndouble(2) / 0")).splitlines()
    assert lines[0] == "double(2) / 0 → raises ZeroDivisionError: division by zero"


def test_text_printed_in_a_script_is_recorded() -> None:
    run = recorded_run_of_code("transcript(greeted, typed=('Bo',))", NAMES, {"transcript": transcript, **NAMES})
    assert walked(viewer_of_run(run, {}))[-1]["printed"] == "Who? Hello, Bo\n"


QUEEN_FORGOTTEN = """
def penalty(card):
    match card:
        case Joker():
            return 20
        case Number(n, Suit.HEARTS):
            return n
        case Face(_, Suit.HEARTS):
            return 10
        case _:
            return 0


def penalties(hand):
    return tuple(cost for cost in map(penalty, hand) if cost > 0)
"""


def test_the_first_call_that_differs_from_the_reference_is_named() -> None:
    names = learners(QUEEN_FORGOTTEN)
    viewer = viewer_of_code("penalties((Joker(), Face(QUEEN, SPADES)))", names)
    wrong = "penalty(Face(QUEEN, SPADES)) is the first call that fails: expected 13"
    assert viewer.view()["first_wrong"] == wrong
    assert repr(viewer).startswith(f"{wrong}\npenalties((Joker(), Face(QUEEN, SPADES))) → (20,)")
    assert not viewer_of_code("penalties((Joker(), Face(QUEEN, HEARTS)))", names).view()["first_wrong"]


# ---------------------------------------------------------------------------------------------------- at a table


def test_a_move_at_a_table_can_be_watched() -> None:
    table = try_tile(DOMINOES["Chain"](6, "6-1 1-5", 5), names=DOMINOES)
    for action in (["pick", 8], ["why"]):
        table.receive(action, table.revision)
    assert [words(row["b"]).split("(")[0] for row in table.view()["run"]["rows"]][:2] == ["the move", "legal_adds"]
    table.receive(["watched", "by", 1], -1)
    assert words(table.view()["run"]["said"]).startswith("case Chain(left, _, right) matches")
    for action, is_watched in ((["room", "narrow"], True), (["why"], False)):
        table.receive(action, table.revision)
        assert ("run" in table.view()) is is_watched, action


def test_a_move_that_went_wrong_at_a_table_can_be_watched() -> None:
    names = learners("def legal_adds(domino, chain):\n    raise ValueError('no')")
    names |= DOMINOES | names
    table = try_tile(names=names)
    for action in (["pick", 8], ["why"]):
        table.receive(action, table.revision)
    table.receive(["watched", "go", 2], -1)
    assert "raises ValueError: no" in table.view()["run"]["spoken"]


def test_a_move_that_asks_the_person_can_be_watched_next_to_the_references() -> None:
    table = uno_table(bots=1, names=vars(references), seed=1)
    assert "Choose a card to play." in table.view()["status"]
    table.receive(["why"], table.revision)
    assert table.view()["run"]["title"] == "the move"


@pytest.mark.parametrize("actions", [[], ["next", "run", "stop"], ["run", *["tick"] * 12, "stop"]])
def test_a_move_of_a_bot_can_be_watched(actions: list[str]) -> None:
    table = watch_set(bots.smart_player, bots.stupid_player, names=BOTS)
    for action in (*actions, "why"):
        table.receive([action], table.revision)
    player, question, _, _ = table.state.questions[table.state.number]
    names = [words(row["b"]).split("(")[0] for row in table.view()["run"]["rows"]]
    assert names[:2] == ["the move", getattr(table.state.bots[player], question).__name__]


def test_a_move_without_functions_of_the_learner_says_so_in_plain_words() -> None:
    table = watch_set(bots.smart_player, bots.stupid_player, names={})
    table.receive(["why"], table.revision)
    message = "There are no steps to show: this move calls no function that you wrote in this notebook."
    assert table.view()["note"]["text"] == message


# ---------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        ("total", "without quotes"),
        (3, "pass the function"),
        (Domino, "`Domino` cannot be watched"),
        (math.sqrt, "`sqrt` cannot be watched"),
        (json.dumps, "`dumps` cannot be watched"),
    ],
)
def test_what_is_no_function_of_the_learner_gets_one_line(thing: Any, message: str) -> None:
    for way in (watch, on_paper):
        with pytest.raises(NotRight, match=one_line_with(message)):
            way(thing)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("nothing(3)", "`nothing` is not defined"),
        ("1 + 1", "no function of yours"),
        ("x = 1", "a call below"),
        ("1 +", "Python cannot read this code"),
        ("await double(1)", "Python cannot read this code"),
        ("return 1\ndouble(1)", "Python cannot read this code"),
    ],
)
def test_code_that_cannot_be_watched_gets_one_line(code: str, message: str) -> None:
    with pytest.raises(NotRight, match=one_line_with(message)):
        run_of(code)


def test_reference_functions_are_distinguished_from_own_ones() -> None:
    assert WHAT_TO_WATCH in why_unwatchable(warmup.charge, globals())
    assert why_unwatchable(warmup.charge, WARMUP) == why_unwatchable(fold_left, globals()) == ""


# ---------------------------------------------------------------------------------------------------- the law

HERE = Path(__file__).parent
IN_BRACKETS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
ENDLESS = RunLimits(10**7, 10**7, 10**7, lambda: 0.0)
STYLES = [(unit, style) for unit in unit_names() for style in ("", *(right.style for right in right_answers(unit)))]
Names = dict[str, Any]


@cache
def namespace(unit: str, style: str) -> Any:
    """Return the names that a module of references or of right answers defines."""
    if not style:
        return vars(import_module(f"solutions.{unit}"))
    path = HERE / "right" / f"{unit}_{style}.py"
    names: Names = {"__name__": "right"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True), names)
    return names


def plainly(names: Names, name: str, case: Case) -> tuple[RunState, Any, str, list[str]]:
    """Return how a call without watching ends, what it prints, and the calls that Python's own profiler counts."""
    ended, frames = list[tuple[RunState, Any]](), list[FrameType]()

    def count(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        is_own = event == "call" and frame.f_globals is names and code.co_name not in IN_BRACKETS
        if is_own and not (code.co_flags & inspect.CO_GENERATOR and any(one is frame for one in frames)):
            frames.append(frame)

    def called() -> None:
        sys.setprofile(count)
        try:
            ended.append((RunState.GAVE, names[name](*case.args)))
        except Exception as error:
            ended.append((RunState.RAISED, error))
        finally:
            sys.setprofile(None)

    random.seed(1)
    _, printed = transcript(called, typed=case.typed, chance=case.chance or 0)
    return *ended[0], printed, [frame.f_code.co_name for frame in frames]


def obeys_the_law(names: Names, name: str, case: Case) -> None:
    """Fail unless watching a call changes nothing, and shows all its calls."""
    state, value, printed, calls = plainly(names, name, case)
    random.seed(1)
    call = partial(transcript, names[name], *case.args, typed=case.typed, chance=case.chance or 0)
    run = record_run(call, (), names, limits=ENDLESS)
    assert (run.state, run.left_out) == (state, 0)
    assert "".join(event.value for event in run.events if event.kind is EventKind.PRINTED) == printed
    if state is RunState.GAVE:
        assert strictly_equal(run.value[0], value) or repr(type(value)) == "<class 'function'>"
    else:
        assert (type(run.error), run.error and run.error.args) == (type(value), value.args)
    assert [call.name.replace("λ", "<lambda>") for call in run.calls if call.kind is CallOwner.OWN] == calls


@pytest.mark.proof
@pytest.mark.parametrize(("unit", "style"), STYLES)
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(choice=st.data())
def test_watching_changes_nothing_and_shows_the_calls_that_there_are(
    unit: str, style: str, choice: st.DataObject
) -> None:
    exam, names = exam_for(read_unit(unit)), namespace(unit, style)
    for name, paper in exam.by_name.items():
        calls = [call for facet in paper.facets for call in facet.calls if call[0] == "args"]
        if calls:
            obeys_the_law(names, name, exam.case(choice.draw(st.sampled_from(calls))))


# ---------------------------------------------------------------------------------------------------- the way to a bug

LINE = ["line", 1]


@dataclass(frozen=True)
class Bug:
    """An answer with a bug, how often to press *Next line*, the line to which that leads, and what is wrong there."""

    unit: str
    name: str
    presses: int
    line: str
    seen: str
    source: str


BUGS = {
    # Two lines are right. Then line 5 calls `take` with the new tile, 3-3, at the end of the hand.
    "take_end": Bug(
        "dominoes",
        "take",
        3,
        "    return take((*hand, drawn), n - 1, tuple(left))",
        "hand = (Domino(1, 1), Domino(2, 2), Domino(3, 3)) (was (Domino(1, 1), Domino(2, 2)))",
        """
def take(hand, n, stock):
    if n == 0 or not stock:
        return hand, stock
    drawn, *left = stock
    return take((*hand, drawn), n - 1, tuple(left))
""",
    ),
    # No tile is to be drawn, but the first line draws one.
    "take_slices": Bug(
        "dominoes",
        "take",
        1,
        "    drawn = stock[n::-1]",
        "drawn = (Domino(3, 3),)",
        """
def take(hand, n, stock):
    drawn = stock[n::-1]
    left = stock[n:]
    return drawn + hand, left
""",
    ),
    # The card is at position 2 after the first riffle, and 0 riffles are counted.
    "riffles": Bug(
        "warmup",
        "riffles_to_restore",
        1,
        "    return follow(2, 0)",
        "riffles = 0",
        """
def riffles_to_restore(cards):
    @tail_recursive
    def follow(place, riffles):
        if place == 1:
            return riffles
        return recur(2 * place % (cards - 1), riffles + 1)

    return follow(2, 0)
""",
    ),
    # Three cards are left. Two of them are worth 12, and `max` takes the first.
    "highest": Bug(
        "bots",
        "highest",
        3,
        "    return max(wanted, key=lambda card: card.value)",
        "returns Card(RED, SKIP)",
        """
def highest(condition, cards):
    wanted = tuple(filter(condition, cards))
    if not wanted:
        return None
    return max(wanted, key=lambda card: card.value)
""",
    ),
    # There are eight tricks, and here are nine winners.
    "tally": Bug(
        "sedma",
        "tally",
        2,
        "    winners = tuple(accumulate(tricks, next_leader, initial=A))",
        "winners = (A, A, A, D, D, C, D, C, B)",
        """
def tally(record):
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))

    def score(team):
        won = tuple(trick for trick, winner in zip(tricks, winners) if team_of(winner) is team)
        last = 10 if team_of(winners[-1]) is team else 0
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)
""",
    ),
    # The second card should fall from the other packet, but `left` is still the packet on the left.
    "riffle": Bug(
        "warmup",
        "riffle",
        3,
        "    return (first, *riffle(tuple(rest), right))",
        "left = (Number(4, CLUBS), Number(5, CLUBS)) (was (Joker(), Number(4, CLUBS), Number(5, CLUBS)))",
        """
def riffle(left, right):
    if not left:
        return right
    first, *rest = left
    return (first, *riffle(tuple(rest), right))
""",
    ),
    # `look` has three rounds. The last one returns: the cards that were seen come out in reverse order.
    "remove_card": Bug(
        "uno",
        "remove_card",
        9,
        "                return (*seen, *others)",
        "(Crd(Num(5), GREEN), Crd(Skip(), RED), Wild())",
        """
def remove_card(cards, card, error):
    @tail_recursive
    def look(seen, rest):
        match rest:
            case (head, *others) if is_same_card(head, card):
                return (*seen, *others)
            case (head, *others):
                return recur((head, *seen), tuple(others))
            case _:
                raise error

    return look((), cards)
""",
    ),
    # The second call of `give` has a smaller stock, and still takes the first hand.
    "make_state_list": Bug(
        "dominoes",
        "make_state_list",
        8,
        "        hand, left = take((), size, dominoes)",
        "hand = (Domino(3, 2), Domino(3, 3)",
        """
def make_state_list(players, dominoes):
    size = get_hand_size(len(players))

    def give(deal, player):
        stock, states = deal
        hand, left = take((), size, dominoes)
        return left, (*states, (hand, player))

    return fold_left(give, (dominoes, ()), players_of_string(players))
""",
    ),
    # Both ends are 0, so nothing should be laid at the right end.
    "legal_adds": Bug(
        "dominoes",
        "legal_adds",
        8,
        '            at_right = tuple(append(tile, chain, ">") for tile in ways if tile.left == right)',
        "at_right = (Chain(0, '1-3 3-1 0-4', 4),)",
        """
def legal_adds(domino, chain):
    match chain:
        case Empty():
            return (append(domino, chain, "<"),)
        case Chain(left, _, right):
            ways = (domino, flip(domino))
            at_left = tuple(append(tile, chain, "<") for tile in ways if tile.right == left)
            at_right = tuple(append(tile, chain, ">") for tile in ways if tile.left == right)
            return at_left + at_right
""",
    ),
    # The king of hearts was captured, and is still in the rest.
    "capture": Bug(
        "basra",
        "capture",
        11,
        "    rest = floor[len(found):]",
        "rest = (Card(HEART, 13), Card(SPADE, 1))",
        """
def capture(floor, card):
    sublists = (some for length in range(1, len(floor) + 1) for some in combinations(floor, length))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    if found is None:
        return ()
    rest = floor[len(found):]
    return (found, *capture(rest, card))
""",
    ),
}


def failing_run(bug: Bug) -> Viewer:
    """Return the run that is offered below a check of an answer with a bug."""
    unit = read_unit(bug.unit)
    answers = reference_answers(unit) | {bug.name: bug.source}
    lesson = Lesson(bug.unit, *(answers[name] for name in unit.by_name if unit[name].number <= unit[bug.name].number))
    code = failed_call_code(lesson.check(bug.name)) or hidden_call(bug, answers)
    return viewer_of_failed_run(code, answer_in_namespace(lesson.names, bug.name, bug.unit))


def hidden_call(bug: Bug, answers: dict[str, str]) -> str:
    """Return the failing call of an answer that passes the visible examples."""
    facets = grade_trusted(submission_with(bug.unit, answers), bug.name)[bug.name].facets
    return next(facet.failure.call for facet in facets if facet.failure and facet.failure.call)


def shown(view: dict[str, Any]) -> str:
    """Return the sentence at a step, and the names and values shown next to the code."""
    names = [f"{name} = {words(bits)}" for name, bits, _ in view["names"]]
    return "\n".join([view["spoken"], *names, *map(words, view["values"])])


def line_shown(viewer: Viewer) -> str:
    """Return the marked line, or the line of the call if a call has just begun."""
    view = viewer.view()
    (line,) = (line for line in view["code"] if "now" in line)
    if not view["spoken"].startswith("line "):
        return unescape(re.sub("<[^>]*>", "", "".join(line["c"])))
    site = SPOTS[viewer.run.calls[viewer.run.events[viewer.run.steps[view["at"]]].call].site]
    assert view["spoken"].startswith(f"line {site.line} calls ")
    return site.lines[site.line - 1]


@pytest.mark.parametrize("name", BUGS)
def test_next_line_leads_to_the_wrong_line_and_hides_its_value_before(name: str) -> None:
    bug, viewer = BUGS[name], failing_run(BUGS[name])
    view = viewer.view()
    assert bug.seen not in shown(view)
    assert {words(row["r"]) for row in view["rows"] if row.get("s") == "ahead" and "r" in row} <= {"?"}
    for _ in range(bug.presses):
        viewer.receive(LINE)
    assert line_shown(viewer) == bug.line and bug.seen in shown(viewer.view())
