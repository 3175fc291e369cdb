"""The cage that answers run in: `host` outside it, and the package `inside`, which is all that is mounted into it."""

__all__ = ("cage", "host", "imports", "inside", "mounts", "told")
