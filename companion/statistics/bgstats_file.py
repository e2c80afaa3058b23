"""Reading of files of the app BG Stats: an export of all plays (`.json`), or of some (`.bgsplay`).

A file is one JSON object with numbered lists of games, players, locations and plays. Times are local. Older versions of
the app write 0 and 1 for false and true, and scores as text, which may be a sum (`12+5`). Unknown fields are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

import msgspec

from companion.archive import Archive
from companion.archive.errors import Unreadable
from companion.archive.exchange.play_import import source_of
from companion.archive.storage.entries import PlayKept
from companion.statistics.outside_plays import (
    GameFacts,
    KnownGames,
    PlayerScore,
    clean_name,
    is_datable,
    read_score,
    result_of,
)
from companion.statistics.plays import read_plays, uuid_of_play
from templates.languages.messages import phrase

BGSTATS_AUTHOR: Final = "BG Stats"
"""The author of the entries; it never changes."""
BGSTATS: Final = "bgstats"
"""The program in the sources of its plays; it never changes."""
_LONGEST: Final = 100_000
"""Minutes, rounds and places beyond this are not facts."""
_MAX_BGG: Final = 99_999_999


class _Game(msgspec.Struct):
    id: int
    name: str = ""
    bgg: int | None = msgspec.field(default=0, name="bggId")
    cooperative: bool | None = False
    highest_wins: bool | None = msgspec.field(default=True, name="highestWins")
    no_points: bool | None = msgspec.field(default=False, name="noPoints")


class _Named(msgspec.Struct):
    id: int
    name: str = ""


class _Score(msgspec.Struct, rename="camel"):
    player_ref_id: int = 0
    score: str | int | float | None = ""
    winner: bool | None = False
    start_player: bool | None = False
    rank: int | None = 0
    seat_order: int | None = 0


class _Play(msgspec.Struct, rename="camel"):
    play_date: str
    game_ref_id: int
    uuid: str
    modification_date: str | None = ""
    duration_min: int | None = 0
    location_ref_id: int | None = 0
    ignored: bool | None = False
    rounds: int | None = 0
    player_scores: tuple[_Score, ...] = ()


class _File(msgspec.Struct):
    games: tuple[_Game, ...]
    plays: tuple[_Play, ...]
    players: tuple[_Named, ...] = ()
    locations: tuple[_Named, ...] = ()


class PlayFile(NamedTuple):
    """The plays of a file, and the numbers of those that are left out.

    `ours` were played here, `ignored` are excluded from statistics there, `undecided` have no winner, and `broken`
    lack a game or a date.
    """

    plays: tuple[PlayKept, ...]
    ours: int = 0
    ignored: int = 0
    undecided: int = 0
    broken: int = 0


def read_bgstats(archive: Archive, content: bytes, name: str) -> PlayFile:
    """Read a file of BG Stats. Raises Unreadable, naming the file, if it is something else."""
    try:
        file: _File = msgspec.json.decode(content.removeprefix(b"\xef\xbb\xbf"), type=_File, strict=False)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(
            phrase("“{file}” is not an export of BG Stats ({reason}).", file=name, reason=str(error))
        ) from error
    return _Reading(archive, file).read()


class _Reading:
    """A file while it is read."""

    def __init__(self, archive: Archive, file: _File) -> None:
        self._file = file
        self._games = {game.id: game for game in file.games}
        self._players = _names(file.players)
        self._venues = _names(file.locations)
        self._known_games = KnownGames()
        self._facts: dict[int, GameFacts] = {}
        played = read_plays(archive)
        self._uuids = {uuid_of_play(play) for play in played}
        # What was handed over by a link has another id there, but the same time.
        self._times = {(play.began.replace(microsecond=0), len(play.players)) for play in played if play.is_session}

    def read(self) -> PlayFile:
        plays: list[PlayKept] = []
        ours = ignored = undecided = broken = 0
        for play in self._file.plays:
            began = _read_time(play.play_date)
            game = self._games.get(play.game_ref_id)
            if began is None or game is None or not clean_name(game.name) or not play.uuid:
                broken += 1
            elif play.uuid in self._uuids or (began, len(play.player_scores)) in self._times:
                ours += 1
            elif play.ignored:
                ignored += 1
            elif (kept := self._to_play(play, game, began)) is None:
                undecided += 1
            else:
                plays.append(kept)
        return PlayFile(tuple(plays), ours, ignored, undecided, broken)

    def _to_play(self, play: _Play, game: _Game, began: datetime) -> PlayKept | None:
        title, bgg = clean_name(game.name), _zero_beyond(game.bgg, _MAX_BGG)
        facts = self._facts.get(game.id)
        if facts is None:
            game_facts = self._known_games.find(title, bgg)
            facts = self._facts[game.id] = game_facts._replace(lowest_wins=game.highest_wins is False)
        minutes = _zero_beyond(play.duration_min, _LONGEST)
        result = result_of(
            [self._score(score, has_points=not game.no_points) for score in _in_order(play.player_scores)],
            facts,
            together=bool(game.cooperative),
            minutes=minutes,
            venue=self._venues.get(play.location_ref_id or 0, ""),
            turns=_zero_beyond(play.rounds, _LONGEST),
        )
        if result is None:
            return None
        changed = _read_time(play.modification_date or "") or began
        ended = began + timedelta(minutes=minutes)
        return PlayKept(source_of(BGSTATS, play.uuid), title, ended, changed, result, facts.word, bgg)

    def _score(self, score: _Score, *, has_points: bool) -> PlayerScore:
        figure = read_score(str(score.score)) if has_points and score.score is not None else None
        return PlayerScore(
            self._players.get(score.player_ref_id, ""),
            figure,
            bool(score.winner),
            bool(score.start_player),
            _zero_beyond(score.rank, _LONGEST),
        )


def _in_order(scores: Iterable[_Score]) -> list[_Score]:
    """Return scores in the order of the seats; those that have none keep the order of the file."""
    return sorted(scores, key=lambda score: score.seat_order or 0)


def _names(some: Iterable[_Named]) -> Mapping[int, str]:
    return {each.id: clean_name(each.name) for each in some}


def _zero_beyond(number: int | None, most: int) -> int:
    """Return a number between 0 and a maximum, and 0 instead of any other."""
    return number if number is not None and 0 <= number <= most else 0


def _read_time(text: str) -> datetime | None:
    """Return a local time of the app in UTC, without fractions of a second; None if it is none."""
    try:
        at = datetime.fromisoformat(text.strip())
        return at.replace(microsecond=0).astimezone(UTC) if is_datable(at) else None
    except (ValueError, OverflowError, OSError):
        return None
