"""The warm-up by a beginner who knows loops, `isinstance` and slices."""

from course.warmup import *


def swap_ends(hand):
    if len(hand) <= 1:
        return hand
    cards = list(hand)
    cards[0], cards[-1] = cards[-1], cards[0]
    return tuple(cards)


def penalty(card):
    if isinstance(card, Joker):
        return 20
    if card == Face(QUEEN, SPADES):
        return 13
    if card.suit == HEARTS:
        if isinstance(card, Face):
            return 10
        return card.n
    return 0


def riffle(left, right):
    cards = []
    for i in range(max(len(left), len(right))):
        if i < len(left):
            cards.append(left[i])
        if i < len(right):
            cards.append(right[i])
    return tuple(cards)


def riffles_to_restore(cards):
    place = 2
    count = 1
    while place != 1:
        place = 2 * place
        if place >= cards:
            place -= cards - 1
        count += 1
    return count


def penalties(hand):
    costs = []
    for card in hand:
        if penalty(card) != 0:
            costs.append(penalty(card))
    return tuple(costs)


def winning_card(trick):
    best = trick[0]
    for card in trick[1:]:
        if beats(card, best):
            best = card
    return best


def pile_up(cards):
    pile = Table()
    for card in reversed(cards):
        pile = On(card, pile)
    return pile


def kindest_rule(hand, rules):
    kindest, least = None, None
    for rule in rules:
        cost = 0
        for card in hand:
            cost += rule(card)
        if least is None or cost < least:
            kindest, least = rule, cost
    return kindest


@curry
def goes_with(led, card):
    if isinstance(card, Joker):
        return True
    return card.suit == led


def total_penalty(hand):
    total = 0
    for card in hand:
        total += penalty(card)
    return total


def least_penalty(led, hand):
    least = None
    for card in hand:
        if goes_with(led, card) and (least is None or penalty(card) < least):
            least = penalty(card)
    return least


def charge(player, trick):
    score = player.score
    for card in trick:
        score += penalty(card)
    return Player(player.name, player.hand, score)
