"""Axe in a page of the browser tests: what it finds that is serious, with contrast really looked at."""

from __future__ import annotations

import json
from typing import Any

from tests.npm import installed

# JupyterLab's body is 0 high, in which axe takes everything for hidden, and looks at no color.
AS_HIGH_AS_IT_LOOKS = "html, body { height: 100% !important }"
ALSO = {"rules": {"label-content-name-mismatch": {"enabled": True}}}


def axe_source() -> str:
    """Return the script of axe-core, which npm installs if it is not there yet."""
    return (installed("axe", "axe-core@4") / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def serious(page: Any, where: str) -> list[dict[str, Any]]:
    """Return what axe finds in a part of a page that is serious or critical; an error if it could judge no color."""
    if not page.evaluate("() => !!window.axe"):
        page.add_style_tag(content=AS_HIGH_AS_IT_LOOKS)
        page.add_script_tag(content=axe_source())
    page.evaluate("where => document.querySelector(where).scrollIntoView({block: 'center'})", where)
    found = page.evaluate("async ([where, also]) => await axe.run(where, also)", [where, ALSO])
    judged = [rule for kind in ("passes", "violations") for rule in found[kind] if rule["id"] == "color-contrast"]
    assert judged, f"no color was judged in {where}"
    return [each for each in found["violations"] if each["impact"] in ("serious", "critical")]


def assert_accessible(page: Any, where: str) -> None:
    """Fail with what axe finds in a part of a page."""
    found = serious(page, where)
    assert found == [], json.dumps(found, indent=1)[:3000]
