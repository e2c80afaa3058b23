"""Bare roots of other Debian releases, made by debootstrap, and other Pythons of this machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.systems.system import (
    Run,
    System,
    Unavailable,
    copy_source,
    hash_dependencies,
    open_pipe,
    pytest_run,
    run_command,
)

_PACKAGES: Final = ("python3", "python3-venv", "ca-certificates", "git", "make")
"""Packages that the default runs need."""

_MORE_PACKAGES: Final = ("chromium", "firefox-esr", "gcc", "libc6-dev", "libpython3-dev", "iproute2", "procps")
"""Packages that the whole suite needs beyond those."""

# /opt is there for packages that pip's settings name by a path.
_ENTER: Final = """
root=$1; shift
mkdir -p "$root/root/.cache/pip" "$root/opt"
mount --bind /opt "$root/opt"
mount --bind "$1" "$root/root/.cache/pip"; shift
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot "$root" /usr/bin/env HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"
"""
"""Runs a command in a root. Called in a mount namespace of its own, so nothing stays mounted, however it ends."""


class DebianRoot(System):
    """A release of Debian in a folder, with the Python that it brings."""

    def __init__(self, cache: Path, suite: str) -> None:
        self.name = suite
        super().__init__(cache)

    def check_tools(self) -> None:
        """Raise Unavailable without root or debootstrap."""
        if os.name != "posix" or os.geteuid() != 0:
            raise Unavailable(f"{self.name} is made by debootstrap, which root alone can run.")
        if shutil.which("debootstrap") is None:
            raise Unavailable(
                f"{self.name} is made by debootstrap, which is missing (on Debian: apt install debootstrap)."
            )

    def prepare(self, *, is_whole: bool) -> None:
        """Make the root and its environment; see `System.prepare`."""
        if not (self.folder / ".ready").exists():
            self._make_root()
        copy_source(self.folder / "src")
        stamp = self.folder / "venv" / f".{hash_dependencies()}"
        if not stamp.exists():
            self._call("python3", "-m", "venv", "--clear", "/venv")
            self._call("/venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", "--editable", "/src[test]")
            stamp.touch()
        if is_whole:
            self._add_packages()

    def _add_packages(self) -> None:
        # What a mirror has of testing may be weeks old, and past the date until which it was meant to hold.
        update = "apt-get update -qq -o Acquire::Check-Valid-Until=false"
        install = f"{update} && apt-get install -qq -y --no-install-recommends"
        self._call(
            "sh", "-c", f"DEBIAN_FRONTEND=noninteractive; export DEBIAN_FRONTEND; {install} {' '.join(_MORE_PACKAGES)}"
        )

    def start(self, arguments: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[str]:
        """Start the root's Python; see `System.start`."""
        return open_pipe(
            self._enter("sh", "-c", 'cd /src && exec /venv/bin/python "$@"', "sh", *arguments), environment
        )

    def all_runs(self) -> Sequence[Run]:
        """Return the runs of the whole suite, and those of the screens once more with asyncio's eager tasks."""
        eager = pytest_run("screens, eager tasks", "tests/tui", environment={"COMPANION_TEST_EAGER_TASKS": "1"})
        return (*super().all_runs(), eager)

    def _make_root(self) -> None:
        # A folder that was begun and not finished holds no mounts: those ended with the namespace they were made in.
        shutil.rmtree(self.folder, ignore_errors=True)
        make_root(self.folder, self.name, _PACKAGES, self.cache / "packages")
        (self.folder / ".ready").touch()

    def _enter(self, *command: str) -> Sequence[str]:
        pip_cache = self.cache / "pip"
        pip_cache.mkdir(parents=True, exist_ok=True)
        return ["unshare", "--mount", "sh", "-ec", _ENTER, "enter", str(self.folder), str(pip_cache), *command]

    def _call(self, *command: str) -> None:
        run_command(*self._enter(*command))


class OtherPython(System):
    """Another Python of this machine."""

    def __init__(self, cache: Path, version: str) -> None:
        self.name = f"python{version}"
        self._version = version
        super().__init__(cache)

    def check_tools(self) -> None:
        """Raise Unavailable if there is no such Python."""
        self._find()

    def _find(self) -> str:
        versions = Path.home() / ".pyenv" / "versions"
        matches = sorted(versions.glob(f"{self._version}.*/bin/python3"))
        on_path = shutil.which(f"python{self._version}")
        python = str(matches[-1]) if matches else on_path
        if python is None or subprocess.run([python, "-c", ""], check=False, capture_output=True).returncode:
            raise Unavailable(f"There is no Python {self._version} on this machine.")
        return python

    def prepare(self, *, is_whole: bool) -> None:  # noqa: ARG002 – this machine has what it needs
        """Make its environment; see `System.prepare`."""
        copy_source(self.folder / "src")
        stamp = self.folder / "venv" / f".{hash_dependencies()}"
        if not stamp.exists():
            run_command(self._find(), "-m", "venv", "--clear", str(self.folder / "venv"))
            pip = [str(self.folder / "venv/bin/pip"), "install", "--quiet", "--disable-pip-version-check", "--editable"]
            run_command(*pip, f"{self.folder / 'src'}[test]", environment={"PIP_CACHE_DIR": str(self.cache / "pip")})
            stamp.touch()

    def start(self, arguments: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[str]:
        """Start this Python; see `System.start`."""
        return open_pipe([str(self.folder / "venv/bin/python"), *arguments], environment, self.folder / "src")


def make_root(folder: Path, suite: str, packages: Sequence[str], package_cache: Path) -> None:
    """Make a bare root of a release of Debian, which knows the settings of pip and the certificates of this machine.

    Args:
        folder: Where it is made; an empty folder, or none yet.
        suite: The release's name, such as `trixie`.
        packages: What is in it beyond what every Debian has.
        package_cache: Where packages are kept for the next root.
    """
    package_cache.mkdir(parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    script = Path("/usr/share/debootstrap/scripts") / suite
    options = ["--variant=minbase", f"--include={','.join(packages)}", f"--cache-dir={package_cache}"]
    recipe = script if script.exists() else script.with_name("sid")
    run_command("debootstrap", *options, suite, str(folder), _find_mirror(), str(recipe))
    for name in ("resolv.conf", "hosts", "pip.conf"):
        if (file := Path("/etc", name)).exists():
            shutil.copy(file, folder / "etc")
    _add_certificates(folder / "etc/ssl/certs")


def _add_certificates(folder: Path) -> None:
    """Add this machine's own certificates, which its network may need, to those of a root.

    The root's own are links to absolute paths: written to, they would lead to the files of this machine.
    """
    for file in Path("/etc/ssl/certs").iterdir():
        target = folder / file.name
        if file.is_file() and (file.name == "ca-certificates.crt" or not os.path.lexists(target)):
            target.unlink(missing_ok=True)
            shutil.copyfile(file, target)


def _find_mirror() -> str:
    """Return the address from which this machine gets its own packages."""
    policy = subprocess.run(["apt-cache", "policy"], check=True, capture_output=True, encoding="utf-8").stdout
    mirrors: list[str] = [each for each in re.findall(r"(https?://\S+/debian) ", policy) if "security" not in each]
    if not mirrors:
        raise Unavailable("No mirror of Debian is set up here: `apt-cache policy` names none.")
    return mirrors[0]
