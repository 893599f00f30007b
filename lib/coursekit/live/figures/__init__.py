"""Plain figures as SVG, behind as much of Matplotlib's interface as a book's cells use.

Matplotlib for a page is several megabytes. A cell that draws lines, bands, boxes, texts, arrows or
an image gets the same figure from here, a little plainer; for anything else `MissingError` says
that the figure runs in the notebook.
"""

from coursekit.live.figures.axes import Axes
from coursekit.live.figures.figure import Figure, pyplot

__all__ = ["Axes", "Figure", "pyplot"]
