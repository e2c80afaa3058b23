"""Decks that people build from lists, by command: founded, checked, rebuilt, compared, exported, scanned."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from tests.bench.photos import qr
from tests.games.constructed.decks import LISTS
from tests.terminal import Terminal
from tests.terminal import companion as command_line

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
        "4 × Ash Wolf, 6 × Steam Works, 4 × Night Market, …: 40 cards in 10 lines.",
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
        (LISTS["oddfrontier"].encode() + b"# \x81", "“list.txt” is not UTF-8 text; save it as UTF-8."),
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


ARENA = """Deck
4 Ash Wolf (RNA) 200
2 Ash Wolf (M19) 14
4 Fire // Ice (MH2) 290

Sideboard
3 Owl
"""


def test_what_is_read_is_told_before_it_is_kept(companion: Run) -> None:
    Path("arena.txt").write_text(ARENA + "Ramp\n", encoding="utf-8")
    new = ("deck", "new", "solforge", "Ash Pack", "--holder", "Ana", "--list")
    refused = companion(*new, "arena.txt")
    assert refused.exit_code == 2
    assert refused.stdout == (
        "4 × Ash Wolf, 2 × Ash Wolf, 4 × Fire // Ice, …: 13 cards in 4 lines. 1 line not understood: “Ramp”.\n"
    )
    assert "Line 6: “Sideboard” has 3 cards; which part of the deck is that: main, draft," in refused.stderr
    assert companion("deck", "list", "--json").stdout == "[]\n"
    built = companion(*new, "arena.txt", "--section", "Sideboard=none", "--skip")
    assert built.exit_code == 0, built.stderr
    assert "“Sideboard”: 3 cards are left out." in built.stdout.splitlines()[0]
    cards = json.loads(companion("deck", "show", "Ash", "--json").stdout)["cards"]
    assert [(card["name"], card["copies"]) for card in cards] == [("Ash Wolf", 6), ("Fire // Ice", 4)]
    assert companion(*new, "arena.txt", "--section", "Sideboard").exit_code == 2


def test_a_list_comes_from_standard_input_in_any_encoding(companion: Run) -> None:
    result = CliRunner().invoke(
        main,
        ["deck", "new", "solforge", "Vault", "--holder", "Ana", "--list", "-"],
        input="4 Lim-Dûl's Vault\r\n".encode("utf-16"),
    )
    assert result.exit_code == 0, result.output
    vault = json.loads(companion("deck", "show", "Vault", "--json").stdout)
    assert [card["name"] for card in vault["cards"]] == ["Lim-Dûl's Vault"]


def test_a_list_check_shows_what_is_read(companion: Run) -> None:
    Path("burn.cod").write_text(
        '<cockatrice_deck version="1"><deckname>Burn</deckname><zone name="main"><card number="4" name="Ash Wolf"/>'
        '</zone><zone name="side"><card number="x" name="Owl"/></zone></cockatrice_deck>',
        encoding="utf-8",
    )
    result = companion("deck", "list-check", "burn.cod", "--json")
    read = json.loads(result.stdout)
    assert (result.exit_code, read["name"], read["game"]) == (2, "Burn", "")
    assert [(card["copies"], card["name"]) for card in read["cards"]] == [(4, "Ash Wolf")]
    assert read["unclear"] == ["Line 1: “x” copies of Owl; write 1 to 1000."]
    assert companion("deck", "list-check", "-", "--game", "solforge", typed="4 Ash Wolf\n").exit_code == 0
    assert companion("deck", "list-check", "-", "--game", "decknforge", typed="4 Ash Wolf\n").exit_code == 1


@pytest.mark.parametrize("case", ["arena.txt", "arena-sf.txt", "curly.txt", "sideboard.txt"])
def test_lists_that_were_misread_once_are_read_or_asked_about(companion: Run, case: str) -> None:
    Path(case).write_text(MISREAD[case], encoding="utf-8")
    checked = companion("deck", "check", case, "--game", "solforge")
    assert "TOML" not in checked.stderr
    new = companion("deck", "new", "solforge", case, "--holder", "Ana", "--list", case, "--section", "Sideboard=none")
    assert new.exit_code == 0, new.stderr
    cards = json.loads(companion("deck", "show", case, "--json").stdout)["cards"]
    assert {card["name"]: card["copies"] for card in cards} == KEPT[case]


MISREAD = {
    "arena.txt": "Deck\n4 Ash Wolf (RNA) 200\n2 Tide // Ember (RNA) 229\n\nSideboard\n4 Gale Gull (ANB) 44\n",
    "arena-sf.txt": "solforge main\n4 Ash Wolf (RNA) 200\n2 Tide // Ember (RNA) 229\n\nSideboard\n4 Gale Gull\n",
    "curly.txt": "solforge main\n3x Ash’s Wolf | creature | tempys\nx3 Bog Heron\n3 - Cinder Imp\n(3) Dune Runner\n"
    "3× Elder Stag\n3 x Fen Witch\nGale Hawk (3)\nHill Giant [3]\nIce Hound *3\n",
    "sideboard.txt": "solforge main\n3 Ash Wolf | creature | tempys\n\nSB: 2 Cinder Imp\nSIDEBOARD:\n1 Dune Runner\n"
    "Maybeboard\n4 Elder Stag\n// Creatures (3)\n",
}
"""Lists that were refused as no TOML, or misread without a word."""
KEPT = {
    "arena.txt": {"Ash Wolf": 4, "Tide // Ember": 2},
    "arena-sf.txt": {"Ash Wolf": 4, "Tide // Ember": 2},
    "curly.txt": dict.fromkeys(
        (
            *("Ash’s Wolf", "Bog Heron", "Cinder Imp", "Dune Runner", "Elder Stag", "Fen Witch", "Gale Hawk"),
            *("Hill Giant", "Ice Hound"),
        ),
        3,
    ),
    "sideboard.txt": {"Ash Wolf": 3},
}


def test_a_list_without_a_game_names_the_option(companion: Run) -> None:
    Path("arena.txt").write_text(ARENA, encoding="utf-8")
    checked = companion("deck", "check", "arena.txt")
    assert checked.exit_code == 2
    assert "13 cards in 4 lines." in checked.stderr
    assert "Name the game of this list with --game." in checked.stderr
    adopted = companion("deck", "adopt", "arena.txt")
    assert adopted.exit_code == 2


@pytest.mark.parametrize("form", ["plain", "arena", "cod", "csv"])
def test_a_list_is_exported_and_read_again(companion: Run, form: str) -> None:
    founded(companion, "solforge")
    assert companion("deck", "export", "Ash Pack", "--as", form, "-o", f"ash.{form}").exit_code == 0
    again = companion("deck", "new", "solforge", "Again", "--holder", "Ben", "--list", f"ash.{form}")
    assert again.exit_code == 0, again.output
    one, other = (json.loads(companion("deck", "show", name, "--json").stdout)["cards"] for name in ("Ash", "Again"))
    if form in ("arena", "cod"):
        one = [{**card, "says": []} for card in one]
    assert other == one
    assert companion("deck", "export", "Ash Pack", "Again", "--as", form).exit_code == 2
    assert companion("deck", "export", "Ash Pack").exit_code == 2


@pytest.mark.parametrize("game", ["soulforger", "oddfrontier", "solforge"])
def test_each_game_keeps_a_list_from_elsewhere(companion: Run, game: str) -> None:
    Path("list.txt").write_text("4 Ash Wolf (RNA) 200\n2 Fire // Ice\n", encoding="utf-8")
    result = companion("deck", "new", game, "Ash Pack", "--holder", "Ana", "--list", "list.txt")
    assert result.exit_code == 0, result.output
    assert [card["name"] for card in json.loads(companion("deck", "show", "Ash", "--json").stdout)["cards"]] == [
        "Ash Wolf",
        "Fire // Ice",
    ]


def test_a_section_called_like_a_ready_page_names_no_game(companion: Run) -> None:
    Path("list.txt").write_text("Commander\n1 Krell, Mob Boss\n\nDeck\n4 Ash Wolf\n", encoding="utf-8")
    read = json.loads(companion("deck", "list-check", "list.txt", "--json").stdout)
    assert (read["game"], [card["part"] for card in read["cards"]]) == ("", ["Commander", "Deck"])


@pytest.mark.slow
@pytest.mark.posix
def test_at_a_terminal_what_is_unclear_is_asked(tmp_path: Path) -> None:
    file, archive = tmp_path / "arena.txt", tmp_path / "archive.sqlite"
    file.write_text(f"{ARENA}Ramp\n", encoding="utf-8")
    words = ("deck", "new", "solforge", "Ash Pack", "--holder", "Ana", "--list", str(file))
    with Terminal(command_line(archive, *words)) as terminal:
        terminal.until("“Sideboard” has 3 cards; which part of the deck is that?")
        terminal.press("none\n")
        terminal.until("Leave out 1 line? [y/N]")
        terminal.press("y\n")
        terminal.until("is built")
    result = CliRunner().invoke(main, ["--archive", str(archive), "deck", "show", "Ash", "--json"])
    assert [card["name"] for card in json.loads(result.stdout)["cards"]] == ["Ash Wolf", "Fire // Ice"]
