"""Show reports as HTML and as text: in cells, on feedback pages, and in the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from html import escape
from itertools import cycle
from types import MappingProxyType
from typing import TYPE_CHECKING

from autograder.report.model import (
    PASSED,
    UNGRADED,
    WRONG,
    ExerciseReport,
    Report,
    Ungradable,
)
from autograder.report.stops import HiddenCalls, LeftToNbgrader
from autograder.report.words import note_lines, problem_text, remark_lines, shown_failure, stop_text
from autograder.submission.reading import WRITTEN_REPORT
from autograder.text import count_text
from course.diagnoses import Diagnosis
from course.show.blocks import Element, Fold, Prose, as_text, wrapped_code_html
from course.show.results import BAD, GOOD, OPEN, CheckedRule, Result, score_text, state_sign

if TYPE_CHECKING:
    from jinja2 import Template


def result_of(report: ExerciseReport, done: int | None = None, total: int = 0) -> Result:
    """Return an exercise's report as a `Result`, which `check` can show.

    Only the result of a right answer has a note about printing.
    """
    advice = report.advice or Diagnosis(report.mistake.truth if report.mistake else "")
    parts, has_wrong_call = [], any(facet.failure and facet.failure.call for facet in report.facets)
    for facet in report.facets:
        # Right in all published calls: it is shown as wrong only if there is no wrong call to show.
        is_right = facet.calls and facet.stop == HiddenCalls() and has_wrong_call
        failure = None if is_right else shown_failure(facet)
        state = GOOD if facet.passed else BAD if failure else OPEN
        size = f"up to {count_text(facet.sets, 'set')}" if facet.sets else count_text(facet.calls, "call")
        why = ", right, but not counted: calls with other inputs fail" if state == OPEN else ""
        parts.append(CheckedRule(state, facet.shown_name, size=f"{size}{why}", failure=failure))
    return Result(
        name=report.name,
        state=report_state(report),
        headline=headline(report),
        parts=tuple(parts),
        says=advice.says,
        example=advice.example,
        belief="" if report.advice else report.belief,
        notes=note_lines(report, with_printing=report.state == PASSED),
        form=report.form,
        done=done,
        total=total,
    )


def report_state(report: ExerciseReport) -> str:
    """Return the state `GOOD`, `BAD` or `OPEN`, which decides the color and the symbol of an exercise.

    A row for points that belong to no exercise, such as a deduction, is neither right nor wrong.
    """
    return BAD if report.state == WRONG else GOOD if report.state == PASSED and not report.is_extra else OPEN


def headline(report: ExerciseReport) -> str:
    """Return the line that summarizes the report on an exercise."""
    if isinstance(report.stop, LeftToNbgrader):
        return problem_text(report)
    if not report.number and report.of and report.state != UNGRADED:
        return f"{report.points:g} of {report.of:g} points, marked in nbgrader"
    if report.is_extra and report.state == PASSED:  # points from the teacher, or a deduction for lateness
        return f"{report.points:+g} point{'' if abs(report.points) == 1 else 's'}"
    points = score_text(report.points, report.of, report.form_points, report.form_of if report.share else 0)
    if report.state == UNGRADED:
        return f"could not be graded: {problem_text(report)}"
    if report.stop:
        return f"{problem_text(report)} · {points}"
    if report.state == PASSED:
        sets = sum(facet.sets for facet in report.facets)
        size = count_text(report.calls, "call") + (f" and up to {count_text(sets, 'set')}" if sets else "")
        return f"right in all {size} · {points}"
    return f"{sum(facet.passed for facet in report.rules)} of {len(report.rules)} checks pass · {points}"


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
    return f"<p><strong>{escape(result.headline)}</strong></p>{_simple_html(result.elements())}"


def _simple_html(elements: Iterable[Element]) -> str:
    parts = []
    for element in elements:
        match element:
            case Fold(summary, inside):
                parts.append(f"<p><em>{escape(summary)}</em></p>{_simple_html(inside)}")
            case Prose():
                parts.append(f"<p>{escape(as_text([element]))}</p>")
            case _:
                parts.append(f"<pre>{escape(as_text([element]))}</pre>")
    return "".join(parts)


# A text between three quotation marks in lines of its own, with an indentation, as the cells of exercises begin.
DOCSTRING_PATTERN = re.compile(r'\n( +"""(?:[^"]|"(?!""))*""")(?:\n|\Z)')
FOLD_TEMPLATES = "{}", "<details><summary>docstring</summary>{}</details>"


def source_html(source: str) -> str:
    """Return an answer as HTML with colored code. Docstrings in the answer are folded.

    >>> source_html("def f():\\n    {0}It returns 1.{0}\\n    return 1".format('"' * 3)).count("<details>")
    1
    """
    parts = map(wrapped_code_html, DOCSTRING_PATTERN.split(source))
    return "".join(fold.format(part) for fold, part in zip(cycle(FOLD_TEMPLATES), parts, strict=False))


def docstring_lines_in(source: str) -> Iterator[tuple[int, int]]:
    """Yield the first and last line numbers of each docstring."""
    for match in DOCSTRING_PATTERN.finditer(source):
        first = source.count("\n", 0, match.start(1)) + 1
        yield first, first + match[1].count("\n")


REPORT_PAGE_TEMPLATE = """<!doctype html>
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
@media screen { :root:has(#failed:checked) .complete { display: none; } }
@media print { :root { font-size: 9pt; color-scheme: light; } button { visibility: hidden; }
  .pair { grid-template-columns: 3fr 2fr; } .complete .pair { display: block; } .complete { margin: .2rem 0; }
  .bad [role=group] details::details-content { content-visibility: visible; } summary { list-style: none !important; }
  .complete details, .complete .own, .own details { display: none; } h2 { break-after: avoid; }
  body { max-width: none; margin: 0; } .here { display: none; } }
</style></head><body><main>
{% macro kind(exercise) %}{{ report_state(exercise) }}
{{- " complete" if report_state(exercise) == "good" and exercise.points == exercise.of and not exercise.remarks
}}{% endmacro %}
<h1>{{ title }}</h1>
{% if problem %}<p><b>No points yet.</b> This file could not be graded: {{ problem }}</p>
<p>Open it in Jupyter. If it runs there, save it and hand it in again. If it does not, ask your teacher.</p>{% else %}
<p><b>{{ "%g" | format(report.points) }} of {{ "%g" | format(report.of) }} points</b> in {{ report.title }},
{{ report.solved }} of {{ report.exercise_reports | length }} exercises solved.</p>
{% for remark in remarks %}<p>! {{ remark }}</p>{% endfor %}
<nav class="here" aria-label="Exercises">
<p><label><input type="checkbox" id="failed"{{ " checked" if report.solved < report.exercise_reports | length
}}> Show only exercises with lost points or remarks</label></p>
<ul>{% for exercise in exercises %}<li class="{{ kind(exercise) }}">
<a href="#{{ exercise.name }}">{{ state_sign(report_state(exercise)) | safe
}} {{ exercise.name }}</a> {{ "%+g" | format(exercise.points) if exercise.is_extra
else "%g of %g" | format(exercise.points, exercise.of) }}</li>{% endfor %}</ul></nav>
{% for exercise in exercises %}<section id="{{ exercise.name }}" class="{{ kind(exercise) }}"
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
    """Return the template of a report's page. The template is compiled only once."""
    from jinja2 import Environment

    return Environment(autoescape=True).from_string(REPORT_PAGE_TEMPLATE)


def report_page(report: Report, name: str, sources: Mapping[str, str] = MappingProxyType({}), student: str = "") -> str:
    """Return a report as an HTML page.

    The title of the page names the student and the unit. The source of each answer is next to its result.
    """
    title = ": ".join(filter(None, (student or name, report.title)))
    page = partial(
        page_template().render, report=report, name=name, title=title, sources=sources, written=WRITTEN_REPORT
    )
    if isinstance(report, Ungradable):
        return str(page(problem=stop_text(report.reason)))
    shown = {"result_of": result_of, "report_state": report_state, "state_sign": state_sign, "source_html": source_html}
    return str(page(exercises=report.exercises, remarks=remark_lines(report), **shown))
