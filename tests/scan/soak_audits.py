"""Audits of a deck by drawn photographs, among forty whose labels bear the same tag: python -m tests.scan.soak_audits

Each photograph shows one band, sometimes a part of it, sometimes with a label on a wrong card. It is held beside that
band's own record, and beside those of others, as if somebody had taken the wrong box. Ends with 1 where anything wrong
was proposed or written.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import click

from companion.archive import Archive, deck_id, deck_records
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.decks import marks as m
from companion.printing import jobs, label_audit, wording
from companion.printing.label_audit import LabelCorrection
from companion.scan.spread import read_labels
from companion.tabletop.decks.label_numbers import deck_tag
from companion.tabletop.decks.paper import LabelText
from companion.tabletop.notation.cards import Card
from tests.archive import bands
from tests.scan import spreads

DECKS: Final = 40
_OTHERS: Final = 6
"""So many other decks each photograph is held beside."""
_TAG: Final = 77
_CARDS: Final = tuple(Card(f"{rank}{suit}") for suit in "SHCD" for rank in "23456789")
"""Cards that inscriptions are on."""
_FASHION: Final = 24
"""So many spots are in fashion: each band has half of its inscriptions there."""


class Outcome(NamedTuple):
    """The results of audits by one photograph, for its own deck and for others; and what of them was wrong."""

    own: str
    others: Counter[str]
    wrong: tuple[str, ...]


def found_bands(archive: Archive, seed: int = 0) -> list[str]:
    """Forty bands with the same tag and from four to twenty inscriptions each, many of them alike; gives their ids."""
    chance = Random(seed)
    words = [*STANDARD.inscriptions]
    spots = [(card, word) for card in _CARDS for word in words]
    fashion = chance.sample(spots, _FASHION)
    decks = []
    for number in range(DECKS):
        deck = next(deck for deck in iter(deck_id.new, "") if deck_tag(deck) == _TAG)
        count = chance.randint(4, 20)
        own = dict([*chance.sample(fashion, count // 2), *chance.sample(spots, count - count // 2)])
        marks = [m.CardInscribed(card, word, "bought", "Ana") for card, word in own.items()]
        archive.found_deck("decknforge", [*bands.marks(f"Band {number:02}"), *marks], deck=deck)
        deck_records.tick(archive, deck, ["all"])
        decks.append(deck)
    return decks


def audit_photograph(url: str, decks: Sequence[str], seed: int) -> Outcome:
    """Draws the photograph of a seed, of one of some decks, and holds it beside its record and those of others."""
    chance = Random(f"audits {seed}")
    with Archive.open(url, by="tests") as archive, tempfile.TemporaryDirectory() as folder:
        own, *others = chance.sample(decks, 1 + _OTHERS)
        stuck = [*_stuck_labels(archive, own, chance)]
        labels = wording.draw_labels(stuck)
        photograph = spreads.photograph_of(
            labels, [text.code for text in stuck], Random(seed), thumb=None, angle=chance.uniform(-6, 6)
        )
        (Path(folder) / "deck.jpg").write_bytes(photograph.jpeg)
        spread = read_labels(Path(folder) / "deck.jpg")
        numbers, doubt = spread.numbers, spread.describe_doubt("deck.jpg")
        before = {deck: archive.marks(deck) for deck in decks}
        audit = label_audit.audit_deck(archive, archive.find_deck(own), [numbers], doubt)
        wrong = [f"proposed of itself: {each.text}" for each in audit.proposals if not _is_true(each, stuck)]
        outcomes = Counter[str]()
        for other in others:
            row = archive.find_deck(other)
            theirs = label_audit.audit_deck(archive, row, [numbers], doubt)
            label_audit.take_proposals(archive, row, theirs.proposals, "Ana")
            outcomes[_outcome(theirs, own)] += 1
            wrong += [f"proposed of another: {each.text}" for each in theirs.proposals]
        wrong += [f"written: {deck_id.show(deck)}" for deck in decks if archive.marks(deck) != before[deck]]
    return Outcome(_outcome(audit, own), outcomes, tuple(wrong))


def _stuck_labels(archive: Archive, deck: str, chance: Random) -> Iterator[LabelText]:
    """The labels on the cards that a photograph shows: all or a part of a deck, one of three with one label astray."""
    labels = jobs.deck_labels(archive, deck)
    borne = [*labels.borne()]
    visible = borne if chance.random() < 2 / 3 else chance.sample(borne, chance.randint(2, len(borne)))
    astray = chance.choice(visible) if chance.random() < 1 / 3 else None
    for text in visible:
        card, _, word = text.spot.partition(" ")
        if text is astray and word:
            taken = {each.spot.partition(" ")[0] for each in borne}
            card = chance.choice([card for card in _CARDS if card not in taken])
            yield labels.on_spot(f"{card} {word}")
        else:
            yield text


def _is_true(proposal: LabelCorrection, stuck: Sequence[LabelText]) -> bool:
    """Return True if a proposal says of spots what is stuck there."""
    spots = {text.spot for text in stuck}
    return all((spot in spots) == bool(text) for spot, text in proposal.spots.items())


def _outcome(audit: label_audit.LabelAudit, own: str) -> str:
    """Name the deck that was recognised in a photograph, beside the record that was asked for."""
    if not audit.refusal:
        return "compared" if audit.seen else "undecided"
    if audit.shows is None:
        return "undecided"
    return "its own" if audit.shows.deck == own else "a wrong one"


@click.command()
@click.argument("count", type=int, default=60)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Where the seeds start.")
def main(count: int, seed: int) -> None:
    """Audit by so many photographs, and tell what the decks in them were recognised as."""
    own, others, wrong = Counter[str](), Counter[str](), list[str]()
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(os.cpu_count()) as pool:
        url = str(Path(folder) / "archive.sqlite")
        with Archive.open(url, by="tests") as archive:
            decks = found_bands(archive)
        for number, outcome in enumerate(pool.map(partial(audit_photograph, url, decks), range(seed, seed + count)), 1):
            own[outcome.own] += 1
            others += outcome.others
            wrong += outcome.wrong
            if number % 10 == 0 or number == count:
                right = f"{own['compared']} as itself, {others['its own']} of {others.total()} as another deck"
                click.echo(f"{number} of {count}: {len(wrong)} wrong, {right}")
    click.echo(
        f"Held beside its own record: {own['compared']} as itself, {own['undecided']} undecided, "
        f"{own['a wrong one']} as another deck."
    )
    click.echo(
        f"Held beside {_OTHERS} others: {others['its own']} as another deck, and the right one; "
        f"{others['a wrong one']} as a wrong one; {others['undecided']} undecided; {others['compared']} as the deck "
        "that was asked for."
    )
    for each in wrong:
        click.echo(each, err=True)
    sys.exit(1 if wrong or others["compared"] or own["a wrong one"] or others["a wrong one"] else 0)


if __name__ == "__main__":
    main()
