"""The result of a check: a few lines with what matters most, then the rest, folded and grouped by cause.

The smallest failing call and the next step are never folded. Notebooks, feedback pages and terminals all show the same
result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

from course.diagnoses.failure import Failure
from course.form import FormFinding
from course.show.bits import MORE
from course.show.blocks import (
    BLUE,
    GREEN,
    GREY,
    OCHRE,
    RED,
    Bar,
    CodeExample,
    Element,
    Fold,
    Prose,
    Row,
    Rows,
    as_html,
    as_line,
    as_text,
    backquotes_html,
    cut,
    rows_in,
    rows_of,
)
from course.show.failed import failure_elements, one_row, split_off

GOOD, BAD, OPEN, BORROWED, STALE = "good", "bad", "open", "borrowed", "stale"
SIGNS = {GOOD: "✓", BAD: "✗", OPEN: "○", BORROWED: "◇", STALE: "↻"}
STATE_WORDS = {GOOD: "right", BAD: "not right", OPEN: "open", BORROWED: "borrowed", STALE: "changed since it was right"}
HUES = {GOOD: GREEN, BAD: RED, OPEN: GREY, BORROWED: OCHRE, STALE: BLUE}
BADGE = "display:inline-block;min-width:1.1em;padding:0 .15em;border-radius:.3em;text-align:center;color:#fff"
BADGE += ";print-color-adjust:exact;-webkit-print-color-adjust:exact"  # else white signs are printed on white
THOUGHT = "Perhaps you thought:"
PARTS_NAMED, PARTS_FOLDED, FINDINGS_SHOWN, LINES_OPEN = 2, 12, 3, 8
SUMMARY_ROOM, ADVICE_ROOM, ADVICE_LINES = 74, 68, 2  # letters of a summary, and of a line of code in advice; its lines
LEAST_SENTENCES = 3  # of advice that can be shortened
ROWS_BELOW = LINES_OPEN - 1  # below the headline


@dataclass(frozen=True)
class Part:
    """One rule that was checked: its state, its name, and its smallest failing call."""

    state: str
    about: str
    failure: Failure | None = None
    size: str = ""


@dataclass(frozen=True)
class AlsoPrints:
    """A note: the answer prints something that it does not have to print."""

    def __str__(self) -> str:
        return "it prints something that the exercise does not ask for (no points are lost)"


@dataclass(frozen=True)
class Result:
    """The result of `check` for one exercise: a headline, its parts, the next step, notes, and the notebook's progress.

    `says` is the next step, with an example. If there is a `belief`, which the learner probably has, `says` corrects
    it.
    """

    name: str
    state: str
    headline: str
    parts: tuple[Part, ...] = ()
    says: str = ""
    example: str = ""
    belief: str = ""
    notes: tuple[str, ...] = ()
    form: tuple[FormFinding, ...] = ()
    offer: str = ""
    done: int | None = None
    total: int = 0
    points: float | None = None
    form_points: float = 0.0
    form_of: float = 0.0
    stale: bool = False  # whether this result no longer holds, and replaces a stored one
    ahead: str = ""
    """The next exercise."""
    link: str = ""
    """The attributes of the link to the next exercise."""
    example_rows: tuple[Row, ...] = ()
    """A call of a right answer, and its result."""

    @property
    def first(self) -> Part | None:
        """Return the failed part with the smallest failing call. Parts that could not be run come last."""
        failing = [part for part in self.parts if part.failure]
        return min(failing, key=lambda part: (not _failure(part).call, len(_failure(part).one_line_code)), default=None)

    def text(self) -> str:
        """Return the result as plain text, without what is folded.

        A long text has no carets and no summaries of folds. The headline counts what is folded.
        """
        elements = self.elements()
        unfolded = tuple(each for each in elements if not isinstance(each, Fold))
        texts = [as_text(elements), as_text(elements, has_carets=False), as_text(unfolded, has_carets=False)]
        fitting = (text for text in texts if rows_in(text) <= ROWS_BELOW)
        head = f"{SIGNS[self.state]} {self.name}: {self.headline}".replace("`", "")
        return f"{head}\n{next(fitting, texts[-1])}".rstrip()

    def text_of(self, about: str) -> str:
        """Return a failed part as plain text: the first one in full, the others shortened."""
        part = next(part for part in self.parts if part.about == about)
        if part is self.first or not self.first or not part.failure:
            return self.text()
        same, _ = self._others()
        if part in same:
            return f"for the same reason as: {self.first.about}\n  call      {as_line(part.failure.call)}"
        return as_text(failure_elements(part.failure))

    def html(self, head: str = "b") -> str:
        """Return the result as HTML that needs no style sheet and no script. `head` is the HTML tag around the name."""
        name = f'<{head} style="display:inline;font-size:1em"><code>{escape(self.name)}</code></{head}>'
        line = f"<div>{state_sign(self.state)} {name} {backquotes_html(self.headline)}</div>"
        return framed(line + as_html(self.elements()), self.state)

    def elements(self) -> tuple[Element, ...]:
        """Return the elements below the headline: as many as fit into eight rows, and the others folded."""
        failed, advice = [*self._failed()], [*self._next()]
        elements = (*failed, *self._done_now(), *advice, *self._rest(), *self._form(), *self._notes())
        notes = [each for each in elements if isinstance(each, Prose) and each.faint]
        offers = [each for each in elements if isinstance(each, Bar) and each.done is None]
        example = advice[1:] if not self.says.endswith(":") else []
        return folded_to_fit(elements, (*notes, *failed[1:], *offers, *example))

    def _done_now(self) -> Iterator[Element]:
        """Yield what a right answer does now, with its pictures."""
        if self.example_rows and self.state == GOOD:
            yield Rows(self.example_rows)

    def _failed(self) -> Iterator[Element]:
        if self.first and self.first.failure:
            yield from failure_elements(self.first.failure, self.first.about, is_drawn=True)

    def _next(self) -> Iterator[Element]:
        """Yield what the learner probably thought, and what to do next."""
        if self.says:
            lead, text = (THOUGHT, f'"{self.belief}" {self.says}') if self.belief else ("→", self.says)
            yield Prose(text, lead, aside=True)
        if self.example:
            yield CodeExample(self.example)

    def _rest(self) -> Iterator[Element]:
        """Yield the other parts, folded: those that fail for the same cause as the first, for other causes, or pass.

        If the answer is not right, findings on form are folded, too.
        """
        same, others = self._others()
        open_parts = [part for part in self.parts if part.state == OPEN]
        right = [part for part in self.parts if part.state == GOOD]
        form = () if self.state == GOOD else self.form[:FINDINGS_SHOWN]
        lines = [*filter(None, (_same_summary(same), _others_summary(others), _form_summary(form)))]
        if lines or (self.state == GOOD and right):
            summary = cut(" · ".join(lines), SUMMARY_ROOM) or f"{_counted(right)} checked"
            inside = (*_listed(same), *_listed(others, complete=True), *_listed(open_parts), *_listed(right))
            elements = tuple(element for finding in form for element in form_elements(finding))
            yield Fold(summary, (*inside, *elements), quiet=not lines)

    def _others(self) -> tuple[list[Part], list[Part]]:
        """Return the other failing parts: those with the same reason as the first, and those with other reasons."""
        first = self.first
        failing = [part for part in self.parts if part.failure and part is not first]
        if first is None:
            return [], []
        cause = _failure(first).cause
        same = [part for part in failing if self.belief or (cause and _failure(part).cause == cause)]
        return same, [part for part in failing if part not in same]

    def _form(self) -> Iterator[Element]:
        """Yield the findings on form of a right answer: the first in full, the others folded."""
        findings = self.form[:FINDINGS_SHOWN] if self.state == GOOD else ()
        if findings:
            yield from form_elements(findings[0])
        if more := findings[1:]:
            summary = f"style: {len(more)} more finding{'s' * (len(more) > 1)}: {', '.join(map(rule_name, more))}"
            inside = tuple(element for finding in more for element in form_elements(finding))
            yield Fold(cut(summary, SUMMARY_ROOM), inside)

    def _notes(self) -> Iterator[Element]:
        yield from (Prose(note, faint=True) for note in self.notes)
        # A result that is not right offers help in this position instead.
        done = self.done if self.state == GOOD or not self.offer else None
        if done is not None or self.offer:
            yield Bar(done, self.total, self.offer, self.ahead, self.link)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.text(), "text/html": self.html()}

    def __repr__(self) -> str:
        return self.text()


def folded_to_fit(elements: Sequence[Element], less: Sequence[Element]) -> tuple[Element, ...]:
    """Return elements that take at most the rows below a headline.

    If needed, pictures are folded, then the elements in `less`, in this order, then the least important row.

    >>> long, short = Prose("x" * 600), Prose("short")
    >>> folded_to_fit((long, short), (long,))[0] == short
    True
    """
    shown, folded = _without_pictures(elements)
    for each in less:
        if _fits(_with_fold(shown, folded)):
            break
        shown.remove(each)
        folded.append(each)
    if isinstance(rows := next(iter(shown), None), Rows) and not _fits(_with_fold(shown, folded)):
        shown[0], less_important = split_off(rows)
        folded = [less_important, *folded] if less_important.rows else folded
    fitting = _with_fold(shown, folded)
    return fitting if _fits(fitting) else _with_shorter_advice(shown, folded)


def _with_shorter_advice(shown: list[Element], folded: list[Element]) -> tuple[Element, ...]:
    """Return elements with long advice shortened by its last sentence, or in its code; the fold has the full advice.

    >>> advice = Prose('"A belief." Then another step. ' + "x " * 300 + ".", aside=True)
    >>> _with_shorter_advice([advice], [])[0].text
    '"A belief." Then another step. …'
    """
    results, complete = list[Element](), list[Element]()
    for each in shown:
        shorter = _shorter(each)
        results.append(shorter)
        complete += [Prose(each.text) if isinstance(each, Prose) else each] if shorter != each else []
    return _with_fold(results, [*complete, *folded])


def _shorter(element: Element) -> Element:
    """Shorten an element: drop the last sentence of advice, or keep the first lines of code, each in one row.

    Other elements are returned unchanged.
    """
    match element:
        case Prose(text, aside=True) if len(sentences := re.findall(r".+?[.?!:]\"?(?: |$)", text)) >= LEAST_SENTENCES:
            return replace(element, text=f"{''.join(sentences[:-1])}{MORE}")
        case CodeExample(code):
            return CodeExample("\n".join(one_row(line, ADVICE_ROOM) for line in code.splitlines()[:ADVICE_LINES]))
    return element


def _without_pictures(elements: Sequence[Element]) -> tuple[list[Element], list[Element]]:
    """Return the elements to show, and elements to fold.

    If the elements do not fit, the first one is shown without pictures, and folded with them.
    """
    match elements:
        case [Rows(rows) as first, *others] if not _fits(elements) and any(row.drawn for row in rows):
            return [Rows(tuple(replace(row, drawn="") for row in rows)), *others], [first]
    return [*elements], []


def _fits(elements: Sequence[Element]) -> bool:
    """Return whether elements take at most the rows below a headline."""
    return rows_of(elements) <= ROWS_BELOW


def _with_fold(shown: Sequence[Element], folded: Sequence[Element]) -> tuple[Element, ...]:
    """Return the shown elements. The folded ones are added to their fold, or to a new fold at the end."""
    if not folded:
        return tuple(shown)
    fold = next((each for each in shown if isinstance(each, Fold)), Fold("more", (), quiet=True))
    index = shown.index(fold) if fold in shown else len(shown)
    return (*shown[:index], replace(fold, inside=(*folded, *fold.inside)), *shown[index + 1 :])


def _failure(part: Part) -> Failure:
    assert part.failure
    return part.failure


# ------------------------------------------------------------------------------------------------ the other parts


def _counted(parts: list[Part], which: str = "") -> str:
    """Return the number of parts as text, such as "2 checks" or, if the parts have no names, "2 examples"."""
    count, what = len(parts), "check" if parts[0].about else "example"
    return f"{count} {which}{what}{'' if count == 1 else 's'}"


def _same_summary(same: list[Part]) -> str:
    if not same:
        return ""
    return f"{_counted(same, 'other ')} fail{'s' if len(same) == 1 else ''} for the same reason"


def _others_summary(others: list[Part]) -> str:
    if not others:
        return ""
    if not others[0].about:
        return f"{_counted(others, 'other ')} {'is' if len(others) == 1 else 'are'} wrong, too"
    more = f", and {len(others) - PARTS_NAMED} more" if len(others) > PARTS_NAMED else ""
    return f"also fail{'s' * (len(others) == 1)}: {', '.join(part.about for part in others[:PARTS_NAMED])}{more}"


def _form_summary(findings: Sequence[FormFinding]) -> str:
    if not findings:
        return ""
    return f"style, {finding_lines(findings[0])}: {', '.join(map(rule_name, findings))}"


def _listed(parts: list[Part], complete: bool = False) -> Iterator[Element]:
    for part in parts[:PARTS_FOLDED]:
        size = f" ({part.size})" if part.size else ""
        call = f": `{as_line(part.failure.call)}`" if part.failure and part.failure.call and not complete else ""
        yield Prose(f"{part.about}{size}{call}".lstrip(" :"), lead=SIGNS[part.state])
        if complete and part.failure:
            yield from failure_elements(part.failure)
    if len(parts) > PARTS_FOLDED:
        yield Prose(f"and {len(parts) - PARTS_FOLDED} more")


# ------------------------------------------------------------------------------------------------ form


def rule_name(finding: FormFinding) -> str:
    """Return the name of a finding's rule, as words."""
    return finding.rule.replace("-", " ")


def finding_lines(finding: FormFinding) -> str:
    """Return a text with the lines of a finding."""
    rows = f"line{'s' * bool(finding.also)} {', '.join(map(str, (finding.line, *finding.also)))}"
    return f"{finding.where} {rows}" if finding.where else rows


def form_elements(finding: FormFinding) -> Iterator[Element]:
    """Yield a finding on form: its lines, what is wrong, and what to write instead, with an example."""
    lead = "Style, a rule:" if finding.breaks else "Style, advice:"
    yield Prose(f"{finding_lines(finding)}: `{finding.code}`", lead=lead)
    yield Prose(f"{finding.why}. Instead, {finding.instead}:" if finding.example else f"{finding.why}.")
    if finding.example:
        yield CodeExample(finding.example)


# ------------------------------------------------------------------------------------------------ frames


@dataclass(frozen=True)
class Shown:
    """Something to display: as plain text, and as HTML."""

    plain: str
    markup: str

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.plain, "text/html": self.markup}

    def __repr__(self) -> str:
        return self.plain


def framed(inside: str, state: str) -> str:
    """Return HTML in a frame with the color of a state."""
    border = f"border-left:4px solid {HUES[state]};padding:.2em .8em;margin:.2em 0;line-height:1.5"
    return f'<div class="foldem-result" role="status" style="{border}">{inside}</div>'


def framed_elements(elements: Iterable[Element], state: str = OPEN) -> Shown:
    """Return elements in a frame."""
    every = tuple(elements)
    return Shown(as_text(every), framed(as_html(every), state))


def prose(lines: tuple[str, ...], state: str = OPEN) -> Shown:
    """Return lines of prose in a frame; text between backquotes is code."""
    html = "".join(f"<div>{backquotes_html(line)}</div>" for line in lines)
    return Shown("\n".join(lines), framed(html, state))


def score_text(points: float, of: float, style: float = 0, style_of: float = 0) -> str:
    """Return points as text. If points for form are lost, the text also has the points for form.

    >>> score_text(0.7, 2, 0.2, 0.4), score_text(1, 1, 0.2, 0.2)
    ('0.7 / 2 points (style 0.2 / 0.4)', '1 / 1 point')
    """
    shown = f"{points:g} / {of:g} point{'' if of == 1 else 's'}"
    return f"{shown} (style {style:g} / {style_of:g})" if style < style_of else shown


def state_sign(state: str) -> str:
    """Return the sign of a state on its color; screen readers read the state as a word."""
    return (
        f'<b role="img" aria-label="{STATE_WORDS[state]}" style="{BADGE};background:{HUES[state]}">{SIGNS[state]}</b>'
    )
