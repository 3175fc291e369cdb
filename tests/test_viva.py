"""The oral check and predictions: questions about code with one right choice, asked before the result is shown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.classroom.page import oral_page
from autograder.commands.viva import chosen_questions, questions_in_sandbox, without_unsafe_code
from autograder.config import Policy
from autograder.exam.sealing import practice_calls
from autograder.prove.answers import RightSolution, namespace_with, reference_answers
from course.learner.asking import AskingWidget, widget_that_asks_in_turn
from course.learner.predicting import (
    ERROR_CHOICE,
    RIGHT_PREDICTION_COMMENT,
    WRONG_PREDICTION_COMMENT,
    outcome_of,
    predict,
    prediction_question,
)
from course.viva import CodeQuestion, QuestionKind, has_branches_or_loops, program_in, questions_about
from tests.classroom import all_right, needing, notebook_with, write_file
from tests.command import foldem_here, printed_by
from tests.kernel import Kernel, folder, kernel
from tests.oracle import right_choices, share_of_luck
from tests.sealed import alone
from tests.stage import assert_page_accessible
from tests.test_tables_browser import chromium
from tests.units import read_unit, submission_with, unit_names

__all__ = ["alone", "folder", "kernel"]

# Exercises about whose answers less can be asked.
EXEMPT = {
    *("dominoes.list_shuffle", "uno.deal", "uno.game", "basra.produce_shuffled_deck"),  # they depend on chance
    *("uno.is_sound", "uno.desk_normalize"),  # their inputs are too long to read
    *("uno.opposite_dir", "bots.champion"),  # they have two or three inputs
    *("uno.draw_two", "uno.draw_four", "sedma.tally"),  # some answers go the same way for every input
}
APPEND = """def append(domino, chain, end):
    match chain, end:
        case Empty(), _:
            return Chain(domino.left, str(domino), domino.right)
        case Chain(left, text, right), "<":
            return Chain(domino.left, f"{domino} {text}", right)
        case Chain(left, text, right), _:
            return Chain(left, f"{text} {domino}", domino.right)
"""
FLIP = "def flip(domino):\n    return Domino(domino.right, domino.left)\n"
NEEDY = {
    "possible_dominoes": """def possible_dominoes(hand, chain):
    fits = lambda domino: legal_adds(domino, chain) != ()
    return tuple(filter(fits, hand)) if fits(Domino(1, 1)) or hand else ()
"""
}


calls_of_exam = cache(practice_calls)


def names_of(right: RightSolution) -> dict[str, object]:
    return namespace_with(right.unit, {**reference_answers(right.unit), **right.answers}, right.helpers)


def asked(right: RightSolution, names: dict[str, object]) -> Iterator[tuple[str, tuple[CodeQuestion, ...]]]:
    """Yield the questions about each answer that has a branch, a recursion or a loop."""
    for name, source in right.answers.items():
        if has_branches_or_loops(source, name):
            yield name, questions_about(source, name, names, calls_of_exam(right.unit, name), "ada", right.unit.name)


@pytest.mark.proof
@pytest.mark.parametrize("right", all_right(), ids=str)
def test_each_right_answer_yields_questions_with_one_right_choice(right: RightSolution) -> None:
    names = names_of(right)
    by_name = dict(asked(right, names))
    names_to_ask = [name for name in by_name if f"{right.unit.name}.{name}" not in EXEMPT]
    kinds = {name: Counter(each.kind for each in by_name[name]) for name in names_to_ask}
    assert {name: each for name, each in kinds.items() if each.total() < 4 or len(each) < 2} == {}
    questions = [each for questions in by_name.values() for each in questions]
    assert all(len({*each.choices}) == 4 for each in questions)
    checked = {each: choices for each in questions if (choices := right_choices(each, names)) is not None}
    assert {each: choices for each, choices in checked.items() if choices != {each.right}} == {}
    assert len(checked) > len(questions) / 2  # not those on loops


@pytest.mark.proof
@pytest.mark.parametrize("unit", unit_names())
def test_who_has_not_seen_the_code_has_to_guess(unit: str) -> None:
    """At most one question in four can be answered by its statement: the rest is luck, one in four."""
    solutions = [right for right in all_right() if right.unit.name == unit]
    luck, names = list[float](), {right.style: names_of(right) for right in solutions}
    for right in solutions:
        for name, questions in asked(right, names[right.style]):
            others = [each for each in solutions if each.answers[name] != right.answers[name]]
            for each in questions:
                luck += [share_of_luck(each, other.answers[name], names[other.style]) for other in others]
    assert fmean(luck) < 1 / 4 + 3 / 4 * 1 / 4


numbers = st.integers(0, 4)


@pytest.mark.proof
@settings(max_examples=10, deadline=None)
@given(numbers, numbers, st.integers(1, 3), st.sampled_from(["<", "<=", "==", ">="]), st.sampled_from("+*-"), numbers)
def test_questions_about_any_small_function_have_one_right_choice(
    base: int, stop: int, step: int, sign: str, operator: str, seed: int
) -> None:
    source = f"def f(n, total=0):\n    if n {sign} {stop} or n < 0:\n        return total + {base}\n"
    source += f"    if n % 2 == 0:\n        return f(n - {step}, total {operator} n)\n    return f(n - 1, total + 1)\n"
    names: dict[str, object] = {}
    exec(source, names)
    before = dict(names)
    calls = [f"f({n})" for n in range(12)]
    questions = questions_about(source, "f", names, calls, str(seed))
    assert questions == questions_about(source, "f", names, calls, str(seed)) and names == before
    checked = [(each, right_choices(each, names)) for each in questions]
    assert all(choices in (None, {each.right}) for each, choices in checked)


LABELS = """def f(x, y):
    if x:
        y = 1
    elif y:
        y = 2
    match x, y:
        case (
            (1, _) | (2, _)
        ) if y:
            return (
                g(x)
                if y
                else 4 if x else 5
            )
        case _:
            if x > 3: return f(1 if x else 2, 3 if y else 4)
            elif x > 2: return 5
            else: return 6
"""


def test_branches_are_named_as_a_reader_of_the_code_finds_them() -> None:
    program = program_in(LABELS, "f")
    assert program is not None
    assert [*program.branch_labels.values()] == [
        *("the branch that begins on line 3", "the branch that begins on line 5"),
        *("the path where the condition on line 4 is false", "the branch that begins on line 10"),
        *("the value before `if` on line 11", "the value before `if` on line 13"),
        *("the branch that begins on line 17", "the branch that begins on line 18"),
    ]


CALLS = [f"f({n})" for n in range(12)]


@pytest.mark.parametrize(
    "body",
    [
        "while n:\n        n = n\n    return n",
        "return f(n) if n else 0",
        "return n + random_below(10**9) if n > -1 else 0",
        "return helper(n) if n else 0",
        "return 'long' * 9_999 if n else 'also long' * 9_999",
        "return n if n < 99 else 0",
        "return -n",
        f"return {' + '.join('n' * 2_000)} if n else n",
    ],
)
def test_code_that_cannot_be_asked_about_has_no_questions(body: str) -> None:
    assert questions_on(f"def f(n):\n    {body}\n", CALLS) == ()


def questions_on(source: str, calls: list[str], helpers: str = "") -> tuple[CodeQuestion, ...]:
    """Return the questions about a function `f`, which need not be defined before."""
    names: dict[str, object] = {}
    exec(f"from course.effects import *\n{helpers}", names)
    return questions_about(source, "f", names, calls, "ada")


@pytest.mark.proof
def test_calls_that_depend_on_chance_leave_the_other_calls_to_ask_about() -> None:
    source = "def f(n):\n    if n < 6:\n        return random_below(10**9)\n    return f(n - 7) if n > 12 else -n\n"
    questions = questions_on(source, [f"f({n})" for n in range(20)])
    assert questions and not {call for each in questions for call in each.calls} & {*CALLS[:6]}


STRING = "def string_of_domino(domino):\n    return f'{domino.left}-{domino.right}'"


@pytest.mark.usefixtures("alone")
def test_viva_asks_three_questions_once_an_answer_is_right(kernel: Kernel) -> None:
    before = kernel.after(STRING, APPEND, check='viva("append")')
    kernel.run('check("append")')
    shown = kernel.run('viva("append")')
    assert shown.count("?") >= 3 and shown.count("  A  ") == 3 and "Correct" not in shown and "Why?" not in shown
    changed = kernel.after(APPEND.replace("text, right", "text, last"), check='viva("append")')
    assert all("the oral check needs a right answer" in each for each in (before, changed))
    assert "no branch or loop" in kernel.after(FLIP, 'check("flip")', check="viva(flip)")
    assert "the oral check cannot ask about `append`: the cell was not run. Run the cell" in Kernel().run(
        'viva("append")'
    )


@pytest.mark.usefixtures("alone")
def test_passed_check_offers_questions_only_where_there_are_any(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    widgets: list[AskingWidget] = []
    kept = lambda *args: widgets.append(widget_that_asks_in_turn(*args)) or widgets[-1]  # noqa: E731
    monkeypatch.setattr("course.learner.asking.widget_that_asks_in_turn", kept)
    assert "viva" not in kernel.after(STRING, APPEND, check='check("append")')
    monkeypatch.setattr("course.check.is_interactive", lambda: True)
    assert "viva" not in kernel.run('check("append")') + kernel.after(FLIP) and len(widgets) == 1
    questions, shown = pressed(widgets[0]), " ".join(kernel.run('viva("append")').replace("`", "").split())
    assert len(questions) == 3 and all(each in shown for each in questions)
    assert "foldem-live" in str(AskingWidget._esm)  # else JupyterLab hides the button, by the style of `until_widget`


def pressed(widget: AskingWidget) -> list[str]:
    """Press all buttons of a widget with questions, and return the texts of the questions."""
    questions = []
    widget._handle_custom_msg({"answers": []}, [])
    while not questions or widget.question["next"]:
        widget._handle_custom_msg({"answers": []}, [])  # no answer, or the next question
        questions.append(widget.question["text"])
        widget._handle_custom_msg({"answers": ["A"]}, [])
        assert ("Correct." in widget.reply_html) != ("The right choice is:" in widget.reply_html)
    return questions


def oral_questions(append: str, *names: str) -> list[tuple[CodeQuestion, ...]]:
    """Return the questions about right answers of a submission, in which `append` has this code."""
    unit = read_unit("dominoes")
    submission = submission_with(unit, {**reference_answers(unit), "append": append})
    return list(questions_in_sandbox(submission, ("append", *names), "ada", Policy()))


@pytest.mark.sandbox
def test_oral_check_runs_a_students_code_in_the_sandbox_only(tmp_path: Path) -> None:
    """The code cannot write files there, and what it forges is shown as text."""
    mark = "</pre><script>alert(1)</script>"
    hostile = f"open({str(tmp_path / 'written')!r}, 'w')\n"
    forged = f"try:\n    {hostile}except OSError:\n    pass\n{APPEND.replace('end:', f'end:  # {mark}')}"
    questions = chosen_questions([list(each) for each in oral_questions(forged, "legal_adds")])
    page = oral_page("ada", questions)
    assert len(questions) == 5 and len({each.kind for each in questions}) >= 3
    assert '"""' not in re.sub("<[^>]*>", "", page) and "Date:" in page and page.count("Notes:") == 5
    assert "`" not in page and page.count('<div class="ask">') == 5
    assert "<script" not in page and "&lt;script&gt;" in page and "Answers, for the examiner" in page
    assert not (tmp_path / "written").exists()


@pytest.mark.npm
@pytest.mark.browser
def test_an_oral_page_is_accessible_at_three_widths(tmp_path: Path) -> None:
    call = f"append(Domino(1, 2), Chain(1, '{'1-1 ' * 30}', 1), '<')"
    question = CodeQuestion(QuestionKind.LINE, "Which line runs?", (call,), ("line 3", "line 7"), 1, "It runs.", APPEND)
    with chromium(tmp_path / "profile") as browser:
        page = browser.new_page()
        page.set_content(oral_page("Maximiliane-Charlotte 민준 " + "é" * 60, [question]))
        assert_page_accessible(page)


@pytest.mark.sandbox
def test_foldem_viva_writes_a_page_about_right_answers_or_says_why_not(tmp_path: Path) -> None:
    wrong = {"legal_adds": "def legal_adds(domino, chain):\n    return () if domino else ()\n"}
    answers = {"s1": {"append": APPEND} | wrong, "s2": wrong, "s3": {"flip": FLIP}, "s4": NEEDY}
    for student, sources in answers.items():
        write_file(tmp_path / "in" / student / "dominoes" / "1_dominoes.ipynb", notebook_with("dominoes", sources))
    foldem_here("grade", tmp_path / "in", "--out", tmp_path / "reports")
    printed_by(foldem_here("viva", tmp_path / "reports", "--student", "s1"))
    page = (tmp_path / "reports" / "viva.html").read_text()
    assert page.count("<section>") == 5 and "legal_adds" not in page
    write_file(tmp_path / "in" / "s1" / "dominoes" / "1_dominoes.ipynb", notebook_with("dominoes", {}))
    for number in range(1, 6):  # changed, wrong, without a branch, unpublished, missing
        refused = foldem_here("viva", tmp_path / "reports", "--student", f"s{number}").stderr
        assert f"there is nothing to ask s{number}. Questions need a graded submission" in refused


HALF = "type('Forged', (), dict(kind='line', text='\\ud800', calls=(), choices=('\\ud800', 'b'), right=0, why='')),"
PATCH = "import course.viva\ncourse.viva.questions_about = "


@pytest.mark.sandbox
@pytest.mark.parametrize("forged", ["'text'", "1 / 0", "(0,) * 10**6", f"({HALF})"])
def test_forged_questions_are_dropped_or_can_be_written(forged: str) -> None:
    (made,) = oral_questions(f"{PATCH}lambda *_: {forged}\n{needing(APPEND, 'course')}")
    assert [each.text for each in made] == ["�"] * ("ud800" in forged)
    oral_page("ada", made).encode()


@pytest.mark.sandbox
@pytest.mark.parametrize("name", ["tuple", "str", "globals"])
def test_functions_called_like_built_in_ones_forge_no_questions(name: str) -> None:
    forger = f"def {name}(*_):\n    return (('count', 'Easy?', (), ('yes', 'no'), 0, ''),)\n"
    (made,) = oral_questions(forger + needing(APPEND, name))
    assert len(made) > 5 and not any(each.text == "Easy?" for each in made)


def test_oral_check_runs_no_code_that_could_forge_questions() -> None:
    unit, patch = read_unit("dominoes"), f"{PATCH}print\n"
    submission = submission_with(unit, {**reference_answers(unit), "append": patch + needing(APPEND, "course")})
    part = without_unsafe_code(submission)
    assert part.answers.keys() == submission.answers.keys() - {"append"} and patch not in "".join(part.sources)


@pytest.mark.filterwarnings("error")
def test_code_with_many_branches_on_a_line_is_read_without_warnings() -> None:
    crowded = f"def f(x):\n    if x:\n        return 1\n    return [{'1if x else 1,' * 1_500}][x]\n"
    assert has_branches_or_loops(crowded, "f")


def test_no_question_is_about_a_call_that_misses_a_helper() -> None:
    source = "def f(x):\n    if x > 1:\n        y = double(x)\n        return y\n    return x\n"
    without = {call for each in questions_on(source, CALLS[:6]) for call in each.calls}
    complete = questions_on(source, CALLS[:6], "def double(x): return 2 * x")
    assert without <= {"f(0)", "f(1)"} and {call for each in complete for call in each.calls} > without


# ------------------------------------------------------------------------------------------------ predictions

SPENT = "letters = map(str.upper, 'ab')\ntuple(letters), tuple(letters)"


@pytest.mark.parametrize(
    ("source", "result", "wrong", "right"),
    [
        (SPENT, "(('A', 'B'), ())", "(('A', 'B'), ('A', 'B'))", "(('A', 'B'), ())"),
        ("print(1)\nlen('abc')", "1\n3", "3", "1\n3"),
        ("print(1)", "1", "None", "1"),
        ("print(1)\n1 / 0", "1\nZeroDivisionError: division by zero", "1", ERROR_CHOICE),
    ],
)
def test_results_are_computed_with_printed_text_first(source: str, result: str, wrong: str, right: str) -> None:
    assert (outcome_of(source)[0], prediction_question(source, (wrong, right), "").right) == (result, 1)


def test_nothing_is_shown_before_the_first_answer() -> None:
    question = predict("6 * 7", "41", "42", why="Because.")
    assert question and "Because" not in repr(question) + str(question._repr_mimebundle_())
    widget = question.widget()
    assert "Because" not in str(widget.get_state()) and widget.reply_html == ""
    replies = []
    for letter in ("A", "B"):
        widget._handle_custom_msg({"answers": [letter]}, [])
        replies.append(widget.reply_html)
    assert [text for text in (WRONG_PREDICTION_COMMENT, "42", "Because.") if text not in replies[0]] == []
    assert replies[0] == replies[1]


@pytest.mark.parametrize(
    ("letter", "greeting"),
    [("b", RIGHT_PREDICTION_COMMENT), ("A", WRONG_PREDICTION_COMMENT), ("x", "Answer with a letter from A to B.")],
)
def test_each_letter_of_a_choice_has_a_reply(letter: str, greeting: str) -> None:
    assert greeting in str(prediction_question("6 * 7", ("41", "42"), "").reply(letter))
