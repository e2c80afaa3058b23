"""Checks that a page is consistent: its names exist, its starts are within bounds, and its lines are possible."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

import msgspec

from companion.games.described.page.actions import reserved_verbs
from companion.games.described.page.conditions import OPERATORS, OWNERS, POOL_COUNTERS, Condition, parse_condition
from companion.games.described.page.description import (
    RIVAL,
    SEAT,
    TABLE,
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
from companion.games.described.page.takes import TAKEN_WORD, Taken, parse_takes
from companion.games.described.page.toml_lines import Path
from companion.tabletop.action import NotationError
from companion.tabletop.decks.decklist import handle
from companion.tabletop.notation.arguments import Words
from companion.tabletop.text import quote_text

Wrong = Iterator[tuple[Path, str]]
"""The problems: the path to the key, and a sentence."""

TURN: Final = "turn"
ROUND: Final = "round"
_HOUSE_STEPS: Final = frozenset({"setup", "after", "order", TURN, ROUND})
_PEOPLE: Final = ("me", "others", "each", "left", "right")
"""The words for seats in a page's line, besides its parameters."""
_NO_WORDS: Final = frozenset(
    {*_PEOPLE, TABLE, "none", "any", "nobody", "has", "not", "out", "lot", "yes", "no", SEAT, RIVAL}
)
_NO_TAKES: Final[Mapping[str, Taken]] = {}


def wrong_references(page: Description) -> Wrong:
    """Yield all inconsistencies of a parsed page."""
    return _CheckedPage(page).wrong()


def _no_such_name(word: str, names: Iterable[str], what: str, of: str = "") -> str:
    """Return a message that a name does not exist, with the closest match."""
    names = list(names)
    near = get_close_matches(word.lower(), names, n=1, cutoff=0.5)
    lacking = f"There is no {what} {quote_text(word)}{of}"
    if near:
        return f"{lacking}; did you mean {near[0]}?"
    return f"{lacking}; {f'there is: {_join_names(names)}' if names else 'the page has none'}."


def _join_names(names: Sequence[str]) -> str:
    most = 12
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")


class _CheckedPage:
    """A page whose parts are checked against each other."""

    def __init__(self, page: Description) -> None:
        self.page = page
        self.steps = [step.name for step in page.steps]
        self.figures: dict[str, Mapping[str, CounterDefinition | Flag]] = {
            of: {
                **{word: counter for word, counter in page.counters.items() if counter.of == of},
                **{word: flag for word, flag in page.flags.items() if flag.of == of},
            }
            for of in (SEAT, TABLE, RIVAL, *page.things)
        }
        self.listed = {handle(each.name): kind for kind, things in page.things.items() for each in things.list}
        """The kinds of the listed things by their handles."""
        self.players = _player_range(page.play.players)

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
            owners = (SEAT, TABLE, *self.page.things)
            yield from self._check_name(flag.of, owners, "owner", (*path, "of"))
            yield from self._check_moment(flag.reset, (*path, "reset"))
        for word, token in self.page.tokens.items():
            yield from self._check_step(token.at, ("tokens", word, "at"))
            yield from self._check_moment(token.reset, ("tokens", word, "reset"))

    def _things(self) -> Wrong:
        for word, kind in self.page.things.items():
            path: Path = ("things", word)
            yield from self._check_name(kind.zone, self.page.zones, "zone", (*path, "zone"))
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
                    text = f"More than {_MOST_FIRST} things would lie there at first; let the others come by `put`."
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
                    text = f"{quote_text(kind.zone)} has {zone.lanes} lanes, and more than these lie there at first."
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

    # Names

    def _check_name(self, word: str, names: Collection[str], what: str, path: Path) -> Wrong:
        if word and word not in names:
            yield path, _no_such_name(word, names, what)

    def _check_step(self, word: str, path: Path) -> Wrong:
        yield from self._check_name(word, self.steps, "step", path)

    def _check_moment(self, word: str, path: Path) -> Wrong:
        if word and word not in (TURN, ROUND, *self.steps):
            yield path, _no_such_name(word, (TURN, ROUND, *self.steps), "step")

    def _check_figure(self, word: str, of: str, path: Path, *, flags: bool = False) -> Wrong:
        """Check that an owner has a counter (or a flag) of this name."""
        figures = self.figures.get(of, {})
        if word in figures and (flags or isinstance(figures[word], CounterDefinition)):
            return
        if word in self.page.counters or (flags and word in self.page.flags):
            others: dict[str, CounterDefinition | Flag] = {**self.page.flags, **self.page.counters}
            yield path, f"{quote_text(word)} is a counter of {_owner_text(others[word].of)}, not of {_owner_text(of)}."
        else:
            names = [name for name, figure in figures.items() if flags or isinstance(figure, CounterDefinition)]
            yield path, _no_such_name(word, names, "counter", f" of {_owner_text(of)}")

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
                    yield (table, word), f"{quote_text(word)} means something else in lines; choose another word."
                elif word in seen:
                    yield (
                        (table, word),
                        f"{quote_text(word)} stands in [{seen[word]}], too; each has a word of its own.",
                    )
                seen.setdefault(word, table)
        yield from self._verbs_and_places()

    def _verbs_and_places(self) -> Wrong:
        page = self.page
        for word in page.pools:
            if word in _NO_WORDS:
                yield ("pools", word), f"{quote_text(word)} means something else in lines; choose another word."
        reserved = reserved_verbs(page)
        for verb in page.actions:
            if verb in reserved or verb in _NO_WORDS:
                yield ("actions", verb), f"{quote_text(verb)} is a line that every game has; choose another word."
        yield from _check_duplicates(self.steps, ("steps",), "name")
        for at, step in enumerate(self.steps):
            if step in _HOUSE_STEPS:
                yield ("steps", at, "name"), f"{quote_text(step)} is a step that every game has; choose another word."

    # Players

    def _play(self) -> Wrong:
        play, (least, most) = self.page.play, self.players
        if least > most:
            yield (
                ("play", "players"),
                f"{quote_text(play.players)} begins with the larger number; write {most}-{least}.",
            )
        if play.order == "bid":
            if play.by:
                yield from self._check_figure(play.by, SEAT, ("play", "by"))
            else:
                yield ("play", "order"), 'The order "bid" needs a counter that decides it; write by = "…".'
        else:
            yield from self._check_name(play.by, self.page.tokens, "token", ("play", "by"))
        if play.teams == 1 or play.teams > most:
            yield ("play", "teams"), f"{play.teams} cannot be; with up to {most} players write 2 to {most}, or 0."

    # Figures

    def _counter(self, counter: CounterDefinition, path: Path) -> Wrong:
        yield from self._check_name(counter.of, (SEAT, TABLE, RIVAL, *self.page.things), "owner", (*path, "of"))
        yield from self._counter_of_words(counter, path) if counter.words else _check_bounds(counter, path)
        for number in counter.start_by_players:
            if not number.isdecimal() or not self.players[0] <= int(number) <= self.players[1]:
                players = quote_text(self.page.play.players)
                yield (
                    (*path, "start-by-players", number),
                    f"{quote_text(number)} is no number of players; they are {players}.",
                )
        if counter.out:
            yield from self._check_out(counter, path)
        yield from self._check_moment(counter.reset, (*path, "reset"))
        yield from self._check_moment(counter.at, (*path, "at"))
        if counter.at and not counter.each:
            yield (*path, "at"), "This counts only with each = …, by how much it grows then."
        if counter.reset_to:
            yield from self._check_figure(counter.reset_to, counter.of, (*path, "reset-to"))
            if counter.words or counter.sum or counter.of == RIVAL:
                yield (*path, "reset-to"), "Only a figure that somebody or something has for itself is filled so."
            if not counter.reset:
                yield (*path, "reset-to"), 'This counts only with reset = "…", when it is filled.'
        if counter.of == RIVAL and counter.each:
            yield (*path, "each"), "A counter between two seats does not grow by itself; somebody says by whom."
        yield from self._check_sum(counter, path)
        for other in counter.also:
            yield from self._check_figure(other, SEAT if counter.of == RIVAL else counter.of, (*path, "also", other))

    def _only_one_main(self) -> Wrong:
        first: dict[str, str] = {}
        for word, counter in self.page.counters.items():
            if counter.main and first.setdefault(counter.of, word) != word:
                is_main = f"{quote_text(first[counter.of])} is main already"
                yield ("counters", word, "main"), f"{is_main}; a name and a number alone mean one counter."

    def _check_sum(self, counter: CounterDefinition, path: Path) -> Wrong:
        for at, part in enumerate(counter.sum):
            yield from self._check_figure(part, counter.of, (*path, "sum", at))
            if part in self.page.counters and self.page.counters[part].sum:
                yield (*path, "sum", at), f"{quote_text(part)} is a sum itself; name what it is the sum of."
        for key in ("start", "start-by-players", "each", "reset", "also", "words") if counter.sum else ():
            if getattr(counter, key.replace("-", "_")):
                yield (*path, key), "Others make up this counter, so it has none of its own; leave this out."

    def _counter_of_words(self, counter: CounterDefinition, path: Path) -> Wrong:
        if len(set(counter.words)) < max(2, len(counter.words)):
            yield (*path, "words"), "Write at least two different words."
        if counter.of == RIVAL:
            yield (*path, "words"), "A counter between two seats is a figure; leave the words out."
        for key, default in (("start", 0), ("most", None), ("top", None), ("also", {}), ("out", "")):
            if getattr(counter, key) != default:
                hint = "; the first of the words is how it starts" if key == "start" else ""
                yield (*path, key), f"A counter of words has no {key}{hint}."

    def _check_out(self, counter: CounterDefinition, path: Path) -> Wrong:
        path = (*path, "out")
        if counter.of == TABLE:
            yield path, "The table is never out; write all-lose or all-win below [end]."
        condition = _read_condition(counter.out)
        if isinstance(condition, str):
            yield path, condition
        elif condition.owner or condition.counter or condition.op not in OPERATORS:
            yield path, f'{quote_text(counter.out)} says more than when this counter puts somebody out; write "<= 0".'
        elif not isinstance(condition.value, int):
            yield path, f"{quote_text(str(condition.value))} is no figure; write “<= 0” or “>= 10”."
        else:
            yield from _check_reach(condition, counter, path)

    def _check_circles(self) -> Wrong:
        """Check that no counter moves itself through others without end."""
        counters = self.page.counters
        for word in counters:
            ways, seen = [word], set[str]()
            while ways:
                also = counters[ways.pop()].also
                if word in also:
                    yield ("counters", word, "also"), f"{quote_text(word)} would move itself without end."
                    break
                new = [other for other in also if other in counters and other not in seen]
                seen.update(new)
                ways += new

    def _thing_figures(self, figures: Mapping[str, int], kind: str, path: Path) -> Wrong:
        for word, value in figures.items():
            yield from self._check_figure(word, kind, (*path, word))
            counter = self.figures.get(kind, {}).get(word)
            if isinstance(counter, CounterDefinition):
                yield from _in_bounds(value, counter, (*path, word))

    # Pools

    def _pool(self, pool: Pool, path: Path) -> Wrong:
        yield from self._check_step(pool.at, (*path, "at"))
        if pool.each and not pool.at:
            yield (*path, "each"), 'This counts only with at = "…", the step in which everybody draws.'
        if pool.cards and pool.size:
            yield (*path, "size"), "Leave this out: the cards and their copies say how many there are."
        if not pool.cards and pool.drawn == "program":
            yield path, 'The program needs to know what is in it: write its cards, or drawn = "cards".'
        if not pool.cards and not pool.size and pool.drawn == "cards":
            yield path, "Say what is in it: its cards, or how many there are by size."
        yield from _check_duplicates(
            (card.name for card in pool.cards), (*path, "cards"), "name", "; copies says how many"
        )
        for at, card in enumerate(pool.cards):
            inner = (*path, "cards", at)
            yield from self._check_name(card.puts, self.page.things, "kind of thing", (*inner, "puts"))
            if card.puts in self.page.things:
                yield from self._thing_figures(card.figures, card.puts, (*inner, "figures"))
            elif card.figures and not card.puts:
                yield (*inner, "figures"), 'Only a thing has figures; write puts = "…", the kind that comes into play.'
            for number, line in enumerate(card.does):
                if _is_draw(line):
                    text = "A card draws no other one; write into its text that people draw again."
                    yield (*inner, "does", number), text
                else:
                    yield from self._line(line, _NO_TAKES, (*inner, "does", number))

    # The page's own lines

    def _own(self, own: Own, path: Path) -> Wrong:
        try:
            takes = {taken.word: taken for taken in parse_takes(own.takes)}
        except NotationError as error:
            # Its parameters are unknown, so its lines cannot be checked.
            yield (*path, "takes"), str(error)
            return
        for at, step in enumerate(own.steps):
            yield from self._check_step(step, (*path, "steps", at))
        yield from self._check_costs(own, takes, (*path, "costs"))
        for key in ("costs", "once") if own.whose == "table" else ():
            if getattr(own, key):
                yield (*path, key), 'Nobody in particular does this; leave whose = "table" out, or this.'
        for at, text in enumerate(own.when):
            yield from self._check_condition(text, (*path, "when", at), takes, me=own.whose != "table")
        for at, line in enumerate(own.does):
            yield from self._line(line, takes, (*path, "does", at), me=own.whose != "table")
            if _is_draw(line) and any(map(_is_draw, own.does[:at])):
                yield (*path, "does", at), "A line draws one card; draw the next by a line of its own."

    def _check_costs(self, own: Own, takes: Mapping[str, Taken], path: Path) -> Wrong:
        for counter, price in own.costs.items():
            yield from self._check_figure(counter, SEAT, (*path, counter))
            if isinstance(price, str) and (price not in takes or takes[price].kind != "N"):
                text = f'{quote_text(price)} is no figure that the line takes; write 3, or N and takes = "N".'
                yield (*path, counter), text
            elif isinstance(price, int) and price < 1:
                yield (*path, counter), f"It costs {price}; write at least 1, and what somebody gains into does."

    def _line(self, line: str, takes: Mapping[str, Taken], path: Path, *, me: bool = True) -> Wrong:
        try:
            words = Words.of(line)
            tokens = []
            while words:
                tokens.append(words.take(_ANY))
        except NotationError as error:
            yield path, str(error)
            return
        if not tokens:
            yield path, "This line is empty; leave it out."
            return
        verb, *rest = tokens
        if verb not in _LINES:
            if verb in self.page.actions:
                yield path, f"{quote_text(verb)} is a line of your own; write what it does instead."
            else:
                yield path, _no_such_name(verb, _LINES, "line")
            return
        for word in rest:
            for taken in _TAKEN.findall(word):
                if taken not in takes:
                    yield (
                        path,
                        f"{quote_text(line)} speaks of {taken}, which the line does not take{_takes_hint(takes)}.",
                    )
                    return
            if word in _PEOPLE and not me and word != "each":
                yield path, f"{quote_text(line)} speaks of “{word}”, but nobody in particular does this."
                return
        yield from _PerformedLine(self, line, rest, takes, path).wrong(verb)

    # Conditions

    def _check_condition(
        self,
        text: str,
        path: Path,
        takes: Mapping[str, Taken] = _NO_TAKES,
        *,
        me: bool = False,
        subject: str = "",
    ) -> Wrong:
        """Check a condition. `subject` is the owner of its counter if it names none."""
        condition = _read_condition(text)
        if isinstance(condition, str):
            yield path, condition
            return
        owner = condition.owner
        if condition.counter in POOL_COUNTERS and owner and owner not in OWNERS and not TAKEN_WORD.fullmatch(owner):
            yield from self._check_name(owner, self.page.pools, "pool", path)
            return
        if owner in ("me", "others") and not me:
            yield path, f"Nobody in particular is “{owner}” here; write each, any or table."
            return
        if TAKEN_WORD.fullmatch(owner) and owner not in takes:
            yield path, f"{quote_text(text)} speaks of {owner}, which the line does not take{_takes_hint(takes)}."
            return
        if not owner and not subject and not me:
            yield path, f"{quote_text(text)} does not say whose; write “table …”, “any …” or “each …”."
            return
        of = self._owner_of(owner, takes)
        if condition.op in ("out", "not out"):
            return
        if condition.op in ("has", "has not"):
            yield from self._check_possession(str(condition.value), of, path, takes)
        else:
            yield from self._check_comparison(condition, of, path, takes)

    def _check_possession(self, word: str, of: str | None, path: Path, takes: Mapping[str, Taken]) -> Wrong:
        """Check the object of `has`: a token, a flag, or a thing that the line takes."""
        if TAKEN_WORD.fullmatch(word):
            if word not in takes:
                yield path, f"It speaks of {word}, which the line does not take{_takes_hint(takes)}."
            elif takes[word].kind != "THING" or of != SEAT:
                yield path, f"What somebody has is a THING, a token or a flag, not {word}."
        elif of is not None and not isinstance(self.figures.get(of, {}).get(word), Flag):
            flags = [name for name, figure in self.figures[of].items() if isinstance(figure, Flag)]
            names = [*(self.page.tokens if of == SEAT else ()), *flags]
            if word not in names:
                yield path, _no_such_name(word, names, "token or flag")

    def _owner_of(self, word: str, takes: Mapping[str, Taken]) -> str | None:
        """Return the owner of the counters that a word means; None for a thing, whose kind is not known in advance."""
        if word == TABLE:
            return TABLE
        if word in takes and takes[word].kind == "THING":
            return None
        return self.listed.get(word, SEAT)

    def _check_comparison(self, condition: Condition, of: str | None, path: Path, takes: Mapping[str, Taken]) -> Wrong:
        value, word = condition.value, condition.counter
        if word in takes:
            kinds = {each: taken.kind for each, taken in takes.items()} | {"me": "SEAT"}
            if takes[word].choices and value not in takes[word].choices:
                yield path, _no_such_name(str(value), takes[word].choices, "word that can be chosen")
            elif takes[word].kind in ("SEAT", "THING") and kinds.get(str(value)) != takes[word].kind:
                other = "me" if takes[word].kind == "SEAT" else "THING2"
                yield path, f"{word} is compared with another one of its kind: “{word} != {other}”."
            return
        counter = self._counter_named(word, of)
        if counter is None:
            yield path, self._no_counter(word, of)
        elif isinstance(counter, Flag) or counter.words:
            yield from _compared_with_word(condition, counter, path, takes)
        elif isinstance(value, int):
            yield from _check_reach(condition, counter, path)
        else:
            yield from self._check_other_side(value, of, path, takes)

    def _check_other_side(self, word: str, of: str | None, path: Path, takes: Mapping[str, Taken]) -> Wrong:
        whose, dot, counter = word.rpartition(".")
        if word in takes:
            if takes[word].kind != "N":
                yield path, f"{quote_text(word)} is no figure."
            return
        if (taken := TAKEN_WORD.fullmatch(whose or word)) and taken[0] not in takes:
            yield path, f"It speaks of {taken[0]}, which the line does not take{_takes_hint(takes)}."
            return
        owner = self._owner_of(whose, takes) if dot else of
        if self._counter_named(counter, owner) is None:
            yield path, self._no_counter(counter, owner)

    def _no_counter(self, word: str, of: str | None) -> str:
        """Return a message that an owner has no such counter, with the owner that has it."""
        counter = self.page.counters.get(word)
        if counter is not None and of is not None:
            whom = {TABLE: "write table before it", SEAT: "write me, each or any before it"}
            hint = f"; {whom[counter.of]}" if counter.of in whom else ""
            return f"{quote_text(word)} is a counter of {_owner_text(counter.of)}, not of {_owner_text(of)}{hint}."
        names = self.figures[of] if of is not None else self.page.counters
        return _no_such_name(word, names, "counter", "" if of is None else f" of {_owner_text(of)}")

    def _counter_named(self, word: str, of: str | None) -> CounterDefinition | Flag | None:
        """Return a counter of an owner, including one kept for a rival (`damage-SEAT`), or None."""
        owners = [kind for kind in self.figures if kind not in (SEAT, TABLE, RIVAL)] if of is None else [of]
        for owner in owners:
            if word in self.figures[owner]:
                return self.figures[owner][word]
        base, _, whose = word.rpartition("-")
        if of == SEAT and (whose in _PEOPLE or TAKEN_WORD.fullmatch(whose)):
            return self.figures[RIVAL].get(base)
        return None

    # Sheets, ends, and decks

    def _check_sheet(self, sheet: SheetDefinition) -> Wrong:
        columns = sheet.columns
        if not columns:
            yield ("sheet", "columns"), 'Write at least one column: columns = ["points"].'
        yield from _check_duplicates(columns, ("sheet", "columns"), "")
        for column in sheet.titles:
            yield from self._check_name(column, columns, "column", ("sheet", "titles", column))
        for column, step in sheet.at.items():
            yield from self._check_name(column, columns, "column", ("sheet", "at", column))
            yield from self._check_step(step, ("sheet", "at", column))
        for column, token in sheet.of.items():
            yield from self._check_name(column, columns, "column", ("sheet", "of", column))
            yield from self._check_name(token, self.page.tokens, "token", ("sheet", "of", column))
        for column, total in sheet.sum.items():
            yield from self._check_name(column, columns, "column", ("sheet", "sum", column))
            if isinstance(total, str) and total != ROUND:
                yield ("sheet", "sum", column), f'{quote_text(total)} is no sum; write a figure or "round".'
        if sheet.counts in self.page.counters:
            yield from self._check_figure(sheet.counts, SEAT, ("sheet", "counts"))
        for at, points in enumerate(sheet.points):
            yield from self._points(points, sheet, ("sheet", "points", at))

    def _points(self, points: Points, sheet: SheetDefinition, path: Path) -> Wrong:
        for text in points.conditions:
            condition = _read_condition(text)
            if isinstance(condition, str):
                yield (*path, "when"), condition
            elif condition.owner or condition.op not in OPERATORS:
                yield (*path, "when"), "This speaks of columns alone: “tricks = bid”."
            else:
                for word in (condition.counter, condition.value):
                    if isinstance(word, str):
                        yield from self._check_name(word, sheet.columns, "column", (*path, "when"))
        match = _DIFFERENCE.fullmatch(points.per)
        if points.per and match is None:
            yield (*path, "per"), f"{quote_text(points.per)} is no column; write “tricks” or “bid - tricks”."
        for column in match.groups() if match else ():
            yield from self._check_name(column or "", sheet.columns, "column", (*path, "per"))
        if not points.per and not points.points:
            yield path, 'These are no points; write points = 10, or per = "tricks" and times = 2.'

    def _end(self, end: End) -> Wrong:
        for key, text in (("win", end.win), ("over", end.over)):
            if text:
                yield from self._check_condition(text, ("end", key), subject=SEAT)
        yield from self._most_or_fewest(end)
        for key, texts in (("all-win", end.all_win), ("all-lose", end.all_lose)):
            for at, text in enumerate(texts):
                yield from self._check_condition(text, ("end", key, at))

    def _most_or_fewest(self, end: End) -> Wrong:
        for key, word in (("most", end.most), ("fewest", end.fewest)):
            if word:
                yield from self._check_figure(word, SEAT, ("end", key))
        if end.most and end.fewest:
            yield ("end", "fewest"), "Either the most wins or the fewest; leave one of the two out."
        elif (end.most or end.fewest) and not end.over and not self.page.play.rounds:
            key = "most" if end.most else "fewest"
            yield ("end", key), 'The game is never over by itself; write over = "points >= 500", or rounds in [play].'
        elif end.over and not (end.most or end.fewest):
            yield ("end", "over"), "Say by most or fewest which counter decides then."

    def _check_after(self, after: After, path: Path) -> Wrong:
        names = ("each", "winner", "losers", *self.page.tokens)
        yield from self._check_name(after.who, names, "token", (*path, "who"))
        if after.kind == "buy" and self.page.purse is None:
            yield (*path, "kind"), "To buy needs a purse; write [purse]."
        if after.tier and after.kind not in ("inscribe", "buy"):
            yield (*path, "tier"), "This counts only with inscribe and buy."
        if after.kind not in ("text", "do"):
            yield from self._after_for_decks(after, path)

    def _after_for_decks(self, after: After, path: Path) -> Wrong:
        decks = self.page.decks
        if decks is None:
            yield (*path, "kind"), f"{quote_text(after.kind)} needs decks; write [decks]."
            return
        if after.kind != "take-home" and decks.kind != "inscribed":
            text = f'{quote_text(after.kind)} needs cards that are written on: kind = "inscribed" in [decks].'
            yield (*path, "kind"), text
            return
        if after.kind == "count" and not after.counts:
            yield (*path, "kind"), "Say by counts which figure of the box grows."
        lacking = {
            "inscribe": "" if decks.inscriptions else "There is nothing to inscribe; write [[decks.inscriptions]].",
            "buy": ""
            if any(each.price is not None for each in decks.inscriptions)
            else "Nothing is for sale; give an inscription a price.",
            "cross-out": "" if decks.cross_out else "Below [decks] stands cross-out = false.",
            "tear-up": "" if decks.tear_up else "Write tear-up = true below [decks].",
        }
        if text := lacking.get(after.kind, ""):
            yield (*path, "kind"), text
        for at, tier in enumerate(after.tier):
            yield from self._check_name(tier, decks.tiers, "tier", (*path, "tier", at))
        yield from self._check_name(after.counts, decks.counts, "figure of the box", (*path, "counts"))

    def _house(self) -> Wrong:
        for word, rule in self.page.house.items():
            path: Path = ("house", word, "values")
            if len(rule.values) < 2:
                yield path, "Write at least two values to choose from, the page's own first."
            for at, (value, changes) in enumerate(rule.values.items()):
                if not _VALUE.fullmatch(value):
                    yield (*path, value), f"{quote_text(value)} is no word of small letters and digits."
                if at == 0 and changes:
                    yield (*path, value), "The first value is what the page says itself; write it as {}."
                for key in changes:
                    if key.partition(".")[0] in ("house", "name", "title", "by", "edition"):
                        yield (*path, value, key), f"{quote_text(key)} is the same under all house rules."


_MOST_FIRST: Final = 60
"""The maximum number of things in play at the start of a game."""
_DESIGN: Final = re.compile(r"[^\W_][\w -]*")
_VALUE: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_DIFFERENCE: Final = re.compile(r"\s*([a-z0-9-]+?)(?:\s+-\s+([a-z0-9-]+))?\s*")
_AMOUNT: Final = re.compile(r"[+−-]?(?:(\d{1,7})|([A-Za-z][A-Za-z0-9-]*?)(?:\.([a-z][a-z0-9-]*))?)")
_TAKEN: Final = re.compile(r"(?<![A-Za-z])(?:(?:SEAT|THING|TEXT|CHOICE|N)[2-9]?)(?![A-Za-z0-9])")


class _Any:
    """A word kind that accepts any word of a line."""

    shape = "a word"


_ANY: Any = _Any()

_LINES: Final[Mapping[str, str]] = {
    "add": "WHO COUNTER AMOUNT",
    "set": "WHO COUNTER VALUE",
    "give": "TOKEN HOLDER",
    "put": "NEW KIND …",
    "move": "THING …",
    "remove": "THING",
    "draw": "POOL …",
    "return": "POOL TEXT",
    "shuffle": "POOL",
    "turn": "SEAT",
    "enter": "SEAT COLUMN AMOUNT",
    "concede": "SEAT",
    "won": "SEAT …",
    "lost": "",
    "all-won": "",
    "next": "",
}
"""The lines that a page's own lines can perform, with the shape of their arguments."""
_MORE: Final[Mapping[str, str]] = {
    "of": "SEAT",
    "for": "SEAT",
    "zone": "ZONE",
    "lane": "AMOUNT",
    "name": "TEXT",
    "with": "AMOUNTS",
    "is": "TEXT",
}
"""The arguments of the keywords."""
_NAMES: Final = {
    "TOKEN": ("token", "tokens"),
    "KIND": ("kind of thing", "things"),
    "ZONE": ("zone", "zones"),
    "POOL": ("pool", "pools"),
}
"""The shapes that are words of the page: their display name and the table of the page that defines them."""


class _PerformedLine:
    """One line that a page's own line performs, checked against the page word by word."""

    def __init__(
        self, page: _CheckedPage, line: str, words: Sequence[str], takes: Mapping[str, Taken], path: Path
    ) -> None:
        self._page = page
        self._line = line
        self._words = words
        self._takes = takes
        self._path = path
        self._figures = {"COUNTER": self._counter, "AMOUNT": self._amount, "VALUE": self._value}

    def wrong(self, verb: str) -> Wrong:
        shape = _LINES[verb].split()
        goes_on = shape[-1:] == ["…"]
        wanted = [part for part in shape if part != "…"]
        if len(self._words) < len(wanted) or (not goes_on and len(self._words) > len(wanted)):
            yield self._path, f"{quote_text(self._line)} is not whole; write it as “{verb} {_LINES[verb]}”."
            return
        for part, word in zip(wanted, self._words, strict=False):
            if wrong := [*self._part(part, word)]:
                yield from wrong
                return
        if verb in ("put", "move", "draw"):
            yield from self._keywords(self._words[len(wanted) :])

    def _keywords(self, words: Sequence[str]) -> Wrong:
        kind = ""
        for word in words:
            if word in _MORE:
                kind = _MORE[word]
            elif kind:
                yield from self._part("AMOUNT" if kind == "AMOUNTS" else kind, word)
                kind = kind if kind == "AMOUNTS" else ""
            else:
                yield from self._part("ZONE", word)

    def _part(self, part: str, word: str) -> Wrong:
        page = self._page.page
        if word.startswith("CHOICE") and word in self._takes:
            for choice in self._takes[word].choices:
                yield from self._part(part, choice)
        elif part in ("WHO", "HOLDER", "SEAT"):
            yield from self._who(part, word)
        elif part in _NAMES:
            what, table = _NAMES[part]
            yield from self._page._check_name(word, getattr(page, table), what, self._path)
        elif part == "COLUMN":
            yield from self._page._check_name(word, page.sheet.columns if page.sheet else (), "column", self._path)
        elif part == "THING" and word not in self._takes and not page.things:
            yield self._path, f"{quote_text(self._line)} needs [things], of which this page has none."
        elif part in self._figures:
            yield from self._figures[part](word)

    def _kind(self, word: str) -> str:
        return self._takes[word].kind if word in self._takes else ""

    def _who(self, part: str, word: str) -> Wrong:
        allowed = {"WHO": (*_PEOPLE, TABLE), "HOLDER": ("me", "left", "right", "none"), "SEAT": ("me", "left", "right")}
        kinds = ("SEAT", "THING") if part == "WHO" else ("SEAT",)
        if part == "WHO" and word in self._page.listed:
            return
        if word not in allowed[part] and self._kind(word) not in kinds:
            names = [*allowed[part], *(each.word for each in self._takes.values() if each.kind in kinds)]
            names += self._page.listed if part == "WHO" else ()
            if part == "WHO" and word in self._page.page.counters:
                yield (
                    self._path,
                    f"{quote_text(self._line)} does not say whose; write “{self._line.split()[0]} me {word} …”.",
                )
            else:
                yield self._path, f"{quote_text(word)} is nobody here; that can be {_join_names(names)}."

    @property
    def _of(self) -> str | None:
        return self._page._owner_of(self._words[0], self._takes)

    def _counter(self, word: str) -> Wrong:
        counter = self._page._counter_named(word, self._of)
        if counter is None:
            yield self._path, self._page._no_counter(word, self._of)
        elif isinstance(counter, CounterDefinition) and counter.sum:
            yield self._path, f"{quote_text(word)} is the sum of {' and '.join(counter.sum)}; change one of those."
        elif self._line.startswith("add ") and (isinstance(counter, Flag) or counter.words):
            yield self._path, f"{quote_text(word)} is no figure; write “set {self._words[0]} {word} …”."

    def _amount(self, word: str) -> Wrong:
        match = _AMOUNT.fullmatch(word)
        if match is None:
            yield self._path, f"{quote_text(word)} is no figure; write 3, -N or +THING.power."
            return
        _, whose, counter = match.groups()
        if whose and counter:
            of = self._page._owner_of(whose, self._takes)
            owners = ("me", "left", "right", TABLE, *self._page.listed)
            if whose not in owners and self._kind(whose) not in ("SEAT", "THING"):
                yield self._path, f"{quote_text(whose)} in {quote_text(word)} is nobody here."
            elif self._page._counter_named(counter, of) is None:
                yield self._path, self._page._no_counter(counter, of)
        elif whose and self._kind(whose) != "N":
            yield self._path, f'{quote_text(word)} is no figure; write 3, or N and takes = "N".'

    def _value(self, word: str) -> Wrong:
        counter = self._page._counter_named(self._words[1], self._of)
        if isinstance(counter, Flag):
            if word not in ("yes", "no"):
                yield self._path, f"{quote_text(self._words[1])} is a flag; set it to yes or no."
        elif counter is not None and counter.words:
            if word not in counter.words and self._kind(word) != "choice":
                yield self._path, _no_such_name(word, counter.words, "word of this counter")
        elif counter is not None:
            yield from self._amount(word)
            if re.fullmatch(r"[+−-]?\d+", word):
                yield from _in_bounds(int(word.replace("−", "-")), counter, self._path)


def _check_bounds(counter: CounterDefinition, path: Path) -> Wrong:
    """Check the bounds of a counter, and that its starts are within them."""
    least, most = None if counter.least == "none" else counter.least, counter.most
    if least is not None and most is not None and least > most:
        yield (*path, "most"), f"It would be between {least} and {most}; most must not be below least."
        return
    starts = {"": counter.start, **counter.start_by_players}
    for players, start in starts.items():
        inner = (*path, "start-by-players", players) if players else (*path, "start")
        if least is not None and start < least:
            hint = ' (least = "none" lets it go below 0)' if start < 0 == least else ""
            yield inner, f"It starts at {start}, which is below {least}{hint}."
        elif most is not None and start > most:
            yield inner, f"It starts at {start}, which is above {most}."


def _player_range(players: str) -> tuple[int, int]:
    least, _, most = players.partition("-")
    return (int(least), int(most or least)) if least.isdecimal() and (most or least).isdecimal() else (1, 99)


def _owner_text(of: str) -> str:
    return {SEAT: "a seat", TABLE: "the table", RIVAL: "a seat for each other"}.get(of, f"“{of}”")


def _read_condition(text: str) -> Condition | str:
    """Return a parsed condition, or the error message."""
    try:
        return parse_condition(text)
    except NotationError as error:
        return str(error)


def _is_draw(line: str) -> bool:
    return line.split()[:1] == ["draw"]


def _takes_hint(takes: Mapping[str, Taken]) -> str:
    return f"; it takes {', '.join(takes)}" if takes else "; say so by takes"


def _check_duplicates(names: Iterable[str], path: Path, key: str, hint: str = "") -> Wrong:
    seen: dict[str, int] = {}
    for at, name in enumerate(names):
        folded = name.casefold()
        if name and folded in seen:
            yield (*path, at, *([key] if key else [])), f"{quote_text(name)} stands here a second time{hint}."
        seen[folded] = at


def _in_bounds(value: int, counter: CounterDefinition, path: Path) -> Wrong:
    if counter.least != "none" and value < counter.least:
        yield path, f"{value} is below {counter.least}, the least of this counter."
    elif counter.most is not None and value > counter.most:
        yield path, f"{value} is above {counter.most}, the most of this counter."


def _check_reach(condition: Condition, counter: CounterDefinition, path: Path) -> Wrong:
    """Check that a counter can reach the value in a condition."""
    value, op = condition.value, condition.op
    assert isinstance(value, int)
    least, most = counter.least, counter.most
    if least != "none" and (value < least if op in ("<=", "=") else op == "<" and value <= least):
        yield path, f'The counter never falls below {least}, so this never holds; least = "none" lets it.'
    elif most is not None and (value > most if op in (">=", "=") else op == ">" and value >= most):
        yield path, f"The counter never rises above {most}, so this never holds."


def _compared_with_word(
    condition: Condition, counter: CounterDefinition | Flag, path: Path, takes: Mapping[str, Taken]
) -> Wrong:
    """Check that a flag or a counter of words is compared with one of its words."""
    words = ("yes", "no") if isinstance(counter, Flag) else counter.words
    if condition.op not in ("=", "!="):
        yield path, f"{quote_text(condition.counter)} has words, which are no more or less; write = or !=."
    elif condition.value not in (*words, *takes):
        yield path, _no_such_name(str(condition.value), words, "word of this counter")


def _check_decks(decks: DecksDefinition) -> Wrong:
    of_lists = ("least", "most", "copies", "unlimited", "sections")
    of_cards = ("cards", "inscriptions", "tiers", "tear_up", "counts", "design")
    for name in of_cards if decks.kind == "list" else of_lists:
        if getattr(decks, name) != _default_of(DecksDefinition, name):
            key = name.replace("_", "-")
            yield ("decks", key), f'This counts only where kind = "{"inscribed" if decks.kind == "list" else "list"}".'
    if decks.most is not None and decks.most < decks.least:
        yield ("decks", "most"), f"A deck would have {decks.least} to {decks.most} cards."
    if decks.design and not _DESIGN.fullmatch(decks.design):
        yield (
            ("decks", "design"),
            f"{quote_text(decks.design)} is no name of a design; write it without folder and ending.",
        )
    for key in ("cards", "sections", "unlimited"):
        yield from _check_duplicates(getattr(decks, key), ("decks", key), "")
    yield from _check_duplicates((each.name for each in decks.form), ("decks", "form"), "name")
    yield from _check_duplicates((each.name for each in decks.inscriptions), ("decks", "inscriptions"), "name")
    numbers: dict[int, str] = {}
    for at, each in enumerate(decks.inscriptions):
        path: Path = ("decks", "inscriptions", at)
        if each.number in numbers:
            yield (*path, "number"), f"{each.number} is the number of {quote_text(numbers[each.number])} for ever."
        numbers.setdefault(each.number, each.name)
        if each.tier and each.tier not in decks.tiers:
            yield (*path, "tier"), _no_such_name(each.tier, decks.tiers, "tier")


def _default_of(struct: type[msgspec.Struct], name: str) -> Any:
    field = next(field for field in msgspec.structs.fields(struct) if field.name == name)
    return field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
