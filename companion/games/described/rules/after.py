"""The questions of a page after the game, from the first question to the seal that stores all answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from companion.games.described import records as m
from companion.games.described.page import deck_lines as do
from companion.games.described.page.book import DescribedBook, card_title, card_word, read_borne
from companion.games.described.page.campaign import CAMPAIGN
from companion.games.described.page.description import After, InscriptionDefinition, title_of
from companion.games.described.page.texts import as_written
from companion.games.described.records import Borne
from companion.games.described.rules import campaign, outcomes
from companion.games.described.rules.context import Context
from companion.games.described.rules.plan import PagePlan
from companion.games.described.rules.questions import (
    OpenQuestion,
    add_mark,
    find_question,
    open_questions,
    record_answer,
    word_for_deck,
)
from companion.games.described.rules.state import DescribedPlayer, DescribedTable, Spent
from companion.tabletop.action import Action, DeckId, NotationError, RuleError
from companion.tabletop.constructed import table
from companion.tabletop.constructed.table import Brought, is_stored, recorded_seats
from companion.tabletop.decks.decklist import handle
from companion.tabletop.decks.stored_decks import leave_out, tell_left_out
from companion.tabletop.notation.cards import PACK, Card, pretty
from companion.tabletop.records import HandedOn, Mark, Payment, Reason, Retired
from companion.tabletop.table.choices import Candidates, Choice, Open
from companion.tabletop.table.match_result import MatchResult
from companion.tabletop.table.table import Draft, Prompt, RoundStep, draft
from companion.tabletop.text import figure, in_quotes
from templates.languages.messages import Finished, Message, Text, joined, listed, phrase, phrase_in

SEALED: Final = "sealed"
"""The step after the last question."""


def check(state: DescribedTable, action: Action) -> None:
    """Raise RuleError if the game still goes on or is sealed."""
    if state.sealed:
        raise RuleError(phrase("This game is sealed; nothing more can be done in it."))
    if state.outcome is None:
        raise RuleError(phrase("`{verb}` comes after the game, which is still going on.", verb=action.verb()))


def carry_out(context: Context, action: Action) -> None:
    """Apply an answer. Raises RuleError if it does not answer an open question.

    The outcome is fixed first, so that payments can no longer change it.
    """
    check(context.resolution.state, action)
    context.resolution.state.answerer(getattr(action, "seat", ""))
    context.resolution.change(agreed=context.resolution.state.outcome)
    _RULES[type(action)](context, action)


# Answers


def _read_card(context: Context, seat: str, word: str) -> str:
    """Return the card that a word names. Raises RuleError if there is none.

    The card is one of the page, or one of an earlier edition that has an inscription or is torn up.
    """
    state = context.resolution.state
    try:
        return context.plan.book.card(word)
    except NotationError as error:
        earlier = (*(each.card for each in state.borne.get(seat, ())), *state.torn.get(seat, ()))
        if (card := next((card for card in earlier if handle(card) == handle(word)), None)) is not None:
            return card
        raise RuleError(error.sentence) from None


def _read_inscription(book: DescribedBook, word: str) -> InscriptionDefinition:
    try:
        return book.inscription(word)
    except NotationError as error:
        raise RuleError(error.sentence) from None


def _inscribe_card(context: Context, action: do.Inscribe | do.BuyInscription) -> None:
    state, plan, bought = context.resolution.state, context.plan, isinstance(action, do.BuyInscription)
    book = plan.book
    seat, card, inscription = (
        action.seat,
        _read_card(context, action.seat, action.card),
        _read_inscription(book, action.inscription),
    )
    question = find_question(plan, state, seat, "buy" if bought else "inscribe", inscription.tier)
    player = state.player(seat)
    if why := book.inscription_error(inscription, card, state.borne.get(seat, ()), state.torn.get(seat, ())):
        raise RuleError(Finished(why))
    price = 0
    if bought:
        price = _price_to_pay(plan, player, inscription)
        assert plan.page.purse is not None
        purse = plan.page.purse.counter
        plan.write(context.resolution, "seat", seat, purse, _purse_of(plan, player) - price)
        spent = Spent(seat, price, inscription.name, card)
        context.resolution.change(spent=(*context.resolution.state.spent, spent))
    else:
        record_answer(context, question, seat)
    borne = book.bearing(inscription, card)
    context.resolution.change(borne={**state.borne, seat: (*state.borne.get(seat, ()), borne)})
    add_mark(
        context,
        seat,
        m.Inscribed(
            card, borne.number, borne.name, borne.text, borne.tier, "bought" if bought else "given", player.name, price
        ),
    )
    text = _describe_sticking(book, player.name, borne, deck_name(plan, state, seat), price if bought else None)
    context.resolution.tell(text, seat, by_hand=True, lasting=True)


def _describe_sticking(book: DescribedBook, player: str, borne: Borne, deck: Text, price: int | None) -> Message:
    """Return the instruction to stick an inscription on a card, with its price if it was bought, and its text."""
    figures: dict[str, Any] = {
        "player": player,
        "inscription": book.texts.name(borne.name),
        "card": book.card_title(borne.card),
        "deck": deck,
    }
    if price is not None and borne.text:
        return phrase(
            "{player}: stick {inscription} on {card} of {deck} for {price}: {text}",
            **figures,
            price=str(price),
            text=book.texts.name(borne.text),
        )
    if price is not None:
        return phrase("{player}: stick {inscription} on {card} of {deck} for {price}", **figures, price=str(price))
    if borne.text:
        return phrase(
            "{player}: stick {inscription} on {card} of {deck}: {text}", **figures, text=book.texts.name(borne.text)
        )
    return phrase("{player}: stick {inscription} on {card} of {deck}", **figures)


def _price_to_pay(plan: PagePlan, player: DescribedPlayer, inscription: InscriptionDefinition) -> int:
    """Return the price of an inscription. Raises RuleError if it is not for sale or the player has too little."""
    if inscription.price is None or plan.page.purse is None:
        raise RuleError(phrase("{inscription} is not for sale.", inscription=plan.texts.name(inscription.name)))
    have = _purse_of(plan, player)
    if have < inscription.price:
        raise RuleError(
            phrase(
                "{inscription} costs {price}, and {player} has {money}.",
                inscription=plan.texts.name(inscription.name),
                price=str(inscription.price),
                player=player.name,
                money=str(have),
            )
        )
    return inscription.price


def _cross_out(context: Context, action: do.CrossOut) -> None:
    state, seat = context.resolution.state, action.seat
    card = _read_card(context, seat, action.card)
    if not context.plan.book.decks.cross_out:
        title = context.plan.page.title
        raise RuleError(phrase("In {game}, nothing written on a card is ever crossed out.", game=title))
    borne = read_borne(state.borne.get(seat, ()), card, action.inscription)
    record_answer(context, find_question(context.plan, state, seat, "cross-out"), seat)
    left = m.without_inscription(state.borne[seat], card, borne.number)
    context.resolution.change(borne={**state.borne, seat: left})
    player = state.player(seat)
    add_mark(context, seat, m.CrossedOut(card, borne.number, borne.name, player.name))
    text = phrase(
        "{player}: cross out {inscription} on {card}.",
        player=player.name,
        inscription=context.plan.texts.name(borne.name),
        card=context.plan.book.card_title(card),
    )
    context.resolution.tell(text, seat, by_hand=True, lasting=True)


def _tear_up(context: Context, action: do.TearUp) -> None:
    state, seat, book = context.resolution.state, action.seat, context.plan.book
    card = _read_card(context, seat, action.card)
    question = find_question(context.plan, state, seat, "tear-up")
    if not book.decks.tear_up:
        title = context.plan.page.title
        raise RuleError(phrase("In {game}, no card of a {deck} is ever torn up.", deck=book.decks.called, game=title))
    if card in state.torn.get(seat, ()):
        raise RuleError(phrase("{card} is already torn up.", card=book.card_title(card)))
    record_answer(context, question, seat)
    left = tuple(each for each in state.borne.get(seat, ()) if each.card != card)
    context.resolution.change(
        borne={**state.borne, seat: left}, torn={**state.torn, seat: (*state.torn.get(seat, ()), card)}
    )
    player = state.player(seat)
    add_mark(context, seat, m.TornUp(card, player.name))
    text = phrase("{player}: tear {card} up, for ever.", player=player.name, card=book.card_title(card))
    context.resolution.tell(text, seat, by_hand=True, lasting=True)


def _take_home(context: Context, action: do.TakeHome) -> None:
    state = context.resolution.state
    player, owner = state.player(action.seat), state.player(action.owner)
    question = find_question(context.plan, state, player.seat, "take-home")
    if not is_stored(state, owner.seat):
        raise RuleError(
            phrase(
                "{player} has no stored {deck} here that somebody could take home.",
                player=owner.name,
                deck=word_for_deck(context.plan),
            )
        )
    if other := next((seat for seat, home in state.homes.items() if home == owner.seat), ""):
        raise RuleError(phrase("{player} is already taking that one home.", player=state.player(other).name))
    record_answer(context, question, player.seat)
    kept = tuple(seat for seat in state.kept_by_holder if seat != owner.seat)
    context.resolution.change(homes={**state.homes, player.seat: owner.seat}, kept_by_holder=kept)
    deck = deck_name(context.plan, state, owner.seat)
    context.resolution.tell(
        phrase("{player} takes {deck} home.", player=player.name, deck=deck), player.seat, by_hand=True
    )


def _count_on(context: Context, action: do.CountOn) -> None:
    state, seat = context.resolution.state, action.seat
    still_open = [each.question for each in open_questions(context.plan, state) if each.player.seat == seat]
    figures = [question.counts for question in still_open if question.kind == "count"]
    if action.figure not in figures:
        question = find_question(context.plan, state, seat, "count")
        raise RuleError(
            phrase(
                "What is asked here is {figure}, not {word}.",
                word=in_quotes(action.figure),
                figure=question.counts,
            )
        )
    question = next(each for each in still_open if each.kind == "count" and each.counts == action.figure)
    record_answer(context, question, seat)
    if seat == CAMPAIGN:
        title = context.plan.book.campaign.written_title(action.figure)
    else:
        title = as_written(title_of(action.figure, context.plan.book.decks.counts.get(action.figure, "")))
    player = state.answerer(seat)
    if action.number:
        add_mark(context, seat, m.Counted(action.figure, title, action.number, _author(player)))
    text = phrase(
        "{player}: {figure} {number} more.",
        player=player.name,
        figure=context.plan.texts.name(title),
        number=str(action.number),
    )
    context.resolution.tell(text, seat)


def _retire(context: Context, action: do.Retire) -> None:
    state, seat = context.resolution.state, action.seat
    record_answer(context, find_question(context.plan, state, seat, "retire"), seat)
    player = state.player(seat)
    add_mark(context, seat, Retired(player.name))
    text = phrase("{player}: {deck} retires.", player=player.name, deck=deck_name(context.plan, state, seat))
    context.resolution.tell(text, seat, lasting=True)


def _author(player: DescribedPlayer) -> str:
    """Return the name of the author of a mark; the whole table has none."""
    return "" if player.seat == CAMPAIGN else player.name


def _tell_tale(context: Context, action: do.TellStory) -> None:
    state, seat = context.resolution.state, action.seat
    record_answer(context, find_question(context.plan, state, seat, "text"), seat)
    player = state.answerer(seat)
    add_mark(context, seat, m.Tale(action.text, _author(player)))
    context.resolution.tell(phrase("{player}: “{text}”", player=player.name, text=action.text), seat)


def _answer_question(context: Context, action: do.Answered) -> None:
    plan, state, seat = context.plan, context.resolution.state, action.seat
    still_open = [each for each in open_questions(plan, state) if each.player.seat == seat]
    question = next((each.question for each in still_open if each.question.name == action.question), None)
    player = state.answerer(seat)
    if question is None:
        names = [each.question.name for each in still_open]
        raise RuleError(
            phrase(
                "{player} is not asked {word} now; what is asked: {questions}.",
                player=player.name,
                word=in_quotes(action.question),
                questions=listed(names) if names else phrase_in("questions", "nothing"),
            )
        )
    asks_for_something = question.must and question.kind not in ("do", *_SEVERAL)
    if asks_for_something and _can_answer(plan, state, OpenQuestion(question, player)):
        raise RuleError(phrase("{player} has to answer: {question}", player=player.name, question=question.ask))
    record_answer(context, question, seat)
    text = phrase("{player}: {question}, done.", player=player.name, question=plan.texts.title(question.name))
    context.resolution.tell(text, seat)


_SEVERAL: Final = frozenset({"buy", "open", "unlock"})
"""The kinds of questions that can be answered several times, until there is nothing more."""

_RULES: Final[Mapping[type[Action], Callable[[Context, Any], None]]] = {
    do.Inscribe: _inscribe_card,
    do.BuyInscription: _inscribe_card,
    do.CrossOut: _cross_out,
    do.TearUp: _tear_up,
    do.TakeHome: _take_home,
    do.CountOn: _count_on,
    do.Retire: _retire,
    do.FinishScenario: campaign.finish_scenario,
    do.OpenScenario: campaign.open_scenario,
    do.Unlock: campaign.unlock,
    do.SetCampaignFigure: campaign.set_figure,
    do.TellStory: _tell_tale,
    do.Answered: _answer_question,
}


# Decks and purses brought to the table


def add_borne_inscription(context: Context, action: do.Bears) -> None:
    """Add an inscription that a brought deck already bears. A card unknown to the page is kept."""
    state, seat = context.resolution.state, state_seat(context, action.seat)
    borne = Borne(_brought_card(context, seat, action.card), action.number, action.name, action.text)
    context.resolution.change(borne={**state.borne, seat: (*state.borne.get(seat, ()), borne)})


def _brought_card(context: Context, seat: str, word: str) -> str:
    """Return the card that a line brings. A card of an earlier edition that this page lacks is kept as it is."""
    try:
        return context.plan.book.card(word)
    except NotationError as error:
        context.resolution.tell(joined(" ", (error.message, phrase("It is kept as it is."))), seat)
        return word


def add_torn_card(context: Context, action: do.Lacks) -> None:
    """Mark a card of a brought deck as torn up."""
    state, seat = context.resolution.state, state_seat(context, action.seat)
    torn = (*state.torn.get(seat, ()), _brought_card(context, seat, action.card))
    context.resolution.change(torn={**state.torn, seat: torn})


def bring_purse(context: Context, action: do.BringPurse) -> None:
    """Record the purse that a player brings; their counter starts with it."""
    state, seat = context.resolution.state, state_seat(context, action.seat)
    context.resolution.change(purses={**state.purses, seat: action.amount})
    purse, page = context.plan.page.purse, context.plan.page
    assert purse is not None
    title = purse.title or title_of(purse.counter, page.counters[purse.counter].title)
    text = phrase(
        "{player} brings: {figure} {amount}.", player=state.player(seat).name, figure=title, amount=str(action.amount)
    )
    context.resolution.tell(text, seat)


def state_seat(context: Context, seat: str) -> str:
    """Return the seat if a player sits there. Raises RuleError if not."""
    return context.resolution.state.player(seat).seat


BROUGHT: Final[Mapping[type[Action], Callable[[Context, Any], None]]] = {
    do.Bears: add_borne_inscription,
    do.Lacks: add_torn_card,
    do.BringPurse: bring_purse,
    do.CampaignHas: campaign.bring_part,
    do.PlayScenario: campaign.play_scenario,
}


def read_anew(context: Context, seat: str, lines: Sequence[Action]) -> None:
    """Replace the deck and purse of a seat by those in the lines, then reapply this game's changes to the deck."""
    resolution = context.resolution
    state = resolution.state
    if seat == CAMPAIGN:
        campaign.reload_campaign(context, [line for line in lines if isinstance(line, do.CampaignHas)])
        return
    purse = state.purses.get(seat, 0)
    resolution.change(borne={**state.borne, seat: ()}, torn={**state.torn, seat: ()}, purses={**state.purses, seat: 0})
    count = len(resolution.tells)
    for line in lines:
        if type(line) in BROUGHT:
            BROUGHT[type(line)](context, line)
    del resolution.tells[count:]
    _bring_more(context, seat, resolution.state.purses[seat] - purse)
    kept = tuple(mark for mark in state.written.get(seat, ()) if _is_done_again(context, seat, mark))
    resolution.change(written={**state.written, seat: kept})


def _bring_more(context: Context, seat: str, more: int) -> None:
    """Correct the amount that a player brought. Once the game has begun, their counter changes by the difference."""
    state, purse = context.resolution.state, context.plan.page.purse
    if purse is None or not more or not state.has_begun:
        return
    player = state.player(seat)
    figures = {**player.figures, purse.counter: int(player.figures.get(purse.counter, 0)) + more}
    context.resolution.update_player(seat, figures=figures)


def _is_done_again(context: Context, seat: str, mark: Mark) -> bool:
    """Reapply a mark to a deck that was read anew. If it no longer applies, log the reason and return False."""
    resolution, state = context.resolution, context.resolution.state
    borne, torn = state.borne[seat], state.torn[seat]
    why = why_stale(mark, borne, torn, deck_name(context.plan, state, seat))
    if why:
        leave_out(resolution, seat, why)
        return False
    match mark:
        case m.Inscribed():
            resolution.change(borne={**state.borne, seat: (*borne, mark.borne)})
        case m.CrossedOut():
            resolution.change(borne={**state.borne, seat: m.without_inscription(borne, mark.card, mark.number)})
        case m.TornUp():
            left = tuple(each for each in borne if each.card != mark.card)
            resolution.change(borne={**state.borne, seat: left}, torn={**state.torn, seat: (*torn, mark.card)})
    return True


def why_stale(mark: Mark, borne: Sequence[Borne], torn: Sequence[str], name: Text, *, retired: bool = False) -> Text:
    """Return the reason why a mark no longer applies to a deck with these inscriptions, or an empty string."""
    match mark:
        case Retired() if retired:
            return phrase("{deck} has retired already.", deck=name)
        case m.CrossedOut(card, number, called) if all((each.card, each.number) != (card, number) for each in borne):
            return phrase(
                "{inscription} on {card} of {deck} was crossed out already.",
                inscription=called,
                card=card_title(card),
                deck=name,
            )
        case m.TornUp(card) if card in torn:
            return phrase("{card} of {deck} was torn up already.", card=card_title(card), deck=name)
        case m.Inscribed(card, _, called) if card in torn:
            return phrase(
                "{inscription} on {card} of {deck}, as that card is torn up.",
                inscription=called,
                card=card_title(card),
                deck=name,
            )
    return ""


def deck_name(plan: PagePlan, state: DescribedTable, seat: str) -> Text:
    """Return the display name of the deck at a seat."""
    called = state.brought.get(seat, Brought()).called
    return called or phrase("{player}'s {deck}", player=state.answerer(seat).name, deck=word_for_deck(plan))


# The seal


def seal(context: Context) -> None:
    """Seal the game. Raises RuleError before it is over, or if a required answer is missing."""
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    if not state.outcome:
        raise RuleError(
            phrase("`seal` comes after the game, and nobody has won yet; `won SEAT` or `draw-agreed` ends it.")
        )
    if must := next((each for each in open_questions(plan, state) if each.question.must), None):
        raise RuleError(
            phrase("{player} has to answer first: {question}", player=must.player.name, question=must.question.ask)
        )
    resolution.change(sealed=True, agreed=state.outcome)
    tell_left_out(resolution)
    for seat in recorded_seats(state):
        text = phrase("{deck}: the game stands in its record.", deck=deck_name(plan, state, seat))
        resolution.tell(text, seat)
    if plan.page.decks and plan.page.decks.box:
        resolution.tell(plan.page.decks.box, by_hand=True)


def new_holders(state: DescribedTable) -> Mapping[str, tuple[str, str]]:
    """Return the new holder of each deck that another player takes home, by the seat that brought the deck.

    A holder is a name and a person's id, which may be empty.
    """
    return {
        owner: (state.player(seat).name, state.persons.get(seat, ""))
        for seat, owner in state.homes.items()
        if owner not in state.kept_by_holder
        and (owner != seat or state.held_elsewhere.get(owner, state.player(seat).name) != state.player(seat).name)
    }


def marks(plan: PagePlan, state: DescribedTable, result: MatchResult) -> dict[DeckId, tuple[Mark, ...]]:
    """Return the marks that a sealed game adds to the records of its inscribed decks and of its campaign."""
    written: dict[DeckId, tuple[Mark, ...]] = {}
    if is_stored(state, CAMPAIGN):
        game = campaign.game_mark(plan, state, result)
        written[state.brought[CAMPAIGN].deck] = (game, *state.written.get(CAMPAIGN, ()))
    holders = new_holders(state)
    for one in result.players:
        if not one.deck:
            continue
        others = tuple(other.name for other in result.players if other is not one)
        played = m.Played(one.name, one.result, others, state.rounds, one.person, one.final)
        home = (HandedOn(*holders[one.seat]),) if one.seat in holders else ()
        written[one.deck] = (played, *state.written.get(one.seat, ()), *home)
    return written


def keeps_purse(plan: PagePlan, state: DescribedTable, seat: str) -> bool:
    """Return True if a player's money is kept: if they are known by a stored deck or a person's id."""
    return plan.page.purse is not None and (is_stored(state, seat) or bool(state.persons.get(seat)))


def payments(plan: PagePlan, state: DescribedTable) -> Iterator[Payment]:
    """Yield the changes of purses by a sealed game: the money brought home and the purchases."""
    purse = plan.page.purse
    if not state.sealed or purse is None:
        return
    for player in state.players:
        if not keeps_purse(plan, state, player.seat):
            continue
        spent = [each for each in state.spent if each.seat == player.seat]
        left = int(player.figures.get(purse.counter, 0))
        earned = left - state.purses.get(player.seat, 0) + sum(each.price for each in spent)
        person = state.persons.get(player.seat, "")
        if earned:
            yield Payment(player.name, earned, Reason(m.BROUGHT_HOME), person)
        for each in spent:
            about = (
                each.name,
                pretty(Card(each.card)) if each.card in PACK else each.card,
                str(deck_name(plan, state, player.seat)),
            )
            yield Payment(player.name, -each.price, Reason(m.BOUGHT, about), person)


# Prompts on the screen


def is_closing(plan: PagePlan, state: DescribedTable) -> bool:
    """Return True if the game is over but not sealed, and the page has questions or there is something to store."""
    return not state.sealed and has_ceremony(plan, state)


def has_ceremony(plan: PagePlan, state: DescribedTable) -> bool:
    """Return True if the game is over, sealed or not, and the page has questions or there is something to store."""
    return bool(state.outcome) and (bool(plan.page.after) or _leaves_something(plan, state))


def _leaves_something(plan: PagePlan, state: DescribedTable) -> bool:
    return bool(recorded_seats(state)) or any(keeps_purse(plan, state, player.seat) for player in state.players)


def steps(plan: PagePlan, state: DescribedTable) -> tuple[tuple[RoundStep, ...], str]:
    """Return the questions as steps, and the name of the present one."""
    still_open = next(open_questions(plan, state), None)
    named = (
        *(RoundStep(each.name, plan.texts.title(each.name)) for each in plan.page.after),
        RoundStep("seal", phrase_in("step", "Seal")),
    )
    present = SEALED if state.sealed else still_open.question.name if still_open else "seal"
    return (*named, RoundStep(SEALED, phrase_in("step", "Sealed"))), present


def _can_answer(plan: PagePlan, state: DescribedTable, open_question: OpenQuestion) -> bool:
    """Return True if a player can give an answer other than “nothing”."""
    question, player = open_question
    book, borne, torn = plan.book, state.borne.get(player.seat, ()), state.torn.get(player.seat, ())
    match question.kind:
        case "inscribe" | "buy":
            return any(
                not book.inscription_error(each, card, borne, torn)
                for each in _offered_inscriptions(plan, player, question)
                for card in book.cards
            )
        case "cross-out":
            return book.decks.cross_out and bool(borne)
        case "tear-up":
            return book.decks.tear_up and len(torn) < len(book.cards)
        case "take-home":
            return any(True for _ in _left_to_take(state))
        case "do":
            return False
        case "finish" | "open" | "unlock":
            return any(True for _ in campaign.offered(plan, state, question.kind))
    return True


def _offered_inscriptions(plan: PagePlan, player: DescribedPlayer, question: After) -> Iterator[InscriptionDefinition]:
    """Yield the inscriptions that a player can choose: of the question's tiers, and affordable if they are bought."""
    for each in plan.book.decks.inscriptions:
        if question.tier and each.tier not in question.tier:
            continue
        if question.kind == "inscribe" or (each.price is not None and each.price <= _purse_of(plan, player)):
            yield each


def _purse_of(plan: PagePlan, player: DescribedPlayer) -> int:
    return int(player.figures.get(plan.page.purse.counter, 0)) if plan.page.purse else -1


def _left_to_take(state: DescribedTable) -> Iterator[DescribedPlayer]:
    """Yield the players whose decks have no new home yet."""
    return (each for each in state.players if is_stored(state, each.seat) and each.seat not in state.homes.values())


def prompts(plan: PagePlan, state: DescribedTable) -> Iterator[Prompt]:
    """Yield the first open question for each of its seats, and the seal once no required answer is missing.

    Later questions are not prompted for yet, though a line may answer them.
    """
    still_open = [*open_questions(plan, state)]
    for at, each in enumerate(still_open):
        if each.question is still_open[0].question:
            yield _prompt(plan, state, each, due=not at)
    if not state.sealed and _leaves_something(plan, state) and not any(each.question.must for each in still_open):
        ended = outcomes.describe_outcome(state, state.outcome or "")
        text = joined(" ", (ended, phrase("Write the game into the records?")))
        yield Prompt(text, draft(table.SealMatch), due=not still_open)


def _prompt(plan: PagePlan, state: DescribedTable, open_question: OpenQuestion, *, due: bool) -> Prompt:
    question, player = open_question
    text = joined(": ", (player.name, question.ask))
    nothing = _DONE.get(question.kind, _NOTHING)
    answered = draft(do.Answered, nothing, seat=player.seat, question=question.name).with_title(nothing)
    if not _can_answer(plan, state, open_question):
        return Prompt(text, answered, player.seat, due=due)
    others = () if question.must and question.kind not in _SEVERAL else (answered,)
    if question.kind == "retire":
        retire = draft(do.Retire, phrase("It retires"), seat=player.seat)
        if question.must:
            return Prompt(text, retire, player.seat, due=due)
        return Prompt(text, answered, player.seat, due=due, others=(retire,))
    if proposed := _proposed_count(plan, state, open_question):
        return Prompt(text, proposed[0], _asked_seat(player), due=due, others=(*proposed[1:], *others))
    if question.kind == "take-home":
        owners = sorted(_left_to_take(state), key=lambda other: other.seat != player.seat)
        first, *more = (
            draft(do.TakeHome, deck_name(plan, state, owner.seat), seat=player.seat, owner=owner.seat)
            for owner in owners
        )
        return Prompt(text, first, player.seat, due=due, others=(*more, *others))
    action = do.BY_KIND[question.kind]
    given: dict[str, Any] = {"seat": player.seat} if "seat" in action.__struct_fields__ else {}
    if question.kind == "count":
        given["figure"] = question.counts
    order = ("inscription", "card") if question.kind in ("inscribe", "buy") else ()
    note = _answer_note(question.kind, plan.book.inscription_word)
    answer = Draft(action, given, note, order=order)
    if question.kind == "finish" and state.campaign.scenario in campaign.offered(plan, state, "finish"):
        played = state.campaign.scenario
        done = draft(
            do.FinishScenario, phrase("{title} is done", title=plan.book.campaign.title(played)), scenario=played
        )
        return Prompt(text, done, due=due, others=(answer, *others))
    return Prompt(text, answer, _asked_seat(player), due=due, others=others)


def _asked_seat(player: DescribedPlayer) -> str:
    """Return the seat that a prompt is for; "" if the whole table is asked."""
    return "" if player.seat == CAMPAIGN else player.seat


def _proposed_count(plan: PagePlan, state: DescribedTable, open_question: OpenQuestion) -> tuple[Draft, ...]:
    """Return the answers that take a figure from a counter: its value, or another number; empty without a counter."""
    question, player = open_question
    action: type[Action]
    given: dict[str, Any]
    before = state.campaign.figures.get(question.counts, 0)
    if question.kind == "figure":
        action, given = do.SetCampaignFigure, {"figure": question.counts}
        number = campaign.figures_after(plan, state).get(question.counts, before)
    elif question.kind == "count" and question.source and player.seat != CAMPAIGN:
        action, given = do.CountOn, {"seat": player.seat, "figure": question.counts}
        number = max(0, int(player.figures.get(question.source, 0)))
    else:
        return ()
    is_counted = question.kind == "count" or bool(_counter_of(plan, question.counts))
    if is_counted:
        note = phrase("{number}, as the table says", number=figure(number))
    else:
        note = phrase("{number}, as before", number=figure(number))
    return draft(action, note, **given, number=number), Draft(action, given, phrase("Another number"))


def _counter_of(plan: PagePlan, word: str) -> str:
    """Return the counter of the table that has a figure of the campaign; an empty string if none has it."""
    figures = plan.book.campaign.definition.figures
    return figures[word].counter if word in figures else ""


# Translators: answers to a question after the game.
_MORE: Final = phrase("Nothing more")
_DONE: Final[Mapping[str, Message]] = {"do": phrase("Done"), "buy": _MORE, "open": _MORE, "unlock": _MORE}
_NOTHING: Final = phrase_in("answer", "Nothing")


def _answer_note(kind: str, inscription: Text) -> Message:
    """Return what is chosen for the answer to a question; `inscription` is the page's word."""
    match kind:
        case "inscribe":
            return phrase("Choose the {inscription} and the card that it goes on", inscription=inscription)
        case "buy":
            return phrase("Choose the {inscription} to buy and the card that it goes on", inscription=inscription)
        case "cross-out":
            return phrase("Choose the card and the {inscription} to cross out", inscription=inscription)
        case "tear-up":
            return phrase("Choose the card to tear up, for ever")
        case "count" | "figure":
            return phrase("Say how many")
        case "finish":
            return phrase("Choose the scenario that is done")
        case "open":
            return phrase("Choose a scenario that is open from now on")
        case "unlock":
            return phrase("Choose what is unlocked")
    return phrase("Tell it")


def candidates(plan: PagePlan, state: DescribedTable, answer: Draft, field: str) -> Candidates | None:
    """Return the possible values of a field of an answer; None if its type implies them."""
    action, seat = answer.action, str(answer.given.get("seat", ""))
    if issubclass(action, do.Answered) and field == "question":
        return tuple(Choice(each.name, plan.texts.title(each.name), each.ask) for each in plan.page.after)
    if chosen := campaign.campaign_candidates(plan, state, action, field):
        return chosen
    if issubclass(action, do.CountOn) and field == "figure":
        counts = plan.book.decks.counts
        return tuple(Choice(word, plan.texts.name(title) or plan.texts.title(word)) for word, title in counts.items())
    if issubclass(action, do.TellStory) and field == "text":
        return Open(phrase("a sentence"), "…")
    if field == "card":
        return tuple(_cards(plan.book, state, answer, seat))
    if field == "inscription":
        return tuple(_inscriptions(plan, state, answer, seat))
    if issubclass(action, do.Bears) and field == "name":
        return Open(phrase("what it is called"), "…")
    return None


def _cards(book: DescribedBook, state: DescribedTable, answer: Draft, seat: str) -> Iterator[Choice]:
    """Yield the cards with their inscriptions as notes; to cross out, only cards with inscriptions."""
    borne = state.borne.get(seat, ())
    torn = state.torn.get(seat, ())
    for card in dict.fromkeys((*book.cards, *(each.card for each in borne))):
        there = [book.texts.name(each.name) for each in borne if each.card == card]
        if card in torn or (issubclass(answer.action, do.CrossOut) and not there):
            continue
        yield Choice(card_word(card), book.card_title(card), listed(there) if there else "")


def _inscriptions(plan: PagePlan, state: DescribedTable, answer: Draft, seat: str) -> Iterator[Choice]:
    if issubclass(answer.action, do.CrossOut):
        card = str(answer.given.get("card", ""))
        there = [each for each in state.borne.get(seat, ()) if not card or card_word(each.card).lower() == card.lower()]
        say = plan.texts.name
        yield from (Choice(handle(each.name), say(each.name), say(each.text)) for each in there)
        return
    player = next((player for player in state.players if player.seat == seat), None)
    kind = "buy" if issubclass(answer.action, do.BuyInscription) else "inscribe"
    for question in (question for question in plan.page.after if player and question.kind == kind):
        for each in _offered_inscriptions(plan, player, question) if player else ():
            tier = plan.book.tier(each.tier)
            price = phrase("costs {price}", price=str(each.price)) if kind == "buy" else ""
            about = [part for part in (tier.title if tier else "", price, plan.texts.name(each.text)) if part]
            yield Choice(handle(each.name), plan.texts.name(each.name), joined(" · ", about) if about else "")
