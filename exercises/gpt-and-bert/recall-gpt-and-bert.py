"""Three questions on the chapters before, from memory. If you are not sure, guess."""

from coursekit import quiz

quiz(
    title="Before you start",
    questions=r"""
## shift
A decoder is trained on a b c (end). What is its input?
- [ ] a b c (end) > not-shifted: Then the token to be predicted stands right in the input.
- [ ] a b c
  > no-begin: Then nothing is there to predict the first token from, and four predictions need four
    places.
- [x] (begin) a b c > Yes: at each place the token before the one to be predicted.

## stream
What does a sublayer do to the residual stream?
- [x] it adds something to it > Yes. What came before is still a summand of it.
- [ ] it replaces it
  > stream-replaced: Without the sum every layer would have to pass on what later ones need.
- [ ] it appends features to it > stream-concatenated: The width stays d_model. The result is added.

## unit
A model gives the right token a probability of 1/8. What is its cross-entropy there, in nats?
- [ ] 1/8 > probability-as-loss: The loss is minus the logarithm of the probability.
- [x] ln 8 ≈ 2.08 > Yes: −ln(1/8).
- [ ] 7/8
  > error-as-loss: That is the probability of all other tokens. The loss is minus the logarithm of
    the right one's.
- [ ] 3
  > bits-for-nats: That is the logarithm to base 2: 3 bits. In nats it is the natural logarithm.
""",
)
