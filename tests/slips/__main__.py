"""Types so many texts at random tables: python -m tests.slips 20000"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from random import Random

import click

from tests.slips.random_tables import GAMES, tables
from tests.slips.texts import texts
from tests.slips.trial import Bench, Trial


@click.command()
@click.argument("count", type=click.IntRange(1), default=20000)
@click.option("--first", type=int, default=1)
@click.option("--game", "only", type=click.Choice(list(GAMES)))
@click.option("--each", type=int, default=40, help="Texts at one table.")
@click.option("--examples", type=int, default=3)
@click.option("--cause", default="")
def main(count: int, first: int, only: str | None, each: int, examples: int, cause: str) -> None:
    for game in (only,) if only else tuple(GAMES):
        outcomes: Counter[str] = Counter()
        causes: dict[str, list[tuple[int, int, Trial]]] = defaultdict(list)
        tried, at_tables, seed = 0, 0, first
        while tried < count:
            for number, session in enumerate(tables(game, seed)):
                bench = Bench(session)
                at_tables += 1
                chance = Random(f"{game} {seed} {number}")
                for text in texts(bench.vocabulary, bench.meanings.lines(), chance, each):
                    trial = bench.try_text(text)
                    tried += 1
                    outcomes[trial.outcome] += 1
                    if trial.cause:
                        causes[trial.cause].append((seed, number, trial))
                if tried >= count:
                    break
            seed += 1
        click.echo(f"== {game}: {tried} texts at {at_tables} tables, {dict(outcomes)}")
        for what, trials in sorted(causes.items(), key=lambda item: -len(item[1])):
            if cause and cause not in what:
                continue
            click.echo(f"  {len(trials)} × {what}")
            seen = sorted(trials, key=lambda t: len(t[2].text))
            for seed, number, trial in seen[:: max(1, len(seen) // examples)][:examples]:
                click.echo(f"    [{seed}.{number}] “{trial.text}” {trial.outcome} {' & '.join(trial.lines)}: {trial.wrong}  |  {trial.said[:160]}")


main()
