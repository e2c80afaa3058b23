"""The ceremony after a game: question by question to the seal, then tonight's labels and the chores."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content

from companion.archive import Archive, ArchiveError, DeckRow, deck_records
from companion.session.reading import table_questions
from companion.session.reading.table_questions import Question, answers_to
from companion.session.reports import evening_cards
from companion.session.table import rematch, seal_preview, terms
from companion.session.table.confirmations import ActionDone, Closed, ConfirmationNeeded, Rejected, Reloaded, Reply
from companion.session.table.form_filling import FormResult
from companion.session.table.seal_preview import SealPreview
from companion.session.table.table_client import TableClient
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.decks import form as deck_form
from companion.tabletop.evening import EveningCard
from companion.tabletop.records import Chore
from companion.tabletop.table.table import Draft, Prompt, SeatView, TableView, Thing
from companion.tui import drawing, frame
from companion.tui.messages import TableChanged
from companion.tui.screens.asking import AnswerRow, AskingScreen
from companion.tui.screens.base import is_key_held, key_name
from companion.tui.screens.form import open_form
from companion.tui.screens.help import Help
from companion.tui.screens.print import open_print
from companion.tui.screens.table.evening import EveningScreen
from companion.tui.terminal.input_queue import BEFORE_MORE_KEYS
from companion.tui.widgets.bars import Key, KeyEffect, Status
from companion.tui.widgets.evening_card import brief
from labels.errors import LabelError
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import Finished, Message, Text, all_of, joined, parts_of, phrase, phrase_in, phrases

if TYPE_CHECKING:
    from companion.printing.jobs import Job


_SEAL = AnswerRow(phrase_in("verb", "Seal"), phrase("write all of this into the records, for good"), "seal")
_NOT_YET = AnswerRow(phrase("Not yet"), "", "back")
_TAUGHT = 3
"""The number of terms that are explained beside a question."""
# Translators: “Home” is the screen with all tables and decks.
_HOME = phrase("Home")
_HOME_WHEN_DONE = AnswerRow(_HOME, phrase("all questions are answered"), "home")


class CeremonyScreen(AskingScreen):
    """Leads through the questions after a game, and on to `TonightScreen` once it is sealed."""

    def __init__(self, sitting: TableClient, archive: Archive) -> None:
        super().__init__()
        self._sitting = sitting
        self._archive = archive
        self._questions: list[Question] = []
        self._seal: Action | None = None
        self._stayed: tuple[Text, int] = ("", 0)
        self._question_kind = ""
        """The kind of the last confirmation question; "" if the last line needed none."""

    def on_mount(self) -> None:
        """Follow the changes of others at this table, and ask."""
        self._sitting.watch(lambda news: self.post_message(TableChanged(news.sentence)))
        # In a worker: the whole app waits while a screen is being mounted.
        self.run_worker(self._begin(), name="first question", group=BEFORE_MORE_KEYS)

    def on_unmount(self) -> None:
        """Stop following the table."""
        self._sitting.leave()

    # Questions

    async def _begin(self) -> None:
        """Ask the table's next question; if only the seal is left, review what it would write."""
        with contextlib.suppress(ArchiveError):  # the seal checks again
            await asyncio.to_thread(self._sitting.look_at_decks)
        self._questions, self._seal = [table_questions.question_after_game(self._sitting.view)], None
        answers = self._questions[0].answers
        if len(answers) == 1 and answers[0].seals:
            await self._review(answers[0])
        else:
            self._show()

    def _show(self) -> None:
        """Show the current question."""
        self.remove_class("-review")
        question, view = self._questions[-1], self._sitting.view
        self._show_where(view, is_review=False)
        self.tell([*self._taught(question), *([] if len(self._questions) > 1 else _table(view))])
        first = len(self._questions) == 1
        answers = [AnswerRow(*_caption(each), each) for each in question.answers]
        if first and not any(prompt.due for prompt in view.prompts):
            answers.append(_HOME_WHEN_DONE)
        stays = first and question.text == self._stayed[0]
        self.ask(question.text, answers, self._stayed[1] if stays else 0)
        # Translators: {value} says what can be typed here, such as “a size”.
        typed = phrase("type {value}", value=question.open.what) if question.open else None
        self.box.placeholder = str(typed or phrase("type to shorten the list, or a line"))
        self._show_keys()

    def _taught(self, question: Question) -> Iterator[Content]:
        """Yield explanations of the terms in this step and question: most people come here rarely."""
        step = [str(step.title) for step in self._sitting.view.steps if step.name == self._sitting.view.step]
        words = " ".join((*([] if len(self._questions) > 1 else step), str(question.text)))
        for term in terms.find_terms(words, self._sitting.terms)[:_TAUGHT]:
            yield Content.styled(f"{term.title}: {drawing.narrow_glyphs(str(term.text))}", drawing.DIM)

    def _show_where(self, view: TableView, *, is_review: bool) -> None:
        steps: list[tuple[Text, bool]] = (
            [(step.title, step.name == view.step and not is_review) for step in view.steps[:-1]] if view.closing else []
        )
        trail = [*steps, (phrase_in("noun", "Review"), is_review), (phrase("Labels and chores"), False)]
        parts = [
            (f" ▶{title}◀" if here else f"  {title} ", drawing.ACCENT if here else drawing.DIM) for title, here in trail
        ]
        # Translators: The title of a row of steps.
        after_game = phrase("After the game")
        where = Content.assemble((f"{after_game} ", drawing.BOLD), *parts)
        if where.cell_length > self.size.width - 2:
            step = [
                phrase("{step} ({at} of {steps})", step=title, at=at, steps=len(trail))
                for at, (title, here) in enumerate(trail, 1)
                if here
            ]
            where = Content.styled(str(joined(" · ", (after_game, *step))), drawing.BOLD)
        self.show_where(where)

    def _show_keys(self, *more: Key) -> None:
        undo = self._sitting.would_undo()
        # Translators: {action} is the last line, or its name.
        undoes = KeyEffect(phrase("Undo {action}", action=undo), phrase("Undo"))
        self.show_keys(
            ("Enter", phrase("Choose"), "screen.enter"),
            *more,
            (key_name(self, "asking.back"), phrase("Back"), "screen.back"),
            (key_name(self, "asking.help"), phrase("Help"), "screen.help"),
            ("↑ ↓", phrase_in("verb", "Move"), ""),
            *(((key_name(self, "asking.undo"), undoes, "screen.take_back"),) if undo else ()),
        )

    async def _review(self, answer: table_questions.Answer) -> None:
        """Show all changes that the seal would make, before it is done."""
        assert isinstance(answer.leads, Draft)
        seal = answer.leads.build()
        try:
            review = await asyncio.to_thread(seal_preview.preview_seal, self._archive, self._sitting.session, seal)
        except (RuleError, ArchiveError) as error:
            self.say(frame.describe_error(error), wrong=True)
            self._show()
            return
        self._seal = seal
        self.add_class("-review")
        self._show_where(self._sitting.view, is_review=True)
        review = review._replace(open=(*review.open, *(str(prompt.text) for prompt in self._adoptions())))
        self.tell(list(review_rows(review)))
        left = [prompt for prompt in self._sitting.view.prompts if not prompt.due]
        offers = map(table_questions.offer, (*left, *self._adoptions()))
        answers = [_NOT_YET, _SEAL] if review.open else [_SEAL, _NOT_YET]
        question = phrase("Is all of this right?")
        self.ask(question, [*answers, *(AnswerRow(*_caption(each), each) for each in offers)])
        self._show_keys(("PgDn", phrase("Read on"), "screen.page(1)"))

    # Answers

    async def take(self, answer: AnswerRow) -> None:
        """Ask for the missing parts of the answer, or run it."""
        way = answer.means
        if way == "home":
            self.dismiss("home")
        elif way == "back":
            await self.back()
        elif way == "seal":
            if not await is_key_held(self):
                await self._do_seal()
        elif isinstance(way, table_questions.Answer):
            self._seal = None
            if len(self._questions) == 1:
                self._stayed = (self._questions[0].text, self.answers.highlighted or 0)
            await self._follow_answer(way)

    async def _follow_answer(self, answer: table_questions.Answer) -> None:
        if isinstance(answer.leads, Draft) and (form := self._adoption(answer.leads)) is not None:
            await self._adopt(answer.leads, form)
            return
        if not answer.is_whole:
            self.say("")  # the result of an earlier action is no reply to this
            self._questions.append(table_questions.question_behind(self._sitting, answer))
            self._show()
            return
        if answer.seals:
            await self._review(answer)
            return
        assert isinstance(answer.leads, Draft)
        action = answer.leads.build()
        await self._forward(lambda: self._sitting.submit(action))

    def _adoptions(self) -> tuple[Prompt, ...]:
        """Return the offers to store what the seal would not keep."""
        session = self._sitting.session
        return session.game.decks.adoptions(session.state)

    def _adoption(self, draft: Draft) -> deck_form.Form | None:
        """Return the form for a deck that must be adopted to complete the draft; None if none is missing."""
        session = self._sitting.session
        return session.game.decks.adoption(session.state, draft) if draft.missing else None

    async def _adopt(self, draft: Draft, form: deck_form.Form) -> None:
        """Ask for what the table does not know about the deck; then submit the line that names it."""
        from companion.forms.decks.deck_forms import LabelledDeckForm

        session = self._sitting.session

        async def on_close(outcome: FormResult | None) -> None:
            if outcome is not None:
                row = await asyncio.to_thread(self._archive.find_deck, outcome.id)
                action = session.game.decks.adoption_line(draft, row.deck, row.name)
                await self._forward(lambda: self._sitting.submit(action))

        adoption = LabelledDeckForm(self._archive, session.game, form, "Adopt", session.id)
        await open_form(self, lambda: adoption, on_close)

    async def enter(self, text: str) -> None:
        """Read the text as an answer, else as a whole line."""
        try:
            answer = self._questions[-1].read(text, self._sitting.notation)
        except NotationError:
            # The second press seals.
            if not (self._question_kind == "seal" and await is_key_held(self)):
                await self._forward(lambda: self._sitting.enter(text))
        else:
            await self._follow_answer(answer)

    async def _do_seal(self) -> None:
        """Seal and confirm at once: the review was the confirmation."""
        assert self._seal is not None
        action = self._seal

        def submit_seal() -> Reply:
            reply = self._sitting.submit(action)
            return self._sitting.confirm() if isinstance(reply, ConfirmationNeeded) else reply

        reply = await asyncio.to_thread(submit_seal)
        if isinstance(reply, ActionDone):
            self.dismiss("on")
            return
        self.say(str(reply.sentence), wrong=True)
        if isinstance(reply, Reloaded):
            await self._go_on()

    async def _forward(self, what: Callable[[], Reply]) -> None:
        reply = await asyncio.to_thread(what)
        self._question_kind = reply.question.kind if isinstance(reply, ConfirmationNeeded) else ""
        match reply:
            case Closed():
                self.dismiss("home")
            case ConfirmationNeeded():
                text = joined(" ", (reply.sentence, phrase("Repeat it to confirm.")))
                self.status_line.show(Status(str(text), "asked"))
            case Rejected(sentence, where):
                self.say(frame.add_hint(str(sentence), where), wrong=True)
            case ActionDone() | Reloaded():
                self.say(str(reply.sentence), wrong=isinstance(reply, Reloaded))
                await self._go_on()

    async def _go_on(self) -> None:
        if self._sitting.is_sealed:
            self.dismiss("on")
        else:
            await self._begin()

    @on(TableChanged)
    async def follow(self, message: TableChanged) -> None:
        """Ask the next question after another screen has changed the table."""
        if await asyncio.to_thread(self._sitting.follow):
            self.say(str(message.sentence))
            await self._go_on()

    async def action_take_back(self) -> None:
        """Undo the last action at this table."""
        await self._forward(self._sitting.undo)

    async def back(self) -> None:
        """Go back to the previous question; from the first one, to the table."""
        if self._seal is not None:
            self._seal = None
            if len(self._questions[-1].answers) > 1:
                self._show()
                return
        elif len(self._questions) > 1:
            self._questions.pop()
            self._show()
            return
        self.dismiss("table")

    def action_help(self) -> None:
        """Explain the chosen answer and this step, beside all keys, lines and words."""
        all_terms, view = self._sitting.terms, self._sitting.view
        words = [str(self.choice.text)] if self.choice else []
        words += [str(step.title) for step in view.steps if step.name == view.step]
        about = self._sitting.look_up(words)
        keys, table = self.active_bindings, self._sitting
        self.app.push_screen(Help(keys, table.notation, table.credit, all_terms, about, table.verb_titles))


def _caption(answer: table_questions.Answer) -> tuple[Text, Text]:
    """Return the caption of an answer and its details; a line is captioned by its effect if it has one."""
    if answer.choice is not None:
        return answer.title or answer.name, answer.detail
    if answer.title:
        return answer.title, ""
    if not answer.detail:
        return Finished(answer.name, begins=True, ends=False), ""
    effect, *others = parts_of(" · ", answer.detail)
    return Finished(effect, begins=True, ends=False), joined(" · ", others) if others else answer.name


def _table(view: TableView) -> Iterator[Content]:
    """Yield each player with their deck and what they hold now; then the hints."""
    width = max((len(seat.name) for seat in view.seats), default=0)
    for seat in view.seats if view.closing else ():
        yield Content.assemble(
            (f"{seat.name:<{width}}  ", drawing.BOLD), drawing.narrow_glyphs(" · ".join(_of_seat(seat)))
        )
    yield from (Content.styled(drawing.narrow_glyphs(str(hint)), drawing.DIM) for hint in view.hints)


def _of_seat(seat: SeatView) -> Iterator[str]:
    if seat.title:
        yield str(seat.title)
    for zone in (zone for zone in seat.zones if zone.things):
        yield f"{drawing.within_sentence(zone.title)} {', '.join(map(_thing_with_words, zone.things))}"


def _thing_with_words(thing: Thing) -> str:
    """Return a thing with its words: `9♠ Sharp`, `⭐ Grave Wyrm Tough Resilient`."""
    return " ".join((*(["⭐"] if thing.starred else []), str(thing.title), *thing.words))


def review_rows(review: SealPreview) -> Iterator[Content]:
    """Yield a review as rows of text: deck by deck, purse by purse, and what would be left open."""
    for text in review.open:
        # Translators: {question} is asked at the table, and nobody has answered it.
        still_open = phrase("Still open · {question}", question=text)
        yield Content.styled(drawing.narrow_glyphs(str(still_open)), "bold $text-warning")
    for text in review.notes:
        # Translators: {sentence} tells what the seal does.
        yield Content(drawing.narrow_glyphs(str(phrase("Then · {sentence}", sentence=text))))
    for deck in review.decks:
        yield Content.styled(drawing.narrow_glyphs(deck.name), drawing.ACCENT)
        yield from (Content(f"  {drawing.narrow_glyphs(str(text))}") for text in deck.sentences)
    for purse in review.purses:
        amounts = phrase("purse {before} → {after}", before=str(purse.before), after=str(purse.after))
        yield Content.assemble((drawing.narrow_glyphs(purse.name), drawing.ACCENT), f"  {amounts}")
        yield from (Content(f"  {drawing.narrow_glyphs(str(text))}") for text in purse.sentences)
    if not (review.decks or review.purses):
        yield Content(str(phrase("No stored deck was played, so nothing is written.")))


T = TypeVar("T")


class Tick(NamedTuple):
    """Chores of a deck to tick off."""

    row: DeckRow
    chores: tuple[Chore, ...]


_HOME_WITH_CHORES = AnswerRow(_HOME, phrase("the rest is listed with each deck"), "home")
_DONE = AnswerRow(_HOME, "", "home")
_PRINT = "print"
_AGAIN = "again"
_LATER = AnswerRow(phrase("Not now"), "", "later")


class TonightScreen(AskingScreen):
    """Shows what is left to do after a seal."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "tick", "Done", id="tonight.tick", tooltip="Check off the selected chore"),
        Binding(
            "f8", "card", "The evening's card", id="tonight.card", tooltip="Show the whole evening, to keep or to send"
        ),
        Binding(
            "ctrl+t", "rematch", "Again", id="tonight.again", tooltip="Open the same table again, or the next game"
        ),
    ]

    def __init__(self, archive: Archive, sitting: TableClient) -> None:
        super().__init__()
        self._archive = archive
        self._sitting = sitting
        self._session = sitting.session.id
        self._prompt: Prompt | None = None
        """The question about the evening that is being answered."""
        self._visit = deck_records.Visit(archive)
        self._labels: Job | None = None
        self._card: EveningCard | None = None
        self._is_printed = False

    def on_mount(self) -> None:
        """Begin with what is left to do after the seal."""
        self.show_where(Content.styled(str(phrase("After the seal · labels and chores")), drawing.BOLD))
        # In a worker: the whole app waits while a screen is being mounted.
        self.run_worker(self._begin(), name="tonight", group=BEFORE_MORE_KEYS)

    def on_unmount(self) -> None:
        """Stop following the table."""
        self._sitting.leave()

    async def _begin(self) -> None:
        self._card = await asyncio.to_thread(self._evening_card)
        self._labels = await self._run_in_thread(self._due_labels)
        await self._show()

    def _evening_card(self) -> EveningCard | None:
        """Return the evening on one page; None if there is none."""
        try:
            return evening_cards.present_stored(self._archive, self._archive.find_session(self._session)).card
        except (ArchiveError, RuleError, NotationError):
            return None

    def _due_labels(self) -> Job | None:
        # The printing libraries are loaded once there is something to print.
        from companion.printing import jobs

        try:
            return jobs.session_job(self._archive, self._session)
        except LabelError:
            return None

    async def _show(self, at: int = 0) -> None:
        self._prompt = None
        self.tell([*(brief(self._card) if self._card else ()), *self._label_notices()])
        due = await self._run_in_thread(self._chores)
        chores, earlier = due or ([], ())
        all_done = phrase("☐ All of it is done")
        every = [AnswerRow(all_done, "", [a.means for a in chores])] if len(chores) > 1 else []
        question = phrase("What is done?") if chores or due is None else self._question_when_done(earlier)
        self.ask(question, self._in_order([*chores, *every]), at)
        back = (key_name(self, "asking.undo"), phrase("Not done after all"), "screen.take_back")
        self.show_keys(
            ("Enter", phrase("Choose"), "screen.enter"),
            *((("Space", phrase("Done"), "screen.tick"),) if chores else ()),
            # Translators: The card of the evening, a report.
            *(((key_name(self, "tonight.card"), phrase_in("evening", "Card"), "screen.card"),) if self._card else ()),
            (key_name(self, "asking.back"), phrase("Table"), "screen.back"),
            (key_name(self, "tonight.again"), rematch.describe_next(self._sitting.session), "screen.rematch"),
            (key_name(self, "asking.help"), phrase("Help"), "screen.help"),
            *((back,) if self._visit.ticks else ()),
        )

    def _label_notices(self) -> Iterator[Content]:
        for sentence in self._labels.notices if self._labels else ():
            yield Content(drawing.narrow_glyphs(str(sentence)))
        if not self._labels:
            yield Content(str(phrase("This game calls for no labels.")))

    def _in_order(self, chores: Sequence[AnswerRow]) -> list[AnswerRow]:
        """Return the answers with the most urgent first: the labels, the chores, and home; after that, an offer to
        print again in case a sheet came out wrong.
        """
        prints = list(self._to_print())
        if self._is_printed or not chores:
            home = _HOME_WITH_CHORES if chores else _DONE
            return [*chores, *self._questions(), *self._again(), home, *prints]
        return [*prints, *chores, *self._questions(), *self._again(), _HOME_WITH_CHORES]

    def _again(self) -> Iterator[AnswerRow]:
        """Yield the next game of the match, or the same table again."""
        if text := rematch.describe_next(self._sitting.session):
            yield AnswerRow(text, phrase("the same people, house rules and decks in their current state"), _AGAIN)

    def _questions(self) -> Iterator[AnswerRow]:
        """Return the table's questions about the evening, which come after the seal."""
        return (AnswerRow(prompt.text, "", prompt) for prompt in self._sitting.view.prompts)

    def _question_when_done(self, earlier: Sequence[str]) -> Message:
        """Return the text without any chore; whether labels were printed before this screen opened is not recorded.

        `earlier` lists the decks with older chores.
        """
        labels = len(self._labels.labels) if self._labels else 0
        if self._is_printed or not self._labels:
            done = phrase("Everything of tonight is done.")
        elif earlier:
            done = phrases(
                "No chore of tonight is left; tonight's label can still be printed.",
                "No chore of tonight is left; tonight's {n} labels can still be printed.",
                n=labels,
            )
        else:
            done = phrases(
                "No chore is left; tonight's label can still be printed.",
                "No chore is left; tonight's {n} labels can still be printed.",
                n=labels,
            )
        if not earlier:
            return done
        # Translators: {decks} are names of decks.
        before = phrase(
            "Some earlier work is left to do on {decks}; it is listed with each deck.", decks=all_of(earlier)
        )
        return joined(" ", (done, before))

    def _to_print(self) -> Iterator[AnswerRow]:
        if not self._labels:
            return
        labels = len(self._labels.labels)
        if self._is_printed:
            once_more = phrases("Print tonight's label once more", "Print tonight's {n} labels once more", n=labels)
            yield AnswerRow(once_more, "", _PRINT)
        else:
            first = phrases("Print tonight's label", "Print tonight's {n} labels", n=labels)
            yield AnswerRow(first, phrase("you say on which sheet, and see the page"), _PRINT)

    async def _mark_printed(self) -> None:
        self._is_printed = True
        await self._show()

    def _chores(self) -> tuple[list[AnswerRow], tuple[str, ...]]:
        """Return tonight's open chores, and the decks that have any open chores."""
        rows = sorted(
            deck_records.decks_of_session(self._archive, self._session), key=lambda row: alphabetical_key(row.name)
        )
        tonight = [
            AnswerRow(joined(": ", (f"☐ {row.name}", chore.text)), "", Tick(row, (chore,)))
            for row in rows
            for chore in deck_records.chores(self._archive, row.deck, self._session)
        ]
        with_chores = tuple(row.name for row in rows if deck_records.chores(self._archive, row.deck))
        return tonight, with_chores

    # Answers

    async def take(self, answer: AnswerRow) -> None:
        """Print, tick off chores, answer, or leave."""
        match answer.means:
            case str(means) if means == _PRINT:
                await open_print(self, self._archive, {"what": "tonight", "which": self._session}, self._mark_printed)
            case Tick():
                await self._tick([answer.means])
            case list(ticks):
                await self._tick(ticks)
            case Prompt() as prompt:
                self._prompt = prompt
                self.tell([])
                self.ask(prompt.text, [*(AnswerRow(*_caption(each), each) for each in answers_to(prompt)), _LATER])
            case table_questions.Answer(leads=Draft() as draft):
                reply = await self._run_in_thread(lambda: self._sitting.submit(draft.build()))
                if reply is not None:
                    self.say(str(reply.sentence), wrong=isinstance(reply, Rejected))
                await self._show()
            case str(means) if means == _LATER.means:
                await self._show()
            case str(means) if means == _AGAIN:
                self.action_rematch()
            case _:
                self.dismiss("home")

    async def enter(self, text: str) -> None:
        """Report that the text matches no row: typing only filters the list."""
        self.say(phrase("Nothing here has “{text}”.", text=text.strip()), wrong=True)

    def action_card(self) -> None:
        """Show the whole evening, to look at and to save."""
        if self._card is None:
            self.say(phrase("This game has no card."), wrong=True)
            return

        self.app.push_screen(EveningScreen(self._card))

    async def action_tick(self) -> None:
        """Tick off the chosen chore."""
        answer = self.choice
        if answer is not None and isinstance(answer.means, Tick):
            await self._tick([answer.means])

    def action_rematch(self) -> None:
        """Open the next game of the match, or the same table again."""
        self.dismiss("again")

    async def _tick(self, ticks: Sequence[Tick]) -> None:
        at = self.answers.highlighted or 0
        by_deck: dict[str, list[str]] = {}
        for row, chores in ticks:
            by_deck.setdefault(row.deck, []).extend(chore.id for chore in chores)
        ticked_chores = await self._run_in_thread(
            lambda: [c for deck, ids in by_deck.items() for c in self._visit.tick(deck, ids, self._session)]
        )
        if ticked_chores is not None:
            # Translators: {chores} are what somebody has done by hand.
            self.say(phrase("Done: {chores}", chores=drawing.in_brief(str(chore.text) for chore in ticked_chores)))
        await self._show(at)

    async def action_take_back(self) -> None:
        """Undo the last tick; no story records either."""
        if not self._visit.ticks:
            self.say(phrase("Nothing was checked off here."))
            return
        if await self._run_in_thread(self._visit.take_back) is not None:
            self.say(phrase("That is to be done again."))
        await self._show(self.answers.highlighted or 0)

    async def back(self) -> None:
        """Go back from a question to the chores, from there to the table."""
        if self._prompt is not None:
            await self._show()
        else:
            self.dismiss("table")

    async def _run_in_thread(self, what: Callable[[], T]) -> T | None:
        """Run this in a thread, since it waits for the disk; report an error and return None if it fails."""
        try:
            return await asyncio.to_thread(what)
        except (ArchiveError, RuleError, OSError) as error:
            self.say(frame.describe_error(error), wrong=True)
            return None
