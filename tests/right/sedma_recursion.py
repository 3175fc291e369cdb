"""Sedma by recursion and pattern matching, the tail calls through the given trampoline."""

from course.sedma import *


def is_valid_record(cards):
    def distinct(rest):
        match rest:
            case ():
                return True
            case (first, *others):
                return first not in others and distinct(tuple(others))

    return len(cards) == 32 and distinct(cards)


def winning_place(trick):
    match trick:
        case (Card(_, led), *_, Card(_, last)) if last in (led, R7):
            return 3
        case (Card(_, led), _, Card(_, third), _) if third in (led, R7):
            return 2
        case (Card(_, led), Card(_, second), *_) if second in (led, R7):
            return 1
        case _:
            return 0


def trick_points(trick):
    match trick:
        case ():
            return 0
        case (Card(_, rank), *others) if rank in (RA, R10):
            return 10 + trick_points(tuple(others))
        case (_, *others):
            return trick_points(tuple(others))


def next_leader(leader, trick):
    return Player((leader.value + winning_place(trick)) % 4)


def tally(record):
    @tail_recursive
    def play(rest, leader, ac, bd):
        match rest:
            case ():
                return (plus(ac, 0, 10), bd) if leader in (A, C) else (ac, plus(bd, 0, 10))
            case (first, second, third, fourth, *others):
                trick = (first, second, third, fourth)
                winner, worth = next_leader(leader, trick), trick_points(trick)
                if winner in (A, C):
                    return recur(tuple(others), winner, plus(ac, 1, worth), bd)
                return recur(tuple(others), winner, ac, plus(bd, 1, worth))

    def plus(score, tricks, points):
        return Score(score.tricks + tricks, score.points + points)

    return play(record, A, Score(0, 0), Score(0, 0))


def is_sound(scores):
    def left(scores, tricks, points):
        match scores:
            case ():
                return tricks == 0 and points == 0
            case (Score(0, 0), *others):
                return left(tuple(others), tricks, points)
            case (Score(won, worth), *others) if won > 0 and worth >= 0 and worth % 10 == 0:
                return left(tuple(others), tricks - won, points - worth)
            case _:
                return False

    return left(scores, 8, 90)


def game_points(loser):
    match loser:
        case Score(tricks=0):
            return THREE
        case Score(points=0):
            return TWO
    return ONE


def replay(cards):
    match is_valid_record(cards) and tally(cards):
        case False:
            return None
        case (ac, bd) if ac.points > bd.points:
            return AC, game_points(bd)
        case (ac, _):
            return BD, game_points(ac)


def replay_at_once(cards):
    def last_of(trick, place):
        return place if trick[place].rank in (trick[0].rank, R7) else last_of(trick, place - 1)

    def played(tricks, leader):
        match tricks:
            case ():
                return leader, (0, 0), (0, 0)
            case (trick, *others):
                winner = seats_on(leader, last_of(trick, 3))
                last, ac, bd = played(tuple(others), winner)
                won = 1, sum(10 for card in trick if card.rank in (RA, R10))
                plus = lambda score: (score[0] + won[0], score[1] + won[1])
                return (last, plus(ac), bd) if winner in (A, C) else (last, ac, plus(bd))

    def worth(tricks, points):
        return ONE if points else TWO if tricks else THREE

    if any(card not in cards for card in PIQUET_DECK) or len(cards) != 32:
        return None
    last, (ac, ac_points), (bd, bd_points) = played(tricks_of(cards), A)
    ac_points, bd_points = (ac_points + 10, bd_points) if last in (A, C) else (ac_points, bd_points + 10)
    return (AC, worth(bd, bd_points)) if ac_points > bd_points else (BD, worth(ac, ac_points))
