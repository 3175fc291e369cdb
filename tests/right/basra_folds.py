"""Basra by folds; captures come out backwards, and the shuffle inserts cards instead of drawing them."""

from course.basra import *


def is_sound(deck, floor, hand, scored):
    def take(left, card):
        return remove_cards(left, (card,))

    cards = deck + floor + hand + scored
    return len(cards) == 52 and fold_left(take, produce_unshuffled_deck(), cards) == ()


def capture(floor, card):
    total = lambda cards: sum(each.rank for each in cards)
    add = lambda sublists, each: sublists + tuple((each, *some) for some in sublists)
    candidates = [some for some in fold_left(add, ((),), floor) if total(some) == card.rank]

    def take(taken, some):
        return taken if any(each in other for other in taken for each in some) else (some, *taken)

    return fold_left(take, (), sorted(candidates, key=len, reverse=True))


def is_game_over(deck, floor, hand):
    can_play = len(floor) < 6 or fold_left(lambda found, card: found or capture(floor, card) != (), False, hand)
    return hand == () or deck + floor == () or not can_play


def produce_shuffled_deck():
    def insert(cards, card):
        place = get_random_int(len(cards) + 1) - 1
        return (*cards[:place], card, *cards[place:])

    return fold_left(insert, (), produce_unshuffled_deck())


def sort(cards):
    def merge(left, right):
        match left, right:
            case (), _:
                return right
            case _, ():
                return left
            case (one, *more), (other, *_) if comes_before(one, other):
                return (one, *merge(tuple(more), right))
            case _, (other, *more):
                return (other, *merge(left, tuple(more)))

    match cards:
        case () | (_,):
            return cards
        case _:
            return merge(sort(cards[::2]), sort(cards[1::2]))


def produce_all_captures(floor, card):
    def add(pairs, each):
        larger = tuple((rank + each.rank, (each, *some)) for rank, some in pairs if rank + each.rank <= card.rank)
        return pairs + larger

    return tuple(some for rank, some in fold_left(add, ((0, ()),), floor) if rank == card.rank)
