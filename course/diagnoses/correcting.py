"""Diagnoses that show a corrected version of the learner's own line. These diagnoses come before the general ones."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from enum import Enum

from course.diagnoses.counting import counted_from_zero, down_without_a_step, never_runs
from course.diagnoses.evidence import (
    LONGEST_CODE,
    WIDEST,
    Diagnosis,
    Evidence,
    addends,
    called,
    code,
    own_nodes,
    with_article,
)
from course.diagnoses.failure import GAVE, Failure, OtherKind, Sort, ToBeRaised
from course.diagnoses.kinds import kind_words, kinds_written, signature_of
from course.diagnoses.looping import step_order
from course.diagnoses.shaping import (
    class_passed,
    either_of_two,
    half_compared,
    item_for_bool,
    list_of_the_rest,
    no_member_of_its_type,
    no_such_part,
    text_without_f,
    tuple_for_a_class,
    value_for_part,
)
from course.form.given import BUILTINS, field_names
from course.syntax import bound_names, lines_of

MADE_OF = {"set": "set", "frozenset": "frozenset", "list": "list", "sorted": "list", "tuple": "tuple"}


def _is_surely_function(e: Evidence, node: ast.expr) -> bool:
    match node:
        case ast.Lambda():
            return True
        case ast.Name(id=name):
            return name in {*e.functions, *e.given.functions, *e.requirements.exercises} | BUILTINS
    return False


# ------------------------------------------------------------------------------------------------ arguments


def later_of_enumerate(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `for card, index in enumerate(…)`, where the index comes first."""
    for node in e.all(ast.For, ast.comprehension) if e.error in ("AttributeError", "TypeError") else ():
        match node.target:
            case ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)]) if called(node.iter) == "enumerate":
                if any(_owner(each) == first for each in e.here) and e.raised("'int' object"):
                    yield Diagnosis(
                        f"`enumerate` produces the index first, and then the item, so `{first}` is a number. Swap "
                        "them:",
                        f"for {second}, {first} in {code(node.iter, WIDEST)}",
                    )


def _owner(node: ast.AST) -> str:
    """Return the name before the dot or bracket of a node, or ""."""
    match node:
        case ast.Attribute(value=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)):
            return name
    return ""


# ------------------------------------------------------------------------------------------------ numbers, indexes


def divided(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `/` where an integer is needed: as an index, in `range`, or as the answer."""
    as_index = e.error == "TypeError" and e.raised(
        r"slice indices must be integers|'float' object cannot be|indices must be integers or slices, not float"
    )
    is_answer = e.failure.did == GAVE and _is_point_for_all(e.failure.remark)
    if not (as_index or is_answer):
        return
    nodes = (node for tree in e.trees.values() for node in ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            yield Diagnosis(
                f"`/` on line {node.lineno} makes a float, such as 2.0. For an integer, write `//`:",
                code(ast.BinOp(node.left, ast.FloorDiv(), node.right), WIDEST),
            )
    yield Diagnosis("This number is a float, but it must be an integer. Which calculation makes it a float?")


def _is_point_for_all(remark: OtherKind | str) -> bool:
    return isinstance(remark, OtherKind) and (remark.wanted, remark.seen) == (Sort.INTEGER, Sort.FLOAT)


def item_as_index(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `cards[card]` in a loop over `cards`: the item is used as an index."""
    match = e.raised(r"indices must be integers or slices, not (\w+)", "TypeError")
    if not match:
        return
    targets = {code(node.target) for node in e.all(ast.For, ast.comprehension)}
    for node in e.here:
        if isinstance(node, ast.Subscript) and code(node.slice) in targets:
            index = code(node.slice)
            yield Diagnosis(
                f"The loop goes through the items themselves, so `{index}` is {with_article(match[1])}, "
                "not an index. Write:",
                f"{index}   # and not {code(node, 40)}",
            )
    yield Diagnosis(f"Between `[` and `]`, write an index, which is an integer. This is {with_article(match[1])}.")


def index_from_one(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an index that counts from 1."""
    for node in e.here if e.error == "IndexError" else ():
        match node:
            case ast.Subscript(value=items, slice=ast.Name(id=index)):
                yield Diagnosis(
                    f"`{code(items)}` has no index `{index}`: indexes go from 0 to `len({code(items)}) - 1`. "
                    f"If `{index}` counts from 1, write:",
                    f"{code(items)}[{index} - 1]",
                )


def no_base_case(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a recursion without a base case."""
    function = e.function
    if e.error not in ("IndexError", "ValueError", "RecursionError") or function is None:
        return
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    asks = (ast.If, ast.IfExp, ast.Match, ast.BoolOp)
    owners = {_owner(node) for node in ast.walk(function) if isinstance(node, ast.Subscript)}
    items = next((name for name in e.parameters if name in owners), "")
    if (
        not items
        or e.requirements.name not in map(called, calls)
        or any(isinstance(n, asks) for n in own_nodes(function))
    ):
        return
    yield Diagnosis(
        f"`{e.requirements.name}` calls itself even when `{items}` is empty, so it never stops. Begin with that case:",
        f"if not {items}:\n    return …",
    )


def plus_behind_equals(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `total =+ 10`, which assigns 10 and adds nothing."""
    for node in e.all(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.UnaryOp(op=ast.UAdd(), operand=added)):
                yield Diagnosis(
                    f"`=+` on line {node.lineno} assigns a new value and adds nothing. Write:",
                    f"{name} += {code(added)}",
                )


def no_match(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `next` without a default, when no item matches."""
    for call in e.calls_here if e.error == "StopIteration" else ():
        if called(call) == "next" and len(call.args) == 1:
            yield Diagnosis(
                f"`next` on line {call.lineno} finds nothing here. Add a second argument for this case:",
                f"next({code(call.args[0], LONGEST_CODE)}, None)",
            )


# ------------------------------------------------------------------------------------------------ parts of values


def part_of_its_items(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `cards.rank`, where each card has a rank, but the tuple of cards has none."""
    match = e.raised(r"'(tuple|list)' object has no attribute '(\w+)'", "AttributeError")
    if not match or any(hasattr(kind, match[2]) for kind in (tuple, list, str)):
        return
    owners = [n.value for n in e.here if isinstance(n, ast.Attribute) and n.attr == match[2]]
    unsure = [node for node in owners if not kinds_written(e, node) & {*e.given.types}]
    items = next(map(code, unsure or owners), "")
    if not items:
        return
    if match[2] in ("length", "len", "size"):
        yield Diagnosis(f"A {match[1]} has no `.{match[2]}`. Write:", f"len({items})")
    if match[2] in e.given.fields:
        yield Diagnosis(
            f"`{items}` is {with_article(match[1])}, which has no `.{match[2]}`. Go through its items, "
            "or take one of them:",
            f"(each.{match[2]} for each in {items})   # or {items}[0].{match[2]}",
        )
    yield Diagnosis(
        f"`{items}` is {with_article(match[1])}, so it has no `.{match[2]}`. Take an item by its place, "
        "which counts from 0:",
        f"{items}[0]   # the first, {items}[1] is the second",
    )


def no_such_member(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a member that an enumeration does not have."""
    for node in e.here if e.error == "AttributeError" else ():
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr):
                kind = e.given.types.get(name)
                if isinstance(kind, type) and issubclass(kind, Enum) and not hasattr(kind, attr):
                    members = ", ".join(f"`{name}.{each.name}`" for each in kind)
                    near = e.near(attr, [each.name for each in kind])
                    advice = f"Did you mean `{name}.{near}`?" if near else f"Choose from {members}."
                    yield Diagnosis(f"There is no `{name}.{attr}`. {advice}")


def unlike_operands(e: Evidence) -> Iterator[Diagnosis]:
    """Detect arithmetic with a value that is no number, such as a card."""
    match = e.raised(r"unsupported operand type\(s\) for \S+ '(\w+)' and '(\w+)'", "TypeError")
    kinds = [e.given.types.get(kind) for kind in match.groups()] if match else []
    kind = next((each for each in kinds if isinstance(each, type)), None)
    if kind is None or match is None or "tuple" in match.groups():
        return
    says = f"You cannot calculate with {kind_words(kind.__name__)}."
    parts = getattr(kind, "__dataclass_fields__", {})
    numbers = [name for name, part in parts.items() if part.type in ("int", int)]
    if call := next((each for each in e.calls_here if called(each) == "sum" and each.args), None):
        items = code(call.args[0], WIDEST)
        if numbers:
            yield Diagnosis(f"{says} Add up a part of each:", f"sum(each.{numbers[-1]} for each in {items})")
        yield Diagnosis(f"{says} Which function turns each into a number?", f"sum(map(…, {items}))")
    use = f" Use one of its parts: {', '.join(f'`.{part}`' for part in parts)}." if parts else ""
    yield Diagnosis(f"{says}{use}")


def members_without_order(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `<` between members of an enumeration."""
    match = e.raised(r"'([<>]=?)' not supported between instances of '(\w+)' and '\2'")
    kind = e.given.types.get(match[2]) if match else None
    if not isinstance(kind, type) or not issubclass(kind, Enum):
        return
    yield Diagnosis(
        f"Python cannot compare values of `{kind.__name__}`. If their order in the statement counts, compare their "
        "numbers:",
        f"{kind.__name__.lower()}.value",
    )


def missing_comma(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `(first) + rest`, where `(first,)` is meant."""
    if not e.raised(r"for \+: '\w+' and 'tuple'|can only concatenate tuple", "TypeError"):
        return
    source = next((h.source for h in e.helpers if h.label == e.failure.label), e.source)
    for node in e.sums_here:
        if not isinstance(e.parents.get(node), ast.BinOp):
            lines = lines_of(source)
            ends = [_end_in_parentheses(lines, part) for part in addends(node)]
            rows = {row for row, _ in filter(None, ends)}
            if len(rows) == 1:
                line = lines[row := rows.pop()]
                for _, column in sorted(filter(None, ends), reverse=True):
                    line = f"{line[:column]},{line[column:]}"
                yield Diagnosis(
                    f"On line {row + 1}, parentheses alone make no tuple. A tuple with one item has a comma:",
                    line.strip(),
                )


def _end_in_parentheses(lines: list[str], part: ast.expr) -> tuple[int, int] | None:
    """Return the row and column where an expression in parentheses ends."""
    row, end = (part.end_lineno or 1) - 1, part.end_col_offset or 0
    line = lines[row] if row < len(lines) else ""
    is_plain = isinstance(part, (ast.Name, ast.Subscript, ast.Attribute)) and part.lineno == row + 1 and line.isascii()
    if is_plain and line[: part.col_offset].rstrip().endswith("(") and line[end:].lstrip().startswith(")"):
        return row, end
    return None


# ------------------------------------------------------------------------------------------------ text for members


def string_for_member(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a string in a pattern or an argument where a member is meant."""
    for node in e.all(ast.MatchClass, ast.Call):
        parts = [*node.args] if isinstance(node, ast.Call) else [getattr(part, "value", None) for part in node.patterns]
        kind = e.given.types.get(code(node.cls if isinstance(node, ast.MatchClass) else node.func))
        texts = [p for p in parts if isinstance(p, ast.Constant) and _member(e, p.value)]
        if texts and isinstance(kind, type):
            quoted = texts[0].value
            yield Diagnosis(
                f"On line {node.lineno}, `{quoted!r}` is a string. Write {_member(e, quoted)} without quotes."
            )


def strings_in_a_loop(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a loop over strings, where members of an enumeration are needed."""
    for node in e.all(ast.For, ast.comprehension):
        match node.iter:
            case ast.Tuple(elts=[ast.Constant(), *_] as texts) | ast.List(elts=[ast.Constant(), *_] as texts):
                kinds = {_member(e, getattr(text, "value", None)).split(".")[0].strip("`") for text in texts}
                if len(kinds) == 1 and (kind := kinds.pop()):
                    yield Diagnosis(
                        f"The loop on line {texts[0].lineno} goes over strings, and a string never equals "
                        f"{kind_words(kind)}. Loop over the members instead:",
                        f"for {code(node.target)} in {kind}",
                    )


def _member(e: Evidence, text: object) -> str:
    """Return the code of the member that a text names, or ""."""
    kind = e.given.values.get(text) if isinstance(text, str) else None
    if kind is None or not issubclass(kind, Enum):
        return ""
    return f"`{kind.__name__}.{text}`"


def number_for_member(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer such as 2, where `TWO` is expected."""
    wanted, observed = e.failure.wanted_code, e.failure.seen or ""
    kind = e.given.values.get(wanted)
    if e.failure.did != GAVE or kind is None or not issubclass(kind, Enum) or not observed.isdigit():
        return
    says = f"`{e.requirements.name}` returned the number {observed}, but the answer is a member of `{kind.__name__}`."
    meant = next((each.name for each in kind if str(each.value) == observed), "")
    if meant and observed in (code(node.value) for node in e.all(ast.Return) if node.value):
        yield Diagnosis(f"{says} Write:", f"return {meant}   # where it returns {observed}")
    yield Diagnosis(f"{says} Return one of {', '.join(f'`{each.name}`' for each in kind)}.")


# ------------------------------------------------------------------------------------------------ comparisons


def never_equal(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a comparison of a set with a tuple, which is never true."""
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                kinds = [_kind_made(e, left), _kind_made(e, right)]
                if all(kinds) and {"set", "frozenset"} != {*kinds} and kinds[0] != kinds[1]:
                    maker = kinds[0] if kinds[0] != "tuple" else kinds[1]
                    sides = [
                        code(side) if kind == maker else f"{maker}({code(side)})"
                        for side, kind in zip((left, right), kinds, strict=True)
                    ]
                    yield Diagnosis(
                        f"On line {node.lineno}, a {kinds[0]} is never equal to a {kinds[1]}. Convert one of them:",
                        " == ".join(sides),
                    )


def _kind_made(e: Evidence, node: ast.expr) -> str:
    """Return the kind of collection that an expression makes, or "" if that is uncertain."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in MADE_OF and name not in e.functions:
            return MADE_OF[name]
        case ast.Name(id=name) if name in e.given.tuples and name not in e.bound:
            return "tuple"
    return ""


def number_against_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `sum(…) == card`, which compares a number with a card."""
    kinds = dict(e.requirements.parameters)
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="sum" | "len" as name)), ops=[ast.Eq()], comparators=[ast.Name(id=other)]
            ):
                kind = e.given.types.get(kinds.get(other, ""))
                if parts := field_names(kind):
                    yield Diagnosis(
                        f"On line {node.lineno}, `{name}(…)` is a number, and never {kind_words(kinds[other])}. Write:",
                        f"{code(node.left)} == {other}.{parts[-1]}",
                    )


def same_object(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `is` between values that can be equal and still be different objects."""
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[right]):
                is_given = any(code(side) in e.given.values or _is_single(side) for side in (left, right))
                if not is_given and any(kinds_written(e, side) & _kinds_made_again(e) for side in (left, right)):
                    sign, word = ("==", "is") if isinstance(op, ast.Is) else ("!=", "is not")
                    yield Diagnosis(
                        f"`{word}` on line {node.lineno} tests whether both are the same object. To compare values, "
                        "write:",
                        f"{code(left)} {sign} {code(right)}",
                    )


def _is_single(node: ast.expr) -> bool:
    """Return whether there is only one object that is equal to a value, such as `None`."""
    return isinstance(node, ast.Constant) and not isinstance(node.value, str) and not code(node).isdecimal()


def _kinds_made_again(e: Evidence) -> set[str]:
    """Return the types of which equal values can be different objects."""
    return {"tuple", "list", "int", "str"} | {name for name, kind in e.given.types.items() if field_names(kind)}


# ------------------------------------------------------------------------------------------------ counting


def counts_from_one(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `enumerate(…, 1)` in an answer whose result is too large by 1."""
    for node in e.all(ast.Call) if _difference(e) == 1 else ():
        match node:
            case ast.Call(func=ast.Name(id="enumerate"), args=[items, ast.Constant(value=1)]):
                yield Diagnosis(
                    f"`enumerate` on line {node.lineno} counts from 1, but indexes start at 0. Write:",
                    f"enumerate({code(items)})",
                )


def range_ends_early(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a `range` that ends too early: the result is too small by 1, or items are missing."""
    if e.failure.did != GAVE or (_difference(e) != -1 and not _lacks_items(e.failure)):
        return
    for node in e.all(ast.Call):
        if called(node) == "range" and node.args and not node.keywords and not _has_one_more(node):
            stop = node.args[min(1, len(node.args) - 1)]
            longer = _one_more(stop, -1 if node.args[2:] and isinstance(node.args[2], ast.UnaryOp) else 1)
            args = [*node.args[:1], longer, *node.args[2:]] if node.args[1:] else [longer]
            yield Diagnosis(
                f"`{code(node)}` on line {node.lineno} stops before `{code(stop)}`. Is that too early? To include it:",
                f"range({', '.join(map(code, args))})",
            )


def _lacks_items(failure: Failure) -> bool:
    """Return whether a tuple has too few items, or may have too few.

    The latter holds if only an acceptance relation says that it is wrong.
    """
    wanted, observed = failure.wanted_code, failure.seen or ""
    return observed.startswith("(") and (failure.wanted is None or observed.count("(") < wanted.count("("))


def _one_more(node: ast.expr, step: int) -> ast.expr:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return ast.Constant(node.value + step)
    return ast.BinOp(node, ast.Add() if step > 0 else ast.Sub(), ast.Constant(1))


def _has_one_more(node: ast.Call) -> bool:
    stop = node.args[min(1, len(node.args) - 1)]
    return (isinstance(stop, ast.BinOp) and isinstance(stop.op, ast.Add)) or isinstance(stop, ast.UnaryOp)


def _difference(e: Evidence) -> int:
    """Return by how much an integer result is too large, or 0 if the result is not an integer."""
    wanted, observed = e.failure.wanted_code.lstrip("-"), (e.failure.seen or "").lstrip("-")
    if e.failure.did != GAVE or not (wanted.isdigit() and observed.isdigit()):
        return 0
    return int(e.failure.seen or 0) - int(e.failure.wanted_code)


# ------------------------------------------------------------------------------------------------ required functions


def other_chance(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `random` where the statement requires a given function."""
    wanted = next((name for name in e.requirements.requires if name in e.given.functions), "")
    names = {node.id for tree in e.trees.values() for node in ast.walk(tree) if isinstance(node, ast.Name)}
    rows = [node.lineno for node in e.all(ast.Attribute) if code(node.value) == "random"]
    if wanted and wanted not in names and rows:
        yield Diagnosis(f"Line {rows[0]} uses `random`, but all chance must come from `{wanted}`.")


def function_given_to_sum(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `sum(function, items)`: `sum` takes no function."""
    for call in e.calls_here if e.error == "TypeError" else ():
        match call:
            case ast.Call(func=ast.Name(id="sum"), args=[function, items]) if _is_surely_function(e, function):
                yield Diagnosis(
                    f"`sum` on line {call.lineno} takes no function, only numbers. Make them first:",
                    f"sum(map({code(function, WIDEST)}, {code(items, WIDEST)}))",
                )


def swapped_in_a_fold(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a fold whose function has its two parameters in the wrong order."""
    for call in e.calls_here if e.error in ("TypeError", "AttributeError") else ():
        match call:
            case ast.Call(
                func=ast.Name(id="fold_left" | "fold_right" as name),
                args=[ast.Lambda(args=ast.arguments(args=[one, other]), body=body), ast.Constant(value=int()), _],
            ):
                so_far = one.arg if name == "fold_left" else other.arg
                used = [node for node in ast.walk(body) if so_far in map(code, _used_as_item(node))]
                if used:
                    yield Diagnosis(
                        f"`{name}` calls its function with {step_order(name)}. Swap the two parameters:",
                        f"lambda {other.arg}, {one.arg}: {code(body, WIDEST)}",
                    )


def _used_as_item(node: ast.AST) -> list[ast.expr]:
    return node.args if isinstance(node, ast.Call) else [node.value] if isinstance(node, ast.Attribute) else []


# ------------------------------------------------------------------------------------------------ classes, exceptions


def class_compared(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `card == Joker`, which is never true."""
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.Is() as op], comparators=[ast.Name(id=name)]):
                kind = e.given.types.get(name)
                if (
                    isinstance(kind, type)
                    and called(left) != "type"
                    and not issubclass(kind, Enum)
                    and name not in e.bound
                ):
                    sign = "==" if isinstance(op, ast.Eq) else "is"
                    yield Diagnosis(
                        f"`{code(left)} {sign} {name}` on line {node.lineno} is never true, because `{name}` is a "
                        "class. Write:",
                        f"isinstance({code(left)}, {name})",
                    )


def text_raised(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `raise "text"`, where an exception must be raised."""
    if not e.raised("exceptions must derive", "TypeError"):
        return
    raised = next((n for n in e.here if isinstance(n, ast.Raise) and isinstance(n.exc, ast.Constant)), None)
    if raised is None or raised.exc is None:
        return
    kind = getattr(e.failure.wanted, "kind", "ValueError")
    yield Diagnosis(
        f"Line {raised.lineno} raises a string. Put it into an exception:", f"raise {kind}({code(raised.exc)})"
    )


def error_returned(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `return error` where the error should be raised."""
    errors = {name for name, kind in e.requirements.parameters if kind == "Exception"}
    if isinstance(e.failure.wanted, ToBeRaised):
        errors.add(e.failure.wanted.kind)
    for node in e.all(ast.Return):
        if isinstance(node.value, ast.Call) and _is_exception(e, called(node.value)):
            yield Diagnosis(
                f"Line {node.lineno} returns the exception. To raise it, write:", f"raise {code(node.value, WIDEST)}"
            )
        if isinstance(node.value, ast.Name) and node.value.id in errors:
            yield Diagnosis(f"Line {node.lineno} returns the exception. To raise it, write:", f"raise {node.value.id}")


def _is_exception(e: Evidence, name: str) -> bool:
    kind = e.given.types.get(name, getattr(builtins, name, None))
    return isinstance(kind, type) and issubclass(kind, Exception)


def item_for_slice(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `cards[1:] + cards[0]`, which adds a single item to a tuple."""
    if not e.raised(r"for \+: '\w+' and 'tuple'|can only concatenate tuple", "TypeError"):
        return
    for node in e.sums_here:
        written = ast.unparse(node)
        sliced = re.sub(r"\[0\](?= \+|$)", "[:1]", re.sub(r"\[-1\](?= \+|$)", "[-1:]", written))
        if sliced != written:
            yield Diagnosis(
                f"On line {node.lineno}, an item is added to a tuple. A slice is a tuple, even with one item:",
                sliced,
            )


# ------------------------------------------------------------------------------------------------ immutable values


def assigned_part(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `desk.pile = …`, although a desk cannot be changed."""
    for node in e.here if e.error == "FrozenInstanceError" else ():
        match node:
            case (
                ast.Assign(targets=[ast.Attribute(value=owner, attr=part) as target], value=value)
                | ast.AugAssign(target=ast.Attribute(value=owner, attr=part) as target, value=value)
            ):
                if isinstance(node, ast.AugAssign):
                    value = ast.BinOp(target, node.op, value)
                yield Diagnosis(
                    f"Line {node.lineno} changes a value, but values of the course never change. Make a copy:",
                    f"{code(owner)} = {_copy_with(e, code(owner), part, code(value, 48))}",
                )


def _copy_with(e: Evidence, owner: str, part: str, value: str) -> str:
    """Return the call that makes a copy with one part changed, using the unit's functions."""
    if f"with_{part}" in e.given.methods:
        return f"{owner}.with_{part}({value})"
    parts = {name: field_names(kind) for name, kind in e.given.types.items()}
    kinds = [name for name, those in parts.items() if part in those]
    if "replace" in e.given.functions or not kinds:
        return f"replace({owner}, {part}={value})"
    return f"{kinds[0]}({', '.join(value if each == part else f'{owner}.{each}' for each in parts[kinds[0]])})"


def copy_dropped(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a changed copy that is not used."""
    for node in e.all(ast.Expr):
        match node.value:
            case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if attr in e.given.methods:
                yield Diagnosis(
                    f"Line {node.lineno} makes a changed copy, but does not use it. "
                    f"`{code(owner)}` stays as it was. Write:",
                    f"{code(owner)} = {code(node.value, WIDEST)}",
                )


def result_dropped(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a call of an exercise whose result is not used.

    A function that takes an exception may be called only because it may raise it.
    """
    for node in e.all(ast.Expr) if e.failure.did == GAVE else ():
        name = called(node.value)
        may_raise = "Exception" in dict(signature_of(e, name)).values()
        if name in e.requirements.exercises and not may_raise and isinstance(e.parents.get(node), ast.AST):
            first = node.value.args[0] if node.value.args else None
            parameter = first.id if isinstance(first, ast.Name) and first.id in e.parameters else "…"
            yield Diagnosis(
                f"Line {node.lineno} ignores the result of `{name}`, which changes nothing by itself. Write:",
                f"{parameter} = {code(node.value, WIDEST)}",
            )


def global_total(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a global variable that keeps its value from call to call."""
    for node in e.all(ast.Global):
        start = next(
            (code(t.value) for t in e.tops if isinstance(t, ast.Assign) and node.names[0] in bound_names(t)), "…"
        )
        yield Diagnosis(
            f"`global {node.names[0]}` on line {node.lineno} keeps its value from call to call. Replace that line by:",
            f"{node.names[0]} = {start}",
        )


def list_as_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a list where the exercise requires a tuple."""
    is_shown = "tuple" in e.failure.call or (e.failure.seen or "").startswith("[")
    if e.requirements.is_called or e.failure.did != GAVE or not is_shown:
        return
    for top in e.tops:
        if isinstance(top, ast.Assign | ast.AnnAssign) and isinstance(top.value, ast.List | ast.ListComp):
            name = e.requirements.name
            yield Diagnosis(
                f"Line {top.lineno} makes `{name}` a list, but it must be a tuple. Write `tuple(…)` around it:",
                f"{name} = tuple(…)",
            )


def unread_parameter(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that uses all of its parameters but one."""
    loaded = {node.id for node in e.nodes if isinstance(node, ast.Name)}
    unread = [name for name in e.parameters if name not in loaded and not name.startswith("_")]
    if e.failure.did == GAVE and len(unread) == 1 and len(e.parameters) > 1:
        yield Diagnosis(f"Your answer never uses `{unread[0]}`. Does the result depend on it?")


CORRECTING = (
    value_for_part,
    item_for_bool,
    list_of_the_rest,
    counted_from_zero,
    down_without_a_step,
    swapped_in_a_fold,
    later_of_enumerate,
    divided,
    item_as_index,
    no_base_case,
    index_from_one,
    no_match,
    part_of_its_items,
    no_such_member,
    unlike_operands,
    members_without_order,
    missing_comma,
    number_for_member,
    other_chance,
    function_given_to_sum,
    text_raised,
    error_returned,
    item_for_slice,
    assigned_part,
    global_total,
    list_as_value,
    counts_from_one,
    same_object,
)
# These look only at the source of the answer. None of them may match a right answer.
CORRECTING_TEXT = (
    string_for_member,
    strings_in_a_loop,
    plus_behind_equals,
    never_equal,
    number_against_value,
    class_compared,
    copy_dropped,
    never_runs,
    either_of_two,
    no_member_of_its_type,
    no_such_part,
    tuple_for_a_class,
    text_without_f,
    class_passed,
)
AT_LAST = (half_compared, result_dropped, range_ends_early, unread_parameter)
