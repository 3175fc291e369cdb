# Opens a neighbour's notebook.
def flip(domino):
    for path in ("@COURSE@/neighbour_a.ipynb", "../neighbour_a.ipynb", "neighbour_a.ipynb"):
        try:
            return open(path).read()
        except OSError as error:
            last = error
    raise last
