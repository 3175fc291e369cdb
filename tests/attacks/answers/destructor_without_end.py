# Has objects whose destructors never end.
class Stays:
    def __del__(self):
        while True:
            pass
def flip(domino):
    Stays()
    return domino
