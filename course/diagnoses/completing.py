"""Diagnoses of functions that wait for more arguments, and of arguments of `isinstance` in the wrong order."""

from __future__ import annotations

import ast

from course.diagnoses.evidence import WIDEST, Diagnosis, Evidence, code
from course.diagnoses.failure import GAVE
from course.diagnoses.kinds import signature_of
from course.syntax import expression_of
from course.values import STUDENT_FUNCTION


def _value(e: Evidence) -> ast.expr | None:
    """Return the expression that is assigned to the answer, or None if the answer is a `def`."""
    for top in reversed(e.tops):
        if isinstance(top, ast.Assign | ast.AnnAssign) and top.value is not None:
            return top.value
    return None


def still_waiting(e: Evidence) -> Diagnosis | None:
    """Detect a curried function that got too few arguments: `color_is_lt = precedes(is_same_color)`."""
    call, value = expression_of(e.failure.call), _value(e)
    if e.failure.did != GAVE or e.failure.seen != STUDENT_FUNCTION or not isinstance(call, ast.Call):
        return None
    first = value
    while isinstance(first, ast.Call) and isinstance(first.func, ast.Call):
        first = first.func
    if not isinstance(first, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != e.requirements.name:
        return None
    names = [name for name, _ in signature_of(e, code(first.func))]
    left = names[len(first.args) : len(names) - len(call.args)]
    if not left:
        return None
    listed = " and ".join(f"`{name}`" for name in left)
    says = (
        f"`{code(first.func)}` still waits for its {listed}. "
        f"Pass {'these arguments' if left[1:] else 'that argument'}, too:"
    )
    return Diagnosis(
        says, f"{e.requirements.name} = {code(first.func)}({', '.join([*map(code, first.args), *('…' for _ in left)])})"
    )


def lambda_not_curried(e: Evidence) -> Diagnosis | None:
    """Detect a `lambda` of two parameters for an answer that is called with one argument at a time."""
    value = _value(e)
    if not e.requirements.curried or e.error != "TypeError" or not e.raised(r"^<lambda>\(\) missing") or e.failure.line:
        return None
    match value:
        case ast.Lambda(args=ast.arguments(args=parameters), body=ast.Call(func=function, args=args)):
            names = [each.arg for each in parameters]
            says = f"`{e.requirements.name}` must also take its arguments one at a time. A `lambda` takes all at once."
            if [code(arg) for arg in args[-len(names) :]] == names and code(function) in e.requirements.exercises:
                leading = ", ".join(map(code, args[: -len(names)]))
                return Diagnosis(
                    f"{says} Leave out its parameters:", f"{e.requirements.name} = {code(function)}({leading})"
                )
            return Diagnosis(
                f"{says} Write `curry` around it:", f"{e.requirements.name} = curry({code(value, WIDEST)})"
            )
    return None


def swapped_in_isinstance(e: Evidence) -> Diagnosis | None:
    """Detect `isinstance(Joker, card)`, where the value comes first and then the class."""
    for call in e.calls_here if e.error == "TypeError" and e.raised("isinstance") else ():
        match call:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=kind), value]) if kind in e.given.types:
                says = f"`isinstance` on line {call.lineno} takes the value first, and then the class. Write:"
                return Diagnosis(says, f"isinstance({code(value)}, {kind})")
    return None


def composition_called(e: Evidence) -> Diagnosis | None:
    """Detect `compose(sum, penalties)(hand)` and `compose(sum(), penalties())`, which call what should be composed."""
    value = _value(e)
    if not e.requirements.is_called or not e.error:
        return None
    match value:
        case ast.Call(func=ast.Call(func=ast.Name(id="compose")) as made) if e.error == "NameError":
            says = f"`{e.requirements.name}` is the composed function itself. Do not call anything yet:"
            return Diagnosis(says, f"{e.requirements.name} = {code(made, WIDEST)}")
        case ast.Call(func=ast.Name(id="compose"), args=args) if any(
            isinstance(each, ast.Call) and not each.args for each in args
        ):
            bare = [code(each.func) if isinstance(each, ast.Call) and not each.args else code(each) for each in args]
            says = "`compose` takes functions. Parentheses after a name would call it:"
            return Diagnosis(says, f"{e.requirements.name} = compose({', '.join(bare)})")
    return None


def number_in_a_composition(e: Evidence) -> Diagnosis | None:
    """Detect `compose(sum, penalty)`, where the function that is called first returns a number."""
    if e.failure.line or e.error != "TypeError" or not e.raised("'int' object is not iterable"):
        return None
    match _value(e):
        case ast.Call(func=ast.Name(id="compose"), args=[*_, ast.Name(id=outer), ast.Name(id=inner)]):
            says = f"`compose` calls `{inner}` first, and then `{outer}` with its result. This is a number, but"
            return Diagnosis(f"{says} `{outer}` needs items. Which function returns a tuple?")
    return None


def part_as_key(e: Evidence) -> Diagnosis | None:
    """Detect `sorted(hand, key=value)`, where the value is a part of each card."""
    match = e.raised(r"name '(\w+)' is not defined") if e.error == "NameError" else None
    for call in e.calls_here if match and match[1] in e.given.fields else ():
        if any(word.arg == "key" and code(word.value) == match[1] for word in call.keywords if match):
            says = f"`key` needs a function, and `{match[1]}` is only a part of each item. Write:" if match else ""
            return Diagnosis(says, f"key=lambda each: each.{match[1]}" if match else "")
    return None


COMPLETING = (
    composition_called,
    number_in_a_composition,
    part_as_key,
    still_waiting,
    lambda_not_curried,
    swapped_in_isinstance,
)
