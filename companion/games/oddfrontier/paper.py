"""Printed matter of Odd Frontier: strips for life and energy, and a label for each card of a stored deck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from companion.games.oddfrontier.glossary import GLOSSARY, type_title
from companion.games.oddfrontier.rules.deck_list import FrontierRemarks, parse_remarks
from companion.games.oddfrontier.rules.house import STARTING_LIFE
from companion.tabletop.constructed.paper import ONES, TENS, ConstructedPaper, card_label, counted_from
from companion.tabletop.decks.decklist import ListedCard
from companion.tabletop.decks.paper import Imprint, LabelText, LabelTier, boxes
from templates.languages.messages import Message, joined, phrase

LIFE: Final = LabelText(
    phrase("Life"),
    design="strip",
    figures=((TENS, boxes(0, STARTING_LIFE // 10)), (ONES, boxes(0, 9))),
    note=counted_from(STARTING_LIFE),
)
ENERGY: Final = LabelText(
    phrase("Energy"), design="strip", figures=(("", boxes(0, 11)),), note=phrase("lost at the end of a turn")
)

_COLOURS: Final = {"creature": "#1B6B42", "magic": "#6A1E86", "engine": "#8A5A00"}
_OTHER: Final = "#2B2F36"


class OddFrontierPaper(ConstructedPaper):
    """The printed matter of the game; see `companion.tabletop.constructed.paper.ConstructedPaper`."""

    def card_labels(self, card: ListedCard) -> Iterable[LabelText]:
        """Return a label with the card's cost, figures, and First Assault; none if the list says nothing of them."""
        remarks = parse_remarks(card)
        fields = {field for field in remarks.figures if field != "magic"}
        if not fields:
            return ()
        cost = remarks.figures.get("cost")
        tier = LabelTier(
            "" if cost is None else phrase("Cost {cost}", cost=cost),
            "" if cost is None else str(cost),
            _COLOURS.get(remarks.type, _OTHER),
        )
        type_line = joined(" ", (*remarks.subtypes, type_title(remarks.type)))
        return (card_label(card, tier, _figure_lines(remarks), _feature_texts(remarks), type_line),)


def _figure_lines(remarks: FrontierRemarks) -> Iterator[tuple[str, str]]:
    """Yield attack and defense."""
    if figures := remarks.figures.get("figures"):
        yield "", f"{figures[0]}/{figures[1]}"


def _feature_texts(remarks: FrontierRemarks) -> Iterator[Message]:
    """Yield First Assault."""
    if remarks.figures.get("first_assault"):
        yield phrase("First Assault")


IMPRINT: Final = Imprint(
    "oddfrontier",
    GLOSSARY.title,
    OddFrontierPaper(GLOSSARY.title, LIFE, ENERGY),
    about=phrase("Duels: engines make energy for creatures."),
)
