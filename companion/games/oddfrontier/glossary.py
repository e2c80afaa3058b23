"""The words of Odd Frontier that lists show (R3.3)."""

from typing import Final

from companion.tabletop.glossary import Glossary

GLOSSARY: Final = Glossary(
    "Odd Frontier TCG",
    steps={"reset": "Reset", "pre-combat": "Pre-Combat", "combat": "Combat", "post-combat": "Post-Combat"},
    counters={"turn": "Turn"},
)
