"""Lists mark the chores for a label that is gone before it was ticked off as stuck: leave it off, or cross it out.

These columns of decks' rows follow from their entries, and are filled after the last revision (`migrate`).
"""

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Change nothing: the tables stay as they are."""
