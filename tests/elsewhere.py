"""Run `foldem` as on another system: `python -m tests.elsewhere darwin grade cs101`.

For `win32`, our own code first loses everything that only Unix has. Libraries keep it, because they were built for this
system. It is an error if our code opens a file without an encoding, since the default differs between systems.
"""

from __future__ import annotations

import builtins
import os
import shutil
import sys
import sysconfig
import warnings
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

from tests.without import MODULES, take_calls

OURS = ("autograder", "course", "solutions")
# Libraries that choose by the system when they are imported, and could not be what they are on Windows.
CHOOSE_AT_ONCE = (
    *("asyncio", "filelock", "multiprocessing.connection"),
    *("nbgrader.apps", "rich.console", "send2trash"),
)
ELSEWHERE = ("getuid", "getgid", "geteuid", "chown", "statvfs", "uname")  # what the standard library here does without
import_as_ever, which_as_ever = builtins.__import__, shutil.which


def import_without_unix(name: str, globals: Any = None, *more: Any, **named: Any) -> ModuleType:
    """Import a module, but raise an error if our code imports one that Windows lacks."""
    if name in MODULES and (globals or {}).get("__name__", "").split(".")[0] in OURS:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return import_as_ever(name, globals, *more, **named)


def pretend(system: str) -> None:
    """Make this process seem to run on another system, for our own code."""
    warnings.filterwarnings("ignore", category=EncodingWarning)
    warnings.filterwarnings("error", category=EncodingWarning, module=rf"({'|'.join(OURS)})\b")
    sysconfig.get_config_vars()  # which are looked up once, in a file named after the system
    if system == "win32":
        for name in ("autograder.cli", *CHOOSE_AT_ONCE):
            import_module(name)
        builtins.__import__ = import_without_unix
        take_calls()
        for name in ELSEWHERE:
            vars(os).pop(name)
        os.O_NONBLOCK = 0  # type: ignore[misc]  # the locks here are those of Unix

    if system == "darwin":  # modules that call macOS itself: of Python's own, for proxies, and of Jupyter's
        sys.modules["_scproxy"] = SimpleNamespace(_get_proxy_settings=dict, _get_proxies=dict)  # type: ignore[assignment]
        sys.modules["send2trash"] = SimpleNamespace(send2trash=os.remove)  # type: ignore[assignment]

    def which(*words: Any, **named: Any) -> Any:
        with patch.object(sys, "platform", "linux"):
            return which_as_ever(*words, **named)

    shutil.which, sys.platform = which, system


def main(system: str, words: Sequence[str]) -> None:
    pretend(system)
    from autograder.cli import main as foldem

    sys.argv = ["foldem", *words]
    foldem()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
