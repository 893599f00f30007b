"""Notebooks that try to earn what they did not do, or to do harm. None of them solves anything.

Those of strangers were made from the threat model alone, by somebody who had not seen the grader.
Where a comment begins with ``Once``, the attack succeeded when it was first tried.
"""

from . import (
    checks,
    itself,
    messages,
    notebooks,
    outside,
    poses,
    resources,
    secrets,
    strangers_answers,
    strangers_kernel,
    strangers_limits,
)
from .attack import Attack

_STRANGERS = (strangers_limits, strangers_kernel, strangers_answers)
_GROUPS = (resources, checks, poses, messages, itself, notebooks, secrets, outside, *_STRANGERS)
ATTACKS: dict[str, Attack] = {name: a for group in _GROUPS for name, a in group.ATTACKS.items()}
