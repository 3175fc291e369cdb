"""The sandbox that answers run in: `host` is outside of it; only the package `inside` is mounted into it."""

__all__ = ("cage", "host", "imports", "inside", "mounts", "outcomes")
