"""What was asked on the evenings of the campaign: whoever a question concerns is said."""

from pathlib import Path

from companion.archive import Archive
from companion.session.core import archive_journal
from tests.games.decknforge import holds


def test_each_question_of_the_campaign_names_whom_it_concerns(played: Path) -> None:
    count = 0
    with Archive.open(str(played)) as archive:
        for row in archive.sessions():
            session = archive_journal.resume(archive, row.session)
            for moment in session.moments():
                for prompt in session.game.view(moment.state).prompts:
                    holds.names_whom_it_concerns(moment.state, prompt)
                    count += prompt.seat != ""
    assert count > 1000
