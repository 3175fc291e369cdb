"""Diagnoses of `min`, `max`, `sorted` and folds, and of functions that are made from others."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

from course.diagnoses.evidence import LONGEST_CODE, WIDEST, Diagnosis, Evidence, called, code
from course.diagnoses.failure import GAVE
from course.diagnoses.kinds import kinds_written, parts_of, signature_of
from course.form.given import members_of
from course.values import STUDENT_FUNCTION

WITH_A_KEY = ("min", "max", "sorted")


BOTH_FOLDS = ("fold_left", "fold_right")


# ------------------------------------------------------------------------------------------------ keys


def body_without_lambda(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `map(len(card), cards)`, `key=sum(rule(card) for card in hand)` and `key=value`, without a `lambda`."""
    match = e.raised(r"name '(\w+)' is not defined|object is not callable", "NameError", "TypeError")
    is_own = e.failure.label in ("", e.requirements.name)  # in a helper, other names are known
    for call in e.calls_here if match and is_own else ():
        functions = call.args[:1] if called(call) in ("map", "filter") else []
        for body in [*functions, *(word.value for word in call.keywords if word.arg == "key")]:
            unknown = {node.id for node in ast.walk(body) if isinstance(node, ast.Name)} - e.known
            name = unknown.pop() if len(unknown) == 1 else ""
            is_part = code(body) == name and name in e.given.fields
            is_misspelt = name in (called(body), code(body)) and not is_part
            if name and not is_misspelt and not isinstance(body, ast.Lambda):
                yield Diagnosis(
                    f"`{called(call)}` on line {call.lineno} needs a function, and `{code(body)}` is a value. Write:",
                    f"lambda each: each.{name}" if is_part else f"lambda {name}: {code(body, LONGEST_CODE)}",
                )


def order_without_a_key(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `sorted(cards)`, and `<` between values that only a given function can compare."""
    match = e.raised(r"'[<>]=?' not supported between instances of '(\w+)' and '\1'")
    parts = parts_of(e, match[1]) if match else []
    numbers = [part for part in parts if int in members_of(e.given.fields.get(part))]
    for call in e.calls_here if match else ():
        if called(call) in WITH_A_KEY and len(call.args) == 1 and not call.keywords and numbers:
            yield Diagnosis(
                f"Python cannot compare two `{match[1] if match else ''}`s. Pass a `key`, which says what to compare:",
                f"{called(call)}({code(call.args[0], WIDEST)}, key=lambda each: each.{numbers[-1]})",
            )
    if match:
        yield from _with_a_given_order(e, match[1])


def _with_a_given_order(e: Evidence, kind: str) -> Iterator[Diagnosis]:
    """Return the call of a given function that compares two values of a class."""
    for name, function in sorted(e.given.functions.items()):
        if _returns_bool(function) and [annotation for _, annotation in signature_of(e, name)] == [kind, kind]:
            for node in e.here:
                match node:
                    case ast.Compare(
                        left=left, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() as op], comparators=[right]
                    ):
                        one, other = (left, right) if isinstance(op, ast.Lt | ast.LtE) else (right, left)
                        yield Diagnosis(
                            f"Python cannot compare two `{kind}`s. There is a function that compares them:",
                            f"{name}({code(one)}, {code(other)})",
                        )


def _returns_bool(function: object) -> bool:
    try:
        return callable(function) and inspect.signature(function).return_annotation in (bool, "bool")
    except (TypeError, ValueError):
        return False


def items_for_their_number(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `len(hand < 2)` and `floor >= 6`, which compare the items and not their number."""
    match = e.raised(r"not supported between instances of '(?:tuple|list|str)' and 'int'", "TypeError")
    for node in e.here if match else ():
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=int()) as number]):
                what = (
                    "`len` must enclose only the items"
                    if called(e.parents.get(node)) == "len"
                    else "Python cannot compare a tuple with a number"
                )
                yield Diagnosis(
                    f"{what} on line {node.lineno}. To compare how many there are, write:",
                    code(ast.Compare(ast.Name(f"len({code(left)})"), [op], [number]), WIDEST),
                )


def number_for_its_item(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `min(cost(rule) for rule in rules)`, where the answer is the rule itself."""
    is_number = (e.failure.seen or "").isdigit() and not e.failure.wanted_code.isdigit()
    for node in e.all(ast.Return) if e.failure.did == GAVE and is_number and e.failure.wanted_code != "None" else ():
        match node.value:
            case ast.Call(
                func=ast.Name(id="min" | "max" as name),
                args=[ast.GeneratorExp(elt=elt, generators=[ast.comprehension(target=item, iter=items, ifs=[])])],
            ) if code(elt) != code(item):
                key = f"lambda {code(item)}: {code(elt, LONGEST_CODE)}"
                yield Diagnosis(
                    f"`{name}` on line {node.lineno} returns the number itself. For the item that it belongs to:",
                    f"{name}({code(items)}, key={key})",
                )


def item_for_its_number(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `min(cards, key=penalty)`, where the answer is the penalty."""
    wanted, observed = e.failure.wanted_code, e.failure.seen or ""
    for node in e.all(ast.Return) if e.failure.did == GAVE and wanted.isdigit() and "(" in observed else ():
        match node.value:
            case ast.Call(func=ast.Name(id="min" | "max" as name), args=[items], keywords=words):
                key = next((word.value for word in words if word.arg == "key"), None)
                if isinstance(key, ast.Name):
                    rest = "".join(f", {word.arg}={code(word.value)}" for word in words if word.value is not key)
                    yield Diagnosis(
                        f"With a `key`, `{name}` on line {node.lineno} returns the item, and not its number. Write:",
                        f"{name}(map({key.id}, {code(items, WIDEST)}){rest})",
                    )


# ------------------------------------------------------------------------------------------------ folds


def step_that_tests(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `fold_left(beats, …)`, where `beats` returns True or False."""
    for call in (
        e.all(ast.Call) if e.failure.seen in ("True", "False") or "'bool' object" in (e.failure.seen or "") else ()
    ):
        match call:
            case ast.Call(func=ast.Name(id="fold_left" | "fold_right" as fold), args=[ast.Name(id=test), start, _]):
                names = [name for name, _ in signature_of(e, test)]
                is_bool = test in e.given.functions and _returns_bool(e.given.functions[test])
                if is_bool and len(names) == 2 and "bool" not in kinds_written(e, start):
                    item = e.in_words("item")
                    one, other = ("best", item) if fold == "fold_left" else (item, "best")
                    yield Diagnosis(
                        f"`{fold}` on line {call.lineno} passes on what `{test}` returns: True or False. Return the "
                        "next result from the step:",
                        f"lambda {one}, {other}: {item} if {test}({item}, best) else best",
                    )


def pair_added(e: Evidence) -> Iterator[Diagnosis]:
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
                        yield Diagnosis(
                            f"On line {node.lineno}, `+` adds {len(parts)} items. To add them as one item, write:",
                            f"(*{items}, {code(right, WIDEST)})",
                        )


def made_and_not_called(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `def total(hand): return compose(sum, penalties)`, which returns a function and not a total."""
    is_function = (
        e.failure.seen == STUDENT_FUNCTION
        or "(Compose(" in (e.failure.seen or "")
        or "Compose(" in (e.failure.seen or "")[:9]
    )
    for node in e.all(ast.Return) if e.failure.did == GAVE and is_function and len(e.parameters) == 1 else ():
        is_made = called(node.value) in ("compose", "partial", *e.requirements.exercises)
        if is_made and not any(isinstance(arg, ast.Call) for arg in node.value.args):
            yield Diagnosis(
                f"Line {node.lineno} returns a function that was made and not called. Call it:",
                f"return {code(node.value, WIDEST)}({e.parameters[0]})",
            )


def named_and_not_called(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `return check_winner`, where the function should be called."""
    observed = e.failure.seen or ""
    for node in e.all(ast.Return) if not e.failure.line else ():
        name = code(node.value) if isinstance(node.value, ast.Name) else ""
        is_function = (
            STUDENT_FUNCTION in observed or "function" in observed or bool(re.match(rf"\(?{name}\b", observed))
        )
        if is_function and name in e.requirements.exercises - e.bound:
            same = next((code(call, WIDEST) for call in e.all(ast.Call) if called(call) == name), f"{name}(…)")
            yield Diagnosis(f"Line {node.lineno} returns the function `{name}` itself. Call it:", f"return {same}")


def condition_called_at_once(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `find(equal(first) or equal(second), items)`, where `or` returns the first function."""
    missing = e.raised(r"missing 1 required positional argument", "TypeError")
    for call in e.calls_here if missing else ():
        if called(call) in ("find", "filter") and call.args and isinstance(call.args[0], ast.BoolOp):
            parts = [each for each in call.args[0].values if isinstance(each, ast.Call) and len(each.args) == 1]
            if parts == call.args[0].values:
                word = " or " if isinstance(call.args[0].op, ast.Or) else " and "
                tests = word.join(f"{code(each.func)}(each, {code(each.args[0])})" for each in parts)
                yield Diagnosis(
                    f"`{called(call)}` on line {call.lineno} needs a function of one item. Write:",
                    f"lambda each: {tests}",
                )


def number_in_a_composition(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `compose(sum, penalty)`, where the function that is called first returns a number."""
    is_number = e.raised("'int' object is not iterable", "TypeError")
    match e.value if is_number and not e.failure.line else None:
        case ast.Call(func=ast.Name(id="compose"), args=[*_, ast.Name(id=outer), ast.Name(id=inner)]):
            yield Diagnosis(
                f"`compose` calls `{inner}` first, and then `{outer}` with its result. This is a number, but"
                f" `{outer}` needs items. Which function returns a tuple?"
            )


# ------------------------------------------------------------------------------------------------ collections, chance


def other_chance_each_time(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `items[random_below(n)], items[: random_below(n)]`, which should use the same random number."""
    sources = [name for name in e.given.functions if re.search("random|choose|shuffle", name)]
    for block in _straight_blocks(e):
        calls = [node for part in block for node in _shallow(part) if called(node) in sources]
        twice = next((each for each in calls if [*map(code, calls)].count(code(each)) > 1), None)
        if twice is not None and e.failure.did == GAVE:
            yield Diagnosis(
                f"The answer calls `{code(twice)}` more than once, and gets another result each time. Name it once:",
                f"chosen = {code(twice, WIDEST)}",
            )


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


CHOOSING = (
    body_without_lambda,
    order_without_a_key,
    items_for_their_number,
    number_for_its_item,
    item_for_its_number,
    step_that_tests,
    number_in_a_composition,
    made_and_not_called,
    named_and_not_called,
    condition_called_at_once,
    other_chance_each_time,
    pair_added,
)
