"""Length-prefixed frames over a socket."""

from __future__ import annotations

import socket
import struct

HEADER = struct.Struct(">I")


class Connection:
    """A socket that carries whole messages."""

    def __init__(self, channel: socket.socket) -> None:
        self.channel = channel

    def send(self, data: bytes) -> None:
        """Send one message."""
        self.channel.sendall(HEADER.pack(len(data)) + data)

    def receive(self, most: int = 1 << 28) -> bytes | None:
        """Give the next message, None at the end; ValueError if it says that it is longer than `most`."""
        header = self._exactly(HEADER.size)
        if header is None:
            return None
        (length,) = HEADER.unpack(header)
        if length > most:
            raise ValueError(f"a message of {length} bytes")
        return self._exactly(length)

    def _exactly(self, count: int) -> bytes | None:
        parts = bytearray()
        while len(parts) < count:
            part = self.channel.recv(min(count - len(parts), 1 << 20))
            if not part:
                return None
            parts += part
        return bytes(parts)
