# Loops for ever without an alarm.
import signal
def flip(domino):
    signal.setitimer(signal.ITIMER_PROF, 0)
    while True: pass
