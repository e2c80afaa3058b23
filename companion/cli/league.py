"""`companion league`: leagues with their pairings, results and standings."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import click

from companion.archive import Archive
from companion.cli.common import (
    Misused,
    Refused,
    archive_option,
    force_option,
    format_local_time,
    fresh_file,
    json_option,
    open_archive,
    output_option,
    print_json,
    print_list,
    print_or_write,
    print_table,
    read_text,
    sanitize,
    tell_written,
)
from companion.cli.printing.options import PaperType, ink_name, plain_paper
from companion.league import display, season
from companion.league.league import UNPAIRED
from companion.league.season import Season
from companion.league.standings import ORDERS

if TYPE_CHECKING:
    from labels.geometry import Paper


@click.group("league")
def command() -> None:
    """Keep leagues: who plays whom next, how it ended, and who stands where.

    LEAGUE is a name, the beginning of one, or an id. PERSON is a name, an id, or a number in the league ("Player 7").

    \b
    Example: companion league new "Winter" --people "Ana,Ben,Cy,Dee" --rounds 3
             companion league pairings Winter
             companion league enter Winter Ana Ben 2-1
             companion league standings Winter
    """


def _parse_points(_: click.Context, __: click.Parameter, value: str | None) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in (value or "").replace("-", ",").split(",") if part.strip())
    except ValueError:
        raise Misused(f"“{value}” is no list of figures; write points by place as 5,3,2,1.") from None


@command.command()
@click.argument("name")
@click.option("--people", "listed", metavar="NAME,NAME,…", help="Who plays, with commas between.")
@click.option("--person", "single", metavar="NAME", multiple=True, help="Somebody more; may be given again.")
@click.option("--people-from", "file", type=click.File("rb"), metavar="FILE", help="Who plays, a name a line.")
@click.option(
    "--form",
    type=click.Choice(["swiss", "round-robin", "ladder"]),
    default="swiss",
    show_default=True,
    help="Swiss, everybody against everybody, or a ladder (the first named stands on top).",
)
@click.option("--game", default="", metavar="GAME", help="What is played; else anything.")
@click.option("--rule", "rules", metavar="KEY=VALUE", multiple=True, help="A house rule, to be shown with the league.")
@click.option("--seats", type=click.IntRange(2, season.MOST_SEATS), default=2, show_default=True, help="At a table.")
@click.option("--rounds", type=click.IntRange(0, 1000), default=0, metavar="N", help="How many there are to be.")
@click.option("--win", type=click.IntRange(0, 1000), default=3, show_default=True, help="Points for a win.")
@click.option("--draw", type=click.IntRange(0, 1000), default=1, show_default=True, help="Points for a draw.")
@click.option("--loss", type=click.IntRange(0, 1000), default=0, show_default=True, help="Points for a loss.")
@click.option("--bye", type=click.IntRange(0, 1000), help="Points for a bye; as for a win if Swiss, else none.")
@click.option("--points", callback=_parse_points, metavar="5,3,2,1", help="Points by place at tables of more than two.")
@click.option("--by-score", is_flag=True, help="Points are what was scored at the table.")
@click.option("--figure", default="", metavar="WORD", help="The score where all play together, by the game's word.")
@click.option("--order", type=click.Choice(list(ORDERS)), help="How equal points are told apart.")
@click.option("--seed", type=int, metavar="N", help="From which chance begins; else one is drawn.")
@archive_option
@json_option
def new(
    name: str,
    listed: str | None,
    single: tuple[str, ...],
    file: BinaryIO | None,
    archive: str | None,
    as_json: bool,
    points: tuple[int, ...],
    order: str | None,
    **settings: Any,
) -> None:
    """Begin a league NAME of these people; who is not known yet is from now on.

    \b
    Example: companion league new "Winter" --people "Ana,Ben,Cy,Dee" --form swiss --rounds 3
             companion league new "Friday" --people-from names.txt --seats 4 --points 5,3,2,1
             companion league new "Ladder" --people "Ana,Ben,Cy" --form ladder
    """
    names = [part.strip() for part in (listed or "").split(",")]
    names += single
    names += [line.strip() for line in read_text(file).splitlines()] if file else []
    chosen = season.LeagueSettings(**settings, places=points, order=order or "")
    with open_archive(archive, create=True) as opened:
        begun = season.create(opened, name, [each for each in names if each], chosen)
    if as_json:
        print_json(display.plain_league(begun))
        return
    click.echo(sanitize(f"{begun.row.name} ({begun.row.league}) begins: {display.describe_league(begun)}."))


@command.command("list")
@archive_option
@json_option
def list_(archive: str | None, as_json: bool) -> None:
    """List all leagues, those that go on first.

    \b
    Example: companion league list
    """
    from companion.archive.people import leagues

    with open_archive(archive) as opened:
        rows = leagues.leagues(opened)
    print_list(
        rows,
        ("NAME", "ID", "GAME", "FORM", "PEOPLE", "ROUNDS", "CHANGED", ""),
        lambda row: (
            row.name,
            row.league,
            row.game,
            row.form,
            str(row.people),
            str(row.rounds),
            format_local_time(row.updated),
            "closed" if row.closed else "",
        ),
        "No leagues yet. companion league new --help tells how to begin one.",
        as_json=as_json,
    )


def sheet_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `-o`, `--csv`, `--paper` and `--force`; the command gets `out`, `as_csv`, `paper` and `force`."""
    for option in (
        force_option,
        click.option(
            "--paper", type=PaperType(), metavar="PAPER", help="letter, a4, legal, a5, a6, card, or as 148x210mm."
        ),
        click.option("--csv", "as_csv", is_flag=True, help="Print CSV for a spreadsheet."),
        output_option("File to write: a sheet to print, or CSV where it ends so."),
    ):
        command = option(command)
    return command


@command.command()
@click.argument("league")
@sheet_options
@archive_option
@json_option
def standings(
    league: str, out: Path | None, as_csv: bool, paper: "Paper | None", archive: str | None, force: bool, as_json: bool
) -> None:
    """Show who stands where, with the tie-breaks in their order.

    CSV, JSON and sheets call people as they want to be called outside of the house (companion people alias).

    \b
    Example: companion league standings Winter
             companion league standings Winter --csv -o winter.csv
             companion league standings Winter -o winter.pdf
    """
    with open_archive(archive) as opened:
        read = season.read_season(opened, league)
    if as_json:
        print_json(display.plain_standings(read))
        return

    def draw(size: tuple[float, float]) -> bytes:
        from companion.league import sheet

        return sheet.standings_sheet(read, size, ink_name(None) or "colour")

    kinds = _Kinds(partial(display.standings_table, read), draw, "Standings")
    _print_or_draw(read, kinds, out, paper, as_csv=as_csv, force=force)
    if not as_csv and out is None:
        names = (f"{short} {name}" for short, name in display.tie_break_names(read))
        click.echo(f"\nTies: {', then '.join(names)} (scoring of edition {read.league.created.scoring.edition}).")


class _Kinds(NamedTuple):
    """The forms of output: a table of rows, a PDF for a size of paper, and their title."""

    table: Callable[..., display.TableOfRows]
    draw: Callable[[tuple[float, float]], bytes]
    title: str


def _print_or_draw(
    read: Season, kinds: _Kinds, out: Path | None, paper: "Paper | None", *, as_csv: bool, force: bool
) -> None:
    """Print a table, or write it as CSV or as a sheet to print."""
    if as_csv or (out is not None and out.suffix == ".csv"):
        print_or_write(kinds.table(outside=True).as_csv(), out, f"{kinds.title} as CSV.", force=force)
    elif out is not None:
        with fresh_file(out, force=force) as draft:
            draft.write_bytes(kinds.draw(plain_paper(paper).size))
        tell_written(out, f"{kinds.title}, a sheet to print.")
    else:
        click.echo(sanitize(f"{read.row.name} · {kinds.title} · {display.describe_league(read)}"))
        table = kinds.table()
        print_table(table.headings, table.rows)


@command.command()
@click.argument("league")
@click.option("--round", "number", type=click.IntRange(0, 10_000), metavar="N", help="Only look at that round.")
@click.option("--next", "draw_next", is_flag=True, help="Draw the next round although results are open.")
@click.option("--redraw", is_flag=True, help="Draw the last round once more; its results count no more.")
@click.option("--yes", is_flag=True, help="Do so without being asked.")
@click.option("--seed", type=int, metavar="N", help="From which chance begins; else one is drawn.")
@sheet_options
@archive_option
@json_option
def pairings(
    league: str,
    number: int | None,
    draw_next: bool,
    redraw: bool,
    yes: bool,
    seed: int | None,
    out: Path | None,
    as_csv: bool,
    paper: "Paper | None",
    archive: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Show who plays whom; the next round is drawn where the last one has all its results.

    A round is drawn once: asked again, the same pairings are shown. --redraw draws the last one anew, and that is told
    for ever.

    \b
    Example: companion league pairings Winter
             companion league pairings Winter --round 2
             companion league pairings Winter --redraw
    """
    with open_archive(archive) as opened:
        read = season.read_season(opened, league)
        if redraw:
            read = _redraw_round(opened, read, seed, yes=yes)
        elif number is None:
            read = _draw_if_due(opened, read, seed, at_once=draw_next, yes=yes)
        offers = season.find_offers(opened, read) if number is None and not as_json else ()
    number = read.league.rounds if number is None else number
    if number > read.league.rounds:
        raise Refused(f"Round {number} is not drawn yet; companion league pairings draws the next.")
    if as_json:
        print_json(display.plain_pairings(read, number))
        return

    def draw(size: tuple[float, float]) -> bytes:
        from companion.league import sheet

        return sheet.pairings_sheet(read, number, size, ink_name(None) or "colour")

    kinds = _Kinds(partial(display.pairings_table, read, number), draw, display.round_title(read, number))
    _print_or_draw(read, kinds, out, paper, as_csv=as_csv, force=force)
    if offers and not as_csv and out is None:
        click.echo("\nSealed here; companion league enter --sealed enters them:")
        for offer in offers:
            click.echo(sanitize(f"  {season.describe_offer(read, offer)}"))


def _draw_if_due(opened: Archive, read: Season, seed: int | None, *, at_once: bool, yes: bool) -> Season:
    """Draw the next round if all results of the last one are in, or if the user asks for it."""
    why_not = season.may_draw(read)
    if read.league.closed or (why_not and not at_once and read.league.rounds):
        return read
    if why_not:
        _require_agreement(f"{why_not} Draw round {read.league.rounds + 1} all the same?", yes=yes)
    drawing = season.draw_next(opened, read, seed)
    click.echo(f"Round {drawing.league.rounds} is drawn.", err=True)
    return drawing


def _redraw_round(opened: Archive, read: Season, seed: int | None, *, yes: bool) -> Season:
    results = sum(match.result is not None for match in read.league.round(read.league.rounds))
    lost = f" Its {results} results count no more." if results else ""
    _require_agreement(
        f"Round {read.league.rounds} is drawn already, and people may have seen it.{lost} Draw it again?", yes=yes
    )
    drawing = season.redraw_last(opened, read, seed)
    click.echo(f"Round {drawing.league.rounds} is drawn again.", err=True)
    return drawing


def _require_agreement(question: str, *, yes: bool) -> None:
    """Return if the question is confirmed by `--yes` or on a terminal. Raises Refused."""
    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refused(f"{question} --yes does so.")
    if not click.confirm(question, err=True):
        raise Refused("Nothing is changed.")


def result_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options shared by `enter` and `correct`: the match, and its exceptions."""
    for option in (
        click.option(
            "--round", "number", type=click.IntRange(0, 10_000), metavar="N", help="Of which round; else the last."
        ),
        click.option("--absent", metavar="PERSON", multiple=True, help="Who did not come; may be given again."),
        click.option("--draw", "level", is_flag=True, help="Nobody won."),
        click.argument("result", nargs=-1, metavar="PERSON PERSON… [2-1]"),
        click.argument("league"),
    ):
        command = option(command)
    return command


@command.command()
@result_options
@click.option("--unpaired", is_flag=True, help="A match that nobody paired, such as a challenge on the ladder.")
@click.option("--session", metavar="SESSION", help="As that sealed session ended.")
@click.option(
    "--by", "figure", default="", metavar="FIGURE", help="Of a session where all play together: who had most."
)
@click.option("--sealed", is_flag=True, help="All open matches that sealed sessions decided.")
@archive_option
@json_option
def enter(
    league: str,
    result: tuple[str, ...],
    level: bool,
    absent: tuple[str, ...],
    number: int | None,
    unpaired: bool,
    session: str | None,
    figure: str,
    sealed: bool,
    archive: str | None,
    as_json: bool,
) -> None:
    """Enter how a match ended: the people in order of place, the winner first, and the games if counted.

    The games stand behind the people or between them, in their order: 1-2 says that the second one won. People on one
    place are joined by =; what each scored stands behind a colon.

    \b
    Example: companion league enter Winter Ana Ben 2-1
             companion league enter Winter Ana 2-1 Ben
             companion league enter Winter Ana Ben --draw
             companion league enter Winter Ana Ben --absent Ben
             companion league enter Friday Cy Ana=Dee Ben
             companion league enter Friday Cy:14 Ana:9 Dee:9 Ben:3
             companion league enter Winter --session K3QX
             companion league enter Winter --sealed
    """
    if bool(result) + (session is not None) + sealed != 1:
        raise Misused("Say who played, the winner first, or one of --session and --sealed.")
    with open_archive(archive) as opened:
        read = season.read_season(opened, league)
        if sealed:
            _enter_sealed(opened, read, as_json=as_json)
            return
        outcome = (
            season.read_session(opened, read, session, figure)
            if session
            else season.read_outcome(read, result, level=level, absent=absent)
        )
        try:
            after = season.enter(opened, read, outcome, number=number, unpaired=unpaired)
        except season.NotPaired as error:
            raise Refused(f"{str(error).rstrip('.')}; --unpaired enters a match that nobody paired.") from error
    _print_match(after, outcome.people, UNPAIRED if unpaired else number, as_json=as_json)


def _enter_sealed(opened: Archive, read: Season, *, as_json: bool) -> None:
    """Enter the results of sealed sessions, and print each."""
    offers = season.find_offers(opened, read)
    for offer in offers:
        read = season.enter(opened, read, offer.outcome, number=offer.match.round)
        click.echo(sanitize(season.describe_offer(read, offer)), err=as_json)
    if as_json:
        print_json(display.plain_pairings(read, read.league.rounds))
    elif not offers:
        click.echo("No sealed session decides an open match.")


def _print_match(after: Season, people: Sequence[str], number: int | None, *, as_json: bool) -> None:
    """Print the result of a match, and the number of open matches in its round."""
    match = season.find_match(after, people, number)
    if as_json:
        print_json(display.plain_pairings(after, match.round))
        return
    where = display.round_title(after, match.round)
    ended = season.describe_result(after, match) or "no result"
    click.echo(sanitize(f"{where}, table {match.table}: {display.pairing(after, match)}: {ended}."))
    left = sum(other.is_open for other in after.league.round(match.round))
    if match.round != UNPAIRED:
        click.echo(f"{left} still open." if left else f"All results of round {match.round} are in.")


@command.command()
@result_options
@click.option("--withdraw", is_flag=True, help="The match has no result after all.")
@click.option("--bye", metavar="PERSON", help="Somebody whom nobody plays has a bye in the round.")
@click.option("--pair", is_flag=True, help="These, who had a bye or came late, play each other in the round.")
@click.option("--join", "joining", metavar="PERSON", multiple=True, help="Somebody plays from the next round on.")
@click.option("--drop", "leaving", metavar="PERSON", multiple=True, help="Somebody plays no further rounds.")
@archive_option
@json_option
def correct(
    league: str,
    result: tuple[str, ...],
    level: bool,
    absent: tuple[str, ...],
    number: int | None,
    withdraw: bool,
    bye: str | None,
    pair: bool,
    joining: tuple[str, ...],
    leaving: tuple[str, ...],
    archive: str | None,
    as_json: bool,
) -> None:
    """Correct a result, a no-show or a bye, or who plays on; what was entered before stays in the log.

    \b
    Example: companion league correct Winter Ben Ana 2-0
             companion league correct Winter Ana Ben --absent Ben
             companion league correct Winter Ana Ben --withdraw
             companion league correct Winter --bye Eve --round 2
             companion league correct Winter Dee Eve --pair
             companion league correct Winter --drop Cy --join Fay
    """
    with open_archive(archive) as opened:
        read = season.read_season(opened, league)
        for name in joining:
            read = season.join(opened, read, name)
        for name in leaving:
            read = season.drop(opened, read, name)
        if bye:
            read = season.give_bye(opened, read, bye, number)
        people: Sequence[str] = ()
        if pair:
            read = season.pair(opened, read, result, number)
            people = [read.find(name) for name in result]
        elif result or absent:
            outcome = season.read_outcome(read, result, level=level, absent=absent)
            people = outcome.people
            if withdraw:
                match = season.find_match(read, people, number)
                read, people = season.withdraw(opened, read, match), ()
                click.echo(sanitize(f"{display.pairing(read, match)}: the result is taken back."), err=as_json)
            else:
                read = season.correct(opened, read, outcome, number)
        elif not (joining or leaving or bye):
            raise Misused("Say what is to be corrected; companion league correct --help shows how.")
    if people and read.league.rounds:
        _print_match(read, people, number, as_json=as_json)
    elif as_json:
        print_json(display.plain_standings(read))
    else:
        click.echo(sanitize(f"{read.row.name}: {display.describe_league(read)}."))


@command.command()
@click.argument("league")
@click.argument("person")
@archive_option
@json_option
def join(league: str, person: str, archive: str | None, as_json: bool) -> None:
    """Have somebody play from the next round on, also who left before.

    \b
    Example: companion league join Winter Fay
    """
    with open_archive(archive) as opened:
        after = season.join(opened, season.read_season(opened, league), person)
    sentence = f"{after.name(after.find(person))} plays in {after.row.name} from the next round on."
    _print_change(after, sentence, as_json=as_json)


@command.command()
@click.argument("league")
@click.argument("person")
@archive_option
@json_option
def drop(league: str, person: str, archive: str | None, as_json: bool) -> None:
    """Have somebody play no further rounds; what they played stays.

    \b
    Example: companion league drop Winter Cy
    """
    with open_archive(archive) as opened:
        after = season.drop(opened, season.read_season(opened, league), person)
    sentence = f"{after.name(after.find(person))} plays no further rounds of {after.row.name}."
    _print_change(after, sentence, as_json=as_json)


@command.command()
@click.argument("league")
@click.option("--reopen", is_flag=True, help="It was not over yet.")
@archive_option
@json_option
def close(league: str, reopen: bool, archive: str | None, as_json: bool) -> None:
    """End a league: nothing more is entered, and its standings are final.

    \b
    Example: companion league close Winter
    """
    with open_archive(archive) as opened:
        read = season.read_season(opened, league)
        after = season.reopen(opened, read) if reopen else season.close(opened, read)
    _print_change(after, f"{after.row.name} {'is closed' if after.league.closed else 'goes on'}.", as_json=as_json)


def _print_change(after: Season, sentence: str, *, as_json: bool) -> None:
    if as_json:
        print_json(display.plain_league(after))
    else:
        click.echo(sanitize(sentence))
