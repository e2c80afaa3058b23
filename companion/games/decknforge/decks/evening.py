"""A dungeon's facts as the records of its bands store them: the fights, the hardest hits, the changes of ownership."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from companion.games.decknforge.glossary import title
from companion.tabletop.evening import Evening
from companion.tabletop.notation.cards import Card, pretty
from companion.tabletop.table.match_result import HIT, SAVE, Tally, TallyKind
from templates.languages.messages import phrase


class PlayedHit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card that hit the Boss, its seat, and the damage it dealt after Tough (R1.42)."""

    seat: str
    card: Card
    damage: int


class PlayedStrike(msgspec.Struct, frozen=True, omit_defaults=True):
    """All cards of a round that hit a Boss, the Boss's number, and their total damage."""

    boss: int
    round: int
    damage: int
    hits: tuple[PlayedHit, ...] = ()


class EveningHit(PlayedHit, frozen=True, omit_defaults=True):
    """The hardest hit of the evening, with the Boss and the round."""

    boss: int = 0
    round: int = 0


class BossFight(msgspec.Struct, frozen=True, omit_defaults=True):
    """The fight against one Boss: the Monster, the number of rounds, the Killer and the card.

    `number` counts from 1 to 6. A Boss that no wizard took has no `killer` (A1.72). One that Thorns killed has no
    `kill_card` (A1.37), and neither has one for which only the Killer was entered: its card `is_card_unknown`. `hp` is
    its full HP, and `hp_at_start` its HP at the start if Momentum took some (R1.54). `hp_after` is its HP at the end of
    each round, `damage` the damage by the cards of each seat.
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
    """The fewest HP with which a wizard survived a fight, with the Boss and the round."""

    seat: str
    hp: int
    boss: int
    round: int


class TurningPoint(msgspec.Struct, frozen=True, omit_defaults=True):
    """A turning point of the evening. Kinds are permanent; `seat` is the wizard concerned, `other` another one.

    `lead`: takes the lead in personal Glory from `other`, with `amount`. `stolen`: took a kill that `other` would have
    had without the Tactics of the round. `fell`: dropped to 0 HP. `healed`: the Boss regained `amount` HP. `left`: left
    for good.
    """

    kind: Literal["lead", "stolen", "fell", "healed", "left"]
    boss: int
    round: int
    seat: str = ""
    other: str = ""
    amount: int = 0


class BorneBy(msgspec.Struct, frozen=True, omit_defaults=True):
    """An inscription on cards of the band that a seat brought, as of the first fight, and the number of Killing Blows
    by cards of that band that bore it.
    """

    band: str
    inscription: str
    kills: int = 0


class Rescue(msgspec.Struct, frozen=True, omit_defaults=True):
    """A wizard saved from falling by another wizard, with the Boss. Kinds are permanent.

    `kill`: took the Boss when its next attack would have brought the other wizard to 0 HP. `patron`: healed the other
    wizard by The Patron when it would have.
    """

    kind: Literal["kill", "patron"]
    seat: str
    other: str
    boss: int
    round: int


class WizardResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat's result: Glory of the band brought there, personal Glory, the purse's net change in Coppers, Coppers
    earned, and Mythics earned.
    """

    seat: str
    glory: int = 0
    personal: int = 0
    coppers: int = 0
    earned: int = 0
    mythics: int = 0


class InscriptionChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """A change of an inscription on a card of the band that a seat brought; `by` as in the band's own marks."""

    what: Literal["faded", "cursed", "bought", "mythic", "carried-off", "carried-in"]
    band: str
    card: Card
    inscription: str
    by: str = ""


class LabelChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """A label written onto a Monster of the band that a seat brought."""

    band: str
    card: Card
    label: str
    by: str


class Drift(msgspec.Struct, frozen=True, omit_defaults=True):
    """A band that went from the seat that brought it to another."""

    band: str
    to: str


class Dungeon(Evening, frozen=True, omit_defaults=True):
    """A whole dungeon. Everything about a seat is stored under its name; see the classes of the fields."""

    fights: tuple[BossFight, ...] = ()
    best_hit: EveningHit | None = None
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
        """Return the fight against the Boss of this number."""
        return next((fight for fight in self.fights if fight.number == number), None)


BOSS: Final = TallyKind("boss", phrase("Boss"), phrase("Bosses"), phrase("rounds"))
INSCRIPTION: Final = TallyKind("inscription", phrase("Inscription"), phrase("Inscriptions"), phrase("Killing Blows"))


def tallies(evening: Dungeon) -> Iterator[Tally]:
    """Yield the figures for statistics: Bosses, inscriptions, the hardest hit, and rescues."""
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
