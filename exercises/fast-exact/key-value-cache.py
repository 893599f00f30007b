"""A decoder writes token after token. Keys and values of earlier tokens do not change, so they are
kept, and only the new tokens' are computed. Usually one token is new; at the start the whole prompt
is.

Write `step`: it gets the keys and values kept so far and the query, key and value of the new
tokens. It returns the output of the new tokens, and the keys and values to keep. A new token may
see all tokens before it and itself, also among the new ones.
"""

import numpy as np

from attn import scaled_dot_product_attention
from coursekit import as_array, check, exercise, expect, expect_close, expect_shape, wrong

exercise(
    id="key-value-cache",
    chapter="fast-exact",
    title="Decode with a cache",
    withhold=["attn.KeyValueCache"],
    hints=[
        "After the step there are `num_old + num_new` keys. Which of them may the *first* of the "
        "new tokens see, and which the last?",
        "Put the new keys behind the old ones on the axis of tokens, `-2`. The mask has shape "
        "`(num_new, num_old + num_new)`: its last row is all True.",
        "`np.tril(np.ones((num_new, num_all), dtype=bool), k=num_all - num_new)` is that mask; "
        "give it to `scaled_dot_product_attention` as `mask=`.",
    ],
    misconceptions={
        "top-left": "The mask is aligned at the top left: the first new token sees key 0 only, as "
        "if nothing came before it. It stands behind all the old ones.",
        "sees-the-future": "A new token sees new tokens that come after it.",
        "not-itself": "A new token does not see itself. Put the new keys in before you attend.",
        "nothing-kept": "Only the new keys are kept, so the next step has forgotten the prompt.",
        "new-in-front": "The new keys stand before the old ones, so the mask hides the wrong ones.",
        "wrong-axis": "Keys were joined on another axis than that of the tokens, -2.",
        "key-for-value": "The values that are kept are keys.",
        "old-only": "The old keys come back without the new ones.",
        "leaks-by-one": "Each new token sees one token too many.",
    },
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


def _full(query, key, value):
    tokens = query.shape[-2]
    mask = np.tril(np.ones((tokens, tokens), dtype=bool))
    return scaled_dot_product_attention(query, key, value, mask=mask)


def _decode(step, query, key, value, sizes):
    """Return the outputs of steps of these sizes, and the keys and values kept at last."""
    heads = query.shape[0]
    keys, values = np.zeros((heads, 0, key.shape[-1])), np.zeros((heads, 0, value.shape[-1]))
    outputs, start = [], 0
    for size in sizes:
        new = slice(start, start + size)
        given = (part[:, new].copy() for part in (query, key, value))
        result = step(keys.copy(), values.copy(), *given)
        expect(
            isinstance(result, tuple | list) and len(result) == 3,
            "step should return three things: output, keys, values.",
            "returns-nothing" if result is None else None,
        )
        output, keys, values = (as_array(part, "what step returned") for part in result)
        _check_kept(keys, (heads, start, size, key.shape[-1]))
        outputs.append(expect_shape(output, (heads, size, value.shape[-1]), what="the output"))
        start += size
    return np.concatenate(outputs, axis=-2), keys, values


def _check_kept(keys, sizes):
    heads, num_old, num_new, d_k = sizes
    kept = keys.shape[1] if keys.ndim == 3 and len(keys) == heads else None
    known = {num_old + num_new: None, num_old: "old-only", num_new: "nothing-kept"}
    expect(
        kept == num_old + num_new,
        f"The keys to keep have shape {keys.shape}; expected {(heads, num_old + num_new, d_k)}.",
        known.get(kept, "wrong-axis"),
    )


def _parts(rng, tokens):
    return tuple(rng.normal(size=(3, tokens, width)) for width in (5, 5, 2))


def _compare(step, query, key, value, sizes):
    output, keys, values = _decode(step, query, key, value, sizes)
    expect_close(keys, key, what="the keys kept")
    expect_close(values, value, what="the values kept")
    expect_close(
        output,
        _full(query, key, value),
        what=f"the outputs of steps of {sizes} tokens",
        mistakes=_wrong_ways(query, key, value, sizes),
    )


def _wrong_ways(query, key, value, sizes):
    found = {name: [] for name in ("top-left", "sees-the-future", "leaks-by-one", "not-itself")}
    start = 0
    for size in sizes:
        all_ = start + size
        ones = np.ones((size, all_), dtype=bool)
        masks = {
            "top-left": np.tril(ones),
            "sees-the-future": ones,
            "leaks-by-one": np.tril(ones, k=start + 1),
            "not-itself": np.tril(ones, k=start - 1),
        }
        for name, mask in masks.items():
            parts = query[:, start:all_], key[:, :all_], value[:, :all_]
            found[name].append(scaled_dot_product_attention(*parts, mask=mask))
        start = all_
    return {name: np.concatenate(outputs, axis=-2) for name, outputs in found.items()}


@check(points=2)
def token_by_token(step):
    """Seven tokens, one at a time, equal the full causal pass"""
    _compare(step, *_parts(np.random.default_rng(2), 7), [1] * 7)


@check(points=2)
def prompt_first(step):
    """A prompt of four tokens, then one at a time"""
    _compare(step, *_parts(np.random.default_rng(3), 7), [4, 1, 1, 1])


@check(points=1)
def several_at_once(step):
    """Steps of three tokens and of two"""
    _compare(step, *_parts(np.random.default_rng(4), 11), [3, 2, 3, 2, 1])


@check(points=1, hidden=True)
def other_steps(step, rng):
    """Other numbers and steps"""
    _compare(step, *_parts(rng, 13), [2, 5, 1, 4, 1])


WRONG = {
    "top left": wrong(
        replace={", k=num_all - num_new": ""},
        rejected_by=["token_by_token", "prompt_first", "several_at_once"],
        misconception="top-left",
    ),
    "no mask": wrong(
        replace={", mask=mask": ""},
        rejected_by=["prompt_first", "several_at_once"],
        misconception="sees-the-future",
    ),
    "one too many": wrong(
        replace={"k=num_all - num_new": "k=num_all - num_new + 1"},
        rejected_by=["prompt_first", "several_at_once"],
        misconception="leaks-by-one",
    ),
    "attends before it stores": wrong(
        replace={"k=num_all - num_new": "k=num_all - num_new - 1"},
        rejected_by=["token_by_token", "prompt_first"],
        misconception="not-itself",
    ),
    "forgets the prompt": wrong(
        replace={
            "np.concatenate([keys, key], axis=-2)": "key",
            "np.concatenate([values, value], axis=-2)": "value",
        },
        rejected_by=["token_by_token", "prompt_first", "several_at_once"],
        misconception="nothing-kept",
    ),
    "returns the old ones": wrong(
        """
        def step(keys, values, query, key, value):
            all_keys = np.concatenate([keys, key], axis=-2)
            all_values = np.concatenate([values, value], axis=-2)
            shape = (key.shape[-2], all_keys.shape[-2])
            mask = np.tril(np.ones(shape, dtype=bool), k=keys.shape[-2])
            output = scaled_dot_product_attention(query, all_keys, all_values, mask=mask)
            return output, keys, values
        """,
        rejected_by=["token_by_token", "prompt_first", "several_at_once"],
        misconception="old-only",
    ),
    "new ones in front": wrong(
        replace={"[keys, key]": "[key, keys]", "[values, value]": "[value, values]"},
        rejected_by=["token_by_token", "prompt_first", "several_at_once"],
        misconception="new-in-front",
    ),
    "joined on the heads": wrong(
        """
        def step(keys, values, query, key, value):
            if keys.shape[1]:
                key = np.concatenate([keys, np.broadcast_to(key, keys.shape)], axis=0)
                value = np.concatenate([values, np.broadcast_to(value, values.shape)], axis=0)
            output = scaled_dot_product_attention(query, key[-3:], value[-3:], is_causal=True)
            return output, key, value
        """,
        rejected_by=["token_by_token"],
        misconception="wrong-axis",
    ),
    "keys kept as values": wrong(
        replace={
            "return output, keys, values": "return output, keys, keys[..., : value.shape[-1]]"
        },
        rejected_by=["token_by_token", "prompt_first"],
        misconception="key-for-value",
    ),
}

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
