"""Results as people report them for a match of a round: typed words, figures in fields, or who did not come."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final, Literal

from companion.archive.archive import Archive
from companion.league import season
from companion.league.display import pairing
from companion.league.league import LeagueMatch
from companion.league.season import LeagueError, MatchOutcome, Offer, Season
from templates.languages.messages import Message, Text, all_of, phrase, phrases

VERBS: Final = ("join", "drop", "bye", "absent", "pair")
"""The words that can be typed before names."""
_GAMES: Final = re.compile(r"\d{1,3}[-:–]\d{1,3}(?:[-:–]\d{1,3})?")
_FIGURE: Final = re.compile(r"-?[0-9]{1,6}")

Meaning = Literal["games", "places", "scores"]
"""The meaning of the figures of a match: games won, places, or points that were scored."""


def store_outcome(archive: Archive, read: Season, match: LeagueMatch, outcome: MatchOutcome) -> Season:
    """Enter the result of a match of a round, or correct it if it has one. Raises LeagueError, Conflict."""
    if match.result is None:
        return season.enter(archive, read, outcome, number=match.round)
    is_of_match = set(outcome.people) == set(match.people)
    return season.correct(archive, read, outcome, match.round, match if is_of_match else None)


def describe_entry(read: Season, match: LeagueMatch) -> Message:
    """Describe the result of a match as it is now: `Ana – Ben: Ana 2–1.`"""
    now = read.league.match(match.round, match.table) or match
    # Translators: {people} are those who played, {result} how it ended.
    return phrase("{people}: {result}.", people=pairing(read, now), result=season.describe_result(read, now))


def count_open(read: Season, number: int) -> Text:
    """Return how many matches of a round are open, as a sentence; "" if none is."""
    left = sum(match.is_open for match in read.league.round(number))
    return phrases("{n} still open.", "{n} still open.", n=left) if left else ""


# Typed words


def is_score(word: str) -> bool:
    """Return True for the games of a match, such as `2-1`."""
    return _GAMES.fullmatch(word) is not None


def read_result(read: Season, match: LeagueMatch, words: Sequence[str], offer: Offer | None) -> MatchOutcome:
    """Read the result of a match. A score alone is in the order of its people; no words take the result of a sealed
    game.

    Raises LeagueError, also if the words contain no result.
    """
    if match.is_bye:
        # Translators: The word pair is typed in English.
        text = phrase("{person} has a bye; pair NAME NAME has two play each other.", person=read.name(match.people[0]))
        raise LeagueError(text)
    if not words and offer is not None and match.result is None:
        return offer.outcome
    named = [word for word in words if not is_score(word)]
    if not words or (len(named) == len(words) == 1 and not set("=:") & set(named[0])):
        # A name alone only searched for its match.
        raise LeagueError(how_to_type(read, match))
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
        raise LeagueError(text)
    return others


def how_to_type(read: Season, match: LeagueMatch) -> Text:
    """Explain how the result of a match is typed."""
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


# Figures in fields


def read_figures(
    read: Season, figures: Mapping[str, str], meaning: Meaning, absent: Sequence[str] = (), drawn_games: str = ""
) -> MatchOutcome:
    """Read what was entered for each person, by id; those who are `absent` need no figure.

    Raises LeagueError if a figure is missing, is no number, or does not suit its meaning.
    """
    numbers = {person: _read_figure(read, person, text) for person, text in figures.items() if person not in absent}
    if meaning == "scores":
        return season.read_outcome(read, [f"{person}:{number}" for person, number in numbers.items()], absent=absent)
    if negative := [person for person, number in numbers.items() if number < 0]:
        raise LeagueError(phrase("{person} cannot have less than 0 here.", person=read.name(negative[0])))
    if meaning == "places" or absent:
        ordered = sorted(numbers, key=lambda person: numbers[person])
        words = ["=".join(group) for _, group in groupby(ordered, key=lambda person: numbers[person])]
        return season.read_outcome(read, words, absent=absent)
    draws = f"-{_read_drawn(drawn_games)}" if drawn_games.strip() else ""
    return season.read_outcome(read, [*numbers, "-".join(map(str, numbers.values())) + draws])


def _read_figure(read: Season, person: str, text: str) -> int:
    if not _FIGURE.fullmatch(text.strip()):
        raise LeagueError(phrase("Enter a number for {person}.", person=read.name(person)))
    return int(text)


def _read_drawn(text: str) -> int:
    if not _FIGURE.fullmatch(text.strip()) or int(text) < 0:
        raise LeagueError(phrase("Enter the number of drawn games, or leave it empty."))
    return int(text)


# Who takes part


def note_absence(archive: Archive, read: Season, gone: Sequence[str], number: int) -> Season:
    """Enter that people, by id, did not come to their match of a round. Raises LeagueError if they have none."""
    for match in read.league.round(number):
        if not set(gone) <= set(match.people) or match.is_bye:
            continue
        there = [person for person in match.people if person not in gone]
        return store_outcome(archive, read, match, season.read_outcome(read, [*there, *gone], absent=gone))
    text = phrase("{people} are not paired in round {number}.", people=all_of(map(read.name, gone)), number=str(number))
    raise LeagueError(text)


def apply_change(archive: Archive, read: Season, verb: str, names: Sequence[str], number: int) -> Season:
    """Do what one of `VERBS` says with these people in a round. Raises LeagueError, Unknown, NotationError."""
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
            return note_absence(archive, read, [read.find(name) for name in names], number)
    return read
