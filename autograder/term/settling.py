"""After a download, choose the version that counts for each student and notebook, and report the choice."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from toolz import unique

from autograder.config import BEST
from autograder.term.collected import COLLECTED, Collected, left_by_hand, submit, write_collected
from autograder.term.intake import Intake, Oddity
from autograder.term.lateness import Deadlines, span
from autograder.term.locations import SUBMITTED
from autograder.term.people import Destination
from autograder.term.platforms import MOODLE
from autograder.term.resubmissions import candidates_in
from autograder.term.roster import ROSTER_FILE, remember_participants
from autograder.term.versions import ILLEGIBLE, Slot, Version, by_rank, reason_to_prefer
from autograder.text import shown_name

WHY = {
    "worth": "the others are unreadable or have no answers",
    "is_in_time": "the others are late",
    "downloaded": "it is the newest",
    "uploaded": "it was uploaded last",
}

Chosen = Mapping[Slot, Version]


@dataclass(frozen=True)
class Settled:
    """A course after a download: all versions, and which one counts for each notebook, now and before."""

    to: Destination
    intake: Intake
    collected: Collected
    chosen: Chosen
    before: Chosen

    @classmethod
    def after(cls, to: Destination, intake: Intake) -> Settled:
        """Record a download and the files in `submitted/`, and choose the versions that count."""
        by_hand = [pair for slot in intake.slots if (pair := left_by_hand(to.collected, slot))]
        earlier = to.collected.with_new([version for version, _ in by_hand])
        collected = earlier.with_new(intake.versions)
        contents = {version.sha: content for version, content in by_hand} | dict(intake.contents)
        if collected != to.collected:
            write_collected(collected, contents)
        return cls(to, intake, collected, _chosen(collected, to.deadlines), _chosen(earlier, to.deadlines))

    def hand_over(self) -> int:
        """Copy the chosen versions into `submitted/`; return the number of new notebooks from the download."""
        changed, counts = list[Version](), self.to.deadlines.counts
        several = {each.slot: each for each in candidates_in(self.collected, self.to.deadlines)}
        for student_slot in unique(slot[:2] for slot in self.intake.slots):
            counting = tuple(one for slot, one in self.chosen.items() if slot[:2] == student_slot)
            if student_slot in several:
                counting = several[student_slot].counting(self.collected, counts)
            changed += submit(self.collected, counting)
        remember_participants(self.to.root, self.intake.labels)
        return sum(version.slot in self.intake.slots for version in changed)

    @property
    def assignments(self) -> list[str]:
        """Return the assignments in the download."""
        return sorted({slot[1] for slot in self.intake.slots} | {self.intake.assignment} - {""})

    def odd(self) -> Iterator[Oddity]:
        """Return the warnings."""
        yield from self.intake.odd
        keys = {version.key for version in self.intake.versions}
        for slot in self.intake.slots:
            yield from self._odd_files(slot, keys)
        for name in sorted(self._submitters(self.assignments) - set(self.to.roster) if self.to.roster else ()):
            yield Oddity(name, f"in {SUBMITTED}/, but not in {ROSTER_FILE}. Add the student, or remove the folder")

    def missing(self) -> Iterator[str]:
        """Yield a line about the students of the roster who submitted nothing, for each assignment in the download."""
        for assignment in self.assignments:
            submitters = self._submitters([assignment])
            if names := [name for name in self.to.roster if name not in submitters]:
                groups = {each.group for name, each in self.to.roster.items() if name in submitters} - {""}
                is_partner = any(
                    self.to.roster[name].group in groups for name in names if not self.to.group_assignments
                )
                hint = f'. If groups hand it in together, set group_assignments = ["{assignment}"]' * is_partner
                yield f"no file for {assignment} from {', '.join(names)}{hint}"

    def _submitters(self, assignments: Iterable[str]) -> set[str]:
        """Return the students with a notebook in `submitted/` for one of these assignments."""
        students = [*(self.to.root / SUBMITTED).glob("*")]
        folders = [folder / each for folder in students for each in assignments]
        return {path.parent.name for path in folders if os.path.isdir(path) and any(path.glob("*.ipynb"))}

    def _odd_files(self, slot: Slot, keys: set[tuple[str, str, str]]) -> Iterator[Oddity]:
        """Yield warnings about a download's files for one notebook of a student."""
        until = self.to.deadlines.in_time_until(*slot[:2])
        ordered = by_rank(self.collected.by_slot[slot], until)
        own, chosen = [each for each in ordered if each.key in keys], ordered[0]
        others = [each for each in unique(own, key=lambda each: each.sha) if each.sha != chosen.sha]
        if not others:
            return
        first = reason_to_prefer(chosen, others[0], until)
        if own[0].sha == chosen.sha:
            what = f"{len(others) + 1} files for {chosen.notebook}. {chosen.path} counts, because"
            why = WHY.get(first, "it is unknown which file is newer")
            yield Oddity(slot[0], f"{what} {why}. All files are in collected/{slot[0]}/{slot[1]}")
        elif first != "downloaded":
            yield Oddity(slot[0], _outranked(own[0], first, until, self.to.deadlines.counts == BEST))

    def notes(self) -> Iterator[str]:
        """Yield notes for the teacher."""
        if self.intake.assignment and len({name for name, _ in self.to.parts}) > 1:
            yield f"This download is for {self.intake.assignment}."
        for assignment in self.assignments:
            yield from self._notes_on(assignment)
        zones = {str(each.tzinfo) for name, each in self.to.deadlines.until.items() if name in self.assignments}
        if zones and not self.to.times.has_zones:
            yield f"{self.to.times.name} has no time zone. Its times are read as {' or '.join(sorted(zones))}."

    def _notes_on(self, assignment: str) -> Iterator[str]:
        chosen = [self.chosen[slot] for slot in self.intake.slots if slot[1] == assignment]
        if newer := [one for one in chosen if one.slot in self.before and self.before[one.slot].sha != one.sha]:
            copies = f"Earlier files are in {COLLECTED}/"
            yield f"{_names(newer)}: a new file for {assignment} counts. {copies}"
        for student in unique(one.student for one in chosen):
            if late := self.to.deadlines.late(student, assignment):
                yield f"{shown_name(student)}: {assignment} is late by {span(late)}"
        unknown = [one for one in chosen if not one.instant]
        if unknown and assignment in self.to.deadlines.until and not self.to.times.name:
            yield f"{assignment}: submission times are unknown, so no points are deducted. {_remedy(unknown)}"


def _chosen(collected: Collected, deadlines: Deadlines) -> Chosen:
    """Return the version that counts for each notebook of each student."""
    slots = ((slot, versions) for slot, versions in collected.by_slot.items() if slot[0])
    return {slot: by_rank(versions, deadlines.in_time_until(*slot[:2]))[0] for slot, versions in slots}


def _outranked(best: Version, first: str, until: datetime | None, is_compared: bool) -> str:
    """Return why an earlier file counts, and not the best one of a download."""
    problem, remedy = "is not newer", ""
    if first == "worth":
        problem = "cannot be read" if best.worth == ILLEGIBLE else "has no answers"
    elif first == "is_in_time" and best.instant and until:
        remedy = ". To use it, add an [[extension]] to adjust.toml and collect again"
        problem = f"is late by {span(best.instant - until)}"
        if is_compared:
            remedy = f"{remedy}. By itself, foldem grade takes the better file, after the deduction"
    return f"the file for {best.notebook} in this download {problem}, so an earlier one still counts{remedy}"


def _names(versions: Iterable[Version]) -> str:
    return ", ".join(unique(shown_name(each.student) for each in versions))


def _remedy(versions: Iterable[Version]) -> str:
    """Return advice for submissions without a submission time."""
    is_moodle = any(each.platform == MOODLE for each in versions)
    table = "Moodle's grading worksheet" if is_moodle else "a CSV with a column Submitted At"
    return f"To deduct points, add --times with {table}."
