def swap_ends(hand):
    return hand[-1:] + hand[1:-1] + hand[:1] if hand[1:] else hand


def penalty(card):
    costs = {Joker: lambda _: 20, Number: lambda c: c.n if c.suit is Suit.HEARTS else 0}
    of_face = lambda c: 13 if (c.court, c.suit) == (Court.QUEEN, Suit.SPADES) else 10 * (c.suit is Suit.HEARTS)
    return costs.get(type(card), of_face)(card)


def riffle(left, right):
    pairs = [one for pair in zip(left, right) for one in pair]
    return (*pairs, *left[len(right) :], *right[len(left) :])


def riffles_to_restore(cards):
    return next(n for n in range(1, cards) if pow(2, n, cards - 1) == 1)


def penalties(hand):
    return (*filter(None, map(penalty, hand)),)


def winning_card(trick):
    from functools import reduce

    return reduce(lambda best, card: (best, card)[beats(card, best)], trick)


def pile_up(cards):
    pile = Table()
    while cards:
        *cards, last = cards
        pile = On(last, pile)
    return pile


def kindest_rule(hand, rules):
    totals = [sum(rule(card) for card in hand) for rule in rules]
    return rules[totals.index(min(totals))]


def least_penalty(led, hand):
    return (sorted(penalty(card) for card in hand if goes_with(led, card)) or [None])[0]


def charge(player, trick):
    return type(player)(**(vars(player) | {"score": sum(map(penalty, trick), player.score)}))
