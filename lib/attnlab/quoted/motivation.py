"""Numbers of *motivation*."""

from attnlab.data.grammar import Grammar

grammar = Grammar()
