"""Decide about each question of a teacher's notebook: it becomes exercises, or it stays as it is."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from autograder.importing.givens import GivenNames, NotGiven
from autograder.importing.reading import Homework, HomeworkQuestion, Role, SourceCell
from autograder.importing.recording import Comparison, Rehearsal, TestCall, Value
from autograder.importing.references import (
    KNOWN,
    docstring,
    examples_of,
    free_names,
    function_source,
    signature_in_words,
    type_of,
)
from autograder.importing.testing import lambdas_in, lines_that_cannot_fail
from course.limits import MOST_CASES
from course.syntax import bound_names, lines_of, names_in

PLACEHOLDERS = {"raise NotImplementedError", "raise NotImplementedError()", "pass", "...", "return", "return None"}


class Stays(Exception):
    """Raised for a question that stays as it is. The text is the reason."""


@dataclass(frozen=True)
class NewExercise:
    """An exercise to write: its reference, points and facets of calls, as code."""

    name: str
    source: str
    kind: str
    points: float
    facets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tolerance: float = 0.0
    ignores: tuple[str, ...] = ()
    is_value: bool = False
    needs: frozenset[str] = frozenset()
    functions: dict[str, str] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Decision:
    """The outcome for a question: its exercises, or the reason why it stays; points to check, and warnings.

    `catches` are the lines of its tests that catch the error of a failed test, each with the name of the cell.
    """

    question: HomeworkQuestion
    exercises: tuple[NewExercise, ...] = ()
    reason: str = ""
    checks: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    catches: tuple[tuple[str, int], ...] = ()

    @property
    def stays(self) -> bool:
        return not self.exercises


def facet_of(cell: str) -> str:
    """Return the name of the facet that has the calls of a test cell."""
    return f"tests of {cell}"


def decide(
    homework: Homework, rehearsal: Rehearsal, only: Sequence[str] = ()
) -> tuple[tuple[Decision, ...], GivenNames]:
    """Return a decision on each question, and the names that all imported exercises need."""
    chosen = [_Candidate(homework, rehearsal, each).decision(only) for each in homework.questions]
    while True:
        decisions = [*_without_doubles(chosen)]
        exercises = {each.name: each for decision in decisions for each in decision.exercises}
        given, refused = GivenNames(homework, rehearsal, exercises), dict[str, str]()
        for exercise in exercises.values():
            try:
                given.add(exercise.needs - exercises.keys(), _last_index(decisions, exercise))
                given.functions |= exercise.functions
            except NotGiven as error:
                refused[exercise.name] = str(error)
        if not refused:
            return tuple(decisions), given
        chosen = [_refused(decision, refused) for decision in decisions]


def _last_index(decisions: Iterable[Decision], exercise: NewExercise) -> int:
    return next(each.question.cells[-1].index for each in decisions if exercise in each.exercises)


def _refused(decision: Decision, reasons: dict[str, str]) -> Decision:
    reason = next((reasons[each.name] for each in decision.exercises if each.name in reasons), "")
    return replace(decision, exercises=(), reason=reason) if reason else decision


def _without_doubles(decisions: Iterable[Decision]) -> Iterator[Decision]:
    """Yield the decisions. A question stays if an earlier one defines the same name."""
    names = set[str]()
    for decision in decisions:
        twice = [each.name for each in decision.exercises if each.name in names]
        names |= {each.name for each in decision.exercises}
        yield (
            replace(decision, exercises=(), reason=f"an earlier question defines `{twice[0]}`, too")
            if twice
            else decision
        )


class _Candidate:
    """A question that may become an exercise."""

    def __init__(self, homework: Homework, rehearsal: Rehearsal, question: HomeworkQuestion) -> None:
        self.homework, self.rehearsal, self.question = homework, rehearsal, question
        self.checks, self.given, self.passed = list[str](), dict[str, str](), set[str]()

    def decision(self, only: Sequence[str]) -> Decision:
        lines = ((cell.name, lines_that_cannot_fail(cell)) for cell in self.question.tests)
        undecided = Decision(
            self.question,
            warnings=tuple(self._warnings()),
            catches=tuple((name, line) for name, rows in lines for line in rows),
        )
        names = {self.question.name, *self.question.functions, *self.question.variables}
        names |= {cell.name for cell in self.question.cells}
        try:
            if only and not names & {*only}:
                raise Stays("not named by --only")
            exercises = tuple(self._exercises())
        except Stays as reason:
            return replace(undecided, reason=str(reason))
        return replace(undecided, exercises=exercises, checks=tuple(dict.fromkeys(self.checks)))

    def _warnings(self) -> Iterator[str]:
        if self.question.tests and not any(cell.hidden for cell in self.question.tests):
            yield "no hidden test: a table of the visible calls gets all points from nbgrader"
        if not self.question.points:
            yield "no points"

    def _exercises(self) -> Iterator[NewExercise]:
        """Yield the exercises of the question. Raises Stays."""
        self._ensure_solution()
        functions = [name for name in self.question.functions if any(self._calls(name))]
        tested = functions or [name for name in self.question.variables if any(self._comparisons(name))]
        make = self._function if functions else self._value
        if not tested:
            has_class = any(isinstance(node, ast.ClassDef) for node in self.question.statements)
            raise Stays("a class" if has_class else "its tests use no function and no variable of the answer")
        share = self.question.points / len(tested)
        if len(tested) > 1 and share:
            self.checks.append(f"{self.question.points:g} points split: {' + '.join([f'{share:g}'] * len(tested))}")
        yield from (make(name, share) for name in tested)

    def _ensure_solution(self) -> None:
        question = self.question
        if any(cell.role is Role.BY_HAND for cell in question.cells):
            raise Stays("marked by hand")
        if not question.answers:
            raise Stays("its tests belong to no answer")
        if odd := [cell for cell in question.cells if not cell.is_python]:
            raise Stays(f"the cell {odd[0].name} is not plain Python")
        if all(_is_empty(node) for node in question.statements):
            raise Stays("no solution in the notebook: add one between BEGIN SOLUTION and END SOLUTION")
        for cell in question.tests:
            if not self.rehearsal.passes(cell.index):
                error = self.rehearsal.first[cell.index].error
                raise Stays(f"the test {cell.name} fails with your solution: {error[:90]}")

    # ------------------------------------------------------------------------------------------- functions

    def _calls(self, name: str) -> Iterator[tuple[SourceCell, TestCall]]:
        for cell in self.question.tests:
            yield from ((cell, call) for call in self.rehearsal.calls(cell.index) if call.name == name)

    def _function(self, name: str, points: float) -> NewExercise:
        node, calls = self.question.functions[name], [*self._calls(name)]
        self._ensure_recordable(name, calls)
        is_inspected = any(call.inspects for _, call in calls)
        helpers = self._helpers(node, name)
        asks = any(call.typed for _, call in calls)
        prints = asks or any("print" in free_names_and_known(each) for each in (node, *helpers))
        only_prints = prints and any("stdout" in cell.code for cell, _ in calls)
        only_prints &= all(call.result.code == "None" for _, call in calls)
        if not only_prints:
            self._ensure_compared(name, calls, is_inspected)
        ignores = () if is_inspected else ("arguments",)
        if prints and not only_prints:
            ignores = (*ignores, "printing")
        elif prints:
            text = "this text, with the questions of `input`" if asks else "this text"
            self.checks.append(f"`{name}` prints: the exam compares only {text}")
        recorded = [call for _, call in calls]
        visible = [call for cell, call in calls if call.line not in cell.hidden and not prints]
        changes_arguments = is_inspected and any(call.changes for call in recorded)
        shown = examples_of(
            [each for each in visible if not each.raised][:2] + [each for each in visible if each.raised],
            changes_arguments,
        )
        cell = next(cell for cell in self.question.answers if name in cell.bound)
        source = function_source(node, cell.code, recorded, shown, [_text_in(self.question, each) for each in helpers])
        facets = {facet_of(test.name): tuple(self._cases(test, name)) for test in self.question.tests}
        return NewExercise(
            name,
            source,
            signature_in_words(ast.parse(source).body[0]),  # type: ignore[arg-type]
            points,
            {facet: cases for facet, cases in facets.items() if cases},
            max(call.comparison.tolerance for _, call in calls),
            ignores,
            needs=frozenset((free_names(ast.parse(source)) | self.passed) - {name}),
            functions=dict(self.given),
            weights={facet: weight for facet, weight in self._weights().items() if facets[facet]},
        )

    def _weights(self) -> dict[str, float]:
        """Return how much the facet of each test cell counts. They are empty if all cells have the same points."""
        points = [cell.points for cell in self.question.tests]
        if len({*points}) < 2:
            return {}
        mean = sum(points) / len(points)
        return {facet_of(cell.name): round(cell.points / mean, 4) for cell in self.question.tests}

    def _ensure_recordable(self, name: str, calls: list[tuple[SourceCell, TestCall]]) -> None:
        """Raise Stays for a function that an exam cannot call, or whose results it cannot compare."""
        node = self.question.functions[name]
        used = free_names_and_known(node)
        if "input" in used and not any(call.typed for _, call in calls):
            raise Stays(f"`{name}` asks for input, which your tests do not give")
        if "open" in used:
            raise Stays(f"`{name}` uses files")
        if any(isinstance(each, ast.Global) for each in ast.walk(node)):
            raise Stays(f"`{name}` changes global variables")
        for cell, call in calls:
            if odd := next((arg.type for arg in call.given if arg.type), ""):
                raise Stays(f"`{name}` takes a {odd}")
            if (call.result.type and not call.items) or call.result.function:
                raise Stays(f"`{name}` returns a {call.result.type or 'function'}")
            given: list[tuple[int | str, Value]] = [*enumerate(call.args), *call.named.items()]
            for at, arg in given:
                self._name_function(cell, call, at, arg) if arg.function else None
        if any(name in self.rehearsal.varies(cell.index) for cell, _ in calls):
            raise Stays(f"the result of `{name}` differs from run to run")

    def _ensure_compared(self, name: str, calls: list[tuple[SourceCell, TestCall]], is_inspected: bool) -> None:
        """Raise Stays unless the tests accept only one result."""
        for cell, call in calls:
            if call.comparison.sees == "any order":
                raise Stays(f"line {call.line} of {cell.name} accepts results in any order")
        if any(call.raised or (is_inspected and call.changes) for _, call in calls):
            return
        self._ensure_one_value(f"the result of `{name}`", [call.comparison for _, call in calls])

    def _ensure_one_value(self, what: str, comparisons: Sequence[Comparison]) -> None:
        """Raise Stays unless the tests accept one value only. Note what to check if they compare only parts of it."""
        sees, parts = {each.sees for each in comparisons}, [each.leaves for each in comparisons if each.leaves]
        covers = len({*map(len, parts)}) == 1 and all(map(any, zip(*parts, strict=True)))
        if sees <= {"", "nothing", "property"}:
            if "" not in sees:
                raise Stays(f"no test compares {what} with one value")
            self.checks.append(f"your tests could not run again with another value: the exam compares {what} with `==`")
        elif "all" not in sees and not covers:
            self.checks.append(f"your tests compare items of {what}: the exam compares all of it")

    def _helpers(self, node: ast.FunctionDef, name: str) -> list[ast.stmt]:
        """Return the other definitions of the answer that a function needs, directly or not."""
        kinds = ast.FunctionDef | ast.Assign | ast.AnnAssign | ast.ClassDef
        tested = {each for each in self.question.functions if any(self._calls(each))}
        others = [
            each for each in self.question.statements if isinstance(each, kinds) and not bound_names(each) & tested
        ]
        needed, used = list[ast.stmt](), free_names(node)
        for each in reversed(others):
            if bound_names(each) & used:
                needed.append(each)
                used |= free_names(each)
        return needed[::-1]

    def _cases(self, cell: SourceCell, name: str) -> Iterator[str]:
        """Yield the calls of a test as code for `CHECKS`."""
        for call in [call for call in self.rehearsal.calls(cell.index) if call.name == name][:MOST_CASES]:
            args = [self._code(cell, call, index, arg) for index, arg in enumerate(call.args)]
            named = [f"({key!r}, {self._code(cell, call, key, arg)})" for key, arg in call.named.items()]
            parts = [f"({', '.join(args)}{',' * (len(args) == 1)})"]
            parts += [f"keywords=({', '.join(named)},)"] if named else []
            parts += [f"typed={call.typed!r}"] if call.typed else []
            yield f"Case({', '.join([*parts, *(['hidden=True'] if call.line in cell.hidden else [])])})"

    def _code(self, cell: SourceCell, call: TestCall, at: int | str, arg: Value) -> str:
        return f"NamedFunction({self._name_function(cell, call, at, arg)!r})" if arg.function else arg.code

    def _name_function(self, cell: SourceCell, call: TestCall, at: int | str, arg: Value) -> str:
        """Return the name of a given function for one that a test passes. Raises Stays if there is no code for it."""
        if arg.function in self.question.functions or arg.function in self._defined_elsewhere():
            self.passed.add(arg.function)
            return arg.function
        if arg.function in KNOWN:
            name = f"given_{arg.function}"
            code = (
                f'def {name}(*args):\n    """Return what `{arg.function}` returns."""\n    return {arg.function}(*args)'
            )
        else:
            lambdas = [each for index, each in lambdas_in(cell, call.name, call.line) if index == at]
            if len(lambdas) != 1 or free_names(lambdas[0]):
                raise Stays(f"`{call.name}` takes a function for which the notebook has no code of its own")
            names = {code: name for name, code in self.given.items()}
            text = ast.unparse(lambdas[0].body)
            known = next((name for code, name in names.items() if code.endswith(f"return {text}")), "")
            name = known or f"{call.name}_function_{1 + len(self.given)}"
            args = ast.unparse(lambdas[0].args)
            code = f'def {name}({args}):\n    """Return `{text}`."""\n    return {text}'
        self.given[name] = code
        self.checks.append(
            f"`{call.name}` takes a function: those of your tests are given, and inputs are near your calls"
        )
        return name

    def _defined_elsewhere(self) -> set[str]:
        plain = (cell for cell in self.homework.cells if cell.role is Role.PLAIN)
        return {node.name for cell in plain for node in cell.tree.body if isinstance(node, ast.FunctionDef)}

    # --------------------------------------------------------------------------------------------- values

    def _comparisons(self, name: str) -> Iterator[tuple[SourceCell, Comparison]]:
        """Yield the tests that use a variable, each with what it compares of it."""
        for cell in self.question.tests:
            comparison = self.rehearsal.comparison(cell.index, name) or Comparison(
                "" if name in names_in(cell.code) else "nothing"
            )
            if comparison.sees != "nothing":
                yield cell, comparison

    def _value(self, name: str, points: float) -> NewExercise:
        pairs = [*self._comparisons(name)]
        cell = pairs[0][0]
        value = self.rehearsal.value(cell.index, name)
        if value is None:
            varies = self.rehearsal.has_value(cell.index, name)
            raise Stays(f"`{name}` differs from run to run" if varies else f"`{name}` has no value")
        if not value.code:
            raise Stays(f"`{name}` is a {value.type or 'function'}")
        comparisons = [each for _, each in pairs]
        if any(each.sees == "any order" for each in comparisons):
            raise Stays(f"the tests accept `{name}` in any order")
        self._ensure_one_value(f"`{name}`", comparisons)
        used = {each for node in self.question.statements for each in free_names(node)}
        if chance := sorted(
            each
            for each in used
            if self.rehearsal.has_value(cell.index, each) and not self.rehearsal.value(cell.index, each)
        ):
            raise Stays(f"`{name}` depends on `{chance[0]}`, which differs from run to run")
        kind, code = type_of([ast.literal_eval(value.code)]), value.code
        written = self._expression(name)
        text = docstring(f"The value of `{name}`.", ())
        source = f"{name}: {kind} = {written or code}\n{text}"
        tolerance = max(each.tolerance for each in comparisons) if "float" in kind else 0.0
        needs = frozenset(free_names(ast.parse(source)))
        return NewExercise(name, source, kind, points, {}, tolerance, is_value=True, needs=needs)

    def _expression(self, name: str) -> str:
        """Return the expression of a variable, if the answer is one assignment of it, besides placeholders."""
        statements = [node for node in self.question.statements if not _is_empty(node)]
        match statements:
            case [ast.Assign(targets=[ast.Name(id=only)], value=value)] if only == name:
                names = free_names_and_known(value)
                return "" if names - KNOWN - self._literals() or "open" in names else ast.unparse(value)
        return ""

    def _literals(self) -> set[str]:
        """Return the variables of plain cells that are literals."""
        last = self.question.tests[-1].index
        plain = {name for cell in self.homework.cells if cell.role is Role.PLAIN for name in cell.bound}
        return {name for name in plain if (value := self.rehearsal.value(last, name)) and value.code}


def free_names_and_known(node: ast.AST) -> set[str]:
    """Return the names that some code loads, with Python's own."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}


def _is_empty(node: ast.stmt) -> bool:
    """Return whether a statement is no solution: a placeholder, a comment, or a function that has only those."""
    match node:
        case ast.FunctionDef(body=body):
            return all(map(_is_empty, body))
        case ast.Expr(ast.Constant()) | ast.Import() | ast.ImportFrom():
            return True
        case ast.Assign(value=ast.Constant(value)):
            return value is None or value is ...
    return ast.unparse(node) in PLACEHOLDERS


def _text_in(question: HomeworkQuestion, node: ast.stmt) -> str:
    """Return the text of a statement of the answer."""
    cell = next(cell for cell in question.answers if node in cell.tree.body)
    return "\n".join(lines_of(cell.code)[node.lineno - 1 : node.end_lineno])
