"""Every text of the commands is a message in the reader's language; what programs read is the same in all."""

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive, deck_records
from companion.archive.storage.rows import PAGE
from companion.cli.main import main
from companion.games import listing
from templates.languages.messages import ENGLISH, Language, current_language, set_language, speaking
from templates.languages.pseudo import strip_brackets
from tests.games.constructed.test_table import enter, seated
from tests.languages.extraction import find_texts
from tests.printing.evenings import live, play

_NOTATION = re.compile(
    r"`[^`]*`"  # what is typed
    r"|\bcompanion (?:\[?[a-z-]+\b.*|--.*)"  # a command to the end of its line
    r"|(?<![\w-])-{1,2}[\w-]+"  # options
    r"|\b\d{4}-\d\d-\d\d \d\d:\d\d\b"
    r"|\b[\w-]+\.(?:pdf|png|table|toml|sqlite|csv|txt|md|json|svg|jpg|decks|po)\b"
    r"|\b(?:[0-9A-Z]{4}-){3}[0-9A-Z]\b"  # ids of decks
    r"|\b(?=[0-9A-Z]*\d)[0-9A-Z]{4,}\b"  # other ids
    r"|[A-Z][A-Z_]+\b(?:[….]+)?"  # placeholders and card codes
)
_WORD = re.compile(r"[^\W\d_]{2,}")


def words_outside(text: str, names: frozenset[str]) -> list[str]:
    """Return the words of an output that no message says, except for notation and names."""
    rest = _NOTATION.sub(" ", strip_brackets(text))
    return [word for word in _WORD.findall(rest) if word.lower() not in names]


def names_of(*texts: str) -> frozenset[str]:
    return frozenset(word.lower() for text in texts for word in _WORD.findall(text))


# Help


def _commands() -> Iterator[tuple[str, ...]]:
    """Yield all commands by their words."""

    def walk(command: click.Command, context: click.Context, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        yield path
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert inner is not None
                yield from walk(inner, click.Context(inner, info_name=name, parent=context), (*path, name))

    return walk(main, click.Context(main, info_name="companion"), ())


COMMANDS = tuple(_commands())
_ALL_NAMES = names_of(*(word for path in COMMANDS for word in path), "companion")


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help, without those of usage and examples, which are notation below a title."""
    titles = [f"⟦{title}" for title in ("Usage:", "Example:", "Examples:")]
    for paragraph in text.split("\n\n"):
        if not any(paragraph.strip().startswith(title) for title in titles):
            yield paragraph


def _without_columns(paragraph: str) -> str:
    """Return a paragraph of help without the first column of options and commands, and what they may be."""
    rows = []
    for row in paragraph.splitlines():
        row = re.sub(r"^  (?:-\w, )?--[\w-]+(?:, --?[\w-]+| / --[\w-]+)*(?: \S+)?", "", row)
        rows.append(re.sub(r"^  [a-z][\w-]*(?=  |$)", "", row))
    return re.sub(r"\[[^\]⟦⟧]*\]|(?<=⟧ )[\w.]+(?=\])", "", "\n".join(rows))


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_is_in_the_readers_language(path: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["--language", "en-XA", *path, "--help"])
    assert result.exit_code == 0, result.output
    outside = [
        word for part in _paragraphs(result.output) for word in words_outside(_without_columns(part), frozenset())
    ]
    assert outside == []
    assert "..." not in result.output.replace("[ARGS]...", "").replace("]...", ""), "nothing is cut"


def test_a_list_says_its_own_number_of_entries() -> None:
    result = CliRunner().invoke(main, ["deck", "list", "--help"])
    assert f"default: {PAGE}." in result.output


def test_an_error_of_click_is_in_the_readers_language() -> None:
    def refuse(language: str, *words: str) -> str:
        result = CliRunner().invoke(main, ["--language", language, *words])
        assert (result.exit_code, result.stdout) == (2, "")
        return result.stderr

    assert refuse("en", "deck", "list", "--pge") == (
        "No such option '--pge'. (Did you mean one of: '--page', '--tag'?). See companion deck list --help.\n"
    )
    assert "Es gibt keine Option „--pge“." in refuse("de", "deck", "list", "--pge")
    assert "Es gibt keinen Befehl „dck“." in refuse("de", "dck")


MISUSES = (
    "deck lst",
    "deck list --pge",
    "deck show",
    "deck show a b",
    "deck list --page",
    "deck list --page x",
    "deck list --page 0",
    "deck list --json=x",
    "settings --codes maybe",
    "deck adopt --by Ana nothing/here --photo",
    "league new",
    "replay nothing.table",
    "game show nothing",
    "deck show nobody",
)


@pytest.mark.parametrize("line", MISUSES)
def test_refusals_are_in_the_readers_language(line: str, home: Path) -> None:
    result = _run(home, line)
    assert result.exit_code in (1, 2)
    assert words_outside(result.output, _NAMES | names_of("python", line)) == []


# What commands print

_NAMES = names_of(
    "Ana Ben Cy Dee Fay Ash Pack Bog Pack Grave Choir The Lantern Debt Salt and Iron Friday Winter blue fun",
    "DecknForge Odd Frontier TCG SolForge Soul-Forger soulforger oddfrontier decknforge mm dpi",
)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an archive in which two games were played, and a league has begun."""
    folder = tmp_path_factory.mktemp("played")
    with Archive.open(str(folder / "archive.sqlite"), by="Ana", create=True) as archive:
        play(archive)
        choir = archive.find_deck("Grave Choir").deck
        live(archive, choir)
        deck_records.change_tags(archive, choir, ["fun"], ())
        session = seated(archive, "oddfrontier")
        enter(session, "set ana life 41", "concede ben", "seal")
    for line in ("league new Winter --people Ana,Ben,Dee,Fay --rounds 3 --seed 1", "league pairings Winter --seed 1"):
        arguments = ["--archive", str(folder / "archive.sqlite"), *line.split()]
        assert CliRunner().invoke(main, arguments).exit_code == 0
    return folder


@pytest.fixture
def home(archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a copy of that archive, and nothing that the user has set."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(archives / "archive.sqlite", tmp_path)
    monkeypatch.setenv("COMPANION_ARCHIVE", str(tmp_path / "archive.sqlite"))
    for name in ("config", "data", "state"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / name))
    return tmp_path


def _run(_: Path, line: str, language: str = "en-XA") -> Result:
    """Run a command in the folder of `home`, and those before it that are joined to it by `&&`."""
    *before, last = line.split(" && ")
    for each in before:
        result = CliRunner().invoke(main, shlex.split(each))
        assert result.exit_code == 0, result.output
    return CliRunner().invoke(main, ["--language", language, *shlex.split(last)])


SAMPLES = (
    "archive accept",
    "archive backup copy.sqlite",
    "archive backups",
    "archive check",
    "archive copy other.sqlite",
    "archive export all.gz",
    "archive follow",
    "archive export all.gz && archive import all.gz",
    "archive info",
    "archive backup copy.sqlite && archive restore copy.sqlite",
    "archive undo-import",
    "chronicle -o campaign.pdf",
    "deck adopt --example -o example.toml",
    "deck audit grave",
    "deck chores",
    "deck chores grave",
    "deck correct grave 1",
    "deck edition grave",
    "deck export grave -o choir.decks",
    "deck export grave -o choir.decks && deck import choir.decks",
    "deck history ash",
    "deck history grave",
    "deck history grave --marks",
    "deck list",
    "deck list --limit 2",
    "deck list --tag none",
    "deck picking grave",
    "deck rename grave Choir",
    "deck retire salt",
    "deck tag ash",
    "deck tag grave",
    "deck versions ash",
    "game list",
    "game new duel-ours",
    "game new duel-ours && game check duel-ours.toml",
    "game new duel-ours && game add duel-ours.toml",
    "homebrew list",
    "labels box grave -o box.pdf",
    "labels calibrate HP --dx 1",
    "labels calibrate HP --dx 1 && labels printers",
    "labels deck grave -o deck.pdf",
    "labels record grave -o record.pdf",
    "labels sheets",
    "labels sheets new blue --free 1-20",
    "labels sheets new blue --free 1-20 && labels box grave -o box.pdf --sheet blue",
    "labels starter --game decknforge -o starter.pdf",
    "labels test-page -o test.pdf",
    "labels tonight -o tonight.pdf",
    "league close Winter",
    "league drop Winter Fay",
    "league enter Winter Ana Ben 2-1",
    "league list",
    "league pairings Winter",
    "league standings Winter",
    "people add Cy",
    "people alias Ana Fay",
    "people forget Cy --yes",
    "people list",
    "people show Ana",
    "phones list",
    "rehearse --runs",
    "session card",
    "session card -o card.png",
    "session list",
    "session report",
    "session export -o friday.table && replay friday.table",
    "stats",
    "stats --by deck",
    "stats --by moon",
)
"""A line for each command, or a few, whose whole output is messages, names and notation."""


@pytest.mark.parametrize("line", SAMPLES)
def test_output_is_in_the_readers_language(line: str, home: Path) -> None:
    result = _run(home, line)
    assert isinstance(result.exception, SystemExit | None), result.exception
    assert result.output
    assert words_outside(result.output, _NAMES | names_of(line) | _PAGES) == []


_PAGES = names_of(" ".join(f"{page.name} {page.title}" for page in listing.ready()) + " main")
"""Names and titles of ready pages, which are translated with their pages, and parts of decks in notation."""


JSON = (
    "archive info --json",
    "deck chores --json",
    "deck history grave --json",
    "deck list --json",
    "deck show grave --json",
    "deck versions ash --json",
    "game list --json",
    "labels stocks --json",
    "league list --json",
    "league pairings Winter --json",
    "league standings Winter --json",
    "people show Ana --json",
    "session list --json",
    "session show --json",
    "settings --json",
    "stats --json",
)


@pytest.mark.parametrize("line", JSON)
def test_programs_read_the_same_in_every_language(line: str, home: Path) -> None:
    english, pseudo = (_run(home, line, language) for language in ("en", "en-XA"))
    assert (english.exit_code, english.stdout_bytes) == (pseudo.exit_code, pseudo.stdout_bytes)
    assert json.loads(english.stdout) is not None


@pytest.mark.parametrize("words", ["This is no message", "⟦This⟧ is one ⟦beside a message⟧"])
def test_a_plain_string_is_found(words: str) -> None:
    assert words_outside(words, frozenset()) != []
    assert words_outside(f"⟦{words}⟧", frozenset()) == []


@pytest.mark.parametrize("line", ["deck list", "deck history grave --marks", "session list", "league pairings Winter"])
def test_tables_cut_no_word_in_german(line: str, home: Path) -> None:
    assert "…" not in _run(home, line, "de").stdout


class _Catalogue:
    """A catalogue without translations that records every text that is looked up in it."""

    def __init__(self) -> None:
        self.lookups: set[tuple[str, str]] = set()

    def gettext(self, message: str, /) -> str:
        self.lookups.add(("", message))
        return message

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        self.lookups.add(("", singular))
        return singular if n == 1 else plural

    def pgettext(self, context: str, message: str, /) -> str:
        self.lookups.add((context, message))
        return message


def test_a_refused_command_for_programs_leaves_the_language(home: Path) -> None:
    assert home.exists()
    set_language(Language("xx", "Other"))
    try:
        assert CliRunner().invoke(main, ["deck", "list", "--json", "too", "much"]).exit_code == 2
        assert current_language().code == "xx"
    finally:
        set_language(ENGLISH)


def test_a_refused_command_for_programs_is_refused_in_one_language(home: Path) -> None:
    assert home.exists()
    refused = CliRunner().invoke(main, ["--language", "de", "deck", "list", "--json", "too", "much"])
    assert refused.exit_code == 2
    english = CliRunner().invoke(main, ["deck", "list", "--json", "too", "much"])
    assert refused.stderr == english.stderr
    assert "arguments (too much)" in english.stderr


@pytest.mark.slow
def test_commands_show_texts_of_the_catalogues(home: Path) -> None:
    catalogue = _Catalogue()
    with speaking(Language("xx", "Recorded", catalogue)):
        for path in COMMANDS:
            CliRunner().invoke(main, [*path, "--help"])
        for line in (*MISUSES, *SAMPLES, "deck show grave", "deck show ash", "labels stocks", "game show decknforge"):
            for each in line.split(" && "):
                CliRunner().invoke(main, shlex.split(each))
    assert home.exists()
    texts = {(each.context or "", each.text if isinstance(each.text, str) else each.text[0]) for each in find_texts()}
    assert catalogue.lookups - texts - {("", word) for word in _OF_PAGES} == set()


_OF_PAGES = (
    "Where does its road begin?",
    "Which words stand on the box?",
    "Is it to be a short game?",
    "Duel ours",
    "Two or more people, twenty life each: the last one standing wins.",
)
"""Texts of ready pages, which are translated by themselves, and of the page that somebody added."""
