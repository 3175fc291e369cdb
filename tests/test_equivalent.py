"""Surviving mutants as TOML."""

from __future__ import annotations

from pathlib import Path

from autograder.prove.mutate import Mutant, RightMutants, all_mutants, equivalent_toml
from autograder.toml import read_toml
from autograder.units.pack import UnitError
from tests.classroom import write_file
from tests.units import WAR, read_unit


def test_survivors_and_texts_of_any_kind_are_printed_as_entries_to_read(tmp_path: Path) -> None:
    texts = ['"""', "\\n\n\t", "a\x7fb\x00", "…", "'''"]
    mutants = [Mutant(read_unit("war", WAR), "deal", "line", text, "") for text in texts]
    mutants += all_mutants(read_unit("war", WAR))
    file = write_file(tmp_path / "equivalent_mutants.toml", equivalent_toml(mutants))
    entries = read_toml(file, RightMutants, UnitError).equivalent
    listed = [(each.unit, each.exercise, each.line, becomes) for each in entries for becomes in each.becomes]
    assert sorted(listed) == sorted(mutant.key for mutant in mutants)
