"""Groups of the same wrong answer: who fails with the same observations stands together, whatever the code is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from toolz import groupby

from autograder.classroom.model import HandIn, failures
from autograder.report.model import ExerciseReport


@dataclass(frozen=True)
class Group:
    """Students whose answers to an exercise give the same: their belief if it is known, and their sources by how many.

    `key` names the group in `comments.toml`; it stays the same from run to run while the exam does. Where not all of
    its sources are shown, so many `more` are there.
    """

    exercise: str
    key: str
    students: tuple[str, ...]
    verdict: str
    belief: str
    sources: tuple[tuple[str, int], ...]
    comment: str = ""
    more: int = 0

    @property
    def is_known(self) -> bool:
        return bool(self.belief)


def groups(entries: Sequence[HandIn]) -> list[Group]:
    """Return the groups of the wrong answers, largest first."""
    found = [(exercise, entry) for entry in entries for exercise in failures(entry) if exercise.facets]
    by_key = groupby(lambda pair: (pair[0].name, pair[0].digest), found)
    made = [_group(name, key, pairs) for (name, key), pairs in by_key.items()]
    return sorted(made, key=lambda group: (-len(group.students), group.exercise, group.key))


def _group(name: str, key: str, pairs: Sequence[tuple[ExerciseReport, HandIn]]) -> Group:
    exercise = pairs[0][0]
    failure = exercise.first_failure
    sources = Counter(entry.code.sources[name] for _, entry in pairs if name in entry.code.sources)
    return Group(
        name,
        key,
        tuple(sorted(entry.student for _, entry in pairs)),
        failure.verdict if failure else exercise.problem,
        next((each.belief for each, _ in pairs if each.belief), ""),
        tuple(sorted(sources.items(), key=lambda item: (-item[1], len(item[0]), item[0]))),
    )


def unknown(found: Sequence[Group], least: int) -> list[Group]:
    """Return the groups of at least so many that are not recognised: what the next messages should be written for."""
    return [group for group in found if not group.is_known and len(group.students) >= least]


def drafts(found: Sequence[Group], least: int) -> Iterator[str]:
    """Yield each of these as a new mistake, with the commonest source filled in."""
    yield from (_draft(group) for group in unknown(found, least) if group.sources)


def _draft(group: Group) -> str:
    source, _ = group.sources[0]
    named = source.replace(f"def {group.exercise}(", f"def {group.exercise}__TODO_{group.key[:6]}(", 1)
    told = wrap(f"{len(group.students)} students. {group.verdict}", 117, break_long_words=False)
    return "\n".join([*(f"# {line}" for line in told), named, ""])
