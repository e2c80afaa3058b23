"""The commands that change a deck's record: chores, tags, corrections, names, audits, retirement."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from companion.archive import Archive, DeckRow, Unknown, deck_id, deck_records
from companion.archive.deck_records import OpenChores
from companion.archive.storage import files
from companion.cli import common
from companion.cli.common import (
    Misused,
    Refused,
    archive_option,
    find_deck,
    force_option,
    json_option,
    open_archive,
    output_option,
    plain_chores,
    print_json,
    print_or_write,
    print_table,
    print_warnings,
    read_text,
    sanitize,
)
from companion.cli.printing import options
from companion.games import registry
from companion.tabletop.records import Reason


def print_changed(archive: Archive, deck: str, warnings: Sequence[str] = ()) -> None:
    """Print the name of the deck, its last mark, and its chores as JSON."""
    row = archive.find_deck(deck)
    print_json(
        {
            "deck": row.deck,
            "name": row.name,
            "mark": archive.story(row.deck)[-1]._asdict(),
            "warnings": warnings,
            "chores": plain_chores(deck_records.chores(archive, row.deck)),
        }
    )


@click.command("tag")
@click.argument("deck")
@click.argument("words", metavar="[TAG]...", nargs=-1)
@click.option("--off", metavar="TAG", multiple=True, help="Take this tag away; may be given several times.")
@archive_option
@json_option
def tag(deck: str, words: Sequence[str], off: Sequence[str], archive: str | None, as_json: bool) -> None:
    """Give a deck tags, or take them away; without any, say which it has.

    A tag is a word or a few, in any case; it is part of the deck's story, and goes with it to other homes.

    \b
    Examples: companion deck tag "Grave Choir" league "to be repaired"
              companion deck tag "Grave Choir" --off league
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        tags = deck_records.change_tags(opened, row.deck, words, off)
    if as_json:
        print_json({"deck": row.deck, "name": row.name, "tags": tags})
    else:
        click.echo(sanitize(f"{row.name}: {', '.join(tags) or 'no tags'}."))


@click.command("chores")
@click.argument("deck", required=False)
@click.option("--evening", metavar="SESSION", help="Only what this session called for, of all its decks.")
@click.option(
    "--done", "ticks", metavar="N|all", multiple=True, help="Tick off a chore by its number, or all that are listed."
)
@click.option("--by", default="", help="Who did it by hand.")
@common.page_options
@archive_option
@json_option
def chores(
    deck: str | None,
    evening: str | None,
    ticks: Sequence[str],
    by: str,
    page: common.PageOptions,
    archive: str | None,
    as_json: bool,
) -> None:
    """List what is still to be done by hand, or tick it off.

    Without DECK that of all decks: on a terminal a page of decks at a time, elsewhere of all at once.

    \b
    Examples: companion deck chores
              companion deck chores "Grave Choir" --done 12.1 --done 12.2
              companion deck chores --evening K3QX --done all
    """
    if ticks and deck is None and tuple(ticks) != ("all",):
        raise Misused("A chore's number is of one deck: name the DECK, or say --done all.")
    with open_archive(archive) as opened:
        session = opened.find_session(evening).session if evening else ""
        if deck is None and not session:
            # Ticked chores are not listed, so all of them are read.
            at, count = (0, None) if ticks else (page.at, page.limit)
            decks, entries = deck_records.all_chores(opened, at, count, due=not as_json)
            total = decks.total
        else:
            entries = _find_entries(opened, deck, session)
            total = len(entries)
        results = [
            OpenChores(each.row, deck_records.tick(opened, each.row.deck, ticks, by, session))
            for each in (entries if ticks else ())
            if each.chores or deck
        ]
    if as_json:
        some = results if ticks else entries
        print_json(
            [{"deck": each.row.deck, "name": each.row.name, "chores": plain_chores(each.chores)} for each in some]
        )
    elif ticks:
        _print_ticks(results)
    else:
        _print_chores(entries)
        common.print_page_position(page, entries, total, "decks with chores")


def _find_entries(archive: Archive, deck: str | None, session: str) -> tuple[OpenChores, ...]:
    """Return the chores of one deck, or of those of a session."""
    rows: Sequence[DeckRow] = deck_records.decks_of_session(archive, session) if session else ()
    if deck is not None:
        only = find_deck(archive, deck)
        if session and only.deck not in [row.deck for row in rows]:
            raise Unknown("That deck was not played in this session; companion deck history tells where it was.")
        rows = [only]
    return tuple(OpenChores(row, deck_records.chores(archive, row.deck, session)) for row in rows)


def _print_chores(entries: Sequence[OpenChores]) -> None:
    some = [each for each in entries if each.chores]
    for place, each in enumerate(some):
        if place:
            click.echo()
        click.echo(sanitize(each.row.name))
        print_table(("", ""), [(f"  {chore.id}", chore.text) for chore in each.chores])
    if not some:
        click.echo("Nothing is left to do by hand.")


def _print_ticks(results: Sequence[OpenChores]) -> None:
    for each in results:
        count = len(each.chores)
        click.echo(sanitize(f"{each.row.name}: {count} {'thing is' if count == 1 else 'things are'} done."))
    if not results:
        click.echo("Nothing was left to do by hand.")


@click.command()
@click.argument("deck")
@click.argument("number", type=click.IntRange(1))
@click.option("--reason", required=True, help="Why it is wrong, for those who read the story later.")
@click.option("--by", default="", help="Who says so.")
@archive_option
@json_option
def correct(deck: str, number: int, reason: str, by: str, archive: str | None, as_json: bool) -> None:
    """Take back the mark with this NUMBER of the deck's history.

    Nothing is deleted: the story shows the mark and the correction, and what was done by hand already is asked to be
    undone. A correction can be taken back like any other mark.

    \b
    Example: companion deck correct "Grave Choir" 14 --reason "bought for the other deck"
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        deck_records.correct(opened, row.deck, number, reason, by)
        if as_json:
            print_changed(opened, row.deck)
            return
        click.echo(sanitize(opened.story(row.deck)[-1].text))
        _print_due(opened, row)


@click.command()
@click.argument("deck")
@click.argument("name")
@click.option("--reason", help="Why, for those who read the story later; else that it is a new name.")
@click.option("--by", default="", help="Who says so.")
@archive_option
@json_option
def rename(deck: str, name: str, reason: str | None, by: str, archive: str | None, as_json: bool) -> None:
    """Give a deck another NAME, for instance where two homes chose the same.

    \b
    Example: companion deck rename 7K3M-9QPX-2B4T-C "Grave Choir of the North"
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        deck_records.rename_deck(opened, row.deck, name, reason or Reason("renamed"), by)
        renamed = opened.find_deck(row.deck).name
        warnings = options.box_label_warnings(renamed)
        if as_json:
            print_changed(opened, row.deck, warnings)
            return
        click.echo(sanitize(f"{row.name} is called {renamed} now."))
        print_warnings(warnings)
        _print_due(opened, row)


@click.command()
@click.argument("deck")
@click.option("--heirloom", default="", metavar="WHAT", help="What it leaves: one of its history.")
@click.option("--by", default="", help="Whose heirloom that is.")
@archive_option
@json_option
def retire(deck: str, heirloom: str, by: str, archive: str | None, as_json: bool) -> None:
    """End a deck's life: it stays readable for ever, and its name is never used again.

    \b
    Example: companion deck retire "Salt and Iron" --heirloom sharp --by Cy
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        deck_records.retire(opened, row.deck, heirloom, by)
        if as_json:
            print_changed(opened, row.deck)
            return
        click.echo(
            sanitize(f"{row.name} has retired. Its story stays: companion deck history {deck_id.show(row.deck)}")
        )
        _print_due(opened, row)


@click.command()
@click.argument("deck")
@click.argument("more_photos", nargs=-1, type=click.Path(path_type=Path), metavar="")
@click.option("--questions", is_flag=True, help="Print what the box should look like, to be changed and given back.")
@click.option("--answers", type=click.Path(path_type=Path), metavar="FILE", help="What the box does look like.")
@click.option(
    "--photo",
    "photos",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="PICTURE…",
    help="What photographs of the deck show, whose labels bear codes.",
)
@click.option("--take", "takes", metavar="N|all", multiple=True, help="Write down what follows from photographs.")
@output_option("File for the questions; with --photo the picture, each label framed and named, as .png.")
@click.option("--reason", help="What the story shall say; else that the box was looked through.")
@click.option("--by", default="", help="Who looked.")
@archive_option
@force_option
@json_option
def audit(
    deck: str,
    more_photos: Sequence[Path],
    questions: bool,
    answers: Path | None,
    photos: Sequence[Path],
    takes: Sequence[str],
    out: Path | None,
    reason: str | None,
    by: str,
    archive: str | None,
    force: bool,
    as_json: bool,
) -> int:
    """Walk through the box card by card, and mend the record where it differs.

    On a terminal every card is asked about: Enter or y where it is so, n where it is not there, or what stands there
    instead; then what is there besides. Elsewhere print --questions, change what differs, give it back as --answers.

    With --photo the codes on labels tell it: spread the cards so that each shows its left edge, and take one picture
    or several. Nothing is written down unless somebody says so. The status is 1 where deck and record do not agree.

    \b
    Examples: companion deck audit "Grave Choir"
              companion deck audit "Grave Choir" --questions -o box.txt
              companion deck audit "Grave Choir" --answers box.txt
              companion deck audit "Grave Choir" --photo spread.jpg -o framed.png
    """
    if photos:
        if questions or answers or reason:
            raise Misused("A photograph needs no questions: give --photo alone.")
        return _audit_photos(deck, (*photos, *more_photos), takes, out, by, archive, force=force, as_json=as_json)
    if more_photos or takes:
        raise Misused("Pictures of a deck are named behind --photo, and --take is for what follows from them.")
    if out is not None and not questions:
        raise Misused("Questions alone are written into a file; give --questions beside -o.")
    return _audit_box(deck, questions, answers, out, reason, by, archive, force=force, as_json=as_json)


def _audit_photos(
    deck: str,
    photos: Sequence[Path],
    takes: Sequence[str],
    out: Path | None,
    by: str,
    archive: str | None,
    *,
    force: bool,
    as_json: bool,
) -> int:
    from companion.cli.decks.photographs import audit_photographs

    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        return audit_photographs(opened, row, photos, takes, out, by, force=force, as_json=as_json)


def _audit_box(
    deck: str,
    questions: bool,
    answers: Path | None,
    out: Path | None,
    reason: str | None,
    by: str,
    archive: str | None,
    *,
    force: bool,
    as_json: bool,
) -> int:
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        shelved = deck_records.read_marks(opened, row.deck)
        paper = shelved.keeping.paper(shelved.marks)
        if questions:
            print_or_write(
                _write_questions(row, paper, shelved.keeping.example), out, "questions to answer.", force=force
            )
            return 0
        if answers is not None:
            answers_given = dict(_read_answers(answers, shelved))
        elif sys.stdin.isatty():
            answers_given = dict(_ask_spots(shelved, paper))
        else:
            raise Misused("This is not a terminal to ask on: print --questions, and give them back as --answers.")
        mended = deck_records.mend(opened, row.deck, answers_given, reason or Reason("box-looked-through"), by)
        if as_json:
            print_json({"deck": row.deck, "asked": len(answers_given), "mended": mended})
            return 0
        for text in mended:
            click.echo(sanitize(text))
        if not mended:
            click.echo("The box and the record agree.")
        _print_due(opened, row)
    return 0


def _print_due(archive: Archive, row: DeckRow) -> None:
    """Print the number of chores, if there are any."""
    if chores := deck_records.chores(archive, row.deck):
        things = "1 thing" if len(chores) == 1 else f"{len(chores)} things"
        click.echo(f"{things} to do by hand: companion deck chores {deck_id.show(row.deck)}")


def _write_questions(row: DeckRow, paper: Mapping[str, str], example: str) -> str:
    lines = (
        f"# {row.name} ({deck_id.show(row.deck)}), as its box should look. Change what is otherwise,",
        f"# write no where something is not there, and add a line where something is there besides: {example}",
        *(f"{spot}: {text}" for spot, text in paper.items()),
    )
    return "".join(f"{sanitize(line)}\n" for line in lines)


def _read_answers(file: Path, shelved: deck_records.MarkedDeck) -> Iterator[tuple[str, str]]:
    """Yield the answer for each spot of a file. Raises Misused with the number of the line."""
    with files.open_input(file) as opened:
        rows = read_text(opened).splitlines()
    for number, row in enumerate(rows, 1):
        if not row.strip() or row.lstrip().startswith("#"):
            continue
        spot, text = _split_spot(row, shelved.keeping.paper(shelved.marks))
        if not spot:
            raise Misused(
                sanitize(
                    f"{file}:{number}: write what stands where, as in `{shelved.keeping.example}`, not “{row.strip()}”."
                )
            )
        try:
            yield shelved.keeping.read_spot(spot), text
        except ValueError as error:
            raise Misused(sanitize(f"{file}:{number}: {error}")) from None


def _split_spot(row: str, paper: Mapping[str, str]) -> tuple[str, str]:
    """Split a row into a spot and its text; the name of a spot may contain a colon.

    Both are "" if there is no colon.
    """
    parts = row.split(":")
    splits = [(":".join(parts[:at]).strip(), ":".join(parts[at:]).strip()) for at in range(1, len(parts))]
    return next((split for split in splits if split[0] in paper), splits[0] if splits else ("", ""))


def _ask_spots(shelved: deck_records.MarkedDeck, paper: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Prompt for the text of each spot, and for further spots."""
    for spot, text in paper.items():
        answer = click.prompt(sanitize(shelved.keeping.question(spot, text)), default="y", show_default=False).strip()
        yield spot, text if answer.lower() in ("y", "yes") else "" if answer.lower() in ("n", "no") else answer
    question = f"Anything else, as {shelved.keeping.example}?"
    while more := click.prompt(question, default="", show_default=False).strip():
        spot, text = _split_spot(more, paper)
        try:
            yield shelved.keeping.read_spot(spot or more), text or "yes"
        except ValueError as error:
            click.echo(sanitize(str(error)), err=True)


@click.command()
@click.argument("deck")
@click.option("--take", type=click.IntRange(1), metavar="EDITION", help="Go by this edition from now on.")
@click.option("--by", default="", help="Who says so.")
@archive_option
@json_option
def edition(deck: str, take: int | None, by: str, archive: str | None, as_json: bool) -> None:
    """Say by which edition of its game's page a deck goes, and which later ones are here; or take another.

    Of a later one it is told what it changes. What is written on its cards stays as it is, whatever an edition says.

    \b
    Examples: companion deck edition "Grave Choir"
              companion deck edition "Grave Choir" --take 2
    """
    from companion.archive.exchange import pages

    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        if not row.page:
            raise Refused(f"{row.name} is a deck of {registry.title(row.game)}, which is no page and has no editions.")
        if take is not None:
            pages.take_edition(opened, row, pages.find_edition(opened, row, take).page, by)
            row = opened.find_deck(row.deck)
        now, later = pages.page_row(opened, row.page), pages.later_editions(opened, row)
        changes = [pages.edition_changes(opened, row, each) for each in later]
    if as_json:
        print_json({"deck": row.deck, "now": now, "later": later, "changes": changes})
        return
    goes_by = f"edition {now.edition} of {now.title}" if now else f"a page of {row.game} that is lost"
    click.echo(sanitize(f"{row.name} goes by {goes_by}."))
    for each, sentences in zip(later, changes, strict=True):
        take_it = f"companion deck edition {deck_id.show(row.deck)} --take {each.edition}"
        click.echo(sanitize(f"Edition {each.edition} is here, too: {take_it}"))
        for sentence in sentences:
            click.echo(sanitize(f"  {sentence}"))
