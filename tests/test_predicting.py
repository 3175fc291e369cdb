"""Predictions: asked before the result is shown, acknowledged whether right or wrong, and never marked."""

from __future__ import annotations

import pytest

from course.learner.predicting import AN_ERROR, HELD, MISSED, outcome_of, predict, prediction_of

SPENT = "letters = map(str.upper, 'ab')\ntuple(letters), tuple(letters)"


@pytest.mark.parametrize(
    ("source", "result", "wrong", "right"),
    [
        (SPENT, "(('A', 'B'), ())", "(('A', 'B'), ('A', 'B'))", "(('A', 'B'), ())"),
        ("print(1)\nlen('abc')", "1\n3", "3", "1\n3"),
        ("print(1)", "1", "None", "1"),
        ("print(1)\n1 / 0", "1\nZeroDivisionError: division by zero", "1", AN_ERROR),
    ],
)
def test_results_are_computed_with_printed_text_first(source: str, result: str, wrong: str, right: str) -> None:
    assert (outcome_of(source)[0], prediction_of(source, (wrong, right), "").right) == (result, 1)


def test_nothing_is_shown_before_the_first_answer() -> None:
    question = predict("6 * 7", "41", "42", why="Because.")
    assert question and "Because" not in repr(question) + str(question._repr_mimebundle_())
    widget = question.widget()
    assert "Because" not in str(widget.get_state()) and widget.reply_html == ""
    replies = []
    for letter in ("A", "B"):
        widget._handle_custom_msg({"answers": [letter]}, [])
        replies.append(widget.reply_html)
    assert [text for text in (MISSED, "42", "Because.") if text not in replies[0]] == [] and replies[0] == replies[1]


@pytest.mark.parametrize(
    ("letter", "greeting"), [("b", HELD), ("A", MISSED), ("x", "Answer with a letter from A to B.")]
)
def test_each_letter_of_a_choice_has_a_reply(letter: str, greeting: str) -> None:
    assert greeting in str(prediction_of("6 * 7", ("41", "42"), "").reply(letter))
