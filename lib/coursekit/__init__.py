"""Define an exercise once; check, render and grade it everywhere.

This module exports what exercise files use. The command line is :mod:`coursekit.cli`. coursekit
works for a course on any subject (:mod:`coursekit.course` tells how a course names itself); without
extras it needs only NumPy.
"""

from coursekit._expect import (
    CheckFailed,
    as_array,
    expect,
    expect_close,
    expect_integer,
    expect_parts,
    expect_shape,
)
from coursekit.define import Exercise, check, exercise, quiz
from coursekit.inputs import call_keeping_inputs, expect_same
from coursekit.predictions import require_code
from coursekit.questions import check_form
from coursekit.running import report, run_check
from coursekit.verdict import Status, Verdict
from coursekit.whole_numbers import call_with_whole_numbers

__all__ = [
    "CheckFailed",
    "Exercise",
    "Status",
    "Verdict",
    "as_array",
    "call_keeping_inputs",
    "call_with_whole_numbers",
    "check",
    "check_form",
    "exercise",
    "expect",
    "expect_close",
    "expect_integer",
    "expect_parts",
    "expect_same",
    "expect_shape",
    "quiz",
    "report",
    "require_code",
    "run_check",
]
