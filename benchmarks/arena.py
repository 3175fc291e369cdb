"""Measure the arena's sets per second, one against one on one core, compared with RLCard's Uno in the same run.

    python benchmarks/arena.py [--sets 4000] [--rounds 3] [--rlcard PYTHON]

The arena checks every card, as always. RLCard is measured twice: through its
environment with random agents, as in its documentation, and as its bare game with random legal actions, without any
encoding of states. If RLCard is not installed for this Python, name another Python that has it. Arena and RLCard take
turns. For each, the best round counts, in seconds of CPU time.

Bots take a part of the time of a set, which the last column shows. The simple bots play the first card that fits, which
takes no longer than a random choice among legal actions. The others are lessons, written to be read.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from math import inf
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from course.arena.arena import drive, seeds_from
from course.arena.set import Question, play_set, set_steps
from course.arena.values import COLORS, WILD, WILD_DRAW_FOUR, Bot, Card, View
from solutions.bots import smart_player, stupid_player

RLCARD = """
import json, random, sys
from time import process_time
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
    start = process_time()
    play()
    return sets / (process_time() - start)

print(json.dumps({"RLCard, environment": rate(environment), "RLCard, bare game": rate(bare)}))
"""


def first_that_goes(view: View) -> Card:
    """Return the first playable card of the hand; a wild draw four only if nothing else fits."""
    color, value = view.color, view.top.value
    for card in view.hand:
        if card.color is color or card.value == value < WILD or card.value == WILD:
            return card
    return next(card for card in view.hand if card.value == WILD_DRAW_FOUR)


def plays_if_it_goes(view: View) -> bool:
    """Return whether the drawn card may be played. No card of the hand can be played, so any wild may be played."""
    assert view.drawn is not None
    return view.drawn.color is view.color or view.drawn.value == view.top.value or view.drawn.value >= WILD


SIMPLE = Bot("simple", first_that_goes, plays_if_it_goes, lambda view: COLORS[view.roll % 4])
PAIRS = {
    "arena, simple bots": (SIMPLE, SIMPLE),
    "arena, StupidPlayer twice": (stupid_player, stupid_player),
    "arena, SmartPlayer and StupidPlayer": (smart_player, stupid_player),
}


def rate(sets: int, play: Callable[[int], object]) -> float:
    """Return how many sets per second `play(seed)` plays."""
    start = process_time()
    for seed in islice(seeds_from(1), sets):
        play(seed)
    return sets / (process_time() - start)


def choosing(pair: Sequence[Bot], sets: int = 500) -> float:
    """Return the seconds that the bots of a pair need for their answers in one set, without the game around them."""
    views: list[tuple[Callable[[View], object], View]] = []

    def answer(player: int, question: Question, view: View) -> object:
        views.append((getattr(pair[player], question), view))
        return views[-1][0](view)

    for seed in islice(seeds_from(1), sets):
        drive(set_steps(2, seed), answer)
    start = process_time()
    for function, view in views:
        function(view)
    return (process_time() - start) / sets


def rlcard_rates(python: str, sets: int) -> dict[str, float]:
    """Return RLCard's rates, measured by `python`; empty if it has no RLCard."""
    done = subprocess.run([python, "-c", RLCARD, str(sets)], capture_output=True, text=True, env=os.environ)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else {}


def line(name: str, rates: dict[str, float], shares: dict[str, float]) -> str:
    """Return a line of the table: a rate, and for the arena the ratio to RLCard, and the share of the bots."""
    text = f"{name:<38}{rates[name]:>8,.0f} sets/s"
    if name not in PAIRS:
        return text
    ratios = "".join(f", {rates[name] / rates[other]:.1f} times {other}" for other in rates if other not in PAIRS)
    return f"{text}{ratios}; choosing takes {shares[name]:.0%}"


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description="Sets a second of the arena and of RLCard's Uno")
    parser.add_argument("--sets", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rlcard", default=sys.executable, help="a Python that has rlcard")
    options = parser.parse_args()
    best: dict[str, float] = {}
    least = dict.fromkeys(PAIRS, inf)
    for _ in range(options.rounds):
        rates = {name: rate(options.sets, partial(play_set, pair)) for name, pair in PAIRS.items()}
        rates |= rlcard_rates(options.rlcard, options.sets)
        best |= {name: max(number, best.get(name, 0)) for name, number in rates.items()}
        least = {name: min(seconds, choosing(PAIRS[name])) for name, seconds in least.items()}
    shares = {name: seconds * best[name] for name, seconds in least.items()}
    for name in best:
        print(line(name, best, shares))
    if best.keys() == PAIRS.keys():
        print(f"RLCard is not installed for {options.rlcard}: no comparison (--rlcard names another Python)")


if __name__ == "__main__":
    main()
