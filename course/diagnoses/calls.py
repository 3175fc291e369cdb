"""Diagnoses of calls, and of missing names and attributes."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from course.diagnoses.evidence import (
    CORRECTION_WIDTH,
    Diagnosis,
    Evidence,
    called_name,
    code,
    positional_parameters,
    with_article,
)
from course.diagnoses.kinds import (
    FUNCTION_KINDS,
    annotation_words,
    fields_sentence,
    item_kinds_of_annotation,
    kind_words,
    kinds_of_annotation,
    kinds_of_expression,
    signature_of,
)
from course.diagnoses.obstacle import first_cell_advice
from course.form.reading import BUILTINS, field_names, union_members

CONSTANT_SPELLINGS = {"true": "True", "false": "False", "none": "None", "null": "None", "nil": "None"}
# How to import what the warm-up teaches; other notebooks do not import it.
TAUGHT_IMPORTS = {
    **{name: f"from itertools import {name}" for name in ("accumulate", "pairwise")},
    **{name: f"from functools import {name}" for name in ("partial", "reduce")},
    **{name: f"import {name}" for name in ("functools", "itertools")},
}
# how to call the functions that take another function, and those whose arguments are often swapped
ARGUMENT_ORDERS = {
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
CALLABLE_TYPE_NAMES = ("function", "method", "builtin_function_or_method", "type", "curry")
TWO_ARGUMENT_CALLERS = ("fold_left", "fold_right", "reduce", "accumulate")
ONE_ARGUMENT_CALLERS = ("map", "filter", "find", "sorted", "max", "min", "takewhile", "dropwhile")
ARGUMENT_COUNT_WORDS = ("no arguments", "one argument", "two arguments", "three arguments")
# all arguments of `compose` are functions
FUNCTION_FIRST_CALLERS = ("map", "filter", "find", "fold_left", "fold_right", "compose")


# ------------------------------------------------------------------------------------------------ names


def undefined_name(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a name that is not defined."""
    match = e.match_in_message(r"name '(\w+)' is not defined", "NameError")
    if not match:
        return
    name = match[1]
    if name in CONSTANT_SPELLINGS:
        yield Diagnosis(f"In Python, `{name}` is written `{CONSTANT_SPELLINGS[name]}`.")
    if name in e.not_imported:
        yield Diagnosis(
            f"`{name}` is not imported yet. {first_cell_advice(e.requirements.module, e.requirements.name)}"
        )
    if name in e.defined_now:
        yield Diagnosis(
            f"`{name}` was not defined when this function ran, but it is now. Run the cell of "
            f"`{e.requirements.name}` again (Shift-Enter)."
        )
    if name in e.elsewhere:
        yield Diagnosis(
            f"{_capitalized(e.elsewhere[name])} defines `{name}`. Run that cell to its end (Shift-Enter), then check "
            "again."
        )
    if name in e.requirements.exercises:
        yield Diagnosis(f"`{name}` is an exercise. Run its cell first.")
    if name in TAUGHT_IMPORTS:
        yield Diagnosis(f"`{name}` is not imported. Write this above `def`:", TAUGHT_IMPORTS[name])
    yield Diagnosis(f"`{name}` is not defined. {_probable_meaning(e, name)}")


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _probable_meaning(e: Evidence, name: str) -> str:
    """Return a sentence on what a name that is not defined anywhere may mean."""
    uses = [node for node in e.nodes_on_line if isinstance(node, ast.Name) and node.id == name]
    is_called = any(isinstance(node, ast.Call) and node.func in uses for node in e.nodes_on_line)
    if name in e.assigned_names:
        return "Your code assigns a value to this name only on a later line, or in another function."
    around = {outer for node in uses for outer in e.ancestors(node)}
    others = [part for part in e.all(ast.comprehension) if e.parents[part] not in around or part in around]
    hidden = {each.id for part in others for each in ast.walk(part.target) if isinstance(each, ast.Name)}
    if near := e.most_similar_name(
        name, [each for each in e.known_names - hidden if is_called or each not in e.given.types]
    ):
        return f"Did you mean `{near}`?"
    if uses and e.parameters and not is_called and name.islower():
        return f"Did you mean the parameter {' or '.join(f'`{each}`' for each in e.parameters)}?"
    if isinstance(e.assigned_value, ast.Call) and e.requirements.is_called:
        return f"`{e.requirements.name}` must be a function, and `{name}` must be one of its parameters."
    return "You have not run a cell that defines this name."


def unbound_name(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a variable that has no value yet."""
    if match := e.match_in_message(r"(?:local|free) variable '(\w+)'", "UnboundLocalError", "NameError"):
        rows = sorted(n.lineno for n in e.all(ast.Name) if n.id == match[1] and isinstance(n.ctx, ast.Store))
        where = f" Line {rows[0]} assigns a value to it, so it is a variable of this function." if rows else ""
        yield Diagnosis(
            f"`{match[1]}` is used before it has a value.{where} Assign a value earlier, or rename the variable."
        )


def missing_module(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an import of a module that Python cannot find."""
    if match := e.match_in_message(r"No module named '(\w+)", "ModuleNotFoundError"):
        says = f"There is no module `{match[1]}` here. If you have `{match[1]}.py`, copy its code into this notebook."
        allowed = ", ".join(each for each in e.requirements.policy.imports if not each.startswith("_"))
        yield Diagnosis(f"{says} This unit allows these modules: {allowed}.")


def rebound_name(e: Evidence) -> Iterator[Diagnosis]:
    """Detect the use of a given or built-in name that some cell has redefined."""
    if own := next(
        (node.id for node in e.all(ast.Name) if node.id in e.hidden and node.id not in e.assigned_names), ""
    ):
        yield Diagnosis(f"`{own}` is {e.hidden[own]}. Rename that variable, then run:", f"del {own}")
    name = next((node.id for node in e.all(ast.Name) if node.id in e.rebound), "")
    if not name or (
        e.error and e.nodes_on_line and not any(getattr(node, "id", "") == name for node in e.nodes_on_line)
    ):
        return
    yield Diagnosis(
        f"{_capitalized(e.rebound[name])} redefines `{name}`. Use another name in that cell, then run the first cell "
        "again."
    )


# ------------------------------------------------------------------------------------------------ attributes


def missing_attribute(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an attribute that a value does not have."""
    match = e.match_in_message(r"(?:type )?(?:object )?'(\w+)'(?: object)? has no attribute '(\w+)'", "AttributeError")
    if not match:
        return
    kind, name = match[1], match[2]
    types = e.given.types
    cls = types.get(kind) or getattr(builtins, kind, None)
    among = [each for each in dir(cls) if not each.startswith("_")] if isinstance(cls, type) else []
    parts = field_names(cls)
    if near := e.most_similar_name(name, dict.fromkeys([*parts, *among])):
        yield Diagnosis(f"`{kind}` has no `.{name}`. Did you mean `.{near}`?")
    if parts:
        yield Diagnosis(f"`{kind}` has no `.{name}`. {fields_sentence(parts)}")
    unions = [union_members(each) for each in types.values() if kind in types and {types[kind]} < union_members(each)]
    for owner, other in types.items():
        if name in field_names(other) and any(other in members for members in unions):
            yield Diagnosis(
                f"`{owner}` has a part `.{name}`, but this value is {kind_words(kind)}. Test the type of the value "
                "first."
            )


def attribute_of_items(e: Evidence) -> Iterator[Diagnosis]:
    """Detect code such as `cards.rank`, where each card has a rank, but the tuple of cards has none."""
    match = e.match_in_message(r"'(tuple|list)' object has no attribute '(\w+)'", "AttributeError")
    if not match or any(hasattr(kind, match[2]) for kind in (tuple, list, str)):
        return
    owners = [n.value for n in e.nodes_on_line if isinstance(n, ast.Attribute) and n.attr == match[2]]
    unsure = [node for node in owners if not kinds_of_expression(e, node) & {*e.given.types}]
    for items in map(code, unsure or owners):
        is_part = match[2] in e.given.fields
        yield Diagnosis(
            f"`{items}` is {with_article(match[1])}, which has no `.{match[2]}`. "
            f"{'Go through the items, or take one item' if is_part else 'Take one item, or count the items'}:",
            f"(each.{match[2]} for each in {items})\n{items}[0].{match[2]}" if is_part else f"{items}[0]\nlen({items})",
        )


# ------------------------------------------------------------------------------------------------ the answer itself


def _call_of_exercise(e: Evidence) -> str:
    return f"{e.requirements.name}({', '.join(name for name, _ in e.requirements.parameters) or '…'})"


def wrong_parameter_count(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer with too many or too few parameters."""
    is_called_otherwise = e.match_in_message(rf"^{e.requirements.name}\(\) (takes|missing|got)", "TypeError")
    if not is_called_otherwise or e.failure.line or e.function is None or not e.requirements.parameters:
        return
    if e.requirements.curried:
        yield Diagnosis(
            "The function must take its arguments all at once, and also one at a time. Add `@curry`:",
            f"@curry\ndef {_call_of_exercise(e)}:",
        )
    yield Diagnosis(
        "Your `def` has the wrong number of parameters. It must begin like this:", f"def {_call_of_exercise(e)}:"
    )


def swapped_parameters(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that has the right parameters in another order."""
    wanted = [name for name, _ in e.requirements.parameters]
    own = [each.arg for each in e.function.args.args] if e.function else []
    if own != wanted and sorted(own) == sorted(wanted):
        says = "The parameters are in another order than in the exercise. Your `def` must begin like this:"
        yield Diagnosis(says, f"def {_call_of_exercise(e)}:")


# ------------------------------------------------------------------------------------------------ no function


def forgotten_call(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a function that is used as a value although it should be called."""
    kinds = "|".join(CALLABLE_TYPE_NAMES)
    match = e.match_in_message(
        rf"'({kinds})' object is not (subscriptable|iterable)|'({kinds})' and|and '({kinds})'|of type '({kinds})'"
    )
    if match and e.error == "TypeError":
        functions = e.functions.keys() | e.given.functions.keys() | e.requirements.exercises
        callees = {id(call.func) for call in e.calls_on_line}
        names = [n for n in e.nodes_on_line if isinstance(n, ast.Name) and n.id in functions]
        bare = [n for n in e.nodes_on_line if isinstance(n, ast.Attribute) and id(n) not in callees]
        what = next((f"`{code(n)}`" for n in (*names, *bare) if id(n) not in callees), "Something on this line")
        yield Diagnosis(f"{what} is a function that was not called. Add its arguments in parentheses.")


def call_of_unwritten_exercise(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a call of an exercise that is not written yet."""
    if e.error != "NotWritten" or e.message not in e.requirements.exercises:
        return
    caller = e.failure.label if e.failure.label in e.requirements.exercises else e.requirements.name
    yield Diagnosis(
        f"`{caller}` calls `{e.message}`, which is not written yet. Write that function first, or do not call it."
    )


# ------------------------------------------------------------------------------------------------ order and number


def arguments_in_wrong_order(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a fold, `map`, `sorted` or a similar call with its arguments in the wrong order."""
    for call in e.calls_on_line if e.error in ("TypeError", "ValueError") else ():
        name = called_name(call)
        if name in ARGUMENT_ORDERS and _has_wrong_order(e, name, call.args):
            yield Diagnosis(
                f"`{name}` on line {call.lineno} has its arguments in the wrong order. The right order is:",
                ARGUMENT_ORDERS[name],
            )


def _has_wrong_order(e: Evidence, name: str, args: list[ast.expr]) -> bool:
    functions = {*e.functions, *e.given.functions, *e.given.types, *e.requirements.exercises} | BUILTINS
    certain = [isinstance(a, ast.Lambda) or (isinstance(a, ast.Name) and a.id in functions) for a in args]
    match name:
        case "sorted" | "min" | "max":
            return any(certain)
        case "accumulate":
            return certain[:1] == [True] or len(args) > 2
        case "combinations":
            return e.match_in_message("as an integer") is not None
    if e.match_in_message(r"must support iteration|object is not (reversible|iterable)") and len(args) > 2:
        return True
    is_refused = e.match_in_message(
        r"object is not (callable|iterable)|must support iteration|argument after \* must be"
    )
    may_be_first = certain[:1] == [True] or any(isinstance(arg, ast.Call | ast.Attribute) for arg in args[:1])
    return is_refused is not None and not (may_be_first and certain[:2] != [False, True])


def wrong_argument_count(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a function that gets too many or too few arguments, also if another function calls it, such as `map`."""
    match = e.match_in_message(r"(\w+)(?:\.__init__)?\(\) (?:takes|missing|got)", "TypeError")
    name = match[1] if match else ""
    names = [parameter for parameter, _ in signature_of(e, name)]
    if function := e.functions.get(name):
        names = [arg.arg for arg in positional_parameters(function)]
    if not names:
        return
    if call := next((call for call in e.calls_on_line if called_name(call) == name), None):
        count = len(call.args) + len(call.keywords)
        if count != len(names) and not any(isinstance(arg, ast.Starred) for arg in call.args):
            says = f"`{name}` takes {_argument_count_words(len(names))}, but line {call.lineno} passes {count}. Write:"
            yield Diagnosis(says, f"{name}({', '.join(names)})")
        return
    for call in e.calls_on_line:  # `map`, `filter` or a fold calls it with another number of arguments
        higher, passed = (
            called_name(call),
            [*call.args[:1], *(word.value for word in call.keywords if word.arg == "key")],
        )
        if higher == "accumulate":
            passed = call.args[1:2]
        if name in map(code, passed) and higher in (*ONE_ARGUMENT_CALLERS, *TWO_ARGUMENT_CALLERS):
            order = " (the result so far, then the next item)" if higher in TWO_ARGUMENT_CALLERS else ""
            order = " (the next item, then the result so far)" if higher == "fold_right" else order
            arguments = f"{_argument_count_words(2 if order else 1)}{order}"
            yield Diagnosis(
                f"`{higher}` on line {call.lineno} calls `{name}` with {arguments}. But `{name}` takes "
                f"{_argument_count_words(len(names))}. Pass a function with the right number of parameters."
            )


def _argument_count_words(count: int) -> str:
    return ARGUMENT_COUNT_WORDS[count] if count < len(ARGUMENT_COUNT_WORDS) else f"{count} arguments"


# ------------------------------------------------------------------------------------------------ functions passed on


def missing_lambda(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a missing `lambda`, as in `map(len(card), cards)` or `key=sum(rule(card) for card in hand)`."""
    match = e.match_in_message(r"name '(\w+)' is not defined|object is not callable", "NameError", "TypeError")
    is_own = e.failure.label in ("", e.requirements.name)  # in a helper, other names are known
    for call in e.calls_on_line if match and is_own else ():
        functions = call.args[:1] if called_name(call) in ("map", "filter") else []
        for body in [*functions, *(word.value for word in call.keywords if word.arg == "key")]:
            unknown = {node.id for node in ast.walk(body) if isinstance(node, ast.Name)} - e.known_names
            name = unknown.pop() if len(unknown) == 1 else ""
            is_part = code(body) == name and name in e.given.fields
            is_misspelt = name in (called_name(body), code(body)) and not is_part
            if name and not is_misspelt and not isinstance(body, ast.Lambda):
                yield Diagnosis(
                    f"`{called_name(call)}` on line {call.lineno} needs a function, but `{code(body)}` is not one. "
                    "Write:",
                    f"lambda each: each.{name}" if is_part else f"lambda {name}: {code(body, CORRECTION_WIDTH)}",
                )


def call_instead_of_function(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a call where a function is expected, as in `Bot("Ann", play(view))` and `compose(draw(desk), draw)`."""
    for call in e.all(ast.Call):
        match call:
            case ast.Call(func=ast.Name(id=name), args=args) if (
                name not in e.assigned_names and not _has_starred_argument(args)
            ):
                early = [each for each in _function_arguments(e, name, args) if _is_complete_call(e, each)]
                if early:
                    text = code(call, 2 * CORRECTION_WIDTH)
                    for each in early:
                        text = text.replace(code(each, CORRECTION_WIDTH), called_name(each))
                    yield Diagnosis(
                        f"Line {call.lineno} calls `{called_name(early[0])}`, but `{name}` takes the function itself. "
                        "Write:",
                        text,
                    )


def _has_starred_argument(args: list[ast.expr]) -> bool:
    """Return whether one of the arguments is `*items`, so that the number of arguments is not known."""
    return any(isinstance(each, ast.Starred) for each in args)


def _function_arguments(e: Evidence, name: str, args: list[ast.expr]) -> Iterator[ast.expr]:
    """Yield the arguments of a call that must be functions.

    If an argument must be a tuple of functions, its items are yielded.
    """
    if name in FUNCTION_FIRST_CALLERS:
        yield from args if name == "compose" else args[:1]
        return
    for (_, annotation), argument in zip(signature_of(e, name), args, strict=False):
        if kinds_of_annotation(annotation, e.requirements.module) >= FUNCTION_KINDS:
            yield argument
        if (
            isinstance(argument, ast.Tuple)
            and item_kinds_of_annotation(annotation, e.requirements.module) >= FUNCTION_KINDS
        ):
            yield from argument.elts


def _is_complete_call(e: Evidence, node: ast.expr) -> bool:
    """Return whether an expression calls an exercise with all its arguments, or a known function with none."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name not in e.assigned_names:
            needed = len(e.requirements.signatures.get(name, ())) or 1
            is_known = name in e.requirements.exercises or (not args and name in BUILTINS | e.given.functions.keys())
            return is_known and len(args) in (0, needed)
    return False


# ------------------------------------------------------------------------------------------------ kinds of arguments


def wrong_type_raised_exception(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an argument of the wrong type that made a right function raise an exception."""
    inside = e.failure.inside
    if inside is None:
        return
    for index, (wanted, received) in enumerate(zip(_accepted_kinds(e, inside.name), inside.kinds, strict=False)):
        plain = received.split("[")[0]
        kind = e.given.types.get(plain)
        is_tuple = isinstance(kind, type) and issubclass(kind, tuple)
        if wanted and plain not in wanted and not (is_tuple and "tuple" in wanted):
            if wanted >= FUNCTION_KINDS and inside.name not in e.requirements.exercises:
                return  # the folds have their own diagnoses
            yield _wrong_argument_diagnosis(e, e.failure.line, inside.name, index, received)


def wrong_type_in_call(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an argument that certainly has the wrong type, even if the call raises no exception."""
    for call in e.all(ast.Call):
        match call.func:  # a composition passes its arguments to its last function
            case ast.Name(id=name) | ast.Call(func=ast.Name(id="compose"), args=[*_, ast.Name(id=name)]):
                pairs = [*zip(_accepted_kinds(e, name), call.args, strict=False)]
                for index, (wanted, argument) in enumerate(pairs):
                    kinds = kinds_of_expression(e, argument)
                    if (
                        wanted
                        and kinds
                        and not kinds & wanted
                        and name not in e.assigned_names
                        and not _has_starred_argument(call.args)
                    ):
                        received = "function" if kinds >= FUNCTION_KINDS else min(kinds)
                        yield _wrong_argument_diagnosis(e, call.lineno, name, index, received)


def _accepted_kinds(e: Evidence, name: str) -> list[frozenset[str]]:
    return [kinds_of_annotation(annotation, e.requirements.module) for _, annotation in signature_of(e, name)]


def _wrong_argument_diagnosis(e: Evidence, line: int, name: str, index: int, received: str) -> Diagnosis:
    """Return a message about the argument at an index: it has the kind `received`, but the function takes another."""
    parameter, annotation = signature_of(e, name)[index]
    module = e.requirements.module
    kinds = kinds_of_annotation(annotation, module)
    items = {received.partition("[")[2][:-1]}.union(
        *(item_kinds_of_annotation(a, module) for _, a in e.requirements.parameters)
    )
    is_each = received.startswith(("tuple", "list")) and bool(items & kinds)
    how = "Call the function once for each item" if is_each else "Call the function like this"
    return Diagnosis(
        f"Line {line or next((top.lineno for top in e.defining_statements), 1)} passes {kind_words(received)} to "
        f"`{name}`, but its parameter `{parameter}` must be {annotation_words(annotation, kinds)}. {how}:",
        f"{name}({', '.join(each for each, _ in signature_of(e, name))})",
    )


def exception_in_called_function(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a call in the answer with arguments for which a right function raises an exception."""
    if e.is_raised_inside and e.failure.inside is not None:
        name = e.failure.inside.name
        says = f"Line {e.failure.line} calls `{name}` with arguments for which `{name}` raises `{e.failure.error}`."
        yield Diagnosis(f"{says} {e.facts()}".strip())
