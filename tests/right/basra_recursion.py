"""Basra by recursion: searches that say None, a shuffle by random keys, and a quicksort around the first card."""

from course.basra import *


def is_sound(deck, floor, hand, scored):
    @tail_recursive
    def without(cards, left):
        match cards:
            case ():
                return left == ()
            case (card, *others) if card in left:
                return recur(tuple(others), remove_cards(left, (card,)))
            case _:
                return False

    return without(deck + floor + hand + scored, produce_unshuffled_deck())


def capture(floor, card):
    def search(wanted, cards):
        match cards:
            case _ if wanted == 0:
                return ()
            case (Card(_, rank) as first, *rest) if rank <= wanted:
                found = search(wanted - rank, tuple(rest))
                return search(wanted, tuple(rest)) if found is None else (first, *found)
            case (_, *rest):
                return search(wanted, tuple(rest))
            case _:
                return None

    @tail_recursive
    def collect(left, captures):
        match search(card.rank, left):
            case None:
                return captures
            case found:
                return recur(remove_cards(left, found), (*captures, found))

    return collect(floor, ())


def is_game_over(deck, floor, hand):
    match deck, floor, hand:
        case (_, _, ()) | ((), (), _):
            return True
        case _, (_, _, _, _, _, _, *_), _:
            return all(map(lambda card: capture(floor, card) == (), hand))
        case _:
            return False


def produce_shuffled_deck():
    keys = [get_random_int(10**12) for _ in range(52)]
    return tuple(card for _, card in sorted(zip(keys, produce_unshuffled_deck()), key=lambda pair: pair[0]))


def sort(cards):
    if not cards:
        return ()
    (first, *rest) = cards
    before = tuple(filter(lambda card: comes_before(card, first), rest))
    after = tuple(filter(lambda card: not comes_before(card, first), rest))
    return sort(before) + (first,) + sort(after)


def produce_all_captures(floor, card):
    if card.rank == 0:
        return ((),)
    if not floor or card.rank < 0:
        return ()
    first, rest = floor[0], floor[1:]
    smaller = produce_all_captures(rest, Card(card.suit, card.rank - first.rank))
    return tuple((*some, first) for some in smaller) + produce_all_captures(rest, card)
