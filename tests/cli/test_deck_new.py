"""`companion deck new`: a band founded from the command line, and what is refused with its rule."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive, deck_id
from companion.archive.people import people
from companion.cli.main import main

MONSTERS = {
    "AS": "4S,4D,5C=Grave Wyrm",
    "AH": "2S,3D,7C=Moss Hound",
    "AC": "8S,9D,10C=Iron Tick",
    "AD": "3S,6D,9C=Salt Widow",
    "BJ": "2H 5D 8C=Old Hunger",
    "RJ": "T♠,9H,7D=Red Tithe",
}
NO_PAIR = {**MONSTERS, "AS": "4S,6D,5C=Grave Wyrm"}
THREE = ("9S=sharp", "4H=quick", "7C=Blood Money")

NewBand = Callable[..., Result]


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "archive.sqlite")


@pytest.fixture
def new_band(place: str) -> NewBand:
    """Founds a band from Monsters and inscriptions, with whatever else is said."""

    def run(
        *more: str, name: str = "Grave Choir", monsters: dict[str, str] = MONSTERS, inscribed: tuple[str, ...] = THREE
    ) -> Result:
        arguments = [word for card, monster in monsters.items() for word in ("--monster", f"{card}={monster}")]
        arguments += [word for text in inscribed for word in ("--inscribe", text)]
        return CliRunner().invoke(
            main, ["deck", "new", "decknforge", name, "--builder", "Ana", *arguments, *more, "--archive", place]
        )

    return run


def _refused(result: Result, place: str, status: int = 1) -> str:
    """What a refusal says, after making sure that it is all that happened."""
    assert (result.exit_code, result.stdout) == (status, "")
    assert len(result.stderr.splitlines()) == 1
    with Archive.open(place) as archive:
        assert archive.decks() == ()
        assert people.all_people(archive) == ()
    return result.stderr


def test_a_band_is_founded_and_kept(new_band: NewBand, place: str) -> None:
    result = new_band()
    assert (result.exit_code, result.stderr) == (0, "")
    heading, *rest = result.stdout.splitlines()
    with Archive.open(place) as archive:
        (row,) = archive.decks()
        record = archive.record(row.deck)
        assert archive.purse("Ana") == 10
        assert len(archive.story(row.deck)) == 1 + len(THREE)
    assert heading == f"Grave Choir is built: {deck_id.show(row.deck)}"
    assert rest[1].split() == ["A♠", "Grave", "Wyrm", "13", "3", "★", "Legend"]
    assert rest[2].split() == ["A♥", "Moss", "Hound", "12", "2"]
    assert "10 Coppers are left; Ana's purse now holds 10." in rest
    assert (row.game, row.name, row.holder, row.figure("glory"), row.figure("dungeons")) == (
        "decknforge",
        "Grave Choir",
        "Ana",
        0,
        0,
    )
    assert record.name == "Grave Choir"


def test_show_and_history_tell_of_it(new_band: NewBand, place: str) -> None:
    deck = json.loads(new_band("--json").stdout)["deck"]
    result = CliRunner().invoke(main, ["deck", "show", deck, "--archive", place])
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["NAME", "HP", "ATK", "LEGEND", "LABELS"] in lines
    assert ["AS", "Grave", "Wyrm", "13", "3", "yes"] in lines
    assert ["7C", "blood-money"] in lines
    result = CliRunner().invoke(main, ["deck", "history", deck, "--archive", place])
    assert "Ana founded Grave Choir with Grave Wyrm (A♠, HP 13, ATK 3, ⭐)" in result.stdout


def test_programs_get_the_id(new_band: NewBand) -> None:
    data = json.loads(new_band("--json", inscribed=("9S=sharp", "7C=pierce")).stdout)
    assert deck_id.parse(data["deck"]) == data["deck"]
    assert data["left"] == 5
    assert any("V1.7" in warning for warning in data["warnings"])


def test_of_two_builders_of_one_name_the_id_says_who_it_is(new_band: NewBand, place: str) -> None:
    with Archive.open(place) as archive:
        _, second = people.add_person(archive, "Ana"), people.add_person(archive, "Ana")
    unclear = new_band()
    assert unclear.exit_code == 1
    assert second.person in unclear.stderr
    result = new_band("--person", second.person.lower())
    assert (result.exit_code, result.stderr) == (0, "")
    with Archive.open(place) as archive:
        (row,) = archive.decks()
        assert (row.holder, row.person) == ("Ana", second.person)
        assert archive.purse("", second.person) == 10
    assert "nobody" in refused_again(new_band("--person", "QQQQQQ", name="Other")).lower()
    new = new_band("--person", "new", name="Third")
    assert new.exit_code == 0
    with Archive.open(place) as archive:
        assert len([person for person in people.all_people(archive) if person.name == "Ana"]) == 3


def refused_again(result: Result) -> str:
    """What a refusal says where there is a band already."""
    assert (result.exit_code, result.stdout) == (1, "")
    return result.stderr


def test_a_warning_is_told_and_does_not_stop(new_band: NewBand) -> None:
    result = new_band(inscribed=("9S=sharp", "7C=pierce"))
    assert result.exit_code == 0
    assert any(line.startswith("Mind: ") and "V1.7" in line for line in result.stdout.splitlines())


def test_a_solo_budget_is_larger(new_band: NewBand, place: str) -> None:
    dear = ("9S=pierce", "7C=doublestrike")
    assert "V1.6" in _refused(new_band(inscribed=dear), place)
    assert "V1.6" in _refused(new_band("--players", "1", inscribed=(*dear, "5H=sharp")), place)
    assert new_band("--players", "1", inscribed=dear).exit_code == 0


def test_without_a_pair_one_monster_is_chosen_as_legend(new_band: NewBand, place: str) -> None:
    assert "V1.5" in _refused(new_band(monsters=NO_PAIR), place)
    assert "V1.5" in _refused(new_band("--legend", "AH"), place)
    result = new_band("--legend", "ah", monsters=NO_PAIR)
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines() if "★" in line] == ["A♥"]


@pytest.mark.parametrize(
    ("inscribed", "rule"),
    [
        (("9S=sharp", "9S=quick", "4H=quick"), "V1.8"),
        (("AS=sharp", "9S=quick", "4H=quick"), "V1.9"),
        (("9S=untouchable", "4H=quick", "5H=quick"), "V1.10"),
        (("QS=ascension", "4H=quick", "5H=quick"), "V1.11"),
        ((), "V1.7"),
    ],
)
def test_what_breaks_a_rule_is_refused_with_its_number(
    new_band: NewBand, place: str, inscribed: tuple[str, ...], rule: str
) -> None:
    assert rule in _refused(new_band(inscribed=inscribed), place)


def test_a_monster_that_is_missing_or_built_wrongly_is_refused(new_band: NewBand, place: str) -> None:
    five = {card: monster for card, monster in MONSTERS.items() if card != "RJ"}
    assert "Red Joker" in _refused(new_band(monsters=five), place)
    assert "V1.3" in _refused(new_band(monsters={**MONSTERS, "AH": "JS,3D,7C=Moss Hound"}), place)
    assert "V1.2" in _refused(new_band(monsters={**five, "KS": "2S,3D,7C=King"}), place)


def test_a_name_is_used_once(new_band: NewBand, place: str) -> None:
    assert new_band().exit_code == 0
    result = new_band(name="GRAVE choir")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "V1.15" in result.stderr
    with Archive.open(place) as archive:
        assert len(archive.decks()) == 1
        assert archive.purse("Ana") == 10


def test_an_empty_name_is_refused(new_band: NewBand, place: str) -> None:
    assert "V1.15" in _refused(new_band(name="  "), place)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--inscribe", "9S=shrap"], "did you mean sharp?"),
        (["--inscribe", "9S=xyzzy"], "there are sharp"),
        (["--inscribe", "sharp"], "--inscribe '9S=sharp'"),
        (["--inscribe", "11S=sharp"], "is not a card"),
        (["--monster", "AS"], "--monster 'AS=4S,4D,5C=Grave Wyrm'"),
        (["--monster", "AS=4S,4D,5C=Again"], "is given two Monsters"),
        (["--legend", "KS"], "not one of the Monsters"),
        (["--players", "6"], "--players"),
    ],
)
def test_what_cannot_be_read_is_misuse(new_band: NewBand, place: str, more: list[str], sentence: str) -> None:
    assert sentence in _refused(new_band(*more), place, status=2)


def test_an_unknown_game_names_the_known_ones() -> None:
    result = CliRunner().invoke(main, ["deck", "new", "chess", "Grave Choir"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "decknforge" in result.stderr


def test_a_name_that_no_box_label_bears_is_warned_of(new_band: NewBand, place: str) -> None:
    output = new_band(name="Fire 🔥 Drakes").stdout
    assert "Mind: The name “Fire 🔥 Drakes” has “🔥” (U+1F525)" in output
    assert "Its box gets no label until it is renamed: companion deck rename." in output
    assert "prints the label for its box" not in output
    renamed = CliRunner().invoke(main, ["deck", "rename", "fire", "W" * 60, "--archive", place])
    assert renamed.exit_code == 0
    assert "WWW” is too long: it does not fit" in renamed.stdout
    plain = CliRunner().invoke(main, ["deck", "rename", "w", "Grave Choir", "--archive", place])
    assert "Mind" not in plain.stdout
