"""`foldem doctor`: its messages where something is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.commands import doctor
from autograder.commands.doctor import summary
from course.show.results import BAD, GOOD, OPEN
from tests.units import known


def test_without_a_sandbox_a_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "has_sandbox_parts", lambda: True)
    monkeypatch.setattr(doctor, "failings", lambda level, secrets: (f"{level} is broken",))
    finding = doctor._sandbox(known())
    assert finding.state == BAD and "apt-get install bubblewrap" in finding.remedy
    assert "bubblewrap is broken" in finding.result and "landlock is broken" in finding.result
    assert "Grading other people's notebooks needs a sandbox" in summary([finding])


def test_settings_of_a_course_are_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert doctor._settings().state == GOOD
    for text, state in (('seed = "ours"', GOOD), ("hints = true", OPEN), ("hint = true", BAD), ("hints = ", BAD)):
        (tmp_path / "foldem.toml").write_text(text)
        assert doctor._settings().state == state, text
