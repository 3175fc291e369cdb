def is_sound(deck, floor, hand, scored):
    rest = [*deck, *floor, *hand, *scored]
    for card in produce_unshuffled_deck():
        if card not in rest:
            return False
        rest.remove(card)
    return not rest


def capture(floor, card):
    for size in range(len(floor), 0, -1):
        for some in combinations(floor[::-1], size):
            if sum(each.rank for each in some) == card.rank:
                return (*capture(remove_cards(floor, some), card), some)
    return ()


def is_game_over(deck, floor, hand):
    match deck, floor, hand:
        case (_, _, ()) | ((), (), _):
            return True
        case _, (_, _, _, _, _, _, *_), _:
            return all(capture(floor, card) == () for card in hand)
    return False


def produce_shuffled_deck():
    deck = list(produce_unshuffled_deck())
    for last in range(len(deck) - 1, 0, -1):
        place = get_random_int(last + 1) - 1
        deck[last], deck[place] = deck[place], deck[last]
    return tuple(deck)


def sort(cards):
    done = []
    for card in cards:
        place = sum(comes_before(each, card) for each in done)
        done[place:place] = [card]
    return (*done,)


def produce_all_captures(floor, card):
    sums = {0: [()]}
    for each in floor:
        longer = {total + each.rank: [(*some, each) for some in ways] for total, ways in sums.items()}
        sums = {total: sums.get(total, []) + longer.get(total, []) for total in {*sums, *longer} if total <= card.rank}
    return tuple(some for some in sums.get(card.rank, []) if some)
