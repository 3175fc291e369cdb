"""Parameters of tests: one in n of an expensive list, where the proofs run the rest, and the levels of the sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from autograder.sandbox.cage import BUBBLEWRAP, LANDLOCK, OFF

# A level that does not work here is skipped.
CONFINED = (
    pytest.param(BUBBLEWRAP, marks=pytest.mark.bubblewrap),
    pytest.param(LANDLOCK, marks=pytest.mark.landlock),
)
LEVELS = (*CONFINED, OFF)


def one_in(many: int, values: Sequence[Any]) -> list[Any]:
    """Return parameters for a test. The suite runs one in `many`, spread evenly, and the proofs run the others."""
    return [value if place % many == 0 else as_proof(value) for place, value in enumerate(values)]


def as_proof(value: Any) -> Any:
    return pytest.param(*(value if isinstance(value, tuple) else [value]), marks=pytest.mark.proof)
