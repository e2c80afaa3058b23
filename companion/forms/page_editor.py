"""Editing the page of a user's own game: its draft, which survives a restart, saving it, and taking a save back.

A saved page is an edition in the archive, which nothing overwrites; what was played by an edition keeps it. Pages that
come with the program are copied, never changed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from hashlib import sha256
from typing import Final, NamedTuple

from companion.archive import Archive, ArchiveError, Conflict
from companion.archive.errors import NameTaken
from companion.archive.exchange import pages
from companion.archive.exchange.pages import Added
from companion.archive.storage.rows import PageRow
from companion.forms import settings
from companion.games import registry
from companion.games.described import load
from companion.games.described.page.reading import as_word
from companion.games.described.page.starter import copy_page, starter_page
from companion.tabletop.action import NotationError
from companion.tabletop.decks.form import FormPlace
from companion.tabletop.text import in_quotes, sanitize
from templates.languages.messages import phrase

_DRAFTS: Final = "page"
"""The name under which the drafts are stored."""
_TEXT: Final = "text"
_PAGE: Final = "page"
_MARK: Final = "·"
_LOCK: Final = threading.RLock()
"""All editors of this process write the same file of drafts."""
_MAX_DRAFTS: Final = 40
"""The most pages that are drafts at a time."""


class EditedPage(NamedTuple):
    """A page as it is edited: its text, and its edition in the archive, None if it was never saved.

    `version` changes when anybody changes the draft or saves the page. `is_draft` is True if the text was not saved,
    and `is_outdated` if an edition was saved after that draft began.
    """

    name: str
    text: str
    version: str
    saved: PageRow | None
    is_draft: bool = False
    is_outdated: bool = False

    @property
    def page(self) -> str:
        """The digest of the saved edition, "" if there is none."""
        return self.saved.page if self.saved is not None else ""


class PageEditor:
    """The pages of the users' own games in an archive. Thread-safe."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def open(self, name: str) -> EditedPage | None:
        """Return a page with its draft, None if the user has no such game. Raises ArchiveError."""
        with _LOCK:
            return self._open(name)

    def _open(self, name: str) -> EditedPage | None:
        if not load.is_word(name):
            return None
        saved = pages.find_present(self._archive, name)
        text = pages.text_of(self._archive, saved.page) if saved is not None else ""
        if load.base_of(text):
            return None
        answers = settings.draft_answers(self._archive.name, _DRAFTS).get(name)
        if answers is None and saved is None:
            return None
        draft, page = (answers.get(FormPlace(_TEXT)), answers.get(FormPlace(_PAGE))) if answers else ("", "")
        is_draft = bool(draft) and draft != text
        now = saved.page if saved is not None else ""
        version = sha256(f"{now}:{draft if is_draft else ''}".encode()).hexdigest()[: load.DIGEST_LENGTH]
        return EditedPage(name, draft if is_draft else text, version, saved, is_draft, is_draft and page != now)

    def list_unsaved(self) -> Iterator[str]:
        """Yield the names of the games that were begun and never saved, the newest first."""
        for name in reversed(settings.draft_answers(self._archive.name, _DRAFTS)):
            edited = self.open(name)
            if edited is not None and edited.saved is None:
                yield name

    def begin(self, name: str, ready: str = "") -> None:
        """Begin the page of a new game with the template, or with a copy of a ready page.

        Raises NotationError if the name is no word or taken, or if there is no such ready page.
        """
        text = registry.ready_text(ready) if ready else ""
        if text is None:
            raise NotationError(phrase("There is no ready page called {name}.", name=in_quotes(ready)))
        self._check_new_name(name)
        with _LOCK:
            if len(settings.draft_answers(self._archive.name, _DRAFTS)) >= _MAX_DRAFTS:
                raise NotationError(
                    phrase("{n} pages are not saved yet; save one of them, or leave its changes.", n=str(_MAX_DRAFTS))
                )
            self._put_draft(name, copy_page(text, name) if text else starter_page(name), "")
            if self._open(name) is None:
                raise NotationError(
                    phrase("“{file}” cannot be written, so no page can be begun.", file=str(settings.drafts_file()))
                )

    def _check_new_name(self, name: str) -> None:
        if as_word(name) != name or not load.is_word(name):
            word = as_word(name)
            raise NotationError(
                phrase(
                    "“{name}” is no word of small letters and digits, joined by -; take {word}.", name=name, word=word
                )
                if word and load.is_word(word)
                else phrase("“{name}” is no word of small letters and digits, joined by -.", name=name)
            )
        registry.refuse_taken(name)
        is_taken = self.open(name) is not None or pages.find_present(self._archive, name) is not None
        if is_taken or name in registry.ready_names():
            raise NotationError(phrase("A game is called {name} already; take another word.", name=in_quotes(name)))

    def keep_draft(self, name: str, text: str, version: str) -> EditedPage:
        """Store a draft in place of what the writer has seen as `version`; return the page with it.

        Raises Conflict if somebody else has changed it since, Unknown if there is no such page any more, and
        NotationError if the text cannot be one of a page.
        """
        check_text(text)
        with _LOCK:
            edited = self._check_version(name, version)
            if text != edited.text:
                self._put_draft(name, text, edited.page)
            return self._open(name) or edited

    def save(self, name: str, text: str, version: str) -> Added:
        """Save a page, and forget its draft; a text with another name is saved as a game of that name.

        Raises what `keep_draft` and `pages.add_page` raise, and NameTaken if a page that comes with the program, or
        another game of the user, would be replaced.
        """
        check_text(text)
        with _LOCK:
            edited = self._check_version(name, version)
            if load.base_of(text):
                raise NotationError(phrase("This is a homebrew and no game of its own; leave out its line “homebrew”."))
            own = load.headline(text)
            # A page may be here under another name than its own.
            is_renamed = edited.saved is not None and edited.saved.word == own.name
            called = name if is_renamed else own.name
            self._check_place(called, own.edition, edited)
            seen = edited.page if called == name else ""
            added = pages.add_page(self._archive, text, called, seen=seen)
            self._put_draft(name, "", "")
            return added

    def _check_place(self, called: str, edition: int, edited: EditedPage) -> None:
        """Raise NameTaken or ArchiveError if a page that is saved under this name would replace what it must not."""
        if called in registry.ready_names():
            raise NameTaken(
                phrase(
                    "{name} comes with this program and stays as it is; give your page a name of its own.",
                    name=in_quotes(called),
                ),
                "games",
            )
        if called != edited.name and pages.find_present(self._archive, called) is not None:
            raise NameTaken(
                phrase("Another game of yours is called {name}; open its page to change it.", name=in_quotes(called)),
                "games",
            )
        if edited.saved is not None and called == edited.name and edition < edited.saved.edition:
            raise ArchiveError(
                phrase(
                    "Edition {edition} is here already, so this cannot be edition {earlier}.",
                    edition=str(edited.saved.edition),
                    earlier=str(edition),
                ),
                "games",
            )

    def undo_save(self, name: str, page: str) -> None:
        """Take back the edition that was saved last; its text is a draft again, unless there is one.

        Raises Conflict if another edition is the last one.
        """
        with _LOCK:
            edited = self._open(name)
            text = pages.text_of(self._archive, page)
            before = pages.withdraw_edition(self._archive, name, page)
            draft = edited.text if edited is not None and edited.is_draft else text
            self._put_draft(name, draft, before.page if before is not None else "")

    def forget_draft(self, name: str, version: str) -> None:
        """Leave all changes since the last save. Raises Conflict if somebody else has changed the page."""
        with _LOCK:
            self._check_version(name, version)
            self._put_draft(name, "", "")

    def _check_version(self, name: str, version: str) -> EditedPage:
        edited = self._open(name)
        if edited is None or edited.version != version:
            raise Conflict(phrase("Somebody else has changed this page since you opened it."), "games")
        return edited

    def _put_draft(self, name: str, text: str, page: str) -> None:
        values = {_TEXT: text, _PAGE: page} if text else {}
        settings.keep_draft(self._archive.name, _DRAFTS, name, values)


def check_text(text: str) -> None:
    """Raise NotationError if a text is too long for a page, empty, or has characters that cannot be seen."""
    if len(text.encode()) > load.MAX_BYTES:
        raise NotationError(
            phrase("That has more than {size} KiB; no game's page is that long.", size=load.MAX_BYTES // 1024)
        )
    if not text.strip():
        raise NotationError(phrase("The page is empty; write it, or leave the changes."))
    if line := _find_hidden(text):
        raise NotationError(
            phrase("Line {line} has a character that cannot be seen; write that line again.", line=str(line))
        )


def _find_hidden(text: str) -> int:
    """Return the first line with a control character, or one that hides text; 0 if there is none."""
    lines = text.split("\n")
    return next((number for number, line in enumerate(lines, 1) if sanitize(line).count(_MARK) != line.count(_MARK)), 0)
