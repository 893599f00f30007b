"""A decoder is trained on whole sentences at once. Write `training_arrays`, which turns sentences
into what the decoder reads, what it has to predict, and which predictions count.

`sentences` is a list of lists of tokens, without any marks. Each gets `end` at its end, and for the
decoder's input `begin` at its beginning. At each place the decoder reads one token and has to
predict the *next* one. `end` is only predicted, never read, for nothing comes after it. Shorter
rows are filled up with `pad`, at the end, to the length of the longest. Inputs and targets are
whole numbers, the third array holds truth values. A prediction counts if the token to be predicted
is one of the sentence, its `end` included; where only `pad` would be predicted it does not count. A
token of the sentence may have the same number as `pad`, `begin` or `end`. Leave the arguments as
they are.
"""

import numpy as np

from coursekit import (
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_parts,
    expect_shape,
)

exercise(
    title="The shift and the loss mask",
    hints=[
        "Write down by hand what is read and what is predicted for the sentence [7, 8]. How many "
        "predictions are there?",
        "Input: `[begin, 7, 8]`. To be predicted: `[7, 8, end]`. Both are one longer than the "
        "sentence.",
        "Make three arrays of shape `(batch, longest + 1)`: two full of `pad`, one full of False. "
        "Fill the first `len(sentence) + 1` places of each row.",
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


MISTAKES = r"""
not-shifted: `[begin, *sentence]` → `[*sentence, end]`
or `= [*sentence, end]` → `= [begin, *sentence]`
    Input and targets are the same tokens: at each place the decoder would read the very token that
    it has to predict. The input is one place behind.
exchanged: `return inputs, targets` → `return targets, inputs`
    The first two arrays are exchanged: what is read comes first, then what is predicted.
shifted-twice: `:length] = [*sentence, end]` → `: length - 1] = [*sentence[1:], end]`
    The targets are two places ahead of the input. The decoder predicts the token right after the
    one it reads.
no-begin: `:length] = [begin, *sentence]` → `: length - 1] = sentence`
    The input lacks `begin`: nothing is read when the first token is predicted.
no-end: `:length] = [*sentence, end]` → `: length - 1] = sentence`
    The targets lack `end`: the model would never learn to stop.
end-in-input: `:length] = [begin, *sentence]` →
  `: length + 1] = [begin, *sentence, end][: shape[1]]`
    `end` stands in the input. Nothing is predicted after it, so it need not be read.
end-after-padding: `targets[row, :length] = [*sentence, end]` →
  `targets[row, : length - 1], targets[row, -1] = sentence, end`
    `end` stands at the end of the row, after the padding. It belongs directly behind the sentence's
    last token.
end-not-counted: `counted[row, :length]` → `counted[row, : length - 1]`
    The prediction of `end` does not count in your mask. It has to: it teaches the model to stop.
padding-counted: `np.zeros` → `np.ones`
    Every place counts in your mask. Where the target is only `pad`, the prediction must not count.
one-too-many: `counted[row, :length]` → `counted[row, : length + 1]`
    In your mask one place of the padding counts.
mask-of-input: `counted[row, :length]` → `counted[row, 1:length]`
    The mask was made from the tokens that are read, without `begin`. What counts is whether there
    is something to predict.
mask-by-number: `targets, counted` → `targets, targets != pad`
    The mask follows from `targets != pad`. A token of the sentence may have the number of `pad`;
    use the length of the sentence.
not-booleans: `, dtype=bool` → ``
    Here `counted` holds numbers. It is to hold truth values, so that it can choose the places:
    `losses[counted]`.
inverted: `targets, counted` → `targets, ~counted`
    The mask is inverted: True stands where a prediction does not count.
padded-in-front: `[row, :length]` → `[row, -length:]`
    The padding stands in front. Here it stands at the end.
"""


_NAMES = ("the array inputs", "the array targets", "the array counted")


def _compare(training_arrays, sentences, begin, end, pad, right):
    result = call_keeping_inputs(training_arrays, sentences, begin, end, pad)
    result = expect_parts(result, 3, "expected three arrays: inputs, targets and counted")
    right = tuple(map(np.array, right))
    shape = right[0].shape
    inputs, targets, counted = (
        expect_shape(array, shape, what=what) for array, what in zip(result, _NAMES, strict=True)
    )
    is_exchanged = np.array_equal(inputs, right[1]) and np.array_equal(targets, right[0])
    message = "The first array holds the targets, and the second one the inputs."
    expect(not is_exchanged, message, "exchanged")
    expect_close(inputs, right[0], what=_NAMES[0])
    expect_close(targets, right[1], what=_NAMES[1])
    message = f"{_NAMES[2]} has entries of type {counted.dtype}; expected bool."
    expect(counted.dtype.kind == "b", message, "not-booleans")
    for array, what in ((inputs, _NAMES[0]), (targets, _NAMES[1])):
        message = f"{what} has entries of type {array.dtype}; expected whole numbers."
        expect(array.dtype.kind in "iu", message)
    expect_close(counted.astype(float), right[2].astype(float), what=_NAMES[2])


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


def _right(sentences, begin, end, pad):
    longest = max(map(len, sentences)) + 1

    def filled(rows):
        return np.array([[*row, *[pad] * (longest - len(row))] for row in rows])

    inputs = filled([[begin, *sentence] for sentence in sentences])
    targets = filled([[*sentence, end] for sentence in sentences])
    counted = np.arange(longest) < np.array([[len(sentence) + 1] for sentence in sentences])
    return inputs, targets, counted


@check(points=1, hidden=True)
def random_sentences(training_arrays, rng):
    """Seven random sentences"""
    sentences = [rng.integers(40, size=length).tolist() for length in (3, 1, 7, 2, 11, 5, 4)]
    right = _right(sentences, 41, 42, 43)
    _compare(training_arrays, sentences, 41, 42, 43, right)


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
