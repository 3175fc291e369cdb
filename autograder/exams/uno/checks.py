"""Uno: all cards, and desks from real games."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise, product
from random import Random
from typing import Any

from hypothesis import strategies as st

from autograder.exam.cases import Case, Check, Joint, Observation, by_seed, case, exercise
from course.uno import *
from course.uno.alike import unordered
from solutions import uno

CARD_KINDS: Cards = (*(Crd(rank, color) for color in COLORS for rank in RANKS), *WILDS)
NAIVE_STRATEGY: Any = exercise("naive")
SEVEN, NINE = Crd(Num(7), GREEN), Crd(Num(9), YELLOW)
MIXED_HAND = (
    Crd(Num(2), YELLOW),
    Wild(),
    Crd(Skip(), RED),
    Crd(Num(2), YELLOW),
    WildDrawFour(),
    Crd(Num(0), BLUE),
    Wild(),
)

# ------------------------------------------------------------------------------------------------ desks


def seated_players(seats: int, strategy: Strategy = fickle) -> Players:
    """Return the first `seats` players of the lab's game. The players have no cards, and no person plays for them."""
    return tuple(Player(name, (), strategy, False) for name in NAMES[:seats])


@cache
def desks_of_game(seats: int, seed: int) -> tuple[Desk, ...]:
    """Return all desks of a complete game, in order."""

    def play_game() -> tuple[Desk, ...]:
        desks = [uno.desk_normalize(uno.deal(seated_players(seats)))]
        while uno.check_winner(desks[-1]) is None:
            desks.append(uno.your_turn(desks[-1]))
        return tuple(desks)

    return transcript(play_game, chance=seed)[0]


@cache
def played_desks() -> tuple[Desk, ...]:
    """Return the desks of ten games with two to ten players, in a random order that never changes."""
    games = ((2, 0), (2, 1), (3, 0), (4, 0), (5, 0), (7, 0), (10, 0), (2, 2), (3, 1), (4, 1))
    desks = [desk for seats, seed in games for desk in desks_of_game(seats, seed)[:-1]]
    return tuple(Random(0).sample(desks, len(desks)))


def first_desks_where(test: Callable[[Desk], object], count: int = 4) -> tuple[Desk, ...]:
    """Return the first `count` desks from these games that pass a test."""
    return tuple(islice(filter(test, played_desks()), count))


def with_short_deck(desk: Desk) -> Desk:
    """Return a desk with fewer cards in its deck and pile, for cases in which the lower cards do not matter."""
    return desk.with_pile(desk.pile[:2]).with_deck(desk.deck[:9])


def random_desks(cut: Callable[[Desk], Desk] = lambda desk: desk) -> st.SearchStrategy[Desk]:
    return st.integers(0, len(played_desks()) - 1).map(lambda index: cut(played_desks()[index]))


def with_strategy(desk: Desk, strategy: Any, is_manual: bool = False) -> Desk:
    """Return the desk with another strategy for the player whose turn it is. A person may play for this player."""
    first, *others = desk.players
    return desk.with_players((Player(first.name, first.cards, strategy, is_manual), *others))


def with_hand(desk: Desk, cards: Cards) -> Desk:
    """Return the desk with another hand for the player whose turn it is."""
    first, *others = desk.players
    return desk.with_players((first.with_cards(cards), *others))


def small_desk(seats: int, top: Card, state: State, hand: Cards, deck: Cards = (SEVEN, NINE) * 3) -> Desk:
    """Return a small desk made by hand: `hand` for the first player, and two cards for each other player."""
    first, *others = seated_players(seats)
    players = (first.with_cards(hand), *(player.with_cards((NINE, SEVEN)) for player in others))
    return Desk(players, (top, NINE), deck, state, CLOCKWISE, (Simple(NINE),))


def desks_in_both_directions(seats: int, top: Card, state: State, hand: Cards) -> tuple[Desk, ...]:
    """Return two small desks, one for each direction of play."""
    desk = small_desk(seats, top, state, hand)
    return desk, desk.with_direction(uno.opposite_dir(desk.direction))


def cases_of(desks: Iterable[Desk]) -> tuple[Case, ...]:
    return tuple(map(case, desks))


# ------------------------------------------------------------------------------------------------ drawn inputs

_RANDOM_CARD = st.sampled_from(CARD_KINDS)
_RANDOM_SMALL_HAND = st.lists(_RANDOM_CARD, max_size=8).map(tuple)
_RANDOM_HAND = st.one_of(_RANDOM_SMALL_HAND, st.lists(st.sampled_from(MIXED_HAND), max_size=6).map(tuple))
_EQUALITY_SAMPLES: tuple[tuple[Callable[..., object], tuple[object, ...]], ...] = (
    (same_number, tuple(range(8))),
    (same_letter, tuple("aBcDeF")),
    (is_same_color, COLORS),
    (is_same_rank, RANKS),
    (is_same_card, CARD_KINDS[::7]),
)
_SAMPLE_ERRORS = (
    IndexError(),
    LookupError("no such card"),
    IllegalGame("lost"),
    IllegalMove("Olga", None),
    ValueError(3),
)


@st.composite
def _deal_case(draw: st.DrawFn) -> Case:
    players = seated_players(draw(st.integers(2, 10)), draw(st.sampled_from((false_strategy, fickle))))
    return case(desk_after_deal(len(players), draw(st.integers(0, 40)), players), chance=draw(st.integers(0, 99)))


def desk_after_deal(seats: int, seed: int, players: Players = ()) -> Desk:
    """Return the desk right after the deal."""
    return transcript(uno.deal, players or seated_players(seats), chance=seed)[0]


def deal_cases_with(top: type, count: int = 3) -> tuple[Case, ...]:
    """Return cases of desks just after the deal. The top card of the pile, or its rank, is an instance of `top`."""
    desks = (desk_after_deal(2 + seed % 9, seed) for seed in range(1000))
    suited = (d for d in desks if any(isinstance(each, top) for each in (d.pile[0], getattr(d.pile[0], "rank", None))))
    return tuple(case(desk, chance=index) for index, desk in enumerate(islice(suited, count)))


def case_with_seed(desk: Desk, seed: int) -> Case:
    return case(desk, chance=seed)


def with_cards_left(desk: Desk, left: int) -> Desk:
    """Return the desk with only `left` cards in the deck. The other cards of the deck are put under the pile."""
    return desk.with_pile(desk.pile + desk.deck[left:]).with_deck(desk.deck[:left])


def laid_card_case(desk: Desk, card: Card, color: Color, had_color: bool, seed: int = 0) -> Case:
    """Return a case of a move with `card`: the move, and the desk when the card is laid but has no effect yet."""
    move: Move = Simple(card) if isinstance(card, Crd) else Order(card, color)
    return case(move, desk.with_pile((card, *desk.pile)).add_memo(move), had_color, chance=seed)


def move_cases(cards: Iterable[Card], had: tuple[bool, ...] = (True, False)) -> tuple[Case, ...]:
    """Return cases of moves with these cards: for two, three and ten players, and in both directions."""
    desks = tuple(d for seats in (2, 3, 10) for d in desks_in_both_directions(seats, SEVEN, Proceed(), (SEVEN, NINE)))
    return tuple(
        laid_card_case(desk, card, COLORS[i % 4], had_color)
        for i, (desk, card) in enumerate(product(desks, cards))
        for had_color in had
    )


def ask_case(player: Player, hand: Cards, playable: Cards, desk: Desk, typed: tuple[str, ...] = ()) -> Case:
    counts = tuple(range(2, 2 + len(desk.players)))
    args = Args(desk.state, hand, playable, desk.pile[0], desk.direction, desk.memory, counts)
    return case(player, args, typed=typed)


def turn_case(desk: Desk, typed: tuple[str, ...] = (), seed: int = 0) -> Case:
    return case(desk, uno.cards_to_play(desk), typed=typed, chance=seed)


_PLAYABLE_DESKS = tuple(filter(uno.cards_to_play, played_desks()))
_OBEYING_DESKS = tuple(d for d in played_desks() if d.state == Execute() and not uno.cards_to_play(d))


STRATEGIES = {
    "Card": CARD_KINDS,
    "Rank": RANKS,
    "Penalty": (Skip(), DrawTwo()),
    "Cards": _RANDOM_HAND,
    "Desk": random_desks(with_short_deck),
    "Player": st.builds(Player, st.sampled_from(NAMES), _RANDOM_HAND, st.just(false_strategy), st.booleans()),
}

# ------------------------------------------------------------------------------------------------ special inputs


def _pair_cases(items: tuple[object, ...]) -> tuple[Case, ...]:
    return tuple(case(first, second) for first in items for second in items)


_WORDS = ("a", "B", "c", "D")


_ONE_CARD_DESKS = tuple(small_desk(seats, SEVEN, Proceed(), (NINE,), CARD_KINDS[seats::6]) for seats in (2, 3, 4, 5))


def _reshuffling_cases(desk: Desk) -> tuple[Case, ...]:
    """Return draws from one desk without a deck, with different seeds."""
    return tuple(case(with_cards_left(desk, 0), chance=seed) for seed in range(20, 24))


def nearly_empty_desk(desk: Desk, left: int, under: int) -> Desk:
    """Return the desk with `left` cards in the deck, and `under` cards under the top of the pile."""
    return desk.with_deck(desk.deck[:left]).with_pile((desk.pile[0], *desk.deck[::-1][:under]))


def _empty_deck_facets(*left: int, wanted: int) -> dict[str, tuple[Case, ...]]:
    """Return draws during which the deck runs out. A new deck is made from the pile, or no cards are left."""
    pairs = [(in_deck, under) for in_deck, under in product(range(wanted), repeat=2) if in_deck + under < wanted]
    return {
        "the deck runs out while drawing": tuple(
            case(with_cards_left(desk, n), chance=seed) for n in left for seed, desk in enumerate(_ONE_CARD_DESKS[:3])
        ),
        "the pile is shuffled again each time": _reshuffling_cases(_ONE_CARD_DESKS[1]),
        "fewer cards left than must be drawn": cases_of(
            nearly_empty_desk(desk, *pair) for desk in _ONE_CARD_DESKS[:2] for pair in pairs
        )
        + cases_of(nearly_empty_desk(_ONE_CARD_DESKS[0], n, wanted - n) for n in (0, 1)),
    }


_SAMPLE_HANDS = (
    (Wild(), SEVEN, Crd(Skip(), GREEN), WildDrawFour(), Crd(Num(7), RED), Crd(Reverse(), BLUE), NINE, SEVEN),
    (Crd(DrawTwo(), BLUE), Crd(Skip(), BLUE), Crd(Skip(), YELLOW), WildDrawFour(), Crd(DrawTwo(), RED), Wild()),
)
_SAMPLE_TOPS = (SEVEN, Crd(Skip(), GREEN), Crd(DrawTwo(), BLUE), Crd(Reverse(), BLUE))


def _small_desks(tops: Iterable[Card], states: Iterable[State]) -> tuple[Desk, ...]:
    return tuple(small_desk(2, top, state, hand) for top, state, hand in product(tops, states, _SAMPLE_HANDS))


_GIVE_STATES = tuple(Give(color) for color in COLORS)
_IMPOSSIBLE_DESK_CASES = cases_of(
    _small_desks(_SAMPLE_TOPS, _GIVE_STATES[:1]) + _small_desks(WILDS, (Proceed(), Execute()))
)


def _naive_case(playable: Cards, chance: int | tuple[int, ...] = 0) -> Case:
    return case(Proceed(), (*MIXED_HAND, *playable), playable, SEVEN, CLOCKWISE, (Pass(),), (3, 1, 4), chance=chance)


def _missing_color(observations: tuple[Observation, ...]) -> str | None:
    colors = [observation.value.color for observation in observations]
    missing = [color for color in COLORS if color not in colors]
    return f"never chooses {missing[0]} in {len(colors)} tries" if missing else None


_PERSON = Player("Sergey", MIXED_HAND, first_playable, True)
_ASKING_DESK = with_short_deck(played_desks()[0])


def _person_case(*typed: str) -> Case:
    return ask_case(_PERSON, MIXED_HAND, (SEVEN, Crd(Num(1), RED), WildDrawFour()), _ASKING_DESK, typed)


def _illegal_move_cases(strategy: Any, count: int = 4) -> tuple[Case, ...]:
    """Return plays in which this strategy makes an illegal move."""
    refused = list[Desk]()
    for desk in (each for each in _PLAYABLE_DESKS if isinstance(each.players[0].cards[0], Crd)):
        short = with_short_deck(with_strategy(desk, strategy))
        try:
            transcript(uno.play, short, uno.cards_to_play(short), chance=0)
        except IllegalMove:
            refused.append(short)
        if len(refused) == count:
            break
    return tuple(map(turn_case, refused))


_DRAW_FOUR_HANDS = (
    (WildDrawFour(), Crd(Num(1), YELLOW)),
    (WildDrawFour(), Crd(Num(1), RED)),
    (WildDrawFour(), Wild(), NINE),
)


def _draw_four_cases(color: Color) -> tuple[Case, ...]:
    """Return plays of a wild draw four when `color` is required, on an ordinary and on a wild card."""
    tops: tuple[tuple[Card, State], ...] = ((Crd(Num(5), color), Proceed()), (Wild(), Give(color)))
    desks = (with_strategy(small_desk(3, *on, hand), first_playable) for on in tops for hand in _DRAW_FOUR_HANDS)
    return tuple(map(turn_case, desks))


_MANUAL_DESKS = tuple(with_strategy(with_short_deck(d), first_playable, True) for d in _PLAYABLE_DESKS[:6])


def _desks_to_obey(top: Card, seats: int) -> tuple[Desk, ...]:
    return desks_in_both_directions(seats, top, Execute(), (NINE, Wild()))


def _must_draw(desk: Desk, fitting: bool) -> bool:
    """Return whether the player must draw, and the drawn card fits (or, if `fitting` is false, does not fit)."""
    if uno.cards_to_play(desk) or desk.state == Execute():
        return False
    return bool(uno.cards_to_play(transcript(uno.draw, desk, chance=0)[0])) is fitting


_DRAWING_DESKS = (
    first_desks_where(lambda desk: _must_draw(desk, fitting=True), 5),
    first_desks_where(lambda desk: _must_draw(desk, fitting=False), 5),
)
_FITTING_CARDS = (*(Crd(rank, GREEN) for rank in (Num(0), Num(9), Skip(), DrawTwo(), Reverse())), *WILDS)
_FITTING_DRAW_DESKS = tuple(
    small_desk(2, top, state, hand, (card, SEVEN, NINE))
    for card in _FITTING_CARDS
    for top, state, hand in ((SEVEN, Proceed(), (NINE,)), (Wild(), Give(GREEN), ()))
)
_GIVE_DRAWING_DESKS = first_desks_where(lambda d: isinstance(d.state, Give) and _must_draw(d, fitting=False), 2)


# ------------------------------------------------------------------------------------------------ acceptance


def accept_same_desk(_: Case, want: Observation, got: Observation) -> str | None:
    """Accept the expected desk. The order of the cards in the hands does not matter."""
    if want.raised or got.raised:
        return f"{want.raised or 'no exception'} is expected"
    if got.printed != want.printed:
        return f"it should print {want.printed!r}, and printed {got.printed!r}"
    if repr(got.probes) != repr(want.probes):
        return "the strategy should be asked once, with the seven arguments of this desk"
    if not isinstance(want.value, Desk) or not isinstance(got.value, Desk):
        return f"expected {want.value!r}" if not isinstance(want.value, Desk) else "a desk is expected"
    actual, wanted = unordered(got.value), unordered(want.value)
    players = zip(wanted.players, actual.players, strict=False)
    parts: list[tuple[str, object, object]] = [(f"player {mine.name}", mine, theirs) for mine, theirs in players]
    for part in ("state", "direction", "memory", "pile", "deck", "players"):
        parts.append((part, getattr(wanted, part), getattr(actual, part)))
    return next((f"{part} should be {mine!r}" for part, mine, theirs in parts if repr(mine) != repr(theirs)), None)


def accept_any_order(_: Case, want: Observation, got: Observation) -> str | None:
    """Accept the 108 cards in any order."""
    if not isinstance(want.value, tuple) or len(want.value) != 108:
        return f"expected {want.value!r}"
    if got.raised or type(got.value) is not tuple:
        return "a tuple of cards is expected"
    off = [card for card in CARD_KINDS if got.value.count(card) != want.value.count(card)]
    if off:
        return f"{off[0]!r} is in it {got.value.count(off[0])} times, expected {want.value.count(off[0])}"
    return None if len(got.value) == len(want.value) else "there are things in it that are no cards"


def accept_illegal_game(given: Case, want: Observation, got: Observation) -> str | None:
    """Accept IllegalGame if neither of the two values is in the list."""
    if given.args and got.raised == "IllegalGame":
        equal, items, *values = given.args
        functions = {marked[0].__name__: marked[0] for marked in _EQUALITY_SAMPLES}
        test = functions[repr(equal)]
        if not any(test(item, value) for item in items for value in values):
            return None
    return f"expected {want.value!r}"


# ------------------------------------------------------------------------------------------------ own functions


def all_cards_on(desk: Desk) -> tuple[str, ...]:
    """Return all cards on the desk as sorted texts, so that two desks can be compared."""
    hands = (card for player in desk.players for card in player.cards)
    return tuple(sorted(map(repr, (*hands, *desk.pile, *desk.deck))))


def refuse_changed_cards(given: Case, want: Observation, got: Observation) -> str | None:
    """Refuse a desk on which cards are missing, added or changed, or players are different."""
    if want.raised or got.raised:
        return None if want.raised == got.raised else f"{want.raised or 'no exception'} is expected"
    before = next((arg for arg in given.args if isinstance(arg, Desk)), want.value)
    if all_cards_on(got.value) != all_cards_on(before):
        return (
            f"of {len(all_cards_on(before))} cards on the desk there are now {len(all_cards_on(got.value))}, or others"
        )
    if sorted(player.name for player in got.value.players) != sorted(player.name for player in before.players):
        return "the players are not the same"
    return None


def refuse_unfair_game(given: Case, want: Observation, got: Observation) -> str | None:
    """Refuse a game that does not end, has an invalid result, or has a sequence of moves that is against the rules."""
    if got.raised:
        return "the game should come to its end"
    winner, losses = got.value
    names = sorted(player.name for player in given.args[0]) if given.args else [winner]
    if given.args and sorted(name for name, _ in losses) != names:
        return "the losses are not those of the players"
    if dict(losses)[winner] != 0:
        return "the winner should lose nothing"
    lines = [line for line in got.printed.split("\n") if line.startswith(("SIMPLE (", "ORDER ("))]
    return next((f"{b} cannot follow {a}" for a, b in pairwise(lines) if not may_follow(a, b)), None)


def may_follow(before: str, after: str) -> bool:
    """Return whether a printed move may come after another printed move. Players between them may have passed."""
    if after.startswith("ORDER"):
        return True
    (rank, color), (new_rank, new_color) = _rank_and_color(before), _rank_and_color(after)
    return color == new_color or rank == new_rank


def _rank_and_color(line: str) -> tuple[str, str]:
    """Return the rank and color of a printed move; only the color if a color was ordered."""
    rank, _, color = line.rstrip(")").rpartition(", ")
    return ("", color) if line.startswith("ORDER") else (rank.removeprefix("SIMPLE (CRD ("), color)


def random_desk(cards: Cards, seats: int, random: Random) -> Desk:
    """Return a desk with these cards, distributed at random."""
    mixed = tuple(random.sample(cards, len(cards)))
    cuts = [0, *sorted(random.choices(range(len(mixed) + 1), k=seats + 1)), len(mixed)]
    pile, drawn, *hands = (mixed[start:end] for start, end in pairwise(cuts))
    players = tuple(p.with_cards(hand) for p, hand in zip(ten_players(first_playable)[:seats], hands, strict=True))
    return Desk(players, pile, drawn, Proceed(), CLOCKWISE, ())


def with_cards_exchanged(old: Card, new: Card, *others: Card, cards: Cards = uno.deck) -> Cards:
    """Return the cards with `old` replaced by `new`, and further pairs in `others` replaced in the same way."""
    index = cards.index(old)
    after = (*cards[:index], new, *cards[index + 1 :])
    return with_cards_exchanged(*others, cards=after) if others else after


def sound_case(random: Random) -> Case:
    """Return a desk as a case.

    In half of the cases, the desk is valid; otherwise a card is missing, duplicated or replaced.
    """
    one, other = random.sample(uno.deck, 2)
    index = random.randrange(len(uno.deck))
    damaged = (uno.deck[:index] + uno.deck[index + 1 :], (*uno.deck, one), with_cards_exchanged(one, other))
    cards = random.choice((uno.deck, uno.deck, uno.deck, *damaged))
    return case(random_desk(cards, random.randint(1, 4), random))


def soundness_cases(*groups: Cards) -> tuple[Case, ...]:
    """Return two cases of random desks for each of these sets of cards."""
    return tuple(case(random_desk(cards, 2, Random(seed))) for cards in groups for seed in (0, 1))


def desk_with_empty_hands(pile: Cards, drawn: Cards) -> Desk:
    """Return a desk on which all cards are in the pile or in the deck (`drawn`), and the players have none."""
    return Desk(ten_players(first_playable)[:2], pile, drawn, Proceed(), CLOCKWISE, ())


STRANGE_CARD = Crd(Num(10), RED)

_CHECKS = {
    "precedes": Check(
        cases=st.sampled_from(_EQUALITY_SAMPLES).flatmap(
            lambda marked: st.tuples(
                st.just(marked[0]),
                st.lists(st.sampled_from(marked[1]), unique=True, max_size=6).map(tuple),
                st.sampled_from(marked[1]),
                st.sampled_from(marked[1]),
            )
        ),
        count=160,
        facets={
            "the first before the second": tuple(
                case(same_number, (3, 1, 2), a, b) for a, b in ((3, 1), (3, 2), (1, 2))
            ),
            "the first after the second": tuple(
                case(same_number, (3, 1, 2), a, b) for a, b in ((1, 3), (2, 3), (2, 1))
            ),
            "a value against itself": tuple(case(same_number, (3, 1, 2), a, a) for a in (3, 1, 2)),
            "only one of them in the list": tuple(
                case(same_number, (3, 1, 2), a, b) for a, b in ((3, 9), (9, 3), (2, 9), (9, 2))
            ),
            "neither of them in the list": (
                *(case(same_number, items, a, b) for items, a, b in (((3, 1, 2), 8, 9), ((), 1, 2), ((3,), 9, 9))),
                case(same_number, (3, 1), 3, 1),
            ),
            "equal only by the given function": tuple(case(same_letter, _WORDS, a, b) for a in "AbC" for b in "aBd"),
            "0 or an empty text in the list": (
                *(
                    case(same_number, items, a, b)
                    for items in ((0, 1), (1, 0))
                    for a, b in ((0, 1), (1, 0), (0, 0), (0, 9))
                ),
                *(case(same_letter, items, "", "A") for items in (("", "a"), ("a", ""), ("",))),
            ),
        },
        accepts=accept_illegal_game,
    ),
    "color_is_lt": Check(
        cases=st.tuples(st.sampled_from(COLORS), st.sampled_from(COLORS)),
        facets={"every pair of colors": _pair_cases(COLORS)},
    ),
    "rank_is_lt": Check(
        cases=st.tuples(st.sampled_from(RANKS), st.sampled_from(RANKS)),
        facets={"every pair of ranks": _pair_cases(RANKS)},
    ),
    "is_lt": Check(
        facets={
            "a card and itself": tuple(case(card, card) for card in CARD_KINDS),
            "two wild cards": _pair_cases(WILDS),
            "a wild and an ordinary card": tuple(
                case(*pair) for card in CARD_KINDS[:52:5] for wild in WILDS for pair in ((card, wild), (wild, card))
            ),
            "one color": _pair_cases(CARD_KINDS[13:26]),
        }
    ),
    "card_sort": Check(
        cases=_RANDOM_HAND.map(case),
        count=80,
        facets={
            "all kinds": tuple(
                map(
                    case,
                    (
                        CARD_KINDS,
                        CARD_KINDS[::-1],
                        (*WILDS, *WILDS),
                        (SEVEN, SEVEN, NINE, SEVEN),
                        tuple(Crd(rank, BLUE) for rank in RANKS[::2]),
                        tuple(Crd(Num(4), color) for color in COLORS),
                        MIXED_HAND,
                    ),
                )
            ),
            "no card, one card": (case(()), case((Wild(),))),
        },
    ),
    "sum_cards": Check(
        count=80,
        facets={"no cards": (case(()),), "many cards": (case(CARD_KINDS), case(CARD_KINDS * 2), case(MIXED_HAND))},
    ),
    "remove_card": Check(
        cases=(
            st.tuples(_RANDOM_HAND, _RANDOM_CARD, st.sampled_from(_SAMPLE_ERRORS))
            | st.builds(
                lambda hand, card, error: ((*hand, card, *hand[::-1]), card, error),
                _RANDOM_HAND,
                _RANDOM_CARD,
                st.sampled_from(_SAMPLE_ERRORS),
            )
        ),
        facets={
            "the first of several copies": tuple(
                case(hand, card, IndexError())
                for card in (SEVEN, Wild())
                for hand in ((card, NINE, card), (NINE, card, SEVEN, card, card), (NINE, card, card), (card, card))
            ),
            "the others keep their order": tuple(
                case(MIXED_HAND, card, IndexError()) for card in MIXED_HAND[1:3] + MIXED_HAND[4:6]
            ),
            "the given error": tuple(case((NINE, Wild()), SEVEN, error) for error in _SAMPLE_ERRORS)
            + tuple(case((), NINE, error) for error in _SAMPLE_ERRORS),
            "the same rank or color is not the same card": tuple(
                case((Crd(Num(7), RED), Crd(Num(8), GREEN), WildDrawFour(), card), card, KeyError(1))
                for card in (SEVEN, Wild())
            ),
        },
    ),
    "deck": Check(accepts=accept_any_order),
    "deal": Check(
        cases=st.builds(
            lambda seats, seed: case(seated_players(seats), chance=seed), st.integers(2, 10), st.integers(0, 999)
        ),
        count=10,
        facets={
            "from two to ten players": tuple(case(seated_players(seats), chance=seats) for seats in (2, 3, 4, 10)),
            "cards from an earlier game": tuple(
                case(
                    tuple(player.with_cards(MIXED_HAND[:n]) for n, player in enumerate(seated_players(seats))), chance=5
                )
                for seats in (2, 3)
            ),
            "the players stay the same": tuple(
                case(ten_players(NAIVE_STRATEGY)[n:] + ten_players(NAIVE_STRATEGY)[:n]) for n in (0, 7)
            ),
        },
        accepts=accept_same_desk,
        invariant=refuse_changed_cards,
    ),
    "is_sound": Check(
        cases=by_seed(sound_case),
        count=60,
        facets={
            "all the cards, wherever they are": (
                *soundness_cases(uno.deck),
                case(desk_with_empty_hands(uno.deck, ())),
                case(desk_with_empty_hands((), uno.deck)),
            ),
            "one card too few": soundness_cases(uno.deck[1:], uno.deck[:-1], ()),
            "one card too many": soundness_cases((*uno.deck, Wild()), (*uno.deck, Crd(Num(0), RED)), uno.deck * 2),
            "a card replaced by another": soundness_cases(
                with_cards_exchanged(Wild(), WildDrawFour()),
                with_cards_exchanged(Crd(Num(0), RED), Crd(Num(0), BLUE)),
                with_cards_exchanged(Crd(Num(5), RED), Crd(Num(5), BLUE)),
                with_cards_exchanged(Crd(Num(5), RED), Crd(Num(6), RED)),
                with_cards_exchanged(Crd(Skip(), RED), Crd(Reverse(), RED)),
                with_cards_exchanged(Crd(Num(5), RED), Crd(Num(5), BLUE), Crd(Num(6), BLUE), Crd(Num(6), RED)),
            ),
            "cards that are not in the game": soundness_cases(
                (*uno.deck, STRANGE_CARD),
                with_cards_exchanged(Wild(), STRANGE_CARD),
                with_cards_exchanged(Crd(Num(5), RED), STRANGE_CARD),
            ),
        },
    ),
    "next_player": Check(
        count=40,
        facets={
            "clockwise": cases_of(
                d for n in (2, 3, 10) for d in desks_in_both_directions(n, SEVEN, Proceed(), (NINE,))[:1]
            ),
            "counterclockwise": cases_of(
                d for n in (2, 3, 10) for d in desks_in_both_directions(n, SEVEN, Execute(), (NINE,))[1:]
            ),
        },
    ),
    "desk_normalize": Check(
        cases=_deal_case(),
        count=12,
        facets={
            "a wild card on the pile": deal_cases_with(Wild) + deal_cases_with(WildDrawFour),
            "several wild cards in a row": tuple(
                case(
                    Desk(seated_players(3), (WildDrawFour(),), (*WILDS * count, card), Proceed(), CLOCKWISE, ()),
                    chance=seed,
                )
                for card, count, seed in ((SEVEN, 3, 1), (Crd(Reverse(), RED), 2, 2), (Crd(Skip(), BLUE), 4, 5))
            ),
            "a reverse": deal_cases_with(Reverse, 6),
            "a skip": deal_cases_with(Skip),
            "a draw two": deal_cases_with(DrawTwo),
            "a number": deal_cases_with(Num),
        },
        accepts=accept_same_desk,
        invariant=refuse_changed_cards,
    ),
    "draw": Check(
        cases=st.builds(case_with_seed, random_desks(), st.integers(0, 9)),
        count=12,
        facets={
            "no deck left": tuple(
                case(with_cards_left(desk, 0), chance=seed) for seed, desk in enumerate(_ONE_CARD_DESKS)
            ),
            "the pile is shuffled again each time": _reshuffling_cases(_ONE_CARD_DESKS[1]),
            "the last card of the deck": tuple(
                case(with_cards_left(desk, 1), chance=seed) for seed, desk in enumerate(_ONE_CARD_DESKS)
            ),
            "no card left to draw": cases_of(tuple(d.with_pile((SEVEN,)).with_deck(()) for d in _ONE_CARD_DESKS[:2])),
            "one card under the top of the pile": tuple(
                case(d.with_pile((SEVEN, NINE)).with_deck(())) for d in _ONE_CARD_DESKS[:2]
            ),
        },
        accepts=accept_same_desk,
        invariant=refuse_changed_cards,
    ),
    "draw_two": Check(
        cases=st.builds(case_with_seed, random_desks(with_short_deck), st.integers(0, 9)),
        count=20,
        facets=_empty_deck_facets(0, 1, wanted=2),
        accepts=accept_same_desk,
        invariant=refuse_changed_cards,
    ),
    "draw_four": Check(
        cases=st.builds(case_with_seed, random_desks(with_short_deck), st.integers(0, 9)),
        count=20,
        facets=_empty_deck_facets(0, 1, 3, wanted=4),
        accepts=accept_same_desk,
        invariant=refuse_changed_cards,
    ),
    "cards_to_play": Check(
        count=60,
        facets={
            "a color is ordered": cases_of(_small_desks(WILDS, _GIVE_STATES)),
            "a skip or draw two to answer": cases_of(_small_desks(_SAMPLE_TOPS[1:3], (Execute(),))),
            "a skip or draw two already obeyed": cases_of(_small_desks(_SAMPLE_TOPS[1:3], (Proceed(),))),
            "nothing fits": cases_of(
                small_desk(2, SEVEN, state, hand)
                for state, hand in (
                    (Proceed(), (NINE, Crd(Skip(), RED))),
                    (Proceed(), ()),
                    (Proceed(), (Crd(Num(8), BLUE),)),
                )
            ),
            "only the first player's hand": cases_of(
                small_desk(seats, NINE, Proceed(), (Crd(Num(1), RED), Wild())) for seats in (2, 3, 5)
            ),
            "an impossible desk": _IMPOSSIBLE_DESK_CASES,
        },
    ),
    "required_color": Check(
        count=40,
        facets={
            "the ordered color": cases_of(_small_desks(WILDS, _GIVE_STATES)),
            "the color of an action card": cases_of(_small_desks(_SAMPLE_TOPS[1:], (Proceed(), Execute()))),
            "only the top card counts": cases_of(
                small_desk(2, Crd(Num(1), c), Proceed(), ()).with_pile((Crd(Num(1), c), Wild(), NINE)) for c in COLORS
            ),
            "an impossible desk": _IMPOSSIBLE_DESK_CASES,
        },
    ),
    "has_color": Check(
        facets={
            "wild cards have no color": tuple(case(color, WILDS * 2) for color in COLORS),
            "no cards": tuple(case(color, ()) for color in COLORS),
            "one card of the color, anywhere": tuple(
                case(color, hand)
                for color in COLORS
                for hand in ((Wild(), Crd(Num(0), color)), (Crd(Skip(), color), Wild(), WildDrawFour()))
            ),
            "cards of other colors only": tuple(
                case(
                    color,
                    tuple(Crd(rank, other) for other in COLORS if other is not color for rank in (Num(7), Reverse())),
                )
                for color in COLORS
            ),
            "one card of every kind": tuple(case(color, (card,)) for color in COLORS for card in CARD_KINDS),
        }
    ),
    "count_cards": Check(
        count=40,
        facets={
            "hands of any size": cases_of(
                with_hand(small_desk(seats, SEVEN, Proceed(), ()), (uno.deck * 2)[:size])
                for seats, size in ((2, 0), (3, 1), (2, 20), (3, 21), (2, 54), (10, 100))
            )
        },
    ),
    "naive": Check(
        cases=st.builds(
            lambda hand, playable, desk, seed: case(
                *(desk.state, hand + playable, playable, desk.pile[0], desk.direction, desk.memory),
                (len(hand) + 1, 7),
                chance=seed,
            ),
            _RANDOM_HAND,
            st.lists(_RANDOM_CARD, min_size=1, max_size=6).map(tuple),
            random_desks(),
            st.integers(0, 99),
        ),
        count=60,
        facets={
            "the greatest of several": tuple(
                _naive_case(playable, seed)
                for playable in (
                    (Wild(), SEVEN),
                    (SEVEN, Wild()),
                    WILDS,
                    WILDS[::-1],
                    (NINE, SEVEN, Crd(Num(1), RED)),
                    (SEVEN, NINE),
                )
                for seed in (0, 1)
            )
            + (
                case(Give(RED), (NINE, Wild()), (Wild(),), Wild(), COUNTERCLOCKWISE, (), (2, 7), chance=1),
                case(Give(RED), (NINE, Wild()), (Wild(),), Wild(), COUNTERCLOCKWISE, (), (2, 7), chance=0),
            ),
            "the first of the shuffled colors is ordered": tuple(
                _naive_case(playable, (first, second, 0, 0))
                for wild in WILDS
                for playable in ((wild,), (SEVEN, wild), (NINE, wild, Wild()))
                for first in range(4)
                for second in (0, 2)
            ),
            "every color is ordered sometimes": Joint(
                tuple(_naive_case((SEVEN, Wild()), seed) for seed in range(60)), _missing_color
            ),
            "one shuffle for a wild card, none otherwise": (
                *(_naive_case((SEVEN, wild), (0,) * len(COLORS)) for wild in WILDS),
                *(_naive_case(playable, ()) for playable in ((SEVEN,), (NINE, SEVEN))),
            ),
        },
    ),
    "move_action": Check(
        cases=st.builds(
            laid_card_case,
            random_desks(with_short_deck),
            _RANDOM_CARD | st.sampled_from(WILDS),
            st.sampled_from(COLORS),
            st.booleans(),
            st.integers(0, 9),
        ),
        count=40,
        facets={
            "a wild draw four against the advice": move_cases((WildDrawFour(),), (True,)),
            "a wild draw four as advised": move_cases((WildDrawFour(),), (False,)),
            "a wild": move_cases((Wild(),)),
            "a reverse": move_cases((Crd(Reverse(), RED),)),
            "a skip or draw two": move_cases((Crd(Skip(), RED), Crd(DrawTwo(), BLUE)), (False,)),
            "a number": move_cases((Crd(Num(0), RED),)),
            "any state before": tuple(
                laid_card_case(small_desk(3, top, state, ()), card, BLUE, False)
                for top, state in ((Wild(), Give(RED)), (Crd(Skip(), RED), Execute()))
                for card in (SEVEN, Crd(Reverse(), RED), Wild())
            ),
            "four cards, and the deck runs out": tuple(
                laid_card_case(with_cards_left(desk, left), WildDrawFour(), RED, had, seed=left)
                for desk, left in zip(_ONE_CARD_DESKS, (0, 1, 2, 3), strict=True)
                for had in (True, False)
            ),
            "fewer than four cards left to draw": tuple(
                laid_card_case(few, WildDrawFour(), RED, had)
                for few in (
                    *(nearly_empty_desk(_ONE_CARD_DESKS[0], left, 0) for left in range(4)),
                    nearly_empty_desk(_ONE_CARD_DESKS[1], 2, 0),
                    nearly_empty_desk(_ONE_CARD_DESKS[1], 9, 0),
                )
                for had in (True, False)
            ),
        },
        accepts=accept_same_desk,
        invariant=refuse_changed_cards,
    ),
    "ask_player_for_card": Check(
        cases=st.builds(
            lambda hand, playable, desk, strategy, is_manual, typed: ask_case(
                Player(desk.players[0].name, hand + playable, strategy, is_manual),
                hand + playable,
                playable,
                desk,
                typed,
            ),
            _RANDOM_SMALL_HAND,
            st.lists(_RANDOM_CARD, min_size=1, max_size=3).map(tuple),
            random_desks(),
            st.sampled_from((first_playable, fickle, always_pass, NAIVE_STRATEGY)),
            st.booleans(),
            st.sampled_from(
                (("0", "0"), ("0", "3"), ("1", "2"), ("2", "1"), ("-1",), ("9",), ("no",), ("0", "4"), ("",))
            ),
        ),
        count=40,
        facets={
            "a machine": tuple(
                ask_case(Player("Olga", MIXED_HAND, strategy, False), MIXED_HAND, playable, _ASKING_DESK)
                for strategy in (first_playable, fickle, always_pass, last_in_hand)
                for playable in ((SEVEN,), (Wild(), SEVEN))
            ),
            "a person moves": (_person_case("1"), _person_case("2"), _person_case("0", "2"), _person_case("0", "0")),
            "a person switches to automatic": (
                _person_case("-1"),
                _person_case("3"),
                _person_case("no"),
                _person_case("0", "4"),
            ),
            "a person with a single choice": tuple(
                ask_case(_PERSON, hand, (card,), _ASKING_DESK, typed)
                for card, typed in ((SEVEN, ("0",)), (Wild(), ("0", "3")), (NINE, ("-1",)))
                for hand in ((card,), (*MIXED_HAND, card))
            ),
        },
    ),
    "play": Check(
        cases=st.builds(
            lambda index, strategy, seed: turn_case(
                with_short_deck(with_strategy(_PLAYABLE_DESKS[index], strategy)), seed=seed
            ),
            st.integers(0, len(_PLAYABLE_DESKS) - 1),
            st.sampled_from((fickle, fickle, NAIVE_STRATEGY, first_playable, last_in_hand, false_strategy)),
            st.integers(0, 9),
        ),
        count=50,
        facets={
            "a strategy that passes": _illegal_move_cases(always_pass),
            "a card that is not in the hand": _illegal_move_cases(false_strategy),
            "a card that does not fit": _illegal_move_cases(last_in_hand),
            "a person moves": tuple(turn_case(desk, ("0", "1")) for desk in _MANUAL_DESKS),
            "a person switches to automatic": tuple(turn_case(desk, ("-1",)) for desk in _MANUAL_DESKS),
            "a wild draw four with the required color in hand": _draw_four_cases(YELLOW),
            "a wild draw four without the required color": _draw_four_cases(BLUE),
            "a wild draw four and a card of the required rank only": tuple(
                turn_case(with_strategy(desk, first_playable))
                for seats, hand in product(
                    (2, 3),
                    ((WildDrawFour(), Crd(Num(5), RED)), (WildDrawFour(), Crd(Num(5), GREEN), Crd(Num(5), RED), NINE)),
                )
                for desk in (
                    small_desk(seats, Crd(Num(5), BLUE), Proceed(), hand),
                    small_desk(seats, Wild(), Give(BLUE), hand),
                )
            ),
            "no card in the deck, or one": tuple(
                turn_case(
                    with_strategy(
                        nearly_empty_desk(small_desk(seats, SEVEN, Proceed(), (SEVEN, NINE)), left, 0), first_playable
                    )
                )
                for seats in (2, 3)
                for left in (0, 1)
            ),
            "a wild draw four and too few cards to draw": tuple(
                turn_case(with_strategy(desk, first_playable))
                for desk in tuple(
                    nearly_empty_desk(small_desk(seats, SEVEN, Proceed(), (WildDrawFour(), NINE)), 3, 0)
                    for seats in (2, 3)
                )
            ),
            "the last card": tuple(
                turn_case(with_strategy(small_desk(seats, SEVEN, Proceed(), (card,)), first_playable))
                for seats in (2, 3)
                for card in (SEVEN, Wild(), WildDrawFour(), Crd(DrawTwo(), GREEN), Crd(Reverse(), GREEN))
            ),
            "only one of two equal cards is laid": tuple(
                turn_case(with_strategy(desk, first_playable))
                for desk in (
                    small_desk(2, SEVEN, Proceed(), (SEVEN, NINE, SEVEN)),
                    small_desk(2, NINE, Proceed(), (Wild(), Wild())),
                    small_desk(4, SEVEN, Proceed(), (NINE, SEVEN, SEVEN, SEVEN)),
                )
            ),
            "both directions, two to ten players, an answer to an action card": tuple(
                turn_case(with_strategy(desk, first_playable))
                for seats in (2, 3, 10)
                for hand in ((Crd(Reverse(), GREEN), NINE), (Crd(Skip(), GREEN), NINE), (SEVEN, NINE))
                for desk in desks_in_both_directions(seats, SEVEN, Proceed(), hand)
            )
            + tuple(
                turn_case(
                    with_strategy(small_desk(3, Crd(rank, RED), Execute(), (NINE, Crd(rank, BLUE))), first_playable)
                )
                for rank in (Skip(), DrawTwo())
            ),
        },
        accepts=accept_same_desk,
        invariant=refuse_changed_cards,
    ),
    "execution": Check(
        cases=st.builds(
            case_with_seed,
            st.integers(0, len(_OBEYING_DESKS) - 1).map(lambda index: with_short_deck(_OBEYING_DESKS[index])),
            st.integers(0, 9),
        ),
        count=16,
        facets={
            "a skip": cases_of(d for seats in (2, 3, 10) for d in _desks_to_obey(Crd(Skip(), RED), seats)),
            "a draw two": cases_of(d for seats in (2, 3, 10) for d in _desks_to_obey(Crd(DrawTwo(), RED), seats)),
            "the deck runs out": tuple(
                case(
                    with_cards_left(desk, left).with_pile((Crd(DrawTwo(), RED), *desk.pile)).with_state(Execute()),
                    chance=left,
                )
                for desk, left in zip(_ONE_CARD_DESKS[:2], (0, 1), strict=True)
            ),
            "fewer than two cards left to draw": tuple(
                case(nearly_empty_desk(desk, left, under))
                for seats in (2, 3)
                for desk in _desks_to_obey(Crd(DrawTwo(), RED), seats)
                for left, under in ((0, 0), (0, 1), (1, 0), (1, 1), (0, 2))
            ),
            "a skip costs no card, even if none is left": cases_of(
                nearly_empty_desk(desk, 0, under) for desk in _desks_to_obey(Crd(Skip(), RED), 2) for under in (0, 1)
            ),
        },
        accepts=accept_same_desk,
        invariant=refuse_changed_cards,
    ),
    "your_turn": Check(
        cases=st.builds(case_with_seed, random_desks(), st.integers(0, 9)),
        count=24,
        facets={
            "something to play": cases_of(map(with_short_deck, first_desks_where(uno.cards_to_play, 5))),
            "nothing to play, a card drawn that fits": cases_of(
                (*map(with_short_deck, _DRAWING_DESKS[0]), *_FITTING_DRAW_DESKS)
            ),
            "nothing to play, a card drawn that does not fit": cases_of(
                map(with_short_deck, _DRAWING_DESKS[1] + _GIVE_DRAWING_DESKS)
            ),
            "a skip or draw two to obey": cases_of(map(with_short_deck, _OBEYING_DESKS[:5])),
            "a skip or draw two answered": cases_of(
                map(
                    with_short_deck,
                    first_desks_where(lambda desk: desk.state == Execute() and uno.cards_to_play(desk), 3),
                )
            ),
            "no deck left": tuple(case(with_cards_left(desk, 0), chance=2) for desk in _DRAWING_DESKS[1][:2]),
            "no card left to draw": (
                *cases_of(
                    nearly_empty_desk(desk, 0, 0)
                    for desk in _DRAWING_DESKS[1][:2] + _GIVE_DRAWING_DESKS + _OBEYING_DESKS[:3]
                ),
                *cases_of(nearly_empty_desk(small_desk(2, SEVEN, Proceed(), (NINE,)), 0, under) for under in (0, 1)),
                *cases_of(
                    nearly_empty_desk(small_desk(2, Crd(DrawTwo(), RED), Execute(), (NINE,)), left, 0)
                    for left in (0, 1)
                ),
            ),
            "a strategy that passes": cases_of(
                with_short_deck(with_strategy(d, always_pass)) for d in _PLAYABLE_DESKS[:2] + _DRAWING_DESKS[0][:1]
            ),
        },
        accepts=accept_same_desk,
        invariant=refuse_changed_cards,
    ),
    "player_loss": Check(count=50),
    "check_winner": Check(
        count=20,
        facets={
            "a finished game": cases_of(
                map(
                    with_short_deck,
                    tuple(desks_of_game(seats, seed)[-1] for seats, seed in ((2, 0), (3, 0), (4, 0), (10, 0))),
                )
            ),
            "the winner anywhere in the list": tuple(
                case(Desk(players[n:] + players[:n], (NINE,), (), Proceed(), CLOCKWISE, ()))
                for players in (tuple(p.with_cards(MIXED_HAND[:k]) for k, p in enumerate(seated_players(4))),)
                for n in range(4)
            ),
            "two players without cards: the first of them": tuple(
                case(Desk(players[n:] + players[:n], (NINE,), (), Proceed(), CLOCKWISE, ()))
                for empty in (range(2), range(0, 4, 2), range(1, 4))
                for players in (
                    tuple(p.with_cards(MIXED_HAND[k:4] * (k not in empty)) for k, p in enumerate(seated_players(4))),
                )
                for n in range(4)
            ),
            "no winner yet": cases_of(map(with_short_deck, first_desks_where(lambda desk: True, 4))),
            "a hand worth 0 points is not empty": cases_of(
                with_hand(small_desk(seats, SEVEN, Proceed(), ()), (Crd(Num(0), RED),)) for seats in (2, 3)
            ),
        },
    ),
    "game": Check(
        cases=st.builds(
            lambda seats, seed: case(seated_players(seats, NAIVE_STRATEGY), chance=seed),
            st.integers(2, 6),
            st.integers(0, 9),
        ),
        count=3,
        facets={
            "two players": (case(seated_players(2, NAIVE_STRATEGY), chance=1), case(seated_players(2), chance=5)),
            "ten players, one who switches to automatic": (
                case(ten_players(NAIVE_STRATEGY), typed=("0", "0", "-1"), chance=4),
            ),
            "a person plays for a while": (
                case(
                    (Player("Igor", (), NAIVE_STRATEGY, True), *seated_players(2, NAIVE_STRATEGY)),
                    typed=("0", "0", "0", "1", "0", "-1"),
                    chance=1,
                ),
            ),
            "a long game (296 turns)": (
                case(seated_players(2, deep_thinker), chance=3107),
                case(seated_players(3, NAIVE_STRATEGY), chance=2),
            ),
            "a game of more than a thousand turns": (
                case(seated_players(2, long_winded), chance=2),
                case(seated_players(2, NAIVE_STRATEGY), chance=2),
            ),
        },
        invariant=refuse_unfair_game,
    ),
}
CHECKS = {}
for _name, _check in _CHECKS.items():  # the smallest cases first
    _facets = {
        rule: special if isinstance(special, Joint) else tuple(sorted(special, key=lambda each: len(repr(each.args))))
        for rule, special in _check.facets.items()
    }
    CHECKS[_name] = replace(_check, facets=_facets)
