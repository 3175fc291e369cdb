"""Decide for each question of a teacher's notebook whether it becomes exercises, or stays as it is."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from autograder.importing.reading import CellRole, Homework, HomeworkQuestion, SourceCell
from autograder.importing.recording import (
    Comparison,
    RecordedValue,
    Rehearsal,
    TestCall,
    lambdas_in,
    lines_that_cannot_fail,
)
from autograder.importing.references import (
    BUILTIN_NAMES,
    CannotImport,
    GivenNames,
    annotation_for,
    doctests_of,
    free_names,
    function_source,
    signature_in_words,
)
from autograder.text import points_text
from autograder.units.written import names_in_tree
from course.limits import MOST_IMPORTED_CASES
from course.syntax import bound_names, global_names_in, lines_of

PLACEHOLDERS = {"raise NotImplementedError", "raise NotImplementedError()", "pass", "...", "return", "return None"}


@dataclass(frozen=True)
class NewExercise:
    """An exercise to write: the source of its reference, its points, and the calls of its facets as code."""

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
    """The decision on a question: its new exercises, or the reason why the question stays unchanged.

    `checks` are things that the teacher should check. `catches` are the lines at which the question's tests catch the
    error of a failed comparison, each with its cell's name.
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


def facet_name_of(cell: str) -> str:
    """Return the name of the facet for the calls in a test cell."""
    return f"tests of {cell}"


def decide_on_questions(
    homework: Homework, rehearsal: Rehearsal, only: Sequence[str] = ()
) -> tuple[tuple[Decision, ...], GivenNames]:
    """Return a decision on each question, and the names that the new unit must define for its exercises."""
    chosen = [_CandidateQuestion(homework, rehearsal, each).decision(only) for each in homework.questions]
    while True:
        decisions = [*_without_duplicate_names(chosen)]
        exercises = {each.name: each for decision in decisions for each in decision.exercises}
        given, refused = GivenNames(homework, rehearsal, exercises), dict[str, str]()
        for number, exercise in enumerate(exercises.values(), 1):
            try:
                if later := {*[*exercises][number:]} & names_in_tree(ast.parse(exercise.source)):
                    raise CannotImport(f"it uses the name of a later exercise, `{min(later)}`")
                cells = next(each.question.cells for each in decisions if exercise in each.exercises)
                given.add(exercise.needs - exercises.keys(), cells[-1].index)
                given.functions |= exercise.functions
            except CannotImport as error:
                refused[exercise.name] = str(error)
        if not refused:
            return tuple(decisions), given
        chosen = []
        for each in decisions:
            reason = next((refused[made.name] for made in each.exercises if made.name in refused), "")
            chosen.append(replace(each, exercises=(), reason=reason) if reason else each)


def _without_duplicate_names(decisions: Iterable[Decision]) -> Iterator[Decision]:
    """Yield the decisions.

    If an earlier question defines the name of a value, the value gets another name where possible.
    """
    names = set[str]()
    for decision in decisions:
        made = list[NewExercise]()
        try:
            made += [_with_new_name(each, names, decision) for each in decision.exercises]
        except CannotImport as reason:
            decision = replace(decision, reason=str(reason))
        names |= {each.name for each in made}
        yield replace(decision, exercises=tuple(made))


def _with_new_name(exercise: NewExercise, names: Container[str], decision: Decision) -> NewExercise:
    """Return an exercise with a name that is not among these.

    Raises CannotImport if the exercise needs the earlier value of the name.
    """
    old = exercise.name
    if old not in names:
        return exercise
    uses = (node for node in decision.question.statements if old in bound_names(node) | names_read_in(node))
    if not exercise.is_value or isinstance(first := next(uses), ast.AugAssign) or old in names_read_in(first):
        raise CannotImport(f"an earlier question defines `{old}`, too")
    new = next(name for number in count(2) if (name := f"{old}_{number}") not in names)
    says = exercise.source.replace(f"The value of `{old}`.", f"The value that the text calls `{old}`.")
    return replace(exercise, name=new, source=new + says.removeprefix(old))


class _CandidateQuestion:
    """A question that may become an exercise."""

    def __init__(self, homework: Homework, rehearsal: Rehearsal, question: HomeworkQuestion) -> None:
        self.homework, self.rehearsal, self.question = homework, rehearsal, question
        self.checks, self.given, self.passed = list[str](), dict[str, str](), set[str]()

    def decision(self, only: Sequence[str]) -> Decision:
        question, cells = self.question, (cell.name for cell in self.question.cells)
        catches = ((cell.name, line) for cell in question.tests for line in lines_that_cannot_fail(cell))
        lacks = {
            "no hidden test: nbgrader gives all points to a table of the visible calls": (
                question.tests and not any(cell.hidden for cell in question.tests)
            ),
            "no points": not question.points,
        }
        warnings = tuple(text for text, is_lacking in lacks.items() if is_lacking)
        undecided = Decision(question, warnings=warnings, catches=tuple(catches))
        try:
            if only and {*only}.isdisjoint((question.name, *question.functions, *question.variables, *cells)):
                raise CannotImport("not named by --only")
            made = [*self._exercises()]
        except CannotImport as reason:
            return replace(undecided, reason=str(reason))
        names = {each.name for each in made}
        made.sort(
            key=lambda each: len(names & names_in_tree(ast.parse(each.source)))
        )  # those that others need are first
        return replace(undecided, exercises=tuple(made), checks=tuple(dict.fromkeys(self.checks)))

    def _exercises(self) -> Iterator[NewExercise]:
        """Yield the exercises of the question. Raises CannotImport if the question cannot become an exercise."""
        self._ensure_solution()
        functions = [name for name in self.question.functions if any(self._test_calls(name))]
        tested = functions or [name for name in self.question.variables if any(self._comparisons(name))]
        make = self._function_exercise if functions else self._value_exercise
        if not tested:
            has_class = any(isinstance(node, ast.ClassDef) for node in self.question.statements)
            raise CannotImport("a class" if has_class else "its tests use no function and no variable of the answer")
        points, others = self.question.points, len(tested) - 1
        share = round(points / len(tested), 2)
        shares = [round(points - share * others, 2), *[share] * others]  # the first one gets what is left over
        if functions and others and points:
            self.checks.append(f"{points_text(points)} split: {' + '.join(map('{:g}'.format, shares))}")
        asserts = (node for cell in self.question.tests for node in ast.walk(cell.tree) if isinstance(node, ast.Assert))
        if not functions and any(len({*tested} & free_names(node)) > 1 for node in asserts):
            self.checks.append("a test compares these values with each other: the exam wants those of your solution")
        yield from map(make, tested, shares)

    def _ensure_solution(self) -> None:
        question = self.question
        if any(cell.role is CellRole.BY_HAND for cell in question.cells):
            raise CannotImport("marked by hand")
        if not question.answers:
            raise CannotImport("no cell for an answer belongs to its tests")
        if odd := [cell for cell in question.cells if not cell.is_python]:
            raise CannotImport(f"the cell {odd[0].name} is not plain Python")
        if all(_is_placeholder(node) for node in question.statements):
            raise CannotImport("no solution in the notebook: add one between BEGIN SOLUTION and END SOLUTION")
        for cell in question.tests:
            if error := self.rehearsal.error(cell.index):
                raise CannotImport(f"the test {cell.name} fails with your solution: {error[:90]}")

    # ------------------------------------------------------------------------------------------- functions

    def _test_calls(self, name: str) -> Iterator[tuple[SourceCell, TestCall]]:
        for cell in self.question.tests:
            yield from ((cell, call) for call in self.rehearsal.calls(cell.index) if call.name == name)

    def _function_exercise(self, name: str, points: float) -> NewExercise:
        node, calls = self.question.functions[name], [*self._test_calls(name)]
        self._ensure_recordable(name, calls)
        is_inspected = any(call.inspects for _, call in calls)
        helpers = self._helpers(node)
        asks = any(call.typed for _, call in calls)
        prints = asks or any("print" in names_read_in(each) for each in (node, *helpers))
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
        shown = doctests_of(
            [each for each in visible if not each.raised][:2] + [each for each in visible if each.raised],
            is_inspected and any(call.changes_arguments for call in recorded),
        )
        cell = next(cell for cell in self.question.answers if name in cell.defined_names)
        source = function_source(node, cell.code, recorded, shown, [*helpers.values()])
        facets = {facet_name_of(test.name): tuple(self._case_codes(test, name)) for test in self.question.tests}
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
            weights={facet: weight for facet, weight in self._facet_weights().items() if facets[facet]},
        )

    def _facet_weights(self) -> dict[str, float]:
        """Return how much the facet of each test cell counts. Return {} if all cells have the same points."""
        points = [cell.points for cell in self.question.tests]
        if len({*points}) < 2:
            return {}
        mean = sum(points) / len(points)
        return {facet_name_of(cell.name): round(cell.points / mean, 4) for cell in self.question.tests}

    def _ensure_recordable(self, name: str, calls: list[tuple[SourceCell, TestCall]]) -> None:
        """Raise CannotImport for a function that an exam cannot call, or whose results it cannot compare."""
        node = self.question.functions[name]
        used = names_read_in(node)
        if "input" in used and not any(call.typed for _, call in calls):
            raise CannotImport(f"`{name}` asks for input, which your tests do not give")
        if "open" in used:
            raise CannotImport(f"`{name}` uses files")
        if any(isinstance(each, ast.Global) for each in ast.walk(node)):
            raise CannotImport(f"`{name}` changes global variables")
        for cell, call in calls:
            if odd := next((arg.type for arg in call.arguments if arg.type), ""):
                raise CannotImport(f"`{name}` takes a {odd}")
            if (call.result.type and not call.items) or call.result.function:
                raise CannotImport(f"`{name}` returns a {call.result.type or 'function'}")
            given: list[tuple[int | str, RecordedValue]] = [*enumerate(call.args), *call.named.items()]
            for at, arg in given:
                self._name_function(cell, call, at, arg) if arg.function else None
        if any(name in self.rehearsal.varying_functions(cell.index) for cell, _ in calls):
            raise CannotImport(f"the result of `{name}` differs from run to run")

    def _ensure_compared(self, name: str, calls: list[tuple[SourceCell, TestCall]], is_inspected: bool) -> None:
        """Raise CannotImport unless the tests accept only one result."""
        for cell, call in calls:
            if call.comparison.sees == "any order":
                raise CannotImport(f"line {call.line} of {cell.name} accepts results in any order")
        if not any(call.raised or (is_inspected and call.changes_arguments) for _, call in calls):
            self._ensure_one_value(f"the result of `{name}`", [call.comparison for _, call in calls])

    def _ensure_one_value(self, what: str, comparisons: Sequence[Comparison]) -> None:
        """Raise CannotImport unless the tests accept one value only.

        If the tests compare only parts of the value, note this for the teacher.
        """
        sees, parts = {each.sees for each in comparisons}, [each.leaves for each in comparisons if each.leaves]
        covers = len({*map(len, parts)}) == 1 and all(map(any, zip(*parts, strict=True)))
        if sees <= {"", "nothing", "property"}:
            if "" not in sees:
                raise CannotImport(f"no test compares {what} with one value")
            self.checks.append(f"your tests could not run again with another value: the exam compares {what} with `==`")
        elif "all" not in sees and not covers:
            self.checks.append(f"your tests compare items of {what}: the exam compares all of it")

    def _helpers(self, node: ast.FunctionDef) -> dict[ast.stmt, str]:
        """Return the other definitions of the answer that a function needs, directly or not, with their texts."""
        kinds = ast.FunctionDef | ast.Assign | ast.AnnAssign | ast.ClassDef
        tested = {each for each in self.question.functions if any(self._test_calls(each))}
        others = [(cell, each) for cell in self.question.answers for each in cell.tree.body if isinstance(each, kinds)]
        needed, used = dict[ast.stmt, str](), free_names(node)
        for cell, each in reversed(others):
            if bound_names(each) & used and not bound_names(each) & tested:
                needed[each] = "\n".join(lines_of(cell.code)[each.lineno - 1 : each.end_lineno])
                used |= free_names(each)
        return dict(reversed(needed.items()))

    def _case_codes(self, cell: SourceCell, name: str) -> Iterator[str]:
        """Yield the calls of a test as code for `CHECKS`."""
        for call in [call for call in self.rehearsal.calls(cell.index) if call.name == name][:MOST_IMPORTED_CASES]:
            args = [self._argument_code(cell, call, index, arg) for index, arg in enumerate(call.args)]
            named = [f"({key!r}, {self._argument_code(cell, call, key, arg)})" for key, arg in call.named.items()]
            parts = [f"({', '.join(args)}{',' * (len(args) == 1)})"]
            parts += [f"keywords=({', '.join(named)},)"] if named else []
            parts += [f"typed={call.typed!r}"] if call.typed else []
            yield f"Case({', '.join([*parts, *(['hidden=True'] if call.line in cell.hidden else [])])})"

    def _argument_code(self, cell: SourceCell, call: TestCall, at: int | str, arg: RecordedValue) -> str:
        return f"NamedFunction({self._name_function(cell, call, at, arg)!r})" if arg.function else arg.code

    def _name_function(self, cell: SourceCell, call: TestCall, at: int | str, arg: RecordedValue) -> str:
        """Return a function's name in the new unit, for a function that a test passes.

        Raises CannotImport if its code is unknown.
        """
        plain = (node for cell in self.homework.cells if cell.role is CellRole.PLAIN for node in cell.tree.body)
        elsewhere = {node.name for node in plain if isinstance(node, ast.FunctionDef)}
        if arg.function in self.question.functions or arg.function in elsewhere:
            self.passed.add(arg.function)
            return arg.function
        if arg.function in BUILTIN_NAMES:
            name = f"given_{arg.function}"
            code = (
                f'def {name}(*args):\n    """Return what `{arg.function}` returns."""\n    return {arg.function}(*args)'
            )
        else:
            lambdas = [each for index, each in lambdas_in(cell, call.name, call.line) if index == at]
            if len(lambdas) != 1 or free_names(lambdas[0]):
                raise CannotImport(f"`{call.name}` takes a function for which the notebook has no code of its own")
            text = ast.unparse(lambdas[0].body)
            known = next((name for name, code in self.given.items() if code.endswith(f"return {text}")), "")
            name = known or f"{call.name}_function_{1 + len(self.given)}"
            code = f'def {name}({ast.unparse(lambdas[0].args)}):\n    """Return `{text}`."""\n    return {text}'
        self.given[name] = code
        self.checks.append(
            f"`{call.name}` takes a function: the exam passes those of your tests, and draws inputs near your calls"
        )
        return name

    # --------------------------------------------------------------------------------------------- values

    def _comparisons(self, name: str) -> Iterator[tuple[SourceCell, Comparison]]:
        """Yield the tests that use a variable, each with the part of the variable that it compares."""
        for cell in self.question.tests:
            comparison = self.rehearsal.comparison(cell.index, name) or Comparison(
                "" if name in global_names_in(cell.code) else "nothing"
            )
            if comparison.sees != "nothing":
                yield cell, comparison

    def _value_exercise(self, name: str, points: float) -> NewExercise:
        pairs = [*self._comparisons(name)]
        cell = pairs[0][0]
        value = self.rehearsal.value(cell.index, name)
        if value is None:
            varies = self.rehearsal.has_value(cell.index, name)
            raise CannotImport(f"`{name}` differs from run to run" if varies else f"`{name}` has no value")
        if not value.code:
            raise CannotImport(f"`{name}` is a {value.type or 'function'}")
        comparisons = [each for _, each in pairs]
        if any(each.sees == "any order" for each in comparisons):
            raise CannotImport(f"the tests accept `{name}` in any order")
        self._ensure_one_value(f"`{name}`", comparisons)
        used = {each for node in self.question.statements for each in free_names(node)}
        if chance := sorted(
            each
            for each in used
            if self.rehearsal.has_value(cell.index, each) and not self.rehearsal.value(cell.index, each)
        ):
            raise CannotImport(f"`{name}` depends on `{chance[0]}`, which differs from run to run")
        kind = annotation_for([ast.literal_eval(value.code)])
        source = f'{name}: {kind} = {self._assigned_expression(name) or value.code}\n"""The value of `{name}`."""'
        tolerance = max(each.tolerance for each in comparisons)
        return NewExercise(
            name, source, kind, points, {}, tolerance, is_value=True, needs=frozenset(free_names(ast.parse(source)))
        )

    def _assigned_expression(self, name: str) -> str:
        """Return the expression that the answer assigns to a variable, if the rest of the answer is placeholders."""
        statements = [node for node in self.question.statements if not _is_placeholder(node)]
        match statements:
            case [ast.Assign(targets=[ast.Name(id=only)], value=value)] if only == name:
                names, last = names_read_in(value), self.question.tests[-1].index
                plain = {
                    name for cell in self.homework.cells if cell.role is CellRole.PLAIN for name in cell.defined_names
                }
                values = {name: self.rehearsal.value(last, name) for name in plain}
                literals = {name for name, value in values.items() if value and value.code}
                return "" if names - BUILTIN_NAMES - literals or "open" in names else ast.unparse(value)
        return ""


def names_read_in(node: ast.AST) -> set[str]:
    """Return all names that some code reads, including Python's own such as `len`."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}


def _is_placeholder(node: ast.stmt) -> bool:
    """Return whether a statement is no solution: a placeholder, a comment, or a function that has only those."""
    match node:
        case ast.FunctionDef(body=body):
            return all(map(_is_placeholder, body))
        case ast.Expr(ast.Constant()) | ast.Import() | ast.ImportFrom():
            return True
        case ast.Assign(value=ast.Constant(value)):
            return value is None or value is ...
    return ast.unparse(node) in PLACEHOLDERS
