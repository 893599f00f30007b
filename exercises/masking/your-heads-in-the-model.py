"""Your `multi_head_attention` can run a trained model. all-MiniLM-L6-v2 has six layers, each with
12 heads of width 32. The layers have something that your function lacks: **biases**. Queries are
`x @ w_query + b_query`, keys and values are computed likewise, and the output is
`… @ w_output + b_output`.

Write `attend(x, weights, num_heads, mask)`, which returns the attention output of such a layer and
uses your `multi_head_attention` unchanged. `x` has shape `(batch, tokens, d_model)`. `weights` has
the matrices `"w_query"`, `"w_key"`, `"w_value"` and `"w_output"`, as above, and the vectors
`"b_query"`, `"b_key"`, `"b_value"` and `"b_output"`. The mask has shape `(batch, tokens, tokens)`.
Leave the arguments unchanged.

The checks then put `attend` into all six layers. The first time, the page downloads them (12 MB).
Where the trained model is missing, six small layers with random weights take its place, and the
messages say so. To see where **your own mistake** starts to matter, make one in `attend`, end your
code with these two lines, and press *Run*:

```python
from attnlab.minilm import swap
swap.by_layer(attend)
```

For each layer, they show the largest relative difference in a token's vector and the cosine between
the sentence's vector and the model's own: 1 if both point the same way.
"""

import numpy as np

from attnlab.minilm import at_hand, swap
from attnlab.mistakes import EXPLANATIONS
from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    mistake,
    shared_mistakes,
)

exercise(
    id="your-heads-in-the-model",
    chapter="masking",
    title="Your heads in a trained model",
    uses=["multi-head-attention"],
    withhold=[
        "attn.MultiHeadAttention",
        "attn.scaled_dot_product_attention",
        "attn.attention_weights",
        "attn.blockwise_attention",
        "attn.grouped_query_attention",
        "attnlab.minilm.swap.own",
        "attnlab.minilm.swap.mistaken",
        "attnlab.minilm.swap.with_mistake",
        "attnlab.minilm.swap.multi_head_attention",
    ],
    data=at_hand.FILES,
    hints=[
        "`x @ w + b` adds the same vector to every token. What extra feature would a token need, "
        "and what would the matrix need, so that `x @ w` alone adds this vector?",
        "Add a feature that is 1 in every token, and the bias as one more row of the matrix: "
        "`np.concatenate([x, ones], axis=-1)` and `np.vstack([w, b])`. The output's bias needs no "
        "trick: add it at the end.",
        "With `d_model + 1` features, your function returns as many: give `w_output` a column of "
        "zeros, `np.pad(w_output, ((0, 0), (0, 1)))`, and leave out the last feature of its "
        "result.",
    ],
)


def attend(x, weights, num_heads, mask):
    """Return the attention of one layer with biases, (batch, tokens, d_model)."""
    # BEGIN SOLUTION
    ones = np.ones((*x.shape[:-1], 1), x.dtype)
    tokens = np.concatenate([x, ones], axis=-1)  # (batch, tokens, d_model + 1)
    w_query, w_key, w_value = (
        np.vstack([weights[f"w_{name}"], weights[f"b_{name}"]])  # (d_model + 1, d_model)
        for name in ("query", "key", "value")
    )
    w_output = np.pad(weights["w_output"], ((0, 0), (0, 1)))
    output = multi_head_attention(
        tokens, tokens, w_query, w_key, w_value, w_output, num_heads, mask
    )
    return output[..., :-1] + weights["b_output"]
    # END SOLUTION


def _layer(rng, d_model, num_heads, head_dim):
    """The weights of one layer, all biases included."""
    width, made = num_heads * head_dim, {}
    for name in ("query", "key", "value", "output"):
        rows, columns = (width, d_model) if name == "output" else (d_model, width)
        made[f"w_{name}"] = rng.normal(size=(rows, columns)) * 1.5 / np.sqrt(rows)
        made[f"b_{name}"] = rng.normal(size=columns)
    return made


def _compare(attend, rng, lengths, tokens, num_heads, head_dim):
    width = num_heads * head_dim
    x, weights = (
        rng.normal(size=(len(lengths), tokens, width)),
        _layer(rng, width, num_heads, head_dim),
    )
    mask = np.zeros((len(lengths), tokens, tokens), bool)
    for sentence, length in enumerate(lengths):
        mask[sentence, :, :length] = True
    given = (x, weights, num_heads, mask)
    seen = expect_shape(call_keeping_inputs(attend, *given), x.shape, what="attend(…)")
    what = "attend(x, weights, num_heads, mask)"
    expect_close(seen, swap.own(*given), atol=1e-5, what=what)


@check(points=2)
def one_layer(attend):
    """One layer: 2 sentences of 7 tokens, width 15, 3 heads of 5"""
    _compare(attend, np.random.default_rng(11), (7, 7), 7, 3, 5)


@check(points=1)
def with_padding(attend):
    """Two of 3 sentences are padded: no query attends to their last tokens"""
    _compare(attend, np.random.default_rng(13), (3, 5, 4), 5, 2, 11)


@check(points=2, success_message="Six layers deep, your code computes what the model computes.")
def six_layers(attend):
    """In the model: after each of six layers, every number matches the model's own within 0.001"""
    # No mistake is named here: which model is at hand depends on where this runs.
    about, right = at_hand.load().about, swap.own_vectors()

    def layer(x, *rest):
        seen = as_array(attend(x, *rest), what="attend(…)")
        expect(
            seen.shape == x.shape,
            f"In {about}, attend(…) has shape {seen.shape}; expected that of x, {x.shape}.",
        )
        return seen

    for number, (seen, expected) in enumerate(zip(swap.vectors(layer), right, strict=True), 1):
        off = np.abs(seen - expected).max()
        expect(
            off <= 1e-3,
            f"x after layer {number} of {about} is off by up to {off:.2g}; expected at most 0.001.",
        )


@check(points=1, hidden=True)
def other_sizes(attend, rng):
    """Other sizes, with and without padding"""
    _compare(attend, rng, (2,), 3, 1, 7)
    _compare(attend, rng, (10, 11), 11, 5, 3)


_OUTPUT = "output[..., :-1]"

shared_mistakes(EXPLANATIONS, attend=swap.mistaken)
mistake("no-mask", "", {"num_heads, mask\n    )": "num_heads\n    )"})
mistake(
    "no-biases",
    "The biases are missing: queries, keys, values and the output have one each.",
    {"ones = np.ones": "ones = np.zeros", ' + weights["b_output"]': ""},
)
mistake("no-output-bias", "The last bias, `b_output`, is missing.", {' + weights["b_output"]': ""})
mistake(
    "no-input-biases",
    "Only the output has its bias. Queries, keys and values have one each.",
    {"ones = np.ones": "ones = np.zeros"},
)
mistake(
    "no-value-bias",
    "The bias of the values is missing.",
    {"    w_output =": "    w_value[-1] = 0\n    w_output ="},
)
mistake(
    "no-query-bias",
    "The bias of the queries is missing.",
    {"    w_output =": "    w_query[-1] = 0\n    w_output ="},
)
mistake(
    "added-to-x",
    "The tokens themselves were added to the result. The layer adds them afterwards: return only "
    "the attention output.",
    {_OUTPUT: f"x + {_OUTPUT}"},
)
mistake(
    "one-feature-too-many",
    "The result has one feature too many: leave out the one that was added to the tokens.",
    {f'{_OUTPUT} + weights["b_output"]': 'output + np.append(weights["b_output"], 0)'},
)

ALSO_RIGHT = {
    "the feature of ones comes first": """
        def attend(x, weights, num_heads, mask):
            tokens = np.insert(x, 0, 1.0, axis=-1)
            w_query, w_key, w_value = (
                np.insert(weights[f"w_{n}"], 0, weights[f"b_{n}"], axis=0)
                for n in ("query", "key", "value")
            )
            w_output = np.insert(weights["w_output"], 0, 0.0, axis=1)
            output = multi_head_attention(
                tokens, tokens, w_query, w_key, w_value, w_output, num_heads, mask
            )
            return output[..., 1:] + weights["b_output"]
    """,
    "one sentence after the other": """
        def attend(x, weights, num_heads, mask):
            def heads(tokens, name):
                part = tokens @ weights[f"w_{name}"] + weights[f"b_{name}"]
                return np.split(part, num_heads, axis=-1)

            outputs = []
            for tokens, visible in zip(x, mask):
                found = []
                names = ("query", "key", "value")
                for query, key, value in zip(*(heads(tokens, name) for name in names)):
                    scores = query @ key.T / query.shape[-1] ** 0.5
                    scores = np.where(visible, scores, -np.inf)
                    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
                    found.append(shares / shares.sum(axis=-1, keepdims=True) @ value)
                outputs.append(np.concatenate(found, axis=-1) @ weights["w_output"])
            return np.stack(outputs) + weights["b_output"]
    """,
}
