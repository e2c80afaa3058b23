"""`companion play --lines`: real runs through pipes, whole games of every kind, and opening a table by answers."""

import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive
from companion.archive.people import people
from companion.cli.main import main
from companion.games import registry
from companion.games.decknforge.decks.record import BandRecord
from companion.session.core import archive_journal
from companion.session.core.replay import Replay, as_json
from tests.printing import evenings

ROOT = Path(__file__).parents[2]
GAMES = tuple(game.name for game in registry.games_with_decks())


@pytest.fixture
def run(place: str) -> Callable[..., Result]:
    """Runs the command in this process; `typed` are lines."""

    def run(*typed: str, session: tuple[str, ...] = ()) -> Result:
        lines = "".join(f"{line}\n" for line in typed)
        return CliRunner().invoke(main, ["play", *session, "--lines", "--archive", place], input=lines)

    return run


def evening(game: str, archive: Archive) -> Replay:
    """The recorded evening of a game, played on a table of its own."""
    if game == "decknforge":
        for name in ("Grave Choir", "The Lantern Debt", "Salt and Iron"):
            evenings.create_deck(archive, name)
    text = (resources.files("templates") / "examples" / game / "evening.table").read_text(encoding="utf-8")
    replay = Replay(text, shelf=archive_journal.ArchiveShelf(archive))
    assert not [result.failure for result in replay if result.failure]
    return replay


@pytest.mark.sample(4)
@pytest.mark.parametrize("game", ["decknforge", "soulforger", "oddfrontier", "solforge"])
def test_a_whole_game_comes_through_a_pipe(game: str, archive: Archive) -> None:
    played = evening(game, archive).session
    typed = "".join(f"{line.text}\n" + ("yes\n" if line.text == "seal" else "") for line in played.log.lines)
    command = [sys.executable, "-m", "companion.cli", "play", "--lines", "--archive", archive.name]
    result = subprocess.run(command, cwd=ROOT, input=typed.encode(), capture_output=True, check=False)
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"\x1b" not in result.stdout
    (row,) = archive.sessions()
    kept = as_json(archive_journal.resume(archive, row.session))
    assert kept == as_json(played) | {"lines": kept["lines"]}
    assert kept["outcome"]
    assert result.stdout.decode().splitlines()[-1].endswith(f"companion play {row.session} --lines")


@pytest.mark.slow
def test_a_seal_through_a_pipe_is_written_once_confirmed(archive: Archive, run: Callable[..., Result]) -> None:
    lines = [line.text for line in evening("decknforge", archive).session.log.lines]
    assert lines[-1] == "seal"
    output = run(*lines).stdout
    assert "cannot be undone afterwards. Type yes to do it, no to let it be." in output
    (row,) = archive.sessions()
    assert not row.sealed
    run("seal", "no", "seal", session=(row.session,))
    assert not archive.sessions()[0].sealed, "after a no it is asked again"
    run("seal", "yes", session=(row.session,))
    assert archive.sessions()[0].sealed
    records = [archive.record(deck.deck) for deck in archive.decks()]
    assert [record.dungeons for record in records if isinstance(record, BandRecord)] == [1, 1, 1]


def test_a_table_is_opened_by_answers_and_gone_on_with(archive: Archive, run: Callable[..., Result]) -> None:
    number = str(GAMES.index("solforge") + 1)
    output = run(number, "Ana", "Ben Li", "done", "1", "3", "quit").stdout
    assert f"{number}. A new one: SolForge. (table solforge)" in output.splitlines()
    (row,) = archive.sessions()
    assert [seat.name for seat in archive_journal.resume(archive, row.session).view().seats] == ["Ana", "Ben Li"]
    again = run(row.session, "battle").stdout
    assert f"Go on with SolForge, Ana, Ben Li, Turn 1, Before the Battle. ({row.session})" in again
    assert archive_journal.resume(archive, row.session).moments()[-1].text == "battle"


def test_decks_are_put_before_people(archive: Archive, run: Callable[..., Result]) -> None:
    evenings.create_deck(archive)
    number = str(GAMES.index("decknforge") + 1)
    lines = run(number, "Ana", "grove", "grave", "Ben", "none", "begin").stdout.splitlines()
    assert "There are Grave Choir (held by Ana)." in lines
    assert any(line.startswith("No deck") for line in lines), lines
    ana, ben = archive_journal.resume(archive, archive.sessions()[0].session).view().seats
    assert (ana.title, ben.title) == ("Grave Choir", "Ben's band")


def test_of_two_with_one_name_it_is_asked_who_is_meant(archive: Archive, run: Callable[..., Result]) -> None:
    evenings.create_deck(archive)
    first = people.add_person(archive, "Ana").person
    people.add_person(archive, "Ana")
    number = str(GAMES.index("decknforge") + 1)
    output = run(number, "Ana", "grave", first, "done").stdout
    assert "Which Ana?" in output
    assert "Somebody else called Ana. (new)" in output
    lines = [line.line for line in archive.lines(archive.sessions()[0].session)]
    assert any(f"person {first}" in line for line in lines), lines


@pytest.mark.parametrize("typed", [(), ("quit",), ("4", "quit"), ("4", "Ana"), ("seven", "", "# hm")])
def test_an_input_that_ends_before_there_is_a_table_leaves_none(
    archive: Archive, run: Callable[..., Result], typed: tuple[str, ...]
) -> None:
    result = run(*typed)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[-1] == "No table was opened."
    assert archive.sessions() == ()


def test_to_play_an_unknown_session_is_one_sentence(run: Callable[..., Result], place: str) -> None:
    Archive.open(place).close()
    result = run(session=("ZZZZZZZZ",))
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 1


def test_bytes_that_are_no_text_are_refused_like_any_other_word(archive: Archive) -> None:
    row = archive_journal.start(archive, "solforge").id
    result = CliRunner().invoke(
        main, ["play", row, "--lines", "--archive", archive.name], input=b"\xff\xfe\nseat ana\n"
    )
    assert result.exit_code == 0
    assert archive_journal.resume(archive, row).view().seats[0].seat == "ana"


def test_without_a_terminal_the_screen_names_the_lines(place: str) -> None:
    result = CliRunner().invoke(main, ["play", "--archive", place])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--lines" in result.stderr


def test_plain_lines_need_no_screen_and_no_pictures() -> None:
    asking = "import sys, companion.plain.talk, companion.plain.opening; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", asking], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    assert not {"textual", "sqlalchemy", "reportlab", "PIL"} & set(result.stdout.split())
