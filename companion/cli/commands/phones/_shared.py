"""Shared parts of the commands of `companion phones`."""

from __future__ import annotations

from collections.abc import Callable

from companion.archive import Archive, ArchiveError, Unknown, web_access
from companion.archive.web_access import Phone
from companion.cli.common import open_archive, sanitize
from companion.tabletop.text import in_quotes
from templates.languages.messages import phrase


def change_phone(phone: str, archive: str | None, change: Callable[[Archive, str], object]) -> str:
    """Change the record of a phone, and return its name. Raises as `find_phone` does."""
    with open_archive(archive) as opened:
        match = find_phone(opened, phone)
        change(opened, match.phone)
    code = f" · {match.code}" if match.waiting else ""
    return sanitize(f"{match.name or match.phone[:6]}{code}")


def find_phone(archive: Archive, text: str) -> Phone:
    """Return the phone that a text refers to. Raises Unknown, or ArchiveError if there are several."""
    _, phones, _ = web_access.read_access(archive)
    by_name = [phone for phone in phones if phone.name.casefold() == text.casefold()]
    by_name += [phone for phone in phones if phone.waiting and phone.code.replace(" ", "") == text.replace(" ", "")]
    matches = by_name or [phone for phone in phones if text and phone.phone.startswith(text.lower())]
    if not matches:
        raise Unknown(phrase("No phone {text} was let in; companion phones list shows all.", text=in_quotes(text)))
    if len(matches) > 1:
        ids = ", ".join(phone.phone[:6] for phone in matches)
        raise ArchiveError(
            phrase(
                "{matches} phones are called {text}: {ids}; name the one you mean by its id.",
                matches=str(len(matches)),
                text=in_quotes(text),
                ids=ids,
            )
        )
    return matches[0]
