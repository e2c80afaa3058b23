"""What the people at the table should do now: a question each, with the actions that answer it."""

from __future__ import annotations

from companion.games.oddfrontier.state import FrontierTable
from companion.games.table import Prompt


def prompts(state: FrontierTable) -> tuple[Prompt, ...]:
    """The questions of the present phase, in the order in which they are asked."""
    return ()
