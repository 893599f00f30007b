"""Numbers of *windows*."""

from attnlab.experiments import load


def exponent(name: str) -> float:
    """Return with which power of the tokens a time grows."""
    return float(load("cost")[f"{name}: exponent"].mean[0])
