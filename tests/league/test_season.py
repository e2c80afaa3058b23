"""What a league reads of games that were played here, and whom it takes people for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.archive import Archive, StoredLine, Unknown
from companion.archive.people import people
from companion.games import registry
from companion.league import display, season
from companion.league.standings import standings
from companion.session.core import archive_journal
from companion.tabletop.decks.form import FormContext
from companion.tabletop.table.match_result import Contender, MatchResult, result_of_seat
from tests.games.constructed.decks import LISTS


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(str(tmp_path / "league.sqlite"), by="tests") as archive:
        yield archive


def build_deck(archive: Archive, name: str, holder: str) -> str:
    form = registry.game("solforge").decks.founding
    assert form is not None
    answers = {"name": name, "holder": holder, "list": LISTS["solforge"]}
    return archive.found_deck("solforge", form.validate_answers(answers, FormContext()).marks)


def enter_lines(archive: Archive, *lines: str, game: str = "solforge") -> str:
    """A session of these lines; its id."""
    session = archive_journal.start(archive, game, "Friday")
    for line in lines:
        session.enter(line)
    return session.id


def duel(archive: Archive, loser: str, *more: str) -> str:
    """Ana and Ben play until one concedes."""
    decks = {row.holder: row.deck for row in archive.decks()}
    seats = [f'seat {name.lower()} name "{name}" deck "{decks[name]}"' for name in ("Ana", "Ben")]
    return enter_lines(archive, *seats, "begin seed 3", f"concede {loser}", *more)


@pytest.fixture
def winter(archive: Archive) -> season.Season:
    """A league of Ana and Ben, who are paired and have a deck each."""
    for name in ("Ana", "Ben"):
        build_deck(archive, f"{name}'s", name)
    begun = season.create(archive, "Winter", ["Ana", "Ben"], season.LeagueSettings(seed=1, game="solforge"))
    return season.draw_next(archive, begun, 1)


def test_a_sealed_duel_is_offered_and_entered(archive: Archive, winter: season.Season) -> None:
    session = duel(archive, "ben", "seal")
    (offer,) = season.find_offers(archive, winter)
    assert str(season.describe_offer(winter, offer)).endswith(f"Ana 1–0 (session {session})")
    after = season.enter(archive, winter, offer.outcome)
    assert after.name(standings(after.league)[0].person) == "Ana"
    assert season.find_offers(archive, after) == ()


def test_a_duel_without_stored_decks_counts_without_a_seal(archive: Archive, winter: season.Season) -> None:
    session = archive_journal.start(archive, "solforge")
    for line in ('seat ana name "Ana"', 'seat ben name "Ben"', "begin seed 1"):
        session.enter(line)
    assert season.find_offers(archive, winter) == ()
    session.enter("damage ben 120")
    (offer,) = season.find_offers(archive, winter)
    assert str(season.describe_offer(winter, offer)).endswith(f"Ana 1–0 (session {session.id})")
    assert season.read_session(archive, winter, session.id) == offer.outcome


@pytest.mark.parametrize(
    ("outcome", "places"),
    [("ana+ben", (1, 1, 3)), ("ben", (3, 1, 2)), ("cy", (2, 3, 1)), ("ben+cy", (3, 1, 1)), ("draw", (1, 1, 1))],
)
def test_a_table_of_three_has_its_places(archive: Archive, outcome: str, places: tuple[int, ...]) -> None:
    names = ("Ana", "Ben", "Cy")
    begun = season.create(archive, "Cards", names, season.LeagueSettings(seed=1, seats=3, places=(5, 3, 1)))
    begun = season.draw_next(archive, begun, 1)
    players = tuple(
        Contender(name.lower(), name, result_of_seat(outcome, name.lower(), ("ana", "ben", "cy")), place=place)
        for name, place in zip(names, places, strict=True)
    )
    session = archive.new_session("rummy")
    archive.append_lines(session, 1, [StoredLine("seal", 1, seals=(), result=MatchResult(outcome, players))])
    assert season.read_session(archive, begun, session).result.places == places


def test_a_session_that_goes_on_decides_nothing(archive: Archive, winter: season.Season) -> None:
    session = duel(archive, "ana")
    assert season.find_offers(archive, winter) == ()
    with pytest.raises(season.LeagueError, match="no result that lasts: seal it first"):
        season.read_session(archive, winter, session)
    with pytest.raises(Unknown):
        season.read_session(archive, winter, "ZZZZZZZZ")


def test_a_session_of_others_is_refused(archive: Archive, winter: season.Season) -> None:
    session = duel(archive, "ana", "seal")
    other = season.create(archive, "Spring", ["Cy", "Dee"], season.LeagueSettings(seed=1))
    with pytest.raises(season.LeagueError, match="“Ana” of that session is not in “Spring”"):
        season.read_session(archive, other, session)
    assert season.read_session(archive, winter, session).result.places == (2, 1)


@pytest.mark.parametrize(
    ("words", "places", "games"),
    [
        (("Ana", "Ben"), (1, 2), ()),
        (("ana", "ben", "1-2"), (2, 1), (1, 2)),
        (("Ana=Ben",), (1, 1), ()),
        (("Player 2", "An", "2-0-1"), (1, 2), (2, 0)),
        (("Ana", "2-1", "Ben"), (1, 2), (2, 1)),
        (("Ana", "0-2", "Ben"), (2, 1), (0, 2)),
        (("Ana=Ben", "1-1"), (1, 1), (1, 1)),
    ],
)
def test_a_result_is_read_as_it_is_said(
    winter: season.Season, words: tuple[str, ...], places: tuple[int, ...], games: tuple[int, ...]
) -> None:
    outcome = season.read_outcome(winter, words)
    assert (outcome.result.places, outcome.result.games) == (places, games)


def test_people_of_one_name_are_told_apart_by_their_ids(archive: Archive) -> None:
    ids = [people.add_person(archive, "Ana").person for _ in range(2)]
    begun = season.create(archive, "Two", ids, season.LeagueSettings(seed=1))
    with pytest.raises(Unknown, match="could be Ana"):
        begun.find("Ana")
    assert begun.find(ids[1].lower()) == ids[1]
    assert begun.find("Player 1") == ids[0]


def test_a_percentage_of_nothing_is_a_dash_and_counts_as_the_floor(archive: Archive) -> None:
    begun = season.create(archive, "Winter", ["Ana", "Ben", "Cy"], season.LeagueSettings(seed=1))
    first = season.draw_next(archive, begun, 1)
    pair = next(match.people for match in first.league.round(1) if not match.is_bye)
    played = season.enter(archive, first, season.read_outcome(first, [*pair, "2-0"]))
    late = season.join(archive, played, "Dora")
    rows = {row[1]: row[6:] for row in display.standings_table(late).rows}
    assert rows["Dora"] == ("–", "–", "–")
    bye = next(late.name(match.people[0]) for match in late.league.round(1) if match.is_bye)
    assert rows[bye] == ("–", "100.0 %", "–")
    assert rows[late.name(pair[1])] == ("100.0 %", "33.0 %", "100.0 %")
    narrow = {name: [text for _, text in figures] for _, name, figures in display.narrow_rows(late)}
    assert narrow["Dora"] == ["–", "–", "–"]
