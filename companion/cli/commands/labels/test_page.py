"""`companion labels test-page`."""

from __future__ import annotations

import click

from companion.cli.common import open_archive
from companion.cli.printing import options
from companion.cli.printing.options import PaperOptions, paper_options, translate_label_errors
from companion.cli.printing.run import calibration_for, open_viewer, write_document
from companion.forms import settings
from companion.printing import run
from companion.printing.run import paper_advice
from labels.output import testpage
from templates.languages.messages import phrase


@click.command("test-page")
@click.option("--stock", metavar="NAME", help="Label stock, by name or alias.  [default: 18294]")
@click.option(
    "--sheet", metavar="NAME", help="Cross out the used positions of this sheet, which is stored in the archive."
)
@paper_options
def command(stock: str | None, sheet: str | None, paper: PaperOptions) -> None:
    """Print a test page on plain paper.

    It shows each position of the stock, with crosses and rulers to calibrate the printer.

    \b
    Example: companion labels test-page --stock L7651 -o test.pdf
    """
    with translate_label_errors():
        if sheet is None:
            label_stock, used = run.find_stock(options.stock_name(stock)), frozenset[int]()
        else:
            with open_archive(paper.archive) as archive:
                label_stock, (hand,) = run.load_sheets(archive, [sheet], stock)
            used = frozenset(range(1, label_stock.count + 1)) - frozenset(hand.free)
    calibration = calibration_for(paper)
    with write_document(
        lambda out: out.write(
            testpage.render_test_page(label_stock, calibration, used, paper.printer or "", paper.ink)
        ),
        paper,
        label_stock.paper,
        label_stock.media,
        str(phrase("Test page")),
        first=(str(phrase("Put in plain {paper} paper.", paper=label_stock.paper.title)),),
    ) as output:
        pass
    report = phrase("Test page for {stock}: {output}.", stock=label_stock.caption, output=output)
    paper.say_printed(report, is_plain=True)
    if paper.queue is None and (mind := paper_advice(label_stock, settings.read_settings().paper)):
        paper.say(str(mind))
    open_viewer(paper)
