"""`companion deck adopt`, `export`, `import`, and passports by command."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive, deck_id
from companion.archive.exchange import passport
from companion.cli.main import main
from companion.games.decknforge.decks import marks as m
from tests.archive import bands
from tests.bench.photos import qr

Run = Callable[..., Result]
DECKLIST = Path(__file__).parents[2] / "templates" / "examples" / "solforge" / "iron-grove.txt"


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "archive.sqlite")


@pytest.fixture
def companion(place: str) -> Run:
    def run(*arguments: str, at: str = place) -> Result:
        return CliRunner().invoke(main, [*arguments, "--archive", at])

    return run


def _refused(result: Result, status: int) -> str:
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    return result.stderr


def test_the_example_is_a_file_that_can_be_adopted(companion: Run, tmp_path: Path) -> None:
    file = tmp_path / "example.toml"
    text = companion("deck", "adopt", "--example").stdout
    assert companion("deck", "adopt", "--example", "-o", "-").stdout == text
    assert companion("deck", "adopt", "--example", "-o", str(file)).stdout == f"{file}: an example to fill in.\n"
    assert file.read_text(encoding="utf-8") == text
    assert "--force" in _refused(companion("deck", "adopt", "--example", "-o", str(file)), 1)
    data = json.loads(companion("deck", "adopt", str(file), "--by", "Ben", "--json").stdout)
    assert (data["name"], data["holder"], data["holders"]) == ("The Lantern Debt", "Dora", ["Ben", "Dora"])
    assert (data["glory"], data["dungeons"]) == (17, 4)
    assert data["history"] == ["bright", "quick", "echo", "sharp", "ascension", "untouchable", "thorns"]
    assert data["monsters"]["AS"] == {
        "name": "Toll Ghoul", "hp": 12, "atk": 2, "legend": False, "labels": ["swift", "tough"]
    }  # fmt: skip
    assert companion("deck", "chores").stdout == "Nothing is left to do by hand.\n"
    assert "as it was before its records" in companion("deck", "history", "the").stdout
    assert "V1.15" in _refused(companion("deck", "adopt", str(file)), 1)


@pytest.mark.parametrize(
    ("old", "new", "status", "sentence"),
    [
        ('game = "decknforge"', 'game = "chess"', 2, "no game called “chess”"),
        ('game = "decknforge"', "", 2, "no game called"),
        ("glory = 17", 'glory = "much"', 2, "glory"),
        ("glory = 17", "glory = -1", 2, "glory"),
        ("glory = 17", "glory = 17\nmisspelt = 1", 2, "misspelt"),
        ("glory = 17", "glory = ", 2, "is not TOML: line "),
        pytest.param("glory = 17", f"glory = {5000 * '9'}", 2, "is not TOML: line ", id="endless figure"),
        pytest.param("glory = 17", f"glory = {5000 * '['}", 2, "write one thing a line, as in hp = 13", id="nested"),
        pytest.param("glory = 17", f"{'.'.join('a' * 99)} = 1", 2, "write a shorter one", id="long key"),
        pytest.param('game = "decknforge"', f"game = 0x{5000 * 'f'}", 2, "more than 64 digits", id="hexadecimal"),
        ('9D = "echo"', '9D = "ehco"', 2, "did you mean echo?"),
        ('9D = "echo"', 'AS = "echo"', 1, "V1.9"),
        ('9D = "echo"', '9D = "untouchable"', 1, "V1.10"),
        ('9D = "echo"', '9D = ["echo", "sharp"]', 1, "V1.8"),
        ("hp = 20", "hp = 31", 1, "V1.3"),
        ("atk = 4", "atk = 5", 1, "V1.4"),
        ("legend = true", "", 1, "V1.5"),
        ("[monsters.AC]", "[monsters.KC]", 1, "V1.2"),
        ('labels = ["greedy"]', 'labels = ["greedy", "greedy"]', 1, "V1.13"),
        ('["2S", "3H", "7C"]', '["2S", "3H", "8C"]', 1, "V1.3"),
        ('["2S", "3H", "7C"]', '["2S", "3H"]', 1, "V1.3"),
        ('name = "The Lantern Debt"', 'name = " "', 1, "V1.15"),
    ],
)
def test_a_sheet_that_cannot_be_is_refused_with_its_rule(
    companion: Run, tmp_path: Path, old: str, new: str, status: int, sentence: str
) -> None:
    file = tmp_path / "sheet.toml"
    text = companion("deck", "adopt", "--example").stdout
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    assert sentence in _refused(companion("deck", "adopt", str(file)), status)
    listed = companion("deck", "list", "--json")
    assert listed.stdout.split() == ["[]"] or "There is no archive" in listed.stderr


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\x00", b"x" * 2_000_000, b"a = " + b"[" * 50_000])
def test_what_is_no_sheet_is_one_sentence(companion: Run, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "sheet.toml"
    file.write_bytes(content)
    _refused(companion("deck", "adopt", str(file)), 2)
    _refused(companion("deck", "adopt", str(tmp_path)), 2)
    _refused(companion("deck", "adopt", str(tmp_path / "none")), 2)
    assert "--example" in _refused(companion("deck", "adopt"), 2)
    assert "--example" in _refused(companion("deck", "adopt", "-o", "x.toml"), 2)
    assert "--example" in _refused(companion("deck", "adopt", "x.toml", "-o", "y.toml"), 2)


def test_a_divergence_shows_both_stories_and_how_to_go_on(companion: Run, place: str, tmp_path: Path) -> None:
    file, home = str(tmp_path / "choir.decks"), str(tmp_path / "home.sqlite")
    with Archive.open(place, by="here") as archive:
        deck = bands.found_band(archive)
        assert companion("deck", "export", "grave", "-o", file).exit_code == 0
        assert "--force" in _refused(companion("deck", "export", "grave", "-o", file), 1)
        assert companion("deck", "import", file, at=home).stdout.endswith("new, taken in\n")
        bands.add(archive, deck, m.DungeonPlayed("Ana", "win", 6, 7))
    with Archive.open(home, by="there") as archive:
        bands.add(archive, deck, m.Drifted("Dora"))
    assert companion("deck", "export", "grave", "-o", file, "--force", at=home).exit_code == 0
    result = companion("deck", "import", file)
    assert result.exit_code == 1
    for text in (
        "diverged",
        "Here, from entry 5 on",
        "Ana won a dungeon",
        "In the file",
        "went to Dora",
        "--keep mine",
    ):
        assert text in result.stdout
    (data,) = json.loads(companion("deck", "import", file, "--dry-run", "--json").stdout)
    assert (data["verdict"], data["taken"], data["fork"]) == ("diverged", False, 5)
    assert companion("deck", "import", file, "--keep", "theirs").exit_code == 0
    assert json.loads(companion("deck", "show", deck, "--json").stdout)["holder"] == "Dora"


def test_what_a_later_decision_would_reverse_is_said_first(companion: Run, place: str, tmp_path: Path) -> None:
    home, files = str(tmp_path / "home.sqlite"), [str(tmp_path / name) for name in ("here.decks", "home.decks")]
    with Archive.open(place, by="here") as archive:
        deck = bands.found_band(archive)
        assert companion("deck", "export", "grave", "-o", files[0]).exit_code == 0
        assert companion("deck", "import", files[0], at=home).exit_code == 0
        bands.add(archive, deck, m.DungeonPlayed("Ana", "win", 6, 7))
    with Archive.open(home, by="there") as archive:
        bands.add(archive, deck, m.Drifted("Dora"))

    def export() -> None:
        for at, file in zip((place, home), files, strict=True):
            assert companion("deck", "export", "grave", "-o", file, "--force", at=at).exit_code == 0

    export()
    assert companion("deck", "import", files[1], "--keep", "mine").exit_code == 0
    assert companion("deck", "import", files[0], "--keep", "mine", at=home).exit_code == 0
    export()
    for options in ((), ("--keep", "mine"), ("--keep", "theirs"), ("--dry-run",)):
        result = companion("deck", "import", files[1], *options)
        assert result.exit_code == 1
        for text in ("reversed", "would not count here any more", "Ana won a dungeon", "again", "Dora", "--reverse"):
            assert text in result.stdout
        assert json.loads(companion("deck", "show", deck, "--json").stdout)["glory"] == 7
    result = companion("deck", "import", files[1], "--reverse")
    assert result.exit_code == 0
    assert "reversed, taken in" in result.stdout
    assert "What does not count here any more" in result.stdout
    data = json.loads(companion("deck", "show", deck, "--json").stdout)
    assert (data["glory"], data["holder"]) == (0, "Dora")


def test_a_passport_is_scanned_offered_and_adopted(companion: Run, place: str, tmp_path: Path) -> None:
    with Archive.open(place) as archive:
        deck = bands.found_band(archive)
    text = companion("deck", "passport", "grave").stdout.removesuffix("\n")
    picture, home = tmp_path / "sheet.png", str(tmp_path / "home.sqlite")
    qr(text, module=4).save(picture)
    Archive.open(home).close()
    assert "Grave Choir" in companion("scan", str(picture)).stdout
    offered = _refused(companion("scan", str(picture), at=home), 1)
    assert f"The passport of Grave Choir ({deck_id.show(deck)}); the deck is not here" in offered
    assert "came in with its passport" in companion("scan", "--adopt", str(picture), at=home).stdout
    assert companion("scan", "--adopt", str(picture), at=home).exit_code == 0
    with Archive.open(place) as archive:
        bands.add(archive, deck, m.DungeonPlayed("Ana", "win", 6, 7))
        qr(passport.write(archive, deck), module=4).save(picture)
    assert "an export of the deck, and import that" in _refused(companion("scan", "--adopt", str(picture), at=home), 1)
    qr(text[:40], module=4).save(picture)
    assert "damaged" in _refused(companion("scan", "--adopt", str(picture), at=home), 1)


def test_of_very_many_faults_in_a_list_the_first_are_told(tmp_path: Path) -> None:
    file = tmp_path / "deck.txt"
    file.write_text("oddfrontier main\n" + "1 Ash Wolf | creature\n" * 4_000, encoding="utf-8")
    result = CliRunner().invoke(main, ["deck", "check", str(file)])
    assert result.exit_code == 1
    *lines, last = result.stderr.splitlines()
    assert len(lines) == 50
    assert last.startswith("And ")
    assert last.endswith(" more; mend these first.")


@pytest.mark.parametrize(("game", "status"), [("decknforge", 1), ("solforge", 0)])
def test_yes_is_only_offered_where_it_takes_a_deck_in(
    companion: Run, place: str, tmp_path: Path, game: str, status: int
) -> None:
    home, file = str(tmp_path / "home.sqlite"), str(tmp_path / "theirs.decks")
    with Archive.open(home) as archive:
        bands.found_band(archive, "Grave\u034f Choir")
    if game == "decknforge":
        with Archive.open(place) as archive:
            bands.found_band(archive)
    else:
        result = companion("deck", "new", game, "Grave Choir", "--holder", "Ana", "--list", str(DECKLIST))
        assert result.exit_code == 0
    assert companion("deck", "export", "grave", "-o", file).exit_code == 0
    result = companion("deck", "import", file, at=home)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "looks like a deck that is here" in result.stderr
    assert ("--yes" in result.stderr) is (status == 0)
    assert ("companion deck rename" in result.stderr) is (status == 1)
    assert companion("deck", "import", file, "--dry-run", at=home).exit_code == 0
    assert companion("deck", "import", file, "--yes", at=home).exit_code == status
