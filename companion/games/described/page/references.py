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
from companion.tabletop.text import in_quotes
from templates.languages.messages import Message, Text, all_of, any_of, joined, phrase, phrase_in
from templates.languages.messages import listed as in_list

Wrong = Iterator[tuple[Path, Text]]
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


# Translators: the kinds of names that a page has, as in “There is no step “drwa”; did you mean draw?”
_OWNER: Final = phrase_in("kind of name", "owner")
_STEP: Final = phrase_in("kind of name", "step")
_COUNTER: Final = phrase_in("kind of name", "counter")
_TOKEN: Final = phrase_in("kind of name", "token")
_TOKEN_OR_FLAG: Final = phrase_in("kind of name", "token or flag")
_ZONE: Final = phrase_in("kind of name", "zone")
_KIND_OF_THING: Final = phrase_in("kind of name", "kind of thing")
_POOL: Final = phrase_in("kind of name", "pool")
_LINE: Final = phrase_in("kind of name", "line")
_COLUMN: Final = phrase_in("kind of name", "column")
_TIER: Final = phrase_in("kind of name", "tier")
_BOX_FIGURE: Final = phrase_in("kind of name", "figure of the box")
_WORD_OF_COUNTER: Final = phrase_in("kind of name", "word of this counter")
_CHOICE: Final = phrase_in("kind of name", "word that can be chosen")


def _no_such_name(word: str, names: Iterable[str], kind: Message, owner: Text = "") -> Message:
    """Return a message that a name does not exist, with the closest match; `owner` is that of a counter."""
    names = list(names)
    values = {"kind": kind, "word": in_quotes(word), "owner": owner}
    # Translators: {kind} is what is named, such as “step”; {owner} is such as “a seat” or “the table”.
    if near := get_close_matches(word.lower(), names, n=1, cutoff=0.5):
        if owner:
            return phrase("There is no {kind} {word} of {owner}; did you mean {name}?", **values, name=near[0])
        return phrase("There is no {kind} {word}; did you mean {name}?", **values, name=near[0])
    if names:
        if owner:
            return phrase("There is no {kind} {word} of {owner}; there is: {names}.", **values, names=_some_of(names))
        return phrase("There is no {kind} {word}; there is: {names}.", **values, names=_some_of(names))
    if owner:
        return phrase("There is no {kind} {word} of {owner}; the page has none.", **values)
    return phrase("There is no {kind} {word}; the page has none.", **values)


def _some_of(names: Sequence[str]) -> Message:
    """Return a list of names, of which the first dozen is enough."""
    most = 12
    some = in_list(names[:most])
    return joined(" ", (some, "…")) if len(names) > most else some


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
            yield from self._check_name(flag.of, owners, _OWNER, (*path, "of"))
            yield from self._check_moment(flag.reset, (*path, "reset"))
        for word, token in self.page.tokens.items():
            yield from self._check_step(token.at, ("tokens", word, "at"))
            yield from self._check_moment(token.reset, ("tokens", word, "reset"))

    def _things(self) -> Wrong:
        for word, kind in self.page.things.items():
            path: Path = ("things", word)
            yield from self._check_name(kind.zone, self.page.zones, _ZONE, (*path, "zone"))
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

    # Names

    def _check_name(self, word: str, names: Collection[str], kind: Message, path: Path) -> Wrong:
        if word and word not in names:
            yield path, _no_such_name(word, names, kind)

    def _check_step(self, word: str, path: Path) -> Wrong:
        yield from self._check_name(word, self.steps, _STEP, path)

    def _check_moment(self, word: str, path: Path) -> Wrong:
        if word and word not in (TURN, ROUND, *self.steps):
            yield path, _no_such_name(word, (TURN, ROUND, *self.steps), _STEP)

    def _check_figure(self, word: str, of: str, path: Path, *, flags: bool = False) -> Wrong:
        """Check that an owner has a counter (or a flag) of this name."""
        figures = self.figures.get(of, {})
        if word in figures and (flags or isinstance(figures[word], CounterDefinition)):
            return
        if word in self.page.counters or (flags and word in self.page.flags):
            others: dict[str, CounterDefinition | Flag] = {**self.page.flags, **self.page.counters}
            yield (
                path,
                phrase(
                    "{word} is a counter of {owner}, not of {other}.",
                    word=in_quotes(word),
                    owner=_owner_text(others[word].of),
                    other=_owner_text(of),
                ),
            )
        else:
            names = [name for name, figure in figures.items() if flags or isinstance(figure, CounterDefinition)]
            yield path, _no_such_name(word, names, _COUNTER, _owner_text(of))

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
        if play.order == "bid":
            if play.by:
                yield from self._check_figure(play.by, SEAT, ("play", "by"))
            else:
                yield ("play", "order"), phrase('The order "bid" needs a counter that decides it; write by = "…".')
        else:
            yield from self._check_name(play.by, self.page.tokens, _TOKEN, ("play", "by"))
        if play.teams == 1 or play.teams > most:
            yield (
                ("play", "teams"),
                phrase(
                    "{teams} is not possible; with up to {most} players write 2 to {most}, or 0.",
                    teams=str(play.teams),
                    most=str(most),
                ),
            )

    # Figures

    def _counter(self, counter: CounterDefinition, path: Path) -> Wrong:
        yield from self._check_name(counter.of, (SEAT, TABLE, RIVAL, *self.page.things), _OWNER, (*path, "of"))
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
        if counter.out:
            yield from self._check_out(counter, path)
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
        for other in counter.also:
            yield from self._check_figure(other, SEAT if counter.of == RIVAL else counter.of, (*path, "also", other))

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
        condition = _read_condition(counter.out)
        if isinstance(condition, Message):
            yield path, condition
        elif condition.owner or condition.counter or condition.op not in OPERATORS:
            yield (
                path,
                phrase(
                    '{condition} is more than a comparison with this counter; write "<= 0".',
                    condition=in_quotes(counter.out),
                ),
            )
        elif not isinstance(condition.value, int):
            yield (
                path,
                phrase("{value} is not a figure; write “<= 0” or “>= 10”.", value=in_quotes(str(condition.value))),
            )
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
                    yield (
                        ("counters", word, "also"),
                        phrase("{word} would change itself without end.", word=in_quotes(word)),
                    )
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
            yield (*path, "each"), phrase('This works only with at = "…", the step in which everybody draws.')
        if pool.cards and pool.size:
            yield (*path, "size"), phrase("Leave this out: the cards and their copies say how many there are.")
        if not pool.cards and pool.drawn == "program":
            yield path, phrase('The program needs to know what is in it: write its cards, or drawn = "cards".')
        if not pool.cards and not pool.size and pool.drawn == "cards":
            yield path, phrase("Say what is in it: its cards, or with size how many there are.")
        yield from _check_duplicates((card.name for card in pool.cards), (*path, "cards"), "name", has_copies=True)
        for at, card in enumerate(pool.cards):
            inner = (*path, "cards", at)
            yield from self._check_name(card.puts, self.page.things, _KIND_OF_THING, (*inner, "puts"))
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
                    yield from self._line(line, _NO_TAKES, (*inner, "does", number))

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
        yield from self._check_costs(own, takes, (*path, "costs"))
        for key in ("costs", "once") if own.whose == "table" else ():
            if getattr(own, key):
                yield (*path, key), phrase('This needs an acting player; leave out either this or whose = "table".')
        for at, text in enumerate(own.when):
            yield from self._check_condition(text, (*path, "when", at), takes, me=own.whose != "table")
        for at, line in enumerate(own.does):
            yield from self._line(line, takes, (*path, "does", at), me=own.whose != "table")
            if _is_draw(line) and any(map(_is_draw, own.does[:at])):
                yield (*path, "does", at), phrase("A line draws one card; draw the next by a line of its own.")

    def _check_costs(self, own: Own, takes: Mapping[str, Taken], path: Path) -> Wrong:
        for counter, price in own.costs.items():
            yield from self._check_figure(counter, SEAT, (*path, counter))
            if isinstance(price, str) and (price not in takes or takes[price].kind != "N"):
                text = phrase(
                    '{price} is not a figure that the line takes; write 3, or N and takes = "N".',
                    price=in_quotes(price),
                )
                yield (*path, counter), text
            elif isinstance(price, int) and price < 1:
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
                tokens.append(words.take(_ANY))
        except NotationError as error:
            yield path, error.message
            return
        if not tokens:
            yield path, phrase("This line is empty; leave it out.")
            return
        verb, *rest = tokens
        if verb not in _LINES:
            if verb in self.page.actions:
                yield path, phrase("{verb} is a line of your own; write what it does instead.", verb=in_quotes(verb))
            else:
                yield path, _no_such_name(verb, _LINES, _LINE)
            return
        for word in rest:
            for taken in _TAKEN.findall(word):
                if taken not in takes:
                    yield (
                        path,
                        _speaks_of(line, taken, takes),
                    )
                    return
            if word in _PEOPLE and not me and word != "each":
                yield (
                    path,
                    phrase(
                        "{line} says “{word}”, but this action has no acting player.",
                        line=in_quotes(line),
                        word=word,
                    ),
                )
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
        if isinstance(condition, Message):
            yield path, condition
            return
        owner = condition.owner
        if condition.counter in POOL_COUNTERS and owner and owner not in OWNERS and not TAKEN_WORD.fullmatch(owner):
            yield from self._check_name(owner, self.page.pools, _POOL, path)
            return
        if owner in ("me", "others") and not me:
            yield path, phrase("There is no acting player for “{owner}” here; write each, any or table.", owner=owner)
            return
        if TAKEN_WORD.fullmatch(owner) and owner not in takes:
            yield path, _speaks_of(text, owner, takes)
            return
        if not owner and not subject and not me:
            yield (
                path,
                phrase("{text} does not say whose; write “table …”, “any …” or “each …”.", text=in_quotes(text)),
            )
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
                yield path, _speaks_of("", word, takes)
            elif takes[word].kind != "THING" or of != SEAT:
                yield path, phrase("“has” takes a THING, a token or a flag, not {word}.", word=word)
        elif of is not None and not isinstance(self.figures.get(of, {}).get(word), Flag):
            flags = [name for name, figure in self.figures[of].items() if isinstance(figure, Flag)]
            names = [*(self.page.tokens if of == SEAT else ()), *flags]
            if word not in names:
                yield path, _no_such_name(word, names, _TOKEN_OR_FLAG)

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
                yield path, _no_such_name(str(value), takes[word].choices, _CHOICE)
            elif takes[word].kind in ("SEAT", "THING") and kinds.get(str(value)) != takes[word].kind:
                yield (
                    path,
                    phrase(
                        "{word} can only be compared with another one of its kind: “{word} != {example}”.",
                        word=word,
                        example="me" if takes[word].kind == "SEAT" else "THING2",
                    ),
                )
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
                yield path, phrase("{word} is not a figure.", word=in_quotes(word))
            return
        if (taken := TAKEN_WORD.fullmatch(whose or word)) and taken[0] not in takes:
            yield path, _speaks_of("", taken[0], takes)
            return
        owner = self._owner_of(whose, takes) if dot else of
        if self._counter_named(counter, owner) is None:
            yield path, self._no_counter(counter, owner)

    def _no_counter(self, word: str, of: str | None) -> Message:
        """Return a message that an owner has no such counter, with the owner that has it."""
        counter = self.page.counters.get(word)
        if counter is not None and of is not None:
            values = {"word": in_quotes(word), "owner": _owner_text(counter.of), "other": _owner_text(of)}
            if counter.of == TABLE:
                return phrase("{word} is a counter of {owner}, not of {other}; write table before it.", **values)
            if counter.of == SEAT:
                return phrase(
                    "{word} is a counter of {owner}, not of {other}; write me, each or any before it.", **values
                )
            return phrase("{word} is a counter of {owner}, not of {other}.", **values)
        names = self.figures[of] if of is not None else self.page.counters
        return _no_such_name(word, names, _COUNTER, "" if of is None else _owner_text(of))

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
            yield ("sheet", "columns"), phrase('Write at least one column: columns = ["points"].')
        yield from _check_duplicates(columns, ("sheet", "columns"), "")
        for column in sheet.titles:
            yield from self._check_name(column, columns, _COLUMN, ("sheet", "titles", column))
        for number, column in enumerate(sheet.secret):
            yield from self._check_name(column, columns, _COLUMN, ("sheet", "secret", number))
        for column, step in sheet.at.items():
            yield from self._check_name(column, columns, _COLUMN, ("sheet", "at", column))
            yield from self._check_step(step, ("sheet", "at", column))
        for column, token in sheet.of.items():
            yield from self._check_name(column, columns, _COLUMN, ("sheet", "of", column))
            yield from self._check_name(token, self.page.tokens, _TOKEN, ("sheet", "of", column))
        for column, total in sheet.sum.items():
            yield from self._check_name(column, columns, _COLUMN, ("sheet", "sum", column))
            if isinstance(total, str) and total != ROUND:
                yield (
                    ("sheet", "sum", column),
                    phrase('{total} is not a sum; write a figure or "round".', total=in_quotes(total)),
                )
        if sheet.counts in self.page.counters:
            yield from self._check_figure(sheet.counts, SEAT, ("sheet", "counts"))
        for at, points in enumerate(sheet.points):
            yield from self._points(points, sheet, ("sheet", "points", at))

    def _points(self, points: Points, sheet: SheetDefinition, path: Path) -> Wrong:
        for text in points.conditions:
            condition = _read_condition(text)
            if isinstance(condition, Message):
                yield (*path, "when"), condition
            elif condition.owner or condition.op not in OPERATORS:
                yield (*path, "when"), phrase("Only columns can be named here, as in “tricks = bid”.")
            else:
                for word in (condition.counter, condition.value):
                    if isinstance(word, str):
                        yield from self._check_name(word, sheet.columns, _COLUMN, (*path, "when"))
        match = _DIFFERENCE.fullmatch(points.per)
        if points.per and match is None:
            yield (
                (*path, "per"),
                phrase("{per} is not a column; write “tricks” or “bid - tricks”.", per=in_quotes(points.per)),
            )
        for column in match.groups() if match else ():
            yield from self._check_name(column or "", sheet.columns, _COLUMN, (*path, "per"))
        if not points.per and not points.points:
            yield path, phrase('The points are missing; write points = 10, or per = "tricks" and times = 2.')

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
        names = ("each", "winner", "losers", *self.page.tokens)
        yield from self._check_name(after.who, names, _TOKEN, (*path, "who"))
        if after.kind == "buy" and self.page.purse is None:
            yield (*path, "kind"), phrase("Buying needs a purse; write [purse].")
        if after.tier and after.kind not in ("inscribe", "buy"):
            yield (*path, "tier"), phrase("This works only with inscribe and buy.")
        if after.kind not in ("text", "do"):
            yield from self._after_for_decks(after, path)

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
            yield from self._check_name(tier, decks.tiers, _TIER, (*path, "tier", at))
        yield from self._check_name(after.counts, decks.counts, _BOX_FIGURE, (*path, "counts"))

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
    "TOKEN": (_TOKEN, "tokens"),
    "KIND": (_KIND_OF_THING, "things"),
    "ZONE": (_ZONE, "zones"),
    "POOL": (_POOL, "pools"),
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
            yield (
                self._path,
                phrase(
                    "{line} is not complete; write it as “{verb} {shape}”.",
                    line=in_quotes(self._line),
                    verb=verb,
                    shape=_LINES[verb],
                ),
            )
            return
        for part, word in zip(wanted, self._words, strict=False):
            if wrong := [*self._part(part, word)]:
                yield from wrong
                return
        if verb in ("put", "move", "draw"):
            yield from self._keywords(verb, self._words[len(wanted) :])

    def _keywords(self, verb: str, words: Sequence[str]) -> Wrong:
        kind = ""
        for word in words:
            if word in _MORE:
                kind = _MORE[word]
            elif kind:
                yield from self._part("AMOUNT" if kind == "AMOUNTS" else kind, word)
                kind = kind if kind == "AMOUNTS" else ""
            elif word in self._page.page.zones and verb != "draw":
                line = in_quotes(self._line.replace(f" {word}", f" zone {word}", 1))
                yield self._path, phrase("A place comes after “zone”; write {line}.", line=line)
            elif word != "drawn" or verb != "draw":
                keywords = any_of(("for", "is", "drawn") if verb == "draw" else ("of", "zone", "lane", "name", "with"))
                yield (
                    self._path,
                    phrase(
                        "{word} is one word too many; what it says comes after {keywords}.",
                        word=in_quotes(word),
                        keywords=keywords,
                    ),
                )

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
            yield from self._page._check_name(word, page.sheet.columns if page.sheet else (), _COLUMN, self._path)
        elif part == "THING" and word not in self._takes and not page.things:
            yield self._path, phrase("{line} needs [things], of which this page has none.", line=in_quotes(self._line))
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
                    phrase(
                        "{line} does not say whose; write “{verb} me {word} …”.",
                        line=in_quotes(self._line),
                        verb=self._line.split()[0],
                        word=word,
                    ),
                )
            else:
                yield (
                    self._path,
                    phrase("{word} is nobody here; write one of {names}.", word=in_quotes(word), names=_some_of(names)),
                )

    @property
    def _of(self) -> str | None:
        return self._page._owner_of(self._words[0], self._takes)

    def _counter(self, word: str) -> Wrong:
        counter = self._page._counter_named(word, self._of)
        if counter is None:
            yield self._path, self._page._no_counter(word, self._of)
        elif isinstance(counter, CounterDefinition) and counter.sum:
            yield (
                self._path,
                phrase(
                    "{word} is the sum of {parts}; change one of those.",
                    word=in_quotes(word),
                    parts=all_of(counter.sum),
                ),
            )
        elif self._line.startswith("add ") and (isinstance(counter, Flag) or counter.words):
            yield (
                self._path,
                phrase(
                    "{word} is not a figure; write “set {owner} {word2} …”.",
                    word=in_quotes(word),
                    owner=self._words[0],
                    word2=word,
                ),
            )

    def _amount(self, word: str) -> Wrong:
        match = _AMOUNT.fullmatch(word)
        if match is None:
            yield self._path, phrase("{word} is not a figure; write 3, -N or +THING.power.", word=in_quotes(word))
            return
        _, whose, counter = match.groups()
        if whose and counter:
            of = self._page._owner_of(whose, self._takes)
            owners = ("me", "left", "right", TABLE, *self._page.listed)
            if whose not in owners and self._kind(whose) not in ("SEAT", "THING"):
                yield (
                    self._path,
                    phrase("{owner} in {word} is nobody here.", owner=in_quotes(whose), word=in_quotes(word)),
                )
            elif self._page._counter_named(counter, of) is None:
                yield self._path, self._page._no_counter(counter, of)
        elif whose and self._kind(whose) != "N":
            yield self._path, phrase('{word} is not a figure; write 3, or N and takes = "N".', word=in_quotes(word))

    def _value(self, word: str) -> Wrong:
        counter = self._page._counter_named(self._words[1], self._of)
        if isinstance(counter, Flag):
            if word not in ("yes", "no"):
                yield self._path, phrase("{flag} is a flag; set it to yes or no.", flag=in_quotes(self._words[1]))
        elif counter is not None and counter.words:
            if word not in counter.words and self._kind(word) != "choice":
                yield self._path, _no_such_name(word, counter.words, _WORD_OF_COUNTER)
        elif counter is not None:
            yield from self._amount(word)
            if re.fullmatch(r"[+−-]?\d+", word):
                yield from _in_bounds(int(word.replace("−", "-")), counter, self._path)


def _check_bounds(counter: CounterDefinition, path: Path) -> Wrong:
    """Check the bounds of a counter, and that its starts are within them."""
    least, most = None if counter.least == "none" else counter.least, counter.most
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
    starts = {"": counter.start, **counter.start_by_players}
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


def _player_range(players: str) -> tuple[int, int]:
    least, _, most = players.partition("-")
    return (int(least), int(most or least)) if least.isdecimal() and (most or least).isdecimal() else (1, 99)


_OWNERS: Final[Mapping[str, Message]] = {
    SEAT: phrase_in("owner of a counter", "a seat"),
    TABLE: phrase_in("owner of a counter", "the table"),
    RIVAL: phrase_in("owner of a counter", "a seat for each other"),
}


def _owner_text(of: str) -> Message:
    return _OWNERS.get(of) or phrase("“{thing}”", thing=of)


def _read_condition(text: str) -> Condition | Message:
    """Return a parsed condition, or the error message."""
    try:
        return parse_condition(text)
    except NotationError as error:
        return error.message


def _is_draw(line: str) -> bool:
    return line.split()[:1] == ["draw"]


def _speaks_of(line: str, word: str, takes: Mapping[str, Taken]) -> Message:
    """Return a message that a line, or a condition without a text of its own, has a parameter that it does not take."""
    values = {"line": in_quotes(line), "word": word, "words": in_list(takes)}
    if takes and line:
        return phrase("{line} speaks of {word}, which the line does not take; it takes {words}.", **values)
    if line:
        return phrase("{line} speaks of {word}, which the line does not take; add it to takes.", **values)
    if takes:
        return phrase("It speaks of {word}, which the line does not take; it takes {words}.", **values)
    return phrase("It speaks of {word}, which the line does not take; add it to takes.", **values)


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


def _in_bounds(value: int, counter: CounterDefinition, path: Path) -> Wrong:
    if counter.least != "none" and value < counter.least:
        yield (
            path,
            phrase(
                "{value} is below {least}, the minimum of this counter.", value=str(value), least=str(counter.least)
            ),
        )
    elif counter.most is not None and value > counter.most:
        yield (
            path,
            phrase("{value} is above {most}, the maximum of this counter.", value=str(value), most=str(counter.most)),
        )


def _check_reach(condition: Condition, counter: CounterDefinition, path: Path) -> Wrong:
    """Check that a counter can reach the value in a condition."""
    value, op = condition.value, condition.op
    assert isinstance(value, int)
    least, most = counter.least, counter.most
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
        yield path, _no_such_name(str(condition.value), words, _WORD_OF_COUNTER)


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
            yield (*path, "tier"), _no_such_name(each.tier, decks.tiers, _TIER)


def _default_of(struct: type[msgspec.Struct], name: str) -> Any:
    field = next(field for field in msgspec.structs.fields(struct) if field.name == name)
    return field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
