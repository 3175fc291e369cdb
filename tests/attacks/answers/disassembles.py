# Disassembles a reference, and prints it.
import dis, io, contextlib
def flip(domino):
    text = io.StringIO()
    dis.dis(legal_adds, file=text)
    raise ValueError(text.getvalue())
