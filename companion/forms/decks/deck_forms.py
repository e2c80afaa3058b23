"""The forms of decks that read labels, and that rebuild a deck."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Final, Literal

import msgspec

from companion.archive import Archive, DeckRow, deck_records
from companion.forms import settings
from companion.games import registry
from companion.session.table.form_filling import DeckForm, FormResult, FormState
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.constructed.founding import LIST_QUESTIONS, idle_questions, offer_sections, read_wishes
from companion.tabletop.decks import form as deck_form
from companion.tabletop.decks.decklist import change_text, format_deck_list, part_sizes
from companion.tabletop.decks.form import Field, Filled, Finding, FormPlace, Values, choices_by_kind
from companion.tabletop.decks.keeping import ListDraft
from companion.tabletop.decks.portrait import Portrait, changed_cards
from companion.tabletop.table.choices import Candidates, Choice, Open
from templates.languages.messages import (
    Finished,
    Text,
    joined,
    phrase,
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


NewDeck = Literal["Build", "Adopt"]
"""The two ways to a new deck: built here, or adopted from paper."""


def new_deck_forms(archive: Archive, how: NewDeck) -> Mapping[str, deck_form.Form]:
    """Return the forms by which decks are built or adopted, by the words for their games. Raises ArchiveError."""
    games = registry.games_with_decks()
    if how == "Build":
        return {each.word: form for each in games if (form := each.decks.founding) is not None}
    forms = {each.word: form for each in games if (form := each.decks.adopting) is not None}
    # No deck of a game that comes with this program has lived on paper without it.
    ready = [name for name in forms if name in registry.ready_names()]
    unused = {name for name in ready if not archive.page_of_decks(game=name, count=1).total}
    return {name: form for name, form in forms.items() if name not in unused}


class LabelledDeckForm(DeckForm):
    """The form for a new deck, which can also read labels; see `companion.session.table.form_filling.Fillable`."""

    @property
    def takes_photographs(self) -> bool:
        """True if the form can be filled in from labels."""
        return self._form.with_spots({}, ()) is not None

    def read_photograph(self, values: Values, photograph: Path, name: str = "") -> Values:
        """Return the answers completed from the labels in a photograph of the deck.

        Messages call it by `name`, or by its path. Raises PictureError, LabelError.
        """
        from companion.printing.wording import labelled_spots
        from companion.scan.spread import read_labels

        spots, _ = labelled_spots(self._game, [read_labels(photograph, name=name).numbers])
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
