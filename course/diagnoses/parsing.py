"""Diagnoses of syntax errors. Each diagnosis shows what to write instead."""

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
    """Return a line without its comment and the contents of strings."""
    return STRINGS.sub("''", trouble.text)


def typographic_quotes(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect quotation marks from a word processor."""
    quote = next((char for char in t.text if char in QUOTES), "")
    if quote and "character" in t.says:
        return Diagnosis(f"Line {t.line} has the quotation mark {quote}. Python needs a plain one: `{QUOTES[quote]}`.")
    return None


def arrow_for_comparison(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `=>`, which other languages have, or which is a misspelt `>=`."""
    arrow = next((sign for sign in ARROWS if sign in bare(t)), "")
    return Diagnosis(f"Python has no `{arrow}`. On line {t.line}, write `{ARROWS[arrow]}`.") if arrow else None


def signs_for_words(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `&&`, `||` and `!`, which are `and`, `or` and `not` in Python."""
    foreign = next((sign for sign in OTHERS if sign in bare(t)), "")
    if foreign:
        return Diagnosis(f"Python has no `{foreign}`. On line {t.line}, write `{OTHERS[foreign]}`.")
    if re.search(r"!(?!=)\s*[\w(]", bare(t)):
        return Diagnosis(f"Python has no `!`. On line {t.line}, write `not`.")
    return None


def else_if(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `else if`, which is `elif` in Python."""
    return Diagnosis(f"Python has no `else if`. On line {t.line}, write `elif`.") if "else if" in bare(t) else None


def counting_up(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `n++`, which is `n += 1` in Python."""
    match = re.search(r"(\w+)\s*(\+\+|--)\s*($|\))", bare(t))
    if not match:
        return None
    return Diagnosis(f"Python has no `{match[0].strip()}`. On line {t.line}, write `{match[1]} {match[2][0]} 1`.")


def one_equals_sign(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `=` in a comparison, also after `return`, where Python only says "invalid syntax"."""
    outside = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", bare(t)))
    is_returned = re.match(r"\s*return\b.*(?<![=!<>:])=(?!=)", outside)
    if not is_returned and "Maybe you meant '=='" not in t.says and "cannot assign to" not in t.says:
        return None
    return Diagnosis(f"On line {t.line}, a single `=` assigns a name. To compare two values, write `==`.")


def no_colon(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect a line that needs a colon at its end."""
    return (
        Diagnosis(f"Line {t.line} needs a colon at the end: `{t.text.strip()}:`.") if t.says == "expected ':'" else None
    )


def open_bracket(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect parentheses and brackets that do not match."""
    if match := re.match(r"'(.)' was never closed", t.says):
        return Diagnosis(f"The `{match[1]}` on line {t.line} is never closed.")
    if match := re.match(r"unmatched '(.)'", t.says):
        return Diagnosis(f"The `{match[1]}` on line {t.line} closes nothing. Remove it, or add the opening one.")
    if match := re.match(r"closing parenthesis '(.)' does not match opening parenthesis '(.)'", t.says):
        return Diagnosis(f"On line {t.line}, `{match[1]}` closes a `{match[2]}`. Each bracket needs its own partner.")
    return None


def open_text(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect a string without an end."""
    if "unterminated" in t.says:
        return Diagnosis(f"The string that begins on line {t.line} has no closing quotation mark.")
    return None


def indentation(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect wrong indentation."""
    if match := re.match(r"expected an indented block after (.+) on line (\d+)", t.says):
        return Diagnosis(f"Indent the lines that belong to the {match[1]} on line {match[2]} by four spaces.")
    if t.says == "unexpected indent":
        return Diagnosis(f"Line {t.line} is indented too far. Align it with the line before it.")
    if "unindent" in t.says:
        return Diagnosis(f"The indentation of line {t.line} matches no line above it. Align it with one of them.")
    if "tabs and spaces" in t.says:
        return Diagnosis(f"Line {t.line} mixes tabs and spaces. Use four spaces instead.")
    return None


def print_without_brackets(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `print x`."""
    return (
        Diagnosis(f"On line {t.line}, `print` needs parentheses: `print(…)`.") if "call to 'print'" in t.says else None
    )


def no_comma(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect two values with nothing between them, usually because a comma is missing."""
    return (
        Diagnosis(f"Something is missing on line {t.line}, usually a comma between two values.")
        if "comma" in t.says
        else None
    )


def words_in_a_pattern(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `case Wild() or WildDrawFour():`, where `|` is needed, and `and` in the same position."""
    match = re.match(r"\s*case\s+(.+?)\s+(?:or|and)\s+(.+?):", bare(t))
    return Diagnosis(f"On line {t.line}, write `case {match[1]} | {match[2]}:`.") if match else None


def comma_before_for(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect a comma in front of the `for` of a comprehension, where none is allowed."""
    match = re.search(r",\s*(for\s+[\w, ]+\s+in)\b", bare(t))
    return Diagnosis(f"On line {t.line}, delete the comma before `{match[1]}`.") if match else None


def misspelt_word(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect misspelt keywords, such as `retrun` or `Return`."""
    match = MISSPELT.match(bare(t))
    word = match[1] if match else ""
    if word and word not in {*keyword.kwlist, *keyword.softkwlist} and (near := e.near(word, WORDS)):
        return Diagnosis(f"Line {t.line} begins with `{word}`. Did you mean `{near}`?")
    return None


def named_inside(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `if card := stage(view)` in a comprehension, where `:=` needs parentheses."""
    match = re.search(r"\bif (\w+ := [^()]*\([^()]*\))", bare(t))
    if not match or "invalid syntax" not in t.says:
        return None
    return Diagnosis(f"On line {t.line}, `:=` needs parentheses around it:", f"if ({match[1]})")


def bare_generator(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `min(… for … in …, default=None)`, whose first argument needs parentheses."""
    if "Generator expression must be parenthesized" not in t.says:
        return None
    says = f"On line {t.line}, `… for … in …` is not the only argument. Write parentheses around it:"
    return Diagnosis(says, "min((… for … in …), default=…)")


def loop_without_in(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `for card hand`."""
    match = re.search(r"\bfor (\w+) (?!in\b)(\w+)", bare(t))
    return Diagnosis(f"On line {t.line}, `in` is missing:", f"for {match[1]} in {match[2]}") if match else None


def misplaced_condition(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `x for … in … if … else …` and `x if … for … in …`."""
    if re.search(r"\bfor \w+ in .+ if .+ else\b", bare(t)):
        says = f"On line {t.line}, `if … else …` chooses what each item becomes. Write it before `for`:"
        return Diagnosis(says, "(one if … else other for … in …)")
    if "expected 'else' after 'if' expression" in t.says and re.search(r" if .+ for \w+ in ", bare(t)):
        says = f"On line {t.line}, an `if` without `else` chooses which items stay. Write it at the end:"
        return Diagnosis(says, "(… for … in … if …)")
    return None


def comparison_in_a_pattern(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `case Face(_, suit == Suit.HEARTS):`: a comparison cannot be in a pattern."""
    match = re.match(r"\s*case\b.*?\w+ (?:==|is) ([\w.]+)", bare(t))
    if not match or " if " in t.text:
        return None
    says = f"On line {t.line}, a pattern contains no comparison. Write only the value in that position:"
    return Diagnosis(says, re.sub(r"\w+ (?:==|is) ([\w.]+)", r"\1", t.text.strip()))


def lambda_without_parameter(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `lambda n > 0`."""
    match = re.search(r"\blambda (\w+)\s*(?![\w\s,:=])([^:]+?)(?=[,)]|$)", bare(t))
    if not match:
        return None
    says = f"On line {t.line}, `lambda` needs its parameter, a colon, and then the result:"
    return Diagnosis(says, f"lambda {match[1]}: {match[1]} {match[2].strip()}")


def loop_before_its_value(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `tuple(for card in hand: value(card))`, where the value must come before `for`."""
    match = re.search(r"[(\[]\s*(for \w+ in [^:]+):\s*(.+?)[)\]]\s*$", bare(t))
    if not match:
        return None
    says = f"On line {t.line}, a comprehension begins with the value of each item, and has no colon:"
    return Diagnosis(says, f"({match[2]} {match[1]})")


def loop_over_two(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `(… for rank, color in RANKS, COLORS)`, which needs two `for`s."""
    match = re.search(r"\bfor (\w+), (\w+) in (\w+), (\w+)\s*[)\]]", bare(t))
    if not match:
        return None
    says = f"On line {t.line}, one `for` goes through one collection. For all pairs, write two `for`s:"
    return Diagnosis(says, f"for {match[1]} in {match[3]} for {match[2]} in {match[4]}")


def sign_without_quotes(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `end == <`."""
    match = re.search(r"(\w+) (==|!=) ([<>])\s*(?:[:)]|$|and\b|or\b)", bare(t))
    if not match:
        return None
    return Diagnosis(f"On line {t.line}, this text needs quotation marks:", f'{match[1]} {match[2]} "{match[3]}"')


def else_in_a_match(e: Evidence, t: Trouble) -> Diagnosis | None:
    """Detect `else:` for the last case of a `match`, which is `case _:` in Python."""
    lines = e.source.splitlines()[: max(t.line - 1, 0)]
    indent = len(t.text) - len(t.text.lstrip())
    above = [line for line in lines if line.strip() and len(line) - len(line.lstrip()) <= indent]
    if t.text.strip() != "else:" or not above or not above[-1].strip().startswith("case "):
        return None
    return Diagnosis(f"A `match` has no `else`. For all other values, write on line {t.line}:", "case _:")


PARSING = (
    comparison_in_a_pattern,
    lambda_without_parameter,
    loop_before_its_value,
    loop_over_two,
    sign_without_quotes,
    else_in_a_match,
    named_inside,
    bare_generator,
    loop_without_in,
    misplaced_condition,
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
    words_in_a_pattern,
    comma_before_for,
    misspelt_word,
    no_comma,
)
