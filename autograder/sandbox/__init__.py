"""The sandbox that answers run in: `host` outside of it, and the package `inside`, which alone is mounted into it."""

__all__ = ("cage", "host", "imports", "inside", "mounts", "told")
