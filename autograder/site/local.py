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


def ensure_local(site: Path) -> None:
    """Raise ConfigError if a site loads something from another server, or if a file is missing."""
    if match := next(strangers(site), ""):
        raise ConfigError(f"site not written: it would not work by itself ({match})")


def strangers(site: Path) -> Iterator[str]:
    """Yield the addresses that a site would load from other servers, and its missing files."""
    for folder in (site, *(site / app for app in APPS)):
        if (file := folder / "jupyter-lite.json").is_file():
            data = json.loads(file.read_text(encoding="utf-8")).get("jupyter-config-data", {})
            yield from (
                f"{file.relative_to(site)}: {address}" for address in _addresses(data) if ELSEWHERE.match(address)
            )
    data = json.loads((site / "jupyter-lite.json").read_text(encoding="utf-8"))["jupyter-config-data"]
    yield from _of_kernel(site, data.get("litePluginSettings", {}).get(PLUGIN, {}))
    yield from _of_extensions(site, data)
    yield from _of_lock(site / PYODIDE)
    for page in site.rglob("*.html"):
        yield from (
            f"{page.relative_to(site)}: {address}" for address in LOADS.findall(page.read_text(encoding="utf-8"))
        )


def _addresses(data: object) -> Iterator[str]:
    match data:
        case str():
            yield data
        case dict():
            for value in data.values():
                yield from _addresses(value)
        case list():
            for value in data:
                yield from _addresses(value)


def _of_kernel(site: Path, settings: dict[str, Any]) -> Iterator[str]:
    """Yield the kernel's settings that a site does not set. Their default values are addresses on other servers."""
    options = settings.get("loadPyodideOptions", {})
    requested = {"pyodideUrl": settings.get("pyodideUrl"), "lockFileURL": options.get("lockFileURL")}
    requested |= {f"pipliteUrls[{index}]": url for index, url in enumerate(settings.get("pipliteUrls", ["nothing"]))}
    for name, url in requested.items():
        if not url or not (site / str(url).partition("?")[0]).is_file():
            yield f"{name} is {url or 'not set'}"
    if not settings.get("disablePyPIFallback"):
        yield "it would load packages from PyPI"


def _of_extensions(site: Path, data: dict[str, Any]) -> Iterator[str]:
    for each in data.get("federated_extensions", []):
        if not (site / data["fullLabextensionsUrl"] / each["name"] / each["load"]).is_file():
            yield f"the extension {each['name']} is missing"


def _of_lock(pyodide: Path) -> Iterator[str]:
    packages = json.loads((pyodide / LOCK).read_text(encoding="utf-8"))["packages"]
    for package in packages.values():
        if not (pyodide / package["file_name"]).is_file():
            yield f"{package['file_name']} is missing"
