"""What the people at the table should do now."""

from __future__ import annotations

from companion.games.soulforger.state import Table
from companion.games.table import Prompt


def prompts(state: Table) -> tuple[Prompt, ...]:
    return ()
