"""The gated feed-forward network that took the place of two linear layers with a ReLU."""

from __future__ import annotations

from numpy.typing import ArrayLike

from attn import formulas
from attn._arguments import Array, Shaped, as_floats, shape_of


def swiglu(x: ArrayLike, w_gate: ArrayLike, w_in: ArrayLike, w_out: ArrayLike) -> Array:
    r"""Return :math:`(\mathrm{SiLU}(x W_g) \odot x W_1)\, W_2`: a network with a gate.

    :math:`\mathrm{SiLU}(z) = z / (1 + e^{-z})`, also called Swish. A hidden feature is a product
    of two numbers computed from the token, where a network with a ReLU has one number, or 0.

    Parameters
    ----------
    x : array_like, shape (..., tokens, d_model)
    w_gate, w_in : array_like, shape (d_model, d_hidden)
        With three matrices instead of two, two thirds of the ``d_hidden`` of a network with a ReLU
        have as many weights.
    w_out : array_like, shape (d_hidden, d_model)

    Returns
    -------
    array, shape and type of ``x``
        Each token is computed on its own.

    Raises
    ------
    ValueError
        If the shapes of the weights do not fit.

    References
    ----------
    Shazeer (2020), "GLU Variants Improve Transformer", equation 6: W is our ``w_gate``, V our
    ``w_in``. There are no biases, as there.

    Examples
    --------
    >>> swiglu([[1.0, 2.0]], [[1.0], [0.0]], [[0.0], [3.0]], [[1.0, -1.0]]).round(4)
    array([[ 4.3864, -4.3864]])
    """
    (x,), result = as_floats(2, x=x)
    weights, _ = as_floats(2, w_gate=w_gate, w_in=w_in, w_out=w_out)
    check_network(x, *weights)
    matrices = (weight.astype(x.dtype, copy=False) for weight in weights)
    return formulas.swiglu(x, *matrices).astype(result, copy=False)


def check_network(x: Shaped, w_gate: Shaped, w_in: Shaped, w_out: Shaped) -> None:
    """Raise ValueError unless the weights take the features of ``x`` to hidden ones and back."""
    width, hidden = shape_of(x)[-1], shape_of(w_gate)[-1]
    expected = {"w_gate": (width, hidden), "w_in": (width, hidden), "w_out": (hidden, width)}
    for (name, shape), given in zip(expected.items(), (w_gate, w_in, w_out), strict=True):
        if shape_of(given) != shape:
            raise ValueError(
                f"{name} has shape {shape_of(given)}; expected {shape} for x of shape {shape_of(x)}"
            )
