"""Diagnoses of wrong values, and of exceptions because of a value's type."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import Enum

from course.diagnoses.evidence import (
    CORRECTION_WIDTH,
    EXAMPLE_WIDTH,
    Diagnosis,
    Evidence,
    body_of,
    called_name,
    code,
    own_nodes,
    with_article,
)
from course.diagnoses.failure import GAVE, RAISED, OtherKind, SimilarKind
from course.diagnoses.kinds import ITERATOR_TYPE_NAMES, fields_sentence, given_field_names, kind_words, listed_fields
from course.syntax import expression_of
from course.values import STUDENT_FUNCTION

NOT_ITERABLE_PATTERN = (
    r"'(\w+)' object is not (?:iterable|reversible)|cannot unpack non-iterable (\w+) object|"
    r"after \* must be an iterable, not (\w+)"
)
SEQUENCE_TYPE_NAMES = frozenset({"tuple", "list", *ITERATOR_TYPE_NAMES})


# ------------------------------------------------------------------------------------------------ one for several


def none_instead_of_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect None where another value is needed."""
    if "NoneType" in e.message and e.error in ("AttributeError", "TypeError") and e.failure.line:
        yield Diagnosis(
            "Something on this line is `None`. Perhaps a function returned `None`, or a variable is still `None`. "
            "Test for `None` first."
        )


def non_iterable_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a single value where several items are needed."""
    match = e.match_in_message(NOT_ITERABLE_PATTERN) if e.error == "TypeError" else None
    kind = next(filter(None, match.groups())) if match else "NoneType"
    if kind == "NoneType" or not e.failure.line:
        return
    what, parts = "number" if kind == "int" else f"`{kind}`", given_field_names(e, kind)
    more = f" {fields_sentence(parts)}" if parts else ""
    yield Diagnosis(f"Line {e.failure.line} needs several items, but gets a single {what}.{more} {e.facts()}".strip())


def unpacking_mismatch(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an unpacking such as `a, b = cards`, with too many or too few names on the left."""
    match = e.match_in_message(r"(not enough|too many) values to unpack \(expected (?:at least )?(\d+)", "ValueError")
    if match and match[1] == "not enough":
        items = next((code(node.value) for node in e.nodes_on_line if isinstance(node, ast.Assign)), "items")
        test = f"not {items}" if match[2] == "1" else f"len({items}) < {match[2]}"
        yield Diagnosis(
            "The left side of `=` needs more values than the right side has. Test for too few values first:",
            f"if {test}:\n    return …",
        )
    elif match:
        says = (
            f"The left side of `=` has {match[2]} names, but the right side has more values. A name with a "
            "star (`*rest`) takes several values."
        )
        yield Diagnosis(f"{says} {e.facts()}".strip())


def unusable_result(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a returned value that the example cannot use: an exception is raised outside the learner's lines."""
    name = e.requirements.name
    is_outside = e.failure.did == RAISED and not e.failure.line and e.error in ("TypeError", "AttributeError")
    is_used = (
        e.requirements.is_called and name in e.failure.one_line_code and not isinstance(e.assigned_value, ast.Call)
    )
    if (
        not is_outside
        or not is_used
        or e.match_in_message(rf"^({name}|<lambda>)\(\) (takes|missing|got)|is not callable")
    ):
        return
    yield Diagnosis(
        f"`{name}` returned a value of another type than the statement says. Which line returns this value? Print the "
        "value on that line."
    )


# ------------------------------------------------------------------------------------------------ operators


def tuple_plus_other_type(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a sum of a tuple and something that is no tuple: a number, a single item, a list or an iterator."""
    match = e.match_in_message(r"can only concatenate (tuple|list) \(not \"(\w+)\"\) to (?:tuple|list)")
    match = match or e.match_in_message(r"operand type\(s\) for \+=?: '(\w+)' and '(\w+)'")
    kinds = {*match.groups()} if match else set()
    item, items = e.with_unit_names("item"), e.with_unit_names("items")
    if kinds and kinds <= SEQUENCE_TYPE_NAMES:
        other = next((kind for kind in kinds if kind != "tuple"), "list")
        yield Diagnosis(
            f"You cannot add a tuple and a value of type `{other}`. Unpack both values into a new tuple:",
            "(*first, *second)",
        )
    elif kinds & SEQUENCE_TYPE_NAMES and kinds & {"int", "float"} and not e.failure.wanted_code.startswith("("):
        yield Diagnosis(
            "You cannot add a number and several values. To add up the values, write:", "total + sum(numbers)"
        )
    elif kinds & SEQUENCE_TYPE_NAMES:
        says = "You can add a tuple only to another tuple. To put an item in front or at the end, write:"
        yield Diagnosis(says, f"({item}, *{items})\n(*{items}, {item})")


def arithmetic_without_numbers(e: Evidence) -> Iterator[Diagnosis]:
    """Detect arithmetic with a value that is no number, such as a card."""
    match = e.match_in_message(r"unsupported operand type\(s\) for (\S+): '(\w+)' and '(\w+)'", "TypeError")
    kind = next((each for each in match.groups() if isinstance(e.given.types.get(each), type)), "") if match else ""
    if match and kind and "tuple" not in match.groups():
        yield Diagnosis(f"The operator `{match[1]}` does not work with {kind_words(kind)}. {e.facts()}".strip())


def comparison_without_order(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a comparison of values that have no order, such as members of an enumeration."""
    match = e.match_in_message(r"'([<>]=?)' not supported between instances of '(\w+)' and '(\w+)'")
    if not match:
        return
    cls, parts = e.given.types.get(match[2]), given_field_names(e, match[2])
    if match[2] == match[3] and isinstance(cls, type) and issubclass(cls, Enum):
        yield Diagnosis(
            f"Python defines no order for values of `{cls.__name__}`. To compare these values, use their numbers:",
            f"{cls.__name__.lower()}.value",
        )
    of = f": `{match[2]}` has the parts {listed_fields(parts)}" if parts else ""
    kinds = "` and `".join(dict.fromkeys(match.groups()[1:]))
    yield Diagnosis(f"Python defines no order for values of `{kinds}`. Compare numbers instead{of}.")


# ------------------------------------------------------------------------------------------------ no such item


def index_past_end(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an index that is too large."""
    if e.error != "IndexError" or any(isinstance(node, ast.Raise) for node in e.nodes_on_line):
        return
    items = [
        node for node in e.nodes_on_line if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice)
    ]
    ends = [*dict.fromkeys(code(node.value, CORRECTION_WIDTH) for node in items)]
    if not ends or not {code(node.slice) for node in items} <= {"0", "-1"}:
        yield Diagnosis("No item has this index. Indexes start at 0, and the last item is `[-1]`.")
        return
    names = " and ".join(f"`{each}`" for each in ends)
    says = f"{'One of ' * (len(ends) > 1)}{names} is empty on line {items[0].lineno}. Test for the empty case first:"
    yield Diagnosis(says, "\n".join(f"if not {each}:\n    return …" for each in ends))


def next_without_default(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `next` without a default, when no item matches."""
    for call in e.calls_on_line if e.error == "StopIteration" else ():
        if called_name(call) == "next" and len(call.args) == 1:
            yield Diagnosis(
                f"`next` on line {call.lineno} finds no item here. Add a second argument, which `next` "
                "returns if there is no item:",
                f"next({code(call.args[0], CORRECTION_WIDTH)}, None)",
            )


# ------------------------------------------------------------------------------------------------ the wrong kind


def returned_iterator(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a generator, map or filter that should be a tuple."""
    match = (
        re.search(rf"<({'|'.join(ITERATOR_TYPE_NAMES)}) object", e.failure.seen or "")
        if e.failure.did == GAVE
        else None
    )
    if match:
        what = f"`{e.requirements.name}` returned" if match.start() == 0 else "A part of the result is"
        yield Diagnosis(f"{what} {with_article(match[1])}. Wrap it in `tuple(…)` to get the items.")


def missing_trampoline(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `recur` without `return`, or in a function without `@tail_recursive`."""
    if e.failure.did == GAVE and "<Recur object>" in (e.failure.seen or ""):
        yield Diagnosis(
            "To use `recur`, write `return` before it, and `@tail_recursive` above the `def` of the function that "
            "calls it."
        )


def list_instead_of_tuple(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a list that should be a tuple, and find the line that makes it."""
    remark, is_unknown = e.failure.remark, e.failure.did == GAVE and e.failure.wanted is None
    kinds = (remark.wanted, remark.seen) if isinstance(remark, OtherKind) else ()
    is_listed = is_unknown and (e.failure.seen or "").startswith("[")
    if not is_listed and kinds != (SimilarKind.TUPLE, SimilarKind.LIST):
        return
    path = remark.path if isinstance(remark, OtherKind) else ""
    nodes = (node for made in e.all(ast.Return) for node in ast.walk(made) if not (path and node is made.value))
    lists = (
        node for node in nodes if isinstance(node, ast.List | ast.ListComp) or called_name(node) in ("list", "sorted")
    )
    says = f"`{e.requirements.name}` returned a list, but the result must be a tuple."
    if path:
        says = f"In the result, the part at `{path}` is a list, but must be a tuple."
    if made := next(lists, None):
        yield Diagnosis(f"{says} Replace `{code(made)}` by:", _tuple_code(made))
    yield Diagnosis(f"{says} Wrap this list in `tuple(…)`.")


def _tuple_code(node: ast.AST) -> str:
    match node:
        case ast.ListComp(elt=elt, generators=generators):
            return f"tuple({code(ast.GeneratorExp(elt, generators), 80)[1:-1]})"
        case ast.List(elts=elts):
            return code(ast.Tuple(elts), EXAMPLE_WIDTH)
        case ast.Call(func=ast.Name(id="list"), args=[inside]):
            node = inside
    return f"tuple({code(node, 60)})"


def wrong_wrapping(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `(x)` instead of `(x,)`, and a right value that is wrapped in a tuple or written as a string."""
    observed, wanted, name = e.failure.seen, e.failure.wanted_code, e.requirements.name
    if e.failure.did != GAVE:
        return
    if wanted == f"({observed},)":
        yield Diagnosis(
            f"The right result is a tuple with one item. Write a comma after the item: "
            f"`{e.with_unit_names('(item,)')}`."
        )
    elif observed == f"({wanted},)":
        yield Diagnosis(
            f"`{name}` returned the right result inside a tuple. If there is a comma after the result, "
            "delete that comma."
        )
    elif wanted and observed == repr(wanted):
        yield Diagnosis(f"`{name}` returned a string. Return `{wanted}` itself, without quotes.")


def function_instead_of_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that returns a function or a class instead of calling it."""
    observed, wanted = e.failure.seen or "", e.failure.wanted_code
    if e.failure.did == GAVE and wanted and isinstance(e.given.types.get(observed), type):
        yield Diagnosis(f"`{observed}` is a class. To make a value of this class, call it: `{observed}()`.")
    is_function = observed == STUDENT_FUNCTION or observed in e.given.functions
    may_be_right = wanted in e.given.functions or STUDENT_FUNCTION in wanted
    if e.failure.did == GAVE and is_function and wanted and not may_be_right:
        yield Diagnosis(
            f"`{e.requirements.name}` returned a function. Call that function, with its arguments in parentheses."
        )


# ------------------------------------------------------------------------------------------------ the wrong shape


def missing_star_before_call(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `(first, sort(rest))`, in which `*` is missing before `sort(rest)`."""
    is_about_tuples = not e.failure.line or "'tuple'" in (e.failure.seen or "")
    if e.failure.did not in (GAVE, RAISED) or not e.function or not is_about_tuples:
        return
    for function in e.all(ast.FunctionDef):
        names = {"()", *(arg.arg for arg in function.args.args)}
        nodes = [*own_nodes(function)]
        returned = [code(node.value) for node in nodes if isinstance(node, ast.Return) and node.value]
        if function is not e.function and not names.intersection(returned):
            continue  # only a function that also returns an argument, or (), certainly makes flat tuples
        for node in nodes:
            match node:
                case ast.Tuple(elts=[*firsts, ast.Call() as again]) if firsts and called_name(again) == function.name:
                    yield Diagnosis(
                        f"On line {node.lineno}, the result of `{function.name}` becomes one item of the tuple. A star "
                        "adds the items of the result one by one:",
                        code(ast.Tuple([*firsts, ast.Starred(again)]), EXAMPLE_WIDTH),
                    )


def parts_instead_of_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a tuple of the parts of a value where the value itself is needed."""
    match expression_of(e.failure.seen or ""), expression_of(e.failure.wanted_code):
        case ast.Tuple(elts=parts), ast.Call(func=ast.Name(id=name), args=args) if parts and e.failure.did == GAVE:
            if len(parts) == len(args) and name in e.given.types:
                yield Diagnosis(
                    f"`{e.requirements.name}` returned a tuple of parts. Make {kind_words(name)} of these parts:",
                    f"{name}({', '.join('…' for _ in parts)})",
                )


# ------------------------------------------------------------------------------------------------ unused arguments


def argument_returned_unchanged(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that returns its argument unchanged."""
    match body_of(e.function) if e.function and e.failure.did == GAVE else []:
        case [ast.Return(value=ast.Name(id=name))] if name in e.parameters:
            yield Diagnosis(f"Your function returns `{name}` unchanged.")


def unused_parameter(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that ignores all of its parameters, or exactly one of them."""
    if e.failure.did != GAVE:
        return
    loaded = {node.id for node in e.nodes if isinstance(node, ast.Name)}
    unread = [name for name in e.parameters if name not in loaded and not name.startswith("_")]
    if unread and len(unread) == len(e.parameters):
        never = " or ".join(f"`{name}`" for name in unread)
        yield Diagnosis(f"Your function never uses {never}, so it returns the same result for every call.")
    elif len(unread) == 1:
        yield Diagnosis(f"Your answer never uses `{unread[0]}`. Does the result depend on it?")
