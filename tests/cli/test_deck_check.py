"""`companion deck check`: a deck list judged by its game's rules, with nothing taken in."""

import json
import tomllib
from importlib import resources
from pathlib import Path

from click.testing import CliRunner, Result

from companion.archive import Archive, deck_records
from companion.cli.main import main
from companion.tabletop.notation.cards import PACK

EXAMPLE = (resources.files("templates") / "examples" / "decknforge" / "adopt.toml").read_text(encoding="utf-8")


def check(tmp_path: Path, text: str, *options: str) -> Result:
    file = tmp_path / "list.toml"
    file.write_text(text, encoding="utf-8")
    Archive.open(str(tmp_path / "a.sqlite")).close()
    return CliRunner().invoke(main, ["--archive", str(tmp_path / "a.sqlite"), "deck", "check", str(file), *options])


def test_a_good_list_is_called_a_deck(tmp_path: Path) -> None:
    result = check(tmp_path, EXAMPLE)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "is a deck by the rules" in result.stdout
    with Archive.open(str(tmp_path / "a.sqlite")) as archive:
        assert archive.decks() == ()


def test_a_broken_rule_is_told_with_its_number(tmp_path: Path) -> None:
    broken = EXAMPLE.replace("hp = ", "hp = 9", 1)
    assert broken != EXAMPLE
    result = check(tmp_path, broken)
    assert result.exit_code == 1
    assert "(V1." in result.stderr
    data = json.loads(check(tmp_path, broken, "--json").stdout)
    assert data["valid"] is False
    assert "(V1." in data["errors"]


def test_a_name_that_is_taken_is_told(tmp_path: Path) -> None:
    with Archive.open(str(tmp_path / "a.sqlite")) as archive:
        deck_records.adopt_deck(archive, tomllib.loads(EXAMPLE))
    result = check(tmp_path, EXAMPLE)
    assert result.exit_code == 1
    assert "(V1.15)" in result.stderr


def test_what_is_no_list_is_misuse(tmp_path: Path) -> None:
    result = check(tmp_path, "name = ")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


def test_cards_that_were_counted_are_counted_again(tmp_path: Path) -> None:
    two_sevens = [*(card for card in PACK if card != "6C"), "7C"]
    result = check(tmp_path, f"cards = {json.dumps(two_sevens)}\n{EXAMPLE}")
    assert result.exit_code == 1
    assert "7♣ appears twice" in result.stderr
    assert "lacks 6♣" in result.stderr
    assert check(tmp_path, f"cards = {json.dumps(PACK)}\n{EXAMPLE}").exit_code == 0
