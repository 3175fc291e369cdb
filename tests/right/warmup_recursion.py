"""The warm-up by recursion and `match` alone, mostly in tail calls."""

from course.warmup import *


def swap_ends(hand):
    match hand:
        case (first, *middle, last):
            return (last, *middle, first)
        case _:
            return hand


def penalty(card):
    match card:
        case Number(n, Suit.HEARTS):
            return n
        case Face(suit=Suit.HEARTS):
            return 10
        case Face(court=Court.QUEEN, suit=Suit.SPADES):
            return 13
        case Number() | Face():
            return 0
        case Joker():
            return 20


def riffle(left, right):
    @tail_recursive
    def fall(done, here, there):
        match here:
            case ():
                return (*done, *there)
            case (first, *rest):
                return recur((*done, first), there, rest)

    return fall((), left, right)


def riffles_to_restore(cards):
    @tail_recursive
    def back(place, riffles=0):
        if place == 1 and riffles > 0:
            return riffles
        return recur(place // 2 if place % 2 == 0 else (place + cards - 1) // 2, riffles + 1)

    return back(1)


def penalties(hand):
    if hand == ():
        return ()
    cost, others = penalty(hand[0]), penalties(hand[1:])
    return (cost, *others) if cost else others


@tail_recursive
def winning_card(trick):
    match trick:
        case (best,):
            return best
        case (best, card, *others):
            return recur((card if beats(card, best) else best, *others))


def pile_up(cards):
    match cards:
        case ():
            return Table()
        case (first, *rest):
            return On(first, pile_up(rest))


def kindest_rule(hand, rules):
    def total(rule, cards):
        return rule(cards[0]) + total(rule, cards[1:]) if cards else 0

    def kindest(first, *others):
        if not others:
            return first
        other = kindest(*others)
        return other if total(other, hand) < total(first, hand) else first

    return kindest(*rules)


def goes_with(led, *cards):
    def follows(card):
        match card:
            case Joker():
                return True
            case Number(_, suit) | Face(_, suit):
                return suit is led

    return follows(*cards) if cards else follows


def total_penalty(hand):
    return penalty(hand[0]) + total_penalty(hand[1:]) if hand else 0


def least_penalty(led, hand):
    @tail_recursive
    def search(cards, least):
        match cards:
            case ():
                return least
            case (card, *rest) if not goes_with(led, card):
                return recur(rest, least)
            case (card, *rest) if least is None or penalty(card) < least:
                return recur(rest, penalty(card))
            case (_, *rest):
                return recur(rest, least)

    return search(hand, None)


def charge(player, trick):
    match player, trick:
        case _, ():
            return player
        case Player(name, hand, score), (card, *others):
            return charge(Player(name, hand, score + penalty(card)), others)
