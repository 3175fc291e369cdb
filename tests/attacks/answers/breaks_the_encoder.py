# Breaks the encoder.
import inside.wire
def flip(domino):
    inside.wire.Wire.encode = lambda *_: ['no', {'such': 'tree'}]
    return domino
