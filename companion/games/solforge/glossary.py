"""The words of SolForge in lists (R4.4)."""

from typing import Final

from companion.tabletop.glossary import Glossary

GLOSSARY: Final = Glossary(
    "SolForge",
    steps={"before": "Before the Battle", "after": "After the Battle"},
    counters={"turn": "Turn"},
)
