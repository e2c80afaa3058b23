"""What inscriptions decided: kills that would not have been, or another's, without them; and the Coppers they brought.

A kill is reckoned again with one inscription taken away and everything else as it was, which is what people mean by
“without your Sharp it would have been mine”.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import msgspec

from companion.games.decknforge import actions as do
from companion.games.decknforge.arithmetic import compute_strike, killing_hit
from companion.games.decknforge.state import DungeonTable, Upcard, Wizard
from companion.tabletop.cards import Card
from companion.tabletop.game import PlayedAction
from companion.tabletop.records import Reason


def inscriptions_at_work(table: DungeonTable) -> set[str]:
    """The inscriptions on all cards that are revealed or known to be in a hand."""
    revealed = [(upcard.owner, upcard.card) for upcard in table.revealed]
    held = [(wizard.seat, card) for wizard in table.wizards for card in wizard.known_hand]
    return {name for seat, card in (*revealed, *held) for name in table.bands[seat].inscribed.get(card, ())}


def decisive_inscriptions(kill: DungeonTable, killer: str, wills: Sequence[PlayedAction]) -> Iterator[str]:
    """The inscriptions without which a Boss would not have died of the cards of a round, or not by this killer.

    `kill` is the table before its damage, `wills` the uses of Wizard's Will in that round.
    """
    for name in sorted(inscriptions_at_work(kill) & _WITHOUT.keys()):
        if killer_on(_WITHOUT[name](kill, name)) != killer:
            yield name
    for will in wills:
        if killer_on(_swapped_back(kill, will)) != killer:
            yield "wizards-will"


def killer_on(table: DungeonTable) -> str:
    """Who would take the Boss with the cards that lie there; "" where it would live."""
    assert table.boss is not None
    strike = compute_strike(table, table.boss)
    hit = killing_hit(table, strike) if strike.kills else None
    return hit.upcard.controller if hit else ""


def _without_name(table: DungeonTable, name: str) -> DungeonTable:
    """Off all cards of all bands."""
    bands = {
        seat: msgspec.structs.replace(
            band, inscribed={card: tuple(one for one in names if one != name) for card, names in band.inscribed.items()}
        )
        for seat, band in table.bands.items()
    }
    return msgspec.structs.replace(table, bands=bands)


def _without_banners(table: DungeonTable, name: str) -> DungeonTable:  # noqa: ARG001 – as the others are called
    """Nobody's cards count more for a Banner (R1.I07)."""
    wizards = tuple(msgspec.structs.replace(wizard, banner=0) for wizard in table.wizards)
    return msgspec.structs.replace(table, wizards=wizards)


def _without_seconds(table: DungeonTable, name: str) -> DungeonTable:  # noqa: ARG001 – as the others are called
    """Of each band the first card that was revealed (R1.I12)."""
    firsts: dict[str, Upcard] = {}
    for upcard in table.revealed:
        firsts.setdefault(upcard.owner, upcard)
    return msgspec.structs.replace(table, revealed=tuple(firsts.values()))


_WITHOUT: Final[dict[str, Callable[[DungeonTable, str], DungeonTable]]] = {
    **dict.fromkeys(("sharp", "hunters-edge", "pierce", "royal-decree"), _without_name),
    "banner": _without_banners,
    "doublestrike": _without_seconds,
}
"""What can change the kill of a round by being there, and how the table lies without it."""


def _swapped_back(table: DungeonTable, will: PlayedAction) -> DungeonTable:
    """The table with the two cards that Wizard's Will swapped (R1.I14) back with whoever has the other one now."""
    assert isinstance(will.action, do.Will)
    owners = {(one.owner, one.card): one.controller for one in will.before.revealed}
    swapped = [one for one in will.after.revealed if owners[one.owner, one.card] != one.controller]
    controllers = {(one.owner, one.card): one.controller for one in table.revealed}
    keys = [(one.owner, one.card) for one in swapped]
    if len(keys) != 2 or not controllers.keys() >= set(keys):
        return table
    back: dict[tuple[str, Card], str] = dict(zip(keys, (controllers[key] for key in reversed(keys)), strict=True))
    revealed = tuple(
        msgspec.structs.replace(one, controller=back.get((one.owner, one.card), one.controller))
        for one in table.revealed
    )
    return msgspec.structs.replace(table, revealed=revealed)


def coppers_by_inscription(wizards: Iterable[Wizard]) -> Counter[str]:
    """Coppers that inscriptions brought their wizards, from the ledgers of a dungeon."""
    brought: Counter[str] = Counter()
    for wizard in wizards:
        for coppers, reason in wizard.ledger:
            for name, part in _parts(coppers, reason):
                brought[name] += part
    return brought


def _parts(coppers: int, reason: Reason) -> Iterator[tuple[str, int]]:
    """What of an entry is due to which inscription."""
    match reason.code, reason.args:
        case "glint", _:
            yield "glint", coppers
        case "kill", args:
            amounts = zip(args[::2], args[1::2], strict=True)
            yield from (("blood-money", int(amount)) for amount, what in amounts if what == "blood-money")
        case (("assist" | "pact"), (pact,)):
            yield "mercenary-pact", int(pact)
        case "convert", (_, _, factor):
            yield "echo", coppers - coppers // max(1, int(factor))
        case "patron-steals", _:
            yield "the-patron", coppers
