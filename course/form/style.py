"""Rules that mostly advise: names that are unused or hide others, repeated calls, and code that could be shorter."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from math import ceil

from course.form.reading import BUILTINS, Reading, Violation, called_function, local_bindings, root_name, text
from course.syntax import node_code

NAMESPACE_READERS = {"locals", "vars", "eval", "exec"}
BLOCK_ENDS = ast.Return, ast.Raise, ast.Continue, ast.Break
KIND, VALUE = "kind of", "value of"
NEEDED_REPETITIONS = {KIND: 2, VALUE: 3}  # conditions that test the same
INNER_BLOCKS = ast.stmt, ast.match_case, ast.excepthandler
FORMATTED_WIDTH = 88  # columns of a line


# ------------------------------------------------------------------------------------------------ names


def unused_names(reading: Reading) -> Iterator[Violation]:
    """Find local names that get a value and are never read."""
    if reading.read_names & NAMESPACE_READERS:
        return
    shared = {name for node in reading.all(ast.Global, ast.Nonlocal) for name in node.names}
    for name, node in local_bindings(reading):
        if name not in reading.read_names | shared and not name.startswith("_") and reading.function_of(node):
            what = "function" if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else "name"
            yield Violation(node, f"the {what} `{name}` is never used")


def shadowed_names(reading: Reading) -> Iterator[Violation]:
    """Find names that hide a built-in, a given name or an exercise. Bare names in patterns often hide a given name."""
    exercises = reading.requirements.exercises
    given = reading.given.names | exercises
    stub = {name for name, _ in reading.requirements.parameters}
    parameters = ((arg.arg, arg) for arg in reading.all(ast.arg) if arg.arg not in stub)
    for name, node in (*local_bindings(reading), *parameters):
        is_answer = name == reading.requirements.name and reading.function_of(node) is None
        if is_answer or (name not in given and name not in BUILTINS):
            continue
        what = "the exercise" if name in exercises else "the given" if name in given else "Python's own"
        if isinstance(node, (ast.MatchAs, ast.MatchStar)) and name in given:
            kind = reading.given.values.get(name)
            dotted = f"{kind.__name__}.{name}" if kind and hasattr(kind, name) else f"value if value == {name}"
            why = f"`{name}` in a pattern matches every value. Python does not compare the value with {what} `{name}`"
            yield Violation(
                node, why, "write a name with a dot, or an `if` after the pattern", f"case {dotted}:\n    …"
            )
        else:
            example = (
                reading.with_unit_names("items = …")
                + f"      # not `{name} = …`\n{name}          # still has its old meaning"
            )
            why = f"here `{name}` gets a new value, so it no longer means {what} `{name}`"
            yield Violation(node, why, "use a name that describes its value", example)


# ------------------------------------------------------------------------------------------------ repeated calls


def repeated_calls(reading: Reading) -> Iterator[Violation]:
    """Find calls that compute a value again, because an earlier call has the same function and arguments.

    Only repeated calls of exercises are found, because other functions may be fast, or use random numbers.
    """
    bound = Counter((reading.function_of(node), name) for name, node in local_bindings(reading))
    bound += Counter((reading.function_of(arg), arg.arg) for arg in reading.all(ast.arg))
    alike: dict[object, list[ast.Call]] = defaultdict(list)
    for call in reading.all(ast.Call):
        if root_name(call.func) in reading.requirements.exercises and (call.args or call.keywords):
            where, names = reading.function_of(call), [n.id for n in ast.walk(call) if isinstance(n, ast.Name)]
            is_part = getattr(reading.parents.get(call), "func", None) is call  # `f(1)` in `f(1)(2)`
            if not is_part and max(bound[where, name] for name in names) <= 1:
                alike[where, node_code(call)].append(call)
    for first, again in (pair for calls in alike.values() for pair in pairwise(calls)):
        if _can_both_run(reading, first, again):
            code = text(again)
            example = f"result = {code}\n…   # use `result` in both places"
            yield Violation(
                again, f"`{code}` is computed again", "compute the value once, and store it in a variable", example
            )


def _can_both_run(reading: Reading, first: ast.AST, again: ast.AST) -> bool:
    """Return whether one run may evaluate both nodes, the first one earlier."""
    after = [again, *reading.ancestors(again)]
    path = [first, *takewhile(lambda node: node not in after, reading.ancestors(first))]
    branch, fork = path[-1], reading.parents[path[-1]]
    other = next(node for node in after if reading.parents.get(node) is fork)
    match fork:  # if its branches contain one node each, only one of them runs
        case ast.If() if fork.test is not branch and (branch in fork.body) != (other in fork.body):
            return False
        case ast.IfExp() if fork.test is not branch:
            return False
        case ast.Match() if isinstance(branch, ast.match_case) and branch.guard not in path:
            return False
    return not any(_always_leaves(reading.blocks.get(node, [node])[-1]) for node in path[:-1])


def _always_leaves(statement: ast.AST) -> bool:
    """Return whether a statement always leaves the function, or the round of a loop."""
    match statement:
        case ast.If(body=[*_, yes], orelse=[*_, no]):
            return _always_leaves(yes) and _always_leaves(no)
        case ast.Match(cases=cases):
            return all(_always_leaves(case.body[-1]) for case in cases)
    return isinstance(statement, BLOCK_ENDS)


# ------------------------------------------------------------------------------------------------ brevity


def wrapped_lambda(reading: Reading) -> Iterator[Violation]:
    """Find lambdas that only pass all their arguments, in the same order, to a function."""
    for node in reading.all(ast.Lambda):
        call, args = node.body, node.args
        if not isinstance(call, ast.Call) or args.kwonlyargs or args.kwarg or args.defaults or call.keywords:
            continue
        taken = [a.arg for a in (*args.posonlyargs, *args.args)] + ([f"*{args.vararg.arg}"] if args.vararg else [])
        names = {name.id for name in ast.walk(call.func) if isinstance(name, ast.Name)}
        root = call.func
        while isinstance(root, ast.Attribute | ast.Call):
            root = root.func if isinstance(root, ast.Call) else root.value
        is_plain = isinstance(root, ast.Name) and not names & {name.lstrip("*") for name in taken}
        if is_plain and [text(arg) for arg in call.args] == taken:
            what, instead = text(node), text(call.func)
            why = f"`{what}` only calls `{instead}`, which is already a function"
            yield Violation(node, why, "write the function itself", f"{instead}\n# instead of {what}")


def if_chains(reading: Reading) -> Iterator[Violation]:
    """Find chains of `if` statements that test the same value several times."""
    chained: set[ast.AST] = set()
    blocks = {id(block): block for node in reading.all(ast.If) if (block := reading.blocks.get(node))}
    for block in blocks.values():
        for index, statement in enumerate(block):
            if isinstance(statement, ast.If) and statement not in chained:
                links = [*_chained_ifs(block[index:])]
                chained.update(links)
                yield from _chain_violations(links)
    for node in reading.all(ast.IfExp):
        if not isinstance(reading.parents.get(node), ast.IfExp):
            nested = [node]
            while isinstance(inner := nested[-1].orelse, ast.IfExp):
                nested.append(inner)
            yield from _chain_violations(nested)


def _chain_violations(links: Sequence[ast.If | ast.IfExp]) -> Iterator[Violation]:
    """Yield a finding if many conditions test the class, or else the value, of the same expression."""
    counts = Counter(tested for link in links for tested in dict.fromkeys(_tested_subjects(link.test)))
    for (what, subject), count in sorted(counts.items(), key=lambda item: item[0][0] != KIND):
        if count >= NEEDED_REPETITIONS[what]:
            why = f"{count} conditions test the {what} `{subject}`; one `match` can replace these conditions"
            yield Violation(links[0], why, "take the value apart with `match`", f"match {subject}:\n    case …:")
            return


def _chained_ifs(body: list[ast.AST]) -> Iterator[ast.If]:
    """Yield an `if` with its `elif`s.

    If it leaves the function, the next `if` belongs to the chain, too.
    """
    for statement in body:
        if not isinstance(statement, ast.If):
            return
        link: ast.stmt | None = statement
        while isinstance(link, ast.If):
            yield link
            leaves = isinstance(link.body[-1], BLOCK_ENDS)
            link = link.orelse[0] if link.orelse else None
        if not leaves or statement.orelse:
            return


def _tested_subjects(test: ast.expr) -> Iterator[tuple[str, str]]:
    """Yield what a condition, or each part of it, tests: the class of a value, or whether it equals a constant."""
    match test:
        case ast.BoolOp(values=parts):
            for part in parts:
                yield from _tested_subjects(part)
        case ast.UnaryOp(op=ast.Not(), operand=part):
            yield from _tested_subjects(part)
        case (
            ast.Call(func=ast.Name(id="isinstance"), args=[subject, _])
            | ast.Compare(left=ast.Call(func=ast.Name(id="type"), args=[subject]), ops=[ast.Is() | ast.Eq()])
        ):
            yield KIND, text(subject)
        case ast.Compare(left=subject, ops=[ast.Eq() | ast.Is()], comparators=[other]) if _looks_constant(other):
            if called_function(subject) != "type" and not _looks_constant(subject):
                yield VALUE, text(subject)


def _looks_constant(node: ast.expr) -> bool:
    """Return whether an expression is a literal or looks like a constant (`RED`, `Suit.HEARTS`)."""
    match node:
        case ast.Constant() | ast.Tuple(elts=[]):
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.isupper()
    return False


def length(reading: Reading) -> Iterator[Violation]:
    """Find an answer that is more than twice as long as a typical one, and more than eight lines longer."""
    name, typical = reading.requirements.name, reading.requirements.typical_lines
    own = [top for top in reading.tops if not reading.labeled_lines_of(top).label]  # not in a helper's cell
    bodies = (top.body if isinstance(top, ast.FunctionDef) else [top] for top in own)
    lines = sum(_formatted_line_count(statement) for body in bodies for statement in body)
    if lines > max(2 * typical, typical + 8):
        yield Violation(
            reading.definition,
            f"the answer has {lines} lines; a typical answer has {typical}",
            "look for an idea that makes the answer shorter; a hint can help",
            f'hint("{name}")\nsolution("{name}")   # once your answer is right, if your course allows it',
        )


def _formatted_line_count(node: ast.AST) -> int:
    """Return the number of lines that a statement needs after formatting, so that its layout does not matter."""
    inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, INNER_BLOCKS)]
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return 0
        case _ if inner:
            return 1 + sum(map(_formatted_line_count, inner))
    return ceil(len(node_code(node)) / FORMATTED_WIDTH)
