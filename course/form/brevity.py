"""Rules about code that could be shorter: lambdas that only call a function, chains of `if`, very long answers."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil

from course.form.reading import Reading, Violation, called_function, text
from course.syntax import unparsed

KIND, VALUE = "kind of", "value of"
REPETITIONS = {KIND: 2, VALUE: 3}  # conditions that test the same
INNER_BLOCKS = ast.stmt, ast.match_case, ast.excepthandler
FORMATTED_WIDTH = 88  # columns of a line


def wrapped_lambda(reading: Reading) -> Iterator[Violation]:
    """Find lambdas that only pass all their arguments, in order, to a function."""
    for node in reading.all(ast.Lambda):
        call, args = node.body, node.args
        if not isinstance(call, ast.Call) or args.kwonlyargs or args.kwarg or args.defaults or call.keywords:
            continue
        taken = [a.arg for a in (*args.posonlyargs, *args.args)] + ([f"*{args.vararg.arg}"] if args.vararg else [])
        own = {name.lstrip("*") for name in taken}
        names = {name.id for name in ast.walk(call.func) if isinstance(name, ast.Name)}
        if [text(arg) for arg in call.args] == taken and names and not names & own and _is_plain(call.func):
            what, instead = text(node), text(call.func)
            yield Violation(
                node,
                f"`{what}` only calls `{instead}`, which is already a function",
                "write the function itself",
                f"{instead}\n# instead of {what}",
            )


def _is_plain(node: ast.expr) -> bool:
    """Return whether an expression is a name, a dotted name, or a call of one."""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name)


def if_chains(reading: Reading) -> Iterator[Violation]:
    """Find chains of `if`s that test the same value again and again."""
    chained: set[ast.AST] = set()
    for body in _bodies(reading):
        for index, statement in enumerate(body):
            if isinstance(statement, ast.If) and statement not in chained:
                links = [*_links(body[index:])]
                chained.update(links)
                yield from _judged(links)
    for node in reading.all(ast.IfExp):
        if not isinstance(reading.parents.get(node), ast.IfExp):
            yield from _judged([*_nested(node)])


def _judged(links: Sequence[ast.If | ast.IfExp]) -> Iterator[Violation]:
    """Yield a finding if many conditions test one subject. Tests of its kind come before tests of its value."""
    counts = Counter(tested for link in links for tested in dict.fromkeys(_tested(link.test)))
    for (what, subject), count in sorted(counts.items(), key=lambda item: item[0][0] != KIND):
        if count >= REPETITIONS[what]:
            why = f"{count} conditions test the {what} `{subject}`; one `match` can do it"
            yield Violation(links[0], why, "take it apart with `match`", f"match {subject}:\n    case …:")
            return


def _bodies(reading: Reading) -> Iterator[list[ast.stmt]]:
    """Yield the lists of statements that contain an `if`."""
    around = {reading.parents.get(node) for node in reading.all(ast.If)}
    for node in filter(around.__contains__, reading.nodes):
        for name in ("body", "orelse", "finalbody"):
            part = getattr(node, name, None)
            if isinstance(part, list) and any(isinstance(statement, ast.If) for statement in part):
                yield part


def _links(body: list[ast.stmt]) -> Iterator[ast.If]:
    """Yield an `if` with its `elif`s.

    If it leaves the function, the next `if` belongs to the chain, too.
    """
    for statement in body:
        if not isinstance(statement, ast.If):
            return
        link: ast.stmt | None = statement
        while isinstance(link, ast.If):
            yield link
            leaves = isinstance(link.body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))
            link = link.orelse[0] if link.orelse else None
        if not leaves or statement.orelse:
            return


def _nested(node: ast.expr) -> Iterator[ast.IfExp]:
    while isinstance(node, ast.IfExp):
        yield node
        node = node.orelse


def _tested(test: ast.expr) -> Iterator[tuple[str, str]]:
    """Yield what a condition, or each part of it, tests: the class of a value, or whether it equals a constant."""
    match test:
        case ast.BoolOp(values=parts):
            for part in parts:
                yield from _tested(part)
        case ast.UnaryOp(op=ast.Not(), operand=part):
            yield from _tested(part)
        case (
            ast.Call(func=ast.Name(id="isinstance"), args=[subject, _])
            | ast.Compare(left=ast.Call(func=ast.Name(id="type"), args=[subject]), ops=[ast.Is() | ast.Eq()])
        ):
            yield KIND, text(subject)
        case ast.Compare(left=subject, ops=[ast.Eq() | ast.Is()], comparators=[other]) if _is_fixed(other):
            if called_function(subject) != "type" and not _is_fixed(subject):
                yield VALUE, text(subject)


def _is_fixed(node: ast.expr) -> bool:
    """Return whether an expression is a literal or looks like a constant (`RED`, `Suit.HEARTS`)."""
    match node:
        case ast.Constant() | ast.Tuple(elts=[]):
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.isupper()
    return False


def length(reading: Reading) -> Iterator[Violation]:
    """Find an answer that is more than twice as long as a typical one, and more than eight lines longer."""
    name, lines, typical = reading.requirements.name, _size(reading), reading.requirements.typical_lines
    if lines > max(2 * typical, typical + 8):
        yield Violation(
            reading.definition,
            f"it has {lines} lines; a typical answer has {typical}",
            "look for an idea that makes it shorter; a hint may help",
            f'hint("{name}")\nsolution("{name}")   # once yours is right, where your course allows it',
        )


def _size(reading: Reading) -> int:
    """Return the number of lines of an answer's body after formatting, so that its layout does not matter."""
    bodies = (top.body if isinstance(top, ast.FunctionDef) else [top] for top in reading.own_tops)
    return sum(_rows(statement) for body in bodies for statement in body)


def _rows(node: ast.AST) -> int:
    """Return the number of lines that a statement needs, with the statements inside it."""
    inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, INNER_BLOCKS)]
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return 0
        case _ if inner:
            return 1 + sum(map(_rows, inner))
    return ceil(len(unparsed(node)) / FORMATTED_WIDTH)
