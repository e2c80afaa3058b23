"""Registers the game that the tests of the archive play."""

import tests.archive.keepsake  # noqa: F401
