"""Five more, again mixed."""

from coursekit import quiz

quiz(
    title="Mixed questions, second round",
    questions=r"""
## doubled_scores
A query's scores, which are not all equal, are all doubled. What happens to its weights?
- [ ] Nothing: the softmax depends only on differences between scores
  > shift-is-scale: It does, and doubling the scores doubles the differences. What leaves the
    weights as they are is *adding* a number to all scores.
- [x] They become less equal
  > Yes: the ratio of two weights is e to the difference of their scores, so it is squared. Equal
    scores stay equal.
- [ ] They double > linear-softmax: Then they would sum to 2. The softmax always divides by the sum.
- [ ] They become more equal
  > too-hot: That is what *dividing* the scores does, a higher temperature.

## reach (± 0.4)
Two layers, each with a window of 4 keys on each side and without global tokens. How many tokens,
itself included, can affect the output at a position in the middle of a long text?
- [x] 17 > Each layer adds 4 on each side: 2 · 2 · 4 + 1.
- [ ] 9 > window-only: 9 is the window of one layer. The second layer mixes positions that hold more
  than themselves.
- [ ] 8 > one-side: 8 counts one side. The window covers both sides and the position itself.
- [ ] 18 > windows-added: 18 is 9 + 9, which counts the position itself twice.
- [ ] 16 > without-itself: 16 leaves the position itself out.
- [ ] 81 > paths: 81 is 9 · 9, the number of paths through two layers. Many lead to the same token.
- [ ] else > That is not it. In the first layer, 4 tokens on each side reach a position. How far
  does the second layer look, and what do those positions hold?

## outside
A colleague's additive attention returns 0.93 in a component in which all values lie between 0.1 and
0.8. What do you tell them?
- [ ] An additive score is a small network, so outputs may lie outside the values
  > network-leaves-hull: The score decides only the weights. Whatever it is, the output is a
    weighted mean.
- [ ] The query was too long: scale the scores
  > long-query-escapes: A long query makes the weights less equal. Its output is still a weighted
    mean of the values.
- [ ] Some score was negative, which subtracts a value
  > negative-weights: A negative score makes a small weight, but never a negative one.
- [x] There is a fault: weights that are positive and sum to 1 cannot give 0.93
  > Yes. A weighted mean stays between the smallest and the largest value. Perhaps the weights do
    not sum to 1.

## cached_numbers (± 0.5)
A decoder has 3 layers, and in each 2 heads of keys and values of width 8. It has written 10 tokens.
How many numbers does its key–value cache hold?
- [x] 960 > Keys and values: 2 · 3 layers · 2 heads · 10 tokens · 8.
- [ ] 480 > one-of-two: 480 counts keys or values. Both are kept.
- [ ] 320 > one-layer: 320 is one layer's part. Every layer keeps its own.
- [ ] 96 > one-token: 96 is what one token adds. Ten are written.
- [ ] 600 > scores: 600 counts scores, 10 · 10 for each head of each layer. The cache keeps vectors,
  not scores.
- [ ] 1440 > queries-count: 1440 counts queries as well. A query is used once, when its token is
  written; only keys and values are needed again.
- [ ] 9600 > squared: 9600 grows with the square of the number of tokens. Each token adds its own
  keys and values once.
- [ ] else > That is not it. Count one vector of width 8, then multiply: tokens, heads, layers, and
  how many kinds of vector are kept.

## many_draws
Hard attention draws one key for each answer, with the weights as probabilities. The mean of very
many answers to the same query approaches …
- [x] the output of soft attention
  > Yes: the expectation of the draw is the sum of the values, each times its probability. One draw
    alone is a single value.
- [ ] the value of the key with the largest weight
  > best-only: That key is drawn most often, but not always. The others are drawn as often as their
    weights say.
- [ ] the plain mean of all values
  > plain-mean: That would need equal probabilities. The draws follow the weights.
""",
)
