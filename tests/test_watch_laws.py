"""A watched run equals the plain run, and *Next line* leads from the failing call to the wrong line."""

from __future__ import annotations

import inspect
import random
import re
import sys
from dataclasses import dataclass
from functools import cache, partial
from html import unescape
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.exam.cases import Case
from autograder.exam.store import exam_for
from autograder.prove.answers import graded
from course.effects import transcript
from course.learner.answer import answer_among
from course.learner.predicting import failed_code, failed_run
from course.values import strictly_equal
from course.watch.hooked import SPOTS
from course.watch.record import RunLimits, record
from course.watch.run import CallOwner, Kind, State
from course.watch.viewer import Viewer
from tests.classroom import reference_answers, right_answers
from tests.lesson import Lesson
from tests.test_watch_view import words
from tests.units import read_unit, submission_with, unit_names

HERE = Path(__file__).parent
IN_BRACKETS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
ENDLESS = RunLimits(10**7, 10**7, 10**7, lambda: 0.0)
STYLES = [(unit, style) for unit in unit_names() for style in ("", *(right.style for right in right_answers(unit)))]
Names = dict[str, Any]


@cache
def namespace(unit: str, style: str) -> Any:
    """Return the names that a module of references or of right answers defines."""
    if not style:
        return vars(import_module(f"solutions.{unit}"))
    path = HERE / "right" / f"{unit}_{style}.py"
    names: Names = {"__name__": "right"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True), names)
    return names


def plainly(names: Names, name: str, case: Case) -> tuple[State, Any, str, list[str]]:
    """Return how a call without watching ends, what it prints, and the calls that Python's own profiler counts."""
    ended, frames = list[tuple[State, Any]](), list[FrameType]()

    def count(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        is_own = event == "call" and frame.f_globals is names and code.co_name not in IN_BRACKETS
        if is_own and not (code.co_flags & inspect.CO_GENERATOR and any(one is frame for one in frames)):
            frames.append(frame)

    def called() -> None:
        sys.setprofile(count)
        try:
            ended.append((State.GAVE, names[name](*case.args)))
        except Exception as error:
            ended.append((State.RAISED, error))
        finally:
            sys.setprofile(None)

    random.seed(1)
    _, printed = transcript(called, typed=case.typed, chance=case.chance or 0)
    return *ended[0], printed, [frame.f_code.co_name for frame in frames]


def obeys_the_law(names: Names, name: str, case: Case) -> None:
    """Fail unless watching a call changes nothing, and shows all its calls."""
    state, value, printed, calls = plainly(names, name, case)
    random.seed(1)
    call = partial(transcript, names[name], *case.args, typed=case.typed, chance=case.chance or 0)
    run = record(call, (), names, limits=ENDLESS)
    assert (run.state, run.left_out) == (state, 0)
    assert "".join(event.value for event in run.events if event.kind is Kind.PRINTED) == printed
    if state is State.GAVE:
        assert strictly_equal(run.value[0], value) or repr(type(value)) == "<class 'function'>"
    else:
        assert (type(run.error), run.error and run.error.args) == (type(value), value.args)
    assert [call.name.replace("λ", "<lambda>") for call in run.calls if call.kind is CallOwner.OWN] == calls


@pytest.mark.proof
@pytest.mark.parametrize(("unit", "style"), STYLES)
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(choice=st.data())
def test_watching_changes_nothing_and_shows_the_calls_that_there_are(
    unit: str, style: str, choice: st.DataObject
) -> None:
    exam, names = exam_for(read_unit(unit)), namespace(unit, style)
    for name, paper in exam.by_name.items():
        calls = [call for facet in paper.facets for call in facet.calls if call[0] == "args"]
        if calls:
            obeys_the_law(names, name, exam.case(choice.draw(st.sampled_from(calls))))


LINE = ["line", 1]


@dataclass(frozen=True)
class Bug:
    """An answer with a bug, how often to press *Next line*, the line to which that leads, and what is wrong there."""

    unit: str
    name: str
    presses: int
    line: str
    seen: str
    source: str


BUGS = {
    # Two lines are right. Then line 5 calls `take` with the new tile, 3-3, at the end of the hand.
    "take_end": Bug(
        "dominoes",
        "take",
        3,
        "    return take((*hand, drawn), n - 1, tuple(left))",
        "hand = (Domino(1, 1), Domino(2, 2), Domino(3, 3)) (was (Domino(1, 1), Domino(2, 2)))",
        """
def take(hand, n, stock):
    if n == 0 or not stock:
        return hand, stock
    drawn, *left = stock
    return take((*hand, drawn), n - 1, tuple(left))
""",
    ),
    # No tile is to be drawn, but the first line draws one.
    "take_slices": Bug(
        "dominoes",
        "take",
        1,
        "    drawn = stock[n::-1]",
        "drawn = (Domino(3, 3),)",
        """
def take(hand, n, stock):
    drawn = stock[n::-1]
    left = stock[n:]
    return drawn + hand, left
""",
    ),
    # The card is at position 2 after the first riffle, and 0 riffles are counted.
    "riffles": Bug(
        "warmup",
        "riffles_to_restore",
        1,
        "    return follow(2, 0)",
        "riffles = 0",
        """
def riffles_to_restore(cards):
    @tail_recursive
    def follow(place, riffles):
        if place == 1:
            return riffles
        return recur(2 * place % (cards - 1), riffles + 1)

    return follow(2, 0)
""",
    ),
    # Three cards are left. Two of them are worth 12, and `max` takes the first.
    "highest": Bug(
        "bots",
        "highest",
        3,
        "    return max(wanted, key=lambda card: card.value)",
        "returns Card(RED, SKIP)",
        """
def highest(condition, cards):
    wanted = tuple(filter(condition, cards))
    if not wanted:
        return None
    return max(wanted, key=lambda card: card.value)
""",
    ),
    # There are eight tricks, and here are nine winners.
    "tally": Bug(
        "sedma",
        "tally",
        2,
        "    winners = tuple(accumulate(tricks, next_leader, initial=A))",
        "winners = (A, A, A, D, D, C, D, C, B)",
        """
def tally(record):
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))

    def score(team):
        won = tuple(trick for trick, winner in zip(tricks, winners) if team_of(winner) is team)
        last = 10 if team_of(winners[-1]) is team else 0
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)
""",
    ),
    # The second card should fall from the other packet, but `left` is still the packet on the left.
    "riffle": Bug(
        "warmup",
        "riffle",
        3,
        "    return (first, *riffle(tuple(rest), right))",
        "left = (Number(4, CLUBS), Number(5, CLUBS)) (was (Joker(), Number(4, CLUBS), Number(5, CLUBS)))",
        """
def riffle(left, right):
    if not left:
        return right
    first, *rest = left
    return (first, *riffle(tuple(rest), right))
""",
    ),
    # `look` has three rounds. The last one returns: the cards that were seen come out in reverse order.
    "remove_card": Bug(
        "uno",
        "remove_card",
        9,
        "                return (*seen, *others)",
        "(Crd(Num(5), GREEN), Crd(Skip(), RED), Wild())",
        """
def remove_card(cards, card, error):
    @tail_recursive
    def look(seen, rest):
        match rest:
            case (head, *others) if is_same_card(head, card):
                return (*seen, *others)
            case (head, *others):
                return recur((head, *seen), tuple(others))
            case _:
                raise error

    return look((), cards)
""",
    ),
    # The second call of `give` has a smaller stock, and still takes the first hand.
    "make_state_list": Bug(
        "dominoes",
        "make_state_list",
        8,
        "        hand, left = take((), size, dominoes)",
        "hand = (Domino(3, 2), Domino(3, 3)",
        """
def make_state_list(players, dominoes):
    size = get_hand_size(len(players))

    def give(deal, player):
        stock, states = deal
        hand, left = take((), size, dominoes)
        return left, (*states, (hand, player))

    return fold_left(give, (dominoes, ()), players_of_string(players))
""",
    ),
    # Both ends are 0, so nothing should be laid at the right end.
    "legal_adds": Bug(
        "dominoes",
        "legal_adds",
        8,
        '            at_right = tuple(append(tile, chain, ">") for tile in ways if tile.left == right)',
        "at_right = (Chain(0, '1-3 3-1 0-4', 4),)",
        """
def legal_adds(domino, chain):
    match chain:
        case Empty():
            return (append(domino, chain, "<"),)
        case Chain(left, _, right):
            ways = (domino, flip(domino))
            at_left = tuple(append(tile, chain, "<") for tile in ways if tile.right == left)
            at_right = tuple(append(tile, chain, ">") for tile in ways if tile.left == right)
            return at_left + at_right
""",
    ),
    # The king of hearts was captured, and is still in the rest.
    "capture": Bug(
        "basra",
        "capture",
        11,
        "    rest = floor[len(found):]",
        "rest = (Card(HEART, 13), Card(SPADE, 1))",
        """
def capture(floor, card):
    sublists = (some for length in range(1, len(floor) + 1) for some in combinations(floor, length))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    if found is None:
        return ()
    rest = floor[len(found):]
    return (found, *capture(rest, card))
""",
    ),
}


def failing_run(bug: Bug) -> Viewer:
    """Return the run that is offered below a check of an answer with a bug."""
    unit = read_unit(bug.unit)
    answers = reference_answers(unit) | {bug.name: bug.source}
    lesson = Lesson(bug.unit, *(answers[name] for name in unit.by_name if unit[name].number <= unit[bug.name].number))
    code = failed_code(lesson.check(bug.name)) or hidden_call(bug, answers)
    return failed_run(code, answer_among(lesson.names, bug.name, bug.unit))


def hidden_call(bug: Bug, answers: dict[str, str]) -> str:
    """Return the failing call of an answer that passes the visible examples."""
    facets = graded(submission_with(bug.unit, answers), bug.name)[bug.name].facets
    return next(facet.failure.call for facet in facets if facet.failure and facet.failure.call)


def shown(view: dict[str, Any]) -> str:
    """Return the sentence at a step, and the names and values shown next to the code."""
    names = [f"{name} = {words(bits)}" for name, bits, _ in view["names"]]
    return "\n".join([view["spoken"], *names, *map(words, view["values"])])


def line_shown(viewer: Viewer) -> str:
    """Return the marked line, or the line of the call if a call has just begun."""
    view = viewer.view()
    (line,) = (line for line in view["code"] if "now" in line)
    if not view["spoken"].startswith("line "):
        return unescape(re.sub("<[^>]*>", "", "".join(line["c"])))
    call = viewer.run.calls[viewer.run.events[viewer.run.steps[view["at"]]].call]
    site = SPOTS[call.site]
    assert view["spoken"].startswith(f"line {site.line} calls ")
    return site.lines[site.line - 1]


@pytest.mark.parametrize("name", BUGS)
def test_next_line_leads_to_the_wrong_line_and_hides_its_value_before(name: str) -> None:
    bug, viewer = BUGS[name], failing_run(BUGS[name])
    view = viewer.view()
    assert bug.seen not in shown(view)
    assert {words(row["r"]) for row in view["rows"] if row.get("s") == "ahead" and "r" in row} <= {"?"}
    for _ in range(bug.presses):
        viewer.receive(LINE)
    assert line_shown(viewer) == bug.line and bug.seen in shown(viewer.view())
