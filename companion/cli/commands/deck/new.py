"""`companion deck new GAME`: the questions of a game's form become options, and the answers a new deck."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

import click

from companion.archive import Archive, deck_id, deck_records
from companion.archive.people import people
from companion.cli.common import (
    Misused,
    archive_option,
    find_deck,
    json_option,
    open_archive,
    pages_at_hand,
    print_json,
    print_table,
    print_warnings,
    sanitize,
)
from companion.cli.deck_lists import ask_wishes, read_list_text
from companion.cli.help_texts import VERBATIM, title_of_examples, translate_command, write_commands
from companion.cli.printing import options
from companion.games import registry
from companion.tabletop.constructed.founding import ConstructedForm, read_wishes, write_wishes
from companion.tabletop.decks.form import Field, Filled, Form, FormContext, StoredDeck, Values
from companion.tabletop.game import Game
from templates.languages.messages import Text, phrase


def parameters(form: Form) -> Iterator[click.Parameter]:
    """Yield the parameters: the form's first field as an argument, each other as an option."""
    first, *others = form.fields
    yield click.Argument([_python_name(first)], metavar=first.name.upper())
    for field in others:
        yield _build_option(field)


def _build_option(field: Field) -> click.Option:
    number = click.IntRange(field.least, field.most) if field.kind == "number" else None
    return click.Option(
        [f"--{field.name}", _python_name(field)],
        required=field.required,
        multiple=field.many,
        metavar=_field_placeholder(field) or None,
        type=click.File("rb") if field.kind == "list" else number,
        default=(int(field.default) if number else field.default) if field.default else None,
        show_default=bool(field.default),
        is_flag=field.kind == "flag",
        help=str(field.explanation),
    )


def _python_name(field: Field) -> str:
    """Return the field's name as a Python identifier."""
    return field.name.replace("-", "_")


def _field_placeholder(field: Field) -> str:
    """Return a placeholder such as `CARD[=NAME]`."""
    if not field.parts:
        return field.word
    first, *rest = field.parts
    words = [f"={_field_word(part)}" if part.required else f"[={_field_word(part)}]" for part in rest]
    return "".join((_field_word(first), *words))


def _field_word(field: Field) -> str:
    return field.word or field.name.upper()


def values(form: Form, options: Mapping[str, Any]) -> Values:
    """Return the typed answers to the form, without those that were not given. Raises Misused."""
    options_by_field = {field: options.get(_python_name(field)) for field in form.fields}
    return {
        field.name: _convert_answer(field, value)
        for field, value in options_by_field.items()
        if value not in (None, (), False)
    }


def _convert_answer(field: Field, value: Any) -> Any:
    if field.kind == "flag":
        return "yes"
    if field.kind == "list":
        return read_list_text(value)
    if field.many:
        return [_split_answer(field, str(text)) for text in value]
    return _split_answer(field, str(value))


def _split_answer(field: Field, text: str) -> Any:
    """Return the text, or for a field made of parts, a mapping of these by name."""
    if not field.parts:
        return text
    parts = text.split("=", len(field.parts) - 1)
    needed = sum(part.required for part in field.parts)
    if len(parts) < needed:
        raise Misused(
            phrase(
                "“{text}” cannot be read; write --{field} '{example}'.",
                text=text,
                field=field.name,
                example=field.example,
            )
        )
    return {part.name: word.strip() for part, word in zip(field.parts, parts, strict=False)}


class GameCommands(click.Group):
    """A group whose commands are the games with decks that can be founded."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        with pages_at_hand(_archive_of(ctx)):
            return sorted(game.word for game in registry.games_with_decks() if game.decks.founding)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # The list of games is needed before the command exists whose option names the archive.
        given = [after for before, after in pairwise(args) if before == _ARCHIVE]
        given += [arg.partition("=")[2] for arg in args if arg.startswith(f"{_ARCHIVE}=")]
        ctx.meta[_ARCHIVE] = given[-1] if given else None
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        with pages_at_hand(_archive_of(ctx)):
            game = registry.game(cmd_name)
        if game.decks.founding is None:
            raise Misused(phrase("Decks of {game} are not founded here.", game=game.title))
        return _command(game, game.decks.founding)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all games with the first sentences of their forms."""
        names = self.list_commands(ctx)
        commands = ((name, self.get_command(ctx, name)) for name in names)
        summaries = [(name, each.get_short_help_str(sys.maxsize)) for name, each in commands if each is not None]
        write_commands(summaries, formatter)


_ARCHIVE: Final = "--archive"


def _archive_of(ctx: click.Context) -> str | None:
    """Return the archive that a command line names, at any place."""
    before = ctx.find_root().params.get("archive")
    return ctx.meta.get(_ARCHIVE) or (before if isinstance(before, str) else None)


@click.group("new", cls=GameCommands)
def command() -> None:
    """Build a deck for a GAME; each game has its own options.

    \b
    Example: companion deck new --help
    """


def _command(game: Game, form: Form) -> click.Command:
    def create(archive: str | None, as_json: bool, **options: Any) -> None:
        _found_deck(game, form, values(form, options), archive, as_json=as_json)

    title = title_of_examples("Example:")
    about = f"{form.about}\n\n{VERBATIM}{title} companion deck new {game.word} {form.example}"
    command = translate_command(json_option(archive_option(click.Command(game.word, callback=create))))
    command.help = about
    command.params[:0] = parameters(form)
    return command


def _found_deck(game: Game, form: Form, answers: Values, url: str | None, *, as_json: bool) -> None:
    with open_archive(url, create=True) as archive:
        deck = archive.new_deck_id()
        names = deck_records.names_taken(archive, game.name, str(answers[form.fields[0].name]))
        context = FormContext(deck=deck, taken=names, decks=_decks_in_answers(archive, form, answers))
        who = [field.name for field in form.fields if field.kind == "person" and field.name in answers]
        answers = {**answers, **{name: people.resolve_person(archive, str(answers[name])) for name in who}}
        filled = form.validate_answers(answers, context)
        if filled.summary and not as_json:
            click.echo(sanitize(filled.summary))
        if isinstance(form, ConstructedForm) and any(finding.unreadable for finding in filled.findings):
            answers = _ask_about_list(form, answers)
            filled = form.validate_answers(answers, context)
        _, warnings = deck_records.new_deck(archive, game, filled, deck)
        record = game.record(filled.marks)
        holder = record.holder
        purse = archive.purse(holder, record.person) if holder else 0
    unlabelled = options.box_label_warnings(filled.name)
    warnings = (*warnings, *unlabelled)
    if as_json:
        figures = dict(filled.figures)
        about = {"deck": deck, "name": filled.name, **figures, "purse": purse, "warnings": warnings}
        print_json({**about, "summary": filled.summary} if filled.summary else about)
    else:
        _print_deck(deck, filled, warnings, holder, purse)
        options.print_box_hint(deck, unlabelled)


def _ask_about_list(form: ConstructedForm, answers: Values) -> Values:
    """Ask at a terminal for what is unclear in a list; return the answers with those."""
    wishes = read_wishes(answers)
    deck = form.lists.read(str(answers["list"]), wishes)
    return {**answers, **write_wishes(ask_wishes(wishes, deck.open_sections, deck.unread, form.lists.parts))}


def _decks_in_answers(archive: Archive, form: Form, answers: Values) -> Mapping[str, StoredDeck]:
    """Return the decks that the answers name, by field."""
    rows = {
        field.name: find_deck(archive, answers[field.name])
        for field in form.fields
        if field.kind == "deck" and field.name in answers
    }
    return {field: StoredDeck(row.deck, archive.record(row.deck)) for field, row in rows.items()}


def _print_deck(deck: str, filled: Filled, warnings: tuple[Text, ...], holder: str, purse: int) -> None:
    click.echo(sanitize(phrase("{name} is built: {deck}", name=filled.name, deck=deck_id.show(deck))))
    for table in filled.computed:
        print_table([column.title for column in table.columns], [[*map(str, row)] for row in table.rows])
    print_warnings(warnings)
    if filled.change:
        click.echo(
            sanitize(
                phrase(
                    "{change}; {holder}'s purse now holds {purse}.", change=filled.change, holder=holder, purse=purse
                )
            )
        )
