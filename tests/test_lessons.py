"""Rules of the lessons: little to read at first, much to try, questions before answers, and all is taught in time."""

from __future__ import annotations

import re
import shutil
from base64 import b64decode
from functools import cache
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from textwrap import dedent
from typing import Any

import nbformat
import pytest

from autograder.prove.answers import messages_if_waiting
from autograder.prove.laws import needed_forms_and_words, prove_lessons, snippets_in, syntax_forms_and_words_in
from autograder.submission.reading import grade_id
from autograder.units import pack as packs
from autograder.units.build import QUESTION_COMMENT, built_notebook, source_notebook, with_pictures
from autograder.units.pack import UnitError
from autograder.units.pages import (
    effort_line,
    given_names,
    heading_anchor,
    reference_section,
    rules_of_notebook,
    stars,
    type_names,
    unit_effort_line,
)
from course.kernel import catalogue
from course.learner.predicting import ERROR_CHOICE, PosedQuestion, prediction_question
from course.show.results import BAD, GOOD, estimated_minutes
from tests.classroom import reference_answers
from tests.lesson import Lesson, value_of_cell
from tests.sample import one_in
from tests.sealed import read_sealed
from tests.units import WAR, read_unit, unit_names

UNITS = unit_names()
MOST_WORDS, MOST_EXERCISES, FEWEST_PREDICTIONS, QUESTIONS = 300, 6, 3, 3
MOST_VISIBLE, MOST_IN_ALL = 400, 900  # words before the first check
WORD = re.compile(r"\w+(?:['’.-]\w+)*")


@cache
def cells(unit: str) -> tuple[Any, ...]:
    return tuple(source_notebook(read_unit(unit)).cells)


@cache
def lessons(unit: str) -> str:
    return "\n\n".join(cell.source for cell in cells(unit) if cell.cell_type == "markdown")


@cache
def predictions(unit: str) -> tuple[PosedQuestion, ...]:
    """Return the predictions that the cells of a unit ask for."""
    calls = [cell.source.removeprefix(QUESTION_COMMENT) for cell in cells(unit) if "\npredict(" in cell.source]
    names = {"predict": lambda code, *choices, why: prediction_question(dedent(code).strip("\n"), choices, why, unit)}
    return tuple(eval(call, names) for call in calls)


@pytest.mark.parametrize("unit", UNITS)
def test_at_most_six_exercises_in_a_row_have_nothing_to_try(unit: str) -> None:
    row = longest = 0
    names = read_unit(unit).by_name
    for cell in cells(unit):
        name = grade_id(cell)
        row = row + 1 if name in names else 0 if cell.cell_type == "code" and not name else row
        longest = max(row, longest)
    assert 0 < longest <= MOST_EXERCISES


@pytest.mark.parametrize("unit", UNITS)
def test_each_prediction_has_one_answer_that_holds_and_a_reason(unit: str) -> None:
    assert len(predictions(unit)) >= FEWEST_PREDICTIONS
    for each in predictions(unit):
        assert each.right is not None and each.why, each
        assert (each.result in each.choices) == (each.choices[each.right] != ERROR_CHOICE), each


@pytest.mark.parametrize("unit", UNITS)
def test_questions_are_folded_since_they_contain_the_reason(unit: str) -> None:
    asking = [cell for cell in cells(unit) if "\npredict(" in cell.source]
    assert all(
        cell.metadata["jupyter"]["source_hidden"] and cell.source.startswith(QUESTION_COMMENT) for cell in asking
    )
    folded = [cell for cell in cells(unit) if "source_hidden" in cell.metadata.get("jupyter", {})]
    assert [cell for cell in folded if cell.id != "start-install"] == asking


def test_the_position_of_the_right_choice_reveals_nothing() -> None:
    positions = [each.right for unit in UNITS for each in predictions(unit)]
    assert all(positions.count(position) > len(positions) / 6 for position in range(3))


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_has_three_folded_questions_and_ends_with_its_ideas(unit: str) -> None:
    (opening,) = (cell.source for cell in cells(unit) if cell.source.startswith("**Before you go on"))
    assert opening.count("<details><summary>") == opening.count("</details>") == QUESTIONS
    assert "## What you know now" in lessons(unit) and re.search("## (Go further|Beyond)", lessons(unit))


@pytest.mark.parametrize("unit", UNITS)
def test_an_idea_is_explained_where_it_first_appears(unit: str) -> None:
    ideas = read_unit(unit).policy.idea
    text = "\n".join(cell.source for cell in cells(unit) if cell.id != "recap-lesson").lower()
    assert ideas and [idea.name for idea in ideas if idea.name not in text] == []


@pytest.mark.parametrize("unit", UNITS)
def test_every_link_leads_to_a_heading_or_a_notebook_that_is_there(unit: str) -> None:
    links = set(re.findall(r"\]\(([^)\s]+)\)", lessons(unit)))
    headings = {f"#{head.replace('`', '').replace(' ', '-')}" for head in re.findall(r"(?m)^#+ (.*)$", lessons(unit))}
    anchors = {heading_anchor(read_unit(unit)[name]) for idea in read_unit(unit).policy.idea for name in idea.used}
    assert anchors <= links <= headings | {f"{read_unit(name).stem}.ipynb" for name in UNITS}


@pytest.mark.parametrize("unit", UNITS)
def test_each_type_and_given_name_that_a_learner_meets_is_explained(unit: str) -> None:
    text, types, given = reference_section(read_unit(unit)), type_names(read_unit(unit)), given_names(read_unit(unit))
    names = [name for written in given for name in written.partition("(")[0].split(", ")]
    assert types and [each.name for each in types if not each.says or f"`{each.name}`" not in text] == []
    assert all(given.values()) and all(f"| `{written}` | " in text for written in given)
    assert len(names) == len(set(names)) and set(names).isdisjoint(read_unit(unit).by_name)


@pytest.mark.parametrize("name", UNITS)
def test_rules_of_form_are_under_each_title_and_open_above_the_first(name: str) -> None:
    unit, rules = read_unit(name), next(cell.source for cell in cells(name) if cell.id == "house-lesson")
    assert "style: no loops" in lessons(name) and "results are compared strictly" in rules == rules_of_notebook(unit)
    assert all("style: no loops, nothing changed in place" in effort_line(unit, each) for each in unit.exercises)


@pytest.mark.parametrize("unit", UNITS)
def test_a_units_time_is_that_of_its_exercises_to_the_half_hour(unit: str) -> None:
    exercises = [each for each in read_unit(unit).exercises if each.points]
    (hours,) = re.findall(r"about (.*) hours</small>", unit_effort_line(read_unit(unit)))
    assert abs(60 * float(hours.replace("½", ".5")) - sum(estimated_minutes(each.points) for each in exercises)) <= 15


def last_value(source: str, unit: str) -> str:
    """Return the value of a source's last expression, as code, if every exercise of the unit is solved."""
    return repr(value_of_cell(source, dict(vars(import_module(f"solutions.{unit}")))))


@pytest.mark.parametrize(
    ("unit", "violations"),
    {
        "dominoes": "Chain(3, '3-6 6-5 5-2 2-2 4-2', 4)",
        "sedma": "(Score(4, 30), Score(4, 50))",
        "basra": "7",
        "uno": "(True, True, True, True, True, True, False, False, False, False)",
    }.items(),
)
def test_invariants_detect_planted_violations(unit: str, violations: str) -> None:
    (source,) = (cell.source for cell in cells(unit) if cell.id == "is_sound-check-2")
    assert last_value(source, unit) == violations


def counted_words(source: str) -> tuple[int, int]:
    """Return the numbers of visible and of folded words. The outermost summary of a fold is visible.

    >>> counted_words("one <details><summary>two</summary> three <details><summary>four</summary></details></details>")
    (2, 2)
    """
    depth, visible, folded, is_head = 0, 0, 0, False
    for part in re.split("(</?(?:details|summary)>)", source):
        depth += (part == "<details>") - (part == "</details>")
        is_head = (is_head or (part == "<summary>" and depth == 1)) and part != "</summary>"
        count = len(WORD.findall(re.sub("<[^>]*>", "", part)))
        visible, folded = (visible, folded + count) if depth and not is_head else (visible + count, folded)
    return visible, folded


@pytest.mark.parametrize("unit", UNITS)
def test_few_words_come_before_the_first_check(unit: str) -> None:
    built = nbformat.reads(built_notebook(read_unit(unit)), 4).cells
    first = list(takewhile(lambda cell: "\ncheck(" not in cell.source, built))
    before = list(takewhile(lambda cell: cell.cell_type != "code", first))
    assert sum(sum(counted_words(cell.source)) for cell in before) <= MOST_WORDS
    visible = sum(counted_words(cell.source)[0] for cell in first if "jupyter" not in cell.metadata)
    assert visible <= MOST_VISIBLE and sum(sum(counted_words(cell.source)) for cell in first) <= MOST_IN_ALL


def test_rules_are_in_the_first_unit_and_linked_in_the_others() -> None:
    first, *others = (reference_section(read_unit(unit)) for unit in UNITS)
    assert "<b>How to work" in first and "hidden list of wrong answers" in first
    assert all("(0_warmup.ipynb), under *How to work*." in rules and "<b>How to work" not in rules for rules in others)


WRITTEN_NUMBERS = {"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "eleven": 11}


@pytest.mark.parametrize("unit", UNITS)
def test_a_hard_exercise_shows_its_typical_number_of_lines(unit: str) -> None:
    ids = [cell.id for cell in cells(unit)]
    for exercise in filter(lambda each: stars(each) == "★★★", read_unit(unit).exercises):
        lesson = cells(unit)[ids.index(f"{exercise.name}-lesson") : ids.index(exercise.name)]
        text = " ".join(cell.source.split("</small>")[-1] for cell in lesson if cell.cell_type == "markdown")
        (number,) = re.findall(r"(?:about|takes)\s(?:about\s)?(\w+)\slines", text)
        assert abs(int(WRITTEN_NUMBERS.get(number, number)) - exercise.reference_lines) <= 1, exercise.name


# The cells with the steps to a hard exercise: how one of them begins, the change that its lesson asks for, what comes.
STEPS = (
    (
        "dominoes",
        "def cases(",
        ('"a choice"', 'f"a choice of {len(several)}"'),
        "('no move', 'forced: 4-5', 'a choice of 2')",
    ),
    (
        "dominoes",
        "def put(",
        ("ways[0]", "select(*ways) if len(ways) == 2 else ways[0]"),
        "(((), Chain(6, '6-1 1-4 4-6', 6)), ((), Chain(6, '6-1 1-4 4-3', 3)))",
    ),
    ("sedma", "kings, eights", ("...\n", "tuple(accumulate(three_tricks, next_leader, initial=A))\n"), "(A, B, A, B)"),
    (
        "sedma",
        "names, taken_by",
        ("strict=True))", "strict=True) if team_of(winner) is BD)"),
        "('first trick', 'third trick')",
    ),
    (
        "uno",
        "def state_after",
        ("        case _", "        case Order(_, color):\n            return Give(color)\n        case _"),
        "(Proceed(), Execute(), Execute(), Proceed(), Give(BLUE), Give(RED))",
    ),
    (
        "uno",
        "def hands(",
        ("", ""),
        "((('Pavel', 0), ('Saveliy', 0), ('Sergey', 4)), (('Pavel', 4), ('Saveliy', 0), ('Sergey', 0)))",
    ),
    (
        "uno",
        "def card_of(",
        ("case Simple(card):", "case Simple(card) | Order(card, _):"),
        "(Crd(Num(5), RED), Wild(), None)",
    ),
    (
        "uno",
        "def lay(",
        ("mover.with_cards(mover.cards)", "mover.with_cards(remove_card(mover.cards, card, ValueError()))"),
        "(True, True)",
    ),
)


@pytest.mark.parametrize(("unit", "begins", "change", "wanted"), STEPS)
def test_steps_towards_hard_exercises_have_the_stated_results(
    unit: str, begins: str, change: tuple[str, str], wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (cell,) = (cell for cell in cells(unit) if cell.cell_type == "code" and cell.source.startswith(begins))
    assert change[0] in cell.source and last_value(cell.source.replace(*change), unit) == wanted
    assert change == ("", "") or last_value(cell.source, unit) != wanted


# ------------------------------------------------------------------------------------------------ drawn blocks


BLOCK = """Look:

```draw
A leads | Domino(2, 4), Domino(6, 6) | `Num(1)` < 3
nothing here
```

So."""


def test_code_between_words_is_drawn_and_the_rest_is_unchanged() -> None:
    text = with_pictures(BLOCK, Path())
    assert text.startswith("Look:\n\n<p>A leads <img ") and text.endswith("<br>\nnothing here</p>\n\nSo.")
    assert 'alt="tile two four, tile six six"' in text and "<code>Num(1)</code> &lt; 3" in text
    (picture,) = re.findall(r"base64,([\w+/=]+)", text)
    assert b64decode(picture).startswith(b"<svg ")


def test_a_drawing_block_without_pictures_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "lesson.py"
    file.write_text("# Look:\n#\n# ```draw\n# Domino(1\n# Domino(2\n# ```\n")
    with pytest.raises(UnitError, match=r"\A.*lesson\.py:4: a lesson cannot draw Domino\(1 Domino\(2\. .*\Z"):
        with_pictures("Look:\n\n```draw\nDomino(1\nDomino(2\n```", file)


@pytest.mark.parametrize("unit", UNITS)
def test_every_unit_draws_pictures_and_leaves_no_block_undrawn(unit: str) -> None:
    text = lessons(unit)
    assert "<img " in text and "```draw" not in text and "┌─" not in text and '<img alt=""' not in text


# ------------------------------------------------------------------------------------------------ what lessons teach


@pytest.mark.parametrize("unit", UNITS)
def test_all_that_a_reference_needs_was_shown_above_it(unit: str) -> None:
    proof = prove_lessons(read_unit(unit))
    assert proof.is_law and proof.tried == len(read_unit(unit).exercises) and proof.against == ()


@pytest.mark.parametrize(
    ("code", "form"),
    {
        "lambda n: n": "`lambda`",
        "tuple(n for n in x if n)": "a condition in a comprehension",
        "{a: b for a in x for b in a}": "two `for`s in a comprehension",
        "case Number(n, _) if n > 6": "a guard",
        "case Suit.HEARTS": "a name with a dot in a pattern",
        "case Skip() | Reverse():": "`|` in a pattern",
        "f(*pair)": "a star in a call",
        "first, *rest = cards": "a star on the left of `=`",
        "(first, *rest)": "a star in a tuple",
        "def f(n):\n    return f(n - 1)": "a function that calls itself",
        "cards[::-1]": "a slice with a step",
    }.items(),
)
def test_a_form_of_syntax_is_seen_in_a_piece_of_code(code: str, form: str) -> None:
    assert form in syntax_forms_and_words_in([code])[0]


def test_a_lesson_shows_words_in_blocks_examples_and_backticks() -> None:
    lesson = "Use `zip`, <code>max</code>, not min:\n```python\n>>> any(map(len, ('a',)))\nsum\n```\n```text\nabs\n```"
    assert syntax_forms_and_words_in(snippets_in(lesson))[1] == {"zip", "max", "any", "map", "len"}


def test_needs_of_a_reference_exclude_annotations_and_own_names() -> None:
    forms, words = needed_forms_and_words(read_unit("dominoes")["make_state_list"])
    assert "a function in a function" in forms and {"fold_left", "take"} <= words
    assert words.isdisjoint({"Deal", "Player", "give", "deal", "undealt", "size", "make_state_list"})


@pytest.mark.parametrize(("assumed", "warns"), [(["zip"], True), (["a slice with a step"], False), ([], False)])
def test_untaught_knowledge_in_a_pack_is_a_warning_unless_it_is_assumed(
    assumed: list[str], warns: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(WAR, tmp_path / "war")
    monkeypatch.setenv(packs.VARIABLE, str(copy))
    policy = copy / "war_course" / "war" / "unit.toml"
    policy.write_text(f"assumes = {assumed}\n{policy.read_text('utf-8')}", encoding="utf-8")
    proof = prove_lessons(read_unit("war"))
    advice = "deal needs a slice with a step: show it in a lesson above, or list it in `assumes` of the TOML"
    is_said = re.search(rf"solutions/war\.py:\d+: {re.escape(advice)}", "\n".join(proof.against))
    assert not proof.is_law and bool(is_said) is warns


# ------------------------------------------------------------------------------------------------ the order


EXERCISES = [(unit, name) for unit in UNITS for name in read_unit(unit).by_name]


@pytest.mark.parametrize(("unit", "name"), one_in(40, EXERCISES))
def test_an_exercise_can_be_checked_once_those_before_it_are_solved(unit: str, name: str) -> None:
    assert messages_if_waiting(read_unit(unit), name) == []


@pytest.mark.proof
@pytest.mark.parametrize(("old", "new", "state"), [("", "", GOOD), ("CLOCKWISE", "COUNTERCLOCKWISE", BAD)])
def test_the_kit_judges_a_deal_though_bots_are_written_later(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str, state: str
) -> None:
    monkeypatch.setattr(catalogue, "sealed_exam_of", read_sealed)
    monkeypatch.setattr(catalogue, "reference_provider", lambda: None)
    solved = reference_answers(read_unit("uno"))
    before = [solved[each] for each in takewhile(lambda each: each != "deal", solved)]
    result = Lesson("uno", *before, solved["deal"].replace(old, new)).check("deal")
    assert result.state == state and "naive" not in result.text()
