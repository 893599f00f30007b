"""The models do what their names say: who can see what, whatever was learned."""

import pytest

pytest.importorskip("torch")

import numpy as np
import torch

from attnlab.data.grammar import Grammar
from attnlab.models import (
    checkpoints,
    formation,
    sentence_classifiers,
    stored_weights,
    training,
    transformer,
    translation,
    translators,
)

GRAMMAR = Grammar("french")


def drawn(num_phrases, batch=5, seed=0):
    sentences = GRAMMAR.sample(np.random.default_rng(seed), batch, num_phrases)
    return torch.from_numpy(sentences.tokens)


@pytest.mark.parametrize("layers", [2, 3, 5])
def test_a_convolution_sees_exactly_as_far_as_it_reaches(layers):
    with training.one_thread(0):
        model = sentence_classifiers.ConvolutionClassifier(GRAMMAR, layers=layers)
    tokens = drawn(8, batch=1)  # 19 tokens; the verb is token 18
    vectors = model.embed(tokens).detach().requires_grad_()
    model.embed.forward = lambda tokens: vectors[:, -tokens.shape[1] :]
    model(tokens).square().sum().backward()
    reached = vectors.grad[0].abs().sum(dim=-1) > 0
    assert model.reach == 2 * layers
    assert reached.tolist() == [18 - position <= model.reach for position in range(19)]


def test_attention_weights_sum_to_one_and_follow_the_slope():
    model = sentence_classifiers.AttentionClassifier(GRAMMAR)
    with torch.no_grad():
        model.slope.fill_(30.0)
        _, weights = model.forward_with_weights(drawn(3))
    assert weights.shape == (5, 1, 9)
    torch.testing.assert_close(weights[..., 0], torch.ones(5, 1))


def test_without_positions_the_order_of_the_other_words_is_invisible():
    model = sentence_classifiers.AttentionClassifier(GRAMMAR, positions=False)
    tokens = drawn(3)
    shuffled = torch.cat([tokens[:, [4, 1, 6, 3, 0, 5, 2, 7]], tokens[:, 8:]], dim=1)
    torch.testing.assert_close(model(tokens), model(shuffled))
    with_positions = sentence_classifiers.AttentionClassifier(GRAMMAR)
    with torch.no_grad():
        with_positions.slope.fill_(0.5)
    assert not torch.allclose(with_positions(tokens), with_positions(shuffled))


TRANSLATORS = {
    "fixed vector": translators.FixedVectorTranslator,
    "matched vector": lambda *args: translators.FixedVectorTranslator(*args, matched=True),
    "attention": translators.AttentionTranslator,
    "Transformer": transformer.TransformerTranslator,
}


@pytest.mark.parametrize("name", TRANSLATORS)
def test_a_decoder_sees_only_the_words_before(name):
    with training.one_thread(0):
        model = TRANSLATORS[name](GRAMMAR, 8)
    sentences = GRAMMAR.sample(np.random.default_rng(1), 2, 3)
    tokens, target = torch.from_numpy(sentences.tokens), torch.from_numpy(sentences.target)
    changed = target.clone()
    changed[:, 4] = 5
    before, after = model(tokens, target), model(tokens, changed)
    assert before.shape == (2, 10, GRAMMAR.num_targets)
    torch.testing.assert_close(before[:, :5], after[:, :5])
    assert not torch.allclose(before[:, 5], after[:, 5])


@pytest.mark.parametrize(("name", "heads"), [("attention", 1), ("Transformer", 4)])
def test_weights_of_every_step_sum_to_one_and_can_be_made_uniform(name, heads):
    with training.one_thread(0):
        model = TRANSLATORS[name](GRAMMAR, 8)
    sentences = GRAMMAR.sample(np.random.default_rng(1), 2, 3)
    tokens, target = torch.from_numpy(sentences.tokens), torch.from_numpy(sentences.target)
    logits, weights = model.forward_with_weights(tokens, target)
    assert weights.shape == (2, heads, 10, 9)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(2, heads, 10))
    uniform, equal = model.forward_with_weights(tokens, target, uniform=True)
    assert (equal == 1 / 9).all()
    assert not torch.allclose(uniform, logits)
    torch.testing.assert_close(model(tokens, target, True), uniform)


def test_additive_attention_is_the_formula():
    with training.one_thread(0):
        model = translators.AttentionTranslator(GRAMMAR, 8)
    tokens = drawn(2)
    _, weights = model.forward_with_weights(tokens, torch.zeros(5, 1, dtype=torch.long))
    read, last = model.encoder(model.embed_source(tokens))
    state = torch.cat([last[0], last[1]], dim=-1)
    score = model.score
    hidden = (state @ score.w_query)[:, None] + read @ score.w_key
    expected = torch.softmax(torch.tanh(hidden) @ score.w_score, dim=-1)
    torch.testing.assert_close(weights[:, 0, 0], expected)


def test_a_transformer_sees_distances_and_no_places():
    # Without the edges nothing tells where a word stands: only how far apart two of them are.
    with training.one_thread(0):
        attend = transformer.RotaryAttention(8)
    x = torch.randn(1, 9, 8)
    _, weights = attend(x, x)
    _, moved = attend(torch.cat([x[:, :1], x], dim=1), torch.cat([x[:, :1], x], dim=1))
    ratio = weights[..., 2, 5] / weights[..., 2, 7]
    torch.testing.assert_close(ratio, moved[..., 3, 6] / moved[..., 3, 8])


def test_weights_that_ship_survive_their_file(tmp_path):
    with training.one_thread(0):
        model = translation.build("attention", GRAMMAR)
    stored_weights.save(model, "attention", 5, tmp_path)
    again = checkpoints.translator("attention", 5, tmp_path)
    for name, weight in model.state_dict().items():
        torch.testing.assert_close(again.state_dict()[name], weight, atol=1e-3, rtol=1e-3)
    with pytest.raises(FileNotFoundError, match=r"python -m attnlab\.models\.checkpoints"):
        checkpoints.translator("attention", 6, tmp_path)


def test_the_command_for_weights_makes_all_that_ship(tmp_path):
    made = checkpoints.make(tmp_path, steps=1)
    shipped = set(stored_weights.FOLDER.iterdir())
    # Another command makes the checkpoints of the figure in `circuits`: tests of its own.
    assert {path.name for path in made} == {path.name for path in shipped - {formation.FOLDER}}


@pytest.mark.parametrize("name", checkpoints.NAMES)
@pytest.mark.parametrize("seed", checkpoints.SEEDS)
def test_the_weights_that_ship_translate(name, seed):
    test = training.held_out(GRAMMAR, 4, 50)
    shares = translation.accuracy(checkpoints.translator(name, seed), GRAMMAR, test)
    assert shares["sentence"] > 0.95


def test_translating_feeds_back_its_own_words():
    with training.one_thread(0):
        model = translators.FixedVectorTranslator(GRAMMAR, 8)
    tokens = drawn(2)
    written = translators.translate(model, tokens, 6)
    again = model(tokens, written).argmax(dim=-1)
    assert (again == written).all()


def test_seeding_is_undone_and_repeats():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    with training.one_thread(9):
        first = torch.rand(2)
    torch.testing.assert_close(torch.rand(3), expected)
    with training.one_thread(9):
        torch.testing.assert_close(torch.rand(2), first)
