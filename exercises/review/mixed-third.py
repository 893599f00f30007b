"""The last five, from the whole course."""

from coursekit import quiz

quiz(
    version=2,
    title="Mixed questions, third round",
    questions=r"""
## no_weight
In layer 5 of an encoder, a head gives *good* a weight of 0.00 on *not*. May the model's answer
still depend on *not*?
- [ ] No, not at all
  > no-weight-no-effect: A weight is one path of many: there are other heads, other queries and four
    layers before.
- [ ] Only if another head of layer 5 has weight on *not*
  > values-are-words: That is one way. Positions with weight in layer 5 may already hold *not*:
    earlier layers have mixed words.
- [x] Yes, and changing the word would show it
  > Yes. Earlier layers may have mixed *not* into other positions, and other heads may attend to it.
    Changing the word shows whether the answer depends on it.

## one_vector
A recurrent encoder without attention passes one vector of width 64. The sentences get twice as
long. Which statement is right?
- [ ] The vector has 128 numbers now
  > vector-grows: Its width is fixed when the model is built, whatever is read.
- [x] Twice as much content has to be written into the same 64 numbers
  > Yes, that is the bottleneck. Whether 64 numbers are too few for a length has to be measured.
    Attention keeps one vector for each word instead.
- [ ] Only one bit goes missing, such as the gender of a noun
  > one-bit-is-lost: The vector does not lose one chosen thing. All words have to share its numbers;
    what a trained model keeps of them has to be measured.
- [ ] The vector holds the first 64 words
  > width-is-length: A number is not a place for a word. Every word changes all of the numbers.

## twice_as_long
Two keys point in the same direction; one is twice as long. The query has a positive dot product
with both. Which key gets more weight from a dot-product score?
- [x] The longer one
  > Yes: its dot product is twice as large. With a negative dot product it would be the shorter one.
- [ ] Both get the same, because only the angle counts
  > angle-only: The angle alone counts for the cosine. A dot product is proportional to the length
    of the key.
- [ ] The shorter one, because its distance to the query is smaller
  > distance: A dot product does not measure distance. Twice the key is twice the dot product.

## nothing_fits (± 0.01)
A query is orthogonal to all four keys: it fits none of them. The values are 2, 4, 6 and 20. What
does attention return, without a mask?
- [x] 8 > All scores are 0, so all weights are 1/4, and the output is the plain mean. Attention
  cannot return “nothing found”.
- [ ] 0 > nothing: For 0, all weights would have to be 0. Weights sum to 1, whatever the scores are.
- [ ] 32 > sum: 32 is the sum of the values. The weights sum to 1, so the output is a mean.
- [ ] 2 > first: 2 is the first value alone. The four scores are equal, so no key is preferred.
- [ ] 20 > largest: 20 is the largest value. Scores compare queries with keys; they do not depend on
  values.
- [ ] 5 > median: 5 is the median. A weighted sum with equal weights is the mean.
- [ ] else > That is not it. Which four scores does the query have, and what weights does the
  softmax give to equal scores?

## who_supplies
An assistant answers a question about a long report. Each token of the *answer* has to find what it
needs in the report. In this cross-attention, which part does the report supply?
- [ ] The queries
  > sides-swapped: The sequence that needs something supplies the queries, and the output has its
    length.
- [ ] The keys, while the values come from the answer
  > keys-without-values: The weight of a key multiplies the value of the same token. Keys and values
    come from one sequence.
- [ ] Queries, keys and values
  > self-for-cross: That is the report's self-attention, in which the answer has no part.
- [x] The keys and the values
  > Yes: the answer asks, the report is what is looked up. Its keys and values are computed once for
    the whole answer.
""",
)
