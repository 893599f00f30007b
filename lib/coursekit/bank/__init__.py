"""Read exercise files: what they declare, their parts, and what their mistakes give.

`load` reads one file or a whole bank, `define` has what a file calls, `model` what becomes of it,
`running` runs one check on an answer, and `mistakes` the wrong answers that a file declares.
"""
