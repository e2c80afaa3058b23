"""Decisive inscriptions: kills that would not have happened, or been another's, without them; and Coppers earned.

A kill is recomputed with one inscription removed and everything else unchanged, as players mean by “without your Sharp
it would have been mine”.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from companion.games.decknforge.book.effect import EffectBook, Inscription
from companion.games.decknforge.book.state import Band, DungeonTable, Upcard
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules.arithmetic import compute_strike, killing_hit
from companion.tabletop.evenings import PlayedAction
from companion.tabletop.notation.cards import Card
from companion.tabletop.records import Reason


def inscriptions_at_work(table: DungeonTable) -> set[str]:
    """Return the inscriptions on all cards that are revealed or known to be in a hand."""
    revealed = [(upcard.owner, upcard.card) for upcard in table.revealed]
    held = [(wizard.seat, card) for wizard in table.wizards for card in wizard.known_hand]
    return {name for seat, card in (*revealed, *held) for name in table.bands[seat].inscribed.get(card, ())}


def decisive_inscriptions(kill: DungeonTable, killer: str, wills: Sequence[PlayedAction]) -> Iterator[str]:
    """Yield the inscriptions without which the cards of a round would not have killed the Boss, or not for this killer.

    `kill` is the table before its damage, `wills` the uses of Wizard's Will in that round.
    """
    for name in sorted(inscriptions_at_work(kill)):
        without = _without_inscription(kill, name)
        if without is not kill and killer_on(without) != killer:
            yield name
    for will in wills:
        if killer_on(_swapped_back(kill, will)) != killer:
            yield from bearing_inscriptions(
                kill.book, kill.bands, getattr(will.action, "seat", ""), lambda effect: effect.swaps
            ) or ("wizards-will",)


def killer_on(table: DungeonTable) -> str:
    """Return the seat that would take the Boss with the present cards, or "" if it would live."""
    assert table.boss is not None
    strike = compute_strike(table, table.boss)
    hit = killing_hit(table, strike) if strike.kills else None
    return hit.upcard.controller if hit else ""


def _without_name(table: DungeonTable, name: str) -> DungeonTable:
    """Return the table with an inscription removed from all cards of all bands."""
    bands = {
        seat: msgspec.structs.replace(
            band, inscribed={card: tuple(one for one in names if one != name) for card, names in band.inscribed.items()}
        )
        for seat, band in table.bands.items()
    }
    return msgspec.structs.replace(table, bands=bands)


def _without_raised_faces(table: DungeonTable, name: str) -> DungeonTable:
    """Return the table without the F that a revealed inscription adds to all cards, such as Banner (R1.I07)."""
    raised: Counter[str] = Counter()
    for upcard in table.revealed:
        if name in table.bands[upcard.owner].inscribed.get(upcard.card, ()):
            raised.update(table.book.inscriptions[name].raised_faces(table, upcard.owner))
    wizards = tuple(
        msgspec.structs.replace(wizard, banner=max(0, wizard.banner - raised[wizard.seat])) for wizard in table.wizards
    )
    return msgspec.structs.replace(table, wizards=wizards) if raised else table


def _without_seconds(table: DungeonTable) -> DungeonTable:
    """Return the table with only the first revealed card of each band (R1.I12)."""
    firsts: dict[str, Upcard] = {}
    for upcard in table.revealed:
        firsts.setdefault(upcard.owner, upcard)
    return msgspec.structs.replace(table, revealed=tuple(firsts.values()))


def _without_inscription(table: DungeonTable, name: str) -> DungeonTable:
    """Return the table without an inscription's effects; the same table if it cannot change the kill of a round."""
    effect = table.book.inscriptions[name]
    without = _without_raised_faces(table, name)
    if effect.reveals_more:
        without = _without_seconds(without)
    if effect.face or effect.pierces or effect.hand_face or effect.has_edge:
        without = _without_name(without, name)
    return without


def _swapped_back(table: DungeonTable, will: PlayedAction) -> DungeonTable:
    """Return the table with the two cards that Wizard's Will swapped (R1.I14) swapped back."""
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
    """Return the Coppers that inscriptions earned for the wizards of a table, from the ledgers of a dungeon.

    `bands` are the bands as it began. Coppers earned by two inscriptions together are split between them.
    """
    brought: Counter[str] = Counter()
    for wizard in table.wizards:
        for coppers, reason in wizard.ledger:
            for name, part in _payment_parts(table.book, bands, wizard.seat, coppers, reason):
                brought[name] += part
    return brought


def _payment_parts(
    book: EffectBook, bands: Mapping[str, Band], seat: str, coppers: int, reason: Reason
) -> Iterator[tuple[str, int]]:
    """Yield the inscriptions that contributed to a payment, with their parts."""
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
                int(pact), bearing_inscriptions(book, bands, seat, lambda effect: effect.pact), "mercenary-pact"
            )
        case "convert", (_, card, factor):
            more = coppers - coppers // max(1, int(factor))
            names = bearing_inscriptions(book, bands, seat, lambda effect: effect.convert_factor > 1, Card(str(card)))
            yield from _split_coppers(more, names, "echo")
        case "patron-steals", _:
            yield "the-patron", coppers


def _pays_for_kills(book: EffectBook, name: str) -> bool:
    """Return True for an inscription; the names may also be of Monster labels."""
    effect = book.inscriptions.get(name)
    return effect is not None and bool(effect.kill_coppers)


def _split_coppers(coppers: int, names: Sequence[str], usual: str) -> Iterator[tuple[str, int]]:
    """Yield equal parts for all names, with the remainder for the first ones."""
    names = names or (usual,)
    for place, name in enumerate(names):
        yield name, (coppers + len(names) - 1 - place) // len(names)


def bearing_inscriptions(
    book: EffectBook,
    bands: Mapping[str, Band],
    seat: str,
    works: Callable[[Inscription], object],
    card: Card | None = None,
) -> tuple[str, ...]:
    """Return the inscriptions with an effect on a seat's band, or on one card; else those of other bands."""
    for owner in sorted(bands, key=lambda owner: owner != seat):
        inscribed = bands[owner].inscribed
        cards = (card,) if card else tuple(inscribed)
        names = dict.fromkeys(name for each in cards for name in inscribed.get(each, ()))
        if matches := tuple(name for name in names if (effect := book.inscriptions.get(name)) and works(effect)):
            return matches
    return ()
