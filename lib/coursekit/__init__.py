"""Define an exercise once; check, render and grade it everywhere.

This module exports what exercise files use. The command line is :mod:`coursekit.cli`. coursekit
works for a course on any subject (:mod:`coursekit.course` tells how a course names itself); without
extras it needs only NumPy.
"""

from coursekit.bank.define import Exercise, check, exercise, mistake, quiz, shared_mistakes
from coursekit.bank.running import run_check
from coursekit.in_notebook import check_answer, progress
from coursekit.judge.expect import (
    CheckFailed,
    as_array,
    expect,
    expect_close,
    expect_integer,
    expect_shape,
)
from coursekit.judge.inputs import call_keeping_inputs
from coursekit.judge.predictions import require_code, require_prediction
from coursekit.judge.verdict import Status, Verdict
from coursekit.judge.whole_numbers import call_with_whole_numbers
from coursekit.kinds import registry as _kinds
from coursekit.kinds.registry import *  # noqa: F403 - what declares questions, each named there
from coursekit.kinds.registry import check_form

__all__ = [
    "CheckFailed",
    "Exercise",
    "Status",
    "Verdict",
    "as_array",
    "call_keeping_inputs",
    "call_with_whole_numbers",
    "check",
    "check_answer",
    "check_form",
    "exercise",
    "expect",
    "expect_close",
    "expect_integer",
    "expect_shape",
    "mistake",
    "progress",
    "quiz",
    "require_code",
    "require_prediction",
    "run_check",
    "shared_mistakes",
]
__all__ += _kinds.__all__
