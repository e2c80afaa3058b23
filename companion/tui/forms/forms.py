"""The forms of home: checking a box, calibrating a printer, rebuilding a deck, a new deck, the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from companion.archive import Archive, ArchiveError, DeckRow, Unknown, deck_records, stationery
from companion.archive.recovery import backups
from companion.archive.storage import files
from companion.games import registry
from companion.printing import run
from companion.session.table.countdown import read_wish
from companion.session.table.form_filling import DeckForm, FormResult, FormState
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.constructed.founding import LIST_QUESTIONS, idle_questions, offer_sections, read_wishes
from companion.tabletop.decks.decklist import change_text, format_deck_list, part_sizes
from companion.tabletop.decks.form import YES, Field, Filled, Finding, FormPlace, Values, choices_by_kind
from companion.tabletop.decks.keeping import ListDraft
from companion.tabletop.decks.portrait import Portrait, changed_cards
from companion.tabletop.records import Reason
from companion.tabletop.table.choices import Candidates, Choice, Open
from companion.tabletop.table.house_rules import PROGRAM, TABLE
from companion.tui import drawing, keymap, settings
from companion.tui.themes import THEME_TITLES
from labels.errors import LabelError
from labels.geometry import NAMED, is_paper, paper_of_region
from labels.paper import calibration
from labels.paper.calibration import Calibration
from templates.languages.catalogues import LanguageError, list_finished, load_language
from templates.languages.messages import (
    Finished,
    Language,
    Message,
    Text,
    joined,
    phrase,
    phrase_in,
    phrases,
    set_language,
)

_NO = "no"
_MORE = "besides"


class AuditForm:
    """The form that compares a box with its record; see `companion.session.table.form_filling.Fillable`.

    It begins with the record.
    """

    done = phrase("Mend the record")

    def __init__(self, archive: Archive, row: DeckRow) -> None:
        self.title = phrase("Check the box of {deck}: press Enter wherever the record is right", deck=row.name)
        self._archive = archive
        self._row = row
        self._deck = deck_records.read_marks(archive, row.deck)
        self._paper = self._deck.keeping.paper(self._deck.marks)
        self._fields = (*self._spot_fields(), self._besides_field())

    def _spot_fields(self) -> Iterator[Field]:
        titles = (("yes", phrase_in("answer", "yes")), (_NO, phrase_in("answer", "no")))
        for spot, text in self._paper.items():
            # What people edit is in their own words, as the question has it.
            own = () if text == "yes" else ((text, drawing.narrow_glyphs(self._display_text(spot, text))),)
            yield Field(
                spot,
                drawing.narrow_glyphs(str(self._deck.keeping.question(spot, text))),
                "Type no, or what is there instead.",
                titles=(*titles, *own),
            )

    def _display_text(self, spot: str, text: str) -> Text:
        """Return the text of a spot as it is shown: a text of several words may have a translation."""
        if text == "yes":
            return phrase_in("answer", "yes")
        return (" " in text and self._deck.keeping.describe_spot(spot, text)[1]) or text

    def _besides_field(self) -> Field:
        example, _, says = self._deck.keeping.example.partition(":")
        more = str(phrase("Is there anything else? Enter where, such as {example}.", example=example))
        spot = Field("spot", "Where", more, example=example)
        return Field(
            _MORE, "Besides", many=True, parts=(spot, Field("says", "What", "What stands there.", example=says))
        )

    def initial_values(self) -> Values:
        """Return the record, as if the box agreed with it."""
        return dict(self._paper)

    def build_state(self, values: Values) -> FormState:
        """Report the differences from the record, and the answers that are impossible."""
        findings = []
        for number, answer in enumerate(values.get(_MORE, ())):
            try:
                self._deck.keeping.read_spot(answer.get("spot", ""))
            except NotationError as error:
                findings.append(Finding(str(error), place=FormPlace(_MORE, number, "spot")))
        looked_at = {spot: text for spot, text in values.items() if spot != _MORE}
        # Translators: The answer differs from the record.
        differs: Text = phrase("≠ record")
        other = {FormPlace(spot): differs for spot, text in looked_at.items() if text != self._paper.get(spot)}
        count = len(other) + len(values.get(_MORE, ()))
        differences = phrases("{n} difference from the record.", "{n} differences from the record.", n=count)
        change = differences if count else phrase("The box and the record agree so far.")
        return FormState(self._fields, Filled(findings=tuple(findings), beside=other, change=change))

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:  # noqa: ARG002 – what a form may need
        """Offer the recorded text, or its absence; anything else is typed."""
        if place.field == _MORE:
            return Open("", self._deck.keeping.example)
        text = self._paper[place.field]
        recorded = Choice(text, self._display_text(place.field, text), phrase("as the record says"))
        return recorded, Choice(_NO, phrase_in("answer", "no"), phrase("not there"))

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:  # noqa: ARG002
        """Refuse: the answer is on the card."""
        raise RuleError(phrase("What is on a card cannot be drawn; look at the card."))

    def keep(self, values: Values) -> FormResult:
        """Change the record to match the box, and report its new story. Raises RuleError, ArchiveError."""
        texts = {spot: "" if text.lower() in (_NO, "n") else text for spot, text in values.items() if spot != _MORE}
        texts |= dict(self._read_additions(values.get(_MORE, ())))
        mended = deck_records.mend(self._archive, self._row.deck, texts, Reason("box-looked-through"))
        return FormResult(self._row.deck, joined("\n", mended) or phrase("The box and the record agree."))

    def _read_additions(self, answers: Any) -> Iterator[tuple[str, str]]:
        answer: Mapping[str, str]
        for answer in answers:
            yield self._deck.keeping.read_spot(answer.get("spot", "")), answer.get("says", "") or "yes"


_NAME = Field(
    "name", "Printer", "A name for the printer; a known one is measured again.", required=True, example="office"
)
# Translators: Distances on a test page, where A and B are two marks.
_SHORT = (phrase("A from left"), phrase("A from top"), phrase("A to B right"), phrase("A to B down"))
_AGAIN = Field(
    "again",
    "Printed with",
    "Whether the test page was printed with this printer's calibration, as its header says. The remaining error is "
    "added.",
    kind="flag",
)


class CalibrationForm:
    """The form that calibrates a printer; see `companion.session.table.form_filling.Fillable`."""

    title = phrase("Calibrate a printer: measure a test page that was printed at 100 %")
    done = phrase("Remember it")

    def __init__(self, archive: Archive, printer: str = "", span: tuple[float, float] = calibration.B) -> None:
        self._archive = archive
        self._printer = printer
        self._span = span
        self._distances = tuple(_distances(span))

    def initial_values(self) -> Values:
        """Return the distances of a perfect printer, with the name of the `printer` whose calibration the page was
        printed with.
        """
        begun = {field.name: field.default for field in self._distances}
        return {**begun, "name": self._printer, "again": "yes"} if self._printer else begun

    def build_state(self, values: Values) -> FormState:
        """Report the calibration, as far as it has been measured."""
        findings = []
        if not values.get("name"):
            findings.append(Finding(phrase("The printer needs a name."), place=FormPlace("name")))
        fields = (_NAME, *([_AGAIN] if self._stored_calibration(values) else []), *self._distances)
        for field in self._distances:
            try:
                calibration.parse_millimetres(str(values.get(field.name, "")))
            except LabelError as error:
                findings.append(Finding(str(error), place=FormPlace(field.name)))
        if findings:
            return FormState(fields, Filled(findings=tuple(findings)))
        try:
            result = self._new_calibration(values)
        except LabelError as error:
            return FormState(fields, Filled(findings=(Finding(str(error), place=FormPlace(self._distances[0].name)),)))
        return FormState(fields, Filled(change=_describe_calibration(result)))

    def _stored_calibration(self, values: Values) -> Calibration | None:
        """Return the stored calibration of the printer, if any."""
        try:
            return run.load_calibration(self._archive, str(values.get("name", "")))
        except Unknown:
            return None

    def _new_calibration(self, values: Values) -> Calibration:
        """Return the new calibration: the measured one, or that combined with the stored one. Raises LabelError."""
        rest, stored = self._read_distances(values), self._stored_calibration(values)
        again = str(values.get("again", "")).strip().lower() in YES
        return calibration.combine(stored, rest) if again and stored is not None else rest

    def _read_distances(self, values: Values) -> Calibration:
        """Compute the calibration from the four distances. Raises LabelError."""
        distances = (calibration.parse_millimetres(str(values.get(field.name, ""))) for field in self._distances)
        left, top, right, down = distances
        return calibration.from_measurements(left, top, right, down, self._span)

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:  # noqa: ARG002
        """Offer the known printers; a distance is typed."""
        if place.field == "name":
            printers = tuple(Choice(row.name) for row in stationery.printers(self._archive))
            return Open(phrase("a name"), "office", fitting=printers)
        return (Choice("yes"), Choice("no")) if place.field == "again" else Open(phrase("millimetres"), "20.5")

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:  # noqa: ARG002
        """Refuse: distances are measured."""
        raise RuleError(phrase("Distances cannot be drawn; measure them."))

    def keep(self, values: Values) -> FormResult:
        """Store the calibration of the printer. Raises RuleError for impossible measurements."""
        try:
            result = self._new_calibration(values)
        except LabelError as error:
            raise RuleError(str(error)) from error
        name = str(values["name"])
        stationery.calibrate(self._archive, name, result.dx, result.dy, result.sx, result.sy)
        # Translators: {calibration} is what was measured, as one sentence.
        done = phrase("{printer}: {calibration}", printer=name, calibration=_describe_calibration(result))
        return FormResult(name, joined(" ", (done, phrase("Print a test page for it to see that it fits now."))))


def _distances(span: tuple[float, float]) -> Iterator[Field]:
    """Yield the fields for the distances on a test page, whose B lies at `span` from A."""
    for at, (short, (question, nominal)) in enumerate(zip(_SHORT, calibration.distances(span), strict=True)):
        # Translators: {distance} is what to measure on a test page.
        about = phrase("Measure {distance}, in mm; it should be {nominal}.", distance=question, nominal=f"{nominal:g}")
        yield Field(f"distance{at}", str(short), str(about), default=f"{nominal:g}")


def _describe_calibration(result: Calibration) -> Message:
    return phrase(
        "{right} mm right, {down} mm down, scale {across} across and {along} down.",
        right=f"{result.dx:+g}",
        down=f"{result.dy:+g}",
        across=f"{result.sx:g}",
        along=f"{result.sy:g}",
    )


_LIST: Final = "list"
_SWAP: Final = "swap"
_REBUILD: Final = (
    Field(
        _SWAP,
        "Swaps",
        "The cards to add and remove, such as +2 Ember or -1 Flare; for a new card, its whole line.",
        many=True,
        example="+2 Ember",
    ),
    Field(
        _LIST,
        "List",
        "The whole list, to edit, or one to paste from another program; swaps are applied afterwards.",
        _LIST,
        required=True,
    ),
    *LIST_QUESTIONS,
    Field("reason", "Reason", "The reason, for later readers of the history."),
    Field("by", "By", "Who changed it."),
)


class RebuildForm:
    """The form that rebuilds a deck; see `form_filling.Fillable`. `portrait` previews the deck."""

    done = phrase("Rebuild it")

    def __init__(self, archive: Archive, row: DeckRow) -> None:
        self.title = phrase("Rebuild {deck}", deck=row.name)
        self.portrait = Portrait()
        self.game = row.game
        self._archive, self._row = archive, row
        self._text = format_deck_list(row.game, deck_records.draft_list(archive, row.deck).before)

    def initial_values(self) -> Values:
        """Return the current list of the deck."""
        return {_LIST: self._text}

    def _draft(self, values: Values) -> ListDraft:
        swaps = [str(swap) for swap in values.get(_SWAP, ())]
        text = str(values.get(_LIST, ""))
        return deck_records.draft_list(self._archive, self._row.deck, text, swaps, read_wishes(values))

    def build_state(self, values: Values) -> FormState:
        """Report the cards that come and go, preview the deck, and report everything that is wrong with it."""
        try:
            draft = self._draft(values)
        except NotationError as error:
            place = FormPlace(_SWAP, self._first_wrong(values))
            wrong = Filled(findings=(Finding(str(error), place=place, unreadable=True),))
            return FormState(_REBUILD, wrong, frozenset(idle_questions(values, (), 0)))
        title = phrase("From version {number}", number=str(self._row.figure("version")))
        changed = tuple(changed_cards(draft.before, draft.cards, str(title)))
        parts = registry.game(self.game, self._row.page).decks.list_portrait(draft.cards, draft.before).parts
        # If room is scarce, the legality comes first.
        self.portrait = Portrait((), (*parts[:1], *changed, *parts[1:]))
        findings = draft.findings
        if values.get(_SWAP):  # the lines of its findings are not those of the visible text
            findings = tuple(msgspec.structs.replace(each, place=FormPlace(_LIST)) for each in findings)
        # Translators: {changes} are the cards that come and go, {sizes} the numbers of cards in each part.
        change = phrase(
            "{changes}; {sizes}.", changes=change_text(draft.before, draft.cards), sizes=part_sizes(draft.cards)
        )
        changed_text = Finished(change, begins=True, ends=False)
        filled = Filled(findings=findings, change=changed_text, summary=self._summary(draft, values))
        return FormState(_REBUILD, filled, frozenset(idle_questions(values, draft.open_sections, draft.unread)))

    def _summary(self, draft: ListDraft, values: Values) -> Text:
        """Return what was read from a list that was pasted or edited."""
        return draft.summary if values.get(_LIST) != self._text else ""

    def _first_wrong(self, values: Values) -> int:
        """Return the number of the first swap that is impossible."""
        swaps = values.get(_SWAP, ())
        for number in range(len(swaps)):
            try:
                self._draft({**values, _SWAP: swaps[: number + 1]})
            except NotationError:
                return number
        return 0

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:
        """Offer the cards of the list, out or in; anything else is typed."""
        if place.field == LIST_QUESTIONS[0].name:
            draft = self._draft(values)
            return offer_sections(place, draft.open_sections, draft.parts)
        if place.field == LIST_QUESTIONS[1].name:
            return choices_by_kind(LIST_QUESTIONS[1])
        if place.field != _SWAP:
            return Open(next(field.caption for field in _REBUILD if field.name == place.field), "")
        cards = deck_records.draft_list(self._archive, self._row.deck).before
        fitting = (
            tuple(
                Choice(f"+1 {card.name}", detail=phrase("one comes in; there are {copies}", copies=card.copies))
                for card in cards
            )
            if typed.startswith("+")
            else tuple(
                Choice(f"-1 {card.name}", detail=phrase("one goes out; there are {copies}", copies=card.copies))
                for card in cards
            )
        )
        return Open(phrase("+ or −, how many, which card"), "+2 Ember", fitting=fitting)

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:  # noqa: ARG002
        """Refuse: chance builds no decks."""
        raise RuleError(phrase("Changes of a deck cannot be drawn; enter them."))

    def keep(self, values: Values) -> FormResult:
        """Store the new version. Raises RuleError, NotationError or ArchiveError."""
        reason, by = str(values.get("reason", "")), str(values.get("by", ""))
        warnings = deck_records.rebuild(self._archive, self._row.deck, self._draft(values).text, reason, by)
        noted = (phrase("Mind: {warning}", warning=warning) for warning in warnings)
        return FormResult(self._row.deck, joined("\n", (self._archive.story(self._row.deck)[-1].text, *noted)))


class LabelledDeckForm(DeckForm):
    """The form for a new deck, which can also read labels; see `companion.session.table.form_filling.Fillable`."""

    @property
    def takes_photographs(self) -> bool:
        """True if the form can be filled in from labels."""
        return self._form.with_spots({}, ()) is not None

    def read_photograph(self, values: Values, photograph: Path) -> Values:
        """Return the answers completed from the labels in a photograph of the deck. Raises PictureError, LabelError."""
        from companion.printing.wording import labelled_spots
        from companion.scan.spread import read_labels

        spots, _ = labelled_spots(self._game, [read_labels(photograph).numbers])
        return self._form.with_spots(values, spots) or values

    def build_state(self, values: Values) -> FormState:
        """Report the result of the answers, and whether the name can be printed."""
        state = super().build_state(values)
        place = FormPlace(state.fields[0].name)
        name = str(values.get(place.field, "")).strip()
        if not name:
            return state
        from companion.printing import order

        refusal = order.box_refusal(name, settings.read_settings().stock)
        if not refusal:
            return state
        text = joined(" ", (refusal, phrase("Its box would get no label.")))
        warning = Finding(text, warning=True, place=place)
        return state._replace(filled=msgspec.structs.replace(state.filled, findings=(*state.filled.findings, warning)))


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


class SettingsForm:
    """The form for the settings; see `companion.session.table.form_filling.Fillable`.

    `themes` lists the themes, `wear` applies one. A new language counts at once.
    """

    title = phrase("Settings")
    # Translators: “them” are the settings.
    done = phrase("Save them")

    def __init__(self, archive: Archive, theme: str, themes: Sequence[str], wear: Callable[[str], None]) -> None:
        self._archive = archive
        self._theme = theme
        self._themes = themes
        self._wear = wear
        # A server has its own backups.
        self._file = archive.store.file
        self._fields = _FIELDS if self._file else _FIELDS[:-1]

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
        return {"theme": self._theme, **usual, "elsewhere": str(target.parent) if target else _NONE}

    def build_state(self, values: Values) -> FormState:
        """Report unknown themes, printers, stocks and papers, unusable stocks, and the places of the other files."""
        findings = tuple(
            Finding(self._explain_unknown(field.name, value), place=FormPlace(field.name))
            for field in self._fields
            if (value := str(values.get(field.name, ""))) and values and not self._is_known(field.name, value)
        )
        lines: list[Text] = [
            phrase("Keys of your own: {file}", file=drawing.near_home(keymap.keymap_file())),
            phrase("Archive: {name}", name=self._archive.name),
        ]
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
                return [Choice(theme, THEME_TITLES.get(theme, "")) for theme in self._themes]
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
        if place.field == "language":
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
        self._wear(changes["theme"] or self._theme)
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
