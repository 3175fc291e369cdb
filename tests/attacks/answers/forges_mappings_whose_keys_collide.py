# Writes frames of its own on the channel: mappings with colliding keys, which take minutes to make.
import os, json
KEYS = ["t", *(n * ((1 << 61) - 1) for n in range(1, 60_000))]
FRAMES = [[["ok", ["OrderedDict", KEYS, KEYS]]], {}, [["ok", ["Counter", KEYS]]], {}]
def flip(domino):
    while FRAMES:
        data = json.dumps(FRAMES.pop(0)).encode()
        data = len(data).to_bytes(4, "big") + data
        while data:
            data = data[os.write(3, data):]
    return domino
