"""Which games there are: those that come along, those that live in packages of their own, and those that somebody
described on a page.

A game's module is loaded only when somebody asks for it. A package names its game in the entry point group
`companion.games`, as in `duel = "duel_game:GAME"`; one that cannot be loaded is named, and harms no other.

The texts of pages come from sources: an archive, files, and the ready ones that come along. A page is read only when
its game is asked for. What was played by a page asks for exactly that text by its digest, whatever it is called now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol
from weakref import WeakKeyDictionary

from companion.tabletop.action import NotationError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from importlib.resources.abc import Traversable

    from companion.tabletop.game import Game
    from companion.tabletop.glossary import Worded
    from companion.tabletop.paper import Printable

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
"""Those of them with which nothing is wrong; others are kept for what was played by them."""
_PAGE: Final = ".toml"
"""How the files of pages end."""
_DECKS: Final = "\n[decks]"
"""Where a page that comes along says what its decks are."""


class Source(Protocol):
    """Something that has texts of pages."""

    def text(self, name: str, page: str) -> str | None:
        """The text with this digest; where `page` is "" the present edition of what is called `name`.

        None where it is not there. Raises NotationError where it is, and cannot be read.
        """
        ...

    def names(self) -> Iterable[str]:
        """What the games are called whose present edition it has."""
        ...


_SOURCES: Final[WeakKeyDictionary[Source, None]] = WeakKeyDictionary()
"""In the order in which they were added. Of archives that nobody closed, too, as long as somebody has them."""

GAMES: tuple[str, ...]
"""The games this program knows, by the word after `table`; looked up when first asked for."""


def __getattr__(name: str) -> tuple[str, ...]:
    if name == "GAMES":
        return (*_WHERE, *(word for word in _elsewhere() if word not in _WHERE))
    raise AttributeError(name)


@cache
def _elsewhere() -> Mapping[str, EntryPoint]:
    """The games of other packages, by the words that they are named with."""
    from importlib.metadata import entry_points

    return {point.name.lower(): point for point in entry_points(group=GROUP)}


def names() -> tuple[str, ...]:
    """The words of all games that can be named: those known, those added while the program runs, those of pages."""
    return tuple(dict.fromkeys((*__getattr__("GAMES"), *_LOADED, *described_names())))


def described_names() -> tuple[str, ...]:
    """The words of the games that pages describe, those added before the ready ones; no page is read for that."""
    named = (name for source in _sources() for name in source.names())
    return tuple(name for name in dict.fromkeys((*named, *ready_names())) if not is_program(name))


def ready_names() -> tuple[str, ...]:
    """The words of the games whose pages come along."""
    folder = _ready_pages()
    files = (file.name for file in folder.iterdir()) if folder.is_dir() else ()
    return tuple(sorted(name.removesuffix(_PAGE) for name in files if name.endswith(_PAGE)))


def ready_text(name: str) -> str | None:
    """The text of a page that comes along, by the game's word; None where there is none such."""
    return (_ready_pages() / f"{name}{_PAGE}").read_text(encoding="utf-8") if name in ready_names() else None


def _ready_pages() -> Traversable:
    from importlib import resources

    return resources.files("templates") / "games"


def is_program(name: str) -> bool:
    """Whether a word is taken by a game that is a program: no page can have it."""
    key = name.lower()
    return key in _WHERE or key in _elsewhere() or (key in _LOADED and not _LOADED[key].page)


def is_path(name: str) -> bool:
    """Whether something that stands for a game is the path of a page's file."""
    return name.lower().endswith(_PAGE) or "/" in name or "\\" in name


def register(game: Game) -> None:
    """Add a game that lives elsewhere, for as long as the program runs."""
    _LOADED[game.name] = game


def add_source(source: Source) -> None:
    """Ask this source, too, for the texts of pages, as long as it lives: before those that were added earlier."""
    _SOURCES[source] = None


def remove_source(source: Source) -> None:
    """Ask this source no more."""
    _SOURCES.pop(source, None)


def _sources() -> Iterator[Source]:
    """All that live; while they are asked, more may come."""
    return (source for each in reversed(_SOURCES.keyrefs()) if (source := each()) is not None)


def game(name: str, page: str = "") -> Game:
    """The rules of a game, by its name in any case, or by the path of its page.

    With the digest of a `page` they are those of exactly that text, called by this name. Raises NotationError: naming
    the known games, or saying why this one cannot be loaded.
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


def title(name: str, page: str = "") -> str:
    """What a game is called; one that cannot be loaded any more by the word that is stored."""
    try:
        return glossary(name, page).title
    except NotationError:
        return name


def glossary(name: str, page: str = "") -> Worded:
    """The words that lists show of a game and its tables; of those that come along no rules are loaded for them.

    Raises NotationError as `game` does.
    """
    key = name.lower()
    if page or key in _LOADED or key not in _WHERE:
        return game(name, page)
    words: Worded = import_module(f"{_WHERE[key]}.glossary").GLOSSARY
    return words


def is_of(rules: Game, name: str, page: str = "") -> bool:
    """Whether something that is stored under a game's name, by a page, is of this game: by any edition of its page."""
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
    """The game of a page by its digest. Raises NotationError where nobody has its text any more."""
    from companion.games.described import load

    if name in _LOADED and _LOADED[name].page == page:
        return _LOADED[name]
    text = load.text_of(page)
    if text is None:
        text = _find_text(name, page)
    what, command = f"page of the game “{name}”", "game"
    if is_program(name):
        what, command = f"homebrew of {title(name)}", "homebrew"
    if text is None:
        raise NotationError(
            f"The {what} by which this was played ({page}) is lost; companion {command} add FILE brings it back, if "
            "somebody still has that edition of the file."
        )
    if (base := load.base_of(text)) != name:
        refuse_taken(name)
        if base:
            raise NotationError(f"The {what} by which this was played ({page}) is a homebrew of another game.")
    try:
        return from_text(text, name, kept=True)
    except NotationError as error:
        raise NotationError(
            f"The page of the game “{name}” by which this was played ({page}) cannot be read by this program: {error}"
        ) from error


def _of_file(path: str) -> Game:
    text = next((text for source in _sources() if (text := source.text(path, "")) is not None), None)
    if text is None:
        raise NotationError(f"There is no page “{path}”.")
    rules = from_text(text)
    refuse_taken(rules.word)
    return rules


def from_text(text: str, name: str = "", *, kept: bool = False) -> Game:
    """The game that a page describes, as `companion.games.described.load` reads it, or one that is a program with what
    a homebrew adds to it. Raises PageError, a NotationError, with all that is wrong with the text.
    """
    from companion.games.described import load

    base = load.base_of(text)
    if not base:
        return load.game_from_text(text, name, kept=kept)
    if not is_program(base):
        raise NotationError(f"This is a homebrew of “{base}”, and no such game is known here.")
    page = load.remember(text)
    if page not in _BREWED or not (kept or page in _SOUND):
        _BREWED.setdefault(page, game(base).with_homebrew(text, page, kept=kept))
        if not kept:
            _SOUND.add(page)
    return _BREWED[page]


def refuse_taken(name: str) -> None:
    """Raises NotationError where a page would take the name of a game that is a program."""
    if is_program(name):
        raise NotationError(
            f"“{name}” is a game of its own here, so no page can be called that: give the page another `name`."
        )


def _present_edition(key: str, typed: str) -> Game:
    """The game that is called so, from the first source that has it, or a ready one."""
    text = _find_text(key, "")
    if text is None:
        raise NotationError(f"There is no game called “{typed}”; known are: {', '.join(names())}.")
    return from_text(text, key)


def _find_text(name: str, page: str) -> str | None:
    texts = (text for source in _sources() if (text := source.text(name, page)) is not None)
    return next(texts, None) or _ready_edition(name, page)


def _ready_edition(name: str, page: str) -> str | None:
    """The text of a ready page, if it is that of this digest, where one is meant."""
    from companion.games.described import load

    text = ready_text(name)
    return text if text is not None and page in ("", load.digest_of(text)) else None


def _from_package(point: EntryPoint) -> Game:
    package = point.dist.name if point.dist else point.module
    try:
        rules: Game = point.load()
        if rules.name != point.name.lower():
            raise ValueError(f"it calls itself {rules.name}")
    except Exception as error:  # whatever a stranger's module may raise while it is loaded
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise NotationError(
            f"The game {point.name} of the package {package} cannot be loaded ({why}); mend the package or remove it."
        ) from error
    return rules


def printable(name: str, page: str = "") -> Printable:
    """What must be known to print for a game of this name; of those that come along no rules are loaded for it.

    Raises NotationError as `game` does.
    """
    key = name.lower()
    if page or key in _LOADED or key not in _WHERE:
        return game(name, page)
    imprint: Printable = import_module(f"{_WHERE[key]}.paper").IMPRINT
    return imprint


def all_printable() -> Iterator[Printable]:
    """The same of every game that may print something, in the order of `games_with_decks`."""
    yield from map(printable, _WHERE)
    yield from _loadable(name for name in _elsewhere() if name not in _WHERE)
    yield from _loadable(_with_decks())


def games_with_decks() -> Iterator[Game]:
    """Every game that may have decks and can be loaded, those that come along first, those of pages last."""
    yield from _loadable(_WHERE)
    # To look through all packages takes longer than to load a game, and often an earlier one will do.
    yield from _loadable(name for name in _elsewhere() if name not in _WHERE)
    yield from _loadable(_with_decks())


def _with_decks() -> Iterator[str]:
    """The games of pages, but for those that come along and have no decks: nobody waits for these to be read."""
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


def broken() -> Iterator[str]:
    """A sentence about each package whose game cannot be played."""
    for name, point in _elsewhere().items():
        if name in _WHERE:
            package = point.dist.name if point.dist else point.module
            yield f"The package {package} has a game called {name}; the one that comes along is played instead of it."
            continue
        try:
            game(name)
        except NotationError as error:
            yield str(error)
