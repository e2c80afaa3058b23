"""Makes what is released, here and now, of this checkout."""

import os
import subprocess
import sys
from pathlib import Path

from tests.release.commands import RELEASE


def build_program(folder: Path) -> Path:
    """Has PyInstaller make the program in a folder, and returns the file that starts it."""
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    places = ["--distpath", str(folder / "dist"), "--workpath", str(folder / "work")]
    process = subprocess.run(
        [*command, *places, str(RELEASE / "companion.spec")],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return folder / "dist" / "companion" / ("companion.exe" if os.name == "nt" else "companion")
