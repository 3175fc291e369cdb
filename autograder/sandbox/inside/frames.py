"""Messages over a file descriptor, and placeholders for withheld modules. The zygote and the runners use this module.

A message is four bytes of length, then the bytes. A withheld module is sent only with exams that need it.
"""

from __future__ import annotations

import os
import struct
import sys
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import NoReturn

ORDER_FORMAT = struct.Struct("=cI")  # the kind of the new child, and its seconds of CPU time


class Connection:
    """A file descriptor over which complete messages are sent and received.

    A connection uses only the system calls `read` and `write`, so the sandbox can block all system calls for sockets.
    """

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def send(self, *messages: bytes) -> None:
        """Send several messages with one write, so that the receiver wakes up only once."""
        rest = memoryview(b"".join(part for data in messages for part in (len(data).to_bytes(4, "big"), data)))
        while rest:
            rest = rest[os.write(self.fd, rest) :]

    def receive(self) -> bytes:
        """Return the next message. Raises EOFError if the other end is closed."""
        return self._receive_exactly(int.from_bytes(self._receive_exactly(4), "big"))

    def _receive_exactly(self, count: int) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            part = os.read(self.fd, min(count - len(parts), 1 << 20))
            if not part:
                raise EOFError
            parts += part
        return bytes(parts)


class NameNotAvailable(NotImplementedError):
    """Raised when a learner's code uses a part of a withheld module."""


class WithheldModuleFinder:
    """An import finder that makes a module full of placeholders for each module that is not in the sandbox.

    For example, a learner's cell may import `check` or a table, which are not in the sandbox. The import of such a
    module does no harm as long as the cell does not use the module.
    """

    def __init__(self, there: list[str]) -> None:
        self.there = there

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of a withheld module.

        The spec says that the module is a package, because the module may contain other modules.
        """
        absent = "." in name and name.split(".")[0] in self.there and name not in self.there
        return ModuleSpec(name, self, is_package=True) if absent else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return None, so that Python itself makes the module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Make every public name of the module a placeholder."""
        module.__getattr__ = placeholder_class  # type: ignore[method-assign]


def placeholder_class(name: str) -> type:
    """Return a placeholder class with this name.

    Annotations and patterns can mention this class, but a call of it raises NameNotAvailable.
    """
    if name.startswith("_"):
        raise AttributeError(name)

    def __new__(cls: type, *_: object, **__: object) -> NoReturn:
        raise NameNotAvailable(f"{name} is not available in the exam of this exercise")

    return type(name, (), {"__new__": __new__})


def load_withheld_module(name: str, code: CodeType, user: ModuleType) -> None:
    """Load a withheld module from its code.

    The module `user` has placeholders for the names that the loaded module exports. Replace these placeholders by the
    real values.
    """
    module = ModuleType(name)
    package, _, last = name.rpartition(".")
    sys.modules[name] = module
    setattr(sys.modules[package], last, module)
    exec(code, vars(module))
    vars(user).update({export: getattr(module, export) for export in module.__all__ if export in vars(user)})
