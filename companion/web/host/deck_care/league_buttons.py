"""The buttons on the host's page of a league, and the fields of the forms in which they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, cast, get_args

from companion.archive import Archive
from companion.league import display, entering, season
from companion.league.entering import Meaning
from companion.league.league import UNPAIRED, LeagueMatch
from companion.league.season import LeagueError, MatchOutcome, Season
from templates.languages.messages import Text, joined, phrase

_ROUND: Final = re.compile(r"[0-9]{1,4}")
CHANGED: Final = phrase("The league has changed meanwhile, and nothing was stored. Look at it again.")
CAREFUL: Final = frozenset(("next", "again", "withdraw", "close", "reopen"))
"""The buttons that work only if the page showed the league as it is now."""


class Question(NamedTuple):
    """A question before something is done: the reason against it, and the button that does it."""

    reason: Text
    button: str
    title: Text


def read_number(text: str) -> int | None:
    """Return the number of a round or table in an address or a field, or None."""
    return int(text) if _ROUND.fullmatch(text) else None


class RoundForm:
    """The fields of a form of the page: its button with its words, and the match with its people and figures."""

    def __init__(self, fields: Sequence[tuple[str, str]]) -> None:
        values = dict(fields)
        self.button, *self.words = values.get("do", "").split(" ")
        self.at = values.get("at", "")
        self.is_sure = "sure" in values
        self.number = read_number(values.get("round", "")) or 0
        self.table = read_number(values.get("table", "")) or 0
        self.text = values.get("text", "").strip()
        self.drawn_games = values.get("drawn", "")
        self.persons = tuple(text for name, text in fields if name == "who")
        self.figures = tuple(text for name, text in fields if name == "figure")
        meaning = values.get("means", "games")
        self.meaning: Meaning = cast("Meaning", meaning) if meaning in get_args(Meaning) else "games"
        self.absent = tuple(text for name, text in fields if name == "absent")

    @property
    def is_unpaired(self) -> bool:
        """True for the result of a match that nobody paired."""
        return not self.table and self.button in ("enter", "won", "draw")


def find_question(read: Season, form: RoundForm) -> Question | None:
    """Return the question that comes before a button's work, if any."""
    if form.is_sure:
        return None
    if form.button == "next" and (why_not := season.may_draw(read)):
        return Question(why_not, "next", phrase("Draw the next round anyway"))
    if form.button == "again":
        reason = phrase(
            "Round {number} is drawn, people may have seen it, and its results would count no more.",
            number=str(read.league.rounds),
        )
        return Question(reason, "again", phrase("Draw this round again"))
    return None


def run_button(archive: Archive, read: Season, form: RoundForm) -> tuple[Season, Text]:
    """Do what a button says. Returns the league after that, and a sentence about it.

    Raises ArchiveError, NotationError.
    """
    run = _BUTTONS.get(form.button)
    if run is None:
        raise LeagueError(phrase("This button is not known here. Load the page again; nothing was changed."))
    return run(archive, read, form)


def _find_match(read: Season, form: RoundForm) -> LeagueMatch:
    """Return the match of a form. Raises LeagueError if other people sit at that table by now."""
    match = read.league.match(form.number, form.table)
    if match is None or set(match.people) != set(form.persons):
        raise LeagueError(CHANGED)
    return match


def _enter(archive: Archive, read: Season, form: RoundForm) -> tuple[Season, Text]:
    """Store the result that a form holds: for a match of a round, or for one outside the pairings."""
    outcome = _read_outcome(read, form)
    if not form.is_unpaired:
        return _store(archive, read, form, outcome)
    done = season.enter(archive, read, outcome, unpaired=True)
    return done, entering.describe_entry(done, done.league.round(UNPAIRED)[-1])


def _read_outcome(read: Season, form: RoundForm) -> MatchOutcome:
    persons = [person for person in form.persons if person]
    if form.is_unpaired and len(set(persons)) < max(2, len(persons)):
        raise LeagueError(phrase("Choose different people, two or more."))
    match form.button:
        case "won":
            winners = form.words or persons[:1]
            return season.read_outcome(read, [*winners, *(each for each in persons if each not in winners)])
        case "draw":
            return season.read_outcome(read, persons, level=True)
    figures = dict(zip(form.persons, form.figures, strict=False))
    entries = {person: figures.get(person, "") for person in persons}
    return entering.read_figures(read, entries, form.meaning, form.absent, form.drawn_games)


def _store(archive: Archive, read: Season, form: RoundForm, outcome: MatchOutcome) -> tuple[Season, Text]:
    """Store the result of a match. It is corrected only if the form showed the league as it is now."""
    match = _find_match(read, form)
    if match.result is not None and form.at != str(read.row.length):
        raise LeagueError(CHANGED)
    done = entering.store_outcome(archive, read, match, outcome)
    return done, _describe(done, match)


def _describe(done: Season, match: LeagueMatch) -> Text:
    text = entering.describe_entry(done, match)
    if match.round == UNPAIRED:
        return text
    rest = entering.count_open(done, match.round)
    return joined(" ", (text, rest or phrase("All results of round {round} are in.", round=match.round)))


def _enter_absence(archive: Archive, read: Season, form: RoundForm) -> tuple[Season, Text]:
    gone = form.words or form.persons
    there = [person for person in form.persons if person not in gone]
    return _store(archive, read, form, season.read_outcome(read, [*there, *gone], absent=gone))


def _take_offer(archive: Archive, read: Season, form: RoundForm) -> tuple[Season, Text]:
    match = _find_match(read, form)
    for offer in season.find_offers(archive, read):
        if offer.match == match and offer.outcome.result.session in form.words:
            return _store(archive, read, form, offer.outcome)
    raise LeagueError(CHANGED)


def _withdraw(archive: Archive, read: Season, form: RoundForm) -> tuple[Season, Text]:
    match = _find_match(read, form)
    text = phrase("{read}: the result is taken back.", read=display.pairing(read, match))
    return season.withdraw(archive, read, match), text


def _draw_next(archive: Archive, read: Season, _: RoundForm) -> tuple[Season, Text]:
    done = season.draw_next(archive, read)
    return done, phrase("Round {number} is drawn.", number=str(done.league.rounds))


def _draw_again(archive: Archive, read: Season, _: RoundForm) -> tuple[Season, Text]:
    done = season.redraw_last(archive, read)
    return done, phrase("Round {number} is drawn again.", number=str(done.league.rounds))


def _join(archive: Archive, read: Season, form: RoundForm) -> tuple[Season, Text]:
    if not form.text:
        raise LeagueError(phrase("Who joins? Type a name."))
    done = season.join(archive, read, form.text)
    person = next(done.name(person) for person in done.league.active if person not in read.league.active)
    return done, phrase("{person} plays in {name} from the next round on.", person=person, name=done.row.name)


def _drop(archive: Archive, read: Season, form: RoundForm) -> tuple[Season, Text]:
    done = season.drop(archive, read, form.text)
    person = done.name(done.find(form.text))
    return done, phrase("{person} plays no further rounds of {name}.", person=person, name=done.row.name)


def _give_bye(archive: Archive, read: Season, form: RoundForm) -> tuple[Season, Text]:
    done = season.give_bye(archive, read, form.text, form.number)
    return done, phrase("{person} has a bye.", person=done.name(done.find(form.text)))


def _pair(archive: Archive, read: Season, form: RoundForm) -> tuple[Season, Text]:
    done = season.pair(archive, read, form.persons, form.number)
    match = season.find_match(done, form.persons, form.number)
    # Translators: {people} are those who play against each other, such as “Ana – Ben”.
    text = phrase("{people} are paired in round {round}.", people=display.pairing(done, match), round=str(form.number))
    return done, text


def _close(archive: Archive, read: Season, _: RoundForm) -> tuple[Season, Text]:
    done = season.close(archive, read)
    return done, phrase("{league} is closed.", league=done.row.name)


def _reopen(archive: Archive, read: Season, _: RoundForm) -> tuple[Season, Text]:
    done = season.reopen(archive, read)
    return done, phrase("{league} goes on.", league=done.row.name)


_BUTTONS: Final[Mapping[str, Callable[[Archive, Season, RoundForm], tuple[Season, Text]]]] = {
    "enter": _enter,
    "won": _enter,
    "draw": _enter,
    "absent": _enter_absence,
    "take": _take_offer,
    "withdraw": _withdraw,
    "next": _draw_next,
    "again": _draw_again,
    "join": _join,
    "drop": _drop,
    "bye": _give_bye,
    "pair": _pair,
    "close": _close,
    "reopen": _reopen,
}
