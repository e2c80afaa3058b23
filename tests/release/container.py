"""Builds the container and tries it where there is neither an engine nor a registry of images.

buildah builds it, as root, on a base that is made of Debian's packages and only called like Python's own slim image:
what differs from the released one is that base alone. `python -m tests.release.container` fetches Debian's packages and
takes a few minutes, so only `make soak` runs it.
"""

import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import urllib.request
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.release.commands import RELEASE, ROOT, instructions

_NEEDED: Final = ("buildah", "debootstrap")
_PACKAGES: Final = "python3,python3-venv,python3-pip,ca-certificates"
_IMAGE: Final = "table-companion:tried"
_PORT: Final = 8699
_PATIENCE: Final = 60.0
_BASE: Final = """\
FROM scratch
ADD base.tar /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
"""


def main() -> int:
    """Builds and tries it; says what it saw. 1 where something is missing that this needs."""
    missing = [name for name in _NEEDED if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        print(f"The container is not tried: that takes root, {' and '.join(_NEEDED)}.", file=sys.stderr)
        return 1
    with TemporaryDirectory() as name:
        folder = Path(name)
        storage = "--storage-driver", "vfs", "--root", str(folder / "storage"), "--runroot", str(folder / "run")
        buildah = partial(_run, "buildah", *storage)
        build = partial(buildah, "bud", "--isolation", "chroot", "--layers=false", "--pull-never")
        _make_base(folder)
        for base in {rest.split()[0] for word, rest in instructions(_containerfile()) if word == "FROM"}:
            build("-f", str(folder / "Base"), "-t", f"docker.io/library/{base}", str(folder))
        build(*_certificates(), "-f", str(RELEASE / "Containerfile"), "-t", _IMAGE, str(ROOT))
        container = buildah("from", "--pull-never", _IMAGE).strip()
        run = "buildah", *storage, "run", "--isolation", "chroot", container, "--"
        assert _run(*run, "id", "-u").strip() == "1000", "it has the rights of somebody in particular"
        demo = _run(*run, "companion", "demo")
        assert "Grave Choir" in demo, demo
        _try_pages(run)
        size = buildah("images", "--format", "{{.Size}}", _IMAGE).strip()
        print(f"The container takes {size}; demo and pages work in it, with nobody's rights.")
    return 0


def _containerfile() -> str:
    return (RELEASE / "Containerfile").read_text("utf-8")


def _make_base(folder: Path) -> None:
    """A Debian with Python, as a file, and how an image is made of it."""
    root = folder / "base"
    _run("debootstrap", "--variant=minbase", f"--include={_PACKAGES}", "bookworm", str(root))
    (root / "usr/bin/python").symlink_to("python3")
    for mark in root.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
        mark.unlink()
    with tarfile.open(folder / "base.tar", "w") as tar:
        tar.add(root, ".")
    shutil.rmtree(root)
    (folder / "Base").write_text(_BASE, "utf-8")


def _certificates() -> Sequence[str]:
    """Whom pip trusts in there, where that is said here."""
    trusted = os.environ.get("PIP_CERT")
    return ("--volume", f"{trusted}:{trusted}:ro", "--env", f"PIP_CERT={trusted}") if trusted else ()


def _try_pages(run: Sequence[str]) -> None:
    """Serves pages from within, until they answer."""
    command = (*run, "companion", "serve", "--create", "--host", "127.0.0.1", "--no-announce", "--port", str(_PORT))
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=nowhere, stderr=nowhere, start_new_session=True) as pages:
        try:
            deadline = time.monotonic() + _PATIENCE
            while not _answers():
                assert pages.poll() is None, "the pages ended"
                assert time.monotonic() < deadline, "the pages do not answer"
                time.sleep(0.2)
        finally:
            os.killpg(pages.pid, signal.SIGTERM)


def _answers() -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{_PORT}/", timeout=3) as page:
            return bool(page.status == 200)
    except OSError:
        return False


def _run(*command: str) -> str:
    process = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert process.returncode == 0, f"{' '.join(command)}: {process.stdout[-2000:]}{process.stderr[-2000:]}"
    return process.stdout


if __name__ == "__main__":
    sys.exit(main())
