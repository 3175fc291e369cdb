"""A class's table, as the terminal shows it."""

from __future__ import annotations

import pytest
from rich.console import Console

from autograder.config import Policy
from autograder.grading.run import grade
from autograder.report.render import ON_PUBLISHED, ClassTable
from tests.classroom import submission_with
from tests.units import known

pytestmark = pytest.mark.sandbox


def printed(*policies: Policy) -> str:
    console = Console(width=120)
    with console.capture() as capture:
        table = ClassTable(console, [3], known())
        for policy in policies:
            table.add("ada", grade(submission_with("warmup", {}), policy))
        table.finish()
    return capture.get()


def test_two_assignments_of_one_unit_are_summed_up_one_by_one() -> None:
    text = printed(*[Policy(exercises=names) for names in (("swap_ends", "penalty"), ("swap_ends",), ("swap_ends",))])
    assert text.count("2 exercises from swap_ends to penalty: mean") == 1
    assert text.count("1 exercise from swap_ends to swap_ends: mean") == 1


@pytest.mark.parametrize(("seed", "is_announced"), [("0", True), ("a long secret", False)])
def test_grading_by_the_published_exam_is_announced(seed: str, is_announced: bool) -> None:
    text = " ".join(printed(Policy(seed=seed, exercises=("swap_ends",))).split())
    assert (ON_PUBLISHED in text) is is_announced
