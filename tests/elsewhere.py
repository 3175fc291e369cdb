"""Run `foldem` as on another system: `python -m tests.elsewhere darwin grade cs101`.

On `win32` what only Unix has is taken away first, as far as our own code goes: the libraries chose when they were made.
Whatever our code opens without saying its encoding is an error, since that is another one on each system.
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
    """Import a module, unless our code asks for one that Windows has not."""
    if name in MODULES and (globals or {}).get("__name__", "").split(".")[0] in OURS:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return import_as_ever(name, globals, *more, **named)


def pretend(system: str) -> None:
    """Have our own code find another system from now on."""
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
