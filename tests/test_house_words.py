"""Outside the games, their templates and the tests there is no word of any particular game: not in code, strings,
comments or the names of files.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import registry

ROOT = Path(__file__).parent.parent

ROOMS = ("labels", "companion/[!g_]*")
"""Where no such word stands."""

ENDINGS = frozenset({".py", ".tcss"})

WORDS = (
    *("band", "boss", "bosses", "minion", "monster", "glory", "copper", "inscription", "inscribe", "inscribed"),
    *("uncommon", "mythic", "legend", "blessed", "dungeon"),
)
"""In any case, alone or as a part of a name (`GloryLabel`, `the_band`), one or many."""

AS_TITLES = ("Common", "Rare")
"""Tiers whose words are plain English too: only as they are printed."""

STORED: dict[str, set[str]] = {
    # What notation can name by a word of its own is the same in every game.
    "companion/tabletop/notation/arguments.py": {"band", "boss", "minion", "monster"},
    "companion/tabletop/table/choices.py": {"minion"},
    # The kind under which a change of a purse is stored.
    "companion/archive/storage/entries.py": {"copper"},
    # Columns as they were called then: a migration is history.
    "companion/archive/migrations/versions/r0001_entries_and_lists.py": {"glory", "dungeon"},
    "companion/archive/migrations/versions/r0004_people_and_facts.py": {"glory", "dungeon"},
    # `labels box --glory` is typed by people who have learned it.
    "companion/cli/commands/labels/box.py": {"glory"},
}
"""The few words that stay, each by the one file in which it stands: stored, or an option's other name."""


def _titles() -> tuple[str, ...]:
    return tuple(word for game in map(registry.game, registry.GAMES) for word in (game.name, str(game.title)))


def words(text: str) -> Iterator[str]:
    """The words of a text, names taken apart at `_` and at capitals: `GloryLabel` is Glory and Label."""
    for run in re.findall(r"[A-Za-z]+", text):
        yield from re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", run)


def strangers(text: str) -> set[str]:
    """The words of particular games in a text."""
    strange = {word for word in words(text) if word in AS_TITLES}
    lowered = {word.lower() for word in words(text)}
    strange |= {word for word in WORDS if word in lowered or f"{word}s" in lowered}
    return strange | {title for title in _titles() if re.search(rf"\b{re.escape(title)}\b", text, re.IGNORECASE)}


def _files() -> list[Path]:
    paths = (path for room in ROOMS for place in ROOT.glob(room) for path in _within(place))
    return sorted(path for path in paths if path.suffix in ENDINGS)


def _within(place: Path) -> Iterator[Path]:
    return place.rglob("*") if place.is_dir() else iter((place,))


@pytest.mark.parametrize("path", _files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_knows_a_word_of_a_particular_game(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    strange = strangers(path.read_text(encoding="utf-8")) | strangers(name)
    assert strange == STORED.get(name, set())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class GloryLabel: ...", {"glory"}),
        ("# all BANDS of an evening", {"band"}),
        ("the_monster_label = 1", {"monster"}),
        ('"It costs 3 Coppers"', {"copper"}),
        ("from companion.games.decknforge import GAME", {"decknforge"}),
        ("a Common, rarely common", {"Common"}),
        ("husbands abandon copperplate", set()),
    ],
)
def test_such_a_word_would_be_noticed(text: str, expected: set[str]) -> None:
    assert {word.lower() if word not in AS_TITLES else word for word in strangers(text)} == expected
