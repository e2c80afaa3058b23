"""The stored decks of SolForge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from companion.games.solforge.rules.deck_list import FACTIONS, FLAGS, TYPES, parse_remarks
from companion.games.solforge.rules.state import MAX_LEVEL
from companion.tabletop.constructed.decks import ConstructedDecks
from companion.tabletop.constructed.portrait import CardProfile
from companion.tabletop.decks.decklist import DeckCard, ListedCard
from companion.tabletop.decks.portrait import Chart, PortraitBar
from templates.languages.messages import Message, phrase, phrase_in

_KINDS: Final[Mapping[str, Message]] = {
    # Translators: the types of cards, as titles of lists of cards
    "creature": phrase_in("card type", "Creature"),
    "spell": phrase_in("card type", "Spell"),
    "": phrase_in("card type", "Card"),
}
_FLAG_TITLES: Final[Mapping[str, Message]] = {
    "free": phrase_in("keyword", "Free"),
    "overload": phrase_in("keyword", "Overload"),
}


class SolForgeDecks(ConstructedDecks):
    """Decks of SolForge: what the figures of a card say on the page of its deck."""

    def profile(self, card: ListedCard) -> CardProfile:
        """Return its type, its faction, and a creature's attack and health at each level."""
        remarks, words = parse_remarks(card), [word.lower() for word in card.remarks]
        kind = next((word for word in TYPES if word in words), TYPES[0] if remarks.levels else "")
        faction = [word.title() for word in FACTIONS if word in words]
        levels = " → ".join("{}/{}".format(*figures["figures"]) for _, figures in sorted(remarks.levels.items()))
        flags = (_FLAG_TITLES[flag] for flag in FLAGS if flag in remarks.flags)
        return CardProfile(_KINDS[kind], None, (*([levels] if levels else []), *faction, *flags))

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
                bars.append(PortraitBar(phrase("Level {level}", level=level), attack + health, f"{attack}/{health}"))
        return Chart(phrase("Attack and health of a creature, on average"), tuple(bars)) if bars else None
