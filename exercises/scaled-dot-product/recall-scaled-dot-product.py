"""Three questions on the chapters before, from memory."""

from coursekit import quiz

quiz(
    title="Before you start",
    questions=r"""
## equal_scores (± 0.01)
Three keys score 0 against a query. Their values are 3, 6 and 12. What does attention return?
- [x] 7 > Equal scores give equal weights, 1/3 each, and (3 + 6 + 12) / 3 = 7.
- [ ] 0 > nothing: Scores of 0 do not give weights of 0: the softmax makes weights that sum to 1.
- [ ] 21 > sum: 21 is the sum of the values. The weights sum to 1, so the result is a mean.
- [ ] 3 > first: 3 is the first value alone. Equal scores give equal weights.
- [ ] 12 > largest: 12 is the largest value. Values do not compete, keys do, and these keys tie.
- [ ] 6 > median: 6 is the value in the middle. The weights are 1/3 each: take the mean.

## compared
What is a query compared with?
- [x] With the keys: each comparison gives one score
  > Yes. One query and `num_keys` keys give `num_keys` scores.
- [ ] With the values: the most similar one is returned
  > compares-values: Values are never compared with anything. They are summed once the keys have
    decided how much of each.
- [ ] With the other queries
  > compares-queries: Queries do not meet each other. Each one is answered on its own.
- [ ] With the embeddings of all tokens
  > skips-projection: Only after a projection: W^K computes keys from the embeddings, and it is the
    keys that are compared.

## learned
Training is over. The word *bank* now appears in two different sentences. If nothing but the words
of a sentence enters the computation, which of these differs between the two?
- [ ] The matrices $W^Q, W^K, W^V$
  > weights-per-sentence: They are what training found, and stay as they are for every sentence.
- [ ] The key of *bank*
  > key-knows-context: The same embedding times the same matrix is the same key. Differences come in
    when words are mixed.
- [ ] Nothing differs
  > no-context: The same query meets other keys and collects other values: the context vector
    differs.
- [x] The context vector of *bank*
  > Yes. It is a mixture of the values of all words in the sentence, so it depends on the company
    that the word keeps.
""",
)
