"""Numbers of *welcome*."""

from __future__ import annotations

from attnlab.gpt import load
from attnlab.gpt.page_file import flat

#: How many weights the model has that writes there.
num_weights = sum(parameters.size for parameters in flat(load()).values())
