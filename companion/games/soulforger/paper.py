"""The prints of Soul-Forger: strips for damage, level and XP, and a label for each card of a stored deck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from companion.games.soulforger.glossary import GLOSSARY
from companion.games.soulforger.rules.deck_list import SoulForgerRemarks, parse_remarks
from companion.games.soulforger.rules.keywords import FACTION_TITLES, SPEED_TITLES, TYPE_TITLES, keyword_title, title
from companion.games.soulforger.rules.state import ENDURANCE
from companion.tabletop.constructed.paper import ConstructedPaper, card_label
from companion.tabletop.decks.decklist import ListedCard
from companion.tabletop.decks.paper import Imprint, LabelText, LabelTier, boxes
from templates.languages.messages import Text, joined, phrase, phrase_in, phrases

DAMAGE: Final = LabelText(
    phrase("Damage"),
    design="strip",
    figures=(("", boxes(1, ENDURANCE, ENDURANCE)),),
    # Translators: The note on a strip of boxes for damage.
    note=phrase("out at {damage}", damage=ENDURANCE),
)
LEVEL: Final = LabelText(
    phrase("Level"), design="strip", figures=(("", boxes(1, 20)),), note=phrase("no highest level")
)
XP: Final = LabelText(
    phrase("XP"), design="strip", figures=(("", boxes(0, 19)),), note=phrase("pay your level: level +1")
)

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
        title_of_tier = phrase("Ronum {ronum}", ronum=ronum) if ronum else ""
        tier = LabelTier(title_of_tier, ronum, _COLOURS.get(remarks.type, _OTHER))
        factions = map(_faction_title, remarks.figures.get("faction", ()))
        type_line = joined(" ", filter(None, (*factions, _type_title(remarks.type))))
        return (card_label(card, tier, _figure_lines(remarks), _feature_texts(remarks), type_line),)


def _faction_title(word: str) -> Text:
    return FACTION_TITLES.get(word) or title(word)


def _type_title(word: str) -> Text:
    return TYPE_TITLES.get(word) or title(word)


def _figure_lines(remarks: SoulForgerRemarks) -> Iterator[tuple[Text, str]]:
    """Yield the On- and Off-guard Power, and Endurance."""
    if power := remarks.figures.get("power"):
        # Translators: The heading of a large figure on a label, in capital letters.
        yield phrase_in("label", "POWER"), f"{power[0]}/{power[1]}"
    if "endurance" in remarks.figures:
        yield phrase_in("label", "ENDURANCE"), str(remarks.figures["endurance"])


def _feature_texts(remarks: SoulForgerRemarks) -> Iterator[Text]:
    """Yield other features, the most important first: keywords, speed, hands and XP."""
    figures = remarks.figures
    yield from map(keyword_title, figures.get("keywords", ()))
    if speed := figures.get("speed"):
        yield SPEED_TITLES[speed]
    if figures.get("lingering"):
        yield phrase("Lingering")
    if hands := figures.get("hands"):
        yield phrases("{n} hand", "{n} hands", n=hands)
    if xp := figures.get("xp"):
        yield phrase("XP {xp}", xp=xp)


IMPRINT: Final = Imprint(
    "soulforger",
    GLOSSARY.title,
    SoulForgerPaper(GLOSSARY.title, DAMAGE, LEVEL, XP),
    phrase("Soul-Forger by Byron Rosson, © 2025; rules in this program's own words."),
    about=phrase("Duels with creatures, gear and the Flow."),
)
