"""Your `multi_head_attention` can run a trained model. all-MiniLM-L6-v2 has six layers, each with
12 heads of width 32. They have something that your function lacks: **biases**. Queries are
`x @ w_query + b_query`, keys and values likewise, and the output is `… @ w_output + b_output`.

Write `attend(x, weights, num_heads, mask)`, which returns what the attention of such a layer
returns, with the help of your `multi_head_attention` as it is. `x` has shape
`(batch, tokens, d_model)`. `weights` has the matrices `"w_query"`, `"w_key"`, `"w_value"` and
`"w_output"`, as above, and the vectors `"b_query"`, `"b_key"`, `"b_value"` and `"b_output"`. The
mask has shape `(batch, tokens, tokens)`. Leave the arguments as they are.

The checks then put `attend` into all six layers. The first time, the page fetches them: 12 MB.
Where the trained model is missing, six small layers with random weights take its place, and the
messages say so. To see where **a mistake of yours** starts to matter, make one in `attend`, end
your code with these two lines, and press *Run*:

```python
from attnlab.minilm import swap
swap.by_layer(attend)
```

For each layer they show the largest relative difference of a token's vector, and the cosine
between the sentence's vector and the model's own: 1 if both point the same way.
"""

import numpy as np

from attnlab.minilm import at_hand, swap
from coursekit import call_keeping_inputs, check, exercise, expect_close, expect_shape

exercise(
    title="Your heads in a trained model",
    uses=["multi-head-attention"],
    withhold=[
        "attn.MultiHeadAttention",
        "attn.scaled_dot_product_attention",
        "attn.attention_weights",
        "attn.blockwise_attention",
        "attn.grouped_query_attention",
        "attnlab.minilm.swap.own",
        "attnlab.minilm.swap.with_mistake",
        "attnlab.minilm.swap.multi_head_attention",
    ],
    data=at_hand.FILES,
    hints=[
        "`x @ w + b` adds the same vector to every token. Which number would a token need as one "
        "more feature, and what would the matrix need, so that `x @ w` alone adds it?",
        "A feature that is 1 in every token, and the bias as one more row of the matrix: "
        "`np.concatenate([x, ones], axis=-1)` and `np.vstack([w, b])`. The bias of the output "
        "needs no trick: add it at the end.",
        "With `d_model + 1` features, your function returns as many: give `w_output` a column of "
        "zeros, `np.pad(w_output, ((0, 0), (0, 1)))`, and leave out the last feature of what it "
        "returns.",
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


MISTAKES = r"""
no-biases: `weights[f"b_{name}"]` → `0 * weights[f"b_{name}"]`, ` + weights["b_output"]` → ``
    The biases are missing: queries, keys, values and the output have one each.
no-output-bias: ` + weights["b_output"]` → ``
    The last bias, `b_output`, is missing.
no-input-biases: `weights[f"b_{name}"]` → `0 * weights[f"b_{name}"]`
    Only the output has its bias. Queries, keys and values have one each.
no-value-bias: `weights[f"b_{name}"]` → `weights[f"b_{name}"] * (name != "value")`
    The bias of the values is missing.
no-query-bias: `weights[f"b_{name}"]` → `weights[f"b_{name}"] * (name != "query")`
    The bias of the queries is missing.
added-to-x: `return output` → `return x + output`
    The tokens themselves were added to the result. The layer does that afterwards: return only what
    attention computes.
one-feature-too-many: `output[..., :-1] + weights["b_output"]` →
  `output + np.append(weights["b_output"], 0)`
    The result has one feature too many: leave out the one that was added to the tokens.
no-mask: `w_output, num_heads, mask` → `w_output, num_heads`
keys-as-values: `w_query, w_key, w_value, w_output` → `w_query, w_key, w_key, w_output`
key-and-value-projections-exchanged: `w_query, w_key, w_value, w_output` →
  `w_query, w_value, w_key, w_output`
query-and-key-projections-exchanged: `w_query, w_key, w_value, w_output` →
  `w_key, w_query, w_value, w_output`
unscaled: `tokens, tokens, w_query,` →
  `tokens, tokens, w_query * (w_query.shape[1] / num_heads) ** 0.5,`
no-output-projection: `np.pad(weights["w_output"],` → `np.pad(np.eye(x.shape[-1]),`
output-matrix-transposed: `np.pad(weights["w_output"],` → `np.pad(weights["w_output"].T,`
queries-as-values: `w_query, w_key, w_value, w_output` → `w_query, w_key, w_query, w_output`
one-head: `w_output, num_heads, mask` → `w_output, 1, mask`
mask-inverted: `w_output, num_heads, mask` → `w_output, num_heads, ~mask`
first-mask-for-all: (also no-mask) `w_output, num_heads, mask` → `w_output, num_heads, mask[:1]`
"""


def _layer(rng, d_model, num_heads, head_dim):
    """The weights of one layer, all biases included."""
    width = num_heads * head_dim
    sizes = dict.fromkeys(("query", "key", "value"), (d_model, width))
    made = {}
    for name, (rows, columns) in {**sizes, "output": (width, d_model)}.items():
        made[f"w_{name}"] = rng.normal(size=(rows, columns)) * 1.5 / np.sqrt(rows)
        made[f"b_{name}"] = rng.normal(size=columns)
    return made


def _compare(attend, x, weights, num_heads, mask):
    seen = _shaped(call_keeping_inputs(attend, x, weights, num_heads, mask), x)
    expected = swap.own(x, weights, num_heads, mask)
    expect_close(seen, expected, atol=1e-5, what="attend(x, weights, num_heads, mask)")


def _shaped(output, x):
    return expect_shape(output, x.shape, what="attend(…)")


def _padding(lengths, tokens):
    mask = np.zeros((len(lengths), tokens, tokens), bool)
    for sentence, length in enumerate(lengths):
        mask[sentence, :, :length] = True
    return mask


@check(points=2)
def one_layer(attend):
    """One layer: 2 sentences of 7 tokens, width 15, 3 heads of 5"""
    rng = np.random.default_rng(11)
    x, weights = rng.normal(size=(2, 7, 15)), _layer(rng, 15, 3, 5)
    _compare(attend, x, weights, 3, np.ones((2, 7, 7), bool))


@check(points=1)
def with_padding(attend):
    """Two of 3 sentences are filled up: nobody attends to their last tokens"""
    rng = np.random.default_rng(13)
    x, weights = rng.normal(size=(3, 5, 22)), _layer(rng, 22, 2, 11)
    _compare(attend, x, weights, 2, _padding((3, 5, 4), 5))


@check(
    points=2,
    success_message="Six layers deep, your code computes what the model computes.",
)
def six_layers(attend):
    """In the model: after each of six layers, every number is the model's own within 0.001"""
    about, right = at_hand.load().about, swap.own_vectors()
    after = swap.vectors(lambda x, *rest: _shaped(attend(x, *rest), x))
    for number, (seen, expected) in enumerate(zip(after, right, strict=True), 1):
        expect_close(seen, expected, atol=1e-3, what=f"x after layer {number} of {about}")


@check(points=1, hidden=True)
def other_sizes(attend, rng):
    """Other sizes, with and without padding"""
    for batch, tokens, num_heads, head_dim in ((1, 3, 1, 7), (2, 11, 5, 3)):
        width = num_heads * head_dim
        x, weights = (
            rng.normal(size=(batch, tokens, width)),
            _layer(rng, width, num_heads, head_dim),
        )
        _compare(attend, x, weights, num_heads, _padding([tokens - 1, tokens][:batch], tokens))


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
