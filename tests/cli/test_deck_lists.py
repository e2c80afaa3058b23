"""Decks that people build from lists, by command: founded, checked, rebuilt, compared, exported, scanned."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from tests.bench.photos import qr
from tests.games.constructed.decks import LISTS

Run = Callable[..., Result]


@pytest.fixture
def companion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_ARCHIVE", str(tmp_path / "archive.sqlite"))

    def run(*arguments: str, typed: str = "", at: str = "") -> Result:
        options = ["--archive", at] if at else []
        return CliRunner().invoke(main, [*options, *arguments], input=typed)

    return run


def founded(companion: Run, game: str, name: str = "Ash Pack") -> str:
    Path("list.txt").write_text(LISTS[game], encoding="utf-8")
    result = companion("deck", "new", game, name, "--holder", "Ana", "--list", "list.txt", "--json")
    assert result.exit_code == 0, result.output
    return str(json.loads(result.stdout)["deck"])


@pytest.mark.parametrize("game", list(LISTS))
def test_a_deck_is_founded_checked_exported_imported_and_scanned(companion: Run, game: str, tmp_path: Path) -> None:
    deck = founded(companion, game)
    assert companion("deck", "check", "list.txt").stdout.splitlines()[0] == "list is a deck by the rules."
    assert companion("labels", "box", deck, "-o", "box.pdf").exit_code == 0
    qr(deck).save("box.png")
    data = json.loads(companion("scan", "box.png", "--json").stdout)
    assert [(each["deck"], each["found"]) for each in data] == [(deck, True)]
    assert companion("deck", "export", deck, "-o", "ash.decks").exit_code == 0
    there = str(tmp_path / "there.sqlite")
    assert companion("deck", "import", "ash.decks", at=there).exit_code == 0
    here, imported = (json.loads(companion("deck", "show", deck, "--json", at=at).stdout) for at in ("", there))
    assert imported["cards"] == here["cards"]
    passport = companion("deck", "passport", deck).stdout.strip()
    third = str(tmp_path / "third.sqlite")
    qr(passport).save("passport.png")
    assert companion("scan", "passport.png", "--adopt", at=third).exit_code == 0
    adopted = json.loads(companion("deck", "show", deck, "--json", at=third).stdout)
    assert (adopted["name"], adopted["cards"]) == ("Ash Pack", here["cards"])


def test_versions_tell_what_changed(companion: Run) -> None:
    founded(companion, "oddfrontier")
    changed = LISTS["oddfrontier"].replace("4 Flare", "2 Flare").replace("4 Steam Works", "6 Steam Works")
    Path("list.txt").write_text(changed, encoding="utf-8")
    result = companion("deck", "rebuild", "Ash", "list.txt", "--reason", "too slow", "--by", "Ana")
    assert result.stdout.splitlines() == [
        "Version 2, by Ana (too slow): +2 Steam Works, −2 Flare; 40 main.",
        "Mind: Line 3: 6 copies of Steam Works; at most 4 are allowed (V3.2); `unlimited-engines yes` below "
        "`oddfrontier house` allows more (A3.8).",
    ]
    data = json.loads(companion("deck", "versions", "Ash", "--json").stdout)
    assert [(row["version"], row["cards"], row["changed"]) for row in data] == [
        ("1", "40 main", ""),
        ("2", "40 main", "+2 Steam Works, −2 Flare"),
    ]
    assert "+2 Flare, −2 Steam Works" in companion("deck", "versions", "Ash", "2", "1").stdout
    assert companion("deck", "versions", "Ash", "1").stdout == "".join(
        f"{line}\n" for line in LISTS["oddfrontier"].splitlines()
    )
    assert companion("deck", "rebuild", "Ash", "-", typed=changed).exit_code == 1
    again = json.loads(companion("deck", "rebuild", "Ash", "-", "--json", typed=LISTS["oddfrontier"]).stdout)
    assert (again["name"], again["mark"]["text"]) == ("Ash Pack", "Version 3: +2 Flare, −2 Steam Works; 40 main.")
    assert again["warnings"] == []
    assert companion("deck", "rebuild", "Ash", "-", typed=changed).exit_code == 0
    assert companion("deck", "versions", "Ash", "7").exit_code == 2
    assert companion("deck", "versions", "Ash", "1", "2", "1").exit_code == 2
    assert "Have 6 × Steam Works in main" in companion("deck", "chores", "Ash").stdout


def test_a_box_that_was_looked_through_is_the_deck(companion: Run) -> None:
    founded(companion, "oddfrontier")
    box = companion("deck", "audit", "Ash", "--questions").stdout
    assert "main Ash Wolf: 4" in box
    Path("box.txt").write_text(box.replace("main Flare: 4", "main Flare: 3\nmain Elk: One: 1"), encoding="utf-8")
    wrong = companion("deck", "audit", "Ash", "--answers", "box.txt")
    assert (wrong.exit_code, wrong.stderr.count("\n")) == (1, 1)
    Path("box.txt").write_text(box.replace("main Flare: 4", "main Flare: 3\nmain Elk: 1"), encoding="utf-8")
    assert "+1 Elk, −1 Flare" in companion("deck", "audit", "Ash", "--answers", "box.txt").stdout


def test_what_has_no_list_says_so(companion: Run) -> None:
    example = companion("deck", "adopt", "--example").stdout
    Path("band.toml").write_text(example, encoding="utf-8")
    assert companion("deck", "adopt", "band.toml").exit_code == 0
    for command in (("versions", "The"), ("rebuild", "The", "band.toml")):
        result = companion("deck", *command)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (LISTS["oddfrontier"].encode() + b"# \xfb", "“list.txt” is not UTF-8 text; save it as UTF-8."),
        (LISTS["oddfrontier"].encode() + b"#" * 1_000_000, "“list.txt” has more than 1 MB, which nobody"),
    ],
    ids=["no text", "endless"],
)
@pytest.mark.parametrize(
    "command",
    [("rebuild", "Ash", "list.txt"), ("check", "list.txt"), ("audit", "Ash", "--answers", "list.txt")],
    ids=" ".join,
)
def test_a_list_is_read_whole_or_not_at_all(
    companion: Run, command: tuple[str, ...], content: bytes, sentence: str
) -> None:
    founded(companion, "oddfrontier")
    Path("list.txt").write_bytes(content)
    result = companion("deck", *command)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert result.stderr.startswith(sentence)
    assert len(json.loads(companion("deck", "versions", "Ash", "--json").stdout)) == 1


def test_what_came_with_the_last_list_is_printed_alone(companion: Run) -> None:
    founded(companion, "solforge")
    assert "33 labels" in companion("labels", "deck", "ash", "-o", "all.pdf").stdout
    nothing = companion("labels", "deck", "ash", "--new", "-o", "new.pdf")
    assert (nothing.exit_code, nothing.stderr) == (1, "There is nothing to print.\n")
    Path("list.txt").write_text(f"{LISTS['solforge']}2 New Moth | creature | uterra | 2/2\n", encoding="utf-8")
    assert companion("deck", "rebuild", "ash", "list.txt").exit_code == 0
    assert "2 labels" in companion("labels", "deck", "ash", "--new", "-o", "new.pdf").stdout


def test_a_sealed_match_calls_for_a_new_label_on_the_box(companion: Run) -> None:
    founded(companion, "oddfrontier")
    lines = ("table oddfrontier", 'seat ana name "Ana" deck "Ash Pack"', 'seat ben name "Ben"', "begin seed 1")
    Path("match.table").write_text("\n".join((*lines, "concede ben", "seal")), encoding="utf-8")
    assert companion("replay", "match.table", "--into-archive").exit_code == 0
    result = companion("labels", "tonight", "-o", "tonight.pdf")
    assert result.exit_code == 0, result.output
    assert "  Ash Pack: v1 · 1 won · 0 lost on its box\n" in result.stdout
    assert "1 label" in result.stdout
    assert "1 label" in companion("labels", "box", "ash", "--count", "-o", "box.pdf").stdout


@pytest.mark.parametrize("game", list(LISTS))
def test_everything_of_a_game_is_printed_by_command(companion: Run, game: str) -> None:
    founded(companion, game)
    for words in (("starter", "--game", game), ("aid", "--game", game), ("record", "ash"), ("deck", "ash")):
        assert companion("labels", *words, "-o", f"{words[0]}.pdf").exit_code == 0
        assert Path(f"{words[0]}.pdf").read_bytes().startswith(b"%PDF")


def test_a_history_has_the_facts_of_each_match(companion: Run) -> None:
    founded(companion, "solforge")
    founded(companion, "solforge", "Bog Pack")
    lines = ("table solforge", "Ana", "Ash Pack", "Ben", "Bog Pack", "done", "match 3", "first ben", "begin seed 1")
    typed = "\n".join((*lines, "set ben health 12", "concede ana", "seal", "yes", "rematch", "look", "quit", ""))
    output = companion("play", "--lines", typed=typed).output
    assert "Game 2, with the same people, decks and house rules? Type rematch." in output
    assert "SolForge. Game 2, best of 3, Ana 0 – 1 Ben." in output
    assert "Ana lost the game before and chooses: who begins?" in output
    story = json.loads(companion("deck", "history", "Ash Pack", "--json").stdout)["story"]
    facts = next(line["facts"] for line in story if line["kind"] == "played")
    (ben,) = facts["opponents"]
    assert (facts["result"], facts["turns"], facts["version"]) == ("lost", 1, 1)
    assert (ben["name"], ben["called"], ben["version"], ben["final"]) == (
        "Ben",
        "Bog Pack",
        1,
        {"health": 12, "rank": 1},
    )
    assert facts["final"] == {"health": 120, "rank": 1}
    assert facts["score"] == {"best_of": 3, "game": 1, "won": 0, "lost": 1}
    again = companion("play", "--again", "--lines", typed="quit\n").output
    assert "Game 2, best of 3, Ana 0 – 1 Ben" in again


def test_cards_are_swapped_without_a_file(companion: Run) -> None:
    founded(companion, "oddfrontier")
    result = companion("deck", "rebuild", "Ash", "--swap", "-2 Flare", "--swap", "+1 Steam Works", "--reason", "slow")
    assert result.exit_code == 0, result.output
    assert "+1 Steam Works, −2 Flare" in result.stdout
    wrong = companion("deck", "rebuild", "Ash", "--swap", "-9 Flare")
    assert wrong.exit_code == 2
    assert "2 × Flare, so 9 cannot be taken out" in wrong.stderr
    assert companion("deck", "rebuild", "Ash").exit_code == 2
    assert len(json.loads(companion("deck", "versions", "Ash", "--json").stdout)) == 2
