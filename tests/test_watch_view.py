"""The view of a run: steps, the expression on paper, values that are odd, and what cannot be watched."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest

from course.dominoes import Domino
from course.effects import transcript
from course.functional import fold_left
from course.kernel.notebook import NotRight
from course.show.bits import code_of
from course.show.snapshots import SnapshotTaker
from course.show.widgets import pictures_in
from course.tables import try_tile, uno_table, watch_set
from course.watch import on_paper, watch
from course.watch.record import RunLimits, record
from course.watch.rewriting import PaperLines
from course.watch.run import State
from course.watch.viewer import AS_CALLS, ON_PAPER, Viewer, as_list
from course.watch.watching import CAN_BE_WATCHED, recorded_code, viewed, watched_code, why_unwatchable
from solutions import bots, dominoes, warmup
from solutions import uno as references
from tests.command import one_line_with
from tests.lesson import file_of_cell

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
    viewer = watched_code(call, NAMES)
    viewer.receive(["way", way])
    return viewer


def called(name: str, *args: object) -> Viewer:
    """Return the run of one of these functions with arguments that need no code."""
    return viewed(record(NAMES[name], args, NAMES, title=f"{name}(…)"), NAMES)


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
    viewer = watched_code(charged, WARMUP)
    assert {"card:joker", "card:3H"} <= pictures_in(viewer.view())
    assert as_list(viewer.run) == [
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
    assert "add(2, 0) continues with add(1, 2), and no call has to wait for it" in [view["spoken"] for view in views]
    shown = [[view["spoken"], view["values"], view["names"]] for view in views]
    assert "recur" not in json.dumps([shown, rows_of(viewer), as_list(viewer.run)])


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
    keeper.keep(shared)
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
    assert "▌ half(3) + …" in repr(Viewer(record(names["much"], (3,), names), ON_PAPER))


# ---------------------------------------------------------------------------------------------------- endings


def test_a_long_run_is_cut_and_says_so() -> None:
    run = record(WARMUP["riffles_to_restore"], (10_038,), WARMUP)
    assert (run.value, len(run.calls) < 5_000) == (10_036, True)
    assert "more steps were not recorded" in as_list(run)[-1]


def test_a_run_that_never_ends_is_stopped() -> None:
    ticks, names = iter(range(10**9)), learners("def endless():\n    while True:\n        pass")
    run = record(names["endless"], (), names, limits=RunLimits(clock=lambda: float(next(ticks))))
    assert run.state is State.STOPPED and "The run was stopped" in as_list(run)[-1]


def test_a_recursion_that_never_ends_is_shown() -> None:
    viewer = run_of("endless(0)")
    assert viewer.run.state is State.RAISED and isinstance(viewer.run.error, RecursionError)
    viewer.receive(["go", 10**6])
    assert "raises RecursionError" in said(viewer) and len(viewer.view()["rows"]) < 50


def test_an_exception_outside_of_functions_is_shown() -> None:
    lines = repr(run_of("double(1)\ndouble(2) / 0")).splitlines()
    assert lines[0] == "double(2) / 0 → raises ZeroDivisionError: division by zero"


def test_text_printed_in_a_script_is_recorded() -> None:
    run = recorded_code("transcript(greeted, typed=('Bo',))", NAMES, {"transcript": transcript, **NAMES})
    assert walked(viewed(run, {}))[-1]["printed"] == "Who? Hello, Bo\n"


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
    viewer = watched_code("penalties((Joker(), Face(QUEEN, SPADES)))", names)
    wrong = "penalty(Face(QUEEN, SPADES)) is the first call with a wrong result: expected 13"
    assert viewer.view()["first_wrong"] == wrong
    assert repr(viewer).startswith(f"{wrong}\npenalties((Joker(), Face(QUEEN, SPADES))) → (20,)")
    assert not watched_code("penalties((Joker(), Face(QUEEN, HEARTS)))", names).view()["first_wrong"]


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
    assert CAN_BE_WATCHED in why_unwatchable(warmup.charge, globals())
    assert why_unwatchable(warmup.charge, WARMUP) == why_unwatchable(fold_left, globals()) == ""
