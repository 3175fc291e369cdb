"""The edge of the course: chance, typed input, printed text."""

from __future__ import annotations

import io

from course.effects import random_below, scripted, transcript


def dice(throws: int) -> tuple[int, ...]:
    return tuple(random_below(6) for _ in range(throws))


def test_a_transcript_without_chance_of_its_own_takes_the_chance_around_it() -> None:
    with scripted((), 2026, io.StringIO()):
        first, within, last = dice(40), transcript(dice, 40)[0], dice(40)
    assert first + within + last == transcript(dice, 120, chance=2026)[0]


def test_real_chance_rules_again_after_a_script() -> None:
    with scripted((), 2026, io.StringIO()):
        pass
    assert len({dice(40) for _ in range(3)}) == 3
