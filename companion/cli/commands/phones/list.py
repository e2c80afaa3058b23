"""`companion phones list`."""

from __future__ import annotations

import click

from companion.archive import web_access
from companion.archive.web_access import DEFAULT_PERMISSIONS, Permissions, Phone
from companion.cli.common import archive_option, format_local_time, json_option, open_archive, print_list
from templates.languages.messages import Text, phrase


@click.command("list")
@archive_option
@json_option
def command(archive: str | None, as_json: bool) -> None:
    """List the phones that are logged in, with their seats and what they may do.

    \b
    Example: companion phones list
    """
    with open_archive(archive) as opened:
        door, phones, _ = web_access.read_access(opened)
    by_default: Permissions = door.permissions if door else DEFAULT_PERMISSIONS
    print_list(
        phones,
        (phrase("Name"), "ID", phrase("Seat"), phrase("May"), phrase("Seen")),
        lambda phone: _row_cells(phone, by_default),
        phrase("No phone was let in yet. companion serve prints the address and the PIN."),
        as_json=as_json,
        plain=lambda phone: _phone_fields(phone, by_default),
    )


def _row_cells(phone: Phone, by_default: Permissions) -> tuple[Text, ...]:
    state = (
        phrase("asks to come in · {code}", code=phone.code)
        if phone.waiting
        else phrase("sent away")
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
