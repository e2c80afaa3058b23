"""The rehearsal of SolForge: the reading of its cards, its figures, and the parts that are not computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from companion.games.solforge.rehearsal.duel import SolForgeCard, SolForgeDuel, played_levels
from companion.games.solforge.rehearsal.temperaments import PLAYERS
from companion.games.solforge.rules import actions as do
from companion.games.solforge.rules.deck_list import parse_remarks
from companion.games.solforge.rules.keywords import KEYWORDS
from companion.games.solforge.rules.state import MAX_LEVEL, SolForgeTable
from companion.tabletop.action import Action
from companion.tabletop.constructed import rehearsal as duels
from companion.tabletop.constructed.rehearsal import LISTS, SEATS, DuelRehearsal, DuelTally, Flaw, SimulatedDuel
from companion.tabletop.decks.decklist import DeckCard
from companion.tabletop.rehearsal import Figure, UnitOutcome
from companion.tabletop.table.common_actions import Next
from templates.languages.messages import listed, phrase

FIGURES: Final = (
    *duels.FIGURES,
    duels.unfinished_figure(SolForgeDuel.most_turns),
    Figure("health", "Winner's remaining health", "ratio", "health", "At the end of the games that somebody won."),
    Figure("rank", "Rank at the end", "ratio", "ranks", "For each player (R4.9)."),
    Figure("creatures", "Creatures Forged", "mean", "creatures", "Of both lists."),
    Figure(
        "replaced", "Forged over another creature", "part", "creatures", "Of all creatures that were Forged (R4.6)."
    ),
    Figure("banked", "Cards levelled face down", "part", "cards", "Of all cards that were played (R4.6)."),
    Figure("unused", "Plays left unused", "ratio", "a turn", "At the end of a turn (R4.5)."),
    Figure("deaths", "Creatures that died", "mean", "creatures", "In Battles and from Poison, on both sides."),
    Figure("battle-damage", "Damage per Battle", "ratio", "health", "Health that both players lose in a Battle."),
    Figure("idle", "Battles without damage", "part", "Battles", "Battles in which no player lost health."),
)
"""In the order of a report. A key never changes; a figure with another way of counting gets another key."""
TABLES: Final = (
    Figure("list-health", "Remaining health by list", "mean", "health", "At the end; 0 if it was below 0."),
    Figure(
        "damage", "Damage by kind", "mean", "health", "Dealt to both players in a game: unopposed, or by Breakthrough."
    ),
    Figure("level", "Cards played by level", "part", "cards", "Of all cards that were played (R4.7)."),
    *duels.TABLES,
)

_COMPUTED: Final = frozenset(
    {"aggressive", "armor", "breakthrough", "defender", "mobility", "poison", "regenerate", "overload", "consistent"}
)
"""Keywords that are fully computed; any other one refers to the text of its card (R4.20)."""


class SolForgeTally(DuelTally):
    """The counts of one duel."""

    def __init__(self) -> None:
        super().__init__(FIGURES, TABLES)
        for kind in ("unopposed", "breakthrough"):
            self.count_name("damage", kind, 0, 1)

    def add(self, before: SolForgeTable, action: Action, after: SolForgeTable) -> None:
        """Count the results of one line."""
        match action:
            case do.ForgeCreature():
                self.count("creatures", 1, 0)
                self.count("replaced", len(after.creatures) == len(before.creatures))
                self._count_card(action)
            case do.Cast() | do.Bank():
                self._count_card(action)
            case do.Battle():
                self._battle(before, after)
            case Next():
                self.count("unused", before.player(before.active).plays)
                self.count("deaths", len(before.creatures) - len(after.creatures), 0)

    def _count_card(self, action: do.ForgeCreature | do.Cast | do.Bank) -> None:
        self.count("banked", isinstance(action, do.Bank))
        for level in range(1, MAX_LEVEL + 1):
            self.count_name("level", str(level), level == action.level, 1)

    def _battle(self, before: SolForgeTable, after: SolForgeTable) -> None:
        self.count("deaths", len(before.creatures) - len(after.creatures), 0)
        lost = sum(one.health - other.health for one, other in zip(before.players, after.players, strict=True))
        self.count("battle-damage", lost)
        self.count("idle", not lost)
        unopposed = 0
        for creature in before.creatures:
            if creature.offensive and before.at(before.rival(creature.owner).seat, creature.lane) is None:
                unopposed += max(0, creature.attack)
        self.count_name("damage", "unopposed", unopposed)
        self.count_name("damage", "breakthrough", lost - unopposed)

    def outcome(self, duel: SimulatedDuel[Any, Any], lines: tuple[str, ...] = ()) -> UnitOutcome:
        """Return the outcome with all counts, once the duel is over."""
        end: SolForgeTable = duel.table
        for seat, which in zip(SEATS, LISTS, strict=True):
            player = end.player(seat)
            self.count("rank", player.rank)
            self.count_name("list-health", which, max(0, player.health), 1)
            if end.outcome == seat:
                self.count("health", player.health)
        return super().outcome(duel, lines)


class SolForgeRehearsal(DuelRehearsal):
    """The rehearsal of SolForge."""

    figures = FIGURES
    tables = TABLES
    duel = SolForgeDuel
    players = PLAYERS

    def tally(self) -> SolForgeTally:
        """Return the counts for a new game."""
        return SolForgeTally()

    def read_card(self, card: DeckCard) -> SolForgeCard:
        """Return a card with its figures at each level; a card without figures has no effect when played."""
        figures = [
            dict(self.game.on_card(card.listed_card, do.ForgeCreature, {"level": level}))
            for level in range(1, MAX_LEVEL + 1)
        ]
        by_level = tuple((each["figures"], each.get("has", ())) if "figures" in each else None for each in figures)
        return SolForgeCard(card.name, played_levels(by_level), parse_remarks(card.listed_card).flags)

    def flaws(self, card: DeckCard) -> Iterator[Flaw]:
        """Yield a flaw for a spell, for keywords with text on the card, and for levels that the list lacks."""
        levels = parse_remarks(card.listed_card).levels
        words = {word.partition("=")[0] for figures in levels.values() for word in figures.get("has", ())}
        texts = listed(KEYWORDS[word].title for word in KEYWORDS if word in words - _COMPUTED)
        if not levels:
            yield Flaw(phrase("Without figures, so nothing happens when they are played"), card.name, card.copies)
        elif texts:
            named = phrase("{card} ({keywords})", card=card.name, keywords=texts)
            yield Flaw(phrase("With text that is not computed"), named, card.copies)
        if levels and len(levels) < MAX_LEVEL:
            yield Flaw(
                phrase("Without figures at some level, so they keep those of another level"), card.name, card.copies
            )
