"""Diagnoses of syntax errors. Each diagnosis shows what to write instead."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from unicodedata import normalize

from course.diagnoses.evidence import Diagnosis, Evidence, SyntaxProblem

QUOTES = dict.fromkeys("“”„«»", '"') | dict.fromkeys("‘’‚", "'")
# patterns of what other languages have, each with its sign and what Python has instead
FOREIGN = (
    ("=>", "=>", ">="),
    ("=<", "=<", "<="),
    ("=!", "=!", "!="),
    ("&&", "&&", "and"),
    (r"\|\|", "||", "or"),
    (r"!(?!=)\s*[\w(]", "!", "not"),
    ("else if", "else if", "elif"),
)
MISSPELT = re.compile(r"^\s*([A-Za-z]+)\b(?!\s*[=(.,\[:]\s*)")
WORDS = ("def", "return", "while", "if", "elif", "else", "for", "match", "case", "lambda", "import", "from", "raise")
STRINGS = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|#.*")


def bare(syntax_problem: SyntaxProblem) -> str:
    """Return the line of a syntax error without its comment, and with all strings empty."""
    return STRINGS.sub("''", syntax_problem.text)


@dataclass(frozen=True)
class SyntaxSlip:
    """A detector of one slip. It has a pattern of the line (as `bare` returns it) and a pattern of Python's message.

    The advice is a template. In it, `t` is the problem, and `match` is the match of the line's pattern, or else of the
    message's.
    """

    advice: Diagnosis
    line: str = ""
    python: str = ""

    def __call__(self, e: Evidence, t: SyntaxProblem) -> Iterator[Diagnosis]:
        line, message = re.search(self.line, bare(t)), re.search(self.python, t.says)
        if line and message:
            match = line if self.line else message
            yield Diagnosis(self.advice.says.format(t=t, match=match), self.advice.example.format(t=t, match=match))


def comparison_in_a_pattern(e: Evidence, t: SyntaxProblem) -> Iterator[Diagnosis]:
    """Detect `case Face(_, suit == Suit.HEARTS):`, because a pattern cannot contain a comparison."""
    match = re.match(r"\s*case\b.*?\w+ (?:==|is) ([\w.]+)", bare(t))
    if match and " if " not in t.text:
        yield Diagnosis(
            f"On line {t.line}, a pattern cannot contain a comparison. Write only the value in that position:",
            re.sub(r"\w+ (?:==|is) ([\w.]+)", r"\1", t.text.strip()),
        )


def else_in_a_match(e: Evidence, t: SyntaxProblem) -> Iterator[Diagnosis]:
    """Detect `else:` for the last case of a `match`, where Python needs `case _:`."""
    lines = e.source.splitlines()[: max(t.line - 1, 0)]
    indent = len(t.text) - len(t.text.lstrip())
    above = [line for line in lines if line.strip() and len(line) - len(line.lstrip()) <= indent]
    if t.text.strip() == "else:" and above and above[-1].strip().startswith("case "):
        yield Diagnosis(f"A `match` has no `else`. For all other values, write on line {t.line}:", "case _:")


def typographic_quotes(e: Evidence, t: SyntaxProblem) -> Iterator[Diagnosis]:
    """Detect quotation marks from a word processor."""
    quote = next((char for char in t.text if char in QUOTES), "")
    if quote and "character" in t.says:
        yield Diagnosis(f"Line {t.line} has the quotation mark {quote}. Python needs a plain one: `{QUOTES[quote]}`.")


def full_width_character(e: Evidence, t: SyntaxProblem) -> Iterator[Diagnosis]:
    """Detect a bracket or comma of an East Asian keyboard."""
    wide = next((char for char in bare(t) if normalize("NFKC", char) != char and normalize("NFKC", char).isascii()), "")
    if wide.strip() and "character" in t.says:
        yield Diagnosis(f"Line {t.line} has the full-width character {wide}. Python needs `{normalize('NFKC', wide)}`.")


def one_equals_sign(e: Evidence, t: SyntaxProblem) -> Iterator[Diagnosis]:
    """Detect `=` in a comparison, also after `return`, where Python only says "invalid syntax"."""
    outside = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", bare(t)))
    is_returned = re.match(r"\s*return\b.*(?<![=!<>:])=(?!=)", outside)
    if is_returned or "Maybe you meant '=='" in t.says or "cannot assign to" in t.says:
        yield Diagnosis(f"On line {t.line}, a single `=` assigns a name. To compare two values, write `==`.")


def no_colon(e: Evidence, t: SyntaxProblem) -> Iterator[Diagnosis]:
    """Detect a line that needs a colon at its end."""
    if t.says == "expected ':'":
        yield Diagnosis(f"Line {t.line} needs a colon at the end: `{t.text.strip()}:`.")


def misspelt_word(e: Evidence, t: SyntaxProblem) -> Iterator[Diagnosis]:
    """Detect misspelt keywords, such as `retrun` or `Return`."""
    match = MISSPELT.match(bare(t))
    word = match[1] if match else ""
    if word and word not in {*keyword.kwlist, *keyword.softkwlist} and (near := e.near(word, WORDS)):
        yield Diagnosis(f"Line {t.line} begins with `{word}`. Did you mean `{near}`?")


PARSING: tuple[Callable[[Evidence, SyntaxProblem], Iterator[Diagnosis]], ...] = (
    SyntaxSlip(
        Diagnosis("Line {t.line} is not Python: a chat puts this mark before and after code. Delete both marks."),
        r"^\s*`{3}",
    ),
    SyntaxSlip(
        Diagnosis(
            "Line {t.line} is a conflict marker of git. Keep one version of the code, and delete the other "
            "version and the markers."
        ),
        r"^(?:<{7}|={7}|>{7})(?: |$)",
    ),
    SyntaxSlip(
        Diagnosis("Line {t.line} begins with a line number. Delete the numbers that were copied with the code."),
        r"^\s*\d+[ :|]+(?:def|class|from|import|return|match|case|@)",
    ),
    SyntaxSlip(
        Diagnosis(
            "Line {t.line} has a character that you cannot see. Type the spaces at the beginning of the line again."
        ),
        python=r"invalid non-printable character",
    ),
    comparison_in_a_pattern,
    SyntaxSlip(
        Diagnosis(
            "On line {t.line}, write a parameter, a colon and the result after `lambda`:",
            "lambda {match[1]}: {match[1]} {match[2]}",
        ),
        r"\blambda (\w+)\s*(?![\w\s,:=])([^:]+?)\s*(?=[,)]|$)",
    ),
    SyntaxSlip(
        Diagnosis(
            "On line {t.line}, begin the comprehension with the value of each item, and write no colon:",
            "({match[2]} {match[1]})",
        ),
        r"[(\[]\s*(for \w+ in [^:]+):\s*(.+?)[)\]]\s*$",
    ),
    SyntaxSlip(
        Diagnosis(
            "On line {t.line}, one `for` can go through only one collection. For all pairs, write two `for`s:",
            "for {match[1]} in {match[3]} for {match[2]} in {match[4]}",
        ),
        r"\bfor (\w+), (\w+) in (\w+), (\w+)\s*[)\]]",
    ),
    SyntaxSlip(
        Diagnosis("On line {t.line}, a string needs quotation marks. Write:", '{match[1]} {match[2]} "{match[3]}"'),
        r"(\w+) (==|!=) ([<>])\s*(?:[:)]|$|and\b|or\b)",
    ),
    else_in_a_match,
    SyntaxSlip(
        Diagnosis("On line {t.line}, `:=` needs parentheses around it:", "if ({match[1]})"),
        r"\bif (\w+ := [^()]*\([^()]*\))",
        python="invalid syntax",
    ),
    SyntaxSlip(
        Diagnosis(
            "On line {t.line}, `… for … in …` is not the only argument. Write parentheses around it:",
            "min((… for … in …), default=…)",
        ),
        python="Generator expression must be parenthesized",
    ),
    SyntaxSlip(
        Diagnosis("On line {t.line}, `in` is missing:", "for {match[1]} in {match[2]}"),
        r"\bfor (\w+) (?!in\b)(\w+)",
    ),
    SyntaxSlip(
        Diagnosis(
            "On line {t.line}, `if … else …` chooses what each item becomes. Write it before `for`:",
            "(one if … else other for … in …)",
        ),
        r"\bfor \w+ in .+ if .+ else\b",
    ),
    SyntaxSlip(
        Diagnosis(
            "On line {t.line}, an `if` without `else` chooses which items stay. Write it at the end:",
            "(… for … in … if …)",
        ),
        r" if .+ for \w+ in ",
        python="expected 'else' after 'if' expression",
    ),
    typographic_quotes,
    full_width_character,
    *(
        SyntaxSlip(Diagnosis(f"Python has no `{foreign}`. On line {{t.line}}, write `{instead}`."), pattern)
        for pattern, foreign, instead in FOREIGN
    ),
    SyntaxSlip(
        Diagnosis("Python has no `{match[0]}`. On line {t.line}, write `{match[1]} {match[2][0]} 1`."),
        r"(\w+)\s*(\+\+|--)\s*($|\))",
    ),
    one_equals_sign,
    no_colon,
    SyntaxSlip(
        Diagnosis("The `{match[1]}` on line {t.line} is never closed."),
        python=r"^'(.)' was never closed",
    ),
    SyntaxSlip(
        Diagnosis(
            "On line {t.line}, `{match[1]}` has no opening bracket. Remove it, or add the opening bracket before it."
        ),
        python=r"^unmatched '(.)'",
    ),
    SyntaxSlip(
        Diagnosis(
            "On line {t.line}, `{match[1]}` closes a `{match[2]}`. A closing bracket must be of the same kind as "
            "the opening one."
        ),
        python=r"^closing parenthesis '(.)' does not match opening parenthesis '(.)'",
    ),
    SyntaxSlip(
        Diagnosis("The string that begins on line {t.line} has no closing quotation mark."),
        python="unterminated",
    ),
    SyntaxSlip(
        Diagnosis("Indent the lines that belong to the {match[1]} on line {match[2]} by four spaces."),
        python=r"^expected an indented block after (.+) on line (\d+)",
    ),
    SyntaxSlip(
        Diagnosis("Line {t.line} is indented too far. Align it with the line before it."),
        python="^unexpected indent$",
    ),
    SyntaxSlip(
        Diagnosis("Line {t.line} is not aligned with any line above it. Align it with one of these lines."),
        python="unindent",
    ),
    SyntaxSlip(
        Diagnosis("Line {t.line} mixes tabs and spaces. Use four spaces instead."),
        python="tabs and spaces",
    ),
    SyntaxSlip(
        Diagnosis("On line {t.line}, `print` needs parentheses: `print(…)`."),
        python="call to 'print'",
    ),
    SyntaxSlip(
        Diagnosis("On line {t.line}, write `case {match[1]} | {match[2]}:`."),
        r"^\s*case\s+(\S.*?)\s+(?:or|and)\s+(.+?):",
    ),
    SyntaxSlip(
        Diagnosis("On line {t.line}, delete the comma before `{match[1]}`."),
        r",\s*(for\s[\w,\s]+\sin)\b",
    ),
    misspelt_word,
    SyntaxSlip(
        Diagnosis("Something is missing on line {t.line}, usually a comma between two values."),
        python="comma",
    ),
)
