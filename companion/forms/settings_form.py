"""The form of the settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import msgspec

from companion.archive import Archive, ArchiveError, stationery
from companion.archive.recovery import backups
from companion.archive.storage import files
from companion.forms import settings
from companion.printing import run
from companion.session.table.countdown import read_wish
from companion.session.table.form_filling import FormResult, FormState
from companion.tabletop.action import RuleError
from companion.tabletop.decks.form import Field, Filled, Finding, FormPlace, Values
from companion.tabletop.table.choices import Candidates, Choice, Open
from companion.tabletop.table.house_rules import PROGRAM, TABLE
from labels.geometry import NAMED, is_paper, paper_of_region
from templates.languages.catalogues import LanguageError, list_finished, load_language
from templates.languages.messages import (
    Language,
    Text,
    joined,
    phrase,
    phrase_in,
    set_language,
)

_FIELDS = (
    Field("theme", "Theme", "The theme of the screen. The palette (Ctrl+P) lets you try them out."),
    Field(
        "printer",
        "Printer",
        "The printer whose calibration is the default; F5 at home prints a test page and then calibrates.",
    ),
    Field("stock", "Labels", "The default label sheets, by the number on their box."),
    Field("paper", "Paper", "The default paper: Letter, A4, or a width and a height, such as 148 x 210 mm."),
    Field("ink", "Ink", "The default ink: only black, or colour; otherwise as the labels ask for."),
    Field("codes", "Codes", "Whether card labels have a code, so that a photograph of the deck shows its labels."),
    Field(
        "warnings",
        "Warnings",
        "Whether Next asks before a player would be out of the game; F9 at a table changes it, too.",
    ),
    Field(
        "cards", "Real cards", "Whether each step says what to do with the real cards; F6 at a table changes it, too."
    ),
    Field(
        "clock",
        "Countdown",
        "Seconds for each turn or round, such as 90, or 90 bell; `clock 90` at a table sets it, too.",
    ),
    Field(
        "draws",
        "Who draws",
        "At a new table: you draw real cards and enter what came, or the program draws. Each table can change it.",
    ),
    Field("language", "Language", "The language of the program: one of these, or a translator's file, such as de.po."),
    Field(
        "elsewhere",
        "Copy elsewhere",
        "A folder on another disk or a USB stick, to which each backup is copied as well.",
    ),
)
_WITHOUT_KEYS: Final = {
    "printer": phrase("The printer whose calibration is the default. The link below this form calibrates one."),
    "warnings": phrase("Whether Next asks before a player would be out of the game."),
    "cards": phrase("Whether each step says what to do with the real cards."),
    "clock": phrase("Seconds for each turn or round, such as 90, or 90 bell."),
    "language": phrase("The language of the program."),
}
"""The explanations of settings for those who have no keys of a terminal."""
_NONE = "none"
_ON = settings.ON
_FIRST = "first"
_OF_SYSTEM = "system"
_BY_LABELS = "by labels"


_ON_TITLE: Final = phrase_in("setting", "on")
_OFF_TITLE: Final = phrase_in("setting", "off")
_NONE_TITLE: Final = phrase_in("setting", "none")
_WORDS: Final = {
    "codes": (
        Choice(settings.OFF, _OFF_TITLE, phrase("labels as they were")),
        Choice(_ON, _ON_TITLE, phrase("at the left edge of each label of a card")),
    ),
    "warnings": (
        Choice(_ON, _ON_TITLE, phrase("ask first")),
        Choice(settings.OFF, _OFF_TITLE, phrase("Next goes on at once")),
    ),
    "cards": (
        Choice(_FIRST, phrase_in("setting", "first"), phrase("shown until a game of that kind has been sealed here")),
        Choice(_ON, _ON_TITLE, phrase("shown at each step")),
        Choice(settings.OFF, _OFF_TITLE, phrase("not shown")),
    ),
    "draws": (
        Choice(TABLE, phrase_in("setting", "table"), phrase("you draw real cards and enter what came")),
        Choice(PROGRAM, phrase_in("setting", "program"), phrase("the program draws what chance decides")),
    ),
}
"""The settings with a few fixed values, and the effect of each value."""


def _is_catalogue(wish: str) -> bool:
    """Return True if a language is given by a translator's file, not by its code."""
    return wish.lower().endswith(".po")


def _load_language(wish: str) -> Language:
    """Return the language of a code or file. Raises LanguageError."""
    if not _is_catalogue(wish):
        return load_language(wish)
    path = files.expand_user(wish)
    return _read_catalogue(path, path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=1)
def _read_catalogue(path: Path, changed: int) -> Language:  # noqa: ARG001 – a changed file is read again
    """Return the language of a file, which is checked at each answer of the form. Raises LanguageError."""
    return load_language(str(path))


def _is_language(wish: str) -> bool:
    """Return True if a language can be used."""
    try:
        _load_language(wish)
    except LanguageError:
        return False
    return True


class ScreenLooks(NamedTuple):
    """The looks of a terminal's screens: the present theme, all themes, and what applies one by its name.

    `keys` says where the user's own keys are kept.
    """

    theme: str
    themes: Sequence[Choice]
    wear: Callable[[str], None]
    keys: Text


class SettingsForm:
    """The form for the settings; see `companion.session.table.form_filling.Fillable`.

    `looks` are those of the screen, which only a terminal has. A new language counts at once.
    """

    title = phrase("Settings")
    # Translators: “them” are the settings.
    done = phrase("Save them")

    def __init__(self, archive: Archive, looks: ScreenLooks | None = None) -> None:
        self._archive = archive
        self._looks = looks
        self._file = archive.store.file
        # A server has its own backups.
        unasked = {"theme" if looks is None else "", "" if self._file else "elsewhere"}
        self._fields = tuple(field for field in _FIELDS if field.name not in unasked)
        if looks is None:
            self._fields = tuple(
                msgspec.structs.replace(field, help=_WITHOUT_KEYS.get(field.name, field.help)) for field in self._fields
            )

    def initial_values(self) -> Values:
        """Return the current settings."""
        now = settings.read_settings()
        usual = {
            "printer": now.printer or _NONE,
            "stock": now.stock or run.STOCK,
            "paper": now.paper or paper_of_region().title,
            "ink": now.ink or _BY_LABELS,
            "codes": now.codes or settings.OFF,
            "warnings": now.warnings or _ON,
            "cards": now.cards or _FIRST,
            "clock": now.clock or settings.OFF,
            "draws": now.draws or TABLE,
            "language": now.language or _OF_SYSTEM,
        }
        target = backups.read_offsite(self._file) if self._file else None
        looks = {"theme": self._looks.theme} if self._looks else {}
        elsewhere = {"elsewhere": str(target.parent) if target else _NONE} if self._file else {}
        return {**looks, **usual, **elsewhere}

    def build_state(self, values: Values) -> FormState:
        """Report unknown themes, printers, stocks and papers, unusable stocks, and the places of the other files."""
        findings = tuple(
            Finding(self._explain_unknown(field.name, value), place=FormPlace(field.name))
            for field in self._fields
            if (value := str(values.get(field.name, ""))) and values and not self._is_known(field.name, value)
        )
        lines: list[Text] = [self._looks.keys] if self._looks else []
        lines += [phrase("Archive: {name}", name=self._archive.name)]
        lines += [each.reason for each in run.known_stocks().wrong]
        elsewhere = backups.offsite_state(self._file) if self._file else None
        lines += [elsewhere.text] if elsewhere else []
        fields = tuple(field.with_titles(self._choices(field.name)) for field in self._fields)
        return FormState(fields, Filled(findings=findings, change=joined("\n", lines)))

    @staticmethod
    def _explain_unknown(field: str, value: str) -> Text:
        """Return the error of a value that is not known."""
        if field == "language":
            try:
                _load_language(value)
            except LanguageError as error:
                return str(error)
        return phrase("“{value}” is none of these.", value=value)

    def _is_known(self, field: str, value: str) -> bool:
        if field == "language":
            return value == _OF_SYSTEM or _is_language(value)
        if field == "paper":
            return is_paper(value)
        if field == "clock":
            return read_wish(value) is not None
        if field == "elsewhere":
            return value == _NONE or value == self.initial_values()[field] or files.expand_user(value).is_dir()
        return value in [str(choice.value) for choice in self._choices(field)]

    def _choices(self, field: str) -> Sequence[Choice]:
        if field in _WORDS:
            return _WORDS[field]
        match field:
            case "theme":
                return self._looks.themes if self._looks else ()
            case "printer":
                printers = [Choice(row.name) for row in stationery.printers(self._archive)]
                return [Choice(_NONE, _NONE_TITLE, phrase("print as the printer does")), *printers]
            case "stock":
                return [Choice(stock.name, stock.caption) for stock in run.known_stocks().stocks]
            case "ink":
                by_labels = Choice(
                    _BY_LABELS, phrase_in("ink", "by labels"), phrase("colour on sheets, black on rolls")
                )
                return [
                    by_labels,
                    Choice("black", phrase_in("ink", "black"), phrase("no colours, no greys")),
                    Choice("colour", phrase_in("ink", "colour"), phrase("also on rolls")),
                ]
            case "clock":
                bell = Choice("90 bell", phrase_in("setting", "90 bell"), phrase("a bell rings at the end"))
                return [
                    Choice(settings.OFF, _OFF_TITLE, phrase("no countdown")),
                    *map(Choice, ("60", "90", "180")),
                    bell,
                ]
            case "language":
                of_system = Choice(_OF_SYSTEM, phrase_in("setting", "system"), phrase("the language of the system"))
                return [of_system, *(Choice(each.code, each.title) for each in list_finished())]
            case "elsewhere":
                now = str(self.initial_values()[field])
                return [
                    Choice(_NONE, _NONE_TITLE, phrase("no copy elsewhere")),
                    *([Choice(now)] if now != _NONE else []),
                ]
        return [Choice(paper.title, detail=paper.measures) for paper in NAMED.values()]

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:  # noqa: ARG002 – what a form may need
        """Offer the choices; paper may have any size."""
        choices = self._choices(place.field)
        if place.field == "elsewhere":
            return Open(phrase("an existing folder"), "/media/stick", fitting=tuple(choices))
        if place.field == "clock":
            return Open(phrase("seconds, followed by bell if it should ring"), "90", fitting=tuple(choices))
        # A browser lists the names of the languages; a translator names a file in the terminal.
        if place.field == "language" and self._looks:
            return Open(phrase("a language, or a translator's file"), "de.po", fitting=tuple(choices))
        return Open(phrase("a size"), "148 x 210 mm", fitting=tuple(choices)) if place.field == "paper" else choices

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:  # noqa: ARG002
        """Refuse: settings are chosen."""
        raise RuleError(phrase("Settings cannot be drawn; choose them."))

    def keep(self, values: Values) -> FormResult:
        """Store the settings, and apply the theme. Raises RuleError if they cannot be stored."""
        changes = {field.name: str(values.get(field.name, "")) for field in self._fields}
        self._follow(changes.pop("elsewhere", ""))
        usual = {"printer": _NONE, "ink": _BY_LABELS, "codes": settings.OFF}
        usual |= {"warnings": _ON, "cards": _FIRST, "clock": settings.OFF, "draws": TABLE, "language": _OF_SYSTEM}
        changes |= {name: "" for name, default in usual.items() if changes[name] == default}
        before = settings.read_settings().language
        language = self._read_language(changes)
        try:
            settings.change(**changes)
        except settings.NotKept as error:
            raise RuleError(phrase("The settings cannot be saved: {reason}.", reason=str(error))) from error
        if self._looks:
            self._looks.wear(changes["theme"] or self._looks.theme)
        kept = phrase("The settings are saved.")
        if changes["language"] == before:
            return FormResult("", kept)
        if language is None:
            return FormResult(
                "", joined(" ", (kept, phrase("The language of the system applies from the next start.")))
            )
        set_language(language)
        return FormResult("", kept)

    @staticmethod
    def _read_language(changes: dict[str, str]) -> Language | None:
        """Return the language that was chosen, and make the path of a file absolute; None for that of the system.

        Raises RuleError for a language that cannot be used.
        """
        wish = changes["language"]
        if not wish:
            return None
        try:
            language = _load_language(wish)
        except LanguageError as error:
            raise RuleError(str(error)) from error
        if _is_catalogue(wish):
            changes["language"] = str(files.expand_user(wish).resolve())
        return language

    def _follow(self, elsewhere: str) -> None:
        if self._file is None or elsewhere in ("", self.initial_values()["elsewhere"]):
            return
        # It imports sqlalchemy, which nothing needs before.
        from companion.archive import maintenance

        try:
            if elsewhere == _NONE:
                backups.stop_offsite(self._file)
            else:
                backups.start_offsite(self._file, files.expand_user(elsewhere))
                maintenance.end_evening(self._archive)
        except (ArchiveError, OSError) as error:
            raise RuleError(str(error)) from error
