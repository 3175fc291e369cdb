"""Sentences about how a wrong value differs from the right one. Both values are parsed as code, and never run."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from course.diagnoses.compared import shared_length
from course.form.given import Given, field_names
from course.syntax import expression_of

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
LITERALS = {bool: "True or False", int: "an integer", float: "a float", str: "a string"}
QUOTE_ROOM, ITEMS_QUOTED = 40, 2


@dataclass(frozen=True)
class Difference:
    """A sentence about a difference. If `leads_on` is true, the sentence contains a colon."""

    words: str
    leads_on: bool = False

    def __str__(self) -> str:
        return f"{self.words[:1].upper()}{self.words[1:]}"

    def __bool__(self) -> bool:
        return bool(self.words)


NO_WORDS = Difference("")


def difference_sentence(call: str, observed: str, wanted: str, given: Given) -> str:
    """Return a sentence about how a call's result differs, or "" if the two values alone show this."""
    one, other = expression_of(observed), expression_of(wanted)
    if one is None or other is None or _same(one, other):
        return ""
    try:
        return str(_chosen(call, one, other) or _describe(one, other, given))
    except RecursionError:  # values with hundreds of levels
        return ""


def _describe(observed: ast.expr, wanted: ast.expr, given: Given) -> Difference:
    match observed, wanted:
        case ast.Constant(value=True), ast.Constant(value=False):
            return Difference("the function returned True, but the answer is False.")
        case ast.Constant(value=False), ast.Constant(value=True):
            return Difference("the function returned False, but the answer is True.")
        case ast.Constant(value=None), _:
            return Difference("the function returned `None`, but there is an answer here.")
        case _, ast.Constant(value=None):
            return Difference("there is no answer here, so the function must return `None`.")
        case ast.Tuple(elts=[]), ast.Tuple(elts=items):
            return Difference(f"the function returned an empty tuple, but the answer has {_number(items)}.")
        case ast.Tuple(elts=items), ast.Tuple(elts=[]):
            return Difference(f"the function returned {_number(items)}, but the answer is empty.")
        case ast.Tuple(elts=some), ast.Tuple(elts=items):
            return _items(some, items, given)
        case ast.Constant(value=str(text)), ast.Constant(value=str(right)):
            return _texts(text, right)
        case ast.Call(func=ast.Name(id=name), args=some), ast.Call(func=ast.Name(id=same), args=parts) if name == same:
            return _parts(name, some, parts, given)
    return _numbers(observed, wanted) or _around(observed, wanted) or _kinds(observed, wanted)


# ------------------------------------------------------------------------------------------------ one thing


def _chosen(call: str, observed: ast.expr, wanted: ast.expr) -> Difference:
    """Describe which of several arguments was chosen, and which is right."""
    call_tree = expression_of(call)
    tuples = [node for node in ast.walk(call_tree) if isinstance(node, ast.Tuple)] if call_tree else []
    all_items = Counter(code_of(item) for node in tuples for item in node.elts)
    if all_items[code_of(observed)] != 1 or all_items[code_of(wanted)] != 1 or isinstance(observed, ast.Constant):
        return NO_WORDS  # another item may be meant
    for node in tuples:
        items = [*map(code_of, node.elts)]
        if {code_of(observed), code_of(wanted)} <= {*items}:
            taken, right = (_ordinal(items.index(code_of(each)), len(items)) for each in (observed, wanted))
            return Difference(f"the function chose {taken} item, but {right} is right.")
    return NO_WORDS


def _numbers(observed: ast.expr, wanted: ast.expr) -> Difference:
    one, other = _number_of(observed), _number_of(wanted)
    if one is None or other is None:
        return NO_WORDS
    size = "large" if one > other else "small"
    try:
        return Difference(f"the number is too {size} by {abs(one - other):g}.")
    except OverflowError:  # an integer of more than 308 digits
        return Difference(f"the number is too {size}.")


def _number_of(node: ast.expr) -> float | None:
    """Return the number that a node represents, or None."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    return None


def _around(observed: ast.expr, wanted: ast.expr) -> Difference:
    """Say that the returned value contains the expected one, or the reverse."""
    if _holds(wanted, observed):
        return Difference("this is only a part of the answer.")
    if _holds(observed, wanted):
        return Difference("this contains the answer, but also something around it.")
    return NO_WORDS


def _holds(tree: ast.expr, part: ast.expr) -> bool:
    inside = [node for node in ast.walk(tree) if isinstance(node, ast.expr) and node is not tree]
    return isinstance(part, (ast.Call, ast.Tuple)) and any(_same(node, part) for node in inside)


def _kinds(observed: ast.expr, wanted: ast.expr) -> Difference:
    """Describe that two values are of different kinds, for example a card and a number."""
    one, other = literal_kind(observed), literal_kind(wanted)
    return (
        Difference(f"the function returned {one}, but the answer is {other}.")
        if one and other and one != other
        else NO_WORDS
    )


def literal_kind(node: ast.expr) -> str:
    """Return the kind of value that code describes, or "" if it is unknown."""
    match node:
        case ast.Constant(value=value):
            return next((LITERALS[kind] for kind in LITERALS if isinstance(value, kind)), "")
        case ast.UnaryOp(operand=ast.Constant(value=value)):
            return LITERALS.get(type(value), "")
        case ast.Tuple():
            return "a tuple"
        case ast.List():
            return "a list"
        case ast.Call(func=ast.Name(id=name)):
            return f"{'an' if name[0] in 'AEIOU' else 'a'} `{name}`"
        case ast.Name(id=name):
            return f"`{name}`"
    return ""


# ------------------------------------------------------------------------------------------------ items


def _items(observed: list[ast.expr], wanted: list[ast.expr], given: Given) -> Difference:
    """Describe how two tuples differ: a missing, an extra, or a different item."""
    if [*map(code_of, _flat(observed))] == [*map(code_of, _flat(wanted))] and len(observed) != len(wanted):
        own = "the items are right, but inside another tuple or list: a `*` in front spreads them."
        return Difference(own, leads_on=True)
    if Counter(map(code_of, observed)) == Counter(map(code_of, wanted)):
        is_reversed = [*map(code_of, observed)] == [*map(code_of, reversed(wanted))]
        return Difference(f"these are the right items, but in {'reverse' if is_reversed else 'the wrong'} order.")
    if len(observed) != len(wanted):
        return _lacking(observed, wanted)
    unlike = [index for index, pair in enumerate(zip(observed, wanted, strict=True)) if not _same(*pair)]
    kinds = {(literal_kind(observed[index]), literal_kind(wanted[index])) for index in unlike}
    if len(unlike) == len(wanted) > 1 and len(kinds) == 1 and len({*kinds.copy().pop()}) == 2:
        one, other = kinds.pop()
        if one:
            return Difference(f"each item is {one}, but it should be {other or f'`{code_of(wanted[0])}`'}.")
    if len(unlike) == 1:
        index = unlike[0]
        which = f"only {_ordinal(index, len(observed))} item is wrong" if len(observed) > 1 else "the item is wrong"
        return _going_on(which, _describe(observed[index], wanted[index], given))
    first = _ordinal(unlike[0], len(wanted))
    return Difference(f"{len(unlike)} of the {len(wanted)} items are wrong, {first} among them.")


def _lacking(observed: list[ast.expr], wanted: list[ast.expr]) -> Difference:
    """Describe which items are missing, and which ones are extra."""
    have, need = Counter(map(code_of, observed)), Counter(map(code_of, wanted))
    missing, surplus = [*(need - have).elements()], [*(have - need).elements()]
    foreign, repeated = [each for each in surplus if each not in need], [each for each in surplus if each in need]
    parts = [f"{_named(missing)} missing"] if missing else []
    parts += [f"{_named(foreign)} not part of the answer"] if foreign else []
    parts += [f"{_named(repeated)} there too often"] if repeated else []
    return Difference(f"{', and '.join(parts)}.")


def _named(items: list[str]) -> str:
    """Return items and a verb, as a part of a sentence. The items are shown as code if they are few and short."""
    if len(items) > ITEMS_QUOTED or any(len(item) > QUOTE_ROOM for item in items):
        return "one item is" if len(items) == 1 else f"{len(items)} items are"
    return f"{' and '.join(f'`{item}`' for item in items)} {'is' if len(items) == 1 else 'are'}"


def _flat(items: list[ast.expr]) -> Iterator[ast.expr]:
    """Yield the items. If an item is a tuple or a list, yield its items instead."""
    for item in items:
        yield from _flat(item.elts) if isinstance(item, (ast.Tuple, ast.List)) else (item,)


def _number(items: list[ast.expr]) -> str:
    return "one item" if len(items) == 1 else f"{len(items)} items"


def _ordinal(index: int, length: int) -> str:
    """Return the ordinal number of an item."""
    if index and index == length - 1:
        return "the last"
    return f"the {ORDINALS[index]}" if index < len(ORDINALS) else f"number {index + 1}"


# ------------------------------------------------------------------------------------------------ parts, texts


def _parts(name: str, observed: list[ast.expr], wanted: list[ast.expr], given: Given) -> Difference:
    """Describe which fields of a value are wrong."""
    names = field_names(given.types.get(name))
    unlike = [index for index, pair in enumerate(zip(observed, wanted, strict=False)) if not _same(*pair)]
    if not unlike or not len(names) == len(observed) == len(wanted):
        return NO_WORDS
    if _leaves(observed) == _leaves(wanted):
        return Difference("it has the right parts, but in the wrong positions.")
    if len(unlike) == 1 and len(names) > 1:
        index = unlike[0]
        return _going_on(f"only the part `{names[index]}` is wrong", _describe(observed[index], wanted[index], given))
    wrong = [f"`{names[index]}`" for index in unlike]
    if len(wrong) == len(names):
        return NO_WORDS
    return Difference(f"the parts {', '.join(wrong[:-1])} and {wrong[-1]} are wrong; the other parts are right.")


def _leaves(parts: list[ast.expr]) -> Counter[str]:
    """Return the leaves of some expressions, with their counts."""
    nodes = [node for part in parts for node in ast.walk(part)]
    return Counter(ast.unparse(node) for node in nodes if isinstance(node, (ast.Constant, ast.Name)))


def _texts(observed: str, wanted: str) -> Difference:
    """Describe which characters of a text are wrong, extra or missing, from the first difference to the last."""
    if "".join(observed.split()) == "".join(wanted.split()):
        return Difference("only spaces, tabs and line breaks differ.")
    if observed.lower() == wanted.lower():
        return Difference("only capital letters differ.")
    begin = shared_length(observed, wanted)
    one, other = observed[begin:], wanted[begin:]
    end = shared_length(one[::-1], other[::-1])
    surplus, missing = one[: len(one) - end], other[: len(other) - end]
    if surplus and missing:
        is_short = max(len(surplus), len(missing)) <= QUOTE_ROOM
        return Difference(f"the string has `{surplus!r}` instead of `{missing!r}`.") if is_short else NO_WORDS
    return Difference(
        f"`{_cut(missing or surplus)}` {'is missing in the string' if missing else 'does not belong to the string'}."
    )


def _cut(text: str) -> str:
    line = repr(text)
    return line if len(line) <= QUOTE_ROOM else f"{line[: QUOTE_ROOM - 2]}…{line[-1]}"


# ------------------------------------------------------------------------------------------------ codes


code_of = ast.unparse  # compared exactly, with the spaces inside strings


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)


def _going_on(begin: str, inner: Difference) -> Difference:
    """Return a sentence followed by a sentence on a part.

    A colon joins the two, unless the second sentence already contains a colon.
    """
    return Difference(f"{begin}: {inner.words}" if inner and not inner.leads_on else f"{begin}.", leads_on=True)
