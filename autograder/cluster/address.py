"""Addresses of schedulers and workers, and which connections are safe for a secret."""

from __future__ import annotations

import ipaddress
import re

LOCAL, ENCRYPTED, IN_PROCESS = "local", "tls", "inproc://"
FORM = re.compile(r"(?P<protocol>tcp|tls)://(\[(?P<six>[0-9a-fA-F:]+)\]|(?P<host>[\w.-]+)):(?P<port>\d{1,5})")


def is_address(text: str) -> bool:
    """Return whether a text is the address of a scheduler, or `local`."""
    return text == LOCAL or FORM.fullmatch(text) is not None


def is_private(address: str) -> bool:
    """Return whether the connection to an address is encrypted or stays on this machine.

    >>> is_private("tls://grading.example:8786"), is_private("tcp://127.0.0.1:8786"), is_private("tcp://10.0.0.5:8786")
    (True, True, False)
    """
    match = FORM.fullmatch(address)
    if match is None:
        return address == LOCAL or address.startswith(IN_PROCESS)
    return match["protocol"] == ENCRYPTED or _is_here(match["six"] or match["host"])


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
