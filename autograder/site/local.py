"""Check that a site loads nothing from other servers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.config import ConfigError
from autograder.site.lite import APPS, PLUGIN, PYODIDE
from autograder.site.parts import LOCK

ELSEWHERE = re.compile(r"^\s*(\w+:)?//")
LOADS = re.compile(r"""<(?:script|link|img|iframe)[^>]*?(?:src|href)\s*=\s*["']?\s*((?:\w+:)?//[^"'\s>]+)""")


def demand_local(site: Path) -> None:
    """Raise ConfigError if a site loads something from elsewhere, or a file is missing."""
    if found := next(strangers(site), ""):
        raise ConfigError(f"site not written: it would not work by itself ({found})")


def strangers(site: Path) -> Iterator[str]:
    """Yield the addresses that a site would load from other servers, and its missing files."""
    for place in (site, *(site / app for app in APPS)):
        if (file := place / "jupyter-lite.json").is_file():
            told = json.loads(file.read_text(encoding="utf-8")).get("jupyter-config-data", {})
            yield from (
                f"{file.relative_to(site)}: {address}" for address in _addresses(told) if ELSEWHERE.match(address)
            )
    told = json.loads((site / "jupyter-lite.json").read_text(encoding="utf-8"))["jupyter-config-data"]
    yield from _of_kernel(site, told.get("litePluginSettings", {}).get(PLUGIN, {}))
    yield from _of_extensions(site, told)
    yield from _of_lock(site / PYODIDE)
    for page in site.rglob("*.html"):
        yield from (
            f"{page.relative_to(site)}: {address}" for address in LOADS.findall(page.read_text(encoding="utf-8"))
        )


def _addresses(told: object) -> Iterator[str]:
    match told:
        case str():
            yield told
        case dict():
            for value in told.values():
                yield from _addresses(value)
        case list():
            for value in told:
                yield from _addresses(value)


def _of_kernel(site: Path, told: dict[str, Any]) -> Iterator[str]:
    """Yield the kernel's settings that are left to a default, since the defaults are on other servers."""
    options = told.get("loadPyodideOptions", {})
    asked = {"pyodideUrl": told.get("pyodideUrl"), "lockFileURL": options.get("lockFileURL")}
    asked |= {f"pipliteUrls[{place}]": url for place, url in enumerate(told.get("pipliteUrls", ["nothing"]))}
    for name, url in asked.items():
        if not url or not (site / str(url).partition("?")[0]).is_file():
            yield f"{name} is {url or 'not set'}"
    if not told.get("disablePyPIFallback"):
        yield "it would load packages from PyPI"


def _of_extensions(site: Path, told: dict[str, Any]) -> Iterator[str]:
    for each in told.get("federated_extensions", []):
        if not (site / told["fullLabextensionsUrl"] / each["name"] / each["load"]).is_file():
            yield f"the extension {each['name']} is missing"


def _of_lock(pyodide: Path) -> Iterator[str]:
    packages = json.loads((pyodide / LOCK).read_text(encoding="utf-8"))["packages"]
    for package in packages.values():
        if not (pyodide / package["file_name"]).is_file():
            yield f"{package['file_name']} is missing"
