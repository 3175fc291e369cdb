# Compares for ever inside a sort, which no signal handler between bytecodes interrupts for long.
class Slow:
    def __lt__(self, other): return True
def flip(domino):
    things = [Slow() for _ in range(10**5)]
    while True:
        things.sort()
