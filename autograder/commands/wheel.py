"""Make wheels of the installed Foldem, from its checkout or from its installed files."""

from __future__ import annotations

import csv
import hashlib
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOT_OURS = {"INSTALLER", "REQUESTED", "RECORD", "direct_url.json"}


def own_wheels(folder: Path) -> tuple[Path, ...]:
    """Make the wheels of `foldem` and `foldem-course` in a folder, and return their paths."""
    if (ROOT / "pyproject.toml").exists():
        return tuple(_built(root, folder.resolve()) for root in (ROOT, ROOT / "packages" / "course"))
    return tuple(_put_together(distribution(name), folder) for name in ("foldem", "foldem-course"))


def _built(root: Path, folder: Path) -> Path:
    from hatchling.builders.wheel import WheelBuilder  # here, since an installed Foldem does without

    return Path(next(iter(WheelBuilder(str(root)).build(directory=str(folder), versions=["standard"]))))


def _put_together(installed: Distribution, folder: Path) -> Path:
    path = folder / f"{installed.name.replace('-', '_')}-{installed.version}-py3-none-any.whl"
    contents = dict(_files(installed))
    record = next(name for name in contents if name.endswith(".dist-info/METADATA")).replace("METADATA", "RECORD")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in contents.items():
            wheel.writestr(name, data)
        wheel.writestr(record, _record(contents, record))
    return path


def _files(installed: Distribution) -> Iterator[tuple[str, bytes]]:
    for file in installed.files or ():
        if file.name not in NOT_OURS and ".." not in file.parts and "__pycache__" not in file.parts:
            yield str(file), Path(str(file.locate())).read_bytes()


def _record(contents: dict[str, bytes], own: str) -> str:
    text = StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for name, data in contents.items():
        digest = urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.writerow((name, f"sha256={digest}", len(data)))
    rows.writerow((own, "", ""))
    return text.getvalue()
