"""Diagnoses of exceptions because of a value's type: it has no items or no order, or does not fit the operator."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum

from course.diagnoses.evidence import CORRECTION_ROOM, Diagnosis, Evidence, called, code, with_article
from course.diagnoses.failure import RAISED
from course.diagnoses.kinds import ITERATORS, kind_words, listed_parts, parts_of, parts_sentence

NO_ITEMS = (
    r"'(\w+)' object is not (?:iterable|reversible)|cannot unpack non-iterable (\w+) object|"
    r"after \* must be an iterable, not (\w+)"
)
SEQUENCES = frozenset({"tuple", "list", *ITERATORS})


# ------------------------------------------------------------------------------------------------ one for several


def none_where_a_value_is_needed(e: Evidence) -> Iterator[Diagnosis]:
    """Detect None where another value is needed."""
    if "NoneType" in e.message and e.error in ("AttributeError", "TypeError") and e.failure.line:
        yield Diagnosis(
            "Something on this line is `None`. Perhaps a function returned `None`, or a variable has no other value "
            "yet. Test for `None` first."
        )


def not_iterable(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a single value where several items are needed."""
    match = e.raised(NO_ITEMS) if e.error == "TypeError" else None
    kind = next(filter(None, match.groups())) if match else "NoneType"
    if kind == "NoneType" or not e.failure.line:
        return
    what, parts = "number" if kind == "int" else f"`{kind}`", parts_of(e, kind)
    more = f" {parts_sentence(parts)}" if parts else ""
    yield Diagnosis(f"Line {e.failure.line} needs several items, but gets a single {what}.{more} {e.facts()}".strip())


def unpacking(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an unpacking such as `a, b = cards`, with too many or too few names on the left."""
    match = e.raised(r"(not enough|too many) values to unpack \(expected (?:at least )?(\d+)", "ValueError")
    if match and match[1] == "not enough":
        items = next((code(node.value) for node in e.here if isinstance(node, ast.Assign)), "items")
        test = f"not {items}" if match[2] == "1" else f"len({items}) < {match[2]}"
        needed = f"{match[2]} value{'s' * (match[2] != '1')}"
        yield Diagnosis(
            f"The left side of `=` needs {needed}, but the right side has fewer. Test for that case first:",
            f"if {test}:\n    return …",
        )
    elif match:
        says = (
            f"The left side of `=` has {match[2]} names, but the right side has more values. A name with a "
            "star (`*rest`) takes several values."
        )
        yield Diagnosis(f"{says} {e.facts()}".strip())


def result_cannot_be_used(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an exception outside the learner's lines: the example cannot use the returned value."""
    name = e.requirements.name
    is_outside = e.failure.did == RAISED and not e.failure.line and e.error in ("TypeError", "AttributeError")
    is_used = e.requirements.is_called and name in e.failure.one_line_code and not isinstance(e.value, ast.Call)
    if not is_outside or not is_used or e.raised(rf"^({name}|<lambda>)\(\) (takes|missing|got)|is not callable"):
        return
    yield Diagnosis(
        f"`{name}` returned a value of another type than the statement says. Which line returns this value? Print it "
        "there."
    )


# ------------------------------------------------------------------------------------------------ operators


def tuple_and_item(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a sum of a tuple and something that is no tuple: a number, a single item, a list or an iterator."""
    match = e.raised(r"can only concatenate (tuple|list) \(not \"(\w+)\"\) to (?:tuple|list)")
    match = match or e.raised(r"operand type\(s\) for \+=?: '(\w+)' and '(\w+)'")
    kinds = {*match.groups()} if match else set()
    item, items = e.in_words("item"), e.in_words("items")
    if kinds and kinds <= SEQUENCES:
        other = next((kind for kind in kinds if kind != "tuple"), "list")
        yield Diagnosis(
            f"You cannot add a tuple and {with_article(other)}. Unpack both into a new tuple:", "(*first, *second)"
        )
    elif kinds & SEQUENCES and kinds & {"int", "float"} and not e.failure.wanted_code.startswith("("):
        yield Diagnosis(
            "You cannot add a number and several values. To add up the values, write:", "total + sum(numbers)"
        )
    elif kinds & SEQUENCES:
        says = "You can add only a tuple to a tuple. To put an item in front or at the end, write:"
        yield Diagnosis(says, f"({item}, *{items})\n(*{items}, {item})")


def unlike_operands(e: Evidence) -> Iterator[Diagnosis]:
    """Detect arithmetic with a value that is no number, such as a card."""
    match = e.raised(r"unsupported operand type\(s\) for (\S+): '(\w+)' and '(\w+)'", "TypeError")
    kind = next((each for each in match.groups() if isinstance(e.given.types.get(each), type)), "") if match else ""
    if match and kind and "tuple" not in match.groups():
        yield Diagnosis(f"`{match[1]}` does not work with {kind_words(kind)}. {e.facts()}".strip())


def no_order(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a comparison of values that have no order, such as members of an enumeration."""
    match = e.raised(r"'([<>]=?)' not supported between instances of '(\w+)' and '(\w+)'")
    if not match:
        return
    cls, parts = e.given.types.get(match[2]), parts_of(e, match[2])
    if match[2] == match[3] and isinstance(cls, type) and issubclass(cls, Enum):
        yield Diagnosis(
            f"Python defines no order for `{cls.__name__}`. To use their order in the statement, compare their "
            "numbers:",
            f"{cls.__name__.lower()}.value",
        )
    of = f", for example their {listed_parts(parts)}" if parts else ""
    kinds = "` and `".join(dict.fromkeys(match.groups()[1:]))
    yield Diagnosis(f"Python defines no order for `{kinds}`. Compare numbers instead{of}.")


# ------------------------------------------------------------------------------------------------ no such item


def past_the_end(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an index that is too large."""
    if e.error != "IndexError" or any(isinstance(node, ast.Raise) for node in e.here):
        return
    items = [node for node in e.here if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice)]
    ends = [*dict.fromkeys(code(node.value, CORRECTION_ROOM) for node in items)]
    if not ends or not {code(node.slice) for node in items} <= {"0", "-1"}:
        yield Diagnosis("No item has this index. Indexes start at 0, and the last item is `[-1]`.")
        return
    names = " and ".join(f"`{each}`" for each in ends)
    says = f"{'One of ' * (len(ends) > 1)}{names} is empty on line {items[0].lineno}. Test for that case first:"
    yield Diagnosis(says, "\n".join(f"if not {each}:\n    return …" for each in ends))


def no_match(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `next` without a default, when no item matches."""
    for call in e.calls_here if e.error == "StopIteration" else ():
        if called(call) == "next" and len(call.args) == 1:
            yield Diagnosis(
                f"`next` on line {call.lineno} finds no item here. Add a second argument, which `next` "
                "returns if there is no item:",
                f"next({code(call.args[0], CORRECTION_ROOM)}, None)",
            )
