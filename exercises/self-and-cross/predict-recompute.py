"""A translator has an encoder and a decoder. It has read a sentence of 6 tokens and written 4
tokens of the translation. It now writes a fifth, and keeps all the keys and values computed so
far.
"""

from coursekit import quiz

quiz(
    title="Predict: what has to be computed for one more word?",
    hints=["Which sequence do the keys of each attention come from, and has it changed?"],
    questions=r"""
## new_keys
In which of the translator's three attentions are keys and values needed that are not there yet?
- [ ] in the encoder's self-attention, and so in all three
  > encoder-recomputed: The encoder attends from the source to the source. Nothing changes there
    when a word of the translation is added.
- [x] in the decoder's self-attention only
  > Yes. The new word has to be visible to the words after it, so it needs a key and a value there.
    The source stays as it is.
- [ ] in the decoder's cross-attention only
  > source-recomputed: There keys and values come from the source, which has not changed.
- [ ] in none: only a new query is needed
  > query-only: Later words attend to the new word too, so it needs a key and a value in one of the
    attentions.
""",
)
