"""Random input: each problem is one line of the report, nothing breaks, and honest students keep their marks.

FOLDEM_EXAMPLES=1000 pytest tests/test_fuzz.py try so many notebooks (`make attacks`); the suite tries a few.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.exam.model import Exam, Paper
from autograder.exam.store import exam_for
from autograder.grading.judgement import assessor_for
from autograder.report.model import Graded, Report, Ungradable
from autograder.report.stops import BadFile
from autograder.report.words import first_problem_text, note_lines, problem_text, remark_lines, stop_text, verdict_text
from autograder.submission.reading import NotebookError
from course.exam import wire
from course.exam.readable import strict_json
from tests.classroom import notebook_with, reference_answers, submission_with, write_file
from tests.grader import POLICY, Grader
from tests.units import read_submission, read_unit

EXAMPLES = int(os.environ.get("FOLDEM_EXAMPLES", "60"))
FOURTH = settings(max_examples=EXAMPLES // 4, deadline=None)
EXERCISES = ("flip", "take")
ANSWERS = {name: text for name, text in reference_answers(read_unit("dominoes")).items() if name in EXERCISES}
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
        before = marks(grader.grade(submission_with("dominoes", ANSWERS), *EXERCISES))
        yield grader
        after = marks(grader.grade(submission_with("dominoes", ANSWERS), *EXERCISES))
        assert after == before == {"flip": 1.0, "take": 1.0}


def marks(report: Graded) -> dict[str, float]:
    return {each.name: each.points / each.of for each in report.exercises if each.of}


def graded(grader: Grader, path: Path, data: bytes) -> Report:
    try:
        return grader.grade(read_submission(write_file(path, data)), *EXERCISES)
    except NotebookError as error:
        return Ungradable(BadFile(str(error)))


def lines_of(report: Report) -> list[str]:
    """Return everything that a table shows of a report, each in a line."""
    if isinstance(report, Ungradable):
        return [stop_text(report.reason)]
    texts = [(problem_text(each), *note_lines(each), first_problem_text(each)) for each in report.exercises]
    return [*remark_lines(report), *chain(*texts)]


@st.composite
def changed(draw: st.DrawFn, tree: Any) -> Any:
    """Return a tree in which one part, at any depth, is replaced, missing, or doubled."""
    if not isinstance(tree, (dict, list)) or not tree or draw(st.integers(0, 5)) == 0:
        return draw(TREES | CODE)
    key = draw(st.sampled_from(sorted(tree) if isinstance(tree, dict) else range(len(tree))))
    change = draw(st.sampled_from(["change", "change", "change", "drop", "double"]))
    new = draw(changed(tree[key]))
    if isinstance(tree, dict):
        others = {name: part for name, part in tree.items() if name != key}
        return others if change == "drop" else others | {key: new}
    middle = {"change": [new], "drop": [], "double": [tree[key], tree[key]]}[change]
    return [*tree[:key], *middle, *tree[key + 1 :]]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Return a notebook's file in any encoding, with some bytes replaced."""
    raw = json.dumps(REAL, ensure_ascii=draw(st.booleans())).encode(draw(st.sampled_from(ENCODINGS)), errors="replace")
    start, size = draw(st.integers(0, len(raw))), draw(st.sampled_from([0, 0, 1, 9, 5000]))
    return raw[:start] + draw(st.binary(max_size=9)) + raw[start + size :]


FILES = {
    "any JSON": TREES.map(json.dumps).map(str.encode),
    "any cells": NOTEBOOKS.map(json.dumps).map(str.encode),
    "a changed notebook": changed(REAL).map(json.dumps).map(str.encode),
    "a damaged or wrongly encoded notebook": damaged(),
}


@pytest.mark.sandbox
@pytest.mark.parametrize("kind", FILES)
@FOURTH
@given(data=st.data())
def test_any_file_is_graded_or_refused_in_one_line(
    steady: Grader, tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    report = graded(steady, tmp_path_factory.getbasetemp() / "my.ipynb", data.draw(FILES[kind]))
    assert all(line.isprintable() and len(line) < 30_000 for line in lines_of(report))
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report
    assert isinstance(report, Ungradable) or report.is_graded, [problem_text(each) for each in report.exercises]


# ------------------------------------------------------------------------------------------------ the channel


@cache
def exam() -> Exam:
    """Return the exam of dominoes. It is read when a test runs, since each process collects all tests."""
    return exam_for(read_unit("dominoes"), POLICY.seed)


def paper(name: str) -> Paper:
    return exam().by_name[name]


JUDGED = ("flip", "legal_adds", "list_shuffle", "play")
HEADS = st.sampled_from(["ok", "raised", "fault", "t", "l", "s", "z", "d", "v", "e", "n", "f", "x", "c", "?", "Domino"])
OBSERVED = st.recursive(
    ATOMS | HEADS,
    lambda inner: st.lists(inner, max_size=5) | st.builds(lambda head, rest: [head, *rest], HEADS, st.lists(inner)),
)
STORIES = st.fixed_dictionaries({"raised": ATOMS, "text": ATOMS, "place": st.lists(ATOMS) | ATOMS})
FRAMES = st.one_of(
    st.binary(max_size=200),
    st.lists(OBSERVED).map(lambda tree: json.dumps(tree).encode()),
    st.deferred(lambda: st.sampled_from([facet.frame for each in JUDGED for facet in paper(each).facets])).flatmap(
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
@given(st.sampled_from(JUDGED), FRAMES, NOTES)
def test_whatever_bytes_a_process_sends_are_judged(name: str, frame: bytes, notes: bytes) -> None:
    assessor = assessor_for(exam(), name)
    for index, facet in enumerate(paper(name).facets):
        report, trees = assessor.judged(index, frame, notes).report, strict_json(frame)
        assert verdict_text(report).isprintable()
        right = isinstance(trees, list) and wire.text_of(trees[: len(facet.calls)]).encode() == facet.frame
        assert right or not report.passed or name == "list_shuffle"
