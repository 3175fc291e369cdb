"""The speed of Uno: games per second without printing, and the cost of grading a complete notebook.

Run `python benchmarks/uno.py [seconds]`; the status is 1 below 200 four-player games per second on one core, above 1
CPU second for a notebook, or below 5,000 calls checked in it.
"""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent))

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading.run import grade_in, open_sandbox
from course.uno import ten_players
from solutions.uno import game, naive
from tests.classroom import reference_answers, submission_with
from tests.units import read_unit

PROMISED = 200
MOST_SECONDS = 1.0
FEWEST_CALLS = 5000


def games_per_second(seconds: float = 3.0) -> float:
    """Return the games played per second of CPU time, measured for at least `seconds`."""
    players, start, played = ten_players(naive)[1:5], process_time(), 0
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        while process_time() - start < seconds:
            game(players)
            played += 1
    return played / (process_time() - start)


def grading_cost() -> tuple[float, int]:
    """Return the CPU seconds of grading a solved notebook, inside and outside of the sandbox, and the calls checked."""
    submission, policy = submission_with("uno", reference_answers(read_unit("uno"))), Policy()
    exam_for(read_unit("uno"))
    for _ in range(2):
        start = process_time()
        with open_sandbox(read_unit("uno"), policy) as sandbox:
            calls = grade_in(sandbox, submission, policy).calls
        seconds = process_time() - start + sandbox.cpu_seconds
    return seconds, calls


if __name__ == "__main__":
    rate = games_per_second(*map(float, sys.argv[1:2]))
    print(f"Uno, four naive players: {rate:.0f} games a second of CPU time (promised: {PROMISED})")
    seconds, calls = grading_cost()
    promised = f"at most {MOST_SECONDS}, at least {FEWEST_CALLS:,}"
    print(f"A solved Uno notebook: {seconds:.2f} CPU s for {calls:,} calls (promised: {promised})")
    sys.exit(rate < PROMISED or seconds > MOST_SECONDS or calls < FEWEST_CALLS)
