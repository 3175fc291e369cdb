"""Messages over a file descriptor (four bytes of length, then the bytes), and the request for a new child."""

from __future__ import annotations

import os
import struct

ORDER = struct.Struct("=cI")  # the kind of the new child, and its seconds of CPU time


class Connection:
    """A file descriptor for complete messages.

    A channel uses only read and write, so no socket calls need to be allowed.
    """

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def send(self, *messages: bytes) -> None:
        """Send several messages with one write, so that the receiver wakes up once."""
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
