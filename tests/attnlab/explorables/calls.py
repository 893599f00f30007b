"""Calls of the figures' TypeScript, with what NumPy gives for the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import attn
from attnlab.drawing.text import number
from attnlab.explorables import (
    AttentionRow,
    FaultChecks,
    GradientDraws,
    LayerStack,
    LshCircle,
    Patches,
    Pipeline,
    Reach,
    ScoreFunctions,
    WindowMask,
)
from attnlab.explorables.layer_stack import KINDS
from attnlab.explorables.patches import stored

from . import in_numpy

Call = dict[str, Any]


def call(of: str, *given: Any, gives: Any = None, within: float = 1e-12, refuses: str = "") -> Call:
    """Return a call: ``module.function`` of a folder of figures, what it gets and has to give.

    A value ``{"$shared": name}`` stands for one that many calls are given, one of `made` for what
    another call gives. ``refuses`` is a part of the message of the error that it has to raise.
    """
    given = plain(given)
    return {"of": of, "given": given, "gives": plain(gives), "within": within, "refuses": refuses}


def made(of: str, *given: Any, part: str | None = None) -> dict[str, Any]:
    """Return what stands for the result of a call, or a part of it, among another's values."""
    return {"$made": {"of": of, "given": plain(given), "part": part}}


def plain(value: Any) -> Any:
    """Return lists and numbers in place of arrays."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def of_attention(rng: np.random.Generator) -> Iterator[Call]:
    """Yield calls of the figures of one query, many queries, and masked scores."""
    for count in (1, 2, 3, 5) * 5:
        query, key, value = (rng.normal(size=(n, 2)).round(2) for n in (1, count, count))
        query *= rng.choice([1, 1, 1000])  # some scores are huge
        scaled = bool(rng.integers(2))
        scores = (attn.scaled_dot_score if scaled else attn.dot_score)(query, key)
        weights = attn.softmax(scores)
        given = (query[0], key, value, scaled)
        gives = {"scores": scores[0], "weights": weights[0], "context": (weights @ value)[0]}
        yield call("context_vector/arithmetic.attend", *given, gives=gives)
    for i, sharpness in ((i, s) for i in (0, 3) for s in (0.0, 1.0, 4.0)):
        queries, keys = (rng.normal(scale=3, size=(4, 3)).round(2).tolist() for _ in range(2))
        values = rng.normal(size=(4, 2)).round(2).tolist()
        scores = attn.scaled_dot_score(np.array(queries[i : i + 1]), np.array(keys))[0]
        weights = attn.softmax(sharpness * scores)
        gives = {"scores": scores, "weights": weights, "output": weights @ values}
        given = (queries[i], keys, values, sharpness)
        yield call("attention_row/arithmetic.rowOf", *given, gives=gives)
    # By hand: scores (0, 2, 0, 2.3), exponentials 1, 7.389, 1, 9.974, of 19.363.
    first, of = AttentionRow(), "attention_row/arithmetic.rowOf"
    given = (first.query[2], first.key, first.value, 1.0)
    gives = {"scores": [0, 2, 0, 2.3], "weights": [0.05, 0.38, 0.05, 0.52], "output": [0.14, 0.02]}
    yield call(of, *given, gives=gives, within=0.005)
    for _ in range(20):
        scores, masks = rng.normal(scale=3, size=(3, 5)).round(1), rng.random((3, 5)) < 0.5
        masks[1] = rng.integers(2)  # all of a row, or nothing
        for score, mask in zip(scores, masks, strict=True):
            yield call("math.softmax", score, mask, gives=attn.softmax(score, mask=mask))
    for _ in range(3):
        query, key = rng.normal(size=(4, 5)).round(2), rng.normal(size=(6, 5)).round(2)
        weights = attn.attention_weights(query, key)
        yield call("self_cross/arithmetic.weightsOf", query, key, gives=weights)
    for temperature in (0.0, 0.05, 0.5, 1.0, 7.0, 100.0):
        scores, values = rng.normal(size=5).round(1).tolist(), rng.normal(size=5).round(2).tolist()
        scores[3] = max(scores)  # a tie
        best, of = np.array(scores) == max(scores), "soft_dictionary/arithmetic"
        cold = best / best.sum()  # ties share the weight at 0
        weights = attn.softmax(np.array(scores) / temperature) if temperature else cold
        yield call(f"{of}.weightsAt", scores, temperature, gives=weights)
        yield call(f"{of}.lookUp", scores, values, temperature, gives=weights @ values)


def of_masks() -> Iterator[Call]:
    """Yield calls that make the masks of figures."""
    for rows, columns, length in ((5, 5, 3), (3, 5, 4), (2, 7, 0), (7, 3, 3)):
        padding = np.broadcast_to(attn.padding_mask([length], columns)[0], (rows, columns))
        causal = attn.causal_mask(rows, columns)
        yield call("masks.padding", rows, columns, length, gives=padding)
        yield call("masks.causal", rows, columns, gives=causal)
        yield call("masks.both", causal, padding, gives=causal & padding)
        yield call("masks.everything", rows, columns, gives=np.ones((rows, columns), bool))


def of_patterns() -> Iterator[Call]:
    """Yield calls of the figures of windows and of convolutions."""
    of = "window_mask/arithmetic"
    for tokens, window, marked, causal, layers in (
        (7, 2, [], False, 1),
        (7, 1, [0, 5], False, 2),
        (11, 2, [], True, 3),
        (5, 0, [3], True, 2),
    ):
        options: dict[str, Any] = {"window": window, "global_tokens": marked, "selected": 0}
        shown = WindowMask(num_tokens=tokens, is_causal=causal, num_layers=layers, **options)
        pattern = {"tokens": tokens, "window": window, "globals": marked, "causal": causal}
        mask, reached = in_numpy.windows(shown)
        yield call(f"{of}.patternMask", pattern, gives=mask)
        yield call(f"{of}.reach", mask, layers, gives=reached)
        yield call(f"{of}.pairs", mask, gives=int(mask.sum()))
    of = "reach/arithmetic"
    for phrases in (0, 3, 4, 8):
        for kernel, layers in ((2, 1), (3, 4), (7, 3), (4, 8)):
            for attention in (False, True):
                reach = Reach(phrases=phrases, kernel=kernel, layers=layers, attention=attention)
                stack = {"kernel": kernel, "layers": layers, "attention": attention}
                tokens = in_numpy.sentence(reach)
                yield call(f"{of}.shortened", reach.tokens, phrases, gives=tokens)
                yield call(f"{of}.cone", len(tokens), stack, gives=in_numpy.cone(reach))
                needed = -(-(len(tokens) - 1) // (kernel - 1))
                yield call(f"{of}.needed", len(tokens), kernel, gives=needed)


def of_stacks() -> Iterator[Call]:
    """Yield calls of the figure of a stack of layers."""
    whole = {"num_kv_heads": 8, "head_dim": 64}
    kept = {"global": whole, "local": whole, "shared": {"num_kv_heads": 1, "head_dim": 64},
            "latent": {"d_latent": 128, "rotary_dim": 32}}  # fmt: skip
    causal = attn.causal_mask(64, 64)
    near = causal & attn.sliding_window_mask(64, 64, 3)
    for kinds in (KINDS, ["local"] * 6, ["latent", "local", "shared", "local"], ["local"] * 30):
        seen, reaches = np.eye(64, dtype=bool)[-1], []
        for kind in reversed(kinds):  # from the output to the input
            seen = (seen.astype(int) @ (near if kind == "local" else causal)) > 0
            reaches.insert(0, int(seen.sum()))
        sizes = [
            attn.cache_size(4 if kind == "local" else 64, bytes_per_number=2, **kept[kind])
            for kind in kinds
        ]
        state = LayerStack(layers=kinds).state()
        yield call("layer_stack/arithmetic.sizes", state, gives=sizes)
        yield call("layer_stack/arithmetic.reaches", state, gives=reaches)


def of_pictures(rng: np.random.Generator) -> Iterator[Call]:
    """Yield calls of the figure of a picture in patches, with what the detector as it is gives."""
    of, shown = "patches/arithmetic", Patches()
    w = {name: array.astype(float) for name, array in stored().items()}
    for share in (None, 0.0, 0.1, 0.3, 0.6):
        drawn = rng.random((20, 20)) < (share or 0)
        ink = ["".join(".#"[pixel] for pixel in row) for row in drawn.astype(int)]
        ink = shown.ink if share is None else ink
        image = np.array([[pixel == "#" for pixel in row] for row in ink]) + np.array(shown.noise)
        cells = np.array([np.hsplit(rows, 4) for rows in np.vsplit(image, 4)]).reshape(16, 25)
        yield call(f"{of}.cut", ink, shown.noise, gives=cells)
        hidden = np.maximum(cells @ w["encode.0.weight"].T + w["encode.0.bias"], 0)
        encoded = hidden @ w["encode.2.weight"].T + w["encode.2.bias"]
        value = encoded @ w["to_value.weight"].T
        context, weights = attn.scaled_dot_product_attention(
            w["query"], encoded @ w["to_key.weight"].T, value, return_weights=True
        )
        output = (context * w["to_logits.weight"]).sum(axis=1) + w["to_logits.bias"]
        gives = [
            {"weights": row, "says": value @ w["to_logits.weight"][kind], "output": output[kind],
             "share": 1 / (1 + np.exp(-output[kind]))}
            for kind, row in enumerate(weights)
        ]  # fmt: skip
        # The figure has three decimals of each weight.
        yield call(f"{of}.answersOf", shown.model, cells, gives=gives, within=0.03)


def of_scores(rng: np.random.Generator) -> Iterator[Call]:
    """Yield calls of the figures of the steps of attention, of scores, the scale, and sinks."""
    for sentence in ("the cat drank milk", "Paris", "L’été, she's gone; one 2 three four!"):
        for is_causal in (False, True):
            steps = Pipeline(sentence=sentence, is_causal=is_causal)
            output, weights, mask = in_numpy.pipeline(steps)
            gives = {"tokens": steps.tokens(), "mask": mask, "weights": weights, "output": output}
            yield call("pipeline/arithmetic.stepsOf", steps.state(), gives=gives)
    for _ in range(5):
        parameters = {
            "query": rng.normal(size=2), "key": rng.normal(size=(4, 2)),
            "w_score": rng.normal(size=2),
            **{name: rng.normal(size=(2, 2)) for name in ("w_general", "w_query", "w_key")},
        }  # fmt: skip
        for given in (parameters, parameters | {"query": [0.0, 0.0]}):
            shown = ScoreFunctions(**given)
            gives = in_numpy.scores_by(shown)
            yield call("score_functions/arithmetic.scoresBy", shown.state(), gives=gives)
    for exponent in (0, 1, 4, 10):
        draws, of = [0.1, -0.7, 1.2, 0.4, -1.3, 0.8], "saturation/arithmetic"
        rows, norms = in_numpy.saturated(draws, exponent)
        yield call(f"{of}.weightsAt", draws, exponent, gives=rows)
        for row, norm in zip(rows, norms, strict=True):
            yield call(f"{of}.jacobianNorm", row, gives=norm)
    shown = FaultChecks()
    for losses, shares in zip(shown.held_out, shown.decoded, strict=True):
        for loss, share in zip(losses, shares, strict=True):
            gives = [loss < np.log(2) - 0.02, loss > np.log(11), share < 0.9]
            yield call("fault_checks/arithmetic.alarms", loss, share, shown.bounds, gives=gives)
    scores = np.array([[30.0, -2.0, 0.5, 1.0], [-4.0, -4.0, -4.0, -4.0]])
    for sink, cap in ((-12, 50), (0, 50), (0, 1), (6, 3), (2.5, 10)):
        weights = attn.softmax(cap * np.tanh(scores / cap), sink=float(sink))
        for row, shares in zip(scores, weights, strict=True):
            taken = [*shares, 1 - shares.sum()]
            yield call("sink/arithmetic.shares", row, sink, cap, gives=taken, within=1e-9)


def of_algorithms(rng: np.random.Generator) -> Iterator[Call]:
    """Yield calls of the figures of rotation, online softmax and hashing."""
    of = "rotary_dial/arithmetic"
    for query, key, width in ((20, 17, 8), (0, 63, 8), (63, 19, 2), (7, 7, 16)):
        hands = attn.rotary(np.tile([1.0, 0.0], (2, width // 2)), positions=[query, key])
        products = hands.prod(axis=0).reshape(-1, 2).sum(axis=-1)
        yield call(f"{of}.products", query, key, width, gives=products)
    yield call(f"{of}.movedTogether", [20, 17], 63, 63, gives=[63, 60])
    yield call(f"{of}.movedTogether", [20, 17], 0, 63, gives=[3, 0])
    yield call(f"{of}.movedTogether", [17, 20], 62, 63, gives=[60, 63])
    for count, block in ((8, 2), (7, 3), (5, 1), (6, 6)):
        score, value = rng.normal(scale=4, size=(2, count)).round(1).tolist()
        gives, before = [], -np.inf
        for end in range(block, count + block, block):
            s, v = np.array(score[:end]), np.array(value[:end])
            m, powers = s.max(), np.exp(s - s.max())
            factor = np.exp(before - m)
            gives.append({"m": m, "factor": factor, "l": powers.sum(), "o": powers @ v})
            before = m
        yield call("online_softmax/arithmetic.steps", score, value, block, gives=gives)
    of = "lsh_circle/arithmetic"
    for buckets, rounds in ((4, 1), (6, 3), (8, 8), (16, 5)):
        # Nothing stands on a border, of whole degrees that 3 divides, or of halves and quarters.
        angles = (1 + 3 * rng.integers(0, 119, 9)).tolist()
        turns = (3 * rng.integers(0, 120, 8)).tolist()
        circle = LshCircle(angles=angles, turns=turns, num_buckets=buckets, num_rounds=rounds)
        queries = rng.uniform(0, 360, 20)
        hashing = {"angles": angles, "turns": turns, "buckets": buckets, "rounds": rounds}
        for query, meetings, recall in zip(queries, *in_numpy.met(circle, queries), strict=True):
            yield call(f"{of}.meetings", query, hashing, gives=meetings)
            yield call(f"{of}.found", query, hashing, gives={"recall": recall})


def of_sizes() -> Iterator[Call]:
    """Yield calls of the figures of tiles and of axial tables."""
    of = "tiles/arithmetic"
    for tokens, tile in ((4096, 128), (512, 1024), (65536, 16)):
        vectors, blocks = tokens * 64, -(-tokens // tile)
        yield call(f"{of}.movedByAll", tokens, gives=2 * 4 * (vectors + tokens**2))
        yield call(f"{of}.movedByTiles", tokens, tile, gives=2 * 2 * vectors * (1 + blocks))
        # Four blocks, their scores, and two numbers a query.
        yield call(f"{of}.onChip", tile, gives=2 * (4 * tile * 64 + tile**2 + 2 * tile))
    of = "axial_grid/arithmetic"
    for rows, columns, column_major in ((3, 5, False), (3, 5, True), (1, 7, False)):
        grid = {"rows": rows, "columns": columns, "columnMajor": column_major}
        for position, pair in enumerate(in_numpy.axial(rows, columns, column_major)):
            yield call(f"{of}.tableRows", position, grid, gives=pair)
            yield call(f"{of}.positionAt", *pair, grid, gives=position)
        yield call(f"{of}.inTwoTables", grid, 64, gives=in_numpy.axial_parameters(rows, columns))
        yield call(f"{of}.inOneTable", grid, 64, gives=rows * columns * 64)


def of_draws() -> Iterator[Call]:
    """Yield calls of the figure of gradients from draws."""
    of = "gradient_draws/arithmetic"
    five = {"losses": [1.0, 0.2, 3.0, 0.0, 0.7], "score": 0.5}
    for draws, seed, options in (
        (1, 0, {}),
        (10, 1, {"baseline": 15 / 16}),
        (2_000, 2, {"score": 3.0, "baseline": 0.8125}),
        (300, 2**31 - 1, five | {"baseline": 1.25}),
        (30_000, 7, {"score": 5.0}),
    ):
        shown = GradientDraws(num_draws=draws, seed=seed, **options)
        drawn, case = in_numpy.Draws(shown), {"losses": shown.losses, "score": shown.score}
        one = in_numpy.Draws(GradientDraws(num_draws=1, **options)).standard_error()
        yield call(f"{of}.weightsOf", case, gives=drawn.weights)
        yield call(f"{of}.exactGradient", case, gives=drawn.exact)
        yield call(f"{of}.deviations", case, shown.baseline, gives=drawn.deviations())
        yield call(f"{of}.errorOfOne", case, shown.baseline, gives=one)
        stops = sorted({1, draws // 2 or 1, draws})
        after = [
            {"counts": np.bincount(drawn.chosen[:n], minlength=len(shown.losses)),
             "last": drawn.chosen[n - 1]}
            for n in stops
        ]  # fmt: skip
        yield call(f"{of}.drawKeys", case, seed, stops, gives=after)
        given = (after[-1], case, shown.baseline)
        yield call(f"{of}.meanEstimate", *given, gives=drawn.estimate())
        yield call(f"{of}.errorOf", *given, gives=drawn.error())


def of_text() -> Iterator[Call]:
    """Yield calls that write numbers as Python's tables and answers do."""
    for x in (-1.5, -0.001, 0.0, 2.26, 470.0):
        for decimals in (1, 2):
            yield call("text.number", x, decimals, gives=number(x, decimals))
    for x, said in (
        *((0.0, "0.00"), (3.1e-7, "3.1e−7"), (0.006, "0.01"), (2.718, "2.72")),
        *((9999.0, "9999.00"), (1e4, "1.0e4"), (1.26e43, "1.3e43")),
    ):
        yield call("text.short", x, gives=said)
    for value, code in (
        ([1.0, 0.5], "[1.0, 0.5]"), (-0.25, "-0.25"), (100.0, "100.0"), ([], "[]"),
        ([[True, False], [False, True]], "[[True, False], [False, True]]"),
    ):  # fmt: skip
        yield call("text.literal", value, False, gives=code)
    for value, code in (([0, 7], "[0, 7]"), (2, "2")):
        yield call("text.literal", value, True, gives=code)
