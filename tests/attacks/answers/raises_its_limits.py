# Raises its own limits of time, memory and processes.
import resource
def flip(domino):
    for kind in range(16):
        try:
            resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        except (OSError, ValueError) as error:
            last = error
        else:
            return Domino(domino.right, domino.left)
    raise last
