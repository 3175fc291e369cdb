# Writes a frame of its own on the channel: an exception on the line `true`.
import os, json
NOTE = {"error": {"raised": "ValueError", "text": "x", "place": ["flip", True]}}
data = json.dumps(NOTE).encode()
_ = os.write(3, len(data).to_bytes(4, "big") + data)
_ = os._exit(0)
def flip(domino):
    return domino
