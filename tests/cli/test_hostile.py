"""What is stored or typed and would steer a terminal: every command shows it harmlessly, and takes no more of it in."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner, Result
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.archive import Archive
from companion.archive.storage.entries import PersonIntroduced, PrinterCalibrated, SheetBegun, StoredLine, draft, drafts
from companion.archive.storage.lists import person_stream, session_stream
from companion.cli.main import main
from companion.games.decknforge.decks import marks as m
from companion.tabletop.notation.notation import write
from companion.tabletop.records import Tagged
from companion.tabletop.table.common_actions import Note, Seat
from tests.archive import bands
from tests.examples import examples
from tests.hostile import hostile, steers


def stored(place: Path, text: str) -> str:
    """An archive in which that stands everywhere, as an earlier program or another home let it in; gives its deck."""
    text = text.replace("\x00", "")  # which no archive has ever kept
    with Archive.open(str(place), by=text) as archive:
        founded, *rest = bands.marks("Choir")
        assert isinstance(founded, m.BandFounded)
        creatures = tuple(replace(creature, name=text) for creature in founded.creatures)
        first = replace(founded, name=text, builder=text, creatures=creatures)
        marks = (first, *rest, m.DungeonPlayed(text, text, 6, 7), m.Drifted(text), Tagged((text,)))
        deck = archive.found_deck("decknforge", marks)
        session = archive.new_session("decknforge")
        seats = [Seat("ana", name=text), Seat("ben", name="Ben"), Note(text)]
        archive.append(session_stream(session), 1, drafts([StoredLine("table decknforge", 1)]))
        lines = [StoredLine(write(line), number, text) for number, line in enumerate(seats, 2)]
        archive.append(session_stream(session), 2, drafts(lines))
        archive.append(person_stream("K3QX7P"), 0, [draft(PersonIntroduced(text))])
        archive.append("sheet:one", 0, drafts([SheetBegun(text, "18294", 60, (1, 2))]))
        archive.append("printer:one", 0, drafts([PrinterCalibrated(text, 1.0, 1.0, 1.0, 1.0)]))
    return deck


def _run(place: Path, *arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["--archive", str(place), *arguments], input=typed)


def showing(deck: str, file: str) -> Sequence[Sequence[str]]:
    """Commands that show what is there."""
    return [
        *(["deck", what, deck] for what in ("show", "history", "chores", "picking", "passport")),
        *(["deck", "list"], ["deck", "list", "--json"]),
        *(["session", what] for what in ("list", "show", "export", "report")),
        *(["people", "list"], ["people", "show", "K3QX7P"], ["people", "list", "--json"]),
        *(["labels", "sheets"], ["labels", "printers"], ["archive", "check"]),
        *(["deck", "export", deck, "-o", file], ["deck", "import", file], ["deck", "import", file, "--json"]),
    ]


def refusing(text: str) -> Sequence[Sequence[str]]:
    """Commands that are given it."""
    return [
        *(["deck", "show", text], ["deck", "import", text], ["replay", text], ["scan", text], ["labels", "file", text]),
        *(["session", "show", text], ["people", "show", text], [text], ["deck", text], ["deck", "new", text]),
        *(["deck", "check", text], ["archive", "backup", f"/nowhere/{text}"], ["deck", "tag", "no deck", text]),
        ["--archive", f"/nowhere/{text}", "deck", "list"],
    ]


many = st.lists(hostile, min_size=4, max_size=4).map("".join)


def is_harmless(result: Result) -> None:
    assert result.exception is None or isinstance(result.exception, SystemExit), (result.output, result.exception)
    assert not steers(result.output), ascii(result.output)


@settings(max_examples=examples(3), phases=[Phase.generate])
@given(many)
def test_whatever_is_stored_is_shown_harmlessly(text: str) -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder) / "archive.sqlite"
        deck = stored(place, text)
        for command in showing(deck, str(Path(folder) / "one.decks")):
            result = _run(place, *command)
            is_harmless(result)
            assert result.exit_code == 0, (command, result.output)
        for what in ("box", "record"):
            # What no label can say is refused by name.
            is_harmless(_run(place, "labels", what, deck, "-o", f"{folder}/{what}.pdf"))


@settings(max_examples=examples(3), phases=[Phase.generate])
@given(many)
def test_whatever_is_typed_is_refused_harmlessly(text: str) -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder) / "archive.sqlite"
        for command in refusing(text.replace("\x00", "")):
            is_harmless(_run(place, *command))
        is_harmless(_run(place, "scan", typed=text))
