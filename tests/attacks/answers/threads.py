# Starts threads that go on when the answer has come.
import threading
def flip(domino):
    def spin():
        while True:
            pass
    for _ in range(100):
        threading.Thread(target=spin).start()
