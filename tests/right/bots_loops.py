"""The bots as a beginner writes them: loops, lists inside, early returns, helpers beside."""

from course.bots import *


def by_value(hand):
    done = []
    for value in range(15):
        for card in hand:
            if card.value == value:
                done.append(card)
    return tuple(done)


def fits(card, top, color):
    if card.value == WILD_DRAW_FOUR:
        return False
    if card.value == WILD:
        return True
    if card.color == color:
        return True
    return card.value == top.value


def playable_cards(view):
    found = []
    for card in view.hand:
        if fits(card, view.top, view.color):
            found.append(card)
    if found == []:
        for card in view.hand:
            if card.value == 14:
                found.append(card)
    return by_value(tuple(found))


def is_sound(view, card):
    if card is None:
        for held in view.hand:
            if is_wild(held) or fits(held, view.top, view.color):
                return False
        return True
    if card not in view.hand:
        return False
    if card.value == 14:
        for held in view.hand:
            if fits(held, view.top, view.color):
                return False
        return True
    return fits(card, view.top, view.color)


def most_common_color(hand):
    best = None
    most = 0
    for color in [RED, BLUE, GREEN, YELLOW]:
        number = 0
        for card in hand:
            if card.color == color:
                number += 1
        if number > most:
            best = color
            most = number
    return best


def stupid_play_card(view):
    for card in by_value(view.hand):
        if card in playable_cards(view):
            return card


def stupid_play_drawn(view):
    if view.drawn is None:
        return False
    if is_wild(view.drawn):
        return True
    return view.drawn.color == view.color or view.drawn.value == view.top.value


def stupid_choose_color(view):
    rest = view.roll % 4
    if rest == 0:
        return RED
    if rest == 1:
        return BLUE
    if rest == 2:
        return GREEN
    return YELLOW


stupid_player = Bot(
    name="StupidPlayer",
    play_card=stupid_play_card,
    play_drawn=stupid_play_drawn,
    choose_color=stupid_choose_color,
)


def highest(condition, cards):
    best = None
    for card in cards:
        if condition(card):
            if best is None or card.value >= best.value:
                best = card
    return best


def slow_next_player(view):
    following = view.counts[1] if view.direction == 1 else view.counts[len(view.counts) - 1]
    if following >= 4:
        return None
    cards = playable_cards(view)
    for card in reversed(cards):
        if card.value == 10:
            return card
    for card in reversed(cards):
        if is_action(card) or is_wild(card):
            return card
    return None


def has_spare_action(cards):
    count = 0
    color = None
    for card in cards:
        if is_action(card):
            count += 1
            color = card.color
    if count != 1:
        return count > 1
    for card in cards:
        if not is_action(card) and card.color == color:
            return True
    return False


def spend_spare_action(view):
    cards = playable_cards(view)
    if has_spare_action(cards):
        return cards[len(cards) - 1]
    return None


def follow_color(view):
    best = None
    for card in view.hand:
        if card.color == view.color and card.value <= 9:
            if best is None or card.value >= best.value:
                best = card
    return best


def change_to_common_color(view):
    color = most_common_color(view.hand)
    if color is None or is_wild(view.top):
        return None
    for card in view.hand:
        if card.color == color and card.value == view.top.value:
            return card
    return None


def match_value(view):
    for card in reversed(playable_cards(view)):
        if card.value == view.top.value:
            return card
    return None


def highest_playable(view):
    cards = playable_cards(view)
    if len(cards) == 0:
        return None
    return cards[-1]


def first_answer(stages, view):
    for stage in stages:
        card = stage(view)
        if card is not None:
            return card
    return None


def smart_play_card(view):
    card = slow_next_player(view)
    if card is None:
        card = spend_spare_action(view)
    if card is None:
        card = follow_color(view)
    if card is None:
        card = change_to_common_color(view)
    if card is None:
        card = match_value(view)
    if card is None:
        card = highest_playable(view)
    return card


smart_play_drawn = stupid_play_drawn


def smart_choose_color(view):
    color = most_common_color(view.hand)
    if color is not None:
        return color
    others = []
    for color in COLORS:
        if color != view.color:
            others.append(color)
    return others[view.roll % 3]


smart_player = Bot("SmartPlayer", smart_play_card, smart_play_drawn, smart_choose_color)


def win_rate(first, second, seeds):
    won = 0
    number = 0
    for seed in seeds:
        if number % 2 == 0:
            won += play_game((first, second), seed).winner == 0
        else:
            won += play_game((second, first), seed).winner == 1
        number += 1
    return won / number


def lonely(card, hand):
    company = 0
    for other in hand:
        if other.color == card.color or other.value == card.value:
            company += 1
    return -company


def my_card(view):
    best = None
    for card in playable_cards(view):
        worth = lonely(card, view.hand) * 20 + card.value
        if is_wild(card):
            worth = -1000
        if view.counts[view.direction] <= 2 and card.value in (10, 12):
            worth += 500
        if best is None or worth >= best[0]:
            best = (worth, card)
    return best[1]


def my_drawn(view):
    if is_wild(view.drawn) and view.counts[view.direction] > 4:
        return False
    return smart_play_drawn(view)


def champion():
    return Bot("Mine", my_card, my_drawn, smart_choose_color)
