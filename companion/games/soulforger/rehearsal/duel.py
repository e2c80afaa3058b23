"""One simulated duel: hands, decks and Forge Decks, and how a turn goes through its phases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Final, Literal, Protocol

import msgspec

from companion.games.soulforger import actions as do
from companion.games.soulforger.attack import attackable, blockers, may_attack
from companion.games.soulforger.costs import payment
from companion.games.soulforger.flow import has_open_zone
from companion.games.soulforger.setup import reserved
from companion.games.soulforger.state import EquipmentType, FieldCard, OngoingAttack, Player, Speed, Table
from companion.tabletop.action import Action
from companion.tabletop.common_actions import Next
from companion.tabletop.constructed.rehearsal import SEATS, Copy, SimulatedDuel
from companion.tabletop.constructed.table import is_copy
from companion.tabletop.decklist import handle
from companion.tabletop.rehearsal import Stream

_NEXT: Final = Next()


class PlayedCard(msgspec.Struct, frozen=True, eq=False):
    """A card as it is played, by its figures; None where its list does not say one."""

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
    """Ronum from the Material Zone (R2.17)."""

    @property
    def is_whole(self) -> bool:
        """Whether all is known that the line says which plays it."""
        if self.ronum is None:
            return False
        if self.type == "creature":
            return self.power is not None and bool(self.endurance)
        return self.type != "weapon" or self.power is not None


class View:
    """What a person sees: the open table, the own hand, and the own Forge Deck."""

    __slots__ = ("_duel", "forge", "hand", "seat", "table")

    def __init__(self, duel: SoulForgerDuel, seat: str) -> None:
        self._duel = duel
        self.seat = seat
        self.table: Table = duel.table
        self.hand: tuple[Copy, ...] = tuple(duel.piles[seat].hand)
        self.forge: tuple[Copy, ...] = tuple(duel.beside[seat])

    @property
    def player(self) -> Player:
        """Who looks."""
        return self.table.player(self.seat)

    @property
    def rival(self) -> str:
        """The seat of the other one."""
        return next(seat for seat in SEATS if seat != self.seat)

    def playable(self) -> list[Copy]:
        """The cards of the hand and of the Forge Deck that may be played now, each once (R2.8, R2.11, R2.12)."""
        player = self.player
        room = player.level - self.table.ronum(self.seat)
        seen: dict[str, Copy] = {}
        for copy in (*self.hand, *self.forge):
            if copy.card.name not in seen and self._may_play(player, room, copy.card):
                seen[copy.card.name] = copy
        return [*seen.values()]

    def _may_play(self, player: Player, room: int, card: PlayedCard) -> bool:
        if not card.is_whole or (card.ronum or 0) > (room if card.type == "creature" else player.level):
            return False
        if card.cost and not payment(player, card.cost):
            return False
        if "unique" in card.keywords and self._controls_copy(card):
            return False
        if card.type == "action":
            return card.speed != "reaction" and self._controls_faction(card) and has_open_zone(self.table, player)
        return True

    def _controls_copy(self, card: PlayedCard) -> bool:
        """Whether a copy of a card lies on the own side (R2.27)."""
        own = (other.handle for other in self.table.cards.values() if other.owner == self.seat)
        return any(is_copy(self.table, self.seat, handle(card.name), other) for other in own)

    def _controls_faction(self, card: PlayedCard) -> bool:
        own = (other for other in self.table.cards.values() if other.owner == self.seat)
        return not card.faction or any(not {*card.faction}.isdisjoint(other.factions) for other in own)

    def able(self) -> list[FieldCard]:
        """What could attack now (R2.21)."""
        return [card for card in self.table.cards.values() if card.owner == self.seat and may_attack(card)]

    def targets(self) -> list[str]:
        """Whom the turn player could attack now (R2.21)."""
        return [*attackable(self.table)]

    def draws(self) -> Stream:
        """The chance of this decision."""
        return self._duel.draws(self.seat)


class Decider(Protocol):
    """Who decides at a seat."""

    def exchange(self, view: View) -> Sequence[Copy]:
        """Which cards of the opening hand go to the bottom, once (R2.4)."""
        ...

    def quest(self, view: View) -> Sequence[Copy]:
        """Which cards go on the Side Quest; none where there is none (R2.7)."""
        ...

    def play(self, view: View) -> Copy | None:
        """Which card is played or forged next, of those that may be; None where they go on."""
        ...

    def attack(self, view: View, able: Sequence[FieldCard]) -> do.Attack | None:
        """The next attack, of those that can; None where nobody attacks any more (R2.21)."""
        ...

    def block(self, view: View, attack: OngoingAttack, able: Sequence[FieldCard]) -> FieldCard | None:
        """Who blocks, of those that can; None where nobody does (R2.22)."""
        ...

    def level(self, view: View) -> bool:
        """Whether XP buys a level (R2.9)."""
        ...

    def discard(self, view: View, cards: int) -> Sequence[Copy]:
        """Which cards go that are too many (R2.9)."""
        ...


class SoulForgerDuel(SimulatedDuel[Table, Decider]):
    """See `companion.tabletop.constructed.rehearsal.SimulatedDuel`."""

    most_turns: ClassVar[int] = 200
    reserved: ClassVar[frozenset[str]] = reserved()

    def first_line(self, seat: str) -> Action:
        """R2.4."""
        return do.First(seat)

    def deal(self) -> None:
        """The opening hands, of which each may exchange some cards once, before they shuffle (R2.4, A2.11)."""
        for seat, piles in self.piles.items():
            piles.draw(self.table.player(seat).hand)
        for player in self.table.clockwise(self.first):
            seat, piles = player.seat, self.piles[player.seat]
            cards = self.players[seat].exchange(View(self, seat))
            if cards:
                piles.return_hand(cards)
                piles.draw(len(cards))
                piles.shuffle_in(())
                self.do(do.Mulligan(seat, len(cards)))
            else:
                self.do(do.Keep(seat))

    def step(self) -> None:
        """A phase of the turn (R2.5)."""
        _PHASES[self.table.phase](self, self.table.active)

    def _go_on(self) -> None:
        if not self.table.outcome:
            self.do(_NEXT)
            self._follow()

    def _follow(self) -> None:
        """Draw what the table says was drawn."""
        for player in self.table.players:
            piles = self.piles[player.seat]
            piles.draw(len(piles.deck) - player.deck)
            assert len(piles.hand) == player.hand, (player, len(piles.hand))

    def _ready(self, seat: str) -> None:  # noqa: ARG002 – the shape of every phase
        self._follow()
        self._go_on()

    def _quest(self, seat: str) -> None:
        """Cards to the Material Zone, and as many from the deck (R2.7)."""
        cards = self.players[seat].quest(View(self, seat))
        if cards:
            self.do(do.Quest(seat, tuple(copy.card.ronum or 0 for copy in cards)))
            self._leave_hand(seat, cards)
            self._follow()
        self._go_on()

    def _leave_hand(self, seat: str, cards: Iterable[Copy]) -> None:
        for copy in cards:
            self.piles[seat].hand.remove(copy)

    def _main(self, seat: str) -> None:
        while (copy := self.players[seat].play(View(self, seat))) is not None:
            self._play_card(seat, copy)
        self._go_on()

    def _play_card(self, seat: str, copy: Copy) -> None:
        card: PlayedCard = copy.card
        if card.cost:
            self.do(do.Pay(seat, card.cost, payment(self.table.player(seat), card.cost)))
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

    def _forge(self, seat: str, card: PlayedCard, kind: EquipmentType) -> None:
        """Into the slot where it fits; of two accessories the first goes (R2.15)."""
        worn = [piece.handle for piece in self.table.equipment(seat) if piece.slot == "accessory"]
        replaces = worn[0] if kind == "accessory" and len(worn) > 1 else None
        word = self.free_handle(seat, card.name)
        self.do(
            do.Forge(
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
        """One attack after the other (R2.21–R2.23)."""
        rival = next(other for other in SEATS if other != seat)
        while not self.table.outcome and (able := View(self, seat).able()):
            declaration = self.players[seat].attack(View(self, seat), able)
            if declaration is None:
                break
            self.do(declaration)
            attack = self.table.attack
            assert attack is not None
            could_block = [*blockers(self.table, attack)]
            if could_block:
                blocker = self.players[rival].block(View(self, rival), attack, could_block)
                if blocker is not None:
                    self.do(do.Block(blocker.handle))
            self.do(do.Fight())
        self._go_on()

    def _end(self, seat: str) -> None:
        """XP buys levels, and cards above the limit are discarded (R2.9)."""
        while self._could_level(seat) and self.players[seat].level(View(self, seat)):
            self.do(do.Level(seat))
        if due := self.table.discard_due(self.table.player(seat)):
            cards = self.players[seat].discard(View(self, seat), due)
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
