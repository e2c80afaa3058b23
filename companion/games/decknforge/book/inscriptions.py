"""The 25 inscriptions (R1.I01–R1.I25), each completely defined in one place and called by the steps of the round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from companion.games.decknforge.book.effect import COMMON, MYTHIC, RARE, UNCOMMON, Inscription
from companion.games.decknforge.book.ledger import commit, draw, earn, heal, inscriptions_on, known_in_hand
from companion.games.decknforge.book.state import DungeonTable, Foe, Resolution, is_hero
from companion.tabletop.notation.cards import Card, card_title
from companion.tabletop.records import Reason
from templates.languages.messages import Message, joined, phrase

PRICES: Final = {COMMON: 5, UNCOMMON: 10, RARE: 20}
"""Price of each tier in Coppers; Mythics are not for sale (R1.8)."""

GLINT_LIMIT: Final = 3
"""Most Coppers by Glint for each wizard and Boss fight (R1.I03)."""


def _on_card(inscription: Inscription, card: Card) -> Message:
    """Return an inscription with its card: `Sturdy 9♠`."""
    return joined(" ", (inscription.title, card_title(card)))


class Sharp(Inscription):
    """F +1 everywhere (R1.I01)."""

    name = "sharp"
    number = 1
    face = 1


class Sturdy(Inscription):
    """Used in a successful dodge: draw 1 (R1.I02)."""

    name = "sturdy"
    number = 2

    def on_dodge(self, resolution: Resolution, seat: str, card: Card) -> None:
        """Draw 1 at once, for each Sturdy card."""
        draw(resolution, seat, 1, _on_card(self, card))


class Glint(Inscription):
    """Revealed: +1c, at most 3c a fight (R1.I03)."""

    name = "glint"
    number = 3

    def on_reveal(self, resolution: Resolution, seat: str, card: Card) -> None:
        """Pay the revealer, whatever happens to the card afterwards."""
        gained = resolution.state.wizard(seat).glint
        if gained < GLINT_LIMIT:
            resolution.update_wizard(seat, glint=gained + 1)
            earn(resolution, seat, 1, Reason("glint", (card,)))
        else:
            resolution.tell(
                phrase(
                    "{inscription}: {player} has had {coppers}c of it this fight.",
                    inscription=_on_card(self, card),
                    player=resolution.name(seat),
                    coppers=GLINT_LIMIT,
                ),
                seat,
            )


class Quick(Inscription):
    """Hits a Boss: draw 1 (R1.I04)."""

    name = "quick"
    number = 4

    def on_hit(self, resolution: Resolution, seat: str, card: Card) -> None:
        """Draw 1 for its controller."""
        draw(resolution, seat, 1, _on_card(self, card))


class Bright(Inscription):
    """Revealed: the next wizard on the left draws 1 (R1.I05)."""

    name = "bright"
    number = 5

    def on_reveal(self, resolution: Resolution, seat: str, card: Card) -> None:
        """Draw 1 for the next wizard in the fight (A1.59), if there is one."""
        neighbours = [wizard for wizard in resolution.state.clockwise(seat)[1:] if wizard.in_fight]
        if neighbours:
            text = phrase("{inscription} of {player}", inscription=_on_card(self, card), player=resolution.name(seat))
            draw(resolution, neighbours[0].seat, 1, text)


class Echo(Inscription):
    """Convert twice as strong (R1.I06)."""

    name = "echo"
    number = 6
    tier = UNCOMMON
    convert_factor = 2


class Banner(Inscription):
    """Revealed: all your cards F +1 this round (R1.I07)."""

    name = "banner"
    number = 7
    tier = UNCOMMON

    def on_reveal(self, resolution: Resolution, seat: str, card: Card) -> None:
        """Add 1 to all cards of the revealer; Banners add up."""
        resolution.update_wizard(seat, banner=resolution.state.wizard(seat).banner + 1)
        text = phrase(
            "{inscription}: {player}'s cards are +1 this round.",
            inscription=_on_card(self, card),
            player=resolution.name(seat),
        )
        resolution.tell(text, seat)

    def raised_faces(self, state: DungeonTable, seat: str) -> Mapping[str, int]:  # noqa: ARG002 – used by homebrews
        """Return 1 for all cards of the revealer."""
        return {seat: 1}


class BloodMoney(Inscription):
    """Takes the kill: +3c (R1.I08)."""

    name = "blood-money"
    number = 8
    tier = UNCOMMON
    kill_coppers = 3


class Vampiric(Inscription):
    """Hits a Boss: heal 2 (R1.I09)."""

    name = "vampiric"
    number = 9
    tier = UNCOMMON

    def on_hit(self, resolution: Resolution, seat: str, card: Card) -> None:
        """Heal its controller by 2."""
        heal(resolution, seat, 2, _on_card(self, card))


class Thorns(Inscription):
    """In hand when a Boss damages you: 1 damage back (R1.I10)."""

    name = "thorns"
    number = 10
    tier = UNCOMMON
    thorns = 1


class Ascension(Inscription):
    """This Item counts as a Hero (R1.I11)."""

    name = "ascension"
    number = 11
    tier = RARE
    hero = True


class Doublestrike(Inscription):
    """Revealed: you may reveal one more card (R1.I12)."""

    name = "doublestrike"
    number = 12
    tier = RARE
    reveals_more = True

    def on_reveal(self, resolution: Resolution, seat: str, card: Card) -> None:
        """Allow one more reveal, which may allow another."""
        resolution.update_wizard(seat, more_reveals=resolution.state.wizard(seat).more_reveals + 1)
        text = phrase(
            "{inscription}: {player} may reveal one more card.",
            inscription=_on_card(self, card),
            player=resolution.name(seat),
        )
        resolution.tell(text, seat)


class Phoenix(Inscription):
    """In hand when you would fall to 0: 1 HP instead (R1.I13)."""

    name = "phoenix"
    number = 13
    tier = RARE
    rescues = True


class WizardsWill(Inscription):
    """Once a dungeon: swap any two revealed cards (R1.I14)."""

    name = "wizards-will"
    number = 14
    tier = RARE
    swaps = True


class ReapersMark(Inscription):
    """Takes a Legend's kill: one more Mythic (R1.I15)."""

    name = "reapers-mark"
    number = 15
    tier = RARE
    legend_mythics = 1


class Slippery(Inscription):
    """Tactics that target it cost 1 more card (R1.I16)."""

    name = "slippery"
    number = 16
    tier = RARE
    surcharge = 1


class HuntersEdge(Inscription):
    """Damage +1 per 10 HP the Boss has lost (R1.I17)."""

    name = "hunters-edge"
    number = 17
    tier = RARE

    def edge(self, boss: Foe) -> int:
        """Return 1 for each 10 HP that the Boss has lost as step 4 starts; F does not change."""
        return (boss.max - boss.hp) // 10


class Pierce(Inscription):
    """Damage ignores Tough and Resilient (R1.I18)."""

    name = "pierce"
    number = 18
    tier = RARE
    pierces = True


class MercenaryPact(Inscription):
    """Damaged a Boss that another kills: +2c (R1.I19)."""

    name = "mercenary-pact"
    number = 19
    tier = RARE
    pact = 2


class Wildcard(Inscription):
    """Convert as any suit (R1.I20)."""

    name = "wildcard"
    number = 20
    tier = RARE
    any_suit = True


class RoyalDecree(Inscription):
    """In hand: all your other cards F +1 (R1.I21)."""

    name = "royal-decree"
    number = 21
    tier = MYTHIC
    hand_face = 1


class LegendEtched(Inscription):
    """Fading cannot cross it out (R1.I22)."""

    name = "legend-etched"
    number = 22
    tier = MYTHIC
    fades = False


class TowersMemory(Inscription):
    """May come along to another band (R1.I23)."""

    name = "towers-memory"
    number = 23
    tier = MYTHIC
    drifts = True


class ThePatron(Inscription):
    """Revealed: heal another 5, or steal 2c (R1.I24)."""

    name = "the-patron"
    number = 24
    tier = MYTHIC

    def on_reveal(self, resolution: Resolution, seat: str, card: Card) -> None:  # noqa: ARG002
        """Ask for the choice, unless the game is solo."""
        if len(resolution.state.wizards) > 1:
            resolution.update_wizard(seat, patrons=resolution.state.wizard(seat).patrons + 1)


class Untouchable(Inscription):
    """Cannot be Foiled or Sniped (R1.I25)."""

    name = "untouchable"
    number = 25
    tier = MYTHIC
    untouchable = True


INSCRIPTIONS: Final[dict[str, Inscription]] = {
    inscription.name: inscription
    for inscription in (
        *(Sharp(), Sturdy(), Glint(), Quick(), Bright()),
        *(Echo(), Banner(), BloodMoney(), Vampiric(), Thorns()),
        *(Ascension(), Doublestrike(), Phoenix(), WizardsWill(), ReapersMark()),
        *(Slippery(), HuntersEdge(), Pierce(), MercenaryPact(), Wildcard()),
        *(RoyalDecree(), LegendEtched(), TowersMemory(), ThePatron(), Untouchable()),
    )
}
"""Inscriptions by their names in notation, in the order of the rulebook."""


def effects(state: DungeonTable, owner: str, card: Card) -> Iterable[Inscription]:
    """Return the effects of the inscriptions on a card; `owner` is the seat that brought its band."""
    if names := inscriptions_on(state, owner, card):
        effects_by_name = state.book.inscriptions
        return [effects_by_name[name] for name in names]
    return ()


def counts_as_hero(state: DungeonTable, owner: str, card: Card) -> bool:
    """Return True if a card is a Hero, or an Ascended Item (R1.I11)."""
    return is_hero(card) or any(effect.hero for effect in effects(state, owner, card))


def hand_face(state: DungeonTable, seat: str, besides: tuple[Card, ...] = ()) -> int:
    """Return what the cards held in a hand add to F of the others; `besides` are leaving it (R1.I21)."""
    hand = state.wizard(seat).known_hand
    return sum(effect.hand_face for card in hand if card not in besides for effect in effects(state, seat, card))


def held_thorns(state: DungeonTable, seat: str) -> int:
    """Return the damage by Thorns of the cards held in a hand."""
    return sum(effect.thorns for card in state.wizard(seat).known_hand for effect in effects(state, seat, card))


def rescue(resolution: Resolution, seat: str) -> bool:
    """Save a wizard from 0 HP with a Phoenix they hold; the card is committed (R1.I13)."""
    phoenixes = known_in_hand(resolution.state, seat, lambda effect: effect.rescues)
    if not phoenixes:
        return False
    card = phoenixes[0]
    what = next(effect for effect in effects(resolution.state, seat, card) if effect.rescues)
    resolution.update_wizard(seat, hp=1, hand=max(0, resolution.state.wizard(seat).hand - 1))
    commit(resolution, seat, (card,), "phoenix")
    text = phrase(
        "{inscription}: {player} stays at 1 HP; the card is committed.",
        inscription=_on_card(what, card),
        player=resolution.name(seat),
    )
    resolution.tell(text, seat, by_hand=True)
    return True
