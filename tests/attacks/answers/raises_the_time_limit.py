# Switches its time limits off, and then computes for ever.
import signal, inside.runner
inside.runner.cpu_limit.__enter__ = lambda self: None
def flip(domino):
    signal.signal(signal.SIGPROF, signal.SIG_IGN)
    while True:
        pass
