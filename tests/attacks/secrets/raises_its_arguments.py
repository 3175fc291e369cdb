# Raises an exception with all arguments that it has seen so far.
LOG = []


def is_sound(chain):
    LOG.append(chain)
    raise ValueError(repr(LOG))
