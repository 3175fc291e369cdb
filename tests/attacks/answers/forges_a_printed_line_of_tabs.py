# Writes frames of its own on the channel: a printed line of a million tabs.
import os, json
OK = ["ok", ["v", "Domino", 3, 2]]
FRAMES = [[[*OK, "\t" * 10**6, []]], {}]
def flip(domino):
    while FRAMES:
        data = json.dumps(FRAMES.pop(0)).encode()
        data = len(data).to_bytes(4, "big") + data
        while data:
            data = data[os.write(3, data):]
    return domino
