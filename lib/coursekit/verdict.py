"""How a check can end. It stands alone, so that whatever reads results can import it anywhere."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """What became of one check. Code compares this, and never the sentence that goes with it."""

    #: The answer is correct.
    PASSED = "passed"
    #: It is wrong or missing, or a person gave fewer than all points.
    FAILED = "failed"
    #: It waits for a person to grade it.
    MANUAL = "manual"
    #: Nobody has looked: the submission could not be read or run that far.
    NOT_RUN = "not_run"
