"""A simulated duel: hands, decks and Forge Decks, and the phases of a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Final, Literal, Protocol

import msgspec

from companion.games.soulforger.rules import actions as do
from companion.games.soulforger.rules.attack import attackable, blockers, may_attack
from companion.games.soulforger.rules.costs import find_payment
from companion.games.soulforger.rules.flow import has_open_zone
from companion.games.soulforger.rules.setup import reserved_words
from companion.games.soulforger.rules.state import (
    EquipmentType,
    FieldCard,
    OngoingAttack,
    SoulForgerPlayer,
    SoulForgerTable,
    Speed,
)
from companion.tabletop.constructed.rehearsal import SEATS, Copy, DuelPlayer, DuelView, SimulatedDuel
from companion.tabletop.constructed.table import is_copy
from companion.tabletop.decks.decklist import handle
from companion.tabletop.table.common_actions import Next

_NEXT: Final = Next()


class SoulForgerCard(msgspec.Struct, frozen=True, eq=False):
    """A card with the figures needed to play it; None if its list does not give one."""

    name: str
    type: Literal["creature", "action"] | EquipmentType
    ronum: int | None = None
    power: tuple[int, int] | None = None
    endurance: int | None = None
    xp: int = 0
    faction: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    hands: int | None = None
    speed: Speed = "normal"
    lingering: bool = False
    cost: int = 0
    """The Ronum cost from the Material Zone (R2.17)."""

    @property
    def is_whole(self) -> bool:
        """Return True if all figures in the line that plays it are known."""
        if self.ronum is None:
            return False
        if self.type == "creature":
            return self.power is not None and bool(self.endurance)
        return self.type != "weapon" or self.power is not None


class SoulForgerView(DuelView[SoulForgerTable, SoulForgerPlayer]):
    """The information of one player: the public table, their hand, and their Forge Deck."""

    __slots__ = ("forge",)

    def __init__(self, duel: SoulForgerDuel, seat: str) -> None:
        super().__init__(duel, seat)
        self.forge: tuple[Copy, ...] = tuple(duel.beside[seat])

    @property
    def rival(self) -> str:
        """The seat of the other player."""
        return next(seat for seat in SEATS if seat != self.seat)

    def playable(self) -> list[Copy]:
        """Return the cards of the hand and of the Forge Deck that may be played now, each once (R2.8, R2.11, R2.12)."""
        player = self.player
        room = player.level - self.table.ronum(self.seat)
        seen: dict[str, Copy] = {}
        for copy in (*self.hand, *self.forge):
            if copy.card.name not in seen and self._may_play(player, room, copy.card):
                seen[copy.card.name] = copy
        return [*seen.values()]

    def _may_play(self, player: SoulForgerPlayer, room: int, card: SoulForgerCard) -> bool:
        if not card.is_whole or (card.ronum or 0) > (room if card.type == "creature" else player.level):
            return False
        if card.cost and not find_payment(player, card.cost):
            return False
        if "unique" in card.keywords and self._controls_copy(card):
            return False
        if card.type == "action":
            return card.speed != "reaction" and self._controls_faction(card) and has_open_zone(self.table, player)
        return True

    def _controls_copy(self, card: SoulForgerCard) -> bool:
        """Return True if a copy of a card is on the player's own side (R2.27)."""
        own = (other.handle for other in self.table.cards.values() if other.owner == self.seat)
        return any(is_copy(self.table, self.seat, handle(card.name), other) for other in own)

    def _controls_faction(self, card: SoulForgerCard) -> bool:
        own = (other for other in self.table.cards.values() if other.owner == self.seat)
        return not card.faction or any(not {*card.faction}.isdisjoint(other.factions) for other in own)

    def able(self) -> list[FieldCard]:
        """Return the cards that could attack now (R2.21)."""
        return [card for card in self.table.cards.values() if card.owner == self.seat and may_attack(card)]

    def targets(self) -> list[str]:
        """Return the seats and creatures that the turn player could attack now (R2.21)."""
        return [*attackable(self.table)]


class SoulForgerDecider(DuelPlayer, Protocol):
    """The decisions of a player at a seat."""

    def exchange(self, view: SoulForgerView) -> Sequence[Copy]:
        """Return the cards of the opening hand to exchange, once (R2.4)."""
        ...

    def quest(self, view: SoulForgerView) -> Sequence[Copy]:
        """Return the cards to send on the Side Quest; none to skip it (R2.7)."""
        ...

    def play(self, view: SoulForgerView) -> Copy | None:
        """Return the next card to play or forge, or None to go on."""
        ...

    def attack(self, view: SoulForgerView, able: Sequence[FieldCard]) -> do.Attack | None:
        """Return the next attack, or None to end the attacks (R2.21)."""
        ...

    def block(self, view: SoulForgerView, attack: OngoingAttack, able: Sequence[FieldCard]) -> FieldCard | None:
        """Return the blocker, or None (R2.22)."""
        ...

    def level(self, view: SoulForgerView) -> bool:
        """Return True to buy a level with XP (R2.9)."""
        ...

    def discard(self, view: SoulForgerView, cards: int) -> Sequence[Copy]:
        """Return the cards to discard down to the limit (R2.9)."""
        ...


class SoulForgerDuel(SimulatedDuel[SoulForgerTable, SoulForgerDecider]):
    """A simulated duel of Soul-Forger; see `companion.tabletop.constructed.rehearsal.SimulatedDuel`."""

    reserved: ClassVar[frozenset[str]] = reserved_words()
    first_action = do.First

    def deal(self) -> None:
        """Deal the opening hands; each player may exchange some cards once, then shuffles (R2.4, A2.11)."""
        for seat, piles in self.piles.items():
            piles.draw(self.table.player(seat).hand)
        for player in self.table.clockwise(self.first):
            seat, piles = player.seat, self.piles[player.seat]
            cards = self.players[seat].exchange(SoulForgerView(self, seat))
            if cards:
                piles.return_hand(cards)
                piles.draw(len(cards))
                piles.shuffle_in(())
                self.do(do.Mulligan(seat, len(cards)))
            else:
                self.do(do.Keep(seat))

    def step(self) -> None:
        """Play one phase of the turn (R2.5)."""
        _PHASES[self.table.phase](self, self.table.active)

    def _go_on(self) -> None:
        if not self.table.outcome:
            self.do(_NEXT)
            self._follow()

    def _follow(self) -> None:
        """Draw the cards that the table counted as drawn."""
        for player in self.table.players:
            piles = self.piles[player.seat]
            piles.draw(len(piles.deck) - player.deck)
            assert len(piles.hand) == player.hand, (player, len(piles.hand))

    def _ready(self, seat: str) -> None:  # noqa: ARG002 – the shape of every phase
        self._follow()
        self._go_on()

    def _quest(self, seat: str) -> None:
        """Send cards to the Material Zone, and draw as many from the deck (R2.7)."""
        cards = self.players[seat].quest(SoulForgerView(self, seat))
        if cards:
            self.do(do.Quest(seat, tuple(copy.card.ronum or 0 for copy in cards)))
            self._leave_hand(seat, cards)
            self._follow()
        self._go_on()

    def _leave_hand(self, seat: str, cards: Iterable[Copy]) -> None:
        for copy in cards:
            self.piles[seat].hand.remove(copy)

    def _main(self, seat: str) -> None:
        while (copy := self.players[seat].play(SoulForgerView(self, seat))) is not None:
            self._play_card(seat, copy)
        self._go_on()

    def _play_card(self, seat: str, copy: Copy) -> None:
        card: SoulForgerCard = copy.card
        if card.cost:
            self.do(do.Pay(seat, card.cost, find_payment(self.table.player(seat), card.cost)))
        ronum = card.ronum or 0
        if card.type == "creature":
            assert card.power is not None
            word = self.free_handle(seat, card.name)
            figures = (ronum, card.power, card.endurance or 0, card.xp, card.faction, card.keywords)
            self.do(do.Summon(seat, word, *figures))
        elif card.type == "action":
            self.do(do.PlayAction(seat, card.name, ronum, "hand", card.speed, card.faction, card.lingering))
            self.do(do.Resolve())
        else:
            self._forge(seat, card, card.type)
        if self.tally is not None:
            self.tally.play(seat, card.name)
        if card.type in ("creature", "action"):
            self._leave_hand(seat, (copy,))
        else:
            self.beside[seat].remove(copy)

    def _forge(self, seat: str, card: SoulForgerCard, kind: EquipmentType) -> None:
        """Forge a card into its slot; a third accessory replaces the first (R2.15)."""
        worn = [piece.handle for piece in self.table.equipment(seat) if piece.slot == "accessory"]
        replaces = worn[0] if kind == "accessory" and len(worn) > 1 else None
        word = self.free_handle(seat, card.name)
        self.do(
            do.ForgeEquipment(
                seat,
                word,
                kind,
                card.ronum or 0,
                card.power,
                card.hands,
                replaces=replaces,
                keywords=card.keywords,
                faction=card.faction,
            )
        )

    def _combat(self, seat: str) -> None:
        """Make attacks one after the other (R2.21–R2.23)."""
        rival = next(other for other in SEATS if other != seat)
        while not self.table.outcome and (able := SoulForgerView(self, seat).able()):
            declaration = self.players[seat].attack(SoulForgerView(self, seat), able)
            if declaration is None:
                break
            self.do(declaration)
            attack = self.table.attack
            assert attack is not None
            could_block = [*blockers(self.table, attack)]
            if could_block:
                blocker = self.players[rival].block(SoulForgerView(self, rival), attack, could_block)
                if blocker is not None:
                    self.do(do.Block(blocker.handle))
            self.do(do.Fight())
        self._go_on()

    def _end(self, seat: str) -> None:
        """Buy levels with XP, and discard cards above the limit (R2.9)."""
        while self._could_level(seat) and self.players[seat].level(SoulForgerView(self, seat)):
            self.do(do.Level(seat))
        if due := self.table.discard_due(self.table.player(seat)):
            cards = self.players[seat].discard(SoulForgerView(self, seat), due)
            self.do(do.Discard(seat, due))
            self._leave_hand(seat, cards)
        self._go_on()

    def _could_level(self, seat: str) -> bool:
        player = self.table.player(seat)
        once = self.table.house.end_level_ups == "once"
        return player.xp >= player.level and not (player.levelled and once)


_PHASES: Final[dict[str, Callable[[SoulForgerDuel, str], None]]] = {
    "ready": SoulForgerDuel._ready,
    "quest": SoulForgerDuel._quest,
    "main1": SoulForgerDuel._main,
    "combat": SoulForgerDuel._combat,
    "main2": SoulForgerDuel._main,
    "end": SoulForgerDuel._end,
}
