"""The marks of queries, keys, values and outputs: the shape repeats what the colour says."""

from __future__ import annotations

from typing import Literal

Role = Literal["query", "key", "value", "output"]

#: Role: (colour, matplotlib marker). The output is made of values: same colour and mark.
MARKS: dict[Role, tuple[str, str]] = {
    "query": ("query", "o"),
    "key": ("key", "s"),
    "value": ("value", "^"),
    "output": ("value", "^"),
}
