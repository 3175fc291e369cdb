"""Several submissions in parallel, in processes and in a cluster: the reports are the same, even if some are lost."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from distributed import LocalCluster

from autograder.cluster import (
    Cluster,
    ClusterError,
    SentFile,
    end_run,
    environment_difference,
    grade_sent_file,
    is_private,
    run_setup_for,
    set_up_worker,
)
from autograder.commands.demo import imperfect_notebook
from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading import batch, run
from autograder.grading.batch import GradingBrief, GradingEnvironment, Pool, Task, grading_environment
from autograder.report.model import Graded, Ungradable
from autograder.report.stops import fault_of
from autograder.report.words import stop_text
from autograder.submission.model import NO_ASSIGNMENT
from tests.classroom import notebook_with, reference_answers, write_file, write_files
from tests.command import FOLDEM, PATIENCE, PLAIN, foldem, foldem_here, is_one_line_refusal
from tests.dask import Daemons, certificates
from tests.test_term_store import files
from tests.test_term_table import kept
from tests.units import known, read_unit

PRIVATE = {
    "inproc://192.0.2.2/26824/1": False,
    "tls://grading.example:8786": True,
    "tcp://localhost:8786": True,
    "tcp://[::1]:8786": True,
    "tcp://127.0.0.2:8786": True,
    "tcp://10.0.0.5:8786": False,
    "tcp://localhost.example:8786": False,
    "ws://127.0.0.1:8786": False,
}


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Daemons]:
    (tmp_path / "dask").mkdir()
    with Daemons(tmp_path / "dask") as daemons:
        yield daemons


def hand_in(folder: Path, count: int) -> Path:
    """Make submissions with mistakes, and one that is no notebook, and return their folder."""
    write_file(folder / "submitted" / "odd.ipynb", "{")
    for number in range(count):
        notebook = imperfect_notebook(read_unit("dominoes"), number)
        notebook.cells.append(nbformat.v4.new_code_cell(f"mine = {number}"))
        write_file(folder / "submitted" / f"s{number:02}" / "dominoes" / "1_dominoes.ipynb", notebook)
    return folder / "submitted"


def until(is_done: Callable[[], bool]) -> None:
    """Wait until another process has done something, or until the patience of the test ends."""
    for _ in range(20 * PATIENCE):
        if is_done():
            return
        time.sleep(0.05)
    pytest.fail("it never came")


@pytest.mark.proof
@pytest.mark.sandbox
def test_losing_a_worker_or_the_scheduler_changes_no_byte(tmp_path: Path, dask: Daemons) -> None:
    submitted, out, log = hand_in(tmp_path, 12), tmp_path / "out", tmp_path / "dask" / "scheduler.log"
    plainly = "--seed", "a secret", "--out", tmp_path / "plain", "--jobs", "2", "--quiet"
    assert foldem("grade", submitted, *plainly).returncode == 1, "one file is no notebook"
    scheduler, workers = dask.scheduler(), [dask.worker() for _ in range(3)]
    until(lambda: log.read_text().count("Register worker") == 3)
    words = ["grade", submitted, "--seed", "a secret", "--out", out, "--cluster", dask.address, "--quiet"]
    run = subprocess.Popen([FOLDEM, *map(str, words)], env=PLAIN, stderr=subprocess.PIPE, text=True)
    until(lambda: kept(out) >= 4)
    dask.end(workers[0])
    until(lambda: kept(out) >= 8)
    dask.end(scheduler)
    _, errors = run.communicate(timeout=PATIENCE)
    assert run.returncode == 2 and "run the same command" in " ".join(errors.split()), errors
    dask.scheduler()
    dask.worker()
    until(lambda: log.read_text().count("Register worker") > 3)
    assert foldem(*words).returncode == 1
    assert kept(out) == 13 and files(out) == files(tmp_path / "plain")


def tiny(folder: Path, *numbers: int) -> Path:
    """Make submissions that are quickly graded."""
    answers = list(reference_answers(read_unit("warmup")).items())
    for number in numbers:
        notebook = notebook_with("warmup", dict(answers[:number]))
        write_file(folder / "submitted" / f"s{number}" / "warmup" / "0_warmup.ipynb", notebook)
    return folder / "submitted"


def test_a_worker_gets_a_run_once(tmp_path: Path) -> None:
    (path,) = tiny(tmp_path, 1).rglob("*.ipynb")
    brief = GradingBrief(Policy(sandbox="off", exercises=("swap_ends",)), known())
    setup = run_setup_for(brief)
    sent = SentFile(path.name, {}, path.read_bytes())
    assert asyncio.run(set_up_worker(setup)) == grading_environment(brief, setup.units)
    try:
        first = grade_sent_file(setup.run, sent)
        assert isinstance(first.report, Graded) and first.report.points > 0
        assert grade_sent_file(setup.run, sent) == first
    finally:
        end_run(setup.run)


@pytest.mark.proof
@pytest.mark.sandbox
def test_a_secret_seed_needs_tls_and_a_certificate(tmp_path: Path) -> None:
    submitted, settings = tiny(tmp_path, 0, 1), certificates(tmp_path)
    with Daemons(tmp_path, "tls", settings) as dask:
        dask.scheduler()
        dask.worker()
        words = "grade", submitted, "--seed", "secret", "--cluster", dask.address
        done = foldem(*words, "--out", tmp_path / "there", "--quiet", **settings)
        assert (done.returncode, done.stderr) == (0, "") and kept(tmp_path / "there") == 2
        lost = {name: "/nowhere.pem" if "CLIENT" in name else path for name, path in settings.items()}
        (tmp_path / "other").mkdir()
        other, named = certificates(tmp_path / "other"), "distributed.comm.tls"
        for theirs, reason in (({}, named), (lost, named), (other, "a different authority")):
            refused = foldem(*words, "--out", tmp_path / "not", **theirs)
            assert is_one_line_refusal(refused) and reason in refused.stderr, refused.stderr


@pytest.mark.promise("cluster")
def test_a_workers_log_names_no_secret() -> None:
    setup = run_setup_for(GradingBrief(Policy(seed="a secret", sandbox="off"), known()))
    setup = replace(setup, pins={"warmup.py": b"a secret"})
    assert "a secret" not in repr((setup, SentFile("a secret", {}, b"a secret")))


@contextmanager
def one_worker() -> Iterator[Cluster]:
    """Provide a cluster with a scheduler and a worker in this process."""
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as daemons:
        cluster = Cluster(daemons.scheduler_address, GradingBrief(Policy(sandbox="off"), known()), print)
        try:
            yield cluster
        finally:
            cluster.dismiss()


NO_ADDRESSES = "nonsense", "local", "tcp://host", "http://host:8786", "tcp://host:87860000", "", "tcp://:1"
REFUSED = dict.fromkeys(NO_ADDRESSES, "not the address of a Dask scheduler") | {"tcp://192.0.2.1:8786": "tls://"}


@pytest.mark.parametrize("address", REFUSED)
def test_an_invalid_or_open_address_for_a_secret_seed_is_refused(tmp_path: Path, address: str) -> None:
    done = foldem_here("grade", tiny(tmp_path, 0), "--seed", "secret", "--cluster", address)
    assert is_one_line_refusal(done) and REFUSED[address] in done.stderr


def test_without_dask_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.cluster.find_spec", lambda _: None)
    done = foldem_here("grade", tiny(tmp_path, 0), "--cluster", "tcp://host:8786")
    assert is_one_line_refusal(done) and "pip install 'distributed" in done.stderr


@pytest.mark.sandbox
def test_a_missing_scheduler_is_reported_in_one_line(tmp_path: Path, dask: Daemons) -> None:
    done = foldem_here("grade", tiny(tmp_path, 0), "--cluster", dask.address)
    assert is_one_line_refusal(done) and "no Dask scheduler found" in done.stderr


@pytest.mark.promise("batch")
@pytest.mark.parametrize("error", [OSError("File name too long"), RuntimeError("lost")])
def test_a_file_that_a_worker_cannot_grade_is_ungraded(tmp_path: Path, error: Exception) -> None:
    (path,) = tiny(tmp_path, 1).rglob("*.ipynb")
    with one_worker() as cluster, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pool, "begin", lambda *_: (_ for _ in ()).throw(error))
        learned = cluster.begin(Task(path, NO_ASSIGNMENT)).result(PATIENCE)
    assert isinstance(learned.report, Ungradable) and str(error) in stop_text(learned.report.reason)


@pytest.mark.promise("cluster")
def test_a_run_ends_if_its_last_worker_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (path,) = tiny(tmp_path, 1).rglob("*.ipynb")
    monkeypatch.setattr(Pool, "begin", lambda *_: time.sleep(5))
    with one_worker() as cluster:
        monkeypatch.setattr(cluster, "good", dict.fromkeys(["inproc://another"], 1))
        with pytest.raises(ClusterError, match="run the same command to continue"):
            cluster.begin(Task(path, NO_ASSIGNMENT)).result(PATIENCE)


ALIKE = GradingEnvironment("bubblewrap", "c", {"warmup": "w", "dominoes": "d"})
UNLIKE = {
    "different files": GradingEnvironment("bubblewrap", "x", ALIKE.exams),
    "its version of dominoes": GradingEnvironment("bubblewrap", "c", {"warmup": "w"}),
    "its version of warmup": GradingEnvironment("bubblewrap", "c", {"warmup": "x", "dominoes": "d"}),
    "its sandbox is landlock, this machine's is bubblewrap": GradingEnvironment("landlock", "c", ALIKE.exams),
}


@pytest.mark.parametrize("reason", UNLIKE)
def test_a_worker_that_differs_gets_no_work_and_a_reason(reason: str) -> None:
    assert reason in environment_difference(ALIKE, UNLIKE[reason]) and environment_difference(ALIKE, ALIKE) == ""


@pytest.mark.parametrize(("address", "private"), PRIVATE.items())
def test_a_secret_is_sent_only_over_private_connections(address: str, private: bool) -> None:
    assert is_private(address) is private


@pytest.mark.proof
@pytest.mark.sandbox
def test_workers_that_cannot_grade_are_named_and_the_others_grade(tmp_path: Path, dask: Daemons) -> None:
    dask.scheduler()
    dask.worker(PATH="/no-programs")
    words = "--out", tmp_path / "out", "--cluster", dask.address, "--sandbox", "bubblewrap", "--quiet"
    done = foldem("grade", tiny(tmp_path, 0, 1), *words)
    assert is_one_line_refusal(done) and "bubblewrap is not installed" in done.stderr, done.stderr
    dask.worker()
    assert foldem("grade", tmp_path / "submitted", *words).returncode == 0 and kept(tmp_path / "out") == 2


# -------------------------------------------------------------------------------------- Several submissions in parallel


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
@pytest.mark.parametrize(
    "where", [(batch, "submission_of"), (run, "open_sandbox"), (run, "with_computed_points")], ids=str
)
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
