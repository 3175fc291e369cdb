"""The class page: one HTML file that works offline, in print, and in light and dark mode."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import chain

from toolz import groupby, merge, merge_with, unique

from autograder.classroom import charts, model
from autograder.classroom.alike import Alike, alike
from autograder.classroom.groups import Group, groups
from autograder.classroom.help import InNeed, in_need
from autograder.classroom.model import Counts, HandIn
from autograder.classroom.tabular import tabular
from autograder.classroom.template import rendered
from autograder.submission.fingerprints import Prints
from autograder.term.comments import Comments
from autograder.text import counted, safe_cell

MOST_GROUPS, MOST_SOURCES, MOST_PAIRS, MOST_BARS, LONGEST_SOURCE = 40, 4, 60, 15, 20_000
PageData = dict[str, object]  # what the template shows, by name


@dataclass(frozen=True)
class ClassPage:
    """The data of the class page: entries by unit in teaching order, comments by group, and common sources."""

    title: str
    by_unit: Mapping[str, Sequence[HandIn]]
    titles: Mapping[str, str]
    comments: Comments
    common: Mapping[str, Sequence[str]]
    version: str
    without_work: tuple[InNeed, ...] = ()


def page(shown: ClassPage, anonymous: bool = False) -> str:
    """Return the page. If `anonymous` is true, it has no names of students and files."""
    parts = [_part(shown, unit, entries, anonymous) for unit, entries in shown.by_unit.items()]
    submissions = counted(sum(map(len, shown.by_unit.values())), "submission")
    return rendered(
        "page.html",
        {"counted": counted, "csv": csv_text, "cut": _cut, "most_sources": MOST_SOURCES},
        title=shown.title,
        intro=f"{submissions} in {counted(len(parts), 'unit')}.",
        parts=parts,
        sections=_sections(shown, anonymous),
        comments=shown.comments,
        anonymous=anonymous,
        version=shown.version,
    )


def _part(shown: ClassPage, unit: str, entries: Sequence[HandIn], anonymous: bool) -> PageData:
    """Return the section on a unit."""
    all_groups = groups(entries)
    lines = [group for group in all_groups[:MOST_GROUPS] if len(group.students) > 1 or not anonymous]
    return {
        "anchor": unit,
        "title": shown.titles.get(unit, unit),
        "pictures": _pictures(entries),
        "groups": lines,
        "grouped": _grouped(all_groups, lines),
        "of": len(entries),
    }


def _grouped(all_groups: Sequence[Group], explained: Sequence[Group]) -> str:
    several = [group for group in all_groups if len(group.students) > 1]
    wrong = sum(len(group.students) for group in all_groups)
    shown = f" The {len(explained)} largest groups are shown." if len(explained) < len(all_groups) else ""
    held = sum(len(group.students) for group in several)
    return (
        f"{counted(wrong, 'wrong answer')}. Answers with the same results form a group, so there are "
        f"{counted(len(all_groups), 'group')}; {len(several)} of them have several students ({held} answers).{shown}"
    )


def _pictures(entries: Sequence[HandIn]) -> list[PageData]:
    return [
        _picture(model.marks(entries), charts.columns),
        _picture(model.difficulty(entries), charts.stacked),
        _picture(model.reach(entries), charts.bars),
        _believed(model.beliefs(entries)),
        _picture(model.form(entries), charts.bars),
    ]


def _picture(table: Counts, draw: Callable[[Counts], charts.ChartParts]) -> PageData:
    return {"table": table, "svg": charts.chart_svg(table, draw) if table.rows else ""}


def _believed(table: Counts) -> PageData:
    """Return the most frequent beliefs. The chart shortens them; the table below it shows them in full."""
    few = table.rows[:MOST_BARS]
    bars = replace(table, rows=tuple((f"{_short(belief)} ({name})", count) for name, belief, count in few))
    return _picture(bars, charts.bars) | {"table": table}


def _short(text: str, longest: int = 60) -> str:
    return text if len(text) <= longest else text[:longest].rsplit(" ", 1)[0] + " …"


def _section(anchor: str, title: str, note: str, **parts: object) -> PageData:
    """Return a part of the page about students instead of units."""
    return {"anchor": anchor, "title": title, "note": note, **parts}


def _sections(shown: ClassPage, anonymous: bool) -> list[PageData]:
    units = model.between_units(shown.by_unit)
    between = _section("units", units.title, "Share of the points earned in each unit.", table=units)
    if anonymous:
        return [between]
    return [_needy(shown), _similar(shown), *_tables(shown), between]


def _needy(shown: ClassPage) -> PageData:
    results = (*shown.without_work, *in_need(shown.by_unit))
    of = counted(len(list(shown.by_unit.values())[-1]) if shown.by_unit else 0, "student")
    why = "Students who stopped early, got fewer points than in earlier units, or have many syntax errors."
    missing = len(shown.without_work)
    no_hand_in = f"{counted(missing, 'student')} handed in nothing that can be read; they come first. " * bool(missing)
    others = f"{len(results) - missing} of {of} in the last unit. {why}"
    note = f"{no_hand_in}{others}" if results else f"None of {of} stands out."
    return _section("help", "Who may need help", note, in_need=results)


def _similar(shown: ClassPage) -> PageData:
    pairs = [pair for unit, entries in shown.by_unit.items() for pair in _pairs(unit, entries, shown)]
    of = counted(sum(map(len, shown.by_unit.values())), "submission")
    why = (
        "Code that is the same apart from names, order, comments and layout. Code of the notebook, of the reference "
        "answers and of most of the class is left out. Similar does not mean copied: talk to the students first."
    )
    most = f", at most {MOST_PAIRS} per unit" * (len(pairs) >= MOST_PAIRS)
    note = f"{counted(len(pairs), 'group')} in {of}{most}. {why}" if pairs else f"No two of {of} are similar."
    return _section("alike", "Similar code", note, pairs=pairs)


def _pairs(unit: str, entries: Sequence[HandIn], shown: ClassPage) -> list[PageData]:
    """Return the pairs of similar submissions, with the code that they share."""
    members: dict[str, list[str]] = {}
    for entry in entries:
        members.setdefault(entry.group, []).append(entry.student)
    # A student has several entries if a unit has several assignments. A group works together, so it counts as one.
    of_all = groupby(lambda each: ", ".join(unique(members[each.group])) if each.group else each.student, entries)
    sources = {name: merge(each.code.sources for each in own) for name, own in of_all.items()}
    prints = {name: merge_with(_union, *(each.code.prints for each in own)) for name, own in of_all.items()}
    result = alike(prints, shown.common.get(unit, ()))
    title = shown.titles.get(unit, unit)
    return [{"alike": each, "unit": title, "sources": _shared(each, sources)} for each in result[:MOST_PAIRS]]


def _union(prints: Iterable[Iterable[int]]) -> Prints:
    """Return all fingerprints of several sources."""
    return frozenset(chain.from_iterable(prints))


def _shared(each: Alike, sources: Mapping[str, Mapping[str, str]]) -> tuple[str, str]:
    of_first, of_second = (
        "\n\n".join(sources[name][label] for label in each.exercises if label in sources[name])
        for name in (each.first, each.second)
    )
    return _cut(of_first), _cut(of_second)


def _cut(source: str) -> str:
    return source if len(source) <= LONGEST_SOURCE else f"{source[:LONGEST_SOURCE]}\n…"


def _tables(shown: ClassPage) -> list[PageData]:
    """Return the section on answers that are mostly tables of values, if there are any."""
    entries = (entry for entries in shown.by_unit.values() for entry in entries)
    results = [each for entry in entries for each in tabular(entry.student, entry.code.sources)]
    note = (
        "These answers list results instead of computing them. That can be right for an exercise with few inputs. "
        "Elsewhere, the student may have copied results from the practice exam."
    )
    most = sorted(results, key=lambda each: (-each.values, each.student, each.exercise))
    return [_section("tables", "Answers that are mostly tables of values", note, tabular=most)] if results else []


def csv_text(table: Counts) -> str:
    """Return a table as CSV. Cells are escaped, so that spreadsheets do not read them as formulas."""
    text = StringIO()
    csv.writer(text).writerows([table.columns, *([safe_cell(cell) for cell in row] for row in table.rows)])
    return text.getvalue()
