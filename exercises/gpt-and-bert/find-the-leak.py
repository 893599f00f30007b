"""A colleague's language model has a surprisingly low loss. Does it see tokens that it should
predict? Test it from the outside. `model(tokens)` takes a list of token numbers and returns an
array of shape `(len(tokens), vocabulary)`: at place $i$ are the scores of the token after it. They
may depend only on tokens 0 to $i$.

Write `leaking_places`. It returns a list of all places $i$, in increasing order, whose scores
change when **one later token** of `tokens` is replaced by another number from 0 to
`vocabulary - 1`. Try every later place and every number there. A change counts if some score
changes by more than 1e-6. Leave `tokens` unchanged.
"""

import numpy as np

from coursekit import (
    CheckFailed,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    mistake,
)

exercise(
    id="find-the-leak",
    chapter="gpt-and-bert",
    title="Find the leak",
    version=2,
    pairs=False,  # a few places can be those of many pairs
    hints=[
        "Call the model twice, with `tokens` and with a copy in which one token is changed. Which "
        "rows may differ?",
        "If token j was changed, rows 0 to j − 1 must stay the same. Row j and later ones may "
        "change.",
        "Use two loops, over the place j and over the new number. `np.abs(after - before)[:j]` has "
        "the rows that must not change; collect the places of those that do in a set.",
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


def _found(leaking_places, model, tokens, vocabulary, right):
    """Return the places that are found, a message, and how many tokens were changed at once."""
    most = [0]

    def watched(given):
        given = [int(token) for token in given]
        is_text = len(given) == len(tokens) and all(0 <= token < vocabulary for token in given)
        numbers = f"{len(tokens)} numbers from 0 to {vocabulary - 1}"
        expect(is_text, f"model was called with {given}; expected {numbers}")
        most.append(np.not_equal(given, tokens).sum())
        return model(given)

    seen = call_keeping_inputs(leaking_places, watched, tokens, vocabulary)
    is_list = isinstance(seen, list | tuple | np.ndarray)
    expect(is_list, f"expected a list of places, got {type(seen).__name__}")
    places = list(seen)
    numbers = all(isinstance(p, int | np.integer) and not isinstance(p, bool) for p in places)
    expect(numbers, f"expected a list of whole numbers, got {places}")
    places = [int(place) for place in places]
    message = f"places {places}; expected {right}"
    if not max(most) and places != right:  # Raised: places that nobody looked for show nothing.
        raise CheckFailed(message, "not-tried")
    expect(places == right or sorted(set(places)) != right, message, "not-sorted")
    return places, message, max(most)


def _ask(leaking_places, seed, tokens, vocabulary, right, *, leaks=(), unlike=(), size=1):
    """Ask for the leaks of a model, and of the same one without any."""
    with_leaks = _model(seed, vocabulary, leaks, unlike, size)
    for model, expected in ((_model(seed, vocabulary, size=size), []), (with_leaks, right)):
        places, message, most = _found(leaking_places, model, tokens, vocabulary, expected)
        expect(set(places) <= set(range(len(tokens))), message)
        seen, wanted = (np.isin(range(len(tokens)), listed) for listed in (places, expected))
        # An answer that changes several tokens at once makes other mistakes: it has its own turn.
        for is_turn in (most <= 1, most > 1):
            what = f"{message}. As truth values, this"
            expect_close(seen if is_turn else wanted, wanted, what=what)


@check(points=1)
def a_causal_model(leaking_places):
    """A model without a leak: no place. In another model, place 3 of 5 sees the next token"""
    _ask(leaking_places, 1, [3, 1, 4, 0, 2], 5, [3], leaks=[(3, 4, None, None, 0.6)])


@check(points=1)
def the_next_token(leaking_places):
    """Of 5 places, 0 and 2 see the next token, and 1 sees the last one"""
    leaks = [(0, 1, None, None, 0.7), (2, 3, None, None, 0.7), (1, 4, None, None, 0.7)]
    _ask(leaking_places, 2, [5, 1, 3, 2, 4], 7, [0, 1, 2], leaks=leaks)


@check(points=1)
def from_far_ahead(leaking_places):
    """Token 4 moves one score of place 2, and two of place 1, one of them up and one down"""
    leaks = [(2, 4, None, 3, 0.4), (1, 4, None, 3, 0.4), (1, 4, None, 0, -0.4)]
    _ask(leaking_places, 3, [2, 0, 4, 1, 3, 0], 5, [1, 2], leaks=leaks)


@check(points=1)
def one_number_only(leaking_places):
    """Place 2 changes with the last token; place 1 only if that becomes 6, place 0 only if 0"""
    leaks = [(2, 4, None, None, 0.5), (1, 4, 6, None, 0.5), (0, 4, 0, None, 0.5)]
    _ask(leaking_places, 4, [2, 0, 4, 1, 3], 7, [0, 1, 2], leaks=leaks)


@check(points=1)
def scores_that_fall(leaking_places):
    """Whatever the last token becomes, scores at place 1 rise and those at place 0 fall"""
    leaks = [(0, 3, None, None, -0.5), (1, 3, None, None, 0.5)]
    _ask(leaking_places, 5, [1, 3, 2, 0], 5, [0, 1], leaks=leaks)


@check(points=1)
def two_later_tokens(leaking_places):
    """Place 2 changes if tokens 3 and 4, which are alike, become unlike"""
    _ask(leaking_places, 8, [2, 0, 4, 3, 3], 5, [2], unlike=[(2, 3, 4)])


@check(points=1)
def rounding(leaking_places):
    """A change below 1e-6 is not a leak, and one of 4e-6 is, also that of one score of 100"""
    leaks = [(1, 2, None, None, 1e-9), (0, 3, None, None, 1e-5)]
    _ask(leaking_places, 6, [1, 3, 0, 2], 5, [0], leaks=leaks)
    _ask(leaking_places, 9, [1, 3, 0, 2], 5, [0], leaks=[(0, 3, None, 2, 1e-5)], size=100.0)


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
        places, message, _ = _found(leaking_places, model, tokens, 7, leaky)
        # Which places are missed by chance proves little: nothing else is named here.
        is_own = places in ([*range(8)], [*range(1, 8)])
        expect(places == leaky, message, "own-token" if is_own else None)


_CHANGE = "np.abs(model(changed) - before).max(axis=-1)"
_COPY = "        changed = list(tokens)\n"
_PILED_UP = {f"    {_COPY}": "", "set()\n": f"set()\n{_COPY[4:]}"}

mistake(
    "own-token",
    "You reported a place whose scores change with its own token. It may see itself: only changes "
    "to later tokens count.",
    {"range(place) if": "range(place + 1) if"},
    {"range(place) if": "range(place + 1) if", "range(1, len": "range(len"},
)
mistake(
    "changed-place",
    "The place of the changed token was reported. Report the places before it whose scores "
    "changed.",
    {"{i for": "{place for"},
)
mistake(
    "one-number",
    "You missed a leak that shows only for some numbers. Try every number in place of the token.",
    {"range(vocabulary)": "[(tokens[place] + 1) % vocabulary]"},
    {"range(vocabulary)": "range(1, vocabulary)"},
    {"range(vocabulary)": "range(vocabulary - 1)"},
)
mistake(
    "last-only",
    "A leak was missed: only the last token was changed. Change each later token in turn.",
    {"range(1, len(tokens))": "[len(tokens) - 1]"},
)
mistake(
    "next-only",
    "A leak was missed: a place sees a token beyond the next one. Change each later token in turn.",
    {"i in range(place)": "i in [place - 1]"},
)
mistake(
    "all-at-once",
    "You missed a leak that does not show if all later tokens are changed together to the same "
    "number: it depends on whether two of them differ. Change one token at a time.",
    {
        "[place] = number": "[place:] = [number] * (len(tokens) - place)",
        "in range(place)": "in [place - 1]",
    },
)
mistake(
    "best-only",
    "You missed a leak that changes scores but not which token scores highest. Any score that "
    "changes is a leak.",
    {_CHANGE: "1.0 * (model(changed).argmax(-1) != before.argmax(-1))"},
)
mistake(
    "piled-up",
    "Each change was left in place when the next token was changed. Start from the given "
    "tokens each time.",
    _PILED_UP,
    _PILED_UP | {"range(1, len": "range(len"},
)
mistake(
    "row-sums",
    "You missed a leak that leaves the sum of all scores unchanged. Compare the scores one by one.",
    {_CHANGE: "np.abs((model(changed) - before).sum(axis=-1))"},
)
mistake(
    "sign",
    "You missed a leak in which scores become smaller. Take the absolute value of the change.",
    {"np.abs(": "("},
)
mistake(
    "first-leak-only",
    "Only the first place was returned. Return all places.",
    {"sorted(found)": "sorted(found)[:1]"},
)
mistake(
    "exact",
    "You reported a place whose scores change by less than 1e-6, which is rounding.",
    {"> 1e-6": "!= 0"},
)
mistake(
    "too-coarse",
    "You missed a leak in which one score of about 100 changes by 4e-6. Compare the largest "
    "change, not the mean, with 1e-6 itself: `np.isclose` and `np.allclose` also allow for a share "
    "of the score (`rtol`).",
    {".max(axis=-1)": ".mean(axis=-1)"},
    {_CHANGE: "~np.isclose(model(changed), before).all(axis=-1)"},
)
mistake(
    "not-tried",
    "The model was never called with a changed token. Only that can show which scores depend on "
    "it.",
    "return []",
    "return list(range(len(tokens) - 1))",
)
mistake(
    "not-sorted",
    "The right places were found, but not in increasing order, or more than once.",
    {"sorted(found)": "sorted(found, reverse=True)"},
)

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
