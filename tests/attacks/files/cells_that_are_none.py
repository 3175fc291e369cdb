"""Has cells that are numbers, lists and nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    text = json.loads(json.dumps(notebook))
    text["cells"] = [1, None, [], {}, {"cell_type": 5, "source": {"a": 1}, "metadata": []}, *text["cells"]]
    path.write_text(json.dumps(text))
