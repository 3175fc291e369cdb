"""Many submissions at once: each has its report, in order, and what is odd among them is remarked on."""

from __future__ import annotations

from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading.run import grade
from autograder.report.model import Graded, Report, Ungradable
from autograder.report.words import fault_text, odd_part_text
from autograder.sandbox.host import NoSandbox
from autograder.submission.sort import NotebookError, read_notebook, read_submission, unit_of
from autograder.units.unit import Unit

ODD_SHARE = 1 / 3


@dataclass(frozen=True)
class HandedIn:
    """A notebook's report, under the name that the tables call it by."""

    name: str
    path: Path
    report: Report


def grade_all(
    found: list[tuple[str, Path]], unit: Unit | None, policy: Policy, jobs: int, console: Console
) -> list[HandedIn]:
    """Give the reports in order, with a progress bar on the way."""
    build_exams(found, policy, console)
    columns = (TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress, ThreadPoolExecutor(jobs) as pool:
        task = progress.add_task("grading", total=len(found))

        def one(item: tuple[str, Path]) -> HandedIn:
            graded = HandedIn(*item, report_on(item[1], unit, policy))
            progress.advance(task)
            return graded

        return list(pool.map(one, found))


def build_exams(found: list[tuple[str, Path]], policy: Policy, console: Console) -> None:
    """Have the exams ready before anything is graded: building one runs the references in this very process."""
    for name in sorted({unit for _, path in found if (unit := _unit_name(path))}):
        with console.status(f"preparing the exam of {name} (once)"):
            exam_for(name, policy.seed)


def _unit_name(path: Path) -> str | None:
    try:
        return unit_of(read_notebook(path)).name
    except NotebookError:
        return None


def report_on(path: Path, unit: Unit | None, policy: Policy) -> Report:
    """Give the report on a file; one that is no submission has a report that says why."""
    try:
        if path.is_symlink():
            raise NotebookError("a link to another file, which is not followed: it may be somebody else's")
        return grade(read_submission(path, unit), policy)
    except NotebookError as error:
        problem = str(error)
    except NoSandbox:
        raise
    except Exception as error:
        problem = fault_text(error)
    return Ungradable(problem, unit.name, unit.title) if unit else Ungradable(problem)


def with_odd_ones_out(graded: list[HandedIn]) -> list[HandedIn]:
    """Give the reports, with a remark on each that sets other exercises than most of its unit do.

    Which they are stands in a notebook's metadata, where a student can change it: it must at least be noticed.
    """
    common: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for item in graded:
        if isinstance(item.report, Graded):
            common[item.report.unit][item.report.set_exercises] += 1
    return [replace(item, report=_remarked(item.report, common[item.report.unit])) for item in graded]


def _remarked(report: Report, common: Counter[tuple[str, ...]]) -> Report:
    if isinstance(report, Ungradable):
        return report
    own = report.set_exercises
    (usual, number), *_ = common.most_common(1)
    if own == usual or number < 2 or common[own] > ODD_SHARE * common.total():
        return report
    left = tuple(name for name in usual if name not in own)
    return replace(report, remarks=(*report.remarks, odd_part_text(len(own), number, len(usual), left)))
