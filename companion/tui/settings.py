"""What this machine keeps for screens: settings, and lines that were typed and not yet sent."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import platformdirs

if TYPE_CHECKING:
    from companion.session.form_filling import Answers
    from companion.tabletop.form import Values

OFF: Final = "off"
ON: Final = "on"


class Settings(NamedTuple):
    """The settings; "" for what is usual."""

    theme: str = ""
    printer: str = ""
    stock: str = ""
    paper: str = ""
    ink: str = ""
    """What is printed with: `black` or `colour`; "" for what the labels ask for."""
    codes: str = ""
    """Whether labels of cards bear a code that says what they are: `on`."""
    warnings: str = ""
    cards: str = ""
    """Whether it is told what to do with the real cards; "" until a game of that kind was sealed."""
    clock: str = ""
    """The countdown of a turn or round: `90`, `90 bell`."""
    draws: str = ""
    """The drawing side at a new table: `program`; "" for the table."""

    @property
    def codes_labels(self) -> bool:
        """Whether labels of cards bear codes."""
        return self.codes == ON

    @property
    def warns(self) -> bool:
        """Whether a table asks before `next` costs somebody the game."""
        return self.warnings != OFF

    def teaches(self, is_first: bool) -> bool:
        """Whether it is told what to do with the real cards: as chosen, else as long as it is the first such game."""
        return self.cards == ON if self.cards else is_first


class NotKept(OSError):
    """The settings could not be written; the sentence, without its full stop, names their file and says why."""


def settings_file() -> Path:
    """Where the file is; it need not be there."""
    return platformdirs.user_config_path("table-companion", appauthor=False) / "settings.toml"


def read_settings() -> Settings:
    """What was chosen; what cannot be read, or is no setting any more, counts as not chosen."""
    if not os.path.exists(settings_file()):  # noqa: PTH110 – false, too, where the folder may not be looked into
        return Settings()
    # It loads the parser, which nobody needs who has chosen nothing.
    from labels import handwritten

    try:
        document = handwritten.parse(handwritten.read_toml_text(settings_file()))
    except (OSError, ValueError, RecursionError):  # also a figure too long, and what is nested without end
        return Settings()
    return Settings(
        **{
            name: value
            for name, value in document.items()
            if name in Settings.__annotations__ and isinstance(value, str)
        }
    )


def write(settings: Settings) -> None:
    """Keep these from now on. Raises NotKept."""
    try:
        _write(settings)
    except OSError as error:
        raise NotKept(f"“{settings_file()}” cannot be written ({error.strerror})") from error


def _write(settings: Settings) -> None:
    import json

    file = settings_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    # A JSON text is a TOML text as well.
    rows = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in settings._asdict().items() if value]
    _replace(file, "\n".join(["# Written by the program; its settings screen changes it.", *rows, ""]).encode())


def _replace(file: Path, content: bytes) -> None:
    """Write a file whole or not at all. On Windows it cannot be replaced while another program reads it."""
    draft = file.with_suffix(".new")
    try:
        draft.write_bytes(content)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def change(**changes: str) -> Settings:
    """Choose anew, and keep it; what is not named stays. Raises NotKept."""
    settings = read_settings()._replace(**changes)
    write(settings)
    return settings


Form = dict[str, dict[str, str | dict[str, str] | list[str | dict[str, str]]]]
"""What is filled in by the names of games, then of fields."""
Drafts = dict[str, dict[str, Form]]
"""The same by the archive that it is for, and by the form."""


def drafts_file() -> Path:
    """Where the file is; it need not be there."""
    return settings_file().with_name("drafts.json")


def draft_answers(archive: str, form: str) -> dict[str, Answers]:
    """What was filled in on a form beside this archive and not done, by the names of games; their fields follow."""
    by_game = _read_drafts().get(archive, {}).get(form, {})
    # It loads what forms and games are made of, which home is painted without.
    from companion.session.form_filling import Answers

    return {game: Answers((), values) for game, values in by_game.items()}


def keep_draft(archive: str, form: str, game: str, values: Values) -> None:
    """Keep what is filled in by now; nothing, where the form is done or empty. A full disk is no reason to stop."""
    all_ = _read_drafts()
    forms = all_.setdefault(archive, {})
    games = forms.setdefault(form, {})
    if games.get(game, {}) == values:
        return
    # What was touched last stands last.
    games.pop(game, None)
    games |= {game: dict(values)} if values else {}
    try:
        _write_drafts({name: values_by_form for name, values_by_form in all_.items() if any(values_by_form.values())})
    except OSError:
        return


def _read_drafts() -> Drafts:
    try:
        return msgspec.json.decode(drafts_file().read_bytes(), type=Drafts)
    except (OSError, msgspec.MsgspecError):
        return {}


def _write_drafts(drafts: Drafts) -> None:
    file = drafts_file()
    if not drafts:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    _replace(file, msgspec.json.encode(drafts))
