"""Numbers of *hashing*."""

import numpy as np

import attn
from attn.lsh_buckets import hash_buckets
from attnlab.experiments import cost, load
from attnlab.experiments.hashing import CHUNK
from attnlab.quoted.windows import exponent

__all__ = ["CHUNK", "counted", "doubling", "exponent", "of_strangers", "sharing"]


def sharing(degrees: float) -> float:
    """Return how often two tokens at an angle share one of 16 buckets."""
    rotations = np.random.default_rng(0).normal(size=(1, 64, 4000, 8))
    pair = np.eye(2, 64)[None]
    pair[0, 1, :2] = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    first, second = hash_buckets(pair, rotations, (16,))[0].T
    return float(np.mean(first == second))


def counted(name: str) -> float:
    """Return with which power of the tokens the products grow."""
    products = load("cost")[f"{name}: products"]
    return float(cost.exponent(products.x, products.mean))


def doubling(at: int) -> float:
    """Return by what the products of one rotation grow when the tokens double."""
    products = load("cost")["hashing, one rotation: products"].mean
    return float((products[1:] / products[:-1])[at])


#: The weight of the round that met strangers only.
of_strangers = float(attn.softmax(np.logaddexp.reduce([[5.0, 1.0], [0.0, 1.0]], axis=1))[1])
