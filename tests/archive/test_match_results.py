"""How stored games ended, read from what is kept, without playing them again."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from companion.archive import Archive, match_results
from companion.archive.exchange import archive_export
from companion.games import registry
from companion.games.solforge.game import SolForge
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.tabletop.constructed import record
from companion.tabletop.table.match_result import MatchResult, MatchScore
from tests.games.constructed.test_table import enter, seated


def _result(archive: Archive, session: Session, lines: Iterable[str]) -> MatchResult:
    enter(session, *lines)
    result = match_results.read_result(archive, session.id)
    assert result is not None
    return result


def test_a_sealed_game_says_who_won_with_which_deck(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    session = seated(archive, "solforge")
    assert match_results.read_result(archive, session.id) is None
    enter(session, "set ana health 43", "concede ben", "seal", 'note "well played"')

    def refuse(*_: object) -> None:
        raise AssertionError("the game was played again")

    monkeypatch.setattr(SolForge, "apply", refuse)
    result = match_results.read_result(archive, session.id)
    assert result is not None
    assert (result.outcome, result.is_draw, result.is_match_over, result.turns) == ("ana", False, True, 1)
    assert (result.game, result.session) == ("solforge", session.id)
    assert result.at.startswith("20")
    ana, ben = result.players
    assert (result.winner, result.loser) == (ana, ben)
    assert (ana.name, ana.result, ana.called, ana.version) == ("Ana", "won", "Ash Pack", 1)
    assert ana.deck == archive.find_deck("Ash Pack").deck
    assert (ana.final, ben.final) == ({"health": 43, "rank": 1}, {"health": 120, "rank": 1})
    assert list(match_results.lasting_results(archive, archive.sessions())) == [result]


def test_an_outcome_that_is_undone_is_no_result(archive: Archive) -> None:
    session = seated(archive, "oddfrontier")
    assert _result(archive, session, ["set table outcome draw"]).is_draw
    enter(session, "undo")
    assert match_results.read_result(archive, session.id) is None
    assert list(match_results.lasting_results(archive, archive.sessions())) == []


def test_all_who_play_together_win_or_lose_together(archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    result = _result(archive, session, ["seat ana", "seat ben", "begin seed 1", "concede ana", "concede ben"])
    assert (result.outcome, result.winner, result.loser) == ("loss", None, None)
    assert [player.result for player in result.players] == ["lost", "lost"]
    assert (result.turns, result.figures) == (1, {"bosses": 0})


def test_a_file_that_is_kept_whole_has_its_result(archive: Archive) -> None:
    session = Session.new(registry.game("solforge"))
    enter(session, "seat ana", "seat ben", "begin seed 1", "concede ana")
    result = match_results.read_result(archive, archive_journal.keep(archive, session))
    assert result is not None
    assert result.winner == result.player("ben")


def test_a_match_is_won_by_more_than_half_of_its_games() -> None:
    score = MatchScore(3, 2, {"ana": 1, "ben": 0})
    assert (score.wins_needed, score.winner) == (2, "")
    assert score.after("draw", ("ana", "ben")) == score
    assert score.after("ana", ("ana", "ben")).winner == "ana"


def test_a_decks_history_travels_with_who_played_and_how_it_stood(archive: Archive, tmp_path: Path) -> None:
    seated(archive, "oddfrontier")  # founds the decks
    session = archive_journal.start(archive, "oddfrontier")
    enter(session, 'seat ana deck "Ash Pack"', 'seat ben deck "Bog Pack"', "match 3 game 2 score ana 1", "begin seed 1")
    enter(session, "set ana life 41", "concede ben", "seal")
    deck = archive.find_deck("Ash Pack").deck
    other = Archive.open(str(tmp_path / "other.sqlite"))
    archive_export.export_archive(archive, tmp_path / "whole.zip")
    archive_export.import_archive(other, tmp_path / "whole.zip")
    for place in (archive, other):
        played = place.marks(deck)[-1]
        assert isinstance(played, record.ConstructedPlayed)
        (ben,) = played.opponents
        assert (played.version, played.final, played.result) == (1, {"life": 41}, "won")
        assert (ben.name, ben.called, ben.version, ben.final) == ("Ben", "Bog Pack", 1, {"life": 137})
        assert played.score == record.GamesWon(3, 2, 2, 0)
        assert str(place.story(deck)[-1].text).endswith("; life 41, Ben life 137; game 2, best of 3: 2–0.")
    result = match_results.read_result(other, session.id)
    assert result is not None
    assert (result.score.winner, result.is_match_over) == ("ana", True)
    other.close()
