from course.bots import *


def by_value(hand: Hand) -> Hand:
    return tuple(sorted(hand, key=lambda card: card.value))


def fits(card: Card, top: Card, color: Color) -> bool:
    return card.color == color or card.value == top.value < WILD or card.value == WILD


def playable_cards(view: View) -> Playable:
    fitting = tuple(card for card in view.hand if fits(card, view.top, view.color))
    return by_value(fitting or tuple(card for card in view.hand if card.value == WILD_DRAW_FOUR))


def is_sound(view: View, card: Card | None) -> bool:
    cards = playable_cards(view)
    return card in cards if cards else card is None


def most_common_color(hand: Hand) -> Color | None:
    colors = tuple(card.color for card in hand if not is_wild(card))
    return max(COLORS, key=colors.count) if colors else None


def stupid_play_card(view: TurnView) -> Card:
    return playable_cards(view)[0]


def stupid_play_drawn(view: DrawnView) -> bool:
    drawn = view.drawn
    return drawn is not None and (drawn.value == WILD_DRAW_FOUR or fits(drawn, view.top, view.color))


def stupid_choose_color(view: ColorView) -> Color:
    return COLORS[view.roll % 4]


stupid_player: Bot = Bot("StupidPlayer", stupid_play_card, stupid_play_drawn, stupid_choose_color)


def highest(condition: Condition, cards: Hand) -> Card | None:
    return next(reversed(by_value(tuple(card for card in cards if condition(card)))), None)


def slow_next_player(view: View) -> Card | None:
    if view.counts[view.direction] > 3:
        return None
    cards = playable_cards(view)
    return highest(lambda card: card.value == DRAW_TWO, cards) or highest(
        lambda card: is_action(card) or is_wild(card), cards
    )


def has_spare_action(cards: Playable) -> bool:
    actions = tuple(card for card in cards if is_action(card))
    return len(actions) >= 2 or any(
        card.color == action.color for action in actions for card in cards if not is_action(card)
    )


def spend_spare_action(view: View) -> Card | None:
    cards = playable_cards(view)
    return cards[-1] if has_spare_action(cards) else None


def follow_color(view: View) -> Card | None:
    return highest(lambda card: card.color == view.color and not is_action(card), playable_cards(view))


def change_to_common_color(view: View) -> Card | None:
    color = most_common_color(view.hand)
    return highest(
        lambda card: color is not None and card.color == color and card.value == view.top.value,
        playable_cards(view),
    )


def match_value(view: View) -> Card | None:
    return highest(lambda card: card.value == view.top.value, playable_cards(view))


def highest_playable(view: View) -> Card | None:
    return next(reversed(playable_cards(view)), None)


def first_answer(stages: Stages, view: View) -> Card | None:
    return next((answer for stage in stages if (answer := stage(view)) is not None), None)


def smart_play_card(view: TurnView) -> Card | None:
    stages = (
        slow_next_player,
        spend_spare_action,
        follow_color,
        change_to_common_color,
        match_value,
        highest_playable,
    )
    return first_answer(stages, view)


def smart_play_drawn(view: DrawnView) -> bool:
    return stupid_play_drawn(view)


def smart_choose_color(view: ColorView) -> Color:
    common = most_common_color(view.hand)
    others = tuple(color for color in COLORS if color != view.color)
    return others[view.roll % 3] if common is None else common


smart_player: Bot = Bot("SmartPlayer", smart_play_card, smart_play_drawn, smart_choose_color)


def win_rate(first: Bot, second: Bot, seeds: Seeds) -> float:
    winners = (
        play_game((second, first) if game % 2 else (first, second), seed).winner for game, seed in enumerate(seeds)
    )
    return sum(winner == game % 2 for game, winner in enumerate(winners)) / len(seeds)


def champion() -> Bot:
    def costs_the_turn(card: Card) -> bool:
        return card.value in (DRAW_TWO, SKIP)

    def left_after(card: Card, hand: Hand) -> Hand:
        place = hand.index(card)
        return hand[:place] + hand[place + 1 :]

    def is_close(view: View, cards: int) -> bool:
        return view.counts[view.direction] <= cards

    def worth(card: Card, left: Hand, view: View) -> tuple[int, ...]:
        return (
            not is_wild(card),
            is_close(view, 2) and costs_the_turn(card),
            card.color == view.color,
            -sum(other.value == card.value for other in left),
            costs_the_turn(card) and any(fits(other, card, card.color) for other in left),
            sum(other.color == card.color for other in left),
        )

    def play_card(view: View) -> Card:
        return max(playable_cards(view), key=lambda card: worth(card, left_after(card, view.hand), view))

    def play_drawn(view: View) -> bool:
        keeps = is_wild(view.drawn) and not is_close(view, 3) and len(view.hand) > 1
        return stupid_play_drawn(view) and not keeps

    return Bot("Champion", play_card, play_drawn, smart_choose_color)
