"""What files of a release name: parsed as the tools do that read them, so that tests can look it up in the program."""

import shlex
import tomllib
from collections.abc import Collection, Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import click
from packaging.requirements import Requirement
from ruamel.yaml import YAML

from companion.cli.main import main as companion

ROOT: Final = Path(__file__).parents[2]
RELEASE: Final = ROOT / ".github" / "release"
LOCKED: Final = RELEASE / "requirements.txt"
"""What an installation is made of."""
LOCKS: Final = (LOCKED, RELEASE / "tools.txt")


def load_yaml(file: Path) -> Any:
    """A YAML file as plain lists and mappings."""
    return YAML(typ="safe").load(file.read_text("utf-8"))


def check_command_line(arguments: list[str]) -> None:
    """Raises click.UsageError for a command line of the companion with a command or option that there is not.

    Nothing is run.
    """
    command: click.Command = companion
    rest = list(arguments)
    while isinstance(command, click.Group):
        word, *rest = rest
        subcommand = command.get_command(click.Context(command), word)
        if subcommand is None:
            raise click.UsageError(f"There is no command {word}.")
        command = subcommand
    command.make_context(str(command.name), rest)


def instructions(containerfile: str) -> list[tuple[str, str]]:
    """The instructions of a Containerfile in order, each as its word and what stands behind it."""
    lines = [line for line in containerfile.splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    split = (line.strip().partition(" ") for line in joined.splitlines() if line.strip())
    return [(word, " ".join(rest.split())) for word, _, rest in split]


def shell_words(script: str) -> list[list[str]]:
    """The commands of a shell script, each as its words; variables stay as they are written."""
    commands: list[list[str]] = [[]]
    for line in script.replace("\\\n", " ").splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="&|;<>")
        lexer.whitespace_split = True
        lexer.commenters = ""
        for word in lexer:
            if set(word) <= set("&|;<>"):
                commands.append([])
            else:
                commands[-1].append(word)
        commands.append([])
    return [words for words in commands if words]


def locked_needs(lock: Path, extras: Collection[str] = ("postgres",)) -> list[Requirement]:
    """What a lock file is made for; of ours with these extras. Without `postgres` no shop would have its server."""
    if lock == LOCKED:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
        further = [need for extra in extras for need in project["optional-dependencies"][extra]]
        return [*map(Requirement, project["dependencies"]), *map(Requirement, further)]
    lines = (RELEASE / "tools.in").read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines if not line.startswith("#")]


def closure(needs: Iterable[Requirement]) -> Iterator[Requirement]:
    """These and all that they need in turn on this system, as the libraries that are installed here say it."""
    seen: set[str] = set()
    waiting = list(needs)
    while waiting:
        need = waiting.pop()
        if str(need) in seen:
            continue
        seen.add(str(need))
        yield need
        for further in map(Requirement, metadata.requires(need.name) or ()):
            if further.marker is None or any(further.marker.evaluate({"extra": each}) for each in ("", *need.extras)):
                further.marker = None
                waiting.append(further)
