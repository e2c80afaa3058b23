"""What is usual on this machine, from the settings that screens use, too. Separate because every print asks for it."""

from __future__ import annotations

from typing import Any

import click

from companion.tui import settings
from labels.paper import LETTER, Paper, PaperError, paper, usable


class PaperType(click.ParamType[Paper]):
    """An option that takes a paper: letter, a4, or a width and a height."""

    name = "paper"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Paper:
        """The paper that is meant."""
        if isinstance(value, Paper):
            return value
        try:
            return paper(str(value))
        except PaperError as error:
            self.fail(str(error), param, ctx)


def stock_name(given: str | None) -> str | None:
    """The stock that was given, or the usual one."""
    return given or settings.read().stock or None


def plain(given: Paper | None) -> Paper:
    """The plain paper that was given, or the usual one, or Letter."""
    said = settings.read().paper
    return given or (paper(said) if usable(said) else LETTER)
