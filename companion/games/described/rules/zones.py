"""The places of things in play: zones and their lanes, and the moves between them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.described.page import actions as do
from companion.games.described.page.description import TABLE, title_of
from companion.games.described.rules.context import Context, name_of
from companion.games.described.rules.state import Piece
from companion.tabletop.action import RuleError
from companion.tabletop.text import in_quotes
from templates.languages.messages import Text, phrase, phrase_in
from templates.languages.messages import listed as in_list


def place_piece(context: Context, piece: Piece, zone: str, lane: int) -> Piece:
    """Return a thing at its place. Raises RuleError if the place does not exist or is taken.

    While a page's own line is done, a place may still be taken; its lane is then 0, and found by `settle_places`.
    """
    zones = context.plan.page.zones
    if zone and zone not in zones:
        raise RuleError(
            phrase(
                "There is no place {place}; there is: {places}.",
                place=in_quotes(zone),
                places=in_list(zones) if zones else phrase_in("places", "none"),
            )
        )
    lanes = zones[zone].lanes if zone else 0
    if not lanes:
        if lane and zone:
            raise RuleError(phrase("{place} has no lanes.", place=title_of(zone, zones[zone].title)))
        if lane:
            raise RuleError(phrase("This place has no lanes."))
        return replace(piece, zone=zone, lane=0)
    is_checked_later = context.resolution.unplaced is not None
    if not lane:
        taken = {other.lane for other in _others_in_place(context, piece, zone)}
        lane = next((number for number in range(1, lanes + 1) if number not in taken), 0)
        if not lane and is_checked_later:
            return replace(piece, zone=zone, lane=0)
        if not lane:
            place = title_of(zone, zones[zone].title)
            raise RuleError(phrase("All {lanes} lanes of {place} are taken.", lanes=lanes, place=place))
    if not 1 <= lane <= lanes:
        place = title_of(zone, zones[zone].title)
        raise RuleError(phrase("{place} has the lanes 1 to {lanes}.", place=place, lanes=lanes))
    other = next((other for other in _others_in_place(context, piece, zone) if other.lane == lane), None)
    if other and not is_checked_later:
        raise RuleError(phrase("{thing} is already in lane {lane}.", thing=name_of(context, other), lane=lane))
    return replace(piece, zone=zone, lane=lane)


def _others_in_place(context: Context, piece: Piece, zone: str) -> Iterator[Piece]:
    """Yield the other things in the same place."""
    is_shared = context.plan.page.zones[zone].of == TABLE
    for other in context.resolution.state.pieces:
        if other.zone == zone and other.handle != piece.handle and (is_shared or other.owner == piece.owner):
            yield other


def move(context: Context, action: do.Move) -> None:
    """Move a thing to another place or owner. Raises RuleError if it cannot lie there.

    Several moves of a page's own line are checked at its end: two things can change places that hold one each.
    """
    resolution = context.resolution
    piece = resolution.state.piece(action.handle)
    if action.of:
        resolution.state.player(action.of)
    after = replace(piece, owner=action.of or piece.owner)
    after = place_piece(context, after, action.zone or piece.zone, action.lane or (0 if action.zone else piece.lane))
    if resolution.unplaced is not None:
        resolution.unplaced.setdefault(piece.handle, piece)
    if after == piece and resolution.unplaced is None:
        raise RuleError(phrase("{thing} is already there.", thing=name_of(context, piece)))
    if after == piece:
        return
    resolution.update_piece(piece.handle, owner=after.owner, zone=after.zone, lane=after.lane)
    if not after.lane and after.zone and context.plan.page.zones[after.zone].lanes:
        return  # its lane is found at the end of the line
    _tell_move(context, piece, after)


def _tell_move(context: Context, piece: Piece, after: Piece) -> None:
    """Log a move of a thing to another place or owner."""
    resolution = context.resolution
    place = _describe_place(context, after)
    if after.owner != piece.owner:
        player = resolution.name(after.owner)
        text = phrase("{thing} goes to {player}: {place}.", thing=name_of(context, piece), player=player, place=place)
    else:
        text = phrase("{thing} goes: {place}.", thing=name_of(context, piece), place=place)
    resolution.tell(text, after.owner, by_hand=True)


def _describe_place(context: Context, piece: Piece) -> Text:
    """Return the name of the place of a thing, with its lane if it has one."""
    if not piece.zone:
        return phrase("its owner's side")
    title = title_of(piece.zone, context.plan.page.zones[piece.zone].title)
    return phrase("{place}, lane {lane}", place=title, lane=piece.lane) if piece.lane else title


def settle_places(context: Context) -> None:
    """Find the lanes of the things that a page's own line has moved or put down.

    Raises RuleError if there is no room for one of them, or if all of them lie where they were.
    """
    resolution = context.resolution
    moved, resolution.unplaced = resolution.unplaced or {}, None
    stays: list[Piece] = []
    for word, before in moved.items():
        piece = next((piece for piece in resolution.state.pieces if piece.handle == word), None)
        if piece is None:
            continue
        after = place_piece(context, piece, piece.zone, piece.lane)
        if after != piece:
            resolution.update_piece(word, lane=after.lane)
            if before is not None:  # what was put down is told already
                _tell_move(context, before, after)
        if before is not None and (after.owner, after.zone, after.lane) == (before.owner, before.zone, before.lane):
            stays.append(after)
    if stays and len(stays) == len(moved):
        raise RuleError(phrase("{thing} is already there.", thing=name_of(context, stays[0])))
