"""Sets a second of the arena, one against one on one core, beside RLCard's Uno in the same run.

    python benchmarks/arena.py [--sets 4000] [--rounds 3] [--rlcard PYTHON]

The arena checks every card and measures every answer's time, as it always does. RLCard is measured twice: through
its environment with its random agents, as its documentation has it, and its bare game with random legal actions,
without any encoding of states, which is the least it can do. Where RLCard is not installed beside this Python, name
another Python that has it. Arena and RLCard take turns, and of each the best round counts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from course.arena.set import play_set
from course.arena.values import COLORS, WILD, WILD_DRAW_FOUR, Bot, Card, View, seeds_from
from solutions.bots import smart_player, stupid_player

RLCARD = """
import json, random, sys
from time import perf_counter
import rlcard
from rlcard.agents import RandomAgent
sets = int(sys.argv[1])

def environment():
    env = rlcard.make("uno", config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(2)])
    for _ in range(sets):
        env.run(is_training=False)

def bare():
    game, choose = rlcard.make("uno", config={"seed": 1}).game, random.Random(1).choice
    for _ in range(sets):
        game.init_game()
        while not game.is_over():
            game.step(choose(game.get_legal_actions()))

def rate(play):
    start = perf_counter()
    play()
    return sets / (perf_counter() - start)

print(json.dumps({"RLCard, environment": rate(environment), "RLCard, bare game": rate(bare)}))
"""


def goes(card: Card, view: View) -> bool:
    return card.color is view.color or card.value == view.top.value < WILD or card.value == WILD


def first_that_goes(view: View) -> Card:
    return next((card for card in view.hand if goes(card, view)), None) or next(
        card for card in view.hand if card.value == WILD_DRAW_FOUR
    )


def plays_if_it_goes(view: View) -> bool:
    return view.drawn is not None and (view.drawn.value == WILD_DRAW_FOUR or goes(view.drawn, view))


SIMPLE = Bot("simple", first_that_goes, plays_if_it_goes, lambda view: COLORS[view.roll % 4])
PAIRS = {
    "arena, simple bots": (SIMPLE, SIMPLE),
    "arena, StupidPlayer twice": (stupid_player, stupid_player),
    "arena, SmartPlayer and StupidPlayer": (smart_player, stupid_player),
}


def rate(sets: int, play: Callable[[int], object]) -> float:
    """Give how many sets a second `play(seed)` plays."""
    start = perf_counter()
    for seed in islice(seeds_from(1), sets):
        play(seed)
    return sets / (perf_counter() - start)


def rlcard_rates(python: str, sets: int) -> dict[str, float]:
    """Give RLCard's rates, measured by `python`; none where it has no RLCard."""
    done = subprocess.run([python, "-c", RLCARD, str(sets)], capture_output=True, text=True, env=os.environ)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else {}


def main() -> None:
    """Measure, print a table, and the ratio of the slowest of the simple pairs to RLCard."""
    parser = argparse.ArgumentParser(description="Sets a second of the arena and of RLCard's Uno")
    parser.add_argument("--sets", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rlcard", default=sys.executable, help="a Python that has rlcard")
    options = parser.parse_args()
    best: dict[str, float] = {}
    for _ in range(options.rounds):
        found = {name: rate(options.sets, partial(play_set, pair)) for name, pair in PAIRS.items()}
        found |= rlcard_rates(options.rlcard, options.sets)
        best |= {name: max(number, best.get(name, 0)) for name, number in found.items()}
    for name, number in best.items():
        print(f"{name:<38}{number:>8,.0f} sets/s")
    ours = min(best["arena, simple bots"], best["arena, StupidPlayer twice"])
    for name in (name for name in best if name.startswith("RLCard")):
        print(f"{'arena, simple bots, to ' + name:<45}{ours / best[name]:.1f} times")
    if not any(name.startswith("RLCard") for name in best):
        print(f"RLCard is not installed for {options.rlcard}: no comparison (--rlcard names another Python)")


if __name__ == "__main__":
    main()
