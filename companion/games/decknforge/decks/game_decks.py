"""The stored decks of DecknForge, which are bands: their forms, storage rules, stories, portraits and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import DungeonTable, Resolution
from companion.games.decknforge.decks import portrait, refresh, story
from companion.games.decknforge.decks.adoption import ADOPTING, BandAdopting
from companion.games.decknforge.decks.forms import FOUNDING, BandFounding
from companion.games.decknforge.decks.keeping import KEEPING, BandKeeping
from companion.games.decknforge.decks.loose_adoption import LooseBandAdopting
from companion.games.decknforge.decks.record import BandRecord
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules import loose
from companion.tabletop.action import Action, DeckId
from companion.tabletop.decks.form import Form
from companion.tabletop.decks.game_decks import GameDecks
from companion.tabletop.decks.keeping import Keeping
from companion.tabletop.decks.portrait import Portrait
from companion.tabletop.decks.stored_decks import StaleMark
from companion.tabletop.records import DeckFigure, Mark, Record
from companion.tabletop.table.table import Draft, Prompt, draft
from templates.languages.messages import Text, phrase


class BandDecks(GameDecks):
    """The bands whose cards bear the effects of a book."""

    def __init__(self, book: EffectBook) -> None:
        self._book = book
        self._is_printed = book is STANDARD

    @property
    def keeping(self) -> Keeping:
        """The storage rules of a band."""
        return KEEPING if self._is_printed else BandKeeping(self._book)

    @property
    def founding(self) -> Form:
        """The form to found a band."""
        return FOUNDING if self._is_printed else BandFounding(self._book)

    @property
    def adopting(self) -> Form:
        """The form to adopt a band that lived on paper."""
        return ADOPTING if self._is_printed else BandAdopting(self._book)

    def adoptions(self, state: DungeonTable) -> tuple[Prompt, ...]:
        """Return prompts for the loose bands that would lose something with the seal."""
        return tuple(_adoptions(state))

    def adoption(self, state: DungeonTable, draft: Draft) -> Form | None:
        """Return the form to adopt a loose band, for the facts that its table does not know."""
        if draft.action is not do.Adopt or "seat" not in draft.given:
            return None
        return LooseBandAdopting(loose.band_as_it_came(state, draft.given["seat"]), self._book)

    def adoption_line(self, draft: Draft, deck: DeckId, name: str) -> Action:
        """Return the line that keeps a loose band as the deck made from it."""
        return do.Adopt(draft.given["seat"], deck, name)

    def read_anew(self, resolution: Resolution, seat: str, lines: Sequence[Action]) -> None:
        """Replace a band with its present state plus this dungeon's changes."""
        refresh.read_anew(resolution, seat, lines)

    def taker(self, state: DungeonTable, seat: str) -> str:
        """Return the seat that took a band in the draft."""
        return refresh.taker(state, seat)

    def stale_marks(
        self, records: Mapping[DeckId, tuple[Mark, ...]], marks: Mapping[DeckId, Sequence[Mark]]
    ) -> tuple[StaleMark, ...]:
        """Return the marks that the records already contain, such as an inscription already crossed out."""
        return tuple(refresh.stale_marks(records, marks, self._book))

    def portrait(self, record: Record, marks: Sequence[Mark] = ()) -> Portrait:
        """Return a band's Monsters, its inscriptions by card, its losses, and the band that bears its heirloom."""
        assert isinstance(record, BandRecord)
        return portrait.portrait(record, self._book, marks)

    def figures(self, record: Record) -> tuple[DeckFigure, ...]:
        """Return lifetime Glory, and dungeons completed."""
        assert isinstance(record, BandRecord)
        return DeckFigure("glory", "Glory", record.glory), DeckFigure("dungeons", "Dungeons", record.dungeons)

    def story(self, marks: tuple[Mark, ...]) -> tuple[Text, ...]:
        """Return one sentence for each mark, oldest first."""
        return story.story(marks, self._book)


def _adoptions(state: DungeonTable) -> Iterator[Prompt]:
    """Yield the offers to store a loose band before the seal."""
    for wizard in state.wizards if state.step == "turning" else ():
        if what := loose.unkept_band(state, wizard.seat):
            text = phrase(
                "{player}: {gains} of {band} will be lost, as it is loose; adopt it as a deck?",
                player=wizard.name,
                gains=what,
                band=state.bands[wizard.seat].title,
            )
            yield Prompt(text, draft(do.Adopt, seat=wizard.seat), wizard.seat, due=False)
