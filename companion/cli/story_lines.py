"""Lines of a deck's history, as commands print them."""

from __future__ import annotations

from collections.abc import Sequence

import click

from companion.archive.storage.lookup import StoryLine
from companion.cli.common import format_local_time, sanitize
from templates.languages.messages import Text


def print_story(heading: Text, story: Sequence[StoryLine]) -> None:
    """Print a part of a deck's history under a heading, indented."""
    click.echo(sanitize(f"  {heading}"))
    for line in story:
        click.echo(sanitize(f"    {line.number}  {format_local_time(line.at)}  {line.by}  {line.text}"))
