"""A teacher's comments on groups of equal wrong answers; every student in the group gets them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from autograder.config import ConfigError
from autograder.report.model import Graded, Report
from autograder.toml import is_of_type, line_of, parse_toml, read_text

COMMENTS_FILE = "comments.toml"
FROM = "from your teacher: "
Comments = Mapping[str, Mapping[str, str]]


def comments_in(root: Path | None) -> Comments:
    """Return a course's comments by exercise and group. Raises ConfigError if the file is invalid.

    The file has a table for each exercise, such as `[flip]`, with a line for each group: `3f0a19c2b7d4 = "Look at …"`.
    """
    if root is None or not (root / COMMENTS_FILE).is_file():
        return {}
    file = root / COMMENTS_FILE
    result = parse_toml(text := read_text(file, ConfigError), file, ConfigError)
    for name, comments in result.items():
        if not is_of_type(dict[str, str], comments):
            must_be = f'{name} must be a table of comments: [{name}], then the group = "…"'
            raise ConfigError(f"{file}:{line_of(text, name)}: {must_be}")
    return result


def commented(report: Report, comments: Comments) -> Report:
    """Return a report with the comments on its answers' groups."""
    if not comments or not isinstance(report, Graded):
        return report
    data = {each.name: comments.get(each.name, {}).get(each.digest, "") for each in report.exercises if each.digest}
    exercises = (
        replace(each, remarks=(*each.remarks, FROM + text)) if (text := data.get(each.name)) else each
        for each in report.exercises
    )
    return replace(report, exercises=tuple(exercises))
