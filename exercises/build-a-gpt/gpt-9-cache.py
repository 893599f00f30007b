"""`write` runs the whole text through the model again for every new word. The keys and values of
the earlier words come out the same each time, because no word sees a later one. So keep them: for
one block, a **cache** holds the keys and the values so far, two arrays of shape
`(num_heads, tokens so far, head_dim)`. At the start of a text, they hold 0 tokens.

Write `attend_next(x, weights, num_heads, cache)` for **one** new token `x`, shape `(1, d_model)`:
its key and its value are appended to those in the cache, and its query attends to all of them.
Return its output, `(1, d_model)`, and the new cache, `(keys, values)`. No mask is needed: the cache
holds only the token itself and earlier ones.

Write `gpt_next(token, model, caches)` for the number of one new word and a list with one cache per
block. Return the logits of the word that follows, `(num_words,)`, and the list of new caches. Leave
the old caches as they are: a text may branch.
"""

import numpy as np

from attnlab.gpt import attend as library_attend
from attnlab.gpt import attend_next as library_next
from attnlab.gpt import empty_caches, load, probe
from attnlab.gpt import gpt as library_gpt
from coursekit import call_keeping_inputs, check, exercise, expect, expect_close, mistake

exercise(
    id="gpt-9-cache",
    chapter="build-a-gpt",
    title="Step 9, if you like: a cache",
    practice=True,
    pairs=False,
    uses=["gpt-1-softmax", "gpt-5-block"],
    withhold=["attnlab.gpt.attend_next", "attnlab.gpt.gpt_next", "attn.KeyValueCache"],
    stand_in="attnlab.gpt",
    files=["attnlab/gpt/fables.npz"],
    hints=[
        "One token has one query, one key and one value for each head. Which arrays are longer "
        "than one token, and along which axis?",
        "`reshape(num_heads, 1, -1)` splits one token into heads; `np.concatenate([keys, key], "
        "axis=1)` appends the new key to the old ones. `gpt_next` combines your `gpt` and your "
        "`block`, with `attend_next` instead of `attend`.",
        "The position of the token in the text is the number of tokens in a cache: "
        '`caches[0][0].shape[1]`. In the loop over `zip(model["blocks"], caches)`, collect each '
        "new cache in a list.",
    ],
)


def attend_next(x, weights, num_heads, cache):
    """Return the attention of one new token, (1, d_model), and the cache with the token in it."""
    # BEGIN SOLUTION
    query, key, value = (
        (x @ weights[f"w_{name}"] + weights[f"b_{name}"]).reshape(num_heads, 1, -1)
        for name in ("query", "key", "value")
    )
    keys = np.concatenate([cache[0], key], axis=1)  # (num_heads, tokens, head_dim)
    values = np.concatenate([cache[1], value], axis=1)
    scores = query @ keys.swapaxes(-1, -2) / np.sqrt(query.shape[-1])  # (num_heads, 1, tokens)
    heads = (softmax(scores) @ values).reshape(1, -1)
    return heads @ weights["w_output"] + weights["b_output"], (keys, values)
    # END SOLUTION


def gpt_next(token, model, caches):
    """Return the logits of the word after the token, (num_words,), and the new caches."""
    # BEGIN SOLUTION
    place = caches[0][0].shape[1]
    x = model["embeddings"][[token]] + model["positions"][place]  # (1, d_model)
    kept = []
    for weights, cache in zip(model["blocks"], caches, strict=True):
        normed = layer_norm(x, weights["norm1_gain"], weights["norm1_bias"])
        added, cache = attend_next(normed, weights, model["num_heads"], cache)
        x = x + added
        normed = layer_norm(x, weights["norm2_gain"], weights["norm2_bias"])
        x = x + feed_forward(normed, weights)
        kept.append(cache)
    x = layer_norm(x, model["norm_gain"], model["norm_bias"])
    logits = x @ model["embeddings"].T
    return logits[0], kept
    # END SOLUTION


def _weights(rng, d_model, width, d_hidden=5):
    sizes = {f"w_{name}": (d_model, width) for name in ("query", "key", "value")}
    sizes |= {"w_output": (width, d_model), "w_in": (d_model, d_hidden)}
    sizes |= {"w_out": (d_hidden, d_model)}
    weights = {name: rng.normal(size=size) / np.sqrt(size[0]) for name, size in sizes.items()}
    weights |= {f"b{name[1:]}": rng.normal(size=size[1]) for name, size in sizes.items()}
    for norm in ("norm1", "norm2"):
        weights[f"{norm}_gain"] = rng.normal(1, 0.5, size=d_model)
        weights[f"{norm}_bias"] = rng.normal(size=d_model)
    return weights


def _model(rng, num_words, d_model, num_heads, head_dim):
    return {
        "embeddings": rng.normal(size=(num_words, d_model)),
        "positions": rng.normal(size=(23, d_model)),
        "blocks": [_weights(rng, d_model, num_heads * head_dim) for _ in range(3)],
        "norm_gain": rng.normal(1, 0.5, size=d_model),
        "norm_bias": rng.normal(size=d_model),
        "num_heads": num_heads,
    }


def _two(result, what):
    is_pair = isinstance(result, tuple | list) and len(result) == 2
    message = f"{what} returns one thing; expected two: the result and what to keep."
    expect(is_pair, message, "returns-nothing" if result is None else None)
    return result


def _kept(cache, right, what):
    """Compare what is kept with the keys and values of all tokens so far, in their order."""
    cache = _two(cache, f"the cache after {what}")
    pairs = zip(cache, right, ("keys", "values"), strict=True)
    return tuple(expect_close(c, r, what=f"the {name} kept after {what}") for c, r, name in pairs)


@check(points=2)
def token_by_token(attend_next):
    """Seven tokens, one after another, through three heads"""
    rng = np.random.default_rng(3)
    x, weights = rng.normal(size=(7, 11)), _weights(rng, 11, 6)
    right = library_attend(x, weights, 3)
    cache = nothing = np.zeros((3, 0, 2)), np.zeros((3, 0, 2))
    for at in range(7):
        what = f"attend_next of token {at}"
        result = call_keeping_inputs(attend_next, x[at : at + 1], weights, 3, cache)
        output, kept = _two(result, what)
        expect_close(output, right[at : at + 1], what=what)
        cache = _kept(kept, library_next(x[at : at + 1], weights, 3, cache)[1], what)
    output, _ = attend_next(x[:1], weights, 3, nothing)
    expect_close(output, right[:1], what="attend_next of the first token of another text")


@check(points=2)
def small_model(gpt_next):
    """A small model with random weights reads nine words, one after another"""
    rng = np.random.default_rng(17)
    model, tokens = _model(rng, 19, 11, 3, 2), rng.integers(19, size=9)
    right, caches = library_gpt(tokens, model), empty_caches(model)
    for at, token in enumerate(tokens.tolist()):
        what = f"gpt_next of word {at}"
        logits, caches = _two(call_keeping_inputs(gpt_next, token, model, caches), what)
        is_list = isinstance(caches, tuple | list) and len(caches) == 3
        expect(is_list, f"{what} should return a list of 3 caches, one for each block.")
        expect_close(logits, right[at], what=f"the array of logits from {what}")


@check(
    points=1,
    success_message="Each word now costs the work of only one token. Compare the speed below.",
)
def trained_model(gpt_next):
    """The trained model reads the beginning of a fable"""
    (tokens, right), model = probe(), load()
    caches, logits = empty_caches(model), None
    for token in tokens.tolist():
        logits, caches = _two(gpt_next(token, model, caches), "gpt_next")
    expect_close(logits, right[-1], atol=2e-3, what="the array of logits after 23 words")


@check(points=1, hidden=True)
def other_sizes(attend_next, gpt_next, rng):
    """Other sizes"""
    x, weights, empty = rng.normal(size=(4, 9)), _weights(rng, 9, 15), np.zeros((5, 0, 3))
    right, cache = library_attend(x, weights, 5), (empty, empty)
    for at in range(4):
        what = f"attend_next of token {at}"
        output, cache = _two(attend_next(x[at : at + 1], weights, 5, cache), what)
        expect_close(output, right[at : at + 1], what=what)
    model, tokens = _model(rng, 17, 9, 5, 3), rng.integers(17, size=4)
    right, caches = library_gpt(tokens, model), empty_caches(model)
    for at, token in enumerate(tokens.tolist()):
        logits, caches = _two(gpt_next(token, model, caches), f"gpt_next of word {at}")
        expect_close(logits, right[at], what=f"the array of logits from gpt_next of word {at}")


_KEYS, _VALUES = (
    f"np.concatenate([cache[{at}], {new}], axis=1)" for at, new in enumerate(("key", "value"))
)
_CACHES = 'zip(model["blocks"], caches, strict=True)'
_PLACE = "caches[0][0].shape[1]"

mistake(
    "new-token-only",
    "The new token attends to itself alone: the keys and values in the cache were not used.",
    {_KEYS: "key", _VALUES: "value"},
)
mistake(
    "not-itself",
    "The new token does not attend to itself. Its query must also meet its own key and value.",
    {
        "scores = query @ keys": "scores = query @ (cache[0] if cache[0].size else keys)",
        "@ values)": "@ (cache[1] if cache[1].size else values))",
    },
)
mistake(
    "new-in-front",
    "The new key and value were put in front of those in the cache. Append them, in the order of "
    "the text.",
    {"[cache[0], key]": "[key, cache[0]]", "[cache[1], value]": "[value, cache[1]]"},
)
mistake(
    "keys-as-values",
    "The keys were kept, or summed, in place of the values.",
    {"[cache[1], value]": "[cache[0], key]"},
)
mistake(
    "nothing-kept",
    "The cache was returned unchanged: the new key and value are missing from it.",
    {"(keys, values)": "cache"},
)
mistake(
    "unscaled",
    "The scores were not divided by the root of head_dim.",
    {" / np.sqrt(query.shape[-1])": ""},
)
mistake(
    "no-biases",
    "The biases are missing from the query, key and value.",
    {' + weights[f"b_{name}"]': ""},
)
mistake("no-output-bias", "The last bias, `b_output`, is missing.", {' + weights["b_output"]': ""})
mistake(
    "first-place",
    "Every word got the vector of the first position. A word's position is the number of words "
    "before it, and the cache has their number.",
    {_PLACE: "0"},
)
mistake(
    "one-place-late",
    "Every word got the vector of the position after its own. The first word has position 0: count "
    "the words before it.",
    {_PLACE: f"{_PLACE} + 1"},
)
mistake(
    "one-cache",
    "All blocks read the cache of the first block. Each block has its own keys and values.",
    {_CACHES: _CACHES.replace("caches", "[caches[0]] * 3")},
)
mistake("no-final-norm", "The last norm is missing.", {"x = layer_norm": "layer_norm"})
mistake("no-network", "The feed-forward network is missing.", {"x = x + feed": "feed"})
mistake("no-residual", "The result of attention replaces x. Add it to x.", {"x + added": "added"})
mistake(
    "whole-axis",
    "The logits have an axis for the one token. Return those of the word that follows, "
    "`(num_words,)`.",
    {"logits[0], kept": "logits, kept"},
)

ALSO_RIGHT = {
    "with einsum and lists": """
        def attend_next(x, weights, num_heads, cache):
            row = np.asarray(x)[0]
            def part(name):
                return (row @ weights["w_" + name] + weights["b_" + name]).reshape(num_heads, -1)
            keys = np.concatenate([cache[0], part("key")[:, None]], axis=1)
            values = np.concatenate([cache[1], part("value")[:, None]], axis=1)
            scores = np.einsum("hd,htd->ht", part("query"), keys) / keys.shape[-1] ** 0.5
            heads = np.einsum("ht,htd->hd", softmax(scores), values).reshape(1, -1)
            return [heads @ weights["w_output"] + weights["b_output"], [keys, values]]

        def gpt_next(token, model, caches):
            x = (model["embeddings"][token] + model["positions"][len(caches[0][0][0])])[None]
            new = []
            for w, cache in zip(model["blocks"], caches):
                added, kept = attend_next(
                    layer_norm(x, w["norm1_gain"], w["norm1_bias"]), w, model["num_heads"], cache
                )
                x = x + added
                x = x + feed_forward(layer_norm(x, w["norm2_gain"], w["norm2_bias"]), w)
                new = [*new, kept]
            x = layer_norm(x, model["norm_gain"], model["norm_bias"])
            return (x @ model["embeddings"].T).ravel(), new
    """,
    "a loop over the heads": """
        def attend_next(x, weights, num_heads, cache):
            query, key, value = (
                np.split(x @ weights[f"w_{n}"] + weights[f"b_{n}"], num_heads, axis=1)
                for n in ("query", "key", "value")
            )
            heads, keys, values = [], [], []
            for h in range(num_heads):
                keys.append(np.vstack([cache[0][h], key[h]]))
                values.append(np.vstack([cache[1][h], value[h]]))
                shares = softmax(query[h] @ keys[h].T / np.sqrt(query[h].shape[1]))
                heads.append(shares @ values[h])
            output = np.hstack(heads) @ weights["w_output"] + weights["b_output"]
            return output, (np.stack(keys), np.stack(values))

        def gpt_next(token, model, caches):
            place, new = np.shape(caches[0][0])[1], list(caches)
            x = model["embeddings"][[token]] + model["positions"][[place]]
            for number, weights in enumerate(model["blocks"]):
                normed = layer_norm(x, weights["norm1_gain"], weights["norm1_bias"])
                given = normed, weights, model["num_heads"], caches[number]
                added, new[number] = attend_next(*given)
                normed = layer_norm(x + added, weights["norm2_gain"], weights["norm2_bias"])
                x = x + added + feed_forward(normed, weights)
            x = layer_norm(x, model["norm_gain"], model["norm_bias"])
            return x[0] @ model["embeddings"].T, new
    """,
}
