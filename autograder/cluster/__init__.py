"""A cluster: many machines that grade one class, by Dask's own scheduler and workers."""


class ClusterError(ValueError):
    """A cluster that cannot be used; the message is one line."""


__all__ = ("staff",)
