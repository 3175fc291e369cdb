"""Diagnoses of exceptions, from the message and the line that raised it."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from typing import TypeGuard

from course.diagnoses.counting import condition_never_changes
from course.diagnoses.evidence import (
    CORRECTION_ROOM,
    Diagnosis,
    Evidence,
    body_of,
    called,
    code,
    own_nodes,
    positional_parameters,
    with_article,
)
from course.diagnoses.failure import SLOW
from course.diagnoses.kinds import kind_words, listed_parts, parts_of, parts_sentence
from course.diagnoses.naming import not_defined
from course.diagnoses.obstacle import first_cell_text
from course.form.given import BUILTINS, field_names, members_of
from course.form.reading import Function
from course.syntax import bound_names

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
            f"{_capital(e.elsewhere[name])} defines `{name}`. Run that cell to its end (Shift-Enter), then check again."
        )
    if name in e.requirements.exercises:
        yield Diagnosis(f"`{name}` is an exercise. Run its cell first.")
    if name in TAUGHT_IMPORTS:
        yield Diagnosis(f"`{name}` is not imported. Write this above `def`:", TAUGHT_IMPORTS[name])
    yield not_defined(e, name)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def unbound_name(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a variable that has no value yet."""
    if match := e.raised(r"(?:local|free) variable '(\w+)'", "UnboundLocalError", "NameError"):
        rows = sorted(n.lineno for n in e.all(ast.Name) if n.id == match[1] and isinstance(n.ctx, ast.Store))
        where = f" Line {rows[0]} assigns it, so it is a variable of this function." if rows else ""
        yield Diagnosis(f"`{match[1]}` is used before it has a value.{where} Assign it earlier, or rename it.")


def missing_module(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an import of a module that Python cannot find."""
    if match := e.raised(r"No module named '(\w+)", "ModuleNotFoundError"):
        own = f"There is no module `{match[1]}` here. Copy what you need from a file of your own into this notebook."
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


def none_where_a_value_is_needed(e: Evidence) -> Iterator[Diagnosis]:
    """Detect None where another value is needed."""
    if "NoneType" in e.message and e.error in ("AttributeError", "TypeError") and e.failure.line:
        yield Diagnosis(
            "Something on this line is `None`: a function returned nothing, or did not find anything. Test for "
            "that case first."
        )


def missing_attribute(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an attribute that a value does not have."""
    match = e.raised(r"(?:type )?(?:object )?'(\w+)'(?: object)? has no attribute '(\w+)'", "AttributeError")
    if not match:
        return
    kind, name = match[1], match[2]
    cls = e.given.types.get(kind) or getattr(builtins, kind, None)
    among = [each for each in dir(cls) if not each.startswith("_")] if isinstance(cls, type) else []
    parts = field_names(cls)
    if near := e.near(name, dict.fromkeys([*parts, *among])):
        yield Diagnosis(f"`{kind}` has no `.{name}`. Did you mean `.{near}`?")
    if parts:
        yield Diagnosis(f"`{kind}` has no `.{name}`. {parts_sentence(parts)}")
    if owner := _class_with(e, name, kind):
        yield Diagnosis(
            f"`{owner}` has a part `.{name}`, but this value is {kind_words(kind)}. Test first which of the two it is."
        )


def _class_with(e: Evidence, name: str, kind: str) -> str:
    """Return a class that has a field of this name and is in a union with the class `kind`, or ""."""
    types = e.given.types
    unions = [members_of(each) for each in types.values() if kind in types and {types[kind]} < members_of(each)]
    owners = [each for each, cls in types.items() if name in field_names(cls)]
    return next((each for each in owners if any(types[each] in members for members in unions)), "")


# ------------------------------------------------------------------------------------------------ calls


def arguments_in_another_order(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a fold, `map`, `sorted` or a similar call with its arguments in the wrong order."""
    for call in e.calls_here if e.error in ("TypeError", "ValueError") else ():
        name = called(call)
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
    """Detect a call of a variable or a part that is not a function."""
    match = e.raised(r"'(\w+)' object is not callable", "TypeError")
    stored = {*e.parameters, *e.pattern_names} | e.bound
    for call in e.calls_here if match else ():
        match call.func:
            case ast.Name(id=name) | ast.Attribute(attr=name) if match and name in stored | {*e.given.fields}:
                says = f"`{code(call.func)}` is {with_article(match[1])}, and not a function."
                if match[1] in ("tuple", "list") and len(call.args) == 1:
                    yield Diagnosis(f"{says} To get an item, use brackets:", f"{code(call.func)}[{code(call.args[0])}]")
                if name in e.requirements.exercises | e.given.functions.keys():
                    yield Diagnosis(f"{says} Rename your variable `{name}`.")
                yield Diagnosis(f"{says} You cannot call it.")


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


# ------------------------------------------------------------------------------------------------ operators


def parameters_swapped(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that has the right parameters in another order."""
    wanted = [name for name, _ in e.requirements.parameters]
    own = [each.arg for each in e.function.args.args] if e.function else []
    if own != wanted and sorted(own) == sorted(wanted):
        yield Diagnosis(
            "The parameters are in another order than in the exercise. Your `def` must begin:", f"def {_as_called(e)}:"
        )


def forgotten_call(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a function that was not called."""
    kinds = "|".join(CALLABLES)
    match = e.raised(
        rf"'({kinds})' object is not (subscriptable|iterable)|'({kinds})' and|and '({kinds})'|of type '({kinds})'"
    )
    if match and e.error == "TypeError":
        functions = e.functions.keys() | e.given.functions.keys() | e.requirements.exercises
        callees = {id(call.func) for call in e.calls_here}
        names = [n for n in e.here if isinstance(n, ast.Name) and n.id in functions]
        bare = [n for n in e.here if isinstance(n, ast.Attribute) and id(n) not in callees]
        what = next((f"`{code(n)}`" for n in (*names, *bare) if id(n) not in callees), "Something on this line")
        yield Diagnosis(f"{what} is a function that was not called. Add its arguments in parentheses.")


def no_order(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a comparison of values that have no order."""
    match = e.raised(r"'([<>]=?)' not supported between instances of '(\w+)' and '(\w+)'")
    if match and not {match[2], match[3]} & {*CALLABLES}:
        parts = parts_of(e, match[2])
        of = f", for example their {listed_parts(parts)}" if parts else ""
        what = f"two `{match[2]}`s" if match[2] == match[3] else f"`{match[2]}` and `{match[3]}`"
        yield Diagnosis(f"Python cannot compare {what}. Compare numbers{of}.")


# ------------------------------------------------------------------------------------------------ indexes, values


def unpacking(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an unpacking such as `a, b = cards`, with too many or too few names on the left."""
    match = e.raised(r"(not enough|too many) values to unpack \(expected (?:at least )?(\d+)")
    if match and match[1] == "not enough" and e.error == "ValueError":
        needed = f"{match[2]} value{'s' * (match[2] != '1')}"
        yield Diagnosis(
            f"The left side of `=` needs {needed}, but there are fewer. Test for that case first:",
            _fewer_than(e, match[2]),
        )
    if match and match[1] == "too many" and e.error == "ValueError":
        says = (
            f"The left side of `=` has {match[2]} names, but there are more values. A name with a star takes several."
        )
        yield Diagnosis(f"{says} {e.facts()}".strip())


def _fewer_than(e: Evidence, count: str) -> str:
    items = next((code(node.value) for node in e.here if isinstance(node, ast.Assign)), "items")
    return f"if not {items}:\n    return …" if count == "1" else f"if len({items}) < {count}:\n    return …"


def past_the_end(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an index that does not exist."""
    if e.error != "IndexError" or any(isinstance(node, ast.Raise) for node in e.here):
        return
    ends = {code(node.value, CORRECTION_ROOM): node for node in e.here if _takes_an_end(node)}
    ends = {items: node for items, node in ends.items() if not _is_tested(e, items)} or ends
    if not ends or any(called(node.slice) == "len" for node in e.here if isinstance(node, ast.Subscript)):
        yield Diagnosis("There are not that many items. Indexes start at 0, and the last item is `[-1]`.")
    yield _test_for_empty([*ends], [*ends.values()])


def _takes_an_end(node: ast.AST) -> TypeGuard[ast.Subscript]:
    match node:
        case ast.Subscript(slice=ast.Constant(value=0 | -1) | ast.UnaryOp()):
            return True
    return False


def _is_tested(e: Evidence, items: str) -> bool:
    """Return whether a condition of the answer looks at `items` as a whole, and not only at one item."""
    tests = [node.test for node in e.all(ast.If, ast.IfExp, ast.While)]
    parts = [part for test in tests for part in ast.walk(test) if code(part, CORRECTION_ROOM) == items]
    return any(not isinstance(e.parents.get(part), ast.Subscript) for part in parts)


def _test_for_empty(items: list[str], nodes: list[ast.Subscript]) -> Diagnosis:
    """Advise to test whether a tuple is empty; if several tuples may be empty, advise to test all of them."""
    if not isinstance(nodes[0].value, ast.Name | ast.Attribute | ast.Subscript):
        return Diagnosis(
            f"On line {nodes[0].lineno}, there is no item to take. Save the items in a variable, and test first "
            "whether there are any:",
            f"found = {items[0]}\nif not found:\n    return …",
        )
    if len(items) == 1:
        says = f"If `{items[0]}` is empty, `{code(nodes[0])}` does not exist. Test for that case first:"
    else:
        names = " and ".join(f"`{each}`" for each in items)
        says = f"One of {names} is empty on line {nodes[0].lineno}. Test for these cases first:"
    return Diagnosis(says, "\n".join(f"if not {each}:\n    return …" for each in items))


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


# ------------------------------------------------------------------------------------------------ endless code


def endless(e: Evidence) -> Iterator[Diagnosis]:
    """Detect calls or loops that never end."""
    if e.error != "RecursionError" and e.failure.did is not SLOW:
        return
    yield from condition_never_changes(e)
    for name, function in e.functions.items():
        for call in _repeats(e, name, function):
            same = [arg.arg for arg in positional_parameters(function)]
            if same and [code(arg) for arg in call.args] == same:
                yield Diagnosis(
                    f"`{code(call)}` on line {call.lineno} calls the function again with the same arguments."
                    " Which argument must change?"
                )
    if e.error == "RecursionError":
        says = "The calls are nested too deeply. Which argument gets smaller, and which case ends the recursion?"
        more = " If both are right, use `@tail_recursive` and `return recur(…)`."
        yield Diagnosis(says + more * _could_be_a_tail_call(e))
    yield Diagnosis("The function does not end. What gets smaller in each round, and what stops it?")


def _could_be_a_tail_call(e: Evidence) -> bool:
    """Return whether a tail call is possible: no function of the answer calls itself in more than one place."""
    return all(len(_repeats(e, name, function)) < 2 for name, function in e.functions.items())


def _repeats(e: Evidence, name: str, function: Function | ast.Lambda) -> list[ast.Call]:
    """Return the calls with which a function repeats itself: by its name, or by `recur`."""
    inside = [n for part in body_of(function) for n in ast.walk(part) if called(n) == name]
    return [*(n for n in own_nodes(function) if called(n) == "recur"), *inside]  # type: ignore[list-item]


# ------------------------------------------------------------------------------------------------ code that never
# compiles


def captured(name: str, line: int, e: Evidence) -> Diagnosis:
    """Explain what a bare name does in a pattern, and what to write instead."""
    says = f"On line {line}, the name `{name}` matches anything. To compare, write:"
    return Diagnosis(says, f"case {_pattern_asking(name, line, e)}:")


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


def pattern_for_name(name: str, e: Evidence) -> str:
    """Return the pattern for the probable meaning of a bare name."""
    kind = e.given.values.get(name)
    if isinstance(e.given.types.get(name), type):
        return f"{name}()"
    if kind is not None and hasattr(kind, name):
        return f"{kind.__name__}.{name}"
    return f"{kind.__name__}()" if kind is not None else f"value if value == {name}"
