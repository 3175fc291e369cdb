"""Diagnoses of exceptions, from the message and the line that raised it."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
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
from course.diagnoses.kinds import kind_words
from course.diagnoses.looping import compared_two_by_two, not_iterable
from course.diagnoses.naming import not_defined
from course.diagnoses.obstacle import first_cell_text
from course.diagnoses.operands import ITERATORS
from course.diagnoses.tupling import tuple_and_item
from course.form.given import BUILTINS, members_of
from course.form.reading import MUTATORS, Function
from course.syntax import bound_names

FOLDS = {
    "fold_left": "fold_left(step, start, items)",
    "fold_right": "fold_right(step, start, items)",
    "reduce": "reduce(step, items, start)",
    "map": "map(function, items)",
    "filter": "filter(test, items)",
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
    match = e.raised(r"name '(\w+)' is not defined") if e.error == "NameError" else None
    return match[1] if match else ""


def leaving(e: Evidence) -> Diagnosis | None:
    """Detect a call of `exit`, which quits Python or does not exist."""
    if e.error == "SystemExit" or _unknown_name(e) in LEAVING:
        return Diagnosis(f"`{_unknown_name(e) or 'exit'}()` quits Python. To leave a function, use `return`.")
    return None


def undefined_name(e: Evidence) -> Diagnosis | None:
    """Detect a name that is not defined."""
    if not (name := _unknown_name(e)):
        return None
    if name in CONSTANTS:
        return Diagnosis(f"In Python, `{name}` is written `{CONSTANTS[name]}`.")
    if name in e.not_imported:
        return Diagnosis(f"`{name}` is not imported yet. {first_cell_text(e.requirements.module, e.requirements.name)}")
    if name in e.defined_now:
        return Diagnosis(f"`{name}` is defined now. Run the cell of `{e.requirements.name}` again (Shift-Enter).")
    if name in e.elsewhere:
        return Diagnosis(
            f"{_capital(e.elsewhere[name])} defines `{name}`. Run it to its end (Shift-Enter), then check again."
        )
    if name in e.requirements.exercises:
        return Diagnosis(f"`{name}` is an exercise. Run its cell first.")
    if (owner := _owner_of(e, name)) and owner != e.failure.label:
        return Diagnosis(f"`{name}` exists only inside `{owner}`. Pass it as an argument, or return it.")
    if name in TAUGHT_IMPORTS:
        return Diagnosis(f"`{name}` is not imported. Write this above `def`:", TAUGHT_IMPORTS[name])
    return _part_without_its_value(e, name) or not_defined(e, name)


def _part_without_its_value(e: Evidence, name: str) -> Diagnosis | None:
    """Detect the name of a field without the parameter before it."""
    for parameter, (_, kind) in zip(e.parameters, e.requirements.parameters, strict=False):
        if name in _parts_of(e.given.types.get(kind)):
            return Diagnosis(f"`{name}` is a part of `{parameter}`. Write `{parameter}.{name}`.")
    return None


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


def unbound_name(e: Evidence) -> Diagnosis | None:
    """Detect a variable that has no value yet."""
    match = e.raised(r"(?:local|free) variable '(\w+)'") if e.error in ("UnboundLocalError", "NameError") else None
    if not match:
        return None
    name = match[1]
    if start := _start_in_a_loop(e, name):
        return start
    rows = sorted(n.lineno for n in e.all(ast.Name) if n.id == name and isinstance(n.ctx, ast.Store))
    if rows and name in e.given.names | e.requirements.exercises | BUILTINS:
        whose = "Python's own" if name in BUILTINS - e.given.names else "the given name"
        return Diagnosis(
            f"Line {rows[0]} assigns `{name}`, so in this whole function `{name}` is your own variable and not "
            f"{whose}. Rename your variable."
        )
    where = f" Line {rows[0]} assigns it, but does not always run first." if rows else ""
    return Diagnosis(f"`{name}` is used before it has a value.{where} Assign it in every case, or earlier.")


def _start_in_a_loop(e: Evidence, name: str) -> Diagnosis | None:
    """Detect `total = total + …` in a loop, before `total` has a first value."""
    for node in e.all(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.BinOp(left=ast.Name(id=first), right=more)):
                if target == first == name and any(isinstance(n, ast.For | ast.While) for n in e.above(node)):
                    says = f"`{name}` on line {node.lineno} needs a value to start from. Write before the loop:"
                    return Diagnosis(says, f"{name} = {'()' if isinstance(more, ast.Tuple) else '0'}")
    return None


def rebound_name(e: Evidence) -> Diagnosis | None:
    """Detect a given name that some cell has redefined."""
    if own := next((node.id for node in e.all(ast.Name) if node.id in e.hidden and node.id not in e.bound), ""):
        return Diagnosis(f"`{own}` is {e.hidden[own]}. Rename that variable, then run:", f"del {own}")
    name = next((node.id for node in e.all(ast.Name) if node.id in e.rebound), "")
    if not name or (e.error and e.here and not any(getattr(node, "id", "") == name for node in e.here)):
        return None
    return Diagnosis(
        f"{_capital(e.rebound[name])} redefines `{name}`. Use another name there, then run the first cell again."
    )


# ------------------------------------------------------------------------------------------------ attributes, None


def nothing_where_a_value_was(e: Evidence) -> Diagnosis | None:
    """Detect None where another value is needed, and find out where it comes from."""
    if "NoneType" not in e.message or e.error not in ("AttributeError", "TypeError") or not e.failure.line:
        return None
    for call in e.calls_here:
        function = e.functions.get(called(call))
        if function is not None and not _returns(function):
            return Diagnosis(f"`{called(call)}` returns nothing, so its value is `None`. It needs a `return`.")
    for node in e.all(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS and _is_used(e, node):
            return mutating_call(e, node)
    if from_search := next(filter(None, (_searched(e), _lazy_for_a_pattern(e))), None):
        return from_search
    return Diagnosis(
        "Something on this line is `None`: a function returned nothing, or did not find anything. Test for "
        "that case first."
    )


def _searched(e: Evidence) -> Diagnosis | None:
    """Detect `find(…).name`, where the search may have no result."""
    for node in e.here:
        match node:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="find" | "next" as name)) as search, attr=part):
                says = (
                    f"`{name}(…)` on line {node.lineno} finds nothing here and returns `None`, which has no `.{part}`."
                )
                return Diagnosis(
                    f"{says} Give the result a name, and test it first:", f"found = {code(search, LONGEST_CODE)}"
                )
    return None


def _lazy_for_a_pattern(e: Evidence) -> Diagnosis | None:
    """Detect a `filter` or `map` that the answer passes to itself, and that matches no case."""
    makers = {
        code(node.targets[0]): node for node in e.all(ast.Assign) if called(node.value) in ITERATORS and node.targets
    }
    for call in e.calls_here if e.all(ast.Match) else ():
        if called(call) == e.requirements.name and call.args and (made := makers.get(code(call.args[0]))):
            says = (
                f"`{code(call.args[0])}` on line {made.lineno} is {with_article(called(made.value))}, "
                "and no case matches that."
            )
            return Diagnosis(f"{says} Write:", f"{code(made.targets[0])} = tuple({code(made.value, LONGEST_CODE)})")
    return None


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


def _is_used(e: Evidence, node: ast.AST) -> bool:
    return not isinstance(e.parents.get(node), ast.Expr)


def fixed_value(e: Evidence) -> Diagnosis | None:
    """Detect an attempt to change a tuple, a string or a frozen value."""
    if match := e.raised(
        r"'(tuple|str)' object has no attribute '(append|extend|insert|remove|pop|sort|reverse|add|clear)'"
    ):
        says = f"A {match[1]} cannot be changed, so it has no `.{match[2]}`. Make a new one:"
        return Diagnosis(says, _made_with(e, match[2]))
    if e.raised(r"'(tuple|str)' object does not support item (assignment|deletion)"):
        return Diagnosis("A tuple cannot be changed. Make a new one:", _made_with_item(e))
    if e.error == "FrozenInstanceError" and (match := e.raised(r"cannot (?:assign to|delete) field '(\w+)'")):
        return _changed_copy(e, match[1])
    return None


def _made_with(e: Evidence, method: str) -> str:
    """Return the line with an expression that makes a new tuple, instead of `append` or a similar method."""
    for call in e.calls_here:
        if isinstance(call.func, ast.Attribute) and call.func.attr == method and (new := _new_items(call)):
            owner = call.func.value
            return f"{code(owner, LONGEST_CODE)} = {new}" if isinstance(owner, ast.Name) else new
    return "(*cards, card)"


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
    return "(*cards[:place], card, *cards[place + 1 :])"


def _changed_copy(e: Evidence, part: str) -> Diagnosis:
    """Describe how to make a changed copy: with `replace` if the unit has it, or with the value's class."""
    kind = _class_with(e, part)
    if "replace" in e.given.functions or not kind:
        return Diagnosis(f"This value cannot be changed. Make a copy with a new `{part}`:", f"replace(value, {part}=…)")
    parts = ", ".join(f"{each}=…" for each in _parts_of(e.given.types[kind]))
    return Diagnosis(f"This `{kind}` cannot be changed. Make a new one:", f"{kind}({parts})")


def missing_attribute(e: Evidence) -> Diagnosis | None:
    """Detect an attribute that a value does not have."""
    match = (
        e.raised(r"(?:type )?(?:object )?'(\w+)'(?: object)? has no attribute '(\w+)'")
        if e.error == "AttributeError"
        else None
    )
    if not match:
        return None
    kind, name = match[1], match[2]
    if kind in CALLABLES:
        return Diagnosis(f"There is a function before `.{name}`, and it was not called. Add its parentheses: `(…)`.")
    cls = e.given.types.get(kind) or getattr(builtins, kind, None)
    among = [each for each in dir(cls) if not each.startswith("_")] if isinstance(cls, type) else []
    parts = _parts_of(cls)
    if near := e.near(name, dict.fromkeys([*parts, *among])):
        return Diagnosis(f"`{kind}` has no `.{name}`. Did you mean `.{near}`?")
    if inner := _inner_part(e, parts, name):
        return inner
    if parts:
        return Diagnosis(f"`{kind}` has no `.{name}`. Its parts are {_listed(parts)}.")
    if isinstance(cls, type) and cls not in (tuple, list) and (owner := _class_with(e, name)):
        return Diagnosis(
            f"`{owner}` has a part `.{name}`, but this value is {kind_words(kind)}. Test first which of the two it is."
        )
    return None


def _inner_part(e: Evidence, parts: list[str], name: str) -> Diagnosis | None:
    """Detect `card.number` for `card.rank.number`: a part of a part."""
    owner = next((code(n.value) for n in e.here if isinstance(n, ast.Attribute) and n.attr == name), "")
    for part in parts if owner else ():
        if any(name in _parts_of(kind) for kind in members_of(e.given.fields.get(part))):
            says = f"`{owner}` has no `.{name}` itself, but its `.{part}` can have one. Write:"
            return Diagnosis(says, f"{owner}.{part}.{name}")
    return None


def _class_with(e: Evidence, name: str) -> str:
    return next((kind for kind, cls in e.given.types.items() if name in _parts_of(cls)), "")


def _parts_of(cls: object) -> list[str]:
    """Return the names of a class's fields, or [] if it is not a dataclass."""
    return [field.name for field in fields(cls)] if isinstance(cls, type) and is_dataclass(cls) else []


def _listed(names: list[str]) -> str:
    return ", ".join(f"`.{name}`" for name in names)


# ------------------------------------------------------------------------------------------------ calls


def arguments_of_a_fold(e: Evidence) -> Diagnosis | None:
    """Detect a fold, map or filter with its arguments in the wrong order."""
    name = e.called_here(*FOLDS)
    if not name or e.error not in ("TypeError", "ValueError"):
        return None
    call = next(call for call in e.calls_here if called(call) == name)
    if match := e.raised(r"takes? (\d+) positional arguments? but (\d+) (?:was|were) given"):
        if name in ("fold_left", "fold_right", "reduce") and match[2] == "2" and "lambda" in e.message:
            order = (
                "the next item, then the result so far"
                if name == "fold_right"
                else "the result so far, then the next item"
            )
            return Diagnosis(f"`{name}` calls its function with two arguments: {order}.")
        return None
    swapped = e.raised(r"object is not (callable|iterable)|must support iteration|argument after \* must be")
    if swapped and not is_function(e, call.args[0] if call.args else None):
        return _function_first(name, call)
    if e.raised(r"must support iteration|object is not (reversible|iterable)") and len(call.args) > 2:
        return Diagnosis(f"`{name}` has its arguments in the wrong order. The items come last:", FOLDS[name])
    return None


def _function_first(name: str, call: ast.Call) -> Diagnosis:
    """Return a call of a fold with its function first, if only one argument can be the function."""
    says = f"`{name}` has its arguments in the wrong order. The function comes first:"
    functions = [arg for arg in call.args if isinstance(arg, ast.Lambda)]
    if len(functions) != 1:
        return Diagnosis(says, FOLDS[name])
    others = [arg for arg in call.args if arg is not functions[0]]
    return Diagnosis(says, f"{name}({', '.join(code(arg, LONGEST_CODE) for arg in [*functions, *others])})")


def function_behind(e: Evidence) -> Diagnosis | None:
    """Detect a fold whose function comes after its start value. With few items, Python raises no error."""
    for call in e.all(ast.Call):
        match call:
            case ast.Call(func=ast.Name(id=name), args=[start, ast.Lambda(args=ast.arguments(args=[_, _])), *_]) if (
                name in ("fold_left", "fold_right") and not e.error and not is_function(e, start)
            ):
                return _function_first(name, call)
    return None


def is_function(e: Evidence, node: ast.AST | None) -> bool:
    match node:
        case ast.Lambda() | ast.Call() | ast.Attribute():
            return True
        case ast.Name(id=name):
            return name in {*e.functions, *e.given.functions, *e.given.types, *e.requirements.exercises} | BUILTINS
    return False


def not_callable(e: Evidence) -> Diagnosis | None:
    """Detect a call of something that is not a function."""
    match = e.raised(r"'(\w+)' object is not callable") if e.error == "TypeError" else None
    if not match:
        return None
    stored = _stored(e)
    for call in e.calls_here:
        match call.func:
            case ast.Constant() | ast.Tuple() | ast.List():
                return Diagnosis(
                    f"Something is missing between `{code(call.func, 24)}` and the next `(`, usually a comma."
                )
            case ast.Name(id=name) if match[1] in ("tuple", "list") and len(call.args) == 1:
                return Diagnosis(
                    f"`{name}` is {with_article(match[1])}, so you cannot call it. To get an item, use brackets:",
                    f"{name}[{code(call.args[0])}]",
                )
            case ast.Name(id=name) if name in stored and name in e.requirements.exercises | e.given.functions.keys():
                rows = sorted(n.lineno for n in e.all(ast.Name) if n.id == name and isinstance(n.ctx, ast.Store))
                where = f"Line {rows[0]}" if rows else "A pattern"
                return Diagnosis(
                    f"{where} gives `{name}` another value, so `{name}` is {with_article(match[1])} here, and no "
                    "longer the function. Rename your variable."
                )
            case ast.Name(id=name) if name in e.parameters and call.args and name.capitalize() in e.given.types:
                return Diagnosis(
                    f"`{name}` is a value, so you cannot call it. Call the class, with a capital letter:",
                    f"{name.capitalize()}(…)",
                )
            case ast.Name(id=name) if name in e.parameters or name in stored:
                return Diagnosis(
                    f"`{name}` is not a function, it is {with_article(match[1])}. Write it without parentheses."
                )
            case ast.Attribute(attr=name) if name in e.given.fields:
                return Diagnosis(
                    f"`.{name}` is not a function, it is {with_article(match[1])}. Write it without parentheses."
                )
    return None


def not_a_function(e: Evidence) -> Diagnosis | None:
    """Detect an answer that is not a function, but must be one."""
    match = e.raised(r"'(\w+)' object is not callable") if e.error == "TypeError" and not e.failure.line else None
    if not match or e.function is not None or not e.requirements.is_called:
        return None
    row = next((top.lineno for top in reversed(e.tops) if e.requirements.name in bound_names(top)), 0)
    kind = "number" if match[1] in ("int", "float") else match[1]
    says = f"`{e.requirements.name}` must be a function, but line {row} makes it {with_article(kind)}. Write:"
    return Diagnosis(says, f"def {_as_called(e)}:\n    return …") if row else None


def _as_called(e: Evidence) -> str:
    return f"{e.requirements.name}({', '.join(name for name, _ in e.requirements.parameters) or '…'})"


def _stored(e: Evidence) -> set[str]:
    return {n.id for n in e.all(ast.Name) if isinstance(n.ctx, ast.Store)} | {
        n.name for n in e.all(ast.MatchAs) if n.name
    }


def own_signature(e: Evidence) -> Diagnosis | None:
    """Detect an answer with too many or too few parameters."""
    if e.error != "TypeError" or e.failure.line or e.function is None:
        return None
    if not e.raised(rf"^{e.requirements.name}\(\) (takes|missing|got)") or not e.requirements.parameters:
        return None
    if e.requirements.curried:
        says = "The function must take its arguments all at once, and also one at a time. Add `@curry`:"
        return Diagnosis(says, f"@curry\ndef {_as_called(e)}:")
    return Diagnosis("Your `def` has the wrong number of parameters. It must begin:", f"def {_as_called(e)}:")


def parameters_swapped(e: Evidence) -> Diagnosis | None:
    """Detect an answer that has the right parameters in another order."""
    wanted = [name for name, _ in e.requirements.parameters]
    own = [each.arg for each in e.function.args.args] if e.function else []
    if own == wanted or sorted(own) != sorted(wanted):
        return None
    return Diagnosis(
        "The parameters are in another order than in the exercise. It must begin:", f"def {_as_called(e)}:"
    )


def wrong_arguments(e: Evidence) -> Diagnosis | None:
    """Detect a call with too many or too few arguments."""
    match = e.raised(r"(\w+)(?:\.__init__)?\(\) (?:takes|missing|got)") if e.error == "TypeError" else None
    if not match:
        return None
    name = match[1]
    call = next((call for call in e.calls_here if called(call) == name), None)
    wanted = _signature(e, name)
    if call is None or wanted is None:
        return None
    if by_name := _only_by_name(e, name, call):
        return by_name
    count = len(call.args) + len(call.keywords)
    expected = f"{len(wanted)} argument{'' if len(wanted) == 1 else 's'}"
    says = f"`{name}` takes {expected}, but line {call.lineno} passes {count}."
    return Diagnosis(says, f"{name}({', '.join(wanted)})")


def _only_by_name(e: Evidence, name: str, call: ast.Call) -> Diagnosis | None:
    """Detect an argument without its name, for a parameter that can be passed only by name."""
    thing = e.given.functions.get(name) or e.given.types.get(name)
    try:
        parameters = inspect.signature(thing).parameters.values() if callable(thing) else ()
    except (TypeError, ValueError):
        return None
    by_name = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]
    count = len(parameters) - len(by_name)
    if not by_name or len(call.args) != count + 1:
        return None
    args = [*map(code, call.args[:count]), f"{by_name[0]}={code(call.args[count])}"]
    return Diagnosis(f"`{name}` on line {call.lineno} takes `{by_name[0]}` by its name:", f"{name}({', '.join(args)})")


def _signature(e: Evidence, name: str) -> list[str] | None:
    if function := e.functions.get(name):
        return [arg.arg for arg in positional_parameters(function)]
    if names := e.requirements.signatures.get(name):
        return [each for each, _ in names]
    thing = e.given.types.get(name) or e.given.functions.get(name)
    try:
        return list(inspect.signature(thing).parameters) if callable(thing) else None
    except (TypeError, ValueError):
        return None


# ------------------------------------------------------------------------------------------------ operators


def recur_as_value(e: Evidence) -> Diagnosis | None:
    """Detect `1 + recur(…)`, although `recur` returns no number."""
    if e.error != "TypeError" or not e.raised(r"\bRecur\b"):
        return None
    if not any(isinstance(node, ast.BinOp) for node in e.here):
        says = "`recur` needs two things: `@tail_recursive` above the `def` that it repeats, and `return` before it."
        return Diagnosis(says)
    return Diagnosis(
        "`recur(…)` is not a number, so you cannot add to it. Pass the result so far as an argument:",
        "return recur(…, count + 1)",
    )


def text_and_number(e: Evidence) -> Diagnosis | None:
    """Detect an addition of a string and a number."""
    if e.raised(r"can only concatenate str|operand type\(s\) for \+: '(int|float)' and 'str'"):
        says = "You can add a string only to another string. Make one string of both:"
        return Diagnosis(says, next(_as_one_string(e), 'f"{name}: {number}"'))
    return None


def _as_one_string(e: Evidence) -> Iterator[str]:
    """Yield the line with an f-string instead of each sum with a string."""
    for node in e.here:
        is_within = isinstance(e.parents.get(node), ast.BinOp)
        parts = addends(node) if isinstance(node, ast.BinOp) and not is_within else []
        if any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts):
            texts = (part.value if isinstance(part, ast.Constant) else f"{{{code(part)}}}" for part in parts)
            yield f'f"{"".join(map(str, texts))}"'


def forgotten_call(e: Evidence) -> Diagnosis | None:
    """Detect a function that was not called."""
    kinds = "|".join(CALLABLES)
    match = e.raised(
        rf"'({kinds})' object is not (subscriptable|iterable)|'({kinds})' and|and '({kinds})'|of type '({kinds})'"
    )
    if not match or e.error != "TypeError":
        return None
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
        return Diagnosis(f"{says} To call it for each item, write:", f"map({code(loops[0].iter)}, {e.parameters[0]})")
    return Diagnosis(f"{says} Add its arguments in parentheses.")


def not_subscriptable(e: Evidence) -> Diagnosis | None:
    """Detect square brackets after a value that cannot be indexed."""
    match = e.raised(r"'(\w+)' object is not subscriptable") if e.error == "TypeError" else None
    if not match:
        return None
    cls = e.given.types.get(match[1])
    if match[1] in ITERATORS:
        return Diagnosis(f"You cannot index {with_article(match[1])}. Wrap it in `tuple(…)` first.")
    if isinstance(cls, type) and is_dataclass(cls):
        parts = _parts_of(cls)
        says = f"Its parts are {_listed(parts)}." if parts else "It has no parts."
        return Diagnosis(f"You cannot index {kind_words(match[1])}. {says}")
    return Diagnosis(f"The value before `[` is {with_article(match[1])}. You cannot index it.")


def brackets_for_a_call(e: Evidence) -> Diagnosis | None:
    """Detect `min[map(penalty, hand)]`."""
    for node in e.here if e.raised("object is not subscriptable") else ():
        match node:
            case ast.Subscript(value=ast.Name(id=name)) if name not in e.bound and is_function(e, node.value):
                says = f"`{name}` on line {node.lineno} is a function. Call it with parentheses, not with brackets:"
                args = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                return Diagnosis(says, f"{name}({', '.join(code(arg, LONGEST_CODE) for arg in args)})")
    return None


def no_length(e: Evidence) -> Diagnosis | None:
    """Detect `len` of an iterator, which has no length."""
    match = e.raised(r"object of type '(\w+)' has no len")
    if match and match[1] in ITERATORS:
        return Diagnosis(
            f"This {match[1]} has no length, because its items do not exist yet. Wrap it in `tuple(…)` first."
        )
    return None


def no_order(e: Evidence) -> Diagnosis | None:
    """Detect a comparison of values that have no order."""
    match = e.raised(r"'([<>]=?)' not supported between instances of '(\w+)' and '(\w+)'")
    if not match:
        return None
    if {match[2], match[3]} <= {*CALLABLES}:
        return Diagnosis(
            "Python cannot compare functions. Compare the values that they return:", "min(rules, key=lambda rule: …)"
        )
    if {match[2], match[3]} & {*CALLABLES}:
        return forgotten_call(e)
    if by_two := compared_two_by_two(e, {match[2], match[3]}):
        return by_two
    cls = e.given.types.get(match[2])
    parts = _parts_of(cls)
    of = f", for example their {_listed(parts)}" if parts else ""
    what = f"two `{match[2]}`s" if match[2] == match[3] else f"`{match[2]}` and `{match[3]}`"
    return Diagnosis(f"Python cannot compare {what}. Compare numbers{of}.")


def unhashable(e: Evidence) -> Diagnosis | None:
    """Detect a list as an item of a set or as a key of a dictionary, which is not allowed."""
    match = e.raised(r"unhashable type: '(list|dict|set)'")
    return (
        Diagnosis(f"A {match[1]} cannot be an item of a set or a key of a dictionary. Use a tuple.") if match else None
    )


# ------------------------------------------------------------------------------------------------ indexes, values


def unpacking(e: Evidence) -> Diagnosis | None:
    """Detect an unpacking such as `a, b = cards`, with too many or too few names on the left."""
    match = e.raised(r"(not enough|too many) values to unpack \(expected (?:at least )?(\d+)")
    if not match or e.error != "ValueError":
        return None
    if match[1] == "not enough":
        needed = f"{match[2]} value{'s' * (match[2] != '1')}"
        says = f"The left side of `=` needs {needed}, but there are fewer. Test for that case first:"
        return Diagnosis(says, _fewer_than(e, match[2]))
    says = f"The left side of `=` has {match[2]} names, but there are more values. A star takes the rest:"
    return Diagnosis(says, next(_with_a_star(e), "first, *others = …"))


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


def past_the_end(e: Evidence) -> Diagnosis | None:
    """Detect an index that does not exist."""
    if e.error != "IndexError" or any(isinstance(node, ast.Raise) for node in e.here):
        return None
    for node in e.here:
        match node:
            case ast.Subscript(value=value, slice=ast.Call(func=ast.Name(id="len"))):
                return Diagnosis(f"Indexes start at 0, so the last item of `{code(value)}` is `{code(value)}[-1]`.")
    ends = {code(node.value, LONGEST_CODE): node for node in e.here if _takes_an_end(node)}
    ends = {items: node for items, node in ends.items() if not _is_tested(e, items)} or ends
    if not ends:
        return Diagnosis("There are not that many items. Indexes start at 0, and the last item is `[-1]`.")
    return _test_for_empty([*ends], [*ends.values()])


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
        says = f"On line {nodes[0].lineno}, there is no item to take. Name the items, and test first if there are any:"
        return Diagnosis(says, f"found = {items[0]}\nif not found:\n    return …")
    if len(items) == 1:
        says = f"If `{items[0]}` is empty, `{code(nodes[0])}` does not exist. Test for that case first:"
    else:
        names = " and ".join(f"`{each}`" for each in items)
        says = f"One of {names} is empty on line {nodes[0].lineno}. Test for these cases first:"
    return Diagnosis(says, "\n".join(f"if not {each}:\n    return …" for each in items))


def no_such_key(e: Evidence) -> Diagnosis | None:
    """Detect a key that a dictionary does not have."""
    if e.error == "KeyError":
        return Diagnosis(f"The dictionary has no key `{e.message}`. Print its keys, or use `.get(…)`.")
    return None


def least_of_nothing(e: Evidence) -> Diagnosis | None:
    """Detect `min` and `max` of an empty sequence, which raise an exception."""
    match = e.raised(r"(min|max)\(\) (?:arg is an empty sequence|iterable argument is empty)")
    return (
        Diagnosis(f"`{match[1]}` of an empty sequence is an error. Pass a result for that case: `default=…`.")
        if match
        else None
    )


def still_the_stub(e: Evidence) -> Diagnosis | None:
    """Detect that the answer is still the stub."""
    if e.error != "NotImplementedError":
        return None
    if e.raised("TODO"):
        return Diagnosis("This uses a value that is not written yet: it is still `TODO`.")
    return (
        Diagnosis(f"Line {e.failure.line} still has the `raise NotImplementedError` of the empty exercise. Delete it.")
        if e.failure.line
        else None
    )


def calls_what_is_unwritten(e: Evidence) -> Diagnosis | None:
    """Detect a call of an exercise that is not written yet."""
    if e.error != "NotWritten" or e.message not in e.requirements.exercises:
        return None
    caller = e.failure.label if e.failure.label in e.requirements.exercises else e.requirements.name
    return Diagnosis(f"`{caller}` calls `{e.message}`, which is not written. Write it first, or do not call it.")


def too_much_typed(e: Evidence) -> Diagnosis | None:
    """Detect a function that reads more lines than are typed."""
    if e.error != "EOFError":
        return None
    return Diagnosis("The function reads one line more than is typed. Does it refuse a valid line, or read too often?")


def too_much_chance(e: Evidence) -> Diagnosis | None:
    """Detect a function that uses more random numbers than expected."""
    if e.error != "OutOfChance":
        return None
    return Diagnosis("The function uses chance more often than the statement says. When is there nothing to choose?")


def not_to_be_called(e: Evidence) -> Diagnosis | None:
    """Detect a call of a function argument that must not be called here."""
    if e.error != "AssertionError" or not e.raised("should not be called"):
        return None
    name = e.called_here(*e.parameters)
    what = f"`{name}`" if name else "One of the functions in the arguments"
    return Diagnosis(f"{what} must not be called here, because there is nothing to choose. Test for that case first.")


def pattern_parts(e: Evidence) -> Diagnosis | None:
    """Detect a pattern that does not fit its class."""
    if match := e.raised(r"(\w+)\(\) accepts (\d+) positional sub-patterns? \((\d+) given\)"):
        cls = e.given.types.get(match[1])
        parts = _parts_of(cls)
        return Diagnosis(
            f"`{match[1]}` has {match[2]} parts, but the pattern has {match[3]}.",
            f"case {match[1]}({', '.join(parts)}):",
        )
    if e.raised("called match pattern must be a"):
        says = "A pattern cannot call a function. Use a guard:"
        return Diagnosis(says, next(_guards(e), "case card if test(card):"))
    return None


def _guards(e: Evidence) -> Iterator[str]:
    """Yield the case on the line with a call as a guard instead of a pattern."""
    for node in e.all(ast.MatchClass):
        names = [part.name for part in node.patterns if isinstance(part, ast.MatchAs) and part.name]
        if node.lineno == e.failure.line and len(names) == len(node.patterns) and not node.kwd_patterns:
            listed = ", ".join(names)
            yield f"case {f'({listed})' if names[1:] else listed} if {code(node.cls)}({listed}):"


# ------------------------------------------------------------------------------------------------ endless code


def endless(e: Evidence) -> Diagnosis | None:
    """Detect calls or loops that never end."""
    if e.error != "RecursionError" and e.failure.did is not SLOW:
        return None
    if still := standing_still(e):
        return still
    for name, function in e.functions.items():
        for call in _repeats(e, name, function):
            same = [arg.arg for arg in positional_parameters(function)]
            if same and [code(arg) for arg in call.args] == same:
                says = f"`{code(call)}` on line {call.lineno} calls the function again with the same arguments."
                return Diagnosis(f"{says} Which argument must change?")
            if not isinstance(function, ast.Lambda) and not _can_stop(function, [call]):
                return Diagnosis(
                    f"`{name}` always calls itself again, so it never ends. Add the case in which it is done. "
                    f"What does it return then?"
                )
    if e.error == "RecursionError":
        says = "The calls are nested too deeply. Which argument gets smaller, and which case ends the recursion?"
        more = " If both are right, use `@tail_recursive` and `return recur(…)`."
        return Diagnosis(says + more * _could_be_a_tail_call(e))
    return Diagnosis("The function does not end. What gets smaller in each round, and what stops it?")


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


def capture_that_shuts_out(e: Evidence) -> Diagnosis | None:
    """Detect a bare name as a pattern before other cases, which are then never reached."""
    if e.error == "SyntaxError" and (match := e.raised(r"name capture '(\w+)' makes remaining")):
        line = next((n.lineno for n in e.all(ast.MatchAs) if n.name == match[1]), 0)
        return captured(match[1], line, e)
    if e.error == "SyntaxError" and e.raised("wildcard makes remaining patterns"):
        return Diagnosis("`case _:` matches everything, so the cases after it never run. Put it last.")
    return None


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


def outside(e: Evidence) -> Diagnosis | None:
    """Detect a `return` outside its function."""
    if e.error == "SyntaxError" and (match := e.raised(r"'(return|yield|await)' outside function")):
        rows = [n.lineno for n in ast.walk(e.tree) if isinstance(n, (ast.Return, ast.Expr)) and n in e.tree.body]
        where = f" on line {rows[0]}" if rows else ""
        return Diagnosis(
            f"The `{match[1]}`{where} is outside the function. Indent it, so that it belongs to the `def`."
        )
    return None


RAISING = (
    capture_that_shuts_out,
    outside,
    rebound_name,
    leaving,
    undefined_name,
    unbound_name,
    nothing_where_a_value_was,
    fixed_value,
    missing_attribute,
    arguments_of_a_fold,
    not_callable,
    not_a_function,
    own_signature,
    wrong_arguments,
    recur_as_value,
    text_and_number,
    tuple_and_item,
    brackets_for_a_call,
    forgotten_call,
    not_subscriptable,
    not_iterable,
    no_length,
    no_order,
    unhashable,
    unpacking,
    past_the_end,
    no_such_key,
    least_of_nothing,
    still_the_stub,
    calls_what_is_unwritten,
    too_much_typed,
    too_much_chance,
    not_to_be_called,
    pattern_parts,
    endless,
)
