"""The prints of SolForge: strips for rank and health, and a sticker for each level of a deck's creatures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.games.solforge.glossary import GLOSSARY
from companion.games.solforge.rules.deck_list import parse_remarks
from companion.games.solforge.rules.house import START_HEALTH
from companion.games.solforge.rules.keywords import KEYWORDS
from companion.games.solforge.rules.state import RANK_TURNS
from companion.tabletop.constructed.paper import ONES, TENS, ConstructedPaper, card_label, counted_from
from companion.tabletop.decks.decklist import ListedCard
from companion.tabletop.decks.paper import Imprint, LabelText, LabelTier, boxes
from templates.languages.messages import Text, joined, phrase, phrase_in

RANK: Final = LabelText(
    phrase("Rank tracker"),
    design="strip",
    figures=(
        # Translators: The titles of strips of boxes, in capital letters.
        (phrase_in("label", "RANK"), boxes(1, 8)),
        (phrase_in("label", "TURN"), boxes(1, RANK_TURNS, RANK_TURNS)),
    ),
    note=phrase("Rank Up after turn {turn}", turn=RANK_TURNS),
)
HEALTH: Final = LabelText(
    phrase("Health"),
    design="strip",
    figures=((TENS, boxes(0, START_HEALTH // 10)), (ONES, boxes(0, 9))),
    note=counted_from(START_HEALTH),
)

_COLOURS: Final = {1: "#4E5661", 2: "#1D4E9E", 3: "#7A1020"}


class SolForgePaper(ConstructedPaper):
    """See `companion.tabletop.constructed.paper.ConstructedPaper`."""

    def card_labels(self, card: ListedCard) -> Iterable[LabelText]:
        """Yield a sticker for each level in the list: a large number, attack/health, and the keywords."""
        for level, figures in sorted(parse_remarks(card).levels.items()):
            attack, health = figures["figures"]
            tier = LabelTier(phrase("Level {level}", level=level), str(level), _COLOURS[level])
            yield card_label(card, tier, [("", f"{attack}/{health}")], map(_keyword_text, figures.get("has", ())))


def _keyword_text(word: str) -> Text:
    """Return a keyword for display, `armor=2` → `Armor 2`; unknown words stay, as unfinished lists are stored too."""
    name, _, number = word.partition("=")
    return joined(" ", (part for part in (KEYWORDS[name].title if name in KEYWORDS else name, number) if part))


IMPRINT: Final = Imprint(
    "solforge",
    GLOSSARY.title,
    SolForgePaper(GLOSSARY.title, RANK, HEALTH),
    about=phrase("Duels in five lanes; cards that are played grow."),
)
