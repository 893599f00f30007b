"""A model that reads places 0 to $n - 2$ of a text is to predict its places 1 to $n - 1$: at every
place, the *next* token. Several texts make one batch, and the shorter ones are filled up at the end
with the number `pad`: first they are filled up, then inputs and targets are cut out of the rows. So
a shorter text is read to its last token, whose target is `pad`.

Write `inputs_and_targets(texts, pad=0)`. `texts` is a list of lists of token numbers, each at least
two long. Return two tensors of integers, `torch.int64`, both of shape `(batch, longest - 1)`, where
`longest` is the length of the longest text. Leave the lists as they are.
"""

import torch

from attnlab.models.gpt_torch import inputs_and_targets as library_pair
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
    title="Step 1: a batch, shifted by one",
    stand_in="attnlab.models.gpt_torch",
    withhold=["attnlab.models.gpt_torch.inputs_and_targets"],
    hints=[
        "Take the text `[1, 7, 4, 2]`. Which three tokens does the model read, and which three is "
        "it to predict?",
        "Fill up all texts to the same length first: `text + [pad] * (longest - len(text))` makes "
        "a new list.",
        "`rows = torch.tensor(…)`, and then two slices of `rows`: without the last column, and "
        "without the first.",
    ],
)


def inputs_and_targets(texts, pad=0):
    """Return what the model reads and what it is to predict, both (batch, longest - 1)."""
    # BEGIN SOLUTION
    longest = max(len(text) for text in texts)
    rows = torch.tensor([list(text) + [pad] * (longest - len(text)) for text in texts])
    return rows[:, :-1], rows[:, 1:]
    # END SOLUTION


MISTAKES = r"""
not-shifted: `rows[:, 1:]` → `rows[:, :-1]`
    Inputs and targets are the same: each place would be asked for the token that it reads.
exchanged: `rows[:, :-1], rows[:, 1:]` → `rows[:, 1:], rows[:, :-1]`
    Inputs and targets are exchanged: the model would read a token and be asked for the one before.
filled-up-after:
    ```
    def inputs_and_targets(texts, pad=0):
        longest = max(len(text) for text in texts)
        fill = [[pad] * (longest - len(text)) for text in texts]
        inputs = [text[:-1] + more for text, more in zip(texts, fill)]
        targets = [text[1:] + more for text, more in zip(texts, fill)]
        return torch.tensor(inputs), torch.tensor(targets)
    ```
    The last token of the shorter texts is missing from the inputs: the texts were cut first, and
    filled up afterwards.
not-cut: `rows[:, :-1]` → `rows`
    The inputs have one place too many: after the last token of a row nothing is to be predicted.
left-padded: `list(text) + [pad] * (longest - len(text))` →
  `[pad] * (longest - len(text)) + list(text)`
    The shorter texts were filled up at the beginning. Fill them up at the end.
cut: `longest = max(` → `longest = min(`,
  `list(text) + [pad] * (longest - len(text))` → `text[:longest]`
    All texts were cut to the shortest. Fill the shorter ones up instead.
zero-is-pad: `[pad] *` → `[0] *`
    The texts were filled up with 0, not with `pad`.
shifted-by-two: `rows[:, 1:]` → `rows.roll(-2, dims=1)[:, :-1]`
    The targets are two places ahead of the inputs, not one.
wrapped: `rows[:, 1:]` → `rows.roll(-1, dims=1)`
    The last target is the text's own first token: `torch.roll` puts at the end what leaves at the
    beginning.
"""


def _compare(inputs_and_targets, texts, pad=0):
    named = {"pad": pad} if pad else {}
    pair = call_keeping_inputs(inputs_and_targets, texts, **named)
    message = "inputs_and_targets returns no pair; expected (inputs, targets)."
    pair, right = expect_parts(pair, 2, message), library_pair(texts, pad)
    for name, value, expected in zip(("inputs", "targets"), pair, right, strict=True):
        what = f"the tensor of {name}"
        as_array(value, what)
        expect_close(value, expected, what=what)
        kind = getattr(value, "dtype", type(value).__name__)
        expect(str(kind) == "torch.int64", f"{what} is of type {kind}; expected torch.int64.")


@check(points=1)
def one_text(inputs_and_targets):
    """One text: `[1, 7, 4, 6, 2]`"""
    _compare(inputs_and_targets, [[1, 7, 4, 6, 2]])


@check(points=1)
def three_texts(inputs_and_targets):
    """Texts of 5, 3 and 7 tokens, filled up with 0, then with 10"""
    texts = [[1, 7, 4, 6, 2], [1, 5, 2], [1, 3, 8, 4, 9, 5, 2]]
    _compare(inputs_and_targets, texts)
    _compare(inputs_and_targets, texts, pad=10)


@check(points=1, hidden=True)
def another_pad(inputs_and_targets, rng):
    """Another number fills up"""
    texts = [rng.integers(20, size=count).tolist() for count in (5, 11, 3)]
    _compare(inputs_and_targets, texts, pad=23)


ALSO_RIGHT = {
    "PyTorch fills up": """
        def inputs_and_targets(texts, pad=0):
            rows = torch.nn.utils.rnn.pad_sequence(
                [torch.tensor(text) for text in texts], batch_first=True, padding_value=pad
            )
            return rows[:, :-1], rows[:, 1:]
    """,
    "shifted before they are filled up": """
        def inputs_and_targets(texts, pad=0):
            size = (len(texts), max(map(len, texts)) - 1)
            inputs, targets = torch.full(size, pad), torch.full(size, pad)
            for i, text in enumerate(texts):
                targets[i, : len(text) - 1] = torch.tensor(text[1:])
                inputs[i, : len(text)] = torch.tensor(text[: size[1]])
            return inputs, targets
    """,
}
