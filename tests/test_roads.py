"""How many functions a check, a submission and a click may call. `make house` prints how many they call now."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from tests.roads import CALL_PATHS

CEILINGS = {
    "check of a right answer, with the kit": 70,
    "check of a wrong answer, with the kit": 190,  # with the facts of the failing call
    "check of a right answer, with everything": 185,
    "check of a wrong answer, with everything": 320,
    "foldem grade": 302,  # with the facts of the failing call, and the choice between files
    "a click at a table": 20,
}


def numbers_of_functions() -> dict[str, int]:
    return {name: len(walk()) for name, walk in CALL_PATHS.items()}


@pytest.mark.forks
def test_call_paths_grow_no_longer() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:  # what ran before makes a path longer
        numbers = pool.submit(numbers_of_functions).result()
    assert {name: number for name, number in numbers.items() if number > CEILINGS[name]} == {}
