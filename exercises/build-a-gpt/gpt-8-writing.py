"""A GPT writes by guessing the next word, appending it, and guessing again.

Write `next_token(logits, temperature, draw)` for the logits of **one** place, `(num_words,)`:

- at temperature 0 return the number of the word with the largest logit ("greedy");
- otherwise divide the logits by the temperature and let the softmax make them probabilities. Lay
  these side by side, in the order of the words, on the interval from 0 to 1. `draw` is a random
  number from that interval: return the word on whose part it falls. With the probabilities
  0.2, 0.5, 0.3 the draw 0.6 falls on word 1, whose part reaches from 0.2 to 0.7.

Write `write(tokens, model, draws, temperature)` with your `gpt`: it continues the list `tokens` by
one word for each number in `draws`, each chosen by `next_token` from the logits of the last place.
It stops after the token `END`. Return the whole list, the given tokens included, and leave the list
that was given as it is.
"""

import numpy as np

from attnlab.gpt import END, load, to_text, to_tokens
from attnlab.gpt import next_token as library_next
from attnlab.gpt import write as library_write
from coursekit import as_array, call_keeping_inputs, check, exercise, expect, expect_close

exercise(
    title="Step 8: it writes",
    uses=["gpt-1-softmax", "gpt-6-forward"],
    withhold=["attnlab.gpt.next_token", "attnlab.gpt.write"],
    stand_in="attnlab.gpt",
    files=["attnlab/gpt/fables.npz"],
    hints=[
        "Where does the part of each word end on the interval from 0 to 1?",
        "`np.cumsum` of the probabilities has these ends; `np.searchsorted` finds the part into "
        "which `draw` falls. For `write`: which row of the logits belongs to the next word?",
        "`text = list(tokens)`, then for each draw `text.append(next_token(gpt(np.array(text), "
        "model)[-1], temperature, draw))`.",
    ],
)


def next_token(logits, temperature, draw):
    """Return the number of the next word."""
    # BEGIN SOLUTION
    if temperature == 0:
        return int(np.argmax(logits))
    ends = np.cumsum(softmax(logits / temperature))
    return min(int(np.searchsorted(ends, draw, side="right")), len(ends) - 1)
    # END SOLUTION


def write(tokens, model, draws, temperature):
    """Return tokens and what the model writes after them, as one list."""
    # BEGIN SOLUTION
    text = list(tokens)
    for draw in draws:
        logits = gpt(np.array(text), model)
        text.append(next_token(logits[-1], temperature, draw))
        if text[-1] == END:
            break
    return text
    # END SOLUTION


# Try another beginning, another temperature, other draws.
start = to_tokens("once there was an old fox named Mara")
draws = np.random.default_rng(1).random(120)


def tell(temperature):
    """Return the text that your model writes, to be read."""
    return to_text(write(start, load(), draws, temperature))


# BEGIN SOLUTION
# STARTER: # When the checks pass, take the # off the next line, run it, and read.
# STARTER: # print(tell(temperature=0.8))
# END SOLUTION


MISTAKES = r"""
zero-as-one: `return int(np.argmax(logits))` → `temperature = 1.0`
    These words were drawn at temperature 1. At temperature 0 the word with the largest logit is
    returned, whatever `draw` is.
always-best: `if temperature == 0:` → `if True:`
    The word with the largest logit was returned whatever `draw` is. That is right at temperature 0
    only.
no-temperature: `logits / temperature` → `logits`
    The temperature has no effect: these words follow from the logits as they are.
multiplied: `logits / temperature` → `logits * temperature`
    The logits were multiplied by the temperature. Dividing by a small temperature makes the
    differences larger.
tempered-probabilities: `softmax(logits / temperature)` → `softmax(logits) / temperature`
    The probabilities were divided by the temperature. Divide the logits, before the softmax.
own-draw: `draw):` → `draw, own=np.random.default_rng(11)):`, `ends, draw` → `ends, own.random()`
    The same logits and the same `draw` gave different words. Do not draw again: `draw` is the
    random number, and it decides alone.
first-place: `logits[-1]` → `logits[0]`
    The next word was chosen from the logits of the first place. The last place has seen the whole
    text.
last-word-only: (also past-end) `np.array(text)` → `np.array(text[-1:])`
    Each word was chosen from the word before it alone. The model reads the whole text: the given
    tokens and all that is written so far.
past-end: `text[-1] == END` → `False`
    The text goes on after `END`.
no-end: `return text` → `return text[:-1] if text[-1] == END else text`
    `END` itself is missing from the text.
new-part-only: `return text` → `return text[len(tokens) :]`
    Only the new words were returned. The given tokens belong in front.
always-same-context: (also past-end) `np.array(text)` → `np.array(tokens)`
    Every word was chosen as if it came first after the given tokens: the words written so far have
    to be given to the model as well.
from-the-end: `ends, draw` → `ends, 1 - draw`
    `draw` was measured from 1 downwards: word 0 has the first part, from 0.
one-before: `return min(` → `return max(`, `, len(ends) - 1)` → ` - 1, 0)`
    It is the word before the one on whose part `draw` falls.
one-after: `, len(ends) - 1)` → ` + 1, len(ends) - 1)`
    It is the word after the one on whose part `draw` falls.
equal-parts: `softmax(logits / temperature)` → `np.full(len(logits), 1 / len(logits))`
    All words got parts of the same width. The width of a part is the word's probability.
sorted: `softmax(logits / temperature)` → `np.sort(softmax(logits / temperature))[::-1]`,
  `int(np.searchsorted(ends, draw, side="right"))` →
  `int(np.argsort(-logits)[np.searchsorted(ends, draw, side="right")])`
    The words were laid side by side from the most to the least probable. Keep them in the order of
    their numbers.
"""


def _model(rng, num_words, d_model):
    sizes = {f"w_{name}": (d_model, 6) for name in ("query", "key", "value")}
    sizes |= {"w_output": (6, d_model), "w_in": (d_model, 13), "w_out": (13, d_model)}
    weights = {name: rng.normal(size=size) / np.sqrt(size[0]) for name, size in sizes.items()}
    weights |= {f"b{name[1:]}": rng.normal(size=size[1]) for name, size in sizes.items()}
    for norm in ("norm1", "norm2"):
        weights |= {f"{norm}_gain": np.ones(d_model), f"{norm}_bias": np.zeros(d_model)}
    return {
        "embeddings": rng.normal(size=(num_words, d_model)),
        "positions": rng.normal(size=(23, d_model)),
        "blocks": [weights],
        "norm_gain": np.full(d_model, 0.5),
        "norm_bias": np.zeros(d_model),
        "num_heads": 3,
    }


@check(points=1)
def greedy(next_token):
    """Temperature 0 takes the best word"""
    logits = np.array([0.3, 2.0, -1.0, 2.5, 1.9])
    seen = [call_keeping_inputs(next_token, logits, 0, draw) for draw in (0.1, 0.9)]
    expect_close(
        [as_array(word, "next_token(…)") for word in seen],
        [3, 3],
        what="next_token(logits, 0, draw) for two draws",
    )


@check(points=2)
def drawn(next_token):
    """Eleven draws at two temperatures"""
    logits, draws = np.array([0.5, 1.5, -0.5, 1.0, 0.0]), np.arange(0.5, 11) / 11
    for temperature in (0.5, 2.0):
        seen = [call_keeping_inputs(next_token, logits, temperature, d) for d in draws]
        seen = [as_array(word, f"next_token(logits, {temperature:g}, …)") for word in seen]
        expect(
            all(word.shape == () for word in seen),
            "next_token returns an array; expected one number.",
        )
        again = [int(next_token(logits, temperature, d)) for d in draws]
        what = f"next_token(logits, {temperature:g}, draw) gives different words for one draw."
        expect(again == [int(word) for word in seen], what, "own-draw")
        expect_close(
            seen,
            [library_next(logits, temperature, d) for d in draws],
            what=f"next_token(logits, {temperature:g}, draw) for eleven draws",
        )


def _expect_text(text, expected, what, start):
    array = as_array(text, what)
    expect(array.ndim == 1, f"{what} has shape {array.shape}; expected one list of tokens.")
    new, right = array.tolist(), list(expected)
    expect(new != right[len(start) :], f"{what} has {len(new)} tokens.", "new-part-only")
    ended = right[-1] == END
    expect(not (ended and new == right[:-1]), f"{what} ends with {new[-1:]}.", "no-end")
    longer = ended and len(new) > len(right) and new[: len(right)] == right
    expect(not longer, f"{what} has {len(new)} tokens, {len(right)} up to END.", "past-end")
    return array


@check(points=2)
def small_model(write):
    """A small model with random weights writes up to 11 words"""
    texts = []
    for seed, temperature in ((31, 0.7), (59, 0.7), (29, 0)):
        rng = np.random.default_rng(seed)
        model, draws, start = _model(rng, 13, 7), rng.random(11), [1, 5, 3]
        expected = library_write(start, model, draws, temperature)
        what = f"write([1, 5, 3], model, draws, {temperature})"
        text = call_keeping_inputs(write, start, model, draws, temperature)
        texts.append((as_array(text, what), expected, what, start))
    for text, expected, what, start in texts:
        expect_close(_expect_text(text, expected, what, start), expected, what=what)


@check(
    points=1,
    success_message="Your GPT writes, from your softmax to your loop: run the last line, and read.",
)
def trained_model(write):
    """The trained model goes on with a fable"""
    start = to_tokens("once there was a clever")
    draws = np.random.default_rng(3).random(17)
    model = load()
    expected = library_write(start, model, draws, 0.8)
    text = as_array(write(start, model, draws, 0.8), "write(…)")
    expect_close(text, expected, what=f"“{to_text(expected)}”, as numbers,")


@check(points=1, hidden=True)
def other_models(next_token, write, rng):
    """Other logits and another model"""
    logits = rng.normal(0, 2, size=17)
    for temperature, draw in ((0.3, 0.5), (1.3, 0.97), (1.0, 0.02)):
        word, what = next_token(logits, temperature, draw), "next_token(logits, …)"
        expect_close(word, library_next(logits, temperature, draw), what=what)
    model, draws = _model(rng, 17, 11), rng.random(7)
    expect_close(write([1], model, draws, 1.0), library_write([1], model, draws, 1.0), what="write")


ALSO_RIGHT = {
    "a loop over the parts": """
        def next_token(logits, temperature, draw):
            if not temperature:
                return max(range(len(logits)), key=lambda word: logits[word])
            end = 0.0
            for word, p in enumerate(softmax(np.asarray(logits) / temperature)):
                end += p
                if draw < end:
                    return word
            return len(logits) - 1

        def write(tokens, model, draws, temperature):
            text = [int(token) for token in tokens]
            for draw in draws:
                if len(text) > len(tokens) and text[-1] == END:
                    return text
                text = text + [next_token(gpt(np.array(text), model)[-1, :], temperature, draw)]
            return text
    """,
    "ends counted": """
        def next_token(logits, temperature, draw):
            if temperature == 0:
                return np.argmax(logits)
            return np.count_nonzero(np.cumsum(softmax(logits / temperature))[:-1] <= draw)

        def write(tokens, model, draws, temperature):
            text, draws = np.array(tokens), list(draws)
            while draws and (len(text) == len(tokens) or text[-1] != END):
                word = next_token(gpt(text, model)[-1], temperature, draws.pop(0))
                text = np.append(text, word)
            return list(text)
    """,
}
