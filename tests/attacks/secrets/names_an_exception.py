# Raises an exception whose class has the arguments in its name.
LOG = []


def is_sound(chain):
    LOG.append(repr(chain))
    raise type("|".join(LOG), (Exception,), {})("x")
