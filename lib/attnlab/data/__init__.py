"""Provide sentences, words and pictures for experiments and chapters, and say their sources.

The ``.npz`` files were taken from published models and word vectors; ``LICENCES.md`` names them.
"""
