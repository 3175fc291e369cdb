"""`foldem.toml`: what a teacher may set for a course, each key with its meaning."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

from autograder.reports import Policy

NAME = "foldem.toml"
TEMPLATE = """# Settings of this course. Every key may be left out: what stands here is what holds then.

# The seed of the hidden inputs. "0" is the published exam; any other text is a secret exam of your own.
seed = "0"

# CPU seconds that one call, and one exercise, may take; memory of one exercise in MB.
seconds_per_call = 1.0
seconds_per_exercise = 10
memory_mb = 512

# The share of an exercise's points that form (functional style) earns. Leave it out to keep each unit's own.
# form_share = 0.2

# "auto" takes the best sandbox this machine has and grades nothing without one. "off" confines nothing.
sandbox = "auto"
"""


class ConfigError(ValueError):
    """A `foldem.toml` that cannot be used; the message is one line."""


def policy_for(folder: Path) -> Policy:
    """Give the policy that holds in a folder: that of the nearest `foldem.toml` above it, or the defaults."""
    for place in (folder.resolve(), *folder.resolve().parents):
        if (place / NAME).is_file():
            return read_policy(place / NAME)
    return Policy()


def read_policy(path: Path) -> Policy:
    """Give the policy in a file; ConfigError if it is no TOML, or has a key or a value that does not fit."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: {error}") from None
    return Policy(**{key: _fitting(path, key, value) for key, value in found.items()})


KINDS: dict[str, tuple[type, ...]] = {
    "seed": (str,),
    "seconds_per_call": (float, int),
    "seconds_per_exercise": (int,),
    "memory_mb": (int,),
    "form_share": (float, int),
    "sandbox": (str,),
}


def _fitting(path: Path, key: str, value: Any) -> Any:
    if key not in KINDS:
        raise ConfigError(f"{path}: unknown key {key!r}: the keys are {', '.join(KINDS)}")
    if not isinstance(value, KINDS[key]) or isinstance(value, bool):
        raise ConfigError(f"{path}: {key} must be {' or '.join(kind.__name__ for kind in KINDS[key])}, not {value!r}")
    return value


assert set(KINDS) < {field.name for field in fields(Policy)}
