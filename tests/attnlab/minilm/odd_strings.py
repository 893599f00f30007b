"""Make the fixture of odd strings again: what the package tokenizers makes of them.

``python tests/attnlab/minilm/odd_strings.py``, where tokenizers and the model's package are
installed. The strings themselves, by hand and mixed at random, stand in the fixture alone, which
has of the vocabulary only what they need.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FIXTURE = Path(__file__).with_name("odd_strings.json")


def make(tokenizer: Any, vocabulary: list[str]) -> dict[str, Any]:
    """Return the fixture for its own strings: their tokens, and the pieces that decide them."""
    strings = [text for text, _ in json.loads(FIXTURE.read_text("utf-8"))["cases"]]
    cases = [[text, tokenizer.encode(text).tokens] for text in strings]
    used = {token for _, tokens in cases for token in tokens}
    # With what could have been taken instead: every piece of a string that the model knows.
    plain = {tokenizer.normalizer.normalize_str(text) for text, _ in cases}
    for text in plain:
        for word in text.split():
            for start in range(min(len(word), 60)):
                for end in range(start + 1, min(len(word), start + 20) + 1):
                    used |= {word[start:end], "##" + word[start:end]}
    return {"vocabulary": [piece for piece in vocabulary if piece in used], "cases": cases}


if __name__ == "__main__":
    from attnlab.minilm import package
    from attnlab.models.minilm import _tokenizer

    tokenizer = _tokenizer()
    tokenizer.no_truncation()
    made = make(tokenizer, package.vocabulary())
    FIXTURE.write_text(json.dumps(made, separators=(",", ":")), encoding="utf-8")
    print(FIXTURE, len(made["cases"]), len(made["vocabulary"]))
