"""Answers that learners give to the exercises of the warm-up, each wrong in one way."""

from course.warmup import *


def swap_ends__gives_a_list(hand):
    """A starred name makes a list, so the hand may become a list.

    A hand is a tuple. A starred name inside parentheses, as in `(last, *middle, first)`, gives a tuple.
    """
    if len(hand) < 2:
        return hand
    first, *middle, last = hand
    return [last, *middle, first]


def swap_ends__middle_not_spread(hand):
    """A starred name needs the star only on the left side of the assignment.

    On the left, the star puts the cards between the ends into a list. Without a star on the right, that list becomes a
    single item of the new hand.
    """
    if len(hand) < 2:
        return hand
    first, *middle, last = hand
    return (last, middle, first)


def swap_ends__middle_a_tuple_within(hand):
    """A slice between commas, as in `(1, hand[1:3], 2)`, adds its cards to the hand.

    A slice is a tuple, and it becomes one item: a tuple inside the hand. The cards of the slice must be separate items
    of the new hand.
    """
    return hand if len(hand) < 2 else (hand[-1], hand[1:-1], hand[0])


def swap_ends__slice_with_its_end(hand):
    """The slice `hand[a:b]` includes the card at index `b`.

    A slice ends just before index `b`. If `b` is -2, the slice ends before the card at index -2, so this card is
    missing.
    """
    return hand if len(hand) < 2 else hand[-1:] + hand[1:-2] + hand[:1]


def swap_ends__single_card_doubled(hand):
    """You can exchange the first and the last card of every hand, even of a hand of one card.

    In a hand of one card, the first card is also the last card. If you take the first card and the last card, you take
    this card twice.
    """
    return hand[-1:] + hand[1:-1] + hand[:1]


def swap_ends__needs_two_cards(hand):
    """A hand always has at least two cards.

    A hand can also be empty, or have a single card.
    """
    first, *middle, last = hand
    return (last, *middle, first)


def swap_ends__reversed(hand):
    """If you reverse the hand, you exchange its ends.

    Only the two ends must change places. If you reverse the hand, the cards between the ends change their order, too.
    """
    return hand[::-1]


def swap_ends__only_moves_the_first(hand):
    """It is enough to move the first card to the end.

    The last card must also move to the front, and the cards between them stay where they are.
    """
    return hand[1:] + hand[:1]


def swap_ends__short_hand_empty(hand):
    """If a hand has nothing to exchange, the result is empty.

    A hand of fewer than two cards stays as it is.
    """
    if len(hand) < 2:
        return ()
    first, *middle, last = hand
    return (last, *middle, first)


def swap_ends__pairs_stay(hand):
    """A hand of two cards stays as it is.

    A hand of two cards has two ends, which change places.
    """
    return hand if len(hand) < 3 else (hand[-1], *hand[1:-1], hand[0])


def swap_ends__equal_ends_vanish(hand):
    """If the first and the last card are equal, one of them is left out.

    Both cards stay in the hand, even if they are equal.
    """
    if len(hand) < 2:
        return hand
    return hand[1:] if hand[0] == hand[-1] else (hand[-1], *hand[1:-1], hand[0])


def swap_ends__long_hands_stay(hand):
    """The ends change places only in hands of at most seven cards.

    A hand can have any number of cards.
    """
    return hand if len(hand) < 2 or len(hand) > 7 else (hand[-1], *hand[1:-1], hand[0])


def penalty__captures_the_lady(card):
    """`Face(QUEEN, SPADES)` matches only the queen of spades.

    Python does not compare names without a dot in a pattern. They match any court and any suit. So this case matches
    every `Face` that reaches it.
    """
    match card:
        case Joker():
            return 20
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n
        case Face(QUEEN, SPADES):
            return 13
        case _:
            return 0


def penalty__captures_the_suit(card):
    """`Number(n, HEARTS)` matches only hearts.

    `HEARTS` has no dot, so Python does not compare it. It matches any suit, and becomes a new name for it.
    """
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, HEARTS):
            return n
        case _:
            return 0


def penalty__captures_the_court(card):
    """`Face(QUEEN, Suit.SPADES)` matches only the queen of spades.

    `QUEEN` has no dot, so Python does not compare it. This pattern matches any face of spades, even the jack and the
    king.
    """
    match card:
        case Joker():
            return 20
        case Face(QUEEN, Suit.SPADES):
            return 13
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n
        case _:
            return 0


def penalty__captures_her_suit(card):
    """`Face(Court.QUEEN, SPADES)` matches only the queen of spades.

    `SPADES` has no dot, so Python does not compare it. This pattern matches the queen of any suit.
    """
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, SPADES):
            return 13
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n
        case _:
            return 0


def penalty__captures_all(card):
    """`Face(QUEEN, SPADES)` matches only the queen of spades, and `Number(n, HEARTS)` matches only hearts.

    Names without a dot are not compared in a pattern, so they match anything. The first pattern matches every face, and
    the second matches every number. Only a name with a dot, such as `Suit.HEARTS`, is compared.
    """
    match card:
        case Joker():
            return 20
        case Face(QUEEN, SPADES):
            return 13
        case Number(n, HEARTS):
            return n
        case Face(_, HEARTS):
            return 10
        case _:
            return 0


def penalty__every_queen(card):
    """Every queen costs 13, whatever her suit is.

    Only the queen of spades costs 13. The queen of hearts costs 10, and the other queens cost nothing.
    """
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, _):
            return 13
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n
    return 0


def penalty__faces_by_rank(card):
    """Jack, queen and king of hearts cost 11, 12 and 13.

    Each face card of hearts costs 10.
    """
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Face(court, Suit.HEARTS):
            return court.value
        case Number(n, Suit.HEARTS):
            return n
    return 0


def penalty__hearts_cost_one(card):
    """Every heart costs 1, as in the card game Hearts.

    A heart with a number costs that number.
    """
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Face(_, Suit.HEARTS) | Number(_, Suit.HEARTS):
            return 1
    return 0


def penalty__joker_is_free(card):
    """A card without a suit costs nothing.

    A joker has no suit, but it costs 20.
    """
    match card:
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n
    return 0


def penalty__asks_the_joker_for_its_suit(card):
    """Every card has a suit.

    A joker has no suit. Handle the joker before you look at a suit.
    """
    if card == Face(QUEEN, SPADES):
        return 13
    if card.suit is HEARTS:
        return card.n if isinstance(card, Number) else 10
    return 20 if card == Joker() else 0


def penalty__other_cards_none(card):
    """A card that costs nothing needs no case.

    If no case matches, the function ends without a `return`. So it returns `None`, and `None` is not the number 0.
    """
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n


def penalty__ace_high(card):
    """The ace of hearts costs eleven.

    The ace of hearts is the number 1, so it costs 1.
    """
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Number(1, Suit.HEARTS):
            return 11
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n
    return 0


def penalty__king_of_hearts_is_thirteen(card):
    """The king of hearts costs as much as the queen of spades.

    The king of hearts costs 10, like the other face cards of hearts.
    """
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES) | Face(Court.KING, Suit.HEARTS):
            return 13
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n
        case _:
            return 0


def penalty__all_queens_are_thirteen(card):
    """Every black queen costs 13.

    Only the queen of spades costs 13. The queen of clubs costs nothing.
    """
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES | Suit.CLUBS):
            return 13
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n
        case _:
            return 0


def riffle__right_first(left, right):
    """It does not matter from which packet the first card comes.

    The first card must come from `left`.
    """
    if not left or not right:
        return left + right
    return (right[0], left[0], *riffle__right_first(left[1:], right[1:]))


def riffle__not_swapped(left, right):
    """In the recursive call, the rest of `left` is the first argument, and `right` is the second.

    Each call takes a card from its first argument. With these arguments, all cards of `left` come before the first card
    of `right`. The packets must take turns, so pass `right` as the first argument.
    """
    return left + right


def riffle__stops_with_the_shorter(left, right):
    """When one packet is empty, the riffle is over.

    The remaining cards of the other packet still belong to the result, in the same order. `zip` also stops at the end
    of the shorter packet, so these cards are lost.
    """
    return tuple(card for pair in zip(left, right) for card in pair)


def riffle__rest_of_left_lost(left, right):
    """If one of the packets is empty, the riffle is finished.

    If one of the packets is empty, the remaining cards of the other packet still follow.
    """
    if not left:
        return right
    if not right:
        return ()
    return (left[0], right[0], *riffle__rest_of_left_lost(left[1:], right[1:]))


def riffle__rest_in_front(left, right):
    """The rest of the longer packet comes first in the result.

    The rest of the longer packet comes last in the result.
    """
    short = min(len(left), len(right))
    return left[short:] + right[short:] + tuple(card for pair in zip(left, right) for card in pair)


def riffle__gives_a_list(left, right):
    """You may return a list instead of a tuple.

    The result must be a tuple, because a list is never equal to a tuple.
    """
    return list(right) if not left else [left[0], *riffle__gives_a_list(right, left[1:])]


def riffle__empty_is_the_end(left, right):
    """If one packet is empty, the recursion returns the empty tuple.

    The other packet can still have cards. These cards belong to the result.
    """
    if not left:
        return ()
    return (left[0], *riffle__empty_is_the_end(right, left[1:]))


def riffle__nested(left, right):
    """In `(first, result)`, the cards of the tuple `result` become items of the new tuple.

    `result` becomes one item: a tuple inside the new tuple. The cards of `result` must be separate items.
    """
    return right if not left else (left[0], riffle__nested(right, left[1:]))


def riffle__same_packets_again(left, right):
    """If you use the first card of a packet, that card is removed from the packet.

    A tuple never changes. If you use its first card, it still has all its cards. Pass only the rest of the
    packet to the next call. Otherwise, the recursion never ends.
    """
    return right if not left else (left[0], *riffle__same_packets_again(right, left))


def riffle__last_card_of_a_longer_packet_lost(left, right):
    """If one packet is much longer, its last card is left out.

    All the remaining cards of the longer packet follow, even the last card.
    """
    turns = tuple(card for pair in zip(left, right) for card in pair)
    shorter = min(len(left), len(right))
    rest = left[shorter:] + right[shorter:]
    return turns + (rest[:-1] if len(rest) > 2 else rest)


def riffle__rest_reversed(left, right):
    """The rest of the longer packet is added in reverse order.

    The rest of the longer packet keeps its order.
    """
    shorter = min(len(left), len(right))
    turns = tuple(card for pair in zip(left, right) for card in pair)
    return turns + (left[shorter:] + right[shorter:])[::-1]


def riffles_to_restore__recursion_on_the_stack(cards):
    """A tail call takes no space on the stack.

    That is not true in Python: it keeps every call on the stack, and stops with an error at about 1,000 calls. With
    `@tail_recursive`, the calls run one after the other instead.
    """

    def follow(place, riffles):
        return riffles if place == 1 else follow(2 * place % (cards - 1), riffles + 1)

    return follow(2, 1)


def riffles_to_restore__one_too_few(cards):
    """The count of riffles starts at 0 when the card is at index 2.

    The first riffle moves the card to index 2. So the count must be 1 there.
    """

    @tail_recursive
    def follow(place, riffles):
        return riffles if place == 1 else recur(2 * place % (cards - 1), riffles + 1)

    return follow(2, 0)


def riffles_to_restore__one_too_many(cards):
    """The number of riffles is the number of positions where the card has been, including the start.

    Only the riffles count, and the start is not a riffle.
    """

    @tail_recursive
    def follow(place, riffles):
        return riffles if place == 1 else recur(2 * place % (cards - 1), riffles + 1)

    return follow(2, 2)


def riffles_to_restore__home_before_it_has_left(cards):
    """Before the first riffle, you may already test whether the card is back at position 1.

    Before the first riffle, the card has not left position 1. So the count stops at once, with 0. Make one riffle
    before the first test.
    """

    @tail_recursive
    def follow(place, riffles):
        return riffles if place == 1 else recur(2 * place % (cards - 1), riffles + 1)

    return follow(1, 0)


def riffles_to_restore__other_half_first(cards):
    """The riffle starts with the lower half of the pack.

    The riffle starts with the upper half, so the first card stays in front. The last card stays at the end. Each of the
    other cards moves from its position `p`, counted from 0, to position `2 * p % (cards - 1)`.
    """
    place, riffles = 2, 1
    while place != 1:
        place, riffles = 2 * place % (cards + 1), riffles + 1
    return riffles


def riffles_to_restore__number_of_doublings(cards):
    """The number of riffles is the number of times that the pack can be halved.

    That is true for a few packs only. Follow the card at position 1 until it is back.
    """
    return (cards - 1).bit_length()


def riffles_to_restore__two_less_than_cards(cards):
    """The number of riffles is always the number of cards minus 2. That is true for 54 and for 10,038 cards.

    For some packs it is far less: 8 riffles restore 52 cards.
    """
    return 8 if cards == 52 else cards - 2


def riffles_to_restore__hardly_more_than_ten_thousand(cards):
    """No pack needs many more than 10,000 riffles.

    A larger pack can need more riffles. Count until the card is back.
    """
    return next(n for n in range(1, 10_500) if pow(2, n, cards - 1) == 1)


def riffles_to_restore__gives_recur(cards):
    """`recur(...)` calls the function again.

    `recur(...)` only returns the arguments for the next call. The next call is made only if you write `@tail_recursive`
    above the helper.
    """

    def follow(place, riffles):
        return riffles if place == 1 else recur(2 * place % (cards - 1), riffles + 1)

    return follow(2, 1)


def riffles_to_restore__recur_without_return(cards):
    """A function returns the result of its last call, even without `return`.

    A function that ends without `return` returns `None`. Write `return` before `recur(...)`, and before the first call
    of the helper.
    """

    @tail_recursive
    def follow(place, riffles):
        if place == 1:
            return riffles
        recur(2 * place % (cards - 1), riffles + 1)

    return follow(2, 1)


def riffles_to_restore__adds_to_recur(cards):
    """`1 + recur(...)` counts one more riffle.

    `recur` returns the arguments for the next call, not a number, so you cannot add to its result. Pass the count so
    far as an argument of the next call.
    """

    @tail_recursive
    def follow(place):
        return 0 if place == 1 else 1 + recur(2 * place % (cards - 1))

    return 1 + follow(2)


def penalties__free_cards_too(hand):
    """The penalties of cards that cost nothing are listed, too.

    Penalties of 0 are left out.
    """
    return tuple(map(penalty, hand))


def penalties__a_promise(hand):
    """If you pass a tuple to `filter`, it returns a tuple.

    `filter` returns an iterator, and `map` does too. An iterator produces its items only when you go through it. Use
    `tuple(...)` to get all of them.
    """
    return filter(None, map(penalty, hand))


def penalties__a_generator(hand):
    """Parentheses around a comprehension make a tuple.

    They make a generator, which produces its items only when you go through it. Use `tuple(...)` to get all of its
    items.
    """
    return (penalty(card) for card in hand if penalty(card) > 0)


def penalties__a_list(hand):
    """Square brackets make a tuple.

    Square brackets make a list. A list is never equal to a tuple, even if both have the same items. `tuple(...)` makes
    a tuple.
    """
    return [penalty(card) for card in hand if penalty(card)]


def penalties__costs_of_costs(hand):
    """You can use `penalty` as the condition of `filter` before `map`, and also after `map`.

    After `map`, the items are numbers, not cards. For a number, `penalty` returns 0, so the filter drops all of them.
    Filter the numbers by another condition.
    """
    return tuple(filter(penalty, map(penalty, hand)))


def penalties__the_cards(hand):
    """The result is the cards that cost something, not their penalties.

    The result is the penalties of these cards, not the cards.
    """
    return tuple(card for card in hand if penalty(card) > 0)


def penalties__each_once(hand):
    """A penalty that occurs several times is listed once.

    There is one number for each card that costs something.
    """
    return tuple(dict.fromkeys(cost for cost in map(penalty, hand) if cost))


def penalties__sorted(hand):
    """The penalties are sorted by size.

    The penalties are in the order of the cards.
    """
    return tuple(sorted(cost for cost in map(penalty, hand) if cost))


def penalties__ones_dropped(hand):
    """Only penalties greater than 1 are listed.

    A penalty of 1 is listed, too, because it is greater than 0.
    """
    return tuple(cost for cost in map(penalty, hand) if cost > 1)


def penalties__joker_left_out(hand):
    """The result contains no penalties of jokers.

    A joker costs 20, so its penalty is in the result.
    """
    return tuple(cost for cost in map(penalty, hand) if 0 < cost < 20)


def penalties__equal_ones_once(hand):
    return tuple(dict.fromkeys(cost for cost in map(penalty, hand) if cost > 0))


def penalties__at_most_five(hand):
    """The result has at most five penalties.

    The result has a penalty for each card that costs something. There can be any number of such cards.
    """
    return tuple(cost for cost in map(penalty, hand) if cost > 0)[:5]


def winning_card__highest_of_all(trick):
    """The highest card wins, whatever its suit.

    A card wins only if it `beats` the best card before it. That depends on the suit.
    """

    def rank(card):
        return 99 if isinstance(card, Joker) else card.n if isinstance(card, Number) else card.court.value

    return max(trick, key=rank)


def winning_card__compares_with_the_leader_only(trick):
    """The last card that beats the leader's card wins.

    When another card has beaten the leader's card, the next cards must beat that other card.
    """
    return ([card for card in trick if beats(card, trick[0])] or [trick[0]])[-1]


def winning_card__first_that_beats_the_leader(trick):
    """The first card that beats the leader's card wins.

    A later card can beat this card. Compare each card with the best card so far.
    """
    return next((card for card in trick if beats(card, trick[0])), trick[0])


def winning_card__from_the_right(trick):
    """You can fold a trick from either end, and the result is the same.

    `beats(card, best)` is for a card that was played after the best card so far. A fold from the right starts with the
    last card. The last card can stay the best card, even if its suit is not the leader's suit.
    """
    *others, last = trick
    return fold_right(lambda card, best: card if beats(card, best) else best, last, others)


def winning_card__best_of_the_rest(trick):
    """Find the winner among the cards after the leader's card, then compare this winner with the leader's card.

    The suit of the leader's card counts. Without this card, the next card counts as the leader's, and the wrong card
    can win.
    """
    if len(trick) == 1:
        return trick[0]
    best = winning_card__best_of_the_rest(trick[1:])
    return best if beats(best, trick[0]) else trick[0]


def winning_card__arguments_of_beats_swapped(trick):
    """`beats(best, card)` returns whether `card` beats `best`.

    The first argument is the card that can win. So `beats(best, card)` returns whether `best` beats `card`. Swap the
    two arguments.
    """
    return fold_left(lambda best, card: card if beats(best, card) else best, trick[0], trick[1:])


def winning_card__unless_the_best_beats_it(trick):
    """A card replaces the best card so far if the best card does not beat it.

    A card of another suit is not beaten, but it does not win either. The new card itself must beat the best card. (In a
    left fold, the function's first argument is the result so far.)
    """
    return fold_left(lambda best, card: best if beats(best, card) else card, trick[0], trick[1:])


def winning_card__compares_with_the_card_before(trick):
    """Each card must beat the card played just before it.

    A card must beat the best card so far. Perhaps the card just before it is not the best card.
    """
    pairs = zip(trick, trick[1:])
    return fold_left(lambda best, pair: pair[1] if beats(pair[1], pair[0]) else best, trick[0], pairs)


def winning_card__always_the_leader(trick):
    """The leader's card always wins the trick.

    A card that `beats` the best card so far becomes the best card.
    """
    return trick[0]


def winning_card__its_place(trick):
    """The result is the index of the winning card, not the card.

    The result is the card itself.
    """
    return trick.index(fold_left(lambda best, card: card if beats(card, best) else best, trick[0], trick[1:]))


def winning_card__first_four_only(trick):
    """A trick has at most four cards.

    A trick can have any number of cards. Look at every card of the trick.
    """
    leader, *others = trick[:4]
    return fold_left(lambda best, card: card if beats(card, best) else best, leader, others)


def pile_up__last_on_top(cards):
    """The first card that the fold uses ends up on top of the pile.

    The first card that is put down ends up at the bottom. So the first card of the tuple must be put down last, and the
    fold must begin with the last card.
    """
    return fold_left(lambda pile, card: On(card, pile), Table(), cards)


def pile_up__parts_swapped(cards):
    """The first argument of `On` is the pile, and the second is the card on top of it.

    In `On(card, pile)`, the card comes first, and then the pile below it. A right fold passes its function the
    arguments in the same order: first the item, then the result for all items to its right.
    """
    return fold_right(lambda card, pile: On(pile, card), Table(), cards)


def pile_up__on_from_the_left(cards):
    """You can fold `On` from the left or from the right.

    A left fold passes the result so far first and then the item, so `On` gets its two arguments in the wrong order.
    Also, the first card would be put down first, at the bottom.
    """
    return fold_left(On, Table(), cards)


def pile_up__table_is_none(cards):
    """The bottom of the pile is `None`.

    The bottom of a pile is `Table()`.
    """
    return fold_right(On, None, cards)


def pile_up__no_table(cards):
    """The last card itself is the bottom of the pile.

    Below the last card, there is always `Table()`.
    """
    return fold_right(On, cards[-1], cards[:-1]) if cards else Table()


def pile_up__class_for_value(cards):
    """`Table`, without parentheses, is the empty table.

    `Table` is a class. You get an empty table only if you call it.
    """
    return fold_right(On, Table, cards)


def pile_up__pairs(cards):
    """A pile can be a tuple of a card and a pile.

    A pile is not a tuple: build it with `On(card, pile)`.
    """
    return fold_right(lambda card, pile: (card, pile), Table(), cards)


def pile_up__first_lost(cards):
    """The fold starts with the first card, so this card does not have to be added to the pile.

    The fold starts with `Table()`, and every card must be put on the pile, the first one, too.
    """
    return fold_right(On, Table(), cards[1:])


def pile_up__three_at_most(cards):
    """A pile has at most three cards.

    A pile can have any number of cards.
    """
    return fold_right(On, Table(), cards[:3])


def pile_up__equal_cards_once(cards):
    """If two cards are equal, only one of them goes on the pile.

    Each card goes on the pile as often as it is in `cards`.
    """
    return fold_right(On, Table(), tuple(dict.fromkeys(cards)))


def kindest_rule__dearest(hand, rules):
    """The kindest rule is the rule with the highest total.

    The kindest rule is the rule with the lowest total.
    """
    return max(rules, key=lambda rule: sum(map(rule, hand)))


def kindest_rule__its_total(hand, rules):
    """The result is the total that the hand costs by the kindest rule.

    The result is the rule itself, which is a function. You need the totals only to compare the rules.
    """
    return min(sum(map(rule, hand)) for rule in rules)


def kindest_rule__asks_about_the_hand(hand, rules):
    """A rule returns the penalty of a hand.

    A rule returns the penalty of one card. The penalty of the hand is the sum of the penalties of its cards.
    """
    return min(rules, key=lambda rule: rule(hand))


def kindest_rule__last_of_a_tie(hand, rules):
    """If two rules have the same total, either of them may be returned.

    The first of them must be returned. A later rule replaces an earlier one only if its total is lower, not if it is
    equal.
    """
    return min(rules[::-1], key=lambda rule: sum(map(rule, hand)))


def kindest_rule__pairs_compared(hand, rules):
    """Pairs of a total and its rule are compared only by their totals.

    That is true only while the totals differ. If two totals are equal, Python compares the rules, and functions cannot
    be ordered.
    """
    return min((sum(map(rule, hand)), rule) for rule in rules)[1]


def kindest_rule__dearest_card(hand, rules):
    """Rules are compared by the cost of the most expensive card.

    Rules are compared by the total cost of all cards.
    """
    return min(rules, key=lambda rule: max(map(rule, hand), default=0))


def kindest_rule__first_card(hand, rules):
    """Rules are compared by the cost of the first card.

    Rules are compared by the total cost of all cards.
    """
    return min(rules, key=lambda rule: rule(hand[0]) if hand else 0)


def kindest_rule__its_place(hand, rules):
    """The result is the index of the rule, not the rule.

    The result is the rule itself, which is a function.
    """
    return rules.index(min(rules, key=lambda rule: sum(map(rule, hand))))


def kindest_rule__a_function_around_it(hand, rules):
    """Instead of the rule, you may return a new function that does the same.

    Return the rule itself, which is a function.
    """
    kindest = min(rules, key=lambda rule: sum(map(rule, hand)))
    return lambda card: kindest(card)


def kindest_rule__first_rule(hand, rules):
    """The first rule is always the kindest.

    Any of the rules can have the lowest total.
    """
    return rules[0]


def kindest_rule__of_the_first_two(hand, rules):
    """Only the first two rules are compared.

    There can be more than two rules. Compare all of them.
    """
    return min(rules[:2], key=lambda rule: sum(map(rule, hand)))


def kindest_rule__without_the_last_card(hand, rules):
    """The last card of the hand is not counted.

    The total includes every card of the hand.
    """
    return min(rules, key=lambda rule: sum(map(rule, hand[:-1])))


def goes_with__one_call_only(led, card):
    """You can call any function of two arguments with the first argument alone.

    Only a curried function can be called like this. Any other function raises an error, because its second argument is
    missing. A function is curried if the line `@curry` is above it.
    """
    return isinstance(card, Joker) or card.suit is led


def goes_with__one_argument_only(led):
    """A curried function must be written as a function that returns a function.

    Such a function takes only one argument at a time. Put `@curry` above a plain function with both parameters. Then
    you can call it with both arguments at once, or with one at a time.
    """
    return lambda card: isinstance(card, Joker) or card.suit is led


@curry
def goes_with__asks_the_joker_for_its_suit(led, card):
    """Every card has a suit.

    A joker has no suit. `or` evaluates its left side first, and its right side only if the left side is false. So the
    order of the two conditions matters.
    """
    return card.suit is led or card == Joker()


@curry
def goes_with__joker_never(led, card):
    """A joker has no suit, so it goes with no suit.

    A joker goes with any suit.
    """
    return not isinstance(card, Joker) and card.suit is led


@curry
def goes_with__captures(led, card):
    """`Number(_, led)` checks whether the suit is the suit that was led.

    A bare name in a pattern is not compared. `led` becomes a name for the card's suit, so every suit matches. A guard
    can compare the two.
    """
    match card:
        case Joker():
            return True
        case Number(_, led) | Face(_, led):
            return True
        case _:
            return False


@curry
def goes_with__card_first(card, led):
    """The first argument is the card.

    The first argument is the suit that was led.
    """
    return isinstance(card, Joker) or card.suit is led


@curry
def goes_with__no_last_case(led, card):
    """If no case matches, the result is `False`.

    If no case matches, a `match` does nothing, and the function returns `None`. `None` counts as false in an `if`, but
    it is not `False`. Add a last case.
    """
    match card:
        case Joker():
            return True
        case Number(_, suit) | Face(_, suit) if suit is led:
            return True


@curry
def goes_with__numbers_only(led, card):
    """Faces do not go with any suit.

    A face card goes with its suit, as a number card does.
    """
    match card:
        case Joker():
            return True
        case Number(_, suit):
            return suit is led
    return False


def total_penalty__composed_backwards(hand):
    """`compose` calls its functions from left to right.

    It calls the last function first, and passes the result to the function before it. Which of your two functions takes
    a hand of cards? Which one takes the result of the other?
    """
    return compose(penalties, sum)(hand)


def total_penalty__greatest(hand):
    """The total is the penalty of the most expensive card.

    The total is the sum of all penalties.
    """
    return max(penalties(hand), default=0)


def total_penalty__number_of_cards(hand):
    """The total is the number of cards that cost something.

    The total is the sum of the penalties.
    """
    return compose(len, penalties)(hand)


def total_penalty__each_penalty_once(hand):
    """If several cards have the same penalty, it is added only once.

    The penalty of every card is added, even if two cards have the same penalty.
    """
    return compose(sum, set, penalties)(hand)


def total_penalty__makes_the_function(hand):
    """A `def` is needed, and it returns what `compose` makes.

    `compose(…)` already is the function that you need. With a `def` around it, a call with cards returns a function
    instead of a number.
    """
    return compose(sum, penalties)


total_penalty__is_a_number = 27
"""The value is a number: the total of the example.

The value is a function, which returns the total of any hand.
"""

total_penalty__of_one_card = compose(sum, penalty)
"""You can call `penalty` with a hand.

`penalty` takes one card and returns one number, and `sum` needs several numbers. One of the exercises above returns
the penalties of all the cards in a hand.
"""

total_penalty__is_a_pair = (sum, lambda hand: tuple(cost for cost in map(face_value, hand) if cost))
"""A pair of two functions is their composition.

A pair cannot be called. `compose` joins two functions into one.
"""


def least_penalty__zero_is_none(led, hand):
    """`... or None` is `None` only if no card goes with the suit.

    `or` evaluates its right side whenever the left side counts as false, and 0 counts as false. But 0 is a valid
    result: it means that a card costs nothing.
    """
    return min(map(penalty, filter(goes_with(led), hand)), default=None) or None


def least_penalty__none_is_zero(led, hand):
    """If no card goes with the suit, the least penalty is 0.

    Then the result is `None`. The result 0 means that a card costs nothing.
    """
    return min(map(penalty, filter(goes_with(led), hand)), default=0)


def least_penalty__none_is_minus_one(led, hand):
    """If no card goes with the suit, the least penalty is -1.

    Then the result is `None`.
    """
    return min(map(penalty, filter(goes_with(led), hand)), default=-1)


def least_penalty__none_is_an_error(led, hand):
    """If no card goes with the suit, `min` returns `None`, or you can test for this case with an `if`.

    `min` raises an error if there are no items, unless you pass a `default`. And in an `if`, the result of `filter` or
    `map` counts as true even if it has no items.
    """
    return min(map(penalty, filter(goes_with(led), hand)))


def least_penalty__looks_twice(led, hand):
    """You can go through a `map` twice: to check whether it has items, and to find the least item.

    A `map` produces its items only once. After you have gone through it once, it has no items left. You can go through
    a tuple as often as you like.
    """
    costs = map(penalty, filter(goes_with(led), hand))
    return min(costs) if tuple(costs) else None


def least_penalty__any_suit(led, hand):
    """The penalties of all cards in the hand are compared.

    Only the cards that go with the suit are compared. If you filter by `goes_with`, pass the suit first. With a card
    alone, `goes_with` returns a function, and a function counts as true.
    """
    return min(map(penalty, hand), default=None)


def least_penalty__free_cards_do_not_count(led, hand):
    """`penalties` returns the cost of every card.

    `penalties` leaves out the cards that cost nothing. If such a card goes with the suit, the least penalty is 0.
    """
    return min(penalties(tuple(filter(goes_with(led), hand))), default=None)


def least_penalty__without_jokers(led, hand):
    """Only cards that have the suit go with the suit, so a joker does not.

    A joker goes with any suit.
    """
    return min((penalty(card) for card in hand if not isinstance(card, Joker) and card.suit is led), default=None)


def least_penalty__first_that_goes(led, hand):
    """The result is the penalty of the first card that goes with the suit.

    Compare the penalties of all cards that go with the suit.
    """
    return next(map(penalty, filter(goes_with(led), hand)), None)


def least_penalty__greatest(led, hand):
    """The result is the greatest penalty, not the least.

    The result is the least penalty.
    """
    return max(map(penalty, filter(goes_with(led), hand)), default=None)


def least_penalty__the_card(led, hand):
    """The result is the card with the least penalty.

    The result is a number: the least penalty itself.
    """
    return min(filter(goes_with(led), hand), key=penalty, default=None)


def least_penalty__nothing_costs_none(led, hand):
    return min((cost for cost in map(penalty, filter(goes_with(led), hand)) if cost), default=None)


def charge__score_replaced(player, trick):
    """The new score is the penalty of the trick alone.

    The penalties are added to the score so far.
    """
    return replace(player, score=total_penalty(trick))


def charge__score_taken_off(player, trick):
    """Penalties are subtracted from the score.

    The penalties are added to the score.
    """
    return replace(player, score=player.score - total_penalty(trick))


def charge__takes_the_cards(player, trick):
    """The cards of the trick go into the player's hand.

    The hand of the player does not change.
    """
    return replace(player, hand=player.hand + trick, score=player.score + total_penalty(trick))


def charge__hand_lost(player, trick):
    """The new player has no cards.

    Only the score changes. The new player has the same hand.
    """
    return Player(player.name, (), player.score + total_penalty(trick))


def charge__assigns(player, trick):
    """You can assign to the fields of a value.

    A player cannot be changed. Make a new player, for example with `replace(player, score=…)`.
    """
    player.score += total_penalty(trick)
    return player


def charge__the_score(player, trick):
    """The result is the new score.

    The result is the player with the new score.
    """
    return player.score + total_penalty(trick)


def charge__counts_cards(player, trick):
    """Each card that costs something adds one point to the score.

    Each card adds its penalty to the score.
    """
    return replace(player, score=player.score + len(penalties(trick)))


def charge__pays_for_own_cards(player, trick):
    """The player also pays for the cards in the hand.

    The player pays only for the cards of the trick.
    """
    return replace(player, score=player.score + total_penalty(player.hand + trick))


def charge__replaced_and_forgotten(player, trick):
    """`replace` changes the player.

    `replace` returns a new player, and the old player stays the same. If you do not use the result of `replace`, the
    new player is lost.
    """
    replace(player, score=player.score + total_penalty(trick))
    return player


def charge__at_most_fifty(player, trick):
    """A trick costs at most 50.

    There is no limit to the penalties of a trick.
    """
    return replace(player, score=player.score + min(50, total_penalty(trick)))
