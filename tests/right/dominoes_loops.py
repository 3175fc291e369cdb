"""Dominoes as a beginner writes it who comes from other languages: loops, lists and `if`, all of it right."""

from course.dominoes import *


def flip(domino):
    a = domino.left
    b = domino.right
    return Domino(b, a)


def append(domino, chain, end):
    text = str(domino.left) + "-" + str(domino.right)
    if isinstance(chain, Empty):
        return Chain(domino.left, text, domino.right)
    if end == "<":
        return Chain(domino.left, text + " " + chain.text, chain.right)
    else:
        return Chain(chain.left, chain.text + " " + text, domino.right)


def is_sound(chain):
    if isinstance(chain, Empty):
        return True
    end = chain.left
    for tile in chain.text.split(" "):
        left, right = tile.split("-")
        if int(left) != end:
            return False
        end = int(right)
    return end == chain.right


def legal_adds(domino, chain):
    if isinstance(chain, Empty):
        return (append(domino, chain, "<"),)
    result = []
    for end in ["<", ">"]:
        for tile in [domino, flip(domino)]:
            fits = tile.right == chain.left if end == "<" else tile.left == chain.right
            if fits:
                new = append(tile, chain, end)
                if new not in result:
                    result.append(new)
    if len(result) > 1 and chain.left == chain.right:
        result.pop()
    return tuple(result)


def possible_dominoes(hand, chain):
    result = []
    for domino in hand:
        if len(legal_adds(domino, chain)) > 0:
            result.append(domino)
    return tuple(result)


def suppress(domino, hand):
    result = []
    for other in hand:
        if sorted([other.left, other.right]) != sorted([domino.left, domino.right]):
            result.append(other)
    return tuple(result)


def input_move(select_domino, select_end, chain, hand):
    possible = possible_dominoes(hand, chain)
    if len(possible) == 0:
        return None
    if len(possible) == 1:
        domino = possible[0]
        print("\tforced move :        " + str(domino))
    else:
        domino = select_domino(possible)
    chains = legal_adds(domino, chain)
    new_chain = chains[0]
    if len(chains) == 2:
        new_chain = select_end(chains[0], chains[1])
    return (suppress(domino, hand), new_chain)


def input_bot_move(chain, hand):
    def domino_by_chance(possible):
        number = random_below(len(possible))
        print("\tto lay :             " + str(possible[number]))
        return possible[number]

    def end_by_chance(left, right):
        if random_below(2) == 0:
            return left
        return right

    return input_move(domino_by_chance, end_by_chance, chain, hand)


def input_human_move(chain, hand):
    def find(possible, line):
        for domino in possible:
            if line == str(domino.left) + str(domino.right) or line == str(domino.right) + str(domino.left):
                return domino
        return None

    def ask_domino(possible):
        return input_valid(
            "\tWhich domino do you want to lay? ",
            lambda line: find(possible, line) is not None,
            lambda line: find(possible, line),
        )

    def ask_end(left, right):
        end = input_valid("\tAt which end? ", lambda line: line in ["<", ">"], lambda line: line)
        if end == "<":
            return left
        return right

    return input_move(ask_domino, ask_end, chain, hand)


def string_of_player(player):
    if isinstance(player, Human):
        return "Player " + str(player.number) + " (human)"
    else:
        return "Player " + str(player.number) + " (bot)  "


def string_of_dominoes(dominoes):
    result = ""
    for domino in dominoes:
        if result != "":
            result += " "
        result += str(domino)
    return result


def take(hand, n, stock):
    while n > 0 and len(stock) > 0:
        hand = (stock[0],) + hand
        stock = stock[1:]
        n -= 1
    return hand, stock


def move(stock, chain, hand, player):
    print(string_of_player(player) + ":")
    print("\thand : " + string_of_dominoes(hand))
    if isinstance(player, Bot):
        result = input_bot_move(chain, hand)
    else:
        result = input_human_move(chain, hand)
    if result is None:
        print("\tNo possible move!")
        hand, stock = take(hand, 2, stock)
    else:
        hand, chain = result
    return stock, chain, hand


def make_dominoes(highest):
    result = []
    left = highest
    while left >= 0:
        right = left
        while right >= 0:
            result.append(Domino(left, right))
            right -= 1
        left -= 1
    return tuple(result)


def char_list_of_string(text):
    result = []
    for char in text:
        result.append(char)
    return tuple(result)


def players_of_string(players):
    result = []
    for i in range(len(players)):
        if players[i] == "H":
            result.append(Human(i + 1))
        else:
            result.append(Bot(i + 1))
    return tuple(result)


def get_hand_size(players):
    if players < 2 or players > 4:
        raise ValueError("Between 2 and 4 players, please!")
    if players == 2:
        return 7
    return 6


def make_state_list(players, dominoes):
    states = []
    size = get_hand_size(len(players))
    for player in players_of_string(players):
        hand, dominoes = take((), size, dominoes)
        states.append((hand, player))
    return dominoes, tuple(states)


def string_of_chain(chain):
    if isinstance(chain, Empty):
        return ""
    return chain.text


def string_of_state(state):
    return string_of_player(state[1]) + ":\t" + string_of_dominoes(state[0])


def list_shuffle(items):
    result = list(items)
    for i in range(len(result) - 1, 0, -1):
        j = random_below(i + 1)
        result[i], result[j] = result[j], result[i]
    return tuple(result)


def play(highest, players):
    tiles = list_shuffle(make_dominoes(highest))
    stock, states = make_state_list(players, tiles)
    hands = []
    for state in states:
        print(string_of_state(state))
        hands.append(state[0])
    chain = EMPTY
    turn = 0
    passes = 0
    while passes < len(states):
        who = turn % len(states)
        player = states[who][1]
        old_chain = chain
        old_stock = stock
        stock, chain, hands[who] = move(stock, chain, hands[who], player)
        print("\tchain :              " + string_of_chain(chain))
        if chain != old_chain:
            passes = 0
            if len(hands[who]) == 0:
                print(string_of_player(player).strip() + " wins!")
                return
        elif len(stock) < len(old_stock):
            passes = 0
        else:
            passes += 1
        turn += 1
    print("It's a draw!")
