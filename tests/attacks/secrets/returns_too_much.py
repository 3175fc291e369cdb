# Returns a value whose size and depth depend on the argument.
LOG = []


def is_sound(chain):
    LOG.append(repr(chain))
    return [LOG * 50, {text: text for text in LOG}, tuple(LOG)]
