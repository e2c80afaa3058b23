"""`companion session import`, `remove`, `restore` and `list --imported`: games played without the companion."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive
from companion.archive.people import people
from companion.cli.main import main
from tests.statistics.test_outside_plays import WINGSPAN, export
from tests.statistics.test_tables import duel

Run = Callable[..., Result]

WIDE = "date;Ana;Ben;Cy\n2024-05-31;12;30;\n2024-06-01;5;5;1\n"
LAYOUTS = [
    "date,players,scores\n2024-05-31,Ana; Ben,12; 30\n2024-06-01,Ana; Ben; Cy,5;5;1\n",
    WIDE,
    "Date\tPlayer\tScore\n31.5.2024\tAna\t12\n31.5.2024\tBen\t30\n1.6.2024\tAna\t5\n1.6.2024\tBen\t5\n1.6.2024\tCy\t1\n",
]


@pytest.fixture
def place(tmp_path: Path, empty_archive: Path) -> str:
    shutil.copy(empty_archive, tmp_path / "archive.sqlite")
    return str(tmp_path / "archive.sqlite")


@pytest.fixture
def session(place: str) -> Run:
    def run(*arguments: str, typed: str = "") -> Result:
        return CliRunner().invoke(main, ["session", *arguments, "--archive", place], input=typed)

    return run


@pytest.fixture
def take(session: Run, tmp_path: Path) -> Run:
    """Imports a text or bytes as a file of a name."""

    def run(content: str | bytes, *options: str, name: str = "scores.csv") -> Result:
        file = tmp_path / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return session("import", str(file), *options)

    return run


@pytest.fixture
def games(place: str) -> Callable[[], list[tuple[str, int, int]]]:
    """Return what counts in statistics: of each person the games, and those that were won."""

    def read() -> list[tuple[str, int, int]]:
        result = CliRunner().invoke(main, ["stats", "--json", "--archive", place])
        return sorted((each["title"], each["games"], each["won"]) for each in json.loads(result.stdout)["groups"])

    return read


@pytest.mark.parametrize("text", LAYOUTS, ids=["players in a cell", "a column each", "a row each"])
def test_each_layout_counts_in_statistics(take: Run, games: Callable[[], Any], text: str) -> None:
    result = take(text, "--game", "rummy", "--yes")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "2 games (31 May 2024 to 1 Jun 2024): 2 new, 0 changed, 0 here already.",
        "Games: rummy.",
        "Counted as games that the companion knows: rummy.",
        "Counted under their names in the file: Ana, Ben, Cy.",
        "2 games taken in; companion archive undo-import undoes it.",
    ]
    assert games() == [("Ana", 2, 1), ("Ben", 2, 2), ("Cy", 1, 0)]


def test_nothing_is_stored_twice(take: Run, games: Callable[[], Any]) -> None:
    take(WIDE, "--game", "rummy", "--yes")
    before = games()
    again = take(WIDE, "--game", "rummy", "--yes")
    assert again.stdout == "2 games (31 May 2024 to 1 Jun 2024): 0 new, 0 changed, 2 here already.\n"
    # Another layout, and a further game.
    more = take(LAYOUTS[1] + "2024-06-02;1;2;3\n", "--game", "rummy", "--yes", "--json", name="more.csv")
    assert json.loads(more.stdout) == {
        "new": 1,
        "changed": 0,
        "known": 2,
        "removed": 0,
        "left_out": 0,
        "remarks": [],
    }
    assert [each[1] for each in games()] == [each[1] + 1 for each in before]


def test_nothing_is_stored_before_you_agree(take: Run, session: Run, place: str) -> None:
    Path(place).unlink()
    tried = take(WIDE, "--game", "rummy", "--dry-run")
    assert (tried.exit_code, tried.stdout.splitlines()[-1][:7]) == (0, "Counted")
    assert not Path(place).exists()
    refused = take(WIDE, "--game", "rummy")
    assert refused.exit_code == 1
    assert "2 new" in refused.stdout
    assert "--yes takes it in" in refused.stderr
    assert session("list", "--imported").stdout == "No game was imported yet; companion session import FILE does so.\n"


def test_rows_that_cannot_be_read_are_named_by_line(take: Run) -> None:
    text = "date,Ana,Ben\n2024-02-30,1,2\n2024-02-28,x,2\n2024-02-27,,\n2024-02-26,1,2\n"
    result = take(text, "--game", "rummy", "--yes")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:4] == [
        "1 game (26 Feb 2024): 1 new, 0 changed, 0 here already.",
        "Row 2: there is no date such as 2024-05-31.",
        "Row 3: “x” is no score.",
        "Row 4: there are no players.",
    ]
    data = json.loads(take(text, "--game", "rummy", "--json", "--dry-run").stdout)
    assert (data["known"], data["left_out"], data["remarks"][1]) == (1, 3, "Row 3: “x” is no score.")
    many = take("date,Ana,Ben\n" + "2024-02-30,1,2\n" * 13, "--game", "rummy")
    assert many.stdout.splitlines()[-1] == "And 3 rows more are left out."


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("date,Ana,Ben\n2024-01-01,1,2\n", (), "Which game are these scores of? Say so with --game"),
        ("date,Ana,Ben\n3/4/2024,1,2\n", ("--game", "rummy"), "Does “3/4/2024” begin with the day or the month?"),
        ("date,Ana,Ben\n2024-01-01,1,2\n", ("--game", "Golf"), "Does the highest or the lowest score win?"),
        ("Ana,Ben\n1,2\n", (), "“scores.csv” is not a table of scores"),
        ("{}", (), "“scores.csv” is not an export of BG Stats"),
        ("{}", ("--game", "rummy"), "--game, --dates, --highest-wins and --lowest-wins are for lists of scores"),
        ("date,Ana\n2024-01-01,1\n", ("--game", "x", "--person", "Ana"), "“Ana” is not NAME=PERSON"),
        (
            "date,Ana,Ben\n2024-01-01,1,2\n",
            ("--game", "rummy", "--person", "Zoe=Ana"),
            "Nobody is called “Zoe” in “scores.csv”",
        ),
        (
            "date,Ana,Ben\n2024-01-01,1,2\n",
            ("--game", "rummy", "--person", "Ana=Zoe"),
            "Nobody is called “Zoe” here",
        ),
    ],
)
def test_what_is_unclear_is_refused_with_the_option(
    take: Run, session: Run, text: str, options: tuple[str, ...], message: str
) -> None:
    result = take(text, *options, "--yes")
    assert result.exit_code in (1, 2)
    assert message in result.stderr
    assert json.loads(session("list", "--imported", "--json").stdout or "[]") == []


def test_answers_by_options_decide(take: Run, session: Run) -> None:
    assert (
        take("date,Ana,Ben\n3/4/2024,1,2\n", "--game", "Golf", "--dates", "dmy", "--lowest-wins", "--yes").exit_code
        == 0
    )
    (golf,) = json.loads(session("list", "--imported", "--json").stdout)
    assert (golf["game"], golf["at"][:10], golf["outcome"]) == ("Golf", "2024-04-03", "seat1")
    # A game that is known here wins by its own rule, whatever is said of the others.
    mixed = "date,game,Ana,Ben\n2024-04-04,Golf,1,2\n2024-04-04,rummy,1,2\n"
    assert take(mixed, "--lowest-wins", "--yes").exit_code == 0
    outcomes = {(each["game"], each["outcome"]) for each in json.loads(session("list", "--imported", "--json").stdout)}
    assert outcomes == {("Golf", "seat1"), ("rummy", "seat2")}


def test_an_export_of_bg_stats_is_read(take: Run, place: str, games: Callable[[], Any]) -> None:
    with Archive.open(place) as archive:
        duel(archive, "Ana", "Ben")
    scores = [{"playerRefId": player, "score": "3"} for player in (1, 2)]
    content = export(WINGSPAN, WINGSPAN | {"uuid": "p2", "playerScores": scores})
    result = take(content, "--yes", name="plays.json")
    assert result.stdout.splitlines() == [
        "1 game (1 May 2024): 1 new, 0 changed, 0 here already.",
        "Left out: 1 game of which nobody knows who won.",
        "Games: Wingspan.",
        "Counted under their names in the file: Ana, Ben, Cy.",
        "1 game taken in; companion archive undo-import undoes it.",
    ]
    assert games() == [("Ana", 2, 2), ("Ben", 2, 0), ("Cy", 1, 0)]


def test_a_name_in_the_file_is_that_of_a_person_here(take: Run, place: str, games: Callable[[], Any]) -> None:
    with Archive.open(place) as archive:
        people.add_person(archive, "Annabel")
    text = "date,Ana,Ben\n2024-01-01,1,2\n"
    result = take(text, "--game", "rummy", "--person", "Ana=annabel", "--yes")
    assert "Counted for people who are here: Ana." in result.stdout
    assert games() == [("Annabel", 1, 0), ("Ben", 1, 1)]
    again = take(text + "2024-01-02,2,1\n", "--game", "rummy", "--yes")
    assert "1 new, 0 changed, 1 here already" in again.stdout
    assert "Counted for people who are here: Ana." in again.stdout, "it is remembered"
    assert games() == [("Annabel", 2, 1), ("Ben", 2, 1)]
    with Archive.open(place) as archive:
        (person,) = people.with_ids(archive)
    assert person.name == "Annabel"


def test_a_single_game_is_removed_and_brought_back(take: Run, session: Run, games: Callable[[], Any]) -> None:
    take(WIDE, "--game", "rummy", "--yes")
    newest, oldest = json.loads(session("list", "--imported", "--json").stdout)
    assert (newest["at"][:10], newest["outcome"], newest["removed"]) == ("2024-06-01", "seat1+seat2", False)
    assert [(each["name"], each["final"]) for each in oldest["players"]] == [
        ("Ana", {"points": 12}),
        ("Ben", {"points": 30}),
    ]
    refused = session("remove", newest["id"][:6])
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.splitlines() == [
        "“rummy” of 1 Jun 2024: Ana 5, Ben 5, Cy 1. Won by Ana, Ben.",
        "Remove “rummy” of 1 Jun 2024? --yes does so.",
    ]
    assert len(games()) == 3
    gone = session("remove", newest["id"][:6], "--yes")
    assert gone.stdout == (
        f"“rummy” of 1 Jun 2024 is removed; companion session restore {newest['id']} brings it back.\n"
    )
    assert games() == [("Ana", 1, 0), ("Ben", 1, 1)]
    assert session("list", "--imported").stdout.splitlines()[1].endswith("removed")
    again = take(WIDE, "--game", "rummy", "--yes")
    assert again.stdout.splitlines() == [
        "2 games (31 May 2024 to 1 Jun 2024): 0 new, 0 changed, 1 here already.",
        "1 game was removed here, and stays removed; companion session restore brings it back.",
    ]
    assert "is removed already" in session("remove", newest["id"], "--yes").stderr
    assert session("restore", newest["id"]).stdout == "“rummy” of 1 Jun 2024 counts again.\n"
    assert len(games()) == 3
    assert "is not removed" in session("restore", newest["id"]).stderr


def test_only_imported_games_are_removed(take: Run, session: Run, place: str) -> None:
    with Archive.open(place) as archive:
        duel(archive, "Ana", "Ben")
        key = archive.sessions()[0].session
    take(WIDE, "--game", "rummy", "--yes")
    refused = session("remove", key, "--yes")
    assert refused.exit_code == 1
    assert f"{key} was played with the companion: its log stays" in refused.stderr
    for text in ("zzz", ""):
        unknown = session("remove", text, "--yes")
        assert unknown.exit_code == 1
        assert "companion session list --imported shows all" in unknown.stderr
