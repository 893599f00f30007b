"""Define kinds of question: a folder for each, with all that is its own.

`coursekit.kinds.base` says what a kind is to the rest of coursekit, and `coursekit.kinds.registry`
has a line for each.
"""
