"""Hashing decides which tokens are compared. Write its two steps, without sorting and chunks, and
leave the arguments as they are.

`hash_buckets(x, rotations)` returns the bucket of each token in each round. In round $r$ the tokens
are multiplied by `rotations[r]`, called $R$. The bucket is the index of the largest of the numbers
in $xR$ followed by those in $-xR$, counted from 0.

`visible(buckets)` returns which token sees which, boolean, True = may attend. A token sees the
tokens that share its bucket in *any* round. With `is_causal=True` those later in the text are
hidden. A token does not see itself, unless it sees nothing else.
"""

import numpy as np

from attn.lsh_buckets import hash_buckets as reference_buckets
from coursekit import call_keeping_inputs, check, exercise, expect, expect_close, expect_shape

exercise(
    title="Rounds of hashing, and oneself last",
    version=2,
    withhold=["attn.lsh_buckets.hash_buckets", "attn.lsh.times_seen"],
    hints=[
        "Take the eight tokens of the prediction above. Which four numbers did you compare?",
        "`np.concatenate([y, -y], axis=-1).argmax(axis=-1)` gives buckets. "
        "`buckets[:, :, None] == buckets[:, None]` says for each round which tokens share one; "
        "`.any(axis=0)` joins the rounds.",
        "After the causal mask, `np.tril`, clear the diagonal with `np.fill_diagonal`. Then set it "
        "where a row has no True left.",
    ],
)


def hash_buckets(x, rotations):
    """Return the buckets, shape (num_hashes, tokens).

    x: (tokens, d)   rotations: (num_hashes, d, num_buckets // 2)
    """
    # BEGIN SOLUTION
    rotated = x @ rotations  # (num_hashes, tokens, num_buckets // 2)
    return np.concatenate([rotated, -rotated], axis=-1).argmax(axis=-1)
    # END SOLUTION


def visible(buckets, is_causal=False):
    """Return who sees whom, boolean, shape (tokens, tokens).

    buckets: (num_hashes, tokens), integers
    """
    # BEGIN SOLUTION
    seen = (buckets[:, :, None] == buckets[:, None]).any(axis=0)  # (tokens, tokens)
    if is_causal:
        seen = np.tril(seen)
    np.fill_diagonal(seen, False)
    alone = ~seen.any(axis=1)
    seen[alone, alone] = True
    return seen
    # END SOLUTION


MISTAKES = r"""
one-round: `x @ rotations` → `x @ rotations[0]`
    The result has one bucket for each token. Every round has its own rotation, and its own row of
    buckets.
not-boolean: `return seen` → `return seen.astype(int)`
    The values are numbers. Return a boolean array, for example from a comparison.
no-negatives: `np.concatenate([rotated, -rotated], axis=-1)` → `rotated`
    Only half of the directions were used. The numbers of −xR take part in the argmax as well: they
    are the other half of the buckets.
sign-forgotten: `np.concatenate([rotated, -rotated], axis=-1)` → `np.abs(rotated)`
    The largest *absolute* value was taken, so a token and its opposite share a bucket. Opposite
    directions are different buckets.
first-rotation-only: `x @ rotations` → `x @ rotations[[0] * len(rotations)]`
    Every round has the buckets of the first rotation. Round r uses `rotations[r]`.
not-rotated: `x @ rotations` → `np.stack([x] * len(rotations))`
    These are the buckets of the tokens as they stand, in every round. Multiply the tokens by the
    rotation of the round first.
first-round-only: `.any(axis=0)` → `[0]`
    Only the first round counts here. A token meets whom *any* round shows it.
all-rounds: `.any(axis=0)` → `.all(axis=0)`
    A token meets only those that share its bucket in *every* round. One is enough.
across-rounds: `(buckets[:, :, None] == buckets[:, None]).any(axis=0)` →
  `(buckets[:, None, :, None] == buckets[None, :, None]).any(axis=(0, 1))`
    Buckets of different rounds were compared. Bucket 2 of one round has nothing to do with bucket 2
    of another.
itself-always: `np.fill_diagonal(seen, False)` → `np.fill_diagonal(seen, True)`
    A token sees itself although it sees others. It is its own nearest key, and would take most of
    the weight.
itself-never: `seen[alone, alone] = True` → `pass`
    A token that sees nothing else should see itself, as a last resort.
no-mask: `np.tril(seen)` → `seen`
sees-only-future: `np.tril(seen)` → `np.triu(seen)`
alone-before-the-mask: `np.tril(seen)` → `seen`,
  `return seen` → `return np.tril(seen) if is_causal else seen`
    Who is alone was decided before the causal mask. A token whose bucket holds only later ones sees
    nothing then; it should see itself.
smallest-number: `argmax` → `argmin`
    These are the buckets of the opposite directions: the place of the smallest number, or −xR put
    before xR. Take the largest, with xR first.
signs-interleaved: `np.concatenate([rotated, -rotated], axis=-1)` →
  `np.stack([rotated, -rotated], axis=-1).reshape(*rotated.shape[:-1], -1)`
    The numbers of xR and −xR alternate here. Those of −xR come after all of xR, so bucket i +
    num_buckets / 2 is the opposite of bucket i.
counts-from-one: `argmax(axis=-1)` → `argmax(axis=-1) + 1`
    The buckets are counted from 1. The first one is 0.
direction-of-looking: `return seen` → `return seen.T`
    This is the transpose: entry (i, j) says whether j sees i. Row i is the token that looks.
"""


TOKENS = np.array(
    [
        *([1.0, 0.2], [-0.3, 1.0], [0.9, -0.1], [-1.0, 0.3]),
        *([0.2, 1.1], [0.8, 0.7], [-0.2, -0.9], [0.7, 0.8]),
    ]
)
TURNED = np.array([[[0.6, -0.8], [0.8, 0.6]], [[1.0, 0.0], [0.0, 1.0]]])
BUCKETS = np.array([[0, 1, 0, 2, 1, 0, 3, 1]])


def _right(buckets, is_causal):
    tokens = buckets.shape[1]
    met = np.zeros((tokens, tokens), dtype=bool)
    for row in buckets:
        met |= row[:, None] == row
    seen = np.tril(met, -1) if is_causal else met & ~np.eye(tokens, dtype=bool)
    return seen | np.diag(~seen.any(axis=1))


def _expect_seen(visible, buckets, is_causal=False):
    option = ", is_causal=True" if is_causal else ""
    what = f"visible of {len(buckets)} rounds of {buckets.shape[1]} tokens{option}"
    given = call_keeping_inputs(visible, buckets, **({"is_causal": True} if is_causal else {}))
    right = _right(buckets, is_causal)
    array = expect_shape(given, right.shape, what=what)
    expect(array.dtype == bool, f"{what} has dtype {array.dtype}; expected bool.", "not-boolean")
    cells = np.argwhere(array != right)
    if len(cells):
        row, column = (int(i) for i in cells[0])
        does = "does not see" if right[row, column] else "sees"
        whom = "itself" if row == column else f"token {column}"
        what += f" ({len(cells)} entries are wrong: token {row} {does} {whom})"
    expect_close(array, right, what=what)


def _expect_buckets(hash_buckets, x, rotations):
    right = reference_buckets(
        x[None], rotations.transpose(1, 0, 2)[None], (2 * rotations.shape[2],)
    )[0]
    given = call_keeping_inputs(hash_buckets, x, rotations)
    what = f"hash_buckets of {len(x)} tokens in {len(rotations)} rounds"
    expect_close(expect_shape(given, right.shape, what=what), right, what=what)


@check(points=1, success_message="xR and −xR together make all directions.")
def eight_tokens(hash_buckets):
    """The eight tokens of the prediction, in two rounds"""
    _expect_buckets(hash_buckets, TOKENS, TURNED)


@check(points=1, success_message="Tokens of one bucket see each other; 3 and 6 see themselves.")
def one_round(visible):
    """One round: the eight tokens of the prediction"""
    _expect_seen(visible, BUCKETS)


@check(points=1, success_message="One round in which two tokens share a bucket is enough.")
def rounds_add_up(visible):
    """Three rounds: whatever any of them shows"""
    _expect_seen(visible, np.random.default_rng(3).integers(11, size=(3, 13)))


@check(points=2, success_message="A token that sees nothing else sees itself.")
def oneself_last(visible):
    """With a causal mask, some tokens have nothing but themselves"""
    _expect_seen(visible, np.random.default_rng(5).integers(7, size=(2, 13)), is_causal=True)


@check(points=1, hidden=True)
def other_sizes(hash_buckets, visible, rng):
    """Other numbers of tokens, rounds and buckets"""
    for tokens, rounds in ((25, 4), (22, 2), (12, 1), (3, 1), (5, 2)):
        x, rotations = rng.normal(size=(tokens, 7)), rng.normal(size=(rounds, 7, 3))
        _expect_buckets(hash_buckets, x, rotations)
        buckets = rng.integers(6, size=(rounds, tokens))
        for is_causal in (False, True):
            _expect_seen(visible, buckets, is_causal)


ALSO_RIGHT = {
    "by sets": """
        def hash_buckets(x, rotations):
            rotated = np.einsum("td,rdb->rtb", x, rotations)
            return np.argmax(np.dstack([rotated, -rotated]).reshape(*rotated.shape[:2], -1), -1)

        def visible(buckets, is_causal=False):
            tokens = buckets.shape[1]
            seen = np.zeros((tokens, tokens), dtype=bool)
            for i in range(tokens):
                met = {int(j) for row in buckets for j in np.flatnonzero(row == row[i])} - {i}
                met = {j for j in met if j < i} if is_causal else met
                seen[i, list(met or {i})] = True
            return seen
    """,
    "plain loops": """
        def hash_buckets(x, rotations):
            found = [
                [int(np.argmax([*(t @ rotation), *-(t @ rotation)])) for t in x]
                for rotation in rotations
            ]
            return np.array(found)

        def visible(buckets, is_causal=False):
            tokens = len(buckets[0])
            seen = np.zeros((tokens, tokens), dtype=bool)
            for i in range(tokens):
                for j in range(i if is_causal else tokens):
                    if i != j and any(row[i] == row[j] for row in buckets):
                        seen[i, j] = True
                if not seen[i].any():
                    seen[i, i] = True
            return seen
    """,
}
