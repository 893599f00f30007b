"""Three kinds of models write the same participle, *ramassée*: one layer of attention in which the
verb is the query, a recurrent translator with attention, and a Transformer. Each is always right.
For each sentence we compare the word with the most weight and the word whose removal changes the
answer most.
"""

from coursekit import quiz

quiz(
    title="Predict: most weight and most effect",
    hints=["By which ways, other than a weight, can a word reach the answer?"],
    questions=r"""
## fewest_agree
In which model are they the same word least often?
- [x] In the single layer: the verb matters and needs no weight
  > Yes. The verb is the query, so it reaches the answer without needing a weight.
- [ ] In the recurrent translator: its layers mix the words
  > mixing-hides-all: They do, and yet the position of the verb has the most weight and, in most
    sentences, also the most effect.
- [ ] In the Transformer: it has the most layers and heads
  > depth-hides-all: In two of three seeds the two words are the same in nearly every sentence.
""",
)
