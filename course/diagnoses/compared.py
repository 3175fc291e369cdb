"""Compare two texts: find where they differ, and choose which part of each to show if they are too long."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import accumulate

from course.limits import MOST_COMPARED_TOKENS

WORD_CHARACTER_PATTERN = re.compile(r"\w")
TOKEN_PATTERN = re.compile(r"\w+|\s+|[^\w\s]")
CUT_MARK = "…"
Span = tuple[int, int]


@dataclass(frozen=True)
class TextPiece:
    """A part of one of two compared texts. `differs` says whether the other text is different here."""

    text: str
    differs: bool = False


TextPieces = tuple[TextPiece, ...]


def joined_pieces(pieces: TextPieces) -> str:
    """Return the text of several pieces, joined."""
    return "".join(piece.text for piece in pieces)


@lru_cache(maxsize=256)  # cached, because a failure is shown in several places, and many students make the same mistake
def compare_texts(one: str, other: str, longest: int) -> tuple[TextPieces, TextPieces]:
    """Split each of two texts into pieces: some are in both texts, and the others differ.

    Each text is cut to `longest` characters around the first difference.

    >>> [piece.text for piece in compare_texts("Domino(2, 3)", "Domino(3, 3)", 80)[1] if piece.differs]
    ['3']
    >>> joined_pieces(compare_texts("abc " * 50 + "1", "abc " * 50 + "2", 12)[0])
    '… abc abc 1'
    """
    left, right = differing_spans(one, other)
    return _split_at_spans(one, left, longest), _split_at_spans(other, right, longest)


def as_one_piece(text: str, longest: int) -> TextPieces:
    """Return a text as one piece, cut at its end if it is too long."""
    return _split_at_spans(text, (), longest)


def differing_spans(one: str, other: str) -> tuple[list[Span], list[Span]]:
    """Return the parts of each text that differ from the other text; none if the texts have nothing in common."""
    words = TOKEN_PATTERN.findall(one), TOKEN_PATTERN.findall(other)
    if max(map(len, words)) > MOST_COMPARED_TOKENS:
        left, right = _differing_middle(one, other), _differing_middle(other, one)
    else:
        starts = [list(accumulate(map(len, texts), initial=0)) for texts in words]
        codes = SequenceMatcher(None, *words, autojunk=False).get_opcodes()
        unlike = [code for code in codes if code[0] != "equal"]
        left = _joined_spans(one, [(starts[0][begin], starts[0][end]) for _, begin, end, _, _ in unlike if begin < end])
        right = _joined_spans(
            other, [(starts[1][begin], starts[1][end]) for _, _, _, begin, end in unlike if begin < end]
        )
    is_all = [(0, len(one))] == left or [(0, len(other))] == right  # nothing in common, so nothing is marked
    return ([], []) if is_all else (left, right)


def _joined_spans(text: str, spans: list[Span]) -> list[Span]:
    """Return the spans of a text, with neighboring spans joined if there is no word between them.

    >>> _joined_spans("Face(KING, HEARTS)", [(0, 4), (5, 9), (11, 17)])
    [(0, 17)]
    """
    spans_joined: list[Span] = []
    for begin, end in spans:
        if spans_joined and not WORD_CHARACTER_PATTERN.search(text, spans_joined[-1][1], begin):
            begin = spans_joined.pop()[0]
        spans_joined.append((begin, end))
    return spans_joined


def _differing_middle(one: str, other: str) -> list[Span]:
    """Return the span of a text between the common beginning and the common end of both texts.

    >>> _differing_middle("aXXb", "aYb")
    [(1, 3)]
    """
    begin = _common_prefix_length(one, other)
    end = len(one) - _common_prefix_length(one[begin:][::-1], other[begin:][::-1])
    return [(begin, end)] if begin < end else []


def _common_prefix_length(one: str, other: str) -> int:
    """Return the length of the common beginning of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _split_at_spans(text: str, spans: Sequence[Span], longest: int) -> TextPieces:
    begin, end = _visible_span(text, spans, longest)
    inside = [(max(a, begin), min(b, end)) for a, b in spans if a < end and b > begin]
    pieces = [TextPiece(CUT_MARK)] if begin else []
    for a, b in inside:
        pieces += [TextPiece(text[begin:a]), TextPiece(text[a:b], True)]
        begin = b
    pieces += [TextPiece(text[begin:end]), TextPiece(CUT_MARK if end < len(text) else "")]
    return tuple(piece for piece in pieces if piece.text)


def _visible_span(text: str, spans: Sequence[Span], longest: int) -> Span:
    """Return the span of a text to show: all of it, or a part that starts a little before the difference."""
    if len(text) <= longest:
        return 0, len(text)
    first = spans[0][0] if spans else 0
    room = longest - 1
    if first + longest // 3 <= room:
        return 0, room
    begin = min(first - longest // 3, len(text) - room)
    word = TOKEN_PATTERN.match(text, begin)
    begin = min(word.end(), first) if word and begin < first else begin
    return begin, min(begin + room - 1, len(text))
