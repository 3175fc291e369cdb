"""Add the next step to the report on a wrong answer, found from its code and its results.

A next step never changes a mark.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from threading import get_ident

from msgspec import json, structs

from autograder.grading.runs import GradingContext, Job
from autograder.report.model import ExerciseReport, FacetReport
from autograder.sandbox.host import ReusedSandbox
from autograder.sandbox.inside.orders import Request, packed_request
from autograder.submission.model import Submission
from autograder.submission.reading import read_notebook
from autograder.units.unit import Exercise, Unit, requirements_of
from course.diagnoses import Diagnosis, Evidence, diagnose, syntax_problem_of
from course.diagnoses.evidence import no_facts
from course.diagnoses.failure import Failure
from course.diagnoses.obstacle import Flaw, FlawKind, Obstacle, UnparsedCell, advice_on_obstacle
from course.exam.readable import line_without_folders
from course.exam.wire import Tree, Wire
from course.form import Requirements, Source
from course.limits import LARGEST_CELL, MOST_CELL_LINES, SECONDS_FOR_EXTRAS
from course.syntax import PARSING_ERRORS, bound_names, lines_of, tree_of
from course.watch.facts import fact_sentences
from course.watch.hooked import SPOTS, add_spots
from course.watch.run import CallOwner, EventKind, RecordedCall, RecordedRun, RunEvent, RunState

FACTS_PLACEHOLDER = "\0facts"  # a placeholder that no text contains, because advice is printable
SHORTEN_ADVICE = f"Keep the cell below {LARGEST_CELL:,} characters and {MOST_CELL_LINES:,} lines."


def with_quoted_lines(facets: Iterable[FacetReport], submission: Submission) -> tuple[FacetReport, ...]:
    """Return the facets. Each failure quotes the learner's line that caused the failure."""
    quoted = []
    for facet in facets:
        if facet.failure and (number := facet.failure.line):
            lines = lines_of(labeled_source(submission, str(facet.failure.label)))
            if number <= len(lines):
                facet = structs.replace(facet, failure=replace(facet.failure, code=lines[number - 1].strip()))
        quoted.append(facet)
    return tuple(quoted)


def labeled_source(submission: Submission, label: str) -> str:
    """Return the code for a label in a report. A label is an exercise's name, or `cell_3` for the helpers of a cell."""
    if label in submission.answers:
        return submission.answers[label].source
    return _merged_helpers(submission, label).source


def _merged_helpers(submission: Submission, label: str) -> Source:
    """Return one source with the lines of all helpers of a cell, each line at its place in the cell."""
    rows: dict[int, str] = {}
    for source in (helper for helper in submission.helpers if helper.label == label):
        rows |= {row: line for row, line in enumerate(lines_of(source.source)) if line or row not in rows}
    return Source(label, "\n".join(rows.get(row, "") for row in range(max(rows, default=-1) + 1)))


def with_advice(
    report: ExerciseReport,
    submission: Submission,
    exercise: Exercise,
    failures: Iterable[Failure],
    prints: bool,
    facts_of: Callable[[Failure], str] = lambda _: "",
) -> ExerciseReport:
    """Return the report, with advice on the learner's next step added if such advice is known.

    If no diagnosis is certain, the advice contains what `facts_of` returns: two lines about the failing call. A
    diagnosis from the answer's code is preferred to a known mistake, because different mistakes can have the same
    results.
    """
    unit, obstacle = submission.unit, submission.attempts[exercise.name].obstacle
    try:
        source = labeled_source(submission, exercise.name)
        labels = dict.fromkeys(helper.label for helper in submission.helpers_for([source], exercise.name))
        helpers = tuple(_merged_helpers(submission, label) for label in labels)
        first = tuple(sorted(failures, key=lambda failure: (not failure.call, len(failure.one_line_code))))
        evidence = source, first, helpers, prints, report.mistake is not None
        diagnosis = _advice_on_obstacle(obstacle, requirements_of(unit, exercise)) or _diagnosis(
            unit, exercise.name, *evidence
        )
        if diagnosis and FACTS_PLACEHOLDER in diagnosis.says:
            diagnosis = replace(diagnosis, says=diagnosis.says.replace(FACTS_PLACEHOLDER, facts_of(first[0])).strip())
        advised = structs.replace(report, advice=diagnosis if diagnosis and diagnosis.says else None)
        json.encode(advised)  # raises for half a character, as in "\ud800", which cannot be stored
    except Exception:  # else a fault of a rule would make a wrong answer "ungraded"
        return report
    return advised


@lru_cache(maxsize=1000)
def _diagnosis(
    unit: Unit,
    name: str,
    source: str,
    failures: tuple[Failure, ...],
    helpers: tuple[Source, ...],
    prints: bool,
    surely: bool,
) -> Diagnosis | None:
    """Return the diagnosis. It has FACTS_PLACEHOLDER where the facts about the failing call belong.

    The diagnosis is cached, since many students make the same mistake.
    """
    rebound = dict[str, str]()  # the given names that a cell redefines; to import them again does not
    for cell in (*helpers, Source("this cell", source)):
        with suppress(*PARSING_ERRORS):
            lines, written = lines_of(cell.source), _teachers_code(unit)
            own = [
                node
                for node in tree_of(cell.source).body
                if not isinstance(node, ast.Import | ast.ImportFrom)
                and "\n".join(lines[node.lineno - 1 : node.end_lineno]) not in written
            ]
            names = {name for node in own for name in bound_names(node)} & {*unit.module.__all__}
            rebound |= dict.fromkeys(names, cell.label.replace("_", " "))
    facts, wanted = (lambda: FACTS_PLACEHOLDER) if failures else no_facts, requirements_of(unit, unit[name])
    evidence = Evidence(wanted, source, failures, helpers, prints, facts=facts, rebound=rebound)
    return diagnose(evidence, surely)


@cache
def _teachers_code(unit: Unit) -> str:
    """Return the code of the teacher's own cells in an imported unit, which may define given names, too."""
    file = unit.pack.folder("solutions") / f"{unit.name}.ipynb"
    return "\n".join(cell.source for cell in read_notebook(file).cells) if file.is_file() else ""


def _advice_on_obstacle(obstacle: Obstacle | None, wanted: Requirements) -> Diagnosis | None:
    """Return advice on an obstacle, or None."""
    match obstacle:
        case UnparsedCell(Flaw(FlawKind.TOO_LONG)):  # parsing its text could take minutes
            return Diagnosis(SHORTEN_ADVICE)
        case UnparsedCell(source=source):
            return diagnose(Evidence(wanted, source, syntax_problem=syntax_problem_of(source)))
        case None:
            return None
    says = advice_on_obstacle(obstacle, wanted.name, wanted.is_called)
    return Diagnosis(says) if says else None


FACTS_LENGTH = 800
SentCall = tuple[int, CallOwner, str, list[tuple[str, Tree]], int, int]
SentRun = tuple[list[SentCall], list[tuple[EventKind, int, int, Tree]], RunState]
_sandbox_of_thread = cache(lambda thread: ReusedSandbox())


def facts_from_child(setting: GradingContext, job: Job, failure: Failure) -> str:
    """Run a failing call again, and return two lines that explain its result, or "" if no explanation is known.

    The process that runs the call does not know the expected results. Only plain answers run again, since other answers
    could change the recording of the run.
    """
    if not job.is_plain:
        return ""
    cells = [
        (f"<{label}>", labeled_source(setting.submission, label))
        for label in dict.fromkeys(step.name for step in job.plan if isinstance(step.source, str))
    ]
    unit, first, modules = setting.exam.unit, len(SPOTS), (*setting.sandbox.modules, "course.watch.record")
    run = job.requested_run(setting)._replace(orders=(failure.setup, failure.call, cells))
    try:
        sandbox = _sandbox_of_thread(get_ident()).get(
            replace(setting.sandbox, modules=modules, runner="inside.watcher")
        )
        with sandbox.child(seconds=SECONDS_FOR_EXTRAS) as child:
            child.send_last(packed_request(Request(unit.module.__name__, [run])))
            received = child.receive() or b""
        for _, text in cells:
            add_spots(text)
        recorded = _recorded_run(
            json.decode(received, type=SentRun), setting.exam.wire, [*range(first, len(SPOTS)), -1]
        )
        return line_without_folders(
            fact_sentences(recorded, job.paper.exercise.name, failure, vars(unit.module)), FACTS_LENGTH
        )
    except Exception:  # what a process sends may be anything
        return ""
    finally:
        del SPOTS[first:]


def _recorded_run(sent: SentRun, wire: Wire, spots: Sequence[int]) -> RecordedRun:
    """Return the run that a process has sent. `spots` are our numbers for its spots, from the first cell on.

    Raises IndexError or WireError if the run is invalid.
    """
    calls, events, state = sent
    made = (
        RecordedCall(
            number, parent, kind, name, tuple((each, wire.decode(arg)) for each, arg in args), spots[spot], -1, -1, end
        )
        for number, (parent, kind, name, args, spot, end) in enumerate(calls)
    )
    noted = (RunEvent(kind, call, spots[spot], wire.decode(tree)) for kind, call, spot, tree in events)
    return RecordedRun("", tuple(made), tuple(noted), state, None, None, 0)
