"""Diagnoses of syntax errors, and of patterns and conditions that do not mean what they seem to mean."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from unicodedata import normalize

from course.diagnoses.evidence import CORRECTION_WIDTH, Diagnosis, Evidence, SyntaxProblem, called_name, code
from course.diagnoses.kinds import captured_fields, kinds_of_expression
from course.form.reading import field_names, union_members

QUOTE_REPLACEMENTS = dict.fromkeys("“”„«»", '"') | dict.fromkeys("‘’‚", "'")
# patterns of what other languages have, each with its sign and what Python has instead
FOREIGN_OPERATORS = (
    ("=>", "=>", ">="),
    ("=<", "=<", "<="),
    ("=!", "=!", "!="),
    ("&&", "&&", "and"),
    (r"\|\|", "||", "or"),
    (r"!(?!=)\s*[\w(]", "!", "not"),
    ("else if", "else if", "elif"),
)
FIRST_WORD_PATTERN = re.compile(r"^\s*([A-Za-z]+)\b(?!\s*[=(.,\[:]\s*)")
KEYWORDS = ("def", "return", "while", "if", "elif", "else", "for", "match", "case", "lambda", "import", "from", "raise")
STRING_OR_COMMENT_PATTERN = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|#.*")


# ------------------------------------------------------------------------------------------------ syntax errors


def line_without_strings(syntax_problem: SyntaxProblem) -> str:
    """Return the line of a syntax error without its comment, and with all strings empty."""
    return STRING_OR_COMMENT_PATTERN.sub("''", syntax_problem.text)


@dataclass(frozen=True)
class SyntaxErrorDetector:
    """A detector of one kind of syntax error.

    `line` is a pattern for the result of `line_without_strings`, and `python` is a pattern for Python's message. The
    advice is a template. In the template, `t` is the syntax problem, and `match` is the match of `line`, or of `python`
    if `line` is empty.
    """

    advice: Diagnosis
    line: str = ""
    python: str = ""

    def __call__(self, e: Evidence, t: SyntaxProblem) -> Iterator[Diagnosis]:
        line, message = re.search(self.line, line_without_strings(t)), re.search(self.python, t.says)
        if line and message:
            match = line if self.line else message
            yield Diagnosis(self.advice.says.format(t=t, match=match), self.advice.example.format(t=t, match=match))


def comparison_in_a_pattern(e: Evidence, t: SyntaxProblem) -> Iterator[Diagnosis]:
    """Detect a comparison in a pattern, as in `case Face(_, suit == Suit.HEARTS):`, which Python does not allow."""
    match = re.match(r"\s*case\b.*?\w+ (?:==|is) ([\w.]+)", line_without_strings(t))
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
    quote = next((char for char in t.text if char in QUOTE_REPLACEMENTS), "")
    if quote and "character" in t.says:
        yield Diagnosis(
            f"Line {t.line} has the quotation mark {quote}. Python needs a plain one: `{QUOTE_REPLACEMENTS[quote]}`."
        )


def full_width_character(e: Evidence, t: SyntaxProblem) -> Iterator[Diagnosis]:
    """Detect a full-width bracket or comma, as typed on an East Asian keyboard."""
    wide = next(
        (
            char
            for char in line_without_strings(t)
            if normalize("NFKC", char) != char and normalize("NFKC", char).isascii()
        ),
        "",
    )
    if wide.strip() and "character" in t.says:
        yield Diagnosis(f"Line {t.line} has the full-width character {wide}. Python needs `{normalize('NFKC', wide)}`.")


def single_equals_in_comparison(e: Evidence, t: SyntaxProblem) -> Iterator[Diagnosis]:
    """Detect `=` in a comparison, also after `return`, where Python only says "invalid syntax"."""
    outside = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", line_without_strings(t)))
    is_returned = re.match(r"\s*return\b.*(?<![=!<>:])=(?!=)", outside)
    if is_returned or "Maybe you meant '=='" in t.says or "cannot assign to" in t.says:
        yield Diagnosis(f"On line {t.line}, a single `=` assigns a value. To compare two values, write `==`.")


def missing_colon(e: Evidence, t: SyntaxProblem) -> Iterator[Diagnosis]:
    """Detect a line that needs a colon at its end."""
    if t.says == "expected ':'":
        yield Diagnosis(f"Line {t.line} needs a colon at the end: `{t.text.strip()}:`.")


def misspelt_keyword(e: Evidence, t: SyntaxProblem) -> Iterator[Diagnosis]:
    """Detect misspelt keywords, such as `retrun` or `Return`."""
    match = FIRST_WORD_PATTERN.match(line_without_strings(t))
    word = match[1] if match else ""
    if word and word not in {*keyword.kwlist, *keyword.softkwlist} and (near := e.most_similar_name(word, KEYWORDS)):
        yield Diagnosis(f"Line {t.line} begins with `{word}`. Did you mean `{near}`?")


SYNTAX_DETECTORS: tuple[Callable[[Evidence, SyntaxProblem], Iterator[Diagnosis]], ...] = (
    SyntaxErrorDetector(
        Diagnosis(
            "Line {t.line} is not Python: a chat program writes lines with ``` before and after code. "
            "Delete both lines."
        ),
        r"^\s*`{3}",
    ),
    SyntaxErrorDetector(
        Diagnosis(
            "Line {t.line} is a conflict marker of git. Keep one version of the code, and delete the other "
            "version and the markers."
        ),
        r"^(?:<{7}|={7}|>{7})(?: |$)",
    ),
    SyntaxErrorDetector(
        Diagnosis("Line {t.line} begins with a line number. Delete the numbers that were copied with the code."),
        r"^\s*\d+[ :|]+(?:def|class|from|import|return|match|case|@)",
    ),
    SyntaxErrorDetector(
        Diagnosis(
            "Line {t.line} has a character that you cannot see. Type the spaces at the beginning of the line again."
        ),
        python=r"invalid non-printable character",
    ),
    comparison_in_a_pattern,
    SyntaxErrorDetector(
        Diagnosis(
            "On line {t.line}, write a parameter, a colon and the result after `lambda`:",
            "lambda {match[1]}: {match[1]} {match[2]}",
        ),
        r"\blambda (\w+)\s*(?![\w\s,:=])([^:]+?)\s*(?=[,)]|$)",
    ),
    SyntaxErrorDetector(
        Diagnosis(
            "On line {t.line}, begin the comprehension with the value of each item, and write no colon:",
            "({match[2]} {match[1]})",
        ),
        r"[(\[]\s*(for \w+ in [^:]+):\s*(.+?)[)\]]\s*$",
    ),
    SyntaxErrorDetector(
        Diagnosis(
            "On line {t.line}, one `for` can go through only one collection. For all pairs, write two `for`s:",
            "for {match[1]} in {match[3]} for {match[2]} in {match[4]}",
        ),
        r"\bfor (\w+), (\w+) in (\w+), (\w+)\s*[)\]]",
    ),
    SyntaxErrorDetector(
        Diagnosis("On line {t.line}, a string needs quotation marks. Write:", '{match[1]} {match[2]} "{match[3]}"'),
        r"(\w+) (==|!=) ([<>])\s*(?:[:)]|$|and\b|or\b)",
    ),
    else_in_a_match,
    SyntaxErrorDetector(
        Diagnosis("On line {t.line}, `:=` needs parentheses around it:", "if ({match[1]})"),
        r"\bif (\w+ := [^()]*\([^()]*\))",
        python="invalid syntax",
    ),
    SyntaxErrorDetector(
        Diagnosis(
            "On line {t.line}, `… for … in …` is not the only argument. Write parentheses around it:",
            "min((… for … in …), default=…)",
        ),
        python="Generator expression must be parenthesized",
    ),
    SyntaxErrorDetector(
        Diagnosis("On line {t.line}, `in` is missing:", "for {match[1]} in {match[2]}"),
        r"\bfor (\w+) (?!in\b)(\w+)",
    ),
    SyntaxErrorDetector(
        Diagnosis(
            "On line {t.line}, `if … else …` chooses what each item becomes. Write it before `for`:",
            "(one if … else other for … in …)",
        ),
        r"\bfor \w+ in .+ if .+ else\b",
    ),
    SyntaxErrorDetector(
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
        SyntaxErrorDetector(Diagnosis(f"Python has no `{foreign}`. On line {{t.line}}, write `{instead}`."), pattern)
        for pattern, foreign, instead in FOREIGN_OPERATORS
    ),
    SyntaxErrorDetector(
        Diagnosis("Python has no `{match[0]}`. On line {t.line}, write `{match[1]} {match[2][0]} 1`."),
        r"(\w+)\s*(\+\+|--)\s*($|\))",
    ),
    single_equals_in_comparison,
    missing_colon,
    SyntaxErrorDetector(
        Diagnosis("The `{match[1]}` on line {t.line} is never closed."),
        python=r"^'(.)' was never closed",
    ),
    SyntaxErrorDetector(
        Diagnosis(
            "On line {t.line}, `{match[1]}` has no opening bracket. Remove it, or add the opening bracket before it."
        ),
        python=r"^unmatched '(.)'",
    ),
    SyntaxErrorDetector(
        Diagnosis(
            "On line {t.line}, `{match[1]}` closes a `{match[2]}`. A closing bracket must be of the same kind as "
            "the opening one."
        ),
        python=r"^closing parenthesis '(.)' does not match opening parenthesis '(.)'",
    ),
    SyntaxErrorDetector(
        Diagnosis("The string that begins on line {t.line} has no closing quotation mark."),
        python="unterminated",
    ),
    SyntaxErrorDetector(
        Diagnosis("Indent the lines that belong to the {match[1]} on line {match[2]} by four spaces."),
        python=r"^expected an indented block after (.+) on line (\d+)",
    ),
    SyntaxErrorDetector(
        Diagnosis("Line {t.line} is indented too far. Align it with the line before it."),
        python="^unexpected indent$",
    ),
    SyntaxErrorDetector(
        Diagnosis("Line {t.line} is not aligned with any line above it. Align it with one of these lines."),
        python="unindent",
    ),
    SyntaxErrorDetector(
        Diagnosis("Line {t.line} mixes tabs and spaces. Use four spaces instead of a tab."),
        python="tabs and spaces",
    ),
    SyntaxErrorDetector(
        Diagnosis("On line {t.line}, `print` needs parentheses: `print(…)`."),
        python="call to 'print'",
    ),
    SyntaxErrorDetector(
        Diagnosis("On line {t.line}, write `case {match[1]} | {match[2]}:`."),
        r"^\s*case\s+(\S.*?)\s+(?:or|and)\s+(.+?):",
    ),
    SyntaxErrorDetector(
        Diagnosis("On line {t.line}, delete the comma before `{match[1]}`."),
        r",\s*(for\s[\w,\s]+\sin)\b",
    ),
    misspelt_keyword,
    SyntaxErrorDetector(
        Diagnosis("Something is missing on line {t.line}, usually a comma between two values."),
        python="comma",
    ),
)


ITERATOR_MAKERS = ("map", "filter", "zip", "reversed", "iter", "enumerate")


# ------------------------------------------------------------------------------------------------ patterns


def parameter_overwritten_by_pattern(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `case Crd(_, color)` where `color` is a parameter, which the pattern overwrites."""
    for case in e.all(ast.match_case):
        for name, kind in captured_fields(e, ast.walk(case.pattern)):
            if name not in e.parameters:
                continue
            given = e.requirements.policy.compare_with  # the unit may require a function for the comparison
            types = (each for each in given if union_members(kind) <= union_members(e.given.types.get(each)))
            function = given.get(next(types, ""), "")
            test = f"{function}(other_{name}, {name})" if function else f"other_{name} == {name}"
            # alternatives without the name become separate cases
            pattern = case.pattern
            choices = [*map(ast.unparse, pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern])]
            renamed = {choice: re.sub(rf"\b{name}\b", f"other_{name}", choice) for choice in choices}
            testing = " | ".join(new for old, new in renamed.items() if new != old)
            plain = " | ".join(old for old, new in renamed.items() if new == old)
            yield Diagnosis(
                f"On line {case.pattern.lineno}, the pattern does not compare with `{name}`: it assigns a new value to "
                f"`{name}`. Use another name, and compare:",
                f"case {testing} if {test}:" + (f"\ncase {plain}:" if plain else ""),
            )


def bare_name_in_pattern(e: Evidence) -> Iterator[Diagnosis]:
    """Detect patterns that consist only of a given name, and so match anything.

    The diagnosis shows how to write all lines with such a pattern.
    """
    classes = {name for name in e.given.names if isinstance(e.given.types.get(name), type)}
    given = classes | e.given.values.keys()
    bare = [node for node in e.all(ast.MatchAs) if node.pattern is None and node.name in given]
    if bare:
        says = f"On line {bare[0].lineno}, the pattern `{bare[0].name}` matches every value. To compare, write:"
        lines = dict.fromkeys(f"case {_corrected_pattern(node.name, node.lineno, e)}:" for node in bare)
        yield Diagnosis(says, "\n".join(lines))


def _corrected_pattern(name: str, line: int, e: Evidence) -> str:
    """Return the pattern on a line, with each bare name replaced by its probable meaning."""
    meant = _meant_pattern(name, e)
    patterns = [case.pattern for case in e.all(ast.match_case)]
    pattern = next((each for each in patterns if each.lineno <= line <= each.end_lineno), None)
    if pattern is None:
        return meant
    text = " ".join((ast.get_source_segment(e.source, pattern) or code(pattern, 80)).split())  # as it was written
    if " if " in meant:
        other = "other" if name != "other" else "value"
        return f"{re.sub(rf'(?<![.]){name}', other, text)} if {other} == {name}"
    bare = {node.name for node in ast.walk(pattern) if isinstance(node, ast.MatchAs) and node.name}
    for each in sorted(bare & ({*e.given.values, *e.given.types} | {name})):
        text = re.sub(rf"(?<![\w.]){each}\b(?![\w(.=])", _meant_pattern(each, e), text)
    return text


def _meant_pattern(name: str, e: Evidence) -> str:
    """Return the pattern for the probable meaning of a bare name."""
    kind = e.given.values.get(name)
    if isinstance(e.given.types.get(name), type):
        return f"{name}()"
    if kind is not None and hasattr(kind, name):
        return f"{kind.__name__}.{name}"
    return f"{kind.__name__}()" if kind is not None else f"value if value == {name}"


# ------------------------------------------------------------------------------------------------ conditions


def or_between_inequalities(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `tile != one or tile != other`, which is always true."""
    for node in e.all(ast.BoolOp):
        tests = [each for each in node.values if isinstance(each, ast.Compare)]
        same = {code(test.left) for test in tests}
        unequal = all(isinstance(test.ops[0], ast.NotEq | ast.IsNot) and len(test.ops) == 1 for test in tests)
        if isinstance(node.op, ast.Or) and tests == node.values and len(same) == 1 and unequal:
            yield Diagnosis(
                f"The `or` on line {node.lineno} is always true, because at least one of its sides is always "
                "true. If all sides must be true, write:",
                code(ast.BoolOp(ast.And(), node.values), CORRECTION_WIDTH),
            )


def operand_not_compared(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `suit == HEARTS or DIAMONDS`, which is always true."""
    for node in e.all(ast.BoolOp):
        word = "or" if isinstance(node.op, ast.Or) else "and"
        for first, bare in pairwise(node.values):
            match first:
                case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() | ast.Is() as op], comparators=[right]) if (
                    _is_constant(bare, e) and not _is_constant(left, e)
                ):
                    way = "not in" if isinstance(op, ast.NotEq) else "in"
                    yield Diagnosis(
                        f"On line {node.lineno}, `{code(bare)}` after `{word}` is not compared with anything. Write:",
                        f"{code(left)} {way} ({code(right)}, {code(bare)})",
                    )


def _is_constant(node: ast.expr, e: Evidence) -> bool:
    match node:
        case ast.Constant(value=value):
            return not isinstance(value, bool) and value is not None
        case ast.Name(id=name):
            return name in e.given.values or (name.isupper() and name in e.given.names - e.assigned_names)
        case ast.Attribute(value=ast.Name(id=name), attr=attr):
            return isinstance(e.given.types.get(name), type) and attr.isupper()
    return False


def string_compared_with_number(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `text[0] == left`, where `left` is a number."""
    captured = dict(captured_fields(e, e.nodes))

    def kind_of(node: ast.expr) -> object:
        return e.given.fields.get(node.attr) if isinstance(node, ast.Attribute) else captured.get(code(node))

    for node in e.all(ast.Compare):
        for one, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            match one, other:
                case ast.Subscript(value=text), ast.Name() | ast.Attribute():
                    if kind_of(text) is str and kind_of(other) is int and len(node.ops) == 1:
                        yield Diagnosis(
                            f"`{code(one)}` on line {node.lineno} is a string, which never equals the number"
                            f" `{code(other)}`. Convert it to a number:",
                            f"int({code(one)})",
                        )


def identity_instead_of_equality(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `is` between values that can be equal and still be different objects."""
    made_again = {"tuple", "list", "int", "str"} | {name for name, cls in e.given.types.items() if field_names(cls)}
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[right]):
                is_single = any(
                    code(side) in {"None", "True", "False", "..."} | {*e.given.values} for side in (left, right)
                )
                if not is_single and any(kinds_of_expression(e, side) & made_again for side in (left, right)):
                    sign, word = ("==", "is") if isinstance(op, ast.Is) else ("!=", "is not")
                    yield Diagnosis(
                        f"`{word}` on line {node.lineno} tests whether both sides are the same object. To compare "
                        "values, write:",
                        f"{code(left)} {sign} {code(right)}",
                    )


def exhausted_iterator(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an iterator that is used twice."""
    for node in e.all(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                isinstance(value, ast.GeneratorExp) or called_name(value) in ITERATOR_MAKERS
            ):
                reads = [n for n in e.all(ast.Name) if n.id == name and isinstance(n.ctx, ast.Load)]
                if len(reads) > 1 and not any(called_name(e.parents.get(n)) == "next" for n in reads):
                    yield Diagnosis(
                        f"`{name}` on line {node.lineno} produces its items only once, but line "
                        f"{reads[1].lineno} uses it again. Wrap it in `tuple(…)`."
                    )
