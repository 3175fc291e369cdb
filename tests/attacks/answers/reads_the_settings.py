# Opens the course's settings, for the seed of the exam.
def flip(domino):
    for path in ("foldem.toml", "../foldem.toml", "../../foldem.toml", "@COURSE@/foldem.toml"):
        try:
            return open(path).read()
        except OSError as error:
            last = error
    raise last
