"""Find submissions whose code is so similar that it is probably no coincidence.

Code from stubs, statements and references is ignored. Rare fingerprints count more than common ones.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import nsmallest
from math import fsum, log2
from typing import Self

from autograder.submission.code import Prints, prints_of
from course.limits import MOST_NEIGHBOURS, MOST_PRINTS

PRIOR = 12  # imaginary submissions without this code, added to the class
LEAST_RARITY = 40.0  # bits
LEAST_SHARE = 0.4
# above this many bits the share is ignored, because a copied part of a large notebook has a small share
SURELY_RARE = 300.0

Labelled = Mapping[str, Mapping[str, Iterable[int]]]


@dataclass(frozen=True)
class Alike:
    """Two submissions that share rare code: the share of the smaller one (0 to 1), its bits of rarity, and where."""

    first: str
    second: str
    share: float
    rarity: float
    exercises: tuple[str, ...] = ()

    @property
    def is_close(self) -> bool:
        return self.rarity >= LEAST_RARITY and (self.share >= LEAST_SHARE or self.rarity >= SURELY_RARE)

    @property
    def rank(self) -> tuple[float, str, str]:
        """Return the sort key, which puts the rarest first."""
        return -self.rarity * self.share, self.first, self.second


def alike(prints: Labelled, common: Iterable[str] = ()) -> list[Alike]:
    """Return pairs of similar submissions, rarest first. Of several that are alike, as many pairs as connect them all.

    `prints` are the fingerprints of each submission by exercise (helpers have their own labels). `common` are sources
    that anyone may have: stubs, statements, references.
    """
    known = frozenset[int]().union(*(prints for source in common for prints in prints_of({"": source}).values()))
    those = _Class.of(prints, known)
    return sorted(those.pairs(), key=lambda pair: pair.rank)


@dataclass(frozen=True)
class _Class:
    """The fingerprints of a class: by submission and label, and together with the bits of each."""

    prints: Labelled
    complete: Mapping[str, Prints]
    bits: Mapping[int, float]
    weights: Mapping[str, float]

    @classmethod
    def of(cls, prints: Labelled, known: Prints) -> Self:
        """Return a class's fingerprints without the common ones."""
        unions = {name: frozenset[int]().union(*of.values()) - known for name, of in prints.items()}
        holders = Counter(each for prints in unions.values() for each in prints)

        def order(each: int) -> tuple[bool, int]:
            return holders[each] == 1, each  # shared ones first: a copy cannot hide behind much code of its own

        prints_of_all = {name: frozenset(nsmallest(MOST_PRINTS, result, order)) for name, result in unions.items()}
        bits = {each: log2((len(prints_of_all) + PRIOR) / count) for each, count in holders.items()}
        return cls(prints, prints_of_all, bits, {name: _weight(prints, bits) for name, prints in prints_of_all.items()})

    def pairs(self) -> Iterator[Alike]:
        """Yield pairs of similar submissions, but no pair that earlier pairs connect already."""
        group = {name: {name} for name in self.complete}
        for first, second in self._candidates():
            if group[first] is not group[second] and (pair := self._pair(first, second)).is_close:
                yield self._described(pair)
                group[first] |= group[second]
                group |= dict.fromkeys(group[second], group[first])

    def _candidates(self) -> list[tuple[str, str]]:
        """Return the pairs that may be similar, those with the most common fingerprints first."""
        shared, most = defaultdict[tuple[str, str], float](float), max(4, len(self.complete) // 10)
        for names, bits in self._shared_bits_by_submissions().items():
            for index, name in enumerate(names):
                for other in names[index + 1 : index + 1 + min(MOST_NEIGHBOURS, most)]:
                    shared[name, other] += bits
        return [pair for pair, bits in sorted(shared.items(), key=lambda item: -item[1]) if bits >= LEAST_RARITY]

    def _shared_bits_by_submissions(self) -> Mapping[tuple[str, ...], float]:
        """Return the bits shared by each set of submissions. A fingerprint that half of the class has counts 0 bits."""
        holders = defaultdict[int, list[str]](list)
        for name, prints in self.complete.items():
            for each in prints:
                holders[each].append(name)
        results = defaultdict[tuple[str, ...], float](float)
        for each, names in holders.items():
            if len(names) > 1 and self.bits[each] >= 1:
                results[tuple(names)] += self.bits[each]
        return results

    def _pair(self, a: str, b: str) -> Alike:
        rarity, smaller = _weight(self.complete[a] & self.complete[b], self.bits), min(self.weights[a], self.weights[b])
        return Alike(a, b, round(rarity / smaller, 3) if smaller else 0.0, round(rarity, 1))

    def _described(self, pair: Alike) -> Alike:
        """Return a pair with the exercises that are similar."""
        both, labels = self.complete[pair.first] & self.complete[pair.second], self.prints[pair.first]
        bits = {label: _weight(both.intersection(prints), self.bits) for label, prints in labels.items()}
        exercises = tuple(sorted(filter(bits.get, bits), key=lambda label: -bits[label]))
        return replace(pair, exercises=exercises)


def _weight(prints: Iterable[int], bits: Mapping[int, float]) -> float:
    return fsum(bits[each] for each in prints)
