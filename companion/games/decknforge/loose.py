"""Loose bands after the game: what of them no record would keep, and how it is kept all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.games.decknforge.actions import Adopt, KeepPurse
from companion.games.decknforge.state import MONSTER_CARDS, Band, DungeonTable, Resolution, Wizard, count_of, join_words
from companion.tabletop.action import RuleError
from companion.tabletop.arguments import Ref
from companion.tabletop.cards import pretty
from companion.tabletop.form import Values


def is_purse_kept(state: DungeonTable, wizard: Wizard) -> bool:
    """Whether what a game changes in a purse is written down: of who brought a stored band, or asked for it (R1.80)."""
    return bool(state.bands[wizard.seat].deck) or wizard.keeps_purse


def unkept_purse(state: DungeonTable, wizard: Wizard) -> str:
    """What somebody with a loose band gained in this game and would lose: `27 Coppers and 1 Mythic`; "" for nothing."""
    if is_purse_kept(state, wizard):
        return ""
    gains = ((wizard.purse - wizard.starting_purse, "Copper"), (wizard.mythics - wizard.starting_mythics, "Mythic"))
    return join_words([count_of(gain, what) for gain, what in gains if gain > 0])


def unkept_band(state: DungeonTable, seat: str) -> str:
    """What a loose band gained in this game and would lose; "" for nothing, or where the band is stored."""
    return "" if state.bands[seat].deck else join_words(list(_gained(state, seat)))


def _gained(state: DungeonTable, seat: str) -> Iterator[str]:
    if glory := state.wizard(seat).glory:
        yield f"{glory} Glory"
    counts = (
        (sum(ref.partition(":")[0] == seat for ref, _, _ in state.added_labels), "label"),
        (sum(change.band == seat for change in state.changes), "changed card"),
    )
    yield from (count_of(count, what) for count, what in counts if count)


def keep_purse(resolution: Resolution, action: KeepPurse) -> None:
    """What this game brought somebody with a loose band goes into their purse with the seal (R1.80, §1.12)."""
    wizard = resolution.state.wizard(action.seat)
    what = unkept_purse(resolution.state, wizard)
    if not what:
        why = "is kept already" if is_purse_kept(resolution.state, wizard) else "holds no more than it did before"
        raise RuleError(f"{wizard.name}'s purse {why}.")
    resolution.update_wizard(action.seat, keeps_purse=True, person=action.person or wizard.person)
    resolution.tell(f"{wizard.name} keeps {what} in a purse of their own, though the band is loose.", action.seat)


def adopt(resolution: Resolution, action: Adopt) -> None:
    """A loose band is a stored one from now on, as it was when it was adopted: only what follows is still written."""
    state = resolution.state
    wizard, band = state.wizard(action.seat), state.bands[action.seat]
    if band.deck:
        raise RuleError(f"{band.name} is stored already.")
    if any(other.deck == action.deck for other in state.bands.values()):
        raise RuleError("That deck is at this table already; a box can be opened once.")
    resolution.update_band(action.seat, deck=action.deck, adopted_at=len(state.changes))
    resolution.tell(f"{band.name} is kept as a deck from now on, and {wizard.name}'s purse with it.", action.seat)


def adoption(state: DungeonTable, seat: str) -> Values:
    """The answers to the form of adopting by which a loose band is taken in as it lies on the table now."""
    wizard, band = state.wizard(seat), state.bands[seat]
    holder = next((other.name for other in state.wizards if other.holds == seat), wizard.name)
    inscribed = [(card, name) for card, names in band.inscribed.items() for name in names]
    answers: dict[str, Any] = {
        "name": "" if band.name == f"{wizard.name}'s band" else band.name,
        "builder": wizard.name,
        "holders": [wizard.name] if holder == wizard.name else [wizard.name, holder],
        "glory": str(wizard.glory),
        "dungeons": str(band.dungeons + 1),
        "monsters": list(_monsters(state, seat)),
        "inscribed": [{"card": card, "inscription": name} for card, name in inscribed],
        "lost": [*inscriptions_lost(band)],
        "retired": "yes" if band.retired else "",
        "heirloom": wizard.heirloom,
    }
    return {name: value for name, value in answers.items() if value}


def inscriptions_lost(band: Band) -> tuple[str, ...]:
    """The inscriptions of a band's history that it bears no longer."""
    borne = Counter(name for names in band.inscribed.values() for name in names)
    return tuple((Counter(band.history) - borne).elements())


def _monsters(state: DungeonTable, seat: str) -> Iterator[dict[str, str]]:
    for card in MONSTER_CARDS:
        monster = state.monsters[Ref(f"{seat}:{card}")]
        answer = {
            "card": card,
            "name": monster.name or pretty(card),
            "hp": str(monster.hp),
            "atk": str(monster.atk),
            "legend": "yes" if monster.legend else "",
            "labels": ", ".join(monster.labels),
        }
        yield {part: text for part, text in answer.items() if text}
