"""`companion wizard`: another name for `companion people`, which was called so before."""

from companion.cli.people import command

__all__ = ["command"]
