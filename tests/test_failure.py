"""Failed calls as one line, and the positions where two texts differ."""

from __future__ import annotations

from html import escape

import pytest
from msgspec import json

from course.diagnoses.compared import compared, pieces_text
from course.diagnoses.failure import (
    CALLED,
    CHANGED,
    GAVE,
    PRINTED,
    RAISED,
    SLOW,
    ExpectedException,
    Failure,
    OtherKind,
    SimilarKind,
    UnnamedCell,
)
from course.show.blocks import Rows, as_html, as_text
from course.show.failed import failure_elements

LISTED = OtherKind(SimilarKind.TUPLE, SimilarKind.LIST)
LINES = {
    "f(1) returned 2, expected 3": Failure("f(1)", GAVE, "2", "3"),
    "f(1) returned [2], expected (2,) (a tuple, not a list)": Failure("f(1)", GAVE, "[2]", "(2,)", LISTED),
    "f(1) returned 2: it is no card": Failure("f(1)", GAVE, "2", remark="it is no card"),
    "x = 1; f(x) returned 2, expected 3": Failure("f(x)", GAVE, "2", "3", setup=("x = 1",)),
    "f(1) took too long": Failure("f(1)", SLOW, wanted="3"),
    "f: it never ends": Failure(words="f: it never ends"),
    "f(1) called g(1), expected g(2)": Failure("f(1)", CALLED, "g(1)", "g(2)"),
    "f([1]) ended with the argument [], expected [1]": Failure("f([1])", CHANGED, "[]", "[1]"),
    "f([1]) ended with the argument [1]: that is not right": Failure(
        "f([1])", CHANGED, "[1]", remark="that is not right"
    ),
    "f(1) raised E: no (line 2 of the cell of f), expected 3": Failure(
        "f(1)", RAISED, "no", "3", error="E", label="f", line=2
    ),
    "f(1) printed 'a\\t' in line 2, expected nothing more": Failure("f(1)", PRINTED, "a\t", row=2),
    "f(1) raised E, as expected, but printed nothing in line 1, expected ''": Failure(
        "f(1)", PRINTED, None, "", error="E", row=1
    ),
    "f(1) returned 2, expected E to be raised": Failure("f(1)", GAVE, "2", ExpectedException("E")),
    "f(1) raised E (line 2 of cell [4]), expected F('no') to be raised": Failure(
        "f(1)", RAISED, "", ExpectedException("F('no')"), error="E", label=UnnamedCell(4), line=2
    ),
    "f(1) returned ((),), expected (2,) (at [0] an integer, not a tuple)": Failure(
        "f(1)", GAVE, "((),)", "(2,)", OtherKind(SimilarKind.INTEGER, SimilarKind.TUPLE, "[0]")
    ),
}


def test_a_long_call_is_one_row_and_unfolds_to_all_of_it() -> None:
    setup = ("def same(card):\n    return card", f"hand = {tuple(range(60))}", "names = 'Ada', 'Alan'")
    call = f"play(hand, {', '.join(f'names[{k}]' for k in range(40))})"
    failure = Failure(setup=setup, call=call, did=GAVE, seen="1", wanted="2")
    shown = [each for each in failure_elements(failure) if isinstance(each, Rows)]
    rows = {row.label: pieces_text(row.pieces) for each in shown for row in each.rows}
    assert max(map(len, rows.values())) <= 68 and rows["first"].startswith("def same(…): …; hand = ")
    markup, text = as_html(failure_elements(failure)), as_text(failure_elements(failure))
    assert "<details>" in markup and escape("\n".join(setup)) in markup and call in markup
    assert max(map(len, text.splitlines())) <= 80 and "play(hand, names[0]" in text and "def same(…): …" in text


@pytest.mark.parametrize("line", LINES)
def test_a_failure_is_one_line_and_loads_as_an_equal_value(line: str) -> None:
    assert (str(LINES[line]), json.decode(json.encode(LINES[line]), type=Failure)) == (line, LINES[line])


def test_a_call_is_never_cut_and_what_was_expected_is_never_lost() -> None:
    cards = ", ".join(f"Card({number})" for number in range(200))
    line = str(Failure(f"f(({cards}))", GAVE, f"({cards}, 1)", f"({cards}, 2)"))
    assert line.startswith(f"f(({cards})) returned …") and ", 1), expected …" in line and line.endswith(", 2)")


CAUSES = [
    (
        Failure("f(1)", RAISED, "no 1", "3", error="E", label="f", line=2),
        Failure("f(2)", RAISED, "no 2", "4", error="E", label="f", line=2),
    ),
    (Failure("f(1)", GAVE, "None", "3"), Failure("f(2)", GAVE, "None", "4")),
    (
        Failure("f(1)", GAVE, "[]", "()", LISTED),
        Failure("f(2)", GAVE, "([],)", "((),)", OtherKind(SimilarKind.TUPLE, SimilarKind.LIST, "[0]")),
    ),
    (Failure("f(1)", "took too long"), Failure("f(2)", "took too long")),
]


@pytest.mark.parametrize(("one", "other"), CAUSES)
def test_failures_of_one_cause_are_known_as_such(one: Failure, other: Failure) -> None:
    assert one.cause and one.cause == other.cause


def test_wrong_values_have_no_known_cause_and_other_lines_are_other_causes() -> None:
    assert (Failure("f(1)", GAVE, "2", "3").cause, len({one.cause for one, _ in CAUSES})) == ((), len(CAUSES))


def test_long_texts_are_cut_around_the_difference() -> None:
    one, other = compared("x, " * 100 + "1" + ", y" * 100, "x, " * 100 + "2" + ", y" * 100, 60)
    assert [piece.text for piece in one if piece.differs] == ["1"]
    assert len(pieces_text(one)) <= 60 >= len(pieces_text(other))


def test_where_nothing_is_shared_nothing_is_marked() -> None:
    assert not any(piece.differs for pieces in compared("None", "(Chain(5, '5-6', 6),)", 80) for piece in pieces)
