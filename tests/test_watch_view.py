"""The view of a run: steps, and the expression on paper."""

from __future__ import annotations

import json
import linecache
import math
import re
from functools import partial
from typing import Any

import pytest

from course import uno
from course.diagnoses.failure import GAVE, Failure
from course.dominoes import Domino
from course.effects import transcript
from course.functional import compose, fold_left, fold_right, recur, tail_recursive
from course.kernel.notebook import NotRight
from course.learner.answer import answer_among
from course.learner.offering import failed_code, failed_run
from course.show.bits import code_of
from course.show.results import BAD, Part, Result
from course.show.widgets import pictures_in
from course.tables import try_tile, uno_table, watch_set
from course.uno import CLOCKWISE, RED, Crd, Desk, Num, Proceed, Wild, false_strategy
from course.warmup import HEARTS, Joker, Number, Player
from course.watch import on_paper, watch
from course.watch.record import record
from course.watch.rewriting import PaperLines
from course.watch.run import State
from course.watch.viewer import ON_PAPER, Viewer
from course.watch.watching import CAN_BE_WATCHED, recorded_code, viewed, watched_code, why_unwatchable
from solutions import bots, dominoes, warmup
from solutions import uno as references
from tests.command import one_line_with

WARMUP, DOMINOES = vars(warmup), vars(dominoes)
CHARGED = (Player("Ann", (), 0), (Joker(), Number(3, HEARTS)))


def total(items: Any) -> int:
    match items:
        case ():
            return 0
        case (first, *rest):
            return first + total(tuple(rest))  # type: ignore[no-any-return]
    raise ValueError(items)


def counted(n: int) -> int:
    @tail_recursive
    def add(n: int, so_far: int) -> int:
        return so_far if n == 0 else recur(n - 1, so_far + n)

    return add(n, 0)


def summed(n: int, so_far: int) -> int:
    return so_far if n == 0 else summed(n - 1, so_far + n)


def minus(a: int, b: int) -> int:
    return a - b


def double(n: int) -> int:
    return 2 * n


def both(n: int) -> int:
    doubled = compose(double, double)(n)
    return 1 + doubled


def large(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for n in numbers if n > 2)


def endless(n: int) -> int:
    return endless(n + 1)


def lines(viewer: Viewer) -> list[str]:
    return viewer.static_view["text/plain"].splitlines()


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


# ---------------------------------------------------------------------------------------------------- on paper


ON_PAPER_LINES: list[tuple[Any, tuple[Any, ...], list[str]]] = [
    (
        total,
        ((1, 2, 3),),
        [
            "total((1, 2, 3))",
            "▌ 1 + total((2, 3))",
            "▌▌ 1 + (2 + total((3,)))",
            "▌▌▌ 1 + (2 + (3 + total(())))",
            "▌▌▌ 1 + (2 + (3 + 0))",
            "▌▌ 1 + (2 + 3)",
            "▌ 1 + 5",
            "6",
        ],
    ),
    (counted, (3,), ["counted(3)", "add(3, 0)", "add(2, 3)", "add(1, 5)", "add(0, 6)", "6"]),
    (summed, (2, 0), ["summed(2, 0)", "summed(1, 2)", "summed(0, 3)", "3"]),
    (
        fold_left,
        (minus, 0, (1, 2, 3)),
        [
            "fold_left(minus, 0, (1, 2, 3))",
            "▌▌ minus(minus(minus(0, 1), 2), 3)",
            "▌ minus(minus(-1, 2), 3)",
            "minus(-3, 3)",
            "-6",
        ],
    ),
    (
        fold_right,
        (minus, 0, (1, 2, 3)),
        [
            "fold_right(minus, 0, (1, 2, 3))",
            "▌▌ minus(1, minus(2, minus(3, 0)))",
            "▌ minus(1, minus(2, 3))",
            "minus(1, -1)",
            "2",
        ],
    ),
]


@pytest.mark.parametrize(("function", "args", "expected"), ON_PAPER_LINES)
def test_on_paper_a_call_is_rewritten_and_its_pending_work_piles_up(
    function: Any, args: tuple[Any, ...], expected: list[str]
) -> None:
    assert lines(on_paper(function, *args)) == expected


def test_on_paper_a_step_leads_to_the_next_line() -> None:
    viewer = on_paper(total, (1, 2))
    for step in (1, 1, 1, -1):
        viewer.receive(["by", step])
    assert [words(line["b"]) for line in viewer.view()["paper"]] == [
        "total((1, 2))",
        "1 + total((2,))",
        "1 + (2 + total(()))",
    ]


# ---------------------------------------------------------------------------------------------------- the walk


@pytest.mark.parametrize("call", ["total((1, 2, 3))", "counted(30)", "both(2)", "large((1, 2, 3))", "total((1, 'a'))"])
def test_each_step_of_a_run_can_be_shown_in_both_ways(call: str) -> None:
    for way in ("calls", ON_PAPER):
        viewer = watched_code(call, globals())
        viewer.receive(["way", way])
        last = walked(viewer)[-1]
        assert last["at"] == last["last"] if way == "calls" else last["paper"]


def test_items_of_a_comprehension_are_shown() -> None:
    found = walked(watch(large, (1, 3)))
    assert [words(each) for each in found[-2]["rounds"]] == ["n = 1; left out", "n = 3; kept → 3"]


def test_the_matched_case_is_shown_with_its_names() -> None:
    viewer = watch(total, (7,))
    viewer.receive(["by", 1])
    assert said(viewer) == "case (first, *rest) matches, with first = 7, rest = []"
    assert [line["n"] for line in viewer.view()["code"] if "off" in line], "the case that did not fit is passed over"


def test_docstring_is_left_out_of_the_code() -> None:
    names = learners('def half(n):\n    """Return half.\n\n    Of n."""\n    return n // 2')
    assert [line["n"] for line in watched_code("half(4)", names).view()["code"]] == [2, 6]


def test_cards_and_tiles_are_seen_as_pictures() -> None:
    assert {"card:joker", "card:3H"} <= pictures_in(Viewer(record(WARMUP["charge"], CHARGED, WARMUP)).view())


def test_long_parts_are_folded_and_can_be_unfolded() -> None:
    viewer = watch(counted, 500)
    assert len(rows_of(viewer)) < 30 and "more calls" in " ".join(rows_of(viewer))
    viewer.receive(["whole"])
    assert 100 < len(rows_of(viewer)) < 200
    viewer.receive(["whole"])
    assert len(rows_of(viewer)) > 500 and "more calls" not in " ".join(rows_of(viewer))


def test_a_deep_recursion_is_folded() -> None:
    viewer = watch(total, tuple(range(100)))
    viewer.receive(["call", 90])
    depths = [row["d"] for row in viewer.view()["rows"]]
    assert len(depths) < 40 and max(depths) < 40 and "more calls" in " ".join(rows_of(viewer))


def rows_of(viewer: Viewer) -> list[str]:
    return [f"{words(row['b'])} → {words(row.get('r', ()))}" for row in viewer.view()["rows"]]


def test_an_answer_is_hidden_until_its_call_is_over_or_all_are_shown() -> None:
    viewer = watch(total, (1, 2))
    for action, results in (
        (["answers"], "320"),
        (["answers"], "???"),
        (["go", 0], "???"),
        (["call", 3], "???"),
        (["call", 3], "??0"),
        (["go", 10**6], "320"),
    ):
        viewer.receive(action)
        calls = zip(("total((1, 2))", "total((2,))", "total(())"), results, strict=True)
        assert rows_of(viewer) == [f"{call} → {result}" for call, result in calls], action


def changed_names(view: dict[str, Any]) -> list[str]:
    return [f"{name} = {words(bits)}" for name, bits, is_changed in view["names"] if is_changed]


def test_what_a_step_changes_is_marked_with_what_it_was() -> None:
    begun = [
        changed_names(view)
        for view in walked(watch(counted, 2))
        if any(part in words(view["said"]) for part in (" is called", " calls ", "the next round: "))
    ]
    assert begun == [
        [],
        [],
        ["n = 1 (was 2)", "so_far = 2 (was 0)"],
        ["n = 0 (was 1)", "so_far = 3 (was 2)"],
    ]
    assert changed_names(walked(watch(both, 2))[-2]) == ["doubled = 8"]


def test_a_tail_call_is_told_by_the_name_of_its_function() -> None:
    viewer = watch(counted, 2)
    views = walked(viewer)
    assert "add(2, 0) continues with add(1, 2), and no call has to wait for it" in [
        words(view["said"]) for view in views
    ]
    shown = [[words(view["said"]), view["values"], view["names"]] for view in views]
    assert "recur" not in json.dumps([shown, rows_of(viewer), lines(viewer)])


def test_a_long_value_is_cut_within_its_parts() -> None:
    hand = tuple(Domino(n, n) for n in range(9))
    assert code_of((hand, hand, "end"), 80) == (
        "((Domino(0, 0), Domino(1, 1), … 7 more), (Domino(0, 0), Domino(1, 1), … 7 more), 'end')"
    )


def test_deep_paper_leaves_out_levels_and_keeps_its_inside() -> None:
    run = record(total, (tuple(range(1_000, 1_100)),), globals())
    deepest = max(PaperLines(run).steps, key=lambda step: PaperLines(run).line(step).waiting)
    text = PaperLines(run).line(deepest).text
    assert "1000 + (1001 + (" in text and "…" in text and text.rstrip(")").endswith("total((")


def joined(texts: tuple[str, ...]) -> str:
    return texts[0] + joined(texts[1:]) if texts else ""


def test_paper_repeats_no_long_values() -> None:
    texts = tuple(f"{letter * 55}" for letter in "abcdefghijklmn")
    sheets = PaperLines(record(joined, (texts,), globals()))
    shown = [sheets.line(step).text for step in sheets.steps]
    assert max(map(len, shown)) > 700 and all(text.count(f"'{each}'") <= 1 for text in shown for each in texts)


# ---------------------------------------------------------------------------------------------------- a verdict


def learners(source: str, unit: str = "warmup") -> dict[str, Any]:
    """Return a namespace of a unit with a learner's code in it."""
    names: dict[str, Any] = {"__name__": "learner"}
    source = f"from course.{unit} import *\n{source}"
    linecache.cache["<a cell>"] = (len(source), None, source.splitlines(keepends=True), "<a cell>")
    exec(compile(source, "<a cell>", "exec", dont_inherit=True), names)
    return names


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


def test_the_first_call_that_differs_from_the_reference_is_marked() -> None:
    names = learners(QUEEN_FORGOTTEN)
    viewer = watched_code("penalties((Joker(), Face(QUEEN, SPADES)))", names)
    first_wrong, rows = viewer.view()["first_wrong"], viewer.view()["rows"]
    assert repr(viewer).startswith(f"{first_wrong}\npenalties((Joker(), Face(QUEEN, SPADES))) → (20,)")
    assert first_wrong.startswith("penalty(Face(QUEEN, SPADES)) is the first") and first_wrong.endswith("expected 13")
    assert not any("m" in row for row in rows), "what is expected would tell an answer that is ahead"
    viewer.receive(["go", 10**6])
    assert [row["m"] for row in viewer.view()["rows"] if "m" in row] == [["expected ", ["13", "code"]]]
    assert not watched_code("penalties((Joker(), Face(QUEEN, HEARTS)))", names).view()["first_wrong"]


WITHOUT_CONDITION = QUEEN_FORGOTTEN.replace(" if cost > 0", "")
CALLS_THAT_DIFFER = {
    "penalties((Joker(), Number(1, CLUBS), Number(7, HEARTS)))": (
        (WITHOUT_CONDITION, "warmup"),
        [["(20, ", "code"], ["0, ", "differs"], ["7)", "code"]],
        ["expected ", ["(20, 7)", "code"]],
    ),
    "penalty(Face(QUEEN, SPADES))": (
        (WITHOUT_CONDITION, "warmup"),
        [["0", "code"]],
        ["expected ", ["13", "code"]],
    ),
    "flip(Domino(2, 5))": (
        ("def flip(domino):\n    return domino", "dominoes"),
        [["Domino(2, 5)", "differs", "tile:2-5", "tile two five"]],
        ["expected ", ["Domino(", "code"], ["5, 2", "differs"], [")", "code"]],
    ),
}


@pytest.mark.parametrize("call", CALLS_THAT_DIFFER)
def test_only_what_differs_from_the_expected_result_is_marked(call: str) -> None:
    code, result, mark = CALLS_THAT_DIFFER[call]
    viewer = watched_code(call, learners(*code))
    viewer.receive(["go", 10**6])
    assert [(row["r"], row["m"]) for row in viewer.view()["rows"] if "m" in row] == [(result, mark)]


def test_a_failed_check_leads_to_the_run_of_its_smallest_failing_call() -> None:
    failure = Failure("penalties(hand)", GAVE, "(20,)", "(20, 13)", setup=("hand = (Joker(), Face(QUEEN, SPADES))",))
    code = failed_code(Result("penalties", BAD, "wrong", (Part(BAD, "", failure),)))
    viewer = failed_run(code, answer_among(learners(QUEEN_FORGOTTEN), "penalties", "warmup"))
    assert ([call.name for call in viewer.run.calls[1:]], viewer.run.value) == (
        ["penalties", "penalty", "penalty"],
        (20,),
    )


def greeted() -> str:
    name = input("Who? ")
    print("Hello,", name)
    return name


def test_an_exception_outside_of_functions_is_shown() -> None:
    lines = repr(watched_code("double(1)\ndouble(2) / 0", globals())).splitlines()
    assert lines[0] == "double(2) / 0 → raises ZeroDivisionError: division by zero"


def test_text_printed_in_a_script_is_recorded() -> None:
    run = recorded_code("transcript(greeted, typed=('Bo',))", globals(), {"transcript": transcript, **globals()})
    assert walked(viewed(run, {}))[-1]["printed"] == "Who? Hello, Bo\n"


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
    names.update(DOMINOES | names)
    table = try_tile(names=names)
    for action in (["pick", 8], ["why"]):
        table.receive(action, table.revision)
    table.receive(["watched", "go", 2], -1)
    assert "raises ValueError: no" in words(table.view()["run"]["said"])


def test_a_move_that_asks_the_person_can_be_watched_next_to_the_references() -> None:
    table = uno_table(bots=1, names=vars(references), seed=1)
    assert "Choose a card to play." in table.view()["status"]
    table.receive(["why"], table.revision)
    assert table.view()["run"]["title"] == "the move"


BOTS = vars(bots)


@pytest.mark.parametrize("actions", [[], ["run"], ["next"], ["next", "run", "stop"], ["run", *["tick"] * 12, "stop"]])
def test_a_move_of_a_bot_can_be_watched(actions: list[str]) -> None:
    table = watch_set(bots.smart_player, bots.stupid_player, names=BOTS)
    for action in (*actions, "why"):
        table.receive([action], table.revision)
    player, question, _, _ = table.state.questions[table.state.number]
    called = getattr(table.state.bots[player], question).__name__
    assert [words(row["b"]).split("(")[0] for row in table.view()["run"]["rows"]][:2] == ["the move", called]


def test_a_move_without_functions_of_the_learner_says_so_in_plain_words() -> None:
    table = watch_set(bots.smart_player, bots.stupid_player, names={})
    table.receive(["why"], table.revision)
    message = "There are no steps to show: this move calls no function that you wrote in this notebook."
    assert table.view()["note"]["text"] == message


# ---------------------------------------------------------------------------------------------------- bad input


class Hand:
    """A class, which cannot be watched."""


WATCH_CODE = partial(watched_code, names=globals())


UNWATCHABLE: list[tuple[Any, Any, str]] = [
    (watch, "total", "without quotes"),
    (watch, 3, "pass the function"),
    (watch, Hand, "`Hand` cannot be watched"),
    (watch, math.sqrt, "`sqrt` cannot be watched"),
    (watch, json.dumps, "`dumps` cannot be watched"),
    (WATCH_CODE, "nothing(3)", "`nothing` is not defined"),
    (WATCH_CODE, "1 + 1", "no function of yours"),
    (WATCH_CODE, "x = 1", "a call below"),
    (WATCH_CODE, "1 +", "Python cannot read this"),
    (WATCH_CODE, "await double(1)", "Python cannot read this"),
    (WATCH_CODE, "return 1\ndouble(1)", "Python cannot read this"),
]


@pytest.mark.parametrize(("way", "thing", "message"), UNWATCHABLE)
def test_unwatchable_values_and_code_get_one_line(way: Any, thing: Any, message: str) -> None:
    with pytest.raises(NotRight, match=one_line_with(message)):
        way(thing)


def test_code_with_a_number_that_python_does_not_write_is_watched() -> None:
    huge = f"0x{'f' * 5_000}"
    assert watched_code(f"double({huge})", globals()).run.title == "double(…)"
    names = learners(f"def half(n):\n    return n\n\n\ndef much(n):\n    return half(n) + {huge}")
    assert "▌ half(3) + …" in repr(Viewer(record(names["much"], (3,), names), ON_PAPER))


def test_reference_functions_are_distinguished_from_own_ones() -> None:
    assert CAN_BE_WATCHED in why_unwatchable(warmup.charge, globals())
    assert why_unwatchable(warmup.charge, WARMUP) == why_unwatchable(fold_left, globals()) == ""


def test_a_recursion_that_never_ends_is_shown() -> None:
    viewer = watch(endless, 0)
    assert viewer.run.state is State.RAISED and isinstance(viewer.run.error, RecursionError)
    viewer.receive(["go", 10**6])
    assert "raises RecursionError" in said(viewer) and len(viewer.view()["rows"]) < 50


def refused(number: int, error: Exception) -> int:
    if number < 0:
        raise error
    return number


def test_an_exception_is_code_as_an_argument_and_a_message_when_raised() -> None:
    viewer = watch(refused, -1, ValueError("below 0"))
    assert rows_of(viewer) == ["refused(-1, ValueError('below 0')) → ?"]
    viewer.receive(["go", 10**6])
    assert (rows_of(viewer), rows_of(watch(refused, 1, IndexError()))) == (
        ["refused(-1, ValueError('below 0')) → raises ValueError: below 0"],
        ["refused(1, IndexError()) → ?"],
    )


def seen(desk: Desk) -> Desk:
    return desk


def test_a_desk_is_shown_with_each_of_its_players() -> None:
    cards, names = (*(Crd(Num(n), RED) for n in range(10)), Wild()) * 7, ["Ann", "Ben", "Cem", "Dia"]
    players = tuple(uno.Player(name, cards[:7], false_strategy, False) for name in names)
    viewer = watch(seen, Desk(players, cards[:1], cards, Proceed(), CLOCKWISE, ()))
    ((_, bits, _),) = viewer.view()["names"]
    assert words(bits).endswith("Proceed(), CLOCKWISE, ())") and words(bits).count("false_strategy, False)") == 4
    viewer.receive(["line", 1])
    for text in (words(bits), said(viewer)):
        assert [*dict.fromkeys(re.findall(r"Player\('(\w+)', \(Crd\(Num\(0\), RED\), ", text))] == names


def helped(numbers: tuple[int, ...]) -> int:
    def step(so_far: int, number: int) -> int:
        return so_far + number

    return fold_left(step, 0, numbers)


def test_the_next_line_goes_into_each_call_of_a_local_helper_and_back() -> None:
    viewer = watch(helped, (3, 4))
    texts = [
        "helped((3, 4)) is called",
        "step(0, 3) is called",
        "step(0, 3) returns 3",
        "step(3, 4) is called",
        "step(3, 4) returns 7",
        "helped((3, 4)) returns 7",
    ]
    steps = [(0, texts[0]), *((1, text) for text in [*texts[1:], texts[-1]]), *((-1, text) for text in texts[-2::-1])]
    for step, text in steps:
        viewer.receive(["line", step])
        assert said(viewer) == text


def test_a_huge_value_is_cut() -> None:
    viewer = watch(double, "x" * 10_000_000)  # type: ignore[arg-type]
    assert len(json.dumps(viewer.view())) < 20_000 and len(repr(viewer)) < 5_000
