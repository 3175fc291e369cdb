"""A cluster: several machines that grade one class, through Dask's scheduler and workers."""

from autograder.errors import UserError


class ClusterError(UserError, ValueError):
    """Raised for a cluster that cannot be used. The message is one line."""


__all__ = ("client",)
