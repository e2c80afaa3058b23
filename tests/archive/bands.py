"""DecknForge bands for tests about a deck's life: founded, with as much written on them as a test asks for."""

from random import Random

from msgspec.structs import replace

from companion.archive import Archive
from companion.games.decknforge.book.founding import MonsterDraft, placement_error
from companion.games.decknforge.book.inscriptions import INSCRIPTIONS
from companion.games.decknforge.book.labels import LABELS, MOST_LABELS
from companion.games.decknforge.book.state import MONSTER_CARDS
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks import record
from companion.tabletop.notation.cards import PACK, Card
from companion.tabletop.records import Mark

ITEMS = ("4S 4D 5C", "2S 3D 7C", "8S 9D 10C", "3S 6D 9C", "2H 5D 8C", "10S 9H 7D")
STARTS = ((Card("9S"), "sharp"), (Card("4H"), "quick"), (Card("7C"), "echo"))


def marks(name: str = "Grave Choir", builder: str = "Ana") -> tuple[Mark, ...]:
    """The first marks of a band with three inscriptions."""
    drafts = {
        card: MonsterDraft(f"Beast {card}", tuple(map(Card, items.split())))
        for card, items in zip(MONSTER_CARDS, ITEMS, strict=True)
    }
    return record.found_band(name, builder, drafts, STARTS)[0]


def found_band(archive: Archive, name: str = "Grave Choir", builder: str = "Ana") -> str:
    """A band in the archive, by its id."""
    return archive.found_deck("decknforge", marks(name, builder))


def add(archive: Archive, deck: str, *marks: Mark) -> None:
    """Make further marks on a band."""
    archive.mark(deck, archive.find_deck(deck).length, marks)


def full(names: int, holders: int, lost: int) -> list[Mark]:
    """The marks of a band with every card inscribed and every Monster labelled, and words of so many letters."""
    creatures = tuple(
        m.FoundedMonster(card, f"{'Ångström und Co. ' * 4}"[: names - 1] + card[0], 30, 5, legend=True)
        for card in MONSTER_CARDS
    )
    marks: list[Mark] = [m.BandFounded("Grave Choir of the Northern Marches"[:names], "Ana", creatures)]
    marks += [mark for _ in range(lost) for mark in _come_and_gone()]
    for card in (card for card in PACK if card not in MONSTER_CARDS):
        fits = [name for name in INSCRIPTIONS if not placement_error(name, card, ())]
        marks.append(m.CardInscribed(card, fits[PACK.index(card) % len(fits)], "bought", "Ana"))
    marks += [m.Labelled(card, label, "Ben") for card in MONSTER_CARDS for label in list(LABELS)[:MOST_LABELS]]
    marks += [m.Drifted(f"Wizard {number} of the evening") for number in range(holders)]
    return [*marks, m.DungeonPlayed("Ana", "win", 6, 999)]


def _come_and_gone() -> tuple[Mark, Mark]:
    return m.CardInscribed(Card("2S"), "sharp", "bought", "Ana"), m.InscriptionCrossedOut(Card("2S"), "sharp", "faded")


def noise(count: int, letters: int) -> list[str]:
    """Words that no compression makes shorter, always the same."""
    chance = Random(1)
    return ["".join(chance.choices("abcdefghijklmnopqrstuvwxyzäöüßéèñç ", k=letters)) for _ in range(count)]


def crowded(holders: int, lost: int, letters: int) -> list[Mark]:
    """A band that so many held, that lost so many inscriptions, and whose Monsters have names of so many letters."""
    first, *starts = marks()
    assert isinstance(first, m.BandFounded)
    names = zip(first.creatures, noise(len(first.creatures), letters), strict=True)
    marks_made: list[Mark] = [replace(first, creatures=tuple(replace(one, name=name) for one, name in names)), *starts]
    chance = Random(2)
    fits = [name for name in INSCRIPTIONS if not placement_error(name, Card("KS"), ())]
    for name in chance.choices(fits, k=lost):
        marks_made += [m.CardInscribed(Card("KS"), name, "bought"), m.InscriptionCrossedOut(Card("KS"), name, "faded")]
    return [*marks_made, *(m.Drifted(name) for name in noise(holders, 12))]
