"""Numbers of *soft-and-hard*."""

#: Curves with 16 draws for each query.
DRAWS, SOFT = (f"updates, {who}, draws for each query 16" for who in ("draws", "soft"))
