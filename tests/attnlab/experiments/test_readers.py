"""The models do what their names say: who can see what, whatever was learned."""

import pytest

torch = pytest.importorskip("torch")

import numpy as np  # noqa: E402

from attnlab.experiments import readers, training, translators  # noqa: E402
from attnlab.experiments.grammar import Grammar  # noqa: E402

GRAMMAR = Grammar("french")
READERS = {
    "fixed vector": lambda: readers.FixedVector(GRAMMAR),
    "convolution": lambda: readers.Convolution(GRAMMAR),
    "attention": lambda: readers.OneLayerAttention(GRAMMAR),
    "two heads": lambda: readers.LearnedQuestion(GRAMMAR, (0.5, -0.5)),
}


def drawn(num_phrases, batch=5, seed=0):
    sentences = GRAMMAR.sample(np.random.default_rng(seed), batch, num_phrases)
    return torch.from_numpy(sentences.tokens)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("num_phrases", [0, 1, 7])
def test_logits_for_every_length(name, num_phrases):
    assert READERS[name]()(drawn(num_phrases)).shape == (5, 24)


@pytest.mark.parametrize("layers", [2, 3, 5])
def test_a_convolution_sees_exactly_as_far_as_it_reaches(layers):
    with training.one_thread(0):
        model = readers.Convolution(GRAMMAR, layers=layers)
    tokens = drawn(8, batch=1)  # 19 tokens; the verb is token 18
    vectors = model.embed(tokens).detach().requires_grad_()
    model.embed.forward = lambda given: vectors[:, -given.shape[1] :]
    model(tokens).square().sum().backward()
    seen = vectors.grad[0].abs().sum(dim=-1) > 0
    assert model.reach == 2 * layers
    assert seen.tolist() == [18 - position <= model.reach for position in range(19)]


def test_attention_weights_sum_to_one_and_follow_the_slope():
    model = readers.OneLayerAttention(GRAMMAR)
    with torch.no_grad():
        model.slope.fill_(30.0)
        _, weights = model.look(drawn(3))
    assert weights.shape == (5, 1, 9)
    torch.testing.assert_close(weights[..., 0], torch.ones(5, 1))


def test_without_positions_the_order_of_the_other_words_is_invisible():
    model = readers.OneLayerAttention(GRAMMAR, positions=False)
    tokens = drawn(3)
    shuffled = torch.cat([tokens[:, [4, 1, 6, 3, 0, 5, 2, 7]], tokens[:, 8:]], dim=1)
    torch.testing.assert_close(model(tokens), model(shuffled))
    with_positions = readers.OneLayerAttention(GRAMMAR)
    with torch.no_grad():
        with_positions.slope.fill_(0.5)
    assert not torch.allclose(with_positions(tokens), with_positions(shuffled))


def test_one_head_and_two_have_the_same_parameters_but_for_a_slope():
    sizes = [
        sum(p.numel() for p in readers.LearnedQuestion(GRAMMAR, slopes).parameters())
        for slopes in ((0.5,), (0.5, -0.5))
    ]
    assert sizes[1] - sizes[0] == 1


def test_a_decoder_sees_only_the_words_before_and_the_fixed_one_only_the_last_state():
    with training.one_thread(0):
        fixed = translators.FixedVectorTranslator(GRAMMAR, 8)
        looking = translators.AttentionTranslator(GRAMMAR, 8)
    sentences = GRAMMAR.sample(np.random.default_rng(1), 2, 3)
    tokens, target = torch.from_numpy(sentences.tokens), torch.from_numpy(sentences.target)
    changed = target.clone()
    changed[:, 4] = 5
    for model in (fixed, looking):
        before, after = model(tokens, target), model(tokens, changed)
        assert before.shape == (2, 10, GRAMMAR.num_targets)
        torch.testing.assert_close(before[:, :5], after[:, :5])
        assert not torch.allclose(before[:, 5], after[:, 5])


def test_translating_feeds_back_its_own_words():
    with training.one_thread(0):
        model = translators.FixedVectorTranslator(GRAMMAR, 8)
    tokens = drawn(2)
    given = translators.translate(model, tokens, 6)
    again = model(tokens, given).argmax(dim=-1)
    assert (again == given).all()


def test_seeding_is_undone_and_repeats():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    with training.one_thread(9):
        first = torch.rand(2)
    torch.testing.assert_close(torch.rand(3), expected)
    with training.one_thread(9):
        torch.testing.assert_close(torch.rand(2), first)
