"""The campaign at a table: what it brings, what a game changes in it, and the mark that a sealed game leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from companion.games.described import records as m
from companion.games.described.page import deck_lines as do
from companion.games.described.page.campaign import CAMPAIGN, CampaignBook
from companion.games.described.records import DONE, OPEN, UNLOCKED, CampaignStages, Stage
from companion.games.described.rules.context import Context
from companion.games.described.rules.plan import PagePlan
from companion.games.described.rules.questions import add_mark, find_question, open_questions, record_answer, who_won
from companion.games.described.rules.state import CampaignAtTable, DescribedTable
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.decks.stored_decks import leave_out
from companion.tabletop.records import Mark
from companion.tabletop.table.choices import Candidates, Choice
from companion.tabletop.table.match_result import MatchResult, Result
from templates.languages.messages import Message, Text, phrase

# What it brings


def bring_part(context: Context, action: do.CampaignHas) -> None:
    """Record a figure of the campaign, or the stage of a scenario or thing. Raises RuleError without a campaign."""
    state = context.resolution.state
    if CAMPAIGN not in state.brought:
        raise RuleError(phrase("There is no campaign at this table; `seat campaign deck NAME` brings one."))
    context.resolution.change(campaign=_with_part(state.campaign, action))


def _with_part(campaign: CampaignAtTable, action: do.CampaignHas) -> CampaignAtTable:
    match action.value:
        case "open" | "done" | "unlocked":
            return replace(campaign, stages=campaign.stages.with_stage(action.word, action.value, action.title))
    if not action.value.isdecimal():
        raise RuleError(phrase("{value} is no figure and no stage of a campaign.", value=action.value))
    return replace(campaign, figures={**campaign.figures, action.word: int(action.value)})


def play_scenario(context: Context, action: do.PlayScenario) -> None:
    """Set the scenario of this game. Raises RuleError if the page lacks it, or the campaign has not opened it."""
    state, book = context.resolution.state, context.plan.book.campaign
    word = _read_part(book, action.scenario)
    title = book.title(word)
    if not book.is_scenario(word):
        raise RuleError(phrase("{title} is not a scenario.", title=title))
    if CAMPAIGN in state.brought and not state.campaign.stages.stages.get(word):
        raise RuleError(phrase("{title} is not open in this campaign.", title=title))
    context.resolution.change(campaign=replace(state.campaign, scenario=word))
    text = context.plan.page.campaign.scenarios[word].text if context.plan.page.campaign else ""
    if text:
        context.resolution.tell(phrase("The scenario is {title}: {text}", title=title, text=text))
    else:
        context.resolution.tell(phrase("The scenario is {title}.", title=title))


def _read_part(book: CampaignBook, word: str) -> str:
    try:
        return book.part(word)
    except NotationError as error:
        raise RuleError(error.sentence) from None


def starting_figures(plan: PagePlan, state: DescribedTable) -> dict[str, int]:
    """Return the counters of the table that begin with a figure of the campaign, and these figures."""
    if plan.page.campaign is None or CAMPAIGN not in state.brought:
        return {}
    return {
        figure.counter: state.campaign.figures[word]
        for word, figure in plan.page.campaign.figures.items()
        if figure.counter and word in state.campaign.figures
    }


def reload_campaign(context: Context, lines: Sequence[do.CampaignHas]) -> None:
    """Replace the campaign by its present record, then reapply what this game has written on it.

    Once the game has begun, the counters change by what the figures have changed.
    """
    resolution, state = context.resolution, context.resolution.state
    before = starting_figures(context.plan, state)
    brought = replace(state.campaign, figures={}, stages=CampaignStages())
    for line in lines:
        brought = _with_part(brought, line)
    resolution.change(campaign=brought)
    if state.has_begun:
        now = starting_figures(context.plan, resolution.state)
        figures = {
            counter: int(state.figures[counter]) + number - before.get(counter, number)
            for counter, number in now.items()
            if counter in state.figures
        }
        resolution.change(figures={**state.figures, **figures})
    kept = []
    for mark in state.written.get(CAMPAIGN, ()):
        if why := why_stage_is_stale(mark, resolution.state.campaign.stages):
            leave_out(resolution, CAMPAIGN, why)
            continue
        kept.append(mark)
        if isinstance(mark, m.CampaignStage):
            _change_stage(context, mark.word, mark.stage)
    resolution.change(written={**state.written, CAMPAIGN: tuple(kept)})


def why_stage_is_stale(mark: Mark, stages: CampaignStages) -> Text:
    """Return the reason why a mark no longer applies to a campaign, or an empty string."""
    if isinstance(mark, m.CampaignStage) and stages.stages.get(mark.word, "") in (mark.stage, DONE):
        return phrase("{title}, which the campaign has already.", title=mark.title)
    return ""


# Answers after the game


def offered(plan: PagePlan, state: DescribedTable, kind: str) -> Iterator[str]:
    """Yield the scenarios or things that an answer of this kind can name."""
    stages, book = state.campaign.stages.stages, plan.book.campaign
    match kind:
        case "finish":
            yield from (word for word in book.definition.scenarios if stages.get(word) == OPEN)
        case "open":
            yield from (word for word in book.definition.scenarios if not stages.get(word))
        case "unlock":
            yield from (word for word in book.definition.unlocks if not stages.get(word))


def finish_scenario(context: Context, action: do.FinishScenario) -> None:
    """Record that a scenario is done, and what it opens and unlocks."""
    plan, state = context.plan, context.resolution.state
    word = _offered_word(plan, state, "finish", action.scenario)
    record_answer(context, find_question(plan, state, CAMPAIGN, "finish"), CAMPAIGN)
    _write_stage(context, word, DONE)
    scenario = plan.book.campaign.definition.scenarios[word]
    for each in scenario.opens:
        if not context.resolution.state.campaign.stages.stages.get(each):
            _write_stage(context, each, OPEN)
    for each in scenario.unlocks:
        if not context.resolution.state.campaign.stages.stages.get(each):
            _write_stage(context, each, UNLOCKED)


def open_scenario(context: Context, action: do.OpenScenario) -> None:
    """Record that a scenario is open."""
    plan, state = context.plan, context.resolution.state
    word = _offered_word(plan, state, "open", action.scenario)
    find_question(plan, state, CAMPAIGN, "open")
    _write_stage(context, word, OPEN)


def unlock(context: Context, action: do.Unlock) -> None:
    """Record that something is unlocked."""
    plan, state = context.plan, context.resolution.state
    word = _offered_word(plan, state, "unlock", action.thing)
    find_question(plan, state, CAMPAIGN, "unlock")
    _write_stage(context, word, UNLOCKED)


def set_figure(context: Context, action: do.SetCampaignFigure) -> None:
    """Record the value of a figure, in place of that of its counter."""
    plan, state = context.plan, context.resolution.state
    find_question(plan, state, CAMPAIGN, "figure")
    questions = [each.question for each in open_questions(plan, state) if each.question.kind == "figure"]
    question = next((question for question in questions if question.counts == action.figure), None)
    if question is None:
        raise RuleError(
            phrase("What is asked here is {figure}, not {word}.", figure=questions[0].counts, word=action.figure)
        )
    record_answer(context, question, CAMPAIGN)
    figures = {**state.campaign.set_figures, action.figure: action.number}
    context.resolution.change(campaign=replace(state.campaign, set_figures=figures))
    title = plan.book.campaign.title(action.figure)
    context.resolution.tell(phrase("{figure} of the campaign: {number}.", figure=title, number=str(action.number)))


def _offered_word(plan: PagePlan, state: DescribedTable, kind: str, text: str) -> str:
    """Return the scenario or thing that an answer names. Raises RuleError if it cannot reach that stage."""
    book = plan.book.campaign
    word = _read_part(book, text)
    if word not in offered(plan, state, kind):
        raise RuleError(_why_not(book, word, state.campaign.stages.stages.get(word, "")))
    return word


def _why_not(book: CampaignBook, word: str, stage: Stage) -> Message:
    title = book.title(word)
    match stage:
        case "done":
            return phrase("{title} is done already.", title=title)
        case "unlocked":
            return phrase("{title} is unlocked already.", title=title)
        case "open":
            return phrase("{title} is open already.", title=title)
    if book.is_scenario(word):
        return phrase("{title} is a scenario that is not open.", title=title)
    return phrase("{title} is not a scenario.", title=title)


def _write_stage(context: Context, word: str, stage: Stage) -> None:
    book = context.plan.book.campaign
    add_mark(context, CAMPAIGN, m.CampaignStage(word, stage, book.written_title(word)))
    _change_stage(context, word, stage)
    context.resolution.tell(_describe_stage(book.title(word), stage), by_hand=True, lasting=True)


def _change_stage(context: Context, word: str, stage: Stage) -> None:
    campaign = context.resolution.state.campaign
    title = context.plan.book.campaign.written_title(word)
    context.resolution.change(campaign=replace(campaign, stages=campaign.stages.with_stage(word, stage, title)))


def _describe_stage(title: Text, stage: Stage) -> Message:
    match stage:
        case "open":
            return phrase("{title} is open from now on; write it on the campaign sheet.", title=title)
        case "done":
            return phrase("{title} is done; write it on the campaign sheet.", title=title)
    return phrase("{title} is unlocked; write it on the campaign sheet.", title=title)


def campaign_candidates(plan: PagePlan, state: DescribedTable, action: type[Action], field: str) -> Candidates | None:
    """Return the possible values of a field of a campaign's line; None for any other."""
    book = plan.book.campaign
    if issubclass(action, do.PlayScenario) and field == "scenario":
        stages = state.campaign.stages.stages
        has_campaign = CAMPAIGN in state.brought
        words = [word for word in book.definition.scenarios if stages.get(word) == OPEN or not has_campaign]
    elif issubclass(action, do.FinishScenario) and field == "scenario":
        words = [*offered(plan, state, "finish")]
    elif issubclass(action, do.OpenScenario) and field == "scenario":
        words = [*offered(plan, state, "open")]
    elif issubclass(action, do.Unlock) and field == "thing":
        words = [*offered(plan, state, "unlock")]
    elif issubclass(action, do.SetCampaignFigure) and field == "figure":
        words = [*book.definition.figures]
    else:
        return None
    return tuple(Choice(word, book.title(word), _about(book, word)) for word in words)


def _about(book: CampaignBook, word: str) -> Text:
    part = book.parts.get(word)
    return part.text if part else ""


# The seal


def figures_after(plan: PagePlan, state: DescribedTable) -> dict[str, int]:
    """Return the figures of the campaign that a game gives a value: those of counters, and those set after it."""
    values = {word: state.figures.get(each.counter) for word, each in plan.book.campaign.definition.figures.items()}
    of_counters = {word: max(0, value) for word, value in values.items() if isinstance(value, int)}
    return {**of_counters, **state.campaign.set_figures}


def figures_now(plan: PagePlan, state: DescribedTable) -> dict[str, int]:
    """Return the figures of the campaign after all answers so far.

    Those that counters of the table show are left out until an answer gives them another value.
    """
    defined, answers = plan.book.campaign.definition.figures, state.campaign.set_figures
    figures = {**state.campaign.figures, **answers}
    for mark in state.written.get(CAMPAIGN, ()):
        if isinstance(mark, m.Counted):
            figures[mark.figure] = figures.get(mark.figure, 0) + mark.amount
    return {
        word: number
        for word, number in figures.items()
        if word in answers or not (word in defined and defined[word].counter)
    }


def game_mark(plan: PagePlan, state: DescribedTable, result: MatchResult) -> m.CampaignGame:
    """Return the mark of a sealed game in the record of its campaign."""
    book = plan.book.campaign
    scenario = book.written_title(state.campaign.scenario) if state.campaign.scenario else ""
    figures = figures_after(plan, state)
    winners = () if state.outcome in _COMMON else tuple(player.name for player in who_won(state))
    return m.CampaignGame(
        tuple(one.name for one in result.players),
        _COMMON.get(state.outcome or "", ""),
        winners,
        state.rounds,
        scenario,
        figures,
        {word: book.written_title(word) for word in figures},
    )


_COMMON: dict[str, Result] = {"win": "won", "loss": "lost", "draw": "draw"}
