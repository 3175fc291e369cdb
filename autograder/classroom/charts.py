"""Bars of the class page as SVG. A style sheet gives them their colors and hatches, which also differ in grey."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from course.svg import svg, tag

HATCHES = ("M3 3h2v2h-2z", "M0 0L8 8M8 0L0 8", "", "M0 8L8 0", "")  # in a square of 8 by 8, one for each state


def hatches() -> str:
    """Return the patterns of the states, which all bars of a page use."""
    return svg(tag("defs", *map(_pattern, range(len(HATCHES)), HATCHES)), width=0, height=0, aria_hidden="true")


def _pattern(state: int, path: str) -> str:
    ground = tag("rect", width=8, height=8, fill=f"var(--hue-{state})")
    lines = tag("path", d=path, stroke="var(--edge)", fill="var(--edge)", stroke_width=0.7)
    return tag("pattern", ground, lines, id=f"state-{state}", width=8, height=8, patternUnits="userSpaceOnUse")


def state_bar(parts: Sequence[int], of: int, first: int = 0) -> str:
    """Return a bar that fits any width, with a box for each part. Their states are numbered from `first`.

    >>> state_bar((1, 2), 4).count("25.00%"), state_bar((0, 2), 4).count("<rect")
    (2, 1)
    """
    boxes = (
        tag("rect", x=f"{100 * x / of:.2f}%", width=f"{100 * part / of:.2f}%", height="100%", fill=f"url(#state-{at})")
        for at, (x, part) in enumerate(zip(accumulate(parts, initial=0), parts, strict=False), first)
        if part
    )
    return svg(*boxes, **{"class": "bar"}, aria_hidden="true")
