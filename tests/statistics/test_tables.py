"""Win rates, streaks, hits and rescues, counted from results that are stored."""

from collections import Counter
from datetime import timedelta

import pytest
from msgspec.structs import replace

from companion.archive import Archive, StoredLine
from companion.archive.people import forgetting, people
from companion.archive.storage.results import read_results
from companion.session.core import archive_journal
from companion.statistics import display
from companion.statistics.tables import Group, Statistics, compute_statistics, kinds_of_games
from companion.tabletop.estimate import wilson
from companion.tabletop.table.match_result import Contender, MatchResult, Result, Tally
from tests.statistics import sittings

A, B = "D" * 12, "E" * 12


def side(name: str, result: Result, deck: str = "", version: int = 0, person: str = "") -> Contender:
    return Contender(name.lower(), name, result, person, deck, f"Deck {deck[:1]}" if deck else "", version)


def duel(archive: Archive, winner: str, loser: str, *tallies: Tally, decks: tuple[str, str] = ("", "")) -> None:
    """A match, by the names of whoever won and lost it."""
    players = (side(winner, "won", decks[0], 1), side(loser, "lost", decks[1], 2))
    finish(archive, MatchResult(winner.lower(), players, rules={}, tallies=tallies), "solforge")


def dungeon(archive: Archive, outcome: str, *tallies: Tally, rules: dict[str, str] | None = None) -> None:
    """A dungeon of Ana and Ben."""
    end: Result = "won" if outcome == "win" else "lost"
    finish(archive, MatchResult(outcome, (side("Ana", end), side("Ben", end)), rules=rules, tallies=tallies))


def finish(archive: Archive, result: MatchResult, game: str = "decknforge") -> None:
    session = archive.new_session(game)
    archive.append_lines(session, 1, [StoredLine("seal", 1, result=result)])


def groups(statistics: Statistics) -> dict[str, Group]:
    return {str(group.title): group for group in statistics.groups}


def test_people_have_win_rates_and_streaks(archive: Archive) -> None:
    for winner, loser in (("Ana", "Ben"), ("Ana", "Ben"), ("Ben", "Ana"), ("Ana", "Cy")):
        duel(archive, winner, loser)
    statistics = compute_statistics(archive)
    ana, ben, cy = statistics.groups
    assert (ana.title, ana.games, ana.won, ana.lost, ana.streak, ana.longest) == ("Ana", 4, 3, 1, 1, 2)
    assert ana.rate == wilson(3, 4)
    assert (ben.games, ben.won, ben.streak, cy.games, cy.streak) == (3, 1, 1, 1, -1)
    assert str(display.headline(statistics)).startswith("4 games, ")


def test_an_opponent_is_who_was_on_the_other_side(archive: Archive) -> None:
    duel(archive, "Ana", "Ben", decks=(A, B))
    duel(archive, "Ben", "Ana", decks=(B, A))
    duel(archive, "Ana", "Cy", decks=(A, ""))
    dungeon(archive, "win")
    of_deck = groups(compute_statistics(archive, "opponent", A))
    assert {name: (group.won, group.lost) for name, group in of_deck.items()} == {"Ben": (1, 1), "Cy": (1, 0)}


def test_of_several_only_the_winner_has_beaten_anybody(archive: Archive) -> None:
    players = (side("Ana", "won"), side("Ben", "lost"), side("Cy", "lost"))
    finish(archive, MatchResult("ana", players), "soulforger")
    assert {
        name: (group.won, group.lost) for name, group in groups(compute_statistics(archive, "opponent")).items()
    } == {
        "Ana": (0, 2),
        "Ben": (1, 0),
        "Cy": (1, 0),
    }


def rummy(archive: Archive, *points: int, names: tuple[str, ...] = ("Ana", "Ben", "Cy"), rules: str = "") -> str:
    """A game of the score sheet that ends with these points; its session."""
    session = archive_journal.start(archive, "rummy", "Friday")
    seats = [f"s{number}" for number in range(len(points))]
    for line in (
        *(f'seat {seat} name "{name}"' for seat, name in zip(seats, names, strict=True)),
        *filter(None, [rules]),
        "begin seed 1",
        *(f"enter {seat} points {figure}" for seat, figure in zip(seats, points, strict=True)),
        "next",
    ):
        session.enter(line)
    return session.id


@pytest.mark.parametrize(
    ("points", "rules", "results", "places"),
    [
        ((510, 510, 3), "", "WWL", (1, 1, 3)),
        ((510, 3, 510), "", "WLW", (1, 3, 1)),
        ((510, 3, 3), "", "WLL", (1, 2, 2)),
        ((510, 510, 510), "", "DDD", (1, 1, 1)),
        ((510, 20, 20), "rule winner fewest", "LWW", (3, 1, 1)),
    ],
)
def test_those_who_tie_for_first_share_the_win(
    archive: Archive, points: tuple[int, ...], rules: str, results: str, places: tuple[int, ...]
) -> None:
    rummy(archive, *points, rules=rules)
    people_of = groups(compute_statistics(archive))
    ended = ((group.won, group.draws, group.lost) for group in (people_of[name] for name in ("Ana", "Ben", "Cy")))
    assert "".join("WDL"[each.index(1)] for each in ended) == results
    assert tuple(people_of[name].place for name in ("Ana", "Ben", "Cy")) == places


@pytest.mark.parametrize(
    ("names", "points", "ana"),
    [
        (("Ana", "Ana", "Ben"), (4000000, 12, -5), (1, 1, 0)),
        (("Ana", "Ana", "Ben"), (12, 4000000, -5), (1, 1, 0)),
        (("Ana", "Ben", "Ana"), (12, 4000000, -5), (1, 0, 1)),
        (("Ana", "Ana", "Ben"), (510, 510, 510), (1, 0, 0)),
    ],
)
def test_two_seats_of_one_name_are_one_person_and_one_game(
    archive: Archive, names: tuple[str, ...], points: tuple[int, ...], ana: tuple[int, int, int]
) -> None:
    rummy(archive, *points, names=names)
    group = groups(compute_statistics(archive))["Ana"]
    assert (group.games, group.won, group.lost) == ana
    opponents = compute_statistics(archive, "opponent").groups
    assert {group.title: group.games for group in opponents} == {"Ana": 1, "Ben": 1}


@pytest.mark.parametrize(
    ("game", "begins", "gives_up", "had_first_turn"),
    [
        ("solforge", "ben", "ana", (1, 0)),
        ("solforge", "ana", "ana", (0, 1)),
        ("oddfrontier", "ben", "ben", (0, 1)),
        ("life", "ben", "ana", (1, 0)),
    ],
)
def test_games_are_grouped_by_who_began(
    archive: Archive, game: str, begins: str, gives_up: str, had_first_turn: tuple[int, int]
) -> None:
    session = archive_journal.start(archive, game, "Friday")
    for line in (
        'seat ana name "Ana"',
        'seat ben name "Ben"',
        f"first {begins}",
        "begin seed 1",
        f"concede {gives_up}",
    ):
        session.enter(line)
    started = groups(compute_statistics(archive, "first"))
    first, later = started["Had the first turn"], started["Came later"]
    assert ((first.won, first.lost), (later.won, later.lost)) == (had_first_turn, had_first_turn[::-1])


def test_where_nobody_has_a_turn_nobody_began(archive: Archive) -> None:
    rummy(archive, 510, 3, 4)
    duel(archive, "Ana", "Ben")
    assert compute_statistics(archive, "first").groups == ()


def test_decks_and_their_versions_are_apart(archive: Archive) -> None:
    duel(archive, "Ana", "Ben", decks=(A, B))
    duel(archive, "Ben", "Ana", decks=(A, B))
    assert {name: (g.won, g.lost) for name, g in groups(compute_statistics(archive, "deck")).items()} == {
        "Deck D": (2, 0),
        "Deck E": (0, 2),
    }
    assert set(groups(compute_statistics(archive, "version"))) == {"Deck D, version 1", "Deck E, version 2"}
    assert [group.title for group in compute_statistics(archive, "person", A).groups] == ["Ana", "Ben"]


def test_what_all_win_together_is_a_rate_of_the_table(archive: Archive) -> None:
    dungeon(archive, "win", rules={})
    dungeon(archive, "loss", rules={"pressure": "3"})
    dungeon(archive, "loss")
    duel(archive, "Ana", "Ben")
    (two,) = compute_statistics(archive, "players", game="decknforge").groups
    assert (two.title, two.games, two.won) == ("2 players", 3, 1)
    (both,) = compute_statistics(archive, "players", together=True).groups
    assert (both.games, both.won, both.lost) == (4, 1, 2)
    assert {
        name: group.won for name, group in groups(compute_statistics(archive, "rules", game="decknforge")).items()
    } == {
        "DecknForge: by the book": 1,
        "DecknForge: pressure 3": 0,
        "DecknForge: not kept": 0,
    }
    (month,) = compute_statistics(archive, "month", together=True).groups
    assert month.games == 4


@pytest.mark.parametrize("by", ["players", "month", "rules"])
def test_different_games_are_not_added_up_unless_somebody_asks(archive: Archive, by: str) -> None:
    dungeon(archive, "win", rules={})
    dungeon(archive, "loss", rules={})
    duel(archive, "Ana", "Ben")
    ours, theirs = compute_statistics(archive, by).groups
    assert (ours.game, ours.games, ours.won, theirs.game, theirs.games) == ("decknforge", 2, 1, "solforge", 1)
    assert str(ours.title).startswith("DecknForge: ")
    assert theirs.rate is None
    (alone,) = compute_statistics(archive, by, game="decknforge").groups
    assert (alone.games, alone.title == ours.title) == (2, by == "rules")


def test_months_go_on_within_a_game(archive: Archive) -> None:
    sittings.fill(archive, 100)
    months = [(group.game, group.key) for group in compute_statistics(archive, "month").groups]
    assert len({game for game, _ in months}) > 1
    for game in {game for game, _ in months}:
        own = [month for of, month in months if of == game]
        assert own == sorted(own)


@pytest.mark.parametrize("sharers", [("ana", "ben"), ("ana", "ana"), ("ana",), ("ben", "ana", "ben")])
def test_an_inscription_that_several_bear_is_one_game(archive: Archive, sharers: tuple[str, ...]) -> None:
    dungeon(archive, "win", *(Tally("inscription", "Sharp", seat, amount=2) for seat in sharers))
    dungeon(archive, "loss", Tally("inscription", "Sharp", "ben"))
    (sharp,) = compute_statistics(archive, "inscription").groups
    assert (sharp.games, sharp.won, sharp.lost, sharp.amount) == (2, 1, 1, 2 * len(sharers))
    assert sharp.rate == wilson(1, 2)


def test_an_inscription_on_both_sides_has_neither_won_nor_lost(archive: Archive) -> None:
    duel(archive, "Ana", "Ben", Tally("inscription", "Sharp", "ana"), Tally("inscription", "Sharp", "ben"))
    duel(archive, "Ana", "Ben", Tally("inscription", "Sharp", "ana"))
    (sharp,) = compute_statistics(archive, "inscription").groups
    assert (sharp.games, sharp.decided_games, sharp.won) == (2, 1, 1)


def test_of_three_only_who_began_has_a_row(archive: Archive) -> None:
    players = (side("Ana", "won"), side("Ben", "lost"), side("Cy", "lost"))
    finish(archive, MatchResult("ana", players, first="ana"), "soulforger")
    finish(archive, MatchResult("ana", players[:2], first="ben"), "soulforger")
    assert {name: (group.won, group.lost) for name, group in groups(compute_statistics(archive, "first")).items()} == {
        "Had the first turn, of 3 players": (1, 0),
        "Had the first turn": (0, 1),
        "Came later": (1, 0),
    }


@pytest.mark.parametrize(
    ("by", "game", "sentence"),
    [
        ("boss", "decknforge", "had no stored deck or was sealed before they were kept."),
        ("inscription", "decknforge", "Nothing is known of inscriptions: they are kept when a game is sealed"),
        ("boss", "solforge", "Nothing is known of bosses: none of these games counts them."),
        ("deck", "decknforge", "None of these games was played with a stored deck."),
        ("version", "decknforge", "None of these games was played with a stored deck that has versions."),
        ("opponent", "decknforge", "Nobody met an opponent in these games"),
        ("first", "decknforge", "Nothing is known of who began"),
    ],
)
def test_an_empty_table_says_why(archive: Archive, by: str, game: str, sentence: str) -> None:
    assert compute_statistics(archive, by).remark == "", "where no game is over, nothing has to be explained"
    end: Result = "won"
    finish(archive, MatchResult("win", (side("Ana", end), side("Ben", end))), game)
    statistics = compute_statistics(archive, by)
    assert statistics.groups == ()
    assert sentence in statistics.remark


def test_what_a_game_counts_of_itself_has_rates_of_its_own(archive: Archive) -> None:
    wyrm = Tally("boss", "Grave Wyrm", "ana", amount=3, won=True)
    dungeon(archive, "win", wyrm, Tally("inscription", "Sharp", "ana", amount=2))
    dungeon(archive, "loss", Tally("boss", "Grave Wyrm", amount=4, won=False))
    bosses = compute_statistics(archive, "boss")
    (group,) = bosses.groups
    assert (bosses.title, bosses.amounts, group.won, group.lost, group.amount) == ("Boss", "rounds", 1, 1, 7)
    (sharp,) = compute_statistics(archive, "inscription").groups
    assert (sharp.games, sharp.won, sharp.amount) == (1, 1, 2)
    assert {"boss", "inscription"} <= set(kinds_of_games(archive))


def test_hits_and_who_saved_whom_stand_out(archive: Archive) -> None:
    for amount in (9, 30, 12, 17):
        dungeon(archive, "win", Tally("hit", "K♠", "ana", amount=amount), Tally("save", "by a kill", "ben", "ana", 1))
    statistics = compute_statistics(archive)
    assert [hit.amount for hit in statistics.hits] == [30, 17, 12]
    assert groups(statistics)["Ana"].best == 30
    (rescues,) = statistics.rescues
    assert (rescues.by, rescues.other, rescues.times) == ("Ben", "Ana", 4)
    assert display.rescue_text(rescues) == "Ben kept Ana from falling, 4 times"


def test_a_name_is_its_only_bearer_and_nobody_once_forgotten(archive: Archive) -> None:
    xan = people.add_person(archive, "Xanthippe").person
    finish(archive, MatchResult("win", (side("Xanthippe", "won", person=xan),)))
    finish(archive, MatchResult("win", (side("Xanthippe", "won"),)))
    people.rename_person(archive, xan, "Xan")
    assert [(group.title, group.games) for group in compute_statistics(archive).groups] == [("Xan", 2)]
    forgetting.forget_person(archive, "Xan")
    assert [(group.title, group.games) for group in compute_statistics(archive).groups] == [(f"Player {xan}", 2)]


def test_people_who_turned_out_to_be_one_are_counted_as_one(archive: Archive) -> None:
    ana, anna = (people.add_person(archive, name).person for name in ("Ana", "Anna"))
    for person in (ana, anna):
        finish(archive, MatchResult("win", (side("Somebody", "won", person=person),)))
    people.merge_people(archive, "Anna", "Ana")
    assert [(group.title, group.games) for group in compute_statistics(archive).groups] == [("Ana", 2)]


@pytest.mark.parametrize("by", ["person", "boss"])
def test_hundreds_of_evenings_add_up_to_what_they_say(archive: Archive, by: str) -> None:
    sittings.fill(archive, 200)
    won: Counter[str] = Counter()
    games: Counter[str] = Counter()
    with archive.store.reading() as transaction:
        rows = list(read_results(transaction))
    for row in rows:
        if by == "person":
            counted = [(player.name, player.result == "won") for player in row.result.players]
        else:
            counted = [(tally.name, bool(tally.won)) for tally in row.result.tallies if tally.kind == "boss"]
        for name, is_won in counted:
            games[name] += 1
            won[name] += is_won
    statistics = compute_statistics(archive, by)
    assert statistics.games == len(rows) == 200
    assert {group.title: (group.games, group.won) for group in statistics.groups} == {
        name: (count, won[name]) for name, count in games.items()
    }
    assert statistics.last == sittings.BEGAN + timedelta(minutes=50 * 199 + 40)


def test_a_share_is_drawn_with_its_interval_on_a_scale() -> None:
    assert display.interval_plot(wilson(10, 10), 11) == "·····┊·├──●"
    assert display.interval_plot(wilson(0, 1), 11) == "●───────┤··"
    assert display.interval_plot(None, 3) == "   "
    assert display.rate_text(wilson(6, 11)) == "55 % (28–79)"
    assert display.column_chart([0, 1, 16], 2) == ("  █", " ▁█")


def test_shares_of_months_stand_beside_one_another() -> None:
    chart = display.rate_chart([wilson(5, 10), None, wilson(10, 10)], 5, pitch=2)
    assert chart == (
        "    ● ",
        "┬   ┴ ",
        "●·····",
        "┴     ",
        "      ",
    )


def test_months_without_games_are_gaps_in_a_chart() -> None:
    groups = [Group("2025-11", "2025-11", 2), Group("2026-02", "2026-02", 1)]
    months = display.every_month(groups)
    assert list(months) == ["2025-11", "2025-12", "2026-01", "2026-02"]
    assert [group and group.games for group in months.values()] == [2, None, None, 1]
    assert display.year_marks([*months], 4) == "2025-11 2026"
    assert display.column_chart([2, 0, 0, 1], 1, pitch=3) == ("██       ▄▄ ",)
    assert display.every_month([]) == {}


def test_own_turns_are_the_mean_of_games_with_a_clock(archive: Archive) -> None:
    duel(archive, "Ana", "Ben")
    for seconds in (600, 1200):
        players = (side("Ana", "won"), side("Ben", "lost"))
        timed = tuple(replace(player, seconds=seconds * at) for at, player in enumerate(players, 1))
        finish(archive, MatchResult("ana", timed, rules={}), "solforge")
    statistics = compute_statistics(archive)
    assert {name: group.minutes for name, group in groups(statistics).items()} == {"Ana": 15, "Ben": 30}
    column = next(each for each in display.columns_of(statistics) if str(each.title) == "Own turns")
    assert [str(column.cell(group)) for group in statistics.groups] == ["15 min", "30 min"]


def test_without_a_clock_no_time_is_told(archive: Archive) -> None:
    duel(archive, "Ana", "Ben")
    assert "Own turns" not in [str(each.title) for each in display.columns_of(compute_statistics(archive))]
