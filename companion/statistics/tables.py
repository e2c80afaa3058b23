"""All results of an archive as a table: grouped by people, decks, opponents or what games count, with win rates.

Games are read one after the other, oldest first; only sums are kept of each, so that memory grows with the people and
decks, and not with the evenings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from itertools import starmap
from typing import Final

import msgspec

from companion.archive import Archive
from companion.archive.storage.results import Directory, ResultRow, games_of_results, read_directory, read_results
from companion.games import registry
from companion.statistics.rankings import places_of
from companion.tabletop.action import NotationError
from companion.tabletop.estimate import Estimate, wilson
from companion.tabletop.table.house_rules import state_rule
from companion.tabletop.table.match_result import HIT, SAVE, Contender, MatchResult, Result, Tally, TallyKind
from templates.languages.alphabets import alphabetical_key
from templates.languages.dates import numeric_month
from templates.languages.messages import Language, Message, Text, listed, phrase, phrases, render_value

GROUPINGS: Final[Mapping[str, Message]] = {
    "person": phrase("Person"),
    "deck": phrase("Deck"),
    "version": phrase("Version of a deck"),
    "opponent": phrase("Opponent"),
    "players": phrase("Number of players"),
    "first": phrase("Who began"),
    "rules": phrase("House rules"),
    "month": phrase("Month"),
}
"""The groupings for games of every kind, and their titles; a game adds the kinds that it counts."""
_OF_EACH_GAME: Final = frozenset({"players", "first", "rules", "month"})
"""Groupings whose rows are for one game each, unless they are added up: results of one game say nothing about another.
"""
_RESULTS: Final[tuple[Result, ...]] = ("won", "draw", "lost")
"""The best first."""
_RANKED: Final = 3
"""The number of players from which on a place means more than who won."""
_PAIR: Final = 2
_HITS: Final = 3
_SAVES: Final = 10


class Group(msgspec.Struct, frozen=True):
    """The totals of the games of a group.

    `rate` is the share of games won, None if the games were not won or lost by individuals. `streak` are the wins in a
    row up to now, or below 0 the losses; `longest` is the longest row of wins; both are 0 if the group is not a person
    or a deck. `place` is the mean place in games of three or more, 0 if there is none. `amount` is the sum that the
    kind counts, and `best` the hardest hit of the group's person or deck, 0 if unknown. `minutes` is the mean time of
    their own turns in games with a clock, 0 if there is none. If the table has rows for each game, `game` is the word
    of the row's game.
    """

    key: str
    title: Text
    games: int
    won: int = 0
    lost: int = 0
    draws: int = 0
    rate: Estimate | None = None
    streak: int = 0
    longest: int = 0
    place: float = 0
    amount: int = 0
    best: int = 0
    last: datetime | None = None
    game: str = ""
    minutes: float = 0

    @property
    def decided_games(self) -> int:
        """The games that the rate is a share of: those that individuals won, lost or drew."""
        return self.won + self.lost + self.draws


class BestHit(msgspec.Struct, frozen=True):
    """One of the hardest hits of a game: by whom, with what, on whom ("" if that is no player), and when."""

    game: str
    amount: int
    by: str
    name: str
    on: str
    at: datetime
    session: str


class Rescues(msgspec.Struct, frozen=True):
    """The number of times that one player kept another from falling."""

    by: str
    other: str
    times: int


class Statistics(msgspec.Struct, frozen=True):
    """The statistics of an archive's games, or of those of one deck or game.

    `by` is the grouping, `title` its title, and `amounts` what the sums of its groups count, "" if they mean nothing.
    `games` are all that were counted, `first` and `last` when the oldest and the newest of them ended. If none of them
    belongs to any group, `remark` says why.
    """

    by: str
    title: Text
    amounts: Text
    games: int
    first: datetime | None
    last: datetime | None
    groups: tuple[Group, ...]
    hits: tuple[BestHit, ...]
    rescues: tuple[Rescues, ...]
    remark: Text = ""


class _Lowered(Message):
    """A title with a small letter, for use within a sentence."""

    __slots__ = ("title",)

    def __init__(self, title: Text) -> None:
        self.title = title

    def render(self, language: Language) -> str:
        text = render_value(self.title, language)
        return text[:1].lower() + text[1:]

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.title,)


class _Sums:
    """The running totals of a group."""

    __slots__ = (
        "amount",
        "best",
        "draws",
        "games",
        "last",
        "longest",
        "lost",
        "places",
        "ranked",
        "seconds",
        "streak",
        "timed",
        "title",
        "won",
    )

    def __init__(self, title: Text) -> None:
        self.title = title
        self.games = self.won = self.lost = self.draws = self.streak = self.longest = self.amount = self.best = 0
        self.places = self.ranked = 0  # the sum of all places, and the number of games with one
        self.seconds = self.timed = 0  # the time of all own turns, and the number of games with a clock
        self.last: datetime | None = None

    def add(self, result: Result | None, at: datetime, amount: int) -> None:
        self.games += 1
        self.amount += amount
        self.last = at
        if result == "won":
            self.won += 1
            self.streak = self.streak + 1 if self.streak > 0 else 1
            if self.streak > self.longest:
                self.longest = self.streak
        elif result == "lost":
            self.lost += 1
            self.streak = self.streak - 1 if self.streak < 0 else -1
        elif result == "draw":
            self.draws += 1
            self.streak = 0

    def group(self, game: str, key: str, *, has_streaks: bool) -> Group:
        counted = self.won + self.lost + self.draws
        return Group(
            key,
            self.title or key,
            self.games,
            self.won,
            self.lost,
            self.draws,
            wilson(self.won, counted) if counted else None,
            self.streak if has_streaks else 0,
            self.longest if has_streaks else 0,
            self.places / self.ranked if self.ranked else 0,
            self.amount,
            self.best,
            self.last,
            game,
            self.seconds / self.timed / 60 if self.timed else 0,
        )


# A plain tuple, because there are millions of them.
_Unit = tuple[str, Text, Result | None, int, str]
"""The contribution of a game to a group: the group's key and title, the game's result, an amount, and the seat."""
_Units = Callable[[ResultRow, tuple[Contender, ...]], Iterable[_Unit]]
"""A function that yields what a game adds to groups; takes the result, and the players whom the table is about."""


def kinds_of_games(archive: Archive) -> Mapping[str, TallyKind]:
    """Return the other kinds that can be counted: those of all games that are programs, or that were played here."""
    with archive.store.reading() as transaction:
        played = games_of_results(transaction)
    kinds: dict[str, TallyKind] = {}
    for name, page in (*((name, "") for name in registry.GAMES), *played):
        kinds |= {kind.kind: kind for kind in _kinds_of_game(name, page) if kind.kind not in kinds}
    return kinds


def compute_statistics(
    archive: Archive,
    by: str = "person",
    deck: str = "",
    game: str = "",
    kinds: Mapping[str, TallyKind] | None = None,
    *,
    together: bool = False,
) -> Statistics:
    """Return the statistics of an archive's games, all or only those of a deck (by id) or of a game.

    `by` is one of GROUPINGS or of the `kinds`, which are read from the archive by default. `together` adds up different
    games; without it, numbers of players, months, first turns and house rules have a row for each game.
    """
    kinds = kinds_of_games(archive) if kinds is None and by not in GROUPINGS else kinds or {}
    with archive.store.reading() as transaction:
        directory = read_directory(transaction)
        several = len({name for name, _ in games_of_results(transaction)}) > 1
        is_split = by == "rules" or (several and not (deck or game or together))
        table = _GroupTable(directory, by, deck, game, kinds.get(by), is_split=is_split and by in _OF_EACH_GAME)
        return table.count(read_results(transaction))


class _GroupTable:
    """The groups while they are counted."""

    def __init__(
        self, directory: Directory, by: str, deck: str, game: str, kind: TallyKind | None, *, is_split: bool
    ) -> None:
        self._directory, self._by, self._deck, self._game, self._kind = directory, by, deck, game, kind
        self._is_split = is_split
        self._units: _Units = {
            "person": self._by_person,
            "deck": self._by_deck,
            "version": self._by_version,
            "opponent": self._by_opponent,
            "players": self._by_players,
            "first": self._by_first,
            "rules": self._by_rules,
            "month": self._by_month,
        }.get(by, self._by_tally)
        # Groups that have hits of their own; for an opponent they would be those of everyone else.
        self._has_seats = by in ("person", "deck", "version")
        self._hits: dict[str, list[BestHit]] = {}
        self._saves: dict[tuple[str, str], int] = {}
        self._people: dict[tuple[str, str], str] = {}
        self._titles: dict[str, str] = {}
        self._counts: dict[tuple[str, str], bool] = {}
        self._counting = 0
        """The number of games that count things of the grouped kind, even if they had none."""

    def count(self, rows: Iterable[ResultRow]) -> Statistics:
        # The key includes the game's word if a group is of one game.
        groups: dict[tuple[str, str], _Sums] = {}
        games, first, last = 0, None, None
        for row in rows:
            if self._game and row.game != self._game:
                continue
            about = row.result.players
            if self._deck:
                about = tuple(player for player in about if player.deck == self._deck)
                if not about:
                    continue
            games += 1
            self._counting += self._kind is not None and self._counts_kind(row.game, row.page)
            first, last = first or row.at, row.at
            best = self._count_tallies(row, about)
            places = self._places(row)
            seconds = {each.seat: each.seconds for each in about if each.seconds} if self._has_seats else {}
            game = row.game if self._is_split else ""
            for key, title, result, amount, seat in self._units(row, about):
                sums = groups.get((game, key))
                if sums is None:
                    of_game = _title(row.game, row.page)
                    whole = phrase("{game}: {group}", game=of_game, group=title) if self._is_split else title
                    sums = groups[game, key] = _Sums(whole)
                sums.add(result, row.at, amount)
                if seat in best and best[seat] > sums.best:
                    sums.best = best[seat]
                if seat in places:
                    sums.places += places[seat]
                    sums.ranked += 1
                if seat in seconds:
                    sums.seconds += seconds[seat]
                    sums.timed += 1
        kind = self._kind
        return Statistics(
            self._by,
            kind.title if kind else GROUPINGS.get(self._by, self._by.capitalize()),
            kind.amounts if kind else "",
            games,
            first,
            last,
            tuple(self._sort_groups(groups)),
            tuple(hit for some in self._hits.values() for hit in some),
            tuple(self._rescues()),
            "" if groups or not games else self._remark(),
        )

    def _sort_groups(self, groups: Mapping[tuple[str, str], _Sums]) -> list[Group]:
        counted = [sums.group(game, key, has_streaks=self._has_seats) for (game, key), sums in groups.items()]
        played: Counter[str] = Counter()
        for group in counted:
            played[group.game] += group.games

        def place(group: Group) -> tuple[object, ...]:
            match self._by:
                case "month":
                    return (group.key,)
                case "players":
                    return (int(group.key),)
                case _:
                    return (-group.games, alphabetical_key(group.title), group.key)

        return sorted(counted, key=lambda group: (-played[group.game], group.game, place(group)))

    def _remark(self) -> Message:
        """Return a sentence on why none of the counted games belongs to any group."""
        if kind := self._kind:
            # Translators: {things} are what a game counts, with a small letter: “cards”.
            things = _Lowered(kind.plural)
            if not self._counting:
                return phrase("Nothing is known of {things}: none of these games counts them.", things=things)
            if self._counting == 1:
                return phrase(
                    "Nothing is known of {things}: they are kept when a game is sealed into the records "
                    "of its decks, and this game had no stored deck or was sealed before they were kept.",
                    things=things,
                )
            return phrase(
                "Nothing is known of {things}: they are kept when a game is sealed into the records "
                "of its decks, and these games had no stored deck or were sealed before they were "
                "kept.",
                things=things,
            )
        return _REMARKS.get(self._by) or phrase(
            "Nothing is known of it: these games were played before it was recorded."
        )

    # Identity of players

    def _person(self, player: Contender) -> str:
        """Return a player's id, or the name of one without an id."""
        key = self._people.get((player.person, player.name))
        if key is None:
            person = self._directory.find(player)
            key = self._people[player.person, player.name] = person or player.name or player.seat
            self._titles[key] = self._directory.name(person, player.name) or key
        return key

    def _deck_title(self, player: Contender) -> str:
        return self._directory.decks.get(player.deck) or player.called or player.deck

    # What each game adds

    def _by_person(self, _: ResultRow, about: tuple[Contender, ...]) -> Iterator[_Unit]:
        for player in self._people_of(about):
            person = self._person(player)
            yield person, self._titles[person], player.result, 0, player.seat

    def _by_deck(self, _: ResultRow, about: tuple[Contender, ...]) -> Iterator[_Unit]:
        for player in about:
            if player.deck:
                yield player.deck, self._deck_title(player), player.result, 0, player.seat

    def _by_version(self, _: ResultRow, about: tuple[Contender, ...]) -> Iterator[_Unit]:
        for player in about:
            if player.deck and player.version:
                title = phrase("{deck}, version {version}", deck=self._deck_title(player), version=str(player.version))
                yield f"{player.deck} {player.version}", title, player.result, 0, player.seat

    def _by_opponent(self, row: ResultRow, about: tuple[Contender, ...]) -> Iterator[_Unit]:
        if row.result.is_shared:
            return
        others = self._people_of(row.result.players)
        for player in self._people_of(about):
            for other in others:
                opponent = self._person(other)
                # Of two players who both lost to a third, or won together, neither beat the other.
                is_decided = player.result != other.result or player.result == "draw"
                if is_decided and opponent != self._person(player):
                    yield opponent, self._titles[opponent], player.result, 0, ""

    def _people_of(self, players: tuple[Contender, ...]) -> tuple[Contender, ...]:
        """Return each person once, with the best result of several seats."""
        best: dict[str, Contender] = {}
        for player in players:
            before = best.setdefault(self._person(player), player)
            if _RESULTS.index(player.result) < _RESULTS.index(before.result):
                best[self._person(player)] = player
        return players if len(best) == len(players) else tuple(best.values())

    def _by_first(self, row: ResultRow, about: tuple[Contender, ...]) -> Iterator[_Unit]:
        # Each of two later players wins more often than one alone does: later players have a row only for games of two.
        number = len(row.result.players)
        if not row.result.first or row.result.is_shared or number < _PAIR:
            return
        for player in about:
            if player.seat == row.result.first:
                key = f"Had the first turn, of {number} players" if number > _PAIR else "Had the first turn"
                yield key, _title_first(number), player.result, 0, player.seat
            elif number == _PAIR:
                yield "Came later", phrase("Came later"), player.result, 0, player.seat

    def _by_players(self, row: ResultRow, about: tuple[Contender, ...]) -> Iterator[_Unit]:
        number = len(row.result.players)
        title = phrases("{n} player", "{n} players", n=number)
        yield str(number), title, self._whole(row.result, about), 0, ""

    def _by_rules(self, row: ResultRow, about: tuple[Contender, ...]) -> Iterator[_Unit]:
        rules = row.result.rules
        text = "not kept" if rules is None else ", ".join(f"{key} {value}" for key, value in sorted(rules.items()))
        title: Text = listed(starmap(state_rule, sorted((rules or {}).items()))) or phrase("by the book")
        if rules is None:
            title = phrase("not kept")
        yield text, title, self._whole(row.result, about), 0, ""

    def _by_month(self, row: ResultRow, about: tuple[Contender, ...]) -> Iterator[_Unit]:
        at = row.at.astimezone()
        yield f"{at:%Y-%m}", numeric_month(at), self._whole(row.result, about), 0, ""

    def _by_tally(self, row: ResultRow, about: tuple[Contender, ...]) -> Iterator[_Unit]:
        ended = {player.seat: player.result for player in about}
        # Players who win together are one game, and no double evidence; what both of two opponents had did not decide.
        results: dict[str, set[Result]] = {}
        amounts: Counter[str] = Counter()
        for tally in row.result.tallies:
            if tally.kind != self._by:
                continue
            if tally.won is not None:
                yield tally.name, tally.name, "won" if tally.won else "lost", tally.amount, ""
            elif tally.seat in ended:
                results.setdefault(tally.name, set()).add(ended[tally.seat])
                amounts[tally.name] += tally.amount
        for name, some in results.items():
            yield name, name, next(iter(some)) if len(some) == 1 else None, amounts[name], ""

    def _counts_kind(self, game: str, page: str) -> bool:
        """Return True if a game counts things of the grouped kind."""
        if (game, page) not in self._counts:
            self._counts[game, page] = any(kind.kind == self._by for kind in _kinds_of_game(game, page))
        return self._counts[game, page]

    def _whole(self, result: MatchResult, about: tuple[Contender, ...]) -> Result | None:
        """Return the result for the table's deck, or for all together; None if individuals won."""
        if self._deck:
            return about[0].result
        if result.is_shared:
            return "won" if result.outcome == "win" else "lost"
        return None

    def _places(self, row: ResultRow) -> Mapping[str, int]:
        """Return the place of each seat at a table of three or more; empty if all play together."""
        players = row.result.players
        if not self._has_seats or len(players) < _RANKED or row.result.is_shared:
            return {}
        return {player.seat: place for player, place in zip(players, places_of(row), strict=True)}

    # Hits and saves

    def _count_tallies(self, row: ResultRow, about: tuple[Contender, ...]) -> Mapping[str, int]:
        """Count hits and saves; return the hardest hit of each seat."""
        best: dict[str, int] = {}
        for tally in row.result.tallies:
            if tally.kind == HIT:
                best[tally.seat] = tally.amount
                self._count_hit(row, about, tally)
            elif tally.kind == SAVE:
                by, other = (row.result.player(seat) for seat in (tally.seat, tally.other))
                if by is not None and other is not None and (by in about or other in about):
                    pair = self._person(by), self._person(other)
                    self._saves[pair] = self._saves.get(pair, 0) + 1
        return best if self._has_seats else {}

    def _count_hit(self, row: ResultRow, about: tuple[Contender, ...], tally: Tally) -> None:
        hits = self._hits.setdefault(row.game, [])
        if len(hits) == _HITS and tally.amount <= hits[-1].amount:
            return
        by, on = (row.result.player(seat) for seat in (tally.seat, tally.other))
        if by is None or by not in about:
            return
        names = [self._titles[self._person(player)] if player else "" for player in (by, on)]
        hits.append(BestHit(row.game, tally.amount, names[0], tally.name, names[1], row.at, row.session))
        hits.sort(key=lambda hit: -hit.amount)
        del hits[_HITS:]

    def _rescues(self) -> Iterator[Rescues]:
        pairs = sorted(
            self._saves.items(),
            key=lambda pair: (-pair[1], *(alphabetical_key(self._titles[each]) for each in pair[0])),
        )
        for (by, other), times in pairs[:_SAVES]:
            yield Rescues(self._titles[by], self._titles[other], times)


_REMARKS: Final = {
    "deck": phrase("None of these games was played with a stored deck."),
    "version": phrase("None of these games was played with a stored deck that has versions."),
    "opponent": phrase("Nobody met an opponent in these games: all won or lost together, or played alone."),
    "first": phrase(
        "Nothing is known of who began: nobody has the first turn in these games, or all win or lose together."
    ),
}


def _title_first(number: int) -> Message:
    """Return the title of the group of those who had the first turn of so many players."""
    if number > _PAIR:
        return phrase("Had the first turn, of {players} players", players=str(number))
    return phrase("Had the first turn")


def _kinds_of_game(game: str, page: str) -> tuple[TallyKind, ...]:
    """Return the kinds of things that a game counts; none for a game that is not here any more."""
    try:
        return registry.game(game, page).evenings.tally_kinds
    except NotationError:
        return ()


@cache
def _title(game: str, page: str) -> Text:
    return registry.title(game, page)
