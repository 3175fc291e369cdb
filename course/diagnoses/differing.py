"""What a wrong value has and the right one has not, in words: both are read as code, and nothing of them is run."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from course.form.given import Given
from course.syntax import expression_of

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
LITERALS = {bool: "a truth value", int: "a whole number", float: "a number with a point", str: "a text"}
LONGEST_QUOTED, MOST_QUOTED = 40, 2


@dataclass(frozen=True)
class Said:
    """A sentence of what differs, as it goes on within another; `leads_on`: it is about a part of its own."""

    words: str
    leads_on: bool = False

    def __str__(self) -> str:
        return f"{self.words[:1].upper()}{self.words[1:]}"

    def __bool__(self) -> bool:
        return bool(self.words)


NOTHING_SAID = Said("")


def in_words(call: str, seen: str, wanted: str, given: Given) -> str:
    """Give what differs in the value of a call, as a sentence; "" where no words say more than the two values do."""
    one, other = expression_of(seen), expression_of(wanted)
    if one is None or other is None or _same(one, other):
        return ""
    try:
        return str(_chosen(call, one, other) or _told(one, other, given))
    except RecursionError:  # parts within parts, hundreds deep
        return ""


def _told(seen: ast.expr, wanted: ast.expr, given: Given) -> Said:
    match seen, wanted:
        case ast.Constant(value=True), ast.Constant(value=False):
            return Said("it says yes, and the answer is no.")
        case ast.Constant(value=False), ast.Constant(value=True):
            return Said("it says no, and the answer is yes.")
        case ast.Constant(value=None), _:
            return Said("it gives `None`, though there is an answer here.")
        case _, ast.Constant(value=None):
            return Said("there is no answer here, and it gives one: `None` is wanted.")
        case ast.Tuple(elts=[]), ast.Tuple(elts=items):
            return Said(f"it gives nothing, and {_number(items)} {'is' if len(items) == 1 else 'are'} wanted.")
        case ast.Tuple(elts=items), ast.Tuple(elts=[]):
            return Said(f"it gives {_number(items)}, and nothing is wanted.")
        case ast.Tuple(elts=some), ast.Tuple(elts=items):
            return _items(some, items, given)
        case ast.Constant(value=str(text)), ast.Constant(value=str(right)):
            return _texts(text, right)
        case ast.Call(func=ast.Name(id=name), args=some), ast.Call(func=ast.Name(id=same), args=parts) if name == same:
            return _parts(name, some, parts, given)
    return _numbers(seen, wanted) or _around(seen, wanted) or _kinds(seen, wanted)


# ------------------------------------------------------------------------------------------------ one thing


def _chosen(call: str, seen: ast.expr, wanted: ast.expr) -> Said:
    """Say which of several things that were handed over was taken, and which is right."""
    whole = expression_of(call)
    for node in ast.walk(whole) if whole else ():
        items = [*map(code_of, node.elts)] if isinstance(node, ast.Tuple) else []
        if {code_of(seen), code_of(wanted)} <= {*items} and not isinstance(seen, ast.Constant):
            taken, right = (_ordinal(items.index(code_of(each)), len(items)) for each in (seen, wanted))
            return Said(f"it takes {taken} item, and {right} is right.")
    return NOTHING_SAID


def _numbers(seen: ast.expr, wanted: ast.expr) -> Said:
    one, other = _number_of(seen), _number_of(wanted)
    if one is None or other is None:
        return NOTHING_SAID
    return Said(f"it is too {'large' if one > other else 'small'} by {abs(one - other):g}.")


def _number_of(node: ast.expr) -> float | None:
    """Give the number that a node is, None if it is none."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    return None


def _around(seen: ast.expr, wanted: ast.expr) -> Said:
    """Say so where one value lies in the other."""
    if _holds(wanted, seen):
        return Said("it is only a part of the answer.")
    if _holds(seen, wanted):
        return Said("the answer is in it, with something around it.")
    return NOTHING_SAID


def _holds(whole: ast.expr, part: ast.expr) -> bool:
    inside = [node for node in ast.walk(whole) if isinstance(node, ast.expr) and node is not whole]
    return isinstance(part, (ast.Call, ast.Tuple)) and any(_same(node, part) for node in inside)


def _kinds(seen: ast.expr, wanted: ast.expr) -> Said:
    """Say so where a thing is of another kind than is wanted: a card where a number should be."""
    one, other = kind_of(seen), kind_of(wanted)
    return Said(f"it gives {one}, and {other} is wanted.") if one and other and one != other else NOTHING_SAID


def kind_of(node: ast.expr) -> str:
    """Give what kind of thing a value's code stands for, "" if that is not known."""
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


def _items(seen: list[ast.expr], wanted: list[ast.expr], given: Given) -> Said:
    """Tell two tuples apart: what is missing, what is too much, or which item is another."""
    if [*map(code_of, _flat(seen))] == [*map(code_of, _flat(wanted))] and len(seen) != len(wanted):
        own = "the items are right, but stand in a tuple or a list of their own: a `*` in front spreads them."
        return Said(own, leads_on=True)
    if Counter(map(code_of, seen)) == Counter(map(code_of, wanted)):
        return Said("these are the right items, in another order.")
    if len(seen) != len(wanted):
        return _lacking(seen, wanted)
    unlike = [place for place, pair in enumerate(zip(seen, wanted, strict=True)) if not _same(*pair)]
    kinds = {(kind_of(seen[place]), kind_of(wanted[place])) for place in unlike}
    if len(unlike) == len(wanted) > 1 and len(kinds) == 1 and len({*kinds.copy().pop()}) == 2:
        return Said("each item is {}, and {} is wanted.".format(*kinds.pop()))
    if len(unlike) == 1:
        place = unlike[0]
        which = f"only {_ordinal(place, len(seen))} item is wrong" if len(seen) > 1 else "the item is another"
        return _going_on(which, _told(seen[place], wanted[place], given))
    return Said(f"{len(unlike)} of the {len(wanted)} items are wrong, {_ordinal(unlike[0], len(wanted))} and others.")


def _lacking(seen: list[ast.expr], wanted: list[ast.expr]) -> Said:
    """Say which items are missing, and which are too many."""
    have, need = Counter(map(code_of, seen)), Counter(map(code_of, wanted))
    missing, surplus = [*(need - have).elements()], [*(have - need).elements()]
    told = [f"{_named(missing)} missing"] * bool(missing) + [f"{_named(surplus)} too much"] * bool(surplus)
    return Said(f"{', and '.join(told)}.")


def _named(items: list[str]) -> str:
    """Give items with their verb: by their code if they are few and short."""
    if len(items) > MOST_QUOTED or any(len(item) > LONGEST_QUOTED for item in items):
        return "one item is" if len(items) == 1 else f"{len(items)} items are"
    return f"{' and '.join(f'`{item}`' for item in items)} {'is' if len(items) == 1 else 'are'}"


def _flat(items: list[ast.expr]) -> Iterator[ast.expr]:
    """Give items without the tuples and lists that are among them, but with what these hold."""
    for item in items:
        yield from _flat(item.elts) if isinstance(item, (ast.Tuple, ast.List)) else (item,)


def _number(items: list[ast.expr]) -> str:
    return "one item" if len(items) == 1 else f"{len(items)} items"


def _ordinal(place: int, length: int) -> str:
    """Give which of so many items one is."""
    if place and place == length - 1:
        return "the last"
    return f"the {ORDINALS[place]}" if place < len(ORDINALS) else f"number {place + 1}"


# ------------------------------------------------------------------------------------------------ parts, texts


def _parts(name: str, seen: list[ast.expr], wanted: list[ast.expr], given: Given) -> Said:
    """Say which parts of a value are wrong, by their names."""
    names = _field_names(given.types.get(name))
    unlike = [place for place, pair in enumerate(zip(seen, wanted, strict=False)) if not _same(*pair)]
    if not unlike or not len(names) == len(seen) == len(wanted):
        return NOTHING_SAID
    if _leaves(seen) == _leaves(wanted):
        return Said("it is made of the right things, but they stand in other places.")
    if len(unlike) == 1 and len(names) > 1:
        place = unlike[0]
        return _going_on(f"only its `{names[place]}` is wrong", _told(seen[place], wanted[place], given))
    told = [f"`{names[place]}`" for place in unlike]
    if len(told) == len(names):
        return NOTHING_SAID
    return Said(f"its {', '.join(told[:-1])} and {told[-1]} are wrong, the rest is right.")


def _leaves(parts: list[ast.expr]) -> Counter[str]:
    """Give the things that hold nothing, as often as they are there."""
    nodes = [node for part in parts for node in ast.walk(part)]
    return Counter(ast.unparse(node) for node in nodes if isinstance(node, (ast.Constant, ast.Name)))


def _field_names(cls: Any) -> list[str]:
    return [each.name for each in fields(cls)] if isinstance(cls, type) and is_dataclass(cls) else []


def _texts(seen: str, wanted: str) -> Said:
    """Say what a text has too much, or what it lacks, if that is in one place."""
    if "".join(seen.split()) == "".join(wanted.split()):
        return Said("only blanks, tabs and line breaks differ.")
    begin = _shared(seen, wanted)
    one, other = seen[begin:], wanted[begin:]
    end = _shared(one[::-1], other[::-1])
    surplus, missing = one[: len(one) - end], other[: len(other) - end]
    if surplus and missing:
        is_short = max(len(surplus), len(missing)) <= LONGEST_QUOTED
        return Said(f"in the text stands `{surplus!r}` in place of `{missing!r}`.") if is_short else NOTHING_SAID
    return Said(f"in the text `{_cut(missing or surplus)}` is {'missing' if missing else 'too much'}.")


def _shared(one: str, other: str) -> int:
    """Give how many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _cut(text: str) -> str:
    line = repr(text)
    return line if len(line) <= LONGEST_QUOTED else f"{line[: LONGEST_QUOTED - 2]}…{line[-1]}"


# ------------------------------------------------------------------------------------------------ codes


code_of = ast.unparse  # whole, with the blanks of its texts


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)


def _going_on(begin: str, inner: Said) -> Said:
    """Give a sentence with what is said of a part behind its colon, unless that has a colon itself."""
    return Said(f"{begin}: {inner.words}" if inner and not inner.leads_on else f"{begin}.", leads_on=True)
