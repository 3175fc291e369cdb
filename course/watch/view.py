"""The view of a run at a moment, as plain data: rows of calls, lines of code, sentences."""

from __future__ import annotations

from typing import Any

from course.show.bits import MORE, Bit, bits_text
from course.show.pictures import spoken
from course.values import value
from course.watch.listing import known, listing, rounds, values
from course.watch.moment import RunMoment
from course.watch.rewriting import PaperLine, PaperLines
from course.watch.run import Kind, RecordedRun
from course.watch.sentences import left_out, sentence
from course.watch.tree import Folded, rows

AS_CALLS, ON_PAPER = "calls", "paper"
PRINTED_TAIL = 1_500
RunView = dict[str, object]


@value
class ViewState:
    """The reader's position: the step, the kind of view, and what is folded.

    With `answers`, calls that have not happened yet show their results.
    """

    at: int = 0
    way: str = AS_CALLS
    folding: Folded = Folded()
    answers: bool = False


def run_view(run: RecordedRun, looking: ViewState, marks: dict[int, str], sheets: PaperLines) -> RunView:
    """Return the view of a run."""
    moment = RunMoment(run, run.steps[looking.at])
    view = {"at": looking.at, "last": len(run.steps) - 1, "way": looking.way, "title": run.title}
    words = sentence(moment)
    view |= {"said": words, "spoken": bits_text(words), "left": left_out(run), "printed": printed(run, moment.number)}
    if looking.way == AS_CALLS:
        return sent(view | _calls(moment, looking, marks))
    return sent(view | {"paper": _lines(sheets.lines(moment.number))})


def _calls(moment: RunMoment, looking: ViewState, marks: dict[int, str]) -> RunView:
    view: RunView = {"rows": rows(moment.run, moment.number, looking.folding, marks, looking.answers)}
    view |= {"answers": looking.answers}
    view |= {"code": listing(moment), "names": known(moment), "values": values(moment)}
    return view | {"rounds": rounds(moment)}


def _lines(lines: list[tuple[int, PaperLine]]) -> list[RunView]:
    views: list[RunView] = [{"b": line.bits, "w": line.waiting} for _, line in lines]
    return [*views[:-1], *(each | {"now": True} for each in views[-1:])]


def printed(run: RecordedRun, number: int) -> str:
    """Return the text printed up to an event; only the end of a long text."""
    text = "".join(event.value for event in run.events[: number + 1] if event.kind is Kind.PRINTED)
    return text if len(text) <= PRINTED_TAIL else f"{MORE}{text[-PRINTED_TAIL:]}"


# ---------------------------------------------------------------------------------------------------- as data


def sent(thing: object) -> Any:
    """Return a view as JSON-like data for the browser. A bit becomes its text, or a list with its look and picture."""
    match thing:
        case Bit(text, "", ""):
            return text
        case Bit(text, picture, look):
            return [text, look, picture, spoken(picture)] if picture else [text, look]
        case dict():
            return {name: sent(each) for name, each in thing.items()}
        case tuple() | list():
            return [sent(each) for each in thing]
    return thing
