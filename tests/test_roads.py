"""Ceilings for the call paths of a check and of a submission. `make house` prints how long they are now.

`foldem grade` executes 1,180 lines of the grader. So it calls at least 48 functions if bodies have 25 lines, and 70 if
they have 17. The goals of 26 functions for it and of 40 for a check are for following the answer.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from tests.roads import CALL_PATHS, CallPath

CHECK, GRADE = (40, 14, 15), (26, 12, 8)
FOLLOWING = {
    "check of a right answer, with the kit": CHECK,
    "check of a wrong answer, with the kit": CHECK,
    "check of a right answer, with everything": CHECK,
    "check of a wrong answer, with everything": (44, 14, 15),
    "foldem grade": GRADE,
}
WALK = {
    "check of a right answer, with the kit": (70, 14, 45),
    "check of a wrong answer, with the kit": (190, 30, 85),  # with the facts of the failing call
    "check of a right answer, with everything": (185, 32, 95),
    "check of a wrong answer, with everything": (320, 42, 150),
    "foldem grade": (302, 40, 165),  # with the facts of the failing call, and the choice between files
    "a click at a table": (20, 8, 11),
}


def walked_in_order() -> dict[str, CallPath]:
    return {name: walk() for name, walk in CALL_PATHS.items()}


def length(path: CallPath) -> tuple[int, int, int]:
    return path.functions, path.modules, path.returns


@pytest.mark.forks
def test_call_paths_grow_no_longer() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:  # what ran before makes a path longer
        paths = pool.submit(walked_in_order).result()
    for name, path in paths.items():
        if name in FOLLOWING:
            following = length(path.following)
            assert all(0 < now <= most for now, most in zip(following, FOLLOWING[name], strict=True)), (name, following)
        walk = length(path.without_tools)
        assert all(now <= most for now, most in zip(walk, WALK[name], strict=True)), (name, walk)
