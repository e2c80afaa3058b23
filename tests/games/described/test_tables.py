"""Every `.table` file under tests/tables/described is played: of the ready pages, of each key, of kinds of games."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import inspect

from companion.games.described.page.description import Description
from companion.session.core.replay import Replay
from tests.games.described import pages

READY = sorted(pages.TABLES.glob("*.table"))
KEYS = sorted((pages.TABLES / "keys").glob("*.table"))
GAMES = sorted((pages.TABLES / "games").glob("*.table"))


def _failures(path: Path) -> list[str]:
    events = list(Replay(path.read_text(encoding="utf-8")))
    return [f"line {line.number}: {line.text}: {line.failure}" for line in events if line.failure]


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_a_ready_game_plays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    pages.ready(next(line.split()[1] for line in text.splitlines() if line.startswith("table ")))
    assert _failures(path) == []


@pytest.mark.parametrize("path", KEYS, ids=lambda path: path.stem)
def test_a_key_of_a_page_does_what_it_says(path: Path) -> None:
    pages.load(path.with_suffix(".toml"))
    assert _failures(path) == []


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_well_known_kind_of_game_is_reckoned_as_by_hand(path: Path) -> None:
    pages.load(path.with_suffix(".toml"))
    assert _failures(path) == []


def _expects_outcome(path: Path) -> bool:
    """Return True if a game is played to its end there, and the table says who has won."""
    lines = (line.partition("#")[0].split() for line in path.read_text(encoding="utf-8").splitlines())
    return any(line[:3] == ["expect", "table", "outcome"] and line[3:] != ["none"] for line in lines)


def test_every_ready_game_is_played_to_its_end() -> None:
    played = {path.stem for path in READY if _expects_outcome(path)}
    assert played >= set(pages.NAMES)


@pytest.mark.parametrize("name", pages.NAMES)
def test_a_ready_page_says_what_it_suits(name: str) -> None:
    page = pages.ready(name).description
    suits, words = str(page.suits), str(page.find)
    assert suits.startswith("For ")
    assert suits.endswith(".")
    assert len(suits) <= 100, "one line of a list"
    assert words
    assert words == words.lower()
    assert page.words, "a glossary"


def _keys_of(kind: inspect.Type, values: list[Any] | None = None) -> Iterator[tuple[str, str]]:
    """The keys of a part of a page, each with the struct that reads it; of `values` only those that stand in one."""
    match kind:
        case inspect.Metadata():
            yield from _keys_of(kind.type, values)
        case inspect.UnionType():
            for each in kind.types:
                yield from _keys_of(each, values)
        case inspect.StructType():
            for field in kind.fields:
                name = field.encode_name
                inner = None if values is None else [value[name] for value in _tables(values) if name in value]
                if inner != []:
                    yield kind.cls.__name__, name
                    yield from _keys_of(field.type, inner)
        case inspect.DictType():
            inner = None if values is None else [each for value in _tables(values) for each in value.values()]
            yield from _keys_of(kind.value_type, inner)
        case inspect.VarTupleType():
            lists = None if values is None else [value for value in values if isinstance(value, list)]
            yield from _keys_of(kind.item_type, None if lists is None else [each for value in lists for each in value])


def _tables(values: list[Any]) -> list[dict[str, Any]]:
    return [value for value in values if isinstance(value, dict)]


def test_every_key_of_the_format_stands_on_a_page_that_is_played() -> None:
    page = inspect.type_info(Description)
    played = {
        key
        for path in KEYS
        for key in _keys_of(page, [tomllib.loads(path.with_suffix(".toml").read_text(encoding="utf-8"))])
    }
    # Which design a label has, only paper shows: tests/printing/test_own_designs.py.
    assert set(_keys_of(page)) - played == {("DecksDefinition", "design")}
