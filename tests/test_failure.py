"""What came of a call that failed, as one line, and where two texts differ."""

from __future__ import annotations

import pytest

from course.compared import compared, text_of
from course.failure import CALLED, GAVE, PRINTED, RAISED, SLOW, Failure

TOLD = {
    "f(1) gave 2, expected 3": Failure("f(1)", GAVE, "2", "3"),
    "f(1) gave [2], expected (2,) (a tuple, not a list)": Failure("f(1)", GAVE, "[2]", "(2,)", "a tuple, not a list"),
    "f(1) gave 2: it is no card": Failure("f(1)", GAVE, "2", remark="it is no card"),
    "x = 1; f(x) gave 2, expected 3": Failure("f(x)", GAVE, "2", "3", setup=("x = 1",)),
    "f(1) took too long": Failure("f(1)", SLOW, wanted="3"),
    "f: it never ends": Failure(words="f: it never ends"),
    "f(1) called g(1), expected g(2)": Failure("f(1)", CALLED, "g(1)", "g(2)"),
    "f(1) raised E: no (line 2 of the cell of f), expected 3": Failure(
        "f(1)", RAISED, "no", "3", error="E", label="f", line=2
    ),
    "f(1) printed, in line 2, 'a\\t', expected nothing more": Failure("f(1)", PRINTED, "a\t", row=2),
    "f(1) raised E, as expected, but printed, in line 1, stopped, expected ''": Failure(
        "f(1)", PRINTED, None, "", error="E", row=1
    ),
}


@pytest.mark.parametrize("told", TOLD)
def test_a_failure_is_one_line(told: str) -> None:
    assert str(TOLD[told]) == told


def test_a_call_is_never_cut_and_what_was_expected_is_never_lost() -> None:
    cards = ", ".join(f"Card({number})" for number in range(200))
    told = str(Failure(f"f(({cards}))", GAVE, f"({cards}, 1)", f"({cards}, 2)"))
    assert told.startswith(f"f(({cards})) gave …") and ", 1), expected …" in told and told.endswith(", 2)")


CAUSES = [
    (
        Failure("f(1)", RAISED, "no 1", "3", error="E", label="f", line=2),
        Failure("f(2)", RAISED, "no 2", "4", error="E", label="f", line=2),
    ),
    (Failure("f(1)", GAVE, "None", "3"), Failure("f(2)", GAVE, "None", "4")),
    (
        Failure("f(1)", GAVE, "[]", "()", "a tuple, not a list"),
        Failure("f(2)", GAVE, "([],)", "((),)", "at [0] a tuple, not a list"),
    ),
    (Failure("f(1)", "took too long"), Failure("f(2)", "took too long")),
]


@pytest.mark.parametrize(("one", "other"), CAUSES)
def test_failures_of_one_cause_are_known_as_such(one: Failure, other: Failure) -> None:
    assert one.cause and one.cause == other.cause


def test_wrong_values_have_no_known_cause_and_other_lines_are_other_causes() -> None:
    assert Failure("f(1)", GAVE, "2", "3").cause == ()
    assert len({one.cause for one, _ in CAUSES}) == len(CAUSES)


def test_what_is_cut_is_cut_around_the_difference() -> None:
    one, other = compared("x, " * 100 + "1" + ", y" * 100, "x, " * 100 + "2" + ", y" * 100, 60)
    assert [piece.text for piece in one if piece.differs] == ["1"]
    assert len(text_of(one)) <= 60 >= len(text_of(other))


def test_where_nothing_is_shared_nothing_is_marked() -> None:
    assert not any(piece.differs for pieces in compared("None", "(Chain(5, '5-6', 6),)", 80) for piece in pieces)
