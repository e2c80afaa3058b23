"""The rehearsal of Odd Frontier TCG: how cards are read, what is counted, and what is not computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from companion.games.oddfrontier.rehearsal.duel import FrontierCard, FrontierDuel
from companion.games.oddfrontier.rehearsal.temperaments import PLAYERS
from companion.games.oddfrontier.rules import actions as do
from companion.games.oddfrontier.rules.deck_list import TYPES, parse_remarks
from companion.games.oddfrontier.rules.energy import ready_engines
from companion.games.oddfrontier.rules.state import FrontierTable
from companion.tabletop.action import Action
from companion.tabletop.constructed import rehearsal as duels
from companion.tabletop.constructed.rehearsal import LISTS, SEATS, DuelRehearsal, DuelTally, Flaw, SimulatedDuel
from companion.tabletop.decks.decklist import DeckCard
from companion.tabletop.rehearsal import Figure, UnitOutcome
from companion.tabletop.table.common_actions import Next
from templates.languages.messages import phrase

FIGURES: Final = (
    *duels.FIGURES,
    duels.unfinished_figure(FrontierDuel.most_turns),
    Figure("life", "Winner's remaining life", "ratio", "life", "At the end of the games that somebody won."),
    Figure("mulligans", "Mulligans", "ratio", "a player", "Hands that were shuffled back (R3.2)."),
    Figure("creatures", "Creatures played", "mean", "creatures", "Of both lists."),
    Figure("energy", "Energy spent", "ratio", "a turn", "By the turn player, in all turns (R3.5)."),
    Figure("unused", "Energy left unused", "ratio", "a turn", "In the pool or in uncranked Engines as a turn ends."),
    Figure("early", "Energy before the Reset", "mean", "energy", "From Engines that the Reset uncranks again (A3.2)."),
    Figure("attackers", "Attackers", "ratio", "a turn", "In turns in which attacks are allowed (R3.4)."),
    Figure("blocked", "Attackers that are blocked", "part", "attackers", "Of all attackers that were declared (R3.7)."),
    Figure("deaths", "Creatures that died", "mean", "creatures", "In combat, on both sides."),
    Figure(
        "discards", "Cards above the maximum hand size", "mean", "cards", "Cards that were discarded for it (R3.10)."
    ),
    Figure("decked", "Somebody ran out of cards", "share", "games", "An archive was empty at the end (A3.6)."),
)
"""The figures in the order of a report. A key is permanent: a figure with another definition gets another key."""
TABLES: Final = (
    Figure("list-life", "Remaining life by list", "mean", "life", "At the end; 0 if it was below 0."),
    Figure(
        "list-damage", "Damage by list", "mean", "life", "Life that its unblocked attackers took from the other player."
    ),
    *duels.TABLES,
)

_TEXT: Final = ("artifact", "phenomenon", "magic")
"""Types whose cards have no effect other than their text."""


class FrontierTally(DuelTally):
    """The counts of one duel."""

    def __init__(self) -> None:
        super().__init__(FIGURES, TABLES)
        for which in LISTS:
            self.count_name("list-damage", which, 0, 1)

    def add(self, before: FrontierTable, action: Action, after: FrontierTable) -> None:
        """Count the effects of one line."""
        match action:
            case do.Mulligan():
                self.count("mulligans", 1, 0)
            case do.Summon():
                self.count("creatures", 1, 0)
                self.count("energy", action.cost, 0)
            case do.PlayPermanent() | do.Queue():
                self.count("energy", action.cost or 0, 0)
            case do.Crank() if before.phase == "reset":
                self.count("early", action.engines or 0, 0)
            case do.Discard():
                self.count("discards", action.cards, 0)
            case do.Fight():
                self._fight(before, after)
            case Next() if before.phase == "post-combat":
                self._end_turn(before)

    def _fight(self, before: FrontierTable, after: FrontierTable) -> None:
        attackers = before.attackers()
        self.count("attackers", len(attackers), 0)
        self.count("blocked", sum(attacker.blocked for attacker in attackers), len(attackers))
        stays = {permanent.handle for permanent in after.permanents}
        for each in before.permanents:
            left = after.player(each.seat).left
            self.count("deaths", each.handle not in stays and not left, 0)
        for other, which in zip(reversed(SEATS), LISTS, strict=True):
            self.count_name("list-damage", which, before.player(other).life - after.player(other).life)

    def _end_turn(self, before: FrontierTable) -> None:
        player = before.player(before.active)
        self.count("unused", player.energy + ready_engines(before, player))

    def outcome(self, duel: SimulatedDuel[Any, Any], lines: tuple[str, ...] = ()) -> UnitOutcome:
        """Return all counts, once the duel is over."""
        end: FrontierTable = duel.table
        for seat, which in zip(SEATS, LISTS, strict=True):
            player = end.player(seat)
            self.count("mulligans", 0)
            self.count_name("list-life", which, max(0, player.life), 1)
            if end.outcome == seat:
                self.count("life", player.life)
        self.counts["energy"][1] = end.turn
        self.counts["attackers"][1] = end.turn - 1
        self.count("decked", any(not player.archive for player in end.players))
        return super().outcome(duel, lines)


class FrontierRehearsal(DuelRehearsal):
    """The game's data and functions for rehearsals."""

    figures = FIGURES
    tables = TABLES
    duel = FrontierDuel
    players = PLAYERS

    def tally(self) -> FrontierTally:
        """Return a new tally for a game."""
        return FrontierTally()

    def read_card(self, card: DeckCard) -> FrontierCard:
        """Return a card with its type, its cost, and a Creature's figures."""
        remarks = parse_remarks(card.listed_card)
        figures = remarks.figures
        assault = bool(figures.get("first_assault"))
        return FrontierCard(card.name, remarks.type, figures.get("cost") or 0, figures.get("figures"), assault)

    def flaws(self, card: DeckCard) -> Iterator[Flaw]:
        """Yield flaws: cards that only cost energy, and cards that cannot be played."""
        remarks = parse_remarks(card.listed_card)
        if remarks.type in _TEXT:
            yield Flaw(phrase("With text that is not computed, so they only cost energy"), card.name, card.copies)
        elif remarks.type == "creature" and "figures" not in remarks.figures:
            yield Flaw(phrase("Creatures without figures, which nobody plays"), card.name, card.copies)
        elif remarks.type not in TYPES:
            yield Flaw(phrase("Without a type, so nobody plays them"), card.name, card.copies)
