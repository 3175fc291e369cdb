"""Find the line of the learner's own cells that an exception came from, and the function that raised it."""

from __future__ import annotations

import linecache
from functools import cache
from traceback import walk_tb
from types import FrameType, TracebackType
from typing import Any

from course.diagnoses.failure import InnerCall, UnnamedCell
from course.exam.observing import received_in
from course.kernel.history import label_of
from course.learner.answer import Answer

TraceStep = tuple[FrameType, int]


def own_line(trace: TracebackType | None, answer: Answer) -> dict[str, Any]:
    """Return the innermost line of an answer, or of its helpers, that an exception passed through.

    Lines of other exercises are skipped, since these exercises are right by then. `inside` is the call of another
    function that raised the exception.
    """
    names, exercise, steps = answer.names, answer.name, list(walk_tb(trace))
    own = [index for index, (frame, _) in enumerate(steps) if frame.f_globals is names]
    past, exercises = answer.space.runs, answer.unit_stated.by_name
    label = cache(lambda file: label_of(past, exercises, "".join(linecache.getlines(file))))
    inner = reversed([index for index in own if _is_answers(label(_file(steps[index])), exercise)])
    index = next(inner, None)
    if index is None:  # a value made from other functions: none of its lines is running
        return {"inside": InnerCall(*received_in(steps[own[0]][0]))} if own else {}
    file, line = _file(steps[index]), steps[index][1]
    line_data = {"label": label(file), "line": line, "code": linecache.getline(file, line).strip()}
    inner_call = next((frame for frame, _ in steps[index + 1 :] if callable(names.get(frame.f_code.co_name))), None)
    return line_data | ({"inside": InnerCall(*received_in(inner_call))} if inner_call else {})


def _file(step: TraceStep) -> str:
    return step[0].f_code.co_filename


def _is_answers(label: UnnamedCell | str, exercise: str) -> bool:
    return label == exercise or isinstance(label, UnnamedCell)
