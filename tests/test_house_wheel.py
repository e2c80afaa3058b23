"""The wheel, installed into a fresh environment far from the checkout, does the main job, with games of other packages
beside it.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from functools import partial
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


def install(scripts: Path, *wheels: Path) -> None:
    """Puts wheels into an environment, by its bin directory."""
    command = [sys.executable, "-m", "pip", "--python", str(scripts / "python"), "install", "--no-deps", "--no-index"]
    subprocess.run([*command, "--ignore-installed", *map(str, wheels)], check=True, capture_output=True)


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin directory of a fresh environment with the wheel in it.

    It borrows the libraries of the present one, wherever that has them from, but not the checkout.
    """
    pytest.importorskip("venv", reason="the embeddable Python for Windows, which Wine runs, has no venv")
    home = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    paths = sysconfig.get_paths("venv", vars={"base": str(home), "platbase": str(home)})
    libraries = [path for path in sys.path if path.endswith("-packages") and not Path(path, "companion").exists()]
    Path(paths["purelib"], "borrowed.pth").write_text("\n".join(libraries), encoding="utf-8")
    scripts = Path(paths["scripts"])
    install(scripts, wheel)
    return scripts


def away_from_home(tmp_path: Path) -> dict[str, str]:
    """An environment in which nothing points to the checkout, with an archive of its own."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PYTEST", "COV"))}
    return {**kept, "COMPANION_ARCHIVE": f"sqlite:///{tmp_path / 'archive.db'}"}


def run(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a program in a folder, away from the checkout."""
    return subprocess.run(
        command, cwd=folder, env=away_from_home(folder), capture_output=True, encoding="utf-8", check=False
    )


def test_the_wheel_holds_every_file_of_the_three_rooms(wheel: Path) -> None:
    files = {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".mo", ".pot")
    }
    # The package has compiled catalogues of languages instead of their sources.
    files = {f"{name.removesuffix('.po')}.mo" if name.endswith(".po") else name for name in files}
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith(ROOMS)}
    assert packed == files


@pytest.mark.slow
def test_the_wheel_carries_both_licences(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {"LICENSE", "NOTICE"} <= {Path(name).name for name in names if ".dist-info/licenses/" in name}


@pytest.mark.slow
def test_the_rooms_come_from_the_wheel(environment: Path, tmp_path: Path) -> None:
    script = f"import {', '.join(ROOMS)}\nprint(*(room.__file__ for room in ({', '.join(ROOMS)})), sep='\\n')"
    process = run(tmp_path, environment / "python", "-c", script)
    assert process.returncode == 0
    assert all(Path(line).is_relative_to(environment.parent) for line in process.stdout.split())


@pytest.mark.slow
def test_the_demo_runs_from_the_wheel(environment: Path, tmp_path: Path) -> None:
    demo = run(tmp_path, environment / "companion", "demo", "--out", tmp_path / "printed")
    assert (demo.returncode, demo.stderr) == (0, "")
    printed = sorted((tmp_path / "printed").glob("*.pdf"))
    assert len(printed) >= 2
    assert all(path.read_bytes().startswith(b"%PDF") for path in printed)


MINIATURE = ROOT / "tests" / "games" / "miniature.py"
DUEL = """\
table duel
seat ada deck Rex
seat ben deck Max
begin seed 1
draw ada
spend ada strike
set ben life 0
expect table outcome ada
"""


def packed(folder: Path, game: str, module: str) -> Path:
    """A wheel with one module, which names its GAME as a game of the companion."""
    (folder / "pyproject.toml").write_text(
        f"""
        [build-system]
        requires = ["hatchling"]
        build-backend = "hatchling.build"
        [project]
        name = "{game}-game"
        version = "1.0"
        [project.entry-points."companion.games"]
        {game} = "{module}:GAME"
        [tool.hatch.build.targets.wheel]
        include = ["{module}.py"]
        """,
        encoding="utf-8",
    )
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", str(folder)]
    subprocess.run(build, check=True, capture_output=True)
    (built,) = (folder / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def with_games(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same environment with two further packages: the miniature game, and one whose module cannot be loaded."""
    duel, haunted = tmp_path_factory.mktemp("duel"), tmp_path_factory.mktemp("haunted")
    shutil.copy(MINIATURE, duel / "duel_game.py")
    (haunted / "haunted_game.py").write_text("import a_module_that_nobody_has\n", encoding="utf-8")
    install(environment, packed(duel, "duel", "duel_game"), packed(haunted, "haunted", "haunted_game"))
    return environment


@pytest.mark.slow
def test_a_game_of_another_package_is_played_kept_and_printed(with_games: Path, tmp_path: Path) -> None:
    def companion(*arguments: str) -> str:
        process = run(tmp_path, with_games / "companion", *arguments)
        assert (process.returncode, process.stderr) == (0, "")
        return process.stdout

    assert json.loads(companion("deck", "new", "duel", "Rex", "--holder", "Ada", "--json"))["name"] == "Rex"
    assert "Max is built" in companion("deck", "new", "duel", "Max", "--holder", "Ben")
    (tmp_path / "duel.table").write_text(DUEL, encoding="utf-8")
    assert "Kept as session" in companion("replay", "duel.table", "--into-archive")
    assert "Fought." in companion("deck", "history", "rex")
    deck = json.loads(companion("deck", "show", "rex", "--json"))
    assert (deck["game"], deck["holder"]) == ("duel", "Ada")
    for arguments in (("starter", "--game", "duel"), ("box", "rex"), ("record", "rex")):
        companion("labels", *arguments, "-o", f"{arguments[0]}.pdf")
        assert (tmp_path / f"{arguments[0]}.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_a_package_whose_game_cannot_be_loaded_is_named_and_harms_nothing(with_games: Path, tmp_path: Path) -> None:
    companion = partial(run, tmp_path, with_games / "companion")
    sentence = "The game haunted of the package haunted-game cannot be loaded (ModuleNotFoundError: No module named"
    helped = companion("--help")
    assert helped.returncode == 0
    assert sentence in " ".join(helped.stdout.split())
    refused = companion("deck", "new", "haunted", "Boo")
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert refused.stderr.startswith(sentence)
    listed = companion("deck", "new", "--help")
    assert (listed.returncode, "duel" in listed.stdout, "haunted" in listed.stdout) == (0, True, False)
    assert companion("deck", "list").stderr.startswith("You have no archive yet.")
