"""The language of a process: of the option `--language`, else of the settings, else of the system."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress

_OPTION = "--language"


def take_option(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """Return the arguments without `--language xx`, and its value; None if it is not there.

    It stands anywhere before `--`, and the last one counts. Without a value it is "".
    """
    rest: list[str] = []
    wish: str | None = None
    remaining = iter(arguments)
    for argument in remaining:
        name, sign, value = argument.partition("=")
        if name != _OPTION:
            rest.append(argument)
        else:
            wish = value if sign else next(remaining, "")
        if argument == "--":
            rest += remaining
    return rest, wish


def find_wishes() -> Iterator[str]:
    """Yield the languages that the settings and the system name, the most wished first: `de`, `de_DE.UTF-8`."""
    if set_one := _read_setting():
        yield set_one
        return
    # As GNU gettext has it: LANGUAGE is a list, and counts for messages in any locale but C.
    locale = next(filter(None, (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if locale.partition(".")[0] in ("C", "POSIX"):
        return
    yield from filter(None, os.environ.get("LANGUAGE", "").split(":"))
    yield from filter(None, (locale or _windows_language(),))


def _windows_language() -> str:
    """Return the language of Windows' own screens; "" elsewhere."""
    if sys.platform != "win32":
        return ""
    import ctypes
    from locale import windows_locale

    return windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")


def use_language(wish: str | None) -> None:
    """Set the language of this process: a code or a file `….po`; None for that of the settings or of the system.

    Raises LanguageError for a wish that cannot be fulfilled. English loads nothing.
    """
    wishes = [*find_wishes()] if wish is None else [wish]
    if wish is None and (not wishes or wishes[0].startswith("en")):
        return
    from templates.languages import catalogues
    from templates.languages.messages import set_language

    if wish is not None:
        set_language(catalogues.load_language(wish))
        return
    language = catalogues.choose_language(wishes)
    # A setting may be unfinished, or a translator's file; if that is gone, the program starts all the same.
    with suppress(catalogues.LanguageError):
        language = catalogues.load_language(_read_setting()) if _read_setting() else language
    set_language(language)


def _read_setting() -> str:
    """Return the language of the settings; "" for that of the system."""
    from companion.tui import settings

    return settings.read_settings().language


def speak(wish: str | None) -> AbstractContextManager[None]:
    """Return a context in which messages are in the language of `--language`; None leaves it as it is.

    Raises LanguageError.
    """
    if wish is None:
        return nullcontext()
    from templates.languages import catalogues
    from templates.languages.messages import speaking

    return speaking(catalogues.load_language(wish))
