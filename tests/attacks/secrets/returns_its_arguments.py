# Returns all arguments that it has seen so far.
LOG = []


def is_sound(chain):
    LOG.append(chain)
    return repr(LOG)
