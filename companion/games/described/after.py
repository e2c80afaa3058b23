"""After the game: what a page asks, question by question and seat by seat, up to the seal that writes all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from companion.games.described import deck_lines as do
from companion.games.described import effects
from companion.games.described import records as m
from companion.games.described.book import Book, card_title, card_word, read_borne
from companion.games.described.context import Context
from companion.games.described.description import After, Inscription, title_of
from companion.games.described.plan import Plan
from companion.games.described.records import Borne
from companion.games.described.state import Player, Spent, Table
from companion.tabletop.action import Action, DeckId, NotationError, RuleError
from companion.tabletop.choices import Candidates, Choice, Open
from companion.tabletop.constructed import table
from companion.tabletop.constructed.table import Brought, is_stored, recorded_seats
from companion.tabletop.decklist import handle
from companion.tabletop.match_result import MatchResult
from companion.tabletop.records import Mark, Payment, Reason
from companion.tabletop.stored_decks import leave_out, tell_left_out
from companion.tabletop.table import Draft, Prompt, RoundStep, draft
from companion.tabletop.text import quoted

SEALED: Final = "sealed"
"""The step behind the last question."""

_OF_DECKS: Final = frozenset({"inscribe", "buy", "cross-out", "tear-up", "take-home", "count", "text"})


class OpenQuestion(NamedTuple):
    """A question that somebody has not answered yet."""

    question: After
    player: Player


# Who is asked what.


def open_questions(plan: Plan, state: Table) -> Iterator[OpenQuestion]:
    """What is still asked, one question after the other and seat by seat."""
    if state.outcome is None or state.sealed:
        return
    for question in plan.page.after:
        done = state.answered.get(question.name, ())
        for player in _concerned(state, question):
            if player.seat not in done:
                yield OpenQuestion(question, player)


def _concerned(state: Table, question: After) -> Iterator[Player]:
    """Whom a question concerns; of what is written on decks only who has a stored one."""
    won = {player.seat for player in who_won(state)}
    for player in state.players:
        if question.kind in _OF_DECKS and not is_stored(state, player.seat):
            continue
        match question.who:
            case "each":
                fits = True
            case "winner":
                fits = player.seat in won
            case "losers":
                fits = player.seat not in won and state.outcome != "draw"
            case token:
                fits = state.tokens.get(token) == player.seat
        if fits:
            yield player


def who_won(state: Table) -> tuple[Player, ...]:
    """Who has won: a seat, several, a team, or all together."""
    outcome = state.outcome or ""
    return state.players if outcome == "win" else effects.winners(state, outcome)


def _question(plan: Plan, state: Table, seat: str, kind: str, tier: str | None = None) -> After:
    """The question that a line of a kind answers. Raises RuleError where nobody asks that now."""
    still_open = [
        each for each in open_questions(plan, state) if each.player.seat == seat and each.question.kind == kind
    ]
    for each in still_open:
        if tier is None or not each.question.tier or tier in each.question.tier:
            return each.question
    name = state.player(seat).name
    if still_open:
        raise RuleError(f"{name} can choose among {', '.join(still_open[0].question.tier)} here.")
    if not any(question.kind == kind for question in plan.page.after):
        raise RuleError(f"{plan.page.title} asks nobody after the game for `{kind}`.")
    if not is_stored(state, seat):
        raise RuleError(f"{name} has no stored {_called(plan)} here, so nothing is written down of it.")
    raise RuleError(f"{name} is not asked that, or has answered it; `undo` takes an answer back.")


def _called(plan: Plan) -> str:
    return plan.page.decks.called if plan.page.decks else "deck"


def check(state: Table, action: Action) -> None:
    """Raises RuleError where the game goes on, or is sealed."""
    if state.sealed:
        raise RuleError("This game is sealed; nothing more can be done in it.")
    if state.outcome is None:
        raise RuleError(f"`{action.verb()}` comes after the game, which goes on.")


def carry_out(context: Context, action: Action) -> None:
    """An answer. What was decided about the end stays so, whatever is paid for now. Raises RuleError."""
    check(context.resolution.state, action)
    context.resolution.state.player(getattr(action, "seat", ""))
    context.resolution.change(agreed=context.resolution.state.outcome)
    _RULES[type(action)](context, action)


def _answer(context: Context, question: After, seat: str) -> None:
    state = context.resolution.state
    done = (*state.answered.get(question.name, ()), seat)
    context.resolution.change(answered={**state.answered, question.name: done})


def _write(context: Context, seat: str, mark: Mark) -> None:
    state = context.resolution.state
    context.resolution.change(written={**state.written, seat: (*state.written.get(seat, ()), mark)})


# The answers.


def _card(context: Context, seat: str, word: str) -> str:
    """The card of a deck that a word names: one of the page, or of an earlier edition, on which something stands.

    Raises RuleError.
    """
    state = context.resolution.state
    try:
        return context.plan.book.card(word)
    except NotationError as error:
        earlier = (*(each.card for each in state.borne.get(seat, ())), *state.torn.get(seat, ()))
        if (card := next((card for card in earlier if handle(card) == handle(word)), None)) is not None:
            return card
        raise RuleError(str(error)) from None


def _inscription(book: Book, word: str) -> Inscription:
    try:
        return book.inscription(word)
    except NotationError as error:
        raise RuleError(str(error)) from None


def _inscribe(context: Context, action: do.Inscribe | do.Buy) -> None:
    state, plan, bought = context.resolution.state, context.plan, isinstance(action, do.Buy)
    book = plan.book
    seat, card, inscription = (
        action.seat,
        _card(context, action.seat, action.card),
        _inscription(book, action.inscription),
    )
    question = _question(plan, state, seat, "buy" if bought else "inscribe", inscription.tier)
    player = state.player(seat)
    if why := book.misfit(inscription, card, state.borne.get(seat, ()), state.torn.get(seat, ())):
        raise RuleError(f"{why}.")
    price = 0
    if bought:
        price = _price(plan, player, inscription)
        assert plan.page.purse is not None
        purse = plan.page.purse.counter
        plan.write(context.resolution, "seat", seat, purse, _purse(plan, player) - price)
        spent = Spent(seat, price, inscription.name, card)
        context.resolution.change(spent=(*context.resolution.state.spent, spent))
    else:
        _answer(context, question, seat)
    borne = book.bearing(inscription, card)
    context.resolution.change(borne={**state.borne, seat: (*state.borne.get(seat, ()), borne)})
    _write(
        context,
        seat,
        m.Inscribed(
            card, borne.number, borne.name, borne.text, borne.tier, "bought" if bought else "given", player.name, price
        ),
    )
    paid = f" for {price}" if bought else ""
    says = f": {borne.text}" if borne.text else ""
    context.resolution.tell(
        f"{player.name}: stick {borne.name} on {card_title(card)} of {deck_name(plan, state, seat)}{paid}{says}",
        seat,
        by_hand=True,
        lasting=True,
    )


def _price(plan: Plan, player: Player, inscription: Inscription) -> int:
    """What an inscription costs. Raises RuleError where it is not for sale, or costs more than somebody has."""
    if inscription.price is None or plan.page.purse is None:
        raise RuleError(f"{inscription.name} is not for sale.")
    have = _purse(plan, player)
    if have < inscription.price:
        raise RuleError(f"{inscription.name} costs {inscription.price}, and {player.name} has {have}.")
    return inscription.price


def _cross_out(context: Context, action: do.CrossOut) -> None:
    state, seat = context.resolution.state, action.seat
    card = _card(context, seat, action.card)
    if not context.plan.book.decks.cross_out:
        raise RuleError(f"Nothing that is written on a card is crossed out in {context.plan.page.title}.")
    borne = read_borne(state.borne.get(seat, ()), card, action.inscription)
    _answer(context, _question(context.plan, state, seat, "cross-out"), seat)
    left = m.without(state.borne[seat], card, borne.number)
    context.resolution.change(borne={**state.borne, seat: left})
    player = state.player(seat)
    _write(context, seat, m.CrossedOut(card, borne.number, borne.name, player.name))
    context.resolution.tell(
        f"{player.name}: cross out {borne.name} on {card_title(card)}.", seat, by_hand=True, lasting=True
    )


def _tear_up(context: Context, action: do.TearUp) -> None:
    state, seat, book = context.resolution.state, action.seat, context.plan.book
    card = _card(context, seat, action.card)
    question = _question(context.plan, state, seat, "tear-up")
    if not book.decks.tear_up:
        raise RuleError(f"No card of a {book.decks.called} is torn up in {context.plan.page.title}.")
    if card in state.torn.get(seat, ()):
        raise RuleError(f"{card_title(card)} is torn up already.")
    _answer(context, question, seat)
    left = tuple(each for each in state.borne.get(seat, ()) if each.card != card)
    context.resolution.change(
        borne={**state.borne, seat: left}, torn={**state.torn, seat: (*state.torn.get(seat, ()), card)}
    )
    player = state.player(seat)
    _write(context, seat, m.TornUp(card, player.name))
    context.resolution.tell(f"{player.name}: tear {card_title(card)} up, for ever.", seat, by_hand=True, lasting=True)


def _take_home(context: Context, action: do.TakeHome) -> None:
    state = context.resolution.state
    player, owner = state.player(action.seat), state.player(action.owner)
    question = _question(context.plan, state, player.seat, "take-home")
    if not is_stored(state, owner.seat):
        raise RuleError(f"{owner.name} has no stored {_called(context.plan)} here that somebody could take home.")
    if other := next((seat for seat, home in state.homes.items() if home == owner.seat), ""):
        raise RuleError(f"{state.player(other).name} takes that one home already.")
    _answer(context, question, player.seat)
    kept = tuple(seat for seat in state.kept_by_holder if seat != owner.seat)
    context.resolution.change(homes={**state.homes, player.seat: owner.seat}, kept_by_holder=kept)
    context.resolution.tell(
        f"{player.name} takes {deck_name(context.plan, state, owner.seat)} home.", player.seat, by_hand=True
    )


def _count(context: Context, action: do.CountOn) -> None:
    state, seat = context.resolution.state, action.seat
    still_open = [each.question for each in open_questions(context.plan, state) if each.player.seat == seat]
    figures = [question.counts for question in still_open if question.kind == "count"]
    if action.figure not in figures:
        question = _question(context.plan, state, seat, "count")
        raise RuleError(f"{quoted(action.figure)} is not what is asked here; that is {question.counts}.")
    question = next(each for each in still_open if each.kind == "count" and each.counts == action.figure)
    _answer(context, question, seat)
    title = title_of(action.figure, context.plan.book.decks.counts.get(action.figure, ""))
    player = state.player(seat)
    if action.number:
        _write(context, seat, m.Counted(action.figure, title, action.number, player.name))
    context.resolution.tell(f"{player.name}: {title} {action.number} more.", seat)


def _tell(context: Context, action: do.Tell) -> None:
    state, seat = context.resolution.state, action.seat
    _answer(context, _question(context.plan, state, seat, "text"), seat)
    player = state.player(seat)
    _write(context, seat, m.Tale(action.text, player.name))
    context.resolution.tell(f"{player.name}: “{action.text}”", seat)


def _answered(context: Context, action: do.Answered) -> None:
    plan, state, seat = context.plan, context.resolution.state, action.seat
    still_open = [each for each in open_questions(plan, state) if each.player.seat == seat]
    question = next((each.question for each in still_open if each.question.name == action.question), None)
    player = state.player(seat)
    if question is None:
        names = ", ".join(each.question.name for each in still_open) or "nothing"
        raise RuleError(f"{player.name} is not asked {quoted(action.question)} now; what is asked: {names}.")
    asks_for_something = question.must and question.kind not in ("do", "buy")
    if asks_for_something and _can_answer(plan, state, OpenQuestion(question, player)):
        raise RuleError(f"{player.name} has to answer: {question.ask}")
    _answer(context, question, seat)
    context.resolution.tell(f"{player.name}: {title_of(question.name)}, done.", seat)


_RULES: Final[Mapping[type[Action], Callable[[Context, Any], None]]] = {
    do.Inscribe: _inscribe,
    do.Buy: _inscribe,
    do.CrossOut: _cross_out,
    do.TearUp: _tear_up,
    do.TakeHome: _take_home,
    do.CountOn: _count,
    do.Tell: _tell,
    do.Answered: _answered,
}


# As decks and purses come to the table.


def bear(context: Context, action: do.Bears) -> None:
    """A card of a deck that is brought bears this already. Raises RuleError where it is no card of such decks."""
    state, seat = context.resolution.state, state_seat(context, action.seat)
    borne = Borne(_brought_card(context, seat, action.card), action.number, action.name, action.text)
    context.resolution.change(borne={**state.borne, seat: (*state.borne.get(seat, ()), borne)})


def _brought_card(context: Context, seat: str, word: str) -> str:
    """A card as a line brings it. A deck of an earlier edition may have one that this page does not have: it stays."""
    try:
        return context.plan.book.card(word)
    except NotationError as error:
        context.resolution.tell(f"{error} It is kept as it is.", seat)
        return word


def lack(context: Context, action: do.Lacks) -> None:
    """A card of a deck that is brought is torn up."""
    state, seat = context.resolution.state, state_seat(context, action.seat)
    torn = (*state.torn.get(seat, ()), _brought_card(context, seat, action.card))
    context.resolution.change(torn={**state.torn, seat: torn})


def bring_purse(context: Context, action: do.BringPurse) -> None:
    """Somebody brings a purse, which their counter begins with."""
    state, seat = context.resolution.state, state_seat(context, action.seat)
    context.resolution.change(purses={**state.purses, seat: action.amount})
    purse, page = context.plan.page.purse, context.plan.page
    assert purse is not None
    title = purse.title or title_of(purse.counter, page.counters[purse.counter].title)
    context.resolution.tell(f"{state.player(seat).name} brings: {title} {action.amount}.", seat)


def state_seat(context: Context, seat: str) -> str:
    """A seat at which somebody sits. Raises RuleError."""
    return context.resolution.state.player(seat).seat


BROUGHT: Final[Mapping[type[Action], Callable[[Context, Any], None]]] = {
    do.Bears: bear,
    do.Lacks: lack,
    do.BringPurse: bring_purse,
}


def read_anew(context: Context, seat: str, lines: Sequence[Action]) -> None:
    """Put the deck and the purse of a seat as these lines bring them, and do to the deck again what was done here."""
    resolution = context.resolution
    state = resolution.state
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
    """Have somebody bring more, or less, than they did: once the game has begun, their counter began with that."""
    state, purse = context.resolution.state, context.plan.page.purse
    if purse is None or not more or not state.has_begun:
        return
    player = state.player(seat)
    figures = {**player.figures, purse.counter: int(player.figures.get(purse.counter, 0)) + more}
    context.resolution.update_player(seat, figures=figures)


def _is_done_again(context: Context, seat: str, mark: Mark) -> bool:
    """Do to a deck that was read anew what a mark says; False, and said, where that is not true any more."""
    resolution, state = context.resolution, context.resolution.state
    borne, torn = state.borne[seat], state.torn[seat]
    why = stale(mark, borne, torn, deck_name(context.plan, state, seat))
    if why:
        leave_out(resolution, seat, why)
        return False
    match mark:
        case m.Inscribed():
            resolution.change(borne={**state.borne, seat: (*borne, mark.borne)})
        case m.CrossedOut():
            resolution.change(borne={**state.borne, seat: m.without(borne, mark.card, mark.number)})
        case m.TornUp():
            left = tuple(each for each in borne if each.card != mark.card)
            resolution.change(borne={**state.borne, seat: left}, torn={**state.torn, seat: (*torn, mark.card)})
    return True


def stale(mark: Mark, borne: Sequence[Borne], torn: Sequence[str], name: str) -> str:
    """Why a mark is not true any more of a deck that bears this; "" where it is."""
    match mark:
        case m.CrossedOut(card, number, called) if all((each.card, each.number) != (card, number) for each in borne):
            return f"{called} on {card_title(card)} of {name} was crossed out already."
        case m.TornUp(card) if card in torn:
            return f"{card_title(card)} of {name} was torn up already."
        case m.Inscribed(card, _, called) if card in torn:
            return f"{called} on {card_title(card)} of {name}, as that card is torn up."
    return ""


def deck_name(plan: Plan, state: Table, seat: str) -> str:
    """What people call the deck before a seat."""
    called = state.brought.get(seat, Brought()).called
    return called or f"{state.player(seat).name}'s {_called(plan)}"


# The seal.


def seal(context: Context) -> None:
    """Write everything at once. Raises RuleError before the game is over, and where something must be answered."""
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    if not state.outcome:
        raise RuleError("`seal` comes after the game, and nobody has won yet; `won SEAT` or `draw-agreed` ends it.")
    if must := next((each for each in open_questions(plan, state) if each.question.must), None):
        raise RuleError(f"{must.player.name} has to answer first: {must.question.ask}")
    resolution.change(sealed=True, agreed=state.outcome)
    tell_left_out(resolution)
    for seat in recorded_seats(state):
        resolution.tell(f"{deck_name(plan, state, seat)}: the game stands in its record.", seat)
    if plan.page.decks and plan.page.decks.box:
        resolution.tell(plan.page.decks.box, by_hand=True)


def new_holders(state: Table) -> Mapping[str, tuple[str, str]]:
    """Who takes a deck home that somebody else brought, by the seat that did: the name, and the person's id or ""."""
    return {
        owner: (state.player(seat).name, state.persons.get(seat, ""))
        for seat, owner in state.homes.items()
        if owner not in state.kept_by_holder
        and (owner != seat or state.held_elsewhere.get(owner, state.player(seat).name) != state.player(seat).name)
    }


def marks(state: Table, result: MatchResult) -> dict[DeckId, tuple[Mark, ...]]:
    """What a sealed game writes into the records of its inscribed decks."""
    written: dict[DeckId, tuple[Mark, ...]] = {}
    holders = new_holders(state)
    for one in result.players:
        if not one.deck:
            continue
        others = tuple(other.name for other in result.players if other is not one)
        played = m.Played(one.name, one.result, others, state.rounds, one.person, one.final)
        home = (m.HandedOn(*holders[one.seat]),) if one.seat in holders else ()
        written[one.deck] = (played, *state.written.get(one.seat, ()), *home)
    return written


def keeps_purse(plan: Plan, state: Table, seat: str) -> bool:
    """Whether what somebody has left goes home with them: of who is known, by a stored deck or an id."""
    return plan.page.purse is not None and (is_stored(state, seat) or bool(state.persons.get(seat)))


def payments(plan: Plan, state: Table) -> Iterator[Payment]:
    """What a sealed game puts into purses and takes out of them: what was brought home, and what was bought."""
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
            about = (each.name, card_title(each.card), deck_name(plan, state, player.seat))
            yield Payment(player.name, -each.price, Reason(m.BOUGHT, about), person)


# What is asked on the screen.


def is_closing(plan: Plan, state: Table) -> bool:
    """Whether the game is over, and something of it is still to be asked or written."""
    return bool(state.outcome) and not state.sealed and (bool(plan.page.after) or _leaves_something(plan, state))


def _leaves_something(plan: Plan, state: Table) -> bool:
    return bool(recorded_seats(state)) or any(keeps_purse(plan, state, player.seat) for player in state.players)


def steps(plan: Plan, state: Table) -> tuple[tuple[RoundStep, ...], str]:
    """The questions as steps, and the one that is asked now."""
    still_open = next(open_questions(plan, state), None)
    named = (*(RoundStep(each.name, title_of(each.name)) for each in plan.page.after), RoundStep("seal", "Seal"))
    return (*named, RoundStep(SEALED, "Sealed")), still_open.question.name if still_open else "seal"


def _can_answer(plan: Plan, state: Table, open_question: OpenQuestion) -> bool:
    """Whether there is anything that somebody could answer besides that it is nothing."""
    question, player = open_question
    book, borne, torn = plan.book, state.borne.get(player.seat, ()), state.torn.get(player.seat, ())
    match question.kind:
        case "inscribe" | "buy":
            return any(
                not book.misfit(each, card, borne, torn)
                for each in _offered(plan, player, question)
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
    return True


def _offered(plan: Plan, player: Player, question: After) -> Iterator[Inscription]:
    """The inscriptions that somebody can choose: of the tiers that are asked, and where they are bought, affordable."""
    for each in plan.book.decks.inscriptions:
        if question.tier and each.tier not in question.tier:
            continue
        if question.kind == "inscribe" or (each.price is not None and each.price <= _purse(plan, player)):
            yield each


def _purse(plan: Plan, player: Player) -> int:
    return int(player.figures.get(plan.page.purse.counter, 0)) if plan.page.purse else -1


def _left_to_take(state: Table) -> Iterator[Player]:
    """Whose decks nobody takes home yet."""
    return (each for each in state.players if is_stored(state, each.seat) and each.seat not in state.homes.values())


def prompts(plan: Plan, state: Table) -> Iterator[Prompt]:
    """The first open question, of each seat that it concerns; and the seal, once nothing must be answered.

    Questions that come later are not asked yet, though a line may answer them.
    """
    still_open = [*open_questions(plan, state)]
    for at, each in enumerate(still_open):
        if each.question is still_open[0].question:
            yield _prompt(plan, state, each, due=not at)
    if not state.sealed and _leaves_something(plan, state) and not any(each.question.must for each in still_open):
        ended = effects.describe_outcome(state, state.outcome or "")
        yield Prompt(f"{ended} Write the game into the records?", draft(table.Seal), due=not still_open)


def _prompt(plan: Plan, state: Table, open_question: OpenQuestion, *, due: bool) -> Prompt:
    question, player = open_question
    text = f"{player.name}: {question.ask}"
    done = {"do": "Done", "buy": "Nothing more"}.get(question.kind, "Nothing")
    answered = draft(do.Answered, done, seat=player.seat, question=question.name)
    if not _can_answer(plan, state, open_question):
        return Prompt(text, answered, player.seat, due=due)
    others = () if question.must and question.kind != "buy" else (answered,)
    if question.kind == "take-home":
        owners = sorted(_left_to_take(state), key=lambda other: other.seat != player.seat)
        first, *more = (
            draft(do.TakeHome, deck_name(plan, state, owner.seat), seat=player.seat, owner=owner.seat)
            for owner in owners
        )
        return Prompt(text, first, player.seat, due=due, others=(*more, *others))
    given: dict[str, Any] = {"seat": player.seat}
    if question.kind == "count":
        given["figure"] = question.counts
    order = ("inscription", "card") if question.kind in ("inscribe", "buy") else ()
    note = _NOTES[question.kind].format(plan.book.called)
    return Prompt(text, Draft(do.BY_KIND[question.kind], given, note, order=order), player.seat, due=due, others=others)


_NOTES: Final = {
    "inscribe": "Choose a {}, and the card that it goes on",
    "buy": "Choose a {} to buy, and the card that it goes on",
    "cross-out": "Choose the card, and the {} that is crossed out",
    "tear-up": "Choose the card that is torn up, for ever",
    "count": "Say how many",
    "text": "Tell it",
}


def candidates(plan: Plan, state: Table, answer: Draft, field: str) -> Candidates | None:
    """What might stand in a field of an answer; None where its kind says it."""
    action, seat = answer.action, str(answer.given.get("seat", ""))
    if issubclass(action, do.Answered) and field == "question":
        return tuple(Choice(each.name, title_of(each.name), each.ask) for each in plan.page.after)
    if issubclass(action, do.CountOn) and field == "figure":
        return tuple(Choice(word, title_of(word, title)) for word, title in plan.book.decks.counts.items())
    if issubclass(action, do.Tell) and field == "text":
        return Open("a sentence", "…")
    if field == "card":
        return tuple(_cards(plan.book, state, answer, seat))
    if field == "inscription":
        return tuple(_inscriptions(plan, state, answer, seat))
    if issubclass(action, do.Bears) and field == "name":
        return Open("what it is called", "…")
    return None


def _cards(book: Book, state: Table, answer: Draft, seat: str) -> Iterator[Choice]:
    """The cards, each with what it bears; only those that bear something where that is crossed out."""
    borne = state.borne.get(seat, ())
    torn = state.torn.get(seat, ())
    for card in dict.fromkeys((*book.cards, *(each.card for each in borne))):
        there = ", ".join(each.name for each in borne if each.card == card)
        if card in torn or (issubclass(answer.action, do.CrossOut) and not there):
            continue
        yield Choice(card_word(card), card_title(card), there)


def _inscriptions(plan: Plan, state: Table, answer: Draft, seat: str) -> Iterator[Choice]:
    if issubclass(answer.action, do.CrossOut):
        card = str(answer.given.get("card", ""))
        there = [each for each in state.borne.get(seat, ()) if not card or card_word(each.card).lower() == card.lower()]
        yield from (Choice(handle(each.name), each.name, each.text) for each in there)
        return
    player = next((player for player in state.players if player.seat == seat), None)
    kind = "buy" if issubclass(answer.action, do.Buy) else "inscribe"
    for question in (question for question in plan.page.after if player and question.kind == kind):
        for each in _offered(plan, player, question) if player else ():
            tier = plan.book.tier(each.tier)
            price = f"costs {each.price}" if kind == "buy" else ""
            about = (tier.title if tier else "", price, each.text)
            yield Choice(handle(each.name), each.name, " · ".join(filter(None, about)))
