import numpy as np
import pytest

from attnlab.data import minilm_heads


@pytest.mark.parametrize("name", minilm_heads.SENTENCES)
def test_rows_are_shares(name):
    heads = minilm_heads.load(name)
    tokens = len(heads.tokens)
    assert heads.weights.shape == (6, 12, tokens, tokens)
    assert (heads.tokens[0], heads.tokens[-1]) == ("[CLS]", "[SEP]")
    assert heads.weights.min() >= 0
    np.testing.assert_allclose(heads.weights.sum(axis=-1), 1, atol=tokens * 6e-5)


def test_offset_leaves_out_tokens_without_a_neighbour():
    step = np.eye(5, k=-1)
    step[0, 0] = 1.0
    assert minilm_heads.offset(step, -1) == 1.0
    assert minilm_heads.offset(np.stack([step, np.eye(5)]), -1).tolist() == [1.0, 0.0]
    assert minilm_heads.offset(np.full((4, 4), 0.25), 2) == 0.25


def test_words_and_heads_are_by_name_and_number():
    heads = minilm_heads.load("cat")
    pair = heads.between("sat", "cat")
    assert pair.shape == (6, 12)
    assert pair[3, 1] == heads.weights[3, 1, 3, 2] == heads.head(4, 2)[3, 2]
    with pytest.raises(ValueError, match="layer 0, head 2; expected 1 to 6 and 1 to 12"):
        heads.head(0, 2)
    with pytest.raises(ValueError, match="no sentence 'dog'; expected one of apple, cat"):
        minilm_heads.load("dog")
