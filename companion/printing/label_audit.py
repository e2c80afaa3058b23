"""A deck beside its record, by the numbers of the labels that photographs show: what is there, what is not, and what
may follow from it. Nothing is written unless somebody says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from companion.archive import Archive, DeckRow, deck_records
from companion.games import registry
from companion.printing.jobs import deck_labels
from companion.printing.label_codes import DeckLabels
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.label_numbers import CardLabel, ListLabel, LooseLabel, NumberedLabel, deck_tag, parse_number
from companion.tabletop.paper import LabelText
from companion.tabletop.records import Chore, Reason, Recognized

Standing = Literal["here", "extra", "foreign", "unsure"]
"""Of a label that was seen: by the record it belongs on this deck; it does not; it is of another deck; nobody knows."""

_ENOUGH: Final = 3
"""So many labels that agree name a deck."""
_SHARE: Final = 0.6
"""What share of the labels that may be a deck's must be its own for that."""


class SeenLabel(msgspec.Struct, frozen=True):
    """A label in a photograph: its number, what it is as far as that is known, and how it stands to the record."""

    number: str
    standing: Standing
    title: str
    card: str = ""
    spot: str = ""
    note: str = ""

    @property
    def text(self) -> str:
        """`Sharp on 5♣`"""
        return f"{self.title} on {self.card}" if self.card else self.title


class Proposal(msgspec.Struct, frozen=True):
    """Something that follows from what was seen, once somebody says so; `text` says what, as a sentence.

    It ticks off `chores`, or has the record say of spots what was seen there (`spots`), or knows by its number on which
    spot a label is that knows no card (`recognized`).
    """

    text: str
    chores: tuple[str, ...] = ()
    spots: dict[str, str] = {}
    recognized: dict[str, str] = {}


class CardQuestion(msgspec.Struct, frozen=True):
    """A label that knows no card: on which card is it? `spot` is the only one that it may be on by the record, if
    there is only one.
    """

    number: str
    title: str
    kind: str
    spot: str = ""

    @property
    def text(self) -> str:
        """What to ask."""
        return f"A label of a starter sheet, {self.title} (number {self.number}): on which card is it?"


class LabelAudit(msgspec.Struct, frozen=True):
    """What photographs show of a deck. `missing` are labels that the deck should bear and that were not seen; of those
    that are still to be stuck, by the record, the spots are in `due`.
    """

    row: DeckRow
    seen: tuple[SeenLabel, ...]
    missing: tuple[LabelText, ...]
    due: frozenset[str]
    proposals: tuple[Proposal, ...]
    questions: tuple[CardQuestion, ...]

    def of(self, *standings: Standing) -> tuple[SeenLabel, ...]:
        """The labels that stand so to the record."""
        return tuple(each for each in self.seen if each.standing in standings)

    @property
    def names(self) -> dict[str, tuple[str, str]]:
        """By its number, what each label that was seen is called, and how it stands to the record."""
        return {each.number: (each.text, each.standing) for each in self.seen}

    @property
    def summary(self) -> str:
        """All of it in a line."""
        counts = Counter(each.standing for each in self.seen)
        parts = [f"{counts['here']} as the record has them"]
        parts += [f"{len(self.missing)} not seen"] if self.missing else []
        parts += [f"{counts['extra']} that should not be there"] if counts["extra"] else []
        parts += [f"{counts['foreign']} of another deck"] if counts["foreign"] else []
        parts += [f"{counts['unsure']} not known"] if counts["unsure"] else []
        return f"{self.row.name}: {len(self.seen)} labels seen, {', '.join(parts)}."


def count_numbers(pictures: Iterable[Sequence[str]]) -> Counter[str]:
    """How often each number was seen, by those in each picture: pictures of one deck show much of it again."""
    numbers: Counter[str] = Counter()
    for picture in pictures:
        numbers |= Counter(picture)
    return numbers


def audit_deck(archive: Archive, row: DeckRow, pictures: Iterable[Sequence[str]]) -> LabelAudit:
    """A deck beside what pictures show, each by the numbers of its labels. Raises Unknown."""
    labels, owners = deck_labels(archive, row.deck), _Owners(archive)
    borne = {text.code: text for text in labels.borne() if text.code}
    expected = Counter(text.code for text in labels.borne() if text.code)
    seen: list[SeenLabel] = []
    there: Counter[str] = Counter()
    loose: dict[str, LooseLabel] = {}
    for number, count in count_numbers(pictures).items():
        label = parse_number(number)
        own = labels.find_label(label) if label is not None else None
        if own is not None:
            there[own.code] += count
        elif isinstance(label, LooseLabel):
            loose[number] = label
        seen += [_classify(number, label, own, expected, labels, owners)] * count
    seen.sort(key=lambda each: (each.standing, each.card, each.title))
    missing = tuple(borne[code] for code, count in (expected - there).items() for _ in range(count))
    chores = deck_records.chores(archive, row.deck)
    due = frozenset(chore.spot for chore in chores if chore.value)
    proposals = tuple(_proposals(seen, missing, chores))
    return LabelAudit(row, tuple(seen), missing, due, proposals, tuple(_questions(labels, loose, missing)))


class _Owners:
    """The decks here by their tags, each with its labels; read when they are first asked for."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._rows: dict[int, list[DeckRow]] | None = None
        self._decks: dict[int, list[tuple[DeckRow, DeckLabels, frozenset[str]]]] = {}

    def of(self, tag: int) -> Sequence[tuple[DeckRow, DeckLabels, frozenset[str]]]:
        """The decks of a tag, with their labels and the numbers that they bear today."""
        if self._rows is None:
            self._rows = {}
            for row in self._archive.decks():
                self._rows.setdefault(deck_tag(row.deck), []).append(row)
        if tag not in self._decks:
            rows = filter(_is_known, self._rows.get(tag, ()))
            with_labels = ((row, deck_labels(self._archive, row.deck)) for row in rows)
            self._decks[tag] = [
                (row, labels, frozenset(text.code for text in labels.borne())) for row, labels in with_labels
            ]
        return self._decks[tag]

    def describe(self, number: str, label: CardLabel | ListLabel) -> SeenLabel:
        """A label of another deck."""
        having = [(row, own, borne) for row, labels, borne in self.of(label.tag) if (own := labels.find_label(label))]
        likely = [each for each in having if each[1].code in each[2]] or having
        if len(likely) != 1:
            note = "of another deck" if likely else "of a deck that is not known here"
            return SeenLabel(number, "foreign", f"Label {number}", note=note)
        row, own, _ = likely[0]
        return SeenLabel(number, "foreign", own.title, own.card, note=f"of {row.name}")


def _is_known(row: DeckRow) -> bool:
    """Whether a deck's game is here."""
    try:
        registry.game(row.game, row.page)
    except NotationError:
        return False
    return True


def _classify(
    number: str,
    label: NumberedLabel | None,
    own: LabelText | None,
    expected: Counter[str],
    labels: DeckLabels,
    owners: _Owners,
) -> SeenLabel:
    if own is not None:
        standing: Standing = "here" if expected[own.code] else "extra"
        return SeenLabel(number, standing, own.title, own.card, own.spot)
    match label:
        case None:
            return SeenLabel(number, "unsure", f"Label {number}", note="of a later edition of this program")
        case LooseLabel():
            title = labels.kind_title(label) or f"Label {number}"
            return SeenLabel(number, "unsure", title, note="of a starter sheet; say which card it is on")
        case CardLabel() | ListLabel() if label.tag != labels.tag:
            return owners.describe(number, label)
    return SeenLabel(number, "unsure", f"Label {number}", note="this deck has no such label")


def _proposals(seen: Sequence[SeenLabel], missing: Sequence[LabelText], chores: Sequence[Chore]) -> Iterator[Proposal]:
    """What is visibly done, then what the record may have got wrong."""
    here = {each.spot: each for each in seen if each.standing == "here" and each.spot}
    for chore in chores:
        if chore.value and chore.spot in here:
            yield Proposal(f"{here[chore.spot].text}: tick that off.", chores=(chore.id,))
    gone = {text.title: text for text in missing if text.spot}
    crossed = {chore.spot for chore in chores if not chore.value}
    for each in seen:
        if each.standing != "extra" or not each.spot:
            continue
        other = gone.get(each.title)
        if other is not None:
            yield Proposal(
                f"{each.title} is on {each.card}, and by the record on {other.card}: have the record say {each.card}.",
                spots={each.spot: "yes", other.spot: ""},
            )
        elif each.spot in crossed:
            yield Proposal(
                f"{each.text} is struck by the record and lies there still: cross it out, or have it stand again.",
                spots={each.spot: "yes"},
            )
        else:
            yield Proposal(f"{each.text} is not in the record: write it down there.", spots={each.spot: "yes"})


def _questions(
    labels: DeckLabels, loose: dict[str, LooseLabel], missing: Sequence[LabelText]
) -> Iterator[CardQuestion]:
    for number, label in loose.items():
        kind = labels.kind_name(label)
        if kind:
            fitting = [text.spot for text in missing if text.spot.endswith(f" {kind}")]
            same = sum(other.kind == label.kind for other in loose.values())
            spot = fitting[0] if len(fitting) == 1 and same == 1 else ""
            yield CardQuestion(number, labels.kind_title(label), kind, spot)


def answer_question(archive: Archive, row: DeckRow, question: CardQuestion, card: str) -> Proposal:
    """What follows from a label of a starter sheet being on a card: the spot that people said, in any spelling.

    Raises RuleError where no card is meant, or the label cannot be on it.
    """
    keeping = deck_records.read_marks(archive, row.deck).keeping
    try:
        spot = keeping.read_spot(f"{card.strip()} {question.kind}")
    except NotationError as error:
        raise RuleError(str(error)) from error
    labels = deck_labels(archive, row.deck)
    text = labels.on_spot(spot)
    return Proposal(
        f"{text.title} with the number {question.number} is on {text.card}.", recognized={question.number: spot}
    )


def take_proposals(archive: Archive, row: DeckRow, proposals: Sequence[Proposal], by: str = "") -> tuple[str, ...]:
    """Writes down what somebody agreed to; gives the new sentences of the deck's story. Raises RuleError, Conflict."""
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
    """The decks that several labels in pictures agree to be: one where that is clear, several where two would fit, none
    where too few labels say it.
    """
    by_tag: dict[int, list[CardLabel | ListLabel]] = {}
    for label in map(parse_number, count_numbers(pictures)):
        if isinstance(label, CardLabel | ListLabel):
            by_tag.setdefault(label.tag, []).append(label)
    owners, fitting = _Owners(archive), list[tuple[int, DeckRow]]()
    for tag, labels in by_tag.items():
        for row, own, borne in owners.of(tag) if len(labels) >= _ENOUGH else ():
            count = sum(own is not None and own.code in borne for own in map(own.find_label, labels))
            if count >= max(_ENOUGH, _SHARE * len(labels)):
                fitting.append((count, row))
    return tuple(row for _, row in sorted(fitting, key=lambda each: -each[0]))


def find_cards(archive: Archive, decks: Mapping[str, str], numbers: Sequence[str]) -> dict[str, tuple[LabelText, ...]]:
    """The labels with these numbers on the decks that lie on a table, by the seats before which they lie, in the order
    of the numbers; a deck is named by its id. What could be of two decks, or is of none, is left out. Raises Unknown.
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
