"""Show a widget on its own page, with JupyterLab's colors and a model that calls Python. JupyterLab would be slower."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from course.show.pictures import art
from course.show.widgets import pictures_in
from course.tables.table import GameTable
from course.tables.widget import TableWidget
from course.watch.viewer import RunWidget, Viewer

THEMES = Path(sys.prefix) / "share" / "jupyter" / "lab" / "themes" / "@jupyterlab"
SIZES = {"laptop": (1366, 768), "phone": (390, 844)}
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
)
SHELL = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>stage</title><style>{theme}
html, body {{ margin: 0; height: 100%; background: var(--jp-layout-color0); color: var(--jp-content-font-color1);
  font-family: var(--jp-content-font-family); }}
.shell {{ display: flex; flex-direction: column; height: 100%; }}
.chrome {{ flex: none; height: {chrome}px; background: var(--jp-layout-color2); }}
.jp-WindowedPanel-outer {{ flex: 1; overflow-y: auto; padding: 0 {side}px; }}
.jp-Cell {{ padding: 5px; }}
.jp-RenderedHTMLCommon {{ font-size: var(--jp-content-font-size1); }}
.jp-RenderedHTMLCommon a {{ color: var(--jp-content-link-color); text-decoration: none; }}
</style></head><body data-jp-theme-light="{light}"><div class="shell"><div class="chrome"></div>
<main class="jp-WindowedPanel-outer">
<div class="jp-Cell jp-OutputArea-output jp-RenderedHTMLCommon" id="out">{html}</div></main></div></body></html>"""
BRIDGE = """async ([source, state]) => {
  const listeners = {};
  const model = window.model = {
    get: (name) => state[name] ?? {},
    set: (name, value) => {
      const news = typeof name === "string" ? { [name]: value } : name;
      Object.assign(state, news);
      for (const name of Object.keys(news)) for (const act of listeners[`change:${name}`] ?? []) act();
    },
    on: (event, act) => (listeners[event] ??= []).push(act),
    off: () => {},
    save_changes: () => {},
    send: (message) => window.receive(message).then((news) => model.set(news)),
  };
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  (await import(url)).default.render({ model, el: document.getElementById("out") });
}"""


def open_stage(browser: Any, size: str = "laptop", theme: str = "light", html: str = "") -> Any:
    """Return a page of a size, in a theme, that looks like JupyterLab around an output with this HTML."""
    width, height = SIZES[size]
    page = browser.new_page()
    page.set_viewport_size({"width": width, "height": height})
    style = (THEMES / f"theme-{theme}-extension" / "index.css").read_text(encoding="utf-8")
    # What JupyterLab itself takes: menu, tabs, toolbar and status bar; and on the sides, closed sidebars and prompts.
    side = 85 if size == "laptop" else 53
    light = str(theme == "light").lower()
    page.set_content(SHELL.format(theme=style, chrome=125, side=side, light=light, html=html))
    return page


def show_widget(page: Any, source: str, style: str, state: dict[str, Any], receive: Callable[[Any], Any]) -> None:
    """Draw a widget on a stage. `receive` gets the widget's messages, and returns the changes of its model."""
    page.expose_function("receive", receive)
    page.add_style_tag(content=style)
    page.evaluate(BRIDGE, [source, state])


def state_of(table: GameTable[Any]) -> dict[str, Any]:
    """Return what a browser knows of a table: its view, and the pictures in it."""
    view = table.view()
    return {"art": {key: art(key) for key in pictures_in([view["items"], view.get("run")])}, "scene": view}


def show_table(page: Any, table: GameTable[Any]) -> None:
    """Draw a table on a stage, so that a test can play it."""

    def receive(message: dict[str, Any]) -> dict[str, Any]:
        table.receive(message["do"], message["rev"])
        return state_of(table)

    table.begin()
    show_widget(page, TableWidget._esm, TableWidget._css, state_of(table), receive)
    page.wait_for_selector(".foldem[data-revision]")
    page.emulate_media(reduced_motion="reduce")
    page.wait_for_timeout(100)  # the table has measured its room, and is drawn for it


def redraw(page: Any, table: GameTable[Any]) -> None:
    """Draw a table on its stage again, after moves that no click made."""
    page.evaluate("state => model.set(state)", state_of(table))


def show_run(page: Any, viewer: Viewer) -> None:
    """Draw a watched run on a stage. It reacts to keys."""

    def state() -> dict[str, Any]:
        view = viewer.view()
        return {"art": {key: art(key) for key in pictures_in(view)}, "view": view}

    def receive(message: dict[str, Any]) -> dict[str, Any]:
        viewer.receive(message["do"])
        return state()

    show_widget(page, RunWidget._esm, RunWidget._css, state(), receive)
    page.wait_for_selector(".foldem-run[data-at]")
