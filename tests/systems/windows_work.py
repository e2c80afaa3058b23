"""An evening's work on Windows, by the commands: the demo, 12,000 labels, printing, a scan, and pages until Ctrl+C.

Wine's registry is changed, so this is for Wine alone: it names a program of ours as the one that prints PDFs.
"""

from __future__ import annotations

import contextlib
import csv
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from click.testing import CliRunner

from companion.cli.main import main

_PATIENCE: Final = 60.0
"""Seconds after which pages should have been served."""


def do(*words: str, status: int = 0) -> None:
    """Run a command of the companion in this process, which must end with a status. Raises what else it ends with."""
    outcome = main(list(words), standalone_mode=False) or 0
    print(f"companion {' '.join(words)}: {outcome}", flush=True)
    assert outcome == status


def work(folder: Path) -> None:
    """Do the work in a folder. Raises AssertionError, or what a command ends with."""
    os.environ["COMPANION_ARCHIVE"] = str(folder / "archive.sqlite")
    os.chdir(folder)
    do("demo", "--out", "printed")
    with Path("rows.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("name",), *((f"Größe {number}",) for number in range(12_000))])
    do("labels", "file", "rows.csv", "-o", "rows.pdf")
    assert Path("rows.pdf").stat().st_size > 100_000
    print_by("open", "print it there", folder)
    print_by("print", "The program that prints PDFs here has it", folder)
    pictures = sorted(Path("printed").glob("*.png"))
    assert pictures
    # The codes are read; their decks were in the demo's own archive.
    do("scan", *map(str, pictures), status=1)
    serve()


def print_by(verb: str, sentence: str, folder: Path) -> None:
    """Have a program of ours print or open PDFs for the user, and send it labels. Raises AssertionError."""
    if sys.platform == "win32":
        import winreg

        program, note = folder / "program.py", folder / f"{verb}.txt"
        program.write_text(
            "import pathlib, sys; pathlib.Path(sys.argv[1]).write_bytes(pathlib.Path(sys.argv[2]).read_bytes())",
            encoding="utf-8",
        )
        machine, classes = winreg.HKEY_LOCAL_MACHINE, "Software\\Classes\\"
        for old in ("open", "print"):
            for key in (f"{old}\\command", old):
                with contextlib.suppress(FileNotFoundError):
                    winreg.DeleteKey(machine, f"{classes}CompanionTest\\shell\\{key}")
        command = f'"{sys.executable}" "{program}" "{note}" "%1"'
        winreg.SetValue(machine, f"{classes}CompanionTest\\shell\\{verb}\\command", winreg.REG_SZ, command)
        winreg.SetValue(machine, f"{classes}.pdf", winreg.REG_SZ, "CompanionTest")
        result = CliRunner().invoke(main, ["labels", "starter", "--print"])
        print(f"companion labels starter --print: {result.output}", flush=True)
        assert result.exit_code == 0
        assert sentence in result.output
        assert "Set the scale to 100 %" in result.output
        deadline = time.monotonic() + _PATIENCE
        while not (note.exists() and note.read_bytes().rstrip().endswith(b"%%EOF")):
            assert time.monotonic() < deadline
            time.sleep(0.2)


def serve() -> None:
    """Serve pages until Ctrl+C, which is pressed once one was seen. Raises AssertionError."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    seen: list[int] = []

    def visit() -> None:
        deadline = time.monotonic() + _PATIENCE
        while not seen and time.monotonic() < deadline:
            with contextlib.suppress(OSError), urlopen(f"http://127.0.0.1:{port}/pin", timeout=_PATIENCE) as page:
                seen.append(page.status)
            time.sleep(0.1)
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=visit, daemon=True).start()
    do("serve", "--create", "--host", "127.0.0.1", "--port", str(port), "--no-announce")
    assert seen == [200]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="der Koffer, grün ", ignore_cleanup_errors=True) as name:
        try:
            work(Path(name))
        finally:
            os.chdir(Path(__file__).parent)
    sys.exit(0)
