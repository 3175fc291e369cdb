"""Predictions: asked before the result is shown, acknowledged whether right or wrong, and never marked."""

from __future__ import annotations

from typing import Any

import pytest

from course.learner.predicting import AN_ERROR, HELD, MISSED, outcome_of, predict, prediction_of

SPENT = "letters = map(str.upper, 'ab')\ntuple(letters), tuple(letters)"
QUESTION = prediction_of(SPENT, ("(('A', 'B'), ('A', 'B'))", "(('A', 'B'), ())", AN_ERROR), "It gives once.")
WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.mark.parametrize(
    ("source", "result"),
    [
        (SPENT, "(('A', 'B'), ())"),
        ("print(1)\nlen('abc')", "1\n3"),
        ("print(1)", "1"),
        ("print(1)\n1 / 0", "1\nZeroDivisionError: division by zero"),
    ],
)
def test_predicted_results_are_computed_and_printed_text_comes_first(source: str, result: str) -> None:
    assert outcome_of(source)[0] == result


def test_an_exception_is_a_result_like_any_other() -> None:
    assert prediction_of("print(1)\n1 / 0", ("1", AN_ERROR), "").right == 1 and QUESTION.right == 1


def test_nothing_is_shown_before_an_answer() -> None:
    question = predict("6 * 7", "41", "42", why="Because.")
    bundle = question._repr_mimebundle_()
    assert "Because" not in repr(question) + str(bundle) and WIDGET not in bundle


@pytest.mark.parametrize(
    ("letter", "greeting"),
    [("b", HELD), ("A", MISSED), ("x", "Answer with a letter from A to B."), (2, "Answer with a letter from A to B.")],
)
def test_without_a_widget_the_letter_of_a_choice_is_added(letter: Any, greeting: str) -> None:
    reply = predict("6 * 7", "41", "42", why="Because.", answer=letter).plain
    assert greeting in reply and ("The result is:" in reply and "Because." in reply) == (letter in ("b", "A"))


def test_the_browser_gets_the_result_only_after_the_first_answer() -> None:
    widget = prediction_of("6 * 7", ("41", "42"), "Because.").widget()
    assert "Because" not in str(widget.get_state()) and widget.reply_html == ""
    replies = []
    for letter in ("A", "B"):
        widget._handle_custom_msg({"answers": [letter]}, [])
        replies.append(widget.reply_html)
    assert [text for text in (MISSED, "42", "Because.") if text not in replies[0]] == [] and replies[0] == replies[1]
