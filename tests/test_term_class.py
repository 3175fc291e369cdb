"""A graded class: its table whatever is in it, names from the roster on all pages, and groups that work together."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from tests.classroom import notebook_with, reference_answers, write_file
from tests.command import foldem_here, printed_by
from tests.units import read_unit

pytestmark = pytest.mark.sandbox

NAMES = {"s1": "Ann Lee", "s2": "Bob Ray", "s3": "Cid Foe", "s4": "Dan Poe", "s5": "Eve Orr"}
# Nobody else writes it like this.
OWN = "\n\n".join(
    f"def helper_{n}(a, b):\n    return [({n} * x + y, x - {n} * y) for x in a for y in b[{n}:] if y != x]"
    for n in range(3, 15)
)


def hand_in(course: Path, student: str, text: str) -> None:
    write_file(course / "submitted" / student / "warmup" / "0_warmup.ipynb", text)


def test_pages_have_the_names_of_the_roster_and_no_pairs_in_a_group(tmp_path: Path) -> None:
    course, right = tmp_path / "c", reference_answers(read_unit("warmup"))
    answers = {name: right[name] for name in ("swap_ends", "penalty", "riffle", "winning_card", "pile_up")}
    printed_by(foldem_here("course", course, "--unit", "warmup"))
    rows = [f"{student},{name},{'A' if student < 's3' else ''},T1" for student, name in NAMES.items()]
    write_file(course / "roster.csv", "\n".join(("id,name,group,section", *rows)))
    for student in NAMES:
        own = f"{answers['swap_ends']}\n\n\n{OWN}" if student < "s3" else answers["swap_ends"]
        hand_in(course, student, nbformat.writes(notebook_with("warmup", answers | {"swap_ends": own})))
    out = tmp_path / "r"
    printed_by(foldem_here("grade", course / "submitted", "--out", out))
    printed_by(foldem_here("report", course, "--out", out / "class.html"))
    pages = [page.read_text() for page in (out / "pages").rglob("*.html")]
    for name in NAMES.values():
        assert any(f"{name} (" in page for page in pages)
    assert "No two of " in (out / "class.html").read_text()
    (course / "roster.csv").write_text((course / "roster.csv").read_text().replace(",A,", ",,"))
    printed_by(foldem_here("report", course, "--out", tmp_path / "class.html"))
    page = (tmp_path / "class.html").read_text()
    assert "No two of " not in page and "Ann Lee (s1)" in page
