"""An answer to one exercise, as it is in the learner's notebook now.

`check`, `hint`, `borrow`, `solution` and `example` create an `Answer`, and pass it on to other functions.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from math import inf
from unicodedata import normalize

from course.diagnoses import syntax_problem_of
from course.diagnoses.obstacle import (
    BAD_SYNTAX,
    BorrowedReference,
    CrashedCell,
    EditedCell,
    Flaw,
    Obstacle,
    RedefinedName,
    UndefinedName,
    UngradableDefinition,
    UnparsedCell,
    UnrunCell,
    UnwrittenExercise,
)
from course.exam.calls import Names
from course.exam.observing import TimeUp
from course.form import FormFinding, Requirements, Source, requirements_from, review
from course.kernel.borrowed import independent_references, is_borrowed
from course.kernel.catalogue import ComparisonRules, StatedExercise, StatedUnit, all_statements, statements
from course.kernel.history import Run, defining_run, statements_of
from course.kernel.limits import limited
from course.kernel.notebook import IN_A_BROWSER, NotRight, is_unwritten, namespace, unit_with_exercise
from course.kernel.workspace import SavedNotebook, Workspace, names_mentioned, workspace_of
from course.syntax import PARSING_ERRORS, bound_names, first_line_number, lines_of, reachable_from, tree_of

TYPO_SIMILARITY = 0.85  # two names that are at least this similar count as a typo of each other
SAVING_TIME = 2.0 if IN_A_BROWSER else 0.0  # seconds that a front end may need to save a file


@dataclass(frozen=True)
class Answer:
    """A learner's answer to an exercise: facts about the exercise, the cell with the answer, and the namespace.

    `others` caches the answers to other exercises.
    """

    space: Workspace
    unit: str
    name: str
    requirements: Requirements
    unit_stated: StatedUnit
    stated: StatedExercise
    definition: Run | None
    problem: Flaw | None
    source: str  # the cell that last defined the exercise, as typed; "" if there is none
    names: Names
    others: dict[str, Answer] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def saved_notebook(self) -> SavedNotebook | None:
        """Return the saved version of the running notebook, or None if it is unknown which notebook is running."""
        return self.space.running_notebooks.get(self.unit)

    @cached_property
    def saved_source(self) -> str | None:
        """Return the text of the exercise's cell in the saved notebook, or None if there is no such cell."""
        cells = self.saved_notebook.cells if self.saved_notebook else ()
        sources = [source for grade, source in cells if grade == self.name]
        return sources[-1] if sources else None

    @cached_property
    def judging_rules(self) -> ComparisonRules:
        """Return the tolerance for floats, and whether the exercise has several right results."""
        return self.unit_stated.judging.get(self.name, ComparisonRules())

    def other_answer(self, name: str) -> Answer:
        """Return the answer to another exercise of the unit. The answer is cached."""
        if name not in self.others:
            self.others[name] = _new_answer(self.space, self.unit, self.unit_stated, name, self.others)
        return self.others[name]

    @cached_property
    def obstacle(self) -> Obstacle | None:
        """Return the obstacle that keeps the answer from being checked, or None."""
        if is_borrowed(self.space.names, self.unit, self.name):
            return BorrowedReference()
        if disturbance := _cell_obstacle(self):
            return disturbance
        # Was the cell changed since its last run? A notebook that was saved before this run proves nothing, because
        # most learners run a cell before they save. Neither does one that was saved right after the run, because a
        # browser saves slowly. Changed spaces and comments do not count. An unwritten cell need not be run.
        run, book = self.definition, self.saved_notebook
        saved = self.saved_source if run and book else None
        if run and book and saved is not None and book.when > run.ended + SAVING_TIME:
            is_unwritten_there = names_mentioned(saved) & {"NotImplementedError", "TODO"}
            run_codes = {_normalized_code(each.typed) for each in self.space.runs}
            if not is_unwritten_there and _normalized_code(saved) not in run_codes:
                return EditedCell()
        if self.name not in self.space.names:
            return _why_undefined(self)
        return UnwrittenExercise() if is_unwritten(self.space.names, self.name) else None

    @cached_property
    def missing_unit_names(self) -> frozenset[str]:
        """Return the unit's names that are undefined, because the first cell, which imports them, was not run."""
        return frozenset(getattr(import_module(self.requirements.module), "__all__", ())) - {*self.names}

    @cached_property
    def helpers(self) -> tuple[Source, ...]:
        """Return the helpers that the answer uses, directly or through other helpers.

        Helpers are functions and values that other cells define, and that are not exercises. If several helpers have
        the same name, the latest counts.
        """
        exercises, mentions = self.requirements.exercises, self.space.mentions
        latest = {name: run for run in self.space.runs for name in run.binds - exercises}
        needed = reachable_from(
            names_mentioned(self.source),
            lambda name: frozenset() if name in exercises else mentions.get(name, frozenset()),
        )
        used = {run.number: run for name in needed if (run := latest.get(name)) and run is not self.definition}
        return tuple(Source(run.label, _source_without(run, exercises)) for _, run in sorted(used.items()))

    @cached_property
    def used_exercises(self) -> tuple[str, ...]:
        """Return the exercises that the answer uses, directly or through helpers, in teaching order."""
        mentions = self.space.mentions
        used = reachable_from([self.name], lambda name: mentions.get(name, frozenset())) - {self.name}
        return tuple(each for each in self.unit_stated.by_name if each in used)

    @cached_property
    def form_findings(self) -> tuple[FormFinding, ...]:
        """Return the rules of style that the answer violates."""
        return review(self.requirements, self.source, self.helpers) if self.source else ()


def answer_to(exercise: str | Callable[..., object]) -> Answer:
    """Return the answer to an exercise from the notebook in which `check` or a similar function was called.

    `exercise` is the name or the function of an exercise. Raises NotRight if no exercise has this name.
    """
    return answer_in_namespace(namespace(2), name_of_exercise(exercise))


def name_of_exercise(exercise: object) -> str:
    """Return the name of an exercise. The argument is the exercise's name or its function.

    Raises NotRight for any other argument.
    """
    name = exercise if isinstance(exercise, str) else getattr(exercise, "__name__", "").replace("<lambda>", "")
    if not name:
        raise NotRight('write the name of the exercise in quotes: check("name")')
    return str(name)


def answer_in_namespace(names: Names, name: str, unit: str | None = None) -> Answer:
    """Return the answer to the exercise `name` in a namespace. Raises NotRight if no exercise has this name."""
    unit = unit or unit_with_exercise(names, name)
    if unit is None:
        known = [name for stated in all_statements().values() for name in stated.by_name]
        near = get_close_matches(name, known, 1)
        raise NotRight(f"there is no exercise {name!r}" + (f": did you mean {near[0]!r}?" if near else ""))
    return _new_answer(workspace_of(names), unit, statements(unit), name, {})


def _new_answer(space: Workspace, unit: str, unit_stated: StatedUnit, name: str, others: dict[str, Answer]) -> Answer:
    definition, problem = defining_run(space.runs, name)
    source = definition.typed if definition else ""
    requirements = requirements_from(unit_stated.module, unit_stated.form, unit_stated.asked, name)
    facts = requirements, unit_stated, unit_stated.by_name[name]
    return Answer(space, unit, name, *facts, definition, problem, source, space.names, others)


def _source_without(run: Run, names: frozenset[str]) -> str:
    """Return a cell's source, with blank lines in place of the definitions of some names."""
    lines = lines_of(run.source)
    for statement in run.statements:
        if bound_names(statement) & names:
            for row in range(first_line_number(statement) - 1, statement.end_lineno or 0):
                lines[row] = ""
    return "\n".join(lines)


def answer_with_references(answer: Answer) -> Answer | None:
    """Return the answer with a namespace in which the other exercises are reference solutions.

    Return None if the answer's cells fail in this namespace.
    """
    others = answer.requirements.exercises - {answer.name}
    ours = independent_references(answer.unit)
    scope = {**answer.names, **{name: ours[name] for name in others}}
    try:
        with limited():
            for part in (*answer.helpers, Source(answer.name, answer.source)):
                file = f"<by itself: {part.label}>"
                linecache.cache[file] = (len(part.source), None, part.source.splitlines(keepends=True), file)
                for statement in statements_of(part.source):
                    if bound_names(statement) - others:
                        exec(compile(ast.Module([statement], []), file, "exec"), scope)
    except (Exception, TimeUp):
        return None
    return replace(answer, names=scope)


# ------------------------------------------------------------------------------------------------ obstacles


def _cell_obstacle(answer: Answer) -> Obstacle | None:
    """Return what is wrong with the exercise's cell, or with a later cell that redefines its name; otherwise None."""
    name, says, past = answer.name, answer.unit_stated.asked[answer.name].says, answer.space.runs
    own = next((run for run in reversed(past) if run.is_answer_to(name, says)), None)
    binder = next((run for run in reversed(past) if name in run.assigned_names), None)
    if answer.problem and (own is None or not own.statements):
        return UnparsedCell(answer.problem, _unparsed_cell_text(answer))
    if own is None or (binder and binder.number == own.number):
        makers = [binder] if binder else past
        is_bound = name in answer.space.names and bool(makers)
        # a statement that the grader does not accept as a definition has bound the name
        return UngradableDefinition() if is_bound and not any(name in run.binds for run in makers) else None
    if binder and binder.number > own.number:
        is_same_cell = binder.is_answer_to(name, says) or binder.typed.strip() == own.typed.strip()
        is_mended = bool(own.error) and not own.is_cell_of(name, says)  # the error may be fixed by now
        if is_same_cell or is_mended:
            return None
        lines = (normalize("NFKC", line.strip()) for line in binder.source.splitlines())  # as Python reads identifiers
        return RedefinedName(binder.label, next((line for line in lines if name in line), ""))
    if own.error:
        return _error_obstacle(answer, own)
    return UndefinedName(tuple(name for statement in own.statements for name in sorted(bound_names(statement))))


def _why_undefined(answer: Answer) -> UnrunCell | CrashedCell | UndefinedName:
    """Return why the exercise's name is undefined: a cell that was not run, an unrecorded error, or a typo.

    A typo is a defined name that differs from the exercise's only in capitals or one letter.
    """
    run = answer.definition
    if run is None:
        given = {*getattr(import_module(answer.requirements.module), "__all__", ())}
        taken = answer.requirements.exercises | given
        names = [name for each in reversed(answer.space.runs) for name in sorted(each.binds - taken)]
        same = [name for name in names if name.lower() == answer.name.lower()]
        near = same + get_close_matches(answer.name, names, 1, TYPO_SIMILARITY)
        return UndefinedName((near[0],)) if near else UnrunCell()
    return UnrunCell() if run.ended < inf else CrashedCell("an error", "", 0, "", run.source)


def _unparsed_cell_text(answer: Answer) -> str:
    """Return the last cell that mentions the exercise and does not parse."""
    texts = (run.source for run in reversed(answer.space.runs) if answer.name in run.source)
    return next((text for text in texts if syntax_problem_of(text)), "")


def _error_obstacle(answer: Answer, run: Run) -> CrashedCell | UnparsedCell:
    if trouble := syntax_problem_of(run.source):  # run.source has Python in place of IPython's own commands
        return UnparsedCell(Flaw(BAD_SYNTAX, trouble.says, trouble.line), _unparsed_cell_text(answer))
    lines, says, line = lines_of(run.typed), run.message, run.line
    # The message of a SyntaxError ends with a file name and its line.
    match = re.fullmatch(r"(.*) \(\S+, line (\d+)\)", says, re.DOTALL)
    if match and run.error == "SyntaxError":
        says, line = match[1], int(match[2])
    code = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return CrashedCell(run.error, says, line, code, run.source)


def _normalized_code(source: str) -> str:
    """Return a text that is the same for cells with the same code, whatever their spaces and comments."""
    try:
        return ast.dump(tree_of(source))
    except PARSING_ERRORS:
        return source.strip()
