"""The language of a process: of the option `--language`, else of the settings, else of the system."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from companion import forms
from templates import languages
from templates.languages import messages

if sys.platform == "win32":
    import ctypes
    from locale import windows_locale

_OPTION = "--language"

_requested_language: ContextVar[messages.Language | None] = ContextVar("requested_language", default=None)


def take_option(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """Return the arguments without `--language xx`, and its value; None if it is not there.

    It can be anywhere before `--`, and the last one counts. Without a value it is "". `labels file` has an option of
    this name, for the words on the labels, which is left to it.
    """
    if [word for word in arguments if not word.startswith("-")][:2] == ["labels", "file"]:
        return [*arguments], None
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
    if chosen := forms.settings.read_settings().language:
        yield chosen
        return
    # As GNU gettext does: LANGUAGE is a list, and counts for messages in any locale but C.
    locale = next(filter(None, (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if locale.partition(".")[0] in ("C", "POSIX"):
        return
    yield from filter(None, os.environ.get("LANGUAGE", "").split(":"))
    yield from filter(None, (locale or _windows_language(),))


def _windows_language() -> str:
    """Return the language of Windows' own screens; "" elsewhere."""
    if sys.platform == "win32":
        return windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    return ""


def use_language(wish: str | None) -> None:
    """Set the language of this process: a code or a file `….po`; None for that of the settings or of the system.

    Raises LanguageError for a wish that cannot be fulfilled. English loads nothing.
    """
    if wish is not None:
        messages.set_language(languages.catalogues.load_language(wish))
        return
    wishes = [*find_wishes()]
    if wishes and not wishes[0].startswith("en"):
        messages.set_language(_choose(wishes))


def _choose(wishes: Sequence[str]) -> messages.Language:
    """Return the language of the settings or of the system.

    That of the settings may be unfinished, or a translator's file; one that has gone is no error here.
    """
    if chosen := forms.settings.read_settings().language:
        try:
            return languages.catalogues.load_language(chosen)
        except languages.catalogues.LanguageError:
            return messages.ENGLISH
    return languages.catalogues.choose_language(wishes)


@contextmanager
def speak(wish: str | None) -> Iterator[None]:
    """Put messages of the block into the language of `--language`; None leaves it as it is. Raises LanguageError."""
    if wish is None:
        yield
        return
    language = languages.catalogues.load_language(wish)
    token = _requested_language.set(language)
    try:
        with messages.speaking(language):
            yield
    finally:
        _requested_language.reset(token)


def requested_language() -> messages.Language | None:
    """Return the language of `--language`, None without that option."""
    return _requested_language.get()
