"""What is written on a band's cards and box, as people type it: in the record's words, or in their language."""

from __future__ import annotations

import re
from typing import Final

from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks import story
from companion.tabletop.notation.cards import Card

_NAME: Final = "\0"
_NUMBER: Final = re.compile(r"\d+")
_GLORY, _HP, _ATK = 7, 8, 9
"""Numbers of an example, by which those of a text are told apart, whatever their order in a language."""


def parse_box_text(text: str) -> tuple[int, int]:
    """Read Glory and dungeons, such as `Glory 12, 3 dungeons`; 0 and 0 if there is nothing. Raises ValueError."""
    for dungeons in (1, 2):
        if parts := _read_like(str(story.describe_box(_GLORY, dungeons)), text):
            return int(parts[_GLORY]), int(parts[dungeons])
    return story.read_box(text)


def parse_creature_text(card: Card, text: str) -> m.FoundedMonster | None:
    """Read a Monster, such as `Grave Wyrm, HP 18, ATK 3, ⭐`; None if a text describes none."""
    text = text.replace("★", "⭐")
    for is_legend in (True, False):
        example = m.FoundedMonster(card, _NAME, _HP, _ATK, legend=is_legend)
        example_text = str(story.written_text(card, story.creature_text(example)))
        if parts := _read_like(example_text, text):
            return m.FoundedMonster(card, parts[0].strip(), int(parts[_HP]), int(parts[_ATK]), legend=is_legend)
    return story.read_creature(card, text)


def _read_like(example: str, text: str) -> dict[int, str]:
    """Return the parts of a text by the numbers that stand there in an example, 0 for the name; {} if it differs."""
    pattern = _NUMBER.sub(r"(\\d+)", re.escape(example)).replace(re.escape(_NAME), "(.*)")
    match = re.fullmatch(pattern, text.strip())
    places = (0 if part == _NAME else int(part) for part in re.findall(rf"\d+|{_NAME}", example))
    return dict(zip(places, match.groups(), strict=True)) if match else {}
