"""Make the page of claims from the experiments, their results and the corrections."""

from attnlab.evidence.page import anchor, claims, corrections_table, place, summary

__all__ = ["anchor", "claims", "corrections_table", "place", "summary"]
