# Breaks the encoder.
import course.exam.wire
def flip(domino):
    course.exam.wire.Wire.encode = lambda *_: ['no', {'such': 'tree'}]
    return domino
