"""Build the container and try it where there is neither an engine nor a registry of images.

buildah builds it, as root, on a base image that is made of Debian's packages and named as the Containerfile asks for:
only that base differs from the released container. It is then run as the image says: `companion demo`, and its own
command, which serves pages from a volume, with its health check, its signal to stop, and nobody's rights.

`python -m tests.release.container` does it in a few minutes; `make soak` runs it.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from platformdirs import user_cache_path

from tests.release.commands import RELEASE, ROOT, instructions
from tests.systems.debian import make_root

_TOOLS: Final = ("buildah", "debootstrap", "ip")
_PACKAGES: Final = ("python3", "python3-venv", "ca-certificates")
_SUITES: Final = {"3.13": "trixie", "3.14": "forky"}
"""The releases of Debian by the Python that they bring."""
_IMAGE: Final = "table-companion:tried"
_NETWORK: Final = f"companion-{os.getpid()}"
_TRIES: Final = 60
"""Times that something is looked for, a second apart, until it has failed."""
_BASE: Final = """\
FROM scratch
ADD base.tar /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
"""
_PHONE: Final = """
import http.cookiejar, re, sys, urllib.parse, urllib.request
address, pin = sys.argv[1:]
jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
phone = urllib.request.build_opener(jar)
form = phone.open(address, timeout=10)
assert form.url.endswith("/pin"), form.url
token = re.search(r'name="token" value="([^"]+)"', form.read().decode())[1]
fields = urllib.parse.urlencode({"pin": pin, "name": "", "token": token}).encode()
page = phone.open(urllib.request.Request(f"{address}/pin", fields, {"Origin": address}), timeout=10)
print(page.status, page.url.removeprefix(address))
"""
"""A phone: it asks for the first page, sends the PIN with the form that it gets, and prints where it is then."""


class Buildah:
    """buildah with a storage of its own, which is left behind nowhere."""

    def __init__(self, folder: Path) -> None:
        self._command = (
            "buildah",
            "--storage-driver",
            "vfs",
            "--root",
            f"{folder}/storage",
            "--runroot",
            f"{folder}/run",
        )

    def call(self, *arguments: str) -> str:
        """Run one of its commands and return what it prints."""
        return _run_command(*self._command, *arguments)

    def build(self, *arguments: str) -> None:
        """Build an image; the format is Docker's, as only that one has health checks."""
        self.call("bud", "--isolation", "chroot", "--format", "docker", "--layers=false", "--pull-never", *arguments)

    def make_container(self) -> str:
        """Return a new container, whose archive comes from a folder: buildah would make a volume for each otherwise."""
        container = self.call("from", "--pull-never", _IMAGE).strip()
        self.call("config", "--volume", "/archive-", container)
        return container

    def inside(self, container: str, volume: Path, *command: str) -> Sequence[str]:
        """Return the command line that runs a command in a container, in the network of the try."""
        run = ("run", "--isolation", "chroot", "--volume", f"{volume}:/archive", container, "--")
        return ("ip", "netns", "exec", _NETWORK, *self._command, *run, *command)


def main() -> int:
    """Build it, try it and say what was seen; return 1 if something is missing here."""
    missing = [name for name in _TOOLS if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        print(f"The container is not tried: that takes root, {', '.join(_TOOLS)}.", file=sys.stderr)
        return 1
    with TemporaryDirectory(prefix="companion-container-") as name:
        folder = Path(name)
        buildah = Buildah(folder)
        begun = time.monotonic()
        python = _build(folder, buildah)
        built = time.monotonic()
        volume = folder / "volume"
        volume.mkdir()
        os.chown(volume, 1000, 1000)
        with _network():
            _try_image(buildah, volume, python)
        size = buildah.call("images", "--format", "{{.Size}}", _IMAGE).strip()
        tried = time.monotonic() - built
    print(f"The container takes {size}; built in {built - begun:.0f} s, tried in {tried:.0f} s: demo, pages for phones")
    print("behind their PIN, the health check, SIGTERM, and the archive in its volume, with nobody's rights.")
    return 0


def _build(folder: Path, buildah: Buildah) -> str:
    """Build the image on a base of the same name as the released one; return that base's Python, such as `3.13`."""
    lines = instructions((RELEASE / "Containerfile").read_text("utf-8"))
    (base,) = {rest.split()[0] for word, rest in lines if word == "FROM"}
    version = re.fullmatch(r"python:(3\.\d+)-slim", base)
    assert version, f"{base} is not one of Python's slim images"
    _make_base(folder, _SUITES[version[1]])
    buildah.build("-f", str(folder / "Base"), "-t", f"docker.io/library/{base}", str(folder))
    (folder / "base.tar").unlink()
    buildah.build(*_pass_certificates(), "-f", str(RELEASE / "Containerfile"), "-t", _IMAGE, str(ROOT))
    return version[1]


def _make_base(folder: Path, suite: str) -> None:
    """Write `base.tar`, a Debian with Python, and `Base`, which makes an image of it."""
    root = folder / "base"
    cache = Path(os.environ.get("COMPANION_SYSTEMS") or user_cache_path("table-companion-systems", appauthor=False))
    make_root(root, suite, _PACKAGES, cache / "packages")
    # As in the image that it stands for, `python` and its pip are those of /usr/local.
    _run_command("chroot", str(root), "python3", "-m", "venv", "/usr/local")
    shutil.rmtree(root / "var/cache/apt", ignore_errors=True)
    with tarfile.open(folder / "base.tar", "w") as tar:
        tar.add(root, ".")
    shutil.rmtree(root)
    (folder / "Base").write_text(_BASE, "utf-8")


def _pass_certificates() -> Sequence[str]:
    """Return the options that tell pip in there whom it trusts, if that is set here."""
    trusted = os.environ.get("PIP_CERT")
    return ("--volume", f"{trusted}:{trusted}:ro", "--env", f"PIP_CERT={trusted}") if trusted else ()


@contextmanager
def _network() -> Iterator[None]:
    """A network of one machine, so that the port that the image exposes is free in it."""
    _run_command("ip", "netns", "add", _NETWORK)
    try:
        _run_command("ip", "-n", _NETWORK, "link", "set", "lo", "up")
        yield
    finally:
        _run_command("ip", "netns", "delete", _NETWORK)


def _try_image(buildah: Buildah, volume: Path, python: str) -> None:
    config: dict[str, Any] = json.loads(buildah.call("inspect", "--type", "image", _IMAGE))["Docker"]["config"]
    container = buildah.make_container()

    def run(*command: str) -> str:
        return _run_command(*buildah.inside(container, volume, *command))

    assert run("id", "-u").strip() == "1000", "it has the rights of somebody in particular"
    assert run("python", "--version").startswith(f"Python {python}."), "the base has another Python than its name says"
    assert run("/opt/companion/bin/python", "--version").startswith(f"Python {python}.")
    assert config["Volumes"] == {"/archive": {}}
    assert "Grave Choir" in run(*config["Entrypoint"], "demo"), "the demo went wrong"

    kind, *check = config["Healthcheck"]["Test"]
    assert kind == "CMD", kind
    health = buildah.inside(container, volume, *check)
    assert not _is_healthy(health), "it counts as healthy before it serves"
    command = buildah.inside(container, volume, *config["Entrypoint"], *config["Cmd"])
    first = _serve(command, health, config["StopSignal"], run)
    assert (volume / "archive.sqlite").stat().st_uid == 1000, "the archive is not in the volume"
    # Another container on the same volume goes on with the same archive, which holds the PIN.
    container = buildah.make_container()
    command = buildah.inside(container, volume, *config["Entrypoint"], *config["Cmd"])
    second = _serve(command, buildah.inside(container, volume, *check), config["StopSignal"], run)
    assert first == second, "another container on the same volume asks for another PIN"


def _serve(command: Sequence[str], health: Sequence[str], stop: str, run: Callable[..., str]) -> str:
    """Serve until a phone was let in, then stop it as an engine does; return the PIN."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8") as serving:
        assert serving.stdout is not None
        output = ""
        try:
            for line in serving.stdout:
                output += line
                if line.startswith("Phones may"):
                    break
            pin = re.search(r"^PIN +(\d{6})$", output, re.MULTILINE)
            assert pin, f"no PIN was said: {output}"
            assert _wait(lambda: _is_healthy(health)), "it serves and does not count as healthy"
            arrived = run("python", "-c", _PHONE, "http://127.0.0.1:8686", pin[1])
            assert re.fullmatch(r"200 /\w*\n", arrived), f"a phone with the PIN got {arrived}"
        finally:
            _signal_served(stop)
        output = serving.stdout.read()
        assert serving.wait(_TRIES) == 0, f"{stop} ended it with {serving.returncode}: {output}"
        assert "The pages are closed." in output, output
    return pin[1]


def _signal_served(name: str) -> None:
    """Send a signal to the program that serves, which is the container's first process under an engine."""
    for process in _run_command("ip", "netns", "pids", _NETWORK).split():
        words = Path("/proc", process, "cmdline").read_bytes().split(b"\0")
        if b"serve" in words and Path(os.fsdecode(words[0])).name.startswith("python"):
            os.kill(int(process), getattr(signal, name))


def _is_healthy(check: Sequence[str]) -> bool:
    return subprocess.run(check, capture_output=True, check=False).returncode == 0


def _wait(is_so: Callable[[], bool]) -> bool:
    """Look up to a minute long whether something has become so."""
    for _ in range(_TRIES):
        if is_so():
            return True
        time.sleep(1)
    return False


def _run_command(*command: str) -> str:
    """Return what a command prints on its standard output; it must not fail."""
    process = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert process.returncode == 0, f"{shlex.join(command)}: {process.stdout[-2000:]}{process.stderr[-2000:]}"
    return process.stdout


if __name__ == "__main__":
    sys.exit(main())
