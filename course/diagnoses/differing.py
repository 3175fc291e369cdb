"""Advice when no diagnosis matches: how a value differs from the right one, and the facts of the failing call.

Both values are parsed as code, and never run.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from course.diagnoses.evidence import Diagnosis, Evidence, with_article
from course.diagnoses.failure import GAVE, PRINTED, ExpectedException, FailureKind
from course.form.reading import UnitNames, field_names
from course.syntax import expression_of

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
LITERAL_DESCRIPTIONS = {bool: "True or False", int: "an integer", float: "a float", str: "a string"}
QUOTE_ROOM, ITEMS_QUOTED = 40, 2


# ------------------------------------------------------------------------------------------------ last advice


def describe_wrong_value(e: Evidence) -> Iterator[Diagnosis]:
    """Describe how a returned value is wrong, and which lines of the answer led to it."""
    if e.failure.did != GAVE or e.failure.seen is None:
        return
    if isinstance(e.failure.wanted, ExpectedException):
        kind = e.failure.wanted.kind
        yield Diagnosis(f"This call must raise an exception. Test for this case first, and write `raise {kind}(…)`.")
    observed, right = e.failure.seen, e.failure.wanted_code
    what = difference_sentence(observed, right, e.given)
    if isinstance(expression_of(e.failure.call), ast.Compare) and {observed, right} == {"True", "False"}:
        what = f"The comparison in this call is {observed}, but should be {right}."
    if words := " ".join(filter(None, [what, e.facts()])):
        yield Diagnosis(words)


def describe_wrong_line(e: Evidence) -> Iterator[Diagnosis]:
    """Describe how a printed line is wrong."""
    if e.failure.did != PRINTED:
        return
    if e.failure.wanted is None:
        what = "The function prints too much."
    elif e.failure.seen is None:
        what = "The function stops printing too early."
    elif e.failure.seen and "".join(e.failure.seen.split()) == "".join(e.failure.wanted_code.split()):
        what = "Only spaces, tabs or line breaks are wrong (`·` is a space, `→` is a tab, `\\t`)."
    elif not e.failure.seen and e.failure.row == 1:
        what = "The function prints nothing, but must print this line."
    else:
        what = (
            "All printed lines before this line are right." if e.failure.row > 1 else "The first printed line is wrong."
        )
    yield Diagnosis(f"{what} {e.facts()}".strip())


def describe_other_failure(e: Evidence) -> Iterator[Diagnosis]:
    """Describe what was wrong besides the value: calls of passed functions, changed arguments, or an exception."""
    failure = e.failure
    match failure.did:
        case FailureKind.CALLED:
            says = "The result is right. But one argument is a function, and your code calls it in the wrong way."
            yield Diagnosis(f"{says} {e.facts()}".strip())
        case FailureKind.CHANGED if failure.wanted_code and failure.wanted_code in failure.call:
            yield Diagnosis(
                "The function changes its argument, but must not do that. Make a new value, or copy the argument first."
            )
        case FailureKind.CHANGED if not failure.seen or failure.seen in failure.call:
            yield Diagnosis(
                "The function must change its argument in place. Assigning a new value to the parameter is not enough."
            )
        case FailureKind.CHANGED | FailureKind.OTHER | FailureKind.RAISED:
            if facts := e.facts():
                yield Diagnosis(facts)


# ------------------------------------------------------------------------------------------------ one thing


def difference_sentence(observed: str, wanted: str, given: UnitNames) -> str:
    """Return a sentence about how a result differs from the expected result, or "" if the difference is obvious."""
    one, other = expression_of(observed), expression_of(wanted)
    if one is None or other is None or _is_same_code(one, other):
        return ""
    try:
        words = _describe_difference(one, other, given)
    except RecursionError:  # values with hundreds of levels
        return ""
    return f"{words[:1].upper()}{words[1:]}"


def _describe_difference(observed: ast.expr, wanted: ast.expr, given: UnitNames) -> str:
    """Return a sentence about how two values differ, or ""."""
    match observed, wanted:
        case ast.Constant(value=bool(one)), ast.Constant(value=bool(other)):
            return f"the function returned {one}, but the right result is {other}."
        case ast.Constant(value=None), _:
            return "the function returned `None`, but this call must return a value."
        case _, ast.Constant(value=None):
            return "for this call, the function must return `None`."
        case ast.Tuple(elts=some), ast.Tuple(elts=items):
            return _describe_items(some, items)
        case ast.Constant(value=str(text)), ast.Constant(value=str(right)):
            return _describe_texts(text, right)
        case ast.Call(func=ast.Name(id=name), args=some), ast.Call(func=ast.Name(id=same), args=parts) if name == same:
            return _describe_fields(name, some, parts, given)
    return _describe_types_or_numbers(observed, wanted)


def _describe_types_or_numbers(observed: ast.expr, wanted: ast.expr, is_part: bool = False) -> str:
    """Describe two values of different kinds, for example a card and a number, or two different numbers.

    `is_part` says whether the values are only a part of the result.
    """
    kind, right = _literal_description(observed), _literal_description(wanted)
    if kind and right and kind != right:
        if is_part:
            return f"it is {kind}, but must be {right}."
        return f"the function returned {kind}, but the right result is {right}."
    one, other = _number_of(observed), _number_of(wanted)
    if one is None or other is None or not abs(one - other) < 1e15:
        return ""
    return f"the number is too {'large' if one > other else 'small'} by {abs(one - other):g}."


def _number_of(node: ast.expr) -> float | None:
    """Return the number that a node represents, or None."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    return None


def _literal_description(node: ast.expr) -> str:
    """Return the kind of value that code describes, or "" if it is unknown."""
    match node:
        case ast.Constant(value=value):
            return next((LITERAL_DESCRIPTIONS[kind] for kind in LITERAL_DESCRIPTIONS if isinstance(value, kind)), "")
        case ast.UnaryOp(operand=ast.Constant(value=value)):
            return LITERAL_DESCRIPTIONS.get(type(value), "")
        case ast.Tuple():
            return "a tuple"
        case ast.List():
            return "a list"
        case ast.Call(func=ast.Name(id=name)):
            return with_article(name)
        case ast.Name(id=name):
            return f"`{name}`"
    return ""


# ------------------------------------------------------------------------------------------------ items


def _describe_items(observed: list[ast.expr], wanted: list[ast.expr]) -> str:
    """Describe how two tuples differ: a missing, an extra, or a different item."""
    if [*map(ast.unparse, _flattened_items(observed))] == [*map(ast.unparse, _flattened_items(wanted))] and len(
        observed
    ) != len(wanted):
        return "the items are right, but inside another tuple or list. Unpack the inner tuple or list with a `*`."
    have, need = Counter(map(ast.unparse, observed)), Counter(map(ast.unparse, wanted))
    if have == need:
        is_reversed = [*map(ast.unparse, observed)] == [*map(ast.unparse, reversed(wanted))]
        return f"the result has the right items, but in {'reverse' if is_reversed else 'the wrong'} order."
    if len(observed) != len(wanted):
        missing, surplus = [*(need - have).elements()], [*(have - need).elements()]
        foreign, repeated = [each for each in surplus if each not in need], [each for each in surplus if each in need]
        words = (
            (missing, "missing from the result"),
            (foreign, "not part of the right result"),
            (repeated, "in the result too often"),
        )
        return f"{', and '.join(f'{_items_with_verb(items)} {what}' for items, what in words if items)}."
    unlike = [index for index, pair in enumerate(zip(observed, wanted, strict=True)) if not _is_same_code(*pair)]
    first = _position_words(unlike[0], len(wanted))
    if len(unlike) > 1:
        return f"{len(unlike)} of the {len(wanted)} items are wrong. Look at {first} first."
    which = f"only {first} is wrong" if len(observed) > 1 else "the item is wrong"
    return _sentence_with_detail(which, observed[unlike[0]], wanted[unlike[0]])


def _sentence_with_detail(words: str, observed: ast.expr, wanted: ast.expr) -> str:
    """Return a sentence about a wrong part, and after a colon how this part differs, if that is short to say."""
    inner = _describe_types_or_numbers(observed, wanted, is_part=True)
    return f"{words}: {inner}" if inner else f"{words}."


def _items_with_verb(items: list[str]) -> str:
    """Return items and a verb, as a part of a sentence. The items are shown as code if they are few and short."""
    if len(items) > ITEMS_QUOTED or any(len(item) > QUOTE_ROOM for item in items):
        return "one item is" if len(items) == 1 else f"{len(items)} items are"
    return f"{' and '.join(f'`{item}`' for item in items)} {'is' if len(items) == 1 else 'are'}"


def _flattened_items(items: list[ast.expr]) -> Iterator[ast.expr]:
    """Yield the items. If an item is a tuple or a list, yield its items instead."""
    for item in items:
        yield from _flattened_items(item.elts) if isinstance(item, (ast.Tuple, ast.List)) else (item,)


def _position_words(index: int, length: int) -> str:
    """Return words for the item at an index."""
    if index and index == length - 1:
        return "the last item"
    return f"the {ORDINALS[index]} item" if index < len(ORDINALS) else f"item {index + 1}"


# ------------------------------------------------------------------------------------------------ parts, texts


def _describe_fields(name: str, observed: list[ast.expr], wanted: list[ast.expr], given: UnitNames) -> str:
    """Describe which field of a value is wrong, or say that all fields are only swapped; return "" otherwise."""
    if sorted(map(ast.unparse, observed)) == sorted(map(ast.unparse, wanted)):
        return "the value has the right parts, but in the wrong positions."
    names = field_names(given.types.get(name))
    unlike = [index for index, pair in enumerate(zip(observed, wanted, strict=False)) if not _is_same_code(*pair)]
    if len(unlike) != 1 or not len(names) == len(observed) == len(wanted) > 1:
        return ""
    index = unlike[0]
    return _sentence_with_detail(f"only the part `{names[index]}` is wrong", observed[index], wanted[index])


def _describe_texts(observed: str, wanted: str) -> str:
    """Describe how two texts differ, if only their spaces or their capital letters do."""
    if "".join(observed.split()) == "".join(wanted.split()):
        return "only spaces, tabs or line breaks are wrong."
    return "only the use of capital letters is wrong." if observed.lower() == wanted.lower() else ""


def _is_same_code(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)
