"""The models do what their names say: who sees what, what it is trained on, how much it counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from attn.torch import Transformer
from attnlab.data.grammar import Grammar
from attnlab.models import (
    checkpoints,
    counts,
    encoder_decoder,
    formation,
    sentence_classifiers,
    stored_weights,
    text_models,
    training,
    transformer,
    translation,
    translators,
)
from attnlab.models.gpt_torch import Reported

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


def test_a_loop_says_how_far_it_has_come(capsys: pytest.CaptureFixture[str]) -> None:
    batches = [[[n]] for n in range(450)]
    assert list(Reported(batches)) == batches
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(",")[0] for line in lines] == [
        "200 of 450 batches", "400 of 450 batches", "450 of 450 batches",
    ]  # fmt: skip
    assert len(Reported(batches)) == 450
    assert Reported(batches)[7] == [[7]]


TEXT = text_models.Text()


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


def sentences(num_phrases: int, batch: int = 3):
    return TEXT.sample(np.random.default_rng(num_phrases), batch, num_phrases)


@pytest.mark.parametrize("num_phrases", [0, 1, 3])
def test_text_is_sentences_of_the_grammar(num_phrases: int) -> None:
    for row in sentences(num_phrases).numpy():
        assert TEXT.is_sentence(row)
        for broken in (row[1:], row[:-1], np.roll(row, 1), np.append(row, row[-1])):
            assert not TEXT.is_sentence(broken)
        other_gender = row.copy()
        first = TEXT.grammar.first_participle
        other_gender[-2] = first + ((row[-2] - first) ^ 1)
        assert not TEXT.is_sentence(other_gender)


def test_genders_are_those_of_the_words() -> None:
    tokens, genders = sentences(2).numpy(), TEXT.genders()
    np.testing.assert_array_equal(genders[tokens[:, 1]], genders[tokens[:, -2]])
    assert (genders[tokens[:, [0, 2, -3, -1]]] == -1).all()
    assert genders[TEXT.gap] == -1


@pytest.mark.parametrize("objective", text_models.OBJECTIVES)
def test_who_reads_what_at_a_gap(objective: text_models.Objective) -> None:
    model, tokens = text_models.build(objective, TEXT).eval(), sentences(1)
    before = text_models.at_gap(model, tokens, 3, TEXT.gap)
    torch.testing.assert_close(before.sum(-1), torch.ones(3))
    hidden, later, earlier = tokens.clone(), tokens.clone(), tokens.clone()
    hidden[:, 3] = 5
    later[:, 5] = 60
    earlier[:, 1] = 7
    assert torch.equal(text_models.at_gap(model, hidden, 3, TEXT.gap), before)
    sees_later = not torch.equal(text_models.at_gap(model, later, 3, TEXT.gap), before)
    assert sees_later == (objective == "masked")
    assert not torch.equal(text_models.at_gap(model, earlier, 3, TEXT.gap), before)


def test_losses_count_what_they_should() -> None:
    tokens = sentences(1)
    for objective in text_models.OBJECTIVES:
        model = text_models.build(objective, TEXT)
        torch.nn.init.zeros_(model.to_scores.weight)
        torch.nn.init.zeros_(model.to_scores.bias)
        with torch.no_grad():
            model.to_scores.bias[Grammar.END] = 2.0
        sure = 2 - math.log(math.exp(2) + TEXT.vocabulary - 1)
        if objective == "next token":
            loss = text_models.next_token_loss(model, tokens).item()
            # One of six predictions is END, and its score is 2 higher than the others'.
            assert loss == pytest.approx(-(sure + 5 * (sure - 2)) / 6, abs=1e-5)
        else:
            loss = text_models.masked_loss(model, tokens[:, :4], TEXT.gap).item()
            assert loss == pytest.approx(2 - sure, abs=1e-5)  # no END among the first four


def test_every_filling_is_bayes_rule() -> None:
    model, tokens = text_models.build("next token", TEXT).eval(), sentences(0)
    whole = text_models.by_whole_sentences(model, tokens, 1)
    torch.testing.assert_close(whole.sum(-1), torch.ones(3))
    pair = tokens[:1].repeat(2, 1)
    pair[:, 1] = torch.tensor([5, 9])
    steps = model(target=pair[:, :-1]).log_softmax(-1)
    odds = steps.gather(-1, pair[:, 1:, None]).sum((1, 2)).diff().exp()
    torch.testing.assert_close(whole[0, 9] / whole[0, 5], odds[0])


@pytest.mark.parametrize("objective", text_models.OBJECTIVES)
def test_weights_that_ship_fill_gaps_and_write(objective: text_models.Objective) -> None:
    model, tokens = text_models.load(objective), sentences(2, batch=40)
    genders = torch.from_numpy(TEXT.genders())
    right = genders == genders[tokens[:, -2]][:, None]
    place = tokens.shape[1] - 2
    assert (text_models.at_gap(model, tokens, place, TEXT.gap) * right).sum(-1).mean() > 0.95
    generator = torch.Generator().manual_seed(0)
    written = text_models.write_on(model, tokens[:, :2], tokens.shape[1], TEXT.gap, generator)
    assert torch.equal(written[:, :2], tokens[:, :2])
    if objective == "masked":
        assert np.mean([TEXT.is_sentence(row) for row in written.numpy()]) > 0.9


def test_the_translator_that_ships_translates() -> None:
    grammar, model = Grammar("french"), encoder_decoder.load()
    for phrases in (0, 4, 6):
        test = training.held_out(grammar, phrases, 50)
        assert encoder_decoder.accuracy(model, test) > 0.95
    pair = grammar.sentence("apple", "under tree", "behind house", "picked")
    written = encoder_decoder.translate(model, pair.tokens)
    np.testing.assert_array_equal(written.numpy(), pair.target)


BOTH: dict[str, Any] = {"num_encoder_layers": 3, "num_decoder_layers": 2, "src_vocab_size": 23}
KINDS: dict[str, dict[str, Any]] = {
    "encoder-decoder": BOTH,
    "norm first": BOTH | {"norm_first": True},
    "encoder only": {"num_encoder_layers": 3, "num_decoder_layers": 0, "src_vocab_size": 19},
    "decoder only": {"num_encoder_layers": 0, "num_decoder_layers": 5, "norm_first": True},
}


def model(kind: str) -> Transformer:
    return Transformer(14, 2, d_hidden=29, tgt_vocab_size=19, dropout=0.0, **KINDS[kind]).eval()


@pytest.mark.parametrize("kind", KINDS)
def test_parameters_by_formula_are_those_of_the_model(kind: str) -> None:
    made = model(kind)
    assert counts.counted(made) == counts.parameters(counts.Sizes.of(made))
    assert sum(counts.counted(made).values()) == sum(p.numel() for p in made.parameters())


@pytest.mark.parametrize("kind", KINDS)
def test_multiplications_by_formula_are_those_that_torch_counts(kind: str) -> None:
    made = model(kind)
    tokens: dict[str, Any] = {}
    if made.encoder is not None:
        tokens["source"] = torch.randint(19, (1, 11))
    if made.decoder is not None:
        tokens["target"] = torch.randint(19, (1, 7))
    # The counter does not know the fused kernel of a CPU.
    with FlopCounterMode(display=False) as counter, sdpa_kernel(SDPBackend.MATH):
        made(**tokens)
    expected = counts.multiplications(counts.Sizes.of(made), 11, 7)
    assert counter.get_total_flops() == 2 * sum(expected.values())


def test_the_base_model_of_the_paper() -> None:
    # Vaswani et al. (2017): 65 million (table 3), "about 37000 tokens" (section 5.1), and one
    # matrix for both embeddings and the output layer (section 3.4).
    sizes = counts.Sizes(512, 2048, 6, 6, 37_000, 37_000)
    count = counts.parameters(sizes)
    shared = count | {"embeddings": count["embeddings"] // 2, "output layer": 0}
    assert sum(shared.values()) == pytest.approx(65e6, rel=0.04)
