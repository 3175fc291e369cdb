"""Diagnoses of exceptions, from the message and the line that raised it."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from typing import TypeGuard

from course.diagnoses.counting import standing_still
from course.diagnoses.evidence import (
    LONGEST_CODE,
    Diagnosis,
    Evidence,
    addends,
    body_of,
    called,
    code,
    own_nodes,
    positional_parameters,
    with_article,
)
from course.diagnoses.failure import SLOW
from course.diagnoses.kinds import ITERATORS, kind_words, parts_of
from course.diagnoses.looping import compared_two_by_two, not_iterable, step_order
from course.diagnoses.naming import not_defined
from course.diagnoses.obstacle import first_cell_text
from course.diagnoses.tupling import tuple_and_item
from course.form.given import BUILTINS, field_names, members_of
from course.form.reading import MUTATORS, Function
from course.syntax import bound_names

FOLDS = ("fold_left", "fold_right", "reduce")
# how to call the functions that take another function, and those whose arguments are often swapped
ORDERS = {
    "fold_left": "fold_left(step, start, items)",
    "fold_right": "fold_right(step, start, items)",
    "reduce": "reduce(step, items, start)",
    "map": "map(function, items)",
    "filter": "filter(test, items)",
    "find": "find(test, items)",
    "sorted": "sorted(items, key=function)",
    "min": "min(items, key=function)",
    "max": "max(items, key=function)",
    "accumulate": "accumulate(items, step, initial=start)",
    "combinations": "combinations(items, size)",
}
CONSTANTS = {"true": "True", "false": "False", "none": "None", "null": "None", "nil": "None"}
LEAVING = ("exit", "quit")
# How to import what the warm-up teaches; other notebooks do not import it.
TAUGHT_IMPORTS = {
    **{name: f"from itertools import {name}" for name in ("accumulate", "pairwise")},
    **{name: f"from functools import {name}" for name in ("partial", "reduce")},
    **{name: f"import {name}" for name in ("functools", "itertools")},
}
CALLABLES = ("function", "method", "builtin_function_or_method", "type", "curry")


# ------------------------------------------------------------------------------------------------ names


def _unknown_name(e: Evidence) -> str:
    match = e.raised(r"name '(\w+)' is not defined", "NameError")
    return match[1] if match else ""


def leaving(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a call of `exit`, which quits Python or does not exist."""
    if e.error == "SystemExit" or _unknown_name(e) in LEAVING:
        yield Diagnosis(f"`{_unknown_name(e) or 'exit'}()` quits Python. To leave a function, use `return`.")


def undefined_name(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a name that is not defined."""
    if not (name := _unknown_name(e)):
        return
    if name in CONSTANTS:
        yield Diagnosis(f"In Python, `{name}` is written `{CONSTANTS[name]}`.")
    if name in e.not_imported:
        yield Diagnosis(f"`{name}` is not imported yet. {first_cell_text(e.requirements.module, e.requirements.name)}")
    if name in e.defined_now:
        yield Diagnosis(f"`{name}` is defined now. Run the cell of `{e.requirements.name}` again (Shift-Enter).")
    if name in e.elsewhere:
        yield Diagnosis(
            f"{_capital(e.elsewhere[name])} defines `{name}`. Run it to its end (Shift-Enter), then check again."
        )
    if name in e.requirements.exercises:
        yield Diagnosis(f"`{name}` is an exercise. Run its cell first.")
    if (owner := _owner_of(e, name)) and owner != e.failure.label:
        yield Diagnosis(f"`{name}` exists only inside `{owner}`. Pass it as an argument, or return it.")
    if name in TAUGHT_IMPORTS:
        yield Diagnosis(f"`{name}` is not imported. Write this above `def`:", TAUGHT_IMPORTS[name])
    yield from _part_without_its_value(e, name)
    yield not_defined(e, name)


def _part_without_its_value(e: Evidence, name: str) -> Iterator[Diagnosis]:
    """Detect the name of a field without the parameter before it."""
    for parameter, (_, kind) in zip(e.parameters, e.requirements.parameters, strict=False):
        if name in parts_of(e, kind):
            yield Diagnosis(f"`{name}` is a part of `{parameter}`. Write `{parameter}.{name}`.")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _owner_of(e: Evidence, name: str) -> str:
    """Return the function with a local variable of this name, if the failed line is outside that function."""
    line = e.failure.line
    for owner, function in e.functions.items():
        inside = function.lineno <= line <= (function.end_lineno or 0)
        stored = {n.id for n in own_nodes(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if name in stored | {arg.arg for arg in positional_parameters(function)} and not inside:
            return owner
    return ""


def unbound_name(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a variable that has no value yet."""
    match = e.raised(r"(?:local|free) variable '(\w+)'", "UnboundLocalError", "NameError")
    if not match:
        return
    name = match[1]
    yield from _start_in_a_loop(e, name)
    rows = sorted(n.lineno for n in e.all(ast.Name) if n.id == name and isinstance(n.ctx, ast.Store))
    if rows and name in e.given.names | e.requirements.exercises | BUILTINS:
        whose = "Python's own" if name in BUILTINS - e.given.names else "the given name"
        yield Diagnosis(
            f"Line {rows[0]} assigns `{name}`, so in this whole function `{name}` is your own variable and not "
            f"{whose}. Rename your variable."
        )
    where = f" Line {rows[0]} assigns it, but does not always run first." if rows else ""
    yield Diagnosis(f"`{name}` is used before it has a value.{where} Assign it in every case, or earlier.")


def _start_in_a_loop(e: Evidence, name: str) -> Iterator[Diagnosis]:
    """Detect `total = total + …` in a loop, before `total` has a first value."""
    for node in e.all(ast.Assign, ast.AugAssign):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=target)], value=ast.BinOp(left=ast.Name(), right=more))
                | ast.AugAssign(target=ast.Name(id=target), value=more)
            ):
                if target == name and any(isinstance(n, ast.For | ast.While) for n in e.above(node)):
                    yield Diagnosis(
                        f"`{name}` on line {node.lineno} needs a value to start from. Write before the loop:",
                        f"{name} = {'()' if isinstance(more, ast.Tuple) else '0'}",
                    )


NEWER = {  # names of Python's own modules, with the version that they are new in
    "batched": "3.12",
    "sumprod": "3.12",
    "override": "3.12",
    "deprecated": "3.13",
    "TypeIs": "3.13",
    "ReadOnly": "3.13",
    "Placeholder": "3.14",
    "annotationlib": "3.14",
    "compression": "3.14",
}


def missing_module(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an import of a module that is not there, or of a name that only a newer Python has."""
    match = e.raised(r"(?:No module named|cannot import name) '([\w.]+)'", "ModuleNotFoundError", "ImportError")
    if not match:
        return
    name = match[1].split(".")[0]
    if name in NEWER:
        here = "{}.{}".format(*sys.version_info)
        yield Diagnosis(
            f"`{name}` is new in Python {NEWER[name]}, and this is Python {here}. Write that step yourself."
        )
    elif e.error == "ModuleNotFoundError":
        own = f"There is no module `{name}` here. Copy what you need from a file of your own into this notebook."
        allowed = ", ".join(each for each in e.requirements.policy.imports if not each.startswith("_"))
        yield Diagnosis(f"{own} Otherwise, use only these modules: {allowed}.")


def rebound_name(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a given name that some cell has redefined."""
    if own := next((node.id for node in e.all(ast.Name) if node.id in e.hidden and node.id not in e.bound), ""):
        yield Diagnosis(f"`{own}` is {e.hidden[own]}. Rename that variable, then run:", f"del {own}")
    name = next((node.id for node in e.all(ast.Name) if node.id in e.rebound), "")
    if not name or (e.error and e.here and not any(getattr(node, "id", "") == name for node in e.here)):
        return
    yield Diagnosis(
        f"{_capital(e.rebound[name])} redefines `{name}`. Use another name there, then run the first cell again."
    )


# ------------------------------------------------------------------------------------------------ attributes, None


def nothing_where_a_value_was(e: Evidence) -> Iterator[Diagnosis]:
    """Detect None where another value is needed, and find out where it comes from."""
    if "NoneType" not in e.message or e.error not in ("AttributeError", "TypeError") or not e.failure.line:
        return
    for call in e.calls_here:
        function = e.functions.get(called(call))
        if function is not None and not _returns(function):
            yield Diagnosis(f"`{called(call)}` returns nothing, so its value is `None`. It needs a `return`.")
    for node in e.all(ast.Call):
        is_used = not isinstance(e.parents.get(node), ast.Expr)
        if is_used and isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS:
            yield mutating_call(e, node)
    yield Diagnosis(
        "Something on this line is `None`: a function returned nothing, or did not find anything. Test for "
        "that case first."
    )


def mutating_call(e: Evidence, call: ast.Call) -> Diagnosis:
    """Explain what `append` and similar methods do and return, and show the line without them."""
    assert isinstance(call.func, ast.Attribute)
    name, outer = call.func.attr, e.parents.get(call)
    says = f"`.{name}(…)` on line {call.lineno} changes a list in place. It returns `None`, not the list."
    new = _new_items(call)
    match outer:
        case ast.Return() if new:
            return Diagnosis(f"{says} Write:", f"return {new}")
        case ast.Assign(targets=[ast.Name(id=target)]) if new:
            return Diagnosis(f"{says} Write:", f"{target} = {new}")
    return Diagnosis(says)


def _returns(function: Function | ast.Lambda) -> bool:
    if isinstance(function, ast.Lambda):
        return True
    return any(isinstance(n, ast.Return) and n.value is not None for n in own_nodes(function)) or any(
        isinstance(n, (ast.Yield, ast.Raise)) for n in own_nodes(function)
    )


def fixed_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an attempt to change a tuple, a string or a frozen value."""
    if match := e.raised(
        r"'(tuple|str)' object has no attribute '(append|extend|insert|remove|pop|sort|reverse|add|clear)'"
    ):
        yield Diagnosis(
            f"A {match[1]} cannot be changed, so it has no `.{match[2]}`. Make a new one:", _made_with(e, match[2])
        )
    if e.raised(r"'(tuple|str)' object does not support item (assignment|deletion)"):
        yield Diagnosis("A tuple cannot be changed. Make a new one:", _made_with_item(e))


def _made_with(e: Evidence, method: str) -> str:
    """Return the line with an expression that makes a new tuple, instead of `append` or a similar method."""
    for call in e.calls_here:
        if isinstance(call.func, ast.Attribute) and call.func.attr == method and (new := _new_items(call)):
            owner = call.func.value
            return f"{code(owner, LONGEST_CODE)} = {new}" if isinstance(owner, ast.Name) else new
    return e.in_words("(*items, item)")


def _new_items(call: ast.Call) -> str:
    """Return the expression for a new tuple, instead of `append` or a similar method; "" for other methods."""
    assert isinstance(call.func, ast.Attribute)
    items, args = code(call.func.value, LONGEST_CODE), [code(arg, LONGEST_CODE) for arg in call.args]
    item, words = args[-1] if args else "…", [f"{each.arg}={code(each.value, LONGEST_CODE)}" for each in call.keywords]
    return {
        "append": f"(*{items}, {item})",
        "add": f"(*{items}, {item})",
        "extend": f"(*{items}, *{item})",
        "insert": f"({item}, *{items})" if args[:1] == ["0"] else f"(*{items}, {item})",
        "remove": f"tuple(each for each in {items} if each != {item})",
        "pop": f"{items}[1:]" if item == "0" else f"{items}[:-1]",
        "sort": f"tuple(sorted({', '.join([items, *words])}))",
        "reverse": f"{items}[::-1]",
        "clear": "()",
    }.get(call.func.attr, "")


def _made_with_item(e: Evidence) -> str:
    """Return the line that makes a new tuple, instead of assigning to one item."""
    for node in e.here:
        match node:
            case ast.Assign(targets=[ast.Subscript(value=owner, slice=index)], value=item):
                items, row = code(owner, 32), code(index, 24)
                after = code(ast.BinOp(index, ast.Add(), ast.Constant(1)), 24)
                new = f"(*{items}[:{row}], {code(item, 40)}, *{items}[{after}:])"
                return f"{items} = {new}" if isinstance(owner, ast.Name) and row != "-1" else new
            case ast.Assign(targets=[ast.Tuple(elts=[ast.Subscript(value=owner) as one, ast.Subscript() as other])]):
                items = code(owner)
                if {code(one), code(other)} == {f"{items}[0]", f"{items}[-1]"}:
                    return f"{items} = ({items}[-1], *{items}[1:-1], {items}[0])"
    return e.in_words("(*items[:place], item, *items[place + 1 :])")


def missing_attribute(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an attribute that a value does not have."""
    match = e.raised(r"(?:type )?(?:object )?'(\w+)'(?: object)? has no attribute '(\w+)'", "AttributeError")
    if not match:
        return
    kind, name = match[1], match[2]
    if kind in CALLABLES:
        yield Diagnosis(f"There is a function before `.{name}`, and it was not called. Add its parentheses: `(…)`.")
    cls = e.given.types.get(kind) or getattr(builtins, kind, None)
    among = [each for each in dir(cls) if not each.startswith("_")] if isinstance(cls, type) else []
    parts = field_names(cls)
    if near := e.near(name, dict.fromkeys([*parts, *among])):
        yield Diagnosis(f"`{kind}` has no `.{name}`. Did you mean `.{near}`?")
    yield from _inner_part(e, parts, name)
    if parts:
        yield Diagnosis(f"`{kind}` has no `.{name}`. Its parts are {_listed(parts)}.")
    if isinstance(cls, type) and cls not in (tuple, list) and (owner := _class_with(e, name, kind)):
        yield Diagnosis(
            f"`{owner}` has a part `.{name}`, but this value is {kind_words(kind)}. Test first which of the two it is."
        )


def _inner_part(e: Evidence, parts: list[str], name: str) -> Iterator[Diagnosis]:
    """Detect `card.number` for `card.rank.number`: a part of a part."""
    owner = next((code(n.value) for n in e.here if isinstance(n, ast.Attribute) and n.attr == name), "")
    for part in parts if owner else ():
        if any(name in field_names(kind) for kind in members_of(e.given.fields.get(part))):
            yield Diagnosis(
                f"`{owner}` has no `.{name}` itself, but its `.{part}` can have one. Write:", f"{owner}.{part}.{name}"
            )


def _class_with(e: Evidence, name: str, kind: str) -> str:
    """Return a class with a field of this name, at best one that is in a union with another class, or ""."""
    types = e.given.types
    together = (
        [members_of(each) for each in types.values() if {types[kind]} < members_of(each)] if kind in types else []
    )
    owners = [each for each, cls in types.items() if name in field_names(cls)]
    return next((each for each in owners if any(types[each] in members for members in together)), (*owners, "")[0])


def _listed(names: list[str]) -> str:
    return ", ".join(f"`.{name}`" for name in names)


# ------------------------------------------------------------------------------------------------ calls


def arguments_in_another_order(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a fold, `map`, `sorted` or a similar call with its arguments in the wrong order."""
    for call in e.calls_here if e.error in ("TypeError", "ValueError") else ():
        name = called(call)
        if name in FOLDS and e.raised(r"<lambda>\(\) takes .* but 2 were given"):
            yield Diagnosis(f"`{name}` calls its function with two arguments: {step_order(name)}.")
        if name in ORDERS and _is_in_another_order(e, name, call.args):
            yield Diagnosis(
                f"`{name}` on line {call.lineno} has its arguments in the wrong order. It is called like this:",
                ORDERS[name],
            )


def _is_in_another_order(e: Evidence, name: str, args: list[ast.expr]) -> bool:
    surely_functions = [not isinstance(arg, ast.Call | ast.Attribute) and is_function(e, arg) for arg in args]
    match name:
        case "sorted" | "min" | "max":
            return any(surely_functions)
        case "accumulate":
            return surely_functions[:1] == [True] or len(args) > 2
        case "combinations":
            return e.raised("as an integer") is not None
    if e.raised(r"must support iteration|object is not (reversible|iterable)") and len(args) > 2:
        return True
    is_refused = e.raised(r"object is not (callable|iterable)|must support iteration|argument after \* must be")
    is_first = any(is_function(e, arg) for arg in args[:1]) and surely_functions[:2] != [False, True]
    return is_refused is not None and not is_first


def is_function(e: Evidence, node: ast.AST | None) -> bool:
    match node:
        case ast.Lambda() | ast.Call() | ast.Attribute():
            return True
        case ast.Name(id=name):
            return name in {*e.functions, *e.given.functions, *e.given.types, *e.requirements.exercises} | BUILTINS
    return False


def not_callable(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a call of something that is not a function."""
    match = e.raised(r"'(\w+)' object is not callable", "TypeError")
    if not match:
        return
    stored = _stored(e)
    for call in e.calls_here:
        match call.func:
            case ast.Constant() | ast.Tuple() | ast.List():
                yield Diagnosis(
                    f"Something is missing between `{code(call.func, 24)}` and the next `(`, usually a comma."
                )
            case ast.Name(id=name) if match[1] in ("tuple", "list") and len(call.args) == 1:
                yield Diagnosis(
                    f"`{name}` is {with_article(match[1])}, so you cannot call it. To get an item, use brackets:",
                    f"{name}[{code(call.args[0])}]",
                )
            case ast.Name(id=name) if name in stored and name in e.requirements.exercises | e.given.functions.keys():
                rows = sorted(n.lineno for n in e.all(ast.Name) if n.id == name and isinstance(n.ctx, ast.Store))
                where = f"Line {rows[0]}" if rows else "A pattern"
                yield Diagnosis(
                    f"{where} gives `{name}` another value, so `{name}` is {with_article(match[1])} here, and no "
                    "longer the function. Rename your variable."
                )
            case ast.Name(id=name) if name in e.parameters and call.args and name.capitalize() in e.given.types:
                yield Diagnosis(
                    f"`{name}` is a value, so you cannot call it. Call the class, with a capital letter:",
                    f"{name.capitalize()}(…)",
                )
            case ast.Name(id=name) if name in e.parameters or name in stored:
                yield Diagnosis(
                    f"`{name}` is not a function, it is {with_article(match[1])}. Write it without parentheses."
                )
            case ast.Attribute(attr=name) if name in e.given.fields:
                yield Diagnosis(
                    f"`.{name}` is not a function, it is {with_article(match[1])}. Write it without parentheses."
                )


def not_a_function(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that is not a function, but must be one."""
    match = e.raised(r"'(\w+)' object is not callable") if e.error == "TypeError" and not e.failure.line else None
    if not match or e.function is not None or not e.requirements.is_called:
        return
    row = next((top.lineno for top in reversed(e.tops) if e.requirements.name in bound_names(top)), 0)
    kind = "number" if match[1] in ("int", "float") else match[1]
    says = f"`{e.requirements.name}` must be a function, but line {row} makes it {with_article(kind)}. Write:"
    if row:
        yield Diagnosis(says, f"def {_as_called(e)}:\n    return …")


def _as_called(e: Evidence) -> str:
    return f"{e.requirements.name}({', '.join(name for name, _ in e.requirements.parameters) or '…'})"


def _stored(e: Evidence) -> set[str]:
    return {n.id for n in e.all(ast.Name) if isinstance(n.ctx, ast.Store)} | {
        n.name for n in e.all(ast.MatchAs) if n.name
    }


def own_signature(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer with too many or too few parameters."""
    is_called_otherwise = e.raised(rf"^{e.requirements.name}\(\) (takes|missing|got)", "TypeError")
    if not is_called_otherwise or e.failure.line or e.function is None or not e.requirements.parameters:
        return
    if e.requirements.curried:
        yield Diagnosis(
            "The function must take its arguments all at once, and also one at a time. Add `@curry`:",
            f"@curry\ndef {_as_called(e)}:",
        )
    yield Diagnosis("Your `def` has the wrong number of parameters. It must begin:", f"def {_as_called(e)}:")


def parameters_swapped(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that has the right parameters in another order."""
    wanted = [name for name, _ in e.requirements.parameters]
    own = [each.arg for each in e.function.args.args] if e.function else []
    if own != wanted and sorted(own) == sorted(wanted):
        yield Diagnosis(
            "The parameters are in another order than in the exercise. It must begin:", f"def {_as_called(e)}:"
        )


# ------------------------------------------------------------------------------------------------ operators


def recur_as_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `1 + recur(…)`, although `recur` returns no number."""
    if not e.raised(r"\bRecur\b", "TypeError"):
        return
    if not any(isinstance(node, ast.BinOp) for node in e.here):
        yield Diagnosis(
            "`recur` needs two things: `@tail_recursive` above the `def` that it repeats, and `return` before it."
        )
    yield Diagnosis(
        "`recur(…)` is not a number, so you cannot add to it. Pass the result so far as an argument:",
        "return recur(…, count + 1)",
    )


def text_and_number(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an addition of a string and a number."""
    if e.raised(r"can only concatenate str|operand type\(s\) for \+: '(int|float)' and 'str'"):
        yield Diagnosis(
            "You can add a string only to another string. Make one string of both:",
            next(_as_one_string(e), 'f"{name}: {number}"'),
        )


def _as_one_string(e: Evidence) -> Iterator[str]:
    """Yield the line with an f-string instead of each sum with a string."""
    for node in e.here:
        is_within = isinstance(e.parents.get(node), ast.BinOp)
        parts = addends(node) if isinstance(node, ast.BinOp) and not is_within else []
        if any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts):
            texts = (part.value if isinstance(part, ast.Constant) else f"{{{code(part)}}}" for part in parts)
            yield f'f"{"".join(map(str, texts))}"'


def forgotten_call(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a function that was not called."""
    kinds = "|".join(CALLABLES)
    match = e.raised(
        rf"'({kinds})' object is not (subscriptable|iterable)|'({kinds})' and|and '({kinds})'|of type '({kinds})'"
    )
    if not match or e.error != "TypeError":
        return
    functions = e.functions.keys() | e.given.functions.keys() | e.requirements.exercises
    elements = [code(n.elt) for n in e.here if isinstance(n, ast.GeneratorExp) and isinstance(n.elt, ast.Name)]
    loaded = [n for n in e.here if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    names = [n.id for n in loaded if n.id in functions] + elements
    called_names = {id(call.func) for call in e.calls_here}
    bare = [n.attr for n in e.here if isinstance(n, ast.Attribute) and id(n) not in called_names]
    what = next(iter([f"`{name}`" for name in names] + [f"`.{name}`" for name in bare]), "Something on this line")
    says = f"{what} is a function that was not called."
    loops = [loop for node in e.here for loop in getattr(node, "generators", []) if f"`{code(loop.iter)}`" == what]
    if loops and len(e.parameters) == 1:
        yield Diagnosis(f"{says} To call it for each item, write:", f"map({code(loops[0].iter)}, {e.parameters[0]})")
    yield Diagnosis(f"{says} Add its arguments in parentheses.")


def not_subscriptable(e: Evidence) -> Iterator[Diagnosis]:
    """Detect square brackets after a value that cannot be indexed."""
    match = e.raised(r"'(\w+)' object is not subscriptable", "TypeError")
    if not match:
        return
    cls = e.given.types.get(match[1])
    if match[1] in ITERATORS:
        yield Diagnosis(f"You cannot index {with_article(match[1])}. Wrap it in `tuple(…)` first.")
    if isinstance(cls, type) and is_dataclass(cls):
        parts = field_names(cls)
        says = f"Its parts are {_listed(parts)}." if parts else "It has no parts."
        yield Diagnosis(f"You cannot index {kind_words(match[1])}. {says}")
    yield Diagnosis(f"The value before `[` is {with_article(match[1])}. You cannot index it.")


def brackets_for_a_call(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `min[map(penalty, hand)]`."""
    for node in e.here if e.raised("object is not subscriptable") else ():
        match node:
            case ast.Subscript(value=ast.Name(id=name)) if name not in e.bound and is_function(e, node.value):
                args = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                yield Diagnosis(
                    f"`{name}` on line {node.lineno} is a function. Call it with parentheses, not with brackets:",
                    f"{name}({', '.join(code(arg, LONGEST_CODE) for arg in args)})",
                )


def no_order(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a comparison of values that have no order."""
    match = e.raised(r"'([<>]=?)' not supported between instances of '(\w+)' and '(\w+)'")
    if not match:
        return
    if {match[2], match[3]} <= {*CALLABLES}:
        yield Diagnosis(
            "Python cannot compare functions. Compare the values that they return:", "min(rules, key=lambda rule: …)"
        )
    if {match[2], match[3]} & {*CALLABLES}:
        yield from forgotten_call(e)
    yield from compared_two_by_two(e, {match[2], match[3]})
    parts = parts_of(e, match[2])
    of = f", for example their {_listed(parts)}" if parts else ""
    what = f"two `{match[2]}`s" if match[2] == match[3] else f"`{match[2]}` and `{match[3]}`"
    yield Diagnosis(f"Python cannot compare {what}. Compare numbers{of}.")


# ------------------------------------------------------------------------------------------------ indexes, values


def unpacking(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an unpacking such as `a, b = cards`, with too many or too few names on the left."""
    match = e.raised(r"(not enough|too many) values to unpack \(expected (?:at least )?(\d+)")
    if not match or e.error != "ValueError":
        return
    if match[1] == "not enough":
        needed = f"{match[2]} value{'s' * (match[2] != '1')}"
        yield Diagnosis(
            f"The left side of `=` needs {needed}, but there are fewer. Test for that case first:",
            _fewer_than(e, match[2]),
        )
    yield Diagnosis(
        f"The left side of `=` has {match[2]} names, but there are more values. A star takes the rest:",
        next(_with_a_star(e), "first, *others = …"),
    )


def _fewer_than(e: Evidence, count: str) -> str:
    items = next((code(node.value) for node in e.here if isinstance(node, ast.Assign)), "items")
    return f"if not {items}:\n    return …" if count == "1" else f"if len({items}) < {count}:\n    return …"


def _with_a_star(e: Evidence) -> Iterator[str]:
    """Yield the assignment on the line, with a star that collects the items without a name."""
    for node in e.here:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=[*first, end])], value=value):
                rest = ["*others", "last"] if code(end) == "last" else [f"*{code(end)}"]
                yield f"{', '.join([*map(code, first), *rest])} = {code(value, LONGEST_CODE)}"


def past_the_end(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an index that does not exist."""
    if e.error != "IndexError" or any(isinstance(node, ast.Raise) for node in e.here):
        return
    for node in e.here:
        match node:
            case ast.Subscript(value=value, slice=ast.Call(func=ast.Name(id="len"))):
                yield Diagnosis(f"Indexes start at 0, so the last item of `{code(value)}` is `{code(value)}[-1]`.")
    ends = {code(node.value, LONGEST_CODE): node for node in e.here if _takes_an_end(node)}
    ends = {items: node for items, node in ends.items() if not _is_tested(e, items)} or ends
    if not ends:
        yield Diagnosis("There are not that many items. Indexes start at 0, and the last item is `[-1]`.")
    yield _test_for_empty([*ends], [*ends.values()])


def _takes_an_end(node: ast.AST) -> TypeGuard[ast.Subscript]:
    match node:
        case ast.Subscript(slice=ast.Constant(value=0 | -1) | ast.UnaryOp()):
            return True
    return False


def _is_tested(e: Evidence, items: str) -> bool:
    """Return whether a condition of the answer looks at some items themselves, and not only at one of them."""
    tests = [node.test for node in e.all(ast.If, ast.IfExp, ast.While)]
    parts = [part for test in tests for part in ast.walk(test) if code(part, LONGEST_CODE) == items]
    return any(not isinstance(e.parents.get(part), ast.Subscript) for part in parts)


def _test_for_empty(items: list[str], nodes: list[ast.Subscript]) -> Diagnosis:
    """Advise to test for empty items; if several may be empty, for all of them."""
    if not isinstance(nodes[0].value, ast.Name | ast.Attribute | ast.Subscript):
        return Diagnosis(
            f"On line {nodes[0].lineno}, there is no item to take. Name the items, and test first if there are any:",
            f"found = {items[0]}\nif not found:\n    return …",
        )
    if len(items) == 1:
        says = f"If `{items[0]}` is empty, `{code(nodes[0])}` does not exist. Test for that case first:"
    else:
        names = " and ".join(f"`{each}`" for each in items)
        says = f"One of {names} is empty on line {nodes[0].lineno}. Test for these cases first:"
    return Diagnosis(says, "\n".join(f"if not {each}:\n    return …" for each in items))


def still_the_stub(e: Evidence) -> Iterator[Diagnosis]:
    """Detect that the answer is still the stub."""
    if e.error != "NotImplementedError":
        return
    if e.raised("TODO"):
        yield Diagnosis("This uses a value that is not written yet: it is still `TODO`.")
    if e.failure.line:
        yield Diagnosis(
            f"Line {e.failure.line} still has the `raise NotImplementedError` of the empty exercise. Delete it."
        )


def calls_what_is_unwritten(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a call of an exercise that is not written yet."""
    if e.error != "NotWritten" or e.message not in e.requirements.exercises:
        return
    caller = e.failure.label if e.failure.label in e.requirements.exercises else e.requirements.name
    yield Diagnosis(f"`{caller}` calls `{e.message}`, which is not written. Write it first, or do not call it.")


def not_to_be_called(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a call of a function argument that must not be called here."""
    if not e.raised("should not be called", "AssertionError"):
        return
    name = e.called_here(*e.parameters)
    what = f"`{name}`" if name else "One of the functions in the arguments"
    yield Diagnosis(f"{what} must not be called here, because there is nothing to choose. Test for that case first.")


def pattern_parts(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a pattern that does not fit its class."""
    if match := e.raised(r"(\w+)\(\) accepts (\d+) positional sub-patterns? \((\d+) given\)"):
        parts = parts_of(e, match[1])
        yield Diagnosis(
            f"`{match[1]}` has {match[2]} parts, but the pattern has {match[3]}.",
            f"case {match[1]}({', '.join(parts)}):",
        )
    if e.raised("called match pattern must be a"):
        yield Diagnosis(
            "A pattern cannot call a function. Use a guard:", next(_guards(e), e.in_words("case item if test(item):"))
        )


def _guards(e: Evidence) -> Iterator[str]:
    """Yield the case on the line with a call as a guard instead of a pattern."""
    for node in e.all(ast.MatchClass):
        names = [part.name for part in node.patterns if isinstance(part, ast.MatchAs) and part.name]
        if node.lineno == e.failure.line and len(names) == len(node.patterns) and not node.kwd_patterns:
            listed = ", ".join(names)
            yield f"case {f'({listed})' if names[1:] else listed} if {code(node.cls)}({listed}):"


# ------------------------------------------------------------------------------------------------ endless code


def endless(e: Evidence) -> Iterator[Diagnosis]:
    """Detect calls or loops that never end."""
    if e.error != "RecursionError" and e.failure.did is not SLOW:
        return
    yield from standing_still(e)
    for name, function in e.functions.items():
        for call in _repeats(e, name, function):
            same = [arg.arg for arg in positional_parameters(function)]
            if same and [code(arg) for arg in call.args] == same:
                yield Diagnosis(
                    f"`{code(call)}` on line {call.lineno} calls the function again with the same arguments."
                    " Which argument must change?"
                )
            if not isinstance(function, ast.Lambda) and not _can_stop(function, [call]):
                yield Diagnosis(
                    f"`{name}` always calls itself again, so it never ends. Add the case in which it is done. "
                    f"What does it return then?"
                )
    if e.error == "RecursionError":
        says = "The calls are nested too deeply. Which argument gets smaller, and which case ends the recursion?"
        more = " If both are right, use `@tail_recursive` and `return recur(…)`."
        yield Diagnosis(says + more * _could_be_a_tail_call(e))
    yield Diagnosis("The function does not end. What gets smaller in each round, and what stops it?")


def _could_be_a_tail_call(e: Evidence) -> bool:
    """Return whether a tail call is possible: no function calls itself twice, and no result is used further."""
    return all(len(_repeats(e, name, function)) < 2 for name, function in e.functions.items())


def _repeats(e: Evidence, name: str, function: Function | ast.Lambda) -> list[ast.Call]:
    """Return the calls with which a function repeats itself: by its name, or by `recur`."""
    inside = [n for part in body_of(function) for n in ast.walk(part) if called(n) == name]
    return [*(n for n in own_nodes(function) if called(n) == "recur"), *inside]  # type: ignore[list-item]


def _can_stop(function: Function | ast.Lambda, again: list[ast.Call]) -> bool:
    """Return whether a function can return without calling itself.

    A condition inside a comprehension does not count. A comprehension that makes the call does count, because it may
    have no items.
    """
    asks = (ast.If, ast.IfExp, ast.Match, ast.BoolOp, ast.For, ast.While)
    loops = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)
    nodes = [*own_nodes(function)]
    inside = {part for node in nodes if isinstance(node, loops) for part in ast.walk(node)}
    return any(isinstance(node, asks) and node not in inside for node in nodes) or any(call in inside for call in again)


# ------------------------------------------------------------------------------------------------ code that never
# compiles


def captured(name: str, line: int, e: Evidence) -> Diagnosis:
    """Explain what a bare name does in a pattern, and what to write instead."""
    says = f"On line {line}, the bare name `{name}` matches every value, because it captures."
    if kind := _other_kind_wanted(name, line, e):
        return Diagnosis(
            f"{says} This part is {kind}, and never `{name}`. Write what it must be:", _with_dots(name, line, e)
        )
    return Diagnosis(f"{says} To compare, write:", f"case {_pattern_asking(name, line, e)}:")


def _patterns_on(line: int, e: Evidence) -> list[ast.pattern]:
    return [case.pattern for case in e.all(ast.match_case) if case.pattern.lineno <= line <= case.pattern.end_lineno]


def _pattern_asking(name: str, line: int, e: Evidence) -> str:
    """Return the pattern on a line, with each bare name replaced by its probable meaning."""
    pattern, patterns = pattern_for_name(name, e), _patterns_on(line, e)
    if not patterns:
        return pattern
    text = _as_written(patterns[0], e)
    if " if " in pattern:
        other = "other" if name != "other" else "value"
        return f"{re.sub(rf'(?<![.]){name}', other, text)} if {other} == {name}"
    bare = {node.name for node in ast.walk(patterns[0]) if isinstance(node, ast.MatchAs) and node.name}
    for each in sorted(bare & ({*e.given.values, *e.given.types} | {name})):
        text = re.sub(rf"(?<![\w.]){each}\b(?![\w(.=])", pattern_for_name(each, e), text)
    return text


def _as_written(pattern: ast.pattern, e: Evidence) -> str:
    """Return a pattern as the learner wrote it, on one line."""
    text = ast.get_source_segment(e.source, pattern) or code(pattern, 80)
    return " ".join(text.split())


def _other_kind_wanted(name: str, line: int, e: Evidence) -> str:
    """Return what a part of a value is, if a bare name in its pattern has another type; otherwise ""."""
    kind = e.given.values.get(name)
    for pattern in _patterns_on(line, e):
        for node in ast.walk(pattern):
            match node:
                case ast.MatchClass(cls=ast.Name(id=owner), patterns=parts):
                    fields = getattr(e.given.types.get(owner), "__match_args__", ())
                    for field, part in zip(fields, parts, strict=False):
                        if kind and isinstance(part, ast.MatchAs) and part.name == name:
                            return "a number" if e.given.fields.get(field) is int and kind is not int else ""
    return ""


def _with_dots(name: str, line: int, e: Evidence) -> str:
    """Return the pattern on a line, with dots in place of a bare name."""
    return f"case {re.sub(rf'(?<![.]){name}', '…', _as_written(_patterns_on(line, e)[0], e))}:"


def pattern_for_name(name: str, e: Evidence) -> str:
    """Return the pattern for the probable meaning of a bare name."""
    kind = e.given.values.get(name)
    if isinstance(e.given.types.get(name), type):
        return f"{name}()"
    if kind is not None and hasattr(kind, name):
        return f"{kind.__name__}.{name}"
    return f"{kind.__name__}()" if kind is not None else f"value if value == {name}"


def outside(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a `return` outside its function."""
    if e.error == "SyntaxError" and (match := e.raised(r"'(return|yield|await)' outside function")):
        rows = [n.lineno for n in ast.walk(e.tree) if isinstance(n, (ast.Return, ast.Expr)) and n in e.tree.body]
        where = f" on line {rows[0]}" if rows else ""
        yield Diagnosis(f"The `{match[1]}`{where} is outside the function. Indent it, so that it belongs to the `def`.")


RAISING: tuple[Callable[[Evidence], Iterator[Diagnosis]], ...] = (
    outside,
    missing_module,
    rebound_name,
    leaving,
    undefined_name,
    unbound_name,
    nothing_where_a_value_was,
    fixed_value,
    missing_attribute,
    arguments_in_another_order,
    not_callable,
    not_a_function,
    own_signature,
    recur_as_value,
    text_and_number,
    tuple_and_item,
    brackets_for_a_call,
    forgotten_call,
    not_subscriptable,
    not_iterable,
    no_order,
    unpacking,
    past_the_end,
    still_the_stub,
    calls_what_is_unwritten,
    not_to_be_called,
    pattern_parts,
    endless,
)
