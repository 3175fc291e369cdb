from course.basra import *


def is_sound(deck: Deck, floor: Floor, hand: Hand, scored: Scored) -> bool:
    cards = deck + floor + hand + scored
    return len(cards) == 52 and all(card in cards for card in produce_unshuffled_deck())


def capture(floor: Floor, card: Card) -> Captures:
    one = next(
        (
            some
            for length in range(1, len(floor) + 1)
            for some in combinations(floor, length)
            if sum(taken.rank for taken in some) == card.rank
        ),
        None,
    )
    return () if one is None else (one, *capture(remove_cards(floor, one), card))


def is_game_over(deck: Deck, floor: Floor, hand: Hand) -> bool:
    return not hand or not (deck or floor) or (len(floor) >= 6 and not any(capture(floor, card) for card in hand))


def produce_shuffled_deck() -> Deck:
    def draw_all(cards: Deck) -> Deck:
        if not cards:
            return ()
        place = get_random_int(len(cards)) - 1
        return (cards[place], *draw_all(cards[:place] + cards[place + 1 :]))

    return draw_all(produce_unshuffled_deck())


def sort(cards: Cards) -> Cards:
    match cards:
        case () | (_,):
            return cards
    middle = len(cards) // 2
    pivot, others = cards[middle], cards[:middle] + cards[middle + 1 :]
    left = tuple(card for card in others if comes_before(card, pivot))
    right = tuple(card for card in others if not comes_before(card, pivot))
    return (*sort(left), pivot, *sort(right))


def produce_all_captures(floor: Floor, card: Card) -> Captures:
    return tuple(
        some
        for length in range(1, len(floor) + 1)
        for some in combinations(floor, length)
        if sum(taken.rank for taken in some) == card.rank
    )
