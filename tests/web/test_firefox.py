"""The pages in a real Firefox: a seat from the code to a dodge."""

from pathlib import Path
from typing import Final

import pytest

from companion.session.table.confirmations import ActionDone
from tests.web.firefox import open_firefox
from tests.web.serving import Host

pytestmark = pytest.mark.slow

BAR: Final = "getComputedStyle(document.querySelector('#mine .gauge rect'))"
TONE: Final = "getComputedStyle(document.querySelector('#mine .big'))"


def test_a_round_is_played_in_firefox(own_host: Host, tmp_path: Path) -> None:
    session = own_host.fight()
    own_host.server.phones.allow_all("own")
    hosting = own_host.sitting(session)

    def host(*lines: str) -> None:
        for line in lines:
            hosting.follow()
            assert isinstance(hosting.enter(line), ActionDone), line

    with open_firefox(tmp_path) as firefox:
        firefox.open(f"http://127.0.0.1:{own_host.port}/J/{own_host.server.phones.invitation}")
        faults = firefox.faults()
        firefox.tap("button[name=seat]", "Ben")
        firefox.until("document.querySelector('#mine h2')?.innerText.includes('Ben')")
        faults += firefox.faults()
        # News comes by itself.
        host("reveal ana 9S", "reveal cy 6C")
        firefox.until("document.querySelector('#told').innerText.includes('Cy reveals')")
        firefox.tap("#asked .own button", "two of spades")
        firefox.until("document.querySelector('#log').innerText.includes('Ben reveals')")
        host("pass ana")
        firefox.tap("#asked .own button", "Pass")
        firefox.until("document.querySelector('#log').innerText.includes('Ben passes')")
        host("pass cy", "damage")
        # A card chosen on the page says what it would do before it is sent.
        firefox.until("document.querySelector('#asked .own form[data-sum]')")
        faults += firefox.faults()
        firefox.tap("#asked .own input[name=item]", "ten of hearts")
        firefox.until("document.querySelector('#asked .own output').innerText.includes('10♥:')")
        firefox.tap("#asked .own .send button", "Dodge")
        firefox.until("document.querySelector('#log').innerText.includes('Ben dodges')")
        faults += firefox.faults()
        assert faults == []
        # A bar has the colour of its tier.
        host("set ben hp 20")
        firefox.until(f"{BAR}.fill === {TONE}.color && Boolean(document.querySelector('#mine .gauge.good'))")
        host("set ben hp 2")
        firefox.until(f"{BAR}.fill === {TONE}.color && Boolean(document.querySelector('#mine .gauge.bad'))")
        firefox.until("document.querySelector('#mine .gauge rect').getBoundingClientRect().width < 60")
    lines = [line.line for line in own_host.archive.lines(session)]
    assert lines.count("reveal ben 2S") == lines.count("dodge ben 10H") == 1
