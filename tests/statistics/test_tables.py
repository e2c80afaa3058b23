"""Win rates, streaks, hits and rescues, counted from results that are stored."""

from collections import Counter
from datetime import timedelta

import pytest

from companion.archive import Archive, StoredLine, forgetting, people
from companion.archive.results import read_results
from companion.statistics import display
from companion.statistics.tables import Group, Statistics, compute_statistics, kinds_of_games
from companion.tabletop.estimate import wilson
from companion.tabletop.match_result import Contender, MatchResult, Result, Tally
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
    return {group.title: group for group in statistics.groups}


def test_people_have_win_rates_and_streaks(archive: Archive) -> None:
    for winner, loser in (("Ana", "Ben"), ("Ana", "Ben"), ("Ben", "Ana"), ("Ana", "Cy")):
        duel(archive, winner, loser)
    statistics = compute_statistics(archive)
    ana, ben, cy = statistics.groups
    assert (ana.title, ana.games, ana.won, ana.lost, ana.streak, ana.longest) == ("Ana", 4, 3, 1, 1, 2)
    assert ana.rate == wilson(3, 4)
    assert (ben.games, ben.won, ben.streak, cy.games, cy.streak) == (3, 1, 1, 1, -1)
    assert display.headline(statistics).startswith("4 games, ")


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
    (both,) = compute_statistics(archive, "players").groups
    assert (both.games, both.won, both.lost) == (4, 1, 2)
    assert {
        name: group.won for name, group in groups(compute_statistics(archive, "rules", game="decknforge")).items()
    } == {
        "DecknForge: by the book": 1,
        "DecknForge: pressure 3": 0,
        "DecknForge: not kept": 0,
    }
    (month,) = compute_statistics(archive, "month").groups
    assert month.games == 4


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
