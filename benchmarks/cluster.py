"""Measure a cluster: CPU seconds per submission with a scheduler and workers, at most 1.2 times those without.

Run `python benchmarks/cluster.py [students] [workers]`. It measures both in one run, on the same files. The command
counts with all processes that it starts, and so do the scheduler and the workers from then on. The cost of starting is
printed separately, measured with a small class. The exit status is 1 if the promise is broken.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import sleep

import psutil

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.term import FOLDEM, hand_in
from tests.dask import Daemons

PROMISE, FEW = 1.2, 10


def used_by_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def used(processes: list[subprocess.Popen[bytes]]) -> float:
    """Return the CPU seconds of running processes, their descendants, and all children they have waited for."""
    trees = [psutil.Process(each.pid) for each in processes]
    times = [each.cpu_times() for tree in trees for each in (tree, *tree.children(recursive=True))]
    return sum(time.user + time.system + time.children_user + time.children_system for time in times)


def grade(submitted: Path, out: Path, *words: str) -> float:
    """Return the CPU seconds of the command and its children."""
    before = used_by_children()
    subprocess.run([FOLDEM, "grade", submitted, "--out", out, "--quiet", *words], check=True, env=os.environ)
    return used_by_children() - before


def main(students: int, workers: int) -> int:
    with tempfile.TemporaryDirectory() as name, Daemons(Path(name)) as dask:
        few, many = Path(name, "few"), Path(name, "many")
        for number in range(students):
            hand_in(many / "submitted", number)
        for number in range(FEW):
            hand_in(few / "submitted", number)
        grade(few / "submitted" / "s000", Path(name, "warm"))  # the exam is built but once a term
        plain = [grade(each / "submitted", each / "plain", "--jobs", str(workers)) for each in (few, many)]
        daemons = [dask.scheduler(), *(dask.worker() for _ in range(workers))]
        sleep(10)  # Dask's own start is no part of a submission
        cluster = []
        for each in (few, many):
            before = used(daemons)
            took = grade(each / "submitted", each / "cluster", "--cluster", dask.address)
            cluster.append(took + used(daemons) - before)
        same = (many / "plain/report.json").read_bytes() == (many / "cluster/report.json").read_bytes()
    costs = [(all_of - few_of) / (students - FEW) for few_of, all_of in (plain, cluster)]
    print(f"CPU s of {FEW} and of {students} in processes: {plain}, in a cluster: {cluster}")
    print(f"CPU s of each more: {costs[0]:.3f} in processes, {costs[1]:.3f} in a cluster")
    print(f"ratio {costs[1] / costs[0]:.2f} (promised: {PROMISE:g}), the same bytes: {same}")
    return int(costs[1] > PROMISE * costs[0] or not same)


if __name__ == "__main__":
    words = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(words + [120, 2][len(words) :])))
