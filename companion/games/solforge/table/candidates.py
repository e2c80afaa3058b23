"""The candidates for the fields of actions: lanes, levels, creatures and keywords, each with its figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from companion.games.solforge.rules import actions as do
from companion.games.solforge.rules.deck_list import parse_remarks
from companion.games.solforge.rules.keywords import KEYWORDS, format_keyword
from companion.games.solforge.rules.state import LANES, MAX_LEVEL, Bearer, LaneCreature, SolForgeTable
from companion.tabletop.constructed import batch
from companion.tabletop.constructed.table import SeatPlayer, listed_handles, listed_names
from companion.tabletop.decks.decklist import ListedCard
from companion.tabletop.table.choices import Candidates, Choice, Open, new_seat
from companion.tabletop.table.table import Draft
from templates.languages.messages import Message, listed, phrase

_NUMBERS: Final = range(1, 6)
"""The numbers of a keyword that are offered; others can be typed."""
_FREE_NAME: Final = "creature"


def _seats(state: SolForgeTable, draft: Draft) -> Candidates:
    """Return a new word for a new seat, else the players."""
    if draft.action is SeatPlayer:
        return new_seat([player.seat for player in state.players])
    return tuple(_bearer(state, player) for player in state.players)


def _lanes(state: SolForgeTable, draft: Draft) -> Iterator[Choice]:
    """Yield the lanes with the creatures in them and opposite."""
    seat = draft.given.get("seat") or _creature_owner(state, draft)
    for lane in LANES if seat and state.is_seat(seat) else ():
        own = state.at(seat, lane)
        other = next((there for there in state.creatures if there.lane == lane and there.owner != seat), None)
        yield Choice(lane, _lane_title(draft, lane), _lane_text(own, other))


def _lane_title(draft: Draft, lane: int) -> Message:
    """Return what an action does in a lane."""
    if draft.action is do.ForgeCreature:
        return phrase("Forge in lane {lane}", lane=lane)
    if draft.action is do.MoveCreature:
        return phrase("Move to lane {lane}", lane=lane)
    return phrase("Lane {lane}", lane=lane)


def _lane_text(own: LaneCreature | None, other: LaneCreature | None) -> Message:
    """Return who is in a lane, and who is opposite."""
    if own and other:
        return phrase(
            "over {creature}; opposite: {other}", creature=_creature_figures(own), other=_creature_figures(other)
        )
    if own:
        return phrase("over {creature}; opposite: nobody", creature=_creature_figures(own))
    if other:
        return phrase("empty; opposite: {other}", other=_creature_figures(other))
    return phrase("empty; opposite: nobody")


def _creature_owner(state: SolForgeTable, draft: Draft) -> str:
    handle = draft.given.get("handle")
    return next((creature.owner for creature in state.creatures if creature.handle == handle), "")


def _creature_figures(creature: LaneCreature) -> str:
    return f"{creature.title} {creature.figures}"


def _levels(state: SolForgeTable, draft: Draft) -> Iterator[Choice]:
    """Yield the levels with the number of cards of each."""
    seat = draft.given.get("seat") or draft.given.get("target")
    player = next((player for player in state.players if player.seat == seat), None)
    for level in range(1, MAX_LEVEL + 1):
        is_known = player is not None and state.knows_cards(player.seat)
        cards = player.levels[level - 1] if player and is_known else None
        detail = "" if cards is None else phrase("{cards} in deck, hand and discard pile", cards=cards)
        yield Choice(level, phrase("Level {level}", level=level), detail)


def _handles(state: SolForgeTable, draft: Draft) -> Candidates:
    """Return a new name for a new creature, else the creatures in the lanes."""
    if draft.action in (do.ForgeCreature, do.Place, do.Spawn):
        taken = state.handles | {player.seat for player in state.players}
        names = (f"{_FREE_NAME}{number or ''}" for number in range(len(taken) + 1))
        listed_cards = listed_handles(
            state, draft.given.get("seat", ""), taken, lambda card: bool(parse_remarks(card).levels)
        )
        free = next(name for name in names if name not in taken)
        return Open(phrase("a name for the creature"), free, fitting=listed_cards)
    return tuple(_bearer(state, creature) for creature in state.creatures)


def _names(state: SolForgeTable, draft: Draft) -> Open:
    """Return the spells of a stored deck or, to level a card directly, all its cards that are not Free (A4.9)."""

    def fits(card: ListedCard) -> bool:
        remarks = parse_remarks(card)
        return not remarks.levels if draft.action is do.Cast else "free" not in remarks.flags

    return Open(phrase("its name"), "Spark", fitting=listed_names(state, draft.given.get("seat", ""), fits))


def _bearer(state: SolForgeTable, bearer: Bearer) -> Choice:
    if isinstance(bearer, LaneCreature):
        where = phrase("lane {lane} of {player}", lane=bearer.lane, player=state.player(bearer.owner).name)
        return Choice(bearer.handle, bearer.title, listed((bearer.figures, where)))
    return Choice(bearer.seat, bearer.name, phrase("{health} health", health=bearer.health))


def _keyword(state: SolForgeTable, draft: Draft) -> Iterator[Choice]:
    """Yield the keywords that can be given, or those that a target has and can lose."""
    if draft.action is do.TakeAway:
        target = str(draft.given.get("target", ""))
        there = state.is_seat(target) or any(creature.handle == target for creature in state.creatures)
        held = state.bearer(target).keywords if there else KEYWORDS
        yield from (Choice(name, KEYWORDS[name].title, KEYWORDS[name].text) for name in held)
        return
    yield from _all_keywords()


def _all_keywords() -> Iterator[Choice]:
    for name, keyword in KEYWORDS.items():
        for number in _NUMBERS if keyword.numbered else (0,):
            yield Choice(f"{name}={number}" if number else name, format_keyword(name, number), keyword.text)


PROPOSALS: Final[dict[str, Callable[[SolForgeTable, Draft], Candidates]]] = {
    "seat": _seats,
    "lane": _lanes,
    "level": _levels,
    "handle": _handles,
    "target": lambda state, _: (_bearer(state, bearer) for bearer in state.bearers),
    "keyword": _keyword,
    "figures": lambda *_: Open(phrase("attack/health"), (3, 3)),
    "change": lambda *_: Open(phrase("±attack/±health"), (1, 1)),
    "more": lambda state, _: batch.hurt_as_well(creature.handle for creature in state.creatures),
    "amount": lambda *_: Open(phrase("how much"), 1, least=0),
    "cards": lambda *_: Open(phrase("how many cards"), 1, least=0),
    "has": lambda *_: Open(phrase("its keywords"), ("aggressive",), 1, of=tuple(_all_keywords())),
    "name": _names,
}
