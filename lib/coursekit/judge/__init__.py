"""Judge an answer: what a check may ask, how values are compared, and what is said of them.

Nothing here knows of files, notebooks or pages, so the same code judges in all of them.
"""
