"""Data of the class page: an entry for each submission, the tables behind the charts, and who may need help.

Also groups of wrong answers that return the same results, and pairs of submissions with similar code.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from math import fsum, log2
from statistics import mean, median
from typing import Any

from toolz import groupby

from autograder.report.model import PASSED, UNWRITTEN, ExerciseReport, Graded
from autograder.report.render import result_of
from autograder.report.words import first_problem_text
from autograder.submission.code import Code, Fingerprints, fingerprints_of
from autograder.text import count_text
from course.diagnoses.failure import Failure
from course.limits import MOST_FINGERPRINTS, MOST_SUBMISSIONS_ALIKE
from course.show.results import rule_name

TRIED, LEFT_OUT, RIGHT, NOT_REACHED = "wrong", "skipped", "right", "not reached"
ANSWER_STATES = (TRIED, LEFT_OUT, RIGHT, NOT_REACHED)

NOTABLE_DROP = 0.25  # drop in the share of all points, compared with the mean of earlier units
LOW_SHARE, LEAST_SOLVED = 0.75, 0.5  # of the median points of a class, and of its median number of solved exercises


@dataclass(frozen=True)
class HandIn:
    """The submission that counts for a student's mark in a unit: its report and its code."""

    student: str
    report: Graded
    page: str = field(default="", kw_only=True)
    """The address of its page next to the class report, or ""."""
    code: Code = field(default_factory=Code, repr=False)
    group: str = ""

    @property
    def share(self) -> float:
        """Return the points earned, as a share of the possible points, from 0 to 1."""
        return self.report.points / self.report.of if self.report.of else 0.0

    @property
    def last_answered_number(self) -> int:
        """Return the number of the last exercise with an answer, counted from 1 in teaching order; 0 if none exists."""
        written = [index for index, each in enumerate(self.report.exercise_reports, 1) if each.state != UNWRITTEN]
        return max(written, default=0)


@dataclass(frozen=True)
class ChartTable:
    """The table behind a chart, and the number of submissions that it counts (`of`).

    In each row, the first `parts` numbers are drawn as the parts of one bar.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    of: int
    note: str = ""
    parts: int = 1


def marks_table(entries: Sequence[HandIn]) -> ChartTable:
    """Return how many submissions got 0 to 10 % of the points, 10 to 20 %, and so on."""
    shares = [entry.share for entry in entries]
    tenths = Counter(max(0, min(int(share * 10 + 1e-9), 9)) for share in shares)
    rows = tuple((f"{10 * tenth} to {10 * tenth + 10} %", tenths[tenth]) for tenth in range(10))
    note = f"Mean {mean(shares):.0%}, median {median(shares):.0%}." if shares else ""
    return ChartTable("Marks", ("share of the points", "submissions"), rows, len(entries), note)


def difficulty_table(entries: Sequence[HandIn]) -> ChartTable:
    """Return how many students solved each exercise, tried it, or left it out. The hardest exercise comes first.

    An exercise is harder if more students reached it but did not solve it.
    """
    names = tuple(dict.fromkeys(name for entry in entries for name in entry.report.assigned_exercises))
    counts = {
        name: Counter(_answer_state(entry, name) for entry in entries if name in entry.report.assigned_exercises)
        for name in names
    }
    hardest = sorted(names, key=lambda name: -counts[name][TRIED] - counts[name][LEFT_OUT])
    rows = tuple((name, *(counts[name][state] for state in ANSWER_STATES)) for name in hardest)
    reached = sum(entry.last_answered_number >= len(names) for entry in entries)
    note = (
        f"Percentages: not solved. {reached} of {count_text(len(entries), 'student')} reached {names[-1]}."
        if names
        else ""
    )
    return ChartTable(
        "Exercises by difficulty", ("exercise", *ANSWER_STATES), rows, len(entries), note, len(ANSWER_STATES)
    )


def _answer_state(entry: HandIn, name: str) -> str:
    exercise = entry.report[name]
    if exercise.state == PASSED:
        return RIGHT
    if exercise.state != UNWRITTEN:
        return TRIED
    return LEFT_OUT if entry.report.assigned_exercises.index(name) < entry.last_answered_number else NOT_REACHED


def form_table(entries: Sequence[HandIn]) -> ChartTable:
    """For each broken rule of style, return an example, the number of students, and the number of answers."""
    broken = [
        (finding, entry.student, exercise.name)
        for entry in entries
        for exercise in entry.report.exercise_reports
        for finding in exercise.form
        if finding.breaks
    ]
    rows = [
        (
            f"{rule}, for example: {result[0][0].why}",
            len({student for _, student, _ in result}),
            len({each[1:] for each in result}),
        )
        for rule, result in groupby(lambda each: rule_name(each[0]), broken).items()
    ]
    most = tuple(sorted(rows, key=lambda row: -row[1]))
    return ChartTable("Rules of style that are broken", ("rule", "students", "answers"), most, len(entries))


def failed_exercises(entry: HandIn) -> list[ExerciseReport]:
    """Return the reports on exercises that were answered wrongly."""
    return [each for each in entry.report.exercise_reports if each.state not in (PASSED, UNWRITTEN)]


# ---------------------------------------------------------------------------------------------------- who may need help


@dataclass(frozen=True)
class StudentInNeed:
    """A student who may need help, and why."""

    student: str
    reasons: tuple[str, ...]
    page: str = ""


def students_in_need(by_unit: Mapping[str, Sequence[HandIn]]) -> list[StudentInNeed]:
    """Return the students who may need help, judged by their work on the last unit.

    Students with the fewest points come first. `by_unit` has the units in teaching order.
    """
    *_, last = by_unit
    figures = [(entry.share, entry.report.solved) for entry in by_unit[last]]
    usual = [median(each) for each in zip(*figures, strict=True)]
    before = {unit: {entry.student: entry for entry in entries} for unit, entries in by_unit.items() if unit != last}
    weakest = sorted(by_unit[last], key=lambda entry: (entry.share, entry.student))
    results = (
        StudentInNeed(entry.student, tuple(_reasons_for_help(entry, usual, before)), entry.page) for entry in weakest
    )
    return [each for each in results if each.reasons]


def _reasons_for_help(
    entry: HandIn, usual: Sequence[float], before: Mapping[str, Mapping[str, HandIn]]
) -> Iterator[str]:
    share, solved = usual
    if entry.share < LOW_SHARE * share or entry.report.solved < LEAST_SOLVED * solved:
        number = len(entry.report.exercise_reports)
        yield f"{entry.share:.0%} of the points, {entry.report.solved} of {number} exercises solved"
    earlier = [entries[entry.student].share for entries in before.values() if entry.student in entries]
    if earlier and entry.share < mean(earlier) - NOTABLE_DROP:
        before_it = f"{mean(earlier):.0%} in {count_text(len(earlier), 'earlier unit')}"
        yield f"{entry.share:.0%} of the points, down from {before_it}"


# ---------------------------------------------------------------------------------------------------- equal answers


@dataclass(frozen=True)
class AnswerGroup:
    """Students whose wrong answers to an exercise return the same results.

    `belief` is the wrong idea behind the group's answers, if it is known. `sources` has each different answer, and how
    many students wrote it. `failure` is the failed call that the students' pages show, and `rule` is the rule that this
    call tests. `key` identifies the group, and changes only if the exam changes.
    """

    exercise: str
    key: str
    students: tuple[str, ...]
    verdict: str
    rule: str
    failure: Failure | None
    belief: str
    sources: tuple[tuple[str, int], ...]


def answer_groups(entries: Sequence[HandIn]) -> list[AnswerGroup]:
    """Return the groups of wrong answers, the largest first.

    Among groups of equal size, those with a known mistake come first.
    """
    results = [(exercise, entry) for entry in entries for exercise in failed_exercises(entry) if exercise.facets]
    by_key = groupby(lambda pair: (pair[0].name, pair[0].digest or pair[1].student), results)
    made = []
    for (name, key), pairs in by_key.items():
        exercise, first = pairs[0][0], result_of(pairs[0][0]).first_failed_rule
        sources = Counter(entry.code.sources[name] for _, entry in pairs if name in entry.code.sources)
        group = AnswerGroup(
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

# Code from stubs, statements and references is left out. Rare fingerprints count more than common ones.

IMAGINARY_SUBMISSIONS = 12  # imaginary submissions without this code, added to the class
LEAST_RARITY = 40.0  # bits
LEAST_SHARE = 0.4
# above this many bits the share is ignored, because a copied part of a large notebook has a small share
CERTAIN_RARITY = 300.0

LabelledPrints = Mapping[str, Mapping[str, Iterable[int]]]


@dataclass(frozen=True)
class SimilarPair:
    """Two submissions with the same rare code, and the exercises that contain this code.

    `share` is the part of the shorter submission, from 0 to 1, that the longer submission also contains. `rarity` says,
    in bits, how unlikely it is that two students share this code by chance.
    """

    first: str
    second: str
    share: float
    rarity: float
    exercises: tuple[str, ...] = ()


def similar_pairs(prints: LabelledPrints, common: Iterable[str] = ()) -> list[SimilarPair]:
    """Return pairs of similar submissions. The pairs with the rarest common code come first.

    If more than two submissions are alike, each of them is in a pair, but not all of their pairs are returned. `prints`
    are the fingerprints of each submission by exercise (helpers have their own labels). `common` are sources that
    anyone may have: stubs, statements, references.
    """
    # Together, as in a notebook: the calls of a function have other fingerprints if its definition is missing.
    known = frozenset[int]().union(*fingerprints_of({source: source for source in common}).values())
    compared, bits = compared_prints(prints, known)

    def total_rarity(some: Iterable[int]) -> float:
        return fsum(bits[each] for each in some)

    weights = {name: total_rarity(own) for name, own in compared.items()}
    connected, pairs = {name: {name} for name in compared}, list[SimilarPair]()
    for first, second in _candidate_pairs(compared, bits):
        if connected[first] is connected[second]:
            continue
        both = compared[first] & compared[second]
        shared, smaller = total_rarity(both), min(weights[first], weights[second])
        rarity, share = round(shared, 1), round(shared / smaller, 3) if smaller else 0.0
        if rarity >= LEAST_RARITY and (share >= LEAST_SHARE or rarity >= CERTAIN_RARITY):
            by_label = {label: total_rarity(both.intersection(own)) for label, own in prints[first].items()}
            exercises = sorted(filter(by_label.get, by_label), key=lambda label: -by_label[label])
            pairs.append(SimilarPair(first, second, share, rarity, tuple(exercises)))
            connected[first] |= connected[second]
            connected |= dict.fromkeys(connected[second], connected[first])
    return sorted(pairs, key=lambda pair: (-pair.rarity * pair.share, pair.first, pair.second))


def compared_prints(prints: LabelledPrints, known: Fingerprints) -> tuple[dict[str, Fingerprints], dict[int, float]]:
    """Return the fingerprints to compare for each submission, and the rarity of each fingerprint in bits.

    The `known` fingerprints are left out. For each submission, at most MOST_FINGERPRINTS fingerprints are returned.
    """
    unions = {name: frozenset[int]().union(*of.values()) - known for name, of in prints.items()}
    holders = Counter(each for prints in unions.values() for each in prints)

    def sort_key(each: int) -> tuple[bool, int]:
        return holders[each] == 1, each  # shared ones first: a copy cannot hide behind much code of its own

    compared = {name: frozenset(nsmallest(MOST_FINGERPRINTS, union, sort_key)) for name, union in unions.items()}
    return compared, {each: log2((len(compared) + IMAGINARY_SUBMISSIONS) / count) for each, count in holders.items()}


def _candidate_pairs(compared: Mapping[str, Fingerprints], bits: Mapping[int, float]) -> list[tuple[str, str]]:
    """Return the pairs that may be similar, those with the most common fingerprints first."""
    holders = defaultdict[int, list[str]](list)
    for name, prints in compared.items():
        for each in prints:
            holders[each].append(name)
    shared_by = defaultdict[tuple[str, ...], float](float)
    for each, names in holders.items():
        if len(names) > 1 and bits[each] >= 1:  # half of the class has a fingerprint with less
            shared_by[tuple(names)] += bits[each]
    shared = defaultdict[tuple[str, str], float](float)
    most = min(MOST_SUBMISSIONS_ALIKE, max(4, len(compared) // 10))
    for several, of_all in shared_by.items():
        for index, name in enumerate(several):
            for other in several[index + 1 : index + 1 + most]:
                shared[name, other] += of_all
    return [pair for pair, of_both in sorted(shared.items(), key=lambda item: -item[1]) if of_both >= LEAST_RARITY]
