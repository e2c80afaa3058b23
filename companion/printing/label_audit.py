"""Audits of a deck: the numbers of the labels in photographs compared with its record, and proposed corrections.

Nothing is written until the user confirms it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from companion.archive import Archive, DeckRow, deck_records
from companion.printing.jobs import deck_labels
from companion.printing.label_codes import DeckLabels
from companion.printing.picture_match import ENOUGH, DeckCandidate, DeckIndex, count_numbers, either_of, find_mismatch
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.label_numbers import CardLabel, ListLabel, LooseLabel, NumberedLabel, parse_number
from companion.tabletop.decks.paper import LabelText
from companion.tabletop.records import Chore, Reason, Recognized
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import Message, Text, joined, listed, phrase, phrases

Standing = Literal["here", "copy", "extra", "foreign", "unsure"]
"""The standing of a seen label by the record of a deck.

In this order: it belongs on the deck, it is one copy too many, it does not belong there, it is of another deck, or it
is unknown.
"""


class SeenLabel(msgspec.Struct, frozen=True):
    """A label in a photograph: its number, its title as far as it is known, and its standing by the record."""

    number: str
    standing: Standing
    title: Text
    card: str = ""
    spot: str = ""
    note: Text = ""

    @property
    def text(self) -> Text:
        """The title and the card: `Sharp on 5♣`."""
        return phrase("{label} on {card}", label=self.title, card=self.card) if self.card else self.title


class LabelCorrection(msgspec.Struct, frozen=True):
    """A correction that the user may confirm; `text` describes it in a sentence.

    It ticks off `chores`, updates `spots` in the record, or assigns spots to the numbers of labels from a starter sheet
    (`recognized`).
    """

    text: Text
    chores: tuple[str, ...] = ()
    spots: dict[str, str] = {}
    recognized: dict[str, str] = {}


class CardQuestion(msgspec.Struct, frozen=True):
    """The question for the card of a label from a starter sheet.

    `spot` is the only one possible by the record, if there is only one.
    """

    number: str
    title: Text
    kind: str
    spot: str = ""

    @property
    def text(self) -> Message:
        """The question as text."""
        return phrase(
            "A label of a starter sheet, {label} (number {number}): on which card is it?",
            label=self.title,
            number=self.number,
        )


class LabelAudit(msgspec.Struct, frozen=True):
    """The result of comparing photographs with a deck's record.

    `missing` are the expected labels that were not seen; `due` has the spots of those that are still to be stuck on.
    With a `refusal`, a sentence, the photographs show another deck, `shows`, or may do so: the labels are only named,
    not compared. With a `doubt`, a sentence on pictures that are not fully legible, it is unknown what is missing.
    """

    row: DeckRow
    seen: tuple[SeenLabel, ...]
    missing: tuple[LabelText, ...]
    due: frozenset[str]
    proposals: tuple[LabelCorrection, ...]
    questions: tuple[CardQuestion, ...]
    refusal: Text = ""
    shows: DeckRow | None = None
    doubt: Text = ""

    def of(self, *standings: Standing) -> tuple[SeenLabel, ...]:
        """Return the labels with these standings."""
        return tuple(each for each in self.seen if each.standing in standings)

    @property
    def names(self) -> dict[str, tuple[str, str]]:
        """The text and the standing of each seen label, by number."""
        # A duplicate number is marked as the surplus label.
        return {each.number: (str(each.text), each.standing) for each in reversed(self.seen)}

    @property
    def findings(self) -> list[tuple[Message, list[Text]]]:
        """What needs a look, in groups with a title: labels that were not seen, and labels that do not belong there."""
        groups: tuple[tuple[Message, list[Text]], ...] = (
            (phrase("Still to be stuck"), [text.full_title for text in self.missing if text.spot in self.due]),
            (
                phrase("Not seen: photograph these closer"),
                [text.full_title for text in self.missing if text.spot not in self.due],
            ),
            (phrase("More than the record has"), [each.text for each in self.of("copy")]),
            (phrase("Should not be there"), [each.text for each in self.of("extra")]),
            (phrase("Of another deck"), [listed((each.text, each.note)) for each in self.of("foreign")]),
            (phrase("Not known"), [listed((each.text, each.note)) for each in self.of("unsure")]),
        )
        return [(title, texts) for title, texts in groups if texts]

    @property
    def summary(self) -> Text:
        """The result in one line."""
        if self.refusal or (self.doubt and not self.seen):
            return self.refusal or self.doubt
        # Translators: {counts} are these and the following, as in “3 as the record has them, 1 not seen”.
        line = phrases(
            "{deck}: {n} label seen, {counts}.",
            "{deck}: {n} labels seen, {counts}.",
            n=len(self.seen),
            deck=self.row.name,
            counts=listed(self._counts()),
        )
        return joined(" ", (line, self.doubt)) if self.doubt else line

    def _counts(self) -> Iterator[Message]:
        counts = Counter(each.standing for each in self.seen)
        here, copy, extra = counts["here"], counts["copy"], counts["extra"]
        yield phrases("{n} as the record has them", "{n} as the record has them", n=here)
        if self.missing:
            yield phrases("{n} not seen", "{n} not seen", n=len(self.missing))
        if copy:
            yield phrases(
                "{n} more than the record has of the same", "{n} more than the record has of the same", n=copy
            )
        if extra:
            yield phrases("{n} that should not be there", "{n} that should not be there", n=extra)
        if foreign := counts["foreign"]:
            yield phrases("{n} of another deck", "{n} of another deck", n=foreign)
        if unsure := counts["unsure"]:
            yield phrases("{n} not known", "{n} not known", n=unsure)


def audit_deck(archive: Archive, row: DeckRow, pictures: Iterable[Sequence[str]], doubt: Text = "") -> LabelAudit:
    """Compare a deck with pictures, unless they show another deck better.

    Args:
        archive: The archive with the decks.
        row: The deck to audit.
        pictures: The numbers of the labels in each picture.
        doubt: A sentence on pictures that are not fully legible, "" if they are.

    Raises Unknown.
    """
    pictures, index = [*pictures], DeckIndex(archive)
    deck, numbers = index.candidate(row), count_numbers(pictures)
    if mismatch := find_mismatch(index, row, pictures):
        labels = tuple(_name_label(number, parse_number(number), deck, index) for number in numbers.elements())
        return LabelAudit(row, labels, (), frozenset(), (), (), mismatch.sentence, mismatch.shows)
    borne = {text.code: text for text in deck.borne if text.code}
    unseen = Counter(deck.expected)
    seen: list[SeenLabel] = []
    loose: dict[str, LooseLabel] = {}
    for number, count in numbers.items():
        label = parse_number(number)
        own = deck.labels.find_label(label) if label is not None else None
        there = min(count, unseen[own.code]) if own is not None else 0
        if own is not None and own.code in borne:
            unseen[own.code] -= there
            seen += [SeenLabel(number, "here", own.title, own.card, own.spot)] * there
            note = phrase("one more than the record has")
            copy = SeenLabel(number, "copy", own.title, own.card, own.spot, note)
            seen += [copy] * (count - there)
        elif own is not None and not index.find_owners(label, but=row.deck):
            seen += [SeenLabel(number, "extra", str(own.title), own.card, own.spot)] * count
        else:
            named = _name_label(number, label, deck, index)
            seen += [named] * count
            if isinstance(label, LooseLabel) and named.standing == "unsure":
                loose[number] = label
    seen.sort(key=lambda each: (each.standing, each.card, alphabetical_key(each.title)))
    missing = tuple(borne[code] for code in unseen.elements())
    due = frozenset(chore.spot for chore in deck.chores if chore.value)
    doubt = doubt if missing else ""
    missing = () if doubt else missing
    proposals, questions = (
        tuple(_propose_changes(seen, missing, deck.chores)),
        tuple(_ask_cards(deck.labels, loose, missing)),
    )
    return LabelAudit(row, tuple(seen), missing, due, proposals, questions, doubt=doubt)


def _name_label(number: str, label: NumberedLabel | None, deck: DeckCandidate, index: DeckIndex) -> SeenLabel:
    """Name a label that a deck's record does not call for, or that is not compared with it, as far as it is known."""
    owners = index.find_owners(label)
    if len(owners) == 1 and label is not None and (text := owners[0].find_explained(label)):
        return SeenLabel(number, "foreign", text.title, text.card, note=_note_of(owners[0].row.name))
    title: Text = phrase("Label {number}", number=number)
    if owners:
        return SeenLabel(number, "foreign", title, note=_note_of(either_of(each.row.name for each in owners)))
    match label:
        case None:
            return SeenLabel(number, "unsure", title, note=phrase("of a later edition of this program"))
        case LooseLabel():
            title = deck.labels.kind_title(label) or title
            return SeenLabel(number, "unsure", title, note=phrase("of a starter sheet; say which card it is on"))
        case CardLabel() | ListLabel() if label.tag != deck.labels.tag:
            return _name_past_label(number, label, index)
    return SeenLabel(number, "unsure", title, note=phrase("this deck has no such label"))


def _note_of(deck: Text) -> Message:
    # Translators: a note beside a label that belongs to another deck, as in “Sharp on 5♣ (of Grave Choir)”
    return phrase("of {deck}", deck=deck)


def _name_past_label(number: str, label: CardLabel | ListLabel, index: DeckIndex) -> SeenLabel:
    """Name a label with the tag of other decks whose records do not call for it today."""
    texts = [(each.row.name, text) for each in index.find_candidates(label) if (text := each.labels.find_label(label))]
    if len(texts) != 1:
        note = phrase("of another deck") if texts else phrase("of a deck that is not known here")
        return SeenLabel(number, "foreign", phrase("Label {number}", number=number), note=note)
    ((name, text),) = texts
    return SeenLabel(number, "foreign", text.title, text.card, note=_note_of(name))


def _propose_changes(
    seen: Sequence[SeenLabel], missing: Sequence[LabelText], chores: Sequence[Chore]
) -> Iterator[LabelCorrection]:
    """Yield proposals: first the chores that are visibly done, then corrections of the record."""
    here = {each.spot: each for each in seen if each.standing == "here" and each.spot}
    for chore in chores:
        if chore.value and chore.spot in here:
            yield LabelCorrection(phrase("{label}: tick that off.", label=here[chore.spot].text), chores=(chore.id,))
    gone: dict[Text, LabelText] = {text.title: text for text in missing if text.spot}
    crossed = {chore.spot for chore in chores if not chore.value}
    for each in seen:
        if each.standing != "extra" or not each.spot:
            continue
        other = gone.get(each.title)
        if other is not None:
            yield LabelCorrection(
                phrase(
                    "{label} is on {card}, and by the record on {other_card}: have the record say {card}.",
                    label=each.title,
                    card=each.card,
                    other_card=other.card,
                ),
                spots={each.spot: "yes", other.spot: ""},
            )
        elif each.spot in crossed:
            yield LabelCorrection(
                phrase(
                    "{label} is struck by the record and lies there still: cross it out, or have it stand again.",
                    label=each.text,
                ),
                spots={each.spot: "yes"},
            )
        else:
            yield LabelCorrection(
                phrase("{label} is not in the record: write it down there.", label=each.text), spots={each.spot: "yes"}
            )


def _ask_cards(
    labels: DeckLabels, loose: dict[str, LooseLabel], missing: Sequence[LabelText]
) -> Iterator[CardQuestion]:
    for number, label in loose.items():
        kind = labels.kind_name(label)
        if kind:
            fitting = [text.spot for text in missing if text.spot.endswith(f" {kind}")]
            same = sum(other.kind == label.kind for other in loose.values())
            spot = fitting[0] if len(fitting) == 1 and same == 1 else ""
            yield CardQuestion(number, str(labels.kind_title(label)), kind, spot)


def answer_question(archive: Archive, row: DeckRow, question: CardQuestion, card: str) -> LabelCorrection:
    """Return the proposal for a label of a starter sheet on the given card, in any spelling.

    Raises RuleError if the answer is no card, or if the label cannot be on it.
    """
    keeping = deck_records.read_marks(archive, row.deck).keeping
    try:
        spot = keeping.read_spot(f"{card.strip()} {question.kind}")
    except NotationError as error:
        raise RuleError(error.message) from error
    labels = deck_labels(archive, row.deck)
    text = labels.on_spot(spot)
    return LabelCorrection(
        phrase(
            "{label} with the number {number} is on {card}.",
            label=text.title,
            number=question.number,
            card=text.card,
        ),
        recognized={question.number: spot},
    )


def take_proposals(
    archive: Archive, row: DeckRow, proposals: Sequence[LabelCorrection], by: str = ""
) -> tuple[Text, ...]:
    """Write down confirmed proposals, and return the new sentences of the deck's story.

    Raises RuleError or Conflict.
    """
    before = len(archive.marks(row.deck))
    recognized = {number: spot for each in proposals for number, spot in each.recognized.items()}
    if recognized:
        archive.mark(row.deck, before + 1, [Recognized(recognized, by)])
    ids = [chore for each in proposals for chore in each.chores]
    if ids:
        deck_records.tick(archive, row.deck, ids, by)
    spots = {spot: text for each in proposals for spot, text in each.spots.items()}
    if spots:
        deck_records.mend(archive, row.deck, spots, Reason("photographed"), by)
    return tuple(line.text for line in archive.story(row.deck)[before:])


def find_decks(archive: Archive, pictures: Iterable[Sequence[str]]) -> tuple[DeckRow, ...]:
    """Return the decks that the labels in pictures agree on.

    It is one deck if that is clear, several if two are as likely, and none if there are too few labels.
    """
    numbers = count_numbers(pictures)
    ranking = DeckIndex(archive).rank(numbers)
    most = {each.labels.tag: count for count, each in reversed(ranking)}
    return tuple(
        each.row
        for count, each in ranking
        if count >= ENOUGH and count == most[each.labels.tag] and each.is_likely(numbers)
    )


def find_cards(archive: Archive, decks: Mapping[str, str], numbers: Sequence[str]) -> dict[str, tuple[LabelText, ...]]:
    """Return the labels with these numbers on the decks on a table, by seat, in the order of the numbers.

    `decks` has the id of the deck at each seat. Labels that are ambiguous or of no deck are left out. Raises Unknown.
    """
    labels = {seat: deck_labels(archive, archive.find_deck(deck).deck) for seat, deck in decks.items()}
    borne = {seat: {text.code for text in own.borne()} for seat, own in labels.items()}
    cards: dict[str, list[LabelText]] = {seat: [] for seat in labels}
    for number in map(parse_number, dict.fromkeys(numbers)):
        texts = {seat: text for seat, own in labels.items() if number and (text := own.find_label(number))}
        likely = {seat: text for seat, text in texts.items() if text.code in borne[seat]} or texts
        if len(likely) == 1:
            ((seat, text),) = likely.items()
            cards[seat].append(text)
    return {seat: tuple(own) for seat, own in cards.items()}
