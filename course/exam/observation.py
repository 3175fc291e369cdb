"""Decoded observations, which acceptance relations judge and learners read; also a statistic to judge shuffles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

from course.exam.observing import LIMITS_BY_EXCEPTION
from course.exam.wire import NamedFunction, Tree, Wire, WireError


@dataclass(frozen=True)
class Observation:
    """A decoded observation of one call: its value or exception, the printed text, and calls of probes.

    A probe is a function that an exam passes to an answer. `after` has the mutable arguments as they are after the
    call, if they are observed.
    """

    value: Any = None
    raised: str | None = None
    raised_args: tuple[object, ...] | None = None
    printed: str = ""
    probes: tuple[tuple[object, ...], ...] = ()
    fault: str | None = None
    after: tuple[object, ...] = ()


def decoded_observation(wire: Wire, tree: Tree, function: Callable[[str], object] = NamedFunction) -> Observation:
    """Return a decoded observation. `function` takes the name of a function and returns the function.

    Raises WireError if the tree is not an observation.
    """
    match tree:
        case ["fault", str(limit)] if limit in LIMITS_BY_EXCEPTION.values():
            return Observation(fault=limit)
        case ["ok", value, *effects]:
            return Observation(wire.decode(value, function), **_decoded_effects(wire, effects))
        case ["raised", str(name), None, *effects] if is_name(name):
            return Observation(raised=name, **_decoded_effects(wire, effects))
        case ["raised", str(name), ["t", *args], *effects] if is_name(name):
            return Observation(
                raised=name, raised_args=tuple(map(wire.decode, args)), **_decoded_effects(wire, effects)
            )
    raise WireError("not an observation")


def _decoded_effects(wire: Wire, effects: list[object]) -> dict[str, Any]:
    match effects:
        case []:
            return {}
        case [str(printed), list(probes)]:
            for probe in probes:
                if not (isinstance(probe, list) and probe and isinstance(probe[0], str) and is_name(probe[0])):
                    raise WireError("not a call of a probe")
            decoded = ((name, *map(wire.decode, args)) for name, *args in probes)
            return {"printed": printed, "probes": tuple(decoded)}
        case [str(printed), list(probes), [_, *_] as after]:
            return {**_decoded_effects(wire, [printed, probes]), "after": tuple(map(wire.decode, after))}
    raise WireError("not an observation")


def is_name(text: str) -> bool:
    """Return whether a text can be the name of a class or a function, or one of the phrases used instead of a name."""
    return text.isprintable() and len(text) < 100


def wilson_hilferty(chi_squared: float, freedom: int) -> float:
    """Return how many standard deviations a chi-squared value is from its mean (Wilson-Hilferty approximation).

    In standard deviations, the results of different chi-squared tests can be compared.

    >>> round(wilson_hilferty(23, 23), 2), round(wilson_hilferty(80, 23), 1)
    (0.1, 5.3)
    """
    spread = 2 / (9 * freedom)
    return float(((chi_squared / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


# ------------------------------------------------------------------------------------------------ not decoded


def effects_in(tree: list[Tree]) -> list[Tree]:
    """Return the parts of an observation after its result: printed text, calls of probes, and changed arguments."""
    return tree[2 if tree[0] == "ok" else 3 :]


def arguments_after_call(tree: list[Tree]) -> list[Tree]:
    """Return the arguments after the call, or [] if the observation has none."""
    return [part for parts in effects_in(tree)[2:] for part in parts]


def without_arguments_after(tree: list[Tree]) -> list[Tree]:
    """Return an observation without the state of the arguments after the call.

    >>> without_arguments_after(["ok", 1, "", [], [["l", 2]]]), without_arguments_after(["ok", 1, "a", [], [["l", 2]]])
    (['ok', 1], ['ok', 1, 'a', []])
    """
    rest, effects = tree[: len(tree) - len(effects_in(tree))], effects_in(tree)[:2]
    return rest if effects == ["", []] else [*rest, *effects]
