"""Diagnoses of calls with too many or too few arguments, made by the learner or by another function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from course.diagnoses.evidence import LONGEST_CODE, WIDEST, Diagnosis, Evidence, called, code, positional_parameters
from course.diagnoses.kinds import parts_of, signature_of
from course.diagnoses.looping import fold_by, step_order
from course.syntax import expression_of

TWO = ("fold_left", "fold_right", "reduce", "accumulate")
ONE = ("map", "filter", "find", "sorted", "max", "min", "takewhile", "dropwhile")
NUMBERS = ("no arguments", "one argument", "two arguments", "three arguments")


def _names_taken(e: Evidence, name: str) -> list[str]:
    """Return the parameters of a learner's function, an exercise, or a given function."""
    if function := e.functions.get(name):
        return [arg.arg for arg in positional_parameters(function)]
    return [parameter for parameter, _ in signature_of(e, name)]


def too_many_or_few(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a wrong number of arguments for a function that is called, or passed on and called later."""
    match = e.raised(r"(\w+)(?:\.__init__)?\(\) (?:takes|missing|got)", "TypeError")
    names = _names_taken(e, match[1]) if match else []
    if not match or not names:
        return
    name = match[1]
    call = next((call for call in e.calls_here if called(call) == name), None)
    if call is None:
        yield from _handed_on(e, name, names)
        return
    count = len(call.args) + len(call.keywords)
    if count == len(names) or any(isinstance(arg, ast.Starred) for arg in call.args):
        return
    yield from _applied_in_part(e, call, names)
    yield Diagnosis(
        f"`{name}` takes {_number(len(names))}, but line {call.lineno} passes {count}.", f"{name}({', '.join(names)})"
    )


def _applied_in_part(e: Evidence, call: ast.Call, names: list[str]) -> Iterator[Diagnosis]:
    """Detect `filter(fits(top=view.top), cards)`: the call lacks the argument that `filter` would pass."""
    outer, passed = e.parents.get(call), {*names[: len(call.args)], *(word.arg for word in call.keywords)}
    left = [name for name in names if name not in passed]
    if called(outer) not in ONE or not isinstance(outer, ast.Call) or call is not outer.args[0] or len(left) != 1:
        return
    item = ast.Name(left[0])
    is_first = left == names[:1] and not call.args
    is_last = left == names[-1:] and not call.keywords
    args, words = ([*call.args, item], []) if is_first or is_last else (call.args, [ast.keyword(left[0], item)])
    call_code = code(ast.Call(call.func, args, [*call.keywords, *words]), LONGEST_CODE)
    yield Diagnosis(
        f"`{called(outer)}` on line {call.lineno} needs a function of one item, but `{called(call)}(…)` is "
        "called at once. Write a `lambda` around it:",
        f"lambda {left[0]}: {call_code}",
    )


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else f"{count} arguments"


def _handed_on(e: Evidence, name: str, names: list[str]) -> Iterator[Diagnosis]:
    """Return a message about a function that `map`, `filter` or a fold calls with another number of arguments."""
    for call in e.calls_here:
        higher, handed = called(call), [*call.args[:1], *(word.value for word in call.keywords if word.arg == "key")]
        if higher == "accumulate":
            handed = call.args[1:2]
        if name not in map(code, handed) or higher not in (*ONE, *TWO):
            continue
        count = 2 if higher in TWO else 1
        fitting = _fitting(e, name, names, call)
        says = f"`{higher}` on line {call.lineno} calls `{name}` with {_number(count)}"
        order = f": {step_order(higher)}" if count == 2 else ""
        says = f"{says}{order}. But `{name}` takes {_number(len(names))}."
        if count == 1 and len(names) == 2 and (example := fold_by(e, name, call)):
            yield Diagnosis(f"{says} To compare items two by two, use a fold:", example)
        yield Diagnosis(f"{says} Write a function that fits:" if fitting else says, fitting)


def _fitting(e: Evidence, name: str, names: list[str], call: ast.Call) -> str:
    """Return a lambda that takes the right number of arguments, or "" if the other arguments are not known."""
    if called(call) in TWO:
        step = _step_of(call).format(f"{name}({names[0]})")
        order = f"{names[0]}, so_far" if called(call) == "fold_right" else f"so_far, {names[0]}"
        return f"lambda {order}: {step}" if len(names) == 1 else ""
    return f"lambda {names[0]}: {name}({', '.join(names)})" if {*names[1:]} <= e.bound else ""


def _step_of(fold: ast.Call) -> str:
    """Return how a fold adds a value to its start: to a number or to a tuple."""
    match fold.args:
        case [_, ast.Constant(value=int()), _]:
            return "so_far + {}"
        case [_, ast.Tuple(elts=[]), _]:
            return "(*so_far, {})"
    return "… {} …"


def tuple_not_spread(e: Evidence) -> Iterator[Diagnosis]:
    """Detect one tuple with all arguments in a call of a parameter that is a function: `select_end(ways)`."""
    for call in e.calls_here if e.raised(r"\(\) missing \d+ required positional", "TypeError") else ():
        match call:
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(id=items)], keywords=[]):
                count = _arguments_of(dict(e.requirements.parameters).get(name, ""))
                if count > 1:
                    yield Diagnosis(
                        f"`{name}` takes {_number(count)}, but line {call.lineno} passes one tuple. A `*` spreads it:",
                        f"{name}(*{items})",
                    )


def _arguments_of(annotation: str) -> int:
    """Return how many arguments a `Callable[[…], …]` takes; 0 for other annotations."""
    match expression_of(annotation):
        case ast.Subscript(value=ast.Name(id="Callable"), slice=ast.Tuple(elts=[ast.List(elts=parts), _])):
            return len(parts)
    return 0


def part_without_its_name(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `replace(player, player.score + 1)`, and a part that does not exist."""
    call = next((call for call in e.calls_here if called(call) == "replace"), None)
    if call is None or e.error != "TypeError" or "replace" not in e.given.functions:
        return
    if e.raised(r"replace\(\) takes") and len(call.args) == 2:
        changed = call.args[1]
        part = next(
            (n.attr for n in ast.walk(changed) if isinstance(n, ast.Attribute) and n.attr in e.given.fields), "…"
        )
        yield Diagnosis(
            f"`replace` on line {call.lineno} needs the name of the part that it changes:",
            f"replace({code(call.args[0])}, {part}={code(changed, WIDEST)})",
        )
    if match := e.raised(r"(\w+)\.__init__\(\) got an unexpected keyword argument '(\w+)'"):
        parts = parts_of(e, match[1])
        near, listed = e.near(match[2], parts), ", ".join(f"`{part}`" for part in parts)
        says = f"`{match[1]}` has no part `{match[2]}`."
        yield Diagnosis(f"{says} Did you mean `{near}`?" if near else f"{says} Its parts are {listed}.")


def fold_from_none(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a fold that starts with None, although its function takes an item."""
    kinds = e.failure.inside.kinds if e.failure.inside else ()
    for call in e.calls_here if "NoneType" in (e.failure.seen or "") or "NoneType" in kinds else ():
        match call:
            case ast.Call(func=ast.Name(id="fold_left"), args=[_, ast.Constant(value=None), items]):
                yield Diagnosis(
                    f"The fold on line {call.lineno} starts with `None`, so its function gets `None` first. "
                    "Start with the first item:",
                    f"{code(items)}[0]",
                )


COUNTED = (
    part_without_its_name,
    tuple_not_spread,
    too_many_or_few,
)
