"""Cells that run outside of a notebook: in a page, one after another, in one namespace.

`cells` runs them and renders what they show, `names` completes and explains names, `trace` runs
code step by step. `standins` gives cells what a notebook has and a page lacks: IPython's display,
and in Matplotlib's place what draws nothing (`undrawn`). Nothing here needs Pyodide.
"""
