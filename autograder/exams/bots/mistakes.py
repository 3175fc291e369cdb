"""Answers that learners give to the exercises of the bots, each wrong in one way."""

from course.bots import *


def by_value__descending(hand):
    """The cards are sorted from high to low.

    The cards are sorted from low to high: the lowest value comes first.
    """
    return tuple(sorted(hand, key=lambda card: -card.value))


def by_value__reversed_twice(hand):
    """Sorting from high to low and reversing the result is the same as sorting from low to high.

    That is not true for cards of equal value. Both sorts keep equal cards in their old order, so reversing the result
    puts the last of the equal cards first.
    """
    return tuple(sorted(hand[::-1], key=lambda card: card.value))


def by_value__a_list(hand):
    """`sorted` returns a tuple.

    `sorted` returns a list. Wrap it in `tuple(…)`.
    """
    return sorted(hand, key=lambda card: card.value)


def by_value__colors_within_values(hand):
    """Cards of equal value are sorted by color.

    Cards of equal value keep the order of the hand.
    """
    return tuple(sorted(hand, key=lambda card: (card.value, COLORS.index(card.color) if card.color else 4)))


def by_value__without_doubles(hand):
    """If two cards are equal, only one of them is in the result.

    Every card of the hand is in the result.
    """
    return tuple(sorted(dict.fromkeys(hand), key=lambda card: card.value))


def by_value__by_color(hand):
    """The cards are sorted by color.

    The cards are sorted by their value.
    """
    return tuple(sorted(hand, key=lambda card: COLORS.index(card.color) if card.color else 4))


def by_value__by_place_in_the_hand(hand):
    """To keep the order of cards of equal value, you must also compare their indexes.

    `sorted` keeps that order without your help. And `index` always returns the index of the first of several equal
    cards, so the indexes would be wrong.
    """
    return tuple(sorted(hand, key=lambda card: (card.value, hand.index(card))))


def by_value__equal_values_reversed(hand):
    return tuple(sorted(hand[::-1], key=lambda card: card.value))


def fits__color_of_the_top_card(card, top, color):
    """The color to follow is the color of the top card.

    After a wild card, the color to follow is the color that was chosen. The wild card on top has no color. Use `color`,
    the color to follow.
    """
    return card.color is top.color or card.value == top.value < WILD or card.value == WILD


def fits__wild_draw_four_too(card, top, color):
    """Every wild fits on every card.

    You may play a wild draw four only if no other card of the hand fits. But `fits` does not receive the hand, so a
    wild draw four never fits. `playable_cards` adds the wild draw fours.
    """
    return card.color is color or card.value == top.value or is_wild(card)


def fits__wild_draw_four_on_its_like(card, top, color):
    """Cards of equal value always fit on each other.

    Wild draw fours have equal values, but `fits` is never true for them. A wild draw four may be played only if no
    other card of the hand fits, and `fits` does not receive the hand.
    """
    return card.color is color or card.value == top.value or card.value == WILD


def fits__color_only(card, top, color):
    """A card fits only by its color.

    A card that is not wild also fits by its value.
    """
    return card.color is color or card.value == WILD


def fits__no_wilds(card, top, color):
    """A card fits by its color or its value, so a wild never fits.

    A plain wild always fits.
    """
    return card.color is color or card.value == top.value < WILD


def fits__color_and_value(card, top, color):
    """A card fits only if it has both the color to follow and the value of the top card.

    A card fits if it has the color to follow, or the value of the top card.
    """
    return card.color is color and card.value == top.value or card.value == WILD


def fits__digits_only_by_value(card, top, color):
    """Only digits fit by their value; actions fit only by their color.

    An action also fits on an action of the same value.
    """
    return card.color is color or card.value == top.value < DRAW_TWO or card.value == WILD


def fits__bare_name_in_a_case(card, top, color):
    """`case Card(_, WILD)` matches only wilds.

    A bare name in a pattern matches any value, and becomes a new name for it: `Card(_, WILD)` matches every card.
    Compare with `==` instead.
    """
    match card:
        case Card(_, WILD):
            return True
        case Card(_, WILD_DRAW_FOUR):
            return False
    return card.color is color or card.value == top.value


def fits__zeros_do_not_match(card, top, color):
    """A zero fits only by its color.

    A zero also fits on a zero.
    """
    same = card.value == top.value < WILD and card.value != 0
    return card.color is color or same or card.value == WILD


def fits__actions_do_not_match(card, top, color):
    """An action fits only by its color.

    An action also fits on an action of the same value.
    """
    same = card.value == top.value < SKIP
    return card.color is color or same or card.value == WILD


def fits__wild_only_on_wild(card, top, color):
    """A plain wild fits on a plain wild only.

    A plain wild fits on any card.
    """
    same = card.value == top.value < WILD
    return card.color is color or same or card.value == top.value == WILD


def playable_cards__wild_draw_four_always(view):
    """A wild draw four can always be played.

    A wild draw four can be played only if no other card can be played. If any card fits, even a plain wild, leave the
    wild draw fours out.
    """
    return by_value(tuple(c for c in view.hand if is_wild(c) or fits(c, view.top, view.color)))


def playable_cards__wild_draw_four_never(view):
    """A card can be played if and only if it fits.

    `fits` checks a single card, and it is never true for a wild draw four. But if no other card of the hand fits, the
    wild draw fours can be played.
    """
    return by_value(tuple(c for c in view.hand if fits(c, view.top, view.color)))


def playable_cards__wild_draw_four_without_the_color(view):
    """A player who has no card of the color to follow may play a wild draw four.

    That is a well-known rule, but this game is stricter. The player may do so only if no other card of the hand fits by
    color, by value or as a plain wild.
    """
    fitting = tuple(card for card in view.hand if fits(card, view.top, view.color))
    four = (
        ()
        if any(c.color is view.color for c in view.hand)
        else tuple(c for c in view.hand if c.value == WILD_DRAW_FOUR)
    )
    return by_value(fitting + four)


def playable_cards__wild_draw_four_beside_a_wild(view):
    """A player who holds a plain wild may still play a wild draw four.

    A plain wild always fits. So there is another card to play, and the wild draw fours cannot be played yet.
    """
    fitting = tuple(card for card in view.hand if fits(card, view.top, view.color))
    if all(is_wild(card) for card in fitting):
        return by_value(fitting + tuple(card for card in view.hand if card.value == WILD_DRAW_FOUR))
    return by_value(fitting)


def playable_cards__as_in_the_hand(view):
    """The playable cards may stay in the order of the hand.

    The playable cards are sorted by ascending value.
    """
    fitting = tuple(card for card in view.hand if fits(card, view.top, view.color))
    return fitting or tuple(card for card in view.hand if card.value == WILD_DRAW_FOUR)


def playable_cards__descending(view):
    """The playable cards are sorted from high to low.

    The playable cards begin with the lowest value.
    """
    fitting = tuple(card for card in view.hand if fits(card, view.top, view.color))
    return by_value(fitting)[::-1] or tuple(card for card in view.hand if card.value == WILD_DRAW_FOUR)


def playable_cards__one_wild_draw_four(view):
    """If there are several wild draw fours, only one of them is listed.

    Each wild draw four of the hand is listed.
    """
    fitting = tuple(card for card in view.hand if fits(card, view.top, view.color))
    return by_value(fitting) or tuple(card for card in view.hand if card.value == WILD_DRAW_FOUR)[:1]


def playable_cards__one_draw_four_is_enough(view):
    fitting = tuple(card for card in view.hand if fits(card, view.top, view.color))
    return by_value(fitting) or tuple(card for card in view.hand if card.value == WILD_DRAW_FOUR)[:1]


def is_sound__nothing_is_always_allowed(view, card):
    """Playing nothing is always allowed.

    A player who can play must play. `None` is allowed only if no card of the hand can be played.
    """
    return card is None or card in playable_cards(view)


def is_sound__nothing_is_never_allowed(view, card):
    """A player must play a card in every turn.

    Perhaps no card of the hand can be played. Then only `None`, which means to play nothing, is allowed.
    """
    return card in playable_cards(view)


def is_sound__cards_out_of_nowhere(view, card):
    """Every card that fits on the top card may be played.

    The card must also be in the hand. `fits` does not check the hand: it can be true for any card.
    """
    if card is None:
        return not playable_cards(view)
    goes = any(fits(held, view.top, view.color) for held in view.hand)
    return fits(card, view.top, view.color) or card.value == WILD_DRAW_FOUR and not goes


def is_sound__any_card_of_the_hand(view, card):
    """Any card of the hand may be played, and a player may play nothing if the hand is empty.

    Only a card that can be played is allowed. `None` is allowed only if no card of the hand can be played.
    """
    return card in (view.hand or (None,))


def is_sound__what_fits(view, card):
    """A card can be played if and only if it fits.

    `fits` checks a single card, and it is never true for a wild draw four. But if no other card of the hand fits, a
    wild draw four can be played, and must be played.
    """
    return card in (tuple(held for held in view.hand if fits(held, view.top, view.color)) or (None,))


def is_sound__wild_draw_four_always(view, card):
    """A wild draw four can always be played.

    A wild draw four may be played only if no other card can be played. If any card fits, even a plain wild, it is
    against the rules to play a wild draw four.
    """
    goes = tuple(held for held in view.hand if is_wild(held) or fits(held, view.top, view.color))
    return card in (goes or (None,))


def is_sound__wild_draw_four_beside_a_wild(view, card):
    """A player who holds a plain wild may still play a wild draw four.

    A plain wild always fits. So this player can play another card, and must not play the wild draw four.
    """
    colored = any(not is_wild(held) and fits(held, view.top, view.color) for held in view.hand)
    wilds = () if colored else tuple(held for held in view.hand if is_wild(held))
    return card in (playable_cards(view) + wilds or (None,))


def is_sound__only_the_lowest(view, card):
    """Only the lowest playable card may be played.

    Any card that can be played is allowed.
    """
    return card == next(iter(playable_cards(view)), None)


def most_common_color__counts_wilds(hand):
    """`None`, the color of wilds, counts as a color.

    `None` is not a color, so wilds do not count.
    """
    colors = tuple(card.color for card in hand)
    return max((*COLORS, None), key=colors.count) if colors else None


def most_common_color__last_of_ties(hand):
    """A later color may replace the best color so far if both are equally common.

    The result is the first of these colors in the order of `COLORS`. A later color must be more common to replace it.
    """
    colors = tuple(card.color for card in hand if card.color)
    return max(COLORS[::-1], key=colors.count) if colors else None


def most_common_color__first_held(hand):
    """If colors are equally common, the first one in the hand is the result.

    The result is the first of these colors in the order of `COLORS`. `max` returns the first of equal items, so pass
    the colors to `max` in this order.
    """
    colors = tuple(card.color for card in hand if card.color)
    return max(colors, key=colors.count) if colors else None


def most_common_color__alphabetical_ties(hand):
    """If colors are equally common, the first one in the alphabet is the result.

    If colors are equally common, the first of them in `COLORS` is the result.
    """
    colors = tuple(card.color for card in hand if card.color)
    return max((BLUE, GREEN, RED, YELLOW), key=colors.count) if colors else None


def most_common_color__red_for_want_of_any(hand):
    """One of the four colors is always the most common.

    In a hand without colored cards, every color occurs zero times. Then `max` returns the first color, red. For such a
    hand, the result must be `None`.
    """
    return max(COLORS, key=tuple(card.color for card in hand).count)


def most_common_color__digits_only(hand):
    """Only the colors of digits are counted, not the colors of actions.

    Actions have a color, so they are counted, too.
    """
    colors = tuple(card.color for card in hand if card.value < DRAW_TWO)
    return max(COLORS, key=colors.count) if colors else None


def most_common_color__most_points(hand):
    """The result is the color whose cards have the most points.

    The result is the color with the most cards. Their points do not matter.
    """
    colored = [c for c in hand if c.color]
    return max(COLORS, key=lambda k: sum(c.value for c in colored if c.color is k)) if colored else None


def most_common_color__last_of_equals(hand):
    colors = tuple(card.color for card in hand if not is_wild(card))
    return max(reversed(COLORS), key=colors.count) if colors else None


def most_common_color__two_at_least(hand):
    """If only one card of the hand has a color, there is no most common color.

    A color can be the most common one even if only one card has it.
    """
    colors = tuple(card.color for card in hand if not is_wild(card))
    return max(COLORS, key=colors.count) if len(colors) > 1 else None


def most_common_color__actions_do_not_count(hand):
    colors = tuple(card.color for card in hand if not is_wild(card) and not is_action(card))
    return max(COLORS, key=colors.count) if colors else None


def stupid_play_card__highest(view):
    """The bot plays the highest playable card.

    The bot plays the first of the playable cards, which has the lowest value.
    """
    return playable_cards(view)[-1]


def stupid_play_card__first_of_the_hand(view):
    """The bot plays the first playable card of the unsorted hand.

    The bot plays the first card of `playable_cards`, which are sorted by value.
    """
    return next(card for card in view.hand if card in playable_cards(view))


def stupid_play_card__lowest_of_all(view):
    """The bot plays the first card of the sorted hand, whether it is playable or not.

    The bot plays the first card that can be played.
    """
    return by_value(view.hand)[0]


def stupid_play_card__wild_draw_four_first(view):
    """A wild draw four is always a good card to play.

    The bot plays the lowest playable card, so a wild draw four comes last.
    """
    return next((card for card in view.hand if card.value == WILD_DRAW_FOUR), playable_cards(view)[0])


def stupid_play_card__all_of_them(view):
    """The result is a tuple of all the playable cards.

    The result is the first playable card.
    """
    return playable_cards(view)[:1]


def stupid_play_drawn__no_wild_draw_four(view):
    """Only a card that `fits` can be played.

    A wild draw four never fits, because the hand can have another playable card. But players draw only if no card of
    the hand can be played, so they may play a wild draw four that they draw.
    """
    return view.drawn is not None and fits(view.drawn, view.top, view.color)


def stupid_play_drawn__always(view):
    """The bot always plays the card that it draws.

    The bot plays the drawn card only if it is wild or fits.
    """
    return view.drawn is not None


def stupid_play_drawn__looks_at_the_hand(view):
    """The drawn card is the last card of the hand.

    The drawn card is `view.drawn`, and it is not in the hand yet.
    """
    return bool(view.hand) and (is_wild(view.hand[-1]) or fits(view.hand[-1], view.top, view.color))


def stupid_play_drawn__color_only(view):
    """A drawn card may be played only if it has the color to follow.

    A drawn card may also be played if it has the value of the top card, or if it is wild.
    """
    return view.drawn is not None and (is_wild(view.drawn) or view.drawn.color is view.color)


def stupid_play_drawn__must_be_drawn(view):
    """There is always a drawn card.

    `view.drawn` can be `None`. In this case, the result is `False`.
    """
    return is_wild(view.drawn) or fits(view.drawn, view.top, view.color)


def stupid_play_drawn__none_for_false(view):
    """`view.drawn and ...` is always `True` or `False`.

    If the left side of `and` counts as false, `and` returns the left side itself. If `view.drawn` is `None`, the result
    is `None` instead of `False`. Make the left side a comparison.
    """
    return view.drawn and (is_wild(view.drawn) or fits(view.drawn, view.top, view.color))


def stupid_play_drawn__among_the_playable(view):
    """If the drawn card can be played, `playable_cards(view)` contains it.

    `playable_cards(view)` contains only cards of the hand, and the drawn card is not in the hand yet. Check the drawn
    card itself.
    """
    return view.drawn in playable_cards(view)


def stupid_play_drawn__the_card_itself(view):
    """The result is the card, not `True` or `False`.

    The result is `True` or `False`.
    """
    drawn = view.drawn
    return drawn if drawn is not None and (is_wild(drawn) or fits(drawn, view.top, view.color)) else None


def stupid_play_drawn__draw_four_waits(view):
    drawn = view.drawn
    return drawn is not None and fits(drawn, view.top, view.color)


def stupid_choose_color__most_common(view):
    """The bot chooses the most common color of its hand.

    The roll decides: the color is `COLORS[view.roll % 4]`.
    """
    return most_common_color(view.hand) or RED


def stupid_choose_color__always_red(view):
    return RED


def stupid_choose_color__another(view):
    """The bot must change the color to follow.

    The bot can choose the same color again. Only the roll decides.
    """
    return tuple(color for color in COLORS if color is not view.color)[view.roll % 3]


def stupid_choose_color__top_of_the_roll(view):
    """You may divide the possible rolls into four equal ranges, one for each color.

    The remainder of the roll after a division by 4 decides. The color is `COLORS[view.roll % 4]`.
    """
    return COLORS[view.roll * 4 // 27720]


def stupid_choose_color__counts_from_one(view):
    """Indexes begin at 1.

    Indexes and remainders begin at 0. If you subtract 1 from a remainder, you get the color before the right one. If
    the remainder is 0, you get the last color: the index -1 means the last item.
    """
    return COLORS[view.roll % 4 - 1]


def stupid_choose_color__never_yellow(view):
    """The last color is never chosen.

    There are four colors, so the index is `view.roll % 4`. If this index is 3, the last color is chosen.
    """
    return COLORS[view.roll % 4 % 3]


def stupid_choose_color__small_rolls_only(view):
    """A roll has at most two digits.

    A roll can have more than two digits.
    """
    return COLORS[min(view.roll, 99) % 4]


stupid_player__another_order = Bot("StupidPlayer", stupid_play_card, stupid_choose_color, stupid_play_drawn)
stupid_player__nameless = Bot("stupid_player", stupid_play_card, stupid_play_drawn, stupid_choose_color)
stupid_player__a_tuple = ("StupidPlayer", stupid_play_card, stupid_play_drawn, stupid_choose_color)


def highest__lowest(condition, cards):
    """The first card for which the condition is true is the highest card.

    Cards with a higher value can follow. The result is the card with the highest value.
    """
    return next(filter(condition, by_value(cards)), None)


def highest__first_of_equals(condition, cards):
    """If several cards are the highest, `max` returns the last of them.

    If several cards are the highest, `max` returns the first of them. The exercise asks for the last of them in
    `cards`.
    """
    return max(filter(condition, cards), key=lambda card: card.value, default=None)


def highest__last_of_the_cards(condition, cards):
    """The cards are sorted already, so the last card is the highest.

    `cards` can be in any order. The result of `playable_cards` is sorted by value, but `highest` must work for other
    cards, too.
    """
    return next(filter(condition, cards[::-1]), None)


def highest__of_all_cards(condition, cards):
    """If the condition is false for the highest card, the result is `None`.

    The condition can be true for a lower card. First select the cards for which the condition is true. Then return the
    highest of these cards.
    """
    best = by_value(cards)[-1:]
    return best[0] if best and condition(best[0]) else None


def highest__raises_when_there_is_none(condition, cards):
    """There is always a card for which the condition is true.

    If there is no such card, the result is `None`.
    """
    return by_value(tuple(filter(condition, cards)))[-1]


def highest__condition_turned_round(condition, cards):
    """`filter` removes the items for which the condition is true.

    `filter` keeps the items for which the condition is true.
    """
    return next(reversed(by_value(tuple(card for card in cards if not condition(card)))), None)


def highest__zero_is_none(condition, cards):
    """If the highest value counts as false, no card was found.

    `None` counts as false, but so does 0, and a card can have the value 0. Compare with `None`, or check whether the
    search found a card.
    """
    top = max((card.value for card in cards if condition(card)), default=0)
    return next(card for card in reversed(cards) if card.value == top and condition(card)) if top else None


def highest__any_card_as_high(condition, cards):
    """Any card with the highest value may be the result.

    Several cards can have this value. Return the last one for which the condition is true.
    """
    best = max((card.value for card in cards if condition(card)), default=-1)
    return next((card for card in reversed(cards) if card.value == best), None)


def highest__wilds_left_out(condition, cards):
    """A wild is never the highest card.

    If the condition is true for a wild, the wild can be the highest card.
    """
    return next(reversed(by_value(tuple(c for c in cards if condition(c) and not is_wild(c)))), None)


def highest__first_five_cards(condition, cards):
    """Only the first five cards can be the highest card.

    Any of the cards can be the highest card.
    """
    return next(reversed(by_value(tuple(filter(condition, cards[:5])))), None)


def slow_next_player__fewer_than_three(view):
    """A player with three cards is not dangerous yet.

    A player with three cards must be slowed down, too.
    """
    if view.counts[view.direction] > 2:
        return None
    cards = playable_cards(view)
    return highest(lambda c: c.value == DRAW_TWO, cards) or highest(lambda c: c.value >= DRAW_TWO, cards)


def slow_next_player__four_is_few(view):
    """If the next player holds four cards, that player is dangerous.

    The next player is dangerous with three cards or fewer. If the next player holds four cards or more, the result is
    `None`.
    """
    if view.counts[view.direction] > 4:
        return None
    cards = playable_cards(view)
    return highest(lambda c: c.value == DRAW_TWO, cards) or highest(lambda c: c.value >= DRAW_TWO, cards)


def slow_next_player__draw_two_not_preferred(view):
    """If several cards slow the next player down, the highest of them is the best.

    A draw two has the lowest value of these cards, but it is the best. Only if no draw two can be played, the result is
    the highest action or wild.
    """
    if view.counts[view.direction] > 3:
        return None
    return highest(lambda c: c.value >= DRAW_TWO, playable_cards(view))


def slow_next_player__action_before_wild(view):
    """A wild is the result only if there is no action.

    Without a draw two, actions and wilds count equally, and the highest of them is the result. A wild is higher
    than any action.
    """
    if view.counts[view.direction] > 3:
        return None
    cards = playable_cards(view)
    return highest(lambda c: c.value == DRAW_TWO, cards) or highest(is_action, cards) or highest(is_wild, cards)


def slow_next_player__no_wilds(view):
    """A wild does not slow the next player down.

    Wilds count, too: if there is no draw two, the result is the highest action or wild.
    """
    if view.counts[view.direction] > 3:
        return None
    cards = playable_cards(view)
    return highest(lambda c: c.value == DRAW_TWO, cards) or highest(is_action, cards)


def slow_next_player__lowest_action(view):
    """If there is no draw two, the result is the lowest action or wild.

    If there is no draw two, the result is the highest action or wild.
    """
    if view.counts[view.direction] > 3:
        return None
    return next((c for c in playable_cards(view) if c.value >= DRAW_TWO), None)


def slow_next_player__ignores_direction(view):
    """The next player's number of cards is always at index 1 of `counts`.

    That is true only if the direction is 1. If the direction is -1, this number is the last item of `counts`.
    """
    if view.counts[1] > 3:
        return None
    cards = playable_cards(view)
    return highest(lambda c: c.value == DRAW_TWO, cards) or highest(lambda c: c.value >= DRAW_TWO, cards)


def slow_next_player__own_cards(view):
    """The bot slows the next player down if the bot itself has few cards.

    The next player's number of cards decides. It is `view.counts[view.direction]`.
    """
    if view.counts[0] > 3:
        return None
    cards = playable_cards(view)
    return highest(lambda c: c.value == DRAW_TWO, cards) or highest(lambda c: c.value >= DRAW_TWO, cards)


def slow_next_player__anybody(view):
    """The bot slows the next player down if any of the players has few cards.

    Only the next player's number of cards decides.
    """
    if min(view.counts[1:]) > 3:
        return None
    cards = playable_cards(view)
    return highest(lambda c: c.value == DRAW_TWO, cards) or highest(lambda c: c.value >= DRAW_TWO, cards)


def slow_next_player__whole_hand(view):
    """A draw two in the hand can always be played.

    Only the cards of `playable_cards` can be played.
    """
    if view.counts[view.direction] > 3:
        return None
    return highest(lambda c: c.value == DRAW_TWO, view.hand) or highest(
        lambda c: c.value >= DRAW_TWO, playable_cards(view)
    )


def slow_next_player__no_card_asked_whether_it_goes(view):
    """Any action or wild of the hand can be played.

    An action must fit by its color or its value, and a wild draw four can be played only if no other card can. Choose
    among the playable cards.
    """
    if view.counts[view.direction] > 3:
        return None
    return highest(lambda c: c.value == DRAW_TWO, view.hand) or highest(lambda c: c.value >= DRAW_TWO, view.hand)


def slow_next_player__wild_before_action(view):
    if view.counts[view.direction] > 3:
        return None
    return highest(is_wild, playable_cards(view)) or highest(is_action, playable_cards(view))


def slow_next_player__two_cards_or_fewer(view):
    if view.counts[view.direction] > 2:
        return None
    cards = playable_cards(view)
    draw_two = highest(lambda card: card.value == DRAW_TWO, cards)
    return draw_two or highest(lambda card: is_action(card) or is_wild(card), cards)


def slow_next_player__clockwise_only(view):
    if view.counts[1] > 3:
        return None
    cards = playable_cards(view)
    draw_two = highest(lambda card: card.value == DRAW_TWO, cards)
    return draw_two or highest(lambda card: is_action(card) or is_wild(card), cards)


def slow_next_player__no_draw_fours(view):
    """A wild draw four does not count in this stage.

    Every action and every wild that can be played counts, even a wild draw four.
    """
    if view.counts[view.direction] > 3:
        return None
    cards = playable_cards(view)
    draw_two = highest(lambda card: card.value == DRAW_TWO, cards)
    return draw_two or highest(lambda card: is_action(card) or card.value == WILD, cards)


def has_spare_action__one_is_enough(cards):
    """A single action can always be spared.

    To spare it, you also need a second action, or another card of its color.
    """
    return any(map(is_action, cards))


def has_spare_action__two_only(cards):
    """An action can be spared only if there are exactly two actions.

    An action can also be spared if there are three or more actions.
    """
    return sum(map(is_action, cards)) >= 2


def has_spare_action__wilds_are_actions(cards):
    """A wild is an action.

    A wild is not an action: skips, reverses and draw twos are the actions.
    """
    return sum(card.value >= DRAW_TWO for card in cards) >= 2 or any(
        one.color is two.color for one in cards for two in cards if is_action(one) and not is_action(two)
    )


def has_spare_action__more_than_two(cards):
    """An action can be spared only if there are at least three actions.

    An action can be spared if there are at least two actions.
    """
    actions = [card for card in cards if is_action(card)]
    return len(actions) > 2 or any(c.color is a.color for a in actions for c in cards if not is_action(c))


def has_spare_action__beside_itself(cards):
    actions = [card for card in cards if is_action(card)]
    return len(actions) >= 2 or any(card.color is a.color for a in actions for card in cards)


def has_spare_action__any_other_card(cards):
    """An action can be spared if there is any other card.

    Another action or a card of the action's color is needed, not just any other card.
    """
    return any(map(is_action, cards)) and len(cards) > 1


def has_spare_action__same_value(cards):
    """Actions with the same value count only once.

    Two actions with the same value are still two actions, so one of them can be spared.
    """
    actions = {card.value for card in cards if is_action(card)}
    return len(actions) >= 2 or any(
        one.color is two.color for one in cards for two in cards if is_action(one) and not is_action(two)
    )


def has_spare_action__equal_ones_count_once(cards):
    """Equal actions count only once.

    Python's `set` keeps only one of equal cards. But two equal cards are two cards. If both are actions, one of
    them can be spared.
    """
    actions = tuple(filter(is_action, cards))
    beside = any(card.color is actions[0].color for card in cards if not is_action(card)) if actions else False
    return len(set(actions)) >= 2 or beside


def has_spare_action__two_wilds_are_enough(cards):
    """A single action can be spared if there are also two wilds.

    Wilds do not help, because they have no color: another card must have the color of the action.
    """
    actions = tuple(filter(is_action, cards))
    wilds = sum(card.color is None for card in cards)
    plain = any(card.color is actions[0].color for card in cards if not is_action(card)) if actions else False
    return len(actions) >= 2 or plain or (len(actions) == 1 and wilds >= 2)


def has_spare_action__three_other_cards_are_enough(cards):
    """A single action can be spared if there are three other cards.

    The number of other cards does not matter. At least one of them must have the color of the action.
    """
    actions = tuple(filter(is_action, cards))
    plain = any(card.color is actions[0].color for card in cards if not is_action(card)) if actions else False
    return len(actions) >= 2 or plain or (len(actions) == 1 and len(cards) > 3)


def spend_spare_action__an_action(view):
    """If an action can be spared, the result is an action.

    If an action can be spared, the result is the highest playable card, even if it is not an action. For example, it
    can be a wild.
    """
    cards = playable_cards(view)
    return highest(is_action, cards) if has_spare_action(cards) else None


def spend_spare_action__counts_the_hand(view):
    """To find a spare action, look at all cards of the hand.

    Look only at the playable cards. An action that does not fit on the top card cannot be played now.
    """
    cards = playable_cards(view)
    return cards[-1] if cards and has_spare_action(view.hand) else None


def spend_spare_action__lowest(view):
    """The result is the first playable card.

    The result is the highest playable card.
    """
    cards = playable_cards(view)
    return cards[0] if has_spare_action(cards) else None


def spend_spare_action__always(view):
    """This stage plays a card even if no action can be spared.

    If no action can be spared, the result is `None`.
    """
    cards = playable_cards(view)
    return cards[-1] if cards else None


def spend_spare_action__first_of_equals(view):
    """If several cards are the highest, `max` returns the last of them.

    If several cards are the highest, `max` returns the first of them. The exercise asks for the last of them. The
    playable cards are sorted by value, so this card is the last playable card.
    """
    cards = playable_cards(view)
    return max(cards, key=lambda card: card.value) if has_spare_action(cards) else None


def follow_color__actions_too(view):
    """The result is the highest card of the color to follow, even if it is an action.

    The result is the highest digit of the color to follow. An action cannot be the result.
    """
    return highest(lambda card: card.color is view.color, playable_cards(view))


def follow_color__lowest(view):
    """The result is the first card of the color to follow.

    The result is the highest digit of this color.
    """
    return next((c for c in playable_cards(view) if c.color is view.color and c.value < DRAW_TWO), None)


def follow_color__any_digit(view):
    """The result is the highest playable digit of any color.

    The digit must have the color to follow.
    """
    return highest(lambda card: card.value < DRAW_TWO, playable_cards(view))


def follow_color__color_of_the_top_card(view):
    """The color to follow is the color of the top card.

    After a wild card, the color to follow is the color that was chosen. The wild card on top has no color. Use
    `view.color`, the color to follow.
    """
    return highest(lambda card: card.color is view.top.color and card.value < DRAW_TWO, playable_cards(view))


def follow_color__no_nines(view):
    """The highest digit is 8.

    The highest digit is 9.
    """
    return highest(lambda card: card.color is view.color and card.value < 9, playable_cards(view))


def follow_color__zero_is_false(view):
    """A card with the digit 0 does not count.

    0 is a digit as well: a card with the digit 0 can be the result. As a condition, 0 counts as false.
    """
    return highest(lambda card: card.color is view.color and 0 < card.value < DRAW_TWO, playable_cards(view))


def follow_color__zero_is_no_digit(view):
    return highest(lambda card: card.color is view.color and 0 < card.value < DRAW_TWO, playable_cards(view))


def change_to_common_color__none_is_a_color(view):
    """If the most common color is `None`, no card has this color.

    The `color` of a wild is `None`, too, so a wild can be found. If the most common color is `None`, the result must
    be `None`.
    """
    common = most_common_color(view.hand)
    return highest(lambda card: card.color is common and card.value == view.top.value, playable_cards(view))


def change_to_common_color__counts_the_playable(view):
    """To find the most common color, count only the playable cards.

    All cards of the hand are counted. Only the card that you return must be playable.
    """
    cards = playable_cards(view)
    common = most_common_color(cards)
    return highest(lambda card: card.color is common is not None and card.value == view.top.value, cards)


def change_to_common_color__any_value(view):
    """The result is the highest card of the most common color.

    The card must have the value of the top card, too.
    """
    common = most_common_color(view.hand)
    return highest(lambda card: card.color is common is not None, playable_cards(view))


def change_to_common_color__any_color(view):
    """The result is a card with the value of the top card, in any color.

    The card must have the most common color of the hand.
    """
    return highest(lambda card: card.value == view.top.value < WILD, playable_cards(view))


def change_to_common_color__must_be_another(view):
    """The new color must not be the color to follow.

    The card needs only the value of the top card and the most common color of the hand. The most common color can be
    the color to follow.
    """
    common = most_common_color(view.hand)
    if common is view.color:
        return None
    return highest(lambda card: card.color is common and card.value == view.top.value < WILD, playable_cards(view))


def change_to_common_color__digits_only(view):
    """Only digits can match the value on top.

    Actions can match the top card's value, too.
    """
    common = most_common_color(view.hand)
    return highest(lambda card: card.color is common and card.value == view.top.value < DRAW_TWO, playable_cards(view))


def change_to_common_color__commonest_of_that_value(view):
    """To find the most common color, count only the cards with the value of the top card.

    All cards of the hand are counted. If no card of the most common color has the value of the top card, the result is
    `None`.
    """
    cards = tuple(c for c in playable_cards(view) if c.value == view.top.value < WILD)
    count = tuple(card.color for card in view.hand).count
    return max(cards, key=lambda card: count(card.color), default=None)


def change_to_common_color__never_the_same(view):
    common = most_common_color(view.hand)
    return highest(
        lambda card: card.color is common is not view.color and card.value == view.top.value < WILD,
        playable_cards(view),
    )


def match_value__first_of_equals(view):
    """The first card with the value of the top card is the result.

    Several cards can have this value, in different colors. The result is the last of them in the hand.
    """
    return next((card for card in playable_cards(view) if card.value == view.top.value), None)


def match_value__no_wilds(view):
    """A wild cannot match the value on top.

    If a wild is on top, a wild in the hand has the same value. So it matches.
    """
    return highest(lambda card: card.value == view.top.value < WILD, playable_cards(view))


def match_value__another_color(view):
    """The card must have a color other than the color to follow.

    The card can have any color. Only its value matters.
    """
    return highest(lambda card: card.value == view.top.value and card.color is not view.color, playable_cards(view))


def match_value__whole_hand(view):
    """Every card with the value of the top card can be played.

    You cannot play a wild draw four on another one if a different card fits. `playable_cards` checks that, so choose
    among its cards.
    """
    return highest(lambda card: card.value == view.top.value, view.hand)


def match_value__as_high_as(view):
    """A card matches if its value is the value on top or a higher value.

    The values must be equal.
    """
    return highest(lambda card: card.value >= view.top.value, playable_cards(view))


def match_value__no_wild_on_a_wild(view):
    return highest(lambda card: card.value == view.top.value < WILD, playable_cards(view))


def highest_playable__lowest(view):
    """In this stage, any playable card may be the result.

    The result is the highest playable card.
    """
    return next(iter(playable_cards(view)), None)


def highest_playable__wilds_only(view):
    """When this stage is called, only wilds are left in the hand.

    This function must work for every hand: it returns the highest playable card, even if it is not a wild.
    """
    return highest(is_wild, playable_cards(view))


def highest_playable__of_the_hand(view):
    """The result is the highest card of the hand, whether it is playable or not.

    The card must be playable.
    """
    return next(reversed(by_value(view.hand)), None)


def highest_playable__there_is_one(view):
    """There is always a playable card.

    If no card can be played, the result is `None`.
    """
    return playable_cards(view)[-1]


def highest_playable__first_of_equals(view):
    """If several cards are the highest, `max` returns the last of them.

    If several cards are the highest, `max` returns the first of them. The exercise asks for the last of them. The
    playable cards are sorted by value, so this card is the last playable card.
    """
    return max(playable_cards(view), key=lambda card: card.value, default=None)


def first_answer__asks_everybody(stages, view):
    """To find the first answer, collect the answers of all stages and search them.

    That calls every stage, even the stages after the first answer, and one of these can raise an exception. Call a
    stage only if no stage before it had an answer.
    """
    answers = tuple(stage(view) for stage in stages)
    return next((card for card in answers if card is not None), None)


def first_answer__asks_twice(stages, view):
    """You may call a stage again, because a pure function returns the same answer.

    The second call returns the same answer, but it repeats all the work. In this exercise, each stage may be called
    only once. Store its answer in a variable.
    """
    return next((stage(view) for stage in stages if stage(view) is not None), None)


def first_answer__last_one(stages, view):
    """The last answer is the result.

    The first answer that is not `None` is the result.
    """
    return next((card for stage in stages[::-1] if (card := stage(view)) is not None), None)


def first_answer__or_turned_round(stages, view):
    """`stage(view) or found` keeps the answer that was found first.

    `or` evaluates its left side first, and returns it if it is a card. So every stage is called, and the last answer
    wins. Put the earlier answer on the left.
    """
    return fold_left(lambda found, stage: stage(view) or found, None, stages)


def first_answer__only_the_first_stage(stages, view):
    """The answer of the first stage is the result, even if it is `None`.

    If an answer is `None`, the next stage is called.
    """
    return stages[0](view) if stages else None


def first_answer__someone_answers(stages, view):
    """`next` returns `None` if no stage has an answer.

    `next` returns `None` only if its second argument is `None`. Without a second argument, `next` raises
    `StopIteration`.
    """
    return next(card for stage in stages if (card := stage(view)) is not None)


def smart_play_card__without_stage_1(view):
    """The bot begins with stage 2, `spend_spare_action`.

    Stage 1 is called first.
    """
    stages = spend_spare_action, follow_color, change_to_common_color, match_value, highest_playable
    return first_answer(stages, view)


def smart_play_card__without_stage_2(view):
    """The bot keeps its actions for the end, so stage 2 is not needed.

    Stage 2 comes after stage 1, and is needed: if the bot can spare an action, this stage plays the highest playable
    card.
    """
    stages = slow_next_player, follow_color, change_to_common_color, match_value, highest_playable
    return first_answer(stages, view)


def smart_play_card__value_before_color(view):
    """The stage `change_to_common_color` comes before the stage `follow_color`.

    `follow_color` is stage 3. It comes before `change_to_common_color`, which is stage 4.
    """
    stages = slow_next_player, spend_spare_action, change_to_common_color, match_value, follow_color, highest_playable
    return first_answer(stages, view)


def smart_play_card__spare_action_first(view):
    """Stage 2 comes before stage 1.

    Stage 1 comes before stage 2.
    """
    stages = spend_spare_action, slow_next_player, follow_color, change_to_common_color, match_value, highest_playable
    return first_answer(stages, view)


def smart_play_card__any_value_first(view):
    """It does not matter which of stages 4 and 5 comes first.

    Whenever stage 4 returns a card, stage 5 returns a card, too, perhaps of another color. If stage 5 comes first, the
    card of stage 4 is never played.
    """
    stages = slow_next_player, spend_spare_action, follow_color, match_value, change_to_common_color, highest_playable
    return first_answer(stages, view)


def smart_play_card__five_stages(view):
    """The last stage is never needed.

    If all other stages return `None`, stage 6 returns the card to play.
    """
    return first_answer((slow_next_player, spend_spare_action, follow_color, change_to_common_color, match_value), view)


def smart_play_card__highest(view):
    """The bot plays the highest playable card.

    The stages are called in order. The bot plays the card of the first stage that returns one.
    """
    return highest_playable(view)


def smart_play_drawn__keeps_wilds(view):
    """The bot keeps a wild that it draws.

    The bot plays each drawn card that can be played.
    """
    return view.drawn is not None and fits(view.drawn, view.top, view.color)


def smart_play_drawn__always(view):
    return True


def smart_play_drawn__never(view):
    return False


def smart_choose_color__random(view):
    """The bot may choose any color.

    The bot chooses the most common color of its hand.
    """
    return COLORS[view.roll % 4]


def smart_choose_color__same_color_allowed(view):
    """If the hand has no colored cards, the bot may choose any of the four colors.

    In this case, the color must change. The roll decides which of the other three colors is the result.
    """
    return most_common_color(view.hand) or COLORS[view.roll % 4]


def smart_choose_color__color_of_the_top_card(view):
    """The color before the wild is the color of the top card.

    The top card is the wild that was just played, and a wild has no color. The color before the wild is `view.color`.
    """
    others = tuple(color for color in COLORS if color is not view.top.color)
    return most_common_color(view.hand) or others[view.roll % 3]


def smart_choose_color__never_the_same(view):
    """The new color must not be the color to follow, even if most cards have that color.

    If the hand has colored cards, the bot chooses their most common color, even if it is the color to follow. The color
    must change only if the hand has no colored cards.
    """
    others = tuple(color for color in COLORS if color is not view.color)
    hand = tuple(card for card in view.hand if card.color is not view.color)
    return most_common_color(hand) or others[view.roll % 3]


def smart_choose_color__first_of_the_others(view):
    """The bot may always choose the first of the other three colors.

    The roll decides. The color is at index `view.roll % 3` of the other three colors.
    """
    return most_common_color(view.hand) or next(color for color in COLORS if color is not view.color)


def smart_choose_color__may_be_none(view):
    """There is always a most common color.

    If no card of the hand has a color, there is no most common color. Then the roll decides among the three colors
    other than `view.color`.
    """
    return most_common_color(view.hand)


def smart_choose_color__others_turned_round(view):
    """The other colors come in the reverse order of `COLORS`.

    The other colors come in the order of `COLORS`.
    """
    others = tuple(color for color in COLORS[::-1] if color is not view.color)
    return most_common_color(view.hand) or others[view.roll % 3]


def smart_choose_color__two_of_the_others(view):
    """The bot chooses one of the first two colors that are left.

    Three colors are left, so the index is `view.roll % 3`.
    """
    others = tuple(color for color in COLORS if color is not view.color)
    return most_common_color(view.hand) or others[view.roll % 2]


smart_player__with_a_random_color = Bot("SmartPlayer", smart_play_card, smart_play_drawn, stupid_choose_color)
smart_player__nameless = Bot("", smart_play_card, smart_play_drawn, smart_choose_color)
smart_player__called_stupid = Bot("StupidPlayer", smart_play_card, smart_play_drawn, smart_choose_color)


def win_rate__same_seats(first, second, seeds):
    """It does not matter which bot sits at which index.

    The bot that begins perhaps has an advantage, so the bots change seats. In games 1, 3, 5 and so on, `second` is at
    index 0, and `first` is at index 1.
    """
    return sum(play_game((first, second), seed).winner == 0 for seed in seeds) / len(seeds)


def win_rate__place_0_wins(first, second, seeds):
    """If `first` wins, `winner` is always 0.

    `winner` is an index. In games 1, 3, 5 and so on, `first` sits at index 1, and has won if `winner` is 1.
    """
    return sum(
        play_game((second, first) if k % 2 else (first, second), seed).winner == 0 for k, seed in enumerate(seeds)
    ) / len(seeds)


def win_rate__begins_second(first, second, seeds):
    """In the first game, the bots have already changed seats.

    The games are counted from 0. In game 0, `first` still sits at index 0. The bots change seats for the first time in
    game 1.
    """
    return sum(
        play_game((first, second) if k % 2 else (second, first), seed).winner == 1 - k % 2
        for k, seed in enumerate(seeds)
    ) / len(seeds)


def win_rate__seeds_seat_them(first, second, seeds):
    """The bots change seats in each game with an odd seed.

    The bots change seats in each game with an odd index: the games 1, 3, 5 and so on. The seed does not decide the
    seats.
    """
    games = ((play_game((second, first) if seed % 2 else (first, second), seed), seed % 2) for seed in seeds)
    return sum(game.winner == place for game, place in games) / len(seeds)


def win_rate__percent(first, second, seeds):
    """A rate is a percentage, from 0 to 100.

    The rate is a number from 0 to 1.
    """
    games = (play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    return 100 * sum(game.winner == k % 2 for k, game in enumerate(games)) / len(seeds)


def win_rate__number_of_wins(first, second, seeds):
    """The result is the number of games that the first bot wins.

    Divide the wins by the number of games.
    """
    games = (play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    return sum(game.winner == k % 2 for k, game in enumerate(games))


def win_rate__sets(first, second, seeds):
    """For each seed, the bots play one set.

    For each seed, the bots play one game: they play sets until a bot has 500 points. Call `play_game`.
    """
    games = (play_set((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    return sum(game.winner == k % 2 for k, game in enumerate(games)) / len(seeds)


def win_rate__of_the_second(first, second, seeds):
    """The result is the win rate of the second bot.

    The result is the win rate of `first`.
    """
    games = (play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    return sum(game.winner != k % 2 for k, game in enumerate(games)) / len(seeds)


def win_rate__a_game_for_each_different_seed(first, second, seeds):
    """Each seed occurs only once.

    A seed can occur twice. In a dictionary, the second game with a seed replaces the first one. But both games count.
    """
    games = {seed: play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds)}
    return sum(games[seed].winner == k % 2 for k, seed in enumerate(seeds)) / len(seeds)


def win_rate__int_for_0_and_1(first, second, seeds):
    """If the bot wins every game, the result may be the integer `1`.

    A rate is always a float, such as `1.0`.
    """
    games = (play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    rate = sum(game.winner == k % 2 for k, game in enumerate(games)) / len(seeds)
    return int(rate) if rate in (0, 1) else rate


def win_rate__rounded(first, second, seeds):
    """The rate is rounded to two digits after the decimal point.

    The rate is not rounded.
    """
    games = (play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    return round(sum(game.winner == k % 2 for k, game in enumerate(games)) / len(seeds), 2)


def champion__copy_of_smart_player():
    return smart_player


def champion__copy_of_stupid_player():
    return stupid_player


def champion__gives_the_duel():
    """`champion` returns the result of `duel`, not a bot.

    Return the bot itself. The exam plays the sets with this bot.
    """
    return duel(smart_player, stupid_player, (1, 2))


def champion__claims_to_have_won():
    return Duel((1, 1), ())


def champion__wild_draw_four_at_once():
    """It is always best to play a wild draw four at once.

    A wild draw four is allowed only if nothing else can be played.
    """

    def play_card(view):
        return next((card for card in view.hand if card.value == WILD_DRAW_FOUR), None) or smart_play_card(view)

    return Bot("Hasty", play_card, smart_play_drawn, smart_choose_color)


def champion__three_functions():
    return smart_play_card, smart_play_drawn, smart_choose_color


def champion__answers_called():
    view = View(DECK[:7], DECK[0], RED)
    return Bot("Called", smart_play_card(view), smart_play_drawn(view), smart_choose_color(view))


def champion__place_of_the_card():
    """The bot returns the index of the card in the hand, not the card.

    The bot returns the card itself.
    """

    def play_card(view):
        return view.hand.index(smart_play_card(view))

    return Bot("Places", play_card, smart_play_drawn, smart_choose_color)
