"""Uno as the lab wants it: cases, tail recursion with what is done so far, local helpers, no loop anywhere."""

from course.uno import *


@curry
@tail_recursive
def precedes(equal, items, first, second):
    match items:
        case ():
            raise IllegalGame
        case (head, *_) if equal(head, first):
            return True
        case (head, *_) if equal(head, second):
            return False
        case (_, *rest):
            return recur(equal, tuple(rest), first, second)


color_is_lt = precedes(is_same_color)(COLORS)

rank_is_lt = precedes(is_same_rank)(RANKS)


def is_lt(first, second):
    match first, second:
        case _, WildDrawFour():
            return True
        case WildDrawFour(), _:
            return False
        case _, Wild():
            return True
        case Wild(), _:
            return False
        case Crd(rank, color), Crd(other, same) if is_same_color(color, same):
            return rank_is_lt(rank)(other)
        case Crd(_, color), Crd(_, other):
            return color_is_lt(color)(other)


card_sort = merge_sort(is_lt)


def card_value(card):
    match card:
        case Wild() | WildDrawFour():
            return 50
        case Crd(Num(number)):
            return number
        case Crd(Reverse() | Skip() | DrawTwo()):
            return 20


def sum_cards(cards):
    @tail_recursive
    def add(total, rest):
        match rest:
            case ():
                return total
            case (card, *others):
                return recur(total + card_value(card), others)

    return add(0, cards)


def opposite_dir(direction):
    match direction:
        case Direction.CLOCKWISE:
            return COUNTERCLOCKWISE
        case Direction.COUNTERCLOCKWISE:
            return CLOCKWISE


def remove_card(cards, card, error):
    @tail_recursive
    def walk(seen, place):
        if place == len(cards):
            raise error
        if is_same_card(cards[place], card):
            return seen + cards[place + 1 :]
        return recur((*seen, cards[place]), place + 1)

    return walk((), 0)


def card_count(card):
    match card:
        case Crd(Num(n)):
            return min(n + 1, 2)
        case Crd():
            return 2
        case Wild() | WildDrawFour():
            return 4


def _all_cards():
    @tail_recursive
    def ranks(cards, color, left):
        if not left:
            return cards
        card = Crd(left[0], color)
        return recur(add_n_copies(card, cards, card_count(card)), color, left[1:])

    @tail_recursive
    def colors(cards, left):
        return recur(ranks(cards, left[0], RANKS), left[1:]) if left else cards

    return colors((Wild(), WildDrawFour()) * 4, COLORS)


deck = _all_cards()


def deal(players):
    @tail_recursive
    def around(players, served, cards):
        match players:
            case ():
                match cards:
                    case (top, *rest):
                        return Desk(tuple(reversed(served)), (top,), tuple(rest), Proceed(), CLOCKWISE, ())
            case (player, *others):
                cards, hand = pass_cards(cards, (), 7)
                return recur(tuple(others), [player.with_cards(hand), *served], cards)

    print(f"\nPlayer {players[0].name} deals.\n", end="")
    return around(players, [], shuffle_list(deck))


def is_sound(desk):
    @tail_recursive
    def without(cards, left):
        match cards:
            case ():
                return left == ()
            case (card, *others) if card in left:
                place = left.index(card)
                return recur(tuple(others), left[:place] + left[place + 1 :])
            case _:
                return False

    return without(sum((player.cards for player in desk.players), desk.pile + desk.deck), deck)


def next_player(desk):
    match desk.direction, desk.players:
        case Direction.CLOCKWISE, (first, *others):
            players = (*others, first)
        case Direction.COUNTERCLOCKWISE, (*others, last):
            players = (last, *others)
    return whose_turn(desk.with_players(players))


def desk_normalize(desk):
    @tail_recursive
    def look(desk):
        match desk.pile[0]:
            case Wild() | WildDrawFour():
                top, *rest = shuffle_list((*desk.deck, *desk.pile))
                return recur(desk.with_deck(tuple(rest)).with_pile((top,)))
            case Crd(Num()):
                return next_player(desk)
            case Crd(Reverse()):
                return whose_turn(desk.with_direction(COUNTERCLOCKWISE))
            case _:
                return next_player(desk).with_state(Execute())

    return look(desk)


def draw(desk):
    match desk.deck:
        case (card, *rest):
            head, *tail = desk.players
            hand = (*head.cards, card)
            return desk.with_deck(tuple(rest)).with_players((head.with_cards(hand), *tail))
        case () if len(desk.pile) > 1:
            top, *rest = desk.pile
            return draw(desk.with_deck(shuffle_list(tuple(rest))).with_pile((top,)))
    raise IllegalGame()


draw_two = compose(draw, draw)

draw_four = compose(draw_two, draw_two)


@curry
def playable_when_wild(color, card):
    match card:
        case Crd(_, other):
            return is_same_color(other, color)
    return True


@curry
def playable_when_exec(rank, card):
    match card:
        case Crd(other):
            return is_same_rank(other, rank)
    return False


@curry
def playable_when_proc(face, card):
    match face, card:
        case (rank, color), Crd(other, same):
            return is_same_color(color, same) or is_same_rank(rank, other)
    return True


def cards_to_play(desk):
    def test():
        match desk.pile[0], desk.state:
            case Crd(rank), Execute():
                return playable_when_exec(rank)
            case Crd(rank, color), Proceed():
                return playable_when_proc((rank, color))
            case Wild() | WildDrawFour(), Give(color):
                return playable_when_wild(color)
        raise IllegalGame

    return tuple(filter(test(), desk.players[0].cards))


def required_color(desk):
    match desk.pile[0], desk.state:
        case Crd(_, color), Proceed() | Execute():
            return color
        case Wild() | WildDrawFour(), Give(color):
            return color
    raise IllegalGame


def has_color(color, cards):
    @tail_recursive
    def look(rest):
        match rest:
            case ():
                return False
            case (Crd(_, other), *_) if is_same_color(color, other):
                return True
            case (_, *others):
                return recur(others)

    return look(cards)


def count_cards(desk):
    return tuple(map(lambda player: len(player.cards), desk.players))


def naive(*told):
    match card_sort(Args(*told).playable):
        case (Crd() as card, *_):
            return Simple(card)
        case (card, *_):
            color, *_ = shuffle_list(COLORS)
            return Order(card, color)


def move_action(move, desk, had_color):
    match move, had_color:
        case Order(WildDrawFour(), color), False:
            victim = draw_four(next_player(desk.with_state(Give(color))))
            return next_player(victim.add_memo(Pass()))
        case Order(WildDrawFour(), color), True:
            return next_player(draw_four(desk).with_state(Give(color)))
        case Order(Wild(), color), _:
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Num())), _:
            return next_player(desk).with_state(Proceed())
        case Simple(Crd(Reverse())), _:
            return next_player(desk.with_direction(opposite_dir(desk.direction))).with_state(Proceed())
        case Simple(Crd()), _:
            return next_player(desk).with_state(Execute())


def ask_player_for_card(player, args):
    def own(player):
        return player, player.strategy(*args)

    def person():
        match manual(*args):
            case Pass():
                return own(player.automate())
            case move:
                return player, move

    return person() if player.is_manual else own(player)


def play(desk, cards):
    (player, *others), (top, *_) = desk.players, desk.pile
    args = Args(desk.state, player.cards, cards, top, desk.direction, desk.memory, count_cards(desk))

    def finish(after, move, card):
        print(f"{player.name} made move\n{to_string(move)}")
        hand = remove_card(after.cards, card, IllegalGame())
        laid = desk.add_memo(move).with_pile((card, *desk.pile)).with_players((after.with_cards(hand), *others))
        return move_action(move, laid, has_color(required_color(desk), player.cards))

    match ask_player_for_card(player, args):
        case after, Simple(card) | Order(card) as move if find(lambda other: is_same_card(card, other), cards):
            return finish(after, move, card)
    raise IllegalMove(player.name, args)


def execution(desk):
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip()):
            return next_player(desk.add_memo(Pass())).with_state(Proceed())
        case Execute(), Crd(DrawTwo()):
            return next_player(draw_two(desk.add_memo(Pass()))).with_state(Proceed())
    raise IllegalGame


def your_turn(desk):
    def after_drawing(desk):
        match cards_to_play(desk):
            case ():
                return next_player(desk.add_memo(Pass()))
            case cards:
                return play(desk, cards)

    match cards_to_play(desk), desk.state:
        case (), Execute():
            return execution(desk)
        case (), _:
            return after_drawing(draw(desk))
        case cards, _:
            return play(desk, cards)


def player_loss(player):
    return player.name, sum_cards(player.cards)


def check_winner(desk):
    match find(lambda player: player.cards == (), desk.players):
        case None:
            return None
        case Player(name):
            return name, tuple(map(player_loss, desk.players))


def game(players):
    @tail_recursive
    def turn(desk, result):
        match result:
            case None:
                after = your_turn(desk)
                return recur(after, check_winner(after))
            case _:
                return result

    return turn(desk_normalize(deal(players)), None)
