"""`companion stats`, and games that leave as plays."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive
from companion.cli.main import main
from tests.games.constructed.test_table import enter, seated

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    place = str(tmp_path / "archive.sqlite")
    with Archive.open(place) as archive:
        session = seated(archive, "oddfrontier")
        enter(session, "set ana life 41", "concede ben", "seal")
    return lambda *words: CliRunner().invoke(main, [*words, "--archive", place])


def test_win_rates_stand_in_a_table_with_their_chart(run: Run) -> None:
    head, _, headings, ana, ben = run("stats").stdout.splitlines()[:5]
    assert head.startswith("Person: 1 game, ")
    assert headings.split()[:4] == ["PERSON", "GAMES", "WON", "LOST"]
    assert ana.split()[:4] == ["Ana", "1", "1", "0"]
    assert " ".join(ana.split()[4:-1]) == "100 % (21–100) 1 won 1"
    assert ana.endswith("●")
    assert "0 % (0–79)" in ben


def test_only_the_games_of_a_deck_count_where_one_is_named(run: Run) -> None:
    statistics = json.loads(run("stats", "--by", "opponent", "--deck", "Ash Pack", "--json").stdout)
    ((opponent,),) = (statistics["groups"],)
    assert (opponent["title"], opponent["games"], opponent["won"]) == ("Ben", 1, 1)
    assert opponent["rate"] == pytest.approx({"value": 1, "low": 0.2065, "high": 1}, abs=0.001)
    assert run("stats", "--game", "solforge").stdout.startswith("Person: No game is over yet.")


def test_a_wrong_word_names_all_that_there_are(run: Run) -> None:
    refused = run("stats", "--by", "moon")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "“moon”; --by takes person, deck, version, opponent, players, first, rules, month, boss" in refused.stderr


def test_an_empty_table_says_why(run: Run) -> None:
    head, why = run("stats", "--by", "boss").stdout.splitlines()[:2]
    assert head.startswith("Boss: 1 game, ")
    assert why == "Nothing is known of bosses: none of these games counts them."
    assert json.loads(run("stats", "--by", "boss", "--json").stdout)["remark"] == why


def test_a_game_that_is_nowhere_is_said_to_be_none(run: Run) -> None:
    refused = run("stats", "--game", "oddfrontyer")
    assert (refused.exit_code, refused.stdout, len(refused.stderr.splitlines())) == (2, "", 1)
    assert "oddfrontier" in refused.stderr


def test_a_game_leaves_as_a_play(run: Run, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("session", "export", "--as", "csv").stdout)))
    assert [(row["name"], row["deck"], row["result"], row["life"]) for row in rows] == [
        ("Ana", "Ash Pack", "won", "41"),
        ("Ben", "Bog Pack", "lost", "137"),
    ]
    file = tmp_path / "plays.bgsplay"
    assert run("session", "export", "--all", "-o", str(file)).exit_code == 0
    (play,) = json.loads(file.read_text(encoding="utf-8"))["plays"]
    assert [score["score"] for score in play["playerScores"]] == ["41", "137"]
    (whole,) = json.loads(run("session", "export", "--as", "json").stdout)
    assert (whole["outcome"], whole["players"][0]["version"]) == ("ana", 1)


def test_what_goes_on_leaves_only_as_a_table(run: Run, tmp_path: Path) -> None:
    with Archive.open(str(tmp_path / "archive.sqlite")) as archive:
        archive.new_session("oddfrontier", "Later")
    refused = run("session", "export", "--as", "csv")
    assert refused.exit_code == 1
    assert "is not over yet; only --as table" in refused.stderr
    assert run("session", "export", "--all").exit_code == 2


def test_a_history_has_its_facts_in_every_game_alike(run: Run) -> None:
    story = json.loads(run("deck", "history", "Ash Pack", "--json").stdout)["story"]
    facts = story[0]["facts"]
    assert (facts["result"], facts["version"], facts["turns"]) == ("won", 1, 0)
    assert facts["figures"] == {"life": 41}
    assert [(each["name"], each["called"], each["version"]) for each in facts["opponents"]] == [("Ben", "Bog Pack", 1)]
