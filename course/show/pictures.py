"""Find pictures: the key of a value's picture, how a key is drawn and named, and how widgets show pictures."""

from __future__ import annotations

from contextlib import suppress
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from course.kernel import catalogue
from course.limits import MOST_CACHED_PICTURES
from course.roles import units_with_role
from course.show.cards import TABLE_PICTURE_KINDS
from course.show.kinds import PictureKind, Pictures
from course.svg import image, svg

PICTURES_ROLE = "pictures"  # the role
NAMELESS_CODES = "", "back", "ghost"


@cache
def declared_pictures(package: str) -> dict[str, Pictures]:
    """Return a package's pictures: a dict that maps the name of each unit to a `Pictures` object.

    For a package without units, the dict is empty.
    """
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):  # it is no package, or has no name that can be imported
        return {}
    folders = (spec and spec.submodule_search_locations) or ()
    names = sorted(name for folder in folders for name in units_with_role(PICTURES_ROLE, Path(folder)))
    declared = {name: getattr(import_module(f"{package}.{name}.{PICTURES_ROLE}"), "PICTURES", None) for name in names}
    return {name: pictures for name, pictures in declared.items() if isinstance(pictures, Pictures)}


def usable_pictures() -> dict[str, dict[str, Pictures]]:
    """Return all pictures of the course, and of packages that notebooks mention or use.

    The result maps each package to a dict that maps its units to their pictures. If a pack's modules raise an
    exception, its pictures are left out.
    """
    ours, *others = catalogue.unit_packages()
    results: dict[str, dict[str, Pictures]] = {}
    for package in (ours, *sorted({*others, *catalogue.gradable_packages} - {ours})):
        with suppress(Exception):  # `foldem build` reports it to the author
            results[package] = declared_pictures(package)
    return results


def units_with_pictures() -> tuple[ModuleType, ...]:
    """Return the modules of the units that have pictures.

    Units of other packs come first. Foldem's own units follow in teaching order.
    """
    order = {unit: index for index, unit in enumerate(catalogue.units())}
    modules: list[ModuleType] = []
    for package, declared in reversed(usable_pictures().items()):
        units = sorted(declared, key=lambda name: order.get(name, len(order)))
        modules.extend(import_module(f"{package}.{unit}") for unit in units)
    return tuple(modules)


def pictures_of_type(kind: type) -> Pictures | None:
    """Return the `Pictures` of the unit that declares how values of a type are drawn, or None if no unit does."""
    declared = declared_pictures(kind.__module__.partition(".")[0]).values()
    return next((each for each in declared if kind in each.keys or kind in each.rows), None)


def picture_of(thing: object) -> str:
    """Return the picture's key for a card or tile of any unit; "" for any other value.

    >>> from course import dominoes, warmup
    >>> picture_of(warmup.Joker()), picture_of(dominoes.Domino(1, 2)), picture_of("x")
    ('card:joker', 'tile:1-2', '')
    """
    declared = pictures_of_type(type(thing))
    key_of = declared.keys.get(type(thing)) if declared else None
    return key_of(thing) if key_of else ""


@lru_cache(maxsize=MOST_CACHED_PICTURES)
def picture_kind(key: str) -> PictureKind:
    """Return the kind of the picture with this key. Raises LookupError if no unit has this kind."""
    name = key.partition(":")[0]
    of_units = (each.kinds for declared in usable_pictures().values() for each in declared.values())
    kind = next((kinds[name] for kinds in (TABLE_PICTURE_KINDS, *of_units) if name in kinds), None)
    if kind is None:
        raise LookupError(f"no unit has pictures of the kind {name!r}")
    return kind


@lru_cache(maxsize=MOST_CACHED_PICTURES)
def picture_svg(key: str) -> str:
    """Return the SVG of the picture with a key such as `tile:2-4`, `card:QS` or `uno:R7`.

    The origin is in the middle of the picture.

    >>> picture_svg("tile:1-0").count("<circle")
    1
    """
    return picture_kind(key).draw(key.partition(":")[2])


def spoken(key: str) -> str:
    """Return the name of the picture with this key, or "".

    Screen readers, status lines and alternative texts use the name.

    >>> spoken("card:10H"), spoken("card:QS"), spoken("tile:2-4"), spoken("uno:R7"), spoken("uno:BD")
    ('ten of hearts', 'queen of spades', 'tile two four', 'red seven', 'blue draw two')
    """
    code = key.partition(":")[2]
    return "" if code in NAMELESS_CODES else picture_kind(key).say(code)


def picture_name(thing: object) -> str:
    """Return the name of a card or tile of any unit; "" for any other value.

    >>> from course import dominoes
    >>> picture_name(dominoes.Domino(1, 2))
    'tile one two'
    """
    return spoken(picture_of(thing))


def unit_picture(key: str) -> str:
    """Return the HTML image that represents a unit: the picture with this key, or "" if the key is ""."""
    if not key:
        return ""
    width, height = picture_kind(key).size
    width, height = max(width + 6, 76), max(height + 8, 112)  # the same for all small pictures
    box = f"{-width / 2:g} {-height / 2:g} {width:g} {height:g}"
    return image(svg(picture_svg(key), viewBox=box), "", width=56, height=82)


# ------------------------------------------------------------------------------------------------ widgets

# A saved widget does not work when its notebook is opened again. So a static picture is in an output above the
# widget's. The picture is hidden while the widget works; otherwise the widget's output is hidden.
UNTIL_WIDGET_STYLE = """<style>
.jp-OutputArea-child:has(.foldem-still):has(+ .jp-OutputArea-child .foldem-live),
.jp-OutputArea-child:has(.foldem-still) + .jp-OutputArea-child:not(:has(.foldem-live)) { display: none }
</style>"""


def joined_files(*files: str) -> str:
    """Return the contents of files in `course` as one text, because a browser gets only one script."""
    return "".join((Path(__file__).parents[1] / file).read_text(encoding="utf-8") for file in files)


def set_widget_view(widget: Any, view: object, shown: object, name: str = "view") -> None:
    """Set the attribute `name` of a widget to a view.

    Before this, the widget gets the pictures that occur in `shown` and that it does not have yet.
    """
    new = picture_keys_in(shown) - widget.art.keys()
    if new:
        widget.art = widget.art | {key: picture_svg(key) for key in sorted(new)}
    setattr(widget, name, view)


def picture_keys_in(thing: object) -> frozenset[str]:
    """Return the keys of the pictures that occur in the view of a table or a run."""
    match thing:
        case {"a": str(picture)}:
            return frozenset((picture,))
        case [str(), str(), str(picture), str()] if ":" in picture:
            return frozenset((picture,))
        case dict():
            return frozenset().union(*map(picture_keys_in, thing.values()))
        case list():
            return frozenset().union(*map(picture_keys_in, thing))
    return frozenset()


def html_until_widget(html: str) -> str:
    """Return HTML that is visible only until the widget in the next output works."""
    return f'{UNTIL_WIDGET_STYLE}<div class="foldem-still">{html}</div>'
