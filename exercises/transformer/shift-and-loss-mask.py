"""A decoder is trained on whole sentences at once. Write `training_arrays`, which turns sentences
into what the decoder reads, what it has to predict, and which predictions count.

`sentences` is a list of lists of tokens, without any marks. Each gets `end` at its end and, in the
decoder's input, `begin` at its beginning. At each position, the decoder reads one token and has to
predict the *next* one. `end` is only predicted, never read, since nothing comes after it. Shorter
rows are padded with `pad` at the end, to the length of the longest. Inputs and targets are whole
numbers; the third array is boolean. A prediction counts if the token to be predicted belongs to the
sentence, including `end`; where only `pad` would be predicted, it does not count. A token of the
sentence may have the same number as `pad`, `begin` or `end`. Leave the arguments unchanged.
"""

import numpy as np

from coursekit import (
    CheckFailed,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    mistake,
)

exercise(
    id="shift-and-loss-mask",
    chapter="transformer",
    title="The shift and the loss mask",
    hints=[
        "Write down by hand what is read and what is predicted for the sentence [7, 8]. How many "
        "predictions are there?",
        "The input is `[begin, 7, 8]`, and the targets are `[7, 8, end]`. Both are one token "
        "longer than the sentence.",
        "Make three arrays of shape `(batch, longest + 1)`: two full of `pad`, one full of False. "
        "Fill the first `len(sentence) + 1` positions of each row.",
    ],
)


def training_arrays(sentences, begin, end, pad):
    """Return inputs, targets (int) and counted (bool), each of shape (batch, longest + 1)."""
    # BEGIN SOLUTION
    shape = (len(sentences), max(len(sentence) for sentence in sentences) + 1)
    inputs, targets = np.full(shape, pad), np.full(shape, pad)
    counted = np.zeros(shape, dtype=bool)
    for row, sentence in enumerate(sentences):
        length = len(sentence) + 1
        inputs[row, :length] = [begin, *sentence]
        targets[row, :length] = [*sentence, end]
        counted[row, :length] = True
    return inputs, targets, counted
    # END SOLUTION


_NAMES = ("the array inputs", "the array targets", "the array counted")


def _compare(training_arrays, sentences, begin, end, pad, right):
    result = call_keeping_inputs(training_arrays, sentences, begin, end, pad)
    is_three = isinstance(result, tuple | list) and len(result) == 3
    expect(is_three, "expected three arrays: inputs, targets and counted")
    shape = np.shape(right[0])
    arrays = [expect_shape(a, shape, what=what) for a, what in zip(result, _NAMES, strict=True)]
    inputs, targets, counted = arrays
    # Raised, so that the comparisons do not take one array alone for these mistakes.
    if np.array_equal(inputs, right[1]) and np.array_equal(targets, right[0]):
        message = "The first array holds the targets, and the second holds the inputs."
        raise CheckFailed(message, "exchanged")
    if np.array_equal(inputs, targets):
        raise CheckFailed("The first array and the second are the same.", "not-shifted")
    expect_close(inputs, right[0], what=_NAMES[0])
    expect_close(targets, right[1], what=_NAMES[1])
    message = f"{_NAMES[2]} has entries of type {counted.dtype}; expected bool."
    expect(counted.dtype.kind == "b", message, "not-booleans")
    for array, what in zip(arrays[:2], _NAMES, strict=False):
        message = f"{what} has entries of type {array.dtype}; expected whole numbers."
        expect(array.dtype.kind in "iu", message)
    expect_close(counted, right[2], what=_NAMES[2])


@check(points=1)
def two_sentences(training_arrays):
    """A sentence of 5 tokens and one of 2"""
    inputs = [[1, 13, 14, 15, 16, 17], [1, 18, 19, 0, 0, 0]]
    targets = [[13, 14, 15, 16, 17, 2], [18, 19, 2, 0, 0, 0]]
    counted = [[True] * 6, [True] * 3 + [False] * 3]
    right = (inputs, targets, counted)
    _compare(training_arrays, [[13, 14, 15, 16, 17], [18, 19]], 1, 2, 0, right)


@check(points=1)
def other_marks(training_arrays):
    """Three sentences, other numbers for the marks"""
    inputs = [[20, 3, 22, 22, 22], [20, 4, 5, 6, 7], [20, 8, 9, 22, 22]]
    targets = [[3, 21, 22, 22, 22], [4, 5, 6, 7, 21], [8, 9, 21, 22, 22]]
    counted = [[True] * 2 + [False] * 3, [True] * 5, [True] * 3 + [False] * 2]
    right = (inputs, targets, counted)
    _compare(training_arrays, [[3], [4, 5, 6, 7], [8, 9]], 20, 21, 22, right)


@check(points=1)
def a_token_like_pad(training_arrays):
    """A token of the sentence has the number of pad"""
    inputs = [[11, 5, 9, 6, 4], [11, 9, 7, 9, 9]]
    targets = [[5, 9, 6, 4, 12], [9, 7, 12, 9, 9]]
    counted = [[True] * 5, [True] * 3 + [False] * 2]
    _compare(training_arrays, [[5, 9, 6, 4], [9, 7]], 11, 12, 9, (inputs, targets, counted))


@check(points=1, hidden=True)
def random_sentences(training_arrays, rng):
    """Seven random sentences"""
    sentences = [rng.integers(40, size=length).tolist() for length in (3, 1, 7, 2, 11, 5, 4)]
    inputs = np.array([[41, *sentence] + [43] * (11 - len(sentence)) for sentence in sentences])
    targets = np.array([[*sentence, 42] + [43] * (11 - len(sentence)) for sentence in sentences])
    counted = np.arange(12) <= np.array([[len(sentence)] for sentence in sentences])
    _compare(training_arrays, sentences, 41, 42, 43, (inputs, targets, counted))


_INPUTS = "inputs[row, :length] = [begin, *sentence]"
_TARGETS = "targets[row, :length] = [*sentence, end]"

mistake(
    "not-shifted",
    "Input and targets are the same tokens: at each position, the decoder would read the very "
    "token that it has to predict. The input must be one position behind.",
    {"[begin, *sentence]": "[*sentence, end]"},
    {"= [*sentence, end]": "= [begin, *sentence]"},
)
mistake(
    "exchanged",
    "The first two arrays are swapped: the inputs come first, then the targets.",
    {"return inputs, targets": "return targets, inputs"},
)
mistake(
    "shifted-twice",
    "The targets are two positions ahead of the input. The decoder predicts the token right after "
    "the one it reads.",
    {_TARGETS: "targets[row, : length - 1] = [*sentence[1:], end]"},
)
mistake(
    "no-begin",
    "The input lacks `begin`: nothing is read when the first token is predicted.",
    {_INPUTS: "inputs[row, : length - 1] = sentence"},
)
mistake(
    "no-end",
    "The targets lack `end`: the model would never learn to stop.",
    {_TARGETS: "targets[row, : length - 1] = sentence"},
)
mistake(
    "end-in-input",
    "`end` is in the input. Nothing is predicted after it, so it need not be read.",
    """
    longest = max(map(len, sentences))
    rows = np.array([[begin, *s, end] + [pad] * (longest - len(s)) for s in sentences])
    lengths = np.array([[len(s)] for s in sentences])
    return rows[:, :-1], rows[:, 1:], np.arange(longest + 1) <= lengths
    """,
    {_INPUTS: "inputs[row, : length + 1] = [begin, *sentence, end][: shape[1]]"},
)
mistake(
    "end-after-padding",
    "`end` is at the end of the row, after the padding. It belongs directly after the sentence's "
    "last token.",
    {_TARGETS: "targets[row, : length - 1], targets[row, -1] = sentence, end"},
)
mistake(
    "end-not-counted",
    "The prediction of `end` does not count in your mask. It has to: it teaches the model to stop.",
    {"counted[row, :length]": "counted[row, : length - 1]"},
)
mistake(
    "padding-counted",
    "Every position counts in your mask. Where the target is only `pad`, the prediction must not "
    "count.",
    {"np.zeros": "np.ones"},
)
mistake(
    "one-too-many",
    "In your mask, one padding position counts.",
    {"counted[row, :length]": "counted[row, : length + 1]"},
)
mistake(
    "mask-of-input",
    "The mask was made from the tokens that are read, without `begin`. A position counts if there "
    "is something to predict.",
    {"counted[row, :length]": "counted[row, 1:length]"},
)
mistake(
    "mask-by-number",
    "The mask was computed as `targets != pad`. A token of the sentence may have the number of "
    "`pad`; use the length of the sentence.",
    {"targets, counted": "targets, targets != pad"},
)
mistake(
    "not-booleans",
    "Here `counted` holds numbers. It has to be boolean so that it can select positions: "
    "`losses[counted]`.",
    {", dtype=bool": ""},
)
mistake(
    "inverted",
    "The mask is inverted: it is True where a prediction does not count.",
    {"targets, counted": "targets, ~counted"},
)
mistake(
    "padded-in-front",
    "The padding is at the front. It belongs at the end.",
    {"[row, :length]": "[row, -length:]"},
)

ALSO_RIGHT = {
    "one array, cut twice": """
        def training_arrays(sentences, begin, end, pad):
            longest = max(map(len, sentences))
            lengths = np.array([len(s) for s in sentences])
            rows = [[begin, *s, end] + [pad] * (longest - len(s)) for s in sentences]
            full = np.array(rows)
            counted = np.arange(longest + 1)[None] <= lengths[:, None]
            inputs = np.where(counted, full[:, :-1], pad)
            return inputs, full[:, 1:], counted
    """,
    "lists": """
        def training_arrays(sentences, begin, end, pad):
            n = max(len(s) for s in sentences) + 1
            def fill(row, other):
                return list(row) + [other] * (n - len(row))
            return (
                np.array([fill([begin] + list(s), pad) for s in sentences]),
                np.array([fill(list(s) + [end], pad) for s in sentences]),
                np.array([fill([True] * (len(s) + 1), False) for s in sentences]),
            )
    """,
}
