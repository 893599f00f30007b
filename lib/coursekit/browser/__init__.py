"""Show exercises in the page: TypeScript, styles, and the Python in Pyodide (`in_page`)."""
