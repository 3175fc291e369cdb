"""Diagnoses of `min`, `max`, `sorted` and folds, and of functions that are made from others."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

from course.diagnoses.evidence import LONGEST_CODE, WIDEST, Diagnosis, Evidence, called, code
from course.diagnoses.failure import GAVE
from course.diagnoses.kinds import FUNCTION_KINDS, kinds_of, kinds_written, signature_of
from course.form.given import members_of
from course.values import STUDENT_FUNCTION

WITH_A_KEY = ("min", "max", "sorted")
BOTH_FOLDS = ("fold_left", "fold_right")


# ------------------------------------------------------------------------------------------------ keys


def key_is_a_value(e: Evidence) -> Diagnosis | None:
    """Detect `min(rules, key=sum(rule(card) for card in hand))`, where `key` must be a function."""
    match = (
        e.raised(r"object is not callable|name '(\w+)' is not defined")
        if e.error in ("TypeError", "NameError")
        else None
    )
    for call, key in _keys(e) if match else ():
        free = [name for name in _names_in(key) if name not in e.known]
        if isinstance(key, ast.Call | ast.Compare | ast.BinOp) and len({*free}) == 1:
            says = f"`key` on line {call.lineno} needs a function, and `{code(key)}` is a value. Write:"
            return Diagnosis(says, f"key=lambda {free[0]}: {code(key, LONGEST_CODE)}")
    return None


def key_of_all(e: Evidence) -> Diagnosis | None:
    """Detect `sorted(hand, key=hand.value)`, where `key` must be a function of one card."""
    match = e.raised(r"'(?:tuple|list)' object has no attribute '(\w+)'") if e.error == "AttributeError" else None
    for call, key in _keys(e) if match else ():
        if isinstance(key, ast.Attribute) and call.args and code(key.value) == code(call.args[0]):
            says = f"`key` on line {call.lineno} needs a function, which is called with each item. Write:"
            return Diagnosis(says, f"key=lambda each: each.{key.attr}")
    return None


def _keys(e: Evidence) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Yield each call on the failed line that has a key, with the key."""
    for call in e.calls_here:
        if called(call) in WITH_A_KEY:
            yield from [(call, word.value) for word in call.keywords if word.arg == "key"]


def _names_in(node: ast.AST) -> list[str]:
    """Return the names that an expression reads, without those of its own loops."""
    own = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id not in own]


def key_for_a_sum(e: Evidence) -> Diagnosis | None:
    """Detect `sum(cards, key=card_value)`: `sum` has no `key`."""
    for call in e.calls_here if e.raised(r"'key' is an invalid keyword argument for sum") else ():
        if called(call) == "sum" and call.args:
            says = f"`sum` on line {call.lineno} has no `key`. First make a number of each item:"
            return Diagnosis(says, f"sum(map({code(call.keywords[0].value)}, {code(call.args[0], WIDEST)}))")
    return None


def order_without_a_key(e: Evidence) -> Diagnosis | None:
    """Detect `sorted(cards)`, and `<` between values that only a given function can compare."""
    match = e.raised(r"'[<>]=?' not supported between instances of '(\w+)' and '\1'")
    parts = [*getattr(e.given.types.get(match[1]), "__dataclass_fields__", ())] if match else []
    numbers = [part for part in parts if int in members_of(e.given.fields.get(part))]
    for call in e.calls_here if match else ():
        if called(call) in WITH_A_KEY and len(call.args) == 1 and not call.keywords and numbers:
            says = (
                f"Python cannot compare two `{match[1] if match else ''}`s. Pass a `key`, which says what to compare:"
            )
            return Diagnosis(says, f"{called(call)}({code(call.args[0], WIDEST)}, key=lambda each: each.{numbers[-1]})")
    return _with_a_given_order(e, match[1]) if match else None


def _with_a_given_order(e: Evidence, kind: str) -> Diagnosis | None:
    """Return the call of a given function that compares two values of a class."""
    for name, function in sorted(e.given.functions.items()):
        if _returns_bool(function) and [annotation for _, annotation in signature_of(e, name)] == [kind, kind]:
            for node in e.here:
                match node:
                    case ast.Compare(
                        left=left, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() as op], comparators=[right]
                    ):
                        one, other = (left, right) if isinstance(op, ast.Lt | ast.LtE) else (right, left)
                        says = f"Python cannot compare two `{kind}`s. There is a function that compares them:"
                        return Diagnosis(says, f"{name}({code(one)}, {code(other)})")
    return None


def _returns_bool(function: object) -> bool:
    try:
        return callable(function) and inspect.signature(function).return_annotation in (bool, "bool")
    except (TypeError, ValueError):
        return False


def items_for_their_number(e: Evidence) -> Diagnosis | None:
    """Detect `len(hand < 2)` and `floor >= 6`, which compare the items and not their number."""
    match = (
        e.raised(r"not supported between instances of '(?:tuple|list|str)' and 'int'")
        if e.error == "TypeError"
        else None
    )
    for node in e.here if match else ():
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=int()) as number]):
                what = (
                    "`len` must enclose only the items"
                    if called(e.parents.get(node)) == "len"
                    else "Python cannot compare a tuple with a number"
                )
                says = f"{what} on line {node.lineno}. To compare how many there are, write:"
                return Diagnosis(says, code(ast.Compare(ast.Name(f"len({code(left)})"), [op], [number]), WIDEST))
    return None


# ------------------------------------------------------------------------------------------------ items and numbers


def number_for_its_item(e: Evidence) -> Diagnosis | None:
    """Detect `min(cost(rule) for rule in rules)`, where the answer is the rule itself."""
    is_number = (e.failure.seen or "").isdigit() and not e.failure.wanted_code.isdigit()
    for node in e.all(ast.Return) if e.failure.did == GAVE and is_number and e.failure.wanted_code != "None" else ():
        match node.value:
            case ast.Call(
                func=ast.Name(id="min" | "max" as name),
                args=[ast.GeneratorExp(elt=elt, generators=[ast.comprehension(target=item, iter=items, ifs=[])])],
            ) if code(elt) != code(item):
                says = f"`{name}` on line {node.lineno} returns the number itself. For the item that it belongs to:"
                key = f"lambda {code(item)}: {code(elt, LONGEST_CODE)}"
                return Diagnosis(says, f"{name}({code(items)}, key={key})")
    return None


def item_for_its_number(e: Evidence) -> Diagnosis | None:
    """Detect `min(cards, key=penalty)`, where the answer is the penalty."""
    wanted, observed = e.failure.wanted_code, e.failure.seen or ""
    for node in e.all(ast.Return) if e.failure.did == GAVE and wanted.isdigit() and "(" in observed else ():
        match node.value:
            case ast.Call(func=ast.Name(id="min" | "max" as name), args=[items], keywords=words):
                key = next((word.value for word in words if word.arg == "key"), None)
                if isinstance(key, ast.Name):
                    rest = "".join(f", {word.arg}={code(word.value)}" for word in words if word.value is not key)
                    says = f"With a `key`, `{name}` on line {node.lineno} returns the item, and not its number. Write:"
                    return Diagnosis(says, f"{name}(map({key.id}, {code(items, WIDEST)}){rest})")
    return None


# ------------------------------------------------------------------------------------------------ folds


def step_that_tests(e: Evidence) -> Diagnosis | None:
    """Detect `fold_left(beats, …)`, where `beats` returns True or False."""
    for call in (
        e.all(ast.Call) if e.failure.seen in ("True", "False") or "'bool' object" in (e.failure.seen or "") else ()
    ):
        match call:
            case ast.Call(func=ast.Name(id="fold_left" | "fold_right" as fold), args=[ast.Name(id=test), start, _]):
                names = [name for name, _ in signature_of(e, test)]
                is_bool = test in e.given.functions and _returns_bool(e.given.functions[test])
                if is_bool and len(names) == 2 and "bool" not in kinds_written(e, start):
                    one, other = ("best", "card") if fold == "fold_left" else ("card", "best")
                    says = f"`{fold}` on line {call.lineno} passes on what `{test}` returns: True or False. "
                    step = f"lambda {one}, {other}: card if {test}(card, best) else best"
                    return Diagnosis(f"{says}Return the next result from the step:", step)
    return None


def pair_added(e: Evidence) -> Diagnosis | None:
    """Detect `states + (hand, player)` in the step of a fold, which should add the pair as one item."""
    steps = [
        e.functions.get(code(call.args[0])) for call in e.all(ast.Call) if called(call) in BOTH_FOLDS and call.args
    ]
    for step in filter(None, steps):
        for node in ast.walk(step):
            match node:
                case ast.BinOp(
                    left=ast.Name(id=items), op=ast.Add(), right=ast.Tuple(elts=[_, _, *_] as parts) as right
                ):
                    if not any(isinstance(part, ast.Starred) for part in parts) and e.failure.did == GAVE:
                        says = f"On line {node.lineno}, `+` adds {len(parts)} items. To add them as one item, write:"
                        return Diagnosis(says, f"(*{items}, {code(right, WIDEST)})")
    return None


# ------------------------------------------------------------------------------------------------ composed functions


def made_by_calling(e: Evidence) -> Diagnosis | None:
    """Detect `draw_two = draw(draw)` and `total_penalty = sum(penalties)` instead of a composition."""
    value = _value(e)
    if e.error not in ("TypeError", "AttributeError") or not e.requirements.is_called or value is None:
        return None
    match value:
        case ast.Call(func=ast.Name(id="compose"), args=[only]):
            parts = _composed(e, only)
        case _:
            parts = _composed(e, value)
    if not parts:
        return None
    says = f"Line {value.lineno} uses `{parts[0]}` now, but there is no value for it yet. To join functions, write:"
    return Diagnosis(says, f"compose({', '.join(parts)})")


def _composed(e: Evidence, node: ast.AST) -> list[str]:
    """Return the functions that an expression tries to join, or []."""
    match node:
        case ast.Call(func=ast.Name(id=one), args=[ast.Name(id=other)], keywords=[]) if _are_functions(e, node.args):
            return [one, other] if one not in (*WITH_A_KEY, "curry", "compose", "partial", "map", "filter") else []
        case ast.BinOp(op=ast.Mult(), left=ast.Name(id=one), right=ast.Constant(value=int(n))):
            return [one] * min(n, 4)
        case ast.BinOp(op=ast.Mult(), left=ast.Constant(value=int(n)), right=ast.Name(id=one)):
            return [one] * min(n, 4)
    return []


def _are_functions(e: Evidence, nodes: list[ast.expr]) -> bool:
    return all(kinds_written(e, node) >= FUNCTION_KINDS for node in nodes)


def _value(e: Evidence) -> ast.expr | None:
    """Return the expression that is assigned to the answer, or None if the answer is a `def`."""
    return next((top.value for top in reversed(e.tops) if isinstance(top, ast.Assign | ast.AnnAssign)), None)


def closed_too_late(e: Evidence) -> Diagnosis | None:
    """Detect `precedes(is_same_color(COLORS))`, where both should be arguments of `precedes`."""
    match _value(e):
        case ast.Call(
            func=ast.Name(id=outer), args=[ast.Call(func=ast.Name(id=inner), args=args, keywords=[]) as call]
        ):
            takes = [annotation for _, annotation in signature_of(e, outer)]
            is_for_function = bool(takes) and kinds_of(takes[0], e.requirements.module) >= FUNCTION_KINDS
            if is_for_function and len(args) < len(signature_of(e, inner)):
                says = f"Line {call.lineno} calls `{inner}`, but `{outer}` takes the function itself. Write:"
                return Diagnosis(says, f"{outer}({', '.join([inner, *map(code, args)])})")
    return None


def map_that_waits(e: Evidence) -> Diagnosis | None:
    """Detect `compose(sum, map(penalty))`, where `map` lacks its items."""
    for call in e.all(ast.Call) if e.raised(r"map\(\) must have at least two arguments") else ():
        if called(call) == "map" and len(call.args) == 1:
            says = f"`map` on line {call.lineno} also needs the items. To make a function that takes them later, write:"
            return Diagnosis(says, f"partial(map, {code(call.args[0])})")
    return None


def made_and_not_called(e: Evidence) -> Diagnosis | None:
    """Detect `def total(hand): return compose(sum, penalties)`, which returns a function and not a total."""
    is_function = (
        e.failure.seen == STUDENT_FUNCTION
        or "(Compose(" in (e.failure.seen or "")
        or "Compose(" in (e.failure.seen or "")[:9]
    )
    for node in e.all(ast.Return) if e.failure.did == GAVE and is_function and len(e.parameters) == 1 else ():
        is_made = called(node.value) in ("compose", "partial", *e.requirements.exercises)
        if is_made and not any(isinstance(arg, ast.Call) for arg in node.value.args):
            says = f"Line {node.lineno} returns a function that was made and not called. Call it:"
            return Diagnosis(says, f"return {code(node.value, WIDEST)}({e.parameters[0]})")
    return None


def named_and_not_called(e: Evidence) -> Diagnosis | None:
    """Detect `return check_winner`, where the function should be called."""
    observed = e.failure.seen or ""
    for node in e.all(ast.Return) if not e.failure.line else ():
        name = code(node.value) if isinstance(node.value, ast.Name) else ""
        is_function = (
            STUDENT_FUNCTION in observed or "function" in observed or bool(re.match(rf"\(?{name}\b", observed))
        )
        if is_function and name in e.requirements.exercises - e.bound:
            same = next((code(call, WIDEST) for call in e.all(ast.Call) if called(call) == name), f"{name}(…)")
            return Diagnosis(f"Line {node.lineno} returns the function `{name}` itself. Call it:", f"return {same}")
    return None


def condition_called_at_once(e: Evidence) -> Diagnosis | None:
    """Detect `find(equal(first) or equal(second), items)`, where `or` returns the first function."""
    missing = e.raised(r"missing 1 required positional argument") if e.error == "TypeError" else None
    for call in e.calls_here if missing else ():
        if called(call) in ("find", "filter") and call.args and isinstance(call.args[0], ast.BoolOp):
            parts = [each for each in call.args[0].values if isinstance(each, ast.Call) and len(each.args) == 1]
            if parts == call.args[0].values:
                word = " or " if isinstance(call.args[0].op, ast.Or) else " and "
                tests = word.join(f"{code(each.func)}(each, {code(each.args[0])})" for each in parts)
                says = f"`{called(call)}` on line {call.lineno} needs a function of one item. Write:"
                return Diagnosis(says, f"lambda each: {tests}")
    return None


# ------------------------------------------------------------------------------------------------ collections, chance


def several_for_one_collection(e: Evidence) -> Diagnosis | None:
    """Detect `set(deck, floor, hand)`, where `set` takes one collection."""
    match = e.raised(r"^(set|frozenset|tuple|list) expected at most 1 argument") if e.error == "TypeError" else None
    for call in e.calls_here if match else ():
        if match and called(call) == match[1] and len(call.args) > 1:
            says = f"`{match[1]}` on line {call.lineno} takes one collection. Join them first:"
            return Diagnosis(says, f"{match[1]}({' + '.join(code(each, WIDEST) for each in call.args)})")
    return None


def other_chance_each_time(e: Evidence) -> Diagnosis | None:
    """Detect `items[random_below(n)], items[: random_below(n)]`, which should use the same random number."""
    sources = [name for name in e.given.functions if re.search("random|choose|shuffle", name)]
    for block in _straight_blocks(e):
        calls = [node for part in block for node in _shallow(part) if called(node) in sources]
        twice = next((each for each in calls if [*map(code, calls)].count(code(each)) > 1), None)
        if twice is not None and e.failure.did == GAVE:
            says = f"The answer calls `{code(twice)}` more than once, and gets another result each time. Name it once:"
            return Diagnosis(says, f"chosen = {code(twice, WIDEST)}")
    return None


def _straight_blocks(e: Evidence) -> Iterator[list[ast.stmt]]:
    """Yield the simple statements of each block."""
    compound = (ast.If, ast.Match, ast.For, ast.While, ast.FunctionDef)
    for node in e.nodes:
        if isinstance(block := getattr(node, "body", None), list):
            yield [each for each in block if isinstance(each, ast.stmt) and not isinstance(each, compound)]


def _shallow(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement that always run together.

    Nodes inside a lambda or in one branch do not.
    """
    if not isinstance(node, ast.Lambda | ast.IfExp):
        yield node
        for inner in ast.iter_child_nodes(node):
            yield from _shallow(inner)


def item_repeated(e: Evidence) -> Diagnosis | None:
    """Detect `card * 2` instead of two copies of the card."""
    match = e.raised(r"type\(s\) for \*: '(\w+)' and 'int'") if e.error == "TypeError" else None
    for node in e.here if match and match[1] in e.given.types else ():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            says = f"`*` on line {node.lineno} repeats a tuple, but not a single value. Make a tuple with one item:"
            return Diagnosis(says, f"({code(node.left)},) * {code(node.right)}")
    return None


def nothing_to_draw_from(e: Evidence) -> Diagnosis | None:
    """Detect `choose(items)` in a recursion without a case for an empty tuple."""
    for call in e.calls_here if e.error == "ValueError" and e.raised("needs a number of at least 1") else ():
        match call:
            case ast.Call(func=ast.Name(), args=[ast.Name(id=items)]) if items in e.parameters:
                says = f"If `{items}` is empty, `{code(call)}` on line {call.lineno} has nothing to choose. Begin with:"
                return Diagnosis(says, f"if not {items}:\n    return …")
    return None


def item_for_the_others(e: Evidence) -> Diagnosis | None:
    """Detect `stock[:n], stock[n]` instead of `stock[n:]`, if there is no such item."""
    texts = [code(node) for node in e.all(ast.Subscript)]
    for node in e.here if e.error == "IndexError" else ():
        match node:
            case ast.Subscript(value=ast.Name(id=items), slice=ast.Name(id=index)) if (
                f"{items}[:{index}]" in texts and f"{items}[{index} + 1:]" not in texts
            ):
                says = f"`{code(node)}` on line {node.lineno} is one item. For this item and all after it, write:"
                return Diagnosis(says, f"{items}[{index}:]")
    return None


def loop_of_two_names(e: Evidence) -> Diagnosis | None:
    """Detect `for number, seed in seeds`, where each item is one number."""
    for node in e.here if e.raised("cannot unpack non-iterable int") else ():
        for loop in getattr(node, "generators", [node]):
            match loop:
                case (
                    ast.comprehension(target=ast.Tuple(elts=[_, _]), iter=ast.Name())
                    | ast.For(target=ast.Tuple(elts=[_, _]), iter=ast.Name())
                ):
                    says = f"Each item of `{code(loop.iter)}` is one number, but the loop has two names for it. "
                    way = f"for {code(loop.target).strip('()')} in enumerate({code(loop.iter)})"
                    return Diagnosis(f"{says}If the first is to count, write:", way)
    return None


CHOOSING = (
    key_is_a_value,
    key_of_all,
    key_for_a_sum,
    order_without_a_key,
    items_for_their_number,
    number_for_its_item,
    item_for_its_number,
    step_that_tests,
    made_by_calling,
    closed_too_late,
    map_that_waits,
    made_and_not_called,
    named_and_not_called,
    condition_called_at_once,
    several_for_one_collection,
    other_chance_each_time,
    item_repeated,
    nothing_to_draw_from,
    item_for_the_others,
    loop_of_two_names,
    pair_added,
)
