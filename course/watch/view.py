"""What is shown of a run at a moment, as plain data: rows of calls, lines of code, words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from course.show.bits import MORE, Bit, text_of
from course.show.spoken import spoken
from course.values import value
from course.watch.finding import Findings
from course.watch.listing import known, listing, rounds, values, way_up
from course.watch.moment import RunMoment
from course.watch.rewriting import OnPaper, Sheets
from course.watch.run import Kind, RecordedRun
from course.watch.said import sentence
from course.watch.telling import left_out
from course.watch.tree import Folded, rows

AS_CALLS, ON_PAPER = "calls", "paper"
PRINTED_TAIL = 1_500
RunView = dict[str, Any]


@value
class Looking:
    """How a run is looked at: the step, the way, what is folded, what was searched for.

    With `answers`, calls that are still ahead show what they return.
    """

    at: int = 0
    way: str = AS_CALLS
    folding: Folded = Folded()
    findings: Findings = Findings()
    answers: bool = False


def run_view(run: RecordedRun, looking: Looking, marks: dict[int, str], sheets: Sheets) -> RunView:
    """Return what is shown of a run."""
    moment = RunMoment(run, run.steps[looking.at])
    found = {"at": looking.at, "last": len(run.steps) - 1, "way": looking.way, "title": run.title}
    said = sentence(moment)
    found |= {"said": said, "spoken": text_of(said), "left": left_out(run), "find": looking.findings.text}
    found |= {"finds": list(places_of(run, looking.findings)), "found": looking.findings.told}
    found |= {"printed": printed(run, moment.number)}
    if looking.way == AS_CALLS:
        return sent(found | _calls(moment, looking, marks))
    return sent(found | {"paper": _lines(sheets.lines(moment.number))})


def _calls(moment: RunMoment, looking: Looking, marks: dict[int, str]) -> RunView:
    shown = dict(looking.findings.marks) | marks
    found: RunView = {"rows": rows(moment.run, moment.number, looking.folding, shown, looking.answers)}
    found |= {"answers": looking.answers}
    found |= {"code": listing(moment), "names": known(moment), "values": values(moment)}
    return found | {"rounds": rounds(moment), "up": way_up(moment)}


def _lines(lines: list[tuple[int, OnPaper]]) -> list[RunView]:
    told: list[RunView] = [{"b": line.bits, "w": line.waiting} for _, line in lines]
    return [*told[:-1], *(each | {"now": True} for each in told[-1:])]


def places_of(run: RecordedRun, findings: Findings) -> Iterable[int]:
    """Return the places among the steps at which a value was found."""
    place = {number: at for at, number in enumerate(run.steps)}
    return (place[number] for number in findings.steps)


def printed(run: RecordedRun, number: int) -> str:
    """Return what has been printed up to an event, of much the end."""
    text = "".join(event.value for event in run.events[: number + 1] if event.kind is Kind.PRINTED)
    return text if len(text) <= PRINTED_TAIL else f"{MORE}{text[-PRINTED_TAIL:]}"


# ---------------------------------------------------------------------------------------------------- as data


def sent(thing: Any) -> Any:
    """Return a view as data that goes to a browser: a bit is its text, or a list with its look and picture."""
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
