"""Notebooks that try to earn what they did not do, or to do harm. None of them solves anything."""

from . import (
    checks,
    itself,
    messages,
    notebooks,
    outside,
    poses,
    resources,
    secrets,
    strangers,
    strangers_answers,
    strangers_kernel,
    strangers_limits,
)
from .attack import Attack

_STRANGERS = (strangers, strangers_limits, strangers_kernel, strangers_answers)
_GROUPS = (resources, checks, poses, messages, itself, notebooks, secrets, outside, *_STRANGERS)
ATTACKS: dict[str, Attack] = {name: a for group in _GROUPS for name, a in group.ATTACKS.items()}
