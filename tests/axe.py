"""Run axe in the pages of the browser tests: serious violations, and a check that contrast was really judged."""

from __future__ import annotations

from typing import Any

from tests.npm import installed

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
