"""The class that `foldem demo` makes up can be collected with its submission times."""

from __future__ import annotations

from pathlib import Path

from tests.command import foldem_here


def test_the_worksheet_of_the_demo_has_all_hand_in_times(tmp_path: Path) -> None:
    folder, course = tmp_path / "class", tmp_path / "course"
    assert foldem_here("demo", folder, "--unit", "warmup").returncode == 0
    assert foldem_here("course", course, "--unit", "warmup").returncode == 0
    (course / "roster.csv").write_bytes((folder / "roster.csv").read_bytes())
    with (course / "foldem.toml").open("a", encoding="utf-8") as settings:
        settings.write("deadlines = { warmup = 2026-03-08T23:59:00+01:00 }\n")
    done = foldem_here("collect", folder / "submissions.zip", course, "--times", folder / "worksheet.csv")
    late = [line for line in (done.stdout + done.stderr).splitlines() if "late" in line]
    assert late == ["s103: warmup is late by 8 h 6 min", "s104: warmup is late by 8 h 6 min"]
    assert "no submission time" not in done.stdout + done.stderr and "6 notebooks collected" in done.stdout
