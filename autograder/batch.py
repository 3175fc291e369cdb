"""`foldem grade` and `foldem check`: many submissions, a table, files of reports, an exit status."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text
from toolz import groupby

from autograder import render, verdicts
from autograder.config import policy_for
from autograder.examiner import policy_at_work, result_with_lines
from autograder.exams import exam_for
from autograder.grading import fault_of, grade
from autograder.reports import PUBLISHED, Policy, Report
from autograder.sandbox.host import NoSandbox
from autograder.submission import NotebookError, read_notebook, read_submission, unit_of
from autograder.text import counted, printable
from autograder.unit import Unit, read_unit
from course.results import bar

ALL_GRADED, SOME_NOT, NOTHING = 0, 1, 2
ODD_SHARE = 1 / 3
ON_PUBLISHED = (
    "Graded on the published exam, which students can try and learn by heart. "
    "In a course folder (foldem course) it is one of your own; --seed takes one, too."
)


@dataclass(frozen=True)
class Graded:
    """A notebook's report, under the name that the tables call it by."""

    name: str
    path: Path
    report: Report


def run(
    paths: Iterable[Path], out: Path | None, unit: str | None, sandbox: str | None, seed: str | None, jobs: int
) -> int:
    """Grade all notebooks under `paths`, print and write the results, and give the exit status."""
    console, errors = Console(markup=False, emoji=False), Console(stderr=True, markup=False, emoji=False)
    found = list(find_notebooks(paths))
    if not found:
        errors.print("foldem: there is no notebook in " + ", ".join(map(str, paths)), style="red")
        return NOTHING
    policy = overridden(policy_for(found[0][1].parent), sandbox, seed)
    wanted = read_unit(unit) if unit else None
    graded = with_odd_ones_out(grade_all(found, wanted, policy, jobs, errors))
    print_results(console, graded)
    if out:
        write_results(out, graded)
        console.print(f"Reports: {out}")
    return ALL_GRADED if all(item.report.is_graded for item in graded) else SOME_NOT


def overridden(policy: Policy, sandbox: str | None, seed: str | None) -> Policy:
    """Give the policy with what was said on the command line."""
    return replace(policy, sandbox=sandbox or policy.sandbox, seed=policy.seed if seed is None else seed)


def find_notebooks(paths: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """Give the notebooks under `paths`, each once, with a short name: what tells it from the others of its folder."""
    seen, pages = set[Path](), set[Path]()
    for name, path in _named_notebooks(paths):
        place = path.absolute() if path.is_symlink() else path.resolve()
        if place in seen:
            continue
        if render.page_path(Path(), name) in pages:
            name = str(path)
        seen.add(place)
        pages.add(render.page_path(Path(), name))
        yield printable(name.encode(errors="replace").decode()), path


def _named_notebooks(paths: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    for path in paths:
        if not path.is_dir():
            yield path.name, path
            continue
        for notebook in sorted(path.rglob("*.ipynb")):
            if not any(part.startswith(".") for part in notebook.relative_to(path).parts):
                yield str(notebook.relative_to(path).with_suffix("")), notebook


def grade_all(
    found: list[tuple[str, Path]], unit: Unit | None, policy: Policy, jobs: int, console: Console
) -> list[Graded]:
    """Give the reports in order, with a progress bar on the way."""
    build_exams(found, policy, console)
    columns = (TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress, ThreadPoolExecutor(jobs) as pool:
        task = progress.add_task("grading", total=len(found))

        def one(item: tuple[str, Path]) -> Graded:
            graded = Graded(*item, report_on(item[1], unit, policy))
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
        problem = f"a fault of the grader: {fault_of(error)}"
    return Report(unit.name if unit else "", unit.title if unit else "", "", "", "", (), (), problem)


def with_odd_ones_out(graded: list[Graded]) -> list[Graded]:
    """Give the reports, with a remark on each that sets other exercises than most of its unit do.

    Which they are stands in a notebook's metadata, where a student can change it: it must at least be noticed.
    """
    common: dict[str, Counter[tuple[str, ...]]] = {}
    for item in graded:
        if not item.report.problem:
            common.setdefault(item.report.unit, Counter())[item.report.set_exercises] += 1
    return [item if item.report.problem else _remarked(item, common[item.report.unit]) for item in graded]


def _remarked(item: Graded, common: Counter[tuple[str, ...]]) -> Graded:
    own = item.report.set_exercises
    (usual, number), *_ = common.most_common(1)
    if own == usual or number < 2 or common[own] > ODD_SHARE * common.total():
        return item
    left = [name for name in usual if name not in own]
    told = f": without {', '.join(left)}" if left else ""
    remark = f"sets {counted(len(own), 'exercise')}, where {number} others here set {len(usual)}{told}"
    return replace(item, report=replace(item.report, remarks=(*item.report.remarks, remark)))


def print_results(console: Console, graded: list[Graded]) -> None:
    """Print the class's table, then for each unit what went how well, exercise by exercise."""
    table = Table("submission", "unit", "points", "solved", "remarks")
    for item in graded:
        report = item.report
        if report.problem:
            table.add_row(item.name, report.unit, "–", "–", report.problem, style="red")
        else:
            points = f"{report.points:g} / {report.of:g}"
            table.add_row(
                item.name, report.unit, points, f"{report.solved} / {len(report.exercises)}", _remarks(report)
            )
    console.print(table)
    sound = [item.report for item in graded if not item.report.problem]
    for reports in groupby(lambda report: (report.unit, report.set_exercises), sound).values():
        _print_exercises(console, reports)
    if any(item.report.seed == PUBLISHED for item in graded):
        console.print(f"\n{ON_PUBLISHED}", style="dim")


def _remarks(report: Report) -> str:
    ungraded = [exercise.name for exercise in report.exercises if exercise.state == "ungraded"]
    lines = [f"ungraded: {', '.join(ungraded)}"] * bool(ungraded) + list(report.remarks)
    return "\n".join(lines)


def _print_exercises(console: Console, reports: list[Report]) -> None:
    names, head = reports[0].set_exercises, reports[0].title
    if len(names) < len(read_unit(reports[0].unit).exercises):
        head += f", {counted(len(names), 'exercise')} from {names[0]} to {names[-1]}" if names else ", no exercise"
    console.print(Text.assemble("\n", (head, "bold"), ": solved, and the commonest failure with its smallest input"))
    for row in render.class_summary(reports):
        console.print(Text.assemble(f"{row.solved:>5.0%}  ", (row.name, "bold"), f"  {row.facet}"))
        lines = [verdicts.shortened(row.verdict)] * bool(row.verdict)
        lines += [f"{row.believers} probably thought: {row.belief}"] * bool(row.belief)
        for line in lines:
            console.print(Padding(Text(line, style="dim"), (0, 0, 0, 7)))


def write_results(folder: Path, graded: list[Graded]) -> None:
    """Write report.json, report.csv, and a page for each submission."""
    folder.mkdir(parents=True, exist_ok=True)
    reports = [{"submission": item.name, **item.report.as_dict()} for item in graded]
    (folder / "report.json").write_text(json.dumps(reports, indent=1) + "\n", encoding="utf-8")
    with (folder / "report.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([_cell(item) for item in row] for row in _rows(graded))
    for item in graded:
        page = render.report_page(item.report, item.name)
        render.page_path(folder, item.name).write_text(page, encoding="utf-8")


def _cell(item: object) -> object:
    """Give what can stand in a cell of a spreadsheet, where a text that begins like a formula would be one."""
    return f"'{item}" if isinstance(item, str) and item[:1] in ("=", "+", "-", "@") else item


def _rows(graded: list[Graded]) -> Iterator[list[object]]:
    yield ["submission", "unit", "exercise", "state", "points", "of", "first failure", "probably thought"]
    for item in graded:
        if item.report.problem:
            yield [item.name, item.report.unit, "", "ungraded", "", "", item.report.problem, ""]
        for exercise in item.report.exercises:
            failure = exercise.first_failure
            verdict = failure.verdict if failure else exercise.problem
            result = exercise.state, exercise.points, exercise.of, verdict, exercise.belief
            yield [item.name, item.report.unit, exercise.name, *result]


def check_notebook(path: Path, name: str | None) -> int:
    """Print what the notebook's own checks would say, and give 0 if all of it is right."""
    submission = read_submission(path)
    if name and name not in submission.unit.by_name:
        raise NotebookError(f"{submission.unit.name} has no exercise {name!r}")
    if name and name not in submission.assigned:
        raise NotebookError(f"{name} is given in this notebook")
    policy = replace(policy_at_work(path.parent), exercises=(name,) if name else ())
    report = grade(submission, policy)
    lines = [f"{report.title}: {report.points:g} of {report.of:g} points", *(f"! {line}" for line in report.remarks)]
    lines += [result_with_lines(exercise, submission).text() for exercise in report.exercises]
    lines += [bar(report.solved, len(report.exercises))] * (name is None)
    Console(soft_wrap=True).print("\n".join(lines), markup=False, highlight=False)
    return ALL_GRADED if report.solved == len(report.exercises) else SOME_NOT
