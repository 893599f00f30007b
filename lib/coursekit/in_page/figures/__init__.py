"""Draw plain figures as SVG, with the part of Matplotlib's interface that books' cells use.

Matplotlib for a page is several megabytes. A cell that draws lines, bands, boxes, texts, arrows or
an image gets the same figure from here, a little plainer; for anything else `MissingError` says
that the figure runs in the notebook.
"""

from coursekit.in_page.figures.axes import Axes
from coursekit.in_page.figures.figure import Figure, pyplot

__all__ = ["Axes", "Figure", "pyplot"]
