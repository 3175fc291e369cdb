"""Groups of wrong answers with the same results, and submissions whose code is so similar that it is no coincidence.

Similarity ignores code from stubs, statements and references. Rare fingerprints count more than common ones.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from math import fsum, log2

from toolz import groupby

from autograder.classroom.model import HandIn, failures
from autograder.report.render import result_of
from autograder.report.words import first_problem_text
from autograder.submission.code import Prints, prints_of
from course.diagnoses.failure import Failure
from course.limits import MOST_NEIGHBOURS, MOST_PRINTS


@dataclass(frozen=True)
class Group:
    """Students whose wrong answers to an exercise return the same results.

    `belief` is what they probably thought, if that is known. `sources` has each answer, with its number. `failure` is
    the one that their pages show, and `rule` the rule that it breaks. `key` names the group; it stays the same while
    the exam does.
    """

    exercise: str
    key: str
    students: tuple[str, ...]
    verdict: str
    rule: str
    failure: Failure | None
    belief: str
    sources: tuple[tuple[str, int], ...]


def groups(entries: Sequence[HandIn]) -> list[Group]:
    """Return the groups of wrong answers, those of the most students first. Among equals, known mistakes come first."""
    results = [(exercise, entry) for entry in entries for exercise in failures(entry) if exercise.facets]
    by_key = groupby(lambda pair: (pair[0].name, pair[0].digest), results)
    made = []
    for (name, key), pairs in by_key.items():
        exercise, first = pairs[0][0], result_of(pairs[0][0]).first
        sources = Counter(entry.code.sources[name] for _, entry in pairs if name in entry.code.sources)
        group = Group(
            name,
            key,
            tuple(sorted(entry.student for _, entry in pairs)),
            first_problem_text(exercise),
            first.about if first else "not examined",
            first.failure if first else None,
            next((each.belief for each, _ in pairs if each.belief), ""),
            tuple(sorted(sources.items(), key=lambda item: (-item[1], len(item[0]), item[0]))),
        )
        made.append(group)
    return sorted(made, key=lambda group: (-len(group.students), not group.belief, group.exercise, group.key))


# ---------------------------------------------------------------------------------------------------- similar code

PRIOR = 12  # imaginary submissions without this code, added to the class
LEAST_RARITY = 40.0  # bits
LEAST_SHARE = 0.4
# above this many bits the share is ignored, because a copied part of a large notebook has a small share
SURELY_RARE = 300.0

Labelled = Mapping[str, Mapping[str, Iterable[int]]]


@dataclass(frozen=True)
class Alike:
    """Two submissions that have the same rare code, in these exercises.

    `share` is the part of the shorter submission that both have (0 to 1). `rarity` says how unlikely that is, in bits.
    """

    first: str
    second: str
    share: float
    rarity: float
    exercises: tuple[str, ...] = ()


def alike(prints: Labelled, common: Iterable[str] = ()) -> list[Alike]:
    """Return pairs of similar submissions, rarest first. Of several that are alike, as many pairs as connect them all.

    `prints` are the fingerprints of each submission by exercise (helpers have their own labels). `common` are sources
    that anyone may have: stubs, statements, references.
    """
    known = frozenset[int]().union(*(prints for source in common for prints in prints_of({"": source}).values()))
    compared, bits = compared_prints(prints, known)

    def weight(some: Iterable[int]) -> float:
        return fsum(bits[each] for each in some)

    weights = {name: weight(own) for name, own in compared.items()}
    connected, pairs = {name: {name} for name in compared}, list[Alike]()
    for first, second in _candidates(compared, bits):
        if connected[first] is connected[second]:
            continue
        both = compared[first] & compared[second]
        shared, smaller = weight(both), min(weights[first], weights[second])
        rarity, share = round(shared, 1), round(shared / smaller, 3) if smaller else 0.0
        if rarity >= LEAST_RARITY and (share >= LEAST_SHARE or rarity >= SURELY_RARE):
            by_label = {label: weight(both.intersection(own)) for label, own in prints[first].items()}
            exercises = sorted(filter(by_label.get, by_label), key=lambda label: -by_label[label])
            pairs.append(Alike(first, second, share, rarity, tuple(exercises)))
            connected[first] |= connected[second]
            connected |= dict.fromkeys(connected[second], connected[first])
    return sorted(pairs, key=lambda pair: (-pair.rarity * pair.share, pair.first, pair.second))


def compared_prints(prints: Labelled, known: Prints) -> tuple[dict[str, Prints], dict[int, float]]:
    """Return for each submission the fingerprints to compare, at most MOST_PRINTS, and the bits of each fingerprint.

    The `known` ones are left out.
    """
    unions = {name: frozenset[int]().union(*of.values()) - known for name, of in prints.items()}
    holders = Counter(each for prints in unions.values() for each in prints)

    def order(each: int) -> tuple[bool, int]:
        return holders[each] == 1, each  # shared ones first: a copy cannot hide behind much code of its own

    compared = {name: frozenset(nsmallest(MOST_PRINTS, union, order)) for name, union in unions.items()}
    return compared, {each: log2((len(compared) + PRIOR) / count) for each, count in holders.items()}


def _candidates(compared: Mapping[str, Prints], bits: Mapping[int, float]) -> list[tuple[str, str]]:
    """Return the pairs that may be similar, those with the most common fingerprints first."""
    holders = defaultdict[int, list[str]](list)
    for name, prints in compared.items():
        for each in prints:
            holders[each].append(name)
    shared_by = defaultdict[tuple[str, ...], float](float)
    for each, names in holders.items():
        if len(names) > 1 and bits[each] >= 1:  # half of the class has a fingerprint with less
            shared_by[tuple(names)] += bits[each]
    shared, most = defaultdict[tuple[str, str], float](float), min(MOST_NEIGHBOURS, max(4, len(compared) // 10))
    for several, of_all in shared_by.items():
        for index, name in enumerate(several):
            for other in several[index + 1 : index + 1 + most]:
                shared[name, other] += of_all
    return [pair for pair, of_both in sorted(shared.items(), key=lambda item: -item[1]) if of_both >= LEAST_RARITY]
