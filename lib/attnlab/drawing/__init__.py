"""Everything that draws a figure, a table or a heat map, in one visual language.

A query is a blue circle, a key an orange square, a value (and the output, made of values) a green
triangle. Weights run from paper (0) to ink (1), scores from orange through paper to blue, and a
masked cell is hatched. ``tokens.css`` is the source of every colour. Figures that move are drawn
in ``explorables``.

A *figure* is one picture in the book, *axes* are where matplotlib draws, a *heat map* shows a
matrix of weights or scores, and a *plane* shows vectors with two components.
"""

from attnlab.drawing.boxes import multi_head_blocks
from attnlab.drawing.concept_map import concept_map
from attnlab.drawing.curves import plot_curves
from attnlab.drawing.gpt_diagram import gpt_diagram
from attnlab.drawing.heat_axes import all_heads, draw_heat_map, head_row
from attnlab.drawing.heat_map import weights_table
from attnlab.drawing.line_labels import label_ends
from attnlab.drawing.looks_back import looks_back
from attnlab.drawing.matplotlib_style import describe, use
from attnlab.drawing.plane import query_and_keys, vector
from attnlab.drawing.stages import attention_stages, head_stages
from attnlab.drawing.tokens import palette
from attnlab.drawing.value_table import table

__all__ = [
    "all_heads",
    "attention_stages",
    "concept_map",
    "describe",
    "draw_heat_map",
    "gpt_diagram",
    "head_row",
    "head_stages",
    "label_ends",
    "looks_back",
    "multi_head_blocks",
    "palette",
    "plot_curves",
    "query_and_keys",
    "table",
    "use",
    "vector",
    "weights_table",
]
