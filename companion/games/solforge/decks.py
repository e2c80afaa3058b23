"""The stored decks of SolForge."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.solforge.rules.deck_list import FACTIONS, FLAGS, TYPES, parse_remarks
from companion.games.solforge.rules.state import MAX_LEVEL
from companion.tabletop.constructed.decks import ConstructedDecks
from companion.tabletop.constructed.portrait import CardProfile
from companion.tabletop.decks.decklist import DeckCard, ListedCard
from companion.tabletop.decks.portrait import Chart, PortraitBar


class SolForgeDecks(ConstructedDecks):
    """Decks of SolForge: what the figures of a card say on the page of its deck."""

    def profile(self, card: ListedCard) -> CardProfile:
        """Return its type, its faction, and a creature's attack and health at each level."""
        remarks, words = parse_remarks(card), [word.lower() for word in card.remarks]
        kind = next((word for word in TYPES if word in words), TYPES[0] if remarks.levels else "card")
        faction = [word.title() for word in FACTIONS if word in words]
        levels = " → ".join("{}/{}".format(*figures["figures"]) for _, figures in sorted(remarks.levels.items()))
        about = (*([levels] if levels else []), *faction, *(flag.title() for flag in FLAGS if flag in remarks.flags))
        return CardProfile(kind.capitalize(), None, about)

    def curve(self, cards: Sequence[DeckCard]) -> Chart | None:
        """Return a chart of the average attack and health of all copies of its creatures, at each level."""
        bars = []
        for level in range(1, MAX_LEVEL + 1):
            figures = [
                figure["figures"]
                for card in cards
                for at, figure in parse_remarks(card.listed_card).levels.items()
                for _ in range(card.copies)
                if at == level
            ]
            if figures:
                attack, health = (round(sum(each[at] for each in figures) / len(figures)) for at in (0, 1))
                bars.append(PortraitBar(f"Level {level}", attack + health, f"{attack}/{health}"))
        return Chart("Attack and health of a creature, on average", tuple(bars)) if bars else None
