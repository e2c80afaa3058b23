"""Readings of abbreviated lines: verbs that are begun or stand behind other words, and answers without their verb.

Each function is one kind of reading, as `line_reading.PRECEDENCE` lists them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from companion.session.reading.judging import judge_fits
from companion.session.reading.known_names import KnownNames, best_of
from companion.session.reading.readings import Readings, unlike_actions
from companion.session.reading.table_questions import due_prompts
from companion.session.reading.typed_line import TypedLine, TypedWord
from companion.session.reading.word_matching import Fit, LineMatcher
from companion.tabletop.action import Action, AmbiguousLine, NotationError, RuleError
from companion.tabletop.notation.arguments import HANDLE, HANDLE_OR_SEAT, SEAT, TEXT
from companion.tabletop.notation.naming import Name, best_named
from companion.tabletop.notation.notation import Argument, grammar
from companion.tabletop.table.choices import Open
from companion.tabletop.table.common_actions import DrawAgreed, Note, Seat, Track, Venue
from companion.tabletop.table.table import Draft, Prompt
from templates.languages.messages import phrase

Tokens = tuple[TypedWord, ...]

_IN_FULL: Final = (DrawAgreed, Track)
"""Lines whose verb must be typed in full: one ends the game for everybody, the other takes any word as a name."""


def read_whole_verb(line: TypedLine) -> Readings:
    """Read a line that begins with its whole verb and leaves out other words: `heal 3`."""
    if not line.begins_with_verb:
        return Readings()
    names = KnownNames.at(line)
    return _acting_seat_first(names, _by_verb(names, line.tokens[0], line.tokens[1:]))


def read_verb_behind(line: TypedLine) -> Readings:
    """Read lines in which other words precede the whole verb, as in speech: `wolf attack`, `ben heal 3`.

    A note, a venue or a new counter may hold any words, so these lines must begin with their verb.
    """
    try:
        tokens = _free_tokens(line)
    except NotationError:  # a quote is not closed
        return Readings()
    names = KnownNames.at(line)
    verbs = {action.verb() for action in names.game.actions if not issubclass(action, (Note, Venue, Track))}
    by_verb = (
        _by_verb(names, token, (*tokens[:at], *tokens[at + 1 :]))
        for at, token in enumerate(tokens)
        if at and not token.is_quoted and token.word in verbs
    )
    several = tuple(filter(None, by_verb))
    accepted = unlike_actions((action for each in several for action in each.accepted), line.session)
    return Readings(accepted, tuple(action for each in several for action in each.refused))


def read_begun_verb(line: TypedLine) -> Readings:
    """Read lines whose verb the first word begins: `rev 9c`."""
    tokens, names = _free_tokens(line), KnownNames.at(line)
    return _acting_seat_first(names, _by_verb(names, tokens[0], tokens[1:])) if tokens else Readings()


def read_begun_verb_without_things(line: TypedLine) -> Readings:
    """Read lines whose verb the first word begins, and which leave out things as after a whole verb: `hi ash 10`.

    A single letter begins too many verbs to stand before figures alone.
    """
    tokens, names = _free_tokens(line), KnownNames.at(line)
    if len(tokens) <= 1 or (len(tokens[0].word) <= 1 and _are_figures(tokens[1:])):
        return Readings()
    return _acting_seat_first(names, _by_verb(names, tokens[0], tokens[1:], omits_things=True))


def read_seat_first(line: TypedLine) -> Readings:
    """Read lines of an abbreviated verb that follows its seat: `ben cr`."""
    tokens = _free_tokens(line)
    if len(tokens) <= 1:
        return Readings()
    names, (name, verb, *others) = KnownNames.at(line), tokens
    readings = _by_verb(names, verb, (name, *others))
    seats = best_of(names.named_seats(), (name,))
    accepted, refused = (
        tuple(action for action in some if _whose(action) in seats) for some in (readings.accepted, readings.refused)
    )
    return Readings(accepted, refused)


def read_answer(line: TypedLine) -> Readings:
    """Read answers to the first question, and these together with the offers of other prompts.

    An offer counts only if the words name the thing that it is about. An answer that the step waits for precedes
    everything else, because the player who is asked answers. If the words answer a prompt only with another value than
    the one offered, or nothing, only refused lines are returned.
    """
    tokens = _free_tokens(line)
    if not tokens:
        return Readings()
    names, first = KnownNames.at(line), due_prompts(line.session.view())[:1]
    own = line.find_once(_read_first_question)
    if own and any(prompt.due for prompt in first):
        return own
    fits = line.find_once(_fits_of_first_question)
    offering = (prompt for prompt in names.view.prompts if prompt.seat and prompt not in first)
    others = (_without_extras(draft) for prompt in offering for draft in prompt.answers)
    offered = _offered_fits(names, (draft for draft in others if draft.given), tokens)
    offers = judge_fits(names, (*(fit for fit in fits if fit.is_offered), *offered))
    return offers or Readings((), judge_fits(names, fits).refused)


def read_keyword(line: TypedLine) -> Readings:
    """Read corrections that are identified by a keyword alone: `is heads`."""
    readings = judge_fits(KnownNames.at(line), line.find_once(_fits_by_keyword))
    return readings if readings.accepted else Readings()


def read_out_of_turn(line: TypedLine) -> Readings:
    """Read cards that are named out of turn, and refused keywords, so that the rules can say why they are refused."""
    names = KnownNames.at(line)
    cards = judge_fits(names, (*line.find_once(_fits_by_keyword), *_fits_out_of_turn(names, _free_tokens(line))))
    return Readings((), cards.refused) if cards.refused else cards


def read_later_step(line: TypedLine) -> Readings:
    """Read lines of other steps whose verb the first word begins; they are refused, as they must wait.

    A single letter begins too many of them.
    """
    tokens = _free_tokens(line)
    if not tokens or len(tokens[0].word) <= 1:
        return Readings()
    names = KnownNames.at(line)
    fits = _fits_of(names, _actions_by_prefix(names, tokens[0], later=True), tokens[1:], is_whole_verb=False)
    return Readings((), judge_fits(names, fits).refused)


# What casts doubt on the only reading of a name without its verb


def doubt_by_verb(line: TypedLine, action: Action) -> Readings:  # noqa: ARG001 – as the other doubts
    """Read lines of a verb that the only word begins, however much they leave out: the word may begin a name as well.

    Waiting effects are entered by their verb.
    """
    names, tokens = KnownNames.at(line), line.tokens
    fits = _behind_verb(names, tokens[0], (), loosely=True) if len(tokens) == 1 else ()
    return Readings(judge_fits(names, fits, loosely=True).accepted)


def doubt_by_effect(line: TypedLine, action: Action) -> Readings:
    """Read effects of cards and waiting effects that the words name.

    They cast no doubt on an answer to the first question, nor on plain figures.
    """
    names, tokens = KnownNames.at(line), line.tokens
    if line.find_once(_read_first_question).accepted == (action,) or _are_figures(tokens):
        return Readings()
    drafts = (draft for prompt in names.view.prompts for draft in prompt.answers)
    return Readings(judge_fits(names, _offered_fits(names, map(_without_extras, drafts), tokens, waits=True)).accepted)


def doubt_by_seat(line: TypedLine, action: Action) -> Readings:
    """Ask about a refused line of the seat that the words begin with, if the accepted line belongs to another seat.

    `ben ks` may be what Ana does to Ben, or what Ben pays.
    """
    names, tokens, session = KnownNames.at(line), line.tokens, line.session
    seats = best_of(names.named_seats(), tokens[:1])
    if not seats or len(tokens) == 1 or getattr(action, "seat", "") in seats:
        return Readings()
    answers = (draft for prompt in due_prompts(names.view)[:1] for draft in prompt.answers)
    theirs = judge_fits(names, (fit for fit in _bare(names, answers, tokens) if fit.given.get("seat") in seats))
    for refused in theirs.refused[:1]:
        name = next(seat.name for seat in names.view.seats if seat.seat == getattr(refused, "seat", ""))
        try:
            session.preview(refused)
        except RuleError as error:
            whole = session.notation.format(action)
            why = phrase(
                "“{text}” could be `{line}` if it is typed in full; for {player}: {reason}",
                text=line.text,
                line=whole,
                player=name,
                reason=error.message,
            )
            return Readings(question=AmbiguousLine(why, (whole,)))
    return Readings()


# Lines that begin with a verb


def _free_tokens(line: TypedLine) -> Tokens:
    """Return the words of a line that may stand in any order; none if it begins with a verb.

    Raises NotationError if a quote is not closed.
    """
    return () if line.begins_with_verb else line.tokens


def _are_figures(tokens: Tokens) -> bool:
    return all(token.is_figure for token in tokens)


def _by_verb(names: KnownNames, verb: TypedWord, tokens: Tokens, *, omits_things: bool = False) -> Readings:
    """Return the readings of each verb that a word begins, with as few omitted arguments as possible.

    If the rules refuse all readings of a verb with the least omissions, those with one more are added. If the verb
    stands alone and the rules refuse it as a whole line, that line was meant: `n` means `next` rather than `negate` of
    the only possible thing. If the rules accept it, it is one of several.
    """
    fits = list(fits_behind_verb(names, verb, tokens, omits_things=omits_things))
    whole = [fit for fit in fits if not tokens and not fit.unsaid]
    if whole and not judge_fits(names, whole).accepted:
        fits = whole
    if tokens and _are_figures(tokens):
        # A number may be that of a thing, or a count: `crank 1`.
        fits = [msgspec.structs.replace(fit, unsaid=len(fit.left_out)) for fit in fits]
    least: dict[type[Action], int] = {}
    for fit in fits:
        least[fit.action] = min(fit.unsaid, least.get(fit.action, fit.unsaid))
    readings = judge_fits(names, (fit for fit in fits if fit.unsaid == least[fit.action]))
    fulfilled = {type(action) for action in readings.accepted}
    more = [fit for fit in fits if fit.action not in fulfilled and fit.unsaid == least[fit.action] + 1]
    return Readings((*readings.accepted, *judge_fits(names, more).accepted), readings.refused)


def fits_behind_verb(
    names: KnownNames, verb: TypedWord, tokens: Tokens, *, omits_things: bool = False
) -> Iterator[Fit]:
    """Yield the lines whose verb a word is or begins; `omits_things` as in `LineMatcher`.

    None of them takes a listed name as a new one, or the word of a thing as a text: `put wolf` puts what the list has
    under this name, not something else that is called so.
    """
    behind = _behind_verb(names, verb, tokens, omits_things=omits_things)
    several = [fit for fit in behind if not _skips_thing(names, fit)]
    new = [_names_something_new(names, fit) for fit in several]
    with_listed = {fit.action for fit, is_new in zip(several, new, strict=True) if is_new is False}
    for fit, is_new in zip(several, new, strict=True):
        if not is_new:
            yield fit
        elif fit.action not in with_listed:
            yield _without_other_lists(names, fit)


def _skips_thing(names: KnownNames, fit: Fit) -> bool:
    """Return True if a fit leaves out a thing, and has a text behind it that is the name of one."""
    arguments = grammar(fit.action).arguments
    things = [Name(thing.target, str(thing.title)) for thing in names.things.values()]
    skipped = next((at for at, each in enumerate(arguments) if each in fit.left_out and each.kind is HANDLE), None)
    behind = arguments[skipped:] if skipped is not None else ()
    texts = (str(fit.given[each.field]) for each in behind if each.kind is TEXT and each.field in fit.fields)
    return any(best_named(things, text, whole=True) for text in texts)


def _names_something_new(names: KnownNames, fit: Fit) -> bool | None:
    """Return True if a typed name is in no list for its field, False if it is in one, and None without such a name."""
    named = [each for each in grammar(fit.action).arguments if each.field in fit.fields and each.kind in (HANDLE, TEXT)]
    return not all(_is_listed(names, fit.action, fit.given, each) for each in named) if named else None


def _is_listed(names: KnownNames, action: type[Action], given: Mapping[str, Any], argument: Argument) -> bool:
    draft = Draft(action, {field: value for field, value in given.items() if field != argument.field})
    candidates = names.vocabulary(draft, argument)
    if not isinstance(candidates, Open):
        return True
    return any(given[argument.field] == each.value for each in (*candidates.fitting, *candidates.unfit))


def _without_other_lists(names: KnownNames, fit: Fit) -> Fit:
    """Return a fit without the values that nobody typed, if only other ones have its name in their list."""
    required = [argument for argument in grammar(fit.action).arguments if argument.required]
    unsaid = [each for each in required if each.field in fit.given and each.field not in fit.fields]
    given = {field: value for field, value in fit.given.items() if all(field != each.field for each in unsaid)}
    new = [each for each in required if each.field in fit.fields and each.kind is HANDLE]
    if not unsaid or not any(_is_listed(names, fit.action, given, each) for each in new):
        return fit
    return msgspec.structs.replace(fit, given=given, left_out=[*unsaid, *fit.left_out], is_new=False)


def _acting_seat_first(names: KnownNames, readings: Readings) -> Readings:
    """Return readings whose refused lines begin with those of the seat that acts, which is left out behind a verb.

    Of these, lines that are about others come first.
    """
    acting = names.active_seat
    if not acting or len(readings.refused) < 2:
        return readings

    def rank(action: Action) -> tuple[bool, int]:
        return _whose(action) != acting, [getattr(action, each) for each in action.__struct_fields__].count(acting)

    refused = sorted(readings.refused, key=rank)
    return msgspec.structs.replace(readings, refused=tuple(refused))


def _behind_verb(
    names: KnownNames, verb: TypedWord, tokens: Tokens, *, loosely: bool = False, omits_things: bool = False
) -> Iterator[Fit]:
    """Yield the lines whose verb a word is or begins; `loosely` as if it was typed in full.

    Some verbs must be typed in full. If lines of this step begin with the word, lines of
    other steps are left out.
    """
    if verb.is_quoted or verb.is_figure:
        return
    whole = [action for action in names.game.actions if action.verb() == verb.word]
    actions = whole or _actions_by_prefix(names, verb) or _actions_by_prefix(names, verb, later=True)
    is_whole = bool(whole) or loosely
    yield from _fits_of(names, actions, tokens, is_whole_verb=is_whole, omits_things=omits_things)


def _actions_by_prefix(names: KnownNames, verb: TypedWord, *, later: bool = False) -> list[type[Action]]:
    """Return the lines of this step, or of another one (`later`), whose verb a word begins."""
    if verb.is_quoted or verb.is_figure:
        return []
    begun = (each for each in names.game.actions if each.verb().startswith(verb.word) and each not in _IN_FULL)
    return [action for action in begun if bool(names.game.out_of_step(names.state, action)) == later]


def _fits_of(
    names: KnownNames,
    actions: Iterable[type[Action]],
    tokens: Tokens,
    *,
    is_whole_verb: bool,
    omits_things: bool = False,
) -> Iterator[Fit]:
    """Yield every way to assign words to the arguments of these lines."""
    for action in actions:
        for preset in map(_without_extras, _presets(names, action)):
            matcher = LineMatcher(
                names, preset, behind_verb=True, is_whole_verb=is_whole_verb, omits_things=omits_things
            )
            yield from matcher.find_fits(tokens)


def _presets(names: KnownNames, action: type[Action]) -> Iterator[Draft]:
    """Yield the drafts that a verb implies.

    They come from the first due prompt with this verb, else from the offers to the turn player, or from all offers
    outside of turns. A line that none of these prompts offers gets the turn player, or each seat in turn.
    """
    prompts = names.view.prompts
    due = [prompt for prompt in prompts if prompt.due and _drafts(prompt, action)]
    if due:
        yield from _drafts(due[0], action)
        return
    offers = [prompt for prompt in prompts if _drafts(prompt, action)]
    turn = names.turn_player
    own = [prompt for prompt in offers if not turn or prompt.seat in ("", turn)]
    first = grammar(action).arguments[:1]
    whose = {each.field for each in first if turn and each.kind is HANDLE_OR_SEAT and not each.keyword}
    if any(each.required for each in grammar(action).arguments[1:]):
        whose = set()  # the target of a line such as `heal 3` is asked for
    for prompt in own:
        for draft in _drafts(prompt, action):
            # A thing in that field is never meant unless it is named.
            unnamed = {field for field in whose if not names.is_seat(draft.given.get(field))}
            yield msgspec.structs.replace(draft, given={**draft.given, **dict.fromkeys(unnamed, turn)})
    if not own:
        others = (draft for prompt in offers for draft in _drafts(prompt, action) if prompt.seat)
        seats = {name for draft in others for name, value in draft.given.items() if names.is_seat(value)}
        if seats or whose or not first or first[0].kind is not SEAT or issubclass(action, Seat):
            yield Draft(action, dict.fromkeys(seats or whose, turn))
        else:
            yield from (Draft(action, {first[0].field: seat}) for seat in names.seats)


def _drafts(prompt: Prompt, action: type[Action]) -> list[Draft]:
    return [draft for draft in prompt.answers if draft.action is action]


def _without_extras(draft: Draft) -> Draft:
    """Return a draft without optional values: they must be typed, or are not meant."""
    needed = {argument.field for argument in grammar(draft.action).arguments if argument.required}
    given = {field: value for field, value in draft.given.items() if field in needed}
    return Draft(draft.action, given, asks=draft.asks)


def _whose(action: Action) -> object:
    """Return the value of the first argument of a line, usually the acting seat."""
    first = grammar(type(action)).arguments[:1]
    return getattr(action, first[0].field) if first else None


# Lines without their verb


def _fits_of_first_question(line: TypedLine) -> list[Fit]:
    """Return the ways in which the words answer the first question.

    A user who names a card has drawn it: the answer that lets the program draw does not apply.
    """
    first = due_prompts(line.session.view())[:1]
    answers = (draft for prompt in first for draft in prompt.answers if not draft.given.get("is_drawn"))
    return list(_bare(KnownNames.at(line), answers, line.tokens))


def _read_first_question(line: TypedLine) -> Readings:
    """Read the answers to the first question, with the values that it offers."""
    return judge_fits(KnownNames.at(line), [fit for fit in line.find_once(_fits_of_first_question) if fit.is_offered])


def _offered_fits(names: KnownNames, drafts: Iterable[Draft], tokens: Tokens, *, waits: bool = False) -> list[Fit]:
    """Return the offered lines for which the words name the thing that each of them is about."""
    return [
        fit
        for draft in drafts
        for fit in _bare(names, (draft,), tokens, waits=waits)
        if fit.is_offered and (not (things := _things_of(names, draft)) or fit.fields & things)
    ]


def _things_of(names: KnownNames, draft: Draft) -> set[str]:
    """Return the fields of a draft whose values are not seats."""
    return {field for field, value in draft.given.items() if not names.is_seat(value)}


def _fits_by_keyword(line: TypedLine) -> list[Fit]:
    """Return the complete lines that a keyword as the first word identifies."""
    names, tokens = KnownNames.at(line), _free_tokens(line)
    drafts = [
        Draft(action)
        for action in names.game.actions
        if any(not token.is_quoted and token.word in grammar(action).keywords for token in tokens[:1])
    ]
    return [fit for fit in _bare(names, drafts, tokens) if not fit.left_out]


def _fits_out_of_turn(names: KnownNames, tokens: Tokens) -> Iterator[Fit]:
    """Yield the lines by which any seat plays a listed card."""
    for seat in names.seats if tokens else ():
        for action in names.game.actions:
            first = grammar(action).arguments[:1]
            if first and first[0].kind is SEAT and first[0].field == "seat":
                named = {each.field for each in grammar(action).arguments if each.kind in (HANDLE, TEXT)}
                fits = _bare(names, (Draft(action, {"seat": seat}),), tokens)
                yield from (fit for fit in fits if fit.fields & named)


def _bare(names: KnownNames, drafts: Iterable[Draft], tokens: Tokens, *, waits: bool = False) -> Iterator[Fit]:
    """Yield the lines of drafts that words without a verb may stand for."""
    for draft in drafts:
        matcher = LineMatcher(names, draft, figures_only=_are_figures(tokens), waits=waits)
        for fit in matcher.find_fits(tokens):
            if fit.says and not fit.is_new and _is_alike(names, draft, fit):
                yield fit


def _is_alike(names: KnownNames, draft: Draft, fit: Fit) -> bool:
    """Return True if the words replace an offered thing only by a thing, and a seat only by a seat."""
    return all(names.is_seat(fit.given[field]) == names.is_seat(value) for field, value in draft.given.items())
