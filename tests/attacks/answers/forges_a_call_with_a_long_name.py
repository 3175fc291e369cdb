# Writes frames of its own on the channel: an exception inside of a function with a name of a million letters.
import os, json
OK = ["ok", ["v", "Domino", 3, 2]]
FRAMES = [[["raised", "ValueError", None]], {"0": {"story": {"raised": "ValueError", "text": "", "place": ["flip", 2], "inside": ["a" * 10**6, []]}}}]
def flip(domino):
    while FRAMES:
        data = json.dumps(FRAMES.pop(0)).encode()
        data = len(data).to_bytes(4, "big") + data
        while data:
            data = data[os.write(3, data):]
    return domino
