"""The names of Soul-Forger's phases and counters for display (R2.5)."""

from typing import Final

from companion.tabletop.glossary import Glossary
from companion.tabletop.words import title_of_word
from templates.languages.messages import Text, phrase, phrase_in

GLOSSARY: Final = Glossary(
    "Soul-Forger",
    steps={
        "ready": phrase_in("phase", "Ready"),
        "quest": phrase_in("phase", "Side Quest"),
        "main1": phrase_in("phase", "Main 1"),
        "combat": phrase_in("phase", "Combat"),
        "main2": phrase_in("phase", "Main 2"),
        "end": phrase_in("phase", "End"),
    },
    counters={"turn": phrase("Turn")},
)


def phase_title(phase: str) -> Text:
    """Return the title of a phase, for sentences."""
    return GLOSSARY.steps.get(phase) or title_of_word(phase)
