# Loops for ever, whatever is raised.
def flip(domino):
    while True:
        try:
            while True: pass
        except BaseException: pass
