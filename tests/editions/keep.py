"""Keeps what the program of today writes, for the programs of later to read: `python -m tests.editions.keep 2`.

An edition is written once, before something that lasts is changed, and never again. What stands in `facts.json` is
what people would miss: what decks are and were, purses, tables; never a wording, which may change.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import msgspec

from companion.archive import Archive, deck_records, rehearsals, stationery, web_access
from companion.archive.exchange import archive_export, deck_export, deck_import, export_format, pages, passport
from companion.archive.people import languages, leagues, people
from companion.archive.storage.entries import LeagueEvent, LeagueResult, RehearsalEvent
from companion.archive.storage.lists import deck_stream
from companion.games import registry
from companion.league import season
from companion.league.display import plain_standings
from companion.league.standings import ORDERS
from companion.rehearsal import storage
from companion.rehearsal.design import Comparison, Design, OneSetting
from companion.rehearsal.estimate import merge
from companion.rehearsal.levers import read_factorial, read_race
from companion.rehearsal.play import rehearsal_of
from companion.rehearsal.run import Progress, rehearse
from companion.session.core import archive_journal
from companion.session.core.replay import as_json
from companion.tabletop.constructed import record as m
from companion.tabletop.decks.form import FormContext
from companion.tabletop.notation.notation import grammar
from companion.tabletop.records import GENERAL_MARKS
from companion.tabletop.rehearsal import RehearsalSetting
from tests.archive import crowns
from tests.campaign import campaign
from tests.games.constructed.decks import LISTS
from tests.games.decknforge import homebrews
from tests.games.described import road

HERE = Path(__file__).parent
ROOT = HERE.parent

EVERYTHING: dict[str, Any] = {
    "game": "decknforge",
    "name": "Everything That Is",
    "builder": "Dora Łoś",
    "holders": ["Dora Łoś", "Ana"],
    "glory": 31,
    "dungeons": 9,
    "founded": "2019-04",
    "monsters": {
        "AS": {"name": "Grave Wyrm", "hp": 13, "labels": ["swift", "tough", "rage"], "items": ["4S", "4D", "5C"]},
        "AH": {"name": "Moss Hound", "hp": 12, "labels": ["goldbearer", "stinky", "wounded"]},
        "AC": {"name": "Iron Tick", "hp": 27, "labels": []},
        "AD": {"name": "Salt Widow", "hp": 18, "labels": []},
        "BJ": {"name": "Old Hunger", "hp": 15, "labels": []},
        "RJ": {"name": "Red Tithe", "hp": 26, "labels": [], "legend": True},
    },
    "inscribed": {"9S": "sharp"},
}
FIGHT = (
    'seat ana name "Ana" band "Everything"',
    "inscribed ana 9S sharp",
    'seat ben name "Ben \\"the\\" Lantern"',
    "seat cy",
    "rule foil-cost 3",
    "rule kill-bonus-timing after-reset",
    "purse ben 6",
    "bosses ana:AS",
    "active ana",
    "begin seed 7",
    "reveal ana 9S",
    "reveal ben 10H",
    "reveal cy 2D",
    'note "Ben # was late"',
    "next",
    "amend 12 reveal ana KS",
    "insert 13 add cy hp -1",
    "set boss hp 15",
    "undo",
    "hold cy KD",
    "damage",
    "next",
    'join dan name "Dan, who is late"',
)

PIN = "271828"
HAND = ("9S", "QH", "RJ")

LEAGUES = {
    "A Swiss winter": season.LeagueSettings(rounds=5, seed=1),
    "Everybody": season.LeagueSettings(form="round-robin", seed=2),
    "The ladder": season.LeagueSettings(form="ladder", seed=3),
    "Tables of three": season.LeagueSettings(
        seats=3, seed=4, rules=("foil-cost=3",), game="decknforge", figure="glory"
    ),
}
WIZARDS = RehearsalSetting("decknforge", 3, temperaments=("table", "greedy", "careful"))
DUNGEONS = rehearsal_of("decknforge"), registry.game("decknforge").house
REHEARSALS: dict[str, Design] = {
    "Autumn": OneSetting(WIZARDS),
    "Pressed": Comparison(msgspec.structs.replace(WIZARDS, rules=(("pressure", "3"),)), WIZARDS),
    "Campaign": OneSetting(msgspec.structs.replace(WIZARDS, evenings=2)),
    "Brewed": OneSetting(msgspec.structs.replace(WIZARDS, homebrew=homebrews.MOONLIT)),
    "Swept": read_factorial("pressure=3,comeback", "rounds", None, WIZARDS, *DUNGEONS),
    "Raced": read_race("pressure=2:3:4", "win=0.55", None, WIZARDS, *DUNGEONS),
}
BREWED = (
    'seat ana name "Ana" deck "Moon Band"',
    'seat ben name "Ben"',
    "inscribed ben 8S quick",
    "inscribed ben 8H quick",
    "begin seed 1 bosses ben:AS ben:AH ben:AC ben:AD ben:BJ ben:RJ lots ana ben",
    "set table outcome loss",
    "fade ana 9S",
    "fade ben 8S",
    "pick ana ana",
    "pick ben ben",
    "set ana coppers 30",
    "buy ana 6C moon-blade",
    "seal",
)
MATCH = ('seat ana deck "{0}"', 'seat ben deck "{1}"', "begin seed 3", "concede ben", "seal")


def keep(place: Path) -> None:
    """Writes an edition into a folder that does not exist yet."""
    place.mkdir()
    calendar = campaign.Calendar()
    with campaign.opened(place / "archive.sqlite", calendar) as archive:
        campaign.play(archive, calendar)
        deck_records.adopt_deck(archive, _everything(), "Dora")
        fight = archive_journal.start(archive, "decknforge", "Ana's table", "Half a fight")
        for line in FIGHT:
            fight.enter(line)
        for game, text in LISTS.items():
            _constructed(archive, game, text)
        _described(archive)
        _brew(archive)
        _print(archive)
        _serve(archive, fight.id)
        _league(archive)
        _rehearse(archive)
        _exchange(archive, next(row.deck for row in archive.decks() if row.game == "decknforge"))
        decks = [row.deck for row in archive.decks()]
        deck_export.export_decks(archive, decks, place / "all.decks")
        archive_export.export_archive(archive, place / "everything.gz")
        passports = {deck: passport.write(archive, deck) for deck in decks}
        (place / "passports.json").write_text(json.dumps(passports, indent=1) + "\n", encoding="utf-8")
        (place / "fight.table").write_text(fight.export(), encoding="utf-8")
        (place / "words.json").write_text(json.dumps(words(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
        (place / "facts.json").write_text(json.dumps(facts(archive), indent=1, sort_keys=True) + "\n", encoding="utf-8")
    for left in place.glob("archive.sqlite-*"):
        left.unlink()


def _everything() -> dict[str, Any]:
    """A band on which every inscription and every label that there is has stood."""
    from companion.games.decknforge.book.inscriptions import INSCRIPTIONS
    from companion.games.decknforge.book.labels import LABELS

    sheet = json.loads(json.dumps(EVERYTHING)) | {"lost": list(INSCRIPTIONS)}
    names = list(LABELS)
    for monster in sheet["monsters"].values():
        monster["labels"], names = names[:3], names[3:]
    return dict(sheet)


def _constructed(archive: Archive, game: str, text: str) -> None:
    """Two decks that are built from a list, with another version, a match, a correction, a tag, another holder."""
    form = registry.game(game).decks.founding
    assert form is not None
    decks = []
    for name, holder in ((f"{game} one", "Ana"), (f"{game} two", "Ben")):
        answers = {"name": name, "holder": holder, "list": text}
        decks.append(archive.found_deck(game, form.validate_answers(answers, FormContext()).marks))
    first, second = decks
    deck_records.rebuild(archive, first, text.replace("Ash Wolf", "Elder Wolf"), "too slow", "Ana")
    for lines in (MATCH, MATCH[:-2]):
        session = archive_journal.start(archive, game, "Ana's table", f"A match of {game}")
        for line in lines:
            session.enter(line.format(first, second))
    deck_records.tick(archive, second, ("all",), "Ben")
    deck_records.correct(archive, second, 2, "it was another deck", "Ben")
    deck_records.rename_deck(archive, second, f"{game} three", "a better one", "Ben")
    archive.mark(second, len(archive.marks(second)) + 1, [m.ConstructedHandedOn("Cy Łoś")])
    deck_records.mend(archive, second, {"main Ash Wolf": "1"}, "looked through", "Ben")
    deck_records.retire(archive, second, by="Ben")
    deck_records.change_tags(archive, first, ("league", "fast"))


def _described(archive: Archive) -> None:
    """Games of pages: decks that are written on, sealed; an evening by an edition that another followed; a later
    edition taken; a page that is withdrawn.
    """
    session = road.sealed(archive)
    packs = [row.deck for row in deck_records.decks_of_session(archive, session.id)]
    deck_records.tick(archive, packs[0], ("all",), "Ana")
    deck_records.correct(archive, packs[1], 2, "it was another card", "Ben")
    pages.add_page(archive, crowns.ONE)
    crowns.play_evening(archive)
    deck = crowns.found_deck(archive, "Rex")
    crowns.found_deck(archive, "Regina")
    later = pages.add_page(archive, crowns.TWO).row.page
    pages.take_edition(archive, archive.find_deck(deck), later, "Ana")
    pages.add_page(archive, crowns.page(by="Ben"), "tiara")
    pages.withdraw(archive, "tiara")


def _brew(archive: Archive) -> None:
    """A band that bears something of a homebrew, of which an edition followed."""
    pages.add_page(archive, homebrews.MOONLIT)
    young = {"name": "Moon Band", "builder": "Ana", "holders": ["Ana"], "glory": 0, "dungeons": 1}
    monsters = {card: {**monster, "labels": []} for card, monster in EVERYTHING["monsters"].items()}
    inscribed = {"9S": "sharp", "5C": "quick"}
    deck_records.adopt_deck(archive, {**EVERYTHING, **young, "monsters": monsters, "inscribed": inscribed}, "Ana")
    session = archive_journal.start(archive, "moonlit", "Ana's table", "By the moon")
    for line in BREWED:
        session.enter(line)
    later = homebrews.MOONLIT.replace("by =", "edition = 2\nby =").replace(
        "number = 1\n", "number = 1\nwithdrawn = true\n", 1
    )
    pages.add_page(archive, later)


def _exchange(archive: Archive, deck: str) -> None:
    """One deck in two homes that decide differently, each for what is its own, until both tell one story."""
    with TemporaryDirectory() as folder:
        there, back = Path(folder, "there.decks"), Path(folder, "back.decks")
        deck_export.export_decks(archive, [deck], there)
        with campaign.opened(Path(folder, "home.sqlite"), campaign.Calendar()) as home:
            deck_import.import_decks(home, deck_export.read_stories(there))
            deck_records.rename_deck(home, deck, "The Other Home's", "they call it so", "Eve")
            deck_records.rename_deck(archive, deck, "The First Home's", "we call it so", "Ana")
            # Twice: both keep their own the first time, and what was decided later holds the second.
            for _ in range(2):
                deck_export.export_decks(archive, [deck], there)
                deck_export.export_decks(home, [deck], back)
                deck_import.import_decks(archive, deck_export.read_stories(back), keep="mine")
                deck_import.import_decks(home, deck_export.read_stories(there), keep="mine")


def _print(archive: Archive) -> None:
    """A half-used sheet and a printer."""
    stationery.begin_sheet(archive, "kitchen", "18294", 60, tuple(range(1, 61)))
    stationery.claim(archive, {"kitchen": (1, 2, 3)})
    stationery.settle(archive, ["kitchen"], "printed")
    stationery.calibrate(archive, "laser", 0.4, -0.3, 1.001, 0.999)


def _serve(archive: Archive, session: str) -> None:
    """Doors for phones: one with a seat and a hand, one that may do everything, one that waits to be let in."""
    web_access.open_access(archive, PIN, "own")
    seated, trusted = web_access.admit_phone(archive, "Ana"), web_access.admit_phone(archive, "Zoë")
    web_access.seat_phone(archive, seated.phone, session, "ana")
    web_access.save_hand(archive, session, "ana", web_access.Hand(HAND, len(FIGHT)))
    web_access.set_permission(archive, trusted.phone, "all")
    web_access.admit_phone(archive, "A stranger", waiting=True)


def _league(archive: Archive) -> None:
    """Leagues of each form, in which everything happens that can."""
    for name, settings in LEAGUES.items():
        played = season.create(archive, name, ["Ana", "Ben", "Cy", "Dora", "Eve"], settings)
        for number in range(1, 4):
            played = season.draw_next(archive, played, number)
            for match in played.league.round(number):
                if not match.is_bye:
                    end = season.MatchOutcome(match.people, LeagueResult(tuple(range(1, len(match.people) + 1))))
                    played = season.enter(archive, played, end, number=number)
        played = season.redraw_last(archive, played, 9)
        played = season.correct(archive, played, season.read_outcome(played, _pair(played)[::-1]), 1)
        played = season.join(archive, season.drop(archive, played, "Eve"), "Fay")
        season.reopen(archive, season.close(archive, played))
    people.set_alias(archive, "Ben", nickname="Grey Fox")
    people.set_alias(archive, "Cy", hidden=True)
    languages.set_language(archive, "Ben", "de")


def _rehearse(archive: Archive) -> None:
    """Rehearsals that have been counted twice."""
    for seed, (name, design) in enumerate(REHEARSALS.items(), 2**60):
        row = storage.begin(archive, "decknforge", design, seed, 9, name)
        recorder = storage.Recorder(lambda: nullcontext(archive), row, 9)
        progress = Progress()
        for games in (2, 4):
            batches = rehearse(design, seed, range(progress.units, games), partial(ThreadPoolExecutor, 1))
            progress = Progress(games, merge((progress.sums, *(sums for _, sums in batches))))
            recorder.record(progress)


def _pair(played: season.Season) -> list[str]:
    return [played.name(person) for person in played.league.round(1)[0].people]


def facts(archive: Archive) -> dict[str, Any]:
    """Everything in an archive that people would miss, without the words in which it is told."""
    decks = {row.deck: _deck(archive, row.deck) for row in archive.decks()}
    sessions = {
        row.session: {
            "title": row.title,
            "sealed": row.sealed,
            "lines": [[line.number, line.line, line.by] for line in archive.lines(row.session)],
            "table": as_json(archive_journal.resume(archive, row.session)),
            "decks": sorted(deck.deck for deck in deck_records.decks_of_session(archive, row.session)),
        }
        for row in archive.sessions()
    }
    everybody = [row for row in people.all_people(archive) if row.person]
    purses = {row.name: row.purse for row in everybody}
    spoken = {row.name: row.language for row in everybody if row.language}
    sheets = [msgspec.to_builtins(row) for row in stationery.sheets(archive)]
    printers = [msgspec.to_builtins(row) for row in stationery.printers(archive)]
    standings = {row.name: plain_standings(season.read_season(archive, row.league)) for row in leagues.leagues(archive)}
    rehearsed = {row.rehearsal: _rehearsal(archive, row.rehearsal) for row in rehearsals.rehearsals(archive)}
    kept = {row.page: [row.name, row.title, row.author, row.edition, row.withdrawn] for row in pages.pages(archive)}
    listed = {
        "purses": purses,
        "languages": spoken,
        "sheets": sheets,
        "printers": printers,
        "leagues": standings,
        "pages": kept,
    }
    printed: Any = json.loads(
        msgspec.json.encode({"decks": decks, "sessions": sessions, "rehearsals": rehearsed, **listed})
    )
    return dict(printed)


def words() -> dict[str, Any]:
    """The words and numbers in which logs, records and passports are stored; DecknForge's stand first."""
    from companion.games.decknforge.book.inscriptions import INSCRIPTIONS
    from companion.games.decknforge.book.labels import LABELS

    return {
        **_words("decknforge"),
        "inscriptions": {effect.name: effect.number for effect in INSCRIPTIONS.values()},
        "labels": {effect.name: effect.number for effect in LABELS.values()},
        "general marks": {
            str(kind.__struct_config__.tag): dict.fromkeys(kind.__struct_encode_fields__) for kind in GENERAL_MARKS
        },
        "games": {name: _words(name) for name in (*LISTS, road.GAME)},
        "leagues": {
            str(kind.__struct_config__.tag): dict.fromkeys(kind.__struct_encode_fields__)
            for kind in get_args(LeagueEvent)
        },
        "orders of tie-breaks": ORDERS,
        "rehearsals": {
            str(kind.__struct_config__.tag): dict.fromkeys(kind.__struct_encode_fields__)
            for kind in (*get_args(RehearsalEvent), *get_args(Design))
        },
        "settings of rehearsals": dict.fromkeys(RehearsalSetting.__struct_encode_fields__),
        "figures of rehearsals": {
            figure.key: figure.kind
            for figure in (*rehearsal_of("decknforge").figures, *rehearsal_of("decknforge").tables)
        },
    }


def _words(name: str) -> dict[str, Any]:
    """The words of one game's lines, house rules and marks."""
    game = registry.game(name)
    return {
        "lines": {
            action.verb(): {
                "positional": dict.fromkeys(range(len(grammar(action).positional))),
                "keywords": dict.fromkeys(grammar(action).keywords),
            }
            for action in game.actions
        },
        "house rules": {rule.key: {"book": rule.book, **dict.fromkeys(rule.values)} for rule in game.house.all()},
        "marks": {
            str(kind.__struct_config__.tag): dict.fromkeys(kind.__struct_encode_fields__) for kind in game.mark_types
        },
    }


def _rehearsal(archive: Archive, rehearsal: str) -> dict[str, Any]:
    stored = storage.read(archive, rehearsal)
    return {
        "name": stored.row.name,
        "design": msgspec.to_builtins(stored.design),
        "seed": stored.row.seed,
        "origin": stored.origin,
        "games": [stored.progress.units, stored.row.games],
        "sums": storage.encode_sums(stored.progress.sums),
    }


def _deck(archive: Archive, deck: str) -> dict[str, Any]:
    entries = archive.entries(deck_stream(deck))
    return {
        "record": msgspec.to_builtins(archive.record(deck)),
        "chain": list(export_format.story_hashes(deck, entries)),
        "marks": [[line.number, line.kind, line.session, line.by, line.at.isoformat()] for line in archive.story(deck)],
        "chores": [[chore.id, chore.spot, chore.value] for chore in deck_records.chores(archive, deck)],
    }


if __name__ == "__main__":
    keep(HERE / sys.argv[1])
