"""What inscriptions decided: kills that would not have been, or another's, without them; and the Coppers they brought.

A kill is reckoned again with one inscription taken away and everything else as it was, which is what people mean by
“without your Sharp it would have been mine”.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from companion.games.decknforge import actions as do
from companion.games.decknforge.arithmetic import compute_strike, killing_hit
from companion.games.decknforge.effect import Book, Inscription
from companion.games.decknforge.state import Band, DungeonTable, Upcard
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
    for name in sorted(inscriptions_at_work(kill)):
        without = _without(kill, name)
        if without is not kill and killer_on(without) != killer:
            yield name
    for will in wills:
        if killer_on(_swapped_back(kill, will)) != killer:
            yield from bearers(
                kill.book, kill.bands, getattr(will.action, "seat", ""), lambda effect: effect.swaps
            ) or ("wizards-will",)


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


def _without_raised_faces(table: DungeonTable, name: str) -> DungeonTable:
    """Nobody's cards count more for it, as they do for a Banner (R1.I07)."""
    raised: Counter[str] = Counter()
    for upcard in table.revealed:
        if name in table.bands[upcard.owner].inscribed.get(upcard.card, ()):
            raised.update(table.book.inscriptions[name].raised_faces(table, upcard.owner))
    wizards = tuple(
        msgspec.structs.replace(wizard, banner=max(0, wizard.banner - raised[wizard.seat])) for wizard in table.wizards
    )
    return msgspec.structs.replace(table, wizards=wizards) if raised else table


def _without_seconds(table: DungeonTable) -> DungeonTable:
    """Of each band the first card that was revealed (R1.I12)."""
    firsts: dict[str, Upcard] = {}
    for upcard in table.revealed:
        firsts.setdefault(upcard.owner, upcard)
    return msgspec.structs.replace(table, revealed=tuple(firsts.values()))


def _without(table: DungeonTable, name: str) -> DungeonTable:
    """The table as it would lie without an inscription; itself where that cannot change the kill of a round."""
    effect = table.book.inscriptions[name]
    without = _without_raised_faces(table, name)
    if effect.reveals_more:
        without = _without_seconds(without)
    if effect.face or effect.pierces or effect.hand_face or effect.has_edge:
        without = _without_name(without, name)
    return without


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


def coppers_by_inscription(table: DungeonTable, bands: Mapping[str, Band]) -> Counter[str]:
    """Coppers that inscriptions brought the wizards of a table, from the ledgers of a dungeon.

    `bands` bear what they bore as it began. What two inscriptions brought together is shared between them.
    """
    brought: Counter[str] = Counter()
    for wizard in table.wizards:
        for coppers, reason in wizard.ledger:
            for name, part in _parts(table.book, bands, wizard.seat, coppers, reason):
                brought[name] += part
    return brought


def _parts(book: Book, bands: Mapping[str, Band], seat: str, coppers: int, reason: Reason) -> Iterator[tuple[str, int]]:
    """What of an entry is due to which inscription."""
    match reason.code, reason.args:
        case "glint", _:
            yield "glint", coppers
        case "homebrew", (name, _):
            yield str(name), coppers
        case "kill", args:
            amounts = zip(args[::2], args[1::2], strict=True)
            yield from ((str(what), int(amount)) for amount, what in amounts if _pays_for_kills(book, str(what)))
        case (("assist" | "pact"), (pact,)):
            yield from _split_coppers(
                int(pact), bearers(book, bands, seat, lambda effect: effect.pact), "mercenary-pact"
            )
        case "convert", (_, card, factor):
            more = coppers - coppers // max(1, int(factor))
            names = bearers(book, bands, seat, lambda effect: effect.convert_factor > 1, Card(str(card)))
            yield from _split_coppers(more, names, "echo")
        case "patron-steals", _:
            yield "the-patron", coppers


def _pays_for_kills(book: Book, name: str) -> bool:
    """True for an inscription; Monster labels stand there too."""
    effect = book.inscriptions.get(name)
    return effect is not None and bool(effect.kill_coppers)


def _split_coppers(coppers: int, names: Sequence[str], usual: str) -> Iterator[tuple[str, int]]:
    """The same to each, and what is left over to the first ones."""
    names = names or (usual,)
    for place, name in enumerate(names):
        yield name, (coppers + len(names) - 1 - place) // len(names)


def bearers(
    book: Book, bands: Mapping[str, Band], seat: str, works: Callable[[Inscription], object], card: Card | None = None
) -> tuple[str, ...]:
    """The inscriptions that work so on the cards of a seat's band, or on one card; else on those of other bands."""
    for owner in sorted(bands, key=lambda owner: owner != seat):
        inscribed = bands[owner].inscribed
        cards = (card,) if card else tuple(inscribed)
        names = dict.fromkeys(name for each in cards for name in inscribed.get(each, ()))
        if matches := tuple(name for name in names if (effect := book.inscriptions.get(name)) and works(effect)):
            return matches
    return ()
