"""Show reports as HTML and as text: in cells, on feedback pages, and in the terminal, also as a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from html import escape
from itertools import cycle
from statistics import mean, median
from types import MappingProxyType
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from autograder.config import PUBLISHED
from autograder.report.model import (
    PASSED,
    UNGRADED,
    UNWRITTEN,
    ExerciseReport,
    Graded,
    KnownMistake,
    Report,
    Ungradable,
)
from autograder.report.stops import LeftToNbgrader
from autograder.report.words import note_lines, problem_text, remark_lines, shown_failure, stop_text
from autograder.submission.reading import WRITTEN_REPORT
from autograder.text import counted
from autograder.units.pack import Catalogue
from autograder.units.unit import read_unit
from course.diagnoses import Diagnosis
from course.show.blocks import Element, Fold, Prose, as_text, wrapped
from course.show.results import BAD, GOOD, OPEN, Part, Result, score_text, state_sign

if TYPE_CHECKING:
    from jinja2 import Template


ON_PUBLISHED = (
    "Graded with the published exam, which students can learn by heart. "
    "To use a secret exam, make a course folder (foldem course) or add --seed."
)
NO_MARKS, OTHER_COLUMNS = "no complete marks yet", 32


class ClassTable:
    """A table that is printed row by row. It remembers only the points for the summary, not the reports."""

    def __init__(self, console: Console, names: Sequence[int], catalogue: Catalogue) -> None:
        self.console, self.catalogue = console, catalogue
        self.width = min(max([*names, len("submission")]), console.width - OTHER_COLUMNS)
        self.points: dict[tuple[str, float], list[float]] = {}  # by title and points possible
        self.is_published = False
        self.ungradable: list[str] = []
        self._print("submission", "unit", "points", "solved", style="bold")

    def add(self, name: str, report: Report) -> None:
        """Print the row of a submission, and below it the remarks."""
        match report:
            case Ungradable(reason):
                self._print(name, "", "–", "–", style="red")
                self.ungradable.append(f"{name}: {stop_text(reason)}")
            case Graded():
                solved = f"{report.solved} / {len(report.set_exercises)}"
                self._print(name, report.unit, f"{report.points:g} / {report.of:g}", solved)
                ungraded = [exercise.name for exercise in report.sets if exercise.state == UNGRADED]
                others = [f"left to nbgrader: {', '.join(map(marked_text, report.others))}"] * bool(report.others)
                for line in (*others, *[f"ungraded: {', '.join(ungraded)}"] * bool(ungraded), *remark_lines(report)):
                    self.console.print(Padding(Text(line, "dim"), (0, 0, 0, 4)))
                if report.unit in self.catalogue.units:
                    points = self.points.setdefault((title_of(report, self.catalogue), report.of), [])
                    points += [report.points] * report.is_graded
                    self.is_published |= report.seed == PUBLISHED

    def finish(self, last: Sequence[str] = ()) -> None:
        """Print the summary of the class, then the lines in `last`."""
        if self.is_published:
            self.console.print(f"\n{ON_PUBLISHED}", style="dim")
        self.console.print()
        for line in self.ungradable:
            self.console.print(Text(line, "red"))
        for (title, of), points in self.points.items():
            text = f"mean {mean(points):.1f}, median {median(points):.1f} of {of:g}" if points else NO_MARKS
            self.console.print(f"{title}: {text}, {counted(len(points), 'submission')}", highlight=False)
        for line in last:
            self.console.print(line, highlight=False, soft_wrap=True)

    def _print(self, name: str, unit: str, points: str, solved: str, style: str = "") -> None:
        rest = f"  {unit:<8}  {points:>11}  {solved:>7}"
        if cell_len(name) > self.width:
            self.console.print(Text(name, style), soft_wrap=True)
            name = ""
        self.console.print(Text(f"{set_cell_size(name, self.width)}{rest}", style))


def title_of(report: Graded, catalogue: Catalogue) -> str:
    """Return the title of a report's unit. If only a part of the unit was assigned, the title names the part."""
    names = report.set_exercises
    if not names or len(names) == len(read_unit(catalogue, report.unit).exercises):
        return report.title
    return f"{report.title}, {counted(len(names), 'exercise')} from {names[0]} to {names[-1]}"


def marked_text(other: ExerciseReport) -> str:
    """Return the name and the mark of a cell that nbgrader grades.

    >>> from autograder.report.model import PASSED
    >>> marked_text(ExerciseReport("essay", 0, PASSED, 1.5, 4)), marked_text(ExerciseReport("essay", 0, UNGRADED, 0, 4))
    ('essay (1.5 of 4)', 'essay (no mark yet)')
    """
    mark = "no mark yet" if other.state == UNGRADED else f"{other.points:g} of {other.of:g}"
    return f"{other.name} ({mark})"


def result_of(report: ExerciseReport, done: int | None = None, total: int = 0) -> Result:
    """Return an exercise's report as a `Result`, as `check` shows it. Only right answers get a note about printing."""
    mistake = report.mistake or KnownMistake("", "")
    advice = report.advice or Diagnosis(mistake.truth)
    parts = []
    for facet in report.facets:
        state = GOOD if facet.passed else BAD if facet.failure else OPEN
        size = f"up to {counted(facet.sets, 'set')}" if facet.sets else counted(facet.calls, "call")
        why = ", right, but not counted: calls with other inputs fail" if state == OPEN else ""
        parts.append(Part(state, facet.shown, size=f"{size}{why}", failure=shown_failure(facet)))
    return Result(
        name=report.name,
        state=report_state(report),
        headline=headline(report),
        parts=tuple(parts),
        says=advice.says,
        example=advice.example,
        belief="" if report.advice else mistake.belief,
        notes=note_lines(report, with_printing=report.state == PASSED),
        form=report.form,
        done=done,
        total=total,
    )


def report_state(report: ExerciseReport) -> str:
    """Return whether an exercise is good, bad or open, for its color and its sign."""
    return GOOD if report.state == PASSED else OPEN if report.state in (UNWRITTEN, UNGRADED) else BAD


def headline(report: ExerciseReport) -> str:
    """Return the line that summarizes the report on an exercise."""
    if isinstance(report.stop, LeftToNbgrader):
        return problem_text(report)
    if not report.number and report.of and report.state != UNGRADED:
        return f"{report.points:g} of {report.of:g} points, marked in nbgrader"
    if not report.number and report.state == PASSED:  # points from the teacher, or a deduction for lateness
        return f"{report.points:+g} point{'' if abs(report.points) == 1 else 's'}"
    points = score_text(report.points, report.of, report.form_points, report.form_of if report.share else 0)
    if report.state == UNGRADED:
        return f"could not be graded: {problem_text(report)}"
    if report.stop:
        return f"{problem_text(report)} · {points}"
    if report.state == PASSED:
        sets = sum(facet.sets for facet in report.facets)
        size = counted(report.calls, "call") + (f" and up to {counted(sets, 'set')}" if sets else "")
        return f"right in all {size} · {points}"
    right = sum(facet.passed for facet in report.facets)
    return f"{right} of {len(report.facets)} checks pass · {points}"


def exercise_text(report: ExerciseReport) -> str:
    """Return an exercise's report as plain text."""
    return result_of(report).text()


def report_text(report: Report, name: str) -> str:
    """Return a report as plain text: the points, the remarks, and each exercise."""
    if isinstance(report, Ungradable):
        return f"{name}: {stop_text(report.reason)}"
    lines = [f"{name}: {report.points:g} of {report.of:g} points", *(f"! {line}" for line in remark_lines(report))]
    return "\n".join((*lines, *map(exercise_text, report.exercises)))


def plain_html(report: ExerciseReport) -> str:
    """Return an exercise's report as HTML with simple tags and no styles, for platforms that filter HTML."""
    result = result_of(report)
    return f"<p><strong>{escape(result.headline)}</strong></p>{_simple(result.elements())}"


def _simple(elements: Iterable[Element]) -> str:
    parts = []
    for element in elements:
        match element:
            case Fold(summary, inside):
                parts.append(f"<p><em>{escape(summary)}</em></p>{_simple(inside)}")
            case Prose():
                parts.append(f"<p>{escape(as_text([element]))}</p>")
            case _:
                parts.append(f"<pre>{escape(as_text([element]))}</pre>")
    return "".join(parts)


# A text between three quotation marks in lines of its own, with an indentation, as the cells of exercises begin.
DOCSTRING = re.compile(r'\n( +"""(?:[^"]|"(?!""))*""")(?:\n|\Z)')
FOLDS = "{}", "<details><summary>docstring</summary>{}</details>"


def source_html(source: str) -> str:
    """Return an answer as HTML with colored code. The docstrings of its functions are folded.

    >>> source_html("def f():\\n    {0}It returns 1.{0}\\n    return 1".format('"' * 3)).count("<details>")
    1
    """
    parts = map(wrapped, DOCSTRING.split(source))
    return "".join(fold.format(part) for fold, part in zip(cycle(FOLDS), parts, strict=False))


def docstrings_in(source: str) -> Iterator[tuple[int, int]]:
    """Yield the first and last line numbers of each docstring."""
    for match in DOCSTRING.finditer(source):
        first = source.count("\n", 0, match.start(1)) + 1
        yield first, first + match[1].count("\n")


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
html { background: Canvas; color: CanvasText; }
body { max-width: {{ 96 if sources else 56 }}rem; margin: 2rem auto; padding: 0 1rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: .5rem 1.5rem; }
.pair > * { min-width: 0; }
.own { margin: 0; padding: .5rem .8rem; border-left: 2px solid; font: .9em ui-monospace, monospace; }
.own summary { cursor: pointer; font-family: system-ui, sans-serif; }
.own span, .own p { white-space: pre-wrap; overflow-wrap: anywhere; }
h1, footer { overflow-wrap: anywhere; } footer { opacity: .75; margin-top: 2rem; }
nav ul { columns: 16rem; padding-left: 0; list-style: none; }
nav a { display: inline-block; min-height: 24px; }
a { color: LinkText; }
section { margin: .8rem 0; scroll-margin-top: 1rem; overflow-wrap: anywhere; }
section:target { outline: 2px solid; outline-offset: 4px; }
@media screen { :root:has(#failed:checked) .good { display: none; } }
@media print { :root { font-size: 9pt; color-scheme: light; } button { visibility: hidden; }
  .pair { grid-template-columns: 3fr 2fr; } .good .pair { display: block; } .good { margin: .2rem 0; }
  .bad [role=group] details::details-content { content-visibility: visible; } summary { list-style: none !important; }
  .good details, .good .own, .own details { display: none; } h2 { break-after: avoid; }
  body { max-width: none; margin: 0; } .here { display: none; } }
</style></head><body><main>
<h1>{{ title }}</h1>
{% if problem %}<p><b>No points yet.</b> This file could not be graded: {{ problem }}</p>
<p>Open it in Jupyter. If it runs there, save it and hand it in again. If it does not, ask your teacher.</p>{% else %}
<p><b>{{ "%g" | format(report.points) }} of {{ "%g" | format(report.of) }} points</b> in {{ report.title }},
{{ report.solved }} of {{ report.sets | length }} exercises solved.</p>
{% for remark in remarks %}<p>! {{ remark }}</p>{% endfor %}
<nav class="here" aria-label="Exercises">
<p><label><input type="checkbox" id="failed"{{ " checked" if report.solved < report.sets | length
}}> Show only exercises that are not right</label></p>
<ul>{% for exercise in exercises %}<li class="{{ report_state(exercise) }}">
<a href="#{{ exercise.name }}">{{ state_sign(report_state(exercise)) | safe
}} {{ exercise.name }}</a> {{ "%g of %g" | format(exercise.points, exercise.of) }}</li>{% endfor %}</ul></nav>
{% for exercise in exercises %}<section id="{{ exercise.name }}" class="{{ report_state(exercise) }}"
aria-label="{{ exercise.name }}"><div class="pair"><div>{{ result_of(exercise).html("h2") | safe }}</div>
{% if sources[exercise.name] %}<div class="own" role="group" aria-label="The answer to {{ exercise.name }}">
{{- source_html(sources[exercise.name]) | safe }}</div>{% endif %}</div></section>
{% endfor %}
{% if sources[written] %}<section id="{{ written }}" aria-label="The written report">
<h2>For the teacher: the written report</h2>
<p>A person reads and marks this text. It is not part of the points above.</p>
<div class="own"><p>{{ sources[written] }}</p></div></section>{% endif %}
{% endif %}</main>
<footer>{{ name }}.{% if report.version %}
Foldem {{ report.version }}, sandbox: {{ report.sandbox or "none" }}, seed: {{ report.seed }}{% endif %}</footer>
</body></html>
"""


@cache
def page_template() -> Template:
    """Return the template of a report's page. It is compiled only once."""
    from jinja2 import Environment

    return Environment(autoescape=True).from_string(PAGE)


def report_page(report: Report, name: str, sources: Mapping[str, str] = MappingProxyType({}), student: str = "") -> str:
    """Return a report as an HTML page.

    Its title has the student and the unit, and the answers' sources are below results.
    """
    title = ": ".join(filter(None, (student or name, report.title)))
    page = partial(
        page_template().render, report=report, name=name, title=title, sources=sources, written=WRITTEN_REPORT
    )
    if isinstance(report, Ungradable):
        return str(page(problem=stop_text(report.reason)))
    shown = {"result_of": result_of, "report_state": report_state, "state_sign": state_sign, "source_html": source_html}
    return str(page(exercises=report.exercises, remarks=remark_lines(report), **shown))
