"""Several submissions in parallel: the reports are the same, even if processes die or the grader fails once."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading import batch, run
from autograder.grading.batch import GradingBrief, Pool, Task
from autograder.report.model import Graded
from autograder.report.stops import fault_of
from tests.classroom import notebook_with, reference_answers, write_files
from tests.command import FOLDEM, PATIENCE, PLAIN
from tests.units import known, read_unit

RACE = SystemError("AST constructor recursion depth mismatch")


@pytest.fixture
def hand_ins(tmp_path: Path) -> Path:
    answers = list(reference_answers(read_unit("sedma")).items())
    files = {f"s{number}.ipynb": notebook_with("sedma", dict(answers[:number])) for number in range(4)}
    return write_files(tmp_path / "submissions", files | {"odd.ipynb": "{"})


@pytest.mark.sandbox
def test_an_ended_process_is_restarted(hand_ins: Path) -> None:
    exam_for(read_unit("sedma"))
    pool = Pool(GradingBrief(Policy(), known()), 1)
    try:
        first = pool.begin(Task(hand_ins / "s3.ipynb")).result()
        assert isinstance(first.report, Graded)
        for process in pool._processes._processes.values():
            process.kill()
        assert pool.begin(Task(hand_ins / "s3.ipynb")).result() == first
    finally:
        pool.dismiss()


@pytest.mark.sandbox
@pytest.mark.parametrize("where", [(batch, "submission_of"), (run, "open_sandbox"), (run, "marked")], ids=str)
@pytest.mark.parametrize("times", [1, 2])
def test_a_grader_fault_is_reported_only_if_it_happens_twice(
    hand_ins: Path, monkeypatch: pytest.MonkeyPatch, where: tuple[object, str], times: int
) -> None:
    sound, faults = getattr(*where), [RACE] * times

    def faulty(*args: object, **options: object) -> object:
        if faults:
            raise faults.pop()
        return sound(*args, **options)

    monkeypatch.setattr(*where, faulty)
    policy = Policy(exercises=("is_valid_record",))
    report = batch.grade_task(Task(hand_ins / "s1.ipynb"), GradingBrief(policy, known())).report
    assert report.is_graded == (times == 1) and (str(fault_of(RACE)) in str(report)) == (times == 2)


@pytest.mark.promise("others")
@pytest.mark.sandbox
def test_processes_import_nothing_among_the_submissions(tmp_path: Path) -> None:
    write_files(tmp_path, {"0_warmup.ipynb": "{", "multiprocessing.py": "open('ran', 'w')\nraise ImportError"})
    words = [FOLDEM, "grade", ".", "--jobs", "2", "--out", "out"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=PLAIN, timeout=PATIENCE)
    assert done.returncode == 1 and not (tmp_path / "ran").exists(), done.stderr
