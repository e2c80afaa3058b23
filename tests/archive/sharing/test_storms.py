"""A sample of the storms that `make soak` lets blow over a shared folder."""

import pytest

from tests.archive.sharing.storm import blow

pytestmark = pytest.mark.files


COPY_OF_A_KILLED_PROGRAM = 7208
"""The seed of a storm in which a copy stays of what a program wrote that was killed."""


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", [*range(9), COPY_OF_A_KILLED_PROGRAM])
def test_an_evening_on_a_bad_folder_loses_and_doubles_nothing(seed: int) -> None:
    assert blow(seed) == []
