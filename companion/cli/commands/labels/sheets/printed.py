"""`companion labels sheets printed`."""

from companion.cli.commands.labels.sheets._shared import outcome_command

command = outcome_command("printed", "What waits on the sheets came out right, and is used.")
