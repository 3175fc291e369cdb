"""The levels of the sandbox as parameters of tests. A level that does not work here is skipped."""

from __future__ import annotations

import pytest

from autograder.sandbox.cage import BUBBLEWRAP, LANDLOCK, OFF

CONFINED = (
    pytest.param(BUBBLEWRAP, marks=pytest.mark.bubblewrap),
    pytest.param(LANDLOCK, marks=pytest.mark.landlock),
)
LEVELS = (*CONFINED, OFF)
