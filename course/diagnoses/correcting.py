"""Diagnoses that show a corrected version of the learner's own line. These diagnoses come before the general ones."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from enum import Enum
from typing import get_args

from course.diagnoses.counting import (
    an_end_twice,
    chance_from_one,
    chance_too_high,
    never_runs,
    one_past_in_a_loop,
    one_too_many,
    scan_with_its_start,
)
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
from course.diagnoses.kinds import FUNCTION_KINDS, kind_words, kinds_written, signature_of
from course.diagnoses.shaping import (
    as_long_as_before,
    class_passed,
    either_of_two,
    half_compared,
    item_for_bool,
    item_for_index,
    items_and_tuples,
    list_of_the_rest,
    no_member_of_its_type,
    no_such_item,
    no_such_part,
    one_member_for_several,
    text_without_f,
    tuple_for_a_class,
    value_alone,
    value_for_part,
)
from course.form.given import BUILTINS, members_of
from course.syntax import bound_names, expression_of, lines_of

MADE_OF = {"set": "set", "frozenset": "frozenset", "list": "list", "sorted": "list", "tuple": "tuple"}


# ------------------------------------------------------------------------------------------------ arguments


def swapped_arguments(e: Evidence) -> Diagnosis | None:
    """Detect `map(items, function)`, where the function comes first, and the same mistake with `filter`."""
    for call in e.calls_here if e.error == "TypeError" else ():
        match call:
            case ast.Call(func=ast.Name(id="map" | "filter" | "find" | "reduce" as name), args=[items, function]):
                if _is_surely_function(e, function) and not _is_surely_function(e, items):
                    where = f"`{name}` on line {call.lineno}"
                    says = f"{where} has its arguments in the wrong order. The function comes first:"
                    return Diagnosis(says, f"{name}({code(function, WIDEST)}, {code(items, WIDEST)})")
            case ast.Call(func=ast.Name(id="combinations" as name), args=[count, items]) if e.raised("as an integer"):
                says = f"`{name}` on line {call.lineno} has its arguments in the wrong order. The items come first:"
                return Diagnosis(says, f"{name}({code(items, WIDEST)}, {code(count, WIDEST)})")
            case ast.Call(func=ast.Name(id="accumulate"), args=[_, _, _], keywords=[]):
                if in_order := _accumulated(e, call.args):
                    says = f"`accumulate` on line {call.lineno} takes the items, the function, and the start by name:"
                    return Diagnosis(says, in_order)
            case ast.Call(func=ast.Name(id="accumulate"), args=[function, items, *_], keywords=named):
                if _is_surely_function(e, function) and not _is_surely_function(e, items):
                    where = f"`accumulate` on line {call.lineno}"
                    says = f"{where} has its arguments in the wrong order. The items come first:"
                    parts = [code(items, WIDEST), code(function, WIDEST), *(f"{n.arg}={code(n.value)}" for n in named)]
                    return Diagnosis(says, f"accumulate({', '.join(parts)})")
    return None


def _accumulated(e: Evidence, args: list[ast.expr]) -> str:
    """Return a call of `accumulate` with three arguments in the right order, or "" if one of them is unclear."""
    functions = [arg for arg in args if _is_surely_function(e, arg)]
    starts = [arg for arg in args if (kinds := kinds_written(e, arg)) and not kinds & {"tuple", *FUNCTION_KINDS}]
    items = [arg for arg in args if arg not in functions + starts]
    if not len(functions) == len(starts) == len(items) == 1 or [*items, *functions, *starts] == args:
        return ""
    return f"accumulate({code(items[0], WIDEST)}, {code(functions[0], WIDEST)}, initial={code(starts[0])})"


def _is_surely_function(e: Evidence, node: ast.expr) -> bool:
    match node:
        case ast.Lambda():
            return True
        case ast.Name(id=name):
            return name in {*e.functions, *e.given.functions, *e.requirements.exercises} | BUILTINS
    return False


def swapped_for_a_given(e: Evidence) -> Diagnosis | None:
    """Detect a call of a given function with two arguments in the wrong order."""
    kinds = dict(e.requirements.parameters)
    for call in e.calls_here if e.error else ():
        match call:
            case ast.Call(func=ast.Name(id=name), args=[one, other]) if name in e.given.functions:
                first, second = _kinds_taken(e.given.functions[name])
                known_kinds = [kinds.get(each.id, "") if isinstance(each, ast.Name) else "" for each in (one, other)]
                if first != second and (
                    (known_kinds[0] and known_kinds[0] == second) or (known_kinds[1] and known_kinds[1] == first)
                ):
                    says = f"`{name}` on line {call.lineno} has its arguments in the wrong order. Write:"
                    return Diagnosis(says, f"{name}({code(other, WIDEST)}, {code(one, WIDEST)})")
    return None


def _kinds_taken(function: Callable[..., object]) -> tuple[str, str]:
    """Return the type names of a function's two parameters; "" for an unknown type."""
    try:
        kinds = [each.annotation for each in inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        return "", ""
    names = [kind if isinstance(kind, str) else getattr(kind, "__name__", "") for kind in kinds]
    return (names[0], names[1]) if len(names) == 2 else ("", "")


def key_without_its_name(e: Evidence) -> Diagnosis | None:
    """Detect `sorted(items, function)`, and the same mistake with `min` and `max`."""
    for call in e.calls_here if e.error == "TypeError" else ():
        match call:
            case ast.Call(func=ast.Name(id="sorted" | "min" | "max" as name), args=[one, other]):
                items, function = (other, one) if _is_surely_function(e, one) else (one, other)
                if _is_surely_function(e, function):
                    says = f"`{name}` on line {call.lineno} takes a function only by its name, `key`:"
                    return Diagnosis(says, f"{name}({code(items, WIDEST)}, key={code(function, WIDEST)})")
    return None


def later_of_enumerate(e: Evidence) -> Diagnosis | None:
    """Detect `for card, index in enumerate(…)`, where the index comes first."""
    for node in e.all(ast.For, ast.comprehension) if e.error in ("AttributeError", "TypeError") else ():
        match node.target:
            case ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)]) if called(node.iter) == "enumerate":
                if any(_owner(each) == first for each in e.here) and e.raised("'int' object"):
                    says = (
                        f"`enumerate` produces the index first, and then the item, so `{first}` is a number. Swap them:"
                    )
                    return Diagnosis(says, f"for {second}, {first} in {code(node.iter, WIDEST)}")
    return None


def _owner(node: ast.AST) -> str:
    """Return the name before the dot or bracket of a node, or ""."""
    match node:
        case ast.Attribute(value=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)):
            return name
    return ""


# ------------------------------------------------------------------------------------------------ numbers, indexes


def divided(e: Evidence) -> Diagnosis | None:
    """Detect `/` where an integer is needed: as an index, in `range`, or as the answer."""
    as_index = e.error == "TypeError" and e.raised(
        r"slice indices must be integers|'float' object cannot be|indices must be integers or slices, not float"
    )
    is_answer = e.failure.did == GAVE and _is_point_for_all(e.failure.remark)
    if not (as_index or is_answer):
        return None
    nodes = (node for tree in e.trees.values() for node in ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            says = f"`/` on line {node.lineno} makes a float, such as 2.0. For an integer, write `//`:"
            return Diagnosis(says, code(ast.BinOp(node.left, ast.FloorDiv(), node.right), WIDEST))
    return Diagnosis("This number is a float, but it must be an integer. Which calculation makes it a float?")


def _is_point_for_all(remark: OtherKind | str) -> bool:
    return isinstance(remark, OtherKind) and (remark.wanted, remark.seen) == (Sort.INTEGER, Sort.FLOAT)


def item_as_index(e: Evidence) -> Diagnosis | None:
    """Detect `cards[card]` in a loop over `cards`: the item is used as an index."""
    match = e.raised(r"indices must be integers or slices, not (\w+)") if e.error == "TypeError" else None
    if not match:
        return None
    targets = {code(node.target) for node in e.all(ast.For, ast.comprehension)}
    for node in e.here:
        if isinstance(node, ast.Subscript) and code(node.slice) in targets:
            index = code(node.slice)
            says = (
                f"The loop goes through the items themselves, so `{index}` is {with_article(match[1])}, "
                "not an index. Write:"
            )
            return Diagnosis(says, f"{index}   # and not {code(node, 40)}")
    return Diagnosis(f"Between `[` and `]`, write an index, which is an integer. This is {with_article(match[1])}.")


def index_from_one(e: Evidence) -> Diagnosis | None:
    """Detect an index that counts from 1."""
    for node in e.here if e.error == "IndexError" else ():
        match node:
            case ast.Subscript(value=items, slice=ast.Name(id=index)):
                says = f"`{code(items)}` has no index `{index}`: indexes go from 0 to `len({code(items)}) - 1`. "
                return Diagnosis(f"{says}If `{index}` counts from 1, write:", f"{code(items)}[{index} - 1]")
    return None


def no_base_case(e: Evidence) -> Diagnosis | None:
    """Detect a recursion without a base case."""
    function = e.function
    if e.error not in ("IndexError", "ValueError", "RecursionError") or function is None:
        return None
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    asks = (ast.If, ast.IfExp, ast.Match, ast.BoolOp)
    owners = {_owner(node) for node in ast.walk(function) if isinstance(node, ast.Subscript)}
    items = next((name for name in e.parameters if name in owners), "")
    if (
        not items
        or e.requirements.name not in map(called, calls)
        or any(isinstance(n, asks) for n in own_nodes(function))
    ):
        return None
    says = (
        f"`{e.requirements.name}` calls itself even when `{items}` is empty, so it never stops. Begin with that case:"
    )
    return Diagnosis(says, f"if not {items}:\n    return …")


def nothing_to_add_to(e: Evidence) -> Diagnosis | None:
    """Detect `total += …` before `total` has a value."""
    match = e.raised(r"local variable '(\w+)'") if e.error == "UnboundLocalError" else None
    added = [node for node in e.all(ast.AugAssign) if match and code(node.target) == match[1]]
    stored = [node for node in e.all(ast.Assign) if match and match[1] in map(code, node.targets)]
    if not match or not added or stored:
        return None
    start = "()" if isinstance(added[0].value, ast.Tuple) else "0"
    says = f"`{code(added[0])}` on line {added[0].lineno} needs a value to start from. Write before the loop:"
    return Diagnosis(says, f"{match[1]} = {start}")


def plus_behind_equals(e: Evidence) -> Diagnosis | None:
    """Detect `total =+ 10`, which assigns 10 and adds nothing."""
    for node in e.all(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.UnaryOp(op=ast.UAdd(), operand=added)):
                says = f"`=+` on line {node.lineno} assigns a new value and adds nothing. Write:"
                return Diagnosis(says, f"{name} += {code(added)}")
    return None


def no_match(e: Evidence) -> Diagnosis | None:
    """Detect `next` without a default, when no item matches."""
    for call in e.calls_here if e.error == "StopIteration" else ():
        if called(call) == "next" and len(call.args) == 1:
            says = f"`next` on line {call.lineno} finds nothing here. Add a second argument for this case:"
            return Diagnosis(says, f"next({code(call.args[0], LONGEST_CODE)}, None)")
    return None


def asks_nobody(e: Evidence) -> Diagnosis | None:
    """Detect an `input()` although no line is typed."""
    rows = [call.lineno for call in e.all(ast.Call) if called(call) == "input"]
    if e.error != "EOFError" or "transcript(" in e.failure.call or not rows:
        return None
    given = " and ".join(f"`{name}`" for name in e.parameters)
    says = f"`input(…)` on line {rows[0]} waits for somebody to type, and nobody does."
    return Diagnosis(f"{says} Delete it, and use {given or 'what is given'} instead.")


# ------------------------------------------------------------------------------------------------ parts of values


def part_of_its_items(e: Evidence) -> Diagnosis | None:
    """Detect `cards.rank`, where each card has a rank, but the tuple of cards has none."""
    match = e.raised(r"'(tuple|list)' object has no attribute '(\w+)'") if e.error == "AttributeError" else None
    if not match or hasattr(tuple, match[2]) or hasattr(list, match[2]):
        return None
    owners = [n.value for n in e.here if isinstance(n, ast.Attribute) and n.attr == match[2]]
    unsure = [node for node in owners if not kinds_written(e, node) & {*e.given.types}]
    items = next(map(code, unsure or owners), "")
    if not items:
        return None
    if match[2] in ("length", "len", "size"):
        return Diagnosis(f"A {match[1]} has no `.{match[2]}`. Write:", f"len({items})")
    if parts := _parts_in_pair(e, items):
        return Diagnosis(
            f"`{items}` is a tuple of {len(parts)} values, without names. Give them names:",
            f"{', '.join(parts)} = {items}",
        )
    if match[2] in e.given.fields:
        says = (
            f"`{items}` is {with_article(match[1])}, which has no `.{match[2]}`. Go through its items, "
            "or take one of them:"
        )
        return Diagnosis(says, f"(each.{match[2]} for each in {items})   # or {items}[0].{match[2]}")
    says = (
        f"`{items}` is {with_article(match[1])}, so it has no `.{match[2]}`. Take an item by its place, "
        "which counts from 0:"
    )
    return Diagnosis(says, f"{items}[0]   # the first, {items}[1] is the second")


def _parts_in_pair(e: Evidence, name: str) -> list[str]:
    """Return names for the parts of a parameter such as `face: tuple[Rank, Color]`; () for other parameters."""
    match expression_of(dict(e.requirements.parameters).get(name, "")):
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=parts)) if all(
            isinstance(part, ast.Name) for part in parts
        ):
            return [code(part).lower() for part in parts]
    return []


def no_such_member(e: Evidence) -> Diagnosis | None:
    """Detect a member that an enumeration does not have."""
    for node in e.here if e.error == "AttributeError" else ():
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr):
                kind = e.given.types.get(name)
                if isinstance(kind, type) and issubclass(kind, Enum) and not hasattr(kind, attr):
                    members = ", ".join(f"`{name}.{each.name}`" for each in kind)
                    near = e.near(attr, [each.name for each in kind])
                    advice = f"Did you mean `{name}.{near}`?" if near else f"Choose from {members}."
                    return Diagnosis(f"There is no `{name}.{attr}`. {advice}")
    return None


def unlike_operands(e: Evidence) -> Diagnosis | None:
    """Detect arithmetic with a value that is no number, such as a card."""
    match = e.raised(r"unsupported operand type\(s\) for \S+ '(\w+)' and '(\w+)'") if e.error == "TypeError" else None
    kinds = [e.given.types.get(kind) for kind in match.groups()] if match else []
    kind = next((each for each in kinds if isinstance(each, type)), None)
    if kind is None or match is None or "tuple" in match.groups():
        return None
    says = f"You cannot calculate with {kind_words(kind.__name__)}."
    if helper := next(_functions_of(e, kind), ""):
        sums = [node for node in e.here if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)]
        if len(sums) == 1 and kind.__name__ == match[1]:
            helper = f"{helper.partition('(')[0]}({code(sums[0].left)}, {code(sums[0].right)})"
        return Diagnosis(f"{says} There is a function for it:", helper)
    parts = getattr(kind, "__dataclass_fields__", {})
    numbers = [name for name, part in parts.items() if part.type in ("int", int)]
    if call := next((each for each in e.calls_here if called(each) == "sum" and each.args), None):
        items = code(call.args[0], WIDEST)
        if numbers:
            return Diagnosis(f"{says} Add up a part of each:", f"sum(each.{numbers[-1]} for each in {items})")
        return Diagnosis(f"{says} Which function turns each into a number?", f"sum(map(…, {items}))")
    use = f" Use one of its parts: {', '.join(f'`.{part}`' for part in parts)}." if parts else ""
    return Diagnosis(f"{says}{use}")


def _functions_of(e: Evidence, kind: type) -> Iterator[str]:
    """Yield the given functions that take a value of a class and a number, and return a value of the same class."""
    for name, function in sorted(e.given.functions.items()):
        try:
            signature = inspect.signature(function, eval_str=True)
        except (TypeError, ValueError, NameError):
            continue
        kinds = [parameter.annotation for parameter in signature.parameters.values()]
        if kinds == [kind, int] and signature.return_annotation is kind:
            yield f"{name}({', '.join(signature.parameters)})"


def members_without_order(e: Evidence) -> Diagnosis | None:
    """Detect `<` between members of an enumeration."""
    match = e.raised(r"'([<>]=?)' not supported between instances of '(\w+)' and '\2'")
    kind = e.given.types.get(match[2]) if match else None
    if not isinstance(kind, type) or not issubclass(kind, Enum):
        return None
    for call in e.calls_here:
        if called(call) in ("max", "min") and len(call.args) == 1 and not call.keywords and _is_dict(e, call.args[0]):
            table, end = code(call.args[0]), "highest" if called(call) == "max" else "lowest"
            says = f"`{code(call)}` compares the keys of the dictionary. For the key with the {end} value, write:"
            return Diagnosis(says, f"{called(call)}({table}, key={table}.get)")
    says = (
        f"Python cannot compare values of `{kind.__name__}`. If their order in the statement counts, compare their "
        "numbers:"
    )
    return Diagnosis(says, f"{kind.__name__.lower()}.value")


def _is_dict(e: Evidence, node: ast.expr) -> bool:
    """Return whether an expression is the name of a dictionary in the answer."""
    made = [each.value for each in e.all(ast.Assign) if code(node) in map(code, each.targets)]
    return bool(made) and all(isinstance(each, ast.Dict | ast.DictComp) for each in made)


# ------------------------------------------------------------------------------------------------ commas


def missing_comma(e: Evidence) -> Diagnosis | None:
    """Detect `(first) + rest`, where `(first,)` is meant."""
    if e.error != "TypeError" or not e.raised(r"for \+: '\w+' and 'tuple'|can only concatenate tuple"):
        return None
    source = next((h.source for h in e.helpers if h.label == e.failure.label), e.source)
    for node in e.here:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and not _is_nested(e, node):
            lines = lines_of(source)
            ends = [_end_in_parentheses(lines, part) for part in addends(node)]
            rows = {row for row, _ in filter(None, ends)}
            if len(rows) == 1:
                line = lines[row := rows.pop()]
                for _, column in sorted(filter(None, ends), reverse=True):
                    line = f"{line[:column]},{line[column:]}"
                says = f"On line {row + 1}, parentheses alone make no tuple. A tuple with one item has a comma:"
                return Diagnosis(says, line.strip())
    return None


def _is_nested(e: Evidence, node: ast.BinOp) -> bool:
    return isinstance(e.parents.get(node), ast.BinOp)


def _end_in_parentheses(lines: list[str], part: ast.expr) -> tuple[int, int] | None:
    """Return the row and column where an expression in parentheses ends."""
    row, end = (part.end_lineno or 1) - 1, part.end_col_offset or 0
    line = lines[row] if row < len(lines) else ""
    is_plain = isinstance(part, (ast.Name, ast.Subscript, ast.Attribute)) and part.lineno == row + 1 and line.isascii()
    if is_plain and line[: part.col_offset].rstrip().endswith("(") and line[end:].lstrip().startswith(")"):
        return row, end
    return None


# ------------------------------------------------------------------------------------------------ text for members


def string_for_member(e: Evidence) -> Diagnosis | None:
    """Detect a string in a pattern or an argument where a member is meant."""
    for node in e.all(ast.MatchClass, ast.Call):
        parts = [part.value if isinstance(part, ast.MatchValue) else part for part in _parts_written(node)]
        kind = e.given.types.get(code(node.cls if isinstance(node, ast.MatchClass) else node.func))
        texts = [p for p in parts if isinstance(p, ast.Constant) and _member(e, p.value)]
        if texts and isinstance(kind, type):
            quoted = texts[0].value
            says = f"On line {node.lineno}, `{quoted!r}` is a string. Write {_member(e, quoted)!s} without quotes:"
            return Diagnosis(says, _unquoted(e, node))
    return None


def strings_in_a_loop(e: Evidence) -> Diagnosis | None:
    """Detect a loop over strings, where members of an enumeration are needed."""
    for node in e.all(ast.For, ast.comprehension):
        match node.iter:
            case ast.Tuple(elts=[ast.Constant(), *_] as texts) | ast.List(elts=[ast.Constant(), *_] as texts):
                kinds = {_member(e, getattr(text, "value", None)).split(".")[0].strip("`") for text in texts}
                if len(kinds) == 1 and (kind := kinds.pop()):
                    says = (
                        f"The loop on line {texts[0].lineno} goes over strings, "
                        f"and a string never equals {kind_words(kind)}. "
                        "Loop over the members instead:"
                    )
                    return Diagnosis(says, f"for {code(node.target)} in {kind}")
    return None


def _parts_written(node: ast.MatchClass | ast.Call) -> list[ast.AST]:
    return [*node.patterns] if isinstance(node, ast.MatchClass) else [*node.args]


def _member(e: Evidence, text: object) -> str:
    """Return the code of the member that a text names, or ""."""
    kind = e.given.values.get(text) if isinstance(text, str) else None
    if kind is None or not issubclass(kind, Enum):
        return ""
    return f"`{kind.__name__}.{text}`"


class _Unquoted(ast.NodeTransformer):
    """A transformer that replaces strings in a tree with the members that they name."""

    def __init__(self, e: Evidence) -> None:
        self.e = e

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        member = _member(self.e, node.value)
        return ast.Name(member.strip("`")) if member else node


def _unquoted(e: Evidence, node: ast.MatchClass | ast.Call) -> str:
    text = ast.unparse(_Unquoted(e).visit(deepcopy(node)))
    return f"case {text}:" if isinstance(node, ast.MatchClass) else text


def number_for_member(e: Evidence) -> Diagnosis | None:
    """Detect an answer such as 2, where `TWO` is expected."""
    wanted, observed = e.failure.wanted_code, e.failure.seen or ""
    kind = e.given.values.get(wanted)
    if e.failure.did != GAVE or kind is None or not issubclass(kind, Enum) or not observed.isdigit():
        return None
    says = f"`{e.requirements.name}` returned the number {observed}, but the answer is a member of `{kind.__name__}`."
    meant = next((each.name for each in kind if str(each.value) == observed), "")
    if meant and observed in (code(node.value) for node in e.all(ast.Return) if node.value):
        return Diagnosis(f"{says} Write:", f"return {meant}   # where it returns {observed}")
    if index := _index_returned(e, kind, observed, wanted):
        return Diagnosis(f"{says} If the number is a place among them, write:", index)
    return Diagnosis(f"{says} Return one of {', '.join(f'`{each.name}`' for each in kind)}.")


def _index_returned(e: Evidence, kind: type[Enum], observed: str, wanted: str) -> str:
    """Return code that takes a member from a given tuple by its index, or "" if the number is not an index."""
    returned = [node.value for node in e.all(ast.Return) if node.value and not isinstance(node.value, ast.Constant)]
    members = [each.name for each in kind]
    is_index = int(observed) < len(members) and members[int(observed)] == wanted
    items = next((name for name in sorted(e.given.tuples) if e.given.members.get(name) == kind), "")
    return f"{items}[{code(returned[0], WIDEST)}]" if is_index and items and len(returned) == 1 else ""


# ------------------------------------------------------------------------------------------------ comparisons


def never_equal(e: Evidence) -> Diagnosis | None:
    """Detect a comparison of a set with a tuple, which is never true."""
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                kinds = [_kind_made(e, left), _kind_made(e, right)]
                if all(kinds) and {"set", "frozenset"} != {*kinds} and kinds[0] != kinds[1]:
                    says = f"On line {node.lineno}, a {kinds[0]} is never equal to a {kinds[1]}. Convert one of them:"
                    maker = kinds[0] if kinds[0] != "tuple" else kinds[1]
                    sides = [
                        code(side) if kind == maker else f"{maker}({code(side)})"
                        for side, kind in zip((left, right), kinds, strict=True)
                    ]
                    return Diagnosis(says, " == ".join(sides))
    return None


def _kind_made(e: Evidence, node: ast.expr) -> str:
    """Return the kind of collection that an expression makes, or "" if that is uncertain."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in MADE_OF and name not in e.functions:
            return MADE_OF[name]
        case ast.Name(id=name) if name in e.given.tuples and name not in e.bound:
            return "tuple"
    return ""


def number_against_value(e: Evidence) -> Diagnosis | None:
    """Detect `sum(…) == card`, which compares a number with a card."""
    kinds = dict(e.requirements.parameters)
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="sum" | "len" as name)), ops=[ast.Eq()], comparators=[ast.Name(id=other)]
            ):
                kind = e.given.types.get(kinds.get(other, ""))
                if parts := [*getattr(kind, "__dataclass_fields__", ())]:
                    says = (
                        f"On line {node.lineno}, `{name}(…)` is a number, and never {kind_words(kinds[other])}. Write:"
                    )
                    return Diagnosis(says, f"{code(node.left)} == {other}.{parts[-1]}")
    return None


def same_object(e: Evidence) -> Diagnosis | None:
    """Detect `is` with a value that is created each time, such as `Joker()` or `(1, 2)`."""
    return next((_equality_for(*pair) for pair in _identities(e) if any(map(_is_new_value, pair[1:]))), None)


def same_value(e: Evidence) -> Diagnosis | None:
    """Detect `is` with a parameter that can have equal values which are different objects.

    Values that are given by name exist only once.
    """
    kinds = dict(e.requirements.parameters)
    for node, *sides in _identities(e):
        names = [side.id for side in sides if isinstance(side, ast.Name)]
        types = [kind for name in names for kind in members_of(e.given.types.get(kinds.get(name, "")))]
        is_given = any(name in e.given.values for name in names) or any(isinstance(s, ast.Constant) for s in sides)
        if not is_given and any(hasattr(kind, "__dataclass_fields__") for kind in types):
            return _equality_for(node, *sides)
    return None


def _identities(e: Evidence) -> Iterator[tuple[ast.Compare, ast.expr, ast.expr]]:
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[right]):
                yield node, left, right


def _equality_for(node: ast.Compare, left: ast.expr, right: ast.expr) -> Diagnosis:
    sign, word = ("==", "is") if isinstance(node.ops[0], ast.Is) else ("!=", "is not")
    says = f"`{word}` on line {node.lineno} tests whether both are the same object. To compare values, write:"
    return Diagnosis(says, f"{code(left)} {sign} {code(right)}")


def _is_new_value(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return isinstance(value, (int, str, float)) and not isinstance(value, bool)
        case ast.Tuple(elts=[]):
            return False
        case ast.List() | ast.Tuple() | ast.JoinedStr() | ast.BinOp():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name[:1].isupper() or name in MADE_OF
    return False


# ------------------------------------------------------------------------------------------------ counting


def counts_from_one(e: Evidence) -> Diagnosis | None:
    """Detect `enumerate(…, 1)` in an answer whose result is too large by 1."""
    if _difference(e) != 1:
        return None
    for node in e.all(ast.Call):
        match node:
            case ast.Call(func=ast.Name(id="enumerate"), args=[items, ast.Constant(value=1)]):
                says = f"`enumerate` on line {node.lineno} counts from 1, but indexes start at 0. Write:"
                return Diagnosis(says, f"enumerate({code(items)})")
    return None


def range_ends_early(e: Evidence) -> Diagnosis | None:
    """Detect a `range` that ends too early: the result is too small by 1, or items are missing."""
    if e.failure.did != GAVE or (_difference(e) != -1 and not _lacks_items(e.failure)):
        return None
    for node in e.all(ast.Call):
        if called(node) == "range" and node.args and not node.keywords and not _has_one_more(node):
            stop = node.args[min(1, len(node.args) - 1)]
            says = (
                f"`{code(node)}` on line {node.lineno} stops before `{code(stop)}`. Is that too early? To include it:"
            )
            longer = _one_more(stop, -1 if _counts_down(node) else 1)
            args = [*node.args[:1], longer, *node.args[2:]] if node.args[1:] else [longer]
            return Diagnosis(says, f"range({', '.join(map(code, args))})")
    return None


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


def _counts_down(node: ast.Call) -> bool:
    return len(node.args) == 3 and isinstance(node.args[2], ast.UnaryOp)


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


def other_chance(e: Evidence) -> Diagnosis | None:
    """Detect `random` where the statement requires a given function."""
    wanted = next((name for name in e.requirements.requires if name in e.given.functions), "")
    names = {node.id for tree in e.trees.values() for node in ast.walk(tree) if isinstance(node, ast.Name)}
    rows = [node.lineno for node in e.all(ast.Attribute) if code(node.value) == "random"]
    if not wanted or wanted in names or not rows:
        return None
    says = f"Line {rows[0]} uses `random`, but all chance must come from `{wanted}`. A random place in a tuple is:"
    return Diagnosis(says, f"place = {_index_by(e, wanted)}")


def _index_by(e: Evidence, name: str) -> str:
    """Return the call that draws a random index with a given function, whose numbers may begin at 1."""
    is_from_one = "from 1 to" in (inspect.getdoc(e.given.functions[name]) or "")
    return f"{name}(len(cards)){' - 1' * is_from_one}"


def defined_twice(e: Evidence) -> Diagnosis | None:
    """Detect a second `def` below the answer, which replaces it."""
    defs = [top for top in e.tops if isinstance(top, ast.FunctionDef) and top.name == e.requirements.name]
    if len(defs) < 2:
        return None
    rows = defs[0].lineno, defs[-1].lineno
    return Diagnosis(
        f"The cell defines `{e.requirements.name}` on line {rows[0]} and again on line {rows[1]}. Delete one of them."
    )


def function_given_to_sum(e: Evidence) -> Diagnosis | None:
    """Detect `sum(function, items)`: `sum` takes no function."""
    for call in e.calls_here if e.error == "TypeError" else ():
        match call:
            case ast.Call(func=ast.Name(id="sum"), args=[function, items]) if _is_surely_function(e, function):
                says = f"`sum` on line {call.lineno} takes no function, only numbers. Make them first:"
                return Diagnosis(says, f"sum(map({code(function, WIDEST)}, {code(items, WIDEST)}))")
    return None


def swapped_in_a_fold(e: Evidence) -> Diagnosis | None:
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
                    order = (
                        "the result so far, then the next item"
                        if so_far == one.arg
                        else "the next item, then the result so far"
                    )
                    says = f"`{name}` calls its function with {order}. Swap the two parameters:"
                    return Diagnosis(says, f"lambda {other.arg}, {one.arg}: {code(body, WIDEST)}")
    return None


def _used_as_item(node: ast.AST) -> list[ast.expr]:
    return node.args if isinstance(node, ast.Call) else [node.value] if isinstance(node, ast.Attribute) else []


def body_without_lambda(e: Evidence) -> Diagnosis | None:
    """Detect `map(len(card), cards)`."""
    match = e.raised(r"name '(\w+)' is not defined") if e.error == "NameError" else None
    for call in e.calls_here if match else ():
        match call:
            case ast.Call(func=ast.Name(id="map" | "filter" as name), args=[ast.expr() as body, items]):
                if match and match[1] in {n.id for n in ast.walk(body) if isinstance(n, ast.Name)}:
                    says = f"`{name}` on line {call.lineno} needs a function with the parameter `{match[1]}`:"
                    return Diagnosis(says, f"{name}(lambda {match[1]}: {code(body, WIDEST)}, {code(items, WIDEST)})")
    return None


# ------------------------------------------------------------------------------------------------ classes, exceptions


def instance_for_class(e: Evidence) -> Diagnosis | None:
    """Detect `isinstance(card, Joker())`, where the class itself is needed."""
    for call in e.calls_here if e.error == "TypeError" and e.raised("arg 2 must be a type") else ():
        match call:
            case ast.Call(func=ast.Name(id="isinstance"), args=[value, ast.Call(func=kind)]):
                says = f"`isinstance` on line {call.lineno} takes the class itself, without parentheses:"
                return Diagnosis(says, f"isinstance({code(value)}, {code(kind)})")
    return None


def class_compared(e: Evidence) -> Diagnosis | None:
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
                    test = f"`{code(left)} {sign} {name}` on line {node.lineno}"
                    says = f"{test} is never true, because `{name}` is a class. Write:"
                    return Diagnosis(says, f"isinstance({code(left)}, {name})")
    return None


def text_raised(e: Evidence) -> Diagnosis | None:
    """Detect `raise "text"`, where an exception must be raised."""
    if e.error != "TypeError" or not e.raised("exceptions must derive"):
        return None
    raised = next((n for n in e.here if isinstance(n, ast.Raise) and isinstance(n.exc, ast.Constant)), None)
    if raised is None or raised.exc is None:
        return None
    kind = getattr(e.failure.wanted, "kind", "ValueError")
    return Diagnosis(
        f"Line {raised.lineno} raises a string. Put it into an exception:", f"raise {kind}({code(raised.exc)})"
    )


def error_returned(e: Evidence) -> Diagnosis | None:
    """Detect `return error` where the error should be raised."""
    errors = {name for name, kind in e.requirements.parameters if kind == "Exception"}
    if isinstance(e.failure.wanted, ToBeRaised):
        errors.add(e.failure.wanted.kind)
    for node in e.all(ast.Return):
        if isinstance(node.value, ast.Call) and _is_exception(e, called(node.value)):
            says = f"Line {node.lineno} returns the exception. To raise it, write:"
            return Diagnosis(says, f"raise {code(node.value, WIDEST)}")
        if isinstance(node.value, ast.Name) and node.value.id in errors:
            return Diagnosis(f"Line {node.lineno} returns the exception. To raise it, write:", f"raise {node.value.id}")
    return None


def _is_exception(e: Evidence, name: str) -> bool:
    kind = e.given.types.get(name, getattr(builtins, name, None))
    return isinstance(kind, type) and issubclass(kind, Exception)


def part_in_a_pattern(e: Evidence) -> Diagnosis | None:
    """Detect `case Num(n)` for a card, which contains a `Num`."""
    kinds = dict(e.requirements.parameters)
    for node in e.all(ast.Match):
        subject_type = e.given.types.get(kinds.get(code(node.subject), ""))
        choices = get_args(subject_type) or (subject_type,)
        for case in node.cases:
            if isinstance(case.pattern, ast.MatchClass) and (kind := e.given.types.get(code(case.pattern.cls))):
                owner = next((each for each in choices if _has_part(e, each, kind)), None)
                if isinstance(kind, type) and kind not in choices and owner:
                    where = f"`{code(case.pattern)}` on line {case.pattern.lineno}"
                    says = f"{where} is only a part of {kind_words(owner.__name__)}. Write:"
                    return Diagnosis(says, f"case {_around(e, owner, kind, code(case.pattern))}:")
    return None


def _has_part(e: Evidence, owner: object, kind: object) -> bool:
    return any(kind in members_of(e.given.fields.get(name)) for name in getattr(owner, "__dataclass_fields__", ()))


def _around(e: Evidence, owner: type, kind: object, pattern: str) -> str:
    fields = getattr(owner, "__dataclass_fields__", ())
    parts = (pattern if kind in members_of(e.given.fields.get(name)) else "_" for name in fields)
    return f"{owner.__name__}({', '.join(parts)})"


# ------------------------------------------------------------------------------------------------ immutable values


def no_length_but_parts(e: Evidence) -> Diagnosis | None:
    """Detect `len(player)`."""
    match = e.raised(r"object of type '(\w+)' has no len")
    parts = [*getattr(e.given.types.get(match[1]), "__dataclass_fields__", ())] if match else []
    call = next((call for call in e.calls_here if called(call) == "len" and call.args), None)
    if not match or not parts or call is None:
        return None
    return Diagnosis(
        f"This `{match[1]}` has no length. Its parts are {', '.join(f'`.{part}`' for part in parts)}. Choose one:",
        f"len({code(call.args[0])}.…)",
    )


def item_for_slice(e: Evidence) -> Diagnosis | None:
    """Detect `cards[1:] + cards[0]`, which adds a single item to a tuple."""
    if e.error != "TypeError" or not e.raised(r"for \+: '\w+' and 'tuple'|can only concatenate tuple"):
        return None
    for node in e.here:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            written = ast.unparse(node)
            sliced = re.sub(r"\[0\](?= \+|$)", "[:1]", re.sub(r"\[-1\](?= \+|$)", "[-1:]", written))
            if sliced != written:
                says = f"On line {node.lineno}, an item is added to a tuple. A slice is a tuple, even with one item:"
                return Diagnosis(says, sliced)
    return None


def assigned_part(e: Evidence) -> Diagnosis | None:
    """Detect `desk.pile = …`, although a desk cannot be changed."""
    for node in e.here if e.error == "FrozenInstanceError" else ():
        match node:
            case (
                ast.Assign(targets=[ast.Attribute(value=owner, attr=part) as target], value=value)
                | ast.AugAssign(target=ast.Attribute(value=owner, attr=part) as target, value=value)
            ):
                if isinstance(node, ast.AugAssign):
                    value = ast.BinOp(target, node.op, value)
                says = f"Line {node.lineno} changes a value, but values of the course never change. Make a copy:"
                return Diagnosis(says, f"{code(owner)} = {_copy_with(e, code(owner), part, code(value, 48))}")
    return None


def _copy_with(e: Evidence, owner: str, part: str, value: str) -> str:
    """Return the call that makes a copy with one part changed, using the unit's functions."""
    if f"with_{part}" in e.given.methods:
        return f"{owner}.with_{part}({value})"
    parts = {name: getattr(kind, "__dataclass_fields__", ()) for name, kind in e.given.types.items()}
    kinds = [name for name, those in parts.items() if part in those]
    if "replace" in e.given.functions or not kinds:
        return f"replace({owner}, {part}={value})"
    return f"{kinds[0]}({', '.join(value if each == part else f'{owner}.{each}' for each in parts[kinds[0]])})"


def copy_dropped(e: Evidence) -> Diagnosis | None:
    """Detect a changed copy that is not used."""
    for node in e.all(ast.Expr):
        match node.value:
            case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if attr in e.given.methods:
                says = (
                    f"Line {node.lineno} makes a changed copy, but does not use it. "
                    f"`{code(owner)}` stays as it was. Write:"
                )
                return Diagnosis(says, f"{code(owner)} = {code(node.value, WIDEST)}")
    return None


def result_dropped(e: Evidence) -> Diagnosis | None:
    """Detect a call of an exercise whose result is not used.

    A function that takes an exception may be called only because it may raise it.
    """
    for node in e.all(ast.Expr) if e.failure.did == GAVE else ():
        name = called(node.value)
        may_raise = "Exception" in dict(signature_of(e, name)).values()
        if name in e.requirements.exercises and not may_raise and isinstance(e.parents.get(node), ast.AST):
            says = f"Line {node.lineno} ignores the result of `{name}`, which changes nothing by itself. Write:"
            first = node.value.args[0] if node.value.args else None
            parameter = first.id if isinstance(first, ast.Name) and first.id in e.parameters else "…"
            return Diagnosis(says, f"{parameter} = {code(node.value, WIDEST)}")
    return None


def attribute_of_none(e: Evidence) -> Diagnosis | None:
    """Detect an attribute of a search result that is None, or of a variable that starts with None."""
    match = e.raised(r"'NoneType' object has no attribute '(\w+)'") if e.error == "AttributeError" else None
    owners = [n.value for n in e.here if isinstance(n, ast.Attribute) and match and n.attr == match[1]]
    names = [node.id for node in owners if isinstance(node, ast.Name)]
    if not names or not match:
        return None
    if starts := [name for name in names if name in _set_to_none(e)]:
        says = f"`{starts[0]}` starts with `None`, which has no `.{match[1]}`. Test for that case first:"
        return Diagnosis(says, f"{starts[0]} is None or …")
    says = f"`{names[0]}` is `None` on line {owners[0].lineno}, so it has no `.{match[1]}`. First handle that case:"
    return Diagnosis(says, f"return None if {names[0]} is None else …")


def _set_to_none(e: Evidence) -> set[str]:
    """Return the names to which the answer assigns None."""
    values = [node for node in e.all(ast.Assign) if isinstance(node.value, ast.Constant) and node.value.value is None]
    return {target.id for node in values for target in node.targets if isinstance(target, ast.Name)}


def promise_inside(e: Evidence) -> Diagnosis | None:
    """Detect a `map` or `filter` object inside a result, where a tuple is expected."""
    match = re.search(r".<(map|filter|zip|generator|reversed) object", e.failure.seen or "")
    if e.failure.did != GAVE or not match:
        return None
    for node in e.all(ast.Call, ast.GeneratorExp):
        if called(node) == match[1] or (isinstance(node, ast.GeneratorExp) and match[1] == "generator"):
            says = f"A part of the answer is {with_article(match[1])}, not its items. Wrap it on line {node.lineno}:"
            return Diagnosis(says, f"tuple({code(node, WIDEST).strip() if called(node) else code(node, WIDEST)[1:-1]})")
    return None


def global_total(e: Evidence) -> Diagnosis | None:
    """Detect a global variable that keeps its value from call to call."""
    for node in e.all(ast.Global):
        says = (
            f"`global {node.names[0]}` on line {node.lineno} keeps its value from call to call. Replace that line by:"
        )
        start = next(
            (code(t.value) for t in e.tops if isinstance(t, ast.Assign) and node.names[0] in bound_names(t)), "…"
        )
        return Diagnosis(says, f"{node.names[0]} = {start}")
    return None


def list_as_value(e: Evidence) -> Diagnosis | None:
    """Detect a list where the exercise requires a tuple."""
    is_shown = "tuple" in e.failure.call or (e.failure.seen or "").startswith("[")
    if e.requirements.is_called or e.failure.did != GAVE or not is_shown:
        return None
    for top in e.tops:
        if isinstance(top, ast.Assign | ast.AnnAssign) and isinstance(top.value, ast.List | ast.ListComp):
            name = e.requirements.name
            says = f"Line {top.lineno} makes `{name}` a list, but it must be a tuple. Write `tuple(…)` around it:"
            return Diagnosis(says, f"{name} = tuple(…)")
    return None


def unread_parameter(e: Evidence) -> Diagnosis | None:
    """Detect an answer that uses all of its parameters but one."""
    loaded = {node.id for node in e.nodes if isinstance(node, ast.Name)}
    unread = [name for name in e.parameters if name not in loaded and not name.startswith("_")]
    if e.failure.did != GAVE or len(unread) != 1 or len(e.parameters) < 2:
        return None
    return Diagnosis(f"Your answer never uses `{unread[0]}`. Does the result depend on it?")


CORRECTING = (
    defined_twice,
    items_and_tuples,
    item_for_index,
    value_for_part,
    item_for_bool,
    list_of_the_rest,
    no_such_item,
    one_member_for_several,
    as_long_as_before,
    chance_from_one,
    chance_too_high,
    one_past_in_a_loop,
    scan_with_its_start,
    swapped_arguments,
    swapped_for_a_given,
    swapped_in_a_fold,
    key_without_its_name,
    later_of_enumerate,
    divided,
    item_as_index,
    no_base_case,
    index_from_one,
    nothing_to_add_to,
    no_match,
    asks_nobody,
    part_of_its_items,
    no_such_member,
    unlike_operands,
    members_without_order,
    missing_comma,
    number_for_member,
    other_chance,
    function_given_to_sum,
    body_without_lambda,
    instance_for_class,
    text_raised,
    error_returned,
    no_length_but_parts,
    item_for_slice,
    assigned_part,
    attribute_of_none,
    promise_inside,
    global_total,
    list_as_value,
    counts_from_one,
    one_too_many,
    an_end_twice,
    same_value,
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
    part_in_a_pattern,
    never_runs,
    value_alone,
    same_object,
    either_of_two,
    no_member_of_its_type,
    no_such_part,
    tuple_for_a_class,
    text_without_f,
    class_passed,
)
AT_LAST = (half_compared, result_dropped, range_ends_early, unread_parameter)
