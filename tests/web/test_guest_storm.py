"""A few storms of guests; `make soak` has a thousand."""

import pytest

from tests.web import guest_storm


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_a_storm_of_guests_costs_nobody_a_line(number: int) -> None:
    outcome = guest_storm.blow(number)
    assert outcome.broke == []
    assert outcome.counts["screen kept"] + outcome.counts["lines kept"] >= 0.95 * 2 * guest_storm.LINES
    assert outcome.counts["phones kept"] > 0
