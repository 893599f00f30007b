"""Three questions on earlier chapters, from memory."""

from coursekit import quiz

quiz(
    title="From memory",
    hints=["A causal window also sees the newest token. Count one layer after the other."],
    questions=r"""
## window_reach (± 0)
Causal layers with windows: each token attends to itself and to the 6 tokens before it. How many
tokens can the last output depend on after 5 such layers?
- [x] 31 > Each layer goes 6 tokens further back, and the token itself counts once: 5 · 6 + 1.
- [ ] 30 > without-itself: 30 tokens lie before it. The token itself is one more.
- [ ] 35 > sevens: 35 counts the token itself in every layer. It is the same token.
- [ ] 7 > one-layer: 7 is what one layer sees.
- [ ] 61 > both-sides: 61 counts tokens on both sides. These windows look back only.
- [ ] else > Each layer goes further back by the same number of tokens. Count the token itself once.

## cached_numbers (± 0)
A layer has 8 query heads and 2 heads of keys and values, all of width 16. How many numbers does its
cache keep for each token?
- [x] 64 > Keys and values of 2 heads: 2 · 2 · 16. Queries are not kept.
- [ ] 256 > query-heads: 256 counts 8 heads. The query heads share 2 heads of keys and values.
- [ ] 32 > keys-only: 32 is the keys alone, or the values alone.
- [ ] 16 > one-head: 16 is one key of one head.
- [ ] 192 > with-queries: 192 has the 8 queries as well: 128 + 64. Queries are not kept.
- [ ] else > The cache keeps keys *and* values, for each head of keys and values.

## rotated
What does a score depend on if queries and keys are turned by `rotary`?
- [ ] On the positions of both tokens, one by one
  > absolute: If both move by the same distance, both angles grow by the same amount, and the score
    stays the same.
- [ ] On the contents only
  > content-only: The angle between the two turned vectors changes with the distance.
- [x] On the contents and the distance between the tokens
  > Yes: of the two rotations only their difference is left.
""",
)
