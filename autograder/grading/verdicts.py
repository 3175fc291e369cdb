"""Verdicts as text: one line that can be pasted, says what came and what should have come, and where they differ."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from itertools import zip_longest
from typing import Any

from autograder.exam.cases import Case, Observation, Opaque
from autograder.exam.model import Call, Exam, Paper
from autograder.sandbox.inside import wire
from autograder.text import from_inside
from course.values import strictly_equal

LONGEST = 240
NOTHING = Opaque("nothing")
KINDS = {tuple: "a tuple", list: "a list", bool: "a truth value", int: "a whole number", float: "a number with a point"}
ALIKE = ({tuple, list}, {bool, int}, {int, float})


def shortened(text: str, longest: int = LONGEST) -> str:
    """Give a text, cut where it is too long to read."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def code(value: object, longest: int = LONGEST) -> str:
    """Give a value as the code that makes it, cut where it is too long to read."""
    return shortened(repr(value), longest)


def call_code(exam: Exam, paper: Paper, call: Call) -> str:
    """Give a call as code that can be pasted: `flip(Domino(1, 2))`, or a `transcript` of it."""
    kind, what, typed, chance = call
    name = paper.exercise.name
    if kind == "example":
        example = paper.exercise.examples[what]
        return "; ".join(" ".join(line.split()) for line in (*example.setup, example.call))
    if kind == "value":
        return name
    groups = [[code(exam.wire.decode(arg), 2000) for arg in group] for group in what]
    if not typed and chance is None and not paper.prints:
        return name + "".join(f"({', '.join(group)})" for group in groups)
    script = [f"typed={typed!r}"] * bool(typed) + [f"chance={chance!r}"] * (chance is not None)
    args = [arg for group in groups for arg in group]
    return f"transcript({', '.join([name, *args, *script])})"


def refusal(exam: Exam, paper: Paper, call: Call, expected: str, got: Any, note: Any) -> str | None:
    """Tell why the observation `got` (a decoded JSON tree) is refused, as a verdict; None if it is accepted."""
    if not wire.fits(got):
        return f"{call_code(exam, paper, call)} gave something that is too large"
    if wire.text_of(got) == expected:
        return None
    want = exam.observation(wire.json.loads(expected))
    try:
        seen = exam.observation(got)
    except wire.WireError:
        return f"{call_code(exam, paper, call)} gave something that is no value of the course"
    reason = _related(exam, paper, exam.case(call), want, seen)
    if reason == "":
        return None
    prints = paper.prints and call[0] != "example"
    return f"{call_code(exam, paper, call)} {_difference(want, seen, note, reason, prints)}"


def _related(exam: Exam, paper: Paper, case: Case, want: Observation, seen: Observation) -> str | None:
    """Give "" if an acceptance relation accepts, its reason if it refuses, None if there is none to ask."""
    relation = getattr(exam.checks, "ACCEPT", {}).get(paper.exercise.name)
    if relation is None or seen.fault:
        return None
    try:
        return relation(case, want, seen) or ""
    except Exception as error:
        return f"which is no such value ({type(error).__name__})"


def _difference(want: Observation, seen: Observation, note: Any, reason: str | None, prints: bool) -> str:
    story = note.get("story", "") if isinstance(note, dict) else ""
    if seen.fault:
        return seen.fault
    if seen.raised and (seen.raised, seen.raised_args) != (want.raised, want.raised_args):
        return f"raised {from_inside(story) or seen.raised}, expected {outcome(want, prints)}"
    if seen.raised:
        return f"raised {seen.raised}, as expected, but {_effect_difference(want, seen)}"
    if reason:
        return f"gave {code(seen.value)}: {reason}"
    if not want.raised and strictly_equal(want.value, seen.value):
        return _effect_difference(want, seen)
    where = "" if want.raised else _where(want.value, seen.value) or _kind(want.value, seen.value)
    return f"gave {outcome(seen, prints)}, expected {outcome(want, prints)}{where}"


def _effect_difference(want: Observation, seen: Observation) -> str:
    """Say what differs where the value or the exception is the right one."""
    if want.printed != seen.printed:
        return _printed_difference(want.printed, seen.printed)
    return f"called {_probes(seen)}, expected {_probes(want)}"


def outcome(seen: Observation, prints: bool) -> str:
    """Give what was observed, as code."""
    if seen.raised:
        args = "" if seen.raised_args is None else f"({', '.join(map(repr, seen.raised_args))})"
        return f"{seen.raised}{args} to be raised"
    return f"({code(seen.value)}, {code(seen.printed)})" if prints else code(seen.value)


def _probes(seen: Observation) -> str:
    calls = [f"{name}({', '.join(map(code, args))})" for name, *args in seen.probes]
    return " then ".join(calls) or "no function that it was given"


def _printed_difference(want: str, seen: str) -> str:
    pairs = zip(want.split("\n") + [None], seen.split("\n") + [None], strict=False)  # type: ignore[list-item]
    for number, (wanted, got) in enumerate(pairs, 1):
        if wanted != got:
            gave = "stopped" if got is None else code(got)
            return f"printed, in line {number}, {gave}, expected {'nothing more' if wanted is None else code(wanted)}"
    return "printed another text"


def _where(want: Any, seen: Any) -> str:
    """Name the first part that differs, where the values are too long to compare by eye."""
    if len(repr(want)) <= LONGEST and len(repr(seen)) <= LONGEST:
        return ""
    found = first_difference(want, seen)
    if found is None or not found[0]:
        return ""
    path, wanted, got = found
    return f"; the first difference is at {path}: {code(got, 100)}, expected {code(wanted, 100)}"


def _kind(want: Any, seen: Any) -> str:
    """Say so where a list is in a tuple's place, or a number in the place of a truth value: it is easily overlooked."""
    path, wanted, got = first_difference(want, seen) or ("", None, None)
    kinds = type(wanted), type(got)
    if {*kinds} not in ALIKE:
        return ""
    return f" ({f'at {path} ' if path else ''}{KINDS[kinds[0]]}, not {KINDS[kinds[1]]})"


def first_difference(want: Any, seen: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """Give the path to the first part in which two values differ, and that part of each; None if they are equal."""
    if type(want) is not type(seen):
        return path, want, seen
    parts = _parts(want, seen)
    for label, one, other in parts:
        if found := first_difference(one, other, path + label):
            return found
    return None if parts or repr(want) == repr(seen) else (path, want, seen)


def _parts(want: Any, seen: Any) -> list[tuple[str, Any, Any]]:
    if isinstance(want, (tuple, list)):
        pairs = zip_longest(want, seen, fillvalue=NOTHING)
        return [(f"[{index}]", one, other) for index, (one, other) in enumerate(pairs)]
    if is_dataclass(want):
        return [(f".{f.name}", getattr(want, f.name), getattr(seen, f.name)) for f in fields(want)]
    return []
