"""`companion labels sheets spoiled`."""

from companion.cli.commands.labels.sheets._shared import outcome_command

command = outcome_command("spoiled", "What waits on the sheets came out wrong: its labels are lost.")
