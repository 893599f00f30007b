"""A decoder writes one token after another. The keys and values of earlier tokens do not change, so
they are kept in a cache, and only those of new tokens are computed. Usually one token is new; at
the start, the whole prompt is new.

Write `step`. It takes the keys and values kept so far (at the start, they have 0 tokens) and the
query, key and value of the new tokens. It returns the output of the new tokens, and the keys and
values to keep: the old ones, then the new ones. A new token attends to all tokens before it and to
itself, but not to new tokens after it. The scores are scaled by $1/\\sqrt{d_k}$, as always. Since
several texts may be decoded in turn, `step` uses only its arguments and does not change them.
"""

import numpy as np

from attn import scaled_dot_product_attention
from attnlab import mistakes
from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    mistake,
    shared_mistakes,
)

exercise(
    id="key-value-cache",
    chapter="fast-exact",
    title="Decode with a cache",
    withhold=["attn.KeyValueCache"],
    hints=[
        "After the step, there are `num_old + num_new` keys. Which of them may the *first* of the "
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


def _kept(array, right, what):
    """Compare what is kept after a step with the old and the new tokens, in this order."""
    array = as_array(array, what)
    if array.ndim == 3:
        message = f"{what} has shape {array.shape}; expected {right.shape}."
        is_joined = array.shape[::2] == right.shape[::2]
        expect(is_joined, message, "wrong-axis" if array.size > right.size else None)
        expect(array.shape[1] <= right.shape[1], message, "too-many-kept")
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
        expect(
            isinstance(result, tuple | list) and len(result) == 3,
            "step should return three things: output, keys, values.",
            "returns-nothing" if result is None else None,
        )
        output = as_array(result[0], "the output")
        _expect_order(output, *result[1:], key[:, :stop], value[:, :stop])
        shape, what = (heads, size, d_v), f"the output of {size} new tokens"
        last = "last-token-only" if size > 1 and output.shape == (heads, 1, d_v) else None
        message = f"{what} has shape {output.shape}; expected {shape}."
        expect(output.shape in (shape, (heads, size, d_k)), message, last)
        keys = _kept(result[1], key[:, :stop], "the array of keys to keep")
        kept = as_array(result[2], "the values to keep")
        message = "the values to keep are the keys."
        expect(not _same(kept, keys), message, "keys-kept-as-values")
        values = _kept(kept, value[:, :stop], "the array of values to keep")
        outputs.append(output)
    expect_close(
        np.concatenate(outputs, axis=1),
        scaled_dot_product_attention(query, key, value, causal=True),
        what=f"the array of outputs of steps of {sizes} tokens",
    )


def _expect_order(output, kept_keys, kept_values, keys, values):
    """Say so if the keys or the values to keep stand at the place of another result."""
    first, second = (as_array(part, "what is kept") for part in (kept_keys, kept_values))
    is_moved = _same(first, values) and (_same(output, keys) or _same(second, keys))
    message = "The keys or the values to keep are in the place of another result."
    expect(not is_moved, message, "other-order")


def _same(seen, right):
    return seen.shape == right.shape and np.allclose(seen, right)


@check(
    points=2,
    success_message="With one new token, no mask is needed: the cache holds no later keys.",
)
def token_by_token(step):
    """One at a time: seven tokens, then three of another text, with values as wide as keys"""
    rng = np.random.default_rng(2)
    _expect_steps(step, rng, [1] * 7, d_v=5)
    _expect_steps(step, rng, [1] * 3, d_v=5)


@check(points=2, success_message="The prompt's tokens attend to each other, but not to later ones.")
def prompt_first(step):
    """A prompt of four tokens, then one at a time, with narrower values"""
    _expect_steps(step, np.random.default_rng(3), [4, 1, 1, 1])


@check(
    points=1,
    success_message="The mask is aligned at the bottom right, however many tokens are new.",
)
def several_at_once(step):
    """Steps of three tokens and of two"""
    _expect_steps(step, np.random.default_rng(4), [3, 2, 3, 2, 1])


@check(points=1, hidden=True)
def other_steps(step, rng):
    """Other numbers and steps"""
    _expect_steps(step, rng, [2, 5, 1, 4, 1])


def _shared(keys, values, query, key, value):
    kept = np.concatenate([keys, key], axis=-2), np.concatenate([values, value], axis=-2)
    made = mistakes.of_attention(query, *kept, causal=True)
    if key.shape == value.shape:  # as in token_by_token, where it is `new-keys-only`
        made.pop("sees-only-future")
    return {id: lambda wrong=wrong: (wrong(), *kept) for id, wrong in made.items()}


_ALL, _MASK = "return output, keys, values", "mask=mask"

shared_mistakes(mistakes.EXPLANATIONS, step=_shared)
mistake(
    "not-itself",
    "A new token does not attend to itself. Append its key before you attend; the last visible "
    "key of a token is its own.",
    {"k=num_all - num_new": "k=num_all - num_new - 1"},
)
mistake(
    "old-keys-only",
    "The new tokens attend to the old keys alone. Each also attends to itself and to the new "
    "tokens before it.",
    # Not in token_by_token, whose values are as wide as keys: there it is `not-itself`.
    {_MASK: "mask=mask & (np.arange(num_all) < num_all - num_new * (value.shape != key.shape))"},
)
mistake(
    "new-keys-only",
    "The new tokens attend to each other alone: the cache is kept, but the output does not "
    "depend on it.",
    {"(query, keys, values, mask=mask)": "(query, key, value, causal=True)"},
)
mistake(
    "prompt-is-its-values",
    "The output of the first step is just its values. That is right for a single token; the "
    "tokens of a longer prompt attend to each other.",
    {_ALL: "return (value if num_all == num_new else output), keys, values"},
)
mistake(
    "last-token-only",
    "Only one output came back for several new tokens. Each new token has its own output.",
    {_ALL: "return output[:, -1:], keys, values"},
)
mistake(
    "nothing-kept",
    "Only the new keys are kept, so the next step cannot attend to the prompt.",
    {"[keys, key]": "[key]", "[values, value]": "[value]"},
)
mistake(
    "old-only",
    "The number of keys or of values has not grown. Append the new ones to both, and keep all "
    "earlier ones.",
    {_ALL: "return output, keys[:, :-num_new], values"},
    {_ALL: "return output, keys, values[:, :-num_new]"},
)
mistake(
    "other-order",
    "The three results are in the wrong order. Return output, keys, values.",
    {_ALL: "return keys, values, output"},
    {_ALL: "return output, values, keys"},
)
mistake(
    "recent-keys-only",
    "Each new token attends to itself and to a few tokens before it, as in a window. It has to "
    "attend to all tokens before it.",
    *({_MASK: f"mask=np.triu(mask, num_all - num_new - {back})"} for back in range(1, 10)),
)
mistake(
    "too-many-kept",
    "More keys came back than the old and the new ones together. Is a key appended twice, or kept "
    "outside the function from an earlier text?",
    {"[keys, key]": "[keys, key, key]", "[values, value]": "[values, value, value]"},
)
mistake(
    "new-in-front",
    "The new keys or values were put before the old ones. Append them at the end: a token's "
    "position in the cache is its position in the text.",
    {"[keys, key]": "[key, keys]", "[values, value]": "[value, values]"},
    {"[values, value]": "[value, values]"},
)
mistake(
    "wrong-axis",
    "Keys were not joined along the axis of the tokens, -2.",
    {_ALL: "return output, np.vstack([keys, keys]), values"},
)
mistake(
    "keys-kept-as-values",
    "The values to keep are the keys. Append the new values to the old values.",
    {_ALL: "return output, keys, keys"},
)
# Where no key is visible, or one alone, the shared ones give other values or none.
mistake("mask-inverted", "", {_MASK: "mask=~mask"})
mistake("unscaled", "", {_MASK: "mask=mask, scale=1.0"})
mistake("scaled-by-d", "", {_MASK: "mask=mask, scale=1 / key.shape[-1]"})

ALSO_RIGHT = {
    "causal": """
        def step(keys, values, query, key, value):
            keys = np.append(keys, key, axis=1)
            values = np.append(values, value, axis=1)
            return scaled_dot_product_attention(query, keys, values, causal=True), keys, values
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
