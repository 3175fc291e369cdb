"""Catch impostors: learners write examples before the answer, and see which known wrong answers the examples catch.

    catch(
        example("legal_adds", (Domino(1, 2), EMPTY), (Chain(1, "1-2", 2),)),
    )

This earns no points. Small worlds (`exam/impostors.py`) decide whether an example is right and which impostors it
catches. If an autograder is installed, it decides this for any other input, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from course.diagnoses.compared import Piece
from course.exam.impostors import UNTRIED, Catch, ExampleVerdict, KnownWorld, Referee, known_world_in
from course.exam.readable import one_line, value_code
from course.exam.sealed import WorldData
from course.exam.wire import TooLarge, WireError
from course.kernel import catalogue, notebook
from course.kernel.notebook import NotRight
from course.learner.answer import Answer, answer_to
from course.show.blocks import Cards, Element, Prose, Row, Rows, as_html, as_text
from course.show.results import BAD, GOOD, OPEN, SIGNS, framed

EXAMPLE_LINE_ROOM = 200
TELLS = {GOOD: "right", BAD: "wrong", OPEN: "open"}
TO_WRITE = "replace the `...` with the result"
GO_ON = "Some wrong answers are left. Add an example with a new kind of input, and its result."
ALL = "You caught them all, so you know what the function must do. Now write it."
PREPARING = "Preparing the wrong answers of {unit}. This takes some seconds, only the first time."
NO_CARDS = "There are no wrong answers here. They come with your teacher's kit, or with the autograder."


@dataclass(frozen=True)
class OwnExample:
    """An example that a learner wrote: an exercise, the arguments of a call, and the expected result.

    `gives` is a value, the class of an exception, or `...` if it is not written yet.
    """

    answer: Answer
    arguments: tuple[Any, ...]
    gives: Any

    @property
    def call(self) -> str:
        return f"{self.answer.name}({', '.join(map(value_code, self.arguments))})"

    @property
    def line(self) -> str:
        """Return the example as one line."""
        gives = self.gives.__name__ if isinstance(self.gives, type) else value_code(self.gives)
        return one_line(self.call if self.gives is ... else f"{self.call}  →  {gives}", EXAMPLE_LINE_ROOM)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return caught((self,), 1)._repr_mimebundle_()

    def __repr__(self) -> str:
        return repr(caught((self,), 1))


def example(exercise: Any, arguments: tuple[Any, ...], gives: Any = ...) -> OwnExample | None:
    """Return an example of an exercise (its name, or the function): a tuple of arguments, and the expected result.

    Raises NotRight if there is no such exercise, or if the arguments do not fit its parameters. Returns None if
    nbgrader runs the notebook.
    """
    if notebook.stage():
        return None
    name = exercise if isinstance(exercise, str) else getattr(exercise, "__name__", exercise)
    answer = answer_to(name, 1)
    names = [name for name, _ in answer.requirements.parameters]
    if type(arguments) is not tuple or len(arguments) != len(names):
        text = f"({', '.join(names)}{',' * (len(names) == 1)})"
        raise NotRight(f'put the arguments of {answer.name} into a tuple: example("{answer.name}", {text}, ...)')
    own = OwnExample(answer, arguments, gives)
    try:
        own.line  # noqa: B018
    except Exception:
        raise NotRight("a value in this example cannot be written as code: use another value") from None
    return own


def caught(examples: tuple[OwnExample, ...], given: int) -> JudgedExamples:
    """Return the judgement on examples. Raises NotRight if one of the `given` values is not an example."""
    if not examples or len(examples) < given:
        raise NotRight('catch takes examples: catch(example("name of the exercise", (argument, ...), result))')
    if len({(each.answer.unit, each.answer.name) for each in examples}) > 1:
        raise NotRight("these examples belong to several exercises: use one exercise at a time")
    answer = examples[0].answer
    judge = _judge_of(answer)
    judgements = tuple(UNTRIED if judge is None or each.gives is ... else judge(each) for each in examples)
    return JudgedExamples(answer, examples, judgements)


def known_of(unit: str, name: str) -> KnownWorld | None:
    """Return the world of an exercise, or None if it has none."""
    data = _all_known(unit).get(name)
    return known_world_in(data) if data else None


@cache
def _all_known(unit: str) -> dict[str, WorldData]:
    full = catalogue.examiner()
    if full and full.stored_impostors(unit) is None:
        print(PREPARING.format(unit=unit))
    return full.impostors(unit) if full else catalogue.sealed(unit).impostors


@cache
def _judge(unit: str, name: str) -> Referee | None:
    known = known_of(unit, name)
    return Referee(import_module(catalogue.statements(unit).module), name, known) if known else None


def _judge_of(answer: Answer) -> Callable[[OwnExample], Catch] | None:
    """Return the function that judges examples of an exercise, or None if the exercise has no world.

    An installed autograder judges inputs that are not in the world.
    """
    judge, full = _judge(answer.unit, answer.name), catalogue.examiner()
    if judge is None:
        return None

    def judged(each: OwnExample) -> Catch:
        result = judge.judged(each.arguments, each.gives)
        if full is None or result.state is not ExampleVerdict.UNTRIED:
            return result
        try:
            return full.example(answer.unit, answer.name, each.arguments, each.gives)  # type: ignore[no-any-return]
        except (WireError, TooLarge):
            return UNTRIED

    return judged


# ------------------------------------------------------------------------------------------------ as cards


@dataclass(frozen=True)
class JudgedExamples:
    """Examples of an exercise, with the judgement on each; shown as a row of cards."""

    answer: Answer
    examples: tuple[OwnExample, ...]
    catches: tuple[Catch, ...]

    @property
    def caught(self) -> frozenset[int]:
        """Return the indexes of the impostors that at least one example catches."""
        return frozenset[int]().union(*(each.caught for each in self.catches))

    @property
    def beliefs(self) -> tuple[str, ...]:
        known = known_of(self.answer.unit, self.answer.name)
        return known.beliefs if known else ()

    @property
    def state(self) -> str:
        if any(each.state is ExampleVerdict.WRONG for each in self.catches):
            return BAD
        return GOOD if self.beliefs and len(self.caught) == len(self.beliefs) else OPEN

    def elements(self) -> Iterator[Element]:
        """Yield the examples, the cards, and what to do next."""
        if not self.beliefs:
            yield Prose(NO_CARDS, faint=True)
            return
        yield Rows(tuple(map(self._row, self.examples, self.catches)))
        yield Prose(f"caught {len(self.caught)} of {len(self.beliefs)} wrong answers to `{self.answer.name}`:")
        yield Cards(tuple((belief, index in self.caught) for index, belief in enumerate(self.beliefs)))
        yield Prose(ALL if self.state == GOOD else GO_ON, "→", aside=True)

    def _row(self, each: OwnExample, observed: Catch) -> Row:
        state, comment = self._comment(each, observed)
        return Row(f"{SIGNS[state]} {TELLS[state]}", (Piece(each.line),), comment, drawn=each.call)

    def _comment(self, each: OwnExample, observed: Catch) -> tuple[str, str]:
        match observed.state:
            case ExampleVerdict.RIGHT:
                return GOOD, f"catches {len(observed.caught)}"
            case ExampleVerdict.WRONG:
                return BAD, "this result is not right: read the statement again"
        if each.gives is ...:
            return OPEN, TO_WRITE
        return OPEN, f"the right result for these arguments is not known: choose {self._world}"

    @property
    def _world(self) -> str:
        judge = _judge(self.answer.unit, self.answer.name)
        return judge.world.description if judge else "another"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": framed(as_html(self.elements()), self.state)}

    def __repr__(self) -> str:
        return as_text(self.elements())
