"""A model that reads positions 0 to $n - 2$ of a text has to predict positions 1 to $n - 1$: at
every position, the *next* token. Several texts make one batch. The shorter ones are first padded at
the end with the number `pad`; then inputs and targets are cut out of the rows. So a shorter text is
read to its last token, whose target is `pad`.

Write `inputs_and_targets(texts, pad=0)`. `texts` is a list of lists of token numbers, each list
with at least two. Return two tensors of integers, `torch.int64`, both of shape
`(batch, longest - 1)`, where `longest` is the length of the longest text. Leave the lists as they
are.
"""

import torch

from attnlab.models.gpt_torch import inputs_and_targets as library_pair
from coursekit import (
    CheckFailed,
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    mistake,
)

exercise(
    id="gpt-torch-batch",
    chapter="build-a-gpt-torch",
    title="Step 1: a batch, shifted by one",
    stand_in="attnlab.models.gpt_torch",
    withhold=["attnlab.models.gpt_torch.inputs_and_targets"],
    hints=[
        "Take the text `[1, 7, 4, 2]`. Which three tokens does the model read, and which three "
        "must it predict?",
        "Pad all texts to the same length first: `text + [pad] * (longest - len(text))` makes a "
        "new list.",
        "Make `rows = torch.tensor(…)`, then take two slices of `rows`: one without the last "
        "column and one without the first.",
    ],
)


def inputs_and_targets(texts, pad=0):
    """Return what the model reads and what it is to predict, both (batch, longest - 1)."""
    # BEGIN SOLUTION
    longest = max(len(text) for text in texts)
    rows = torch.tensor([list(text) + [pad] * (longest - len(text)) for text in texts])
    return rows[:, :-1], rows[:, 1:]
    # END SOLUTION


def _compare(inputs_and_targets, texts, pad=0):
    pair = call_keeping_inputs(inputs_and_targets, texts, **({"pad": pad} if pad else {}))
    is_pair = isinstance(pair, tuple | list) and len(pair) == 2
    expect(is_pair, "inputs_and_targets does not return a pair; expected (inputs, targets).")
    names = ("the tensor of inputs", "the tensor of targets")
    right = library_pair(texts, pad)
    seen = [as_array(value, what).tolist() for value, what in zip(pair, names, strict=True)]
    # Raised, so that the comparisons do not take one tensor alone for these mistakes.
    if seen[0] == seen[1]:
        raise CheckFailed("Inputs and targets are the same.", "not-shifted")
    if seen == [right[1].tolist(), right[0].tolist()]:
        raise CheckFailed("Each of the two tensors is what the other one should be.", "exchanged")
    for what, value, expected in zip(names, pair, right, strict=True):
        expect_close(value, expected, what=what)
        kind = getattr(value, "dtype", type(value).__name__)
        expect(str(kind) == "torch.int64", f"{what} is of type {kind}; expected torch.int64.")


@check(points=1)
def one_text(inputs_and_targets):
    """One text: `[1, 7, 4, 6, 2]`"""
    _compare(inputs_and_targets, [[1, 7, 4, 6, 2]])


@check(points=1)
def three_texts(inputs_and_targets):
    """Texts of 5, 3 and 7 tokens, padded with 0, then with 10"""
    texts = [[1, 7, 4, 6, 2], [1, 5, 2], [1, 3, 8, 4, 9, 5, 2]]
    _compare(inputs_and_targets, texts)
    _compare(inputs_and_targets, texts, pad=10)


@check(points=1, hidden=True)
def another_pad(inputs_and_targets, rng):
    """Another number is used for padding"""
    texts = [rng.integers(20, size=count).tolist() for count in (5, 11, 3)]
    _compare(inputs_and_targets, texts, pad=23)


_FILLED = "list(text) + [pad] * (longest - len(text))"
_RETURN = "rows[:, :-1], rows[:, 1:]"

mistake(
    "not-shifted",
    "Inputs and targets are the same: at each position, the model would have to predict the token "
    "that it reads.",
    {_RETURN: "rows[:, :-1], rows[:, :-1]"},
)
mistake(
    "exchanged",
    "Inputs and targets are swapped: the model would read a token and have to predict the one "
    "before it.",
    {_RETURN: "rows[:, 1:], rows[:, :-1]"},
)
mistake(
    "filled-up-after",
    "The last token of the shorter texts is missing from the inputs: the texts were cut first and "
    "padded afterwards.",
    {_RETURN: "torch.where(rows[:, 1:] == pad, pad, rows[:, :-1]), rows[:, 1:]"},
)
mistake(
    "not-cut",
    "The inputs have one position too many: after the last token of a row, there is nothing to "
    "predict.",
    {_RETURN: "rows, rows[:, 1:]"},
)
mistake(
    "left-padded",
    "The shorter texts were padded at the beginning. Pad them at the end.",
    {_FILLED: "[pad] * (longest - len(text)) + list(text)"},
)
mistake(
    "cut",
    "All texts were cut to the length of the shortest. Pad the shorter ones instead.",
    {"longest = max(": "longest = min(", _FILLED: "text[:longest]"},
)
mistake("zero-is-pad", "The texts were padded with 0, not with `pad`.", {"[pad] *": "[0] *"})
mistake(
    "shifted-by-two",
    "The targets are two positions ahead of the inputs, not one.",
    {_RETURN: "rows[:, :-1], rows.roll(-2, dims=1)[:, :-1]"},
)
mistake(
    "wrapped",
    "The last target is the text's own first token: `torch.roll` moves it from the beginning to "
    "the end.",
    {_RETURN: "rows[:, :-1], rows.roll(-1, dims=1)"},
)

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
