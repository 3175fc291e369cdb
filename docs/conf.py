"""Sphinx's configuration for the documentation site, which `make docs` writes to build/docs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import reference  # noqa: E402

ROOT = HERE.parent
GENERATED = HERE / "generated"  # git ignores it
PAGES = ("SECURITY", "ARCHITECTURE", "CONTRIBUTING", "CHANGELOG")  # of the repository's first folder

project = "Foldem"
extensions = ["myst_parser", "sphinx.ext.githubpages"]  # the second one writes .nojekyll
myst_heading_anchors = 3
html_theme = "pydata_sphinx_theme"
html_title = "Foldem"
html_show_sphinx = False
html_theme_options = {"navbar_center": [], "show_prev_next": False, "secondary_sidebar_items": ["page-toc"]}
html_sidebars = {"**": ["globaltoc.html"]}
html_static_path, html_css_files = ["static"], ["current.css"]


def write_pages(_: Sphinx) -> None:
    """Write the pages that are made from code, or that are outside of this folder."""
    GENERATED.mkdir(exist_ok=True)
    for page in PAGES:
        text = (ROOT / f"{page}.md").read_text(encoding="utf-8").replace("](docs/", "](../")
        (GENERATED / f"{page.lower()}.md").write_text(with_links(text, ""), encoding="utf-8")
    typer = [
        sys.executable,
        "-m",
        "typer",
        reference.__file__,
        "utils",
        "docs",
        "--name",
        "foldem",
        "--title",
        "Commands",
    ]
    subprocess.run([*typer, "--output", str(GENERATED / "commands.md")], check=True, capture_output=True)
    for name, text in reference.pages().items():
        (GENERATED / f"{name}.md").write_text(text, encoding="utf-8")


def with_links(text: str, folder: str) -> str:
    """Return a page in which links to pages in the repository's root lead to their copies in `folder`."""
    for page in PAGES:
        text = text.replace(f"]({page}.md", f"]({folder}{page.lower()}.md")
    return re.sub(r"\[([^]]*)\]\((?:tests/)[^)]*\)", r"\1", text)  # a file that is no page


def with_file_names(text: str) -> str:
    """Return a page that names the file above each block for one; in the source it is an attribute of the block."""
    text = re.sub(r'^( *)(```\w+) file="([^"]*)" append$', r"\1Add to `\3`:\n\n\1\2", text, flags=re.M)
    return re.sub(r'^( *)(```\w+) file="([^"]*)"$', r"\1`\3`:\n\n\1\2", text, flags=re.M)


def relink(_: Sphinx, name: str, source: list[str]) -> None:
    """Let links that work in the repository work on the site as well, and name the files of blocks."""
    if not name.startswith("generated/"):
        source[0] = with_file_names(source[0])
        source[0] = with_links(source[0].replace("](../", "]("), "generated/" if "/" not in name else "../generated/")


def setup(app: Sphinx) -> None:
    """Connect this file to Sphinx."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", relink)
