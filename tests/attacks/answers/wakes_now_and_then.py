# Waits for a message that never comes, and works a little now and then.
import os, signal, time
def work(*_):
    until = time.process_time() + 0.3
    while time.process_time() < until: pass
def flip(domino):
    signal.signal(signal.SIGALRM, work)
    signal.setitimer(signal.ITIMER_PROF, 0)
    try:
        signal.setitimer(signal.ITIMER_REAL, 2, 2)
    except OSError:
        signal.alarm(2)
    while True:
        os.read(3, 1)
