"""Diagnoses of exceptions, read from the message and from the line that raised it."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from dataclasses import fields, is_dataclass
from typing import Any

from course.diagnoses.evidence import Diagnosis, Evidence, arguments, body_of, called, code, own_nodes, with_article
from course.diagnoses.failure import SLOW
from course.diagnoses.obstacle import first_cell_text
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
        return Diagnosis(f"`{name}` is not imported yet. {first_cell_text(e.asked.module, e.asked.name)}")
    if name in e.defined_now:
        return Diagnosis(f"`{name}` is defined by now. Run the cell of `{e.asked.name}` again (Shift-Enter).")
    if name in e.elsewhere:
        return Diagnosis(
            f"{_capital(e.elsewhere[name])} defines `{name}`. Run it to its end (Shift-Enter), then check again."
        )
    if name in e.asked.exercises:
        return Diagnosis(f"`{name}` is an exercise. Run its cell first.")
    if (owner := _owner_of(e, name)) and owner != e.failure.label:
        return Diagnosis(f"`{name}` exists only inside `{owner}`. Pass it as an argument, or return it.")
    return _part_without_its_value(e, name) or _undefined_anywhere(e, name)


def _undefined_anywhere(e: Evidence, name: str) -> Diagnosis:
    if near := e.near(name):
        return Diagnosis(f"`{name}` is not defined. Did you mean `{near}`?")
    return Diagnosis(f"`{name}` is not defined. Did you run the cell that defines it?")


def _part_without_its_value(e: Evidence, name: str) -> Diagnosis | None:
    """Detect the name of a part of a parameter, with no parameter before it."""
    for parameter, (_, kind) in zip(e.parameters, e.asked.parameters, strict=False):
        if name in _parts_of(e.given.types.get(kind)):
            return Diagnosis(f"`{name}` is a part of `{parameter}`. Write `{parameter}.{name}`.")
    return None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _owner_of(e: Evidence, name: str) -> str:
    """Return the function that has a variable of this name, if the line that failed is not in it."""
    line = e.failure.line
    for owner, function in e.functions.items():
        inside = function.lineno <= line <= (function.end_lineno or 0)
        stored = {n.id for n in own_nodes(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if name in stored | {arg.arg for arg in arguments(function)} and not inside:
            return owner
    return ""


def unbound_name(e: Evidence) -> Diagnosis | None:
    """Detect a variable that has no value yet."""
    found = e.said(r"(?:local|free) variable '(\w+)'") if e.error in ("UnboundLocalError", "NameError") else None
    if not found:
        return None
    name = found[1]
    rows = sorted(n.lineno for n in e.all(ast.Name) if n.id == name and isinstance(n.ctx, ast.Store))
    if rows and name in e.given.names | e.asked.exercises:
        return Diagnosis(
            f"Line {rows[0]} assigns `{name}`, so in this whole function `{name}` is your own variable and not "
            "the given name. Rename your variable."
        )
    where = f" Line {rows[0]} assigns it, but does not always run first." if rows else ""
    return Diagnosis(f"`{name}` is used before it has a value.{where} Assign it in every case, or earlier.")


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
    """Detect a None where a value is needed, and say where it comes from."""
    if "NoneType" not in e.message or e.error not in ("AttributeError", "TypeError"):
        return None
    for call in e.calls_here:
        function = e.functions.get(called(call))
        if function is not None and not _returns(function):
            return Diagnosis(f"`{called(call)}` returns nothing, so its value is `None`. It needs a `return`.")
    for node in e.all(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS and _is_kept(e, node):
            return changed_in_place(node.func.attr, node.lineno)
    return Diagnosis(
        "Something on this line is `None`: a function returned nothing, or did not find anything. Test for "
        "that case first."
    )


def changed_in_place(name: str, line: int) -> Diagnosis:
    """Explain what `append` and similar methods do and return."""
    return Diagnosis(f"`.{name}(…)` on line {line} changes a list in place. It returns `None`, not the list.")


def _returns(function: Any) -> bool:
    if isinstance(function, ast.Lambda):
        return True
    return any(isinstance(n, ast.Return) and n.value is not None for n in own_nodes(function)) or any(
        isinstance(n, (ast.Yield, ast.Raise)) for n in own_nodes(function)
    )


def _is_kept(e: Evidence, node: ast.AST) -> bool:
    return not isinstance(e.parents.get(node), ast.Expr)


def fixed_value(e: Evidence) -> Diagnosis | None:
    """Detect an attempt to change a tuple, a string or a frozen value."""
    if found := e.said(
        r"'(tuple|str)' object has no attribute '(append|extend|insert|remove|pop|sort|reverse|add|clear)'"
    ):
        less = found[2] in ("remove", "pop", "clear")
        example = "tuple(other for other in cards if other != card)" if less else "(*cards, card)"
        return Diagnosis(f"A {found[1]} cannot be changed, so it has no `.{found[2]}`. Make a new one:", example)
    if e.said(r"'(tuple|str)' object does not support item (assignment|deletion)"):
        return Diagnosis("A tuple cannot be changed. Make a new one:", "(*cards[:place], card, *cards[place + 1 :])")
    if e.error == "FrozenInstanceError" and (found := e.said(r"cannot (?:assign to|delete) field '(\w+)'")):
        return _made_anew(e, found[1])
    return None


def _made_anew(e: Evidence, part: str) -> Diagnosis:
    """Say how to make a value with another part: by `replace` where the unit gives it, else by the value's class."""
    kind = _class_with(e, part)
    if "replace" in e.given.functions or not kind:
        return Diagnosis(
            f"This value cannot be changed. Make a copy with another `{part}`:", f"replace(value, {part}=…)"
        )
    parts = ", ".join(f"{each}=…" for each in _parts_of(e.given.types[kind]))
    return Diagnosis(f"This `{kind}` cannot be changed. Make a new one:", f"{kind}({parts})")


def missing_attribute(e: Evidence) -> Diagnosis | None:
    """Detect an attribute that a value does not have."""
    found = (
        e.said(r"(?:type )?(?:object )?'(\w+)'(?: object)? has no attribute '(\w+)'")
        if e.error == "AttributeError"
        else None
    )
    if not found:
        return None
    kind, name = found[1], found[2]
    if kind in CALLABLES:
        return Diagnosis(f"There is a function before `.{name}`, and it was not called. Add its parentheses: `(…)`.")
    cls = e.given.types.get(kind) or getattr(builtins, kind, None)
    among = [each for each in dir(cls) if not each.startswith("_")] if isinstance(cls, type) else []
    parts = _parts_of(cls)
    if near := e.near(name, dict.fromkeys([*parts, *among])):
        return Diagnosis(f"`{kind}` has no `.{name}`. Did you mean `.{near}`?")
    if parts:
        return Diagnosis(f"`{kind}` has no `.{name}`. Its parts are {_listed(parts)}.")
    if isinstance(cls, type) and (owner := _class_with(e, name)):
        return Diagnosis(
            f"`{owner}` has a part `.{name}`, but this value is a `{kind}`. Test first which of the two it is."
        )
    return None


def _class_with(e: Evidence, name: str) -> str:
    return next((kind for kind, cls in e.given.types.items() if name in _parts_of(cls)), "")


def _parts_of(cls: Any) -> list[str]:
    """Return the names of the parts that a value of a class has, none if the class is no dataclass."""
    return [field.name for field in fields(cls)] if isinstance(cls, type) and is_dataclass(cls) else []


def _listed(names: list[str]) -> str:
    return ", ".join(f"`.{name}`" for name in names)


# ------------------------------------------------------------------------------------------------ calls


def arguments_of_a_fold(e: Evidence) -> Diagnosis | None:
    """Detect a fold, map or filter whose arguments are in the wrong order."""
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
            return Diagnosis(f"`{name}` calls its function with two arguments: {order}.")
        return None
    swapped = e.said(r"object is not (callable|iterable)|must support iteration|argument after \* must be")
    if swapped and not is_function(e, call.args[0] if call.args else None):
        return Diagnosis(f"`{name}` has its arguments in the wrong order. The function comes first:", FOLDS[name])
    if e.said(r"must support iteration|object is not (reversible|iterable)") and len(call.args) > 2:
        return Diagnosis(f"`{name}` has its arguments in the wrong order. The items come last:", FOLDS[name])
    return None


def function_behind(e: Evidence) -> Diagnosis | None:
    """Detect a fold whose function comes after its start value; with few items Python raises no error."""
    for call in e.all(ast.Call):
        match call:
            case ast.Call(func=ast.Name(id=name), args=[start, ast.Lambda(args=ast.arguments(args=[_, _])), *_]) if (
                name in ("fold_left", "fold_right") and not e.error and not is_function(e, start)
            ):
                return Diagnosis(
                    f"`{name}` has its arguments in the wrong order. The function comes first:", FOLDS[name]
                )
    return None


def is_function(e: Evidence, node: ast.AST | None) -> bool:
    match node:
        case ast.Lambda() | ast.Call() | ast.Attribute():
            return True
        case ast.Name(id=name):
            return name in {*e.functions, *e.given.functions, *e.given.types, *e.asked.exercises} | BUILTINS
    return False


def not_callable(e: Evidence) -> Diagnosis | None:
    """Detect a call of something that is not a function."""
    found = e.said(r"'(\w+)' object is not callable") if e.error == "TypeError" else None
    if not found:
        return None
    stored = _stored(e)
    for call in e.calls_here:
        match call.func:
            case ast.Constant() | ast.Tuple() | ast.List():
                return Diagnosis(
                    f"Something is missing between `{code(call.func, 24)}` and the next `(`, usually a comma."
                )
            case ast.Name(id=name) if name in e.parameters and call.args and name.capitalize() in e.given.types:
                return Diagnosis(
                    f"`{name}` is a value, so you cannot call it. Call the class, with a capital letter:",
                    f"{name.capitalize()}(…)",
                )
            case ast.Name(id=name) if name in e.parameters or name in stored:
                return Diagnosis(
                    f"`{name}` is not a function, it is {with_article(found[1])}. Write it without parentheses."
                )
            case ast.Attribute(attr=name) if name in e.given.fields:
                return Diagnosis(
                    f"`.{name}` is not a function, it is {with_article(found[1])}. Write it without parentheses."
                )
    return None


def not_a_function(e: Evidence) -> Diagnosis | None:
    """Detect an answer that is not a function, although it must be one."""
    found = e.said(r"'(\w+)' object is not callable") if e.error == "TypeError" and not e.failure.line else None
    if not found or e.function is not None or not e.asked.is_called:
        return None
    row = next((top.lineno for top in reversed(e.tops) if e.asked.name in bound_names(top)), 0)
    kind = "number" if found[1] in ("int", "float") else found[1]
    return (
        Diagnosis(f"`{e.asked.name}` must be a function, but line {row} makes it {with_article(kind)}.")
        if row
        else None
    )


def _stored(e: Evidence) -> set[str]:
    return {n.id for n in e.all(ast.Name) if isinstance(n.ctx, ast.Store)} | {
        n.name for n in e.all(ast.MatchAs) if n.name
    }


def own_signature(e: Evidence) -> Diagnosis | None:
    """Detect too many or too few parameters in the answer itself."""
    if e.error != "TypeError" or e.failure.line or e.function is None:
        return None
    if not e.said(rf"^{e.asked.name}\(\) (takes|missing|got)") or not e.asked.parameters:
        return None
    wanted = ", ".join(name for name, _ in e.asked.parameters)
    if e.asked.curried:
        says = "The function must take its arguments all at once, and also one at a time. Add `@curry`:"
        return Diagnosis(says, f"@curry\ndef {e.asked.name}({wanted}):")
    return Diagnosis("Your `def` has the wrong number of parameters. It must begin:", f"def {e.asked.name}({wanted}):")


def wrong_arguments(e: Evidence) -> Diagnosis | None:
    """Detect a call with too many or too few arguments."""
    found = e.said(r"(\w+)(?:\.__init__)?\(\) (?:takes|missing|got)") if e.error == "TypeError" else None
    if not found:
        return None
    name = found[1]
    call = next((call for call in e.calls_here if called(call) == name), None)
    wanted = _signature(e, name)
    if call is None or wanted is None:
        return None
    count = len(call.args) + len(call.keywords)
    expected = f"{len(wanted)} argument{'' if len(wanted) == 1 else 's'}"
    says = f"`{name}` takes {expected}, but line {call.lineno} passes {count}."
    return Diagnosis(says, f"{name}({', '.join(wanted)})")


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
    """Detect `1 + recur(…)`."""
    if e.error != "TypeError" or not e.said(r"'Recur'"):
        return None
    return Diagnosis(
        "`recur(…)` is not a number, so you cannot add to it. Pass the result so far as an argument:",
        "return recur(…, count + 1)",
    )


def text_and_number(e: Evidence) -> Diagnosis | None:
    """Detect an addition of a string and a number."""
    if e.said(r"can only concatenate str|operand type\(s\) for \+: '(int|float)' and 'str'"):
        return Diagnosis("You can add a string only to another string. Make one string of both:", 'f"{name}: {number}"')
    return None


def tuple_and_item(e: Evidence) -> Diagnosis | None:
    """Detect an addition of a tuple and a single item or a list."""
    found = e.said(r"can only concatenate (tuple|list) \(not \"(\w+)\"\) to (?:tuple|list)")
    found = found or e.said(r"operand type\(s\) for \+: '(\w+)' and '(tuple|list)'")
    if not found:
        return None
    if {found[1], found[2]} == {"tuple", "list"}:
        return Diagnosis("You cannot add a tuple and a list. Spread both into a new tuple:", "(*first, *second)")
    return Diagnosis(
        "You can add only a tuple to a tuple. A tuple with one item has a comma: `(card,)`.", "(*cards, card)"
    )


def forgotten_call(e: Evidence) -> Diagnosis | None:
    """Detect a function that was not called."""
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
    what = next(iter([f"`{name}`" for name in names] + [f"`.{name}`" for name in bare]), "Something on this line")
    return Diagnosis(f"{what} is a function that was not called. Add its arguments in parentheses.")


def not_subscriptable(e: Evidence) -> Diagnosis | None:
    """Detect square brackets after a value that cannot be indexed."""
    found = e.said(r"'(\w+)' object is not subscriptable") if e.error == "TypeError" else None
    if not found:
        return None
    cls = e.given.types.get(found[1])
    if found[1] in PROMISES:
        return Diagnosis(f"You cannot index a {found[1]}. Wrap it in `tuple(…)` first.")
    if isinstance(cls, type) and is_dataclass(cls):
        parts = _parts_of(cls)
        says = f"Its parts are {_listed(parts)}." if parts else "It has no parts."
        return Diagnosis(f"You cannot index a `{found[1]}`. {says}")
    return Diagnosis(f"The value before `[` is {with_article(found[1])}. You cannot index it.")


def not_iterable(e: Evidence) -> Diagnosis | None:
    """Detect a single value where several items are needed."""
    found = e.said(
        r"'(\w+)' object is not (?:iterable|reversible)|cannot unpack non-iterable (\w+) object|"
        r"after \* must be an iterable, not (\w+)"
    )
    if not found or e.error != "TypeError":
        return None
    kind = found[1] or found[2] or found[3]
    if kind == "int":
        return Diagnosis(
            "You cannot loop over a number. To count up to it, write `range(n)`. A tuple with it alone is `(n,)`."
        )
    return Diagnosis(f"A `{kind}` is a single value without items. A tuple with one item needs a comma: `(value,)`.")


def no_length(e: Evidence) -> Diagnosis | None:
    """Detect `len` of an iterator."""
    found = e.said(r"object of type '(\w+)' has no len")
    if found and found[1] in PROMISES:
        return Diagnosis(
            f"A {found[1]} has no length, because its items do not exist yet. Wrap it in `tuple(…)` first."
        )
    return None


def no_order(e: Evidence) -> Diagnosis | None:
    """Detect a comparison of values that have no order."""
    found = e.said(r"'([<>]=?)' not supported between instances of '(\w+)' and '(\w+)'")
    if not found:
        return None
    if {found[2], found[3]} <= {*CALLABLES}:
        return Diagnosis(
            "Functions have no order. Compare the values that they return:", "min(rules, key=lambda rule: …)"
        )
    if {found[2], found[3]} & {*CALLABLES}:
        return forgotten_call(e)
    cls = e.given.types.get(found[2])
    parts = _parts_of(cls)
    of = f", for example their {_listed(parts)}" if parts else ""
    return Diagnosis(f"`{found[2]}` and `{found[3]}` have no order. Compare numbers{of}.")


def unhashable(e: Evidence) -> Diagnosis | None:
    """Detect a list in a set, or as a key."""
    found = e.said(r"unhashable type: '(list|dict|set)'")
    return Diagnosis(f"A {found[1]} cannot be an item of a set or a key. Use a tuple.") if found else None


# ------------------------------------------------------------------------------------------------ places, values


def unpacking(e: Evidence) -> Diagnosis | None:
    """Detect an unpacking with more names than values, or fewer."""
    found = e.said(r"(not enough|too many) values to unpack \(expected (?:at least )?(\d+)")
    if not found or e.error != "ValueError":
        return None
    if found[1] == "not enough":
        return Diagnosis(
            f"The left side of `=` needs {found[2]} values, but there are fewer. Test for that case first."
        )
    return Diagnosis(
        f"The left side of `=` has {found[2]} names, but there are more values. A star takes the rest: `*others`."
    )


def past_the_end(e: Evidence) -> Diagnosis | None:
    """Detect an index that does not exist."""
    if e.error != "IndexError":
        return None
    for node in e.here:
        match node:
            case ast.Subscript(value=value, slice=ast.Call(func=ast.Name(id="len"))):
                return Diagnosis(f"Indexes start at 0, so the last item of `{code(value)}` is `{code(value)}[-1]`.")
            case ast.Subscript(value=value, slice=ast.Constant(value=0 | -1) | ast.UnaryOp()):
                return Diagnosis(
                    f"If `{code(value)}` is empty, `{code(node)}` does not exist. Test for that case first."
                )
    return Diagnosis("There are not that many items. Indexes start at 0, and the last item is `[-1]`.")


def no_such_key(e: Evidence) -> Diagnosis | None:
    """Detect a key that a dictionary does not have."""
    if e.error == "KeyError":
        return Diagnosis(f"The dictionary has no key `{e.message}`. Print its keys, or use `.get(…)`.")
    return None


def least_of_nothing(e: Evidence) -> Diagnosis | None:
    """Detect `min` and `max` of nothing."""
    found = e.said(r"(min|max)\(\) (?:arg is an empty sequence|iterable argument is empty)")
    return (
        Diagnosis(f"`{found[1]}` of nothing is an error. Pass the answer for that case: `default=…`.")
        if found
        else None
    )


def still_the_stub(e: Evidence) -> Diagnosis | None:
    """Detect the stub's last line."""
    if e.error != "NotImplementedError":
        return None
    if e.said("TODO"):
        return Diagnosis("This uses a value that is not written yet: it is still `TODO`.")
    return (
        Diagnosis(f"Line {e.failure.line} still has the `raise NotImplementedError` of the empty exercise. Delete it.")
        if e.failure.line
        else None
    )


def calls_what_is_unwritten(e: Evidence) -> Diagnosis | None:
    """Return which unwritten exercise the answer calls, where the grader's stand-in for it was called."""
    if e.error != "NotWritten" or e.message not in e.asked.exercises:
        return None
    caller = e.failure.label if e.failure.label in e.asked.exercises else e.asked.name
    return Diagnosis(f"`{caller}` calls `{e.message}`, which is not written. Write it first, or do without it.")


def too_much_typed(e: Evidence) -> Diagnosis | None:
    """Detect a function that reads more lines than there are."""
    if e.error != "EOFError":
        return None
    return Diagnosis("The function reads another line, but nobody types one. Read only as often as the statement says.")


def too_much_chance(e: Evidence) -> Diagnosis | None:
    """Detect a function that uses chance too often."""
    if e.error != "OutOfChance":
        return None
    return Diagnosis("The function uses chance more often than the statement says. When is there nothing to choose?")


def not_to_be_called(e: Evidence) -> Diagnosis | None:
    """Detect a call of an argument that must not be called here."""
    if e.error != "AssertionError" or not e.said("should not be called"):
        return None
    name = e.called_here(*e.parameters)
    what = f"`{name}`" if name else "One of the functions in the arguments"
    return Diagnosis(f"{what} must not be called here, because there is nothing to choose. Test for that case first.")


def pattern_parts(e: Evidence) -> Diagnosis | None:
    """Detect a pattern that does not match its class."""
    if found := e.said(r"(\w+)\(\) accepts (\d+) positional sub-patterns? \((\d+) given\)"):
        cls = e.given.types.get(found[1])
        parts = _parts_of(cls)
        return Diagnosis(
            f"`{found[1]}` has {found[2]} parts, but the pattern has {found[3]}.",
            f"case {found[1]}({', '.join(parts)}):",
        )
    if e.said("called match pattern must be a"):
        return Diagnosis("A pattern cannot call a function. Use a guard:", "case card if test(card):")
    return None


# ------------------------------------------------------------------------------------------------ without end


def endless(e: Evidence) -> Diagnosis | None:
    """Detect calls or loops that never end."""
    if e.error != "RecursionError" and e.failure.did is not SLOW:
        return None
    for node in e.all(ast.While):
        if unchanged := _standing_still(node):
            return Diagnosis(f"The loop on line {node.lineno} never changes {unchanged}, so it never ends.")
    for name, function in e.functions.items():
        for call in _repeats(e, name, function):
            same = [arg.arg for arg in arguments(function)]
            if same and [code(arg) for arg in call.args] == same:
                says = f"`{code(call)}` on line {call.lineno} calls the function again with the same arguments."
                return Diagnosis(f"{says} Which argument must get smaller?")
            if not isinstance(function, ast.Lambda) and not _can_stop(function):
                return Diagnosis(
                    f"`{name}` always calls itself again, so it never ends. Add the case in which it is done. "
                    f"What does it return then?"
                )
    if e.error == "RecursionError":
        return Diagnosis(
            "The calls are nested too deeply. Which argument gets smaller, and which case ends the recursion? "
            "If both are right, use `@tail_recursive` and `return recur(…)`."
        )
    return Diagnosis("The function does not end. What gets smaller in each round, and what stops it?")


def _standing_still(loop: ast.While) -> str:
    """Return what a loop asks and never changes, "" if it may end."""
    if any(isinstance(n, (ast.Break, ast.Return, ast.Raise, ast.Call)) for n in ast.walk(loop)):
        return ""
    asked = {n.id for n in ast.walk(loop.test) if isinstance(n, ast.Name)}
    stored = {
        n.id for part in loop.body for n in ast.walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    return "" if asked & stored or not asked else " or ".join(f"`{name}`" for name in sorted(asked))


def _repeats(e: Evidence, name: str, function: Any) -> list[ast.Call]:
    """Return the calls by which a function comes back to itself; `recur` repeats the one that it stands in."""
    inside = [n for part in body_of(function) for n in ast.walk(part) if called(n) == name]
    return [*(n for n in own_nodes(function) if called(n) == "recur"), *inside]  # type: ignore[list-item]


def _can_stop(function: Any) -> bool:
    """Return whether there is a way through a function that does not call it again."""
    asks = (ast.If, ast.IfExp, ast.Match, ast.BoolOp, ast.comprehension, ast.For, ast.While)
    return any(isinstance(n, asks) for n in own_nodes(function))


# ------------------------------------------------------------------------------------------------ what never compiles


def capture_that_shuts_out(e: Evidence) -> Diagnosis | None:
    """Detect a bare name in a pattern that is followed by other cases."""
    if e.error == "SyntaxError" and (found := e.said(r"name capture '(\w+)' makes remaining")):
        line = next((n.lineno for n in e.all(ast.MatchAs) if n.name == found[1]), 0)
        return captured(found[1], line, e)
    if e.error == "SyntaxError" and e.said("wildcard makes remaining patterns"):
        return Diagnosis("`case _:` matches everything, so the cases after it never run. Put it last.")
    return None


def captured(name: str, line: int, e: Evidence) -> Diagnosis:
    """Explain what a bare name in a pattern does, and what to write."""
    says = f"On line {line}, the bare name `{name}` matches every value, because it captures. To compare, write:"
    return Diagnosis(says, f"case {_pattern_asking(name, line, e)}:")


def _pattern_asking(name: str, line: int, e: Evidence) -> str:
    """Return the pattern on a line, with a bare name replaced by what it seems to mean."""
    asked = asked_by(name, e)
    patterns = [case.pattern for case in e.all(ast.match_case) if case.pattern.lineno == line]
    if not patterns or " if " in asked:
        return asked
    return re.sub(rf"(?<![\w.]){name}\b(?![(.=])", asked, code(patterns[0], 80))


def asked_by(name: str, e: Evidence) -> str:
    """Return the pattern that asks for what a bare name seems to mean."""
    kind = e.given.values.get(name)
    if isinstance(e.given.types.get(name), type):
        return f"{name}()"
    if kind is not None and hasattr(kind, name):
        return f"{kind.__name__}.{name}"
    return f"{kind.__name__}()" if kind is not None else f"value if value == {name}"


def outside(e: Evidence) -> Diagnosis | None:
    """Detect a `return` outside its function."""
    if e.error == "SyntaxError" and (found := e.said(r"'(return|yield|await)' outside function")):
        rows = [n.lineno for n in ast.walk(e.tree) if isinstance(n, (ast.Return, ast.Expr)) and n in e.tree.body]
        where = f" on line {rows[0]}" if rows else ""
        return Diagnosis(
            f"The `{found[1]}`{where} is outside the function. Indent it, so that it belongs to the `def`."
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
    calls_what_is_unwritten,
    too_much_typed,
    too_much_chance,
    not_to_be_called,
    pattern_parts,
    endless,
)
