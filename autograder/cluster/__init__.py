"""A cluster: several machines that grade one class, through Dask's scheduler and workers."""

from autograder.unusable import Unusable


class ClusterError(Unusable, ValueError):
    """Raised for a cluster that cannot be used. The message is one line."""


__all__ = ("client",)
