"""Small tables inside lessons: one function of the learner's, and something to move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

from course import basra, dominoes, sedma, uno, warmup
from course.arena import values as arena
from course.effects import shuffle_list
from course.tables import basra as basra_game
from course.tables import bots as bots_game
from course.tables import sedma as sedma_game
from course.tables import uno as uno_game
from course.tables.chain_layout import laid_out
from course.tables.dominoes import tile_key, tiles_of
from course.tables.learner import Learner, guarded, seeded
from course.tables.scene import Action, Item, View, button, item, row, words
from course.tables.table import Game, Table
from course.values import value

NEW = button("New cards", ["new"])
Names = dict[str, Any] | None


def picture_of(thing: Any) -> str:
    """Give the key of the picture of a card or a tile of any unit, the empty text for anything else.

    >>> picture_of(warmup.Joker()), picture_of(dominoes.Domino(1, 2)), picture_of("x")
    ('card:joker', 'tile:1-2', '')
    """
    match thing:
        case warmup.Number(n, suit):
            return f"card:{'A' if n == 1 else n}{suit.name[0]}"
        case warmup.Face(court, suit):
            return f"card:{court.name[0]}{suit.name[0]}"
        case warmup.Joker():
            return "card:joker"
        case dominoes.Domino():
            return f"tile:{thing}"
    kind, code_of = CODES.get(type(thing), ("", str))
    return kind and f"{kind}:{code_of(thing)}"


CODES: dict[type, tuple[str, Callable[[Any], str]]] = {
    sedma.Card: ("card", sedma_game.code_of),
    basra.Card: ("card", basra_game.code_of),
    arena.Card: ("uno", bots_game.code_of),
    **dict.fromkeys((uno.Crd, uno.Wild, uno.WildDrawFour), ("uno", uno_game.code_of)),
}


def shown(key: str, thing: Any, x: float, y: float, **more: Any) -> Item:
    """Give a thing as a picture, or as its text if it has none."""
    picture = picture_of(thing)
    return item(key, picture, x, y, repr(thing), **more) if picture else words(key, short(thing), x, y, "bold")


def short(thing: Any) -> str:
    """Give a value as text, cut where it is long."""
    text = repr(thing)
    return text if len(text) <= 90 else f"{text[:90]} …"


# ---------------------------------------------------------------------------------------------------- a fold


@value
class Folding:
    """A fold under way: the results so far, the start being the first of them."""

    results: tuple[Any, ...]

    @property
    def number(self) -> int:
        """Give how many items have been folded in."""
        return len(self.results) - 1


def fold_steps(step: Callable[[Any, Any], Any], start: Any, items: Any, *, names: Names = None) -> Table[Folding]:
    """Give a table on which `fold_left(step, start, items)` goes one item at a time."""
    things = tuple(items)
    called = getattr(step, "__name__", "step").replace("<lambda>", "step")

    def act(_: Learner, folding: Folding, action: Action) -> Folding:
        if action != ["next"] or folding.number == len(things):
            return folding
        args = folding.results[-1], things[folding.number]
        return Folding((*folding.results, guarded(step, called, args)))

    def view(folding: Folding) -> View:
        return _fold_view(folding, things, called)

    art = tuple(filter(None, (picture_of(thing) for thing in (*things, start))))
    game = Game("A fold, step by step", "warmup", (), lambda _, __: Folding((start,)), act, view, (*art, *ALL_CARDS))
    return Table(game, names, 0)


def _fold_view(folding: Folding, things: tuple[Any, ...], called: str) -> View:
    items = [*_fold_items(folding, things), words("=", _fold_story(folding, things, called), 460, 212, "small")]
    going = [button("Next", ["next"], strong=True)] * (folding.number < len(things))
    status = f"After {folding.number} of {len(things)}: {short(folding.results[-1])}"
    return {"h": 250, "items": items, "status": status, "bar": [*going, button("From the start", ["new"])]}


def _fold_items(folding: Folding, things: tuple[Any, ...]) -> Iterator[Item]:
    for n, (thing, x) in enumerate(zip(things, row(len(things), 460, 780, 84), strict=True)):
        look = {"c": "dim"} if n < folding.number - 1 else {"c": "glow"} if n == folding.number - 1 else {}
        yield shown(f"i{n}", thing, x, 74, **look)
    yield words("result", f"result: {short(folding.results[-1])}", 460, 172, "bold gold")


def _fold_story(folding: Folding, things: tuple[Any, ...], called: str) -> str:
    if not folding.number:
        return "the start"
    before, thing, after = folding.results[-2], things[folding.number - 1], folding.results[-1]
    return f"{called}({short(before)}, {short(thing)})  is  {short(after)}"[:130]


# ---------------------------------------------------------------------------------------------------- picking


@value
class Picking:
    """What has been picked, in order, and what the learner's function said to it."""

    seed: int = 0
    offer: tuple[Any, ...] = ()
    picked: tuple[Any, ...] = ()
    answer: Any = None
    number: int = 0


def _pick(picking: Picking, action: Action, most: int) -> Picking | None:
    """Give the state after a click on a thing, which goes to what is picked, or starts it anew when that is full."""
    match action:
        case ["pick", int(place)] if place < len(picking.offer):
            before = picking.picked if len(picking.picked) < most else ()
            return replace(picking, picked=(*before, picking.offer[place]), answer=None, number=picking.number + 1)
    return None


def _offered(picking: Picking, y: float, step: float = 74, scale: float = 0.8) -> Iterator[Item]:
    """Give the things on offer."""
    for n, (thing, x) in enumerate(zip(picking.offer, row(len(picking.offer), 460, 830, step), strict=True)):
        look = {"c": "dim"} if thing in picking.picked else {}
        yield shown(f"o{n}", thing, x, y, z=scale, do=["pick", n], **look)


def try_tile(chain: dominoes.AnyChain = dominoes.EMPTY, *, names: Names = None) -> Table[Picking]:
    """Give a table on which a tile is held to a chain, to see what `legal_adds` gives."""
    offer = tuple(dominoes.Domino(6 - n, m) for n in range(7) for m in range(7 - n))

    def act(learner: Learner, picking: Picking, action: Action) -> Picking:
        after = _pick(picking, action, 1)
        return replace(after, answer=learner.call("legal_adds", after.picked[0], chain)) if after else picking

    def view(picking: Picking) -> View:
        answers = picking.answer if isinstance(picking.answer, tuple) else ()
        chains = answers if picking.picked else (chain,)
        items = [*_tiles_offered(picking), *_chains(chains, picking.picked), *_none_fits(picking, answers)]
        call = f"legal_adds({picking.picked[0]!r}, {chain!r}) gives {picking.answer!r}" if picking.picked else ""
        return {"h": 330, "items": items, "status": call or "Hold a tile to the chain.", "bar": []}

    art = (*(f"tile:{a}-{b}" for a in range(7) for b in range(7)),)
    game = Game("A tile and a chain", "dominoes", ("legal_adds",), lambda _, __: Picking(offer=offer), act, view, art)
    return Table(game, names, 0)


def _tiles_offered(picking: Picking) -> Iterator[Item]:
    for n, tile in enumerate(picking.offer):
        x, y = 56 + 62 * (n % 14), 238 + 62 * (n // 14)
        look = {"c": "glow"} if tile in picking.picked else {}
        yield item(f"o{n}", f"tile:{tile}", x, y, f"{tile}", ["pick", n], z=0.62, **look)


def _chains(chains: tuple[Any, ...], picked: tuple[Any, ...]) -> Iterator[Item]:
    for n, (chain, y) in enumerate(zip(chains, row(len(chains), 96, 150, 92), strict=True)):
        tiles = tiles_of(chain)
        for place, (tile, spot) in enumerate(zip(tiles, laid_out(tiles, len(tiles) // 2, 460, y), strict=True)):
            look = {"c": "glow"} if any(tile_key(tile) == tile_key(one) for one in picked) else {}
            yield item(f"c{n}.{place}", f"tile:{tile}", spot.x, spot.y, f"{tile}", None, r=spot.angle, z=0.7, **look)


def _none_fits(picking: Picking, answers: tuple[Any, ...]) -> Iterator[Item]:
    if picking.picked and not answers:
        yield words("none", "no chain: it does not fit", 460, 96, "bold gold")


def try_trick(*, names: Names = None) -> Table[Picking]:
    """Give a table on which four cards are laid to a trick, to see which place wins by `winning_place`."""

    def start(_: Learner, seed: int) -> Picking:
        with seeded(seed):
            return Picking(offer=tuple(sorted(shuffle_list(sedma.PIQUET_DECK)[:12], key=lambda card: card.rank.value)))

    def act(learner: Learner, picking: Picking, action: Action) -> Picking:
        after = _pick(picking, action, 4)
        if after is None or len(after.picked) < 4:
            return after or picking
        return replace(after, answer=learner.call("winning_place", after.picked))

    def view(picking: Picking) -> View:
        items = [*_offered(picking, 240), *_trick_items(picking)]
        done = f"winning_place gives {picking.answer!r}."
        status = done if len(picking.picked) == 4 else f"Lay card {len(picking.picked) + 1} of the trick."
        return {"h": 300, "items": items, "status": status, "bar": [NEW]}

    return Table(Game("One trick", "sedma", ("winning_place",), start, act, view, sedma_game.ART), names)


def _trick_items(picking: Picking) -> Iterator[Item]:
    for place, x in enumerate(row(4, 460, 400, 100)):
        yield words(f"place{place}", f"place {place}", x, 20, "small")
        if place < len(picking.picked):
            yield shown(f"t{place}", picking.picked[place], x, 94, c="glow" if picking.answer == place else "")
        else:
            yield item(f"t{place}", "card:ghost", x, 94)


def try_capture(*, names: Names = None) -> Table[Picking]:
    """Give a table with a floor, on which a card of any rank is played, to see what `capture` takes."""

    def start(_: Learner, seed: int) -> Picking:
        reds = [card for card in basra.produce_unshuffled_deck() if card.suit is not basra.SPADE]
        return Picking(seed, SPADES + tuple(Random(seed).sample(reds, 7)))

    def act(learner: Learner, picking: Picking, action: Action) -> Picking:
        after = _pick(replace(picking, offer=SPADES), action, 1)
        if after is None:
            return picking
        answer = learner.call("capture", picking.offer[13:], after.picked[0])
        return replace(after, offer=picking.offer, answer=answer)

    art = (*basra_game.ART, "card:ghost")
    return Table(Game("What a card captures", "basra", ("capture",), start, act, _capture_view, art), names)


SPADES = tuple(basra.Card(basra.SPADE, rank) for rank in range(1, 14))


def _capture_view(picking: Picking) -> View:
    floor, got = picking.offer[13:], picking.answer or ()
    items = [*_offered(replace(picking, offer=SPADES), 250, 64, 0.74), *_floor(floor, got, picking.picked)]
    said = basra_game.story(picking.picked[0], got, floor) if picking.picked else "Play a card on this floor."
    return {"h": 305, "items": items, "status": said, "bar": [NEW]}


def _floor(floor: tuple[Any, ...], captures: Any, picked: tuple[Any, ...]) -> Iterator[Item]:
    signs = {card: n + 1 for n, some in enumerate(captures) for card in some}
    for card, x in zip(floor, row(len(floor), 460, 700, 92), strict=True):
        look = {"c": "glow"} if card in signs else {"c": "dim"} if picked else {}
        yield shown(f"f{card}", card, x, 74, **look)
        if card in signs:
            yield words(f"s{card}", f"capture {signs[card]}", x, 142, "small gold")


def try_order(*, names: Names = None) -> Table[Picking]:
    """Give a table on which cards are put in line by `is_lt`, the smallest on the left."""

    def start(_: Learner, seed: int) -> Picking:
        pool = (*uno.WILDS, *(uno.Crd(rank, color) for color in uno.COLORS for rank in uno.RANKS))
        return Picking(seed, tuple(Random(seed).sample(pool, 11)))

    def act(learner: Learner, picking: Picking, action: Action) -> Picking:
        after = _pick(picking, action, 8)
        return replace(after, answer=_inserted(learner, after)) if after else picking

    def view(picking: Picking) -> View:
        line, said = picking.answer or ((), "Pick cards: each finds its place in the line.")
        items = [*_offered(picking, 250), words("less", "smallest on the left", 460, 20, "small")]
        for n, (card, x) in enumerate(zip(line, row(len(line), 460, 700, 80), strict=True)):
            items.append(shown(f"l{n}", card, x, 96, c="glow" if card == picking.picked[-1] else ""))
        return {"h": 305, "items": items, "status": said, "bar": [NEW]}

    return Table(Game("Cards in order", "uno", ("is_lt",), start, act, view, uno_game.ART), names)


def _inserted(learner: Learner, picking: Picking) -> tuple[tuple[Any, ...], str]:
    """Give the line with the last picked card at its place, and the comparisons that led there."""
    *_, card = picking.picked
    line = _line_of(learner, picking.picked[:-1])
    asked = [(other, bool(learner.call("is_lt", other, card))) for other in line]
    place = sum(less for _, less in asked)
    said = "; ".join(f"is_lt({uno_game.name_of(other)}, {uno_game.name_of(card)}) is {less}" for other, less in asked)
    return (*line[:place], card, *line[place:]), said or f"{uno_game.name_of(card)} is the first in the line."


def _line_of(learner: Learner, cards: tuple[Any, ...]) -> tuple[Any, ...]:
    line: tuple[Any, ...] = ()
    for card in cards:
        place = sum(bool(learner.call("is_lt", other, card)) for other in line)
        line = (*line[:place], card, *line[place:])
    return line


def watch_deal(players: int = 4, *, names: Names = None) -> Table[Picking]:
    """Give a table on which your `deal` hands out the cards, player by player."""

    def start(learner: Learner, seed: int) -> Picking:
        seats = tuple(uno.Player(name, (), uno.first_playable, False) for name in uno.NAMES[:players])
        with seeded(seed):
            return Picking(seed, answer=learner.call("deal", seats))

    def act(_: Learner, picking: Picking, action: Action) -> Picking:
        return replace(picking, number=picking.number + 1) if action == ["next"] else picking

    def view(picking: Picking) -> View:
        served = min(picking.number, players)
        left = 108 - 7 * served - (picking.number > players)
        going = [button("Next", ["next"], strong=True)] * (picking.number <= players)
        status = f"{served} of {players} players served, {left} cards left in the deck."
        items = list(_deal_items(picking, served, left))
        return {"h": 60 + 84 * players, "items": items, "status": status, "bar": [*going, button("Deal anew", ["new"])]}

    return Table(Game("The deal", "uno", ("deck", "deal"), start, act, view, uno_game.ART), names)


def _deal_items(picking: Picking, served: int, left: int) -> Iterator[Item]:
    yield item("deck", "uno:back", 90, 90, f"deck: {left} cards")
    yield words("left", f"deck: {left}", 90, 160)
    for n, player in enumerate(picking.answer.players[:served]):
        yield words(f"p{n}", player.name, 260, 60 + 84 * n, "bold")
        for m, (card, x) in enumerate(zip(player.cards, row(len(player.cards), 560, 460, 64), strict=True)):
            yield shown(f"d{n}.{m}", card, x, 60 + 84 * n, z=0.7, f=(90, 90))
    if picking.number > len(picking.answer.players):
        yield shown("pile", picking.answer.pile[0], 860, 90, f=(90, 90))
        yield words("pile!", "pile", 860, 160)


def try_view(*functions: Callable[[arena.View], Any], seed: int = 1, names: Names = None) -> Table[Picking]:
    """Give a table with what a bot might see, and what each of `functions`, asked about it, answers."""

    def start(_: Learner, seed: int) -> Picking:
        sight = _sight(Random(seed))
        answers = tuple(guarded(function, _called(function), (sight,)) for function in functions)
        return Picking(seed, sight.hand, answer=(sight, answers))

    def view(picking: Picking) -> View:
        sight, answers = picking.answer
        items = [*_sight_items(sight, answers)]
        for n, (function, answer) in enumerate(zip(functions, answers, strict=True)):
            items.append(words(f"a{n}", f"{_called(function)}: {short(answer)}", 500, 40 + 26 * n, "start"))
        height = max(310, 200 + 26 * len(functions))
        status = "The glowing card is the first answer." if _answered(answers) else "This is what the bot sees."
        return {"h": height, "items": items, "status": status, "bar": [button("Another view", ["new"], strong=True)]}

    game = Game("What a bot sees", "bots", (), start, lambda _, picking, __: picking, view, bots_game.ART)
    return Table(game, names, seed)


def _called(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", "function")


def _answered(answers: tuple[Any, ...]) -> tuple[arena.Card, ...]:
    """Give the first answer that is a card, or the cards of the first that is several."""
    found = next((answer for answer in answers if answer), ())
    return (found,) if isinstance(found, arena.Card) else tuple(found) if isinstance(found, tuple) else ()


def _sight(random: Random) -> arena.View:
    *hand, top = random.sample(arena.DECK, 8)
    while top.color is None:
        top = random.choice(arena.DECK)
    mine = tuple(card for card in hand if card.color is top.color) or (arena.Card(top.color, 5),)
    others = tuple(card for card in hand if card not in mine)
    hand_now = (mine + others)[:7]
    counts = len(hand_now), random.randint(1, 9)
    return arena.View(hand_now, top, top.color or arena.RED, counts, 1, random.randrange(arena.ROLLS))


def _sight_items(sight: arena.View, answers: tuple[Any, ...]) -> Iterator[Item]:
    wanted = _answered(answers)
    y = max(230, 120 + 26 * len(answers))
    yield shown("top", sight.top, 120, 76)
    yield item("color", f"color:{sight.color.name[0]}", 215, 76, f"to follow: {sight.color.name.lower()}", z=0.8)
    yield words("counts", f"cards: mine {sight.counts[0]}, the next player's {sight.counts[1]}", 150, 152, "small")
    for n, (card, x) in enumerate(zip(sight.hand, row(len(sight.hand), 460, 760, 84), strict=True)):
        yield shown(f"h{n}", card, x, y, c="glow" if card in wanted else "")


ALL_CARDS = (*basra_game.ART, "card:joker")
