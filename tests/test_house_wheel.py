"""The wheel, installed into a fresh environment far from the checkout, does the main job."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("companion", "labels", "templates")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin directory of a fresh environment with the wheel in it.

    It borrows the libraries of the present one, but not the checkout, which is known there through a .pth file only.
    """
    home = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    paths = sysconfig.get_paths("venv", vars={"base": str(home), "platbase": str(home)})
    Path(paths["purelib"], "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    scripts = Path(paths["scripts"])
    install = [sys.executable, "-m", "pip", "--python", str(scripts / "python"), "install", "--no-deps", "--no-index"]
    subprocess.run([*install, "--ignore-installed", str(wheel)], check=True, capture_output=True)
    return scripts


def away_from_home(tmp_path: Path) -> dict[str, str]:
    """An environment in which nothing points to the checkout, with an archive of its own."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PYTEST", "COV"))}
    return {**kept, "COMPANION_ARCHIVE": f"sqlite:///{tmp_path / 'archive.db'}"}


def test_the_wheel_holds_every_file_of_the_three_rooms(wheel: Path) -> None:
    files = {
        str(path.relative_to(ROOT))
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith(ROOMS)}
    assert packed == files


def test_the_wheel_carries_both_licences(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {"LICENSE", "NOTICE"} <= {Path(name).name for name in names if ".dist-info/licenses/" in name}


def test_the_rooms_come_from_the_wheel(environment: Path, tmp_path: Path) -> None:
    script = f"import {', '.join(ROOMS)}\nprint(*(room.__file__ for room in ({', '.join(ROOMS)})), sep='\\n')"
    shown = subprocess.run(
        [environment / "python", "-c", script],
        cwd=tmp_path,
        env=away_from_home(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert all(Path(line).is_relative_to(environment.parent) for line in shown.stdout.split())


def test_the_demo_runs_from_the_wheel(environment: Path, tmp_path: Path) -> None:
    demo = subprocess.run(
        [environment / "companion", "demo", "--out", str(tmp_path / "printed")],
        cwd=tmp_path,
        env=away_from_home(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (demo.returncode, demo.stderr) == (0, "")
    printed = sorted((tmp_path / "printed").glob("*.pdf"))
    assert len(printed) >= 2
    assert all(path.read_bytes().startswith(b"%PDF") for path in printed)
