"""Our JavaScript is linted, and type-checked from its JSDoc comments, by tools that npm installs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.npm import installed

pytestmark = pytest.mark.npm
ROOT = Path(__file__).parent.parent
RULES = Path(__file__).parent / "javascript"
SCRIPTS = sorted(
    str(file.relative_to(ROOT)) for room in ("course", "autograder") for file in (ROOT / room).rglob("*.*js")
)


def found_by(tool: str, *options: str, folder: Path = ROOT) -> str:
    programs = installed("javascript", "eslint@10", "typescript@7") / ".bin"
    done = subprocess.run([programs / tool, *options], cwd=folder, capture_output=True, text=True, timeout=120)
    return done.stdout + done.stderr


def test_eslint_finds_nothing() -> None:
    assert len(SCRIPTS) >= 7 and not found_by("eslint", "--config", str(RULES / "eslint.config.mjs"), *SCRIPTS)


def test_types_of_jsdoc_agree() -> None:
    assert not found_by("tsc", "--project", str(RULES))


STANDINS = """
const home = (path) => new URL(path, "https://uni.example/course/foldem.js");
const location = { search: process.argv[1] }, drawn = () => true;
const fetch = async (page) => console.log(page.pathname);
"""


@pytest.mark.parametrize(
    ("search", "shown"),
    [
        ("?path=1_dominoes.ipynb", "/course/texts/1_dominoes.ipynb.html\n"),
        ("?path=../../~eve/page", ""),
        ("?path=a/%2e%2e/%2e%2e/files/page", ""),
        ("", ""),
    ],
)
def test_address_can_name_only_a_text_of_the_site(search: str, shown: str) -> None:
    """A page from elsewhere on the server could run scripts in the site's page."""
    script = (ROOT / "autograder/site/foldem.js").read_text(encoding="utf-8")
    (show,) = re.findall(r"^async function showText.*?^}$", script, re.DOTALL | re.MULTILINE)
    command = ["node", "-e", f"{STANDINS}{show}\nshowText();", search]
    assert subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout == shown


OPTIONS = {"eslint": (), "tsc": ("--checkJs", "--noEmit", "--noImplicitAny", "--ignoreConfig")}


@pytest.mark.parametrize(
    ("tool", "script", "complaint"),
    [
        ("eslint", "const f = () => {\n" + "  f();\n" * 25 + "};\nf();\n", "max-lines-per-function"),
        ("eslint", "lost();\n", "no-undef"),
        ("tsc", "/** @param {number} a */\nfunction half(a) {\n  return a / 2;\n}\nhalf('x');\n", "TS2345"),
        ("tsc", "function half(a) {\n  return a / 2;\n}\nhalf(1);\n", "TS7006"),
    ],
)
def test_a_javascript_error_is_detected(tmp_path: Path, tool: str, script: str, complaint: str) -> None:
    shutil.copytree(RULES, tmp_path, dirs_exist_ok=True)
    (tmp_path / "fault.js").write_text(script)
    assert complaint in found_by(tool, *OPTIONS[tool], "fault.js", folder=tmp_path)
