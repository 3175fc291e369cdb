"""Uno in expressions: folds, comprehensions, tables of functions, composition; hardly a statement."""

from functools import partial, reduce
from itertools import accumulate, chain, product, repeat, takewhile

from course.uno import *


@curry
def precedes(equal, items, first, second):
    rank = lambda value: min((i for i, item in enumerate(items) if equal(value, item)), default=len(items))
    return rank(first) < len(items) and rank(first) <= rank(second)


color_is_lt = curry(partial(precedes, is_same_color, COLORS))

rank_is_lt = curry(lambda first, second: precedes(is_same_rank, RANKS, first, second))


def is_lt(first, second):
    height = lambda card: {Crd: 0, Wild: 1, WildDrawFour: 2}[type(card)]
    if height(first) != height(second) or height(first):
        return height(first) <= height(second)
    same = is_same_color(first.color, second.color)
    return rank_is_lt(first.rank, second.rank) if same else color_is_lt(first.color, second.color)


card_sort = partial(merge_sort, is_lt)


def card_value(card):
    return getattr(card.rank, "number", 20) if isinstance(card, Crd) else 50


sum_cards = compose(sum, partial(map, card_value))

opposite_dir = {CLOCKWISE: COUNTERCLOCKWISE, COUNTERCLOCKWISE: CLOCKWISE}.__getitem__


def remove_card(cards, card, error):
    before = tuple(takewhile(lambda other: not is_same_card(other, card), cards))
    if len(before) == len(cards):
        raise error
    return before + cards[len(before) + 1 :]


def card_count(card):
    return 4 if card in WILDS else 1 if card_value(card) == 0 else 2


deck = tuple(
    chain.from_iterable(
        repeat(card, card_count(card)) for card in chain(WILDS, (Crd(*face) for face in product(RANKS, COLORS)))
    )
)


def deal(players):
    print(f"\nPlayer {players[0].name} deals.")
    cards = shuffle_list(deck)
    *hands, rest = accumulate(players, lambda left, _: left[7:], initial=cards)
    served = tuple(player.with_cards(left[:7]) for player, left in zip(players, hands))
    return Desk(served, rest[:1], rest[1:], Proceed(), CLOCKWISE, ())


def is_sound(desk):
    cards = fold_left(lambda found, player: found + player.cards, desk.pile + desk.deck, desk.players)
    return sorted(map(repr, cards)) == sorted(map(repr, deck))


def next_player(desk):
    step = desk.direction.value
    return whose_turn(desk.with_players(desk.players[step:] + desk.players[:step]))


def desk_normalize(desk):
    again = lambda cards: desk_normalize(desk.with_pile(cards[:1]).with_deck(cards[1:]))
    if desk.pile[0] in WILDS:
        return again(shuffle_list(desk.pile + desk.deck))
    return {
        Num: next_player,
        Reverse: lambda desk: whose_turn(desk.with_direction(opposite_dir(desk.direction))),
        Skip: lambda desk: next_player(desk.with_state(Execute())),
        DrawTwo: lambda desk: next_player(desk.with_state(Execute())),
    }[type(desk.pile[0].rank)](desk)


def draw(desk):
    if not desk.deck and not desk.pile[1:]:
        raise IllegalGame("no cards")
    pile, cards = (desk.pile, desk.deck) if desk.deck else (desk.pile[:1], shuffle_list(desk.pile[1:]))
    player, *others = desk.players
    return Desk(
        (player.with_cards(cards[:1] + player.cards), *others), pile, cards[1:], desk.state, desk.direction, desk.memory
    )


draw_two = compose(*[draw] * 2)

draw_four = compose(*[draw_two] * 2)

playable_when_wild = curry(lambda color, card: card in WILDS or is_same_color(color, card.color))

playable_when_exec = curry(lambda rank, card: card not in WILDS and is_same_rank(rank, card.rank))

playable_when_proc = curry(
    lambda face, card: card in WILDS or is_same_rank(face[0], card.rank) or is_same_color(face[1], card.color)
)


def cards_to_play(desk):
    top = desk.pile[0]
    tests = {
        (Give, True): lambda: playable_when_wild(desk.state.color),
        (Execute, False): lambda: playable_when_exec(top.rank),
        (Proceed, False): lambda: playable_when_proc((top.rank, top.color)),
    }
    test = [make for (kind, wild), make in tests.items() if kind is type(desk.state) and wild is (top in WILDS)]
    if not test:
        raise IllegalGame
    return tuple(card for card in desk.players[0].cards if test[0]()(card))


def required_color(desk):
    if isinstance(desk.state, Give) is isinstance(desk.pile[0], Crd):
        raise IllegalGame
    return (desk.state if isinstance(desk.state, Give) else desk.pile[0]).color


def has_color(color, cards):
    return any(getattr(card, "color", None) is color for card in cards)


count_cards = lambda desk: tuple(len(player.cards) for player in desk.players)


def naive(state, hand, playable, top, direction, memory, counts):
    best = reduce(lambda one, other: other if is_lt(one, other) else one, card_sort(playable))
    return Order(best, shuffle_list(COLORS)[0]) if best in WILDS else Simple(best)


def move_action(move, desk, had_color):
    memo = lambda desk: desk.add_memo(Pass())
    state = lambda state: lambda desk: desk.with_state(state)
    turn = lambda desk: desk.with_direction(opposite_dir(desk.direction))
    if isinstance(move, Order):
        four = (draw_four,) if had_color else (memo, draw_four, next_player)
        steps = (*(four if move.card == WildDrawFour() else ()), state(Give(move.color)))
    else:
        obey = (state(Execute()),)
        steps = {Num: (state(Proceed()),), Reverse: (turn, state(Proceed())), Skip: obey, DrawTwo: obey}[
            type(move.card.rank)
        ]
    return compose(next_player, *steps)(desk)


def ask_player_for_card(player, args):
    move = manual(*args) if player.is_manual else Pass()
    if move != Pass():
        return player, move
    own = player.automate() if player.is_manual else player
    return own, own.strategy(*args)


def play(desk, cards):
    player = desk.players[0]
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    if getattr(move, "card", None) not in cards:
        raise IllegalMove(player.name, args)
    print(f"{player.name} made move", to_string(move), sep="\n")
    hand = remove_card(player.cards, move.card, None)
    return move_action(
        move,
        Desk(
            (asked.with_cards(hand), *desk.players[1:]),
            (move.card, *desk.pile),
            desk.deck,
            desk.state,
            desk.direction,
            shift(move, desk.memory, 10),
        ),
        has_color(required_color(desk), player.cards),
    )


def execution(desk):
    punish = {Skip: lambda desk: desk, DrawTwo: draw_two}[type(desk.pile[0].rank)]
    return next_player(punish(desk.add_memo(Pass()))).with_state(Proceed())


def your_turn(desk):
    pass_or_play = lambda desk: (
        play(desk, cards_to_play(desk)) if cards_to_play(desk) else next_player(desk.add_memo(Pass()))
    )
    if cards_to_play(desk):
        return play(desk, cards_to_play(desk))
    return execution(desk) if desk.state == Execute() else pass_or_play(draw(desk))


player_loss = lambda player: (player.name, sum_cards(player.cards))


def check_winner(desk):
    names = [player.name for player in desk.players if not player.cards]
    return (names[0], tuple(map(player_loss, desk.players))) if names else None


def game(players):
    def desks(desk):
        while True:
            yield desk
            desk = your_turn(desk)

    return next(filter(None, map(check_winner, desks(desk_normalize(deal(players))))))
