"""`companion deck new GAME`: a deck founded from the options that its game's form asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from companion.archive import Archive, deck_id, people, shelf
from companion.cli.common import (
    Misused,
    archive_option,
    find_deck,
    harmless,
    json_option,
    open_archive,
    print_json,
    print_table,
)
from companion.cli.forms.options import parameters, values
from companion.cli.printing import boxes
from companion.games import registry
from companion.tabletop.form import Filled, Form, Known, StoredDeck, Values
from companion.tabletop.game import Game


class Games(click.Group):
    """A group whose commands are the games whose decks can be founded."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(game.name for game in registry.all_games() if game.founding)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        game = registry.game(cmd_name)
        if game.founding is None:
            raise Misused(f"Decks of {game.title} are not founded here.")
        return _command(game, game.founding)


@click.group(cls=Games)
def new() -> None:
    """Found a deck of a GAME; what is needed for that differs from game to game.

    \b
    Example: companion deck new --help
    """


def _command(game: Game, form: Form) -> click.Command:
    def found(archive: str | None, as_json: bool, **typed: Any) -> None:
        _found_deck(game, form, values(form, typed), archive, as_json=as_json)

    about = f"{form.about}\n\n\b\nExample: companion deck new {game.name} {form.example}"
    command = click.Command(game.name, callback=found, params=list(parameters(form)), help=about)
    return json_option(archive_option(command))


def _found_deck(game: Game, form: Form, answers: Values, url: str | None, *, as_json: bool) -> None:
    deck = deck_id.new()
    with open_archive(url, create=True) as archive:
        taken = shelf.names_taken(archive, game.name, str(answers[form.fields[0].name]))
        known = Known(deck=deck, taken=taken, decks=_decks_in_answers(archive, form, answers))
        who = [field.name for field in form.fields if field.kind == "person" and field.name in answers]
        answers = {**answers, **{name: people.resolve_person(archive, str(answers[name])) for name in who}}
        filled = form.filled(answers, known)
        _, warnings = shelf.new_deck(archive, game, filled, deck)
        record = game.record(filled.marks)
        holder = record.holder
        purse = archive.purse(holder, record.person) if holder else 0
    unlabelled = boxes.warnings(filled.name)
    warnings = (*warnings, *unlabelled)
    if as_json:
        figures = dict(filled.figures)
        print_json({"deck": deck, "name": filled.name, **figures, "purse": purse, "warnings": warnings})
    else:
        _tell(deck, filled, warnings, holder, purse)
        boxes.tell(deck, unlabelled)


def _decks_in_answers(archive: Archive, form: Form, answers: Values) -> Mapping[str, StoredDeck]:
    """The decks that answers name, by their fields."""
    named = {
        field.name: find_deck(archive, answers[field.name])
        for field in form.fields
        if field.kind == "deck" and field.name in answers
    }
    return {field: StoredDeck(row.deck, archive.record(row.deck)) for field, row in named.items()}


def _tell(deck: str, filled: Filled, warnings: tuple[str, ...], holder: str, purse: int) -> None:
    click.echo(harmless(f"{filled.name} is founded: {deck_id.show(deck)}"))
    for table in filled.computed:
        print_table([column.title.upper() for column in table.columns], table.rows)
    for warning in warnings:
        click.echo(harmless(f"Mind: {warning}"))
    if filled.change:
        click.echo(harmless(f"{filled.change}; {holder}'s purse now holds {purse}."))
