"""The prints of Soul-Forger: strips for damage, level and XP, and a label for each card of a stored deck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from companion.games.soulforger.glossary import GLOSSARY
from companion.games.soulforger.rules.deck_list import SoulForgerRemarks, parse_remarks
from companion.games.soulforger.rules.keywords import title
from companion.games.soulforger.rules.state import ENDURANCE
from companion.tabletop.constructed.paper import ConstructedPaper, card_label
from companion.tabletop.decks.decklist import ListedCard
from companion.tabletop.decks.paper import Imprint, LabelText, LabelTier, boxes

DAMAGE: Final = LabelText(
    "Damage", design="strip", figures=(("", boxes(1, ENDURANCE, ENDURANCE)),), note=f"out at {ENDURANCE}"
)
LEVEL: Final = LabelText("Level", design="strip", figures=(("", boxes(1, 20)),), note="no highest level")
XP: Final = LabelText("XP", design="strip", figures=(("", boxes(0, 19)),), note="pay your level: level +1")

_COLOURS: Final = {"creature": "#1B6B42", "action": "#6A1E86", "weapon": "#8A2A12"}
_OTHER: Final = "#2B2F36"


class SoulForgerPaper(ConstructedPaper):
    """The printed matter of Soul-Forger; see `companion.tabletop.constructed.paper.ConstructedPaper`."""

    def card_labels(self, card: ListedCard) -> Iterable[LabelText]:
        """Return the label of a card: its Ronum, Power and Endurance, and other figures in its list.

        It may have none.
        """
        remarks = parse_remarks(card)
        if not remarks.figures:
            return ()
        ronum = str(remarks.figures.get("ronum", ""))
        tier = LabelTier(f"Ronum {ronum}" if ronum else "", ronum, _COLOURS.get(remarks.type, _OTHER))
        type_line = " ".join(map(title, (*remarks.figures.get("faction", ()), remarks.type)))
        return (card_label(card, tier, _figure_lines(remarks), _feature_texts(remarks), type_line),)


def _figure_lines(remarks: SoulForgerRemarks) -> Iterator[tuple[str, str]]:
    """Yield the On- and Off-guard Power, and Endurance."""
    if power := remarks.figures.get("power"):
        yield "POWER", f"{power[0]}/{power[1]}"
    if "endurance" in remarks.figures:
        yield "ENDURANCE", str(remarks.figures["endurance"])


def _feature_texts(remarks: SoulForgerRemarks) -> Iterator[str]:
    """Yield other features, the most important first: keywords, speed, hands and XP."""
    figures = remarks.figures
    yield from map(title, figures.get("keywords", ()))
    if speed := figures.get("speed"):
        yield title(speed)
    if figures.get("lingering"):
        yield "Lingering"
    if hands := figures.get("hands"):
        yield "1 hand" if hands == 1 else f"{hands} hands"
    if xp := figures.get("xp"):
        yield f"XP {xp}"


IMPRINT: Final = Imprint(
    "soulforger",
    GLOSSARY.title,
    SoulForgerPaper(GLOSSARY.title, DAMAGE, LEVEL, XP),
    "Soul-Forger by Byron Rosson, © 2025; rules in this program's own words.",
    about="duels of creatures, forged gear and the Flow",
)
