"""The references of imported exercises: a function with a signature and a docstring, or a value with its type.

Names that references need from other cells become given names: modules, literal values, functions and classes.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Collection, Iterable, Sequence
from textwrap import indent

from autograder.importing.reading import CellRole, Homework, SourceCell
from autograder.importing.recording import Rehearsal, TestCall
from autograder.units.written import SOURCE_INDENT, with_helpers
from course.limits import LONGEST_DOCTEST, MOST_DOCTESTS, MOST_UNION_TYPES
from course.syntax import bound_names, first_line_number, lines_of

FUNCTION_TYPE = "Callable[..., object]"
BUILTIN_NAMES = frozenset(vars(builtins))
IMPURE_MODULES = {
    "os",
    "io",
    "pathlib",
    "shutil",
    "subprocess",
    "socket",
    "urllib",
    "http",
    "sqlite3",
    "threading",
    "input",
}


def annotation_for(values: Sequence[object]) -> str:
    """Return an annotation that fits all of these values.

    >>> annotation_for([[1, 2], []]), annotation_for([{"a": (1, "x")}])
    ('list[int]', 'dict[str, tuple[int, str]]')
    >>> annotation_for([3, None]), annotation_for([[[]], [[2.5, 1]]])
    ('int | None', 'list[list[float | int]]')
    """
    kinds = {type(value): [each for each in values if type(each) is type(value)] for value in values}
    names = sorted({_annotation(kind, group) for kind, group in kinds.items()}, key=lambda name: (name == "None", name))
    return " | ".join(names) if 0 < len(names) <= MOST_UNION_TYPES else "object"


def _annotation(kind: type, values: list[object]) -> str:
    if kind is type(None):
        return "None"
    if kind is tuple:
        rows = [value for value in values if isinstance(value, tuple)]
        if len({len(row) for row in rows}) == 1 and 0 < len(rows[0]) <= MOST_UNION_TYPES:
            return f"tuple[{', '.join(annotation_for(column) for column in zip(*rows, strict=True))}]"
        items = [item for row in rows for item in row]
        return f"tuple[{annotation_for(items)}, ...]" if items else "tuple"
    if kind is dict:
        pairs = [pair for value in values if isinstance(value, dict) for pair in value.items()]
        return f"dict[{', '.join(annotation_for(column) for column in zip(*pairs, strict=True))}]" if pairs else "dict"
    items = [item for value in values if isinstance(value, list | set) for item in value]
    return f"{kind.__name__}[{annotation_for(items)}]" if items else kind.__name__


def free_names(node: ast.AST) -> set[str]:
    """Return the names that some code uses but does not define. Python's own names, such as `len`, are left out.

    >>> sorted(free_names(ast.parse("def f(x): return [g(y) + abs(x) for y in LIMITS]")))
    ['LIMITS', 'g']
    """
    loaded, bound = set[str](), set[str]()
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name, ctx=ast.Load()):
                loaded.add(name)
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.ExceptHandler(name=str(name)):
                bound.add(name)
            case ast.alias(name=name, asname=short):
                bound.add(short or name.split(".")[0])
    return loaded - bound - BUILTIN_NAMES


def parameters_of(node: ast.FunctionDef) -> list[ast.arg]:
    """Return a function's parameters, but not `**` parameters."""
    more = [node.args.vararg] if node.args.vararg else []
    return [*node.args.posonlyargs, *node.args.args, *more, *node.args.kwonlyargs]


def signature_in_words(node: ast.FunctionDef) -> str:
    """Return the types of a function's parameters and of its result, for example `int, str -> bool`."""
    kinds = ", ".join(ast.unparse(each.annotation) if each.annotation else "…" for each in parameters_of(node))
    return f"{kinds or '()'} -> {ast.unparse(node.returns) if node.returns else '…'}"


def with_annotations(node: ast.FunctionDef, calls: Sequence[TestCall]) -> ast.FunctionDef:
    """Return a function with annotations that fit the recorded calls.

    Existing annotations that name Python's own types are kept.
    """
    new = ast.parse(ast.unparse(node)).body[0]
    assert isinstance(new, ast.FunctionDef)
    positional = [each.arg for each in (*new.args.posonlyargs, *new.args.args)]
    more = new.args.vararg.arg if new.args.vararg else ""
    values = {each.arg: list[object]() for each in parameters_of(new)}
    functions = {name for call in calls for name, arg in zip(positional, call.args, strict=False) if arg.function}
    for call in [call for call in calls if not call.raised] or calls:
        at = [*positional, *[more] * len(call.args)]
        for name, arg in (*zip(at, call.args, strict=False), *call.named.items()):
            if arg.code and name in values:
                values[name].append(ast.literal_eval(arg.code))
    for parameter in (each for each in parameters_of(new) if not _is_builtin(each.annotation)):
        literals = values[parameter.arg]
        kind = FUNCTION_TYPE if not literals and parameter.arg in functions else annotation_for(literals)
        parameter.annotation = ast.parse(kind, mode="eval").body
    results = [ast.literal_eval(call.result.code) for call in calls if call.result.code]
    items = [item for call in calls if call.items for item in ast.literal_eval(call.items)]
    if not _is_builtin(new.returns):
        kind = f"Iterator[{annotation_for(items)}]" if items else annotation_for(results)
        new.returns = ast.parse(kind, mode="eval").body
    return new


def _is_builtin(annotation: ast.expr | None) -> bool:
    return annotation is not None and not free_names(annotation)


def function_source(
    node: ast.FunctionDef, text: str, calls: Sequence[TestCall], examples: Sequence[str], helpers: Sequence[str]
) -> str:
    """Return the source of a reference: a function with annotations, a docstring with examples, and helpers inside.

    `text` is the code that contains the function.
    """
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    new = with_annotations(node, calls)
    new.body = [ast.Pass()]
    *head, _ = ast.unparse(new).split("\n")
    lines = lines_of(text)[first_line_number(body[0]) - 1 : body[-1].end_lineno] if body else []
    if body and (body[0].lineno == node.lineno or lines[0][: body[0].col_offset].strip()):
        lines = indent("\n".join(map(ast.unparse, body)), SOURCE_INDENT).split("\n")
    says = ast.get_docstring(node) or f"Return the result of `{node.name}` for these arguments."
    raised = dict.fromkeys(call.raised for call in calls if call.raised)
    more = [f"Raise {name} where the statement says so." for name in raised if name not in says]
    documented = docstring_code("\n\n".join([says.strip(), *more]), examples)
    source = "\n".join([*head, indent(documented, SOURCE_INDENT), *(lines or [f"{SOURCE_INDENT}pass"])])
    made = ast.parse(source).body[0]
    assert isinstance(made, ast.FunctionDef)
    return with_helpers(made, source, list(helpers)) if helpers else source


def docstring_code(says: str, examples: Sequence[str]) -> str:
    """Return a docstring as code, with these examples. Examples that `says` already contains are left out."""
    text = says.partition(">>>")[0].rstrip() or "Return the result."
    content = "\n\n".join([text, "\n".join(examples)]) if examples else text
    escaped = content.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""{escaped}\n"""' if "\n" in content or content.endswith('"') else f'"""{escaped}"""'


def doctests_of(calls: Sequence[TestCall], changes_arguments: bool) -> list[str]:
    """Return the first short calls as doctests.

    If the function changes its argument, the doctests show the argument after the call.
    """
    made = [
        _doctest(call, changes_arguments)
        for call in calls
        if all(arg.code for arg in call.arguments) and not call.items
    ]
    return [each for each in made if each and max(map(len, each.split("\n"))) <= LONGEST_DOCTEST][:MOST_DOCTESTS]


def _doctest(call: TestCall, changes_arguments: bool) -> str:
    args = [arg.code for arg in call.args]
    named = [f"{name}={arg.code}" for name, arg in call.named.items()]
    code = f"{call.name}({', '.join([*args, *named])})"
    if call.raised:
        return f">>> {code}\nTraceback (most recent call last):\n{call.raised}{call.message and f': {call.message}'}"
    if changes_arguments and args and call.after[0].code:
        lines = (f"values = {args[0]}", f"{call.name}({', '.join(['values', *args[1:], *named])})", "values")
        return "\n".join([*(f">>> {line}" for line in lines), call.after[0].code])
    return f">>> {code}\n{call.result.code}" if call.result.code not in ("", "None") else f">>> {code} is None\nTrue"


# ------------------------------------------------------------------------------------- names of other cells


class CannotImport(Exception):
    """Raised if a question cannot become an exercise. The message says why."""


class GivenNames:
    """The given names of a new unit, each with the statement that defines the name."""

    def __init__(self, homework: Homework, rehearsal: Rehearsal, exercises: Collection[str]) -> None:
        self.homework, self.rehearsal, self.exercises = homework, rehearsal, exercises
        self.code, self.functions = dict[str, str](), dict[str, str]()

    @property
    def imports(self) -> list[str]:
        return sorted({code for code in self.code.values() if code.startswith(("import ", "from "))})

    @property
    def statements(self) -> list[str]:
        return [code for code in self.code.values() if not code.startswith(("import ", "from "))]

    def add(self, names: Iterable[str], index: int) -> None:
        """Add these names, each with the definition that the cell `index` uses.

        Also add all names that these definitions need. Raises CannotImport if the new unit cannot define one of these
        names.
        """
        for name in sorted(names):
            if name in ("Callable", "Iterator"):
                self.code[name] = f"from collections.abc import {name}"
            elif name not in self.code:
                cells = [
                    cell
                    for cell in self.homework.cells
                    if cell.role is not CellRole.TEST and name in cell.defined_names
                ]
                # The last definition before the cell counts, or else the first one after it.
                before = [cell for cell in cells if cell.index <= index]
                cell = next(iter(before[-1:] or cells), None)
                if cell is None or cell.role is CellRole.BY_HAND:
                    raise CannotImport(f"it uses `{name}`, which no cell defines")
                self._add_definition(
                    name, cell, [node for node in cell.tree.body if name in bound_names(node)][-1], index
                )

    def _add_definition(self, name: str, cell: SourceCell, node: ast.stmt, index: int) -> None:
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                self.code[name] = self._import_code(name, node, names)
            case ast.FunctionDef() | ast.ClassDef() if cell.role is CellRole.PLAIN:
                needs = free_names(node) - {name}
                if uses := sorted(needs & {*self.exercises}):
                    raise CannotImport(f"it uses `{name}`, which uses the exercise `{uses[0]}`")
                self.add(needs, index)
                self.code[name] = with_docstring(
                    node, "\n".join(lines_of(cell.code)[node.lineno - 1 : node.end_lineno])
                )
            case ast.FunctionDef() | ast.ClassDef():
                raise CannotImport(f"it uses `{name}` of a question that stays")
            case _:
                tests = [each.index for each in self.homework.cells if each.role is CellRole.TEST]
                after = next((each for each in tests if each >= index), tests[-1])
                value = self.rehearsal.value(after, name)
                if cell.role is not CellRole.PLAIN:
                    raise CannotImport(f"it uses `{name}` of another question")
                if value is None or not value.code:
                    kind = f"a {value.type or 'function'}" if value else "different from run to run"
                    raise CannotImport(f"it uses `{name}`, which is {kind}")
                self.code[name] = f"{name} = {value.code}"

    def _import_code(self, name: str, node: ast.Import | ast.ImportFrom, names: list[ast.alias]) -> str:
        alias = next(each for each in names if (each.asname or each.name.split(".")[0]) == name)
        top = ((node.module or "") if isinstance(node, ast.ImportFrom) else alias.name).split(".")[0]
        if top not in sys.stdlib_module_names:
            raise CannotImport(f"it needs the module {top or '.'}, which exams do not have")
        if top in IMPURE_MODULES:
            raise CannotImport(f"it needs the module {top}, which reaches outside of the exam")
        shown = alias.name + (f" as {alias.asname}" if alias.asname else "")
        return f"from {node.module} import {shown}" if isinstance(node, ast.ImportFrom) else f"import {shown}"


def with_docstring(node: ast.FunctionDef | ast.ClassDef, text: str) -> str:
    """Return the code of a definition, with a docstring added if it has none."""
    if ast.get_docstring(node):
        return text
    new = ast.parse(text).body[0]
    assert isinstance(new, ast.FunctionDef | ast.ClassDef)
    new.body.insert(0, ast.Expr(ast.Constant(f"`{node.name}`, as in the notebook.")))
    return ast.unparse(new)
