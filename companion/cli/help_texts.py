"""The help of commands and the errors of Click, in the language of their reader.

Commands declare their help in English, as Click has it: the docstring and the `help` of each option.
`translate_command` returns a copy of a command in the language of the reader. Click's own texts go through gettext,
which knows one language for the whole process and no catalogues of ours; so `translate_click` puts functions of this
module in its place. A version of Click that has no such names, or other texts, stays English there.
"""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

import click
import click.core
import click.decorators
import click.exceptions
import click.formatting
import click.parser
import click.termui
import click.types

from templates.languages import messages
from templates.languages.messages import Text, current_language, declared, phrase

_Command = TypeVar("_Command", bound=click.Command)

CLICK_TEXTS: Final = {
    "Usage:": "Usage:",
    "Options": "Options",
    "Commands": "Commands",
    "Positional arguments": "Arguments",
    "Show this message and exit.": "Show this message and exit.",
    "Show the version and exit.": "Show the version and exit.",
    "default: {default}": "default: {default}",
    "required": "required",
    "Missing command.": "A command is missing.",
    "Missing argument": "Missing argument",
    "Missing option": "Missing option",
    "Choose from:\n\t{choices}": "Choose from: {choices}",
    "Invalid value: {message}": "Invalid value: {message}",
    "Invalid value for {param_hint}: {message}": "Invalid value for {param_hint}: {message}",
    "No such option {name!r}.": "There is no option “{name}”.",
    "No such command {name!r}.": "There is no command “{name}”.",
    "Option {name!r} does not take a value.": "The option “{name}” does not take a value.",
    "{value!r} is not a valid {number_type}.": "“{value}” is not such a number.",
    "{value!r} is not a valid boolean. Recognized values: {states}": "“{value}” is not one of {states}.",
    "{value} is not in the range {range}.": "{value} is not in the range {range}.",
    "{name} {filename!r} does not exist.": "“{filename}” does not exist.",
    "{name} {filename!r} is a file.": "“{filename}” is a file.",
    "{name} {filename!r} is a directory.": "“{filename}” is a directory.",
    "{name} {filename!r} is not readable.": "“{filename}” may not be read.",
    "{name} {filename!r} is not writable.": "“{filename}” may not be written.",
    "Could not open file {filename!r}: {message}": "“{filename}” cannot be opened: {message}",
    "Error: {message}": "Error: {message}",
}
"""Click's texts by the names that it looks up, each as catalogues have it."""

CLICK_PLURALS: Final = {
    "Did you mean {possibility}?": ("Did you mean {possibility}?", "Did you mean one of {possibilities}?"),
    "Got unexpected extra argument ({args})": (
        "There is an unexpected argument: {args}",
        "There are unexpected arguments: {args}",
    ),
    "Option {name!r} requires an argument.": (
        "The option “{name}” needs a value.",
        "The option “{name}” needs {nargs} values.",
    ),
    "{value!r} is not {choice}.": ("“{value}” is not {choice}.", "“{value}” is not one of {choices}."),
}
"""Click's texts that depend on a number, by their first form."""

_MODULES: Final = (
    click.core,
    click.decorators,
    click.exceptions,
    click.formatting,
    click.parser,
    click.termui,
    click.types,
)


def translate_click() -> None:
    """Make Click look up its texts in our catalogues, in the language of the reader."""
    for module in _MODULES:
        for name, function in (("_", _translate_text), ("ngettext", _translate_plural)):
            if name in vars(module):
                setattr(module, name, function)


def _translate_text(text: str) -> str:
    """Return a template of Click in the reader's language, as `gettext.gettext` does."""
    language = current_language()
    own = CLICK_TEXTS.get(text)
    return text if language is messages.ENGLISH or own is None else language.translate(own)


def _translate_plural(singular: str, plural: str, n: int) -> str:
    """Return a template of Click for a number in the reader's language, as `gettext.ngettext` does."""
    language = current_language()
    own = CLICK_PLURALS.get(singular)
    if language is messages.ENGLISH or own is None:
        return singular if n == 1 else plural
    # Each form has a field of its own, so the number of forms of the language does not matter.
    return language.translate(own[0] if n == 1 else own[1])


# The help of our commands

_EXAMPLE: Final = re.compile(r"(Examples?:) ")
_SENTENCE_END: Final = re.compile(r"(?<=\.)\s+(?=[A-Z-])")
VERBATIM: Final = "\b\n"
"""The beginning of a paragraph that Click does not wrap."""


def translate_command(command: _Command) -> _Command:
    """Return a command whose help is in the reader's language; in English it is the command itself."""
    if current_language() is messages.ENGLISH:
        return command
    speaker = copy.copy(command)
    # Click makes and keeps the option --help when it is first needed.
    speaker._help_option = None
    speaker.help = command.help and translate_help(command.help)
    speaker.params = [_translate_parameter(parameter) for parameter in command.params]
    return speaker


def _translate_parameter(parameter: click.Parameter) -> click.Parameter:
    if not isinstance(parameter, click.Option) or not parameter.help:
        return parameter
    speaker = copy.copy(parameter)
    speaker.help = str(declared(parameter.help))
    return speaker


def translate_help(text: str) -> str:
    """Return the help of a command in the reader's language."""
    return "\n\n".join(map(_translate_paragraph, split_paragraphs(text)))


def _translate_paragraph(paragraph: str) -> str:
    if not paragraph.startswith(VERBATIM):
        return " ".join(str(declared(part)) for part in split_summary(paragraph))
    return VERBATIM + "\n".join(_translate_examples(paragraph.removeprefix(VERBATIM).split("\n")))


def _translate_examples(lines: list[str]) -> Iterator[str]:
    """Yield lines of examples: their title is translated, and those below the first stay in line with it."""
    match = _EXAMPLE.match(lines[0])
    if match is None:
        yield from lines
        return
    title = str(title_of_examples(match[1]))
    yield f"{title} {lines[0][match.end() :]}"
    yield from (f"{' ' * len(title)} {line.lstrip()}" for line in lines[1:])


def title_of_examples(title: str) -> Text:
    """Return the title of examples in help."""
    return phrase("Example:") if title == "Example:" else phrase("Examples:")


def split_paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a help, each in one line except examples."""
    # Click takes what follows a form feed for no help.
    paragraphs = inspect.cleandoc(text).partition("\f")[0].strip("\n").split("\n\n")
    return [each if each.startswith(VERBATIM) else " ".join(each.split()) for each in paragraphs if each.strip()]


def split_summary(paragraph: str) -> list[str]:
    """Return the first sentence of a paragraph, which lists of commands show, and the rest if there is any."""
    return _SENTENCE_END.split(paragraph, maxsplit=1)


def find_texts(text: str) -> Iterator[str]:
    """Yield the texts of a help that are in catalogues."""
    for paragraph in split_paragraphs(text):
        if not paragraph.startswith(VERBATIM):
            yield from split_summary(paragraph)


def summarize(text: str) -> str:
    """Return the first sentence of a help in the reader's language, without a full stop, for lists of commands."""
    return str(declared(split_summary(split_paragraphs(text)[0])[0])).removesuffix(".")


def write_commands(summaries: Sequence[tuple[str, str]], formatter: click.HelpFormatter) -> None:
    """Write a list of commands with their summaries, none of which is cut."""
    with formatter.section(_translate_text("Commands")):
        formatter.write_dl(summaries)
