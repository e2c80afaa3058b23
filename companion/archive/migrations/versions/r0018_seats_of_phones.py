"""A phone has a seat at each table; a waiting phone is marked if its PIN was right."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Move each seat to the phone that was last seen at it, and delete hands without a phone."""
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
    # Of several phones at a seat the last row is the one that was seen last and is not away.
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
