"""The names of Soul-Forger's phases and counters for display (R2.5)."""

from typing import Final

from companion.tabletop.glossary import Glossary

GLOSSARY: Final = Glossary(
    "Soul-Forger",
    steps={
        "ready": "Ready",
        "quest": "Side Quest",
        "main1": "Main 1",
        "combat": "Combat",
        "main2": "Main 2",
        "end": "End",
    },
    counters={"turn": "Turn"},
)
