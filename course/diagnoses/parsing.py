"""What keeps a cell from parsing: each says what to write instead."""

from __future__ import annotations

import keyword
import re

from course.diagnoses.evidence import Diagnosis, Evidence, Trouble

QUOTES = dict.fromkeys("“”„«»", '"') | dict.fromkeys("‘’‚", "'")
ARROWS = {"=>": ">=", "=<": "<=", "=!": "!="}
OTHERS = {"&&": "and", "||": "or"}
MISSPELT = re.compile(r"^\s*([A-Za-z]+)\b(?!\s*[=(.,\[:]\s*)")
WORDS = ("def", "return", "while", "if", "elif", "else", "for", "match", "case", "lambda", "import", "from", "raise")
STRINGS = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|#.*")


def bare(trouble: Trouble) -> str:
    """Give a line without its texts and comment."""
    return STRINGS.sub("''", trouble.text)


def typographic_quotes(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Tell of quotes that a word processor makes."""
    found = next((char for char in t.text if char in QUOTES), "")
    if found and "character" in t.says:
        return Diagnosis(f"Line {t.line} has {found}, a quote for print. Python wants plain ones: `{QUOTES[found]}`.")
    return None


def arrow_for_comparison(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Tell of `=>`."""
    found = next((sign for sign in ARROWS if sign in bare(t)), "")
    return Diagnosis(f"Python has no `{found}`: in line {t.line}, write `{ARROWS[found]}`.") if found else None


def signs_for_words(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Tell of `&&`, `||` and `!`."""
    found = next((sign for sign in OTHERS if sign in bare(t)), "")
    if found:
        return Diagnosis(f"In Python `{found}` is a word: write `{OTHERS[found]}` in line {t.line}.")
    if re.search(r"!(?!=)\s*[\w(]", bare(t)):
        return Diagnosis(f"In Python `!` is a word: write `not` in line {t.line}.")
    return None


def else_if(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Tell of `else if`."""
    return Diagnosis(f"`else if` is one word in Python: `elif`, in line {t.line}.") if "else if" in bare(t) else None


def counting_up(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Tell of `n++`."""
    found = re.search(r"(\w+)\s*(\+\+|--)\s*($|\))", bare(t))
    if not found:
        return None
    return Diagnosis(
        f"Python has no `{found[0].strip()}`, in line {t.line}: the next number is `{found[1]} {found[2][0]} 1`."
    )


def one_equals_sign(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Tell of `=` where values are compared."""
    if "Maybe you meant '=='" not in t.says and "cannot assign to" not in t.says:
        return None
    return Diagnosis(f"In line {t.line}, one `=` gives a name a value. To ask if two values are equal, write `==`.")


def no_colon(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Tell of a missing colon."""
    return Diagnosis(f"A colon is missing in line {t.line}: `{t.text.strip()}:`.") if t.says == "expected ':'" else None


def open_bracket(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Tell of brackets that do not pair."""
    if found := re.match(r"'(.)' was never closed", t.says):
        return Diagnosis(f"The `{found[1]}` that opens in line {t.line} is never closed: count the brackets.")
    if found := re.match(r"unmatched '(.)'", t.says):
        return Diagnosis(
            f"The `{found[1]}` in line {t.line} closes nothing: one bracket too many, or one too few before it."
        )
    if found := re.match(r"closing parenthesis '(.)' does not match opening parenthesis '(.)'", t.says):
        return Diagnosis(
            f"In line {t.line} a `{found[2]}` is closed by `{found[1]}`: brackets close in pairs, inner ones first."
        )
    return None


def open_text(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Tell of a text without an end."""
    if "unterminated" in t.says:
        return Diagnosis(f"The text that begins in line {t.line} has no closing quote.")
    return None


def indentation(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Tell of lines that stand too far left or right."""
    if found := re.match(r"expected an indented block after (.+) on line (\d+)", t.says):
        return Diagnosis(f"What belongs to the {found[1]} of line {found[2]} must stand further right, by four blanks.")
    if t.says == "unexpected indent":
        return Diagnosis(f"Line {t.line} stands further right than the line before it, which opens nothing.")
    if "unindent" in t.says:
        return Diagnosis(
            f"Line {t.line} stands below no line above it: move it so that it begins where one of them does."
        )
    if "tabs and spaces" in t.says:
        return Diagnosis(f"Line {t.line} is indented by tabs and blanks at once: delete them, and type four blanks.")
    return None


def print_without_brackets(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Tell of `print x`."""
    return Diagnosis(f"In line {t.line}, `print` needs brackets: `print(…)`.") if "call to 'print'" in t.says else None


def no_comma(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Tell of two things with nothing between them."""
    return (
        Diagnosis(f"Something is missing in line {t.line}, most often a comma between two things.")
        if "comma" in t.says
        else None
    )


def misspelt_word(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Tell of `retrun`, and of `Return`."""
    found = MISSPELT.match(bare(t))
    word = found[1] if found else ""
    if word and word not in {*keyword.kwlist, *keyword.softkwlist} and (near := e.near(word, WORDS)):
        return Diagnosis(f"Line {t.line} begins with `{word}`: did you mean `{near}`?")
    return None


PARSING = (
    typographic_quotes,
    arrow_for_comparison,
    signs_for_words,
    else_if,
    counting_up,
    one_equals_sign,
    no_colon,
    open_bracket,
    open_text,
    indentation,
    print_without_brackets,
    misspelt_word,
    no_comma,
)
