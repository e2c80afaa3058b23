"""Every text of the commands is a message in the reader's language; what programs read is the same in all."""

import re
from collections.abc import Callable, Iterator

import click
import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from templates.languages.pseudo import strip_brackets

Run = Callable[..., Result]

_NOTATION = re.compile(
    r"`[^`]*`"  # what is typed
    r"|\bcompanion (?:\[?[a-z-]+\b.*|--.*)"  # a command to the end of its line
    r"|(?<![\w-])-{1,2}[\w-]+"  # options
    r"|\b\d{4}-\d\d-\d\d \d\d:\d\d\b"
    r"|\b[\w-]+\.(?:pdf|png|table|toml|sqlite|csv|txt|md|json|svg|jpg|decks|po)\b"
    r"|\b(?:[0-9A-Z]{4}-){3}[0-9A-Z]\b"  # ids of decks
    r"|\b(?=[0-9A-Z]*\d)[0-9A-Z]{4,}\b"  # other ids
    r"|[A-Z][A-Z_]+\b(?:[….]+)?"  # placeholders and card codes
)
_WORD = re.compile(r"[^\W\d_]{2,}")


def words_outside(text: str, names: frozenset[str]) -> list[str]:
    """Return the words of an output that no message says, except for notation and names."""
    rest = _NOTATION.sub(" ", strip_brackets(text))
    return [word for word in _WORD.findall(rest) if word.lower() not in names]


def names_of(*texts: str) -> frozenset[str]:
    return frozenset(word.lower() for text in texts for word in _WORD.findall(text))


# Help


def _commands() -> Iterator[tuple[str, ...]]:
    """Yield all commands by their words."""

    def walk(command: click.Command, context: click.Context, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        yield path
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert inner is not None
                yield from walk(inner, click.Context(inner, info_name=name, parent=context), (*path, name))

    return walk(main, click.Context(main, info_name="companion"), ())


COMMANDS = tuple(_commands())
_ALL_NAMES = names_of(*(word for path in COMMANDS for word in path), "companion")


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help, without those of usage and examples, which are notation below a title."""
    titles = [f"⟦{title}" for title in ("Usage:", "Example:", "Examples:")]
    for paragraph in text.split("\n\n"):
        if not any(paragraph.strip().startswith(title) for title in titles):
            yield paragraph


def _without_columns(paragraph: str) -> str:
    """Return a paragraph of help without the first column of options and commands, and what they may be."""
    rows = []
    for row in paragraph.splitlines():
        row = re.sub(r"^  (?:-\w, )?--[\w-]+(?:, --?[\w-]+| / --[\w-]+)*(?: \S+)?", "", row)
        rows.append(re.sub(r"^  [a-z][\w-]*(?=  |$)", "", row))
    return re.sub(r"\[[^\]⟦⟧]*\]|(?<=⟧ )[\w.]+(?=\])", "", "\n".join(rows))


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_is_in_the_readers_language(path: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["--language", "en-XA", *path, "--help"])
    assert result.exit_code == 0, result.output
    outside = [
        word for part in _paragraphs(result.output) for word in words_outside(_without_columns(part), frozenset())
    ]
    assert outside == []
    assert "..." not in result.output.replace("[ARGS]...", "").replace("]...", ""), "nothing is cut"
