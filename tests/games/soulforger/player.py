"""Somebody who plays Soul-Forger without a plan, and what must hold of any table they play at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from companion.games.soulforger.game import GAME
from companion.games.soulforger.rules import actions as do
from companion.games.soulforger.rules.house import House
from companion.games.soulforger.rules.keywords import FACTIONS, KEYWORDS
from companion.games.soulforger.rules.state import (
    HANDS,
    PHASES,
    PLAYING,
    Creature,
    Equipment,
    SoulForgerPlayer,
    SoulForgerTable,
)
from companion.session.core.session import Session
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.table.choices import Open
from companion.tabletop.table.common_actions import Add, Redo, Set, Undo
from tests.games import at_random, choosing

SEATS: Final = ("ana", "ben", "cy", "dee")
ACTIONS: Final = ("Spark", "Fog", "Pit Fall", "Spark!")


def begun(chance: Random, players: int) -> Session:
    """A table after its set-up, with house rules, decks and gear as they may be."""
    session = Session.new(GAME)
    seats = SEATS[:players]
    lines = [f"seat {seat}" for seat in seats]
    lines += [
        f"rule {rule.key} {chance.choice(rule.values or ('1', '3'))}" for rule in House.all() if chance.random() < 0.3
    ]
    lines += [f"deck-size {seat} {chance.choice((6, 12, 30))}" for seat in seats]
    for seat in seats:
        figures = f"power {chance.randint(0, 6)}/{chance.randint(0, 3)} hands {chance.randint(1, 2)}"
        lines.append(f"gear {seat} {seat}-blade weapon {figures}{_words(chance)}")
        lines += [
            f"gear {seat} {seat}-{kind} {kind}{_words(chance)}"
            for kind in ("armor", "accessory")
            if chance.random() < 0.5
        ]
    for line in (*lines, f"first {chance.choice(seats)}", f"begin seed {chance.randrange(1000)}"):
        session.enter(line)
    return session


def game(seed: int, players: int, exact: bool) -> Session:
    """A whole game from set-up to its outcome. Raises Fault.

    At an `exact` table nobody overwrites counters, so that cards must add up.
    """
    chance = Random(f"soulforger {seed}")
    session = begun(chance, players)
    also = besides if exact else _by_hand_too
    says = at_random.answering(session, chance, also, value, due=chance.choice((0.3, 0.6)))
    at_random.play(session, says, lambda *_: (holds_exactly if exact else holds)(session))
    return session


def tables(seed: int, players: int) -> Iterator[SoulForgerTable]:
    """The tables of a game in which nobody overwrites counters."""
    chance = Random(f"soulforger {seed}")
    session = begun(chance, players)
    return at_random.tables(session, at_random.answering(session, chance, besides, value))


def _words(chance: Random) -> str:
    """Some keywords and factions, or none."""
    keywords = chance.sample(tuple(KEYWORDS), chance.choice((0, 0, 1, 3)))
    factions = chance.sample(FACTIONS, chance.choice((0, 0, 1, 2)))
    words = f" keywords {' '.join(keywords)}" if keywords else ""
    return words + (f" faction {' '.join(factions)}" if factions else "")


def value(chance: Random, field: str, open_: Open) -> Any:
    """A value where nobody can list them; mostly a card of the deck list, where there is one."""
    if open_.fitting and chance.random() < 0.85:
        return chance.choice(open_.fitting).value
    if field == "power":
        return chance.randint(0, 9), chance.randint(0, 5)
    if field == "change":
        return chance.randint(-4, 6), chance.randint(-2, 3)
    if field == "name":
        return chance.choice(ACTIONS)
    if field == "keywords":
        return tuple(chance.sample(tuple(KEYWORDS), 2))
    if isinstance(open_.example, tuple):
        most = min(4, open_.most or 4)
        return tuple(
            chance.choice((*open_.example, chance.randint(0, 4))) for _ in range(chance.randint(1, max(1, most)))
        )
    return open_.example if isinstance(open_.example, str) else at_random.number(chance, open_, most=6)


def besides(chance: Random, session: Session) -> str:
    """Undo and redo, effects, cards with keywords, or a line out of turn."""
    state: SoulForgerTable = session.state
    seat = chance.choice(state.players).seat
    handles = [*state.cards, *SEATS, "spark", "nobody"]
    handle, other, words = chance.choice(handles), chance.choice(handles), _words(chance)
    new = f"thing-{len(state.handles)}"
    figures = f"power {chance.randint(0, 9)}/{chance.randint(0, 4)} endurance {chance.randint(0, 6)}"
    return chance.choice(
        (
            "undo",
            "redo",
            "next",
            "skip-combat",
            f"summon {seat} {new} ronum {chance.randint(0, 2)} {figures} xp {chance.randint(0, 3)}{words} manifest",
            f"summon {seat} {new} ronum {chance.randint(0, 3)} {figures}{words} pay {handle}",
            f"token {seat} {new} {figures}",
            f"token {seat} {new} {figures} ronum {chance.randint(0, 2)}",
            f"forge {seat} {new} accessory ronum 1 replaces {handle}",
            f"forge {seat} {new} weapon ronum 1 power {chance.randint(0, 6)}/2 hands {chance.randint(1, HANDS)}{words}",
            f"forge {seat} {new} armor ronum 1 pay {handle}",
            f'set-action {seat} "{chance.choice(ACTIONS)}"',
            f'action {seat} "{chance.choice(ACTIONS)}" ronum 1 speed instinct{chance.choice((" lingering", ""))}',
            f'action {seat} "{chance.choice(ACTIONS)}" ronum 1 from set speed {chance.choice(("normal", "reaction"))}',
            f'flow {seat} "{chance.choice(ACTIONS)}"',
            f'negate "{chance.choice(ACTIONS)}"',
            f"attack {handle} on {other}",
            f"block {handle}",
            f"retarget {other}",
            f"damage {other} {chance.randint(0, 9)}",
            f"damage {seat} {chance.randint(0, 9)}",
            f"heal {other} {chance.randint(0, 3)}",
            f"{chance.choice(('destroy', 'send', 'skill'))} {handle}",
            f"buff {handle} {chance.randint(-3, 4):+d}/{chance.randint(-2, 3):+d}",
            f"{chance.choice(('give', 'take-away'))} {handle} {chance.choice(tuple(KEYWORDS))}",
            f"draw {seat} {chance.randint(0, 3)}",
            f"discard {seat} {chance.randint(0, 3)}",
            f"quest {seat} none",
            f"level {seat}",
            f"pay {seat} ronum {chance.randint(0, 6)} with {chance.randint(0, 4)} {chance.randint(0, 4)}",
            f"concede {seat}" if chance.random() < 0.02 else "xyzzy",
        )
    )


def _by_hand_too(chance: Random, session: Session) -> str:
    """Besides: counters set by hand, and earlier lines amended."""
    if chance.random() < 0.4:
        return besides(chance, session)
    view = session.view()
    target = chance.choice(view.targets())
    counter = chance.choice(view.counters_of(target) or view.counters)
    how = chance.choice(("set", "set", "add", "amend"))
    if how == "amend":
        return f"amend {chance.randint(2, len(session.log.lines))} {besides(chance, session)}"
    if how == "add":
        return f"add {target} {counter.name} {chance.randint(-5, 5):+d}"
    words = (
        ("yes", "no")
        if isinstance(counter.value, bool)
        else (*SEATS, *PHASES, "none", "on", "off", *map(str, range(12)))
    )
    return f"set {target} {counter.name} {chance.choice(words)}"


def holds(session: Session) -> None:
    """What must hold whatever people set by hand."""
    state: SoulForgerTable = session.state
    choosing.are_honest(session)
    at_random.view_can_be_read(session)
    assert set(state.cards) <= state.handles
    for player in state.players:
        _possible(state, player)
    for card in state.cards.values():
        assert not state.player(card.owner).out, f"{card.handle} belongs to somebody who is out"
        if isinstance(card, Creature):
            dies = card.damage >= card.endurance and not state.together
            assert card.damage >= 0, f"{card.handle} is healed beyond its Endurance"
            assert not dies, f"{card.handle} should be dead"
    if state.phase in PLAYING and not state.outcome:
        assert not state.player(state.active).out, "it is the turn of somebody who is out"
    if state.attack is not None:
        assert state.phase in ("combat", WHOLE_TURN)
        attacker = state.cards.get(state.attack.attacker)
        assert attacker.owner == state.active if attacker else state.together


def _possible(state: SoulForgerTable, player: SoulForgerPlayer) -> None:
    """Figures from 0, and equipment as many hands and slots can hold (R2.15)."""
    assert min(player.deck, player.hand, player.graveyard, player.damage, player.level, player.xp) >= 0, player
    assert min(player.material, default=0) >= 0
    pieces = list(state.equipment(player.seat))
    slots = Counter(piece.slot for piece in pieces)
    assert sum(piece.hands for piece in pieces) <= HANDS, pieces
    assert slots <= Counter(primary=1, secondary=1, armor=1, accessory=2), pieces
    assert slots["primary"] or not slots["secondary"], pieces


def holds_exactly(session: Session) -> None:
    """Besides: no card appears or vanishes, and creatures are never above the Ronum Limit but by a token (R2.12)."""
    holds(session)
    state: SoulForgerTable = session.state
    head = session.log.position.head
    over = state.overflowing()
    assert over is None or any(creature.token and creature.ronum for creature in state.creatures(over.seat))
    assert not isinstance(head.action, Set | Undo | Redo)
    # Where only whole turns are told, a level is reached by a line for its figure.
    assert not (isinstance(head.action, Add) and state.tracks_all)
    if head.before is not None and state.phase != "setup":
        before: SoulForgerTable = head.before.state
        for old, new in zip(before.players, state.players, strict=True):
            if not new.out and before.phase != "setup" and state.tracks_all:
                brought = _brought(head.action, new.seat)
                assert cards_of(state, new) == cards_of(before, old) + brought, f"{new.seat}: cards"


def cards_of(state: SoulForgerTable, player: SoulForgerPlayer) -> int:
    """A player's cards, wherever they are; tokens are none."""
    on_field = [card for card in state.cards.values() if card.owner == player.seat]
    cards = sum(isinstance(card, Equipment) or (isinstance(card, Creature) and not card.token) for card in on_field)
    played = sum(item.card and item.seat == player.seat for item in state.flow)
    piles = player.deck + player.hand + player.graveyard + len(player.material) + player.unknown_material
    return piles + cards + played + len(player.zone)


def _brought(action: Any, seat: str) -> int:
    """Cards that an action brings from where nobody counts: the Forge Deck, or wherever an effect found a creature."""
    from_elsewhere = isinstance(action, do.ForgeEquipment) or (isinstance(action, do.Summon) and action.manifest)
    return int(from_elsewhere and action.seat == seat)
