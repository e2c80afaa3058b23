"""Type, colours and measures of all designs, in one place: whoever changes the look changes it here.

Sizes and lengths are points on a label of 18294; a label with more room has everything larger in proportion. The tiers'
colours stand with the tiers, which are a game's own.
"""

from labels.geometry import INCH, MM

TITLE = 9.5
EFFECT = 9.0
TEXT = 7.5
"""For texts of one's own, which stand beside anything."""
LEAST_EQUAL = 6.5
"""No text is made smaller than this for the sake of its neighbours on a sheet."""
RISE = 0.76
"""How far a name reaches up from its line at least, in em: as far as its high letters would."""
TAG = 5.5
NAME = 10.0
NOTE = 6.5
NAMED = 7.5
"""A name takes a second line before it is smaller than this, and so never near the small line below it."""
FIGURE = 16.0
FIGURE_SHARE = 0.38
"""How much of the height of a wide label figures take where that is more."""
ALONE = 26.0
"""Figures with nothing but a name on their label, which leaves them the room."""
COUNTED = 8.0
"""For the figures of boxes to count on, which must be left free enough to be marked."""
INDEX = 7.5
MARK = 11.0
CAPITALS = 0.69
"""How high capitals and figures are, in em."""

INK = "#2B2F36"
"""For fields that no tier colours: figures, headings, rules."""
SOFT = "#5F6670"
"""For words that explain a figure."""
RULE = "#B9BEC6"
"""For lines to write on."""

STRIPE = 10.5
HEAD = STRIPE + 1.5
CODE = 6 * MM
"""The side of a code that names a label, with its quiet zone: as a telephone reads it from above a table."""
FRAME = 0.75
"""The colour around it."""
CODED = CODE + 2 * FRAME
"""A stripe with a code in it."""
GAP = 3.5
UNDER = 2.0
"""Paper between a stripe or a name and what stands below it."""
TINY = 55.0
"""A label that is neither higher nor wider than this inside has its name in its stripe."""
CORNER = 1.6
HAIR = 0.5
BESIDE = 92.0
"""How wide a room must be for a note beside figures, not below."""
NOTED = 30.0
"""How much of it figures must leave for the note."""
FIGURES = 12.0
"""How high figures are at least, with what is below them."""
WRITING = 13.0
"""From one line to write on to the next."""

HIGH = 0.66 * INCH
REFERENCE = 1.75 * INCH * HIGH
"""The height, and the area in square points, for which all this is right."""
WIDE = 1.6
"""A label less wide than this many times its height has no room for text beside a mark or a code."""
