"""Exercises in the page: TypeScript, styles, and the Python that Pyodide runs (`in_page`)."""
