"""How many four-player games of Uno the reference plays in a second on one core, with printing switched off.

Run `python benchmarks/uno.py [seconds]`; the status is 1 below the promised 200 games a second.
"""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent))

from course.uno import ten_players
from solutions.uno import game, naive

PROMISED = 200


def games_per_second(seconds: float = 3.0) -> float:
    """Give the games played per second of CPU time, measured for at least `seconds`."""
    players, start, played = ten_players(naive)[1:5], process_time(), 0
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        while process_time() - start < seconds:
            game(players)
            played += 1
    return played / (process_time() - start)


if __name__ == "__main__":
    rate = games_per_second(*map(float, sys.argv[1:2]))
    print(f"Uno, four naive players: {rate:.0f} games a second of CPU time (promised: {PROMISED})")
    sys.exit(rate < PROMISED)
