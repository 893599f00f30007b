"""A GPT writes by guessing the next word, appending it, and guessing again.

Write `next_token(logits, temperature, draw)` for the logits of **one** position, `(num_words,)`:

- at temperature 0, return the number of the word with the largest logit ("greedy");
- otherwise, divide the logits by the temperature and turn them into probabilities with the softmax.
  Lay these side by side, in the order of the words, on the interval from 0 to 1. `draw` is a random
  number from that interval: return the word whose part contains it. With the probabilities 0.2,
  0.5, 0.3, the draw 0.6 belongs to word 1, whose part extends from 0.2 to 0.7.

Write `write(tokens, model, draws, temperature)` with your `gpt`: it continues the list `tokens`
with one word for each number in `draws`, chosen by `next_token` from the logits of the last
position. It stops after the token `END`. Return the whole list, including the given tokens, and
leave the given list as it is.
"""

import numpy as np

from attnlab.gpt import END, load, to_text, to_tokens
from attnlab.gpt import next_token as library_next
from attnlab.gpt import write as library_write
from coursekit import as_array, call_keeping_inputs, check, exercise, expect, expect_close, mistake

exercise(
    id="gpt-8-writing",
    chapter="build-a-gpt",
    title="Step 8: it writes",
    pairs=False,  # a few words can be those of many pairs
    uses=["gpt-1-softmax", "gpt-6-forward"],
    withhold=["attnlab.gpt.next_token", "attnlab.gpt.write"],
    stand_in="attnlab.gpt",
    files=["attnlab/gpt/fables.npz"],
    hints=[
        "Where does the part of each word end on the interval from 0 to 1?",
        "`np.cumsum` of the probabilities gives these ends; `np.searchsorted` finds the part that "
        "contains `draw`. For `write`: which row of the logits belongs to the next word?",
        "`text = list(tokens)`, then for each draw `text.append(next_token(gpt(np.array(text), "
        "model)[-1], temperature, draw))`.",
    ],
)


def next_token(logits, temperature, draw):
    """Return the number of the next word."""
    # BEGIN SOLUTION
    if temperature == 0:
        return int(np.argmax(logits))
    p = softmax(logits / temperature)
    ends = np.cumsum(p)
    word = int(np.searchsorted(ends, draw, side="right"))
    return min(word, len(ends) - 1)
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


def _words(next_token, logits, temperature, draws):
    seen = [call_keeping_inputs(next_token, logits, temperature, draw) for draw in draws]
    return [as_array(word, f"next_token(logits, {temperature:g}, …)") for word in seen]


@check(points=1)
def greedy(next_token):
    """Temperature 0 takes the most probable word"""
    seen = _words(next_token, np.array([0.3, 2.0, -1.0, 2.5, 1.9]), 0, (0.1, 0.9))
    expect_close(seen, [3, 3], what="next_token(logits, 0, draw) for two draws")


@check(points=2)
def drawn(next_token):
    """Eleven draws at two temperatures"""
    logits, draws = np.array([0.5, 1.5, -0.5, 1.0, 0.0]), np.arange(0.5, 11) / 11
    for temperature in (0.5, 2.0):
        seen = _words(next_token, logits, temperature, draws)
        are_numbers = all(word.shape == () for word in seen)
        expect(are_numbers, "next_token returns an array; expected one number.")
        again = [int(next_token(logits, temperature, draw)) for draw in draws]
        what = f"next_token(logits, {temperature:g}, draw)"
        is_same = again == [int(word) for word in seen]
        expect(is_same, f"{what} gives different words for one draw.", "own-draw")
        right = [library_next(logits, temperature, draw) for draw in draws]
        expect_close(seen, right, what=f"{what} for eleven draws")


@check(points=2)
def small_model(write):
    """A small model with random weights writes up to 11 words"""
    for seed, temperature in ((31, 0.7), (59, 0.7), (29, 0)):
        rng = np.random.default_rng(seed)
        model, draws, start = _model(rng, 13, 7), rng.random(11), [1, 5, 3]
        right = library_write(start, model, draws, temperature)
        what = f"write([1, 5, 3], model, draws, {temperature})"
        text = as_array(call_keeping_inputs(write, start, model, draws, temperature), what)
        goes_on = text.size > len(right) and np.array_equal(text.flat[: len(right)], right)
        message = f"{what} has {text.size} tokens, {len(right)} up to END."
        expect(not goes_on or right[-1] != END, message, "past-end")
        expect_close(text, right, what=what)


@check(
    points=1,
    success_message="Your GPT writes with your own code, from the softmax to the loop.",
)
def trained_model(write):
    """The trained model continues a fable"""
    start, draws = to_tokens("once there was a clever"), np.random.default_rng(3).random(17)
    model = load()
    expected = library_write(start, model, draws, 0.8)
    text = write(start, model, draws, 0.8)
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


_WORD = "min(word, len(ends) - 1)"

mistake(
    "zero-as-one",
    "These words were drawn at temperature 1. At temperature 0, return the word with the largest "
    "logit, whatever `draw` is.",
    {"if temperature == 0:": "temperature = temperature or 1.0\n    if False:"},
)
mistake(
    "always-best",
    "The word with the largest logit was returned, whatever `draw` is. That is right only at "
    "temperature 0.",
    {"if temperature == 0:": "if True:"},
)
mistake(
    "no-temperature",
    "The temperature has no effect: these words follow from the logits as they are.",
    {" / temperature": ""},
)
mistake(
    "multiplied",
    "The logits were multiplied by the temperature. Dividing by a small temperature makes the "
    "differences larger.",
    {" / temperature": " * temperature"},
)
mistake(
    "tempered-probabilities",
    "The probabilities were divided by the temperature. Divide the logits, before the softmax.",
    {" / temperature)": ") / temperature"},
)
mistake(
    "own-draw",
    "The same logits and the same `draw` gave different words. Do not draw again: `draw` is the "
    "random number, and it alone decides.",
    # Seeded, so that each run sees the same answer.
    {
        "def next_token": "own = np.random.default_rng(11)\n\n\ndef next_token",
        "(ends, draw": "(ends, own.random()",
    },
)
mistake(
    "first-place",
    "The next word was chosen from the logits of the first position. Only the last position has "
    "seen the whole text.",
    {"logits[-1]": "logits[0]"},
)
mistake(
    "last-word-only",
    "Each word was chosen from the word before it alone. The model must read the whole text: the "
    "given tokens and all words written so far.",
    {"np.array(text)": "np.array(text[-1:])"},
)
mistake("past-end", "The text continues after `END`.", {"if text[-1] == END:": "if False:"})
mistake(
    "no-end",
    "`END` itself is missing from the text.",
    {"            break": "            return text[:-1]"},
)
mistake(
    "new-part-only",
    "Only the new words were returned. Put the given tokens in front of them.",
    {"return text\n": "return text[len(tokens) :]\n"},
)
mistake(
    "always-same-context",
    "Every word was chosen as if it came first after the given tokens: the words written so "
    "far have to be given to the model as well.",
    {"np.array(text)": "np.array(tokens)"},
)
mistake(
    "from-the-end",
    "`draw` was measured from 1 downwards: word 0 has the first part, which starts at 0.",
    {"(ends, draw": "(ends, 1 - draw"},
)
mistake(
    "one-before",
    "This is the word before the one whose part contains `draw`.",
    {_WORD: "max(word - 1, 0)"},
)
mistake(
    "one-after",
    "This is the word after the one whose part contains `draw`.",
    {"min(word,": "min(word + 1,"},
)
mistake(
    "equal-parts",
    "All words got parts of the same width. A part's width should be the word's probability.",
    {"np.cumsum(p)": "np.arange(1, len(p) + 1) / len(p)"},
)
mistake(
    "sorted",
    "The words were laid side by side from the most to the least probable. Keep them in the "
    "order of their numbers.",
    {"np.cumsum(p)": "np.cumsum(-np.sort(-p))", _WORD: f"np.argsort(-p)[{_WORD}]"},
)

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
