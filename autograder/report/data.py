"""Convert reports from and to plain data for JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any

from msgspec import convert

from autograder.report.model import ExerciseReport, Graded, Report, Ungradable
from course.diagnoses.failure import failure_in
from course.show.results import AlsoPrints


def report_of(data: Any) -> Report:
    """Return the report from `as_dict`'s data.

    >>> report_of(Ungradable("the file is empty", "uno").as_dict())
    Ungradable(problem='the file is empty', unit='uno', title='')
    """
    if data["problem"]:
        return convert(data, Ungradable)
    exercises = tuple(_exercise(json.dumps(each)) for each in data["exercises"])
    return replace(convert(data | {"exercises": ()}, Graded), exercises=exercises)


@lru_cache(maxsize=4096)
def _exercise(text: str) -> ExerciseReport:
    """Return the report on an exercise, cached, since most of a class's reports are equal."""
    data = json.loads(text)
    facets, remarks = map(_facet, data["facets"]), map(_note, data["remarks"])
    return convert(data | {"facets": tuple(facets), "remarks": tuple(remarks)}, ExerciseReport)


def _note(words: str) -> dict[str, object] | str:
    return asdict(AlsoPrints()) if words == str(AlsoPrints()) else words


def _facet(data: dict[str, Any]) -> dict[str, object]:
    return data | {"failure": failure_in(data["failure"]) if data["failure"] else None}
