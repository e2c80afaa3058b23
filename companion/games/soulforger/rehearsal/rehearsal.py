"""The rehearsal of Soul-Forger: how cards are read, which figures are counted, and what is not computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

from companion.games.soulforger.rehearsal.duel import SoulForgerCard, SoulForgerDuel
from companion.games.soulforger.rehearsal.temperaments import PLAYERS
from companion.games.soulforger.rules import actions as do
from companion.games.soulforger.rules.deck_list import parse_remarks
from companion.games.soulforger.rules.keywords import title
from companion.games.soulforger.rules.state import ENDURANCE, Equipment, SoulForgerTable
from companion.tabletop.action import Action, RuleError
from companion.tabletop.constructed import rehearsal as duels
from companion.tabletop.constructed.rehearsal import LISTS, SEATS, DuelRehearsal, DuelTally, Flaw, SimulatedDuel
from companion.tabletop.decks.decklist import DeckCard
from companion.tabletop.rehearsal import Figure, UnitOutcome
from templates.languages.messages import phrase

FIGURES: Final = (
    *duels.FIGURES,
    duels.unfinished_figure(SoulForgerDuel.most_turns),
    Figure(
        "endurance", "Winner's remaining Endurance", "ratio", "Endurance", "At the end of the games that somebody won."
    ),
    Figure("level", "Level at the end", "ratio", "levels", "For each player (R2.11)."),
    Figure("exchanged", "Cards exchanged at the start", "ratio", "a player", "Of the opening hand (R2.4)."),
    Figure(
        "quest-level",
        "Side Quests that gained a level",
        "part",
        "Side Quests",
        "Of all Side Quests with at least one card (R2.7).",
    ),
    Figure("xp-level", "Levels bought with XP", "mean", "levels", "In End Phases, by both players together (R2.9)."),
    Figure("creatures", "Creatures summoned", "mean", "creatures", "Of both lists."),
    Figure("forged", "Equipment forged", "mean", "cards", "Of both lists (R2.15)."),
    Figure(
        "unused", "Ronum Limit left unused", "ratio", "a turn", "By the turn player, at the end of the turn (R2.12)."
    ),
    Figure("attacks", "Attacks", "ratio", "a turn", "Of creatures and weapons (R2.21)."),
    Figure("blocked", "Attacks that are blocked", "part", "attacks", "Of all attacks that were fought (R2.22)."),
    Figure("deaths", "Creatures destroyed", "mean", "creatures", "In combat, on both sides."),
    Figure(
        "decked", "Somebody ran out of cards", "share", "games", "Somebody began a turn with an empty deck (R2.25)."
    ),
)
"""The figures in the order of a report. A key is permanent; a figure counted in another way gets another key."""
TABLES: Final = (
    Figure(
        "list-endurance", "Remaining Endurance by list", "mean", "Endurance", "At the end; 0 for players who are out."
    ),
    Figure("damage", "Damage by kind", "mean", "Endurance", "Dealt to both players in a game."),
    *duels.TABLES,
)

_KINDS: Final = ("creature", "weapon", "striking back", "empty deck")
_TEXTS: Final = frozenset(
    {"absorb", "attune", "betrayed", "evoke", "last-breath", "material", "organize", "require", "seared", "skill"}
    | {"slayer", "welcome", "wounded"}
)
"""The keywords followed by a text of the card's own (R2.27)."""


class SoulForgerTally(DuelTally):
    """The counts of one duel."""

    def __init__(self) -> None:
        super().__init__(FIGURES, TABLES)
        self.decked = False
        for kind in _KINDS:
            self.count_name("damage", kind, 0, 1)

    def add(self, before: SoulForgerTable, action: Action, after: SoulForgerTable) -> None:
        """Count the results of one line."""
        match action:
            case do.Mulligan():
                self.count("exchanged", action.cards, 0)
            case do.Quest():
                seat = action.seat
                self.count("quest-level", after.player(seat).level > before.player(seat).level)
            case do.Level():
                self.count("xp-level", 1, 0)
            case do.Summon():
                self.count("creatures", 1, 0)
            case do.ForgeEquipment():
                self.count("forged", 1, 0)
            case do.Fight():
                self._fight(before, after)
        if after.turn > before.turn:
            self._next_turn(before, after)

    def _fight(self, before: SoulForgerTable, after: SoulForgerTable) -> None:
        attack = before.attack
        assert attack is not None
        self.counts["attacks"][0] += 1
        self.count("blocked", bool(attack.blocker))
        by = "weapon" if isinstance(before.cards[attack.attacker], Equipment) else "creature"
        for old, new in zip(before.players, after.players, strict=True):
            kind = "striking back" if old.seat == before.active else by
            self.count_name("damage", kind, new.damage - old.damage)
        lost = len(before.cards) - len(after.cards)
        self.count("deaths", 0 if after.outcome else lost, 0)

    def _next_turn(self, before: SoulForgerTable, after: SoulForgerTable) -> None:
        if before.turn:
            player = before.player(before.active)
            self.count("unused", player.level - before.ronum(player.seat))
        begins = before.player(after.active)
        if before.turn and not begins.deck:
            self.decked = True
            self.count_name("damage", "empty deck", after.player(begins.seat).damage - begins.damage)

    def outcome(self, duel: SimulatedDuel[Any, Any], lines: tuple[str, ...] = ()) -> UnitOutcome:
        """Return the outcome with all counts, once the duel is over."""
        end: SoulForgerTable = duel.table
        for seat, which in zip(SEATS, LISTS, strict=True):
            player = end.player(seat)
            left = max(0, ENDURANCE - player.damage)
            self.count("level", player.level)
            self.count("exchanged", 0)
            self.count_name("list-endurance", which, left, 1)
            if end.outcome == seat:
                self.count("endurance", left)
        self.counts["attacks"][1] = end.turn
        self.count("decked", self.decked)
        return super().outcome(duel, lines)


class SoulForgerRehearsal(DuelRehearsal):
    """The parts that Soul-Forger provides for rehearsals."""

    figures = FIGURES
    tables = TABLES
    duel = SoulForgerDuel
    players = PLAYERS
    beside = ("forge",)
    outside = ("gear",)

    def tally(self) -> SoulForgerTally:
        """Return the counts for a new game."""
        return SoulForgerTally()

    def set_up(self, deck: tuple[DeckCard, ...], seat: str) -> Iterator[Action]:
        """Yield the set-up with the Starting Gear. Raises RuleError if it has no weapon with its Power (R2.2)."""
        lines = tuple(super().set_up(deck, seat))
        if not any(isinstance(line, do.Gear) and line.type == "weapon" for line in lines):
            raise RuleError(
                phrase(
                    "A rehearsal needs the starting weapon of a list; write one with its Power below "
                    "“soulforger gear”, as in “Rusty Blade | weapon | starting | power 3/1 | hands 1” "
                    "(R2.2)."
                )
            )
        yield from lines

    def read_card(self, card: DeckCard) -> SoulForgerCard:
        """Return a card with the figures in the list."""
        remarks = parse_remarks(card.listed_card)
        fields = {key: value for key, value in remarks.figures.items() if key in SoulForgerCard.__struct_fields__}
        return SoulForgerCard(card.name, cast("Any", remarks.type), cost=remarks.material, **fields)

    def flaws(self, card: DeckCard) -> Iterator[Flaw]:
        """Yield the gaps of a card: an Action's or keyword's text, missing figures, and costs in words."""
        played = self.read_card(card)
        texts = ", ".join(title(word) for word in played.keywords if word in _TEXTS)
        if played.type == "action":
            yield Flaw(phrase("Actions, whose text is not computed"), card.name, card.copies)
        elif card.part != "gear" and not played.is_whole:
            yield Flaw(phrase("Without all their figures, so nobody plays them"), card.name, card.copies)
        elif texts or played.type in ("armor", "accessory"):
            what = f"{card.name} ({texts})" if texts else card.name
            yield Flaw(phrase("With text that is not computed"), what, card.copies)
        if parse_remarks(card.listed_card).cost and not played.cost:
            yield Flaw(phrase("With a cost in words, which nobody pays"), card.name, card.copies)
