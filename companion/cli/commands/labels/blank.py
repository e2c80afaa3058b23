"""`companion labels blank`."""

from __future__ import annotations

import click

from companion.cli.common import Misused, sanitize
from companion.cli.printing.options import PaperOptions, Placing, run_options
from companion.cli.printing.run import print_run
from companion.printing.jobs import Job, add_languages
from companion.printing.wording import tier_looks
from companion.printing.wording import to_tier as look
from labels.designs import BlankLabel
from templates.languages.messages import listed, phrase


@click.command("blank")
@click.argument("count", type=click.IntRange(1, 6000))
@click.option("--tier", metavar="TIER", help="A tier of a game; an unknown one lists the tiers.")
@run_options
def command(count: int, tier: str | None, paper: PaperOptions, placing: Placing) -> None:
    """Print labels to write on by hand, plain or of a tier.

    \b
    Example: companion labels blank 12 -o blank.pdf
    """
    tiers_by_name = tier_looks()
    if tier is not None and tier.lower() not in tiers_by_name:
        raise Misused(
            phrase(
                "“{tier}” is not a tier; tiers are {tiers_by_name}.",
                tier=sanitize(tier),
                tiers_by_name=listed(tiers_by_name),
            )
        )
    label = BlankLabel(look(tiers_by_name[tier.lower()].tier)) if tier else BlankLabel()
    print_run(add_languages(Job(phrase("Blank labels"), (label,) * count)), paper, placing)
