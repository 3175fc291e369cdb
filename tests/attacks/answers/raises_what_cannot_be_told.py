# Raises what cannot be told.
class Mute(Exception):
    def __str__(self): raise KeyboardInterrupt
def flip(domino):
    raise Mute
