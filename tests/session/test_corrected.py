"""An archive keeps of an evening with mistakes that were put right what it keeps of the right one."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from companion.archive import Archive, match_results
from companion.session.core import archive_journal
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.reports import evening_cards
from companion.session.reports.chronicles import tell_chronicle
from companion.statistics.tables import compute_statistics
from companion.tabletop.evening_text import as_markdown
from tests.games.correcting import Correcting
from tests.games.test_corrections import same_dungeon, wrong_boss, wrong_minion
from tests.printing.evenings import FIGHTING, create_deck

EVENING = Path(__file__).parents[2] / "templates" / "examples" / "decknforge" / "evening.table"


def right_evening(archive: Archive, decks: dict[str, str]) -> Session:
    for name in FIGHTING.values():
        decks[name] = create_deck(archive, name, decks.get(name, ""))
    replay = Replay(EVENING.read_text(encoding="utf-8"), shelf=archive_journal.ArchiveShelf(archive))
    for _ in replay:
        pass
    return replay.session


def texts_of(archive: Archive, session: Session) -> dict[str, Any]:
    """Everything that is told of a sealed evening anywhere, without the times at which it was written down."""
    kept = archive_journal.keep(archive, session, "Friday")
    row = archive.find_session(kept)
    decks = archive.decks()
    chapters = [(c.kind, c.title, c.venue, c.facts, [line.text for line in c.lines]) for c in _chapters(archive)]
    result = match_results.read_result(archive, kept)
    assert result is not None
    return {
        "stories": [[line.text for line in archive.story(deck.deck)] for deck in decks],
        "chapters": chapters,
        "card": as_markdown(evening_cards.present_stored(archive, row).card),
        "result": (result.outcome, result.turns, result.figures, result.players, result.tallies),
        "statistics": [
            (group.title, group.games, group.won, group.amount, group.best)
            for by in ("person", "deck", "boss", "inscription")
            for group in compute_statistics(archive, by).groups
        ],
        "chronicle": tell_chronicle(archive, decks).sections,
    }


def _chapters(archive: Archive) -> list[Any]:
    return [chapter for deck in archive.decks() for chapter in archive.chapters(deck.deck)]


def test_the_archive_tells_a_corrected_evening_as_the_right_one(tmp_path: Path) -> None:
    with (
        Archive.open(str(tmp_path / "right.sqlite"), create=True) as one,
        Archive.open(str(tmp_path / "corrected.sqlite"), create=True) as other,
    ):
        decks: dict[str, str] = {}
        right = right_evening(one, decks)
        right_evening(other, decks)
        correcting = Correcting(right, Random(1), 0.4, (wrong_boss, wrong_minion), same_dungeon)
        corrected = correcting.play()
        assert {"wrong_boss", "wrong_minion", "wrong_figure"} <= set(correcting.mistakes_made)
        expected, corrected_texts = texts_of(one, right), texts_of(other, corrected)
    for what, text in expected.items():
        assert corrected_texts[what] == text, what
