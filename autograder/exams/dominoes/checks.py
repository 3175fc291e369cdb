"""Dominoes: inputs, typed lines, and complete games."""

from __future__ import annotations

import builtins
import io
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from itertools import pairwise, product
from random import Random
from typing import TYPE_CHECKING

from autograder.exam.cases import Case, Check, Joint, Observation, by_seed, case
from course.dominoes import *
from course.dominoes.joint import (
    DECK,
    FOUR,
    SHUFFLES,
    TWINS,
    orders_of_four,
    orders_of_twins,
    traces_in_a_deck,
)
from course.effects import OutOfChance, scripted
from solutions.dominoes import flip, input_bot_move, legal_adds, make_dominoes, play, possible_dominoes

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Selector = Callable[..., object]
Rolls = tuple[int, ...]
NUMBERS = range(7)
TILES = tuple(Domino(left, right) for left in NUMBERS for right in NUMBERS)


def chain_of(*numbers: int) -> Chain:
    """Return a chain from numbers: `chain_of(3, 6, 5)` is the chain 3-6 6-5."""
    return Chain(numbers[0], " ".join(f"{a}-{b}" for a, b in pairwise(numbers)), numbers[-1])


def chain_between(left: int, right: int) -> Chain:
    """Return a chain of two or three tiles with these ends."""
    middle = tuple(number for number in (5, 2, 0, 4) if number not in (left, right))
    return chain_of(left, *middle[: 1 + (left == right)], right)


def with_tile_turned(index: int, chain: Chain) -> Chain:
    """Return a chain in whose text one tile is turned round, while its ends stay the same."""
    words = chain.text.split()
    words[index] = words[index][::-1]
    return Chain(chain.left, " ".join(words), chain.right)


def soundness_case(random: Random) -> Case:
    """Return a chain as a case. In about half of the cases, the chain is valid; otherwise an end or a tile is wrong."""
    numbers = random.choices(range(10), k=random.randint(2, 12))
    chain, other = chain_of(*numbers), random.randrange(10)
    damaged = (
        Chain(other, chain.text, chain.right),
        Chain(chain.left, chain.text, other),
        Chain(chain.right, chain.text, chain.left),
        with_tile_turned(random.randrange(len(numbers) - 1), chain),
    )
    return case(random.choice((*[chain] * 4, *damaged)))


CHAINS = tuple(chain_between(left, right) for left in NUMBERS for right in NUMBERS)


def tiles(text: str) -> Hand:
    """Return the tiles that a text such as `6-5 4-4` describes."""
    return tuple(Domino(int(word[0]), int(word[2])) for word in text.split())


def random_hand(random: Random, most: int, highest: int = 6, least: int = 0) -> Hand:
    """Return a hand of at least `least` and at most `most` different tiles, each turned one way or the other."""
    all_of_them = make_dominoes(highest)
    hand = random.sample(all_of_them, random.randint(least, min(most, len(all_of_them))))
    return tuple(random.choice((domino, flip(domino))) for domino in hand)


def random_chain(random: Random, highest: int) -> AnyChain:
    """Return a chain.

    Sometimes it is empty, and sometimes its text has other ends than its fields `left` and `right`.
    """
    left, right = random.randint(0, highest), random.randint(0, highest)
    disagreeing = Chain(left, chain_between((left + 2) % 7, (right + 3) % 7).text, right)
    kinds: tuple[AnyChain, ...] = (EMPTY, disagreeing, *[chain_between(left, right)] * 6)
    return random.choice(kinds)


def random_position(random: Random) -> tuple[AnyChain, Hand]:
    """Return a chain and a hand. Often a tile of the hand fits on the chain, and sometimes none does."""
    highest = random.randint(2, 6)
    return random_chain(random, highest), random_hand(random, random.choice((2, 3, 6)), highest)


PLAYERS: tuple[Player, ...] = Human(1), Bot(2), Bot(1), Human(4)


def input_move_case(random: Random) -> Case:
    """Return a call of `input_move`, with functions that choose a tile and an end deterministically.

    If there is no choice of a tile, its function is sometimes `never`, which fails when it is called.
    """
    chain, hand = random_position(random)
    several = len(possible_dominoes(hand, chain)) > 1
    select_domino = random.choice((first, second) if several else (first, second, never))
    return case(select_domino, random.choice((left_end, right_end)), chain, hand)


def needed_rolls(rolls: Rolls, chain: AnyChain, hand: Hand) -> Rolls:
    """Return only as many of the random numbers as a bot needs. If the bot asks for one more, OutOfChance is raised."""
    for count in range(len(rolls)):
        with suppress(OutOfChance):
            transcript(input_bot_move, chain, hand, chance=rolls[:count])
            return rolls[:count]
    return rolls


def rolls_for(chain: AnyChain, hand: Hand, random: Random) -> Rolls:
    """Return exactly as many random numbers as a bot needs.

    The numbers are so large that a wrong use of remainders shows.
    """
    return needed_rolls((random.randrange(10_000), random.randrange(10_000)), chain, hand)


def bot_case(random: Random) -> Case:
    chain, hand = random_position(random)
    return case(chain, hand, chance=rolls_for(chain, hand, random))


def tile_count_strategy() -> SearchStrategy[int]:
    from hypothesis import strategies as st

    return st.integers(0, 14)


def any_text_cases() -> SearchStrategy[Case]:
    from hypothesis import strategies as st

    return st.text(max_size=12).map(case)


INVALID_TILE_LINES = ("", "6", "00", "99", "66", "6-6", "foobar", "356", "<", "x>")
INVALID_END_LINES = ("", "<>", "left", "6", "> ", " <", "=")


def invalid_lines(random: Random, lines: Iterable[str], valid: Iterable[str]) -> tuple[str, ...]:
    """Return up to two of the `lines` that are not among the valid ones."""
    wrong = [line for line in lines if line not in valid]
    return tuple(random.sample(wrong, random.choice((0, 0, 1, 2))))


def typed_names_of(domino: Domino) -> tuple[str, str]:
    return f"{domino.left}{domino.right}", f"{domino.right}{domino.left}"


def typed_lines_for(chain: AnyChain, hand: Hand, random: Random) -> tuple[str, ...]:
    """Return the lines that a person types for a legal move. Sometimes invalid lines come first."""
    possible = possible_dominoes(hand, chain)
    if not possible:
        return ()
    domino, lines = random.choice(possible), tuple[str, ...]()
    if len(possible) > 1:
        others = (name for tile in hand for name in typed_names_of(tile))
        valid = tuple(name for tile in possible for name in typed_names_of(tile))
        name = random.choice(valid)
        almost = f" {name}", f"{name} ", " ".join(name), name.removeprefix("0")
        lines = (
            *invalid_lines(random, (*INVALID_TILE_LINES, *others, *almost), valid),
            random.choice(typed_names_of(domino)),
        )
    if len(legal_adds(domino, chain)) > 1:
        lines += (*invalid_lines(random, INVALID_END_LINES, "<>"), random.choice("<>"))
    return lines


def person_case(random: Random) -> Case:
    chain, hand = random_position(random)
    return case(chain, hand, typed=typed_lines_for(chain, hand, random))


def move_case(random: Random) -> Case:
    chain, hand = random_position(random)
    number, stock = random.randint(1, 4), random_hand(random, random.choice((1, 4, 8)))
    if random.random() < 0.5:
        return case(stock, chain, hand, Bot(number), chance=rolls_for(chain, hand, random))
    return case(stock, chain, hand, Human(number), typed=typed_lines_for(chain, hand, random))


class Typist(io.StringIO):
    """A simulated person who reads what a game prints, and types legal moves. The same seed gives the same moves."""

    def __init__(self, random: Random) -> None:
        super().__init__()
        self.random = random
        self.typed: tuple[str, ...] = ()
        self.waiting: tuple[str, ...] = ()

    def ask(self, _prompt: object = "") -> str:
        if not self.waiting:
            lines = self.getvalue().splitlines()
            hand = next(line for line in reversed(lines) if line.startswith("\thand : "))
            chain = next((line[22:] for line in reversed(lines) if line.startswith("\tchain :")), "")
            self.waiting = typed_lines_for(chain_of_text(chain), tiles(hand[8:]), self.random)
        line, self.waiting = self.waiting[0], self.waiting[1:]
        self.typed += (line,)
        return line


def chain_of_text(text: str) -> AnyChain:
    return Chain(int(text[0]), text, int(text[-1])) if text else EMPTY


@cache
def complete_game_case(highest: int, seats: str, seed: int) -> Case:
    """Return a complete game as a case, with the lines that simulated people type in it."""
    typist = Typist(Random(f"{highest} {seats} {seed}"))
    if "H" in seats and 2 <= len(seats) <= 4:
        with scripted((), seed, typist):
            builtins.input = typist.ask
            play(highest, seats)
    return case(highest, seats, typed=typist.typed, chance=seed)


def random_game_case(random: Random) -> Case:
    seats = "".join(random.choice("HBB") for _ in range(random.choice((2, 2, 3, 4))))
    return complete_game_case(random.choice((1, 2, 3, 3, 4, 4, 5, 6)), seats, random.randrange(10**6))


def shuffle_relation(case: Case, expected: Observation, got: Observation) -> str | None:
    if len(case.args) != 1:  # the example counts the orders of many shuffles
        return f"but the answer is {expected.value}"
    (items,) = case.args
    if type(got.value) is not tuple or Counter(map(repr, got.value)) != Counter(map(repr, items)):
        return "which is not a tuple of the same items in some order"
    if len(set(items)) > 11 and got.value in (items, items[::-1]):
        order = "the very order they were in" if got.value == items else "the order they were in, reversed"
        return f"which is {order}; by chance this would happen once in half a billion times"
    return None


def repeated_cases(items: tuple[int, ...]) -> tuple[Case, ...]:
    return tuple(case(items, chance=seed) for seed in range(1, SHUFFLES + 1))


class BrokenRule(Exception):
    """Raised if a transcript breaks a rule of the game."""


def demand(truth: object, rule: str) -> None:
    if not truth:
        raise BrokenRule(rule)


def count_tiles(dominoes: Iterable[Domino]) -> Counter[tuple[int, int]]:
    """Return the number of each tile. Tiles that are only turned round count as the same."""
    return Counter((min(d.left, d.right), max(d.left, d.right)) for d in dominoes)


def laid_tile(before: AnyChain, after: AnyChain) -> Domino | None:
    """Return the tile that was laid between two states of the chain, or None if the states are equal."""
    if after == before or not isinstance(after, Chain):
        demand(after == before, "the chain has lost its tiles")
        return None
    ends = {after.text[:3], after.text[-3:]}
    laid = [tile for end in sorted(ends) for tile in tiles(end) if after in legal_adds(tile, before)]
    old = before.text if isinstance(before, Chain) else ""
    demand(laid, f"the chain {after.text!r} does not come from laying one tile on {old!r}")
    return laid[0]


class ReplayedGame:
    """A game that is replayed from its transcript. `hands` are the players' hands, first read from its first lines.

    The stock has the tiles that the transcript has not shown yet.
    """

    def __init__(self, highest: int, seats: str, lines: list[str]) -> None:
        kind = {"H": "(human)", "B": "(bot)  "}
        self.labels = [f"Player {number} {kind[seat]}" for number, seat in enumerate(seats, 1)]
        shown = [line.partition(":\t") for line in lines[: len(seats)]]
        demand([head for head, _, _ in shown] == self.labels, "the first lines are not the players' states")
        self.hands = [count_tiles(tiles(text)) for _, _, text in shown]
        self.stock = count_tiles(make_dominoes(highest)) - sum(self.hands, Counter())
        every = sum(self.hands, Counter()) + self.stock
        demand(
            every == count_tiles(make_dominoes(highest)), "the hands hold a tile twice, or one that is not in the game"
        )
        size = 7 if len(seats) == 2 else 6
        demand(all(hand.total() == size for hand in self.hands) or not self.stock, "the size of a hand is wrong")
        self.unseen, self.passes, self.winner = [0] * len(seats), 0, ""
        self.chain: AnyChain = EMPTY

    def replay_turn(self, number: int, lines: list[str]) -> None:
        """Replay a turn from its lines: the player's label, the hand, the actions, and the chain."""
        seat = number % len(self.labels)
        demand(not self.winner and self.passes < len(self.labels), "the game goes on after its end")
        demand(lines[0] == f"{self.labels[seat]}:", f"turn {number + 1} is not that of player {seat + 1}")
        demand(len(lines) > 2 and lines[1].startswith("\thand : "), "a turn does not show the hand")
        demand(lines[-1].startswith("\tchain :              "), "a turn does not end with the chain")
        self.replace_hand(seat, count_tiles(tiles(lines[1][8:])))
        chain = chain_of_text(lines[-1][22:])
        tile = laid_tile(self.chain, chain)
        demand((tile is None) == ("\tNo possible move!" in lines), "a pass and its announcement do not go together")
        hand = self.hands[seat]
        if tile is None:
            could_lay = possible_dominoes(tuple(Domino(*kind) for kind in hand), self.chain)
            demand(not could_lay, f"player {seat + 1} passes, but could have laid a tile")
            self.unseen[seat] = min(2, self.stock.total() - sum(self.unseen))
            self.passes = 0 if self.unseen[seat] else self.passes + 1
        else:
            demand(not count_tiles((tile,)) - hand, f"player {seat + 1} lays {tile}, which is not in the hand")
            self.hands[seat] = hand - count_tiles((tile,))
            self.winner, self.passes = "" if self.hands[seat] else self.labels[seat].strip(), 0
        self.chain = chain

    def replace_hand(self, seat: int, hand: Counter[tuple[int, int]]) -> None:
        """Compare a hand in the transcript with the player's earlier hand: all new tiles must come from the stock."""
        drawn, lost = hand - self.hands[seat], self.hands[seat] - hand
        demand(not lost and drawn.total() == self.unseen[seat], f"the hand of player {seat + 1} has changed by itself")
        demand(not drawn - self.stock, f"player {seat + 1} has drawn a tile that is not in the stock")
        self.stock -= drawn
        self.hands[seat], self.unseen[seat] = hand, 0


def play_invariant(case: Case, expected: Observation, got: Observation) -> str | None:
    """Return why a transcript breaks the rules, or None if it does not.

    In another deal, the typed lines may not fit, so a game that runs out of lines is accepted.
    """
    if not case.args:
        return "play: an example of the statement gives something else"
    if got.fault:
        return f"play{case.args} {got.fault}"
    if expected.raised or got.raised:
        unsuited = bool(case.typed) and got.raised == "EOFError"
        fits = unsuited or expected.raised == got.raised
        return None if fits else f"play{case.args} raised {got.raised or 'nothing'}"
    try:
        highest, seats = case.args
        replay_transcript(highest, seats, got.printed.splitlines())
    except (BrokenRule, ValueError, IndexError) as error:
        return f"play{case.args}: {error}"
    return None


def replay_transcript(highest: int, seats: str, lines: list[str]) -> None:
    """Replay a complete transcript. Raises BrokenRule at the first line that breaks a rule."""
    demand(len(lines) > len(seats), "nothing is printed after the players' states")
    table, played = ReplayedGame(highest, seats, lines), lines[len(seats) : -1]
    starts = [number for number, line in enumerate(played) if line.startswith("Player ")]
    for number, (start, end) in enumerate(pairwise([*starts, len(played)])):
        table.replay_turn(number, played[start:end])
    over = f"{table.winner} wins!" if table.winner else "It's a draw!"
    demand(table.winner or table.passes == len(table.labels), "the game ends too early")
    demand(lines[-1] == over, f"the last line is {lines[-1]!r}, not {over!r}")


STRATEGIES = {
    "Domino": TILES,
    "AnyChain": (EMPTY, *CHAINS),
    "Hand": by_seed(lambda random: random_hand(random, 7)),
    "Stock": by_seed(lambda random: random_hand(random, 12)),
    "Player": tuple(kind(number) for number in range(1, 5) for kind in (Human, Bot)),
    "TileCount": tile_count_strategy,
    "Highest": tuple(range(10)),
    "Seats": tuple("".join(letters) for n in range(6) for letters in product("HB", repeat=n)),
    "HeadCount": tuple(range(-4, 15)),
}


def laying_cases(text: str, *chains: AnyChain) -> tuple[Case, ...]:
    """Return cases in which each tile of a text is laid on each of the chains."""
    return tuple(case(tile, chain) for tile in tiles(text) for chain in chains)


def hand_cases(*texts: tuple[str, AnyChain]) -> tuple[Case, ...]:
    return tuple(case(tiles(hand), chain) for hand, chain in texts)


def removal_cases(*texts: tuple[str, str]) -> tuple[Case, ...]:
    return tuple(case(*tiles(tile), tiles(hand)) for tile, hand in texts)


def positions(*texts: tuple[str, str]) -> tuple[tuple[AnyChain, Hand], ...]:
    """Return positions, each from the text of a chain and the text of a hand."""
    return tuple((chain_of_text(chain), tiles(hand)) for chain, hand in texts)


def chosen_move_cases(
    tile_by: Iterable[Selector], end_by: Iterable[Selector], *texts: tuple[str, str]
) -> tuple[Case, ...]:
    """Return cases of a move in these positions, with each pair of functions that choose a tile and an end."""
    return tuple(case(*ways, *given) for given in positions(*texts) for ways in product(tile_by, end_by))


def bot_cases(*texts: tuple[str, str]) -> tuple[Case, ...]:
    """Return cases of a bot's move in these positions.

    Each position is tried with each tuple of random numbers in `ROLLS`, cut to as many as the bot needs.
    """
    scripts = ((given, needed_rolls(rolls, *given)) for given in positions(*texts) for rolls in ROLLS)
    return tuple(case(*given, chance=script) for given, script in dict.fromkeys(scripts))


def person_cases(*scripts: tuple[tuple[str, str], str]) -> tuple[Case, ...]:
    """Return cases of a person's move: the position, and the lines typed (`.` is an empty line, `_` a space)."""
    return tuple(
        case(*positions(given)[0], typed=tuple("" if line == "." else line.replace("_", " ") for line in typed.split()))
        for given, typed in scripts
    )


def turn_without_move_cases(*sizes: int) -> tuple[Case, ...]:
    """Return cases of a turn in which no tile fits and no random number is needed, with stocks of these sizes."""
    hand, stock = tiles("2-3 0-5"), tiles("0-1 6-5 2-2 4-6 1-3")
    chain = chain_of(6, 1, 4)
    return tuple(case(stock[:size], chain, hand, player, chance=()) for size in sizes for player in PLAYERS)


def turn_cases(player: Player, cases: Iterable[Case]) -> tuple[Case, ...]:
    """Return cases of a turn from cases of a move. The player is this one, and the stock has a few tiles."""
    return tuple(Case((tiles("0-0 4-5 1-1"), *known.args, player), known.typed, known.chance) for known in cases)


def take_cases(*sizes: tuple[int, int]) -> tuple[Case, ...]:
    """Return cases in which `n` tiles are drawn. `sizes` are pairs of `n` and the size of the stock.

    Each pair is tried with a hand that has tiles, and with an empty hand.
    """
    return tuple(case(hand, n, TILES[1 : 1 + size]) for n, size in sizes for hand in (tiles("6-1 6-2"), ()))


def deal_cases(seats: Iterable[str], *sizes: int) -> tuple[Case, ...]:
    """Return cases of `deal`: each group of players with each number of tiles."""
    return tuple(case(players, make_dominoes(6)[:size]) for players in seats for size in sizes)


def game_cases(*known: tuple[int, str, int]) -> tuple[Case, ...]:
    return tuple(complete_game_case(*facts) for facts in known)


NO_MOVE_POSITIONS = ("6-1 1-4", "1-2 3-5 2-0"), ("6-1 1-4", ""), ("2-2", "0-0 1-1 3-0")
ONE_END_POSITIONS = ("6-1 1-4", "1-2 5-6 3-2"), ("6-1 1-4", "4-2"), ("0-3", "2-2 3-1"), ("0-3", "3-3 1-1")
BOTH_ENDS_POSITIONS = ("6-1 1-4", "1-2 6-4 3-5"), ("6-1 1-4", "4-6"), ("0-3", "1-2 3-0")
EQUAL_ENDS_POSITIONS = ("6-1 1-6", "6-6 5-2"), ("6-1 1-6", "2-2 4-6"), ("3-3", "3-0")
ONE_FIRST_TILE_POSITIONS = ("", "5-2"), ("", "2-5"), ("", "3-3")
FIRST_MOVE_POSITIONS = ("", "5-2 2-6 4-4"), ("", "0-1 6-0")
SEVERAL_TILES_POSITIONS = ("6-1 1-4", "0-0 5-4 3-3 6-2"), ("0-3", "6-6 2-0 0-0 1-1 3-3"), ("2-5", "1-1 1-2 4-6 2-6 5-3")
SEVERAL_TILES_BOTH_ENDS = ("6-1 1-4", "6-4 3-3 2-6"), ("0-3", "0-3 1-1 3-2"), ("2-5", "6-6 5-2 5-5")
SEVERAL_TILES_EQUAL_ENDS = ("6-1 1-6", "2-2 6-6 6-3"), ("0-3 3-0", "0-4 0-5 5-5"), ("1-1", "1-2 3-1 0-1")
FORCED_MOVE_POSITIONS = ONE_END_POSITIONS + EQUAL_ENDS_POSITIONS + ONE_FIRST_TILE_POSITIONS
# The last one is for answers that take a remainder of a remainder.
ROLLS = (0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (10**9, 1)

LONG_CHAIN = chain_of(6, 5, 5, 2, 2, 4, 1, 0, 0, 3)

CHECKS = {
    "append": Check(
        cases=by_seed(lambda random: case(random.choice(TILES), random_chain(random, 6), random.choice("<>"))),
        facets={
            "the first tile": tuple(case(tile, EMPTY, end) for tile in tiles("5-6 6-5 2-2") for end in "<>"),
            "a tile that does not fit": tuple(
                case(t, chain_of(1, 2, 3), end) for t in tiles("5-6 6-5 4-4") for end in "<>"
            ),
            "a chain of one tile": tuple(case(t, chain_of(1, 2), end) for t in tiles("2-6 3-1 4-4") for end in "<>"),
            "every tile at either end": tuple(
                case(t, c, end) for t in TILES for c in (EMPTY, CHAINS[11]) for end in "<>"
            ),
        },
    ),
    "is_sound": Check(
        texts={"neighbours that do not match": "neighbors that do not match"},
        cases=by_seed(soundness_case),
        facets={
            "the empty chain": (case(EMPTY),),
            "one tile": tuple(case(chain_of(left, right)) for left in range(10) for right in range(10)),
            "one tile and different ends": tuple(
                case(Chain(left, text, right))
                for text in ("4-2", "3-3", "0-9")
                for left, right in product((0, 2, 3, 4, 9), repeat=2)
            ),
            "several tiles and matching ends": tuple(
                case(chain)
                for chain in (*CHAINS, LONG_CHAIN, chain_of(9, 8, 7), chain_of(1, 1, 1), chain_of(6, 1, 6, 1))
            ),
            "a different left end": tuple(
                case(Chain(left, LONG_CHAIN.text, LONG_CHAIN.right)) for left in range(10) if left != LONG_CHAIN.left
            ),
            "a different right end": tuple(
                case(Chain(LONG_CHAIN.left, LONG_CHAIN.text, right)) for right in range(10) if right != LONG_CHAIN.right
            ),
            "swapped ends": tuple(
                case(Chain(chain.right, chain.text, chain.left))
                for chain in (LONG_CHAIN, chain_of(6, 5, 2), chain_of(0, 1, 2, 3))
            ),
            "neighbours that do not match": tuple(
                case(Chain(int(text[0]), text, int(text[-1])))
                for text in (
                    "6-5 4-2",
                    "6-5 6-2",
                    "1-2 2-3 4-5",
                    "1-2 3-4 4-5",
                    "1-2 2-3 4-4 4-5",
                    "0-0 1-1",
                    "1-2 1-2",
                )
            ),
            "a tile the wrong way round": tuple(case(with_tile_turned(index, LONG_CHAIN)) for index in range(9)),
        },
    ),
    "legal_adds": Check(
        facets={
            "the first tile": laying_cases("5-6 6-5 0-3 2-2", EMPTY),
            "both ends of the chain are equal": laying_cases("5-6 6-5 0-6 6-3 2-4", chain_of(6, 1, 6), chain_of(6, 6)),
            "a double where both ends are equal": tuple(case(Domino(n, n), chain_between(n, n)) for n in NUMBERS),
            "a double at one end": laying_cases("1-1 4-4 0-0", chain_of(1, 0, 4), chain_of(4, 2, 1), chain_of(0, 5)),
            "a tile that fits both ends": laying_cases("5-2 2-5", chain_of(5, 2), chain_of(2, 5), chain_of(5, 0, 2)),
            "turned to fit the left end": laying_cases("1-5 5-1 0-5 5-0 3-5 5-6", chain_of(5, 4, 2)),
            "turned to fit the right end": laying_cases("1-2 2-1 0-2 2-0 3-2 2-6", chain_of(5, 4, 2)),
            "a text that disagrees with the ends": laying_cases(
                "1-5 2-2 6-3 4-0", Chain(1, "3-4 4-5", 6), Chain(2, "6-3", 0)
            ),
        }
    ),
    "possible_dominoes": Check(
        cases=by_seed(lambda random: case(*random_position(random)[::-1])),
        facets={
            "the first tile": hand_cases(("5-2 2-2 1-6", EMPTY), ("0-0", EMPTY)),
            "in the order of the hand": hand_cases(
                ("5-2 2-6", chain_of(2, 1)), ("1-0 0-3 2-0 0-0 6-5", chain_of(0, 6))
            ),
            "an empty hand": hand_cases(("", EMPTY), ("", chain_of(1, 2))),
            "a hand of many tiles": hand_cases(
                ("6-6 5-5 4-4 3-3 6-5 5-4 3-6 6-4 3-5 4-3 2-1 0-6 1-1 5-0 2-2", chain_of(1, 2)),
            ),
            "no possible tile": hand_cases(("3-3 4-5 0-6", chain_of(1, 2)), ("0-0", chain_of(5, 5))),
            "a double at one end": hand_cases(("1-1 2-2 3-3", chain_of(1, 2)), ("4-4 5-5 0-0", chain_of(4, 3, 0))),
            "a text that disagrees with the ends": hand_cases(("5-3 1-4 0-2 6-6", Chain(1, "5-0 0-6", 2))),
        },
    ),
    "suppress": Check(
        cases=by_seed(lambda random: case(random.choice(TILES), random_hand(random, 14, random.randint(2, 6)))),
        facets={
            "in the same presentation": removal_cases(("4-5", "1-2 4-5 6-6"), ("5-4", "5-4 0-0")),
            "in the other presentation": removal_cases(("4-5", "1-2 5-4 6-6"), ("5-4", "4-5"), ("0-6", "3-3 6-0")),
            "a double": removal_cases(("4-4", "4-5 4-4 6-4"), ("0-0", "0-0")),
            "a tile that is not in the hand": removal_cases(("4-5", "4-4 5-5 4-1 2-5"), ("4-4", "4-5"), ("1-1", "")),
            "the order of the other tiles": removal_cases(("0-1", "6-5 3-4 1-0 2-6 5-3"), ("2-3", "3-2 6-5 1-4")),
        },
    ),
    "input_move": Check(
        cases=by_seed(input_move_case),
        facets={
            "no possible tile": chosen_move_cases((never,), (never,), *NO_MOVE_POSITIONS),
            "a forced tile": chosen_move_cases((never,), (never,), *ONE_END_POSITIONS),
            "a forced tile that fits both ends": chosen_move_cases(
                (never,), (left_end, right_end), *BOTH_ENDS_POSITIONS
            ),
            "a forced tile is printed before an end is selected": chosen_move_cases(
                (never,), (left_aloud,), *BOTH_ENDS_POSITIONS
            ),
            "equal ends are one end": chosen_move_cases((never,), (never,), *EQUAL_ENDS_POSITIONS),
            "the first tile": chosen_move_cases((never,), (never,), *ONE_FIRST_TILE_POSITIONS)
            + chosen_move_cases((first, second), (never,), *FIRST_MOVE_POSITIONS),
            "several tiles, one end": chosen_move_cases(
                (first, second), (never,), *SEVERAL_TILES_POSITIONS[:2], *SEVERAL_TILES_EQUAL_ENDS
            ),
            "several tiles, both ends": chosen_move_cases(
                (first, second), (left_end, right_end), *SEVERAL_TILES_BOTH_ENDS
            ),
        },
    ),
    "input_bot_move": Check(
        cases=by_seed(bot_case),
        facets={
            "no possible tile": bot_cases(*NO_MOVE_POSITIONS),
            "a forced tile is not announced twice": bot_cases(*FORCED_MOVE_POSITIONS),
            "a random end for a forced tile": bot_cases(*BOTH_ENDS_POSITIONS),
            "the first tile": bot_cases(*FIRST_MOVE_POSITIONS),
            "a random tile": bot_cases(*SEVERAL_TILES_POSITIONS[:2], *SEVERAL_TILES_EQUAL_ENDS),
            "a random tile, then a random end": bot_cases(*SEVERAL_TILES_BOTH_ENDS),
        },
    ),
    "input_human_move": Check(
        cases=by_seed(person_case),
        facets={
            "no possible tile": person_cases(*((given, "00 11") for given in NO_MOVE_POSITIONS)),
            "a forced tile is not asked for": person_cases(*((given, "00 <") for given in FORCED_MOVE_POSITIONS)),
            "an end, for a forced tile": person_cases(*((given, end) for given in BOTH_ENDS_POSITIONS for end in "<>")),
            "a tile in either presentation": person_cases(
                *((SEVERAL_TILES_POSITIONS[0], name) for name in ("54", "45", "62", "26"))
            ),
            "laid as the hand has it": person_cases(
                *((FIRST_MOVE_POSITIONS[0], name) for name in ("52", "25", "62", "26", "44"))
            ),
            "a tile that is not possible": person_cases(
                (SEVERAL_TILES_POSITIONS[0], "00 33 45"),
                (SEVERAL_TILES_POSITIONS[1], "66 11 02"),
                (SEVERAL_TILES_POSITIONS[2], "11 46 21"),
            ),
            "a tile that is not in the hand": person_cases(
                (SEVERAL_TILES_POSITIONS[0], "64 66 44 63 26"), (SEVERAL_TILES_BOTH_ENDS[1], "00 33 13 31 30 >")
            ),
            "lines that are not a tile": person_cases(
                (SEVERAL_TILES_POSITIONS[0], ". 5 540 5-4 <> foobar Domino(5,4) 54"),
                (FIRST_MOVE_POSITIONS[1], "x 0 010 1-0 10"),
            ),
            "lines with an extra space": person_cases(
                (SEVERAL_TILES_POSITIONS[0], "_54 54_ 5_4 45"),
                (FIRST_MOVE_POSITIONS[1], "6_0 _10_ 01"),
                *((BOTH_ENDS_POSITIONS[0], f"_{e} {e}_ {e}") for e in "<>"),
            ),
            "two digits, even if the first is 0": person_cases(
                (SEVERAL_TILES_POSITIONS[1], "2 0 020 +20 02"),
                (FIRST_MOVE_POSITIONS[1], "6 1 001 06"),
                (SEVERAL_TILES_BOTH_ENDS[1], "3 0 30 >"),
            ),
            "lines that are not an end": person_cases(
                (BOTH_ENDS_POSITIONS[0], ". <> left 6 << = >"), (SEVERAL_TILES_BOTH_ENDS[0], "46 64 . >< <")
            ),
        },
    ),
    "string_of_dominoes": Check(
        facets={"presentation and order": tuple(case(tiles(t)) for t in ("6-5", "0-1 1-2 6-0", "3-3"))}
    ),
    "string_of_state": Check(
        cases=by_seed(lambda random: case((random_hand(random, 7), random.choice(PLAYERS)))),
        facets={"an empty hand": (case(((), Bot(2))), case(((), Human(3))))},
    ),
    "take": Check(
        facets={
            "one by one to the front": take_cases((1, 4), (2, 4), (3, 5)),
            "none": take_cases((0, 3), (0, 0)),
            "the whole stock": take_cases((3, 3), (1, 1)),
            "more tiles than there are": take_cases((4, 3), (2, 1), (40, 2)),
            "an empty stock": take_cases((2, 0), (1, 0)),
        }
    ),
    "move": Check(
        cases=by_seed(move_case),
        facets={
            "no possible tile, two drawn": turn_without_move_cases(2, 3, 5),
            "no possible tile, one tile in the stock": turn_without_move_cases(1),
            "no possible tile, an empty stock": turn_without_move_cases(0),
            "a bot": turn_cases(Bot(3), bot_cases(*SEVERAL_TILES_BOTH_ENDS, *FORCED_MOVE_POSITIONS)),
            "a human": turn_cases(
                Human(2),
                person_cases(
                    *((SEVERAL_TILES_BOTH_ENDS[0], f"33 {tile} {end}") for tile in ("46", "64") for end in "<>")
                ),
            ),
            "the first tile": turn_cases(Human(1), person_cases((FIRST_MOVE_POSITIONS[0], "26")))
            + turn_cases(Bot(1), bot_cases(*FIRST_MOVE_POSITIONS)),
        },
    ),
    "char_list_of_string": Check(
        cases=any_text_cases,
        facets={
            "blanks, tabs and line breaks": tuple(
                map(case, ("ab\n", "\n\n", " a", "a  b ", "\ta\tb", "b\t", "\r\na\r\n"))
            )
        },
    ),
    "make_state_list": Check(
        cases=by_seed(
            lambda random: case(
                "".join(random.choice("HB") for _ in range(random.choice((2, 3, 4, 2, 3, 4, 1, 5)))),
                random_hand(random, 28),
            )
        ),
        count=50,
        facets={
            "two players": deal_cases(("HB", "BH", "BB"), 28, 15),
            "three or four players": deal_cases(("HBB", "BHHB"), 28, 24),
            "hands that stay short": deal_cases(("BH", "BBH", "HHHH"), 10, 3, 7, 0),
            "too few or too many players": deal_cases(("", "B", "HBHBH", "BBBBBB"), 28),
        },
    ),
    "list_shuffle": Check(
        cases=by_seed(lambda random: case(random_hand(random, 28, least=12), chance=random.randrange(10**6))),
        count=20,
        facets={
            "equal items, one item, no item": (
                *(case((1, 2, 2, 3, 3, 3, *range(4, 14)), chance=seed) for seed in range(3)),
                *(case(items, chance=3) for items in ((4, 4), (7,), (), (3, 1, 2))),
            ),
            "all orders equally likely": Joint(repeated_cases(FOUR), orders_of_four),
            "all orders equally likely, of equal items too": Joint(repeated_cases(TWINS), orders_of_twins),
            "no trace of the old order in a deck": Joint(repeated_cases(DECK), traces_in_a_deck),
        },
        accepts=shuffle_relation,
    ),
    "play": Check(
        cases=by_seed(random_game_case),
        count=24,
        facets={
            "not two to four players": game_cases((6, "", 1), (6, "B", 1), (3, "HBHBH", 1), (0, "BBBBBB", 1)),
            "a hand that is empty from the start": game_cases(
                (0, "BB", 1), (1, "BB", 1), (1, "BBB", 2), (2, "BBBB", 3), (3, "BBB", 1)
            ),
            "the winner laid the last tile": game_cases((3, "BB", 0), (4, "BB", 4), (4, "BBB", 3), (6, "BBBB", 0)),
            "a draw": game_cases((4, "BB", 39), (4, "BBB", 67), (6, "BBBB", 202)),
            "a pass that draws does not count for the draw": game_cases(
                (4, "BB", 103), (5, "BBB", 321), (5, "BBB", 69)
            ),
            "passes count only in a row": game_cases((3, "BB", 11), (4, "BBB", 88), (4, "BBB", 26)),
            "everybody must pass": game_cases((4, "BBB", 8), (4, "BBB", 16)),
            "tiles up to 7, 8 and 9": game_cases((7, "BB", 1), (8, "BHB", 1), (9, "BBBB", 1)),
            "people": game_cases((2, "HB", 1), (3, "BH", 2), (4, "HHB", 3)),
        },
        invariant=play_invariant,
    ),
}
