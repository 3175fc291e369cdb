"""Pictures in lessons: written as code, shown as drawings, with descriptions for readers who can't see them."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path

import pytest

from autograder.units.build import source_notebook, with_pictures
from autograder.units.pack import UnitError
from tests.units import read_unit, unit_names

BLOCK = """Look:

```draw
A leads | Domino(2, 4), Domino(6, 6) | `Num(1)` < 3
nothing here
```

So."""


def test_code_between_words_is_drawn_and_the_rest_is_unchanged() -> None:
    text = with_pictures(BLOCK, Path())
    assert text.startswith("Look:\n\n<p>A leads <img ") and text.endswith("<br>\nnothing here</p>\n\nSo.")
    assert 'alt="tile two four, tile six six"' in text and "<code>Num(1)</code> &lt; 3" in text
    (picture,) = re.findall(r"base64,([\w+/=]+)", text)
    assert b64decode(picture).startswith(b"<svg ")


def test_a_drawing_block_without_pictures_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "lesson.py"
    file.write_text("# Look:\n#\n# ```draw\n# Domino(1\n# Domino(2\n# ```\n")
    with pytest.raises(UnitError, match=r"\A.*lesson\.py:4: a lesson cannot draw Domino\(1 Domino\(2\. .*\Z"):
        with_pictures("Look:\n\n```draw\nDomino(1\nDomino(2\n```", file)


@pytest.mark.parametrize("unit", unit_names())
def test_every_unit_draws_pictures_and_leaves_no_block_undrawn(unit: str) -> None:
    text = "\n".join(cell.source for cell in source_notebook(read_unit(unit)).cells if cell.cell_type == "markdown")
    assert "<img " in text and "```draw" not in text and "┌─" not in text and '<img alt=""' not in text
