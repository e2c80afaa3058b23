"""What is being filled in on home's forms, kept until it is done: a closed terminal loses nothing of it.

Separate from the archive, as nothing of it has happened yet, and from the settings, as nobody chooses it.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion.session.form_filling import Answers
from companion.tabletop.form import Values
from companion.tui import settings

Form = dict[str, dict[str, str | dict[str, str] | list[str | dict[str, str]]]]
"""What is filled in by the names of games, then of fields."""
Kept = dict[str, dict[str, Form]]
"""The same by the archive that it is for, and by the form."""


def place() -> Path:
    """Where the file is; it need not be there."""
    return settings.place().with_name("drafts.json")


def answers(archive: str, form: str) -> dict[str, Answers]:
    """What was filled in on a form beside this archive and not done, by the names of games; their fields follow."""
    kept = _read().get(archive, {}).get(form, {})
    return {game: Answers((), values) for game, values in kept.items()}


def keep(archive: str, form: str, game: str, values: Values) -> None:
    """Keep what is filled in by now; nothing, where the form is done or empty. A full disk is no reason to stop."""
    all_ = _read()
    forms = all_.setdefault(archive, {})
    games = forms.setdefault(form, {})
    if games.get(game, {}) == values:
        return
    # What was touched last stands last.
    games.pop(game, None)
    games |= {game: dict(values)} if values else {}
    try:
        _write({name: told for name, told in all_.items() if any(told.values())})
    except OSError:
        return


def _read() -> Kept:
    try:
        return msgspec.json.decode(place().read_bytes(), type=Kept)
    except (OSError, msgspec.MsgspecError):
        return {}


def _write(told: Kept) -> None:
    file = place()
    if not told:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(".new")
    draft.write_bytes(msgspec.json.encode(told))
    draft.replace(file)
