"""Define the concept map of the review: the ideas of the course and how they connect.

A chapter is one line of `IDEAS`, and one or more of `LINKS`. Columns and rows count from 0, from
the upper left; a link leads one row down.
"""

from __future__ import annotations

from typing import NamedTuple


class Idea(NamedTuple):
    """A chapter's idea, and where the map has it."""

    chapter: str
    name: str
    column: int
    row: int


class Link(NamedTuple):
    """How one idea leads to another."""

    start: str
    words: str
    end: str


IDEAS = (
    Idea("motivation", "Look back at every word", 1, 0),
    Idea("queries-keys-values", "Queries, keys, values", 1, 1),
    Idea("scores", "Score functions", 0, 2),
    Idea("scaled-dot-product", "Score, scale, softmax, sum", 1, 2),
    Idea("soft-and-hard", "Soft, hard, local", 2, 2),
    Idea("masking", "Masks", 0, 3),
    Idea("self-and-cross", "Self- and cross-attention", 1, 3),
    Idea("positions", "Positions", 2, 3),
    Idea("at-work", "Seven applications", 0, 4),
    Idea("multi-head", "Many heads", 1, 4),
    Idea("interpretation", "What weights show", 2, 4),
    Idea("windows", "Windows", 0, 5),
    Idea("transformer", "The Transformer", 1, 5),
    Idea("circuits", "Circuits of heads", 2, 5),
    Idea("hashing", "Hashing (LSH)", 0, 6),
    Idea("gpt-and-bert", "GPT and BERT", 1, 6),
    Idea("fast-exact", "Online softmax, cache", 0, 7),
    Idea("build-a-gpt", "A GPT of your own", 1, 7),
    Idea("attention-today", "Attention today", 0, 8),
    Idea("attention-memory", "A smaller memory", 0, 9),
)

LINKS = (
    Link("motivation", "by comparing", "queries-keys-values"),
    Link("queries-keys-values", "compare by", "scores"),
    Link("queries-keys-values", "all at once", "scaled-dot-product"),
    Link("queries-keys-values", "mix or choose", "soft-and-hard"),
    Link("scaled-dot-product", "hide keys", "masking"),
    Link("scaled-dot-product", "of X to Y", "self-and-cross"),
    Link("scaled-dot-product", "see the order", "positions"),
    Link("self-and-cross", "are used", "at-work"),
    Link("self-and-cross", "side by side", "multi-head"),
    Link("self-and-cross", "are read", "interpretation"),
    Link("multi-head", "near keys", "windows"),
    Link("multi-head", "in a block", "transformer"),
    Link("interpretation", "experiment", "circuits"),
    Link("windows", "by direction", "hashing"),
    Link("transformer", "one stack", "gpt-and-bert"),
    Link("hashing", "or exactly", "fast-exact"),
    Link("gpt-and-bert", "part by part", "build-a-gpt"),
    Link("fast-exact", "since 2021", "attention-today"),
    Link("attention-today", "a smaller cache", "attention-memory"),
)
