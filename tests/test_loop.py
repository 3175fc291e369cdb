"""`foldem prove --watch`: what a change affects, the rounds, and surviving mutants as TOML."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.prove.again import ProofMemory, Proved
from autograder.prove.equivalent import RightMutants, equivalent_toml
from autograder.prove.mutate import Mutant, all_mutants
from autograder.prove.needs import needs_of
from autograder.toml import read_toml
from autograder.units.pack import FINDER, UnitError, catalogue_here
from autograder.units.unit import read_unit as read_unit_in
from tests.classroom import write_file
from tests.command import FOLDEM, PATIENCE, PLAIN
from tests.units import WAR, read_unit

ALL = {"outranks", "deal", "battle"}
CHANGES: dict[str, tuple[str, str, str, set[str]]] = {
    "a reference that another one calls": (
        "solutions/war.py",
        "return (one.rank - 2) % 13 >",
        "return (one.rank + 11) % 13 >",
        {"outranks", "battle"},
    ),
    "a reference that no other calls": ("solutions/war.py", "return pack[::2],", "return pack[0::2],", {"deal"}),
    "a statement": ("solutions/war.py", "card by card, the", "one by one, the", {"deal"}),
    "a lesson": ("solutions/war.py", "# Numbers have an order", "# They have an order", set()),
    "a mistake": ("mistakes/war.py", "return pack[1::2], pack[::2]", "return (pack[1::2], pack[::2])", {"deal"}),
    "a right answer": ("right/war_folds.py", "def deal(pack):", "def deal(pack, /):", {"deal"}),
    "a reason": ("right/equivalent_mutants.toml", "Only the ace", "Just the ace", {"outranks"}),
    "a check": ("checks/war.py", '(("9", "4"),', '(("9", "5"),', {"battle"}),
    "a helper of a check": ("checks/war.py", "CLUBS), _hand", "SPADES), _hand", {"battle"}),
    "a strategy": ("checks/war.py", "max_size=12", "max_size=11", {"deal"}),
    "a comment": ("checks/war.py", "CHECKS = {", "# by rank\nCHECKS = {", set()),
    "a computed check": ("checks/war.py", "CHECKS = {", "CHECKS = {} | {", ALL),
    "a hint": ("war_course/war.toml", 'name = "deal"', 'name = "deal"\nlines = 9', {"deal"}),
    "the title": ("war_course/war.toml", 'title = "', 'title = "The ', ALL),
    "a given type": ("war_course/war.py", "The four suits", "Four suits", ALL),
}


@pytest.fixture(autouse=True)
def own_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let later tests import the pack from its own folder again."""
    monkeypatch.setattr(FINDER, "folders", dict(FINDER.folders))


def copy_of_war(folder: Path, file: str = "", old: str = "", new: str = "") -> Path:
    """Copy the pack, with one change, and return its folder."""
    shutil.copytree(WAR, folder)
    if file:
        text = (folder / file).read_text(encoding="utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


def needs_in(folder: Path) -> dict[str, str]:
    """Return the needs of war's exercises in a copy of the pack."""
    return needs_of(read_unit_in(catalogue_here().with_packs([folder]), "war"))


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_affects_only_what_depends_on_it(tmp_path: Path, change: str) -> None:
    file, old, new, affected = CHANGES[change]
    before = needs_in(copy_of_war(tmp_path / "before"))
    after = needs_in(copy_of_war(tmp_path / "after", file, old, new))
    assert {name for name, needs in after.items() if needs != before[name]} == affected


def test_pipe_or_folder_in_a_pack_keeps_no_proof_waiting(tmp_path: Path) -> None:
    folder = copy_of_war(tmp_path / "war")
    before = needs_in(folder)
    os.mkfifo(folder / "war_course" / "pipe.py")
    (folder / "war_course" / "folder.py").mkdir()
    assert needs_in(folder) == before


def test_a_file_that_does_not_parse_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(UnitError, match=r"war_folds\.py:14: SyntaxError"):
        needs_in(copy_of_war(tmp_path / "war", "right/war_folds.py", "def deal(pack):", "def deal(pack:"))


def test_memory_has_the_last_proofs_of_each_exercise() -> None:
    memory, proved = ProofMemory(), Proved("1", ("mistakes refused",))
    memory.add(ProofMemory({("war", "deal"): proved, ("war", "battle"): Proved("2", ())}))
    assert memory.failing() == ["war.deal: mistakes refused"]
    memory.add(ProofMemory({("war", "deal"): Proved("3", ())}))
    assert memory.failing() == []
    assert memory.changed("war", {"deal": "3", "battle": "4", "outranks": "5"}) == ["battle", "outranks"]


# ------------------------------------------------------------------------------------------------ mutants as TOML


def test_survivors_and_texts_of_any_kind_are_printed_as_entries_to_read(tmp_path: Path) -> None:
    texts = ['"""', "\\n\n\t", "a\x7fb\x00", "…", "'''"]
    mutants = [Mutant(read_unit("war", WAR), "deal", "line", text, "") for text in texts]
    mutants += all_mutants(read_unit("war", WAR))
    file = write_file(tmp_path / "equivalent_mutants.toml", equivalent_toml(mutants))
    entries = read_toml(file, RightMutants, UnitError).equivalent
    listed = [(each.unit, each.exercise, each.line, becomes) for each in entries for becomes in each.becomes]
    assert sorted(listed) == sorted(mutant.key for mutant in mutants)


# ------------------------------------------------------------------------------------------------------ the command


def lines_of_round(process: subprocess.Popen[str]) -> list[str]:
    """Return what the command prints until it waits for the next change."""
    assert process.stdout
    lines = [""]
    while not lines[-1].startswith("watching "):
        lines.append(next(process.stdout).rstrip())
    return lines[1:]


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """Provide a copy of the pack, and the command that watches one exercise of it."""
    pack = copy_of_war(tmp_path / "war")
    words = [FOLDEM, "prove", "war", "--pack", str(pack), "--jobs", "1", "--exercise", "deal", "--watch"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=PLAIN) as process:
        try:
            yield pack, process
        finally:
            process.kill()


def test_a_saved_change_is_proved_again(watching: tuple[Path, subprocess.Popen[str]]) -> None:
    pack, process = watching
    first = lines_of_round(process)
    assert "✓ war.deal: mistakes refused (3 of 3)" in first and "✓ war.deal: mutants refused (14 of 14)" in first
    mistakes = pack / "mistakes/war.py"
    text = mistakes.read_text(encoding="utf-8")
    mistakes.write_text(text.replace("return pack[1::2], pack[::2]", "return pack[::2], pack[1::2]"), encoding="utf-8")
    second = "\n".join(lines_of_round(process)[:-1])
    assert (
        re.search(r"✗ war.deal: mistakes refused \(2 of 3\)\n.*deal__second_first", second) and "outranks" not in second
    )
    assert second.endswith("\nstill failing: war.deal: mistakes refused")
    mistakes.write_text(f"{text}(", encoding="utf-8")
    assert "SyntaxError" in lines_of_round(process)[0]
    mistakes.write_text(text, encoding="utf-8")
    assert "✓ war.deal: mistakes refused (3 of 3)" in lines_of_round(process)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0 and process.stdout and process.stdout.read() == ""
