"""A league in an archive as users see it: people by name, rounds drawn, results entered and corrected."""

from __future__ import annotations

import contextlib
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from companion.archive import deck_id, match_results
from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError, Unknown, list_some
from companion.archive.people import leagues
from companion.archive.people.people import NAMELESS, home_name, name_by_number, public_name
from companion.archive.storage.entries import (
    Form,
    LeagueClosed,
    LeagueCreated,
    LeagueEvent,
    LeagueReopened,
    LeagueResult,
    PlayerDropped,
    PlayerJoined,
    ResultCorrected,
    ResultEntered,
    RoundDrawn,
    RoundRedrawn,
    Scoring,
)
from companion.archive.storage.lists import fold
from companion.archive.storage.rows import LeagueRow, PersonRow
from companion.games import registry
from companion.league.league import UNPAIRED, League, LeagueMatch, build_league
from companion.league.pairings import draw_round, redraw_round
from companion.league.standings import EDITION, ORDERS
from companion.tabletop.table.match_result import MatchResult
from companion.tabletop.text import in_quotes
from templates.languages.messages import Message, Text, all_of, listed, phrase, phrases

MOST_SEATS: Final = 12
_MOST_SESSIONS: Final = 200
"""The number of newest sessions that are searched for games that decide open matches."""
_SCORE: Final = re.compile(r"(\d{1,3})[-:–](\d{1,3})(?:[-:–](\d{1,3}))?")
_ORDER_OF_FORM: Final[Mapping[str, str]] = {"round-robin": "head-to-head", "swiss": "match-win", "ladder": "ladder"}


class LeagueError(ArchiveError):
    """An action that a league does not allow, with the reason."""


class NotPaired(LeagueError):
    """The people of a result were not paired."""


class Season(NamedTuple):
    """A league as read from an archive, with its people as they are today."""

    row: LeagueRow
    league: League
    people: Mapping[str, PersonRow]

    def name(self, person: str, *, outside: bool = False) -> str:
        """Return a person's name at home, or `outside` of the house."""
        row = self.people.get(person)
        number = self.league.number(person)
        if row is None:
            return name_by_number(number)
        return public_name(row, number) if outside else home_name(row, number)

    def names(self, *, outside: bool = False) -> Mapping[str, str]:
        """Return everyone's name, by id."""
        return {player.person: self.name(player.person, outside=outside) for player in self.league.players}

    def find(self, text: str) -> str:
        """Return the id of a person in the league. Raises Unknown.

        `text` is a name, a nickname, `Player 7`, an id, or the beginning of only one name.
        """
        wanted = fold(text)
        spelled, strange = deck_id.read_symbols(text)
        called = {
            player.person: {fold(self.name(player.person, outside=outside)) for outside in (False, True)}
            | {fold(f"{NAMELESS} {player.number}"), fold(name_by_number(player.number))}
            | ({fold(name) for name in self.people[player.person].called} if player.person in self.people else set())
            for player in self.league.players
        }
        exact = [person for person, names in called.items() if wanted in names]
        if len(exact) > 1:
            now = [person for person in exact if fold(self.name(person)) == wanted]
            exact = now if len(now) == 1 else exact
        if not exact and not strange:
            exact = [person for person in called if person == spelled]
        fitting = exact or [
            person for person, names in called.items() if wanted and any(name.startswith(wanted) for name in names)
        ]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            which = list_some(f"{self.name(person)} ({person})" for person in fitting)
            raise Unknown(
                phrase(
                    "{text} could be {people}; type more of the name, or the id.", text=in_quotes(text), people=which
                )
            )
        raise Unknown(
            phrase("Nobody in {league} is called {text}.", league=in_quotes(self.row.name), text=in_quotes(text))
        )


def read_season(archive: Archive, text: str) -> Season:
    """Return the league with this name or id. Raises Unknown."""
    return _read(archive, leagues.find_league(archive, text))


def _read(archive: Archive, row: LeagueRow) -> Season:
    league = build_league(leagues.events(archive, row.league))
    return Season(row, league, leagues.people_of(archive, (player.person for player in league.players)))


class LeagueSettings(NamedTuple):
    """The settings of a new league; missing ones get the defaults of its form."""

    form: Form = "swiss"
    game: str = ""
    rules: tuple[str, ...] = ()
    seats: int = 2
    rounds: int = 0
    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int | None = None
    places: tuple[int, ...] = ()
    by_score: bool = False
    order: str = ""
    figure: str = ""
    seed: int | None = None


def create(archive: Archive, name: str, people: Sequence[str], settings: LeagueSettings) -> Season:
    """Create a league. Raises LeagueError, NameTaken, Ambiguous, NotationError."""
    if not name.strip():
        raise LeagueError(phrase("A league needs a name."))
    if not 2 <= settings.seats <= MOST_SEATS:
        raise LeagueError(phrase("A table seats 2 to {most} people.", most=MOST_SEATS))
    order = settings.order or ("score" if settings.seats > 2 else _ORDER_OF_FORM[settings.form])
    if order not in ORDERS:
        raise LeagueError(
            phrase(
                "There is no order of tie-breaks called {order}; choose from {orders}.",
                order=in_quotes(order),
                orders=listed(ORDERS),
            )
        )
    if (order == "ladder") != (settings.form == "ladder"):
        raise LeagueError(phrase("The tie-break order ladder is only for ladders."))
    if settings.form == "ladder" and settings.seats > 2:
        raise LeagueError(
            phrase("On a ladder, matches are between two people; choose swiss or round-robin for larger tables.")
        )
    bye = settings.bye if settings.bye is not None else settings.win if settings.form == "swiss" else 0
    many = settings.seats > 2 and not settings.by_score
    places = settings.places or (_points_by_place(settings.seats) if many else ())
    scoring = Scoring(settings.win, settings.draw, settings.loss, bye, places, settings.by_score, order, EDITION)
    created = LeagueCreated(
        name=name,
        form=settings.form,
        scoring=scoring,
        seed=new_seed() if settings.seed is None else settings.seed,
        people=(),
        game=registry.game(settings.game).name if settings.game else "",
        rules=settings.rules,
        seats=settings.seats,
        rounds=settings.rounds,
        figure=settings.figure,
    )
    return _read(archive, leagues.create_league(archive, created, people))


def _points_by_place(seats: int) -> tuple[int, ...]:
    """Return the default points at a table: one for the last, one more for each place, and one more for the winner."""
    return (seats + 1, *range(seats - 1, 0, -1))


def new_seed() -> int:
    """Return an unpredictable seed."""
    return secrets.randbelow(1 << 31)


def _write(archive: Archive, season: Season, *events: LeagueEvent) -> Season:
    if season.league.closed and not isinstance(events[0], LeagueReopened):
        raise LeagueError(phrase("{league} is closed; open it again first.", league=in_quotes(season.row.name)))
    leagues.append_events(archive, season.row.league, season.row.length, events)
    return read_season(archive, season.row.league)


# Rounds


def may_draw(season: Season) -> Text:
    """Return why the next round should not be drawn yet, as a sentence; "" if it may be."""
    league = season.league
    if still_open := [match for match in league.round(league.rounds) if match.is_open]:
        return phrases(
            "Round {round} still lacks {n} result.",
            "Round {round} still lacks {n} results.",
            n=len(still_open),
            round=str(league.rounds),
        )
    if league.created.rounds and league.rounds >= league.created.rounds:
        return phrase("All {rounds} rounds are played.", rounds=str(league.created.rounds))
    return ""


def draw_next(archive: Archive, season: Season, seed: int | None = None) -> Season:
    """Draw and store the next round. Raises LeagueError if there is no pair."""
    seed = new_seed() if seed is None else seed
    pairings = draw_round(season.league, seed)
    if not pairings:
        two = len(season.league.active) < 2
        raise LeagueError(
            phrase("A round needs two people.") if two else phrase("Everybody has met everybody; no round is left.")
        )
    return _write(archive, season, RoundDrawn(season.league.rounds + 1, seed, pairings))


def redraw_last(archive: Archive, season: Season, seed: int | None = None) -> Season:
    """Draw the last round again; its results no longer count. Raises LeagueError if none is drawn."""
    if not season.league.rounds:
        raise LeagueError(phrase("No round is drawn yet."))
    seed = new_seed() if seed is None else seed
    return _write(archive, season, RoundRedrawn(season.league.rounds, seed, redraw_round(season.league, seed)))


# People


def join(archive: Archive, season: Season, name: str) -> Season:
    """Add a person, or one who left, from the next round on. Raises LeagueError if the person is active already."""
    person = leagues.ensure_person(archive, name)
    if person in season.league.active:
        raise LeagueError(
            phrase("{person} is in {league} already.", person=in_quotes(name), league=in_quotes(season.row.name))
        )
    return _write(archive, season, PlayerJoined(person))


def drop(archive: Archive, season: Season, name: str) -> Season:
    """Remove a person from further rounds. Raises Unknown, LeagueError."""
    person = season.find(name)
    if person not in season.league.active:
        raise LeagueError(phrase("{person} has already dropped out.", person=season.name(person)))
    return _write(archive, season, PlayerDropped(person))


def close(archive: Archive, season: Season) -> Season:
    """Close the league."""
    return _write(archive, season, LeagueClosed())


def reopen(archive: Archive, season: Season) -> Season:
    """Reopen a closed league. Raises LeagueError."""
    if not season.league.closed:
        raise LeagueError(phrase("{league} is not closed.", league=in_quotes(season.row.name)))
    return _write(archive, season, LeagueReopened())


# Results


class MatchOutcome(NamedTuple):
    """A reported match: its people in order of place, and its result."""

    people: tuple[str, ...]
    result: LeagueResult


def read_outcome(
    season: Season, words: Sequence[str], *, level: bool = False, absent: Sequence[str] = ()
) -> MatchOutcome:
    """Parse a reported match.

    For example: `Ana Ben`, the winner first; `Ana Ben 2-1` or `Ana 2-1 Ben`; `Ana Ben=Cy` for a shared place; `Ana:12
    Ben:9` for scores. With `level` the match is drawn; `absent` are the people who did not come. Raises Unknown,
    LeagueError.
    """
    words = [word for word in words if word.strip()]
    counted = [games for word in words if (games := _SCORE.fullmatch(word))]
    rest = [word for word in words if not _SCORE.fullmatch(word)]
    if len(counted) > 1:
        raise LeagueError(phrase("A match has one score, not {scores}.", scores=all_of(games[0] for games in counted)))
    games = next(iter(counted), None)
    groups = [[part for part in word.split("=") if part.strip()] for word in rest]
    scored = [part.rpartition(":") for group in groups for part in group]
    if scored and all(name and figure.strip().lstrip("-").isdigit() for name, _, figure in scored):
        if games:
            raise LeagueError(
                phrase("Enter either what each person scored or the games {games}, not both.", games=games[0])
            )
        return _read_scores(season, scored, absent)
    people: list[str] = []
    places: list[int] = []
    for group in groups:
        place = 1 if level else len(people) + 1
        for part in group:
            people.append(season.find(part))
            places.append(place)
    gone = [season.find(name) for name in absent]
    missing = [person for person in gone if person not in people]
    people += missing
    places += [len(people) + 1] * len(missing)
    result = LeagueResult(tuple(places))
    if games and len(people) > 1:
        result = _read_games(games, len(people), level=level or any(len(group) > 1 for group in groups))
    where = tuple(at for at, person in enumerate(people) if person in gone)
    return _check_people(MatchOutcome(tuple(people), msgspec.structs.replace(result, absent=where)))


def _read_scores(season: Season, scored: Sequence[tuple[str, str, str]], absent: Sequence[str]) -> MatchOutcome:
    figures = [(season.find(name), int(figure)) for name, _, figure in scored]
    figures.sort(key=lambda of: -of[1])
    scores = [score for _, score in figures]
    gone = [season.find(name) for name in absent]
    people = [person for person, _ in figures] + [person for person in gone if person not in dict(figures)]
    scores += [0] * (len(people) - len(scores))
    places = tuple(1 + sum(other > score for other in scores) for score in scores)
    where = tuple(at for at, person in enumerate(people) if person in gone)
    return _check_people(MatchOutcome(tuple(people), LeagueResult(places, scores=tuple(scores), absent=where)))


def _read_games(games: re.Match[str], count: int, *, level: bool) -> LeagueResult:
    if count != 2:
        raise LeagueError(
            phrase(
                "Games are only counted between two people; for a larger table, enter the places, or "
                "what each person scored."
            )
        )
    first, second, nobody = int(games[1]), int(games[2]), int(games[3] or 0)
    if level and first != second:
        raise LeagueError(phrase("{score} is not a draw.", score=f"{first}-{second}"))
    places = (1, 1) if first == second else (1, 2) if first > second else (2, 1)
    return LeagueResult(places, (first, second), nobody)


def _check_people(outcome: MatchOutcome) -> MatchOutcome:
    if len(set(outcome.people)) < len(outcome.people):
        raise LeagueError(phrase("Somebody is named twice."))
    if len(outcome.people) < 2:
        raise LeagueError(phrase("A result needs two people or more, the winner first."))
    return outcome


# Games that were played here


class Offer(NamedTuple):
    """A game of this program that decides an open match of a league, and whose result lasts."""

    match: LeagueMatch
    outcome: MatchOutcome
    at: str


def read_session(archive: Archive, season: Season, session: str, figure: str = "") -> MatchOutcome:
    """Return the outcome of a session that is sealed, or has no stored deck to seal.

    It is the winner, with the games of a longer match, or, if all play together, each player's final `figure` (by
    default the league's). Raises Unknown, LeagueError if it has no result, or has people from outside this league.
    """
    row = archive.find_session(session)
    result = match_results.read_result(archive, row.session)
    if result is None or not match_results.is_lasting(row, result):
        raise LeagueError(
            phrase(
                "Session {session} has no result that lasts: seal it first, or enter the result by hand.",
                session=row.session,
            )
        )
    if not result.is_match_over:
        score = "–".join(str(result.score.wins.get(player.seat, 0)) for player in result.players)
        raise LeagueError(
            phrase(
                "The match of session {session} is not over yet: it stands {score}.",
                session=result.session,
                score=score,
            )
        )
    return _outcome_of_game(season, result, figure)


def _outcome_of_game(season: Season, result: MatchResult, figure: str = "") -> MatchOutcome:
    people = tuple(_player_of(season, player.person, player.name) for player in result.players)
    if result.is_shared:
        scores = _final_figures(result, figure or season.league.created.figure)
        places = tuple(1 + sum(other > score for other in scores) for score in scores)
        return _check_people(MatchOutcome(people, LeagueResult(places, scores=scores, session=result.session)))
    wins = tuple(result.score.wins.get(player.seat, 0) for player in result.players)
    is_longer = result.score.best_of > 1 and any(wins)
    places = tuple(1 + sum(other > won for other in wins) for won in wins) if is_longer else result.places()
    if not any(wins):
        wins = tuple(int(player.result == "won") for player in result.players)
    games = wins if len(wins) == 2 and any(wins) else ()
    return _check_people(MatchOutcome(people, LeagueResult(places, games, session=result.session)))


def _final_figures(result: MatchResult, figure: str) -> tuple[int, ...]:
    """Return everyone's final value of a figure. Raises LeagueError."""
    common = [name for name in result.players[0].final if all(name in player.final for player in result.players)]
    if not figure and len(common) == 1:
        (figure,) = common
    if figure not in common:
        raise LeagueError(
            phrase(
                "In session {session} all played together, and nobody won alone; choose the figure "
                "that decides: {figures}.",
                session=result.session,
                figures=listed(common),
            )
            if common
            else phrase("In session {session} all played together, and nobody won alone.", session=result.session)
        )
    return tuple(player.final[figure] for player in result.players)


def _player_of(season: Season, person: str, name: str) -> str:
    """Return the league's person for a player at a table, by the id, or by name without an id. Raises LeagueError."""
    ids = [each for each, row in season.people.items() if person and person in (each, row.person)]
    names = [each for each, row in season.people.items() if fold(name) in map(fold, row.called)]
    fitting = ids or ([] if person and not names else names)
    if len(fitting) != 1:
        raise LeagueError(
            phrase(
                "{name} of that session is not in {league}.",
                name=in_quotes(name),
                league=in_quotes(season.row.name),
            )
        )
    return fitting[0]


def find_offers(archive: Archive, season: Season) -> tuple[Offer, ...]:
    """Return offers for open matches that a game here has decided, the newest games first."""
    open_matches = {frozenset(match.people): match for match in season.league.open_matches()}
    if not open_matches:
        return ()
    used = {match.result.session for match in season.league.matches if match.result is not None}
    offers = []
    for result in match_results.lasting_results(archive, archive.page_of_sessions(count=_MOST_SESSIONS).rows):
        if result.session in used or not result.is_match_over:
            continue
        if season.league.created.game not in ("", result.game):
            continue
        with contextlib.suppress(LeagueError):
            outcome = _outcome_of_game(season, result)
            match = open_matches.pop(frozenset(outcome.people), None)
            if match is not None:
                offers.append(Offer(match, outcome, result.at))
    return tuple(offers)


def describe_offer(season: Season, offer: Offer) -> Message:
    """Describe an offer: `Ana – Ben: Ana 2–1 (session K3QX…)`."""
    names = " – ".join(season.name(person) for person in offer.match.people)
    ended = describe_result(season, offer.match._replace(result=_reorder(offer.outcome, offer.match.people)))
    return phrase(
        "{people}: {result} (session {session})", people=names, result=ended, session=offer.outcome.result.session
    )


def find_match(season: Season, people: Iterable[str], number: int | None = None) -> LeagueMatch:
    """Return the match of these people in a round, by default the last one; of one person, the bye.

    Raises NotPaired if they have none.
    """
    wanted = set(people)
    rounds = range(season.league.rounds, -1, -1) if number is None else (number,)
    for of in rounds:
        matches = [match for match in season.league.round(of) if set(match.people) == wanted]
        if matches:
            return next((match for match in matches if match.is_open), matches[-1])
    names = all_of(season.name(person) for person in wanted)
    raise NotPaired(
        phrase("{people} were not paired in round {round}.", people=names, round=str(number))
        if number is not None
        else phrase("{people} were not paired in any round.", people=names)
    )


def enter(
    archive: Archive, season: Season, outcome: MatchOutcome, *, number: int | None = None, unpaired: bool = False
) -> Season:
    """Store the result of a paired match, or with `unpaired` of any. Raises LeagueError if it has one already."""
    if unpaired:
        table = 1 + max((match.table for match in season.league.round(UNPAIRED)), default=0)
        return _write(archive, season, ResultEntered(UNPAIRED, table, outcome.people, outcome.result))
    match = find_match(season, outcome.people, number)
    if match.result is not None:
        raise LeagueError(
            phrase(
                "Round {round}, table {table} has a result already: {result}; correct it.",
                round=str(match.round),
                table=str(match.table),
                result=describe_result(season, match),
            )
        )
    result = _reorder(outcome, match.people)
    return _write(archive, season, ResultEntered(match.round, match.table, match.people, result))


def correct(
    archive: Archive,
    season: Season,
    outcome: MatchOutcome,
    number: int | None = None,
    match: LeagueMatch | None = None,
) -> Season:
    """Correct the result of a match, by default the one that `find_match` finds. Raises LeagueError."""
    match = match or find_match(season, outcome.people, number)
    result = _reorder(outcome, match.people)
    return _write(archive, season, ResultCorrected(match.round, match.table, match.people, result))


def withdraw(archive: Archive, season: Season, match: LeagueMatch) -> Season:
    """Remove the result of a match, or a whole match without a pairing. Raises LeagueError if it has no result."""
    if match.result is None:
        raise LeagueError(phrase("That match has no result to take back."))
    people = () if match.round == UNPAIRED else match.people
    return _write(archive, season, ResultCorrected(match.round, match.table, people))


def give_bye(archive: Archive, season: Season, name: str, number: int | None = None) -> Season:
    """Give a person a bye in a round. Raises LeagueError if the person has a match or a bye there."""
    person = season.find(name)
    number = season.league.rounds if number is None else number
    _check_round(season, number)
    match = next((match for match in season.league.round(number) if person in match.people), None)
    if match is not None:
        called, of = season.name(person), str(number)
        raise LeagueError(
            phrase(
                "{person} has a bye in round {round} already; enter the no-show in that round.",
                person=called,
                round=of,
            )
            if match.is_bye
            else phrase(
                "{person} is paired in round {round} already; enter the no-show in that match.",
                person=called,
                round=of,
            )
        )
    table = 1 + max((match.table for match in season.league.round(number)), default=0)
    return _write(archive, season, ResultCorrected(number, table, (person,)))


def pair(archive: Archive, season: Season, names: Sequence[str], number: int | None = None) -> Season:
    """Pair people who have a bye, or no match, in a round. Raises LeagueError."""
    people = tuple(season.find(name) for name in names)
    _check_people(MatchOutcome(people, LeagueResult(())))
    number = season.league.rounds if number is None else number
    _check_round(season, number)
    of_round = season.league.round(number)
    taken = [match for match in of_round if not match.is_bye and set(match.people) & set(people)]
    if taken:
        both = next(person for person in taken[0].people if person in people)
        raise LeagueError(
            phrase(
                "{person} is paired in round {round} already; draw it again, or enter a no-show.",
                person=season.name(both),
                round=str(number),
            )
        )
    byes = [match for match in of_round if match.is_bye and match.people[0] in people]
    first = 1 + max((match.table for match in of_round), default=0)
    table = byes[0].table if byes else first
    gone = [ResultCorrected(number, match.table) for match in byes[1:]]
    return _write(archive, season, *gone, ResultCorrected(number, table, people))


def _check_round(season: Season, number: int) -> None:
    if not 1 <= number <= season.league.rounds:
        raise LeagueError(
            phrase("Round {round} is not drawn.", round=str(number))
            if season.league.rounds
            else phrase("No round is drawn yet.")
        )


def _reorder(outcome: MatchOutcome, people: Sequence[str]) -> LeagueResult:
    """Return a result with its figures in the order of the match's people."""
    at = [outcome.people.index(person) for person in people]
    result = outcome.result
    return LeagueResult(
        tuple(result.places[place] for place in at),
        tuple(result.games[place] for place in at) if result.games else (),
        result.games_drawn,
        tuple(result.scores[place] for place in at) if result.scores else (),
        tuple(place for place, before in enumerate(at) if before in result.absent),
        result.session,
    )


def describe_result(season: Season, match: LeagueMatch, *, outside: bool = False) -> Text:
    """Describe the result of a match: `Ana 2–1`, `drawn 1–1`, `Ben did not come`, `bye`; "" if it is open."""
    if match.is_bye:
        return phrase("bye")
    result = match.result
    if result is None:
        return ""
    names = [season.name(person, outside=outside) for person in match.people]
    if result.absent:
        return phrase("{people} did not come", people=all_of(names[at] for at in result.absent))
    ordered = sorted(range(len(names)), key=lambda at: result.places[at])
    if len(names) > 2:
        figures = [f" {result.scores[at]}" if result.scores else "" for at in ordered]
        # Only places, names and figures: the same in all languages.
        return ", ".join(
            f"{result.places[at]}. {names[at]}{figure}" for at, figure in zip(ordered, figures, strict=True)
        )
    is_draw, winner = result.places[0] == result.places[1], names[ordered[0]]
    counted = result.games or result.scores
    if not counted:
        return phrase("drawn") if is_draw else phrase("{person} won", person=winner)
    score = f"{counted[ordered[0]]}–{counted[ordered[1]]}{f'–{result.games_drawn}' if result.games_drawn else ''}"
    return phrase("drawn {score}", score=score) if is_draw else f"{winner} {score}"
