"""A sample of every page, form, refusal and error, as phones of one language get them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple
from urllib.parse import quote

from PIL import Image

from companion.archive import deck_id, rehearsals, stationery, web_access
from companion.archive.exchange import page_codes, pages, play_import, play_removal
from companion.archive.people import people
from companion.archive.recovery import backups
from companion.archive.storage.entries import PlayKept, RehearsalCounted
from companion.archive.web_access import Permissions
from companion.games import registry
from companion.games.described import load
from companion.games.described.page.starter import starter_page
from companion.league import season
from companion.printing import jobs
from companion.rehearsal import storage
from companion.rehearsal.design import Comparison, OneSetting
from companion.rehearsal.run import play_batch
from companion.tabletop.rehearsal import RehearsalSetting
from companion.tabletop.table.match_result import Contender, MatchResult
from companion.web.scanning import PICTURE_LIMIT
from labels.designs import EffectLabel, FiguresLabel, HeadedLabel
from tests.archive import bands, crowns
from tests.archive.crowns import ONE, TWO
from tests.bench.photos import qr
from tests.games.constructed.decks import LISTS
from tests.games.described.shown import CROWN_PLAYED, LANES_PLAYED, TRICKS_PLAYED, table_of
from tests.printing import evenings
from tests.scan import spreads
from tests.session.test_adopting import won
from tests.session.test_coaching import UNDER_ATTACK
from tests.session.two_tables import FADED, FOUGHT, SWAPPED
from tests.web.host.filling import PageForm
from tests.web.serving import Answer, Host, Phone
from tests.web.test_duel_turns import LINES, SET_UP
from tests.web.test_leagues import play as play_league
from tests.web.test_refusals import FOIL
from tests.web.test_scanning import form_of, saved
from tests.web.test_sharing import multipart

FIGHT: Final = ("seat ana", "seat ben", "seat cy", "active ana", "bosses ana:AS", "begin seed 1")
DESCRIBED: Final = {"poisoned": CROWN_PLAYED, "bids": TRICKS_PLAYED, "lanes": LANES_PLAYED}
_MULTIPART: Final = "multipart/form-data; boundary=xXxcutxXx"
_ADDRESS: Final = re.compile(r'href="(/t/\w+/answer\?[^"]+)"')


class PageSample(NamedTuple):
    """What a phone got: the route, such as `GET /t/{session}`, the case, and the answer to `path`."""

    route: str
    case: str
    path: str
    answer: Answer

    @property
    def name(self) -> str:
        """The route and the case."""
        return f"{self.route}: {self.case}"

    @property
    def is_text(self) -> bool:
        """Return True for a page or a bare sentence, and False for files and redirections."""
        return self.answer.headers.get("content-type", "").startswith(("text/html", "text/plain"))

    @property
    def is_page(self) -> bool:
        """Return True for a page."""
        return self.answer.headers.get("content-type", "").startswith("text/html")


class ReaderPhone(Phone):
    """A phone whose reader has chosen a language."""

    def __init__(self, host: Host, language: str) -> None:
        super().__init__(host.port)
        self.language = language

    def ask(self, method: str, path: str, body: str | bytes | None = None, **headers: str | None) -> Answer:
        """One request, with the cookie of the language."""
        choice = f"companion-language={self.language}"
        own = {"cookie": "; ".join(filter(None, (self.cookie, choice)))}
        return super().ask(method, path, body, **own, **headers)


class PageSamples:
    """All samples in one language. Their order matters: the last ones lock the PIN."""

    def __init__(self, host: Host, language: str) -> None:
        self._host = host
        self._language = language

    def collect(self) -> Iterator[PageSample]:
        """Yield all samples."""
        yield from self._empty()
        yield from self._tables()
        yield from self._answers()
        yield from self._refusals()
        yield from self._hands()
        yield from self._pictures()
        yield from self._evenings()
        yield from self._decks()
        yield from self._leagues()
        yield from self._games()
        yield from self._lists()
        yield from self._host_pages()
        yield from self._errors()
        yield from self._logins()

    def _reader(self, name: str = "", permissions: Permissions | None = None) -> ReaderPhone:
        """Return a phone that was let in."""
        reader = ReaderPhone(self._host, self._language)
        assert reader.come_in(name=name).status == 303
        if permissions:
            phones = self._host.server.phones
            phones.allow(phones.all()[-1].phone, permissions)
        return reader

    def _seated(self, session: str, seat: str, permissions: Permissions | None = "own") -> ReaderPhone:
        reader = self._reader(seat.capitalize(), permissions)
        reader.sit(session, seat)
        return reader

    def _get(self, reader: ReaderPhone, route: str, case: str, path: str, status: int = 200) -> PageSample:
        answer = reader.get(path)
        assert answer.status == status, f"{path}: {answer.status}"
        return PageSample(f"GET {route}", case, path, answer)

    def _post(
        self, reader: ReaderPhone, session: str, way: str, case: str, status: int = 409, **fields: str
    ) -> PageSample:
        """Send a form of a table's page; without another `at`, as of this moment."""
        page = reader.get(f"/t/{session}")
        at = re.findall(r'data-length="(\d+)"', page.text)[0]
        path = f"/t/{session}/{way}"
        answer = reader.post(path, page.token, **{"at": at, **fields})
        assert answer.status == status, f"{path}, {case}: {answer.status}"
        return PageSample(f"POST /t/{{session}}/{way}", case, path, answer)

    def _empty(self) -> Iterator[PageSample]:
        reader = self._reader("Zoe")
        for path in ("/tables", "/decks", "/leagues"):
            yield self._get(reader, path, "empty", path)
        yield self._get(reader, "/", "no table", "/", 303)
        yield self._get(reader, "/screen", "no table", "/screen", 303)

    def _tables(self) -> Iterator[PageSample]:
        host = self._host
        tables = {
            "no seats": host.table(),
            "seats": host.table("seat ana", "seat ben"),
            "fight": host.table(*FIGHT),
            "fight revealed": host.table(*FIGHT, "reveal ana 9S", "reveal ben QH", "reveal cy 6C", "add ben hp -15"),
            "lost fight": host.table(*FIGHT, *(f"set {seat} hp 0" for seat in ("ana", "ben", "cy"))),
            "under attack": host.table(*UNDER_ATTACK),
        }
        for game, lines in SET_UP.items():
            tables[game] = host.table(*lines, game=game)
            tables[f"{game} played"] = host.table(*lines, *LINES[game], game=game)
        for game, lines in DESCRIBED.items():
            tables[game] = table_of(host.archive, game, lines)
        tables["over"] = host.table("seat cy", "seat dora", "begin seed 1", "damage dora 120", game="solforge")
        for case, session in tables.items():
            seats = [side.seat for side in host.sitting(session).view.seats]
            readers = {"looks on": self._reader("Zoe", "look")}
            if seats:
                readers |= {"own": self._seated(session, seats[0]), "all": self._seated(session, seats[-1], "all")}
            for way, reader in readers.items():
                yield self._get(reader, "/t/{session}", f"{case}, {way}", f"/t/{session}")
            yield self._get(reader, "/t/{session}/screen", case, f"/t/{session}/screen")
            yield self._get(reader, "/t/{session}/log", case, f"/t/{session}/log")
            yield self._get(reader, "/t/{session}/words", case, f"/t/{session}/words")
        yield self._get(reader, "/tables", "many", "/tables")
        yield self._get(reader, "/screen", "many", "/screen")

    def _answers(self) -> Iterator[PageSample]:
        host = self._host
        session = host.table(*FIGHT)
        ana = self._seated(session, "ana", "all")
        for line in ("reveal ana 9S", "reveal ben QH", "reveal cy 6C"):
            host.sitting(session).enter(line)
        page = ana.get(f"/t/{session}").text
        route = "/t/{session}/answer"
        for number, path in enumerate(dict.fromkeys(_ADDRESS.findall(page)), 1):
            path = path.replace("&amp;", "&")
            yield PageSample(f"GET {route}", f"link {number}", path, ana.get(path))
        for number, step in enumerate(dict.fromkeys(re.findall(r'name="step" value="([^"]+)"', page)), 1):
            path = f"/t/{session}/answer?said={quote(step)}"
            yield PageSample(f"GET {route}", f"step {number}", path, ana.get(path))
        yield self._get(ana, route, "cards", f"/t/{session}/answer?said={quote(FOIL)}")
        yield self._get(ana, "/t/{session}/note", "form", f"/t/{session}/note")
        yield self._get(ana, "/t/{session}/preview", "cards", f"/t/{session}/preview?said={quote(FOIL)}&item=KS")
        confirmation = f"/t/{session}/sure?of=answer&step={quote(FOIL)}&at=1"
        yield self._get(ana, "/t/{session}/sure", "moved on", confirmation, 409)
        yield self._post(ana, session, "note", "done", 303, text="Hello")
        yield self._post(ana, session, "change", "done", 303, target="ana", counter="hp", amount="1", sign="-")
        yield self._post(ana, session, "go", "a question", 303)
        own = self._host.table(*FIGHT)
        ben = self._seated(own, "ben")
        yield self._post(ben, own, "answer", "done", 303, step="ben:reveal ben CARD›=QH")
        yield self._post(ben, own, "undo", "done", 303)
        yield self._post(ben, own, "redo", "done", 303)
        host.sitting(own).enter("reveal ana 9S")
        (line,) = re.findall(r'href="/t/\w+/answer\?line=(\d+)"', ben.get(f"/t/{own}").text)
        yield self._post(ben, own, "answer", "sure?", 200, step="ben:reveal ben CARD›=KH", line=line)
        attacked = host.table(*UNDER_ATTACK)
        ana = self._seated(attacked, "ana")
        yield self._post(ana, attacked, "answer", "advice", 200, said="ana:coach ana CARD…", item="2S")

    def _refusals(self) -> Iterator[PageSample]:
        host = self._host
        session = host.table(*FIGHT)
        ana, looker = self._seated(session, "ana"), self._reader("Zoe", "look")
        yield self._post(looker, session, "seat", "taken", seat="ana")
        yield self._post(looker, session, "seat", "no such seat", seat="nobody")
        yield self._post(looker, session, "go", "not permitted", 403)
        yield self._post(ana, session, "clock", "changed meanwhile", does="pause")
        yield self._post(ana, session, "note", "empty", text=" ")
        yield self._post(ana, session, "note", "too long", text="x" * 10_001)
        yield self._post(ana, session, "change", "no amount", target="ana", counter="hp", amount="", sign="+")
        host.sitting(session).enter("9s qh 6c")
        yield self._post(ana, session, "answer", "refused", said=FOIL, typed="KS")
        yield self._post(ana, session, "answer", "not a card", said=FOIL, typed="a lot")
        yield self._post(ana, session, "answer", "no longer available", step=f"{FOIL}›+KS›+KS")
        at = str(len(host.archive.lines(session)))
        host.sitting(session).enter("add ana hp -1")
        yield self._post(ana, session, "answer", "others came first", step=f"{FOIL}›+KS›+5S", at=at)
        host.sitting(session).enter("next")
        yield self._post(ana, session, "answer", "gone", said=FOIL, typed="KS 5S", asked="Foil", at=at)
        yield self._post(ana, session, "undo", "others came first", at=at)
        answer = ana.post(f"/t/{session}/note", "0" * 64, text="x")
        yield PageSample("POST /t/{session}/note", "no token", f"/t/{session}/note", answer)

    def _hands(self) -> Iterator[PageSample]:
        host = self._host
        for game, lines in (("decknforge", FIGHT), ("solforge", ("seat ana", "seat ben"))):
            session = host.table(*lines, game=game)
            ana = self._seated(session, "ana")
            typed = {"item": "QH 9S"} if game == "decknforge" else {"typed": "Iron Horse, Moon Fox"}
            yield self._post(ana, session, "hand", f"{game}, kept", 303, do="keep", **typed)
            yield self._get(ana, "/t/{session}", f"{game}, with a hand", f"/t/{session}")
        session = host.table(*FIGHT, "reveal ana 5S", "reveal ben 2C", "reveal cy 3D", "pass ana", "spike ben pay KC")
        ben = self._seated(session, "ben")
        for case, item in (("a Monster", "RJ"), ("revealed", "2C"), ("committed", "KC"), ("no card", "14S")):
            yield self._post(ben, session, "hand", case, do="keep", item=f"QH {item}")
        yield self._post(ben, session, "hand", "shows nothing", do="show")
        yield self._get(ben, "/t/{session}/photo", "of a hand", f"/t/{session}/photo?hand=1")
        yield self._get(ben, "/t/{session}/photo", "of the table", f"/t/{session}/photo")

    def _decks(self) -> Iterator[PageSample]:
        archive = self._host.archive
        deck = archive.decks_named("decknforge", "Grave Choir")[0].deck
        evenings.live(archive, deck)
        new = evenings.create_deck(archive, called="The Ash Ledger")
        reader, looker = self._reader("Zoe", "all"), self._reader("Zoe", "look")
        yield self._get(reader, "/decks", "decks", "/decks")
        yield self._get(reader, "/decks", "no match", "/decks?q=nothing")
        yield self._get(reader, "/decks", "a match", "/decks?q=the")
        for case, each, path in (("lived", deck, "d"), ("new", new, "d"), ("by its code", new, "D")):
            status = 200 if path == "d" else 303
            yield self._get(reader, f"/{path}/{{deck}}", case, f"/{path}/{each}", status)
        yield self._get(looker, "/d/{deck}", "looks on", f"/d/{deck}")
        for way, field in (("done", {"chore": "all"}), ("not-done", {"number": "3"})):
            path = f"/d/{new}/{way}"
            refused = looker.post(path, looker.get("/scan").token, **field)
            yield PageSample(f"POST /d/{{deck}}/{way}", "not permitted", path, refused)
        path = f"/d/{new}/done"
        (chore, *_) = re.findall(r'name="chore" value="([^"]+)"', reader.get(f"/d/{new}").text)
        answer = reader.post(path, reader.get("/scan").token, chore=chore)
        yield PageSample("POST /d/{deck}/done", "done", path, answer)
        yield self._get(reader, "/d/{deck}", "just done", answer.leads_to)
        answer = reader.post(path, reader.get("/scan").token, chore="nothing")
        yield PageSample("POST /d/{deck}/done", "no such chore", path, answer)
        yield self._get(reader, "/d/{deck}", "unknown", "/d/0000000000000", 404)
        yield self._get(reader, "/d/{deck}", "wrong check symbol", "/d/7K3M9QPX2B4T0", 404)
        yield self._get(reader, "/d/{deck}/record.pdf", "no such paper", f"/d/{deck}/record.pdf?paper=nothing", 404)
        yield self._get(reader, "/d/{deck}/record.pdf", "a sheet", f"/d/{deck}/record.pdf")

    def _evenings(self) -> Iterator[PageSample]:
        host = self._host
        reader = self._reader("Zoe", "all")
        session = evenings.play(host.archive)
        path = f"/t/{session}/card"
        yield self._get(reader, "/t/{session}/card", "a fight", path)
        yield self._get(reader, "/t/{session}", "sealed", f"/t/{session}")
        deck = host.archive.decks_named("decknforge", "Salt and Iron")[0].deck
        yield self._get(reader, "/d/{deck}", "after an evening", f"/d/{deck}")
        yield self._get(reader, "/t/{session}/card.{kind:str}", "a picture", f"{path}.png")
        yield self._get(reader, "/t/{session}/card.{kind:str}", "no such file", f"{path}.exe", 404)
        for game, end in (
            ("solforge", ("damage ben 120",)),
            ("soulforger", ("concede ben",)),
            ("oddfrontier", ("concede ben",)),
        ):
            over = host.table(*SET_UP[game], *LINES[game], *end, game=game)
            answer = reader.get(f"/t/{over}/card")
            yield PageSample("GET /t/{session}/card", game, f"/t/{over}/card", answer)
        for game, lines in DESCRIBED.items():
            over = table_of(host.archive, game, lines)
            yield PageSample("GET /t/{session}/card", game, f"/t/{over}/card", reader.get(f"/t/{over}/card"))
        bare = host.table("seat ana", game="solforge")
        yield self._get(reader, "/t/{session}/card", "none yet", f"/t/{bare}/card", 404)

    def _leagues(self) -> Iterator[PageSample]:
        reader = self._reader("Zoe")
        league = play_league(self._host).row.league
        yield self._get(reader, "/leagues", "one", "/leagues")
        yield self._get(reader, "/l/{league}", "played", f"/l/{league}")
        yield self._get(reader, "/l/{league}", "an earlier round", f"/l/{league}?round=2")
        yield self._get(reader, "/l/{league}", "unknown", "/l/7K3M9Q", 404)

    def _games(self) -> Iterator[PageSample]:
        host = self._host
        pages.add_page(host.archive, ONE)
        reader, looker = self._reader("Zoe", "all"), self._reader("Zoe", "look")
        page = load.digest_of(ONE)
        yield self._get(reader, "/games", "for who may take", "/games")
        yield self._get(looker, "/games", "for who may look", "/games")
        yield self._get(reader, "/games/offer", "none", "/games/offer", 303)
        yield self._get(reader, "/g/{page}", "one", f"/g/{page}")
        yield self._get(reader, "/g/{page}", "unknown", f"/g/{'0' * 16}", 404)
        yield self._get(reader, "/g/{page}/page.toml", "unknown", f"/g/{'0' * 16}/page.toml", 404)
        yield self._get(reader, "/g/{page}/codes", "one", f"/g/{page}/codes")
        token = reader.get("/games").token
        sent = {"later": (TWO, "text"), "here": (ONE, "text"), "none": ("", "text"), "no text": ("\udcff", "file")}
        for case, (text, name) in sent.items():
            body = multipart(token, **{name: text.encode(errors="surrogateescape")})
            answer = reader.ask("POST", "/games/look", body, content_type=_MULTIPART)
            yield PageSample("POST /games/look", case, "/games/look", answer)
        refused = looker.ask("POST", "/games/look", multipart(looker.get("/scan").token), content_type=_MULTIPART)
        yield PageSample("POST /games/look", "not permitted", "/games/look", refused)
        yield PageSample("POST /games/take", "gone", "/games/take", reader.post("/games/take", token, page=page))
        answer = looker.post("/games/take", looker.get("/scan").token)
        yield PageSample("POST /games/take", "not permitted", "/games/take", answer)
        two = Image.new("L", (900, 460), 230)
        for number, code in enumerate(page_codes.write_codes(registry.ready_text("tricks") or "")[:2]):
            two.paste(qr(code), (number * 430 + 10, 10))
        yield self._send(reader, "codes of a page", "/scan", saved(two))

    def _lists(self) -> Iterator[PageSample]:
        reader, looker = self._reader("Zoe", "all"), self._reader("Zoe", "look")
        yield self._get(reader, "/decks/new", "any game", "/decks/new")
        yield self._get(reader, "/decks/new", "one game", "/decks/new?game=oddfrontier")
        yield self._get(looker, "/decks/new", "not permitted", "/decks/new", 403)
        token = reader.get("/decks/new").token
        deck = {"game": b"oddfrontier", "holder": b"Zoe"}
        sent = {
            "unclear": "4 Ash Wolf\nRemoval:\nSideboard\n2 Owl",
            "legal": LISTS["oddfrontier"],
            "none": "",
            "bytes": "\x00",
        }
        for case, text in sent.items():
            body = multipart(token, **deck, name=case.encode(), text=text.encode())
            yield PageSample("POST /decks/list", case, "/decks/list", self._post_parts(reader, "/decks/list", body))
        body = multipart(token, **deck, name=b"Listed", text=LISTS["oddfrontier"].encode(), build=b"yes")
        built = self._post_parts(reader, "/decks/list", body)
        yield PageSample("POST /decks/list", "built", "/decks/list", built)
        body = multipart(looker.get("/scan").token, **deck, name=b"Other", text=b"4 Owl")
        yield PageSample(
            "POST /decks/list", "not permitted", "/decks/list", self._post_parts(looker, "/decks/list", body)
        )
        yield self._get(reader, "/d/{deck}", "with a list", built.leads_to)
        yield self._get(reader, "/d/{deck}/list/{form}", "unknown", f"{built.leads_to}/list/pdf", 404)

    @staticmethod
    def _post_parts(phone: Phone, path: str, body: bytes) -> Answer:
        return phone.ask("POST", path, body, content_type=_MULTIPART)

    def _pictures(self) -> Iterator[PageSample]:
        host = self._host
        session = evenings.begin_fight(host.archive)
        reader = self._reader("Zoe", "all")
        yield self._get(reader, "/scan", "form", "/scan")
        yield self._get(reader, "/scan/picture.jpg", "none yet", "/scan/picture.jpg", 404)
        deck = host.archive.decks_named("decknforge", "Salt and Iron")[0].deck
        two = Image.new("L", (700, 320), 230)
        two.paste(qr(deck_id.payload(deck)), (20, 40))
        two.paste(qr("DECK:0000000000000"), (380, 40))
        labels = jobs.cards_job(host.archive, [host.archive.find_deck(deck)], with_codes=True).labels
        faces = [face for face in labels if isinstance(face, EffectLabel | HeadedLabel | FiguresLabel)]
        spread = spreads.photograph_of(faces[:-1], [face.code for face in faces[:-1]], Random(8), angle=1)
        pictures = {
            "empty": b"",
            "no picture": b"<html>",
            "a PDF": b"%PDF-1.7 nothing",
            "no code": saved(Image.new("L", (400, 300), 200)),
            "of another program": saved(qr("https://menu.example/today")),
            "not here": saved(qr("DECK:0000000000000")),
            "wrong check symbol": saved(qr("https://cards.example/d/7K3M9QPX2B4T0")),
            "several": saved(two),
            "a spread": spread.jpeg,
        }
        for case, picture in pictures.items():
            yield self._send(reader, case, "/scan", picture)
        faces = evenings.stuck_faces(host.archive, session, "ana:5C", "cy:9S")
        cards = spreads.photograph_of(faces, [face.code for face in faces], Random(3), angle=1).jpeg
        photo = self._send(reader, "of the table", f"/scan?table={session.id}", cards)
        yield photo
        yield self._send(reader, "of a table without labels", f"/scan?table={session.id}", pictures["no code"])
        yield self._post(reader, session.id, "photo", "outdated", at="1", line="reveal ana 5C")
        looker = self._reader("Zoe", "look")
        yield self._post(looker, session.id, "photo", "not permitted", line="reveal ana 5C")

    def _send(self, reader: ReaderPhone, case: str, path: str, picture: bytes) -> PageSample:
        body = form_of(picture, reader.get("/scan").token)
        answer = reader.ask("POST", path, body, content_type=_MULTIPART)
        return PageSample("POST /scan", case, path, answer)

    def _browser(self) -> ReaderPhone:
        """Return the host's own browser."""
        browser = ReaderPhone(self._host, self._language)
        assert self._host.server.door is not None
        assert browser.get(self._host.server.door.make_link()).leads_to == "/host"
        return browser

    def _host_pages(self) -> Iterator[PageSample]:
        browser, stranger = self._browser(), ReaderPhone(self._host, self._language)
        yield self._get(browser, "/host", "tables", "/host")
        yield self._get(browser, "/decks", "for the host", "/decks")
        yield from self._deck_care(browser)
        yield from self._host_forms(browser)
        yield from self._printing(browser)
        yield from self._settings(browser)
        yield from self._after_game(browser)
        yield from self._host_games(browser)
        yield self._get(stranger, "/host/enter/{secret}", "old", "/host/enter/old", 403)
        yield PageSample("POST /host/start", "no proof", "/host/start", stranger.post("/host/start", ""))
        phones = self._host.server.phones
        waiting = web_access.ask_to_come_in(self._host.archive, "10.0.0.7", "000000", "Nia")
        assert waiting is not None
        yield self._get(browser, "/host/phones", "phones", "/host/phones")
        token = browser.get("/host/phones").token
        for case, fields in (
            ("let in", {"do": "back", "phone": waiting.phone}),
            ("gone", {"do": "away", "phone": "nobody"}),
            ("not known", {"do": "dance"}),
            ("sent away", {"do": "away", "phone": waiting.phone}),
        ):
            yield PageSample("POST /host/phones", case, "/host/phones", browser.post("/host/phones", token, **fields))
        phones.refresh()
        yield from self._designs(browser)
        yield from self._archive_pages(browser)
        yield from self._people_pages(browser)
        yield from self._leagues_page(browser)
        yield from self._statistics_pages(browser)
        yield from self._rehearsals(browser)
        yield self._get(browser, "/host/doctor", "checks", "/host/doctor")
        yield self._get(browser, "/host/end", "end", "/host/end")
        yield PageSample("POST /host/end", "no token", "/host/end", browser.post("/host/end", "0" * 64))
        yield PageSample("POST /host/leave", "no token", "/host/leave", browser.post("/host/leave", "0" * 64))
        yield PageSample("POST /host/leave", "left", "/host/leave", browser.post("/host/leave", token))

    def _deck_care(self, browser: ReaderPhone) -> Iterator[PageSample]:
        """A deck's page for the host, and the forms for decks that are here."""
        deck = self._host.archive.decks_named("decknforge", "Grave Choir")[0].deck
        yield self._get(browser, "/d/{deck}", "for the host", f"/d/{deck}")
        route = "/host/decks/{deck}/history.{kind:str}"
        for kind in ("csv", "json"):
            yield self._get(browser, route, kind, f"/host/decks/{deck}/history.{kind}")
        yield self._get(browser, route, "no such file", f"/host/decks/{deck}/history.exe", 404)
        path = "/scan/passport"
        yield PageSample(f"POST {path}", "none", path, browser.post(path, browser.get("/scan").token, code="x"))
        path = "/host/audit"
        yield self._get(browser, path, "a box", f"{path}?deck={deck}")
        yield self._get(browser, path, "no deck", path, 404)
        form = PageForm(browser, f"{path}?deck={deck}", {"holder": "Ben", "besides 0 spot": "nowhere"})
        yield PageSample(f"POST {path}", "not right", path, form.press("keep"))
        yield self._get(browser, path, "a draft", f"{path}?deck={deck}")
        form.fields["seen"] = "0"
        yield PageSample(f"POST {path}", "changed meanwhile", path, form.press("keep"))
        yield PageSample(f"POST {path}", "anew", path, PageForm(browser, f"{path}?deck={deck}").press("anew"))
        yield from self._photographs(browser, deck)
        path, deck = "/host/rebuild", self._host.archive.decks_named("oddfrontier", "Listed")[0].deck
        yield self._get(browser, path, "a list", f"{path}?deck={deck}")
        name = re.split(r"^\d+ ", PageForm(browser, f"{path}?deck={deck}").get("list").splitlines()[-1], maxsplit=1)[-1]
        for case, swap in (("impossible", "-99 Owl"), ("a card more", f"+1 {name}")):
            form = PageForm(browser, f"{path}?deck={deck}", {"swap 0": swap})
            button = "keep" if case == "impossible" else "look"
            yield PageSample(f"POST {path}", case, path, form.press(button))
            yield self._get(browser, path, case, f"{path}?deck={deck}")
        yield PageSample(f"POST {path}", "anew", path, PageForm(browser, f"{path}?deck={deck}").press("anew"))
        yield self._get(browser, "/host/versions", "a list", f"/host/versions?deck={deck}")
        path = "/host/deck-name"
        yield self._get(browser, path, "a deck", f"{path}?deck={deck}")
        yield self._get(browser, path, "no deck", path, 404)
        answer = browser.post(path, browser.get("/host").token, deck=deck, name=" ")
        yield PageSample(f"POST {path}", "no name", path, answer)
        path = "/host/edition"
        yield self._get(browser, path, "of no page", f"{path}?deck={deck}", 404)
        crown = crowns.found_deck(self._host.archive, "Moth Queen")
        yield self._get(browser, path, "the last edition", f"{path}?deck={crown}")
        answer = browser.post(path, browser.get("/host").token, deck=deck)
        yield PageSample(f"POST {path}", "of no page", path, answer)

    def _photographs(self, browser: ReaderPhone, deck: str) -> Iterator[PageSample]:
        """The comparison of a deck with photographs of it."""
        path, token = "/host/audit/photographs", browser.get("/host").token
        yield self._get(browser, path, "no photograph", f"{path}?deck={deck}")
        yield self._get(browser, path, "no deck", path, 404)
        answer = browser.ask("POST", path, multipart(token, deck=deck.encode()), content_type=_MULTIPART)
        yield PageSample(f"POST {path}", "no photograph", path, answer)
        labels = jobs.cards_job(self._host.archive, [self._host.archive.find_deck(deck)], with_codes=True).labels
        faces = [face for face in labels if isinstance(face, EffectLabel | HeadedLabel | FiguresLabel)]
        spread = spreads.photograph_of(faces[1:], [face.code for face in faces[1:]], Random(8), angle=1)
        sent = multipart(token, deck=deck.encode(), picture=spread.jpeg)
        sent = sent.replace(b'name="picture"', b'name="picture"; filename="spread.jpg"', 1)
        answer = browser.ask("POST", path, sent, content_type=_MULTIPART)
        yield PageSample(f"POST {path}", "a spread", path, answer)
        yield self._get(browser, path, "a spread", f"{path}?deck={deck}")
        yield self._get(browser, f"{path}/{{number}}.jpg", "a picture", f"{path}/1.jpg?deck={deck}")
        yield self._get(browser, f"{path}/{{number}}.jpg", "gone", f"{path}/9.jpg?deck={deck}", 404)
        pressed = {"changed meanwhile": {"take": "x"}, "anew": {"anew": "yes"}, "gone": {"take": "all"}}
        for case, fields in pressed.items():
            answer = browser.post(f"{path}/take", token, deck=deck, **fields)
            yield PageSample(f"POST {path}/take", case, f"{path}/take", answer)

    def _host_forms(self, browser: ReaderPhone) -> Iterator[PageSample]:
        """Forms: empty, with answers, refused, and with a draft."""
        path = "/host/new"
        for game in ("decknforge", "solforge", "tricks"):
            yield self._get(browser, path, game, f"{path}?game={game}")
        form = PageForm(browser, f"{path}?game=decknforge")
        yield PageSample(f"POST {path}", "sits", path, form.press("sit Zoe"))
        yield self._get(browser, path, "a draft", f"{path}?game=decknforge")
        form = PageForm(browser, f"{path}?game=decknforge", {"seat 0 deck": "Grey Fox", "rule 0 key": "Winter"})
        yield PageSample(f"POST {path}", "not right", path, form.press("keep"))
        form = PageForm(browser, f"{path}?game=decknforge")
        yield PageSample(f"POST {path}", "anew", path, form.press("anew"))
        for path, answers in (("/host/build", {"inscribe 0 card": "2S"}), ("/host/adopt", {"monsters 0 hp": "99"})):
            yield self._get(browser, path, "a game for it", f"{path}?game=decknforge")
            filled = {"name": "Grave Choir", "builder": "Ana", **answers}
            form = PageForm(browser, f"{path}?game=decknforge", filled)
            yield PageSample(f"POST {path}", "not right", path, form.press("keep"))
            form = PageForm(browser, f"{path}?game=decknforge")
            yield PageSample(f"POST {path}", "anew", path, form.press("anew"))
        body = multipart(browser.get("/host").token, game=b"decknforge", picture=b"no picture")
        answer = browser.ask("POST", "/host/adopt/photo", body, content_type=_MULTIPART)
        yield PageSample("POST /host/adopt/photo", "no picture", "/host/adopt/photo", answer)
        yield self._get(browser, "/host/adopt", "with a message", "/host/adopt?game=decknforge")
        yield self._get(browser, "/host/build", "of a list", "/host/build?game=solforge")
        yield self._get(browser, "/host/decks", "decks", "/host/decks")
        yield self._get(browser, "/host/decks", "no match", "/host/decks?q=Winter")
        token = browser.get("/host").token
        over = self._host.table("seat ana", "seat ben", "begin seed 1", game="solforge")
        answer = browser.post("/host/again", token, session=over)
        yield PageSample("POST /host/again", "not over", "/host/again", answer)

    def _printing(self, browser: ReaderPhone) -> Iterator[PageSample]:
        """The print form with its preview, what is sent, and a print-out."""
        path, archive = "/host/print", self._host.archive
        stationery.begin_sheet(archive, "Grey Fox", "18294", 60, tuple(range(3, 61)))
        stationery.claim(archive, {"Grey Fox": (3, 4)})
        yield self._get(browser, path, "a sheet", path)
        yield self._get(browser, path, "labels of one's own", f"{path}?what=own")
        token = browser.get("/host").token
        for case, table in (("without a name", b"name\nGrog\n"), ("empty", b"")):
            body = multipart(token, file=table)
            answer = browser.ask("POST", f"{path}/upload", body, content_type=_MULTIPART)
            yield PageSample(f"POST {path}/upload", case, f"{path}/upload", answer)
        body = multipart(token, text=b"name,count\nGrog,many\n")
        answer = browser.ask("POST", f"{path}/upload", body, content_type=_MULTIPART)
        yield PageSample(f"POST {path}/upload", "pasted", f"{path}/upload", answer)
        yield PageSample(f"POST {path}", "a wrong line", path, PageForm(browser, path).press("keep"))
        form = PageForm(browser, f"{path}?what=starter")
        images = re.findall(r'src="(/host/print/proof/[^"]+)"', form.page.text)
        proof = f"{path}/proof/{{proof}}/{{page}}.png"
        yield self._get(browser, proof, "a page", images[0])
        yield self._get(browser, proof, "gone", f"{path}/proof/gone/1.png", 404)
        answer = form.press("keep")
        yield PageSample(f"POST {path}", "printed", path, answer)
        out, route = answer.leads_to, f"{path}/out/{{name}}"
        yield self._get(browser, route, "a print-out", out)
        yield self._get(browser, route, "gone", f"{path}/out/gone", 404)
        yield self._get(browser, f"{route}/labels.pdf", "gone", f"{path}/out/gone/labels.pdf", 404)
        for case, button in (("no such printer", "send nobody"), ("came out right", "printed"), ("again", "blank")):
            yield PageSample(f"POST {route}", case, out, browser.post(out, token, do=button))
        yield self._get(browser, route, "settled", out)
        for case, fields in (
            ("no such sheet", {"sheet": "gone", "do": "printed"}),
            ("not known", {"sheet": "Grey Fox", "do": "dance"}),
            ("settled", {"sheet": "Grey Fox", "do": "spoiled"}),
        ):
            answer = browser.post(f"{path}/sheet", token, **fields)
            yield PageSample(f"POST {path}/sheet", case, f"{path}/sheet", answer)

    def _settings(self, browser: ReaderPhone) -> Iterator[PageSample]:
        """The settings, and the calibration of a printer."""
        for path, answers in (("/host/settings", {"paper": "huge"}), ("/host/calibrate", {"distance0": "900"})):
            yield self._get(browser, path, "form", path)
            yield PageSample(f"POST {path}", "not right", path, PageForm(browser, path, answers).press("keep"))
            yield PageSample(f"POST {path}", "anew", path, PageForm(browser, path).press("anew"))
        path = "/host/calibrate"
        answer = PageForm(browser, path, {"name": "Fox", "distance0": "21"}).press("keep")
        yield PageSample(f"POST {path}", "stored", path, answer)
        yield self._get(browser, path, "stored", answer.leads_to)

    def _after_game(self, browser: ReaderPhone) -> Iterator[PageSample]:
        """The review, the seal, and what is left after it."""
        host, route = self._host, "/host/t/{session}"
        loose = won(host.archive).id
        yield self._get(browser, route, "loose decks", f"/host/t/{loose}")
        path = f"/host/loose?game={loose}-0"
        yield self._get(browser, "/host/loose", "a loose deck", path)
        answer = PageForm(browser, path).press("keep")
        yield PageSample("POST /host/loose", "not right", "/host/loose", answer)
        yield self._get(browser, route, "goes on", f"/host/t/{host.table(*FIGHT)}")
        for band, holder in (("Candle Thief", "Ana"), ("Fog Calf", "Ben")):
            bands.found_band(host.archive, band, holder)
        seats = ('seat ana name "Ana" deck "Candle Thief"', 'seat ben name "Ben" deck "Fog Calf"')
        session = host.table(*seats, *FOUGHT, *FADED, *SWAPPED)
        path = f"/host/t/{session}"
        yield self._get(browser, "/t/{session}", "over, for the host", f"/t/{session}")
        yield self._get(browser, route, "review", path)
        page = browser.get(path)
        answer = browser.post(path, page.token, do="answer seal", at="1")
        yield PageSample(f"POST {route}", "outdated", path, answer)
        at = re.findall(r'name="at" value="([0-9]+)"', page.text)[0]
        yield PageSample(f"POST {route}", "sealed", path, browser.post(path, page.token, do="answer seal", at=at))
        yield self._get(browser, route, "sealed", path)
        chore = re.findall(r'name="chore" value="([^"]+)"', browser.get(path).text)[0]
        yield PageSample(f"POST {route}", "done", path, browser.post(path, page.token, do="tick", chore=chore))
        yield self._get(browser, route, "done", path)

    def _host_games(self, browser: ReaderPhone) -> Iterator[PageSample]:
        """The list, pages of games with faults, with what random games find, and after somebody else's change."""
        games, edit = "/host/games", "/host/page"
        for case, query in (("all", ""), ("some", "?q=trick+partners"), ("none", "?q=qqqqzzzz")):
            yield self._get(browser, games, case, f"{games}{query}")
        for game in ("_", "tricks"):
            yield self._get(browser, "/host/new-game", game, f"/host/new-game?game={game}")
        form = PageForm(browser, "/host/new-game?game=tricks", {"title": "Tricks"})
        yield PageSample("POST /host/new-game", "not right", "/host/new-game", form.press("keep"))
        token = browser.get("/host").token
        for name in ("magic-crown", "tricks"):
            answer = browser.post(games, token, name=name)
            yield PageSample(f"POST {games}", name, games, answer)
        route = f"{games}/{{name}}"
        yield self._get(browser, route, "ready", f"{games}/tricks")
        copied = browser.post(f"{games}/tricks", token, name="Our Tricks")
        yield PageSample(f"POST {route}", "wrong word", f"{games}/tricks", copied)
        yield self._get(browser, f"{route}/page.toml", "ready", f"{games}/tricks/page.toml")
        path = f"{games}/magic-crown"
        yield self._get(browser, route, "a draft", path)
        text = starter_page("magic-crown")
        for case, content, button in (
            ("faults", text.replace("start = 20", "strat = 20"), "look"),
            ("not saved", text.replace("start = 20", "strat = 20"), "save"),
            ("checked", text, "check"),
            ("saved", text, "save"),
            ("a later draft", f"{text}# more\n", "look"),
            ("hidden", "\u202e", "look"),
            ("an old version", text, "old"),
        ):
            page = browser.get(path)
            version = "0" if button == "old" else re.findall(r'name="version" value="(\w+)"', page.text)[0]
            fields = {"name": "magic-crown", "version": version, "text": content, "do": button}
            yield PageSample(f"POST {edit}", case, edit, browser.post(edit, page.token, **fields))
            if button == "check":
                yield PageSample(f"GET {route}/check", case, f"{path}/check", browser.get(f"{path}/check"))
            yield self._get(browser, route, case, path)

    def _archive_pages(self, browser: ReaderPhone) -> Iterator[PageSample]:
        path, archive = "/host/archive", self._host.archive
        assert archive.store.file is not None
        # The archive makes one by itself after a minute of writing, and then there may be nothing new.
        backups.make_backup(archive.store.file, "evening", archive.now())
        backup = backups.list_backups(archive.store.file)[0].path
        people.add_person(archive, "Zoe")
        token = browser.get(path).token
        for case, way in (("checked", "check"), ("not known", "dance")):
            yield PageSample(f"POST {path}", case, path, browser.post(path, token, do=way))
        yield self._get(browser, path, "with a backup", path)
        of_backup = f"?backup={backup.name}"
        yield self._get(browser, f"{path}/restore", "asks", f"{path}/restore{of_backup}")
        yield self._get(browser, f"{path}/backup", "a file", f"{path}/backup{of_backup}")
        yield self._get(browser, f"{path}/export", "a file", f"{path}/export")
        yield self._get(browser, f"{path}/export", "no deck", f"{path}/export?deck=", 422)
        damaged = backup.with_name("0000000001-2026-01-01-120000-hour.sqlite")
        damaged.write_bytes(b"nothing")
        refused = browser.post(f"{path}/restore", token, backup=damaged.name)
        yield PageSample(f"POST {path}/restore", "damaged", f"{path}/restore", refused)
        damaged.unlink()
        decisions = f"{path}/decisions"
        yield self._get(browser, decisions, "nothing to decide", decisions)
        yield PageSample(f"POST {decisions}", "gone", decisions, browser.post(decisions, token, question="", do="0"))
        path = f"{path}/import"
        yield self._get(browser, path, "none yet", path)
        export = browser.get("/host/archive/export").text.encode(errors="surrogateescape")
        decks = browser.get("/host/archive/export?deck=Grave+Choir").text.encode(errors="surrogateescape")
        sent = {"nothing new": export, "no export": b"nothing", "a deck": decks}
        for case, content in sent.items():
            body = multipart(token, file=content).replace(b'name="file"', b'name="file"; filename="Tricks"')
            yield PageSample(f"POST {path}", case, path, self._post_parts(browser, path, body))
        for way in ("take", "undo"):
            yield PageSample(f"POST {path}/{way}", "gone", path, browser.post(f"{path}/{way}", token))

    def _people_pages(self, browser: ReaderPhone) -> Iterator[PageSample]:
        path, archive = "/host/people", self._host.archive
        ana, other = people.find_people(archive, "Ana")[0], people.add_person(archive, "Ana")
        token = browser.get(path).token
        yield self._get(browser, path, "everybody", path)
        yield self._get(browser, path, "nobody", f"{path}?q=nobody")
        yield PageSample(f"POST {path}", "no name", path, browser.post(path, token, name=""))
        person, route = f"{path}/{ana.person}", f"{path}/{{person}}"
        yield self._get(browser, route, "decks and games", person)
        yield self._get(browser, route, "nobody", f"{path}/nobody", 404)
        yield self._get(browser, f"{route}/merge", "asks", f"{person}/merge?into={other.person}")
        yield self._get(browser, f"{route}/merge", "itself", f"{person}/merge?into={ana.person}", 422)
        yield self._get(browser, f"{route}/forget", "asks", f"{person}/forget")
        for do, text in (("rename", ""), ("alias", "Fox"), ("language", "de"), ("dance", "")):
            fields = {"do": do, "text": text, "public": "nickname"}
            answer = browser.post(person, token, **fields)
            yield PageSample(f"POST {route}", do, person, answer)
            if answer.status == 303:
                yield self._get(browser, route, f"just {do}", answer.leads_to)

    def _statistics_pages(self, browser: ReaderPhone) -> Iterator[PageSample]:
        path, archive = "/host/statistics", self._host.archive
        for by in ("person", "month", "version", "rules"):
            yield self._get(browser, path, by, f"{path}?by={by}")
        yield self._get(browser, path, "no deck", f"{path}?deck=Owl", 422)
        yield self._get(browser, f"{path}/games.csv", "a file", f"{path}/games.csv")
        ended = archive.now()
        result = MatchResult("seat1", (Contender("seat1", "Ana", "won"), Contender("seat2", "Ben", "lost")))
        play_import.import_plays(archive, [PlayKept("other:1", "Tricks", ended, ended, result)], "Other", "other.json")
        (play,) = play_removal.list_plays(archive)
        yield self._get(browser, "/host/archive/import", "one", "/host/archive/import?done=take")
        yield from self._play_import(browser, f"{path}/import")
        path = f"{path}/imported"
        yield self._get(browser, path, "one", path)
        yield self._get(browser, path, "no match", f"{path}?q=Owl")
        token = browser.get(path).token
        for do in ("remove", "remove", "restore", "dance"):
            answer = browser.post(path, token, do=do, play=play.id)
            yield PageSample(f"POST {path}", do, path, answer)
            if answer.status == 303:
                yield self._get(browser, path, f"just {do}", answer.leads_to)

    def _rehearsals(self, browser: ReaderPhone) -> Iterator[PageSample]:
        """The form, and a rehearsal of a few games as it was stored."""
        path, route = "/host/rehearsals", "/host/rehearsals/{rehearsal}"
        archive = self._host.archive
        yield self._get(browser, path, "none yet", path)
        for compare in ("rules", "without", "find"):
            form = PageForm(browser, f"{path}?game=decknforge", {"compare": compare, "people 0": "thinker"})
            form.press("look")
            answer = PageForm(browser, f"{path}?game=decknforge").press("keep")
            yield PageSample(f"POST {path}", f"not right, {compare}", path, answer)
        yield PageSample(f"POST {path}", "anew", path, PageForm(browser, f"{path}?game=decknforge").press("anew"))
        yield self._get(browser, path, "cards", f"{path}?game=solforge")
        settings = [RehearsalSetting("decknforge", 3, rules) for rules in ((), (("pressure", "4"),))]
        for design in (OneSetting(settings[0]), Comparison(*settings)):
            row = storage.begin(archive, "decknforge", design, 0, 4)
            one = f"{path}/{row.rehearsal}"
            yield self._get(browser, route, "nothing played", one)
            rehearsals.count_rehearsal(
                archive,
                row.rehearsal,
                RehearsalCounted(2, 4, storage.encode_sums(play_batch(design, 0, 0, 2))),
            )
            yield self._get(browser, route, type(design).__name__, one)
        yield self._get(browser, route, "unknown", f"{path}/000000", 404)
        first = rehearsals.rehearsals(archive)[-1].rehearsal
        yield self._get(browser, route, "against another", f"{one}?against={first}")
        for kind in ("csv", "json", "svg", "pdf"):
            yield self._get(browser, f"{route}/figures.{{kind:str}}", kind, f"{one}/figures.{kind}")
        token = browser.get(path).token
        for case, fields in (("not known", {"do": "dance"}), ("too few", {"do": "continue", "games": "1"})):
            yield PageSample(f"POST {route}", case, one, browser.post(one, token, **fields))
        yield self._get(browser, path, "some", path)

    def _leagues_page(self, browser: ReaderPhone) -> Iterator[PageSample]:
        path = "/host/leagues"
        yield self._get(browser, path, "some", path)
        form = PageForm(browser, path, {"people 0": "Zoe", "seats": "99"})
        yield PageSample(f"POST {path}", "not right", path, form.press("keep"))
        yield self._get(browser, path, "a draft", path)
        yield PageSample(f"POST {path}", "anew", path, PageForm(browser, path).press("anew"))
        league, route = f"{path}/{play_league(self._host).row.league}", f"{path}/{{league}}"
        yield self._get(browser, route, "played", league)
        yield self._get(browser, route, "an earlier round", f"{league}?round=2")
        yield self._get(browser, route, "unknown", f"{path}/7K3M9Q", 404)
        read = season.create(
            self._host.archive, "Friday", ("Cleo", "Emil", "Bartholomew"), season.LeagueSettings(form="ladder")
        )
        league = f"{path}/{read.row.league}"
        yield self._get(browser, route, "no round", league)
        season.draw_next(self._host.archive, read, 1)
        page = browser.get(league)
        at = re.findall(r'name="at" value="([0-9]+)"', page.text)[0]
        for case, fields in (
            ("asks", {"do": "next"}),
            ("asks again", {"do": "again"}),
            ("changed meanwhile", {"do": "close", "at": "0"}),
            ("not known", {"do": "dance"}),
            ("nobody", {"do": "join"}),
            ("joins", {"do": "join", "text": "Hal"}),
        ):
            answer = browser.post(league, page.token, **{"at": at, "round": "1", **fields})
            yield PageSample(f"POST {route}", case, league, answer)
        yield self._get(browser, route, "open", league)
        for name in ("standings", "pairings"):
            for kind, status in (("csv", 200), ("pdf", 200), ("exe", 404)):
                each = f"{name}.{kind}"
                yield self._get(browser, f"{route}/{name}.{{kind:str}}", kind, f"{league}/{each}", status)

    def _play_import(self, browser: ReaderPhone, path: str) -> Iterator[PageSample]:
        """The import of games: nothing yet, files that are none, and lists with questions; nothing is stored."""
        yield self._get(browser, path, "nothing yet", path)
        yield PageSample(f"POST {path}", "nothing yet", path, PageForm(browser, path).press("keep"))
        token, route = browser.get(path).token, f"{path}/file"
        for case, name, content in (
            ("none", b"Tricks.csv", b""),
            ("not such a file", b"Tricks.exe", b"MZ"),
            ("no scores", b"Tricks.csv", b"nothing"),
            ("a list", b"Tricks.csv", b"date,game,Owl,Ana\n2024-01-01,Tricks,3,4\n"),
        ):
            body = multipart(token, file=content).replace(b'name="file"', b'name="file"; filename="' + name + b'"')
            yield PageSample(f"POST {route}", case, route, self._post_parts(browser, route, body))
            yield self._get(browser, path, case, path)
        yield PageSample(f"POST {path}", "anew", path, PageForm(browser, path).press("anew"))
        yield self._get(browser, path, "a file that was sent", path)
        form = PageForm(browser, path, {"file": "Owl"})
        yield PageSample(f"POST {path}", "a file that is gone", path, form.press("keep"))
        form = PageForm(browser, path, {"file": "", "list": "date,Ana,Ben\n3/4/2024,1,2\n"})
        form.press("look")
        yield PageSample(f"POST {path}", "a question", path, PageForm(browser, path).press("keep"))
        yield PageSample(f"POST {path}", "anew", path, PageForm(browser, path).press("anew"))

    def _designs(self, browser: ReaderPhone) -> Iterator[PageSample]:
        """Yield samples of the pages of label designs; nothing is saved."""
        every, one = "/host/designs", "/host/designs/{name}"
        path = f"{every}/badge"
        for part in range(1, 7):
            yield self._get(browser, one, f"part {part}", f"{path}?part={part}")
        yield self._get(browser, one, "on a round label", f"{every}/jam")
        yield self._get(browser, every, "for a roll", f"{every}?shape=roll")
        yield self._get(browser, one, "with its sample", f"{every}/jam-round?sample=1&row=1")
        yield self._get(browser, one, "unknown", f"{every}/nothing", 404)
        token = browser.get(path).token
        for case, fields in (
            ("a frame", {"do": "add-frame"}),
            ("a ring", {"do": "add-ring"}),
            ("another code", {"do": "symbology-code128", "part": "6"}),
            ("not spaced", {"do": "distribute-across"}),
            ("not printed", {"do": "print"}),
            ("not aligned", {"do": "align-left", "among": "parts"}),
            ("no number", {"do": "place", "part": "1", "left": "far"}),
            ("gone", {"do": "remove", "part": "999"}),
            ("no such name", {"do": "save", "name": "../x"}),
            ("not known", {"do": "dance"}),
        ):
            yield PageSample(f"POST {one}", case, path, browser.post(path, token, **fields))
        table = b"name\ttable\tphoto\trole\tlink\nAna\t3\nBen\t4\tnobody.png\n"
        body = multipart(token, design=b"badge", part=b"1", picture=b"none")
        answer = browser.ask("POST", "/host/design-table", body, content_type=_MULTIPART)
        yield PageSample("POST /host/design-table", "no picture", "/host/design-table", answer)
        for case, content in (("a table", table), ("no rows", b"name"), ("none", b"")):
            body = multipart(token, design=b"badge", pasted=content)
            answer = browser.ask("POST", "/host/design-table", body, content_type=_MULTIPART)
            yield PageSample("POST /host/design-table", case, "/host/design-table", answer)
            yield self._get(browser, one, case, f"{path}?row=1&check=1")
        yield self._get(browser, f"{one}/label.png", "a picture", f"{path}/label.png?row=2")
        yield self._get(browser, f"{one}/file.png", "a picture", f"{path}/file.png")
        yield self._get(browser, every, "with changes", every)
        for case, fields in (
            ("new", {"name": "plum", "stock": "L7780"}),
            ("no such stock", {"name": "x", "stock": "y"}),
        ):
            yield PageSample(f"POST {every}", case, every, browser.post(every, token, **fields))
        yield self._get(browser, one, "new", f"{every}/plum")
        for name in ("plum", "badge", "jam-round"):
            answer = browser.post(f"{every}/{name}", token, do="reload")
            yield PageSample(f"POST {one}", "discarded", f"{every}/{name}", answer)

    def _errors(self) -> Iterator[PageSample]:
        host = self._host
        reader = self._reader("Zoe")
        yield PageSample("error", "404", "/nothing", reader.get("/nothing"))
        yield PageSample("error", "405", "/tables", reader.ask("POST", "/tables"))
        yield PageSample("error", "421", "/tables", reader.get("/tables", host="elsewhere.example"))
        yield PageSample("error", "403", "/pin", reader.ask("POST", "/pin", origin="http://elsewhere.example"))
        yield PageSample("error", "413", "/pin", reader.ask("POST", "/pin", "x" * 200_000))
        size = str(PICTURE_LIMIT.size + 1)
        yield PageSample("error", "413", "/scan", reader.ask("POST", "/scan", "x", content_length=size))
        session = host.table(*FIGHT)
        ana = self._seated(session, "ana")
        braked = next(
            each
            for each in (ana.post(f"/t/{session}/note", ana.get("/scan").token, text="x" * 9_000) for _ in range(99))
            if each.status != 303
        )
        yield PageSample("error", "429", f"/t/{session}/note", braked)

    def _logins(self) -> Iterator[PageSample]:
        host, language = self._host, self._language
        phones = host.server.phones
        away = self._reader("Gone")
        phones.send_away(phones.all()[-1].phone)
        yield self._get(away, "/pin", "sent away", "/pin", 403)
        stranger = ReaderPhone(host, language)
        yield self._get(stranger, "/pin", "form", "/pin")
        yield PageSample("POST /pin", "a name with an @", "/pin", stranger.come_in(name="a@b"))
        yield PageSample("POST /pin", "wrong", "/pin", stranger.come_in("000000"))
        for letter in "jJ":
            path = f"/{letter}/{phones.invitation}"
            yield self._get(ReaderPhone(host, language), f"/{letter}/{{secret}}", "seats", path)
        yield self._get(ReaderPhone(host, language), "/j/{secret}", "old", "/j/AAAAAAAA", 403)
        locked = next(each for each in (stranger.come_in("000000") for _ in range(9)) if each.status == 429)
        yield PageSample("POST /pin", "locked", "/pin", locked)
        assert stranger.come_in("000000", "Dora").leads_to == "/pin"
        yield self._get(stranger, "/pin", "waits for the host", "/pin")
