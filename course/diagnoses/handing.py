"""Diagnoses of functions that are passed to other functions, and of items where tuples are expected."""

from __future__ import annotations

import ast
import re
from copy import deepcopy

from course.diagnoses.evidence import LONGEST_CODE, Diagnosis, Evidence, called, code, own_nodes
from course.diagnoses.kinds import signature_of
from course.diagnoses.passing import WithoutCalls, is_complete, kinds_wanted
from course.syntax import expression_of


def tuple_of_calls(e: Evidence) -> Diagnosis | None:
    """Detect `stages = first(view), second(view)`, where a tuple of functions is passed on."""
    if not e.is_raised_inside or "object is not callable" not in (e.failure.seen or ""):
        return None
    for node in [each for each in e.all(ast.Tuple) if each not in e.here]:
        early = [each for each in node.elts if is_complete(e, each)]
        if early and e.failure.inside:
            where = f"Line {node.lineno} calls `{called(early[0])}`"
            says = f"{where}, but `{e.failure.inside.name}` takes the functions themselves. Write:"
            return Diagnosis(says, code(WithoutCalls(early).visit(deepcopy(node)), LONGEST_CODE)[1:-1])
    return None


def other_count_of_arguments(e: Evidence) -> Diagnosis | None:
    """Detect `input_move(choose, choose)`, where a passed function is called with more arguments than it takes."""
    match = re.search(r"(\w+)\(\) takes (\d+) positional arguments? but (\d+) w", e.failure.seen or "")
    if not e.is_raised_inside or not match or not e.failure.inside:
        return None
    for call in e.calls_here:
        if called(call) == e.failure.inside.name and match[1] in map(code, call.args):
            says = (
                f"Line {call.lineno} passes `{match[1]}` to `{called(call)}`, which calls it with {match[3]} arguments."
            )
            names = ", ".join("abcdef"[: int(match[3])])
            example = f"lambda {names}: {match[1]}(({names}))" if match[2] == "1" else ""
            return Diagnosis(f"{says} It takes {match[2]}. Write a function that fits:", example)
    return None


def helper_without_return(e: Evidence) -> Diagnosis | None:
    """Detect a local function that is passed on and returns nothing."""
    for call in e.calls_here if e.is_raised_inside and "NoneType" in (e.failure.seen or "") else ():
        for name in map(code, call.args):
            helper = e.functions.get(name)
            returns = [n for n in own_nodes(helper) if isinstance(n, ast.Return)] if helper else []
            if isinstance(helper, ast.FunctionDef) and not returns:
                return Diagnosis(
                    f"`{name}` on line {helper.lineno} returns nothing, so its value is `None`. Add:", "return …"
                )
    return None


def list_in_a_tuple(e: Evidence) -> Diagnosis | None:
    """Detect `(first, others)`, where `others` is a list whose items belong in the tuple."""
    starred = {code(n.value) for n in e.all(ast.Starred) if isinstance(n.ctx, ast.Store)}
    for node in e.all(ast.Tuple) if "'list' object has no attribute" in (e.failure.seen or "") else ():
        if (names := starred & {*map(code, node.elts)}) and isinstance(node.ctx, ast.Load):
            name = names.pop()
            says = f"`{name}` on line {node.lineno} is a list, so this tuple contains a list. A star spreads its items:"
            return Diagnosis(says, re.sub(rf"(?<=[(, ]){name}(?=[,)])", f"*{name}", code(node, LONGEST_CODE)))
    return None


def item_with_slice(e: Evidence) -> Diagnosis | None:
    """Detect `Desk(players, cards[0], cards[1:], …)`, where the second argument must be a tuple, too."""
    for call in e.all(ast.Call):
        wanted = kinds_wanted(e, called(call))
        for index, (kinds, arg) in enumerate(zip(wanted, call.args, strict=False)):
            if kinds == {"tuple"} and (items := _first_with_rest(call, arg)):
                name = signature_of(e, called(call))[index][0]
                says = (
                    f"Line {call.lineno} passes `{code(arg)}`, but `{name}` must be a tuple. A slice of it is a tuple:"
                )
                changed = deepcopy(call)
                changed.args[index] = ast.Name(f"{items}[:1]")
                return Diagnosis(says, code(changed, LONGEST_CODE))
    return None


def _first_with_rest(call: ast.Call, arg: ast.expr) -> str:
    """Return the tuple of which a call takes the first item alone and the others as a slice; or ""."""
    match arg:
        case ast.Subscript(value=ast.Name(id=items), slice=ast.Constant(value=0)):
            slices = [
                each for each in call.args if isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Slice)
            ]
            return items if items in [code(each.value) for each in slices] else ""
    return ""


def called_too_often(e: Evidence) -> Diagnosis | None:
    """Detect `tuple(stage(view) for stage in stages)`, which calls more functions than necessary."""
    inside, call = e.failure.inside, expression_of(e.failure.call)
    passed = {node.id for node in ast.walk(call) if isinstance(node, ast.Name)} if call else set()
    for node in e.calls_here if inside and inside.name in passed else ():
        match node:
            case ast.Call(func=ast.Name(id="tuple" | "list"), args=[ast.GeneratorExp(elt=ast.Call(func=function))]):
                if inside and _is_loop_name(node.args[0], code(function)):
                    says = f"Line {node.lineno} calls every `{code(function)}`, even `{inside.name}`, which must "
                    way = "not be called here. A generator calls only the functions that are needed:"
                    return Diagnosis(f"{says}{way}", code(node.args[0], LONGEST_CODE))
    return None


def _is_loop_name(items: ast.expr, name: str) -> bool:
    return isinstance(items, ast.GeneratorExp) and code(items.generators[0].target) == name


HANDING = (tuple_of_calls, other_count_of_arguments, helper_without_return, list_in_a_tuple, called_too_often)
HANDING_TEXT = (item_with_slice,)
