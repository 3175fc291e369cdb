"""Strokes of pictures, as SVG around the origin. All drawings are our own."""

from __future__ import annotations

from html import escape

INK, RED_INK, PAPER, EDGE = "#1c2530", "#b3202c", "#fffdf7", "#5b6470"
CARD_FONT = 'font-family="system-ui,Segoe UI,Helvetica,Arial,sans-serif" text-anchor="middle"'


def box(width: float, height: float, fill: str, edge: str = EDGE, corner: float = 6, more: str = "") -> str:
    """Return a rounded box around the origin."""
    attributes = f'x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}" rx="{corner:g}"'
    return f'<rect {attributes} fill="{fill}" stroke="{edge}" {more}/>'


def letters(text: str, x: float, y: float, size: float, fill: str = INK, more: str = "") -> str:
    """Return a text centered at a point."""
    attributes = f'x="{x:g}" y="{y + size * 0.35:.1f}" font-size="{size:g}" fill="{fill}"'
    return f'<text {attributes} font-weight="700" {CARD_FONT} {more}>{escape(text)}</text>'


def path(line: str, fill: str, more: str = "") -> str:
    """Return a filled path."""
    return f'<path d="{line}" fill="{fill}" {more}/>'


def at(x: float, y: float, inside: str, scale: float = 1, turn: float = 0) -> str:
    """Return a drawing moved, turned and scaled."""
    turned = f" rotate({turn:g})" if turn else ""
    scaled = f" scale({scale:g})" if scale != 1 else ""
    return f'<g transform="translate({x:g},{y:g}){turned}{scaled}">{inside}</g>'


def turned(inside: str) -> str:
    """Return a drawing upside down."""
    return f'<g transform="rotate(180)">{inside}</g>'
