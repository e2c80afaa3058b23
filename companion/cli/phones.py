"""`companion phones`: the phones that were admitted to the pages, and their permissions."""

from collections.abc import Callable
from functools import partial

import click

from companion.archive import Archive, ArchiveError, Unknown, web_access
from companion.archive.web_access import PERMISSIONS, Permissions, Phone
from companion.cli.common import archive_option, format_local_time, json_option, open_archive, print_list, sanitize
from companion.tabletop.text import quote_text


@click.group("phones")
def command() -> None:
    """See which phones were let in to the pages, and send one away; companion serve lets them in.

    PHONE is the name that was typed on it, or the beginning of its id. All of it holds at once, also for pages that
    are open.

    \b
    Example: companion phones away Ben
    """


@command.command("list")
@archive_option
@json_option
def list_(archive: str | None, as_json: bool) -> None:
    """List the phones that were let in, with the seat and what they may do.

    \b
    Example: companion phones list
    """
    with open_archive(archive) as opened:
        door, phones, _ = web_access.read_access(opened)
    by_default: Permissions = door.permissions if door else "look"
    print_list(
        phones,
        ("NAME", "ID", "SEAT", "MAY", "SEEN"),
        lambda phone: _row_cells(phone, by_default),
        "No phone was let in yet. companion serve prints the address and the PIN.",
        as_json=as_json,
        plain=lambda phone: _phone_fields(phone, by_default),
    )


def _row_cells(phone: Phone, by_default: Permissions) -> tuple[str, ...]:
    state = (
        f"asks to come in · {phone.code}"
        if phone.waiting
        else "sent away"
        if phone.away
        else phone.permissions or by_default
    )
    return phone.name or "?", phone.phone[:6], phone.seat, state, format_local_time(phone.seen)


def _phone_fields(phone: Phone, by_default: Permissions) -> dict[str, object]:
    return {
        "phone": phone.phone,
        "name": phone.name,
        "session": phone.session,
        "seat": phone.seat,
        "hands": phone.permissions or by_default,
        "away": phone.away,
        "waiting": phone.waiting,
        "code": phone.code if phone.waiting else "",
        "since": phone.since,
        "seen": phone.seen,
    }


@command.command()
@click.argument("phone")
@archive_option
def away(phone: str, archive: str | None) -> None:
    """Send a phone away: it sees nothing any more.

    \b
    Example: companion phones away Ben
    """
    name = _change_phone(phone, archive, web_access.block_phone)
    click.echo(f"{name} is sent away; another PIN (companion serve --pin) keeps everybody out.")


@command.command()
@click.argument("phone")
@archive_option
def back(phone: str, archive: str | None) -> None:
    """Let a phone in that asks for it, or was sent away.

    A phone that asks has three digits on it, which stand behind its name in the list; PHONE can be these, too.

    \b
    Example: companion phones back Ben
    """
    name = _change_phone(phone, archive, partial(web_access.block_phone, away=False))
    click.echo(f"{name} may come back.")


@command.command("hands")
@click.argument("phone")
@click.argument("permissions", type=click.Choice(PERMISSIONS))
@archive_option
def allow(phone: str, permissions: Permissions, archive: str | None) -> None:
    """Say what a phone may do: look, answer for its own seat, or all.

    \b
    Example: companion phones hands Ana own
    """
    name = _change_phone(phone, archive, partial(web_access.set_permission, permissions=permissions))
    click.echo(f"{name}: {permissions}.")


def _change_phone(phone: str, archive: str | None, change: Callable[[Archive, str], object]) -> str:
    """Change the record of a phone, and return its name. Raises as `_find_phone` does."""
    with open_archive(archive) as opened:
        match = _find_phone(opened, phone)
        change(opened, match.phone)
    code = f" · {match.code}" if match.waiting else ""
    return sanitize(f"{match.name or match.phone[:6]}{code}")


def _find_phone(archive: Archive, text: str) -> Phone:
    """Return the phone that a text refers to. Raises Unknown, or ArchiveError if there are several."""
    _, phones, _ = web_access.read_access(archive)
    by_name = [phone for phone in phones if phone.name.casefold() == text.casefold()]
    by_name += [phone for phone in phones if phone.waiting and phone.code.replace(" ", "") == text.replace(" ", "")]
    matches = by_name or [phone for phone in phones if text and phone.phone.startswith(text.lower())]
    if not matches:
        raise Unknown(f"No phone {quote_text(text)} was let in; companion phones list shows all.")
    if len(matches) > 1:
        ids = ", ".join(phone.phone[:6] for phone in matches)
        raise ArchiveError(
            f"{len(matches)} phones are called {quote_text(text)}: {ids}; name the one you mean by its id."
        )
    return matches[0]
