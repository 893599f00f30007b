"""The translator writes 8 tokens, `(end)` included, one after the other. Its first input is the
mark for the beginning.
"""

from coursekit import quiz

quiz(
    title="Predict: how many tokens pass through the decoder?",
    hints=["What does the decoder read at step 1, at step 2, at step 3?"],
    questions=r"""
## without (± 0)
At each step the decoder gets everything written so far. How many tokens pass through it in the 8
steps together?
- [x] 36 > 1 + 2 + … + 8 = 36.
- [ ] 8 > once-each: That is one token a step. Without a cache each step computes all earlier tokens
  again.
- [ ] 64 > full-length: That is 8 tokens in each of 8 steps. At step 3 only three tokens are there
  to be read.
- [ ] 28 > one-short: That is 1 + 2 + … + 7. The eighth token is written from 8 tokens, the mark for
  the beginning among them.
- [ ] 44 > one-more: That starts with two tokens. At the first step only the mark is there.

## with_cache (± 0)
With a cache of keys and values it gets only the newest token. How many tokens pass through it in
the 8 steps then?
- [x] 8 > One for each step; the mark for the beginning is the first of them.
- [ ] 36 > no-gain: That is the number without a cache.
- [ ] 7 > begin-free: The mark for the beginning also passes through the decoder: the first word is
  predicted from it.
- [ ] 9 > begin-extra: The last token written, (end), is not read again.
- [ ] 1 > each-step: One passes at each step. The question is about all 8 steps together.
""",
)
