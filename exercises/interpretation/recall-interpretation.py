"""Three questions on the chapters before, from memory."""

from coursekit import quiz

quiz(
    title="Before you start",
    questions=r"""
## number_of_maps (± 0)
A model has 4 layers of 8 heads each. How many matrices of weights does it compute for one sentence?
- [x] 32 > One for each head of each layer, 4 · 8.
- [ ] 4 > one-per-layer: 4 counts the layers. Each has 8 heads, and each head has its own weights.
- [ ] 8 > one-layer: 8 is the number in one layer. There are four layers.
- [ ] 12 > added: 12 is 4 + 8. Each of the 4 layers has 8 heads.
- [ ] 96 > three-for-each-head: 96 is three for each head, as there are matrices for queries, keys
  and values. These are learned; a head computes one matrix of weights from them.
- [ ] 128 > four-for-each-head: 128 is four for each head. A head computes one matrix of weights.
- [ ] 64 > squared: 64 is 8 · 8. Each of the 4 layers has 8 heads.

## what_a_weight_multiplies
In the second layer of an encoder, query *picked* gives key *apple* weight 0.5. What is multiplied
by 0.5?
- [ ] The embedding of the word *apple*
  > values-are-words: That was so in the first layer. The second reads what the first wrote, where
    the words are already mixed.
- [x] The value of the position where *apple* stands, made of the first layer's output there
  > Yes. That vector may hold as much of other words as of *apple*.
- [ ] The score of *apple*
  > weights-times-scores: The score has done its work: softmax turned it into the weight. Weights
    multiply values.
- [ ] The output of the layer at *apple*
  > rows-mixed-up: The output at *picked* is what is being computed; the output at *apple* is
    another row.

## mean_of_heads
The mean of all heads shows a clear line from *it* to *cat*. What follows for the heads?
- [ ] Every head draws that line
  > mean-is-each: One head with a weight of 1 among many near 0 gives a visible mean too.
- [ ] The model reads the mean, so it uses that line
  > heads-are-averaged: No part of the model computes the mean. Heads are concatenated and mixed by
    a matrix.
- [x] At least one head puts weight there; which ones, and whether it matters, is open
  > Yes. Look at the heads one by one, and then test what they do.
- [ ] There is one head whose task is to find what pronouns stand for
  > one-sentence: It may be several, or one for which this sentence is a coincidence. One sentence
    cannot tell.
""",
)
