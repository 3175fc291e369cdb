"""Plausible mistakes in Basra, each named for what its author believes."""

from course.basra import *


def is_sound__only_counts(deck, floor, hand, scored):
    """If there are 52 cards, all is well.

    There can be 52 of them, and still one that is there twice, while another is missing.
    """
    return len(deck + floor + hand + scored) == 52


def is_sound__as_a_set(deck, floor, hand, scored):
    """If all the cards are there, all is well.

    A set forgets how often a card is there, and that is what goes wrong when one is scored twice.
    """
    return set(deck + floor + hand + scored) == set(produce_unshuffled_deck())


def is_sound__none_twice(deck, floor, hand, scored):
    """If no card is there twice, all is well.

    A card may have got lost on the way: then none is there twice, and still not all are there.
    """
    cards = deck + floor + hand + scored
    return len(set(cards)) == len(cards)


def is_sound__no_strangers_looked_for(deck, floor, hand, scored):
    """If each of the 52 cards is there once, all is well.

    There may be others besides, which nobody has asked about: count how many cards there are in all.
    """
    cards = deck + floor + hand + scored
    return all(cards.count(card) == 1 for card in produce_unshuffled_deck())


def is_sound__any_52(deck, floor, hand, scored):
    """If there are 52 cards and no two are equal, the table is sound.

    One of them may be a card that no game has. Test also which cards they are.
    """
    cards = deck + floor + hand + scored
    return len(cards) == 52 == len(set(cards))


def is_sound__scored_pile_forgotten(deck, floor, hand, scored):
    """Scored cards are out of the game."""
    cards = deck + floor + hand
    return len(cards) == 52 and set(cards) == set(produce_unshuffled_deck())


def is_sound__each_place_by_itself(deck, floor, hand, scored):
    """If no place holds a card twice, and there are 52 in all, all is well.

    A card can be there twice in two places, one on the floor and one in the scored pile, and each place looks fine.
    """
    places = deck, floor, hand, scored
    return sum(map(len, places)) == 52 and all(len(set(cards)) == len(cards) for cards in places)


def is_sound__in_perfect_order(deck, floor, hand, scored):
    """The cards together are the unshuffled deck."""
    return deck + floor + hand + scored == produce_unshuffled_deck()


def is_sound__four_in_the_hand(deck, floor, hand, scored):
    """A hand has four cards.

    Near the end of a game it has fewer, for the deck does not last. How many cards lie where was not asked.
    """
    cards = deck + floor + hand + scored
    return len(hand) == 4 and len(cards) == 52 and set(cards) == set(produce_unshuffled_deck())


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


def capture__sums_of_four_at_most(floor, card):
    """Nobody captures more than four cards at once."""
    sublists = (some for n in range(1, 5) for some in combinations(floor, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else (found, *capture__sums_of_four_at_most(remove_cards(floor, found), card))


def capture__sums_of_five_at_most(floor, card):
    """Nobody captures more than five cards at once."""
    sublists = (some for n in range(1, 6) for some in combinations(floor, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else (found, *capture__sums_of_five_at_most(remove_cards(floor, found), card))


def capture__first_ten_cards_only(floor, card):
    """A floor never has more than ten cards."""
    first = floor[:10]
    sublists = (some for n in range(1, len(first) + 1) for some in combinations(first, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else (found, *capture__first_ten_cards_only(remove_cards(first, found), card))


def capture__overlapping(floor, card):
    """Every sublist of the floor with the right sum is captured.

    A card can be taken only once. After a capture its cards are gone, so the next one can come only from the cards
    that are still on the floor.
    """
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
    """Captures are just cards."""
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
    """A jack, queen or king captures only cards of its own rank.

    That is the rule in some fishing games. Here they count 11, 12 and 13 and add up like any other card. A king
    takes a queen and an ace.
    """
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
    """If you take every card that still fits, you find a sum if there is one.

    A card that fits may be the wrong one. From 1, 4, 8 and 7, a 9 would take the 1 and the 4, and so miss the 1 and
    the 8. Try other choices, too.
    """
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


def capture__not_the_whole_floor(floor, card):
    """`range(1, len(floor))` counts up to the number of cards on the floor.

    A range ends just before its second number, so the whole floor is never tried, not even when it is a single card.
    """
    sublists = (some for n in range(1, len(floor)) for some in combinations(floor, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    if found is None:
        return ()
    return (found, *capture__not_the_whole_floor(remove_cards(floor, found), card))


def capture__same_floor_again(floor, card):
    """Asked a second time, `capture` finds the next capture.

    A function remembers nothing: about the same floor it gives the same answer, and goes on asking without end. Ask it
    about what is left when the captured cards are gone; and if you do, see whether just those have been removed.
    """
    sublists = (some for n in range(1, len(floor) + 1) for some in combinations(floor, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else (found, *capture__same_floor_again(floor, card))


def capture__the_others_as_one(floor, card):
    """`(found, more)` puts `found` in front of the captures in `more`.

    It makes a pair, whose second part is the whole tuple `more` and not the captures in it. Unpack that tuple, so that
    all captures stand side by side.
    """
    sublists = (some for n in range(1, len(floor) + 1) for some in combinations(floor, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else (found, capture__the_others_as_one(remove_cards(floor, found), card))


def capture__loose_cards(floor, card):
    """`found + more` puts the capture `found` in front of those in `more`.

    `+` joins what is inside the two tuples, so the cards of `found` lie loose in the answer. A capture needs a tuple of
    its own around its cards.
    """
    sublists = (some for n in range(1, len(floor) + 1) for some in combinations(floor, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else found + capture__loose_cards(remove_cards(floor, found), card)


def capture__next_without_default(floor, card):
    """`next` gives `None` if the search finds nothing.

    It does so only if `None` is its second argument; without one it raises `StopIteration`. Every search ends that way,
    when nothing more can be captured.
    """
    sublists = (some for n in range(1, len(floor) + 1) for some in combinations(floor, n))
    found = next(some for some in sublists if sum(each.rank for each in some) == card.rank)
    return () if found is None else (found, *capture__next_without_default(remove_cards(floor, found), card))


def is_game_over__only_the_hand(deck, floor, hand):
    """The game ends with the hand."""
    return not hand


def is_game_over__deck_is_enough(deck, floor, hand):
    """Without a deck the game is over."""
    return not deck or not hand or (len(floor) >= 6 and not any(capture(floor, card) for card in hand))


def is_game_over__deck_or_floor_empty(deck, floor, hand):
    """The game is over as soon as the deck or the floor is empty.

    Both have to be empty. `not (deck and floor)` is true even if only one of them is; the rule asks that neither of
    them holds a card.
    """
    return not hand or not deck or not floor or (len(floor) >= 6 and not any(capture(floor, card) for card in hand))


def is_game_over__empty_hand_forgotten(deck, floor, hand):
    """A hand is never empty."""
    return not (deck or floor) or bool(hand) and len(floor) >= 6 and not any(capture(floor, card) for card in hand)


def is_game_over__empty_hand_waits_for_the_deck(deck, floor, hand):
    """An empty hand is filled up from the deck, so the game is over only if the deck is empty, too.

    The rule names the hand alone: as soon as it is empty the game is over, whatever is in the deck.
    """
    stuck = len(floor) >= 6 and not any(capture(floor, card) for card in hand)
    return not hand and not deck or not (deck or floor) or stuck


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
    """If a card of the hand captures nothing, nothing can be played.

    The game goes on as long as one card captures. `not all(...)` says that some card captures nothing; that none
    captures anything is another question.
    """
    return not hand or not (deck or floor) or (len(floor) >= 6 and not all(capture(floor, card) for card in hand))


def is_game_over__first_card_only(deck, floor, hand):
    """Only the first card of the hand is looked at."""
    return not hand or not (deck or floor) or (len(floor) >= 6 and not capture(floor, hand[0]))


def is_game_over__same_rank_only(deck, floor, hand):
    """A card captures only what has its own rank.

    It captures sums as well: a 4 takes an ace and a 3. `capture` knows both ways, and gives an empty tuple only if
    there is neither.
    """
    ranks = {card.rank for card in floor}
    return not hand or not (deck or floor) or (len(floor) >= 6 and not any(card.rank in ranks for card in hand))


def is_game_over__floor_size_forgotten(deck, floor, hand):
    """If nothing can be captured the game is over, however few cards lie on the floor.

    With fewer than six cards on the floor you may also play a card that captures nothing: it stays there. Only from six
    on must a card capture.
    """
    return not hand or not (deck or floor) or not any(capture(floor, card) for card in hand)


def is_game_over__truthy(deck, floor, hand):
    """Something that is true is as good as True."""
    return (
        not hand or (not deck and not floor) or (len(floor) >= 6 and [c for c in hand if capture(floor, c)] == [] and 1)
    )


def produce_shuffled_deck__swap_with_any():
    """If every card is swapped with one at a random place, every order is equally likely.

    That can run in 52⁵² ways, and they cannot be shared out evenly among 52! orders. A card that has got its place at
    random must not be moved again.
    """
    deck = list(produce_unshuffled_deck())
    for place in range(52):
        other = get_random_int(52) - 1
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


def produce_shuffled_deck__sattolo():
    """In a good shuffle no card stays where it is.

    Each card must be able to stay, with a chance of one in 52. So its own place has to be among those that are drawn
    from.
    """
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
    """A merge sort that tosses a coin for each next card is a fair shuffle.

    Too often one half is used up early, and the rest of the other stays together. And coins can only make
    probabilities such as halves, quarters and eighths, never exactly one in 52!.
    """

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
    """The last place is `len(cards) - 1`, so `get_random_int(len(cards) - 1)` draws from all places.

    Its numbers begin at 1, so place 0 never comes up. The first of the cards that are left stays behind until there is
    no other.
    """
    left, drawn = produce_unshuffled_deck(), ()
    while len(left) > 1:
        place = get_random_int(len(left) - 1)
        left, drawn = left[:place] + left[place + 1 :], (*drawn, left[place])
    return (*drawn, *left)


def produce_shuffled_deck__numbers_as_places():
    """`get_random_int(n)` gives a place in a tuple of n cards.

    It gives 1 to n, but the places go from 0 to n - 1. So the first card can never be drawn, and place n does not
    exist.
    """

    def drawn_from(deck):
        if not deck:
            return ()
        place = get_random_int(len(deck))
        return (deck[place], *drawn_from(deck[:place] + deck[place + 1 :]))

    return drawn_from(produce_unshuffled_deck())


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
    """Sorting by a random number from 1 to 52 for each card is fair.

    Some cards get the same number, and a sort leaves equals as they were. So more pairs of cards than in a fair shuffle
    keep the order of the unshuffled deck.
    """
    keys = [get_random_int(52) for _ in range(52)]
    return tuple(card for _, _, card in sorted(zip(keys, range(52), produce_unshuffled_deck())))


def produce_shuffled_deck__with_replacement():
    """52 draws from the whole deck draw every card.

    Then some cards are drawn twice, and others never. A card that is drawn must leave the deck before the next
    draw.
    """
    deck = produce_unshuffled_deck()
    return tuple(deck[get_random_int(52) - 1] for _ in deck)


def produce_shuffled_deck__asks_twice():
    """Two calls of `get_random_int` return the same number.

    Each call returns a new number, so one card is drawn and another one removed. Call it once, and give the number
    a name.
    """

    def drawn_from(deck):
        if not deck:
            return ()
        drawn = deck[get_random_int(len(deck)) - 1]
        return (drawn, *drawn_from(remove_cards(deck, (deck[get_random_int(len(deck)) - 1],))))

    return drawn_from(produce_unshuffled_deck())


def produce_shuffled_deck__loses_a_card():
    """When only one card is left there is nothing more to draw.

    There is no choice any more, but the last card still belongs in the shuffled deck: without it there are only 51.
    """
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
    """`comes_before(one, other)` returns whether `other` comes first.

    It returns whether `one` comes first. The other way round, every card is on the wrong side, and the whole order
    is reversed.
    """
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
    """The left and the right part together are all the cards.

    The pivot comes neither before nor after itself, so it is in neither part. It has to be put back between them.
    """

    def quick(cards):
        if len(cards) < 2:
            return cards
        pivot = cards[len(cards) // 2]
        left = tuple(card for card in cards if comes_before(card, pivot))
        right = tuple(card for card in cards if comes_before(pivot, card))
        return quick(left) + quick(right)

    return quick(cards)


def sort__pivot_left_in(cards):
    """The pivot may stay in the left part.

    Then that part can be all of the cards, and sorting it is the same question once more, without end. Without the
    pivot each part is shorter than the whole.
    """

    def quick(cards):
        if len(cards) < 2:
            return cards
        pivot = cards[len(cards) // 2]
        left = tuple(card for card in cards if not comes_before(pivot, card))
        right = tuple(card for card in cards if comes_before(pivot, card))
        return quick(left) + quick(right)

    return quick(cards)


def sort__parts_not_sorted(cards):
    """Once split at the pivot, the cards are in order.

    Only the pivot has its place then. On each side of it the cards lie as they came, and have to be sorted in their
    turn.
    """
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


def sort__halves_put_together(cards):
    """Two sorted halves, one behind the other, are sorted.

    A card of the second half may belong before one of the first, so the two have to be merged, card by card. Just put
    together, no card ever moves.
    """
    match cards:
        case () | (_,):
            return cards
    middle = len(cards) // 2
    return sort__halves_put_together(cards[:middle]) + sort__halves_put_together(cards[middle:])


def sort__merge_drops_the_rest(cards):
    """When one half is empty the merge is done.

    The other half still holds cards. They come after all those that are merged already, and follow as they are.
    """

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


def sort__single_card_forgotten(cards):
    """Cut in halves again and again, the cards become none.

    One card does not: its halves are no card and that same card, and the cutting goes on without end. A single card is
    sorted already, as none is.
    """

    def merged(left, right):
        if not left or not right:
            return left + right
        if comes_before(left[0], right[0]):
            return (left[0], *merged(left[1:], right))
        return (right[0], *merged(left, right[1:]))

    if not cards:
        return ()
    middle = len(cards) // 2
    return merged(sort__single_card_forgotten(cards[:middle]), sort__single_card_forgotten(cards[middle:]))


def sort__a_list(cards):
    """A list is as good as a tuple."""
    return sorted(cards, key=lambda card: (card.suit.value, card.rank))


def produce_all_captures__without_overlap(floor, card):
    """No card can be in two of the captures.

    So it is in `capture`. Here a player is to choose among captures that overlap, so all of them are wanted, also those
    that share cards.
    """
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
    """`range(1, len(floor))` counts up to the number of cards on the floor.

    A range ends just before its second number, so the whole floor is never tried, not even when it is a single card.
    """
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
    """When the first card is taken, what is missing may come from the same cards.

    The first card is used up then: what is missing may come only from the rest. Otherwise the same card is taken again
    and again.
    """

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


def produce_all_captures__not_more_than_six(floor, card):
    """Nobody captures more than six cards at once."""
    some = [some for n in range(1, 7) for some in combinations(floor, n)]
    return tuple(cards for cards in some if sum(each.rank for each in cards) == card.rank)


def produce_all_captures__same_rank_once_more(floor, card):
    """Cards of the same rank are one case, and sums are another.

    A single card is a sum with one summand. If sums begin with one card, they already contain the cards of the same
    rank. Don't add them again.
    """
    same = tuple((each,) for each in floor if each.rank == card.rank)
    some = [some for n in range(1, len(floor) + 1) for some in combinations(floor, n)]
    return same + tuple(cards for cards in some if sum(each.rank for each in cards) == card.rank)


def produce_all_captures__up_to_the_rank(floor, card):
    """A sum below the rank can be captured, too."""
    some = [some for n in range(1, len(floor) + 1) for some in combinations(floor, n)]
    return tuple(cards for cards in some if sum(each.rank for each in cards) <= card.rank)


def produce_all_captures__no_sublists_of_nothing(floor, card):
    """Of no cards there are no sublists.

    There is one, the empty one, and all others are built by putting cards in front of it. Without it nothing is ever
    found; it counts where nothing of the sum is missing.
    """

    def adding_up_to(wanted, cards):
        if not cards:
            return ()
        first, rest = cards[0], cards[1:]
        with_first = tuple((first, *some) for some in adding_up_to(wanted - first.rank, rest))
        return with_first + adding_up_to(wanted, rest)

    return adding_up_to(card.rank, floor)


def produce_all_captures__something_still_missing(floor, card):
    """When all cards have been looked at, those that were picked are a capture.

    They are one only if nothing of the sum is missing. Otherwise they are too few, perhaps no card at all, and there is
    nothing to give.
    """

    def adding_up_to(wanted, cards):
        if not cards:
            return ((),)
        first, rest = cards[0], cards[1:]
        without = adding_up_to(wanted, rest)
        if first.rank > wanted:
            return without
        return tuple((first, *some) for some in adding_up_to(wanted - first.rank, rest)) + without

    return adding_up_to(card.rank, floor)
