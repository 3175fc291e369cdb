"""The law that nothing is needed before it is taught: what it recognizes in code, and that our units obey it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from autograder.prove.laws import taught_before_needed
from autograder.prove.taught import codes_of, needed, shown_by
from autograder.units import pack as packs
from tests.units import WAR, read_unit, unit_names


@pytest.mark.parametrize("unit", unit_names())
def test_all_that_a_reference_needs_was_shown_above_it(unit: str) -> None:
    proof = taught_before_needed(read_unit(unit))
    assert proof.is_law and proof.tried == len(read_unit(unit).exercises) and proof.against == ()


@pytest.mark.parametrize(
    ("code", "form"),
    {
        "lambda n: n": "`lambda`",
        "tuple(n for n in x if n)": "a condition in a comprehension",
        "{a: b for a in x for b in a}": "two `for`s in a comprehension",
        "case Number(n, _) if n > 6": "a guard",
        "case Suit.HEARTS": "a name with a dot in a pattern",
        "case Skip() | Reverse():": "`|` in a pattern",
        "f(*pair)": "a star in a call",
        "first, *rest = cards": "a star on the left of `=`",
        "(first, *rest)": "a star in a tuple",
        "def f(n):\n    return f(n - 1)": "a function that calls itself",
        "cards[::-1]": "a slice with a step",
    }.items(),
)
def test_a_form_of_syntax_is_seen_in_a_piece_of_code(code: str, form: str) -> None:
    assert form in shown_by([code])[0]


def test_a_lesson_shows_words_in_blocks_examples_and_backticks() -> None:
    lesson = "Use `zip`, <code>max</code>, not min:\n```python\n>>> any(map(len, ('a',)))\nsum\n```\n```text\nabs\n```"
    assert shown_by(codes_of(lesson))[1] == {"zip", "max", "any", "map", "len"}


def test_needs_of_a_reference_exclude_annotations_and_own_names() -> None:
    forms, words = needed(read_unit("dominoes")["make_state_list"])
    assert "a function in a function" in forms and {"fold_left", "take"} <= words
    assert words.isdisjoint({"Deal", "Player", "give", "deal", "undealt", "size", "make_state_list"})


@pytest.mark.parametrize("assumed", [[], ["a slice with a step"]])
def test_untaught_knowledge_in_a_pack_is_a_warning_unless_it_is_assumed(
    assumed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(WAR, tmp_path / "war")
    monkeypatch.setenv(packs.VARIABLE, str(copy))
    policy = copy / "war_course" / "war" / "unit.toml"
    policy.write_text(f"assumes = {assumed}\n{policy.read_text('utf-8')}", encoding="utf-8")
    proof = taught_before_needed(read_unit("war"))
    advice = "deal needs a slice with a step: show it in a lesson above, or list it in `assumes` of the TOML"
    is_said = re.search(rf"solutions/war\.py:\d+: {re.escape(advice)}", "\n".join(proof.against))
    assert not proof.is_law and bool(is_said) is not bool(assumed)
