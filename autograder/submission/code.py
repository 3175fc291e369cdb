"""A submission's code for the store: its sources by exercise, and their fingerprints."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256

from toolz import groupby

from autograder.sandbox.sources import digest_of_files, files_behind
from autograder.submission import fingerprints
from autograder.submission.model import Submission
from autograder.submission.notebook import WRITTEN_REPORT


@dataclass(frozen=True)
class Code:
    """The code of a submission: sources by exercise, helpers by cell, written text, and fingerprints."""

    sources: Mapping[str, str] = field(default_factory=dict)
    prints: Mapping[str, Sequence[int]] = field(default_factory=dict)


def submission_code(submission: Submission) -> Code:
    """Return a submission's code."""
    answers = {name: answer.source for name, answer in submission.answers.items() if answer.source}
    helpers = groupby(lambda helper: helper.label, submission.helpers)
    sources = answers | {f"{label}, helpers": "\n".join(each.source for each in of) for label, of in helpers.items()}
    written = {WRITTEN_REPORT: submission.written} if submission.written else {}
    return Code(sources | written, {label: sorted(prints) for label, prints in fingerprints.prints_of(sources).items()})


def code_key(content: str) -> str:
    """Return the key of a file's code in the store. The key depends on the content and on the code that reads it."""
    return sha256(f"{content}|{_reading()}".encode()).hexdigest()


@cache
def _reading() -> str:
    return digest_of_files(files_behind((__name__,), {}))


def code_text(code: Code) -> str:
    """Return code as text for the store."""
    return json.dumps(vars(code), separators=(",", ":"))


def code_in(text: str) -> Code:
    """Return code from the store's text."""
    return Code(**json.loads(text))
