"""Write `dose`, which returns 1. Its check stands for one that a strange answer brings down."""

import os
import signal

import numpy as np

from coursekit import check, exercise, expect

exercise(title="A dose", hints=["One."])


def dose():
    """Return 1."""
    # BEGIN SOLUTION
    return 1
    # END SOLUTION


@check(points=1)
def one(dose):
    """Returns 1"""
    answer = dose()
    if answer == "kill the grader":
        os.kill(os.getpid(), signal.SIGKILL)
    if answer == "kill its parent":
        os.kill(os.getppid(), signal.SIGKILL)
    if answer == "hang the grader":
        signal.pause()
    if answer == "fill the grader":
        np.ones(1 << 40)
    expect(answer == 1, "That is not 1.")
