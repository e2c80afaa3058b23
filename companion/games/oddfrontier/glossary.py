"""The words of Odd Frontier that lists show (R3.3)."""

from collections.abc import Mapping
from typing import Final

from companion.tabletop.glossary import Glossary
from templates.languages.messages import Message, Text, phrase, phrase_in

GLOSSARY: Final = Glossary(
    "Odd Frontier TCG",
    steps={
        # Translators: the four phases of a turn
        "reset": phrase("Reset"),
        "pre-combat": phrase("Pre-combat"),
        "combat": phrase("Combat"),
        "post-combat": phrase("Post-combat"),
    },
    counters={"turn": phrase("Turn")},
)

_TYPE_TITLES: Final[Mapping[str, Message]] = {
    # Translators: the types of cards, as titles of lists of cards
    "engine": phrase_in("card type", "Engine"),
    "creature": phrase_in("card type", "Creature"),
    "artifact": phrase_in("card type", "Artifact"),
    "phenomenon": phrase_in("card type", "Phenomenon"),
    "magic": phrase_in("card type", "Magic"),
}


def type_title(word: str) -> Text:
    """Return the title of a type of cards, "" for none."""
    return _TYPE_TITLES.get(word) or word.capitalize()
