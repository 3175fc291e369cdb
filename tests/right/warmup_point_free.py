"""The warm-up by somebody who avoids naming arguments: folds, comprehensions, tables, iterators and partial functions."""

from functools import partial, reduce
from itertools import accumulate, chain, count, zip_longest

from course.warmup import *

COSTS = (
    {Number(n, HEARTS): n for n in range(1, 11)}
    | {Face(court, HEARTS): 10 for court in Court}
    | {Face(QUEEN, SPADES): 13, Joker(): 20}
)
NOBODY = object()


def swap_ends(hand):
    return hand[-1:] + hand[1:-1] + hand[:1] if hand[1:] else hand


penalty = lambda card: COSTS.get(card, 0)


def riffle(left, right):
    return tuple(card for card in chain(*zip_longest(left, right, fillvalue=NOBODY)) if card is not NOBODY)


def riffles_to_restore(cards):
    return next(n for n in count(1) if pow(2, n, cards - 1) == 1)


penalties = compose(tuple, partial(filter, None), partial(map, penalty))


winning_card = partial(reduce, lambda best, card: card if beats(card, best) else best)


def pile_up(cards):
    return fold_left(lambda pile, card: On(card, pile), Table(), cards[::-1])


def kindest_rule(hand, rules):
    totals = {rule: fold_left(lambda total, card: total + rule(card), 0, hand) for rule in rules}
    return sorted(rules, key=totals.get)[0]


goes_with = curry(lambda led, card: getattr(card, "suit", led) == led)


total_penalty: Callable[[Hand], int] = lambda hand: fold_right(lambda card, total: penalty(card) + total, 0, hand)


def least_penalty(led, hand):
    costs = sorted(penalty(card) for card in hand if goes_with(led)(card))
    return costs[0] if costs else None


def charge(player, trick):
    *_, score = accumulate(map(penalty, trick), initial=player.score)
    return replace(player, score=score)
