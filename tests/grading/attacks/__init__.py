"""Notebooks that try to earn what they did not do, or to do harm. None of them solves anything."""

from . import checks, messages, outside, resources, secrets

ATTACKS = resources.ATTACKS | checks.ATTACKS | messages.ATTACKS | secrets.ATTACKS | outside.ATTACKS
