"""The paper and the ink of sheets that are not labels: those that were chosen, or those of the settings."""

from __future__ import annotations

from companion.forms import settings
from labels.geometry import INK_NAMES, InkName, Paper, is_paper, paper_of_region, parse_paper


def ink_name(chosen: InkName | None) -> InkName | None:
    """Return the given ink, or the default one; None for what the labels ask for."""
    if chosen is not None:
        return chosen
    usual_ink = settings.read_settings().ink
    return next((each for each in INK_NAMES if each == usual_ink), None)


def plain_paper(chosen: Paper | None) -> Paper:
    """Return the given plain paper, or the default one, or that of the region."""
    usual_paper = settings.read_settings().paper
    return chosen or (parse_paper(usual_paper) if is_paper(usual_paper) else paper_of_region())
