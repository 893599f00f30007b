"""One visual language for every figure, table and explorable of the course.

A query is a blue circle, a key an orange square, a value (and the output, made of values) a green
triangle; weights are ink on paper from 0 to 1; scores run from orange through paper to blue;
masked is hatched. ``tokens.css`` holds the colours, for the page and for matplotlib alike.
"""

from attnlab.style.heat_table import weights_table
from attnlab.style.pictures import describe, heatmap, shape_label, use, vector
from attnlab.style.tokens import palette
from attnlab.style.value_table import table

__all__ = [
    "describe",
    "heatmap",
    "palette",
    "shape_label",
    "table",
    "use",
    "vector",
    "weights_table",
]
