"""Where a submission's time goes, by stage, inside the sandbox and outside: a table, and a flame graph.

    make profile                 or: .venv/bin/python benchmarks/_profile.py [--submissions 20] [--out profile.svg]

Solved notebooks without any common answer are graded three times: once alone, for the exact CPU time of both sides, and
twice under py-spy, whose samples show how each side spends its time. py-spy misses some processes that live only for
milliseconds. So the share of the processes that fork them seems too large. By its own clock, an answer's process costs
3 to 4 ms in addition to its calls: 0.5 to fork and end it, 0.6 to confine it, and the rest to load.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from _class import solved, written
from grading import BIN, GRADE, Bench

SPY = shutil.which("py-spy", path=str(BIN)) or shutil.which("py-spy")
# A sample belongs to the first stage of which it has a frame.
OUTSIDE = {
    "imports": ["<frozen importlib"],
    "the exam, once": ["exam_for ("],
    "reading notebooks": ["read_submission (", "unit_name (", "content_of ("],
    "judging": ["_judge ("],
    "form": ["_form_findings ("],
    "diagnoses": ["with_advice ("],
    "among the learner's own": ["with_own_functions ("],
    "talking to the sandbox": ["sandbox/cage.py", "sandbox/host.py"],
    "fingerprints of code": ["code_of ("],
    "keeping results": ["term/store.py", "term/results.py"],
    "pages and table": ["finish (", "write_"],
    "all else": [""],
}
INSIDE = {
    "begun: imports, caging": ["_prepared (", "<frozen importlib"],
    "inputs from plain data": ["with_values (", "unpacked_request (", "unpacked_orders ("],
    "loading references and answer": [" load (", ";load (", "unpacked_request ("],
    "observing: values to plain data": ["_tree (", "text_of ("],
    "observing: arguments from plain data": ["_values ("],
    "the calls themselves": ["_run ("],
    "observing: all else": ["_observe (", "facet ("],
    "forking, confining, seeing off": [""],
}


def stage_of(stack: str, stages: dict[str, list[str]]) -> str:
    """Return the stage that a sample belongs to."""
    return next(stage for stage, frames in stages.items() if any(frame in stack for frame in frames))


def samples(lines: list[str]) -> Iterator[tuple[str, int]]:
    """Yield the sampled stacks, and how often each occurred."""
    for line in lines:
        stack, _, count = line.rpartition(" ")
        yield stack, int(count)


def table(name: str, seconds: float, counts: Counter[str], of: int) -> Iterator[str]:
    """Yield the lines for one side: milliseconds per submission, by stage."""
    yield f"{name:42} {1000 * seconds / of:7.1f} ms a submission"
    for stage, count in counts.most_common():
        share = count / counts.total()
        yield f"  {stage:40} {1000 * seconds * share / of:7.1f} {share:6.0%}"


def main() -> int:
    """Measure, and print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--submissions", type=int, default=20)
    arguments.add_argument("--out", type=Path, default=Path("profile.svg"))
    options = arguments.parse_args()
    if SPY is None:
        print("py-spy is not installed: pip install py-spy")
        return 1
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name), options.submissions, 0)
        notebooks = written(bench.folder / "right", solved(options.submissions))
        own, inside = bench.both_sides(notebooks)
        raw = bench.folder / "raw"
        for kind, out in (("raw", raw), ("flamegraph", options.out.resolve())):
            command = [SPY, "record", "--subprocesses", "--rate", "250", "--format", kind, "--output", str(out), "--"]
            how = {"cwd": bench.folder, "env": bench.environment, "capture_output": True}
            subprocess.run([*command, *GRADE, str(notebooks), "--fresh"], check=True, **how)
        outside, within = Counter[str](), Counter[str]()
        for stack, count in samples(raw.read_text().splitlines()):
            if "sandbox/inside/zygote.py" in stack:
                within[stage_of(stack, INSIDE)] += count
            else:
                outside[stage_of(stack, OUTSIDE)] += count
    for side in (("outside", own, outside), ("inside", inside, within)):
        print(*table(*side, options.submissions), sep="\n")
    print(f"flame graph: {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
