# Writes frames of its own on the channel: a fraction that takes hours to make, from a text of twelve characters.
import os, json
FRAMES = [[["ok", ["Fraction", "1e1000000000"]]], {}]
def flip(domino):
    while FRAMES:
        data = json.dumps(FRAMES.pop(0)).encode()
        data = len(data).to_bytes(4, "big") + data
        while data:
            data = data[os.write(3, data):]
    return domino
