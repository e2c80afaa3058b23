"""`companion game`: a page is begun, checked, looked at, and explained to an editor."""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from companion.games import registry
from companion.games.described.page.reading import read_description
from tests.games.described.test_reading import CROWN

WRONG = 'name = "crown"\ntitle = "Crown"\n[counters.life]\nmax = 3\nout = "dead"\n'


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs `companion game` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_ARCHIVE", str(tmp_path / "archive.sqlite"))

    def run(*arguments: str, typed: str = "") -> Result:
        return CliRunner().invoke(main, ["game", *arguments], input=typed)

    return run


def test_a_new_page_is_whole_and_can_be_played(game: Callable[..., Result]) -> None:
    written = game("new", "our-duel")
    assert (written.exit_code, written.output) == (
        0,
        "our-duel.toml: yours to change; companion game check looks at it.\n",
    )
    checked = game("check", "our-duel.toml", "--games", "20")
    assert (checked.exit_code, checked.output) == (0, "Our duel: nothing is wrong with this page.\n")
    text = Path("our-duel.toml").read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 100, "an editor shows it without wrapping"
    Path("our-duel.table").write_text(
        "table ./our-duel.toml\nrule short yes\nseat ana\nseat ben\nbegin seed 1\nnext\nattack ana ben 9\n"
        "expect ben life 1\nexpect ana coins 0\nadd ben life -1\nexpect table outcome ana\n",
        encoding="utf-8",
    )
    played = CliRunner().invoke(main, ["replay", "our-duel.table"])
    assert played.exit_code == 0, played.output


def test_a_page_is_never_overwritten_unasked(game: Callable[..., Result]) -> None:
    Path("crown.toml").write_text("mine", encoding="utf-8")
    refused = game("new", "crown")
    assert (refused.exit_code, Path("crown.toml").read_text(encoding="utf-8")) == (1, "mine")
    assert game("new", "crown", "-o", "other.toml").exit_code == 0
    assert game("new", "crown", "--force").exit_code == 0
    assert game("new", "crown", "-o", "-").stdout == Path("crown.toml").read_text(encoding="utf-8")


def test_examples_of_the_help_name_ready_pages(game: Callable[..., Result]) -> None:
    examples = re.findall(r"companion game new (\S+) --from (\S+)", game("new", "--help").output)
    assert examples
    for name, ready in examples:
        assert game("new", name, "--from", ready).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("Our Duel",), "“Our Duel” is no word of small letters and digits, joined by -; take our-duel."),
        (("decknforge",), "“decknforge” is a game of its own here"),
        (("crown", "--from", "nothing"), "“nothing” is no ready page; these are: "),
        (("crown", "--from", "duel"), "“duel” is no ready page; did you mean life (Duel with life totals)?"),
    ],
)
def test_a_page_that_cannot_be_begun_is_refused(
    game: Callable[..., Result], arguments: tuple[str, ...], sentence: str
) -> None:
    refused = game("new", *arguments)
    assert refused.exit_code == 2
    assert sentence in refused.stderr
    assert not list(Path().glob("*.toml"))


@pytest.mark.parametrize("ready", registry.ready_names())
def test_a_ready_page_is_copied_under_a_name_of_its_own(game: Callable[..., Result], ready: str) -> None:
    assert game("new", "mine", "--from", ready).exit_code == 0
    text = Path("mine.toml").read_text(encoding="utf-8")
    assert read_description(text).name == "mine"
    original = registry.ready_text(ready)
    assert original is not None
    assert text.replace('name = "mine"', f'name = "{ready}"', 1) == original


def test_all_faults_are_told_at_once_by_line(game: Callable[..., Result]) -> None:
    Path("crown.toml").write_text(WRONG, encoding="utf-8")
    refused = game("check", "crown.toml")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.splitlines() == [
        "crown.toml:4: counters.life.max: “max” is not a key here; did you mean most?",
        "crown.toml:5: counters.life.out: “dead” is not a condition; write it as “level >= 10”, “table time = night”, "
        "“me has crown” or “each out”.",
    ]


def test_random_games_find_what_never_happens(game: Callable[..., Result]) -> None:
    page = 'name = "crown"\ntitle = "Crown"\n[counters.life]\nmost = 9\n\n[actions.win]\nwhen = ["me life > 8"]\n'
    Path("crown.toml").write_text(
        page + 'does = ["won me"]\n[flags.lit]\n[actions.lit]\nwhen = ["me has lit"]', "utf-8"
    )
    refused = game("check", "crown.toml", "--games", "5")
    assert refused.exit_code == 1
    assert "crown.toml:10: actions.lit: It failed in all" in refused.stderr
    assert game("check", "crown.toml", "--games", "0").exit_code == 0


def test_an_inscription_too_long_for_a_label_is_a_warning(game: Callable[..., Result]) -> None:
    text = " ".join(["Whoever draws this discards a card, and puts a moth down."] * 6)
    sign = f'[[decks.inscriptions]]\nnumber = 1\nname = "Scar"\ntext = "{text}"\n'
    Path("crown.toml").write_text(f'{CROWN}\n[decks]\nkind = "inscribed"\n{sign}', encoding="utf-8")
    checked = game("check", "crown.toml", "--games", "0")
    assert checked.exit_code == 0
    assert "decks.inscriptions[1].text: The usual labels are too small for this" in checked.stderr


def test_an_amount_that_may_mean_something_else_is_a_warning(game: Callable[..., Result]) -> None:
    line = '[actions.win]\nwhen = ["me life > others.life"]\ndoes = ["won me"]\n'
    Path("crown.toml").write_text(f"{CROWN}\n{line}", encoding="utf-8")
    checked = game("check", "crown.toml", "--games", "0")
    assert checked.exit_code == 0
    assert "actions.win.when[1]: “others.life” is the sum of all others." in checked.stderr


def test_programs_get_the_faults_as_json(game: Callable[..., Result]) -> None:
    Path("crown.toml").write_text(WRONG, encoding="utf-8")
    refused = game("check", "crown.toml", "--json")
    faults = json.loads(refused.stdout)["faults"]
    assert refused.exit_code == 1
    assert [(fault["line"], fault["key"]) for fault in faults] == [(4, "counters.life.max"), (5, "counters.life.out")]
    good = game("check", "-", "--json", "--games", "0", typed=CROWN)
    assert json.loads(good.stdout) == {
        "file": "<stdin>",
        "name": "crown",
        "title": "Crown of Ash",
        "edition": 1,
        "faults": [],
        "warnings": [],
        "languages": [],
    }


def test_what_is_no_text_is_refused_in_a_sentence(game: Callable[..., Result]) -> None:
    Path("crown.toml").write_bytes(b"\xff\xfe\x00")
    assert (game("check", "crown.toml").exit_code, game("check", "none.toml").exit_code) == (2, 2)
    assert game("check", "crown.toml").stderr == "“crown.toml” is not UTF-8 text; save it as UTF-8.\n"


def test_a_game_is_shown_with_all_that_it_has(game: Callable[..., Result]) -> None:
    Path("crown.toml").write_text(CROWN, encoding="utf-8")
    lines = game("show", "crown.toml").output.splitlines()
    assert lines[0] == "Crown of Ash (crown)"
    assert "Figures: Life, Damage, Embers, Total, Time, Threat, Power." in lines
    assert "  attack SEAT SEAT N: Attack" in lines
    assert "  quick no|yes: Shall it be quick?" in lines
    plain = json.loads(game("show", "crown.toml", "--json").stdout)
    assert plain["page"]["counters"]["life"]["start-by-players"] == {"2": 20}
    assert game("show", "decknforge").output.startswith("DecknForge (decknforge)\nLines:\n")
    assert game("show", "nothing").exit_code == 2


@pytest.fixture(scope="module")
def schema() -> Any:
    return json.loads(CliRunner().invoke(main, ["game", "schema"]).stdout)


def test_the_schema_takes_what_is_read_and_refuses_what_is_not(schema: Any) -> None:
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    assert not list(validator.iter_errors(tomllib.loads(CROWN)))
    assert not list(
        validator.iter_errors(tomllib.loads(CliRunner().invoke(main, ["game", "new", "x", "-o", "-"]).stdout))
    )
    for name in registry.ready_names():
        assert not list(validator.iter_errors(tomllib.loads(registry.ready_text(name) or ""))), name
    assert [list(error.path) for error in validator.iter_errors(tomllib.loads(WRONG))] == [["counters", "life"]]
    for key, value in (("order", "clockwize"), ("players", 4), ("rounds", -1)):
        (error,) = validator.iter_errors({"name": "x", "title": "X", "play": {key: value}})
        assert list(error.path) == ["play", key]


def test_the_schema_explains_every_key(schema: Any) -> None:
    for part in (schema, *schema["$defs"].values()):
        assert part["additionalProperties"] is False
        assert all(key["description"] for key in part["properties"].values())


def test_what_is_not_translated_is_a_remark_with_its_line(game: Callable[..., Result]) -> None:
    text = f'{CROWN}\n[language.de]\n"Crown" = "Krone"\n'
    Path("crown.toml").write_text(text, encoding="utf-8")
    checked = game("check", "crown.toml", "--games", "0")
    assert checked.exit_code == 0
    assert "nothing is wrong with this page" in checked.stdout
    assert "texts are translated" in checked.stdout
    remarks = [row for row in checked.stderr.splitlines() if "is not translated (de)" in row]
    assert remarks
    for row in remarks:
        line = int(row.split(":")[1])
        assert 1 <= line <= text.count("\n")
    (state,) = json.loads(game("check", "crown.toml", "--games", "0", "--json").stdout)["languages"]
    assert state["language"] == "de"
    assert state["texts"] - state["translated"] == len(state["missing"]) == len(remarks)


def test_a_translation_of_no_text_is_a_fault(game: Callable[..., Result]) -> None:
    Path("crown.toml").write_text(f'{CROWN}\n[language.de]\n"Crwn" = "Krone"\n', encoding="utf-8")
    checked = game("check", "crown.toml", "--games", "0")
    assert checked.exit_code == 1
    assert "The page has no such text; did you mean “Crown”?" in checked.output


def test_games_are_found_by_well_known_names(game: Callable[..., Result]) -> None:
    match = game("find", "Gin", "rumy")
    assert match.exit_code == 0
    lines = match.output.splitlines()
    assert lines[0] == "Rummy with knocking (knock), a ready page"
    assert "  For Gin Rummy, and other rummy games in which somebody knocks." in lines
    assert "type table knock in companion play --lines" in lines[-1]


def test_own_pages_are_found_by_what_they_suit(game: Callable[..., Result]) -> None:
    Path("crown.toml").write_text(CROWN.replace("title", 'suits = "For Kronenjagd."\ntitle', 1), encoding="utf-8")
    assert game("add", "crown.toml", "--anyway").exit_code == 0
    assert [each["name"] for each in json.loads(game("find", "kronenjagd", "--json").output)] == ["crown"]
    listed = {each["name"]: each["suits"] for each in json.loads(game("list", "--json").output)}
    assert listed["crown"] == "For Kronenjagd."
    assert listed["penalty"].startswith("For Hearts")
    assert "For Kronenjagd." in game("show", "crown.toml").output.splitlines()


def test_what_is_not_found_is_told_with_the_way_out(game: Callable[..., Result]) -> None:
    nothing = game("find", "zzyzx")
    assert nothing.exit_code == 1
    assert nothing.stderr.startswith("Nothing like “zzyzx” is in the titles")
    assert "companion game new NAME begins a page of your own" in nothing.output
    half = game("find", "cribbage", "zzyzx").output
    assert "these have most of them" in half
    assert "have “cribbage zzyzx”" not in half, "which would contradict it"
    assert json.loads(game("find", "zzyzx", "--json").output) == []
