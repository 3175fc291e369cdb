"""Values of the standard library, and names for kinds of inputs."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=False)
class Basket:
    """A basket, which can be changed."""

    owner: str
    fruits: list[str]


Day: TypeAlias = date
Few: TypeAlias = int
Minutes: TypeAlias = int
Part: TypeAlias = Fraction
Reading: TypeAlias = float
Price: TypeAlias = Decimal
Word: TypeAlias = str

__all__ = [
    "Basket",
    "Counter",
    "Day",
    "Decimal",
    "Few",
    "Fraction",
    "Iterator",
    "Minutes",
    "OrderedDict",
    "Part",
    "Price",
    "Reading",
    "Word",
    "date",
    "datetime",
    "defaultdict",
    "deque",
    "time",
    "timedelta",
    "timezone",
]
