"""Rules on what an answer does: loops, mutation, imports, required and banned names, misplaced helpers."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

from course.form.reading import (
    FUNCTION_NODES,
    MUTATORS,
    REMOVING_METHODS,
    Reading,
    Violation,
    called_function,
    local_bindings,
    root_name,
    text,
    word_set,
)
from course.syntax import COMPREHENSIONS, bound_names

MUTABLE_CONTAINER_MAKERS = word_set("list dict set sorted bytearray deque defaultdict Counter OrderedDict")
MUTATING_FUNCTIONS = word_set("setattr delattr heappush heappop heapify setitem delitem insort")
LOOKUP_FUNCTIONS = word_set("getattr methodcaller attrgetter eval exec")
FUNCTION_MAKERS = word_set("compose curry partial tail_recursive")
PRINTING_EXAMPLE = 'lines = map(line_of, values)\nprint("\\n".join(lines))'
RECURSION_EXAMPLE = "def after(n, so_far):\n    return so_far if n == 0 else after(n - 1, so_far + n)"
SUM_EXAMPLE = "fold_left(lambda total, n: total + n, 0, numbers)\nsum(numbers)"
REPLACEMENT_EXAMPLE = "(*items[:index], item, *items[index + 1 :])\nreplace(value, part=value.part + 10)"
REMOVAL_EXAMPLE = "first, *others = items\ntuple(one for one in items if one != item)"
MUTATOR_ALTERNATIVES = {
    **dict.fromkeys(
        word_set("remove clear discard pop popitem popleft __delitem__ difference_update"), REMOVAL_EXAMPLE
    ),
    **dict.fromkeys(word_set("sort reverse rotate"), "tuple(sorted(items))\nitems[::-1]"),
    **dict.fromkeys(
        word_set("append extend update add setdefault"),
        "longer = (*items, item)\nboth = one | other   # for sets and dictionaries",
    ),
    **dict.fromkeys(
        word_set("insert appendleft extendleft"),
        "longer = (item, *items)   # in front\nlonger = (*items[:index], item, *items[index:])",
    ),
}
COMPOUND_TARGETS = (ast.Tuple, ast.List, ast.Starred)
CONSTRUCTS: dict[str, tuple[type[ast.AST], ...]] = {"match": (ast.Match,), "comprehension": COMPREHENSIONS}
CONSTRUCT_ADVICE = {
    "match": ("take the value apart with `match`", "match items:\n    case () | (_,):\n        return items\n    …")
}
MUTABLE_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp)


def loops(reading: Reading) -> Iterator[Violation]:
    """Find loops, and comprehensions whose value is not used."""
    for node in reading.all(ast.For, ast.AsyncFor):
        if all(isinstance(part, ast.Expr) and called_function(part.value) == "print" for part in node.body):
            why = "a `for` loop prints a text piece by piece"
            yield Violation(
                node, why, "build the whole text, and print it once", reading.with_unit_names(PRINTING_EXAMPLE)
            )
        else:
            example = _code_without_loop(reading, node) if isinstance(node, ast.For) else ""
            yield Violation(node, "a `for` loop changes variables in each round", example=example)
    for node in reading.all(ast.While):
        why = "a `while` loop changes variables until its condition is false"
        instead = "write a function that calls itself, with the variables as its parameters"
        yield Violation(node, why, instead, RECURSION_EXAMPLE)
    for node in reading.all(ast.Expr):
        if isinstance(node.value, COMPREHENSIONS):
            yield Violation(node, "nothing uses the value of this comprehension, so it is really a loop")


def _code_without_loop(reading: Reading, loop: ast.For) -> str:
    """Return a loop as a sum, a comprehension or a search, with the learner's own names; "" for any other loop."""
    block = reading.blocks.get(loop, [loop])
    before, after = block[: block.index(loop)], block[block.index(loop) + 1 :]
    match loop.body:
        case [ast.If(test=test, body=[step], orelse=[])]:
            condition = text(test)
        case [step]:
            condition = ""
        case _:
            return ""
    head, selected = f"for {text(loop.target)} in {text(loop.iter)}", f" if {condition}" if condition else ""
    name, start, code = "", "", ""
    match step, after:
        case ast.Return(ast.Constant(value=True)), [ast.Return(ast.Constant(value=False)), *_] if condition:
            code = f"any({condition} {head})"
        case ast.Return(ast.Constant(value=False)), [ast.Return(ast.Constant(value=True)), *_] if condition:
            code = f"not any({condition} {head})"
        case ast.Return(ast.expr() as value), [ast.Return(ast.expr() as other), *_] if condition:
            code = f"next(({text(value)} {head}{selected}), {text(other)})"
        case ast.AugAssign(ast.Name(name), ast.Add(), value), _:
            start, code = "0", f"sum({text(value)} {head}{selected})"
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"), [value])), _:
            start, code = "[]", f"tuple({text(value)} {head}{selected})"
    is_started = not name or f"{name} = {start}" in map(text, before)
    uses_itself = bool(name) and re.search(rf"\b{name}\b", code)
    return code if is_started and not uses_itself and "…" not in code else ""


def mutation(reading: Reading) -> Iterator[Violation]:
    """Find values that are changed in place, and assignments to names that belong to another function."""
    for node in reading.all(ast.AugAssign):
        example = SUM_EXAMPLE if isinstance(node.target, ast.Name) else reading.with_unit_names(REPLACEMENT_EXAMPLE)
        yield Violation(node, f"`{text(node)}` changes `{text(node.target)}`", example=example)
    for node in reading.all(ast.Delete):
        yield Violation(node, "`del` changes a value in place", example=reading.with_unit_names(REMOVAL_EXAMPLE))
    for node in reading.all(ast.Global, ast.Nonlocal):
        word = type(node).__name__.lower()
        yield Violation(node, f"`{word}` lets this function change a variable outside of it")
    for target in reading.all(ast.Attribute, ast.Subscript):
        is_plain = isinstance(target.ctx, ast.Store) and not isinstance(reading.parents[target], ast.AugAssign)
        match target, reading.function_of(target):
            case (
                ast.Attribute(value=ast.Name(id=owner)),
                ast.FunctionDef(name="__init__", args=ast.arguments(args=[ast.arg(arg=new), *_])),
            ) if owner == new:
                continue  # `self.cards = cards` sets a part of the new value
        if is_plain:
            what = "a value" if isinstance(target, ast.Attribute) else "an item of a value"
            yield Violation(target, f"`{text(target)} = …` changes {what} that other code can use, too")
    yield from _changing_calls(reading)


def _changing_calls(reading: Reading) -> Iterator[Violation]:
    """Find calls that change a value: of a list, a dictionary or a set, or whose own value is not used."""
    mutable = {"list", "dict", "set", "object"}
    for node in reading.all(ast.Assign, ast.AnnAssign, ast.NamedExpr):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if (
            isinstance(node.value, MUTABLE_DISPLAYS)
            or called_function(node.value) in MUTABLE_CONTAINER_MAKERS - reading.own_names
        ):
            mutable |= {target.id for target in targets if isinstance(target, ast.Name)}
    stars = [star for star in reading.all(ast.Starred) if isinstance(star.ctx, ast.Store)]
    mutable |= {star.value.id for star in stars if isinstance(star.value, ast.Name)}
    mutable |= {star.name for star in reading.all(ast.MatchStar)}
    for node in reading.all(ast.Call):
        if isinstance(node.func, ast.Attribute) and _mutates(reading, node, node.func, mutable):
            why = f"`.{node.func.attr}` changes a value in place, so the change affects all code that uses the value"
            yield Violation(node, why, example=reading.with_unit_names(MUTATOR_ALTERNATIVES.get(node.func.attr, "")))
        elif called_function(node) in MUTATING_FUNCTIONS - reading.own_names:
            yield Violation(node, f"`{called_function(node)}` changes a value in place")


def _mutates(reading: Reading, call: ast.Call, method: ast.Attribute, mutable: set[str]) -> bool:
    """Return whether a method call changes its owner.

    The name of the method is not enough: immutable types may have an `add`, too.
    """
    owner = method.value
    if method.attr not in MUTATORS | REMOVING_METHODS:
        return False
    is_mutable = isinstance(owner, MUTABLE_DISPLAYS) or (isinstance(owner, ast.Name) and owner.id in mutable)
    if is_mutable or called_function(owner) in MUTABLE_CONTAINER_MAKERS:
        return True
    if root_name(owner) in reading.imported_names:
        return method.attr in MUTATING_FUNCTIONS
    if method.attr in reading.given.methods | reading.own_names:
        return False
    match reading.parents.get(call):  # the call's value is not used
        case ast.Expr() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.ListComp(elt=item) | ast.SetComp(elt=item) | ast.GeneratorExp(elt=item) as outer if item is call:
            return method.attr in REMOVING_METHODS or isinstance(reading.parents.get(outer), ast.Expr)
        case ast.Tuple() | ast.List() as display:
            around = reading.parents.get(display)
            is_indexed = isinstance(around, ast.Subscript) and around.value is display
            return method.attr in REMOVING_METHODS or is_indexed
    return method.attr in REMOVING_METHODS


def imports(reading: Reading) -> Iterator[Violation]:
    """Find imports of modules that the unit does not allow."""
    allowed = {"course", reading.requirements.module.partition(".")[0], *reading.requirements.policy.imports}
    functions = sorted(reading.given.functions.items())
    chance = [name for name, it in functions if re.search(r"\brandom\b", (inspect.getdoc(it) or "").split("\n")[0])]
    for node in reading.all(ast.Import, ast.ImportFrom):
        is_from = isinstance(node, ast.ImportFrom)
        for name in ["." * node.level + (node.module or "")] if is_from else [alias.name for alias in node.names]:
            if name == "random" and chance:
                why = f"in this unit, random results come only from {' or '.join(f'`{each}`' for each in chance)}"
                example = "\n".join(["random.randrange(…)   # not this", *(f"{each}(…)" for each in chance)])
                yield Violation(node, why, "call a function that the unit gives you", example)
            elif not any(name == one or name.startswith(f"{one}.") for one in allowed):
                yield Violation(
                    node, f"`{name}` is not one of the modules that this unit allows ({', '.join(sorted(allowed))})"
                )
    for call in reading.all(ast.Call):
        if called_function(call) == "__import__":
            yield Violation(call, "`__import__` imports a module without an `import` statement")


def bans(reading: Reading) -> Iterator[Violation]:
    """Find uses of banned names (`sorted`), however they were imported, and of banned methods (`.sort`)."""
    for ban in reading.requirements.bans:
        name, is_method = ban.lstrip("."), ban.startswith(".")
        uses: list[ast.AST] = []
        if not is_method:
            is_redefined = any(getattr(top, "name", "") == name for top in reading.tops)  # by a function or class
            uses += [] if is_redefined else _reads_of_given_names(reading, {name})
            uses += [reading.parents[alias] for alias in reading.all(ast.alias) if alias.name == name]
        attributes = (node for node in reading.all(ast.Attribute) if node.attr == name)
        uses += [node for node in attributes if is_method or _is_module_attribute(reading, node)]
        for node in reading.all(ast.Call, ast.Subscript):  # `getattr(builtins, "sorted")` names it in a text
            args = node.args if isinstance(node, ast.Call) and called_function(node) in LOOKUP_FUNCTIONS else []
            parts = [node.slice] if isinstance(node, ast.Subscript) else args
            texts = (part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))
            uses += [node] if any(re.search(rf"\b{name}\b", each) for each in texts) else []
        yield from (Violation(use, f"`{name}` is not allowed in this exercise") for use in uses)


def requires(reading: Reading) -> Iterator[Violation]:
    """Find required functions and constructs that the answer never uses."""
    for options in (each.split(" or ") for each in reading.requirements.requires):
        if not any(_is_used(reading, name) for name in options):
            wanted = " or ".join("a comprehension" if name == "comprehension" else f"`{name}`" for name in options)
            why = f"the exercise requires {wanted}, but the answer does not use it"
            name = options[0]
            calling = f"{name}(…)         # in a call\nother({name})       # or as an argument, without parentheses"
            how = CONSTRUCT_ADVICE.get(name, (f"call `{name}`, or pass it to a function", calling))
            yield Violation(reading.definition, why, *how)


def _is_used(reading: Reading, name: str) -> bool:
    """Return whether the answer uses a function or a construct."""
    if name in CONSTRUCTS:
        return bool(reading.all(*CONSTRUCTS[name]))
    names = {name} | {alias.asname or name for alias in reading.all(ast.alias) if alias.name == name}
    attributes = (node for node in reading.all(ast.Attribute) if node.attr == name)
    return bool(_reads_of_given_names(reading, names)) or any(
        _is_module_attribute(reading, node) for node in attributes
    )


def _is_module_attribute(reading: Reading, node: ast.AST) -> bool:
    return root_name(node) in {"builtins", *reading.imported_names}


def _reads_of_given_names(reading: Reading, names: set[str]) -> list[ast.Name]:
    """Return the nodes that read a given name, and not a parameter or variable of a function or a comprehension."""
    binders: list[ast.AST] = [arg for arg in reading.all(ast.arg) if arg.arg in names]
    if not any(names.intersection(node.names) for node in reading.all(ast.Global, ast.Nonlocal)):
        binders += [node for bound, node in local_bindings(reading) if bound in names]
    hiding: set[ast.AST] = set()  # the code in which a name means something else
    for binder in binders:
        target = next((outer for outer in reading.ancestors(binder) if not isinstance(outer, COMPOUND_TARGETS)), None)
        scope = reading.parents[target] if isinstance(target, ast.comprehension) else reading.function_of(binder)
        if isinstance(scope, COMPREHENSIONS):  # the first iterable is evaluated outside
            first, *others = scope.generators
            items = [part for part in ast.iter_child_nodes(scope) if not isinstance(part, ast.comprehension)]
            hiding |= {*items, *first.ifs, *others}
        elif isinstance(scope, FUNCTION_NODES):  # defaults are evaluated outside
            hiding |= {*scope.body} if isinstance(scope.body, list) else {scope.body}
    reads = [node for node in reading.read_nodes if node.id in names]
    return [node for node in reads if hiding.isdisjoint((node, *reading.ancestors(node)))]


def helpers_outside(reading: Reading) -> Iterator[Violation]:
    """Find helper functions that are defined outside the answer. Values outside the answer are allowed."""
    for top in reading.tops if reading.requirements.is_called else ():
        names, value = bound_names(top), getattr(top, "value", None)
        is_function = isinstance(top, FUNCTION_NODES) or isinstance(value, ast.Lambda)
        is_function = is_function or called_function(value) in FUNCTION_MAKERS
        if is_function and names and reading.requirements.name not in names:
            yield Violation(
                top, f"the helper `{min(names)}` is outside of the answer, so all other functions can use it"
            )
