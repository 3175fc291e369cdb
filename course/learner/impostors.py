"""Catch impostors: learners write examples before the answer, and see which known wrong answers the examples catch.

`catch("flip")` shows examples to fill in, as a form, or as the code of a cell:

    catch(
        example("legal_adds", (Domino(1, 2), EMPTY), (Chain(1, "1-2", 2),)),
    )

This earns no points. A world (`exam/impostors.py`) is a small set of inputs whose right results are known. It decides
whether an example is right, and which impostors, that is, known wrong answers, the example catches. Inputs that are
not in the world stay undecided.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from course.diagnoses.compared import TextPiece
from course.diagnoses.obstacle import UnwrittenExercise
from course.exam.impostors import (
    UNTRIED_EXAMPLE,
    ExampleJudge,
    ExampleJudgement,
    ExampleVerdict,
    SolvedWorld,
    choose_inputs,
    solved_world_in,
)
from course.exam.observing import TimeUp
from course.exam.readable import one_line, value_code
from course.exam.sealed import WorldData
from course.kernel import catalogue, notebook
from course.kernel.limits import limited
from course.kernel.notebook import NotRight, is_interactive, publish_button
from course.learner.answer import Answer, answer_to
from course.learner.predicting import InteractiveDisplay
from course.show.blocks import CodeExample, Element, Prose, Row, Rows, WrongAnswerCards, as_html, as_text
from course.show.pictures import html_until_widget
from course.show.results import BAD, GOOD, OPEN, STATE_SIGNS, framed_html, framed_prose

if TYPE_CHECKING:
    from course.learner.asking import AskingWidget

INPUTS_SHOWN = 6
CATCH_BUTTON_LABEL = "Find the wrong answers"
CATCH_TASK = "What does `{name}` return? {count} wrong answers are known: which of them do your examples catch?"
TRY_BUTTON_LABEL = "Try my examples"
FILL_IN_TASK = (
    "Examples earn no points. Copy this code into a cell, replace some of the `...` with results, and run the cell:"
)
EXAMPLE_LINE_LENGTH = 200
EXAMPLE_STATE_WORDS = {GOOD: "right", BAD: "wrong", OPEN: "open"}
RESULT_MISSING = "replace the `...` with the result"
ADD_ANOTHER_EXAMPLE = (
    "Your examples have not caught all wrong answers yet. Add an example with another kind of input, and its result."
)
ALL_CAUGHT = (
    "Your examples caught all the wrong answers, so you know what the function must do. Now write the function."
)
PREPARING_WRONG_ANSWERS = "Preparing the wrong answers of {unit}. The first time, this takes some seconds."
NO_WRONG_ANSWERS = (
    "The wrong answers for `catch` are not installed here. They come with your teacher's kit, or with the autograder."
)


@dataclass(frozen=True, repr=False)
class OwnExample:
    """An example that a learner wrote: an exercise, the arguments of a call, and the expected result.

    `gives` is the expected value, the class of the expected exception, or `...` if the learner has not filled in a
    result.
    """

    answer: Answer
    arguments: tuple[Any, ...]
    gives: Any

    @property
    def call(self) -> str:
        return f"{self.answer.name}({', '.join(map(value_code, self.arguments))})"

    def __repr__(self) -> str:
        gives = self.gives.__name__ if isinstance(self.gives, type) else value_code(self.gives)
        return one_line(self.call if self.gives is ... else f"{self.call}  →  {gives}", EXAMPLE_LINE_LENGTH)


def example(exercise: Any, arguments: tuple[Any, ...], gives: Any = ...) -> OwnExample | None:
    """Return an example of an exercise: a tuple of arguments, and the expected result.

    `exercise` is the name or the function of an exercise.

    Raises NotRight if the exercise is unknown, or if the arguments do not fit its parameters. Returns None if nbgrader
    runs the notebook.
    """
    if notebook.nbgrader_step():
        return None
    answer = answer_to(exercise)
    names = [name for name, _ in answer.requirements.parameters]
    if type(arguments) is not tuple or len(arguments) != len(names):
        text = f"({', '.join(names)}{',' * (len(names) == 1)})"
        raise NotRight(f'put the arguments of {answer.name} into a tuple: example("{answer.name}", {text}, ...)')
    return OwnExample(answer, arguments, gives)


def known_world_of(unit: str, name: str) -> SolvedWorld | None:
    """Return the world of an exercise with the right results for its inputs, or None if the exercise has no world."""
    data = _worlds_of_unit(unit).get(name)
    return solved_world_in(data) if data else None


@cache
def _worlds_of_unit(unit: str) -> dict[str, WorldData]:
    full = catalogue.examiner()
    if full and full.stored_worlds(unit) is None:
        print(PREPARING_WRONG_ANSWERS.format(unit=unit))
    return full.worlds(unit) if full else catalogue.sealed_exam_of(unit).impostors


@cache
def _referee_of(unit: str, name: str) -> ExampleJudge | None:
    known = known_world_of(unit, name)
    return ExampleJudge(import_module(catalogue.statements(unit).module), name, known) if known else None


# ------------------------------------------------------------------------------------------------ as cards


@dataclass(frozen=True)
class JudgedExamples:
    """A learner's examples of an exercise, each with its judgement.

    The examples are shown with a card for each wrong answer.
    """

    examples: tuple[OwnExample, ...]
    judge: ExampleJudge

    @cached_property
    def verdicts(self) -> tuple[ExampleJudgement, ...]:
        """Return, for each example, whether it is right and which wrong answers it catches."""
        return tuple(
            UNTRIED_EXAMPLE if each.gives is ... else self.judge.judge(each.arguments, each.gives)
            for each in self.examples
        )

    @property
    def caught_indexes(self) -> frozenset[int]:
        """Return the indexes of the wrong answers that at least one example catches."""
        return frozenset[int]().union(*(each.caught for each in self.verdicts))

    @property
    def beliefs(self) -> tuple[str, ...]:
        return self.judge.known.beliefs

    @property
    def state(self) -> str:
        if any(each.state is ExampleVerdict.WRONG for each in self.verdicts):
            return BAD
        return GOOD if len(self.caught_indexes) == len(self.beliefs) else OPEN

    def elements(self) -> Iterator[Element]:
        """Yield the examples, a card for each wrong answer, and the next step."""
        yield Rows(tuple(map(self._example_row, self.examples, self.verdicts)))
        share = f"{len(self.caught_indexes)} of {len(self.beliefs)}"
        yield Prose(f"Your examples caught {share} wrong answers to `{self.judge.name}`:")
        yield WrongAnswerCards(
            tuple((belief, index in self.caught_indexes) for index, belief in enumerate(self.beliefs))
        )
        yield Prose(ALL_CAUGHT if self.state == GOOD else ADD_ANOTHER_EXAMPLE, "→", aside=True)

    def _example_row(self, each: OwnExample, observed: ExampleJudgement) -> Row:
        if observed.state is ExampleVerdict.RIGHT:
            state, comment = GOOD, f"catches {len(observed.caught)} of the wrong answers"
        elif observed.state is ExampleVerdict.WRONG:
            state, comment = BAD, "this result is not right: read the statement again"
        elif each.gives is ...:
            state, comment = OPEN, RESULT_MISSING
        else:
            where = self.judge.world.description
            state, comment = OPEN, f"the right result for these arguments is not known. Choose other arguments: {where}"
        return Row(
            f"{STATE_SIGNS[state]} {EXAMPLE_STATE_WORDS[state]}", (TextPiece(repr(each)),), comment, drawn=each.call
        )

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": framed_html(as_html(self.elements()), self.state)}

    def __repr__(self) -> str:
        return as_text(self.elements())


# ------------------------------------------------------------------------------------------------ examples to fill in


@dataclass(frozen=True, repr=False)
class CatchInvitation(InteractiveDisplay):
    """An offer to write examples before writing the answer. The inputs come from the exercise's world."""

    answer: Answer
    judge: ExampleJudge

    @cached_property
    def input_codes(self) -> tuple[str, ...]:
        """Return the code of at most INPUTS_SHOWN inputs, the shortest first.

        Inputs that catch wrong answers are preferred.
        """
        codes = self.judge.known.input_codes(self.judge.module, self.judge.name)
        return tuple(sorted((codes[index] for index in choose_inputs(self.judge.known.caught, INPUTS_SHOWN)), key=len))

    @property
    def _task(self) -> str:
        return CATCH_TASK.format(name=self.answer.name, count=len(self.judge.known.beliefs))

    @property
    def code(self) -> str:
        """Return the code of a cell with examples. The learner fills in the results of the examples."""
        lines = [f'    example("{self.answer.name}", {code}, ...),' for code in self.input_codes]
        return "\n".join(("from course.check import catch, example", "", "catch(", *lines, ")"))

    def elements(self) -> Iterator[Element]:
        """Yield the task, and the code of the cell with the examples."""
        yield Prose(self._task, "?")
        yield Prose(FILL_IN_TASK, faint=True)
        yield CodeExample(self.code)

    def widget(self) -> AskingWidget:
        """Return a button that opens a form. Learners type the results of the examples into the form."""
        from course.learner.asking import widget_that_offers_lines  # imported here, because it needs anywidget

        calls = [code_of_call(self.answer.name, code) for code in self.input_codes]
        return widget_that_offers_lines(CATCH_BUTTON_LABEL, self._task, calls, TRY_BUTTON_LABEL, self.reply)

    def reply(self, typed: list[str]) -> str:
        """Return HTML that shows which wrong answers are caught by the results that the learner has typed.

        Examples for which the learner has typed no result are left out.
        """
        pairs = [(code, text) for code, text in zip(self.input_codes, typed, strict=True) if text.strip()]
        try:
            examples = tuple(self._typed_example(*pair) for pair in pairs)
            return as_html(JudgedExamples(examples, self.judge).elements() if examples else [Prose(self._task)])
        except NotRight as error:
            return as_html([Prose(str(error))])

    def _typed_example(self, arguments: str, result: str) -> OwnExample:
        names = {**vars(self.judge.module)}
        try:
            with limited():
                value = eval(result.strip(), names)
                own = OwnExample(self.answer, eval(arguments, names), value)
                repr(own)  # fails for a value that has no code
        except (Exception, TimeUp) as error:
            text = (
                f"`{one_line(result, 60)}` is not a value: {one_line(error, 100)}. Write the result as Python shows it."
            )
            raise NotRight(text) from None
        return own


def code_of_call(name: str, arguments: str) -> str:
    """Return the code of a call. `arguments` is the code of a tuple with the arguments of the call.

    >>> code_of_call("flip", "(Domino(1, 2),)"), code_of_call("f", "(1, (2,))")
    ('flip(Domino(1, 2))', 'f(1, (2,))')
    """
    return f"{name}{arguments.removesuffix(',)')}{')' * arguments.endswith(',)')}"


def catch(*examples: object) -> object:
    """Show which examples of an exercise are right, and which wrong answers they catch.

    Catching wrong answers earns no points. If you pass only the name or the function of an exercise, you get examples
    without results to fill in.
    """
    if notebook.nbgrader_step():
        return None
    first = examples[0] if len(examples) == 1 else None
    if isinstance(first, str) or callable(first):
        answer = answer_to(first)
        judge = _referee_of(answer.unit, answer.name)
        return CatchInvitation(answer, judge) if judge else framed_prose((NO_WRONG_ANSWERS,))
    own = tuple(each for each in examples if isinstance(each, OwnExample))
    if not own or len(own) < len(examples):
        raise NotRight('catch takes examples: catch(example("name of the exercise", (argument, ...), result))')
    if len({(each.answer.unit, each.answer.name) for each in own}) > 1:
        raise NotRight("these examples belong to several exercises: call `catch` once for each exercise")
    judge = _referee_of(own[0].answer.unit, own[0].answer.name)
    return JudgedExamples(own, judge) if judge else framed_prose((NO_WRONG_ANSWERS,))


def has_known_wrong_answers(answer: Answer) -> bool:
    """Return whether an exercise has wrong answers to catch.

    Return False if the exercise's world is not computed yet.
    """
    full = catalogue.examiner()
    known = full.stored_worlds(answer.unit) if full else catalogue.sealed_exam_of(answer.unit).impostors
    return known is not None and answer.name in known


def offer_examples(answer: Answer) -> None:
    """Show the button *Find the wrong answers* if the answer is not written yet and a person uses this kernel."""
    can_catch = isinstance(answer.obstacle, UnwrittenExercise) and is_interactive() and has_known_wrong_answers(answer)
    if can_catch and (judge := _referee_of(answer.unit, answer.name)):
        with suppress(ImportError):  # without widgets there is no button
            publish_button(CatchInvitation(answer, judge).widget()._repr_mimebundle_(), html_until_widget(""))
