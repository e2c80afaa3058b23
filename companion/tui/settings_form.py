"""The form of the settings. Separate because what is usually printed on is chosen from what the press knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from companion.archive import Archive, ArchiveError, maintenance, offsite, stationery
from companion.games.action import RuleError
from companion.games.choices import Candidates, Choice, Open
from companion.games.form import Field, Filled, Finding, Place, Values
from companion.press import run
from companion.session.filling import Outcome, Seen
from companion.tui import drawing, keymap, settings
from labels.paper import LETTER, NAMED, usable

_FIELDS = (
    Field("theme", "Theme", "How it looks; kept until you choose another. The palette (Ctrl+P) tries them out."),
    Field("printer", "Printer", "Whose calibration is usual; F5 at home prints a test page, and then calibrates."),
    Field("stock", "Labels", "Which label sheets are usual, by the number on their box."),
    Field("paper", "Paper", "Which plain paper is usual: Letter, A4, or a width and a height, as 148 x 210 mm."),
    Field(
        "warnings", "Warnings", "Whether Next asks before it costs somebody the game; F9 at a table changes it, too."
    ),
    Field(
        "elsewhere", "Copy elsewhere", "A folder on another disk or a stick, where each backup is copied to as well."
    ),
)
_NONE = "none"
_ON = "on"


class SettingsForm:
    """See `companion.session.filling.Fillable`. `themes` are those that there are, `wear` puts one on."""

    title = "Settings"
    done = "Keep them"

    def __init__(self, archive: Archive, theme: str, themes: Sequence[str], wear: Callable[[str], None]) -> None:
        self._archive = archive
        self._theme = theme
        self._themes = themes
        self._wear = wear
        # A server has backups of its own.
        self._file = archive.store.file
        self._fields = _FIELDS if self._file else _FIELDS[:-1]

    def begun(self) -> Values:
        """What is chosen now."""
        now = settings.read()
        usual = {
            "printer": now.printer or _NONE,
            "stock": now.stock or run.STOCK,
            "paper": now.paper or LETTER.title,
            "warnings": now.warnings or _ON,
        }
        target = offsite.read(self._file) if self._file else None
        return {"theme": self._theme, **usual, "elsewhere": str(target.named) if target else _NONE}

    def seen(self, values: Values) -> Seen:
        """What is no theme, printer, stock or paper, where the rest is, and which stocks cannot be used."""
        findings = tuple(
            Finding(f"“{said}” is none of these.", place=Place(field.name))
            for field in self._fields
            if (said := str(values.get(field.name, ""))) and values and not self._is_known(field.name, said)
        )
        told = [f"Keys of your own: {drawing.near_home(keymap.place())}", f"Archive: {self._archive.name}"]
        told += [each.told for each in run.known_stocks().wrong]
        elsewhere = offsite.state(self._file) if self._file else None
        told += [elsewhere.text] if elsewhere else []
        return Seen(self._fields, Filled(findings=findings, change="\n".join(told)))

    def _is_known(self, field: str, said: str) -> bool:
        if field == "paper":
            return usable(said)
        if field == "elsewhere":
            return said == _NONE or said == self.begun()[field] or Path(said).expanduser().is_dir()
        return said in [str(choice.value) for choice in self._choices(field)]

    def _choices(self, field: str) -> Sequence[Choice]:
        match field:
            case "theme":
                return [Choice(theme) for theme in self._themes]
            case "printer":
                known = [Choice(row.name) for row in stationery.printers(self._archive)]
                return [Choice(_NONE, detail="print as the printer does"), *known]
            case "stock":
                return [Choice(stock.name, stock.title) for stock in run.known_stocks().stocks]
            case "warnings":
                return [Choice(_ON, detail="ask first"), Choice(settings.OFF, detail="Next goes on at once")]
            case "elsewhere":
                now = str(self.begun()[field])
                return [Choice(_NONE, detail="no copy elsewhere"), *([Choice(now)] if now != _NONE else [])]
        return [Choice(paper.title) for paper in NAMED.values()]

    def candidates(self, values: Values, place: Place, typed: str) -> Candidates:  # noqa: ARG002 – what a form may need
        """What there is to choose from; paper may have any size."""
        choices = self._choices(place.field)
        if place.field == "elsewhere":
            return Open("a folder that there is", "/media/stick", known=tuple(choices))
        return Open("a size", "148 x 210 mm", known=tuple(choices)) if place.field == "paper" else choices

    def drawn(self, values: Values, place: Place, rng: Random) -> str:  # noqa: ARG002
        """Nobody wants that."""
        raise RuleError("Settings are chosen.")

    def keep(self, values: Values) -> Outcome:
        """Keep them over restarts, and put on the theme. Raises RuleError where they cannot be kept."""
        chosen = {field.name: str(values.get(field.name, "")) for field in self._fields}
        self._follow(chosen.pop("elsewhere", ""))
        usual = {"printer": _NONE, "warnings": _ON}
        chosen |= {name: "" for name, said in usual.items() if chosen[name] == said}
        try:
            settings.change(**chosen)
        except OSError as error:
            raise RuleError(f"The settings cannot be kept: {error}.") from error
        self._wear(chosen["theme"] or self._theme)
        return Outcome("", "The settings are kept.")

    def _follow(self, elsewhere: str) -> None:
        if self._file is None or elsewhere in ("", self.begun()["elsewhere"]):
            return
        try:
            if elsewhere == _NONE:
                offsite.stop(self._file)
            else:
                offsite.follow(self._file, Path(elsewhere).expanduser())
                maintenance.end_evening(self._archive)
        except (ArchiveError, OSError) as error:
            raise RuleError(str(error)) from error
