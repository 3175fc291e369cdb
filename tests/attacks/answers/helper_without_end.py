# Has a helper that never loads, and is needed by everything in the cell.
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
def flip(domino):
    return domino
