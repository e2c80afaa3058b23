"""`companion replay` as people and programs call it: a real process, a real file, its exit status and its sentences."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from companion.archive import Archive, maintenance
from companion.cli.main import main
from companion.session.core import archive_journal
from tests.session.champions import Named

ROOT = Path(__file__).parents[2]
DUEL = ROOT / "tests" / "tables" / "miniature" / "duel.table"
# The miniature games are known to this process; everything else is as `companion` starts.
COMPANION = "import tests.session.champions; from companion.cli.main import main; main()"
SET_UP = "table duel\nseat ana\nseat ben\nbegin seed 7\n"


class Ran(NamedTuple):
    status: int
    out: list[str]
    err: list[str]


def _companion(*arguments: str | Path, given: str = "") -> Ran:
    """Runs the command; `given` comes through a pipe."""
    called = [sys.executable, "-c", COMPANION, *map(str, arguments)]
    result = subprocess.run(called, cwd=ROOT, input=given, capture_output=True, encoding="utf-8", check=False)
    return Ran(result.returncode, result.stdout.splitlines(), result.stderr.splitlines())


@pytest.fixture
def friday(tmp_path: Path) -> Path:
    return tmp_path / "friday.table"


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "archive.sqlite")


def test_a_recorded_session_is_told_line_by_line_and_then_drawn() -> None:
    ran = _companion("replay", DUEL)
    assert (ran.status, ran.err) == (0, [])
    assert ran.out[:2] == ["Ana B draws 10♠.", "Ana B strikes with 10: Ben has 10 life."]
    assert ran.out[3].startswith("Taken back: draw ben ")
    assert ran.out[-4:] == ["Duel · Turn 6 · Outcome ana", "  Pile: Cards 4", "Ana B: Life 20", "Ben: Life 0"]


@pytest.mark.slow
def test_json_is_the_final_state_and_nothing_else() -> None:
    ran = _companion("replay", DUEL, "--json")
    assert (ran.status, ran.err) == (0, [])
    table = json.loads("\n".join(ran.out))
    assert table["game"] == "duel"
    assert table["outcome"] == "ana"
    assert table["step"] == "draw"
    assert table["table"] == {"turn": 6, "outcome": "ana"}
    assert table["seats"] == {"ana": {"life": 20}, "ben": {"life": 0}}
    assert table["things"] == {"pile": {"cards": 4}}
    assert table["lines"][:2] == ["table duel", 'seat ana name "Ana B"']
    assert not [line for line in table["lines"] if line.startswith(("expect", "refuse"))]


@pytest.mark.slow
def test_every_failed_check_is_told_and_the_rest_is_played(friday: Path) -> None:
    friday.write_text(
        SET_UP
        + "expect ana life 19\nrefuse draw ana 9S\nexpect ana speed 3\nexpect cy life 3\nexpect pile gone\n"
        + "draw ana 9S\nspend ana strike\nexpect ben life 11\nexpect ben life none\n",
        encoding="utf-8",
    )
    ran = _companion("replay", friday)
    assert ran.status == 1
    assert ran.err == [
        f"{friday}:5: ana life is 20, expected 19.",
        f"{friday}:6: The rules allow `draw ana 9S`.",
        f"{friday}:7: ana has no counter “speed”; it has life.",
        f"{friday}:8: There is no “cy” on the table; there are table, ana, ben, pile.",
        f"{friday}:9: pile is still there.",
        f"{friday}:13: ben life is 11, expected none.",
    ]
    assert ran.out[-2:] == ["Ben: Life 11", "→ Ben draws a card."]


@pytest.mark.slow
def test_the_first_line_against_the_rules_stops_the_replay(friday: Path) -> None:
    friday.write_text(
        SET_UP + "draw ana 9S\ndraw ben 2S   # too early\nspend ana strike\nspend ana strike\n", encoding="utf-8"
    )
    ran = _companion("replay", friday)
    assert ran == Ran(1, ["Ana draws 9♠."], [f"{friday}:6: Not now: Ana strikes or heals."])


@pytest.mark.sample(8)
@pytest.mark.parametrize(
    ("text", "number", "sentence"),
    [
        (SET_UP + "drew ana\n", 5, "“drew” is not an action here; did you mean draw"),
        (SET_UP + "\n# a pause\nspend ana\n", 7, "strike|heal is missing. Usage: spend SEAT strike|heal"),
        (SET_UP + "draw ben 2S\nspend ben 3\n", 6, "“3” is not a choice"),
        (SET_UP + 'note "open\nnext\n', 5, "double quote opens a text here"),
        ("seat ana\n", 1, "“seat” is not an action here; the actions are: table."),
        ("table chess\n", 1, "There is no game called “chess”; known are: decknforge"),
        ("\n# nothing\n", 1, "The file has no lines; a session begins with `table GAME`."),
        ("", 1, "The file has no lines"),
    ],
)
def test_what_cannot_be_read_is_told_before_anything_is_played(
    friday: Path, text: str, number: int, sentence: str
) -> None:
    friday.write_text(text, encoding="utf-8")
    ran = _companion("replay", friday)
    assert (ran.status, ran.out, len(ran.err)) == (2, [], 1)
    assert ran.err[0].startswith(f"{friday}:{number}: ")
    assert sentence in ran.err[0]


@pytest.mark.slow
def test_a_file_that_is_none_is_told_in_a_sentence(tmp_path: Path) -> None:
    picture = tmp_path / "box.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    for path, sentence in (
        (tmp_path / "nowhere.table", f"“{tmp_path / 'nowhere.table'}” does not exist."),
        (tmp_path, f"“{tmp_path}” is a directory; name a file."),
        (picture, f"“{picture}” is not UTF-8 text, as the file of a session must be."),
    ):
        assert _companion("replay", path) == Ran(2, [], [sentence])


@pytest.mark.slow
def test_no_file_at_all_is_misuse() -> None:
    ran = _companion("replay")
    assert ran.status == 2
    assert "FILE.table" in ran.err[0]


@pytest.mark.slow
def test_files_of_other_systems_are_read_too(friday: Path) -> None:
    friday.write_bytes(b"\xef\xbb\xbf" + (SET_UP + "DRAW Ana 10♠\nexpect pile cards 8").replace("\n", "\r\n").encode())
    assert _companion("replay", friday).status == 0


@pytest.mark.slow
def test_what_stands_in_a_file_does_not_steer_the_terminal(friday: Path) -> None:
    friday.write_text(
        'table duel\nseat ana name "\x1b[31mAna"\nnote "\x1b[2Jgone"\nset ana life \x1b[0m\n', encoding="utf-8"
    )
    ran = _companion("replay", friday)
    assert ran == Ran(1, ["Note: ·[2Jgone"], [f"{friday}:4: life is a whole number of at least 0, not “·[0m”."])
    friday.write_text('table duel\nseat ana name "\x1b[31mAna"\n', encoding="utf-8")
    assert "·[31mAna: Life 20" in _companion("replay", friday).out


@pytest.mark.slow
def test_amend_counts_the_lines_of_the_file(friday: Path) -> None:
    friday.write_text(
        SET_UP + "\n# the first card\ndraw ana 9S\nnext\namend 8 spend ana strike\nexpect ben life 11\n",
        encoding="utf-8",
    )
    assert _companion("replay", friday).status == 0
    friday.write_text(SET_UP + "expect ana life 20\namend 5 next\n", encoding="utf-8")
    ran = _companion("replay", friday)
    assert (ran.status, ran.err) == (1, [f"{friday}:6: Line 5 of this file holds no action before this one."])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "status", "number", "sentence"),
    [
        ("drew ana\namend 2 seat ana name Ana\n", 2, 5, "“drew” is not an action here"),
        ("draw ben 2S\namend 2 seat ana name Ana\n", 1, 5, "Not now: Ana draws a card."),
        ("expect ana life\namend 2 seat ana name Ana\n", 2, 5, "VALUE is missing"),
        ("table duel\n", 1, 5, "`table` is its first line and appears nowhere else."),
    ],
)
def test_a_line_that_no_later_one_mends_is_named(
    friday: Path, text: str, status: int, number: int, sentence: str
) -> None:
    friday.write_text(SET_UP + text, encoding="utf-8")
    ran = _companion("replay", friday)
    assert (ran.status, len(ran.err)) == (status, 1)
    assert ran.err[0].startswith(f"{friday}:{number}: ")
    assert sentence in ran.err[0]


@pytest.mark.slow
def test_all_can_be_played_anew_from_the_first_line(friday: Path) -> None:
    friday.write_text(SET_UP + "resume-from 1\nseat ana\nexpect ben gone\n", encoding="utf-8")
    ran = _companion("replay", friday)
    assert (ran.status, ran.err) == (0, [])


@pytest.mark.slow
def test_what_comes_through_a_pipe_is_played_and_kept(place: str) -> None:
    ran = _companion("replay", "-", "--into-archive", "--archive", place, given=SET_UP + "draw ana 9S\n")
    assert (ran.status, ran.err) == (0, [])
    assert ran.out[-1].startswith("Kept as session ")
    piped = _companion("replay", "-", given="table duel\nseat ana\ndrew ana\n")
    assert (piped.status, piped.err[0][:5]) == (2, "-:3: ")


@pytest.mark.slow
def test_a_check_of_a_check_is_refused(friday: Path) -> None:
    friday.write_text(SET_UP + "refuse expect ana life 3\n", encoding="utf-8")
    ran = _companion("replay", friday)
    assert (ran.status, ran.err) == (
        1,
        [f"{friday}:5: `refuse` needs an action of the game; `expect` is a check itself."],
    )


@pytest.mark.slow
def test_a_session_is_kept_where_every_line_held(friday: Path, place: str) -> None:
    friday.write_text(SET_UP + "draw ana\nundo\ndraw ana 9S\nexpect ana life 20\n", encoding="utf-8")
    ran = _companion("replay", friday, "--into-archive", "--archive", place)
    assert (ran.status, ran.err) == (0, [])
    with Archive.open(place) as archive:
        (row,) = archive.sessions()
        assert ran.out[-1] == f"Kept as session {row.session}."
        assert (row.title, row.lines) == ("friday", 7)
        resumed = archive_journal.resume(archive, row.session)
        assert resumed.state.card == "9S"
        resumed.enter("spend ana strike")


KILLED = """
import os, sys
from itertools import count
import sqlalchemy as sa
from companion.cli.main import main
last, begins = int(sys.argv.pop(1)), count(1)
@sa.event.listens_for(sa.engine.Engine, "begin")
def begin(connection):
    if connection.get_execution_options().get("writes") and next(begins) == last:
        os._exit(9)
main()
"""
"""A command that is killed when it begins to write to the archive for the last of so many times."""


@pytest.mark.sample(3)
@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_command_that_is_killed_leaves_no_empty_session(friday: Path, place: str, times: int) -> None:
    Archive.open(place).close()
    friday.write_text(SET_UP, encoding="utf-8")
    arguments = ("replay", str(friday), "--into-archive", "--archive", place)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(times), *arguments], cwd=ROOT, check=False)
    with Archive.open(place) as archive:
        kept = [row.lines for row in archive.sessions()]
    assert kept == ([] if killed.returncode else [4])


@pytest.mark.slow
def test_json_names_the_session_that_was_kept(friday: Path, place: str) -> None:
    friday.write_text(SET_UP, encoding="utf-8")
    ran = _companion("--archive", place, "replay", friday, "--into-archive", "--json")
    with Archive.open(place) as archive:
        assert json.loads("\n".join(ran.out))["session"] == archive.sessions()[0].session


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "sentence"), [("expect ana life 3", "Nothing was kept"), ("spend ana heal", "Not now")]
)
def test_a_session_in_which_something_did_not_hold_is_not_kept(
    friday: Path, place: str, line: str, sentence: str
) -> None:
    friday.write_text(SET_UP + line, encoding="utf-8")
    ran = _companion("replay", friday, "--into-archive", "--archive", place)
    assert ran.status == 1
    assert sentence in ran.err[-1]
    assert not Path(place).exists()


@pytest.mark.slow
def test_a_stored_deck_is_read_and_the_archive_stays_as_it_was(friday: Path, place: str) -> None:
    with Archive.open(place) as archive:
        deck = archive.found_deck("champions", [Named("Grave Choir")])
    friday.write_text(
        'table champions\nseat ana deck "grave choir"\nseat ben\nbegin seed 1\nset ben life 0\nexpect ana life 20\n',
        encoding="utf-8",
    )
    ran = _companion("replay", friday, "--json", "--archive", place)
    assert (ran.status, ran.err) == (0, [])
    assert f'seat ana name "Ada" deck "{deck}" champion "Grave Choir"' in json.loads("\n".join(ran.out))["lines"]
    with Archive.open(place) as archive:
        assert archive.sessions() == ()
        assert archive.marks(deck) == (Named("Grave Choir"),)


@pytest.mark.slow
def test_a_sealed_session_that_is_kept_marks_its_decks(friday: Path, place: str) -> None:
    with Archive.open(place) as archive:
        deck = archive.found_deck("champions", [Named("Grave Choir")])
    friday.write_text(
        "table champions\nseat ana deck grave\nseat ben\nbegin seed 1\nset ben life 0\n", encoding="utf-8"
    )
    assert _companion("replay", friday, "--into-archive", "--archive", place).status == 0
    with Archive.open(place) as archive:
        assert archive.find_deck(deck).figure("won") == 1
        assert archive.sessions()[0].sealed


@pytest.mark.sample(2)
@pytest.mark.parametrize("began", ["begin", "begin seed 1"])
def test_a_sealed_session_is_kept_once(friday: Path, place: str, began: str) -> None:
    with Archive.open(place) as archive:
        deck = archive.found_deck("champions", [Named("Grave Choir")])
    lines = f"table champions\nseat ana deck grave\nseat ben\n{began}\nset ben life 0\n"
    friday.write_text(lines, encoding="utf-8")
    first = _companion("replay", friday, "--into-archive", "--archive", place).out[-1]
    session = first.removeprefix("Kept as session ").rstrip(".")
    again = _companion("replay", friday, "--into-archive", "--archive", place)
    assert (again.status, len(again.err)) == (1, 1)
    assert f"This game is in the archive already, as session {session}" in again.err[0]
    with Archive.open(place) as archive:
        assert archive.find_deck(deck).figure("won") == 1
        assert len(archive.sessions()) == 1
        exported = "".join(f"{line.line}\n" for line in archive.lines(session))
    friday.write_text(exported, encoding="utf-8")
    assert _companion("replay", friday, "--into-archive", "--archive", place).status == 1
    friday.write_text(lines.replace("set ben", "note the second evening\nset ben"), encoding="utf-8")
    assert _companion("replay", friday, "--into-archive", "--archive", place).status == 0
    with Archive.open(place) as archive:
        assert archive.find_deck(deck).figure("won") == 2


@pytest.mark.slow
def test_what_seals_nothing_may_be_kept_again(friday: Path, place: str) -> None:
    friday.write_text(SET_UP, encoding="utf-8")
    for kept in (1, 2):
        assert _companion("replay", friday, "--into-archive", "--archive", place).status == 0
        with Archive.open(place) as archive:
            assert len(archive.sessions()) == kept


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("deck", "sentence"),
    [("Nobody", "No deck is called “Nobody”; companion deck list shows all."), ("7K3M-9QPX-2B4T-0", "check symbol")],
)
def test_a_deck_that_is_not_stored_is_told_in_a_sentence(friday: Path, place: str, deck: str, sentence: str) -> None:
    friday.write_text(f'table champions\nseat ana deck "{deck}"\n', encoding="utf-8")
    Archive.open(place).close()
    ran = _companion("replay", friday, "--archive", place)
    assert (ran.status, ran.out, len(ran.err)) == (1, [], 1)
    assert ran.err[0].startswith(f"{friday}:2: ")
    assert sentence in ran.err[0]


def with_a_stored_deck(friday: Path, place: str) -> None:
    """A session whose table is set up with a deck of the archive, by nobody in particular."""
    with Archive.open(place) as archive:
        archive.found_deck("champions", [Named("Grave Choir")])
    friday.write_text("table champions\nseat ana deck grave\nseat ben\nbegin seed 1\nnote kept\n", encoding="utf-8")


@pytest.mark.slow
def test_an_archive_that_a_line_asked_is_opened_once(friday: Path, place: str) -> None:
    with_a_stored_deck(friday, place)
    opened: list[str] = []

    def hear(event: str, arguments: Sequence[object]) -> None:
        if event == "sqlite3.connect" and arguments[0] == place:
            opened.append(place)

    sys.addaudithook(hear)
    result = CliRunner().invoke(main, ["replay", str(friday), "--into-archive", "--archive", place])
    assert result.exit_code == 0, result.output
    assert opened == [place]


@pytest.mark.slow
def test_what_four_commands_keep_at_once_is_all_there(friday: Path, place: str) -> None:
    with_a_stored_deck(friday, place)
    called = [sys.executable, "-c", COMPANION, "replay", str(friday), "--into-archive", "--archive", place]
    kept: list[str] = []
    for _ in range(3):
        four = [subprocess.Popen(called, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8") for _ in range(4)]
        kept += [one.communicate()[0].splitlines()[-1] for one in four]
    sessions = {line.removeprefix("Kept as session ").rstrip(".") for line in kept}
    with Archive.open(place) as archive:
        assert {row.session for row in archive.sessions()} == sessions
        assert maintenance.check_archive(archive) == ()
    assert len(sessions) == 12
