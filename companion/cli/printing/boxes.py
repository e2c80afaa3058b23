"""Whether a new deck's box will get its label. Separate because founding, adopting and renaming all ask it."""

from __future__ import annotations

import click

from companion.archive import deck_id
from companion.cli.printing.usual import stock_name


def warnings(name: str) -> tuple[str, ...]:
    """What to tell whoever gives a deck this name: why its box label cannot be printed, if it cannot."""
    from companion.printing import jobs, run
    from labels.errors import LabelError

    try:
        told = jobs.name_refused(name, run.find_stock(stock_name(None)))
    except LabelError:
        return ()  # The usual stock is wrong, and no fault of the name's.
    return (f"{told} Its box gets no label until it is renamed: companion deck rename.",) if told else ()


def tell(deck: str, unlabelled: tuple[str, ...]) -> None:
    """Says how a new deck's box gets its label, where nothing is in the way of it."""
    if not unlabelled:
        click.echo(f"companion labels box {deck_id.show(deck)} -o box.pdf prints the label for its box.")
