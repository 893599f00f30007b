"""Provide training logs and heat maps with a fault each, for readers to find.

All numbers are real. ``python -m attnlab.faults`` trains the models of `attnlab.models.faulty`
again, in about a minute, and stores ``logs.json``; the maps are those of a head of MiniLM under
wrong masks. Runs and maps have letters and numbers, so that the code of a page does not tell.
"""

from attnlab.faults.logs import RUNS, SEED, figure, load, log_table
from attnlab.faults.maps import heat_map

__all__ = ["RUNS", "SEED", "figure", "heat_map", "load", "log_table"]
