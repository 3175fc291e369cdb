def by_value(hand):
    places = sorted(range(len(hand)), key=lambda place: (hand[place].value, place))
    return tuple(hand[place] for place in places)


def most_common_color(hand):
    colors = [card.color for card in hand if card.color]
    return sorted(set(colors), key=lambda color: (-colors.count(color), COLORS.index(color)))[0] if colors else None


def stupid_choose_color(view):
    return (*COLORS,)[view.roll & 3]


def has_spare_action(cards):
    actions = [card for card in cards if is_action(card)]
    others = {card.color for card in cards if card not in actions}
    return len(actions) > 1 or any(action.color in others for action in actions)


def first_answer(stages, view):
    for stage in stages:
        answer = stage(view)
        if answer is not None:
            return answer
    return None


def highest(condition, cards):
    best = None
    for card in cards:
        if condition(card) and (best is None or card.value >= best.value):
            best = card
    return best
