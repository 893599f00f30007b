"""Hashing finds out who might matter to whom. Write its two steps.

`hash_buckets(x, rotations)` returns the bucket of each token in each round. In round $r$ the tokens
are multiplied by `rotations[r]`; the bucket is the place of the largest of the numbers in $xR$
followed by those in $-xR$, counted from 0.

`visible(buckets, chunk_length)` returns who sees whom, boolean, True = may attend. In each round
the tokens are sorted by bucket (equal ones in their order) and cut into chunks. The chunks of all
rounds stand in **one row, closed to a ring**: a token sees its chunk and the one before it. What it
sees in *any* round, it sees; itself only if it sees **nothing else**. With `is_causal` no token
sees a later one. The number of tokens is a multiple of `chunk_length`.
"""

import numpy as np

from attn.lsh import times_seen
from attn.lsh_buckets import HashedTokens
from attn.lsh_buckets import hash_buckets as reference_buckets
from coursekit import check, exercise, expect, expect_shape, wrong

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
        "no-negatives": "Only half of the directions were used. The numbers of −xR take part in "
        "the argmax as well: they are the other half of the buckets.",
        "one-round": "Every round has its own rotation, and its own row of buckets.",
        "unsorted": "The chunks were cut from the text as it stands, not from the tokens sorted by "
        "bucket.",
        "bucket-only": "You compared buckets. What a token sees is its *chunk* and the one before, "
        "whatever buckets they hold.",
        "no-look-back": "A token sees the chunk before its own as well, so that a bucket which a "
        "border cuts in two is not torn apart.",
        "looks-forward": "A chunk looks at the one before it, not at the one after.",
        "no-ring": "The first chunk has one before it, too: the last of all rounds.",
        "itself-always": "A token sees itself although it sees others. It is its own nearest key, "
        "and would take nearly all of the weight.",
        "itself-never": "A token that sees nothing else should see itself: the last resort.",
        "first-round-only": "What is seen in *any* round counts. More rounds should find more.",
        "all-rounds": "A key was dropped because some round did not show it. One round is enough.",
        "leaks-future": "With is_causal a token saw a later one.",
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
TURNED = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.6, -0.8], [0.8, 0.6]]])
BUCKETS = np.array([[0, 1, 0, 2, 1, 0, 3, 1]])


def _order(buckets):
    return np.argsort(buckets, axis=-1, kind="stable")


def _right_met(order, chunk_length):
    """Whom each token meets, by the library."""
    tokens = order.shape[1]
    nothing, real = np.zeros((tokens, 1)), np.ones(tokens, dtype=bool)
    hashed = HashedTokens(nothing, nothing, nothing, real, order.reshape(-1), chunk_length)
    return times_seen(hashed) > 0


def _met(order, chunk_length, *, back, ring):
    """Whom each token meets where a known mistake is made."""
    tokens = order.shape[1]
    chunks = order.reshape(-1, chunk_length)
    met = np.zeros((tokens, tokens), dtype=bool)
    for number, chunk in enumerate(chunks):
        for step in back:
            if ring or number - step >= 0:
                met[np.ix_(chunk, chunks[(number - step) % len(chunks)])] = True
    return met


def _with_last_resort(met, is_causal=False, itself="last"):
    seen = np.tril(met) if is_causal else met.copy()
    np.fill_diagonal(seen, itself == "always")
    if itself == "last":
        np.fill_diagonal(seen, ~seen.any(axis=1))
    return seen


def _expect_seen(given, buckets, chunk_length, what, is_causal=False):
    tokens = buckets.shape[1]
    array = expect_shape(given, (tokens, tokens), what=what).astype(bool)
    order = _order(buckets)
    met = _right_met(order, chunk_length)
    right = _with_last_resort(met, is_causal)
    each = [_right_met(row[None], chunk_length) for row in order]
    text = np.broadcast_to(np.arange(tokens), buckets.shape)
    same = (buckets[:, :, None] == buckets[:, None, :]).any(axis=0)
    mistakes = {
        "no-look-back": _met(order, chunk_length, back=(0,), ring=True),
        "looks-forward": _met(order, chunk_length, back=(0, -1), ring=True),
        "no-ring": _met(order, chunk_length, back=(0, 1), ring=False),
        "unsorted": _right_met(text, chunk_length),
        "bucket-only": same,
        "first-round-only": each[0],
        "all-rounds": np.all(each, axis=0),
    }
    wrong_ones = {name: _with_last_resort(m, is_causal) for name, m in mistakes.items()}
    wrong_ones["itself-always"] = _with_last_resort(met, is_causal, "always")
    wrong_ones["itself-never"] = _with_last_resort(met, is_causal, "never")
    if is_causal:
        wrong_ones["leaks-future"] = _with_last_resort(met)
    known = (name for name, m in wrong_ones.items() if np.array_equal(m, array))
    cells = np.argwhere(array != right)
    if len(cells):
        row, column = (int(i) for i in cells[0])
        does = "does not see" if right[row, column] else "sees"
        whom = "itself" if row == column else f"token {column}"
        others = f", and {len(cells) - 1} more cells are wrong" if len(cells) > 1 else ""
        expect(False, f"{what}: token {row} {does} {whom}{others}.", next(known, None))


def _expect_buckets(given, x, rotations, what):
    right = reference_buckets(
        x[None], rotations.transpose(1, 0, 2)[None], (2 * rotations.shape[2],)
    )
    array = expect_shape(
        given,
        right[0].shape,
        what=what,
        mistakes={"one-round": (len(x),), "one-token": (len(x), 1)},
    )
    cells = np.argwhere(array != right[0])
    if len(cells) and np.array_equal(array, (x @ rotations).argmax(axis=-1)):
        expect(False, f"{what} holds no bucket of the second half.", "no-negatives")
    if len(cells):
        round_, token = (int(i) for i in cells[0])
        expect(
            False,
            f"{what}: token {token} is in bucket {array[round_, token]} in round {round_}; "
            f"expected {right[0][round_, token]}.",
        )


@check(points=1)
def buckets_of_the_eight_tokens(hash_buckets):
    """The eight tokens of the prediction, in two rounds"""
    seen = hash_buckets(TOKENS.copy(), TURNED.copy())
    _expect_buckets(seen, TOKENS, TURNED, "hash_buckets(x, rotations)")


@check(points=2)
def one_round(visible):
    """One round with chunks of two: the chunk, and the one before"""
    _expect_seen(visible(BUCKETS.copy(), 2), BUCKETS, 2, "visible(buckets, 2)")


@check(points=1)
def rounds_add_up(visible):
    """Three rounds: whatever any of them shows, in one ring of chunks"""
    buckets = np.random.default_rng(3).integers(4, size=(3, 21))
    _expect_seen(visible(buckets.copy(), 3), buckets, 3, "visible(buckets, 3), three rounds")


@check(points=1)
def oneself_as_the_last_resort(visible):
    """With a causal mask, some tokens have nobody but themselves"""
    buckets = np.random.default_rng(5).integers(4, size=(2, 15))
    what = "visible(buckets, 3, is_causal=True)"
    _expect_seen(visible(buckets.copy(), 3, is_causal=True), buckets, 3, what, is_causal=True)


@check(points=1)
def more_rounds_find_more(hash_buckets, visible):
    """The share of nearest tokens that are found rises with the rounds"""
    rng = np.random.default_rng(7)
    x = rng.normal(size=(9, 11))[np.arange(63) % 9] + 0.3 * rng.normal(size=(63, 11))
    unit = x / np.linalg.norm(x, axis=-1, keepdims=True)
    near = x @ unit.T
    np.fill_diagonal(near, -np.inf)
    nearest = np.argsort(-near, axis=-1)[:, :5]
    rotations = rng.normal(size=(8, 11, 3))
    found = []
    for rounds in (1, 2, 8):
        buckets = hash_buckets(x.copy(), rotations[:rounds].copy())
        what = f"hash_buckets with {rounds} rounds of 63 tokens"
        expect_shape(buckets, (rounds, 63), what=what)
        seen = expect_shape(visible(buckets, 7), (63, 63), what="visible(buckets, 7)").astype(bool)
        found.append(np.take_along_axis(seen, nearest, axis=-1).mean())
    says = ", ".join(f"{share:.2f}" for share in found)
    expect(
        found[0] < found[1] < found[2] and found[2] > 0.9,
        f"With 1, 2 and 8 rounds a share of {says} of the five nearest is found.",
    )


@check(points=1, hidden=True)
def other_sizes(hash_buckets, visible, rng):
    """Other numbers of tokens, rounds and buckets"""
    for tokens, rounds, length in ((12, 1, 4), (25, 4, 5), (22, 2, 11), (3, 1, 3), (5, 2, 1)):
        x, rotations = rng.normal(size=(tokens, 7)), rng.normal(size=(rounds, 7, 3))
        _expect_buckets(hash_buckets(x, rotations), x, rotations, "hash_buckets(x, rotations)")
        buckets = rng.integers(6, size=(rounds, tokens))
        for is_causal in (False, True):
            what = f"visible with {rounds} rounds of {tokens} tokens"
            given = visible(buckets, length, is_causal=is_causal)
            _expect_seen(given, buckets, length, what, is_causal)


WRONG = {
    "half of the directions": wrong(
        replace={"np.concatenate([rotated, -rotated], axis=-1)": "rotated"},
        rejected_by=["buckets_of_the_eight_tokens"],
        misconception="no-negatives",
    ),
    "the rounds in one": wrong(
        replace={"rotated = x @ rotations": "rotated = x @ rotations[0]"},
        rejected_by=["buckets_of_the_eight_tokens"],
        misconception="one-round",
    ),
    "chunks of the text": wrong(
        replace={
            'np.argsort(buckets, axis=-1, kind="stable")': (
                "np.broadcast_to(np.arange(tokens), buckets.shape)"
            )
        },
        rejected_by=["one_round", "rounds_add_up"],
        misconception="unsorted",
    ),
    "the same bucket": wrong(
        replace={
            "seen[np.ix_(chunk, chunk)] = True": "pass",
            "seen[np.ix_(chunk, earlier)] = True": "pass",
            "if is_causal:\n": (
                "same = buckets[:, :, None] == buckets[:, None, :]\n"
                "    seen = same.any(axis=0)\n"
                "    if is_causal:\n"
            ),
        },
        rejected_by=["one_round", "rounds_add_up"],
        misconception="bucket-only",
    ),
    "only its own chunk": wrong(
        replace={"seen[np.ix_(chunk, earlier)] = True": "pass"},
        rejected_by=["one_round", "rounds_add_up"],
        misconception="no-look-back",
    ),
    "the chunk after": wrong(
        replace={"np.roll(chunks, 1, axis=0)": "np.roll(chunks, -1, axis=0)"},
        rejected_by=["one_round", "rounds_add_up"],
        misconception="looks-forward",
    ),
    "the first chunk looks nowhere": wrong(
        replace={
            "before = np.roll(chunks, 1, axis=0)": "before = chunks[[0, *range(len(chunks) - 1)]]"
        },
        rejected_by=["one_round", "rounds_add_up"],
        misconception="no-ring",
    ),
    "sees itself": wrong(
        replace={"np.fill_diagonal(seen, False)": "np.fill_diagonal(seen, True)"},
        rejected_by=["one_round", "rounds_add_up", "oneself_as_the_last_resort"],
        misconception="itself-always",
    ),
    "never sees itself": wrong(
        replace={"seen[alone, alone] = True": "pass"},
        rejected_by=["oneself_as_the_last_resort"],
        misconception="itself-never",
    ),
    "the first round decides": wrong(
        replace={"buckets, axis=-1, kind": "buckets[:1], axis=-1, kind"},
        rejected_by=["rounds_add_up", "more_rounds_find_more"],
        misconception="first-round-only",
    ),
    "seen in every round": wrong(
        """
        def hash_buckets(x, rotations):
            rotated = x @ rotations
            return np.concatenate([rotated, -rotated], axis=-1).argmax(axis=-1)

        def visible(buckets, chunk_length, is_causal=False):
            tokens = buckets.shape[1]
            seen = np.ones((tokens, tokens), dtype=bool)
            for row in buckets:
                chunks = np.argsort(row, kind="stable").reshape(-1, chunk_length)
                one = np.zeros_like(seen)
                for chunk, earlier in zip(chunks, np.roll(chunks, 1, axis=0)):
                    one[np.ix_(chunk, chunk)] = one[np.ix_(chunk, earlier)] = True
                seen &= one
            if is_causal:
                seen = np.tril(seen)
            np.fill_diagonal(seen, False)
            np.fill_diagonal(seen, ~seen.any(axis=1))
            return seen
        """,
        rejected_by=["rounds_add_up"],
        misconception="all-rounds",
    ),
    "the future is open": wrong(
        replace={"seen = np.tril(seen)": "pass"},
        rejected_by=["oneself_as_the_last_resort"],
        misconception="leaks-future",
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
            found = []
            for rotation in rotations:
                row = []
                for token in x:
                    numbers = list(token @ rotation)
                    numbers += [-number for number in numbers]
                    row.append(numbers.index(max(numbers)))
                found.append(row)
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
