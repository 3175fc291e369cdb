"""The names of other cells that imported exercises need: modules, literal values, functions and classes."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable

from autograder.importing.reading import Homework, Role, SourceCell
from autograder.importing.recording import Rehearsal
from autograder.importing.references import free_names
from course.syntax import bound_names, lines_of

IMPURE = {"os", "io", "pathlib", "shutil", "subprocess", "socket", "urllib", "http", "sqlite3", "threading", "input"}


class NotGiven(Exception):
    """Raised for a name that cannot be given. The text is the reason."""


class GivenNames:
    """The statements of a unit's module: each defines a name that exercises need."""

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
        """Add names as they are at a cell, and the names in their definitions. Raises NotGiven."""
        for name in sorted(names):
            if name in ("Callable", "Iterator"):
                self.code[name] = f"from collections.abc import {name}"
            elif name not in self.code:
                cell, node = self._definition(name, index)
                self._add(name, cell, node, index)

    def _definition(self, name: str, index: int) -> tuple[SourceCell, ast.stmt]:
        """Return the last definition of a name before a cell, or else the first one after it."""
        cells = [cell for cell in self.homework.cells if cell.role is not Role.TEST and name in cell.bound]
        before = [cell for cell in cells if cell.index <= index]
        for cell in (*reversed(before), *cells):
            if cell.role is Role.BY_HAND:
                break
            return cell, [node for node in cell.tree.body if name in bound_names(node)][-1]
        raise NotGiven(f"it uses `{name}`, which no cell defines")

    def _add(self, name: str, cell: SourceCell, node: ast.stmt, index: int) -> None:
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                self.code[name] = self._import(name, node, names)
            case ast.FunctionDef() | ast.ClassDef() if cell.role is Role.PLAIN:
                needs = free_names(node) - {name}
                if uses := sorted(needs & {*self.exercises}):
                    raise NotGiven(f"it uses `{name}`, which uses the exercise `{uses[0]}`")
                self.add(needs, index)
                self.code[name] = documented(node, "\n".join(lines_of(cell.code)[node.lineno - 1 : node.end_lineno]))
            case ast.FunctionDef() | ast.ClassDef():
                raise NotGiven(f"it uses `{name}` of a question that stays")
            case _:
                value = self.rehearsal.value(self._test_after(index), name)
                if cell.role is not Role.PLAIN:
                    raise NotGiven(f"it uses `{name}` of another question")
                if value is None or not value.code:
                    kind = f"a {value.type or 'function'}" if value else "different from run to run"
                    raise NotGiven(f"it uses `{name}`, which is {kind}")
                self.code[name] = f"{name} = {value.code}"

    def _import(self, name: str, node: ast.Import | ast.ImportFrom, names: list[ast.alias]) -> str:
        alias = next(each for each in names if (each.asname or each.name.split(".")[0]) == name)
        top = ((node.module or "") if isinstance(node, ast.ImportFrom) else alias.name).split(".")[0]
        if top not in sys.stdlib_module_names:
            raise NotGiven(f"it needs the module {top or '.'}, which exams do not have")
        if top in IMPURE:
            raise NotGiven(f"it needs the module {top}, which reaches outside of the exam")
        shown = alias.name + (f" as {alias.asname}" if alias.asname else "")
        return f"from {node.module} import {shown}" if isinstance(node, ast.ImportFrom) else f"import {shown}"

    def _test_after(self, index: int) -> int:
        """Return the number of the test at a cell or after it."""
        tests = [cell.index for cell in self.homework.cells if cell.role is Role.TEST]
        return next((each for each in tests if each >= index), tests[-1])


def documented(node: ast.FunctionDef | ast.ClassDef, text: str) -> str:
    """Return the text of a definition with a docstring."""
    if ast.get_docstring(node):
        return text
    new = ast.parse(text).body[0]
    assert isinstance(new, ast.FunctionDef | ast.ClassDef)
    new.body.insert(0, ast.Expr(ast.Constant(f"`{node.name}`, as in the notebook.")))
    return ast.unparse(new)
