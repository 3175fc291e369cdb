"""`foldem grade`: many submissions, a table, files of reports, an exit status."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from toolz import groupby

from autograder.config import PUBLISHED, Policy, policy_for
from autograder.grading.batch import HandedIn, grade_all, with_odd_ones_out
from autograder.report import render
from autograder.report.model import UNGRADED, ExerciseReport, Graded, Ungradable
from autograder.report.summary import class_summary
from autograder.submission.find import find_notebooks, page_name
from autograder.text import counted
from autograder.units.unit import read_unit

ALL_GRADED, SOME_NOT, NOTHING = 0, 1, 2
ON_PUBLISHED = (
    "Graded on the published exam, which students can try and learn by heart. "
    "In a course folder (foldem course) it is one of your own; --seed takes one, too."
)


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


def print_results(console: Console, graded: list[HandedIn]) -> None:
    """Print the class's table, then for each unit what went how well, exercise by exercise."""
    table = Table("submission", "unit", "points", "solved", "remarks")
    for item in graded:
        match item.report:
            case Ungradable(problem, unit):
                table.add_row(item.name, unit, "–", "–", problem, style="red")
            case Graded() as report:
                solved = f"{report.solved} / {len(report.exercises)}"
                points = f"{report.points:g} / {report.of:g}"
                table.add_row(item.name, report.unit, points, solved, _remarks(report))
    console.print(table)
    sound = [item.report for item in graded if isinstance(item.report, Graded)]
    for reports in groupby(lambda report: (report.unit, report.set_exercises), sound).values():
        _print_exercises(console, reports)
    if any(report.seed == PUBLISHED for report in sound):
        console.print(f"\n{ON_PUBLISHED}", style="dim")


def _remarks(report: Graded) -> str:
    ungraded = [exercise.name for exercise in report.exercises if exercise.state == UNGRADED]
    lines = [f"ungraded: {', '.join(ungraded)}"] * bool(ungraded) + list(report.remarks)
    return "\n".join(lines)


def _print_exercises(console: Console, reports: list[Graded]) -> None:
    names, head = reports[0].set_exercises, reports[0].title
    if len(names) < len(read_unit(reports[0].unit).exercises):
        head += f", {counted(len(names), 'exercise')} from {names[0]} to {names[-1]}" if names else ", no exercise"
    console.print(Text.assemble("\n", (head, "bold"), ": solved, and the commonest failure with its smallest input"))
    for row in class_summary(reports):
        console.print(Text.assemble(f"{row.solved:>5.0%}  ", (row.name, "bold"), f"  {row.facet}"))
        lines = [row.verdict] * bool(row.verdict)
        lines += [f"{row.believers} probably thought: {row.belief}"] * bool(row.belief)
        for line in lines:
            console.print(Padding(Text(line, style="dim"), (0, 0, 0, 7)))


def write_results(folder: Path, graded: list[HandedIn]) -> None:
    """Write report.json, report.csv, and a page for each submission."""
    folder.mkdir(parents=True, exist_ok=True)
    reports = [{"submission": item.name, **item.report.as_dict()} for item in graded]
    (folder / "report.json").write_text(json.dumps(reports, indent=1) + "\n", encoding="utf-8")
    with (folder / "report.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([_cell(item) for item in row] for row in _rows(graded))
    for item in graded:
        page = render.report_page(item.report, item.name)
        (folder / page_name(item.name)).write_text(page, encoding="utf-8")


def _cell(item: object) -> object:
    """Give what can stand in a cell of a spreadsheet, where a text that begins like a formula would be one."""
    return f"'{item}" if isinstance(item, str) and item[:1] in ("=", "+", "-", "@") else item


def _rows(graded: list[HandedIn]) -> Iterator[list[object]]:
    yield ["submission", "unit", "exercise", "state", "points", "of", "first failure", "probably thought"]
    for item in graded:
        match item.report:
            case Ungradable(problem, unit):
                yield [item.name, unit, "", UNGRADED, "", "", problem, ""]
            case Graded(unit=unit, exercises=exercises):
                yield from ([item.name, unit, *_row(exercise)] for exercise in exercises)


def _row(exercise: ExerciseReport) -> list[object]:
    failure = exercise.first_failure
    verdict = failure.verdict if failure else exercise.problem
    return [exercise.name, exercise.state, exercise.points, exercise.of, verdict, exercise.belief]
