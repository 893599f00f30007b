"""TypeScript computes what attn and its models compute: calls made here, checked in node."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np

import attn
from attnlab.data.fables import tell
from attnlab.data.grammar import Grammar
from attnlab.drawing import scales
from attnlab.explorables import TransformerBlocks, Writer
from attnlab.gpt import gpt, load, next_token, softmax, to_text, to_tokens
from attnlab.gpt.page_file import content, flat
from attnlab.gpt.reading import attention_maps
from attnlab.gpt.trained import words
from attnlab.models.numpy_continuer import random_numbers
from attnlab.tensors import dumps

from . import calls as make
from . import model_calls
from .calls import Call, call


def opened(selected: str, layer: int, step: int) -> list[Call]:
    """Return calls for a block of the Transformer, with what torch computes for it."""
    import torch

    from attnlab.models import encoder_decoder

    state = TransformerBlocks(selected=selected, layer=layer, step=step).state()
    pair = Grammar("french").sentence("apple", "under tree", "behind house", "picked")
    model, seen = encoder_decoder.load(), {}

    def keep(name: str) -> Any:
        return lambda module, inputs, output: seen.update({name: output})

    for name, module in model.named_modules():
        module.register_forward_hook(keep(name))
    target = torch.tensor([[Grammar.BEGIN, *pair.target[0][: step - 1]]])
    scores = model(torch.from_numpy(pair.tokens), target)
    stack, part = selected.split(".", 1)
    index = f"{stack}.layers.{layer - 1}"
    of, given = "vectorsOf", [state]
    if part == "self":  # by hand, from what the layer's projections return
        of, given = "weightsOf", [state, selected]
        module = model.get_submodule(f"{index}.{'self_' * (stack == 'decoder')}attention")
        x = seen[f"{index}.norm_{'attention' if stack == 'encoder' else 'self'}"][0].detach()
        project = lambda w, b: attn.split_heads((x @ w + b).detach().numpy(), 4)  # noqa: E731
        expected = attn.attention_weights(
            project(module.w_query, module.b_query),
            project(module.w_key, module.b_key),
            is_causal=stack == "decoder",
        )
    else:
        names = {"output": "encoder.norm", "network": f"{index}.feed_forward", "stream.3": index}
        found = scores if part == "scores" else seen[names[part]]
        expected = found[0].detach().numpy()
    shares = torch.softmax(scores[0, -1], -1).detach().numpy()
    # Two decimals are stored, and a network's part is the difference of two such numbers.
    made = [call(f"transformer_blocks/arithmetic.{of}", *given, gives=expected, within=0.011)]
    made += [call("transformer_blocks/arithmetic.shapeOf", state, gives=expected.shape)]
    made += [call("transformer_blocks/arithmetic.shares", state, gives=shares, within=0.011)]
    return made


def test_typescript_equals_numpy(in_node: Any) -> None:
    rng = np.random.default_rng(7)
    calls = [*make.of_attention(rng), *make.of_scores(rng), *make.of_algorithms(rng)]
    calls += [
        *make.of_masks(),
        *make.of_patterns(),
        *make.of_stacks(),
        *make.of_draws(),
        *make.of_sizes(),
    ]
    shared: dict[str, Any] = {}
    calls += [*make.of_pictures(rng), *make.of_text(), *model_calls.of_writer(rng)]
    calls += [*model_calls.of_circuit(shared), *model_calls.of_translation(shared)]
    for selected, layer, step in (
        ("encoder.self", 2, 1),
        ("encoder.output", 1, 2),
        ("decoder.self", 1, 5),
        ("decoder.network", 2, 7),
        ("decoder.stream.3", 1, 5),
        ("decoder.scores", 2, 8),
    ):
        calls += opened(selected, layer, step)
    colours = [
        {"hue": hue, "percent": percent, "text": scales.text_colour(hue, percent)}
        for hue in ("ink", "positive", "negative")
        for percent in range(101)
    ]
    functions = len({each["of"] for each in calls})
    fixtures = {"calls": calls, "shared": shared, "colours": colours}
    in_node(HERE / "functions.test.ts", fixtures, functions + 6)


HERE = Path(__file__).parent
NUM_FABLES, NUM_WITH_MAPS = 8, 2


def fable(seed: int) -> dict[str, Any]:
    """Return a fable as the model was trained on, and what NumPy reads in it."""
    model, told = load(), tell(np.random.default_rng(seed))
    tokens = np.array(to_tokens(" ".join(told.words)))
    made = {
        "tokens": tokens.tolist(),
        "text": to_text(tokens),
        "shares": softmax(gpt(tokens, model)).tolist(),
    }
    if seed < NUM_WITH_MAPS:
        made["weights"] = attention_maps(tokens, model).tolist()
    return made


def test_the_writer_in_typescript_equals_numpy(in_node: Any) -> None:
    fixtures = {
        "words": words(),
        "whole": base64.b64encode(dumps(flat(load()))).decode(),
        "small": base64.b64encode(content()).decode(),
        "fables": [fable(seed) for seed in range(NUM_FABLES)],
        "recorded": Writer().recorded,
    }
    in_node(HERE / "writer.test.ts", fixtures, 5)


def test_what_readers_do_while_a_source_takes_its_time(in_node: Any) -> None:
    in_node(HERE / "panel.test.ts", {}, 2)


def test_what_is_recorded_is_written_by_the_model() -> None:
    recorded, first = Writer().recorded, Writer().beginnings[0]
    tokens = to_tokens(first["text"])
    draws = random_numbers(first["seed"])
    since = len(tokens)
    read = gpt(np.array(recorded["tokens"][:-1]), load())[since - 1 :]
    for token, step, logits in zip(
        recorded["tokens"][since:], recorded["steps"][since - 1 :], read, strict=True
    ):
        assert token == next_token(logits, recorded["temperature"], next(draws))
        likely = softmax(logits.astype(float) / recorded["temperature"])
        assert [share for _, share in step["next"]] == [
            round(1000 * likely[number]) for number, _ in step["next"]
        ]
        assert step["next"][0][0] == likely.argmax()
