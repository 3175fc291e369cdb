# Pickles, marshals or copies a reference into what it gives.
import marshal
def flip(domino):
    return marshal.dumps(legal_adds.__code__).hex()
