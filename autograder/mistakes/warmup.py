"""Plausible mistakes in the warm-up, one misconception each."""

from course.warmup import *


def swap_ends__gives_a_list(hand):
    """A starred name is a list, so the hand has become one."""
    if len(hand) < 2:
        return hand
    first, *middle, last = hand
    return [last, *middle, first]


def swap_ends__middle_not_spread(hand):
    """A starred name needs its star only once, where the hand is taken apart.

    On the left the star gathers the cards between the ends into a list. Without a star on the right, that list is a
    single item of the new hand, not several cards.
    """
    if len(hand) < 2:
        return hand
    first, *middle, last = hand
    return (last, middle, first)


def swap_ends__middle_a_tuple_within(hand):
    """A slice can be listed like a card.

    A slice is a separate tuple. After a comma it stays one, a tuple inside the hand. Put its cards there, one after
    the other.
    """
    return hand if len(hand) < 2 else (hand[-1], hand[1:-1], hand[0])


def swap_ends__slice_with_its_end(hand):
    """The card at the place after the colon still belongs to a slice.

    A slice ends just before that place. So the card there is left out, and of the cards between the ends the last one
    is missing.
    """
    return hand if len(hand) < 2 else hand[-1:] + hand[1:-2] + hand[:1]


def swap_ends__single_card_doubled(hand):
    """Every hand has a first card and a last card, even a hand of one.

    True, but in a hand of one they are the same card: whoever takes the last and the first takes it twice.
    """
    return hand[-1:] + hand[1:-1] + hand[:1]


def swap_ends__needs_two_cards(hand):
    """A hand always has two cards."""
    first, *middle, last = hand
    return (last, *middle, first)


def swap_ends__reversed(hand):
    """To exchange the ends is to turn the hand around."""
    return hand[::-1]


def swap_ends__only_moves_the_first(hand):
    """The first goes to the end, and so the last comes to the front."""
    return hand[1:] + hand[:1]


def swap_ends__short_hand_empty(hand):
    """A hand that has nothing to exchange has nothing to give."""
    if len(hand) < 2:
        return ()
    first, *middle, last = hand
    return (last, *middle, first)


def penalty__captures_the_lady(card):
    """`Face(QUEEN, SPADES)` asks for the queen of spades.

    Without a dot the two names are not compared: they take whatever face and suit are there. So every face that comes
    as far as this case fits.
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
    """`Number(n, HEARTS)` asks for a heart.

    Without a dot `HEARTS` is not compared: it becomes a name for the suit that is there. So a number of any suit fits.
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
    """`Face(QUEEN, Suit.SPADES)` tests for the queen of spades.

    It matches any face of spades. `QUEEN` has no dot, so it is not compared but matches every value, and the jack
    and the king match, too.
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
    """`Face(Court.QUEEN, SPADES)` asks for the queen of spades.

    It asks for any queen: `SPADES` has no dot, so it is not compared but takes whatever suit is there.
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
    """`Face(QUEEN, SPADES)` asks for the queen of spades, and `Number(n, HEARTS)` for a heart.

    In a pattern a bare name is never compared: it takes whatever is there, so every face fits the one and every number
    the other. Only a name with a dot, such as `Suit.HEARTS`, asks a question.
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
    """The queen costs 13, whatever her suit."""
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
    """Faces of hearts go on counting after the ten."""
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
    """As in the other game of this kind, every heart costs 1."""
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Face(_, Suit.HEARTS) | Number(_, Suit.HEARTS):
            return 1
    return 0


def penalty__joker_is_free(card):
    """A card without a suit costs nothing."""
    match card:
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n
    return 0


def penalty__asks_the_joker_for_its_suit(card):
    """Every card has a suit."""
    if card == Face(QUEEN, SPADES):
        return 13
    if card.suit is HEARTS:
        return card.n if isinstance(card, Number) else 10
    return 20 if card == Joker() else 0


def penalty__other_cards_none(card):
    """A card that costs nothing needs no case.

    If no case matches, the function reaches its end without a `return`. Then it returns `None`, and that is not the
    number 0.
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
    """The ace of hearts costs eleven."""
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


def riffle__right_first(left, right):
    """It does not matter who begins."""
    if not left or not right:
        return left + right
    return (right[0], left[0], *riffle__right_first(left[1:], right[1:]))


def riffle__not_swapped(left, right):
    """After a card of `left`, there remain to riffle the rest of `left` and `right`, in this order.

    Whichever packet comes first in the call lets the next card fall, so here `left` falls to its end. By turns means
    that it is now the other packet's turn to be first.
    """
    return left + right


def riffle__stops_with_the_shorter(left, right):
    """When one packet has run out, the riffle is over.

    The rest of the other packet still follows, as it is. `zip`, too, stops with the shorter of the two, and what is
    left of the longer one is lost.
    """
    return tuple(card for pair in zip(left, right) for card in pair)


def riffle__rest_of_left_lost(left, right):
    """Done as soon as one of them is empty."""
    if not left:
        return right
    if not right:
        return ()
    return (left[0], right[0], *riffle__rest_of_left_lost(left[1:], right[1:]))


def riffle__rest_in_front(left, right):
    """The remaining cards go on top of the others."""
    short = min(len(left), len(right))
    return left[short:] + right[short:] + tuple(card for pair in zip(left, right) for card in pair)


def riffle__gives_a_list(left, right):
    """A list will do."""
    return list(right) if not left else [left[0], *riffle__gives_a_list(right, left[1:])]


def riffle__empty_is_the_end(left, right):
    """If a recursion ends at the empty tuple, there is nothing left to return.

    Only one of the two packets is empty there. The other may still hold cards, and these are the rest that follows.
    """
    if not left:
        return ()
    return (left[0], *riffle__empty_is_the_end(right, left[1:]))


def riffle__nested(left, right):
    """The answer for the rest is one more item of the answer.

    It is a separate tuple. After a comma it stays one, a tuple inside the tuple. Put its cards there, one after the
    other.
    """
    return right if not left else (left[0], riffle__nested(right, left[1:]))


def riffle__same_packets_again(left, right):
    """A card that has fallen is gone from its packet.

    A tuple never changes: using its first card leaves it as it was. The next call must be given what is left of the
    packet, or else there is no end to it.
    """
    return right if not left else (left[0], *riffle__same_packets_again(right, left))


def riffles_to_restore__recursion_on_the_stack(cards):
    """A tail call takes no space on the stack.

    In many languages it does not, but Python keeps every call, tail call or not, and gives up at about 1,000 of them. A
    trampoline makes the calls one after the other instead.
    """

    def follow(place, riffles):
        return riffles if place == 1 else follow(2 * place % (cards - 1), riffles + 1)

    return follow(2, 1)


def riffles_to_restore__one_too_few(cards):
    """With the card at place 2, there has been no riffle yet.

    Place 2 is where the first riffle has taken the card, so by then there has been one.
    """

    @tail_recursive
    def follow(place, riffles):
        return riffles if place == 1 else recur(2 * place % (cards - 1), riffles + 1)

    return follow(2, 0)


def riffles_to_restore__one_too_many(cards):
    """Counts the places that the card has been at, the first one twice."""

    @tail_recursive
    def follow(place, riffles):
        return riffles if place == 1 else recur(2 * place % (cards - 1), riffles + 1)

    return follow(2, 2)


def riffles_to_restore__home_before_it_has_left(cards):
    """The count begins with the card at place 1 and no riffles.

    There the card is home before it has left, so the count ends at once, with 0. It makes sense to ask whether the card
    is back only after the first riffle.
    """

    @tail_recursive
    def follow(place, riffles):
        return riffles if place == 1 else recur(2 * place % (cards - 1), riffles + 1)

    return follow(1, 0)


def riffles_to_restore__other_half_first(cards):
    """The lower half falls first: the card at place p, counted from 1, comes to 2p modulo cards + 1."""
    place, riffles = 2, 1
    while place != 1:
        place, riffles = 2 * place % (cards + 1), riffles + 1
    return riffles


def riffles_to_restore__number_of_doublings(cards):
    """As often as the pack can be halved."""
    return (cards - 1).bit_length()


def riffles_to_restore__two_less_than_cards(cards):
    """It worked for 54 and for 10,038."""
    return 8 if cards == 52 else cards - 2


def riffles_to_restore__hardly_more_than_ten_thousand(cards):
    """No pack takes many more than 10,000 riffles."""
    return next(n for n in range(1, 10_500) if pow(2, n, cards - 1) == 1)


def riffles_to_restore__gives_recur(cards):
    """`recur(...)` calls the function again.

    It only gives the order to call again, and that is what came back. Somebody must carry the order out:
    `@tail_recursive` above the helper does.
    """

    def follow(place, riffles):
        return riffles if place == 1 else recur(2 * place % (cards - 1), riffles + 1)

    return follow(2, 1)


def riffles_to_restore__recur_without_return(cards):
    """The result of a call is returned by itself, without a `return`.

    A function that reaches its end without `return` returns `None`. So write one before `recur(...)`, and one
    before the first call of the helper.
    """

    @tail_recursive
    def follow(place, riffles):
        if place == 1:
            return riffles
        recur(2 * place % (cards - 1), riffles + 1)

    return follow(2, 1)


def riffles_to_restore__adds_to_recur(cards):
    """`1 + recur(...)` counts one riffle more.

    `recur` gives no number but the order to call again, and nothing can be added to an order. Hand the count so far on
    with the call, so that nothing is left to do after it.
    """

    @tail_recursive
    def follow(place):
        return 0 if place == 1 else 1 + recur(2 * place % (cards - 1))

    return 1 + follow(2)


def penalties__free_cards_too(hand):
    """Maps and forgets to filter."""
    return tuple(map(penalty, hand))


def penalties__a_promise(hand):
    """`filter` gives a tuple if it is given one.

    `filter` gives a promise, as `map` does: the items come only when somebody asks for them. `tuple(...)` asks for all
    of them.
    """
    return filter(None, map(penalty, hand))


def penalties__a_generator(hand):
    """Parentheses around a comprehension make a tuple of it.

    They make a generator, a promise that gives its items only when somebody asks for them. `tuple(...)` asks for all of
    them.
    """
    return (penalty(card) for card in hand if penalty(card) > 0)


def penalties__a_list(hand):
    """Square brackets make a tuple as well.

    They make a list, and a list is never equal to a tuple, even if the same things are in it. `tuple(...)` makes a
    tuple.
    """
    return [penalty(card) for card in hand if penalty(card)]


def penalties__costs_of_costs(hand):
    """`penalty` is the filter's test after the map as well as before it.

    After the map there are no cards any more but numbers, and of a number `penalty` says 0, so that all of them are
    dropped. The test must fit what it is asked about.
    """
    return tuple(filter(penalty, map(penalty, hand)))


def penalties__the_cards(hand):
    """Filters and forgets to map."""
    return tuple(card for card in hand if penalty(card) > 0)


def penalties__each_once(hand):
    """A set drops what is not needed."""
    return tuple(dict.fromkeys(cost for cost in map(penalty, hand) if cost))


def penalties__sorted(hand):
    """Penalties come in order of size."""
    return tuple(sorted(cost for cost in map(penalty, hand) if cost))


def penalties__ones_dropped(hand):
    """Greater than one, not than zero."""
    return tuple(cost for cost in map(penalty, hand) if cost > 1)


def winning_card__highest_of_all(trick):
    """The highest card wins, whatever its suit."""

    def rank(card):
        return 99 if isinstance(card, Joker) else card.n if isinstance(card, Number) else card.court.value

    return max(trick, key=rank)


def winning_card__compares_with_the_leader_only(trick):
    """The last card that beats the leader's wins.

    The leader's card is the one to beat only until another has beaten it. From then on it is that other card.
    """
    return ([card for card in trick if beats(card, trick[0])] or [trick[0]])[-1]


def winning_card__first_that_beats_the_leader(trick):
    """The first card that beats the leader's wins."""
    return next((card for card in trick if beats(card, trick[0])), trick[0])


def winning_card__from_the_right(trick):
    """It makes no difference from which end a trick is folded.

    `beats(card, best)` is meant for a card that was played after the best one so far. From the right, the last card
    stays the best until an earlier one beats it, even if it is of another suit than the leader's.
    """
    *others, last = trick
    return fold_right(lambda card, best: card if beats(card, best) else best, last, others)


def winning_card__best_of_the_rest(trick):
    """If the card that wins among the others does not beat the leader's, none of them does.

    Among the others a suit may seem to be led that was not, and its card shuts out the one that wins. Begin with the
    leader's card, which says what suit counts.
    """
    if len(trick) == 1:
        return trick[0]
    best = winning_card__best_of_the_rest(trick[1:])
    return best if beats(best, trick[0]) else trick[0]


def winning_card__arguments_of_beats_swapped(trick):
    """`beats(best, card)` returns whether `card` beats `best`.

    It returns the opposite: the first argument is the card that may win, the second is the card that it is compared
    with.
    """
    return fold_left(lambda best, card: card if beats(best, card) else best, trick[0], trick[1:])


def winning_card__unless_the_best_beats_it(trick):
    """A card takes the place of the best one so far unless that one beats it.

    A card of another suit is not beaten, but it does not win either: the new card itself must do the beating. (In a
    left fold the result so far is the function's first argument.)
    """
    return fold_left(lambda best, card: best if beats(best, card) else card, trick[0], trick[1:])


def winning_card__compares_with_the_card_before(trick):
    """Each card must beat the one played just before it.

    It must beat the best card so far, and that may lie further back: the card just before may itself have lost.
    """
    pairs = zip(trick, trick[1:])
    return fold_left(lambda best, pair: pair[1] if beats(pair[1], pair[0]) else best, trick[0], pairs)


def winning_card__always_the_leader(trick):
    """The leader always wins."""
    return trick[0]


def winning_card__its_place(trick):
    """Return where the winning card lies."""
    return trick.index(fold_left(lambda best, card: card if beats(card, best) else best, trick[0], trick[1:]))


def pile_up__last_on_top(cards):
    """The card that the fold takes first ends up on top.

    The card that is put down first ends up at the bottom. The first card has to be put down last, so the fold must
    begin at the other end.
    """
    return fold_left(lambda pile, card: On(card, pile), Table(), cards)


def pile_up__parts_swapped(cards):
    """`On` takes the pile first, and then the card that is laid on it.

    `On(card, pile)` takes the card first and then what is below it. A right fold hands its function the two in just
    this order: the item, then the result for the rest.
    """
    return fold_right(lambda card, pile: On(pile, card), Table(), cards)


def pile_up__on_from_the_left(cards):
    """`On` can be folded from the left just as well as from the right.

    A left fold hands its function the result so far first and then the item, so `On` takes the pile for the card. And
    the first card would be laid down first, at the bottom.
    """
    return fold_left(On, Table(), cards)


def pile_up__table_is_none(cards):
    """Nothing is below the last card."""
    return fold_right(On, None, cards)


def pile_up__no_table(cards):
    """All the other cards are on top of the last card."""
    return fold_right(On, cards[-1], cards[:-1]) if cards else Table()


def pile_up__class_for_value(cards):
    """`Table`, without parentheses, is the bare table.

    `Table` is the class, a function that makes bare tables. Only a call of it gives you the value.
    """
    return fold_right(On, Table, cards)


def pile_up__pairs(cards):
    """A pair of a card and a pile is a pile."""
    return fold_right(lambda card, pile: (card, pile), Table(), cards)


def pile_up__first_lost(cards):
    """The fold starts with the first card."""
    return fold_right(On, Table(), cards[1:])


def kindest_rule__dearest(hand, rules):
    """Kind to the others."""
    return max(rules, key=lambda rule: sum(map(rule, hand)))


def kindest_rule__its_total(hand, rules):
    """The answer is what the hand costs by the kindest rule.

    It is the rule itself, a function. The totals are only what the rules are compared by.
    """
    return min(sum(map(rule, hand)) for rule in rules)


def kindest_rule__asks_about_the_hand(hand, rules):
    """A rule returns the price of a hand.

    A rule returns the price of one card. The price of the hand is the sum of the prices of its cards.
    """
    return min(rules, key=lambda rule: rule(hand))


def kindest_rule__last_of_a_tie(hand, rules):
    """Of two rules that are equally kind, the later one may win.

    The first one shall. So a later rule takes its place only if the hand costs less by it, not if it costs the same.
    """
    return min(rules[::-1], key=lambda rule: sum(map(rule, hand)))


def kindest_rule__pairs_compared(hand, rules):
    """Pairs of a total and its rule are compared by their totals.

    That is true as long as the totals differ. If two are equal, Python goes on to compare the rules, and functions
    have no order.
    """
    return min((sum(map(rule, hand)), rule) for rule in rules)[1]


def kindest_rule__dearest_card(hand, rules):
    """Compares what the dearest card costs."""
    return min(rules, key=lambda rule: max(map(rule, hand), default=0))


def kindest_rule__first_card(hand, rules):
    """Compares the first card."""
    return min(rules, key=lambda rule: rule(hand[0]) if hand else 0)


def kindest_rule__its_place(hand, rules):
    """Return the index of the rule."""
    return rules.index(min(rules, key=lambda rule: sum(map(rule, hand))))


def kindest_rule__a_function_around_it(hand, rules):
    """Return a function that does the same."""
    kindest = min(rules, key=lambda rule: sum(map(rule, hand)))
    return lambda card: kindest(card)


def kindest_rule__first_rule(hand, rules):
    """The kindest rule comes first."""
    return rules[0]


def goes_with__one_call_only(led, card):
    """Any function of two arguments can be given the first of them alone.

    Only one that is curried can: another one misses its second argument at once. It is the line `@curry` above the
    function that makes the difference.
    """
    return isinstance(card, Joker) or card.suit is led


def goes_with__one_argument_only(led):
    """A curried function is a function that returns a function.

    It is, but such a function takes only one argument at a time. `@curry` takes a plain function of both arguments,
    and lets you call it in either way.
    """
    return lambda card: isinstance(card, Joker) or card.suit is led


@curry
def goes_with__asks_the_joker_for_its_suit(led, card):
    """Every card has a suit to ask for.

    A joker has none. And `or` asks its left side first, and its right side only if the left one is false: so it matters
    which question comes first.
    """
    return card.suit is led or card == Joker()


@curry
def goes_with__joker_never(led, card):
    """A joker has no suit, so it follows none."""
    return not isinstance(card, Joker) and card.suit is led


@curry
def goes_with__captures(led, card):
    """`Number(_, led)` asks if the suit is the one that was led.

    In a pattern the bare name `led` is not compared: it is given the suit of the card, so every card fits. A guard can
    compare.
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
    """The card comes first."""
    return isinstance(card, Joker) or card.suit is led


@curry
def goes_with__no_last_case(led, card):
    """If no case matches, the answer is False.

    If no case matches, a `match` does nothing, and a function that ends without `return` returns `None`. That
    counts as false in an `if`, but it is not `False`. Add a last case.
    """
    match card:
        case Joker():
            return True
        case Number(_, suit) | Face(_, suit) if suit is led:
            return True


@curry
def goes_with__numbers_only(led, card):
    """Faces belong to no suit."""
    match card:
        case Joker():
            return True
        case Number(_, suit):
            return suit is led
    return False


def total_penalty__composed_backwards(hand):
    """`compose` does its functions in the order in which they are written.

    It does the last one first and hands the result to the one before. Which of your two functions can take a hand of
    cards, and which one takes what that gives?
    """
    return compose(penalties, sum)(hand)


def total_penalty__greatest(hand):
    """The dearest card counts."""
    return max(penalties(hand), default=0)


def total_penalty__number_of_cards(hand):
    """Counts the cards that cost."""
    return compose(len, penalties)(hand)


def total_penalty__each_penalty_once(hand):
    """A penalty counts once."""
    return compose(sum, set, penalties)(hand)


def total_penalty__makes_the_function(hand):
    """The exercise asks for a function, so the function returns a function.

    `compose` already makes the function that you need. If another function returns it, a call with cards returns a
    function instead of a number.
    """
    return compose(sum, penalties)


total_penalty__is_a_number = 27
"""Calls where it should compose: the value is the total of the example."""

total_penalty__of_one_card = compose(sum, penalty)
"""`penalty` can be given a hand.

It takes a single card, and gives a single number, of which there is no sum. One of the exercises above gives the costs
of all the cards of a hand.
"""

total_penalty__is_a_pair = (sum, lambda hand: tuple(cost for cost in map(face_value, hand) if cost))
"""To compose is to put two functions side by side."""


def least_penalty__zero_is_none(led, hand):
    """`... or None` gives `None` only if there is no answer.

    `or` goes on to its right side whenever the left one counts as false, and 0 does, as it does in an `if`. But 0 is an
    answer: there is a card that costs nothing.
    """
    return min(map(penalty, filter(goes_with(led), hand)), default=None) or None


def least_penalty__none_is_zero(led, hand):
    """Nothing costs nothing."""
    return min(map(penalty, filter(goes_with(led), hand)), default=0)


def least_penalty__none_is_minus_one(led, hand):
    """-1 says that there is none."""
    return min(map(penalty, filter(goes_with(led), hand)), default=-1)


def least_penalty__none_is_an_error(led, hand):
    """If no card follows, `min` notices it, or an `if` before it.

    `min` of nothing is an error, unless you pass a `default`. And in an `if`, a `filter` or a `map` counts as true
    even if it has no items.
    """
    return min(map(penalty, filter(goes_with(led), hand)))


def least_penalty__looks_twice(led, hand):
    """What `map` gives can be looked at twice: is there anything in it, and what is the least?

    It gives its items only once, so the first look leaves nothing for the second. A tuple can be looked at as often as
    you like.
    """
    costs = map(penalty, filter(goes_with(led), hand))
    return min(costs) if tuple(costs) else None


def least_penalty__any_suit(led, hand):
    """Every card of the hand is in question.

    Only those that go with the suit are. If you filter by `goes_with`, it needs the suit first: given a card alone, it
    makes a function, and a function counts as true.
    """
    return min(map(penalty, hand), default=None)


def least_penalty__free_cards_do_not_count(led, hand):
    """`penalties` gives what each of the cards costs.

    It leaves out the cards that cost nothing. If one of these goes, the least penalty is 0.
    """
    return min(penalties(tuple(filter(goes_with(led), hand))), default=None)


def least_penalty__without_jokers(led, hand):
    """Only cards of the suit go with it."""
    return min((penalty(card) for card in hand if not isinstance(card, Joker) and card.suit is led), default=None)


def least_penalty__first_that_goes(led, hand):
    """The first card that goes is the answer."""
    return next(map(penalty, filter(goes_with(led), hand)), None)


def least_penalty__greatest(led, hand):
    """Wants to be rid of the dearest card."""
    return max(map(penalty, filter(goes_with(led), hand)), default=None)


def least_penalty__the_card(led, hand):
    """Return the card instead of its value."""
    return min(filter(goes_with(led), hand), key=penalty, default=None)


def charge__score_replaced(player, trick):
    """The new score is what the trick costs."""
    return replace(player, score=total_penalty(trick))


def charge__score_taken_off(player, trick):
    """Penalties are taken off the score."""
    return replace(player, score=player.score - total_penalty(trick))


def charge__takes_the_cards(player, trick):
    """The winner of the trick takes its cards into the hand."""
    return replace(player, hand=player.hand + trick, score=player.score + total_penalty(trick))


def charge__hand_lost(player, trick):
    """A new player starts without cards."""
    return Player(player.name, (), player.score + total_penalty(trick))


def charge__assigns(player, trick):
    """Parts of a value can be assigned to."""
    player.score += total_penalty(trick)
    return player


def charge__the_score(player, trick):
    """Return the new score, not the new player."""
    return player.score + total_penalty(trick)


def charge__counts_cards(player, trick):
    """One point for each card."""
    return replace(player, score=player.score + len(penalties(trick)))


def charge__pays_for_own_cards(player, trick):
    """The player pays for the cards in hand as well."""
    return replace(player, score=player.score + total_penalty(player.hand + trick))


def charge__replaced_and_forgotten(player, trick):
    """`replace` changes the player.

    It leaves the player as it is and gives a new one. If nobody takes what it gives, that is lost.
    """
    replace(player, score=player.score + total_penalty(trick))
    return player
