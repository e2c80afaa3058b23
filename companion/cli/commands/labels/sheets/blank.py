"""`companion labels sheets blank`."""

from companion.cli.commands.labels.sheets._shared import outcome_command

command = outcome_command("blank", "What waits on the sheets was never printed: its positions are free again.")
