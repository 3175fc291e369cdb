"""Diagnoses of values that are never returned, of the learner's `raise`, and of code that never ends or never runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from types import EllipsisType

from course.diagnoses.evidence import (
    CORRECTION_WIDTH,
    EXAMPLE_WIDTH,
    Diagnosis,
    Evidence,
    body_of,
    called_name,
    code,
    own_nodes,
    positional_parameters,
    with_article,
)
from course.diagnoses.failure import RAISED, SLOW, ExpectedException
from course.form.reading import MUTATORS
from course.syntax import expression_of

FUNCTIONS_WITH_EFFECTS = ("print", "input", "input_valid", *MUTATORS)
PURE_FUNCTIONS = (
    "sorted",
    "replace",
    "tuple",
    "reversed",
    "map",
    "filter",
    "len",
    "sum",
    "recur",
    "fold_left",
    "fold_right",
)
BLOCK_END_WORDS = {ast.Return: "return", ast.Raise: "raise", ast.Break: "break", ast.Continue: "continue"}
HARMLESS_STATEMENTS = (
    ast.Raise,
    ast.Pass,
    ast.Break,
    ast.Continue,
)  # below a `return`, for example as a rest of the stub


# ------------------------------------------------------------------------------------------------ no value at the end


def print_instead_of_return(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an answer that is printed and not returned."""
    prints = [node for node in e.all(ast.Call) if called_name(node) == "print"]
    if prints and e.prints and e.returned_none and not isinstance(e.failure.wanted, ExpectedException):
        yield Diagnosis(
            f"Line {prints[-1].lineno} prints the result, but the function returns nothing. Write `return` instead of "
            "`print`."
        )


def branch_without_return(e: Evidence) -> Iterator[Diagnosis]:
    """Detect branches of the function that return nothing."""
    if e.function is None or not e.returned_none:
        return
    nodes, endings = [*own_nodes(e.function)], body_of(e.function)[-1:]
    returns = [node for node in nodes if isinstance(node, ast.Return)]
    if empty := next((node for node in returns if node.value is None), None):
        yield Diagnosis(f"The `return` on line {empty.lineno} has no value. What must the function return there?")
    if not returns:
        yield Diagnosis("The function returns nothing. It must end with `return` and the result.")
    if any(isinstance(node.value, ast.Constant) and node.value.value is None for node in returns):
        return
    for node in nodes:
        around = [outer for outer in e.ancestors(node) if isinstance(outer, (ast.If, ast.Match))]
        if not {node, *around}.intersection(endings):
            continue  # the function does not end here
        match node:
            case ast.Match(cases=cases) if not any(
                case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
                for case in cases
            ):
                yield Diagnosis(
                    f"No case of the `match` on line {node.lineno} fits, so nothing is returned. Which case is "
                    "missing?",
                    "case _:\n    return …",
                )
            case ast.If(orelse=[]):
                yield Diagnosis(
                    f"If the condition on line {node.lineno} is false, nothing is returned. What must the "
                    "function return then?"
                )


def missing_return_at_end(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a last line that computes a value and does not return it."""
    if e.function and e.returned_none:
        yield from _diagnose_unreturned_value(e.function, "the function")


def missing_return_in_helper(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a local or recursive function that returns None, because its last line only computes a value."""
    observed, wanted = (expression_of(text) for text in (e.failure.seen or "", e.failure.wanted_code))
    has_lost_none = e.returned_none or _count_none(observed) > _count_none(wanted)
    if e.failure.did == RAISED:
        has_lost_none = "NoneType" in (e.failure.seen or "")
    calls = {node.func: node for node in e.all(ast.Call)}
    loads = [node for node in e.all(ast.Name) if isinstance(node.ctx, ast.Load)]
    used = {use.id for use in loads if not isinstance(e.parents.get(calls.get(use, use)), ast.Expr)}
    for node in e.all(ast.FunctionDef) if has_lost_none else ():
        if (node is not e.function or e.failure.did == RAISED) and node.name in used:
            yield from _diagnose_unreturned_value(node, f"`{node.name}`")


def _count_none(node: ast.expr | None) -> int:
    return sum(isinstance(n, ast.Constant) and n.value is None for n in ast.walk(node)) if node else 0


def _diagnose_unreturned_value(function: ast.FunctionDef, subject: str) -> Iterator[Diagnosis]:
    """Yield a message about a last line that computes or assigns a value, but does not return it."""
    for statement in _last_statements(body_of(function)):
        match statement:
            case ast.Expr(value=ast.Constant(value=str() | EllipsisType()) | ast.Call(func=ast.Name(id="print"))):
                pass
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=method))) if method in MUTATORS:
                pass
            case ast.Expr(value=value):
                yield Diagnosis(
                    f"Line {statement.lineno} computes a value, but {subject} never returns it. Add `return`:",
                    f"return {code(value, CORRECTION_WIDTH)}",
                )
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield Diagnosis(
                    f"Line {statement.lineno} assigns `{name}`, but {subject} never returns it. Add:", f"return {name}"
                )


def _last_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that a function may end with."""
    match body[-1:]:
        case [ast.If(body=one, orelse=other)]:
            yield from _last_statements(one)
            yield from _last_statements(other)
        case [ast.Match(cases=cases)]:
            for case in cases:
                yield from _last_statements(case.body)
        case _:
            yield from body[-1:]


# ------------------------------------------------------------------------------------------------ on the way


def ignored_result_of_own_function(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `put(only)` instead of `return put(only)`.

    In the example `put(only)`, `put` is the learner's own function and only computes a value.
    """
    for node in e.all(ast.Expr):
        function = e.functions.get(called_name(node.value))
        if isinstance(function, ast.FunctionDef) and isinstance(node.value.func, ast.Name) and _only_computes(function):
            says = f"Line {node.lineno} ignores the result of `{called_name(node.value)}`."
            if any(isinstance(outer, ast.For | ast.While) for outer in e.ancestors(node)):
                yield Diagnosis(f"{says} Assign the result to a name, or return it.")
            yield Diagnosis(f"{says} To return it, write:", f"return {code(node.value, CORRECTION_WIDTH)}")


def _only_computes(function: ast.FunctionDef) -> bool:
    """Return whether a function returns a value and has no other effect."""
    nodes = list(ast.walk(function))
    returns = any(isinstance(n, ast.Return) and n.value is not None for n in own_nodes(function))
    acting = {*FUNCTIONS_WITH_EFFECTS, *(arg.arg for arg in positional_parameters(function))}
    has_effects = any(called_name(n) in acting or isinstance(n, ast.Raise | ast.Global) for n in nodes)
    return returns and not has_effects


def unused_copy(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a method call that only makes a changed copy, such as `text.upper()`, if nothing uses the copy."""
    for node in e.all(ast.Expr):
        match node.value:
            case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if attr in e.given.methods:
                yield Diagnosis(
                    f"Line {node.lineno} makes a changed copy of `{code(owner)}`, but nothing uses the copy. Write:",
                    f"{code(owner)} = {code(node.value, EXAMPLE_WIDTH)}",
                )


def unused_value(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a value that is computed and not used.

    The diagnosis may be wrong for a call such as `sorted(cards, key=f)`, because `f` may print.
    """
    for node in e.all(ast.Expr):
        name = called_name(node.value)
        source = ""
        if name == "recur":
            yield Diagnosis(f"`recur` on line {node.lineno} has no effect by itself. Write `return recur(…)`.")
        match node.value:
            case ast.Call(args=args) if name in PURE_FUNCTIONS and name not in {*e.functions, *e.parameters}:
                source = code(args[0]) if args else "…"
            case ast.BinOp(left=left):
                source = code(left)
        if source and e.parents.get(node) is not None:
            yield Diagnosis(
                f"Line {node.lineno} computes a value, but nothing uses it. Assign it to a name, or `return` it:",
                f"{source if source.isidentifier() else 'result'} = {code(node.value, CORRECTION_WIDTH)}",
            )


# ------------------------------------------------------------------------------------------------ own exceptions


def wrong_exception_raised(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a `raise` with a wrong exception, or with the right exception and wrong arguments."""
    line, wanted = _raise_statement(e), e.failure.wanted
    if line is None or not isinstance(wanted, ExpectedException):
        return
    passed = [name for name, kind in e.requirements.parameters if kind == "Exception" and name in e.parameters]
    if len(passed) == 1 and code(line.exc or line) != passed[0]:
        yield Diagnosis(
            f"Line {e.failure.line} raises `{e.error}`, but it must raise the exception that is passed as "
            f"`{passed[0]}`. Write:",
            f"raise {passed[0]}",
        )
    if wanted.kind != e.error:
        kind = with_article(wanted.kind)
        yield Diagnosis(f"The function is right to raise an exception here, but the exception must be {kind}.")
    made = [call for call in e.all(ast.Call) if called_name(call) == e.error][-1:]
    if isinstance(line.exc, ast.Name) and line.exc.id == e.error:
        yield Diagnosis(
            f"Line {e.failure.line} raises the right exception, but without the arguments that the statement shows. "
            "Write:",
            f"raise {code(made[0], CORRECTION_WIDTH) if made else f'{e.error}(…)'}",
        )
    yield Diagnosis(
        f"`{e.error}` is the right exception, but its message or its arguments are wrong. Copy them from the statement."
    )


def raise_instead_of_none(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a `raise` in a case where the right result is None."""
    if _raise_statement(e) is None or not isinstance(e.failure.wanted, str):
        return
    if {*e.failure.wanted.strip("()").replace(",", " ").split()} == {"None"}:  # of one call, or of several
        yield Diagnosis(
            f"Line {e.failure.line} raises `{e.error}`, but the function must return `None` here. Write:", "return None"
        )


def _raise_statement(e: Evidence) -> ast.Raise | None:
    """Return the `raise` that raised the exception, or None. The `raise` in an exercise's stub does not count."""
    for node in e.nodes_on_line if e.error != "NotImplementedError" else ():
        match node:
            case ast.Raise(exc=ast.Call() as made) if called_name(made) == e.error:
                return node
            case ast.Raise(exc=ast.Name()) if e.error not in ("NameError", "UnboundLocalError", "TypeError"):
                return node  # any class may be right
    return None


# ------------------------------------------------------------------------------------------------ never runs or ends


def unreachable_line(e: Evidence) -> Iterator[Diagnosis]:
    """Detect lines that never run, because a `return`, `raise`, `break` or `continue` is above them in the block."""
    blocks = [getattr(node, name, None) for node in e.nodes for name in ("body", "orelse")]
    for leaving, after in (pair for block in blocks if isinstance(block, list) for pair in pairwise(block)):
        is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        if type(leaving) in BLOCK_END_WORDS and not isinstance(after, HARMLESS_STATEMENTS) and not is_text:
            word = BLOCK_END_WORDS[type(leaving)]
            yield Diagnosis(
                f"Line {after.lineno} never runs, because line {leaving.lineno} is a `{word}`. Move one of "
                "the two lines, or change its indentation."
            )


def return_in_first_round(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a loop that ends in its first round, because its last statement is a `return`."""
    for loop in e.all(ast.For, ast.While):
        last = loop.body[-1]
        if isinstance(last, ast.Return) and not any(isinstance(node, ast.Continue) for node in ast.walk(loop)):
            yield Diagnosis(
                f"The `return` on line {last.lineno} is inside the loop, so the loop stops after one round. To put "
                "the `return` after the loop, indent the `return` less."
            )


def endless_loop_or_recursion(e: Evidence) -> Iterator[Diagnosis]:
    """Detect calls or loops that never end."""
    if e.error != "RecursionError" and e.failure.did is not SLOW:
        return
    for loop in e.all(ast.While):
        if unchanged := _unchanged_names(loop):
            names = " or ".join(f"`{name}`" for name in unchanged)
            yield Diagnosis(
                f"The loop on line {loop.lineno} never changes {names}, so it never ends. The loop must change a value "
                "that its condition uses."
            )
    could_be_a_tail_call = True
    for name, function in e.functions.items():
        inside = [node for part in body_of(function) for node in ast.walk(part)]
        again = [node for node in own_nodes(function) if called_name(node) == "recur"]
        again += [node for node in inside if called_name(node) == name]
        could_be_a_tail_call = could_be_a_tail_call and len(again) < 2
        same = [arg.arg for arg in positional_parameters(function)]
        for call in again:
            if same and isinstance(call, ast.Call) and [code(arg) for arg in call.args] == same:
                yield Diagnosis(
                    f"`{code(call)}` on line {call.lineno} calls the function again with the same arguments."
                    " Which argument must change?"
                )
    if e.error == "RecursionError":
        says = (
            "The calls are nested too deeply. Which argument gets smaller with every call, and which case ends "
            "the recursion?"
        )
        more = (
            " If an argument gets smaller and a case ends the recursion, use `@tail_recursive` and `return recur(…)`."
        )
        yield Diagnosis(says + more * could_be_a_tail_call)
    yield Diagnosis(
        "The function does not end. Which value changes with every round or call, and which condition stops "
        "the function?"
    )


def _unchanged_names(loop: ast.While) -> list[str]:
    """Return the names that a loop's condition reads and its body never changes; () if the loop may end."""
    body, test = [n for part in loop.body for n in ast.walk(part)], [*ast.walk(loop.test)]
    if any(isinstance(node, (ast.Break, ast.Return, ast.Raise)) for node in body):
        return []
    functions = {id(node.func) for node in test if isinstance(node, ast.Call)}
    names = [node.id for node in test if isinstance(node, ast.Name) and id(node) not in functions]
    stored = {node.id for node in body if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    passed = [node for call in body if isinstance(call, ast.Call) for node in ast.walk(call)]
    touched = {node.id for node in passed if isinstance(node, ast.Name)}
    has_effects = any(isinstance(node, ast.Call) and called_name(node) not in ("len", "range") for node in test)
    return [] if {*names} & (stored | touched) or has_effects else [*dict.fromkeys(names)]
