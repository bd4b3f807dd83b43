# SPDX-License-Identifier: Apache-2.0
"""The exception of the package, and its warnings."""
from __future__ import annotations

import re
import warnings


class Error(ValueError):
    """What the library refuses: bad data, files or numbers.

    ``status`` is the kind of failure in words, ``file`` and ``line`` are where it lies, when it lies in a file.
    """

    def __init__(self, text: str, status: str = "bad argument"):
        super().__init__(text)
        self.status = status
        place = re.match(r"(.+?):(\d+): ", text) or re.match(r"(.+?\.[A-Za-z0-9]+): ", text)
        self.file: str | None = place.group(1) if place else None
        self.line: int | None = int(place.group(2)) if place and place.lastindex == 2 else None

    def __reduce__(self):
        return Error, (str(self), self.status)


class Warning(UserWarning):
    """What a reader passes over, or an answer that means less than it seems to."""


def warn(text: str) -> None:
    warnings.warn(text, Warning, stacklevel=3)
