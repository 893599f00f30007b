"""A translator reads the 7 tokens *the apple, under, the tree, behind, the house, had been, picked*
and writes 8: *la pomme, sous, l'arbre, derrière, la maison, avait été, ramassée* and a mark for the
end. For each token that it writes, it computes one query. Keys and values are computed from the
tokens that were read.
"""

from coursekit import quiz

quiz(
    title="Predict: a translator's weights",
    hints=["A row belongs to a query, a column to a key. Which tokens give the queries?"],
    questions=r"""
## shape (± 0, shape)
What is the shape of the matrix of weights?
- [x] 8, 7 > Eight queries, one for each token written; seven keys, one for each token read.
- [ ] 7, 8 > transposed: The two numbers are exchanged. Rows are queries, and these are computed
  from the tokens that are written.
- [ ] 8, 8 > square: (8, 8) would be the written sentence attending to itself.
- [ ] 7, 7 > square-source: (7, 7) would be the sentence that was read attending to itself. The mark
  for the end is written, too, so 8 tokens have a query.
- [ ] 1, 7 > one-row: (1, 7) holds the weights of one token that is written. There are 8 of them.
- [ ] 15, 15 > all-together: 15 is 7 + 8. Queries are computed from the 8 tokens that are written,
  and keys from the 7 that are read.
- [ ] 8, 15 > all-as-keys: The 15 columns would be the tokens of both sentences. Keys are computed
  from the 7 that are read.

## longer_source
The same translation of a sentence with one word more. What changes?
- [ ] The output has one more row
  > rows-follow-source: The output has one row for each query, and there are still eight.
- [ ] The weight matrices of the layer have one more row
  > parameters-grow: They turn one token into one query, key or value. Their shapes do not depend on
    how many tokens there are.
- [x] The weights have one more column, and the output keeps its shape
  > Yes. Each query distributes its weight over one more key.

## picked
Where will the row of *ramassée*, which has to agree with *pomme*, have its weight?
- [x] on *picked*, which it translates
  > Yes: 0.98 of it. The text below measures where the gender comes from.
- [ ] on *the apple*, with which it agrees
  > weight-is-cause: This model has its weight on the verb. The text below measures where the gender
    comes from.
- [ ] half on each
  > half-half: Attention could do that. In this model nearly all weight is on the word that is
    translated.
""",
)
