"""Numbers of *fast-exact*, from `make bench`: ratios at 8192 tokens."""

from attnlab.speed import memory, ratios, seconds

CAREFUL = "blockwise, running maximum"
_dense = seconds("dense")
causal = _dense["blockwise, causal"][8192] / _dense["blockwise"][8192]
fast_path = _dense["blockwise"][8192] / _dense[CAREFUL][8192]
memory_to_kernel = memory()["blockwise"] / memory()["torch SDPA"]


def to_kernel(peer: str, pinned: bool = True) -> float:
    """Return the time of a peer over that of PyTorch's kernel."""
    return ratios("dense", "torch SDPA", pinned=pinned)[peer][8192]
