"""Questions about an answer's own code, and the calls that they are about. It runs to find the right choices."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib import import_module
from itertools import chain, groupby, islice, zip_longest
from random import Random
from typing import TypeVar

from course.exam.calls import Call, Names
from course.exam.observing import wire_of
from course.exam.snippets import call_code
from course.kernel import catalogue
from course.limits import MOST_CALLS_OF_A_PAPER
from course.syntax import expression_of, lines_of, unparsed
from course.viva.running import Program, Repeated, Trace, attempts_of, program_in

CHOICES, CALL_ROOM, CHOICE_ROOM, CALL_WIDTH = 4, 900, 100, 100
LEAST_QUESTIONS, LEAST_QUESTION_KINDS = 4, 2
CALLS_CHOSEN, QUESTIONS_PER_KIND, LINES_SHOWN = 36, 4, 12
T = TypeVar("T")


class QuestionKind(StrEnum):
    """The subject of a question."""

    BRANCH = "branch"  # the branch that a call takes first
    LINE = "line"  # the line that runs in a call, or doesn't
    INPUT = "input"  # the call that takes a branch, or doesn't
    VALUE = "value"  # what a name holds at the n-th call or round
    COUNT = "count"  # how many calls or rounds there are


@dataclass(frozen=True)
class CodeQuestion:
    """A question about the code of an answer. Exactly one of its choices is right: the one with the index `right`.

    `code` is the cell that defines the answer, and `calls` are the calls that the question is about.
    """

    kind: QuestionKind
    text: str
    calls: tuple[str, ...]
    choices: tuple[str, ...]
    right: int
    why: str
    code: str = ""
    unit: str = ""
    exercise: str = ""

    @property
    def shown_calls(self) -> str:
        """Return the calls as code, numbered if there are several; "" if the choices show them.

        A long call has one argument on each line.
        """
        if self.choices == self.calls:
            return ""
        calls = []
        for call in self.calls:
            match expression_of(call):
                case ast.Call(func=function, args=args, keywords=keywords) if len(call) > CALL_WIDTH:
                    lines = (f"    {unparsed(each)}," for each in (*args, *keywords))
                    calls.append("\n".join((f"{unparsed(function)}(", *lines, ")")))
                case _:
                    calls.append(call)
        return calls[0] if len(calls) == 1 else "\n".join(f"# call {n}\n{call}" for n, call in enumerate(calls, 1))


def with_numbers(code: str) -> str:
    """Return code with line numbers."""
    return "\n".join(f"{number:>3}  {line}".rstrip() for number, line in enumerate(lines_of(code.rstrip()), 1))


def calls_of(unit: str, name: str) -> tuple[str, ...]:
    """Return the calls of an exercise that are known here, as code: of its examples, and of its exam if any."""
    stated, full, exam = catalogue.statements(unit), catalogue.examiner(), catalogue.sealed(unit)
    shown = tuple(each.call for each in stated.by_name[name].examples if not each.setup)
    if name in exam.papers:
        paper = exam.papers[name]
        calls = (call for facet in paper.facets for call in facet.calls)
        return (*shown, *calls_as_code(stated.module, name, calls, paper.prints))
    return (*shown, *(full.calls(unit, name) if catalogue.has_full_exams() else ()))


def calls_as_code(module: str, name: str, calls: Iterable[Call], prints: bool) -> tuple[str, ...]:
    """Return the calls of an exam as code, without visible examples.

    Seeds are left out, because nobody can predict their effect. Only a run of the calls shows which of them depend on
    chance.
    """
    wire = wire_of(import_module(module))
    unseeded = (call._replace(chance=None) if isinstance(call.chance, int) else call for call in calls)
    given = [call for call in unseeded if call.kind == "args"]
    return tuple(call_code(wire, name, call, prints) for call in given[:: 1 + len(given) // MOST_CALLS_OF_A_PAPER])


# ------------------------------------------------------------------------------------------------ questions


@dataclass(frozen=True)
class Runs:
    """A program, and its calls with what each of them did; `rng` chooses the questions."""

    program: Program
    traces: dict[str, Trace]
    rng: Random
    alike: bool = False  # whether wrong calls may take the same branches; only if there are too few others

    def drawn(self, items: Iterable[T]) -> list[T]:
        """Return items in a random order."""
        drawn = list(items)
        self.rng.shuffle(drawn)
        return drawn

    @property
    def in_random_order(self) -> list[tuple[str, Trace]]:
        """Return the calls with their traces, in a random order."""
        return self.drawn(self.traces.items())


def questions_about(
    source: str, name: str, names: Names, calls: Iterable[str], seed: str, unit: str = ""
) -> tuple[CodeQuestion, ...]:
    """Return questions about the code of the answer `name`: first one of each kind, then more, as drawn by the seed.

    `source` is the cell that defines the answer, `names` the namespace in which it runs, and `calls` are calls of the
    answer as code. There are no questions if the answer has no branch, no recursion and no loop.
    """
    program = program_in(source, name)
    if program is None or not program.has_choices:
        return ()
    rng = Random(f"{seed} {name} {source}")
    short = [call for call in dict.fromkeys(calls) if len(call) <= CALL_ROOM]
    attempts = zip(short, attempts_of(program, short, names), strict=True)
    able = {call: attempt for call, attempt in attempts if attempt is not None}
    varied = _varied(sorted(able, key=len), lambda call: frozenset(able[call].arms))
    traces = {call: able[call] for call in varied[:CALLS_CHOSEN]}
    runs = Runs(program, traces, rng)
    made = _in_turn(runs)
    if len(made) < LEAST_QUESTIONS or len({each.kind for each in made}) < LEAST_QUESTION_KINDS:
        made = list(dict.fromkeys((*made, *_in_turn(replace(runs, alike=True)))))
    return tuple(replace(each, code=source, unit=unit, exercise=name) for each in made)


def _in_turn(runs: Runs) -> list[CodeQuestion]:
    """Return questions: first one of each kind, then the second of each, and so on."""
    by_kind = [islice(make(runs), QUESTIONS_PER_KIND) for make in runs.drawn(QUESTION_MAKERS)]
    return [each for each in chain.from_iterable(zip_longest(*by_kind)) if each]


def question_data(
    source: str, name: str, names: Names, calls: Iterable[str], seed: str, most: int
) -> tuple[tuple[object, ...], ...]:
    """Return the first questions about an answer as data that a sandbox can send."""
    made = questions_about(source, name, names, calls, seed)[:most]
    return tuple((str(each.kind), each.text, each.calls, each.choices, each.right, each.why) for each in made)


def has_choices(source: str, name: str) -> bool:
    """Return whether an answer has a branch, a recursion or a loop."""
    program = program_in(source, name)
    return program is not None and program.has_choices


def _question(
    runs: Runs, kind: QuestionKind, text: str, calls: tuple[str, ...], right: str, wrong: Iterable[str], why: str
) -> Iterator[CodeQuestion]:
    """Yield the question if there are enough wrong choices, all different from the right one."""
    others = [each for each in dict.fromkeys(wrong) if each != right and len(each) <= CHOICE_ROOM]
    if len(others) >= CHOICES - 1 and len(right) <= CHOICE_ROOM:
        choices = runs.drawn((right, *others[: CHOICES - 1]))
        yield CodeQuestion(kind, text, calls, tuple(choices), choices.index(right), why)


def _one_of_four(runs: Runs, text: str, right: Collection[str], why: Mapping[str, str]) -> Iterator[CodeQuestion]:
    """Yield a question that asks which of four calls is the right choice.

    The wrong calls take different branches. If they were similar, the right call would stand out even without the code.
    """
    calls = runs.drawn(runs.traces)
    chosen = next((call for call in calls if call in right), None)
    others = [call for call in calls if call not in right]
    varied = {frozenset(runs.traces[call].arms): call for call in others}.values()
    wrong = [*(_varied(others, lambda call: runs.traces[call].arms) if runs.alike else varied)][: CHOICES - 1]
    if chosen is None or len(wrong) < CHOICES - 1:
        return
    drawn = runs.drawn((chosen, *wrong))
    is_short = all(len(call) <= CHOICE_ROOM for call in drawn)
    choices = drawn if is_short else [f"call {number}" for number in range(1, CHOICES + 1)]
    yield CodeQuestion(QuestionKind.INPUT, text, tuple(drawn), tuple(choices), drawn.index(chosen), why[chosen])


def _varied(items: Iterable[str], key: Callable[[str], object]) -> list[str]:
    """Return the items in another order: first one of each key, then the second of each, and so on."""
    groups: dict[object, list[str]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return [item for row in zip_longest(*groups.values()) for item in row if item is not None]


def _path(trace: Trace) -> str:
    """Return in words which lines ran."""
    lines = [str(line) for line, _ in groupby(trace.lines)]
    return (
        f"These lines run, in this order: {', '.join(lines[:LINES_SHOWN])}{', …' if len(lines) > LINES_SHOWN else '.'}"
    )


# ------------------------------------------------------------------------------------------------ branches


def _branch_questions(runs: Runs) -> Iterator[CodeQuestion]:
    """Yield questions on the first branch that each of two calls takes."""
    labels = runs.program.arms
    first = {
        call: labels[trace.arms[0]] for call, trace in runs.in_random_order if trace.arms and trace.arms[0] in labels
    }
    pairs = [(one, other) for one in first.values() for other in first.values()]
    for one, other in zip([*first][::2], [*first][1::2], strict=False):
        text = "Which branch does each of these calls take first?"
        why = f"First call: {_path(runs.traces[one])} Second call: {_path(runs.traces[other])}"
        right = first[one], first[other]
        wrong = sorted(runs.drawn(pairs), key=lambda pair: len({*pair}) != len({*right}))
        yield from _question(
            runs, QuestionKind.BRANCH, text, (one, other), "; ".join(right), map("; ".join, wrong), why
        )


def _line_questions(runs: Runs) -> Iterator[CodeQuestion]:
    """Yield questions on the only one of four lines that runs in a call, or the only one that doesn't."""
    every = {line for trace in runs.traces.values() for line in trace.lines}
    for call, trace in runs.in_random_order:
        run, others = sorted({*trace.lines}), sorted(every - {*trace.lines})
        for words, right, wrong in runs.drawn((("runs", run, others), ("never runs", others, run))):
            text = f"Which of these lines {words} in this call?"
            chosen = [f"line {line}" for line in runs.drawn(right)[:1]]
            choices = [f"line {line}" for line in runs.drawn(wrong)]
            for each in chosen:
                yield from _question(runs, QuestionKind.LINE, text, (call,), each, choices, _path(trace))


def _input_questions(runs: Runs) -> Iterator[CodeQuestion]:
    """Yield questions on the only one of four calls that takes a branch, or the only one that doesn't."""
    why = {call: _path(trace) for call, trace in runs.traces.items()}
    for number, label in runs.drawn(runs.program.arms.items()):
        takers = {call for call, trace in runs.traces.items() if number in trace.arms}
        for words, right in runs.drawn((("takes", takers), ("never takes", runs.traces.keys() - takers))):
            text = f"Which of these calls {words} {label}?"
            yield from _one_of_four(runs, text, right, why)


# ------------------------------------------------------------------------------------------------ repetition


def _value_questions(runs: Runs) -> Iterator[CodeQuestion]:
    """Yield questions on the value of a name at a later call of a function, or a later round of a loop."""
    for call, trace in runs.in_random_order:
        for each in runs.drawn(runs.program.repeated):
            for name in runs.drawn(each.names)[:1]:
                values = _values(each, name, trace)
                later = [nth for nth, value in enumerate(values) if nth and value]
                if len(set(values)) < 2 or not later:
                    continue
                nth = runs.rng.choice(later)
                elsewhere = [value for other in runs.traces.values() for value in _values(each, name, other) if value]
                in_loop = f"at the start of round {nth + 1} of the loop on line {each.line}"
                moment = in_loop if each.is_loop else f"in call {nth + 1} of `{each.name}`"
                text = f"What is the value of `{name}` {moment}?"
                why = f"The values of `{name}`, in order: {', '.join(values[:LINES_SHOWN])}"
                wrong = (*runs.drawn(filter(None, values)), *runs.drawn(elsewhere))
                yield from _question(runs, QuestionKind.VALUE, text, (call,), values[nth], wrong, why)


def _values(each: Repeated, name: str, trace: Trace) -> list[str]:
    """Return the values of a name at each call or round, as code; "" for a value that is not short."""
    return [values.get(name, "") for number, values in trace.entered if number == each.number]


def _count_questions(runs: Runs) -> Iterator[CodeQuestion]:
    """Yield questions on how often a call takes a branch, calls a recursive function, or goes through a loop."""
    for call, trace in runs.in_random_order:
        for text, count in runs.drawn(_counts(runs.program, trace)):
            if count > 1:
                wrong = runs.drawn(map(str, range(max(0, count - 2), count + 3)))
                why = _path(trace)
                yield from _question(runs, QuestionKind.COUNT, text, (call,), str(count), wrong, why)
                break


def _counts(program: Program, trace: Trace) -> Iterator[tuple[str, int]]:
    """Yield questions that ask for a number of rounds, calls or branches in a run, each with the number."""
    for each in program.repeated:
        loop = f"How many rounds does the loop on line {each.line} make, in all?"
        text = loop if each.is_loop else f"How many times is `{each.name}` called, in all?"
        yield text, sum(number == each.number for number, _ in trace.entered)
    for number, label in program.arms.items():
        yield f"How many times does this call take {label}?", trace.arms.count(number)


QUESTION_MAKERS = _branch_questions, _line_questions, _input_questions, _value_questions, _count_questions
