"""In all six layers of all-MiniLM-L6-v2, somebody takes the softmax over the **queries**. Somebody
else leaves out the scale. After layer 1, the cosine between the vector of the 12-token sentence and
the model's own is 0.993 with the first mistake, and 0.986 with the second. (Vectors that point the
same way have cosine 1.)
"""

from coursekit import quiz

quiz(
    title="Predict: where a mistake starts to matter",
    hints=[
        "What does each mistake do to the order of a query's weights?",
        "Which tokens does a mask hide in a sentence that fills its row?",
    ],
    questions=r"""
## after_six_layers
Where are the two vectors after layer 6?
- [ ] Both at 0.95 or more: every layer normalises its tokens, which takes most of the difference
  away
  > norms-repair: A norm sets each token's mean and spread. Its direction stays wrong, and the next
    layer starts from there.
- [ ] Leaving out the scale is worse: it was further away after layer 1, and errors grow alike
  > errors-grow-alike: They do not grow alike. Without the scale the right keys still have the
    largest weights.
- [x] The softmax over the queries is far worse, although it was nearer after layer 1
  > Yes: 0.428, and 0.862 without the scale.
- [ ] Both near 0: after six layers nothing is left of the sentence
  > nothing-left: A residual connection carries each token past every attention. Neither of these
    two mistakes gets below 0.4 here.

## no_mask
A third person forgets the mask. Whose vectors change?
- [ ] Those of both sentences: they are in the same batch
  > sentences-meet: Sentences of a batch never meet. The longer one has no token that is to be
    hidden.
- [ ] Those of neither: the mean leaves out the tokens that fill up
  > mean-protects: The mean does, but the sentence's own tokens attended to them, in every layer.
- [x] Those of the padded sentence, and no others
  > Yes. Its tokens share their weight with six that say nothing.
""",
)
