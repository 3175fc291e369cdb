"""Show a widget on its own page, with JupyterLab's colors and a model that calls Python, and run axe in such a page."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from course.show.pictures import picture_keys_in, picture_svg
from course.tables.table import GameTable
from course.tables.widget import TableWidget
from course.watch.viewer import Viewer
from course.watch.widget import RunWidget
from tests.npm import installed

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
    return {"art": {key: picture_svg(key) for key in picture_keys_in([view["items"], view.get("run")])}, "scene": view}


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
        return {"art": {key: picture_svg(key) for key in picture_keys_in(view)}, "view": view}

    def receive(message: dict[str, Any]) -> dict[str, Any]:
        viewer.receive(message["do"])
        return state()

    show_widget(page, RunWidget._esm, RunWidget._css, state(), receive)
    page.wait_for_selector(".foldem-run[data-at]")


# ------------------------------------------------------------------------------------------------ axe

# JupyterLab's body is 0 high, in which axe takes everything for hidden, and looks at no color.
AS_HIGH_AS_IT_LOOKS = "html, body { height: 100% !important }"
# What axe leaves to a person: the contrast of these. `tests/test_looks.py` computes it from the style sheets.
LEFT_TO_A_PERSON = {
    "imgNode": "text in a picture (SVG), as on a table or in a chart of the class",
    "shortTextContent": "a single character, as on a card or above a bar of a chart",
    "nonBmp": "a sign, such as ✓",
    "elmPartiallyObscured": "a card below the area that is clicked, or a cell at the edge of a table that scrolls",
    "elmPartiallyObscuring": "marked code that continues on the next line",
    "bgOverlap": "a card below another one",
}
RULES_LEFT = {"label-content-name-mismatch": "a button that shows an arrow and has words as its name"}
ALSO = {"rules": {"label-content-name-mismatch": {"enabled": True}}}


def axe_source() -> str:
    """Return the script of axe-core, which npm installs if it is not there yet."""
    return (installed("axe", "axe-core@4") / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def serious(page: Any, where: str) -> list[dict[str, Any]]:
    """Return the serious and critical violations in a part of a page. Fail if axe could judge no color."""
    if not page.evaluate("() => !!window.axe"):
        page.add_style_tag(content=AS_HIGH_AS_IT_LOOKS)
        page.add_script_tag(content=axe_source())
    page.evaluate("where => document.querySelector(where).scrollIntoView({block: 'start'})", where)
    found = page.evaluate("async ([where, also]) => await axe.run(where, also)", [where, ALSO])
    judged = [rule for kind in ("passes", "violations") for rule in found[kind] if rule["id"] == "color-contrast"]
    assert judged, f"no color was judged in {where}"
    return [each for each in found["violations"] if each["impact"] in ("serious", "critical")]


def open_questions(page: Any, where: str) -> set[str]:
    """Return violations in a part of a page, and what axe could not decide, except what `LEFT_TO_A_PERSON` explains."""
    violations = {each["id"] for each in serious(page, where)}
    results = page.evaluate("async ([where, also]) => (await axe.run(where, also)).incomplete", [where, ALSO])
    nodes = [(rule["id"], node) for rule in results for node in rule["nodes"]]
    reasons = {(rule, str((check["data"] or {}).get("messageKey"))) for rule, node in nodes for check in node["any"]}
    explained = {("color-contrast", key) for key in LEFT_TO_A_PERSON} | {(rule, "None") for rule in RULES_LEFT}
    return violations | {f"{rule}: {key}" for rule, key in reasons - explained}


def assert_page_accessible(page: Any) -> None:
    """Fail if axe finds anything in a page with open folds, or if it is wider than the window, at three widths."""
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    for scheme, width in (("light", 390), ("dark", 768), ("light", 1366)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        assert open_questions(page, "html") == set()
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
