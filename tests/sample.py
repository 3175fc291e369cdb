"""What is too much for every run: the suite takes a part of it, the proofs take the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def one_in(many: int, values: Sequence[Any]) -> list[Any]:
    """Return parameters of which the suite takes one in so many, spread evenly, and the proofs the others."""
    return [value if place % many == 0 else as_proof(value) for place, value in enumerate(values)]


def as_proof(value: Any) -> Any:
    return pytest.param(*(value if isinstance(value, tuple) else [value]), marks=pytest.mark.proof)
