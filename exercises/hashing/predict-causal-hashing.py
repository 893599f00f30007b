"""64 tokens attend by hashing with a causal mask: no token puts weight on a later one. Now token 40
is changed, and the outputs of tokens 0 to 39 are compared with those before.
"""

from coursekit import quiz

quiz(
    title="Predict: what a later token can change",
    hints=["What does the sorted row look like when one token falls into another bucket?"],
    questions=r"""
## what_moves
Which change of token 40 can move outputs of *earlier* tokens: another value, or another
query-and-key vector?
- [ ] Neither: the mask is causal
  > no-weight-no-effect: No weight goes to token 40. But which keys an earlier token meets depends
    on how *all* tokens are sorted into chunks.
- [ ] Both
  > value-leaks: A value has an effect only through a weight, and no earlier token puts weight on
    token 40.
- [ ] Its value only
  > only-value: A value has an effect only through a weight. What decides in which bucket token 40
    falls?
- [x] Its query-and-key vector only
  > Yes: in another bucket, token 40 shifts the borders of chunks, so earlier tokens meet other
    keys.
""",
)
