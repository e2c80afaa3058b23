"""`companion homebrew check`, `add`, `list`, and what is founded, played, printed and rehearsed with one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from tests.cli.test_games_added import Shell
from tests.games.decknforge import homebrews
from tests.games.decknforge.homebrews import HEAD, MOONLIT

MONSTERS = {
    "AS": "4S,4D,5C=Grave Wyrm",
    "AH": "2S,3D,7C=Moss Hound",
    "AC": "8S,9D,10C=Iron Tick",
    "AD": "3S,6D,9C=Salt Widow",
    "BJ": "2H,5D,8C=Old Hunger",
    "RJ": "10S,9H,7D=Red Tithe",
}
INSCRIBED = ("9S=Moon Blade", "4H=quick", "7C=silver-bell")
FOUNDING = (
    *(word for card, text in MONSTERS.items() for word in ("--monster", f"{card}={text}")),
    *(word for text in INSCRIBED for word in ("--inscribe", text)),
)
EVENING = """\
table moonlit
seat ana name "Ana" deck "Grave Choir"
seat ben name "Ben"
inscribed ben 8S quick
inscribed ben 8H quick
begin seed 1 bosses ben:AS ben:AH ben:AC ben:AD ben:BJ ben:RJ lots ana ben
reveal ana 9S
expect ana coppers 9
set table outcome loss
fade ana 4H
fade ben 8S
pick ana ana
pick ben ben
set ana coppers 30
buy ana 5C moon-blade
seal
"""


class Brewery(Shell):
    """A shell that has seen no homebrew yet, whatever it ran before."""

    def run(self, *words: str) -> Result:
        homebrews.forget()
        return super().run(*words)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Brewery(tmp_path)


def test_a_right_one_is_checked_added_and_listed(shell: Shell) -> None:
    file = shell.write("moonlit.toml", MOONLIT)
    assert shell.run("homebrew", "check", file).stdout == "DecknForge: Moonlit: nothing is wrong with this homebrew.\n"
    assert json.loads(shell.run("homebrew", "check", file, "--json").stdout)["warnings"] == []
    added = shell.run("homebrew", "add", file)
    assert added.stdout == "Moonlit by Ana, edition 1, is added: a table of it is moonlit.\n"
    assert "is here already" in shell.run("homebrew", "add", file).stdout
    Path(file).unlink()
    (row,) = json.loads(shell.run("homebrew", "list", "--json").stdout)
    assert (row["name"], row["game"], row["author"], row["edition"]) == ("moonlit", "decknforge", "Ana", 1)
    assert "moonlit" in shell.run("homebrew", "list").stdout
    assert shell.run("game", "show", "moonlit", "--text").stdout == MOONLIT


def test_faults_are_told_by_line_with_status_one(shell: Shell) -> None:
    file = shell.write("moonlit.toml", f'{HEAD}[[inscriptions]]\nnumber = 1\nname = "Moon"\nfaec = 1\n')
    refused = shell.run("homebrew", "check", file)
    assert refused.exit_code == 1
    assert f"{file}:8: inscriptions.1.faec: “faec” is not a key here; did you mean face?" in refused.stderr
    as_json = shell.run("homebrew", "check", file, "--json")
    assert (as_json.exit_code, json.loads(as_json.stdout)["faults"][0]["line"]) == (1, 8)
    assert shell.run("homebrew", "add", file).exit_code == 2


@pytest.mark.parametrize("words", [("homebrew", "check"), ("homebrew", "add")])
def test_what_is_none_is_refused_in_a_sentence(shell: Shell, words: tuple[str, ...]) -> None:
    refused = shell.run(*words, shell.write("crown.toml", 'name = "crown"\ntitle = "Crown"\n'))
    assert refused.exit_code == 2
    assert 'homebrew = "decknforge"' in refused.stderr
    brew = shell.run("game", "check", shell.write("moonlit.toml", MOONLIT))
    assert (brew.exit_code, "companion homebrew check" in brew.stderr) == (2, True)


def test_what_was_hardly_meant_is_told_too(shell: Shell) -> None:
    text = MOONLIT.replace("price = 12", "price = 31").replace("In step 3 everybody hums.", "Hum. " * 60)
    checked = shell.run("homebrew", "check", shell.write("moonlit.toml", text))
    assert checked.exit_code == 0
    assert ":10: inscriptions[1].price: No band can begin with Moon Blade" in checked.stderr
    assert ":17: inscriptions[2].text: The usual labels are too small for this" in checked.stderr


def test_a_band_lives_with_it_from_founding_to_print(shell: Shell) -> None:
    shell.run("homebrew", "add", shell.write("moonlit.toml", MOONLIT))
    founded = shell.run("deck", "new", "moonlit", "Grave Choir", "--builder", "Ana", *FOUNDING)
    assert "8 Coppers are left" in founded.stdout, founded.output
    played = shell.run("replay", shell.write("evening.table", EVENING), "--into-archive")
    assert played.exit_code == 0, played.output
    assert "Kept as session" in played.stdout
    history = shell.run("deck", "history", "Grave Choir").stdout
    assert "9♠ received Moon Blade (at the founding, by Ana)." in history
    assert "5♣ received Moon Blade (bought, by Ana)." in history
    assert "goes by edition" not in history
    tonight = shell.run("labels", "tonight", "--plan").stdout
    assert "Moon Blade (5♣)" in tonight
    on_cards = shell.run("labels", "deck", "Grave Choir", "--plan").stdout
    assert "Silver Bell (7♣)" in on_cards
    sheet = shell.run("labels", "starter", "--game", "moonlit", "--plan").stdout
    assert ("Moon Blade" in sheet, "Sharp" in sheet) == (True, False)
    out = shell.folder / "starter.pdf"
    starter = shell.run("labels", "starter", "--game", "moonlit", "-o", str(out))
    assert starter.exit_code == 0, starter.output
    assert out.read_bytes().startswith(b"%PDF")
    again = shell.folder / "again.table"
    assert shell.run("session", "export", "-o", str(again)).exit_code == 0
    assert (shell.folder / "moonlit.toml").read_text("utf-8") == MOONLIT
    assert again.read_text("utf-8").startswith("table moonlit\n")
    assert shell.run("replay", str(again)).exit_code == 0


def test_it_is_rehearsed_by_its_text_alone(shell: Shell) -> None:
    file = shell.write("moonlit.toml", MOONLIT)
    words = ("rehearse", "decknforge", "--games", "4", "--players", "2", "--seed", "3", "--no-keep", "--json")
    one, two = (shell.run(*words, "--homebrew", file, "--jobs", jobs) for jobs in ("1", "2"))
    assert one.exit_code == 0, one.output
    assert json.loads(one.stdout) == json.loads(two.stdout)
    assert (
        "Played with DecknForge: Moonlit, a homebrew whose"
        in shell.run(*words[:-1], "--homebrew", file, "--jobs", "1").stdout
    )
    plain = json.loads(shell.run(*words, "--jobs", "1").stdout)
    assert plain["figures"] != json.loads(one.stdout)["figures"]
    assert shell.run("rehearse", "solforge", "--homebrew", file).exit_code in (1, 2)


def test_a_homebrew_that_was_added_is_rehearsed_by_its_name(shell: Shell) -> None:
    file = shell.write("moonlit.toml", MOONLIT)
    shell.run("homebrew", "add", file)
    words = ("--games", "2", "--players", "2", "--jobs", "1", "--no-keep", "--json")
    by_name = shell.run("rehearse", "Moonlit", *words)
    assert by_name.exit_code == 0, by_name.output
    assert by_name.stdout == shell.run("rehearse", "decknforge", "--homebrew", file, *words).stdout
    kept = json.loads(shell.run("rehearse", "moonlit", *words, "--keep").stdout)["run"]
    assert kept in shell.run("rehearse", "moonlit", "--runs").stdout
    went_on = shell.run("rehearse", "moonlit", "--continue", kept, "--games", "3", "--jobs", "1")
    assert went_on.stdout.startswith("3 rehearsed, 2 players"), went_on.output
    assert "leave --homebrew out" in shell.run("rehearse", "moonlit", "--homebrew", file, *words).output
    assert "thinker: " in shell.run("rehearse", "moonlit", "--temperaments").output


def test_a_file_of_windows_is_rehearsed_like_any_other(shell: Shell, tmp_path: Path) -> None:
    file, theirs = shell.write("moonlit.toml", MOONLIT), tmp_path / "theirs.toml"
    theirs.write_bytes(b"\xef\xbb\xbf" + MOONLIT.replace("\n", "\r\n").encode())
    words = ("--games", "2", "--players", "2", "--jobs", "1", "--no-keep", "--json")
    ours, other = (shell.run("rehearse", "decknforge", "--homebrew", str(name), *words) for name in (file, theirs))
    assert (ours.exit_code, other.stdout) == (0, ours.stdout)


def test_a_band_of_a_homebrew_is_rehearsed(shell: Shell) -> None:
    file = shell.write("moonlit.toml", MOONLIT)
    shell.run("homebrew", "add", file)
    founded = shell.run("deck", "new", "moonlit", "Owls", "--builder", "Ana", *FOUNDING)
    assert founded.exit_code == 0, founded.output
    words = ("--decks", "Owls", "--games", "2", "--players", "2", "--jobs", "1", "--no-keep")
    result = shell.run("rehearse", "decknforge", "--homebrew", file, *words)
    assert result.exit_code == 0, result.output


def test_who_plays_on_buys_what_a_homebrew_adds(shell: Shell) -> None:
    file = shell.write("moonlit.toml", MOONLIT)
    words = ("rehearse", "decknforge", "--homebrew", file, "--games", "4", "--players", "2", "--evenings", "2")
    plain = json.loads(shell.run(*words, "--wizards", "greedy,careful", "--jobs", "1", "--no-keep", "--json").stdout)
    bought = {key: plain["figures"][f"bought-name:{key}"]["value"] for key in ("moon-blade", "silver-bell", "glint")}
    # Each once for a band, and then what they always wish for.
    assert 0 < bought["moon-blade"] <= 2 * 2
    assert bought["silver-bell"] > 0
    assert bought["glint"] > 0


@pytest.mark.slow
def test_one_inscription_is_compared_in_and_out(shell: Shell) -> None:
    file = shell.write("moonlit.toml", MOONLIT)
    words = ("rehearse", "decknforge", "--games", "12", "--wizards", "greedy", "--jobs", "1", "--no-keep")
    own = shell.run(*words, "--homebrew", file, "--without", "Moon Blade", "--json")
    assert own.exit_code == 0, own.output
    plain = json.loads(own.stdout)
    assert plain["paired"] is True
    assert plain["against"]["without"] == ["moon-blade"]
    brought = plain["figures"]["inscription-coppers:moon-blade"]
    assert brought["value"] > 0
    assert brought["against"]["value"] == 0
    assert brought["difference"]["value"] == brought["value"]
    # The cards of which it is counted are the same, and the kills that it decided are the others'.
    assert plain["figures"]["inscription:moon-blade"]["against"]["value"] == 0
    for name in ("echo", "royal decree", "the-patron"):
        printed = shell.run(*words, "--without", name)
        assert printed.exit_code == 0, printed.output
        assert f"without {name.replace(' ', '-')}." in printed.stdout
    assert "“moon-blade” is not an inscription" in shell.run(*words, "--without", "moon-blade").output
    assert "leave --against" in shell.run(*words, "--without", "sharp", "--against", "default").output
    assert "leave --against and --sweep out" in shell.run(*words, "--without", "sharp", "--sweep", "pressure").output
    assert "has nothing on its cards" in shell.run("rehearse", "solforge", "--games", "1", "--without", "sharp").output


def test_what_stands_on_no_card_changes_no_game(shell: Shell) -> None:
    # Nobody of these two can afford a Mythic.
    words = ("rehearse", "decknforge", "--games", "3", "--players", "2", "--jobs", "1", "--no-keep")
    report = shell.run(*words, "--without", "towers-memory").stdout
    assert "Dungeons won" in report
    assert report.count("0 ± 0") > 40
