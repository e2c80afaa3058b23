"""The view of a described game's table, and its prompts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final

from msgspec.structs import replace

from companion.games.described.page import actions as do
from companion.games.described.page import deck_lines
from companion.games.described.page.amount_texts import describe_costs
from companion.games.described.page.book import DescribedBook, card_word
from companion.games.described.page.campaign import CAMPAIGN, CampaignBook
from companion.games.described.page.conditions import waits_for_others
from companion.games.described.page.description import (
    SEAT,
    TABLE,
    TEAM,
    KindDefinition,
    Own,
    Pool,
    StepDefinition,
    title_of,
)
from companion.games.described.page.texts import several
from companion.games.described.records import OPEN, UNLOCKED, Borne
from companion.games.described.rules import after, asking, effects, outcomes, score_sheet, turns
from companion.games.described.rules.amounts import start_of
from companion.games.described.rules.campaign import figures_now
from companion.games.described.rules.context import Context, find_team, value_of
from companion.games.described.rules.plan import SETUP, PagePlan
from companion.games.described.rules.state import (
    CampaignAtTable,
    DescribedPlayer,
    DescribedTable,
    DescribedTeam,
    Piece,
    Resolution,
)
from companion.games.described.score_sums import RowSum
from companion.games.page_text import Unfinished
from companion.tabletop.constructed.table import Brought, Match, SeatPlayer, before_begin, offers_before_begin
from companion.tabletop.notation.line_texts import VerbTitle
from companion.tabletop.table import rule_questions
from companion.tabletop.table.common_actions import Begin, Concede, DrawAgreed, Next, Set
from companion.tabletop.table.counters import Gauge
from companion.tabletop.table.display import Bearer, Display, counters
from companion.tabletop.table.house_rules import DRAW_ONE
from companion.tabletop.table.table import (
    CardWork,
    Draft,
    Explanation,
    Prompt,
    RoundStep,
    ScoreRow,
    ScoreSheet,
    SeatView,
    TableView,
    TeamView,
    Thing,
    Zone,
    draft,
)
from companion.tabletop.text import figure, signed_figure
from templates.languages.messages import (
    Finished,
    Language,
    Message,
    Text,
    joined,
    listed,
    partition_subject,
    phrase,
    phrase_in,
    phrases,
    render_value,
)

_FEW: Final = 2
"""The number of figures of a thing that are displayed side by side without their names."""


class DescribedDisplay(Display[DescribedTable, DescribedPlayer]):
    """The display of a described game; see `companion.tabletop.table.display.Display`.

    `plan_of` returns the plan of a table, which depends on its house rules.
    """

    def __init__(self, plan_of: Any) -> None:
        self.plan_of = plan_of
        self._campaign_zone: tuple[CampaignAtTable, object, DescribedBook, Zone] | None = None

    def gauges_of_seats(self, state: DescribedTable) -> Sequence[Gauge[Any, Any]]:
        """Return the counters and flags of each seat, including those kept for each rival."""
        return self.plan_of(state).seat_gauges(state) if state.round else ()

    def gauges_of_table(self, state: DescribedTable) -> Sequence[Gauge[Any, Any]]:
        """Return the gauges of the table: rounds, the active seat, the outcome, and the page's own."""
        plan: PagePlan = self.plan_of(state)
        return plan.table_gauges if state.round else plan.gauges_before_begin

    def steps_of(self, state: DescribedTable) -> tuple[RoundStep, ...]:
        plan: PagePlan = self.plan_of(state)
        return plan.shown_steps

    def step_of(self, state: DescribedTable) -> str:
        """Return the present step."""
        return state.step if state.round else SETUP

    def flags(self, state: DescribedTable, person: DescribedPlayer) -> Iterator[Text]:
        """Yield the flags of a seat: out or active, its team, the tokens that it holds, and the page's flags."""
        plan: PagePlan = self.plan_of(state)
        if person.out:
            yield "out"
        elif state.at_turn == person.seat and not state.outcome:
            yield "active"
        if person.team:
            has_title = person.team <= len(plan.page.play.team_titles)
            yield plan.team_title(person.team) if has_title else phrase("team {number}", number=person.team)
        for token, seat in state.tokens.items():
            if seat == person.seat:
                yield title_of(token, plan.page.tokens[token].title)
        for name in plan.flags[SEAT]:
            if person.figures.get(name):
                yield plan.title(SEAT, name)
        for name in plan.flags[TEAM]:
            if state.teams and state.teams[person.team - 1].figures.get(name):
                yield plan.title(TEAM, name)

    def zones(self, state: DescribedTable) -> Iterator[Zone]:
        """Yield the table's own figures, the places in the middle, and the pools."""
        plan: PagePlan = self.plan_of(state)
        if state.round and plan.gauges[TABLE]:
            figures = counters(plan.gauges[TABLE], state, state)
            yield Zone(TABLE, "", (Thing(TABLE, phrase("The table"), figures, can_fall=False),))
        if state.teams and plan.team_gauges:
            yield Zone("teams", phrase("Teams"), tuple(_team(plan, state, team) for team in state.teams))
        if CAMPAIGN in state.brought or state.campaign.scenario:
            yield self._zone_of_campaign(plan, state)
        yield from self._places(plan, state, TABLE, "")
        if state.pools:
            pools = tuple(
                Thing(name, title_of(name, plan.page.pools[name].title), counters(plan.pool_gauges(name), None, pool))
                for name, pool in state.pools.items()
            )
            yield Zone("pools", phrase("To draw from"), pools)

    def _zone_of_campaign(self, plan: PagePlan, state: DescribedTable) -> Zone:
        """Return the zone of the campaign, which hardly ever changes during a game."""
        last = self._campaign_zone
        if last is None or last[0] is not state.campaign or last[1] is not state.written or last[2] is not plan.book:
            name = state.brought.get(CAMPAIGN, Brought()).called
            zone = _campaign_zone(plan.book.campaign, name, state.campaign, figures_now(plan, state))
            last = self._campaign_zone = (state.campaign, state.written, plan.book, zone)
        return last[3]

    def sheet(self, state: DescribedTable) -> ScoreSheet | None:
        """Return the score sheet, with the row of this round last."""
        plan: PagePlan = self.plan_of(state)
        page = plan.page.sheet
        if page is None or not state.round:
            return None
        written = joined("/", (score_sheet.column_title(plan, column) for column in page.columns))
        context = Context(plan, Resolution(state))
        sides = score_sheet.sheet_sides(plan, state)
        totals = [int(value_of(context, side, page.counts)) for side, _ in sides]
        names = tuple(name for _, name in sides)
        rows = tuple(_sheet_rows(plan, state))
        besides = _points_besides(plan, state, {side: total for (side, _), total in zip(sides, totals, strict=True)})
        short = [page.short.get(column) or score_sheet.column_title(plan, column) for column in page.columns]
        briefly = joined("/", short) if page.short else ""
        return ScoreSheet(phrase("Score sheet"), names, rows, tuple(map(figure, totals)), written, besides, briefly)

    def seat_view(self, state: DescribedTable, person: DescribedPlayer) -> SeatView:
        """Return one player's side of the table, titled with the name of the stored deck there."""
        seat = super().seat_view(state, person)
        deck = state.brought.get(person.seat)
        title = deck.called if deck and deck.called else seat.title
        return replace(seat, title=title, team=person.team) if title or person.team else seat

    def seat_zones(self, state: DescribedTable, person: DescribedPlayer) -> Iterator[Zone]:
        """Yield the places before a seat, and the inscriptions on the cards of its deck."""
        yield from self._places(self.plan_of(state), state, SEAT, person.seat)
        if state.borne or state.torn:
            book = self.plan_of(state).book
            borne, torn = state.borne.get(person.seat, ()), state.torn.get(person.seat, ())
            yield from _inscribed_zones(book, person.seat, borne, torn)

    def _places(self, plan: PagePlan, state: DescribedTable, of: str, owner: str) -> Iterator[Zone]:
        columns, is_named = 0, plan.has_several_places(of)
        for name, zone in plan.page.zones.items():
            if zone.of != of:
                continue
            here = [piece for piece in state.pieces if piece.zone == name and (of == TABLE or piece.owner == owner)]
            title = title_of(name, zone.title)
            for lane in range(1, zone.lanes + 1):
                things = tuple(self._thing(plan, state, piece) for piece in here if piece.lane == lane)
                lane_title = joined(" ", (title, str(lane))) if zone.lanes > 1 else title
                yield Zone(f"{name}-{lane}", lane_title, things, columns + lane, is_named)
            columns += zone.lanes
            if not zone.lanes:
                yield Zone(name, title, tuple(self._thing(plan, state, piece) for piece in here), 0, is_named)
        for kind, described in plan.page.things.items():
            loose = [piece for piece in state.pieces if piece.kind == kind and not piece.zone and piece.owner == owner]
            if loose or (not described.zone and described.of == of):
                things = tuple(self._thing(plan, state, piece) for piece in loose)
                yield Zone(f"{kind}-{owner or 'middle'}", title_of(kind, described.title), things, 0, is_named)

    def _thing(self, plan: PagePlan, state: DescribedTable, piece: Piece) -> Thing:
        figures = counters(plan.gauges[piece.kind], state, piece)
        listed = next((each for each in plan.page.things[piece.kind].list if each.name == piece.title), None)
        flags = (
            *(each.figure for each in figures if each.word_title and each.is_visible and each.value != each.words[0]),
            *plan.flag_titles(piece),
            *((phrase("has the turn"),) if state.acting == piece.handle and not state.outcome else ()),
        )
        visible = [each for each in figures if each.number is not None and each.is_visible]
        # Two figures need no names, as everyone can tell them apart; more are named.
        brief = "/".join(str(each.figure) for each in visible)
        if len(visible) > _FEW:
            brief = " ".join(f"{each.brief_caption} {each.figure}" for each in visible)
        notes = (_CardText(listed.text),) if listed and listed.text else ()
        title = plan.name_of(piece)
        return Thing(piece.handle, title, figures, notes, False, brief, flags, state.numbers.get(piece.handle, 0))

    def _title_of(self, state: DescribedTable, target: str) -> Text:
        piece = next((piece for piece in state.pieces if piece.handle == target), None)
        return self.plan_of(state).name_of(piece) if piece else super()._title_of(state, target)

    def bearer(self, state: DescribedTable, target: str) -> Bearer:
        """Return the thing in play or the pool of this name. Raises RuleError if there is none."""
        plan: PagePlan = self.plan_of(state)
        if team := find_team(state, target):
            return Bearer(team, plan.team_gauges)
        if target in state.pools:
            return Bearer(state.pools[target], plan.pool_gauges(target))
        piece = state.piece(target)
        return Bearer(piece, plan.gauges[piece.kind], piece.owner)

    def card_work(self, state: DescribedTable) -> CardWork:
        """Return the page's instruction for the present step."""
        plan: PagePlan = self.plan_of(state)
        text = _instruction(plan, state) if state.outcome is None else ""
        return CardWork((text,)) if text else CardWork()

    def hints(self, state: DescribedTable) -> Iterator[Text]:
        """Yield the reminders for tokens, figures and flags."""
        plan: PagePlan = self.plan_of(state)
        if not state.round or state.outcome:
            return
        for name, seat in state.tokens.items():
            token = plan.page.tokens[name]
            is_theirs = plan.together or seat == state.active
            if token.remind and (not token.at or (token.at == state.step and is_theirs)):
                yield phrase(
                    "{player}, {token}: {reminder}",
                    player=state.player(seat).name,
                    token=title_of(name, token.title),
                    reminder=token.remind,
                )
        if order := _describe_order(plan, state):
            yield order
        yield from score_sheet.wrong_sums(plan, state)
        yield from _figure_reminders(plan, state)

    def prompts(self, state: DescribedTable) -> tuple[Prompt, ...]:
        """Return the prompts of the set-up, of the game, or after it."""
        plan: PagePlan = self.plan_of(state)
        if not state.round:
            return tuple(_setup(plan, state))
        return tuple(after.prompts(plan, state) if state.outcome else _playing(plan, state))

    def secret_seats(self, state: DescribedTable) -> tuple[str, ...]:
        """Return the seats that are asked for a figure in secret, without looking for possible lines."""
        plan: PagePlan = self.plan_of(state)
        if state.outcome or not state.step or state.step == turns.ORDER or outcomes.is_played_out(plan, state):
            return ()
        _, word = turns.missing_figure(plan, state) or ("", "")
        return tuple(asking.silent_seats(plan, state, word)) if word and asking.is_secret(plan, word) else ()

    def view(self, game: str, title: Text, state: DescribedTable) -> TableView:
        """Return the view. Once the game is over, its steps are the questions that follow."""
        view = super().view(game, title, state)
        plan: PagePlan = self.plan_of(state)
        if state.outcome and plan.page.play.teams:
            won_by = tuple(each.seat for each in outcomes.find_winners(state, state.outcome))
            teams = tuple(_team_view(plan, state, team) for team in state.teams) if plan.team_gauges else ()
            won_as = outcomes.name_of_winning_team(plan, state.outcome)
            view = replace(view, won_by=won_by, won_as=won_as, teams=teams)
        if not after.has_ceremony(plan, state) or (state.sealed and not view.step):
            return view  # where the game ended in no step, there is none after the seal either
        steps, step = after.steps(plan, state)
        return replace(view, steps=steps, step=step, closing=not state.sealed)


def _team(plan: PagePlan, state: DescribedTable, team: DescribedTeam) -> Thing:
    """Return a team with its figures and its members."""
    members = listed(player.name for player in state.players if player.team == team.number)
    flags = tuple(plan.title(TEAM, name) for name in plan.flags[TEAM] if team.figures.get(name))
    figures = counters(plan.team_gauges, state, team)
    return Thing(team.word, plan.team_title(team.number), figures, (members,), flags=flags, can_fall=False)


def _team_view(plan: PagePlan, state: DescribedTable, team: DescribedTeam) -> TeamView:
    """Return a team with its figures and the names of its members, for the end of the game."""
    members = tuple(player.name for player in state.players if player.team == team.number)
    return TeamView(plan.team_title(team.number), members, counters(plan.team_gauges, state, team))


@lru_cache(64)
def _inscribed_zones(
    book: DescribedBook, seat: str, borne: tuple[Borne, ...], torn: tuple[str, ...]
) -> tuple[Zone, ...]:
    """Return a zone of the cards with inscriptions and their texts, and of torn-up cards."""
    cards = dict.fromkeys((*(each.card for each in borne), *torn))
    things = tuple(
        Thing(
            f"{seat}:{card_word(card)}",
            book.card_title(card),
            (),
            tuple(_describe_inscription(book, each) for each in borne if each.card == card),
            flags=(phrase_in("card", "torn up"),) if card in torn else (),
        )
        for card in cards
    )
    title = Finished(several(book.inscription_word), begins=True, ends=False)
    return (Zone("written", title, things),) if things else ()


def _campaign_zone(book: CampaignBook, name: str, campaign: CampaignAtTable, figures: Mapping[str, int]) -> Zone:
    """Return the campaign: the scenario played, its other figures, its open scenarios, and what is unlocked."""
    stages = campaign.stages
    titles: dict[str, Text] = {"name": name} if name else {}
    if campaign.scenario:
        titles["scenario"] = phrase("Scenario: {title}", title=book.title(campaign.scenario))
    titles |= {f"figure {word}": joined(" ", (book.title(word), figure(number))) for word, number in figures.items()}
    words = book.in_order(stages)
    names = {word: book.title(word, stages.titles.get(word, "")) for word in words}
    if opened := [names[word] for word in words if stages.stages[word] == OPEN and word != campaign.scenario]:
        titles["open"] = phrase("Open: {titles}", titles=listed(opened))
    if unlocked := [names[word] for word in words if stages.stages[word] == UNLOCKED]:
        titles["unlocked"] = phrase("Unlocked: {titles}", titles=listed(unlocked))
    # No line can name these, so that their blanks keep them out of what is told of a change: lines tell of it.
    things = (Thing(f"{CAMPAIGN} {part}", title, ()) for part, title in titles.items())
    return Zone(CAMPAIGN, Finished(book.called, begins=True, ends=False), tuple(things))


def _describe_inscription(book: DescribedBook, borne: Borne) -> Text:
    """Return the name of an inscription, and what it says."""
    name = book.texts.name(borne.name)
    return joined(": ", (name, book.texts.name(borne.text))) if borne.text else name


def _figure_reminders(plan: PagePlan, state: DescribedTable) -> Iterator[Text]:
    """Yield the reminders for figures and flags of the table, of teams and of seats."""
    for name, remind in plan.reminders[TABLE]:
        if _has_changed(plan, TABLE, name, state.figures.get(name), state):
            yield remind
    for team in state.teams:
        for name, remind in plan.reminders[TEAM]:
            if _has_changed(plan, TEAM, name, team.figures.get(name), state):
                yield joined(": ", (plan.team_title(team.number), remind))
    for player in state.playing:
        for name, remind in plan.reminders[SEAT]:
            if _has_changed(plan, SEAT, name, player.figures.get(name), state):
                yield joined(": ", (player.name, remind))


def _has_changed(plan: PagePlan, of: str, name: str, value: object, state: DescribedTable) -> bool:
    """Return True if a figure is not at its start, or a flag is set."""
    if isinstance(value, bool):
        return value
    return value is not None and value != start_of(plan, state, plan.figures[of][name])


def _sheet_rows(plan: PagePlan, state: DescribedTable) -> Iterator[ScoreRow]:
    """Yield one row for each round, the present one last."""
    entered = (*((row.entered, row.points) for row in state.rows), *([(state.entered, {})] if state.entered else []))
    sides = [side for side, _ in score_sheet.sheet_sides(plan, state)]
    for number, (given, points) in enumerate(entered, 1):
        sums = tuple(RowSum(plan, state, number, given, side) if side in points else "" for side in sides)
        yield _score_row(plan, sides, joined(" ", (plan.round_title, str(number))), given, points, sums)


def _points_besides(plan: PagePlan, state: DescribedTable, totals: Mapping[str, int]) -> tuple[str, ...]:
    """Return what each total has besides the points of the rows; empty if there is nothing of the kind."""
    sheet = plan.page.sheet
    assert sheet is not None
    if sheet.counts in plan.figures[TEAM] and sheet.each != TEAM:
        return ()  # the rows of partners add up to one total
    others = [total - sum([row.points.get(side, 0) for row in state.rows]) for side, total in totals.items()]
    return tuple(signed_figure(other) if other else "" for other in others) if any(others) else ()


def _score_row(
    plan: PagePlan,
    sides: Sequence[str],
    title: Text,
    entered: Mapping[str, Mapping[str, int]],
    points: Mapping[str, int],
    sums: tuple[Text, ...],
) -> ScoreRow:
    sheet = plan.page.sheet
    assert sheet is not None
    cells, came = [], []
    is_sum = bool(sheet.points) or len(sheet.columns) > 1
    for side in sides:
        given = entered.get(side, {})
        written = "/".join(figure(given[column]) if column in given else "–" for column in sheet.columns)
        cells.append(written if given else "")
        came.append(figure(points[side]) if is_sum and side in points else "")
    return ScoreRow(title, tuple(cells), tuple(came), sums)


def _setup(plan: PagePlan, state: DescribedTable) -> Iterator[Prompt]:
    least, most = plan.players
    number = len(state.players)
    seat = draft(SeatPlayer)
    if number < least:
        yield Prompt(phrase("Who sits next?"), seat)
        return
    if number == 2:
        yield from before_begin(state, do.First)
    first = state.first or state.players[0].seat
    matters = number > 1 and not (state.first or state.chooser) and _matters_who_begins(plan)
    begins = plan.page.play.first if matters else ""
    if begins == "lot":
        yield Prompt(phrase("Who begins? Lots are drawn"), draft(do.First, seat="lot").with_title(phrase("Draw lots")))
    elif begins == "ask":
        others = tuple(
            draft(do.First, note, seat=player.seat).with_title(note)
            for player in state.players
            for note in (phrase("{player} begins", player=player.name),)
        )
        by_lot = draft(do.First, phrase("by lot"), seat="lot").with_title(phrase("Draw lots"))
        yield Prompt(phrase("Who begins?"), others[0], due=False, others=(*others[1:], by_lot))
    if plan.together:
        text = phrase("Begin")
    else:
        text = phrase("Begin: {player} has the first turn", player=state.player(first).name)
    yield Prompt(text, draft(Begin))
    if number < most:
        yield Prompt(phrase("Does anybody else play?"), seat, due=False)
    if number == 2:
        offers = offers_before_begin(state, do.First)
        unwanted = (do.First, Match) if plan.page.play.match > 1 else (do.First,)
        yield from (offer for offer in offers if offer.answer.action not in unwanted)
    yield from _campaign_prompts(plan, state)
    yield from rule_questions.before_game(state)


def _matters_who_begins(plan: PagePlan) -> bool:
    """Return True if the game depends on who begins: turns, a token, lots of the page, or the last answer."""
    play = plan.page.play
    if not plan.together or play.first == "lot" or play.by_token:
        return True
    if any(token.start == "first" for token in plan.page.tokens.values()):
        return True
    limits = (limit for word in asking.words_to_enter(plan) for limit in asking.limits_of(plan, word))
    return any(map(waits_for_others, limits))


def _campaign_prompts(plan: PagePlan, state: DescribedTable) -> Iterator[Prompt]:
    """Yield the questions which campaign goes on, and which of its scenarios is played."""
    if plan.page.campaign is None:
        return
    if CAMPAIGN not in state.brought:
        bring = Draft(SeatPlayer, {"seat": CAMPAIGN}, asks=("deck",))
        yield Prompt(phrase("Does a campaign go on at this table?"), bring, due=False)
    if plan.page.campaign.scenarios and not state.campaign.scenario:
        yield Prompt(phrase("Which scenario is played?"), draft(deck_lines.PlayScenario), due=False)


def _playing(plan: PagePlan, state: DescribedTable) -> Iterator[Prompt]:
    if outcomes.is_played_out(plan, state):
        yield from _outcome_prompt(phrase("Everything has been played. Who has won?"), due=True)
        return
    if state.step == turns.ORDER:
        lots = draft(do.Order, phrase("lots are drawn"), seats=("lot",))
        text = phrase("In which order do people act this round?")
        yield Prompt(text, lots, others=(draft(do.Order, phrase("you name the order")),))
        yield from _outcome_prompt(phrase("Is the game over?"))
        return
    yield from _due_draws(plan, state)
    yield from _entries(plan, state)
    yield from _go_on(plan, state)
    yield from _offers(plan, state)


def _due_draws(plan: PagePlan, state: DescribedTable) -> Iterator[Prompt]:
    for name, pool in plan.page.pools.items():
        if not pool.at or pool.at != state.step or not effects.refill_pool(plan, state, name).size:
            continue
        title = title_of(name, pool.title)
        if pool.each:
            for player in state.playing:
                if effects.drawn_for(name, player.seat) not in state.drawn_pools:
                    answer, *others = _draw_drafts(plan, state, name, pool, player.seat)
                    text = phrase("{player}. Draw: {pool}", player=player.name, pool=title)
                    yield Prompt(text, answer, player.seat, others=tuple(others), lists_values=bool(others))
        elif name not in state.drawn_pools:
            answer, *others = _draw_drafts(plan, state, name, pool, state.active)
            text = phrase("Draw: {pool}", pool=title)
            yield Prompt(text, answer, state.active, others=tuple(others), lists_values=bool(others))


def _draw_drafts(plan: PagePlan, state: DescribedTable, name: str, pool: Pool, seat: str) -> Iterator[Draft]:
    """Yield the ways to draw from a pool: by naming the drawn card, by the program, or both."""
    given = {"pool": name, "for_": seat} if seat else {"pool": name}
    whom = ("for_",) if not seat and name in plan.personal_pools else ()
    if effects.must_be_named(pool, state, name):
        yield Draft(do.DrawFrom, given, asks=(*whom, "is_"))
        if pool.drawn == "cards":
            return
        yield Draft(do.DrawFrom, {**given, "is_drawn": True}, DRAW_ONE, whom)
    else:
        yield Draft(do.DrawFrom, given, asks=whom)


def _instruction(plan: PagePlan, state: DescribedTable) -> Text:
    """Return what players do with the real cards in this step; an empty string for nothing."""
    step = plan.steps.get(state.step)
    text = step.do if step else ""
    if not turns.is_dealing(plan, state) or not (deal := turns.describe_deal(plan, state)):
        return text
    return joined(" ", (deal, text)) if text else deal


def _describe_order(plan: PagePlan, state: DescribedTable) -> Text:
    """Return who is still to come in this round with the figures that decide it; an empty string if no figure does."""
    play = plan.page.play
    if not state.at_turn or play.order not in ("lowest", "highest"):
        return ""
    order = state.order
    behind = order[order.index(state.at_turn) + 1 :] if state.at_turn in order else ()
    figures = turns.figures_of_order(plan, state, [player.seat for player in state.playing])
    names = [joined(" ", (turns.name_at_turn(plan, state, at), figure(figures[at]))) for at in behind if at in figures]
    # Translators: who has the next turns, such as “Ben 12, Guard 6 30”.
    return phrase("Next: {turns}.", turns=listed(names)) if names else ""


def _entries(plan: PagePlan, state: DescribedTable) -> Iterator[Prompt]:
    """Yield the prompt for the next missing figure, which is an offer until it is due.

    What is secret is asked of all seats at once.
    """
    missing = turns.missing_figure(plan, state)
    due = missing is not None
    if missing is None and (state.at_turn or not turns.steps_of(plan, state)):
        missing = score_sheet.missing_entry(plan, state)
    if not missing:
        return
    word = missing[1]
    is_secret = due and asking.is_secret(plan, word)
    instruction = _instruction(plan, state) if due and turns.is_first_question(plan, state) else ""
    for seat in asking.silent_seats(plan, state, word) if is_secret else missing[:1]:
        name = asking.name_asked(plan, state, seat, word)
        text: Text = phrase("{player}: {column}?", player=name, column=asking.title_of_word(plan, word))
        if instruction:
            text, instruction = joined(" ", (instruction, text)), ""
        button = asking.name_button(plan, word)
        if word in plan.thing_questions:
            yield Prompt(text, draft(Set, target=seat, counter=word).with_title(button), due=due)
            continue
        answer = draft(do.Enter, seat=seat, column=word).with_title(button)
        if asking.limits_of(plan, word):
            context = Context(plan, Resolution(state))
            if possible := asking.describe_open_to_last(context, seat, word):
                text = joined(" ", (text, possible))
            if not asking.is_possible(context, seat, word):
                answer = answer.having("is_allowed", True)
        yield Prompt(text, answer, seat, due=due, is_secret=is_secret)


def _go_on(plan: PagePlan, state: DescribedTable) -> Iterator[Prompt]:
    """Yield the prompt to go on, with the possible lines; without `next` while an entry is due."""
    own = tuple(_own_line_drafts(plan, state))
    owes = turns.owes_line(plan, state)
    step = plan.steps.get(state.step)
    name = turns.name_at_turn(plan, state, state.at_turn) if state.at_turn else ""
    if step:
        text = _step_question(step, _instruction(plan, state), name, bool(own), owes)
    else:
        text = _turn_question(plan, state, name, bool(own))
    if owes:
        if own:
            yield Prompt(text, own[0], state.active, others=own[1:])
    elif turns.due_entry(plan, state) is None:
        # Translators: {next} is the next step, player or round.
        on = phrase("on: {next}", next=next_stop(plan, state))
        yield Prompt(text, draft(Next, on), state.active, others=own)
    elif own:
        # The question that is due says what to do with the cards.
        text = _step_question(step, "", name, has_lines=True, must_act=True) if step else text
        yield Prompt(text, own[0], state.active, due=False, others=own[1:])


def _step_question(step: StepDefinition, instruction: Text, player: Text, has_lines: bool, must_act: bool) -> Message:
    """Return the question of a step, with its instruction if it has one; for a player, or for all."""
    figures = {"step": title_of(step.name, step.title), "player": player}
    if instruction and player:
        return phrase("{player}: {step}. {instruction}", **figures, instruction=instruction)
    if instruction:
        return phrase("{step}. {instruction}", **figures, instruction=instruction)
    if must_act and player:
        return phrase("{player}: {step}. Say what is done.", **figures)
    if must_act:
        return phrase("{step}. Say what is done.", **figures)
    if has_lines and player:
        return phrase("{player}: {step}. Say what is done, or go on.", **figures)
    if has_lines:
        return phrase("{step}. Say what is done, or go on.", **figures)
    return phrase("{player}: {step}. Go on.", **figures) if player else phrase("{step}. Go on.", **figures)


def _turn_question(plan: PagePlan, state: DescribedTable, player: Text, has_lines: bool) -> Message:
    """Return the question of a turn or round without steps."""
    if deal := _instruction(plan, state):
        question = _turn_question_alone(plan, state, player, has_lines)
        return joined(" ", (deal, question))
    return _turn_question_alone(plan, state, player, has_lines)


def _turn_question_alone(plan: PagePlan, state: DescribedTable, player: Text, has_lines: bool) -> Message:
    figures = {"round": plan.round_title, "number": state.round, "player": player}
    if player and has_lines:
        return phrase("{player}: say what is done, or go on", **figures)
    if player:
        return phrase("{player}: go on", **figures)
    if has_lines:
        return phrase("{round} {number}: say what is done, or go on", **figures)
    return phrase("{round} {number}: go on", **figures)


def next_stop(plan: PagePlan, state: DescribedTable) -> Text:
    """Return what `next` leads to: the next step, the player of the next turn, the next round, or the end."""
    steps = [step.name for step in turns.steps_of(plan, state)]
    if state.step in steps[:-1]:
        following = plan.steps[steps[steps.index(state.step) + 1]]
        return title_of(following.name, following.title)
    return _what_follows(plan, state)


def _what_follows(plan: PagePlan, state: DescribedTable) -> Text:
    if state.at_turn:
        if following := turns.next_in_turn(plan, state):
            return turns.name_at_turn(plan, state, following)
    elif not plan.together and state.order and not plan.page.play.is_by_figure:
        return state.player(state.order[0]).name
    elif not plan.together and state.order:
        return turns.first_in_turn(plan, state)
    if turns.is_last_round(plan, state):
        # Translators: What follows the last round of a game: “on: the end of the game”.
        return phrase_in("what follows", "the end of the game")
    return joined(" ", (plan.round_title, str(state.round + 1)))


def _own_line_drafts(plan: PagePlan, state: DescribedTable) -> Iterator[Draft]:
    """Yield the page's own lines that are possible now, for the active seat or for no seat in particular.

    If all act at once, the lines open to any player are included, as they are the purpose of the step.
    """
    for action in plan.own_actions:
        own = action.own
        if not plan.together and (own.whose == "any" or (own.whose == "turn" and not state.active)):
            continue
        given = {"seat": state.active} if own.whose == "turn" and state.active else {}
        yield from (answer for answer in _own_drafts(plan, state, action, given) if plan.may(state, answer))


def _own_drafts(
    plan: PagePlan, state: DescribedTable, action: type[do.OwnAction], given: Mapping[str, str]
) -> Iterator[Draft]:
    """Yield the drafts of the page's own line.

    If real cards are drawn, the first draft prompts for the drawn card. A second one lets the program draw, unless the
    pool is always drawn from real cards.
    """
    if not effects.asks_card(plan, state, action.own.does):
        yield Draft(action, given, plan.notes[action])
        yield from _drafts_with_more(plan, action, given)
        return
    yield Draft(action, given, plan.notes[action], ("is_",))
    if plan.page.pools[effects.drawn_pool(action.own.does)].drawn != "cards":
        yield Draft(action, {**given, "is_drawn": True}, DRAW_ONE)


def _drafts_with_more(plan: PagePlan, action: type[do.OwnAction], given: Mapping[str, str]) -> Iterator[Draft]:
    """Yield the drafts that ask for the optional parameters of a line: for the first, for the first two, and so on."""
    fields = tuple(do.field_of(taken) for taken in action.taken if taken.optional)
    for number in range(1, len(fields) + 1):
        # Translators: It follows the title of a line to which players can add something, such as a number.
        more = phrases("with {n} value", "with {n} values", n=number)
        title = plan.notes[action]
        yield Draft(action, given, joined(" · ", (title, more)) if title else more, fields[:number])


def describe_line(plan: PagePlan, own: Own) -> Text:
    """Return a short description of the page's own line and its costs."""
    title = Unfinished(own.title, 60) if own.title else ""
    if not own.costs:
        return title
    costs = describe_costs(plan.page, own, partial(plan.title, SEAT))
    return joined(" · ", (title, costs)) if title else costs


def _offers(plan: PagePlan, state: DescribedTable) -> Iterator[Prompt]:
    """Yield the offers for everything that is possible at any time."""
    yield from _other_players_prompts(plan, state)
    if plan.page.things:
        puts = tuple(_put_draft(state, name, k) for name, k in plan.page.things.items() if _has_room(plan, state, k))
        if puts:
            yield Prompt(phrase("Does something come into play?"), puts[0], state.active, due=False, others=puts[1:])
    if state.pieces:
        yield Prompt(
            phrase("Does something leave, or go elsewhere?"),
            draft(do.Remove),
            due=False,
            others=_move_drafts(plan, state),
        )
    gives = tuple(_give_drafts(plan, state))
    if gives:
        yield Prompt(phrase("Does something change hands?"), gives[0], due=False, others=gives[1:])
    due = {prompt.answer.given["pool"] for prompt in _due_draws(plan, state)}
    for name, pool in plan.page.pools.items():
        if name not in due and effects.refill_pool(plan, state, name).size:
            text = phrase("Draw from {pool}?", pool=title_of(name, pool.title))
            answer, *others = _draw_drafts(plan, state, name, pool, state.active)
            yield Prompt(text, answer, state.active, due=False, others=tuple(others))
    if not plan.together and any(player.seat != state.active for player in state.playing):
        yield Prompt(phrase("Is it somebody else's turn?"), draft(do.TakeTurn), due=False)
    yield from _outcome_prompt(phrase("Is the game over?"))
    if state.playing:
        yield Prompt(phrase("Who concedes?"), draft(Concede), due=False)


def _other_players_prompts(plan: PagePlan, state: DescribedTable) -> Iterator[Prompt]:
    """Yield the offers for players other than the active one; for all players if all act at once."""
    whose = ("any", "turn") if plan.together else ("any",)
    actions = [action for action in plan.own_actions if action.own.whose in whose]
    for player in state.playing if actions else ():
        given = {"seat": player.seat}
        answers = tuple(
            answer for each in actions for answer in _own_drafts(plan, state, each, given) if plan.may(state, answer)
        )
        if answers:
            text = phrase("Does {player} do something?", player=player.name)
            yield Prompt(text, answers[0], player.seat, due=False, others=answers[1:])


def _put_draft(state: DescribedTable, name: str, kind: KindDefinition) -> Draft:
    given = {"kind": name}
    if kind.of == SEAT and state.active:
        given["of"] = state.active
    asks = ("of",) if kind.of == SEAT and not state.active else ()
    title = title_of(name, kind.title)
    # Translators: A button: an action, and what it is about: “Put Guard”.
    button = phrase("{action} {what}", action=VerbTitle(do.Put.verb()), what=title)
    return Draft(do.Put, given, title, asks, title=button)


def _has_room(plan: PagePlan, state: DescribedTable, kind: KindDefinition) -> bool:
    """Return True if there is room for one more thing of a kind."""
    zone = plan.page.zones.get(kind.zone)
    if zone is None or not zone.lanes:
        return True
    owners = [player.seat for player in state.players] if zone.of == SEAT else [""]
    whose = [state.active] if zone.of == SEAT and state.active and kind.of == SEAT else owners
    here = [piece for piece in state.pieces if piece.zone == kind.zone]
    return any(sum(piece.owner == owner or not owner for piece in here) < zone.lanes for owner in whose)


def _move_drafts(plan: PagePlan, state: DescribedTable) -> tuple[Draft, ...]:
    """Return the ways to move a thing: to another place, or to another owner."""
    to_place = (Draft(do.Move, {}, phrase("to another place"), asks=("zone",)),) if len(plan.page.zones) > 1 else ()
    kinds = plan.page.things
    owned = any(kinds[piece.kind].of == SEAT for piece in state.pieces)
    to_seat = (
        (Draft(do.Move, {}, phrase("to somebody else"), asks=("of",)),) if owned and len(state.players) > 1 else ()
    )
    return (*to_place, *to_seat)


def _give_drafts(plan: PagePlan, state: DescribedTable) -> Iterator[Draft]:
    for name, token in plan.page.tokens.items():
        if len(state.players) > 1 or name not in state.tokens:
            yield draft(do.GiveToken, title_of(name, token.title), token=name)


def _outcome_prompt(text: Text, due: bool = False) -> Iterator[Prompt]:
    """Yield the prompt for the outcome."""
    ends = (
        draft(DrawAgreed),
        draft(do.AllWon, phrase("all win together")),
        draft(do.Lost, phrase("all lose together")),
    )
    yield Prompt(text, draft(do.Won), due=due, others=ends)


class _Keyword(Message):
    """The part of a text before its colon."""

    __slots__ = ("whole",)

    def __init__(self, whole: Text) -> None:
        self.whole = whole

    def render(self, language: Language) -> str:
        return partition_subject(render_value(self.whole, language))[0]

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.whole,)


class _CardText(Explanation):
    """The text of a card as a note; what stands before a colon is its keyword: `Tough: each card 1 less`."""

    __slots__ = ()

    def __init__(self, whole: Text) -> None:
        super().__init__(_Keyword(whole), whole)

    def render(self, language: Language) -> str:
        return render_value(self.text, language)
