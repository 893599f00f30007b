"""The model of two attention layers: what it sees, and what is left when heads are taken out."""

import pytest

torch = pytest.importorskip("torch")

from attnlab.data import repeats
from attnlab.experiments import induction
from attnlab.models import checkpoints, continuation, stored_weights, training
from attnlab.models.attention_only import HEADS, NUM_HEADS, PARTS, AttentionOnlyModel


def untrained(num_words=11):
    with training.one_thread(0):
        return AttentionOnlyModel(num_words)


def drawn(batch=5, num_tokens=7, num_words=11):
    return torch.randint(num_words, (batch, num_tokens), generator=torch.Generator().manual_seed(1))


@torch.no_grad()
def test_no_token_sees_a_later_one():
    model, tokens = untrained(), drawn()
    changed = tokens.clone()
    changed[:, 4] = (changed[:, 4] + 1) % 11
    before, weights = model.forward_with_weights(tokens)
    after = model(changed)
    torch.testing.assert_close(before[:, :4], after[:, :4])
    assert not torch.isclose(before[:, 4:], after[:, 4:]).all(dim=-1).any()
    assert weights.shape == (5, 2, NUM_HEADS, 7, 7)
    assert weights.triu(1).abs().max() == 0
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(5, 2, NUM_HEADS, 7))


@torch.no_grad()
def test_tokens_alone_decide_and_not_where_the_text_stands():
    """Queries and keys are turned by their positions, so that scores depend on distances only."""
    model, tokens = untrained(), drawn(batch=1)
    layer, x = model.layers[0], model.embedding(tokens)
    keep = torch.zeros(NUM_HEADS, dtype=torch.bool)
    later = torch.cat([x[:, :1], x], dim=1)
    _, weights = layer(x, x, x, keep)
    _, moved = layer(later, later, later, keep)
    torch.testing.assert_close(
        weights[..., 5, 2] / weights[..., 5, 4], moved[..., 6, 3] / moved[..., 6, 5]
    )


@torch.no_grad()
@pytest.mark.parametrize("head", HEADS)
def test_a_head_that_is_taken_out_says_nothing_of_the_text(head):
    """By hand: its columns of the output's matrix get the mean of what they get in the batch."""
    model, tokens = untrained(), drawn()
    layer, number = head[0] - 1, head[1] - 1
    seen = {}

    def note(module, inputs):
        seen["merged"] = inputs[0]

    hook = model.layers[layer].to_output.register_forward_pre_hook(note)
    model(tokens)
    full = seen["merged"]
    model(tokens, without=[head])
    hook.remove()
    width = full.shape[-1] // NUM_HEADS
    own = slice(number * width, (number + 1) * width)
    expected = full.clone()
    expected[..., own] = full[..., own].mean(dim=0, keepdim=True)
    torch.testing.assert_close(seen["merged"], expected)
    assert full[..., own].std(dim=0).max() > 0.01


@torch.no_grad()
def test_a_part_of_layer_2_that_does_not_read_layer_1_gets_its_mean():
    """Blind keys are the keys of a model without layer 1; queries and values stay."""
    model, tokens = untrained(), drawn()
    seen = {part: [] for part in PARTS}
    for part in PARTS:
        project = getattr(model.layers[1], f"to_{part}")
        project.register_forward_hook(lambda _, __, made, part=part: seen[part].append(made))
    model(tokens)
    model(tokens, without=[head for head in HEADS if head[0] == 1])
    for part in PARTS:
        model(tokens, unread=[part])
    for at, blind in enumerate(PARTS, start=2):
        for part in PARTS:
            expected = seen[part][1 if part == blind else 0]
            torch.testing.assert_close(seen[part][at], expected)
    assert (seen["key"][0] - seen["key"][1]).abs().max() > 0.01
    with pytest.raises(ValueError, match="unread has 'keys'"):
        model(tokens, unread=["keys"])


@torch.no_grad()
def test_taking_out_no_head_changes_nothing_and_all_heads_leave_the_token_alone():
    model, tokens = untrained(), drawn()
    torch.testing.assert_close(model(tokens, without=[]), model(tokens))
    tokens[:, -1] = 3
    logits = model(tokens, without=HEADS)[:, -1]
    torch.testing.assert_close(logits, logits[:1].expand_as(logits))


@pytest.mark.parametrize("head", [(0, 1), (3, 1), (1, 3)])
def test_unknown_heads_are_refused(head):
    with pytest.raises(ValueError, match=r"expected heads out of \(\(1, 1\), "):
        untrained()(drawn(), without=[head])


def test_an_unknown_condition_is_refused():
    with pytest.raises(ValueError, match="'two periods'; expected one of one period, many periods"):
        continuation.train("two periods", steps=1)


@pytest.mark.parametrize("condition", repeats.PERIODS)
def test_the_weights_that_ship_continue_texts_and_are_small(condition):
    model = checkpoints.continuer(condition)
    test = induction.texts_to_test(repeats.PERIODS[condition], 50)
    assert induction.accuracy(model, test) > 0.98
    path = stored_weights.FOLDER / f"{condition}-{checkpoints.CONTINUER_SEED}.npz"
    assert path.stat().st_size < 26_000


def test_continuers_that_are_missing_say_how_to_make_them(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"python -m attnlab\.models\.checkpoints"):
        checkpoints.continuer("one period", tmp_path)
