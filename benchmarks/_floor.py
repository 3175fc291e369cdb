"""The floor of grading: the exam's calls on the references in one bare process, with nothing observed or compared."""

from __future__ import annotations

import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent))

from _class import UNIT

from autograder.exam.store import exam_for
from course import effects
from course.exam.calls import FacetRequest
from course.exam.observing import Observer, PrintedByCall
from tests.units import read_unit


def bare_seconds(observer: Observer, orders: list[FacetRequest]) -> float:
    """Return the CPU seconds of these calls."""
    began = process_time()
    for observer.order in orders:
        for call in observer.order.calls:
            with effects.scripted(call.typed, call.chance or 0, PrintedByCall()), suppress(Exception):
                observer._run_call(call)
    return process_time() - began


def main() -> None:
    """Print the CPU seconds of all calls of the exam: the least of three times."""
    exam = exam_for(read_unit(UNIT))
    observer = Observer(exam.unit.module, nullcontext, None)
    observer.references = dict(vars(exam.unit.module))
    for code in exam.reference_codes.values():
        exec(code, observer.references)
    orders = [observer.with_decoded_arguments(order) for paper in exam.by_name.values() for order in paper.facet_orders]
    print(min(bare_seconds(observer, orders) for _ in range(3)))


if __name__ == "__main__":
    main()
