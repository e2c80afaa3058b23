"""Standings of a league: points, and the orders of tie-breaks between equal points.

Definitions (scoring of edition 1):

- A bye and a match whose opponent did not come give points, and count as no opponent.
- Match-win % and game-win % are 3 for a win and 1 for a draw, of 3 for each; a bye counts as won by two games. Neither
  is less than 33 %, whether a person's own or an opponent's. `omw` and `ogw` are the means over all opponents.
- Buchholz is the sum of the opponents' points, `buchholz-cut` that without the lowest. Sonneborn-Berger is the sum of
  the points of all beaten opponents, and half the points of those with whom the person drew.
- Head to head are the points from the matches among people who are still equal; it decides only if each of them has
  played each other.
- Points of shared places are shared. People whom no tie-break separates share a place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, groupby
from typing import Final, NamedTuple

from companion.archive.storage.entries import LeagueResult, Scoring
from companion.league.league import League, LeagueMatch
from templates.languages.messages import Text, decimal, joined, phrase

EDITION: Final = 1
"""The edition of scoring: raised when any of the figures above would change."""

FLOOR: Final = Fraction(33, 100)

ORDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "match-win": ("omw", "gw", "ogw"),
    "buchholz": ("buchholz-cut", "buchholz", "sonneborn-berger", "head-to-head", "wins"),
    "head-to-head": ("head-to-head", "sonneborn-berger", "wins", "games"),
    "score": ("score", "wins", "buchholz"),
    "ladder": ("rung",),
}
"""The orders of tie-breaks of edition 1, after the points; on a ladder, the rung comes before these."""

TIE_BREAKS: Final[Mapping[str, Text]] = {
    "omw": phrase("opponents' match-win %"),
    "gw": phrase("game-win %"),
    "ogw": phrase("opponents' game-win %"),
    "buchholz": "Buchholz",
    "buchholz-cut": phrase("Buchholz cut 1"),
    "sonneborn-berger": "Sonneborn-Berger",
    "head-to-head": phrase("head to head"),
    "wins": phrase("matches won"),
    "games": phrase("games won minus games lost"),
    "score": phrase("score"),
    "rung": phrase("rung"),
}
"""The names of the tie-breaks."""

_PERCENTAGES: Final = frozenset({"omw", "gw", "ogw"})


class LeagueStanding(NamedTuple):
    """A line of the standings. `place` is shared by people whom no tie-break separates; `ties` are the tie-breaks."""

    place: int
    person: str
    number: int
    active: bool
    points: Fraction
    played: int
    won: int
    level: int
    lost: int
    byes: int
    games: tuple[int, int, int]
    score: int
    ties: Mapping[str, Fraction]

    def has(self, key: str) -> bool:
        """Return True if there is anything to compute a tie-break from; a percentage of nothing is only the minimum."""
        if key == "gw":
            return bool(self.byes or any(self.games))
        return key not in _PERCENTAGES or self.played > 0


class MatchTally:
    """The totals of one person's matches."""

    def __init__(self) -> None:
        self.points = Fraction(0)
        self.won = self.level = self.lost = self.byes = self.missed = 0
        self.games_won = self.games_level = self.games_lost = self.score = 0
        self.opponents: list[str] = []
        self.beaten: list[str] = []
        self.level_with: list[str] = []

    @property
    def matches_played(self) -> int:
        """The number of matches, without byes and those whose opponent did not come."""
        return self.won + self.level + self.lost

    @property
    def match_win(self) -> Fraction:
        """The match-win %, never under 33 %."""
        whole = self.matches_played + self.byes + self.missed
        return max(FLOOR, Fraction(3 * (self.won + self.byes) + self.level, 3 * whole)) if whole else FLOOR

    @property
    def game_win(self) -> Fraction:
        """The game-win %, never under 33 %."""
        won = self.games_won + 2 * self.byes
        whole = won + self.games_level + self.games_lost
        return max(FLOOR, Fraction(3 * won + self.games_level, 3 * whole)) if whole else FLOOR


def standings(league: League) -> tuple[LeagueStanding, ...]:
    """Return everyone who ever joined, first place first; people who share a place are in the order of joining."""
    tallies = tally_matches(league)
    figures = _Figures(league, tallies)
    numbers = {player.person: player for player in league.players}
    lines: list[LeagueStanding] = []
    for group in figures.rank_groups():
        place = len(lines) + 1
        for person in sorted(group, key=lambda person: numbers[person].number):
            player, tally = numbers[person], tallies[person]
            lines.append(
                LeagueStanding(
                    place,
                    person,
                    player.number,
                    player.active,
                    tally.points,
                    tally.matches_played,
                    tally.won,
                    tally.level,
                    tally.lost,
                    tally.byes,
                    (tally.games_won, tally.games_lost, tally.games_level),
                    tally.score,
                    {key: figures.figure(key, person) for key in tie_breaks(league.created.scoring)},
                )
            )
    return tuple(lines)


def tie_breaks(scoring: Scoring) -> tuple[str, ...]:
    """Return the tie-breaks of a league, in order."""
    return ORDERS[scoring.order]


def show_figure(key: str, figure: Fraction) -> Text:
    """Format a tie-break or points: `58.3 %`, `7½`, `12`."""
    if key in _PERCENTAGES:
        return joined(" ", (decimal(float(figure) * 100, 1), "%"))
    return show_points(figure)


def show_points(points: Fraction) -> Text:
    """Format points, which may be fractions: `7½`."""
    whole, rest = divmod(points, 1)
    if not rest:
        return str(whole)
    return f"{whole or ''}½" if rest == Fraction(1, 2) else decimal(float(points), 2)


def tally_matches(league: League) -> dict[str, MatchTally]:
    """Return the totals of everyone's matches."""
    scoring = league.created.scoring
    tallies = {player.person: MatchTally() for player in league.players}
    for match in league.matches:
        if match.is_bye:
            tally = tallies[match.people[0]]
            if match.result is not None and match.result.absent:
                tally.missed += 1
            else:
                tally.byes += 1
                tally.points += scoring.bye
        elif match.result is not None:
            _add_match(tallies, scoring, match, match.result)
    return tallies


def _add_match(tallies: Mapping[str, MatchTally], scoring: Scoring, match: LeagueMatch, result: LeagueResult) -> None:
    points = match_points(scoring, len(match.people), result)
    present = [place for place in range(len(match.people)) if place not in result.absent]
    for at, person in enumerate(match.people):
        tally = tallies[person]
        tally.points += points[at]
        if at in result.absent:
            tally.missed += 1
        elif len(present) == 1:
            tally.byes += 1
        else:
            _add_played(tally, match, result, at, present)


def _add_played(tally: MatchTally, match: LeagueMatch, result: LeagueResult, at: int, present: Sequence[int]) -> None:
    others = [other for other in present if other != at]
    ahead = min(result.places[other] for other in others)
    tally.won += result.places[at] < ahead
    tally.level += result.places[at] == ahead
    tally.lost += result.places[at] > ahead
    for other in others:
        tally.opponents.append(match.people[other])
        if result.places[at] < result.places[other]:
            tally.beaten.append(match.people[other])
        elif result.places[at] == result.places[other]:
            tally.level_with.append(match.people[other])
    if result.games:
        tally.games_won += result.games[at]
        tally.games_lost += sum(result.games[other] for other in others)
        tally.games_level += result.games_drawn
    else:
        # Without a number of games, it counts as one.
        tally.games_won += result.places[at] < ahead
        tally.games_level += result.places[at] == ahead
        tally.games_lost += result.places[at] > ahead
    tally.score += result.scores[at] if result.scores else 0


def match_points(scoring: Scoring, seats: int, result: LeagueResult) -> tuple[Fraction, ...]:
    """Return the points of each of a match's people; absent people get none."""
    present = [at for at in range(seats) if at not in result.absent]
    points = [Fraction(0)] * seats
    if len(present) == 1:
        points[present[0]] = Fraction(scoring.bye)
    elif scoring.by_score and result.scores:
        for at in present:
            points[at] = Fraction(result.scores[at])
    elif scoring.places:
        for place, shared in _shared_places(result, present):
            of_places = [scoring.places[number] if number < len(scoring.places) else 0 for number in place]
            for at in shared:
                points[at] = Fraction(sum(of_places), len(shared))
    else:
        best = min((result.places[at] for at in present), default=0)
        winners = [at for at in present if result.places[at] == best]
        for at in present:
            points[at] = Fraction(scoring.loss if at not in winners else scoring.draw if winners[1:] else scoring.win)
    return tuple(points)


def _shared_places(result: LeagueResult, present: Sequence[int]) -> Iterator[tuple[range, list[int]]]:
    """Yield places from 0 on, each group with the people who share it."""
    first = 0
    for _, group in groupby(sorted(present, key=result.places.__getitem__), key=result.places.__getitem__):
        shared = [*group]
        yield range(first, first + len(shared)), shared
        first += len(shared)


class _Figures:
    """Points and tie-breaks of everyone, each computed once."""

    def __init__(self, league: League, tallies: Mapping[str, MatchTally]) -> None:
        self.league, self.tallies = league, tallies
        self.match_win = {person: tally.match_win for person, tally in tallies.items()}
        self.game_win = {person: tally.game_win for person, tally in tallies.items()}
        self.rungs = {person: rung for rung, person in enumerate(ladder(league), start=1)}
        self.figures: dict[tuple[str, str], Fraction] = {}
        self._reckon: Mapping[str, Callable[[MatchTally], Fraction]] = {
            "omw": lambda tally: _mean(self.match_win[person] for person in tally.opponents),
            "gw": lambda tally: tally.game_win,
            "ogw": lambda tally: _mean(self.game_win[person] for person in tally.opponents),
            "buchholz": lambda tally: sum(self._points(tally.opponents), start=Fraction(0)),
            "buchholz-cut": lambda tally: sum(sorted(self._points(tally.opponents))[1:], start=Fraction(0)),
            "sonneborn-berger": self._sonneborn_berger,
            "wins": lambda tally: Fraction(tally.won),
            "games": lambda tally: Fraction(tally.games_won - tally.games_lost),
            "score": lambda tally: Fraction(tally.score),
        }

    def figure(self, key: str, person: str) -> Fraction:
        """Return a person's tie-break; more is better, except for the rung."""
        if key == "rung":
            return Fraction(self.rungs[person])
        if (key, person) not in self.figures:
            # Head to head has a figure only among the people whom it separated.
            reckon = self._reckon.get(key)
            self.figures[key, person] = reckon(self.tallies[person]) if reckon else Fraction(0)
        return self.figures[key, person]

    def rank_groups(self) -> Iterator[Sequence[str]]:
        """Yield groups of people who share a place, the first place first."""
        everybody = [player.person for player in self.league.players]
        if self.league.created.form == "ladder":
            yield from ([person] for person in sorted(everybody, key=self.rungs.__getitem__))
            return
        for group in _groups(everybody, lambda person: self.tallies[person].points):
            yield from self._split(group, tie_breaks(self.league.created.scoring))

    def _split(self, group: Sequence[str], keys: Sequence[str]) -> Iterator[Sequence[str]]:
        if len(group) == 1 or not keys:
            yield group
            return
        key, *rest = keys
        if key == "head-to-head":
            self._set_head_to_head(group)
        for part in _groups(group, lambda person: self.figure(key, person)):
            yield from self._split(part, rest)

    def _set_head_to_head(self, group: Sequence[str]) -> None:
        """Set the points from the matches among a group, if all of its people have met."""
        of_group = set(group)
        points = dict.fromkeys(group, Fraction(0))
        met = set()
        for match in self.league.matches:
            if match.is_played and match.result is not None and len(of_group.intersection(match.people)) > 1:
                met |= {frozenset(pair) for pair in combinations(of_group.intersection(match.people), 2)}
                gained = match_points(self.league.created.scoring, len(match.people), match.result)
                for person, share in zip(match.people, gained, strict=True):
                    if person in of_group:
                        points[person] += share
        if len(met) == len(group) * (len(group) - 1) // 2:
            self.figures.update({("head-to-head", person): share for person, share in points.items()})

    def _points(self, people: Iterable[str]) -> Iterator[Fraction]:
        return (self.tallies[person].points for person in people)

    def _sonneborn_berger(self, tally: MatchTally) -> Fraction:
        return sum(self._points(tally.beaten), start=sum(self._points(tally.level_with), start=Fraction(0)) / 2)


def _mean(figures: Iterable[Fraction]) -> Fraction:
    some = [*figures]
    return sum(some, start=Fraction(0)) / len(some) if some else Fraction(0)


def _groups(people: Sequence[str], figure: Callable[[str], Fraction]) -> Iterator[list[str]]:
    """Return groups of people with equal figures, the highest first."""
    ordered = sorted(people, key=figure, reverse=True)
    return ([*group] for _, group in groupby(ordered, key=figure))


def ladder(league: League) -> tuple[str, ...]:
    """Return the people by rung, the top first, inactive ones last: the winner over a higher one takes that rung."""
    rungs = [player.person for player in league.players]
    for match in sorted(league.matches, key=lambda match: match.turn):
        if match.is_played and match.result is not None:
            ordered = sorted(zip(match.result.places, match.people, strict=True), key=lambda of: of[0])
            for (ahead, winner), (behind, loser) in combinations(ordered, 2):
                won, lost = rungs.index(winner), rungs.index(loser)
                if ahead < behind and won > lost:
                    rungs.insert(lost, rungs.pop(won))
    active = set(league.active)
    return tuple(sorted(rungs, key=lambda person: person not in active))
