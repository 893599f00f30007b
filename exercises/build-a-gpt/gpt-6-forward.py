"""Now all parts come together. `tokens` is an array of word numbers, shape `(tokens,)`, and `model`
is a dictionary:

| key | shape | what it is |
|---|---|---|
| `"embeddings"` | `(num_words, d_model)` | a vector for each word |
| `"positions"` | `(context, d_model)` | a vector for each place in a text |
| `"blocks"` | list | for each block, the weights that `block` takes |
| `"norm_gain"`, `"norm_bias"` | `(d_model,)` | the last norm |
| `"num_heads"` | number | the same in all blocks |

A token starts as the sum of its word's and its place's vector. It passes through the blocks in
order, then through the last norm. Its product with every word's embedding gives the logits: the
output layer has the weights of the embeddings ("tied").

Write `gpt(tokens, model)`, which returns the logits, `(tokens, num_words)`. The last check runs it
with the weights that we trained, and compares it with what PyTorch computed.
"""

import numpy as np

from attnlab.gpt import gpt as library_gpt
from attnlab.gpt import load, probe
from coursekit import check, exercise, expect_close, expect_same

exercise(
    title="Step 6: from words to logits",
    uses=["gpt-5-block"],
    withhold=["attnlab.gpt.gpt"],
    stand_in="attnlab.gpt",
    files=["attnlab/gpt/fables.npz"],
    hints=[
        "Which rows of `embeddings` and which rows of `positions` belong to a text of five tokens?",
        '`model["embeddings"][tokens]` looks up a row for each token; the places are '
        '`model["positions"][:len(tokens)]`.',
        'After the loop `for weights in model["blocks"]` come `layer_norm` and the product with '
        '`model["embeddings"].T`.',
    ],
)


def gpt(tokens, model):
    """Return the logits of each next word, (tokens, num_words)."""
    # BEGIN SOLUTION
    x = model["embeddings"][tokens] + model["positions"][: len(tokens)]
    for weights in model["blocks"]:
        x = block(x, weights, model["num_heads"])
    x = layer_norm(x, model["norm_gain"], model["norm_bias"])
    return x @ model["embeddings"].T
    # END SOLUTION


MISTAKES = r"""
no-positions: ` + model["positions"][: len(tokens)]` → ``
    The positions are missing: the model cannot tell first from last.
no-final-norm: `layer_norm(x, model["norm_gain"], model["norm_bias"])` → `x`
    The last norm is missing.
norm-each-time: `    x = layer_norm(` → `        x = layer_norm(`
    The last norm acts after every block. It comes once, behind the loop.
one-block: `["blocks"]` → `["blocks"][:1]`
    Only the first block was applied.
no-blocks: `["blocks"]` → `["blocks"][:0]`
    The blocks are missing.
same-block: `in model["blocks"]` → `in model["blocks"][:1] * len(model["blocks"])`
    The first block was applied again and again. Each block has its own weights.
blocks-reversed: `["blocks"]` → `["blocks"][::-1]`
    The blocks were applied in reverse order.
probabilities: `x @ model["embeddings"].T` → `softmax(x @ model["embeddings"].T)`
    These are probabilities. Return the logits, before any softmax.
last-only: `return x @` → `return x[-1] @`
    These are the logits of the last token alone. Return those of all tokens.
hidden-vectors: ` @ model["embeddings"].T` → ``
    These are the tokens' vectors after the last norm. Their product with the embeddings is missing.
position-of-word: `[: len(tokens)]` → `[np.minimum(tokens, len(model["positions"]) - 1)]`
    The row of `positions` was chosen by the number of the word. It is the place in the text that
    counts: token i has row i.
scaled-embeddings: `[tokens]` → `[tokens] * model["embeddings"].shape[1] ** 0.5`
    The words' vectors were multiplied by the root of d_model, as in the original Transformer. This
    model adds them as they are.
one-position: `[: len(tokens)]` → `[0]`
    Every token got the vector of the same place. Token i has row i of `positions`.
"""


def _block_weights(rng, d_model, width, d_hidden):
    sizes = {f"w_{name}": (d_model, width) for name in ("query", "key", "value")}
    sizes |= {"w_output": (width, d_model), "w_in": (d_model, d_hidden)}
    sizes |= {"w_out": (d_hidden, d_model)}
    weights = {name: rng.normal(size=size) / np.sqrt(size[0]) for name, size in sizes.items()}
    for name, (_, columns) in sizes.items():
        weights[f"b{name[1:]}"] = rng.normal(size=columns)
    for norm in ("norm1", "norm2"):
        weights[f"{norm}_gain"] = rng.normal(1, 0.5, size=d_model)
        weights[f"{norm}_bias"] = rng.normal(size=d_model)
    return weights


def _model(rng, num_words, d_model, num_heads, head_dim, num_blocks):
    return {
        "embeddings": rng.normal(size=(num_words, d_model)),
        "positions": rng.normal(size=(23, d_model)),
        "blocks": [
            _block_weights(rng, d_model, num_heads * head_dim, 17) for _ in range(num_blocks)
        ],
        "norm_gain": rng.normal(1, 0.5, size=d_model),
        "norm_bias": rng.normal(size=d_model),
        "num_heads": num_heads,
    }


@check(points=2)
def small_model(gpt):
    """A small model with random weights: 7 tokens, 19 words, 3 blocks"""
    rng = np.random.default_rng(17)
    model, tokens = _model(rng, 19, 11, 3, 2, 3), rng.integers(19, size=7)
    expect_same(gpt, library_gpt, tokens, model, what="gpt(tokens, model)")


@check(points=2, success_message="Your code is the trained model: its logits are PyTorch’s.")
def trained_model(gpt):
    """The trained model: the beginning of a fable that it never saw"""
    tokens, logits = probe()
    what = "gpt(tokens, model) of the trained model"
    expect_close(gpt(tokens, load()), logits, atol=2e-3, what=what)


@check(points=1, hidden=True)
def other_models(gpt, rng):
    """Another size and other words"""
    model, tokens = _model(rng, 29, 13, 2, 5, 2), rng.integers(29, size=11)
    expect_same(gpt, library_gpt, tokens, model, what="gpt(tokens, model)")


ALSO_RIGHT = {
    "one-hot vectors": """
        def gpt(tokens, model):
            words = np.eye(len(model["embeddings"]))[tokens] @ model["embeddings"]
            stream = words + model["positions"][np.arange(len(tokens))]
            for number in range(len(model["blocks"])):
                stream = block(stream, model["blocks"][number], model["num_heads"])
            stream = layer_norm(stream, model["norm_gain"], model["norm_bias"])
            return np.einsum("td,wd->tw", stream, model["embeddings"])
    """,
    "a list of tokens": """
        def gpt(tokens, model):
            embeddings, positions = model["embeddings"], model["positions"]
            x = np.array([embeddings[t] + positions[i] for i, t in enumerate(tokens)])
            for weights in model["blocks"]:
                x = block(x, weights, model["num_heads"])
            return layer_norm(x, model["norm_gain"], model["norm_bias"]) @ embeddings.T
    """,
}
