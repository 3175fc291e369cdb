"""Basra by a beginner who knows loops, lists and sets."""

from course.basra import *


def is_sound(deck, floor, hand, scored):
    missing = list(produce_unshuffled_deck())
    for place in [deck, floor, hand, scored]:
        for card in place:
            if card not in missing:
                return False
            missing.remove(card)
    return len(missing) == 0


def find_capture(floor, wanted):
    for mask in range(1, 2 ** len(floor)):
        chosen = []
        total = 0
        for i in range(len(floor)):
            if mask >> i & 1:
                chosen.append(floor[i])
                total += floor[i].rank
        if total == wanted:
            return chosen
    return []


def capture(floor, card):
    left = list(floor)
    result = []
    while True:
        chosen = find_capture(left, card.rank)
        if not chosen:
            return tuple(result)
        result.append(tuple(chosen))
        for each in chosen:
            left.remove(each)


def is_game_over(deck, floor, hand):
    if len(hand) == 0:
        return True
    if len(deck) == 0 and len(floor) == 0:
        return True
    if len(floor) >= 6:
        for card in hand:
            if len(capture(floor, card)) > 0:
                return False
        return True
    return False


def produce_shuffled_deck():
    deck = list(produce_unshuffled_deck())
    for i in range(51, 0, -1):
        j = get_random_int(i + 1) - 1
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


def merge(left, right):
    result = []
    i = j = 0
    while i < len(left) and j < len(right):
        if comes_before(left[i], right[j]):
            result.append(left[i])
            i += 1
        else:
            result.append(right[j])
            j += 1
    return tuple(result) + tuple(left[i:]) + tuple(right[j:])


def sort(cards):
    if len(cards) <= 1:
        return cards
    half = len(cards) // 2
    return merge(sort(cards[:half]), sort(cards[half:]))


def produce_all_captures(floor, card):
    result = []
    for mask in range(1, 2 ** len(floor)):
        chosen = tuple(floor[i] for i in range(len(floor)) if mask >> i & 1)
        if sum(each.rank for each in chosen) == card.rank:
            result.append(chosen)
    return tuple(result)
