"""The sandbox in which answers run.

The module `host` is used outside it; only the package `inside` is mounted in it.
"""

__all__ = ("cage", "host", "inside", "sources")
