"""The lock that everything holds that sets texts, draws labels, or draws pages of a PDF."""

import threading
from typing import Final

DRAWING_LOCK: Final = threading.RLock()
"""Held while labels are set or drawn, as the libraries for fonts and for pictures of pages allow no second thread."""
