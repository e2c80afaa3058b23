"""A sample of the storms that `make soak` lets blow over a shared folder."""

import pytest

from tests.archive.sharing.storm import blow

pytestmark = pytest.mark.files


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(9))
def test_an_evening_on_a_bad_folder_loses_and_doubles_nothing(seed: int) -> None:
    assert blow(seed) == []
