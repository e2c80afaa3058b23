"""The league screens: standings, pairings, and results entered with a few keys."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static
from textual.widgets.option_list import Option

from companion.archive import Archive
from companion.archive.people import leagues
from companion.archive.storage.rows import LeagueRow
from companion.forms.league_form import LeagueForm
from companion.league import display, season
from companion.league.league import LeagueMatch
from companion.league.season import Offer, Season
from companion.session.table.form_filling import FormResult
from companion.tui import drawing
from companion.tui.screens.base import StatusScreen, key_name
from companion.tui.screens.form import open_form
from companion.tui.screens.listing import ListScreen, fits
from companion.tui.widgets.bars import Key
from templates.languages.messages import Text, all_of, joined, listed, phrase, phrase_in, phrases

_GAMES: Final = re.compile(r"\d{1,3}[-:–]\d{1,3}(?:[-:–]\d{1,3})?")
_VERBS: Final = ("join", "drop", "bye", "absent", "pair")
"""The words that can be typed before names."""


class LeaguesScreen(ListScreen):
    """All leagues; Enter opens one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f4", "begin", "Begin one", id="leagues.new", tooltip="Begin a league, step by step"),
    ]
    heading = phrase("Leagues")
    placeholder = phrase("type the name of a league")
    nothing = phrase("There is no league yet; F4 begins one.")

    def __init__(self, archive: Archive) -> None:
        super().__init__(archive)
        self._leagues: Sequence[LeagueRow] = ()

    def list_rows(self, text: str) -> Sequence[Option]:
        """Return the leagues that match; the open ones come before the closed ones."""
        self._leagues = leagues.leagues(self.archive)
        return [_league_option(row) for row in self._leagues if fits(text, row.name)]

    def describe_row(self, row: str) -> Content:
        """Describe the standings and the current round."""
        return Content("\n").join(_describe(season.read_season(self.archive, row)))

    async def take(self, row: str, text: str) -> None:
        """Open the league."""
        if row:
            self.box.value = ""
            await self.app.push_screen(LeagueScreen(self.archive, row))
        elif text:
            self.say(phrase("No league is called “{text}”.", text=text), wrong=True)

    async def action_begin(self) -> None:
        """Open the form for a new league."""
        await open_form(self, lambda: LeagueForm(self.archive), self._show_new_league)

    async def _show_new_league(self, outcome: FormResult | None) -> None:
        if outcome is not None:
            await self.refill(outcome.id)
            self.say(str(outcome.message))

    def keys(self) -> Sequence[Key]:
        """Return the key that begins a league."""
        # Translators: “one” is a league.
        return ((key_name(self, "leagues.new"), phrase("Begin one"), "screen.begin"),)


class LeagueScreen(ListScreen):
    """One league: the matches of a round beside its standings. A score such as `2-1` is typed for the chosen match."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "draw", "Next round", id="leagues.draw", tooltip="Draw the pairings of the next round"),
        Binding("f8", "redraw", "Draw again", id="leagues.redraw", tooltip="Draw this round once more; press it twice"),
        Binding("f3", "round(-1)", "Round before", id="leagues.before", tooltip="Show the previous round"),
        Binding("f4", "round(1)", "Round after", id="leagues.after", tooltip="Show the next round"),
    ]
    heading = phrase("League")
    # Translators: The words join, drop, bye, absent, pair are typed in English.
    placeholder = phrase("2-1 or a name; join, drop, bye, absent or pair NAME")
    verb = phrase("Take")
    # Translators: The words join and drop are typed in English.
    nothing = phrase("No round is drawn yet: F2 draws one. join NAME and drop NAME change who plays.")
    filters = False

    def __init__(self, archive: Archive, league: str) -> None:
        super().__init__(archive)
        self._league = league
        self._season: Season | None = None
        self._round = 0
        self._offers: dict[str, Offer] = {}
        self._sure = ""

    def list_rows(self, text: str) -> Sequence[Option]:
        """Return the matches of the round that have the typed names, the open ones first."""
        read = self._season = season.read_season(self.archive, self._league)
        if not 0 < self._round <= read.league.rounds:
            self._round = read.league.rounds
        offers = season.find_offers(self.archive, read)
        self._offers = {_match_id(offer.match): offer for offer in offers}
        words = " ".join(word for word in _split_words(text) if word in _names(text))
        matches = sorted(read.league.round(self._round), key=lambda match: not match.is_open)
        rows = [(match, _match_option(read, match, self._offers.get(_match_id(match)))) for match in matches]
        fitting = [row for match, row in rows if fits(words, display.pairing(read, match))]
        return fitting or [row for _, row in rows]

    def describe_row(self, row: str) -> Content:
        """Describe the effect of Enter on the match, then the standings."""
        read = self._season or season.read_season(self.archive, self._league)
        match = self._find_match(row)
        about = [] if match is None else [_describe_match(read, match, self._offers.get(row)), Content("")]
        return Content("\n").join([*about, *_describe(read, self._round)])

    async def take(self, row: str, text: str) -> None:
        """Enter the result of the chosen match, take the one of a sealed game, or run a word before names."""
        words = _split_words(text)
        if words and words[0].casefold() in _VERBS:
            await self._change(words[0].casefold(), words[1:])
            return
        match = self._find_match(row)
        if match is None or self._season is None:
            self.say(self.nothing)
            return
        await self._enter(match, words, self._offers.get(row))

    def show_keys(self) -> None:
        """Show the keys, and the league and round above the list."""
        super().show_keys()
        if self._season is not None:
            title = joined(" · ", (self._season.row.name, display.round_title(self._season, self._round)))
            self.query_one("#title", Static).update(Content(str(title if self._round else self._season.row.name)))

    async def _enter(self, match: LeagueMatch, words: Sequence[str], offer: Offer | None) -> None:
        read = self._season
        assert read is not None
        outcome = await self.run_query(lambda: _read_result(read, match, words, offer))
        if outcome is None:
            return
        if match.result is not None:
            # Translators: {result} is the result of a match, such as “Ana won 2-1”.
            why_not = phrase("It is {result} already.", result=season.describe_result(read, match))
            if not self._is_sure(f"{match.round} {match.table} {words}", why_not):
                return
            done = await self.run_query(lambda: season.correct(self.archive, read, outcome, match.round))
        else:
            done = await self.run_query(lambda: season.enter(self.archive, read, outcome, number=match.round))
        await self._show(done)
        if done is not None:
            now = done.league.match(match.round, match.table) or match
            left = sum(other.is_open for other in done.league.round(match.round))
            # Translators: {people} are those who played, {result} how it ended.
            outcome_text = phrase(
                "{people}: {result}.", people=display.pairing(done, now), result=season.describe_result(done, now)
            )
            rest = (
                phrases("{n} still open.", "{n} still open.", n=left)
                if left
                else phrase("All results are in; {key} draws the next round.", key=key_name(self, "leagues.draw"))
            )
            self.say(joined(" ", (outcome_text, rest)))

    async def _change(self, verb: str, names: Sequence[str]) -> None:
        read = self._season
        if read is None or not names:
            # Translators: {verb} is a word that is typed, such as “join”.
            self.say(phrase("Add a name: {verb} NAME.", verb=verb), wrong=True)
            return
        done = await self.run_query(lambda: _apply_change(self.archive, read, verb, names, self._round))
        await self._show(done)
        if done is not None:
            # Translators: {line} is what was typed.
            line = phrase("Done: {line}.", line=" ".join((verb, *names)))
            left = phrases("{n} play on.", "{n} play on.", n=len(done.league.active))
            self.say(joined(" ", (line, left)))

    async def action_draw(self) -> None:
        """Draw the next round; ask for a second press if results are open."""
        read = self._season
        if read is None:
            return
        why_not = season.may_draw(read)
        if why_not and not self._is_sure(f"draw {read.row.length}", why_not):
            return
        self._round = 0
        done = await self.run_query(lambda: season.draw_next(self.archive, read))
        await self._show(done)
        if done is not None:
            self.say(phrase("Round {number} is drawn.", number=str(done.league.rounds)))

    async def action_redraw(self) -> None:
        """Draw the last round again, after a second press."""
        read = self._season
        if read is None or not self._is_sure(
            f"redraw {read.row.length}",
            phrase(
                "Round {number} is drawn, people may have seen it, and its results would count no more.",
                number=str(read.league.rounds),
            ),
        ):
            return
        done = await self.run_query(lambda: season.redraw_last(self.archive, read))
        await self._show(done)
        if done is not None:
            self.say(phrase("Round {number} is drawn again.", number=str(done.league.rounds)))

    async def action_round(self, by: int) -> None:
        """Show another round."""
        if self._season is not None:
            self._round = min(max(1, self._round + by), max(1, self._season.league.rounds))
            await self.refill()

    async def _show(self, done: Season | None) -> None:
        if done is not None:
            self._sure = ""
            self.box.value = ""
            number = self._round or done.league.rounds
            still_open = (match for match in done.league.round(number) if match.is_open)
            await self.refill(next(map(_match_id, still_open), ""))

    def _is_sure(self, what: str, why_not: Text) -> bool:
        """Return True if the same was requested before; else show the reason against it, and how to do it all
        the same.
        """
        if self._sure == what:
            return True
        self._sure = what
        self.say(joined(" ", (why_not, phrase("Repeat it to do it anyway."))), wrong=True)
        return False

    def _find_match(self, row: str) -> LeagueMatch | None:
        matches = self._season.league.round(self._round) if self._season else ()
        return next((match for match in matches if _match_id(match) == row), None)

    def keys(self) -> Sequence[Key]:
        """Return the keys for rounds."""
        ways = (
            ("leagues.draw", phrase("Next round"), "screen.draw"),
            ("leagues.redraw", phrase("Draw again"), "screen.redraw"),
            ("leagues.before", phrase("Before"), "screen.round(-1)"),
            ("leagues.after", phrase("After"), "screen.round(1)"),
        )
        return [(key_name(self, name), title, action) for name, title, action in ways]


def _split_words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _names(text: str) -> list[str]:
    """Return the words of a text that may be part of a name to search for."""
    words = _split_words(text)
    if words and words[0].casefold() in _VERBS:
        return []
    return [word for word in words if not _GAMES.fullmatch(word) and "=" not in word and ":" not in word]


def _match_id(match: LeagueMatch) -> str:
    return f"{match.round}.{match.table}"


def _read_result(read: Season, match: LeagueMatch, words: Sequence[str], offer: Offer | None) -> season.MatchOutcome:
    """Read the result of a match. A score alone is in the order of its people; no words take the result of a sealed
    game.

    Raises LeagueError, also if the words contain no result.
    """
    if match.is_bye:
        # Translators: The word pair is typed in English.
        text = phrase("{person} has a bye; pair NAME NAME has two play each other.", person=read.name(match.people[0]))
        raise season.LeagueError(text)
    if not words and offer is not None and match.result is None:
        return offer.outcome
    named = [word for word in words if not _GAMES.fullmatch(word)]
    if not words or (len(named) == len(words) == 1 and not set("=:") & set(named[0])):
        # A name alone only searched for its match.
        raise season.LeagueError(_how_to_enter(read, match))
    if not named:
        return season.read_outcome(read, [*match.people, *words])
    whole = named if len(named) > 1 or "=" in named[0] else [named[0], *_others(read, match, named[0])]
    return season.read_outcome(read, [*whole, *(word for word in words if word not in named)])


def _others(read: Season, match: LeagueMatch, name: str) -> list[str]:
    """Return the opponent in a match. Raises LeagueError for a name that is not in it, or if more than two play."""
    person = read.find(name)
    others = [other for other in match.people if other != person]
    if len(others) != 1:
        text = phrase("Name all who play at table {table}, the first place first.", table=str(match.table))
        raise season.LeagueError(text)
    return others


def _apply_change(archive: Archive, read: Season, verb: str, names: Sequence[str], number: int) -> Season:
    match verb:
        case "join":
            for name in names:
                read = season.join(archive, read, name)
        case "drop":
            for name in names:
                read = season.drop(archive, read, name)
        case "bye":
            for name in names:
                read = season.give_bye(archive, read, name, number)
        case "pair":
            read = season.pair(archive, read, names, number)
        case _:
            return _note_absence(archive, read, names, number)
    return read


def _note_absence(archive: Archive, read: Season, names: Sequence[str], number: int) -> Season:
    gone = [read.find(name) for name in names]
    for match in read.league.round(number):
        if not set(gone) <= set(match.people) or match.is_bye:
            continue
        there = [person for person in match.people if person not in gone]
        outcome = season.read_outcome(read, [*there, *gone], absent=gone)
        act = season.enter if match.result is None else season.correct
        return act(archive, read, outcome, number=number)
    text = phrase("{people} are not paired in round {number}.", people=all_of(map(read.name, gone)), number=str(number))
    raise season.LeagueError(text)


def _league_option(row: LeagueRow) -> Option:
    people = phrases("{n} people", "{n} people", n=row.people)
    # Translators: A league that has ended.
    state = phrase_in("league", "closed") if row.closed else phrase("round {number}", number=str(row.rounds))
    about = joined(" · ", (people, state))
    return Option(Content.assemble((row.name, drawing.BOLD), (f"  {about}", drawing.DIM)), row.league)


def _match_option(read: Season, match: LeagueMatch, offer: Offer | None) -> Option:
    ended: Text = season.describe_result(read, match)
    if offer is not None:
        ended = phrase("played here: Enter takes it")
    elif not ended:
        # Translators: A match without a result.
        ended = phrase_in("match", "open")
    names = str(display.pairing(read, match))
    table = (f"{match.table:>3}  ", drawing.DIM)
    return Option(Content.assemble(table, (names, drawing.BOLD), (f"  {ended}", drawing.DIM)), _match_id(match))


def _describe_match(read: Season, match: LeagueMatch, offer: Offer | None) -> Content:
    if offer is not None:
        return Content.assemble(("Enter: ", drawing.BOLD), str(season.describe_offer(read, offer)))
    return Content(str(_how_to_enter(read, match)))


def _how_to_enter(read: Season, match: LeagueMatch) -> Text:
    names = [read.name(person) for person in match.people]
    if match.is_bye:
        return phrase("{person} has a bye.", person=names[0])
    if len(names) > 2:
        # Translators: {names} and {example} are lines to type.
        return phrase(
            "Type the names in order of place: {names}; or all scores: {example} …",
            names=" ".join(names),
            example=f"{names[0]}:12",
        )
    if match.result is not None:
        return phrase("{result}. Type another score to correct it.", result=season.describe_result(read, match))
    # Translators: What scores mean that are typed: {first} and {second} are the two players.
    return phrase(
        "2-1: {first} won by two games · 1-0 if nobody counted · 0-1: {second} · 1-1: a draw",
        first=names[0],
        second=names[1],
    )


def _describe(read: Season, number: int | None = None) -> Iterator[Content]:
    """Yield the league, then its standings in columns."""
    yield Content.assemble((read.row.name, "bold $text-accent"), f"  {display.describe_league(read)}")
    if number:
        yield Content(str(display.round_title(read, number)))
    yield Content("")
    table = display.standings_table(read)
    kept = [at for at, column in enumerate(table.columns) if column.key not in ("byes", "games")]
    rows = [[str(cells[at]) for at in kept] for cells in (table.headings, *table.rows)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(kept))]
    for number_of_row, row in enumerate(rows):
        cells = [
            cell.ljust(width) if at == 1 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        if not number_of_row:
            yield Content.styled("  ".join(cells), drawing.DIM)
        else:
            name, points = (cells[1], drawing.BOLD), (f"{cells[2]}", drawing.BOLD)
            rest = ("  ".join(["", *cells[3:]]), drawing.DIM)
            yield Content.assemble((f"{cells[0]}  ", drawing.DIM), name, "  ", points, rest)
    yield Content("")
    ties = listed(f"{short} {name}" for short, name in display.tie_break_names(read))
    # Translators: What decides between people with equal points.
    yield Content.styled(str(phrase("Ties: {rules}", rules=ties)), drawing.DIM)


async def open_leagues(screen: StatusScreen, archive: Archive) -> None:
    """Open the list of leagues."""
    await screen.app.push_screen(LeaguesScreen(archive))
