"""Hashing finds out which tokens might matter to which. Write its two steps, and leave the
arguments as they are.

`hash_buckets(x, rotations)` returns the bucket of each token in each round. In round $r$ the tokens
are multiplied by `rotations[r]`, called $R$. The bucket is the index of the largest of the numbers
in $xR$ followed by those in $-xR$, counted from 0.

`visible(buckets, chunk_length)` returns which token sees which, boolean, True = may attend. In each
round the tokens are sorted by bucket, those of equal bucket in the order of the text, and cut into
chunks of `chunk_length` tokens. The chunks of all rounds, one round after the other, form **one
ring**: a token sees its own chunk and the one before it, and the first chunk of all looks at the
last. A token sees what *any* round shows it. With `is_causal=True`, tokens that are later in the
text are then hidden from it. A token that now sees another one does not see itself; a token that
sees **nothing else** sees itself. The number of tokens is a multiple of `chunk_length`.
"""

import numpy as np

from attn.lsh import times_seen
from attn.lsh_buckets import HashedTokens
from attn.lsh_buckets import hash_buckets as reference_buckets
from attnlab import mistakes
from coursekit import (
    CheckFailed,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    wrong,
)

exercise(
    id="lsh-rounds",
    chapter="hashing",
    title="Rounds of hashing, and oneself last",
    withhold=["attn.lsh_buckets.hash_buckets", "attn.lsh.times_seen"],
    hints=[
        "Take the eight tokens of the prediction above. Which four numbers did you compare, and "
        "what did you do with the row of buckets?",
        "`np.concatenate([y, -y], axis=-1).argmax(axis=-1)` gives buckets. "
        '`np.argsort(buckets, axis=-1, kind="stable")` gives the tokens of each round in order; '
        "`.reshape(-1, chunk_length)` cuts all rounds into chunks.",
        "`np.roll(chunks, 1, axis=0)` has in each row the chunk before. For each chunk and the one "
        "before it, set `seen[np.ix_(chunk, other)] = True`. Then clear the diagonal, and set it "
        "again where a row is empty.",
    ],
    misconceptions={
        "one-round": "The result has one bucket for each token. Every round has its own rotation, "
        "and its own row of buckets.",
        "not-boolean": "The values are numbers. Return a boolean array, for example from a "
        "comparison.",
    },
)


def hash_buckets(x, rotations):
    """Return the buckets, shape (num_hashes, tokens).

    x: (tokens, d)   rotations: (num_hashes, d, num_buckets // 2)
    """
    # BEGIN SOLUTION
    rotated = x @ rotations  # (num_hashes, tokens, num_buckets // 2)
    return np.concatenate([rotated, -rotated], axis=-1).argmax(axis=-1)
    # END SOLUTION


def visible(buckets, chunk_length, is_causal=False):
    """Return who sees whom, boolean, shape (tokens, tokens).

    buckets: (num_hashes, tokens), integers
    """
    # BEGIN SOLUTION
    tokens = buckets.shape[1]
    order = np.argsort(buckets, axis=-1, kind="stable")  # (num_hashes, tokens)
    chunks = order.reshape(-1, chunk_length)
    before = np.roll(chunks, 1, axis=0)
    seen = np.zeros((tokens, tokens), dtype=bool)
    for chunk, earlier in zip(chunks, before, strict=True):
        seen[np.ix_(chunk, chunk)] = True
        seen[np.ix_(chunk, earlier)] = True
    if is_causal:
        seen = np.tril(seen)
    np.fill_diagonal(seen, False)
    alone = ~seen.any(axis=1)
    seen[alone, alone] = True
    return seen
    # END SOLUTION


TOKENS = np.array(
    [
        *([1.0, 0.2], [-0.3, 1.0], [0.9, -0.1], [-1.0, 0.3]),
        *([0.2, 1.1], [0.8, 0.7], [-0.2, -0.9], [0.7, 0.8]),
    ]
)
TURNED = np.array([[[0.6, -0.8], [0.8, 0.6]], [[1.0, 0.0], [0.0, 1.0]]])
BUCKETS = np.array([[0, 1, 0, 2, 1, 0, 3, 1]])


def _right(buckets, chunk_length, is_causal):
    """Which token sees which, by the library."""
    tokens = buckets.shape[1]
    nothing, real = np.zeros((tokens, 1)), np.ones(tokens, dtype=bool)
    order = np.argsort(buckets, axis=-1, kind="stable").reshape(-1)
    met = times_seen(HashedTokens(nothing, nothing, nothing, real, order, chunk_length)) > 0
    seen = np.tril(met, -1) if is_causal else met & ~np.eye(tokens, dtype=bool)
    return seen | np.diag(~seen.any(axis=1))


def _expect_seen(visible, buckets, chunk_length, is_causal=False):
    option = ", is_causal=True" if is_causal else ""
    what = f"visible of {len(buckets)} rounds of {buckets.shape[1]} tokens, {chunk_length}{option}"
    options = {"is_causal": True} if is_causal else {}
    given = call_keeping_inputs(visible, buckets, chunk_length, **options)
    right = _right(buckets, chunk_length, is_causal)
    array = expect_shape(given, right.shape, what=what)
    expect(array.dtype == bool, f"{what} has dtype {array.dtype}; expected bool.", "not-boolean")
    cells = np.argwhere(array != right)
    if len(cells):
        row, column = (int(i) for i in cells[0])
        does = "does not see" if right[row, column] else "sees"
        whom = "itself" if row == column else f"token {column}"
        message = f"{what}: token {row} {does} {whom}. {len(cells)} entries are wrong."
        known = mistakes.of_visible(buckets, chunk_length, is_causal).values()
        fitting = [mistake for mistake in known if np.array_equal(mistake(), array)]
        named = fitting[0] if len(fitting) == 1 else None
        raise CheckFailed(message, named and named.id, named.explanation if named else "")


def _expect_buckets(hash_buckets, x, rotations):
    right = reference_buckets(
        x[None], rotations.transpose(1, 0, 2)[None], (2 * rotations.shape[2],)
    )[0]
    given = call_keeping_inputs(hash_buckets, x, rotations)
    what = f"hash_buckets of {len(x)} tokens in {len(rotations)} rounds"
    shapes = {"one-round": (len(x),)}
    given = expect_shape(given, right.shape, what=what, mistakes=shapes)
    expect_close(given, right, what=what, mistakes=mistakes.of_buckets(x, rotations))


@check(points=1, success_message="xR and −xR together make all directions.")
def eight_tokens(hash_buckets):
    """The eight tokens of the prediction, in two rounds"""
    _expect_buckets(hash_buckets, TOKENS, TURNED)


@check(points=2, success_message="A token sees its own chunk and the one before, in a ring.")
def one_round(visible):
    """One round with chunks of two: the chunk, and the one before"""
    _expect_seen(visible, BUCKETS, 2)


@check(points=1, success_message="One round that shows a key is enough.")
def rounds_add_up(visible):
    """Three rounds: whatever any of them shows, in one ring of chunks"""
    _expect_seen(visible, np.random.default_rng(3).integers(4, size=(3, 35)), 5)


@check(points=1, success_message="A token that sees nobody else sees itself.")
def oneself_last(visible):
    """With a causal mask, some tokens have nobody but themselves"""
    _expect_seen(visible, np.random.default_rng(5).integers(4, size=(2, 15)), 3, is_causal=True)


@check(points=1, hidden=True)
def other_sizes(hash_buckets, visible, rng):
    """Other numbers of tokens, rounds and buckets"""
    for tokens, rounds, length in ((25, 4, 5), (22, 2, 11), (12, 1, 4), (3, 1, 3), (5, 2, 1)):
        x, rotations = rng.normal(size=(tokens, 7)), rng.normal(size=(rounds, 7, 3))
        _expect_buckets(hash_buckets, x, rotations)
        buckets = rng.integers(6, size=(rounds, tokens))
        for is_causal in (False, True):
            _expect_seen(visible, buckets, length, is_causal)


WRONG = {
    "half of the directions": wrong(
        replace={"np.concatenate([rotated, -rotated], axis=-1)": "rotated"},
        rejected_by=["eight_tokens"],
        misconception="no-negatives",
    ),
    "absolute values": wrong(
        replace={"np.concatenate([rotated, -rotated], axis=-1)": "np.abs(rotated)"},
        rejected_by=["eight_tokens"],
        misconception="sign-forgotten",
    ),
    "the rounds in one": wrong(
        replace={"rotated = x @ rotations": "rotated = x @ rotations[0]"},
        rejected_by=["eight_tokens"],
        misconception="one-round",
    ),
    "the first rotation for all": wrong(
        replace={"rotated = x @ rotations": "rotated = x @ rotations[[0] * len(rotations)]"},
        rejected_by=["eight_tokens"],
        misconception="first-rotation-only",
    ),
    "without the rotation": wrong(
        replace={"rotated = x @ rotations": "rotated = np.stack([x] * len(rotations))"},
        rejected_by=["eight_tokens"],
        misconception="not-rotated",
    ),
    "largest bucket first": wrong(
        replace={"np.argsort(buckets,": "np.argsort(-buckets,"},
        rejected_by=["one_round"],
        misconception="largest-bucket-first",
    ),
    "only the same bucket": wrong(
        replace={
            "if is_causal:": "seen &= (buckets[:, :, None] == buckets[:, None]).any(axis=0)\n"
            "    if is_causal:"
        },
        rejected_by=["one_round"],
        misconception="same-bucket-only",
    ),
    "chunks of the text": wrong(
        replace={'np.argsort(buckets, axis=-1, kind="stable")': "np.arange(buckets.size) % tokens"},
        rejected_by=["one_round"],
        misconception="unsorted",
    ),
    "another order within a bucket": wrong(
        replace={', kind="stable"': ""},
        rejected_by=["rounds_add_up"],
        misconception="unstable-sort",
    ),
    "the chunk after": wrong(
        replace={"np.roll(chunks, 1, axis=0)": "np.roll(chunks, -1, axis=0)"},
        rejected_by=["one_round"],
        misconception="looks-forward",
    ),
    "the first chunk looks nowhere": wrong(
        replace={"np.roll(chunks, 1, axis=0)": "chunks[[0, *range(len(chunks) - 1)]]"},
        rejected_by=["one_round"],
        misconception="no-ring",
    ),
    "a ring for each round": wrong(
        replace={
            "np.roll(chunks, 1, axis=0)": "np.roll(order.reshape(len(order), -1, chunk_length), 1, "
            "axis=1).reshape(chunks.shape)"
        },
        rejected_by=["rounds_add_up"],
        misconception="ring-per-round",
    ),
    "sees itself": wrong(
        replace={"np.fill_diagonal(seen, False)": "np.fill_diagonal(seen, True)"},
        rejected_by=["oneself_last"],
        misconception="itself-always",
    ),
    "never sees itself": wrong(
        replace={"seen[alone, alone] = True": "pass"},
        rejected_by=["oneself_last"],
        misconception="itself-never",
    ),
    "the first round decides": wrong(
        replace={"buckets, axis=-1, kind": "buckets[:1], axis=-1, kind"},
        rejected_by=["rounds_add_up"],
        misconception="first-round-only",
    ),
    "only the future is open": wrong(
        replace={"np.tril(seen)": "np.triu(seen)"},
        rejected_by=["oneself_last"],
        misconception="sees-only-future",
    ),
}

ALSO_RIGHT = {
    "by the number of the chunk": """
        def hash_buckets(x, rotations):
            rotated = np.einsum("td,rdb->rtb", x, rotations)
            return np.argmax(np.dstack([rotated, -rotated]).reshape(*rotated.shape[:2], -1), -1)

        def visible(buckets, chunk_length, is_causal=False):
            rounds, tokens = buckets.shape
            per_round = tokens // chunk_length
            numbers = np.empty((rounds, tokens), dtype=int)
            for r in range(rounds):
                order = sorted(range(tokens), key=lambda t: (buckets[r, t], t))
                for place, token in enumerate(order):
                    numbers[r, token] = r * per_round + place // chunk_length
            total = rounds * per_round
            seen = np.zeros((tokens, tokens), dtype=bool)
            for row in numbers:
                for other in numbers:
                    back = (row[:, None] - other) % total
                    seen |= (back == 0) | (back == 1 % total)
            seen &= ~np.eye(tokens, dtype=bool)
            if is_causal:
                seen &= np.arange(tokens) < np.arange(tokens)[:, None]
            return seen | np.diag(~seen.any(axis=1))
    """,
    "plain loops": """
        def hash_buckets(x, rotations):
            found = [
                [int(np.argmax([*(t @ rotation), *-(t @ rotation)])) for t in x]
                for rotation in rotations
            ]
            return np.array(found)

        def visible(buckets, chunk_length, is_causal=False):
            tokens = len(buckets[0])
            chunks = []
            for row in buckets:
                order = list(np.argsort(row, kind="stable"))
                chunks += [order[i:i + chunk_length] for i in range(0, tokens, chunk_length)]
            seen = np.zeros((tokens, tokens), dtype=bool)
            for number, chunk in enumerate(chunks):
                for i in chunk:
                    for j in chunk + chunks[number - 1]:
                        if i != j and not (is_causal and j > i):
                            seen[i, j] = True
            for i in range(tokens):
                if not seen[i].any():
                    seen[i, i] = True
            return seen
    """,
}
