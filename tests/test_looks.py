"""Readable colours: contrasts that axe can't judge are computed here, from the style sheets and the hues."""

from __future__ import annotations

import re

import pytest

from course.show.drawing import plate
from course.show.results import HUES
from course.tables.scene import scene_style


def luminance(color: str) -> float:
    """Return how light a colour like `#1b5743` is, from 0 to 1."""
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("hue", HUES.values())
def test_a_sign_can_be_read_on_its_hue_and_the_hue_be_seen_in_either_theme(hue: str) -> None:
    assert contrast("#ffffff", hue) >= 4.5
    assert min(contrast(hue, "#ffffff"), contrast(hue, "#111111"), contrast(hue, "#1e1e1e")) >= 3


def test_words_can_be_read_on_the_felt_and_on_plates_in_either_theme() -> None:
    words = re.findall(r"text \{[^}]*fill: (#\w{6})", scene_style())
    grounds = re.findall(r"\.felt \{[^}]*fill: (#\w{6})", scene_style()) + re.findall(r'fill="(#\w{6})"', plate("9x9"))
    assert len(words) >= 2 and len(grounds) >= 3
    assert min(contrast(word, ground) for word in words for ground in grounds) >= 4.5
