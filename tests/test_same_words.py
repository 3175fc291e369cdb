"""Learners with a sealed exam: the kit refuses wrong answers, accepts right ones, and reads like the full grader."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.config import PUBLISHED_SEED
from autograder.exam.sealing import sealed_practice
from autograder.prove.answers import messages_if_kit_accepts, messages_if_kit_refuses, practice_outcome
from autograder.report.stops import no_answer_for
from autograder.report.words import stop_text
from autograder.units.mistakes import Mistake
from course.basra.alike import RIGHT_RESULT_TEXT as RIGHT_CAPTURES
from course.data import as_data, from_data
from course.exam.calls import Names
from course.exam.sealed import SealedExam
from course.kernel import catalogue
from course.learner.answer import answer_in_namespace
from course.learner.checking import check_answer
from course.show.results import BAD, GOOD, Result
from tests.classroom import RightSolution, all_right, all_wrong, reference_answers
from tests.kernel import Kernel, working_in
from tests.sample import one_in
from tests.sealed import read_sealed
from tests.units import mistakes_of, read_unit, submission_with, unit_names

UNIT = "warmup"
RIGHT = reference_answers(read_unit(UNIT))
NAME = next(iter(RIGHT))
HEAD = RIGHT[NAME].splitlines()[0]
POINTS = re.compile(r" · [\d.]+ / [\d.]+ points?( \(style .*\))?$")

SEEN_IN_FILES = {
    "its stub": f"{HEAD}\n    raise NotImplementedError",
    "a missing colon": RIGHT[NAME].replace(":", "", 1),
    "another name": RIGHT[NAME].replace("def ", "def x", 1),
}
OBSTACLES = SEEN_IN_FILES | {
    "an error above it": f"1 / 0\n{RIGHT[NAME]}",
    "a module that does not exist": f"import nosuch\n{RIGHT[NAME]}",
    "nothing": "",
    "a name that no statement binds": f"globals()['{NAME}'] = lambda cards: cards",
}
WRONG = one_in(12, mistakes_of(UNIT))


@pytest.fixture(scope="module")
def kit() -> SealedExam:
    """Return a kit's sealed exam."""
    return read_sealed(UNIT)


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[Kernel]:
    with working_in(tmp_path):
        kernel = Kernel(has_imports=False)
        kernel.run(f"from course.{UNIT} import *\nfrom course.check import *")
        yield kernel


def both(
    kernel: Kernel, name: str, source: str, kit: SealedExam, monkeypatch: pytest.MonkeyPatch
) -> tuple[Result, Result]:
    """Return the results of a check with a kit and with everything installed. All other answers are right."""
    for cell in (RIGHT | {name: source}).values():
        kernel.run(cell)
    names: Names = kernel.shell.user_ns
    full = check_answer(answer_in_namespace(names, name), catalogue.examiner())
    monkeypatch.setattr(catalogue, "sealed_exam_of", lambda _: kit)
    return check_answer(answer_in_namespace(names, name), None), full


def without_points(result: Result) -> str:
    head, *rest = result.text().splitlines()
    return "\n".join((POINTS.sub("", head), *rest))


@pytest.mark.forks
@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_an_obstacle_is_reported_in_the_same_words(
    kernel: Kernel, obstacle: str, kit: SealedExam, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, full = both(kernel, NAME, OBSTACLES[obstacle], kit, monkeypatch)
    assert mine.state != GOOD and mine.text() == full.text()


@pytest.mark.forks
@pytest.mark.parametrize("obstacle", SEEN_IN_FILES)
def test_a_report_has_the_words_of_the_kernel(
    kernel: Kernel, obstacle: str, kit: SealedExam, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, _ = both(kernel, NAME, OBSTACLES[obstacle], kit, monkeypatch)
    attempt = submission_with(UNIT, {NAME: OBSTACLES[obstacle]}).attempts[NAME]
    assert attempt.obstacle and mine.headline.startswith(stop_text(no_answer_for(NAME, attempt.obstacle)))


@pytest.mark.forks
@pytest.mark.parametrize("name", one_in(4, [*RIGHT]))
def test_a_right_answer_is_reported_in_the_same_words(
    kernel: Kernel, name: str, kit: SealedExam, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, full = both(kernel, name, RIGHT[name], kit, monkeypatch)
    assert mine.state == GOOD and without_points(mine) == without_points(full)


@pytest.mark.forks
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_a_wrong_answer_is_reported_in_the_same_words(
    kernel: Kernel,
    wrong: Mistake,
    kit: SealedExam,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A kit shows a failing example first, because it knows the expected results only of the examples."""
    mine, full = both(kernel, wrong.exercise, wrong.source, kit, monkeypatch)
    assert (mine.state, full.state) == (BAD, BAD) and mine.belief == full.belief
    assert " checks" not in mine.headline or mine.headline.split()[:5] == full.headline.split()[:5]
    calls = [
        part.first_failed_rule.failure.call
        for part in (mine, full)
        if part.first_failed_rule and part.first_failed_rule.failure
    ]
    is_sure = not mine.says.startswith("On line ")  # else these are facts, which only a kernel knows
    if is_sure and (mine.belief or calls[:1] == calls[1:]):
        assert mine.says and full.says.endswith(mine.says)


# ------------------------------------------------------------------------------------------------------ The sealed exam


@pytest.mark.parametrize("right", one_in(24, all_right()), ids=str)
def test_the_kit_refuses_nothing_that_is_right(right: RightSolution) -> None:
    assert messages_if_kit_refuses(right) == []


@pytest.mark.proof
@pytest.mark.parametrize("unit", unit_names())
def test_mistakes_that_kits_accept_are_left_to_a_teacher(unit: str) -> None:
    lines = [line for wrong in mistakes_of(unit)[::10] for line in messages_if_kit_accepts(wrong)]
    assert [line for line in lines if "left to a teacher" not in line] == []


@pytest.mark.parametrize("wrong", all_wrong()[::240], ids=str)
def test_the_kit_refuses_wrong_answers(wrong: Mistake) -> None:
    assert all("left to a teacher" in line for line in messages_if_kit_accepts(wrong))


SHUFFLES = (("dominoes", "list_shuffle"), ("basra", "produce_shuffled_deck"))


@pytest.mark.parametrize(("unit", "name"), SHUFFLES)
def test_the_kit_refuses_unfair_shuffles(unit: str, name: str) -> None:
    unfair = [wrong for wrong in mistakes_of(unit) if wrong.exercise == name and "swap" in wrong.name]
    assert unfair and [line for wrong in unfair[:2] for line in messages_if_kit_accepts(wrong)] == []


OTHER_ORDER = {
    "deck": "deck = tuple(reversed((*(Wild(),) * 4, *(WildDrawFour(),) * 4, *(Crd(Num(0), c) for c in COLORS),"
    " *(Crd(r, c) for r in RANKS[1:] for c in COLORS for _ in range(2)))))",
    "draw": """def draw(desk):
    player, *others = desk.players
    if not desk.deck:
        if len(desk.pile) < 2: raise IllegalGame("no card is left")
        return draw(desk.with_pile(desk.pile[:1]).with_deck(shuffle_list(desk.pile[1:])))
    return desk.with_players((player.with_cards((*player.cards, desk.deck[0])), *others)).with_deck(desk.deck[1:])""",
}


OTHER_WRONG = {"deal": ("rev_append(served, ())", "served"), "game": ("@tail_recursive", "")}


@pytest.mark.parametrize("name", ["deal", "move_action", "your_turn", "game"])
def test_right_answers_of_other_orders_change_no_other_verdict(name: str) -> None:
    answers, unit = reference_answers(read_unit("uno")) | OTHER_ORDER, read_unit("uno")
    assert practice_outcome(unit, name, answers).passed
    source = answers[name].replace(*OTHER_WRONG.get(name, ("", ""))).replace("recur(", "turns(")
    assert name not in OTHER_WRONG or not practice_outcome(unit, name, answers | {name: source}).passed


def test_text_that_stands_for_all_right_captures_is_no_right_answer() -> None:
    unit = read_unit("basra")
    answer = {"capture": f"def capture(floor, card):\n    return {RIGHT_CAPTURES!r}"}
    practice = practice_outcome(unit, "capture", reference_answers(unit) | answer)
    assert {facet.name for facet in practice.facets if facet.passed} == {"different results for different inputs"}


def test_a_sealed_paper_comes_back_as_it_was() -> None:
    data = json.loads(sealed_practice(read_unit("dominoes"), PUBLISHED_SEED))
    assert as_data(from_data(SealedExam, data)) == data


GIVES = "def flip(domino):\n    return {}"
RAISES = "def flip(domino):\n    raise {}"
OWN_TEXT = "class Odd(Exception):\n    def __str__(self): return None\n    __repr__ = __str__\n"
ODD = {
    "returned <an enormous int>": GIVES.format("10 ** 5_000"),
    "made a value that is too large": GIVES.format(
        "__import__('functools').reduce(lambda x, _: (x, x), range(99), ())"
    ),
    "returned 'xxx": GIVES.format("'x' * 900_000"),
    "returned <Odd object>": OWN_TEXT + GIVES.format("Odd.__new__(type('Odd', (Odd,), {}))"),
    "raised Odd": OWN_TEXT + RAISES.format("Odd"),
    "raised SystemExit": RAISES.format("SystemExit"),
    "raised ValueError: �": RAISES.format("ValueError('\\ud800')"),
    "raised KeyError: 'xxx": RAISES.format("KeyError('x' * 1_000_000)"),
    "printed more than 100,000 characters": "def flip(domino):\n    while True: print('x')",
    "returned Domino(2, 3)": "import sys\ndef flip(domino):\n    sys.stdout.close()\n    return domino",
}


@pytest.mark.parametrize("message", one_in(4, [*ODD]))
def test_unprintable_values_and_endless_or_closed_output_are_reported(message: str) -> None:
    failure = checked(ODD[message]).parts[0].failure
    assert failure and message in str(failure)


@pytest.fixture
def sealed_kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Put the sealed exam of dominoes beside the course, as in a wheel for students."""
    file = tmp_path / "dominoes.json"
    file.write_text(sealed_practice(read_unit("dominoes"), PUBLISHED_SEED))
    monkeypatch.setattr(catalogue, "file_of", lambda unit, _: tmp_path / f"{unit}.json")
    catalogue.sealed_exam_of.cache_clear()
    yield file
    catalogue.sealed_exam_of.cache_clear()


def checked(*sources: str, name: str = "flip") -> Result:
    names = {"__name__": "__main__", **vars(read_unit("dominoes").module)}
    for source in sources:
        exec(source, names)
    return check_answer(answer_in_namespace(names, name, "dominoes"), None)


AS_SHOWN = "def flip(domino): return domino if domino.left == 5 else Domino(domino.right, domino.left)"


def test_a_table_of_visible_examples_sees_its_failing_input(sealed_kit: Path) -> None:
    result = checked(AS_SHOWN)
    assert result.state == BAD and "expected" not in result.text()
    assert re.search(r"call      flip\(Domino\(.*\n.*returned  Domino\(", result.text())


def test_a_known_mistake_is_explained(sealed_kit: Path) -> None:
    wrong = next(each for each in mistakes_of("dominoes") if each.name == "plays_on_after_drawing")
    result = checked(*(reference_answers(read_unit("dominoes")) | {"move": wrong.source}).values(), name="move")
    assert (result.belief, result.says) == (wrong.belief, wrong.truth)
    assert 'Perhaps you thought: "A player who has drawn may lay a tile at once." ' in result.text()


def test_a_sealed_exam_of_another_version_is_ignored_with_a_hint(sealed_kit: Path) -> None:
    sealed_kit.write_text(json.dumps(json.loads(sealed_kit.read_text()) | {"version": "old"}))
    result = checked(AS_SHOWN)
    assert "2 of 2 examples right" in result.headline and "different versions" in result.notes[-1]
