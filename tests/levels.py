"""The levels of the sandbox as parameters of tests: each is skipped where it cannot be had."""

from __future__ import annotations

import pytest

from autograder.sandbox.cage import BUBBLEWRAP, LANDLOCK, OFF

CONFINED = (
    pytest.param(BUBBLEWRAP, marks=pytest.mark.bubblewrap),
    pytest.param(LANDLOCK, marks=pytest.mark.landlock),
)
LEVELS = (*CONFINED, OFF)
