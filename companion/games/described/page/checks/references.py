"""Checks that a page is consistent: its names exist, its starts are within bounds, and its lines are possible."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from companion.games.described.page.actions import reserved_verbs
from companion.games.described.page.amounts import (
    PARTNER,
    SEVERAL,
    Amount,
    Name,
    Number,
    Standing,
    all_parts,
    names_in,
    parse_amount,
)
from companion.games.described.page.campaign import CAMPAIGN, QUESTIONS_OF_CAMPAIGNS
from companion.games.described.page.checks.amounts import (
    NOBODY,
    AmountPlace,
    check_amount,
    check_comparison_bounds,
    check_names,
    check_table_words,
)
from companion.games.described.page.checks.asking import (
    check_asked,
    check_order,
    check_secret_limits,
    check_turns_of_things,
)
from companion.games.described.page.checks.campaign import check_campaign, check_question
from companion.games.described.page.checks.lines import ANY_WORD, LINES, PerformedLine
from companion.games.described.page.checks.names import (
    BOX_FIGURE,
    CHOICE,
    COLUMN,
    COUNTER,
    KIND_OF_THING,
    LINE,
    NO_TAKES,
    OWNER,
    PARAMETER,
    PEOPLE,
    POOL,
    STEP,
    TIER,
    TOKEN,
    TOKEN_OR_FLAG,
    WORD_OF_COUNTER,
    ZONE,
    PageNames,
    Wrong,
    check_in_bounds,
    no_such_name,
    owner_text,
    speaks_of,
)
from companion.games.described.page.conditions import (
    OPERATORS,
    OWNERS,
    POOL_COUNTERS,
    Condition,
    describe_nobody,
    parse_condition,
    sides_of,
    with_amount,
)
from companion.games.described.page.description import (
    RIVAL,
    SEAT,
    TABLE,
    TEAM,
    After,
    CounterDefinition,
    DecksDefinition,
    Description,
    End,
    Flag,
    Own,
    Points,
    Pool,
    SheetDefinition,
)
from companion.games.described.page.takes import OWNER_WORD, TAKEN_WORD, Taken, parse_takes
from companion.games.described.page.texts import as_written, told_words
from companion.games.described.page.toml_lines import Path
from companion.tabletop.action import NotationError
from companion.tabletop.decks.decklist import handle
from companion.tabletop.notation.arguments import Words
from companion.tabletop.text import in_quotes
from templates.languages.messages import Message, phrase, phrases

TURN: Final = "turn"
ROUND: Final = "round"
_HOUSE_STEPS: Final = frozenset({"setup", "after", "order", TURN, ROUND})
_NO_WORDS: Final = frozenset(
    {*PEOPLE, TABLE, "none", "any", "nobody", "has", "not", "out", "lot", "yes", "no", SEAT, RIVAL}
)


def wrong_references(page: Description) -> Wrong:
    """Yield all inconsistencies of a parsed page."""
    return CheckedPage(page).wrong()


class CheckedPage(PageNames):
    """A page whose parts are checked against each other."""

    def wrong(self) -> Wrong:
        """Yield all problems, one part of the page after the other."""
        page = self.page
        yield from self._play()
        yield from self._words()
        for word, counter in page.counters.items():
            yield from self._counter(counter, ("counters", word))
        yield from self._only_one_main()
        yield from self._check_circles()
        yield from self._flags_and_tokens()
        yield from self._things()
        for word, pool in page.pools.items():
            yield from self._pool(pool, ("pools", word))
        for word, own in page.actions.items():
            yield from self._own(own, ("actions", word))
        if page.sheet is not None:
            yield from self._check_sheet(page.sheet)
        yield from self._end(page.end)
        yield from self._decks_and_ceremony()
        yield from self._house()

    def _flags_and_tokens(self) -> Wrong:
        for word, flag in self.page.flags.items():
            path: Path = ("flags", word)
            yield from self._check_owner(flag.of, (SEAT, TEAM, TABLE, *self.page.things), (*path, "of"))
            yield from self._check_moment(flag.reset, (*path, "reset"))
        for word, token in self.page.tokens.items():
            yield from self._check_step(token.at, ("tokens", word, "at"))
            yield from self._check_moment(token.reset, ("tokens", word, "reset"))

    def _things(self) -> Wrong:
        for word, kind in self.page.things.items():
            path: Path = ("things", word)
            yield from self.check_name(kind.zone, self.page.zones, ZONE, (*path, "zone"))
            if kind.by:
                yield from check_turns_of_things(self, kind, word)
            yield from _check_duplicates((each.name for each in kind.list), (*path, "list"), "name")
            for at, listed in enumerate(kind.list):
                yield from self._thing_figures(listed.figures, word, (*path, "list", at, "figures"))
        yield from self._first_things()
        yield from self._check_lanes()

    def _first_things(self) -> Wrong:
        """Check that the number of things at the start is within the limit."""
        number = 0
        for word, kind in self.page.things.items():
            for at, listed in enumerate(kind.list):
                number += listed.start * (self.players[1] if kind.of == SEAT else 1)
                if listed.start and number > _MOST_FIRST:
                    text = phrase(
                        "More than {most_first} things would lie there at first; let the others come by `put`.",
                        most_first=str(_MOST_FIRST),
                    )
                    yield ("things", word, "list", at, "start"), text
                    return

    def _check_lanes(self) -> Wrong:
        """Check that the lanes have room for all things at the start."""
        first: dict[str, int] = {}
        for word, kind in self.page.things.items():
            zone = self.page.zones.get(kind.zone)
            for at, listed in enumerate(kind.list):
                if zone is None or not zone.lanes or not listed.start:
                    continue
                each = self.players[1] if kind.of == SEAT and zone.of == TABLE else 1
                first[kind.zone] = first.get(kind.zone, 0) + each
                if first[kind.zone] > zone.lanes:
                    text = phrase(
                        "{zone} has {lanes} lanes, and more than these lie there at first.",
                        zone=in_quotes(kind.zone),
                        lanes=str(zone.lanes),
                    )
                    yield ("things", word, "list", at, "start"), text
                    return

    def _decks_and_ceremony(self) -> Wrong:
        page = self.page
        if page.decks is not None:
            yield from _check_decks(page.decks)
        if page.purse is not None:
            yield from self._check_figure(page.purse.counter, SEAT, ("purse", "counter"))
        yield from _check_duplicates((each.name for each in page.after), ("after",), "name")
        for at, after in enumerate(page.after):
            yield from self._check_after(after, ("after", at))
        yield from check_campaign(page)

    # Names

    def _check_owner(self, of: str, owners: Collection[str], path: Path) -> Wrong:
        """Check that there is such an owner of figures; teams are owners only if the page has teams."""
        names = [each for each in owners if each != TEAM or self.has_teams or of == TEAM]
        yield from self.check_name(of, names, OWNER, path)
        if of == TEAM and not self.has_teams and TEAM not in self.page.things:
            yield path, phrase("This needs teams; write teams = 2 below [play].")

    def _check_step(self, word: str, path: Path) -> Wrong:
        yield from self.check_name(word, self.steps, STEP, path)

    def _check_moment(self, word: str, path: Path) -> Wrong:
        if word and word not in (TURN, ROUND, *self.steps):
            yield path, no_such_name(word, (TURN, ROUND, *self.steps), STEP)

    def _check_figure(self, word: str, of: str, path: Path, *, flags: bool = False, teams: bool = False) -> Wrong:
        """Check that an owner has a counter (or a flag) of this name; with `teams`, the team of a seat may have it."""
        figures = {**self.figures.get(of, {}), **(self.figures[TEAM] if teams and self.has_teams else {})}
        if word in figures and (flags or isinstance(figures[word], CounterDefinition)):
            return
        if word in self.page.counters or (flags and word in self.page.flags):
            others: dict[str, CounterDefinition | Flag] = {**self.page.flags, **self.page.counters}
            yield (
                path,
                phrase(
                    "{word} is a counter of {owner}, not of {other}.",
                    word=in_quotes(word),
                    owner=owner_text(others[word].of),
                    other=owner_text(of),
                ),
            )
        else:
            names = [name for name, figure in figures.items() if flags or isinstance(figure, CounterDefinition)]
            yield path, no_such_name(word, names, COUNTER, owner_text(of))

    def _words(self) -> Wrong:
        page = self.page
        tables: dict[str, Mapping[str, Any]] = {
            "counters": page.counters,
            "flags": page.flags,
            "tokens": page.tokens,
            "things": page.things,
        }
        seen: dict[str, str] = {}
        for table, names in tables.items():
            for word in names:
                if word in _NO_WORDS:
                    yield (
                        (table, word),
                        phrase("{word} means something else in lines; choose another word.", word=in_quotes(word)),
                    )
                elif word in seen:
                    yield (
                        (table, word),
                        phrase(
                            "{word} is in [{table}], too; choose another word.",
                            word=in_quotes(word),
                            table=seen[word],
                        ),
                    )
                seen.setdefault(word, table)
        yield from self._verbs_and_places()

    def _verbs_and_places(self) -> Wrong:
        page = self.page
        for word in page.pools:
            if word in _NO_WORDS:
                yield (
                    ("pools", word),
                    phrase("{word} means something else in lines; choose another word.", word=in_quotes(word)),
                )
        reserved = reserved_verbs(page)
        for verb in page.actions:
            if verb in reserved or verb in _NO_WORDS:
                yield (
                    ("actions", verb),
                    phrase("{verb} is a line that every game has; choose another word.", verb=in_quotes(verb)),
                )
        yield from _check_duplicates(self.steps, ("steps",), "name")
        for at, step in enumerate(self.steps):
            if step in _HOUSE_STEPS:
                yield (
                    ("steps", at, "name"),
                    phrase("{step} is a step that every game has; choose another word.", step=in_quotes(step)),
                )

    # Players

    def _play(self) -> Wrong:
        play, (least, most) = self.page.play, self.players
        if least > most:
            yield (
                ("play", "players"),
                phrase(
                    "{players} begins with the larger number; write {most}-{least}.",
                    players=in_quotes(play.players),
                    most=str(most),
                    least=str(least),
                ),
            )
        if play.by_counter:
            path: Path = ("play", "by") if isinstance(play.by, str) else ("play", "by", 0)
            yield from self._check_figure(play.by_counter, SEAT, path)
        yield from check_order(self)
        if play.teams == 1 or play.teams > most:
            yield (
                ("play", "teams"),
                phrase(
                    "{teams} is not possible; with up to {most} players write 2 to {most}, or 0.",
                    teams=str(play.teams),
                    most=str(most),
                ),
            )
        yield from self._check_team_titles()
        if not isinstance(play.rounds, int):
            yield from check_table_words(play.rounds, ("play", "rounds"))

    def _check_team_titles(self) -> Wrong:
        if self.has_teams and TEAM in self.page.things:
            text = phrase("{word} means something else in lines; choose another word.", word=in_quotes(TEAM))
            yield ("things", TEAM), text
        titles, path = self.page.play.team_titles, ("play", "team-titles")
        words = [*map(handle, map(as_written, titles))]
        yield from _check_duplicates(words, path, "")
        if titles and len(titles) != self.page.play.teams:
            yield (
                path,
                phrase(
                    "There are {titles} names for {teams} teams.", titles=str(len(titles)), teams=self.page.play.teams
                ),
            )
        for at, word in enumerate(words):
            if word in _NO_WORDS or word in {*self.page.counters, *self.page.pools, *self.page.tokens}:
                yield (
                    (*path, at),
                    phrase("{word} means something else in lines; choose another word.", word=in_quotes(word)),
                )

    # Figures

    def _counter(self, counter: CounterDefinition, path: Path) -> Wrong:
        yield from self._check_owner(counter.of, (SEAT, TEAM, TABLE, RIVAL, *self.page.things), (*path, "of"))
        yield from self._counter_of_words(counter, path) if counter.words else _check_bounds(counter, path)
        for number in counter.start_by_players:
            if not number.isdecimal() or not self.players[0] <= int(number) <= self.players[1]:
                players = in_quotes(self.page.play.players)
                yield (
                    (*path, "start-by-players", number),
                    phrase(
                        "{number} is not a possible number of players; the game is for {players}.",
                        number=in_quotes(number),
                        players=players,
                    ),
                )
        yield from self._check_growth(counter, path)
        if counter.out:
            yield from self._check_out(counter, path)
        yield from self._check_asked(counter, path)
        yield from self._check_moment(counter.reset, (*path, "reset"))
        yield from self._check_moment(counter.at, (*path, "at"))
        if counter.at and not counter.each:
            yield (*path, "at"), phrase("This works only with each = …, which says by how much it grows.")
        if counter.reset_to:
            yield from self._check_figure(counter.reset_to, counter.of, (*path, "reset-to"))
            if counter.words or counter.sum or counter.of == RIVAL:
                yield (
                    (*path, "reset-to"),
                    phrase("Only a counter of a seat, a thing or the table can be filled in this way."),
                )
            if not counter.reset:
                yield (*path, "reset-to"), phrase('This works only with reset = "…", which says when it is filled.')
        if counter.of == RIVAL and counter.each:
            yield (
                (*path, "each"),
                phrase("A counter between two seats cannot grow by itself, as nobody says for whom; leave this out."),
            )
        yield from self._check_sum(counter, path)
        yield from self._check_follows(str(path[-1]), counter, path)
        yield from self._check_most(counter, path)
        for other in counter.also:
            of, place = SEAT if counter.of == RIVAL else counter.of, (*path, "also", other)
            yield from self._check_figure(other, of, place, teams=of == SEAT)
            yield from self._check_moved(other, place)

    def _check_moved(self, word: str, path: Path) -> Wrong:
        """Check that a counter that moves with another one has a figure of its own."""
        counter = self.page.counters.get(word)
        if counter is not None and counter.words:
            yield path, phrase("{word} is not a figure.", word=in_quotes(word))
        if counter is not None and counter.sum:
            text = phrase("{part} is a sum itself; name the counters that it adds up.", part=in_quotes(word))
            yield path, text

    def _check_growth(self, counter: CounterDefinition, path: Path) -> Wrong:
        """Check the amounts with which a counter starts and by which it grows."""
        if not isinstance(counter.start, int):
            if counter.of == TABLE:
                yield from check_table_words(counter.start, (*path, "start"))
            else:
                yield from check_amount(self, counter.start, AmountPlace((*path, "start"), of=TABLE))
        if not isinstance(counter.each, int):
            if counter.words:
                yield (*path, "each"), phrase("A counter of words moves on by a whole number.")
            else:
                yield from check_amount(self, counter.each, AmountPlace((*path, "each"), of=counter.of))

    def _check_asked(self, counter: CounterDefinition, path: Path) -> Wrong:
        """Check how players are asked for a counter, and what their answers must meet."""
        yield from self._check_step(counter.ask_at, (*path, "ask-at"))
        yield from check_asked(self, counter, path)
        for at, text in enumerate(counter.limits):
            inner: Path = (*path, "limit") if isinstance(counter.limit, str) else (*path, "limit", at)
            yield from self._check_condition(text, inner, me=True, subject=SEAT)

    def _check_most(self, counter: CounterDefinition, path: Path) -> Wrong:
        """Check that the maximum of a counter is another counter with figures, if it is one."""
        if not counter.most_counter:
            return
        word, path = counter.most_counter, (*path, "most")
        if counter.of == RIVAL or counter.words or counter.sum:
            yield path, phrase("Only a figure of its own has a counter as its maximum; write a whole number.")
            return
        yield from self._check_figure(word, counter.of, path)
        other = self.page.counters.get(word)
        if word == path[-2]:
            yield path, phrase("{word} would be its own maximum.", word=in_quotes(word))
        elif other is not None and other.words:
            yield path, phrase("{word} is not a figure.", word=in_quotes(word))

    def _only_one_main(self) -> Wrong:
        first: dict[str, str] = {}
        for word, counter in self.page.counters.items():
            if counter.main and first.setdefault(counter.of, word) != word:
                text = phrase(
                    "{counter} is the main counter already; a name and a number alone mean one counter only.",
                    counter=in_quotes(first[counter.of]),
                )
                yield ("counters", word, "main"), text

    def _check_sum(self, counter: CounterDefinition, path: Path) -> Wrong:
        for at, part in enumerate(counter.sum):
            yield from self._check_figure(part, counter.of, (*path, "sum", at))
            if part in self.page.counters and self.page.counters[part].sum:
                yield (
                    (*path, "sum", at),
                    phrase("{part} is a sum itself; name the counters that it adds up.", part=in_quotes(part)),
                )
        for key in ("start", "start-by-players", "each", "reset", "also", "words") if counter.sum else ():
            if getattr(counter, key.replace("-", "_")):
                yield (
                    (*path, key),
                    phrase("This counter is the sum of others and has no value of its own; leave this out."),
                )

    def _check_follows(self, word: str, counter: CounterDefinition, path: Path) -> Wrong:
        """Check a counter whose word follows another counter."""
        if not counter.follows:
            if counter.thresholds:
                yield (*path, "from"), phrase('This needs the counter that decides: follows = "score".')
            return
        yield from self._check_figure(counter.follows, counter.of, (*path, "follows"))
        other = self.page.counters.get(counter.follows)
        if counter.follows == word or (other is not None and other.words):
            yield (*path, "follows"), phrase("{word} is not a figure.", word=in_quotes(counter.follows))
        if len(counter.thresholds) != len(counter.words) or not counter.words:
            text = phrase("Write as many words as there are values in from.")
            yield (*path, "words"), text
        elif list(counter.thresholds) != sorted(set(counter.thresholds)):
            yield (*path, "from"), phrase("Write the smallest value first, and each once.")
        for key in ("each", "reset", "reset_to"):
            if getattr(counter, key, ""):
                text = phrase("This counter follows another and has no value of its own; leave this out.")
                yield (*path, key.replace("_", "-")), text

    def _counter_of_words(self, counter: CounterDefinition, path: Path) -> Wrong:
        if len(set(counter.words)) < max(2, len(counter.words)):
            yield (*path, "words"), phrase("Write at least two different words.")
        if counter.of == RIVAL:
            yield (*path, "words"), phrase("A counter between two seats is a figure; leave the words out.")
        for key, default in (("start", 0), ("most", None), ("top", None), ("also", {}), ("out", "")):
            if getattr(counter, key) != default:
                if key == "start":
                    text = phrase("A counter of words has no start; the first of the words is how it starts.")
                else:
                    text = phrase("A counter of words has no {key}.", key=key)
                yield (*path, key), text

    def _check_out(self, counter: CounterDefinition, path: Path) -> Wrong:
        path = (*path, "out")
        if counter.of == TABLE:
            yield path, phrase("The table is never out; write all-lose or all-win below [end].")
        of = SEAT if counter.of == RIVAL else counter.of
        condition = _read_condition(counter.out)
        if isinstance(condition, Message):
            yield path, condition
        elif condition.owner or condition.counter or condition.left is not None or condition.op not in OPERATORS:
            yield (
                path,
                phrase(
                    '{condition} is more than a comparison with this counter; write "<= 0".',
                    condition=in_quotes(counter.out),
                ),
            )
        elif isinstance(condition.value, int):
            yield from _check_reach(condition, counter, path)
        elif isinstance(condition.value, str) and condition.value not in (*self.page.counters, *self.table_words):
            yield (
                path,
                phrase("{value} is not a figure; write “<= 0” or “>= 10”.", value=in_quotes(str(condition.value))),
            )
        else:
            yield from check_amount(self, str(condition.value), AmountPlace(path, of=of))

    def _check_circles(self) -> Wrong:
        """Check that no counter moves itself through others without end."""
        counters = self.page.counters
        for word in counters:
            ways, seen = [word], set[str]()
            while ways:
                also = counters[ways.pop()].also
                if word in also:
                    yield (
                        ("counters", word, "also"),
                        phrase("{word} would change itself without end.", word=in_quotes(word)),
                    )
                    break
                new = [other for other in also if other in counters and other not in seen]
                seen.update(new)
                ways += new

    def _thing_figures(self, figures: Mapping[str, int | str], kind: str, path: Path) -> Wrong:
        for word, value in figures.items():
            yield from self._check_figure(word, kind, (*path, word))
            counter = self.figures.get(kind, {}).get(word)
            if not isinstance(value, int):
                yield from check_amount(self, value, AmountPlace((*path, word), of=TABLE))
            elif isinstance(counter, CounterDefinition):
                yield from check_in_bounds(value, counter, (*path, word))

    # Pools

    def _pool(self, pool: Pool, path: Path) -> Wrong:
        yield from self._check_step(pool.at, (*path, "at"))
        if pool.each and not pool.at:
            yield (*path, "each"), phrase('This works only with at = "…", the step in which everybody draws.')
        yield from self._check_size(pool, path)
        yield from _check_contents(pool, path)
        yield from _check_duplicates((card.name for card in pool.cards), (*path, "cards"), "name", has_copies=True)
        for at, card in enumerate(pool.cards):
            inner = (*path, "cards", at)
            yield from self.check_name(card.puts, self.page.things, KIND_OF_THING, (*inner, "puts"))
            if card.puts in self.page.things:
                yield from self._thing_figures(card.figures, card.puts, (*inner, "figures"))
            elif card.figures and not card.puts:
                yield (
                    (*inner, "figures"),
                    phrase('Only a thing has figures; write puts = "…", the kind that comes into play.'),
                )
            for number, line in enumerate(card.does):
                if _is_draw(line):
                    text = phrase("A card cannot draw another one; say in its text that the player draws again.")
                    yield (*inner, "does", number), text
                else:
                    yield from self._line(line, NO_TAKES, (*inner, "does", number))

    def _check_size(self, pool: Pool, path: Path) -> Wrong:
        """Check the number of a pool's cards."""
        if pool.cards and pool.size:
            yield (*path, "size"), phrase("Leave this out: the cards and their copies say how many there are.")
        if not isinstance(pool.size, int):
            yield from check_table_words(pool.size, (*path, "size"))

    # The page's own lines

    def _own(self, own: Own, path: Path) -> Wrong:
        try:
            takes = {taken.word: taken for taken in parse_takes(own.takes)}
        except NotationError as error:
            # Its parameters are unknown, so its lines cannot be checked.
            yield (*path, "takes"), error.message
            return
        for at, step in enumerate(own.steps):
            yield from self._check_step(step, (*path, "steps", at))
        for word in own.titles:
            yield from self.check_name(word, takes, PARAMETER, (*path, "titles", word))
        for word in sorted(told_words(as_written(own.tell)) - {"me", *takes}):
            yield (*path, "tell"), speaks_of(as_written(own.tell), word, takes)
        yield from self._check_costs(own, takes, (*path, "costs"))
        if own.whose == "table":
            for key in filter(partial(getattr, own), ("costs", "once", "again")):
                yield (*path, key), phrase('This needs an acting player; leave out either this or whose = "table".')
        for at, text in enumerate(own.when):
            yield from self._check_condition(text, (*path, "when", at), takes, me=own.whose != "table")
        yield from self._effects(own, takes, path)

    def _effects(self, own: Own, takes: Mapping[str, Taken], path: Path) -> Wrong:
        new: dict[str, Taken] = {}
        for at, line in enumerate(own.does):
            words = line.split()
            takes_here = {**takes, **new} if words[:1] in (["add"], ["set"]) else takes
            yield from self._line(line, takes_here, (*path, "does", at), me=own.whose != "table")
            yield from _check_gone(own.does[:at], line, (*path, "does", at))
            if words[:1] == ["put"] and len(words) > 2 and words[1] in takes and words[2] in self.page.things:
                new[words[1]] = Taken(words[1], "THING", of=words[2])
            if _is_draw(line) and any(map(_is_draw, own.does[:at])):
                yield (
                    (*path, "does", at),
                    phrase(
                        "A line draws one card, as the log keeps which one came; for the next card, players enter the "
                        "line once more."
                    ),
                )
        for at, line in enumerate(own.again):
            yield from self._line(line, takes, (*path, "again", at), me=own.whose != "table")
            if _is_draw(line):
                yield (*path, "again", at), phrase("Only `does` can draw.")

    def _check_costs(self, own: Own, takes: Mapping[str, Taken], path: Path) -> Wrong:
        for counter, price in own.costs.items():
            yield from self._check_figure(counter, SEAT, (*path, counter), teams=True)
            if (
                isinstance(price, str)
                and TAKEN_WORD.fullmatch(price)
                and (price not in takes or takes[price].kind != "N")
            ):
                text = phrase(
                    '{price} is not a figure that the line takes; write 3, or N and takes = "N".',
                    price=in_quotes(price),
                )
                yield (*path, counter), text
            elif isinstance(price, str):
                place = AmountPlace((*path, counter), takes, SEAT, has_actor=own.whose != "table")
                yield from check_amount(self, price, place)
            elif price < 1:
                yield (
                    (*path, counter),
                    phrase(
                        "It costs {price}; write at least 1, and put what somebody gains into does.", price=str(price)
                    ),
                )

    def _line(self, line: str, takes: Mapping[str, Taken], path: Path, *, me: bool = True) -> Wrong:
        try:
            words = Words.of(line)
            tokens = []
            while words:
                tokens.append(words.take(ANY_WORD))
        except NotationError as error:
            yield path, error.message
            return
        if not tokens:
            yield path, phrase("This line is empty; leave it out.")
            return
        verb, *rest = tokens
        if verb not in LINES or (verb == "become" and verb in self.page.actions):
            if verb in self.page.actions:
                yield path, phrase("{verb} is a line of your own; write what it does instead.", verb=in_quotes(verb))
            else:
                yield path, no_such_name(verb, LINES, LINE)
            return
        for word in rest:
            for taken in _TAKEN.findall(word):
                if taken not in takes:
                    yield (
                        path,
                        speaks_of(line, taken, takes),
                    )
                    return
            if word in (*PEOPLE, PARTNER) and word not in self.page.tokens and not me and word != "each":
                yield (
                    path,
                    phrase(
                        "{line} says “{word}”, but this action has no acting player.",
                        line=in_quotes(line),
                        word=word,
                    ),
                )
                return
        yield from PerformedLine(self, line, rest, takes, path, me=me).wrong(verb)

    # Conditions

    def _check_condition(
        self,
        text: str,
        path: Path,
        takes: Mapping[str, Taken] = NO_TAKES,
        *,
        me: bool = False,
        subject: str = "",
    ) -> Wrong:
        """Check a condition. `subject` is the owner of its counter if it names none."""
        condition = _read_condition(text)
        if isinstance(condition, Message):
            yield path, condition
            return
        condition = with_amount(condition, self.table_numbers)
        owner = condition.owner
        if condition.counter in POOL_COUNTERS and owner and owner not in OWNERS and owner.islower():
            wrong = [*self.check_name(owner, self.page.pools, POOL, path)]
            place = AmountPlace(path, takes, SEAT if me else subject or NOBODY, has_actor=me)
            yield from wrong or self._check_right_side(condition, place)
            return
        if wrong := [*self._check_owner_of_condition(owner, text, path, takes, me=me)]:
            yield from wrong
            return
        if not owner and not subject and not me and condition.left is None:
            yield (
                path,
                phrase("{text} does not say whose; write “table …”, “any …” or “each …”.", text=in_quotes(text)),
            )
            return
        if condition.op in ("in", "not in", "out", "not out"):
            yield from self._check_place(condition, path, takes) if condition.op in ("in", "not in") else ()
            return
        of = self.owner_of(owner, takes)
        if not owner and subject:
            of = subject
        place = AmountPlace(path, takes, of if owner or subject or me else NOBODY, has_actor=me)
        if condition.left is not None:
            wrong = [*check_names(self, condition.left, text, place), *self._check_right_side(condition, place)]
            yield from wrong or self._check_bounds_of(condition, condition.left, place)
            return
        if condition.op in ("has", "has not"):
            yield from self._check_possession(str(condition.value), of, path, takes)
        else:
            yield from self._check_comparison(condition, of, place)

    def _check_owner_of_condition(
        self, owner: str, text: str, path: Path, takes: Mapping[str, Taken], *, me: bool
    ) -> Wrong:
        """Check that the owner in a condition is somebody or something; the owner of a thing is asked for the thing."""
        taken = OWNER_WORD.sub(r"THING\1", owner)
        if _WORD.fullmatch(owner) and owner not in (*OWNERS, *self.people):
            yield path, describe_nobody(owner, text, self.people)
        elif owner in ("me", "others", "left", "right", PARTNER) and owner not in self.page.tokens and not me:
            yield path, phrase("There is no acting player for “{owner}” here; write each, any or table.", owner=owner)
        elif TAKEN_WORD.fullmatch(taken) and taken not in takes:
            yield path, speaks_of(text, taken, takes)

    def _check_place(self, condition: Condition, path: Path, takes: Mapping[str, Taken]) -> Wrong:
        """Check a condition on the place of a thing."""
        owner = condition.owner
        if owner not in takes or takes[owner].kind != "THING":
            text = phrase("Only a THING that the line takes lies somewhere, not {word}.", word=in_quotes(owner))
            yield path, text
        yield from self.check_name(str(condition.value), self.page.zones, ZONE, path)

    def _check_possession(self, word: str, of: str | None, path: Path, takes: Mapping[str, Taken]) -> Wrong:
        """Check the object of `has`: a token, a flag, or a thing that the line takes."""
        if TAKEN_WORD.fullmatch(word):
            if word not in takes:
                yield path, speaks_of("", word, takes)
            elif takes[word].kind != "THING" or of != SEAT:
                yield path, phrase("“has” takes a THING, a token or a flag, not {word}.", word=word)
        elif of is not None and not isinstance(self.figures.get(of, {}).get(word), Flag):
            flags = [name for name, figure in self.figures[of].items() if isinstance(figure, Flag)]
            names = [*(self.page.tokens if of == SEAT else ()), *flags]
            if word not in names:
                yield path, no_such_name(word, names, TOKEN_OR_FLAG)

    def _check_comparison(self, condition: Condition, of: str | None, place: AmountPlace) -> Wrong:
        value, word, path, takes = condition.value, condition.counter, place.path, place.takes
        if word in takes:
            kinds = {each: taken.kind for each, taken in takes.items()} | {"me": "SEAT"}
            if takes[word].choices and value not in takes[word].choices:
                yield path, no_such_name(str(value), takes[word].choices, CHOICE)
            elif takes[word].kind in ("SEAT", "THING") and kinds.get(str(value)) != takes[word].kind:
                yield (
                    path,
                    phrase(
                        "{word} can only be compared with another one of its kind: “{word} != {example}”.",
                        word=word,
                        example="me" if takes[word].kind == "SEAT" else "THING2",
                    ),
                )
            elif takes[word].kind == "N":
                yield from self._check_right_side(condition, place)
            return
        counter = self.figure_named(word, of)
        if counter is None:
            yield path, self.no_counter(word, of, counts_things=True)
        elif isinstance(counter, Flag) or counter.words:
            yield from _compared_with_word(condition, counter, path, takes)
        elif isinstance(value, int):
            yield from _check_reach(condition, counter, path)
        elif isinstance(value, str) and "." not in value and value not in self.table_words:
            yield from self._check_other_side(value, of, path, takes)
        elif isinstance(value, str):
            yield from self._check_right_side(condition, place)
        else:
            wrong = [*self._check_right_side(condition, place)]
            yield from wrong or self._check_bounds_of(condition, Name("", word), place)

    def _check_bounds_of(self, condition: Condition, left: Amount, place: AmountPlace) -> Wrong:
        """Check that the sides of a comparison between amounts can compare as required."""
        value = condition.value
        right = Number(value) if isinstance(value, int) else parse_amount(value) if isinstance(value, str) else value
        yield from check_comparison_bounds(self, left, condition.op, right, place)

    def _check_right_side(self, condition: Condition, place: AmountPlace) -> Wrong:
        """Check the right side of a comparison between figures."""
        value = condition.value
        if isinstance(value, int):
            return
        if isinstance(value, str):
            yield from check_amount(self, value, place)
        else:
            yield from check_names(self, value, str(value), place)

    def _check_other_side(self, word: str, of: str | None, path: Path, takes: Mapping[str, Taken]) -> Wrong:
        if word in takes:
            if takes[word].kind != "N":
                yield path, phrase("{word} is not a figure.", word=in_quotes(word))
            return
        if TAKEN_WORD.fullmatch(word) and word not in takes:
            yield path, speaks_of("", word, takes)
        elif self.figure_named(word, of) is None:
            yield path, self.no_counter(word, of, counts_things=True)

    # Sheets, ends, and decks

    def _check_sheet(self, sheet: SheetDefinition) -> Wrong:
        columns = sheet.columns
        if not columns:
            yield ("sheet", "columns"), phrase('Write at least one column: columns = ["points"].')
        yield from _check_duplicates(columns, ("sheet", "columns"), "")
        for column in sheet.titles:
            yield from self.check_name(column, columns, COLUMN, ("sheet", "titles", column))
        for column in sheet.short:
            yield from self.check_name(column, columns, COLUMN, ("sheet", "short", column))
        for number, column in enumerate(sheet.secret):
            yield from self.check_name(column, columns, COLUMN, ("sheet", "secret", number))
        for column, step in sheet.at.items():
            yield from self.check_name(column, columns, COLUMN, ("sheet", "at", column))
            yield from self._check_step(step, ("sheet", "at", column))
        for column, rounds in sheet.rounds.items():
            yield from self.check_name(column, columns, COLUMN, ("sheet", "rounds", column))
            yield from self._check_rounds(rounds, ("sheet", "rounds", column))
        for column, token in sheet.of.items():
            yield from self.check_name(column, columns, COLUMN, ("sheet", "of", column))
            yield from self.check_name(token, self.page.tokens, TOKEN, ("sheet", "of", column))
        for column in sheet.limit:
            yield from self._check_limits(sheet, column)
        yield from self._check_totals(sheet)
        for at, points in enumerate(sheet.points):
            yield from self._points(points, sheet, ("sheet", "points", at))

    def _check_rounds(self, rounds: str | int | tuple[int, ...], path: Path) -> Wrong:
        """Check the rounds in which a column is asked for."""
        all_rounds = self.page.play.rounds
        numbers = (rounds,) if isinstance(rounds, int) else () if isinstance(rounds, str) else rounds
        if rounds == "last" and not all_rounds:
            yield path, phrase("The page does not say which round is the last; write rounds below [play].")
        elif isinstance(all_rounds, int) and all_rounds and any(number > all_rounds for number in numbers):
            yield path, phrases("The game has {n} round.", "The game has {n} rounds.", n=all_rounds)

    def _check_totals(self, sheet: SheetDefinition) -> Wrong:
        """Check the expected sums of columns, and the counter of the total."""
        for column, total in sheet.sum.items():
            yield from self.check_name(column, sheet.columns, COLUMN, ("sheet", "sum", column))
            if isinstance(total, str):
                yield from self._check_column_sum(column, total, sheet)
        if sheet.counts in self.page.counters:
            of = TEAM if sheet.each == TEAM else SEAT
            yield from self._check_figure(sheet.counts, of, ("sheet", "counts"), teams=True)
        if sheet.each == TEAM and self.page.play.teams < 2:
            yield ("sheet", "each"), phrase("This needs teams; write teams = 2 below [play].")

    def _check_column_sum(self, column: str, total: str, sheet: SheetDefinition) -> Wrong:
        """Check the amount that the entries of a column add up to."""
        path: Path = ("sheet", "sum", column)
        others = [each for each in sheet.columns if each != column]
        words = {"": (*self.table_words, *others), "each": others}
        try:
            is_wrong = any(name.word not in words.get(name.owner, ()) for name in names_in(parse_amount(total)))
        except NotationError:
            is_wrong = True
        if is_wrong:
            yield path, phrase('{total} is not a sum; write a figure or "round".', total=in_quotes(total))

    def _check_limits(self, sheet: SheetDefinition, column: str) -> Wrong:
        """Check what must hold of the entries of a column."""
        path: Path = ("sheet", "limit", column)
        yield from self.check_name(column, sheet.columns, COLUMN, path)
        for text in sheet.limits_of(column):
            yield from self._row_condition(text, sheet, path)
        if column in sheet.secret:
            yield from check_secret_limits(sheet.limits_of(column), path)

    def _row_condition(self, text: str, sheet: SheetDefinition, path: Path) -> Wrong:
        """Check a condition about the columns of a row."""
        condition = _read_condition(text)
        if isinstance(condition, Message):
            yield path, condition
        elif condition.owner or condition.op not in OPERATORS:
            yield path, phrase("Only columns can be named here, as in “tricks = bid”.")
        else:
            left = Name("", condition.counter) if condition.left is None else condition.left
            right = parse_amount(condition.value) if isinstance(condition.value, str) else condition.value
            yield from self._check_columns(left, sheet, path)
            if not isinstance(right, int):
                yield from self._check_columns(right, sheet, path)

    def _check_columns(self, amount: Amount, sheet: SheetDefinition, path: Path) -> Wrong:
        """Check that an amount on a score sheet names its columns, and at most numbers of the table besides."""
        for name in all_parts(amount):
            neighbours = ("left", "right") if isinstance(name, Name) and sheet.each == SEAT else ()
            if isinstance(name, Name | Standing) and name.owner and name.owner not in (*SEVERAL, *neighbours):
                yield path, phrase("Only columns can be named here, as in “tricks = bid”.")
                return
            if isinstance(name, Standing) and not any(each.word in sheet.columns for each in names_in(name)):
                yield path, phrase("{text} compares nothing; name a column.", text=in_quotes(str(name)))
                return
            if not isinstance(name, Name):
                continue
            if name.word not in sheet.columns and (name.owner or name.word not in self.table_words):
                yield path, no_such_name(name.word, sheet.columns, COLUMN)
                return

    def _points(self, points: Points, sheet: SheetDefinition, path: Path) -> Wrong:
        for text in points.conditions:
            yield from self._row_condition(text, sheet, (*path, "when"))
        if not isinstance(points.points, int):
            try:
                yield from self._check_columns(parse_amount(points.points), sheet, (*path, "points"))
            except NotationError as error:
                yield (*path, "points"), error.message
        match = _DIFFERENCE.fullmatch(points.per)
        if points.per and match is None:
            yield (
                (*path, "per"),
                phrase("{per} is not a column; write “tricks” or “bid - tricks”.", per=in_quotes(points.per)),
            )
        for column in match.groups() if match else ():
            yield from self.check_name(column or "", sheet.columns, COLUMN, (*path, "per"))
        if not points.per and not points.points:
            yield path, phrase('The points are missing; write points = 10, or per = "tricks" and times = 2.')

    def _end(self, end: End) -> Wrong:
        for key, texts, is_list in (
            ("win", end.wins, not isinstance(end.win, str)),
            ("over", end.overs, not isinstance(end.over, str)),
        ):
            for at, text in enumerate(texts):
                path: Path = ("end", key, at) if is_list else ("end", key)
                wrong = [*self._check_condition(text, path, subject=SEAT)]
                yield from wrong or (self._check_winner(text, path) if key == "win" else ())
        yield from self._most_or_fewest(end)
        for key, texts in (("all-win", end.all_win), ("all-lose", end.all_lose)):
            for at, text in enumerate(texts):
                yield from self._check_condition(text, ("end", key, at))

    def _check_winner(self, text: str, path: Path) -> Wrong:
        """Check that a condition says who has won: that its figures differ between players."""
        condition = with_amount(parse_condition(text), self.table_numbers)
        if condition.owner:
            tells_apart = condition.owner in ("each", "any")
        elif condition.left is None:
            tells_apart = True
        else:
            names = [name for side in sides_of(text) for name in names_in(side)]
            tells_apart = any(name.owner in ("", *SEVERAL) and name.word not in self.table_numbers for name in names)
        if not tells_apart:
            yield (
                path,
                phrase(
                    "{text} is the same for all players, so it does not say who has won; write it as all-win, or as "
                    'over together with most = "…".',
                    text=in_quotes(text),
                ),
            )

    def _most_or_fewest(self, end: End) -> Wrong:
        for key, words in (("most", end.most), ("fewest", end.fewest)):
            if isinstance(words, str):
                if words:
                    yield from self._check_figure(words, SEAT, ("end", key), teams=True)
                continue
            for at, word in enumerate(words):
                yield from self._check_figure(word, SEAT, ("end", key, at), teams=True)
            yield from _check_duplicates(words, ("end", key), "")
        if end.most and end.fewest:
            yield ("end", "fewest"), phrase("Either most or fewest wins; leave out one of the two.")
        elif (end.most or end.fewest) and not end.over and not self.page.play.rounds:
            key = "most" if end.most else "fewest"
            yield (
                ("end", key),
                phrase(
                    'This counts only once the game is over; say when with over = "points >= 500" here, or with '
                    "rounds below [play]."
                ),
            )
        elif end.over and not (end.most or end.fewest):
            yield ("end", "over"), phrase("Say with most or fewest which counter decides then.")

    def _check_after(self, after: After, path: Path) -> Wrong:
        names = ("each", "winner", "losers", *((CAMPAIGN,) if self.page.campaign else ()), *self.page.tokens)
        yield from self.check_name(after.who, names, TOKEN, (*path, "who"))
        if after.source:
            yield from self._after_source(after, path)
        if after.kind in QUESTIONS_OF_CAMPAIGNS or after.who == CAMPAIGN:
            yield from check_question(self.page, after, path)
            return
        if after.kind == "buy" and self.page.purse is None:
            yield (*path, "kind"), phrase("Buying needs a purse; write [purse].")
        if after.tier and after.kind not in ("inscribe", "buy"):
            yield (*path, "tier"), phrase("This works only with inscribe and buy.")
        if after.kind not in ("text", "do"):
            yield from self._after_for_decks(after, path)

    def _after_source(self, after: After, path: Path) -> Wrong:
        if after.kind != "count" or after.who == CAMPAIGN:
            yield (*path, "from"), phrase("This works only with count, for the figure of a player's box.")
            return
        yield from self._check_figure(after.source, SEAT, (*path, "from"))
        counter = self.page.counters.get(after.source)
        if counter is not None and counter.words:
            yield (*path, "from"), phrase("{word} counts no numbers, but words.", word=in_quotes(after.source))

    def _after_for_decks(self, after: After, path: Path) -> Wrong:
        decks = self.page.decks
        if decks is None:
            yield (*path, "kind"), phrase("{kind} needs decks; write [decks].", kind=in_quotes(after.kind))
            return
        if after.kind != "take-home" and decks.kind != "inscribed":
            text = phrase(
                '{kind} needs cards that are written on: kind = "inscribed" in [decks].', kind=in_quotes(after.kind)
            )
            yield (*path, "kind"), text
            return
        if after.kind == "count" and not after.counts:
            yield (*path, "kind"), phrase("Say with counts which figure of the box grows.")
        if after.kind == "inscribe" and not decks.inscriptions:
            yield (*path, "kind"), phrase("There is nothing to inscribe; write [[decks.inscriptions]].")
        if after.kind == "buy" and not any(each.price is not None for each in decks.inscriptions):
            yield (
                (*path, "kind"),
                phrase("Nothing can be bought, since no inscription has a price; write price = 3 below one of them."),
            )
        if after.kind == "cross-out" and not decks.cross_out:
            yield (*path, "kind"), phrase("cross-out = false below [decks] rules this out.")
        if after.kind == "tear-up" and not decks.tear_up:
            yield (*path, "kind"), phrase("Write tear-up = true below [decks].")
        for at, tier in enumerate(after.tier):
            yield from self.check_name(tier, decks.tiers, TIER, (*path, "tier", at))
        yield from self.check_name(after.counts, decks.counts, BOX_FIGURE, (*path, "counts"))

    def _house(self) -> Wrong:
        for word, rule in self.page.house.items():
            path: Path = ("house", word, "values")
            if len(rule.values) < 2:
                yield path, phrase("Write at least two values to choose from, the page's own first.")
            for at, (value, changes) in enumerate(rule.values.items()):
                if not _VALUE.fullmatch(value):
                    yield (
                        (*path, value),
                        phrase("{value} is not a word of small letters and digits.", value=in_quotes(value)),
                    )
                if at == 0 and changes:
                    yield (*path, value), phrase("The first value is what the page says itself; write it as {{}}.")
                for key in changes:
                    if key.partition(".")[0] in ("house", "name", "title", "by", "edition"):
                        yield (
                            (*path, value, key),
                            phrase("{key} is the same under all house rules.", key=in_quotes(key)),
                        )


_MOST_FIRST: Final = 60
"""The maximum number of things in play at the start of a game."""
_DESIGN: Final = re.compile(r"[^\W_][\w -]*")
_VALUE: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_WORD: Final = re.compile(r"[a-z][a-z0-9-]*")
_DIFFERENCE: Final = re.compile(r"\s*([a-z0-9-]+?)(?:\s+-\s+([a-z0-9-]+))?\s*")
_TAKEN: Final = re.compile(r"(?<![A-Za-z])(?:(?:SEAT|THING|TEXT|CHOICE|N)[2-9]?)(?![A-Za-z0-9])")


def _check_bounds(counter: CounterDefinition, path: Path) -> Wrong:
    """Check the bounds of a counter, and that its starts are within them."""
    least, most = None if counter.least == "none" else counter.least, counter.most_figure
    if least is not None and most is not None and least > most:
        yield (
            (*path, "most"),
            phrase(
                "It would be between {least} and {most}; most must not be below least.",
                least=str(least),
                most=str(most),
            ),
        )
        return
    starts = {**({"": counter.start} if isinstance(counter.start, int) else {}), **counter.start_by_players}
    for players, start in starts.items():
        inner = (*path, "start-by-players", players) if players else (*path, "start")
        if least is not None and start < least:
            values = {"start": str(start), "least": str(least)}
            if start < 0 == least:
                text = phrase(
                    'It starts at {start}, which is below {least} (least = "none" lets it go below 0).', **values
                )
            else:
                text = phrase("It starts at {start}, which is below {least}.", **values)
            yield inner, text
        elif most is not None and start > most:
            yield inner, phrase("It starts at {start}, which is above {most}.", start=str(start), most=str(most))


def _read_condition(text: str) -> Condition | Message:
    """Return a parsed condition, or the error message."""
    try:
        return parse_condition(text)
    except NotationError as error:
        return error.message


def _check_gone(before: Sequence[str], line: str, path: Path) -> Wrong:
    """Check that a line names no thing that a line before it has removed."""
    gone = {words[1] for words in map(str.split, before) if words[:1] == ["remove"] and len(words) > 1}
    named = next((word for word in (*_TAKEN.findall(line), *line.split()[1:]) if word in gone), "")
    if named:
        text = phrase("{thing} has left play by then; write “remove {thing}” as the last line.", thing=named)
        yield path, text


def _is_draw(line: str) -> bool:
    return line.split()[:1] == ["draw"]


def _check_contents(pool: Pool, path: Path) -> Wrong:
    """Yield what is wrong with a pool that lists no cards."""
    if pool.cards:
        return
    if pool.drawn == "cards":
        if not pool.size:
            yield path, phrase("Say what is in it: its cards, or with size how many there are.")
    elif pool.size:
        yield (
            (*path, "size"),
            phrase(
                'A size is enough if players draw real cards: add drawn = "cards". The program can only draw cards '
                "that are listed in cards."
            ),
        )
    else:
        yield path, phrase('The program needs to know what is in it: write its cards, or drawn = "cards".')


def _check_duplicates(names: Iterable[str], path: Path, key: str, *, has_copies: bool = False) -> Wrong:
    seen: dict[str, int] = {}
    for at, name in enumerate(names):
        folded = name.casefold()
        if name and folded in seen:
            if has_copies:
                text = phrase("{name} is listed twice; copies says how many there are.", name=in_quotes(name))
            else:
                text = phrase("{name} is listed twice.", name=in_quotes(name))
            yield (*path, at, *([key] if key else [])), text
        seen[folded] = at


def _check_reach(condition: Condition, counter: CounterDefinition, path: Path) -> Wrong:
    """Check that a counter can reach the value in a condition."""
    value, op = condition.value, condition.op
    assert isinstance(value, int)
    least, most = counter.least, counter.most_figure
    if least != "none" and (value < least if op in ("<=", "=") else op == "<" and value <= least):
        yield (
            path,
            phrase(
                'The counter never falls below {least}, so this never holds; least = "none" lets it fall below 0.',
                least=str(least),
            ),
        )
    elif most is not None and (value > most if op in (">=", "=") else op == ">" and value >= most):
        yield path, phrase("The counter never rises above {most}, so this never holds.", most=str(most))


def _compared_with_word(
    condition: Condition, counter: CounterDefinition | Flag, path: Path, takes: Mapping[str, Taken]
) -> Wrong:
    """Check that a flag or a counter of words is compared with one of its words."""
    words = ("yes", "no") if isinstance(counter, Flag) else counter.words
    if condition.op not in ("=", "!="):
        yield (
            path,
            phrase(
                "{counter} has words, which cannot be more or less; write = or !=.",
                counter=in_quotes(condition.counter),
            ),
        )
    elif condition.value not in (*words, *takes):
        yield path, no_such_name(str(condition.value), words, WORD_OF_COUNTER)


def _check_decks(decks: DecksDefinition) -> Wrong:
    of_lists = ("least", "most", "copies", "unlimited", "sections")
    of_cards = ("cards", "inscriptions", "tiers", "tear_up", "counts", "design")
    for name in of_cards if decks.kind == "list" else of_lists:
        if getattr(decks, name) != _default_of(DecksDefinition, name):
            key = name.replace("_", "-")
            other = "inscribed" if decks.kind == "list" else "list"
            yield ("decks", key), phrase('This works only with kind = "{other}".', other=other)
    if decks.most is not None and decks.most < decks.least:
        yield (
            ("decks", "most"),
            phrase("A deck would have {least} to {most} cards.", least=str(decks.least), most=str(decks.most)),
        )
    if decks.design and not _DESIGN.fullmatch(decks.design):
        yield (
            ("decks", "design"),
            phrase(
                "{design} is not the name of a design; write it without folder and ending.",
                design=in_quotes(decks.design),
            ),
        )
    for key in ("cards", "sections", "unlimited"):
        yield from _check_duplicates(getattr(decks, key), ("decks", key), "")
    yield from _check_duplicates((each.name for each in decks.form), ("decks", "form"), "name")
    yield from _check_duplicates((each.name for each in decks.inscriptions), ("decks", "inscriptions"), "name")
    numbers: dict[int, str] = {}
    for at, each in enumerate(decks.inscriptions):
        path: Path = ("decks", "inscriptions", at)
        if each.number in numbers:
            yield (
                (*path, "number"),
                phrase(
                    "{number} belongs to {name} permanently.",
                    number=str(each.number),
                    name=in_quotes(numbers[each.number]),
                ),
            )
        numbers.setdefault(each.number, each.name)
        if each.tier and each.tier not in decks.tiers:
            yield (*path, "tier"), no_such_name(each.tier, decks.tiers, TIER)


def _default_of(struct: type[msgspec.Struct], name: str) -> Any:
    field = next(field for field in msgspec.structs.fields(struct) if field.name == name)
    return field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
