"""A check of our English: long sentences and the constructions that STYLE.md drops.

`python -m tests.prose [FILE …]` prints them with file and line.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path

ROOT = Path(__file__).parents[1]
LONGEST = 25
TITLE_ASIDE = r"^(?!(?:[\w`']+ ?){1,6}:?$)"  # a few words that end no sentence
HABITS = {
    "a clause with who/what/whoever as a noun": TITLE_ASIDE + r"(?:Who|Whose|Whoever|Whatever|What|Where)\b(?!.*\?)",
    "nobody/nothing/none but": r"\b(?:nobody|nothing|no one|none|no other|not|never) but\b",
    "a private sense of tell": r"\b(?:tells? (?:how|what|when|where|whether|of|apart)|(?:is|are|was|were|be) told)\b",
    "a private sense of give": r"\b(?:gives? (?:back|away|just)|giv(?:es?|ing|en) (?:the|its) answer)\b",
    "a private sense of stand or lie": r"\b(?:stands?|stood|lies|lay) (?:in|on|behind|beside|there|by|for)\b",
    "a private sense of ask": r"\b(?:is|are|was|were) asked (?:of|for|what|whether|how)\b",
    "in the place of": r"\bin (?:the|its|their|his|\w+'s) (?:place|stead)\b",
    "of its own": r"\bof (?:its|their|one's) own(?! \w)\b",
    "all that/everything that": r"\b(?:all|that which) (?:that|of what|there is)\b",
    "of them/of which at the start": r"^(?:Of|For|By|From) (?:whom|which|what)\b",
}


@dataclass(frozen=True)
class Paragraph:
    """A run of prose without code, and the line where it starts."""

    line: int
    text: str


@dataclass(frozen=True)
class Finding:
    """A sentence that breaks a rule."""

    path: Path
    line: int
    rule: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.sentence}"


def find_faults(path: Path) -> Iterator[Finding]:
    """Yield the sentences of a file that are too long or use a dropped construction."""
    for paragraph in read_paragraphs(path):
        for sentence in split_sentences(paragraph.text):
            for rule in broken_rules(sentence):
                yield Finding(path, paragraph.line, rule, sentence)


def broken_rules(sentence: str) -> list[str]:
    """Return the rules that a sentence breaks.

    >>> broken_rules("CallOwner they are says `roster.csv`.")
    ['a clause with who/what/whoever as a noun']
    >>> broken_rules("Files are matched to students by `roster.csv`.")
    []
    """
    words = re.findall(r"[\w'’-]+", sentence)
    long = [f"{len(words)} words"] if len(words) > LONGEST else []
    return long + [rule for rule, pattern in HABITS.items() if re.search(pattern, sentence)]


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph; a colon or semicolon does not end one.

    >>> split_sentences("Write it down. Is it right? Yes, e.g. here.")
    ['Write it down.', 'Is it right?', 'Yes, e.g. here.']
    """
    return [piece.strip() for piece in re.split(r"(?<=[.!?])[\"”)*]*\s+(?=[A-Z`*\"“(])", text) if piece.strip()]


def read_paragraphs(path: Path) -> list[Paragraph]:
    """Return the prose of a Markdown, TOML or Python file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return list(split_markdown(text, 1))
    if path.suffix == ".toml":
        return [Paragraph(1, plain(string)) for string in find_strings(tomllib.loads(text))]
    return [*read_lessons(text), *read_docstrings(text)]


def read_lessons(text: str) -> Iterator[Paragraph]:
    """Yield the prose of the Markdown cells of a percent-format file."""
    for match in re.finditer(r"^# %% \[markdown\].*\n((?:#.*\n|\n)*?)(?=# %%|\Z|^[^#\n])", text, re.MULTILINE):
        cell = re.sub(r"^# ?", "", match[1], flags=re.MULTILINE)
        yield from split_markdown(cell, text[: match.start(1)].count("\n") + 1)


def read_docstrings(text: str) -> Iterator[Paragraph]:
    """Yield the docstrings of a module without their doctests, a paragraph each; also the strings below values."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(ast.Constant(str() as docstring)):
                prose = re.split(r"^\s*>>> ", cleandoc(docstring), maxsplit=1, flags=re.MULTILINE)[0]
                yield from (Paragraph(node.lineno, plain(part)) for part in prose.split("\n\n") if part[:4].strip())


def split_markdown(text: str, first: int) -> Iterator[Paragraph]:
    """Yield the paragraphs and list items of Markdown; tables, headings, code and HTML tags are left out."""
    text = re.sub(r"^```.*?^```", lambda code: "\n" * code[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(?:\||#|    ).*$", "", text, flags=re.MULTILINE)
    line = first
    for part in re.split(r"(\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) ))", text):
        if part.strip():
            yield Paragraph(line + len(part) - len(part.lstrip("\n")), plain(part))
        line += part.count("\n")


def plain(text: str) -> str:
    """Return text without markup; a piece of code counts as one word.

    >>> plain("See **this**: `f(1, 2)` in [that page](docs/that.md).")
    'See this: `code` in that page.'
    """
    text = re.sub(r"`[^`]*`", "`code`", re.sub(r"<code>.*?</code>", "`code`", text, flags=re.DOTALL))
    text = re.sub(r"</summary>", "?\n", re.sub(r"\?\s*</summary>", "</summary>", text))
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"<[^>]*>", " ", text))
    return " ".join(re.sub(r"\*\*|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|^\s*(?:[-*]|\d+\.) ", "", text).split())


def find_strings(value: object) -> Iterator[str]:
    """Yield the strings with a blank in a TOML document, at any depth."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from find_strings(item)
    elif isinstance(value, str) and " " in value:
        yield value


def main(names: list[str]) -> int:
    """Print the faults of the named files; return the exit status."""
    faults = [fault for name in names for fault in find_faults(Path(name))]
    print(*faults, f"{len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
