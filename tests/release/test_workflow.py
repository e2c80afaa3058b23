"""The workflow for releases, which runs elsewhere: it is one by its schema, and everything it names is there."""

import re
import shutil
import stat
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.release.commands import RELEASE, ROOT, check_command_line, load_yaml, shell_words
from tests.test_house_ci import linted

WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
JOBS: dict[str, Any] = load_yaml(WORKFLOW)["jobs"]
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)+")


def steps() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each step with the name of its job."""
    return ((name, step) for name, job in JOBS.items() for step in job["steps"])


def command_lines() -> Iterator[list[str]]:
    """Every command that a step runs, as its words."""
    return (words for _, step in steps() if "run" in step for words in shell_words(step["run"]))


def test_the_release_workflow_is_one() -> None:
    assert linted("vendor.github-workflows", WORKFLOW).returncode == 0


def test_it_begins_with_a_tag_and_may_write_only_to_publish() -> None:
    # A YAML 1.1 reader takes `on` for a truth.
    workflow = load_yaml(WORKFLOW)
    assert workflow.get("on", workflow.get(True)) == {"push": {"tags": ["v*"]}}
    assert workflow["permissions"] == {"contents": "read"}
    assert {name: job["permissions"] for name, job in JOBS.items() if "permissions" in job} == {
        "publish": {"contents": "write"}
    }


def test_nothing_is_published_before_all_was_built_and_tried() -> None:
    assert set(JOBS["publish"]["needs"]) == set(JOBS) - {"publish"}
    for name in set(JOBS) - {"publish"}:
        tried = [words for job, step in steps() if job == name for words in shell_words(step.get("run", ""))]
        assert any("demo" in words for words in tried), name


def test_programs_are_built_on_each_of_the_three_systems() -> None:
    systems = JOBS["program"]["strategy"]["matrix"]["os"]
    assert {name.partition("-")[0] for name in systems} == {"ubuntu", "macos", "windows"}


def test_every_file_that_a_step_names_is_there() -> None:
    built = {"dist", "try", "files", "packed", "printed"}
    named = [
        path
        for words in command_lines()
        for word in words
        for path in _PATH.findall(word)
        if path.partition("/")[0] not in built and "://" not in word
    ]
    assert len(named) >= 8
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_module_and_command_that_a_step_runs_is_there() -> None:
    pytest.importorskip("venv", reason="the embeddable Python for Windows, which Wine runs, has no venv")
    modules, commands = set(), []
    for words in command_lines():
        program = Path(words[0]).name
        if program == "python" and words[1] == "-m":
            modules.add(words[2])
        if program == "companion":
            commands.append(words[1:])
    assert {"pip", "build", "venv", "PyInstaller"} <= modules
    assert [module for module in modules if find_spec(module) is None] == []
    assert len(commands) == 3
    for arguments in commands:
        if arguments != ["--version"]:
            check_command_line(arguments)


def test_what_pip_installs_has_hashes_or_is_our_own() -> None:
    installs = [words for words in command_lines() if "install" in words]
    assert len(installs) >= 5
    assert [words for words in installs if "--require-hashes" not in words and "--no-deps" not in words] == []


@pytest.mark.posix
def test_scripts_are_shell_scripts(tmp_path: Path) -> None:
    shell = shutil.which("bash")
    assert shell, "bash is needed to look at scripts"
    for _, step in steps():
        if "run" in step:
            script = tmp_path / "script"
            script.write_text(re.sub(r"\$\{\{[^}]*\}\}", "value", step["run"]), "utf-8")
            checked = subprocess.run([shell, "-n", str(script)], capture_output=True, encoding="utf-8", check=False)
            assert checked.returncode == 0, checked.stderr


def script(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run one of the scripts of a release, with the encoding of files and pipes that the workflow's systems have."""
    command = [sys.executable, "-X", "utf8", str(RELEASE / name), *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def test_notes_are_what_the_changelog_says_of_a_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    wrong = script("notes.py", "v0.0.1")
    assert (wrong.returncode, wrong.stderr) == (1, f"The tag is v0.0.1, and pyproject.toml says {version}.\n")
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    result = script("notes.py", f"v{version}")
    if f"## {version}" in changelog:
        assert (result.returncode, result.stdout.startswith("## ")) == (0, False)
    else:
        assert (result.returncode, result.stderr.startswith("CHANGELOG.md has no part")) == (1, True)


@pytest.mark.slow
def test_scripts_of_a_release_are_typed_as_strictly_as_the_program() -> None:
    command = [sys.executable, "-m", "mypy", "--strict", *map(str, sorted(RELEASE.glob("*.py")))]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert process.returncode == 0, process.stdout


def pack_folder(folder: Path, out: Path) -> Path:
    """A folder packed as a program is."""
    result = script("pack.py", str(folder), str(out))
    assert result.returncode == 0, result.stderr
    return Path(result.stdout.strip())


def test_a_packed_program_is_named_after_its_system_and_stays_one_folder(tmp_path: Path) -> None:
    program = tmp_path / "dist" / "companion" / "companion"
    program.parent.mkdir(parents=True)
    program.write_bytes(b"a program")
    packed = pack_folder(program.parent, tmp_path / "packed")
    assert re.fullmatch(r"table-companion-\d+\.\d+\.\d+-(?:linux|macos|windows)-\w+\.zip", packed.name)
    assert zipfile.ZipFile(packed).namelist() == ["companion/companion"]


@pytest.mark.posix
def test_what_is_packed_can_be_started_and_links_stay_links(tmp_path: Path) -> None:
    folder = tmp_path / "companion"
    (folder / "versions" / "1").mkdir(parents=True)
    (folder / "companion").write_bytes(b"a program")
    (folder / "companion").chmod(0o755)
    (folder / "versions" / "now").symlink_to("1", target_is_directory=True)
    entries = {info.filename: info for info in zipfile.ZipFile(pack_folder(folder, tmp_path)).infolist()}
    assert stat.S_IMODE(entries["companion/companion"].external_attr >> 16) == 0o755
    assert stat.S_ISLNK(entries["companion/versions/now"].external_attr >> 16)
