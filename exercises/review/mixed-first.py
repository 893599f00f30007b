"""Five questions from different chapters, in no particular order. Nothing says which chapter a
question belongs to: finding that out is half of the answer.
"""

from coursekit import quiz

quiz(
    title="Mixed questions, first round",
    questions=r"""
## first_weight (± 0.005, weights of key 1 | key 2 | key 3)
A query has the dot products 3, 0 and 0 with three keys of width 9. The layer scales its scores.
What weight does the first key get? Two decimals are enough.
- [x] 0.5761 > The scores are 3/√9 = 1, 0 and 0, and e/(e + 2) = 0.576.
  | 0.576 | 0.212 | 0.212 |
- [ ] 0.9094 > unscaled: 0.909 comes from the dot products 3, 0 and 0 themselves. This layer divides
  them by √9 first.
  | 0.909 | 0.045 | 0.045 |
- [ ] 0.411 > by-d: 0.411 comes from dividing by 9, the width. The scale is its root.
  | 0.411 | 0.294 | 0.294 |
- [ ] 0.3333 > uniform: 0.333 is what each of three keys gets if all scores are equal.
  | 0.333 | 0.333 | 0.333 |
- [ ] 0.7311 > two-way: 0.731 is the weight among two keys. There are three: both others have score
  0, and each adds e⁰ = 1 to the sum.
  | 0.731 | 0.269 | – |
- [ ] 1 > exact: The best key does not take all: the others have score 0, whose exponential is 1.
  | 1 | 0 | 0 |
- [ ] else > That is not it. Divide the dot products by √9, then take the exponential of each and
  divide by the sum of all three.

## same_words
A self-attention layer without positions and without a mask reads *dog bites man*, then *man bites
dog*. How does the output at *dog* differ?
- [ ] It is now what the output at *man* was before
  > order-is-seen: That would be so if outputs belonged to places. A query belongs to its word:
    *dog* has the same query in both sentences.
- [ ] It differs a little, because *dog* has other neighbours
  > values-know-places: Neighbours are not known here. The query is compared with the same three
    keys, and the same three values are summed.
- [x] It does not differ
  > Yes. The same query, the same keys, the same values: a sum does not depend on the order of its
    terms. Only positions change that.

## cut_after
A program computes the weights of four keys and then multiplies the weight of a padding key by 0.
What is wrong with the output?
- [x] The values of the other keys get too little weight in all
  > Yes: the remaining weights sum to 1 minus what the padding key had. A mask belongs before the
    softmax, which then normalises.
- [ ] Nothing: a weight of 0 is a weight of 0
  > zero-after-softmax: The padding key is out of the sum, but its score has already decided how
    large the other weights are. What do these sum to?
- [ ] The value of the padding key is still mixed in
  > hidden-still-counts: Its weight is 0, so its value is not. Look at the other weights: what do
    they sum to?
- [ ] It is NaN
  > nan-row: NaN comes from 0/0, when *no* key is left before the softmax. Here three keys are left,
    and nothing is divided afterwards.

## weights_of_a_layer (± 0.5)
A layer of width 12 has 3 heads of width 5 for queries, keys and values, and no biases. How many
numbers are there in $W^Q$, $W^K$, $W^V$ and $W^O$ together?
- [x] 720 > Three matrices of 12 × 15 and one of 15 × 12: 4 · 180. The width of a head need not be
  12/3.
- [ ] 576 > square: 576 is 4 · 12 · 12. The heads together are 15 wide, not 12.
- [ ] 540 > three-matrices: 540 counts the three matrices of queries, keys and values. One is
  missing.
- [ ] 180 > one-matrix: 180 is one matrix of 12 by 15. There are four.
- [ ] 240 > one-head: 240 is what one head of width 5 needs. There are three heads.
- [ ] 765 > square-heads: In 765 the last matrix is 15 by 15. It has to lead back to width 12.
- [ ] else > That is not it. Three heads of width 5 make 15 columns in each of the matrices of
  queries, keys and values. What shape does the output matrix need?

## rows_of_cross
A translator has read 5 English tokens and written 7 French ones. What shape do the weights of one
head of its cross-attention have?
- [ ] `(5, 7)` > rows-are-keys: Rows belong to queries. Which of the two sentences asks?
- [x] `(7, 5)`
  > Yes: a row for each of the 7 queries, which come from the French side, and a column for each
    English token.
- [ ] `(7, 7)`
  > square: That is the decoder's self-attention. In cross-attention the keys come from the other
    sentence.
- [ ] `(12, 12)`
  > both-as-one: The two sequences are not joined into one: one supplies the queries, the other the
    keys and values.
""",
)
