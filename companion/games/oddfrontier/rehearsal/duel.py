"""One simulated duel: hands and archives, and the phases of a turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final, Protocol

import msgspec

from companion.games.oddfrontier.rules import actions as do
from companion.games.oddfrontier.rules.battlefield import reserved_words
from companion.games.oddfrontier.rules.combat import blockable_attackers, may_attack, may_block, to_split
from companion.games.oddfrontier.rules.energy import ready_engines
from companion.games.oddfrontier.rules.state import FrontierPlayer, FrontierTable, Permanent
from companion.games.oddfrontier.rules.turn import discard_due
from companion.tabletop.constructed.rehearsal import SEATS, Copy, DuelPlayer, DuelView, SimulatedDuel
from companion.tabletop.notation.arguments import Portion
from companion.tabletop.table.common_actions import Next

_NEXT: Final = Next()


class FrontierCard(msgspec.Struct, frozen=True, eq=False):
    """A card as it is played: its type, its cost, and a Creature's figures."""

    name: str
    type: str
    cost: int = 0
    figures: tuple[int, int] | None = None
    first_assault: bool = False

    @property
    def is_playable(self) -> bool:
        """Return True if an action can play the card; a Creature must have known figures."""
        return self.type in ("engine", "artifact", "phenomenon", "magic") or self.figures is not None


class FrontierView(DuelView[FrontierTable, FrontierPlayer]):
    """The view of one player: the open table, and their own hand."""

    __slots__ = ()

    @property
    def rival(self) -> FrontierPlayer:
        """The opponent."""
        return next(player for player in self.table.players if player.seat != self.seat)

    @property
    def energy(self) -> int:
        """The energy in the pool, and what Engines can add to it now (R3.5)."""
        player = self.player
        return player.energy + ready_engines(self.table, player)

    def creatures(self, seat: str) -> list[Permanent]:
        """Return the Creatures of a seat."""
        return [each for each in self.table.permanents if each.creature and each.seat == seat]

    def playable(self) -> list[Copy]:
        """Return the cards in hand that may be played now, each card once (R3.3, R3.5)."""
        energy, engine = self.energy, not self.table.engine_played
        seen: dict[str, Copy] = {}
        for copy in self.hand:
            card = copy.card
            if card.is_playable and card.cost <= energy and (engine or card.type != "engine"):
                seen.setdefault(card.name, copy)
        return [*seen.values()]


class FrontierDecider(DuelPlayer, Protocol):
    """The decisions of a simulated player."""

    def mulligan(self, view: FrontierView) -> bool:
        """Return True to send the hand back (R3.2)."""
        ...

    def crank(self, view: FrontierView) -> int:
        """Return the number of Engines to crank for energy before the Reset uncranks them (A3.2)."""
        ...

    def play(self, view: FrontierView) -> Copy | None:
        """Return the next card to play, of the playable ones; None to go on."""
        ...

    def attack(self, view: FrontierView, able: Sequence[Permanent]) -> Sequence[Permanent]:
        """Return the Creatures that attack, of those that can (R3.7)."""
        ...

    def block(
        self, view: FrontierView, attackers: Sequence[Permanent], able: Sequence[Permanent]
    ) -> Sequence[tuple[Permanent, Permanent]]:
        """Return pairs of a blocker and its attacker, each blocker once (R3.7)."""
        ...

    def split(self, view: FrontierView, attack: int, blockers: Sequence[Permanent]) -> tuple[Portion, ...]:
        """Return the damage of an attack to each of several blockers (R3.8)."""
        ...

    def discard(self, view: FrontierView, cards: int) -> Sequence[Copy]:
        """Return the excess cards to discard (R3.10)."""
        ...


class FrontierDuel(SimulatedDuel[FrontierTable, FrontierDecider]):
    """A duel of Odd Frontier; see `companion.tabletop.constructed.rehearsal.SimulatedDuel`."""

    reserved: ClassVar[frozenset[str]] = reserved_words()
    first_action = do.First

    def deal(self) -> None:
        """Deal the first hands, with mulligans; the first player decides first (R3.2, A3.14)."""
        for seat, piles in self.piles.items():
            piles.draw(self.table.player(seat).hand)
        for player in self.table.clockwise(self.first):
            seat, piles = player.seat, self.piles[player.seat]
            while self.table.player(seat).hand and self.players[seat].mulligan(FrontierView(self, seat)):
                self.do(do.Mulligan(seat))
                hand, piles.hand = piles.hand, []
                piles.shuffle_in(hand)
                piles.draw(self.table.player(seat).hand)
            self.do(do.Keep(seat))

    def step(self) -> None:
        """Play a phase of the turn (R3.3)."""
        _PHASES[self.table.phase](self, self.table.active)

    def _reset(self, seat: str) -> None:
        """Crank Engines for energy before the Reset, then uncrank and draw."""
        if ready_engines(self.table, self.table.player(seat)):
            engines = self.players[seat].crank(FrontierView(self, seat))
            if engines:
                self.do(do.Crank(seat, engines))
        archive = self.table.player(seat).archive
        self.do(_NEXT)
        piles = self.piles[seat]
        piles.draw(archive - self.table.player(seat).archive)
        assert len(piles.hand) == self.table.player(seat).hand

    def _before_combat(self, seat: str) -> None:
        self._play_cards(seat)
        self.do(_NEXT)

    def _play_cards(self, seat: str) -> None:
        while (copy := self.players[seat].play(FrontierView(self, seat))) is not None:
            self._play_card(seat, copy)

    def _play_card(self, seat: str, copy: Copy) -> None:
        card: FrontierCard = copy.card
        lacking = card.cost - self.table.player(seat).energy
        if lacking > 0:
            self.do(do.Crank(seat, lacking))
        if card.type == "engine":
            self.do(do.Engine(seat))
        elif card.type == "magic":
            self.do(do.Queue(seat, card.name, True, card.cost))
            self.do(do.Resolve())
        elif card.figures is not None:
            handle = self.free_handle(seat, card.name)
            self.do(do.Summon(seat, handle, card.figures, card.cost, card.first_assault))
        else:
            self.do(do.PlayPermanent(seat, self.free_handle(seat, card.name), card.cost))
        self.piles[seat].hand.remove(copy)
        if self.tally is not None:
            self.tally.play(seat, card.name)

    def _combat(self, seat: str) -> None:
        """Declare attackers and blockers, then deal the damage (R3.7, R3.8)."""
        able = [each for each in self.table.permanents if may_attack(self.table, each)]
        attackers = self.players[seat].attack(FrontierView(self, seat), able) if able else ()
        rival = next(other for other in SEATS if other != seat)
        for attacker in attackers:
            self.do(do.Attack(attacker.handle, rival))
        if attackers:
            self._block(rival)
            for attacker, attack in to_split(self.table):
                blockers = self.table.blockers(attacker.handle)
                shares = self.players[seat].split(FrontierView(self, seat), attack, blockers)
                self.do(do.Split(attacker.handle, shares))
            self.do(do.Fight())
        if not self.table.outcome:
            self.do(_NEXT)

    def _block(self, seat: str) -> None:
        able = [each for each in self.table.permanents if each.seat == seat and may_block(self.table, each)]
        if not able:
            return
        for blocker, attacker in self.players[seat].block(
            FrontierView(self, seat), blockable_attackers(self.table, seat), able
        ):
            self.do(do.Block(blocker.handle, attacker.handle))

    def _after_combat(self, seat: str) -> None:
        self._play_cards(seat)
        if due := discard_due(self.table, seat):
            gone = self.players[seat].discard(FrontierView(self, seat), due)
            self.do(do.Discard(seat, due))
            for copy in gone:
                self.piles[seat].hand.remove(copy)
        self.do(_NEXT)


_PHASES: Final[dict[str, Callable[[FrontierDuel, str], None]]] = {
    "reset": FrontierDuel._reset,
    "pre-combat": FrontierDuel._before_combat,
    "combat": FrontierDuel._combat,
    "post-combat": FrontierDuel._after_combat,
}
