"""Per-machine storage of the screens: the settings, and drafts of forms."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import platformdirs

from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.session.table.form_answers import Answers
    from companion.tabletop.decks.form import Values

OFF: Final = "off"
ON: Final = "on"


class ScreenSettings(NamedTuple):
    """The settings; "" for the default."""

    theme: str = ""
    printer: str = ""
    stock: str = ""
    paper: str = ""
    ink: str = ""
    """The ink: `black` or `colour`; "" for what the labels ask for."""
    codes: str = ""
    """`on` if labels of cards bear a code that identifies them."""
    warnings: str = ""
    cards: str = ""
    """`on` or `off` for the hints for the real cards; "" for hints until a game of that kind was sealed."""
    clock: str = ""
    """The countdown of a turn or round: `90`, `90 bell`."""
    draws: str = ""
    """The side that draws at a new table: `program`; "" for the table."""
    language: str = ""
    """The language: a code such as `de`, or the path of a translator's file; "" for that of the system."""

    @property
    def codes_labels(self) -> bool:
        """True if labels of cards bear codes."""
        return self.codes == ON

    @property
    def warns(self) -> bool:
        """True if a table asks before `next` costs a player the game."""
        return self.warnings != OFF

    def teaches(self, is_first: bool) -> bool:
        """Return True for hints on the real cards: as set, else while it is the first game of its kind."""
        return self.cards == ON if self.cards else is_first


class NotKept(OSError):
    """The settings could not be written; the message, without a full stop, names their file and the reason."""


def settings_file() -> Path:
    """Return the path of the settings, which need not exist."""
    return platformdirs.user_config_path("table-companion", appauthor=False) / "settings.toml"


def read_document(file: Path) -> Mapping[str, Any]:
    """Read a file that users may edit by hand. Raises OSError, ValueError or RecursionError."""
    # It loads the parser, which users without such a file do not need.
    from labels import handwritten

    return handwritten.parse(handwritten.read_toml_text(file))


def read_settings() -> ScreenSettings:
    """Read the settings; those that are unreadable or obsolete have their default."""
    if not os.path.exists(settings_file()):  # noqa: PTH110 – false, too, where the folder may not be looked into
        return ScreenSettings()
    try:
        document = read_document(settings_file())
    except (OSError, ValueError, RecursionError):  # also a number with too many digits, and nesting without end
        return ScreenSettings()
    return ScreenSettings(
        **{
            name: value
            for name, value in document.items()
            if name in ScreenSettings.__annotations__ and isinstance(value, str)
        }
    )


def write(settings: ScreenSettings) -> None:
    """Store the settings. Raises NotKept."""
    try:
        _write_settings(settings)
    except OSError as error:
        raise NotKept(
            phrase("“{file}” cannot be written ({reason})", file=str(settings_file()), reason=error.strerror)
        ) from error


def _write_settings(settings: ScreenSettings) -> None:
    file = settings_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    # A JSON string is a TOML string as well.
    rows = [f"{name} = {msgspec.json.encode(value).decode()}" for name, value in settings._asdict().items() if value]
    _replace_file(file, "\n".join(["# Written by the program; its settings screen changes it.", *rows, ""]).encode())


def _replace_file(file: Path, content: bytes) -> None:
    """Write a file whole or not at all. On Windows it cannot be replaced while another program reads it."""
    draft = file.with_suffix(".new")
    try:
        draft.write_bytes(content)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def change(**changes: str) -> ScreenSettings:
    """Change and store some settings; the others stay. Raises NotKept."""
    settings = read_settings()._replace(**changes)
    write(settings)
    return settings


Form = dict[str, dict[str, str | dict[str, str] | list[str | dict[str, str]]]]
"""Answers by the name of the game, then of the field."""
Drafts = dict[str, dict[str, Form]]
"""Drafts by the name of the archive, then of the form."""


_DRAFTS_LOCK: Final = threading.Lock()
"""The pages of a server keep drafts in several threads."""


def drafts_file() -> Path:
    """Return the path of the drafts, which need not exist."""
    return settings_file().with_name("drafts.json")


def draft_answers(archive: str, form: str) -> dict[str, Answers]:
    """Return the drafts of a form for this archive, by the names of games; their fields are added later."""
    by_game = _read_drafts().get(archive, {}).get(form, {})
    # It loads forms and games, which home does not need to paint.
    from companion.session.table.form_answers import Answers

    return {game: Answers((), values) for game, values in by_game.items()}


def keep_draft(archive: str, form: str, game: str, values: Values) -> None:
    """Store the draft of a form; delete it if the form is complete or empty. A full disk is ignored."""
    with _DRAFTS_LOCK:
        all_ = _read_drafts()
        forms = all_.setdefault(archive, {})
        games = forms.setdefault(form, {})
        if games.get(game, {}) == values:
            return
        # The draft that changed last comes last.
        games.pop(game, None)
        games |= {game: dict(values)} if values else {}
        try:
            _write_drafts(
                {name: values_by_form for name, values_by_form in all_.items() if any(values_by_form.values())}
            )
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
    _replace_file(file, msgspec.json.encode(drafts))
