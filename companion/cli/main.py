"""`companion`: the entry that opens the table, or finds the requested command.

A command's module is imported only when it is called, so that starting and lists of commands stay quick.
"""

import gc
import os
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from companion.cli import browsers, commands, language, screen
from companion.cli.common import MISUSED, REFUSED, Misused, archive_option, explain_error, is_broken_pipe, sanitize
from companion.cli.help_texts import translate_click, translate_command
from companion.cli.lazy import LazyGroup
from companion.cli.streams import use_utf8
from companion.games import registry
from companion.tabletop.text import in_quotes, sanitize_lines
from templates.languages import messages
from templates.languages.messages import phrase

_NO_TEXT = re.compile("[\ud800-\udfff\0]")
"""Python's replacements for bytes of an argument that are no text, and the symbol that no file name can contain."""

translate_click()


class Companion(LazyGroup):
    """The group of all commands, which ends with an exit code and one sentence on any error."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the packages whose games cannot be played below the commands, each with the reason."""
        super().format_epilog(ctx, formatter)
        for sentence in registry.broken():
            formatter.write_paragraph()
            formatter.write_text(sanitize(str(sentence)))

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command and end the process with 0, 1 or 2; an error becomes one sentence on stderr.

        A number that a command returns is the exit status. If `standalone_mode` is False, the caller gets the errors.
        `--language` may stand at any command.
        """
        gc.enable()
        use_utf8()
        try:
            arguments, wish = language.take_option(sys.argv[1:] if args is None else args)
            for argument in arguments:
                _check_text(argument)
            with messages.restoring_language(), language.speak(wish):
                try:
                    speaker = translate_command(self)
                    outcome = LazyGroup.main(
                        speaker, arguments, prog_name, complete_var, standalone_mode=False, **extra
                    )
                except (Exception, KeyboardInterrupt) as error:
                    if standalone_mode or is_broken_pipe(error):
                        # Here, so that the sentence is in the language of the command.
                        end_with(error)
                    raise
        except (Exception, KeyboardInterrupt) as error:
            if not standalone_mode and not is_broken_pipe(error):
                raise
            end_with(error)
        if not standalone_mode:
            return outcome
        sys.exit(outcome if isinstance(outcome, int) else 0)


def end_with(error: Exception | KeyboardInterrupt) -> NoReturn:
    """End the process with 1 or 2 and one sentence on stderr; errors of the program go into its log, too."""
    if is_broken_pipe(error):
        # The reader of the output has gone; without this the interpreter reports an error while it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(REFUSED)
    ending = explain_error(error)
    if ending is None:
        from companion.archive.fault_log import describe_fault

        ending = str(describe_fault(error)), REFUSED
    click.echo(sanitize_lines(ending[0]), err=True)
    sys.exit(ending[1])


def _check_text(argument: str) -> None:
    """Raise Misused for an argument that is no text, unless it names a file, whose name need not be text on
    some disks.
    """
    if _NO_TEXT.search(argument) and not any(map(os.path.lexists, (argument, argument.partition("=")[2]))):
        raise Misused(
            phrase(
                "{argument} is not text in UTF-8; type it anew, or save the file that it comes from so.",
                argument=in_quotes(argument),
            )
        )


@click.group(
    "companion",
    cls=Companion,
    package=commands.__name__,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(
    package_name="table-companion", message="companion %(version)s", help="Show the version and exit."
)
@archive_option
@click.pass_context
def main(context: click.Context, archive: str | None) -> None:
    """The companion that lies beside the cards.

    Without a command, this opens the companion's screen, or the host's pages in a browser if there is no terminal. It
    keeps score beside the real cards, prints labels for them, and stores the history of each deck. Every command takes
    --language xx or --language FILE.po.

    \b
    Example: companion deck list
    """
    if context.invoked_subcommand is None:
        _open_table(context, archive)


def _open_table(context: click.Context, archive: str | None) -> None:
    """Open the screen; in the browser instead, if the program was started by a double click."""
    if browsers.is_started_by_double_click() and browsers.can_open_browser():
        serve = main.get_command(context, "serve")
        assert serve is not None
        context.invoke(serve, opens=True, archive=archive)
        return
    if not screen.is_terminal():
        click.echo(
            phrase(
                "companion opens a screen and this is no terminal; companion serve --open plays in the browser, and "
                "companion --help tells what else works here."
            ),
            err=True,
        )
        sys.exit(MISUSED)
    screen.run(archive)
