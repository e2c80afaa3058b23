"""The registry of games: built-in ones, those of other packages, and those that users describe on a page.

A game's module is loaded only on demand. A package names its game in the entry point group `companion.games`, as in
`duel = "duel_game:GAME"`; one that cannot be loaded is reported and does not affect the others.

The texts of pages come from sources: an archive, files, and the shipped ones. A page is read only when its game is
needed. Games played by a page refer to exactly that text by its digest, whatever the page is called now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol
from weakref import WeakKeyDictionary

from companion.tabletop.action import NotationError
from templates.languages.messages import Message, Text, listed, phrase

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from importlib.resources.abc import Traversable

    from companion.tabletop.decks.paper import Printable
    from companion.tabletop.game import Game
    from companion.tabletop.glossary import Worded

GROUP: Final = "companion.games"

_WHERE: Final[dict[str, str]] = {
    "decknforge": "companion.games.decknforge",
    "soulforger": "companion.games.soulforger",
    "oddfrontier": "companion.games.oddfrontier",
    "solforge": "companion.games.solforge",
}
_LOADED: Final[dict[str, Game]] = {}
_BREWED: Final[dict[str, Game]] = {}
"""Games with a homebrew, by the digests of its texts."""
_SOUND: Final[set[str]] = set()
"""Digests of the homebrews without errors; the others are kept for games that were played by them."""
_PAGE: Final = ".toml"
"""Suffix of a page's file."""
_DECKS: Final = "\n[decks]"
"""Text in a shipped page that begins the description of its decks."""


class PageSource(Protocol):
    """A source of the texts of pages."""

    def text(self, name: str, page: str) -> str | None:
        """Return the text with the digest `page`; if that is "", the present edition of the game `name`.

        None if the source does not have it. Raises NotationError if it has it but cannot read it.
        """
        ...

    def names(self) -> Iterable[str]:
        """Return the names of the games whose present edition the source has."""
        ...


_SOURCES: Final[WeakKeyDictionary[PageSource, None]] = WeakKeyDictionary()
"""Sources in the order in which they were added; an archive that was never closed stays as long as it is referenced."""

GAMES: tuple[str, ...]
"""Names of the games this program knows, as typed after `table`; looked up on first use."""


def __getattr__(name: str) -> tuple[str, ...]:
    if name == "GAMES":
        return (*_WHERE, *(word for word in _elsewhere() if word not in _WHERE))
    raise AttributeError(name)


@cache
def _elsewhere() -> Mapping[str, EntryPoint]:
    """Return the games of other packages, by their names."""
    from importlib.metadata import entry_points

    return {point.name.lower(): point for point in entry_points(group=GROUP)}


def names() -> tuple[str, ...]:
    """Return the names of all games: known ones, those added while the program runs, and those of pages."""
    return tuple(dict.fromkeys((*__getattr__("GAMES"), *_LOADED, *described_names())))


def described_names() -> tuple[str, ...]:
    """Return the names of the games that pages describe, added ones before shipped ones, without reading a page."""
    named = (name for source in _sources() for name in source.names())
    return tuple(name for name in dict.fromkeys((*named, *ready_names())) if not is_program(name))


def ready_names() -> tuple[str, ...]:
    """Return the names of the games whose pages are shipped."""
    folder = _ready_pages()
    files = (file.name for file in folder.iterdir()) if folder.is_dir() else ()
    return tuple(sorted(name.removesuffix(_PAGE) for name in files if name.endswith(_PAGE)))


def ready_text(name: str) -> str | None:
    """Return the text of a shipped page by the game's name, or None if there is none."""
    return (_ready_pages() / f"{name}{_PAGE}").read_text(encoding="utf-8") if name in ready_names() else None


def _ready_pages() -> Traversable:
    from importlib import resources

    return resources.files("templates") / "games"


def is_program(name: str) -> bool:
    """Return True if a name is taken by a game that is a program; no page can have it."""
    key = name.lower()
    return key in _WHERE or key in _elsewhere() or (key in _LOADED and not _LOADED[key].page)


def is_path(name: str) -> bool:
    """Return True if the text that selects a game is the path of a page's file."""
    return name.lower().endswith(_PAGE) or "/" in name or "\\" in name


def register(game: Game) -> None:
    """Add a game from elsewhere for as long as the program runs."""
    _LOADED[game.name] = game


def add_source(source: PageSource) -> None:
    """Add a source of pages, for as long as it is referenced; it takes precedence over earlier ones."""
    _SOURCES[source] = None


def remove_source(source: PageSource) -> None:
    """Remove a source of pages."""
    _SOURCES.pop(source, None)


def _sources() -> Iterator[PageSource]:
    """Yield all live sources, the last added first; more may be added during the iteration."""
    return (source for each in reversed(_SOURCES.keyrefs()) if (source := each()) is not None)


def game(name: str, page: str = "") -> Game:
    """Return the rules of a game, by its name in any case or by the path of its page.

    With the digest of a `page` they are those of exactly that text, under this name. Raises NotationError that lists
    the known games, or says why this one cannot be loaded.
    """
    if page:
        return _of_page(name, page)
    key = name.lower()
    if key in _LOADED:
        return _LOADED[key]
    if is_path(name):
        return _of_file(name)
    if not is_program(key):
        return _present_edition(key, name)
    _LOADED[key] = _load(key)
    return _LOADED[key]


def title(name: str, page: str = "") -> Text:
    """Return a game's title; if it can no longer be loaded, the stored name."""
    try:
        return glossary(name, page).title
    except NotationError:
        return name


def translations_of(text: str) -> Mapping[str, Mapping[str, str]]:
    """Return the translations on a page, by languages and by the texts of the page; the rest may be invalid."""
    translations: Mapping[str, Mapping[str, str]] = _page_loader().translations_of(text)
    return translations


def _page_loader() -> Any:
    """Return the module that loads pages: lists of games do without it until somebody reads another language."""
    from companion.games.described import load

    return load


def glossary(name: str, page: str = "") -> Worded:
    """Return the words that lists show for a game and its tables; for built-in games this loads no rules.

    Raises NotationError as `game` does.
    """
    key = name.lower()
    if page or key in _LOADED or key not in _WHERE:
        return game(name, page)
    words: Worded = import_module(f"{_WHERE[key]}.glossary").GLOSSARY
    return words


def is_of(rules: Game, name: str, page: str = "") -> bool:
    """Return True if a stored game name and page refer to this game, by any edition of its page."""
    if name != rules.name or page == rules.page or is_program(name):
        return name == rules.name
    try:
        return game(name, page).author == rules.author
    except NotationError:
        return False


def _load(key: str) -> Game:
    if key in _WHERE:
        rules: Game = import_module(f"{_WHERE[key]}.game").GAME
        return rules
    return _from_package(_elsewhere()[key])


def _of_page(name: str, page: str) -> Game:
    """Return the game of a page by its digest. Raises NotationError if no source has its text."""
    load = _page_loader()
    if name in _LOADED and _LOADED[name].page == page:
        return _LOADED[name]
    text = load.text_of(page)
    if text is None:
        text = _find_text(name, page)
    if text is None:
        raise NotationError(_describe_lost_page(name, page))
    if (base := load.base_of(text)) != name:
        refuse_taken(name)
        if base:
            raise NotationError(
                phrase(
                    "The page of the game “{game}” by which this was played ({page}) is a homebrew of another game.",
                    game=name,
                    page=page,
                )
            )
    try:
        return from_text(text, name, kept=True)
    except NotationError as error:
        raise NotationError(
            phrase(
                "The page of the game “{game}” by which this was played ({page}) cannot be read by this program: {why}",
                game=name,
                page=page,
                why=error.message,
            )
        ) from error


def _describe_lost_page(name: str, page: str) -> Message:
    if is_program(name):
        return phrase(
            "The homebrew of {game} by which this was played ({page}) is lost; companion homebrew add FILE brings it "
            "back, if somebody still has that edition of the file.",
            game=title(name),
            page=page,
        )
    return phrase(
        "The page of the game “{game}” by which this was played ({page}) is lost; companion game add FILE brings it "
        "back, if somebody still has that edition of the file.",
        game=name,
        page=page,
    )


def _of_file(path: str) -> Game:
    text = next((text for source in _sources() if (text := source.text(path, "")) is not None), None)
    if text is None:
        raise NotationError(phrase("There is no page “{path}”.", path=path))
    rules = from_text(text)
    refuse_taken(rules.word)
    return rules


def from_text(text: str, name: str = "", *, kept: bool = False) -> Game:
    """Return the game that a page describes (`companion.games.described.load`), or a program's game with a homebrew
    applied. Raises PageError, a NotationError, that lists all errors of the text.
    """
    from companion.games.described import load

    base = load.base_of(text)
    if not base:
        return load.game_from_text(text, name, kept=kept)
    if not is_program(base):
        raise NotationError(phrase("This is a homebrew of “{game}”, and no such game is known here.", game=base))
    page = load.remember(text)
    if page not in _BREWED or not (kept or page in _SOUND):
        _BREWED.setdefault(page, game(base).with_homebrew(text, page, kept=kept))
        if not kept:
            _SOUND.add(page)
    return _BREWED[page]


def refuse_taken(name: str) -> None:
    """Raise NotationError if a page would take the name of a game that is a program."""
    if is_program(name):
        raise NotationError(
            phrase(
                "“{name}” is a game of its own here, so no page can be called that: give the page another `name`.",
                name=name,
            )
        )


def _present_edition(key: str, typed: str) -> Game:
    """Return the game with this name from the first source that has it, or from a shipped page."""
    text = _find_text(key, "")
    if text is None:
        raise NotationError(
            phrase("There is no game called “{name}”; known are: {games}.", name=typed, games=listed(names()))
        )
    return from_text(text, key)


def _find_text(name: str, page: str) -> str | None:
    texts = (text for source in _sources() if (text := source.text(name, page)) is not None)
    return next(texts, None) or _ready_edition(name, page)


def _ready_edition(name: str, page: str) -> str | None:
    """Return the text of a shipped page; with a digest, only if it matches."""
    from companion.games.described import load

    text = ready_text(name)
    return text if text is not None and page in ("", load.digest_of(text)) else None


def _from_package(point: EntryPoint) -> Game:
    package = point.dist.name if point.dist else point.module
    try:
        rules: Game = point.load()
        if rules.name != point.name.lower():
            raise ValueError(f"it calls itself {rules.name}")
    except Exception as error:  # A package's module may raise anything when it is loaded.
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise NotationError(
            phrase(
                "The game {game} of the package {package} cannot be loaded ({why}); mend the package or remove it.",
                game=point.name,
                package=package,
                why=why,
            )
        ) from error
    return rules


def printable(name: str, page: str = "") -> Printable:
    """Return what printing needs of a game; for built-in games this loads no rules.

    Raises NotationError as `game` does.
    """
    key = name.lower()
    if page or key in _LOADED or key not in _WHERE:
        return game(name, page)
    imprint: Printable = import_module(f"{_WHERE[key]}.paper").IMPRINT
    return imprint


def all_printable() -> Iterator[Printable]:
    """Yield what printing needs of every game that may print, in the order of `games_with_decks`."""
    yield from map(printable, _WHERE)
    yield from _loadable(name for name in _elsewhere() if name not in _WHERE)
    yield from _loadable(_with_decks())


def games_with_decks() -> Iterator[Game]:
    """Yield every loadable game that may have decks: built-in ones first, those of pages last."""
    yield from _loadable(_WHERE)
    # Looking through all packages takes longer than loading a game, and an earlier one often suffices.
    yield from _loadable(name for name in _elsewhere() if name not in _WHERE)
    yield from _loadable(_with_decks())


def _with_decks() -> Iterator[str]:
    """Yield the games of pages, except shipped ones without decks, which would cost time to read."""
    for name in described_names():
        text = ready_text(name) or ""
        if not text or _DECKS in text:
            yield name


def _loadable(names: Iterable[str]) -> Iterator[Game]:
    for name in names:
        try:
            yield game(name)
        except NotationError:
            continue


def broken() -> Iterator[Message]:
    """Yield a sentence about each package whose game cannot be played."""
    for name, point in _elsewhere().items():
        if name in _WHERE:
            package = point.dist.name if point.dist else point.module
            yield phrase(
                "The package {package} has a game called {game}; the one that comes along is played instead of it.",
                package=package,
                game=name,
            )
            continue
        try:
            game(name)
        except NotationError as error:
            yield error.message
