"""Three questions on what the formula needs: a matrix product, the state of a recurrent network
and a weighted mean.
"""

from coursekit import quiz

quiz(
    title="Before the formula",
    questions=r"""
## product_shape (± 0, shape)
A has shape `(3, 7)` and B has shape `(7, 5)`. What is the shape of `A @ B`? Write the two numbers.
- [x] 3, 5 > The inner 7 is summed over; the outer numbers stay.
- [ ] 7, 7 > inner-kept: 7 is the inner size. It disappears: the product sums over it.
- [ ] 5, 3 > swapped: The two numbers are right, in the wrong order: rows come from A, columns from
  B.
- [ ] 3, 7 > first-kept: That is the shape of A. The 7 is summed over, and the columns come from B.
- [ ] 7, 5 > second-kept: That is the shape of B. The 7 is summed over, and the rows come from A.
- [ ] 7, 3 > first-transposed: That is the shape of A with its rows and columns exchanged. The 7 is
  summed over, and the columns come from B.
- [ ] 21, 35 > sizes-multiplied: These are the numbers of elements of A and of B. The product has
  the rows of A and the columns of B.

## recurrent_state
A recurrent network with a state of width 64 reads a sentence of 10 words, then one of 40. How wide
is its state after each?
- [x] 64 after both > Yes. The state is overwritten with each word; it never grows.
- [ ] 640 and 2560: one state for each word
  > keeps-all-states: There was one state after each word, but a plain recurrent network keeps only
    the last. Keeping all of them is the idea of this chapter.
- [ ] 64 and 256: longer sentences need more
  > width-grows: They may need more but do not get it: the width is part of the network's weights
    and fixed once it is built.
- [ ] 10 and 40, the number of words
  > width-is-length: The width says how many numbers the state holds and has nothing to do with the
    length of the sentence.

## weighted_mean
Which of these is a **weighted mean** of the numbers 0 and 10 with positive weights that sum to 1?
- [ ] −2
  > outside: It lies outside 0 to 10. Positive weights that sum to 1 cannot leave the range of what
    they average.
- [ ] 10.5 > sum-above-one: Weights of 0 and 1.05 would give it, but 1.05 is more than 1.
- [x] 7.5 > Yes: 0.25 · 0 + 0.75 · 10.
- [ ] 20 > sum-above-one: That is twice the larger number. A mean stays between the numbers.
""",
)
