"""What lies behind an exception: read from what it says and from the line that it came from."""

from __future__ import annotations

import ast
import builtins
import inspect
from dataclasses import fields, is_dataclass
from typing import Any

from course.diagnoses.evidence import Diagnosis, Evidence, arguments, body_of, called, code, own_nodes
from course.failure import SLOW
from course.form.given import BUILTINS
from course.form.reading import MUTATORS
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
PROMISES = ("generator", "map", "filter", "zip", "reversed")
CALLABLES = ("function", "method", "builtin_function_or_method", "type", "curry")


# ------------------------------------------------------------------------------------------------ names


def _unknown_name(e: Evidence) -> str:
    found = e.said(r"name '(\w+)' is not defined") if e.error == "NameError" else None
    return found[1] if found else ""


def leaving(e: Evidence) -> Diagnosis | None:
    """Tell who calls `exit`: that ends Python, or is not there."""
    if e.error == "SystemExit" or _unknown_name(e) in LEAVING:
        return Diagnosis("What ends Python itself ends no function: what a function gives stands behind `return`.")
    return None


def undefined_name(e: Evidence) -> Diagnosis | None:
    """Tell of a name that nothing is known by."""
    if not (name := _unknown_name(e)):
        return None
    if name in CONSTANTS:
        return Diagnosis(f"`{name}` is written `{CONSTANTS[name]}` in Python.")
    if name in e.elsewhere:
        return Diagnosis(
            f"`{name}` is defined in {e.elsewhere[name]}: run that to its end (Shift-Enter), then check again."
        )
    if name in e.asked.exercises:
        return Diagnosis(f"`{name}` is an exercise: run its cell first.")
    if (owner := _owner_of(e, name)) and owner != e.failure.label:
        return Diagnosis(f"`{name}` is known inside of `{owner}` only: hand it over as an argument, or give it back.")
    if near := e.near(name):
        return Diagnosis(f"There is no `{name}`: did you mean `{near}`?")
    return Diagnosis(f"`{name}` is not defined: did you run the cell that defines it?")


def _owner_of(e: Evidence, name: str) -> str:
    """Give the function that has a variable of this name, if the line that failed is not in it."""
    line = e.failure.line
    for owner, function in e.functions.items():
        inside = function.lineno <= line <= (function.end_lineno or 0)
        stored = {n.id for n in own_nodes(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if name in stored | {arg.arg for arg in arguments(function)} and not inside:
            return owner
    return ""


def unbound_name(e: Evidence) -> Diagnosis | None:
    """Tell of a variable that has no value yet."""
    found = e.said(r"(?:local|free) variable '(\w+)'") if e.error in ("UnboundLocalError", "NameError") else None
    if not found:
        return None
    name = found[1]
    rows = sorted(n.lineno for n in e.all(ast.Name) if n.id == name and isinstance(n.ctx, ast.Store))
    if rows and name in e.given.names | e.asked.exercises:
        return Diagnosis(
            f"Line {rows[0]} gives `{name}` a value, so all through this function `{name}` is a variable "
            f"of yours, and no "
            "longer what is given: call yours something else."
        )
    where = f" (line {rows[0]} is not always reached before)" if rows else ""
    return Diagnosis(f"`{name}` has no value yet when it is asked for{where}: give it one on every way, or before.")


def rebound_name(e: Evidence) -> Diagnosis | None:
    """Tell of a given name that some cell gave another meaning."""
    name = next((node.id for node in e.all(ast.Name) if node.id in e.rebound), "")
    if not name or (e.error and e.here and not any(getattr(node, "id", "") == name for node in e.here)):
        return None
    return Diagnosis(
        f"{e.rebound[name]} gave `{name}` another meaning. Call it something else there; then run the first cell again."
    )


# ------------------------------------------------------------------------------------------------ attributes, None


def nothing_where_a_value_was(e: Evidence) -> Diagnosis | None:
    """Tell what gave None, of which something is asked."""
    if "NoneType" not in e.message or e.error not in ("AttributeError", "TypeError"):
        return None
    for call in e.calls_here:
        function = e.functions.get(called(call))
        if function is not None and not _returns(function):
            return Diagnosis(f"`{called(call)}` gives nothing back, so its value is `None`: it needs a `return`.")
    for node in e.all(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS and _is_kept(e, node):
            return changed_in_place(node.func.attr, node.lineno)
    return Diagnosis(
        "Something in this line is `None`: a function that gave nothing back, or found nothing. Ask "
        "for that case first."
    )


def changed_in_place(name: str, line: int) -> Diagnosis:
    """Tell what `append` and its like do and give."""
    return Diagnosis(f"`.{name}(…)`, in line {line}, changes a list in place and gives `None`, not the list.")


def _returns(function: Any) -> bool:
    if isinstance(function, ast.Lambda):
        return True
    return any(isinstance(n, ast.Return) and n.value is not None for n in own_nodes(function)) or any(
        isinstance(n, (ast.Yield, ast.Raise)) for n in own_nodes(function)
    )


def _is_kept(e: Evidence, node: ast.AST) -> bool:
    return not isinstance(e.parents.get(node), ast.Expr)


def fixed_value(e: Evidence) -> Diagnosis | None:
    """Tell of an attempt to change a tuple, a text or a frozen value."""
    if found := e.said(
        r"'(tuple|str)' object has no attribute '(append|extend|insert|remove|pop|sort|reverse|add|clear)'"
    ):
        less = found[2] in ("remove", "pop", "clear")
        example = "tuple(other for other in cards if other != card)" if less else "(*cards, card)"
        return Diagnosis(f"A {found[1]} cannot be changed, so it has no `.{found[2]}`: make a new one.", example)
    if e.said(r"'(tuple|str)' object does not support item (assignment|deletion)"):
        return Diagnosis("A tuple cannot be changed: make a new one.", "(*cards[:place], card, *cards[place + 1 :])")
    if e.error == "FrozenInstanceError" and (found := e.said(r"cannot (?:assign to|delete) field '(\w+)'")):
        return Diagnosis(
            f"A value cannot be changed: make another, with its own `{found[1]}`.", f"replace(value, {found[1]}=…)"
        )
    return None


def missing_attribute(e: Evidence) -> Diagnosis | None:
    """Tell of a part that a value has not."""
    found = (
        e.said(r"(?:type )?(?:object )?'(\w+)'(?: object)? has no attribute '(\w+)'")
        if e.error == "AttributeError"
        else None
    )
    if not found:
        return None
    kind, name = found[1], found[2]
    if kind in CALLABLES:
        return Diagnosis(f"Before `.{name}` stands a function, which was not called: brackets are missing behind it.")
    cls = e.given.types.get(kind) or getattr(builtins, kind, None)
    among = [each for each in dir(cls) if not each.startswith("_")] if isinstance(cls, type) else []
    parts = _parts_of(cls)
    if near := e.near(name, dict.fromkeys([*parts, *among])):
        return Diagnosis(f"`{kind}` has no `.{name}`: did you mean `.{near}`?")
    if parts:
        return Diagnosis(f"`{kind}` has no `.{name}`: its parts are {_listed(parts)}.")
    if isinstance(cls, type) and (owner := _class_with(e, name)):
        return Diagnosis(
            f"`{owner}` has a part `.{name}`; here it is asked of `{kind}`. Ask first which of the two it is."
        )
    return None


def _class_with(e: Evidence, name: str) -> str:
    return next((kind for kind, cls in e.given.types.items() if name in _parts_of(cls)), "")


def _parts_of(cls: Any) -> list[str]:
    """Give the names of the parts that a value of a class has, none if the class is no dataclass."""
    return [field.name for field in fields(cls)] if isinstance(cls, type) and is_dataclass(cls) else []


def _listed(names: list[str]) -> str:
    return ", ".join(f"`.{name}`" for name in names)


# ------------------------------------------------------------------------------------------------ calls


def arguments_of_a_fold(e: Evidence) -> Diagnosis | None:
    """Tell of a fold, a map or a filter whose arguments stand in another order."""
    name = e.called_here(*FOLDS)
    if not name or e.error not in ("TypeError", "ValueError"):
        return None
    call = next(call for call in e.calls_here if called(call) == name)
    if found := e.said(r"takes? (\d+) positional arguments? but (\d+) (?:was|were) given"):
        if name in ("fold_left", "fold_right", "reduce") and found[2] == "2" and "lambda" in e.message:
            order = (
                "the next item, then the result so far"
                if name == "fold_right"
                else "the result so far, then the next item"
            )
            return Diagnosis(f"The function for `{name}` is called with two arguments: {order}.")
        return None
    swapped = e.said(r"object is not (callable|iterable)|must support iteration|argument after \* must be")
    if swapped and not is_function(e, call.args[0] if call.args else None):
        return Diagnosis(f"`{name}` wants its arguments in this order, the function first:", FOLDS[name])
    if e.said(r"must support iteration|object is not (reversible|iterable)") and len(call.args) > 2:
        return Diagnosis(f"`{name}` wants its arguments in this order, the items last:", FOLDS[name])
    return None


def function_behind(e: Evidence) -> Diagnosis | None:
    """Tell of a fold whose function stands behind its start, which no items, or one, may not bring to light."""
    for call in e.all(ast.Call):
        match call:
            case ast.Call(func=ast.Name(id=name), args=[start, ast.Lambda(args=ast.arguments(args=[_, _])), *_]) if (
                name in ("fold_left", "fold_right") and not e.error and not is_function(e, start)
            ):
                return Diagnosis(f"`{name}` wants its arguments in this order, the function first:", FOLDS[name])
    return None


def is_function(e: Evidence, node: ast.AST | None) -> bool:
    match node:
        case ast.Lambda() | ast.Call() | ast.Attribute():
            return True
        case ast.Name(id=name):
            return name in {*e.functions, *e.given.functions, *e.given.types, *e.asked.exercises} | BUILTINS
    return False


def not_callable(e: Evidence) -> Diagnosis | None:
    """Tell of brackets behind what is no function."""
    found = e.said(r"'(\w+)' object is not callable") if e.error == "TypeError" else None
    if not found:
        return None
    for call in e.calls_here:
        match call.func:
            case ast.Constant() | ast.Tuple() | ast.List():
                return Diagnosis(
                    f"Between `{code(call.func, 24)}` and the next bracket something is missing, most often a comma."
                )
            case ast.Name(id=name) if name in e.parameters or name in _stored(e):
                return Diagnosis(f"`{name}` is a {found[1]} here and no function, so no brackets stand behind it.")
            case ast.Attribute(attr=name) if name in e.given.fields:
                return Diagnosis(f"`.{name}` is a {found[1]} and no function: write it without brackets.")
    return None


def not_a_function(e: Evidence) -> Diagnosis | None:
    """Tell of an answer that is no function, where a function is wanted."""
    found = e.said(r"'(\w+)' object is not callable") if e.error == "TypeError" and not e.failure.line else None
    if not found or e.function is not None or not e.asked.is_called:
        return None
    row = next((top.lineno for top in reversed(e.tops) if e.asked.name in bound_names(top)), 0)
    kind = "number" if found[1] in ("int", "float") else found[1]
    return Diagnosis(f"`{e.asked.name}` is to be a function, and line {row} makes a {kind} of it.") if row else None


def _stored(e: Evidence) -> set[str]:
    return {n.id for n in e.all(ast.Name) if isinstance(n.ctx, ast.Store)} | {
        n.name for n in e.all(ast.MatchAs) if n.name
    }


def own_signature(e: Evidence) -> Diagnosis | None:
    """Tell that the answer itself has too many or too few parameters."""
    if e.error != "TypeError" or e.failure.line or e.function is None:
        return None
    if not e.said(rf"^{e.asked.name}\(\) (takes|missing|got)") or not e.asked.parameters:
        return None
    wanted = ", ".join(name for name, _ in e.asked.parameters)
    if e.asked.curried:
        says = "It must take its arguments all at once and one at a time. `@curry` above the `def` does that:"
        return Diagnosis(says, f"@curry\ndef {e.asked.name}({wanted}):")
    return Diagnosis(
        "Your `def` has other parameters than the exercise calls it with. It begins:", f"def {e.asked.name}({wanted}):"
    )


def wrong_arguments(e: Evidence) -> Diagnosis | None:
    """Tell what a function is to be called with."""
    found = e.said(r"(\w+)(?:\.__init__)?\(\) (?:takes|missing|got)") if e.error == "TypeError" else None
    if not found:
        return None
    name = found[1]
    call = next((call for call in e.calls_here if called(call) == name), None)
    wanted = _signature(e, name)
    if call is None or wanted is None:
        return None
    count = len(call.args) + len(call.keywords)
    told = f"{len(wanted)} argument{'' if len(wanted) == 1 else 's'}"
    return Diagnosis(f"`{name}` takes {told}; line {call.lineno} gives it {count}.", f"{name}({', '.join(wanted)})")


def _signature(e: Evidence, name: str) -> list[str] | None:
    if function := e.functions.get(name):
        return [arg.arg for arg in arguments(function)]
    thing = e.given.types.get(name) or e.given.functions.get(name)
    try:
        return list(inspect.signature(thing).parameters) if thing is not None else None
    except (TypeError, ValueError):
        return None


# ------------------------------------------------------------------------------------------------ operators


def recur_as_value(e: Evidence) -> Diagnosis | None:
    """Tell of `1 + recur(…)`."""
    if e.error != "TypeError" or not e.said(r"'Recur'"):
        return None
    return Diagnosis(
        "`recur(…)` is an order to call again, and no value that could be added to. Hand on what there is so far:",
        "return recur(…, count + 1)",
    )


def text_and_number(e: Evidence) -> Diagnosis | None:
    """Tell of a text and a number that were to be added."""
    if e.said(r"can only concatenate str|operand type\(s\) for \+: '(int|float)' and 'str'"):
        return Diagnosis("A text and something else cannot be added: make a text of it.", 'f"{name}: {number}"')
    return None


def tuple_and_item(e: Evidence) -> Diagnosis | None:
    """Tell of a tuple and a thing, or a list, that were to be added."""
    found = e.said(r"can only concatenate (tuple|list) \(not \"(\w+)\"\) to (?:tuple|list)")
    found = found or e.said(r"operand type\(s\) for \+: '(\w+)' and '(tuple|list)'")
    if not found:
        return None
    if {found[1], found[2]} == {"tuple", "list"}:
        return Diagnosis("A tuple and a list cannot be added: spread both into a new tuple.", "(*first, *second)")
    return Diagnosis(
        "Only a tuple can be added to a tuple. A tuple of one thing has a comma: `(card,)`.", "(*cards, card)"
    )


def forgotten_call(e: Evidence) -> Diagnosis | None:
    """Tell of a function that was to be called."""
    kinds = "|".join(CALLABLES)
    found = e.said(
        rf"'({kinds})' object is not (subscriptable|iterable)|'({kinds})' and|and '({kinds})'|of type '({kinds})'"
    )
    if not found or e.error != "TypeError":
        return None
    functions = e.functions.keys() | e.given.functions.keys() | e.asked.exercises
    names = [n.id for n in e.here if isinstance(n, ast.Name) and n.id in functions]
    called_names = {id(call.func) for call in e.calls_here}
    bare = [n.attr for n in e.here if isinstance(n, ast.Attribute) and id(n) not in called_names]
    what = next(iter([f"`{name}`" for name in names] + [f"`.{name}`" for name in bare]), "Something in this line")
    return Diagnosis(f"{what} is a function, and was not called: its arguments belong in round brackets behind it.")


def not_subscriptable(e: Evidence) -> Diagnosis | None:
    """Tell of square brackets behind what has no places."""
    found = e.said(r"'(\w+)' object is not subscriptable") if e.error == "TypeError" else None
    if not found:
        return None
    cls = e.given.types.get(found[1])
    if found[1] in PROMISES:
        return Diagnosis(f"A {found[1]} is a promise of items, and has no places: write `tuple(…)` around it first.")
    if isinstance(cls, type) and is_dataclass(cls):
        parts = _parts_of(cls)
        told = f"its parts are {_listed(parts)}" if parts else "it has no parts"
        return Diagnosis(f"`{found[1]}` has no `[0]`: {told}.")
    return Diagnosis(f"What stands before `[` is a {found[1]}, which has no places.")


def not_iterable(e: Evidence) -> Diagnosis | None:
    """Tell of a single thing where several were wanted."""
    found = e.said(
        r"'(\w+)' object is not (?:iterable|reversible)|cannot unpack non-iterable (\w+) object|"
        r"after \* must be an iterable, not (\w+)"
    )
    if not found or e.error != "TypeError":
        return None
    kind = found[1] or found[2] or found[3]
    if kind == "int":
        return Diagnosis("A number holds no items: to count up to it, write `range(n)`; a tuple of it alone is `(n,)`.")
    return Diagnosis(
        f"`{kind}` is one thing and holds no items: a tuple of it alone is written with a comma, `(thing,)`."
    )


def no_length(e: Evidence) -> Diagnosis | None:
    """Tell of a promise that was asked how long it is."""
    found = e.said(r"object of type '(\w+)' has no len")
    if found and found[1] in PROMISES:
        return Diagnosis(
            f"A {found[1]} is a promise of items, and nobody knows yet how many: write `tuple(…)` around it first."
        )
    return None


def no_order(e: Evidence) -> Diagnosis | None:
    """Tell of things that have no order."""
    found = e.said(r"'([<>]=?)' not supported between instances of '(\w+)' and '(\w+)'")
    if not found:
        return None
    if {found[2], found[3]} <= {*CALLABLES}:
        return Diagnosis("Functions have no order: compare what they give.", "min(rules, key=lambda rule: …)")
    if {found[2], found[3]} & {*CALLABLES}:
        return forgotten_call(e)
    cls = e.given.types.get(found[2])
    parts = _parts_of(cls)
    of = f", for example their {_listed(parts)}" if parts else ""
    return Diagnosis(f"`{found[2]}` and `{found[3]}` have no order: compare numbers{of}.")


def unhashable(e: Evidence) -> Diagnosis | None:
    """Tell of a list in a set, or as a key."""
    found = e.said(r"unhashable type: '(list|dict|set)'")
    return Diagnosis(f"A {found[1]} cannot be in a set, nor be a key: use a tuple.") if found else None


# ------------------------------------------------------------------------------------------------ places, values


def unpacking(e: Evidence) -> Diagnosis | None:
    """Tell of more names than values, or fewer."""
    found = e.said(r"(not enough|too many) values to unpack \(expected (?:at least )?(\d+)")
    if not found or e.error != "ValueError":
        return None
    if found[1] == "not enough":
        return Diagnosis(
            f"The left side of `=` wants {found[2]} values or more, and here are fewer: ask for such a case first."
        )
    return Diagnosis(
        f"The left side of `=` has {found[2]} names, and there are more values: a star takes the rest, `*others`."
    )


def past_the_end(e: Evidence) -> Diagnosis | None:
    """Tell of a place that is not there."""
    if e.error != "IndexError":
        return None
    for node in e.here:
        match node:
            case ast.Subscript(value=value, slice=ast.Call(func=ast.Name(id="len"))):
                return Diagnosis(
                    f"Places are counted from 0, so the last one of `{code(value)}` is `{code(value)}[-1]`."
                )
            case ast.Subscript(value=value, slice=ast.Constant(value=0 | -1) | ast.UnaryOp()):
                return Diagnosis(f"`{code(node)}` is not there if `{code(value)}` is empty: ask for that case first.")
    return Diagnosis("There are not so many items: places are counted from 0, and the last one is `[-1]`.")


def no_such_key(e: Evidence) -> Diagnosis | None:
    """Tell of a key that a dictionary has not."""
    if e.error == "KeyError":
        return Diagnosis(f"The dictionary has no key `{e.message}`: look what its keys are, or ask with `.get(…)`.")
    return None


def least_of_nothing(e: Evidence) -> Diagnosis | None:
    """Tell of `min` and `max` of nothing."""
    found = e.said(r"(min|max)\(\) (?:arg is an empty sequence|iterable argument is empty)")
    return (
        Diagnosis(f"`{found[1]}` of nothing is an error, unless you say what it is then: `default=…`.")
        if found
        else None
    )


def still_the_stub(e: Evidence) -> Diagnosis | None:
    """Tell of the stub's last line."""
    if e.error != "NotImplementedError":
        return None
    if e.said("TODO"):
        return Diagnosis("A value that this uses is not written yet: `TODO` stands in its place.")
    return (
        Diagnosis(f"The `raise NotImplementedError` in line {e.failure.line} still stands there: delete it.")
        if e.failure.line
        else None
    )


def too_much_typed(e: Evidence) -> Diagnosis | None:
    """Tell of input that nobody gives."""
    if e.error != "EOFError":
        return None
    return Diagnosis("It asks for another line, and no more are typed: ask only as often as the statement says.")


def too_much_chance(e: Evidence) -> Diagnosis | None:
    """Tell of chance that is asked too often."""
    if e.error != "OutOfChance":
        return None
    return Diagnosis("It asks chance more often than the statement says: when is there nothing to choose?")


def not_to_be_called(e: Evidence) -> Diagnosis | None:
    """Tell of a function that was handed over and is not to be called here."""
    if e.error != "AssertionError" or not e.said("should not be called"):
        return None
    name = e.called_here(*e.parameters)
    what = f"`{name}`" if name else "A function that it was given"
    return Diagnosis(f"{what} is not to be called here: there is nothing to choose. Ask for that case first.")


def pattern_parts(e: Evidence) -> Diagnosis | None:
    """Tell of a pattern that does not fit its class."""
    if found := e.said(r"(\w+)\(\) accepts (\d+) positional sub-patterns? \((\d+) given\)"):
        cls = e.given.types.get(found[1])
        parts = _parts_of(cls)
        return Diagnosis(
            f"`{found[1]}` has {found[2]} parts, the pattern {found[3]}.", f"case {found[1]}({', '.join(parts)}):"
        )
    if e.said("called match pattern must be a"):
        return Diagnosis(
            "In a pattern only a class has brackets. To ask a function, use a guard:", "case card if test(card):"
        )
    return None


# ------------------------------------------------------------------------------------------------ without end


def endless(e: Evidence) -> Diagnosis | None:
    """Tell of calls or turns without end."""
    if e.error != "RecursionError" and e.failure.did is not SLOW:
        return None
    for node in e.all(ast.While):
        if told := _standing_still(node):
            return Diagnosis(f"Nothing in the loop of line {node.lineno} changes {told}, so it never ends.")
    for name, function in e.functions.items():
        for call in _repeats(e, name, function):
            same = [arg.arg for arg in arguments(function)]
            if same and [code(arg) for arg in call.args] == same:
                told = f"`{code(call)}`, in line {call.lineno}, asks again for the very same"
                return Diagnosis(f"{told}: which argument gets smaller from call to call?")
            if not isinstance(function, ast.Lambda) and not _can_stop(function):
                return Diagnosis(
                    f"`{name}` calls itself on every way through it. In which case is it done, and what "
                    f"does it give then?"
                )
    if e.error == "RecursionError":
        return Diagnosis(
            "Which argument gets smaller from call to call, and which case ends it? If both are right, "
            "there are just too "
            "many calls within calls: use `@tail_recursive` and `return recur(…)`."
        )
    return Diagnosis("It does not come to an end. What gets smaller from turn to turn, and what stops it?")


def _standing_still(loop: ast.While) -> str:
    """Give what a loop asks and never changes, "" if it may end."""
    if any(isinstance(n, (ast.Break, ast.Return, ast.Raise, ast.Call)) for n in ast.walk(loop)):
        return ""
    asked = {n.id for n in ast.walk(loop.test) if isinstance(n, ast.Name)}
    stored = {
        n.id for part in loop.body for n in ast.walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    return "" if asked & stored or not asked else " or ".join(f"`{name}`" for name in sorted(asked))


def _repeats(e: Evidence, name: str, function: Any) -> list[ast.Call]:
    """Give the calls by which a function comes back to itself; `recur` repeats the one that it stands in."""
    inside = [n for part in body_of(function) for n in ast.walk(part) if called(n) == name]
    return [*(n for n in own_nodes(function) if called(n) == "recur"), *inside]  # type: ignore[list-item]


def _can_stop(function: Any) -> bool:
    """Tell whether there is a way through a function that does not call it again."""
    asks = (ast.If, ast.IfExp, ast.Match, ast.BoolOp, ast.comprehension, ast.For, ast.While)
    return any(isinstance(n, asks) for n in own_nodes(function))


# ------------------------------------------------------------------------------------------------ what never compiles


def capture_that_shuts_out(e: Evidence) -> Diagnosis | None:
    """Tell of a bare name in a pattern with cases behind it."""
    if e.error == "SyntaxError" and (found := e.said(r"name capture '(\w+)' makes remaining")):
        line = next((n.lineno for n in e.all(ast.MatchAs) if n.name == found[1]), 0)
        return captured(found[1], line, e)
    if e.error == "SyntaxError" and e.said("wildcard makes remaining patterns"):
        return Diagnosis("`case _:` fits everything, so no case behind it is ever tried: put it last.")
    return None


def captured(name: str, line: int, e: Evidence) -> Diagnosis:
    """Tell what a bare name in a pattern does, and what was meant."""
    says = (
        f"In line {line}, `{name}` in a pattern asks nothing: it fits everything, and is its new name. To ask, write:"
    )
    return Diagnosis(says, f"case {asked_by(name, e)}:")


def asked_by(name: str, e: Evidence) -> str:
    """Give the pattern that asks for what a bare name seems to mean."""
    kind = e.given.values.get(name)
    if isinstance(e.given.types.get(name), type):
        return f"{name}()"
    if kind is not None and hasattr(kind, name):
        return f"{kind.__name__}.{name}"
    return f"{kind.__name__}()" if kind is not None else f"value if value == {name}"


def outside(e: Evidence) -> Diagnosis | None:
    """Tell of a `return` that has slipped out of its function."""
    if e.error == "SyntaxError" and (found := e.said(r"'(return|yield|await)' outside function")):
        rows = [n.lineno for n in ast.walk(e.tree) if isinstance(n, (ast.Return, ast.Expr)) and n in e.tree.body]
        where = f" in line {rows[0]}" if rows else ""
        return Diagnosis(
            f"The `{found[1]}`{where} is outside of the function: it must stand further right, under its `def`."
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
    too_much_typed,
    too_much_chance,
    not_to_be_called,
    pattern_parts,
    endless,
)
