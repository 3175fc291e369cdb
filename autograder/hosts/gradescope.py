"""Grade a submission on Gradescope, and write the `results.json` that Gradescope reads."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from time import monotonic

from autograder.arena.contest import UnitArena, find_arena
from autograder.arena.entries import TournamentError, entries_of
from autograder.arena.tournament import play_tournament
from autograder.config import Policy, secret_folders
from autograder.hosts.single import SingleReport, single_assignment
from autograder.report import render
from autograder.report.model import ExerciseReport, Graded
from autograder.report.words import bot_fault_text
from autograder.sandbox.host import usable_level
from autograder.submission.sort import NotebookError
from autograder.units.unit import read_unit

SHOWN_TO_STUDENT = "visible"
GRADED, AT_FAULT = 0, 1
SETS = 100
MOST_SECONDS = 120.0  # for the whole leaderboard: Gradescope gives no mark to a submission that takes too long


def main(source: str, submitted: str, results: str, unit: str, assignment: str = "") -> int:
    """Grade the submission and write the results.

    After a fault of the grader, no results are written. Then Gradescope reports an error and gives no mark.
    """
    try:
        meant = single_assignment(Path(source), unit, assignment)
        single = meant.graded(Path(submitted))
    except NotebookError as error:
        output = f"Your submission could not be graded: {error}"
        results_data = {"score": 0, "output": output, "visibility": SHOWN_TO_STUDENT, "tests": []}
    else:
        if single.problems:
            print("could not be graded:", *single.problems)
            return AT_FAULT
        held = find_arena(read_unit(meant.course.catalogue, unit))
        ranks = leaderboard(single.path, held, meant.course.policy) if held else []
        results_data = results_of(single) | ({"leaderboard": ranks} if ranks else {})
    Path(results).parent.mkdir(parents=True, exist_ok=True)
    Path(results).write_text(json.dumps(results_data, indent=1) + "\n", encoding="utf-8")
    return GRADED


def results_of(single: SingleReport) -> dict[str, object]:
    """Return a report in Gradescope's format: a test per exercise, with its facets and form as output."""
    report = single.report
    return {
        "score": report.points,
        "output": single.summary,
        "visibility": SHOWN_TO_STUDENT,
        "stdout_visibility": "hidden",
        "tests": [_test(report, exercise) for exercise in report.exercises],
    }


def _test(report: Graded, exercise: ExerciseReport) -> dict[str, object]:
    return {
        "name": exercise.name,
        "number": str(exercise.number),
        "score": exercise.points,
        "max_score": exercise.of,
        "output": render.plain_html(exercise),
        "output_format": "html",
        "visibility": SHOWN_TO_STUDENT,
        "tags": [report.unit, exercise.state],
    }


def leaderboard(notebook: Path, held: UnitArena, policy: Policy) -> list[dict[str, object]]:
    """Return how many sets of 100 the notebook's bot wins against each reference bot of the arena.

    It is empty without a bot or with a slow one.

    The sets depend on the course's seed only, so that everyone plays the same cards.
    """
    seed = int.from_bytes(sha256(policy.seed.encode()).digest()[:6], "big")
    catalogue = held.unit.catalogue
    level = usable_level(policy.sandbox, secret_folders(catalogue))
    ranks: list[dict[str, object]] = []
    in_time = _until(monotonic() + MOST_SECONDS)
    for rival in held.arena.references:
        try:
            entries = entries_of([str(notebook), rival], catalogue, held.unit.name)
            outcome, _ = play_tournament(entries, level, SETS, seed, 1, 1, bot_fault_text, in_time)
        except TournamentError:
            return []
        own, _ = outcome.tournament.standings
        ranks.append({"name": f"Sets of {SETS} won against the {rival} player", "value": own.sets, "order": "desc"})
    return ranks


def _until(end: float) -> Callable[[], None]:
    """Return a function that stops a tournament after this time."""

    def in_time() -> None:
        if monotonic() > end:
            raise TournamentError("the bot is too slow for the leaderboard")

    return in_time


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
