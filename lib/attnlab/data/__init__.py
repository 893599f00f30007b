"""Sentences, words and pictures that experiments and chapters work with, and where they come from.

The ``.npz`` files were taken from published models and word vectors; ``LICENCES.md`` names them.
"""
