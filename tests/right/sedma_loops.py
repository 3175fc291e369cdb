"""Sedma by a beginner who knows loops, and writes `replay` without any of the steps."""

from course.sedma import *


def is_valid_record(cards):
    if len(cards) != 32:
        return False
    for card in PIQUET_DECK:
        if card not in cards:
            return False
    return True


def winning_place(trick):
    winner = 0
    for place in range(1, 4):
        rank = trick[place].rank
        if rank == trick[0].rank or rank == R7:
            winner = place
    return winner


def trick_points(trick):
    points = 0
    for card in trick:
        if card.rank == RA or card.rank == R10:
            points += 10
    return points


def next_leader(leader, trick):
    names = [A, B, C, D]
    place = names.index(leader)
    steps = 0
    for i in range(4):
        if trick[i].rank in (trick[0].rank, R7):
            steps = i
    return names[(place + steps) % 4]


def tally(record):
    tricks = [0, 0]
    points = [0, 0]
    leader = A
    for i in range(0, 32, 4):
        trick = record[i : i + 4]
        leader = next_leader(leader, trick)
        team = 0 if leader in (A, C) else 1
        tricks[team] += 1
        points[team] += trick_points(trick)
        if i == 28:
            points[team] += 10
    return Score(tricks[0], points[0]), Score(tricks[1], points[1])


def is_sound(scores):
    tricks = points = 0
    for score in scores:
        if score.tricks < 0 or score.points < 0 or score.points % 10:
            return False
        if score.tricks == 0 and score.points > 0:
            return False
        tricks += score.tricks
        points += score.points
    return tricks == 8 and points == 90


def game_points(loser):
    if loser.tricks == 0:
        return THREE
    if loser.points == 0:
        return TWO
    return ONE


def replay(cards):
    seen = []
    for card in cards:
        if card in seen:
            return None
        seen.append(card)
    if len(seen) != 32:
        return None
    tricks = {0: 0, 1: 0}
    points = {0: 0, 1: 0}
    leader = 0
    for start in range(0, 32, 4):
        winner = leader
        worth = 0
        for i in range(4):
            card = cards[start + i]
            if card.rank is cards[start].rank or card.rank is R7:
                winner = (leader + i) % 4
            if card.rank is R10 or card.rank is RA:
                worth += 10
        leader = winner
        tricks[leader % 2] += 1
        points[leader % 2] += worth
    points[leader % 2] += 10
    best = 0 if points[0] > points[1] else 1
    if tricks[1 - best] == 0:
        won = THREE
    elif points[1 - best] == 0:
        won = TWO
    else:
        won = ONE
    return (AC, BD)[best], won


def replay_at_once(cards):
    for card in PIQUET_DECK:
        if cards.count(card) != 1:
            return None
    if len(cards) > 32:
        return None
    tricks, points, team = [0, 0], [0, 0], 0
    for start in range(0, 32, 4):
        winner, worth = team, 0
        for place in range(4):
            rank = cards[start + place].rank
            if rank is cards[start].rank or rank is R7:
                winner = team + place
            if rank is RA or rank is R10:
                worth += 10
        team = winner % 2
        tricks[team] += 1
        points[team] += worth
    points[team] += 10
    loser = 1 if points[0] > points[1] else 0
    if tricks[loser] == 0:
        return (AC, BD)[1 - loser], THREE
    if points[loser] == 0:
        return (AC, BD)[1 - loser], TWO
    return (AC, BD)[1 - loser], ONE
