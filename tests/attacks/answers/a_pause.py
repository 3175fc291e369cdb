# Waits for a signal that never comes.
import signal
def flip(domino):
    signal.pause()
    signal.sigwait([signal.SIGUSR1])
    return domino
