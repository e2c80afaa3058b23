"""Shared parts of the commands that print: options, a run from its plan to its outcome, sheets and printers."""
