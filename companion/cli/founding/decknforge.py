"""`companion deck new decknforge`: a band from six Monsters' Items and its starting inscriptions (R1.5–R1.9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from companion.archive import Archive, Coppers, DeckRow, deck_id
from companion.cli.common import (
    Misused,
    Refused,
    archive_option,
    find_deck,
    harmless,
    json_option,
    print_json,
    print_table,
)
from companion.games.cards import Card, pretty, read_card

if TYPE_CHECKING:
    from companion.games.decknforge.founding import MonsterDraft
    from companion.games.decknforge.marks import Inscribed
    from companion.games.decknforge.state import Monster

_MONSTER = "AS=4S,4D,5C=Grave Wyrm"


@click.command("decknforge")
@click.argument("name")
@click.option("--builder", required=True, help="Who builds it, holds it, and keeps the Coppers that are left.")
@click.option(
    "--monster",
    "monsters",
    multiple=True,
    metavar="CARD=ITEMS=NAME",
    help=f"A Monster's card, its three Items and its name, as '{_MONSTER}'; one for each of AS AH AC AD BJ RJ.",
)
@click.option(
    "--inscribe",
    "inscriptions",
    multiple=True,
    metavar="CARD=INSCRIPTION",
    help="A starting inscription, as 9S=sharp; three to six cards within the budget.",
)
@click.option("--legend", metavar="CARD", help="The Monster marked as Legend, where no Items have a pair.")
@click.option(
    "--players",
    type=click.IntRange(1, 5),
    default=3,
    show_default=True,
    help="How many will play: a solo band has a budget of 40 Coppers, any other 30.",
)
@click.option("--heirloom-of", metavar="BAND", help="A retired band whose heirloom this one carries on, free of cost.")
@click.option("--heirloom", metavar="CARD[=INSCRIPTION]", help="Where it goes; and which, where none was chosen yet.")
@archive_option
@json_option
def command(
    name: str,
    builder: str,
    monsters: Sequence[str],
    inscriptions: Sequence[str],
    legend: str | None,
    players: int,
    heirloom_of: str | None,
    heirloom: str | None,
    archive: str | None,
    as_json: bool,
) -> None:
    """Found a band for DecknForge and give it an id.

    HP, ATK and Legends follow from the Items; what breaks a rule is refused with its number.

    \b
    Example: companion deck new decknforge "Grave Choir" --builder Ana \\
      --monster 'AS=4S,4D,5C=Grave Wyrm' --monster 'AH=2S,3D,7C=Moss Hound' \\
      --monster 'AC=8S,9D,10C=Iron Tick' --monster 'AD=3S,6D,9C=Salt Widow' \\
      --monster 'BJ=2H,5D,8C=Old Hunger' --monster 'RJ=10S,9H,7D=Red Tithe' \\
      --inscribe 9S=sharp --inscribe 4H=quick --inscribe 7C=pierce
    """
    from companion.games.decknforge import founding
    from companion.games.decknforge.marks import CarriedOn
    from companion.games.decknforge.record import founded

    drafts = _drafts(monsters, legend)
    inscribed = [_inscribed(text) for text in inscriptions]
    left = founding.budget(players) - founding.price_of(inscription for _, inscription in inscribed)
    with Archive.open(archive) as opened:
        kept = _heirloom(opened, heirloom_of, heirloom, builder)
        marks, warnings = founded(name, builder, drafts, inscribed, players, heirloom=kept[1] if kept else None)
        coppers = [Coppers(builder, left, f"left of the budget of {name}")] if left else []
        deck = deck_id.new()
        others = {kept[0].deck: [CarriedOn(name.strip(), deck)]} if kept else {}
        opened.found("decknforge", marks, coppers, others, deck)
        purse = opened.purse(builder)
    if as_json:
        print_json({"deck": deck, "name": name.strip(), "left": left, "purse": purse, "warnings": warnings})
        return
    click.echo(harmless(f"{name.strip()} is founded: {deck_id.show(deck)}"))
    print_table(
        ("CARD", "MONSTER", "HP", "ATK", ""), [_cells(card, made) for card, made in founding.built(drafts).items()]
    )
    for warning in warnings:
        click.echo(f"Mind: {warning}")
    if left:
        click.echo(harmless(f"{left} Coppers are left; {builder}'s purse now holds {purse}."))
    click.echo(f"companion labels box {deck_id.show(deck)} -o box.pdf prints the label for its box.")


def _cells(card: Card, monster: Monster) -> tuple[str, ...]:
    return pretty(card), monster.name, str(monster.hp), str(monster.atk), "★ Legend" if monster.legend else ""


def _drafts(monsters: Sequence[str], legend: str | None) -> dict[Card, MonsterDraft]:
    """The Monsters as typed; RuleErrors are left to the founding. Raises Misused, NotationError."""
    from companion.games.decknforge.founding import MonsterDraft

    chosen = read_card(legend) if legend else None
    drafts: dict[Card, MonsterDraft] = {}
    for text in monsters:
        card, items, name = _parts(text, "--monster", _MONSTER)
        if card in drafts:
            raise Misused(f"{pretty(card)} is given two Monsters; give each card one --monster.")
        drafts[card] = MonsterDraft(
            name, tuple(read_card(item) for item in items.replace(",", " ").split()), card == chosen
        )
    if chosen is not None and chosen not in drafts:
        raise Misused(f"--legend {pretty(chosen)} is none of the Monsters; name the card of one.")
    return drafts


def _inscribed(text: str) -> tuple[Card, str]:
    from companion.games.decknforge import names

    card, typed, _ = _parts(f"{text}=", "--inscribe", "9S=sharp")
    return card, names.inscription(typed)


def _heirloom(archive: Archive, of: str | None, typed: str | None, builder: str) -> tuple[DeckRow, Inscribed] | None:
    """The retired band that leaves an heirloom, and the mark that writes it on a card; None where none is asked for.

    Raises Misused, Refused.
    """
    from companion.games.decknforge import names
    from companion.games.decknforge.marks import Inscribed
    from companion.games.decknforge.record import BandRecord

    if of is None and typed is None:
        return None
    if of is None or typed is None:
        raise Misused("An heirloom needs both: --heirloom-of BAND, and --heirloom CARD to say where it goes.")
    row = find_deck(archive, of)
    band = archive.record(row.deck)
    card, _, named = typed.partition("=")
    if not isinstance(band, BandRecord) or not band.retired:
        raise Refused(f"{row.name} has not retired; only a retired band leaves an heirloom (R1.81).")
    if band.successor:
        raise Refused(f"The heirloom of {row.name} lives on in {band.successor} already (R1.81).")
    left = names.inscription(named) if named else band.heirloom
    if not left:
        raise Misused(f"{row.name} has left no heirloom yet: name one of its history, as --heirloom {card}=sharp.")
    if left not in band.history or (band.heirloom and left != band.heirloom):
        kept = band.heirloom or f"one of {', '.join(dict.fromkeys(band.history))}"
        raise Refused(f"The heirloom of {row.name} is {kept}, not {left} (A1.64).")
    return row, Inscribed(read_card(card.strip()), left, "heirloom", builder, band.name)


def _parts(text: str, option: str, example: str) -> tuple[Card, str, str]:
    parts = text.split("=", 2)
    if len(parts) < 3:
        raise Misused(f"“{text}” cannot be read; write {option} '{example}'.")
    return read_card(parts[0].strip()), parts[1], parts[2].strip()
