"""The league screens: standings, pairings, and results entered with a few keys."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static
from textual.widgets.option_list import Option

from companion.archive import Archive
from companion.archive.people import leagues
from companion.archive.storage.rows import LeagueRow
from companion.forms.league_form import LeagueForm
from companion.league import display, entering, season
from companion.league.league import LeagueMatch
from companion.league.season import Offer, Season
from companion.session.table.form_filling import FormResult
from companion.tui import drawing
from companion.tui.screens.base import StatusScreen, key_name
from companion.tui.screens.form import open_form
from companion.tui.screens.listing import ListScreen, fits
from companion.tui.widgets.bars import Key
from templates.languages.messages import Text, joined, listed, phrase, phrase_in, phrases


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
        if words and words[0].casefold() in entering.VERBS:
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
        outcome = await self.run_query(lambda: entering.read_result(read, match, words, offer))
        if outcome is None:
            return
        if match.result is not None:
            # Translators: {result} is the result of a match, such as “Ana won 2-1”.
            why_not = phrase("It is {result} already.", result=season.describe_result(read, match))
            if not self._is_sure(f"{match.round} {match.table} {words}", why_not):
                return
        done = await self.run_query(lambda: entering.store_outcome(self.archive, read, match, outcome))
        await self._show(done)
        if done is not None:
            rest = entering.count_open(done, match.round) or phrase(
                "All results are in; {key} draws the next round.", key=key_name(self, "leagues.draw")
            )
            self.say(joined(" ", (entering.describe_entry(done, match), rest)))

    async def _change(self, verb: str, names: Sequence[str]) -> None:
        read = self._season
        if read is None or not names:
            # Translators: {verb} is a word that is typed, such as “join”.
            self.say(phrase("Add a name: {verb} NAME.", verb=verb), wrong=True)
            return
        done = await self.run_query(lambda: entering.apply_change(self.archive, read, verb, names, self._round))
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
    if words and words[0].casefold() in entering.VERBS:
        return []
    return [word for word in words if not entering.is_score(word) and "=" not in word and ":" not in word]


def _match_id(match: LeagueMatch) -> str:
    return f"{match.round}.{match.table}"


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
    return Content(str(entering.how_to_type(read, match)))


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
