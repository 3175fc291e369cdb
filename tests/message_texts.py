"""Read the messages of a module from its syntax tree. The texts of its variables and constants are filled in."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import chain

CODE = "⟦{}⟧"  # marks code after a message
Names = dict[str, list[ast.expr]]


class MessageTexts:
    """The messages of one module, each with `{expression}` where a value is filled in."""

    def __init__(self, tree: ast.Module, constants: Names) -> None:
        self.tree = tree
        self.names = constants | {name: values[-1:] for name, values in assigned_texts(tree.body).items()}
        self.shown: set[int] = set()

    def read(self) -> list[str]:
        """Return the messages. A text that is a part of a longer message is not repeated alone."""
        list(self._read(self.tree, self.names))  # finds the texts that are parts of others
        return list(self._read(self.tree, self.names))

    def _read(self, node: ast.AST, names: Names) -> Iterator[str]:
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            own = assigned_texts(node.body) if isinstance(node, ast.FunctionDef) else {}
            names = {name: values for name, values in names.items() if name not in _parameters(node)} | own
        if id(node) in self.shown or _is_left_out(node):
            return
        if isinstance(node, ast.Call) and (joined := self._with_example(node, names)):
            yield from joined
        elif isinstance(node, ast.JoinedStr | ast.Constant | ast.BinOp) and (texts := self.texts(node, names)):
            yield from texts
            yield from chain.from_iterable(self._read(part, names) for part in _values_in(node))
        else:
            yield from chain.from_iterable(self._read(child, names) for child in ast.iter_child_nodes(node))

    def _with_example(self, call: ast.Call, names: Names) -> list[str]:
        """Return the messages of a diagnosis or a rule of form, with their code."""
        match call:
            case ast.Call(ast.Name("Diagnosis"), [says, *codes]):
                messages = self._parts(says, names)
            case ast.Call(ast.Name("Rule"), [_, ast.Constant(value=str() as instead), *codes]) if instead:
                messages = [f"Instead, {instead}:"]
            case ast.Call(ast.Name("Violation"), [_, why, instead, *codes]):
                ways = self._parts(instead, names)
                messages = [f"{reason}. Instead, {way}:" for reason in self._parts(why, names) for way in ways]
            case ast.Call(ast.Name("Violation"), [_, why, *codes]):
                messages = [f"{reason}." for reason in self._parts(why, names)]
            case _:
                return []
        codes += [word.value for word in call.keywords if word.arg == "example"]
        examples = [CODE.format(code) if code else "" for each in codes[:1] for code in self._parts(each, names)] or [
            ""
        ]
        with_first = [f"{message} {examples[0]}".strip() for message in messages]
        return [*with_first, *(f"{messages[0]} {example}".strip() for example in examples[1:])]

    def _parts(self, node: ast.expr, names: Names) -> list[str]:
        """Return the texts of an expression, or a placeholder. These texts are then not shown alone any more."""
        texts = self.texts(node, names)
        self.shown.update({id(node)} if texts else ())
        return texts or ["…"]

    def texts(self, node: ast.expr, names: Names) -> list[str]:
        """Return what a text can be: one text for each choice in it; [] if it is not known to be a text."""
        match node:
            case ast.Constant(value=str() as text):
                return [text]
            case ast.JoinedStr(values=parts):
                return _combined([self._filled(part, names) for part in parts])
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                texts = [self.texts(left, names), self.texts(right, names)]
                return _combined([each or ["{text}"] for each in texts]) if any(texts) else []
            case ast.IfExp(body=body, orelse=orelse):
                choices = [self.texts(body, names), self.texts(orelse, names)]
                return [*choices[0], *choices[1]] if all(choices) else []
            case ast.Name(id=name) if name in names:
                others = {each: value for each, value in names.items() if each != name}
                value = _last_before(node, names[name])
                texts = self.texts(value, others) if value else []
                self.shown.update({id(value)} if texts else ())
                return texts
        return []

    def _filled(self, part: ast.expr, names: Names) -> list[str]:
        match part:
            case ast.Constant(value=text):
                return [str(text)]
            case ast.FormattedValue(value=ast.BinOp(left=ast.Constant(value="s" | "es"), op=ast.Mult())):
                return ["(s)"]
            case ast.FormattedValue(value=ast.Name(id=name)) if number := _number(names.get(name, [])):
                return [number]
            case ast.FormattedValue(value=value):
                texts = list(dict.fromkeys(self.texts(value, names)))
                return (["s"] if {*texts} in ({"", "s"}, {"", "es"}) else texts) or [f"{{{ast.unparse(value)}}}"]
        return ["{text}"]


def assigned_texts(body: Iterable[ast.stmt]) -> Names:
    """Return the values that are assigned to the variables of a function or module."""
    names: Names = {}
    for node in chain.from_iterable(map(_own_nodes, body)):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ):
                names.setdefault(name, []).append(value)
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                for target, value in zip(targets, values, strict=False):
                    if isinstance(target, ast.Name):
                        names.setdefault(target.id, []).append(value)
    return names


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below a statement, without those of inner functions."""
    if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from _own_nodes(child)


def _combined(parts: list[list[str]]) -> list[str]:
    """Return texts that consist of parts: first the text of all first choices, then one text for each other choice.

    >>> _combined([["A ", "The "], ["tile"], [".", "!"]])
    ['A tile.', 'The tile.', 'A tile!']
    """
    first = [part[0] for part in parts]
    others = [[*first[:i], other, *first[i + 1 :]] for i, part in enumerate(parts) for other in part[1:]]
    return ["".join(each) for each in (first, *others)]


def _last_before(use: ast.Name, values: list[ast.expr]) -> ast.expr | None:
    """Return the value that a variable has where it is used, if the lines run from top to bottom."""
    is_constant = use.id.isupper()
    earlier = [value for value in values if is_constant or value.lineno < use.lineno]
    return earlier[-1] if earlier else None


def _parameters(node: ast.FunctionDef | ast.Lambda) -> list[str]:
    return [each.arg for each in (*node.args.args, *node.args.kwonlyargs)]


def _number(values: list[ast.expr]) -> str:
    match values:
        case [ast.Constant(value=int() | float() as number)]:
            return str(number)
    return ""


def _values_in(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that are filled in."""
    yield from (part.value for part in ast.walk(node) if isinstance(part, ast.FormattedValue))


def _is_left_out(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()):
            return True  # a docstring
        case ast.Call(func=ast.Attribute(value=ast.Name("re"))) | ast.Assign(targets=[ast.Name("__all__")]):
            return True
        case ast.Call(func=ast.Attribute(attr="raised") | ast.Name("words" | "word_set" | "text_line")):
            return True  # a pattern for Python's own messages, a list of names, a label in a chart
        case ast.keyword(arg="python"):
            return True  # a pattern for Python's message on a syntax error
        case ast.Compare(left=ast.Constant(), ops=[ast.In() | ast.NotIn()], comparators=[ast.Attribute(attr="says")]):
            return True
    return False
