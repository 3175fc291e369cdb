# Loops for ever without an alarm.
import signal
def flip(domino):
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    while True: pass
