import numpy as np
import pytest

from attnlab.data import glove, lexicon


@pytest.fixture(scope="module")
def vectors():
    return glove.load()


def test_the_cut_has_the_words_of_the_book(vectors):
    assert vectors.array.shape == (len(vectors.words), 50)
    assert vectors.array.dtype == np.float32
    assert 1900 <= len(vectors.words) == len(set(vectors.words)) <= 2100
    needed = {*glove.WORDS.split(), *(noun.english for noun in lexicon.nouns("french"))}
    assert needed <= set(vectors.words)
    assert vectors.words[0] == "the"
    assert glove.FILE.stat().st_size < 400_000


def test_cosines_and_neighbours(vectors):
    assert vectors.cosine("cat", "dog") == pytest.approx(0.92, abs=0.005)
    assert vectors.cosine("cat", "cat") == pytest.approx(1.0)
    assert vectors.cosine("dog", "cat") == pytest.approx(vectors.cosine("cat", "dog"))
    assert vectors.nearest("cat", 1) == ["dog"]
    nearest = vectors.nearest("paris", 3)
    cosines = [vectors.cosine("paris", word) for word in nearest]
    assert cosines == sorted(cosines, reverse=True)
    assert max(vectors.cosine("paris", w) for w in vectors.words if w != "paris") == cosines[0]


def test_an_unknown_word_is_named(vectors):
    with pytest.raises(KeyError, match=r"'zyzzyva' is not among the 2\d{3} words|19\d\d words"):
        vectors["zyzzyva"]


def test_another_file_is_refused(tmp_path, monkeypatch):
    package = tmp_path / glove.PACKAGE
    (package / "data").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "data" / "glove_6B_50d_emb.npy").write_bytes(b"other")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match=r"has sha256 d9298a10.*; expected [0-9a-f]{64}"):
        glove.make(tmp_path / "cut.npz")
