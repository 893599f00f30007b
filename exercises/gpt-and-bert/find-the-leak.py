"""A colleague's language model has a surprisingly low loss. Does it see tokens that it should
predict? Test it from outside. `model(tokens)` takes a list of token numbers and returns an array
of shape `(len(tokens), vocabulary)`: at place $i$ the scores of the token after it. They may
depend on tokens 0 to $i$ only.

Write `leaking_places`. It returns a list of all places $i$, in increasing order, whose scores
change when **one later token** of `tokens` is exchanged for another number from 0 to `vocabulary -
1`. Try every later place and every number there. A change counts if some score changes by more than
1e-6. Leave `tokens` as it is.
"""

import numpy as np

from coursekit import call_keeping_inputs, check, exercise, expect

exercise(
    title="Find the leak",
    version=2,
    hints=[
        "Call the model twice, with `tokens` and with a copy in which one token is changed. Which "
        "rows may differ?",
        "If token j was changed, rows 0 to j − 1 must stay the same. Row j and later ones may "
        "change.",
        "Two loops, over the place j and over the new number. `np.abs(after - before)[:j]` has the "
        "rows that must not change; collect the numbers of those that do in a set.",
    ],
)


def leaking_places(model, tokens, vocabulary):
    """Return the places (list of int) whose scores depend on a later token."""
    # BEGIN SOLUTION
    before, found = model(tokens), set()
    for place in range(1, len(tokens)):
        for number in range(vocabulary):
            changed = list(tokens)
            changed[place] = number
            change = np.abs(model(changed) - before).max(axis=-1)
            found |= {i for i in range(place) if change[i] > 1e-6}
    return sorted(found)
    # END SOLUTION


MISTAKES = r"""
own-token: `in range(place)` → `in range(place + 1)`
    A place was reported whose scores change with its own token. It may see itself: only changes of
    later tokens count.
changed-place: `{i for i` → `{place for i`
    The place of the changed token was reported. Report the places before it whose scores changed.
one-number: `range(vocabulary)` → `[(tokens[place] + 1) % vocabulary]` or `range(1, vocabulary)`
    A leak was missed that shows only for some numbers. Try every number in place of the token.
last-only: `range(1, len(tokens))` → `[len(tokens) - 1]`
    A leak was missed: only the last token was changed. Change each later token in turn.
next-only: `in range(place)` → `in [place - 1]`
    A leak was missed: a place sees a token beyond the next one. Change each later token in turn.
all-at-once: `changed[place] = number` → `changed[place:] = [number] * len(changed[place:])`,
  `in range(place)` → `in [place - 1]`
    A leak was missed that does not show where all later tokens are changed together, to the same
    number: it depends on whether two of them differ. Change one at a time.
best-only: `np.abs(model(changed) - before).max(axis=-1)` →
  `1.0 * (model(changed).argmax(-1) != before.argmax(-1))`
    A leak was missed that changes scores but not which token gets the highest. Any score that
    changes is a leak.
piled-up: `changed = list(tokens)` → `pass`,
  `found = model(tokens), set()` → `found, changed = model(tokens), set(), list(tokens)`,
  `range(1, len(tokens))` → `range(len(tokens))`
    Each change was left in place when the next token was changed. Start from the given tokens each
    time.
row-sums: `np.abs(model(changed) - before).max(axis=-1)` →
  `np.abs((model(changed) - before).sum(axis=-1))`
    A leak was missed that leaves the sum of all scores as it is. Compare the scores one by one.
sign: `np.abs(` → `(`
    A leak was missed in which scores become smaller. Take the absolute value of the change.
first-leak-only: `sorted(found)` → `sorted(found)[:1]`
    Only the first place was returned. Return all of them.
exact: `> 1e-6` → `!= 0`
    A place was reported whose scores change by less than 1e-6: that is rounding.
too-coarse: `.max(axis=-1)` → `.mean(axis=-1)`
or `np.abs(model(changed) - before).max(axis=-1)` →
  `~np.isclose(model(changed), before).all(axis=-1)`
    A leak was missed in which one score of about 100 changes by 4e-6. Compare the largest change,
    not the mean, with 1e-6 itself: `np.isclose` and `np.allclose` also allow for a share of the
    score (`rtol`).
not-tried: `def leaking_places(model, tokens, vocabulary): return []`
or `def leaking_places(model, tokens, vocabulary): return list(range(len(tokens) - 1))`
    The model was never called with another token. Only that can show which scores depend on it.
not-sorted: `sorted(found)` → `sorted(found, reverse=True)`
    The right places were found, but not in increasing order, or more than once.
"""


def _model(seed, vocabulary, leaks=(), unlike=(), size=1.0):
    """Return a model, causal but for leaks.

    ``leaks``: (place, source, number or None, score or None, amount). Row ``place`` changes by
    ``amount`` if token ``source`` has the number, or with the token if that is None.
    ``unlike``: (place, first, second). Row ``place`` changes if these two tokens differ.
    ``size``: how large the scores are, about.
    """
    rng = np.random.default_rng(seed)
    table = size * rng.normal(size=(vocabulary, vocabulary))

    def model(tokens):
        rows = table[np.asarray(list(tokens))]
        scores = rows.cumsum(axis=0) / np.arange(1, len(rows) + 1)[:, None]
        for place, source, number, score, amount in leaks:
            token = tokens[source]
            strength = float(token) / vocabulary if number is None else float(token == number)
            columns = slice(None) if score is None else score
            scores[place, columns] = scores[place, columns] + amount * strength
        for place, first, second in unlike:
            scores[place, 0] = scores[place, 0] + 5.0 * (tokens[first] != tokens[second])
        return scores

    return model


def _run(leaking_places, model, tokens, vocabulary):
    calls = []

    def counted(given):
        given = [int(token) for token in given]
        expect(
            len(given) == len(tokens) and all(0 <= token < vocabulary for token in given),
            f"model was called with {given}; expected {len(tokens)} numbers from 0 to "
            f"{vocabulary - 1}",
        )
        calls.append(given)
        return model(given)

    seen = call_keeping_inputs(leaking_places, counted, tokens, vocabulary)
    is_list = isinstance(seen, list | tuple | np.ndarray)
    expect(is_list, f"expected a list of places, got {type(seen).__name__}")
    places = list(seen)
    numbers = all(isinstance(p, int | np.integer) and not isinstance(p, bool) for p in places)
    expect(numbers, f"expected a list of whole numbers, got {places}")
    places = [int(place) for place in places]
    changed = max((np.not_equal(given, tokens).sum() for given in calls), default=0)
    if not changed:
        return places, {"not-tried": [places]}
    known = _known(model, tokens, vocabulary)
    if changed == 1:
        del known["piled-up"], known["all-at-once"]
    return places, known


def _known(model, tokens, vocabulary):
    """Return for each mistake the lists of places that it finds."""
    before, everywhere = model(tokens), range(len(tokens))
    single = [
        (place, model([*tokens[:place], number, *tokens[place + 1 :]]))
        for place in everywhere
        for number in range(vocabulary)
    ]
    together = [
        (place, model([*tokens[:place], *[number] * len(tokens[place:])]))
        for place in everywhere
        for number in range(vocabulary)
    ]

    def found(calls, rows, differs=lambda a, b: np.abs(a - b).max(axis=-1) > 1e-6):
        return sorted({i for at, after in calls for i in rows(at) if differs(after, before)[i]})

    def is_other_best(after, before):
        return after.argmax(axis=-1) != before.argmax(axis=-1)

    def is_other_sum(after, before):
        return np.abs(after.sum(axis=-1) - before.sum(axis=-1)) > 1e-6

    piled_up, text = [], list(tokens)
    for place in everywhere:
        for number in range(vocabulary):
            text[place] = number
            piled_up.append((place, model(list(text))))
    own = found(single, lambda at: range(at + 1))
    return {
        "own-token": [own, [place for place in own if place > 0]],
        "next-only": [found(single, lambda at: range(max(at - 1, 0), at))],
        "all-at-once": [found(together, lambda at: range(max(at - 1, 0), at))],
        "piled-up": [found(piled_up, range)],
        "best-only": [found(single, range, is_other_best)],
        "row-sums": [found(single, range, is_other_sum)],
        "changed-place": [sorted({at for at, after in single if found([(at, after)], range)})],
    }


def _expect(result, right, missed=None):
    """Compare; ``missed`` says which places found show a mistake, beside what mistakes find.

    In random leaks, which places are missed by chance proves little: only ``own-token`` is known.
    """
    seen, known = result
    if seen == right:
        return
    reasons = [id for id, places in known.items() if seen in places]
    if missed and seen in missed[0] and "not-tried" not in known:
        reasons = [missed[1]]
    elif sorted(set(seen)) == right:
        reasons = ["not-sorted"]
    elif seen == right[:1] and len(right) > 1 and len(known) > 1:
        reasons.append("first-leak-only")
    reason = reasons[0] if len(reasons) == 1 else None
    expect(False, f"places {seen}; expected {right}", reason)


def _ask(
    leaking_places, seed, tokens, vocabulary, right, *, leaks=(), unlike=(), missed=None, size=1
):
    """Ask for the leaks of a model, and of the same one without any."""
    _expect(_run(leaking_places, _model(seed, vocabulary, size=size), tokens, vocabulary), [])
    model = _model(seed, vocabulary, leaks, unlike, size)
    _expect(_run(leaking_places, model, tokens, vocabulary), right, missed)


@check(points=1)
def a_causal_model(leaking_places):
    """A model without a leak: no place. In another one place 3 of 5 sees the next token"""
    leaks = [(3, 4, None, None, 0.6)]
    _ask(leaking_places, 1, [3, 1, 4, 0, 2], 5, [3], leaks=leaks)


@check(points=1)
def the_next_token(leaking_places):
    """Of 5 places, 0 and 2 see the next token, and 1 sees the last one"""
    leaks = [(0, 1, None, None, 0.7), (2, 3, None, None, 0.7), (1, 4, None, None, 0.7)]
    missed = ([[1]], "last-only")
    _ask(leaking_places, 2, [5, 1, 3, 2, 4], 7, [0, 1, 2], leaks=leaks, missed=missed)


@check(points=1)
def from_far_ahead(leaking_places):
    """Token 4 moves one score of place 2, and two of place 1, one of them up and one down"""
    leaks = [(2, 4, None, 3, 0.4), (1, 4, None, 3, 0.4), (1, 4, None, 0, -0.4)]
    _ask(leaking_places, 3, [2, 0, 4, 1, 3, 0], 5, [1, 2], leaks=leaks)


@check(points=1)
def one_number_only(leaking_places):
    """Place 2 changes with the last token; place 1 only if that becomes 6, place 0 only if 0"""
    leaks = [(2, 4, None, None, 0.5), (1, 4, 6, None, 0.5), (0, 4, 0, None, 0.5)]
    missed = ([[2], [1, 2], [0, 2]], "one-number")
    _ask(leaking_places, 4, [2, 0, 4, 1, 3], 7, [0, 1, 2], leaks=leaks, missed=missed)


@check(points=1)
def scores_that_fall(leaking_places):
    """Whatever the last token becomes, scores at place 1 rise and those at place 0 fall"""
    leaks = [(0, 3, None, None, -0.5), (1, 3, None, None, 0.5)]
    _ask(leaking_places, 5, [1, 3, 2, 0], 5, [0, 1], leaks=leaks, missed=([[1]], "sign"))


@check(points=1)
def two_later_tokens(leaking_places):
    """Place 2 changes if tokens 3 and 4, which are alike, become unlike"""
    _ask(leaking_places, 8, [2, 0, 4, 3, 3], 5, [2], unlike=[(2, 3, 4)])


@check(points=1)
def rounding(leaking_places):
    """A change below 1e-6 is not a leak, and one of 4e-6 is, also that of one score of 100"""
    leaks = [(1, 2, None, None, 1e-9), (0, 3, None, None, 1e-5)]
    _ask(leaking_places, 6, [1, 3, 0, 2], 5, [0], leaks=leaks, missed=([[0, 1]], "exact"))
    leaks = [(0, 3, None, 2, 1e-5)]
    missed = ([[]], "too-coarse")
    _ask(leaking_places, 9, [1, 3, 0, 2], 5, [0], leaks=leaks, missed=missed, size=100.0)


@check(points=2, hidden=True)
def random_leaks(leaking_places, rng):
    """Random leaks"""
    for count in rng.permutation([0, 1, 2, 3]):
        leaky = sorted(rng.permutation(7)[:count].tolist())
        leaks = []
        for i in leaky:
            source, (up, down) = int(rng.integers(i + 1, 8)), rng.permutation(7)[:2]
            leaks += [(i, source, None, up, 1.0), (i, source, None, down, -1.0)]
        tokens = rng.integers(1, 7, size=8).tolist()
        model = _model(int(rng.integers(1 << 30)), 7, leaks)
        seen, known = _run(leaking_places, model, tokens, 7)
        _expect((seen, {id: known[id] for id in {"own-token", "not-tried"} & set(known)}), leaky)


ALSO_RIGHT = {
    "place by place": """
        def leaking_places(model, tokens, vocabulary):
            reference = np.asarray(model(tokens))
            def depends(i):
                for j in range(i + 1, len(tokens)):
                    for number in range(vocabulary):
                        other = [*tokens[:j], number, *tokens[j + 1:]]
                        if not np.allclose(model(other)[i], reference[i], rtol=0, atol=1e-6):
                            return True
                return False
            return [i for i in range(len(tokens)) if depends(i)]
    """,
    "largest change of each row": """
        def leaking_places(model, tokens, vocabulary):
            worst = np.zeros(len(tokens))
            for j in range(len(tokens)):
                for number in range(vocabulary):
                    other = np.array(tokens)
                    other[j] = number
                    change = np.abs(model(other.tolist()) - model(tokens)).max(1)
                    change[j:] = 0
                    worst = np.maximum(worst, change)
            return np.flatnonzero(worst > 1e-6).tolist()
    """,
}
