"""Training lowers one number: how surprised the model is by the next word. The logits at position
$i$ predict the token at position $i + 1$, so the logits of the last position have nothing to
predict, and nothing predicts the first token.

The texts of a batch differ in length, so shorter rows are padded with the number `pad`. A position
whose **next** token is `pad` must not count.

Write `next_token_loss(logits, tokens, pad=0)`, for `logits` of shape `(batch, tokens, num_words)`
and `tokens` of shape `(batch, tokens)`: the mean of $-\\ln p$ over all tokens that count, in nats,
where $p$ is the probability that the softmax gives to the right token. Large logits must not
overflow.
"""

import numpy as np

from attnlab.gpt import next_token_loss as library_loss
from attnlab.gpt import probe
from coursekit import (
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    mistake,
)

exercise(
    id="gpt-7-loss",
    chapter="build-a-gpt",
    title="Step 7: the loss",
    uses=["gpt-1-softmax"],
    withhold=["attnlab.gpt.next_token_loss"],
    stand_in="attnlab.gpt",
    files=["attnlab/gpt/fables.npz"],
    hints=[
        "In a row of 5 tokens, which logits predict, and which tokens are predicted? How many "
        "pairs are there?",
        "`logits[:, :-1]` predicts `tokens[:, 1:]`. `np.take_along_axis` picks one number per "
        "position; `targets != pad` says which positions count.",
        "The logarithm of a softmax is `shifted - np.log(np.exp(shifted).sum(…))`, with the "
        "largest logit subtracted: this never takes the logarithm of 0.",
    ],
)


def next_token_loss(logits, tokens, pad=0):
    """Return the mean of -ln p of each next token that is not pad, in nats."""
    # BEGIN SOLUTION
    logits, targets = logits[:, :-1], tokens[:, 1:]
    shifted = logits - logits.max(axis=-1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    of_target = np.take_along_axis(log_p, targets[..., None], axis=-1)[..., 0]
    return -of_target[targets != pad].mean()
    # END SOLUTION


_TOKENS = np.array([[1, 4, 6, 3, 5, 2, 0], [1, 3, 2, 0, 0, 0, 0], [1, 6, 5, 4, 2, 0, 0]])


@check(points=2)
def three_texts(next_token_loss):
    """Three texts of different lengths, padded with 0, then with 9"""
    logits = np.random.default_rng(19).normal(0, 2, size=(3, 7, 11))
    loss = call_keeping_inputs(next_token_loss, logits, _TOKENS)
    expect_close(loss, library_loss(logits, _TOKENS), what="next_token_loss(logits, tokens)")
    tokens = np.where(_TOKENS == 0, 9, _TOKENS)
    tokens[0, 2], tokens[2, 1] = 0, 0  # 0 is a word here
    loss = call_keeping_inputs(next_token_loss, logits, tokens, pad=9)
    expect_close(loss, library_loss(logits, tokens, 9), what="next_token_loss(…, pad=9)")


@check(points=1)
def large_logits(next_token_loss):
    """Logits of 1000: nothing overflows"""
    logits = np.random.default_rng(23).normal(0, 400, size=(3, 7, 11))
    what = "next_token_loss(1000 · logits, tokens)"
    loss = call_keeping_inputs(next_token_loss, logits, _TOKENS)
    loss = expect_shape(loss, (), what=what)
    expect(np.isfinite(loss), f"{what} is {loss}.", "overflow")
    expect_close(loss, library_loss(logits, _TOKENS), what=what, rtol=1e-6)


@check(
    points=1,
    success_message="A model that gives all words the same probability has a loss of ln 172 = 5.1.",
)
def trained_model(next_token_loss):
    """The trained model on the beginning of a fable that it never saw"""
    tokens, logits = (array[None] for array in probe())
    loss, what = next_token_loss(logits, tokens), "next_token_loss of the trained model"
    expect_close(loss, library_loss(logits, tokens), atol=1e-4, what=what)


@check(points=1, hidden=True)
def another_pad(next_token_loss, rng):
    """Another number pads the rows"""
    tokens = rng.integers(5, size=(5, 13))
    tokens[1, 9:], tokens[3, 4:] = 7, 7
    logits = rng.normal(size=(5, 13, 8))
    loss = next_token_loss(logits, tokens, pad=7)
    expect_close(loss, library_loss(logits, tokens, 7), what="next_token_loss(…, pad=7)")


_SHIFT = "logits, targets = logits[:, :-1], tokens[:, 1:]"
_MEAN = "-of_target[targets != pad].mean()"

mistake(
    "unshifted",
    "The logits at position i were compared with the token at position i, which the model can see. "
    "They predict the token at position i + 1.",
    {_SHIFT: "targets = tokens"},
)
mistake(
    "shifted-back",
    "The logits at position i were compared with the token at position i - 1.",
    {_SHIFT: "logits, targets = logits[:, 1:], tokens[:, :-1]"},
)
mistake(
    "pads-count", "Positions whose next token is `pad` were counted.", {_MEAN: "-of_target.mean()"}
)
mistake(
    "mask-unshifted",
    "Positions were selected by their own token. Select them by whether the next token is `pad`.",
    {"targets != pad": "tokens[:, :-1] != pad"},
)
mistake(
    "pads-as-zero",
    "The padded positions add nothing to the sum, but the sum was divided by the number of all "
    "positions. Divide by the number of positions that count.",
    {_MEAN: "-(of_target * (targets != pad)).mean()"},
)
mistake(
    "summed",
    "This is the sum. Divide by the number of positions that count.",
    {"].mean()": "].sum()"},
)
mistake(
    "mean-of-means",
    "Each row was averaged first, then the rows, so a token of a short text counts more than a "
    "token of a long one. Average over all tokens at once.",
    {_MEAN: "np.mean([-p[t != pad].mean() for p, t in zip(of_target, targets)])"},
)
mistake(
    "bits",
    "This is the loss in bits: the logarithm has base 2. Use `np.log`.",
    {_MEAN: f"{_MEAN} / np.log(2)"},
)
mistake(
    "sign",
    "The sign is missing: the logarithm of a probability is negative.",
    {"-of_target": "of_target"},
)
mistake(
    "perplexity",
    "This is e to the power of the loss, the perplexity. The loss is the mean of -ln p itself.",
    {_MEAN: f"np.exp({_MEAN})"},
)
mistake(
    "mean-probability",
    "This is the mean probability, or 1 minus it. The loss is the mean of its negative logarithm.",
    {_MEAN: "np.exp(of_target[targets != pad]).mean()"},
    {_MEAN: "1 - np.exp(of_target[targets != pad]).mean()"},
)
mistake(
    "zero-is-pad",
    "The number 0 was treated as padding. Here `pad` is another number, and 0 is a word.",
    {"targets != pad": "targets != 0"},
)
mistake(
    "overflow",
    "Large logits overflow, or the logarithm of 0 is taken. Subtract the largest logit, and take "
    "the logarithm of the sum instead of the logarithm of each probability.",
    {"shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))": "np.log(softmax(logits))"},
)

ALSO_RIGHT = {
    "loops": """
        def next_token_loss(logits, tokens, pad=0):
            losses = []
            for row, text in zip(logits, tokens):
                for place in range(len(text) - 1):
                    if text[place + 1] != pad:
                        scores = row[place] - row[place].max()
                        losses.append(np.log(np.exp(scores).sum()) - scores[text[place + 1]])
            return float(np.mean(losses))
    """,
    "logaddexp": """
        def next_token_loss(logits, tokens, pad=0):
            batch, length = np.nonzero(tokens[:, 1:] != pad)
            chosen = logits[batch, length]
            total = np.logaddexp.reduce(chosen, axis=-1)
            return (total - chosen[np.arange(len(batch)), tokens[batch, length + 1]]).mean()
    """,
}
