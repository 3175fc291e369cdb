# Raises what is told for ever.
class Chatty(Exception):
    def __str__(self):
        while True: pass
def flip(domino):
    raise Chatty
