"""The sandbox in which answers run. `host` is outside it; only the package `inside` is mounted into it."""

__all__ = ("cage", "host", "inside", "outcomes", "sources")
