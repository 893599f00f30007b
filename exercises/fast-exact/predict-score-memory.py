"""Eight heads of width 64 attend to 2048 tokens, in `float32`: four bytes per number. The queries
of all heads together take $8 \\cdot 2048 \\cdot 64 \\cdot 4$ bytes, which is 4 MiB.
"""

from coursekit import quiz

quiz(
    title="Predict: how much the scores take",
    hints=[
        "How many scores has one head? One for each pair of a query and a key.",
        "$8 \\cdot 2048 \\cdot 2048$ numbers of 4 bytes. With powers of two it is an addition of "
        "exponents.",
    ],
    questions=r"""
## scores_mib (± 0.3 MiB)
How many MiB do the scores of all heads take? One MiB is $2^{20}$ bytes, and $2048 = 2^{11}$.
- [x] 128.0 > 2³ heads, 2¹¹ queries, 2¹¹ keys, 2² bytes: 2²⁷ bytes, 32 times the queries.
- [ ] 16.0 > one-head: 16 MiB is one head. Each of the eight has scores of its own.
- [ ] 32.0 > numbers-not-bytes: 32 is the number of scores, in units of 2²⁰. Each takes four bytes.
- [ ] 64.0 > half: 64 MiB is half of it. All 2048 · 2048 scores of a head are counted, in four bytes
  each.
- [ ] 256.0 > twice: 256 MiB is twice as much: the size of scores and weights together. The question
  is about the scores alone.
- [ ] 4.0 > like-queries: 4 MiB is the size of the queries. Scores belong to pairs of tokens: where
  the queries have 64 features, the scores have 2048 keys.
- [ ] 8192.0 > with-width: That counts the 64 features for each pair. A score is one number: the
  product is summed over the features.
- [ ] 134217728.0 > in-bytes: That is the size in bytes. Divide by 2²⁰.
- [ ] 131072.0 > in-kib: That is the size in KiB. One MiB has 1024 KiB.
- [ ] 0.125 > in-gib: That is the size in GiB. One GiB has 1024 MiB.
- [ ] 134.2 > mega-not-mebi: You divided by a million. A MiB is 2²⁰ = 1,048,576 bytes.
- [ ] else > Each head has a score for each pair of a query and a key. How many are there, and how
  many bytes does each take?

## scores_mib_longer (± 1 MiB)
How many MiB are there for four times as many tokens, 8192?
- [x] 2048.0 > 16 times as much, 2 GiB, and the weights take as much again.
- [ ] 512.0 > grows-linearly: 512 MiB is four times as much. Four times as many tokens are four
  times as many queries *and* four times as many keys.
- [ ] 256.0 > one-head-longer: 256 MiB is one head. There are eight.
- [ ] 1024.0 > doubled-four-fold: 1024 MiB is eight times as much. Two things grow by a factor of 4,
  queries and keys.
- [ ] 8192.0 > cubed: 8192 MiB is 64 = 4³ times as much. Two things grow, queries and keys; the
  width does not.
- [ ] 2.0 > longer-in-gib: 2 is the size in GiB. The question asks for MiB: there are 1024 in each
  GiB.
- [ ] 4096.0 > with-weights: 4096 MiB is the size of scores and weights together. The question is
  about the scores alone.
- [ ] 2147.5 > mega-longer: You divided by a million. A MiB is 2²⁰ = 1,048,576 bytes.
- [ ] else > Four times as many queries, each with four times as many keys: by what factor does the
  number of scores grow?
""",
)
