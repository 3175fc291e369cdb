"""The class page, and the page for an oral check. Both work offline, in print, and in light and dark mode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from jinja2 import Environment
from toolz import groupby, merge, merge_with, unique

from autograder.classroom import model
from autograder.classroom.model import (
    ChartTable,
    HandIn,
    SimilarPair,
    StudentInNeed,
    answer_groups,
    similar_pairs,
    students_in_need,
)
from autograder.report.render import docstring_lines_in, source_html
from autograder.text import count_text, shown_name
from course.diagnoses.failure import Failure
from course.show.blocks import as_html, backquotes_html
from course.show.failed import failure_elements
from course.syntax import lines_of
from course.viva import CodeQuestion

HERE = Path(__file__).parent


def render_template(name: str, functions: Mapping[str, object] = MappingProxyType({}), **parts: object) -> str:
    """Return the template `name` as HTML, filled in with `parts`. The template can call the `functions`."""
    environment = Environment(autoescape=True, trim_blocks=True)
    environment.globals |= functions
    return environment.from_string((HERE / name).read_text(encoding="utf-8")).render(**parts)


GROUPS_SHOWN, SOURCES_SHOWN, PAIRS_SHOWN, SOURCE_ROOM = 40, 4, 60, 20_000
SIMILARITY_NOTE = (
    "Code that is the same apart from names, order, comments and layout. Code of the notebook, of the reference "
    "answers and of most of the class is left out. A common style explains some of it. If several are similar, "
    "only the closest pairs are listed. Similar does not mean copied: talk to the students first."
)
PageData = dict[str, object]  # what the template shows, by name


@dataclass(frozen=True)
class ClassPageData:
    """The data of the class page: submissions by unit in teaching order, and sources that any student may have."""

    title: str
    by_unit: Mapping[str, Sequence[HandIn]]
    titles: Mapping[str, str]
    common: Mapping[str, Sequence[str]]
    version: str
    without_work: tuple[StudentInNeed, ...] = ()


def class_page(shown: ClassPageData) -> str:
    """Return the class page as HTML."""
    functions = {"counted": count_text, "evidence": _failure_html, "code": _answer_html}
    every = [*chain(*shown.by_unit.values())]
    return render_template(
        "page.html",
        functions,
        title=shown.title,
        intro=f"{count_text(len(every), 'submission')} in {count_text(len(shown.by_unit), 'unit')}.",
        parts=[_unit_section(shown, unit, entries) for unit, entries in shown.by_unit.items() if entries],
        students=_students_table(shown),
        needs=students_in_need(shown.by_unit),
        missing=shown.without_work,
        pages={each.student: each.page for each in shown.without_work} | {each.student: each.page for each in every},
        alike=_similar_code_section(shown),
        most_sources=SOURCES_SHOWN,
        version=shown.version,
    )


def _unit_section(shown: ClassPageData, unit: str, entries: Sequence[HandIn]) -> PageData:
    """Return the section on a unit."""
    all_groups = answer_groups(entries)
    several = [group for group in all_groups if len(group.students) > 1]
    listed = (several if len(entries) > 1 else all_groups)[:GROUPS_SHOWN]
    difficulty = model.difficulty_table(entries)
    wrong = count_text(sum(len(group.students) for group in all_groups), "wrong answer")
    rest = f" The {len(listed)} largest are on this page; students' own pages have all."
    grouped = (
        f"{wrong} in {count_text(len(all_groups), 'group')}: answers with the same results form a group."
        f"{rest * (len(listed) < len(all_groups))}"
    )
    return {
        "anchor": unit,
        "title": shown.titles.get(unit, unit),
        "difficulty": difficulty,
        "marks": model.marks_table(entries),
        "form": model.form_table(entries),
        "hardest": [row for row in difficulty.rows if 0 < sum(row[1:3]) == sum(difficulty.rows[0][1:3])],
        "commonest": next(iter(several), None),
        "groups": groupby(lambda group: group.exercise, listed),
        "grouped": f"{wrong}. No two students gave the same one." if all_groups and not listed else grouped,
        "pages": {entry.student: entry.page for entry in entries},
        "of": len(entries),
    }


def _students_table(shown: ClassPageData) -> ChartTable:
    """Return the table of students with their points. Students with the fewest points in the last unit come first."""
    by_unit = [groupby(lambda entry: entry.student, entries) for entries in shown.by_unit.values()]
    last = by_unit[-1] if by_unit else {}
    weakest = sorted(last, key=lambda name: (sum(entry.share for entry in last[name]), name))
    names = dict.fromkeys((*weakest, *(each.student for each in shown.without_work), *chain(*by_unit)))
    rows = [
        (name, *(_points_and_solved(of.get(name, ()))[0] for of in by_unit), _points_and_solved(last.get(name, ()))[1])
        for name in names
    ]
    titles = [shown.titles.get(unit, unit) for unit in shown.by_unit] if len(by_unit) > 1 else ["points"]
    return ChartTable("Students", ("student", *titles, "solved"), tuple(rows), len(rows))


def _points_and_solved(entries: Iterable[HandIn]) -> tuple[str, str]:
    """Return the points and the solved exercises of a student in a unit, which may have several assignments."""
    figures = [
        (each.report.points, each.report.of, each.report.solved, len(each.report.exercise_reports)) for each in entries
    ]
    points, of, solved, exercises = map(sum, zip(*figures, strict=True)) if figures else (0, 0, 0, 0)
    return (f"{points:g} of {of:g}", f"{solved} of {exercises}") if figures else ("–", "–")


def _failure_html(failure: Failure) -> str:
    """Return a failed call as on a student's page, without the line of one student's code that failed."""
    return as_html(failure_elements(replace(failure, line=0)))


def _answer_html(source: str) -> str:
    """Return an answer as HTML, with folded docstrings."""
    return source_html(source if len(source) <= SOURCE_ROOM else f"{source[:SOURCE_ROOM]}\n…")


def _similar_code_section(shown: ClassPageData) -> PageData | None:
    """Return the part of the page about similar code; None if no unit has several submissions."""
    if all(len(entries) < 2 for entries in shown.by_unit.values()):
        return None
    pairs = [pair for unit, entries in shown.by_unit.items() for pair in _pairs_with_code(unit, entries, shown)]
    of = count_text(sum(map(len, shown.by_unit.values())), "submission")
    most = f", at most {PAIRS_SHOWN} per unit" * (len(pairs) >= PAIRS_SHOWN)
    note = (
        f"{count_text(len(pairs), 'pair')} in {of}{most}. {SIMILARITY_NOTE}"
        if pairs
        else f"No two of {of} share enough rare code to be listed here. Short answers are often the same by chance."
    )
    return {"note": note, "pairs": pairs}


def _pairs_with_code(unit: str, entries: Sequence[HandIn], shown: ClassPageData) -> list[PageData]:
    """Return the pairs of similar submissions, with the code that they share."""
    members: dict[str, list[str]] = {}
    for entry in entries:
        members.setdefault(entry.group, []).append(entry.student)
    # A student has several entries if a unit has several assignments. A group works together, so it counts as one.
    of_all = groupby(lambda each: ", ".join(unique(members[each.group])) if each.group else each.student, entries)
    sources = {name: merge(each.code.sources for each in own) for name, own in of_all.items()}
    prints_of_all = {name: [each.code.prints for each in own] for name, own in of_all.items()}
    prints = {name: merge_with(lambda each: frozenset(chain(*each)), *own) for name, own in prints_of_all.items()}
    result = similar_pairs(prints, shown.common.get(unit, ()))
    title = shown.titles.get(unit, unit)
    return [{"alike": each, "unit": title, "sources": _shared_code(each, sources)} for each in result[:PAIRS_SHOWN]]


def _shared_code(each: SimilarPair, sources: Mapping[str, Mapping[str, str]]) -> list[tuple[str, str]]:
    """Return the names of a pair, each with the similar code."""
    both = (each.first, each.second)
    return [(name, "\n\n".join(filter(None, map(sources[name].get, each.exercises)))) for name in both]


def oral_page(student: str, questions: Sequence[CodeQuestion]) -> str:
    """Return the page for an oral check as HTML.

    All text from the student is escaped, so that it cannot add code to the page.
    """
    functions = {"counted": count_text, "numbered_lines": numbered_lines, "prose": backquotes_html}
    return render_template("oral.html", functions, student=shown_name(student), questions=questions)


def numbered_lines(code: str) -> list[tuple[int, str]]:
    """Return the lines of an answer with their numbers. The lines of docstrings are left out.

    >>> numbered_lines("def f():\\n    {0}It returns 1.{0}\\n    return 1".format('"' * 3))
    [(1, 'def f():'), (3, '    return 1')]
    """
    docstrings = {line for first, last in docstring_lines_in(code) for line in range(first, last + 1)}
    return [each for each in enumerate(lines_of(code.rstrip()), 1) if each[0] not in docstrings]
