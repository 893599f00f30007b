"""Two models read 8 pairs and then look up one key. Guessing is right in 1 of 16 cases. One attends
with a softmax to the 8 keys. The other sums the pairs into the state of linear attention, with 2, 8
or 32 features, each with a row of 32 numbers.
"""

from coursekit import quiz

quiz(
    title="Predict: what does a state recall?",
    questions=r"""
## recalled
What share of the keys does each of them look up right, after training with 8 pairs?
- [ ] All of them find all keys: 8 pairs are few, even for 64 numbers.
  > room-is-recall: A value that is one of 16 takes 4 bits, so there is room. But the query must
    read one pair without the others, and in two dimensions 8 keys cannot point in different enough
    directions.
- [x] The softmax finds all of them; a state finds fewer, the fewer features it has.
  > Yes. What a state returns is a mixture of all values, weighted by the overlap of features; with
    fewer features keys overlap more.
- [ ] The softmax finds all of them; no state does better than a guess.
  > state-is-useless: Features that differ enough keep keys apart: a wide state can look up several.
- [ ] All about the same: the sum over pairs is taken either way.
  > same-function: The softmax sees the query before it sums, and can put all its weight on one key.
""",
)
