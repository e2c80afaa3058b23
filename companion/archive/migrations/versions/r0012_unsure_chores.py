"""Lists say of a label that is gone before anybody ticked that it was stuck: leave it off, or cross it out.

What decks' rows say of that follows from their entries, and is made of them after the last revision (`migrate`).
"""

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """The tables stay as they are."""
