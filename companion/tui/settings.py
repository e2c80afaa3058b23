"""What somebody has chosen for this machine, kept over restarts: the theme, what is usually printed on, warnings.

Separate because the app reads it before the first paint, and nothing of the archive is known then.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

import platformdirs

OFF: Final = "off"


class Settings(NamedTuple):
    """The settings; "" for what is usual."""

    theme: str = ""
    printer: str = ""
    stock: str = ""
    paper: str = ""
    warnings: str = ""

    @property
    def warns(self) -> bool:
        """Whether a table asks before `next` costs somebody the game."""
        return self.warnings != OFF


def place() -> Path:
    """Where the file is; it need not be there."""
    return platformdirs.user_config_path("table-companion", appauthor=False) / "settings.toml"


def read() -> Settings:
    """What was chosen; what cannot be read, or is no setting any more, counts as not chosen."""
    if not place().exists():
        return Settings()
    # It loads the parser, which nobody needs who has chosen nothing.
    from labels import handwritten

    try:
        told = handwritten.parse(handwritten.read(place()))
    except (OSError, ValueError, RecursionError):  # also a figure too long, and what is nested without end
        return Settings()
    return Settings(
        **{name: said for name, said in told.items() if name in Settings.__annotations__ and isinstance(said, str)}
    )


def write(settings: Settings) -> None:
    """Keep these from now on. Raises OSError."""
    import json

    file = place()
    file.parent.mkdir(parents=True, exist_ok=True)
    # A JSON text is a TOML text as well.
    rows = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in settings._asdict().items() if value]
    draft = file.with_suffix(".new")
    draft.write_text(
        "\n".join(["# Written by the program; its settings screen changes it.", *rows, ""]), encoding="utf-8"
    )
    draft.replace(file)


def change(**chosen: str) -> Settings:
    """Choose anew, and keep it; what is not named stays. Raises OSError."""
    settings = read()._replace(**chosen)
    write(settings)
    return settings
