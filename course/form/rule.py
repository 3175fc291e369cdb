"""A rule of form as a value, and the rules that a unit adds in `RULES` of its `form.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from course.form.reading import Reading, Violation
from course.roles import role_module


@dataclass(frozen=True)
class Rule:
    """A rule of form: how to find violations, and what to write instead."""

    find: Callable[[Reading], Iterator[Violation]]
    """A function that yields the violations in an answer. It must not find any in a right answer."""
    instead: str = ""
    """The end of a sentence that says how to write it instead. A `Violation` may have its own."""
    example: str = ""
    """Code that shows it."""
    says: str = ""
    """The rule as a sentence, for the notebook's list of rules that cost points."""


def own_rules(module: str) -> Mapping[str, Rule]:
    """Return the rules that a unit adds, by their names in its TOML."""
    module_form = role_module(module, "form")
    return module_form.RULES if module_form else {}
