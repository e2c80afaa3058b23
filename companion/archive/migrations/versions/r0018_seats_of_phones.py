"""A phone has a seat at each table; of who waits at the door, whether the PIN was right."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Move each seat to the phone that was seen last at it, and delete hands that nobody holds any more."""
    op.create_table(
        "phone_seats",
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("seat", sa.Text, primary_key=True),
        sa.Column("phone", sa.Text, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "phone_names",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("since", sa.DateTime, nullable=False),
        if_not_exists=True,
    )
    op.create_table("pin_knowers", sa.Column("phone", sa.Text, primary_key=True), if_not_exists=True)
    connection = op.get_bind()
    rows = connection.execute(
        sa.text("SELECT session, seat, phone FROM phones WHERE seat <> '' ORDER BY away DESC, seen, phone")
    )
    # The last of several phones at a seat is the one that was seen last and was not sent away.
    holders = {(session, seat): phone for session, seat, phone in rows}
    for (session, seat), phone in holders.items():
        connection.execute(
            sa.text(
                "INSERT INTO phone_seats (session, seat, phone) VALUES (:session, :seat, :phone) ON CONFLICT DO NOTHING"
            ),
            {"session": session, "seat": seat, "phone": phone},
        )
    connection.execute(
        sa.text(
            "DELETE FROM hands WHERE NOT EXISTS (SELECT 1 FROM phone_seats"
            " WHERE phone_seats.session = hands.session AND phone_seats.seat = hands.seat)"
        )
    )
