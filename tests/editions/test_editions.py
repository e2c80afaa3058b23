"""Whatever any edition of this program wrote is read by today's, for ever."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.archive import Archive, passport, travel
from companion.archive.lists import deck_stream
from companion.session.replay import Replay, as_json
from tests.editions import keep

EDITIONS = sorted(path for path in keep.HERE.iterdir() if (path / "facts.json").exists())


@pytest.fixture(params=EDITIONS, ids=lambda path: str(path.name))
def edition(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture
def facts(edition: Path) -> dict[str, Any]:
    return dict(json.loads((edition / "facts.json").read_text(encoding="utf-8")))


@pytest.fixture
def archive(edition: Path, tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(str(shutil.copy(edition / "archive.sqlite", tmp_path))) as opened:
        yield opened


def still(kept: Any, today: Any) -> list[str]:
    """What was kept and is otherwise today; figures that only today's program has are no loss."""
    if isinstance(kept, dict) and isinstance(today, dict):
        return [
            f"{key}.{path}" if path else str(key)
            for key, value in kept.items()
            for path in (still(value, today[key]) if key in today else ["is gone"])
        ]
    if isinstance(kept, list) and isinstance(today, list) and len(kept) == len(today):
        return [path for one, other in zip(kept, today, strict=True) for path in still(one, other)]
    return [] if kept == today else [f"was {kept}, is {today}"]


def test_an_archive_holds_what_it_held(archive: Archive, facts: dict[str, Any]) -> None:
    assert still(facts, keep.facts(archive)) == []


def test_an_export_is_taken_in_whole(edition: Path, facts: dict[str, Any], tmp_path: Path) -> None:
    from companion.archive import merge

    stories = travel.read(edition / "all.decks")
    with Archive.open(str(tmp_path / "home.sqlite")) as home:
        assert {result.taken for result in merge.take_in(home, stories)} == {True}
        assert still(facts["decks"], keep.facts(home)["decks"]) == []


def test_the_export_of_an_old_archive_is_the_same_file(archive: Archive, edition: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.decks"
    travel.export(archive, [row.deck for row in archive.decks()], again)
    assert again.read_bytes() == (edition / "all.decks").read_bytes()


def test_printed_passports_are_read_and_known(archive: Archive, edition: Path, facts: dict[str, Any]) -> None:
    kept = json.loads((edition / "passports.json").read_text(encoding="utf-8"))
    assert kept.keys() == facts["decks"].keys()
    for deck, text in kept.items():
        found = passport.read(text)
        assert found.deck == deck
        assert found.story == facts["decks"][deck]["chain"][-1]
        assert passport.knows(archive, found)
        record, then = found.record(), archive.record(deck)
        for field in ("name", "builder", "holder", "monsters", "inscribed", "glory", "dungeons", "retired"):
            assert getattr(record, field) == getattr(then, field), (deck, field)
        assert sorted(record.history) == sorted(then.history)  # type: ignore[attr-defined]


def test_an_exported_log_plays_to_the_same_table(archive: Archive, edition: Path) -> None:
    from companion.session import store

    fight = next(row for row in archive.sessions() if not row.sealed and row.title == "Half a fight")
    replay = Replay((edition / "fight.table").read_text(encoding="utf-8"))
    assert all(not told.failure for told in replay)
    assert as_json(replay.session)["seats"] == as_json(store.resume(archive, fight.session))["seats"]


def test_a_fact_that_is_otherwise_would_be_found(archive: Archive, facts: dict[str, Any]) -> None:
    deck = next(iter(facts["decks"]))
    facts["decks"][deck]["record"]["glory"] += 1
    assert still(facts, keep.facts(archive)) != []
    assert archive.entries(deck_stream(deck))
