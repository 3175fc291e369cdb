"""Small tables in lessons, each for trying one of the learner's functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any, Generic, TypeVar

from course import basra, dominoes, sedma, uno
from course.arena import values as arena
from course.effects import shuffle_list
from course.exam.calls import Names
from course.show.blocks import cut
from course.show.pictures import picture_of
from course.show.spoken import spoken
from course.tables import basra as basra_game
from course.tables import bots as bots_game
from course.tables import sedma as sedma_game
from course.tables import uno as uno_game
from course.tables.chain_layout import laid_out
from course.tables.dominoes import tile_key, tiles_of
from course.tables.learner import Learner, guarded, seeded
from course.tables.scene import NARROW, WIDE, Action, Item, Room, SceneView, button, item, row, words
from course.tables.table import GameRules, GameTable
from course.values import value

T = TypeVar("T")
NEW = button("New cards", ["new"])
MaybeNames = Names | None
BasraCards = tuple[basra.Card, ...]
TRIED_IN_LINE = 7
ANSWER_LETTERS = {WIDE: 90, NARROW: 36}


def value_item(key: str, thing: object, x: float, y: float, **more: object) -> Item:
    """Return a value as a picture, or as text if it has none."""
    picture = picture_of(thing)
    label = spoken(picture) + (", you may pick it" if more.get("do") else "")
    return item(key, picture, x, y, label, **more) if picture else words(key, short(thing), x, y, "bold")


def short(thing: object) -> str:
    """Return a value as text, shortened if it is long."""
    text = repr(thing)
    return text if len(text) <= 90 else f"{text[:90]} …"


# ---------------------------------------------------------------------------------------------------- a fold


@value
class Folding:
    """A fold in progress: the results so far, beginning with the start value."""

    results: tuple[object, ...]

    @property
    def number(self) -> int:
        """Return the number of items folded so far."""
        return len(self.results) - 1


def fold_steps(
    step: Callable[..., object], start: object, items: Iterable[object], *, names: MaybeNames = None
) -> GameTable[Folding]:
    """Return a table that shows `fold_left(step, start, items)` one item at a time."""
    things = tuple(items)
    called = getattr(step, "__name__", "step").replace("<lambda>", "step")

    def act(_: Learner, folding: Folding, action: Action) -> Folding:
        if action != ["next"] or folding.number == len(things):
            return folding
        args = folding.results[-1], things[folding.number]
        return Folding((*folding.results, guarded(step, called, args)))

    def view(folding: Folding, room: Room) -> SceneView:
        return _fold_view(folding, things, called, room)

    art = tuple(filter(None, (picture_of(thing) for thing in (*things, start))))
    game = GameRules(
        "A fold, step by step", "warmup", (), lambda _, __: Folding((start,)), act, view, (*art, *ALL_CARDS)
    )
    return GameTable(game, names, 0)


def _fold_view(folding: Folding, things: tuple[object, ...], called: str, room: Room) -> SceneView:
    message = _fold_text(folding, things, called)
    items = [*_fold_items(folding, things, room), *[words("=", message, room.middle, 212, "small")] * (room is WIDE)]
    going = [button("Next", ["next"], strong=True)] * (folding.number < len(things))
    status = f"After {folding.number} of {len(things)}: {short(folding.results[-1])}"
    status += f". {message}" * (room is not WIDE)
    return {"h": 250, "items": items, "status": status, "bar": [*going, button("From the start", ["new"])]}


def _fold_items(folding: Folding, things: tuple[object, ...], room: Room) -> Iterator[Item]:
    for n, (thing, x) in enumerate(zip(things, row(len(things), room.middle, room.width - 140, 84), strict=True)):
        look = {"c": "dim"} if n < folding.number - 1 else {"c": "glow"} if n == folding.number - 1 else {}
        yield value_item(f"i{n}", thing, x, 74, **look)
    yield words("result", f"result: {short(folding.results[-1])}", room.middle, 172, "bold gold")


def _fold_text(folding: Folding, things: tuple[object, ...], called: str) -> str:
    if not folding.number:
        return "the start"
    before, thing, after = folding.results[-2], things[folding.number - 1], folding.results[-1]
    return f"{called}({short(before)}, {short(thing)})  is  {short(after)}"[:130]


# ---------------------------------------------------------------------------------------------------- picking


@value
class Picking(Generic[T]):
    """The things picked, in order, and the result of the learner's function for them."""

    seed: int = 0
    offer: tuple[T, ...] = ()
    picked: tuple[T, ...] = ()
    answer: Any = None
    number: int = 0


def _pick(picking: Picking[T], action: Action, most: int) -> Picking[T] | None:
    """Return the state after a click that picks a thing.

    If `most` things are picked already, they are put back first.
    """
    match action:
        case ["pick", int(index)] if index < len(picking.offer):
            before = picking.picked if len(picking.picked) < most else ()
            return replace(picking, picked=(*before, picking.offer[index]), answer=None, number=picking.number + 1)
    return None


def _offered(picking: Picking[T], room: Room, y: float, step: float = 74, scale: float = 0.8) -> Iterator[Item]:
    """Yield the things to pick from, on two lines if they do not fit on one."""
    for m, line in enumerate(room.lines(enumerate(picking.offer), TRIED_IN_LINE)):
        for (n, thing), x in zip(line, row(len(line), room.middle, room.width - 90, step), strict=True):
            look = {"c": "dim"} if thing in picking.picked else {}
            yield value_item(f"o{n}", thing, x, y + 92 * m, z=scale, do=["pick", n], **look)


def _lower(picking: Picking[T], room: Room) -> int:
    """Return the additional height for a second line of tiles or cards."""
    return 92 * (len(room.lines(picking.offer, TRIED_IN_LINE)) - 1)


def try_tile(
    chain: dominoes.AnyChain = dominoes.EMPTY, *, names: MaybeNames = None
) -> GameTable[Picking[dominoes.Domino]]:
    """Return a table to try `legal_adds`: pick a tile, and see which chains it can make."""
    offer = tuple(dominoes.Domino(6 - n, m) for n in range(7) for m in range(7 - n))

    def act(learner: Learner, picking: Picking[dominoes.Domino], action: Action) -> Picking[dominoes.Domino]:
        after = _pick(picking, action, 1)
        return replace(after, answer=learner.call("legal_adds", after.picked[0], chain)) if after else picking

    def view(picking: Picking[dominoes.Domino], room: Room) -> SceneView:
        answers = picking.answer if isinstance(picking.answer, tuple) else ()
        laid = _chains(answers if picking.picked else (chain,), picking.picked, room)
        items = [*_tiles_offered(picking, room), *laid, *_none_fits(picking, answers, room)]
        call = f"legal_adds({picking.picked[0]!r}, {chain!r}) returns {short(picking.answer)}" if picking.picked else ""
        return {
            "h": 330 if room is WIDE else 640,
            "items": items,
            "status": call or "Pick a tile to try on the chain.",
            "bar": [],
        }

    art = (*(f"tile:{a}-{b}" for a in range(7) for b in range(7)),)
    game = GameRules(
        "A tile and a chain", "dominoes", ("legal_adds",), lambda _, __: Picking(offer=offer), act, view, art
    )
    return GameTable(game, names, 0)


def _tiles_offered(picking: Picking[dominoes.Domino], room: Room) -> Iterator[Item]:
    across, size = (14, 0.62) if room is WIDE else (8, 1.3)
    wide, high = (62, 62) if room is WIDE else (66, 114)
    for n, tile in enumerate(picking.offer):
        x, y = room.middle + wide * (n % across - (across - 1) / 2), 238 + high * (n // across)
        look = {"c": "glow"} if tile in picking.picked else {}
        yield value_item(f"o{n}", tile, x, y, do=["pick", n], z=size, **look)


def _chains(chains: tuple[dominoes.AnyChain, ...], picked: tuple[dominoes.Domino, ...], room: Room) -> Iterator[Item]:
    for n, (chain, y) in enumerate(zip(chains, row(len(chains), 96, 150, 92), strict=True)):
        tiles = tiles_of(chain)
        for index, (tile, spot) in enumerate(zip(tiles, laid_out(tiles, room.middle, y), strict=True)):
            look = {"c": "glow"} if any(tile_key(tile) == tile_key(one) for one in picked) else {}
            yield value_item(f"c{n}.{index}", tile, spot.x, spot.y, r=spot.angle, z=0.7, **look)


def _none_fits(picking: Picking[dominoes.Domino], answers: tuple[object, ...], room: Room) -> Iterator[Item]:
    if picking.picked and not answers:
        yield words("none", "no chain: it does not fit", room.middle, 96, "bold gold")


def try_trick(*, names: MaybeNames = None) -> GameTable[Picking[sedma.Card]]:
    """Return a table to try `winning_place`: pick four cards for a trick, and see which one wins."""

    def start(_: Learner, seed: int) -> Picking[sedma.Card]:
        with seeded(seed):
            return Picking(offer=tuple(sorted(shuffle_list(sedma.PIQUET_DECK)[:12], key=lambda card: card.rank.value)))

    def act(learner: Learner, picking: Picking[sedma.Card], action: Action) -> Picking[sedma.Card]:
        after = _pick(picking, action, 4)
        if after is None or len(after.picked) < 4:
            return after or picking
        return replace(after, answer=learner.call("winning_place", after.picked))

    def view(picking: Picking[sedma.Card], room: Room) -> SceneView:
        items = [*_offered(picking, room, 240), *_trick_items(picking, room)]
        done = f"winning_place returns {short(picking.answer)}."
        status = done if len(picking.picked) == 4 else f"Lay card {len(picking.picked) + 1} of the trick."
        return {"h": 300 + _lower(picking, room), "items": items, "status": status, "bar": [NEW]}

    return GameTable(GameRules("One trick", "sedma", ("winning_place",), start, act, view, sedma_game.ART), names)


def _trick_items(picking: Picking[sedma.Card], room: Room) -> Iterator[Item]:
    for index, x in enumerate(row(4, room.middle, 400, 100)):
        yield words(f"place{index}", f"place {index}", x, 20, "small")
        if index < len(picking.picked):
            yield value_item(f"t{index}", picking.picked[index], x, 94, c="glow" if picking.answer == index else "")
        else:
            yield item(f"t{index}", "card:ghost", x, 94)


def try_capture(*, names: MaybeNames = None) -> GameTable[Picking[basra.Card]]:
    """Return a table to try `capture`: play a card of any rank, and see which cards of the floor it takes."""

    def start(_: Learner, seed: int) -> Picking[basra.Card]:
        reds = [card for card in basra.produce_unshuffled_deck() if card.suit is not basra.SPADE]
        return Picking(seed, SPADES + tuple(Random(seed).sample(reds, 7)))

    def act(learner: Learner, picking: Picking[basra.Card], action: Action) -> Picking[basra.Card]:
        after = _pick(replace(picking, offer=SPADES), action, 1)
        if after is None:
            return picking
        answer = learner.call("capture", picking.offer[13:], after.picked[0])
        return replace(after, offer=picking.offer, answer=answer)

    art = (*basra_game.ART, "card:ghost")
    return GameTable(GameRules("What a card captures", "basra", ("capture",), start, act, _capture_view, art), names)


SPADES = tuple(basra.Card(basra.SPADE, rank) for rank in range(1, 14))


def _capture_view(picking: Picking[basra.Card], room: Room) -> SceneView:
    floor, got, hand = picking.offer[13:], picking.answer or (), replace(picking, offer=SPADES)
    items = [*_offered(hand, room, 250, 64, 0.74), *_floor(floor, got, picking.picked, room)]
    message = basra_game.round_text(picking.picked[0], got, floor) if picking.picked else "Play a card on this floor."
    return {"h": 305 + _lower(hand, room), "items": items, "status": message, "bar": [NEW]}


def _floor(floor: BasraCards, captures: Iterable[BasraCards], picked: BasraCards, room: Room) -> Iterator[Item]:
    signs = {card: n + 1 for n, some in enumerate(captures) for card in some}
    for card, x in zip(floor, row(len(floor), room.middle, room.width - 100, 92), strict=True):
        look = {"c": "glow"} if card in signs else {"c": "dim"} if picked else {}
        yield value_item(f"f{card}", card, x, 74, **look)
        if card in signs:
            yield words(f"s{card}", f"capture {signs[card]}", x, 142, "small gold")


def try_order(*, names: MaybeNames = None) -> GameTable[Picking[uno.Card]]:
    """Return a table to try `is_lt`: it sorts the cards that you pick, smallest on the left."""

    def start(_: Learner, seed: int) -> Picking[uno.Card]:
        pool = (*uno.WILDS, *(uno.Crd(rank, color) for color in uno.COLORS for rank in uno.RANKS))
        return Picking(seed, tuple(Random(seed).sample(pool, 11)))

    def act(learner: Learner, picking: Picking[uno.Card], action: Action) -> Picking[uno.Card]:
        after = _pick(picking, action, 8)
        return replace(after, answer=_inserted(learner, after)) if after else picking

    def view(picking: Picking[uno.Card], room: Room) -> SceneView:
        line, message = picking.answer or ((), "Pick cards: each moves to its place in the line.")
        items = [*_offered(picking, room, 250), words("less", "smallest on the left", room.middle, 20, "small")]
        for n, (card, x) in enumerate(zip(line, row(len(line), room.middle, room.width - 80, 80), strict=True)):
            items.append(value_item(f"l{n}", card, x, 96, c="glow" if card == picking.picked[-1] else ""))
        return {"h": 305 + _lower(picking, room), "items": items, "status": message, "bar": [NEW]}

    return GameTable(GameRules("Cards in order", "uno", ("is_lt",), start, act, view, uno_game.ART), names)


def _inserted(learner: Learner, picking: Picking[uno.Card]) -> tuple[tuple[uno.Card, ...], str]:
    """Return the row of cards with the last picked card inserted, and the comparisons that were made for it."""
    *_, card = picking.picked
    line = _line_of(learner, picking.picked[:-1])
    comparisons = [(other, bool(learner.call("is_lt", other, card))) for other in line]
    position = sum(less for _, less in comparisons)
    text = "; ".join(
        f"is_lt({uno_game.name_of(other)}, {uno_game.name_of(card)}) is {less}" for other, less in comparisons
    )
    return (*line[:position], card, *line[position:]), text or f"{uno_game.name_of(card)} is the first in the line."


def _line_of(learner: Learner, cards: tuple[uno.Card, ...]) -> tuple[uno.Card, ...]:
    line: tuple[uno.Card, ...] = ()
    for card in cards:
        position = sum(bool(learner.call("is_lt", other, card)) for other in line)
        line = (*line[:position], card, *line[position:])
    return line


def watch_deal(players: int = 4, *, names: MaybeNames = None) -> GameTable[Picking[uno.Card]]:
    """Return a table that shows, player by player, the cards that your `deal` hands out."""

    def start(learner: Learner, seed: int) -> Picking[uno.Card]:
        seats = tuple(uno.Player(name, (), uno.first_playable, False) for name in uno.NAMES[:players])
        with seeded(seed):
            return Picking(seed, answer=learner.call("deal", seats))

    def act(_: Learner, picking: Picking[uno.Card], action: Action) -> Picking[uno.Card]:
        return replace(picking, number=picking.number + 1) if action == ["next"] else picking

    def view(picking: Picking[uno.Card], room: Room) -> SceneView:
        served = min(picking.number, players)
        left = 108 - 7 * served - (picking.number > players)
        going = [button("Next", ["next"], strong=True)] * (picking.number <= players)
        status = f"{served} of {players} players served, {left} cards left in the deck."
        items = list(_deal_items(picking, served, left, room))
        return {
            "h": _deal_top(room) + 84 * players,
            "items": items,
            "status": status,
            "bar": [*going, button("Deal again", ["new"])],
        }

    return GameTable(GameRules("The deal", "uno", ("deck", "deal"), start, act, view, uno_game.ART), names)


def _deal_top(room: Room) -> int:
    """Return the y coordinate of the first hand. In a narrow room, it is below the deck and the pile."""
    return 60 if room is WIDE else 250


def _deal_items(picking: Picking[uno.Card], served: int, left: int, room: Room) -> Iterator[Item]:
    deck, name_x, middle, across = (80, 200, 530, 460) if room is WIDE else (80, 80, 350, 360)
    yield item("deck", "uno:back", deck, 90, f"the deck, {left} cards")
    yield words("left", f"deck: {left}", deck, 160)
    for n, player in enumerate(picking.answer.players[:served]):
        y = _deal_top(room) + 84 * n
        yield words(f"p{n}", player.name, name_x, y, "bold")
        for m, (card, x) in enumerate(zip(player.cards, row(len(player.cards), middle, across, 64), strict=True)):
            yield value_item(f"d{n}.{m}", card, x, y, z=0.7, f=(deck, 90))
    if picking.number > len(picking.answer.players):
        yield value_item("pile", picking.answer.pile[0], room.width - deck, 90, f=(deck, 90))
        yield words("pile!", "pile", room.width - deck, 160)


def try_view(
    *functions: Callable[[arena.View], object], seed: int = 1, names: MaybeNames = None
) -> GameTable[Picking[arena.Card]]:
    """Return a table that shows a bot's view, and the answer of each of the `functions` to it."""

    def start(learner: Learner, seed: int) -> Picking[arena.Card]:
        sight = _sight(Random(seed))
        answers = tuple(guarded(learner.now(function), _called(function), (sight,)) for function in functions)
        return Picking(seed, sight.hand, answer=(sight, answers))

    def view(picking: Picking[arena.Card], room: Room) -> SceneView:
        sight, answers = picking.answer
        items = [*_sight_items(sight, answers, room)]
        for n, (function, answer) in enumerate(zip(functions, answers, strict=True)):
            line = cut(f"{_called(function)}: {short(answer)}", ANSWER_LETTERS[room])
            items.append(words(f"a{n}", line, 20, 190 + 30 * n, "start"))
        height = _sight_y(answers) + 62
        status = "The glowing card is the first answer." if _answered(answers) else "This is what the bot sees."
        return {"h": height, "items": items, "status": status, "bar": [button("Another view", ["new"], strong=True)]}

    game = GameRules("What a bot sees", "bots", (), start, lambda _, picking, __: picking, view, bots_game.ART)
    return GameTable(game, names, seed)


def _called(function: Callable[..., object]) -> str:
    return getattr(function, "__name__", "function")


def _answered(answers: tuple[object, ...]) -> tuple[arena.Card, ...]:
    """Return the cards of the first answer that is a card or a tuple of cards."""
    match = next((answer for answer in answers if answer), ())
    return (match,) if isinstance(match, arena.Card) else tuple(match) if isinstance(match, tuple) else ()


def _sight(random: Random) -> arena.View:
    *hand, top = random.sample(arena.DECK, 8)
    while top.color is None:
        top = random.choice(arena.DECK)
    mine = tuple(card for card in hand if card.color is top.color) or (arena.Card(top.color, 5),)
    others = tuple(card for card in hand if card not in mine)
    hand_now = (mine + others)[:7]
    counts = len(hand_now), random.randint(1, 9)
    return arena.View(hand_now, top, top.color or arena.RED, counts, 1, random.randrange(arena.ROLLS))


def _sight_y(answers: tuple[object, ...]) -> int:
    """Return the y coordinate of the hand, below the answers."""
    return 240 + 30 * len(answers)


def _sight_items(sight: arena.View, answers: tuple[object, ...], room: Room) -> Iterator[Item]:
    wanted, y = _answered(answers), _sight_y(answers)
    yield value_item("top", sight.top, 120, 76)
    yield item("color", f"color:{sight.color.name[0]}", 215, 76, f"to follow: {sight.color.name.lower()}", z=0.8)
    yield words("counts", f"cards: mine {sight.counts[0]}, the next player's {sight.counts[1]}", 20, 152, "start")
    for n, (card, x) in enumerate(zip(sight.hand, row(len(sight.hand), room.middle, room.width - 90, 80), strict=True)):
        yield value_item(f"h{n}", card, x, y, c="glow" if card in wanted else "")


ALL_CARDS = (*basra_game.ART, "card:joker")
