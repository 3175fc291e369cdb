"""Dominoes by explicit recursion, tail recursion where the list is long, and `match` on the shape of a tuple."""

from course.dominoes import *


def flip(domino):
    match domino:
        case Domino(left, right):
            return Domino(right, left)


def append(domino, chain, end):
    match domino, chain, end:
        case Domino(a, b), Empty(), _:
            return Chain(a, f"{a}-{b}", b)
        case Domino(a, b), Chain(_, text, right), "<":
            return Chain(a, f"{a}-{b} {text}", right)
        case Domino(a, b), Chain(left, text, _), ">":
            return Chain(left, f"{text} {a}-{b}", b)


def is_sound(chain):
    def go(end, halves, right):
        match halves:
            case (a, b):
                return a == end and b == right
            case (a, b, *others):
                return a == end and go(b, others, right)

    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            return go(left, [int(half) for half in text.replace("-", " ").split()], right)


def legal_adds(domino, chain):
    match domino, chain:
        case _, Empty():
            return (append(domino, chain, ">"),)
        case Domino(a, b), Chain(left, _, right):
            if b == left:
                at_left = (append(domino, chain, "<"),)
            elif a == left:
                at_left = (append(flip(domino), chain, "<"),)
            else:
                at_left = ()
            if left == right:
                return at_left
            if a == right:
                return at_left + (append(domino, chain, ">"),)
            if b == right:
                return at_left + (append(flip(domino), chain, ">"),)
            return at_left


def possible_dominoes(hand, chain):
    @tail_recursive
    def go(hand, found):
        match hand:
            case ():
                return found
            case (domino, *others) if legal_adds(domino, chain) == ():
                return recur(others, found)
            case (domino, *others):
                return recur(others, (*found, domino))

    return go(hand, ())


def suppress(domino, hand):
    match hand:
        case ():
            return ()
        case (top, *others) if top == domino or flip(top) == domino:
            return tuple(others)
        case (top, *others):
            return (top, *suppress(domino, tuple(others)))


def input_move(select_domino, select_end, chain, hand):
    def lay(domino):
        after = suppress(domino, hand)
        match legal_adds(domino, chain):
            case (only,):
                return after, only
            case (left, right):
                return after, select_end(left, right)

    match possible_dominoes(hand, chain):
        case ():
            return None
        case (domino,):
            print("\tforced move :", domino, sep="        ")
            return lay(domino)
        case several:
            return lay(select_domino(several))


def input_bot_move(chain, hand):
    def select_domino(possible):
        place = random_below(len(possible))
        print(f"\t{'to lay :':<21}{possible[place]}")
        return possible[place]

    def select_end(left, right):
        return left if random_below(2) == 0 else right

    return input_move(select_domino, select_end, chain, hand)


def input_human_move(chain, hand):
    def select_domino(possible):
        def named(line):
            def go(left):
                match left:
                    case ():
                        return None
                    case (Domino(a, b) as domino, *others):
                        return domino if line in (f"{a}{b}", f"{b}{a}") else go(tuple(others))

            return go(possible)

        return input_valid("\tWhich domino do you want to lay? ", lambda line: named(line) is not None, named)

    def select_end(left, right):
        return input_valid(
            "\tAt which end? ", lambda line: line == "<" or line == ">", lambda line: left if line == "<" else right
        )

    return input_move(select_domino, select_end, chain, hand)


def string_of_player(player):
    return f"Player {player.number} " + ("(human)" if isinstance(player, Human) else "(bot)  ")


def string_of_dominoes(dominoes):
    match dominoes:
        case ():
            return ""
        case (only,):
            return str(only)
        case (top, *others):
            return f"{top} {string_of_dominoes(tuple(others))}"


def take(hand, n, stock):
    @tail_recursive
    def go(hand, n, stock):
        match n, stock:
            case (0, _) | (_, ()):
                return hand, tuple(stock)
            case _, (top, *others):
                return recur((top, *hand), n - 1, tuple(others))

    return go(hand, n, stock)


def move(stock, chain, hand, player):
    def decide():
        match player:
            case Human():
                return input_human_move(chain, hand)
            case Bot():
                return input_bot_move(chain, hand)

    print(f"{string_of_player(player)}:")
    print(f"\thand : {string_of_dominoes(hand)}")
    match decide():
        case None:
            print("\tNo possible move!")
            hand, stock = take(hand, 2, stock)
            return stock, chain, hand
        case (hand, chain):
            return stock, chain, hand


def make_dominoes(highest):
    @tail_recursive
    def go(left, right, found):
        if left < 0:
            return found
        longer = (*found, Domino(left, right))
        return recur(left, right - 1, longer) if right > 0 else recur(left - 1, left - 1, longer)

    return go(highest, highest, ())


def char_list_of_string(text):
    return () if text == "" else (text[0], *char_list_of_string(text[1:]))


def players_of_string(players):
    def go(letters, number):
        match letters:
            case ():
                return ()
            case ("H", *others):
                return (Human(number), *go(tuple(others), number + 1))
            case ("B", *others):
                return (Bot(number), *go(tuple(others), number + 1))

    return go(char_list_of_string(players), 1)


def get_hand_size(players):
    if players == 2:
        return 7
    if players in (3, 4):
        return 6
    raise ValueError("Between 2 and 4 players, please!")


def make_state_list(players, dominoes):
    size = get_hand_size(len(players))

    def go(players, stock):
        match players:
            case ():
                return stock, ()
            case (player, *others):
                hand, left = take((), size, stock)
                rest, states = go(tuple(others), left)
                return rest, ((hand, player), *states)

    return go(players_of_string(players), dominoes)


def string_of_chain(chain):
    return "" if chain == EMPTY else chain.text


def string_of_state(state):
    match state:
        case (hand, player):
            return string_of_player(player) + ":\t" + string_of_dominoes(hand)


def list_shuffle(items):
    @tail_recursive
    def go(left, shuffled):
        if left == ():
            return shuffled
        place = random_below(len(left))
        return recur(left[:place] + left[place + 1 :], (left[place], *shuffled))

    return go(items, ())


def play(highest, players):
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))

    def show(states):
        match states:
            case (state, *others):
                print(string_of_state(state))
                show(others)

    @tail_recursive
    def go(stock, chain, states, passes):
        match states:
            case _ if passes == len(states):
                print("It's a draw!")
            case ((hand, player), *others):
                new_stock, new_chain, new_hand = move(stock, chain, hand, player)
                print("\tchain :              " + string_of_chain(new_chain))
                waiting = (*others, (new_hand, player))
                if new_chain == chain:
                    return recur(new_stock, chain, waiting, passes + 1 if stock == () else 0)
                if new_hand != ():
                    return recur(stock, new_chain, waiting, 0)
                print(string_of_player(player).rstrip(), "wins!")

    show(states)
    go(stock, EMPTY, states, 0)
