"""The words of Odd Frontier that lists show (R3.3)."""

from typing import Final

from companion.tabletop.glossary import Glossary
from templates.languages.messages import phrase

GLOSSARY: Final = Glossary(
    "Odd Frontier TCG",
    steps={
        # Translators: the four phases of a turn
        "reset": phrase("Reset"),
        "pre-combat": phrase("Pre-Combat"),
        "combat": phrase("Combat"),
        "post-combat": phrase("Post-Combat"),
    },
    counters={"turn": phrase("Turn")},
)
