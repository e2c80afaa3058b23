"""Type, colours and measures of all designs, in one place.

Sizes and lengths are points on a label of 18294. Larger labels scale everything in proportion. The tiers' colours are
defined with the tiers, which belong to a game.
"""

from labels.geometry import INCH, MM

TITLE = 9.5
EFFECT = 9.0
TEXT = 7.5
"""For free texts, which may stand beside anything."""
LEAST_EQUAL = 6.5
"""No text is made smaller than this to match its neighbours on a sheet."""
RISE = 0.76
"""The least height of a name above its baseline, in em: that of its tall letters."""
TAG = 5.5
NAME = 10.0
NOTE = 6.5
NAMED = 7.5
"""A name wraps to a second line before it is smaller than this, so it is never as small as the line below it."""
FIGURE = 16.0
FIGURE_SHARE = 0.38
"""The share of a wide label's height that figures take if that is larger."""
ALONE = 26.0
"""For figures with only a name on their label, which leaves them the room."""
COUNTED = 8.0
"""For the figures of boxes to count on, which must leave space for marks."""
INDEX = 7.5
MARK = 11.0
CAPITALS = 0.69
"""Height of capitals and figures, in em."""

INK = "#2B2F36"
"""For fields without a tier's colour: figures, headings, rules."""
SOFT = "#5F6670"
"""For words that explain a figure."""
RULE = "#B9BEC6"
"""For lines to write on."""

STRIPE = 10.5
HEAD = STRIPE + 1.5
CODE = 6 * MM
"""The side of a code that identifies a label, with its quiet zone, for a phone held above a table."""
FRAME = 0.75
"""The coloured border around it."""
CODED = CODE + 2 * FRAME
"""The width of a stripe with a code in it."""
GAP = 3.5
UNDER = 2.0
"""Space between a stripe or a name and the content below it."""
TINY = 55.0
"""A label no larger than this inside, in width and height, has its name in its stripe."""
CORNER = 1.6
HAIR = 0.5
BESIDE = 92.0
"""The least width of a room for a note beside figures rather than below."""
NOTED = 30.0
"""The part of that width that figures must leave for the note."""
FIGURES = 12.0
"""The least height of figures, with the space below them."""
WRITING = 13.0
"""Distance between two lines to write on."""

HIGH = 0.66 * INCH
REFERENCE = 1.75 * INCH * HIGH
"""The height, and the area in square points, that all sizes here are made for."""
WIDE = 1.6
"""A label narrower than this multiple of its height has no room for text beside a mark or a code."""
