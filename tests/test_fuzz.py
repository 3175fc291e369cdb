"""Random input: each problem is one line of the report, nothing breaks, and honest students keep their marks.

FOLDEM_EXAMPLES=1000 pytest tests/test_fuzz.py try so many notebooks (`make attacks`); the suite tries a few.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.exam.store import exam_for
from autograder.grading.session import Session, Setting
from autograder.report.data import report_of
from autograder.report.model import Graded, Report, Ungradable
from autograder.sandbox.cage import OFF
from autograder.sandbox.host import Sandbox
from autograder.submission.notebook import NotebookError
from course.exam import wire
from course.exam.readable import strict_json
from tests.classroom import notebook_with, reference_answers, submission_with
from tests.grader import POLICY, Grader
from tests.units import read_submission, read_unit

EXAMPLES = int(os.environ.get("FOLDEM_EXAMPLES", "60"))
FOURTH = settings(max_examples=EXAMPLES // 4, deadline=None)
ASKED = ("flip", "take")
ANSWERS = {name: text for name, text in reference_answers(read_unit("dominoes")).items() if name in ASKED}
REAL = json.loads(nbformat.writes(notebook_with("dominoes", ANSWERS)))

ATOMS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9))
KEYS = st.sampled_from(["cells", "metadata", "nbformat", "nbformat_minor", "source", "cell_type", "foldem", "x"])
TREES = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5))
CODE = st.one_of(
    st.text(max_size=80),
    st.sampled_from([*ANSWERS.values(), "def flip(d): return d", "flip = 5", "import os; os._exit(1)", "a ??"]),
    st.text(alphabet="()[]{}:\n\t =,.'\"\\x0\ud800é#%!?", max_size=200),
)
NAMES = st.sampled_from(["flip", "take", "flip-check", "take-check", "", "move"]) | ATOMS
CELLS = st.fixed_dictionaries(
    {"cell_type": st.sampled_from(["code", "markdown", "raw"]) | ATOMS, "source": CODE | st.lists(CODE) | ATOMS},
    optional={"metadata": st.fixed_dictionaries({}, optional={"nbgrader": st.fixed_dictionaries({"grade_id": NAMES})})},
)
SAYS = st.fixed_dictionaries({"unit": st.just("dominoes") | ATOMS}, optional={"exercises": st.lists(NAMES) | ATOMS})
NOTEBOOKS = st.fixed_dictionaries(
    {"cells": st.lists(CELLS, max_size=9), "nbformat": st.just(4), "metadata": st.fixed_dictionaries({"foldem": SAYS})}
)
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1", "cp037", "shift_jis", "utf-7")


@pytest.fixture(scope="module")
def steady() -> Iterator[Grader]:
    """Provide a grader whose sandboxes grade all notebooks of a test; an honest student's notebook comes last."""
    with ExitStack() as stack:
        grader = Grader(stack)
        before = marks(grader.grade(submission_with("dominoes", ANSWERS), *ASKED))
        yield grader
        assert marks(grader.grade(submission_with("dominoes", ANSWERS), *ASKED)) == before == {"flip": 1.0, "take": 1.0}


def marks(report: Graded) -> dict[str, float]:
    return {each.name: each.points / each.of for each in report.exercises if each.of}


def graded(grader: Grader, path: Path, data: bytes) -> Report:
    path.write_bytes(data)
    try:
        return grader.grade(read_submission(path), *ASKED)
    except NotebookError as error:
        return Ungradable(str(error))


def is_told_in_one_line(report: Report) -> bool:
    """Return whether everything that a table shows of a report fits in one line, and the report can be stored."""
    lines = [report.problem] if isinstance(report, Ungradable) else [*report.remarks]
    for each in report.exercises if isinstance(report, Graded) else ():
        lines += [each.problem, *each.remarks, each.first_failure.verdict if each.first_failure else ""]
    kept = report_of(json.loads(json.dumps(report.as_dict())))
    return all(line.isprintable() and len(line) < 30_000 for line in lines) and kept.as_dict() == report.as_dict()


def tried(grader: Grader, folder: Path, data: bytes) -> None:
    report = graded(grader, folder / "my.ipynb", data)
    assert is_told_in_one_line(report)
    assert isinstance(report, Ungradable) or report.is_graded, [each.problem for each in report.exercises]


@pytest.mark.sandbox
@FOURTH
@given(TREES)
def test_any_json_gets_one_line(steady: Grader, tmp_path_factory: pytest.TempPathFactory, tree: Any) -> None:
    tried(steady, tmp_path_factory.getbasetemp(), json.dumps(tree).encode())


@pytest.mark.sandbox
@FOURTH
@given(NOTEBOOKS)
def test_any_cells_are_graded(steady: Grader, tmp_path_factory: pytest.TempPathFactory, notebook: Any) -> None:
    tried(steady, tmp_path_factory.getbasetemp(), json.dumps(notebook).encode())


def changed(tree: Any, data: st.DataObject) -> Any:
    """Return a tree in which one part, at any depth, is replaced, missing, or doubled."""
    if not isinstance(tree, (dict, list)) or not tree or data.draw(st.integers(0, 5)) == 0:
        return data.draw(TREES | CODE)
    key = data.draw(st.sampled_from(sorted(tree) if isinstance(tree, dict) else range(len(tree))))
    deed = data.draw(st.sampled_from(["change", "change", "change", "drop", "double"]))
    if isinstance(tree, dict):
        return {name: part for name, part in tree.items() if name != key} | (
            {} if deed == "drop" else {key: changed(tree[key], data)}
        )
    middle = {"change": [changed(tree[key], data)], "drop": [], "double": [tree[key], tree[key]]}[deed]
    return [*tree[:key], *middle, *tree[key + 1 :]]


@pytest.mark.sandbox
@FOURTH
@given(st.data())
def test_a_real_notebook_with_something_changed_is_graded(
    steady: Grader, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    tried(steady, tmp_path_factory.getbasetemp(), json.dumps(changed(REAL, data)).encode())


@pytest.mark.sandbox
@FOURTH
@given(st.data())
def test_a_damaged_or_wrongly_encoded_notebook_is_reported(
    steady: Grader, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    text = json.dumps(REAL, ensure_ascii=data.draw(st.booleans()))
    raw = text.encode(data.draw(st.sampled_from(ENCODINGS)), errors="replace")
    start, size = data.draw(st.integers(0, len(raw))), data.draw(st.sampled_from([0, 0, 1, 9, 5000]))
    tried(steady, tmp_path_factory.getbasetemp(), raw[:start] + data.draw(st.binary(max_size=9)) + raw[start + size :])


# ------------------------------------------------------------------------------------------------ the channel


EXAM = exam_for(read_unit("dominoes"), POLICY.seed)
PAPERS = [EXAM.by_name[name] for name in ("flip", "legal_adds", "list_shuffle", "play")]
SETTING = Setting(Sandbox(level=OFF, secrets=()), submission_with("dominoes", ANSWERS), POLICY, EXAM)
HEADS = st.sampled_from(["ok", "raised", "fault", "t", "l", "s", "z", "d", "v", "e", "n", "f", "x", "c", "?", "Domino"])
OBSERVED = st.recursive(
    ATOMS | HEADS,
    lambda inner: st.lists(inner, max_size=5) | st.builds(lambda head, rest: [head, *rest], HEADS, st.lists(inner)),
)
STORIES = st.fixed_dictionaries({"raised": ATOMS, "text": ATOMS, "place": st.lists(ATOMS) | ATOMS})
FRAMES = st.one_of(
    st.binary(max_size=200),
    st.lists(OBSERVED).map(lambda tree: json.dumps(tree).encode()),
    st.sampled_from([facet.frame for paper in PAPERS for facet in paper.facets]).flatmap(
        lambda frame: st.builds(
            lambda at, size, new: frame[:at] + new + frame[at + size :],
            st.integers(0, len(frame)), st.integers(0, 9), st.binary(max_size=9) | st.sampled_from([b"[", b"]", b"9"]),
        )
    ),
)  # fmt: skip
NOTES = st.binary(max_size=50) | st.builds(
    lambda notes: json.dumps(notes).encode(), st.dictionaries(st.sampled_from("012x"), STORIES | OBSERVED) | OBSERVED
)


@settings(max_examples=EXAMPLES)
@given(st.sampled_from(PAPERS), FRAMES, NOTES)
def test_whatever_bytes_a_process_sends_are_judged(paper: Any, frame: bytes, notes: bytes) -> None:
    session = Session(SETTING, paper, [], paper.exercise.name)
    for facet in paper.facets:
        told = session._judge(facet, frame, notes)
        assert told.verdict.isprintable()
        trees = strict_json(frame)
        right = isinstance(trees, list) and wire.text_of(trees[: len(facet.calls)]).encode() == facet.frame
        assert right or not told.passed or paper.exercise.name == "list_shuffle"
