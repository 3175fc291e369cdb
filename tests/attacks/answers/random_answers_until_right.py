# Answers by chance, from the clock, so that another run might be lucky.
import random, time
def flip(domino):
    random.seed(time.time_ns())
    return Domino(random.randrange(7), random.randrange(7))
