"""The masked model and the model of the next token: what each reads and is trained on."""

from __future__ import annotations

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from attnlab.data.grammar import Grammar
from attnlab.models import encoder_decoder, text_models, training

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
