"""The result of a check: first a few lines with the most important facts, then the rest, folded and grouped by cause.

The smallest failing call and the next step are never folded. Notebooks, feedback pages and terminals show the same
result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

from course.diagnoses.failure import RAISED, Failure
from course.form import FormFinding
from course.show.bits import ELLIPSIS
from course.show.blocks import (
    BLUE,
    GREEN,
    GREY,
    OCHRE,
    RED,
    CodeExample,
    Element,
    Fold,
    ProgressBar,
    Prose,
    Row,
    Rows,
    as_html,
    as_line,
    as_text,
    backquotes_html,
    cut,
    page_row_count,
    text_row_count,
)
from course.show.failed import EXPECTED_LABEL, SETUP_LABEL, failure_elements, shorten_code

GOOD, BAD, OPEN, BORROWED, STALE = "good", "bad", "open", "borrowed", "stale"
STATE_SIGNS = {GOOD: "✓", BAD: "✗", OPEN: "○", BORROWED: "◇", STALE: "↻"}
STATE_WORDS = {
    GOOD: "right",
    BAD: "not right",
    STALE: "was right before you changed it",
    BORROWED: "borrowed",
    OPEN: "open",
}
STATE_COLORS = {GOOD: GREEN, BAD: RED, OPEN: GREY, BORROWED: OCHRE, STALE: BLUE}
BADGE_STYLE = "display:inline-block;min-width:1.1em;padding:0 .15em;border-radius:.3em;text-align:center;color:#fff"
BADGE_STYLE += ";print-color-adjust:exact;-webkit-print-color-adjust:exact"  # else white signs are printed on white
# The estimated minutes of an exercise.
TO_READ, A_POINT, A_CHALLENGE = 2, 3, 30
ALSO_PRINTS_NOTE = "your function prints something that the exercise does not ask for (no points are lost)"
BELIEF_LEAD = "Perhaps you thought:"
PARTS_NAMED, PARTS_FOLDED, FINDINGS_SHOWN, LINES_OPEN = 2, 12, 3, 8
SUMMARY_ROOM, ADVICE_ROOM, ADVICE_LINES = 74, 68, 2  # letters of a summary, and of a line of code in advice; its lines
LEAST_ADVICE_SENTENCES = 3  # of advice that can be shortened
ROWS_BELOW_HEADLINE = LINES_OPEN - 1  # below the headline


@dataclass(frozen=True)
class CheckedRule:
    """One rule that was checked: its state, its name, and its smallest failing call."""

    state: str
    about: str
    failure: Failure | None = None
    size: str = ""


@dataclass(frozen=True)
class Result:
    """The result of `check` for one exercise: a headline, the checked rules, the next step, notes, and the progress.

    `says` is the next step, and `example` shows it in code. `belief` is a wrong belief that the learner probably has.
    `says` then corrects this belief.
    """

    name: str
    state: str
    headline: str
    parts: tuple[CheckedRule, ...] = ()
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
    prints: bool = False  # whether the answer printed something that the exercise does not ask for
    stale: bool = False  # whether this result no longer holds, and replaces a stored one
    ahead: str = ""
    """The next exercise."""
    link: str = ""
    """The attributes of the link to the next exercise."""
    example_rows: tuple[Row, ...] = ()
    """A call of a right answer, and its result."""

    @property
    def first_failed_rule(self) -> CheckedRule | None:
        """Return the failed rule with the smallest failing call.

        A rule without a call is returned only if no failed rule has a call.
        """
        failing = [(part, part.failure) for part in self.parts if part.failure]
        return min(failing, key=lambda pair: (not pair[1].call, len(pair[1].one_line_code)), default=(None,))[0]

    def text(self) -> str:
        """Return the result as plain text, without the contents of folds.

        If the text is too long, carets and the summaries of folds are left out. The text needs no summaries, because
        the headline already has the number of right examples or checks.
        """
        elements = self.elements()
        unfolded = (each for each in elements if not isinstance(each, Fold))
        texts = [as_text(elements), as_text(elements, has_carets=False), as_text(unfolded, has_carets=False)]
        head = f"{STATE_SIGNS[self.state]} {self.name}: {self.headline}".replace("`", "")
        fitting = (text for text in texts if text_row_count(text) <= ROWS_BELOW_HEADLINE)
        return f"{head}\n{next(fitting, texts[-1])}".rstrip()

    def text_of(self, about: str) -> str:
        """Return a failed part as plain text. Only the text of the first failed part has advice."""
        part = next(part for part in self.parts if part.about == about)
        if part is self.first_failed_rule or not part.failure:
            return self.text()
        return as_text(failure_elements(part.failure))

    def html(self, head: str = "b") -> str:
        """Return the result as HTML that needs no style sheet and no script.

        `head` is the tag of the HTML element that contains the exercise's name.
        """
        name = f'<{head} style="display:inline;font-size:1em"><code>{escape(self.name)}</code></{head}>'
        line = f"<div>{state_sign(self.state)} {name} {backquotes_html(self.headline)}</div>"
        return framed_html(line + as_html(self.elements()), self.state)

    def elements(self) -> tuple[Element, ...]:
        """Return the elements below the headline. Elements that do not fit into eight rows are folded."""
        first, is_right = self.first_failed_rule, self.state == GOOD
        failure, advice = first and first.failure, list[Element]()
        failed = [*failure_elements(failure, first.about, is_drawn=True)] if first and failure else []
        if self.says:  # what the learner probably thought, and what to do next
            lead, text = (BELIEF_LEAD, f'"{self.belief}" {self.says}') if self.belief else ("→", self.says)
            advice.append(Prose(text, lead, aside=True))
        if self.example:
            advice.append(CodeExample(self.example))
        does_now = [Rows(self.example_rows)] if self.example_rows and is_right else []
        notes = [Prose(note, faint=True) for note in self.notes]
        # A result that is not right offers help in the position of the bar.
        done = self.done if is_right or not self.offer else None
        bars = (
            [ProgressBar(done, self.total, self.offer, self.ahead, self.link)] if done is not None or self.offer else []
        )
        # Of the findings on form of a right answer, the first is shown in full.
        findings = self.form[:FINDINGS_SHOWN] if is_right else ()
        form = [element for finding in findings[:1] for element in form_elements(finding)]
        if more := findings[1:]:
            summary = f"style: {len(more)} more finding{'s' * (len(more) > 1)}: {', '.join(map(rule_name, more))}"
            inside = tuple(element for finding in more for element in form_elements(finding))
            form.append(Fold(cut(summary, SUMMARY_ROOM), inside))
        elements = (*failed, *does_now, *advice, *self._folded_rules(), *form, *notes, *bars)
        example = advice[1:] if not self.says.endswith(":") else []
        return fold_to_fit(elements, (*notes, *failed[1:], *(bars if done is None else ()), *example))

    def _folded_rules(self) -> Iterator[Element]:
        """Yield the other parts, folded: those that fail for the same cause as the first, for other causes, or pass.

        If the answer is not right, findings on form are folded, too.
        """
        same, others = self._other_failures()
        open_parts = [part for part in self.parts if part.state == OPEN]
        right = [part for part in self.parts if part.state == GOOD]
        findings = () if self.state == GOOD else self.form[:FINDINGS_SHOWN]
        lines = []
        if same:
            lines.append(f"{_part_count_text(same, 'other ')} fail{'s' if len(same) == 1 else ''} for the same reason")
        if others and not others[0].about:
            lines.append(f"{_part_count_text(others, 'other ')} {'is' if len(others) == 1 else 'are'} wrong, too")
        elif others:
            more = f", and {len(others) - PARTS_NAMED} more" if len(others) > PARTS_NAMED else ""
            names = ", ".join(part.about for part in others[:PARTS_NAMED])
            lines.append(f"also fail{'s' * (len(others) == 1)}: {names}{more}")
        if named := [part.about for part in open_parts if part.about]:
            lines.append(f"right, but not counted: {', '.join(named)}")
        if findings:
            lines.append(f"style, {finding_line_numbers(findings[0])}: {', '.join(map(rule_name, findings))}")
        if lines or (self.state == GOOD and right):
            summary = cut(" · ".join(lines), SUMMARY_ROOM) or f"{_part_count_text(right)} passed"
            known = (
                self.first_failed_rule.failure.call if self.first_failed_rule and self.first_failed_rule.failure else ""
            )
            inside = [
                *_part_lines(same, known),
                *_part_lines(others, complete=True),
                *_part_lines(open_parts),
                *_part_lines(right),
            ]
            inside += [element for finding in findings for element in form_elements(finding)]
            yield Fold(summary, tuple(inside), quiet=not lines)

    def _other_failures(self) -> tuple[list[CheckedRule], list[CheckedRule]]:
        """Return the other failing parts: those with the same reason as the first, and those with other reasons."""
        first = self.first_failed_rule
        if first is None or first.failure is None:
            return [], []
        failing = [(part, part.failure.cause_key) for part in self.parts if part.failure and part is not first]
        same = [part for part, each in failing if self.belief or (each and each == first.failure.cause_key)]
        return same, [part for part, _ in failing if part not in same]

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.text(), "text/html": self.html()}

    def __repr__(self) -> str:
        return self.text()


def fold_to_fit(elements: Sequence[Element], less: Sequence[Element]) -> tuple[Element, ...]:
    """Fold elements until the visible elements fit below a headline, and return all elements.

    If there are too many rows, the pictures that the rows show below their code are folded first. Then the elements in
    `less` are folded, in this order, and then the least important row. If a call raised an exception, the least
    important row is the expected result; otherwise it is the setup. If the rows are still too many, long advice loses
    its last sentence, or some of its code. The fold contains all removed rows, and the complete advice.

    >>> long, short = Prose("x" * 600), Prose("short")
    >>> fold_to_fit((long, short), (long,))[0] == short
    True
    >>> fold_to_fit([Prose('"A belief." Then another step. ' + "x " * 300 + ".", aside=True)], [])[0].text
    '"A belief." Then another step. …'
    """
    shown, folded = [*elements], list[Element]()
    rows = next(iter(shown), None)
    if isinstance(rows, Rows) and not _fits(shown, []):
        plain = Rows(tuple(replace(row, drawn="") for row in rows.rows))
        shown[0], folded = (plain, [rows]) if page_row_count([plain]) < page_row_count([rows]) else (rows, [])
    for each in less:
        if _fits(shown, folded):
            break
        shown.remove(each)
        folded.append(each)
    if isinstance(rows := next(iter(shown), None), Rows) and not _fits(shown, folded):
        label = EXPECTED_LABEL if any(row.label == RAISED for row in rows.rows) else SETUP_LABEL
        less_important = tuple(row for row in rows.rows if row.label == label)
        shown[0] = Rows(tuple(row for row in rows.rows if row not in less_important))
        folded = [Rows(less_important), *folded] if less_important else folded
    if _fits(shown, folded):
        return _add_fold(shown, folded)
    shorter = [*map(_shorten_element, shown)]
    cut_short = [each for each, short in zip(shown, shorter, strict=True) if short != each]
    complete = (Prose(each.text) if isinstance(each, Prose) else each for each in cut_short)
    return _add_fold(shorter, [*complete, *folded])


def _shorten_element(element: Element) -> Element:
    """Shorten an element: drop the last sentence of advice, or keep the first lines of code, each in one row.

    Other elements are returned unchanged.
    """
    match element:
        case Prose(text, aside=True) if (
            len(sentences := re.findall(r".+?[.?!:]\"?(?: |$)", text)) >= LEAST_ADVICE_SENTENCES
        ):
            return replace(element, text=f"{''.join(sentences[:-1])}{ELLIPSIS}")
        case CodeExample(code):
            return CodeExample("\n".join(shorten_code(line, ADVICE_ROOM) for line in code.splitlines()[:ADVICE_LINES]))
    return element


def _fits(shown: Sequence[Element], folded: Sequence[Element]) -> bool:
    """Return whether elements take at most the rows below a headline."""
    return page_row_count(_add_fold(shown, folded)) <= ROWS_BELOW_HEADLINE


def _add_fold(shown: Sequence[Element], folded: Sequence[Element]) -> tuple[Element, ...]:
    """Return the shown elements. The folded ones are added to their fold, or to a new fold at the end."""
    if not folded:
        return tuple(shown)
    fold = next((each for each in shown if isinstance(each, Fold)), Fold("more", (), quiet=True))
    index = shown.index(fold) if fold in shown else len(shown)
    return (*shown[:index], replace(fold, inside=(*fold.inside, *folded)), *shown[index + 1 :])


# ------------------------------------------------------------------------------------------------ the other parts


def _part_count_text(parts: list[CheckedRule], which: str = "") -> str:
    """Return the number of parts as text, such as "2 checks" or, if the parts have no names, "2 examples"."""
    count, what = len(parts), "check" if parts[0].about else "example"
    return f"{count} {which}{what}{'' if count == 1 else 's'}"


def _part_lines(parts: list[CheckedRule], known: str = "", complete: bool = False) -> Iterator[Element]:
    """Yield a line for each part, with its failing call unless this call is `known`, or with the complete failure."""
    for part in parts[:PARTS_FOLDED]:
        size = f" ({part.size})" if part.size else ""
        call = (
            f": `{as_line(part.failure.call)}`"
            if part.failure and part.failure.call not in ("", known) and not complete
            else ""
        )
        yield Prose(f"{part.about}{size}{call}".lstrip(" :"), lead=STATE_SIGNS[part.state])
        if complete and part.failure:
            yield from failure_elements(part.failure)
    if len(parts) > PARTS_FOLDED:
        yield Prose(f"and {len(parts) - PARTS_FOLDED} more")


# ------------------------------------------------------------------------------------------------ form


def rule_name(finding: FormFinding) -> str:
    """Return the name of a violated rule of form, in words."""
    return finding.rule.replace("-", " ")


def finding_line_numbers(finding: FormFinding) -> str:
    """Return a text with the line numbers of a violation of form."""
    rows = f"line{'s' * bool(finding.also)} {', '.join(map(str, (finding.line, *finding.also)))}"
    return f"{finding.where} {rows}" if finding.where else rows


def form_elements(finding: FormFinding) -> Iterator[Element]:
    """Yield the elements that show a violation of form: its lines, what is wrong, and what to write instead."""
    lead = "Style, a rule:" if finding.breaks else "Style, advice:"
    yield Prose(f"{finding_line_numbers(finding)}: `{finding.code}`", lead=lead)
    yield Prose(f"{finding.why}. Instead, {finding.instead}:" if finding.example else f"{finding.why}.")
    if finding.example:
        yield CodeExample(finding.example)


# ------------------------------------------------------------------------------------------------ frames


@dataclass(frozen=True)
class DisplayedText:
    """An object to display, as plain text or as HTML."""

    plain: str
    markup: str

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.plain, "text/html": self.markup}

    def __repr__(self) -> str:
        return self.plain


def framed_html(inside: str, state: str) -> str:
    """Return HTML inside a frame. The frame has the color of `state`."""
    border = f"border-left:4px solid {STATE_COLORS[state]};padding:.2em .8em;margin:.2em 0;line-height:1.5"
    return f'<div class="foldem-result" role="status" style="{border}">{inside}</div>'


def framed_elements(elements: Iterable[Element]) -> DisplayedText:
    """Return elements inside a frame."""
    every = tuple(elements)
    return DisplayedText(as_text(every), framed_html(as_html(every), OPEN))


def framed_prose(lines: tuple[str, ...], state: str = OPEN) -> DisplayedText:
    """Return lines of prose inside a frame. Text between backquotes is shown as code."""
    return DisplayedText("\n".join(lines), framed_html(as_html(map(Prose, lines)), state))


def score_text(points: float, of: float, style: float = 0, style_of: float = 0) -> str:
    """Return points as text. If the answer has lost points for form, the text also has the points for form.

    >>> score_text(0.7, 2, 0.2, 0.4), score_text(1, 1, 0.2, 0.2)
    ('0.7 / 2 points (style 0.2 / 0.4)', '1 / 1 point')
    """
    shown = f"{points:g} / {of:g} point{'' if of == 1 else 's'}"
    return f"{shown} (style {style:g} / {style_of:g})" if style < style_of else shown


def estimated_minutes(points: float) -> int:
    """Return about how many minutes an exercise takes. An exercise without points is a challenge."""
    return round(TO_READ + A_POINT * points) if points else A_CHALLENGE


def duration_text(points: Iterable[float]) -> str:
    """Return the time that some exercises take together, rounded to half hours.

    Challenges are optional, so their time is not added.

    >>> duration_text([1, 4]), duration_text([5] * 5), duration_text([4] * 12)
    ('half an hour', '1½ hours', '3 hours')
    """
    halves = round(sum(map(estimated_minutes, filter(None, points))) / 30)
    if halves <= 2:
        return "an hour" if halves == 2 else "half an hour"
    return f"{halves // 2}{'½' * (halves % 2)} hours"


def state_sign(state: str) -> str:
    """Return the HTML of a state's sign on the state's color. Screen readers read the state as a word."""
    style = f"{BADGE_STYLE};background:{STATE_COLORS[state]}"
    return f'<b role="img" aria-label="{STATE_WORDS[state]}" style="{style}">{STATE_SIGNS[state]}</b>'
