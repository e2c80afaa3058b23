"""The words of SolForge in lists (R4.4)."""

from typing import Final

from companion.tabletop.glossary import Glossary
from templates.languages.messages import phrase

GLOSSARY: Final = Glossary(
    "SolForge",
    steps={"before": phrase("Before the Battle"), "after": phrase("After the Battle")},
    counters={"turn": phrase("Turn")},
)
