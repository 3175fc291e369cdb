"""Make questions about an answer's own code. The answer runs, so every right choice is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, islice, zip_longest
from random import Random

from course.exam.calls import Names
from course.viva.changing import edited_programs, swapped_programs
from course.viva.program import Program, Repeated, program_in
from course.viva.running import Trace, traces_of

CHOICES, MOST_CALLS, LONGEST_CALL, LONGEST_CHOICE = 4, 24, 100, 80
MOST_OF_A_KIND, MOST_CHANGES = 4, 10


class QuestionKind(StrEnum):
    """What a question is about."""

    BRANCH = "branch"  # the branch that a call takes
    INPUT = "input"  # the call that takes a branch
    VALUE = "value"  # what a name holds at the n-th call or round
    COUNT = "count"  # how many calls or rounds there are
    SWAP = "swap"  # the call that comes out differently if two branches change places
    CHANGE = "change"  # the call that comes out differently after a small change


@dataclass(frozen=True)
class CodeQuestion:
    """A question about the code of an answer: exactly one choice is right.

    `call` is the call that it is about, or "" if the choices are calls. `about` are the numbers of the branch or the
    function, and of the call or round, in the order in which they are written.
    """

    kind: QuestionKind
    text: str
    code: str
    call: str
    choices: tuple[str, ...]
    right: int
    why: str
    unit: str = ""
    exercise: str = ""


@dataclass(frozen=True)
class Runs:
    """A program, its calls, and what each did; `rng` draws what to ask."""

    program: Program
    calls: tuple[str, ...]
    traces: tuple[Trace, ...]
    names: Names
    rng: Random


def questions_about(
    source: str, name: str, names: Names, calls: Iterable[str], seed: str, unit: str = ""
) -> tuple[CodeQuestion, ...]:
    """Return questions about the code of the answer `name`: first one of each kind, then more, as drawn by the seed.

    `source` is the cell that defines the answer, `names` the namespace in which it runs, and `calls` are calls of the
    answer as code. There are none if the answer has no branch and repeats nothing.
    """
    program = program_in(source, name)
    if program is None or not (program.arms or program.repeated):
        return ()
    rng = Random(f"{seed} {name} {source}")
    short = [call for call in dict.fromkeys(calls) if len(call) <= LONGEST_CALL]
    pairs = zip(short, traces_of(program, short[:MOST_CALLS], names), strict=False)
    able = [(call, trace) for call, trace in pairs if trace]
    runs = Runs(program, tuple(call for call, _ in able), tuple(trace for _, trace in able), names, rng)
    by_kind = [tuple(islice(make(runs), MOST_OF_A_KIND)) for make in rng.sample(MAKERS, len(MAKERS))]
    in_turn = chain.from_iterable(zip_longest(*by_kind))
    return tuple(replace(each, code=source, unit=unit, exercise=name) for each in in_turn if each)


def _question(
    runs: Runs, kind: QuestionKind, text: str, call: str, right: str, wrong: Iterable[str], why: str
) -> Iterator[CodeQuestion]:
    """Yield the question if there are enough wrong choices, all different from the right one."""
    others = [each for each in dict.fromkeys(wrong) if each != right and len(each) <= LONGEST_CHOICE]
    if len(others) >= CHOICES - 1 and len(right) <= LONGEST_CHOICE:
        choices = [right, *others[: CHOICES - 1]]
        runs.rng.shuffle(choices)
        yield CodeQuestion(kind, text, "", call, tuple(choices), choices.index(right), why)


def _drawn(runs: Runs, items: Iterable[object]) -> list:  # type: ignore[type-arg]
    drawn = list(items)
    runs.rng.shuffle(drawn)
    return drawn


# ------------------------------------------------------------------------------------------------ branches


def _branch_questions(runs: Runs) -> Iterator[CodeQuestion]:
    """Yield questions on the first branch that each of two calls takes."""
    labels = {arm.number: arm.label for arm in runs.program.arms}
    first = [
        (call, labels[trace.arms[0]])
        for call, trace in zip(runs.calls, runs.traces, strict=True)
        if trace.arms and trace.arms[0] in labels
    ]
    drawn = _drawn(runs, first)
    for (one, its), (other, others) in zip(drawn[::2], drawn[1::2], strict=False):
        wrong = _drawn(runs, (f"{a}; {b}" for _, a in first for _, b in first if (a, b) != (its, others)))
        text = "Which branch does each of these calls take first?"
        right = f"{its}; {others}"
        yield from _question(runs, QuestionKind.BRANCH, text, f"{one}\n{other}", right, wrong, "")


def _input_questions(runs: Runs) -> Iterator[CodeQuestion]:
    for arm in _drawn(runs, runs.program.arms):
        takes = [arm.number in trace.arms for trace in runs.traces]
        text = f"Which of these calls takes {arm.label}?"
        yield from _one_of_four(runs, QuestionKind.INPUT, text, takes)
        text = f"Which of these calls never takes {arm.label}?"
        yield from _one_of_four(runs, QuestionKind.INPUT, text, [not each for each in takes])


def _one_of_four(runs: Runs, kind: QuestionKind, text: str, is_right: Sequence[bool]) -> Iterator[CodeQuestion]:
    """Yield the question which of four calls is the right one. Wrong calls with the same outcome come first."""
    numbers = _drawn(runs, range(len(runs.calls)))
    for number in [number for number in numbers if is_right[number]][:1]:
        outcome = runs.traces[number].outcome
        wrong = sorted(
            (other for other in numbers if not is_right[other]), key=lambda other: runs.traces[other].outcome != outcome
        )
        yield from _question(runs, kind, text, "", runs.calls[number], (runs.calls[other] for other in wrong), "")


# ------------------------------------------------------------------------------------------------ repetition


def _value_questions(runs: Runs) -> Iterator[CodeQuestion]:
    for number in _drawn(runs, range(len(runs.calls))):
        for each in _drawn(runs, runs.program.repeated):
            entered = [entry.values for entry in runs.traces[number].entered if entry.number == each.number]
            for name in each.names:
                values = [entry.get(name, "") for entry in entered]
                if len(set(values)) > 1 and len(values) > 1:
                    nth = runs.rng.randrange(1, len(values))
                    others = [
                        value
                        for trace in runs.traces
                        for entry in trace.entered
                        for value in [entry.values.get(name, "")]
                        if value
                    ]
                    text = f"What does `{name}` hold at {_moment(each, nth)}?"
                    if values[nth]:
                        yield from _question(
                            runs,
                            QuestionKind.VALUE,
                            text,
                            runs.calls[number],
                            values[nth],
                            _drawn(runs, filter(None, values)) + _drawn(runs, others),
                            "",
                        )
                        break


def _moment(each: Repeated, nth: int) -> str:
    if each.is_loop:
        return f"the start of round {nth + 1} of the loop on line {each.line}"
    return f"call {nth + 1} of `{each.name}`"


def _count_questions(runs: Runs) -> Iterator[CodeQuestion]:
    for number in _drawn(runs, range(len(runs.calls))):
        for each in _drawn(runs, runs.program.repeated):
            count = sum(entry.number == each.number for entry in runs.traces[number].entered)
            what = (
                f"rounds does the loop on line {each.line} make" if each.is_loop else f"times is `{each.name}` called"
            )
            if count > 1:
                others = _drawn(runs, (count - 2, count - 1, count + 1, count + 2))
                yield from _question(
                    runs,
                    QuestionKind.COUNT,
                    f"How many {what}, in all?",
                    runs.calls[number],
                    str(count),
                    map(str, others),
                    "",
                )


# ------------------------------------------------------------------------------------------------ changes


def _change_questions(
    kind: QuestionKind, changed: Callable[[Program], Iterator[tuple[str, Program]]], runs: Runs
) -> Iterator[CodeQuestion]:
    for words, program in _drawn(runs, changed(runs.program))[:MOST_CHANGES]:
        traces = traces_of(program, runs.calls, runs.names)
        if None not in traces:
            differs = [one.outcome != other.outcome for one, other in zip(runs.traces, traces, strict=True) if other]
            yield from _one_of_four(runs, kind, f"Which of these calls would come out differently if {words}?", differs)


def _swap_questions(runs: Runs) -> Iterator[CodeQuestion]:
    return _change_questions(QuestionKind.SWAP, swapped_programs, runs)


def _edit_questions(runs: Runs) -> Iterator[CodeQuestion]:
    return _change_questions(QuestionKind.CHANGE, edited_programs, runs)


MAKERS = (_branch_questions, _input_questions, _value_questions, _count_questions, _swap_questions, _edit_questions)
