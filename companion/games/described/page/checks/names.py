"""The names on a page in messages: what kinds there are, and what is said of one that does not exist."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from companion.games.described.page.amounts import HAND_WORD, PARTNER, TABLE_WORDS
from companion.games.described.page.description import RIVAL, SEAT, TABLE, TEAM, CounterDefinition, Description, Flag
from companion.games.described.page.takes import TAKEN_WORD, Taken
from companion.games.described.page.texts import as_written
from companion.games.described.page.toml_lines import Path
from companion.tabletop.decks.decklist import handle
from companion.tabletop.text import in_quotes
from templates.languages.messages import Message, Text, joined, phrase, phrase_in
from templates.languages.messages import listed as in_list

Wrong = Iterator[tuple[Path, Text]]
"""The problems: the path to the key, and a sentence."""

PEOPLE: Final = ("me", "others", "each", "left", "right")
"""The words for seats in a page's line, besides its parameters."""
NO_TAKES: Final[Mapping[str, Taken]] = {}
"""The parameters of a line that takes none."""

# Translators: the kinds of names that a page has, as in “There is no step “drwa”; did you mean draw?”
OWNER: Final = phrase_in("kind of name", "owner")
STEP: Final = phrase_in("kind of name", "step")
COUNTER: Final = phrase_in("kind of name", "counter")
TOKEN: Final = phrase_in("kind of name", "token")
FLAG: Final = phrase_in("kind of name", "flag")
TOKEN_OR_FLAG: Final = phrase_in("kind of name", "token or flag")
ZONE: Final = phrase_in("kind of name", "zone")
KIND_OF_THING: Final = phrase_in("kind of name", "kind of thing")
POOL: Final = phrase_in("kind of name", "pool")
LINE: Final = phrase_in("kind of name", "line")
COLUMN: Final = phrase_in("kind of name", "column")
PARAMETER: Final = phrase_in("kind of name", "parameter")
TIER: Final = phrase_in("kind of name", "tier")
BOX_FIGURE: Final = phrase_in("kind of name", "figure of the box")
WORD_OF_COUNTER: Final = phrase_in("kind of name", "word of this counter")
CHOICE: Final = phrase_in("kind of name", "word that can be chosen")


def no_such_name(word: str, names: Iterable[str], kind: Message, owner: Text = "") -> Message:
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
            return phrase("There is no {kind} {word} of {owner}; there is: {names}.", **values, names=some_of(names))
        return phrase("There is no {kind} {word}; there is: {names}.", **values, names=some_of(names))
    if owner:
        return phrase("There is no {kind} {word} of {owner}; the page has none.", **values)
    return phrase("There is no {kind} {word}; the page has none.", **values)


def some_of(names: Sequence[str]) -> Message:
    """Return a list of names, of which the first dozen is enough."""
    most = 12
    some = in_list(names[:most])
    return joined(" ", (some, "…")) if len(names) > most else some


_OWNERS: Final[Mapping[str, Message]] = {
    SEAT: phrase_in("owner of a counter", "a seat"),
    TEAM: phrase_in("owner of a counter", "a team"),
    TABLE: phrase_in("owner of a counter", "the table"),
    RIVAL: phrase_in("owner of a counter", "a seat for each other"),
}


def owner_text(of: str) -> Message:
    """Return the owner of a counter in words, from its word on the page."""
    return _OWNERS.get(of) or phrase("“{thing}”", thing=of)


def speaks_of(line: str, word: str, takes: Mapping[str, Taken]) -> Message:
    """Return a message that a line, or a condition without a text of its own, has a parameter that it does not take."""
    values = {"line": in_quotes(line), "word": word, "words": in_list(takes)}
    if takes and line:
        return phrase("{line} speaks of {word}, which the line does not take; it takes {words}.", **values)
    if line:
        return phrase("{line} speaks of {word}, which the line does not take; add it to takes.", **values)
    if takes:
        return phrase("It speaks of {word}, which the line does not take; it takes {words}.", **values)
    return phrase("It speaks of {word}, which the line does not take; add it to takes.", **values)


def check_in_bounds(value: int, counter: CounterDefinition, path: Path) -> Wrong:
    """Check that a value is within the bounds of a counter."""
    if counter.least != "none" and value < counter.least:
        yield (
            path,
            phrase(
                "{value} is below {least}, the minimum of this counter.", value=str(value), least=str(counter.least)
            ),
        )
    elif counter.most_figure is not None and value > counter.most_figure:
        yield (
            path,
            phrase(
                "{value} is above {most}, the maximum of this counter.", value=str(value), most=str(counter.most_figure)
            ),
        )


class PageNames:
    """The names of a page, and who has the counters that they mean."""

    def __init__(self, page: Description) -> None:
        self.page = page
        self.steps = [step.name for step in page.steps]
        self.figures: dict[str, Mapping[str, CounterDefinition | Flag]] = {
            of: {
                **{word: counter for word, counter in page.counters.items() if counter.of == of},
                **{word: flag for word, flag in page.flags.items() if flag.of == of},
            }
            for of in (SEAT, TEAM, TABLE, RIVAL, *page.things)
        }
        self.listed = {handle(each.name): kind for kind, things in page.things.items() for each in things.list}
        """The kinds of the listed things by their handles."""
        self.players = _player_range(page.play.players)
        self.has_teams = page.play.teams > 1
        self.table_words = (*TABLE_WORDS, HAND_WORD) if page.play.hand else TABLE_WORDS
        """The words that mean a number of the table, unless the page has a counter of that name."""
        self.table_numbers = frozenset(self.table_words) - page.counters.keys()
        """The words that do mean a number of the table."""
        words = [handle(title) for title in map(as_written, page.play.team_titles)]
        self.team_words = words or [f"team-{number}" for number in range(1, page.play.teams + 1)]
        """The words of the teams in lines."""
        somebody = (*page.tokens, *((PARTNER,) if self.has_teams else ()))
        self.people = tuple(word for word in somebody if word not in self.listed)
        """The words for somebody in lines of the page's own, besides PEOPLE: holders of tokens, and partners."""

    def check_name(self, word: str, names: Collection[str], kind: Message, path: Path) -> Wrong:
        """Check that a name of some kind exists, if one is given."""
        if word and word not in names:
            yield path, no_such_name(word, names, kind)

    def owner_of(self, word: str, takes: Mapping[str, Taken]) -> str | None:
        """Return the owner of the counters that a word means; None for a thing, whose kind is not known in advance."""
        if word == TABLE:
            return TABLE
        if word in takes and takes[word].kind == "THING":
            return takes[word].of or None
        if word in self.team_words:
            return TEAM
        return self.listed.get(word, SEAT)

    def no_counter(self, word: str, of: str | None, *, counts_things: bool = False) -> Message:
        """Return a message that an owner has no such counter, with the owner that has it.

        With `counts_things`, a kind of thing or a zone would be possible, too.
        """
        counter = self.page.counters.get(word)
        if counter is not None and of is not None:
            values = {"word": in_quotes(word), "owner": owner_text(counter.of), "other": owner_text(of)}
            if counter.of == TABLE:
                return phrase("{word} is a counter of {owner}, not of {other}; write table before it.", **values)
            if counter.of == SEAT:
                return phrase(
                    "{word} is a counter of {owner}, not of {other}; write me, each or any before it.", **values
                )
            return phrase("{word} is a counter of {owner}, not of {other}.", **values)
        # Of a thing whose kind is not known, the counters and flags of all kinds are possible.
        owners = [of] if of is not None else [*self.page.things]
        names = [name for owner in owners for name in self.figures.get(owner, {})]
        if counts_things and get_close_matches(word, counted := [*self.page.things, *self.page.zones], n=1, cutoff=0.6):
            names += counted
        return no_such_name(word, names, COUNTER, "" if of is None else owner_text(of))

    def figure_named(self, word: str, of: str | None) -> CounterDefinition | Flag | None:
        """Return a figure that can be read: a counter of an owner, or the number of things of a kind or in a zone."""
        counter = self.counter_named(word, of)
        if counter is not None or of not in (SEAT, TEAM, TABLE) or word in self.page.counters:
            return counter
        if word in self.page.things:
            return CounterDefinition()
        if word in self.page.zones:
            zone = self.page.zones[word]
            return CounterDefinition(most=zone.lanes or None if of == SEAT or zone.of == TABLE else None)
        return None

    def counter_named(self, word: str, of: str | None) -> CounterDefinition | Flag | None:
        """Return a counter of an owner, including one kept for a rival (`damage-SEAT`), or None."""
        owners = [kind for kind in self.figures if kind not in (SEAT, TEAM, TABLE, RIVAL)] if of is None else [of]
        if self.has_teams and of in (SEAT, TEAM):
            owners += [TEAM if of == SEAT else SEAT]
        for owner in owners:
            # Of an owner that the page does not have, another sentence tells.
            if figure := self.figures.get(owner, {}).get(word):
                return figure
        base, _, whose = word.rpartition("-")
        if of == SEAT and (whose in PEOPLE or TAKEN_WORD.fullmatch(whose)):
            return self.figures[RIVAL].get(base)
        return None


def _player_range(players: str) -> tuple[int, int]:
    least, _, most = players.partition("-")
    return (int(least), int(most or least)) if least.isdecimal() and (most or least).isdecimal() else (1, 99)
