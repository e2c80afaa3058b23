"""`companion doctor`: every part of the machine in a sentence, and nothing that it looks at is changed."""

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from companion.archive import Archive, maintenance
from companion.archive.people import people
from companion.archive.recovery import backups
from companion.cli.main import main
from companion.cli.screen import check_network
from companion.forms import health
from companion.forms.health import HealthCheck
from companion.tui.terminal.terminal import TerminalFacts
from companion.tui.terminal_checks import SYMBOLS, check_terminal
from companion.web import address
from labels.typesetting import font_files, fonts

Ask = Callable[..., Result]


@pytest.fixture
def doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Runs `companion doctor` on an archive in an empty folder, on a machine without printers and fonts of its own."""
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    monkeypatch.setenv(font_files.VARIABLE, str(empty))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(empty))
    monkeypatch.setenv("COMPANION_ARCHIVE", str(tmp_path / "archive.sqlite"))
    return lambda *arguments: CliRunner().invoke(main, ["doctor", *arguments])


def report(result: Result) -> dict[str, HealthCheck]:
    """What was told, by area and name."""
    return {f"{row['area']}: {row['name']}": HealthCheck(**row) for row in json.loads(result.stdout)}


def _contents(folder: Path) -> Mapping[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_machine_on_which_all_is_well_ends_with_0(doctor: Ask, tmp_path: Path) -> None:
    file = tmp_path / "archive.sqlite"
    with Archive.open(str(file)) as archive:
        people.add_person(archive, "Ana")
        maintenance.end_evening(archive)
        people.add_person(archive, "Ben")
    before = _contents(tmp_path)
    result = doctor()
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith("All is well.\n")
    checks = report(doctor("--json"))
    assert {check.status for check in checks.values()} == {"good", "optional"}
    assert str(checks["Archive: Place"].text).startswith(f"“{file}”, ")
    assert str(checks["Archive: Backups"].text).startswith("1, the newest of ")
    assert str(checks["Archive: Last check"].text).endswith(", and 1 change came since.")
    assert _contents(tmp_path) == before


def test_every_check_is_one_sentence(doctor: Ask) -> None:
    checks = report(doctor("--json"))
    assert {check.area for check in checks.values()} == {
        "Terminal",
        "Labels",
        "Printers",
        "Camera",
        "Phones",
        "Archive",
        "Versions",
    }
    assert all(str(check.text).endswith(".") and "\n" not in check.text for check in checks.values())


def test_who_has_no_archive_yet_need_not_do_anything(
    doctor: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COMPANION_ARCHIVE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path / "data" / "table-companion")
    result = doctor()
    assert result.exit_code == 0
    assert "optional  Place: There is none yet; the first table or deck begins it." in result.stdout
    assert not (tmp_path / "data").exists()


def _newer(file: Path) -> None:
    with sqlite3.connect(file) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()


def _torn(file: Path) -> None:
    file.write_text("no archive at all", encoding="utf-8")


def _damaged(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[100:4096] = bytes(3996)
    file.write_bytes(content)


def _of_another_program(file: Path) -> None:
    file.unlink()
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE songs (name)")
    database.close()


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (Path.unlink, "there was one"),
        (_newer, "was written by a newer companion"),
        (_torn, "is damaged: it does not begin as a database does"),
        (_damaged, "companion archive check says what is lost"),
        (_of_another_program, "is the database of another program; name another file."),
    ],
)
def test_an_archive_that_cannot_be_used_is_to_do(
    harm: Callable[[Path], None], says: str, doctor: Ask, tmp_path: Path
) -> None:
    file = tmp_path / "archive.sqlite"
    with Archive.open(str(file)) as archive:
        people.add_person(archive, "Ana")
    harm(file)
    before = _contents(tmp_path)
    result = doctor()
    assert result.exit_code == 1
    assert result.stdout.endswith("1 thing is to do.\n")
    (line,) = [line for line in result.stdout.splitlines() if "TO DO" in line]
    assert says in line
    assert _contents(tmp_path) == before


def test_an_older_copy_leads_to_what_puts_it_right(doctor: Ask, tmp_path: Path) -> None:
    file = tmp_path / "archive.sqlite"
    Archive.open(str(file)).close()
    shutil.copy(file, tmp_path / "copy")
    with Archive.open(str(file)) as archive:
        people.add_person(archive, "Ana")
    shutil.copy(tmp_path / "copy", file)
    result = doctor()
    assert result.exit_code == 1
    assert "companion archive accept goes on with it" in result.stdout


def test_a_copy_elsewhere_is_told_as_it_is(doctor: Ask, tmp_path: Path) -> None:
    file, stick = tmp_path / "archive.sqlite", tmp_path / "stick"
    stick.mkdir()
    with Archive.open(str(file)) as archive:
        people.add_person(archive, "Ana")
        backups.start_offsite(file, stick)
        maintenance.end_evening(archive)
    assert report(doctor("--json"))["Archive: Copy elsewhere"].status == "good"
    stick.rename(tmp_path / "away")
    with Archive.open(str(file)) as archive:
        people.add_person(archive, "Ben")
        maintenance.end_evening(archive)
    away = report(doctor("--json"))["Archive: Copy elsewhere"]
    assert (away.status, "is not there" in away.text) == ("optional", True)


@pytest.mark.posix
def test_printers_say_what_paper_they_have(doctor: Ask, tmp_path: Path) -> None:
    answers = {
        "lp": "",
        "lpstat": 'case $1 in -e) echo hall; echo office;; -d) echo "system default destination: office";; esac',
        "lpoptions": 'case $2 in hall) echo "PageSize/Media Size: A4 *A5";; '
        'office) echo "PageSize/Media Size: A4 *Letter Legal";; esac',
    }
    for name, script in answers.items():
        program = tmp_path / "empty" / name
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)
    checks = report(doctor("--json"))
    assert [name for name in checks if name.startswith("Printers")] == ["Printers: office", "Printers: hall"]
    assert checks["Printers: office"].text == "It prints on Letter, which is your paper; it knows A4, Legal."
    assert "hall knows no Letter paper" in checks["Printers: hall"].text


def test_a_terminal_that_lacks_symbols_is_still_told(doctor: Ask, tmp_path: Path) -> None:
    assert doctor("--json").exit_code == 1
    command = [sys.executable, "-m", "companion.cli", "doctor"]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    result = subprocess.run(command, env=environment, capture_output=True, encoding="latin-1", check=False)
    assert (result.returncode, result.stderr) == (1, "")
    assert f"There is no archive in ?{tmp_path / 'archive.sqlite'}?" in result.stdout


@pytest.mark.posix  # Windows has a printing system of its own
def test_without_a_printing_system_pdfs_are_the_way(doctor: Ask) -> None:
    sending = report(doctor("--json"))["Printers: Sending"]
    assert (sending.status, "open PDFs in their viewer" in sending.text) == ("optional", True)


@pytest.mark.posix
def test_what_never_answers_keeps_nobody_waiting(doctor: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("lp", "lpstat"):
        program = tmp_path / "empty" / name
        program.write_text("#!/bin/sh\nexec /bin/sleep 5\n", encoding="utf-8")
        program.chmod(0o755)
    monkeypatch.setattr(health, "SECONDS", 0.5)
    checks = report(doctor("--json"))
    assert "There was no answer" in checks["Printers: Printers"].text
    assert checks["Versions: Companion"].status == "good"


def test_scripts_without_a_font_name_one_that_has_it(doctor: Ask) -> None:
    checks = report(doctor("--json"))
    assert "Labels: Other letters" not in checks
    assert "WenQuanYi Zen Hei" in checks["Labels: Letters without a font"].text


def test_the_scripts_asked_for_are_those_that_labels_lack() -> None:
    family = fonts.face("regular")
    assert not [letter for letter in health._SCRIPTS.values() if letter in family]
    assert all(fonts.helpful_font(letter) for letter in health._SCRIPTS.values())
    assert all(letter in family for letter in "AΩЖعאअกა")


RIGHT = {symbol: cell_len(symbol) for symbol in SYMBOLS}
GOOD = TerminalFacts("truecolor", 80, 24, "utf-8", RIGHT)


def terminal_checks(facts: TerminalFacts | None) -> dict[str, HealthCheck]:
    """What is told of a terminal, by name."""
    return {check.name: check for check in check_terminal(facts)}


@pytest.mark.parametrize(
    ("facts", "name", "status", "says"),
    [
        (GOOD, "Colours", "good", "16 million"),
        (GOOD._replace(colours="256"), "Colours", "good", "COLORTERM=truecolor"),
        (GOOD._replace(colours="standard"), "Colours", "optional", "16, for which there is a theme"),
        (GOOD._replace(colours=""), "Colours", "todo", "TERM=xterm-256color"),
        (GOOD, "Size", "good", "80 × 24"),
        (GOOD._replace(rows=20), "Size", "optional", "make the window 80 × 24 or larger"),
        (GOOD, "Symbols", "good", "as wide as they should be"),
        (GOOD._replace(widths=None), "Symbols", "good", "was not asked"),
        (GOOD._replace(encoding="latin-1"), "Symbols", "todo", "set LANG to a UTF-8 language"),
        (GOOD._replace(widths={**RIGHT, "A♥★": 5}), "Symbols", "todo", "in 5 columns instead of 3; choose narrow"),
        (GOOD._replace(widths={**RIGHT, "漢字": 2}), "Symbols", "todo", "use another terminal"),
        (GOOD._replace(widths={**RIGHT, "👩‍👧": 4}), "Symbols", "optional", "leave such emoji out of names"),
        (None, "Terminal", "optional", "not running in a terminal now"),
    ],
)
def test_a_terminal_is_told_as_it_is(facts: TerminalFacts | None, name: str, status: str, says: str) -> None:
    check = terminal_checks(facts)[name]
    assert (check.status, says in check.text) == (status, True), check.text


def test_keys_that_never_arrive_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TMUX", "TERM_PROGRAM", "GNOME_TERMINAL_SCREEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WT_SESSION", "set by Windows Terminal")
    assert terminal_checks(GOOD)["Keys"].status == "good"
    monkeypatch.setenv("TMUX", "/tmp/tmux-0/default,1,0")
    assert "tmux keeps Ctrl+B" in terminal_checks(GOOD)["Keys"].text


@pytest.mark.windows
def test_the_old_console_of_windows_has_a_better_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WT_SESSION", "TMUX", "TERM_PROGRAM", "GNOME_TERMINAL_SCREEN"):
        monkeypatch.delenv(name, raising=False)
    assert "use Windows Terminal" in terminal_checks(GOOD)["Keys"].text


@pytest.mark.posix
@pytest.mark.parametrize(("wider", "says"), [(0, "as wide as they should be"), (1, "instead of")])
def test_a_terminal_is_asked_how_wide_it_draws(wider: int, says: str, tmp_path: Path) -> None:
    output = ask_on_terminal(tmp_path, wider)
    assert says in " ".join(output.split())
    assert "[6n" not in output.partition("\x1b[2K")[2]


@pytest.mark.posix
def test_a_terminal_that_does_not_answer_is_not_waited_for(tmp_path: Path) -> None:
    assert "was not asked for here" in " ".join(ask_on_terminal(tmp_path, None).split())


def ask_on_terminal(place: Path, wider: int | None) -> str:
    """What is told on a terminal that draws everything so much wider, or never answers."""
    import pty
    import re

    program, screen = pty.fork()
    if program == 0:
        os.environ.update(TERM="xterm-256color", COMPANION_ARCHIVE=str(place / "archive.sqlite"))
        os.execv(sys.executable, [sys.executable, "-m", "companion.cli", "doctor"])
    received, answered = b"", 0
    while True:
        try:
            output = os.read(screen, 4096)
        except OSError:  # Linux says so that the program has ended
            break
        if not output:
            break
        received += output
        symbols = re.findall(rb"\r([^\r\x1b]+)\x1b\[6n", received)
        for symbol in symbols[answered:] if wider is not None else ():
            os.write(screen, b"\x1b[3;%dR" % (cell_len(symbol.decode()) + (wider or 0) + 1))
        answered = len(symbols)
    os.waitpid(program, 0)
    os.close(screen)
    return received.decode()


def test_a_port_in_use_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        monkeypatch.setattr(address, "PORT", other.getsockname()[1])
        lan = address.Interface("wlan0", "127.0.0.1")
        monkeypatch.setattr(address, "find_interfaces", lambda: (lan,))
        monkeypatch.setattr(address, "default_host", lambda _: "localhost")
        checks = {check.name: check for check in check_network()}
    assert "Another program already uses port" in checks["Port"].text
    assert checks["Port"].status == "optional"


def test_without_a_network_phones_are_told_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "find_interfaces", tuple)
    (check,) = check_network()
    assert (check.status, "This machine is in no network" in check.text) == ("optional", True)
