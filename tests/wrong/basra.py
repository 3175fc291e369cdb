"""Plausible mistakes in Basra, each named for what its author believes."""

from course.basra import *


def capture__same_rank_only(floor, card):
    """Only cards of the same rank are captured."""
    return tuple((each,) for each in floor if each.rank == card.rank)


def capture__sums_only(floor, card):
    """A sum needs two cards or more."""
    many = (some for n in range(2, len(floor) + 1) for some in combinations(floor, n))
    found = next((some for some in many if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else (found,)


def capture__pairs_at_most(floor, card):
    """A sum has two summands."""
    single = tuple((each,) for each in floor if each.rank == card.rank)
    left = tuple(each for each in floor if each.rank != card.rank)
    pairs = ()
    for one, other in combinations(left, 2):
        if one.rank + other.rank == card.rank and not any(one in pair or other in pair for pair in pairs):
            pairs += ((one, other),)
    return single + pairs


def capture__overlapping(floor, card):
    """All captures are given, also those that share cards."""
    sublists = (some for n in range(1, len(floor) + 1) for some in combinations(floor, n))
    return tuple(some for some in sublists if sum(each.rank for each in some) == card.rank)


def capture__first_only(floor, card):
    """One capture in a round is enough."""
    sublists = (some for n in range(1, len(floor) + 1) for some in combinations(floor, n))
    return tuple(some for some in sublists if sum(each.rank for each in some) == card.rank)[:1]


def capture__with_the_played_card(floor, card):
    """The played card is captured too."""
    sublists = [some for n in range(1, len(floor) + 1) for some in combinations(floor, n)]
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else ((*found, card),)


def capture__one_flat_tuple(floor, card):
    """What is captured is just cards."""
    sublists = [some for n in range(1, len(floor) + 1) for some in combinations(floor, n)]
    return next((some for some in sublists if sum(each.rank for each in some) == card.rank), ())


def capture__with_an_empty_sublist(floor, card):
    """The search ends with an empty capture."""
    taken, found = set(), ()
    for n in range(1, len(floor) + 1):
        for some in combinations(floor, n):
            if sum(each.rank for each in some) == card.rank and not taken & set(some):
                taken |= set(some)
                found += (some,)
    return (*found, ())


def capture__no_sums_of_picture_cards(floor, card):
    """Jack, queen and king capture only their like, and are in no sums."""
    if card.rank > 10:
        return tuple((each,) for each in floor if each.rank == card.rank)
    taken, found = set(), ()
    for n in range(1, len(floor) + 1):
        for some in combinations(floor, n):
            if sum(each.rank for each in some) == card.rank and not taken & set(some):
                taken |= set(some)
                found += (some,)
    return found


def capture__picture_cards_count_ten(floor, card):
    """All picture cards are worth ten."""
    worth = lambda each: min(each.rank, 10)
    taken, found = set(), ()
    for n in range(1, len(floor) + 1):
        for some in combinations(floor, n):
            if sum(map(worth, some)) == worth(card) and not taken & set(some):
                taken |= set(some)
                found += (some,)
    return found


def capture__same_suit_only(floor, card):
    """Cards capture within their suit."""
    taken, found = set(), ()
    for n in range(1, len(floor) + 1):
        for some in combinations([each for each in floor if each.suit is card.suit], n):
            if sum(each.rank for each in some) == card.rank and not taken & set(some):
                taken |= set(some)
                found += (some,)
    return found


def capture__neighbours_only(floor, card):
    """The cards of a sum lie side by side."""
    start, found = 0, ()
    while start < len(floor):
        runs = [floor[start:end] for end in range(start + 1, len(floor) + 1)]
        run = next((run for run in runs if sum(each.rank for each in run) == card.rank), None)
        found, start = (found, start + 1) if run is None else ((*found, run), start + len(run))
    return found


def capture__greedy_sum(floor, card):
    """Take every card that still fits, from left to right, and hope."""
    found, taken, total = (), (), 0
    for each in floor:
        if total + each.rank <= card.rank:
            taken, total = (*taken, each), total + each.rank
        if total == card.rank:
            found, taken, total = (*found, taken), (), 0
    return found


def capture__none_for_nothing(floor, card):
    """No capture is no answer."""
    sublists = (some for n in range(1, len(floor) + 1) for some in combinations(floor, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    if found is None:
        return None
    captures = [found]
    rest = remove_cards(floor, found)
    while True:
        sublists = (some for n in range(1, len(rest) + 1) for some in combinations(rest, n))
        found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
        if found is None:
            return tuple(captures)
        captures.append(found)
        rest = remove_cards(rest, found)


def is_game_over__only_the_hand(deck, floor, hand):
    """The game ends with the hand."""
    return not hand


def is_game_over__deck_is_enough(deck, floor, hand):
    """Without a deck the game is over."""
    return not deck or not hand or (len(floor) >= 6 and not any(capture(floor, card) for card in hand))


def is_game_over__deck_or_floor_empty(deck, floor, hand):
    """One of the two being empty is enough."""
    return not hand or not deck or not floor or (len(floor) >= 6 and not any(capture(floor, card) for card in hand))


def is_game_over__empty_hand_forgotten(deck, floor, hand):
    """A hand is never empty."""
    return not (deck or floor) or bool(hand) and len(floor) >= 6 and not any(capture(floor, card) for card in hand)


def is_game_over__deck_and_floor_forgotten(deck, floor, hand):
    """As long as there is a card in the hand, it can be played."""
    return not hand or (len(floor) >= 6 and not any(capture(floor, card) for card in hand))


def is_game_over__exactly_six(deck, floor, hand):
    """Six is six."""
    return not hand or not (deck or floor) or (len(floor) == 6 and not any(capture(floor, card) for card in hand))


def is_game_over__more_than_six(deck, floor, hand):
    """Six cards are still allowed."""
    return not hand or not (deck or floor) or (len(floor) > 6 and not any(capture(floor, card) for card in hand))


def is_game_over__five_are_full(deck, floor, hand):
    """The floor is full with five."""
    return not hand or not (deck or floor) or (len(floor) >= 5 and not any(capture(floor, card) for card in hand))


def is_game_over__six_are_the_end(deck, floor, hand):
    """Six cards on the floor end the game, whatever is in the hand."""
    return not hand or not (deck or floor) or len(floor) >= 6


def is_game_over__one_card_that_captures_nothing(deck, floor, hand):
    """One card of the hand that captures nothing is enough."""
    return not hand or not (deck or floor) or (len(floor) >= 6 and not all(capture(floor, card) for card in hand))


def is_game_over__first_card_only(deck, floor, hand):
    """Only the first card of the hand is looked at."""
    return not hand or not (deck or floor) or (len(floor) >= 6 and not capture(floor, hand[0]))


def is_game_over__same_rank_only(deck, floor, hand):
    """A card that can capture has the rank of one on the floor."""
    ranks = {card.rank for card in floor}
    return not hand or not (deck or floor) or (len(floor) >= 6 and not any(card.rank in ranks for card in hand))


def is_game_over__floor_size_forgotten(deck, floor, hand):
    """If nothing can be captured the game is over, however few cards lie on the floor."""
    return not hand or not (deck or floor) or not any(capture(floor, card) for card in hand)


def is_game_over__truthy(deck, floor, hand):
    """Something that is true is as good as True."""
    return (
        not hand or (not deck and not floor) or (len(floor) >= 6 and [c for c in hand if capture(floor, c)] == [] and 1)
    )


def produce_shuffled_deck__swap_with_any():
    """Swapping every card with any card is a shuffle."""
    deck = list(produce_unshuffled_deck())
    for place in range(52):
        other = get_random_int(52) - 1
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


def produce_shuffled_deck__sattolo():
    """A card must not stay where it is."""
    deck = list(produce_unshuffled_deck())
    for place in range(51, 0, -1):
        other = get_random_int(place) - 1
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


def produce_shuffled_deck__random_comparator():
    """Sorting with a coin as comparison is a shuffle."""
    from functools import cmp_to_key

    return tuple(sorted(produce_unshuffled_deck(), key=cmp_to_key(lambda one, other: get_random_int(3) - 2)))


def produce_shuffled_deck__coin_flip_merge_sort():
    """A merge sort that tosses a coin for who goes first is a shuffle."""

    def merged(left, right):
        if not left or not right:
            return left + right
        if get_random_int(2) == 1:
            return (left[0], *merged(left[1:], right))
        return (right[0], *merged(left, right[1:]))

    def mixed(cards):
        if len(cards) < 2:
            return cards
        middle = len(cards) // 2
        return merged(mixed(cards[:middle]), mixed(cards[middle:]))

    return mixed(produce_unshuffled_deck())


def produce_shuffled_deck__coin_flip_quicksort():
    """A quicksort that tosses a coin for each card is a shuffle."""

    def mixed(cards):
        if len(cards) < 2:
            return cards
        middle = len(cards) // 2
        others = [(get_random_int(2), card) for card in cards[:middle] + cards[middle + 1 :]]
        left = tuple(card for side, card in others if side == 1)
        right = tuple(card for side, card in others if side == 2)
        return (*mixed(left), cards[middle], *mixed(right))

    return mixed(produce_unshuffled_deck())


def produce_shuffled_deck__places_from_one():
    """Numbers from one are places: the first card is never drawn while there is another."""
    left, drawn = produce_unshuffled_deck(), ()
    while len(left) > 1:
        place = get_random_int(len(left) - 1)
        left, drawn = left[:place] + left[place + 1 :], (*drawn, left[place])
    return (*drawn, *left)


def produce_shuffled_deck__unshuffled():
    """Any order is random."""
    return produce_unshuffled_deck()


def produce_shuffled_deck__cut():
    """To cut the deck is to shuffle it."""
    deck, place = produce_unshuffled_deck(), get_random_int(52)
    return deck[place:] + deck[:place]


def produce_shuffled_deck__cut_and_turned():
    """To cut the deck and turn it over is to shuffle it."""
    deck, place = produce_unshuffled_deck()[::-1], get_random_int(52)
    return deck[place:] + deck[:place]


def produce_shuffled_deck__a_hundred_swaps():
    """A hundred swaps of random pairs are many."""
    deck = list(produce_unshuffled_deck())
    for _ in range(100):
        one, other = get_random_int(52) - 1, get_random_int(52) - 1
        deck[one], deck[other] = deck[other], deck[one]
    return tuple(deck)


def produce_shuffled_deck__three_riffles():
    """Three riffles are what people do."""
    deck = produce_unshuffled_deck()
    for _ in range(3):
        coins = [get_random_int(2) for _ in deck]
        cut = coins.count(1)
        left, right = iter(deck[:cut]), iter(deck[cut:])
        deck = tuple(next(left if coin == 1 else right) for coin in coins)
    return deck


def produce_shuffled_deck__keys_too_few():
    """Sorting by a random number from 1 to 52 for each card is fair."""
    keys = [get_random_int(52) for _ in range(52)]
    return tuple(card for _, _, card in sorted(zip(keys, range(52), produce_unshuffled_deck())))


def produce_shuffled_deck__with_replacement():
    """A card that is drawn goes back."""
    deck = produce_unshuffled_deck()
    return tuple(deck[get_random_int(52) - 1] for _ in deck)


def produce_shuffled_deck__loses_a_card():
    """The last card need not be drawn."""
    left, drawn = produce_unshuffled_deck(), ()
    while len(left) > 1:
        place = get_random_int(len(left)) - 1
        left, drawn = left[:place] + left[place + 1 :], (*drawn, left[place])
    return drawn


def produce_shuffled_deck__suit_by_suit():
    """Each suit is shuffled by itself."""
    drawn = ()
    for start in (0, 13, 26, 39):
        left = produce_unshuffled_deck()[start : start + 13]
        while left:
            place = get_random_int(len(left)) - 1
            left, drawn = left[:place] + left[place + 1 :], (*drawn, left[place])
    return drawn


def produce_shuffled_deck__a_list():
    """A list is as good as a tuple."""
    left, drawn = list(produce_unshuffled_deck()), []
    while left:
        drawn.append(left.pop(get_random_int(len(left)) - 1))
    return drawn


def produce_shuffled_deck__always_the_same():
    """A shuffle is an order that looks random."""
    deck = produce_unshuffled_deck()
    return tuple(deck[(17 * place + 5) % 52] for place in range(52))


def sort__by_rank_first(cards):
    """Ranks matter more than suits."""
    return tuple(sorted(cards, key=lambda card: (card.rank, card.suit.value)))


def sort__by_suit_only(cards):
    """Cards of a suit stay as they are."""
    return tuple(sorted(cards, key=lambda card: card.suit.value))


def sort__by_rank_only(cards):
    """Suits do not matter."""
    return tuple(sorted(cards, key=lambda card: card.rank))


def sort__descending(cards):
    """Best cards first."""
    return tuple(sorted(cards, key=lambda card: (card.suit.value, card.rank), reverse=True))


def sort__suits_by_name(cards):
    """Suits come in alphabetical order."""
    return tuple(sorted(cards, key=lambda card: (card.suit.name, card.rank)))


def sort__ace_high(cards):
    """The ace is above the king."""
    return tuple(sorted(cards, key=lambda card: (card.suit.value, 14 if card.rank == 1 else card.rank)))


def sort__one_pass(cards):
    """Swapping neighbours once brings everything into order."""
    cards = list(cards)
    for place in range(len(cards) - 1):
        if comes_before(cards[place + 1], cards[place]):
            cards[place], cards[place + 1] = cards[place + 1], cards[place]
    return tuple(cards)


def sort__pivot_lost(cards):
    """The pivot has done its work and can go."""

    def quick(cards):
        if len(cards) < 2:
            return cards
        pivot = cards[len(cards) // 2]
        left = tuple(card for card in cards if comes_before(card, pivot))
        right = tuple(card for card in cards if comes_before(pivot, card))
        return quick(left) + quick(right)

    return quick(cards)


def sort__pivot_left_in(cards):
    """The pivot belongs to the left list, as some books have it."""

    def quick(cards):
        if len(cards) < 2:
            return cards
        pivot = cards[len(cards) // 2]
        left = tuple(card for card in cards if not comes_before(pivot, card))
        right = tuple(card for card in cards if comes_before(pivot, card))
        return quick(left) + quick(right)

    return quick(cards)


def sort__parts_not_sorted(cards):
    """Once split at the pivot, cards are in order."""
    if len(cards) < 2:
        return cards
    middle = len(cards) // 2
    pivot, others = cards[middle], cards[:middle] + cards[middle + 1 :]
    left = tuple(card for card in others if comes_before(card, pivot))
    right = tuple(card for card in others if comes_before(pivot, card))
    return (*left, pivot, *right)


def sort__halves_not_merged(cards):
    """Two sorted halves put together are sorted."""

    def halves(cards):
        if len(cards) < 2:
            return cards
        if len(cards) == 2:
            return cards if comes_before(*cards) else cards[::-1]
        middle = len(cards) // 2
        return halves(cards[:middle]) + halves(cards[middle:])

    return halves(cards)


def sort__merge_drops_the_rest(cards):
    """When one half is empty the merge is done."""

    def merged(left, right):
        if not left or not right:
            return ()
        if comes_before(left[0], right[0]):
            return (left[0], *merged(left[1:], right))
        return (right[0], *merged(left, right[1:]))

    def halves(cards):
        if len(cards) < 2:
            return cards
        middle = len(cards) // 2
        return merged(halves(cards[:middle]), halves(cards[middle:]))

    return halves(cards)


def sort__empty_forgotten(cards):
    """There is always a card."""

    def quick(cards):
        if len(cards) == 1:
            return cards
        first, others = cards[0], cards[1:]
        left = tuple(card for card in others if comes_before(card, first))
        right = tuple(card for card in others if comes_before(first, card))
        return (*(quick(left) if left else ()), first, *(quick(right) if right else ()))

    return quick(cards)


def sort__a_list(cards):
    """A list is as good as a tuple."""
    return sorted(cards, key=lambda card: (card.suit.value, card.rank))


def produce_all_captures__without_overlap(floor, card):
    """The same as `capture`."""
    return capture(floor, card)


def produce_all_captures__sums_of_two_at_most(floor, card):
    """A sum has two summands."""
    some = [some for n in (1, 2) for some in combinations(floor, n)]
    return tuple(cards for cards in some if sum(each.rank for each in cards) == card.rank)


def produce_all_captures__no_single_cards(floor, card):
    """A sum needs two cards."""
    some = [some for n in range(2, len(floor) + 1) for some in combinations(floor, n)]
    return tuple(cards for cards in some if sum(each.rank for each in cards) == card.rank)


def produce_all_captures__not_the_whole_floor(floor, card):
    """One card must stay."""
    some = [some for n in range(1, len(floor)) for some in combinations(floor, n)]
    return tuple(cards for cards in some if sum(each.rank for each in cards) == card.rank)


def produce_all_captures__with_the_empty_one(floor, card):
    """To capture nothing is a choice too."""
    some = [some for n in range(len(floor) + 1) for some in combinations(floor, n)]
    return tuple(cards for cards in some if not cards or sum(each.rank for each in cards) == card.rank)


def produce_all_captures__neighbours_only(floor, card):
    """The cards of a sum lie side by side."""
    runs = [floor[start:end] for start in range(len(floor)) for end in range(start + 1, len(floor) + 1)]
    return tuple(run for run in runs if sum(each.rank for each in run) == card.rank)


def produce_all_captures__cards_used_twice(floor, card):
    """A card may be taken again for the same sum."""

    def adding_up(wanted, cards):
        if wanted == 0:
            return ((),)
        if wanted < 0 or not cards:
            return ()
        with_first = tuple((cards[0], *some) for some in adding_up(wanted - cards[0].rank, cards))
        return with_first + adding_up(wanted, cards[1:])

    return adding_up(card.rank, floor)


def produce_all_captures__one_for_each_first_card(floor, card):
    """Each card of the floor begins one capture."""
    found = ()
    for place, first in enumerate(floor):
        rest = floor[place + 1 :]
        some = [(first, *others) for n in range(len(rest) + 1) for others in combinations(rest, n)]
        found += tuple(cards for cards in some if sum(each.rank for each in cards) == card.rank)[:1]
    return found


def produce_all_captures__not_more_than_three(floor, card):
    """Sums have three summands at the most, as in the example."""
    some = [some for n in (1, 2, 3) for some in combinations(floor, n)]
    return tuple(cards for cards in some if sum(each.rank for each in cards) == card.rank)


def produce_all_captures__up_to_the_rank(floor, card):
    """What stays below the rank can be captured as well."""
    some = [some for n in range(1, len(floor) + 1) for some in combinations(floor, n)]
    return tuple(cards for cards in some if sum(each.rank for each in cards) <= card.rank)
