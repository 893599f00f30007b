"""Training lowers one number: how surprised the model is by the next word. The logits at place $i$
predict the token at place $i + 1$, so the logits of the last place have nothing to predict, and
nothing predicts the first token.

Texts of one batch differ in length, and the shorter rows are filled up with the number `pad`. A
place whose **next** token is `pad` must not count.

Write `next_token_loss(logits, tokens, pad=0)`, for `logits` of shape `(batch, tokens, num_words)`
and `tokens` of shape `(batch, tokens)`: the mean of $-\\ln p$ over all tokens that count, in nats,
where $p$ is the probability that the softmax gives the right token. Large logits must not overflow.
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
    expect_same,
    expect_shape,
)

exercise(
    title="Step 7: the loss",
    uses=["gpt-1-softmax"],
    withhold=["attnlab.gpt.next_token_loss"],
    stand_in="attnlab.gpt",
    files=["attnlab/gpt/fables.npz"],
    hints=[
        "For a row of 5 tokens: which logits predict, and which tokens are predicted? How many "
        "pairs are there?",
        "`logits[:, :-1]` predicts `tokens[:, 1:]`. `np.take_along_axis` picks one number a place; "
        "`targets != pad` says which places count.",
        "The logarithm of a softmax is `shifted - np.log(np.exp(shifted).sum(…))`, with the "
        "largest logit subtracted: "
        "it never takes the logarithm of 0.",
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


MISTAKES = r"""
unshifted: `logits[:, :-1], tokens[:, 1:]` → `logits, tokens`
    The logits of place i were compared with the token at place i, which the model can see. They
    predict the token at place i + 1.
shifted-back: `logits[:, :-1], tokens[:, 1:]` → `logits[:, 1:], tokens[:, :-1]`
    The logits of place i were compared with the token at place i - 1.
pads-count: `[targets != pad]` → ``
    Places whose next token is `pad` were counted.
mask-unshifted: `targets != pad` → `tokens[:, :-1] != pad`
    The places were chosen by the token at place i. What counts is whether its next token is `pad`.
pads-as-zero: `of_target[targets != pad]` → `(of_target * (targets != pad))`
    The padded places add nothing to the sum, but the sum was divided by the number of all places.
    Divide by the number of places that count.
summed: `.mean()` → `.sum()`
    This is the sum. Divide by the number of places that count.
mean-of-means: `return -of_target[targets != pad].mean()` →
  `return np.mean([-row[t != pad].mean() for row, t in zip(of_target, targets)])`
    Each row was averaged first, then the rows: a token of a short text counts more than one of a
    long text. Average over all tokens at once.
bits: `.mean()` → `.mean() / np.log(2)`
    This is the loss in bits: the logarithm has base 2. Use `np.log`.
sign: `-of_target` → `of_target`
    The sign is missing: the logarithm of a probability is negative.
perplexity: `-of_target[targets != pad].mean()` → `np.exp(-of_target[targets != pad].mean())`
    This is e to the power of the loss, the perplexity. The loss is the mean of -ln p itself.
mean-probability: `-of_target[targets != pad]` → `np.exp(of_target[targets != pad])`
    This is the mean probability, or 1 minus it. The loss is the mean of its negative logarithm.
zero-is-pad: `!= pad` → `!= 0`
    The number 0 was treated as padding. Here `pad` is another number, and 0 is a word.
overflow: `shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))` →
  `np.log(softmax(logits))`
    Large logits overflow, or the logarithm of 0 is taken. Subtract the largest logit, and take the
    logarithm of the sum instead of that of each probability.
"""


_TOKENS = np.array([[1, 4, 6, 3, 5, 2, 0], [1, 3, 2, 0, 0, 0, 0], [1, 6, 5, 4, 2, 0, 0]])


@check(points=2)
def three_texts(next_token_loss):
    """Three texts of different lengths, filled up with 0, then with 9"""
    logits = np.random.default_rng(19).normal(0, 2, size=(3, 7, 11))
    what = "next_token_loss(logits, tokens)"
    expect_same(next_token_loss, library_loss, logits, _TOKENS, what=what)
    tokens = np.where(_TOKENS == 0, 9, _TOKENS)
    tokens[0, 2], tokens[2, 1] = 0, 0  # 0 is a word here
    what = "next_token_loss(logits, tokens, pad=9)"
    expect_same(next_token_loss, library_loss, logits, tokens, pad=9, what=what)


@check(points=1)
def large_logits(next_token_loss):
    """Logits of 1000: nothing overflows"""
    logits = np.random.default_rng(23).normal(0, 400, size=(3, 7, 11))
    what = "next_token_loss(1000 · logits, tokens)"
    loss = expect_shape(call_keeping_inputs(next_token_loss, logits, _TOKENS), (), what=what)
    expect(np.isfinite(loss), f"{what} is {loss}.", "overflow")
    expect_close(loss, library_loss(logits, _TOKENS), what=what, rtol=1e-6)


@check(points=1, success_message="A model that guesses among all words equally has ln 172 = 5.1.")
def trained_model(next_token_loss):
    """The trained model on the beginning of a fable that it never saw"""
    tokens, logits = probe()
    given, what = (logits[None], tokens[None]), "next_token_loss of the trained model"
    expect_same(next_token_loss, library_loss, *given, atol=1e-4, what=what)


@check(points=1, hidden=True)
def another_pad(next_token_loss, rng):
    """Another number fills the rows"""
    tokens = rng.integers(5, size=(5, 13))
    tokens[1, 9:], tokens[3, 4:] = 7, 7
    logits = rng.normal(size=(5, 13, 8))
    what = "next_token_loss(logits, tokens, pad=7)"
    expect_same(next_token_loss, library_loss, logits, tokens, pad=7, what=what)


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
