# Waits for a signal that never comes.
import signal
def flip(domino):
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.pause()
    signal.sigwait([signal.SIGUSR1])
    return domino
