"""`companion game new`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.common import (
    Misused,
    any_archive_option,
    force_option,
    fresh_file,
    output_option,
    sanitize,
    tell_written,
)
from companion.games import registry
from companion.games.described.page.reading import as_word
from companion.games.described.page.starter import copy_page, starter_page
from templates.languages.messages import any_of, listed, phrase


@click.command("new")
@click.argument("name")
@output_option("File to write; default: NAME.toml.")
@click.option("--from", "ready", metavar="READY", help="Copy a ready page; companion game list shows their names.")
@any_archive_option
@force_option
def command(name: str, out: Path | None, ready: str | None, force: bool) -> None:
    """Write a page with comments to start a game of your own from.

    The page is a complete game: you can check and play it at once, and then change it line by line.

    \b
    Example: companion game new crown
             companion game new our-duel --from life
    """
    if as_word(name) != name:
        wrong = sanitize(name)
        raise Misused(
            phrase("“{name}” is no word of small letters and digits, joined by -; take {word}.", name=wrong, word=word)
            if (word := as_word(name))
            else phrase("“{name}” is no word of small letters and digits, joined by -.", name=wrong)
        )
    registry.refuse_taken(name)
    text = copy_page(_ready_page(ready), name) if ready else starter_page(name)
    path = out or Path(f"{name}.toml")
    with fresh_file(path, force=force) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
    tell_written(path, phrase("yours to change; companion game check looks at it."))


def _ready_page(name: str) -> str:
    """Return the text of a page that comes with the program. Raises Misused with their names."""
    text = registry.ready_text(name)
    if text is None:
        names = registry.ready_names()
        wrong = sanitize(name)
        titles = {each: str(registry.game(each).title) for each in names}
        meant = [each for each, title in titles.items() if name.casefold() in title.casefold()]
        if name and meant:
            likely = any_of(f"{each} ({titles[each]})" for each in meant)
            raise Misused(phrase("“{name}” is no ready page; did you mean {likely}?", name=wrong, likely=likely))
        raise Misused(
            phrase("“{name}” is no ready page; these are: {names}.", name=wrong, names=listed(names))
            if names
            else phrase("“{name}” is no ready page; there are none.", name=wrong)
        )
    return text
