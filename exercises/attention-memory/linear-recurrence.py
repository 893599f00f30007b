"""Write one step of linear attention with a decay. The features of query and key have been computed
already: `query` and `key` have shape `(heads, d_features)`, all entries positive; `value` has shape
`(heads, d_v)`. `state`, $S$, has shape `(heads, d_features, d_v)`, `total`, $n$, has shape
`(heads, d_features)`; both are 0 before the first token. `decay`, $\\gamma$, is a number.

$$
S_i = \\gamma S_{i-1} + k_i^\\top v_i \\qquad n_i = \\gamma n_{i-1} + k_i \\qquad
z_i = \\frac{q_i S_i}{q_i \\cdot n_i}
$$

Return the output $z_i$, of shape `(heads, d_v)`, the new state and the new total, in this order.
Leave the arguments as they are: several texts are read in turn.
"""

import numpy as np

from attn import LinearAttentionState, linear_attention
from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_parts,
    expect_shape,
)

exercise(
    title="Linear attention, one token at a time",
    withhold=["attn.LinearAttentionState", "attn.linear_attention"],
    hints=[
        "$k_i^\\top v_i$ is an outer product, one for each head. Which shape must it have to be "
        "added to the state?",
        "`key[:, :, None] * value[:, None, :]` has shape `(heads, d_features, d_v)`. The output "
        "needs the state *after* the new token was added.",
        "`(query[:, None, :] @ state)[:, 0]` has shape `(heads, d_v)`; the denominator is "
        "`(query * total).sum(axis=-1, keepdims=True)`.",
    ],
)


def step(state, total, query, key, value, decay):
    """Return output, state and total after one more token.

    state: (heads, d_features, d_v)   total: (heads, d_features)
    query, key: (heads, d_features)   value: (heads, d_v)   decay: γ
    """
    # BEGIN SOLUTION
    state = decay * state + key[:, :, None] * value[:, None, :]
    total = decay * total + key
    output = (query[:, None, :] @ state)[:, 0]  # (heads, d_v)
    return output / (query * total).sum(axis=-1, keepdims=True), state, total
    # END SOLUTION


MISTAKES = r"""
reads-first: `state = decay` → `later = decay`, `total = decay` → `more = decay`,
  `, state, total` → `, later, more`
    The output was read from the state before the new token was added. A token also attends to
    itself.
total-reads-first: `total = decay` → `more = decay`, `, state, total` → `, state, more`
    The denominator is from before the new token, the numerator from after it.
not-normalised: ` / (query * total).sum(axis=-1, keepdims=True)` → ``
    The output was not divided by q · n, so its size depends on how many tokens were read.
no-decay: `decay * ` → ``
    Nothing decays: the old state and the old total have to be multiplied by γ.
state-keeps: `decay * state` → `state`
    The state does not decay. It has to, like the total.
total-keeps: `decay * total` → `total`
    The total does not decay. It has to, like the state: otherwise the weights no longer sum to 1.
new-decays: `decay * state + key[:, :, None] * value[:, None, :]` →
  `decay * (state + key[:, :, None] * value[:, None, :])`,
  `decay * total + key` → `decay * (total + key)`
    The new token was multiplied by γ as well. Only what was there before decays.
decay-reversed: `+ key[:, :, None]` → `+ (1 - decay) * key[:, :, None]`,
  `total + key` → `total + (1 - decay) * key`
    The new token was multiplied by 1 − γ, as in a running mean. In the formula it is added in full.
total-not-updated: `total = decay * total + key` → `pass`
    The total is the old one. Add the features of the new key.
query-left-out: `(query * total)` → `total`
    The divisor is the sum of the total. It should be its dot product with the query.
over-all-heads: `.sum(axis=-1, keepdims=True)` → `.sum()`
    The divisor was summed over all heads. Each head has its own q · n.
state-replaced: `decay * state + ` → ``
    The state holds the new token only: the old one was replaced.
other-order: `, state, total` → `, total, state`
    The three results are in the wrong order. Return output, state, total.
transposed: `, state,` → `, state.swapaxes(1, 2),`
    The state is transposed: its rows are features, its columns belong to the values.
"""


_THREE = "step should return three things: output, state, total."


def _expect(step, rng, sizes, decay):
    heads, tokens, features, d_v = sizes
    query, key = 0.2 + rng.random((2, heads, tokens + 2, features))
    value = rng.normal(size=(heads, tokens + 2, d_v))
    memory = LinearAttentionState(feature_map=None)
    memory.append(query[:, :2], key[:, :2], value[:, :2], decay)  # a text that goes on
    for t in range(2, tokens + 2):
        old = np.array(memory.state), np.array(memory.total)
        token = query[:, t], key[:, t], value[:, t]
        with np.errstate(all="ignore"):
            result = call_keeping_inputs(step, *old, *token, decay)
        result = expect_parts(result, 3, _THREE)
        output = memory.append(*(part[:, None] for part in token), decay)[:, 0]
        right = output, np.array(memory.state), np.array(memory.total)
        _expect_right([as_array(part) for part in result], right, t)


def _expect_right(result, right, t):
    shapes, expected = [part.shape for part in result], [part.shape for part in right]
    exchanged = shapes != expected and sorted(shapes) == sorted(expected)
    expect(not exchanged, f"the results have shapes {shapes}.", "other-order")
    names = ("the output", "the state", "the total")
    for i in (1, 2, 0):
        expect_shape(result[i], expected[i], what=f"{names[i]} after token {t}")
    for i in (1, 2, 0):
        expect_close(result[i], right[i], what=f"{names[i]} after token {t}")


@check(points=2, success_message="The state is all that is kept, and each token attends to itself.")
def five_tokens(step):
    """Two heads, five tokens, 3 features, values of width 7, decay 0.7"""
    _expect(step, np.random.default_rng(1), (2, 5, 3, 7), 0.7)


@check(points=1, success_message="Without a decay all tokens so far count alike.")
def without_decay(step):
    """Three heads, 11 tokens, decay 1"""
    _expect(step, np.random.default_rng(2), (3, 11, 5, 2), 1.0)


@check(points=2, success_message="The recurrence gives what the masked product gives.")
def equals_the_masked_product(step):
    """Seven tokens: the outputs are those of all pairs at once, with weights that decay"""
    rng, decay, tokens = np.random.default_rng(3), 0.8, 7
    query, key = 0.2 + rng.random((2, 2, tokens, 5))
    value = rng.normal(size=(2, tokens, 3))
    right = linear_attention(query, key, value, is_causal=True, decay=decay, feature_map=None)
    state, total = np.zeros((2, 5, 3)), np.zeros((2, 5))
    for t in range(tokens):
        with np.errstate(all="ignore"):
            result = step(state, total, query[:, t], key[:, t], value[:, t], decay)
        result = expect_parts(result, 3, _THREE)
        output = expect_shape(result[0], (2, 3), what=f"the output of token {t}")
        expect_close(output, right[:, t], what=f"the output of token {t}")
        state = expect_shape(result[1], (2, 5, 3), what="the state")
        total = expect_shape(result[2], (2, 5), what="the total")


@check(points=1, hidden=True)
def other_sizes(step, rng):
    """Other sizes and decays"""
    _expect(step, rng, (5, 3, 7, 2), 0.35)
    _expect(step, rng, (2, 7, 3, 11), 0.95)


ALSO_RIGHT = {
    "by einsum": """
        def step(state, total, query, key, value, decay):
            new = decay * state + np.einsum("hf,hv->hfv", key, value)
            norm = decay * total + key
            sums = np.einsum("hf,hfv->hv", query, new)
            return sums / np.einsum("hf,hf->h", query, norm)[:, None], new, norm
    """,
    "by loops": """
        def step(state, total, query, key, value, decay):
            state, total = decay * state, decay * total
            output = np.empty(value.shape)
            for h in range(len(key)):
                state[h] += np.outer(key[h], value[h])
                total[h] += key[h]
                output[h] = query[h] @ state[h] / (query[h] @ total[h])
            return output, state, total
    """,
}
