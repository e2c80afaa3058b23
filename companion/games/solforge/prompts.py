"""What the people at the table should do now."""

from __future__ import annotations

from companion.games.solforge.state import Table
from companion.games.table import Prompt


def prompts(state: Table) -> tuple[Prompt, ...]:
    """The questions now, in the order in which they are asked."""
    return ()
