"""Parameters of multi-head attention in the layouts of torch and keras, as NumPy arrays.

Ours are ``w_query, w_key, w_value, w_output`` of shape (in, out) and ``b_*`` of shape (out,). Torch
stores (out, in) and stacks the three input projections; keras gives the heads an axis of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attn._arguments import Array, Shaped, check_count, shape_of

Parameters = dict[str, Array]
_INPUTS = ("query", "key", "value")
#: Parameters of options that other libraries' layers do not have.
_OPTIONS = {"sinks", "g_query", "g_key", "w_gate"}


def from_torch(state: Mapping[str, Any], convert: Callable[[str, Any], Any]) -> dict[str, Any]:
    """Return our parameters from the state of a ``torch.nn.MultiheadAttention``.

    ``convert`` makes arrays or tensors of them, and gets their names for its errors.
    """
    arrays = {name: convert(name, array) for name, array in state.items()}
    if "bias_k" in arrays:
        raise ValueError("state has bias_k: add_bias_kv has no counterpart here")
    try:
        if "in_proj_weight" in arrays:
            joined = arrays["in_proj_weight"]  # (3 * d_model, d_model)
            projections = list(joined.reshape(3, -1, joined.shape[-1]))
        else:
            projections = [arrays[f"{name[0]}_proj_weight"] for name in _INPUTS]
        parameters = {f"w_{n}": w.T for n, w in zip(_INPUTS, projections, strict=True)}
        parameters["w_output"] = arrays["out_proj.weight"].T
    except KeyError as missing:
        raise ValueError(f"state has no {missing}; it has {sorted(arrays)}") from None
    if "in_proj_bias" in arrays:
        biases = arrays["in_proj_bias"].reshape(3, -1)
        parameters |= {f"b_{n}": b for n, b in zip(_INPUTS, biases, strict=True)}
        parameters["b_output"] = arrays["out_proj.bias"]
    return parameters


def to_torch(parameters: Mapping[str, Array], soft_cap: float | None = None) -> Parameters:
    """Return the state of the ``torch.nn.MultiheadAttention`` with our parameters."""
    _refuse_options(parameters, soft_cap, "torch.nn.MultiheadAttention")
    # each of shape (num_heads * head_dim, width)
    projections = [parameters[f"w_{name}"].T for name in _INPUTS]
    d_model = parameters["w_output"].shape[1]
    if any(projection.shape[0] != d_model for projection in projections):
        raise ValueError(
            "torch.nn.MultiheadAttention needs num_heads * head_dim == d_model for queries, keys "
            f"and values; here {[p.shape[0] for p in projections]} and {d_model}"
        )
    state: Parameters = {}
    if all(projection.shape[1] == d_model for projection in projections):
        state["in_proj_weight"] = np.concatenate(projections)
    else:
        named = zip(_INPUTS, projections, strict=True)
        state |= {f"{name[0]}_proj_weight": p.copy() for name, p in named}
    state["out_proj.weight"] = parameters["w_output"].T.copy()
    if "b_query" in parameters:
        state["in_proj_bias"] = np.concatenate([parameters[f"b_{name}"] for name in _INPUTS])
        state["out_proj.bias"] = parameters["b_output"].copy()
    return state


def from_keras(weights: Sequence[ArrayLike]) -> tuple[Parameters, int]:
    """Return our parameters, and the number of heads, from keras' list of kernels and biases."""
    arrays = [np.asarray(array) for array in weights]
    names = ("query", "key", "value", "output")
    if len(arrays) not in (4, 8):
        raise ValueError(f"keras' layer has 4 or 8 weights; these are {len(arrays)}")
    kernels = dict(zip(names, arrays[:: len(arrays) // 4], strict=True))
    if any(kernel.ndim != 3 for kernel in kernels.values()):
        raise ValueError(f"keras' kernels have three axes; these are {_shapes(kernels)}")
    ours: Parameters = {f"w_{n}": k.reshape(k.shape[0], -1) for n, k in kernels.items()}
    ours["w_output"] = kernels["output"].reshape(-1, kernels["output"].shape[-1])
    if len(arrays) == 8:
        ours |= {f"b_{n}": b.reshape(-1) for n, b in zip(names, arrays[1::2], strict=True)}
    return ours, kernels["query"].shape[1]


def to_keras(
    parameters: Mapping[str, Array], num_heads: int, soft_cap: float | None = None
) -> list[Array]:
    """Return keras' list of kernels, each followed by its bias if there are any."""
    _refuse_options(parameters, soft_cap, "keras.layers.MultiHeadAttention")
    if parameters["w_key"].shape[1] != parameters["w_query"].shape[1]:
        wide, narrow = (parameters[f"w_{name}"].shape for name in ("query", "key"))
        raise ValueError(f"keras has as many key heads as query heads; here {narrow} and {wide}")
    arrays: list[Array] = []
    for name in _INPUTS:
        kernel = parameters[f"w_{name}"]
        arrays.append(kernel.reshape(kernel.shape[0], num_heads, -1).copy())
        if "b_query" in parameters:
            arrays.append(parameters[f"b_{name}"].reshape(num_heads, -1).copy())
    output = parameters["w_output"]
    arrays.append(output.reshape(num_heads, -1, output.shape[1]).copy())
    return [*arrays, parameters["b_output"].copy()] if "b_query" in parameters else arrays


def widths(parameters: Mapping[str, Any], num_heads: int) -> dict[str, Any]:
    """Return the arguments of the layer with these parameters, or raise ValueError."""
    needed = {"w_query", "w_key", "w_value", "w_output"}
    biases = {name.replace("w_", "b_") for name in needed}
    options = set(parameters) & _OPTIONS
    alone = {"g_query", "g_key"} & options not in (set(), {"g_query", "g_key"})
    if set(parameters) - options not in (needed, needed | biases) or alone:
        raise ValueError(
            f"parameters are {sorted(parameters)}; expected {sorted(needed)}, or also b_*, sinks, "
            "g_query and g_key, w_gate"
        )
    if any(parameters[name].ndim != 2 for name in needed):
        raise ValueError(f"parameters have shapes {_shapes(parameters)}; expected matrices w_*")
    d_model, wide = parameters["w_query"].shape
    head_dim, rest = divmod(wide, check_count("num_heads", num_heads, 1))
    d_key, narrow = parameters["w_key"].shape
    expected: dict[str, tuple[int, ...]] = {"w_output": (wide, d_model)}
    expected["w_value"] = (len(parameters["w_value"]), narrow)
    lengths = {"b_query": wide, "b_key": narrow, "b_value": narrow, "b_output": d_model}
    lengths |= {"sinks": num_heads, "g_query": head_dim, "g_key": head_dim}
    expected |= {name: (n,) for name, n in lengths.items() if name in parameters}
    gate = _gate(parameters, num_heads)
    if gate is not None:
        expected["w_gate"] = (d_model, num_heads if gate == "head" else wide)
    wrong = any(parameters[name].shape != shape for name, shape in expected.items())
    if wrong or rest or not head_dim or narrow % head_dim:
        raise ValueError(
            f"parameters of {num_heads} heads do not fit together: {_shapes(parameters)}"
        )
    return {
        "d_model": d_model,
        "num_heads": num_heads,
        "head_dim": head_dim,
        "d_key": d_key,
        "d_value": len(parameters["w_value"]),
        "num_kv_heads": narrow // head_dim,
        "bias": "b_query" in parameters,
        "sink": "sinks" in parameters,
        "qk_norm": "g_query" in parameters,
        "gate": gate,
    }


def _gate(parameters: Mapping[str, Any], num_heads: int) -> str | None:
    """Return which gate the shape of its weight shows, None without one."""
    if "w_gate" not in parameters:
        return None
    return "head" if parameters["w_gate"].shape[-1] == num_heads else "feature"


def _refuse_options(parameters: Mapping[str, Array], soft_cap: float | None, layer: str) -> None:
    """Raise ValueError if there is something for which another library has no place."""
    used = set(parameters) if soft_cap is None else {*parameters, "soft_cap"}
    if options := sorted(used & {*_OPTIONS, "soft_cap"}):
        raise ValueError(f"{layer} has no {', '.join(options)}: these stay here")


def _shapes(arrays: Mapping[str, Shaped]) -> str:
    return ", ".join(f"{name} {shape_of(array)}" for name, array in arrays.items())
