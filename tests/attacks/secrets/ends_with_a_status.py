# Ends its process with a status that depends on the arguments.
import os


def is_sound(chain):
    os._exit(len(chain.dominoes) % 200 + 2 if hasattr(chain, "dominoes") else 3)
