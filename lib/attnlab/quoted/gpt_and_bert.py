"""Numbers of *gpt-and-bert*."""

from attnlab.models.stored_weights import count

#: One model has as many parameters as the other.
size = count("next token")
