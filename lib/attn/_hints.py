"""Hints for arguments that torch names differently."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

_MASK = (
    "use {ours}= (boolean, True = may attend here; torch.nn.MultiheadAttention means the opposite)"
)
#: An argument of torch: our arguments that may stand for it, and what to do.
_TORCH: dict[str, tuple[tuple[str, ...], str]] = {
    "attn_mask": (("mask", "padding"), _MASK),
    "key_padding_mask": (("mask", "padding"), _MASK),
    "src_key_padding_mask": (("source_mask", "mask"), _MASK),
    "tgt_key_padding_mask": (("target_mask", "mask"), _MASK),
    "memory_key_padding_mask": (("memory_mask", "source_mask"), _MASK),
    "src_mask": (("source_mask", "mask"), _MASK),
    "tgt_mask": (("target_mask", "mask"), _MASK),
    "need_weights": (("return_weights",), "use {ours}=, which is False by default"),
    "average_attn_weights": (("return_weights",), "{ours}=True returns the weights of each head"),
    "dropout_p": ((), "there is no dropout on weights; leave it out"),
    "enable_gqa": ((), "call grouped_query_attention"),
    "dim": (("axis",), "use {ours}="),
}


def explain_torch_names(function: Function) -> Function:
    """Return ``function``, which answers torch's argument names and positional masks with a hint.

    Raises
    ------
    TypeError
        In one line: which argument to use, and what True means in a mask.
    """
    parameters = signature(function).parameters
    positional = [
        name for name, p in parameters.items() if p.kind is Parameter.POSITIONAL_OR_KEYWORD
    ]
    hints = {name: hint for name, hint in _TORCH.items() if name not in parameters}

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:  # looked into only now, since most calls are right
            hint: Exception = error
            for name in kwargs.keys() & hints.keys():
                candidates, advice = hints[name]
                ours = next((ours for ours in candidates if ours in parameters), None)
                if ours is None and candidates:
                    advice = "leave it out"
                hint = TypeError(f"{_name(function)} takes no {name}: {advice.format(ours=ours)}")
            if len(args) > len(positional):
                takes_mask = "mask" in parameters
                hint = TypeError(_too_many(function, positional, len(args), takes_mask))
            if hint is error:
                raise
            raise hint from None

    return cast(Function, call)


def _too_many(function: Any, positional: list[str], count: int, takes_mask: bool) -> str:
    own = [name for name in positional if name != "self"]
    extra = len(positional) - len(own)
    mask = "; a mask is passed as mask= (boolean, True = may attend)" if takes_mask else ""
    return (
        f"{_name(function)} takes {len(own)} positional arguments ({', '.join(own)}), but "
        f"{count - extra} were given: name the others{mask}"
    )


def _name(function: Any) -> str:
    owner, _, name = function.__qualname__.rpartition(".")
    return owner if name in ("__call__", "forward") else name
