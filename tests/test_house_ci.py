"""What is set up for others to check with cannot be run here; at least it is what it must be."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parent.parent
WORKFLOW = ROOT / ".github" / "workflows" / "check.yml"
NEWEST = WORKFLOW.with_name("newest.yml")


def linted(schema: str, file: Path) -> subprocess.CompletedProcess[str]:
    """What the schema of the service, which comes along with the linter, says of a file."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("workflow", [WORKFLOW, NEWEST], ids=lambda path: str(path.name))
def test_the_workflow_is_one(workflow: Path) -> None:
    assert linted("vendor.github-workflows", workflow).returncode == 0


def test_the_newest_libraries_and_advisories_are_looked_at_every_night() -> None:
    workflow = YAML(typ="safe").load(NEWEST.read_text("utf-8"))
    assert [each["cron"].split()[2:] for each in workflow["on"]["schedule"]] == [["*", "*", "*"]]
    assert workflow["permissions"] == {"contents": "read"}
    commands = [step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]]
    assert "make test-newest" in commands
    assert any(command.startswith("pip-audit ") for command in commands)
    locked = next(command for command in commands if command.startswith("pip-audit ")).split()[-1]
    assert (ROOT / locked).exists()


def test_a_workflow_with_a_slip_would_be_found(tmp_path: Path) -> None:
    wrong = tmp_path / "check.yml"
    wrong.write_text(WORKFLOW.read_text("utf-8").replace("runs-on:", "run-on:", 1), "utf-8")
    assert linted("vendor.github-workflows", wrong).returncode == 1


def test_the_hooks_before_a_commit_are_hooks() -> None:
    hooks = YAML(typ="safe").load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0]["hooks"]
    assert [hook["id"] for hook in hooks] == ["ruff-check", "ruff-format", "mypy", "import-linter"]
    assert all(hook["language"] == "system" for hook in hooks)


def test_every_python_that_is_promised_is_checked_on_every_system() -> None:
    text = WORKFLOW.read_text("utf-8")
    promised = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    assert promised == ">=3.11"
    assert 'python: ["3.11", "3.12", "3.13", "3.14"]' in text
    assert "os: [ubuntu-latest, macos-latest, windows-latest]" in text
