"""What is being filled in on home's forms, kept until it is done: a closed terminal loses nothing of it.

Separate from the archive, as nothing of it has happened yet, and from the settings, as nobody chooses it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.games.form import Values
from companion.session.answers import Answers
from companion.tui import settings


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


def _read() -> dict[str, Any]:
    try:
        told = json.loads(place().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _write(told: dict[str, Any]) -> None:
    file = place()
    if not told:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(".new")
    draft.write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
    draft.replace(file)
