"""A decoder writes one token after the other. The keys and values of earlier tokens do not change,
so they are kept in a cache, and only those of new tokens are computed. Usually one token is new; at
the start, the tokens of the whole prompt are.

Write `step`. It gets the keys and values kept so far (at the start they have 0 tokens) and the
query, key and value of the new tokens. It returns the output of the new tokens, and the keys and
values to keep: the old ones, then the new ones. A new token attends to all tokens before it and to
itself, but not to new tokens after it. The scores are scaled by $1/\\sqrt{d_k}$, as always. `step`
uses only its arguments, since several texts may be decoded in turn, and does not change them.
"""

import numpy as np

from attn import scaled_dot_product_attention
from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_parts,
)

exercise(
    title="Decode with a cache",
    withhold=["attn.KeyValueCache"],
    hints=[
        "After the step there are `num_old + num_new` keys. Which of them may the *first* of the "
        "new tokens attend to, and which the last?",
        "Append the new keys to the old ones on the axis of tokens, `-2`. The mask has shape "
        "`(num_new, num_old + num_new)`: its last row is all True.",
        "`np.tril(np.ones((num_new, num_all), dtype=bool), k=num_all - num_new)` is that mask; "
        "give it to `scaled_dot_product_attention` as `mask=`.",
    ],
)


def step(keys, values, query, key, value):
    """Return the new tokens' output, and the keys and values to keep.

    keys: (heads, num_old, d_k)            values: (heads, num_old, d_v)
    query, key: (heads, num_new, d_k)      value: (heads, num_new, d_v)
    """
    # BEGIN SOLUTION
    keys = np.concatenate([keys, key], axis=-2)  # (heads, num_old + num_new, d_k)
    values = np.concatenate([values, value], axis=-2)
    num_new, num_all = key.shape[-2], keys.shape[-2]
    mask = np.tril(np.ones((num_new, num_all), dtype=bool), k=num_all - num_new)
    output = scaled_dot_product_attention(query, keys, values, mask=mask)
    return output, keys, values
    # END SOLUTION


MISTAKES = r"""
not-itself: `k=num_all - num_new` → `k=num_all - num_new - 1`
    A new token does not attend to itself. Append its key before you attend; the last visible key of
    a token is its own.
old-keys-only: (also not-itself) `mask=mask` →
  `mask=mask & (np.arange(num_all) < num_all - num_new)`
    The new tokens attend to the old keys alone. Each also attends to itself and to the new tokens
    before it.
new-keys-only: `keys, values, mask=mask` → `key, value, is_causal=True`
    The new tokens attend to each other alone: the cache is kept, but the output does not depend on
    it.
prompt-is-its-values: `return output` → `return (value if num_all == num_new else output)`
    The output of the first step is just its values. That is right for a single token; the tokens of
    a longer prompt attend to each other.
last-token-only: `return output` → `return output[:, -1:]`
    Only one output came back for several new tokens. Each new token has an output of its own.
nothing-kept: `[keys, key]` → `[key]`, `[values, value]` → `[value]`
    Only the new keys are kept, so the next step cannot attend to the prompt.
old-only: `return output, keys` → `return output, keys[:, :-num_new]`
    The keys or the values that come back are as many as before. Append the new ones to both, and
    keep all that were there.
other-order: `output, keys, values` → `keys, values, output` or `output, values, keys`
    The three results are in the wrong order. Return output, keys, values.
recent-keys-only: `mask=mask` → `mask=np.triu(mask, num_all - num_new - 1)`
or `mask=mask` → `mask=np.triu(mask, num_all - num_new - 2)`
or `mask=mask` → `mask=np.triu(mask, num_all - num_new - 3)`
    Each new token attends to itself and to a few tokens before it, like in a window. It has to
    attend to all tokens before it.
too-many-kept: `[keys, key]` → `[keys, key, key]`, `[values, value]` → `[values, value, value]`
    More keys came back than the old and the new ones together. Is a key appended twice, or kept
    outside of the function from an earlier text?
new-in-front: `[keys, key]` → `[key, keys]`, `[values, value]` → `[value, values]`
    The new keys or values stand before the old ones. Append them at the end: a token's position in
    the cache is its position in the text.
wrong-axis: `return output, keys` → `return output, np.vstack([keys, keys])`
    Keys were not joined on the axis of the tokens, -2.
keys-kept-as-values: `output, keys, values` → `output, keys, keys`
    The values to keep are the keys. Append the new values to the old values.
top-left: `, k=num_all - num_new` → ``
no-mask: `, mask=mask` → ``
one-key-too-many: `k=num_all - num_new` → `k=num_all - num_new + 1`
mask-inverted: `mask=mask` → `mask=~mask`
keys-as-values: `keys, values, mask` → `keys, keys, mask`
unscaled: `mask=mask` → `mask=mask, scale=1.0`
scaled-by-d: `mask=mask` → `mask=mask, scale=1 / query.shape[-1]`
multiplied-by-root: `mask=mask` → `mask=mask, scale=query.shape[-1] ** 0.5`
scaled-by-num-keys: (also scaled-by-num-tokens) `mask=mask` → `mask=mask, scale=num_all**-0.5`
scaled-by-num-queries: (also scaled-by-num-tokens, unscaled) `mask=mask` →
  `mask=mask, scale=num_new**-0.5`
scaled-by-value-width: `mask=mask` → `mask=mask, scale=value.shape[-1] ** -0.5`
scaled-after-softmax: `mask=mask` → `mask=mask, scale=1.0`,
  `return output` → `return output / query.shape[-1] ** 0.5`
cosine: `query, keys, values, mask=mask` → `*(a / np.linalg.norm(a, axis=-1, keepdims=True)
  for a in (query, keys)), values, mask=mask, scale=1.0`
no-softmax: `scaled_dot_product_attention(query, keys, values, mask=mask)` →
  `query @ keys.swapaxes(-1, -2) / query.shape[-1] ** 0.5 * mask @ values`
not-normalised: `scaled_dot_product_attention(query, keys, values, mask=mask)` →
  `np.exp(query @ keys.swapaxes(-1, -2) / query.shape[-1] ** 0.5) * mask @ values`
base-two: `mask=mask` → `mask=mask, scale=np.log(2) / query.shape[-1] ** 0.5`
hard: `(query, keys` → `(1e9 * query, keys`
uniform: `(query, keys` → `(0 * query, keys`
mask-added: `mask=mask` → `bias=mask * 1.0`
mask-after-softmax: `scaled_dot_product_attention(query, keys, values, mask=mask)` →
  `mask * scaled_dot_product_attention(query, keys, values, return_weights=True)[1] @ values`
sees-only-future: (also new-keys-only) `mask=mask` →
  `mask=np.triu(np.ones_like(mask), k=num_all - num_new)`
values-in-other-order: `keys, values, mask` → `keys, values[:, ::-1], mask`
residual: `return output` → `return output + query`
scaled-by-num-tokens:
"""


def _kept(array, right, sizes, what):
    """Compare what is kept after a step with the old and the new tokens, in this order."""
    heads, num_old, num_new, width = sizes
    known = {num_old + num_new: None, num_old: "old-only", num_new: "nothing-kept"}
    array = as_array(array, what)
    message = f"{what} have shape {array.shape}; expected {(heads, num_old + num_new, width)}."
    is_in_place = array.ndim == 3 and (len(array), array.shape[2]) == (heads, width)
    expect(is_in_place, message, "wrong-axis" if array.ndim == 3 else None)
    count = array.shape[1]
    more = "too-many-kept" if count > num_old + num_new else None
    expect(count == num_old + num_new, message, known.get(count, more))
    return expect_close(array, right, what=what)


def _expect_steps(step, rng, sizes, d_v=2):
    """Decode tokens in steps of these sizes, and compare each step with the full causal pass."""
    heads, tokens, d_k = 3, sum(sizes), 5
    query, key, value = (rng.normal(size=(heads, tokens, width)) for width in (d_k, d_k, d_v))
    keys, values, outputs, stop = key[:, :0], value[:, :0], [], 0
    for size in sizes:
        start, stop = stop, stop + size
        new = (part[:, start:stop] for part in (query, key, value))
        result = call_keeping_inputs(step, keys, values, *new)
        message = "step should return three things: output, keys, values."
        result = expect_parts(result, 3, message)
        output = as_array(result[0], "the output")
        _expect_order(output, *result[1:], key[:, :stop], value[:, :stop])
        shape, what = (heads, size, d_v), f"the output of {size} new tokens"
        last = "last-token-only" if size > 1 and output.shape == (heads, 1, d_v) else None
        message = f"{what} has shape {output.shape}; expected {shape}."
        expect(output.shape in (shape, (heads, size, d_k)), message, last)
        keys = _kept(result[1], key[:, :stop], (heads, start, size, d_k), "the keys to keep")
        kept = as_array(result[2], "the values to keep")
        if kept.shape == keys.shape and np.allclose(kept, keys):
            expect(False, "the values to keep are the keys.", "keys-kept-as-values")
        values = _kept(kept, value[:, :stop], (heads, start, size, d_v), "the values to keep")
        outputs.append(output)
    right = scaled_dot_product_attention(query, key, value, is_causal=True)
    what = f"the array of outputs of steps of {sizes} tokens"
    expect_close(np.concatenate(outputs, axis=1), right, what=what)


def _expect_order(output, kept_keys, kept_values, keys, values):
    """Say so if the keys or the values to keep stand at the place of another result."""
    first, second = (as_array(part, "what is kept") for part in (kept_keys, kept_values))
    is_moved = _same(first, values) and (_same(output, keys) or _same(second, keys))
    message = "The keys or the values to keep stand at another result's place."
    expect(not is_moved, message, "other-order")


def _same(seen, right):
    return seen.shape == right.shape and np.allclose(seen, right)


@check(
    points=2,
    success_message="With one new token no mask is needed: all keys in the cache are its past.",
)
def token_by_token(step):
    """One at a time: seven tokens, then three of another text, with values as wide as keys"""
    rng = np.random.default_rng(2)
    _expect_steps(step, rng, [1] * 7, d_v=5)
    _expect_steps(step, rng, [1] * 3, d_v=5)


@check(points=2, success_message="The prompt's tokens attend to each other, but not ahead.")
def prompt_first(step):
    """A prompt of four tokens, then one at a time, with narrower values"""
    _expect_steps(step, np.random.default_rng(3), [4, 1, 1, 1])


@check(points=1, success_message="The mask is aligned at the bottom right, whatever is new.")
def several_at_once(step):
    """Steps of three tokens and of two"""
    _expect_steps(step, np.random.default_rng(4), [3, 2, 3, 2, 1])


@check(points=1, hidden=True)
def other_steps(step, rng):
    """Other numbers and steps"""
    _expect_steps(step, rng, [2, 5, 1, 4, 1])


ALSO_RIGHT = {
    "is_causal": """
        def step(keys, values, query, key, value):
            keys = np.append(keys, key, axis=1)
            values = np.append(values, value, axis=1)
            return scaled_dot_product_attention(query, keys, values, is_causal=True), keys, values
    """,
    "one token after the other": """
        def step(keys, values, query, key, value):
            outputs = []
            for i in range(key.shape[1]):
                keys = np.concatenate([keys, key[:, i : i + 1]], axis=1)
                values = np.concatenate([values, value[:, i : i + 1]], axis=1)
                outputs.append(scaled_dot_product_attention(query[:, i : i + 1], keys, values))
            return np.concatenate(outputs, axis=1), keys, values
    """,
}
