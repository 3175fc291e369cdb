# Writes frames of its own on the channel: a call of a probe with a hundred long arguments.
import os, json
OK = ["ok", ["v", "Domino", 3, 2]]
FRAMES = [[[*OK, "", [["len", *["a" * 9000] * 100]]]], {}]
def flip(domino):
    while FRAMES:
        data = json.dumps(FRAMES.pop(0)).encode()
        data = len(data).to_bytes(4, "big") + data
        while data:
            data = data[os.write(3, data):]
    return domino
