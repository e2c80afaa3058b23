"""What the tests of the host's pages share."""

import pytest

from companion.forms import settings
from tests.web.serving import Host


@pytest.fixture
def no_drafts(own_host: Host) -> None:
    """Forget what earlier tests have left."""
    for form in ("page", "game", "rehearsal"):
        for name in settings.draft_answers(own_host.archive.name, form):
            settings.keep_draft(own_host.archive.name, form, name, {})
