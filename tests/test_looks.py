"""Readable colors: contrasts that axe can't judge are computed here, from the style sheets and the hues."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from autograder.classroom import page
from course.show.blocks import MARK_STYLE
from course.show.cards import text_plate_svg
from course.show.pictures import picture_svg
from course.show.results import STATE_COLORS
from course.tables.scene import TABLES_FOLDER as ROOM
from course.tables.scene import scene_style


def luminance(color: str) -> float:
    """Return how light a color like `#1b5743` is, from 0 to 1."""
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors, from 1 to 21."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("hue", STATE_COLORS.values())
def test_a_sign_can_be_read_on_its_hue_and_the_hue_be_seen_in_either_theme(hue: str) -> None:
    assert contrast("#ffffff", hue) >= 4.5
    assert min(contrast(hue, "#ffffff"), contrast(hue, "#111111"), contrast(hue, "#1e1e1e")) >= 3


def test_words_can_be_read_on_the_felt_and_on_plates_in_either_theme() -> None:
    words = re.findall(r"text \{[^}]*fill: (#\w{6})", scene_style())
    grounds = re.findall(r"\.felt \{[^}]*fill: (#\w{6})", scene_style()) + re.findall(
        r'fill="(#\w{6})"', text_plate_svg("9x9")
    )
    assert len(words) >= 2 and len(grounds) >= 3
    assert min(contrast(word, ground) for word in words for ground in grounds) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_words_and_states_of_a_class_chart_can_be_seen(theme: int) -> None:
    style = Path(page.__file__).with_name("page.html").read_text(encoding="utf-8")
    hues = {name: both[theme] for name, *both in re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", style)}
    assert min(contrast(hues["ink"], hues["paper"]), contrast(hues["faint"], hues["paper"])) >= 4.5
    states = [hue for name, hue in hues.items() if name.startswith("hue-")]
    (hatches,) = re.findall(r"for path in (\[.*?\])", style)
    assert len(states) == len(json.loads(hatches)) and ".bar rect { stroke: var(--edge); }" in style
    assert min(contrast(hues["edge"], hue) for hue in states) >= 3


@pytest.mark.parametrize(("ink", "page"), [("#000000", "#ffffff"), ("#ffffff", "#111111"), ("#ffffff", "#212121")])
def test_marked_code_can_be_read_in_either_theme(ink: str, page: str) -> None:
    mark, share = re.findall(r"background:(#\w{6})(\w\w)", MARK_STYLE)[0]
    assert contrast(ink, blended(mark, page, int(share, 16) / 255)) >= 7


def blended(over: str, under: str, share: float) -> str:
    """Return the color that a share of one color over another one gives."""
    parts = ((int(over[at : at + 2], 16), int(under[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in parts)


FELTS = ("#1b5743", "#14402f")
PAGES = ("#ffffff", "#111111", "#212121")


@pytest.mark.parametrize("back", ["tile:back", "card:back", "uno:back", "fan:3"])
def test_a_back_stands_out_from_the_felt(back: str) -> None:
    (border, *_) = re.findall(r'fill="(#\w{6})"', picture_svg(back))
    assert min(contrast(border, felt) for felt in FELTS) >= 3


def test_the_focus_stands_out_from_cards_felt_and_page() -> None:
    style = (ROOM / "table.css").read_text(encoding="utf-8")
    (ring,) = re.findall(r"\.hit:focus-visible \{([^}]*)\}", style)
    inner, outer = re.findall(r"stroke: (#\w+)|outline: \dpx solid (#\w+)", ring)
    assert contrast(inner[0], "#fffdf7") >= 3 and min(contrast(outer[1], felt) for felt in FELTS) >= 3
    (button,) = re.findall(r"button:focus-visible[^{]*\{ outline: 3px solid (#\w{6})", style)
    (dashed,) = re.findall(r"scene:focus-visible \{ outline: 2px dashed (#\w{6})", style)
    assert min(contrast(each, page) for each in (button, dashed) for page in PAGES) >= 3
