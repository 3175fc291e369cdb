"""Laws of the rule that chooses which version of a submission counts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from autograder.term.collected import EMPTY, ILLEGIBLE, WORKED_ON, Version, ranked_versions, versions_to_collect

UNTIL = datetime(2026, 3, 2, 23, 59, tzinfo=UTC)
IN_TIME, LATE = "2026-03-01T10:00:00+00:00", "2026-03-04T10:00:00+00:00"
NAMES = ("1_dominoes.ipynb", "1_dominoes (1).ipynb", "1_dominoes-2.ipynb", "x.ipynb", "1_dominoes-checkpoint.ipynb")


def version(sha: str, name: str = NAMES[0], day: int = 1, worth: int = WORKED_ON, **rest: object) -> Version:
    known = {"path": f"s1/{name}", "source": "a.zip", "downloaded": f"2026-03-{day:02}T10:00:00", "worth": worth}
    return Version("s1", "dominoes", "1_dominoes", sha, **(known | rest))  # type: ignore[arg-type]


VERSIONS = st.lists(
    st.builds(
        version,
        sha=st.sampled_from("abcd"),
        name=st.sampled_from(NAMES),
        day=st.integers(1, 4),
        worth=st.sampled_from([ILLEGIBLE, EMPTY, WORKED_ON]),
        order=st.integers(0, 3),
        handed_in=st.sampled_from(["", IN_TIME, LATE]),
    ),
    min_size=1,
    max_size=7,
    unique_by=lambda each: each.key,
)


@given(VERSIONS, st.randoms())
def test_the_choice_depends_on_no_order(versions: list[Version], chance: object) -> None:
    shuffled = versions[:]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert ranked_versions(versions, UNTIL)[0] == ranked_versions(shuffled, UNTIL)[0]


@given(VERSIONS)
def test_collecting_again_adds_nothing(versions: list[Version]) -> None:
    assert versions_to_collect(versions, versions) == []
    assert versions_to_collect(versions, [replace(each, handed_in="") for each in versions]) == []


@given(VERSIONS, st.sampled_from([ILLEGIBLE, EMPTY, "late"]))
def test_a_good_file_in_time_is_never_replaced_by_a_worse_one(versions: list[Version], worse: int | str) -> None:
    good = version("good", day=2, handed_in=IN_TIME)
    bad = version("bad", day=9, worth=WORKED_ON if worse == "late" else int(worse), handed_in=LATE)
    assert ranked_versions([*versions, good, bad], UNTIL)[0] == ranked_versions([*versions, good], UNTIL)[0]


@given(VERSIONS)
def test_a_known_time_is_never_forgotten(versions: list[Version]) -> None:
    known = version("k", day=5, handed_in=LATE)
    again = version("k", day=6)
    assert ranked_versions([known, again], UNTIL)[0].handed_in == LATE
    assert all(each.handed_in for each in ranked_versions([*versions, known, again], UNTIL) if each.sha == "k")


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (version("a", NAMES[1]), version("b", NAMES[0])),
        (version("a", NAMES[0]), version("b", NAMES[3])),
        (version("a", NAMES[3]), version("b", NAMES[4], order=9)),
        (version("a", NAMES[0], order=1), version("b", NAMES[0], order=2, worth=EMPTY)),
        (version("a", day=2), version("b", day=1, handed_in=IN_TIME)),
        (version("a", handed_in=IN_TIME), version("b", day=9, handed_in=LATE)),
        (version("a", handed_in=LATE), version("b", day=9, worth=ILLEGIBLE, handed_in=IN_TIME)),
        (version("a", day=2, handed_in=LATE), version("b", day=1, handed_in=LATE)),
    ],
)
def test_of_two_versions_the_better_one_counts(better: Version, worse: Version) -> None:
    assert ranked_versions([worse, better], UNTIL)[0] == better
