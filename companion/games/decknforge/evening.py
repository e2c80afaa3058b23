"""A dungeon's facts as its bands' records keep them: the fights, what hurt most, what changed hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from companion.games.decknforge.glossary import title
from companion.tabletop.cards import Card, pretty
from companion.tabletop.evening import Evening
from companion.tabletop.match_result import HIT, SAVE, Tally, TallyKind


class PlayedHit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card that hit the Boss, whose seat it was, and the damage it dealt after Tough (R1.42)."""

    seat: str
    card: Card
    damage: int


class PlayedStrike(msgspec.Struct, frozen=True, omit_defaults=True):
    """All cards of a round that hit a Boss: which Boss of the six, and the damage that was left of them."""

    boss: int
    round: int
    damage: int
    hits: tuple[PlayedHit, ...] = ()


class BestHit(PlayedHit, frozen=True, omit_defaults=True):
    """The hardest hit of the evening: against which Boss, and in which round."""

    boss: int = 0
    round: int = 0


class BossFight(msgspec.Struct, frozen=True, omit_defaults=True):
    """The fight against one Boss: who it was, how long it took, and who took it with which card.

    `number` counts from 1 to 6. One that nobody took has no `killer` (A1.72). One that Thorns took has no `kill_card`
    (A1.37), and nor has one of which the table said the Killer alone: its card `is_card_unknown`. `hp` is what it has
    in full, and `hp_at_start` what it began with where Momentum took some (R1.54); `hp_after` is its HP at the end of
    each round, `damage` what the cards of each seat dealt it.
    """

    number: int
    band: str
    card: Card
    name: str = ""
    hp: int = 0
    atk: int = 0
    legend: bool = False
    labels: tuple[str, ...] = ()
    rounds: int = 0
    dead: bool = False
    killer: str = ""
    kill_card: Card | Literal[""] = ""
    overkill: int = 0
    hp_after: tuple[int, ...] = ()
    damage: dict[str, int] = msgspec.field(default_factory=dict)
    is_card_unknown: bool = False
    hp_at_start: int | None = None


class NarrowestMoment(msgspec.Struct, frozen=True, omit_defaults=True):
    """The fewest HP with which somebody came through: against which Boss, and in which round."""

    seat: str
    hp: int
    boss: int
    round: int


class TurningPoint(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the evening turned. Kinds are for ever; `seat` is whom it is about, `other` who else, `amount` how much.

    `lead`: leads in personal Glory from here on, in place of `other`. `stolen`: took a kill that without the Tactics of
    the round was due to `other`. `fell`: came to 0 HP. `healed`: the Boss got HP back. `left`: left for good.
    """

    kind: Literal["lead", "stolen", "fell", "healed", "left"]
    boss: int
    round: int
    seat: str = ""
    other: str = ""
    amount: int = 0


class BorneBy(msgspec.Struct, frozen=True, omit_defaults=True):
    """An inscription that was on cards of the band that a seat brought when the first fight began, and how many Killing
    Blows were struck with cards of that band that bore it.
    """

    band: str
    inscription: str
    kills: int = 0


class Rescue(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody who would have fallen and did not, by somebody else, and against which Boss. Kinds are for ever.

    `kill`: took the Boss when its next attack would have brought the other to 0 HP. `patron`: healed them by The Patron
    when it would have.
    """

    kind: Literal["kill", "patron"]
    seat: str
    other: str
    boss: int
    round: int


class WizardResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the evening brought to a seat: Glory of the band brought there, the wizard's own, Coppers that the purse
    gained (or lost) and those that came in, Mythics earned.
    """

    seat: str
    glory: int = 0
    personal: int = 0
    coppers: int = 0
    earned: int = 0
    mythics: int = 0


class InscriptionChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of an inscription on a card of the band that a seat brought; `by` as in the band's own marks."""

    what: Literal["faded", "cursed", "bought", "mythic", "carried-off", "carried-in"]
    band: str
    card: Card
    inscription: str
    by: str = ""


class LabelChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """A label that somebody wrote onto a Monster of the band that a seat brought."""

    band: str
    card: Card
    label: str
    by: str


class Drift(msgspec.Struct, frozen=True, omit_defaults=True):
    """A band that went from the seat that brought it to another."""

    band: str
    to: str


class Dungeon(Evening, frozen=True, omit_defaults=True):
    """A whole dungeon. Everything about a seat stands under its word; see the classes of the fields."""

    fights: tuple[BossFight, ...] = ()
    best_hit: BestHit | None = None
    best_strike: PlayedStrike | None = None
    narrowest: NarrowestMoment | None = None
    turning_points: tuple[TurningPoint, ...] = ()
    wizards: tuple[WizardResult, ...] = ()
    inscriptions: tuple[InscriptionChange, ...] = ()
    labels: tuple[LabelChange, ...] = ()
    draft: tuple[str, ...] = ()
    drifts: tuple[Drift, ...] = ()
    borne: tuple[BorneBy, ...] = ()
    rescues: tuple[Rescue, ...] = ()
    retired: tuple[str, ...] = ()

    def fight(self, number: int) -> BossFight | None:
        """The fight against the Boss of this number."""
        return next((fight for fight in self.fights if fight.number == number), None)


BOSS: Final = TallyKind("boss", "Boss", "Bosses", "rounds")
INSCRIPTION: Final = TallyKind("inscription", "Inscription", "Inscriptions", "Killing Blows")


def tallies(evening: Dungeon) -> Iterator[Tally]:
    """What statistics count of a dungeon: its Bosses, what the bands bore, the hardest hit, who saved whom."""
    for fight in evening.fights:
        band = evening.participant(fight.band).called
        name = fight.name or " of ".join(filter(None, (pretty(fight.card), band)))
        yield Tally(BOSS.kind, name, fight.killer, amount=fight.rounds, won=fight.dead)
    for borne in evening.borne:
        yield Tally(INSCRIPTION.kind, title(borne.inscription), borne.band, amount=borne.kills)
    if best := evening.best_hit:
        yield Tally(HIT, pretty(best.card), best.seat, amount=best.damage)
    for rescue in evening.rescues:
        yield Tally(SAVE, _RESCUES[rescue.kind], rescue.seat, rescue.other, 1)


_RESCUES: Final = {"kill": "by a kill", "patron": "by The Patron"}
