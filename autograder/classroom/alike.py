"""Submissions whose code is alike beyond what everybody has.

What stub, statement and reference hold is no evidence, and what many of the class share is little: a fingerprint
counts by its rarity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from math import log2
from typing import Self

from autograder.submission.fingerprints import Prints, prints_of

PRIOR = 12  # a class is judged as if so many others, who wrote none of this, were in it
LEAST_RARITY = 40.0  # bits
LEAST_SHARE = 0.4

Labelled = Mapping[str, Mapping[str, Iterable[int]]]


@dataclass(frozen=True)
class Alike:
    """Two submissions that share rare code: so much of the smaller one (0 to 1), of such rarity in bits, and where."""

    first: str
    second: str
    share: float
    rarity: float
    exercises: tuple[str, ...]


def alike(prints: Labelled, common: Iterable[str] = ()) -> list[Alike]:
    """Give the pairs of submissions that are alike, the rarest first.

    `prints` are each submission's fingerprints by exercise (helpers under their own labels); `common` are sources that
    anybody may have had: stubs, statements, references.
    """
    known = frozenset[int]().union(*(prints for source in common for prints in prints_of({"": source}).values()))
    those = _Class.of(prints, known)
    pairs = (those.pair(*names) for names in those.sharing())
    found = [pair for pair in pairs if pair.share >= LEAST_SHARE and pair.rarity >= LEAST_RARITY]
    return sorted(found, key=lambda pair: (-pair.rarity * pair.share, pair.first, pair.second))


@dataclass(frozen=True)
class _Class:
    """The fingerprints of a class, by submission and label and as a whole; the bits of each, and of a submission."""

    prints: Labelled
    whole: Mapping[str, Prints]
    bits: Mapping[int, float]
    weights: Mapping[str, float]

    @classmethod
    def of(cls, prints: Labelled, known: Prints) -> Self:
        """Give a class's fingerprints without those that are known to all."""
        whole = {name: frozenset[int]().union(*of.values()) - known for name, of in prints.items()}
        holders = Counter(each for prints in whole.values() for each in prints)
        bits = {each: log2((len(whole) + PRIOR) / count) for each, count in holders.items()}
        return cls(prints, whole, bits, {name: _weight(prints, bits) for name, prints in whole.items()})

    def sharing(self) -> Iterator[tuple[str, str]]:
        """Give the pairs that share something that at most a few hold: no others can be alike."""
        others = len(self.whole) + PRIOR
        few, least = max(4, len(self.whole) // 10), LEAST_RARITY / log2(others)
        before: dict[int, list[str]] = {each: [] for each, bits in self.bits.items() if bits >= log2(others / few)}
        for name, prints in self.whole.items():
            rare = prints & before.keys()
            shared = Counter(chain.from_iterable(before[each] for each in rare))
            yield from ((other, name) for other, count in shared.items() if count >= least)
            for each in rare:
                before[each].append(name)

    def pair(self, a: str, b: str) -> Alike:
        """Give how alike two are."""
        both = self.whole[a] & self.whole[b]
        rarity, smaller = _weight(both, self.bits), min(self.weights[a], self.weights[b])
        told = {label: _weight(both.intersection(prints), self.bits) for label, prints in self.prints[a].items()}
        exercises = sorted(filter(told.get, told), key=lambda label: -told[label])
        return Alike(a, b, round(rarity / smaller, 3) if smaller else 0.0, round(rarity, 1), tuple(exercises))


def _weight(prints: Iterable[int], bits: Mapping[int, float]) -> float:
    return sum(bits[each] for each in sorted(prints))
