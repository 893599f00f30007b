"""Figures of the core chapters, drawn from the arrays that the chapter computes.

Each takes the arrays and returns a figure; no number in it is written by hand. Rows are queries,
columns are keys, and shapes stand beside their arrays.
"""

from attnlab.figures.plane import query_and_keys
from attnlab.figures.product import query_key_product
from attnlab.figures.steps import one_output

__all__ = ["one_output", "query_and_keys", "query_key_product"]
