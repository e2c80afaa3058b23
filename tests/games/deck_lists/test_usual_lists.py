"""Lists in the formats of other programs, and of people: each card is counted by name, or its line is asked about."""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.tabletop.action import NotationError
from companion.tabletop.deck_lists.content import ReadList, ReadSection
from companion.tabletop.deck_lists.decoding import decode_list
from companion.tabletop.deck_lists.reading import parse_list
from companion.tabletop.decks.list_words import fold_heading, load_words

HERE = Path(__file__).parent
CARDS: dict[str, dict[str, Any]] = tomllib.loads((HERE / "cards.toml").read_text(encoding="utf-8"))
FILES = sorted(path for path in (HERE / "lists").rglob("*") if path.is_file())


def read(path: Path) -> ReadList:
    return parse_list(decode_list(path.read_bytes()))


def section_name(section: ReadSection) -> str:
    if section.kind in ("beside", "below"):
        return {"beside": "aside", "below": "below"}[section.kind]
    return load_words().section(fold_heading(section.title)) or section.title or "main"


def count_by_name(read: ReadList) -> dict[str, Counter[str]]:
    counted: dict[str, Counter[str]] = {}
    for section in read.sections:
        for card in section.cards:
            counted.setdefault(section_name(section), Counter())[card.name] += card.count
    return counted


def test_there_are_sixty_lists_in_twelve_formats() -> None:
    assert len(FILES) == len(CARDS) >= 60
    assert len({path.parent.name for path in FILES}) == 12


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_each_card_is_counted_by_its_name(path: Path) -> None:
    expected = dict(CARDS[f"{path.parent.name}/{path.name}"])
    unread, doubts = expected.pop("unread", 0), expected.pop("doubts", 0)
    if unread < 0:
        with pytest.raises(NotationError):
            read(path)
        return
    result = read(path)
    assert count_by_name(result) == {part: Counter(cards) for part, cards in expected.items() if cards}
    assert (len(result.unread), len(result.doubts)) == (unread, doubts), (result.unread, result.doubts)
