# Gives references objects that note each operation on them.
class Spy:
    def __init__(self, log): self.log = log
    def __getattr__(self, name):
        self.log.append(name)
        return Spy(self.log)
    def __eq__(self, other):
        self.log.append(("eq", str(other)))
        return False
    __hash__ = object.__hash__
def flip(domino):
    log = []
    for other in (legal_adds, append, take):
        try:
            other(Spy(log), Spy(log))
        except Exception as error:
            log.append(str(error))
    return str(log)
