"""The notebooks with the versions of IPython and ipykernel that Colab has, in an environment made for that."""

from __future__ import annotations

import json
import subprocess
import venv
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.commands.student_kit import build_wheel, sealed_exams
from tests.classroom import solved_notebook
from tests.command import PATIENCE
from tests.units import known, unit_names

VERSIONS = ("ipython==7.34.0", "ipykernel==6.17.1", "setuptools", "nbclient", "nbformat")
RUN = """
import json, sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], 4)
NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
texts = []
for cell in notebook.cells:
    outputs = cell.get("outputs", [])
    shown = [output.get("data", {}).get("text/plain", output.get("text", "")) for output in outputs]
    texts.append(["".join(shown), [output["evalue"] for output in outputs if output.output_type == "error"]])
print(json.dumps(texts))
"""


@pytest.fixture(scope="module")
def colab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an environment with these versions and the course only."""
    folder = tmp_path_factory.mktemp("colab")
    notebooks = [json.dumps(solved_notebook(unit)) for unit in unit_names()]
    wheel = build_wheel(folder, known().packs[0], True, {"sealed": dict(sealed_exams(notebooks, known()))})
    venv.create(folder / "env", with_pip=True)
    subprocess.run([folder / "env/bin/pip", "install", "--quiet", *VERSIONS, wheel], check=True, timeout=PATIENCE)
    return folder


def shown(colab: Path, notebook: nbformat.NotebookNode) -> list[tuple[str, list[str]]]:
    """Run a notebook, and return what each cell shows, and its errors."""
    (colab / "run.ipynb").write_text(nbformat.writes(notebook), encoding="utf-8")
    command = [colab / "env/bin/python", "-c", RUN, "run.ipynb"]
    done = subprocess.run(command, cwd=colab, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr[-2000:]
    return [(text, errors) for text, errors in json.loads(done.stdout)]


@pytest.mark.proof
@pytest.mark.parametrize("unit", unit_names())
def test_solved_notebook_runs_to_its_end_with_the_versions_of_colab(colab: Path, unit: str) -> None:
    notebook = solved_notebook(unit)
    results = zip(notebook.cells, shown(colab, notebook), strict=True)
    cells = ((cell.source, text) for cell, (text, _) in results if cell.cell_type == "code")
    checks = {source.split('"')[1]: text for source, text in cells if 'check("' in source}
    assert len(checks) >= 2
    assert {name: text for name, text in checks.items() if not text.startswith("✓")} == {}


@pytest.mark.proof
def test_cell_that_stopped_is_named_with_the_versions_of_colab(colab: Path) -> None:
    sources = (
        "from course.dominoes import *\nfrom course.check import check",
        "1 / 0\ndef flip(domino): return Domino(domino.right, domino.left)",
        'check("flip")',
    )
    cells = [new_code_cell(source, metadata={"tags": ["raises-exception"]}) for source in sources]
    text, errors = shown(colab, new_notebook(cells=cells))[-1]
    assert "stopped" in text and "ZeroDivisionError" in text and "not run" not in text and errors == []
