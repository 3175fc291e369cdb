"""Python code as highlighted HTML, in colors that can be read in light and dark themes.

JupyterLab's and nbgrader's pages define the colors of the editor. On other pages, the colors are readable defaults.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from itertools import groupby

# In a page without JupyterLab's variables, `light-dark` follows the page's color scheme.
INKS = {
    "Token.Keyword": "var(--jp-mirror-editor-keyword-color,light-dark(#00712b,#7ee2a0))",
    "Token.Operator.Word": "var(--jp-mirror-editor-keyword-color,light-dark(#00712b,#7ee2a0))",
    "Token.Literal.String": "var(--jp-mirror-editor-string-color,light-dark(#a31f2b,#ff9aa2))",
    "Token.Literal.Number": "var(--jp-mirror-editor-number-color,light-dark(#00712b,#7ee2a0))",
    "Token.Comment": "var(--jp-mirror-editor-comment-color,light-dark(#3f6a6a,#9fc7c7))",
}
BLANK_LINES = re.compile(r"^[^\S\n]+$", re.MULTILINE)
HANGING = 4  # letters by which the rest of a wrapped line is indented further than its beginning


def colored_parts(parts: Sequence[str]) -> list[str]:
    """Return the parts of one piece of Python code as highlighted HTML, each on its own; no color goes beyond its line.

    >>> [part.count("<span") for part in colored_parts(["f('a", "b')"])]
    [1, 1]
    """
    try:
        from pygments.lexers import PythonLexer  # imported here, because few cells need it
    except ImportError:  # the page of shared games has only Python's library and toolz
        return [*map(escape, parts)]
    # Pygments takes minutes for thousands of lines of blanks. Empty lines instead have the same colors.
    even = BLANK_LINES.sub(lambda line: "\n" * len(line[0]), "".join(parts))
    every, results = list[str](), list[str]()
    # Without `get_tokens`, which would change line ends: there must be as many letters as in the source.
    for _, kind, text in PythonLexer(ensurenl=False, stripnl=False).get_tokens_unprocessed(even):
        hue = next((hue for begin, hue in INKS.items() if str(kind).startswith(begin)), "")
        every += [hue] * len(text)
    hues = iter(every)
    for part in parts:
        letters, spans = [(letter, next(hues, "")) for letter in part], list[str]()
        for (hue, is_end), run in groupby(letters, key=lambda pair: (pair[1], pair[0] == "\n")):
            text = escape("".join(letter for letter, _ in run))
            spans.append(f'<span style="color:{hue}">{text}</span>' if hue and not is_end else text)
        results.append("".join(spans))
    return results


def wrapped(source: str) -> str:
    """Return code as highlighted HTML for a `pre` that wraps: a wrapped line keeps its indent.

    >>> wrapped("if a:\\n  b").count("padding-left:6ch")
    1
    """
    parts = []
    for line, html in zip(source.split("\n"), colored_parts([source])[0].split("\n"), strict=True):
        indent = len(line) - len(line.lstrip()) + HANGING
        parts.append(f'<span style="display:block;padding-left:{indent}ch;text-indent:-{indent}ch">{html}\n</span>')
    return "".join(parts)
