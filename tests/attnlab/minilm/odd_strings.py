"""Make the fixture of odd strings again: what the package tokenizers makes of them.

``python tests/attnlab/minilm/odd_strings.py``, where tokenizers and the model's package are
installed. The fixture has of the vocabulary only what its strings need.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

FIXTURE = Path(__file__).with_name("odd_strings.json")
BY_HAND = """
Hello, world!|don't|it's 5 o'clock|U.S.A.|e-mail: a.b@c.de|naïve café|Ångström
ÅNGSTRÖM|Über|STRASSE straße
İstanbul|ΟΔΥΣΣΕΥΣ|ὀδυσσεύς|Привет, мир|ЁЛКА|北京大学|日本語テキスト|한국어|שלום|مرحبا|हिन्दी
ไทย|👩‍👩‍👧 family|🙂|½ + ¼|№ 5
[CLS]|a [SEP] b|[sep]|[MASK]ed|[ MASK ]|[UNK]|[PAD] x|##ing|# # hash|...|!!!|?!
—dash—|“quotes”|«guillemets»|…|a_b_c|x=y+z
antidisestablishmentarianism|pneumonoultramicroscopicsilicovolcanoconiosis
Donaudampfschifffahrt|xyzzyqqq|1234567890
3.14159|1,000,000|10^-9|$5.00|€7|£8|100%|C++|C#|.NET
http://example.org/a?b=c&d=e|C:\\Users|~/x|a/b|<b>bold</b>|&amp;
  spaces  |nbsp\u00a0here|thin\u2009space|ideo\u3000space|zero\u200bwidth
soft\u00adhyphen|bom\ufeffhere
repl\ufffdx|priv\ue000x|comb\u0301ine|e\u0301te\u0301
ﬁnance|ﬀ|Ⅳ|²x|ｆｕｌｌ ｗｉｄｔｈ|ｶﾀｶﾅ|ß|ẞ|ǅ|ŉ|ﬄuent|ø|đ|ł|æon|Œuvre|ı|ſ|K|Ω|µ|ª|º
""".strip()


def odd_strings() -> list[str]:
    """Return the strings: those by hand, and random mixtures of their pieces."""
    rng = random.Random(3)
    by_hand = [part for line in BY_HAND.split("\n") for part in line.split("|")]
    by_hand += ["tab\there", "new\nline", "cr\rlf\n", "nel\x85x", "vt\x0bx", "ff\x0cx", "bell\x07"]
    by_hand += ["null\0byte", "sep\u2028line", "rlo\u202eabc", "", " "]
    by_hand += ["a" * 100, "a" * 101, "ü" * 101]
    pieces = [*by_hand, "the", "cat", "unbelievable", "Running", "quickly", " ", ".", ",", "-"]
    mixed = [
        rng.choice(["", " "]).join(rng.choices(pieces, k=rng.randint(2, 5)))
        for _ in range(max(0, 210 - len(by_hand)))
    ]
    return by_hand + mixed


def make(tokenizer: Any, vocabulary: list[str]) -> dict[str, Any]:
    """Return the fixture: each string's tokens, and the pieces that decide them."""
    cases = [[text, tokenizer.encode(text).tokens] for text in odd_strings()]
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
