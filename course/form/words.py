"""The words of a unit in examples of advice. Examples are written with neutral names, which a unit can replace."""

from __future__ import annotations

import re
from collections.abc import Mapping

from course.form.given import word_set
from course.roles import module_on

# The names in examples; `docs/own-advice.md` explains them. The other names are Python's, or the learner's own.
NEUTRAL = word_set("item items wanted size value values part Kind name")


def in_words_of(module: str, example: str) -> str:
    """Return an example of advice with the words of a unit, from `ADVICE` of its module in `diagnoses/`.

    >>> in_words_of("course.uno", "(*items, item)"), in_words_of("no.unit", "(*items, item)")
    ('(*cards, card)', '(*items, item)')
    """
    words: Mapping[str, str] = getattr(getattr(module_on(module, "diagnoses"), "ADVICE", None), "words", {})
    return re.sub(r"\b[A-Za-z]+\b", lambda match: words.get(match[0], match[0]), example)
