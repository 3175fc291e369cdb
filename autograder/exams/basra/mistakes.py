"""Answers that learners give to the exercises of Basra, each wrong in one way."""

from course.basra import *


def is_sound__only_counts(deck, floor, hand, scored):
    """If there are 52 cards, the result is `True`.

    There can be 52 cards even if one card occurs twice and another is missing.
    """
    return len(deck + floor + hand + scored) == 52


def is_sound__as_a_set(deck, floor, hand, scored):
    """If no card is missing, the result is `True`.

    Even then, a card can occur twice. A `set` does not show that, because it does not count how often a card occurs.
    """
    return set(deck + floor + hand + scored) == set(produce_unshuffled_deck())


def is_sound__none_twice(deck, floor, hand, scored):
    """If no card occurs twice, the result is `True`.

    Perhaps no card occurs twice, but a card is missing. Then the result is `False`.
    """
    cards = deck + floor + hand + scored
    return len(set(cards)) == len(cards)


def is_sound__no_strangers_looked_for(deck, floor, hand, scored):
    """If each of the 52 cards occurs once, the result is `True`.

    The table could also contain a card that does not exist in the game. So check, too, that there are 52 cards in
    total.
    """
    cards = deck + floor + hand + scored
    return all(cards.count(card) == 1 for card in produce_unshuffled_deck())


def is_sound__any_52(deck, floor, hand, scored):
    """If there are 52 cards and no two are equal, the result is `True`.

    Perhaps one of the 52 cards does not exist in the game. So compare the cards with those of `produce_unshuffled_deck()`.
    """
    cards = deck + floor + hand + scored
    return len(cards) == 52 == len(set(cards))


def is_sound__scored_pile_forgotten(deck, floor, hand, scored):
    """Scored cards are no longer part of the game.

    Each of the 52 cards is somewhere: in the deck, on the floor, in the hand or in the scored pile.
    """
    cards = deck + floor + hand
    return len(cards) == 52 and set(cards) == set(produce_unshuffled_deck())


def is_sound__each_place_by_itself(deck, floor, hand, scored):
    """If no part of the table has a card twice, and there are 52 cards in all, the result is `True`.

    The same card can be in two parts, for example on the floor and in the scored pile. If you check each part
    alone, you do not notice that.
    """
    places = deck, floor, hand, scored
    return sum(map(len, places)) == 52 and all(len(set(cards)) == len(cards) for cards in places)


def is_sound__in_perfect_order(deck, floor, hand, scored):
    """The cards of all parts together are in the order of the unshuffled deck.

    The order does not matter. Only the cards matter: each of the 52 cards must be there once.
    """
    return deck + floor + hand + scored == produce_unshuffled_deck()


def is_sound__four_in_the_hand(deck, floor, hand, scored):
    """A hand always has four cards.

    Near the end of a game, the deck is empty and a hand has fewer than four cards. In this exercise, a hand can have
    any number of cards.
    """
    cards = deck + floor + hand + scored
    return len(hand) == 4 and len(cards) == 52 and set(cards) == set(produce_unshuffled_deck())


def is_sound__aces_counted_twice(deck, floor, hand, scored):
    """The same ace can occur twice.

    Each card, even an ace, occurs exactly once.
    """
    cards = deck + floor + hand + scored
    whole = set(produce_unshuffled_deck())
    return set(cards) == whole and all(cards.count(card) == 1 for card in whole if card.rank > 1)


def is_sound__floor_of_thirteen_at_most(deck, floor, hand, scored):
    """There are never more than 13 cards on the floor.

    For this function, any number of cards can be on the floor, even all 52.
    """
    cards = deck + floor + hand + scored
    return len(floor) < 14 and len(cards) == 52 and set(cards) == set(produce_unshuffled_deck())


def is_sound__hand_of_four_at_most(deck, floor, hand, scored):
    """A hand has at most four cards.

    For this function, a hand can have any number of cards, even all 52.
    """
    cards = deck + floor + hand + scored
    return len(hand) < 5 and len(cards) == 52 and set(cards) == set(produce_unshuffled_deck())


def capture__same_rank_only(floor, card):
    """Only cards of the same rank are captured.

    Cards whose ranks add up to the rank of the played card are captured, too.
    """
    return tuple((each,) for each in floor if each.rank == card.rank)


def capture__sums_only(floor, card):
    """A sum needs at least two cards.

    A single card of the same rank is captured, too.
    """
    many = (some for n in range(2, len(floor) + 1) for some in combinations(floor, n))
    found = next((some for some in many if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else (found,)


def capture__pairs_at_most(floor, card):
    """Only two cards can add up to the rank of the played card.

    Any number of cards can add up to this rank.
    """
    single = tuple((each,) for each in floor if each.rank == card.rank)
    left = tuple(each for each in floor if each.rank != card.rank)
    pairs = ()
    for one, other in combinations(left, 2):
        if one.rank + other.rank == card.rank and not any(one in pair or other in pair for pair in pairs):
            pairs += ((one, other),)
    return single + pairs


def capture__sums_of_four_at_most(floor, card):
    """A capture never has more than four cards.

    Any number of cards can add up to the rank of the played card.
    """
    sublists = (some for n in range(1, 5) for some in combinations(floor, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else (found, *capture__sums_of_four_at_most(remove_cards(floor, found), card))


def capture__sums_of_five_at_most(floor, card):
    """A capture never has more than five cards.

    Any number of cards can add up to the rank of the played card.
    """
    sublists = (some for n in range(1, 6) for some in combinations(floor, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else (found, *capture__sums_of_five_at_most(remove_cards(floor, found), card))


def capture__first_ten_cards_only(floor, card):
    """A floor never has more than ten cards.

    The floor can have any number of cards. Look at every card on the floor.
    """
    first = floor[:10]
    sublists = (some for n in range(1, len(first) + 1) for some in combinations(first, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else (found, *capture__first_ten_cards_only(remove_cards(first, found), card))


def capture__overlapping(floor, card):
    """Every sublist of the floor with the right sum is captured.

    A card can be taken only once. After a capture, its cards are gone. The next capture can use only the cards that are
    still on the floor.
    """
    sublists = (some for n in range(1, len(floor) + 1) for some in combinations(floor, n))
    return tuple(some for some in sublists if sum(each.rank for each in some) == card.rank)


def capture__first_only(floor, card):
    """It is enough to find one capture.

    A card can make several captures. Continue until it can capture nothing more from the floor.
    """
    sublists = (some for n in range(1, len(floor) + 1) for some in combinations(floor, n))
    return tuple(some for some in sublists if sum(each.rank for each in some) == card.rank)[:1]


def capture__with_the_played_card(floor, card):
    """The played card is captured too.

    A capture has cards of the floor only.
    """
    sublists = [some for n in range(1, len(floor) + 1) for some in combinations(floor, n)]
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else ((*found, card),)


def capture__one_flat_tuple(floor, card):
    """The result is one tuple of all the captured cards.

    The result is a tuple of captures, and each capture is a tuple of cards.
    """
    sublists = [some for n in range(1, len(floor) + 1) for some in combinations(floor, n)]
    return next((some for some in sublists if sum(each.rank for each in some) == card.rank), ())


def capture__with_an_empty_sublist(floor, card):
    """The result ends with an empty capture, because the search ends when nothing is found.

    The result contains no empty capture: every capture has at least one card.
    """
    taken, found = set(), ()
    for n in range(1, len(floor) + 1):
        for some in combinations(floor, n):
            if sum(each.rank for each in some) == card.rank and not taken & set(some):
                taken |= set(some)
                found += (some,)
    return (*found, ())


def capture__no_sums_of_picture_cards(floor, card):
    """A jack, queen or king captures only cards of its own rank.

    Some other card games have this rule. In this game, the three ranks count 11, 12 and 13, and can be part of a sum.
    For example, a king captures a queen and an ace.
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
    """All face cards are worth ten.

    In this game, a jack counts 11, a queen 12 and a king 13.
    """
    worth = lambda each: min(each.rank, 10)
    taken, found = set(), ()
    for n in range(1, len(floor) + 1):
        for some in combinations(floor, n):
            if sum(map(worth, some)) == worth(card) and not taken & set(some):
                taken |= set(some)
                found += (some,)
    return found


def capture__same_suit_only(floor, card):
    """A card captures only cards of its own suit.

    For a capture, only the ranks matter, not the suits.
    """
    taken, found = set(), ()
    for n in range(1, len(floor) + 1):
        for some in combinations([each for each in floor if each.suit is card.suit], n):
            if sum(each.rank for each in some) == card.rank and not taken & set(some):
                taken |= set(some)
                found += (some,)
    return found


def capture__neighbors_only(floor, card):
    """The cards of a sum must be next to each other on the floor.

    The cards of a sum can be anywhere on the floor.
    """
    start, found = 0, ()
    while start < len(floor):
        runs = [floor[start:end] for end in range(start + 1, len(floor) + 1)]
        run = next((run for run in runs if sum(each.rank for each in run) == card.rank), None)
        found, start = (found, start + 1) if run is None else ((*found, run), start + len(run))
    return found


def capture__greedy_sum(floor, card):
    """If you take every card that still fits into the sum, you find a sum whenever one exists.

    A card can fit and still not belong to the right sum. Suppose that a 9 is played, with 1, 4, 8 and 7 on the floor.
    If you take 1 and 4, you miss the sum of 1 and 8.
    """
    found, taken, total = (), (), 0
    for each in floor:
        if total + each.rank <= card.rank:
            taken, total = (*taken, each), total + each.rank
        if total == card.rank:
            found, taken, total = (*found, taken), (), 0
    return found


def capture__none_for_nothing(floor, card):
    """If nothing is captured, the result is `None`.

    Without a capture, the result is an empty tuple.
    """
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
    """`range(1, len(floor))` includes the number of cards on the floor.

    A range stops just before its second number. So a capture of the whole floor is never tried, even if the floor
    is a single card.
    """
    sublists = (some for n in range(1, len(floor)) for some in combinations(floor, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    if found is None:
        return ()
    return (found, *capture__not_the_whole_floor(remove_cards(floor, found), card))


def capture__same_floor_again(floor, card):
    """If you call `capture` again, it finds the next capture.

    A function does not remember earlier calls. With the same floor, `capture` finds the same capture again, and the
    recursion never ends. Call it with a floor without the captured cards.
    """
    sublists = (some for n in range(1, len(floor) + 1) for some in combinations(floor, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else (found, *capture__same_floor_again(floor, card))


def capture__the_others_as_one(floor, card):
    """`(found, more)` adds `found` at the front of the captures in `more`.

    `(found, more)` makes a pair, whose second item is the whole tuple `more`. Unpack `more`, so that every capture is
    an item of the result.
    """
    sublists = (some for n in range(1, len(floor) + 1) for some in combinations(floor, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else (found, capture__the_others_as_one(remove_cards(floor, found), card))


def capture__loose_cards(floor, card):
    """`found + more` adds the capture `found` at the front of the captures in `more`.

    `+` joins the items of the two tuples. So the cards of `found` become single items of the result. Each capture must
    be a tuple inside the result.
    """
    sublists = (some for n in range(1, len(floor) + 1) for some in combinations(floor, n))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else found + capture__loose_cards(remove_cards(floor, found), card)


def capture__next_without_default(floor, card):
    """`next` returns `None` if the search finds nothing.

    `next` returns `None` only if its second argument is `None`. Without a second argument, `next` raises
    `StopIteration`. `capture` calls itself until a search finds nothing, so `next` needs the second argument.
    """
    sublists = (some for n in range(1, len(floor) + 1) for some in combinations(floor, n))
    found = next(some for some in sublists if sum(each.rank for each in some) == card.rank)
    return () if found is None else (found, *capture__next_without_default(remove_cards(floor, found), card))


def is_game_over__only_the_hand(deck, floor, hand):
    """The game is over only when the hand is empty.

    The game is also over if deck and floor are both empty, or if no card of the hand can be played.
    """
    return not hand


def is_game_over__deck_is_enough(deck, floor, hand):
    """If the deck is empty, the game is over.

    An empty deck alone is not the end: cards of the hand can still be played.
    """
    return not deck or not hand or (len(floor) >= 6 and not any(capture(floor, card) for card in hand))


def is_game_over__deck_or_floor_empty(deck, floor, hand):
    """The game is over as soon as the deck or the floor is empty.

    Both must be empty. `not (deck and floor)` is true even if only one of them is empty.
    """
    return not hand or not deck or not floor or (len(floor) >= 6 and not any(capture(floor, card) for card in hand))


def is_game_over__empty_hand_forgotten(deck, floor, hand):
    """A hand is never empty.

    A hand can be empty, and then the game is over.
    """
    return not (deck or floor) or bool(hand) and len(floor) >= 6 and not any(capture(floor, card) for card in hand)


def is_game_over__empty_hand_waits_for_the_deck(deck, floor, hand):
    """An empty hand is filled from the deck, so the game is over only if the deck is empty, too.

    As soon as the hand is empty, the game is over, even if the deck still has cards.
    """
    stuck = len(floor) >= 6 and not any(capture(floor, card) for card in hand)
    return not hand and not deck or not (deck or floor) or stuck


def is_game_over__deck_and_floor_forgotten(deck, floor, hand):
    """If there is a card in the hand, it can be played.

    If deck and floor are both empty, the game is over, even if the hand has cards.
    """
    return not hand or (len(floor) >= 6 and not any(capture(floor, card) for card in hand))


def is_game_over__exactly_six(deck, floor, hand):
    """If no card can capture, the game is over only if exactly six cards are on the floor.

    If no card can capture, the game is over if six or more cards are on the floor.
    """
    return not hand or not (deck or floor) or (len(floor) == 6 and not any(capture(floor, card) for card in hand))


def is_game_over__more_than_six(deck, floor, hand):
    """With six cards on the floor, you may still add another card.

    With six cards on the floor, you may only play a card that captures.
    """
    return not hand or not (deck or floor) or (len(floor) > 6 and not any(capture(floor, card) for card in hand))


def is_game_over__five_are_full(deck, floor, hand):
    """With five cards on the floor, you may only play a card that captures.

    This rule begins with six cards on the floor.
    """
    return not hand or not (deck or floor) or (len(floor) >= 5 and not any(capture(floor, card) for card in hand))


def is_game_over__six_are_the_end(deck, floor, hand):
    """If there are six cards on the floor, the game is over, even if a card in the hand can capture.

    With six or more cards on the floor, you can still play a card that captures.
    """
    return not hand or not (deck or floor) or len(floor) >= 6


def is_game_over__one_card_that_captures_nothing(deck, floor, hand):
    """With six or more cards on the floor, the game is over as soon as one card of the hand captures nothing.

    The game continues as long as one card of the hand can capture. `not all(...)` is true as soon as one card captures
    nothing, even if another card can capture.
    """
    return not hand or not (deck or floor) or (len(floor) >= 6 and not all(capture(floor, card) for card in hand))


def is_game_over__first_card_only(deck, floor, hand):
    """Only the first card of the hand can capture.

    Any card of the hand can capture.
    """
    return not hand or not (deck or floor) or (len(floor) >= 6 and not capture(floor, hand[0]))


def is_game_over__same_rank_only(deck, floor, hand):
    """A card captures only cards of its own rank.

    A card also captures cards whose ranks add up to its own rank: a 4 captures an ace and a 3. `capture` finds both
    kinds of captures. It returns an empty tuple only if there is no capture at all.
    """
    ranks = {card.rank for card in floor}
    return not hand or not (deck or floor) or (len(floor) >= 6 and not any(card.rank in ranks for card in hand))


def is_game_over__floor_size_forgotten(deck, floor, hand):
    """If no card can capture, the game is over, even if there are few cards on the floor.

    If no card can capture, but the floor has fewer than six cards, the game goes on: you play a card that captures
    nothing. With six or more cards on the floor, the card must capture.
    """
    return not hand or not (deck or floor) or not any(capture(floor, card) for card in hand)


def is_game_over__truthy(deck, floor, hand):
    """Instead of `True`, you may return a value that counts as true.

    The result must be `True` or `False`, with the type `bool`.
    """
    return (
        not hand or (not deck and not floor) or (len(floor) >= 6 and [c for c in hand if capture(floor, c)] == [] and 1)
    )


def is_game_over__captures_of_three_at_most(deck, floor, hand):
    """A card captures at most three cards at once.

    Any number of cards can add up to the rank of a card in the hand.
    """

    def captures(card):
        some = (few for n in (1, 2, 3) for few in combinations(floor, n))
        return any(sum(each.rank for each in few) == card.rank for few in some)

    return not hand or not (deck or floor) or (len(floor) >= 6 and not any(map(captures, hand)))


def is_game_over__captures_of_four_at_most(deck, floor, hand):
    """A card captures at most four cards at once.

    Any number of cards can add up to the rank of a card in the hand.
    """

    def captures(card):
        some = (few for n in (1, 2, 3, 4) for few in combinations(floor, n))
        return any(sum(each.rank for each in few) == card.rank for few in some)

    return not hand or not (deck or floor) or (len(floor) >= 6 and not any(map(captures, hand)))


def is_game_over__captures_of_five_at_most(deck, floor, hand):
    """A card captures at most five cards at once.

    Any number of cards can add up to the rank of a card in the hand.
    """

    def captures(card):
        some = (few for n in range(1, 6) for few in combinations(floor, n))
        return any(sum(each.rank for each in few) == card.rank for few in some)

    return not hand or not (deck or floor) or (len(floor) >= 6 and not any(map(captures, hand)))


def is_game_over__first_two_cards_only(deck, floor, hand):
    """Only the first two cards of the hand can capture.

    Any card of the hand can capture.
    """
    stuck = len(floor) >= 6 and not any(capture(floor, card) for card in hand[:2])
    return not hand or not (deck or floor) or stuck


def is_game_over__deck_keeps_it_alive(deck, floor, hand):
    """As long as there are cards in the deck, the game continues.

    The game is over if the floor has six or more cards and no card of the hand can capture. The deck may still have
    cards.
    """
    stuck = not deck and len(floor) >= 6 and not any(capture(floor, card) for card in hand)
    return not hand or not (deck or floor) or stuck


def is_game_over__exactly_six_or_seven(deck, floor, hand):
    """With eight or more cards on the floor, the game goes on.

    If no card of the hand can capture, the game is over with six or more cards on the floor. There is no upper limit.
    """
    stuck = 6 <= len(floor) < 8 and not any(capture(floor, card) for card in hand)
    return not hand or not (deck or floor) or stuck


def produce_shuffled_deck__swap_with_any():
    """If you swap every card with a card at a random index, every order is equally likely.

    There are 52⁵² ways to make these swaps. They cannot be divided evenly among 52! orders. A card that was put into a
    random place must not move again.
    """
    deck = list(produce_unshuffled_deck())
    for place in range(52):
        other = get_random_int(52) - 1
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


def produce_shuffled_deck__sattolo():
    """In a good shuffle, no card stays in its old place.

    Each card must be able to stay, with a probability of one in 52. So the random draw must include the card's own place.
    """
    deck = list(produce_unshuffled_deck())
    for place in range(51, 0, -1):
        other = get_random_int(place) - 1
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


def produce_shuffled_deck__random_comparator():
    """Sorting with a random comparison is a fair shuffle.

    With a random comparison, some orders are far more likely than others.
    """
    from functools import cmp_to_key

    return tuple(sorted(produce_unshuffled_deck(), key=cmp_to_key(lambda one, other: get_random_int(3) - 2)))


def produce_shuffled_deck__coin_flip_merge_sort():
    """A merge sort that tosses a coin for each next card is a fair shuffle.

    Often one half is used up early, and then the rest of the other half stays together. Also, coins produce only
    probabilities such as 1/2, 1/4 and 1/8. In a fair shuffle, each of the 52! orders has the same probability, and
    coins cannot produce this probability exactly.
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
    """A quicksort that tosses a coin for each card is a fair shuffle.

    With such a quicksort, some orders are far more likely than others.
    """

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
    """The last index is `len(cards) - 1`, so `get_random_int(len(cards) - 1)` can return every index.

    `get_random_int` never returns 0, the first index. The first of the remaining cards can be drawn only if no other
    card is left.
    """
    left, drawn = produce_unshuffled_deck(), ()
    while len(left) > 1:
        place = get_random_int(len(left) - 1)
        left, drawn = left[:place] + left[place + 1 :], (*drawn, left[place])
    return (*drawn, *left)


def produce_shuffled_deck__numbers_as_places():
    """`get_random_int(n)` returns an index of a tuple of n cards.

    `get_random_int(n)` returns a number from 1 to n, but the indexes go from 0 to n - 1. So the first card is never
    drawn, and index n does not exist.
    """

    def drawn_from(deck):
        if not deck:
            return ()
        place = get_random_int(len(deck))
        return (deck[place], *drawn_from(deck[:place] + deck[place + 1 :]))

    return drawn_from(produce_unshuffled_deck())


def produce_shuffled_deck__unshuffled():
    """The order of the unshuffled deck is random enough.

    Every order must be equally likely, so two shuffled decks are hardly ever equal.
    """
    return produce_unshuffled_deck()


def produce_shuffled_deck__cut():
    """Cutting the deck at a random index is a fair shuffle.

    After a cut, nearly all neighbors are still neighbors. Every order must be equally likely.
    """
    deck, place = produce_unshuffled_deck(), get_random_int(52)
    return deck[place:] + deck[:place]


def produce_shuffled_deck__cut_and_turned():
    """Cutting the deck and turning it over is a fair shuffle.

    After a cut, nearly all neighbors are still neighbors. Every order must be equally likely.
    """
    deck, place = produce_unshuffled_deck()[::-1], get_random_int(52)
    return deck[place:] + deck[:place]


def produce_shuffled_deck__a_hundred_swaps():
    """A hundred swaps of random pairs are enough for a fair shuffle.

    After a hundred such swaps, too many cards are still in their old places.
    """
    deck = list(produce_unshuffled_deck())
    for _ in range(100):
        one, other = get_random_int(52) - 1, get_random_int(52) - 1
        deck[one], deck[other] = deck[other], deck[one]
    return tuple(deck)


def produce_shuffled_deck__three_riffles():
    """Three riffles are enough, because people shuffle like that.

    Three riffles can reach only a small part of all orders.
    """
    deck = produce_unshuffled_deck()
    for _ in range(3):
        coins = [get_random_int(2) for _ in deck]
        cut = coins.count(1)
        left, right = iter(deck[:cut]), iter(deck[cut:])
        deck = tuple(next(left if coin == 1 else right) for coin in coins)
    return deck


def produce_shuffled_deck__keys_too_few():
    """Sorting by a random number from 1 to 52 for each card is fair.

    Some cards get the same number, and a sort keeps such cards in their old order. So more pairs of cards keep their
    old order than in a fair shuffle.
    """
    keys = [get_random_int(52) for _ in range(52)]
    return tuple(card for _, _, card in sorted(zip(keys, range(52), produce_unshuffled_deck())))


def produce_shuffled_deck__with_replacement():
    """If you draw 52 times from the whole deck, you draw every card.

    Some cards are drawn twice, and others never. A card that is drawn must leave the deck before the next draw.
    """
    deck = produce_unshuffled_deck()
    return tuple(deck[get_random_int(52) - 1] for _ in deck)


def produce_shuffled_deck__asks_twice():
    """Two calls of `get_random_int` return the same number.

    Two calls can return different numbers. Then one card is drawn, but another card is removed. Call `get_random_int`
    once, and give the number a name.
    """

    def drawn_from(deck):
        if not deck:
            return ()
        drawn = deck[get_random_int(len(deck)) - 1]
        return (drawn, *drawn_from(remove_cards(deck, (deck[get_random_int(len(deck)) - 1],))))

    return drawn_from(produce_unshuffled_deck())


def produce_shuffled_deck__loses_a_card():
    """If only one card is left, the shuffled deck is finished.

    There is no choice any more, but the last card still belongs in the shuffled deck. Without it, there are only 51
    cards.
    """
    left, drawn = produce_unshuffled_deck(), ()
    while len(left) > 1:
        place = get_random_int(len(left)) - 1
        left, drawn = left[:place] + left[place + 1 :], (*drawn, left[place])
    return drawn


def produce_shuffled_deck__suit_by_suit():
    """It is enough to shuffle each suit separately.

    If you shuffle each suit separately, the cards of a suit stay together. Every order of all 52 cards must be equally
    likely.
    """
    drawn = ()
    for start in (0, 13, 26, 39):
        left = produce_unshuffled_deck()[start : start + 13]
        while left:
            place = get_random_int(len(left)) - 1
            left, drawn = left[:place] + left[place + 1 :], (*drawn, left[place])
    return drawn


def produce_shuffled_deck__a_list():
    """You may return a list instead of a tuple.

    A `Deck` is a tuple, and a list is not equal to a tuple.
    """
    left, drawn = list(produce_unshuffled_deck()), []
    while left:
        drawn.append(left.pop(get_random_int(len(left)) - 1))
    return drawn


def produce_shuffled_deck__always_the_same():
    """A fixed order that looks random is a shuffle.

    Every order must be equally likely, so two shuffled decks are hardly ever equal.
    """
    deck = produce_unshuffled_deck()
    return tuple(deck[(17 * place + 5) % 52] for place in range(52))


def sort__by_rank_first(cards):
    """Cards are sorted by rank first, and then by suit.

    The suit decides first. The rank decides only within a suit.
    """
    from functools import reduce

    def key(card):
        return (card.rank, card.suit.value)

    def add(done, card):
        before = tuple(each for each in done if key(each) <= key(card))
        return (*before, card, *done[len(before) :])

    return reduce(add, cards, ())


def sort__by_suit_only(cards):
    """Cards are sorted only by suit. The cards of one suit keep their old order.

    The cards of one suit must be sorted by rank, from ace to king.
    """
    from functools import reduce

    def key(card):
        return card.suit.value

    def add(done, card):
        before = tuple(each for each in done if key(each) <= key(card))
        return (*before, card, *done[len(before) :])

    return reduce(add, cards, ())


def sort__by_rank_only(cards):
    """Cards are sorted by rank only.

    The suit decides first. The rank decides only within a suit.
    """
    from functools import reduce

    def key(card):
        return card.rank

    def add(done, card):
        before = tuple(each for each in done if key(each) <= key(card))
        return (*before, card, *done[len(before) :])

    return reduce(add, cards, ())


def sort__descending(cards):
    """`comes_before(one, other)` returns whether `other` comes first.

    `comes_before(one, other)` returns whether `one` comes first. If you expect the opposite, the order of all cards is
    reversed.
    """
    from functools import reduce

    def key(card):
        return (card.suit.value, card.rank)

    def add(done, card):
        before = tuple(each for each in done if key(each) >= key(card))
        return (*before, card, *done[len(before) :])

    return reduce(add, cards, ())


def sort__suits_by_name(cards):
    """Suits come in alphabetical order.

    The order of the suits is spades, hearts, diamonds, clubs.
    """
    from functools import reduce

    def key(card):
        return (card.suit.name, card.rank)

    def add(done, card):
        before = tuple(each for each in done if key(each) <= key(card))
        return (*before, card, *done[len(before) :])

    return reduce(add, cards, ())


def sort__ace_high(cards):
    """The ace comes after the king.

    The ace is the lowest rank.
    """
    from functools import reduce

    def key(card):
        return (card.suit.value, 14 if card.rank == 1 else card.rank)

    def add(done, card):
        before = tuple(each for each in done if key(each) <= key(card))
        return (*before, card, *done[len(before) :])

    return reduce(add, cards, ())


def sort__one_pass(cards):
    """If you go through the cards once, and swap neighbors that are in the wrong order, all cards are sorted.

    After one pass, only one card is sure to be in its final position.
    """
    cards = list(cards)
    for place in range(len(cards) - 1):
        if comes_before(cards[place + 1], cards[place]):
            cards[place], cards[place + 1] = cards[place + 1], cards[place]
    return tuple(cards)


def sort__pivot_lost(cards):
    """The left part and the right part together contain all the cards.

    The pivot does not come before itself or after itself, so it is in neither part. Put it back between the two parts.
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

    If the pivot stays in the left part, this part can contain all the cards, and the recursion never ends. Without the
    pivot, each part has fewer cards than before.
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
    """After the split at the pivot, the cards are in order.

    Only the pivot is in its final place. The cards on each side of it are still in their old order, so both sides must
    be sorted, too.
    """
    if len(cards) < 2:
        return cards
    middle = len(cards) // 2
    pivot, others = cards[middle], cards[:middle] + cards[middle + 1 :]
    left = tuple(card for card in others if comes_before(card, pivot))
    right = tuple(card for card in others if comes_before(pivot, card))
    return (*left, pivot, *right)


def sort__halves_not_merged(cards):
    """If you put one sorted half after the other, the result is sorted.

    A card of the second half can belong before cards of the first half.
    """

    def halves(cards):
        if len(cards) < 2:
            return cards
        if len(cards) == 2:
            return cards if comes_before(*cards) else cards[::-1]
        middle = len(cards) // 2
        return halves(cards[:middle]) + halves(cards[middle:])

    return halves(cards)


def sort__halves_put_together(cards):
    """If you put one sorted half after the other, the result is sorted.

    A card of the second half can belong before a card of the first half. So the two halves must be merged card by card.
    If you only put them together, no card ever moves.
    """
    match cards:
        case () | (_,):
            return cards
    middle = len(cards) // 2
    return sort__halves_put_together(cards[:middle]) + sort__halves_put_together(cards[middle:])


def sort__merge_drops_the_rest(cards):
    """When one half is empty, the merge is finished.

    The other half still has cards. These cards must be added at the end of the result, in the same order.
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
    """There is always at least one card to sort.

    If there are no cards, the result is an empty tuple.
    """

    def quick(cards):
        if len(cards) == 1:
            return cards
        first, others = cards[0], cards[1:]
        left = tuple(card for card in others if comes_before(card, first))
        right = tuple(card for card in others if comes_before(first, card))
        return (*(quick(left) if left else ()), first, *(quick(right) if right else ()))

    return quick(cards)


def sort__single_card_forgotten(cards):
    """If you keep cutting the cards in half, you always reach an empty half, even from a single card.

    If you cut a single card in half, one half is empty and the other half is that card again. So the recursion never
    ends. A tuple with one card or no card needs no cut: it is already sorted.
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
    """You may return a list instead of a tuple.

    The result must be a tuple, and a list is not equal to a tuple.
    """
    from functools import reduce

    def key(card):
        return (card.suit.value, card.rank)

    def add(done, card):
        before = tuple(each for each in done if key(each) <= key(card))
        return (*before, card, *done[len(before) :])

    return list(reduce(add, cards, ()))


def sort__by_sorted(cards):
    return tuple(sorted(cards, key=lambda card: (card.suit.value, card.rank)))


def sort__by_the_method(cards):
    listed = list(cards)
    listed.sort(key=lambda card: (card.suit.value, card.rank))
    return tuple(listed)


def sort__in_order(cards):
    return () if not cards else in_order((cards,))[0]


def sort__seven_cards_at_most(cards):
    """Only the first seven cards are sorted.

    There can be any number of cards, and all of them are sorted.
    """

    def insert(done, card):
        before = tuple(each for each in done if comes_before(each, card))
        return (*before, card, *done[len(before) :])

    done = ()
    for card in cards[:7]:
        done = insert(done, card)
    return (*done, *cards[7:])


def produce_all_captures__without_overlap(floor, card):
    """No card can be in two of the captures.

    In this exercise, a player chooses one of the captures. So the result must contain every capture, even if two
    captures share cards.
    """
    return capture(floor, card)


def produce_all_captures__sums_of_two_at_most(floor, card):
    """At most two cards can add up to the rank of the played card.

    Any number of cards can add up to this rank.
    """
    some = [some for n in (1, 2) for some in combinations(floor, n)]
    return tuple(cards for cards in some if sum(each.rank for each in cards) == card.rank)


def produce_all_captures__no_single_cards(floor, card):
    """A sum needs at least two cards.

    A single card of the same rank is a capture, too.
    """
    some = [some for n in range(2, len(floor) + 1) for some in combinations(floor, n)]
    return tuple(cards for cards in some if sum(each.rank for each in cards) == card.rank)


def produce_all_captures__not_the_whole_floor(floor, card):
    """`range(1, len(floor))` includes the number of cards on the floor.

    A range stops just before its second number. So a capture of the whole floor is never tried, even if the floor
    is a single card.
    """
    some = [some for n in range(1, len(floor)) for some in combinations(floor, n)]
    return tuple(cards for cards in some if sum(each.rank for each in cards) == card.rank)


def produce_all_captures__with_the_empty_one(floor, card):
    """Capturing nothing is one of the choices.

    The result contains no empty capture: every capture has at least one card.
    """
    some = [some for n in range(len(floor) + 1) for some in combinations(floor, n)]
    return tuple(cards for cards in some if not cards or sum(each.rank for each in cards) == card.rank)


def produce_all_captures__neighbors_only(floor, card):
    """The cards of a sum must be next to each other on the floor.

    The cards of a sum can be anywhere on the floor.
    """
    runs = [floor[start:end] for start in range(len(floor)) for end in range(start + 1, len(floor) + 1)]
    return tuple(run for run in runs if sum(each.rank for each in run) == card.rank)


def produce_all_captures__cards_used_twice(floor, card):
    """After the first card is taken, the missing part of the sum may use the same card again.

    A capture contains each card at most once. So the missing part of the sum may use only the other cards.
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
    """Each card of the floor is the first card of at most one capture.

    Captures can overlap, so several of them can begin with the same card.
    """
    found = ()
    for place, first in enumerate(floor):
        rest = floor[place + 1 :]
        some = [(first, *others) for n in range(len(rest) + 1) for others in combinations(rest, n)]
        found += tuple(cards for cards in some if sum(each.rank for each in cards) == card.rank)[:1]
    return found


def produce_all_captures__not_more_than_three(floor, card):
    """As in the example, at most three cards can add up to the rank of the played card.

    Any number of cards can add up to this rank.
    """
    some = [some for n in (1, 2, 3) for some in combinations(floor, n)]
    return tuple(cards for cards in some if sum(each.rank for each in cards) == card.rank)


def produce_all_captures__not_more_than_six(floor, card):
    """A capture never has more than six cards.

    A capture can have more than six cards, if their ranks add up to the rank of the played card.
    """
    some = [some for n in range(1, 7) for some in combinations(floor, n)]
    return tuple(cards for cards in some if sum(each.rank for each in cards) == card.rank)


def produce_all_captures__same_rank_once_more(floor, card):
    """Captures of a single card and captures by a sum of ranks must be added separately.

    A single card is also a sum, of one card. If your sums begin with one card, they already include the cards of the
    same rank. Do not add these cards again.
    """
    same = tuple((each,) for each in floor if each.rank == card.rank)
    some = [some for n in range(1, len(floor) + 1) for some in combinations(floor, n)]
    return same + tuple(cards for cards in some if sum(each.rank for each in cards) == card.rank)


def produce_all_captures__up_to_the_rank(floor, card):
    """A sum that is lower than the rank can be captured, too.

    The ranks of a capture add up to exactly the rank of the played card.
    """
    some = [some for n in range(1, len(floor) + 1) for some in combinations(floor, n)]
    return tuple(cards for cards in some if sum(each.rank for each in cards) <= card.rank)


def produce_all_captures__no_sublists_of_nothing(floor, card):
    """A tuple without cards has no sublists.

    A tuple without cards has one sublist, the empty one. All other sublists are built by adding cards to the empty
    sublist. So without the empty sublist, no capture is ever found.
    """

    def adding_up_to(wanted, cards):
        if not cards:
            return ()
        first, rest = cards[0], cards[1:]
        with_first = tuple((first, *some) for some in adding_up_to(wanted - first.rank, rest))
        return with_first + adding_up_to(wanted, rest)

    return adding_up_to(card.rank, floor)


def produce_all_captures__something_still_missing(floor, card):
    """After you have decided about each card, the cards that you picked are a capture.

    They are a capture only if their ranks add up to the rank of the played card.
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


def produce_all_captures__five_cards_at_most(floor, card):
    """A capture has at most five cards.

    Any number of cards can add up to the rank of the played card.
    """
    some = (few for n in range(1, 6) for few in combinations(floor, n))
    return tuple(few for few in some if sum(each.rank for each in few) == card.rank)


def produce_all_captures__same_ranks_count_once(floor, card):
    """Two captures with the same ranks are the same capture.

    Two cards of the same rank but of different suits are different cards, so their captures are different, too.
    """
    some = (few for n in range(1, len(floor) + 1) for few in combinations(floor, n))
    right = (few for few in some if sum(each.rank for each in few) == card.rank)
    return tuple({tuple(sorted(each.rank for each in few)): few for few in right}.values())


def produce_all_captures__without_the_same_rank(floor, card):
    """If a sum can be captured, a single card cannot be captured.

    The result contains every capture, the sums and the single cards.
    """
    some = (few for n in range(2, len(floor) + 1) for few in combinations(floor, n))
    sums = tuple(few for few in some if sum(each.rank for each in few) == card.rank)
    return sums or tuple((each,) for each in floor if each.rank == card.rank)
