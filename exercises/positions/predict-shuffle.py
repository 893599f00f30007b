"""Self-attention, one layer, no mask, five tokens. The five rows of `x` are shuffled: *dog bites
man today again* becomes *man again bites dog today*. The weight matrices stay.
"""

from coursekit import quiz

quiz(
    title="Predict: a shuffled sentence",
    hints=[
        "Write down what the query of *bites* is compared with, in both sentences.",
        "An output is a sum over keys. Does a sum depend on the order of its terms?",
    ],
    questions=r"""
## rows
What happens to the five rows of the output?
- [x] They are the same rows as before, shuffled in the same way
  > Yes. Each word finds the same keys and values, only in another order, and a sum does not see the
    order.
- [ ] They stay where they were
  > rows-stay: Row 0 belongs to the token in row 0, which is a different one now.
- [ ] They change: every word has other neighbours now
  > neighbours-matter: It has the same words around it. No number that it sees says that one of them
    stands next to it.
- [ ] They change, since the weights of a row must sum to 1 again
  > softmax-sees-order: They sum to 1 before and after; they are the same weights in another order.

## who_bites
A classifier takes the mean of the output rows. Can it tell *dog bites man* from *man bites dog*?
- [ ] Yes: the weights between *dog* and *bites* say who bites
  > weights-tell: These weights are the same in both sentences.
- [ ] Yes, with enough layers
  > depth-helps: Each layer passes shuffled rows on to the next, which shuffles them as well. No
    number of layers adds what none has.
- [x] No: both give the same mean
  > Yes. The rows are the same in another order, and their mean is the same.
""",
)
