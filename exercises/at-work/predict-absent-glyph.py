"""The picture has a bar, a ring, an arch and a diamond on 16 cells, and no cross. The query for
*cross* gets the same 16 keys as the others, and the model has learned to answer that there is no
cross.
"""

from coursekit import quiz

quiz(
    title="Predict: a query for what is absent",
    hints=["What do the weights of a query sum to?"],
    questions=r"""
## weights_of_cross
How large is the largest of the 16 weights of the query for *cross*?
- [ ] 0: there is nothing to attend to, so all weights are 0
  > softmax-abstains: The weights come from a softmax, so they sum to 1 for every query.
- [ ] About 1/16: without a match the scores are equal
  > absent-is-uniform: Scores would have to be equal for that. The noise and the other glyphs differ
    from cell to cell, so the scores do as well.
- [ ] About 1/4: the four cells with glyphs share the weight, as the nearest match
  > nearest-glyph: These cells answer to other queries. In this picture the three largest weights of
    *cross* are on cells without any glyph.
- [x] More than 1/4, on one of the cells
  > Yes: 0.36 in this picture. Softmax normalises whatever the scores are, so the largest score gets
    a large weight even where nothing matches.
""",
)
