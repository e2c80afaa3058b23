"""`companion game add`, `list`, `withdraw`, and what is played by pages from a shell."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from tests.archive import crowns
from tests.archive.crowns import ONE, TWO

LINES = 'table crown\nseat ana name "Ana"\nseat ben name "Ben"\nfirst ana\nbegin seed 3\nexpect ana life 20\n'


@pytest.fixture(autouse=True)
def _another_process() -> None:
    crowns.forget()


class Shell:
    """A shell in a folder, with an archive of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.archive = str(folder / "own.sqlite")

    def run(self, *words: str) -> Result:
        crowns.forget()
        return CliRunner().invoke(main, [*words, "--archive", self.archive])

    def write(self, name: str, text: str) -> str:
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return str(file)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def test_a_page_is_added_listed_and_withdrawn(shell: Shell) -> None:
    file = shell.write("crown.toml", ONE)
    assert shell.run("game", "add", file).stdout == "Crown by Ana, edition 1, is added: a table of it is crown.\n"
    assert "is here already as crown" in shell.run("game", "add", file).stdout
    Path(file).unlink()
    listed = json.loads(shell.run("game", "list", "--json").stdout)
    assert [row["origin"] for row in listed if row["name"] == "crown"] == ["added"]
    assert {"decknforge", "solforge"} < {row["name"] for row in listed}
    assert "crown" in shell.run("game", "list").stdout
    assert shell.run("game", "show", "crown", "--text").stdout == ONE
    assert shell.run("game", "withdraw", "crown").stdout == (
        "Crown is withdrawn (1 edition); what was played by it stays.\n"
    )
    assert shell.run("game", "show", "crown").exit_code == 2
    assert shell.run("game", "withdraw", "crown").exit_code == 1


def test_another_game_of_that_name_asks_for_another_name(shell: Shell) -> None:
    shell.run("game", "add", shell.write("crown.toml", ONE))
    file = shell.write("theirs.toml", crowns.page(by="Ben"))
    refused = shell.run("game", "add", file)
    assert refused.exit_code == 1
    assert "Crown by Ana, edition 1" in refused.stderr
    assert f"companion game add {file} --as NAME" in refused.stderr
    assert shell.run("game", "add", file, "--as", "tiara").exit_code == 0
    assert "(tiara)" in shell.run("game", "show", "tiara").stdout
    for name in ("decknforge", "Two Words"):
        assert shell.run("game", "add", file, "--as", name).exit_code == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b'name = "crown', "line 1"), (b"\xff", "is not UTF-8 text"), (b"#" * 300_000, "more than 256 KiB")],
)
def test_what_is_no_page_is_refused_in_a_sentence(shell: Shell, content: bytes, sentence: str) -> None:
    file = shell.folder / "crown.toml"
    file.write_bytes(content)
    refused = shell.run("game", "add", str(file))
    assert refused.exit_code == 2
    assert sentence in refused.stderr
    assert "Traceback" not in refused.stderr


NEVER = ONE.replace("[play]", "[play]\nrounds = 1").replace(
    "[end]\nlast-left = true", "[actions.flee]\nwhen = ['life > 30', 'life < 9']\n[end]\nmost = 'life'"
)
"""A page with a line that is never possible."""


def test_a_page_is_added_only_if_its_check_finds_nothing(shell: Shell) -> None:
    file = shell.write("crown.toml", NEVER)
    checked = CliRunner().invoke(main, ["game", "check", file])
    refused = shell.run("game", "add", file)
    assert checked.exit_code == refused.exit_code == 1
    assert ":15: actions.flee: It failed in all" in checked.stderr
    assert refused.stderr.startswith(checked.stderr)
    assert f"companion game add {file} --anyway" in refused.stderr
    assert json.loads(shell.run("game", "add", file, "--json").stdout)["faults"]
    assert "crown" not in shell.run("game", "list").stdout
    assert shell.run("game", "add", file, "--anyway").exit_code == 0
    assert "is here already" in shell.run("game", "add", file).stdout


def test_all_faults_of_a_page_are_listed_as_by_its_check(shell: Shell) -> None:
    file = shell.write("crown.toml", ONE.replace("start = 20", 'start = 20\nstrat = 3\neach = "lief"'))
    checked = CliRunner().invoke(main, ["game", "check", file])
    refused = shell.run("game", "add", file)
    assert refused.exit_code == 2
    assert len(checked.stderr.splitlines()) == 2
    assert refused.stderr.startswith(checked.stderr)


def test_a_recorded_game_finds_its_page_beside_the_file(shell: Shell) -> None:
    table = shell.write("there/friday.table", LINES)
    assert shell.run("replay", table).exit_code == 2
    shell.write("there/crown.toml", ONE)
    assert shell.run("replay", table).exit_code == 0
    assert "Kept as session" in shell.run("replay", table, "--into-archive").stdout
    # The page is kept with what was played by it.
    Path(shell.folder, "there", "crown.toml").unlink()
    assert "Crown" in shell.run("game", "list").stdout
    assert shell.run("session", "report").exit_code == 0


def test_a_recorded_game_names_its_page_by_a_path_or_is_among_those_added(shell: Shell) -> None:
    shell.write("Pages/Crown.toml", ONE)
    table = shell.write("friday.table", LINES.replace("table crown", "table ./Pages/Crown.toml"))
    assert shell.run("replay", table).exit_code == 0
    other = shell.write("sunday.table", LINES)
    assert shell.run("replay", other).exit_code == 2
    shell.run("game", "add", str(shell.folder / "Pages" / "Crown.toml"))
    assert shell.run("replay", other).exit_code == 0


def test_an_exported_session_replays_in_another_home(shell: Shell, tmp_path: Path) -> None:
    shell.run("game", "add", shell.write("crown.toml", ONE))
    shell.run("replay", shell.write("friday.table", LINES.replace("expect", "# expect")), "--into-archive")
    shell.run("game", "add", shell.write("crown.toml", TWO))
    (tmp_path / "away").mkdir()
    out = tmp_path / "away" / "friday.table"
    assert shell.run("session", "export", "-o", str(out)).exit_code == 0
    assert out.with_name("crown.toml").read_text(encoding="utf-8") == ONE
    away = Shell(tmp_path / "away")
    assert away.run("replay", str(out)).exit_code == 0
    # Beside another edition nothing is written.
    refused = shell.run("session", "export", "-o", str(tmp_path / "other.table"))
    assert (refused.exit_code, (tmp_path / "other.table").exists()) == (1, False)
    assert "another page than the one this was played by" in refused.stderr
    assert "-o FILE writes crown.toml too" in shell.run("session", "export").stderr


def test_a_deck_takes_a_later_edition_from_a_shell(shell: Shell) -> None:
    shell.run("game", "add", shell.write("crown.toml", ONE))
    assert shell.run("deck", "new", "crown", "Rex", "--holder", "Ana").exit_code == 0
    assert "1 deck goes by an earlier edition" in shell.run("game", "add", shell.write("crown.toml", TWO)).stdout
    answer = shell.run("deck", "edition", "Rex").stdout
    assert answer.startswith("Rex goes by edition 1 of Crown.\nEdition 2 is here, too: companion deck edition ")
    assert answer.endswith(" --take 2\n  Life begins with 25 instead of 20.\n")
    assert shell.run("deck", "edition", "Rex", "--take", "2").stdout == "Rex goes by edition 2 of Crown.\n"
    assert shell.run("deck", "edition", "Rex", "--take", "7").exit_code == 1
    assert "edition 2 of Crown" in shell.run("deck", "history", "Rex").stdout


def test_what_everybody_needs_of_an_added_game_is_printed(shell: Shell, tmp_path: Path) -> None:
    shell.run("game", "add", shell.write("crown.toml", ONE))
    sheet = tmp_path / "starter.pdf"
    printed = shell.run("labels", "starter", "--game", "crown", "-o", str(sheet))
    assert (printed.exit_code, sheet.read_bytes()[:5]) == (0, b"%PDF-"), printed.stderr
    crowns.forget()
    assert "There is no game called “no-such”" in shell.run("labels", "starter", "--game", "no-such").stderr


def test_another_text_of_the_same_edition_is_told_with_the_way_out(shell: Shell) -> None:
    shell.run("game", "add", shell.write("crown.toml", ONE))
    output = shell.run("game", "add", shell.write("crown.toml", crowns.page(1, life=21))).stdout
    assert "Another text was edition 1 already" in output
    assert "Write edition = 2 into the page" in output


def test_where_a_table_of_a_page_stands_is_told_in_its_words(shell: Shell) -> None:
    shell.run("game", "add", shell.write("crown.toml", ONE))
    shell.run("replay", shell.write("one.table", LINES), "--into-archive")
    assert "Ana, Ben · Round 1" in shell.run("session", "list").stdout
