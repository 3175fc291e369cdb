"""The certificate: a picture of the functions that a learner has built in a unit, and links to what comes next."""

from __future__ import annotations

import time
from html import escape
from math import ceil

from course.exam.readable import printable
from course.kernel import catalogue
from course.kernel.workspace import Workspace
from course.learner.progress import GOOD, UnitProgress, address, load, space_for, units_here
from course.learner.progress import unit_progress as progress_of
from course.show.pictures import art, unit_picture_size
from course.show.results import SIGNS, Shown, prose
from course.svg import data_uri, image, svg, tag

NOTHING_YET = (
    "This picture will show your functions. A function appears in it as soon as the function passes its check."
)
SPAN, COLUMNS, ROW_PX, TOP, LEFT = 960, 3, 34, 210, 70
FELT, PAPER, GOLD = "#14442f", "#fffdf7", "#f0c75e"
SHEET_FONT = "system-ui,Segoe UI,Helvetica,Arial,sans-serif"
# Messengers don't show SVG, so the browser converts the picture to PNG, at twice its size.
AS_PNG = """const picture = this.closest('p').previousElementSibling.querySelector('img');
const sheet = Object.assign(document.createElement('canvas'), {width: 1920});
sheet.height = 1920 * picture.naturalHeight / picture.naturalWidth;
sheet.getContext('2d').drawImage(picture, 0, 0, sheet.width, sheet.height);
Object.assign(document.createElement('a'), {href: sheet.toDataURL('image/png'), download: '%s.png'}).click();"""
MONO = "ui-monospace,Menlo,Consolas,monospace"
WIDE_AS = 0.62  # the largest average width of a character, in units of the font size


def certificate(unit: str, name: str = "") -> Shown | None:
    """Show the functions that you have built in a unit as a picture, with your name if given, and what comes next."""
    space = space_for(unit)
    return None if space is None else shown_certificate(space, unit, printable(str(name)))


def shown_certificate(space: Workspace, unit: str, name: str = "") -> Shown:
    """Return the functions built in a unit, as text and as a picture that can be saved, with links."""
    part = progress_of(space, unit)
    if part.states and not part.done:
        return prose((NOTHING_YET,))
    count = f"{part.done} of {len(part.states)} functions"
    text = f"{part.title}: {count} built{f' by {name}' if name else ''}"
    days = [entry.checked for entry in load(space.folder, unit).values() if entry.state == GOOD]
    day = time.strftime("%Y-%m-%d", time.gmtime(max(days))) if days else ""
    picture = _picture(part, name, day)
    shown = image(picture, text, style=f"width:100%;max-width:{SPAN}px")
    save = f'<a download="{unit}.svg" href="{data_uri(picture)}">Save the picture</a>'
    save += f' <button style="font:inherit" onclick="{escape(AS_PNG % unit)}">Save it as PNG</button>'
    ways = [(f"Next exercise: {part.ahead}", address(part, part.ahead))] if part.ahead else []
    units = units_here(space)
    for following in units[units.index(unit) + 1 :][:1] if unit in units else ():
        stated = catalogue.statements(following)
        ways.append((f"Next unit: {stated.title}", stated.notebook))
    links = "".join(f' &ensp; <a href="{escape(where)}"><b>{escape(label)}</b></a>' for label, where in ways)
    plain_text = "\n".join([text, *(label for label, _ in ways)])
    return Shown(
        plain_text, f'<figure class="foldem-certificate" style="margin:0">{shown}</figure><p>{save}{links}</p>'
    )


def _picture(part: UnitProgress, learner: str, day: str) -> str:
    """Return the picture: the unit, the learner's name, and the name of each function."""
    rows = ceil(len(part.states) / COLUMNS)
    height = TOP + ROW_PX * rows + 50
    key = catalogue.statements(part.unit).picture
    emblem = ""
    if key:  # which is smaller if it is larger than a card
        wide, high = unit_picture_size(key)
        emblem = tag("g", art(key), transform=f"translate(125 105) scale({1.35 * min(76 / wide, 112 / high):g})")
    whose = " · ".join(filter(None, (learner, f"{part.done} of {len(part.states)} functions", day)))
    column = (SPAN - 2 * LEFT) / COLUMNS
    size, names = _size(19, max(map(len, part.states), default=0) + 3, column), list[str]()
    for index, (name, state) in enumerate(part.states.items()):
        look = {"font_family": MONO, "font_size": size, "fill": PAPER if state == GOOD else "#a9c5b8"}
        x, y = f"{LEFT + column * (index // rows):g}", TOP + 20 + ROW_PX * (index % rows)
        names.append(tag("text", f"{SIGNS[state]} {escape(name)}", x=x, y=y, **look))
    title = {
        "font_family": SHEET_FONT,
        "font_size": _size(42, len(part.title), SPAN - 255),
        "font_weight": 700,
        "fill": PAPER,
    }
    return svg(
        tag("rect", width=SPAN, height=height, rx=24, fill=FELT),
        tag("rect", x=12, y=12, width=SPAN - 24, height=height - 24, rx=16, fill="none", stroke=GOLD),
        emblem,
        tag("text", escape(part.title), x=215, y=95, **title),
        tag("text", escape(whose), x=215, y=135, font_family=SHEET_FONT, font_size=22, fill=GOLD),
        *names,
        viewBox=f"0 0 {SPAN} {height}",
        width=SPAN,
        height=height,
    )


def _size(most: float, characters: int, room: float) -> float:
    """Return the largest font size, up to `most`, at which a text of `characters` characters fits into `room`."""
    return round(min(most, room / (WIDE_AS * characters)), 1)
